//! The model of the page and a second one: which that is, what differs in sentences, the
//! joints with what has become of each, the matrices of the chosen one, and what differs
//! in vertices, weights and clips.

mod joint_rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_asset::builtin_ids;
use bindpose_diagnostic::{counted, grouped};
use bindpose_lesson::{ComparedModel, ModelDifferenceCell, Rewriting, Setting};
use bindpose_notebook::differences::PART;
use bindpose_notebook::matrix::{MatrixOwner, PageMatrix};
use bindpose_notebook::model_difference::ModelComparison;
use bindpose_notebook::number_text::{fixed, scientific};
use bindpose_notebook::{Entity, Navigation};
use bindpose_skin::{CoordinateFrame, JointIndex, NamedTransform};
use eframe::egui::{ComboBox, Grid, Link, RichText, Ui, vec2};

use crate::PageContext;
use crate::cells::matrix::compared_sources;
use crate::model_b::{self, KnownModels, name_of};
use crate::theme::{CAPTION, INTERFACE, SMALL, Theme, font};
use crate::widgets::{
    Emphasis, Tip as _, Tone, buttons, card, combo, note, option_button, small_button,
};
use joint_rows::JointRows;

/// Findings in sight before the reader asks for all.
const FINDINGS: usize = 4;
/// Rows of joints where the lesson does not say.
const ROWS: usize = 6;

/// What the reader wants to see.
#[derive(Default)]
struct ModelDifferenceCellState {
    /// Also the findings past the first few.
    all: bool,
    shown: ShownMatrix,
    rows: joint_rows::JointRowsState,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ModelDifferenceCell, id: &str, page: &mut PageContext<'_>) {
    chooser_ui(ui, id, page);
    let comparison = match model_b::compared(&ui.ctx().clone(), page) {
        KnownModels::Compared(comparison) => comparison,
        KnownModels::UnderWay(_) => return model_b::waiting(ui, page),
        KnownModels::Nothing(why) => {
            card(ui, page.theme, Tone::Quiet, |ui| {
                note(ui, page.theme, why, INTERFACE, Emphasis::Plain);
            });
            return;
        }
    };
    page.with_state(id, |memory: &mut ModelDifferenceCellState, page| {
        findings(ui, &comparison, memory, page);
        let most_visible = cell.rows.unwrap_or(ROWS);
        let rows = JointRows { id, most_visible, comparison: &comparison };
        rows.ui(ui, &mut memory.rows, page);
        matrices_ui(ui, id, &comparison, &mut memory.shown, page);
        numbers_ui(ui, id, &comparison, page);
    });
}

fn findings(
    ui: &mut Ui,
    comparison: &Arc<ModelComparison>,
    memory: &mut ModelDifferenceCellState,
    page: &PageContext<'_>,
) {
    let found = &comparison.found;
    let tone = if found.equal { Tone::Right } else { Tone::Quiet };
    let most = if memory.all { usize::MAX } else { FINDINGS };
    card(ui, page.theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for words in found.findings.iter().take(most) {
            note(ui, page.theme, words, SMALL, Emphasis::Plain);
        }
        let count = found.findings.len();
        if count > FINDINGS {
            let words = if memory.all {
                format!("Show the first {FINDINGS}")
            } else {
                format!("Show all {count} findings")
            };
            if ui.add(small_button(&words)).clicked() {
                memory.all = !memory.all;
            }
        }
    });
    if found.space.is_some() {
        let words = "Below, B is in the unit and the axes of A.";
        ui.label(RichText::new(words).size(SMALL).color(page.theme.quiet));
    }
}

// Two matrices of the chosen joint side by side.

/// Which of its matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ShownMatrix {
    #[default]
    InverseBind,
    WorldAtRest,
}

/// From this width on, in points, the difference stands beside them in any case.
const WIDE: f32 = 560.0;

fn matrices_ui(
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
    if let Some(chosen) = buttons::choose_segment(ui, page.theme, &options, *shown, false) {
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

// Which model B is: one that a program would write of the page's, one that comes with
// the notebook, or the reader's own.

fn chooser_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let now = page.document.state.model_b.clone();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(page.theme.label("B is"));
        let list = ComboBox::from_id_salt((id, "model b")).width(200.0);
        let kind = match &now {
            ComparedModel::Written(_) => ComparedModel::default(),
            other => other.clone(),
        };
        let chosen = combo(ui, list, "model B", &kind, offered(page), |model| match model {
            ComparedModel::Written(_) => "this model, written anew".to_owned(),
            other => name_of(other, page),
        });
        if let Some(chosen) = chosen.filter(|chosen| *chosen != kind) {
            page.choose(Setting::ModelB(chosen));
        }
        let open = small_button("Open model B…");
        let tip = "Another file of the same model; on this page, what is dropped is model B";
        if ui.add(open).tip(tip).clicked() {
            page.navigation.push(Navigation::OpenModelB);
        }
    });
    if let ComparedModel::Written(changes) = now {
        changed(ui, &changes, page);
    }
}

/// What can be chosen without a file dialog.
fn offered(page: &PageContext<'_>) -> Vec<ComparedModel> {
    let models = page.models_b;
    let opened = models.opened.map(|_| ComparedModel::Opened);
    let before = models.before.map(|_| ComparedModel::Before);
    let built_in = builtin_ids().iter();
    let built_in = built_in.map(|&id| ComparedModel::BuiltIn(id.to_owned()));
    let own = opened.into_iter().chain(before);
    std::iter::once(ComparedModel::default()).chain(own).chain(built_in).collect()
}

/// What the program that writes it does.
fn changed(ui: &mut Ui, changes: &BTreeSet<Rewriting>, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for one in Rewriting::ALL {
            let on = changes.contains(&one);
            let tip = format!("Write model B {}, or not", tip_of(one));
            if ui.add(option_button(on, one.label())).tip(tip).clicked() {
                let mut next = changes.clone();
                if !next.remove(&one) {
                    next.insert(one);
                }
                page.choose(Setting::ModelB(ComparedModel::Written(next)));
            }
        }
    });
}

fn tip_of(one: Rewriting) -> &'static str {
    match one {
        Rewriting::Centimetres => "with all lengths times 100",
        Rewriting::ZUp => "with z where y was up",
        Rewriting::TwoInfluences => "with the two strongest joints of each vertex",
        Rewriting::MovedMesh => "with its vertices stored in another place",
        Rewriting::NoEndJoints => "without the joints at the ends of chains",
        Rewriting::OtherNames => "with other names of its joints",
    }
}

// What differs in vertices, weights and clips, as numbers.

fn numbers_ui(ui: &mut Ui, id: &str, comparison: &ModelComparison, page: &mut PageContext<'_>) {
    let vertices = &comparison.found.vertices;
    let both = |numbers: [usize; 2]| numbers.map(grouped);
    ui.add_space(6.0);
    Grid::new((id, "numbers")).num_columns(3).spacing([16.0, 3.0]).show(ui, |ui| {
        head(ui, page.theme, ["", "A", "B"]);
        row(ui, page.theme, "vertices", both(vertices.counts));
        row(ui, page.theme, "triangles", both(vertices.triangles));
        let most = vertices.most_influences;
        row(ui, page.theme, "most influences", both(most));
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let words = format!(
            "Weights differ at {} of {} in the same place in both.",
            grouped(vertices.other_weights),
            counted(vertices.in_one_place, "vertex")
        );
        ui.label(text(&words, page.theme));
        let Some(most) = &vertices.most else { return };
        ui.label(text("Most at", page.theme));
        let name = RichText::new(format!("v{}", most.a)).size(SMALL);
        let link = ui.add(Link::new(name.color(page.theme.accent)));
        if link.has_focus() {
            page.linked.hover(Entity::Vertex(most.a));
        }
        page.link(&link, Entity::Vertex(most.a));
        let [in_a, in_b] = most.weights.map(|weight| fixed(weight.into(), 3));
        let words = format!("of “{}”: {in_a} in A, {in_b} in B.", most.joint);
        ui.label(text(&words, page.theme));
    });
    clips(ui, id, comparison, page.theme);
}

fn text(words: &str, theme: &Theme) -> RichText {
    RichText::new(words).size(SMALL).color(theme.ink)
}

fn head(ui: &mut Ui, theme: &Theme, words: [&str; 3]) {
    for words in words {
        ui.label(theme.caption(words));
    }
    ui.end_row();
}

fn row(ui: &mut Ui, theme: &Theme, what: &str, [a, b]: [String; 2]) {
    ui.label(text(what, theme));
    let differ = a != b;
    for number in [a, b] {
        let number = RichText::new(number).font(if differ {
            font::mono_strong(CAPTION)
        } else {
            font::mono(CAPTION, false)
        });
        ui.label(number.color(theme.ink));
    }
    ui.end_row();
}

fn clips(ui: &mut Ui, id: &str, comparison: &ModelComparison, theme: &Theme) {
    let clips = &comparison.found.clips;
    let rounded = comparison.found.size * PART;
    if clips.is_empty() {
        return;
    }
    ui.add_space(6.0);
    Grid::new((id, "clips")).num_columns(3).spacing([16.0, 3.0]).show(ui, |ui| {
        head(ui, theme, ["clip", "seconds", "farthest joint"]);
        for clip in clips {
            ui.label(text(&clip.name, theme));
            let [a, b] = clip.durations_secs.map(|secs| fixed(secs.into(), 2));
            let secs = if a == b { a } else { format!("{a} and {b}") };
            ui.label(RichText::new(secs).font(font::mono(CAPTION, false)).color(theme.ink));
            let far = match &clip.at {
                Some((joint, _)) if clip.farthest.is_nan() || clip.farthest > rounded => {
                    format!("{} away (“{joint}”)", scientific(clip.farthest.into()))
                }
                _ => "in the same place".to_owned(),
            };
            ui.label(text(&far, theme));
            ui.end_row();
        }
    });
}
