//! The open step: prose at a readable measure, and a stage that stays in view.

use eframe::egui::{self, Frame, Margin, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::cells::cell_ui;
use super::change_chip::{self, Changed};
use super::command::Command;
use super::prose::blocks_ui;
use super::theme::{self, INTERFACE, family, font};
use super::{PageContext, bench, icons};
use crate::diagnostic::Severity;
use crate::lesson::{Block, Cell, Step};
use crate::ui::widgets::icon_line;

/// From this width on, prose and stage stand side by side.
const TWO_COLUMNS: f32 = 900.0;
/// In a window that is much wider than high, from this width on: there a
/// viewport above the prose would leave too little of both.
const TWO_COLUMNS_WIDE: f32 = 560.0;
/// Under this width, both columns are narrow.
const NARROW: f32 = 760.0;
/// Widest and narrowest prose beside the stage.
const PROSE: (f32, f32) = (340.0, 560.0);

/// What the page says beside the lesson: what is changed, and what comes next.
pub struct PageFoot<'a> {
    /// What differs here from how the step was meant.
    pub changed: Changed,
    /// Title of the lesson after this one; `None` at the end.
    pub next_lesson: Option<&'a str>,
    /// Where a request for the next step is put.
    pub commands: &'a mut Vec<Command>,
}

/// Shows prose and stage in what is left of the window.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>) {
    let area = ui.available_rect_before_wrap();
    let key = (page.document.lesson.clone(), page.document.step);
    let wide = area.width() > 1.4 * area.height() && area.width() >= TWO_COLUMNS_WIDE;
    let staged = stage_cells(page).next().is_some();
    if staged && (wide || area.width() >= TWO_COLUMNS) {
        let width = if area.width() >= NARROW {
            let share = if page.view.bench.open { 0.2 } else { 0.36 };
            let least = if page.view.bench.open { 220.0 } else { PROSE.0 };
            (area.width() * share).clamp(least, PROSE.1) + 56.0
        } else {
            area.width() * 0.47
        };
        let (left, right) = area.split_left_right_at_x(area.left() + width);
        let mut prose = child(ui, left, "prose");
        prose_column(&mut prose, page, foot, None);
        ui.painter().vline(
            right.left(),
            area.y_range(),
            egui::Stroke::new(1.0, page.theme.rule),
        );
        let right = bench::show_below(ui, page, right);
        let mut stage = child(ui, right, "stage");
        stage_column(&mut stage, page, &key);
    } else {
        let area = bench::show_below(ui, page, area);
        one_column(ui, page, foot, area);
    }
}

fn child(ui: &mut Ui, rect: Rect, salt: &str) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(salt));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}

/// The viewport on top, always in view; below it prose, then the other cells.
fn one_column(ui: &mut Ui, page: &mut PageContext<'_>, foot: &mut PageFoot<'_>, area: Rect) {
    let (viewports, rest): (Vec<&Cell>, Vec<&Cell>) =
        stage_cells(page).partition(|cell| cell.kind.is_picture());
    let height = if viewports.is_empty() {
        0.0
    } else {
        (area.height() * 0.48).clamp(150.0, 440.0)
    };
    let (top, bottom) = area.split_top_bottom_at_y(area.top() + height);
    let mut picture = child(ui, top.shrink2(vec2(12.0, 8.0)), "stage");
    let each = (height - 16.0) / viewports.len() as f32;
    // In a very low window, pictures side by side need more than there is.
    ScrollArea::vertical()
        .id_salt("pictures")
        .show(&mut picture, |ui| {
            for cell in viewports {
                cell_ui(ui, cell, page, each);
            }
        });
    let mut prose = child(ui, bottom, "prose");
    prose_column(&mut prose, page, foot, Some(&rest));
}

/// Scrolls on its own. With `cells`, they stand after the prose.
fn prose_column(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    foot: &mut PageFoot<'_>,
    cells: Option<&[&Cell]>,
) {
    let mut scroll = ScrollArea::vertical()
        .id_salt((&page.document.lesson, page.document.step))
        .auto_shrink([false, false]);
    if std::mem::take(&mut page.view.scroll_to_top) {
        scroll = scroll.vertical_scroll_offset(0.0);
    }
    scroll.show(ui, |ui| {
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
                    top: 24,
                    bottom: 40,
                })
                .show(ui, |ui| {
                    ui.set_max_width(ui.available_width().min(PROSE.1));
                    let lesson = page.lesson;
                    findings(ui, page);
                    if let Some(step) = lesson.steps.get(page.document.step) {
                        heading(ui, page, step);
                        change_chip::ui(ui, &foot.changed, page, foot.commands);
                        if page.document.step == 0 {
                            prose(ui, &lesson.intro, page);
                            ui.add_space(6.0);
                        }
                        prose(ui, &step.blocks, page);
                    } else {
                        prose(ui, &lesson.intro, page);
                    }
                    for &cell in cells.unwrap_or_default() {
                        ui.add_space(12.0);
                        cell_ui(ui, cell, page, 320.0);
                    }
                    ui.add_space(20.0);
                    turn_page(ui, page, foot);
                });
        });
    });
}

/// What is wrong with the lesson's file and has no place of its own on the page.
fn findings(ui: &mut Ui, page: &PageContext<'_>) {
    let lesson = page.lesson;
    let steps = lesson.steps.iter().flat_map(|step| &step.blocks);
    let in_place: Vec<usize> = lesson
        .intro
        .iter()
        .chain(steps)
        .filter_map(|block| match block {
            Block::Broken(finding) => Some(*finding),
            _ => None,
        })
        .collect();
    let elsewhere = lesson
        .findings
        .iter()
        .enumerate()
        .filter(|(index, finding)| {
            finding.severity == Severity::Error && !in_place.contains(index)
        });
    let words: Vec<String> = elsewhere.map(|(_, finding)| finding.to_string()).collect();
    if words.is_empty() {
        return;
    }
    Frame::NONE
        .fill(page.theme.wrong_wash)
        .corner_radius(6.0)
        .inner_margin(Margin::same(12))
        .show(ui, |ui| {
            ui.label(RichText::new("This lesson’s file has mistakes").family(family::strong()));
            for finding in words {
                ui.label(RichText::new(finding).size(theme::SMALL));
            }
        });
    ui.add_space(12.0);
}

fn heading(ui: &mut Ui, page: &PageContext<'_>, step: &Step) {
    let (now, all) = (page.document.step + 1, page.lesson.steps.len());
    let about = if now == 1 {
        format!(
            "Step 1 of {all} · about {} minutes in all",
            page.lesson.minutes
        )
    } else {
        format!("Step {now} of {all}")
    };
    ui.label(page.theme.caption(about));
    ui.add_space(4.0);
    let title = RichText::new(&step.title)
        .family(family::strong())
        .size(theme::TITLE);
    let response = ui.add(egui::Label::new(title).wrap());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &step.title));
}

fn prose(ui: &mut Ui, blocks: &[Block], page: &mut PageContext<'_>) {
    blocks_ui(ui, blocks, page, &mut |ui, cell, page| {
        ui.add_space(4.0);
        cell_ui(ui, cell, page, 300.0);
        ui.add_space(8.0);
    });
}

/// At the foot of the prose, where the eye is when a step has been read.
fn turn_page(ui: &mut Ui, page: &PageContext<'_>, foot: &mut PageFoot<'_>) {
    let next = page.lesson.steps.get(page.document.step + 1);
    let words = match (next, foot.next_lesson) {
        (Some(step), _) => format!("Next: {}", step.title),
        (None, Some(lesson)) => format!("Next lesson: {lesson}"),
        (None, None) => return,
    };
    let parts = [
        (words.as_str(), 0.0, font::strong(INTERFACE)),
        (icons::ARROW_RIGHT, 6.0, font::icon(INTERFACE)),
    ];
    let mut job = icon_line(parts, page.theme.accent);
    job.wrap.max_width = ui.available_width() - 24.0;
    let response = ui.add(egui::Button::new(job).frame_when_inactive(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    if response.clicked() {
        foot.commands.push(Command::Next);
    }
    let changed = &foot.changed;
    if changed.leads_on && !changed.changes.is_empty() && change_chip::carry_on(ui) {
        foot.commands.push(Command::CarryOn);
    }
}

/// Cells on the stage at this step, in order.
fn stage_cells<'a>(page: &PageContext<'a>) -> impl Iterator<Item = &'a Cell> + use<'a> {
    let lesson = page.lesson;
    let step = lesson.steps.get(page.document.step);
    let is_shown = move |cell: &&Cell| step.is_none_or(|step| !step.hide.contains(&cell.id));
    let own = step.into_iter().flat_map(|step| &step.stage);
    lesson.stage.iter().filter(is_shown).chain(own)
}

/// The viewport takes what the other cells leave.
fn stage_column(ui: &mut Ui, page: &mut PageContext<'_>, key: &(String, usize)) {
    let cells: Vec<&Cell> = stage_cells(page).collect();
    let area = ui.available_rect_before_wrap();
    let margin = if area.width() > 400.0 { 20.0 } else { 12.0 };
    let rest = page.view.stage_rest.get(key).copied();
    let viewports = cells
        .iter()
        .filter(|cell| cell.kind.is_picture())
        .count()
        .max(1) as f32;
    // From the last row of a classroom, and in a low window, the picture comes
    // first.
    let first = page.view.presenting || area.height() < 420.0;
    let least = match first {
        _ if page.view.bench.open => 0.8,
        true => 0.58,
        false => 0.34,
    };
    let free = area.height() - 2.0 * margin - rest.unwrap_or(area.height() * 0.45);
    let height = (free / viewports)
        .clamp(area.height() * least, area.height())
        .floor();
    ScrollArea::vertical()
        .id_salt("stage")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            Frame::NONE
                .inner_margin(Margin::same(margin as i8))
                .show(ui, |ui| {
                    let mut used = 0.0;
                    for cell in cells {
                        let top = ui.cursor().top();
                        cell_ui(ui, cell, page, height);
                        ui.add_space(6.0);
                        used += if cell.kind.is_picture() {
                            6.0 + ui.spacing().item_spacing.y
                        } else {
                            ui.cursor().top() - top
                        };
                    }
                    let used = used.ceil();
                    if rest != Some(used) {
                        page.view.stage_rest.insert(key.clone(), used);
                        // Once more at once, with the height now known.
                        ui.ctx().request_discard("the stage's height became known");
                    }
                });
        });
}
