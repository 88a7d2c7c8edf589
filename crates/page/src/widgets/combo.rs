//! A list that opens, to choose one of.

use eframe::egui::{ComboBox, Ui};

/// Answers with what was chosen now. `words` writes each; `name` is the list's, for
/// those who hear the page.
pub fn combo<T: PartialEq>(
    ui: &mut Ui,
    list: ComboBox<'_>,
    name: &str,
    now: &T,
    all: impl IntoIterator<Item = T>,
    words: impl Fn(&T) -> String,
) -> Option<T> {
    let mut chosen = None;
    list.selected_text(words(now))
        .show_ui(ui, |ui| {
            for one in all {
                if ui.selectable_label(one == *now, words(&one)).clicked() {
                    chosen = Some(one);
                }
            }
        })
        .response
        .accessible_name(name);
    chosen
}
