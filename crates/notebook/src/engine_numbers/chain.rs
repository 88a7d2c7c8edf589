//! How far down the hierarchy a palette is right, and where it goes wrong first.

use bindpose_skin::Trs;
use glam::Mat4;

use super::causes::MOST_NAMED;
use super::held_against::{Matched, Ours};
use crate::differences::{are_equal, transform_words};

/// Says so of a palette of which some are right and some are not. Nothing of others.
pub(super) fn tell(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) {
    let right: Vec<bool> = given
        .iter()
        .zip(ours.palette())
        .map(|(given, ours_of)| ours.are_equal(given, ours_of))
        .collect();
    let parents = ours.parents();
    let parent = |row: usize| parents.get(row).copied().flatten();
    let is_right = |row: usize| right.get(row) == Some(&true);
    if !right.contains(&true) || !right.contains(&false) {
        return;
    }
    let first = |row: &usize| !is_right(*row) && parent(*row).is_none_or(is_right);
    let firsts: Vec<usize> = (0..right.len()).filter(first).collect();
    let is_below = |row: usize, top: usize| {
        let mut above = parent(row);
        // A forest: it ends.
        while let Some(at) = above {
            if at == top {
                return true;
            }
            above = parent(at);
        }
        false
    };
    let of_one = |top: &usize| {
        let below: Vec<usize> = (0..right.len()).filter(|&row| is_below(row, *top)).collect();
        let wrong = below.iter().filter(|&&row| !is_right(row)).count();
        let name = ours.words(*top);
        match parent(*top) {
            _ if wrong == 0 && !below.is_empty() => {
                format!("wrong at {name} alone: what hangs on it is right")
            }
            None => format!("wrong from the root {name} on"),
            Some(parent) if below.is_empty() => {
                format!("right down to {}, wrong at {name}", ours.words(parent))
            }
            Some(parent) => format!("right down to {}, wrong from {name} on", ours.words(parent)),
        }
    };
    let mut words: Vec<String> = firsts.iter().take(MOST_NAMED / 2).map(of_one).collect();
    if firsts.len() > words.len() {
        words.push(format!("and at {} more", firsts.len() - words.len()));
    }
    let mut sentence = format!("Down the hierarchy they are {}.", words.join("; "));
    if let [only] = firsts[..]
        && let Some(local) = local_words(given, ours, only, parent(only))
    {
        sentence.push_str(&local);
    }
    let named = firsts.iter().take(MOST_NAMED / 2).filter_map(|&row| ours.joint(row));
    found.say(sentence).joints = named.collect();
}

/// What its local matrix must have been, if all other factors are ours.
fn local_words(
    given: &[Mat4],
    ours: &Ours<'_>,
    row: usize,
    parent: Option<usize>,
) -> Option<String> {
    let joints = &ours.derived.joints;
    let joint = *ours.rows.get(row)?;
    // Another node between the two would have a part in it.
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
    let is = |(matrix, _): &&(Mat4, &str)| are_equal(matrix, &theirs);
    let what = if let Some((_, words)) = known.iter().find(is) {
        (*words).to_owned()
    } else {
        let more = joints.parent_from_joint.get(joint)?.inverse() * theirs;
        let is_motion = (more.determinant() - 1.0).abs() < 0.5;
        let words = transform_words(&more);
        if words.is_empty() || !is_motion {
            return None;
        }
        format!("ours with {words} more")
    };
    Some(format!(" Its local matrix would be {what}."))
}
