//! The label above a picture, which is a menu: what is compared can be chosen.

use eframe::egui::{Button, Popup, Rect, RichText, Shape, Stroke, Ui, UiBuilder, vec2};

use super::Compared;
use crate::lesson::{Setting, Transport, Variant};
use crate::skin::{Method, NormalRule, RotationInterpolation};
use crate::ui::theme::{FINE, SMALL, Theme, font};

/// The lesson's label, or what the reader has put in its place.
pub(super) fn label(
    ui: &mut Ui,
    rect: Rect,
    (index, variant): (usize, &Variant),
    compared: &mut Compared,
    theme: &Theme,
) {
    let words = compared.words(index, variant);
    let text = RichText::new(&words)
        .font(font::strong(SMALL))
        .color(theme.ink);
    let mut ui = ui.new_child(
        UiBuilder::new()
            .id_salt(("label", index))
            .max_rect(rect)
            .layout(eframe::egui::Layout::left_to_right(
                eframe::egui::Align::Center,
            )),
    );
    ui.spacing_mut().button_padding = vec2(4.0, 2.0);
    let button = Button::new(text).frame_when_inactive(false).truncate();
    ui.set_max_width((rect.width() - 18.0).max(24.0));
    let response = ui
        .add(button)
        .accessible_name(format!("{words}: choose what is compared"));
    caret(&ui, response.rect, theme);
    let response = response.on_hover_text("Choose what is compared");
    Popup::menu(&response).show(|ui| menu(ui, index, compared, theme));
}

/// A small triangle that points down: there is a menu.
fn caret(ui: &Ui, beside: Rect, theme: &Theme) {
    let at = beside.right_center() + vec2(7.0, 1.0);
    let corners = [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 2.5)];
    ui.painter().add(Shape::convex_polygon(
        corners.map(|corner| at + corner).to_vec(),
        theme.quiet,
        Stroke::NONE,
    ));
}

fn menu(ui: &mut Ui, index: usize, compared: &mut Compared, theme: &Theme) {
    ui.set_min_width(190.0);
    let Some(document) = compared.variant(index).map(|kept| kept.document.clone()) else {
        return;
    };
    let methods = Method::ALL.map(|method| Entry {
        words: method.label(),
        now: document.state.method == method,
        setting: Setting::Method(method),
    });
    let transports = Transport::ALL.map(|way| Entry {
        words: way.label(),
        now: document.state.transport == way,
        setting: Setting::Transport(way),
    });
    let normals = NormalRule::ALL.map(|rule| Entry {
        words: rule.label(),
        now: document.state.normals == rule,
        setting: Setting::Normals(rule),
    });
    section(ui, theme, "Method", &methods, (index, compared));
    section(ui, theme, "Transport", &transports, (index, compared));
    section(ui, theme, "Normals", &normals, (index, compared));
    if document.state.playback.clip.is_some() {
        let rotations = RotationInterpolation::ALL.map(|between| Entry {
            words: between.label(),
            now: document.state.playback.between == between,
            setting: Setting::Between(between),
        });
        section(
            ui,
            theme,
            "Rotations between keys",
            &rotations,
            (index, compared),
        );
    }
    if !compared.chosen(index).is_empty() {
        ui.separator();
        if ui.button("As the lesson has it").clicked() {
            compared.forget(index);
            ui.close();
        }
    }
}

/// One choice of a section.
struct Entry {
    words: &'static str,
    now: bool,
    setting: Setting,
}

fn section(
    ui: &mut Ui,
    theme: &Theme,
    heading: &str,
    entries: &[Entry],
    (index, compared): (usize, &mut Compared),
) {
    ui.label(RichText::new(heading).size(FINE).color(theme.quiet));
    for entry in entries {
        if ui.selectable_label(entry.now, entry.words).clicked() {
            compared.choose(index, entry.setting.clone());
            ui.close();
        }
    }
}
