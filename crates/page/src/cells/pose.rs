//! An editable program that poses the model in every frame.

use bindpose_kit::theme::{SMALL_SIZE, font};
use bindpose_kit::widgets::{Tip as _, play_button};
use bindpose_lesson::PoseCell;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::Edit;
use bindpose_notebook::cell_text::{TextError, wrong_with_program};
use eframe::egui::{Button, Id, RichText, Ui};

use super::angles::has_clip_transport;
use super::code_editor::{CodeEditor, EditorState, ResetButtonText, changed_lines, reset_button};
use super::formula_field::set_cell_text;
use crate::PageContext;

/// Number of visible lines if the lesson sets none.
const DEFAULT_LINE_COUNT: usize = 14;

/// State of the cell that is kept between frames.
#[derive(Default)]
struct PoseCellState {
    editor: EditorState,
    /// Whether time has advanced since playback started.
    has_advanced: bool,
}

pub(super) fn ui(ui: &mut Ui, cell: &PoseCell, id: &str, page: &mut PageContext<'_>) {
    let original = &cell.program.source;
    let text = page.document.text_of(id, original).to_owned();
    let error = wrong_with_program(&text, page.derived);
    heading_ui(ui, text != *original, id, page);
    let marked_lines: Vec<(usize, &str)> =
        error.iter().map(|error| (error.at.line, error.words.as_str())).collect();
    let changed = changed_lines(original, &text);
    let editor = CodeEditor {
        id: Id::unique(("pose cell", &page.document.lesson, id)),
        text: &text,
        name: "Text of the program",
        language: "js",
        changed_lines: &changed,
        errors: &marked_lines,
        max_visible_lines: cell.lines.unwrap_or(DEFAULT_LINE_COUNT).clamp(3, 60),
    };
    let new_text = page.with_state(id, |state: &mut PoseCellState, page| {
        playback_ui(ui, state, page);
        editor.show(ui, page.theme, &mut state.editor)
    });
    if new_text.is_some() {
        set_cell_text(new_text, id, page);
    }
    errors_ui(ui, error.as_ref(), page);
}

/// Draws the heading and the button that restores the lesson's text.
fn heading_ui(ui: &mut Ui, is_edited: bool, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Program of the pose").font(font::strong(SMALL_SIZE)));
        let words = ResetButtonText {
            name: "Reset the program",
            tip: "The lesson’s own text again; undo brings yours back",
            tip_disabled: "This is the lesson’s own text.",
        };
        if reset_button(ui, page.theme, is_edited, &words).clicked() {
            set_cell_text(None, id, page);
        }
    });
}

/// Draws the play button and the time that the program reads, and advances the time. Does
/// nothing if a clip's timeline controls the time.
fn playback_ui(ui: &mut Ui, state: &mut PoseCellState, page: &mut PageContext<'_>) {
    if has_clip_transport(page) {
        return;
    }
    page.view.playing.motion.has_control = true;
    let time_secs = page.document.time_secs();
    ui.horizontal(|ui| {
        let motion = &mut page.view.playing.motion;
        if play_button(ui, motion.playing, "P") {
            motion.playing = !motion.playing;
        }
        let text = format!("t = {} s", fixed(time_secs, 2));
        ui.label(RichText::new(text).monospace());
        let response = ui
            .add_enabled(time_secs != 0.0, Button::new("t = 0"))
            .tip("Back to the beginning")
            .tip_disabled("It is 0.");
        if response.clicked() {
            page.view.playing.motion.playing = false;
            page.requests.edits.push(Edit::PlayTo { time_secs: 0.0, begins: true });
        }
    });
    if !page.view.playing.motion.playing {
        state.has_advanced = false;
        return;
    }
    if ui.ctx().current_pass_index() == 0 {
        let begins = !std::mem::replace(&mut state.has_advanced, true);
        let dt_secs = f64::from(ui.input(|input| input.stable_dt)).min(0.1);
        page.requests.edits.push(Edit::PlayTo {
            time_secs: time_secs + dt_secs * page.view.playing.motion.speed,
            begins,
        });
        ui.ctx().request_repaint();
    }
}

/// Draws the errors of the program, and of its last run.
fn errors_ui(ui: &mut Ui, error: Option<&TextError>, page: &PageContext<'_>) {
    let theme = page.theme;
    let run = page.derived.joints.program_run.as_ref();
    if let Some(error) = error {
        let text = format!("Line {}, column {}: {}", error.at.line, error.at.column, error.words);
        ui.label(RichText::new(text).size(SMALL_SIZE).color(theme.wrong));
        let consequence = match run.and_then(|run| run.error.as_ref()) {
            Some(_) => "What stands before that has been done.",
            None => "Until it can be read, the last text that could be read poses.",
        };
        ui.label(theme.caption(consequence));
    }
    for (at, seam) in run.iter().flat_map(|run| &run.seams) {
        let text = format!("Line {}, column {}: {}", at.line, at.column, seam.words());
        ui.label(RichText::new(text).size(SMALL_SIZE).color(theme.wrong));
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::CellKind;
    use bindpose_notebook::test_sample::lesson_on;
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::cells::testing::{Page, harness};

    const SOURCE: &str = "for j in joints {\n    rotate_z(j, sin(t) * 0.8)\n}";

    fn pose_harness() -> Harness<'static, Page> {
        let mut page = Page::new("bone_grid");
        let step = format!("```pose mover\nprogram = \"\"\"\n{SOURCE}\n\"\"\"\n```");
        let lesson = lesson_on("bone_grid", &step);
        let cell = lesson.cells().next().expect("a cell").clone();
        let CellKind::Pose(pose) = cell.kind else {
            panic!("{cell:?}");
        };
        page.lesson(lesson);
        let mut harness = harness(page, move |view, page| ui(view, &pose, "mover", page));
        harness.run();
        harness
    }

    #[test]
    fn program_can_be_edited_and_reset() {
        let mut harness = pose_harness();
        let field = harness.get_by_label("Text of the program");
        field.focus();
        harness.run();
        harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
        harness.run();
        harness.get_by_label("Text of the program").type_text("rotate_z(b1, 1) + 2");
        harness.run();
        let state = &harness.state().document.state;
        assert_eq!(&*state.texts["mover"].text, "rotate_z(b1, 1) + 2");
        harness.get_by_label_contains("Line 1, column 17: Expected an operator or the end");
        harness.get_by_label_contains("the last text that could be read poses");
        harness.get_by_role_and_label(Role::Button, "Reset the program").click();
        harness.run();
        assert!(harness.state().document.state.texts.is_empty());
        assert!(harness.query_by_label_contains("Line 1").is_none());
    }

    #[test]
    fn playback_advances_time_until_paused() {
        let mut harness = pose_harness();
        harness.get_by_role_and_label(Role::Button, "Play").click();
        harness.run_steps(4);
        let time_secs = harness.state().document.time_secs();
        assert!(time_secs > 0.0);
        harness.get_by_role_and_label(Role::Button, "Pause").click();
        harness.run();
        harness.get_by_role_and_label(Role::Button, "t = 0").click();
        harness.run();
        assert_eq!(harness.state().document.time_secs(), 0.0);
    }
}
