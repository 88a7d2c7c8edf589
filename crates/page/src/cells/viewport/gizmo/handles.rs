//! Joints that a step invites to turn, taken in the picture: by an arc with a knob, by
//! the bone, or by the surface that they move. Tab reaches each, and arrows turn it.

use bindpose_asset::ParamKind;
use bindpose_lesson::Gizmo as Tool;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{Derived, Entity, offered_params};
use bindpose_skin::JointIndex;
use eframe::egui::{Id, Painter, Pos2, Rect, Stroke, Ui};

use super::super::overlay::Overlay;
use super::badge::{TurnedBadge, bones_in_world};
use super::drag::distance_to_segment;
use super::view::{in_picture, number_of_mark, paint_head, reach};
use crate::PageContext;
use crate::theme::Theme;
use crate::widgets::Scrub;

/// A step that offers more joints has lists of them, and its picture turns by a drag.
const MOST: usize = 8;
/// No arcs in pictures that are lower, in points.
const LEAST_HEIGHT: f32 = 150.0;
/// Radius of a knob, in points.
const KNOB: f32 = 5.5;
/// How far an arc goes to both sides of its knob, in points.
const HALF_ARC: f32 = 32.0;
/// Straight pieces of an arc.
const SEGMENTS: usize = 12;
/// Where along the bone its knob stands, as a part of it; at least so many points away.
const ON_BONE: f32 = 0.62;
const LEAST_RADIUS: f32 = 44.0;

/// The joints of one picture that can be taken, in one frame.
pub(in crate::cells) struct TurnHandles(Vec<TurnHandle>);

struct TurnHandle {
    badge: TurnedBadge,
    joint: JointIndex,
    /// Straight pieces of the arc; empty where it has no room.
    arc: Vec<Pos2>,
    knob: Option<Pos2>,
    /// From the joint to each that hangs on it.
    bones: Vec<Pos2>,
}

impl TurnHandles {
    /// None at all where a gizmo is at work or the step offers too many.
    pub(in super::super) fn new(page: &PageContext<'_>, place: (&Camera, Rect)) -> Self {
        let offered = offered_params(page.lesson, page.document.step, &page.derived.rig);
        let joints = offered_joints(page, &offered);
        if joints.len() > MOST || page.document.state.gizmo != Tool::Off {
            return Self(Vec::new());
        }
        let handle = |joint| TurnHandle::new(page, place, joint, &offered);
        Self(joints.into_iter().filter_map(handle).collect())
    }

    /// The joint that a press there takes by its knob or its bone.
    fn under(&self, ui: &Ui, at: Pos2) -> Option<JointIndex> {
        let near = self.0.iter().map(|handle| (handle.joint, handle.distance(at)));
        let near = near.filter(|&(_, distance)| distance < reach(ui) * 0.8);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(joint, _)| joint)
    }

    /// The joint that a press on the surface takes: of that which moves the vertex there
    /// most, or the next above it.
    fn under_surface(
        &self,
        at: Pos2,
        (camera, rect): (&Camera, Rect),
        frame: &ViewportFrame<'_>,
        marked: Option<Entity>,
    ) -> Option<JointIndex> {
        if self.0.is_empty() {
            return None;
        }
        let vertex = match marked {
            Some(Entity::Vertex(vertex)) => vertex,
            _ => frame.vertex_at(camera, in_picture(at, rect))?,
        };
        self.above(frame.derived, vertex)
    }

    fn above(&self, derived: &Derived, vertex: u32) -> Option<JointIndex> {
        let influences = derived.influences.get(vertex as usize)?;
        let most = influences.used().max_by(|a, b| a.2.total_cmp(&b.2))?.1;
        let joints = derived.rig.skeleton.joints();
        let parent = |joint: &JointIndex| joints.get(joint.index())?.parent;
        let mut upwards = std::iter::successors(Some(most), parent);
        upwards.find(|joint| self.0.iter().any(|handle| handle.joint == *joint))
    }

    /// Draws them, `lit` as one that can be taken now.
    pub(in super::super) fn paint(
        &self,
        painter: &Painter,
        theme: &Theme,
        lit: Option<JointIndex>,
    ) {
        for handle in &self.0 {
            handle.paint(painter, theme, lit == Some(handle.joint));
        }
    }

    /// Each as a number for the keys and for screen readers; says which has the focus.
    pub(in super::super) fn keys(
        &self,
        ui: &Ui,
        (id, rect): (&str, Rect),
        page: &mut PageContext<'_>,
    ) -> Option<JointIndex> {
        let mut focused = None;
        for handle in &self.0 {
            let Some(name) = handle.badge.param() else { continue };
            let Some(param) = page.derived.rig.param(name) else { continue };
            let now = page.derived.param(name).unwrap_or(param.default);
            let node = Id::unique(("turn handle", id, handle.joint));
            let at = handle.knob.unwrap_or_else(|| handle.badge.at());
            let label = format!("turn joint {} in the picture", handle.joint.0);
            let scrub = Scrub::with_id(node, now, label).suffix("°").decimals(1);
            let scrub = scrub.range(param.range.0..=param.range.1);
            let (has_focus, change) = number_of_mark(ui, node, (rect, at), &scrub);
            if has_focus {
                focused = Some(handle.joint);
            }
            page.change_param(name, change);
        }
        focused
    }
}

/// The joint that a press there takes: by its badge, its handle, or what it moves.
pub(in super::super) fn taken_joint(
    ui: &Ui,
    at: Pos2,
    overlay: &Overlay<'_>,
    (frame, camera): (&ViewportFrame<'_>, &Camera),
    handles: Option<&TurnHandles>,
) -> Option<JointIndex> {
    let marked = overlay.pick(at, reach(ui));
    if let Some(Entity::Joint(joint)) = marked {
        return Some(joint);
    }
    let handles = handles?;
    let by_handle = handles.under(ui, at);
    by_handle.or_else(|| handles.under_surface(at, (camera, overlay.rect), frame, marked))
}

/// Those that a number of the step turns alone.
fn offered_joints(page: &PageContext<'_>, offered: &[&str]) -> Vec<JointIndex> {
    let rig = &page.derived.rig;
    let mut joints = Vec::new();
    for name in offered {
        if let Some(ParamKind::Angle { joint, .. }) = rig.param(name).map(|param| param.kind)
            && !joints.contains(&joint)
        {
            joints.push(joint);
        }
    }
    joints
}

impl TurnHandle {
    fn new(
        page: &PageContext<'_>,
        place: (&Camera, Rect),
        joint: JointIndex,
        offered: &[&str],
    ) -> Option<Self> {
        let badge = TurnedBadge::of_offered(page, place, joint, offered)?;
        let at = badge.at();
        let ends = bones_in_world(page.derived, joint);
        let bones: Vec<Pos2> = ends.filter_map(|end| badge.project(end)).collect();
        let on_bone = bones.first().map(|end| (end.distance(at) * ON_BONE).max(LEAST_RADIUS));
        let arc = if place.1.height() < LEAST_HEIGHT {
            Vec::new()
        } else {
            badge.arc(page.derived, on_bone, (HALF_ARC, SEGMENTS))
        };
        let knob = arc.get(arc.len() / 2).copied();
        Some(Self { badge, joint, arc, knob, bones })
    }

    fn distance(&self, at: Pos2) -> f32 {
        let from = self.badge.at();
        let bones = self.bones.iter().map(|&to| distance_to_segment(at, [from, to]));
        let arc = self.arc.windows(2).map(|ends| distance_to_segment(at, [ends[0], ends[1]]));
        bones.chain(arc).fold(f32::INFINITY, f32::min)
    }

    fn paint(&self, painter: &Painter, theme: &Theme, lit: bool) {
        let [.., before, last] = self.arc[..] else { return };
        let [first, second, ..] = self.arc[..] else { return };
        let width = if lit { 3.5 } else { 2.0 };
        let ground = Stroke::new(width + 3.0, theme.paper.gamma_multiply(0.8));
        let stroke = Stroke::new(width, theme.accent);
        for stroke in [ground, stroke] {
            painter.line(self.arc.clone(), stroke);
        }
        for [from, to] in [[second, first], [before, last]] {
            paint_head(painter, (to - from).normalized(), to, stroke.color);
        }
        if let Some(knob) = self.knob {
            let (fill, edge) =
                if lit { (theme.accent, theme.paper) } else { (theme.paper, theme.accent) };
            painter.circle(knob, KNOB, fill, Stroke::new(2.0, edge));
        }
    }
}
