//! What appears over a viewport while it is hovered: standard views, depth,
//! what is drawn and how.

use bindpose_lesson::{Projection, Setting, Show, Tint, View};
use bindpose_notebook::number_text::capitalised;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_skin::{Method, NormalRule, SkinStage, WeightSource};
use eframe::egui::{
    self, Align, Button, Id, Layout, Rect, Response, RichText, ScrollArea, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use super::gizmo;
use super::status_line::tint_label;
use crate::command::Command;
use crate::theme::CAPTION;
use crate::view::CameraState;
use crate::widgets::{RightGroup, Tip as _};
use crate::{PageContext, icons, not_inlined, theme, touch};

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
    // An answer is chosen, not worked with.
    if page.view.pictures.unnamed {
        return;
    }
    let focused_id = Id::unique(("hover controls focused", viewport.id));
    let focused = ui.data(|data| data.get_temp(focused_id).unwrap_or(false));
    // A finger cannot be over something before it touches it; where they would cover
    // much of the picture, they come with the first tap.
    let hovered = touch::is_at_work(ui.ctx()) && rect.width() >= ROOM_FOR_ALWAYS
        || ui.rect_contains_pointer(rect)
        || viewport.has_focus()
        || focused;
    let open = egui::Popup::is_any_open(ui.ctx());
    let bar = Rect::from_min_size(rect.right_top() + vec2(-202.0, 8.0), vec2(194.0, 32.0));
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
        let alone = ui.button(icon(icons::CORNERS_OUT));
        if alone.clicked() {
            page.view.toggle_pictures(page.lesson, page.document.step);
        }
        let reframe = ui.button(icon(icons::CROSSHAIR_SIMPLE));
        if reframe.clicked() {
            state.held = false;
        }
        let views = ui.menu_button(icon(icons::CUBE), |ui| {
            not_inlined(|| views_ui(ui, state, page));
        });
        let drawn = ui.menu_button(icon(icons::EYE), |ui| {
            not_inlined(|| menu_ui(ui, frame, page));
        });
        let framed = if touch::is_at_work(ui.ctx()) {
            "Frame the model (double tap)"
        } else {
            "Frame the model (double-click)"
        };
        let posing = gizmo::tools(ui, page);
        let buttons = [
            (alone, Command::PictureAlone.text()),
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

/// The menu of standard views.
fn views_ui(ui: &mut Ui, state: &mut CameraState, page: &PageContext<'_>) {
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
}

// The menu of a viewport: what is drawn, in which colours, by which blend and
// by which rule for normals, with weights of which source.

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

/// Shows what can be chosen.
pub(super) fn menu_ui(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    scrolling(ui, |ui| {
        ui.menu_button("Colours", |ui| scrolling(ui, |ui| colors(ui, frame, page)));
        ui.menu_button("Blend of joints", |ui| blend(ui, page));
        ui.menu_button("Weights", |ui| weights(ui, page));
        ui.menu_button("Rule for normals", |ui| normals(ui, page));
        ui.separator();
        drawn(ui, frame, page);
    });
}

/// As high as what it shows, or as the window allows; in a low one it scrolls.
fn scrolling(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - 60.0).max(120.0);
    ScrollArea::vertical()
        .max_height(height)
        // A menu offers less room than the window has.
        .min_scrolled_height(height)
        .show(ui, add);
}

fn drawn(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    page.theme.edge_empty_marks(ui);
    let mut show = frame.show.to_vec();
    for (what, name) in SHOWS {
        let mut on = show.contains(&what);
        if ui.checkbox(&mut on, name).changed() {
            if on {
                show.push(what);
            } else {
                show.retain(|other| *other != what);
            }
            page.choose(Setting::Show(Some(show.clone())));
        }
    }
}

fn colors(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    page.theme.edge_empty_marks(ui);
    for tint in Tint::ALL {
        let now = tint == frame.tint;
        if ui.radio(now, capitalised(tint_label(tint))).clicked() {
            page.choose(Setting::Tint(Some(tint)));
        }
    }
    ui.separator();
    let mut unskinned = page.document.state.stage == SkinStage::Bind;
    if ui.checkbox(&mut unskinned, "Unskinned, as stored").changed() {
        let [off, on] = [SkinStage::Blended, SkinStage::Bind];
        page.choose(Setting::Stage(if unskinned { on } else { off }));
    }
}

fn blend(ui: &mut Ui, page: &mut PageContext<'_>) {
    let name = |method| match method {
        Method::Rigid => "Rigid: the strongest joint alone",
        Method::Linear => "Linear: matrices, weighted and added",
        Method::DualQuaternion => "Dual quaternions",
    };
    let now = page.document.state.method;
    radios(ui, page, now, Method::ALL, name, Setting::Method);
}

fn weights(ui: &mut Ui, page: &mut PageContext<'_>) {
    let name = |source| match source {
        WeightSource::Stored => "As the model has them",
        WeightSource::NearestJoint => "Nearest joint: one for each vertex",
        WeightSource::InverseDistance => "Inverse distance: shares of all bones",
        WeightSource::BoneHeat => "Bone heat: warmth along the surface",
    };
    let by = page.document.state.weights_by;
    radios(ui, page, by.source, WeightSource::ALL, name, Setting::WeightsFrom);
    if by.source == WeightSource::InverseDistance {
        ui.separator();
        let powers = POWERS.map(|(power, _)| power);
        let name = |power| named(&POWERS, power);
        radios(ui, page, by.power, powers, name, Setting::DistancePower);
    }
    ui.separator();
    let limits = LIMITS.map(|(most, _)| most);
    let name = |most| named(&LIMITS, most);
    radios(ui, page, by.most, limits, name, Setting::MostInfluences);
    ui.separator();
    let mut paints = page.view.brush.is_on;
    if ui.checkbox(&mut paints, "Paint with the brush").changed() {
        let edit = page.view.brush.toggled(page.document);
        page.edits.push(edit);
    }
}

/// Powers of a distance that are offered; lessons and links know others.
const POWERS: [(u32, &str); 4] =
    [(1, "Shares as 1/d"), (2, "Shares as 1/d²"), (4, "Shares as 1/d⁴"), (8, "Shares as 1/d⁸")];

/// How many influences of a vertex are kept.
const LIMITS: [(u32, &str); 4] = [
    (8, "All influences, up to eight"),
    (4, "The four strongest"),
    (2, "The two strongest"),
    (1, "The strongest alone"),
];

fn named(all: &[(u32, &'static str)], number: u32) -> &'static str {
    let found = all.iter().find(|(of, _)| *of == number);
    found.map_or("", |(_, name)| name)
}

fn normals(ui: &mut Ui, page: &mut PageContext<'_>) {
    let name = |rule| match rule {
        NormalRule::InverseTranspose => "Inverse transpose of the skin matrix",
        NormalRule::SkinMatrix => "The skin matrix itself: wrong where it squashes",
        NormalRule::Cofactor => "Cofactors without a sign: wrong where it mirrors",
        NormalRule::LeftAlone => "Left alone: wrong wherever it turns",
    };
    let now = page.document.state.normals;
    radios(ui, page, now, NormalRule::ALL, name, Setting::Normals);
}

fn radios<T: Copy + PartialEq>(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    now: T,
    all: impl IntoIterator<Item = T>,
    name: impl Fn(T) -> &'static str,
    setting: impl Fn(T) -> Setting,
) {
    page.theme.edge_empty_marks(ui);
    for one in all {
        if ui.radio(now == one, name(one)).clicked() {
            page.choose(setting(one));
        }
    }
}

// In the corner of a viewport that the reader has moved: the way back.

/// From this width of the picture on, the button also says what has happened, and
/// stands in the corner that legends leave free.
const WIDE: f32 = 480.0;
/// Height of the line that it stands in.
const LINE: f32 = 26.0;

/// The button; nothing while the view is as the step has it.
pub(in crate::cells) fn view_moved_ui(
    ui: &mut Ui,
    rect: Rect,
    state: &mut CameraState,
    page: &PageContext<'_>,
) {
    if !state.held {
        return;
    }
    let wide = rect.width() >= WIDE;
    let top = if wide {
        rect.bottom() - 8.0 - LINE
    } else {
        // Below the buttons that come out on hovering.
        rect.top() + 42.0
    };
    let from = pos2(rect.left() + 8.0, top);
    let line = Rect::from_min_size(from, vec2(rect.width() - 16.0, LINE));
    let mut corner = ui.new_child(
        UiBuilder::new()
            .id_salt("view moved")
            .max_rect(line)
            .layout(Layout::right_to_left(Align::Center)),
    );
    let words = if wide { "view moved · put back" } else { "put back" };
    let text = RichText::new(words).size(CAPTION).color(page.theme.accent);
    let button = corner.add(Button::new(text).fill(page.theme.paper));
    let name = Command::ResetView.text();
    button.widget_info(|| WidgetInfo::labeled(eframe::egui::Role::Button, true, name));
    let hint = Command::ResetView.hint(ui.ctx(), None);
    if button.tip(hint).clicked() {
        state.held = false;
    }
}
