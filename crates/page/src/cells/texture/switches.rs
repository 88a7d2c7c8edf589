//! The switches that break the texture, each with what it does.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use bindpose_lesson::{Setting, SkinningFault, Transport};
use bindpose_notebook::number_text;
use bindpose_notebook::palette_texture::{PaletteTexture, as_half};
use eframe::egui::{
    Align, Label, Layout, RichText, Stroke, TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText,
    accesskit::Role, vec2,
};
use glam::{Mat4, Vec3};

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
        effect: filter_effect,
    },
    Switch {
        name: "sampled at",
        positions: &[("centre", None), ("edge", Some(SkinningFault::Edge))],
        effect: place_effect,
    },
    Switch {
        name: "numbers",
        positions: &[
            ("32-bit", None),
            ("16-bit", Some(SkinningFault::Half)),
            ("8-bit", Some(SkinningFault::Bytes)),
        ],
        effect: format_effect,
    },
    Switch {
        name: "texels are",
        positions: &[("columns", None), ("rows", Some(SkinningFault::Transposed))],
        effect: order_effect,
    },
    Switch {
        name: "width",
        positions: &[("4 texels", None), ("5 texels", Some(SkinningFault::WrongWidth))],
        effect: width_effect,
    },
];

/// What each switch can say, in the same order.
static SENTENCES: LazyLock<[Vec<String>; 5]> =
    LazyLock::new(|| SWITCH.each_ref().map(|switch| effect_sentences(switch.effect)));

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

// What each switch does to the picture, in one sentence, or why it does
// nothing.

/// A sentence, and whether it tells of something wrong.
pub(super) struct Effect {
    pub(super) words: String,
    pub(super) wrong: bool,
}

fn right(words: impl Into<String>) -> Effect {
    Effect { words: words.into(), wrong: false }
}

fn wrong(words: impl Into<String>) -> Effect {
    Effect { words: words.into(), wrong: true }
}

/// NEAREST or LINEAR.
pub(super) fn filter_effect(palette: &PaletteTexture<'_>) -> Effect {
    let has = |fault| palette.faults.contains(&fault);
    if !has(SkinningFault::Linear) {
        return right("A read gives one texel, whole.");
    }
    if palette.is_incomplete() {
        return wrong(
            "32-bit floats cannot be filtered on this device: the texture is incomplete, every \
             read gives 0, 0, 0, 1, and the mesh shrinks to a point.",
        );
    }
    if palette.transport.is_fetched() {
        return right("No effect: texelFetch names one texel and knows no filter.");
    }
    match (has(SkinningFault::Edge), has(SkinningFault::WrongWidth)) {
        (true, _) => {
            wrong("Every read mixes four texels: two columns of two joints. The mesh crumples.")
        }
        (false, true) => wrong("Every read mixes two neighbours in the row."),
        (false, false) => right(
            "No effect: at its centre a texel has all the weight. Sample at the edge to see it.",
        ),
    }
}

/// With an incomplete texture nothing else counts.
fn of_no_account(palette: &PaletteTexture<'_>) -> Option<Effect> {
    palette
        .is_incomplete()
        .then(|| right("Of no account: an incomplete texture reads the same everywhere."))
}

/// Centre or edge.
pub(super) fn place_effect(palette: &PaletteTexture<'_>) -> Effect {
    if let Some(effect) = of_no_account(palette) {
        return effect;
    }
    let edge = palette.faults.contains(&SkinningFault::Edge);
    match (palette.transport.is_fetched(), edge) {
        (true, true) => right("No effect: texelFetch takes whole numbers, not coordinates."),
        (true, false) => right("Whole numbers, column and row: there is nothing to aim at."),
        (false, false) => right("The half is added: the middle of the texel."),
        (false, true) if palette.faults.contains(&SkinningFault::Linear) => {
            wrong("The half is missing: the read falls between texels, and LINEAR mixes them.")
        }
        (false, true) => wrong(
            "The half is missing. This page then reads the texel before, in the row of the joint \
             before.",
        ),
    }
}

/// 32-bit, 16-bit or 8-bit.
pub(super) fn format_effect(palette: &PaletteTexture<'_>) -> Effect {
    if palette.faults.contains(&SkinningFault::Bytes) {
        return wrong(
            "Numbers are cut to 0 … 1 in 256 steps: axes lose their minus signs, and joints \
             gather near the origin.",
        );
    }
    if !palette.faults.contains(&SkinningFault::Half) {
        return right("Each number as it was computed.");
    }
    let numbers = palette.world_from_bind.iter().flat_map(|m| m.to_cols_array());
    let most = numbers.map(|number| (as_half(number) - number).abs());
    let most = most.fold(0.0, f32::max);
    if most == 0.0 {
        return right("No effect in this pose: all its numbers have 11 binary digits or fewer.");
    }
    let most = if most < 1e-5 {
        number_text::scientific(most.into())
    } else {
        number_text::fixed(most.into(), 5)
    };
    wrong(format!(
        "11 binary digits are left: a number here is off by up to {most}. Large models jitter."
    ))
}

/// Columns or rows.
pub(super) fn order_effect(palette: &PaletteTexture<'_>) -> Effect {
    if let Some(effect) = of_no_account(palette) {
        return effect;
    }
    if !palette.faults.contains(&SkinningFault::Transposed) {
        return right("A texel is a column, as mat4() takes them.");
    }
    let same = |m: &glam::Mat4| m.transpose().abs_diff_eq(*m, 1e-6);
    if palette.world_from_bind.iter().all(same) {
        return right("No effect in this pose: each matrix is its own transpose. Turn a joint.");
    }
    wrong("Rotations go the other way round, and the position of the origin ends in w.")
}

/// 4 or 5 texels wide.
pub(super) fn width_effect(palette: &PaletteTexture<'_>) -> Effect {
    if let Some(effect) = of_no_account(palette) {
        return effect;
    }
    match (palette.faults.contains(&SkinningFault::WrongWidth), palette.transport.is_sampled()) {
        (false, _) => right("One row holds one joint."),
        (true, true) => wrong(
            "Row j begins j texels late, and the shader, which divides by 4, reads texels 0, 1, \
             3 and 4 of it.",
        ),
        (true, false) => {
            wrong("Row j begins j texels late: only joint 0 gets its own four texels.")
        }
    }
}

/// Every sentence that an effect can say, whatever is switched: with a number of
/// the usual length where it names one.
pub(super) fn effect_sentences(effect: fn(&PaletteTexture<'_>) -> Effect) -> Vec<String> {
    let turned = Mat4::from_translation(Vec3::new(2.0, -3.3, 0.1)) * Mat4::from_rotation_z(1.0);
    let mut sentences = BTreeSet::new();
    for matrix in [Mat4::IDENTITY, turned] {
        each_palette(&[matrix], |palette| {
            sentences.insert(effect(palette).words);
        });
    }
    sentences.into_iter().collect()
}

/// These matrices by both paths, with every choice of faults, on a device that
/// filters floats and on one that does not.
fn each_palette(world_from_bind: &[Mat4], mut visit: impl FnMut(&PaletteTexture<'_>)) {
    for transport in [Transport::TexelFetch, Transport::TextureCentres] {
        for float_linear in [true, false] {
            for bits in 0..1 << SkinningFault::OF_TEXTURE.len() {
                let faults = SkinningFault::OF_TEXTURE.into_iter().enumerate();
                let faults = faults.filter(|(bit, _)| bits >> bit & 1 == 1);
                visit(&PaletteTexture {
                    world_from_bind,
                    faults: &faults.map(|(_, fault)| fault).collect(),
                    transport,
                    float_linear,
                });
            }
        }
    }
}

// Words that change in place, while what stands below them does not move.

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

#[cfg(test)]
mod tests {
    use bindpose_skin::JointIndex;

    use super::*;

    /// A word of warning stands exactly where a read is not what was meant.
    #[test]
    fn the_words_are_those_of_the_reads() {
        let turned = Mat4::from_translation(Vec3::new(2.0, -3.3, 0.1)) * Mat4::from_rotation_z(1.0);
        let matrices = [Mat4::IDENTITY, turned, turned * turned];
        each_palette(&matrices, |palette| {
            let off = (0..3).any(|joint| {
                let read = palette.matrix(JointIndex(joint));
                !read.abs_diff_eq(matrices[usize::from(joint)], 1e-5)
            });
            let effects = [filter_effect, place_effect, format_effect, order_effect, width_effect];
            let warned = effects.iter().any(|effect| effect(palette).wrong);
            assert_eq!(warned, off, "{:?} {:?}", palette.faults, palette.transport);
        });
    }

    #[test]
    fn where_a_switch_has_no_effect_the_reason_is_given() {
        let matrices = [Mat4::IDENTITY];
        let faults: BTreeSet<SkinningFault> = SkinningFault::OF_TEXTURE.into();
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TexelFetch,
            float_linear: true,
        };
        assert!(filter_effect(&palette).words.contains("knows no filter"));
        assert!(place_effect(&palette).words.contains("whole numbers"));
        assert!(order_effect(&palette).words.contains("its own transpose"));
        let halves: BTreeSet<SkinningFault> = [SkinningFault::Half].into();
        let palette = PaletteTexture { faults: &halves, ..palette };
        assert!(format_effect(&palette).words.contains("No effect in this pose"));
    }
}
