//! The window with the links to the open page, and text pasted outside of a text field: a
//! link, or numbers for the step.

use bindpose_lesson::CellKind;
use bindpose_lesson::number_text::grouped;
use bindpose_notebook::Edit;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::link::{self, NotebookSite};
use bindpose_page::link_window::{self, LinkInput, PageLinks};
use eframe::egui::{Context, Event};

use super::Shell;

impl Shell {
    /// Returns the web site of the notebook: the one that serves this page, or the one that
    /// the reader has entered.
    fn site_of_links(&self) -> Option<NotebookSite> {
        self.host.site.clone().or_else(|| {
            let address = self.link_window.site.as_deref()?;
            NotebookSite::typed(address, &self.notebook.set).ok()
        })
    }

    pub(super) fn page_links(&self) -> PageLinks {
        let link = self.notebook.link();
        let set = &self.notebook.set;
        let site = self.site_of_links();
        let title = self.notebook.step().map_or("", |step| &step.title);
        PageLinks {
            web: site.as_ref().and_then(|site| site.page(&link, set)),
            frame: site.as_ref().and_then(|site| site.frame(&link, title, set)),
            names_site: self.host.site.is_none(),
            weights_left_out: self.notebook.weights_left_out_of_link(),
            program: link,
        }
    }

    /// Opens the window with the links and copies the first one, or closes the window.
    pub(super) fn copy_link(&mut self, ctx: &Context) {
        self.link_window.open = !self.link_window.open;
        self.link_window.edited_site = None;
        if self.link_window.open {
            ctx.copy_text(self.page_links().first().to_owned());
            self.copying.confirmation = Some(if self.notebook.weights_left_out_of_link() == 0 {
                "The link to this page, with its values, is on the clipboard."
            } else {
                "The link to this page is on the clipboard, without the edited weights: they are too many for a link. Export saves them as a file."
            });
        }
    }

    pub(super) fn draw_link_window(&mut self, ctx: &Context) {
        let links = self.page_links();
        let entered = link_window::ui(ctx, &self.appearance.theme, &links, &mut self.link_window);
        let site_text = match entered {
            None => return,
            Some(LinkInput::Link(text)) => {
                // A message may have words around the link.
                self.open_link_with_notice(link::find(&text).unwrap_or(&text));
                return;
            }
            Some(LinkInput::Site(text)) => text,
        };
        let view = &mut self.link_window;
        let address = site_text.trim();
        if address.is_empty() {
            view.site = None;
            view.edited_site = None;
        } else {
            match NotebookSite::typed(address, &self.notebook.set) {
                Ok(site) => {
                    view.site = Some(site.address().to_owned());
                    view.edited_site = None;
                }
                Err(error) => {
                    let message = format!("Not used: {error}.");
                    view.edited_site = Some((site_text, Some(message)));
                }
            }
        }
        self.changes += 1;
        ctx.request_repaint();
    }
}

/// Longest text that may be pasted into a text field. To lay out more would stall the
/// frame, and every field has a lower limit anyway.
const MAX_PASTED_BYTES: usize = 200_000;

impl Shell {
    /// Applies text pasted outside of a text field. A link is opened; other text is given to
    /// the step's cell for numbers of an engine.
    pub(super) fn apply_paste(&mut self, ctx: &Context) {
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
            (Some(link), _) => self.open_link_with_notice(link),
            (None, Some(cell)) => {
                let edit = Edit::Text { cell: cell.clone(), text: pasted, typed: false };
                self.give_numbers(cell, &edit);
            }
            (None, None) => self.open_link_with_notice(&pasted),
        }
    }

    /// Returns the id of the step's cell for numbers of an engine.
    pub(super) fn cell_for_numbers(&self) -> Option<String> {
        let step = self.notebook.document().step;
        cells_at(self.notebook.lesson(), step)
            .find(|cell| matches!(cell.kind, CellKind::EngineNumbers(_)))
            .map(|cell| cell.id.clone())
    }

    /// Gives a cell numbers from outside the page, as one undo step.
    pub(super) fn give_numbers(&mut self, cell: String, edit: &Edit) {
        self.gesture += 1;
        self.changes += 1;
        match self.notebook.edit(edit, self.gesture) {
            Ok(()) => self.view.pasted_numbers_cell = Some(cell),
            Err(refused) => self.notices.add_error(refused.to_string()),
        }
    }

    /// Removes pasted text that is too long for any field from the events of this frame.
    fn refuse_long_paste(&mut self, ctx: &Context) {
        let mut longest = 0;
        ctx.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Paste(text) if text.len() > MAX_PASTED_BYTES => {
                    longest = longest.max(text.chars().count());
                    false
                }
                _ => true,
            });
        });
        if longest > 0 {
            let count = grouped(u32::try_from(longest).unwrap_or(u32::MAX));
            self.notices.add_error(format!(
                "What was pasted has {count} characters, more than a field takes. Save it as a \
                 file and open that."
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, Modifiers, accesskit::Role};
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use crate::app::testing::page;

    const SITE_FIELD: &str = "address of the notebook in the web";

    #[test]
    fn the_window_shows_the_links_and_copies_the_first() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.press_with(Modifiers::COMMAND, Key::L);
        harness.get_by_label("The link to this page, with its values, is on the clipboard.");
        let link = harness.state_mut().shell().notebook().link();
        let link_field = harness.get_by_role_and_label(Role::TextInput, "link for the program");
        assert_eq!(link_field.accesskit_node().value().unwrap(), link);
        assert!(harness.query_by_label("link for a browser").is_none());
        harness.press(Key::Escape);
        assert!(harness.query_by_label("link for the program").is_none());
        // Another window closes it.
        harness.press_with(Modifiers::COMMAND, Key::L);
        harness.press(Key::F1);
        assert!(harness.query_by_label("link for the program").is_none());
        harness.get_by_role_and_label(Role::Dialog, "Keys");
    }

    #[test]
    fn another_link_of_either_kind_is_opened() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.press_with(Modifiers::COMMAND, Key::L);
        for (typed, lesson) in [
            ("bindpose://bind-pose", "bind-pose"),
            ("https://example.org/40-bone-grid/#b0=0.5", "bone-grid"),
        ] {
            harness.state_mut().shell().link_window.other = typed.to_owned();
            harness.run();
            harness.click_label("Open the link");
            assert_eq!(harness.state_mut().document().lesson, lesson);
        }
    }

    #[test]
    fn with_a_site_there_is_a_link_for_browsers_and_a_frame() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.press_with(Modifiers::COMMAND, Key::L);
        harness.get_by_label(SITE_FIELD).focus();
        harness.run();
        harness.get_by_label(SITE_FIELD).type_text("not an address");
        harness.press(Key::Enter);
        harness.get_by_label_contains("Not used:");
        assert_eq!(harness.state_mut().shell().preferences().site, None);
        let shell = harness.state_mut().shell();
        shell.link_window.edited_site = Some(("https://example.org/b".to_owned(), None));
        harness.get_by_label(SITE_FIELD).focus();
        harness.run();
        harness.press(Key::Enter);
        let site = harness.state_mut().shell().preferences().site;
        assert_eq!(site.as_deref(), Some("https://example.org/b/"));
        let web_field = harness.get_by_role_and_label(Role::TextInput, "link for a browser");
        let web_link = web_field.accesskit_node().value().unwrap();
        assert!(web_link.starts_with("https://example.org/b/"), "{web_link}");
        harness.get_by_role_and_label(Role::TextInput, "frame for a page");
    }
}
