//! The gizmo of the chosen joint: rings to turn it about, arrows to move it along, a
//! square to take two bones by. What a drag means is `notebook::posing`'s.

mod drag;
#[cfg(test)]
mod tests;
mod tools;
mod turn_handles;
mod view;

use bindpose_lesson::Gizmo as Tool;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::posing::{HeldJoint, TwoBones};
use eframe::egui::{CursorIcon, Painter, PointerButton, Pos2, Rect, Response, Stroke, Ui, Vec2};

use crate::PageContext;
use crate::theme::{CAPTION, Theme, font};
use drag::{Drag, Handle, HandleKind};
use view::{JointView, paint_head, signed, write};

pub(super) use view::{in_picture, reach};

pub(super) use tools::{NAME as TOOLS_NAME, ui as tools};
pub(super) use turn_handles::{
    BADGE_HINT, TurnHandles, TurnedBadge, drag_badge, paint_held_badge, taken_joint,
};

/// The gizmo in one picture and one frame.
pub(in crate::cells) struct PictureGizmo {
    tool: Tool,
    view: JointView,
    bones: Option<TwoBones>,
    handles: Vec<Handle>,
    /// Why some of it is not there, in words.
    why_not: Option<String>,
}

/// While a joint of a picture is dragged, it is seen from where it was when that began.
pub(super) fn hold_still(id: &str, camera: &mut Camera, page: &mut PageContext<'_>) {
    if let Some(held) = page.state::<Option<turn_handles::BadgeDrag>>(id) {
        *camera = held.drag.camera;
    }
    if let Some(drag) = page.state::<Option<Drag>>(id) {
        *camera = drag.camera;
    }
}

impl PictureGizmo {
    /// `None` where none is shown, or the chosen joint is not in the picture.
    pub(super) fn new(page: &PageContext<'_>, camera: &Camera, rect: Rect) -> Option<Self> {
        let state = &page.document.state;
        let tool = state.gizmo;
        if tool == Tool::Off {
            return None;
        }
        let held = HeldJoint::new(page.document, page.derived, state.joint)?;
        let of_page = (state.gizmo_frame, page.derived.rig.flat);
        let mut gizmo = Self {
            tool,
            view: JointView::new(held, of_page, camera, rect)?,
            bones: None,
            handles: Vec::new(),
            why_not: None,
        };
        if page.derived.is_moved_by_program(state.joint) {
            gizmo.why_not = Some("the program of this page moves it".to_owned());
            return Some(gizmo);
        }
        gizmo.put_handles(page);
        Some(gizmo)
    }

    fn put_handles(&mut self, page: &PageContext<'_>) {
        match self.tool {
            Tool::Off => {}
            Tool::Turn => {
                // A flat figure is turned about the axis that points at the reader.
                let axes = if self.view.flat { 2..3 } else { 0..3 };
                for axis in axes {
                    let found = self.view.held.turn_axis(self.view.frame, axis);
                    self.put(axis, found.map(HandleKind::Ring));
                }
            }
            Tool::Move => {
                let axes = if self.view.flat { 0..2 } else { 0..3 };
                for axis in axes {
                    let found = self.view.held.move_axis(self.view.frame, axis);
                    self.put(axis, found.map(HandleKind::Arrow));
                }
            }
            Tool::Reach => {
                let across = self.view.across_in_world();
                let bones =
                    TwoBones::new(page.document, page.derived, self.view.held.joint, across);
                let moved = |bones: &TwoBones| {
                    let turning = bones.turning();
                    turning.into_iter().any(|joint| page.derived.is_moved_by_program(joint))
                };
                match bones {
                    Ok(bones) if moved(&bones) => {
                        let why_not = "the program of this page moves the joints above it";
                        self.why_not = Some(why_not.to_owned());
                    }
                    Ok(bones) => {
                        self.bones = Some(bones);
                        self.handles.push(Handle::end(&self.view));
                    }
                    Err(why) => self.why_not = Some(why.to_string()),
                }
            }
        }
    }

    fn put(&mut self, axis: usize, kind: Result<HandleKind, impl std::fmt::Display>) {
        match kind {
            Ok(kind) => self.handles.push(Handle::new(&self.view, axis, kind)),
            Err(why) => self.why_not = Some(why.to_string()),
        }
    }

    /// The handle under the pointer.
    fn under(&self, at: Pos2, reach: f32) -> Option<usize> {
        let near = self.handles.iter().map(|handle| handle.distance(at)).enumerate();
        let near = near.filter(|&(_, distance)| distance < reach);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// Is the pointer on a handle, and not on the joint itself?
    pub(super) fn is_under(&self, ui: &Ui, pointer: Option<Pos2>) -> bool {
        pointer.is_some_and(|at| self.under(at, reach(ui) * 0.8).is_some())
    }

    /// Follows a drag that began on a handle; true while there is one. A press that
    /// began beside them is the camera's.
    pub(super) fn drag(
        &self,
        ui: &Ui,
        (id, response): (&str, &Response),
        page: &mut PageContext<'_>,
    ) -> bool {
        page.with_state(id, |drag: &mut Option<Drag>, page| {
            if response.drag_started_by(PointerButton::Primary) {
                let from = ui.input(|input| input.pointer.press_origin());
                let on = from.and_then(|at| self.under(at, reach(ui) * 0.8));
                let on = on.and_then(|index| self.handles.get(index));
                *drag = from
                    .zip(on)
                    .and_then(|(from, on)| Drag::new(&self.view, on, self.bones.as_ref(), from));
            }
            if !response.dragged_by(PointerButton::Primary) {
                *drag = None;
            }
            // Two fingers are the camera's.
            if ui.input(|input| input.multi_touch().is_some()) {
                *drag = None;
            }
            let pointer = response.interact_pointer_pos();
            if let Some((drag, at)) = drag.as_mut().zip(pointer) {
                let modifiers = ui.input(|input| input.modifiers);
                let settings = drag.follow(&self.view, at, modifiers);
                page.edits.extend(settings.map(bindpose_notebook::Edit::Settings));
                ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            } else if self.is_under(ui, response.hover_pos()) {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
            drag.is_some()
        })
    }
}

// How the gizmo is drawn, and the number beside it.

const AXES: [&str; 3] = ["x", "y", "z"];
/// How far the end misses its place, as a part of the picture's height, before that is
/// said.
const MISSES: f64 = 1e-3;

impl PictureGizmo {
    /// Draws it; `focused` is the axis whose number has the keys.
    pub(super) fn paint(
        &self,
        ui: &Ui,
        painter: &Painter,
        (id, focused): (&str, Option<usize>),
        page: &mut PageContext<'_>,
    ) {
        let drag = page.state::<Option<Drag>>(id).clone();
        let pointer = ui.input(|input| input.pointer.hover_pos());
        let pointer = pointer.filter(|at| self.view.rect.contains(*at));
        let under = pointer.and_then(|at| self.under(at, reach(ui) * 0.8));
        let under = under.and_then(|index| self.handles.get(index)).map(|handle| handle.axis);
        let lit = drag.as_ref().map(|drag| drag.axis).or(focused).or(under);
        for handle in &self.handles {
            let is_lit =
                lit == Some(handle.axis) || matches!(handle.kind, HandleKind::End) && lit.is_some();
            self.paint_handle(painter, page.theme, handle, is_lit);
        }
        let words = match (&self.why_not, &drag, lit) {
            (Some(why), ..) if self.handles.is_empty() => {
                Some(format!("{}: {why}", capital(&self.view.joint_words())))
            }
            (_, Some(drag), _) => self.drag_words(drag),
            (_, None, Some(axis)) => self.rest_words(axis),
            (_, None, None) => None,
        };
        if let Some(words) = words {
            let far = self.view.reach_points() + 18.0;
            write(&self.view, painter, page.theme, (far, &words));
        }
    }

    fn paint_handle(&self, painter: &Painter, theme: &Theme, handle: &Handle, lit: bool) {
        let color = match handle.axis {
            axis @ 0..3 => theme.axis_in_scene(axis),
            _ => theme.accent,
        };
        let width = if lit { 4.5 } else { 2.5 };
        match handle.kind {
            HandleKind::Ring(_) => {
                for ends in handle.line.windows(2) {
                    let [(from, near), (to, _)] = [ends[0], ends[1]];
                    let stroke = if near {
                        Stroke::new(width, color)
                    } else {
                        Stroke::new(width * 0.5, color.gamma_multiply(0.45))
                    };
                    painter.line_segment([from, to], stroke);
                }
                self.write_letter(painter, theme, handle);
            }
            HandleKind::Arrow(_) => {
                if let [(from, _), (to, _)] = handle.line[..] {
                    paint_arrow(painter, [from, to], Stroke::new(width, color));
                }
                self.write_letter(painter, theme, handle);
            }
            HandleKind::End => {
                let square = Rect::from_center_size(self.view.at, Vec2::splat(22.0));
                painter.rect_stroke(
                    square,
                    3.0,
                    Stroke::new(width, color),
                    eframe::egui::StrokeKind::Middle,
                );
            }
        }
    }

    /// Which axis it is, for those who do not tell the colours apart.
    fn write_letter(&self, painter: &Painter, theme: &Theme, handle: &Handle) {
        let at = match handle.kind {
            HandleKind::Arrow(_) => handle.line.last().map(|(at, _)| {
                let along = (*at - self.view.at).normalized();
                *at + along * 10.0
            }),
            _ => handle.words_at(),
        };
        let letter = AXES.get(handle.axis).zip(at);
        if let Some((letter, at)) = letter.filter(|(_, at)| self.view.rect.contains(*at)) {
            painter.circle_filled(at, 7.0, theme.paper.gamma_multiply(0.85));
            let color = theme.axis_text(handle.axis);
            painter.text(
                at,
                eframe::egui::Align2::CENTER_CENTER,
                letter,
                font::strong(CAPTION),
                color,
            );
        }
    }

    /// While it is dragged: where it is, and how far it has come.
    fn drag_words(&self, drag: &Drag) -> Option<String> {
        let frame = self.view.frame.key();
        let letter = AXES.get(drag.axis).copied().unwrap_or_default();
        let handle = self.handles.iter().find(|handle| handle.axis == drag.axis)?;
        Some(match &handle.kind {
            HandleKind::Ring(axis) => {
                let now = fixed(self.view.held.turned_rad(axis).to_degrees(), 1);
                let by = signed(drag.put.to_degrees(), 1);
                format!("{frame} {letter} {now}° ({by}°)")
            }
            HandleKind::Arrow(axis) => {
                let now = fixed(self.view.held.moved_by(axis), 2);
                format!("{frame} {letter} {now} ({})", signed(drag.put, 2))
            }
            HandleKind::End => {
                let reached = drag.reached.as_ref()?;
                let between = fixed(reached.between_rad.to_degrees(), 1);
                let misses = reached.misses_by;
                if misses > MISSES * f64::from(self.view.camera.height) {
                    format!("∠ {between}°, out of reach by {}", fixed(misses, 2))
                } else {
                    format!("∠ {between}°")
                }
            }
        })
    }

    /// While it is pointed at or has the keys.
    fn rest_words(&self, axis: usize) -> Option<String> {
        let (joint, frame) = (self.view.joint_words(), self.view.frame.key());
        if self.tool == Tool::Reach {
            let between = self.bones.as_ref()?.between_rad().to_degrees();
            return Some(format!("reach with {joint}: ∠ {}°", fixed(between, 1)));
        }
        let handle = self.handles.iter().find(|handle| handle.axis == axis)?;
        let letter = AXES.get(axis)?;
        Some(match &handle.kind {
            HandleKind::Ring(axis) => {
                let now = self.view.held.turned_rad(axis).to_degrees();
                format!("{joint}, {frame} {letter} {}°", fixed(now, 1))
            }
            HandleKind::Arrow(axis) => {
                let now = fixed(self.view.held.moved_by(axis), 2);
                format!("{joint}, {frame} {letter} {now}")
            }
            HandleKind::End => return None,
        })
    }
}

fn paint_arrow(painter: &Painter, [from, to]: [Pos2; 2], stroke: Stroke) {
    painter.line_segment([from, to], stroke);
    paint_head(painter, (to - from).normalized(), to, stroke.color);
}

fn capital(words: &str) -> String {
    bindpose_notebook::number_text::capitalised(words)
}
