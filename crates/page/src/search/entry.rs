//! Results in the list: their rows, and the texts of glossary entries and faults below
//! them.

use bindpose_doctor::known_faults;
use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{Emphasis, paragraph_ui};
use bindpose_lesson::{CellKind, FaultName, FaultsCell, LessonSet};
use bindpose_notebook::PageAddress;
use bindpose_notebook::faults::offered_by_id;
use bindpose_notebook::search::ContextLine;
use eframe::egui::{
    Align, Color32, CursorIcon, FontId, Id, Rect, Response, RichText, Role, Sense, TextFormat, Ui,
    WidgetInfo, text::LayoutJob, vec2,
};

use super::state::ResultGoal;
use crate::prose::blocks_ui;
use crate::{PageContext, diagnostic};

/// Draws the text of a result. Draws nothing for results that lead to a page or run a
/// command.
pub(super) fn ui(ui: &mut Ui, goal: &ResultGoal, page: &mut PageContext<'_>) {
    match goal {
        ResultGoal::Term(slug) => {
            if let Some(term) = page.set.term(slug) {
                blocks_ui(ui, &term.blocks, page, &mut |_, _, _| {});
            }
        }
        ResultGoal::Fault(code) => fault_ui(ui, code, page),
        ResultGoal::KnownFault(id) => known_fault_ui(ui, id, page),
        _ => {}
    }
}

fn fault_ui(ui: &mut Ui, code: &str, page: &mut PageContext<'_>) {
    let Some(fault) = known_faults().find(|fault| fault.code == code) else {
        return;
    };
    let theme = page.theme;
    let severity = RichText::new(fault.severity.key()).font(font::strong(CAPTION_SIZE));
    ui.label(severity.color(diagnostic::severity_color(theme, fault.severity)));
    for (label, text) in
        [("what is wrong", &fault.title), ("effect", &fault.effect), ("remedy", &fault.help)]
    {
        ui.add_space(4.0);
        ui.label(theme.caption(label));
        paragraph_ui(ui, theme, text, SMALL_SIZE, Emphasis::Plain);
    }
    ui.add_space(6.0);
    if let Some(slug) = fault.lesson {
        diagnostic::lesson_link(ui, slug, page);
    }
    if let Some((text, address)) = find_examination_step(page.set) {
        diagnostic::page_link(ui, &text, address, page);
    }
}

fn known_fault_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let Some(fault) = FaultName::from_id(id) else {
        return;
    };
    for (label, text) in
        [("what it looks like", fault.looks), ("how to tell", fault.tell), ("seen", fault.seen)]
    {
        ui.add_space(4.0);
        ui.label(page.theme.caption(label));
        paragraph_ui(ui, page.theme, text, SMALL_SIZE, Emphasis::Plain);
    }
    ui.add_space(6.0);
    if let Some((text, address)) = find_fault_switch(fault, page.set) {
        diagnostic::page_link(ui, &text, address, page);
    }
}

/// Finds the first step with a switch for the fault, or else with switches for other
/// faults.
fn find_fault_switch(fault: FaultName, set: &LessonSet) -> Option<(String, PageAddress)> {
    find_step_with_switches(set, |cell| offered_by_id(cell, fault.id).is_some(), "has its switch")
        .or_else(|| find_step_with_switches(set, |_| true, "has switches of others"))
}

fn find_step_with_switches(
    set: &LessonSet,
    accepts: impl Fn(&FaultsCell) -> bool,
    description: &str,
) -> Option<(String, PageAddress)> {
    for lesson in &set.lessons {
        for step in &lesson.steps {
            let has_switches = step.cells().any(|cell| match &cell.kind {
                CellKind::Faults(cell) => !cell.diagnose && accepts(cell),
                _ => false,
            });
            if has_switches {
                let label = format!("Lesson {}, “{}”, {description}", lesson.number, step.title);
                return Some((label, PageAddress::step(&lesson.slug, &step.slug)));
            }
        }
    }
    None
}

/// Finds the step on which the doctor examines the reader's own file.
fn find_examination_step(set: &LessonSet) -> Option<(String, PageAddress)> {
    // Lessons about the reader's own model are at the end.
    let mut lessons = set.lessons.iter().rev();
    lessons.find_map(|lesson| {
        let step = lesson.steps.iter().find(|step| step.has_all_findings())?;
        let label = format!("Lesson {}, “{}”, examines your own file", lesson.number, step.title);
        Some((label, PageAddress::step(&lesson.slug, &step.slug)))
    })
}

// A row of the list: title, location, and the passage with the words of the query.

const SIDE_MARGIN_PTS: f32 = 14.0;
const VERTICAL_MARGIN_PTS: f32 = 6.0;
const LINE_GAP_PTS: f32 = 2.0;

/// Contents of a row.
pub(super) struct ResultRow<'a> {
    pub(super) title: &'a ContextLine,
    /// Location of the result, or the keys of a command.
    pub(super) location: &'a str,
    pub(super) context: Option<&'a ContextLine>,
    /// Whether the title is a code, set in monospace.
    pub(super) is_code: bool,
}

/// Draws a row as wide as the available space.
pub(super) fn row_ui(
    ui: &mut Ui,
    id: Id,
    theme: &Theme,
    row: &ResultRow<'_>,
    is_chosen: bool,
) -> Response {
    let width = ui.available_width();
    let text_width = (width - 2.0 * SIDE_MARGIN_PTS).max(40.0);
    let title_font = if row.is_code {
        font::mono(SMALL_SIZE, false)
    } else {
        FontId::proportional(INTERFACE_SIZE)
    };
    let mut title_job = LayoutJob::default();
    append_marked(&mut title_job, row.title, &title_font, theme.ink, theme);
    if !row.location.is_empty() {
        let format = TextFormat {
            font_id: FontId::proportional(CAPTION_SIZE),
            color: theme.quiet,
            valign: Align::Center,
            ..TextFormat::default()
        };
        title_job.append(row.location, 10.0, format);
    }
    title_job.wrap.max_width = text_width;
    let title = ui.painter().layout_job(title_job);
    let context = row.context.map(|line| {
        let mut job = LayoutJob::default();
        append_marked(&mut job, line, &FontId::proportional(SMALL_SIZE), theme.quiet, theme);
        job.wrap.max_width = text_width;
        job.wrap.max_rows = 3;
        ui.painter().layout_job(job)
    });
    let context_height = context.as_ref().map_or(0.0, |c| LINE_GAP_PTS + c.size().y);
    let size = vec2(width, 2.0 * VERTICAL_MARGIN_PTS + title.size().y + context_height);
    let (_, rect) = ui.allocate_space(size);
    let response = ui.interact(rect, id, Sense::click());
    let label = accessible_label(row);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_chosen, &label));
    ui.ctx().accesskit_node_builder(id, |node| node.set_selected(is_chosen));
    let painter = ui.painter();
    if is_chosen {
        painter.rect_filled(rect, 0.0, theme.accent_wash);
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        painter.rect_filled(bar, 0.0, theme.accent);
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, theme.panel);
    }
    let title_corner = rect.min + vec2(SIDE_MARGIN_PTS, VERTICAL_MARGIN_PTS);
    let context_corner = title_corner + vec2(0.0, title.size().y + LINE_GAP_PTS);
    painter.galley(title_corner, title, theme.ink);
    if let Some(context) = context {
        painter.galley(context_corner, context, theme.quiet);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// Appends a line whose marked words are bold and highlighted.
fn append_marked(
    job: &mut LayoutJob,
    line: &ContextLine,
    font: &FontId,
    color: Color32,
    theme: &Theme,
) {
    let plain =
        TextFormat { font_id: font.clone(), color, valign: Align::Center, ..TextFormat::default() };
    let marked = TextFormat {
        font_id: font::strong(font.size),
        color: theme.ink,
        background: theme.lit,
        ..plain.clone()
    };
    let mut end = 0;
    for mark in &line.marks {
        job.append(&line.text[end..mark.start], 0.0, plain.clone());
        job.append(&line.text[mark.clone()], 0.0, marked.clone());
        end = mark.end;
    }
    job.append(&line.text[end..], 0.0, plain);
}

/// Returns the text of the row for screen readers.
fn accessible_label(row: &ResultRow<'_>) -> String {
    let context = row.context.map_or("", |line| &line.text);
    let mut parts = vec![row.title.text.as_str(), row.location, context];
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::known_faults;

    use super::*;

    #[test]
    fn every_known_fault_leads_to_a_step_with_switches() {
        let set = LessonSet::embedded();
        let mut own_switch_count = 0;
        for fault in known_faults() {
            let (label, _) = find_fault_switch(fault, &set).expect(fault.id);
            own_switch_count += usize::from(label.ends_with("has its switch"));
        }
        assert!(own_switch_count > 10, "{own_switch_count}");
    }
}
