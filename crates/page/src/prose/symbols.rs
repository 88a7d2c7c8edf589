//! What a symbol in a formula is, while it is pointed at: the words of the table,
//! and its joint, its weight or its vertex lit on the page.

use bindpose_lesson::{Inline, Symbol, SymbolForm};
use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{Id, Pos2, Rect, Sense, Shape, Ui};

use super::paragraph::inlines_ui;
use super::typeset::Face;
use crate::PageContext;
use crate::math::Formula;
use crate::theme::{CARD, FINE};
use crate::touch;
use crate::widgets::{for_enabled, lit_shape};

/// Around a symbol, in em: small ones are hard to hit.
const ROOM: f32 = 0.08;

/// Makes the symbols of a formula known to the pointer, before it is painted with
/// the left end of its baseline at `origin`, `em` points to the em.
pub(super) fn symbols_ui(
    ui: &mut Ui,
    id: Id,
    formula: &Formula,
    (origin, em): (Pos2, f32),
    page: &mut PageContext<'_>,
    behind: &mut Vec<Shape>,
) {
    for (number, place) in formula.symbols().iter().enumerate() {
        let written = &place.written;
        let Some((symbol, inverse)) = page.set.symbols.find(written) else {
            continue;
        };
        let from = |point: Pos2| origin + point.to_vec2() * em;
        let rect = Rect::from_min_max(from(place.low.into()), from(place.high.into()));
        let rect = rect.expand(ROOM * em);
        let entity = entity(symbol, written, page);
        let response = ui.interact(rect, id.with(("symbol", number)), Sense::hover());
        let pointed_at = touch::is_pointed_at(&response);
        let lit = entity.is_some_and(|entity| page.linked.is_lit(entity));
        let of_vertex = matches!(entity, Some(Entity::Vertex(_)));
        if lit && (pointed_at || !of_vertex) {
            behind.push(lit_shape(page.theme, rect, 4.0));
        } else if pointed_at {
            behind.push(Shape::rect_filled(rect, 4.0, page.theme.accent_wash));
        }
        if let Some(entity) = entity.filter(|_| pointed_at) {
            page.linked.hover(entity);
        }
        for_enabled(&response).show(|ui| card_ui(ui, symbol, written, inverse, page));
    }
}

/// What lights up with a symbol: a joint by its number, its weight on the chosen
/// vertex, that vertex itself.
fn entity(symbol: &Symbol, written: &SymbolForm, page: &PageContext<'_>) -> Option<Entity> {
    let vertex = page.document.state.vertex;
    let Some(index) = &written.index else {
        let of_vertex = symbol.kind.starts_with("point") && written.base == "p";
        return of_vertex.then_some(Entity::Vertex(vertex));
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
    let plain = |text: &str| Inline::Text { text: text.to_owned(), strong: false, emphasis: false };
    let of = if inverse { "  inverse of the " } else { "  " };
    let mut line = vec![Inline::Math(written.tex()), plain(of)];
    line.extend(symbol.what_of(written));
    let face = |size: f32, color| Face { size, line: (size * 1.5).round(), color, strong: false };
    inlines_ui(ui, &line, face(CARD, page.theme.ink), page);
    let mut kind = vec![plain(&symbol.kind)];
    if !inverse && !symbol.frame.is_empty() {
        kind.push(plain(" · "));
        kind.push(if symbol.frame.contains('_') {
            Inline::Code(symbol.frame.clone())
        } else {
            plain(&symbol.frame)
        });
    }
    inlines_ui(ui, &kind, face(FINE, page.theme.quiet), page);
}
