//! Exercises in the picture: guesses, placed while their question is open and
//! held against the truth after, the places where a vertex should come, and the
//! vertices that are spoken of.

use std::collections::BTreeSet;

use bindpose_lesson::{CellKind, Inline, LinkTarget, Text, cells_in};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::exercise::{places_at, predictions_at};
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::{Edit, Entity, Prediction};
use eframe::egui::{
    CursorIcon, FontId, Painter, PointerButton, Pos2, Rect, Response, Shape, Stroke, Ui, vec2,
};
use glam::{Vec2, Vec3};

use super::labels::Labels;
use crate::PageContext;
use crate::cells::predict::truth;
use crate::classroom::{cloud, in_class};
use crate::theme::{CAPTION, Theme};

/// So many guesses at once are drawn smaller.
const CROWD: usize = 8;
/// How near the pointer must be to take hold of a guess, in points.
const REACH: f32 = 14.0;

/// What is asked for now: the first question on the page that is still open.
pub(crate) struct OpenQuestion {
    cell: String,
    vertex: u32,
    now_in_world: Vec3,
    /// The one that is being made; one that is kept stays where it is.
    guess_in_world: Option<Vec3>,
    /// How many are kept.
    kept: usize,
}

impl OpenQuestion {
    /// `None` when nothing is asked on this page.
    pub(in crate::cells) fn on_page(page: &PageContext<'_>) -> Option<Self> {
        let document = page.document;
        let revealed =
            |cell: &str| document.state.predictions.get(cell).is_some_and(|p| p.revealed);
        let (cell, predict) = predictions_at(page.lesson, document, &page.derived.rig)
            .find(|(cell, _)| !revealed(cell) && in_class(page, cell).takes_answers())?;
        let guess = document.state.predictions.get(cell);
        let kept = guess.map_or(0, |guess| guess.kept_in_world.len());
        let guess = guess.filter(|guess| !guess.is_kept());
        Some(Self {
            cell: cell.to_owned(),
            vertex: predict.vertex,
            now_in_world: page.derived.position(predict.vertex as usize)?,
            guess_in_world: guess.map(|guess| Vec3::from(guess.position_in_world)),
            kept,
        })
    }

    /// Places the guess where the reader clicks, and moves it where the reader
    /// drags. True while the drag is the guess's and not the camera's: in a flat
    /// figure always, else when it began on the guess.
    pub(super) fn place(
        &self,
        ui: &Ui,
        response: &Response,
        rect: Rect,
        camera: &Camera,
        page: &mut PageContext<'_>,
    ) -> bool {
        let held_id = response.id.with("guess");
        let size = Vec2::new(rect.width(), rect.height());
        let flat = page.derived.rig.flat;
        if response.drag_started_by(PointerButton::Primary) {
            let from = ui.input(|input| input.pointer.press_origin());
            let mark = self
                .guess_in_world
                .and_then(|guess| camera.project(guess, size))
                .map(|at| rect.min + vec2(at.x, at.y));
            let on_mark = from.zip(mark).is_some_and(|(a, b)| a.distance(b) < REACH);
            ui.data_mut(|data| data.insert_temp(held_id, flat || on_mark));
        }
        let held = ui.data(|data| data.get_temp(held_id)).unwrap_or(false);
        let dragged = held && response.dragged_by(PointerButton::Primary);
        if response.drag_stopped() {
            ui.data_mut(|data| data.remove::<bool>(held_id));
        }
        if (dragged || response.clicked())
            && let Some(at) = response.interact_pointer_pos()
            && let Some(there) = self.in_world(at - rect.min, size, camera, flat)
            && self.guess_in_world != Some(there)
        {
            let place = there.to_array();
            page.edits.push(Edit::Predict(self.cell.clone(), place));
        }
        if dragged {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        } else if response.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        dragged
    }

    /// In the plane of a flat figure; else in the plane through the vertex that
    /// faces the camera. To a thousandth, so that links stay short.
    fn in_world(
        &self,
        at: eframe::egui::Vec2,
        size: Vec2,
        camera: &Camera,
        flat: bool,
    ) -> Option<Vec3> {
        let normal = if flat { Vec3::Z } else { camera.forward() };
        let at = Vec2::new(at.x, at.y);
        let there = camera.on_plane(at, size, self.now_in_world, normal)?;
        Some((there * 1000.0).round() / 1000.0)
    }

    /// One line in the corner, below what stands there already: what a press
    /// does now.
    pub(super) fn say(&self, painter: &Painter, rect: Rect, theme: &Theme, below: bool) {
        let words = match self.guess_in_world {
            None if self.kept > 0 => {
                let letter = Prediction::letter(self.kept);
                format!("Press for guess {letter}, or Reveal all")
            }
            None => format!("Press where v{} will go", self.vertex),
            Some(_) => "Press or drag to move your guess, then Reveal".to_owned(),
        };
        let font = FontId::proportional(CAPTION);
        // Free of the buttons at the right.
        let width = (rect.width() - 156.0).max(80.0);
        let galley = painter.layout(words, font, theme.ink, width);
        let at = rect.left_top() + vec2(16.0, if below { 46.0 } else { 14.0 });
        let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(8.0, 5.0));
        painter.rect(
            ground,
            6.0,
            theme.accent_wash,
            Stroke::new(1.0, theme.accent),
            eframe::egui::StrokeKind::Inside,
        );
        painter.galley(at, galley, theme.ink);
    }
}

/// A guess on the page, projected.
pub(super) struct PredictionMark {
    vertex: u32,
    /// Where the vertex is: now, or in truth.
    vertex_at: Option<Pos2>,
    /// Those of a class in their order.
    guesses: Vec<GuessMark>,
    revealed: bool,
}

/// One guess, projected.
struct GuessMark {
    at: Pos2,
    /// What stands beside it.
    name: String,
    /// In world units from the vertex.
    distance: f32,
}

/// All guesses on the page.
pub(super) fn marks(
    page: &PageContext<'_>,
    project: &dyn Fn(Vec3) -> Option<Pos2>,
) -> Vec<PredictionMark> {
    predictions_at(page.lesson, page.document, &page.derived.rig)
        .filter_map(|(cell, predict)| {
            let guess = page.document.state.predictions.get(cell);
            let revealed = guess.is_some_and(|guess| guess.revealed);
            let cloud = cloud(page, cell);
            if !cloud.is_empty() {
                return of_class_together(page, predict.vertex, cloud, project);
            }
            let vertex_in_world = if revealed {
                truth(predict, page)
            } else {
                page.derived.position(predict.vertex as usize)
            }?;
            let places: Vec<[f32; 3]> =
                guess.map(|guess| guess.all_in_world().collect()).unwrap_or_default();
            let of_class = guess.is_some_and(|guess| !guess.kept_in_world.is_empty());
            let guesses =
                places.into_iter().map(Vec3::from).enumerate().filter_map(|(i, place)| {
                    let name = if of_class {
                        Prediction::letter(i).into()
                    } else {
                        "your guess".to_owned()
                    };
                    let distance = place.distance(vertex_in_world);
                    Some(GuessMark { at: project(place)?, name, distance })
                });
            Some(PredictionMark {
                vertex: predict.vertex,
                vertex_at: project(vertex_in_world),
                guesses: guesses.collect(),
                revealed,
            })
        })
        .collect()
}

/// What a whole class guessed, around the vertex: too many for names and lines.
fn of_class_together(
    page: &PageContext<'_>,
    vertex: u32,
    cloud: Vec<[f32; 3]>,
    project: &dyn Fn(Vec3) -> Option<Pos2>,
) -> Option<PredictionMark> {
    let vertex_in_world = page.derived.position(vertex as usize)?;
    let guesses = cloud.into_iter().map(Vec3::from).filter_map(|place| {
        let distance = place.distance(vertex_in_world);
        Some(GuessMark { at: project(place)?, name: String::new(), distance })
    });
    let vertex_at = project(vertex_in_world);
    Some(PredictionMark { vertex, vertex_at, guesses: guesses.collect(), revealed: false })
}

impl PredictionMark {
    pub(super) fn vertex(&self) -> u32 {
        self.vertex
    }

    /// From the guesses to the truth, once it is revealed.
    fn lines(&self) -> impl Iterator<Item = (&GuessMark, Pos2)> {
        let truth = self.vertex_at.filter(|_| self.revealed);
        truth.into_iter().flat_map(|truth| self.guesses.iter().map(move |guess| (guess, truth)))
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        for (guess, truth) in self.lines() {
            painter.line_segment([guess.at, truth], Stroke::new(4.5, theme.paper));
            painter.line_segment([guess.at, truth], Stroke::new(2.0, theme.ink));
        }
        let radius = if self.guesses.len() > CROWD { 6.0 } else { 10.0 };
        for guess in &self.guesses {
            paint_ghost(painter, theme, guess.at, radius * scale);
        }
        // Over the ghost: a good guess must not hide what it hit.
        if let Some(at) = self.vertex_at {
            painter.circle_filled(at, 7.0 * scale, theme.paper.gamma_multiply(0.85));
            painter.circle_filled(at, 5.5 * scale, theme.accent);
            if !self.revealed {
                painter.circle_stroke(at, 9.0 * scale, Stroke::new(1.5, theme.accent));
            }
        }
    }

    /// What the labels have to leave free.
    pub(super) fn keep_free(&self, labels: &mut Labels, scale: f32) {
        for at in self.vertex_at.into_iter().chain(self.guesses.iter().map(|guess| guess.at)) {
            labels.keep_free(at, 10.0 * scale);
        }
        for (guess, truth) in self.lines() {
            labels.avoid_line(guess.at, truth);
        }
    }

    /// `named`: the vertex has its number already.
    pub(super) fn write(
        &self,
        painter: &Painter,
        theme: &Theme,
        labels: &mut Labels,
        (scale, named): (f32, bool),
    ) {
        for (guess, truth) in self.lines() {
            let text = fixed(f64::from(guess.distance), 2);
            let along = truth - guess.at;
            let mark = (guess.at + along * 0.5, 2.0);
            labels.write(painter, theme, mark, along.rot90(), (&text, theme.ink));
        }
        for guess in self.guesses.iter().filter(|guess| !guess.name.is_empty()) {
            let away = self.vertex_at.map_or(vec2(1.0, 0.0), |other| guess.at - other);
            let mark = (guess.at, 10.0 * scale);
            labels.write(painter, theme, mark, away, (&guess.name, theme.accent));
        }
        if let Some(at) = self.vertex_at.filter(|_| !named) {
            let away = self.guesses.last().map_or(vec2(1.0, 0.6), |other| at - other.at);
            let name = format!("v{}", self.vertex);
            labels.write(painter, theme, (at, 9.0 * scale), away, (&name, theme.accent));
        }
    }
}

/// A diamond, hollow: something that is thought, not there.
fn paint_ghost(painter: &Painter, theme: &Theme, at: Pos2, radius: f32) {
    let corners = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    let corners = corners.map(|(x, y)| at + vec2(x, y) * radius);
    let fill = theme.paper.gamma_multiply(0.85);
    painter.add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::new(2.5, theme.accent)));
}

/// Where the exercises on the page want a vertex.
pub(super) fn goals(page: &PageContext<'_>, project: &dyn Fn(Vec3) -> Option<Pos2>) -> Vec<Pos2> {
    places_at(page.lesson, page.document).filter_map(project).collect()
}

/// A ring with a cross.
pub(super) fn paint_goal(painter: &Painter, theme: &Theme, at: Pos2, scale: f32) {
    let radius = 10.0 * scale;
    for (width, color) in [(5.0, theme.paper), (2.0, theme.ink)] {
        let stroke = Stroke::new(width, color);
        painter.circle_stroke(at, radius, stroke);
        for side in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            let side = vec2(side.0, side.1) * radius;
            painter.line_segment([at + side * 0.55, at + side * 1.5], stroke);
        }
    }
}

/// The vertices that exercises of the open step speak of, and the one that is lit: they
/// are marked in pictures of large models too.
pub(super) fn named_vertices(page: &PageContext<'_>) -> BTreeSet<u32> {
    let step = page.lesson.steps.get(page.document.step);
    let cells = step.into_iter().flat_map(|step| cells_in(&step.blocks));
    let asked = cells.filter_map(|cell| match &cell.kind {
        CellKind::Check(check) => Some(check.iter().map(|draw| &draw.cell.ask)),
        _ => None,
    });
    let inlines = asked.flatten().flat_map(Text::inlines).flatten();
    let named = inlines.filter_map(|inline| match inline {
        Inline::Link { target: LinkTarget::Vertex(vertex), .. } => Some(*vertex),
        _ => None,
    });
    let lit = page.linked.hovered().and_then(|lit| match lit {
        Entity::Vertex(vertex) => Some(vertex),
        _ => None,
    });
    named.chain(lit).collect()
}
