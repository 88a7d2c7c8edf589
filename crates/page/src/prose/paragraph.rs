//! A paragraph on the page: its words, what lies behind and over them, and its
//! links.

use bindpose_lesson::Inline;
use eframe::egui::{
    Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo,
    text_selection::LabelSelectionState, vec2,
};

use super::inline;
use super::links;
use super::symbols;
use super::typeset::{Face, ParagraphPiece, PieceSpot, Typeset};
use crate::PageContext;
use crate::theme::Theme;

/// Running text with live links, as wide as the column. Gives the response of
/// the text as a whole.
pub fn inlines_ui(
    ui: &mut Ui,
    inlines: &[Inline],
    face: Face,
    page: &mut PageContext<'_>,
) -> Response {
    let width = ui.available_width();
    aligned_ui(ui, inlines, face, width, 0.0, page)
}

/// The same in `width` points, a line shorter than that moved by `align` of
/// what is left: 0 to the left, 1 to the right.
pub(super) fn aligned_ui(
    ui: &mut Ui,
    inlines: &[Inline],
    face: Face,
    width: f32,
    align: f32,
    page: &mut PageContext<'_>,
) -> Response {
    let text = inline::inlines(ui, inlines, face, width, page);
    let set = text.run.set(ui, width);
    let size = vec2(set.width().max(width), set.height());
    let (rect, response) = ui.allocate_exact_size(size, text_sense(ui));
    let origin = rect.min + vec2((size.x - set.width()) * align, 0.0);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text.spoken));
    // Links come after the text they lie on, so that they get the pointer, and
    // before it is painted, so that they can paint behind it.
    let mut behind = Vec::new();
    for (piece, spots) in &set.pieces {
        if let ParagraphPiece::Link(number) = piece
            && let Some(&(words, target)) = text.links.get(*number)
        {
            let spots: Vec<PieceSpot> = spots.iter().map(|spot| spot.at(origin)).collect();
            let id = response.id.with(("link", number));
            links::link_ui(ui, id, &spots, face, words, target, page, &mut behind);
        }
    }
    if ui.is_rect_visible(rect) {
        for (number, (piece, spots)) in set.pieces.iter().enumerate() {
            if let ParagraphPiece::Math { formula, em, .. } = piece {
                for spot in spots {
                    let spot = spot.at(origin);
                    let place = (Pos2::new(spot.rect.left(), spot.baseline), *em);
                    let id = response.id.with(("formula", number));
                    symbols::symbols_ui(ui, id, formula, place, page, &mut behind);
                }
            }
        }
        for (piece, spots) in &set.pieces {
            if let ParagraphPiece::Mark(number) = piece
                && let Some(&(_, target)) = text.links.get(*number)
            {
                for spot in spots {
                    behind.push(links::mark(&spot.at(origin), face, target, page));
                }
            }
        }
        paint_text(ui, &response, origin, &set, page.theme, behind);
    }
    response
}

impl PieceSpot {
    /// On the screen, for a text with its corner there.
    pub(super) fn at(&self, origin: Pos2) -> Self {
        Self { rect: self.rect.translate(origin.to_vec2()), baseline: self.baseline + origin.y }
    }

    /// Around the letters, not the whole row.
    pub(super) fn around_letters(&self, size: f32) -> Rect {
        Rect::from_x_y_ranges(
            self.rect.x_range(),
            self.baseline - 0.98 * size..=self.baseline + 0.32 * size,
        )
    }
}

/// Text can be selected with the mouse, except on touch screens, where a drag
/// scrolls.
fn text_sense(ui: &Ui) -> Sense {
    if ui.input(|input| input.has_touch_screen()) {
        Sense::hover()
    } else {
        Sense::click_and_drag() - Sense::FOCUSABLE
    }
}

/// Paints panels behind code, what links put behind their words, the words and
/// the formulas, with the corner of the text at `origin`.
fn paint_text(
    ui: &Ui,
    response: &Response,
    origin: Pos2,
    set: &Typeset,
    theme: &Theme,
    behind: Vec<Shape>,
) {
    paint_pieces(ui.painter(), origin, set, theme, |painter| {
        painter.extend(behind);
        LabelSelectionState::label_text_selection(
            ui,
            response,
            origin,
            set.galley.clone(),
            theme.ink,
            Stroke::NONE,
        );
    });
}

/// Paints panels behind code, then the words as `words` does, then the formulas.
pub(super) fn paint_pieces(
    painter: &Painter,
    origin: Pos2,
    set: &Typeset,
    theme: &Theme,
    words: impl FnOnce(&Painter),
) {
    let pieces = || {
        set.pieces.iter().flat_map(|(piece, spots)| {
            let spots = spots.iter();
            spots.map(move |spot| (piece, spot.at(origin)))
        })
    };
    for (piece, spot) in pieces() {
        if matches!(piece, ParagraphPiece::Code) {
            let size = spot.rect.height().min(24.0) * (2.0 / 3.0);
            let panel = spot.around_letters(size).expand2(vec2(3.0, 0.5));
            painter.rect_filled(panel, 4.0, code_ground(theme));
        }
    }
    words(painter);
    for (piece, spot) in pieces() {
        if matches!(piece, ParagraphPiece::Struck) {
            let y = (spot.baseline - 0.17 * spot.rect.height().min(24.0)).round();
            painter.hline(spot.rect.x_range(), y, Stroke::new(1.0, theme.quiet));
        }
        if let ParagraphPiece::Math { formula, em, color } = piece {
            let at = Pos2::new(spot.rect.left(), spot.baseline);
            formula.paint(painter, at, *em, *color);
        }
    }
}

/// The panel colour, a little stronger: a small thing on paper or on a panel
/// needs more to be seen.
fn code_ground(theme: &Theme) -> Color32 {
    theme.panel.lerp_to_gamma(theme.rule, 0.5)
}
