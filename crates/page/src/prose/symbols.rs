//! Symbols in formulas. Pointing at one shows its entry in the table of symbols and
//! highlights its joint, weight or vertex on the page.

use bindpose_kit::math::Formula;
use bindpose_kit::theme::{CARD_SIZE, FINE_SIZE};
use bindpose_kit::touch;
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{for_enabled, highlight_shape};
use bindpose_lesson::{Inline, Symbol, SymbolForm};
use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{Color32, Id, Pos2, Rect, Sense, Shape, Ui};

use super::paragraph::inlines_ui;
use crate::PageContext;

/// Margin around a symbol, in em, because small symbols are hard to hit.
const HIT_MARGIN_EM: f32 = 0.08;

/// Adds hover areas for the symbols of a formula, before it is painted with the left end
/// of its baseline at `origin` and `em` points per em. Adds highlights to `behind`.
pub(super) fn symbols_ui(
    ui: &mut Ui,
    id: Id,
    formula: &Formula,
    origin: Pos2,
    em: f32,
    page: &mut PageContext<'_>,
    behind: &mut Vec<Shape>,
) {
    for (index, symbol_box) in formula.symbols().iter().enumerate() {
        let written = &symbol_box.written;
        let Some((symbol, inverse)) = page.set.symbols.find(written) else {
            continue;
        };
        let low = origin + Pos2::from(symbol_box.low).to_vec2() * em;
        let high = origin + Pos2::from(symbol_box.high).to_vec2() * em;
        let rect = Rect::from_min_max(low, high).expand(HIT_MARGIN_EM * em);
        let entity = find_entity(symbol, written, page);
        let response = ui.interact(rect, id.with(("symbol", index)), Sense::hover());
        let is_pointed_at = touch::is_pointed_at(&response);
        let is_lit = entity.is_some_and(|entity| page.linked.is_lit(entity));
        let is_vertex = matches!(entity, Some(Entity::Vertex(_)));
        if is_lit && (is_pointed_at || !is_vertex) {
            behind.push(highlight_shape(page.theme, rect, 4.0));
        } else if is_pointed_at {
            behind.push(Shape::rect_filled(rect, 4.0, page.theme.accent_wash));
        }
        if let Some(entity) = entity.filter(|_| is_pointed_at) {
            page.linked.hover(entity);
        }
        for_enabled(&response).show(|ui| card_ui(ui, symbol, written, inverse, page));
    }
}

/// Returns what is highlighted with a symbol: a joint by its number, its weight on the
/// chosen vertex, or that vertex.
fn find_entity(symbol: &Symbol, written: &SymbolForm, page: &PageContext<'_>) -> Option<Entity> {
    let vertex = page.document.state.vertex;
    let Some(index) = &written.index else {
        let is_chosen_vertex = symbol.kind.starts_with("point") && written.base == "p";
        return is_chosen_vertex.then_some(Entity::Vertex(vertex));
    };
    let joint = index.parse().ok().map(JointIndex)?;
    if joint.index() >= page.derived.joints.world_from_joint.len() {
        return None;
    }
    if symbol.kind.starts_with("matrix") {
        Some(Entity::Joint(joint))
    } else if symbol.kind.starts_with("number") {
        Some(Entity::Weight(vertex, joint))
    } else {
        None
    }
}

fn card_ui(
    ui: &mut Ui,
    symbol: &Symbol,
    written: &SymbolForm,
    inverse: bool,
    page: &mut PageContext<'_>,
) {
    ui.set_max_width(360.0);
    ui.spacing_mut().item_spacing.y = 2.0;
    let prefix = if inverse { "  inverse of the " } else { "  " };
    let mut line = vec![Inline::Math(written.tex()), plain_text(prefix)];
    line.extend(symbol.what_of(written));
    inlines_ui(ui, &line, card_face(CARD_SIZE, page.theme.ink), page);
    let mut kind = vec![plain_text(&symbol.kind)];
    if !inverse && !symbol.frame.is_empty() {
        kind.push(plain_text(" · "));
        kind.push(if symbol.frame.contains('_') {
            Inline::Code(symbol.frame.clone())
        } else {
            plain_text(&symbol.frame)
        });
    }
    inlines_ui(ui, &kind, card_face(FINE_SIZE, page.theme.quiet), page);
}

fn plain_text(text: &str) -> Inline {
    Inline::Text { text: text.to_owned(), strong: false, emphasis: false }
}

fn card_face(size: f32, color: Color32) -> Face {
    Face { size, line: (size * 1.5).round(), color, strong: false }
}
