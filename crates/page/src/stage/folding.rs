//! Folded cells of a presented stage. Where large pictures leave too little room for all other
//! cells, some become one line. A press shows all of them, beside smaller pictures.

use bindpose_kit::icons;
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{PaintText as _, Tip as _, fitted_text};
use bindpose_lesson::{Cell, CellKind, MatrixCell, number_text};
use bindpose_notebook::demonstration::{DemonstratedPart, Demonstration};
use bindpose_notebook::matrix::{MatrixOwner, resolve};
use bindpose_notebook::stage_points::STAGE_NAMES;
use bindpose_skin::SkinStage;
use eframe::egui::{Align2, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::PageContext;
use crate::view::UnfoldedStep;

/// Height of a folded cell, in points.
pub(super) const FOLDED_HEIGHT_PTS: f32 = 26.0;
/// Width of the arrow before the title of a folded cell, in points.
const ARROW_WIDTH_PTS: f32 = 18.0;
/// Size of the button that folds cells again, in points.
const FOLD_BUTTON_SIZE_PTS: f32 = 11.0;
/// Decimals of a position in the title of a folded sum.
const POSITION_DECIMALS: usize = 2;

/// Returns true if the teacher has unfolded the cells of the open step.
pub(super) fn is_unfolded(page: &PageContext<'_>) -> bool {
    let document = page.document;
    page.view
        .unfolded
        .as_ref()
        .is_some_and(|step| step.lesson == document.lesson && step.step == document.step)
}

/// Returns the cells that can be folded, in the order in which they are folded: first those that
/// the demonstration does not name, then those that it watches, then those in which it drags
/// something. Of each of these the last is first.
pub(super) fn foldable_cells<'a>(
    cells: &[&'a Cell],
    demonstration: &Demonstration,
    page: &PageContext<'_>,
) -> Vec<&'a Cell> {
    let drags_row =
        demonstration.drag.iter().any(|part| matches!(part, DemonstratedPart::Vertex(_)));
    let mut foldable: Vec<&Cell> =
        cells.iter().rev().copied().filter(|cell| folded_title(cell, page).is_some()).collect();
    foldable.sort_by_key(|cell| {
        let part = DemonstratedPart::Cell(cell.id.clone());
        let is_dragged = demonstration.drag.contains(&part)
            || drags_row && matches!(cell.kind, CellKind::Weights(_));
        (is_dragged, demonstration.watch.contains(&part))
    });
    foldable
}

/// Draws a folded cell as a button with its title.
pub(super) fn folded_ui(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>) {
    let size = vec2(ui.available_width(), FOLDED_HEIGHT_PTS);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let title = folded_title(cell, page).unwrap_or_default();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Show {title}")));
    let is_active = response.hovered() || response.has_focus();
    let color = if is_active { page.theme.accent } else { page.theme.quiet };
    let icon = font::icon(CAPTION_SIZE);
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, icons::CARET_RIGHT, icon, color);
    let text_at = rect.left_center() + vec2(ARROW_WIDTH_PTS, 0.0);
    let text_font = FontId::proportional(SMALL_SIZE);
    let galley = fitted_text(ui, &title, &text_font, rect.width() - ARROW_WIDTH_PTS, color);
    ui.painter().galley_left(text_at, galley, color);
    let part = DemonstratedPart::Cell(cell.id.clone());
    page.view.item_rects.record_part(part, rect);
    if response.tip("Show it, beside a smaller picture").clicked() {
        page.view.unfolded =
            Some(UnfoldedStep { lesson: page.document.lesson.clone(), step: page.document.step });
        ui.ctx().request_repaint();
    }
}

/// Draws the button that folds the cells of the step again, in the margin to the right of a
/// cell, below the button that enlarges it.
pub(super) fn fold_button(ui: &Ui, cell: &Cell, page: &mut PageContext<'_>, cell_rect: Rect) {
    let size = vec2(FOLD_BUTTON_SIZE_PTS, FOLD_BUTTON_SIZE_PTS);
    let at = pos2(cell_rect.right() + 2.0, cell_rect.top() + 6.0 + FOLD_BUTTON_SIZE_PTS);
    let rect = Rect::from_min_size(at, size);
    let response = ui.interact(rect, ui.scope_id().with(("fold", &cell.id)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Fold {}", cell.id)));
    let is_active = response.hovered() || response.has_focus();
    let color = if is_active { page.theme.accent } else { page.theme.quiet };
    let icon = font::icon(CAPTION_SIZE);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, icons::CARET_DOWN, icon, color);
    if response.tip("Fold it: the picture gets larger").clicked() {
        page.view.unfolded = None;
        ui.ctx().request_repaint();
    }
}

/// Returns the title of a folded cell, such as `the sum for v6: (1.00, 2.00)`. Returns `None`
/// for cells that do not fold: sliders, exercises, programs, and what plays.
fn folded_title(cell: &Cell, page: &PageContext<'_>) -> Option<String> {
    let title = match &cell.kind {
        CellKind::Matrix(matrix) => return Some(matrix_titles(matrix, page)),
        CellKind::Vertex(vertex) => {
            return Some(sum_title(vertex.vertex.unwrap_or(page.document.state.vertex), page));
        }
        CellKind::Stages(_) => return Some(stage_title(page.document.state.stage)),
        CellKind::Weights(_) => "the weights",
        CellKind::Tree(_) => "the scene graph",
        CellKind::Indices(_) => "from indices to nodes",
        CellKind::Histogram(_) => "the histogram",
        CellKind::Plot(_) => "the plot",
        CellKind::Texture(_) => "the texels",
        CellKind::Conventions(_) => "the notation",
        CellKind::Chain(chain) if chain.goal.is_none() => "the product",
        _ => return None,
    };
    Some(title.to_owned())
}

fn sum_title(vertex: u32, page: &PageContext<'_>) -> String {
    match page.derived.position(vertex as usize) {
        Some(position) => {
            let point = number_text::point(&position.to_array(), POSITION_DECIMALS);
            format!("the sum for v{vertex}: {point}")
        }
        None => format!("the sum for v{vertex}"),
    }
}

fn stage_title(stage: SkinStage) -> String {
    let index = SkinStage::ALL.iter().position(|other| *other == stage);
    let name = index.and_then(|index| STAGE_NAMES.get(index)).copied().unwrap_or_default();
    format!("the stage: {name}")
}

/// Returns the names of the matrices, such as `world matrix of joint 1 · joint matrix of
/// joint 1`.
fn matrix_titles(cell: &MatrixCell, page: &PageContext<'_>) -> String {
    let mut titles = Vec::new();
    for reference in &cell.show {
        if let Ok(source) = resolve(reference, page.document, page.derived) {
            titles.push(match source.owner {
                MatrixOwner::Joint(joint) => format!("{} of joint {}", source.title, joint.0),
                MatrixOwner::Vertex(_) | MatrixOwner::MeshNode => source.title,
            });
        }
    }
    titles.join(" · ")
}
