//! Known faults on real GL: what the card draws is what the numbers of the page say.

use bindpose_asset::builtin;
use bindpose_lesson::{ViewportCell, known_faults, parse_settings};
use bindpose_notebook::faults::{Evidence, FaultSwitch};
use bindpose_notebook::scene::SceneColors;
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{Derived, Document, apply_setting};
use glam::Vec3;

use crate::common::gl_or_skip;
use crate::leftovers::assert_no_error;
use crate::renderer;

const SCENES: [(&str, &str); 2] = [
    ("whale", "clip=swim,time=0.3,jaw=40deg,neck=30deg,tail_1=-170deg,node_x=1,squash=0.6"),
    ("simple_skin_file", "clip=bend,time=1.7,bend=50deg,node_x=0.5"),
];

#[test]
fn each_known_fault_draws_what_the_numbers_of_the_page_say() {
    let name = "each_known_fault_draws_what_the_numbers_of_the_page_say";
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
            let influences = Derived::edited_influences(&document, &rig);
            let derived = Derived::new(&document, None, &rig, influences);
            let cell = ViewportCell::default();
            let frame = ViewportFrame::new(&cell, &document, &derived, Some(&limits));
            let scene = frame.scene_without_view(SceneColors::default());
            let drawn = renderer.read_skinned(&scene).expect("feedback");
            let evidence = Evidence::new(&derived, &document);
            let meant = evidence.positions();
            assert_eq!(drawn.len(), meant.len(), "{id}, {}", fault.id);
            let size = meant.iter().fold(1.0, |most: f32, p| most.max(p.length()));
            // A filter may weigh in steps of 1/256.
            let filtered = fault.id == "texels-filtered";
            let part = if filtered { 1e-2 } else { 2e-5 };
            for (vertex, (drawn, &meant)) in drawn.iter().zip(meant).enumerate() {
                let off = drawn.position_in_world.distance(meant);
                assert!(off <= part * size, "{id}, {}, v{vertex}: {off}", fault.id);
            }
            // Where a matrix flattens, the normal hangs on the last digit; with columns
            // of other joints many do.
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
