//! What appears over a viewport while it is hovered: standard views, depth,
//! what is drawn and how.

use bindpose_lesson::{Projection, View};
use bindpose_notebook::viewport::ViewportFrame;
use eframe::egui::{self, Id, Rect, Response, RichText, Ui, UiBuilder, WidgetInfo, vec2};

use super::{gizmo, menu};
use crate::touch;
use crate::view::CameraState;
use crate::widgets::RightGroup;
use crate::widgets::Tip as _;
use crate::{PageContext, icons, theme};

const VIEWS: [(View, &str); 7] = [
    (View::Front, "Front"),
    (View::Back, "Back"),
    (View::Left, "Left"),
    (View::Right, "Right"),
    (View::Top, "Top"),
    (View::Bottom, "Bottom"),
    (View::ThreeQuarter, "Three-quarter"),
];

/// Pictures that are touched show the buttons always from this width on.
const ROOM_FOR_ALWAYS: f32 = 260.0;

/// The row of buttons; faint until the viewport is hovered or focused.
pub(in crate::cells) fn ui(
    ui: &mut Ui,
    rect: Rect,
    viewport: &Response,
    state: &mut CameraState,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
) {
    let focused_id = Id::unique(("hover controls focused", viewport.id));
    let focused = ui.data(|data| data.get_temp(focused_id).unwrap_or(false));
    // A finger cannot be over something before it touches it; where they would cover
    // much of the picture, they come with the first tap.
    let hovered = touch::is_at_work(ui.ctx()) && rect.width() >= ROOM_FOR_ALWAYS
        || ui.rect_contains_pointer(rect)
        || viewport.has_focus()
        || focused;
    let open = egui::Popup::is_any_open(ui.ctx());
    let bar = Rect::from_min_size(rect.right_top() + vec2(-166.0, 8.0), vec2(158.0, 32.0));
    let mut ui = ui.new_child(
        UiBuilder::new().max_rect(bar).layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding = vec2(6.0, 4.0);
    let icon = |icon: &str| RichText::new(icon).family(theme::family::icons()).size(theme::ICON);

    // Always there for the Tab key and for screen readers; painted only while
    // the viewport is hovered or one of them has the focus.
    if !(hovered || open) {
        ui.set_opacity(0.0);
    }

    let mut any = false;
    RightGroup::new(&ui, "controls").show(&mut ui, |ui| {
        let reframe = ui.button(icon(icons::CORNERS_OUT));
        if reframe.clicked() {
            state.held = false;
        }
        let views = ui.menu_button(icon(icons::CUBE), |ui| {
            // What is flat has one view: from elsewhere it is out of its plane.
            let views = if page.derived.rig.flat { 1 } else { VIEWS.len() };
            for &(view, name) in &VIEWS[..views] {
                if ui.button(name).clicked() {
                    state.camera.look_from(view);
                    state.held = true;
                    ui.close();
                }
            }
            ui.separator();
            let flat = state.camera.projection == Projection::Orthographic;
            if ui.selectable_label(flat, "Orthographic").clicked() {
                state.camera.projection =
                    if flat { Projection::Perspective } else { Projection::Orthographic };
                state.held = true;
                ui.close();
            }
        });
        let drawn = ui.menu_button(icon(icons::EYE), |ui| menu::ui(ui, frame, page));
        let framed = if touch::is_at_work(ui.ctx()) {
            "Frame the model (double tap)"
        } else {
            "Frame the model (double-click)"
        };
        let posing = gizmo::tools(ui, page);
        let buttons = [
            (reframe, framed),
            (views.response, "Standard views"),
            (posing, gizmo::TOOLS_NAME),
            (drawn.response, "What is drawn, and how"),
        ];
        for (button, name) in buttons {
            any |= button.has_focus();
            button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name));
            button.tip(name);
        }
    });
    if any != focused {
        ui.data_mut(|data| data.insert_temp(focused_id, any));
        ui.ctx().request_repaint();
    }
}
