//! Comparison of two matrices, each taken from the current page, from the page before the
//! last change or from a snapshot.

use std::sync::Arc;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE};
use bindpose_kit::widgets::{Tip as _, small_button};
use bindpose_lesson::matrix_names::{
    INVERSE_BIND_MATRIX, JOINT_MATRIX, LOCAL_TRANSFORM, WORLD_MATRIX,
};
use bindpose_lesson::{JointRef, MatrixRef, VertexRef};
use bindpose_notebook::{Derived, Document, PageSnapshot, joint_index};
use bindpose_skin::JointIndex;
use eframe::egui::{Button, Popup, PopupCloseBehavior, RichText, Ui, vec2};

use crate::PageContext;
use crate::cells::entity_chooser::{joint_list_ui, joint_name};
use crate::cells::matrix::{ComparisonSide, draw_side_comparison};
use crate::view::bench::{BenchMoment, ComparedMatrix};

/// Minimum width, in points, at which A − B is shown as a matrix by default.
const THREE_MATRICES_WIDTH: f32 = 540.0;

/// State that is kept between frames.
#[derive(Default)]
struct ComparisonState {
    /// True if A − B is shown as a matrix. `None` until the reader has chosen.
    shows_difference: Option<bool>,
    /// States of the page other than the current one, and the values derived from them.
    other_pages: Vec<ComparedPage>,
}

struct ComparedPage {
    moment: BenchMoment,
    document: Document,
    derived: Derived,
}

/// Draws the menus of both operands, the matrices and their difference.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    page.with_state("bench", |state: &mut ComparisonState, page| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            if ui.available_width() > 470.0 {
                ui.label(page.theme.label("Compare"));
            }
            matrix_menu_ui(ui, 0, page);
            ui.label(RichText::new("−").color(page.theme.ink));
            matrix_menu_ui(ui, 1, page);
        });
        let operands = page.view.bench.compared.clone();
        state.update(&operands, page);
        let has_room = ui.available_width() >= THREE_MATRICES_WIDTH;
        let shows_difference = state.shows_difference.unwrap_or(has_room);
        let sides = operands.each_ref().map(|operand| {
            let (document, derived) = state.page_at(operand.moment, page);
            ComparisonSide { matrix: &operand.matrix, document, derived }
        });
        draw_side_comparison(ui, "bench comparison", sides, shows_difference, page);
        let label = if shows_difference { "hide A − B" } else { "show A − B" };
        if ui.add(small_button(label)).clicked() {
            state.shows_difference = Some(!shows_difference);
        }
        // Below the button, which must not move when the reason is gone.
        if let Some(reason) = missing_state_reason(&operands, page) {
            ui.label(page.theme.caption(reason));
        }
    });
}

impl ComparisonState {
    /// Derives the values of the operands' states anew if these states have changed.
    fn update(&mut self, operands: &[ComparedMatrix; 2], page: &PageContext<'_>) {
        self.other_pages.retain(|other| {
            operands.iter().any(|operand| operand.moment == other.moment)
                && document_at(other.moment, page) == Some(&other.document)
                && Arc::ptr_eq(&other.derived.stored_rig, &page.derived.stored_rig)
                && !other.derived.awaits_weights()
        });
        for operand in operands {
            if self.other_pages.iter().any(|other| other.moment == operand.moment) {
                continue;
            }
            let Some(document) = document_at(operand.moment, page) else {
                continue;
            };
            self.other_pages.push(ComparedPage {
                moment: operand.moment,
                document: document.clone(),
                derived: page.derived.of_other(document, Some(page.lesson)),
            });
        }
    }

    /// Returns a state of the page, or the current one if there is no other.
    fn page_at<'a, 'b: 'a>(
        &'a self,
        moment: BenchMoment,
        page: &PageContext<'b>,
    ) -> (&'a Document, &'a Derived) {
        match self.other_pages.iter().find(|other| other.moment == moment) {
            Some(other) => (&other.document, &other.derived),
            None => (page.document, page.derived),
        }
    }
}

/// Explains why an operand is taken from the current state of the page. Returns `None` if
/// both chosen states exist.
fn missing_state_reason(
    operands: &[ComparedMatrix; 2],
    page: &PageContext<'_>,
) -> Option<&'static str> {
    let missing = operands.iter().find(|operand| {
        operand.moment != BenchMoment::Now && document_at(operand.moment, page).is_none()
    })?;
    Some(match missing.moment {
        BenchMoment::Snapshot(_) => "That snapshot is of another lesson or model: keep one here.",
        _ => "Nothing has been changed at this step yet: “a moment ago” is now.",
    })
}

/// Returns the document of a state other than the current one. Returns `None` if there is
/// no such state.
fn document_at<'a>(moment: BenchMoment, page: &'a PageContext<'_>) -> Option<&'a Document> {
    match moment {
        BenchMoment::Now => None,
        BenchMoment::BeforeLastChange => page.before,
        BenchMoment::Snapshot(which) => {
            let snapshots = &page.view.bench.snapshots;
            let snapshot = snapshots.get(which, &page.document.lesson, &page.derived.stored_rig)?;
            Some(&snapshot.document)
        }
    }
}

// The menu of an operand: the kind of matrix, its joint, and the state of the page.

/// A kind of matrix of which each joint has one.
struct JointMatrixKind {
    name: &'static str,
    /// The frames it maps between.
    frames: &'static str,
    of_joint: fn(JointRef) -> MatrixRef,
}

const JOINT_MATRIX_KINDS: [JointMatrixKind; 4] = [
    JointMatrixKind {
        name: JOINT_MATRIX,
        frames: "world ← bind",
        of_joint: MatrixRef::WorldFromBind,
    },
    JointMatrixKind {
        name: WORLD_MATRIX,
        frames: "world ← joint",
        of_joint: MatrixRef::WorldFromJoint,
    },
    JointMatrixKind {
        name: INVERSE_BIND_MATRIX,
        frames: "joint ← bind",
        of_joint: MatrixRef::JointFromBind,
    },
    JointMatrixKind {
        name: LOCAL_TRANSFORM,
        frames: "parent ← joint",
        of_joint: MatrixRef::ParentFromJoint,
    },
];

const MOMENTS: [(&str, BenchMoment); 4] = [
    ("now", BenchMoment::Now),
    ("a moment ago", BenchMoment::BeforeLastChange),
    ("in snapshot A", BenchMoment::Snapshot(PageSnapshot::A)),
    ("in snapshot B", BenchMoment::Snapshot(PageSnapshot::B)),
];

/// Search texts of the lists of joints, one per operand.
#[derive(Default)]
struct JointSearchTexts([String; 2]);

/// Draws a button with the chosen matrix, which opens the operand's menu.
///
/// `side` is 0 for A and 1 for B.
fn matrix_menu_ui(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let letter = if side == 0 { "A" } else { "B" };
    let operand = format_operand(side, page);
    let text = RichText::new(format!("{letter}  {operand} ▾")).size(CAPTION_SIZE);
    let button = ui
        .add(Button::new(text).truncate())
        .accessible_name(format!("{letter}: {operand}: choose a matrix"))
        .tip("Choose the matrix, its joint, and when");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(210.0);
                ui.spacing_mut().item_spacing.y = 2.0;
                matrix_kind_list_ui(ui, side, page);
                ui.separator();
                moment_list_ui(ui, side, page);
            });
            ui.separator();
            ui.vertical(|ui| {
                ui.set_width(190.0);
                compared_joint_ui(ui, side, page);
            });
        });
    });
}

fn matrix_kind_list_ui(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let chosen = page.view.bench.compared[side].matrix.clone();
    let joint = chosen.joint().unwrap_or(&JointRef::Chosen);
    for kind in &JOINT_MATRIX_KINDS {
        let matrix = (kind.of_joint)(joint.clone());
        let entry = Button::selectable(chosen == matrix, RichText::new(kind.name).size(SMALL_SIZE));
        let frames = RichText::new(kind.frames).size(CAPTION_SIZE).color(page.theme.quiet);
        if ui.add(entry.right_text(frames)).clicked() {
            page.view.bench.compared[side].matrix = matrix;
        }
    }
    let skin_matrix = MatrixRef::SkinMatrix(VertexRef::Chosen);
    let label = format!("skin matrix of v{}", page.document.state.vertex);
    let entry = Button::selectable(chosen == skin_matrix, RichText::new(label).size(SMALL_SIZE));
    if ui.add(entry).clicked() {
        page.view.bench.compared[side].matrix = skin_matrix;
    }
}

fn moment_list_ui(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let lesson = &page.document.lesson;
    let rig = &page.derived.stored_rig;
    for (label, moment) in MOMENTS {
        let exists = match moment {
            BenchMoment::Snapshot(which) => {
                page.view.bench.snapshots.get(which, lesson, rig).is_some()
            }
            BenchMoment::Now | BenchMoment::BeforeLastChange => true,
        };
        let is_chosen = page.view.bench.compared[side].moment == moment;
        let entry = Button::selectable(is_chosen, RichText::new(label).size(SMALL_SIZE));
        let response = ui.add_enabled(exists, entry);
        if response.tip_disabled("Nothing has been kept yet").clicked() {
            page.view.bench.compared[side].moment = moment;
        }
    }
}

fn compared_joint_ui(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
    let matrix = page.view.bench.compared[side].matrix.clone();
    let kind = find_kind(&matrix).unwrap_or(&JOINT_MATRIX_KINDS[0]);
    let is_chosen = matrix.joint() == Some(&JointRef::Chosen);
    let entry = Button::selectable(is_chosen, RichText::new("the chosen joint").size(SMALL_SIZE));
    if ui.add(entry).clicked() {
        page.view.bench.compared[side].matrix = (kind.of_joint)(JointRef::Chosen);
    }
    let joints: Vec<JointIndex> = page.derived.rig.skeleton.indices().collect();
    let named_joint = named_joint_of(&matrix, page);
    let clicked = page.with_state("bench", |texts: &mut JointSearchTexts, page| {
        joint_list_ui(ui, page, &mut texts.0[side], &joints, named_joint)
    });
    if let Some(joint) = clicked {
        page.view.bench.compared[side].matrix = (kind.of_joint)(JointRef::Named(joint.into()));
    }
}

/// Returns the joint that the matrix names. Returns `None` if it is of the chosen joint or
/// the rig has no joint of that name.
fn named_joint_of(matrix: &MatrixRef, page: &PageContext<'_>) -> Option<JointIndex> {
    match matrix.joint()? {
        JointRef::Named(joint) => joint_index(joint, &page.derived.rig).ok(),
        JointRef::Chosen => None,
    }
}

fn find_kind(matrix: &MatrixRef) -> Option<&'static JointMatrixKind> {
    let joint = matrix.joint()?;
    JOINT_MATRIX_KINDS.iter().find(|kind| (kind.of_joint)(joint.clone()) == *matrix)
}

/// Returns a label such as `joint matrix of tail_1` or `the same, a moment ago`.
fn format_operand(side: usize, page: &PageContext<'_>) -> String {
    let [a, b] = &page.view.bench.compared;
    let operand = if side == 0 { a } else { b };
    let matrix = if side == 1 && a.matrix == b.matrix && a.moment != b.moment {
        "the same".to_owned()
    } else {
        format_matrix(&operand.matrix, page)
    };
    match MOMENTS.iter().find(|(_, moment)| *moment == operand.moment) {
        Some((label, moment)) if *moment != BenchMoment::Now => format!("{matrix}, {label}"),
        _ => matrix,
    }
}

fn format_matrix(matrix: &MatrixRef, page: &PageContext<'_>) -> String {
    match matrix {
        MatrixRef::SkinMatrix(VertexRef::Index(vertex)) => format!("skin matrix of v{vertex}"),
        MatrixRef::SkinMatrix(VertexRef::Chosen) => {
            format!("skin matrix of v{}", page.document.state.vertex)
        }
        MatrixRef::WorldFromMeshNode => "transform of the mesh’s node".to_owned(),
        matrix => {
            let joint = named_joint_of(matrix, page).unwrap_or(page.document.state.joint);
            let kind = find_kind(matrix).map_or("seen from the mesh’s node", |kind| kind.name);
            let name = joint_name(page, joint);
            if name.is_empty() {
                format!("{kind} of joint {}", joint.0)
            } else {
                format!("{kind} of {name}")
            }
        }
    }
}
