//! What stands in the place of a page whose model or text is yet to come.

use bindpose_notebook::PendingAction;
use eframe::egui::{RichText, Role, Ui};

use super::theme::{BODY, INTERFACE, Theme, font};

/// Size of the lesson's title, in points.
const TITLE: f32 = 22.0;
/// Widest lines, in points.
const WIDE: f32 = 420.0;
/// Room above, as a part of the height.
const ABOVE: f32 = 0.3;

/// What the reader chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedPageChoice {
    /// To fetch again what could not be fetched.
    TryAgain,
    /// To go on reading where they are.
    Stay,
}

/// Shows what is waited for, or why it does not come. `here`: title of the step
/// that is open.
pub fn ui(
    ui: &mut Ui,
    theme: &Theme,
    awaited: &PendingAction,
    here: &str,
    failure: Option<&str>,
) -> Option<AwaitedPageChoice> {
    let room = ui.available_size();
    let what = awaited.rig.as_ref().map_or_else(|| "text".to_owned(), |rig| rig.replace('_', " "));
    let (words, color, role) = match failure {
        None => (format!("Loading the {what}…"), theme.quiet, Role::Status),
        Some(why) => {
            let words = format!("The {what} of this lesson could not be loaded: {why}.");
            (words, theme.wrong, Role::Alert)
        }
    };
    ui.add_space(room.y * ABOVE);
    let shown = ui.vertical_centered(|ui| {
        ui.set_max_width(WIDE.min(room.x - 32.0));
        let title = RichText::new(&awaited.lesson).font(font::strong(TITLE));
        ui.label(title.color(theme.ink));
        ui.add_space(8.0);
        let id = ui.label(RichText::new(&words).size(BODY).color(color)).id;
        ui.accesskit_node_builder(id, |node| {
            node.set_role(role);
            node.set_label(words.as_str());
            node.clear_value();
        });
        ui.add_space(12.0);
        let mut button = |words: &str| ui.button(RichText::new(words).size(INTERFACE)).clicked();
        let again = failure.is_some() && button("Try again");
        let stay = button(&format!("Stay at “{here}”"));
        match (again, stay) {
            (true, _) => Some(AwaitedPageChoice::TryAgain),
            (false, true) => Some(AwaitedPageChoice::Stay),
            (false, false) => None,
        }
    });
    shown.inner
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::{PageAddress, PendingActionKind};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::theme;

    fn page(failure: Option<&'static str>) -> Harness<'static, Option<AwaitedPageChoice>> {
        let awaited = PendingAction {
            asked: PendingActionKind::Page(PageAddress::lesson("whale")),
            lesson: "The whale".to_owned(),
            rig: Some("whale".to_owned()),
        };
        let mut ready = false;
        let show = move |ui: &mut Ui, answer: &mut Option<AwaitedPageChoice>| {
            if !std::mem::replace(&mut ready, true) {
                ui.ctx().set_fonts(theme::fonts());
                return;
            }
            *answer = ui_of(ui, &awaited, failure).or(*answer);
        };
        let mut harness = Harness::new_ui_state(show, None);
        harness.run();
        harness
    }

    fn ui_of(
        ui: &mut Ui,
        awaited: &PendingAction,
        failure: Option<&str>,
    ) -> Option<AwaitedPageChoice> {
        super::ui(ui, &Theme::light(), awaited, "Two joints", failure)
    }

    #[test]
    fn while_it_comes_one_can_stay() {
        let mut page = page(None);
        page.get_by_label("Loading the whale…");
        assert!(page.query_by_label("Try again").is_none());
        page.get_by_label("Stay at “Two joints”").click();
        page.run();
        assert_eq!(*page.state(), Some(AwaitedPageChoice::Stay));
    }

    #[test]
    fn when_it_fails_it_is_told_and_can_be_tried_again() {
        let mut page = page(Some("no network"));
        page.get_by_label("The whale of this lesson could not be loaded: no network.");
        page.get_by_label("Try again").click();
        page.run();
        assert_eq!(*page.state(), Some(AwaitedPageChoice::TryAgain));
    }
}
