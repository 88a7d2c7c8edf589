//! What is wrong with the file behind the rig: where, what it does to the
//! picture, how to mend it, and which lesson explains it.

mod mended;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_asset::doctor::{DoctorReport, examination};
use bindpose_asset::{Rig, RigOrigin, Task};
use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Place as Within, Severity, counted};
use bindpose_lesson::DoctorCell;
use bindpose_notebook::Entity;
use bindpose_notebook::number_text::grouped;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, Button, Color32, Context, FontId, Layout, Rect, RichText, Sense, Shape, Stroke, Ui,
    pos2, vec2,
};

use crate::theme::{CAPTION, FINE, INTERFACE, SMALL, Theme, font};
use crate::widgets::{Emphasis, PaintText, Tip as _, Tone, card, note, small_button};
use crate::work::{PageWork, under_way, waking};
use crate::{PageContext, diagnostic};
use mended::AskedMending;

/// Findings shown at once where the lesson does not say.
const ROWS: usize = 10;

/// What was found, and what of it the reader wants to see.
#[derive(Default)]
struct DoctorCellState {
    cache: ReportCache,
    /// Errors, warnings, notes.
    hidden: [bool; 3],
    /// Also those past the first few.
    all: bool,
    /// More than in brief.
    opened: bool,
    mending: AskedMending,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &DoctorCell, id: &str, page: &mut PageContext<'_>) {
    let rig = Arc::clone(&page.derived.rig);
    let Some(origin) = &rig.origin else {
        let words = format!("{} was made in memory: there is no file to examine.", rig.title);
        ui.label(RichText::new(words).color(page.theme.quiet));
        return;
    };
    let rows = cell.rows.unwrap_or(ROWS);
    page.with_state(id, |memory: &mut DoctorCellState, page| {
        ui.label(
            RichText::new(&origin.source.name).font(font::mono_strong(SMALL)).color(page.theme.ink),
        );
        let report = match memory.cache.report(origin, ui.ctx(), page.view.pictures.waits) {
            PageWork::Done(report) => Arc::clone(report),
            PageWork::UnderWay(task) => {
                return under_way(ui, page.theme, "Examining the file", task);
            }
            PageWork::Broken => return broken(ui, page),
        };
        let is_listed = !report.findings.is_empty();
        if cell.brief && !memory.opened {
            memory.opened = brief(ui, page, &report);
            return;
        }
        if is_listed {
            tools(ui, page, origin, &report, memory);
        }
        mended::ui(ui, page, &mut memory.mending);
        if let Some(words) = report.verdict() {
            healthy(ui, page, &words);
        }
        if is_listed {
            list(ui, page, origin, &report, memory, rows);
        }
    });
}

fn broken(ui: &mut Ui, page: &PageContext<'_>) {
    card(ui, page.theme, Tone::Wrong, |ui| {
        let words = "The examination broke off by a fault of this program. Please report it, \
                     with the file if you can.";
        note(ui, page.theme, words, INTERFACE, Emphasis::Strong);
    });
}

fn healthy(ui: &mut Ui, page: &PageContext<'_>, words: &str) {
    card(ui, page.theme, Tone::Right, |ui| {
        note(ui, page.theme, words, INTERFACE, Emphasis::Strong);
    });
}

/// What is worst and what all amounts to. Was the rest asked for?
fn brief(ui: &mut Ui, page: &PageContext<'_>, report: &DoctorReport) -> bool {
    let worst = report.findings.first().filter(|_| !report.is_sound());
    let tone = worst.map_or(Tone::Right, |worst| tone(worst.severity));
    card(ui, page.theme, tone, |ui| {
        if let Some(worst) = worst {
            heading(ui, page.theme, worst);
            note(ui, page.theme, &worst.title, INTERFACE, Emphasis::Strong);
        }
        note(ui, page.theme, &report.summary(), SMALL, Emphasis::Plain);
        let what = "Where, why, and how to mend it";
        worst.is_some() && ui.add(small_button(what)).clicked()
    })
    .inner
}

/// Which severities are shown, and what can be done with the whole list.
fn tools(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    origin: &Arc<RigOrigin>,
    report: &DoctorReport,
    memory: &mut DoctorCellState,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        let counts = [report.errors, report.warnings, report.notes];
        for ((severity, count), hidden) in
            Severity::ALL.into_iter().zip(counts).zip(&mut memory.hidden)
        {
            if count == 0 {
                continue;
            }
            let words = counted(count, severity.key());
            let button = Button::selectable(!*hidden, RichText::new(words).size(CAPTION));
            let tip = format!("Show or hide the {}s", severity.key());
            let button = button.frame_when_inactive(true);
            if ui.add(button).tip(tip).clicked() {
                *hidden = !*hidden;
            }
        }
        let copy = small_button("Copy as JSON");
        let tip = "All findings, as `bindpose doctor --format json` writes them";
        if ui.add(copy).tip(tip).clicked() {
            ui.ctx().copy_text(report.to_json(&origin.source.name));
        }
        if report.is_mendable() {
            mended::buttons(ui, page, &mut memory.mending);
        }
    });
}

fn list(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    origin: &RigOrigin,
    report: &DoctorReport,
    memory: &mut DoctorCellState,
    rows: usize,
) {
    let shown = |severity: Severity| {
        let place = Severity::ALL.iter().position(|&other| other == severity);
        place.is_none_or(|place| !memory.hidden[place])
    };
    let wanted: Vec<_> = report.findings.iter().filter(|finding| shown(finding.severity)).collect();
    if wanted.is_empty() {
        let words = RichText::new("All findings are hidden by the buttons above.");
        ui.label(words.color(page.theme.quiet));
    }
    let most = if memory.all { usize::MAX } else { rows };
    for (place, finding) in wanted.iter().take(most).enumerate() {
        ui.push_id(place, |ui| finding_ui(ui, finding, origin, page));
    }
    if wanted.len() > rows {
        let words = if memory.all {
            format!("Show the first {rows}")
        } else {
            format!("Show all {}", wanted.len())
        };
        if ui.button(words).clicked() {
            memory.all = !memory.all;
        }
    }
}

// What is known of a file: worked out once, beside the page.

/// The file that was examined last. What is under way for another file stops.
#[derive(Debug, Default)]
struct ReportCache {
    last: Option<LastReport>,
}

#[derive(Debug)]
struct LastReport {
    origin: Arc<RigOrigin>,
    report: PageWork<Arc<DoctorReport>>,
}

impl ReportCache {
    /// What the doctor says of this file; asks when it is another than before. `waits`:
    /// the frame waits for it.
    fn report(
        &mut self,
        origin: &Arc<RigOrigin>,
        ctx: &Context,
        waits: bool,
    ) -> &PageWork<Arc<DoctorReport>> {
        let known = self.last.take();
        let known = known.filter(|last| Arc::ptr_eq(&last.origin, origin));
        let last = self.last.insert(known.unwrap_or_else(|| {
            let source = origin.source.clone();
            let task = Task::start_paced(
                "examine",
                move |progress| examination(&source, progress).then(Arc::new),
                waking(ctx),
            );
            LastReport { origin: Arc::clone(origin), report: PageWork::begun(task) }
        }));
        last.report.advance(waits);
        &last.report
    }
}

// One finding as a card.

const LABEL: f32 = 72.0;
const ICON: f32 = 18.0;
/// Under this width, labels stand above what they label.
const NARROW: f32 = 300.0;

/// Draws it.
fn finding_ui(ui: &mut Ui, finding: &Diagnostic, origin: &RigOrigin, page: &mut PageContext<'_>) {
    let theme = page.theme;
    card(ui, theme, tone(finding.severity), |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 5.0);
        heading(ui, theme, finding);
        note(ui, theme, &finding.title, INTERFACE, Emphasis::Strong);
        places(ui, finding, origin, page);
        row(ui, theme, "expected", &finding.expected);
        row(ui, theme, "found", &finding.found);
        row(ui, theme, "effect", &finding.effect);
        row(ui, theme, "remedy", &finding.help);
        if let Some(slug) = finding.lesson {
            diagnostic::lesson_link(ui, slug, page);
        }
    });
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Wrong,
        Severity::Warning => Tone::Caution,
        Severity::Note => Tone::Quiet,
    }
}

/// Severity, as shape and word and colour, and the code.
fn heading(ui: &mut Ui, theme: &Theme, finding: &Diagnostic) {
    ui.horizontal_wrapped(|ui| {
        let color = diagnostic::color(theme, finding.severity);
        let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
        paint_icon(ui, theme, rect, finding.severity, color);
        let severity = RichText::new(finding.severity.key());
        ui.label(severity.font(font::strong(CAPTION)).color(color));
        let code = RichText::new(finding.code).monospace().size(FINE);
        ui.label(code.color(theme.quiet));
        if finding.count > 1 {
            let count = u32::try_from(finding.count).unwrap_or(u32::MAX);
            ui.label(theme.caption(format!("{} places", grouped(count))));
        }
    });
}

/// An octagon, a triangle, a disc: told apart without colour.
fn paint_icon(ui: &Ui, theme: &Theme, rect: Rect, severity: Severity, color: Color32) {
    let (center, radius) = (rect.center(), rect.height() / 2.0 - 1.0);
    let (corners, letter, drop) = match severity {
        Severity::Error => {
            let corner = |k: usize| {
                let angle = (k as f32 + 0.5) * std::f32::consts::TAU / 8.0;
                center + radius * vec2(angle.cos(), angle.sin())
            };
            ((0..8).map(corner).collect(), "×", 0.0)
        }
        Severity::Warning => {
            let corners = vec![
                pos2(center.x, center.y - radius),
                pos2(center.x + radius, center.y + radius - 1.0),
                pos2(center.x - radius, center.y + radius - 1.0),
            ];
            (corners, "!", 1.5)
        }
        Severity::Note => (Vec::new(), "i", 0.0),
    };
    ui.painter().add(if corners.is_empty() {
        Shape::circle_filled(center, radius, color)
    } else {
        Shape::convex_polygon(corners, color, Stroke::NONE)
    });
    ui.painter().text_centered(
        center + vec2(0.0, drop),
        letter,
        font::strong(FINE),
        theme.on(color),
    );
}

/// The pointer, and what of it the rig has.
fn places(ui: &mut Ui, finding: &Diagnostic, origin: &RigOrigin, page: &mut PageContext<'_>) {
    let place = place_of(finding, &page.derived.rig, origin);
    ui.horizontal_wrapped(|ui| {
        let (words, vertex, joint) = match &finding.at {
            Place::Model(at) if at.pointer.is_empty() => {
                ("the file as a whole".to_owned(), at.vertex, at.joint)
            }
            Place::Model(at) => (at.pointer.clone(), at.vertex, at.joint),
            other => (other.to_string(), None, None),
        };
        let text = RichText::new(words).font(FontId::monospace(CAPTION));
        ui.label(text.color(page.theme.ink));
        if let Some(vertex) = vertex {
            let words = format!("vertex {vertex}");
            chip(ui, page, &words, place.vertex.map(Entity::Vertex));
        }
        if let Some(joint) = joint.or(place.joint.map(|joint| joint.0.into())) {
            let words = format!("joint {joint}");
            chip(ui, page, &words, place.joint.map(Entity::Joint));
        }
    });
}

/// Lights up what it names, and chooses it when clicked; words alone where the
/// rig has no such thing.
fn chip(ui: &mut Ui, page: &mut PageContext<'_>, words: &str, entity: Option<Entity>) {
    let text = page.theme.caption(words);
    let Some(entity) = entity else {
        ui.label(text);
        return;
    };
    let lit = page.linked.is_lit(entity);
    let button = Button::selectable(lit, text.color(page.theme.accent));
    let response = ui.add(button.frame_when_inactive(true)).tip("Choose it: the viewport marks it");
    page.link(&response, entity);
}

fn row(ui: &mut Ui, theme: &Theme, label: &str, words: &str) {
    if words.is_empty() {
        return;
    }
    let label = theme.caption(label);
    if ui.available_width() < NARROW {
        ui.label(label);
        note(ui, theme, words, SMALL, Emphasis::Plain);
        return;
    }
    ui.horizontal_top(|ui| {
        let column = Layout::top_down(Align::Min);
        ui.allocate_ui_with_layout(vec2(LABEL, 20.0), column, |ui| {
            ui.set_min_width(LABEL);
            // On the line of the words beside it, which are larger.
            ui.add_space(2.0);
            ui.label(label);
        });
        ui.vertical(|ui| note(ui, theme, words, SMALL, Emphasis::Plain));
    });
}

// From a finding's place in the file to joints and vertices of the rig.

/// What can be lit and chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FindingPlace {
    vertex: Option<u32>,
    joint: Option<JointIndex>,
}

/// Where a finding is in the rig; nothing, where the rig has no such place.
fn place_of(finding: &Diagnostic, rig: &Rig, origin: &RigOrigin) -> FindingPlace {
    let Within::Model(at) = &finding.at else {
        return FindingPlace::default();
    };
    let parts: Vec<&str> = at.pointer.split('/').skip(1).collect();
    let number = |place: usize| parts.get(place).and_then(|part| part.parse::<usize>().ok());
    let graph = &origin.graph;
    match (parts.first().copied(), number(1), parts.get(2).copied()) {
        (Some("meshes"), Some(mesh), Some("primitives")) => {
            let primitive = number(3);
            let mut parts = rig.mesh.parts.iter();
            let part = parts.find(|part| part.mesh == mesh && Some(part.primitive) == primitive);
            let Some(part) = part else {
                return FindingPlace::default();
            };
            let vertex = at
                .vertex
                .and_then(|vertex| part.vertices.start.checked_add(vertex))
                .filter(|vertex| part.vertices.contains(vertex));
            FindingPlace { vertex, joint: part.skin.and_then(|skin| joint(at, origin, skin)) }
        }
        (Some("skins"), Some(skin), _) => {
            FindingPlace { vertex: None, joint: joint(at, origin, skin) }
        }
        (Some("nodes"), Some(node), _) => {
            FindingPlace { vertex: None, joint: graph.nodes.get(node).and_then(|node| node.joint) }
        }
        _ => FindingPlace::default(),
    }
}

/// By the joint's place in a skin's list.
fn joint(at: &ModelPlace, origin: &RigOrigin, skin: usize) -> Option<JointIndex> {
    let ours = &origin.graph.skins.get(skin)?.ours;
    ours.get(at.joint? as usize).copied()
}
