//! Statistics of a model: counts, sizes, and how far its rest pose is from its bind pose.

use bindpose_diagnostic::counted;
use bindpose_gltf::{Rig, bounds_of};
use bindpose_skin::Method;
use glam::Vec3;
use serde::Serialize;

/// Relative difference of sizes below which they count as equal.
const SIZE_TOLERANCE: f32 = 0.01;

/// The contents of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ExaminedModel {
    /// Number of meshes in the file, whether or not a node shows them.
    pub meshes: usize,
    /// Number of vertices of all meshes. Positions that primitives share count once.
    pub vertices: usize,
    /// Number of skins in the file, whether or not a node uses them.
    pub skins: usize,
    /// Number of joints of all skins. Joints that skins share count once.
    pub joints: usize,
    /// Number of animations in the file.
    pub clips: usize,
    /// Size of the skinned meshes. `None` if nothing is skinned, or if the file did not open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<SkinnedSize>,
    /// Difference between rest pose and bind pose. `None` if they are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<RestOffset>,
}

/// Width, height and depth of the bounding box around all skinned meshes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SkinnedSize {
    /// Size of the stored positions, in the file's units.
    pub stored: [f32; 3],
    /// Size after skinning in the rest pose, in world units.
    pub at_rest: [f32; 3],
}

/// Difference between a rest pose and the bind pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RestOffset {
    /// Number of joints that differ, summed over all skins.
    pub joints: usize,
    /// Largest rotation between the poses, in radians. 0 if joints are only moved, scaled or
    /// mirrored.
    pub most_rad: f64,
}

impl ExaminedModel {
    pub(super) fn of_rig(rig: &Rig) -> Self {
        let skins = rig.origin.iter().flat_map(|origin| &origin.graph.skins);
        Self {
            meshes: rig.mesh.parts.len(),
            vertices: rig.mesh.positions.len(),
            skins: skins.count(),
            joints: rig.skeleton.len(),
            clips: rig.clips.len(),
            size: SkinnedSize::of(rig),
            rest: None,
        }
    }

    /// Formats the counts: `2 meshes (82 vertices), 1 skin (3 joints), 1 clip`.
    pub(super) fn describe(&self) -> String {
        format!(
            "{}, {}, {}",
            counted_with_parts(self.meshes, "mesh", self.vertices, "vertex"),
            counted_with_parts(self.skins, "skin", self.joints, "joint"),
            counted(self.clips, "clip")
        )
    }
}

/// Formats a count with the number of its parts: `2 meshes (82 vertices)`.
fn counted_with_parts(count: usize, unit: &str, part_count: usize, part_unit: &str) -> String {
    match count {
        0 => format!("no {unit}"),
        _ => format!("{} ({})", counted(count, unit), counted(part_count, part_unit)),
    }
}

impl RestOffset {
    /// Adds the offset of one more skin.
    pub(super) fn add(&mut self, joints: usize, most_rad: f64) {
        self.joints += joints;
        self.most_rad = self.most_rad.max(most_rad);
    }

    /// Formats the offset: `up to 33° away from its bind pose at 19 joints`.
    pub(super) fn describe(&self) -> String {
        let joints = counted(self.joints, "joint");
        match self.most_rad.to_degrees() {
            degrees if degrees < 0.5 => format!("away from its bind pose at {joints}"),
            degrees => format!("up to {degrees:.0}° away from its bind pose at {joints}"),
        }
    }
}

impl SkinnedSize {
    /// Measures the skinned meshes of a rig. Returns `None` if nothing is skinned.
    pub(super) fn of(rig: &Rig) -> Option<Self> {
        if rig.mesh.parts.iter().all(|part| part.skin.is_none()) {
            return None;
        }
        let posed = rig.posed(|_| None);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        Some(Self {
            stored: skinned_extent(rig, &rig.mesh.positions),
            at_rest: skinned_extent(rig, &moved.positions),
        })
    }

    /// Formats the size as a sentence, with both sizes if they differ.
    pub(super) fn sentence(self) -> String {
        let largest = self.stored.into_iter().chain(self.at_rest).fold(0.0, f32::max);
        let differs = self
            .stored
            .iter()
            .zip(self.at_rest)
            .any(|(stored, at_rest)| (stored - at_rest).abs() > SIZE_TOLERANCE * largest);
        let [stored, at_rest] = [self.stored, self.at_rest]
            .map(|size| size.map(|length| format_length(f64::from(length))).join(" × "));
        if differs {
            format!("It is {at_rest} at rest, and {stored} as stored.")
        } else {
            format!("It is {at_rest}.")
        }
    }
}

/// Returns the size of the bounding box around the skinned parts, with vertices at `positions`.
fn skinned_extent(rig: &Rig, positions: &[Vec3]) -> [f32; 3] {
    let skinned: Vec<Vec3> = rig
        .mesh
        .parts
        .iter()
        .filter(|part| part.skin.is_some())
        .filter_map(|part| positions.get(part.vertices.start as usize..part.vertices.end as usize))
        .flatten()
        .copied()
        .collect();
    let (min, max) = bounds_of(&skinned);
    (max - min).to_array()
}

/// Formats a length with three significant digits: `1.02`, `175`, `0.00287`.
pub(super) fn format_length(length: f64) -> String {
    // Slightly enlarged, because 0.01 as a 32-bit float is slightly less than 0.01.
    let decimals = if length > 0.0 { 2.0 - (length * 1.000_001).log10().floor() } else { 0.0 };
    format!("{length:.*}", decimals.clamp(0.0, 9.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_formatted_with_units() {
        let model =
            ExaminedModel { meshes: 2, vertices: 82, skins: 1, joints: 3, ..Default::default() };
        assert_eq!(model.describe(), "2 meshes (82 vertices), 1 skin (3 joints), 0 clips");
        assert_eq!(ExaminedModel::default().describe(), "no mesh, no skin, 0 clips");
        let mut rest = RestOffset::default();
        rest.add(19, 33_f64.to_radians());
        assert_eq!(rest.describe(), "up to 33° away from its bind pose at 19 joints");
        let moved = RestOffset { joints: 1, most_rad: 0.0 };
        assert_eq!(moved.describe(), "away from its bind pose at 1 joint");
    }

    #[test]
    fn sizes_have_three_digits_and_appear_twice_if_they_differ() {
        let size = SkinnedSize { stored: [1.02, 2.871, 133.4], at_rest: [1.02, 2.871, 133.5] };
        assert_eq!(size.sentence(), "It is 1.02 × 2.87 × 134.");
        let small = SkinnedSize { at_rest: [0.0102, 0.02871, 1.334], ..size };
        assert_eq!(
            small.sentence(),
            "It is 0.0102 × 0.0287 × 1.33 at rest, and 1.02 × 2.87 × 133 as stored."
        );
        for odd in [0.0, f64::INFINITY, f64::NAN, 1e-30, 3e38] {
            assert!(format_length(odd).len() < 45, "{odd}");
        }
    }
}
