//! Numbers of somebody's own engine, held against ours for the same model and pose:
//! which of our matrices they are, and how, or which known fault gives exactly them.

mod causes;
mod chain;
mod examples;
mod held_against;
mod moments;
mod read;
mod relations;
#[cfg(test)]
mod synthetic_rig;
#[cfg(test)]
mod tests;
mod walks;
#[cfg(test)]
mod wrong_palettes;

use std::sync::Arc;

use bindpose_asset::{Cancelled, Pace, Paced, TaskProgress};
use bindpose_lesson::FaultName;
use bindpose_skin::Pose;
use glam::{Mat4, Vec4};

use super::{Derived, Document};
use crate::differences::{apart, are_equal, cell_name, farthest};
use crate::joint_words;
use crate::number_text::fixed;
use causes::{MOST_JOINTS, MOST_NAMED};
use examples::WithFaults;
use held_against::{Ours, Precision, joint_index};
use relations::Relation;

pub use examples::{EngineMistake, GivenExample};
pub use held_against::{HeldAgainst, Matched, NumbersFinding};

pub use read::{EngineNumbers, read_numbers};
pub(super) use relations::changes_of_places;

/// Holds them against each other: known faults are tried one by one, each a piece of the
/// work. `None`: it was asked to stop.
pub fn matching(page: HeldAgainst, progress: &TaskProgress) -> Paced<Option<Matched>> {
    let told = progress.clone();
    Paced::new(progress, async move |pace| found(&page, &pace, &told).await.ok())
}

async fn found(page: &HeldAgainst, pace: &Pace, told: &TaskProgress) -> Result<Matched, Cancelled> {
    let mut found = Matched::default();
    let with_given = match given_by_export(page, &mut found) {
        GivenByExport::AsIs => None,
        GivenByExport::WorkedOut(given) => {
            Some(HeldAgainst { given: Arc::new(given), ..page.clone() })
        }
        GivenByExport::OfAnotherModel => return Ok(found),
    };
    let page = with_given.as_ref().unwrap_or(page);
    let ours = Ours::for_given(&page.derived, &page.document, &page.given);
    found.rows = (0..ours.rows.len()).filter_map(|row| ours.joint(row)).collect();
    let related = match &*page.given {
        EngineNumbers::Matrices(given) => matrix_relations(given, &ours, &mut found),
        EngineNumbers::Positions(given) => {
            examples::place_relations(given, &ours, &mut found);
            None
        }
        EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => None,
    };
    if found.equal {
        return Ok(found);
    }
    let turned = turned_by_rows(&page.given, related, &mut found);
    let given = turned.as_ref().unwrap_or(&page.given);
    let mut faults = WithFaults::new(page);
    while let Some(fraction) = faults.fraction_done() {
        pace.whole_piece().await?;
        told.set(0.5 * fraction);
        let Some((fault, there)) = faults.next_one() else {
            continue;
        };
        let gives = match given {
            EngineNumbers::Matrices(given) => are_given_by(given, there.palette(), &ours),
            EngineNumbers::Positions(given) => {
                let pages = (there.positions(), ours.positions());
                examples::are_given_by(given, pages, examples::most_apart(&ours))
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => false,
        };
        if gives {
            found.say_fault(fault);
        }
    }
    pace.pause().await?;
    let is_alone = is_alone(given, &ours);
    let mut is_explained = related.is_some();
    if let EngineNumbers::Matrices(given) = given
        && !is_alone
        && !is_explained
    {
        is_explained = say_causes(given, &ours, &mut found);
    }
    is_explained |= !found.faults.is_empty();
    let may_be_late = found.faults.contains(&"previous-frame");
    if !is_alone && (!is_explained || may_be_late) {
        pace.pause().await?;
        if let Some((words, all)) = moments::found(page, given, &ours, pace).await? {
            found.say(words);
            is_explained |= all;
        }
    }
    match given {
        EngineNumbers::Matrices(given) => {
            matrix_differences(given, &ours, (related, is_explained), &mut found);
        }
        EngineNumbers::Positions(given) => {
            examples::place_differences(given, &ours, &mut found);
        }
        EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => {}
    }
    Ok(found)
}

/// The part of given numbers that is compared.
enum GivenByExport {
    AsIs,
    /// A palette, of a file that has more in it.
    WorkedOut(EngineNumbers),
    OfAnotherModel,
}

/// What is compared of a file that `bindpose export` has written with more in it than a
/// palette or positions: of a pose the joint matrices that it gives, of four lists of
/// matrices the last.
fn given_by_export(page: &HeldAgainst, found: &mut Matched) -> GivenByExport {
    let derived = &page.derived;
    let joints = derived.rig.skeleton.len();
    match &*page.given {
        EngineNumbers::Pose(locals) if locals.len() != joints => {
            found.say(format!(
                "They are the local transforms of {} joints, and the model has {joints}, nodes \
                 above its skins included: a pose of another model.",
                locals.len()
            ));
            GivenByExport::OfAnotherModel
        }
        EngineNumbers::Pose(locals) => {
            found.say("Joint matrices were worked out of these local transforms.".to_owned());
            let pose = Pose { parent_from_joint: locals.clone(), ..Pose::default() };
            let world = derived.rig.skeleton.world_from_joint(&pose);
            let binds = &derived.joints.used_joint_from_bind;
            let palette = bindpose_skin::joint_matrices(&world, binds);
            GivenByExport::WorkedOut(EngineNumbers::Matrices(palette))
        }
        EngineNumbers::FourLists(given) => {
            found.first_row = given.len() / 4 * 3;
            let last = given[found.first_row..].to_vec();
            found.say(format!(
                "There are four lists of {} matrices: the last, world from bind, was compared.",
                last.len()
            ));
            GivenByExport::WorkedOut(EngineNumbers::Matrices(last))
        }
        EngineNumbers::Matrices(_) | EngineNumbers::Positions(_) => GivenByExport::AsIs,
    }
}

/// One matrix of a palette of several?
fn is_alone(given: &EngineNumbers, ours: &Ours<'_>) -> bool {
    matches!(given, EngineNumbers::Matrices(given) if given.len() == 1 && ours.palette().len() != 1)
}

/// Matrices whose translations stand in the last row, the other way round: what is wrong
/// beside that is told of these.
fn turned_by_rows(
    given: &EngineNumbers,
    related: Option<Relation>,
    found: &mut Matched,
) -> Option<EngineNumbers> {
    let EngineNumbers::Matrices(given) = given else {
        return None;
    };
    let has_columns = |matrix: &Mat4| matrix.w_axis != Vec4::W;
    let moves = |matrix: &Mat4| matrix.row(3) != Vec4::W;
    if related.is_some() || given.iter().any(has_columns) || !given.iter().any(moves) {
        return None;
    }
    found.say(
        "They are transposed: translations stand in the last row. What follows is of them the \
         other way round."
            .to_owned(),
    );
    Some(EngineNumbers::Matrices(given.iter().map(Mat4::transpose).collect()))
}

/// False: none is known that gives these.
fn say_causes(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) -> bool {
    let mut causes = causes::causes(given, ours);
    causes.dedup();
    if let Some((first, others)) = causes.split_first() {
        found.say(format!("They are {first}."));
        if !others.is_empty() {
            found.say(format!("In this pose these would be the same: {}.", others.join("; ")));
        }
        return true;
    }
    if let Some(words) = causes::packed_otherwise(given, ours) {
        found.say(words);
        return true;
    }
    of_other_joints(given, ours, found)
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
    let rounded = !given.iter().zip(ours.palette()).all(|(given, ours)| are_equal(given, ours));
    let precision = if are_ours && rounded { ours.precision.words() } else { "" };
    let words = format!("They are {}{precision}.", relation.of_all());
    let remark = where_the_page_has_another(relation, are_ours);
    let half = FaultName::from_id("half-floats");
    match half.filter(|_| are_ours && rounded && ours.precision == Precision::Half) {
        Some(half) => found.say_with(words + remark, half),
        None => _ = found.say(words + remark),
    }
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
    let all = held_against::skins(&ours.derived.rig).concat();
    let few = all.get(..MOST_JOINTS).unwrap_or(&all);
    let chosen = ours.chosen.index();
    let is = |relation: Relation, joint: usize| {
        let matrix = relation.matrix(ours, joint);
        matrix.is_some_and(|matrix| ours.are_equal(only, &matrix))
    };
    let joint_with = |relation: Relation, among: &[usize]| {
        let mut joints = std::iter::once(chosen).chain(among.iter().copied());
        joints.find(|&joint| is(relation, joint))
    };
    let own = joint_with(Relation::DRAWN, &all);
    found.equal = own.is_some();
    let (relation, joint) = match own {
        Some(joint) if is(Relation::JOINT, joint) => (Relation::JOINT, joint),
        Some(joint) => (Relation::DRAWN, joint),
        None => {
            Relation::all().find_map(|relation| Some((relation, joint_with(relation, few)?)))?
        }
    };
    found.joint = joint_index(joint);
    let others = few.iter().filter(|&&other| other != joint && is(relation, other));
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
    let mut pairs = given.iter().zip(&ours.rows).peekable();
    pairs.peek().is_some()
        && pairs.all(|(theirs, &joint)| {
            let matrix = relation.matrix(ours, joint);
            matrix.is_some_and(|matrix| ours.are_equal(theirs, &matrix))
        })
}

/// Does a page with this palette, of all joints of the rig, give these in the place of
/// ours?
fn are_given_by(given: &[Mat4], palette: &[Mat4], ours: &Ours<'_>) -> bool {
    let there = ours.rows.iter().filter_map(|&joint| palette.get(joint).copied());
    let there: Vec<Mat4> = there.collect();
    match given {
        [only] if ours.palette().len() != 1 => {
            let mut pairs = there.iter().zip(ours.palette());
            pairs.any(|(there, here)| ours.are_equal(only, there) && !are_equal(there, here))
        }
        _ => ours.are_all(given, &there) && !ours.are_all(&there, ours.palette()),
    }
}

/// Where they part from ours.
fn matrix_differences(
    given: &[Mat4],
    ours: &Ours<'_>,
    (relation, is_explained): (Option<Relation>, bool),
    found: &mut Matched,
) {
    match given {
        [only] if ours.palette().len() != 1 => {
            if relation.is_none() {
                nearest(only, ours, found);
            }
        }
        _ => {
            if !is_explained {
                chain::tell(given, ours, found);
            }
            first_difference(given, ours, found);
        }
    }
}

/// Each is that of some joint, though some are not of their own; false where not.
fn of_other_joints(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) -> bool {
    let rows = &ours.rows[..ours.rows.len().min(MOST_JOINTS)];
    if given.len() > MOST_JOINTS {
        return false;
    }
    for relation in Relation::OF_OTHER_JOINTS {
        let matrices: Vec<Option<Mat4>> =
            rows.iter().map(|&joint| relation.matrix(ours, joint)).collect();
        let source = |(nth, theirs): (usize, &Mat4)| {
            let is_it = |row: &usize| {
                let matrix = matrices.get(*row).copied().flatten();
                matrix.is_some_and(|matrix| ours.are_equal(theirs, &matrix))
            };
            Some(nth).filter(is_it).or_else(|| (0..rows.len()).find(is_it))
        };
        let sources: Option<Vec<usize>> = given.iter().enumerate().map(source).collect();
        let Some(sources) = sources else { continue };
        let sources = sources.into_iter().enumerate();
        let moved: Vec<(usize, usize)> = sources.filter(|(nth, from)| nth != from).collect();
        if moved.is_empty() {
            return false;
        }
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
        found.say(words).joints = named().filter_map(|&(nth, _)| ours.joint(nth)).collect();
        return true;
    }
    false
}

fn first_difference(given: &[Mat4], ours: &Ours<'_>, found: &mut Matched) {
    let pairs = given.iter().zip(ours.palette());
    let far = |(theirs, of): &(&Mat4, &Mat4)| !ours.are_equal(theirs, of);
    let count = pairs.clone().filter(far).count();
    let Some((row, (theirs, matrix))) = pairs.clone().enumerate().find(|(_, pair)| far(pair))
    else {
        return;
    };
    let words = format!(
        "{count} of {} differ from ours, first that of {}: {}.",
        pairs.len(),
        ours.words(row),
        largest_difference(theirs, matrix)
    );
    found.say(words).joints = ours.joint(row).into_iter().collect();
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
    let rows = ours.palette().iter().enumerate();
    let rows = rows.map(|(row, matrix)| (row, matrix, off(matrix)));
    let least = rows.min_by(|(_, _, a), (_, _, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let Some((row, matrix, _)) = least else {
        return;
    };
    found.joint = ours.joint(row);
    let words = format!(
        "None of our matrices is equal to it. The nearest is that of {}: {}.",
        ours.words(row),
        largest_difference(only, matrix)
    );
    found.say(words).joints = ours.joint(row).into_iter().collect();
}

/// `row 2, column 4 is 1.25000, and ours is 1.00000`
fn largest_difference(theirs: &Mat4, ours: &Mat4) -> String {
    let cells = theirs.to_cols_array().into_iter().zip(ours.to_cols_array());
    let cells = cells.map(|(theirs, ours)| [theirs, ours]);
    let (at, [theirs, ours]) = farthest(cells.enumerate()).unwrap_or_default();
    let [theirs, ours] = [theirs, ours].map(|number| fixed(number.into(), 5));
    format!("{} is {theirs}, and ours is {ours}", cell_name(at))
}
