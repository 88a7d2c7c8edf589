//! Reports of broken and healthy files, and their mended copies.

use std::sync::{Arc, Mutex};

use bindpose_gltf::{ModelSource, Rig, TaskProgress, open};
use bindpose_lesson::{Cell, CellKind, LessonSet, Show, ViewportCell};
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Navigation, OWN_RIG, PageAddress};
use bindpose_rigs::builtin;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use serde_json::{Value, json};

use super::*;
use crate::cells::testing::{Page, SceneRecorder, harness};
use crate::cells::{cell_ui, viewport};

/// A built-in file with a node whose rotation is not of unit length.
fn broken_rig() -> Arc<Rig> {
    let rig = builtin("simple_skin_file").expect("a built-in rig");
    let source = &rig.origin.as_ref().expect("it is a file").source;
    let mut root: Value = serde_json::from_slice(&source.main).expect("JSON");
    root["nodes"][1]["rotation"] = json!([0, 0, 0, 0.5]);
    let source = ModelSource { main: root.to_string().into_bytes().into(), ..source.clone() };
    Arc::new(open(&source, &TaskProgress::default()).expect("it can still be opened"))
}

fn show_report(rig: Arc<Rig>) -> Harness<'static, Page> {
    show_cell(DoctorCell::default(), rig)
}

fn show_cell(cell: DoctorCell, rig: Arc<Rig>) -> Harness<'static, Page> {
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
fn finding_has_place_cause_and_lesson_link() {
    let mut harness = show_report(broken_rig());
    for label in [TITLE, "error", "/nodes/1/rotation", "length 0.5000"] {
        harness.get_by_label(label);
    }
    let link = "The lesson “Joint matrices, the glTF way” explains it";
    harness.get_all_by_label(link).next().expect("a link").click();
    harness.run();
    let to_lesson = Navigation::Go(PageAddress::lesson("gltf-joint-matrices"));
    assert_eq!(harness.state().navigation, [to_lesson]);
}

#[test]
fn brief_cell_shows_worst_finding_and_can_be_expanded() {
    let brief = DoctorCell { brief: true, ..DoctorCell::default() };
    let mut harness = show_cell(brief.clone(), broken_rig());
    harness.get_by_label(TITLE);
    harness.get_by_label_contains("Examined: 1 mesh");
    assert!(harness.query_by_label("/nodes/1/rotation").is_none());
    harness.click_label("Where, why, and how to mend it");
    harness.get_by_label("/nodes/1/rotation");

    let harness = show_cell(brief, builtin("simple_skin_file").expect("a built-in rig"));
    harness.get_by_label_contains("Nothing wrong was found.");
    assert!(harness.query_by_role(Role::Button).is_none());
}

#[test]
fn brief_cell_is_empty_until_rest_of_browser_program_is_loaded() {
    let kind = CellKind::Doctor(DoctorCell { brief: true, ..DoctorCell::default() });
    let cell = Cell { id: "doctor-1".to_owned(), line: 1, kind };
    let mut page = Page::with_rig(broken_rig());
    page.view.is_loading_second_part = true;
    let mut harness = harness(page, move |view, page| cell_ui(view, &cell, page, 300.0));
    harness.run();
    assert!(harness.query_by_label(TITLE).is_none());
    harness.state_mut().view.is_loading_second_part = false;
    harness.run();
    harness.get_by_label(TITLE);
}

#[test]
fn clicking_joint_selects_it() {
    let mut harness = show_report(broken_rig());
    let rig = broken_rig();
    let graph = &rig.origin.as_ref().expect("a file").graph;
    let joint = graph.nodes[1].joint.expect("a joint");
    harness.click_label(&format!("joint {}", joint.0));
    assert_eq!(harness.state().document.state.joint, joint);
}

#[test]
fn severities_can_be_hidden() {
    let mut harness = show_report(broken_rig());
    harness.click_label("1 error");
    assert!(harness.query_by_label(TITLE).is_none());
    harness.click_label("1 error");
    harness.get_by_label(TITLE);
}

const TRY: &str = "Try the mended copy";
const KEEP: &str = "Keep the mended copy…";
const BACK: &str = "Back to the file";

#[test]
fn mended_copy_is_saved_as_new_file_and_reported() {
    let mut harness = show_report(broken_rig());
    assert!(harness.query_by_label(TRY).is_none(), "another lesson has a model of its own");
    harness.click_role(Role::Button, KEEP);
    let saves = &harness.state().view.files.saves;
    assert_eq!(saves.len(), 1, "one file for one click");
    assert!(saves[0].name.contains("-mended."), "{}", saves[0].name);
    harness.get_by_label("The rotations of nodes were divided by their lengths.");
}

fn has_ghost(last_scene: &Mutex<Option<Scene>>) -> bool {
    last_scene.lock().unwrap().as_ref().is_some_and(|scene| scene.rest_ghost.is_some())
}

#[test]
fn mended_copy_is_ghost_while_pointed_at_and_can_be_tried() {
    let last_scene = Arc::default();
    let stored = broken_rig();
    let mut page = Page::with_rig(Arc::clone(&stored));
    page.lesson.rig = OWN_RIG.to_owned();
    page.document.state.show = Some(vec![Show::Mesh]);
    page.viewports = Box::new(SceneRecorder(Arc::clone(&last_scene)));
    let viewport_cell = ViewportCell::default();
    let doctor_cell = DoctorCell::default();
    let mut harness = harness(page, move |view, page| {
        viewport::ui(view, &viewport_cell, "main", page, 120.0);
        ui(view, &doctor_cell, "doctor-1", page);
    });
    harness.run();
    assert!(!has_ghost(&last_scene));
    harness.get_by_role_and_label(Role::Button, TRY).hover();
    harness.run();
    assert!(has_ghost(&last_scene), "the copy");

    harness.click_role(Role::Button, TRY);
    let Some(Navigation::OpenRead(copy)) = harness.state_mut().navigation.pop() else {
        panic!("nothing was put on the page");
    };
    assert!(!Arc::ptr_eq(&copy, &stored));
    harness.state_mut().rig = copy;
    harness.run();
    harness.get_by_label("This is the mended copy. The pale shape is the file as stored.");
    assert!(has_ghost(&last_scene), "the file");
    assert!(harness.query_by_label(TRY).is_none());
    harness.get_by_role_and_label(Role::Button, KEEP).click();
    harness.click_role(Role::Button, BACK);
    assert_eq!(harness.state().view.files.saves.len(), 1);
    let last = harness.state_mut().navigation.pop();
    assert!(matches!(last, Some(Navigation::OpenRead(back)) if Arc::ptr_eq(&back, &stored)));

    harness.state_mut().rig = builtin("simple_skin_file").expect("a built-in rig");
    harness.run();
    assert!(!has_ghost(&last_scene), "there is no copy of another model");
}

#[test]
fn large_file_is_examined_in_background_and_cancelled_with_its_model() {
    let small = broken_rig();
    let origin = small.origin.as_ref().expect("a file");
    // Examining it takes longer than the first frame waits.
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
    page.view.pictures.waits_for_work = false;
    let mut harness = harness(page, move |view, page| {
        ui(view, &cell, "doctor-1", page);
    });
    harness.step();
    harness.get_by_label("Examining the file");
    assert!(harness.query_by_label_contains("sound").is_none());

    // The examination of the first file is cancelled.
    harness.state_mut().rig = small;
    harness.state_mut().view.pictures.waits_for_work = true;
    harness.run();
    harness.get_by_label(TITLE);
    assert!(harness.query_by_label("Examining the file").is_none());
}

#[test]
fn rig_without_file_is_reported() {
    let harness = show_report(builtin("bone_grid").expect("a built-in rig"));
    harness.get_by_label_contains("made in memory");
    assert!(harness.query_by_label(KEEP).is_none(), "nothing to mend");
}

#[test]
fn healthy_file_is_reported() {
    let harness = show_report(builtin("simple_skin_file").expect("a built-in rig"));
    harness.get_by_label_contains("Nothing wrong was found");
    assert!(harness.query_by_label("error").is_none());
}
