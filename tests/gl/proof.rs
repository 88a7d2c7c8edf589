//! The table of proof on real GL, through the page.

use bindpose_lesson::{LessonSet, Setting, SkinningFault};
use bindpose_notebook::{Edit, gpu_proof};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::common::gl_or_skip;
use crate::page;

/// A notebook with one lesson about the bone grid, bent, and a table.
fn lessons() -> LessonSet {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("proof");
    let folder = root.join("10-proof");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let text = "+++\ntitle = \"Proof\"\nminutes = 1\nrig = \"bone_grid\"\n+++\n\n## One\n\n\
                ```set\nall = 0.8\nb1 = 0.5\n```\n\nA step.\n\n```proof table\n```\n";
    std::fs::write(folder.join("lesson.md"), text).expect("a lesson");
    std::fs::write(folder.join("notes.md"), "Notes.\n").expect("notes");
    LessonSet::from_dir(&root)
}

#[test]
fn the_page_proves_every_way_and_shows_a_broken_one_fail() {
    let name = "the_page_proves_every_way_and_shows_a_broken_one_fail";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let window = Harness::builder().with_size([900.0, 1400.0]);
    let mut harness = page::open(window, Some(gl.gl()), lessons(), 1.0);
    let rows = harness.query_all_by_label_contains(": passed, 10 vertices, largest error");
    let ways = gpu_proof::rows().count();
    assert_eq!(rows.count(), ways);
    harness.get_by_label(&format!("all {ways} passed"));
    assert!(!harness.ctx.has_requested_repaint(), "it comes to rest");

    let shell = harness.state_mut().shell();
    let faults = Setting::Faults([SkinningFault::Transposed].into());
    shell.edit(&Edit::set(faults)).expect("a sound edit");
    harness.run_steps(30);
    harness.get_by_label_contains("as drawn now, with faults: failed, 10 vertices");
    harness.get_by_label(&format!("1 of {} failed", ways + 1));
}
