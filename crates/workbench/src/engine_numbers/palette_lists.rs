//! Palettes whose matrices are ours, but whose list is not: shifted, cut, or with another last
//! row.

use glam::{Mat4, Vec3, Vec4};

use super::comparison::PageNumbers;
use super::relations::Relation;

/// Minimum number of matrices that a shift must explain.
const MIN_SHIFTED: usize = 3;

/// Describes a palette whose matrices are related to ours, but a few places later or earlier.
/// Returns `None` if it is no such palette.
pub(super) fn find_shift(
    given: &[Mat4],
    relations: &[Relation],
    ours: &PageNumbers<'_>,
) -> Option<String> {
    for relation in relations {
        let right: Option<Vec<Mat4>> =
            ours.rows.iter().map(|&joint| relation.matrix(ours, joint)).collect();
        let Some(right) = right else {
            continue;
        };
        for by in 1..=right.len() / 2 {
            for is_late in [true, false] {
                if let Some(ends) = shifted_ends(given, &right, by, is_late, ours) {
                    let what = relation.describe_all();
                    let (place, of) = match (by, is_late) {
                        (1, true) => ("one place late".to_owned(), "that of the joint before"),
                        (1, false) => ("one place early".to_owned(), "that of the next joint"),
                        (_, true) => (format!("{by} places late"), "that of an earlier joint"),
                        (_, false) => (format!("{by} places early"), "that of a later joint"),
                    };
                    return Some(format!(
                        "They are {what}, shifted by {by}: each is {place}, {of}; {ends}."
                    ));
                }
            }
        }
    }
    None
}

/// Describes the matrices in the places that a shift leaves free. Returns `None` if the other
/// matrices are not shifted by so much.
fn shifted_ends(
    given: &[Mat4],
    right: &[Mat4],
    by: usize,
    is_late: bool,
    ours: &PageNumbers<'_>,
) -> Option<String> {
    let mut free = Vec::new();
    let mut shifted_count = 0;
    let mut is_own_everywhere = true;
    for (row, matrix) in given.iter().enumerate() {
        let source = if is_late { row.checked_sub(by) } else { Some(row + by) };
        let Some(expected) = source.and_then(|source| right.get(source)) else {
            free.push((row, *matrix));
            continue;
        };
        if !ours.are_equal(matrix, expected) {
            return None;
        }
        shifted_count += 1;
        is_own_everywhere &= right.get(row).is_some_and(|own| ours.are_equal(matrix, own));
    }
    // Neighbours with the same matrix are no evidence.
    if is_own_everywhere || shifted_count < MIN_SHIFTED || shifted_count * 2 < right.len() {
        return None;
    }
    let ends = if is_late { "first" } else { "last" };
    let is_cyclic = free.iter().all(|(row, matrix)| {
        let source = if is_late { row + right.len() - by } else { row + by - right.len() };
        right.get(source).is_some_and(|of| ours.are_equal(matrix, of))
    });
    let matrices: Vec<Mat4> = free.iter().map(|&(_, matrix)| matrix).collect();
    let what = match describe_fill(&matrices) {
        _ if free.is_empty() => {
            return Some("nothing stands in the places that this leaves free".to_owned());
        }
        _ if is_cyclic => "the matrices from the other end".to_owned(),
        Some(fill) => fill.to_owned(),
        None => "other numbers".to_owned(),
    };
    Some(match free.len() {
        1 => format!("the {ends} is {}", what.replace("matrices", "matrix")),
        count => format!("the {ends} {count} are {what}"),
    })
}

/// Describes matrices that mean no transform. Returns `None` for other matrices.
fn describe_fill(matrices: &[Mat4]) -> Option<&'static str> {
    if matrices.iter().all(|matrix| *matrix == Mat4::ZERO) {
        Some("0")
    } else if matrices.iter().all(|matrix| *matrix == Mat4::IDENTITY) {
        Some("the identity")
    } else {
        None
    }
}

/// Describes a palette that is ours up to some matrix, and constant from there on. Returns
/// `None` if it is no such palette.
pub(super) fn find_limit(given: &[Mat4], ours: &PageNumbers<'_>) -> Option<String> {
    let right = ours.palette();
    if given.len() != right.len() {
        return None;
    }
    let count = given.iter().zip(right).take_while(|(given, of)| ours.are_equal(given, of)).count();
    let rest = given.get(count..).filter(|rest| !rest.is_empty())?;
    // A whole palette of one matrix has no limit.
    if count == 0 {
        return None;
    }
    let fill = match describe_fill(rest) {
        Some(fill) => fill,
        None if rest.iter().all(|matrix| *matrix == given[count - 1]) => "that of the last before",
        None if rest.iter().all(|matrix| *matrix == given[0]) => "that of joint 0",
        None if rest.len() > 1 && rest.iter().all(|matrix| *matrix == rest[0]) => {
            "one and the same"
        }
        None => return None,
    };
    Some(format!(
        "The first {count} are the joint matrices, and all from matrix {count} on, {} of them, are \
         {fill}: a limit of {count} matrices, or a buffer that is not filled to its end.",
        rest.len()
    ))
}

/// Replaces the last row by 0 0 0 1.
fn with_usual_last_row(matrix: &Mat4) -> Mat4 {
    let mut rows = matrix.transpose();
    rows.w_axis = Vec4::W;
    rows.transpose()
}

/// A palette whose last rows are not 0 0 0 1 but 0 0 0 and another number.
pub(super) struct OtherLastRow {
    /// The same matrices with 0 0 0 1 for their last rows, as columns.
    pub(super) corrected: Vec<Mat4>,
    pub(super) words: String,
}

impl OtherLastRow {
    /// Returns `None` if the matrices have no such last rows. Of transposed matrices the last
    /// row is the last column.
    pub(super) fn find(given: &[Mat4]) -> Option<Self> {
        let as_columns = Self::of_columns(given, "");
        as_columns.or_else(|| {
            let transposed: Vec<Mat4> = given.iter().map(Mat4::transpose).collect();
            Self::of_columns(&transposed, "They are transposed. ")
        })
    }

    fn of_columns(given: &[Mat4], remark: &str) -> Option<Self> {
        let row = given.first()?.row(3);
        let is_common = given.iter().all(|matrix| matrix.row(3) == row);
        let has_translations = given.iter().any(|matrix| matrix.w_axis.truncate() != Vec3::ZERO);
        if row.truncate() != Vec3::ZERO || row.w == 1.0 || !is_common || !has_translations {
            return None;
        }
        let cause = if row == Vec4::ZERO {
            ": columns of three numbers that a block’s layout pads to four, or w that is never set"
        } else {
            ""
        };
        let words = format!(
            "{remark}The last row is 0 0 0 {} in all {}, not 0 0 0 1{cause}. What follows is of \
             them with 0 0 0 1.",
            row.w,
            given.len()
        );
        Some(Self { corrected: given.iter().map(with_usual_last_row).collect(), words })
    }
}
