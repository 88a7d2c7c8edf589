//! Saved weights, opened on a model or along with one.

use bindpose_notebook::export::Export;
use eframe::egui::{self, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::tests::{asset, drop_files, page};
use crate::app::testing::Page;

#[test]
fn saved_weights_are_put_on_the_open_model_in_one_step_of_undo_or_told_why_not() {
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[("arm.glb", asset("arm/arm.glb"))]);
    let weights = |harness: &mut Harness<'_, Page>| {
        let derived = harness.state_mut().shell().notebook().derived().clone();
        let export = |key: &str| Export::from_key(key).unwrap().bytes(&derived).unwrap();
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
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    harness.run();
    assert_eq!(harness.state_mut().document(), before);

    drop_files(&mut harness, &[("mine.csv", csv)]);
    assert_eq!(harness.state_mut().document(), edited);
    drop_files(&mut harness, &[("stored.json", json.clone())]);
    assert_eq!(harness.state_mut().document(), before);
    drop_files(&mut harness, &[("stored.json", json.clone())]);
    harness.get_by_label_contains("all weights are as they are here already");

    // On another model they stay out, and that is said where files are opened.
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
    harness.get_by_role_and_label(Role::Button, "Close").click();
    harness.run();
    drop_files(&mut harness, &[("cut.json", cut)]);
    harness.get_by_label_contains("Its weights cannot be read");
    assert_eq!(harness.state_mut().document(), before);
}

#[test]
fn weights_that_are_dropped_with_their_model_are_put_on_it() {
    let arm = || ("arm.glb", asset("arm/arm.glb"));
    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[arm()]);
    let derived = harness.state_mut().shell().notebook().derived().clone();
    let json = Export::from_key("weights-json").unwrap();
    let json = String::from_utf8(json.bytes(&derived).unwrap()).unwrap();
    let other = json.replace("\"weights\":[1.0]", "\"weights\":[0.75]");
    let other = || ("mine.json", other.clone().into_bytes());

    let mut harness = page(Vec::new());
    drop_files(&mut harness, &[other(), arm()]);
    assert_eq!(harness.state_mut().standing(), "arm.glb");
    harness.get_by_label_contains("vertices have other weights now");
    assert!(harness.state_mut().document().state.weights.len() > 100);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    harness.run();
    assert_eq!(harness.state_mut().standing(), "arm.glb");
    assert!(harness.state_mut().document().state.weights.is_empty());

    // What is no part of the model is told.
    for (name, bytes, words) in [
        ("notes.txt", "words".as_bytes(), "“notes.txt” was left aside: it is no part"),
        ("cut.json", &json.as_bytes()[..json.len() / 2], "“cut.json” was left aside, its weights"),
    ] {
        drop_files(&mut harness, &[(name, bytes.to_vec()), arm()]);
        harness.get_by_label_contains(words);
    }
    let link = "bindpose://your-model/what-another-program-changed";
    harness.state_mut().shell().follow(link).unwrap();
    harness.run();
    drop_files(&mut harness, &[other(), arm()]);
    harness.get_by_label_contains("weights are put on the model of the page");
}
