//! The label above a picture, which is a menu: what is compared can be chosen.

use bindpose_lesson::{Setting, Transport, Variant};
use bindpose_skin::{Method, NormalRule, RotationInterpolation, WeightSource};
use eframe::egui::{Button, Popup, Rect, RichText, Shape, Stroke, Ui, UiBuilder, vec2};

use super::ComparedVariants;
use crate::theme::{FINE, SMALL, Theme, font};
use crate::widgets::Tip as _;

/// Beside the words, in points.
const PAD: f32 = 4.0;
/// Room for the triangle after the button.
const CARET: f32 = 14.0;

/// The lesson's label, or what the reader has put in its place.
pub(super) fn label(
    ui: &mut Ui,
    rect: Rect,
    (index, variant): (usize, &Variant),
    compared: &mut ComparedVariants,
    theme: &Theme,
) {
    let words = compared.words(index, variant);
    let room = (rect.width() - CARET).max(24.0);
    let fits = |size: f32| {
        let font = font::strong(size);
        let galley = ui.painter().layout_no_wrap(words.clone(), font, theme.ink);
        galley.size().x + 2.0 * PAD <= room
    };
    let size = if fits(SMALL) { SMALL } else { FINE };
    let text = RichText::new(&words).font(font::strong(size)).color(theme.ink);
    let mut ui = ui.new_child(
        UiBuilder::new()
            .id_salt(("label", index))
            .max_rect(rect)
            .layout(eframe::egui::Layout::left_to_right(eframe::egui::Align::Center)),
    );
    ui.spacing_mut().button_padding = vec2(PAD, 2.0);
    // Else a button for fingers is higher than its line, and stands below its middle.
    ui.spacing_mut().interact_size.y = rect.height();
    let button = Button::new(text).frame_when_inactive(false).truncate();
    ui.set_max_width(room);
    let response = ui.add(button).accessible_name(format!("{words}: choose what is compared"));
    caret(&ui, response.rect, theme);
    let response = response.tip("Choose what is compared");
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

fn menu(ui: &mut Ui, index: usize, compared: &mut ComparedVariants, theme: &Theme) {
    ui.set_min_width(190.0);
    let Some(document) = compared.variant(index).map(|kept| kept.document.clone()) else {
        return;
    };
    let state = &document.state;
    let mut menu = Menu { ui, theme, index, compared };
    let methods = Method::ALL.map(|one| (one.label(), Setting::Method(one), one == state.method));
    let ways = Transport::ALL;
    let ways = ways.map(|one| (one.label(), Setting::Transport(one), one == state.transport));
    let rules = NormalRule::ALL;
    let rules = rules.map(|one| (one.label(), Setting::Normals(one), one == state.normals));
    let sources = WeightSource::ALL;
    let now = state.weights_by.source;
    let sources = sources.map(|one| (one.label(), Setting::WeightsFrom(one), one == now));
    menu.section("Method", methods);
    menu.section("Weights", sources);
    menu.section("Transport", ways);
    menu.section("Normals", rules);
    if state.playback.clip.is_some() {
        let now = state.playback.between;
        let between = RotationInterpolation::ALL;
        let between = between.map(|one| (one.label(), Setting::Between(one), one == now));
        menu.section("Rotations between keys", between);
    }
    if !compared.chosen(index).is_empty() {
        ui.separator();
        if ui.button("As the lesson has it").clicked() {
            compared.forget(index);
            ui.close();
        }
    }
}

/// What the sections of the menu have in common.
struct Menu<'a> {
    ui: &'a mut Ui,
    theme: &'a Theme,
    index: usize,
    compared: &'a mut ComparedVariants,
}

impl Menu<'_> {
    /// Each choice: its words, what it sets, and whether it holds now.
    fn section<const N: usize>(&mut self, heading: &str, all: [(&str, Setting, bool); N]) {
        let heading = RichText::new(heading).size(FINE);
        self.ui.label(heading.color(self.theme.quiet));
        for (words, setting, now) in all {
            if self.ui.selectable_label(now, words).clicked() {
                self.compared.choose(self.index, setting);
                self.ui.close();
            }
        }
    }
}
