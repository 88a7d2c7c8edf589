//! What appears over a viewport while it is hovered: standard views, depth,
//! what is drawn.

use eframe::egui::{self, Rect, Response, RichText, Ui, UiBuilder, vec2};

use crate::lesson::{Projection, Setting, Show, View, ViewportCell};
use crate::notebook::Edit;
use crate::ui::view::CameraState;
use crate::ui::{PageContext, icons, theme};

const VIEWS: [(View, &str); 7] = [
    (View::Front, "Front"),
    (View::Back, "Back"),
    (View::Left, "Left"),
    (View::Right, "Right"),
    (View::Top, "Top"),
    (View::Bottom, "Bottom"),
    (View::ThreeQuarter, "Three-quarter"),
];

const SHOWS: [(Show, &str); 10] = [
    (Show::Mesh, "Surface"),
    (Show::Lines, "Lines"),
    (Show::Ghost, "Bind pose as a ghost"),
    (Show::Joints, "Joints and bones"),
    (Show::Numbers, "Joint numbers"),
    (Show::Axes, "Joint axes"),
    (Show::Vertices, "Vertices"),
    (Show::VertexNumbers, "Vertex numbers"),
    (Show::Microscope, "Copies of the chosen vertex"),
    (Show::Grid, "Grid"),
];

/// The row of buttons; faint until the viewport is hovered or focused.
pub(in crate::ui::cells) fn ui(
    ui: &mut Ui,
    rect: Rect,
    viewport: &Response,
    state: &mut CameraState,
    cell: &ViewportCell,
    page: &mut PageContext<'_>,
) {
    let hovered = ui.rect_contains_pointer(rect) || viewport.has_focus();
    let open = egui::Popup::is_any_open(ui.ctx());
    if !(hovered || open) {
        return;
    }
    let bar = Rect::from_min_size(rect.right_top() + vec2(-128.0, 8.0), vec2(120.0, 32.0));
    let mut ui = ui.new_child(
        UiBuilder::new()
            .max_rect(bar)
            .layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding = vec2(6.0, 4.0);
    let icon = |icon: &str| {
        RichText::new(icon)
            .family(theme::family::icons())
            .size(16.0)
    };

    ui.menu_button(icon(icons::EYE), |ui| show_menu(ui, cell, page))
        .response
        .on_hover_text("What is drawn");
    ui.menu_button(icon(icons::CUBE), |ui| {
        for (view, name) in VIEWS {
            if ui.button(name).clicked() {
                state.camera.look_from(view);
                state.held = true;
                ui.close();
            }
        }
        ui.separator();
        let flat = state.camera.projection == Projection::Orthographic;
        if ui.selectable_label(flat, "Orthographic").clicked() {
            state.camera.projection = if flat {
                Projection::Perspective
            } else {
                Projection::Orthographic
            };
            state.held = true;
            ui.close();
        }
    })
    .response
    .on_hover_text("Standard views");
    let frame = ui
        .button(icon(icons::CORNERS_OUT))
        .on_hover_text("Frame the model (double-click)");
    if frame.clicked() {
        state.held = false;
        state.framed_for.lesson.clear();
    }
}

fn show_menu(ui: &mut Ui, cell: &ViewportCell, page: &mut PageContext<'_>) {
    let mut show = super::shown(cell, page);
    for (what, name) in SHOWS {
        let mut on = show.contains(&what);
        if ui.checkbox(&mut on, name).changed() {
            if on {
                show.push(what);
            } else {
                show.retain(|other| *other != what);
            }
            page.edits
                .push(Edit::Settings(vec![Setting::Show(show.clone())]));
        }
    }
}
