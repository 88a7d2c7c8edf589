//! Gizmo of the chosen joint: rings that turn it, arrows that move it, and a square that drags the
//! end of two bones. `notebook::posing` computes the settings of a drag.

mod drag;
#[cfg(test)]
mod tests;
mod tools;
mod turn_handles;
mod view;

use bindpose_kit::theme::{CAPTION_SIZE, Theme, font};
use bindpose_lesson::Gizmo as Tool;
use bindpose_lesson::number_text::{capitalised, fixed};
use bindpose_notebook::Edit;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::posing::{HeldJoint, TwoBones};
use eframe::egui::{
    Align2, CursorIcon, Painter, PointerButton, Pos2, Rect, Response, Stroke, StrokeKind, Ui, Vec2,
};

use super::picture_view::PictureView;
use crate::PageContext;
use drag::{Drag, Handle, HandleKind};
use turn_handles::BadgeDrag;
use view::{JointView, format_signed, handle_reach, paint_arrow_head};

pub(super) use view::pointer_reach;

pub(super) use tools::{TOOLS_MENU_NAME, tools_menu_button};
pub(super) use turn_handles::{
    BADGE_HINT, TurnHandles, TurnedBadge, drag_badge, find_turnable_joint, paint_held_badge,
};

/// Minimum distance between the end of two bones and its goal at which the goal is reported as out
/// of reach, relative to the height of the picture.
const MIN_REPORTED_MISS: f64 = 1e-3;

/// The gizmo in one picture and one frame.
pub(in crate::cells) struct PictureGizmo {
    tool: Tool,
    view: JointView,
    bones: Option<TwoBones>,
    handles: Vec<Handle>,
    /// Reason why handles are missing, for the reader.
    missing_reason: Option<String>,
}

/// Keeps the camera of the start of a drag while a joint of the picture is dragged.
pub(super) fn hold_camera_during_drag(id: &str, camera: &mut Camera, page: &mut PageContext<'_>) {
    if let Some(badge) = page.state::<Option<BadgeDrag>>(id) {
        *camera = badge.drag.camera;
    }
    if let Some(drag) = page.state::<Option<Drag>>(id) {
        *camera = drag.camera;
    }
}

impl PictureGizmo {
    /// Returns `None` if the gizmo is off, or if the chosen joint is outside the picture.
    pub(super) fn new(page: &PageContext<'_>, picture: &PictureView) -> Option<Self> {
        let state = &page.document.state;
        if state.gizmo == Tool::Off {
            return None;
        }
        let held = HeldJoint::new(page.document, page.derived, state.joint)?;
        let mut gizmo = Self {
            tool: state.gizmo,
            view: JointView::new(held, page, picture)?,
            bones: None,
            handles: Vec::new(),
            missing_reason: None,
        };
        if page.derived.is_moved_by_program(state.joint) {
            gizmo.missing_reason = Some("the program of this page moves it".to_owned());
        } else {
            gizmo.add_handles(page);
        }
        Some(gizmo)
    }

    fn add_handles(&mut self, page: &PageContext<'_>) {
        match self.tool {
            Tool::Off => {}
            Tool::Turn => {
                // A flat figure turns only about the axis that points at the reader.
                let axes = if self.view.flat { 2..3 } else { 0..3 };
                for axis in axes {
                    match self.view.held.turn_axis(self.view.frame, axis) {
                        Ok(turn) => self.handles.push(Handle::ring(&self.view, axis, turn)),
                        Err(error) => self.missing_reason = Some(error.to_string()),
                    }
                }
            }
            Tool::Move => {
                let axes = if self.view.flat { 0..2 } else { 0..3 };
                for axis in axes {
                    match self.view.held.move_axis(self.view.frame, axis) {
                        Ok(translation) => {
                            self.handles.push(Handle::arrow(&self.view, axis, translation));
                        }
                        Err(error) => self.missing_reason = Some(error.to_string()),
                    }
                }
            }
            Tool::Reach => {
                let normal = self.view.drag_plane_normal_in_world();
                match TwoBones::new(page.document, page.derived, self.view.held.joint, normal) {
                    Ok(bones) => {
                        let is_moved_by_program = bones
                            .turning()
                            .into_iter()
                            .any(|joint| page.derived.is_moved_by_program(joint));
                        if is_moved_by_program {
                            let reason = "the program of this page moves the joints above it";
                            self.missing_reason = Some(reason.to_owned());
                        } else {
                            self.bones = Some(bones);
                            self.handles.push(Handle::end(&self.view));
                        }
                    }
                    Err(error) => self.missing_reason = Some(error.to_string()),
                }
            }
        }
    }

    /// Finds the handle nearest to a position and within the pointer's reach.
    fn handle_at(&self, ui: &Ui, at: Pos2) -> Option<&Handle> {
        let reach = handle_reach(ui);
        self.handles
            .iter()
            .map(|handle| (handle, handle.distance(at)))
            .filter(|&(_, distance)| distance < reach)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(handle, _)| handle)
    }

    /// Returns true if the pointer is on a handle.
    pub(super) fn is_under(&self, ui: &Ui, pointer: Option<Pos2>) -> bool {
        pointer.is_some_and(|at| self.handle_at(ui, at).is_some())
    }

    /// Handles a drag of a handle. Returns true during such a drag. A drag that begins beside the
    /// handles moves the camera.
    pub(super) fn drag(
        &self,
        ui: &Ui,
        id: &str,
        response: &Response,
        page: &mut PageContext<'_>,
    ) -> bool {
        page.with_state(id, |drag: &mut Option<Drag>, page| {
            if response.drag_started_by(PointerButton::Primary) {
                *drag = None;
                if let Some(from) = ui.input(|input| input.pointer.press_origin())
                    && let Some(handle) = self.handle_at(ui, from)
                {
                    *drag = Drag::new(&self.view, handle, self.bones.as_ref(), from);
                }
            }
            // Two fingers move the camera.
            let has_two_fingers = ui.input(|input| input.multi_touch().is_some());
            if has_two_fingers || !response.dragged_by(PointerButton::Primary) {
                *drag = None;
            }
            if let Some(drag) = drag
                && let Some(at) = response.interact_pointer_pos()
            {
                let modifiers = ui.input(|input| input.modifiers);
                let settings = drag.follow_pointer(&self.view, at, modifiers);
                page.requests.edits.extend(settings.map(Edit::Settings));
                ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            } else if self.is_under(ui, response.hover_pos()) {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
            drag.is_some()
        })
    }
}

// Painting.

const AXES: [&str; 3] = ["x", "y", "z"];

impl PictureGizmo {
    /// Paints the handles and a label. `focused_axis` is the axis whose number has the keyboard
    /// focus.
    pub(super) fn paint(
        &self,
        ui: &Ui,
        painter: &Painter,
        id: &str,
        focused_axis: Option<usize>,
        page: &mut PageContext<'_>,
    ) {
        let drag = page.state::<Option<Drag>>(id).clone();
        let hovered_axis = ui
            .input(|input| input.pointer.hover_pos())
            .filter(|at| self.view.picture.rect.contains(*at))
            .and_then(|at| self.handle_at(ui, at))
            .map(|handle| handle.axis);
        let lit_axis = drag.as_ref().map(|drag| drag.axis).or(focused_axis).or(hovered_axis);
        for handle in &self.handles {
            let is_lit = lit_axis == Some(handle.axis)
                || matches!(handle.kind, HandleKind::End) && lit_axis.is_some();
            self.paint_handle(painter, page.theme, handle, is_lit);
        }
        let label = match (&self.missing_reason, &drag, lit_axis) {
            (Some(reason), ..) if self.handles.is_empty() => {
                Some(format!("{}: {reason}", capitalised(&self.view.joint_name())))
            }
            (_, Some(drag), _) => self.drag_label(drag),
            (_, None, Some(axis)) => self.rest_label(axis),
            (_, None, None) => None,
        };
        if let Some(label) = label {
            let distance = self.view.radius_pts() + 18.0;
            self.view.paint_label(painter, page.theme, distance, &label);
        }
    }

    fn paint_handle(&self, painter: &Painter, theme: &Theme, handle: &Handle, is_lit: bool) {
        let color = match handle.axis {
            axis @ 0..3 => theme.axis_in_scene(axis),
            _ => theme.accent,
        };
        let width = if is_lit { 4.5 } else { 2.5 };
        match handle.kind {
            HandleKind::Ring(_) => {
                for ends in handle.line.windows(2) {
                    let stroke = if ends[0].is_near {
                        Stroke::new(width, color)
                    } else {
                        Stroke::new(width * 0.5, color.gamma_multiply(0.45))
                    };
                    painter.line_segment([ends[0].at, ends[1].at], stroke);
                }
                self.paint_axis_letter(painter, theme, handle);
            }
            HandleKind::Arrow(_) => {
                if let [from, to] = &handle.line[..] {
                    painter.line_segment([from.at, to.at], Stroke::new(width, color));
                    paint_arrow_head(painter, (to.at - from.at).normalized(), to.at, color);
                }
                self.paint_axis_letter(painter, theme, handle);
            }
            HandleKind::End => {
                let square = Rect::from_center_size(self.view.at, Vec2::splat(22.0));
                painter.rect_stroke(square, 3.0, Stroke::new(width, color), StrokeKind::Middle);
            }
        }
    }

    /// Paints the letter of the axis for readers who cannot distinguish the colours.
    fn paint_axis_letter(&self, painter: &Painter, theme: &Theme, handle: &Handle) {
        let at = match handle.kind {
            HandleKind::Arrow(_) => {
                handle.line.last().map(|tip| tip.at + (tip.at - self.view.at).normalized() * 10.0)
            }
            _ => handle.label_at(),
        };
        let Some((letter, at)) = AXES.get(handle.axis).zip(at) else {
            return;
        };
        if self.view.picture.rect.contains(at) {
            painter.circle_filled(at, 7.0, theme.paper.gamma_multiply(0.85));
            let color = theme.axis_text(handle.axis);
            painter.text(at, Align2::CENTER_CENTER, letter, font::strong(CAPTION_SIZE), color);
        }
    }

    /// Label during a drag: the current value and its change.
    fn drag_label(&self, drag: &Drag) -> Option<String> {
        let frame = self.view.frame.key();
        let letter = AXES.get(drag.axis).copied().unwrap_or_default();
        let handle = self.handles.iter().find(|handle| handle.axis == drag.axis)?;
        Some(match &handle.kind {
            HandleKind::Ring(axis) => {
                let value = fixed(self.view.held.turned_rad(axis).to_degrees(), 1);
                let change = format_signed(drag.applied.to_degrees(), 1);
                format!("{frame} {letter} {value}° ({change}°)")
            }
            HandleKind::Arrow(axis) => {
                let value = fixed(self.view.held.moved_by(axis), 2);
                format!("{frame} {letter} {value} ({})", format_signed(drag.applied, 2))
            }
            HandleKind::End => {
                let reached = drag.reached.as_ref()?;
                let angle = fixed(reached.between_rad.to_degrees(), 1);
                let min_miss = MIN_REPORTED_MISS * f64::from(self.view.camera().height);
                if reached.misses_by > min_miss {
                    format!("∠ {angle}°, out of reach by {}", fixed(reached.misses_by, 2))
                } else {
                    format!("∠ {angle}°")
                }
            }
        })
    }

    /// Label of a hovered or focused handle.
    fn rest_label(&self, axis: usize) -> Option<String> {
        let joint = self.view.joint_name();
        let frame = self.view.frame.key();
        if self.tool == Tool::Reach {
            let angle_deg = self.bones.as_ref()?.between_rad().to_degrees();
            return Some(format!("reach with {joint}: ∠ {}°", fixed(angle_deg, 1)));
        }
        let handle = self.handles.iter().find(|handle| handle.axis == axis)?;
        let letter = AXES.get(axis)?;
        Some(match &handle.kind {
            HandleKind::Ring(axis) => {
                let value = fixed(self.view.held.turned_rad(axis).to_degrees(), 1);
                format!("{joint}, {frame} {letter} {value}°")
            }
            HandleKind::Arrow(axis) => {
                let value = fixed(self.view.held.moved_by(axis), 2);
                format!("{joint}, {frame} {letter} {value}")
            }
            HandleKind::End => return None,
        })
    }
}
