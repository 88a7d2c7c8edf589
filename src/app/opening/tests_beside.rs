//! A second model, opened beside the one on the page.

use std::sync::Arc;

use bindpose_lesson::{ComparedModel, Setting};
use bindpose_notebook::Edit;
use eframe::egui::{self, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::OpenDialogAnswer;
use super::tests::{Held, asset, drop_files, let_out, page, wait};
use crate::app::testing::Page;

fn at_the_step_that_compares() -> Harness<'static, Page> {
    let mut harness = page(Vec::new());
    let link = "bindpose://your-model/what-another-program-changed";
    harness.state_mut().shell().follow(link).unwrap();
    harness.run();
    harness
}

#[test]
fn on_the_page_that_compares_a_dropped_model_stands_beside_the_one_that_is_there() {
    let mut harness = at_the_step_that_compares();
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    assert_eq!(harness.state_mut().standing(), "whale.glb");
    let models = |harness: &mut Harness<'_, Page>| {
        let notebook = harness.state_mut().shell().notebook();
        notebook.models_b().opened.map(Arc::clone)
    };
    let b = models(&mut harness).expect("model B");
    assert!(harness.query_by_label_contains("Model B is arm.glb").is_some());
    assert!(harness.query_by_label_contains("Only A has").is_some());

    let mut cut = asset("whale/whale.glb");
    cut.truncate(1000);
    drop_files(&mut harness, &[("broken.glb", cut)]);
    assert!(harness.query_by_label("“broken.glb” did not open").is_some());
    assert!(Arc::ptr_eq(&models(&mut harness).unwrap(), &b), "B stays");
    assert_eq!(harness.state_mut().standing(), "whale.glb", "and so does A");
    harness.get_by_role_and_label(Role::Button, "Close").click();
    harness.run();
    assert!(harness.query_by_label_contains("did not open").is_none());

    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    harness.run();
    assert!(models(&mut harness).is_none(), "undo takes it away");
    assert_eq!(harness.state_mut().standing(), "whale.glb");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Y);
    harness.run();
    assert!(Arc::ptr_eq(&models(&mut harness).unwrap(), &b), "redo opens it again");
}

#[test]
fn from_any_page_the_command_leads_to_the_page_that_compares() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, asset("arm/arm.glb")).unwrap();
    let mut harness = page(Vec::new());
    let dialog = harness.state_mut().shell().dialog_answers();
    let both = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    harness.key_press_modifiers(both, egui::Key::O);
    harness.run();
    dialog.send(OpenDialogAnswer::Files(vec![path])).unwrap();
    wait(&mut harness);
    let document = harness.state_mut().document();
    assert_eq!(document.lesson, "your-model");
    assert_eq!(document.state.model_b, ComparedModel::Opened);
    assert_eq!(harness.state_mut().standing(), "whale.glb");
    // The next one that is opened stands on the page, and this one can be taken again.
    drop_files(&mut harness, &[("other.glb", asset("arm/arm.glb"))]);
    assert_eq!(harness.state_mut().standing(), "whale.glb");
}

#[test]
fn the_model_that_was_open_before_can_be_held_against_the_one_that_is() {
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    drop_files(&mut harness, &[("whale.glb", asset("whale/whale.glb"))]);
    let link = "bindpose://your-model/what-another-program-changed";
    let shell = harness.state_mut().shell();
    shell.follow(link).unwrap();
    let before = Setting::ModelB(ComparedModel::Before);
    shell.edit(&Edit::set(before)).unwrap();
    harness.run();
    assert_eq!(harness.state_mut().standing(), "whale.glb");
    let before = harness.state_mut().shell().notebook().models_b().before.map(Arc::clone);
    assert_eq!(before.unwrap().title, "arm");
    assert!(harness.query_by_label_contains("Only A has").is_some());
}

#[test]
fn what_is_read_stands_where_it_was_asked_for_whatever_is_asked_for_meanwhile() {
    let both = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    for is_b in [false, true] {
        let mut harness = if is_b { at_the_step_that_compares() } else { page(Vec::new()) };
        let _open = harness.state_mut().shell().dialog_answers();
        let before = harness.state_mut().standing();
        let (held, open) = Held::new("arm.glb", &asset("arm/arm.glb"));
        harness.input_mut().dropped_files.push(Arc::new(held));
        for _ in 0..6 {
            harness.step();
        }
        let keys = if is_b { egui::Modifiers::COMMAND } else { both };
        harness.key_press_modifiers(keys, egui::Key::O);
        harness.run_steps(3);
        let_out(&open);
        wait(&mut harness);
        let standing = if is_b { before.as_str() } else { "arm.glb" };
        assert_eq!(harness.state_mut().standing(), standing);
        let b = harness.state_mut().shell().notebook().models_b().opened;
        assert_eq!(b.is_some(), is_b);
    }
}

#[test]
fn a_dialog_stays_what_it_was_opened_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, asset("arm/arm.glb")).unwrap();
    let mut harness = page(Vec::new());
    let dialog = harness.state_mut().shell().dialog_answers();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::O);
    harness.run();
    let both = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    harness.key_press_modifiers(both, egui::Key::O);
    harness.run();
    dialog.send(OpenDialogAnswer::Files(vec![path])).unwrap();
    wait(&mut harness);
    assert_eq!(harness.state_mut().standing(), "arm.glb");
    let models = harness.state_mut().shell().notebook().models_b();
    assert!(models.opened.is_none());
}

#[test]
fn what_a_second_model_lacks_is_for_it_on_any_page() {
    let mut harness = at_the_step_that_compares();
    drop_files(&mut harness, &[("whale.gltf", asset("whale/whale.gltf"))]);
    harness.get_by_label_contains("It names “whale.bin”");
    harness.get_by_role_and_label(Role::Button, "Close").click();
    harness.run();
    let link = "bindpose://bone-grid/half-of-each";
    harness.state_mut().shell().follow(link).unwrap();
    harness.run();
    drop_files(&mut harness, &[("whale.bin", asset("whale/whale.bin"))]);
    let notebook = harness.state_mut().shell().notebook();
    assert!(notebook.models_b().opened.is_some());
    assert!(notebook.own().is_none());
}

#[test]
fn a_program_that_is_opened_with_two_models_holds_them_against_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, path: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, asset(path)).unwrap();
        file
    };
    let (a, b) = (file("a.glb", "arm/arm.glb"), file("b.glb", "whale/whale.glb"));
    for (first, standing) in [(vec![a], "a.glb"), (Vec::new(), "whale.glb")] {
        let mut harness = page(Vec::new());
        let ctx = harness.ctx.clone();
        let asked = (first, Some(b.clone()));
        harness.state_mut().shell().open_asked(&ctx, asked, None);
        wait(&mut harness);
        let document = harness.state_mut().document();
        assert_eq!(document.lesson, "your-model");
        assert_eq!(document.state.model_b, ComparedModel::Opened);
        assert_eq!(harness.state_mut().standing(), standing);
        let words = "Model B is b.glb";
        assert!(harness.query_by_label_contains(words).is_some(), "{standing}");
    }
}
