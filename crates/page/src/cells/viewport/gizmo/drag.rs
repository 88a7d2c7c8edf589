//! A drag of a handle, from where it began to where the pointer is.

use std::f64::consts::TAU;

use bindpose_lesson::Setting;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::posing::{HeldJoint, MoveAxis, ReachResult, TurnAxis, TwoBones};
use eframe::egui::{Modifiers, Pos2, Vec2};
use glam::DVec3;

use super::view::JointView;

/// With Ctrl a turn goes in such steps, with Ctrl and Shift in steps of one degree.
const SNAP_DEG: f64 = 5.0;
/// A drag by hand is no finer.
const FINE_DEG: f64 = 0.1;
/// With Shift alone the joint goes this much of the pointer's way.
const SLOW: f64 = 0.1;
/// Places of a ring that are looked at for where it runs fastest.
const STEPS: usize = 48;

/// What is held, as it was when the drag began: all of a drag counts from there.
#[derive(Clone)]
pub(super) struct Drag {
    /// Which handle.
    pub(super) axis: usize,
    what: HeldHandle,
    /// Where the picture was seen from then: a model that is dragged is not framed anew.
    pub(super) camera: Camera,
    /// Radians, or units of the frame, that the pointer has gone.
    gone: f64,
    /// The same as it was put, in words' units.
    pub(super) put: f64,
    /// What was put last.
    last: Vec<Setting>,
    /// Of two bones, where they have come.
    pub(super) reached: Option<ReachResult>,
}

#[derive(Clone)]
enum HeldHandle {
    Ring {
        joint: HeldJoint,
        axis: TurnAxis,
        by: TurnBy,
        /// From the pointer to what it leads, in points.
        off: Vec2,
    },
    Arrow {
        joint: HeldJoint,
        axis: MoveAxis,
        last: Option<f64>,
    },
    End {
        bones: Box<TwoBones>,
        /// From the pointer to the end when the drag began, in points.
        off: Vec2,
    },
}

/// How the pointer tells an angle.
#[derive(Clone, Copy)]
enum TurnBy {
    /// By where its ray meets the plane of the ring; the last angle.
    Plane(f64),
    /// Where the ring is seen edge-on: along it on the screen; radians a point.
    Along(Vec2, Pos2),
}

impl Drag {
    pub(super) fn new(
        view: &JointView,
        handle: &Handle,
        bones: Option<&TwoBones>,
        from: Pos2,
    ) -> Option<Self> {
        let what = match handle.kind {
            HandleKind::Ring(axis) => HeldHandle::ring(view, axis, from, Some(Vec2::ZERO)),
            HandleKind::Arrow(axis) => HeldHandle::Arrow {
                joint: view.held.clone(),
                last: axis.along(&view.ray(from)),
                axis,
            },
            HandleKind::End => {
                HeldHandle::End { bones: Box::new(bones?.clone()), off: view.at - from }
            }
        };
        Some(Self::begun(view, handle.axis, what))
    }

    /// Of a joint by its badge: the pointer leads what is `lever` away from it, or turns
    /// the joint as it would a ring that is seen edge-on.
    pub(super) fn of_badge(
        view: &JointView,
        axis: TurnAxis,
        from: Pos2,
        lever: Option<Vec2>,
    ) -> Self {
        // No letter of an axis.
        Self::begun(view, 3, HeldHandle::ring(view, axis, from, lever))
    }

    fn begun(view: &JointView, axis: usize, what: HeldHandle) -> Self {
        Self {
            axis,
            what,
            camera: view.camera,
            gone: 0.0,
            put: 0.0,
            last: Vec::new(),
            reached: None,
        }
    }

    /// What the pointer's place puts; `None` where it says nothing new.
    pub(super) fn follow(
        &mut self,
        view: &JointView,
        at: Pos2,
        modifiers: Modifiers,
    ) -> Option<Vec<Setting>> {
        let pace = if modifiers.shift && !modifiers.command { SLOW } else { 1.0 };
        let settings = match &mut self.what {
            HeldHandle::Ring { joint, axis, by, off } => {
                self.gone += by.turned_by(view, axis, at + *off) * pace;
                let step = match (modifiers.command, modifiers.shift) {
                    (true, true) => 1.0,
                    (true, false) => SNAP_DEG,
                    (false, _) => FINE_DEG,
                };
                self.put = ((self.gone.to_degrees() / step).round() * step).to_radians();
                vec![joint.turned(axis.axis_in_parent, self.put)]
            }
            HeldHandle::Arrow { joint, axis, last } => {
                let now = axis.along(&view.ray(at));
                if let Some((now, last)) = now.zip(*last) {
                    self.gone += (now - last) * pace;
                }
                *last = now.or(*last);
                let size = axis.step_in_world.length();
                let step = step(f64::from(view.camera.height) / size, modifiers);
                self.put = (self.gone / step).round() * step;
                vec![joint.moved(axis.step_in_parent * self.put)]
            }
            HeldHandle::End { bones, off } => {
                let place = place_of(view, bones.end_in_world(), at + *off, modifiers)?;
                let reached = bones.reach(place);
                let settings = reached.settings.to_vec();
                self.put = reached.between_rad;
                self.reached = Some(reached);
                settings
            }
        };
        if settings == self.last || (self.last.is_empty() && self.is_untouched()) {
            return None;
        }
        self.last.clone_from(&settings);
        Some(settings)
    }

    /// Has nothing been turned or moved yet?
    fn is_untouched(&self) -> bool {
        self.reached.is_none() && self.put == 0.0
    }
}

impl HeldHandle {
    /// A ring, by what is `off` the pointer; without that as one that is seen edge-on.
    fn ring(view: &JointView, axis: TurnAxis, from: Pos2, off: Option<Vec2>) -> Self {
        let angle = off.and_then(|off| axis.angle_at(&view.ray(from + off)));
        let off = off.unwrap_or_default();
        let by = match angle {
            Some(angle) => TurnBy::Plane(angle),
            None => TurnBy::Along(along(view, &axis), from + off),
        };
        Self::Ring { joint: view.held.clone(), axis, by, off }
    }
}

impl TurnBy {
    /// How far the pointer has turned since it was asked last, the short way round.
    fn turned_by(&mut self, view: &JointView, axis: &TurnAxis, at: Pos2) -> f64 {
        match self {
            Self::Plane(last) => {
                let Some(now) = axis.angle_at(&view.ray(at)) else {
                    return 0.0;
                };
                let by = now - *last;
                *last = now;
                by - TAU * (by / TAU).round()
            }
            Self::Along(way, last) => {
                let by = (at - *last).dot(*way);
                *last = at;
                f64::from(by)
            }
        }
    }
}

/// Where the ring that is seen edge-on runs fastest on the reader's side, as radians a
/// point along it.
fn along(view: &JointView, axis: &TurnAxis) -> Vec2 {
    let far = f64::from(view.reach_points()) * view.world_per_point();
    let forward = view.camera.forward().as_dvec3();
    let origin = view.held.origin_in_world;
    let step = TAU / STEPS as f64;
    let before = (0..STEPS).filter_map(|nth| {
        let angle = step * nth as f64;
        let [here, there] = [angle, angle + step].map(|angle| axis.at(angle, far));
        let is_near = (here - origin).dot(forward) <= 0.0;
        let way = view.project(there)? - view.project(here)?;
        is_near.then_some(way)
    });
    let fastest = before.max_by(|a, b| a.length_sq().total_cmp(&b.length_sq()));
    let way = fastest.unwrap_or(Vec2::X);
    way * (step as f32) / way.length_sq().max(1e-6)
}

/// The place of the end that the pointer asks for, in the plane that it is dragged in.
fn place_of(view: &JointView, end: DVec3, at: Pos2, modifiers: Modifiers) -> Option<DVec3> {
    let across = view.across_in_world().as_vec3();
    let at = at - view.rect.min;
    let at = glam::Vec2::new(at.x, at.y);
    let place = view.camera.on_plane(at, view.size(), end.as_vec3(), across)?;
    let step = step(f64::from(view.camera.height), modifiers);
    let place = place.as_dvec3();
    Some((place / step).round() * step)
}

/// In what steps a move goes, where the picture is so many units high: with Ctrl a
/// tenth of the picture or less, and a tenth of that with Shift; by hand a thousandth.
fn step(height: f64, modifiers: Modifiers) -> f64 {
    let tens = |part: f64| 10_f64.powf((height * part).max(1e-12).log10().floor());
    match (modifiers.command, modifiers.shift) {
        (true, false) => tens(0.25),
        (true, true) => tens(0.25) / 10.0,
        (false, _) => tens(0.25) / 1000.0,
    }
}

// What can be taken hold of: a ring, an arrow, the end of two bones.

/// Straight pieces of a ring.
const SEGMENTS: usize = 64;

/// A ring or an arrow in its place, or the end of two bones.
pub(super) struct Handle {
    /// 0 is x; of the end of two bones 3.
    pub(super) axis: usize,
    pub(super) kind: HandleKind,
    /// Points on the screen, one after the other, with whether each lies on the
    /// reader's side of the joint.
    pub(super) line: Vec<(Pos2, bool)>,
}

/// What it is, with what a drag along it means.
#[derive(Clone, Copy)]
pub(super) enum HandleKind {
    Ring(TurnAxis),
    Arrow(MoveAxis),
    End,
}

impl Handle {
    pub(super) fn new(view: &JointView, axis: usize, kind: HandleKind) -> Self {
        let far = f64::from(view.reach_points()) * view.world_per_point();
        let points: Vec<DVec3> = match &kind {
            HandleKind::Ring(turn) => turn.ring(far, SEGMENTS).collect(),
            HandleKind::Arrow(slide) => {
                let along = slide.step_in_world.normalize() * far;
                let origin = view.held.origin_in_world;
                vec![origin + along * 0.18, origin + along]
            }
            HandleKind::End => Vec::new(),
        };
        let forward = view.camera.forward().as_dvec3();
        let line = points.into_iter().filter_map(|point| {
            let behind = (point - view.held.origin_in_world).dot(forward);
            Some((view.project(point)?, behind <= 1e-6 * far))
        });
        Self { axis, kind, line: line.collect() }
    }

    /// The end of two bones.
    pub(super) fn end(view: &JointView) -> Self {
        Self { axis: 3, kind: HandleKind::End, line: vec![(view.at, true)] }
    }

    /// Far from the joint it is taken hold of; in points.
    pub(super) fn distance(&self, at: Pos2) -> f32 {
        let pieces = self.line.windows(2).map(|ends| {
            let far = distance_to_segment(at, [ends[0].0, ends[1].0]);
            // What lies behind gives way to what lies before it.
            if ends[0].1 { far } else { far + 4.0 }
        });
        let points = self.line.iter().map(|(point, _)| point.distance(at));
        let points = points.filter(|_| self.line.len() == 1);
        pieces.chain(points).fold(f32::INFINITY, f32::min)
    }

    /// Where words about it stand: its point that is farthest up and to the right.
    pub(super) fn words_at(&self) -> Option<Pos2> {
        let points = self.line.iter().map(|(point, _)| *point);
        points.max_by(|a, b| (a.x - a.y).total_cmp(&(b.x - b.y)))
    }
}

pub(super) fn distance_to_segment(at: Pos2, [from, to]: [Pos2; 2]) -> f32 {
    let along = to - from;
    let part = (at - from).dot(along) / along.length_sq().max(1e-6);
    at.distance(from + along * part.clamp(0.0, 1.0))
}
