//! Transforms that move a mesh to its skeleton.

use glam::{DMat3, DMat4, DVec3};

use crate::bind::known_factor;

/// A transform that moves a mesh to its skeleton: rotation or mirroring, then scale, then
/// translation.
pub(super) struct Alignment {
    pub(super) turn: DMat3,
    pub(super) scale: f64,
    pub(super) translation: DVec3,
}

impl Default for Alignment {
    fn default() -> Self {
        Self { turn: DMat3::IDENTITY, scale: 1.0, translation: DVec3::ZERO }
    }
}

impl Alignment {
    pub(super) fn apply(&self, position: DVec3) -> DVec3 {
        self.scale * (self.turn * position) + self.translation
    }

    pub(super) fn matrix(&self) -> DMat4 {
        DMat4::from_translation(self.translation) * DMat4::from_mat3(self.scale * self.turn)
    }
}

/// An alignment with its description.
#[derive(Default)]
pub(super) struct NamedAlignment {
    pub(super) name: String,
    pub(super) alignment: Alignment,
}

/// Factors between units that programs mistake for one another, common ones first.
const UNIT_FACTORS: [f64; 6] = [100.0, 0.01, 1000.0, 0.001, 39.370_08, 0.0254];

const AXES: [(&str, DVec3); 3] = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];

/// Iterates over rotations between the coordinate systems of programs, with their
/// descriptions: by quarter and half turns about one axis.
pub(crate) fn quarter_turns() -> impl Iterator<Item = (String, DMat3)> {
    AXES.into_iter().flat_map(|(name, axis)| {
        [-90.0, 90.0, 180.0].map(|degrees: f64| {
            let turn = DMat3::from_axis_angle(axis, degrees.to_radians());
            (format!("turned by {degrees}° about {name}").replace('-', "−"), turn)
        })
    })
}

/// Returns quarter turns, and mirrorings of one axis.
pub(super) fn turn_alignments() -> Vec<NamedAlignment> {
    let mirrors = AXES.into_iter().map(|(name, axis)| {
        (format!("mirrored in {name}"), DMat3::from_diagonal(DVec3::ONE - 2.0 * axis))
    });
    quarter_turns()
        .chain(mirrors)
        .map(|(name, turn)| NamedAlignment {
            name,
            alignment: Alignment { turn, ..Alignment::default() },
        })
        .collect()
}

/// Returns conversions between units that programs mistake for one another.
pub(super) fn unit_alignments() -> Vec<NamedAlignment> {
    UNIT_FACTORS
        .into_iter()
        .map(|scale| {
            let conversion = known_factor(scale).map_or("", |(_, conversion)| conversion);
            NamedAlignment {
                name: format!("scaled by {scale} ({conversion})"),
                alignment: Alignment { scale, ..Alignment::default() },
            }
        })
        .collect()
}
