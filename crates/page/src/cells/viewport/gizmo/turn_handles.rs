//! Joints turned in the picture without a gizmo: by their badges, and, if a step offers this, by an
//! arc with a knob, by the bone, or by the surface that they move. The Tab key focuses each of
//! them, and arrow keys turn it.

use bindpose_gltf::ParamKind;
use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::Scrub;
use bindpose_lesson::Gizmo as Tool;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::posing::{HeldJoint, TurnAxis};
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{Derived, Edit, Entity, offered_params};
use bindpose_skin::JointIndex;
use eframe::egui::{
    CursorIcon, Id, Painter, PointerButton, Pos2, Rect, Response, Stroke, Ui, Vec2,
};
use glam::DVec3;

use super::super::overlay::Overlay;
use super::super::picture_view::PictureView;
use super::drag::{Drag, distance_to_segment};
use super::view::{
    JointView, format_signed, handle_reach, mark_number, paint_arrow_head, pointer_reach,
};
use crate::PageContext;

/// Maximum number of joints with handles. A step that offers more has lists of them, and a drag of
/// its picture moves the camera.
const MAX_HANDLES: usize = 8;

/// Minimum height of a picture with arcs.
const MIN_ARC_PICTURE_HEIGHT_PTS: f32 = 150.0;

const KNOB_RADIUS_PTS: f32 = 5.5;

/// Length of an arc on each side of its knob.
const HALF_ARC_PTS: f32 = 32.0;

const ARC_SEGMENTS: usize = 12;

/// Position of the knob along the bone, as a fraction of its length.
const KNOB_ON_BONE: f32 = 0.62;

/// Minimum distance of the knob from the joint.
const MIN_ARC_RADIUS_PTS: f32 = 44.0;

/// Handles of the joints in one picture and one frame.
pub(in crate::cells) struct TurnHandles(Vec<TurnHandle>);

struct TurnHandle {
    badge: TurnedBadge,
    joint: JointIndex,
    /// Points of the arc. Empty if the picture is too low for arcs.
    arc: Vec<Pos2>,
    knob: Option<Pos2>,
    /// Screen positions of the joint's children, at the ends of its bones.
    bone_ends: Vec<Pos2>,
}

impl TurnHandles {
    /// Creates handles for the joints that the step's parameters turn. Creates none while the
    /// gizmo is on, or if there are too many joints.
    pub(in super::super) fn new(page: &PageContext<'_>, picture: &PictureView) -> Self {
        let params = offered_params(page.lesson, page.document.step, &page.derived.rig);
        let joints = joints_turned_by(page, &params);
        if joints.len() > MAX_HANDLES || page.document.state.gizmo != Tool::Off {
            return Self(Vec::new());
        }
        Self(
            joints
                .into_iter()
                .filter_map(|joint| TurnHandle::new(page, picture, joint, &params))
                .collect(),
        )
    }

    /// Finds the joint whose arc or bone is nearest to a position and within the pointer's reach.
    fn joint_at(&self, ui: &Ui, at: Pos2) -> Option<JointIndex> {
        let reach = handle_reach(ui);
        self.0
            .iter()
            .map(|handle| (handle.joint, handle.distance(at)))
            .filter(|&(_, distance)| distance < reach)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(joint, _)| joint)
    }

    /// Finds the joint that a press on the surface turns: the strongest joint of the vertex there,
    /// or its nearest ancestor with a handle.
    fn joint_under_surface(
        &self,
        at: Pos2,
        picture: &PictureView,
        frame: &ViewportFrame<'_>,
        marked: Option<Entity>,
    ) -> Option<JointIndex> {
        if self.0.is_empty() {
            return None;
        }
        let vertex = if let Some(Entity::Vertex(vertex)) = marked {
            vertex
        } else {
            let local = (picture.local_from_screen(at), picture.size());
            frame.vertex_at(&picture.camera, local)?
        };
        let influences = frame.derived.influences.get(vertex as usize)?;
        let strongest = influences.used().max_by(|a, b| a.2.total_cmp(&b.2))?.1;
        std::iter::once(strongest)
            .chain(frame.derived.rig.skeleton.ancestors(strongest))
            .find(|joint| self.0.iter().any(|handle| handle.joint == *joint))
    }

    /// Paints all handles. The one of the `highlighted` joint is emphasized.
    pub(in super::super) fn paint(
        &self,
        painter: &Painter,
        theme: &Theme,
        highlighted: Option<JointIndex>,
    ) {
        for handle in &self.0 {
            handle.paint(painter, theme, highlighted == Some(handle.joint));
        }
    }

    /// Adds each handle as a number for keys and screen readers. Returns the focused joint.
    pub(in super::super) fn handle_keys(
        &self,
        ui: &Ui,
        picture_id: &str,
        picture: Rect,
        page: &mut PageContext<'_>,
    ) -> Option<JointIndex> {
        let mut focused_joint = None;
        for handle in &self.0 {
            let Some(name) = &handle.badge.param else { continue };
            let Some(param) = page.derived.rig.param(name) else { continue };
            let value = page.derived.param(name).unwrap_or(param.default);
            let id = Id::unique(("turn handle", picture_id, handle.joint));
            let at = handle.knob.unwrap_or(handle.badge.view.at);
            let label = format!("turn joint {} in the picture", handle.joint.0);
            let scrub = Scrub::with_id(id, value, label)
                .suffix("°")
                .decimals(1)
                .range(param.range.0..=param.range.1);
            let input = mark_number(ui, id, picture, at, &scrub);
            if input.has_focus {
                focused_joint = Some(handle.joint);
            }
            page.change_param(name, input.change);
        }
        focused_joint
    }
}

/// Finds the joint that a press at a position turns: by its badge, its handle, or the surface that
/// it moves.
pub(in super::super) fn find_turnable_joint(
    ui: &Ui,
    at: Pos2,
    overlay: &Overlay<'_>,
    frame: &ViewportFrame<'_>,
    handles: Option<&TurnHandles>,
) -> Option<JointIndex> {
    let marked = overlay.pick(at, pointer_reach(ui));
    if let Some(Entity::Joint(joint)) = marked {
        return Some(joint);
    }
    let handles = handles?;
    handles
        .joint_at(ui, at)
        .or_else(|| handles.joint_under_surface(at, &overlay.view, frame, marked))
}

/// Lists the joints that one of these parameters turns alone.
fn joints_turned_by(page: &PageContext<'_>, params: &[&str]) -> Vec<JointIndex> {
    let rig = &page.derived.rig;
    let mut joints = Vec::new();
    for name in params {
        if let Some(ParamKind::Angle { joint, .. }) = rig.param(name).map(|param| param.kind)
            && !joints.contains(&joint)
        {
            joints.push(joint);
        }
    }
    joints
}

impl TurnHandle {
    /// Returns `None` if a drag of this joint moves the camera.
    fn new(
        page: &PageContext<'_>,
        picture: &PictureView,
        joint: JointIndex,
        offered_params: &[&str],
    ) -> Option<Self> {
        let badge = TurnedBadge::with_params(page, picture, joint, offered_params)?;
        let bone_ends: Vec<Pos2> = child_positions_in_world(page.derived, joint)
            .filter_map(|end| badge.view.project(end))
            .collect();
        let arc = if picture.rect.height() < MIN_ARC_PICTURE_HEIGHT_PTS {
            Vec::new()
        } else {
            let radius = bone_ends
                .first()
                .map(|end| (end.distance(badge.view.at) * KNOB_ON_BONE).max(MIN_ARC_RADIUS_PTS));
            badge.arc(page.derived, radius)
        };
        let knob = arc.get(arc.len() / 2).copied();
        Some(Self { badge, joint, arc, knob, bone_ends })
    }

    /// Distance of a position from the bones and the arc, in points.
    fn distance(&self, at: Pos2) -> f32 {
        let joint_at = self.badge.view.at;
        let to_bones = self.bone_ends.iter().map(|&end| distance_to_segment(at, joint_at, end));
        let to_arc = self.arc.windows(2).map(|ends| distance_to_segment(at, ends[0], ends[1]));
        to_bones.chain(to_arc).fold(f32::INFINITY, f32::min)
    }

    fn paint(&self, painter: &Painter, theme: &Theme, is_highlighted: bool) {
        let [.., before_last, last] = self.arc[..] else { return };
        let [first, second, ..] = self.arc[..] else { return };
        let width = if is_highlighted { 3.5 } else { 2.0 };
        let halo = Stroke::new(width + 3.0, theme.paper.gamma_multiply(0.8));
        painter.line(self.arc.clone(), halo);
        painter.line(self.arc.clone(), Stroke::new(width, theme.accent));
        paint_arrow_head(painter, (first - second).normalized(), first, theme.accent);
        paint_arrow_head(painter, (last - before_last).normalized(), last, theme.accent);
        if let Some(knob) = self.knob {
            let (fill, edge) = if is_highlighted {
                (theme.accent, theme.paper)
            } else {
                (theme.paper, theme.accent)
            };
            painter.circle(knob, KNOB_RADIUS_PTS, fill, Stroke::new(2.0, edge));
        }
    }
}

// A drag of a joint, by its badge or by the surface that it moves, turns it about the axis of a
// parameter that the step offers. While the turning gizmo is on, joints without such a parameter
// turn about the axis that faces the reader. All other drags move the camera.

/// Hint beside the name of a joint that its badge turns.
pub(in super::super) const BADGE_HINT: &str = "drag to turn it";

/// Distance of the label below the badge.
const LABEL_DISTANCE_PTS: f32 = 22.0;

/// Minimum part of the bone's direction in the plane of the turn at which the pointer leads the
/// bone.
const MIN_BONE_IN_PLANE: f64 = 0.3;

/// A joint in one picture and one frame whose badge turns it.
pub(in super::super) struct TurnedBadge {
    view: JointView,
    axis: TurnAxis,
    /// The parameter that the drag changes. `None` if the joint is turned by hand.
    param: Option<String>,
}

/// A drag of a badge.
#[derive(Clone)]
pub(super) struct BadgeDrag {
    joint: JointIndex,
    param: Option<String>,
    pub(super) drag: Drag,
}

impl TurnedBadge {
    /// Returns `None` if a drag of this joint moves the camera.
    pub(in super::super) fn new(
        page: &PageContext<'_>,
        picture: &PictureView,
        joint: JointIndex,
    ) -> Option<Self> {
        let params = offered_params(page.lesson, page.document.step, &page.derived.rig);
        Self::with_params(page, picture, joint, &params)
    }

    /// Like [`Self::new`], with the parameters that the step offers.
    fn with_params(
        page: &PageContext<'_>,
        picture: &PictureView,
        joint: JointIndex,
        offered_params: &[&str],
    ) -> Option<Self> {
        let tool = page.document.state.gizmo;
        if matches!(tool, Tool::Move | Tool::Reach) || page.derived.is_moved_by_program(joint) {
            return None;
        }
        let view = joint_view(page, picture, joint)?;
        let are_all_params_offered = tool == Tool::Turn || page.view.bench.is_open;
        let forward = picture.camera.forward().as_dvec3();
        // Prefers the parameter whose ring faces the camera most directly.
        let param = view
            .held
            .params()
            .filter(|(name, _)| are_all_params_offered || offered_params.contains(name))
            .max_by(|a, b| a.1.facing(forward).total_cmp(&b.1.facing(forward)))
            .map(|(name, axis)| (name.to_owned(), axis));
        if let Some((name, axis)) = param {
            return Some(Self { view, axis, param: Some(name) });
        }
        if tool != Tool::Turn {
            return None;
        }
        // A flat figure is seen from its front.
        let looking_in_world = if view.flat { DVec3::NEG_Z } else { forward };
        let axis = view.held.facing_axis(looking_in_world).ok()?;
        Some(Self { view, axis, param: None })
    }

    /// Computes the screen points of an arc around the joint. Its middle is where the bone leads,
    /// or the point nearest to the reader if the bone is not in the plane of the turn. `radius` is
    /// in points, at most that of a gizmo, which is also the default.
    fn arc(&self, derived: &Derived, radius: Option<f32>) -> Vec<Pos2> {
        let bone = bone_direction_in_world(derived, self.view.held.joint);
        let (bone_angle_rad, part_in_plane) = self.axis.angle_towards(bone);
        let middle_rad = if part_in_plane > MIN_BONE_IN_PLANE {
            bone_angle_rad
        } else {
            self.axis.angle_towards(-self.view.camera().forward().as_dvec3()).0
        };
        let max_radius = self.view.radius_pts();
        let radius = radius.map_or(max_radius, |radius| radius.min(max_radius));
        let half_rad = f64::from(HALF_ARC_PTS / radius);
        let radius_in_world = f64::from(radius) * self.view.world_per_point();
        let half_count = ARC_SEGMENTS as f64 / 2.0;
        (0..=ARC_SEGMENTS)
            .filter_map(|index| {
                let angle_rad = middle_rad + half_rad * (index as f64 / half_count - 1.0);
                self.view.project(self.axis.at(angle_rad, radius_in_world))
            })
            .collect()
    }

    /// Starts a drag. On the badge itself, the pointer leads the end of the bone. Elsewhere it
    /// leads the point under it.
    fn start_drag(self, derived: &Derived, from: Pos2, reach: f32) -> BadgeDrag {
        let offset = if from.distance(self.view.at) < reach {
            self.offset_to_bone_end(derived)
        } else {
            Some(Vec2::ZERO)
        };
        let drag = Drag::of_badge(&self.view, self.axis, from, offset);
        BadgeDrag { joint: self.view.held.joint, param: self.param, drag }
    }

    /// Offset from the badge to the point of the bone that the pointer leads, in points. Returns
    /// `None` if the bone points along the axis.
    fn offset_to_bone_end(&self, derived: &Derived) -> Option<Vec2> {
        let bone = bone_direction_in_world(derived, self.view.held.joint);
        let (angle_rad, part_in_plane) = self.axis.angle_towards(bone);
        let end = self.view.project(self.axis.at(angle_rad, self.view.radius_in_world()))?;
        (part_in_plane > MIN_BONE_IN_PLANE).then_some(end - self.view.at)
    }
}

fn joint_view(
    page: &PageContext<'_>,
    picture: &PictureView,
    joint: JointIndex,
) -> Option<JointView> {
    let held = HeldJoint::new(page.document, page.derived, joint)?;
    JointView::new(held, page, picture)
}

/// Computes the direction of a joint's bone: to its first child, or, without children, in the
/// direction from its parent at rest.
fn bone_direction_in_world(derived: &Derived, joint: JointIndex) -> DVec3 {
    let Some(world_from_joint) = derived.joints.world_from_joint.get(joint.index()) else {
        return DVec3::ZERO;
    };
    let origin = world_from_joint.w_axis.truncate().as_dvec3();
    let to_child = child_positions_in_world(derived, joint)
        .map(|child| child - origin)
        .find(|direction| direction.length_squared() > 0.0);
    to_child.unwrap_or_else(|| {
        let at_rest = derived
            .rig
            .skeleton
            .joints()
            .get(joint.index())
            .map(|joint| joint.parent_from_joint_at_rest)
            .unwrap_or_default();
        let in_joint = at_rest.rotation.inverse() * at_rest.translation;
        world_from_joint.transform_vector3(in_joint).as_dvec3()
    })
}

fn child_positions_in_world(
    derived: &Derived,
    parent: JointIndex,
) -> impl Iterator<Item = DVec3> + '_ {
    derived
        .rig
        .skeleton
        .joints()
        .iter()
        .zip(&derived.joints.world_from_joint)
        .filter(move |(joint, _)| joint.parent == Some(parent))
        .map(|(_, world_from_joint)| world_from_joint.w_axis.truncate().as_dvec3())
}

/// Handles a drag that began on a joint. Returns true during such a drag. `pressed_joint` is the
/// joint on which a drag starts in this frame.
pub(in super::super) fn drag_badge(
    ui: &Ui,
    id: &str,
    response: &Response,
    picture: &PictureView,
    pressed_joint: Option<JointIndex>,
    page: &mut PageContext<'_>,
) -> bool {
    page.with_state(id, |drag: &mut Option<BadgeDrag>, page| {
        if response.drag_started_by(PointerButton::Primary) {
            *drag = None;
            if let Some(from) = ui.input(|input| input.pointer.press_origin())
                && let Some(joint) = pressed_joint
                && let Some(badge) = TurnedBadge::new(page, picture, joint)
            {
                *drag = Some(badge.start_drag(page.derived, from, pointer_reach(ui)));
            }
        }
        // Two fingers move the camera.
        let has_two_fingers = ui.input(|input| input.multi_touch().is_some());
        if has_two_fingers || !response.dragged_by(PointerButton::Primary) {
            *drag = None;
        }
        if let Some(badge) = drag
            && let Some(at) = response.interact_pointer_pos()
            && let Some(view) = joint_view(page, picture, badge.joint)
        {
            let modifiers = ui.input(|input| input.modifiers);
            let settings = badge.drag.follow_pointer(&view, at, modifiers);
            page.requests.edits.extend(settings.map(Edit::Settings));
        }
        drag.is_some()
    })
}

/// Paints the changing number during a drag of a joint. Returns that joint.
pub(in super::super) fn paint_held_badge(
    ui: &Ui,
    painter: &Painter,
    id: &str,
    picture: &PictureView,
    page: &mut PageContext<'_>,
) -> Option<JointIndex> {
    let badge = page.state::<Option<BadgeDrag>>(id).clone()?;
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    if let Some(view) = joint_view(page, picture, badge.joint) {
        view.paint_label(painter, page.theme, LABEL_DISTANCE_PTS, &badge.label(page));
    }
    Some(badge.joint)
}

impl BadgeDrag {
    fn label(&self, page: &PageContext<'_>) -> String {
        let change = format_signed(self.drag.applied.to_degrees(), 1);
        match self.param.as_ref().and_then(|name| page.derived.rig.param(name)) {
            Some(param) => {
                let value = page.derived.param(&param.name).unwrap_or(param.default);
                format!("{} {}° ({change}°)", param.label, fixed(value.to_degrees(), 1))
            }
            None => format!("joint {} by hand, {change}°", self.joint.0),
        }
    }
}
