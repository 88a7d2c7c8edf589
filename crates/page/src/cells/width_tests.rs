//! Every cell of this folder keeps to the width it is given.

use bindpose_lesson::{
    BudgetCell, ErrataCell, Inline, JointRef, MatrixCell, MatrixRef, Passage, Text, VertexCell,
    VertexRef, WeightsCell,
};
use eframe::egui::Ui;

use super::testing::{Page, harness};
use super::{budget, matrix, vertex, weights};
use crate::PageContext;

fn no_wider(name: &'static str, rig: &str, cell: fn(&mut Ui, &mut PageContext<'_>)) {
    for width in [300.0, 420.0, 560.0, 680.0] {
        let mut page = Page::new(rig);
        page.document.state.vertex = 7;
        page.document.state.params.insert("vec4s".to_owned(), 1024.0);
        let mut harness = harness(page, move |ui, page| {
            let used = ui
                .vertical(|ui| {
                    ui.set_max_width(width);
                    cell(ui, page);
                    ui.min_rect().width()
                })
                .inner;
            assert!(used <= width + 0.5, "{name}: {used} of {width}");
        });
        harness.run();
    }
}

#[test]
fn cells_fit_from_300_points_on() {
    for rig in ["bone_grid", "arm", "head"] {
        no_wider("product", rig, |ui, page| {
            let chosen = || JointRef::Chosen;
            let cell = MatrixCell {
                show: vec![
                    MatrixRef::WorldFromJoint(chosen()),
                    MatrixRef::JointFromBind(chosen()),
                    MatrixRef::WorldFromBind(chosen()),
                ],
                product: true,
                ..MatrixCell::default()
            };
            matrix::ui(ui, &cell, "m", page);
        });
        no_wider("matrices", rig, |ui, page| {
            let cell = MatrixCell {
                show: vec![
                    MatrixRef::ParentFromJoint(JointRef::Chosen),
                    MatrixRef::SkinMatrix(VertexRef::Chosen),
                ],
                ..MatrixCell::default()
            };
            matrix::ui(ui, &cell, "n", page);
        });
        no_wider("weights", rig, |ui, page| {
            let cell = WeightsCell { positions: true, ..WeightsCell::default() };
            weights::ui(ui, &cell, "w", page);
        });
        no_wider("vertex", rig, |ui, page| {
            let cell = VertexCell { vertex: None, arithmetic: true };
            vertex::ui(ui, &cell, "v", page);
        });
    }
    no_wider("budget", "bone_grid", |ui, page| {
        let cell = BudgetCell { printed: true, characters: true, ..BudgetCell::default() };
        budget::ui(ui, &cell, "b", page);
    });
    no_wider("errata", "bone_grid", |ui, page| {
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
