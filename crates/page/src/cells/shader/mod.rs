//! An editor for the vertex shader of the viewports. Each change is compiled at once,
//! and errors are shown with their lines.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{Tip as _, icon_line, option_button};
use bindpose_kit::{code, icons};
use bindpose_lesson::{ShaderCell, ViewportCell};
use bindpose_notebook::glsl::{self, ShaderKind};
use bindpose_notebook::{DrawnWith, Edit, EditTarget, ShaderFinding, ShaderReport};
use eframe::egui::{
    CollapsingHeader, Color32, CursorIcon, FontId, Label, Response, RichText, Role, Sense, Ui,
    WidgetInfo, style::ScrollAnimation, vec2,
};

use super::code_editor::{CodeEditor, EditorState, ResetButtonText, changed_lines, reset_button};
use crate::PageContext;
use crate::scene_colors::scene_colors;

/// Default number of visible lines.
const DEFAULT_LINES: usize = 18;

#[derive(Default)]
struct ShaderEditors {
    /// States of the editors, by the key of the shader kind.
    states: BTreeMap<String, EditorState>,
    /// The first error of the last frame. A new one is scrolled to.
    first_error: Option<ShaderFinding>,
}

/// The text of a shader.
struct ShaderSource {
    kind: ShaderKind,
    /// The page's own text.
    original: String,
    /// Current text.
    text: String,
    /// Report of the last picture, if the reader has changed the text.
    report: Option<ShaderReport>,
}

pub(super) fn ui(ui: &mut Ui, cell: &ShaderCell, id: &str, page: &mut PageContext<'_>) {
    let scene =
        page.viewport_frame(&ViewportCell::default()).scene_without_view(scene_colors(page.theme));
    let kind = ShaderKind::from_scene(&scene);
    let shader = match page.viewports.vertex_shader(&scene) {
        Ok(shader) => shader,
        Err(reason) => {
            ui.label(page.theme.label(reason));
            return;
        }
    };
    let edited_text = page.document.state.shaders.get(&kind.key());
    let source = ShaderSource {
        kind,
        report: edited_text.and_then(|text| page.viewports.shader_report(text)),
        text: edited_text.unwrap_or(&shader.body).clone(),
        original: shader.body,
    };
    header_ui(ui, &source, page);
    if !cell.no_presets {
        presets_ui(ui, &source, page);
    }
    let errors: Vec<(usize, &str)> = source
        .report
        .iter()
        .flat_map(|report| &report.findings)
        .filter_map(|finding| Some((finding.line?, finding.message.as_str())))
        .collect();
    let changed = changed_lines(&source.original, &source.text);
    let editor = CodeEditor {
        // Each kind of shader has its own caret and scroll position.
        id: eframe::egui::Id::unique(("shader cell", &page.document.lesson, id, kind.key())),
        text: &source.text,
        name: "Text of the vertex shader",
        language: "glsl",
        changed_lines: &changed,
        errors: &errors,
        max_visible_lines: cell.lines.unwrap_or(DEFAULT_LINES).clamp(3, 60),
    };
    let new_text = page.with_state(id, |editors: &mut ShaderEditors, page| {
        let state = editors.states.entry(kind.key()).or_default();
        let new_text = editor.show(ui, page.theme, state);
        if let Some(line) = messages_ui(ui, &source, &mut editors.first_error, page) {
            editor.go_to(ui, line, state);
        }
        new_text
    });
    if let Some(text) = new_text {
        set_shader_text(&source, text, true, page);
    }
    let title = page.theme.caption("What is declared before it");
    CollapsingHeader::new(title).id_salt("declarations").show(ui, |ui| {
        code::listing_ui(ui, "glsl", shader.prelude.trim(), None, page.theme);
    });
}

/// Adds an edit that sets the text of the shader. The page's own text resets it.
fn set_shader_text(source: &ShaderSource, text: String, typed: bool, page: &mut PageContext<'_>) {
    page.requests.edits.push(if text == source.original {
        Edit::Reset(EditTarget::Shader(source.kind))
    } else {
        Edit::Shader { kind: source.kind, text, typed }
    });
}

/// Draws the kind of the shader and the reset button.
fn header_ui(ui: &mut Ui, source: &ShaderSource, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let is_edited = source.text != source.original;
    ui.horizontal_wrapped(|ui| {
        let title = RichText::new("Vertex shader").font(font::strong(SMALL_SIZE));
        ui.label(title);
        ui.label(theme.caption(source.kind.label()))
            .tip("How the palette is read, how joints are blended, what moves normals");
        let reset_text = ResetButtonText {
            name: "Reset the shader",
            tip: "The page’s own text again; undo brings yours back",
            tip_disabled: "This is the page’s own text.",
        };
        if reset_button(ui, theme, is_edited, &reset_text).clicked() {
            set_shader_text(source, source.original.clone(), false, page);
        }
    });
}

/// Draws a button for each small change that can be applied to the text and removed
/// again.
fn presets_ui(ui: &mut Ui, source: &ShaderSource, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(page.theme.caption("Try"));
        for change in glsl::tries() {
            let is_applied = glsl::tried(&source.text, &source.original, change);
            let button = option_button(is_applied == Some(true), change.label);
            let response = ui
                .add_enabled(is_applied.is_some(), button)
                .tip(change.tooltip)
                .tip_disabled("The line that this would change is not in the text.");
            if response.clicked()
                && let Some(text) = glsl::apply_try(&source.text, &source.original, change)
            {
                set_shader_text(source, text, false, page);
            }
        }
    });
}

/// Draws errors, notes and the state of the picture below the text. Returns the line of
/// an error that was clicked.
fn messages_ui(
    ui: &mut Ui,
    source: &ShaderSource,
    first_error: &mut Option<ShaderFinding>,
    page: &PageContext<'_>,
) -> Option<usize> {
    let theme = page.theme;
    let mut clicked_line = None;
    let messages = ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        if let Some(report) = &source.report {
            for finding in &report.findings {
                if error_ui(ui, finding, theme).clicked() {
                    clicked_line = finding.line;
                }
            }
            for note in &report.notes {
                ui.label(RichText::new(note).size(SMALL_SIZE).color(theme.caution));
            }
            let (text, color) = picture_state(report, theme);
            ui.label(RichText::new(text).size(CAPTION_SIZE).color(color));
        } else if source.text != source.original {
            let text = "It is compiled as soon as a viewport shows the surface.";
            ui.label(theme.caption(text));
        }
        if let Some(text) = other_kinds_text(source, page) {
            ui.label(theme.caption(text));
        }
    });
    let new_first_error = source.report.as_ref().and_then(|report| report.findings.first());
    if first_error.as_ref() != new_first_error {
        *first_error = new_first_error.cloned();
        if new_first_error.is_some() {
            // Below a long text, the messages may be out of view.
            ui.scroll_to_rect_animation(messages.response.rect, None, ScrollAnimation::none());
        }
    }
    clicked_line
}

/// Draws an error. It can be clicked if it has a line.
fn error_ui(ui: &mut Ui, finding: &ShaderFinding, theme: &Theme) -> Response {
    let text = match finding.line {
        Some(line) => format!("Line {line}: {}", finding.message),
        None => finding.message.clone(),
    };
    let parts =
        [(icons::X, 0.0, font::icon(SMALL_SIZE)), (&*text, 6.0, FontId::proportional(SMALL_SIZE))];
    let mut job = icon_line(parts, theme.wrong);
    job.wrap.max_width = ui.available_width();
    let (role, sense) = match finding.line {
        Some(_) => (Role::Link, Sense::click()),
        None => (Role::Label, Sense::hover()),
    };
    let response = ui.add(Label::new(job).sense(sense));
    response.widget_info(|| WidgetInfo::labeled(role, true, &text));
    if finding.line.is_none() {
        return response;
    }
    response.on_hover_cursor(CursorIcon::PointingHand).tip("To this line")
}

/// Describes which text draws the picture, with the colour of the message.
fn picture_state(report: &ShaderReport, theme: &Theme) -> (&'static str, Color32) {
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

/// Describes shaders of other kinds that the reader has changed. They are used again with
/// the settings that they were written for. Returns `None` if there are none.
fn other_kinds_text(source: &ShaderSource, page: &PageContext<'_>) -> Option<String> {
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
