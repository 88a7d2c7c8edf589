//! The rig of a question in a picture: it can be looked at from all sides, and nothing
//! that is done there changes the page or the question.

use std::sync::Arc;

use bindpose_asset::{Rig, builtin};
use bindpose_lesson::{Cell, CellKind, InventoryQuestion, Lesson, Setting, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::inventory::{OptionValue, option_values};
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, Linked, Navigation, apply_setting, lesson_rig,
};
use eframe::egui::Ui;

use crate::PageContext;
use crate::cells::cell_ui;

/// The rig as it stands in a question, and what its answers are worth.
pub(super) struct QuestionFigure {
    rig: Arc<Rig>,
    state: (Document, Derived),
    pub(super) values: Vec<OptionValue>,
    /// What is drawn there belongs to no step.
    lesson: Lesson,
    /// Where the reader looks from at all of its pictures; `None`: as they are framed.
    camera: Option<Camera>,
    /// What the reader has chosen, and what pictures are to show.
    looks: Vec<Setting>,
}

impl QuestionFigure {
    /// `None` where a formula has no value, which the content check tells.
    pub(super) fn new(question: &InventoryQuestion, rig: Arc<Rig>) -> Option<Self> {
        let (state, values) = option_values(question, &rig).ok()?;
        Some(Self {
            rig,
            state,
            values,
            lesson: Lesson::default(),
            camera: None,
            looks: Vec::new(),
        })
    }

    /// Is it of this rig?
    pub(super) fn is_on(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, &self.rig)
    }

    /// Takes up what was done in a picture, as far as it only looks.
    fn take(&mut self, edits: Vec<Edit>, navigation: Vec<Navigation>) {
        for edit in edits {
            let Edit::Settings(settings) = edit else {
                continue;
            };
            let only_looks = |setting: &Setting| {
                matches!(
                    setting,
                    Setting::Joint(_)
                        | Setting::Vertex(_)
                        | Setting::Show(_)
                        | Setting::View(_)
                        | Setting::Tint(_)
                )
            };
            self.looks.extend(settings.into_iter().filter(only_looks));
        }
        // The last of a kind counts.
        let excess = self.looks.len().saturating_sub(64);
        self.looks.drain(..excess);
        for one in navigation {
            if let Navigation::Look(_, camera) = one {
                self.camera = camera;
            }
        }
    }
}

/// The picture of an answer by itself, by its place among the options, or that of the
/// question; false where there is none.
pub fn question_picture(
    ui: &mut Ui,
    question: &InventoryQuestion,
    option: Option<usize>,
    page: &mut PageContext<'_>,
    height: f32,
) -> bool {
    let rig = lesson_rig(page.set, question.rig_in(page.lesson), &builtin);
    let shown = rig.and_then(|rig| QuestionFigure::new(question, rig));
    let (Some(mut shown), Some(cell)) = (shown, &question.viewport) else {
        return false;
    };
    picture(ui, cell, (&mut shown, option), page, height);
    true
}

/// The picture of an answer, by its place among the options, or that of the question.
pub(super) fn picture(
    ui: &mut Ui,
    cell: &ViewportCell,
    (shown, option): (&mut QuestionFigure, Option<usize>),
    page: &mut PageContext<'_>,
    height: f32,
) {
    let (document, derived) = match option.and_then(|place| shown.values.get(place)) {
        Some(OptionValue::Picture(state)) => (&state.0, &state.1),
        _ => (&shown.state.0, &shown.state.1),
    };
    let mut document = document.clone();
    for look in &shown.looks {
        apply_setting(&mut document, look, Some(&shown.rig));
    }
    let id = match option {
        Some(place) => format!("inventory picture {place}"),
        None => "inventory figure".to_owned(),
    };
    let camera = shown.camera.map(|camera| (id.clone(), camera));
    let cameras: Cameras = camera.into_iter().collect();
    let cell = Cell { id, line: 1, kind: CellKind::Viewport(cell.clone()) };
    let (mut edits, mut navigation) = (Vec::new(), Vec::new());
    let mut linked = Linked::lit(page.linked.hovered());
    let mut other = PageContext {
        lesson: &shown.lesson,
        record: None,
        cameras: &cameras,
        linked: &mut linked,
        edits: &mut edits,
        navigation: &mut navigation,
        ..page.with(&document, derived)
    };
    // Words over a picture would tell which answer it is.
    let told = std::mem::replace(&mut other.view.pictures.unnamed, option.is_some());
    cell_ui(ui, &cell, &mut other, height);
    other.view.pictures.unnamed = told;
    if !edits.is_empty() || !navigation.is_empty() {
        shown.take(edits, navigation);
        ui.ctx().request_repaint();
    }
}
