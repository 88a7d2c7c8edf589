//! One file a kind of cell; this is their registry.

mod again;
pub(crate) mod angles;
mod ask;
pub(crate) mod brush;
mod budget;
mod bytes;
mod chain;
mod check;
mod code_editor;
pub(crate) mod compare;
mod conventions;
mod device;
mod doctor;
mod engine_numbers;
pub(crate) mod entity_chooser;
mod faults;
mod formula_field;
mod histogram;
mod indices;
pub(crate) mod matrix;
mod model_difference;
#[cfg(test)]
mod number_tests;
mod picture;
mod plot;
mod predict;
mod proof;
mod quantiser;
mod shader;
mod stops;
#[cfg(test)]
pub(crate) mod testing;
mod texture;
mod timeline;
mod tree;
pub(crate) mod vertex;
mod viewport;
pub(crate) mod weight_sliders;
mod weights;
#[cfg(test)]
mod width_tests;
mod words;

pub(crate) use ask::{choice_row, choice_rows};
use bindpose_lesson::{
    Cell, CellKind, ErrataCell, JointName, NoteCell, NoteKind, PoseCell, Setting, StagesCell, Text,
};
use bindpose_notebook::Edit;
use bindpose_notebook::cell_text::{TextError, wrong_with_program};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::stage_points::{STAGE_NAMES, joint_of_view, sentence, way};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};
use eframe::egui;
use eframe::egui::{Align, Button, FontId, Id, Layout, RichText, Ui};

use super::PageContext;
use crate::icons;
use crate::prose::{Face, line_ui, text_ui};
use crate::theme::{CAPTION, CARD, FINE, LEAD, SMALL, font};
use crate::widgets::buttons::{SegmentedChoice, segmented};
use crate::widgets::{Emphasis, Tip as _, Tone, buttons, card, icon_line, play_button};
use angles::has_clip_transport;
use code_editor::{Editor, EditorState, changed_lines};
use formula_field::put;

/// Shows a cell where the page has got to. `height` is what a viewport may take. A
/// picture that is held shows the page as it was.
pub fn cell_ui(ui: &mut egui::Ui, cell: &Cell, page: &mut PageContext<'_>, height: f32) {
    let held = page.view.presenter.held.clone();
    if let Some(held) = held.filter(|_| cell.kind.draws_scene()) {
        let mut page = page.with(&held.document, &held.derived);
        shown_ui(ui, cell, &mut page, height);
    } else {
        shown_ui(ui, cell, page, height);
    }
}

fn shown_ui(ui: &mut egui::Ui, cell: &Cell, page: &mut PageContext<'_>, height: f32) {
    let shown = ui.push_id(&cell.id, |ui| match &cell.kind {
        CellKind::Viewport(viewport) => viewport::ui(ui, viewport, &cell.id, page, height),
        CellKind::Angles(angles) => angles::ui(ui, angles, &cell.id, page),
        CellKind::Stages(stages) => stages_ui(ui, stages, page),
        CellKind::Stops(stops) => stops::ui(ui, stops, page),
        CellKind::Indices(indices) => indices::ui(ui, indices, &cell.id, page),
        CellKind::Histogram(histogram) => histogram::ui(ui, histogram, &cell.id, page),
        CellKind::Matrix(matrix) => matrix::ui(ui, matrix, &cell.id, page),
        CellKind::Conventions(conventions) => {
            conventions::ui(ui, conventions, &cell.id, page);
        }
        CellKind::Chain(chain) => chain::ui(ui, chain, &cell.id, page),
        CellKind::Brush(_) => brush::ui(ui, &cell.id, page),
        CellKind::Quantiser(quantiser) => quantiser::ui(ui, quantiser, &cell.id, page),
        CellKind::ModelDifference(difference) => {
            model_difference::ui(ui, difference, &cell.id, page);
        }
        CellKind::Weights(weights) => weights::ui(ui, weights, &cell.id, page),
        CellKind::Vertex(vertex) => vertex::ui(ui, vertex, &cell.id, page),
        CellKind::Budget(budget) => budget::ui(ui, budget, &cell.id, page),
        CellKind::Errata(errata) => errata_ui(ui, errata, page),
        CellKind::Note(note) => note_ui(ui, note, page),
        CellKind::Picture(picture) => picture::ui(ui, picture, &cell.id, page, height),
        CellKind::Plot(plot) => plot::ui(ui, plot, &cell.id, page),
        CellKind::Shader(shader) => shader::ui(ui, shader, &cell.id, page),
        CellKind::Pose(pose) => pose_ui(ui, pose, &cell.id, page),
        CellKind::Proof(proof) => proof::ui(ui, proof, &cell.id, page),
        CellKind::Compare(compare) => compare::ui(ui, compare, &cell.id, page, height),
        CellKind::Check(check) => check::ui(ui, check, &cell.id, page),
        CellKind::Predict(predict) => predict::ui(ui, predict, &cell.id, page),
        CellKind::Ask(ask) => ask::ui(ui, ask, &cell.id, page),
        CellKind::Faults(faults) => faults::ui(ui, faults, &cell.id, page),
        CellKind::Doctor(doctor) => doctor::ui(ui, doctor, &cell.id, page),
        CellKind::EngineNumbers(numbers) => engine_numbers::ui(ui, numbers, &cell.id, page),
        CellKind::Tree(tree) => tree::ui(ui, tree, &cell.id, page),
        CellKind::Bytes(bytes) => bytes::ui(ui, bytes, &cell.id, page),
        CellKind::Timeline(timeline) => timeline::ui(ui, timeline, &cell.id, page),
        CellKind::Texture(texture) => texture::ui(ui, texture, &cell.id, page),
    });
    let part = DemonstratedPart::Cell(cell.id.clone());
    page.view.placed.note(part, shown.response.rect);
}

// Cards beside the text: notes under a heading of their own, and claims of the
// source articles, corrected: what they say, what is true, and how one can see it.

/// Draws a note.
fn note_ui(ui: &mut Ui, cell: &NoteCell, page: &mut PageContext<'_>) {
    let tone = match cell.kind {
        NoteKind::Aside => Tone::Quiet,
        NoteKind::Caution => Tone::Caution,
    };
    let texts = [(&cell.text, CARD, Emphasis::Plain)];
    note_card(ui, tone, (&cell.title, None), &texts, page);
}

/// Draws a claim that is corrected.
fn errata_ui(ui: &mut Ui, cell: &ErrataCell, page: &mut PageContext<'_>) {
    let heading = Text::from("The articles say");
    let texts = [
        (&cell.claim, CARD, Emphasis::Quiet),
        (&cell.correction, LEAD, Emphasis::Strong),
        (&cell.why, CARD, Emphasis::Plain),
    ];
    let heading = (&heading, cell.id.as_deref());
    note_card(ui, Tone::Caution, heading, &texts, page);
}

/// A card with its heading, perhaps a number at its right, and texts below each other.
fn note_card(
    ui: &mut Ui,
    tone: Tone,
    (heading, number): (&Text, Option<&str>),
    texts: &[(&Text, f32, Emphasis)],
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.horizontal(|ui| {
            let mut face = Face::of_text(CAPTION, Emphasis::Strong, theme);
            face.color = tone.heading_color(theme);
            line_ui(ui, heading, face, page);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(number) = number {
                    let number = RichText::new(number).monospace().size(FINE);
                    ui.label(number.color(theme.quiet)).tip("Its number in the list of errata");
                }
            });
        });
        for &(text, size, emphasis) in texts {
            text_ui(ui, text, size, emphasis, page);
        }
    });
}

// The bind-pose switch: how far a vertex has come, and what is put in the
// place of the inverse bind matrix. Every position shows where the chosen
// vertex is then, so the whole way can be read at once.

/// Shows the switch.
fn stages_ui(ui: &mut Ui, cell: &StagesCell, page: &mut PageContext<'_>) {
    let document = page.document;
    let joint = joint_of_view(page.now());
    let names: Vec<String> =
        (1..).zip(STAGE_NAMES).map(|(number, name)| format!("{number}  {name}")).collect();
    let details = way(page.derived, document.state.vertex as usize, joint);
    let tooltips = [
        "The vertex as stored",
        "As the joint sees it: the inverse bind matrix, applied",
        "Carried to the world by one joint alone",
        "The weighted sum over all its joints",
    ];
    row(ui, page, "Stage", 50.0, |ui, page| {
        let segments: Vec<SegmentedChoice<'_>> = (0..4)
            .map(|index| SegmentedChoice {
                text: &names[index],
                detail: details[index].clone(),
                tooltip: tooltips[index],
            })
            .collect();
        let current = SkinStage::ALL.iter().position(|&s| s == document.state.stage).unwrap_or(3);
        if let Some(chosen) = segmented(ui, page.theme, &segments, current, false) {
            page.choose(Setting::Stage(SkinStage::ALL[chosen]));
        }
    });
    if !cell.stage_only {
        row(ui, page, "Inverse bind", 32.0, |ui, page| {
            let options = [
                (
                    InverseBind::Inverse,
                    "inverse",
                    "The inverse of the joint’s bind transform: right",
                ),
                (
                    InverseBind::LeftOut,
                    "left out",
                    "The joint moves vertices as they are stored: wrong even at rest",
                ),
                (
                    InverseBind::Subtract,
                    "subtract",
                    "Only the joint’s position is taken off: right until the bind pose is rotated",
                ),
            ];
            let now = document.state.inverse_bind;
            let alarm = now != InverseBind::Inverse;
            if let Some(way) = buttons::choose_segment(ui, page.theme, &options, now, alarm) {
                page.choose(Setting::InverseBind(way));
            }
        });
    }
    if cell.through {
        through_row(ui, page);
    }
    let (sentence, wrong) = sentence(page.now(), joint);
    let color = if wrong { page.theme.wrong } else { page.theme.quiet };
    ui.label(RichText::new(sentence).size(SMALL).color(color));
}

fn row(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    label: &str,
    height: f32,
    add: impl FnOnce(&mut Ui, &mut PageContext<'_>),
) {
    // The label stands beside the switch where there is room, above it where not.
    if ui.available_width() > 520.0 {
        ui.horizontal(|ui| {
            let width = 96.0;
            ui.allocate_ui_with_layout(
                eframe::egui::vec2(width, height),
                eframe::egui::Layout::left_to_right(eframe::egui::Align::Center),
                |ui| {
                    ui.set_min_width(width);
                    ui.label(page.theme.label(label));
                },
            );
            ui.vertical(|ui| add(ui, page));
        });
    } else {
        ui.label(page.theme.label(label));
        add(ui, page);
    }
}

/// One joint for the whole mesh, or each vertex through its strongest.
fn through_row(ui: &mut Ui, page: &mut PageContext<'_>) {
    row(ui, page, "Through", 32.0, |ui, page| {
        let count = page.derived.rig.skeleton.len().min(5);
        let names: Vec<String> = (0..count).map(|joint| format!("joint {joint}")).collect();
        let strongest = "Each vertex through the joint with its largest weight";
        let mut options = vec![(None, "strongest", strongest)];
        options.extend(names.iter().zip(0..).map(|(name, joint)| {
            let alone = "The whole mesh through this joint alone, whatever the weights say";
            (Some(JointIndex(joint)), name.as_str(), alone)
        }));
        let now = page.document.state.through;
        if let Some(joint) = buttons::choose_segment(ui, page.theme, &options, now, false) {
            page.choose(Setting::Through(joint.map(JointName::from)));
        }
    });
}

// A program that poses the model in every frame, as text to be changed.

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
fn pose_ui(ui: &mut Ui, cell: &PoseCell, id: &str, page: &mut PageContext<'_>) {
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
    let theme = page.theme;
    let edited = text != own;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Program of the pose").font(font::strong(SMALL)));
        let parts = [
            (icons::ARROW_COUNTER_CLOCKWISE, 0.0, font::icon(SMALL)),
            ("Reset", 5.0, FontId::proportional(CAPTION)),
        ];
        let words = icon_line(parts, if edited { theme.ink } else { theme.quiet });
        // Always there, so that nothing moves under the pointer.
        let reset = ui
            .add_enabled(edited, Button::new(words))
            .accessible_name("Reset the program")
            .tip("The lesson’s own text again; undo brings yours back")
            .tip_disabled("This is the lesson’s own text.");
        if reset.clicked() {
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

    use super::testing::{Page, harness};
    use super::*;
    use bindpose_lesson::CellKind;
    use bindpose_lesson::LessonSet;
    use eframe::egui::Key;
    use eframe::egui::accesskit::Role;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    #[test]
    fn claim_correction_and_reason_can_be_read() {
        let cell = ErrataCell {
            claim: "64 slots leave 5 bones.".into(),
            correction: "They leave 13.".into(),
            why: "A matrix takes 4 slots.".into(),
            id: Some("E-01".to_owned()),
        };
        let mut harness = harness(Page::new("bone_grid"), move |view, page| {
            errata_ui(view, &cell, page);
        });
        harness.run();
        let lines = [
            "The articles say",
            "64 slots leave 5 bones.",
            "They leave 13.",
            "A matrix takes 4 slots.",
        ];
        let tops = lines.map(|line| harness.get_by_label(line).rect().top());
        assert!(tops.is_sorted(), "one below the other: {tops:?}");
        harness.get_by_label("E-01");
    }

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
        let mut harness = harness(page, move |view, page| pose_ui(view, &pose, "mover", page));
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
