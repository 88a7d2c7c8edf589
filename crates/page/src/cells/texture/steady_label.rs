//! Words that change in place, while what stands below them does not move.

use eframe::egui::{Label, RichText, TextStyle, TextWrapMode, Ui, WidgetText};

/// Shows words with room, at this width, for whatever else may stand there.
pub(super) fn steady_label(
    ui: &mut Ui,
    words: RichText,
    others: impl IntoIterator<Item = RichText>,
) {
    let width = ui.available_width();
    let height = |words: RichText| {
        let words = WidgetText::from(words);
        let galley = words.into_galley(ui, Some(TextWrapMode::Wrap), width, TextStyle::Body);
        galley.size().y
    };
    let highest = others.into_iter().map(height).fold(0.0, f32::max);
    ui.vertical(|ui| {
        ui.set_min_height(highest);
        ui.add(Label::new(words).wrap());
    });
}
