//! A palette of somebody's own.

use glam::Mat4;

use super::found::Matched;
use super::relations::{Relation, are_equal};
use super::with_faults::with_each_fault;
use crate::notebook::number_text::fixed;
use crate::notebook::{Derived, Document};

/// Joints among which another one's matrix is looked for.
const MOST_JOINTS: usize = 512;

/// Which of our matrices these are.
pub(super) fn matched(given: &[Mat4], document: &Document, derived: &Derived) -> Matched {
    let mut found = Matched::default();
    let joints = derived.palette.len();
    if given.len() != joints && given.len() != 1 {
        found.findings.push(format!(
            "There are {} matrices, and the skin has {joints} joints; those that there are were \
             compared from the first on.",
            given.len()
        ));
    }
    let alone = given.len() == 1;
    let relation = Relation::all().find(|relation| fits(*relation, given, derived));
    if let Some(relation) = relation {
        found.equal = relation.is_right() && given.len() == joints;
        let which = if alone { "It is one of" } else { "They are" };
        found
            .findings
            .push(format!("{which} {}.", relation.words()));
    }
    if !found.equal {
        for (fault, there) in with_each_fault(document, derived) {
            let palette = there.palette();
            if given_by(given, palette) && !given_by(palette, &derived.palette) {
                found.faults.push(fault.id);
                found.findings.push(format!(
                    "The fault “{}” (`{}`) gives exactly these. {}",
                    fault.title, fault.id, fault.tell
                ));
            }
        }
    }
    if relation.is_none() {
        of_other_joints(given, derived, &mut found);
    }
    if !found.equal && relation.is_none_or(|relation| !relation.is_right()) {
        first_difference(given, derived, &mut found);
    }
    found
}

/// Of one matrix alone, that of the first joint which it may be counts.
fn fits(relation: Relation, given: &[Mat4], derived: &Derived) -> bool {
    if let [only] = given {
        let count = derived.palette.len().min(MOST_JOINTS);
        return (0..count).any(|joint| {
            relation
                .matrix(derived, joint)
                .is_some_and(|ours| are_equal(only, &ours))
        });
    }
    let pairs = given.iter().enumerate().take(derived.palette.len());
    let mut some = false;
    for (joint, theirs) in pairs {
        let Some(ours) = relation.matrix(derived, joint) else {
            return false;
        };
        if !are_equal(theirs, &ours) {
            return false;
        }
        some = true;
    }
    some
}

fn given_by(given: &[Mat4], palette: &[Mat4]) -> bool {
    given.len() == palette.len() && given.iter().zip(palette).all(|(a, b)| are_equal(a, b))
}

/// Each is that of some joint, though not of its own.
fn of_other_joints(given: &[Mat4], derived: &Derived, found: &mut Matched) {
    let joints = derived.palette.len().min(MOST_JOINTS);
    if given.len() > MOST_JOINTS {
        return;
    }
    for relation in Relation::OF_OTHER_JOINTS {
        let ours: Vec<Option<Mat4>> = (0..joints)
            .map(|joint| relation.matrix(derived, joint))
            .collect();
        let source = |(nth, theirs): (usize, &Mat4)| {
            let is_it = |joint: &usize| {
                let ours = ours.get(*joint).copied().flatten();
                ours.is_some_and(|ours| are_equal(theirs, &ours))
            };
            Some(nth).filter(is_it).or_else(|| (0..joints).find(is_it))
        };
        let sources: Option<Vec<usize>> = given.iter().enumerate().map(source).collect();
        let Some(sources) = sources else { continue };
        let moved = sources
            .iter()
            .enumerate()
            .filter(|(nth, from)| nth != *from);
        let moved: Vec<String> = moved
            .take(8)
            .map(|(nth, from)| format!("{nth} is that of {from}"))
            .collect();
        found.findings.push(format!(
            "Each is one of {}, but of another joint: {}.",
            relation.words(),
            moved.join(", ")
        ));
        return;
    }
}

/// Where they part from ours.
fn first_difference(given: &[Mat4], derived: &Derived, found: &mut Matched) {
    let pairs = given.iter().zip(derived.palette.iter());
    let far = |(theirs, ours): &(&Mat4, &Mat4)| !are_equal(theirs, ours);
    let count = pairs.clone().filter(far).count();
    let Some((joint, (theirs, ours))) = pairs.clone().enumerate().find(|(_, pair)| far(pair))
    else {
        return;
    };
    let (theirs, ours) = (theirs.to_cols_array(), ours.to_cols_array());
    let off = |at: usize| {
        let off = (theirs[at] - ours[at]).abs();
        if off.is_nan() { f32::INFINITY } else { off }
    };
    let at = (0..16)
        .max_by(|&a, &b| off(a).total_cmp(&off(b)))
        .unwrap_or(0);
    let name = derived.rig.skeleton.joints().get(joint);
    let name = name.map_or("", |joint| joint.name.as_str());
    found.findings.push(format!(
        "{count} of {} differ from our joint matrices, first that of joint {joint} “{name}”: row \
         {}, column {} is {}, and ours is {}.",
        given.len(),
        at % 4 + 1,
        at / 4 + 1,
        fixed(theirs[at].into(), 5),
        fixed(ours[at].into(), 5),
    ));
}
