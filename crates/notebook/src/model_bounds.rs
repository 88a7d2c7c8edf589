//! Where a model is: in its rest pose, and while its clips play.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::f32::consts::TAU;
use std::sync::{Arc, Weak};

use bindpose_asset::{ClipAt, Rig, bounds_of};
use bindpose_skin::{
    BindVertices, Influences, Method, Pose, VertexGroups, WorldVertices, with_skinner,
};
use glam::{Vec2, Vec3};

use super::Document;

type Bounds = (Vec3, Vec3);

/// Extents that are remembered.
const KEPT: usize = 16;

/// Directions in which the outermost vertices are looked for.
const DIRECTIONS: u32 = 96;

/// Moments of a clip that are looked at, its ends among them.
const MOMENTS: u32 = 13;

/// Vertices that are looked at in each of them: a large model's are thinned out.
const VERTICES: usize = 4096;

/// A clip that leaves the box around the rest pose by no more than this part of
/// its size does not move the picture.
const HAIR: f32 = 0.02;

/// One that leaves it by no more than this is shown with the rest pose in view.
const NEAR: f32 = 0.5;

/// What clips play: the one, and the one faded in.
type Clips = [Option<usize>; 2];

/// What of a model is remembered.
#[derive(Clone, Copy, PartialEq)]
enum BoundsOf {
    /// The vertices as stored, in bind space.
    Stored,
    /// The vertices as skinned, in world space.
    Shown(Clips),
}

/// The room a model takes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Extent {
    /// Smallest box around its vertices: (min, max), in world space.
    pub(super) bounds: Bounds,
    /// Vertices that lie farthest out, to all sides, in world space: a picture
    /// that holds these holds the model, but for a hair.
    pub(super) outline: Arc<[Vec3]>,
}

thread_local! {
    /// Skinning a large model once a frame would be too much.
    static KNOWN: RefCell<Vec<(Weak<Rig>, BoundsOf, Extent)>> = const { RefCell::new(Vec::new()) };
}

/// Smallest box around the vertices as skinned in the rest pose: (min, max), in
/// world space. Stored vertices may lie elsewhere and in another size: only the
/// skinned ones are what a picture shows. Vertices that are not finite are left
/// out. A rig without vertices is as large as its skeleton.
pub fn rest_bounds(rig: &Arc<Rig>) -> Bounds {
    remembered(rig, BoundsOf::Shown([None; 2])).bounds
}

/// Smallest box around the vertices as stored: (min, max), in bind space.
pub(super) fn stored_bounds(rig: &Arc<Rig>) -> Bounds {
    remembered(rig, BoundsOf::Stored).bounds
}

/// The room that what plays takes from its beginning to its end, that of the
/// rest pose with it where the two are near each other. That of the rest pose
/// alone where nothing plays, or where a clip hardly leaves it: a picture should
/// not jump when a clip is chosen.
pub(super) fn extent(document: &Document, rig: &Arc<Rig>) -> Extent {
    let playback = &document.state.playback;
    let clip = playback.clip.filter(|&clip| clip < rig.clips.len());
    let fade_to = playback.fade_to.filter(|_| clip.is_some());
    remembered(rig, BoundsOf::Shown([clip, fade_to]))
}

/// What a picture holds while these play.
fn playing(rig: &Arc<Rig>, clips: Clips) -> Extent {
    let rest = remembered(rig, BoundsOf::Shown([None; 2]));
    let moving = around(while_playing(rig, clips));
    if moving.outline.is_empty() {
        // Nothing in it is a number.
        return rest;
    }
    let (low, high) = rest.bounds;
    let size = (high - low).max_element();
    let (least, most) = moving.bounds;
    let stays = |part: f32| {
        let slack = Vec3::splat(size * part);
        least.cmpge(low - slack).all() && most.cmple(high + slack).all()
    };
    if stays(HAIR) {
        rest
    } else if stays(NEAR) {
        let outlines = rest.outline.iter().chain(&*moving.outline);
        Extent { bounds: (low.min(least), high.max(most)), outline: outlines.copied().collect() }
    } else {
        moving
    }
}

fn remembered(rig: &Arc<Rig>, of: BoundsOf) -> Extent {
    let this = Arc::downgrade(rig);
    let known = KNOWN.with_borrow(|known| {
        let mut found = known.iter().filter(|(other, what, _)| *what == of && other.ptr_eq(&this));
        found.next().map(|(.., extent)| extent.clone())
    });
    known.unwrap_or_else(|| {
        let extent = match of {
            // No picture is framed by their outline, which takes far longer.
            BoundsOf::Stored => Extent { bounds: rig.mesh.bounds(), outline: Arc::default() },
            BoundsOf::Shown([None, _]) => around(at_rest(rig)),
            BoundsOf::Shown(clips) => playing(rig, clips),
        };
        KNOWN.with_borrow_mut(|known| {
            known.retain(|(other, ..)| other.strong_count() > 0);
            known.truncate(KEPT - 1);
            known.insert(0, (this, of, extent.clone()));
        });
        extent
    })
}

/// Where the vertices are; without any, where the joints are.
fn at_rest(rig: &Rig) -> Vec<Vec3> {
    if rig.mesh.positions.is_empty() {
        return origins(rig, &rig.posed(|_| None).pose);
    }
    let world_from_bind = rig.world_from_bind(|_| None);
    let moved = rig.mesh.moved(&world_from_bind, &rig.morph_weights, Method::Linear);
    moved.positions
}

/// Where the joints stand, in world space.
fn origins(rig: &Rig, pose: &Pose) -> Vec<Vec3> {
    let world_from_joint = rig.skeleton.world_from_joint(pose);
    let origins = world_from_joint.iter().map(|frame| frame.w_axis.truncate());
    origins.collect()
}

/// Some vertices at some moments; of their influences the eight strongest.
/// Without vertices, the joints.
fn while_playing(rig: &Rig, clips: Clips) -> Vec<Vec3> {
    let mesh = &rig.mesh;
    let every = mesh.positions.len().div_ceil(VERTICES).max(1);
    let influences: Vec<Influences> = mesh.influences.iter().step_by(every).copied().collect();
    let groups = VertexGroups::new(&influences, &BTreeMap::new());
    let mut points = Vec::new();
    for clip in clips.into_iter().flatten() {
        let Some(played) = rig.clips.get(clip) else {
            continue;
        };
        for moment in 0..MOMENTS {
            let part = f64::from(moment) / f64::from(MOMENTS - 1);
            let at = ClipAt { clip, time_secs: f64::from(played.duration_secs) * part, share: 1.0 };
            let posed = rig.posed_in(&[at], |_| None);
            if mesh.positions.is_empty() {
                points.extend(origins(rig, &posed.pose));
                continue;
            }
            let world_from_bind = posed.world_from_bind(&rig.skeleton);
            let morphed = mesh.morphed(&posed.morph_weights);
            let positions = morphed.as_ref().map_or(&mesh.positions, |m| &m.positions);
            let positions: Vec<Vec3> = positions.iter().step_by(every).copied().collect();
            let first = points.len();
            points.resize(first + positions.len().min(influences.len()), Vec3::ZERO);
            let stored = BindVertices { positions: &positions, ..BindVertices::default() };
            let moved =
                WorldVertices { positions: &mut points[first..], ..WorldVertices::default() };
            with_skinner(|skinner| skinner.linear(&groups, &world_from_bind, stored, moved));
        }
    }
    points
}

fn around(mut points: Vec<Vec3>) -> Extent {
    points.retain(|point| point.is_finite());
    let farthest = |direction: Vec3| {
        let mut points = points.iter().copied();
        let first = points.next()?;
        let start = (first, first.dot(direction));
        let (far, _) = points.fold(start, |(far, most), point| {
            let along = point.dot(direction);
            if along > most { (point, along) } else { (far, most) }
        });
        Some(far)
    };
    Extent { bounds: bounds_of(&points), outline: directions().filter_map(farthest).collect() }
}

/// Spread evenly, like the seeds of a sunflower over a ball.
fn directions() -> impl Iterator<Item = Vec3> {
    (0..DIRECTIONS).map(|index| {
        let y = 1.0 - (2 * index + 1) as f32 / DIRECTIONS as f32;
        let around = Vec2::from_angle(index as f32 * TAU * 0.381_966) * (1.0 - y * y).sqrt();
        Vec3::new(around.x, y, around.y)
    })
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_skin::{
        Channel, ChannelTarget, Clip, Interpolation, JointIndex, Skeleton, Track, TrackProperty,
        Trs,
    };

    use super::*;
    use crate::test_sample;
    use glam::Mat4;

    #[test]
    fn the_outline_reaches_almost_as_far_as_the_box_and_beyond_none_of_it() {
        let whale = builtin("whale").unwrap();
        let (low, high) = rest_bounds(&whale);
        let outline = extent(&Document::default(), &whale).outline;
        let (least, most) = bounds_of(&outline);
        assert!(outline.len() <= DIRECTIONS as usize);
        assert!(least.cmpge(low).all() && most.cmple(high).all());
        assert!(((most - least) / (high - low)).min_element() > 0.98);
    }

    #[test]
    fn the_box_is_around_what_is_shown_and_not_around_what_is_stored() {
        // Stored a hundred times too large, as exporters in centimetres do.
        let small = test_sample::rig();
        let mut mesh = (*small.mesh).clone();
        for position in &mut mesh.positions {
            *position *= 100.0;
        }
        let mut joints = small.skeleton.joints().to_vec();
        for joint in &mut joints {
            joint.joint_from_bind *= Mat4::from_scale(Vec3::splat(0.01));
        }
        joints[0].parent_from_joint_at_rest = Trs::at(Vec3::Y * 5.0);
        let rig = Arc::new(Rig {
            skeleton: Skeleton::new(joints).unwrap(),
            mesh: Arc::new(mesh),
            ..small
        });
        for _ in 0..2 {
            let (low, high) = rest_bounds(&rig);
            assert!(low.abs_diff_eq(Vec3::Y * 5.0, 1e-5), "{low}");
            assert!(high.abs_diff_eq(Vec3::new(0.25, 7.0, 0.0), 1e-5), "{high}");
        }
        let bare = Rig { mesh: Arc::default(), ..test_sample::rig() };
        let (low, high) = rest_bounds(&Arc::new(bare));
        assert!(low == Vec3::ZERO && high.y > 0.0, "around the joints: {high}");
        assert_eq!(rest_bounds(&builtin("head").unwrap()), {
            let (low, high) = builtin("head").unwrap().mesh.bounds();
            (low, high)
        });
    }

    /// The sample, its body moved along x from 0 to `far` within two seconds.
    fn walking(far: f32) -> Arc<Rig> {
        let track = Track {
            property: TrackProperty::Translation,
            interpolation: Interpolation::Linear,
            times_secs: vec![0.0, 2.0],
            values: vec![0.0, 0.0, 0.0, far, 0.0, 0.0],
            width: 3,
        };
        let channel =
            Channel { target: ChannelTarget::Joint(JointIndex(0)), track: Arc::new(track) };
        Arc::new(Rig {
            clips: vec![Clip {
                name: "walk".to_owned(),
                duration_secs: 2.0,
                frame_secs: None,
                channels: vec![channel],
            }],
            ..test_sample::rig()
        })
    }

    #[test]
    fn a_clip_that_leaves_the_rest_pose_is_held_from_its_beginning_to_its_end() {
        let mut document = Document::default();
        document.state.playback.clip = Some(0);
        let far = walking(30.0);
        let Extent { bounds, outline } = extent(&document, &far);
        let (low, high) = bounds;
        assert!(low.abs_diff_eq(Vec3::ZERO, 1e-5), "{low}");
        assert!(high.abs_diff_eq(Vec3::new(30.25, 2.0, 0.0), 1e-5), "{high}");
        assert!(outline.iter().any(|point| point.x > 30.0));

        // A hair does not move the picture; what stays near is shown with the
        // rest pose.
        let still = walking(0.01);
        assert_eq!(extent(&document, &still).bounds, rest_bounds(&still));
        let near = extent(&document, &walking(0.5));
        assert!(near.bounds.1.abs_diff_eq(Vec3::new(0.75, 2.0, 0.0), 1e-5));
        assert!(near.outline.iter().any(|point| point.x == 0.25));

        // Nor does a clip that the model does not have.
        document.state.playback.clip = Some(7);
        assert_eq!(extent(&document, &far).bounds, rest_bounds(&far));
        document.state.playback.clip = None;
        assert_eq!(extent(&document, &far).bounds, rest_bounds(&far));
    }
}
