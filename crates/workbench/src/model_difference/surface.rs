//! Differences of triangles, morph targets and materials.

use std::collections::HashMap;

use bindpose_diagnostic::{counted, grouped};
use bindpose_gltf::{Cancelled, Material, MorphTarget, Pace};
use bindpose_lesson::number_text::{fixed, scientific};
use bindpose_skin::LANES;
use glam::Vec3;

use super::joints::list_names;
use super::space::ComparedModels;
use super::space::RestModel;
use crate::differences::{AXIS_TOLERANCE, describe_factor, exceeds};

/// Describes all differences. `vertex_in_b` is the partner of each vertex of A. `mirrored` is
/// true if the mesh of B is mirrored, but not its joints.
pub(super) async fn compare_surfaces(
    models: &ComparedModels<'_>,
    vertex_in_b: &[Option<u32>],
    mirrored: bool,
    pace: &Pace,
) -> Result<Vec<String>, Cancelled> {
    let mesh_a = &models.a.rig.mesh;
    let mesh_b = &models.b.rig.mesh;
    pace.spend((mesh_a.triangles.len() + mesh_b.triangles.len()) * LANES).await?;
    let mut findings = compare_triangles(models, mirrored, vertex_in_b);
    pace.spend(mesh_a.positions.len() * LANES).await?;
    findings.extend(compare_morphs(models, vertex_in_b));
    findings.extend(compare_materials(&mesh_a.materials, &mesh_b.materials));
    Ok(findings)
}
/// Returns the first vertex at the position of each vertex, so that seams do not matter.
fn first_at_position(positions: &[Vec3]) -> Vec<u32> {
    let mut first: HashMap<[u32; 3], u32> = HashMap::new();
    (0_u32..)
        .zip(positions)
        .map(|(vertex, position)| {
            // Adding 0 turns −0 into 0.
            let key = (*position + Vec3::ZERO).to_array().map(f32::to_bits);
            *first.entry(key).or_insert(vertex)
        })
        .collect()
}

/// Sorts the corners of a triangle. Returns whether that reverses its winding.
fn sort_corners([a, b, c]: [u32; 3]) -> ([u32; 3], bool) {
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    let around = [[a, b, c], [b, c, a], [c, a, b]];
    (sorted, !around.contains(&sorted))
}

fn compare_triangles(
    models: &ComparedModels<'_>,
    mirrored: bool,
    vertex_in_b: &[Option<u32>],
) -> Vec<String> {
    let triangles_a = &models.a.rig.mesh.triangles;
    let triangles_b = &models.b.rig.mesh.triangles;
    if triangles_a.len() != triangles_b.len() {
        return Vec::new();
    }
    let first = first_at_position(&models.b.rig.mesh.positions);
    let sorted_b: Vec<Option<([u32; 3], bool)>> = triangles_b
        .iter()
        .map(|triangle| {
            let [x, y, z] = triangle.map(|vertex| first.get(vertex as usize).copied());
            Some(sort_corners([x?, y?, z?]))
        })
        .collect();
    // Numbers of triangles with these corners, in both windings.
    let mut counts_b: HashMap<[u32; 3], [usize; 2]> = HashMap::new();
    for (corners, reversed) in sorted_b.iter().flatten() {
        counts_b.entry(*corners).or_default()[usize::from(*reversed)] += 1;
    }
    let is_space_mirrored = models.space.b_from_a.determinant() < 0.0;
    let mut reversed_count = 0;
    let mut missing_count = 0;
    let mut compared_count = 0;
    let mut are_reordered = false;
    for (triangle, sorted_b) in triangles_a.iter().zip(&sorted_b) {
        let partners = triangle.map(|vertex| {
            let partner = (*vertex_in_b.get(vertex as usize)?)?;
            first.get(partner as usize).copied()
        });
        let [Some(x), Some(y), Some(z)] = partners else { continue };
        let (corners, reversed) = sort_corners([x, y, z]);
        let reversed = reversed != is_space_mirrored;
        compared_count += 1;
        are_reordered |= sorted_b.is_none_or(|sorted_b| sorted_b.0 != corners);
        let Some(counts) = counts_b.get_mut(&corners) else {
            missing_count += 1;
            continue;
        };
        if let Some(left @ 1..) = counts.get_mut(usize::from(reversed)) {
            *left -= 1;
        } else if let Some(left @ 1..) = counts.get_mut(usize::from(!reversed)) {
            *left -= 1;
            reversed_count += 1;
        } else {
            missing_count += 1;
        }
    }
    let mut findings = Vec::new();
    if reversed_count > 0 && !(mirrored && reversed_count == compared_count) {
        let has = if reversed_count == 1 { "has its" } else { "have their" };
        let of = if reversed_count == compared_count { "All: " } else { "" };
        findings.push(format!(
            "{of}{} of B {has} corners in the other order: seen from inside where A is seen from outside.",
            counted(reversed_count, "triangle")
        ));
    }
    if missing_count > 0 {
        let joins = if missing_count == 1 { "joins" } else { "join" };
        findings.push(format!(
            "{} of A {joins} vertices that none of B does.",
            counted(missing_count, "triangle")
        ));
    } else if are_reordered {
        findings.push("Triangles stand in another order in B; the surface is the same.".to_owned());
    }
    findings
}

fn compare_morphs(models: &ComparedModels<'_>, vertex_in_b: &[Option<u32>]) -> Vec<String> {
    let ComparedModels { a, b, .. } = *models;
    let names_a = morph_names(&a.rig.mesh.targets, a.rig.morph_weights.len());
    let names_b = morph_names(&b.rig.mesh.targets, b.rig.morph_weights.len());
    let mut findings = Vec::new();
    if names_a.len() != names_b.len() {
        let [count_a, count_b] = [counted(names_a.len(), "morph target"), grouped(names_b.len())];
        findings.push(format!("A has {count_a} and B {count_b}."));
    }
    let mut pairs = Vec::new();
    for (only, names, others) in [("A", &names_a, &names_b), ("B", &names_b, &names_a)] {
        let missing: Vec<&str> =
            names.iter().filter(|name| !others.contains(name)).map(String::as_str).collect();
        if !missing.is_empty() {
            let names = list_names(missing.into_iter());
            findings.push(format!("Morph targets that only {only} has: {names}."));
        }
    }
    for (slot, name) in names_a.iter().enumerate() {
        // Among targets with the same name, the one in the same slot is the partner.
        let own = (names_b.get(slot) == Some(name)).then_some(slot);
        if let Some(in_b) = own.or_else(|| names_b.iter().position(|other| other == name)) {
            pairs.push((slot, in_b, name));
        }
    }
    if pairs.iter().any(|(slot, in_b, _)| slot != in_b) {
        findings.push("Morph targets stand in another order in B.".to_owned());
    }
    for (slot, in_b, name) in pairs {
        let weights = [(a, slot), (b, in_b)].map(|(at, slot)| at.rig.morph_weights.get(slot));
        if let [Some(&of_a), Some(&of_b)] = weights
            && exceeds((of_a - of_b).abs(), AXIS_TOLERANCE)
        {
            let [of_a, of_b] = [of_a, of_b].map(|weight| fixed(weight.into(), 3));
            findings.push(format!(
                "Morph target “{name}” has the weight {of_a} at rest in A, and {of_b} in B."
            ));
        }
        let offsets_a = morph_offsets(a, slot);
        let offsets_b = morph_offsets(b, in_b);
        findings.extend(describe_morph_difference(
            models,
            name,
            &offsets_a,
            &offsets_b,
            vertex_in_b,
        ));
    }
    findings
}

/// Returns the name of the first target of each slot, or the number of a slot without one.
fn morph_names(targets: &[MorphTarget], slots: usize) -> Vec<String> {
    (0..slots)
        .map(|slot| {
            let target = targets.iter().find(|target| target.slot == slot);
            target.map_or_else(|| slot.to_string(), |target| target.name.clone())
        })
        .collect()
}

/// Returns the offset that a weight of 1 adds to each vertex.
fn morph_offsets(model: &RestModel<'_>, slot: usize) -> Vec<Vec3> {
    let mut offsets = vec![Vec3::ZERO; model.rig.mesh.positions.len()];
    for target in model.rig.mesh.targets.iter().filter(|target| target.slot == slot) {
        let first = target.first_vertex as usize;
        for (offset, by) in offsets.iter_mut().skip(first).zip(&target.positions) {
            *offset += *by;
        }
    }
    offsets
}

fn describe_morph_difference(
    models: &ComparedModels<'_>,
    name: &str,
    offsets_a: &[Vec3],
    offsets_b: &[Vec3],
    vertex_in_b: &[Option<u32>],
) -> Option<String> {
    let space = models.space;
    let mut pairs: Vec<(u32, Vec3, Vec3)> = Vec::new();
    for ((vertex, offset_a), in_b) in (0_u32..).zip(offsets_a).zip(vertex_in_b) {
        if let Some(offset_b) = in_b.and_then(|in_b| offsets_b.get(in_b as usize)) {
            pairs.push((vertex, space.b_from_a.transform_vector3(*offset_a), *offset_b));
        }
    }
    let max_distance = models.max_distance() * space.scale();
    let (vertex, farthest) =
        farthest_scaled(&pairs, 1.0).filter(|(_, distance)| exceeds(*distance, max_distance))?;
    // Least squares.
    let dot_sum: f32 = pairs.iter().map(|(_, a, b)| a.dot(*b)).sum();
    let square_sum: f32 = pairs.iter().map(|(_, a, _)| a.length_squared()).sum();
    let factor = dot_sum / square_sum;
    let by = scientific((farthest / space.scale()).into());
    let what = if pairs.iter().all(|(_, _, of_b)| of_b.length() <= max_distance) {
        "moves nothing in B".to_owned()
    } else if factor.is_finite()
        && farthest_scaled(&pairs, factor)
            .is_some_and(|(_, distance)| distance <= max_distance * factor.abs().max(1.0))
    {
        format!(
            "is that of A, {}",
            describe_factor(factor.into()).replace("times ours", "times as large")
        )
    } else {
        "moves vertices differently in B".to_owned()
    };
    Some(format!("Morph target “{name}” {what}: by {by} units of A at most, at v{vertex}."))
}

/// Returns the vertex with the largest distance between its offset in A, multiplied by
/// `factor`, and that in B.
fn farthest_scaled(pairs: &[(u32, Vec3, Vec3)], factor: f32) -> Option<(u32, f32)> {
    pairs
        .iter()
        .map(|&(vertex, a, b)| (vertex, (factor * a - b).length()))
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Compares materials by name, or by index if no name matches.
fn compare_materials(of_a: &[Material], of_b: &[Material]) -> Vec<String> {
    let mut findings = Vec::new();
    if of_a.len() != of_b.len() {
        let [count_a, count_b] = [counted(of_a.len(), "material"), grouped(of_b.len())];
        findings.push(format!("A has {count_a} and B {count_b}."));
    }
    for (number, material) in of_a.iter().enumerate() {
        let same_index = of_b.get(number);
        let same_name = same_index
            .filter(|other| other.name == material.name)
            .or_else(|| of_b.iter().find(|other| other.name == material.name));
        let Some(partner) = same_name.or(same_index) else { continue };
        let differ = material_differences(material, partner);
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
    if exceeds((a.base_color - b.base_color).abs().max_element(), AXIS_TOLERANCE) {
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
    if a.double_sided != b.double_sided {
        let [of_a, of_b] =
            [a, b].map(|of| if of.double_sided { "both sides" } else { "its front" });
        differ.push(format!("seen from {of_a} in A, {of_b} in B"));
    }
    if a.texture.is_some() != b.texture.is_some() {
        let [of_a, of_b] =
            [a, b].map(|of| if of.texture.is_some() { "an image" } else { "no image" });
        differ.push(format!("{of_a} in A, {of_b} in B"));
    }
    if a.unlit != b.unlit {
        let [of_a, of_b] = [a, b].map(|of| if of.unlit { "without light" } else { "with light" });
        differ.push(format!("shown {of_a} in A, {of_b} in B"));
    }
    differ
}
