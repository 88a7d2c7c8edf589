//! Blocks below each other: headings, paragraphs, lists, quotes, cards, with
//! the room that belongs between them.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Cell, Inline, LessonBlock, inlines_of};
use eframe::egui::{
    self, CornerRadius, FontId, Margin, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};

use super::paragraph;
use super::symbols;
use super::table;
use super::typeset::{Face, MEASURE};
use crate::theme::{BODY, CAPTION, INTERFACE, LINE, SMALL, Theme};
use crate::{PageContext, code, diagnostic, math};

/// Between paragraphs.
const GAP: f32 = 12.0;
/// Around what is not text: formulas, listings, tables, cells.
const GAP_AROUND: f32 = 16.0;
/// Above a heading.
const GAP_ABOVE_HEADING: f32 = 28.0;
/// Below a heading.
const GAP_BELOW_HEADING: f32 = 6.0;
/// Between the items of a list of single paragraphs.
const GAP_ITEMS: f32 = 6.0;

/// What draws a live cell.
pub(super) type CellUi<'c> = dyn FnMut(&mut Ui, &Cell, &mut PageContext<'_>) + 'c;

/// Draws blocks from top to bottom in the available width; text keeps to
/// [`MEASURE`]. Everything in them is live: what the reader does becomes edits
/// of `page`. `cell_ui` draws the cells that stand between the prose.
pub fn blocks_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    page: &mut PageContext<'_>,
    cell_ui: &mut dyn FnMut(&mut Ui, &Cell, &mut PageContext<'_>),
) {
    let spacing = ui.spacing().item_spacing;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(spacing.x, 0.0);
        let mut cell_ui = |ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>| {
            ui.spacing_mut().item_spacing = spacing;
            cell_ui(ui, cell, page);
        };
        run_ui(ui, blocks, Face::body(page.theme), page, &mut cell_ui);
    });
}

/// The blocks of a cell's text, in the width that is left.
pub(super) fn text_blocks_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    face: Face,
    page: &mut PageContext<'_>,
) {
    let spacing = ui.spacing().item_spacing;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(spacing.x, 0.0);
        run_ui(ui, blocks, face, page, &mut |_, _, _| {});
    });
}

/// Blocks in the type of the surroundings.
fn run_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    let mut before: Option<&LessonBlock> = None;
    for (index, block) in blocks.iter().enumerate() {
        if let Some(before) = before {
            ui.add_space(gap(before, block));
        }
        ui.push_id(index, |ui| block_ui(ui, block, face, page, cell_ui));
        before = Some(block);
    }
}

fn gap(above: &LessonBlock, below: &LessonBlock) -> f32 {
    let open = |block: &LessonBlock| {
        !matches!(
            block,
            LessonBlock::Paragraph(_) | LessonBlock::List { .. } | LessonBlock::Heading { .. }
        )
    };
    match (above, below) {
        (_, LessonBlock::Heading { .. }) => GAP_ABOVE_HEADING,
        (LessonBlock::Heading { .. }, below) if !open(below) => GAP_BELOW_HEADING,
        (LessonBlock::Heading { .. }, _) => GAP,
        (above, below) if open(above) || open(below) => GAP_AROUND,
        (LessonBlock::Paragraph(_), LessonBlock::List { .. }) => GAP_ITEMS + 2.0,
        _ => GAP,
    }
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
            let below = egui::Layout::top_down(egui::Align::Min);
            let start = ui.cursor().min;
            let room = Rect::from_min_size(start, vec2(width, f32::INFINITY));
            let builder = UiBuilder::new().max_rect(room).layout(below);
            ui.scope_builder(builder, |ui| text_ui(ui, block, face, page, cell_ui));
        }
    }
}

/// What keeps to the measure.
fn text_ui(
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
        LessonBlock::Code { language, name, text } => match name {
            Some(name) => code::program_ui(ui, language, name, text, page),
            None => code::listing_ui(ui, language, text, page.theme),
        },
        LessonBlock::Math(tex) => {
            let id = ui.scope_id();
            math::display_ui(ui, tex, page.theme, &mut |ui, formula, origin, em| {
                let mut behind = Vec::new();
                symbols::symbols_ui(ui, id, formula, (origin, em), page, &mut behind);
                ui.painter().extend(behind);
            });
        }
        LessonBlock::Rule => rule_ui(ui, page.theme),
        LessonBlock::Broken(index) => {
            let lesson = page.lesson;
            if let Some(finding) = lesson.findings.get(*index) {
                card(ui, finding, page);
            }
        }
        LessonBlock::Cell(_) | LessonBlock::Table { .. } => {}
    }
}

fn heading_ui(ui: &mut Ui, level: u8, inlines: &[Inline], page: &mut PageContext<'_>) {
    let (size, color) = match level {
        0..=3 => (19.0, page.theme.ink),
        4 => (BODY, page.theme.ink),
        _ => (SMALL, page.theme.quiet),
    };
    let face = Face { size, line: (size * 1.35).round(), color, strong: true };
    let response = paragraph::inlines_ui(ui, inlines, face, page);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Heading);
        node.set_level(usize::from(level));
        if let Some(words) = node.value().map(str::to_owned) {
            node.set_label(words);
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
    let tight = items.iter().all(|item| matches!(item[..], [] | [LessonBlock::Paragraph(_)]));
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            ui.add_space(if tight { GAP_ITEMS } else { GAP });
        }
        let start = ui.cursor().min;
        match item.first() {
            Some(LessonBlock::Paragraph(inlines)) if let [Inline::Task(done), ..] = inlines[..] => {
                let middle = start.y + face.ascent() - 0.345 * face.size;
                let at = pos2(start.x + 0.6 * face.size, middle);
                task_mark(ui, at, 0.42 * face.size, done, page.theme);
            }
            _ => marker(
                ui,
                first.map(|first| first.saturating_add(index as u64)),
                start,
                indent,
                face,
                page.theme,
            ),
        }
        let room = Rect::from_min_max(
            pos2(start.x + indent, start.y),
            pos2(start.x + ui.available_width().max(indent + 16.0), f32::INFINITY),
        );
        ui.scope_builder(UiBuilder::new().max_rect(room).id_salt(index), |ui| {
            run_ui(ui, item, face, page, cell_ui);
        });
    }
}

/// A bullet or a number, right-aligned before the indented text.
fn marker(ui: &Ui, number: Option<u64>, start: egui::Pos2, indent: f32, face: Face, theme: &Theme) {
    let baseline = start.y + face.ascent();
    if let Some(number) = number {
        let font = FontId::proportional(face.size);
        let galley = ui.painter().layout_no_wrap(format!("{number}."), font, theme.quiet);
        let ascent =
            galley.rows.first().and_then(|row| Some(row.glyphs.first()?.pos.y)).unwrap_or_default();
        let right = start.x + indent - 0.45 * face.size;
        let at = pos2(right - galley.size().x, baseline - ascent);
        ui.painter().galley(at, galley, theme.quiet);
    } else {
        let at = pos2(start.x + 0.55 * face.size, baseline - 0.345 * face.size);
        ui.painter().circle_filled(at, 0.15 * face.size, theme.quiet);
    }
}

/// A box, with a tick in it for what is done.
fn task_mark(ui: &Ui, at: egui::Pos2, half: f32, done: bool, theme: &Theme) {
    let square = Rect::from_center_size(at, vec2(2.0 * half, 2.0 * half));
    let edge = Stroke::new(1.25, theme.quiet);
    let painter = ui.painter();
    painter.rect_stroke(square, 2.5, edge, egui::StrokeKind::Inside);
    if done {
        let corner = |x: f32, y: f32| at + vec2(x, y) * half;
        let tick = vec![corner(-0.55, 0.0), corner(-0.15, 0.45), corner(0.6, -0.5)];
        painter.line(tick, Stroke::new(1.75, theme.right));
    }
}

fn quote_ui(
    ui: &mut Ui,
    blocks: &[LessonBlock],
    face: Face,
    page: &mut PageContext<'_>,
    cell_ui: &mut CellUi<'_>,
) {
    let face = Face { size: face.size - 1.0, line: ((face.size - 1.0) * LINE).round(), ..face };
    let width = ui.available_width();
    let response = egui::Frame::new()
        .fill(page.theme.panel)
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin { left: 19, right: 16, top: 11, bottom: 12 })
        .show(ui, |ui| {
            ui.set_width((width - 35.0).max(0.0));
            run_ui(ui, blocks, face, page, cell_ui);
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

/// A card in the place of what could not be read: where, what, and what to
/// write.
fn card(ui: &mut Ui, wrong: &Diagnostic, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let color = diagnostic::color(theme, wrong.severity);
    let (place, sentence) = (wrong.at.to_string(), wrong.sentence());
    let width = ui.available_width();
    let response = egui::Frame::new()
        .fill(theme.wrong_wash)
        .stroke(Stroke::new(1.0, color))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(14, 10))
        .show(ui, |ui| {
            ui.set_width((width - 30.0).max(0.0));
            ui.spacing_mut().item_spacing.y = 4.0;
            let line = |strong| Face { size: INTERFACE, line: 21.0, color: theme.ink, strong };
            let place = egui::RichText::new(&place).font(FontId::monospace(CAPTION));
            ui.label(place.color(color));
            paragraph::inlines_ui(ui, &inlines_of(&sentence), line(true), page);
            if !wrong.help.is_empty() {
                paragraph::inlines_ui(ui, &inlines_of(&wrong.help), line(false), page);
            }
        })
        .response;
    response.widget_info(|| {
        let text = format!("{place}: {sentence}. {}", wrong.help);
        WidgetInfo::labeled(Role::Alert, true, text)
    });
}
