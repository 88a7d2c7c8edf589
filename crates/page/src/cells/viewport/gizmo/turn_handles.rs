//! Joints turned in the picture without a gizmo: by their badges, and, where a step invites
//! to it, by an arc with a knob, by the bone, or by the surface that they move. Tab reaches
//! each of these, and arrows turn it.

use bindpose_asset::ParamKind;
use bindpose_lesson::Gizmo as Tool;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::posing::{HeldJoint, TurnAxis};
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{Derived, Edit, Entity, offered_params};
use bindpose_skin::JointIndex;
use eframe::egui::{
    CursorIcon, Id, Painter, PointerButton, Pos2, Rect, Response, Stroke, Ui, Vec2,
};
use glam::DVec3;

use super::super::overlay::Overlay;
use super::drag::{Drag, distance_to_segment};
use super::view::{JointView, in_picture, number_of_mark, paint_head, reach, signed, write};
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
        let mut upwards = std::iter::once(most).chain(derived.rig.skeleton.ancestors(most));
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

// A drag of a joint, by its badge or by what it moves, turns it about the axis of a parameter
// that the step offers, or, while the gizmo turns, about the one that faces the reader.
// Elsewhere such a drag is the camera's.

/// What is said of a joint that can be taken by its badge.
pub(in super::super) const BADGE_HINT: &str = "drag to turn it";

/// Words stand this far below the badge, in points.
const BELOW: f32 = 22.0;

/// So much of the bone must lie in the plane of the turn, for the pointer to lead it.
const IN_PLANE: f64 = 0.3;

/// A joint whose badge turns it, in one picture and one frame.
pub(in super::super) struct TurnedBadge {
    view: JointView,
    axis: TurnAxis,
    /// Of the parameter that follows; `None`: by hand.
    param: Option<String>,
}

/// The badge that is held, and what was taken hold of.
#[derive(Clone)]
pub(super) struct BadgeDrag {
    joint: JointIndex,
    param: Option<String>,
    pub(super) drag: Drag,
}

impl TurnedBadge {
    /// `None` where a drag of this joint is the camera's.
    pub(in super::super) fn new(
        page: &PageContext<'_>,
        place: (&Camera, Rect),
        joint: JointIndex,
    ) -> Option<Self> {
        let offered = offered_params(page.lesson, page.document.step, &page.derived.rig);
        Self::of_offered(page, place, joint, &offered)
    }

    /// The same where the parameters that the step offers are known.
    fn of_offered(
        page: &PageContext<'_>,
        (camera, rect): (&Camera, Rect),
        joint: JointIndex,
        offered: &[&str],
    ) -> Option<Self> {
        let state = &page.document.state;
        let turns = state.gizmo == Tool::Turn;
        let other_tool = matches!(state.gizmo, Tool::Move | Tool::Reach);
        if other_tool || page.derived.is_moved_by_program(joint) {
            return None;
        }
        let view = view_of(page, (camera, rect), joint)?;
        let is_offered = |name: &str| turns || page.view.bench.open || offered.contains(&name);
        let looking = camera.forward().as_dvec3();
        // Of several the one that is seen best.
        let params = view.held.params().filter(|(name, _)| is_offered(name));
        let best = params.max_by(|a, b| a.1.facing(looking).total_cmp(&b.1.facing(looking)));
        let best = best.map(|(name, axis)| (Some(name.to_owned()), axis));
        let by_hand = || {
            // A flat figure is seen from its front.
            let looking = if view.flat { DVec3::NEG_Z } else { looking };
            Some((None, view.held.facing_axis(looking).ok()?))
        };
        let (param, axis) = best.or_else(|| by_hand().filter(|_| turns))?;
        Some(Self { view, axis, param })
    }

    /// The parameter that follows; `None` by hand.
    fn param(&self) -> Option<&str> {
        self.param.as_deref()
    }

    /// Where the joint is in the picture.
    fn at(&self) -> Pos2 {
        self.view.at
    }

    fn project(&self, in_world: DVec3) -> Option<Pos2> {
        self.view.project(in_world)
    }

    /// Around the joint, to both sides of where its bone leads, or else of where it is
    /// nearest to the reader; `far` and `half` in points, `far` absent: as far as a gizmo
    /// reaches.
    fn arc(
        &self,
        derived: &Derived,
        far: Option<f32>,
        (half, segments): (f32, usize),
    ) -> Vec<Pos2> {
        let (on_bone, part) = self.axis.angle_towards(bone_in_world(derived, self.view.held.joint));
        let middle = if part > IN_PLANE {
            on_bone
        } else {
            self.axis.angle_towards(-self.view.camera.forward().as_dvec3()).0
        };
        let reach = self.view.reach_points();
        let far = far.map_or(reach, |far| far.min(reach));
        let half_rad = f64::from(half / far);
        let steps = segments as f64 / 2.0;
        let angles = (0..=segments).map(|nth| middle + half_rad * (nth as f64 / steps - 1.0));
        let far = f64::from(far) * self.view.world_per_point();
        angles.filter_map(|angle_rad| self.view.project(self.axis.at(angle_rad, far))).collect()
    }

    /// By its badge the pointer leads the bone; elsewhere what it is on.
    fn held(self, derived: &Derived, from: Pos2, reach: f32) -> BadgeDrag {
        let lever = if from.distance(self.view.at) < reach {
            self.lever(bone_in_world(derived, self.view.held.joint))
        } else {
            Some(Vec2::ZERO)
        };
        let drag = Drag::of_badge(&self.view, self.axis, from, lever);
        BadgeDrag { joint: self.view.held.joint, param: self.param, drag }
    }

    /// From the badge to the point of the bone that the pointer leads, in points; absent
    /// where the bone points along the axis.
    fn lever(&self, bone_in_world: DVec3) -> Option<Vec2> {
        let (angle_rad, part) = self.axis.angle_towards(bone_in_world);
        let far = f64::from(self.view.reach_points()) * self.view.world_per_point();
        let end = self.view.project(self.axis.at(angle_rad, far))?;
        (part > IN_PLANE).then_some(end - self.view.at)
    }
}

fn view_of(
    page: &PageContext<'_>,
    (camera, rect): (&Camera, Rect),
    joint: JointIndex,
) -> Option<JointView> {
    let held = HeldJoint::new(page.document, page.derived, joint)?;
    let of_page = (page.document.state.gizmo_frame, page.derived.rig.flat);
    JointView::new(held, of_page, camera, rect)
}

/// Where the bone of a joint leads: to its first child, or on as it came from its parent.
fn bone_in_world(derived: &Derived, joint: JointIndex) -> DVec3 {
    let frames = &derived.joints.world_from_joint;
    let joints = derived.rig.skeleton.joints();
    let Some(own) = frames.get(joint.index()) else {
        return DVec3::ZERO;
    };
    let at = own.w_axis.truncate().as_dvec3();
    let mut ways = bones_in_world(derived, joint).map(|end| end - at);
    let way = ways.find(|way| way.length_squared() > 0.0);
    way.unwrap_or_else(|| {
        let at_rest = joints.get(joint.index()).map(|stored| stored.parent_from_joint_at_rest);
        let at_rest = at_rest.unwrap_or_default();
        let in_joint = at_rest.rotation.inverse() * at_rest.translation;
        own.transform_vector3(in_joint).as_dvec3()
    })
}

/// Where the joints are that hang on one.
fn bones_in_world(derived: &Derived, joint: JointIndex) -> impl Iterator<Item = DVec3> + '_ {
    let joints = derived.rig.skeleton.joints().iter();
    let frames = &derived.joints.world_from_joint;
    let children = joints.zip(frames).filter(move |(other, _)| other.parent == Some(joint));
    children.map(|(_, child)| child.w_axis.truncate().as_dvec3())
}

/// Follows a drag that began on a joint; true while there is one. `on` is the joint that
/// a press took which becomes a drag in this frame.
pub(in super::super) fn drag_badge(
    ui: &Ui,
    (id, response): (&str, &Response),
    (camera, rect): (&Camera, Rect),
    on: Option<JointIndex>,
    page: &mut PageContext<'_>,
) -> bool {
    page.with_state(id, |held: &mut Option<BadgeDrag>, page| {
        if response.drag_started_by(PointerButton::Primary) {
            let from = ui.input(|input| input.pointer.press_origin());
            let badge = on.and_then(|joint| TurnedBadge::new(page, (camera, rect), joint));
            *held = badge.zip(from).map(|(badge, from)| badge.held(page.derived, from, reach(ui)));
        }
        // Two fingers are the camera's.
        let two_fingers = ui.input(|input| input.multi_touch().is_some());
        if two_fingers || !response.dragged_by(PointerButton::Primary) {
            *held = None;
        }
        if let Some((held, at)) = held.as_mut().zip(response.interact_pointer_pos()) {
            let view = view_of(page, (camera, rect), held.joint);
            let modifiers = ui.input(|input| input.modifiers);
            let settings = view.and_then(|view| held.drag.follow(&view, at, modifiers));
            page.edits.extend(settings.map(Edit::Settings));
        }
        held.is_some()
    })
}

/// While a joint is held: the number that follows. Which it is.
pub(in super::super) fn paint_held_badge(
    ui: &Ui,
    painter: &Painter,
    (id, camera, rect): (&str, &Camera, Rect),
    page: &mut PageContext<'_>,
) -> Option<JointIndex> {
    let held = page.state::<Option<BadgeDrag>>(id).clone()?;
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    if let Some(view) = view_of(page, (camera, rect), held.joint) {
        write(&view, painter, page.theme, (BELOW, &held.words(page)));
    }
    Some(held.joint)
}

impl BadgeDrag {
    fn words(&self, page: &PageContext<'_>) -> String {
        let by = signed(self.drag.put.to_degrees(), 1);
        let named = self.param.as_ref().and_then(|name| page.derived.rig.param(name));
        match named {
            Some(param) => {
                let now = page.derived.param(&param.name).unwrap_or(param.default);
                format!("{} {}° ({by}°)", param.label, fixed(now.to_degrees(), 1))
            }
            None => format!("joint {} by hand, {by}°", self.joint.0),
        }
    }
}
