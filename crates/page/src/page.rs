//! The open step: prose in a readable width, and a stage that stays visible.
//!
//! The layout depends on the width of the page alone, on every platform. A narrow page has the
//! layout of a phone, with `bench/sheet.rs` and `top_bar.rs`.

use bindpose_kit::icons;
use bindpose_kit::theme::{self, INTERFACE_SIZE, font};
use bindpose_kit::touch::{self, Pinch};
use bindpose_kit::widgets::{
    SkipTarget, Tip as _, Tone, arrive_by_skip_link, card, icon_button, icon_line, keep_undo,
    reveal_focus, text_button,
};
use bindpose_lesson::{Cell, CellKind, LessonBlock};
use bindpose_notebook::findings_here::StepFindings;
use bindpose_notebook::inventory::{Forms, InventoryForm};
use bindpose_notebook::{MAX_NOTE_CHARS, PageAddress};
use eframe::egui::{
    self, FontId, Frame, Id, Margin, Rect, RichText, ScrollArea, TextEdit, Ui, UiBuilder, pos2,
    vec2,
};

use super::cells::cell_ui;
use super::command::Command;
use super::prose::blocks_ui;
use super::stage::arrangement::{Arrangement, RoomMaker, divide_among_pictures};
use super::step_heading::{ReaderMarks, StepChanges};
use super::{PageContext, bench, diagnostic, inventory, presenter, shelf, stage, step_heading};
use crate::sway;
use crate::view::placed::{ProseScroll, Region};

/// Page width from which prose and stage are side by side, in points.
const MIN_TWO_COLUMN_WIDTH_PTS: f32 = 900.0;
/// The same width in a window that is much wider than high, where a viewport above the
/// prose would leave too little space for both.
const MIN_WIDE_TWO_COLUMN_WIDTH_PTS: f32 = 560.0;
/// Page width below which both columns are narrow, in points.
const MIN_REGULAR_WIDTH_PTS: f32 = 760.0;
/// Page width below which one column has the layout of a phone, in points: a low picture,
/// and the bench as a sheet.
const MAX_PHONE_COLUMN_WIDTH_PTS: f32 = 560.0;
/// Share of the pictures in the height of a phone's page.
const PHONE_PICTURE_SHARE: f32 = 0.37;
/// Minimum height of the pictures on a phone, in points.
const MIN_PHONE_PICTURE_HEIGHT_PTS: f32 = 118.0;
/// Height of a page of one column below which its pictures scroll, in points. Pinned
/// pictures would leave no space for the prose (WCAG 1.4.10, a window of 1280 × 1024 at
/// 400%).
const MIN_PINNED_HEIGHT_PTS: f32 = 340.0;
/// Minimum width of prose beside the stage, in points.
const MIN_PROSE_WIDTH_PTS: f32 = 340.0;
/// Maximum width of prose, in points.
const MAX_PROSE_WIDTH_PTS: f32 = 560.0;
/// Height of the line that counts the paragraphs, in points.
const PARAGRAPH_FOOT_HEIGHT_PTS: f32 = 30.0;
/// Margins on both sides of the prose together, in points.
const PROSE_SIDES_PTS: f32 = 56.0;
/// Minimum width of the column of prose in presenter mode, which favors the stage, in points.
const MIN_PRESENTED_WIDTH_PTS: f32 = 250.0;
/// Maximum width of the column of prose in presenter mode, in points.
const MAX_PRESENTED_WIDTH_PTS: f32 = 380.0;

/// Width of the prose while the bench is open, as a fraction of the page.
const BESIDE_BENCH_WIDTH: f32 = 0.22;
/// Minimum width of the prose while the bench is open, in points.
const MIN_BESIDE_BENCH_WIDTH_PTS: f32 = 270.0;
/// Margin below the prose, in points.
const PROSE_FOOT_PTS: i8 = 40;

/// Contents of the page besides the lesson: changes, findings, and ways on.
pub struct PageExtras<'a> {
    /// Differences from the step as its author meant it.
    pub changed: StepChanges,
    /// Findings in the text of the lesson.
    pub findings: StepFindings<'a>,
    /// Bookmark and note of the reader on the step.
    pub marks: ReaderMarks<'a>,
    /// Forms of the lesson's inventory.
    pub forms: Forms<'a>,
    /// Label of the button to the next page. `None` at the end.
    pub next: Option<String>,
    /// Label and address of a second way on: to the next essential step if another page
    /// is before it, or back to the route.
    pub other_way: Option<(String, PageAddress)>,
}

/// Draws prose and stage in the available space.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &PageExtras<'_>) {
    if let Some(open_form) = foot.forms.open {
        return inventory::ui(ui, page, open_form, &foot.forms);
    }
    sway::advance(ui, page);
    match sway::swayed_page(page) {
        Some((document, derived)) => step_ui(ui, &mut page.swayed(&document, &derived), foot),
        None => step_ui(ui, page, foot),
    }
}

fn step_ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &PageExtras<'_>) {
    let area = ui.available_rect_before_wrap();
    page.view.bench.replaces_prose = false;
    page.view.presenter.max_decimals =
        presenter::max_decimals(page.lesson, page.document.step, page.view.presenting);
    let is_wide =
        area.width() > 1.4 * area.height() && area.width() >= MIN_WIDE_TWO_COLUMN_WIDTH_PTS;
    let has_stage = stage::cells(page).next().is_some();
    let enlarged = stage::enlarged_cells(page);
    if !enlarged.is_empty() {
        stage::enlarge_ui(ui, &enlarged, page, area);
    } else if has_stage && (is_wide || area.width() >= MIN_TWO_COLUMN_WIDTH_PTS) {
        two_columns_ui(ui, page, foot, area);
    } else if area.width() < MAX_PHONE_COLUMN_WIDTH_PTS {
        let (above, sheet) = bench::sheet::split(page, area);
        one_column_ui(ui, page, foot, above, area.height());
        if let Some(sheet) = sheet {
            bench::sheet::ui(ui, page, sheet);
        }
    } else {
        let (above, below) = bench::split(page, area);
        one_column_ui(ui, page, foot, above, area.height());
        if let Some(below) = below {
            bench::ui(ui, page, below);
        }
    }
    let stage = page.view.item_rects.stage.unwrap_or(area);
    presenter::overlay_ui(ui, &mut page.view.presenter, page.theme, stage);
}

/// Draws prose on the left and the stage, which is larger, on the right.
fn two_columns_ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &PageExtras<'_>, area: Rect) {
    let presenting = page.view.presenting;
    if let Some((column, stage_column)) = bench::split_for_bench_column(page, area) {
        page.view.scroll.prose = ProseScroll::default();
        let mut left = stage::child(ui, column, "bench column");
        bench::column_ui(&mut left, page, column);
        paint_left_edge(ui, page, stage_column);
        let arrangement = stage::arrangement(page, stage_column.size());
        stage_column_ui(ui, page, stage_column, arrangement, None);
        return;
    }
    let regular_width = prose_width(area.width(), presenting);
    let narrow_width = regular_width.min(MIN_PROSE_WIDTH_PTS + PROSE_SIDES_PTS);
    // While the bench is open, it takes a part of the stage, and the arrangement does not
    // change the width of the prose.
    let arrangement_without_bench =
        (!page.view.bench.is_open).then(|| stage::arrangement(page, area.size()));
    let width = match arrangement_without_bench {
        None => {
            regular_width.min((area.width() * BESIDE_BENCH_WIDTH).max(MIN_BESIDE_BENCH_WIDTH_PTS))
        }
        Some(arrangement) if arrangement.makes_room => narrow_width,
        Some(_) => regular_width,
    };
    let (left, right) = area.split_left_right_at_x(area.left() + width);
    let is_by_paragraph = reading_progress(page).is_some();
    let foot_height = if is_by_paragraph { PARAGRAPH_FOOT_HEIGHT_PTS } else { 0.0 };
    let (prose, paragraph_foot) = left.split_top_bottom_at_y(left.bottom() - foot_height);
    let mut prose_ui = stage::child(ui, prose, "prose");
    prose_column_ui(&mut prose_ui, page, foot, None);
    if is_by_paragraph {
        paragraph_foot_ui(ui, page, paragraph_foot);
    }
    paint_left_edge(ui, page, right);
    let (above_bench, bench) = bench::split(page, right);
    let (stage_column, shelf_row) = shelf::split(page, above_bench);
    let arrangement =
        arrangement_without_bench.unwrap_or_else(|| stage::arrangement(page, stage_column.size()));
    let room_maker = if arrangement_without_bench.is_none() {
        None
    } else if presenting {
        Some(RoomMaker::FoldedCells)
    } else {
        (narrow_width < regular_width).then_some(RoomMaker::NarrowProse)
    };
    stage_column_ui(ui, page, stage_column, arrangement, room_maker);
    if let Some(row) = shelf_row {
        shelf::ui(ui, page, &row);
    }
    if let Some(bench) = bench {
        bench::ui(ui, page, bench);
    }
}

fn paint_left_edge(ui: &Ui, page: &PageContext<'_>, column: Rect) {
    let line = egui::Stroke::new(1.0, page.theme.rule);
    ui.painter().vline(column.left(), column.y_range(), line);
}

fn stage_column_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    column: Rect,
    arrangement: Arrangement,
    room_maker: Option<RoomMaker>,
) {
    let mut column_ui = stage::child(ui, column, "stage");
    arrive_by_skip_link(&column_ui, SkipTarget::Stage, &mut page.view.scroll.skip_to);
    stage::ui(&mut column_ui, page, arrangement, room_maker);
}

/// Width of the column of prose, including margins, on a page of this width.
fn prose_width(page_width: f32, presenting: bool) -> f32 {
    if presenting {
        (page_width * 0.275).clamp(MIN_PRESENTED_WIDTH_PTS, MAX_PRESENTED_WIDTH_PTS)
    } else if page_width >= MIN_REGULAR_WIDTH_PTS {
        (page_width * 0.36).clamp(MIN_PROSE_WIDTH_PTS, MAX_PROSE_WIDTH_PTS) + PROSE_SIDES_PTS
    } else {
        page_width * 0.47
    }
}

/// Draws the pinned pictures on top, and below them the prose and then the other cells.
/// `page_height` includes the bench.
fn one_column_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    foot: &PageExtras<'_>,
    area: Rect,
    page_height: f32,
) {
    let (pictures, rest): (Vec<&Cell>, Vec<&Cell>) =
        stage::cells(page).partition(|cell| cell.kind.draws_scene());
    if page_height < MIN_PINNED_HEIGHT_PTS {
        let cells = CellsInColumn { pictures: &pictures, rest: &rest };
        prose_column_ui(&mut stage::child(ui, area, "prose"), page, foot, Some(cells));
        return;
    }
    let height = if pictures.is_empty() {
        0.0
    } else if area.width() < MAX_PHONE_COLUMN_WIDTH_PTS {
        // A share of the whole page, so that it does not change when the sheet opens.
        (page_height * PHONE_PICTURE_SHARE)
            .max(MIN_PHONE_PICTURE_HEIGHT_PTS)
            .min(area.height() * 0.75)
    } else {
        (area.height() * 0.48).clamp(150.0, 440.0)
    };
    let (top, bottom) = area.split_top_bottom_at_y(area.top() + height);
    // A phone has the shelf in its sheet.
    let (above_shelf, shelf_row) = if pictures.is_empty() || page.view.bench.as_sheet {
        (top, None)
    } else {
        shelf::split(page, top)
    };
    let mut stage_ui = stage::child(ui, above_shelf, "stage");
    arrive_by_skip_link(&stage_ui, SkipTarget::Stage, &mut page.view.scroll.skip_to);
    let places = divide_among_pictures(above_shelf.shrink2(vec2(12.0, 8.0)), pictures.len());
    for (cell, place) in pictures.into_iter().zip(places) {
        stage::pinned(&mut stage_ui, cell, page, place);
    }
    if let Some(row) = shelf_row {
        shelf::ui(ui, page, &row);
    }
    let mut prose_ui = stage::child(ui, bottom, "prose");
    let cells = CellsInColumn { pictures: &[], rest: &rest };
    prose_column_ui(&mut prose_ui, page, foot, Some(cells));
}

/// Cells of the stage that scroll with the prose.
#[derive(Clone, Copy)]
struct CellsInColumn<'a> {
    /// Pictures before the prose, if none are pinned.
    pictures: &'a [&'a Cell],
    /// Other cells, after the prose.
    rest: &'a [&'a Cell],
}

/// Draws the scrolling column of prose, with the cells of the stage if it is the only
/// column.
fn prose_column_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    foot: &PageExtras<'_>,
    cells: Option<CellsInColumn<'_>>,
) {
    page.view.item_rects.begin_region(Region::Prose, ui.max_rect());
    arrive_by_skip_link(ui, SkipTarget::Text, &mut page.view.scroll.skip_to);
    let previous = page.view.scroll.prose;
    let mut is_scrolled_by_code = true;
    let mut scroll = ScrollArea::vertical()
        .id_salt((&page.document.lesson, page.document.step))
        .auto_shrink([false, false]);
    if std::mem::take(&mut page.view.scroll.to_top) {
        scroll = scroll.vertical_scroll_offset(0.0);
    } else if let Some(offset) = page.view.scroll.prose.target_offset.take() {
        scroll = scroll.vertical_scroll_offset(offset);
    } else {
        is_scrolled_by_code = false;
    }
    let mut prose_height = 0.0;
    let page_height = ui.max_rect().height();
    let scrolled = scroll.show(ui, |ui| {
        let available_width = ui.available_width();
        let side_margin = if available_width > 440.0 { 28 } else { 14 };
        // A single column is centered on the page.
        let centering_indent =
            ((available_width - MAX_PROSE_WIDTH_PTS) / 2.0 - f32::from(side_margin)).max(0.0);
        let indent = if cells.is_some() { centering_indent } else { 0.0 };
        let available = ui.available_rect_before_wrap();
        let column = available.with_min_x(available.left() + indent);
        ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
            Frame::NONE
                .inner_margin(Margin {
                    left: side_margin,
                    right: side_margin,
                    top: if available_width < MAX_PHONE_COLUMN_WIDTH_PTS { 12 } else { 24 },
                    bottom: PROSE_FOOT_PTS,
                })
                .show(ui, |ui| {
                    ui.set_max_width(ui.available_width().min(MAX_PROSE_WIDTH_PTS));
                    let lesson = page.lesson;
                    for &cell in cells.map_or(&[][..], |cells| cells.pictures) {
                        cell_ui(ui, cell, page, 0.6 * page_height);
                        ui.add_space(12.0);
                    }
                    if !page.view.presenting {
                        diagnostic::above_step_ui(ui, &foot.findings, page.theme);
                    }
                    if let Some(step) = lesson.steps.get(page.document.step) {
                        step_heading::ui(ui, page, step, foot.marks, &foot.changed);
                        own_note_ui(ui, foot.marks.note, page);
                    }
                    let is_complete = step_prose_ui(ui, page);
                    prose_height = ui.cursor().top() - column.top();
                    for &cell in cells.map_or(&[][..], |cells| cells.rest) {
                        ui.add_space(12.0);
                        cell_ui(ui, cell, page, 320.0);
                    }
                    if is_complete && !page.view.presenting {
                        ui.add_space(20.0);
                        if page.document.step == 0 {
                            inventory::entrance(ui, InventoryForm::Before, &foot.forms, page);
                        }
                        if page.document.step + 1 == lesson.steps.len() {
                            inventory::entrance(ui, InventoryForm::After, &foot.forms, page);
                        }
                        ways_on_ui(ui, page, foot);
                    }
                });
        });
        reveal_focus(ui);
    });
    page.view.scroll.prose = ProseScroll {
        column: (scrolled.inner_rect.width(), prose_height),
        ..ProseScroll::from_output(&scrolled, f32::from(PROSE_FOOT_PTS))
    };
    match touch::pinch(ui, scrolled.inner_rect, &mut page.view.scroll.pinch_zoom) {
        Some(Pinch::Out) => page.requests.commands.push(Command::ZoomIn),
        Some(Pinch::In) => page.requests.commands.push(Command::ZoomOut),
        None => {}
    }
    // Another width has other line breaks. Scrolls so that the text that was at the top
    // is there again.
    let (width, height) = previous.column;
    if !is_scrolled_by_code && height > 0.0 && (width - scrolled.inner_rect.width()).abs() > 1.0 {
        page.view.scroll.prose.target_offset = Some(previous.above / height * prose_height);
        ui.ctx().request_discard("the lines of the prose are others");
    }
}

/// Draws the prose of the open step, up to the current paragraph. Returns true if that is
/// all of it.
fn step_prose_ui(ui: &mut Ui, page: &mut PageContext<'_>) -> bool {
    let parts = presenter::prose_blocks(page.lesson, page.document.step);
    let Some(progress) = reading_progress(page) else {
        let mut is_first = true;
        for blocks in parts.into_iter().filter(|blocks| !blocks.is_empty()) {
            if !is_first {
                ui.add_space(6.0);
            }
            is_first = false;
            prose_ui(ui, blocks, page);
        }
        return true;
    };
    let read_theme = page.theme.read();
    let mut paragraph_count = 0;
    for (index, blocks) in parts.into_iter().enumerate() {
        for range in presenter::group_paragraphs(blocks) {
            paragraph_count += 1;
            if paragraph_count > progress.shown_count {
                return false;
            }
            let is_read = paragraph_count < progress.shown_count;
            let drawn = ui.push_id((index, range.start), |ui| {
                if is_read {
                    prose_ui(ui, &blocks[range], &mut page.in_theme(&read_theme));
                } else {
                    prose_ui(ui, &blocks[range], page);
                }
            });
            if !is_read && std::mem::take(&mut page.view.presenter.reading.scrolls_to_last) {
                drawn.response.scroll_to_me(None);
            }
            ui.add_space(12.0);
        }
    }
    true
}

/// Returns how much of the prose is shown, or `None` if all of it is shown at once.
fn reading_progress(page: &mut PageContext<'_>) -> Option<ReadingProgress> {
    let by_paragraph = page.view.presenter.by_paragraph;
    if !by_paragraph.unwrap_or(page.view.presenting) {
        return None;
    }
    let lesson = page.lesson;
    let step = page.document.step;
    let shown_count = page.view.presenter.reading.shown(&lesson.slug, step);
    let total_count = presenter::count_paragraphs(lesson, step);
    (total_count > 1)
        .then(|| ReadingProgress { shown_count: shown_count.min(total_count), total_count })
}

/// Number of paragraphs that are shown, and of all paragraphs.
struct ReadingProgress {
    shown_count: usize,
    total_count: usize,
}

/// Draws the line `paragraph 2 of 3 · space: next`, if prose is shown by paragraph.
fn paragraph_foot_ui(ui: &mut Ui, page: &mut PageContext<'_>, rect: Rect) {
    let Some(ReadingProgress { shown_count, total_count }) = reading_progress(page) else {
        return;
    };
    let mut line = stage::child(ui, rect.shrink2(vec2(14.0, 0.0)), "paragraphs");
    line.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        let has_key = shown_count < total_count && !touch::is_touch_active(ui.ctx());
        let key_hint = if has_key { " · space: next" } else { "" };
        let text = format!("paragraph {shown_count} of {total_count}{key_hint}");
        // Smaller than captions, so that it fits on one line in a narrow column.
        ui.label(RichText::new(text).size(theme::FINE_SIZE).color(page.theme.quiet));
        if shown_count < total_count {
            let all = RichText::new("· all").size(theme::FINE_SIZE).color(page.theme.accent);
            let hint = Command::Paragraphs.hint(ui.ctx(), None);
            if ui.add(egui::Link::new(all)).tip(hint).clicked() {
                page.requests.commands.push(Command::Paragraphs);
            }
        }
    });
}

fn prose_ui(ui: &mut Ui, blocks: &[LessonBlock], page: &mut PageContext<'_>) {
    blocks_ui(ui, blocks, page, &mut |ui, cell, page| {
        ui.add_space(4.0);
        let top_left = ui.cursor().min;
        let width = ui.available_width();
        cell_ui(ui, cell, page, 300.0);
        if matches!(cell.kind, CellKind::Picture(_)) {
            let bottom_right = pos2(top_left.x + width, ui.cursor().top());
            stage::enlarge_button(ui, cell, page, Rect::from_min_max(top_left, bottom_right));
        }
        ui.add_space(8.0);
    });
}

/// Draws the ways on below the prose, where the reader is after reading a step.
fn ways_on_ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &PageExtras<'_>) {
    if let Some((label, address)) = &foot.other_way
        && text_button(ui, label, page.theme).clicked()
    {
        page.requests.go_to(address.clone());
    }
    next_ui(ui, page, foot);
}

fn next_ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &PageExtras<'_>) {
    let Some(label) = &foot.next else {
        return;
    };
    let parts = [
        (label.as_str(), 0.0, font::strong(INTERFACE_SIZE)),
        (icons::ARROW_RIGHT, 6.0, font::icon(INTERFACE_SIZE)),
    ];
    let mut job = icon_line(parts, page.theme.accent);
    job.wrap.max_width = ui.available_width() - 24.0;
    // Aligns the text with the prose, and its padding to the left of it.
    let padding = ui.spacing().button_padding.x;
    let response = ui
        .horizontal(|ui| {
            ui.add_space(-padding);
            ui.add(egui::Button::new(job).frame_when_inactive(false))
        })
        .inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label));
    if response.clicked() {
        page.requests.commands.push(Command::Next);
    }
    let changed = &foot.changed;
    if changed.can_carry_on && !changed.changes.is_empty() && step_heading::carry_on(ui) {
        page.requests.commands.push(Command::CarryOn);
    }
}

// The reader's own note on a step: a text field that is hidden while it is empty.

/// Minimum height of the field, in lines.
const MIN_NOTE_LINES: usize = 3;
const NOTE_HINT: &str = if cfg!(target_arch = "wasm32") {
    "Kept in this browser as you type. The search finds it, and your record has it."
} else {
    "Kept on this machine as you type. The search finds it, and your record has it."
};

/// Draws the field of the reader's note, if it is open.
pub fn own_note_ui(ui: &mut Ui, note: &str, page: &mut PageContext<'_>) {
    if !page.view.note.is_shown(note, page.view.presenting) {
        return;
    }
    let theme = page.theme;
    card(ui, theme, Tone::Task, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            ui.label(theme.caption("Your note"));
            if icon_button(ui, icons::X, "fold your note away", true) {
                page.requests.commands.push(Command::OwnNote);
            }
        });
        let mut text = note.to_owned();
        // An id for each step, so that undo does not restore the note of another step.
        let id = Id::unique("own note").with((&page.document.lesson, page.document.step));
        let edit = TextEdit::multiline(&mut text)
            .id(id)
            .hint_text(NOTE_HINT)
            .font(FontId::proportional(INTERFACE_SIZE))
            .desired_rows(MIN_NOTE_LINES)
            .desired_width(f32::INFINITY)
            .char_limit(MAX_NOTE_CHARS);
        let response = ui.add(edit).accessible_name("your note on this step");
        if response.has_focus() {
            keep_undo(ui, id);
        }
        if std::mem::take(&mut page.view.note.takes_focus) {
            response.request_focus();
            response.scroll_to_me(None);
        }
        if response.changed() {
            page.view.note.new_text = Some(text);
        }
    });
    ui.add_space(12.0);
}
