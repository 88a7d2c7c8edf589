//! Shells that are one part of the page: the stage of a step within a page of
//! somebody else, or what a teacher reads in a window of their own.

use bindpose_notebook::link::PagePart;
use bindpose_notebook::{Edit, Navigation};
use bindpose_page::command::Command;
use bindpose_page::stage;
use bindpose_page::theme::SMALL;
use eframe::egui::{
    Align, CentralPanel, Context, Frame, Layout, Margin, OpenUrl, Panel, RichText, Ui,
};

use super::Shell;

/// Height of the line below a stage.
const FOOT: f32 = 30.0;
/// Under this width the line has no room for the title.
const ROOM_FOR_TITLE: f32 = 320.0;

impl Shell {
    /// Shows only this from now on. Of what is remembered it is given nothing, and
    /// nothing of it should be remembered.
    pub fn show_only(&mut self, part: PagePart, dark: Option<bool>) {
        self.part = part;
        self.dark = dark;
    }

    /// What a part leaves of what keys and buttons ask for.
    pub(super) fn leave_to_part(&self, commands: &mut Vec<Command>) {
        use Command as C;
        match self.part {
            PagePart::Whole => {}
            PagePart::Stage => commands.retain(|command| {
                matches!(
                    command,
                    C::Undo | C::Redo | C::Reset | C::ResetView | C::Play | C::GoOn | C::Escape
                ) || matches!(command, C::Loop | C::FrameBack | C::FrameForward)
            }),
            PagePart::TeachersWindow => commands.retain(|command| {
                matches!(command, C::Next | C::Back | C::ReadOn | C::ReadBack | C::GoOn)
                    || matches!(command, C::ZoomIn | C::ZoomOut | C::ZoomReset | C::Theme)
            }),
        }
    }

    /// The stage of the open step, and a line that leads to the whole page.
    pub(super) fn stage_alone(
        &mut self,
        ui: &mut Ui,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let paper = Frame::NONE.fill(self.theme.paper);
        let line = paper.inner_margin(Margin::symmetric(12, 0));
        Panel::bottom("whole page").exact_size(FOOT).frame(line).show(ui, |ui| self.whole_page(ui));
        CentralPanel::no_frame().frame(paper).show(ui, |ui| {
            self.with_page(edits, navigation, |_, page| {
                if stage::cells(page).next().is_none() {
                    ui.centered_and_justified(|ui| {
                        ui.label(
                            page.theme.caption("This step has no picture: open it to read it."),
                        );
                    });
                    return;
                }
                let area = ui.available_rect_before_wrap();
                let arrangement = stage::arrangement(page, area.size());
                stage::ui(ui, page, arrangement, false);
            });
        });
    }

    /// What is shown, and the way to all of it.
    fn whole_page(&self, ui: &mut Ui) {
        let title = self.notebook.step().map_or("", |step| &step.title);
        let links = self.page_links();
        let wide = ui.available_width() > ROOM_FOR_TITLE;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let words = RichText::new("Open in Bindpose").size(SMALL);
            let words = words.color(self.theme.accent);
            if ui.link(words).clicked() {
                ui.ctx().open_url(OpenUrl::new_tab(links.first()));
            }
            if wide {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(eframe::egui::Label::new(self.theme.caption(title)).truncate());
                });
            }
        });
    }

    /// Time passes while somebody teaches.
    pub(super) fn count_time(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let document = self.notebook.document();
        if self.view.presenting || self.view.notes {
            self.lesson_time.at(&document.lesson, document.step, now_secs);
        } else {
            self.lesson_time.stop(now_secs);
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::link::PagePart;
    use eframe::egui::{Key, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use crate::app::testing::page;

    #[test]
    fn an_embedded_stage_has_its_cells_and_the_way_to_the_page_alone() {
        let mut harness = page([720.0, 540.0], Vec::new());
        let shell = harness.state_mut().shell();
        shell.follow("bindpose://bone-grid/half-of-each").unwrap();
        shell.show_only(PagePart::Stage, Some(true));
        harness.run();
        harness.get_by_label("Open in Bindpose");
        assert!(harness.query_by_label("Next").is_none(), "no bar");
        let before = harness.state_mut().document();
        for key in [Key::ArrowRight, Key::PageDown, Key::W, Key::F1] {
            harness.key_press(key);
            harness.run();
        }
        harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
        harness.run();
        assert_eq!(harness.state_mut().document(), before);
        assert!(harness.query_by_label("Keys").is_none());
    }

    #[test]
    fn a_step_without_a_stage_says_so() {
        let mut harness = page([720.0, 540.0], Vec::new());
        let shell = harness.state_mut().shell();
        let set = &shell.notebook().set;
        let bare = set.lessons.iter().find_map(|lesson| {
            let steps = 0..lesson.steps.len();
            let mut bare = steps.filter(|&step| lesson.on_stage(step).next().is_none());
            Some((lesson.slug.clone(), lesson.steps[bare.next()?].slug.clone()))
        });
        let Some((lesson, step)) = bare else { return };
        shell.follow(&format!("bindpose://{lesson}/{step}")).unwrap();
        shell.show_only(PagePart::Stage, None);
        harness.run();
        harness.get_by_label_contains("no picture");
    }
}
