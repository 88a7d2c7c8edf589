//! Tests of state kept between runs, on a whole page.

use std::path::Path;
use std::sync::Arc;

use bindpose_gltf::{TaskProgress, open};
use bindpose_lesson::{ClipName, LessonSet, Setting};
use bindpose_notebook::export::Export;
use bindpose_notebook::{Edit, KeptPage, Preferences, WeightsFile};
use bindpose_rigs::{asset_files, bundled_model};
use bindpose_skin::WeightSource;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::app::testing::{Page, page_with, page_with_preferences, wait_for_files};

fn start_page(preferences: &Preferences) -> Harness<'static, Page> {
    page_with_preferences([1280.0, 800.0], preferences.clone())
}

fn preferences(harness: &mut Harness<'_, Page>) -> Preferences {
    harness.state_mut().shell().preferences()
}

fn write_model(path: &Path) {
    let files = asset_files().unwrap();
    let model = files.into_iter().find(|file| file.path == "arm/arm.glb");
    std::fs::write(path, model.unwrap().bytes).unwrap();
}

/// Returns the preferences of a run that ends with a model open and its weights edited.
fn preferences_after_edit_of(model: &Path) -> Preferences {
    write_model(model);
    let mut harness = start_page(&Preferences::default());
    let ctx = harness.ctx.clone();
    let shell = harness.state_mut().shell();
    shell.open_files(&ctx, vec![model.to_owned()], None);
    wait_for_files(&mut harness);
    let shell = harness.state_mut().shell();
    shell.edit(&Edit::Weight { vertex: 3, lane: 0, weight: 0.25 }).unwrap();
    harness.run();
    preferences(&mut harness)
}

#[test]
fn a_restart_restores_the_bench_and_its_snapshots() {
    let mut harness = start_page(&Preferences::default());
    let shell = harness.state_mut().shell();
    let link = "bindpose://bind-pose/edit-it-yourself?nod=0.5";
    shell.open_link(link).expect("a page");
    shell.open_bench(true);
    harness.run();
    let before = harness.state_mut().shell().changes();
    harness.click_label("Keep as A");
    let remembered = preferences(&mut harness);
    assert!(harness.state_mut().shell().changes() > before, "and is written");
    assert!(remembered.bench);
    assert_eq!(remembered.snapshots, [Some(link.to_owned()), None]);

    // The snapshot waits while a page of another lesson is open.
    let without_page = Preferences { page: None, ..remembered };
    let mut restarted = start_page(&without_page);
    let shell = restarted.state_mut().shell();
    shell.open_link("bindpose://bone-grid").expect("a page");
    restarted.run();
    assert_eq!(preferences(&mut restarted).snapshots, without_page.snapshots);
    let shell = restarted.state_mut().shell();
    shell.open_link("bindpose://bind-pose/edit-it-yourself").expect("a page");
    restarted.run();
    restarted.click_label("go to snapshot A");
    let nod = restarted.state_mut().document().state.params["nod"];
    assert!((nod - 0.5).abs() < 1e-9, "{nod}");
}

fn weight_is_edited(harness: &mut Harness<'_, Page>) -> bool {
    let weights = harness.state_mut().document().state.weights;
    weights.get(3).is_some_and(|weights| weights.weights[0] == 0.25)
}

fn click(harness: &mut Harness<'_, Page>, button: &str) {
    harness.get_by_role_and_label(Role::Button, button).click();
    wait_for_files(harness);
}

/// A lesson on the reader's model, with a link to a bundled model.
const LESSON_WITH_MODEL_LINK: &str = "+++\ntitle = \"Yours\"\nminutes = 5\nrig = \"own\"\n+++\n\n## One\n\n\
    ```timeline clips stage\n```\n\n[arm.ezm](model:arm.ezm) has frames.\n";

#[test]
fn a_bundled_model_opens_by_a_link_with_its_frames_and_again_after_a_restart() {
    let set = || LessonSet::from_memory(&[("10-yours", LESSON_WITH_MODEL_LINK, "")], "");
    let size = [1280.0, 800.0];
    let mut harness = page_with(size, set(), Preferences::default());
    harness.get_by_role_and_label(Role::Link, "arm.ezm").click();
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.ezm");
    let shell = harness.state_mut().shell();
    shell.edit(&Edit::set(Setting::Clip(ClipName::Index(0)))).unwrap();
    harness.run();
    harness.get_by_label("frame 0.0 of 36");
    harness.press(Key::Period);
    let secs = harness.state_mut().document().time_secs();
    assert!((secs - 1.0 / 24.0).abs() < 1e-6, "{secs}");
    let remembered = preferences(&mut harness);
    assert!(remembered.recent.is_empty(), "it is no file of the reader's");

    let mut harness = page_with(size, set(), remembered);
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.ezm");
    harness.get_by_label("frame 1.0 of 36");
}

const KEPT_NOTICE: &str = "is kept until the file can be opened";

#[test]
fn a_restart_reopens_the_readers_model_with_its_page() {
    let dir = tempfile::tempdir().unwrap();
    let remembered = preferences_after_edit_of(&dir.path().join("arm.glb"));
    let mut harness = start_page(&remembered);
    let while_reading = preferences(&mut harness).page;
    assert_eq!(while_reading, remembered.page, "not that of the stand-in");
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    assert!(weight_is_edited(&mut harness));
    let notebook = harness.state_mut().shell().notebook();
    assert_eq!(notebook.history().to_undo(), None, "it is how the page opens");
    assert_eq!(preferences(&mut harness), remembered);
    assert!(harness.query_by_label_contains(KEPT_NOTICE).is_none());
}

#[test]
fn a_page_without_its_model_is_kept_and_restored_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("arm.glb");
    let away = dir.path().join("away");
    let remembered = preferences_after_edit_of(&file);
    std::fs::rename(&file, &away).unwrap();
    let mut harness = start_page(&remembered);
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "whale.glb");
    harness.get_by_label_contains(KEPT_NOTICE);
    assert_eq!(preferences(&mut harness).page, remembered.page);
    assert_eq!(preferences(&mut harness).recent, std::slice::from_ref(&file));

    // The reader's page in the meantime is remembered, too.
    click(&mut harness, "Next");
    let meanwhile = preferences(&mut harness);
    assert_ne!(meanwhile.page, remembered.page);
    assert_eq!(meanwhile.waiting, [remembered.page.clone().unwrap()]);
    click(&mut harness, "Try again");
    harness.get_by_label("“arm.glb” did not open");
    click(&mut harness, "Close");

    std::fs::rename(&away, &file).unwrap();
    click(&mut harness, "Try again");
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    assert!(weight_is_edited(&mut harness));
    assert!(harness.query_by_label_contains(KEPT_NOTICE).is_none());
    assert_eq!(preferences(&mut harness).waiting, []);

    // In a later run it waits for its model without a notice.
    let mut harness = start_page(&meanwhile);
    harness.run();
    assert!(harness.query_by_label_contains(KEPT_NOTICE).is_none());
    wait_for_files(&mut harness);
    assert!(weight_is_edited(&mut harness), "the lesson wants the model");
}

#[test]
fn a_kept_page_can_be_dismissed_or_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("arm.glb");
    let remembered = preferences_after_edit_of(&file);
    std::fs::remove_file(&file).unwrap();
    let mut harness = start_page(&remembered);
    wait_for_files(&mut harness);
    click(&mut harness, "Later");
    assert!(harness.query_by_label_contains(KEPT_NOTICE).is_none());
    assert_eq!(preferences(&mut harness).page, remembered.page, "kept on");
    let mut harness = start_page(&remembered);
    wait_for_files(&mut harness);
    click(&mut harness, "Forget this page");
    assert!(harness.query_by_label_contains(KEPT_NOTICE).is_none());
    let now = preferences(&mut harness);
    assert!(now.waiting.is_empty() && now.model.is_none());
    assert_ne!(now.page, remembered.page);
}

#[test]
fn the_model_of_the_last_run_opens_when_its_lesson_is_entered() {
    let dir = tempfile::tempdir().unwrap();
    let mut remembered = preferences_after_edit_of(&dir.path().join("arm.glb"));
    remembered.page =
        Some(KeptPage { link: "bindpose://bind-pose".to_owned(), ..KeptPage::default() });
    let mut harness = start_page(&remembered);
    wait_for_files(&mut harness);
    assert!(harness.state_mut().shell().notebook().own().is_none());
    assert_eq!(preferences(&mut harness).model, remembered.model);
    harness.state_mut().shell().open_link("bindpose://your-model").unwrap();
    wait_for_files(&mut harness);
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
}

#[test]
fn a_link_given_with_its_model_keeps_no_page_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("arm.glb");
    write_model(&file);
    let link = "bindpose://your-model/pose-it?model=arm.glb&joint=1";
    let page = KeptPage { link: link.to_owned(), ..KeptPage::default() };
    let preferences_with_link = Preferences { page: Some(page), ..Preferences::default() };
    let mut harness = start_page(&preferences_with_link);
    let ctx = harness.ctx.clone();
    let shell = harness.state_mut().shell();
    shell.open_files(&ctx, vec![file], Some(link.to_owned()));
    wait_for_files(&mut harness);
    assert_eq!(preferences(&mut harness).page.unwrap().link, link);
    assert!(preferences(&mut harness).waiting.is_empty());
    assert!(harness.query_by_label_contains(KEPT_NOTICE).is_none());
}

#[test]
fn every_change_of_the_preferences_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let remembered = preferences_after_edit_of(&dir.path().join("arm.glb"));
    let mut harness = start_page(&remembered);
    wait_for_files(&mut harness);
    let mut last_count = u64::MAX;
    let mut last_preferences = remembered;
    for action in 0..6 {
        match action {
            0 => {}
            1 => click(&mut harness, "Next"),
            2 => harness.key_press_modifiers(Modifiers::COMMAND, Key::Plus),
            3 => harness.key_press_modifiers(Modifiers::COMMAND, Key::Z),
            4 => harness.get_by_label("Open arm.glb again").focus(),
            _ => harness.key_press(Key::Delete),
        }
        harness.run();
        let new_preferences = preferences(&mut harness);
        let count = harness.state_mut().shell().changes();
        assert!(count != last_count || new_preferences == last_preferences, "action {action}");
        last_count = count;
        last_preferences = new_preferences;
    }
    assert!(last_preferences.recent.is_empty());
}

#[test]
fn a_step_counts_as_seen_after_some_seconds_or_an_edit() {
    let mut harness = start_page(&Preferences::default());
    let seen_count = |harness: &mut Harness<'_, Page>| {
        preferences(harness).progress.records().filter(|(.., record)| record.seen).count()
    };
    for _ in 0..3 {
        click(&mut harness, "Next");
        harness.run();
    }
    assert_eq!(seen_count(&mut harness), 0, "passed by");
    // Each frame takes a quarter of a second.
    harness.run_steps(14);
    assert_eq!(seen_count(&mut harness), 1);
    click(&mut harness, "Next");
    harness.run();
    assert_eq!(seen_count(&mut harness), 1);
    let edit = Edit::set(bindpose_lesson::Setting::Joint(bindpose_skin::JointIndex(0).into()));
    harness.state_mut().shell().edit(&edit).unwrap();
    assert_eq!(seen_count(&mut harness), 2, "used");
    let progress = preferences(&mut harness).progress;
    let day = progress.records().next().and_then(|(.., record)| record.day.clone());
    assert_eq!(day, crate::app::exporting::today());
}

#[test]
fn a_page_of_missing_lessons_is_kept() {
    let page = KeptPage { link: "bindpose://my-own/two?x=1".to_owned(), ..KeptPage::default() };
    let remembered = Preferences { page: Some(page.clone()), ..Preferences::default() };
    let mut harness = start_page(&remembered);
    harness.get_by_label_contains("bindpose://my-own/two");
    assert_eq!(preferences(&mut harness).page, Some(page.clone()));
    click(&mut harness, "Next");
    let mut later_preferences = preferences(&mut harness);
    assert_eq!(later_preferences.waiting, [page]);
    later_preferences.waiting[0].link = "bindpose://bind-pose/?joint=1".to_owned();
    let mut harness = start_page(&later_preferences);
    harness.get_by_label_contains("can be opened again");
    click(&mut harness, "Open it");
    assert_eq!(harness.state_mut().document().lesson, "bind-pose");
    assert_eq!(harness.state_mut().document().state.joint.index(), 1);
    assert!(preferences(&mut harness).waiting.is_empty());
}

#[test]
fn a_failed_save_is_shown_until_it_succeeds_or_is_dismissed() {
    let mut harness = start_page(&Preferences::default());
    let shell = harness.state_mut().shell();
    shell.set_save_failure(Some("/x was not saved: no space".to_owned()));
    harness.run();
    let notice = "/x was not saved: no space. Progress and the open page are in this window only, \
                 and are lost when it is closed.";
    harness.get_by_role_and_label(Role::Alert, notice);
    assert!(!harness.state_mut().shell().take_save_retry());
    click(&mut harness, "Try again");
    assert!(harness.state_mut().shell().take_save_retry());
    harness.get_by_role_and_label(Role::Alert, notice);
    harness.get_by_label("Save my work…");
    click(&mut harness, "Not now");
    assert!(harness.query_by_label(notice).is_none(), "dismissed");
    let shell = harness.state_mut().shell();
    shell.set_save_failure(Some("/x was not saved: no folder".to_owned()));
    harness.run();
    harness.get_by_label_contains("no folder");
    harness.state_mut().shell().set_save_failure(None);
    harness.run();
    assert!(harness.query_by_label_contains("no folder").is_none());
}

#[test]
fn a_picture_can_be_enlarged_and_is_read_again_from_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("10-own");
    std::fs::create_dir(&folder).unwrap();
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n```viewport main\n```\n\n\
                ## One\n\nWords.\n\n![Two rings, side by side](rings.png)\n";
    std::fs::write(folder.join("lesson.md"), text).unwrap();
    std::fs::write(folder.join("notes.md"), "Notes.\n").unwrap();
    let write_picture = |width: u32| {
        image::GrayImage::new(width, 100).save(folder.join("rings.png")).unwrap();
    };
    write_picture(200);
    let set = LessonSet::from_dir(dir.path());
    let mut harness = page_with([1280.0, 800.0], set, Preferences::default());
    // The picture is drawn in the background.
    let settle = |harness: &mut Harness<'_, Page>| {
        let mut tries = 0..100;
        while harness.try_run().is_err() {
            tries.next().expect("the picture comes");
        }
    };
    settle(&mut harness);
    let size = |harness: &Harness<'_, Page>| {
        let image = harness.get_by_role_and_label(Role::Image, "Two rings, side by side");
        image.rect().size()
    };
    let scale = harness.ctx.zoom_factor();
    let small = size(&harness);
    assert!((small.x - 200.0 * scale).abs() < 2.0, "{small}");
    harness.get_by_label("Enlarge picture-1").click();
    settle(&mut harness);
    let large = size(&harness);
    assert!(large.x > 2.0 * small.x, "{small} {large}");
    harness.key_press(Key::Escape);
    settle(&mut harness);
    assert_eq!(size(&harness), small);

    write_picture(300);
    harness.state_mut().shell().reload_lessons();
    settle(&mut harness);
    let wider = size(&harness);
    assert!((wider.x - 300.0 * scale).abs() < 2.0, "{wider}");
}

#[test]
fn a_step_shows_its_place_on_the_route() {
    let mut harness = start_page(&Preferences::default());
    let shell = harness.state_mut().shell();
    let route = shell.notebook.set.routes[0].clone();
    shell.notebook.follow_route(&route.name).unwrap();
    let steps = shell.notebook.route_pages().len();
    harness.run();
    let label = format!("Step 1 of {steps} · about {} minutes in all", route.minutes);
    harness.get_by_label(&label);
}

#[test]
fn slow_weights_are_computed_while_the_page_stays_usable() {
    let mut harness = start_page(&Preferences::default());
    let ctx = harness.ctx.clone();
    let shell = harness.state_mut().shell();
    shell.view.pictures.waits_for_work = false;
    shell.compute_in_background(&ctx);
    shell.open_link("bindpose://what-skinning-is/why-four").unwrap();
    let heat = Setting::WeightsFrom(WeightSource::BoneHeat);
    shell.edit(&Edit::set(heat)).unwrap();
    harness.step();
    while harness.state_mut().shell().notebook().derived().awaits_weights() {
        harness.get_by_label_contains("bone heat is being worked out");
        harness.step();
    }
    harness.run();
    harness.get_by_label_contains("In force: weights: bone heat");
    let derived = harness.state_mut().shell().notebook().derived();
    let stored = &derived.stored_rig.mesh.influences;
    assert!(!derived.influences.is_same(stored));
}

#[test]
fn weights_from_a_file_are_refused_while_others_are_computed() {
    let mut harness = start_page(&Preferences::default());
    let ctx = harness.ctx.clone();
    // A model whose weights are not cached.
    let source = bundled_model("whale.glb").unwrap();
    let rig = open(&source, &TaskProgress::default()).unwrap();
    let shell = harness.state_mut().shell();
    shell.open_model(Arc::new(rig)).unwrap();
    let export = Export::from_key("weights-json").unwrap();
    let bytes = export.bytes(shell.notebook().derived(), 0).unwrap();
    let file = WeightsFile::read(&bytes).unwrap().unwrap();
    shell.view.pictures.waits_for_work = false;
    shell.compute_in_background(&ctx);
    let heat = Setting::WeightsFrom(WeightSource::BoneHeat);
    shell.edit(&Edit::set(heat)).unwrap();
    assert!(shell.notebook().derived().awaits_weights());
    shell.take_weights("mine.json", &file);
    assert!(shell.notebook().document().state.weights.is_empty());
    harness.step();
    harness.get_by_label_contains("“mine.json” was not put on the model");
}
