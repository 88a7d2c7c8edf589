//! Poses that are kept: by name, put back, mirrored, and blended by a slider.

use bindpose_notebook::Edit;
use bindpose_notebook::posing::{MOST_NAME_CHARS, SavedPose, is_pose_name, pose_of, poses_json};
use bindpose_skin::Pose;
use eframe::egui::{ComboBox, TextEdit, Ui, vec2};

use crate::PageContext;
use crate::widgets::slider::Slider;
use crate::widgets::{Scrub, Tip as _, combo, small_button};

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
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
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
        poses_json(rig, std::iter::once(("now", &page.derived.pose)))
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
