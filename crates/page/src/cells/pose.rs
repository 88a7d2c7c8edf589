//! A program that poses the model in every frame, as text to be changed.

use bindpose_lesson::PoseCell;
use bindpose_notebook::Edit;
use bindpose_notebook::cell_text::{TextError, wrong_with_program};
use bindpose_notebook::number_text::fixed;
use eframe::egui::{Button, Id, RichText, Ui};

use super::angles::has_clip_transport;
use super::code_editor::{Editor, EditorState, ResetWords, changed_lines, reset_button};
use super::formula_field::put;
use crate::PageContext;
use crate::theme::{SMALL, font};
use crate::widgets::{Tip as _, play_button};

/// Lines shown at once where the lesson does not say.
const LINES: usize = 14;

/// What is kept from frame to frame.
#[derive(Default)]
struct PoseCellState {
    editor: EditorState,
    /// Has time moved on since it was started?
    begun: bool,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &PoseCell, id: &str, page: &mut PageContext<'_>) {
    let own = &cell.program.source;
    let text = page.document.text_of(id, own).to_owned();
    let wrong = wrong_with_program(&text, page.derived);
    heading(ui, own, &text, id, page);
    let marked: Vec<(usize, &str)> =
        wrong.iter().map(|wrong| (wrong.at.line, wrong.words.as_str())).collect();
    let changed = changed_lines(own, &text);
    let editor = Editor {
        id: Id::unique(("pose cell", &page.document.lesson, id)),
        text: &text,
        name: "Text of the program",
        language: "js",
        changed: &changed,
        wrong: &marked,
        lines: cell.lines.unwrap_or(LINES).clamp(3, 60),
    };
    let typed = page.with_state(id, |memory: &mut PoseCellState, page| {
        play(ui, memory, page);
        editor.show(ui, page.theme, &mut memory.editor)
    });
    if let Some(text) = typed {
        put(Some(text), id, page);
    }
    said(ui, wrong.as_ref(), page);
}

/// What it is, and the way back.
fn heading(ui: &mut Ui, own: &str, text: &str, id: &str, page: &mut PageContext<'_>) {
    let (theme, edited) = (page.theme, text != own);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Program of the pose").font(font::strong(SMALL)));
        let words = ResetWords {
            name: "Reset the program",
            tip: "The lesson’s own text again; undo brings yours back",
            tip_disabled: "This is the lesson’s own text.",
        };
        if reset_button(ui, theme, edited, &words).clicked() {
            put(None, id, page);
        }
    });
}

/// Play or pause, and the time that the program reads, unless a clip has it.
fn play(ui: &mut Ui, memory: &mut PoseCellState, page: &mut PageContext<'_>) {
    if has_clip_transport(page) {
        return;
    }
    page.view.playing.motion.driven = true;
    let time_secs = page.document.time_secs();
    ui.horizontal(|ui| {
        let motion = &mut page.view.playing.motion;
        if play_button(ui, motion.playing, "P") {
            motion.playing = !motion.playing;
        }
        let words = format!("t = {} s", fixed(time_secs, 2));
        ui.label(RichText::new(words).monospace());
        let back = ui.add_enabled(time_secs != 0.0, Button::new("t = 0"));
        let back = back.tip("Back to the beginning").tip_disabled("It is 0.");
        if back.clicked() {
            page.view.playing.motion.playing = false;
            page.edits.push(Edit::PlayTo { time_secs: 0.0, begins: true });
        }
    });
    if !page.view.playing.motion.playing {
        memory.begun = false;
        return;
    }
    if ui.ctx().current_pass_index() == 0 {
        let begins = !std::mem::replace(&mut memory.begun, true);
        let dt_secs = f64::from(ui.input(|input| input.stable_dt)).min(0.1);
        page.edits.push(Edit::PlayTo {
            time_secs: time_secs + dt_secs * page.view.playing.motion.speed,
            begins,
        });
        ui.ctx().request_repaint();
    }
}

/// What became of the text, in words under it.
fn said(ui: &mut Ui, wrong: Option<&TextError>, page: &PageContext<'_>) {
    let theme = page.theme;
    let run = page.derived.joints.program_run.as_ref();
    if let Some(wrong) = wrong {
        let (line, column) = (wrong.at.line, wrong.at.column);
        let words = format!("Line {line}, column {column}: {}", wrong.words);
        ui.label(RichText::new(words).size(SMALL).color(theme.wrong));
        let words = match run.and_then(|run| run.error.as_ref()) {
            Some(_) => "What stands before that has been done.",
            None => "Until it can be read, the last text that could be read poses.",
        };
        ui.label(theme.caption(words));
    }
    for (at, seam) in run.iter().flat_map(|run| &run.seams) {
        let words = format!("Line {}, column {}: {}", at.line, at.column, seam.words());
        ui.label(RichText::new(words).size(SMALL).color(theme.wrong));
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{CellKind, LessonSet};
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::cells::testing::{Page, harness};

    const SOURCE: &str = "for j in joints {\n    rotate_z(j, sin(t) * 0.8)\n}";

    fn shown() -> Harness<'static, Page> {
        let mut page = Page::new("bone_grid");
        let text = format!(
            "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n```pose mover\nprogram = \"\"\"\n{SOURCE}\n\"\"\"\n```\n"
        );
        let set = LessonSet::from_memory(&[("10-one", &text, "notes")], "");
        let lesson = set.lessons[0].clone();
        let cell = lesson.cells().next().expect("a cell").clone();
        let CellKind::Pose(pose) = cell.kind else {
            panic!("{cell:?}");
        };
        page.put_lesson(lesson);
        let mut harness = harness(page, move |view, page| ui(view, &pose, "mover", page));
        harness.run();
        harness
    }

    #[test]
    fn the_program_is_a_text_that_can_be_changed_and_put_back() {
        let mut harness = shown();
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
    fn playing_moves_time_on_and_the_joints_with_it() {
        let mut harness = shown();
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
