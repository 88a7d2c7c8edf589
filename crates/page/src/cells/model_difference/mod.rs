//! Comparison of the page's model A with another model B: findings as sentences, the joints of
//! both, the matrices of the selected joint, and differences in vertices, weights and clips.

mod joint_rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use bindpose_diagnostic::{counted, grouped};
use bindpose_gltf::Rig;
use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{
    Emphasis, Tip as _, Tone, buttons, card, drop_down_list, option_button, paragraph_ui,
    small_button,
};
use bindpose_lesson::number_text::{fixed, scientific};
use bindpose_lesson::{ComparedModel, ModelDifferenceCell, Rewriting, Setting};
use bindpose_notebook::matrix::{MatrixOwner, PageMatrix};
use bindpose_notebook::{Entity, Navigation};
use bindpose_rigs::builtin_ids;
use bindpose_skin::{CoordinateFrame, NamedTransform};
use bindpose_workbench::differences::PART;
use bindpose_workbench::model_difference::ModelComparison;
use eframe::egui::{ComboBox, Grid, Link, RichText, Ui, vec2};
use glam::Mat4;

use crate::PageContext;
use crate::cells::matrix::draw_comparison;
use crate::model_b::{self, KnownModels, model_b_name};
use joint_rows::{JointRows, JointRowsState};

/// Number of findings that are visible until the reader expands the list.
const COLLAPSED_FINDINGS: usize = 4;
/// Number of visible joints if the lesson does not set it.
const DEFAULT_ROWS: usize = 6;

#[derive(Default)]
struct ModelDifferenceCellState {
    shows_all_findings: bool,
    compared_matrix: ComparedJointMatrix,
    rows: JointRowsState,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ModelDifferenceCell, id: &str, page: &mut PageContext<'_>) {
    draw_model_chooser(ui, id, page);
    let comparison = match model_b::compare_models(&ui.ctx().clone(), page) {
        KnownModels::Compared(comparison) => comparison,
        KnownModels::UnderWay(_) => return model_b::progress_ui(ui, page),
        KnownModels::Nothing(reason) => {
            card(ui, page.theme, Tone::Quiet, |ui| {
                paragraph_ui(ui, page.theme, reason, INTERFACE_SIZE, Emphasis::Plain);
            });
            return;
        }
    };
    page.with_state(id, |state: &mut ModelDifferenceCellState, page| {
        draw_findings(ui, &comparison, &mut state.shows_all_findings, page);
        let rows = JointRows {
            cell_id: id,
            max_visible_rows: cell.rows.map_or(DEFAULT_ROWS, |rows| rows.0),
            comparison: &comparison,
        };
        rows.ui(ui, &mut state.rows, page);
        draw_matrices(ui, id, &comparison, &mut state.compared_matrix, page);
        draw_numbers(ui, id, &comparison, page);
    });
}

fn draw_findings(
    ui: &mut Ui,
    comparison: &ModelComparison,
    shows_all: &mut bool,
    page: &PageContext<'_>,
) {
    let found = &comparison.found;
    let count = found.findings.len();
    let tone = if found.equal { Tone::Right } else { Tone::Quiet };
    card(ui, page.theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let visible_count = if *shows_all { count } else { COLLAPSED_FINDINGS };
        for finding in found.findings.iter().take(visible_count) {
            paragraph_ui(ui, page.theme, finding, SMALL_SIZE, Emphasis::Plain);
        }
        if count > COLLAPSED_FINDINGS {
            let label = if *shows_all {
                format!("Show the first {COLLAPSED_FINDINGS}")
            } else {
                format!("Show all {count} findings")
            };
            if ui.add(small_button(&label)).clicked() {
                *shows_all = !*shows_all;
            }
        }
    });
    if found.space.is_some() {
        let hint = "Below, B is in the unit and the axes of A.";
        ui.label(RichText::new(hint).size(SMALL_SIZE).color(page.theme.quiet));
    }
}

/// A matrix of the selected joint that is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ComparedJointMatrix {
    #[default]
    InverseBind,
    WorldAtRest,
}

/// Width from which the difference is drawn beside the matrices even if they are equal.
const MIN_WIDTH_FOR_DIFFERENCE_PTS: f32 = 560.0;

fn draw_matrices(
    ui: &mut Ui,
    id: &str,
    comparison: &ModelComparison,
    compared_matrix: &mut ComparedJointMatrix,
    page: &mut PageContext<'_>,
) {
    let joint = page.document.state.joint;
    let pairs = &comparison.found.joints;
    let Some(pair) = pairs.iter().find(|pair| pair.a == joint.0) else {
        let message = format!("B has no partner of joint {}.", joint.0);
        ui.label(RichText::new(message).size(SMALL_SIZE).color(page.theme.quiet));
        return;
    };
    ui.add_space(4.0);
    let caption = if pair.name == pair.name_in_b && pair.a == pair.b {
        format!("“{}”, joint {} of both", pair.name, pair.a)
    } else {
        format!(
            "“{}”, joint {} of A, and “{}”, joint {} of B",
            pair.name, pair.a, pair.name_in_b, pair.b
        )
    };
    ui.label(page.theme.label(caption));
    let options = [
        (
            ComparedJointMatrix::InverseBind,
            "inverse bind",
            "The inverse bind matrices of both, that of B in the unit and the axes of A",
        ),
        (
            ComparedJointMatrix::WorldAtRest,
            "world at rest",
            "Where both skeletons have the joint at rest, B in the unit and the axes of A",
        ),
    ];
    if let Some(chosen) = buttons::choose_segment(ui, page.theme, &options, *compared_matrix, false)
    {
        *compared_matrix = chosen;
    }
    let a_mat = joint_matrix(&comparison.a, pair.a, *compared_matrix);
    let b_mat = joint_matrix(&comparison.b_beside_a, pair.b, *compared_matrix);
    if let (Some(a_mat), Some(b_mat)) = (a_mat, b_mat) {
        let (to, from) = match compared_matrix {
            ComparedJointMatrix::InverseBind => {
                (CoordinateFrame::Joint(joint), CoordinateFrame::Bind)
            }
            ComparedJointMatrix::WorldAtRest => {
                (CoordinateFrame::World, CoordinateFrame::Joint(joint))
            }
        };
        let mut sources = Vec::new();
        for (letter, mat) in [("A", a_mat), ("B", b_mat)] {
            let named = NamedTransform { mat, from, to };
            sources.push(PageMatrix::read_only(named, MatrixOwner::Joint(joint), letter));
        }
        let shows_difference =
            a_mat != b_mat || ui.available_width() >= MIN_WIDTH_FOR_DIFFERENCE_PTS;
        draw_comparison(ui, &format!("{id}/matrices"), sources, shows_difference, page);
    }
}

/// Returns a matrix of a joint. Returns `None` if the rig has no such joint.
fn joint_matrix(rig: &Rig, joint: u16, compared_matrix: ComparedJointMatrix) -> Option<Mat4> {
    let matrices = match compared_matrix {
        ComparedJointMatrix::InverseBind => rig.posed(|_| None).joint_from_bind,
        ComparedJointMatrix::WorldAtRest => {
            rig.skeleton.world_from_joint(&rig.skeleton.rest_pose())
        }
    };
    matrices.get(usize::from(joint)).copied()
}

/// Draws the choice of model B: the page's model as rewritten by a program, a built-in model, or
/// one that the reader has opened.
fn draw_model_chooser(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let model_b = page.document.state.model_b.clone();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(page.theme.label("B is"));
        let list = ComboBox::from_id_salt((id, "model b")).width(200.0);
        let kind = match &model_b {
            ComparedModel::Written(_) => ComparedModel::default(),
            other => other.clone(),
        };
        let chosen =
            drop_down_list(ui, list, "model B", &kind, model_choices(page), |model| match model {
                ComparedModel::Written(_) => "this model, written anew".to_owned(),
                other => model_b_name(other, page),
            });
        if let Some(chosen) = chosen.filter(|chosen| *chosen != kind) {
            page.choose(Setting::ModelB(chosen));
        }
        let open = small_button("Open model B…");
        let tip = "Another file of the same model; on this page, what is dropped is model B";
        if ui.add(open).tip(tip).clicked() {
            page.requests.navigation.push(Navigation::OpenModelB);
        }
    });
    if let ComparedModel::Written(changes) = model_b {
        draw_rewriting_switches(ui, &changes, page);
    }
}

/// Returns the models that can be chosen without a file dialog.
fn model_choices(page: &PageContext<'_>) -> Vec<ComparedModel> {
    let mut choices = vec![ComparedModel::default()];
    if page.models_b.opened.is_some() {
        choices.push(ComparedModel::Opened);
    }
    if page.models_b.before.is_some() {
        choices.push(ComparedModel::Before);
    }
    for &id in builtin_ids() {
        choices.push(ComparedModel::BuiltIn(id.to_owned()));
    }
    choices
}

/// Draws a switch for each change that the program makes when it writes model B.
fn draw_rewriting_switches(ui: &mut Ui, changes: &BTreeSet<Rewriting>, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for rewriting in Rewriting::ALL {
            let is_on = changes.contains(&rewriting);
            let tip = format!("Write model B {}, or not", describe_rewriting(rewriting));
            if ui.add(option_button(is_on, rewriting.label())).tip(tip).clicked() {
                let mut next = changes.clone();
                if !next.remove(&rewriting) {
                    next.insert(rewriting);
                }
                page.choose(Setting::ModelB(ComparedModel::Written(next)));
            }
        }
    });
}

fn describe_rewriting(rewriting: Rewriting) -> &'static str {
    match rewriting {
        Rewriting::Centimetres => "with all lengths times 100",
        Rewriting::ZUp => "with z where y was up",
        Rewriting::TwoInfluences => "with the two strongest joints of each vertex",
        Rewriting::MovedMesh => "with its vertices stored in another place",
        Rewriting::NoEndJoints => "without the joints at the ends of chains",
        Rewriting::OtherNames => "with other names of its joints",
    }
}

/// Draws the differences in vertices, weights and clips.
fn draw_numbers(ui: &mut Ui, id: &str, comparison: &ModelComparison, page: &mut PageContext<'_>) {
    let vertices = &comparison.found.vertices;
    ui.add_space(6.0);
    Grid::new((id, "numbers")).num_columns(3).spacing([16.0, 3.0]).show(ui, |ui| {
        draw_column_heads(ui, page.theme, ["", "A", "B"]);
        draw_count_row(ui, page.theme, "vertices", vertices.counts);
        draw_count_row(ui, page.theme, "triangles", vertices.triangles);
        draw_count_row(ui, page.theme, "most influences", vertices.most_influences);
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let summary = format!(
            "Weights differ at {} of {} in the same place in both.",
            grouped(vertices.other_weights),
            counted(vertices.in_one_place, "vertex")
        );
        ui.label(small_text(&summary, page.theme));
        let Some(most) = &vertices.most else { return };
        ui.label(small_text("Most at", page.theme));
        let name = RichText::new(format!("v{}", most.a)).size(SMALL_SIZE);
        let link = ui.add(Link::new(name.color(page.theme.accent)));
        if link.has_focus() {
            page.linked.hover(Entity::Vertex(most.a));
        }
        page.link_response(&link, Entity::Vertex(most.a));
        let [in_a, in_b] = most.weights.map(|weight| fixed(weight.into(), 3));
        let weights = format!("of “{}”: {in_a} in A, {in_b} in B.", most.joint);
        ui.label(small_text(&weights, page.theme));
    });
    draw_clips(ui, id, comparison, page.theme);
}

fn small_text(text: &str, theme: &Theme) -> RichText {
    RichText::new(text).size(SMALL_SIZE).color(theme.ink)
}

fn draw_column_heads(ui: &mut Ui, theme: &Theme, heads: [&str; 3]) {
    for head in heads {
        ui.label(theme.caption(head));
    }
    ui.end_row();
}

/// Draws a number of A and of B, bold if they differ.
fn draw_count_row(ui: &mut Ui, theme: &Theme, name: &str, counts: [usize; 2]) {
    ui.label(small_text(name, theme));
    let differ = counts[0] != counts[1];
    for count in counts {
        let font =
            if differ { font::mono_strong(CAPTION_SIZE) } else { font::mono(CAPTION_SIZE, false) };
        ui.label(RichText::new(grouped(count)).font(font).color(theme.ink));
    }
    ui.end_row();
}

/// Draws the clips of both models, with the largest distance between joints of a pair.
fn draw_clips(ui: &mut Ui, id: &str, comparison: &ModelComparison, theme: &Theme) {
    let clips = &comparison.found.clips;
    let tolerance = comparison.found.size * PART;
    if clips.is_empty() {
        return;
    }
    ui.add_space(6.0);
    Grid::new((id, "clips")).num_columns(3).spacing([16.0, 3.0]).show(ui, |ui| {
        draw_column_heads(ui, theme, ["clip", "seconds", "farthest joint"]);
        for clip in clips {
            ui.label(small_text(&clip.name, theme));
            let [a, b] = clip.durations_secs.map(|secs| fixed(secs.into(), 2));
            let durations = if a == b { a } else { format!("{a} and {b}") };
            ui.label(
                RichText::new(durations).font(font::mono(CAPTION_SIZE, false)).color(theme.ink),
            );
            let distance = match &clip.at {
                Some((joint, _)) if clip.farthest.is_nan() || clip.farthest > tolerance => {
                    format!("{} away (“{joint}”)", scientific(clip.farthest.into()))
                }
                _ => "in the same place".to_owned(),
            };
            ui.label(small_text(&distance, theme));
            ui.end_row();
        }
    });
}
