//! How the gizmo is drawn, and the number beside it.

use bindpose_lesson::Gizmo as Tool;
use bindpose_notebook::number_text::fixed;
use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2, vec2};

use super::PictureGizmo;
use super::drag::Drag;
use super::handles::{Handle, HandleKind};
use crate::PageContext;
use crate::theme::{CAPTION, Theme, font};

use super::super::marks::words_on_paper;
use super::super::reach::reach;

const AXES: [&str; 3] = ["x", "y", "z"];
/// How far the end misses its place, as a part of the picture's height, before that is
/// said.
const MISSES: f64 = 1e-3;

impl PictureGizmo {
    /// Draws it; `focused` is the axis whose number has the keys.
    pub(in super::super) fn paint(
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
            self.write(painter, page.theme, &words);
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

    /// Below the joint, or above it where there is no room.
    fn write(&self, painter: &Painter, theme: &Theme, words: &str) {
        let pad = vec2(6.0, 3.0);
        let width = (self.view.rect.width() - 24.0).max(60.0);
        let galley = painter.layout(words.to_owned(), font::strong(CAPTION), theme.ink, width);
        let size = galley.size();
        let far = self.view.reach_points() + 18.0;
        let below = self.view.at + vec2(-size.x / 2.0, far);
        let above = self.view.at - vec2(size.x / 2.0, far + size.y);
        let room = self.view.rect.shrink2(pad + Vec2::splat(2.0));
        let at = if below.y + size.y < room.bottom() { below } else { above };
        let most = (room.max - size).max(room.min);
        let at = Pos2::new(at.x.clamp(room.left(), most.x), at.y.clamp(room.top(), most.y));
        words_on_paper(painter, theme, at, galley, (pad, 0.92));
    }
}

fn paint_arrow(painter: &Painter, [from, to]: [Pos2; 2], stroke: Stroke) {
    painter.line_segment([from, to], stroke);
    let along = (to - from).normalized();
    let side = along.rot90() * 5.0;
    let back = to - along * 11.0;
    let head = vec![to, back + side, back - side];
    painter.add(Shape::convex_polygon(head, stroke.color, Stroke::new(0.0, Color32::TRANSPARENT)));
}

/// `+12.0`, `−3.5`.
fn signed(value: f64, decimals: usize) -> String {
    let words = fixed(value, decimals);
    if value > 0.0 { format!("+{words}") } else { words }
}

fn capital(words: &str) -> String {
    bindpose_notebook::number_text::capitalised(words)
}
