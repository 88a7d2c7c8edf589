//! Tests of model B, opened beside the model of the page.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{ComparedModel, Setting};
use bindpose_notebook::Edit;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::InputFile;
use super::input_file::OpenDialogAnswer;
use super::tests::{HeldFile, asset, drop_files, page, release};
use crate::app::testing::{Page, wait_for_files};

fn page_at_comparing_step() -> Harness<'static, Page> {
    let mut harness = page(Vec::new());
    let link = "bindpose://your-model/what-another-program-changed";
    harness.state_mut().shell().open_link(link).unwrap();
    harness.run();
    harness
}

fn opened_model_b(harness: &mut Harness<'_, Page>) -> Option<Arc<Rig>> {
    harness.state_mut().shell().notebook().models_b().opened.map(Arc::clone)
}

#[test]
fn a_model_dropped_on_the_comparing_page_becomes_model_b() {
    let mut harness = page_at_comparing_step();
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
    let model_b = opened_model_b(&mut harness).expect("model B");
    assert!(harness.query_by_label_contains("Model B is arm.glb").is_some());
    assert!(harness.query_by_label_contains("Only A has").is_some());

    let mut cut = asset("whale/whale.glb");
    cut.truncate(1000);
    drop_files(&mut harness, &[("broken.glb", cut)]);
    assert!(harness.query_by_label("“broken.glb” did not open").is_some());
    assert!(Arc::ptr_eq(&opened_model_b(&mut harness).unwrap(), &model_b), "B stays");
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb", "and so does A");
    harness.click_role(Role::Button, "Close");
    assert!(harness.query_by_label_contains("did not open").is_none());

    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert!(opened_model_b(&mut harness).is_none(), "undo takes it away");
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Y);
    assert!(Arc::ptr_eq(&opened_model_b(&mut harness).unwrap(), &model_b), "redo opens it again");
}

#[test]
fn the_command_opens_model_b_on_the_comparing_page_from_any_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, asset("arm/arm.glb")).unwrap();
    let mut harness = page(Vec::new());
    let dialog = harness.state_mut().shell().dialog_answers();
    let command_shift = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    harness.press_with(command_shift, egui::Key::O);
    dialog.send(OpenDialogAnswer::Files(vec![InputFile::Path(path)])).unwrap();
    wait_for_files(&mut harness);
    let document = harness.state_mut().document();
    assert_eq!(document.lesson, "your-model");
    assert_eq!(document.state.model_b, ComparedModel::Opened);
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
    // The next dropped model is model B again.
    drop_files(&mut harness, &[("other.glb", asset("arm/arm.glb"))]);
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
}

#[test]
fn the_model_opened_before_can_be_compared_with_the_current_one() {
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    drop_files(&mut harness, &[("whale.glb", asset("whale/whale.glb"))]);
    let link = "bindpose://your-model/what-another-program-changed";
    let shell = harness.state_mut().shell();
    shell.open_link(link).unwrap();
    let compare_before = Setting::ModelB(ComparedModel::Before);
    shell.edit(&Edit::set(compare_before)).unwrap();
    harness.run();
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
    let before = harness.state_mut().shell().notebook().models_b().before.map(Arc::clone);
    assert_eq!(before.unwrap().title, "arm");
    assert!(harness.query_by_label_contains("Only A has").is_some());
}

#[test]
fn a_file_being_read_keeps_its_purpose_when_a_dialog_opens() {
    for is_b in [false, true] {
        let mut harness = if is_b { page_at_comparing_step() } else { page(Vec::new()) };
        let _dialog = harness.state_mut().shell().dialog_answers();
        let model_before = harness.state_mut().open_model_name();
        let (held, gate) = HeldFile::new("arm.glb", &asset("arm/arm.glb"));
        harness.input_mut().dropped_files.push(Arc::new(held));
        for _ in 0..6 {
            harness.step();
        }
        let mut modifiers = egui::Modifiers::COMMAND;
        if !is_b {
            modifiers |= egui::Modifiers::SHIFT;
        }
        harness.key_press_modifiers(modifiers, egui::Key::O);
        harness.run_steps(3);
        release(&gate);
        wait_for_files(&mut harness);
        let expected_model = if is_b { model_before.as_str() } else { "arm.glb" };
        assert_eq!(harness.state_mut().open_model_name(), expected_model);
        assert_eq!(opened_model_b(&mut harness).is_some(), is_b);
    }
}

#[test]
fn an_open_dialog_keeps_its_purpose() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, asset("arm/arm.glb")).unwrap();
    let mut harness = page(Vec::new());
    let dialog = harness.state_mut().shell().dialog_answers();
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::O);
    let command_shift = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    harness.press_with(command_shift, egui::Key::O);
    dialog.send(OpenDialogAnswer::Files(vec![InputFile::Path(path)])).unwrap();
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    assert!(opened_model_b(&mut harness).is_none());
}

#[test]
fn missing_files_of_model_b_complete_it_on_any_page() {
    let mut harness = page_at_comparing_step();
    drop_files(&mut harness, &[("whale.gltf", asset("whale/whale.gltf"))]);
    harness.get_by_label_contains("It names “whale.bin”");
    harness.click_role(Role::Button, "Close");
    let link = "bindpose://bone-grid/half-of-each";
    harness.state_mut().shell().open_link(link).unwrap();
    harness.run();
    drop_files(&mut harness, &[("whale.bin", asset("whale/whale.bin"))]);
    let notebook = harness.state_mut().shell().notebook();
    assert!(notebook.models_b().opened.is_some());
    assert!(notebook.own().is_none());
}

#[test]
fn a_program_started_with_two_models_compares_them() {
    let folder = tempfile::tempdir().unwrap();
    let write_model = |name: &str, path: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, asset(path)).unwrap();
        file
    };
    let file_a = write_model("a.glb", "arm/arm.glb");
    let file_b = write_model("b.glb", "whale/whale.glb");
    for (files, expected_model) in [(vec![file_a], "a.glb"), (Vec::new(), "whale.glb")] {
        let mut harness = page(Vec::new());
        let ctx = harness.ctx.clone();
        let shell = harness.state_mut().shell();
        shell.open_command_line_files(&ctx, files, Some(file_b.clone()), None);
        wait_for_files(&mut harness);
        let document = harness.state_mut().document();
        assert_eq!(document.lesson, "your-model");
        assert_eq!(document.state.model_b, ComparedModel::Opened);
        assert_eq!(harness.state_mut().open_model_name(), expected_model);
        let notice = harness.query_by_label_contains("Model B is b.glb");
        assert!(notice.is_some(), "{expected_model}");
    }
}
