//! The window with the links to the open page, and what is pasted where no text is being
//! written: a link, or numbers for the step.

use bindpose_lesson::{Cell, CellKind};
use bindpose_notebook::Edit;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::link::{self, NotebookSite};
use bindpose_notebook::number_text::grouped;
use bindpose_page::link_window::{self, Entered, PageLinks};
use eframe::egui::{Context, Event};

use super::Shell;

impl Shell {
    /// Where the notebook stands in the web: this page's own site, or the one that
    /// the reader has named.
    fn site_of_links(&self) -> Option<NotebookSite> {
        let named = self.view.links.site.as_deref();
        let named = || NotebookSite::typed(named?, &self.notebook.set).ok();
        self.host.site.clone().or_else(named)
    }

    pub(super) fn page_links(&self) -> PageLinks {
        let (link, set) = (self.notebook.link(), &self.notebook.set);
        let site = self.site_of_links();
        let site = site.as_ref();
        let title = self.notebook.step().map_or("", |step| &step.title);
        PageLinks {
            web: site.and_then(|site| site.page(&link, set)),
            frame: site.and_then(|site| site.frame(&link, title, set)),
            names_site: self.host.site.is_none(),
            weights_left_out: self.notebook.weights_left_out_of_link(),
            program: link,
        }
    }

    /// The link is on the clipboard, and the window shows what else there is.
    pub(super) fn copy_link(&mut self, ctx: &Context) {
        let view = &mut self.view.links;
        view.open = !view.open;
        view.typed = None;
        if self.view.links.open {
            ctx.copy_text(self.page_links().first().to_owned());
            self.copying.words = Some(if self.notebook.weights_left_out_of_link() == 0 {
                "The link to this page, with its values, is on the clipboard."
            } else {
                "The link to this page is on the clipboard, without the edited weights: they are too many for a link. Export saves them as a file."
            });
        }
    }

    pub(super) fn links(&mut self, ctx: &Context) {
        let links = self.page_links();
        let entered = link_window::ui(ctx, &self.look.theme, &links, &mut self.view.links);
        let entered = match entered {
            None => return,
            Some(Entered::Link(text)) => {
                // A message may have words around the link.
                self.open_link(link::find(&text).unwrap_or(&text));
                return;
            }
            Some(Entered::Site(text)) => text,
        };
        let view = &mut self.view.links;
        let site = Some(entered.trim()).filter(|text| !text.is_empty());
        match site.map(|text| NotebookSite::typed(text, &self.notebook.set)) {
            Some(Err(wrong)) => view.typed = Some((entered, Some(format!("Not used: {wrong}.")))),
            site => {
                let site = site.and_then(Result::ok);
                view.site = site.map(|site| site.address().to_owned());
                view.typed = None;
            }
        }
        self.changes += 1;
        ctx.request_repaint();
    }
}

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

#[cfg(test)]
mod tests {
    use eframe::egui::{Key, Modifiers, accesskit::Role};
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use crate::app::testing::page;

    const SITE: &str = "address of the notebook in the web";

    #[test]
    fn the_window_has_the_links_and_the_first_is_copied() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.key_press_modifiers(Modifiers::COMMAND, Key::L);
        harness.run();
        harness.get_by_label("The link to this page, with its values, is on the clipboard.");
        let link = harness.state_mut().shell().notebook().link();
        let of_program = harness.get_by_role_and_label(Role::TextInput, "link for the program");
        assert_eq!(of_program.accesskit_node().value().unwrap(), link);
        assert!(harness.query_by_label("link for a browser").is_none());
        harness.key_press(Key::Escape);
        harness.run();
        assert!(harness.query_by_label("link for the program").is_none());
        // What opens next does not lie over it.
        harness.key_press_modifiers(Modifiers::COMMAND, Key::L);
        harness.run();
        harness.key_press(Key::F1);
        harness.run();
        assert!(harness.query_by_label("link for the program").is_none());
        harness.get_by_role_and_label(Role::Dialog, "Keys");
    }

    #[test]
    fn another_link_of_either_kind_is_opened() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.key_press_modifiers(Modifiers::COMMAND, Key::L);
        harness.run();
        for (typed, lesson) in [
            ("bindpose://bind-pose", "bind-pose"),
            ("https://example.org/40-bone-grid/#b0=0.5", "bone-grid"),
        ] {
            harness.state_mut().shell().view.links.other = typed.to_owned();
            harness.run();
            harness.get_by_label("Open the link").click();
            harness.run();
            assert_eq!(harness.state_mut().document().lesson, lesson);
        }
    }

    #[test]
    fn with_a_site_there_is_a_link_for_browsers_and_a_frame() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.key_press_modifiers(Modifiers::COMMAND, Key::L);
        harness.run();
        harness.get_by_label(SITE).focus();
        harness.run();
        harness.get_by_label(SITE).type_text("not an address");
        harness.key_press(Key::Enter);
        harness.run();
        harness.get_by_label_contains("Not used:");
        assert_eq!(harness.state_mut().shell().preferences().site, None);
        let shell = harness.state_mut().shell();
        shell.view.links.typed = Some(("https://example.org/b".to_owned(), None));
        harness.get_by_label(SITE).focus();
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        let site = harness.state_mut().shell().preferences().site;
        assert_eq!(site.as_deref(), Some("https://example.org/b/"));
        let web = harness.get_by_role_and_label(Role::TextInput, "link for a browser");
        let web = web.accesskit_node().value().unwrap();
        assert!(web.starts_with("https://example.org/b/"), "{web}");
        harness.get_by_role_and_label(Role::TextInput, "frame for a page");
    }
}
