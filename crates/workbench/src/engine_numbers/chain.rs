//! Where along the hierarchy the matrices of a palette become wrong.

use bindpose_skin::Trs;
use glam::Mat4;

use super::causes::MAX_NAMED_JOINTS;
use super::comparison::{ComparisonResult, PageNumbers};
use crate::differences::{are_equal, describe_transform};

/// Reports the topmost wrong joints of a palette with right and wrong matrices.
pub(super) fn report_hierarchy(
    given: &[Mat4],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) {
    let right: Vec<bool> = given
        .iter()
        .zip(ours.palette())
        .map(|(given, ours_of)| ours.are_equal(given, ours_of))
        .collect();
    if !right.contains(&true) || !right.contains(&false) {
        return;
    }
    let parents = ours.parents();
    let tops: Vec<usize> = (0..right.len())
        .filter(|&row| {
            !is_right(&right, row)
                && parent_row(&parents, row).is_none_or(|parent| is_right(&right, parent))
        })
        .collect();
    let named = &tops[..tops.len().min(MAX_NAMED_JOINTS / 2)];
    let mut words = Vec::new();
    for &top in named {
        let below: Vec<usize> =
            (0..right.len()).filter(|&row| is_descendant(row, top, &parents)).collect();
        let is_wrong_below = below.iter().any(|&row| !is_right(&right, row));
        let name = ours.joint_label(top);
        words.push(match parent_row(&parents, top) {
            _ if !is_wrong_below && !below.is_empty() => {
                format!("wrong at {name} alone: what hangs on it is right")
            }
            None => format!("wrong from the root {name} on"),
            Some(parent) if below.is_empty() => {
                format!("right down to {}, wrong at {name}", ours.joint_label(parent))
            }
            Some(parent) => {
                format!("right down to {}, wrong from {name} on", ours.joint_label(parent))
            }
        });
    }
    if tops.len() > words.len() {
        words.push(format!("and at {} more", tops.len() - words.len()));
    }
    let mut sentence = format!("Down the hierarchy they are {}.", words.join("; "));
    if let [only] = tops[..]
        && let Some(local) = describe_local_matrix(given, ours, only, parent_row(&parents, only))
    {
        sentence.push_str(&local);
    }
    let joints = named.iter().filter_map(|&row| ours.joint_of_row(row)).collect();
    found.add_finding(sentence).joints = joints;
}

fn is_right(right: &[bool], row: usize) -> bool {
    right.get(row) == Some(&true)
}

fn parent_row(parents: &[Option<usize>], row: usize) -> Option<usize> {
    parents.get(row).copied().flatten()
}

fn is_descendant(row: usize, ancestor: usize, parents: &[Option<usize>]) -> bool {
    let mut above = parent_row(parents, row);
    while let Some(row) = above {
        if row == ancestor {
            return true;
        }
        above = parent_row(parents, row);
    }
    false
}

/// Describes the local matrix that the engine must have used, if all its other factors are
/// ours. Returns `None` if it is unknown, or differs from ours by no motion.
fn describe_local_matrix(
    given: &[Mat4],
    ours: &PageNumbers<'_>,
    row: usize,
    parent: Option<usize>,
) -> Option<String> {
    let joints = &ours.derived.joints;
    let joint = *ours.rows.get(row)?;
    // The transform of a node between the two joints is unknown.
    let above = ours.derived.rig.skeleton.joints().get(joint)?.parent?;
    if ours.rows.get(parent?).copied() != Some(above.index()) {
        return None;
    }
    let bind = joints.used_joint_from_bind.get(joint)?.inverse();
    let world_from_parent = joints.world_from_joint.get(above.index())?;
    let theirs = world_from_parent.inverse() * *given.get(row)? * bind;
    let own = *joints.pose.parent_from_joint.get(joint)?;
    let rest = ours.derived.rig.skeleton.joints().get(joint)?.parent_from_joint_at_rest;
    let conjugated = Trs { rotation: own.rotation.conjugate(), ..own };
    if !theirs.is_finite() {
        return None;
    }
    let known = [
        (rest.matrix(), "that at rest: nothing moves it"),
        (conjugated.matrix(), "ours with its quaternion conjugated"),
        (Mat4::from_translation(own.translation), "ours without its rotation and scale"),
        (
            Trs { translation: rest.translation, ..own }.matrix(),
            "ours with its translation at rest",
        ),
        (Trs { rotation: rest.rotation, ..own }.matrix(), "ours with its rotation at rest"),
    ];
    let same = known.iter().find(|(matrix, _)| are_equal(matrix, &theirs));
    let what = if let Some((_, words)) = same {
        (*words).to_owned()
    } else {
        let more = joints.parent_from_joint.get(joint)?.inverse() * theirs;
        let is_motion = (more.determinant() - 1.0).abs() < 0.5;
        let words = describe_transform(&more);
        if words.is_empty() || !is_motion {
            return None;
        }
        format!("ours with {words} more")
    };
    Some(format!(" Its local matrix would be {what}."))
}
