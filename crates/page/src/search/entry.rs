//! A word of the glossary, a fault of the doctor's or a known bug, read where it was
//! found.

use bindpose_asset::doctor::known_faults;
use bindpose_lesson::{CellKind, FaultName, FaultsCell, LessonSet, LessonStep};
use bindpose_notebook::PageAddress;
use bindpose_notebook::faults::offered_by_id;
use bindpose_notebook::search::ContextLine;
use eframe::egui::{
    Align, Color32, CursorIcon, FontId, Id, Rect, Response, RichText, Role, Sense, TextFormat, Ui,
    WidgetInfo, text::LayoutJob, vec2,
};

use super::state::ResultGoal;
use crate::prose::blocks_ui;
use crate::theme::{CAPTION, INTERFACE, SMALL, Theme, font};
use crate::widgets::{Emphasis, note};
use crate::{PageContext, diagnostic};

/// Shows it; nothing for what is gone to, or done, instead of read.
pub(super) fn ui(ui: &mut Ui, goal: &ResultGoal, page: &mut PageContext<'_>) {
    match goal {
        ResultGoal::Term(slug) => {
            if let Some(term) = page.set.term(slug) {
                blocks_ui(ui, &term.blocks, page, &mut |_, _, _| {});
            }
        }
        ResultGoal::Fault(code) => fault(ui, code, page),
        ResultGoal::KnownFault(id) => known_fault(ui, id, page),
        _ => {}
    }
}

fn fault(ui: &mut Ui, code: &str, page: &mut PageContext<'_>) {
    let Some(fault) = known_faults().find(|fault| fault.code == code) else {
        return;
    };
    let theme = page.theme;
    let severity = RichText::new(fault.severity.key()).font(font::strong(CAPTION));
    ui.label(severity.color(diagnostic::color(theme, fault.severity)));
    for (label, words) in
        [("what is wrong", &fault.title), ("effect", &fault.effect), ("remedy", &fault.help)]
    {
        ui.add_space(4.0);
        ui.label(theme.caption(label));
        note(ui, theme, words, SMALL, Emphasis::Plain);
    }
    ui.add_space(6.0);
    if let Some(slug) = fault.lesson {
        diagnostic::lesson_link(ui, slug, page);
    }
    if let Some((words, address)) = examination(page.set) {
        diagnostic::page_link(ui, &words, address, page);
    }
}

fn known_fault(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let Some(fault) = FaultName::from_id(id) else {
        return;
    };
    for (label, words) in
        [("what it looks like", fault.looks), ("what tells it", fault.tell), ("seen", fault.seen)]
    {
        ui.add_space(4.0);
        ui.label(page.theme.caption(label));
        note(ui, page.theme, words, SMALL, Emphasis::Plain);
    }
    ui.add_space(6.0);
    if let Some((words, address)) = switch_of(fault, page.set) {
        diagnostic::page_link(ui, &words, address, page);
    }
}

/// The first step on which the fault can be switched on; else the first with switches of
/// others.
fn switch_of(fault: FaultName, set: &LessonSet) -> Option<(String, PageAddress)> {
    let has_it = |cell: &FaultsCell| offered_by_id(cell, fault.id).is_some();
    step_with_switches(set, has_it, "has its switch")
        .or_else(|| step_with_switches(set, |_| true, "has switches of others"))
}

fn step_with_switches(
    set: &LessonSet,
    is_meant: impl Fn(&FaultsCell) -> bool,
    says: &str,
) -> Option<(String, PageAddress)> {
    let has_switches = |step: &&LessonStep| {
        let mut cells = step.cells();
        cells.any(|cell| match &cell.kind {
            CellKind::Faults(cell) => !cell.diagnose && is_meant(cell),
            _ => false,
        })
    };
    set.lessons.iter().find_map(|lesson| {
        let step = lesson.steps.iter().find(has_switches)?;
        let words = format!("Lesson {}, “{}”, {says}", lesson.number, step.title);
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    })
}

/// The step with the doctor, which looks at the reader's own file.
fn examination(set: &LessonSet) -> Option<(String, PageAddress)> {
    // Lessons about the reader's own model stand at the end.
    let mut lessons = set.lessons.iter().rev();
    lessons.find_map(|lesson| {
        let step = lesson.steps.iter().find(|step| step.has_all_findings())?;
        let words = format!("Lesson {}, “{}”, examines your own file", lesson.number, step.title);
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    })
}

// One result: its title, where it is, and the line with the words.

const SIDES: f32 = 14.0;
const ABOVE: f32 = 6.0;
const BETWEEN: f32 = 2.0;

/// What a row shows.
pub(super) struct ResultRow<'a> {
    pub(super) title: &'a ContextLine,
    /// Where it is, or its keys.
    pub(super) about: &'a str,
    pub(super) context: Option<&'a ContextLine>,
    /// A code, in letters of one width.
    pub(super) is_code: bool,
}

/// Draws it, as wide as there is room.
pub(super) fn row_ui(
    ui: &mut Ui,
    id: Id,
    theme: &Theme,
    shown: &ResultRow<'_>,
    chosen: bool,
) -> Response {
    let wide = ui.available_width();
    let room = (wide - 2.0 * SIDES).max(40.0);
    let painter = ui.painter();
    let mut head = LayoutJob::default();
    let plain =
        if shown.is_code { font::mono(SMALL, false) } else { FontId::proportional(INTERFACE) };
    marked(&mut head, shown.title, &plain, theme.ink, theme);
    if !shown.about.is_empty() {
        let about = TextFormat {
            font_id: FontId::proportional(CAPTION),
            color: theme.quiet,
            valign: Align::Center,
            ..TextFormat::default()
        };
        head.append(shown.about, 10.0, about);
    }
    head.wrap.max_width = room;
    let head = painter.layout_job(head);
    let context = shown.context.map(|line| {
        let mut job = LayoutJob::default();
        let plain = FontId::proportional(SMALL);
        marked(&mut job, line, &plain, theme.quiet, theme);
        job.wrap.max_width = room;
        job.wrap.max_rows = 3;
        painter.layout_job(job)
    });
    let below = context.as_ref().map_or(0.0, |c| BETWEEN + c.size().y);
    let size = vec2(wide, 2.0 * ABOVE + head.size().y + below);
    let (_, rect) = ui.allocate_space(size);
    let response = ui.interact(rect, id, Sense::click());
    let words = words(shown);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, &words));
    ui.ctx().accesskit_node_builder(id, |node| node.set_selected(chosen));
    let painter = ui.painter();
    if chosen {
        painter.rect_filled(rect, 0.0, theme.accent_wash);
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        painter.rect_filled(bar, 0.0, theme.accent);
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, theme.panel);
    }
    let corner = rect.min + vec2(SIDES, ABOVE);
    let after = corner + vec2(0.0, head.size().y + BETWEEN);
    painter.galley(corner, head, theme.ink);
    if let Some(context) = context {
        painter.galley(after, context, theme.quiet);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// A line whose marked words are strong and lit.
fn marked(job: &mut LayoutJob, line: &ContextLine, plain: &FontId, color: Color32, theme: &Theme) {
    let plain = TextFormat {
        font_id: plain.clone(),
        color,
        valign: Align::Center,
        ..TextFormat::default()
    };
    let marked = TextFormat {
        font_id: font::strong(plain.font_id.size),
        color: theme.ink,
        background: theme.lit,
        ..plain.clone()
    };
    let mut done = 0;
    for mark in &line.marks {
        job.append(&line.text[done..mark.start], 0.0, plain.clone());
        job.append(&line.text[mark.clone()], 0.0, marked.clone());
        done = mark.end;
    }
    job.append(&line.text[done..], 0.0, plain);
}

/// For those who do not see it.
fn words(shown: &ResultRow<'_>) -> String {
    let context = shown.context.map_or("", |line| &line.text);
    let parts = [shown.title.text.as_str(), shown.about, context];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::known_faults;

    use super::*;

    #[test]
    fn every_known_fault_leads_to_a_step_with_its_switch_or_with_others() {
        let set = LessonSet::embedded();
        let mut own = 0;
        for fault in known_faults() {
            let (words, _) = switch_of(fault, &set).expect(fault.id);
            own += usize::from(words.ends_with("has its switch"));
        }
        assert!(own > 10, "{own}");
    }
}
