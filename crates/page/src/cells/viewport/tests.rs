use bindpose_lesson::Setting;
use bindpose_lesson::{Show, Tint};
use bindpose_notebook::Entity;
use bindpose_skin::{Method, NormalRule, SkinStage, WeightSource};

use super::*;
use crate::cells::testing::{Drawn, Page, arm_with_a_node_above, harness};
use eframe::egui;
use egui_kittest::{Harness, kittest::Queryable};

fn shown(page: Page) -> Harness<'static, Page> {
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |view, page| ui(view, &cell, "main", page, 420.0));
    harness.run();
    harness
}

fn choose(harness: &mut Harness<'_, Page>, path: &[&str]) {
    harness.get_by_label("What is drawn, and how").click();
    harness.run();
    for label in path {
        harness.get_by_label_contains(label).click();
        harness.run();
    }
    harness.key_press(egui::Key::Escape);
    harness.run();
}

#[test]
fn views_blends_and_rules_are_chosen_from_the_menu() {
    let mut harness = shown(Page::new("arm"));
    choose(&mut harness, &["Colours", "Strongest joint"]);
    choose(&mut harness, &["Blend of joints", "Dual quaternions"]);
    choose(&mut harness, &["Rule for normals", "The skin matrix itself"]);
    choose(&mut harness, &["Normals as lines"]);
    let document = &harness.state().document;
    assert_eq!(document.state.tint, Some(Tint::Strongest));
    assert_eq!(document.state.method, Method::DualQuaternion);
    assert_eq!(document.state.normals, NormalRule::SkinMatrix);
    assert!(document.state.show.as_ref().is_some_and(|show| show.contains(&Show::Normals)));
    // What is in force is said to those who cannot see the picture, too.
    harness.get_by_label_contains(
        "In force: dual quaternion, normals by the skin matrix, view: strongest joint.",
    );
}

#[test]
fn weights_of_another_source_are_chosen_from_the_menu_and_named() {
    let mut harness = shown(Page::new("legs"));
    let stored = harness.state().document.state.weights_by;
    choose(&mut harness, &["Weights", "Bone heat"]);
    let by = harness.state().document.state.weights_by;
    assert_eq!(by.source, WeightSource::BoneHeat);
    harness.get_by_label_contains("In force: weights: bone heat.");
    choose(&mut harness, &["Weights", "Inverse distance"]);
    choose(&mut harness, &["Colours", "Error of the weights"]);
    harness.get_by_label_contains("weights: inverse distance, 1/d², view: error of the weights.");
    choose(&mut harness, &["Weights", "1/d⁴"]);
    choose(&mut harness, &["Weights", "The two strongest"]);
    harness.get_by_label_contains("inverse distance, 1/d⁴, 2 influences");
    choose(&mut harness, &["Weights", "1/d²"]);
    choose(&mut harness, &["Weights", "All influences"]);
    choose(&mut harness, &["Weights", "As the model has them"]);
    assert_eq!(harness.state().document.state.weights_by, stored);
}

#[test]
fn a_model_without_weights_of_a_source_says_why() {
    let mut page = Page::new("bone_grid");
    let mut rig = (*page.rig).clone();
    Arc::make_mut(&mut rig.mesh).triangles.clear();
    page.rig = Arc::new(rig);
    page.document.state.weights_by.source = WeightSource::BoneHeat;
    let harness = shown(page);
    harness.get_by_label_contains("the model’s own weights: bone heat needs triangles");
}

#[test]
fn unskinned_is_one_of_the_views() {
    let mut harness = shown(Page::new("arm"));
    choose(&mut harness, &["Colours", "Unskinned"]);
    assert_eq!(harness.state().document.state.stage, SkinStage::Bind);
    harness.get_by_label_contains("In force: unskinned.");
}

#[test]
fn the_buttons_are_reached_by_the_tab_key_and_stay_while_they_have_the_focus() {
    let mut harness = shown(Page::new("arm"));
    let mut reached = Vec::new();
    for _ in 0..6 {
        harness.key_press(egui::Key::Tab);
        harness.run();
        for name in ["What is drawn, and how", "Standard views", "Frame the model (double-click)"] {
            if harness.get_by_label(name).is_focused() && !reached.contains(&name) {
                reached.push(name);
            }
        }
    }
    assert_eq!(reached.len(), 3, "{reached:?}");
}

/// Keeps what it is asked to draw.
#[derive(Clone, Default)]
struct Recorded(std::rc::Rc<std::cell::RefCell<Vec<Scene>>>);

impl crate::view::Viewports for Recorded {
    fn shape(&mut self, _: &str, _: Rect, scene: Scene) -> Result<egui::Shape, String> {
        self.0.borrow_mut().push(scene);
        Ok(egui::Shape::Noop)
    }

    fn skinned(&mut self, _: &Scene) -> Result<bindpose_notebook::gpu_proof::GpuVertices, String> {
        Err("nothing is drawn".to_owned())
    }
}

/// The palette that is drawn at the beginning, a quarter of a second after the page
/// was changed by a reveal, and in the end; and what was said of the picture then.
fn drawn_after_a_reveal(animated: bool) -> ([Arc<[glam::Mat4]>; 3], [String; 2]) {
    let recorded = Recorded::default();
    let mut page = Page::new("bone_grid");
    page.view.pictures.waits = false;
    page.viewports = Box::new(recorded.clone());
    let mut harness = shown(page);
    harness.ctx.all_styles_mut(|style| {
        style.animation_time = if animated { 0.1 } else { 0.0 };
    });
    harness.run();
    let last = || {
        let scenes = recorded.0.borrow();
        Arc::clone(&scenes.last().expect("it was drawn").palette)
    };
    let begin = last();
    let now_secs = harness.ctx.input(|input| input.time);
    let page = harness.state_mut();
    let before = page.document.clone();
    page.view.playing.move_from(&before, now_secs);
    page.document.state.params.insert("b1".to_owned(), 1.5);
    harness.step();
    let (on_its_way, told) = (last(), described(&harness));
    harness.run();
    assert!(harness.state().view.playing.transition.is_none());
    ([begin, on_its_way, last()], [told, described(&harness)])
}

fn described(harness: &Harness<'_, Page>) -> String {
    use egui_kittest::kittest::NodeT as _;
    let picture = harness.get_by_role(egui::Role::Image);
    picture.accesskit_node().label().unwrap_or_default()
}

#[test]
fn after_a_reveal_the_picture_goes_there_and_words_are_there_at_once() {
    let ([begin, between, end], [told, told_in_the_end]) = drawn_after_a_reveal(true);
    assert!(begin != between && between != end && begin != end);
    assert_eq!(told, told_in_the_end);
    let ([begin, between, end], _) = drawn_after_a_reveal(false);
    assert!(begin != end && between == end, "no motion where none is wanted");
}

#[test]
fn legends_and_captions_find_room_in_pictures_of_any_size() {
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
            let words = harness.get_by_label_contains("In force: normals left alone");
            let (left, right) = (words.rect().left(), words.rect().right());
            assert!(left >= 0.0 && right <= width + 16.0, "{left} to {right} of {width}");
        }
    }
}

#[test]
fn vertices_with_too_many_influences_for_the_gpu_are_counted_in_the_picture() {
    let mut rig = (*bindpose_asset::builtin("arm").expect("built in")).clone();
    let mut mesh = (*rig.mesh).clone();
    let ten = vec![(bindpose_skin::JointIndex(0), 0.1); 10];
    mesh.many = (0..12).map(|vertex| (vertex, ten.clone())).collect();
    rig.mesh = Arc::new(mesh);
    let mut page = Page::with_rig(Arc::new(rig));
    page.document.state.stage = SkinStage::Blended;
    let harness = shown(page);
    harness.get_by_label_contains(
        "12 vertices have more than eight influences; the picture uses the eight strongest",
    );
    let plain = shown(Page::new("arm"));
    assert!(plain.query_by_label_contains("eight").is_none());
}

#[test]
fn a_file_without_anything_to_see_says_so() {
    let sees = |harness: &Harness<'_, Page>| {
        let words = "This file has a skin but no mesh: there is nothing to draw";
        harness.query_by_label_contains(words).is_some()
    };
    let whole = shown(Page::with_rig(Arc::new(arm_with_a_node_above())));
    assert!(!sees(&whole));
    let bare = bindpose_asset::Rig { mesh: Arc::default(), ..arm_with_a_node_above() };
    let mut page = Page::with_rig(Arc::new(bare.clone()));
    page.document.state.show = Some(vec![Show::Mesh]);
    assert!(sees(&shown(page)));
    shown(Page::with_rig(Arc::new(bare))).get_by_label_contains("nothing to draw but its joints.");
}

/// The arm as a file has it, changed.
fn arm(change: impl FnOnce(&mut bindpose_asset::Rig)) -> Arc<bindpose_asset::Rig> {
    let mut rig = arm_with_a_node_above();
    change(&mut rig);
    Arc::new(rig)
}

/// Its joints scaled by this from the root on.
fn scaled_arm(by: f32) -> Arc<bindpose_asset::Rig> {
    arm(|rig| {
        let mut joints = rig.skeleton.joints().to_vec();
        joints[0].parent_from_joint_at_rest.scale *= by;
        rig.skeleton = bindpose_skin::Skeleton::new(joints).expect("as before");
    })
}

#[test]
fn vertices_in_one_point_are_told_until_they_come_apart() {
    let told = |rig| shown(Page::with_rig(rig)).query_by_label_contains("in one point").is_some();
    assert!(told(scaled_arm(0.0)));
    assert!(!told(scaled_arm(1e-4)), "small, but there");
    let mut page = Page::with_rig(scaled_arm(0.0));
    page.document.state.show = Some(vec![Show::Joints]);
    assert!(shown(page).query_by_label_contains("in one point").is_none(), "nobody asks for it");
}

#[test]
fn an_empty_picture_leads_to_the_doctor_of_its_lesson() {
    let text = "+++\ntitle = \"Own\"\nminutes = 1\nrig = \"own\"\n+++\n\n## One\n\nWords.\n\n\
                ## Two\n\n```doctor health\n```\n\nWords.\n";
    let set = bindpose_lesson::LessonSet::from_memory(&[("10-own", text, "")], "");
    let mut page = Page::with_rig(scaled_arm(0.0));
    page.put_lesson(set.lessons[0].clone());
    page.document.lesson = "own".to_owned();
    let mut harness = shown(page);
    let words = "See what the doctor finds";
    harness.get_by_role_and_label(egui::accesskit::Role::Link, words).click();
    harness.run();
    let go = bindpose_notebook::PageAddress::step("own", "two");
    assert_eq!(harness.state().navigation, [bindpose_notebook::Navigation::Go(go)]);
    harness.state_mut().document.step = 1;
    harness.run();
    assert!(harness.query_by_label(words).is_none(), "it is on the page");
}

#[test]
fn a_model_without_alpha_says_so() {
    let of_alpha = |alpha: f32| {
        let rig = arm(|rig| {
            let mut mesh = (*rig.mesh).clone();
            let material = bindpose_asset::Material {
                base_color: glam::Vec4::ONE.with_w(alpha),
                alpha_cutoff: Some(0.5),
                ..Default::default()
            };
            mesh.materials = vec![material];
            mesh.parts = vec![bindpose_asset::MeshPart {
                triangles: 0..mesh.triangles.len() as u32,
                material: Some(0),
                ..Default::default()
            }];
            rig.mesh = Arc::new(mesh);
        });
        shown(Page::with_rig(rig))
    };
    of_alpha(0.0).get_by_label_contains("Every material is wholly transparent");
    of_alpha(0.25).get_by_label_contains("No material has an alpha above 0.25");
    assert!(of_alpha(0.5).query_by_label_contains("alpha").is_none());
}

#[test]
fn a_mesh_without_triangles_is_drawn_as_lines_or_points() {
    for points in [false, true] {
        let drawn = Arc::default();
        let mut page = Page::with_rig(arm(|rig| {
            let mut mesh = (*rig.mesh).clone();
            mesh.triangles.clear();
            mesh.lines = if points { Vec::new() } else { vec![[0, 1]] };
            rig.mesh = Arc::new(mesh);
        }));
        page.viewports = Box::new(Drawn(Arc::clone(&drawn)));
        let harness = shown(page);
        assert!(drawn.lock().unwrap().as_ref().is_some_and(|scene| scene.lines));
        assert!(harness.query_by_label_contains("nothing to draw").is_none());
    }
}

#[test]
fn what_is_no_joint_of_a_skin_is_not_to_be_found_in_the_picture() {
    let rig = Arc::new(arm_with_a_node_above());
    let joints = rig.skeleton.len() - 1;
    let lit = |chosen: u16| {
        let mut page = Page::with_rig(Arc::clone(&rig));
        page.document.state.joint = bindpose_skin::JointIndex(chosen);
        let mut harness = shown(page);
        let count = format!(", {joints} joints, ");
        let picture = harness.get_by_label_contains(&count).rect();
        let mut lit = std::collections::BTreeSet::new();
        for column in 0..60 {
            for row in 0..40 {
                let part = egui::vec2(column as f32 / 59.0, row as f32 / 39.0);
                harness.hover_at(picture.min + picture.size() * part);
                harness.step();
                if let Some(Entity::Joint(joint)) = harness.state().linked.hovered() {
                    lit.insert(joint.0);
                }
            }
        }
        lit
    };
    let of_skin = lit(1);
    assert!(of_skin.contains(&1) && !of_skin.contains(&0), "{of_skin:?}");
    assert!(lit(0).contains(&0), "unless it is chosen");
}

#[test]
fn a_click_on_the_surface_chooses_the_vertex_there_also_of_large_models() {
    let mut page = Page::new("whale");
    // The first step has a question, which a click answers.
    page.document.step = 1;
    let mut harness = shown(page);
    let before = harness.state().document.state.vertex;
    let picture = harness.get_by_role(egui::Role::Image).rect();
    let mut found = Vec::new();
    for part in [0.3, 0.35, 0.45, 0.5, 0.55, 0.6] {
        let at = picture.left_top() + picture.size() * egui::vec2(0.46, part);
        harness.hover_at(at);
        harness.step();
        for pressed in [true, false] {
            harness.event(egui::Event::PointerButton {
                pos: at,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: egui::Modifiers::NONE,
            });
            // What lasts longer is no click.
            harness.step();
        }
        harness.run();
        found.push(harness.state().document.state.vertex);
    }
    found.dedup();
    assert!(found.len() > 1 && found != [before], "{found:?}");
}

#[test]
fn joints_of_the_picture_are_nodes_with_names_and_hidden_ones_are_not_there() {
    let mut harness = shown(Page::new("arm"));
    let arm = bindpose_asset::builtin("arm").unwrap();
    let name = format!("joint 1: {}", arm.skeleton.joints()[1].name);
    harness.get_by_role_and_label(egui::accesskit::Role::Button, &name).click_accesskit();
    harness.run();
    assert_eq!(harness.state().document.state.joint, bindpose_skin::JointIndex(1));

    let mut page = Page::new("arm");
    page.document.state.show = Some(vec![Show::Mesh]);
    let hidden = shown(page);
    assert!(hidden.query_by_label(&name).is_none());
}

#[test]
fn vertices_of_a_small_rig_are_told_with_their_places_and_can_be_chosen() {
    let with_vertices = |rig: &str| {
        let mut page = Page::new(rig);
        page.document.state.show = Some(vec![Show::Vertices]);
        page
    };
    let mut harness = shown(with_vertices("bone_grid"));
    let vertex = harness.get_by_label_contains("vertex 3 at ");
    vertex.click_accesskit();
    harness.run();
    assert_eq!(harness.state().document.state.vertex, 3);
    let whale = shown(with_vertices("whale"));
    assert!(whale.query_by_label_contains("vertex 3 at ").is_none());
}
