//! Tests of edits by hand, on a whole page: each gesture is one undo step, and its effect
//! appears in the same frame, also on a large model.

use std::sync::Arc;

use bindpose_gltf::{Mesh, ModelSource, Rig, TaskProgress, open};
use bindpose_lesson::{Gizmo, LessonSet, Setting};
use bindpose_notebook::{Document, Edit, Preferences};
use bindpose_rigs::asset_files;
use bindpose_skin::JointIndex;
use bindpose_testkit::ReaderActions as _;
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

fn load_arm() -> Rig {
    let files = asset_files().unwrap();
    let file = files.into_iter().find(|file| file.path == "arm/arm.glb");
    let source = ModelSource::alone("arm.glb", file.unwrap().bytes);
    open(&source, &TaskProgress::default()).unwrap()
}

/// Cuts each triangle into rows of smaller triangles. Triangles share no vertices.
fn subdivide(rig: &Rig, rows: u32) -> Rig {
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
            for column in 0..=row {
                let down = row as f32 / rows as f32;
                let right = column as f32 / rows as f32;
                for (values, new_values) in
                    [(&stored.positions, &mut mesh.positions), (&stored.normals, &mut mesh.normals)]
                {
                    let down_edge = values[b] - values[a];
                    let right_edge = values[c] - values[b];
                    new_values.push(values[a] + down * down_edge + right * right_edge);
                }
                influences.push(stored.influences[a]);
            }
        }
        for row in 0..rows {
            for column in 0..=row {
                let vertex = first + row * (row + 1) / 2 + column;
                let below = first + (row + 1) * (row + 2) / 2 + column;
                mesh.triangles.push([vertex, below, below + 1]);
                if column < row {
                    mesh.triangles.push([vertex, below + 1, vertex + 1]);
                }
            }
        }
    }
    mesh.influences = influences.into();
    Rig { mesh: Arc::new(mesh), ..rig.clone() }
}

fn page_with_model(rig: Rig) -> Harness<'static, Page> {
    let set = LessonSet::from_memory(&[("10-hand", LESSON, "")], "");
    let mut harness = page_with([1280.0, 800.0], set, Preferences::default());
    let shell = harness.state_mut().shell();
    shell.open_model(Arc::new(rig)).unwrap();
    shell.edit(&Edit::set(Setting::Joint(JointIndex(1).into()))).unwrap();
    harness.run();
    harness
}

fn send_primary_button(harness: &Harness<'_, Page>, position: Pos2, pressed: bool) {
    harness.event(Event::PointerButton {
        pos: position,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
}

/// Presses, moves in a few frames, and releases.
fn drag(harness: &mut Harness<'_, Page>, from: Pos2, to: Pos2) {
    harness.event(Event::PointerMoved(from));
    harness.step();
    send_primary_button(harness, from, true);
    harness.step();
    for part in 1..=6 {
        harness.event(Event::PointerMoved(from + (to - from) * (part as f32 / 6.0)));
        harness.step();
    }
    send_primary_button(harness, to, false);
    harness.run();
}

fn picture_rect(harness: &Harness<'_, Page>) -> eframe::egui::Rect {
    harness.get_by_role(Role::Image).rect()
}

fn joint_position(harness: &Harness<'_, Page>, joint: u16) -> Pos2 {
    let name = format!("joint {joint}");
    let button = harness.get_all_by_role(Role::Button).find(|button| {
        let label = button.accesskit_node().label().unwrap_or_default();
        label.starts_with(&name)
    });
    button.unwrap().rect().center()
}

/// Asserts that one undo restores `before`, and one redo the current document.
fn assert_one_undo_step(harness: &mut Harness<'_, Page>, before: &Document) {
    let after = harness.state_mut().document();
    assert_ne!(after, *before);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(harness.state_mut().document(), *before);
    harness.press_with(Modifiers::COMMAND, Key::Y);
    assert_eq!(harness.state_mut().document(), after);
}

fn apply_setting(harness: &mut Harness<'_, Page>, setting: Setting) {
    let shell = harness.state_mut().shell();
    shell.edit(&Edit::set(setting)).unwrap();
    harness.run();
}

#[test]
fn a_ring_drag_a_key_at_it_and_a_stroke_are_one_undo_step_each() {
    let mut harness = page_with_model(load_arm());
    apply_setting(&mut harness, Setting::Gizmo(Gizmo::Turn));
    let before = harness.state_mut().document();
    let ring = "turn joint 1 about z, local frame";
    let from = harness.get_by_role_and_label(Role::Slider, ring).rect().center();
    let along_ring = (from - joint_position(&harness, 1)).rot90();
    drag(&mut harness, from, from + 0.5 * along_ring);
    assert_one_undo_step(&mut harness, &before);

    let before = harness.state_mut().document();
    harness.get_by_role_and_label(Role::Slider, ring).focus();
    harness.run();
    harness.press(Key::ArrowRight);
    assert_one_undo_step(&mut harness, &before);

    apply_setting(&mut harness, Setting::Gizmo(Gizmo::Off));
    harness.state_mut().shell().view.brush.is_on = true;
    harness.run();
    let before = harness.state_mut().document();
    let middle = picture_rect(&harness).center();
    drag(&mut harness, middle, middle + vec2(30.0, 0.0));
    let painted = harness.state_mut().document().state.weights.len();
    assert!(painted > 4, "{painted}");
    assert_one_undo_step(&mut harness, &before);

    let before = harness.state_mut().document();
    harness.get_by_role(Role::Image).focus();
    harness.run();
    harness.press(Key::Enter);
    assert_one_undo_step(&mut harness, &before);
}

/// Returns the skinned positions that the page draws.
fn positions(harness: &mut Harness<'_, Page>) -> Arc<[Vec3]> {
    Arc::clone(harness.state_mut().shell().notebook().derived().positions())
}

#[test]
fn strokes_drags_and_chain_steps_take_one_frame_at_100_000_vertices() {
    let arm = load_arm();
    let triangles = arm.mesh.triangles.len() as u32;
    let rows = (1..100).find(|rows| triangles * (rows + 1) * (rows + 2) / 2 >= 100_000);
    let mut harness = page_with_model(subdivide(&arm, rows.unwrap()));
    apply_setting(&mut harness, Setting::MostInfluences(4));
    let vertex_count = positions(&mut harness).len();
    assert!(vertex_count >= 100_000, "{vertex_count}");

    harness.state_mut().shell().view.brush.is_on = true;
    let middle = picture_rect(&harness).center();
    harness.event(Event::PointerMoved(middle));
    harness.step();
    send_primary_button(&harness, middle, true);
    harness.step();
    for part in 1..=3 {
        let document = harness.state_mut().document();
        let positions_before = positions(&mut harness);
        let influences = harness.state_mut().shell().notebook().derived().influences.clone();
        harness.event(Event::PointerMoved(middle + vec2(12.0 * part as f32, 0.0)));
        harness.step();
        let painted = harness.state_mut().document();
        let touched = painted.state.weights.count_differing(&document.state.weights);
        assert!(touched > 0, "in that frame");
        let derived = harness.state_mut().shell().notebook().derived();
        // The influences know which vertices have changed, and only those are uploaded.
        let changed = derived.influences.changed_since(&influences).unwrap();
        assert_eq!(changed.len(), touched);
        let runs = influences.differing_runs(&derived.influences, 64).unwrap();
        let uploaded: usize = runs.iter().map(ExactSizeIterator::len).sum();
        let is_partial = 4 * uploaded < vertex_count;
        assert!(uploaded >= touched && is_partial, "{touched} {uploaded}");
        let new_positions = positions(&mut harness);
        let moved = new_positions.iter().zip(&*positions_before).filter(|(new, old)| new != old);
        assert!(moved.count() <= touched);
    }
    send_primary_button(&harness, middle + vec2(36.0, 0.0), false);
    harness.run();
    harness.state_mut().shell().view.brush.is_on = false;

    apply_setting(&mut harness, Setting::Gizmo(Gizmo::Turn));
    let ring = "turn joint 1 about z, local frame";
    let from = harness.get_by_role_and_label(Role::Slider, ring).rect().center();
    let along_ring = (from - joint_position(&harness, 1)).rot90();
    harness.event(Event::PointerMoved(from));
    harness.step();
    send_primary_button(&harness, from, true);
    harness.step();
    let document = harness.state_mut().document();
    let positions_before = positions(&mut harness);
    harness.event(Event::PointerMoved(from + 0.4 * along_ring));
    harness.step();
    assert_ne!(harness.state_mut().document(), document, "in that frame");
    assert_ne!(positions(&mut harness), positions_before);
    send_primary_button(&harness, from + 0.4 * along_ring, false);
    harness.run();

    harness.get_by_label_contains("world (").click();
    let before = harness.state_mut().document();
    // A press and a release.
    harness.step();
    let chain = harness.state_mut().document().state.chains["free"].clone();
    assert_ne!(harness.state_mut().document(), before);
    assert!((chain.travelled - 2.0).abs() < 1e-6, "in that frame");
}

const LESSON_WITH_NUMBERS: &str = r#"+++
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
fn a_dragged_number_and_its_effects_are_laid_out_once_a_frame() {
    let set = LessonSet::from_memory(&[("10-numbers", LESSON_WITH_NUMBERS, "")], "");
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
        // Each number can change in one direction only.
        let step_px = if name.starts_with("weight") { -6.0 } else { 6.0 };
        let opened = harness.state_mut().document();
        let number = harness.get_all_by_role(role).find(|node| {
            let label = node.accesskit_node().label().unwrap_or_default();
            label == name || label.starts_with(name) && label.starts_with("weight")
        });
        let from = number.unwrap().rect().center();
        harness.event(Event::PointerMoved(from));
        harness.run();
        send_primary_button(&harness, from, true);
        harness.step();
        for part in 1..=6 {
            let before = harness.state_mut().document();
            let passes_before = harness.ctx.cumulative_pass_nr();
            harness.event(Event::PointerMoved(from + vec2(step_px * (part + 1) as f32, 0.0)));
            harness.step();
            let after = harness.state_mut().document();
            assert_ne!(after, before, "{role:?} {name}: in that frame");
            let pass_count = harness.ctx.cumulative_pass_nr() - passes_before;
            // The first pass of a drag identifies the number, so one more is needed.
            let expected_count = if part == 1 { 2 } else { 1 };
            assert_eq!(pass_count, expected_count, "{role:?} {name}, move {part}");
            let half = b0(&mut harness).to_degrees() / 2.0;
            harness.get_by_label_contains(&format!("half of which is {half:.1}°"));
        }
        send_primary_button(&harness, from + vec2(7.0 * step_px, 0.0), false);
        harness.run();
        assert_one_undo_step(&mut harness, &opened);
        harness.press_with(Modifiers::COMMAND, Key::Z);
    }
}
