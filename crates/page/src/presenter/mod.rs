//! What presenter mode adds: prose that comes paragraph by paragraph, a pen, a
//! spotlight, a picture that is held, a blank screen. Nothing of it is kept.

pub mod bar;

use std::ops::Range;
use std::rc::Rc;

use bindpose_lesson::{Cell, CellKind, Lesson, LessonBlock, LinkTarget};
use bindpose_notebook::demonstration::of_block;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::{Derived, Document, FADE_PARAM, TIME_PARAM};
use eframe::egui::{
    Area, Color32, CursorIcon, Id, LayerId, Mesh, Order, Painter, Pos2, Rect, Sense, Shape, Stroke,
    Ui, WidgetInfo, accesskit::Role, epaint::Vertex, pos2, vec2,
};

use crate::theme::Theme;

/// What the pointer does on the stage besides what it always does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenterTool {
    /// It draws.
    Pen,
    /// The stage is dim but around it.
    Spotlight,
}

/// A page as it was when the picture was held.
#[derive(Debug)]
pub struct HeldPage {
    /// The state of the page.
    pub document: Document,
    /// What follows from it.
    pub derived: Derived,
}

/// State of presenter mode: lost without harm.
#[derive(Clone, Debug, Default)]
pub struct Presenter {
    /// In the hand.
    pub tool: Option<PresenterTool>,
    /// What was drawn, in points of the page.
    pub strokes: Vec<Vec<Pos2>>,
    /// What pictures and results show instead of the page as it is.
    pub held: Option<Rc<HeldPage>>,
    /// Nothing is shown.
    pub blank: bool,
    /// Does the prose come paragraph by paragraph? Absent: when presenting.
    pub by_paragraph: Option<bool>,
    /// How far it has come.
    pub reading: ProseReading,
}

impl Presenter {
    /// Takes a tool, or puts it away.
    pub fn take(&mut self, tool: PresenterTool) {
        self.tool = Some(tool).filter(|_| self.tool != Some(tool));
    }

    /// Puts away what lies over the stage, pictures that are held included. False
    /// if there was nothing.
    pub fn put_away(&mut self) -> bool {
        let lies = self.tool.is_some() || !self.strokes.is_empty() || self.held.is_some();
        self.wipe();
        self.tool = None;
        lies
    }

    /// Of another step nothing drawn and nothing held is left.
    pub fn wipe(&mut self) {
        self.strokes.clear();
        self.held = None;
    }
}

// Pen and spotlight: drawn over the stage, in no document.

/// Of the pen, in points.
const PEN: f32 = 3.5;
/// Of the spotlight, in points.
const RADIUS: f32 = 90.0;
/// Corners of what stands for its circle.
const CORNERS: u32 = 64;

/// Shows what lies over the stage, and draws while the pen is in the hand.
pub fn over_stage_ui(ui: &Ui, presenter: &mut Presenter, theme: &Theme, stage: Rect) {
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

// Prose that comes paragraph by paragraph.

/// How far the prose of a step has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProseReading {
    lesson: String,
    step: usize,
    /// Paragraphs that have come; 0 until the step was first seen.
    shown: usize,
    /// Set when one came, and on the way back to a step, of which all stand there: the
    /// newest is scrolled to.
    pub came: bool,
}

impl ProseReading {
    /// How many paragraphs of this step are shown: at first, as many as `least`.
    pub fn shown(&mut self, lesson: &str, step: usize, least: usize) -> usize {
        if self.lesson != lesson || self.step != step {
            *self = Self { lesson: lesson.to_owned(), step, shown: least, came: false };
        }
        self.shown = self.shown.max(least);
        self.shown
    }

    /// One more, or one fewer; not fewer than `least`, not more than `all`. False
    /// if there is none.
    pub fn turn(&mut self, forward: bool, least: usize, all: usize) -> bool {
        let shown = if forward {
            (self.shown + 1).min(all)
        } else {
            self.shown.saturating_sub(1).max(least)
        };
        self.came = shown != self.shown;
        self.shown = shown;
        self.came
    }

    /// All of the step that is now entered, as on the way back.
    pub fn all_of(&mut self, lesson: &str, step: usize, all: usize) {
        *self = Self { lesson: lesson.to_owned(), step, shown: all, came: all > 1 };
    }
}

/// What comes at once: a paragraph with the formulas, lists and listings that
/// belong to it; a card by itself.
pub fn paragraphs(blocks: &[LessonBlock]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let after_heading = index.checked_sub(1).and_then(|before| blocks.get(before));
        let after_heading = matches!(after_heading, Some(LessonBlock::Heading { .. }));
        let begins = match block {
            LessonBlock::Heading { .. } => true,
            LessonBlock::Paragraph(_) | LessonBlock::Cell(_) => !after_heading,
            _ => false,
        };
        match parts.last_mut() {
            Some(last) if !begins => last.end = index + 1,
            _ => parts.push(index..index + 1),
        }
    }
    parts
}

/// The prose of a step: the introduction stands above the first.
pub fn large_prose(lesson: &Lesson, step: usize) -> [&[LessonBlock]; 2] {
    let own = lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
    let intro = if step == 0 { &lesson.intro[..] } else { &[] };
    [intro, own]
}

/// How many paragraphs a step has.
pub fn count_paragraphs(lesson: &Lesson, step: usize) -> usize {
    let parts = large_prose(lesson, step).map(|blocks| paragraphs(blocks).len());
    parts.iter().sum()
}

/// How many paragraphs of a step are never hidden: one, and all up to the last
/// with a number to drag that can be dragged nowhere else.
pub fn least_paragraph(lesson: &Lesson, step: usize) -> usize {
    let parts = large_prose(lesson, step).map(|blocks| {
        let parts = paragraphs(blocks).into_iter();
        parts.map(move |part| &blocks[part])
    });
    let needed = parts.into_iter().flatten().enumerate().filter(|(_, part)| {
        let targets = part.iter().flat_map(of_block);
        targets.into_iter().any(|target| match target {
            LinkTarget::Param(name, _) => !cells_at(lesson, step).any(|cell| offers(cell, name)),
            _ => false,
        })
    });
    needed.last().map_or(1, |(index, _)| index + 1)
}

/// Can this parameter be dragged in this cell?
fn offers(cell: &Cell, name: &str) -> bool {
    match &cell.kind {
        CellKind::Angles(angles) => {
            let listed =
                angles.params.is_empty() || angles.params.iter().any(|param| param == name);
            if name == "all" { angles.all } else { listed }
        }
        CellKind::Timeline(_) => name == TIME_PARAM || name == FADE_PARAM,
        CellKind::Plot(plot) => plot.sweep == name,
        CellKind::Budget(budget) => {
            let limit = budget.limit.as_deref().unwrap_or("vec4s");
            limit == name || budget.others.as_deref() == Some(name)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;

    use super::*;

    fn words(text: &str) -> LessonBlock {
        LessonBlock::Heading {
            level: 3,
            inlines: vec![bindpose_lesson::Inline::Code(text.to_owned())],
        }
    }

    #[test]
    fn what_belongs_to_a_paragraph_comes_with_it() {
        let paragraph = || LessonBlock::Paragraph(Vec::new());
        let formula = || LessonBlock::Math("x".to_owned());
        let blocks = [paragraph(), formula(), words("then"), paragraph(), paragraph(), formula()];
        assert_eq!(paragraphs(&blocks), [0..2, 2..4, 4..6]);
        assert_eq!(paragraphs(&[formula(), paragraph()]), [0..1, 1..2]);
    }

    #[test]
    fn a_number_that_is_dragged_nowhere_else_is_never_hidden() {
        let set = LessonSet::embedded();
        let mut hides = 0;
        for lesson in &set.lessons {
            for step in 0..lesson.steps.len() {
                let (least, all) = (least_paragraph(lesson, step), count_paragraphs(lesson, step));
                assert!((1..=all).contains(&least), "{} {step}", lesson.slug);
                hides += usize::from(least < all);
            }
        }
        assert!(hides > 50, "most steps have something to come: {hides}");
    }

    #[test]
    fn reading_goes_on_and_back_and_begins_anew_at_another_step() {
        let mut reading = ProseReading::default();
        assert_eq!(reading.shown("a", 1, 1), 1);
        assert!(reading.turn(true, 1, 2) && !reading.turn(true, 1, 2));
        assert!(reading.turn(false, 1, 2) && !reading.turn(false, 1, 2));
        reading.all_of("a", 0, 4);
        assert!(reading.came, "on the way back the newest is wanted in sight");
        assert_eq!(reading.shown("a", 0, 1), 4);
        assert_eq!(reading.shown("b", 0, 2), 2);
        assert!(!reading.came, "a step is read from its top");
    }
}
