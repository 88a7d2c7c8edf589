//! Presenter mode: prose that appears paragraph by paragraph, a pen, a spotlight, frozen
//! pictures and a blank screen. None of it is saved.

pub mod bar;

use std::ops::Range;

use bindpose_kit::theme::Theme;
use bindpose_lesson::{Lesson, LessonBlock, cells_in, quotes_decimals};
use bindpose_notebook::exercise_cells::{Exercise, exercises_at};
use eframe::egui::{
    Area, Color32, CursorIcon, Id, LayerId, Mesh, Order, Painter, Pos2, Rect, Sense, Shape, Stroke,
    Ui, WidgetInfo,
    accesskit::Role,
    epaint::{Vertex, WHITE_UV},
    vec2,
};

use crate::view::presenter::{Presenter, PresenterTool};

// Pen and spotlight, which are drawn over the stage and belong to no document.

/// Width of the pen's strokes, in points.
const PEN_WIDTH: f32 = 3.5;
/// Radius of the spotlight, in points.
const SPOTLIGHT_RADIUS: f32 = 90.0;
/// Number of corners of the polygon that approximates the spotlight.
const SPOTLIGHT_CORNERS: u32 = 64;

/// Draws the strokes and the spotlight over the stage, and records the pen's strokes.
pub fn overlay_ui(ui: &Ui, presenter: &mut Presenter, theme: &Theme, stage: Rect) {
    let layer = LayerId::new(Order::Middle, Id::unique("over the stage"));
    let painter = Painter::new(ui.ctx().clone(), layer, stage);
    match presenter.tool {
        Some(PresenterTool::Pen) => record_strokes(ui, presenter, stage),
        Some(PresenterTool::Spotlight) => {
            let pointer = ui.input(|input| input.pointer.hover_pos());
            if let Some(center) = pointer.filter(|pointer| stage.contains(*pointer)) {
                painter.add(spotlight_shade(center, stage, theme.shade));
            }
        }
        None => {}
    }
    for stroke in &presenter.strokes {
        if let [point] = stroke[..] {
            painter.circle_filled(point, PEN_WIDTH / 2.0, theme.pen);
        } else {
            painter.add(Shape::line(stroke.clone(), Stroke::new(PEN_WIDTH, theme.pen)));
        }
    }
}

/// Records the pen's strokes in an area that keeps the pointer from the stage below.
fn record_strokes(ui: &Ui, presenter: &mut Presenter, stage: Rect) {
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
            let is_pressed =
                response.contains_pointer() && ui.input(|input| input.pointer.primary_pressed());
            let Some(pointer) = response.interact_pointer_pos().or(response.hover_pos()) else {
                return;
            };
            if is_pressed {
                // A finger can press twice: as a touch, and as a pointer.
                let is_repeated =
                    presenter.strokes.last().is_some_and(|stroke| stroke[..] == [pointer]);
                if !is_repeated {
                    presenter.strokes.push(vec![pointer]);
                }
            } else if response.dragged()
                && let Some(stroke) = presenter.strokes.last_mut()
                && stroke.last() != Some(&pointer)
            {
                stroke.push(pointer);
            }
        });
}

/// Returns a shape that covers the stage except a circle around `center`.
fn spotlight_shade(center: Pos2, stage: Rect, color: Color32) -> Shape {
    let mut mesh = Mesh::default();
    let outer_radius = stage.size().length() + SPOTLIGHT_RADIUS;
    for corner in 0..SPOTLIGHT_CORNERS {
        let angle_rad = std::f32::consts::TAU * corner as f32 / SPOTLIGHT_CORNERS as f32;
        let direction = vec2(angle_rad.cos(), angle_rad.sin());
        for radius in [SPOTLIGHT_RADIUS, outer_radius] {
            let pos = center + radius * direction;
            mesh.vertices.push(Vertex { pos, uv: WHITE_UV, color });
        }
        let first = 2 * corner;
        let next = 2 * ((corner + 1) % SPOTLIGHT_CORNERS);
        mesh.add_triangle(first, first + 1, next);
        mesh.add_triangle(next, first + 1, next + 1);
    }
    Shape::mesh(mesh)
}

// Numbers for the last row.

/// Number of decimals of computed numbers in presenter mode.
const PRESENTED_DECIMALS: usize = 2;

/// Returns the maximum number of decimals of computed numbers. Returns `None` outside of
/// presenter mode, and if the text of the step quotes numbers with more decimals, which the
/// page would seem to contradict.
pub fn max_decimals(lesson: &Lesson, step: usize, presenting: bool) -> Option<usize> {
    let is_short = presenting && !quotes_decimals(lesson, step, PRESENTED_DECIMALS + 1);
    is_short.then_some(PRESENTED_DECIMALS)
}

// Prose that appears paragraph by paragraph.

/// Divides blocks into the groups that appear at once: a paragraph with the formulas, lists
/// and listings after it, or a card by itself.
pub fn group_paragraphs(blocks: &[LessonBlock]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut is_after_heading = false;
    for (index, block) in blocks.iter().enumerate() {
        let is_heading = matches!(block, LessonBlock::Heading { .. });
        let starts_group = match block {
            LessonBlock::Heading { .. } => true,
            LessonBlock::Paragraph(_) | LessonBlock::Cell(_) => !is_after_heading,
            _ => false,
        };
        match groups.last_mut() {
            Some(last) if !starts_group => last.end = index + 1,
            _ => groups.push(index..index + 1),
        }
        is_after_heading = is_heading;
    }
    groups
}

/// Returns the lesson's introduction, if the step is the first, and the step's prose.
pub fn prose_blocks(lesson: &Lesson, step: usize) -> [&[LessonBlock]; 2] {
    let own = lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
    let intro = if step == 0 { &lesson.intro[..] } else { &[] };
    [intro, own]
}

/// Returns the number of paragraphs of a step.
pub fn count_paragraphs(lesson: &Lesson, step: usize) -> usize {
    prose_blocks(lesson, step).into_iter().map(|blocks| group_paragraphs(blocks).len()).sum()
}

/// Returns the ids of the exercises in the first `visible_count` paragraphs of a step, in the
/// order of the prose. Those on the stage, which a presenter comes to last, follow if all
/// paragraphs are visible.
pub fn visible_exercises(lesson: &Lesson, step: usize, visible_count: usize) -> Vec<&str> {
    let mut ids = Vec::new();
    let mut paragraph_count = 0;
    for blocks in prose_blocks(lesson, step) {
        for paragraph in group_paragraphs(blocks) {
            paragraph_count += 1;
            if paragraph_count > visible_count {
                return ids;
            }
            let cells = cells_in(&blocks[paragraph]);
            let exercises = cells.filter(|cell| Exercise::from_cell(cell).is_some());
            ids.extend(exercises.map(|cell| &*cell.id));
        }
    }
    let all = exercises_at(lesson, step).map(|(id, _)| id);
    let on_stage: Vec<&str> = all.filter(|id| !ids.contains(id)).collect();
    ids.extend(on_stage);
    ids
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;

    use super::*;

    fn paragraph() -> LessonBlock {
        LessonBlock::Paragraph(Vec::new())
    }

    fn formula() -> LessonBlock {
        LessonBlock::Math("x".to_owned())
    }

    fn heading() -> LessonBlock {
        let inlines = vec![bindpose_lesson::Inline::Code("then".to_owned())];
        LessonBlock::Heading { level: 3, inlines }
    }

    #[test]
    fn blocks_after_a_paragraph_appear_with_it() {
        let blocks = [paragraph(), formula(), heading(), paragraph(), paragraph(), formula()];
        assert_eq!(group_paragraphs(&blocks), [0..2, 2..4, 4..6]);
        assert_eq!(group_paragraphs(&[formula(), paragraph()]), [0..1, 1..2]);
    }

    /// A presenter who reads to the end comes to every exercise of a step once.
    #[test]
    fn every_exercise_is_visible_at_the_end_and_those_of_the_first_paragraphs_before() {
        let mut later_count = 0;
        for lesson in &LessonSet::embedded().lessons {
            for step in 0..lesson.steps.len() {
                let mut all: Vec<&str> = exercises_at(lesson, step).map(|(id, _)| id).collect();
                let total_count = count_paragraphs(lesson, step);
                let mut visible = visible_exercises(lesson, step, total_count);
                let at_first = visible_exercises(lesson, step, 1);
                assert!(visible.starts_with(&at_first), "{} {step}", lesson.slug);
                later_count += usize::from(at_first.len() < visible.len());
                all.sort_unstable();
                visible.sort_unstable();
                assert_eq!(visible, all, "{} {step}", lesson.slug);
            }
        }
        assert!(later_count > 50, "{later_count}");
    }
}
