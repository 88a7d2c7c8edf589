//! Any two matrices, each of the page as it is, as it was, or as it was kept, and
//! what is between them.

use std::sync::Arc;

use bindpose_lesson::{JointRef, MatrixRef, VertexRef};
use bindpose_notebook::posing::{MOST_NAME_CHARS, SavedPose, is_pose_name, pose_of, poses_json};
use bindpose_notebook::{Derived, Document, Edit, PageSnapshot, joint_index};
use bindpose_skin::{JointIndex, Pose};
use eframe::egui::{Button, ComboBox, Popup, PopupCloseBehavior, RichText, TextEdit, Ui, vec2};

use super::state::{BenchMoment, ComparedMatrix};
use crate::PageContext;
use crate::cells::entity_chooser::{joint_list, joint_name};
use crate::cells::matrix::{Side, compared};
use crate::theme::{CAPTION, SMALL};
use crate::widgets::scrub::Slider;
use crate::widgets::{Scrub, Tip as _, combo, small_button};

/// Narrower than this, A − B is shown on request.
const THREE_MATRICES: f32 = 540.0;

/// What is kept from frame to frame.
#[derive(Default)]
struct ComparisonState {
    /// Is A − B shown as a matrix? `None`: the reader has not said.
    difference: Option<bool>,
    /// Other states, and what follows from them.
    others: Vec<(BenchMoment, Document, Derived)>,
}

/// Shows the choosers, the matrices, and their difference.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    page.with_state("bench", |comparison: &mut ComparisonState, page| {
        choosers(ui, page);
        let sides = page.view.bench.compared.clone();
        comparison.update(&sides, page);
        let fits = ui.available_width() >= THREE_MATRICES;
        let shown = comparison.difference.unwrap_or(fits);
        let [a, b] = sides.each_ref().map(|side| {
            let (document, derived) = comparison.get(side.when, page);
            Side { matrix: &side.matrix, document, derived }
        });
        compared(ui, "bench comparison", [a, b], shown, page);
        if let Some(words) = missing(&sides, page) {
            ui.label(page.theme.caption(words));
        }
        let words = if shown { "hide A − B" } else { "show A − B" };
        if ui.add(small_button(words)).clicked() {
            comparison.difference = Some(!shown);
        }
    });
}

fn choosers(ui: &mut Ui, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        if ui.available_width() > 470.0 {
            ui.label(page.theme.label("Compare"));
        }
        matrix_menu_ui(ui, 0, page);
        ui.label(RichText::new("−").color(page.theme.ink));
        matrix_menu_ui(ui, 1, page);
    });
}

impl ComparisonState {
    /// Works out what other states lead to, where they have changed.
    fn update(&mut self, sides: &[ComparedMatrix; 2], page: &PageContext<'_>) {
        let wanted = sides.each_ref().map(|side| side.when);
        self.others.retain(|(when, document, derived)| {
            let is_now = document_at(*when, page).is_some_and(|other| other == document);
            let same_rig = Arc::ptr_eq(&derived.stored_rig, &page.derived.stored_rig);
            wanted.contains(when) && is_now && same_rig && !derived.awaits_weights()
        });
        for when in wanted {
            if self.others.iter().any(|(other, ..)| *other == when) {
                continue;
            }
            let Some(document) = document_at(when, page) else {
                continue;
            };
            let derived = page.derived.of_other(document, Some(page.lesson));
            self.others.push((when, document.clone(), derived));
        }
    }

    /// A state of the page; as it is now, where there is no other.
    fn get<'a, 'b: 'a>(
        &'a self,
        when: BenchMoment,
        page: &PageContext<'b>,
    ) -> (&'a Document, &'a Derived) {
        let mut others = self.others.iter();
        match others.find(|(other, ..)| *other == when) {
            Some((_, document, derived)) => (document, derived),
            None => (page.document, page.derived),
        }
    }
}

/// Why a side is as the page is now.
fn missing(sides: &[ComparedMatrix; 2], page: &PageContext<'_>) -> Option<&'static str> {
    let side = sides
        .iter()
        .find(|side| side.when != BenchMoment::Now && document_at(side.when, page).is_none())?;
    Some(match side.when {
        BenchMoment::Snapshot(_) => "That snapshot is of another lesson or model: keep one here.",
        _ => "Nothing has been changed at this step yet: “a moment ago” is now.",
    })
}

/// Of another state than the one that is shown.
fn document_at<'a>(when: BenchMoment, page: &'a PageContext<'_>) -> Option<&'a Document> {
    match when {
        BenchMoment::Now => None,
        BenchMoment::BeforeLastChange => page.before,
        BenchMoment::Snapshot(which) => {
            let (lesson, rig) = (&page.document.lesson, &page.derived.stored_rig);
            let kept = page.view.bench.snapshots.get(which, lesson, rig);
            kept.map(|kept| &kept.document)
        }
    }
}

// Choosing one side of a comparison: which matrix, of which joint, as it is when.

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
pub(super) fn matrix_menu_ui(ui: &mut Ui, side: usize, page: &mut PageContext<'_>) {
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

// Poses that are kept: by name, put back, mirrored, and blended by a slider.

/// What is kept from frame to frame.
#[derive(Default)]
struct PosesState {
    /// The name that is typed.
    typed: String,
    /// The poses that the slider stands between, by name.
    ends: [String; 2],
    /// Where it stands, 0 to 1.
    amount: f64,
}

/// Shows them.
pub(super) fn poses_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    page.with_state("bench", |poses: &mut PosesState, page| {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            ui.label(page.theme.label("Poses"));
            keep(ui, poses, page);
            mirror(ui, page);
            copy(ui, page);
        });
        if page.document.state.poses.is_empty() {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            for (name, pose) in &page.document.state.poses {
                one(ui, name, pose, page.edits);
            }
        });
        if page.document.state.poses.len() > 1 {
            blend(ui, poses, page);
        }
    });
}

/// A field for a name, and the button that keeps the pose by it.
fn keep(ui: &mut Ui, poses: &mut PosesState, page: &mut PageContext<'_>) {
    let field = TextEdit::singleline(&mut poses.typed)
        .desired_width(120.0)
        .char_limit(MOST_NAME_CHARS)
        .hint_text("name");
    let field = ui.add(field).accessible_name("name of the pose");
    let entered =
        field.lost_focus() && ui.input(|input| input.key_pressed(eframe::egui::Key::Enter));
    let name = poses.typed.trim();
    let name = if name.is_empty() { free_name(page) } else { name.to_owned() };
    let clicked = ui.add(small_button("keep the pose")).clicked();
    if (clicked || entered) && is_pose_name(&name) {
        let pose = pose_of(page.document, &page.derived.rig);
        page.edits.push(Edit::SavePose(name, Box::new(pose)));
        poses.typed.clear();
    }
}

/// `pose 1`, or the first number that is free.
fn free_name(page: &PageContext<'_>) -> String {
    let poses = &page.document.state.poses;
    let mut names = (1..).map(|number| format!("pose {number}"));
    names.find(|name| !poses.contains_key(name)).unwrap_or_default()
}

fn mirror(ui: &mut Ui, page: &mut PageContext<'_>) {
    let plays = page.document.state.playback.clip.is_some();
    let button = ui.add_enabled(!plays, small_button("mirror"));
    let help = "Left and right change places, in the plane x = 0 of the bind pose";
    let why = "A clip plays: only what is on top of the rest pose can be mirrored";
    if button.tip(help).tip_disabled(why).clicked() {
        let rig = &page.derived.rig;
        let mirrored = pose_of(page.document, rig).mirrored(rig);
        page.edits.push(Edit::PutPose(Box::new(mirrored)));
    }
}

/// All that are kept, as JSON; where none is, the one that is shown.
fn copy(ui: &mut Ui, page: &PageContext<'_>) {
    let button = ui.add(small_button("copy as JSON"));
    let help = "Name and local transforms of every pose that is kept";
    if !button.tip(help).clicked() {
        return;
    }
    let rig = &page.derived.rig;
    let kept: Vec<(&str, Pose)> = page
        .document
        .state
        .poses
        .iter()
        .map(|(name, pose)| (name.as_str(), pose.local_transforms(rig)))
        .collect();
    let text = if kept.is_empty() {
        poses_json(rig, std::iter::once(("now", &page.derived.joints.pose)))
    } else {
        poses_json(rig, kept.iter().map(|(name, pose)| (*name, pose)))
    };
    if let Ok(text) = text {
        ui.ctx().copy_text(text);
    }
}

/// A pose that is kept: a button that puts it, and one that takes it away.
fn one(ui: &mut Ui, name: &str, pose: &SavedPose, edits: &mut Vec<Edit>) {
    let put = ui.add(small_button(name));
    if put.accessible_name(format!("go into the pose {name}")).clicked() {
        edits.push(Edit::PutPose(Box::new(pose.clone())));
    }
    let away = ui.add(small_button("×"));
    if away.accessible_name(format!("take the pose {name} away")).clicked() {
        edits.push(Edit::ForgetPose(name.to_owned()));
    }
}

/// From one pose to another.
fn blend(ui: &mut Ui, poses: &mut PosesState, page: &mut PageContext<'_>) {
    let kept = &page.document.state.poses;
    for (end, fallback) in poses.ends.iter_mut().zip(kept.keys().take(2)) {
        if !kept.contains_key(end) {
            end.clone_from(fallback);
        }
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        ui.label(page.theme.label("Blend"));
        let [from, to] = &mut poses.ends;
        choose(ui, "blended from", from, page);
        choose(ui, "blended to", to, page);
        let scrub = Scrub::new("blend of poses", poses.amount, "blend of two poses")
            .range(0.0..=1.0)
            .suffix("%")
            .decimals(0);
        let slider =
            Slider { number: &scrub, home: 0.0, filled_from: 0.0, color: page.theme.accent };
        let width = ui.available_width().clamp(80.0, 240.0);
        let (_, change) = slider.show(ui, width, page.theme);
        let Some(change) = change else { return };
        poses.amount = change.or(0.0).clamp(0.0, 1.0);
        if let Some((from, to)) = kept.get(from).zip(kept.get(to)) {
            let blended = from.blended(to, poses.amount, &page.derived.rig);
            page.edits.push(Edit::PutPose(Box::new(blended)));
        }
    });
}

fn choose(ui: &mut Ui, words: &str, end: &mut String, page: &PageContext<'_>) {
    let names = page.document.state.poses.keys().cloned();
    let list = ComboBox::from_id_salt(words).width(90.0);
    if let Some(chosen) = combo(ui, list, words, end, names, String::clone) {
        *end = chosen;
    }
}
