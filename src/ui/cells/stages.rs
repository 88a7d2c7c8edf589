//! The bind-pose switch: how far a vertex has come, and what is put in the
//! place of the inverse bind matrix. Every position shows where the chosen
//! vertex is then, so the whole way can be read at once.

use eframe::egui::{RichText, Ui};
use glam::{Mat4, Vec3};

use super::words;
use crate::lesson::{Setting, StagesCell};
use crate::notebook::Derived;
use crate::notebook::significant_digits::{self, Magnitude};
use crate::skin::{self, Blend, Frame, InverseBind, JointIndex, Stage};
use crate::ui::PageContext;
use crate::ui::theme::SMALL;
use crate::ui::widgets::segmented::{self, Segment, segmented};

/// Shows the switch.
pub(super) fn ui(ui: &mut Ui, cell: &StagesCell, page: &mut PageContext<'_>) {
    let document = page.document;
    let joint = joint_of_view(page);
    let names = ["1  bind space", "2  joint space", "3  posed", "4  blended"];
    let details = way(page.derived, document.state.vertex as usize, joint);
    let tooltips = [
        "The vertex as stored",
        "As the joint sees it: the inverse bind matrix, applied",
        "Carried to the world by one joint alone",
        "The weighted sum over all its joints",
    ];
    row(ui, page, "Stage", 50.0, |ui, page| {
        let segments: Vec<Segment<'_>> = (0..4)
            .map(|index| Segment {
                text: names[index],
                detail: details[index].clone(),
                tooltip: tooltips[index],
            })
            .collect();
        let current = Stage::ALL
            .iter()
            .position(|&s| s == document.state.stage)
            .unwrap_or(3);
        if let Some(chosen) = segmented(ui, page.theme, &segments, current, false) {
            page.choose(Setting::Stage(Stage::ALL[chosen]));
        }
    });
    if !cell.stage_only {
        row(ui, page, "Inverse bind", 32.0, |ui, page| {
            let options = [
                (
                    InverseBind::Inverse,
                    "inverse",
                    "The inverse of the joint’s bind transform: right",
                ),
                (
                    InverseBind::LeftOut,
                    "left out",
                    "The joint moves vertices as they are stored: wrong even at rest",
                ),
                (
                    InverseBind::Subtract,
                    "subtract",
                    "Only the joint’s position is taken off: right until the bind pose is rotated",
                ),
            ];
            let now = document.state.inverse_bind;
            let alarm = now != InverseBind::Inverse;
            if let Some(way) = segmented::choose(ui, page.theme, &options, now, alarm) {
                page.choose(Setting::InverseBind(way));
            }
        });
    }
    if cell.through {
        through_row(ui, page);
    }
    let (sentence, wrong) = sentence(page, joint);
    let color = if wrong {
        page.theme.wrong
    } else {
        page.theme.quiet
    };
    ui.label(RichText::new(sentence).size(SMALL).color(color));
}

fn row(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    label: &str,
    height: f32,
    add: impl FnOnce(&mut Ui, &mut PageContext<'_>),
) {
    // The label stands beside the switch where there is room, above it where not.
    if ui.available_width() > 520.0 {
        ui.horizontal(|ui| {
            let width = 96.0;
            ui.allocate_ui_with_layout(
                eframe::egui::vec2(width, height),
                eframe::egui::Layout::left_to_right(eframe::egui::Align::Center),
                |ui| {
                    ui.set_min_width(width);
                    ui.label(page.theme.label(label));
                },
            );
            ui.vertical(|ui| add(ui, page));
        });
    } else {
        ui.label(page.theme.label(label));
        add(ui, page);
    }
}

/// One joint for the whole mesh, or each vertex through its strongest.
fn through_row(ui: &mut Ui, page: &mut PageContext<'_>) {
    row(ui, page, "Through", 32.0, |ui, page| {
        let count = page.derived.rig.skeleton.len().min(5);
        let names: Vec<String> = (0..count).map(|joint| format!("joint {joint}")).collect();
        let strongest = "Each vertex through the joint with its largest weight";
        let mut options = vec![(None, "strongest", strongest)];
        options.extend(names.iter().zip(0..).map(|(name, joint)| {
            let alone = "The whole mesh through this joint alone, whatever the weights say";
            (Some(JointIndex(joint)), name.as_str(), alone)
        }));
        let now = page.document.state.through;
        if let Some(joint) = segmented::choose(ui, page.theme, &options, now, false) {
            page.choose(Setting::Through(joint));
        }
    });
}

/// The joint through which the stages look at the chosen vertex.
fn joint_of_view(page: &PageContext<'_>) -> JointIndex {
    page.document.state.through.unwrap_or_else(|| {
        page.derived
            .influences
            .get(page.document.state.vertex as usize)
            .map(|influences| influences.strongest())
            .unwrap_or_default()
    })
}

/// Where the vertex is at each of the four stages, in words.
fn way(derived: &Derived, vertex: usize, joint: JointIndex) -> [String; 4] {
    let Some(&position_in_bind) = derived.stored_positions().get(vertex) else {
        return [const { String::new() }; 4];
    };
    let of = |matrices: &[Mat4]| {
        matrices
            .get(joint.index())
            .copied()
            .unwrap_or(Mat4::IDENTITY)
    };
    let world_from_joint = of(&derived.world_from_joint);
    let joint_from_bind = of(&derived.used_joint_from_bind);
    let flat = derived.rig.flat || position_in_bind.z == 0.0;
    Stage::ALL.map(|stage| {
        let matrix = if stage == Stage::Blended {
            let used = derived.used_influences(vertex);
            let used = used.map(|(_, joint, weight)| (joint, weight));
            skin::skin_matrix_of(used, &derived.world_from_bind)
        } else {
            stage.matrix(world_from_joint, joint_from_bind)
        };
        let position = (matrix * position_in_bind.extend(1.0)).truncate();
        let frame = match stage {
            Stage::Bind => Frame::Bind,
            Stage::Joint => Frame::Joint(joint),
            Stage::Posed | Stage::Blended => Frame::World,
        };
        let size = derived
            .size_in(frame)
            .max(significant_digits::largest(position));
        point(position, flat, size)
    })
}

/// Without the z of a flat rig if that is 0. `size`: of the model in the point's
/// frame.
fn point(p: Vec3, flat: bool, size: f64) -> String {
    let decimals = significant_digits::decimals(size, 2);
    let flat = flat && f64::from(p.z.abs()) < 5e-4 * significant_digits::unit(size);
    words::point(&p.to_array()[..if flat { 2 } else { 3 }], decimals)
}

/// What one sees now, and whether it is wrong.
fn sentence(page: &PageContext<'_>, joint: JointIndex) -> (String, bool) {
    let document = page.document;
    let through = match page.derived.blend {
        Blend::Only(joint) => format!("the whole mesh through joint {}", joint.0),
        _ => "each vertex through its strongest joint".to_owned(),
    };
    let taken_out = match document.state.inverse_bind {
        InverseBind::LeftOut => "p",
        InverseBind::Inverse | InverseBind::Subtract => "joint_from_bind · p",
    };
    let stage = match document.state.stage {
        Stage::Bind => "As stored. No joint has touched it.".to_owned(),
        Stage::Joint => {
            format!("{taken_out}: {through}, drawn as if that joint were the origin.")
        }
        Stage::Posed => format!("world_from_joint · {taken_out}: {through}."),
        Stage::Blended => format!("Σ w · world_from_joint · {taken_out}: all influences."),
    };
    if document.state.stage == Stage::Bind {
        return (stage, false);
    }
    match document.state.inverse_bind {
        InverseBind::Inverse => (stage, false),
        InverseBind::LeftOut => (
            format!("{stage} The inverse bind is left out: the bind position counts twice."),
            true,
        ),
        InverseBind::Subtract => {
            let used = page.derived.used_joint_from_bind.get(joint.index());
            let right = page.derived.joint_from_bind.get(joint.index());
            let agrees = used.zip(right).is_some_and(|(used, right)| {
                let size = page.derived.size_in(Frame::Joint(joint));
                Magnitude::from_matrix(right, size).are_near(used, right, 1e-5)
            });
            if agrees {
                (
                    format!(
                        "{stage} Subtracting gives the same here: the bind pose is not rotated."
                    ),
                    false,
                )
            } else {
                (
                    format!("{stage} Subtracting forgets the rotation of the bind pose."),
                    true,
                )
            }
        }
    }
}
