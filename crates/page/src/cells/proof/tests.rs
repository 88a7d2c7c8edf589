use std::cell::Cell;
use std::rc::Rc;

use bindpose_lesson::{Device, ProofCell, Setting, SkinningFault, Transport};
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Edit, Entity, GpuLimits};
use bindpose_skin::{self as skin, Blend, JointMotion, Method};
use eframe::egui::accesskit::Role;
use eframe::egui::{self, Modifiers, PointerButton, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;

use super::*;
use crate::cells::testing::{Page, harness};
use crate::view::{NoViewports, Viewports};

/// Skins in float32 as a right GPU would; where there are faults, all in one
/// point.
#[derive(Default)]
struct Gpu {
    reads: Rc<Cell<usize>>,
    /// Of dual quaternions.
    refuses: bool,
}

impl Viewports for Gpu {
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String> {
        NoViewports.shape(id, rect, scene)
    }

    fn skinned(&mut self, scene: &Scene) -> Result<GpuVertices, String> {
        self.reads.set(self.reads.get() + 1);
        if self.refuses && scene.blend == Blend::DualQuaternion {
            return Err("No memory for it.".to_owned());
        }
        let motions: Vec<JointMotion> =
            scene.palette.iter().map(|&matrix| JointMotion::from_matrix(matrix)).collect();
        let mesh = &scene.mesh;
        let mut skinned = GpuVertices::default();
        for (index, influences) in scene.influences.iter().enumerate() {
            let matrix = match scene.blend {
                Blend::Linear => skin::skin_matrix(influences, &scene.palette),
                Blend::DualQuaternion => skin::dual_quaternion_matrix(influences, &motions),
                Blend::Only(joint) => scene.palette[joint.index()],
                Blend::Strongest => scene.palette[influences.strongest().index()],
            };
            let normal = mesh.normals.get(index).copied().unwrap_or(Vec3::Z);
            let normal = skin::normal_matrix(scene.skinning.normals, matrix) * normal;
            let position = matrix.transform_point3(mesh.positions[index]);
            let right = scene.skinning.faults.is_empty();
            skinned.positions.push(if right { position } else { Vec3::NAN });
            skinned.normals.push(normal.normalize_or_zero());
        }
        Ok(skinned)
    }
}

fn limits() -> GpuLimits {
    GpuLimits {
        renderer: "Paper".to_owned(),
        version: "3.3".to_owned(),
        vertex_uniform_vec4s: 1024,
        palette_vec4s: 984,
        uniform_block_bytes: 65_536,
        vertex_uniform_blocks: 14,
        texture_size: 16_384,
        vertex_texture_units: 16,
        vertex_attributes: 16,
        float_textures: true,
        float_linear: true,
        texel_fetch: true,
        ..GpuLimits::default()
    }
}

fn bent(gpu: Gpu) -> Page {
    let mut page = Page::new("bone_grid");
    page.document.state.params.insert("b1".to_owned(), 0.8);
    page.limits = Some(limits());
    page.viewports = Box::new(gpu);
    page
}

fn all() -> ProofCell {
    ProofCell::default()
}

fn shown(page: Page, cell: ProofCell, size: Vec2) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| {
        egui::ScrollArea::vertical().show(view, |view| ui(view, &cell, "p", page));
    });
    harness.set_size(size);
    settle(&mut harness);
    harness
}

/// Rows of a table with all transports and all methods.
fn ways() -> usize {
    bindpose_notebook::gpu_proof::rows().count()
}

/// A row takes a frame.
fn settle(harness: &mut Harness<'static, Page>) {
    harness.run_steps(2 * ways());
}

const TALL: Vec2 = Vec2::new(620.0, 1400.0);

fn labels(harness: &Harness<'static, Page>, words: &str) -> usize {
    harness.query_all_by_label_contains(words).count()
}

#[test]
fn every_way_is_compared_in_a_row_of_its_own_and_the_pictures_is_marked() {
    let harness = shown(bent(Gpu::default()), all(), TALL);
    assert_eq!(labels(&harness, ": passed, 10 vertices, largest error"), ways());
    harness.get_by_label(&format!("all {} passed", ways()));
    harness.get_by_label("Paper · OpenGL 3.3");
    harness.get_by_label_contains("more than 1.0 × 10⁻⁵ of the posed mesh’s size");
    let marked: Vec<_> = harness
        .query_all_by_label_contains("the picture is drawn like this")
        .filter_map(|node| node.accesskit_node().value())
        .filter(|label| label.starts_with("texture, texelFetch, linear: passed"))
        .collect();
    assert_eq!(marked.len(), 1, "{marked:?}");
    assert_eq!(labels(&harness, ", the picture is drawn like this"), 1);
}

#[test]
fn one_row_is_computed_a_frame_and_none_while_nothing_changes() {
    let gpu = Gpu::default();
    let reads = Rc::clone(&gpu.reads);
    let mut harness = shown(bent(gpu), all(), TALL);
    assert_eq!(reads.get(), ways());
    assert!(!harness.ctx.has_requested_repaint(), "all is known");
    let stop = egui::Event::PointerButton {
        pos: Pos2::new(5.0, 5.0),
        button: PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    };
    // Something is dragged: numbers of before stay, quiet, until it is let go.
    harness.event(stop);
    let params = &mut harness.state_mut().document.state.params;
    params.insert("b1".to_owned(), 0.9);
    settle(&mut harness);
    assert_eq!(reads.get(), ways(), "not in a gesture");
    assert_eq!(labels(&harness, ": outdated, 10 vertices"), ways());
    harness.get_by_label(&format!("0 of {} compared", ways()));
    assert!(!harness.ctx.has_requested_repaint(), "it would be in vain");
    harness.event(egui::Event::PointerButton {
        pos: Pos2::new(5.0, 5.0),
        button: PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    for step in 0..ways() {
        harness.step();
        assert!(reads.get() <= ways() + step + 1, "one a frame");
    }
    settle(&mut harness);
    assert_eq!(reads.get(), 2 * ways());
    harness.get_by_label(&format!("all {} passed", ways()));
}

#[test]
fn the_worst_vertex_is_lit_and_chosen() {
    let cell =
        ProofCell { transports: vec![Transport::UniformBlock], methods: vec![Method::Linear] };
    let mut harness = shown(bent(Gpu::default()), cell, TALL);
    harness.get_by_label("all 1 passed");
    let label = worst(&harness);
    harness.get_by_role_and_label(Role::Link, &label).hover();
    harness.run_steps(3);
    assert!(matches!(harness.state().linked.hovered(), Some(Entity::Vertex(_))));
    let label = worst(&harness);
    harness.get_by_label(&label).click();
    settle(&mut harness);
    let vertex: u32 = label[1..].split(',').next().unwrap().parse().unwrap();
    assert_eq!(harness.state().edits, [Edit::set(Setting::Vertex(vertex))]);
}

fn worst(harness: &Harness<'static, Page>) -> String {
    harness
        .get_by_label_contains("worst of uniform block, linear: choose it")
        .accesskit_node()
        .label()
        .expect("found by it")
}

#[test]
fn what_is_drawn_with_a_fault_fails_beside_ways_that_pass() {
    let mut page = bent(Gpu::default());
    page.document.state.faults = [SkinningFault::Half].into();
    let mut harness = shown(page, all(), TALL);
    harness.get_by_label(
        "as drawn now, with faults: failed, 10 vertices, largest error ∞, mean error ∞, normals \
         0, worst v0, the picture is drawn like this",
    );
    assert_eq!(labels(&harness, ": passed, "), ways());
    harness.get_by_label(&format!("1 of {} failed", ways() + 1));
    harness.state_mut().document.state.faults.clear();
    settle(&mut harness);
    assert_eq!(labels(&harness, "as drawn now"), 0);
    harness.get_by_label(&format!("all {} passed", ways()));
}

#[test]
fn a_way_that_is_not_open_says_why() {
    let mut page = Page::new("centipede(300)");
    page.limits = Some(limits());
    page.viewports = Box::new(Gpu::default());
    page.document.state.device = Device::LeastWebgl2;
    let harness = shown(page, all(), TALL);
    harness.get_by_label("uniform array: does not fit here: 61 joints fit, this skin has 300");
    harness.get_by_label(&format!("all {} passed", ways() - Method::ALL.len()));

    let gpu = Gpu { refuses: true, ..Gpu::default() };
    let harness = shown(bent(gpu), all(), TALL);
    let of_method = Transport::ALL.len();
    assert_eq!(labels(&harness, "dual quaternion: No memory for it."), of_method);
    harness.get_by_label(&format!("{of_method} of {} failed", ways()));

    let mut page = bent(Gpu::default());
    page.limits = None;
    let harness = shown(page, all(), TALL);
    harness.get_by_label_contains("needs OpenGL 3.3");
    assert_eq!(labels(&harness, "uniform array"), 0);
}

#[test]
fn it_fits_from_300_points_on() {
    for width in [300.0, 340.0, 452.0, 560.0, 900.0] {
        for fault in [false, true] {
            let mut page = bent(Gpu::default());
            if fault {
                page.document.state.faults = [SkinningFault::Half].into();
            }
            let mut harness = harness(page, move |view, page| {
                let used = view
                    .vertical(|view| {
                        view.set_max_width(width);
                        ui(view, &all(), "p", page);
                        view.min_rect().width()
                    })
                    .inner;
                view.label(if used <= width + 0.5 { "fits" } else { "too wide" });
            });
            harness.set_size(Vec2::new(width + 20.0, 2000.0));
            settle(&mut harness);
            harness.get_by_label("fits");
            for name in ["rigid", "linear", "dual quaternion"] {
                assert!(labels(&harness, name) >= 4, "{name} at {width}");
            }
        }
    }
}
