//! Paragraphs: from a lesson's inlines to running text, its links, and the decoration
//! behind and over it. Also the texts of cells, in a layout or for a painter.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_kit::math::{self, Setting, spoken_formula};
use bindpose_kit::theme::Theme;
use bindpose_kit::typeset::{Face, ParagraphPiece, PieceSpot, TextRun, Typeset};
use bindpose_kit::widgets::Emphasis;
use bindpose_lesson::significant_digits::USUAL_DECIMALS;
use bindpose_lesson::{Inline, LayoutError, LinkTarget, NumberFormat, Text};
use bindpose_notebook::page_state::page_param;
use eframe::egui::{Color32, Painter, Pos2, Response, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use super::blocks::text_blocks_ui;
use super::links;
use super::symbols;
use crate::PageContext;

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
        typeset.paint_selectable(ui, &response, origin, page.theme, behind);
    }
    response
}

/// Text can be selected with the mouse. On touch screens a drag scrolls instead.
fn text_sense(ui: &Ui) -> Sense {
    if ui.input(|input| input.has_touch_screen()) {
        Sense::hover()
    } else {
        Sense::click_and_drag() - Sense::FOCUSABLE
    }
}

// Texts of cells.

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
        self.typeset.paint(painter, at, theme);
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

/// Formats a computed number. In presenter mode it has as many decimals as matrices have; the
/// author’s choice of more than usual stays.
fn print_computed(value: f64, format: &NumberFormat, page: &PageContext<'_>) -> String {
    let decimals = page.view.presenter.limit_decimals(format.decimals);
    if decimals == format.decimals || format.decimals > USUAL_DECIMALS {
        return format.print(value);
    }
    NumberFormat { decimals, ..format.clone() }.print(value)
}

/// Returns the current text of a link. Numbers show their value, or the text of the
/// lesson if there is no such parameter.
fn link_text(text: &str, target: &LinkTarget, page: &PageContext<'_>) -> String {
    match target {
        LinkTarget::Param(name, format) => page_param(name, page.page_state())
            .map_or_else(|| text.to_owned(), |param| format.print(param.value)),
        LinkTarget::Value(expr, format, when) => expr
            .eval(links::values_at(*when, page))
            .map_or_else(|_| "—".to_owned(), |value| print_computed(value, format, page)),
        _ => text.to_owned(),
    }
}
