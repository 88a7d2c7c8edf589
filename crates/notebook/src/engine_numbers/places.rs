//! Skinned positions of somebody's own.

use glam::Vec3;

use super::found::Matched;
use super::held_against::Ours;
use super::relations::changes_of_places;
use crate::differences::{places_apart, tolerance};
use crate::number_text::fixed;

/// Are these our vertices, or what all of them have in common with ours?
pub(super) fn relations(given: &[Vec3], ours: &Ours<'_>, found: &mut Matched) {
    let derived = ours.derived;
    let ours = ours.positions();
    if given.len() != ours.len() {
        found.say(format!(
            "There are {} positions, and the mesh has {} vertices; an engine that splits or joins \
             vertices has an order of its own.",
            given.len(),
            ours.len()
        ));
    }
    if are_equal(given, ours) {
        found.equal = given.len() == ours.len();
        found.say("They are where we have them.".to_owned());
        return;
    }
    if are_equal(given, derived.stored_positions()) {
        found.say("They are the stored places: nothing has skinned them.".to_owned());
    }
    let node = ("with the mesh’s node multiplied in", derived.world_from_mesh_node);
    for (words, change) in changes_of_places().chain([node]) {
        let changed: Vec<Vec3> = ours.iter().map(|&p| change.transform_point3(p)).collect();
        if are_equal(given, &changed) {
            found.say(format!("They are our places, {words}."));
            break;
        }
    }
}

/// Does a page with its vertices there give these, in the place of ours?
pub(super) fn are_given_by(given: &[Vec3], there: &[Vec3], ours: &[Vec3]) -> bool {
    are_equal(given, there) && !are_equal(ours, there)
}

/// Of the positions that both have; one at least.
fn are_equal(a: &[Vec3], b: &[Vec3]) -> bool {
    let most = tolerance(b);
    let mut pairs = a.iter().zip(b).peekable();
    pairs.peek().is_some() && pairs.all(|(a, b)| places_apart(*a, *b) <= most)
}

/// The first, and the farthest.
pub(super) fn differences(given: &[Vec3], ours: &Ours<'_>, found: &mut Matched) {
    let ours = ours.positions();
    let most = tolerance(ours);
    let off = |(theirs, ours): (&Vec3, &Vec3)| places_apart(*theirs, *ours);
    let far: Vec<(usize, f32)> =
        given.iter().zip(ours.iter()).map(off).enumerate().filter(|&(_, off)| off > most).collect();
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
    let words = format!(
        "{} of {} differ, first v{first}, which is at {} and with us at {}, {} apart; farthest v{farthest}, by {}.",
        far.len(),
        given.len().min(ours.len()),
        place(given),
        place(ours),
        fixed(by.into(), 4),
        fixed(farthest_by.into(), 4)
    );
    let mut named = vec![first, farthest];
    named.dedup();
    let named = named.into_iter().map(u32::try_from);
    found.say(words).vertices = named.filter_map(Result::ok).collect();
}
