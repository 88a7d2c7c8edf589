//! The label above a picture: plain, or as the button of a menu of settings.

use bindpose_kit::theme::{FINE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::Tip as _;
use bindpose_lesson::{Setting, Transport, Variant};
use bindpose_skin::{Method, NormalRule, RotationInterpolation, WeightSource};
use eframe::egui::{
    Align, Button, Label, Layout, Popup, Rect, RichText, Shape, Stroke, Ui, UiBuilder, vec2,
};

use super::compared_variants::ComparedVariants;

/// Padding at each side of the button's text.
const PAD_PTS: f32 = 4.0;
/// Width of the triangle after the button.
const CARET_WIDTH_PTS: f32 = 14.0;

pub(super) fn draw_label(ui: &mut Ui, rect: Rect, label: &str, theme: &Theme) {
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt(("difference", label))
            .max_rect(rect)
            .layout(Layout::left_to_right(Align::Center)),
    );
    child.add_space(4.0);
    let text = RichText::new(label).font(font::strong(SMALL_SIZE));
    child.add(Label::new(text.color(theme.ink)).truncate());
}

/// Draws the label of a variant. Clicking it opens a menu with which the reader replaces the
/// lesson's settings.
pub(super) fn draw_variant_menu(
    ui: &mut Ui,
    rect: Rect,
    index: usize,
    variant: &Variant,
    compared: &mut ComparedVariants,
    theme: &Theme,
) {
    let label = compared.label(index, variant);
    let max_width = (rect.width() - CARET_WIDTH_PTS).max(24.0);
    let galley = ui.painter().layout_no_wrap(label.clone(), font::strong(SMALL_SIZE), theme.ink);
    let font_size =
        if galley.size().x + 2.0 * PAD_PTS <= max_width { SMALL_SIZE } else { FINE_SIZE };
    let text = RichText::new(&label).font(font::strong(font_size)).color(theme.ink);
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt(("label", index))
            .max_rect(rect)
            .layout(Layout::left_to_right(Align::Center)),
    );
    child.spacing_mut().button_padding = vec2(PAD_PTS, 2.0);
    // Buttons for touch screens would be higher than the line, and off its centre.
    child.spacing_mut().interact_size.y = rect.height();
    let button = Button::new(text).frame_when_inactive(false).truncate();
    child.set_max_width(max_width);
    let response = child.add(button).accessible_name(format!("{label}: choose what is compared"));
    draw_caret(&child, response.rect, theme);
    let response = response.tip("Choose what is compared");
    Popup::menu(&response).show(|ui| draw_menu(ui, index, compared, theme));
}

/// Draws a small triangle that points down, the sign of a menu.
fn draw_caret(ui: &Ui, button: Rect, theme: &Theme) {
    let center = button.right_center() + vec2(7.0, 1.0);
    let corners = [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 2.5)];
    ui.painter().add(Shape::convex_polygon(
        corners.map(|corner| center + corner).to_vec(),
        theme.quiet,
        Stroke::NONE,
    ));
}

fn draw_menu(ui: &mut Ui, index: usize, compared: &mut ComparedVariants, theme: &Theme) {
    ui.set_min_width(190.0);
    let Some(variant) = compared.variant(index) else {
        return;
    };
    let state = &variant.document.state;
    let methods = Method::ALL.map(|method| MenuChoice {
        label: method.label(),
        setting: Setting::Method(method),
        is_current: method == state.method,
    });
    let weights = WeightSource::ALL.map(|source| MenuChoice {
        label: source.label(),
        setting: Setting::WeightsFrom(source),
        is_current: source == state.weights_by.source,
    });
    let transports = Transport::ALL.map(|transport| MenuChoice {
        label: transport.label(),
        setting: Setting::Transport(transport),
        is_current: transport == state.transport,
    });
    let normals = NormalRule::ALL.map(|rule| MenuChoice {
        label: rule.label(),
        setting: Setting::Normals(rule),
        is_current: rule == state.normals,
    });
    let rotations = RotationInterpolation::ALL.map(|between| MenuChoice {
        label: between.label(),
        setting: Setting::Between(between),
        is_current: between == state.playback.between,
    });
    let has_clip = state.playback.clip.is_some();

    let mut chosen = draw_menu_section(ui, "Method", methods, theme);
    chosen = draw_menu_section(ui, "Weights", weights, theme).or(chosen);
    chosen = draw_menu_section(ui, "Transport", transports, theme).or(chosen);
    chosen = draw_menu_section(ui, "Normals", normals, theme).or(chosen);
    if has_clip {
        chosen = draw_menu_section(ui, "Rotations between keys", rotations, theme).or(chosen);
    }
    if let Some(setting) = chosen {
        compared.choose(index, setting);
        ui.close();
    }
    if !compared.chosen(index).is_empty() {
        ui.separator();
        if ui.button("As the lesson has it").clicked() {
            compared.reset(index);
            ui.close();
        }
    }
}

/// An entry of the menu.
struct MenuChoice {
    label: &'static str,
    setting: Setting,
    is_current: bool,
}

/// Draws a section of the menu. Returns the setting that was clicked.
fn draw_menu_section<const N: usize>(
    ui: &mut Ui,
    heading: &str,
    choices: [MenuChoice; N],
    theme: &Theme,
) -> Option<Setting> {
    ui.label(RichText::new(heading).size(FINE_SIZE).color(theme.quiet));
    let mut chosen = None;
    for choice in choices {
        if ui.selectable_label(choice.is_current, choice.label).clicked() {
            chosen = Some(choice.setting);
        }
    }
    chosen
}
