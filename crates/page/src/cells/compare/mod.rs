//! Two or three pictures side by side: one camera, one pose, something different
//! in each; and how far apart the first two are.

mod difference;
#[cfg(test)]
mod tests;
mod tiles;

use std::sync::Arc;

use bindpose_lesson::{CompareCell, Setting, Settings, Transport, Variant, ViewportCell};
use bindpose_notebook::scene::Scalars;
use bindpose_notebook::viewport::hold_poses;
use bindpose_notebook::{
    Derived, Document, Edit, Entity, LinkedHighlight, joint_index, model_name, same_joint,
    tint_most,
};
use bindpose_skin::{JointIndex, Method, NormalRule, RotationInterpolation, WeightSource};
use eframe::egui::{
    Button, Popup, Rect, Response, RichText, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, vec2,
};
use glam::Vec2;

use super::viewport::{self, Legend, OpenQuestion, ViewportPicture};
use crate::PageContext;
use crate::model_b::{self, KnownModels};
use crate::theme::{FINE, SMALL, Theme, font};
use crate::view::CameraState;
use crate::widgets::Tip as _;
use difference::ComparedVariants;
use tiles::{DerivedVariant, Tiles};

/// Shows the cell in the width that is left; `height` is what all of it may take,
/// with what is said below the pictures.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &CompareCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    if cell.model_b {
        return beside_model_b(ui, cell, id, page, height);
    }
    page.with_state(id, |compared: &mut ComparedVariants, page| {
        compared.update(cell, page);
        show(ui, (cell, id), true, compared, page, height);
    });
}

/// The model of the page, model B in the same pose, and how far apart their vertices
/// are.
fn beside_model_b(
    ui: &mut Ui,
    cell: &CompareCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let comparison = match model_b::compared(&ui.ctx().clone(), page) {
        KnownModels::Compared(comparison) => comparison,
        KnownModels::UnderWay(_) => return model_b::waiting(ui, page),
        KnownModels::Nothing(why) => {
            let words = RichText::new(why).size(SMALL);
            ui.label(words.color(page.theme.quiet));
            return;
        }
    };
    let a = model_name(&comparison.a).to_owned();
    let b = model_b::name_of(&page.document.state.model_b, page);
    let cell = CompareCell {
        variants: vec![labelled(&format!("A: {a}")), labelled(&format!("B: {b}"))],
        ..cell.clone()
    };
    page.with_state(id, |compared: &mut ComparedVariants, page| {
        compared.show_beside(&comparison, cell.difference, page);
        show(ui, (&cell, id), false, compared, page, height);
    });
}

fn labelled(label: &str) -> Variant {
    Variant { label: label.into(), set: Settings::default() }
}

/// Two states of the page side by side, A and B, and how far apart their vertices
/// are.
pub(crate) fn states(
    ui: &mut Ui,
    id: &str,
    states: [&Document; 2],
    look: &ViewportCell,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let cell = CompareCell {
        variants: vec![labelled("A"), labelled("B")],
        model_b: false,
        difference: true,
        view: look.view,
        projection: look.projection,
        target: look.target,
        height: look.height,
        show: look.show.clone(),
        tint_most: look.tint_most,
    };
    page.with_state(id, |compared: &mut ComparedVariants, page| {
        let documents = states.map(|document| (document.clone(), None));
        compared.show(documents.into(), true, page);
        show(ui, (&cell, id), false, compared, page, height);
    });
}

/// The pictures, and what is said below them. `menus`: can the reader choose what
/// is compared?
fn show(
    ui: &mut Ui,
    (cell, id): (&CompareCell, &str),
    menus: bool,
    compared: &mut ComparedVariants,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let look = look(cell);
    let width = ui.available_width();
    let top = ui.cursor().top();
    let foot = compared.foot;
    let count = cell.variants.len() + usize::from(cell.difference);
    let tiles = Tiles::fitting(vec2(width, height - foot), count);
    let (all, _) = ui.allocate_exact_size(tiles.size(), Sense::hover());
    if tiles.picture.x >= 1.0 && ui.is_rect_visible(all) {
        let side = SideBySide { cell, look, id, tiles, all, menus };
        side.show(ui, page, compared);
    }
    if let Some(difference) = &compared.difference {
        difference::foot(ui, difference, page);
    }
    for refused in compared.refused() {
        ui.label(RichText::new(refused).size(SMALL).color(page.theme.wrong));
    }
    let below = ui.cursor().top() - top - tiles.size().y;
    if (below - compared.foot).abs() > 0.5 {
        compared.foot = below;
        // The pictures leave it its room.
        ui.ctx().request_discard("the height below the pictures became known");
    }
}

/// The cell as one that viewports know.
fn look(cell: &CompareCell) -> ViewportCell {
    ViewportCell {
        view: cell.view,
        projection: cell.projection,
        target: cell.target,
        height: cell.height,
        show: cell.show.clone(),
        tint_most: cell.tint_most,
        ..ViewportCell::default()
    }
}

/// The pictures of one frame.
struct SideBySide<'a> {
    cell: &'a CompareCell,
    look: ViewportCell,
    id: &'a str,
    tiles: Tiles,
    all: Rect,
    menus: bool,
}

impl SideBySide<'_> {
    /// All are steered before the first is painted, so that they never look from
    /// different places.
    fn show(&self, ui: &mut Ui, page: &mut PageContext<'_>, compared: &mut ComparedVariants) {
        let frame = page.viewport_frame(&self.look);
        let size = self.tiles.picture;
        let mut state = viewport::camera(&frame, self.id, page, size, None);
        let free = self.look.target.is_none() && self.look.height.is_none();
        if free && !state.held && !page.derived.rig.flat {
            // What is compared is bent as a rule.
            let posed: Vec<&Derived> = compared.derived().collect();
            let size = Vec2::new(size.x, size.y);
            hold_poses(&mut state.camera, &frame, size, &posed);
        }
        let question = OpenQuestion::on_page(page);
        let question = question.as_ref();
        let pictures = self.steer(ui, page, compared, (&mut state, question));
        for (tile, (rect, response)) in pictures.iter().enumerate() {
            let tile = (tile, *rect, response);
            self.paint(ui, page, compared, (&state, question), tile);
        }
        for (tile, (rect, response)) in pictures.iter().enumerate() {
            let room = UiBuilder::new().id_salt(("hover controls", tile)).max_rect(*rect);
            let mut over = ui.new_child(room);
            viewport::hover_controls(&mut over, *rect, response, &mut state, &frame, page);
        }
        if let Some((rect, _)) = pictures.last() {
            viewport::view_moved_ui(ui, *rect, &mut state, page);
        }
        viewport::hold(self.id, state, page);
    }

    /// Labels, and what the pointer and the keys do to the camera.
    fn steer(
        &self,
        ui: &mut Ui,
        page: &mut PageContext<'_>,
        compared: &mut ComparedVariants,
        (state, question): (&mut CameraState, Option<&OpenQuestion>),
    ) -> Vec<(Rect, Response)> {
        (0..self.tiles.count)
            .map(|tile| {
                let label = self.tiles.label(self.all, tile);
                let variant = self.cell.variants.get(tile);
                if let Some(variant) = variant.filter(|_| !self.menus) {
                    difference::label(ui, label, &variant.label.words(), page.theme);
                } else if let Some(variant) = variant {
                    label_variant_menu(ui, label, (tile, variant), compared, page.theme);
                } else {
                    let words = if self.menus { "Difference" } else { "A − B" };
                    difference::label(ui, label, words, page.theme);
                }
                let rect = self.tiles.picture(self.all, tile);
                let id = ui.scope_id().with(("picture", tile));
                let response = ui.interact(rect, id, Sense::click_and_drag());
                viewport::steer(ui, &response, rect, state, question, page);
                (rect, response)
            })
            .collect()
    }

    fn paint(
        &self,
        ui: &Ui,
        page: &mut PageContext<'_>,
        compared: &ComparedVariants,
        (state, question): (&CameraState, Option<&OpenQuestion>),
        (tile, rect, response): (usize, Rect, &Response),
    ) {
        // The difference is seen on the second variant, or on model A.
        let (shown, words, scalars) = match (self.cell.variants.get(tile), &compared.difference) {
            (Some(variant), _) => (tile, compared.words(tile, variant), None),
            (None, Some(difference)) => {
                let scalars = Arc::clone(&difference.scalars);
                (difference.on, "Difference".to_owned(), Some(scalars))
            }
            (None, None) => return,
        };
        let Some(variant) = compared.variant(shown) else {
            return;
        };
        let look = ViewportCell { caption: Some(words.into()), ..self.look.clone() };
        let of = ComparedPicture { compared, look, scalars, tile, rect, response };
        let there = (&variant.document, &variant.derived);
        if variant.is_other_model {
            // Questions are about the page's own.
            on_other_model(there, page, |page| self.paint_shown(ui, page, &of, (state, None)));
        } else {
            let mut page = page.with(there.0, there.1);
            self.paint_shown(ui, &mut page, &of, (state, question));
        }
    }

    /// On a page that is the variant.
    fn paint_shown(
        &self,
        ui: &Ui,
        page: &mut PageContext<'_>,
        of: &ComparedPicture<'_>,
        (state, question): (&CameraState, Option<&OpenQuestion>),
    ) {
        let ComparedPicture { compared, ref look, ref scalars, tile, rect, response } = *of;
        let mut frame = page.viewport_frame(look);
        // One scale, so that their colours can be compared.
        if look.tint_most.is_none() {
            let ends = compared.derived().map(|one| tint_most(one, frame.tint));
            frame.tint_most = ends.fold(frame.tint_most, f32::max);
        }
        response.widget_info(|| {
            let words = viewport::describe(&frame, &viewport::status(&frame, page.lesson));
            WidgetInfo::labeled(eframe::egui::Role::Image, true, words)
        });
        // The difference has its scale below all pictures. Where there is none, the
        // darkest colour of the scale is hard to see on a dark ground.
        let tinted = scalars.is_none();
        let none = compared.difference.as_ref().filter(|_| !tinted);
        let none = none.filter(|difference| difference.is_none() && rect.width() > 220.0);
        let status: Vec<String> = none
            .map(|_| "no difference".to_owned())
            .into_iter()
            .chain(viewport::without_weights(&frame))
            .collect();
        // One that a picture before it has already would only cover this one.
        let here = &frame.document.state;
        let same = |before: &DerivedVariant| {
            let before = &before.document.state;
            (before.tint, before.joint) == (here.tint, here.joint)
        };
        let told = (0..tile).filter_map(|before| compared.variant(before)).any(same);
        let legend = || Legend::new(ui.painter(), page.theme, &frame, rect.size());
        ViewportPicture {
            id: &format!("{}/{tile}", self.id),
            frame: &frame,
            camera: &state.camera,
            rect,
            response,
            legend: (tinted && !told).then(legend).flatten(),
            status,
            said_of: frame.derived,
            question,
            gizmo: None,
            handles: None,
            scalars: scalars.clone(),
            brush: false,
        }
        .paint(ui, page);
    }
}

/// What one picture shows, and where.
struct ComparedPicture<'a> {
    compared: &'a ComparedVariants,
    look: ViewportCell,
    scalars: Option<Arc<Scalars>>,
    tile: usize,
    rect: Rect,
    response: &'a Response,
}

/// The picture sees a page on the other model; what is lit and chosen there is so on the
/// page where that has a joint of the same name.
fn on_other_model(
    (document, derived): (&Document, &Derived),
    page: &mut PageContext<'_>,
    picture: impl FnOnce(&mut PageContext<'_>),
) {
    let (here, there) = (&page.derived.rig, &derived.rig);
    let to_shown = |joint| same_joint(joint, here, there);
    let to_page = |joint| same_joint(joint, there, here);
    let lit = page.linked.hovered().and_then(joint_of).and_then(to_shown);
    let mut linked = LinkedHighlight::lit(lit.map(Entity::Joint));
    let mut edits = Vec::new();
    let mut other =
        PageContext { linked: &mut linked, edits: &mut edits, ..page.with(document, derived) };
    picture(&mut other);
    if let Some(joint) = linked.next().and_then(joint_of).and_then(to_page) {
        page.linked.hover(Entity::Joint(joint));
    }
    for edit in edits {
        let Edit::Settings(settings) = edit else {
            continue;
        };
        let settings = settings.into_iter().filter_map(|setting| match setting {
            Setting::Joint(joint) => {
                let joint = joint_index(&joint, there).ok();
                let joint = joint.and_then(to_page)?;
                Some(Setting::Joint(joint.into()))
            }
            // Vertices have numbers alone, and those mean nothing elsewhere.
            Setting::Vertex(_) => None,
            other => Some(other),
        });
        let settings: Vec<Setting> = settings.collect();
        if !settings.is_empty() {
            page.edits.push(Edit::Settings(settings));
        }
    }
}

fn joint_of(entity: Entity) -> Option<JointIndex> {
    match entity {
        Entity::Joint(joint) => Some(joint),
        _ => None,
    }
}

// The label above a picture, which is a menu: what is compared can be chosen.

/// Beside the words, in points.
const PAD: f32 = 4.0;
/// Room for the triangle after the button.
const CARET: f32 = 14.0;

/// The lesson's label, or what the reader has put in its place.
fn label_variant_menu(
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
