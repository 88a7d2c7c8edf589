//! Numbers of somebody's own engine, held against ours for the same model and pose:
//! which of our matrices they are, and how, or which known fault gives exactly them.

mod examples;
mod held_against;
mod read;
mod relations;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_asset::{Paced, TaskProgress};
use glam::Mat4;

use super::{Derived, Document};
use crate::differences::{apart, are_equal, cell_name, farthest};
use crate::joint_words;
use crate::number_text::fixed;
use examples::WithFaults;
use held_against::{Ours, joint_index};
use relations::Relation;

pub use examples::{EngineMistake, GivenExample};
pub use held_against::{HeldAgainst, Matched, NumbersFinding};

pub use read::{EngineNumbers, read_numbers};
pub(super) use relations::changes_of_places;

/// Holds them against each other: known faults are tried one by one, each a piece of the
/// work. `None`: it was asked to stop.
pub fn matching(page: HeldAgainst, progress: &TaskProgress) -> Paced<Option<Matched>> {
    let told = progress.clone();
    Paced::new(progress, async move |pace| {
        let mut found = Matched::default();
        let given = &*page.given;
        let ours = Ours::new(&page.derived, &page.document);
        let seen = match given {
            EngineNumbers::Matrices(given) => matrix_relations(given, &ours, &mut found),
            EngineNumbers::Positions(given) => {
                examples::place_relations(given, &ours, &mut found);
                None
            }
        };
        if found.equal {
            return Some(found);
        }
        let mut faults = WithFaults::new(&page);
        while let Some(fraction) = faults.fraction_done() {
            pace.whole_piece().await.ok()?;
            told.set(fraction);
            let Some((fault, there)) = faults.next_one() else {
                continue;
            };
            let gives = match given {
                EngineNumbers::Matrices(given) => {
                    are_given_by(given, there.palette(), ours.palette())
                }
                EngineNumbers::Positions(given) => {
                    examples::are_given_by(given, there.positions(), ours.positions())
                }
            };
            if gives {
                found.say_fault(fault);
            }
        }
        match given {
            EngineNumbers::Matrices(given) => {
                matrix_differences(given, &ours, seen, &mut found);
            }
            EngineNumbers::Positions(given) => {
                examples::place_differences(given, &ours, &mut found);
            }
        }
        Some(found)
    })
}

/// As [`matching`], waiting until it is done.
pub fn matched(given: EngineNumbers, document: &Document, derived: &Derived) -> Matched {
    let page = HeldAgainst {
        given: Arc::new(given),
        document: document.clone(),
        lesson: None,
        derived: derived.clone(),
    };
    let found = matching(page, &TaskProgress::default()).finish();
    found.unwrap_or_default()
}

// A palette of somebody's own, or one matrix of it.

/// Joints among which another one's matrix is looked for.
const MOST_JOINTS: usize = 512;
/// Joints that a sentence names.
const MOST_NAMED: usize = 8;

/// Which of our matrices these are; `None`: none.
fn matrix_relations(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) -> Option<Relation> {
    if let [only] = given
        && ours.palette().len() != 1
    {
        return of_one(only, ours, found);
    }
    let joints = ours.palette().len();
    if given.len() != joints {
        found.say(format!(
            "There are {} matrices, and the skin has {joints} joints; those that there are were \
             compared from the first on.",
            given.len()
        ));
    }
    let are_ours = fits(Relation::DRAWN, given, ours);
    found.equal = are_ours && given.len() == joints;
    let relation = Relation::all().find(|relation| fits(*relation, given, ours))?;
    let words = format!("They are {}.", relation.of_all());
    let remark = where_the_page_has_another(relation, are_ours);
    found.say(words + remark);
    Some(relation)
}

/// What is right need not be what the page has.
fn where_the_page_has_another(relation: Relation, is_ours: bool) -> &'static str {
    if relation == Relation::JOINT && !is_ours {
        " This page moves vertices by others: its stage, an edit or a fault that is on changes them."
    } else {
        ""
    }
}

/// Of the chosen joint, if it is its own; else of the first.
fn of_one(only: &Mat4, ours: &Ours<'_>, found: &mut Matched) -> Option<Relation> {
    let all = ours.palette().len();
    let few = all.min(MOST_JOINTS);
    let chosen = ours.chosen.index();
    let is = |relation: Relation, joint: usize| {
        let matrix = relation.matrix(ours, joint);
        matrix.is_some_and(|matrix| are_equal(only, &matrix))
    };
    let joint_with = |relation: Relation, count: usize| {
        let mut joints = std::iter::once(chosen).chain(0..count);
        joints.find(|&joint| is(relation, joint))
    };
    let own = joint_with(Relation::DRAWN, all);
    found.equal = own.is_some();
    let (relation, joint) = match own {
        Some(joint) if is(Relation::JOINT, joint) => (Relation::JOINT, joint),
        Some(joint) => (Relation::DRAWN, joint),
        None => {
            Relation::all().find_map(|relation| Some((relation, joint_with(relation, few)?)))?
        }
    };
    found.joint = joint_index(joint);
    let others = (0..few).filter(|&other| other != joint && is(relation, other));
    let others = match others.count() {
        0 => String::new(),
        1 => " Another joint has the same in this pose.".to_owned(),
        others => format!(" {others} other joints have the same in this pose."),
    };
    let which = relation.of_one(&joint_words(joint, &ours.derived.rig));
    let remark = where_the_page_has_another(relation, found.equal);
    let words = format!("It is {which}.{remark}{others}");
    found.say(words).joints = joint_index(joint).into_iter().collect();
    Some(relation)
}

fn fits(relation: Relation, given: &[Mat4], ours: &Ours<'_>) -> bool {
    let pairs = given.iter().enumerate();
    let mut pairs = pairs.take(ours.palette().len()).peekable();
    pairs.peek().is_some()
        && pairs.all(|(joint, theirs)| {
            let ours = relation.matrix(ours, joint);
            ours.is_some_and(|ours| are_equal(theirs, &ours))
        })
}

/// Does a page with `palette` give these, in the place of ours?
fn are_given_by(given: &[Mat4], palette: &[Mat4], ours: &[Mat4]) -> bool {
    let are_all = |a: &[Mat4], b: &[Mat4]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal(a, b))
    };
    match given {
        [only] if ours.len() != 1 => {
            let mut pairs = palette.iter().zip(ours);
            pairs.any(|(there, ours)| are_equal(only, there) && !are_equal(there, ours))
        }
        _ => are_all(given, palette) && !are_all(palette, ours),
    }
}

/// Where they part from ours.
fn matrix_differences(
    given: &[Mat4],
    ours: &Ours<'_>,
    relation: Option<Relation>,
    found: &mut Matched,
) {
    match given {
        [only] if ours.palette().len() != 1 => {
            if relation.is_none() {
                nearest(only, ours, found);
            }
        }
        _ => {
            if relation.is_none() {
                of_other_joints(given, ours, found);
            }
            first_difference(given, ours, found);
        }
    }
}

/// Each is that of some joint, though some are not of their own.
fn of_other_joints(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) {
    let joints = ours.palette().len().min(MOST_JOINTS);
    if given.len() > MOST_JOINTS {
        return;
    }
    for relation in Relation::OF_OTHER_JOINTS {
        let matrices: Vec<Option<Mat4>> =
            (0..joints).map(|joint| relation.matrix(ours, joint)).collect();
        let source = |(nth, theirs): (usize, &Mat4)| {
            let is_it = |joint: &usize| {
                let matrix = matrices.get(*joint).copied().flatten();
                matrix.is_some_and(|matrix| are_equal(theirs, &matrix))
            };
            Some(nth).filter(is_it).or_else(|| (0..joints).find(is_it))
        };
        let sources: Option<Vec<usize>> = given.iter().enumerate().map(source).collect();
        let Some(sources) = sources else { continue };
        let sources = sources.into_iter().enumerate();
        let moved: Vec<(usize, usize)> = sources.filter(|(nth, from)| nth != from).collect();
        let named = || moved.iter().take(MOST_NAMED);
        let pairs = named().map(|(nth, from)| format!("{nth} is that of {from}"));
        let mut pairs: Vec<String> = pairs.collect();
        if moved.len() > MOST_NAMED {
            pairs.push(format!("and {} more", moved.len() - MOST_NAMED));
        }
        let words = format!(
            "All are among {}. {} of {} are those of other joints: {}.",
            relation.of_all(),
            moved.len(),
            given.len(),
            pairs.join(", ")
        );
        found.say(words).joints = named().filter_map(|&(nth, _)| joint_index(nth)).collect();
        return;
    }
}

fn first_difference(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) {
    let pairs = given.iter().zip(ours.palette());
    let far = |(theirs, ours): &(&Mat4, &Mat4)| !are_equal(theirs, ours);
    let count = pairs.clone().filter(far).count();
    let Some((joint, (theirs, matrix))) = pairs.clone().enumerate().find(|(_, pair)| far(pair))
    else {
        return;
    };
    let words = format!(
        "{count} of {} differ from ours, first that of {}: {}.",
        pairs.len(),
        joint_words(joint, &ours.derived.rig),
        largest_difference(theirs, matrix)
    );
    found.say(words).joints = joint_index(joint).into_iter().collect();
}

/// The joint from whose matrix this one is least far.
fn nearest(only: &Mat4, ours: &Ours<'_>, found: &mut Matched) {
    // Numbers without a distance first: with one of them, all would be as far.
    let off = |matrix: &Mat4| {
        let (theirs, ours) = (only.to_cols_array(), matrix.to_cols_array());
        let cells = theirs.iter().zip(&ours);
        let cells = cells.map(|(theirs, ours)| apart(*theirs, *ours));
        cells.fold((0, 0.0), |(beyond, most): (usize, f32), off| {
            if off.is_finite() { (beyond, most.max(off)) } else { (beyond + 1, most) }
        })
    };
    let joints = ours.palette().iter().enumerate();
    let joints = joints.map(|(joint, matrix)| (joint, matrix, off(matrix)));
    let least = joints.min_by(|(_, _, a), (_, _, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let Some((joint, matrix, _)) = least else {
        return;
    };
    found.joint = joint_index(joint);
    let words = format!(
        "None of our matrices is equal to it. The nearest is that of {}: {}.",
        joint_words(joint, &ours.derived.rig),
        largest_difference(only, matrix)
    );
    found.say(words).joints = joint_index(joint).into_iter().collect();
}

/// `row 2, column 4 is 1.25000, and ours is 1.00000`
fn largest_difference(theirs: &Mat4, ours: &Mat4) -> String {
    let cells = theirs.to_cols_array().into_iter().zip(ours.to_cols_array());
    let cells = cells.map(|(theirs, ours)| [theirs, ours]);
    let (at, [theirs, ours]) = farthest(cells.enumerate()).unwrap_or_default();
    let [theirs, ours] = [theirs, ours].map(|number| fixed(number.into(), 5));
    format!("{} is {theirs}, and ours is {ours}", cell_name(at))
}
