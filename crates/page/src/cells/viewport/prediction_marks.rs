//! Marks of exercises in the picture: guesses for an open question, guesses compared with the
//! true position, goals for a vertex, and the vertices that exercises name.

use std::collections::BTreeSet;

use bindpose_kit::theme::{CAPTION_SIZE, Theme};
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{CellKind, Inline, LinkTarget, Text, cells_in};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::exercise::{places_at, predictions_at};
use bindpose_notebook::{Edit, Entity, Prediction};
use eframe::egui::{
    CursorIcon, FontId, Painter, PointerButton, Pos2, Rect, Response, Shape, Stroke, StrokeKind,
    Ui, vec2,
};
use glam::Vec3;

use super::labels::{LabelAnchor, Labels};
use super::picture_view::PictureView;
use crate::PageContext;
use crate::cells::predict::true_position_in_world;
use crate::classroom::{class_guesses_in_world, class_question_state};

/// Maximum number of guesses that are drawn at full size.
const MAX_LARGE_GUESSES: usize = 8;

/// Maximum distance from a guess at which a drag takes hold of it.
const GUESS_REACH_PTS: f32 = 14.0;

/// The first question on the page that is not revealed yet.
pub(crate) struct OpenQuestion {
    cell: String,
    vertex: u32,
    vertex_in_world: Vec3,
    /// The guess that can still be moved. Kept guesses cannot.
    guess_in_world: Option<Vec3>,
    kept_count: usize,
}

impl OpenQuestion {
    /// Returns `None` if the page has no open question.
    pub(in crate::cells) fn find_on_page(page: &PageContext<'_>) -> Option<Self> {
        let predictions = &page.document.state.predictions;
        let (cell, predict) =
            predictions_at(page.lesson, page.document, &page.derived.rig).find(|(cell, _)| {
                let is_revealed = predictions.get(*cell).is_some_and(|guess| guess.revealed);
                !is_revealed && class_question_state(page, cell).takes_answers()
            })?;
        let guess = predictions.get(cell);
        Some(Self {
            cell: cell.to_owned(),
            vertex: predict.vertex,
            vertex_in_world: page.derived.position(predict.vertex as usize)?,
            guess_in_world: guess
                .filter(|guess| !guess.is_kept())
                .map(|guess| Vec3::from(guess.position_in_world)),
            kept_count: guess.map_or(0, |guess| guess.kept_in_world.len()),
        })
    }

    /// Places the guess on a click, and moves it during a drag. Returns true if the drag belongs
    /// to the guess and not to the camera: in a flat figure always, otherwise if it began on the
    /// guess.
    pub(super) fn handle_pointer(
        &self,
        ui: &Ui,
        response: &Response,
        rect: Rect,
        camera: &Camera,
        page: &mut PageContext<'_>,
    ) -> bool {
        let view = PictureView::new(camera, rect);
        let is_held_id = response.id.with("guess");
        let flat = page.derived.rig.flat;
        if response.drag_started_by(PointerButton::Primary) {
            let press_origin = ui.input(|input| input.pointer.press_origin());
            let mark = self.guess_in_world.and_then(|guess| view.project(guess));
            let is_on_mark = match (press_origin, mark) {
                (Some(press_origin), Some(mark)) => press_origin.distance(mark) < GUESS_REACH_PTS,
                _ => false,
            };
            ui.data_mut(|data| data.insert_temp(is_held_id, flat || is_on_mark));
        }
        let is_held = ui.data(|data| data.get_temp(is_held_id)).unwrap_or(false);
        let is_dragged = is_held && response.dragged_by(PointerButton::Primary);
        if response.drag_stopped() {
            ui.data_mut(|data| data.remove::<bool>(is_held_id));
        }
        if (is_dragged || response.clicked())
            && let Some(at) = response.interact_pointer_pos()
            && let Some(guess_in_world) = self.guess_under_pointer(at, &view, flat)
            && self.guess_in_world != Some(guess_in_world)
        {
            page.requests.edits.push(Edit::Predict(self.cell.clone(), guess_in_world.to_array()));
        }
        if is_dragged {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        } else if response.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        is_dragged
    }

    /// World position under the pointer, in the plane of a flat figure, otherwise in the plane
    /// through the vertex that faces the camera. Rounded to thousandths to keep links short.
    fn guess_under_pointer(&self, at: Pos2, view: &PictureView, flat: bool) -> Option<Vec3> {
        let normal = if flat { Vec3::Z } else { view.camera.forward() };
        let in_world = view.point_on_plane(at, self.vertex_in_world, normal)?;
        Some((in_world * 1000.0).round() / 1000.0)
    }

    /// Paints a line in the upper left corner with the effect of a press. `is_below_status`
    /// moves it below the status line.
    pub(super) fn paint_prompt(
        &self,
        painter: &Painter,
        rect: Rect,
        theme: &Theme,
        is_below_status: bool,
    ) {
        let prompt = match self.guess_in_world {
            None if self.kept_count > 0 => {
                let letter = Prediction::letter(self.kept_count);
                format!("Press for guess {letter}, or Reveal all")
            }
            None => format!("Press where v{} will go", self.vertex),
            Some(_) => "Press or drag to move your guess, then Reveal".to_owned(),
        };
        let font = FontId::proportional(CAPTION_SIZE);
        // Leave room for the buttons at the right.
        let width = (rect.width() - 156.0).max(80.0);
        let galley = painter.layout(prompt, font, theme.ink, width);
        let at = rect.left_top() + vec2(16.0, if is_below_status { 46.0 } else { 14.0 });
        let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(8.0, 5.0));
        let edge = Stroke::new(1.0, theme.accent);
        painter.rect(ground, 6.0, theme.accent_wash, edge, StrokeKind::Inside);
        painter.galley(at, galley, theme.ink);
    }
}

/// The guesses of one exercise, projected.
pub(super) struct PredictionMark {
    vertex: u32,
    /// The vertex's current position, or its true one once revealed.
    vertex_at: Option<Pos2>,
    guesses: Vec<GuessMark>,
    is_revealed: bool,
}

struct GuessMark {
    at: Pos2,
    /// Label beside the mark. Empty for the guesses of a class.
    name: String,
    /// Distance from the vertex, in world units.
    distance: f32,
}

/// Projects all guesses on the page.
pub(super) fn project_predictions(
    page: &PageContext<'_>,
    view: &PictureView,
) -> Vec<PredictionMark> {
    let mut marks = Vec::new();
    for (cell, predict) in predictions_at(page.lesson, page.document, &page.derived.rig) {
        let guess = page.document.state.predictions.get(cell);
        let is_shown = page.is_answer_shown(cell);
        let class_guesses = class_guesses_in_world(page, cell);
        let is_class = !class_guesses.is_empty();
        let is_revealed = !is_class && guess.is_some_and(|guess| guess.revealed);
        let vertex_in_world = if is_revealed {
            true_position_in_world(predict, page)
        } else {
            page.derived.position(predict.vertex as usize)
        };
        let Some(vertex_in_world) = vertex_in_world else {
            continue;
        };
        let guesses_in_world: Vec<[f32; 3]> = if is_class {
            class_guesses
        } else if is_revealed && is_shown {
            // Nobody has guessed.
            Vec::new()
        } else {
            guess.map(|guess| guess.all_in_world().collect()).unwrap_or_default()
        };
        let has_kept_guesses = guess.is_some_and(|guess| !guess.kept_in_world.is_empty());
        let mut guesses = Vec::with_capacity(guesses_in_world.len());
        for (index, in_world) in guesses_in_world.into_iter().map(Vec3::from).enumerate() {
            let Some(at) = view.project(in_world) else {
                continue;
            };
            // A whole class has too many guesses for labels.
            let name = if is_class {
                String::new()
            } else if has_kept_guesses {
                Prediction::letter(index).into()
            } else {
                "your guess".to_owned()
            };
            guesses.push(GuessMark { at, name, distance: in_world.distance(vertex_in_world) });
        }
        marks.push(PredictionMark {
            vertex: predict.vertex,
            vertex_at: view.project(vertex_in_world),
            guesses,
            is_revealed,
        });
    }
    marks
}

impl PredictionMark {
    pub(super) fn vertex(&self) -> u32 {
        self.vertex
    }

    /// Each guess with the true position of the vertex, once this is revealed.
    fn lines_to_truth(&self) -> impl Iterator<Item = (&GuessMark, Pos2)> {
        let truth = self.vertex_at.filter(|_| self.is_revealed);
        truth.into_iter().flat_map(|truth| self.guesses.iter().map(move |guess| (guess, truth)))
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        for (guess, truth) in self.lines_to_truth() {
            painter.line_segment([guess.at, truth], Stroke::new(4.5, theme.paper));
            painter.line_segment([guess.at, truth], Stroke::new(2.0, theme.ink));
        }
        let radius = if self.guesses.len() > MAX_LARGE_GUESSES { 6.0 } else { 10.0 };
        for guess in &self.guesses {
            paint_guess(painter, theme, guess.at, radius * scale);
        }
        // The vertex is painted last, because a good guess must not hide it.
        if let Some(at) = self.vertex_at {
            painter.circle_filled(at, 7.0 * scale, theme.paper.gamma_multiply(0.85));
            painter.circle_filled(at, 5.5 * scale, theme.accent);
            if !self.is_revealed {
                painter.circle_stroke(at, 9.0 * scale, Stroke::new(1.5, theme.accent));
            }
        }
    }

    pub(super) fn reserve_areas(&self, labels: &mut Labels, scale: f32) {
        for at in self.vertex_at.into_iter().chain(self.guesses.iter().map(|guess| guess.at)) {
            labels.reserve_circle(at, 10.0 * scale);
        }
        for (guess, truth) in self.lines_to_truth() {
            labels.avoid_line(guess.at, truth);
        }
    }

    /// Writes distances, guesses and, unless it is labelled elsewhere, the vertex.
    pub(super) fn write_labels(
        &self,
        painter: &Painter,
        theme: &Theme,
        labels: &mut Labels,
        scale: f32,
        is_vertex_labelled: bool,
    ) {
        for (guess, truth) in self.lines_to_truth() {
            let along = truth - guess.at;
            let anchor =
                LabelAnchor { at: guess.at + along * 0.5, radius: 2.0, direction: along.rot90() };
            labels.write(painter, theme, anchor, &fixed(f64::from(guess.distance), 2), theme.ink);
        }
        for guess in self.guesses.iter().filter(|guess| !guess.name.is_empty()) {
            let direction = self.vertex_at.map_or(vec2(1.0, 0.0), |other| guess.at - other);
            let anchor = LabelAnchor { at: guess.at, radius: 10.0 * scale, direction };
            labels.write(painter, theme, anchor, &guess.name, theme.accent);
        }
        if let Some(at) = self.vertex_at.filter(|_| !is_vertex_labelled) {
            let direction = self.guesses.last().map_or(vec2(1.0, 0.6), |other| at - other.at);
            let anchor = LabelAnchor { at, radius: 9.0 * scale, direction };
            labels.write(painter, theme, anchor, &format!("v{}", self.vertex), theme.accent);
        }
    }
}

/// Paints a guess as a hollow diamond.
fn paint_guess(painter: &Painter, theme: &Theme, at: Pos2, radius: f32) {
    let corners = [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)]
        .map(|direction| at + direction * radius);
    let fill = theme.paper.gamma_multiply(0.85);
    painter.add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::new(2.5, theme.accent)));
}

/// Projects the goals that exercises on the page set for a vertex.
pub(super) fn project_goals(page: &PageContext<'_>, view: &PictureView) -> Vec<Pos2> {
    places_at(page.lesson, page.document).filter_map(|goal| view.project(goal)).collect()
}

/// Paints a goal as a ring with a cross.
pub(super) fn paint_goal(painter: &Painter, theme: &Theme, at: Pos2, scale: f32) {
    let radius = 10.0 * scale;
    for (width, color) in [(5.0, theme.paper), (2.0, theme.ink)] {
        let stroke = Stroke::new(width, color);
        painter.circle_stroke(at, radius, stroke);
        for direction in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
            let side = direction * radius;
            painter.line_segment([at + side * 0.55, at + side * 1.5], stroke);
        }
    }
}

/// Finds the vertices that are marked in pictures of large models too: those that exercises of
/// the open step link to, and the highlighted one.
pub(super) fn find_named_vertices(page: &PageContext<'_>) -> BTreeSet<u32> {
    let mut vertices = BTreeSet::new();
    if let Some(step) = page.lesson.steps.get(page.document.step) {
        for cell in cells_in(&step.blocks) {
            let CellKind::Check(check) = &cell.kind else {
                continue;
            };
            for inline in check.iter().flat_map(|draw| Text::inlines(&draw.cell.ask)).flatten() {
                if let Inline::Link { target: LinkTarget::Vertex(vertex), .. } = inline {
                    vertices.insert(*vertex);
                }
            }
        }
    }
    if let Some(Entity::Vertex(vertex)) = page.linked.hovered() {
        vertices.insert(vertex);
    }
    vertices
}
