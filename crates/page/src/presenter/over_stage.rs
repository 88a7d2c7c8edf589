//! Pen and spotlight: drawn over the stage, in no document.

use eframe::egui::{
    Area, Color32, CursorIcon, Id, LayerId, Mesh, Order, Painter, Pos2, Rect, Sense, Shape, Stroke,
    Ui, WidgetInfo, accesskit::Role, epaint::Vertex, pos2, vec2,
};

use super::{Presenter, PresenterTool};
use crate::theme::Theme;

/// Of the pen, in points.
const PEN: f32 = 3.5;
/// Of the spotlight, in points.
const RADIUS: f32 = 90.0;
/// Corners of what stands for its circle.
const CORNERS: u32 = 64;

/// Shows what lies over the stage, and draws while the pen is in the hand.
pub fn ui(ui: &Ui, presenter: &mut Presenter, theme: &Theme, stage: Rect) {
    let layer = LayerId::new(Order::Middle, Id::unique("over the stage"));
    let painter = Painter::new(ui.ctx().clone(), layer, stage);
    match presenter.tool {
        Some(PresenterTool::Pen) => draw(ui, presenter, stage),
        Some(PresenterTool::Spotlight) => {
            let pointer = ui.input(|input| input.pointer.hover_pos());
            if let Some(at) = pointer.filter(|at| stage.contains(*at)) {
                painter.add(shade(at, stage, theme.shade));
            }
        }
        None => {}
    }
    for stroke in &presenter.strokes {
        let line = Stroke::new(PEN, theme.pen);
        match stroke[..] {
            [at] => painter.circle_filled(at, PEN / 2.0, theme.pen),
            _ => painter.add(Shape::line(stroke.clone(), line)),
        };
    }
}

/// Takes the pointer from what lies below.
fn draw(ui: &Ui, presenter: &mut Presenter, stage: Rect) {
    Area::new(Id::unique("pen"))
        .order(Order::Middle)
        .fixed_pos(stage.min)
        .constrain(false)
        .fade_in(false)
        .show(ui.ctx(), |ui| {
            let (_, response) = ui.allocate_exact_size(stage.size(), Sense::drag());
            response.widget_info(|| {
                WidgetInfo::labeled(Role::Canvas, true, "the stage, to draw on with the pen")
            });
            let response = response.on_hover_cursor(CursorIcon::Crosshair);
            if ui.ctx().current_pass_index() > 0 {
                return;
            }
            let pressed =
                response.contains_pointer() && ui.input(|input| input.pointer.primary_pressed());
            let Some(at) = response.interact_pointer_pos().or(response.hover_pos()) else {
                return;
            };
            // A finger can press twice: as itself, and as a pointer.
            let last = presenter.strokes.last();
            if pressed && last.is_some_and(|stroke| stroke[..] == [at]) {
                return;
            }
            if pressed {
                presenter.strokes.push(vec![at]);
            } else if response.dragged()
                && let Some(stroke) = presenter.strokes.last_mut()
                && stroke.last() != Some(&at)
            {
                stroke.push(at);
            }
        });
}

/// All of the stage but a circle around `at`.
fn shade(at: Pos2, stage: Rect, color: Color32) -> Shape {
    let mut mesh = Mesh::default();
    let vertex = |pos: Pos2| Vertex { pos, uv: eframe::egui::epaint::WHITE_UV, color };
    let far = stage.size().length() + RADIUS;
    for corner in 0..CORNERS {
        let angle = std::f32::consts::TAU * corner as f32 / CORNERS as f32;
        let way = vec2(angle.cos(), angle.sin());
        let (near, beyond) = (at + RADIUS * way, at + far * way);
        mesh.vertices.push(vertex(pos2(near.x, near.y)));
        mesh.vertices.push(vertex(pos2(beyond.x, beyond.y)));
        let (first, next) = (2 * corner, 2 * ((corner + 1) % CORNERS));
        mesh.add_triangle(first, first + 1, next);
        mesh.add_triangle(next, first + 1, next + 1);
    }
    Shape::mesh(mesh)
}
