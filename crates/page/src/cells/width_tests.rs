//! Tests that cells are not wider than the available width.

use bindpose_lesson::{
    BudgetCell, ErrataCell, Inline, JointRef, MatrixCell, MatrixRef, Passage, Text, VertexCell,
    VertexRef, WeightsCell,
};
use eframe::egui::Ui;

use super::testing::{Page, harness};
use super::{budget, matrix, vertex, weights};
use crate::PageContext;

fn assert_fits(name: &'static str, rig: &str, cell: fn(&mut Ui, &mut PageContext<'_>)) {
    for width in [300.0, 420.0, 560.0, 680.0] {
        let mut page = Page::new(rig);
        page.document.state.vertex = 7;
        page.document.state.params.insert("vec4s".to_owned(), 1024.0);
        let mut harness = harness(page, move |ui, page| {
            let used_width = ui
                .vertical(|ui| {
                    ui.set_max_width(width);
                    cell(ui, page);
                    ui.min_rect().width()
                })
                .inner;
            assert!(used_width <= width + 0.5, "{name}: {used_width} of {width}");
        });
        harness.run();
    }
}

#[test]
fn cells_fit_in_300_points_and_more() {
    for rig in ["bone_grid", "arm", "head"] {
        assert_fits("product", rig, |ui, page| {
            let cell = MatrixCell {
                show: vec![
                    MatrixRef::WorldFromJoint(JointRef::Chosen),
                    MatrixRef::JointFromBind(JointRef::Chosen),
                    MatrixRef::WorldFromBind(JointRef::Chosen),
                ],
                product: true,
                ..MatrixCell::default()
            };
            matrix::ui(ui, &cell, "m", page);
        });
        assert_fits("matrices", rig, |ui, page| {
            let cell = MatrixCell {
                show: vec![
                    MatrixRef::ParentFromJoint(JointRef::Chosen),
                    MatrixRef::SkinMatrix(VertexRef::Chosen),
                ],
                ..MatrixCell::default()
            };
            matrix::ui(ui, &cell, "n", page);
        });
        assert_fits("weights", rig, |ui, page| {
            let cell = WeightsCell { positions: true, ..WeightsCell::default() };
            weights::ui(ui, &cell, "w", page);
        });
        assert_fits("vertex", rig, |ui, page| {
            let cell = VertexCell { arithmetic: true, ..VertexCell::default() };
            vertex::ui(ui, &cell, "v", page);
        });
        assert_fits("sum of matrices", rig, |ui, page| {
            let cell = VertexCell { matrices: true, ..VertexCell::default() };
            vertex::ui(ui, &cell, "s", page);
        });
    }
    assert_fits("budget", "bone_grid", |ui, page| {
        let cell = BudgetCell { printed: true, characters: true, ..BudgetCell::default() };
        budget::ui(ui, &cell, "b", page);
    });
    assert_fits("errata", "bone_grid", |ui, page| {
        let cell = ErrataCell {
            claim: "A claim that is long enough to be wrapped at any of these widths.".into(),
            correction: "What is true.".into(),
            why: Text {
                source: String::new(),
                passages: vec![Passage::Paragraph(vec![Inline::Code(
                    "uniform highp sampler2D palette;".to_owned(),
                )])],
            },
            id: Some("E-15".to_owned()),
            ..ErrataCell::default()
        };
        page.view.knows_sources = true;
        super::notes::errata_ui(ui, &cell, "errata", page);
    });
}
