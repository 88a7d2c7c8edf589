//! Two or three pictures side by side with the same camera and pose but different settings or
//! models, and the distances between the vertices of the first two.

mod compared_variants;
mod difference;
#[cfg(test)]
mod tests;
mod tiles;
mod variant;
mod variant_menu;

use std::sync::Arc;

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_lesson::{CompareCell, Setting, Settings, Variant, ViewportCell};
use bindpose_notebook::scene::Scalars;
use bindpose_notebook::viewport::{content_aspect, hold_poses};
use bindpose_notebook::{
    Derived, Document, Edit, Entity, LinkedHighlight, joint_index, model_name, same_joint,
    tint_most,
};
use bindpose_skin::JointIndex;
use eframe::egui::{Rect, Response, RichText, Sense, Ui, UiBuilder, WidgetInfo, vec2};
use glam::Vec2;

use super::viewport::{self, Legend, OpenQuestion, ViewportPicture};
use crate::PageContext;
use crate::model_b::{self, KnownModels};
use crate::requests::Requests;
use crate::view::CameraState;
use compared_variants::ComparedVariants;
use difference::draw_difference_line;
use tiles::{MODEL_ASPECT, Tiles};
use variant::VariantDocument;
use variant_menu::{draw_label, draw_variant_menu};

/// Minimum width of a picture that has room for the words "no difference".
const MIN_STATUS_WIDTH_PTS: f32 = 220.0;

/// Draws the cell in the available width. `height` includes the lines below the pictures.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &CompareCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    if cell.model_b {
        return draw_models(ui, cell, id, page, height);
    }
    page.with_state(id, |compared: &mut ComparedVariants, page| {
        compared.update(cell, page);
        draw_comparison(ui, cell, id, true, compared, page, height);
    });
}

/// Draws the model of the page, model B in the same pose, and their difference.
fn draw_models(ui: &mut Ui, cell: &CompareCell, id: &str, page: &mut PageContext<'_>, height: f32) {
    let comparison = match model_b::compare_models(&ui.ctx().clone(), page) {
        KnownModels::Compared(comparison) => comparison,
        KnownModels::UnderWay(_) => return model_b::progress_ui(ui, page),
        KnownModels::Nothing(reason) => {
            ui.label(RichText::new(reason).size(SMALL_SIZE).color(page.theme.quiet));
            return;
        }
    };
    let a = model_name(&comparison.a).to_owned();
    let b = model_b::model_b_name(&page.document.state.model_b, page);
    let cell = CompareCell {
        variants: vec![labelled_variant(&format!("A: {a}")), labelled_variant(&format!("B: {b}"))],
        ..cell.clone()
    };
    page.with_state(id, |compared: &mut ComparedVariants, page| {
        compared.update_models(&comparison, cell.difference, page);
        draw_comparison(ui, &cell, id, false, compared, page, height);
    });
}

/// Returns the viewport that the pictures of a comparison have in common.
pub(super) fn viewport_of(cell: &CompareCell) -> ViewportCell {
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

fn labelled_variant(label: &str) -> Variant {
    Variant { label: label.into(), set: Settings::default() }
}

/// Draws two states of the page, A and B, and their difference.
pub(crate) fn draw_state_comparison(
    ui: &mut Ui,
    id: &str,
    states: [&Document; 2],
    look: &ViewportCell,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let cell = CompareCell {
        variants: vec![labelled_variant("A"), labelled_variant("B")],
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
        let documents = states
            .map(|document| VariantDocument { document: document.clone(), settings_error: None });
        compared.update_documents(documents.into(), true, page);
        draw_comparison(ui, &cell, id, false, compared, page, height);
    });
}

/// Draws the pictures and the lines below them. With `has_menus`, the reader can change the
/// settings of each variant.
fn draw_comparison(
    ui: &mut Ui,
    cell: &CompareCell,
    id: &str,
    has_menus: bool,
    compared: &mut ComparedVariants,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let look = viewport_of(cell);
    let width = ui.available_width();
    let top = ui.cursor().top();
    let count = cell.variants.len() + usize::from(cell.difference);
    let model_aspect = content_aspect(&page.viewport_frame(&look)).unwrap_or(MODEL_ASPECT);
    let tiles = Tiles::fitting(vec2(width, height - compared.footer_height), count, model_aspect);
    let (area, _) = ui.allocate_exact_size(tiles.size(), Sense::hover());
    if tiles.picture_size.x >= 1.0 && ui.is_rect_visible(area) {
        let pictures = ComparedPictures { cell, look, id, tiles, area, has_menus };
        pictures.draw(ui, page, compared);
    }
    if let Some(difference) = &compared.difference {
        draw_difference_line(ui, difference, page);
    }
    for error in compared.settings_errors() {
        ui.label(RichText::new(error).size(SMALL_SIZE).color(page.theme.wrong));
    }
    let footer_height = ui.cursor().top() - top - tiles.size().y;
    if (footer_height - compared.footer_height).abs() > 0.5 {
        compared.footer_height = footer_height;
        // Lay out the pictures again, without the room that the footer takes.
        ui.ctx().request_discard("the height below the pictures became known");
    }
}

/// The pictures of one frame.
struct ComparedPictures<'a> {
    cell: &'a CompareCell,
    look: ViewportCell,
    id: &'a str,
    tiles: Tiles,
    /// Rectangle of all pictures and labels.
    area: Rect,
    has_menus: bool,
}

/// One picture in the layout, and the response of its area.
struct Tile {
    index: usize,
    rect: Rect,
    response: Response,
}

impl ComparedPictures<'_> {
    /// Draws the pictures. All update the camera before the first is painted, so that they never
    /// show different views.
    fn draw(&self, ui: &mut Ui, page: &mut PageContext<'_>, compared: &mut ComparedVariants) {
        let frame = page.viewport_frame(&self.look);
        let size = self.tiles.picture_size;
        let mut state = viewport::current_camera(&frame, self.id, page, size, None);
        let has_free_camera = self.look.target.is_none() && self.look.height.is_none();
        if has_free_camera && !state.is_held && !page.derived.rig.flat {
            // The compared models are usually posed, and may leave the picture.
            let posed: Vec<&Derived> = compared.derived().collect();
            hold_poses(&mut state.camera, &frame, Vec2::new(size.x, size.y), &posed);
        }
        viewport::record_fill(&frame, &state.camera, size, page);
        let question = OpenQuestion::find_on_page(page);
        let mut tiles = Vec::with_capacity(self.tiles.count);
        for index in 0..self.tiles.count {
            self.draw_tile_label(ui, index, compared, page);
            let rect = self.tiles.picture_rect(self.area, index);
            let id = ui.scope_id().with(("picture", index));
            let response = ui.interact(rect, id, Sense::click_and_drag());
            viewport::handle_camera_input(ui, &response, rect, &mut state, question.as_ref(), page);
            tiles.push(Tile { index, rect, response });
        }
        for tile in &tiles {
            self.draw_picture(ui, page, compared, &state, question.as_ref(), tile);
        }
        for tile in &tiles {
            let controls =
                UiBuilder::new().id_salt(("hover controls", tile.index)).max_rect(tile.rect);
            let mut child = ui.new_child(controls);
            let Tile { rect, response, .. } = tile;
            viewport::hover_controls(&mut child, *rect, response, &mut state, &frame, page);
        }
        if let Some(last) = tiles.last() {
            viewport::reset_view_button(ui, last.rect, &mut state, page);
        }
        viewport::store_camera(self.id, state, page);
    }

    fn draw_tile_label(
        &self,
        ui: &mut Ui,
        index: usize,
        compared: &mut ComparedVariants,
        page: &PageContext<'_>,
    ) {
        let rect = self.tiles.label_rect(self.area, index);
        match self.cell.variants.get(index) {
            Some(variant) if self.has_menus => {
                draw_variant_menu(ui, rect, index, variant, compared, page.theme);
            }
            Some(variant) => draw_label(ui, rect, &variant.label.words(), page.theme),
            None if self.has_menus => draw_label(ui, rect, "Difference", page.theme),
            None => draw_label(ui, rect, "A − B", page.theme),
        }
    }

    /// Draws a variant, or the difference after the last of them.
    fn draw_picture(
        &self,
        ui: &Ui,
        page: &mut PageContext<'_>,
        compared: &ComparedVariants,
        state: &CameraState,
        question: Option<&OpenQuestion>,
        tile: &Tile,
    ) {
        let (variant_index, caption, scalars) =
            match (self.cell.variants.get(tile.index), &compared.difference) {
                (Some(variant), _) => (tile.index, compared.label(tile.index, variant), None),
                (None, Some(difference)) => {
                    let scalars = Arc::clone(&difference.scalars);
                    (difference.shown_on, "Difference".to_owned(), Some(scalars))
                }
                (None, None) => return,
            };
        let Some(variant) = compared.variant(variant_index) else {
            return;
        };
        let picture = ComparedPicture {
            id: format!("{}/{}", self.id, tile.index),
            look: ViewportCell { caption: Some(caption.into()), ..self.look.clone() },
            compared,
            state,
            // Questions are about the model of the page.
            question: question.filter(|_| !variant.is_other_model),
            scalars,
            tile,
        };
        if variant.is_other_model {
            paint_on_other_model(ui, &picture, &variant.document, &variant.derived, page);
        } else {
            let mut variant_page = page.with(&variant.document, &variant.derived);
            picture.paint(ui, &mut variant_page);
        }
    }
}

/// A picture of a variant or of the difference.
struct ComparedPicture<'a> {
    id: String,
    look: ViewportCell,
    compared: &'a ComparedVariants,
    state: &'a CameraState,
    question: Option<&'a OpenQuestion>,
    /// Distances shown as colours, if this is the difference.
    scalars: Option<Arc<Scalars>>,
    tile: &'a Tile,
}

impl ComparedPicture<'_> {
    /// Paints the picture. `page` has the document of the variant.
    fn paint(&self, ui: &Ui, page: &mut PageContext<'_>) {
        let Tile { index, rect, response } = self.tile;
        let compared = self.compared;
        let mut frame = page.viewport_frame(&self.look);
        // All pictures share one colour scale, so that their colours can be compared.
        if self.look.tint_most.is_none() {
            for derived in compared.derived() {
                frame.tint_most = frame.tint_most.max(tint_most(derived, frame.tint));
            }
        }
        response.widget_info(|| {
            let description =
                viewport::describe_picture(&frame, &viewport::status(&frame, page.lesson));
            WidgetInfo::labeled(eframe::egui::Role::Image, true, description)
        });
        let is_difference = self.scalars.is_some();
        let mut status = Vec::new();
        // Without any difference, the whole picture has the darkest colour of the scale, which is
        // hard to see on a dark background.
        if is_difference
            && rect.width() > MIN_STATUS_WIDTH_PTS
            && compared.difference.as_ref().is_some_and(|it| it.is_within_tolerance())
        {
            status.push("no difference".to_owned());
        }
        status.extend(viewport::without_weights(&frame));
        // The scale of the difference is below the pictures. A legend that an earlier picture has
        // already is left out, because it would only cover this one.
        let has_own_legend = !is_difference
            && !(0..*index).filter_map(|earlier| compared.variant(earlier)).any(|earlier| {
                earlier.document.state.tint == frame.document.state.tint
                    && earlier.document.state.joint == frame.document.state.joint
            });
        let legend = if has_own_legend {
            Legend::new(ui.painter(), page.theme, &frame, rect.size())
        } else {
            None
        };
        ViewportPicture {
            id: &self.id,
            frame: &frame,
            camera: &self.state.camera,
            rect: *rect,
            response,
            legend,
            status,
            described: frame.derived,
            question: self.question,
            gizmo: None,
            handles: None,
            scalars: self.scalars.clone(),
            has_brush: false,
        }
        .paint(ui, page);
    }
}

/// Paints a picture of another model than the page's. Highlights and choices of joints are
/// translated by name, as far as both models have the joint.
fn paint_on_other_model(
    ui: &Ui,
    picture: &ComparedPicture<'_>,
    document: &Document,
    derived: &Derived,
    page: &mut PageContext<'_>,
) {
    let page_rig = &page.derived.rig;
    let other_rig = &derived.rig;
    let lit = page
        .linked
        .hovered()
        .and_then(joint_of_entity)
        .and_then(|joint| same_joint(joint, page_rig, other_rig));
    let mut linked = LinkedHighlight::lit(lit.map(Entity::Joint));
    let mut requests = Requests::default();
    let mut other_page = PageContext {
        linked: &mut linked,
        requests: &mut requests,
        ..page.with(document, derived)
    };
    picture.paint(ui, &mut other_page);
    if let Some(joint) = linked
        .next()
        .and_then(joint_of_entity)
        .and_then(|joint| same_joint(joint, other_rig, page_rig))
    {
        page.linked.hover(Entity::Joint(joint));
    }
    page.requests.navigation.append(&mut requests.navigation);
    for edit in requests.edits {
        let Edit::Settings(settings) = edit else {
            continue;
        };
        let mut page_settings = Vec::new();
        for setting in settings {
            match setting {
                Setting::Joint(joint) => {
                    let joint = joint_index(&joint, other_rig).ok();
                    if let Some(joint) =
                        joint.and_then(|joint| same_joint(joint, other_rig, page_rig))
                    {
                        page_settings.push(Setting::Joint(joint.into()));
                    }
                }
                // Vertices have no names, and their indices mean nothing in another model.
                Setting::Vertex(_) => {}
                other => page_settings.push(other),
            }
        }
        if !page_settings.is_empty() {
            page.requests.edits.push(Edit::Settings(page_settings));
        }
    }
}

fn joint_of_entity(entity: Entity) -> Option<JointIndex> {
    match entity {
        Entity::Joint(joint) => Some(joint),
        _ => None,
    }
}
