use bindpose_lesson::{Setting, Show, Tint};
use bindpose_notebook::Entity;
use bindpose_skin::{Method, NormalRule, SkinStage, WeightSource};

use super::*;
use crate::cells::testing::{Page, SceneRecorder, arm_with_parent_node, harness};
use bindpose_testkit::ReaderActions as _;
use eframe::egui;
use egui_kittest::{Harness, kittest::Queryable};

fn show_viewport(page: Page) -> Harness<'static, Page> {
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |view, page| ui(view, &cell, "main", page, 420.0));
    harness.run();
    harness
}

/// Clicks through the display menu along these labels.
fn choose_in_menu(harness: &mut Harness<'_, Page>, path: &[&str]) {
    harness.click_label("What is drawn, and how");
    for label in path {
        harness.click_label_containing(label);
    }
    harness.press(egui::Key::Escape);
}

#[test]
fn menu_sets_tint_blend_normal_rule_and_visible_parts() {
    let mut harness = show_viewport(Page::new("arm"));
    choose_in_menu(&mut harness, &["Colours", "Strongest joint"]);
    choose_in_menu(&mut harness, &["Blend of joints", "Dual quaternions"]);
    choose_in_menu(&mut harness, &["Rule for normals", "The skin matrix itself"]);
    choose_in_menu(&mut harness, &["Normals as lines"]);
    let document = &harness.state().document;
    assert_eq!(document.state.tint, Some(Tint::Strongest));
    assert_eq!(document.state.method, Method::DualQuaternion);
    assert_eq!(document.state.normals, NormalRule::SkinMatrix);
    assert!(document.state.show.as_ref().is_some_and(|show| show.contains(&Show::Normals)));
    // The accessible description contains the same deviations.
    harness.get_by_label_contains(
        "In force: dual quaternion, normals by the skin matrix, view: strongest joint.",
    );
}

#[test]
fn menu_sets_the_weight_source_and_the_picture_describes_it() {
    let mut harness = show_viewport(Page::new("legs"));
    let stored = harness.state().document.state.weights_by;
    choose_in_menu(&mut harness, &["Weights", "Bone heat"]);
    let by = harness.state().document.state.weights_by;
    assert_eq!(by.source, WeightSource::BoneHeat);
    harness.get_by_label_contains("In force: weights: bone heat.");
    choose_in_menu(&mut harness, &["Weights", "Inverse distance"]);
    choose_in_menu(&mut harness, &["Colours", "Error of the weights"]);
    harness.get_by_label_contains("weights: inverse distance, 1/d², view: error of the weights.");
    choose_in_menu(&mut harness, &["Weights", "1/d⁴"]);
    choose_in_menu(&mut harness, &["Weights", "The two strongest"]);
    harness.get_by_label_contains("inverse distance, 1/d⁴, 2 influences");
    choose_in_menu(&mut harness, &["Weights", "1/d²"]);
    choose_in_menu(&mut harness, &["Weights", "All influences"]);
    choose_in_menu(&mut harness, &["Weights", "As the model has them"]);
    assert_eq!(harness.state().document.state.weights_by, stored);
}

#[test]
fn picture_describes_why_a_weight_source_is_not_available() {
    let mut page = Page::new("bone_grid");
    let mut rig = (*page.rig).clone();
    Arc::make_mut(&mut rig.mesh).triangles.clear();
    page.rig = Arc::new(rig);
    page.document.state.weights_by.source = WeightSource::BoneHeat;
    let harness = show_viewport(page);
    harness.get_by_label_contains("the model’s own weights: bone heat needs triangles");
}

#[test]
fn menu_switches_to_the_unskinned_stage() {
    let mut harness = show_viewport(Page::new("arm"));
    choose_in_menu(&mut harness, &["Colours", "Unskinned"]);
    assert_eq!(harness.state().document.state.stage, SkinStage::Bind);
    harness.get_by_label_contains("In force: unskinned.");
}

#[test]
fn tab_key_reaches_the_hover_controls() {
    let mut harness = show_viewport(Page::new("arm"));
    let mut reached = Vec::new();
    for _ in 0..6 {
        harness.press(egui::Key::Tab);
        for name in ["What is drawn, and how", "Standard views", "Frame the model (double-click)"] {
            if harness.get_by_label(name).is_focused() && !reached.contains(&name) {
                reached.push(name);
            }
        }
    }
    assert_eq!(reached.len(), 3, "{reached:?}");
}

/// Renderer that records its scenes.
#[derive(Clone, Default)]
struct RecordingViewports(std::rc::Rc<std::cell::RefCell<Vec<Scene>>>);

impl RecordingViewports {
    fn last_palette(&self) -> Arc<[glam::Mat4]> {
        Arc::clone(&self.0.borrow().last().expect("a scene was drawn").palette)
    }
}

impl crate::view::Viewports for RecordingViewports {
    fn shape(&mut self, _: &str, _: Rect, scene: Scene) -> Result<egui::Shape, String> {
        self.0.borrow_mut().push(scene);
        Ok(egui::Shape::Noop)
    }

    fn read_back_vertices(
        &mut self,
        _: &Scene,
    ) -> Result<bindpose_notebook::gpu_proof::GpuVertices, String> {
        Err("nothing is drawn".to_owned())
    }
}

/// Palettes and descriptions of a picture after a reveal.
struct Reveal {
    start_palette: Arc<[glam::Mat4]>,
    /// A quarter of a second after the reveal.
    transition_palette: Arc<[glam::Mat4]>,
    transition_description: String,
    end_palette: Arc<[glam::Mat4]>,
    end_description: String,
}

fn record_reveal(is_animated: bool) -> Reveal {
    let recorder = RecordingViewports::default();
    let mut page = Page::new("bone_grid");
    page.view.pictures.waits_for_work = false;
    page.viewports = Box::new(recorder.clone());
    let mut harness = show_viewport(page);
    harness.ctx.all_styles_mut(|style| {
        style.animation_time = if is_animated { 0.1 } else { 0.0 };
    });
    harness.run();
    let start_palette = recorder.last_palette();
    let now_secs = harness.ctx.input(|input| input.time);
    let page = harness.state_mut();
    let before = page.document.clone();
    page.view.playing.move_from(&before, now_secs);
    page.document.state.params.insert("b1".to_owned(), 1.5);
    harness.step();
    let transition_palette = recorder.last_palette();
    let transition_description = picture_description(&harness);
    harness.run();
    assert!(harness.state().view.playing.transition.is_none());
    Reveal {
        start_palette,
        transition_palette,
        transition_description,
        end_palette: recorder.last_palette(),
        end_description: picture_description(&harness),
    }
}

fn picture_description(harness: &Harness<'_, Page>) -> String {
    use egui_kittest::kittest::NodeT as _;
    let picture = harness.get_by_role(egui::Role::Image);
    picture.accesskit_node().label().unwrap_or_default()
}

#[test]
fn after_a_reveal_the_picture_is_animated_but_its_description_is_final_at_once() {
    let reveal = record_reveal(true);
    assert!(reveal.start_palette != reveal.transition_palette);
    assert!(reveal.transition_palette != reveal.end_palette);
    assert!(reveal.start_palette != reveal.end_palette);
    assert_eq!(reveal.transition_description, reveal.end_description);

    let reveal = record_reveal(false);
    assert!(reveal.start_palette != reveal.end_palette);
    assert!(reveal.transition_palette == reveal.end_palette, "no animation with reduced motion");
}

#[test]
fn legends_and_status_fit_pictures_of_any_size() {
    let tints = [
        "joints",
        "weight",
        "solid",
        "normals",
        "strongest",
        "joint-indices",
        "weights",
        "sum-error",
        "displacement",
    ];
    for (width, height) in [(60.0, 40.0), (300.0, 120.0), (900.0, 600.0)] {
        for tint in tints {
            let settings = bindpose_lesson::parse_settings(&format!("tint={tint}")).unwrap();
            let Some(Setting::Tint(Some(tint))) = settings.into_iter().next() else {
                panic!("{tint} is a tint");
            };
            let mut page = Page::new("whale");
            page.document.state.tint = Some(tint);
            page.document.state.normals = NormalRule::LeftAlone;
            let cell = ViewportCell::default();
            let mut harness = harness(page, move |view, page| {
                view.set_max_width(width);
                ui(view, &cell, "main", page, height);
            });
            harness.run();
            let picture = harness.get_by_label_contains("In force: normals left alone").rect();
            let left = picture.left();
            let right = picture.right();
            assert!(left >= 0.0 && right <= width + 16.0, "{left} to {right} of {width}");
        }
    }
}

#[test]
fn picture_counts_vertices_with_more_influences_than_the_gpu_supports() {
    let mut rig = (*bindpose_rigs::builtin("arm").expect("built in")).clone();
    let mut mesh = (*rig.mesh).clone();
    let ten = vec![(bindpose_skin::JointIndex(0), 0.1); 10];
    mesh.many = (0..12).map(|vertex| (vertex, ten.clone())).collect();
    rig.mesh = Arc::new(mesh);
    let mut page = Page::with_rig(Arc::new(rig));
    page.document.state.stage = SkinStage::Blended;
    let harness = show_viewport(page);
    harness.get_by_label_contains(
        "12 vertices have more than eight influences; the picture uses the eight strongest",
    );
    let plain = show_viewport(Page::new("arm"));
    assert!(plain.query_by_label_contains("eight").is_none());
}

#[test]
fn picture_describes_a_file_without_anything_to_draw() {
    let notice = "This file has a skin but no mesh: there is nothing to draw";
    let complete = show_viewport(Page::with_rig(Arc::new(arm_with_parent_node())));
    assert!(complete.query_by_label_contains(notice).is_none());
    let bare = bindpose_gltf::Rig { mesh: Arc::default(), ..arm_with_parent_node() };
    let mut page = Page::with_rig(Arc::new(bare.clone()));
    page.document.state.show = Some(vec![Show::Mesh]);
    show_viewport(page).get_by_label_contains(notice);
    show_viewport(Page::with_rig(Arc::new(bare)))
        .get_by_label_contains("nothing to draw but its joints.");
}

/// The arm as loaded from a file, with a change.
fn changed_arm(change: impl FnOnce(&mut bindpose_gltf::Rig)) -> Arc<bindpose_gltf::Rig> {
    let mut rig = arm_with_parent_node();
    change(&mut rig);
    Arc::new(rig)
}

/// The arm with all joints scaled from the root on.
fn scaled_arm(factor: f32) -> Arc<bindpose_gltf::Rig> {
    changed_arm(|rig| {
        let mut joints = rig.skeleton.joints().to_vec();
        joints[0].parent_from_joint_at_rest.scale *= factor;
        rig.skeleton = bindpose_skin::Skeleton::new(joints).expect("valid as before");
    })
}

#[test]
fn picture_describes_a_mesh_collapsed_to_one_point() {
    let notice = "in one point";
    let collapsed = show_viewport(Page::with_rig(scaled_arm(0.0)));
    assert!(collapsed.query_by_label_contains(notice).is_some());
    let small = show_viewport(Page::with_rig(scaled_arm(1e-4)));
    assert!(small.query_by_label_contains(notice).is_none(), "small, but not collapsed");
    let mut page = Page::with_rig(scaled_arm(0.0));
    page.document.state.show = Some(vec![Show::Joints]);
    let without_mesh = show_viewport(page);
    assert!(without_mesh.query_by_label_contains(notice).is_none(), "the mesh is not displayed");
}

#[test]
fn empty_picture_links_to_the_doctor_of_its_lesson() {
    let text = "+++\ntitle = \"Own\"\nminutes = 1\nrig = \"own\"\n+++\n\n## One\n\nWords.\n\n\
                ## Two\n\n```doctor health\n```\n\nWords.\n";
    let set = bindpose_lesson::LessonSet::from_memory(&[("10-own", text, "")], "");
    let mut page = Page::with_rig(scaled_arm(0.0));
    page.lesson(set.lessons[0].clone());
    page.document.lesson = "own".to_owned();
    let mut harness = show_viewport(page);
    let link = "See what the doctor finds";
    harness.click_role(egui::accesskit::Role::Link, link);
    let address = bindpose_notebook::PageAddress::step("own", "two");
    assert_eq!(harness.state().navigation, [bindpose_notebook::Navigation::Go(address)]);
    harness.state_mut().document.step = 1;
    harness.run();
    assert!(harness.query_by_label(link).is_none(), "the doctor is on this page");
}

#[test]
fn picture_describes_a_model_without_opaque_materials() {
    let show_with_alpha = |alpha: f32| {
        let rig = changed_arm(|rig| {
            let mut mesh = (*rig.mesh).clone();
            let material = bindpose_gltf::Material {
                base_color: glam::Vec4::ONE.with_w(alpha),
                alpha_cutoff: Some(0.5),
                ..Default::default()
            };
            mesh.materials = vec![material];
            mesh.parts = vec![bindpose_gltf::MeshPart {
                triangles: 0..mesh.triangles.len() as u32,
                material: Some(0),
                ..Default::default()
            }];
            rig.mesh = Arc::new(mesh);
        });
        show_viewport(Page::with_rig(rig))
    };
    show_with_alpha(0.0).get_by_label_contains("Every material is wholly transparent");
    show_with_alpha(0.25).get_by_label_contains("No material has an alpha above 0.25");
    assert!(show_with_alpha(0.5).query_by_label_contains("alpha").is_none());
}

#[test]
fn mesh_without_triangles_is_drawn_as_lines_or_points() {
    for has_lines in [true, false] {
        let drawn = Arc::default();
        let mut page = Page::with_rig(changed_arm(|rig| {
            let mut mesh = (*rig.mesh).clone();
            mesh.triangles.clear();
            mesh.lines = if has_lines { vec![[0, 1]] } else { Vec::new() };
            rig.mesh = Arc::new(mesh);
        }));
        page.viewports = Box::new(SceneRecorder(Arc::clone(&drawn)));
        let harness = show_viewport(page);
        assert!(drawn.lock().unwrap().as_ref().is_some_and(|scene| scene.lines));
        assert!(harness.query_by_label_contains("nothing to draw").is_none());
    }
}

#[test]
fn only_joints_of_a_skin_and_the_chosen_joint_can_be_hovered() {
    let skin_joints = hoverable_joints(1);
    assert!(skin_joints.contains(&1) && !skin_joints.contains(&0), "{skin_joints:?}");
    assert!(hoverable_joints(0).contains(&0), "unless it is chosen");
}

/// Moves the pointer over the whole picture of an arm with a node above it, and collects the
/// hovered joints.
fn hoverable_joints(chosen: u16) -> std::collections::BTreeSet<u16> {
    let rig = Arc::new(arm_with_parent_node());
    let skin_joint_count = rig.skeleton.len() - 1;
    let mut page = Page::with_rig(rig);
    page.document.state.joint = bindpose_skin::JointIndex(chosen);
    let mut harness = show_viewport(page);
    let picture = harness.get_by_label_contains(&format!(", {skin_joint_count} joints, ")).rect();
    let mut hovered = std::collections::BTreeSet::new();
    for column in 0..60 {
        for row in 0..40 {
            let fraction = egui::vec2(column as f32 / 59.0, row as f32 / 39.0);
            harness.hover_at(picture.min + picture.size() * fraction);
            harness.step();
            if let Some(Entity::Joint(joint)) = harness.state().linked.hovered() {
                hovered.insert(joint.0);
            }
        }
    }
    hovered
}

#[test]
fn click_on_the_surface_of_a_large_model_chooses_a_vertex() {
    let mut page = Page::new("whale");
    // In the first step, a click answers a question instead.
    page.document.step = 1;
    let mut harness = show_viewport(page);
    let before = harness.state().document.state.vertex;
    let picture = harness.get_by_role(egui::Role::Image).rect();
    let mut chosen_vertices = Vec::new();
    for fraction in [0.3, 0.35, 0.45, 0.5, 0.55, 0.6] {
        let at = picture.left_top() + picture.size() * egui::vec2(0.46, fraction);
        harness.hover_at(at);
        harness.step();
        for pressed in [true, false] {
            harness.event(egui::Event::PointerButton {
                pos: at,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: egui::Modifiers::NONE,
            });
            // A longer press is no click.
            harness.step();
        }
        harness.run();
        chosen_vertices.push(harness.state().document.state.vertex);
    }
    chosen_vertices.dedup();
    assert!(chosen_vertices.len() > 1 && chosen_vertices != [before], "{chosen_vertices:?}");
}

#[test]
fn visible_joints_have_accessibility_nodes_with_names() {
    let mut harness = show_viewport(Page::new("arm"));
    let arm = bindpose_rigs::builtin("arm").unwrap();
    let name = format!("joint 1: {}", arm.skeleton.joints()[1].name);
    harness.get_by_role_and_label(egui::accesskit::Role::Button, &name).click_accesskit();
    harness.run();
    assert_eq!(harness.state().document.state.joint, bindpose_skin::JointIndex(1));

    let mut page = Page::new("arm");
    page.document.state.show = Some(vec![Show::Mesh]);
    let hidden = show_viewport(page);
    assert!(hidden.query_by_label(&name).is_none());
}

#[test]
fn marked_vertices_of_a_small_rig_have_accessibility_nodes_with_positions() {
    let show_vertices = |rig: &str| {
        let mut page = Page::new(rig);
        page.document.state.show = Some(vec![Show::Vertices]);
        show_viewport(page)
    };
    let mut harness = show_vertices("bone_grid");
    let vertex = harness.get_by_label_contains("vertex 3 at ");
    vertex.click_accesskit();
    harness.run();
    assert_eq!(harness.state().document.state.vertex, 3);
    let whale = show_vertices("whale");
    assert!(whale.query_by_label_contains("vertex 3 at ").is_none());
}
