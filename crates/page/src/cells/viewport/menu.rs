//! The menu of a viewport: what is drawn, in which colours, by which blend and
//! by which rule for normals, with weights of which source.

use bindpose_lesson::{Setting, Show, Tint};
use bindpose_notebook::number_text::capitalised;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_skin::{Method, NormalRule, SkinStage, WeightSource};
use eframe::egui::{ScrollArea, Ui};

use super::status_line::tint_label;
use crate::PageContext;

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
pub(super) fn ui(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
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
