//! What an examination had before it: how much, how large, how it rests.

use bindpose_diagnostic::counted;
use bindpose_skin::Method;
use glam::Vec3;
use serde::Serialize;

use crate::{Rig, bounds_of};

/// Sizes that differ by less, of the larger, are told as one.
const SAME_SIZE: f32 = 0.01;

/// What one file has in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ExaminedModel {
    /// Of the file, whether or not they are shown.
    pub meshes: usize,
    /// Of all meshes, as the file counts them; those that primitives share, once.
    pub vertices: usize,
    /// Of the file, whether or not anything uses them.
    pub skins: usize,
    /// Of all skins; those that skins share, once.
    pub joints: usize,
    /// Of the file.
    pub clips: usize,
    /// Of what skins move; `None` where nothing is skinned, or the file was not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<SkinnedSize>,
    /// `None` for a model that rests in its bind pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<RestOffset>,
}

/// Width, height and depth of what skins move, all of it together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SkinnedSize {
    /// Of the positions in the file, in its units.
    pub stored: [f32; 3],
    /// Skinned in the rest pose, in world units.
    pub at_rest: [f32; 3],
}

/// How far a rest pose is from the bind pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RestOffset {
    /// So many joints, of all skins.
    pub joints: usize,
    /// The largest angle by which one of them is turned; 0 for those that are only
    /// moved, scaled or mirrored.
    pub most_rad: f64,
}

impl ExaminedModel {
    /// Counts what was read.
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

    /// `2 meshes (82 vertices), 1 skin (3 joints), 1 clip`
    pub(super) fn words(&self) -> String {
        let of = |count, what, parts, part| match count {
            0 => format!("no {what}"),
            _ => format!("{} ({})", counted(count, what), counted(parts, part)),
        };
        let meshes = of(self.meshes, "mesh", self.vertices, "vertex");
        let skins = of(self.skins, "skin", self.joints, "joint");
        format!("{meshes}, {skins}, {}", counted(self.clips, "clip"))
    }
}

impl RestOffset {
    /// Joints of one more skin.
    pub(super) fn add(&mut self, joints: usize, most_rad: f64) {
        self.joints += joints;
        self.most_rad = self.most_rad.max(most_rad);
    }

    /// `33° away from its bind pose at 19 joints`
    pub(super) fn words(&self) -> String {
        let joints = counted(self.joints, "joint");
        match self.most_rad.to_degrees() {
            turned if turned < 0.5 => format!("away from its bind pose at {joints}"),
            turned => format!("up to {turned:.0}° away from its bind pose at {joints}"),
        }
    }
}

impl SkinnedSize {
    /// `None` where nothing is skinned.
    pub(super) fn of(rig: &Rig) -> Option<Self> {
        let skinned = || rig.mesh.parts.iter().filter(|part| part.skin.is_some());
        skinned().next()?;
        let posed = rig.posed(|_| None);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        let extent = |positions: &[Vec3]| {
            let range = |part: std::ops::Range<u32>| part.start as usize..part.end as usize;
            let of_parts = skinned().filter_map(|part| positions.get(range(part.vertices.clone())));
            let (low, high) = bounds_of(&of_parts.flatten().copied().collect::<Vec<Vec3>>());
            (high - low).to_array()
        };
        Some(Self { stored: extent(&rig.mesh.positions), at_rest: extent(&moved.positions) })
    }

    /// A sentence: one size, or both where they differ.
    pub(super) fn words(&self) -> String {
        let largest = self.stored.into_iter().chain(self.at_rest).fold(0.0, f32::max);
        let mut pairs = self.stored.iter().zip(self.at_rest);
        let differ = pairs.any(|(stored, at_rest)| (stored - at_rest).abs() > SAME_SIZE * largest);
        let [stored, at_rest] = [self.stored, self.at_rest]
            .map(|size| size.map(|length| three_digits(f64::from(length))).join(" × "));
        if differ {
            format!("It is {at_rest} at rest, and {stored} as stored.")
        } else {
            format!("It is {at_rest}.")
        }
    }
}

/// Three digits that count: `1.02`, `175`, `0.00287`.
pub(super) fn three_digits(length: f64) -> String {
    // A hair more: 0.01 as a 32-bit float is a hair less.
    let decimals = if length > 0.0 { 2.0 - (length * 1.000_001).log10().floor() } else { 0.0 };
    format!("{length:.*}", decimals.clamp(0.0, 9.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_words_and_what_is_not_there_is_said() {
        let model =
            ExaminedModel { meshes: 2, vertices: 82, skins: 1, joints: 3, ..Default::default() };
        assert_eq!(model.words(), "2 meshes (82 vertices), 1 skin (3 joints), 0 clips");
        assert_eq!(ExaminedModel::default().words(), "no mesh, no skin, 0 clips");
        let mut rest = RestOffset::default();
        rest.add(19, 33_f64.to_radians());
        assert_eq!(rest.words(), "up to 33° away from its bind pose at 19 joints");
        let moved = RestOffset { joints: 1, most_rad: 0.0 };
        assert_eq!(moved.words(), "away from its bind pose at 1 joint");
    }

    #[test]
    fn a_size_is_told_in_three_digits_and_twice_where_it_changes() {
        let size = |at_rest| SkinnedSize { stored: [1.02, 2.871, 133.4], at_rest };
        assert_eq!(size([1.02, 2.871, 133.5]).words(), "It is 1.02 × 2.87 × 134.");
        let small = size([0.0102, 0.02871, 1.334]).words();
        assert_eq!(small, "It is 0.0102 × 0.0287 × 1.33 at rest, and 1.02 × 2.87 × 133 as stored.");
        for odd in [0.0, f64::INFINITY, f64::NAN, 1e-30, 3e38] {
            assert!(three_digits(odd).len() < 45, "{odd}");
        }
    }
}
