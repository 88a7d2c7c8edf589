//! Drags of the gizmo's handles and of joints' badges, and the handles themselves.

use std::f64::consts::TAU;

use bindpose_lesson::Setting;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::posing::{HeldJoint, MoveAxis, ReachResult, TurnAxis, TwoBones};
use eframe::egui::{Modifiers, Pos2, Vec2};
use glam::DVec3;

use super::view::JointView;

/// Step of a rotation with Ctrl. With Ctrl and Shift the step is one degree.
const SNAP_STEP_DEG: f64 = 5.0;

/// Step of a rotation without Ctrl.
const FINE_STEP_DEG: f64 = 0.1;

/// Fraction of the pointer's movement that the joint follows with Shift alone.
const SLOW_PACE: f64 = 0.1;

/// Number of positions at which the speed of a ring on the screen is sampled.
const SPEED_SAMPLES: usize = 48;

/// Axis of a handle that belongs to none of the axes 0 to 2.
pub(super) const NO_AXIS: usize = 3;

/// A drag of a handle. All movement is relative to the state at its start.
#[derive(Clone)]
pub(super) struct Drag {
    pub(super) axis: usize,
    handle: HeldHandle,
    /// Camera at the start, which stays until the end: a model that is dragged is not framed
    /// again.
    pub(super) camera: Camera,
    /// Movement of the pointer, in radians or in units of the axis.
    travel: f64,
    /// Movement in whole steps, in the same units. For the end of two bones, the angle between
    /// them in radians.
    pub(super) applied: f64,
    last_settings: Vec<Setting>,
    /// Result for the end of two bones.
    pub(super) reached: Option<ReachResult>,
}

#[derive(Clone)]
enum HeldHandle {
    Ring {
        joint: HeldJoint,
        axis: TurnAxis,
        input: TurnInput,
        /// From the pointer to the point that it leads, in points.
        offset: Vec2,
    },
    Arrow {
        joint: HeldJoint,
        axis: MoveAxis,
        last_position: Option<f64>,
    },
    End {
        bones: Box<TwoBones>,
        /// From the pointer to the end at the start of the drag, in points.
        offset: Vec2,
    },
}

/// Conversion of pointer movement to an angle.
#[derive(Clone, Copy)]
enum TurnInput {
    /// The pointer's ray is intersected with the plane of the ring.
    Plane { last_angle_rad: f64 },
    /// The ring is seen edge-on, so that the pointer moves along it on the screen.
    EdgeOn { rad_per_point: Vec2, last_at: Pos2 },
}

impl Drag {
    /// Starts a drag of a handle at the screen position `from`.
    pub(super) fn new(
        view: &JointView,
        handle: &Handle,
        bones: Option<&TwoBones>,
        from: Pos2,
    ) -> Option<Self> {
        let held_handle = match handle.kind {
            HandleKind::Ring(axis) => HeldHandle::ring(view, axis, from, Some(Vec2::ZERO)),
            HandleKind::Arrow(axis) => HeldHandle::Arrow {
                joint: view.held.clone(),
                last_position: axis.along(&view.ray(from)),
                axis,
            },
            HandleKind::End => {
                HeldHandle::End { bones: Box::new(bones?.clone()), offset: view.at - from }
            }
        };
        Some(Self::start(view, handle.axis, held_handle))
    }

    /// Starts a drag of a joint by its badge. The pointer leads the point at `offset` from it.
    /// Without an offset it turns the joint like a ring that is seen edge-on.
    pub(super) fn of_badge(
        view: &JointView,
        axis: TurnAxis,
        from: Pos2,
        offset: Option<Vec2>,
    ) -> Self {
        Self::start(view, NO_AXIS, HeldHandle::ring(view, axis, from, offset))
    }

    fn start(view: &JointView, axis: usize, handle: HeldHandle) -> Self {
        Self {
            axis,
            handle,
            camera: *view.camera(),
            travel: 0.0,
            applied: 0.0,
            last_settings: Vec::new(),
            reached: None,
        }
    }

    /// Computes the settings for the pointer's position. Returns `None` if they have not changed.
    pub(super) fn follow_pointer(
        &mut self,
        view: &JointView,
        at: Pos2,
        modifiers: Modifiers,
    ) -> Option<Vec<Setting>> {
        let pace = if modifiers.shift && !modifiers.command { SLOW_PACE } else { 1.0 };
        let settings = match &mut self.handle {
            HeldHandle::Ring { joint, axis, input, offset } => {
                self.travel += input.angle_since_last(view, axis, at + *offset) * pace;
                let step_deg = match (modifiers.command, modifiers.shift) {
                    (true, true) => 1.0,
                    (true, false) => SNAP_STEP_DEG,
                    (false, _) => FINE_STEP_DEG,
                };
                self.applied =
                    ((self.travel.to_degrees() / step_deg).round() * step_deg).to_radians();
                vec![joint.turned(axis.axis_in_parent, self.applied)]
            }
            HeldHandle::Arrow { joint, axis, last_position } => {
                if let Some(position) = axis.along(&view.ray(at)) {
                    if let Some(last_position) = *last_position {
                        self.travel += (position - last_position) * pace;
                    }
                    *last_position = Some(position);
                }
                let height_in_axis_units =
                    f64::from(view.camera().height) / axis.step_in_world.length();
                let step = translation_step(height_in_axis_units, modifiers);
                self.applied = (self.travel / step).round() * step;
                vec![joint.moved(axis.step_in_parent * self.applied)]
            }
            HeldHandle::End { bones, offset } => {
                let end_in_world =
                    end_under_pointer(view, bones.end_in_world(), at + *offset, modifiers)?;
                let reached = bones.reach(end_in_world);
                let settings = reached.settings.to_vec();
                self.applied = reached.between_rad;
                self.reached = Some(reached);
                settings
            }
        };
        let is_untouched =
            self.last_settings.is_empty() && self.reached.is_none() && self.applied == 0.0;
        if settings == self.last_settings || is_untouched {
            return None;
        }
        self.last_settings.clone_from(&settings);
        Some(settings)
    }
}

impl HeldHandle {
    /// A ring whose point at `offset` from the pointer follows it. Without an offset, or if the
    /// pointer's ray misses the plane of the ring, the ring is turned as if seen edge-on.
    fn ring(view: &JointView, axis: TurnAxis, from: Pos2, offset: Option<Vec2>) -> Self {
        let angle_rad = offset.and_then(|offset| axis.angle_at(&view.ray(from + offset)));
        let offset = offset.unwrap_or_default();
        let input = match angle_rad {
            Some(last_angle_rad) => TurnInput::Plane { last_angle_rad },
            None => TurnInput::EdgeOn {
                rad_per_point: edge_on_rad_per_point(view, &axis),
                last_at: from + offset,
            },
        };
        Self::Ring { joint: view.held.clone(), axis, input, offset }
    }
}

impl TurnInput {
    /// Computes the angle since the last call, the short way round.
    fn angle_since_last(&mut self, view: &JointView, axis: &TurnAxis, at: Pos2) -> f64 {
        match self {
            Self::Plane { last_angle_rad } => {
                let Some(angle_rad) = axis.angle_at(&view.ray(at)) else {
                    return 0.0;
                };
                let delta = angle_rad - *last_angle_rad;
                *last_angle_rad = angle_rad;
                delta - TAU * (delta / TAU).round()
            }
            Self::EdgeOn { rad_per_point, last_at } => {
                let delta = (at - *last_at).dot(*rad_per_point);
                *last_at = at;
                f64::from(delta)
            }
        }
    }
}

/// Computes the direction of a ring where it moves fastest on the screen, on the reader's side.
/// Its length is radians per point.
fn edge_on_rad_per_point(view: &JointView, axis: &TurnAxis) -> Vec2 {
    let radius = view.radius_in_world();
    let forward = view.camera().forward().as_dvec3();
    let origin = view.held.origin_in_world;
    let step_rad = TAU / SPEED_SAMPLES as f64;
    let fastest = (0..SPEED_SAMPLES)
        .filter_map(|index| {
            let angle_rad = step_rad * index as f64;
            let here = axis.at(angle_rad, radius);
            let there = axis.at(angle_rad + step_rad, radius);
            let is_near = (here - origin).dot(forward) <= 0.0;
            let movement = view.project(there)? - view.project(here)?;
            is_near.then_some(movement)
        })
        .max_by(|a, b| a.length_sq().total_cmp(&b.length_sq()))
        .unwrap_or(Vec2::X);
    fastest * (step_rad as f32) / fastest.length_sq().max(1e-6)
}

/// Computes the world position for the end of two bones under the pointer, in the plane in which
/// it is dragged. Returns `None` if the plane is seen edge-on.
fn end_under_pointer(
    view: &JointView,
    end_in_world: DVec3,
    at: Pos2,
    modifiers: Modifiers,
) -> Option<DVec3> {
    let normal = view.drag_plane_normal_in_world().as_vec3();
    let position = view.picture.point_on_plane(at, end_in_world.as_vec3(), normal)?.as_dvec3();
    let step = translation_step(f64::from(view.camera().height), modifiers);
    Some((position / step).round() * step)
}

/// Computes the step of a translation in a picture of this height. With Ctrl it is the largest
/// power of ten up to a quarter of the height, with Ctrl and Shift a tenth of that, otherwise a
/// thousandth.
fn translation_step(picture_height: f64, modifiers: Modifiers) -> f64 {
    let coarse_step = 10_f64.powf((picture_height * 0.25).max(1e-12).log10().floor());
    match (modifiers.command, modifiers.shift) {
        (true, false) => coarse_step,
        (true, true) => coarse_step / 10.0,
        (false, _) => coarse_step / 1000.0,
    }
}

const RING_SEGMENTS: usize = 64;

/// A handle of the gizmo: a ring, an arrow, or the end of two bones.
pub(super) struct Handle {
    /// 0 to 2 for x to z, or [`NO_AXIS`] for the end of two bones.
    pub(super) axis: usize,
    pub(super) kind: HandleKind,
    pub(super) line: Vec<LinePoint>,
}

pub(super) struct LinePoint {
    pub(super) at: Pos2,
    /// True on the reader's side of the joint.
    pub(super) is_near: bool,
}

#[derive(Clone, Copy)]
pub(super) enum HandleKind {
    Ring(TurnAxis),
    Arrow(MoveAxis),
    End,
}

impl Handle {
    pub(super) fn ring(view: &JointView, axis: usize, turn: TurnAxis) -> Self {
        let points = turn.ring(view.radius_in_world(), RING_SEGMENTS);
        Self { axis, kind: HandleKind::Ring(turn), line: project_line(view, points) }
    }

    pub(super) fn arrow(view: &JointView, axis: usize, translation: MoveAxis) -> Self {
        let along = translation.step_in_world.normalize() * view.radius_in_world();
        let origin = view.held.origin_in_world;
        let points = [origin + along * 0.18, origin + along];
        let line = project_line(view, points.into_iter());
        Self { axis, kind: HandleKind::Arrow(translation), line }
    }

    /// The end of two bones.
    pub(super) fn end(view: &JointView) -> Self {
        let line = vec![LinePoint { at: view.at, is_near: true }];
        Self { axis: NO_AXIS, kind: HandleKind::End, line }
    }

    /// Distance of a position from the handle, in points.
    pub(super) fn distance(&self, at: Pos2) -> f32 {
        if let [point] = &self.line[..] {
            return point.at.distance(at);
        }
        self.line
            .windows(2)
            .map(|ends| {
                let distance = distance_to_segment(at, ends[0].at, ends[1].at);
                // The near side of a ring has precedence over the far side.
                if ends[0].is_near { distance } else { distance + 4.0 }
            })
            .fold(f32::INFINITY, f32::min)
    }

    /// Position of the handle's label: the point farthest to the upper right.
    pub(super) fn label_at(&self) -> Option<Pos2> {
        self.line.iter().map(|point| point.at).max_by(|a, b| (a.x - a.y).total_cmp(&(b.x - b.y)))
    }
}

fn project_line(view: &JointView, points_in_world: impl Iterator<Item = DVec3>) -> Vec<LinePoint> {
    let radius = view.radius_in_world();
    let forward = view.camera().forward().as_dvec3();
    points_in_world
        .filter_map(|point| {
            let depth = (point - view.held.origin_in_world).dot(forward);
            Some(LinePoint { at: view.project(point)?, is_near: depth <= 1e-6 * radius })
        })
        .collect()
}

pub(super) fn distance_to_segment(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let along = to - from;
    let fraction = (at - from).dot(along) / along.length_sq().max(1e-6);
    at.distance(from + along * fraction.clamp(0.0, 1.0))
}
