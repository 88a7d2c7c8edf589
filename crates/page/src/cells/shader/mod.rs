//! The vertex shader that draws the viewports, as text to be changed: every
//! change is compiled at once, and what does not compile is said with its line.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use bindpose_lesson::{ShaderCell, ViewportCell};
use bindpose_notebook::glsl::{self, ShaderKind};
use bindpose_notebook::{DrawnWith, Edit, ShaderFinding, ShaderReport};
use eframe::egui::{
    CollapsingHeader, CursorIcon, FontId, Label, RichText, Role, Sense, Ui, WidgetInfo,
    style::ScrollAnimation, vec2,
};

use super::code_editor::{Editor, EditorState, ResetWords, changed_lines, reset_button};
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::{Tip as _, icon_line, option_button};
use crate::{PageContext, code, icons};

/// Lines shown at once where the lesson does not say.
const LINES: usize = 18;

#[derive(Default)]
struct ShaderTexts {
    /// What is kept of each text, by the key of its kind.
    editors: BTreeMap<String, EditorState>,
    /// The first mistake that was said last.
    first_mistake: Option<ShaderFinding>,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ShaderCell, id: &str, page: &mut PageContext<'_>) {
    let scene = page.viewport_frame(&ViewportCell::default()).scene_without_view(page.theme.scene);
    let kind = ShaderKind::from_scene(&scene);
    let shader = match page.viewports.vertex_shader(&scene) {
        Ok(shader) => shader,
        Err(why) => {
            ui.label(page.theme.label(why));
            return;
        }
    };
    let rewritten = page.document.state.shaders.get(&kind.key());
    let source = ShaderSource {
        kind,
        report: rewritten.and_then(|text| page.viewports.shader_report(text)),
        text: rewritten.unwrap_or(&shader.body).clone(),
        own: shader.body,
    };
    heading(ui, &source, page);
    if !cell.no_presets {
        tries(ui, &source, page);
    }
    let wrong: Vec<(usize, &str)> = source
        .report
        .iter()
        .flat_map(|report| &report.findings)
        .filter_map(|finding| Some((finding.line?, finding.message.as_str())))
        .collect();
    let changed = changed_lines(&source.own, &source.text);
    let editor = Editor {
        // A caret and a place for each kind.
        id: eframe::egui::Id::unique(("shader cell", &page.document.lesson, id, kind.key())),
        text: &source.text,
        name: "Text of the vertex shader",
        language: "glsl",
        changed: &changed,
        wrong: &wrong,
        lines: cell.lines.unwrap_or(LINES).clamp(3, 60),
    };
    let changed = page.with_state(id, |texts: &mut ShaderTexts, page| {
        let state = texts.editors.entry(kind.key()).or_default();
        let changed = editor.show(ui, page.theme, state);
        if let Some(line) = messages_ui(ui, &source, &mut texts.first_mistake, page) {
            editor.go_to(ui, line, state);
        }
        changed
    });
    if let Some(text) = changed {
        put(&source, text, true, page);
    }
    declarations(ui, &shader.prelude, page);
}

/// The page's own text, typed again, is no change.
fn put(source: &ShaderSource, text: String, typed: bool, page: &mut PageContext<'_>) {
    page.edits.push(Edit::Shader {
        kind: source.kind,
        text: (text != source.own).then_some(text),
        typed,
    });
}

/// Which shader it is, and the way back.
fn heading(ui: &mut Ui, source: &ShaderSource, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let edited = source.text != source.own;
    ui.horizontal_wrapped(|ui| {
        let title = RichText::new("Vertex shader").font(font::strong(SMALL));
        ui.label(title);
        ui.label(theme.caption(source.kind.label()))
            .tip("How the palette is read, how joints are blended, what moves normals");
        let words = ResetWords {
            name: "Reset the shader",
            tip: "The page’s own text again; undo brings yours back",
            tip_disabled: "This is the page’s own text.",
        };
        if reset_button(ui, theme, edited, &words).clicked() {
            put(source, source.own.clone(), false, page);
        }
    });
}

/// Small changes, a button each, that go in and out.
fn tries(ui: &mut Ui, source: &ShaderSource, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(page.theme.caption("Try"));
        for change in glsl::tries() {
            let on = glsl::tried(&source.text, &source.own, change);
            let button = option_button(on == Some(true), change.label);
            let response = ui
                .add_enabled(on.is_some(), button)
                .tip(change.tooltip)
                .tip_disabled("The line that this would change is not in the text.");
            if response.clicked()
                && let Some(text) = glsl::apply_try(&source.text, &source.own, change)
            {
                put(source, text, false, page);
            }
        }
    });
}

/// What stands before the text when it is compiled.
fn declarations(ui: &mut Ui, prelude: &str, page: &PageContext<'_>) {
    let title = page.theme.caption("What is declared before it");
    CollapsingHeader::new(title).id_salt("declarations").show(ui, |ui| {
        code::listing_ui(ui, "glsl", prelude.trim(), page.theme);
    });
}

// What became of the reader's text, in words under it.

/// Says it; the line of a mistake that was clicked.
fn messages_ui(
    ui: &mut Ui,
    source: &ShaderSource,
    first_mistake: &mut Option<ShaderFinding>,
    page: &PageContext<'_>,
) -> Option<usize> {
    let theme = page.theme;
    let mut chosen = None;
    let said = ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        if let Some(report) = &source.report {
            for finding in &report.findings {
                if mistake(ui, finding, theme) {
                    chosen = finding.line;
                }
            }
            for note in &report.notes {
                ui.label(RichText::new(note).size(SMALL).color(theme.caution));
            }
            let (words, color) = drawn(report, theme);
            ui.label(RichText::new(words).size(CAPTION).color(color));
        } else if source.text != source.own {
            let words = "It is compiled as soon as a viewport shows the surface.";
            ui.label(theme.caption(words));
        }
        if let Some(words) = elsewhere(source, page) {
            ui.label(theme.caption(words));
        }
    });
    let first = source.report.as_ref().and_then(|report| report.findings.first());
    if first_mistake.as_ref() != first {
        *first_mistake = first.cloned();
        if first.is_some() {
            // A long text reaches down to the fold.
            ui.scroll_to_rect_animation(said.response.rect, None, ScrollAnimation::none());
        }
    }
    chosen
}

/// True when clicked.
fn mistake(ui: &mut Ui, finding: &ShaderFinding, theme: &Theme) -> bool {
    let words = match finding.line {
        Some(line) => format!("Line {line}: {}", finding.message),
        None => finding.message.clone(),
    };
    let parts = [(icons::X, 0.0, font::icon(SMALL)), (&*words, 6.0, FontId::proportional(SMALL))];
    let mut job = icon_line(parts, theme.wrong);
    job.wrap.max_width = ui.available_width();
    let (role, sense) = match finding.line {
        Some(_) => (Role::Link, Sense::click()),
        None => (Role::Label, Sense::hover()),
    };
    let mut response = ui.add(Label::new(job).sense(sense));
    response.widget_info(|| WidgetInfo::labeled(role, true, &words));
    if finding.line.is_some() {
        response = response.on_hover_cursor(CursorIcon::PointingHand).tip("To this line");
    }
    response.clicked()
}

/// Which text the picture shows.
fn drawn(report: &ShaderReport, theme: &Theme) -> (&'static str, eframe::egui::Color32) {
    match report.drawn_with {
        DrawnWith::Reader if report.notes.is_empty() => {
            ("It compiles, and draws the picture.", theme.right)
        }
        DrawnWith::Reader => ("It compiles.", theme.quiet),
        DrawnWith::LastGood => {
            ("Until it compiles, the picture is drawn by your last text that did.", theme.quiet)
        }
        DrawnWith::Ours => {
            ("Until it compiles, the picture is drawn by the page’s own text.", theme.quiet)
        }
    }
}

/// Texts of other kinds that the reader changed: they come back with the
/// switches they were written under.
fn elsewhere(source: &ShaderSource, page: &PageContext<'_>) -> Option<String> {
    let others: Vec<String> = page
        .document
        .state
        .shaders
        .keys()
        .filter(|key| **key != source.kind.key())
        .filter_map(|key| Some(format!("“{}”", ShaderKind::from_key(key)?.label())))
        .collect();
    (!others.is_empty()).then(|| {
        format!(
            "Each way of skinning has a shader of its own. Yours for {} is kept, and comes back with its switches.",
            others.join(", ")
        )
    })
}

// The text of the shader: as the page gives it, and as the reader has it.

/// What a reader has before them.
struct ShaderSource {
    kind: ShaderKind,
    /// As the page gives it.
    own: String,
    /// As it is now.
    text: String,
    /// Of the last picture, if the text is the reader's.
    report: Option<ShaderReport>,
}
