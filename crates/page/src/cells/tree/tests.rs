use bindpose_lesson::Setting;
use bindpose_notebook::Edit;
use bindpose_skin::JointIndex;
use eframe::egui::accesskit::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

use super::*;
use crate::cells::testing::{Page, arm_with_a_node_above, harness};

fn shown(page: Page, cell: TreeCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
    harness.run();
    harness
}

#[test]
fn a_click_on_a_node_chooses_its_joint_and_the_chosen_joint_is_shown() {
    let mut harness = shown(Page::new("gimbal"), TreeCell::default());
    harness.get_by_label_contains("gimbal.glb: 6 nodes");
    harness.get_by_label_contains("scene 0: roots 0, 5");
    harness.get_by_label_contains("node 0: gimbal_mesh, mesh 0, skin 0");
    harness.get_by_label_contains("node 3: inner ring, joint 2").click();
    harness.run();
    let joint = Edit::set(Setting::Joint(JointIndex(2).into()));
    assert_eq!(harness.state().edits.last(), Some(&joint));
    harness.get_by_label("node 3  inner ring");
    harness.state_mut().document.state.joint = JointIndex(3);
    harness.run();
    harness.get_by_label("node 4  one joint");
}

#[test]
fn a_node_that_is_no_joint_of_a_skin_has_no_number_of_one_and_can_be_chosen() {
    let mut page = Page::with_rig(arm_with_a_node_above().into());
    page.document.state.joint = JointIndex(1);
    let mut harness = shown(page, TreeCell::default());
    assert!(harness.query_by_label_contains(", joint 0").is_none());
    harness.get_by_label_contains(", joint 1");
    harness.get_by_label_contains("node 0: ").click();
    harness.run();
    let joint = Edit::set(Setting::Joint(JointIndex(0).into()));
    assert_eq!(harness.state().edits.last(), Some(&joint));
}

#[test]
fn arrow_keys_walk_fold_and_unfold() {
    let mut harness = shown(Page::new("gimbal"), TreeCell::default());
    harness.get_by_label_contains("node 1: outer ring").click();
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    harness.key_press(Key::ArrowLeft);
    harness.run();
    assert!(harness.query_by_label_contains("node 3:").is_none());
    harness.get_by_label_contains(
        "node 2: middle ring, joint 1, at (−1.60, 0.00, 0.00), level 3, folded",
    );
    harness.key_press(Key::ArrowLeft);
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(0));
    harness.key_press(Key::End);
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(3));
}

#[test]
fn matrices_residual_and_the_way_to_a_node_can_be_read() {
    let mut page = Page::new("gimbal");
    for (name, value) in [("pitch", 0.7), ("roll", 0.5), ("stretch", 0.5)] {
        page.document.state.params.insert(name.to_owned(), value);
    }
    page.document.state.joint = JointIndex(2);
    page.document.state.vertex = 2769;
    let cell = TreeCell { rows: None, matrices: true, taken_apart: true, mapping: true };
    let harness = shown(page, cell);
    let table = |name| harness.get_by_role_and_label(Role::Table, name);
    let cells = table("parent from inner ring");
    let mut cells = cells.query_all_by_role(Role::Cell);
    assert!(cells.any(|cell| cell.accesskit_node().label().as_deref() == Some("0.878")));
    table("world from inner ring");
    harness.get_by_label_contains("it shears");
    harness
        .get_by_label_contains("JOINTS_0: 3 → skin.joints[3] = 4 → node 4 one joint, weight 1.00");
}

#[test]
fn of_two_thousand_nodes_only_what_is_seen_is_laid_out() {
    let mut page = Page::new("centipede(2000)");
    page.document.state.joint = JointIndex(1500);
    let mut harness = shown(page, TreeCell::default());
    harness.get_by_label_contains("2000 nodes");
    for joint in [1500, 0, 1050, 1999] {
        harness.state_mut().document.state.joint = JointIndex(joint);
        // It scrolls there.
        harness.run_steps(12);
        harness.get_by_label_contains(&format!("node {joint}:"));
        let rows = harness.query_all_by_label_contains(", level ").count();
        assert!((8..=16).contains(&rows), "{rows} at joint {joint}");
    }
}

#[test]
fn nothing_is_clipped_in_a_narrow_column() {
    for width in [280.0, 420.0, 700.0] {
        let cell = TreeCell { rows: None, matrices: true, taken_apart: true, mapping: true };
        let mut harness = harness(Page::new("gimbal"), move |view, page| {
            view.set_max_width(width);
            ui(view, &cell, "t", page);
            let used = view.min_rect().width();
            assert!(used <= width + 0.5, "{used} of {width}");
        });
        harness.set_size(eframe::egui::vec2(width + 16.0, 900.0));
        harness.run();
    }
}

#[test]
fn where_there_is_room_the_chosen_node_stands_beside_the_rows() {
    for (width, is_beside) in [(900.0, true), (500.0, false)] {
        let page = Page::new("gimbal");
        let mut harness =
            harness(page, move |view, page| ui(view, &TreeCell::default(), "t", page));
        harness.set_size(eframe::egui::vec2(width, 700.0));
        harness.run();
        let row = harness.get_by_label_contains("node 4: one joint").rect();
        let chosen = harness.get_by_label("node 1  outer ring").rect();
        assert_eq!(chosen.left() > row.right(), is_beside, "{width}: {chosen} {row}");
        assert_eq!(chosen.top() > row.bottom(), !is_beside, "{width}: {chosen} {row}");
    }
}
