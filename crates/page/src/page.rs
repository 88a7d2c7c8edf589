//! The open step: prose at a readable measure, and a stage that stays in view.

use bindpose_lesson::{Cell, CellKind, LessonBlock};
use bindpose_notebook::findings_here::StepFindings;
use bindpose_notebook::inventory::{Forms, InventoryForm};
use bindpose_notebook::{MAX_NOTE_CHARS, Navigation, PageAddress};
use eframe::egui::{
    self, FontId, Frame, Id, Margin, Rect, RichText, ScrollArea, TextEdit, Ui, UiBuilder, pos2,
    vec2,
};

use super::cells::cell_ui;
use super::command::Command;
use super::prose::blocks_ui;
use super::stage::arrangement::{Arrangement, share};
use super::stage::placed::{ProseInView, Region};
use super::step_heading::{ChangedStep, Put};
use super::theme::{self, INTERFACE, font};
use super::widgets::{Tone, card, icon_button, keep_undo, text_button};
use super::{PageContext, bench, diagnostic, icons, inventory, presenter, stage, step_heading};
use crate::sway;
use crate::touch;
use crate::widgets::{SkipTarget, Tip as _, arrive_by_skip_link, icon_line, reveal_focus};

/// From this width on, prose and stage stand side by side.
const TWO_COLUMNS: f32 = 900.0;
/// In a window that is much wider than high, from this width on: there a
/// viewport above the prose would leave too little of both.
const TWO_COLUMNS_WIDE: f32 = 560.0;
/// Under this width, both columns are narrow.
const NARROW: f32 = 760.0;
/// Under this width, one column is that of a phone: a low picture, and the bench as
/// a sheet.
pub const PHONE: f32 = 560.0;
/// Share of a phone's page that the pictures have, and their least height.
const PHONE_PICTURES: (f32, f32) = (0.37, 118.0);
/// A page of one column that is lower scrolls with its pictures: pinned, they would
/// leave the prose no room (WCAG 1.4.10, a window of 1280 × 1024 at 400%).
const PINNED: f32 = 340.0;
/// Widest and narrowest prose beside the stage.
const PROSE: (f32, f32) = (340.0, 560.0);
/// Height of the line that says how far the prose has come.
const PARAGRAPH_FOOT: f32 = 30.0;
/// Room on both sides of it.
const SIDES: f32 = 56.0;
/// Narrowest and widest column of prose in presenter mode, where the stage comes
/// first.
const PRESENTED: (f32, f32) = (250.0, 380.0);

/// Width of the prose while the bench is open, of the page, and its least.
const BESIDE_BENCH: f32 = 0.22;
const LEAST_BESIDE_BENCH: f32 = 270.0;
/// Room below it.
const PROSE_FOOT: i8 = 40;

/// What the page says beside the lesson: what is changed, and what comes next.
pub struct PageFoot<'a> {
    /// What differs here from how the step was meant.
    pub changed: ChangedStep,
    /// What is wrong with the text of the lesson.
    pub findings: StepFindings<'a>,
    /// What the reader has put on the step.
    pub put: Put<'a>,
    /// The forms of the lesson’s inventory.
    pub forms: Forms<'a>,
    /// What comes next, in words; `None` at the end.
    pub next: Option<String>,
    /// A second way on, in words: to the next essential step where another page comes first,
    /// or back to the route.
    pub other_way: Option<(String, PageAddress)>,
    /// Where a request for the next step is put.
    pub commands: &'a mut Vec<Command>,
}

/// Shows prose and stage in what is left of the window.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>) {
    if let Some(open) = foot.forms.open {
        return inventory::ui(ui, page, open, &foot.forms);
    }
    sway::advance(ui, page);
    match sway::swayed(page) {
        Some((document, derived)) => step_ui(ui, &mut page.swayed(&document, &derived), foot),
        None => step_ui(ui, page, foot),
    }
}

fn step_ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>) {
    let area = ui.available_rect_before_wrap();
    page.view.bench.for_prose = false;
    let wide = area.width() > 1.4 * area.height() && area.width() >= TWO_COLUMNS_WIDE;
    let staged = stage::cells(page).next().is_some();
    let enlarged = stage::enlarged_cells(page);
    if !enlarged.is_empty() {
        stage::enlarge_ui(ui, &enlarged, page, area);
    } else if staged && (wide || area.width() >= TWO_COLUMNS) {
        two_columns(ui, page, foot, area);
    } else if area.width() < PHONE {
        let (above, sheet) = bench::sheet::split(page, area);
        one_column(ui, page, foot, (above, area.height()));
        if let Some(sheet) = sheet {
            bench::sheet::ui(ui, page, sheet);
        }
    } else {
        let (above, below) = bench::split(page, area);
        one_column(ui, page, foot, (above, area.height()));
        if let Some(below) = below {
            bench::ui(ui, page, below);
        }
    }
    let stage = page.view.placed.stage.unwrap_or(area);
    presenter::over_stage_ui(ui, &mut page.view.presenter, page.theme, stage);
}

/// Prose on the left; the stage, which has the larger share, on the right.
fn two_columns(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>, area: Rect) {
    let presenting = page.view.presenting;
    if let Some((column, right)) = bench::in_place_of_prose(page, area) {
        page.view.scroll.prose = ProseInView::default();
        let mut left = stage::child(ui, column, "bench column");
        bench::in_column(&mut left, page, column);
        edge(ui, page, right);
        let arrangement = stage::arrangement(page, right.size());
        stage_column(ui, page, right, (arrangement, false));
        return;
    }
    let usual = prose_width(area.width(), presenting);
    let narrow = usual.min(PROSE.0 + SIDES);
    let may_narrow = !presenting && narrow < usual;
    // The bench takes a part of the stage, however the prose stands.
    let whole = (!page.view.bench.open).then(|| stage::arrangement(page, area.size()));
    let width = match whole {
        None => usual.min((area.width() * BESIDE_BENCH).max(LEAST_BESIDE_BENCH)),
        Some(arrangement) if arrangement.narrow_prose => narrow,
        Some(_) => usual,
    };
    let (left, right) = area.split_left_right_at_x(area.left() + width);
    let by_paragraph = read_so_far(page).is_some();
    let foot_height = if by_paragraph { PARAGRAPH_FOOT } else { 0.0 };
    let (above, below) = left.split_top_bottom_at_y(left.bottom() - foot_height);
    let mut prose = stage::child(ui, above, "prose");
    prose_column(&mut prose, page, foot, None);
    if by_paragraph {
        paragraph_foot(ui, page, foot, below);
    }
    edge(ui, page, right);
    let (right, below) = bench::split(page, right);
    let arrangement = whole.unwrap_or_else(|| stage::arrangement(page, right.size()));
    let may_narrow = may_narrow && whole.is_some();
    stage_column(ui, page, right, (arrangement, may_narrow));
    if let Some(below) = below {
        bench::ui(ui, page, below);
    }
}

/// The line at the left edge of the column of the stage.
fn edge(ui: &Ui, page: &PageContext<'_>, column: Rect) {
    let line = egui::Stroke::new(1.0, page.theme.rule);
    ui.painter().vline(column.left(), column.y_range(), line);
}

/// The stage in its column.
fn stage_column(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    column: Rect,
    (arrangement, may_narrow): (Arrangement, bool),
) {
    let mut column = stage::child(ui, column, "stage");
    arrive_by_skip_link(&column, SkipTarget::Stage, &mut page.view.scroll.skip_to);
    stage::ui(&mut column, page, arrangement, may_narrow);
}

/// Of the column, margins included, on a page of this width.
fn prose_width(area: f32, presenting: bool) -> f32 {
    if presenting {
        (area * 0.275).clamp(PRESENTED.0, PRESENTED.1)
    } else if area >= NARROW {
        (area * 0.36).clamp(PROSE.0, PROSE.1) + SIDES
    } else {
        area * 0.47
    }
}

/// The viewport on top, always in view; below it prose, then the other cells.
/// `whole`: how high the page is, the bench included.
fn one_column(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    foot: &mut PageFoot<'_>,
    (area, whole): (Rect, f32),
) {
    let (viewports, rest): (Vec<&Cell>, Vec<&Cell>) =
        stage::cells(page).partition(|cell| cell.kind.draws_scene());
    if whole < PINNED {
        let cells = CellsBelow { pictures: &viewports, rest: &rest };
        return prose_column(&mut stage::child(ui, area, "prose"), page, foot, Some(cells));
    }
    let phone = area.width() < PHONE;
    let height = if viewports.is_empty() {
        0.0
    } else if phone {
        // Of the whole page, so that it stays as it is when the sheet opens.
        let (share, least) = PHONE_PICTURES;
        (whole * share).max(least).min(area.height() * 0.75)
    } else {
        (area.height() * 0.48).clamp(150.0, 440.0)
    };
    let (top, bottom) = area.split_top_bottom_at_y(area.top() + height);
    let mut pictures = stage::child(ui, top, "stage");
    arrive_by_skip_link(&pictures, SkipTarget::Stage, &mut page.view.scroll.skip_to);
    let places = share(top.shrink2(vec2(12.0, 8.0)), viewports.len());
    for (cell, place) in viewports.into_iter().zip(places) {
        stage::pinned(&mut pictures, cell, page, place);
    }
    let mut prose = stage::child(ui, bottom, "prose");
    prose_column(&mut prose, page, foot, Some(CellsBelow { pictures: &[], rest: &rest }));
}

/// Cells of the stage that scroll with the prose.
#[derive(Clone, Copy)]
struct CellsBelow<'a> {
    /// Before the prose, where none is pinned.
    pictures: &'a [&'a Cell],
    /// After it.
    rest: &'a [&'a Cell],
}

/// Scrolls on its own.
fn prose_column(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    foot: &mut PageFoot<'_>,
    cells: Option<CellsBelow<'_>>,
) {
    page.view.placed.enter(Region::Prose, ui.max_rect());
    arrive_by_skip_link(ui, SkipTarget::Text, &mut page.view.scroll.skip_to);
    let before = page.view.scroll.prose;
    let mut put = true;
    let mut scroll = ScrollArea::vertical()
        .id_salt((&page.document.lesson, page.document.step))
        .auto_shrink([false, false]);
    if std::mem::take(&mut page.view.scroll.to_top) {
        scroll = scroll.vertical_scroll_offset(0.0);
    } else if let Some(to) = page.view.scroll.prose.to.take() {
        scroll = scroll.vertical_scroll_offset(to);
    } else {
        put = false;
    }
    let mut prose_height = 0.0;
    let page_height = ui.max_rect().height();
    let shown = scroll.show(ui, |ui| {
        let wide = ui.available_width();
        let side = if wide > 440.0 { 28 } else { 14 };
        // Alone on the page, the column stands in its middle.
        let middle = ((wide - PROSE.1) / 2.0 - f32::from(side)).max(0.0);
        let indent = if cells.is_some() { middle } else { 0.0 };
        let room = ui.available_rect_before_wrap();
        let room = room.with_min_x(room.left() + indent);
        ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
            Frame::NONE
                .inner_margin(Margin {
                    left: side,
                    right: side,
                    top: if wide < PHONE { 12 } else { 24 },
                    bottom: PROSE_FOOT,
                })
                .show(ui, |ui| {
                    ui.set_max_width(ui.available_width().min(PROSE.1));
                    let lesson = page.lesson;
                    for &cell in cells.map_or(&[][..], |cells| cells.pictures) {
                        cell_ui(ui, cell, page, 0.6 * page_height);
                        ui.add_space(12.0);
                    }
                    if !page.view.presenting {
                        diagnostic::above_step_ui(ui, &foot.findings, page.theme);
                    }
                    if let Some(step) = lesson.steps.get(page.document.step) {
                        let heading = (foot.put, &foot.changed);
                        step_heading::ui(ui, page, step, heading, foot.commands);
                        own_note_ui(ui, foot.put.note, page, foot.commands);
                    }
                    let whole = step_prose(ui, page);
                    prose_height = ui.cursor().top() - room.top();
                    for &cell in cells.map_or(&[][..], |cells| cells.rest) {
                        ui.add_space(12.0);
                        cell_ui(ui, cell, page, 320.0);
                    }
                    if whole && !page.view.presenting {
                        ui.add_space(20.0);
                        if page.document.step == 0 {
                            inventory::entrance(ui, InventoryForm::Before, &foot.forms, page);
                        }
                        if page.document.step + 1 == lesson.steps.len() {
                            inventory::entrance(ui, InventoryForm::After, &foot.forms, page);
                        }
                        turn_page(ui, page, foot);
                    }
                });
        });
        reveal_focus(ui);
    });
    page.view.scroll.prose = ProseInView {
        column: (shown.inner_rect.width(), prose_height),
        ..ProseInView::of(&shown, f32::from(PROSE_FOOT))
    };
    touch::pinch(ui, shown.inner_rect, &mut page.view.scroll.pinched, foot.commands);
    // Another width has other lines: what was at the top is there again.
    let (width, height) = before.column;
    if !put && height > 0.0 && (width - shown.inner_rect.width()).abs() > 1.0 {
        page.view.scroll.prose.to = Some(before.above / height * prose_height);
        ui.ctx().request_discard("the lines of the prose are others");
    }
}

/// The prose of the open step, as far as it has come. True when all of it has.
fn step_prose(ui: &mut Ui, page: &mut PageContext<'_>) -> bool {
    let (lesson, step) = (page.lesson, page.document.step);
    let parts = presenter::large_prose(lesson, step);
    let Some((shown, _)) = read_so_far(page) else {
        let mut first = true;
        for blocks in parts.into_iter().filter(|blocks| !blocks.is_empty()) {
            if !std::mem::take(&mut first) {
                ui.add_space(6.0);
            }
            prose(ui, blocks, page);
        }
        return true;
    };
    let quiet = page.theme.read();
    let mut before = 0;
    for (index, blocks) in parts.into_iter().enumerate() {
        for part in presenter::paragraphs(blocks) {
            before += 1;
            if before > shown {
                return false;
            }
            let read = before < shown;
            let drawn = ui.push_id((index, part.start), |ui| {
                if read {
                    prose(ui, &blocks[part], &mut page.in_theme(&quiet));
                } else {
                    prose(ui, &blocks[part], page);
                }
            });
            if !read && std::mem::take(&mut page.view.presenter.reading.came) {
                drawn.response.scroll_to_me(None);
            }
            ui.add_space(12.0);
        }
    }
    true
}

/// How many paragraphs have come, of how many; absent where all stand at once.
fn read_so_far(page: &mut PageContext<'_>) -> Option<(usize, usize)> {
    let by_paragraph = page.view.presenter.by_paragraph;
    if !by_paragraph.unwrap_or(page.view.presenting) {
        return None;
    }
    let (lesson, step) = (page.lesson, page.document.step);
    let least = presenter::least_paragraph(lesson, step);
    let reading = &mut page.view.presenter.reading;
    let shown = reading.shown(&lesson.slug, step, least);
    let all = presenter::count_paragraphs(lesson, step);
    Some((shown.min(all), all)).filter(|_| all > 1)
}

/// `paragraph 2 of 3 · space: next`, where prose comes so.
fn paragraph_foot(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>, rect: Rect) {
    let Some((shown, all)) = read_so_far(page) else {
        return;
    };
    let mut line = stage::child(ui, rect.shrink2(vec2(14.0, 0.0)), "paragraphs");
    line.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        // Smaller than captions: it has one line in a narrow column.
        let fine = |words: &str, color| RichText::new(words).size(theme::FINE).color(color);
        let by_key = shown < all && !touch::is_at_work(ui.ctx());
        let more = if by_key { " · space: next" } else { "" };
        let words = format!("paragraph {shown} of {all}{more}");
        ui.label(fine(&words, page.theme.quiet));
        if shown < all {
            let link = egui::Link::new(fine("· all", page.theme.accent));
            let hint = Command::Paragraphs.hint(ui.ctx(), None);
            if ui.add(link).tip(hint).clicked() {
                foot.commands.push(Command::Paragraphs);
            }
        }
    });
}

fn prose(ui: &mut Ui, blocks: &[LessonBlock], page: &mut PageContext<'_>) {
    blocks_ui(ui, blocks, page, &mut |ui, cell, page| {
        ui.add_space(4.0);
        let from = ui.cursor().min;
        let width = ui.available_width();
        cell_ui(ui, cell, page, 300.0);
        if matches!(cell.kind, CellKind::Picture(_)) {
            let to = pos2(from.x + width, ui.cursor().top());
            stage::enlarge_button(ui, cell, page, Rect::from_min_max(from, to));
        }
        ui.add_space(8.0);
    });
}

/// At the foot of the prose, where the eye is when a step has been read.
fn turn_page(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>) {
    if let Some((words, address)) = &foot.other_way
        && text_button(ui, words, page.theme).clicked()
    {
        page.navigation.push(Navigation::Go(address.clone()));
    }
    next_ui(ui, page, foot);
}

fn next_ui(ui: &mut Ui, page: &PageContext<'_>, foot: &mut PageFoot<'_>) {
    let Some(words) = &foot.next else {
        return;
    };
    let parts = [
        (words.as_str(), 0.0, font::strong(INTERFACE)),
        (icons::ARROW_RIGHT, 6.0, font::icon(INTERFACE)),
    ];
    let mut job = icon_line(parts, page.theme.accent);
    job.wrap.max_width = ui.available_width() - 24.0;
    // Its words stand under the prose, the room around them to the left of it.
    let inset = ui.spacing().button_padding.x;
    let response = ui
        .horizontal(|ui| {
            ui.add_space(-inset);
            ui.add(egui::Button::new(job).frame_when_inactive(false))
        })
        .inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words));
    if response.clicked() {
        foot.commands.push(Command::Next);
    }
    let changed = &foot.changed;
    if changed.leads_on && !changed.changes.is_empty() && step_heading::carry_on(ui) {
        foot.commands.push(Command::CarryOn);
    }
}

// The reader's own note on a step: a field for plain text, out of the way where
// nothing is written.

/// Lines that the field has at least.
const LINES: usize = 3;
const HINT: &str = if cfg!(target_arch = "wasm32") {
    "Kept in this browser as you type. The search finds it, and your record has it."
} else {
    "Kept on this machine as you type. The search finds it, and your record has it."
};

/// Shows the field, if it is open.
pub fn own_note_ui(
    ui: &mut Ui,
    note: &str,
    page: &mut PageContext<'_>,
    commands: &mut Vec<Command>,
) {
    if !page.view.note.is_shown(note, page.view.presenting) {
        return;
    }
    let theme = page.theme;
    card(ui, theme, Tone::Task, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            ui.label(theme.caption("Your note"));
            if icon_button(ui, icons::X, "fold your note away", true) {
                commands.push(Command::OwnNote);
            }
        });
        let mut text = note.to_owned();
        // Its undo is of this step alone.
        let id = Id::unique("own note").with((&page.document.lesson, page.document.step));
        let edit = TextEdit::multiline(&mut text)
            .id(id)
            .hint_text(HINT)
            .font(FontId::proportional(INTERFACE))
            .desired_rows(LINES)
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
            page.view.note.written = Some(text);
        }
    });
    ui.add_space(12.0);
}
