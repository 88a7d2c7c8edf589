//! The button that gives an exercise other numbers.

use bindpose_notebook::Edit;
use eframe::egui::Ui;

use crate::PageContext;
use crate::widgets::Tip as _;

/// Offers the draw `after` the present one, with the step as it opens; nothing
/// where there is none.
pub(super) fn again(ui: &mut Ui, after: Option<usize>, id: &str, page: &mut PageContext<'_>) {
    let Some(draw) = after else { return };
    let button = ui
        .button("Again, with other numbers")
        .tip("The step begins as it opens; what was solved stays in your record");
    if button.clicked() {
        page.view.playing.stop();
        page.edits.push(Edit::Draw { cell: id.to_owned(), draw, afresh: true });
    }
}
