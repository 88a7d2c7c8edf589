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
}

impl Presenter {
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
    }
}

/// Visible part of a step's prose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleProse {
    lesson: String,
    step: usize,
    /// Number of visible paragraphs. 0 before the step is first drawn.
    visible_count: usize,
    /// Set when a paragraph appears, and when the reader returns to a step with all its
    /// paragraphs visible. The last visible one is then scrolled into view.
    pub scrolls_to_last: bool,
}

impl VisibleProse {
    /// Returns the number of visible paragraphs of a step: at first `min_count`.
    pub fn shown(&mut self, lesson: &str, step: usize, min_count: usize) -> usize {
        if self.lesson != lesson || self.step != step {
            let visible_count = min_count;
            *self = Self { lesson: lesson.to_owned(), step, visible_count, scrolls_to_last: false };
        }
        self.visible_count = self.visible_count.max(min_count);
        self.visible_count
    }

    /// Shows another paragraph, or hides the last one, between `min_count` and
    /// `total_count`. Returns false if the number stays the same.
    pub fn show_next_or_previous(
        &mut self,
        forward: bool,
        min_count: usize,
        total_count: usize,
    ) -> bool {
        let visible_count = if forward {
            (self.visible_count + 1).min(total_count)
        } else {
            self.visible_count.saturating_sub(1).max(min_count)
        };
        self.scrolls_to_last = visible_count != self.visible_count;
        self.visible_count = visible_count;
        self.scrolls_to_last
    }

    /// Shows all paragraphs of a step, as when the reader returns to it.
    pub fn show_all(&mut self, lesson: &str, step: usize, total_count: usize) {
        *self = Self {
            lesson: lesson.to_owned(),
            step,
            visible_count: total_count,
            scrolls_to_last: total_count > 1,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_advances_goes_back_and_restarts_at_another_step() {
        let mut reading = VisibleProse::default();
        assert_eq!(reading.shown("a", 1, 1), 1);
        assert!(
            reading.show_next_or_previous(true, 1, 2) && !reading.show_next_or_previous(true, 1, 2)
        );
        assert!(
            reading.show_next_or_previous(false, 1, 2)
                && !reading.show_next_or_previous(false, 1, 2)
        );
        reading.show_all("a", 0, 4);
        assert!(reading.scrolls_to_last, "the last paragraph is scrolled into view");
        assert_eq!(reading.shown("a", 0, 1), 4);
        assert_eq!(reading.shown("b", 0, 2), 2);
        assert!(!reading.scrolls_to_last, "a step is read from its top");
    }
}
