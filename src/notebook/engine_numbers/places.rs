//! Skinned positions of somebody's own.

use glam::Vec3;

use super::found::Matched;
use super::relations::changes_of_places;
use super::with_faults::with_each_fault;
use crate::asset::bounds_of;
use crate::notebook::number_text::fixed;
use crate::notebook::{Derived, Document};

/// What rounding in another engine may do, as a part of the model's size.
const PART: f32 = 1e-4;

/// Are these our vertices, and if not, what is wrong with them?
pub(super) fn matched(given: &[Vec3], document: &Document, derived: &Derived) -> Matched {
    let mut found = Matched::default();
    let ours = derived.positions();
    if given.len() != ours.len() {
        found.findings.push(format!(
            "There are {} positions, and the mesh has {} vertices; an engine that splits or joins \
             vertices has an order of its own.",
            given.len(),
            ours.len()
        ));
    }
    if are_equal(given, ours) {
        found.equal = given.len() == ours.len();
        found
            .findings
            .push("They are where we have them.".to_owned());
        return found;
    }
    let stored = derived.stored_positions();
    if are_equal(given, stored) {
        found
            .findings
            .push("They are the stored places: nothing has skinned them.".to_owned());
    }
    let node = (
        "with the mesh’s node multiplied in",
        derived.world_from_mesh_node,
    );
    for (words, change) in changes_of_places().chain([node]) {
        let changed: Vec<Vec3> = ours.iter().map(|&p| change.transform_point3(p)).collect();
        if are_equal(given, &changed) {
            found
                .findings
                .push(format!("They are our places, {words}."));
            break;
        }
    }
    for (fault, there) in with_each_fault(document, derived) {
        if are_equal(given, there.positions()) && !are_equal(ours, there.positions()) {
            found.faults.push(fault.id);
            found.findings.push(format!(
                "The fault “{}” (`{}`) gives exactly these. {}",
                fault.title, fault.id, fault.tell
            ));
        }
    }
    differences(given, ours, &mut found);
    found
}

/// Of the positions that both have; one at least.
fn are_equal(a: &[Vec3], b: &[Vec3]) -> bool {
    let size = |points: &[Vec3]| {
        let (low, high) = bounds_of(points);
        (high - low).max_element()
    };
    let most = PART * size(b).max(1e-6);
    let mut pairs = a.iter().zip(b).peekable();
    pairs.peek().is_some() && pairs.all(|(a, b)| a.distance(*b) <= most)
}

/// The first, and the farthest.
fn differences(given: &[Vec3], ours: &[Vec3], found: &mut Matched) {
    let (low, high) = bounds_of(ours);
    let most = PART * (high - low).max_element().max(1e-6);
    let off = |(theirs, ours): (&Vec3, &Vec3)| {
        let off = theirs.distance(*ours);
        if off.is_nan() { f32::INFINITY } else { off }
    };
    let far: Vec<(usize, f32)> = given
        .iter()
        .zip(ours)
        .map(off)
        .enumerate()
        .filter(|&(_, off)| off > most)
        .collect();
    let (Some(&(first, by)), Some(&(farthest, farthest_by))) =
        (far.first(), far.iter().max_by(|a, b| a.1.total_cmp(&b.1)))
    else {
        return;
    };
    let place = |points: &[Vec3]| {
        let point = points.get(first).copied().unwrap_or_default();
        let [x, y, z] = point.to_array().map(|x| fixed(x.into(), 4));
        format!("({x}, {y}, {z})")
    };
    found.findings.push(format!(
        "{} of {} differ, first v{first}, which is at {} and with us at {}, {} apart; farthest v{farthest}, by {}.",
        far.len(),
        given.len().min(ours.len()),
        place(given),
        place(ours),
        fixed(by.into(), 4),
        fixed(farthest_by.into(), 4)
    ));
}
