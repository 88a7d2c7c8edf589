//! A given matrix beside ours.

use bindpose_notebook::differences::difference;
use bindpose_notebook::engine_numbers::{EngineNumbers, Matched};
use bindpose_notebook::faults::sent_palette;
use bindpose_notebook::joint_words;
use bindpose_notebook::matrix::{MatrixOwner, PageMatrix};
use bindpose_skin::{CoordinateFrame, JointIndex, NamedTransform};
use eframe::egui::Ui;
use glam::Mat4;

use crate::PageContext;
use crate::cells::matrix;

/// Draws both, of the chosen joint; of a matrix alone, of the joint that it is nearest
/// to. Nothing of positions.
pub(super) fn ui(
    ui: &mut Ui,
    (given, found): (&EngineNumbers, Option<&Matched>),
    id: &str,
    page: &mut PageContext<'_>,
) {
    let EngineNumbers::Matrices(given) = given else {
        return;
    };
    let alone = found.and_then(|found| found.joint);
    let joint = alone.unwrap_or(page.document.state.joint);
    let theirs = match given.as_slice() {
        [only] => Some(only),
        all => all.get(joint.index()),
    };
    let ours = sent_palette(page.derived, page.document);
    let is_there = joint.index() < ours.world_from_bind.len();
    let (Some(&theirs), true) = (theirs, is_there) else {
        let words = format!("They have no matrix of joint {}.", joint.0);
        ui.label(page.theme.caption(words));
        return;
    };
    let words = format!(
        "First the matrix of your engine, then ours of {}; marked where they differ.",
        joint_words(joint.index(), &page.derived.rig)
    );
    let ours = ours.matrix(joint);
    ui.label(page.theme.caption(words));
    let sources = [source(theirs, joint, "your engine"), source(ours, joint, "ours")];
    matrix::marked_where_they_differ(ui, id, sources, difference, page);
}

fn source(mat: Mat4, joint: JointIndex, title: &str) -> PageMatrix {
    let named = NamedTransform { to: CoordinateFrame::World, from: CoordinateFrame::Bind, mat };
    PageMatrix::read_only(named, MatrixOwner::Joint(joint), title)
}
