//! Models of the reader's own in the notebook: one in the place of a lesson's rig, and a
//! second beside that of the page.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{CellKind, Lesson, ModelB};

use super::super::exercise_cells::cells_at;
use super::super::lesson_assets::{OWN_RIG, lesson_rig, model_name};
use super::super::moment::{OpenedB, UndoPoint};
use super::super::navigation::AwaitedPage;
use super::super::{Document, EditError, PageAddress, SettingGroup, copy_settings, step_document};
use super::Notebook;

/// Models that undo leads back to, beside the open one, and the one that was open before
/// the last of them.
const MODELS_KEPT: usize = 3;

impl Notebook {
    /// The reader's own model, if one was opened.
    pub fn own(&self) -> Option<&Arc<Rig>> {
        self.own.as_ref()
    }

    /// Takes a model of the reader's own and goes to the lesson that stands on
    /// it; from a step of that lesson, to the same step. Undo brings back the
    /// model that stood there before, with its values.
    ///
    /// Fails when no lesson stands on the reader's model; nothing has changed then.
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
                awaited.asked = AwaitedPage::Model(Arc::clone(&model));
            }
            gone?;
        }
        self.typing.stop();
        // With another model on it, the step stands as it was left with that.
        self.kept = self.all_kept();
        let opened = format!("opening {}", model_name(&model));
        let moment =
            UndoPoint { own_before: Some(OpenedB(self.own_before.clone())), ..self.moment() };
        self.history.record(&moment, opened, gesture);
        self.own_before = self.own.clone().or(self.own_before.take());
        self.take_model(Some(model));
        self.forget_old_models();
        let (lesson, step) = (self.lesson(), self.document.step);
        let known = self.kept.get(&self.key(lesson, step)).is_some();
        let model = self.rig_of(lesson, step).unwrap_or_else(|| Arc::clone(&self.rig));
        let next = if here && !known {
            on_another_model(&self.document, lesson, (&self.rig, &model))
        } else {
            self.opened(lesson, step, &model).0
        };
        self.replace(next);
        Ok(())
    }

    /// Another model, or none, stands in the lessons for it: what could be undone
    /// there, and where it was seen from, was of the one before.
    pub(super) fn take_model(&mut self, model: Option<Arc<Rig>>) {
        if model.as_ref().map(Arc::as_ptr) == self.own.as_ref().map(Arc::as_ptr) {
            return;
        }
        let lessons = &self.set.lessons;
        let on_own = |slug: &str| lessons.iter().any(|l| l.slug == slug && l.rig == OWN_RIG);
        self.histories.forget_lessons(on_own);
        self.cameras.clear();
        self.own = model;
    }

    /// Large models do not wait in the history for ever.
    fn forget_old_models(&mut self) {
        let of = |moment: &UndoPoint| {
            let beside = [&moment.own_before, &moment.model_b];
            let beside = beside.map(|opened| opened.as_ref().and_then(|opened| opened.0.clone()));
            let [own_before, model_b] = beside;
            [moment.own.clone(), own_before, model_b].into_iter().flatten()
        };
        let open = [&self.own, &self.model_b];
        let mut kept: Vec<Arc<Rig>> = open.into_iter().flatten().cloned().collect();
        let most = kept.len().max(1) + MODELS_KEPT;
        let before = self.own_before.clone();
        for model in before.into_iter().chain(self.history.past().flat_map(of)) {
            let known = kept.iter().any(|other| Arc::ptr_eq(other, &model));
            if !known && kept.len() < most {
                kept.push(model);
            }
        }
        self.history.forget_until(|moment| {
            of(moment).any(|model| !kept.iter().any(|other| Arc::ptr_eq(other, &model)))
        });
    }

    /// What a step of a lesson stands on.
    pub(super) fn rig_of(&self, lesson: &Lesson, step: usize) -> Option<Arc<Rig>> {
        let own = self.own.as_ref().filter(|_| lesson.rig == OWN_RIG);
        own.map_or_else(
            || lesson_rig(&self.set, lesson.rig_at(step), &self.rigs),
            |own| Some(Arc::clone(own)),
        )
    }

    /// Name of the reader's model, if a lesson stands on it now.
    pub(super) fn own_here(&self, lesson: &Lesson) -> Option<&str> {
        let own = self.own.as_deref().filter(|_| lesson.rig == OWN_RIG);
        own.map(model_name)
    }
}

/// The same step with another model on it. What names joints, vertices or
/// parameters of the old one is as the step gives it, unless both have the same; how
/// the page looks and how it is computed stays.
fn on_another_model(document: &Document, lesson: &Lesson, (before, rig): (&Rig, &Rig)) -> Document {
    let mut next = step_document(lesson, document.step, Some(rig));
    let kept = [SettingGroup::Display, SettingGroup::Computation];
    copy_settings(&mut next.state, &document.state, &kept);
    next.state.shaders.clone_from(&document.state.shaders);
    if have_the_same_parts(before, rig) {
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

/// Joints, vertices, clips and parameters that answer to the same names, as in a mended
/// copy.
fn have_the_same_parts(a: &Rig, b: &Rig) -> bool {
    a.mesh.positions.len() == b.mesh.positions.len()
        && a.skeleton.joints().iter().map(|one| &one.name).eq(b
            .skeleton
            .joints()
            .iter()
            .map(|one| &one.name))
        && a.clips.iter().map(|clip| &clip.name).eq(b.clips.iter().map(|clip| &clip.name))
        && a.params.iter().map(|param| &param.name).eq(b.params.iter().map(|param| &param.name))
}

// A second model, which that of the page is held against.

/// Models of the reader’s own that that of the page can be held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelsB<'a> {
    /// Opened to compare.
    pub opened: Option<&'a Arc<Rig>>,
    /// On the page before the one that is.
    pub before: Option<&'a Arc<Rig>>,
}

impl Notebook {
    /// What the reader has opened that can stand beside the model of the page.
    pub fn models_b(&self) -> ModelsB<'_> {
        ModelsB { opened: self.model_b.as_ref(), before: self.own_before.as_ref() }
    }

    /// Does the open step hold the model against another?
    pub fn compares_models(&self) -> bool {
        compares_at(self.lesson(), self.document.step)
    }

    /// Takes a model to hold that of the page against, at the open step if it does
    /// that, else at the first that does. What stands on the page stays; undo brings
    /// back what it was held against before.
    ///
    /// Fails when no step does; nothing has changed then. When the rig of the step is yet to
    /// come; the model is kept then, and the step can be put to it.
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
        self.typing.stop();
        let moment = UndoPoint { model_b: Some(OpenedB(self.model_b.clone())), ..self.moment() };
        let opened = format!("opening {} to compare", model_name(&model));
        self.history.record(&moment, opened, gesture);
        self.model_b = Some(model);
        self.forget_old_models();
        let mut next = self.document.clone();
        next.state.model_b = ModelB::Opened;
        self.replace(next);
        Ok(())
    }

    fn page_that_compares(&self) -> Option<PageAddress> {
        self.set.lessons.iter().find_map(|lesson| {
            let mut steps = 0..lesson.steps.len();
            let step = steps.find(|&step| compares_at(lesson, step))?;
            let step = lesson.steps.get(step)?;
            Some(PageAddress::step(&lesson.slug, &step.slug))
        })
    }
}

fn compares_at(lesson: &Lesson, step: usize) -> bool {
    cells_at(lesson, step).any(|cell| matches!(cell.kind, CellKind::ModelDifference(_)))
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::{LessonSet, Setting, Tint};
    use bindpose_skin::JointIndex;

    use super::*;
    use crate::{Edit, test_sample};

    const ARM: &str = "+++\ntitle = \"Arm\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nWords.\n";
    const OWN: &str = "+++\ntitle = \"Yours\"\nminutes = 5\nrig = \"own\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\n```set\nall = \"30deg\"\n```\n\nWords.\n";

    fn notebook() -> Notebook {
        let lessons = [("10-arm", ARM, ""), ("160-yours", OWN, "")];
        Notebook::new(LessonSet::from_memory(&lessons, ""), builtin).unwrap()
    }

    fn model() -> Arc<Rig> {
        Arc::new(test_sample::rig())
    }

    fn standing(notebook: &Notebook) -> &str {
        &notebook.derived().rig.id
    }

    #[test]
    fn without_a_model_the_fallback_stands_there() {
        let mut notebook = notebook();
        assert_eq!(notebook.follow("bindpose://yours", 1), Ok(None));
        assert_eq!(standing(&notebook), "whale");
        assert!(!notebook.link().contains("model="));
    }

    #[test]
    fn opening_a_model_leads_to_its_lesson_and_one_undo_takes_it_away() {
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
    fn another_model_takes_the_step_and_the_look_and_nothing_of_the_old_one() {
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
    fn a_copy_with_the_same_parts_stands_as_the_model_did() {
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
    fn the_link_names_the_model_and_is_followed_as_far_as_it_can_be() {
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
    fn without_a_lesson_for_it_a_model_is_refused_and_nothing_changes() {
        let set = LessonSet::from_memory(&[("10-arm", ARM, "")], "");
        let mut notebook = Notebook::new(set, builtin).unwrap();
        let refused = notebook.open_model(model(), 1).unwrap_err();
        assert!(refused.to_string().contains("rig = \"own\""), "{refused}");
        assert!(notebook.own().is_none() && notebook.history().to_undo().is_none());
    }

    #[test]
    fn undo_leads_back_to_a_few_models_and_lets_go_of_the_others() {
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
    fn undo_brings_back_the_model_that_was_open_before_the_one_it_brings_back() {
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
