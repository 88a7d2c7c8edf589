//! Findings about the file of the rig: where each is, its effect on the picture, how to mend it, and
//! the lesson that explains it.

mod mended;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity, counted};
use bindpose_doctor::{DoctorReport, examination};
use bindpose_gltf::{Rig, RigOrigin, Task};
use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, INTERFACE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{
    Emphasis, PaintText, Tip as _, Tone, card, paragraph_ui, small_button,
};
use bindpose_lesson::DoctorCell;
use bindpose_lesson::number_text::grouped;
use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, Button, Color32, Context, FontId, Layout, Rect, RichText, Sense, Shape, Stroke, Ui,
    pos2, vec2,
};

use crate::work::{PageWork, repaint_callback, task_progress_ui};
use crate::{PageContext, diagnostic};
use mended::MendingRequests;

/// Number of findings that are visible at first if the lesson does not set it.
const DEFAULT_ROWS: usize = 10;

#[derive(Default)]
struct DoctorCellState {
    cache: ReportCache,
    /// Hidden severities, in the order of [`Severity::ALL`].
    hidden: [bool; 3],
    /// If true, the list is expanded beyond the first findings.
    shows_all: bool,
    /// If true, a brief cell has been expanded.
    is_expanded: bool,
    mending: MendingRequests,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &DoctorCell, id: &str, page: &mut PageContext<'_>) {
    let rig = Arc::clone(&page.derived.rig);
    let Some(origin) = &rig.origin else {
        let message = format!("{} was made in memory: there is no file to examine.", rig.title);
        ui.label(RichText::new(message).color(page.theme.quiet));
        return;
    };
    page.with_state(id, |state: &mut DoctorCellState, page| {
        ui.label(
            RichText::new(&origin.source.name)
                .font(font::mono_strong(SMALL_SIZE))
                .color(page.theme.ink),
        );
        let report = match state.cache.report(origin, ui.ctx(), page.view.pictures.waits_for_work) {
            PageWork::Done(report) => Arc::clone(report),
            PageWork::UnderWay(task) => {
                return task_progress_ui(ui, page.theme, "Examining the file", task);
            }
            PageWork::Broken => {
                card(ui, page.theme, Tone::Wrong, |ui| {
                    let message = "The examination broke off by a fault of this program. \
                                   Please report it, with the file if you can.";
                    paragraph_ui(ui, page.theme, message, INTERFACE_SIZE, Emphasis::Strong);
                });
                return;
            }
        };
        if cell.brief && !state.is_expanded {
            state.is_expanded = draw_summary(ui, page, &report);
            return;
        }
        let has_findings = !report.findings.is_empty();
        if has_findings {
            draw_tools(ui, page, origin, &report, state);
        }
        mended::ui(ui, page, &mut state.mending);
        if let Some(verdict) = report.verdict() {
            card(ui, page.theme, Tone::Right, |ui| {
                paragraph_ui(ui, page.theme, &verdict, INTERFACE_SIZE, Emphasis::Strong);
            });
        }
        if has_findings {
            let max_rows = cell.rows.map_or(DEFAULT_ROWS, |rows| rows.0);
            draw_findings(ui, page, origin, &report, state, max_rows);
        }
    });
}

/// Draws the worst finding and a summary of all. Returns true if the reader expands the cell.
fn draw_summary(ui: &mut Ui, page: &PageContext<'_>, report: &DoctorReport) -> bool {
    let worst = report.findings.first().filter(|_| !report.is_sound());
    let tone = worst.map_or(Tone::Right, |worst| severity_tone(worst.severity));
    card(ui, page.theme, tone, |ui| {
        if let Some(worst) = worst {
            draw_finding_heading(ui, page.theme, worst);
            paragraph_ui(ui, page.theme, &worst.title, INTERFACE_SIZE, Emphasis::Strong);
        }
        paragraph_ui(ui, page.theme, &report.summary(), SMALL_SIZE, Emphasis::Plain);
        let label = "Where, why, and how to mend it";
        worst.is_some() && ui.add(small_button(label)).clicked()
    })
    .inner
}

/// Draws the switches of severities, and buttons for the whole report.
fn draw_tools(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    origin: &RigOrigin,
    report: &DoctorReport,
    state: &mut DoctorCellState,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        let counts = [report.errors, report.warnings, report.notes];
        for (index, severity) in Severity::ALL.into_iter().enumerate() {
            if counts[index] == 0 {
                continue;
            }
            let label = RichText::new(counted(counts[index], severity.key())).size(CAPTION_SIZE);
            let button = Button::selectable(!state.hidden[index], label).frame_when_inactive(true);
            let tip = format!("Show or hide the {}s", severity.key());
            if ui.add(button).tip(tip).clicked() {
                state.hidden[index] = !state.hidden[index];
            }
        }
        let copy = small_button("Copy as JSON");
        let tip = "All findings, as `bindpose doctor --format json` writes them";
        if ui.add(copy).tip(tip).clicked() {
            ui.ctx().copy_text(report.to_json(&origin.source.name));
        }
        if report.is_mendable() {
            mended::draw_mending_buttons(ui, page, &mut state.mending);
        }
    });
}

fn draw_findings(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    origin: &RigOrigin,
    report: &DoctorReport,
    state: &mut DoctorCellState,
    max_rows: usize,
) {
    let mut visible = Vec::new();
    for finding in &report.findings {
        let severity = Severity::ALL.iter().position(|&other| other == finding.severity);
        if severity.is_none_or(|index| !state.hidden[index]) {
            visible.push(finding);
        }
    }
    if visible.is_empty() {
        let message = RichText::new("All findings are hidden by the buttons above.");
        ui.label(message.color(page.theme.quiet));
    }
    let count = if state.shows_all { visible.len() } else { max_rows };
    for (index, finding) in visible.iter().take(count).enumerate() {
        ui.push_id(index, |ui| draw_finding(ui, finding, origin, page));
    }
    if visible.len() > max_rows {
        let label = if state.shows_all {
            format!("Show the first {max_rows}")
        } else {
            format!("Show all {}", visible.len())
        };
        if ui.button(label).clicked() {
            state.shows_all = !state.shows_all;
        }
    }
}

/// The report of the file that was examined last. An examination of another file is cancelled.
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
    /// Returns the report of a file, which is examined in the background if it has changed. With
    /// `waits`, the frame waits for the result.
    fn report(
        &mut self,
        origin: &Arc<RigOrigin>,
        ctx: &Context,
        waits: bool,
    ) -> &PageWork<Arc<DoctorReport>> {
        // Dropping the task of another file cancels it.
        let cached = self.last.take().filter(|last| Arc::ptr_eq(&last.origin, origin));
        let last = self.last.insert(cached.unwrap_or_else(|| {
            let source = origin.source.clone();
            let task = Task::start_paced(
                "examine",
                move |progress| examination(&source, progress).then(Arc::new),
                repaint_callback(ctx),
            );
            LastReport { origin: Arc::clone(origin), report: PageWork::started(task) }
        }));
        last.report.advance(waits);
        &last.report
    }
}

const LABEL_WIDTH_PTS: f32 = 72.0;
const ICON_SIZE_PTS: f32 = 18.0;
/// Width below which labels are above their texts instead of beside them.
const MIN_WIDTH_FOR_LABELS_PTS: f32 = 300.0;

fn draw_finding(ui: &mut Ui, finding: &Diagnostic, origin: &RigOrigin, page: &mut PageContext<'_>) {
    let theme = page.theme;
    card(ui, theme, severity_tone(finding.severity), |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 5.0);
        draw_finding_heading(ui, theme, finding);
        paragraph_ui(ui, theme, &finding.title, INTERFACE_SIZE, Emphasis::Strong);
        draw_finding_place(ui, finding, origin, page);
        draw_labelled_text(ui, theme, "expected", &finding.expected);
        draw_labelled_text(ui, theme, "found", &finding.found);
        draw_labelled_text(ui, theme, "effect", &finding.effect);
        draw_labelled_text(ui, theme, "remedy", &finding.help);
        if let Some(slug) = finding.lesson {
            diagnostic::lesson_link(ui, slug, page);
        }
    });
}

fn severity_tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Wrong,
        Severity::Warning => Tone::Caution,
        Severity::Note => Tone::Quiet,
    }
}

/// Draws the severity as shape, word and colour, and the code of the finding.
fn draw_finding_heading(ui: &mut Ui, theme: &Theme, finding: &Diagnostic) {
    ui.horizontal_wrapped(|ui| {
        let color = diagnostic::severity_color(theme, finding.severity);
        let (rect, _) = ui.allocate_exact_size(vec2(ICON_SIZE_PTS, ICON_SIZE_PTS), Sense::hover());
        paint_severity_icon(ui, theme, rect, finding.severity, color);
        let severity = RichText::new(finding.severity.key());
        ui.label(severity.font(font::strong(CAPTION_SIZE)).color(color));
        let code = RichText::new(finding.code).monospace().size(FINE_SIZE);
        ui.label(code.color(theme.quiet));
        if finding.count > 1 {
            let count = u32::try_from(finding.count).unwrap_or(u32::MAX);
            ui.label(theme.caption(format!("{} places", grouped(count))));
        }
    });
}

/// Paints an octagon, a triangle or a disc, which are distinguishable without colour.
fn paint_severity_icon(ui: &Ui, theme: &Theme, rect: Rect, severity: Severity, color: Color32) {
    let center = rect.center();
    let radius = rect.height() / 2.0 - 1.0;
    let (corners, letter, letter_drop) = match severity {
        Severity::Error => {
            let mut corners = Vec::with_capacity(8);
            for index in 0..8_u8 {
                let angle_rad = (f32::from(index) + 0.5) * std::f32::consts::TAU / 8.0;
                corners.push(center + radius * vec2(angle_rad.cos(), angle_rad.sin()));
            }
            (corners, "×", 0.0)
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
        center + vec2(0.0, letter_drop),
        letter,
        font::strong(FINE_SIZE),
        theme.text_on_fill(color),
    );
}

/// Draws the JSON pointer of a finding, and buttons for its vertex and joint in the rig.
fn draw_finding_place(
    ui: &mut Ui,
    finding: &Diagnostic,
    origin: &RigOrigin,
    page: &mut PageContext<'_>,
) {
    let rig_place = find_rig_place(finding, &page.derived.rig, origin);
    ui.horizontal_wrapped(|ui| {
        // Vertex and joint are those in the file, whose indices may differ from the rig's.
        let (pointer, vertex, joint) = match &finding.at {
            Place::Model(at) if at.pointer.is_empty() => {
                ("the file as a whole".to_owned(), at.vertex, at.joint)
            }
            Place::Model(at) => (at.pointer.clone(), at.vertex, at.joint),
            other => (other.to_string(), None, None),
        };
        let text = RichText::new(pointer).font(FontId::monospace(CAPTION_SIZE));
        ui.label(text.color(page.theme.ink));
        if let Some(vertex) = vertex {
            let label = format!("vertex {vertex}");
            draw_entity_button(ui, page, &label, rig_place.vertex.map(Entity::Vertex));
        }
        if let Some(joint) = joint.or(rig_place.joint.map(|joint| joint.0.into())) {
            let label = format!("joint {joint}");
            draw_entity_button(ui, page, &label, rig_place.joint.map(Entity::Joint));
        }
    });
}

/// Draws a button that highlights and selects an entity of the rig, or the label alone if the rig
/// has no such entity.
fn draw_entity_button(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    label: &str,
    entity: Option<Entity>,
) {
    let text = page.theme.caption(label);
    let Some(entity) = entity else {
        ui.label(text);
        return;
    };
    let is_lit = page.linked.is_lit(entity);
    let button = Button::selectable(is_lit, text.color(page.theme.accent));
    let response = ui.add(button.frame_when_inactive(true)).tip("Choose it: the viewport marks it");
    page.link_response(&response, entity);
}

/// Draws a text with its label, unless the text is empty.
fn draw_labelled_text(ui: &mut Ui, theme: &Theme, label: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let label = theme.caption(label);
    if ui.available_width() < MIN_WIDTH_FOR_LABELS_PTS {
        ui.label(label);
        paragraph_ui(ui, theme, text, SMALL_SIZE, Emphasis::Plain);
        return;
    }
    ui.horizontal_top(|ui| {
        let column = Layout::top_down(Align::Min);
        ui.allocate_ui_with_layout(vec2(LABEL_WIDTH_PTS, 20.0), column, |ui| {
            ui.set_min_width(LABEL_WIDTH_PTS);
            // Aligns the label with the larger text beside it.
            ui.add_space(2.0);
            ui.label(label);
        });
        ui.vertical(|ui| paragraph_ui(ui, theme, text, SMALL_SIZE, Emphasis::Plain));
    });
}

/// Vertex and joint of the rig to which a finding refers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RigPlace {
    vertex: Option<u32>,
    joint: Option<JointIndex>,
}

/// Finds the place of a finding in the rig from its JSON pointer. Returns an empty place if the
/// rig has none.
fn find_rig_place(finding: &Diagnostic, rig: &Rig, origin: &RigOrigin) -> RigPlace {
    let Place::Model(place) = &finding.at else {
        return RigPlace::default();
    };
    let segments: Vec<&str> = place.pointer.split('/').skip(1).collect();
    match segments.as_slice() {
        ["meshes", mesh, "primitives", primitive, ..] => {
            let (Ok(mesh), Ok(primitive)) = (mesh.parse::<usize>(), primitive.parse::<usize>())
            else {
                return RigPlace::default();
            };
            let Some(part) =
                rig.mesh.parts.iter().find(|part| part.mesh == mesh && part.primitive == primitive)
            else {
                return RigPlace::default();
            };
            let vertex = place
                .vertex
                .and_then(|vertex| part.vertices.start.checked_add(vertex))
                .filter(|vertex| part.vertices.contains(vertex));
            let joint = part.skin.and_then(|skin| skin_joint(place, origin, skin));
            RigPlace { vertex, joint }
        }
        ["skins", skin, ..] => {
            let skin = skin.parse::<usize>().ok();
            RigPlace { vertex: None, joint: skin.and_then(|skin| skin_joint(place, origin, skin)) }
        }
        ["nodes", node, ..] => {
            let node = node.parse::<usize>().ok().and_then(|node| origin.graph.nodes.get(node));
            RigPlace { vertex: None, joint: node.and_then(|node| node.joint) }
        }
        _ => RigPlace::default(),
    }
}

/// Returns the joint at the place's index in the joint list of a skin.
fn skin_joint(at: &ModelPlace, origin: &RigOrigin, skin: usize) -> Option<JointIndex> {
    let ours = &origin.graph.skins.get(skin)?.ours;
    ours.get(at.joint? as usize).copied()
}
