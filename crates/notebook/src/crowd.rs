//! Instances of the same skin: their positions and poses.

use std::f32::consts::TAU;
use std::sync::Arc;

use bindpose_gltf::{ParamKind, Rig};
use bindpose_lesson::Crowd;
use bindpose_skin::JointMotion;
use glam::{Mat4, Vec2, Vec3};

use super::playback;
use super::scene::CrowdScene;
use super::{Derived, Document, TIME_PARAM, rest_bounds};

/// The golden ratio's fraction. It keeps the phases of consecutive instances
/// far apart.
const GOLDEN: f32 = 0.618_034;

/// Angle between consecutive instances: the golden angle of sunflower seeds.
const GOLDEN_ANGLE: f32 = TAU * (1.0 - GOLDEN);

/// Distance from the centre in footprints, divided by the square root of the
/// index. Neighbours then are about one and a half footprints apart.
const SPACING_FACTOR: f32 = 0.85;

/// Maximum deviation of an instance's angles from the current ones.
const MAX_SWAY_RAD: f64 = 0.2;

impl Derived {
    /// Instances of the skin. `None` for a single one, and for a rig without
    /// triangles, which cannot be instanced.
    pub fn crowd(&self) -> Option<&Arc<CrowdScene>> {
        self.caches.crowd.get_or_init(|| crowd_scene(self).map(Arc::new)).as_ref()
    }

    /// Returns true if each instance has its own pose.
    pub(super) fn has_own_poses(&self) -> bool {
        self.crowd_posed_from.is_some()
    }

    /// Returns true if some joint scales, shears or mirrors in this pose.
    pub fn is_pose_stretched(&self) -> bool {
        self.motions().iter().any(|motion| !motion.is_rigid())
    }

    /// Returns true if some joint scales, shears or mirrors, in this pose or in
    /// those of the crowd.
    pub fn is_stretched(&self) -> bool {
        *self.caches.stretched.get_or_init(|| {
            let crowd = self.crowd().into_iter();
            let mut of_crowd = crowd.flat_map(|crowd| &crowd.palettes);
            self.is_pose_stretched()
                || of_crowd.any(|&matrix| !JointMotion::from_matrix(matrix).is_rigid())
        })
    }
}

fn crowd_scene(derived: &Derived) -> Option<CrowdScene> {
    let count = derived.instances;
    let posed_from = derived.crowd_posed_from.as_deref();
    (count > 1).then(|| CrowdScene {
        world_from_instance: place_instances(&derived.rig, count),
        palettes: posed_from
            .map(|document| compute_palettes(document, derived, count))
            .unwrap_or_default(),
    })
}

/// Reach of a crowd beyond the bounds of a single instance, in world units
/// along each axis. Zero for a single one.
pub(super) fn crowd_reach(rig: &Arc<Rig>, count: u32) -> Vec3 {
    if count <= 1 || rig.mesh.triangles.is_empty() {
        return Vec3::ZERO;
    }
    in_plane(rig, spacing(rig) * distance_from_centre(count - 1))
}

/// Arranges the instances like sunflower seeds around the first one, on the
/// ground, or in the picture plane for a flat rig. Instances on the ground are
/// rotated slightly.
fn place_instances(rig: &Arc<Rig>, count: u32) -> Vec<Mat4> {
    let spacing = spacing(rig);
    (0..count)
        .map(|index| {
            let direction = Vec2::from_angle(index as f32 * GOLDEN_ANGLE);
            let at = in_plane(rig, spacing * direction * distance_from_centre(index));
            let turn_rad = if rig.flat { 0.0 } else { 0.25 * (index as f32 * 2.1).sin() };
            Mat4::from_translation(at) * Mat4::from_rotation_y(turn_rad)
        })
        .collect()
}

/// In units of [`spacing`]. The offset keeps the second instance clear of the first.
fn distance_from_centre(index: u32) -> f32 {
    if index == 0 { 0.0 } else { (index as f32 + 0.5).sqrt() }
}

/// Spacing of instances in both directions, in world units.
fn spacing(rig: &Arc<Rig>) -> Vec2 {
    let (low, high) = rest_bounds(rig);
    let size = high - low;
    let size = if size == Vec3::ZERO { Vec3::ONE } else { size };
    let footprint = if rig.flat { Vec2::new(size.x, size.y) } else { Vec2::new(size.x, size.z) };
    // Long thin models need room at their sides too.
    footprint.max(Vec2::splat(footprint.max_element() * 0.4)) * SPACING_FACTOR
}

fn in_plane(rig: &Rig, at: Vec2) -> Vec3 {
    if rig.flat { Vec3::new(at.x, at.y, 0.0) } else { Vec3::new(at.x, 0.0, at.y) }
}

/// Palettes of all instances, one after the other. The first is the current
/// pose.
fn compute_palettes(document: &Document, derived: &Derived, count: u32) -> Vec<Mat4> {
    // A program poses all instances alike.
    if derived.joints.program_run.is_some() {
        return derived.palette.repeat(count as usize);
    }
    let rig = &derived.rig;
    let length_secs = document.length_secs(rig);
    let mut posed = document.clone();
    // Each instance is computed as a single model.
    posed.state.crowd = Crowd::default();
    // The instances are derived without the lesson, so store the values of its
    // formulas.
    for driven in &derived.driven {
        posed.state.params.insert(driven.name.clone(), driven.value);
    }
    let mut palettes = Vec::with_capacity(count as usize * rig.skeleton.len());
    for index in 0..count {
        let phase = (index as f32 * GOLDEN).fract();
        if length_secs > 0.0 {
            let secs = document.time_secs() + f64::from(phase) * length_secs;
            let secs = playback::within(secs, length_secs, true);
            posed.state.params.insert(TIME_PARAM.to_owned(), secs);
        } else {
            sway_angles(&mut posed, derived, f64::from(phase * TAU));
        }
        let one = derived.of_other(&posed, None);
        palettes.extend_from_slice(&one.palette);
    }
    palettes
}

/// Sets all angles around the current ones, each joint slightly delayed against
/// the previous.
fn sway_angles(posed: &mut Document, derived: &Derived, phase_rad: f64) {
    for (nth, param) in derived.rig.params.iter().enumerate() {
        if !matches!(param.kind, ParamKind::Angle { .. }) {
            continue;
        }
        let now = derived.param(&param.name).unwrap_or(param.default);
        let reach = MAX_SWAY_RAD.min((param.range.1 - param.range.0).abs() / 4.0);
        let late = 0.8 * nth as f64;
        let sway = reach * ((phase_rad + late).sin() - late.sin());
        posed.state.params.insert(param.name.clone(), now + sway);
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::test_sample::document_with;
    use std::sync::Arc;

    fn crowd(rig: &str, count: u32, own_poses: bool) -> (Derived, Option<CrowdScene>) {
        let rig = builtin(rig).unwrap();
        let mut document = document_with(&[("bend", 0.7)]);
        document.state.crowd = Crowd { count, own_poses };
        let derived = Derived::of_document(&document, None, &rig);
        let crowd = crowd_scene(&derived);
        (derived, crowd)
    }

    #[test]
    fn single_instances_and_line_rigs_are_no_crowd() {
        assert_eq!(crowd("arm", 1, true).1, None);
        let arm = builtin("arm").unwrap();
        assert_eq!(crowd_reach(&arm, 1), Vec3::ZERO);
        let mut rig = (*arm).clone();
        rig.mesh = Arc::new(bindpose_gltf::Mesh { triangles: Vec::new(), ..(*rig.mesh).clone() });
        let rig = Arc::new(rig);
        assert_eq!(crowd_reach(&rig, 9), Vec3::ZERO);
        let mut document = Document::default();
        document.state.crowd.count = 9;
        let derived = Derived::of_document(&document, None, &rig);
        assert_eq!(crowd_scene(&derived), None);
    }

    #[test]
    fn instances_are_apart_and_within_reach() {
        for name in ["arm", "whale", "ball"] {
            let (derived, crowd) = crowd(name, 100, false);
            let placed = crowd.unwrap().world_from_instance;
            assert_eq!(placed[0], Mat4::IDENTITY, "the first stays where it was");
            let reach = crowd_reach(&derived.rig, 100) * 1.0001;
            let (low, high) = rest_bounds(&derived.rig);
            let size = high - low;
            let footprint = Vec2::new(size.x, size.z);
            let footprint = footprint.max(Vec2::splat(footprint.max_element() * 0.4));
            for (index, one) in placed.iter().enumerate() {
                let at = one.w_axis.truncate();
                assert!(at.abs().cmple(reach).all(), "{name} {index}: {at}, {reach}");
                assert_eq!(at.y, 0.0, "on the ground");
                assert!((one.determinant() - 1.0).abs() < 1e-5, "not scaled");
                for other in &placed[..index] {
                    let between = (at - other.w_axis.truncate()).abs();
                    let between = Vec2::new(between.x, between.z) / footprint;
                    assert!(between.length() > 1.0, "{name} {index}: {between}");
                }
            }
        }
    }

    #[test]
    fn own_poses_sway_around_the_present_one_which_is_the_first() {
        let (derived, crowd) = crowd("arm", 25, true);
        let palettes = crowd.unwrap().palettes;
        let joints = derived.palette.len();
        assert_eq!(palettes.len(), 25 * joints);
        for (first, present) in palettes.iter().zip(derived.palette.iter()) {
            assert!(first.abs_diff_eq(*present, 1e-6));
        }
        let turned: Vec<f32> = palettes
            .chunks(joints)
            .map(|palette| {
                glam::Quat::from_mat4(&palette[1])
                    .angle_between(glam::Quat::from_mat4(&palettes[1]))
            })
            .collect();
        assert!(turned[1..].iter().all(|&angle| angle > 1e-3), "{turned:?}");
        assert!(turned.iter().all(|&angle| angle < 1.0), "{turned:?}");
        assert!(crowd_again_is_the_same());
    }

    fn crowd_again_is_the_same() -> bool {
        crowd("whale", 30, true).1 == crowd("whale", 30, true).1
    }
}
