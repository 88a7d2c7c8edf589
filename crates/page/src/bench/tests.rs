use std::sync::Arc;

use bindpose_gltf::{Mesh, Param, ParamKind, Rig};
use bindpose_lesson::Setting;
use bindpose_notebook::Edit;
use bindpose_rigs::builtin;
use bindpose_skin::{Joint, JointIndex, Skeleton, Trs};
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::{split, ui as bench_ui};
use crate::cells::testing::{Page, harness};

fn open_bench(mut page: Page) -> Harness<'static, Page> {
    page.view.bench.is_open = true;
    let mut harness = harness(page, |ui, page| {
        let area = ui.max_rect();
        let (rest, below) = split(page, area);
        bench_ui(ui, page, below.expect("it is open"));
        assert!(rest.height() >= area.height() * 0.4, "{rest}");
    });
    harness.run();
    harness
}

/// Creates a rig of a chain of joints, each with an angle.
fn chain_rig(count: u16) -> Rig {
    let rig = builtin("arm").expect("built in");
    let joint = |index: u16| Joint {
        name: format!("link_{index}"),
        parent: index.checked_sub(1).map(JointIndex),
        parent_from_joint_at_rest: Trs::at(glam::Vec3::Y),
        joint_from_bind: glam::Mat4::from_translation(glam::Vec3::Y * -f32::from(index)),
    };
    let param = |index: u16| Param {
        name: format!("link_{index}"),
        label: format!("link_{index}"),
        kind: ParamKind::Angle { joint: JointIndex(index), axis: glam::Vec3::Z },
        default: 0.0,
        range: (-1.0, 1.0),
    };
    Rig {
        skeleton: Skeleton::new((0..count).map(joint).collect()).expect("a chain"),
        params: (0..count).map(param).collect(),
        ..(*rig).clone()
    }
}

fn count_sliders(harness: &Harness<'_, Page>) -> usize {
    harness.query_all_by_role(Role::Slider).count()
}

#[test]
fn list_of_300_joints_lays_out_visible_rows_only_and_finds_all() {
    let mut harness = open_bench(Page::with_rig(Arc::new(chain_rig(300))));
    assert!(count_sliders(&harness) < 30, "{}", count_sliders(&harness));
    let search = harness.get_by_label("search joints by name");
    search.focus();
    harness.run();
    harness.event(eframe::egui::Event::Text("link_287".to_owned()));
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "link_287").set_value_accesskit(10.0);
    harness.run();
    let angle_rad = harness.state().document.state.params["link_287"];
    assert!((angle_rad - 10_f64.to_radians()).abs() < 1e-9, "{angle_rad}");
}

#[test]
fn joint_chosen_elsewhere_is_scrolled_into_view() {
    let mut harness = open_bench(Page::with_rig(Arc::new(chain_rig(300))));
    harness.state_mut().document.state.joint = JointIndex(200);
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "link_200");
}

#[test]
fn model_without_weights_shows_a_message() {
    let rig = chain_rig(3);
    let mesh = Mesh { influences: Vec::new().into(), ..(*rig.mesh).clone() };
    let harness = open_bench(Page::with_rig(Arc::new(Rig { mesh: Arc::new(mesh), ..rig })));
    harness.get_by_label_contains("is bound to no joint");
    assert_eq!(count_sliders(&harness), 3, "sliders of its angles");
}

#[test]
fn chooses_a_shared_vertex_if_none_was_chosen() {
    let harness = open_bench(Page::new("arm"));
    let edits = &harness.state().edits;
    assert!(
        matches!(&edits[..], [Edit::Settings(settings)] if matches!(settings[..], [Setting::Vertex(_)])),
        "{edits:?}"
    );
    harness.get_by_label_contains("this is one that joints share");
    let weights = harness.query_all_by_role(Role::Slider).filter(|slider| {
        let label = slider.accesskit_node().label();
        label.is_some_and(|label| label.starts_with("weight of joint"))
    });
    assert!(weights.count() >= 2);
}

#[test]
fn a_moment_ago_is_now_before_the_first_change() {
    let harness = open_bench(Page::new("bone_grid"));
    harness.get_by_label("A and B are equal.");
    harness.get_by_label_contains("Nothing has been changed at this step yet");
}

#[test]
fn driving_parameters_of_the_lesson_come_before_the_angles() {
    use bindpose_notebook::test_sample;
    let mut page = Page::with_rig(Arc::new(test_sample::rig()));
    page.lesson = test_sample::driven_lesson();
    let harness = open_bench(page);
    harness.get_by_role_and_label(Role::Slider, "amount");
    harness.get_by_label("nod: 0.0° = k * 45deg");
    let amplitude = harness.query_by_role_and_label(Role::Slider, "amplitude");
    assert!(amplitude.is_none(), "it drives nothing");
}
