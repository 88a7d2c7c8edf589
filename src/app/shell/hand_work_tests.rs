//! What a reader does to a model by hand, in a whole notebook: each gesture is one step of
//! undo, and each answers in the frame in which it comes, on a large model too.

use std::sync::Arc;

use bindpose_asset::{Mesh, ModelSource, Rig, TaskProgress, asset_files, open};
use bindpose_lesson::{Gizmo, LessonSet, Setting};
use bindpose_notebook::{Document, Edit, Preferences};
use bindpose_skin::JointIndex;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;

use crate::app::testing::{Page, page_with};

const LESSON: &str = r#"+++
title = "By hand"
minutes = 5
rig = "own"
+++

## One

A model.

```viewport main
```

```chain free
product = "world_from_joint(1) * joint_from_bind(1)"
vertex = 4
```
"#;

fn arm() -> Rig {
    let files = asset_files().unwrap();
    let file = files.into_iter().find(|file| file.path == "arm/arm.glb");
    let source = ModelSource::alone("arm.glb", file.unwrap().bytes);
    open(&source, &TaskProgress::default()).unwrap()
}

/// The same with each triangle cut into so many rows of smaller ones, each row by itself.
fn finer(rig: &Rig, rows: u32) -> Rig {
    let stored = &rig.mesh;
    let mut mesh = Mesh {
        parts: Vec::new(),
        positions: Vec::new(),
        normals: Vec::new(),
        tangents: Vec::new(),
        uvs: Vec::new(),
        colors: Vec::new(),
        triangles: Vec::new(),
        stored_sums: Vec::new(),
        ..(**stored).clone()
    };
    let mut influences = Vec::new();
    for corners in &stored.triangles {
        let first = mesh.positions.len() as u32;
        let [a, b, c] = corners.map(|corner| corner as usize);
        for row in 0..=rows {
            for place in 0..=row {
                let [down, right] = [row, place].map(|part| part as f32 / rows as f32);
                let between =
                    |of: &[Vec3]| of[a] + down * (of[b] - of[a]) + right * (of[c] - of[b]);
                mesh.positions.push(between(&stored.positions));
                mesh.normals.push(between(&stored.normals));
                influences.push(stored.influences[a]);
            }
        }
        let at = |row: u32, place: u32| first + row * (row + 1) / 2 + place;
        for row in 0..rows {
            for place in 0..=row {
                let [here, below] = [at(row, place), at(row + 1, place)];
                mesh.triangles.push([here, below, below + 1]);
                if place < row {
                    mesh.triangles.push([here, below + 1, here + 1]);
                }
            }
        }
    }
    mesh.influences = influences.into();
    Rig { mesh: Arc::new(mesh), ..rig.clone() }
}

fn shown(rig: Rig) -> Harness<'static, Page> {
    let set = LessonSet::from_memory(&[("10-hand", LESSON, "")], "");
    let mut harness = page_with([1280.0, 800.0], set, Preferences::default());
    let shell = harness.state_mut().shell();
    shell.open_model(Arc::new(rig)).unwrap();
    shell.edit(&Edit::set(Setting::Joint(JointIndex(1).into()))).unwrap();
    harness.run();
    harness
}

fn button(harness: &Harness<'_, Page>, at: Pos2, pressed: bool) {
    harness.event(Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
}

/// Presses at a place, goes on in a few moves, and lets go.
fn drag(harness: &mut Harness<'_, Page>, from: Pos2, to: Pos2) {
    harness.event(Event::PointerMoved(from));
    harness.step();
    button(harness, from, true);
    harness.step();
    for part in 1..=6 {
        harness.event(Event::PointerMoved(from + (to - from) * (part as f32 / 6.0)));
        harness.step();
    }
    button(harness, to, false);
    harness.run();
}

fn picture(harness: &Harness<'_, Page>) -> eframe::egui::Rect {
    harness.get_by_role(Role::Image).rect()
}

fn joint_at(harness: &Harness<'_, Page>, joint: u16) -> Pos2 {
    let name = format!("joint {joint}");
    let mut marks = harness.get_all_by_role(Role::Button);
    let mark = marks.find(|mark| {
        let label = mark.accesskit_node().label().unwrap_or_default();
        label.starts_with(&name)
    });
    mark.unwrap().rect().center()
}

/// Undone once, the page is as it was; done again once, as it is.
fn is_one_step(harness: &mut Harness<'_, Page>, before: &Document) {
    let after = harness.state_mut().document();
    assert_ne!(after, *before);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(harness.state_mut().document(), *before);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    harness.run();
    assert_eq!(harness.state_mut().document(), after);
}

fn edit(harness: &mut Harness<'_, Page>, setting: Setting) {
    let shell = harness.state_mut().shell();
    shell.edit(&Edit::set(setting)).unwrap();
    harness.run();
}

#[test]
fn a_drag_of_a_ring_a_key_at_it_and_a_stroke_are_one_step_of_undo_each() {
    let mut harness = shown(arm());
    edit(&mut harness, Setting::Gizmo(Gizmo::Turn));
    let before = harness.state_mut().document();
    let ring = "turn joint 1 about z, local frame";
    let held = harness.get_by_role_and_label(Role::Slider, ring).rect();
    let middle = joint_at(&harness, 1);
    let from = held.center();
    let across = (from - middle).rot90();
    drag(&mut harness, from, from + 0.5 * across);
    is_one_step(&mut harness, &before);

    let before = harness.state_mut().document();
    harness.get_by_role_and_label(Role::Slider, ring).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    is_one_step(&mut harness, &before);

    edit(&mut harness, Setting::Gizmo(Gizmo::Off));
    harness.state_mut().shell().view.brush.is_on = true;
    harness.run();
    let before = harness.state_mut().document();
    let middle = picture(&harness).center();
    drag(&mut harness, middle, middle + vec2(30.0, 0.0));
    let painted = harness.state_mut().document().state.weights.len();
    assert!(painted > 4, "{painted}");
    is_one_step(&mut harness, &before);

    let before = harness.state_mut().document();
    harness.get_by_role(Role::Image).focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    is_one_step(&mut harness, &before);
}

/// Where the page has put the vertices, for whoever draws them.
fn positions(harness: &mut Harness<'_, Page>) -> Arc<[Vec3]> {
    Arc::clone(harness.state_mut().shell().notebook().derived().positions())
}

#[test]
fn a_stroke_a_drag_and_a_chain_s_step_each_answer_in_one_frame_at_100_000_vertices() {
    let arm = arm();
    let triangles = arm.mesh.triangles.len() as u32;
    let rows = (1..100).find(|rows| triangles * (rows + 1) * (rows + 2) / 2 >= 100_000);
    let mut harness = shown(finer(&arm, rows.unwrap()));
    edit(&mut harness, Setting::MostInfluences(4));
    let all = positions(&mut harness).len();
    assert!(all >= 100_000, "{all}");

    harness.state_mut().shell().view.brush.is_on = true;
    let middle = picture(&harness).center();
    harness.event(Event::PointerMoved(middle));
    harness.step();
    button(&harness, middle, true);
    harness.step();
    for part in 1..=3 {
        let (document, before) = (harness.state_mut().document(), positions(&mut harness));
        let influences = harness.state_mut().shell().notebook().derived().influences.clone();
        harness.event(Event::PointerMoved(middle + vec2(12.0 * part as f32, 0.0)));
        harness.step();
        let now = harness.state_mut().document();
        let touched = now.state.weights.count_differing(&document.state.weights);
        assert!(touched > 0, "in that frame");
        let derived = harness.state_mut().shell().notebook().derived();
        // What is drawn knows which vertices are others, and only they are uploaded.
        let changed = derived.influences.changed_since(&influences).unwrap();
        assert_eq!(changed.len(), touched);
        let runs = influences.differing_runs(&derived.influences, 64).unwrap();
        let uploaded: usize = runs.iter().map(ExactSizeIterator::len).sum();
        assert!(uploaded >= touched && 4 * uploaded < all, "{touched} {uploaded}");
        let now = positions(&mut harness);
        let moved = now.iter().zip(&*before).filter(|(now, before)| now != before);
        assert!(moved.count() <= touched);
    }
    button(&harness, middle + vec2(36.0, 0.0), false);
    harness.run();
    harness.state_mut().shell().view.brush.is_on = false;

    edit(&mut harness, Setting::Gizmo(Gizmo::Turn));
    let ring = "turn joint 1 about z, local frame";
    let from = harness.get_by_role_and_label(Role::Slider, ring).rect();
    let from = from.center();
    let across = (from - joint_at(&harness, 1)).rot90();
    harness.event(Event::PointerMoved(from));
    harness.step();
    button(&harness, from, true);
    harness.step();
    let (document, before) = (harness.state_mut().document(), positions(&mut harness));
    harness.event(Event::PointerMoved(from + 0.4 * across));
    harness.step();
    assert_ne!(harness.state_mut().document(), document, "in that frame");
    assert_ne!(positions(&mut harness), before);
    button(&harness, from + 0.4 * across, false);
    harness.run();

    let last = harness.get_by_label_contains("world (");
    last.click();
    let before = harness.state_mut().document();
    // A press and a letting go.
    harness.step();
    let chain = harness.state_mut().document().state.chains["free"].clone();
    assert_ne!(harness.state_mut().document(), before);
    assert!((chain.travelled - 2.0).abs() < 1e-6, "in that frame");
}

const NUMBERS: &str = r#"+++
title = "Numbers"
minutes = 5
rig = "bone_grid"
+++

```viewport main
```

```angles all
```

## One

```set
vertex = 8
```

Joint 0 stands at [0°](param:b0), half of which is [0.0°](value:b0/2).

```weights one
```
"#;

#[test]
fn a_number_that_is_dragged_is_laid_out_once_a_frame_and_all_that_follows_with_it() {
    let set = LessonSet::from_memory(&[("10-numbers", NUMBERS, "")], "");
    let mut harness = page_with([1280.0, 800.0], set, Preferences::default());
    let b0 = |harness: &mut Harness<'_, Page>| {
        harness.state_mut().shell().notebook().derived().param("b0").unwrap()
    };
    let numbers = [
        (Role::Slider, "joint 0"),
        (Role::SpinButton, "joint 0"),
        (Role::SpinButton, "weight of joint"),
    ];
    for (role, name) in numbers {
        // From where it stands there is way in one direction alone.
        let way = if name.starts_with("weight") { -6.0 } else { 6.0 };
        let opened = harness.state_mut().document();
        let at = |harness: &Harness<'_, Page>| {
            let mut found = harness.get_all_by_role(role);
            let named = found.find(|node| {
                let label = node.accesskit_node().label().unwrap_or_default();
                label == name || label.starts_with(name) && label.starts_with("weight")
            });
            named.unwrap().rect().center()
        };
        let from = at(&harness);
        harness.event(Event::PointerMoved(from));
        harness.run();
        button(&harness, from, true);
        harness.step();
        for part in 1..=6 {
            let before = harness.state_mut().document();
            let passes = harness.ctx.cumulative_pass_nr();
            harness.event(Event::PointerMoved(from + vec2(way * (part + 1) as f32, 0.0)));
            harness.step();
            let now = harness.state_mut().document();
            assert_ne!(now, before, "{role:?} {name}: in that frame");
            let passes = harness.ctx.cumulative_pass_nr() - passes;
            // What a number is that begins to be dragged is known after the pass.
            assert_eq!(passes, if part == 1 { 2 } else { 1 }, "{role:?} {name}, move {part}");
            let half = b0(&mut harness).to_degrees() / 2.0;
            harness.get_by_label_contains(&format!("half of which is {half:.1}°"));
        }
        button(&harness, from + vec2(7.0 * way, 0.0), false);
        harness.run();
        is_one_step(&mut harness, &opened);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run();
    }
}
