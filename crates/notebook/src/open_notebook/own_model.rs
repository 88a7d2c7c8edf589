//! The reader's own models: one shown in place of a lesson's rig, and a second
//! one for comparison.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{CellKind, ComparedModel, Lesson};

use super::super::exercise_cells::cells_at;
use super::super::lesson_assets::{OWN_RIG, lesson_rig, model_name};
use super::super::moment::{SavedModel, UndoPoint};
use super::super::navigation::PendingActionKind;
use super::super::{Document, EditError, PageAddress, SettingGroup, copy_settings, step_document};
use super::Notebook;

/// Number of models that undo can restore, in addition to the open one and the
/// last one before it.
const MAX_KEPT_MODELS: usize = 3;

impl Notebook {
    /// Returns the reader's own model, if one is open.
    pub fn own(&self) -> Option<&Arc<Rig>> {
        self.own.as_ref()
    }

    /// Opens a model of the reader's own in the lesson for it, or on the same
    /// step if that lesson is open. Undo restores the previous model with its
    /// values.
    ///
    /// # Errors
    ///
    /// Fails if no lesson uses the reader's model. Nothing has changed then.
    pub fn open_model(&mut self, model: Arc<Rig>, gesture: u64) -> Result<(), EditError> {
        let mut lessons = self.set.lessons.iter();
        let Some(page) = lessons.find(|lesson| lesson.rig == OWN_RIG) else {
            return Err(EditError::NoLessonForModel);
        };
        let page = PageAddress::lesson(&page.slug);
        let here = self.lesson().rig == OWN_RIG;
        if !here {
            let gone = self.go(&page);
            if let Some(awaited) = self.awaited.as_mut().filter(|_| gone.is_err()) {
                awaited.asked = PendingActionKind::Model(Arc::clone(&model));
            }
            gone?;
        }
        self.typing.end_run();
        // With another model, the step gets the state it had with that model.
        self.kept = self.kept_with_current();
        let opened = format!("opening {}", model_name(&model));
        let own_before = Some(SavedModel(self.own_before.clone()));
        let before = UndoPoint { own_before, ..self.undo_point() };
        self.history.record(&before, opened, gesture);
        self.own_before = self.own.clone().or(self.own_before.take());
        self.take_model(Some(model));
        self.forget_old_models();
        let lesson = self.lesson();
        let step = self.document.step;
        let is_known = self.kept.get(&self.step_key(lesson, step)).is_some();
        let model = self.rig_of(lesson, step).unwrap_or_else(|| Arc::clone(&self.rig));
        let next = if here && !is_known {
            transfer_to_model(&self.document, lesson, &self.rig, &model)
        } else {
            self.last_state(lesson, step, &model).0
        };
        self.replace(next);
        Ok(())
    }

    /// Replaces the reader's model. Histories and cameras of its lessons
    /// belonged to the previous model and are dropped.
    pub(super) fn take_model(&mut self, model: Option<Arc<Rig>>) {
        if model.as_ref().map(Arc::as_ptr) == self.own.as_ref().map(Arc::as_ptr) {
            return;
        }
        let lessons = &self.set.lessons;
        self.histories.forget_lessons(|slug| {
            lessons.iter().any(|lesson| lesson.slug == slug && lesson.rig == OWN_RIG)
        });
        self.cameras.clear();
        self.own = model;
    }

    /// Limits the number of models that the undo history holds, since they can
    /// be large.
    fn forget_old_models(&mut self) {
        let open = [&self.own, &self.model_b];
        let mut kept: Vec<Arc<Rig>> = open.into_iter().flatten().cloned().collect();
        let most = kept.len().max(1) + MAX_KEPT_MODELS;
        let before = self.own_before.clone();
        for model in before.into_iter().chain(self.history.past().flat_map(models_of)) {
            if kept.len() < most && !contains_model(&kept, &model) {
                kept.push(model);
            }
        }
        self.history
            .forget_until(|point| models_of(point).any(|model| !contains_model(&kept, &model)));
    }

    /// Returns the rig of a step. Returns `None` if it is not available.
    pub(super) fn rig_of(&self, lesson: &Lesson, step: usize) -> Option<Arc<Rig>> {
        match &self.own {
            Some(own) if lesson.rig == OWN_RIG => Some(Arc::clone(own)),
            _ => lesson_rig(&self.set, lesson.rig_at(step), &self.rigs),
        }
    }

    /// Returns the name of the reader's model, if the lesson shows it.
    pub(super) fn own_model_name(&self, lesson: &Lesson) -> Option<&str> {
        let own = self.own.as_deref().filter(|_| lesson.rig == OWN_RIG);
        own.map(model_name)
    }
}

/// Models that an undo point holds.
fn models_of(point: &UndoPoint) -> impl Iterator<Item = Arc<Rig>> + use<> {
    let own_before = point.own_before.as_ref().and_then(|saved| saved.0.clone());
    let model_b = point.model_b.as_ref().and_then(|saved| saved.0.clone());
    [point.own.clone(), own_before, model_b].into_iter().flatten()
}

fn contains_model(models: &[Arc<Rig>], model: &Arc<Rig>) -> bool {
    models.iter().any(|other| Arc::ptr_eq(other, model))
}

/// Transfers a step to another model. Values that name joints, vertices or
/// parameters are reset unless both models have the same ones. Display and
/// computation settings are kept.
fn transfer_to_model(document: &Document, lesson: &Lesson, before: &Rig, rig: &Rig) -> Document {
    let mut next = step_document(lesson, document.step, Some(rig));
    let kept = [SettingGroup::Display, SettingGroup::Computation];
    copy_settings(&mut next.state, &document.state, &kept);
    next.state.shaders.clone_from(&document.state.shaders);
    if have_same_parts(before, rig) {
        let kept = [SettingGroup::Selection, SettingGroup::Model];
        copy_settings(&mut next.state, &document.state, &kept);
        next.state.params.clone_from(&document.state.params);
        return next;
    }
    for param in &lesson.params {
        match document.state.params.get(&param.name) {
            Some(&value) => next.state.params.insert(param.name.clone(), value),
            None => next.state.params.remove(&param.name),
        };
    }
    next
}

/// Returns true if joints, vertices, clips and parameters match by name, as in
/// a mended copy.
fn have_same_parts(a: &Rig, b: &Rig) -> bool {
    a.mesh.positions.len() == b.mesh.positions.len()
        && a.skeleton.joints().iter().map(|joint| &joint.name).eq(b
            .skeleton
            .joints()
            .iter()
            .map(|joint| &joint.name))
        && a.clips.iter().map(|clip| &clip.name).eq(b.clips.iter().map(|clip| &clip.name))
        && a.params.iter().map(|param| &param.name).eq(b.params.iter().map(|param| &param.name))
}

// A second model, for comparison.

/// The reader’s own models that the page's model can be compared with.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelsB<'a> {
    /// Model opened for comparison.
    pub opened: Option<&'a Arc<Rig>>,
    /// Previous model of the page.
    pub before: Option<&'a Arc<Rig>>,
}

impl Notebook {
    /// Returns the models available for comparison.
    pub fn models_b(&self) -> ModelsB<'_> {
        ModelsB { opened: self.model_b.as_ref(), before: self.own_before.as_ref() }
    }

    /// Returns true if the open step compares the model with another.
    pub fn compares_models(&self) -> bool {
        compares_at(self.lesson(), self.document.step)
    }

    /// Opens a model for comparison, on the open step if it compares models,
    /// otherwise on the first one that does. The page's model stays; undo
    /// restores the previous model for comparison.
    ///
    /// # Errors
    ///
    /// Fails if no step compares models. Nothing has changed then. Also fails
    /// if the rig of the step is not loaded yet; the model is kept then and can
    /// be selected on the step.
    pub fn open_model_b(&mut self, model: Arc<Rig>, gesture: u64) -> Result<(), EditError> {
        if !self.compares_models() {
            let page = self.page_that_compares().ok_or(EditError::NoStepToCompare)?;
            if let Err(wrong) = self.go(&page) {
                if wrong == EditError::NotHereYet {
                    self.model_b = Some(model);
                }
                return Err(wrong);
            }
        }
        self.typing.end_run();
        let model_b = Some(SavedModel(self.model_b.clone()));
        let before = UndoPoint { model_b, ..self.undo_point() };
        let opened = format!("opening {} to compare", model_name(&model));
        self.history.record(&before, opened, gesture);
        self.model_b = Some(model);
        self.forget_old_models();
        let mut next = self.document.clone();
        next.state.model_b = ComparedModel::Opened;
        self.replace(next);
        Ok(())
    }

    /// Returns the first step that lists the doctor's findings on the reader's model. Returns
    /// `None` if no lesson has one.
    pub fn report_page(&self) -> Option<PageAddress> {
        let mut own_lessons = self.set.lessons.iter().filter(|lesson| lesson.rig == OWN_RIG);
        own_lessons.find_map(|lesson| {
            let step = lesson.steps.iter().find(|step| step.has_all_findings())?;
            Some(PageAddress::step(&lesson.slug, &step.slug))
        })
    }

    fn page_that_compares(&self) -> Option<PageAddress> {
        for lesson in &self.set.lessons {
            for (index, step) in lesson.steps.iter().enumerate() {
                if compares_at(lesson, index) {
                    return Some(PageAddress::step(&lesson.slug, &step.slug));
                }
            }
        }
        None
    }
}

fn compares_at(lesson: &Lesson, step: usize) -> bool {
    cells_at(lesson, step).any(|cell| matches!(cell.kind, CellKind::ModelDifference(_)))
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Setting, Tint};
    use bindpose_skin::JointIndex;

    use super::*;
    use crate::test_sample::notebook_of;
    use crate::{Edit, test_sample};

    const ARM: &str = "+++\ntitle = \"Arm\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nWords.\n";
    const OWN: &str = "+++\ntitle = \"Yours\"\nminutes = 5\nrig = \"own\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\n```set\nall = \"30deg\"\n```\n\nWords.\n";

    fn notebook() -> Notebook {
        notebook_of(&[("10-arm", ARM), ("160-yours", OWN)])
    }

    fn model() -> Arc<Rig> {
        Arc::new(test_sample::rig())
    }

    fn standing(notebook: &Notebook) -> &str {
        &notebook.derived().rig.id
    }

    #[test]
    fn fallback_is_shown_without_a_model() {
        let mut notebook = notebook();
        assert_eq!(notebook.follow("bindpose://yours", 1), Ok(None));
        assert_eq!(standing(&notebook), "whale");
        assert!(!notebook.link().contains("model="));
    }

    #[test]
    fn opening_a_model_goes_to_its_lesson_and_is_undone() {
        let mut notebook = notebook();
        notebook.open_model(model(), 1).unwrap();
        assert_eq!((standing(&notebook), notebook.document().step), ("sample", 0));
        assert!(notebook.undo());
        assert_eq!(standing(&notebook), "whale", "what stands there without one");
        assert!(notebook.own().is_none());
        assert!(notebook.redo());
        assert_eq!(standing(&notebook), "sample", "redo opens it again");
    }

    #[test]
    fn another_model_keeps_step_and_display_only() {
        let mut notebook = notebook();
        notebook.follow("bindpose://yours/two", 1).unwrap();
        let change = |notebook: &mut Notebook, edit: Edit, gesture| {
            notebook.edit(&edit, gesture).unwrap();
        };
        let weight = |weight| Edit::Weight { vertex: 900, lane: 0, weight };
        change(&mut notebook, weight(0.5), 2);
        change(&mut notebook, Edit::set(Setting::Joint(JointIndex(12).into())), 3);
        change(&mut notebook, Edit::set(Setting::Vertex(900)), 4);
        let tint = Setting::Tint(Some(Tint::Strongest));
        change(&mut notebook, Edit::set(tint), 5);
        let on_the_whale = notebook.document().clone();

        notebook.open_model(model(), 6).unwrap();
        let document = notebook.document();
        assert_eq!(document.step, 1, "the same step");
        assert_eq!(document.state.tint, Some(Tint::Strongest), "the look stays");
        assert_eq!((document.state.joint, document.state.vertex), (JointIndex(0), 0));
        assert!(document.state.weights.is_empty());
        assert_eq!(document.state.params.len(), 1, "the step's set, for this model");
        assert_eq!(document.state.params["nod"], 30_f64.to_radians());

        notebook.edit(&Edit::ResetStep, 7).unwrap();
        assert_eq!(standing(&notebook), "sample", "a reset keeps the model");
        notebook.turn_page(false);
        notebook.turn_page(true);
        assert!(notebook.undo() && notebook.undo());
        assert_eq!(*notebook.document(), on_the_whale);
        assert_eq!(standing(&notebook), "whale");
    }

    #[test]
    fn model_with_same_parts_keeps_all_values() {
        let mut notebook = notebook();
        notebook.open_model(model(), 1).unwrap();
        notebook.edit(&Edit::param("nod", 0.5), 2).unwrap();
        let posed = notebook.document().clone();
        notebook.open_model(model(), 3).unwrap();
        assert_eq!(*notebook.document(), posed);
        assert!(notebook.undo());
        assert_eq!(*notebook.document(), posed);
    }

    #[test]
    fn link_names_the_model() {
        let mut notebook = notebook();
        notebook.open_model(model(), 1).unwrap();
        notebook.edit(&Edit::param("nod", 0.5), 2).unwrap();
        let link = notebook.link();
        assert_eq!(link, "bindpose://yours/one?model=Sample&nod=0.5");
        notebook.edit(&Edit::ResetStep, 3).unwrap();
        assert_eq!(notebook.follow(&link, 4), Ok(None));
        assert_eq!(notebook.document().state.params["nod"], 0.5);

        let mut other = super::tests::notebook();
        let said = other.follow(&link, 1).unwrap().unwrap();
        assert!(said.contains("“Sample”") && said.contains("open it"), "{said}");
        assert_eq!((standing(&other), other.lesson().slug.as_str()), ("whale", "yours"));
        assert!(other.document().state.params.is_empty());
    }

    #[test]
    fn model_without_lesson_is_rejected() {
        let mut notebook = notebook_of(&[("10-arm", ARM)]);
        let refused = notebook.open_model(model(), 1).unwrap_err();
        assert!(refused.to_string().contains("rig = \"own\""), "{refused}");
        assert!(notebook.own().is_none() && notebook.history().to_undo().is_none());
    }

    #[test]
    fn undo_restores_a_limited_number_of_models() {
        let mut notebook = notebook();
        let models: Vec<Arc<Rig>> = (0..6).map(|_| model()).collect();
        for (gesture, model) in models.iter().enumerate() {
            notebook.open_model(Arc::clone(model), gesture as u64).unwrap();
        }
        let held = |model: &Arc<Rig>| Arc::strong_count(model) > 1;
        let held: Vec<bool> = models.iter().map(held).collect();
        assert_eq!(held, [false, false, true, true, true, true]);
        assert!(notebook.undo() && notebook.undo());
        assert!(Arc::ptr_eq(notebook.own().unwrap(), &models[3]));
        assert!(Arc::ptr_eq(notebook.models_b().before.unwrap(), &models[2]));
        assert!(!notebook.undo(), "what stood there before is gone");
    }

    #[test]
    fn undo_restores_model_before_own() {
        let mut notebook = notebook();
        let models: Vec<Arc<Rig>> = (0..3).map(|_| model()).collect();
        for (gesture, model) in models.iter().enumerate() {
            notebook.open_model(Arc::clone(model), gesture as u64).unwrap();
        }
        let pages = |notebook: &Notebook| {
            let number = |model: Option<&Arc<Rig>>| {
                let mut all = models.iter();
                model.and_then(|model| all.position(|other| Arc::ptr_eq(other, model)))
            };
            (number(notebook.own()), number(notebook.models_b().before))
        };
        assert_eq!(pages(&notebook), (Some(2), Some(1)));
        assert!(notebook.undo());
        assert_eq!(pages(&notebook), (Some(1), Some(0)), "never the same twice");
        assert!(notebook.undo());
        assert_eq!(pages(&notebook), (Some(0), None));
        assert!(notebook.redo() && notebook.redo());
        assert_eq!(pages(&notebook), (Some(2), Some(1)));
    }
}
