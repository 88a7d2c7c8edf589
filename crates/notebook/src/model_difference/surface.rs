//! What stands around positions and weights: triangles, morph targets, materials.

use std::collections::HashMap;

use bindpose_asset::{Cancelled, Material, MorphTarget, Pace};
use bindpose_diagnostic::{counted, grouped};
use bindpose_skin::LANES;
use glam::Vec3;

use super::joints::some_names;
use super::space::{AtRest, Space};
use crate::differences::{PART, SAME, exceeds, factor_words};
use crate::number_text::{fixed, scientific};

/// All that is said of them. `vertex_in_b`: the partner of each vertex of A; `mirrored`:
/// the mesh alone was.
pub(super) async fn findings(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, size): (&Space, f32),
    (vertex_in_b, mirrored): (&[Option<u32>], bool),
    pace: &Pace,
) -> Result<Vec<String>, Cancelled> {
    pace.spend((a.rig.mesh.triangles.len() + b.rig.mesh.triangles.len()) * LANES).await?;
    let mut findings = triangles(a, b, (space, mirrored), vertex_in_b);
    pace.spend(a.rig.mesh.positions.len() * LANES).await?;
    findings.extend(morphs(a, b, (space, size), vertex_in_b));
    findings.extend(materials(&a.rig.mesh.materials, &b.rig.mesh.materials));
    Ok(findings)
}

// Triangles, by the places of their corners.

/// A corner as the first vertex that stands in its place, so that seams are none.
fn first_at_place(places: &[Vec3]) -> Vec<u32> {
    let mut first: HashMap<[u32; 3], u32> = HashMap::new();
    let numbered = (0_u32..).zip(places);
    // −0 is 0.
    let key = |place: &Vec3| (*place + Vec3::ZERO).to_array().map(f32::to_bits);
    numbered.map(|(vertex, place)| *first.entry(key(place)).or_insert(vertex)).collect()
}

/// The corners in order from the least; true where that turned them the other way.
fn sorted([a, b, c]: [u32; 3]) -> ([u32; 3], bool) {
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    let around = [[a, b, c], [b, c, a], [c, a, b]];
    (sorted, !around.contains(&sorted))
}

fn triangles(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, mirrored): (&Space, bool),
    vertex_in_b: &[Option<u32>],
) -> Vec<String> {
    let (of_a, of_b) = (&a.rig.mesh.triangles, &b.rig.mesh.triangles);
    if of_a.len() != of_b.len() {
        return Vec::new();
    }
    let first = first_at_place(&b.rig.mesh.positions);
    let corner = |vertex: u32| first.get(vertex as usize).copied();
    let in_b = |triangle: &[u32; 3]| {
        let [x, y, z] = triangle.map(corner);
        Some(sorted([x?, y?, z?]))
    };
    let of_b: Vec<Option<([u32; 3], bool)>> = of_b.iter().map(in_b).collect();
    // How often each stands there one way round and the other.
    let mut there: HashMap<[u32; 3], [usize; 2]> = HashMap::new();
    for (corners, turned) in of_b.iter().flatten() {
        there.entry(*corners).or_default()[usize::from(*turned)] += 1;
    }
    let partner = |vertex: u32| corner((*vertex_in_b.get(vertex as usize)?)?);
    let turns = space.b_from_a.determinant() < 0.0;
    let (mut other_way, mut others, mut elsewhere, mut known) = (0, 0, false, 0);
    for (triangle, of_b) in of_a.iter().zip(&of_b) {
        let [Some(x), Some(y), Some(z)] = triangle.map(partner) else { continue };
        let (corners, turned) = sorted([x, y, z]);
        let turned = turned != turns;
        known += 1;
        elsewhere |= of_b.is_none_or(|of_b| of_b.0 != corners);
        let Some(counts) = there.get_mut(&corners) else {
            others += 1;
            continue;
        };
        let [same, other] = [usize::from(turned), usize::from(!turned)];
        if let Some(left @ 1..) = counts.get_mut(same) {
            *left -= 1;
        } else if let Some(left @ 1..) = counts.get_mut(other) {
            *left -= 1;
            other_way += 1;
        } else {
            others += 1;
        }
    }
    let mut findings = Vec::new();
    if other_way > 0 && !(mirrored && other_way == known) {
        let has = if other_way == 1 { "has its" } else { "have their" };
        let of = if other_way == known { "All: ".to_owned() } else { String::new() };
        findings.push(format!(
            "{of}{} of B {has} corners in the other order: seen from inside where A is seen from outside.",
            counted(other_way, "triangle")
        ));
    }
    if others > 0 {
        let joins = if others == 1 { "joins" } else { "join" };
        findings.push(format!(
            "{} of A {joins} vertices that none of B does.",
            counted(others, "triangle")
        ));
    } else if elsewhere {
        findings.push("Triangles stand in another order in B; the surface is the same.".to_owned());
    }
    findings
}

// Morph targets, by the slots of their weights.

fn morphs(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, size): (&Space, f32),
    vertex_in_b: &[Option<u32>],
) -> Vec<String> {
    let names = [a, b].map(|at| slot_names(&at.rig.mesh.targets, at.rig.morph_weights.len()));
    let [of_a, of_b] = &names;
    let mut findings = Vec::new();
    if of_a.len() != of_b.len() {
        let [count_a, count_b] = [counted(of_a.len(), "morph target"), grouped(of_b.len())];
        findings.push(format!("A has {count_a} and B {count_b}."));
    }
    let mut pairs = Vec::new();
    for (only, of, others) in [("A", of_a, of_b), ("B", of_b, of_a)] {
        let missing = of.iter().filter(|name| !others.contains(name));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        if !missing.is_empty() {
            let names = some_names(missing.into_iter());
            findings.push(format!("Morph targets that only {only} has: {names}."));
        }
    }
    for (slot, name) in of_a.iter().enumerate() {
        // Of one name several times, the one at its own place.
        let own = (of_b.get(slot) == Some(name)).then_some(slot);
        if let Some(in_b) = own.or_else(|| of_b.iter().position(|other| other == name)) {
            pairs.push((slot, in_b, name));
        }
    }
    if pairs.iter().any(|(slot, in_b, _)| slot != in_b) {
        findings.push("Morph targets stand in another order in B.".to_owned());
    }
    for (slot, in_b, name) in pairs {
        let weights = [(a, slot), (b, in_b)].map(|(at, slot)| at.rig.morph_weights.get(slot));
        if let [Some(&of_a), Some(&of_b)] = weights
            && exceeds((of_a - of_b).abs(), SAME)
        {
            let [of_a, of_b] = [of_a, of_b].map(|weight| fixed(weight.into(), 3));
            findings.push(format!(
                "Morph target “{name}” has the weight {of_a} at rest in A, and {of_b} in B."
            ));
        }
        let moves = [moves(a, slot), moves(b, in_b)];
        findings.extend(moved_words(name, moves, (space, size), vertex_in_b));
    }
    findings
}

fn slot_names(targets: &[MorphTarget], slots: usize) -> Vec<String> {
    let name = |slot: usize| {
        let target = targets.iter().find(|target| target.slot == slot);
        target.map_or_else(|| slot.to_string(), |target| target.name.clone())
    };
    (0..slots).map(name).collect()
}

/// By vertex: what a weight of 1 adds to its position.
fn moves(at: &AtRest<'_>, slot: usize) -> Vec<Vec3> {
    let mut moves = vec![Vec3::ZERO; at.rig.mesh.positions.len()];
    for target in at.rig.mesh.targets.iter().filter(|target| target.slot == slot) {
        let first = target.first_vertex as usize;
        for (moved, by) in moves.iter_mut().skip(first).zip(&target.positions) {
            *moved += *by;
        }
    }
    moves
}

fn moved_words(
    name: &str,
    [of_a, of_b]: [Vec<Vec3>; 2],
    (space, size): (&Space, f32),
    vertex_in_b: &[Option<u32>],
) -> Option<String> {
    let pairs = (0_u32..).zip(&of_a).zip(vertex_in_b).filter_map(|((vertex, of_a), in_b)| {
        let of_b = of_b.get((*in_b)? as usize)?;
        let of_a = space.b_from_a.transform_vector3(*of_a);
        Some((vertex, of_a, *of_b))
    });
    let pairs: Vec<(u32, Vec3, Vec3)> = pairs.collect();
    let most = PART * size * space.scale();
    let off = |factor: f32| {
        let off = pairs.iter().map(move |&(vertex, a, b)| (vertex, (factor * a - b).length()));
        off.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (vertex, farthest) = off(1.0).filter(|(_, off)| exceeds(*off, most))?;
    let along: f32 = pairs.iter().map(|(_, a, b)| a.dot(*b)).sum();
    let square: f32 = pairs.iter().map(|(_, a, _)| a.length_squared()).sum();
    let factor = along / square;
    let by = scientific((farthest / space.scale()).into());
    let what = if pairs.iter().all(|(_, _, of_b)| of_b.length() <= most) {
        "moves nothing in B".to_owned()
    } else if factor.is_finite()
        && off(factor).is_some_and(|(_, off)| off <= most * factor.abs().max(1.0))
    {
        format!(
            "is that of A, {}",
            factor_words(factor.into()).replace("times ours", "times as large")
        )
    } else {
        "moves vertices differently in B".to_owned()
    };
    Some(format!("Morph target “{name}” {what}: by {by} units of A at most, at v{vertex}."))
}

// Materials, by their names, or by their numbers where names say nothing.

fn materials(of_a: &[Material], of_b: &[Material]) -> Vec<String> {
    let mut findings = Vec::new();
    if of_a.len() != of_b.len() {
        let [count_a, count_b] = [counted(of_a.len(), "material"), grouped(of_b.len())];
        findings.push(format!("A has {count_a} and B {count_b}."));
    }
    for (number, material) in of_a.iter().enumerate() {
        let same_name = |other: &&Material| other.name == material.name;
        let at_place = of_b.get(number);
        let there = at_place.filter(same_name).or_else(|| of_b.iter().find(same_name));
        let Some(there) = there.or(at_place) else { continue };
        let differ = material_differences(material, there);
        if !differ.is_empty() {
            let name = if material.name.is_empty() {
                number.to_string()
            } else {
                format!("“{}”", material.name)
            };
            findings.push(format!("Material {name}: {}.", differ.join("; ")));
        }
    }
    findings
}

fn material_differences(a: &Material, b: &Material) -> Vec<String> {
    let mut differ = Vec::new();
    if exceeds((a.base_color - b.base_color).abs().max_element(), SAME) {
        let [of_a, of_b] = [a, b]
            .map(|of| of.base_color.to_array().map(|number| fixed(number.into(), 3)).join(", "));
        differ.push(format!("base colour ({of_a}) in A, ({of_b}) in B, linear RGBA"));
    }
    if a.alpha_cutoff != b.alpha_cutoff {
        let [of_a, of_b] = [a, b].map(|of| match of.alpha_cutoff {
            None => "opaque".to_owned(),
            Some(cutoff) => format!("cut or blended at alpha {}", fixed(cutoff.into(), 2)),
        });
        differ.push(format!("{of_a} in A, {of_b} in B"));
    }
    let sides = |of: &Material| if of.double_sided { "both sides" } else { "its front" };
    let images = |of: &Material| if of.texture.is_some() { "an image" } else { "no image" };
    let light = |of: &Material| if of.unlit { "without light" } else { "with light" };
    for (what, of) in [
        ("seen from ", &sides as &dyn Fn(&Material) -> &'static str),
        ("", &images),
        ("shown ", &light),
    ] {
        if of(a) != of(b) {
            differ.push(format!("{what}{} in A, {} in B", of(a), of(b)));
        }
    }
    differ
}
