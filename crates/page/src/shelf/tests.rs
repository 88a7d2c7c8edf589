use bindpose_lesson::{DataEdit, LessonSet, Setting};
use bindpose_notebook::Edit;
use bindpose_notebook::shown_cells::shared_vertex;
use bindpose_skin::{JointIndex, SkinStage};
use eframe::egui::accesskit::Role;
use eframe::egui::{Rect, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::{divide_width, split, ui as shelf_ui};
use crate::cells::testing::{Page, harness};
use bindpose_notebook::shelf::ShelfParts;

/// A page of the arm with a step of this body, at joint 1.
fn arm(body: &str) -> Page {
    let text = format!(
        "+++\ntitle = \"T\"\nminutes = 1\nrig = \"arm\"\n+++\n\n## One\n\nProse.\n\n{body}\n"
    );
    let mut page = Page::new("arm");
    page.lesson(LessonSet::from_memory(&[("10-t", &text, "")], "").lessons.remove(0));
    page.document.state.joint = JointIndex(1);
    page
}

fn open(page: Page) -> Harness<'static, Page> {
    let mut harness = harness(page, |ui, page| {
        let column = ui.max_rect();
        let (stage, row) = split(page, column);
        assert!(stage.height() >= column.height() - 48.0);
        if let Some(row) = row {
            shelf_ui(ui, page, &row);
        }
    });
    harness.run();
    harness
}

fn has_label(harness: &Harness<'_, Page>, words: &str) -> bool {
    harness.query_all_by_label_contains(words).next().is_some()
}

#[test]
fn shows_an_angle_weights_and_a_matrix() {
    let harness = open(arm(""));
    harness.get_by_role_and_label(Role::Slider, "bend");
    assert!(has_label(&harness, "joint matrix of joint 1: 1.00 0.00 0.00"));
    assert!(has_label(&harness, "of joint 0"), "the weights of a shared vertex");
    harness.get_by_role_and_label(Role::Button, "all numbers");
}

#[test]
fn leaves_out_what_the_step_shows() {
    let harness = open(arm("```angles a stage\nparams = [\"bend\"]\n```"));
    assert!(harness.query_by_role_and_label(Role::Slider, "bend").is_none());
    let harness = open(arm("```matrix m stage\nshow = [\"world_from_bind(1)\"]\n```"));
    assert!(!has_label(&harness, "joint matrix of joint 1"));
    let harness = open(arm("```set\nhide = [\"shelf\"]\n```"));
    assert!(!has_label(&harness, "all numbers"));
}

#[test]
fn a_sum_of_matrices_shows_those_of_its_joints() {
    for (vertex, is_on_shelf) in [(shared_vertex_of_arm(), false), (0, true)] {
        let mut page = arm("```vertex sum stage\nmatrices = true\n```");
        page.document.state.vertex = vertex;
        let harness = open(page);
        assert_eq!(has_label(&harness, "joint matrix of joint 1"), is_on_shelf, "v{vertex}");
    }
}

/// Returns a vertex that follows both joints of the arm. Vertex 0 follows joint 0.
fn shared_vertex_of_arm() -> u32 {
    let influences = &bindpose_rigs::builtin("arm").expect("a built-in rig").mesh.influences;
    shared_vertex(influences, JointIndex(1)).expect("a shared vertex")
}

#[test]
fn weights_that_are_not_blended_are_marked() {
    let mut page = arm("");
    assert!(!has_label(&open(arm("")), "not blended at this stage"));
    page.document.state.stage = SkinStage::Posed;
    assert!(has_label(&open(page), "not blended at this stage"));
}

#[test]
fn on_a_low_stage_the_row_appears_while_the_pointer_is_near() {
    const LOW_HEIGHT: f32 = 300.0;
    const NARROW_WIDTH: f32 = 330.0;
    let mut harness = harness(arm(""), |ui, page| {
        let size = vec2(NARROW_WIDTH, LOW_HEIGHT);
        let column = Rect::from_min_size(ui.max_rect().min, size);
        let (stage, row) = split(page, column);
        assert_eq!(stage, column, "the picture keeps its height");
        if let Some(row) = row {
            shelf_ui(ui, page, &row);
        }
    });
    harness.run();
    assert!(!has_label(&harness, "all numbers"));
    harness.hover_at(pos2(100.0, LOW_HEIGHT - 20.0));
    harness.run();
    // Each part has a line of its own.
    harness.get_by_role_and_label(Role::Slider, "bend");
    assert!(has_label(&harness, "of joint 0"));
    assert!(has_label(&harness, "joint matrix of joint 1"));
    harness.hover_at(pos2(100.0, 20.0));
    harness.run();
    assert!(!has_label(&harness, "all numbers"));
}

#[test]
fn a_border_moves_weight_from_one_joint_to_the_next() {
    let mut harness = open(arm(""));
    let border = harness
        .query_all_by_role(Role::Slider)
        .find(|slider| {
            let label = slider.accesskit_node().label();
            label.is_some_and(|label| label.starts_with("weight of joint"))
        })
        .expect("a border");
    border.set_value_accesskit(0.25);
    harness.run();
    let edits = &harness.state().edits;
    let [Edit::Settings(settings)] = &edits[..] else { panic!("{edits:?}") };
    let [Setting::Data(DataEdit::Weights(_, weights))] = &settings[..] else {
        panic!("{settings:?}")
    };
    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{weights:?}");
    assert!(weights.iter().any(|weight| (weight - 0.25).abs() < 1e-5), "{weights:?}");
}

#[test]
fn what_a_question_asks_for_waits_for_the_answer() {
    let question = "```ask it\nask = \"How large is the weight?\"\nwhy = \"So.\"\n\
        else = \"No.\"\nnumber = \"0.25\"\ntolerance = 0.01\n```";
    let mut page = arm(question);
    let harness = open(arm(question));
    harness.get_by_label("weights after your answer");
    assert!(harness.query_by_role_and_label(Role::Slider, "bend").is_some());
    assert!(!has_label(&harness, "weight of joint"));
    let answer = bindpose_notebook::Answer { text: "0.25".to_owned(), given: true };
    page.document.state.answers.insert("it".to_owned(), answer);
    let harness = open(page);
    assert!(has_label(&harness, "weight of joint"));
}

#[test]
fn guess_and_diagnosis_are_not_given_away() {
    let harness = open(arm(
        "```predict it\nask = \"Where?\"\nvertex = 1\nset = { bend = \"90deg\" }\nclose = 0.1\n\
         why = \"There.\"\n```",
    ));
    harness.get_by_label("angle after your answer");
    assert!(harness.query_by_role_and_label(Role::Slider, "bend").is_none());
    let harness = open(arm("```faults it\ndiagnose = true\n```"));
    harness.get_by_label("numbers after your answer");
}

#[test]
fn parts_that_do_not_fit_are_left_out_from_the_end() {
    let wide = divide_width(800.0, ShelfParts::ALL, 180.0);
    assert!(wide.angle > 0.0 && wide.weights > 0.0 && wide.matrix > 0.0, "{wide:?}");
    let narrow = divide_width(400.0, ShelfParts::ALL, 180.0);
    assert!(narrow.weights > 0.0 && narrow.matrix == 0.0, "{narrow:?}");
    let narrowest = divide_width(250.0, ShelfParts::ALL, 180.0);
    assert!(narrowest.angle > 0.0 && narrowest.weights == 0.0, "{narrowest:?}");
}
