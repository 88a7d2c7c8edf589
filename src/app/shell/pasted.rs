//! What is pasted where no text is being written: a link, or numbers for the step.

use bindpose_lesson::{Cell, CellKind};
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::number_text::grouped;
use bindpose_notebook::{Edit, link};
use eframe::egui::{Context, Event};

use super::Shell;

/// Characters that a text field is given at once: to lay out more of them would stop the
/// frame, and every field refuses fewer.
const MOST_CHARACTERS: usize = 200_000;

impl Shell {
    /// Opens a link that was pasted where no text is being written; other texts go to
    /// the cell of the step that takes numbers of an engine.
    pub(super) fn take_pasted(&mut self, ctx: &Context) {
        if ctx.text_edit_focused() {
            self.refuse_long_paste(ctx);
            return;
        }
        let pasted = ctx.input(|input| {
            input.events.iter().find_map(|event| match event {
                Event::Paste(text) => Some(text.clone()),
                _ => None,
            })
        });
        let Some(pasted) = pasted else { return };
        // A message may have words around the link.
        match (link::find(&pasted), self.cell_for_numbers()) {
            (Some(link), _) => self.open_link(link),
            (None, Some(cell)) => {
                let edit = Edit::Text { cell: cell.clone(), text: Some(pasted), typed: false };
                self.give_numbers(cell, &edit);
            }
            (None, None) => self.open_link(&pasted),
        }
    }

    /// The name of the cell of this step that takes numbers of an engine.
    pub(super) fn cell_for_numbers(&self) -> Option<String> {
        let step = self.notebook.document().step;
        let takes = |cell: &&Cell| matches!(cell.kind, CellKind::EngineNumbers(_));
        let cell = cells_at(self.notebook.lesson(), step).find(takes)?;
        Some(cell.id.clone())
    }

    /// Gives a cell numbers from outside the page, as one step of undo.
    pub(super) fn give_numbers(&mut self, cell: String, edit: &Edit) {
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.edit(edit, self.gesture) {
            Ok(()) => self.view.numbers_given = Some(cell),
            Err(refused) => self.notices.wrong(refused.to_string()),
        }
    }

    /// Takes what no field could hold from the events of this frame.
    fn refuse_long_paste(&mut self, ctx: &Context) {
        let mut longest = 0;
        ctx.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Paste(text) if text.len() > MOST_CHARACTERS => {
                    longest = longest.max(text.chars().count());
                    false
                }
                _ => true,
            });
        });
        if longest > 0 {
            let count = grouped(u32::try_from(longest).unwrap_or(u32::MAX));
            self.notices.wrong(format!(
                "What was pasted has {count} characters, more than a field takes. Save it as a \
                 file and open that."
            ));
        }
    }
}
