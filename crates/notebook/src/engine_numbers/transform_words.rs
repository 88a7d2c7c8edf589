//! A transform in words, as programs apply them.

use bindpose_asset::doctor::{MirrorAxis, known_factor};
use glam::{Mat3, Mat4, Vec3};

use crate::differences::are_equal;
use crate::number_text::fixed;

/// Which of these it is, or which that every program knows: a mirror, or a turn by
/// quarters. `None`: neither.
pub(crate) fn known_transform(found: &Mat4, known: &[(Mat4, String)]) -> Option<String> {
    let is = |one: &Mat4| are_equal(found, one) && !are_equal(one, &Mat4::IDENTITY);
    let named = known.iter().find(|(one, _)| is(one)).map(|(_, words)| words.clone());
    named.or_else(|| {
        let plain = plain_turns().into_iter();
        plain
            .map(|(words, turn)| (words, Mat4::from_mat3(turn)))
            .find(|(_, one)| is(one))
            .map(|one| one.0)
    })
}

/// Mirrors, quarter and half turns, each with its words: `mirrored in z`, `turned by 90°
/// about x`.
pub(crate) fn plain_turns() -> Vec<(String, Mat3)> {
    let mirrors = MirrorAxis::ALL.map(|axis| {
        let mirror = axis.mirror().as_mat4();
        (format!("mirrored in {}", axis.name()), Mat3::from_mat4(mirror))
    });
    let axes = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];
    let turns = axes.into_iter().flat_map(|(name, axis)| {
        [90.0_f32, -90.0, 180.0].map(|by| {
            (format!("turned by {by}° about {name}"), Mat3::from_axis_angle(axis, by.to_radians()))
        })
    });
    mirrors.into_iter().chain(turns).collect()
}

/// `100 times ours: metres into centimetres`
pub(crate) fn factor_words(factor: f64) -> String {
    match known_factor(factor) {
        Some((known, words)) => format!("{known} times ours: {words}"),
        None => format!("{} times ours", fixed(factor, 4)),
    }
}

/// `a turn of 33.0°, a scale of 2.0000, a move by (0.100, 0.000, 2.000)`
pub(crate) fn transform_words(transform: &Mat4) -> String {
    let (scale, rotation, shift) = transform.to_scale_rotation_translation();
    let angle = 2.0 * rotation.w.abs().clamp(0.0, 1.0).acos().to_degrees();
    let mut parts = Vec::new();
    if transform.determinant() < 0.0 {
        parts.push("a mirror".to_owned());
    }
    if angle > 0.05 {
        parts.push(format!("a turn of {}°", fixed(angle.into(), 1)));
    }
    if (scale.abs() - Vec3::ONE).abs().max_element() > 1e-3 {
        parts.push(format!("a scale of {}", fixed(scale.x.abs().into(), 4)));
    }
    if shift.length() > 1e-6 {
        let [x, y, z] = shift.to_array().map(|number| fixed(number.into(), 3));
        parts.push(format!("a move by ({x}, {y}, {z})"));
    }
    parts.join(", ")
}
