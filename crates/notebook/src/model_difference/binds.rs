//! What was done to the inverse bind matrices of a model, by the finder that the doctor
//! has for those of a file.

use bindpose_asset::JointRole;
use bindpose_asset::doctor::{BindData, BindRepair};
use bindpose_diagnostic::counted;
use bindpose_skin::JointIndex;
use glam::{DMat4, Mat4};

use super::space::{AtRest, Space};
use crate::differences::{SAME, factor_words, largest_difference, transform_words};

/// Joints whose order a sentence spells out.
const MOST_NAMED: usize = 24;
/// Joints whose order is looked for at most.
const MOST_ORDERED: usize = 512;

/// The one sentence that tells how those of B came of those of A; `None`: none does.
/// `size`: of A.
pub(super) fn done_to_binds(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, size): (&Space, f32),
    pairs: &[(JointIndex, JointIndex)],
) -> Option<String> {
    let roles = a.rig.joint_roles();
    let of_skin = |pair: &&(JointIndex, JointIndex)| {
        roles.get(pair.0.index()).is_some_and(|&role| role != JointRole::Helper)
    };
    let pairs: Vec<(JointIndex, JointIndex)> = pairs.iter().filter(of_skin).copied().collect();
    let in_a = |pair: &(JointIndex, JointIndex)| {
        a.joint_from_bind.get(pair.0.index()).map(|matrix| space.of(matrix))
    };
    let in_b = |pair: &(JointIndex, JointIndex)| b.joint_from_bind.get(pair.1.index()).copied();
    let in_a: Vec<Mat4> = pairs.iter().map(in_a).collect::<Option<_>>()?;
    let in_b: Vec<Mat4> = pairs.iter().map(in_b).collect::<Option<_>>()?;
    if pairs.len() < 2 {
        return None;
    }
    let size = size * space.scale();
    let are_same = |one: &Mat4, other: &Mat4| largest_difference(one, other, size) <= SAME;
    if in_b.iter().all(|matrix| are_same(matrix, &Mat4::IDENTITY)) {
        return Some("B has no inverse bind matrices: all are the identity.".to_owned());
    }
    let between: Vec<Mat4> =
        in_a.iter().zip(&in_b).map(|(of_a, of_b)| of_a.inverse() * *of_b).collect();
    let first = between.first()?;
    if between.iter().all(|one| are_same(first, one)) {
        return Some(format!(
            "Every inverse bind matrix has the same matrix more on its right ({}): the mesh was put into another space.",
            transform_words(first)
        ));
    }
    let said = |words: &str| {
        let joints = counted(pairs.len(), "joint");
        format!("Inverse bind matrices of B are those of A, {words} ({joints}).")
    };
    if let Some(whose) = order(&in_a, &in_b, are_same) {
        return Some(said(&order_words(&whose, &pairs)));
    }
    let right: Vec<DMat4> = in_a.iter().map(Mat4::as_dmat4).collect();
    let bind: Vec<DMat4> = right.iter().map(DMat4::inverse).collect();
    let stored: Vec<DMat4> = in_b.iter().map(Mat4::as_dmat4).collect();
    let parents = parents(a, &pairs);
    let data = BindData { world: &bind, parents: &parents, stored: &stored };
    let words = repair_words(&data.explained()?.repair, &pairs)?;
    Some(format!(
        "Inverse bind matrices of B are those of A, {words} ({}).",
        counted(pairs.len(), "joint")
    ))
}

/// The pair above each; what has no partner is passed over.
fn parents(a: &AtRest<'_>, pairs: &[(JointIndex, JointIndex)]) -> Vec<Option<usize>> {
    let above = |of: &(JointIndex, JointIndex)| {
        let mut above = a.rig.skeleton.ancestors(of.0);
        // In the order of A.
        above.find_map(|above| pairs.binary_search_by_key(&above, |pair| pair.0).ok())
    };
    pairs.iter().map(above).collect()
}

/// What was done to A's: the opposite of what repairs B's.
fn repair_words(repair: &BindRepair, pairs: &[(JointIndex, JointIndex)]) -> Option<String> {
    Some(match repair {
        BindRepair::Transposed => "transposed: rows where columns belong".to_owned(),
        BindRepair::Inverted => "inverted: they are bind matrices".to_owned(),
        BindRepair::Accumulated => "without those of the parents: of local matrices".to_owned(),
        BindRepair::Mirrored(axis) => {
            format!("mirrored in {}: of the other handedness", axis.name())
        }
        BindRepair::Turned(quarters) => {
            format!("turned by {}° about x: of other axes", -90 * i32::from(*quarters))
        }
        BindRepair::Scaled(factor) => {
            let words = factor_words(1.0 / factor);
            format!("with translations {}", words.replace("times ours", "times as large"))
        }
        BindRepair::Reordered(order) => {
            // Whose each joint of B has.
            let mut whose = vec![0; order.len()];
            for (joint, &at) in order.iter().enumerate() {
                *whose.get_mut(at)? = joint;
            }
            order_words(&whose, pairs)
        }
        BindRepair::OtherSide => {
            "with one matrix more on their left: a bind shape matrix on the wrong side".to_owned()
        }
        _ => return None,
    })
}

/// Whose each of B is, each once, its own where it fits; `None` where one is nobody's,
/// or all are their own.
fn order(
    in_a: &[Mat4],
    in_b: &[Mat4],
    are_same: impl Fn(&Mat4, &Mat4) -> bool,
) -> Option<Vec<usize>> {
    if in_a.len() > MOST_ORDERED {
        return None;
    }
    let mut taken = vec![false; in_a.len()];
    let mut whose = Vec::new();
    for (own, of_b) in in_b.iter().enumerate() {
        let fits = |at: &usize| !taken[*at] && are_same(&in_a[*at], of_b);
        let at = Some(own).filter(fits).or_else(|| (0..in_a.len()).find(fits))?;
        taken[at] = true;
        whose.push(at);
    }
    let moved = whose.iter().enumerate().any(|(own, at)| own != *at);
    moved.then_some(whose)
}

/// `in another order: 2 0 1`, by the numbers of A.
fn order_words(whose: &[usize], pairs: &[(JointIndex, JointIndex)]) -> String {
    let number = |at: &usize| pairs.get(*at).map(|pair| pair.0.0.to_string());
    let named: Vec<String> = whose.iter().take(MOST_NAMED).filter_map(number).collect();
    let more = if whose.len() > MOST_NAMED { " …" } else { "" };
    format!("in another order: {}{more}", named.join(" "))
}
