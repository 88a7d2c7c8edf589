//! Placeholder for a page whose model or text is still being loaded.

use bindpose_kit::theme::{BODY_SIZE, INTERFACE_SIZE, Theme, font};
use bindpose_notebook::PendingAction;
use eframe::egui::{RichText, Role, Ui};

/// Size of the lesson's title, in points.
const TITLE_SIZE: f32 = 22.0;
/// Maximum width of a line, in points.
const MAX_LINE_WIDTH: f32 = 420.0;
/// Room above the text divided by the height.
const TOP_SHARE: f32 = 0.3;

/// Choice of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedPageChoice {
    /// Load the page again after a failure.
    TryAgain,
    /// Stay at the open step.
    Stay,
}

/// Draws the progress of loading, or why it failed. `here` is the title of the open step.
pub fn ui(
    ui: &mut Ui,
    theme: &Theme,
    awaited: &PendingAction,
    here: &str,
    failure: Option<&str>,
) -> Option<AwaitedPageChoice> {
    let room = ui.available_size();
    let part = match &awaited.rig {
        Some(rig) => rig.replace('_', " "),
        None => "text".to_owned(),
    };
    let (message, color, role) = match failure {
        None => (format!("Loading the {part}…"), theme.quiet, Role::Status),
        Some(reason) => {
            let message = format!("The {part} of this lesson could not be loaded: {reason}.");
            (message, theme.wrong, Role::Alert)
        }
    };
    ui.add_space(room.y * TOP_SHARE);
    let mut choice = None;
    ui.vertical_centered(|ui| {
        ui.set_max_width(MAX_LINE_WIDTH.min(room.x - 32.0));
        let title = RichText::new(&awaited.lesson).font(font::strong(TITLE_SIZE));
        ui.label(title.color(theme.ink));
        ui.add_space(8.0);
        let id = ui.label(RichText::new(&message).size(BODY_SIZE).color(color)).id;
        ui.accesskit_node_builder(id, |node| {
            node.set_role(role);
            node.set_label(message.as_str());
            node.clear_value();
        });
        ui.add_space(12.0);
        if failure.is_some() && ui.button(RichText::new("Try again").size(INTERFACE_SIZE)).clicked()
        {
            choice = Some(AwaitedPageChoice::TryAgain);
        }
        let stay = RichText::new(format!("Stay at “{here}”")).size(INTERFACE_SIZE);
        if ui.button(stay).clicked() && choice.is_none() {
            choice = Some(AwaitedPageChoice::Stay);
        }
    });
    choice
}

#[cfg(test)]
mod tests {
    use bindpose_kit::theme;
    use bindpose_notebook::{PageAddress, PendingActionKind};
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    fn page_harness(failure: Option<&'static str>) -> Harness<'static, Option<AwaitedPageChoice>> {
        let awaited = PendingAction {
            asked: PendingActionKind::Page(PageAddress::lesson("whale")),
            lesson: "The whale".to_owned(),
            rig: Some("whale".to_owned()),
        };
        let mut has_fonts = false;
        let mut harness = Harness::new_ui_state(
            move |ui, last_choice: &mut Option<AwaitedPageChoice>| {
                if !std::mem::replace(&mut has_fonts, true) {
                    ui.ctx().set_fonts(theme::fonts());
                    return;
                }
                let choice = super::ui(ui, &Theme::light(), &awaited, "Two joints", failure);
                *last_choice = choice.or(*last_choice);
            },
            None,
        );
        harness.run();
        harness
    }

    #[test]
    fn reader_can_stay_while_the_page_is_loading() {
        let mut page = page_harness(None);
        page.get_by_label("Loading the whale…");
        assert!(page.query_by_label("Try again").is_none());
        page.click_label("Stay at “Two joints”");
        assert_eq!(*page.state(), Some(AwaitedPageChoice::Stay));
    }

    #[test]
    fn failure_has_a_message_and_can_be_retried() {
        let mut page = page_harness(Some("no network"));
        page.get_by_label("The whale of this lesson could not be loaded: no network.");
        page.click_label("Try again");
        assert_eq!(*page.state(), Some(AwaitedPageChoice::TryAgain));
    }
}
