//! The menu that copies a matrix for other programs.

use bindpose_notebook::matrix_notation::Notation;
use bindpose_skin::Conventions;
use eframe::egui::{Button, Popup, Response, RichText, Ui};
use glam::Mat4;

use super::tip::Tip as _;
use crate::icons;
use crate::theme::{FINE, INTERFACE, Theme, font};

/// A small icon; click it, or right-click `surface`, for the menu. `more` adds what
/// else can be done with the matrix, and with how it is written.
pub fn copy_matrix(
    ui: &mut Ui,
    theme: &Theme,
    surface: &Response,
    name: &str,
    (matrix, conventions): (&Mat4, Conventions),
    mut more: impl FnMut(&mut Ui),
) {
    let icon = RichText::new(icons::COPY).font(font::icon(INTERFACE)).color(theme.quiet);
    let button = ui
        .add(Button::new(icon).frame_when_inactive(false).min_size(eframe::egui::vec2(24.0, 22.0)))
        .accessible_name(format!("copy {name}"));
    let button = button.tip("Copy this matrix");
    let mut menu = |ui: &mut Ui| {
        entries(ui, theme, matrix, conventions);
        more(ui);
    };
    Popup::menu(&button).show(&mut menu);
    surface.context_menu(menu);
}

fn entries(ui: &mut Ui, theme: &Theme, matrix: &Mat4, conventions: Conventions) {
    ui.set_min_width(180.0);
    for notation in Notation::ALL {
        let order = RichText::new(notation.order(conventions)).color(theme.quiet).size(FINE);
        let entry = Button::new(format!("Copy as {}", notation.label())).right_text(order);
        if ui.add(entry).clicked() {
            ui.ctx().copy_text(notation.write(matrix, conventions));
            ui.close();
        }
    }
}
