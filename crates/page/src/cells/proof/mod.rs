//! The GPU held against the sum in 64-bit floats: every way and every method,
//! for the rig and pose that are open.

mod results;
mod row;
use bindpose_lesson::{ProofCell, Transport};
use bindpose_notebook::gpu_proof::{NORMAL_TOLERANCE, POSITION_TOLERANCE};
use bindpose_notebook::number_text::{grouped, scientific};
use eframe::egui::{RichText, Role, Sense, Ui, WidgetInfo, vec2};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::{Emphasis, note, verdict};
use results::{ProofResults, ProofSubject, Subjects};
use row::{ProofColumns, ProofRow};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ProofCell, id: &str, page: &mut PageContext<'_>) {
    let Some(subjects) = Subjects::on_page(cell, page) else {
        let words = "What the GPU computes needs OpenGL 3.3 or WebGL 2 to be read back, which is \
                     not there. Nothing is compared.";
        ui.label(RichText::new(words).size(SMALL).color(page.theme.caution));
        return;
    };
    page.with_state(id, |results: &mut ProofResults, page| {
        results.follow(ui, &subjects);
        let table = ui.vertical(|ui| {
            method_notes(ui, page);
            table_ui(ui, &subjects, results, page);
        });
        if ui.is_rect_visible(table.response.rect) {
            results.work(ui, &subjects, page);
        }
    });
}

/// What is done, where, and what counts as passed.
fn method_notes(ui: &mut Ui, page: &PageContext<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    let each = match page.derived.rig.mesh.positions.len() {
        1 => "The vertex".to_owned(),
        count => format!("Each of {} vertices", grouped(count as u32)),
    };
    let done = format!(
        "{each} is skinned on the GPU, read back by transform feedback, and compared with the sum \
         in 64-bit floats."
    );
    note(ui, page.theme, &done, SMALL, Emphasis::Plain);
    if let Some(limits) = page.limits {
        // In a browser the version says itself what it is of.
        let of = if limits.version.starts_with("WebGL") { "" } else { "OpenGL " };
        let gl = format!("{} · {of}{}", limits.renderer, limits.version);
        note(ui, page.theme, &gl, CAPTION, Emphasis::Quiet);
    }
    let passed = format!(
        "Passed: no position is off by more than {} of the posed mesh’s size, and no normal of \
         length 1 by more than {}.",
        scientific(POSITION_TOLERANCE),
        scientific(NORMAL_TOLERANCE),
    );
    note(ui, page.theme, &passed, CAPTION, Emphasis::Quiet);
}

// The rows, by transport; below them what they add up to.

fn table_ui(ui: &mut Ui, subjects: &Subjects, results: &ProofResults, page: &mut PageContext<'_>) {
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let columns = ProofColumns::fitting(ui.available_width());
    columns.titles(ui, page.theme);
    if let Some(drawn) = &subjects.drawn {
        title(ui, "as drawn now", page);
        let method = match (drawn.skinning.shader.is_some(), page.document.state.faults.is_empty())
        {
            (true, false) => "your shader, faults",
            (true, true) => "your shader",
            _ => "with faults",
        };
        let row = ProofRow {
            way: "as drawn now",
            method,
            found: results.found(ProofSubject::Drawn),
            instead: subjects.unproven,
            marked: true,
        };
        row.ui(ui, &columns, page);
    }
    for group in &subjects.groups {
        title(ui, group.transport.label(), page);
        if let Some(why) = &group.closed {
            closed(ui, group.transport, why, page);
            continue;
        }
        for (subject, method) in group.subjects().zip(&group.methods) {
            let row = ProofRow {
                way: group.transport.label(),
                method: method.label(),
                found: results.found(subject),
                instead: None,
                marked: subjects.marked == Some(subject),
            };
            row.ui(ui, &columns, page);
        }
    }
    ui.add_space(8.0);
    summary(ui, subjects, results, page);
}

/// The name of a transport, over its methods.
fn title(ui: &mut Ui, words: &str, page: &PageContext<'_>) {
    ui.add_space(8.0);
    let font = font::strong(SMALL);
    ui.label(RichText::new(words).font(font).color(page.theme.ink));
    ui.add_space(2.0);
}

/// One row for all methods of a transport that does not fit.
fn closed(ui: &mut Ui, transport: Transport, why: &str, page: &PageContext<'_>) {
    let words = format!("Does not fit here: {why}.");
    let label = format!("{}: does not fit here: {why}", transport.label());
    let text = RichText::new(words).size(CAPTION).color(page.theme.caution);
    let response = ui.label(text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    ui.add_space(2.0);
}

/// What all rows add up to, and what the mark means.
fn summary(ui: &mut Ui, subjects: &Subjects, results: &ProofResults, page: &PageContext<'_>) {
    let rows: Vec<ProofSubject> = subjects.computable().collect();
    let fresh: Vec<_> = rows.iter().filter_map(|&row| results.fresh(row)).collect();
    let failed = fresh.iter().filter(|found| !found.passes()).count();
    let (done, all) = (fresh.len(), rows.len());
    if done < all {
        let words = format!("{done} of {all} compared");
        ui.label(page.theme.label(words));
    } else if failed > 0 {
        let words = format!("{failed} of {all} failed");
        verdict(ui, page.theme, &words, SMALL, false);
    } else if all > 0 {
        let words = format!("all {all} passed");
        verdict(ui, page.theme, &words, SMALL, true);
    }
    if subjects.marked.is_some() {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            row::paint_mark(ui, rect, page.theme);
            let words = "the picture is drawn like this";
            ui.label(page.theme.caption(words));
        });
    }
}

#[cfg(test)]
mod tests {
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
        fn shape(
            &mut self,
            id: &str,
            rect: egui::Rect,
            scene: Scene,
        ) -> Result<egui::Shape, String> {
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
}
