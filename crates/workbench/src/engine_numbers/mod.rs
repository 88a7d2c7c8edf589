//! Numbers of a reader's own engine, compared with ours for the same model and pose.
//!
//! The comparison reports which of our matrices the engine's numbers are, how they were
//! derived from ours, or which known fault gives exactly these numbers.

mod causes;
mod chain;
mod comparison;
#[cfg(test)]
mod engine_model;
mod examples;
#[cfg(test)]
mod exported_files;
mod moments;
mod palette_lists;
mod position_causes;
#[cfg(test)]
mod random_faults;
mod relations;
#[cfg(test)]
mod reported_palettes;
#[cfg(test)]
mod synthetic_rig;
#[cfg(test)]
mod tests;
mod walks;
#[cfg(test)]
mod wrong_palettes;
mod wrong_poses;

use std::sync::Arc;

use bindpose_gltf::{Cancelled, Pace, Paced, TaskProgress};
use bindpose_lesson::FaultName;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::engine_numbers::EngineNumbers;
use bindpose_notebook::{Derived, Document, joint_words};
use bindpose_skin::Pose;
use glam::{Mat4, Vec3, Vec4};

use crate::differences::{apart, are_equal, cell_name, farthest};
use causes::{Cause, MAX_NAMED_JOINTS, MAX_SEARCHED_JOINTS};
use comparison::{PageNumbers, Precision, joint_index};
use examples::FaultTrials;
use palette_lists::OtherLastRow;
use relations::Relation;

pub use comparison::{ComparisonResult, EngineComparison, NumbersFinding};
pub use examples::{EngineExample, EngineMistake};

pub(crate) use relations::space_changes;

/// Compares the numbers of an engine with those of the page.
///
/// Tries the known faults one by one, each as a piece of the task. Returns `None` if the
/// task was cancelled.
pub fn matching(
    page: EngineComparison,
    progress: &TaskProgress,
) -> Paced<Option<ComparisonResult>> {
    let task_progress = progress.clone();
    Paced::new(progress, async move |pace| compare(&page, &pace, &task_progress).await.ok())
}

async fn compare(
    page: &EngineComparison,
    pace: &Pace,
    progress: &TaskProgress,
) -> Result<ComparisonResult, Cancelled> {
    let mut found = ComparisonResult::default();
    let with_extracted = match extract_comparable(page, &mut found) {
        ComparableNumbers::AsIs => None,
        ComparableNumbers::Extracted(given) => {
            Some(EngineComparison { given: Arc::new(given), ..page.clone() })
        }
        ComparableNumbers::OtherModel => return Ok(found),
    };
    let page = with_extracted.as_ref().unwrap_or(page);
    let ours = PageNumbers::new(page);
    found.rows = (0..ours.rows.len()).filter_map(|row| ours.joint_of_row(row)).collect();
    let mut relation = None;
    let mut is_explained = false;
    match &*page.given {
        EngineNumbers::Matrices(given) => relation = matrix_relations(given, &ours, &mut found),
        EngineNumbers::Positions(given) => {
            is_explained = examples::match_positions(given, &ours, &mut found);
        }
        EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => {}
    }
    if found.equal {
        return Ok(found);
    }
    let corrected = correct_last_rows(&page.given, relation, &ours, &mut found);
    let given = match &corrected {
        Some((given, of_corrected)) => {
            relation = *of_corrected;
            given
        }
        None => &*page.given,
    };
    let transposed = transpose_row_vectors(given, relation, &mut found);
    let given = transposed.as_ref().unwrap_or(given);
    let mut faults = FaultTrials::new(page);
    while let Some(fraction) = faults.fraction_done() {
        pace.whole_piece().await?;
        progress.set(0.5 * fraction);
        let Some((fault, evidence)) = faults.next_trial() else {
            continue;
        };
        let is_cause = match given {
            EngineNumbers::Matrices(given) => {
                fault_gives_matrices(given, evidence.palette(), &ours)
            }
            EngineNumbers::Positions(given) => examples::fault_gives_positions(
                given,
                evidence.positions(),
                ours.positions(),
                examples::position_tolerance(&ours),
            ),
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => false,
        };
        if is_cause {
            found.add_fault_finding(fault);
        }
    }
    pace.pause().await?;
    let is_single = is_single_matrix(given, &ours);
    is_explained |= relation.is_some();
    match given {
        EngineNumbers::Matrices(given) if !is_single && !is_explained => {
            is_explained = report_causes(given, &ours, &mut found);
        }
        EngineNumbers::Positions(given) if !is_explained && found.faults.is_empty() => {
            is_explained = report_position_causes(given, &ours, &mut found);
        }
        _ => {}
    }
    is_explained |= !found.faults.is_empty();
    let may_be_late = found.faults.contains(&"previous-frame");
    if !is_single && (!is_explained || may_be_late) {
        pace.pause().await?;
        if let Some((words, all)) = moments::find_moment(page, given, &ours, pace).await? {
            found.add_finding(words);
            is_explained |= all;
        }
    }
    match given {
        EngineNumbers::Matrices(given) => {
            matrix_differences(given, &ours, relation, is_explained, &mut found);
        }
        EngineNumbers::Positions(given) => {
            examples::report_position_differences(given, &ours, &mut found);
        }
        EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => {}
    }
    Ok(found)
}

/// The numbers of a file that can be compared with those of the page.
enum ComparableNumbers {
    AsIs,
    /// A palette extracted or computed from the file.
    Extracted(EngineNumbers),
    OtherModel,
}

/// Returns the palette of a file of `bindpose export` that is neither a palette nor
/// positions: the joint matrices of a pose, or the last of four lists of matrices.
fn extract_comparable(page: &EngineComparison, found: &mut ComparisonResult) -> ComparableNumbers {
    let derived = &page.derived;
    let joints = derived.rig.skeleton.len();
    match &*page.given {
        EngineNumbers::Pose(locals) if locals.len() != joints => {
            found.add_finding(format!(
                "They are the local transforms of {} joints, and the model has {joints}, nodes \
                 above its skins included: a pose of another model.",
                locals.len()
            ));
            ComparableNumbers::OtherModel
        }
        EngineNumbers::Pose(locals) => {
            found.add_finding(
                "Joint matrices were worked out of these local transforms.".to_owned(),
            );
            let pose = Pose { parent_from_joint: locals.clone(), ..Pose::default() };
            let world = derived.rig.skeleton.world_from_joint(&pose);
            let binds = &derived.joints.used_joint_from_bind;
            let palette = bindpose_skin::joint_matrices(&world, binds);
            ComparableNumbers::Extracted(EngineNumbers::Matrices(palette))
        }
        EngineNumbers::FourLists(given) => {
            found.first_row = given.len() / 4 * 3;
            let last = given[found.first_row..].to_vec();
            found.add_finding(format!(
                "There are four lists of {} matrices: the last, world from bind, was compared.",
                last.len()
            ));
            ComparableNumbers::Extracted(EngineNumbers::Matrices(last))
        }
        EngineNumbers::Matrices(_) | EngineNumbers::Positions(_) => ComparableNumbers::AsIs,
    }
}

/// Are these one matrix of a palette with several?
fn is_single_matrix(given: &EngineNumbers, ours: &PageNumbers<'_>) -> bool {
    matches!(given, EngineNumbers::Matrices(given) if is_one_of_many(given, ours))
}

fn is_one_of_many(given: &[Mat4], ours: &PageNumbers<'_>) -> bool {
    given.len() == 1 && ours.palette().len() != 1
}

/// Replaces last rows of 0 0 0 and another number than 1, so that other mistakes can be
/// found. Returns the matrices and how they are related to ours, or `None` if they have no
/// such rows.
fn correct_last_rows(
    given: &EngineNumbers,
    relation: Option<Relation>,
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> Option<(EngineNumbers, Option<Relation>)> {
    let EngineNumbers::Matrices(given) = given else {
        return None;
    };
    if relation.is_some() || given.len() != ours.palette().len() {
        return None;
    }
    let OtherLastRow { corrected, words } = OtherLastRow::find(given)?;
    found.add_finding(words);
    let relation = report_relation(&corrected, ours, found);
    Some((EngineNumbers::Matrices(corrected), relation))
}

/// Transposes matrices with translations in the last row, so that other mistakes can be
/// found. Returns `None` if the matrices are related to ours, or have no such translations.
fn transpose_row_vectors(
    given: &EngineNumbers,
    relation: Option<Relation>,
    found: &mut ComparisonResult,
) -> Option<EngineNumbers> {
    let EngineNumbers::Matrices(given) = given else {
        return None;
    };
    let has_last_column = given.iter().any(|matrix| matrix.w_axis != Vec4::W);
    let has_last_row = given.iter().any(|matrix| matrix.row(3) != Vec4::W);
    if relation.is_some() || has_last_column || !has_last_row {
        return None;
    }
    found.add_finding(
        "They are transposed: translations stand in the last row. What follows is of them the \
         other way round."
            .to_owned(),
    );
    Some(EngineNumbers::Matrices(given.iter().map(Mat4::transpose).collect()))
}

/// Reports known mistakes that give these matrices. Returns whether there are any.
fn report_causes(given: &[Mat4], ours: &PageNumbers<'_>, found: &mut ComparisonResult) -> bool {
    let drawn = [Relation::JOINT, Relation::DRAWN];
    let limit_or_shift = palette_lists::find_limit(given, ours)
        .or_else(|| palette_lists::find_shift(given, &drawn, ours));
    if let Some(words) = limit_or_shift {
        found.add_finding(words);
        return true;
    }
    if add_causes(causes::find_causes(given, ours), "They are", found) {
        return true;
    }
    let packing_or_shift = causes::find_packing(given, ours)
        .or_else(|| palette_lists::find_shift(given, &Relation::OTHER_JOINT_CANDIDATES, ours));
    if let Some(words) = packing_or_shift {
        found.add_finding(words);
        return true;
    }
    match_other_joints(given, ours, found)
}

/// Reports known mistakes that give these positions. Returns whether there are any.
fn report_position_causes(
    given: &[Vec3],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> bool {
    let causes = position_causes::find_position_causes(given, ours);
    add_causes(causes, "They are our positions", found)
}

/// Adds the first of the causes, and names the others. Returns whether there are any.
fn add_causes(mut causes: Vec<Cause>, start: &str, found: &mut ComparisonResult) -> bool {
    causes.dedup_by(|a, b| a.words == b.words);
    let Some((first, others)) = causes.split_first() else {
        return false;
    };
    let finding = found.add_finding(first.sentence(start));
    finding.fault = first.fault;
    if !others.is_empty() {
        let mut listed: Vec<&str> =
            others.iter().take(MAX_OTHER_CAUSES).map(|cause| cause.words.as_str()).collect();
        let more = format!("{} more", others.len().saturating_sub(MAX_OTHER_CAUSES));
        if others.len() > MAX_OTHER_CAUSES {
            listed.push(&more);
        }
        found.add_finding(format!("In this pose these would be the same: {}.", listed.join("; ")));
    }
    true
}

/// Compares the numbers like [`matching`], blocking until the result is known.
pub fn matched(given: EngineNumbers, document: &Document, derived: &Derived) -> ComparisonResult {
    let page = EngineComparison {
        given: Arc::new(given),
        document: document.clone(),
        lesson: None,
        derived: derived.clone(),
    };
    let found = matching(page, &TaskProgress::default()).finish();
    found.unwrap_or_default()
}

/// Maximum number of other causes of the same numbers that are listed.
const MAX_OTHER_CAUSES: usize = 4;

/// Returns how all matrices of a palette, or a single matrix, were derived from ours.
/// Returns `None` if no known relation explains them.
fn matrix_relations(
    given: &[Mat4],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> Option<Relation> {
    if let [only] = given
        && ours.palette().len() != 1
    {
        return match_single_matrix(only, ours, found);
    }
    let joints = ours.palette().len();
    if given.len() != joints {
        found.add_finding(format!(
            "There are {} matrices, and the skin has {joints} joints; those that there are were \
             compared from the first on.",
            given.len()
        ));
    }
    found.equal = have_relation(Relation::DRAWN, given, ours) && given.len() == joints;
    report_relation(given, ours, found)
}

/// Reports how all matrices of a palette were derived from ours. Returns `None` if no known
/// relation explains them.
fn report_relation(
    given: &[Mat4],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> Option<Relation> {
    let are_ours = have_relation(Relation::DRAWN, given, ours);
    let relation = Relation::all().find(|relation| have_relation(*relation, given, ours))?;
    let rounded = !given.iter().zip(ours.palette()).all(|(given, ours)| are_equal(given, ours));
    let precision = if are_ours && rounded { ours.precision.words() } else { "" };
    let words = format!("They are {}{precision}.", relation.describe_all());
    let remark = stage_remark(relation, are_ours);
    let half = FaultName::from_id("half-floats");
    match half.filter(|_| are_ours && rounded && ours.precision == Precision::Half) {
        Some(half) => found.add_finding_with_fault(words + remark, half),
        None => _ = found.add_finding(words + remark),
    }
    Some(relation)
}

/// Remarks on right joint matrices that differ from those that the page draws with.
fn stage_remark(relation: Relation, is_ours: bool) -> &'static str {
    if relation == Relation::JOINT && !is_ours {
        " This page moves vertices by others: its stage, an edit or a fault that is on changes them."
    } else {
        ""
    }
}

/// Returns how a single matrix was derived from ours. Prefers the selected joint, then the
/// first one in the palette.
fn match_single_matrix(
    only: &Mat4,
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> Option<Relation> {
    let all = comparison::skins(&ours.derived.rig).concat();
    let searched = all.get(..MAX_SEARCHED_JOINTS).unwrap_or(&all);
    let own = find_joint(only, Relation::DRAWN, &all, ours);
    found.equal = own.is_some();
    let (relation, joint) = match own {
        Some(joint) if has_relation(only, Relation::JOINT, joint, ours) => (Relation::JOINT, joint),
        Some(joint) => (Relation::DRAWN, joint),
        None => Relation::all()
            .find_map(|relation| Some((relation, find_joint(only, relation, searched, ours)?)))?,
    };
    found.joint = joint_index(joint);
    let other_count = searched
        .iter()
        .filter(|&&other| other != joint && has_relation(only, relation, other, ours))
        .count();
    let others = match other_count {
        0 => String::new(),
        1 => " Another joint has the same in this pose.".to_owned(),
        others => format!(" {others} other joints have the same in this pose."),
    };
    let which = relation.describe_one(&joint_words(joint, &ours.derived.rig));
    let remark = stage_remark(relation, found.equal);
    let words = format!("It is {which}.{remark}{others}");
    found.add_finding(words).joints = joint_index(joint).into_iter().collect();
    Some(relation)
}

/// Finds the joint from which a matrix was derived, the selected one first.
fn find_joint(
    only: &Mat4,
    relation: Relation,
    searched: &[usize],
    ours: &PageNumbers<'_>,
) -> Option<usize> {
    std::iter::once(ours.chosen.index())
        .chain(searched.iter().copied())
        .find(|&joint| has_relation(only, relation, joint, ours))
}

fn have_relation(relation: Relation, given: &[Mat4], ours: &PageNumbers<'_>) -> bool {
    let mut pairs = given.iter().zip(&ours.rows).peekable();
    pairs.peek().is_some()
        && pairs.all(|(theirs, &joint)| has_relation(theirs, relation, joint, ours))
}

fn has_relation(given: &Mat4, relation: Relation, joint: usize, ours: &PageNumbers<'_>) -> bool {
    let matrix = relation.matrix(ours, joint);
    matrix.is_some_and(|matrix| ours.are_equal(given, &matrix))
}

/// Does a page with this palette, indexed by joint of the rig, give these matrices? Returns
/// false if that palette is equal to ours.
fn fault_gives_matrices(given: &[Mat4], palette: &[Mat4], ours: &PageNumbers<'_>) -> bool {
    let faulty: Vec<Mat4> =
        ours.rows.iter().filter_map(|&joint| palette.get(joint).copied()).collect();
    match given {
        [only] if ours.palette().len() != 1 => {
            let mut pairs = faulty.iter().zip(ours.palette());
            pairs.any(|(faulty, ours_of)| {
                ours.are_equal(only, faulty) && !are_equal(faulty, ours_of)
            })
        }
        _ => {
            ours.are_palettes_equal(given, &faulty)
                && !ours.are_palettes_equal(&faulty, ours.palette())
        }
    }
}

/// Reports the differences from our matrices.
fn matrix_differences(
    given: &[Mat4],
    ours: &PageNumbers<'_>,
    relation: Option<Relation>,
    is_explained: bool,
    found: &mut ComparisonResult,
) {
    match given {
        [only] if ours.palette().len() != 1 => {
            if relation.is_none() {
                report_nearest(only, ours, found);
            }
        }
        _ => {
            if !is_explained {
                chain::report_hierarchy(given, ours, found);
            }
            report_first_difference(given, ours, found);
        }
    }
}

/// Reports a palette in which each matrix is that of some joint, but some are those of other
/// joints. Returns false if it is not such a palette.
fn match_other_joints(
    given: &[Mat4],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> bool {
    if given.len() > MAX_SEARCHED_JOINTS {
        return false;
    }
    let rows = &ours.rows[..ours.rows.len().min(MAX_SEARCHED_JOINTS)];
    for relation in Relation::OTHER_JOINT_CANDIDATES {
        let matrices: Vec<Option<Mat4>> =
            rows.iter().map(|&joint| relation.matrix(ours, joint)).collect();
        // The row of ours that each given matrix equals, its own row first.
        let mut sources = Vec::new();
        for (row, theirs) in given.iter().enumerate() {
            let mut own_first = std::iter::once(row).chain(0..rows.len());
            sources.extend(own_first.find(|&source| {
                let matrix = matrices.get(source).copied().flatten();
                matrix.is_some_and(|matrix| ours.are_equal(theirs, &matrix))
            }));
        }
        if sources.len() < given.len() {
            continue;
        }
        let moved: Vec<(usize, usize)> =
            sources.into_iter().enumerate().filter(|(row, source)| row != source).collect();
        if moved.is_empty() {
            return false;
        }
        let named = &moved[..moved.len().min(MAX_NAMED_JOINTS)];
        let mut pairs: Vec<String> =
            named.iter().map(|(row, source)| format!("{row} is that of {source}")).collect();
        if moved.len() > MAX_NAMED_JOINTS {
            pairs.push(format!("and {} more", moved.len() - MAX_NAMED_JOINTS));
        }
        let words = format!(
            "All are among {}. {} of {} are those of other joints: {}.",
            relation.describe_all(),
            moved.len(),
            given.len(),
            pairs.join(", ")
        );
        let joints = named.iter().filter_map(|&(row, _)| ours.joint_of_row(row)).collect();
        found.add_finding(words).joints = joints;
        return true;
    }
    false
}

fn report_first_difference(given: &[Mat4], ours: &PageNumbers<'_>, found: &mut ComparisonResult) {
    let mut count = 0;
    let mut first = None;
    for (row, (theirs, matrix)) in given.iter().zip(ours.palette()).enumerate() {
        if !ours.are_equal(theirs, matrix) {
            count += 1;
            first = first.or(Some((row, theirs, matrix)));
        }
    }
    let Some((row, theirs, matrix)) = first else {
        return;
    };
    let words = format!(
        "{count} of {} differ from ours, first that of {}: {}.",
        given.len().min(ours.palette().len()),
        ours.joint_label(row),
        largest_difference(theirs, matrix)
    );
    found.add_finding(words).joints = ours.joint_of_row(row).into_iter().collect();
}

/// Reports the joint whose matrix is nearest to this one.
fn report_nearest(only: &Mat4, ours: &PageNumbers<'_>, found: &mut ComparisonResult) {
    let mut nearest: Option<(usize, &Mat4, (usize, f32))> = None;
    for (row, matrix) in ours.palette().iter().enumerate() {
        // Elements without a finite distance count first, because a single one would
        // otherwise make all matrices equally far.
        let mut far_count = 0;
        let mut max_distance = 0.0_f32;
        for (theirs, ours) in only.to_cols_array().into_iter().zip(matrix.to_cols_array()) {
            let distance = apart(theirs, ours);
            if distance.is_finite() {
                max_distance = max_distance.max(distance);
            } else {
                far_count += 1;
            }
        }
        let is_nearer = nearest.is_none_or(|(_, _, (count, distance))| {
            far_count.cmp(&count).then(max_distance.total_cmp(&distance)).is_lt()
        });
        if is_nearer {
            nearest = Some((row, matrix, (far_count, max_distance)));
        }
    }
    let Some((row, matrix, _)) = nearest else {
        return;
    };
    found.joint = ours.joint_of_row(row);
    let words = format!(
        "None of our matrices is equal to it. The nearest is that of {}: {}.",
        ours.joint_label(row),
        largest_difference(only, matrix)
    );
    found.add_finding(words).joints = ours.joint_of_row(row).into_iter().collect();
}

/// Describes the element that differs most, such as `row 2, column 4 is 1.25000, and ours
/// is 1.00000`.
fn largest_difference(theirs: &Mat4, ours: &Mat4) -> String {
    let pairs = theirs.to_cols_array().into_iter().zip(ours.to_cols_array());
    let elements = pairs.map(|(theirs, ours)| [theirs, ours]).enumerate();
    let (at, [theirs, ours]) = farthest(elements).unwrap_or_default();
    let [theirs, ours] = [theirs, ours].map(|number| fixed(number.into(), 5));
    format!("{} is {theirs}, and ours is {ours}", cell_name(at))
}
