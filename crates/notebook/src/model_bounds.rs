//! Bounds of a model in its rest pose and while its clips play.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::f32::consts::TAU;
use std::sync::{Arc, Weak};

use bindpose_gltf::{ClipAt, Rig, bounds_of};
use bindpose_skin::{
    BindVertices, Influences, Method, Pose, VertexGroups, WorldVertices, with_skinner,
};
use glam::{Vec2, Vec3};

use super::Document;

type Bounds = (Vec3, Vec3);

/// Maximum number of cached extents.
const MAX_CACHED_EXTENTS: usize = 16;

/// Number of directions in which the outermost vertices are searched.
const DIRECTION_COUNT: u32 = 96;

/// Number of sampled moments per clip, including its ends.
const MOMENT_COUNT: u32 = 13;

/// Maximum number of vertices sampled at each moment.
const MAX_SAMPLED_VERTICES: usize = 4096;

/// Fraction of the model's size by which a clip may leave the rest bounds
/// without changing the framing.
const IGNORED_EXCESS: f32 = 0.02;

/// Fraction up to which the rest pose and the clip are framed together.
const JOINT_FRAMING_EXCESS: f32 = 0.5;

/// Indices of the playing clip and of the one faded in.
type Clips = [Option<usize>; 2];

/// Key of a cached extent.
#[derive(Clone, Copy, PartialEq)]
enum BoundsOf {
    /// Vertices as stored, in bind space.
    Stored,
    /// Vertices as skinned, in world space.
    Shown(Clips),
}

/// Bounds and outermost vertices of a model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Extent {
    /// Bounding box of the vertices: (min, max), in world space.
    pub(super) bounds: Bounds,
    /// Outermost vertices in all directions, in world space. A picture that
    /// contains them contains the model up to a small error.
    pub(super) outline: Arc<[Vec3]>,
}

thread_local! {
    /// Cache, because skinning a large model in every frame would be too slow.
    static EXTENTS: RefCell<Vec<(Weak<Rig>, BoundsOf, Extent)>> = const { RefCell::new(Vec::new()) };
}

/// Returns the longest side of a box, given its lowest and highest corner.
pub fn longest_side(bounds: (Vec3, Vec3)) -> f32 {
    (bounds.1 - bounds.0).max_element()
}

/// Bounding box of the vertices as skinned in the rest pose: (min, max), in
/// world space. Stored vertices may have another position and size, but
/// pictures show only skinned ones. Ignores vertices that are not finite. A rig
/// without vertices has the bounds of its skeleton.
pub fn rest_bounds(rig: &Arc<Rig>) -> Bounds {
    cached_extent(rig, BoundsOf::Shown([None; 2])).bounds
}

/// Outermost vertices as skinned in the rest pose, in world space.
pub(super) fn rest_outline(rig: &Arc<Rig>) -> Arc<[Vec3]> {
    cached_extent(rig, BoundsOf::Shown([None; 2])).outline
}

/// Bounding box of the stored vertices: (min, max), in bind space.
pub(super) fn stored_bounds(rig: &Arc<Rig>) -> Bounds {
    cached_extent(rig, BoundsOf::Stored).bounds
}

/// Extent of the playing clips over their whole duration, joined with the rest
/// pose if the two are near each other. The rest pose alone if nothing plays or
/// a clip hardly leaves it, so that choosing a clip does not move the picture.
pub(super) fn extent(document: &Document, rig: &Arc<Rig>) -> Extent {
    let playback = &document.state.playback;
    let clip = playback.clip.filter(|&clip| clip < rig.clips.len());
    let fade_to = playback.fade_to.filter(|_| clip.is_some());
    cached_extent(rig, BoundsOf::Shown([clip, fade_to]))
}

/// Extent to be framed while these clips play.
fn playing_extent(rig: &Arc<Rig>, clips: Clips) -> Extent {
    let rest = cached_extent(rig, BoundsOf::Shown([None; 2]));
    let moving = extent_of_points(sample_clips(rig, clips));
    if moving.outline.is_empty() {
        // No vertex is finite.
        return rest;
    }
    let (low, high) = rest.bounds;
    let size = (high - low).max_element();
    let (least, most) = moving.bounds;
    if is_within(moving.bounds, rest.bounds, size * IGNORED_EXCESS) {
        rest
    } else if is_within(moving.bounds, rest.bounds, size * JOINT_FRAMING_EXCESS) {
        let outlines = rest.outline.iter().chain(&*moving.outline);
        Extent { bounds: (low.min(least), high.max(most)), outline: outlines.copied().collect() }
    } else {
        moving
    }
}

/// Returns true if the inner box exceeds the outer one by no more than `slack`.
fn is_within(inner: Bounds, outer: Bounds, slack: f32) -> bool {
    let slack = Vec3::splat(slack);
    inner.0.cmpge(outer.0 - slack).all() && inner.1.cmple(outer.1 + slack).all()
}

fn cached_extent(rig: &Arc<Rig>, of: BoundsOf) -> Extent {
    let this = Arc::downgrade(rig);
    let known = EXTENTS.with_borrow(|known| {
        let mut found = known.iter().filter(|(other, what, _)| *what == of && other.ptr_eq(&this));
        found.next().map(|(.., extent)| extent.clone())
    });
    known.unwrap_or_else(|| {
        let extent = match of {
            // Pictures are not framed by the outline of stored vertices, which
            // is slow to compute.
            BoundsOf::Stored => Extent { bounds: rig.mesh.bounds(), outline: Arc::default() },
            BoundsOf::Shown([None, _]) => extent_of_points(rest_positions(rig)),
            BoundsOf::Shown(clips) => playing_extent(rig, clips),
        };
        EXTENTS.with_borrow_mut(|known| {
            known.retain(|(other, ..)| other.strong_count() > 0);
            known.truncate(MAX_CACHED_EXTENTS - 1);
            known.insert(0, (this, of, extent.clone()));
        });
        extent
    })
}

/// World positions of the vertices at rest, or of the joints if there are no vertices.
fn rest_positions(rig: &Rig) -> Vec<Vec3> {
    if rig.mesh.positions.is_empty() {
        return joint_origins(rig, &rig.posed(|_| None).pose);
    }
    let world_from_bind = rig.world_from_bind(|_| None);
    let moved = rig.mesh.moved(&world_from_bind, &rig.morph_weights, Method::Linear);
    moved.positions
}

/// World positions of the joints.
fn joint_origins(rig: &Rig, pose: &Pose) -> Vec<Vec3> {
    rig.skeleton.world_from_joint(pose).iter().map(|frame| frame.w_axis.truncate()).collect()
}

/// Samples world positions of some vertices at some moments, moved by their
/// eight strongest influences. Samples the joints if there are no vertices.
fn sample_clips(rig: &Rig, clips: Clips) -> Vec<Vec3> {
    let mesh = &rig.mesh;
    let every = mesh.positions.len().div_ceil(MAX_SAMPLED_VERTICES).max(1);
    let influences: Vec<Influences> = mesh.influences.iter().step_by(every).copied().collect();
    let groups = VertexGroups::new(&influences, &BTreeMap::new());
    let mut points = Vec::new();
    for clip in clips.into_iter().flatten() {
        let Some(played) = rig.clips.get(clip) else {
            continue;
        };
        for moment in 0..MOMENT_COUNT {
            let part = f64::from(moment) / f64::from(MOMENT_COUNT - 1);
            let at = ClipAt { clip, time_secs: f64::from(played.duration_secs) * part, share: 1.0 };
            let posed = rig.posed_in(&[at], |_| None);
            if mesh.positions.is_empty() {
                points.extend(joint_origins(rig, &posed.pose));
                continue;
            }
            let world_from_bind = posed.world_from_bind(&rig.skeleton);
            let morphed = mesh.morphed(&posed.morph_weights);
            let positions: Vec<Vec3> = morphed
                .as_ref()
                .map_or(&mesh.positions, |morphed| &morphed.positions)
                .iter()
                .step_by(every)
                .copied()
                .collect();
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

fn extent_of_points(mut points: Vec<Vec3>) -> Extent {
    points.retain(|point| point.is_finite());
    let mut outline = OutlineBuilder::new();
    for &point in &points {
        outline.add(point);
    }
    Extent { bounds: bounds_of(&points), outline: outline.into_points() }
}

/// Collects the outermost of many points in all directions.
#[derive(Clone, Debug)]
pub(super) struct OutlineBuilder {
    directions: Vec<Vec3>,
    /// Farthest point along each direction, and its distance along it.
    farthest: Vec<(Vec3, f32)>,
}

impl OutlineBuilder {
    pub(super) fn new() -> Self {
        let directions: Vec<Vec3> = directions().collect();
        let farthest = vec![(Vec3::ZERO, f32::NEG_INFINITY); directions.len()];
        Self { directions, farthest }
    }

    /// Adds a point. Ignores points that are not finite.
    pub(super) fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        for (direction, farthest) in self.directions.iter().zip(&mut self.farthest) {
            let along = point.dot(*direction);
            if along > farthest.1 {
                *farthest = (point, along);
            }
        }
    }

    /// Returns the outermost points, in the order of their directions. Empty if no point was
    /// added.
    pub(super) fn into_points(self) -> Arc<[Vec3]> {
        let found = self.farthest.into_iter().filter(|(_, along)| along.is_finite());
        found.map(|(point, _)| point).collect()
    }
}

/// Directions spread evenly over a sphere, like sunflower seeds.
fn directions() -> impl Iterator<Item = Vec3> {
    (0..DIRECTION_COUNT).map(|index| {
        let y = 1.0 - (2 * index + 1) as f32 / DIRECTION_COUNT as f32;
        let around = Vec2::from_angle(index as f32 * TAU * 0.381_966) * (1.0 - y * y).sqrt();
        Vec3::new(around.x, y, around.y)
    })
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;
    use bindpose_skin::{
        Channel, ChannelTarget, Clip, Interpolation, JointIndex, Skeleton, Track, TrackProperty,
        Trs,
    };

    use super::*;
    use crate::test_sample;
    use glam::Mat4;

    #[test]
    fn outline_reaches_almost_to_the_box() {
        let whale = builtin("whale").unwrap();
        let (low, high) = rest_bounds(&whale);
        let outline = extent(&Document::default(), &whale).outline;
        let (least, most) = bounds_of(&outline);
        assert!(outline.len() <= DIRECTION_COUNT as usize);
        assert!(least.cmpge(low).all() && most.cmple(high).all());
        assert!(((most - least) / (high - low)).min_element() > 0.98);
    }

    #[test]
    fn rest_bounds_are_of_skinned_vertices() {
        // Stored a hundred times too large, as by exporters in centimetres.
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

    /// The sample, whose body moves along x from 0 to `far` within two seconds.
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
    fn moving_clip_is_framed_over_its_whole_duration() {
        let mut document = Document::default();
        document.state.playback.clip = Some(0);
        let far = walking(30.0);
        let Extent { bounds, outline } = extent(&document, &far);
        let (low, high) = bounds;
        assert!(low.abs_diff_eq(Vec3::ZERO, 1e-5), "{low}");
        assert!(high.abs_diff_eq(Vec3::new(30.25, 2.0, 0.0), 1e-5), "{high}");
        assert!(outline.iter().any(|point| point.x > 30.0));

        // A tiny excess is ignored. A clip that stays near is framed together
        // with the rest pose.
        let still = walking(0.01);
        assert_eq!(extent(&document, &still).bounds, rest_bounds(&still));
        let near = extent(&document, &walking(0.5));
        assert!(near.bounds.1.abs_diff_eq(Vec3::new(0.75, 2.0, 0.0), 1e-5));
        assert!(near.outline.iter().any(|point| point.x == 0.25));

        // A clip that the model does not have is ignored.
        document.state.playback.clip = Some(7);
        assert_eq!(extent(&document, &far).bounds, rest_bounds(&far));
        document.state.playback.clip = None;
        assert_eq!(extent(&document, &far).bounds, rest_bounds(&far));
    }
}
