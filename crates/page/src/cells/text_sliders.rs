//! Sliders of a reader's formula or program: `k = slider(0.8, 0, 2)` in its text is one,
//! and dragging it rewrites the number there.

use bindpose_lesson::SliderCall;
use bindpose_notebook::Edit;
use bindpose_notebook::cell_text::with_slider_named;
use eframe::egui::{Align, FontId, Layout, Ui, vec2};

use crate::PageContext;
use crate::theme::SMALL;
use crate::widgets::slider::Slider;
use crate::widgets::{PaintText as _, Scrub, Tip as _, fitted_text, small_button};

/// Room for a name.
const NAME: f32 = 72.0;
/// Room for a number.
const NUMBER: f32 = 72.0;

/// A row for each; `text` is the one that they were read from.
pub(super) fn ui(
    ui: &mut Ui,
    (text, sliders): (&str, &[SliderCall]),
    id: &str,
    page: &mut PageContext<'_>,
) {
    for (nth, slider) in sliders.iter().enumerate() {
        let name = slider.name.clone();
        let name = name.unwrap_or_else(|| format!("slider {}", nth + 1));
        if let Some(value) = row(ui, (id, nth), &name, slider, page) {
            write(slider.moved(text, value), id, page);
        }
    }
}

fn row(
    ui: &mut Ui,
    id: (&str, usize),
    name: &str,
    slider: &SliderCall,
    page: &PageContext<'_>,
) -> Option<f64> {
    let theme = page.theme;
    let (from, to) = slider.range;
    let number = Scrub::new((id, "text slider"), slider.value, name).chars(7).range(from..=to);
    let number = if slider.is_angle() {
        number.suffix("°").decimals(1)
    } else {
        let decimals = (3.0 - (to - from).log10().ceil()).clamp(0.0, 9.0);
        number.decimals(decimals as usize).step((to - from) / 200.0)
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let font = FontId::monospace(SMALL);
        let galley = fitted_text(ui, name, &font, NAME, theme.ink);
        let (rect, _) = ui.allocate_exact_size(vec2(NAME, 24.0), eframe::egui::Sense::hover());
        ui.painter().galley_left(rect.left_center(), galley, theme.ink);
        let on_rail =
            Slider { number: &number, home: slider.value, filled_from: from, color: theme.accent };
        let width = ui.available_width() - NUMBER.max(number.size(ui).x) - 8.0;
        let (_, slid) = on_rail.show(ui, width, theme);
        let typed =
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| number.show(ui)).inner;
        slid.or(typed).map(|change| change.or(slider.value))
    })
    .inner
}

/// Where a name is not known and not nearly one that is: a button that makes it a slider.
pub(super) fn offer(
    ui: &mut Ui,
    text: &str,
    unknown: Option<&str>,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let Some(name) = unknown else { return };
    let button = ui
        .add(small_button(format!("Make {name} a slider")))
        .tip(format!("Writes {name} = slider(1, 0, 2) before it: where it stands, and its ends"));
    if button.clicked() {
        write(with_slider_named(text, name), id, page);
    }
}

/// One step of undo for a drag.
fn write(text: String, id: &str, page: &mut PageContext<'_>) {
    page.edits.push(Edit::Text { cell: id.to_owned(), text: Some(text), typed: false });
}
