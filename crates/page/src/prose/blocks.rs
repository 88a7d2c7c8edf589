//! Blocks below each other: headings, paragraphs, lists, quotes and cards, with the space
//! between them.

use bindpose_diagnostic::Diagnostic;
use bindpose_kit::theme::{
    BODY_SIZE, CAPTION_SIZE, INTERFACE_SIZE, LINE_HEIGHT, SMALL_SIZE, Theme,
};
use bindpose_kit::typeset::{Face, MEASURE};
use bindpose_kit::{code, math};
use bindpose_lesson::{Cell, Inline, LessonBlock, inlines_of};
use eframe::egui::{
    self, CornerRadius, FontId, Margin, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};

use super::paragraph;
use super::program;
use super::symbols;
use super::table;
use crate::{PageContext, diagnostic};

/// Gap between paragraphs, in points.
const PARAGRAPH_GAP: f32 = 12.0;
/// Gap around formulas, listings, tables and cells, in points.
const FIGURE_GAP: f32 = 16.0;
/// Gap above a heading, in points.
const HEADING_GAP_ABOVE: f32 = 28.0;
/// Gap below a heading, in points.
const HEADING_GAP_BELOW: f32 = 6.0;
/// Gap between list items of single paragraphs, in points.
const TIGHT_ITEM_GAP: f32 = 6.0;

/// Draws a live cell.
pub(super) type CellUi<'c> = dyn FnMut(&mut Ui, &Cell, &mut PageContext<'_>) + 'c;

/// Draws blocks from top to bottom in the available width. Text is no wider than
/// [`MEASURE`]. Interaction with the blocks becomes edits of `page`. `cell_ui` draws the
/// cells between the prose.
pub fn blocks_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    page: &mut PageContext<'_>,
    cell_ui: &mut dyn FnMut(&mut Ui, &Cell, &mut PageContext<'_>),
) {
    let spacing = ui.spacing().item_spacing;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(spacing.x, 0.0);
        sequence_ui(ui, blocks, Face::body(page.theme), page, &mut |ui, cell, page| {
            ui.spacing_mut().item_spacing = spacing;
            cell_ui(ui, cell, page);
        });
    });
}

/// Draws the blocks of a cell's text in the available width.
pub(super) fn text_blocks_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    face: Face,
    page: &mut PageContext<'_>,
) {
    let spacing = ui.spacing().item_spacing;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(spacing.x, 0.0);
        sequence_ui(ui, blocks, face, page, &mut |_, _, _| {});
    });
}

/// Draws blocks below each other in the typeface of their surroundings.
fn sequence_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    let mut previous: Option<&LessonBlock> = None;
    for (index, block) in blocks.iter().enumerate() {
        if let Some(previous) = previous {
            ui.add_space(gap_between(previous, block));
        }
        ui.push_id(index, |ui| block_ui(ui, block, face, page, cell_ui));
        previous = Some(block);
    }
}

fn gap_between(above: &LessonBlock, below: &LessonBlock) -> f32 {
    match (above, below) {
        (_, LessonBlock::Heading { .. }) => HEADING_GAP_ABOVE,
        (LessonBlock::Heading { .. }, below) if is_text(below) => HEADING_GAP_BELOW,
        (LessonBlock::Heading { .. }, _) => PARAGRAPH_GAP,
        (above, below) if !is_text(above) || !is_text(below) => FIGURE_GAP,
        (LessonBlock::Paragraph(_), LessonBlock::List { .. }) => TIGHT_ITEM_GAP + 2.0,
        _ => PARAGRAPH_GAP,
    }
}

fn is_text(block: &LessonBlock) -> bool {
    matches!(
        block,
        LessonBlock::Paragraph(_) | LessonBlock::List { .. } | LessonBlock::Heading { .. }
    )
}

fn block_ui(
    ui: &mut Ui,
    block: &LessonBlock,
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    match block {
        LessonBlock::Cell(cell) => {
            ui.scope(|ui| cell_ui(ui, cell, page));
        }
        LessonBlock::Table { header, right, rows } => {
            table::table_ui(ui, header, right, rows, page);
        }
        _ => {
            let width = ui.available_width().min(MEASURE);
            let layout = egui::Layout::top_down(egui::Align::Min);
            let start = ui.cursor().min;
            let rect = Rect::from_min_size(start, vec2(width, f32::INFINITY));
            let builder = UiBuilder::new().max_rect(rect).layout(layout);
            ui.scope_builder(builder, |ui| text_block_ui(ui, block, face, page, cell_ui));
        }
    }
}

/// Draws a block that is no wider than [`MEASURE`].
fn text_block_ui(
    ui: &mut Ui,
    block: &LessonBlock,
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    match block {
        LessonBlock::Heading { level, inlines } => heading_ui(ui, *level, inlines, page),
        LessonBlock::Paragraph(inlines) => {
            paragraph::inlines_ui(ui, inlines, face, page);
        }
        LessonBlock::List { first, items } => list_ui(ui, *first, items, face, page, cell_ui),
        LessonBlock::Quote(blocks) => quote_ui(ui, blocks, face, page, cell_ui),
        LessonBlock::Code { language, name, text } => {
            if let Some(name) = name {
                program::program_ui(ui, language, name, text, page);
            } else {
                let lit_line = program::lit_line(text, page);
                code::listing_ui(ui, language, text, lit_line, page.theme);
            }
        }
        LessonBlock::Math(tex) => {
            let id = ui.scope_id();
            math::display_ui(ui, tex, page.theme, &mut |ui, formula, origin, em| {
                let mut behind = Vec::new();
                symbols::symbols_ui(ui, id, formula, origin, em, page, &mut behind);
                ui.painter().extend(behind);
            });
        }
        LessonBlock::Rule => rule_ui(ui, page.theme),
        LessonBlock::Broken(index) => {
            let lesson = page.lesson;
            if let Some(finding) = lesson.findings.get(*index) {
                broken_block_ui(ui, finding, page);
            }
        }
        LessonBlock::Cell(_) | LessonBlock::Table { .. } => {}
    }
}

fn heading_ui(ui: &mut Ui, level: u8, inlines: &[Inline], page: &mut PageContext<'_>) {
    let (size, color) = match level {
        0..=3 => (19.0, page.theme.ink),
        4 => (BODY_SIZE, page.theme.ink),
        _ => (SMALL_SIZE, page.theme.quiet),
    };
    let face = Face { size, line: (size * 1.35).round(), color, strong: true };
    let response = paragraph::inlines_ui(ui, inlines, face, page);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Heading);
        node.set_level(usize::from(level));
        if let Some(text) = node.value().map(str::to_owned) {
            node.set_label(text);
            node.clear_value();
        }
    });
}

fn list_ui(
    ui: &mut Ui,
    first: Option<u64>,
    items: &[Vec<LessonBlock>],
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    let last = first.map(|first| first.saturating_add(items.len() as u64));
    let digits = last.map_or(0, |last| last.to_string().len());
    let indent = face.size * (1.375 + 0.65 * digits.saturating_sub(1) as f32);
    let is_tight = items.iter().all(|item| matches!(item[..], [] | [LessonBlock::Paragraph(_)]));
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            ui.add_space(if is_tight { TIGHT_ITEM_GAP } else { PARAGRAPH_GAP });
        }
        let start = ui.cursor().min;
        match item.first() {
            Some(LessonBlock::Paragraph(inlines))
                if let [Inline::Task(is_done), ..] = inlines[..] =>
            {
                let center_y = start.y + face.ascent() - 0.345 * face.size;
                let center = pos2(start.x + 0.6 * face.size, center_y);
                paint_task_mark(ui, center, 0.42 * face.size, is_done, page.theme);
            }
            _ => paint_marker(
                ui,
                first.map(|first| first.saturating_add(index as u64)),
                start,
                indent,
                face,
                page.theme,
            ),
        }
        let item_rect = Rect::from_min_max(
            pos2(start.x + indent, start.y),
            pos2(start.x + ui.available_width().max(indent + 16.0), f32::INFINITY),
        );
        ui.scope_builder(UiBuilder::new().max_rect(item_rect).id_salt(index), |ui| {
            sequence_ui(ui, item, face, page, cell_ui);
        });
    }
}

/// Paints a bullet, or a number right-aligned before the indented text.
fn paint_marker(
    ui: &Ui,
    number: Option<u64>,
    start: egui::Pos2,
    indent: f32,
    face: Face,
    theme: &Theme,
) {
    let baseline = start.y + face.ascent();
    if let Some(number) = number {
        let font = FontId::proportional(face.size);
        let galley = ui.painter().layout_no_wrap(format!("{number}."), font, theme.quiet);
        let ascent =
            galley.rows.first().and_then(|row| Some(row.glyphs.first()?.pos.y)).unwrap_or_default();
        let right = start.x + indent - 0.45 * face.size;
        let corner = pos2(right - galley.size().x, baseline - ascent);
        ui.painter().galley(corner, galley, theme.quiet);
    } else {
        let center = pos2(start.x + 0.55 * face.size, baseline - 0.345 * face.size);
        ui.painter().circle_filled(center, 0.15 * face.size, theme.quiet);
    }
}

/// Paints a check box, with a tick if the task is done.
fn paint_task_mark(ui: &Ui, center: egui::Pos2, half_size: f32, is_done: bool, theme: &Theme) {
    let square = Rect::from_center_size(center, vec2(2.0 * half_size, 2.0 * half_size));
    let edge = Stroke::new(1.25, theme.quiet);
    let painter = ui.painter();
    painter.rect_stroke(square, 2.5, edge, egui::StrokeKind::Inside);
    if is_done {
        let tick = [vec2(-0.55, 0.0), vec2(-0.15, 0.45), vec2(0.6, -0.5)];
        let points = tick.map(|offset| center + offset * half_size).to_vec();
        painter.line(points, Stroke::new(1.75, theme.right));
    }
}

fn quote_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    let face =
        Face { size: face.size - 1.0, line: ((face.size - 1.0) * LINE_HEIGHT).round(), ..face };
    let width = ui.available_width();
    let response = egui::Frame::new()
        .fill(page.theme.panel)
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin { left: 19, right: 16, top: 11, bottom: 12 })
        .show(ui, |ui| {
            ui.set_width((width - 35.0).max(0.0));
            sequence_ui(ui, blocks, face, page, cell_ui);
        })
        .response;
    let bar = Rect::from_min_size(response.rect.min, vec2(3.0, response.rect.height()));
    let round = CornerRadius { nw: 8, sw: 8, ..CornerRadius::ZERO };
    ui.painter().rect_filled(bar, round, page.theme.accent);
}

fn rule_ui(ui: &mut Ui, theme: &Theme) {
    let size = vec2(ui.available_width(), 9.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let line = Stroke::new(1.0, theme.rule);
    ui.painter().hline(rect.x_range(), rect.center().y.floor(), line);
}

/// Draws a card in place of a block that could not be parsed: where, what is wrong, and
/// what to write.
fn broken_block_ui(ui: &mut Ui, finding: &Diagnostic, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let color = diagnostic::severity_color(theme, finding.severity);
    let place = finding.at.to_string();
    let sentence = finding.sentence();
    let width = ui.available_width();
    let response = egui::Frame::new()
        .fill(theme.wrong_wash)
        .stroke(Stroke::new(1.0, color))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(14, 10))
        .show(ui, |ui| {
            ui.set_width((width - 30.0).max(0.0));
            ui.spacing_mut().item_spacing.y = 4.0;
            let place = egui::RichText::new(&place).font(FontId::monospace(CAPTION_SIZE));
            ui.label(place.color(color));
            let face = Face { size: INTERFACE_SIZE, line: 21.0, color: theme.ink, strong: true };
            paragraph::inlines_ui(ui, &inlines_of(&sentence), face, page);
            if !finding.help.is_empty() {
                let face = Face { strong: false, ..face };
                paragraph::inlines_ui(ui, &inlines_of(&finding.help), face, page);
            }
        })
        .response;
    response.widget_info(|| {
        let text = format!("{place}: {sentence}. {}", finding.help);
        WidgetInfo::labeled(Role::Alert, true, text)
    });
}
