//! Choosing one side of a comparison: which matrix, of which joint, as it is when.

use bindpose_lesson::{JointRef, MatrixRef, VertexRef};
use bindpose_notebook::{PageSnapshot, joint_index};
use bindpose_skin::JointIndex;
use eframe::egui::{Button, Popup, PopupCloseBehavior, RichText, Ui};

use super::state::BenchMoment;
use crate::PageContext;
use crate::cells::entity_chooser::joint_name;
use crate::cells::joint_list::joint_list;
use crate::theme::{CAPTION, SMALL};
use crate::widgets::Tip as _;

/// Its name, its frames, and how it is named by its joint.
type OfJoint = (&'static str, &'static str, fn(JointRef) -> MatrixRef);

/// What a joint has one of each, in the words of the field.
const OF_JOINT: [OfJoint; 4] = [
    ("joint matrix", "world ← bind", MatrixRef::WorldFromBind),
    ("global transform", "world ← joint", MatrixRef::WorldFromJoint),
    ("inverse bind matrix", "joint ← bind", MatrixRef::JointFromBind),
    ("local transform", "parent ← joint", MatrixRef::ParentFromJoint),
];

const WHEN: [(&str, BenchMoment); 4] = [
    ("now", BenchMoment::Now),
    ("a moment ago", BenchMoment::BeforeLastChange),
    ("in snapshot A", BenchMoment::Snapshot(PageSnapshot::A)),
    ("in snapshot B", BenchMoment::Snapshot(PageSnapshot::B)),
];

/// What is sought among the joints, by side.
#[derive(Default)]
struct Sought([String; 2]);

/// A button with what is chosen, which opens the menu.
pub(super) fn ui(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let letter = if side == 0 { "A" } else { "B" };
    let words = words(side, page);
    let text = RichText::new(format!("{letter}  {words} ▾")).size(CAPTION);
    let button = ui
        .add(Button::new(text).truncate())
        .accessible_name(format!("{letter}: {words}: choose a matrix"))
        .tip("Choose the matrix, its joint, and when");
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| menu(ui, side, page));
}

fn menu(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(210.0);
            ui.spacing_mut().item_spacing.y = 2.0;
            which(ui, side, page);
            ui.separator();
            when(ui, side, page);
        });
        ui.separator();
        ui.vertical(|ui| {
            ui.set_width(190.0);
            of_joint(ui, side, page);
        });
    });
}

fn which(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let now = page.view.bench.compared[side].matrix.clone();
    let joint = now.joint().unwrap_or(&JointRef::Chosen);
    for (words, frames, of_joint) in OF_JOINT {
        let matrix = of_joint(joint.clone());
        let entry = Button::selectable(now == matrix, RichText::new(words).size(SMALL));
        let frames = RichText::new(frames).size(CAPTION).color(page.theme.quiet);
        if ui.add(entry.right_text(frames)).clicked() {
            page.view.bench.compared[side].matrix = matrix;
        }
    }
    let skin = MatrixRef::SkinMatrix(VertexRef::Chosen);
    let words = format!("skin matrix of v{}", page.document.state.vertex);
    let entry = Button::selectable(now == skin, RichText::new(words).size(SMALL));
    if ui.add(entry).clicked() {
        page.view.bench.compared[side].matrix = skin;
    }
}

fn when(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let (lesson, rig) = (&page.document.lesson, &page.derived.stored_rig);
    for (words, when) in WHEN {
        let enabled = match when {
            BenchMoment::Snapshot(which) => {
                let kept = page.view.bench.snapshots.get(which, lesson, rig);
                kept.is_some()
            }
            BenchMoment::Now | BenchMoment::BeforeLastChange => true,
        };
        let on = page.view.bench.compared[side].when == when;
        let entry = Button::selectable(on, RichText::new(words).size(SMALL));
        let response = ui.add_enabled(enabled, entry);
        let response = response.tip_disabled("Nothing has been kept yet");
        if response.clicked() {
            page.view.bench.compared[side].when = when;
        }
    }
}

fn of_joint(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let now = page.view.bench.compared[side].matrix.clone();
    let joint = now.joint();
    let of_joint = kind_of(&now).map_or(OF_JOINT[0].2, |kind| kind.2);
    let chosen = joint == Some(&JointRef::Chosen);
    let entry = Button::selectable(chosen, RichText::new("the chosen joint").size(SMALL));
    if ui.add(entry).clicked() {
        page.view.bench.compared[side].matrix = of_joint(JointRef::Chosen);
    }
    let joints: Vec<JointIndex> = page.derived.rig.skeleton.indices().collect();
    let at = match joint {
        Some(JointRef::Named(joint)) => joint_index(joint, &page.derived.rig).ok(),
        _ => None,
    };
    let put = page.with_state("bench", |sought: &mut Sought, page| {
        joint_list(ui, page, &mut sought.0[side], &joints, at)
    });
    if let Some(joint) = put {
        page.view.bench.compared[side].matrix = of_joint(JointRef::Named(joint.into()));
    }
}

/// The row of the table for matrices of this kind.
fn kind_of(matrix: &MatrixRef) -> Option<&'static OfJoint> {
    let joint = matrix.joint()?;
    let mut kinds = OF_JOINT.iter();
    kinds.find(|(_, _, of_joint)| of_joint(joint.clone()) == *matrix)
}

/// `joint matrix of tail_1`, `the same, a moment ago`
fn words(side: usize, page: &PageContext<'_>) -> String {
    let [a, b] = &page.view.bench.compared;
    let what = if side == 1 && a.matrix == b.matrix && a.when != b.when {
        "the same".to_owned()
    } else {
        matrix_words(&page.view.bench.compared[side].matrix, page)
    };
    let side = &page.view.bench.compared[side];
    let when = WHEN.iter().find(|(_, when)| *when == side.when);
    match when {
        Some((words, when)) if *when != BenchMoment::Now => format!("{what}, {words}"),
        _ => what,
    }
}

fn matrix_words(matrix: &MatrixRef, page: &PageContext<'_>) -> String {
    match matrix {
        MatrixRef::SkinMatrix(VertexRef::Index(vertex)) => format!("skin matrix of v{vertex}"),
        MatrixRef::SkinMatrix(VertexRef::Chosen) => {
            format!("skin matrix of v{}", page.document.state.vertex)
        }
        MatrixRef::WorldFromMeshNode => "transform of the mesh’s node".to_owned(),
        matrix => {
            let joint = match matrix.joint() {
                Some(JointRef::Named(joint)) => joint_index(joint, &page.derived.rig).ok(),
                _ => None,
            };
            let joint = joint.unwrap_or(page.document.state.joint);
            let kind = kind_of(matrix).map_or("seen from the mesh’s node", |kind| kind.0);
            let name = joint_name(page, joint);
            if name.is_empty() {
                format!("{kind} of joint {}", joint.0)
            } else {
                format!("{kind} of {name}")
            }
        }
    }
}
