//! The search, over the open program.

use bindpose_notebook::{Edit, Navigation};
use bindpose_page::command::Command;
use bindpose_page::search::{self, Asked, SearchContext};
use eframe::egui::Context;

use super::Shell;

impl Shell {
    /// While the window of the search is open the page below it gets no keys: of
    /// what was pressed, what belongs to the window or to the whole program is
    /// left.
    pub(super) fn keys_of_search(&self, commands: &mut Vec<Command>) -> Asked {
        let mut asked = Asked::default();
        if !self.view.search.open {
            return asked;
        }
        for command in &*commands {
            asked.rows += match command {
                Command::ReadOn => 1,
                Command::ReadBack => -1,
                _ => 0,
            };
        }
        commands.retain(|command| {
            matches!(
                command,
                Command::Search
                    | Command::Escape
                    | Command::ZoomIn
                    | Command::ZoomOut
                    | Command::ZoomReset
                    | Command::Theme
                    | Command::Motion
            )
        });
        asked
    }

    /// Shows the window.
    pub(super) fn search(
        &mut self,
        ctx: &Context,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let before = navigation.len();
        let presenting = self.view.presenting;
        let notes = !presenting || self.view.note.is_shown(self.notebook.own_note(), true);
        let asked = self.asked_of_search;
        let mut search = std::mem::take(&mut self.view.search);
        self.with_text_of_page(edits, navigation, |notebook, page| {
            let mut context = SearchContext { presenting, marks: &notebook.marks, notes, commands };
            search::ui(ctx, &mut search, page, &mut context, asked);
        });
        if search.open && navigation.len() > before {
            // A link in what was read leads to a page.
            search.leave(ctx);
        }
        self.view.search = search;
    }
}
