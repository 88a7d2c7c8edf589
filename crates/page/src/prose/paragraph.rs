//! Paragraphs: from a lesson's inlines to running text, its links, and the decoration
//! behind and over it. Also the texts of cells, in a layout or for a painter.

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
use crate::math::{self, Setting, spoken_formula};
use crate::theme::{LINE, Theme};
use crate::widgets::Emphasis;

/// Draws running text with live links in the available width. Returns the response of the
/// whole text.
pub fn inlines_ui(
    ui: &mut Ui,
    inlines: &[Inline],
    face: Face,
    page: &mut PageContext<'_>,
) -> Response {
    let width = ui.available_width();
    aligned_ui(ui, inlines, face, width, 0.0, page)
}

/// Draws running text in `width` points. Shorter text is moved by the fraction `align` of
/// the remaining space: 0 is left, 1 is right.
pub(super) fn aligned_ui(
    ui: &mut Ui,
    inlines: &[Inline],
    face: Face,
    width: f32,
    align: f32,
    page: &mut PageContext<'_>,
) -> Response {
    let text = running_text(ui, inlines, face, width, page);
    let typeset = text.run.lay_out(ui, width);
    let size = vec2(typeset.width().max(width), typeset.height());
    let (rect, response) = ui.allocate_exact_size(size, text_sense(ui));
    let origin = rect.min + vec2((size.x - typeset.width()) * align, 0.0);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text.spoken));
    // The links are added after the text, so that they get the pointer, and before it is
    // painted, so that they can paint behind it.
    let mut behind = Vec::new();
    for (piece, spots) in &typeset.pieces {
        if let ParagraphPiece::Link(index) = piece
            && let Some(&(label, target)) = text.links.get(*index)
        {
            let spots: Vec<PieceSpot> = spots.iter().map(|spot| spot.at(origin)).collect();
            let id = response.id.with(("link", index));
            links::link_ui(ui, id, &spots, face, label, target, page, &mut behind);
        }
    }
    if ui.is_rect_visible(rect) {
        for (index, (piece, spots)) in typeset.pieces.iter().enumerate() {
            if let ParagraphPiece::Math { formula, em, .. } = piece {
                for spot in spots {
                    let spot = spot.at(origin);
                    let baseline = Pos2::new(spot.rect.left(), spot.baseline);
                    let id = response.id.with(("formula", index));
                    symbols::symbols_ui(ui, id, formula, baseline, *em, page, &mut behind);
                }
            }
        }
        for (piece, spots) in &typeset.pieces {
            if let ParagraphPiece::Mark(index) = piece
                && let Some(&(_, target)) = text.links.get(*index)
            {
                for spot in spots {
                    behind.push(links::settings_mark(&spot.at(origin), face, target, page));
                }
            }
        }
        paint_text(ui, &response, origin, &typeset, page.theme, behind);
    }
    response
}

impl PieceSpot {
    /// Moves the spot to a text whose corner is at `origin`.
    pub(super) fn at(&self, origin: Pos2) -> Self {
        Self { rect: self.rect.translate(origin.to_vec2()), baseline: self.baseline + origin.y }
    }

    /// Rectangle around the letters, which is lower than the row.
    pub(super) fn around_letters(&self, size: f32) -> Rect {
        Rect::from_x_y_ranges(
            self.rect.x_range(),
            self.baseline - 0.98 * size..=self.baseline + 0.32 * size,
        )
    }
}

/// Text can be selected with the mouse. On touch screens a drag scrolls instead.
fn text_sense(ui: &Ui) -> Sense {
    if ui.input(|input| input.has_touch_screen()) {
        Sense::hover()
    } else {
        Sense::click_and_drag() - Sense::FOCUSABLE
    }
}

/// Paints the panels of code, the shapes behind links, the selectable text and the
/// formulas, with the corner of the text at `origin`.
fn paint_text(
    ui: &Ui,
    response: &Response,
    origin: Pos2,
    typeset: &Typeset,
    theme: &Theme,
    behind: Vec<Shape>,
) {
    paint_pieces(ui.painter(), origin, typeset, theme, |painter| {
        painter.extend(behind);
        LabelSelectionState::label_text_selection(
            ui,
            response,
            origin,
            typeset.galley.clone(),
            theme.ink,
            Stroke::NONE,
        );
    });
}

/// Paints the panels of code, then the text by `paint_galley`, then strikethroughs and
/// formulas.
fn paint_pieces(
    painter: &Painter,
    origin: Pos2,
    typeset: &Typeset,
    theme: &Theme,
    paint_galley: impl FnOnce(&Painter),
) {
    for (piece, spot) in typeset.spots_at(origin) {
        if matches!(piece, ParagraphPiece::Code) {
            let size = spot.rect.height().min(24.0) * (2.0 / 3.0);
            let panel = spot.around_letters(size).expand2(vec2(3.0, 0.5));
            painter.rect_filled(panel, 4.0, code_background(theme));
        }
    }
    paint_galley(painter);
    for (piece, spot) in typeset.spots_at(origin) {
        if matches!(piece, ParagraphPiece::Struck) {
            let y = (spot.baseline - 0.17 * spot.rect.height().min(24.0)).round();
            painter.hline(spot.rect.x_range(), y, Stroke::new(1.0, theme.quiet));
        }
        if let ParagraphPiece::Math { formula, em, color } = piece {
            let baseline = Pos2::new(spot.rect.left(), spot.baseline);
            formula.paint(painter, baseline, *em, *color);
        }
    }
}

impl Typeset {
    /// Returns every piece with each of its spots, for a text whose corner is at `origin`.
    fn spots_at(&self, origin: Pos2) -> impl Iterator<Item = (&ParagraphPiece, PieceSpot)> {
        self.pieces
            .iter()
            .flat_map(move |(piece, spots)| spots.iter().map(move |spot| (piece, spot.at(origin))))
    }
}

/// The panel color, slightly stronger, because a small area needs more contrast.
fn code_background(theme: &Theme) -> Color32 {
    theme.panel.lerp_to_gamma(theme.rule, 0.5)
}

// Texts of cells.

impl Face {
    /// Typeface of a text in a cell. `size` is in points.
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

/// Draws a text in the available width.
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

/// Draws a text of one line, no wider than its contents.
pub fn line_ui(ui: &mut Ui, text: &Text, face: Face, page: &mut PageContext<'_>) -> Response {
    let max_width = ui.available_width().max(40.0);
    let line = text.line();
    let natural = running_text(ui, line, face, max_width, page).run.lay_out(ui, max_width);
    aligned_ui(ui, line, face, natural.width().ceil().min(max_width), 0.0, page)
}

/// A line for a painter: its layout and its text for screen readers.
pub struct PaintedLine {
    typeset: Arc<Typeset>,
    /// Text for screen readers.
    pub spoken: String,
}

impl PaintedLine {
    /// Lays out a line in rows of at most `width` points.
    pub fn new(ui: &Ui, line: &[Inline], face: Face, width: f32, page: &PageContext<'_>) -> Self {
        let text = running_text(ui, line, face, width, page);
        Self { spoken: text.spoken, typeset: text.run.lay_out(ui, width) }
    }

    /// Lays out a line in centered rows of at most `width` points.
    pub fn centred(
        ui: &Ui,
        line: &[Inline],
        face: Face,
        width: f32,
        page: &PageContext<'_>,
    ) -> Self {
        let text = running_text(ui, line, face, width, page);
        Self { spoken: text.spoken, typeset: text.run.lay_out_centered(ui, width) }
    }

    /// Size of the laid out line, in points.
    pub fn size(&self) -> Vec2 {
        vec2(self.typeset.width(), self.typeset.height())
    }

    /// Paints the line with its corner at `at`.
    pub fn paint(&self, painter: &Painter, at: Pos2, theme: &Theme) {
        if painter.clip_rect().intersects(Rect::from_min_size(at, self.size())) {
            let origin = at - vec2(self.typeset.galley.rect.left(), 0.0);
            paint_pieces(painter, origin, &self.typeset, theme, |painter| {
                painter.galley(origin, self.typeset.galley.clone(), theme.ink);
            });
        }
    }
}

// Conversion of a lesson's inlines to running text.

/// Text that is ready to be laid out, and the links in it.
pub(super) struct RunningText<'a> {
    pub(super) run: TextRun,
    pub(super) links: Vec<(&'a str, &'a LinkTarget)>,
    /// Text for screen readers.
    pub(super) spoken: String,
}

/// Converts inlines to running text with the current values of the page. Formulas are
/// scaled down to at most `max_width` points.
pub(super) fn running_text<'a>(
    ui: &Ui,
    inlines: &'a [Inline],
    face: Face,
    max_width: f32,
    page: &PageContext<'_>,
) -> RunningText<'a> {
    let mut running =
        RunningText { run: TextRun::new(face), links: Vec::new(), spoken: String::new() };
    for inline in inlines {
        match inline {
            Inline::Text { text, strong, emphasis } => {
                running.run.push_text(text, *strong, *emphasis, face.color);
                running.spoken.push_str(text);
            }
            Inline::Code(text) => {
                running.run.push_code(text, page.theme.ink);
                running.spoken.push_str(text);
            }
            Inline::Math(tex) => {
                push_math(ui, &mut running.run, tex, face.color, max_width, page.theme.wrong);
                running.spoken.push_str(&spoken_formula(tex));
            }
            Inline::Struck(text) => {
                running.run.push_struck(text, page.theme.quiet);
                let _ = write!(running.spoken, "struck out: {text}");
            }
            // The check box is painted before the item.
            Inline::Task(is_done) => {
                running.spoken.push_str(if *is_done { "done: " } else { "to do: " });
            }
            Inline::Break => {
                running.run.push_line_break();
                running.spoken.push(' ');
            }
            Inline::Link { text, target } => {
                let label = link_text(text, target, page);
                let (color, is_strong) = links::link_style(target, face.color, page);
                let has_mark = matches!(target, LinkTarget::Set(_));
                let index = running.links.len();
                running.run.push_link(index, has_mark, &label, is_strong, color);
                running.links.push((text, target));
                running.spoken.push_str(&label);
            }
        }
    }
    running
}

/// Appends a formula. TeX that cannot be parsed is shown as it is in the error color, or
/// in the text color if the layout engine is not loaded.
fn push_math(ui: &Ui, run: &mut TextRun, tex: &str, ink: Color32, max_width: f32, wrong: Color32) {
    match math::cached_formula(ui.ctx(), tex, Setting::Inline) {
        Ok(formula) => run.push_math(formula, ink, max_width),
        Err(error) => match &*error {
            LayoutError::Wrong(_) => run.push_code(tex, wrong),
            LayoutError::Unknown => run.push_code(tex, ink),
        },
    }
}

/// Returns the current text of a link. Numbers show their value, or the text of the
/// lesson if there is no such parameter.
fn link_text(text: &str, target: &LinkTarget, page: &PageContext<'_>) -> String {
    match target {
        LinkTarget::Param(name, format) => page_param(name, page.now())
            .map_or_else(|| text.to_owned(), |param| format.print(param.value)),
        LinkTarget::Value(expr, format, when) => expr
            .eval(links::values_at(*when, page))
            .map_or_else(|_| "—".to_owned(), |value| format.print(value)),
        _ => text.to_owned(),
    }
}
