//! The same skin many times: where each stands, and in which pose.

use std::f32::consts::TAU;
use std::sync::Arc;

use bindpose_asset::{ParamKind, Rig};
use bindpose_lesson::Crowd;
use bindpose_skin::JointMotion;
use glam::{Mat4, Vec2, Vec3};

use super::playback;
use super::scene::CrowdScene;
use super::{Derived, Document, TIME, rest_bounds};

/// The golden section: neighbours in number are far apart in phase.
const GOLDEN: f32 = 0.618_034;

/// Turn between neighbours in number: the golden angle of a sunflower's seeds.
const GOLDEN_ANGLE: f32 = TAU * (1.0 - GOLDEN);

/// Distance from the middle, in footprints, over the root of the number.
/// Neighbours then keep about one and a half footprints apart.
const SPREAD: f32 = 0.85;

/// Angles of own poses go this far from the present ones, at most.
const SWAY_RAD: f64 = 0.2;

impl Derived {
    /// The same skin many times; `None` for one alone, and for a rig without a
    /// surface, which is what is drawn many times.
    pub fn crowd(&self) -> Option<&Arc<CrowdScene>> {
        self.caches.crowd.get_or_init(|| crowd_scene(self).map(Arc::new)).as_ref()
    }

    /// Is each of the crowd in a pose of its own?
    pub(super) fn has_own_poses(&self) -> bool {
        self.crowd_posed_from.is_some()
    }

    /// Does some joint scale, shear or mirror in this pose?
    pub fn is_pose_stretched(&self) -> bool {
        self.motions().iter().any(|motion| !motion.is_rigid())
    }

    /// Does some joint scale, shear or mirror, in this pose or in one of the
    /// crowd's?
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
        world_from_instance: placements(&derived.rig, count),
        palettes: posed_from.map(|document| palettes(document, derived, count)).unwrap_or_default(),
    })
}

/// How much a crowd adds to the bounds of one: world units to every side. Zero
/// for one alone.
pub(super) fn crowd_reach(rig: &Arc<Rig>, count: u32) -> Vec3 {
    if count <= 1 || rig.mesh.triangles.is_empty() {
        return Vec3::ZERO;
    }
    in_plane(rig, spacing(rig) * from_middle(count - 1))
}

/// Like the seeds of a sunflower about the first, which stands where it would
/// stand alone; on the ground, or in the picture plane for a flat rig. Those on
/// the ground are turned a little, each in its own way.
fn placements(rig: &Arc<Rig>, count: u32) -> Vec<Mat4> {
    let spacing = spacing(rig);
    let placement = |index: u32| {
        let around = Vec2::from_angle(index as f32 * GOLDEN_ANGLE);
        let at = in_plane(rig, spacing * around * from_middle(index));
        let turn_rad = if rig.flat { 0.0 } else { 0.25 * (index as f32 * 2.1).sin() };
        Mat4::from_translation(at) * Mat4::from_rotation_y(turn_rad)
    };
    (0..count).map(placement).collect()
}

/// In units of [`spacing`]. The second keeps clear of the first.
fn from_middle(index: u32) -> f32 {
    if index == 0 { 0.0 } else { (index as f32 + 0.5).sqrt() }
}

/// Both ways, world units.
fn spacing(rig: &Arc<Rig>) -> Vec2 {
    let (low, high) = rest_bounds(rig);
    let size = high - low;
    let size = if size == Vec3::ZERO { Vec3::ONE } else { size };
    let footprint = if rig.flat { Vec2::new(size.x, size.y) } else { Vec2::new(size.x, size.z) };
    // A long thin one needs some room beside it too.
    footprint.max(Vec2::splat(footprint.max_element() * 0.4)) * SPREAD
}

fn in_plane(rig: &Rig, at: Vec2) -> Vec3 {
    if rig.flat { Vec3::new(at.x, at.y, 0.0) } else { Vec3::new(at.x, 0.0, at.y) }
}

/// One palette after the other; the first is the present pose.
fn palettes(document: &Document, derived: &Derived, count: u32) -> Vec<Mat4> {
    // A program poses all alike.
    if derived.joints.program_run.is_some() {
        return derived.palette.repeat(count as usize);
    }
    let rig = &derived.rig;
    let length_secs = document.length_secs(rig);
    let mut posed = document.clone();
    // Each is one alone.
    posed.state.crowd = Crowd::default();
    // Here without the lesson, whose formulas have been worked out.
    let driven = derived.driven.iter();
    let driven = driven.map(|driven| (driven.name.clone(), driven.value));
    posed.state.params.extend(driven);
    let mut palettes = Vec::with_capacity(count as usize * rig.skeleton.len());
    for index in 0..count {
        let phase = (index as f32 * GOLDEN).fract();
        if length_secs > 0.0 {
            let secs = document.time_secs() + f64::from(phase) * length_secs;
            let secs = playback::within(secs, length_secs, true);
            posed.state.params.insert(TIME.to_owned(), secs);
        } else {
            sway(&mut posed, derived, f64::from(phase * TAU));
        }
        let one = derived.of_other(&posed, None);
        palettes.extend_from_slice(&one.palette);
    }
    palettes
}

/// Puts all angles around the present ones, each joint a little after the one
/// before.
fn sway(posed: &mut Document, derived: &Derived, phase_rad: f64) {
    for (nth, param) in derived.rig.params.iter().enumerate() {
        if !matches!(param.kind, ParamKind::Angle { .. }) {
            continue;
        }
        let now = derived.param(&param.name).unwrap_or(param.default);
        let reach = SWAY_RAD.min((param.range.1 - param.range.0).abs() / 4.0);
        let late = 0.8 * nth as f64;
        let sway = reach * ((phase_rad + late).sin() - late.sin());
        posed.state.params.insert(param.name.clone(), now + sway);
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;
    use std::sync::Arc;

    fn crowd(rig: &str, count: u32, own_poses: bool) -> (Derived, Option<CrowdScene>) {
        let rig = builtin(rig).unwrap();
        let mut document = Document::default();
        document.state.crowd = Crowd { count, own_poses };
        document.state.params.insert("bend".to_owned(), 0.7);
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let crowd = crowd_scene(&derived);
        (derived, crowd)
    }

    #[test]
    fn one_alone_and_a_drawing_of_lines_are_no_crowd() {
        assert_eq!(crowd("arm", 1, true).1, None);
        let arm = builtin("arm").unwrap();
        assert_eq!(crowd_reach(&arm, 1), Vec3::ZERO);
        let mut rig = (*arm).clone();
        rig.mesh = Arc::new(bindpose_asset::Mesh { triangles: Vec::new(), ..(*rig.mesh).clone() });
        let rig = Arc::new(rig);
        assert_eq!(crowd_reach(&rig, 9), Vec3::ZERO);
        let mut document = Document::default();
        document.state.crowd.count = 9;
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        assert_eq!(crowd_scene(&derived), None);
    }

    #[test]
    fn each_has_a_place_of_its_own_within_the_crowds_reach() {
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
