//! Buttons that appear over a viewport while it is hovered, with menus of standard views and of
//! display settings.

use bindpose_kit::theme::{self, CAPTION_SIZE};
use bindpose_kit::widgets::{RightGroup, Tip as _};
use bindpose_kit::{icons, touch};
use bindpose_lesson::number_text::capitalised;
use bindpose_lesson::{Projection, Setting, Show, Tint, View};
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_skin::{Method, NormalRule, SkinStage, WeightSource};
use eframe::egui::{
    self, Align, Button, Id, Layout, Rect, Response, RichText, ScrollArea, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use super::gizmo;
use super::status_line::tint_label;
use crate::command::Command;
use crate::view::CameraState;
use crate::{PageContext, not_inlined};

const VIEWS: [(View, &str); 7] = [
    (View::Front, "Front"),
    (View::Back, "Back"),
    (View::Left, "Left"),
    (View::Right, "Right"),
    (View::Top, "Top"),
    (View::Bottom, "Bottom"),
    (View::ThreeQuarter, "Three-quarter"),
];

/// Minimum width of a picture that always displays its buttons on a touch screen.
const MIN_ALWAYS_VISIBLE_WIDTH_PTS: f32 = 260.0;

/// Shows the row of buttons, transparent until the viewport is hovered or focused.
pub(in crate::cells) fn ui(
    ui: &mut Ui,
    rect: Rect,
    viewport: &Response,
    state: &mut CameraState,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
) {
    // Pictures that are answers of a question can be chosen, but not changed.
    if page.view.pictures.hides_captions {
        return;
    }
    let has_focus_id = Id::unique(("hover controls focused", viewport.id));
    let had_focus = ui.data(|data| data.get_temp(has_focus_id).unwrap_or(false));
    // A finger cannot hover. In a narrow picture, where the buttons would cover much of it, they
    // appear with the first tap.
    let is_visible = touch::is_touch_active(ui.ctx())
        && rect.width() >= MIN_ALWAYS_VISIBLE_WIDTH_PTS
        || ui.rect_contains_pointer(rect)
        || viewport.has_focus()
        || had_focus
        || egui::Popup::is_any_open(ui.ctx());
    let bar = Rect::from_min_size(rect.right_top() + vec2(-202.0, 8.0), vec2(194.0, 32.0));
    let mut ui =
        ui.new_child(UiBuilder::new().max_rect(bar).layout(Layout::left_to_right(Align::Center)));
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding = vec2(6.0, 4.0);

    // The buttons always exist for the Tab key and for screen readers.
    if !is_visible {
        ui.set_opacity(0.0);
    }

    let mut has_focus = false;
    RightGroup::new(&ui, "controls").show(&mut ui, |ui| {
        let enlarge = ui.button(icon_text(icons::CORNERS_OUT));
        if enlarge.clicked() {
            page.view.toggle_pictures(page.lesson, page.document.step);
        }
        let reframe = ui.button(icon_text(icons::CROSSHAIR_SIMPLE));
        if reframe.clicked() {
            state.is_held = false;
        }
        let views = ui.menu_button(icon_text(icons::CUBE), |ui| {
            not_inlined(|| views_ui(ui, state, page));
        });
        let display = ui.menu_button(icon_text(icons::EYE), |ui| {
            not_inlined(|| display_menu_ui(ui, frame, page));
        });
        let reframe_name = if touch::is_touch_active(ui.ctx()) {
            "Frame the model (double tap)"
        } else {
            "Frame the model (double-click)"
        };
        let posing = gizmo::tools_menu_button(ui, page);
        let buttons = [
            (enlarge, Command::PictureAlone.text()),
            (reframe, reframe_name),
            (views.response, "Standard views"),
            (posing, gizmo::TOOLS_MENU_NAME),
            (display.response, "What is drawn, and how"),
        ];
        for (button, name) in buttons {
            has_focus |= button.has_focus();
            button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name));
            button.tip(name);
        }
    });
    if has_focus != had_focus {
        ui.data_mut(|data| data.insert_temp(has_focus_id, has_focus));
        ui.ctx().request_repaint();
    }
}

fn icon_text(icon: &str) -> RichText {
    RichText::new(icon).family(theme::family::icons()).size(theme::ICON_SIZE)
}

fn views_ui(ui: &mut Ui, state: &mut CameraState, page: &PageContext<'_>) {
    // A flat model is in its plane only in the first view.
    let view_count = if page.derived.rig.flat { 1 } else { VIEWS.len() };
    for &(view, name) in &VIEWS[..view_count] {
        if ui.button(name).clicked() {
            state.camera.look_from(view);
            state.is_held = true;
            ui.close();
        }
    }
    ui.separator();
    let is_orthographic = state.camera.projection == Projection::Orthographic;
    if ui.selectable_label(is_orthographic, "Orthographic").clicked() {
        state.camera.projection =
            if is_orthographic { Projection::Perspective } else { Projection::Orthographic };
        state.is_held = true;
        ui.close();
    }
}

const SHOWS: [(Show, &str); 14] = [
    (Show::Mesh, "Surface"),
    (Show::Lines, "Lines"),
    (Show::Ghost, "Bind pose as a ghost"),
    (Show::RestGhost, "Rest pose as a ghost"),
    (Show::Joints, "Joints and bones"),
    (Show::Numbers, "Joint numbers"),
    (Show::Axes, "Joint axes"),
    (Show::Vertices, "Vertices"),
    (Show::VertexNumbers, "Vertex numbers"),
    (Show::Microscope, "Copies of the chosen vertex"),
    (Show::Grid, "Grid"),
    (Show::Normals, "Normals as lines"),
    (Show::VertexNormal, "Normal of the chosen vertex"),
    (Show::MeshNode, "Node of the mesh"),
];

/// Powers of the distance that the menu offers. Lessons and links can set others.
const DISTANCE_POWERS: [(u32, &str); 4] =
    [(1, "Shares as 1/d"), (2, "Shares as 1/d²"), (4, "Shares as 1/d⁴"), (8, "Shares as 1/d⁸")];

/// Maximum numbers of influences of a vertex that the menu offers.
const INFLUENCE_LIMITS: [(u32, &str); 4] = [
    (8, "All influences, up to eight"),
    (4, "The four strongest"),
    (2, "The two strongest"),
    (1, "The strongest alone"),
];

/// Menu of display settings: colours, blending, weights, normals and visible parts.
fn display_menu_ui(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    scroll_area(ui, |ui| {
        ui.menu_button("Colours", |ui| scroll_area(ui, |ui| colors_ui(ui, frame, page)));
        ui.menu_button("Blend of joints", |ui| blend_ui(ui, page));
        ui.menu_button("Weights", |ui| weights_ui(ui, page));
        ui.menu_button("Rule for normals", |ui| normals_ui(ui, page));
        ui.separator();
        visible_parts_ui(ui, frame, page);
    });
}

/// Shows a menu as high as its content, or as high as the window with a scroll bar.
fn scroll_area(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - 60.0).max(120.0);
    ScrollArea::vertical()
        .max_height(height)
        // A menu's available height is less than that of the window.
        .min_scrolled_height(height)
        .show(ui, add_contents);
}

fn visible_parts_ui(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    page.theme.edge_empty_marks(ui);
    let mut show = frame.show.to_vec();
    for (part, name) in SHOWS {
        let mut is_visible = show.contains(&part);
        if ui.checkbox(&mut is_visible, name).changed() {
            if is_visible {
                show.push(part);
            } else {
                show.retain(|other| *other != part);
            }
            page.choose(Setting::Show(Some(show.clone())));
        }
    }
}

fn colors_ui(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    page.theme.edge_empty_marks(ui);
    for tint in Tint::ALL {
        if ui.radio(tint == frame.tint, capitalised(tint_label(tint))).clicked() {
            page.choose(Setting::Tint(Some(tint)));
        }
    }
    ui.separator();
    let mut is_unskinned = page.document.state.stage == SkinStage::Bind;
    if ui.checkbox(&mut is_unskinned, "Unskinned, as stored").changed() {
        let stage = if is_unskinned { SkinStage::Bind } else { SkinStage::Blended };
        page.choose(Setting::Stage(stage));
    }
}

fn blend_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let selected = page.document.state.method;
    let methods = Method::ALL.map(|method| {
        let label = match method {
            Method::Rigid => "Rigid: the strongest joint alone",
            Method::Linear => "Linear: matrices, weighted and added",
            Method::DualQuaternion => "Dual quaternions",
        };
        (method, label)
    });
    radio_buttons(ui, page, selected, methods, Setting::Method);
}

fn weights_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let weights_by = page.document.state.weights_by;
    let sources = WeightSource::ALL.map(|source| {
        let label = match source {
            WeightSource::Stored => "As the model has them",
            WeightSource::NearestJoint => "Nearest joint: one for each vertex",
            WeightSource::InverseDistance => "Inverse distance: shares of all bones",
            WeightSource::BoneHeat => "Bone heat: warmth along the surface",
        };
        (source, label)
    });
    radio_buttons(ui, page, weights_by.source, sources, Setting::WeightsFrom);
    if weights_by.source == WeightSource::InverseDistance {
        ui.separator();
        radio_buttons(ui, page, weights_by.power, DISTANCE_POWERS, Setting::DistancePower);
    }
    ui.separator();
    radio_buttons(ui, page, weights_by.most, INFLUENCE_LIMITS, Setting::MostInfluences);
    ui.separator();
    let mut has_brush = page.view.brush.is_on;
    if ui.checkbox(&mut has_brush, "Paint with the brush").changed() {
        let edit = page.view.brush.toggle(page.document);
        page.requests.edits.push(edit);
    }
}

fn normals_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let selected = page.document.state.normals;
    let rules = NormalRule::ALL.map(|rule| {
        let label = match rule {
            NormalRule::InverseTranspose => "Inverse transpose of the skin matrix",
            NormalRule::SkinMatrix => "The skin matrix itself: wrong where it squashes",
            NormalRule::Cofactor => "Cofactors without a sign: wrong where it mirrors",
            NormalRule::LeftAlone => "Left alone: wrong wherever it turns",
        };
        (rule, label)
    });
    radio_buttons(ui, page, selected, rules, Setting::Normals);
}

/// Shows a radio button for each value, and applies the setting of a clicked one.
fn radio_buttons<T: Copy + PartialEq, const N: usize>(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    selected: T,
    choices: [(T, &str); N],
    setting: impl Fn(T) -> Setting,
) {
    page.theme.edge_empty_marks(ui);
    for (value, label) in choices {
        if ui.radio(selected == value, label).clicked() {
            page.choose(setting(value));
        }
    }
}

/// Minimum width of a picture in which the reset button has its long label and is in the lower
/// right corner, which legends leave free.
const MIN_LONG_RESET_WIDTH_PTS: f32 = 480.0;

const RESET_LINE_HEIGHT_PTS: f32 = 26.0;

/// Shows a button that resets the view, if the reader has moved it.
pub(in crate::cells) fn reset_view_button(
    ui: &mut Ui,
    rect: Rect,
    state: &mut CameraState,
    page: &PageContext<'_>,
) {
    if !state.is_held {
        return;
    }
    let is_long = rect.width() >= MIN_LONG_RESET_WIDTH_PTS;
    let top = if is_long {
        rect.bottom() - 8.0 - RESET_LINE_HEIGHT_PTS
    } else {
        // Below the hover controls.
        rect.top() + 42.0
    };
    let line = Rect::from_min_size(
        pos2(rect.left() + 8.0, top),
        vec2(rect.width() - 16.0, RESET_LINE_HEIGHT_PTS),
    );
    let mut line_ui = ui.new_child(
        UiBuilder::new()
            .id_salt("view moved")
            .max_rect(line)
            .layout(Layout::right_to_left(Align::Center)),
    );
    let label = if is_long { "view moved · put back" } else { "put back" };
    let text = RichText::new(label).size(CAPTION_SIZE).color(page.theme.accent);
    let button = line_ui.add(Button::new(text).fill(page.theme.paper));
    let name = Command::ResetView.text();
    button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name));
    let hint = Command::ResetView.hint(ui.ctx(), None);
    if button.tip(hint).clicked() {
        state.is_held = false;
    }
}
