use bindpose_lesson::Setting;
use bindpose_notebook::Edit;
use bindpose_skin::JointIndex;
use eframe::egui::accesskit::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

use super::*;
use crate::cells::testing::{Page, arm_with_parent_node, harness};

fn tree_harness(page: Page, cell: TreeCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
    harness.run();
    harness
}

#[test]
fn clicking_a_node_selects_its_joint_and_the_tree_follows() {
    let mut harness = tree_harness(Page::new("gimbal"), TreeCell::default());
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
fn node_outside_skins_shows_no_joint_but_can_be_selected() {
    let mut page = Page::with_rig(arm_with_parent_node().into());
    page.document.state.joint = JointIndex(1);
    let mut harness = tree_harness(page, TreeCell::default());
    assert!(harness.query_by_label_contains(", joint 0").is_none());
    harness.get_by_label_contains(", joint 1");
    harness.get_by_label_contains("node 0: ").click();
    harness.run();
    let joint = Edit::set(Setting::Joint(JointIndex(0).into()));
    assert_eq!(harness.state().edits.last(), Some(&joint));
}

#[test]
fn arrow_keys_move_fold_and_unfold() {
    let mut harness = tree_harness(Page::new("gimbal"), TreeCell::default());
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
fn screen_readers_get_matrices_residual_and_influence_path() {
    let params = [("pitch", 0.7), ("roll", 0.5), ("stretch", 0.5)];
    let mut page = Page::new("gimbal").with_params(&params);
    page.document.state.joint = JointIndex(2);
    page.document.state.vertex = 2769;
    let cell = TreeCell { rows: None, matrices: true, taken_apart: true, mapping: true };
    let harness = tree_harness(page, cell);
    let local = harness.get_by_role_and_label(Role::Table, "parent from inner ring");
    let mut cells = local.query_all_by_role(Role::Cell);
    assert!(cells.any(|cell| cell.accesskit_node().label().as_deref() == Some("0.878")));
    harness.get_by_role_and_label(Role::Table, "world from inner ring");
    harness.get_by_label_contains("it shears");
    harness
        .get_by_label_contains("JOINTS_0: 3 → skin.joints[3] = 4 → node 4 one joint, weight 1.00");
}

#[test]
fn only_visible_rows_of_a_large_tree_are_laid_out() {
    let mut page = Page::new("centipede(2000)");
    page.document.state.joint = JointIndex(1500);
    let mut harness = tree_harness(page, TreeCell::default());
    harness.get_by_label_contains("2000 nodes");
    for joint in [1500, 0, 1050, 1999] {
        harness.state_mut().document.state.joint = JointIndex(joint);
        // Wait for the scroll animation.
        harness.run_steps(12);
        harness.get_by_label_contains(&format!("node {joint}:"));
        let rows = harness.query_all_by_label_contains(", level ").count();
        assert!((8..=16).contains(&rows), "{rows} at joint {joint}");
    }
}

#[test]
fn cell_fits_into_a_narrow_column() {
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
fn details_are_beside_the_rows_if_there_is_room() {
    for (width, is_beside) in [(900.0, true), (500.0, false)] {
        let page = Page::new("gimbal");
        let mut harness =
            harness(page, move |view, page| ui(view, &TreeCell::default(), "t", page));
        harness.set_size(eframe::egui::vec2(width, 700.0));
        harness.run();
        let row = harness.get_by_label_contains("node 4: one joint").rect();
        let details = harness.get_by_label("node 1  outer ring").rect();
        assert_eq!(details.left() > row.right(), is_beside, "{width}: {details} {row}");
        assert_eq!(details.top() > row.bottom(), !is_beside, "{width}: {details} {row}");
    }
}
