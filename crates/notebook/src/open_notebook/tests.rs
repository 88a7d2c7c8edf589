use super::*;
use glam::{Vec2, Vec3};

use bindpose_lesson::{DataEdit, Projection, Setting, View};
use bindpose_rigs::builtin;
use bindpose_skin::{Influences, JointIndex};

use crate::PageAddress;
use crate::camera::Camera;
use crate::test_sample::notebook_of;

const FIRST: &str = "+++\ntitle = \"First\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ## One\n\nWords.\n\n## Two\n\n```set\nnod = \"30deg\"\n```\n\nWords.\n";
const SECOND: &str = "+++\ntitle = \"Second\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
    ## One\n\nWords.\n";

fn notebook() -> Notebook {
    notebook_of(&[("10-first", FIRST), ("20-second", SECOND)])
}

fn nod(notebook: &Notebook) -> f64 {
    notebook.derived().param("nod").unwrap()
}

fn turn(notebook: &mut Notebook, angle_rad: f64, gesture: u64) {
    let edit = Edit::param("nod", angle_rad);
    notebook.edit(&edit, gesture).unwrap();
}

#[test]
fn derived_always_belongs_to_document() {
    let mut notebook = notebook();
    let world = |notebook: &Notebook| notebook.derived().joints.world_from_joint[1];
    let rest = world(&notebook);
    turn(&mut notebook, 0.5, 1);
    assert_ne!(world(&notebook), rest);
    assert!(notebook.undo());
    assert_eq!(world(&notebook), rest);
    assert!(notebook.redo());
    assert_eq!(nod(&notebook), 0.5);
}

#[test]
fn undo_steps_have_labels() {
    let mut notebook = notebook();
    turn(&mut notebook, 0.5, 1);
    turn(&mut notebook, 0.6, 1);
    notebook.follow("bindpose://first?nod=0.1", 3).unwrap();
    let mut taken_back = Vec::new();
    while let Some(label) = notebook.history().to_undo().map(str::to_owned) {
        assert!(notebook.undo());
        assert_eq!(notebook.history().to_redo(), Some(label.as_str()));
        taken_back.push(label);
    }
    assert_eq!(taken_back, ["following a link", "nod"]);
}

#[test]
fn pages_turn_across_lessons_and_stop_at_the_ends() {
    let mut notebook = notebook();
    assert!(!notebook.turn_page(false));
    assert!(notebook.turn_page(true));
    assert_eq!(nod(&notebook), 30_f64.to_radians(), "the second step sets it");
    assert!(notebook.turn_page(true));
    assert_eq!(notebook.lesson().slug, "second");
    assert_eq!(notebook.derived().rig.id, "bone_grid");
    assert!(!notebook.turn_page(true));
    assert!(notebook.turn_page(false));
    assert_eq!((notebook.lesson().slug.as_str(), notebook.document().step), ("first", 1));
    assert!(!notebook.undo(), "turning a page is no edit");
    assert!(notebook.progress.is_empty(), "passing by is not seeing");
}

#[test]
fn selection_is_not_undone_and_rejected_edits_change_nothing() {
    let mut notebook = notebook();
    notebook.edit(&Edit::set(Setting::Joint(bindpose_skin::JointIndex(1).into())), 1).unwrap();
    assert_eq!(notebook.history().to_undo(), None);
    let before = notebook.document().clone();
    let wild = Edit::param("nod", f64::NAN);
    assert!(notebook.edit(&wild, 2).is_err());
    assert_eq!(*notebook.document(), before);
    assert!(notebook.follow("bindpose://third", 3).is_err());
    assert_eq!(*notebook.document(), before, "what was open stays open");
}

/// Angle of the head on each step of the first lesson, in order.
fn nods(notebook: &mut Notebook) -> Vec<f64> {
    let steps = notebook.set.lessons[0].steps.clone();
    let mut nods = Vec::new();
    for step in &steps {
        let page = PageAddress::step("first", &step.slug);
        notebook.go(&page).unwrap();
        nods.push(nod(notebook));
    }
    nods
}

#[test]
fn changes_stay_with_their_step() {
    let mut notebook = notebook();
    let second_nod = 30_f64.to_radians();
    turn(&mut notebook, 0.5, 1);
    notebook.edit(&Edit::data(DataEdit::Weights(0, [0.25; 8])), 2).unwrap();
    assert!(notebook.turn_page(true));
    assert!(notebook.document().state.weights.is_empty(), "nothing leaks");
    assert_eq!(notebook.changes(), []);
    turn(&mut notebook, 1.0, 3);
    assert_eq!(nods(&mut notebook), [0.5, 1.0]);
    notebook.follow("bindpose://second", 4).unwrap();
    assert_eq!(nods(&mut notebook), [0.5, 1.0]);
    assert!(notebook.turn_page(false));
    assert_eq!(notebook.document().state.weights.get(0), Some(&[0.25; 8].into()));

    assert!(notebook.undo() && notebook.undo() && !notebook.undo());
    assert_eq!(nods(&mut notebook), [0.0, 1.0], "the undo of one step alone");
    assert_eq!(notebook.history().to_undo(), Some("nod"));
    assert!(notebook.undo());
    assert_eq!(nods(&mut notebook), [0.0, second_nod]);
    assert!(!notebook.lesson_keeps_work());
}

#[test]
fn kept_links_restore_all_steps() {
    let mut notebook = notebook();
    turn(&mut notebook, 0.5, 1);
    notebook.turn_page(true);
    turn(&mut notebook, 1.0, 2);
    let mut links = notebook.kept_links();
    assert_eq!(links, ["bindpose://first/one?nod=0.5", "bindpose://first/two?nod=1"]);
    links.push("bindpose://first/one-that-is-gone?nod=2".to_owned());

    let mut again = self::notebook();
    again.take_kept(&links);
    assert_eq!(nod(&again), 0.5, "the first page is in sight");
    assert_eq!(nods(&mut again), [0.5, 1.0]);
    assert_eq!(again.kept_links().len(), 3, "what is not there now waits");
    assert!(!again.undo(), "what was remembered is no edit");
}

#[test]
fn following_a_link_can_be_undone() {
    let mut notebook = notebook();
    turn(&mut notebook, 0.5, 1);
    notebook.follow("bindpose://second", 2).unwrap();
    notebook.follow("bindpose://first", 3).unwrap();
    assert_eq!(nod(&notebook), 0.5, "a link without values only leads there");
    notebook.follow("bindpose://first/one?nod=0.1", 4).unwrap();
    assert_eq!(nod(&notebook), 0.1);
    assert!(notebook.undo());
    assert_eq!(nod(&notebook), 0.5);
}

#[test]
fn carry_on_keeps_values() {
    let mut notebook = notebook();
    turn(&mut notebook, 0.5, 1);
    notebook.edit(&Edit::data(DataEdit::Weights(0, [0.25; 8])), 2).unwrap();
    assert!(notebook.carry_on(3));
    assert_eq!(notebook.document().step, 1);
    assert_eq!(nod(&notebook), 30_f64.to_radians(), "what the step sets");
    assert_eq!(notebook.document().state.weights.get(0), Some(&[0.25; 8].into()));
    let labels = notebook.changes().into_iter().map(|change| change.label);
    assert_eq!(labels.collect::<Vec<_>>(), ["weights of v0"]);
    assert!(!notebook.carry_on(4), "the last step");
    assert_eq!(notebook.history().to_undo(), Some("carrying on from “One”"));
    assert!(notebook.undo());
    assert!(notebook.document().state.weights.is_empty());
    assert_eq!(nods(&mut notebook)[0], 0.5, "the step before keeps its own");
}

#[test]
fn carrying_step_opens_with_previous_values() {
    let carries = FIRST.replace("nod = \"30deg\"", "carry = true");
    let mut notebook = notebook_of(&[("10-first", &carries), ("20-second", SECOND)]);
    assert_eq!(notebook.lesson().findings, []);
    let there = |notebook: &mut Notebook, gesture: u64, angle_rad: f64| {
        notebook.go(&PageAddress::step("first", "one")).unwrap();
        turn(notebook, angle_rad, gesture);
        notebook.turn_page(true);
        nod(notebook)
    };
    assert_eq!(there(&mut notebook, 1, 0.5), 0.5);
    assert!(notebook.is_carried());
    assert_eq!(notebook.kept_links().len(), 1, "the second step has nothing of its own");
    assert_eq!(there(&mut notebook, 2, 0.7), 0.7, "it follows");
    turn(&mut notebook, 1.0, 3);
    assert!(!notebook.is_carried());
    assert_eq!(there(&mut notebook, 4, 0.9), 1.0, "until it has its own");
    notebook.edit(&Edit::ResetStep, 5).unwrap();
    assert_eq!(nods(&mut notebook), [0.9, 0.0], "put back, it stays so");
}

#[test]
fn starting_over_can_be_undone() {
    let mut notebook = notebook();
    turn(&mut notebook, 0.5, 1);
    notebook.turn_page(true);
    turn(&mut notebook, 1.0, 2);
    let camera =
        Camera::framing((Vec3::ZERO, Vec3::ONE), View::Front, Projection::Perspective, 1.0);
    let look = Navigation::Look("main".to_owned(), Some(camera));
    notebook.navigate(&look).unwrap();
    let (kept, progress) = (notebook.kept_links(), notebook.progress.clone());

    notebook.reset_progress(3);
    assert!(!notebook.lesson_keeps_work());
    assert!(notebook.progress.is_empty());
    assert_eq!(notebook.history().to_undo(), Some("beginning anew"));
    assert!(notebook.undo());
    assert_eq!((notebook.kept_links(), &notebook.progress), (kept.clone(), &progress));
    assert!(notebook.redo());
    assert!(!notebook.lesson_keeps_work());
    assert!(notebook.undo() && notebook.undo());
    assert_eq!(nods(&mut notebook), [0.5, 30_f64.to_radians()]);
    assert!(!notebook.undo() && notebook.turn_page(false) && notebook.undo());
    assert_eq!(nod(&notebook), 0.0, "the undo of other steps came back too");
}

#[test]
fn camera_is_kept_with_step_and_link() {
    let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
    notebook.follow("bindpose://bind-pose/and-carry-it-back", 1).unwrap();
    let viewport = notebook.lesson().cells().find(|cell| cell.kind.draws_scene());
    let viewport = viewport.unwrap().id.clone();
    let mut camera =
        Camera::framing((Vec3::ZERO, Vec3::ONE), View::Front, Projection::Perspective, 1.0);
    camera.orbit(Vec2::new(0.137, 0.05));
    let look = Navigation::Look(viewport.clone(), Some(camera));
    notebook.edit(&Edit::param("nod", 0.5), 2).unwrap();
    notebook.navigate(&look).unwrap();
    let link = notebook.link();
    assert!(link.contains(&format!("camera.{viewport}=")), "{link}");
    assert!(notebook.undo());
    assert_eq!(notebook.cameras()[&viewport], camera);
    assert!(notebook.turn_page(true));
    assert!(notebook.cameras().is_empty());
    assert!(notebook.turn_page(false));
    assert_eq!(notebook.cameras()[&viewport], camera);

    let mut other = Notebook::new(LessonSet::embedded(), builtin).unwrap();
    other.follow(&link, 1).unwrap();
    assert_eq!(other.cameras()[&viewport], camera);
    other.reset_views();
    assert!(other.cameras().is_empty());
    other.navigate(&look).unwrap();
    other.edit(&Edit::set(Setting::View(Some(View::Top))), 2).unwrap();
    assert!(other.cameras().is_empty(), "another view is another view");
}

#[test]
fn steps_with_own_rigs_start_over() {
    const TEXT: &str = "+++\ntitle = \"Two\"\nminutes = 5\nrig = \"arm\"\n+++\n\n\
        ## Arm\n\n```set\nbend = \"30deg\"\njoint = 1\n```\n\nWords.\n\n\
        ## Head\n\n```set\nrig = \"head\"\nnod = \"20deg\"\n```\n\nWords.\n\n\
        ## Head again\n\nWords.\n";
    let mut notebook = notebook_of(&[("10-two", TEXT)]);
    assert_eq!(notebook.derived().rig.id, "arm");
    notebook.edit(&Edit::param("twist", 0.5), 1).unwrap();
    assert!(!notebook.leads_on(), "nothing goes along to another rig");
    assert!(notebook.turn_page(true));
    assert_eq!(notebook.derived().rig.id, "head");
    assert_eq!(notebook.derived().param("bend"), None);
    assert_eq!(notebook.document().state.joint, JointIndex(0), "all begins anew");
    assert!(notebook.leads_on());
    notebook.edit(&Edit::param("turn", 0.25), 2).unwrap();
    assert!(notebook.turn_page(true));
    assert_eq!(notebook.derived().rig.id, "head");
    assert!((notebook.derived().param("nod").unwrap() - 20f64.to_radians()).abs() < 1e-9);
    // Both steps and links to them restore their state.
    notebook.follow("bindpose://two/arm", 3).unwrap();
    assert_eq!(notebook.derived().param("twist"), Some(0.5));
    let link = "bindpose://two/head-again?turn=0.5";
    notebook.follow(link, 4).unwrap();
    assert_eq!(notebook.derived().rig.id, "head");
    assert_eq!(notebook.derived().param("turn"), Some(0.5));
    assert!(notebook.undo());
    assert_eq!(notebook.derived().rig.id, "head");
    assert!(notebook.link().starts_with("bindpose://two/head-again"));
}

#[test]
fn brush_stroke_is_one_undo_step() {
    let mut notebook = notebook();
    notebook.follow("bindpose://second", 1).unwrap();
    let stored = notebook.derived().influences.clone();
    let paint = |notebook: &mut Notebook, vertices: std::ops::Range<u32>, gesture| {
        let influences = Influences::new(&[(JointIndex(2), 0.75), (JointIndex(0), 0.25)]);
        let painted = vertices.map(|vertex| (vertex, influences)).collect();
        notebook.edit(&Edit::Paint(painted), gesture).unwrap();
        let (document, rig) = (notebook.document(), &notebook.derived().rig);
        let whole = Derived::edited_influences(document, rig);
        assert_eq!(notebook.derived().influences, whole, "by what differs");
    };
    paint(&mut notebook, 0..2, 7);
    paint(&mut notebook, 1..4, 7);
    let first = notebook.derived().influences.clone();
    paint(&mut notebook, 3..6, 8);
    assert_eq!(notebook.history().to_undo(), Some("painted weights"));
    assert!(notebook.undo());
    assert_eq!(notebook.derived().influences, first);
    assert!(notebook.undo());
    assert!(notebook.derived().influences.is_same(&stored));
    assert!(notebook.redo());
    assert_eq!(notebook.derived().influences, first);

    let before = notebook.document().clone();
    let wrong = |influences, vertex| Edit::Paint(vec![(0, first[0]), (vertex, influences)]);
    let far = Influences::new(&[(JointIndex(99), 1.0)]);
    let wild = Influences::new(&[(JointIndex(0), f32::NAN)]);
    for edit in [wrong(far, 1), wrong(wild, 1), wrong(first[1], 4000)] {
        assert!(notebook.edit(&edit, 9).is_err());
        assert_eq!(*notebook.document(), before, "all or nothing");
    }
}

#[test]
fn painted_weights_are_linked_if_they_fit() {
    let lesson = FIRST.replace("\"head\"", "\"tentacle\"").replace("nod = \"30deg\"", "all = 0");
    let mut notebook = notebook_of(&[("10-first", &lesson)]);
    let weights = |vertex: u32| 0.5 + 0.4 / (1.0 + vertex as f32);
    let paint = |notebook: &mut Notebook, vertices: u32| {
        let painted = (0..vertices).map(|vertex| {
            let pairs = [(JointIndex(0), weights(vertex)), (JointIndex(1), 1.0 - weights(vertex))];
            (vertex, Influences::new(&pairs))
        });
        notebook.edit(&Edit::Paint(painted.collect()), 1).unwrap();
    };
    paint(&mut notebook, 20);
    assert_eq!(notebook.weights_left_out_of_link(), 0);
    let link = notebook.link();
    let painted = notebook.document().clone();
    notebook.edit(&Edit::ResetStep, 2).unwrap();
    notebook.follow(&link, 3).unwrap();
    assert_eq!(notebook.document().state.weights, painted.state.weights);

    paint(&mut notebook, 2400);
    let edited = notebook.document().state.weights.len();
    assert_eq!(notebook.weights_left_out_of_link(), edited);
    assert!(!notebook.link().contains("weights."));
    assert!(notebook.turn_page(true) && notebook.turn_page(false));
    assert_eq!(notebook.document().state.weights.len(), edited);
}
