//! Known faults with OpenGL: the GPU draws what the page computes, and the table of the proof cell
//! reports a broken transport.

use bindpose_lesson::{
    LessonSet, Setting, SkinningFault, ViewportCell, known_faults, parse_settings,
};
use bindpose_notebook::fault_evidence::Evidence;
use bindpose_notebook::faults::FaultSwitch;
use bindpose_notebook::scene::SceneColors;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{Derived, Document, Edit, apply_setting, gpu_proof};
use bindpose_rigs::builtin;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;

use crate::common::gl_or_skip;
use crate::leftovers::assert_no_error;
use crate::{page, renderer};

const SCENES: [(&str, &str); 2] = [
    ("whale", "clip=swim,time=0.3,jaw=40deg,neck=30deg,tail_1=-170deg,node_x=1,squash=0.6"),
    ("simple_skin_file", "clip=bend,time=1.7,bend=50deg,node_x=0.5"),
];

#[test]
fn each_known_fault_is_drawn_as_computed() {
    let name = "each_known_fault_is_drawn_as_computed";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let limits = renderer.limits().clone();
    for (id, settings) in SCENES {
        let rig = builtin(id).expect("built in");
        let mut right = Document::default();
        for setting in parse_settings(settings).expect("settings") {
            apply_setting(&mut right, &setting, Some(&rig));
        }
        for fault in known_faults() {
            let mut document = right.clone();
            for setting in FaultSwitch::new(fault).switched(true, &right.state) {
                apply_setting(&mut document, &setting, Some(&rig));
            }
            let derived = Derived::of_document(&document, None, &rig);
            let cell = ViewportCell::default();
            let frame = ViewportFrame::new(&cell, &document, &derived, Some(&limits));
            let scene = frame.scene_without_view(SceneColors::default());
            let drawn = renderer.read_skinned(&scene).expect("feedback");
            let evidence = Evidence::new(&derived, &document);
            let meant = evidence.positions();
            assert_eq!(drawn.len(), meant.len(), "{id}, {}", fault.id);
            let size = meant.iter().fold(1.0, |most: f32, p| most.max(p.length()));
            // Filter weights may be quantized to 1/256.
            let filtered = fault.id == "texels-filtered";
            let part = if filtered { 1e-2 } else { 2e-5 };
            for (vertex, (drawn, &meant)) in drawn.iter().zip(meant).enumerate() {
                let off = drawn.position_in_world.distance(meant);
                assert!(off <= part * size, "{id}, {}, v{vertex}: {off}", fault.id);
            }
            // With a nearly singular matrix the normal depends on the last digit. Columns of other
            // joints often give such matrices.
            let flattens = fault.id.starts_with("texels") || fault.id == "wrong-width";
            let far = drawn
                .iter()
                .zip(evidence.normals())
                .filter(|(drawn, meant)| drawn.normal_in_world.distance(**meant) > 1e-2)
                .filter(|(_, meant)| **meant != Vec3::ZERO)
                .count();
            let all = meant.len();
            assert!(
                flattens || far * 100 <= all,
                "{id}, {}: {far} of {all} normals differ",
                fault.id
            );
        }
    }
    assert_no_error(&gl);
}

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
fn the_page_proves_every_transport_and_reports_a_broken_one() {
    let name = "the_page_proves_every_transport_and_reports_a_broken_one";
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
