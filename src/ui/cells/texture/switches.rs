//! The switches that break the texture, each with what it does.

use std::collections::BTreeSet;

use eframe::egui::{Align, Label, Layout, Stroke, Ui, WidgetInfo, accesskit::Role, vec2};

use super::effects::{self, Effect};
use crate::lesson::{Fault, Setting};
use crate::notebook::palette_texture::Palette;
use crate::ui::PageContext;
use crate::ui::theme::Theme;
use crate::ui::widgets::{option_button, small_button};

/// Width of the names where they stand beside their switches.
const NAMES: f32 = 76.0;
/// Width of the switches where the words stand beside them.
const SWITCHES: f32 = 196.0;

/// One switch: its name, and its positions with the faults that each is.
struct Switch {
    name: &'static str,
    positions: &'static [(&'static str, Option<Fault>)],
    effect: fn(&Palette<'_>) -> Effect,
}

const SWITCH: [Switch; 5] = [
    Switch {
        name: "filter",
        positions: &[("NEAREST", None), ("LINEAR", Some(Fault::Linear))],
        effect: effects::filter,
    },
    Switch {
        name: "sampled at",
        positions: &[("centre", None), ("edge", Some(Fault::Edge))],
        effect: effects::place,
    },
    Switch {
        name: "numbers",
        positions: &[
            ("32-bit", None),
            ("16-bit", Some(Fault::Half)),
            ("8-bit", Some(Fault::Bytes)),
        ],
        effect: effects::format,
    },
    Switch {
        name: "texels are",
        positions: &[("columns", None), ("rows", Some(Fault::Transposed))],
        effect: effects::order,
    },
    Switch {
        name: "width",
        positions: &[("4 texels", None), ("5 texels", Some(Fault::WrongWidth))],
        effect: effects::width,
    },
];

/// The switches, in the order of the texture's way to the shader.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, palette: &Palette<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    let asked = page.document.state.transport;
    let texture = asked.is_texture();
    if !texture {
        let words = format!(
            "The picture takes its palette through a {}: no texture, and no fault of one. \
             Choose a path through a texture below.",
            asked.label()
        );
        ui.label(page.theme.caption(words));
    }
    for switch in &SWITCH {
        show(ui, page, switch, palette, texture);
    }
}

/// Undoes all of them.
pub(super) fn all_right(ui: &mut Ui, page: &mut PageContext<'_>) {
    let wrong = !page.document.state.faults.is_empty();
    let button = small_button("All right again");
    if ui.add_enabled(wrong, button).clicked() {
        let none = Setting::Faults(BTreeSet::new());
        page.choose(none);
    }
}

fn show(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    switch: &Switch,
    palette: &Palette<'_>,
    texture: bool,
) {
    let faults = &page.document.state.faults;
    // The last that holds: 8-bit is stronger than 16-bit.
    let current = switch
        .positions
        .iter()
        .rposition(|(_, fault)| fault.is_some_and(|fault| faults.contains(&fault)))
        .unwrap_or(0);
    let effect = texture.then(|| (switch.effect)(palette));
    let words: Vec<&str> = switch.positions.iter().map(|(words, _)| *words).collect();
    let chosen = row(
        ui,
        page.theme,
        switch.name,
        (&words, current),
        effect.as_ref(),
    );
    if let Some(chosen) = chosen {
        let own: Vec<Fault> = switch.positions.iter().filter_map(|(_, f)| *f).collect();
        let mut faults = faults.clone();
        faults.retain(|fault| !own.contains(fault));
        faults.extend(switch.positions[chosen].1);
        page.choose(Setting::Faults(faults));
    }
}

/// A name, buttons of which one is down, and a sentence: beside each other, or
/// the sentence below where there is no room.
pub(super) fn row(
    ui: &mut Ui,
    theme: &Theme,
    name: &str,
    (words, current): (&[&str], usize),
    effect: Option<&Effect>,
) -> Option<usize> {
    let wide = ui.available_width() >= 460.0;
    let wrong = effect.is_some_and(|effect| effect.wrong);
    let color = if wrong { theme.wrong } else { theme.quiet };
    let sentence = effect.map(|effect| theme.caption(&effect.words).color(color));
    let mut chosen = None;
    let mut buttons = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = 8.0;
        let size = vec2(NAMES, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAMES);
            ui.label(theme.caption(name));
        });
        for (index, words) in words.iter().enumerate() {
            if position(ui, theme, name, words, index == current, wrong && index > 0) {
                chosen = Some(index);
            }
        }
    };
    if wide {
        ui.horizontal_top(|ui| {
            let size = vec2(NAMES + SWITCHES, ui.spacing().interact_size.y);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(NAMES + SWITCHES);
                buttons(ui);
            });
            if let Some(sentence) = sentence {
                ui.vertical(|ui| {
                    ui.add_space(5.0);
                    ui.add(Label::new(sentence).wrap());
                });
            }
        });
    } else {
        ui.horizontal(buttons);
        if let Some(sentence) = sentence {
            ui.label(sentence);
        }
    }
    chosen
}

fn position(ui: &mut Ui, theme: &Theme, name: &str, words: &str, on: bool, wrong: bool) -> bool {
    let mut button = option_button(on, words);
    if on && wrong {
        button = button
            .fill(theme.wrong_wash)
            .stroke(Stroke::new(1.0, theme.wrong));
    }
    let response = ui.add(button);
    response.widget_info(|| {
        let label = format!("{name}: {words}");
        WidgetInfo::selected(Role::RadioButton, true, on, label)
    });
    response.clicked()
}
