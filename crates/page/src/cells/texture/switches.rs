//! Switches that break the texture, each with its effect on the picture.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::{option_button, small_button};
use bindpose_lesson::{Setting, SkinningFault, Transport, number_text};
use bindpose_notebook::palette_texture::{PaletteTexture, as_half};
use eframe::egui::{
    Align, Label, Layout, RichText, Stroke, TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText,
    accesskit::Role, vec2,
};
use glam::{Mat4, Vec3};

use crate::PageContext;

/// Width of the names, left of the buttons.
const NAME_WIDTH_PTS: f32 = 76.0;
/// Width of the buttons if the effect is beside them.
const BUTTONS_WIDTH_PTS: f32 = 196.0;
/// Width of the edge of an option that breaks something.
const EDGE_WIDTH_PTS: f32 = 1.0;

/// A switch with two or three options.
struct Switch {
    name: &'static str,
    /// Label and fault of each option. The first has no fault.
    options: &'static [(&'static str, Option<SkinningFault>)],
    compute_effect: fn(&PaletteTexture<'_>) -> Effect,
}

const SWITCHES: [Switch; 5] = [
    Switch {
        name: "filter",
        options: &[("NEAREST", None), ("LINEAR", Some(SkinningFault::Linear))],
        compute_effect: filter_effect,
    },
    Switch {
        name: "sampled at",
        options: &[("centre", None), ("edge", Some(SkinningFault::Edge))],
        compute_effect: position_effect,
    },
    Switch {
        name: "numbers",
        options: &[
            ("32-bit", None),
            ("16-bit", Some(SkinningFault::Half)),
            ("8-bit", Some(SkinningFault::Bytes)),
        ],
        compute_effect: format_effect,
    },
    Switch {
        name: "texels are",
        options: &[("columns", None), ("rows", Some(SkinningFault::Transposed))],
        compute_effect: order_effect,
    },
    Switch {
        name: "width",
        options: &[("4 texels", None), ("5 texels", Some(SkinningFault::WrongWidth))],
        compute_effect: width_effect,
    },
];

/// All texts that the effect of each switch may have, in the order of [`SWITCHES`].
static EFFECT_TEXTS: LazyLock<[Vec<String>; 5]> =
    LazyLock::new(|| SWITCHES.each_ref().map(|switch| effect_texts(switch.compute_effect)));

/// Draws the switches, in the order in which they affect the data on its way to the shader.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, palette: &PaletteTexture<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    let transport = page.document.state.transport;
    if !transport.is_texture() {
        let text = format!(
            "The picture takes its palette through a {}: no texture, and no fault of one. \
             Choose a path through a texture below.",
            transport.label()
        );
        ui.label(page.theme.caption(text));
    }
    for (switch, texts) in SWITCHES.iter().zip(EFFECT_TEXTS.iter()) {
        if transport.is_texture() {
            let effect = (switch.compute_effect)(palette);
            switch_ui(ui, page, switch, Some(EffectLabel { effect: &effect, all_texts: texts }));
        } else {
            switch_ui(ui, page, switch, None);
        }
    }
}

/// Draws the button that removes all faults.
pub(super) fn reset_faults_button(ui: &mut Ui, page: &mut PageContext<'_>) {
    let has_faults = !page.document.state.faults.is_empty();
    if ui.add_enabled(has_faults, small_button("All right again")).clicked() {
        page.choose(Setting::Faults(BTreeSet::new()));
    }
}

fn switch_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    switch: &Switch,
    effect: Option<EffectLabel<'_, String>>,
) {
    let faults = &page.document.state.faults;
    // The last active fault is shown, because 8-bit overrides 16-bit.
    let current = switch
        .options
        .iter()
        .rposition(|(_, fault)| fault.is_some_and(|fault| faults.contains(&fault)))
        .unwrap_or(0);
    let labels: Vec<&str> = switch.options.iter().map(|(label, _)| *label).collect();
    if let Some(chosen) = switch_row(ui, page.theme, switch.name, &labels, current, effect) {
        let mut new_faults = faults.clone();
        for (_, fault) in switch.options {
            if let Some(fault) = fault {
                new_faults.remove(fault);
            }
        }
        new_faults.extend(switch.options[chosen].1);
        page.choose(Setting::Faults(new_faults));
    }
}

/// An effect, and all texts that may replace it. The label reserves the height of the
/// longest, so that content below does not move.
pub(super) struct EffectLabel<'a, S> {
    pub(super) effect: &'a Effect,
    pub(super) all_texts: &'a [S],
}

impl<S: AsRef<str>> EffectLabel<'_, S> {
    fn ui(&self, ui: &mut Ui, theme: &Theme) {
        let color = if self.effect.wrong { theme.wrong } else { theme.quiet };
        let alternatives = self.all_texts.iter().map(|text| theme.caption(text.as_ref()));
        fixed_height_label(ui, theme.caption(&self.effect.text).color(color), alternatives);
    }
}

/// Draws a name, option buttons, and the effect: beside the buttons if there is room, or
/// below them. Returns the index of a clicked option.
pub(super) fn switch_row<S: AsRef<str>>(
    ui: &mut Ui,
    theme: &Theme,
    name: &str,
    labels: &[&str],
    current: usize,
    effect: Option<EffectLabel<'_, S>>,
) -> Option<usize> {
    let is_wrong = effect.as_ref().is_some_and(|label| label.effect.wrong);
    if ui.available_width() >= 460.0 {
        ui.horizontal_top(|ui| {
            let width = NAME_WIDTH_PTS + BUTTONS_WIDTH_PTS;
            let size = vec2(width, ui.spacing().interact_size.y);
            let layout = Layout::left_to_right(Align::Center);
            let buttons = ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.set_min_width(width);
                option_buttons(ui, theme, name, labels, current, is_wrong)
            });
            if let Some(effect) = effect {
                ui.vertical(|ui| {
                    ui.add_space(5.0);
                    effect.ui(ui, theme);
                });
            }
            buttons.inner
        })
        .inner
    } else {
        let buttons = ui.horizontal(|ui| {
            // The edge of an option that breaks something is drawn around its button.
            ui.set_min_height(ui.spacing().interact_size.y + 2.0 * EDGE_WIDTH_PTS);
            option_buttons(ui, theme, name, labels, current, is_wrong)
        });
        if let Some(effect) = effect {
            effect.ui(ui, theme);
        }
        buttons.inner
    }
}

/// Draws the name and the options. Returns the index of a clicked option.
fn option_buttons(
    ui: &mut Ui,
    theme: &Theme,
    name: &str,
    labels: &[&str],
    current: usize,
    is_wrong: bool,
) -> Option<usize> {
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding.x = 8.0;
    let size = vec2(NAME_WIDTH_PTS, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(NAME_WIDTH_PTS);
        ui.label(theme.caption(name));
    });
    let mut chosen = None;
    for (index, label) in labels.iter().enumerate() {
        let is_current = index == current;
        let mut button = option_button(is_current, *label);
        if is_current && is_wrong && index > 0 {
            let stroke = Stroke::new(EDGE_WIDTH_PTS, theme.wrong);
            button = button.fill(theme.wrong_wash).stroke(stroke);
        }
        let response = ui.add(button);
        response.widget_info(|| {
            let label = format!("{name}: {label}");
            WidgetInfo::selected(Role::RadioButton, true, is_current, label)
        });
        if response.clicked() {
            chosen = Some(index);
        }
    }
    chosen
}

/// The effect of a switch on the picture, or the reason why it has none.
pub(super) struct Effect {
    pub(super) text: String,
    /// Whether the shader reads wrong values.
    pub(super) wrong: bool,
}

fn right(text: impl Into<String>) -> Effect {
    Effect { text: text.into(), wrong: false }
}

fn wrong(text: impl Into<String>) -> Effect {
    Effect { text: text.into(), wrong: true }
}

fn filter_effect(palette: &PaletteTexture<'_>) -> Effect {
    if !palette.faults.contains(&SkinningFault::Linear) {
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
    if palette.faults.contains(&SkinningFault::Edge) {
        wrong("Every read mixes four texels: two columns of two joints. The mesh crumples.")
    } else if palette.faults.contains(&SkinningFault::WrongWidth) {
        wrong("Every read mixes two neighbours in the row.")
    } else {
        right("No effect: at its centre a texel has all the weight. Sample at the edge to see it.")
    }
}

/// Effect of the other switches on an incomplete texture, which overrides them.
fn incomplete_effect() -> Effect {
    right("Of no account: an incomplete texture reads the same everywhere.")
}

fn position_effect(palette: &PaletteTexture<'_>) -> Effect {
    if palette.is_incomplete() {
        return incomplete_effect();
    }
    let at_edge = palette.faults.contains(&SkinningFault::Edge);
    match (palette.transport.is_fetched(), at_edge) {
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

fn format_effect(palette: &PaletteTexture<'_>) -> Effect {
    if palette.faults.contains(&SkinningFault::Bytes) {
        return wrong(
            "Numbers are cut to 0 … 1 in 256 steps: axes lose their minus signs, and joints \
             gather near the origin.",
        );
    }
    if !palette.faults.contains(&SkinningFault::Half) {
        return right("Each number as it was computed.");
    }
    let max_error = palette
        .world_from_bind
        .iter()
        .flat_map(|matrix| matrix.to_cols_array())
        .map(|number| (as_half(number) - number).abs())
        .fold(0.0, f32::max);
    if max_error == 0.0 {
        return right("No effect in this pose: all its numbers have 11 binary digits or fewer.");
    }
    let max_error = if max_error < 1e-5 {
        number_text::scientific(max_error.into())
    } else {
        number_text::fixed(max_error.into(), 5)
    };
    wrong(format!(
        "11 binary digits are left: a number here is off by up to {max_error}. Large models jitter."
    ))
}

fn order_effect(palette: &PaletteTexture<'_>) -> Effect {
    if palette.is_incomplete() {
        return incomplete_effect();
    }
    if !palette.faults.contains(&SkinningFault::Transposed) {
        return right("A texel is a column, as mat4() takes them.");
    }
    let mut matrices = palette.world_from_bind.iter();
    if matrices.all(|matrix| matrix.transpose().abs_diff_eq(*matrix, 1e-6)) {
        return right("No effect in this pose: each matrix is its own transpose. Turn a joint.");
    }
    wrong("Rotations go the other way round, and the position of the origin ends in w.")
}

fn width_effect(palette: &PaletteTexture<'_>) -> Effect {
    if palette.is_incomplete() {
        return incomplete_effect();
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

/// Returns every text that an effect may have, for any faults. A text with a number has one
/// of typical length.
fn effect_texts(compute_effect: fn(&PaletteTexture<'_>) -> Effect) -> Vec<String> {
    let rotated = Mat4::from_translation(Vec3::new(2.0, -3.3, 0.1)) * Mat4::from_rotation_z(1.0);
    let mut texts = BTreeSet::new();
    for matrix in [Mat4::IDENTITY, rotated] {
        for_each_palette(&[matrix], |palette| {
            texts.insert(compute_effect(palette).text);
        });
    }
    texts.into_iter().collect()
}

/// Visits a palette with these matrices for each transport, each set of faults, and devices
/// with and without linear filtering of floats.
fn for_each_palette(world_from_bind: &[Mat4], mut visit: impl FnMut(&PaletteTexture<'_>)) {
    for transport in [Transport::TexelFetch, Transport::TextureCentres] {
        for float_linear in [true, false] {
            for bits in 0..1 << SkinningFault::OF_TEXTURE.len() {
                let mut faults = BTreeSet::new();
                for (bit, fault) in SkinningFault::OF_TEXTURE.into_iter().enumerate() {
                    if bits >> bit & 1 == 1 {
                        faults.insert(fault);
                    }
                }
                let faults = &faults;
                visit(&PaletteTexture { world_from_bind, faults, transport, float_linear });
            }
        }
    }
}

/// Draws a text that changes in place. Reserves the height of the highest alternative at
/// this width, so that content below does not move.
pub(super) fn fixed_height_label(
    ui: &mut Ui,
    text: RichText,
    alternatives: impl IntoIterator<Item = RichText>,
) {
    let width = ui.available_width();
    let mut min_height = 0.0_f32;
    for alternative in alternatives {
        let galley = WidgetText::from(alternative).into_galley(
            ui,
            Some(TextWrapMode::Wrap),
            width,
            TextStyle::Body,
        );
        min_height = min_height.max(galley.size().y);
    }
    ui.vertical(|ui| {
        ui.set_min_height(min_height);
        ui.add(Label::new(text).wrap());
    });
}

#[cfg(test)]
mod tests {
    use bindpose_skin::JointIndex;

    use super::*;

    #[test]
    fn effect_is_wrong_exactly_if_a_read_is() {
        let rotated =
            Mat4::from_translation(Vec3::new(2.0, -3.3, 0.1)) * Mat4::from_rotation_z(1.0);
        let matrices = [Mat4::IDENTITY, rotated, rotated * rotated];
        for_each_palette(&matrices, |palette| {
            let is_misread = (0..3).any(|joint| {
                let read = palette.matrix(JointIndex(joint));
                !read.abs_diff_eq(matrices[usize::from(joint)], 1e-5)
            });
            let effects =
                [filter_effect, position_effect, format_effect, order_effect, width_effect];
            let is_wrong = effects.iter().any(|effect| effect(palette).wrong);
            assert_eq!(is_wrong, is_misread, "{:?} {:?}", palette.faults, palette.transport);
        });
    }

    #[test]
    fn switch_without_effect_gives_a_reason() {
        let matrices = [Mat4::IDENTITY];
        let faults: BTreeSet<SkinningFault> = SkinningFault::OF_TEXTURE.into();
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TexelFetch,
            float_linear: true,
        };
        assert!(filter_effect(&palette).text.contains("knows no filter"));
        assert!(position_effect(&palette).text.contains("whole numbers"));
        assert!(order_effect(&palette).text.contains("its own transpose"));
        let halves: BTreeSet<SkinningFault> = [SkinningFault::Half].into();
        let palette = PaletteTexture { faults: &halves, ..palette };
        assert!(format_effect(&palette).text.contains("No effect in this pose"));
    }
}
