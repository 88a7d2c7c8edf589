//! A paragraph on the page: from a lesson's inlines to running text, what lies behind and
//! over its words, and its links; and the texts of cells, which are the same in cards, beside
//! numbers, and where only a painter is.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_lesson::{Inline, LayoutError, LinkTarget, Text};
use bindpose_notebook::page_state::page_param;
use eframe::egui::{
    Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    text_selection::LabelSelectionState, vec2,
};

use super::blocks::text_blocks_ui;
use super::links;
use super::symbols;
use super::typeset::{Face, ParagraphPiece, PieceSpot, TextRun, Typeset};
use crate::PageContext;
use crate::math::{self, Setting, spoken};
use crate::theme::{LINE, Theme};
use crate::widgets::Emphasis;

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
    let text = running_text(ui, inlines, face, width, page);
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
fn paint_pieces(
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

// Texts of cells.

impl Face {
    /// Of a text in a cell; `size` is in points.
    pub fn of_text(size: f32, emphasis: Emphasis, theme: &Theme) -> Self {
        Self {
            size,
            line: (size * LINE).round(),
            color: match emphasis {
                Emphasis::Quiet => theme.quiet,
                Emphasis::Strong | Emphasis::Plain => theme.ink,
            },
            strong: emphasis == Emphasis::Strong,
        }
    }
}

/// A text in the width that is left.
pub fn text_ui(
    ui: &mut Ui,
    text: &Text,
    size: f32,
    emphasis: Emphasis,
    page: &mut PageContext<'_>,
) {
    let face = Face::of_text(size, emphasis, page.theme);
    text_blocks_ui(ui, &text.blocks(), face, page);
}

/// A text of one line, no wider than its words.
pub fn line_ui(ui: &mut Ui, text: &Text, face: Face, page: &mut PageContext<'_>) -> Response {
    let room = ui.available_width().max(40.0);
    let line = text.line();
    let natural = running_text(ui, line, face, room, page).run.set(ui, room);
    aligned_ui(ui, line, face, natural.width().ceil().min(room), 0.0, page)
}

/// A line for a painter: what it says, laid out, and what a screen reader says of it.
pub struct PaintedLine {
    set: Arc<Typeset>,
    /// As it is heard.
    pub spoken: String,
}

impl PaintedLine {
    /// Lays out a line, no wider than `width`.
    pub fn new(ui: &Ui, line: &[Inline], face: Face, width: f32, page: &PageContext<'_>) -> Self {
        let text = running_text(ui, line, face, width, page);
        Self { spoken: text.spoken, set: text.run.set(ui, width) }
    }

    /// As [`Self::new`], each of its rows in the middle.
    pub fn centred(
        ui: &Ui,
        line: &[Inline],
        face: Face,
        width: f32,
        page: &PageContext<'_>,
    ) -> Self {
        let text = running_text(ui, line, face, width, page);
        Self { spoken: text.spoken, set: text.run.set_centred(ui, width) }
    }

    /// In points.
    pub fn size(&self) -> Vec2 {
        vec2(self.set.width(), self.set.height())
    }

    /// With its corner at `at`.
    pub fn paint(&self, painter: &Painter, at: Pos2, theme: &Theme) {
        if painter.clip_rect().intersects(Rect::from_min_size(at, self.size())) {
            let origin = at - vec2(self.set.galley.rect.left(), 0.0);
            paint_pieces(painter, origin, &self.set, theme, |painter| {
                painter.galley(origin, self.set.galley.clone(), theme.ink);
            });
        }
    }
}

// From a lesson's inlines to running text.

/// Text ready to be set, and the links in it.
pub(super) struct Inlines<'a> {
    pub(super) run: TextRun,
    pub(super) links: Vec<(&'a str, &'a LinkTarget)>,
    /// What a screen reader says.
    pub(super) spoken: String,
}

/// Writes inlines with the page's present values; formulas get no wider than
/// `room` points.
pub(super) fn running_text<'a>(
    ui: &Ui,
    inlines: &'a [Inline],
    face: Face,
    room: f32,
    page: &PageContext<'_>,
) -> Inlines<'a> {
    let mut out = Inlines { run: TextRun::new(face), links: Vec::new(), spoken: String::new() };
    for inline in inlines {
        match inline {
            Inline::Text { text, strong, emphasis } => {
                out.run.words(text, *strong, *emphasis, face.color);
                out.spoken.push_str(text);
            }
            Inline::Code(text) => {
                out.run.code(text, page.theme.ink);
                out.spoken.push_str(text);
            }
            Inline::Math(tex) => {
                push_math(ui, &mut out.run, tex, face.color, room, page.theme.wrong);
                out.spoken.push_str(&spoken(tex));
            }
            Inline::Struck(text) => {
                out.run.struck(text, page.theme.quiet);
                let _ = write!(out.spoken, "struck out: {text}");
            }
            // Its mark stands before the item.
            Inline::Task(done) => out.spoken.push_str(if *done { "done: " } else { "to do: " }),
            Inline::Break => {
                out.run.line_break();
                out.spoken.push(' ');
            }
            Inline::Link { text, target } => {
                let words = link_words(text, target, page);
                let (color, strong) = links::color(target, face.color, page);
                let mark = matches!(target, LinkTarget::Set(_));
                out.run.link(out.links.len(), mark, |run| {
                    run.words(&words, strong, false, color);
                });
                out.links.push((text, target));
                out.spoken.push_str(&words);
            }
        }
    }
    out
}

/// TeX that can't be read stays as it is, in the colour of what is wrong; where it
/// is not known whether it can, in that of the text.
fn push_math(ui: &Ui, run: &mut TextRun, tex: &str, ink: Color32, room: f32, wrong: Color32) {
    match math::formula(ui.ctx(), tex, Setting::Inline) {
        Ok(formula) => run.math(formula, ink, room),
        Err(unset) => match &*unset {
            LayoutError::Wrong(_) => run.code(tex, wrong),
            LayoutError::Unknown => run.code(tex, ink),
        },
    }
}

/// What a link shows now: live numbers print their value. A number that has no
/// value keeps the words of the lesson.
fn link_words(text: &str, target: &LinkTarget, page: &PageContext<'_>) -> String {
    match target {
        LinkTarget::Param(name, format) => page_param(name, page.now())
            .map_or_else(|| text.to_owned(), |param| format.print(param.value)),
        LinkTarget::Value(expr, format, when) => expr
            .eval(links::numbers(*when, page))
            .map_or_else(|_| "—".to_owned(), |value| format.print(value)),
        _ => text.to_owned(),
    }
}
