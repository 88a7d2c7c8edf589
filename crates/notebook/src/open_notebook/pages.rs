//! Navigation between pages. Each step opens as its author prepared it, or as
//! the reader left it.

use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, find_lesson, find_page, find_step};

use super::super::lesson_assets::OWN_RIG;
use super::super::moment::{StepKey, StoredSteps};
use super::super::navigation::PendingActionKind;
use super::super::setting::{SettingGroup, group_of};
use super::super::{
    Cameras, Document, Edit, EditError, KeptPage, PageAddress, StepChange, carried_on, link,
    step_changes, step_document,
};
use super::Notebook;

/// Maximum length of a link that browsers and mail programs handle. Edited
/// weights are left out of longer links.
const MAX_LINK_CHARS: usize = 64_000;
/// Minimum length of a vertex's edit in a link: `&weights.0=1,0,0,0`.
const MIN_EDIT_CHARS: usize = 18;

impl Notebook {
    /// Opens a page. Changes of the current page are kept.
    ///
    /// # Errors
    ///
    /// Fails if there is no such page, or no model for it. The open page then
    /// stays open.
    pub fn go(&mut self, page: &PageAddress) -> Result<(), EditError> {
        let (lesson, step) = self.resolve_page(page)?;
        self.open(lesson, step)
    }

    /// Opens the next or previous step: on the followed route if the open page
    /// is part of it, otherwise in the lesson and across lessons. Returns false
    /// at the end.
    pub fn turn_page(&mut self, forward: bool) -> bool {
        if self.turn_form(forward) {
            return true;
        }
        self.neighbour_page(forward).is_some_and(|(lesson, step)| self.open(lesson, step).is_ok())
    }

    /// Returns the indices of lesson and step of the next or previous page.
    pub(super) fn neighbour_page(&self, forward: bool) -> Option<(usize, usize)> {
        if self.is_on_route() {
            return self.neighbour_on_route(forward);
        }
        let step = self.document.step;
        if forward && step + 1 < self.lesson().steps.len() {
            return Some((self.lesson, step + 1));
        }
        if !forward && step > 0 {
            return Some((self.lesson, step - 1));
        }
        let neighbour = self.neighbour_index(forward)?;
        let last = self.set.lessons[neighbour].steps.len().saturating_sub(1);
        Some((neighbour, if forward { 0 } else { last }))
    }

    fn neighbour_index(&self, forward: bool) -> Option<usize> {
        let neighbour = if forward { self.lesson + 1 } else { self.lesson.checked_sub(1)? };
        (neighbour < self.set.lessons.len()).then_some(neighbour)
    }

    /// Returns true if the next page is the next step of this lesson and
    /// changes can be carried over, which requires the same rig.
    pub fn leads_on(&self) -> bool {
        let next = self.document.step + 1;
        let same_rig = self.lesson().rig_begins_at(next) != next;
        same_rig && self.neighbour_page(true) == Some((self.lesson, next))
    }

    /// Opens the next step of the lesson, keeping all values that it does not
    /// set. Undo there restores the step's own values. Returns false at the
    /// lesson's last step.
    pub fn carry_on(&mut self, gesture: u64) -> bool {
        if !self.leads_on() {
            return false;
        }
        let next = self.document.step + 1;
        let carried = self.carried_document();
        let from = self.step().map_or("", |step| &step.title);
        let label = format!("carrying on from “{from}”");
        if self.open(self.lesson, next).is_err() {
            return false;
        }
        self.change(carried, label, gesture);
        self.ignore_current_answers();
        true
    }

    /// Returns true if carrying values over would change more than the display
    /// of the next step.
    pub fn carries_values(&self) -> bool {
        self.is_changed()
            && self.leads_on()
            && step_changes(&self.carried_document(), self.lesson(), &self.rig)
                .iter()
                .any(|change| !is_display_change(change))
    }

    /// The next step with the values of this one that it does not set.
    fn carried_document(&self) -> Document {
        carried_on(&self.document, self.lesson(), self.document.step + 1, Some(&self.rig))
    }

    /// Returns the link to the open page, including the followed route if the
    /// page is part of it.
    pub fn link(&self) -> String {
        let whole = self.page_link();
        let link = if whole.len() <= MAX_LINK_CHARS {
            whole
        } else {
            self.page_link_of(&self.with_weights_of_step())
        };
        let on_route = self.place_in(&self.route_pages()).is_some();
        self.with_form(match self.route().filter(|_| on_route) {
            Some(route) => link::name_route(&link, &route.name),
            None => link,
        })
    }

    /// Number of vertices whose edited weights are left out of the link,
    /// because it would be too long.
    pub fn weights_left_out_of_link(&self) -> usize {
        let edited = &self.document.state.weights;
        let is_too_long = edited.len() * MIN_EDIT_CHARS > MAX_LINK_CHARS;
        if edited.is_empty() || (!is_too_long && self.page_link().len() <= MAX_LINK_CHARS) {
            return 0;
        }
        let without = self.with_weights_of_step();
        edited.count_differing(&without.state.weights)
    }

    /// The open page with the weights of its step.
    fn with_weights_of_step(&self) -> Document {
        let start = step_document(self.lesson(), self.document.step, Some(&self.rig));
        let mut document = self.document.clone();
        document.state.weights = start.state.weights;
        document
    }

    /// Link to the open page without route and form.
    pub(super) fn page_link(&self) -> String {
        self.page_link_of(&self.document)
    }

    fn page_link_of(&self, document: &Document) -> String {
        let link = link::write(document, &self.cameras, self.lesson(), &self.rig);
        match self.own_model_name(self.lesson()) {
            Some(model) => link::own_model::name_model(&link, model),
            None => link,
        }
    }

    /// Opens the page of a link with the values in the link. Without values,
    /// the page opens as the reader left it. Returns a message for the reader
    /// if only part of the link could be followed, for example because its
    /// model is not open or its step no longer exists.
    ///
    /// # Errors
    ///
    /// Fails if the link is invalid. The open page then stays open.
    pub fn follow(&mut self, link: &str, gesture: u64) -> Result<Option<String>, Diagnostic> {
        let mut address = link::address(link)?;
        let index = find_lesson(&self.set.lessons, &address.lesson)?;
        let Ok(step) = self.find_step_of(index, address.step.as_deref()) else {
            let page = KeptPage { link: link.to_owned(), ..KeptPage::default() };
            return Ok(self.reopen(&page, gesture)?.remark);
        };
        let route = link::take_route(&mut address.values);
        let form = link::take_form(&mut address.values);
        let rig = self.rig_or_wait(index, step, |_| PendingActionKind::Link(link.to_owned()))?;
        let lesson = &self.set.lessons[index];
        let missing = (lesson.rig == OWN_RIG)
            .then(|| link::own_model::fit_to(&mut address.values, self.own_model_name(lesson)))
            .flatten();
        let mut wanted = step_document(lesson, step, Some(&rig));
        let mut cameras = Cameras::new();
        link::read(&address.values, &mut wanted, &mut cameras, lesson, &rig)?;
        self.open(index, step)?;
        if !address.values.is_empty() {
            self.change(wanted, "following a link".to_owned(), gesture);
            self.cameras = cameras;
            self.ignore_current_answers();
        }
        let missing = self.follow_form(form).or(missing);
        if let Some(route) = route {
            let known = self.set.route(&route).map(|route| route.name.clone());
            match known {
                Ok(name) => self.take_route(Some(&name)),
                Err(wrong) => return Ok(missing.or(Some(wrong.to_string()))),
            }
        }
        Ok(missing)
    }

    /// Returns links to all changed steps, including this one, for storage.
    pub fn kept_links(&self) -> Vec<String> {
        self.kept_with_current().links()
    }

    /// Restores stored changes. The open page gets the state in which the
    /// reader left it.
    pub fn take_kept(&mut self, links: &[String]) {
        self.kept = StoredSteps::from_links(links);
        let rig = Arc::clone(&self.rig);
        self.enter_step(self.lesson, self.document.step, &rig);
    }

    /// Returns the changes of this step by the reader.
    pub fn changes(&self) -> Vec<StepChange> {
        step_changes(&self.document, self.lesson(), &self.rig)
    }

    /// Returns true if this step is unchanged since it opened with the values
    /// of the previous step.
    pub fn is_carried(&self) -> bool {
        let carries = self.step().is_some_and(|step| step.carry);
        carries
            && self.document.state
                == self.initial_state(self.lesson(), self.document.step, &self.rig).state
    }

    /// Returns true if this step differs from its initial state.
    pub(super) fn is_changed(&self) -> bool {
        let initial = self.initial_state(self.lesson(), self.document.step, &self.rig);
        self.document.state != initial.state || !self.cameras.is_empty()
    }

    /// Changes of all steps, including the open one.
    pub(super) fn kept_with_current(&self) -> StoredSteps {
        let mut kept = self.kept.clone();
        let link = self.is_changed().then(|| self.page_link());
        kept.keep(self.step_key(self.lesson(), self.document.step), link);
        kept
    }

    fn resolve_page(&self, page: &PageAddress) -> Result<(usize, usize), Diagnostic> {
        find_page(&self.set.lessons, &page.lesson, page.step.as_deref())
    }

    /// Returns the index of a step of the lesson, or of the first step if
    /// `step` is `None`.
    fn find_step_of(&self, lesson: usize, step: Option<&str>) -> Result<usize, Diagnostic> {
        step.map_or(Ok(0), |step| find_step(&self.set.lessons[lesson], step))
    }

    pub(super) fn open(&mut self, lesson: usize, step: usize) -> Result<(), EditError> {
        self.form = None;
        if lesson == self.lesson && step == self.document.step {
            self.awaited = None;
            return Ok(());
        }
        let rig = self.rig_or_wait(lesson, step, |lesson| {
            let step = lesson.steps.get(step);
            PendingActionKind::Page(PageAddress {
                lesson: lesson.slug.clone(),
                step: step.map(|step| step.slug.clone()),
            })
        })?;
        self.leave_step();
        self.enter_step(lesson, step, &rig);
        Ok(())
    }

    /// Stores changes and history of the open step.
    pub(super) fn leave_step(&mut self) {
        self.typing.end_run();
        self.note_answers();
        self.kept = self.kept_with_current();
        let key = self.step_key(self.lesson(), self.document.step);
        let history = std::mem::take(&mut self.history);
        self.histories.keep(key, history);
    }

    fn enter_step(&mut self, lesson: usize, step: usize, rig: &Rig) {
        self.awaited = None;
        let opened_lesson = &self.set.lessons[lesson];
        let key = self.step_key(opened_lesson, step);
        let (document, cameras) = self.last_state(opened_lesson, step, rig);
        self.history = self.histories.take(&key);
        self.replace(document);
        self.cameras = cameras;
        self.ignore_current_answers();
        self.update_route_position();
    }

    /// Returns a step as the reader left it, or its initial state.
    pub(super) fn last_state(
        &self,
        lesson: &Lesson,
        step: usize,
        rig: &Rig,
    ) -> (Document, Cameras) {
        let mut cameras = Cameras::new();
        let kept = self.kept.get(&self.step_key(lesson, step));
        let Some(mut address) = kept.and_then(|link| link::address(link).ok()) else {
            return (self.initial_state(lesson, step, rig), cameras);
        };
        link::own_model::take_model(&mut address.values);
        let mut document = step_document(lesson, step, Some(rig));
        link::read_valid(&address.values, &mut document, &mut cameras, lesson, rig);
        (document, cameras)
    }

    /// Returns the initial state of a step, as its author prepared it or with the
    /// values of the previous step if the author wants them carried over.
    pub(super) fn initial_state(&self, lesson: &Lesson, step: usize, rig: &Rig) -> Document {
        let carries = lesson.steps.get(step).is_some_and(|step| step.carry);
        if !carries || lesson.rig_begins_at(step) == step {
            return step_document(lesson, step, Some(rig));
        }
        let (before, _) = self.last_state(lesson, step - 1, rig);
        carried_on(&before, lesson, step, Some(rig))
    }

    pub(super) fn step_key(&self, lesson: &Lesson, step: usize) -> StepKey {
        let step = lesson.steps.get(step);
        StepKey {
            lesson: lesson.slug.clone(),
            step: step.map(|step| step.slug.clone()).unwrap_or_default(),
            model: self.own_model_name(lesson).map(str::to_owned),
        }
    }
}

fn is_display_change(change: &StepChange) -> bool {
    match &change.put_back {
        Edit::ResetSettings(settings) => {
            settings.iter().all(|setting| group_of(setting) == Some(SettingGroup::Display))
        }
        _ => false,
    }
}
