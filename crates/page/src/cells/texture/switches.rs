//! The switches that break the texture, each with what it does.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use bindpose_lesson::{Setting, SkinningFault};
use bindpose_notebook::palette_texture::PaletteTexture;
use eframe::egui::{Align, Layout, Stroke, Ui, WidgetInfo, accesskit::Role, vec2};

use super::effects::{self, Effect};
use super::steady_label::steady_label;
use crate::PageContext;
use crate::theme::Theme;
use crate::widgets::{option_button, small_button};

/// Width of the names where they stand beside their switches.
const NAMES: f32 = 76.0;
/// Width of the switches where the words stand beside them.
const SWITCHES: f32 = 196.0;

/// Width of the edge of a switch that breaks something.
const EDGE: f32 = 1.0;

/// One switch: its name, and its positions with the faults that each is.
struct Switch {
    name: &'static str,
    positions: &'static [(&'static str, Option<SkinningFault>)],
    effect: fn(&PaletteTexture<'_>) -> Effect,
}

const SWITCH: [Switch; 5] = [
    Switch {
        name: "filter",
        positions: &[("NEAREST", None), ("LINEAR", Some(SkinningFault::Linear))],
        effect: effects::filter,
    },
    Switch {
        name: "sampled at",
        positions: &[("centre", None), ("edge", Some(SkinningFault::Edge))],
        effect: effects::place,
    },
    Switch {
        name: "numbers",
        positions: &[
            ("32-bit", None),
            ("16-bit", Some(SkinningFault::Half)),
            ("8-bit", Some(SkinningFault::Bytes)),
        ],
        effect: effects::format,
    },
    Switch {
        name: "texels are",
        positions: &[("columns", None), ("rows", Some(SkinningFault::Transposed))],
        effect: effects::order,
    },
    Switch {
        name: "width",
        positions: &[("4 texels", None), ("5 texels", Some(SkinningFault::WrongWidth))],
        effect: effects::width,
    },
];

/// What each switch can say, in the same order.
static SENTENCES: LazyLock<[Vec<String>; 5]> =
    LazyLock::new(|| SWITCH.each_ref().map(|switch| effects::sentences(switch.effect)));

/// The switches, in the order of the texture's way to the shader.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, palette: &PaletteTexture<'_>) {
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
    for (switch, sentences) in SWITCH.iter().zip(SENTENCES.iter()) {
        let effect = texture.then(|| (switch.effect)(palette));
        let effect = effect.as_ref().map(|effect| (effect, &sentences[..]));
        show(ui, page, switch, effect);
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
    effect: Option<(&Effect, &[String])>,
) {
    let faults = &page.document.state.faults;
    // The last that holds: 8-bit is stronger than 16-bit.
    let current = switch
        .positions
        .iter()
        .rposition(|(_, fault)| fault.is_some_and(|fault| faults.contains(&fault)))
        .unwrap_or(0);
    let words: Vec<&str> = switch.positions.iter().map(|(words, _)| *words).collect();
    let chosen = row(ui, page.theme, switch.name, (&words, current), effect);
    if let Some(chosen) = chosen {
        let own: Vec<SkinningFault> = switch.positions.iter().filter_map(|(_, f)| *f).collect();
        let mut faults = faults.clone();
        faults.retain(|fault| !own.contains(fault));
        faults.extend(switch.positions[chosen].1);
        page.choose(Setting::Faults(faults));
    }
}

/// A name, buttons of which one is down, and a sentence: beside each other, or
/// the sentence below where there is no room. With the effect come all the
/// sentences that may stand there: the longest has room, so that what is below
/// stays where it is.
pub(super) fn row<S: AsRef<str>>(
    ui: &mut Ui,
    theme: &Theme,
    name: &str,
    (words, current): (&[&str], usize),
    effect: Option<(&Effect, &[S])>,
) -> Option<usize> {
    let wide = ui.available_width() >= 460.0;
    let wrong = effect.is_some_and(|(effect, _)| effect.wrong);
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
            if let Some((effect, sentences)) = effect {
                ui.vertical(|ui| {
                    ui.add_space(5.0);
                    say(ui, theme, effect, sentences);
                });
            }
        });
    } else {
        ui.horizontal(|ui| {
            // The edge of a switch that breaks something lies around it.
            ui.set_min_height(ui.spacing().interact_size.y + 2.0 * EDGE);
            buttons(ui);
        });
        if let Some((effect, sentences)) = effect {
            say(ui, theme, effect, sentences);
        }
    }
    chosen
}

/// What the switch does, with room for all it can say.
fn say<S: AsRef<str>>(ui: &mut Ui, theme: &Theme, effect: &Effect, sentences: &[S]) {
    let color = if effect.wrong { theme.wrong } else { theme.quiet };
    let others = sentences.iter().map(|words| theme.caption(words.as_ref()));
    steady_label(ui, theme.caption(&effect.words).color(color), others);
}

fn position(ui: &mut Ui, theme: &Theme, name: &str, words: &str, on: bool, wrong: bool) -> bool {
    let mut button = option_button(on, words);
    if on && wrong {
        button = button.fill(theme.wrong_wash).stroke(Stroke::new(EDGE, theme.wrong));
    }
    let response = ui.add(button);
    response.widget_info(|| {
        let label = format!("{name}: {words}");
        WidgetInfo::selected(Role::RadioButton, true, on, label)
    });
    response.clicked()
}
