//! Two matrices of the chosen joint side by side.

use bindpose_notebook::matrix::{MatrixOwner, PageMatrix};
use bindpose_notebook::model_difference::ModelComparison;
use bindpose_skin::{CoordinateFrame, JointIndex, NamedTransform};
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::cells::matrix::compared_sources;
use crate::theme::SMALL;
use crate::widgets::segmented;

/// Which of its matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ShownMatrix {
    #[default]
    InverseBind,
    WorldAtRest,
}

/// From this width on, in points, the difference stands beside them in any case.
const WIDE: f32 = 560.0;

pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    comparison: &ModelComparison,
    shown: &mut ShownMatrix,
    page: &mut PageContext<'_>,
) {
    let joint = page.document.state.joint;
    let pairs = &comparison.found.joints;
    let Some(pair) = pairs.iter().find(|pair| pair.a == joint.0) else {
        let words = format!("B has no partner of joint {}.", joint.0);
        ui.label(RichText::new(words).size(SMALL).color(page.theme.quiet));
        return;
    };
    ui.add_space(4.0);
    let words = if pair.name == pair.name_in_b && pair.a == pair.b {
        format!("“{}”, joint {} of both", pair.name, pair.a)
    } else {
        format!(
            "“{}”, joint {} of A, and “{}”, joint {} of B",
            pair.name, pair.a, pair.name_in_b, pair.b
        )
    };
    ui.label(page.theme.label(words));
    let options = [
        (
            ShownMatrix::InverseBind,
            "inverse bind",
            "The inverse bind matrices of both, that of B in the unit and the axes of A",
        ),
        (
            ShownMatrix::WorldAtRest,
            "world at rest",
            "Where both skeletons have the joint at rest, B in the unit and the axes of A",
        ),
    ];
    if let Some(chosen) = segmented::choose(ui, page.theme, &options, *shown, false) {
        *shown = chosen;
    }
    let sources = [("A", &comparison.a, pair.a), ("B", &comparison.b_beside_a, pair.b)]
        .into_iter()
        .filter_map(|(letter, rig, number)| {
            let number = usize::from(number);
            let named = match shown {
                ShownMatrix::InverseBind => NamedTransform {
                    mat: *rig.posed(|_| None).joint_from_bind.get(number)?,
                    from: CoordinateFrame::Bind,
                    to: CoordinateFrame::Joint(joint),
                },
                ShownMatrix::WorldAtRest => {
                    let rest = rig.skeleton.rest_pose();
                    NamedTransform {
                        mat: *rig.skeleton.world_from_joint(&rest).get(number)?,
                        from: CoordinateFrame::Joint(joint),
                        to: CoordinateFrame::World,
                    }
                }
            };
            Some(PageMatrix::read_only(named, MatrixOwner::Joint(JointIndex(pair.a)), letter))
        });
    let sources: Vec<PageMatrix> = sources.collect();
    if sources.len() == 2 {
        let [a, b] = [0, 1].map(|side| sources.get(side).map(|source| source.named.mat));
        let difference = a != b || ui.available_width() >= WIDE;
        compared_sources(ui, &format!("{id}/matrices"), sources, difference, page);
    }
}
