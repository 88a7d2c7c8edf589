//! What a reader sees and can do.

use std::sync::Arc;

use bindpose_asset::{ModelSource, Rig, TaskProgress, builtin, open};
use bindpose_lesson::{Cell, CellKind, LessonSet, Show, ViewportCell};
use bindpose_notebook::{Navigation, OWN_RIG, PageAddress};
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use serde_json::{Value, json};

use super::*;
use crate::cells::testing::{Drawn, Page, harness};
use crate::cells::{cell_ui, viewport};

/// A file of ours, with a node whose rotation is not of unit length.
fn broken() -> Arc<Rig> {
    let rig = builtin("simple_skin_file").expect("a built-in rig");
    let source = &rig.origin.as_ref().expect("it is a file").source;
    let mut root: Value = serde_json::from_slice(&source.main).expect("JSON");
    root["nodes"][1]["rotation"] = json!([0, 0, 0, 0.5]);
    let source = ModelSource { main: root.to_string().into_bytes().into(), ..source.clone() };
    Arc::new(open(&source, &TaskProgress::default()).expect("it opens nevertheless"))
}

fn shown(rig: Arc<Rig>) -> Harness<'static, Page> {
    shown_by(DoctorCell::default(), rig)
}

fn shown_by(cell: DoctorCell, rig: Arc<Rig>) -> Harness<'static, Page> {
    let mut page = Page::with_rig(rig);
    page.set = LessonSet::embedded();
    let mut harness = harness(page, move |view, page| {
        ui(view, &cell, "doctor-1", page);
    });
    harness.run();
    harness
}

const TITLE: &str = "The rotation of a node is not a unit quaternion.";

#[test]
fn a_finding_says_where_what_and_why_and_leads_on() {
    let mut harness = shown(broken());
    for words in [TITLE, "error", "/nodes/1/rotation", "length 0.5000"] {
        harness.get_by_label(words);
    }
    let ways_on = "The lesson “Joint matrices, the glTF way” explains it";
    harness.get_all_by_label(ways_on).next().expect("a link").click();
    harness.run();
    let go = Navigation::Go(PageAddress::lesson("gltf-joint-matrices"));
    assert_eq!(harness.state().navigation, [go]);
}

#[test]
fn in_brief_the_worst_is_told_and_a_click_opens_the_rest() {
    let brief = || DoctorCell { brief: true, ..DoctorCell::default() };
    let mut harness = shown_by(brief(), broken());
    harness.get_by_label(TITLE);
    harness.get_by_label_contains("Examined: 1 mesh");
    assert!(harness.query_by_label("/nodes/1/rotation").is_none());
    harness.get_by_label("Where, why, and how to mend it").click();
    harness.run();
    harness.get_by_label("/nodes/1/rotation");

    let harness = shown_by(brief(), builtin("simple_skin_file").expect("a built-in rig"));
    harness.get_by_label_contains("Nothing wrong was found.");
    assert!(harness.query_by_role(Role::Button).is_none());
}

#[test]
fn in_brief_it_waits_for_the_rest_of_a_browsers_program() {
    let kind = CellKind::Doctor(DoctorCell { brief: true, ..DoctorCell::default() });
    let cell = Cell { id: "doctor-1".to_owned(), line: 1, kind };
    let mut page = Page::with_rig(broken());
    page.view.awaits_rest = true;
    let mut harness = harness(page, move |view, page| cell_ui(view, &cell, page, 300.0));
    harness.run();
    assert!(harness.query_by_label(TITLE).is_none());
    harness.state_mut().view.awaits_rest = false;
    harness.run();
    harness.get_by_label(TITLE);
}

#[test]
fn a_click_on_a_joint_chooses_it() {
    let mut harness = shown(broken());
    let joint = broken().origin.as_ref().expect("a file").graph.nodes[1].joint;
    let joint = joint.expect("a joint");
    harness.get_by_label(&format!("joint {}", joint.0)).click();
    harness.run();
    assert_eq!(harness.state().document.state.joint, joint);
}

#[test]
fn severities_can_be_hidden() {
    let mut harness = shown(broken());
    harness.get_by_label("1 error").click();
    harness.run();
    assert!(harness.query_by_label(TITLE).is_none());
    harness.get_by_label("1 error").click();
    harness.run();
    harness.get_by_label(TITLE);
}

const TRY: &str = "Try the mended copy";
const KEEP: &str = "Keep the mended copy…";
const BACK: &str = "Back to the file";

#[test]
fn a_copy_is_kept_as_a_new_file_and_says_what_was_done() {
    let mut harness = shown(broken());
    assert!(harness.query_by_label(TRY).is_none(), "another lesson has a model of its own");
    harness.get_by_role_and_label(Role::Button, KEEP).click();
    harness.run();
    let saves = &harness.state().view.files.saves;
    assert_eq!(saves.len(), 1, "one file for one click");
    assert!(saves[0].name.contains("-mended."), "{}", saves[0].name);
    harness.get_by_label("The rotations of nodes were divided by their lengths.");
}

#[test]
fn a_copy_is_faint_while_it_is_pointed_at_and_on_the_page_while_it_is_tried() {
    let drawn = Arc::default();
    let stored = broken();
    let mut page = Page::with_rig(Arc::clone(&stored));
    page.lesson.rig = OWN_RIG.to_owned();
    page.document.state.show = Some(vec![Show::Mesh]);
    page.viewports = Box::new(Drawn(Arc::clone(&drawn)));
    let cells = (ViewportCell::default(), DoctorCell::default());
    let mut harness = harness(page, move |view, page| {
        viewport::ui(view, &cells.0, "main", page, 120.0);
        ui(view, &cells.1, "doctor-1", page);
    });
    harness.run();
    let has_ghost = || drawn.lock().unwrap().as_ref().is_some_and(|it| it.rest_ghost.is_some());
    assert!(!has_ghost());
    harness.get_by_role_and_label(Role::Button, TRY).hover();
    harness.run();
    assert!(has_ghost(), "the copy");

    harness.get_by_role_and_label(Role::Button, TRY).click();
    harness.run();
    let Some(Navigation::OpenRead(copy)) = harness.state_mut().navigation.pop() else {
        panic!("nothing was put on the page");
    };
    assert!(!Arc::ptr_eq(&copy, &stored));
    harness.state_mut().rig = copy;
    harness.run();
    harness.get_by_label("This is the mended copy. The pale shape is the file as stored.");
    assert!(has_ghost(), "the file");
    assert!(harness.query_by_label(TRY).is_none());
    harness.get_by_role_and_label(Role::Button, KEEP).click();
    harness.get_by_role_and_label(Role::Button, BACK).click();
    harness.run();
    assert_eq!(harness.state().view.files.saves.len(), 1);
    let last = harness.state_mut().navigation.pop();
    assert!(matches!(last, Some(Navigation::OpenRead(back)) if Arc::ptr_eq(&back, &stored)));

    harness.state_mut().rig = builtin("simple_skin_file").expect("a built-in rig");
    harness.run();
    assert!(!has_ghost(), "of another model, nothing is known");
}

#[test]
fn a_large_file_is_examined_beside_the_page_and_forgotten_with_its_model() {
    let small = broken();
    let origin = small.origin.as_ref().expect("a file");
    // Long enough for a glance to be over.
    let nodes = vec![json!({"rotation": [0, 0, 0, 2]}); 300_000];
    let root = json!({"asset": {"version": "2.0"}, "nodes": nodes});
    let large = Arc::new(RigOrigin {
        source: ModelSource::alone("large.gltf", root.to_string().into_bytes()),
        graph: origin.graph.clone(),
        notes: Vec::new(),
    });
    let large = Arc::new(Rig { origin: Some(large), ..(*small).clone() });
    let cell = DoctorCell::default();
    let mut page = Page::with_rig(large);
    page.view.pictures.waits = false;
    let mut harness = harness(page, move |view, page| {
        ui(view, &cell, "doctor-1", page);
    });
    harness.step();
    harness.get_by_label("Examining the file");
    assert!(harness.query_by_label_contains("sound").is_none());

    // The answer of the first is not waited for any more.
    harness.state_mut().rig = small;
    harness.state_mut().view.pictures.waits = true;
    harness.run();
    harness.get_by_label(TITLE);
    assert!(harness.query_by_label("Examining the file").is_none());
}

#[test]
fn rigs_without_a_file_say_so() {
    let harness = shown(builtin("bone_grid").expect("a built-in rig"));
    harness.get_by_label_contains("made in memory");
    assert!(harness.query_by_label(KEEP).is_none(), "nothing to mend");
}

#[test]
fn a_healthy_file_says_so() {
    let harness = shown(builtin("simple_skin_file").expect("a built-in rig"));
    harness.get_by_label_contains("Nothing wrong was found");
    assert!(harness.query_by_label("error").is_none());
}
