//! State of presenter mode.

use std::rc::Rc;

use bindpose_notebook::{Derived, Document};
use eframe::egui::Pos2;

/// Tool of the pointer on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenterTool {
    Pen,
    /// Dims the stage except around the pointer.
    Spotlight,
}

/// Page at the time when its pictures were frozen.
#[derive(Debug)]
pub struct FrozenPage {
    pub document: Document,
    /// Values derived from the document.
    pub derived: Derived,
}

/// State of presenter mode. Nothing is lost for the reader if it is dropped.
#[derive(Clone, Debug, Default)]
pub struct Presenter {
    pub tool: Option<PresenterTool>,
    /// Strokes of the pen, in points of the page.
    pub strokes: Vec<Vec<Pos2>>,
    /// Page that frozen pictures and results show instead of the current one.
    pub frozen: Option<Rc<FrozenPage>>,
    /// True if the screen is blank.
    pub is_blank: bool,
    /// True if the prose appears paragraph by paragraph. `None` means that it does in
    /// presenter mode.
    pub by_paragraph: Option<bool>,
    /// Visible part of the prose.
    pub reading: VisibleProse,
    /// Answers that were shown by reading on at the open step, the latest last.
    pub shown_answers: Vec<ShownAnswer>,
    /// Maximum number of decimals of computed numbers in this frame. `None` means no limit.
    pub max_decimals: Option<usize>,
    /// Cell that is scrolled into view in the next frame.
    pub scrolls_to_cell: Option<String>,
}

/// The page right after an answer was shown. Reading back takes the answer away if the page is
/// still the same.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownAnswer {
    pub document: Document,
    /// Number of paragraphs that were visible.
    pub visible_count: usize,
}

impl Presenter {
    /// Returns the number of decimals of a computed number that usually has `usual`.
    pub fn limit_decimals(&self, usual: usize) -> usize {
        self.max_decimals.map_or(usual, |max| usual.min(max))
    }

    /// Selects a tool, or deselects it if it is selected.
    pub fn toggle_tool(&mut self, tool: PresenterTool) {
        self.tool = if self.tool == Some(tool) { None } else { Some(tool) };
    }

    /// Deselects the tool, and removes strokes and frozen pictures. Returns false if there
    /// was nothing to remove.
    pub fn clear(&mut self) -> bool {
        let has_anything = self.tool.is_some() || !self.strokes.is_empty() || self.frozen.is_some();
        self.clear_stage();
        self.tool = None;
        has_anything
    }

    /// Removes strokes and frozen pictures, as at the start of a step.
    pub fn clear_stage(&mut self) {
        self.strokes.clear();
        self.frozen = None;
        self.shown_answers.clear();
        self.scrolls_to_cell = None;
    }
}

/// Visible part of a step's prose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleProse {
    lesson: String,
    step: usize,
    /// Number of visible paragraphs. 0 before the step is first drawn.
    visible_count: usize,
    /// Exercises that were skipped, or that the class is done with, by id.
    passed: Vec<String>,
    /// Set when a paragraph appears, and when the reader returns to a step with all its
    /// paragraphs visible. The last visible one is then scrolled into view.
    pub scrolls_to_last: bool,
}

impl VisibleProse {
    /// Returns the number of visible paragraphs of a step: at first one.
    pub fn shown(&mut self, lesson: &str, step: usize) -> usize {
        if self.lesson != lesson || self.step != step {
            *self = Self { lesson: lesson.to_owned(), step, ..Self::default() };
        }
        self.visible_count = self.visible_count.max(1);
        self.visible_count
    }

    /// Shows another paragraph of `total_count`, or hides the last one unless it is the first.
    /// Returns false if the number stays the same.
    pub fn show_next_or_previous(&mut self, forward: bool, total_count: usize) -> bool {
        // A class that gets a question shows all paragraphs, however many there are.
        let before = self.visible_count.min(total_count);
        let visible_count =
            if forward { (before + 1).min(total_count) } else { before.saturating_sub(1).max(1) };
        self.scrolls_to_last = visible_count != before;
        self.visible_count = visible_count;
        self.scrolls_to_last
    }

    /// Shows all paragraphs of a step, as when the reader returns to it.
    pub fn show_all(&mut self, lesson: &str, step: usize, total_count: usize) {
        self.shown(lesson, step);
        self.visible_count = total_count;
        self.scrolls_to_last = total_count > 1;
    }

    /// Reads on past an exercise of the open step without its answer.
    pub fn pass(&mut self, exercise: &str) {
        self.passed.push(exercise.to_owned());
    }

    /// Returns true if an exercise of the open step was passed.
    pub fn has_passed(&self, exercise: &str) -> bool {
        self.passed.iter().any(|passed| passed == exercise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_advances_goes_back_and_restarts_at_another_step() {
        let mut reading = VisibleProse::default();
        assert_eq!(reading.shown("a", 1), 1);
        assert!(reading.show_next_or_previous(true, 2) && !reading.show_next_or_previous(true, 2));
        assert!(
            reading.show_next_or_previous(false, 2) && !reading.show_next_or_previous(false, 2)
        );
        reading.pass("ask");
        assert!(reading.has_passed("ask") && !reading.has_passed("check"));
        reading.show_all("a", 0, 4);
        assert!(reading.scrolls_to_last, "the last paragraph is scrolled into view");
        assert_eq!(reading.shown("a", 0), 4);
        assert!(!reading.has_passed("ask"));
        assert_eq!(reading.shown("b", 0), 1);
        reading.pass("ask");
        reading.show_all("b", 0, usize::MAX);
        assert!(reading.has_passed("ask"), "of the same step");
        assert!(!reading.show_next_or_previous(true, 3));
        assert!(reading.show_next_or_previous(false, 3));
        assert_eq!(reading.shown("b", 0), 2);
        assert_eq!(reading.shown("c", 0), 1);
        assert!(!reading.scrolls_to_last, "a step is read from its top");
    }
}
