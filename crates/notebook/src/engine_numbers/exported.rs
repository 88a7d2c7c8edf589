//! Files of `bindpose export` and `bindpose skin` other than plain arrays: tables with named
//! columns, poses and OBJ. Also recognizes files that cannot be compared.

use bindpose_diagnostic::{Diagnostic, LineColumn, json_wrong};
use bindpose_skin::Trs;
use glam::{Quat, Vec3};
use serde::Deserialize;

use super::shaped::{HELP, ShapedNumbers, UnexpectedInput, error_at, parse_number};
use crate::weights_text::{Lines, is_weights_file};

/// Name of the compared matrix, in tables and objects with several matrices of a joint.
pub(super) const JOINT_MATRIX: &str = "world_from_bind";

/// The columns of a table with the numbers.
struct Columns {
    /// The elements of a matrix, column-major, or the coordinates of a position.
    numbers: Vec<usize>,
    /// The column with the name of the matrix in a line, if there are several.
    matrix_name: Option<usize>,
}

impl Columns {
    /// Returns `None` if this program does not write these column names.
    fn find(head: &[String]) -> Option<Self> {
        let elements: Option<Vec<usize>> =
            (0..16).map(|at| find_column(head, &format!("r{}c{}", at % 4, at / 4))).collect();
        if let Some(numbers) = elements {
            return Some(Self { numbers, matrix_name: find_column(head, "matrix") });
        }
        let quantities: Option<Vec<usize>> =
            (0..16).map(|at| find_column(head, &format!("n{at}"))).collect();
        if let (Some(numbers), Some(matrix_name)) = (quantities, find_column(head, "quantity")) {
            return Some(Self { numbers, matrix_name: Some(matrix_name) });
        }
        let numbers =
            vec![find_column(head, "x")?, find_column(head, "y")?, find_column(head, "z")?];
        // Three columns are a plain table of numbers.
        (head.len() > 3).then_some(Self { numbers, matrix_name: None })
    }
}

fn find_column(head: &[String], name: &str) -> Option<usize> {
    head.iter().position(|cell| cell.trim() == name)
}

/// Parses the matrices or positions of a table with named columns. Returns `None` if the
/// text is no such table.
pub(super) fn parse_table(
    text: &str,
    max_numbers: usize,
) -> Option<Result<ShapedNumbers, Diagnostic>> {
    let mut lines = Lines::new(text);
    let (_, head) = lines.next()?;
    let columns = Columns::find(&head)?;
    Some(parse_table_lines(lines, &columns, max_numbers))
}

fn parse_table_lines(
    lines: Lines<'_>,
    columns: &Columns,
    max_numbers: usize,
) -> Result<ShapedNumbers, Diagnostic> {
    let width = columns.numbers.len();
    let mut numbers = Vec::new();
    for (line, cells) in lines {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let is_other_matrix = columns
            .matrix_name
            .is_some_and(|column| cells.get(column).is_none_or(|cell| cell != JOINT_MATRIX));
        if is_other_matrix {
            continue;
        }
        let at = LineColumn { line, column: 1 };
        for &column in &columns.numbers {
            let cell = cells.get(column).map_or("", |cell| cell.trim());
            let Some(number) = parse_number(cell) else {
                let found: String = cell.chars().take(40).collect();
                let found = format!("`{found}` in cell {}", column + 1);
                return Err(error_at(at, "a number", &found));
            };
            if numbers.len() == max_numbers {
                return Err(UnexpectedInput::too_many(max_numbers).at(at));
            }
            numbers.push(number);
        }
    }
    if numbers.is_empty() && columns.matrix_name.is_some() {
        let expected = format!("lines of the matrix `{JOINT_MATRIX}`");
        return Err(Diagnostic::expected(expected, "none").help(HELP));
    }
    Ok(ShapedNumbers { shape: vec![numbers.len() / width, width], numbers })
}

/// Parses the vertices of an OBJ file. Returns `None` if the text is no such file.
pub(super) fn parse_obj(
    text: &str,
    max_numbers: usize,
) -> Option<Result<ShapedNumbers, Diagnostic>> {
    let mut words = text.lines().filter_map(|line| line.split_whitespace().next());
    let first = words.find(|word| !word.starts_with('#'))?;
    ["o", "g", "v", "mtllib"].contains(&first).then(|| parse_obj_vertices(text, max_numbers))
}

fn parse_obj_vertices(text: &str, max_numbers: usize) -> Result<ShapedNumbers, Diagnostic> {
    let mut numbers = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("v ") else {
            continue;
        };
        let at = LineColumn { line: index + 1, column: 1 };
        let coordinates: Vec<f32> = rest.split_whitespace().filter_map(parse_number).collect();
        // Weights and colours may follow.
        let Some(position) = coordinates.get(..3) else {
            let found = coordinates.len().to_string();
            return Err(error_at(at, "three numbers after `v`", &found));
        };
        if numbers.len() + 3 > max_numbers {
            return Err(UnexpectedInput::too_many(max_numbers).at(at));
        }
        numbers.extend_from_slice(position);
    }
    Ok(ShapedNumbers { shape: vec![numbers.len() / 3, 3], numbers })
}

#[derive(Deserialize)]
struct PosesFile {
    poses: Vec<StoredPose>,
}

#[derive(Deserialize)]
struct StoredPose {
    joints: Vec<LocalTransform>,
}

#[derive(Deserialize)]
struct LocalTransform {
    translation: [f32; 3],
    /// Quaternion as x, y, z, w.
    rotation: [f32; 4],
    scale: [f32; 3],
}

/// Parses a file of poses as the local transforms of its only pose, one per joint of the
/// model. Returns `None` if the text is no such file.
pub(super) fn parse_pose(text: &str) -> Option<Result<Vec<Trs>, Diagnostic>> {
    let is_pose_file = text.trim_start().starts_with('{')
        && text.contains("\"poses\"")
        && text.contains("\"joints\"");
    is_pose_file.then(|| parse_single_pose(text))
}

fn parse_single_pose(text: &str) -> Result<Vec<Trs>, Diagnostic> {
    let file: PosesFile = serde_json::from_str(text).map_err(|wrong| {
        let (words, at) = json_wrong(&wrong);
        error_at(at, "translation, rotation and scale of each joint", &words)
    })?;
    let [pose] = &file.poses[..] else {
        let found = format!("{} poses", file.poses.len());
        return Err(Diagnostic::expected("one pose", found).help("write one pose"));
    };
    let locals = pose.joints.iter().map(|joint| Trs {
        translation: Vec3::from_array(joint.translation),
        rotation: Quat::from_array(joint.rotation),
        scale: Vec3::from_array(joint.scale),
    });
    Ok(locals.collect())
}

/// Returns an error for models and weights, which cannot be compared as numbers of an
/// engine. Returns `None` for other files.
pub(super) fn other_file_error(bytes: &[u8]) -> Option<Diagnostic> {
    let found = if bytes.starts_with(b"glTF") {
        "a whole model"
    } else if std::str::from_utf8(bytes).is_ok_and(is_weights_file) {
        "weights"
    } else {
        return None;
    };
    let help = "write matrices, as `bindpose export --as palette-json` does, or positions, as \
                `positions-npy`; `bindpose compare` holds two models against each other, with \
                their weights";
    Some(Diagnostic::expected("joint matrices or skinned positions", found).help(help))
}
