//! The menu of a viewport: what is drawn, in which colours, by which blend and
//! by which rule for normals.

use eframe::egui::{ScrollArea, Ui};

use super::status_line::tint_label;
use crate::lesson::{Setting, Show, Tint};
use crate::notebook::viewport::ViewportFrame;
use crate::skin::{Method, NormalRule, Stage};
use crate::ui::PageContext;

const SHOWS: [(Show, &str); 13] = [
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
    (Show::MeshNode, "Node of the mesh"),
];

/// Shows what can be chosen.
pub(super) fn ui(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    scrolling(ui, |ui| {
        ui.menu_button("Colours", |ui| scrolling(ui, |ui| colors(ui, frame, page)));
        ui.menu_button("Blend of joints", |ui| blend(ui, page));
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
    let mut show = frame.show.to_vec();
    for (what, name) in SHOWS {
        let mut on = show.contains(&what);
        if ui.checkbox(&mut on, name).changed() {
            if on {
                show.push(what);
            } else {
                show.retain(|other| *other != what);
            }
            set(page, Setting::Show(Some(show.clone())));
        }
    }
}

fn colors(ui: &mut Ui, frame: &ViewportFrame<'_>, page: &mut PageContext<'_>) {
    for tint in Tint::ALL {
        let now = tint == frame.tint;
        if ui.radio(now, capital(tint_label(tint))).clicked() {
            set(page, Setting::Tint(Some(tint)));
        }
    }
    ui.separator();
    let mut unskinned = page.document.state.stage == Stage::Bind;
    if ui
        .checkbox(&mut unskinned, "Unskinned, as stored")
        .changed()
    {
        let stage = if unskinned {
            Stage::Bind
        } else {
            Stage::Blended
        };
        set(page, Setting::Stage(stage));
    }
}

fn blend(ui: &mut Ui, page: &mut PageContext<'_>) {
    for method in Method::ALL {
        let name = match method {
            Method::Rigid => "Rigid: the strongest joint alone",
            Method::Linear => "Linear: matrices, weighted and added",
            Method::DualQuaternion => "Dual quaternions",
        };
        if ui
            .radio(page.document.state.method == method, name)
            .clicked()
        {
            set(page, Setting::Method(method));
        }
    }
}

fn normals(ui: &mut Ui, page: &mut PageContext<'_>) {
    for rule in NormalRule::ALL {
        let name = match rule {
            NormalRule::InverseTranspose => "Inverse transpose of the skin matrix",
            NormalRule::SkinMatrix => "The skin matrix itself: wrong where it squashes",
            NormalRule::Cofactor => "Cofactors without a sign: wrong where it mirrors",
            NormalRule::LeftAlone => "Left alone: wrong wherever it turns",
        };
        if ui
            .radio(page.document.state.normals == rule, name)
            .clicked()
        {
            set(page, Setting::Normals(rule));
        }
    }
}

fn set(page: &mut PageContext<'_>, setting: Setting) {
    page.choose(setting);
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
