//! Comparison of the GPU's skinning with a 64-bit reference, for every transport and method,
//! with the current rig and pose.

mod results;
mod row;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{Emphasis, draw_verdict, paragraph_ui};
use bindpose_lesson::number_text::{grouped, scientific};
use bindpose_lesson::{ProofCell, Transport};
use bindpose_notebook::gpu_proof::{NORMAL_TOLERANCE, POSITION_TOLERANCE};
use eframe::egui::{RichText, Role, Sense, Ui, WidgetInfo, vec2};

use crate::PageContext;
use results::{ProofResults, ProofSubject, ProofSubjects};
use row::{ProofColumns, ProofRow};

pub(super) fn ui(ui: &mut Ui, cell: &ProofCell, id: &str, page: &mut PageContext<'_>) {
    let Some(subjects) = ProofSubjects::from_page(cell, page) else {
        let text = "What the GPU computes needs OpenGL 3.3 or WebGL 2 to be read back, which is \
                    not there. Nothing is compared.";
        ui.label(RichText::new(text).size(SMALL_SIZE).color(page.theme.caution));
        return;
    };
    page.with_state(id, |results: &mut ProofResults, page| {
        results.invalidate_changed(ui, &subjects);
        let table = ui.vertical(|ui| {
            method_notes(ui, page);
            table_ui(ui, &subjects, results, page);
        });
        if ui.is_rect_visible(table.response.rect) {
            results.compute_next(ui, &subjects, page);
        }
    });
}

/// Explains the comparison, the machine, and the tolerances.
fn method_notes(ui: &mut Ui, page: &PageContext<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    let vertices = match page.derived.rig.mesh.positions.len() {
        1 => "The vertex".to_owned(),
        count => format!("Each of {} vertices", grouped(count as u32)),
    };
    let comparison = format!(
        "{vertices} is skinned on the GPU, read back by transform feedback, and compared with the sum \
         in 64-bit floats."
    );
    paragraph_ui(ui, page.theme, &comparison, SMALL_SIZE, Emphasis::Plain);
    if let Some(limits) = page.limits {
        // In a browser, the version string begins with the name of the API.
        let api = if limits.version.starts_with("WebGL") { "" } else { "OpenGL " };
        let machine = format!("{} · {api}{}", limits.renderer, limits.version);
        paragraph_ui(ui, page.theme, &machine, CAPTION_SIZE, Emphasis::Quiet);
    }
    let tolerances = format!(
        "Passed: no position is off by more than {} of the posed mesh’s size, and no normal of \
         length 1 by more than {}.",
        scientific(POSITION_TOLERANCE),
        scientific(NORMAL_TOLERANCE),
    );
    paragraph_ui(ui, page.theme, &tolerances, CAPTION_SIZE, Emphasis::Quiet);
}

/// Draws the rows, grouped by transport, and the summary.
fn table_ui(
    ui: &mut Ui,
    subjects: &ProofSubjects,
    results: &ProofResults,
    page: &mut PageContext<'_>,
) {
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let columns = ProofColumns::fit(ui.available_width());
    columns.titles_ui(ui, page.theme);
    if let Some(drawn) = &subjects.drawn {
        group_title(ui, "as drawn now", page);
        let has_shader = drawn.skinning.shader.is_some();
        let method = if !has_shader {
            "with faults"
        } else if page.document.state.faults.is_empty() {
            "your shader"
        } else {
            "your shader, faults"
        };
        let row = ProofRow {
            transport: "as drawn now",
            method,
            result: results.get(ProofSubject::Drawn),
            error: subjects.drawn_error,
            is_picture: true,
        };
        row.ui(ui, &columns, page);
    }
    for group in &subjects.groups {
        group_title(ui, group.transport.label(), page);
        if let Some(misfit) = &group.misfit {
            misfit_row(ui, group.transport, misfit, page);
            continue;
        }
        for (subject, method) in group.subjects().zip(&group.methods) {
            let row = ProofRow {
                transport: group.transport.label(),
                method: method.label(),
                result: results.get(subject),
                error: None,
                is_picture: subjects.picture_subject == Some(subject),
            };
            row.ui(ui, &columns, page);
        }
    }
    ui.add_space(8.0);
    summary_ui(ui, subjects, results, page);
}

/// Draws the name of a transport above its rows.
fn group_title(ui: &mut Ui, title: &str, page: &PageContext<'_>) {
    ui.add_space(8.0);
    ui.label(RichText::new(title).font(font::strong(SMALL_SIZE)).color(page.theme.ink));
    ui.add_space(2.0);
}

/// Draws one row that replaces the rows of a transport that cannot be used.
fn misfit_row(ui: &mut Ui, transport: Transport, misfit: &str, page: &PageContext<'_>) {
    let text = RichText::new(format!("Does not fit here: {misfit}.")).size(CAPTION_SIZE);
    let response = ui.label(text.color(page.theme.caution));
    let label = format!("{}: does not fit here: {misfit}", transport.label());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    ui.add_space(2.0);
}

/// Draws the progress or the verdict of all rows, and the legend of the mark.
fn summary_ui(
    ui: &mut Ui,
    subjects: &ProofSubjects,
    results: &ProofResults,
    page: &PageContext<'_>,
) {
    let mut row_count = 0;
    let mut compared_count = 0;
    let mut failed_count = 0;
    for subject in subjects.computable() {
        row_count += 1;
        if let Some(result) = results.get_current(subject) {
            compared_count += 1;
            failed_count += usize::from(!result.passes());
        }
    }
    if compared_count < row_count {
        ui.label(page.theme.label(format!("{compared_count} of {row_count} compared")));
    } else if failed_count > 0 {
        let text = format!("{failed_count} of {row_count} failed");
        draw_verdict(ui, page.theme, &text, SMALL_SIZE, false);
    } else if row_count > 0 {
        let text = format!("all {row_count} passed");
        draw_verdict(ui, page.theme, &text, SMALL_SIZE, true);
    }
    if subjects.picture_subject.is_some() {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            row::draw_picture_mark(ui, rect, page.theme);
            ui.label(page.theme.caption("the picture is drawn like this"));
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

    /// Skins in 32-bit floats as a correct GPU does. With faults, all positions are NaN.
    #[derive(Default)]
    struct FakeGpu {
        read_count: Rc<Cell<usize>>,
        rejects_dual_quaternions: bool,
    }

    impl Viewports for FakeGpu {
        fn shape(
            &mut self,
            id: &str,
            rect: egui::Rect,
            scene: Scene,
        ) -> Result<egui::Shape, String> {
            NoViewports.shape(id, rect, scene)
        }

        fn read_back_vertices(&mut self, scene: &Scene) -> Result<GpuVertices, String> {
            self.read_count.set(self.read_count.get() + 1);
            if self.rejects_dual_quaternions && scene.blend == Blend::DualQuaternion {
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
                let is_right = scene.skinning.faults.is_empty();
                skinned.positions.push(if is_right { position } else { Vec3::NAN });
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

    fn bent_grid_page(gpu: FakeGpu) -> Page {
        let mut page = Page::new("bone_grid").with_params(&[("b1", 0.8)]);
        page.limits = Some(limits());
        page.viewports = Box::new(gpu);
        page
    }

    fn proof_harness(page: Page, cell: ProofCell, size: Vec2) -> Harness<'static, Page> {
        let mut harness = harness(page, move |view, page| {
            egui::ScrollArea::vertical().show(view, |view| ui(view, &cell, "p", page));
        });
        harness.set_size(size);
        settle(&mut harness);
        harness
    }

    /// Number of rows of a table with all transports and methods.
    fn row_count() -> usize {
        bindpose_notebook::gpu_proof::rows().count()
    }

    /// Runs enough frames to compute all rows, one per frame.
    fn settle(harness: &mut Harness<'static, Page>) {
        harness.run_steps(2 * row_count());
    }

    const SIZE: Vec2 = Vec2::new(620.0, 1400.0);

    fn count_labels(harness: &Harness<'static, Page>, text: &str) -> usize {
        harness.query_all_by_label_contains(text).count()
    }

    #[test]
    fn each_combination_has_a_row_and_the_pictures_is_marked() {
        let harness = proof_harness(bent_grid_page(FakeGpu::default()), ProofCell::default(), SIZE);
        assert_eq!(count_labels(&harness, ": passed, 10 vertices, largest error"), row_count());
        harness.get_by_label(&format!("all {} passed", row_count()));
        harness.get_by_label("Paper · OpenGL 3.3");
        harness.get_by_label_contains("more than 1.0 × 10⁻⁵ of the posed mesh’s size");
        let marked: Vec<_> = harness
            .query_all_by_label_contains("the picture is drawn like this")
            .filter_map(|node| node.accesskit_node().value())
            .filter(|label| label.starts_with("texture, texelFetch, linear: passed"))
            .collect();
        assert_eq!(marked.len(), 1, "{marked:?}");
        assert_eq!(count_labels(&harness, ", the picture is drawn like this"), 1);
    }

    #[test]
    fn one_row_per_frame_is_computed_until_all_are_current() {
        let gpu = FakeGpu::default();
        let read_count = Rc::clone(&gpu.read_count);
        let mut harness = proof_harness(bent_grid_page(gpu), ProofCell::default(), SIZE);
        assert_eq!(read_count.get(), row_count());
        assert!(!harness.ctx.has_requested_repaint(), "all is known");
        let press = egui::Event::PointerButton {
            pos: Pos2::new(5.0, 5.0),
            button: PointerButton::Primary,
            pressed: true,
            modifiers: Modifiers::NONE,
        };
        // During a drag, the results before it stay, marked as outdated.
        harness.event(press);
        let params = &mut harness.state_mut().document.state.params;
        params.insert("b1".to_owned(), 0.9);
        settle(&mut harness);
        assert_eq!(read_count.get(), row_count(), "not in a gesture");
        assert_eq!(count_labels(&harness, ": outdated, 10 vertices"), row_count());
        harness.get_by_label(&format!("0 of {} compared", row_count()));
        assert!(!harness.ctx.has_requested_repaint(), "it would be in vain");
        harness.event(egui::Event::PointerButton {
            pos: Pos2::new(5.0, 5.0),
            button: PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        });
        for step in 0..row_count() {
            harness.step();
            assert!(read_count.get() <= row_count() + step + 1, "one a frame");
        }
        settle(&mut harness);
        assert_eq!(read_count.get(), 2 * row_count());
        harness.get_by_label(&format!("all {} passed", row_count()));
    }

    #[test]
    fn worst_vertex_is_highlighted_and_selected() {
        let cell =
            ProofCell { transports: vec![Transport::UniformBlock], methods: vec![Method::Linear] };
        let mut harness = proof_harness(bent_grid_page(FakeGpu::default()), cell, SIZE);
        harness.get_by_label("all 1 passed");
        let label = worst_vertex_label(&harness);
        harness.get_by_role_and_label(Role::Link, &label).hover();
        harness.run_steps(3);
        assert!(matches!(harness.state().linked.hovered(), Some(Entity::Vertex(_))));
        let label = worst_vertex_label(&harness);
        harness.get_by_label(&label).click();
        settle(&mut harness);
        let vertex: u32 = label[1..].split(',').next().unwrap().parse().unwrap();
        assert_eq!(harness.state().edits, [Edit::set(Setting::Vertex(vertex))]);
    }

    fn worst_vertex_label(harness: &Harness<'static, Page>) -> String {
        harness
            .get_by_label_contains("worst of uniform block, linear: choose it")
            .accesskit_node()
            .label()
            .expect("found by it")
    }

    #[test]
    fn picture_with_a_fault_fails_and_other_rows_pass() {
        let mut page = bent_grid_page(FakeGpu::default());
        page.document.state.faults = [SkinningFault::Half].into();
        let mut harness = proof_harness(page, ProofCell::default(), SIZE);
        harness.get_by_label(
        "as drawn now, with faults: failed, 10 vertices, largest error ∞, mean error ∞, normals \
         0, worst v0, the picture is drawn like this",
    );
        assert_eq!(count_labels(&harness, ": passed, "), row_count());
        harness.get_by_label(&format!("1 of {} failed", row_count() + 1));
        harness.state_mut().document.state.faults.clear();
        settle(&mut harness);
        assert_eq!(count_labels(&harness, "as drawn now"), 0);
        harness.get_by_label(&format!("all {} passed", row_count()));
    }

    #[test]
    fn row_without_numbers_gives_a_reason() {
        let mut page = Page::new("centipede(300)");
        page.limits = Some(limits());
        page.viewports = Box::new(FakeGpu::default());
        page.document.state.device = Device::LeastWebgl2;
        let harness = proof_harness(page, ProofCell::default(), SIZE);
        harness.get_by_label("uniform array: does not fit here: 61 joints fit, this skin has 300");
        harness.get_by_label(&format!("all {} passed", row_count() - Method::ALL.len()));

        let gpu = FakeGpu { rejects_dual_quaternions: true, ..FakeGpu::default() };
        let harness = proof_harness(bent_grid_page(gpu), ProofCell::default(), SIZE);
        let transport_count = Transport::ALL.len();
        assert_eq!(count_labels(&harness, "dual quaternion: No memory for it."), transport_count);
        harness.get_by_label(&format!("{transport_count} of {} failed", row_count()));

        let mut page = bent_grid_page(FakeGpu::default());
        page.limits = None;
        let harness = proof_harness(page, ProofCell::default(), SIZE);
        harness.get_by_label_contains("needs OpenGL 3.3");
        assert_eq!(count_labels(&harness, "uniform array"), 0);
    }

    #[test]
    fn table_fits_into_300_points() {
        for width in [300.0, 340.0, 452.0, 560.0, 900.0] {
            for fault in [false, true] {
                let mut page = bent_grid_page(FakeGpu::default());
                if fault {
                    page.document.state.faults = [SkinningFault::Half].into();
                }
                let mut harness = harness(page, move |view, page| {
                    let used = view
                        .vertical(|view| {
                            view.set_max_width(width);
                            ui(view, &ProofCell::default(), "p", page);
                            view.min_rect().width()
                        })
                        .inner;
                    view.label(if used <= width + 0.5 { "fits" } else { "too wide" });
                });
                harness.set_size(Vec2::new(width + 20.0, 2000.0));
                settle(&mut harness);
                harness.get_by_label("fits");
                for name in ["rigid", "linear", "dual quaternion"] {
                    assert!(count_labels(&harness, name) >= 4, "{name} at {width}");
                }
            }
        }
    }
}
