//! Tests of opening files on a whole page.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

use bindpose_notebook::export::Export;
use bindpose_notebook::{KeptPage, Preferences, work_text};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, DroppedFile, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::InputFile;
use super::input_file::OpenDialogAnswer;
use crate::app::testing::{self, Page, wait_for_files};

/// Opens the page with a list of recent models.
pub(super) fn page(recent: Vec<PathBuf>) -> Harness<'static, Page> {
    testing::page([1280.0, 800.0], recent)
}

/// Lets a test decide when the bytes of a [`HeldFile`] can be read.
#[derive(Debug, Default)]
pub(super) struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

/// A dropped file without a path, whose bytes are held back until its gate is open.
#[derive(Debug)]
pub(super) struct HeldFile {
    name: PathBuf,
    bytes: Vec<u8>,
    gate: Arc<Gate>,
}

impl HeldFile {
    pub(super) fn new(name: &str, bytes: &[u8]) -> (Self, Arc<Gate>) {
        let gate = Arc::new(Gate::default());
        let held = Self { name: name.into(), bytes: bytes.to_vec(), gate: Arc::clone(&gate) };
        (held, gate)
    }
}

impl DroppedFile for HeldFile {
    fn path(&self) -> &Path {
        &self.name
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        let mut is_open = self.gate.is_open.lock().unwrap();
        while !*is_open {
            is_open = self.gate.opened.wait(is_open).unwrap();
        }
        Ok(self.bytes.clone())
    }
}

pub(super) fn release(gate: &Gate) {
    *gate.is_open.lock().unwrap() = true;
    gate.opened.notify_all();
}

/// Drops files whose bytes are available at once, and waits until they are read.
pub(super) fn drop_files(harness: &mut Harness<'_, Page>, files: &[(&str, Vec<u8>)]) {
    for (name, bytes) in files {
        let (held, gate) = HeldFile::new(name, bytes);
        release(&gate);
        harness.input_mut().dropped_files.push(Arc::new(held));
    }
    wait_for_files(harness);
}

/// Reads a file of the built-in models.
pub(super) fn asset(path: &str) -> Vec<u8> {
    std::fs::read(format!("{}/assets/models/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn a_dropped_model_opens_in_its_lesson_and_undo_removes_it() {
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    assert_eq!(harness.state_mut().document().lesson, "your-model");
    assert!(harness.query_by_label_contains("arm.glb: 2 joints").is_some());
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
    assert!(harness.state_mut().shell().notebook().own().is_none());
}

#[test]
fn files_dropped_together_are_one_model() {
    let mut harness = page(Vec::new());
    let files = ["whale.png", "whale.bin", "whale.gltf"]
        .map(|name| (name, asset(&format!("whale/{name}"))));
    drop_files(&mut harness, &files);
    assert_eq!(harness.state_mut().open_model_name(), "whale.gltf");

    let before = harness.state_mut().document();
    drop_files(&mut harness, &files[..2]);
    assert!(harness.query_by_label_contains("did not open").is_some());
    assert!(harness.query_by_label_contains("come along with their model").is_some());
    assert_eq!(harness.state_mut().document(), before);

    drop_files(&mut harness, &files[2..]);
    let buffer = harness.query_by_label("/buffers/0/uri");
    assert!(buffer.is_some(), "alone it lacks its buffer, which is reported");
}

#[test]
fn a_failure_is_shown_once_and_changes_nothing() {
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    harness.click_label("Next");
    let before = harness.state_mut().document();
    let model = Arc::clone(harness.state_mut().shell().notebook().own().unwrap());

    let mut cut = asset("whale/whale.glb");
    cut.truncate(1000);
    drop_files(&mut harness, &[("whale.glb", cut)]);
    assert!(harness.query_by_label("“whale.glb” did not open").is_some());
    for label in ["where", "expected", "found"] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
    assert_eq!(harness.state_mut().document(), before);
    let own = harness.state_mut().shell().notebook().own().cloned().unwrap();
    assert!(Arc::ptr_eq(&own, &model), "the model stays");

    harness.click_role(Role::Button, "Close");
    assert!(harness.query_by_label_contains("did not open").is_none());
    let history = harness.state_mut().shell().notebook().history();
    assert_eq!(history.to_undo(), None, "no step of undo for it");
}

#[test]
fn a_slow_file_shows_its_progress_and_can_be_cancelled() {
    let mut harness = page(Vec::new());
    let before = harness.state_mut().document();
    for by_key in [false, true] {
        let (held, gate) = HeldFile::new("arm.glb", &asset("arm/arm.glb"));
        harness.input_mut().dropped_files.push(Arc::new(held));
        for _ in 0..6 {
            harness.step();
        }
        assert!(harness.query_by_label("Opening arm.glb").is_some());
        if by_key {
            harness.key_press(egui::Key::Escape);
        } else {
            harness.get_by_role_and_label(Role::Button, "Cancel").click();
        }
        harness.run();
        release(&gate);
        wait_for_files(&mut harness);
        assert!(harness.query_by_label("Opening arm.glb").is_none());
        assert_eq!(harness.state_mut().document(), before);
        assert!(harness.state_mut().shell().notebook().own().is_none());
    }
}

#[test]
fn the_list_of_recent_files_opens_them_and_keeps_missing_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("arm.glb"), asset("arm/arm.glb")).unwrap();
    let mut harness = page(vec![path("gone.glb"), path("arm.glb")]);
    harness.get_by_label("Open arm.glb again").click_accesskit();
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    let recent = |harness: &mut Harness<'_, Page>| harness.state_mut().shell().preferences().recent;
    let both = [path("arm.glb"), path("gone.glb")];
    assert_eq!(recent(&mut harness), both, "the newest first");

    let gone = "Open gone.glb again, which is not there now";
    wait_for(&mut harness, gone);
    harness.get_by_label(gone).click_accesskit();
    wait_for_files(&mut harness);
    let message = harness.query_by_label_contains("open it again when it is there");
    assert!(message.is_some());
    assert_eq!(recent(&mut harness), both, "it stays");
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    harness.click_role(Role::Button, "Close");

    std::fs::write(path("gone.glb"), asset("arm/arm.glb")).unwrap();
    harness.get_by_label(gone).click_accesskit();
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "gone.glb");
    wait_for(&mut harness, "Open gone.glb again");
    harness.get_by_label("Open gone.glb again").focus();
    harness.run();
    harness.press(egui::Key::Delete);
    assert_eq!(recent(&mut harness), [path("arm.glb")], "off the list");
}

/// Runs frames until a control of this name appears, because a thread searches the files.
fn wait_for(harness: &mut Harness<'_, Page>, label: &str) {
    let start = std::time::Instant::now();
    while harness.query_by_label(label).is_none() {
        assert!(start.elapsed().as_secs() < 60, "{label}");
        std::thread::yield_now();
        harness.step();
    }
}

/// Returns the hint shown while a file is dragged over the window.
fn drop_hint(harness: &mut Harness<'_, Page>) -> String {
    let file = egui::HoveredFile { path: Some("fox.glb".into()), ..egui::HoveredFile::default() };
    harness.input_mut().hovered_files.push(file);
    // egui keeps repainting while a file is over the window.
    harness.run_steps(3);
    let hint =
        harness.query_by_label_contains("Drop ").and_then(|node| node.accesskit_node().value());
    harness.input_mut().hovered_files.clear();
    harness.run();
    hint.unwrap_or_default()
}

#[test]
fn a_file_over_the_window_shows_a_hint() {
    let mut harness = page(Vec::new());
    assert!(harness.query_by_label("Drop a model here").is_none());
    assert_eq!(drop_hint(&mut harness), "Drop a model here");
    assert!(harness.query_by_label("Drop a model here").is_none());
}

#[test]
fn a_file_chosen_in_the_dialog_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, asset("arm/arm.glb")).unwrap();
    let mut harness = page(Vec::new());
    let dialog = harness.state_mut().shell().dialog_answers();
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::O);
    dialog.send(OpenDialogAnswer::Files(vec![InputFile::Path(path)])).unwrap();
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
}

#[test]
fn a_system_without_a_dialog_shows_an_instruction() {
    let mut harness = page(Vec::new());
    let notice = "This system has no file dialog: drop the file on the window";
    for _ in 0..2 {
        let dialog = harness.state_mut().shell().dialog_answers();
        harness.press_with(egui::Modifiers::COMMAND, egui::Key::O);
        assert!(harness.query_by_label_contains(notice).is_none());
        dialog.send(OpenDialogAnswer::NoDialog).unwrap();
        harness.run();
        assert!(harness.query_by_label_contains(notice).is_some());
        harness.press(egui::Key::Escape);
    }
}

#[test]
fn a_model_without_its_files_names_them_and_is_completed_by_them() {
    let mut harness = page(Vec::new());
    let model_before = harness.state_mut().open_model_name();
    let file = |name: &'static str| (name, asset(&format!("whale/{name}")));
    drop_files(&mut harness, &[file("whale.gltf"), file("whale.png")]);
    assert!(harness.query_by_label("Choose the files…").is_some());
    assert!(harness.query_by_label_contains("It names “whale.bin”").is_some());
    assert_eq!(harness.state_mut().open_model_name(), model_before);
    drop_files(&mut harness, &[file("whale.bin")]);
    assert!(harness.query_by_label("Choose the files…").is_none());
    assert!(harness.query_by_label_contains("It names “whale.bin”").is_none());
    assert_eq!(harness.state_mut().open_model_name(), "whale.gltf");
}

#[test]
fn a_model_without_its_picture_opens_with_a_notice() {
    let mut harness = page(Vec::new());
    let files = ["whale.bin", "whale.gltf"].map(|name| (name, asset(&format!("whale/{name}"))));
    drop_files(&mut harness, &files);
    assert_eq!(harness.state_mut().open_model_name(), "whale.gltf");
    assert!(
        harness
            .query_by_label_contains("“whale.png”, which the model names, is not here")
            .is_some()
    );
}

#[test]
fn saved_work_opens_like_a_model_and_is_merged() {
    let mut saved_preferences = Preferences {
        page: Some(KeptPage {
            link: "bindpose://bone-grid/half-of-each?b0=0.8".to_owned(),
            ..KeptPage::default()
        }),
        ..Preferences::default()
    };
    saved_preferences.progress.step_mut("bind-pose", "a-head").seen = true;
    let work = work_text(&saved_preferences).into_bytes();
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("bindpose-work.json", work)]);
    let document = harness.state_mut().document();
    assert_eq!(document.lesson, "bone-grid");
    assert_eq!(document.state.params["b0"], 0.8);
    let shell = harness.state_mut().shell();
    let record = shell.notebook().progress.record("bind-pose", "a-head");
    assert!(record.is_some_and(|record| record.seen));
    assert!(harness.query_by_label_contains("Your work is here").is_some());

    drop_files(&mut harness, &[("record.json", b"{\"format\": \"x\"}".to_vec())]);
    assert!(harness.query_by_label_contains("did not open").is_some());
}

#[test]
fn dropped_numbers_of_an_engine_are_given_to_the_step_for_them() {
    let mut harness = page(Vec::new());
    let numbers = b"[[1, 2, 3]]".to_vec();
    drop_files(&mut harness, &[("skinned.json", numbers.clone())]);
    harness.get_by_label_contains("“skinned.json” has numbers of an engine");
    let shell = harness.state_mut().shell();
    shell.open_link("bindpose://your-model/what-your-engine-has?vertex=5").expect("a step");
    drop_files(&mut harness, &[("skinned.json", numbers)]);
    harness.get_by_label("skinned.json · 1 positions");
    assert_eq!(drop_hint(&mut harness), "Drop numbers of an engine here");
    let dialog = harness.state_mut().shell().dialog_answers();
    harness.click_label("Open a file…");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chosen.json");
    std::fs::write(&path, b"[[1, 2, 3]]").unwrap();
    dialog.send(OpenDialogAnswer::Files(vec![InputFile::Path(path)])).unwrap();
    wait_for_files(&mut harness);
    harness.get_by_label("chosen.json · 1 positions");
    harness.get_by_label_contains("There are 1 positions, and the mesh has 4968 vertices");
    // The first vertex that differs is selected.
    assert_eq!(harness.state_mut().shell().notebook().document().state.vertex, 0);
}

#[test]
fn saved_weights_are_applied_to_the_open_model_in_one_undo_step_or_refused() {
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    let weights = |harness: &mut Harness<'_, Page>| {
        let derived = harness.state_mut().shell().notebook().derived().clone();
        let export = |key: &str| Export::from_key(key).unwrap().bytes(&derived, 0).unwrap();
        ["weights-json", "weights-csv"].map(export)
    };
    let stored = weights(&mut harness);
    let [json, _] = &stored;
    let text = String::from_utf8(json.clone()).unwrap();
    let other = text.replace("\"weights\":[1.0]", "\"weights\":[0.75]");
    assert_ne!(text, other);
    let before = harness.state_mut().document();
    drop_files(&mut harness, &[("mine.json", other.into_bytes())]);
    harness.get_by_label_contains("vertices have other weights now");
    let edited = harness.state_mut().document();
    assert!(edited.state.weights.len() > 100);
    let [_, csv] = weights(&mut harness);
    let history = harness.state_mut().shell().notebook().history();
    assert_eq!(history.to_undo(), Some("weights from a file"));
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(harness.state_mut().document(), before);

    drop_files(&mut harness, &[("mine.csv", csv)]);
    assert_eq!(harness.state_mut().document(), edited);
    drop_files(&mut harness, &[("stored.json", json.clone())]);
    assert_eq!(harness.state_mut().document(), before);
    drop_files(&mut harness, &[("stored.json", json.clone())]);
    harness.get_by_label_contains("all weights are as they are here already");

    // Another model refuses them, with the message of a failed opening.
    drop_files(&mut harness, &[("whale.glb", asset("whale/whale.glb"))]);
    let before = harness.state_mut().document();
    drop_files(&mut harness, &[("stored.json", json.clone())]);
    harness.get_by_label("“stored.json” did not open");
    harness.get_by_label_contains("do not fit the model that is open");
    for label in ["expected", "found"] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
    assert_eq!(harness.state_mut().document(), before);
    let cut = json[..json.len() / 2].to_vec();
    harness.click_role(Role::Button, "Close");
    drop_files(&mut harness, &[("cut.json", cut)]);
    harness.get_by_label_contains("Its weights cannot be read");
    assert_eq!(harness.state_mut().document(), before);
}

#[test]
fn weights_dropped_with_their_model_are_applied_to_it() {
    let arm = || ("arm.glb", asset("arm/arm.glb"));
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[arm()]);
    let derived = harness.state_mut().shell().notebook().derived().clone();
    let export = Export::from_key("weights-json").unwrap();
    let json = String::from_utf8(export.bytes(&derived, 0).unwrap()).unwrap();
    let edited_json = json.replace("\"weights\":[1.0]", "\"weights\":[0.75]");
    let edited_weights = || ("mine.json", edited_json.clone().into_bytes());

    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[edited_weights(), arm()]);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    harness.get_by_label_contains("vertices have other weights now");
    assert!(harness.state_mut().document().state.weights.len() > 100);
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    assert!(harness.state_mut().document().state.weights.is_empty());

    // A notice names files that are not part of the model.
    for (name, bytes, notice) in [
        ("notes.txt", "words".as_bytes(), "“notes.txt” was left aside: it is no part"),
        ("cut.json", &json.as_bytes()[..json.len() / 2], "“cut.json” was left aside, its weights"),
    ] {
        drop_files(&mut harness, &[(name, bytes.to_vec()), arm()]);
        harness.get_by_label_contains(notice);
    }
    let link = "bindpose://your-model/what-another-program-changed";
    harness.state_mut().shell().open_link(link).unwrap();
    harness.run();
    drop_files(&mut harness, &[edited_weights(), arm()]);
    harness.get_by_label_contains("weights are put on the model of the page");
}

/// Preferences of a run that ended with `file` open as the reader's model.
pub(super) fn preferences_with_model(file: &Path) -> Preferences {
    let name = file.file_name().unwrap().to_string_lossy();
    let page = KeptPage {
        link: format!("bindpose://your-model/is-it-healthy?model={name}"),
        model: Some(file.to_owned()),
        ..KeptPage::default()
    };
    Preferences {
        dark: Some(false),
        page: Some(page),
        model: Some(file.to_owned()),
        recent: vec![file.to_owned()],
        ..Preferences::default()
    }
}

#[test]
fn the_model_of_the_last_run_does_not_replace_a_named_one_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let [last, garbage] = ["arm.glb", "garbage.glb"].map(|name| folder.path().join(name));
    std::fs::write(&last, asset("arm/arm.glb")).unwrap();
    std::fs::write(&garbage, "hello").unwrap();
    let open = |files: Vec<PathBuf>| {
        let set = bindpose_lesson::LessonSet::embedded();
        let mut harness =
            testing::page_with_files([1280.0, 800.0], set, preferences_with_model(&last), files);
        wait_for_files(&mut harness);
        harness
    };
    let mut harness = open(Vec::new());
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb", "without a name, the last one");

    let mut harness = open(vec![garbage]);
    harness.get_by_label_contains("“garbage.glb” did not open");
    assert!(harness.state_mut().shell().notebook().own().is_none());
    harness.get_by_role_and_label(Role::Button, "Close").click();
    wait_for_files(&mut harness);
    assert!(harness.state_mut().shell().notebook().own().is_none(), "nobody has opened it");
    let preferences = harness.state_mut().shell().preferences();
    assert_eq!(preferences.model, Some(last.clone()), "it is still remembered");
    assert_eq!(preferences.page.unwrap().model, Some(last));
}

#[test]
fn a_failure_is_shown_until_it_is_closed_while_a_kept_page_waits_for_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let last = folder.path().join("arm.glb");
    std::fs::write(&last, asset("arm/arm.glb")).unwrap();
    let preferences = Preferences { page: None, ..preferences_with_model(&last) };
    let mut harness = testing::page_with_preferences([1280.0, 800.0], preferences);
    drop_files(&mut harness, &[("garbage.glb", b"hello".to_vec())]);
    harness.state_mut().shell().open_link("bindpose://your-model/is-it-healthy").unwrap();
    wait_for_files(&mut harness);
    harness.get_by_label_contains("“garbage.glb” did not open");
    harness.get_by_role_and_label(Role::Button, "Close").click();
    wait_for_files(&mut harness);
    assert_eq!(
        harness.state_mut().open_model_name(),
        "arm.glb",
        "it opens when that has been read"
    );
}
