//! The three-d view: a picture from the renderer, and over it joints, axes,
//! numbers and markers drawn by the page, so that they stay crisp and can be
//! clicked.

mod axes;
mod bones;
mod chrome;
mod clear;
mod frame;
mod guess;
mod in_force;
mod labels;
mod legend;
mod menu;
mod nothing;
mod overlay;
mod route;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use eframe::egui::{self, Key, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use glam::Vec2;

use crate::lesson::{Setting, Show, Tint, Values, ViewportCell};
use crate::notebook::camera::Camera;
use crate::notebook::digits::{self, USUAL};
use crate::notebook::scene::{Scalars, Scene, Way};
use crate::notebook::{Edit, Entity, numbers, sum_errors, tint_most};
use crate::ui::PageContext;
use crate::ui::view::CameraState;
use crate::ui::widgets::{Arrows, keep_arrows};
pub(super) use chrome::ui as chrome;
pub(super) use frame::{camera, keep_posed};
use legend::Legend;
use overlay::Overlay;
use route::Route;

/// Least height of a viewport, in points.
const LEAST_HEIGHT: f32 = 110.0;

/// Shows the viewport in the width that is left and the height that is given.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let caption = if cell.caption.is_some() { 24.0 } else { 0.0 };
    let size = vec2(ui.available_width(), (height - caption).max(LEAST_HEIGHT)).floor();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, describe(cell, page)));
    if !ui.is_rect_visible(rect) || rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }

    let legend = legend_of(ui, cell, page, rect.size());
    let covered = legend.as_ref().map(Legend::covers);
    let mut state = frame::camera(cell, id, page, rect.size(), covered);
    steer(ui, &response, rect, &mut state, page);
    let picture = Picture {
        id,
        cell,
        camera: &state.camera,
        rect,
        response: &response,
        scalars: None,
        labelled: false,
    };
    picture.paint(ui, page);
    chrome::ui(ui, rect, &response, &mut state, cell, page);
    page.view.cameras.insert(id.to_owned(), state);

    if let Some(caption) = &cell.caption {
        ui.add_space(-4.0);
        ui.label(
            egui::RichText::new(caption)
                .size(13.0)
                .color(page.theme.quiet),
        );
    }
}

/// One picture with everything over it, of the document and what follows from it
/// in the page it is painted with.
pub(super) struct Picture<'a> {
    /// Tells pictures apart.
    pub(super) id: &'a str,
    /// What is drawn and in which colours, where the document does not say.
    pub(super) cell: &'a ViewportCell,
    /// Where it is seen from.
    pub(super) camera: &'a Camera,
    /// Where it stands on the page.
    pub(super) rect: Rect,
    /// What the pointer does there.
    pub(super) response: &'a egui::Response,
    /// Numbers that colour the surface instead of the tint.
    pub(super) scalars: Option<Arc<Scalars>>,
    /// Something beside it says already what is in force.
    pub(super) labelled: bool,
}

impl Picture<'_> {
    /// Paints it, lights what is under the pointer, and chooses it on a click.
    pub(super) fn paint(self, ui: &Ui, page: &mut PageContext<'_>) {
        let Self { rect, response, .. } = self;
        let show = shown(self.cell, page);
        let coloured = self.scalars.is_some();
        let pixels_per_point = ui.ctx().pixels_per_point();
        let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
        let size = [pixels(rect.width()), pixels(rect.height())];
        let mut scene = scene(self.cell, self.camera, size, page);
        scene.scalars = self.scalars.or(scene.scalars);
        let painter = ui.painter_at(rect);
        match page.viewports.shape(self.id, rect, scene) {
            Ok(shape) => {
                painter.add(shape);
            }
            Err(missing) => without_picture(ui, rect, page, &missing),
        }
        let overlay = Overlay::new(page, self.camera, rect, &show);
        let under = response.hover_pos().and_then(|at| overlay.pick(at));
        overlay.paint(&painter, page, &show);
        let guess = guess::Open::of(page);
        if let Some(guess) = &guess {
            let below = !self.labelled && !in_force::painted(self.cell, page, rect).is_empty();
            guess.say(&painter, rect, page.theme, below);
        }
        if let Some(entity) = under {
            page.linked.hover(entity);
            // While a guess is asked for, a click places it.
            if guess.is_none() {
                ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
            }
            if guess.is_none() && response.clicked() {
                match entity {
                    Entity::Joint(joint) => page.edits.push(Edit::set(Setting::Joint(joint))),
                    Entity::Vertex(vertex) => page.edits.push(Edit::set(Setting::Vertex(vertex))),
                    _ => {}
                }
            }
        }
        if !self.labelled {
            in_force::paint(&painter, rect, self.cell, page);
        }
        if !coloured {
            let legend = legend_of(ui, self.cell, page, rect.size());
            if let Some(legend) = legend {
                legend.paint(&painter, rect, page.theme, self.camera);
            }
        }
        if let Some(words) = nothing::words(page, &show) {
            nothing::paint(&painter, rect, page.theme, words);
        }
        if let Some(words) = Route::new(page).notice {
            let in_force = !self.labelled && !in_force::painted(self.cell, page, rect).is_empty();
            let above = usize::from(in_force) + usize::from(guess.is_some());
            if route::notice(&painter, rect, page, &words, above) {
                response.clone().on_hover_text(words);
            }
        }
        // The picture is square at its corners; the page is not.
        painter.rect_stroke(
            rect,
            8.0,
            Stroke::new(4.0, page.theme.paper),
            StrokeKind::Outside,
        );
        let edge = if response.has_focus() {
            page.theme.accent
        } else {
            page.theme.rule
        };
        ui.painter()
            .rect_stroke(rect, 8.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    }
}

/// The plain value that the renderer draws, in a picture of this many pixels.
pub(super) fn scene(
    cell: &ViewportCell,
    camera: &Camera,
    size: [u32; 2],
    page: &PageContext<'_>,
) -> Scene {
    let derived = page.derived;
    let show = shown(cell, page);
    let tint = tint_of(cell, page);
    let mut scene = Scene {
        size,
        camera: *camera,
        mesh: Arc::clone(&derived.rig.mesh),
        morphed: derived.morphed().cloned(),
        influences: Arc::clone(&derived.influences),
        palette: Arc::clone(&derived.palette),
        blend: derived.blend,
        way: Way::default(),
        crowd: derived.crowd(page.document).cloned(),
        surface: show.contains(&Show::Mesh),
        lines: show.contains(&Show::Lines),
        ghost: show.contains(&Show::Ghost),
        rest_ghost: show
            .contains(&Show::RestGhost)
            .then(|| Arc::clone(derived.at_rest())),
        grid: show
            .contains(&Show::Grid)
            .then(|| frame::grid(page.document, derived, camera)),
        normals: show.contains(&Show::Normals),
        tint,
        tint_most: tint_most(derived, tint),
        scalars: sum_errors(derived)
            .filter(|_| tint == Tint::SumError)
            .map(Arc::clone),
        tint_joint: page.document.state.joint,
        colors: page.theme.scene,
    };
    Route::new(page).lead(&mut scene, page);
    scene
}

/// What is drawn: the reader's choice, or the step's, or the cell's.
pub(super) fn shown(cell: &ViewportCell, page: &PageContext<'_>) -> Vec<Show> {
    page.document
        .state
        .show
        .clone()
        .or_else(|| cell.show.clone())
        .unwrap_or_else(|| vec![Show::Mesh, Show::Joints])
}

/// What the colours mean, where that has to be said.
fn legend_of(
    ui: &Ui,
    cell: &ViewportCell,
    page: &PageContext<'_>,
    picture: egui::Vec2,
) -> Option<Legend> {
    let (tint, show) = (tint_of(cell, page), shown(cell, page));
    Legend::new(ui.painter(), picture, page, tint, &show)
}

/// What colours the surface: the reader's choice, or the step's, or the cell's.
fn tint_of(cell: &ViewportCell, page: &PageContext<'_>) -> Tint {
    page.document.state.tint.unwrap_or(cell.tint)
}

pub(super) fn describe(cell: &ViewportCell, page: &PageContext<'_>) -> String {
    let rig = &page.derived.rig;
    let chosen = page
        .derived
        .position(page.document.state.vertex as usize)
        .map(|p| {
            let size = digits::size_in_world(rig).max(digits::largest(p));
            let decimals = digits::decimals(size, USUAL);
            let place = p.to_array().map(|x| numbers::fixed(x.into(), decimals));
            let vertex = page.document.state.vertex;
            format!(" Vertex {vertex} is at {}.", place.join(", "))
        })
        .unwrap_or_default();
    let mut in_force = in_force::words(cell, page).join(", ");
    if !in_force.is_empty() {
        in_force = format!(" In force: {in_force}.");
    }
    let nothing = nothing::words(page, &shown(cell, page));
    let nothing = nothing.map(|words| format!(" {words}")).unwrap_or_default();
    format!(
        "{}: {}, {} joints, {} vertices, stage {}.{chosen}{in_force}{nothing}{}",
        cell.caption.as_deref().unwrap_or("Viewport"),
        rig.title,
        page.derived.joints(),
        rig.mesh.positions.len(),
        page.document.state.stage.key(),
        Route::new(page)
            .notice
            .map(|words| format!(" {words}"))
            .unwrap_or_default(),
    )
}

/// Places a guess where one is asked for; else moves the camera.
pub(super) fn steer(
    ui: &Ui,
    response: &egui::Response,
    rect: Rect,
    state: &mut CameraState,
    page: &mut PageContext<'_>,
) {
    let placing = guess::Open::of(page)
        .is_some_and(|guess| guess.place(ui, response, rect, &state.camera, page));
    if !placing {
        turn(ui, response, rect, state);
    }
}

/// Drag turns, right drag or Shift moves, the wheel comes nearer, a double
/// click frames; with focus, the arrow keys turn.
fn turn(ui: &Ui, response: &egui::Response, rect: Rect, state: &mut CameraState) {
    let drag = response.drag_delta();
    let in_heights = Vec2::new(drag.x, drag.y) / rect.height().max(1.0);
    if in_heights != Vec2::ZERO {
        let shift = ui.input(|input| input.modifiers.shift);
        if shift
            || response.dragged_by(egui::PointerButton::Secondary)
            || response.dragged_by(egui::PointerButton::Middle)
        {
            state.camera.pan(in_heights);
        } else {
            state.camera.orbit(in_heights);
        }
        state.held = true;
    }
    if response.contains_pointer() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = (-scroll * 0.003).exp() / pinch;
        if factor != 1.0 {
            state.camera.zoom(factor);
            state.held = true;
            ui.input_mut(|input| input.smooth_scroll_delta.y = 0.0);
        }
    }
    if response.double_clicked() {
        state.held = false;
        ui.ctx().request_repaint();
    }
    if response.clicked() {
        response.request_focus();
    }
    if response.has_focus() {
        steer_by_keys(ui, response, state);
    }
}

fn steer_by_keys(ui: &Ui, response: &egui::Response, state: &mut CameraState) {
    keep_arrows(ui, response.id, Arrows::All);
    let turn = ui.input_mut(|input| {
        let mut presses = |key| input.count_and_consume_key(egui::Modifiers::NONE, key) as f32;
        let x = presses(Key::ArrowRight) - presses(Key::ArrowLeft);
        let y = presses(Key::ArrowDown) - presses(Key::ArrowUp);
        Vec2::new(x, y)
    });
    if turn != Vec2::ZERO {
        state.camera.orbit(turn * 0.05);
        state.held = true;
    }
}

fn without_picture(ui: &Ui, rect: Rect, page: &PageContext<'_>, missing: &str) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 8.0, page.theme.panel);
    let galley = painter.layout(
        missing.to_owned(),
        egui::FontId::proportional(14.0),
        page.theme.quiet,
        (rect.width() - 32.0).max(40.0),
    );
    let at = Pos2::new(rect.left() + 16.0, rect.bottom() - 16.0 - galley.size().y);
    painter.galley(at, galley, page.theme.quiet);
}
