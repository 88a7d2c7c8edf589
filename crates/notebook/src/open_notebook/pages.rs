//! Going from page to page: each step opens as its author meant it, or as the
//! reader left it.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Lesson, find_lesson, find_page, find_step};

use super::super::lesson_assets::OWN_RIG;
use super::super::moment::{KeptSteps, StepKey};
use super::super::navigation::AwaitedPage;
use super::super::setting::{SettingGroup, group_of};
use super::super::{
    Cameras, Document, Edit, EditError, KeptPage, PageAddress, StepChange, carried_on, link,
    step_changes, step_document,
};
use super::Notebook;

/// Characters of a link that browsers and mailers carry; with more, edited weights are
/// left out of it.
const LONGEST_LINK: usize = 64_000;
/// The edit of a vertex takes as many, or more: `&weights.0=1,0,0,0`.
const SHORTEST_EDIT: usize = 18;

impl Notebook {
    /// Opens a page. What was changed at the one that is left is kept with it.
    ///
    /// Fails when there is no such page, or no model for it; what was open stays open.
    pub fn go(&mut self, page: &PageAddress) -> Result<(), EditError> {
        let (lesson, step) = self.find(page)?;
        self.open(lesson, step)
    }

    /// Opens the step after or before: on the route that is followed if the open page is
    /// one of its steps, else in the lesson and across lessons. Returns false at the end.
    pub fn turn_page(&mut self, forward: bool) -> bool {
        if self.turn_form(forward) {
            return true;
        }
        let there = self.turned(forward);
        there.is_some_and(|(lesson, step)| self.open(lesson, step).is_ok())
    }

    /// Where turning the page leads: indices of lesson and step.
    pub(super) fn turned(&self, forward: bool) -> Option<(usize, usize)> {
        if self.is_on_route() {
            return self.turned_on_route(forward);
        }
        let step = self.document.step;
        if forward && step + 1 < self.lesson().steps.len() {
            return Some((self.lesson, step + 1));
        }
        if !forward && step > 0 {
            return Some((self.lesson, step - 1));
        }
        let there = self.neighbour_index(forward)?;
        let last = self.set.lessons[there].steps.len().saturating_sub(1);
        Some((there, if forward { 0 } else { last }))
    }

    fn neighbour_index(&self, forward: bool) -> Option<usize> {
        let there = if forward { self.lesson + 1 } else { self.lesson.checked_sub(1)? };
        (there < self.set.lessons.len()).then_some(there)
    }

    /// Does the way on lead to the next step of this lesson, and can what was changed
    /// go along? On another rig it cannot.
    pub fn leads_on(&self) -> bool {
        let next = self.document.step + 1;
        let same_rig = self.lesson().rig_begins_at(next) != next;
        same_rig && self.turned(true) == Some((self.lesson, next))
    }

    /// To the next step of the lesson, taking along all values that it does not
    /// set; one undo there puts them back. False at the lesson's last step.
    pub fn carry_on(&mut self, gesture: u64) -> bool {
        if !self.leads_on() {
            return false;
        }
        let next = self.document.step + 1;
        let carried = self.carried_on();
        let from = self.step().map_or("", |step| &step.title);
        let label = format!("carrying on from “{from}”");
        if self.open(self.lesson, next).is_err() {
            return false;
        }
        self.change(carried, label, gesture);
        self.overlook_answers();
        true
    }

    /// Would the next step open otherwise if it took the values of this one? How
    /// pictures are drawn is not asked.
    pub fn carries_values(&self) -> bool {
        let is_display = |change: &StepChange| match &change.put_back {
            Edit::ResetSettings(settings) => {
                settings.iter().all(|one| group_of(one) == Some(SettingGroup::Display))
            }
            _ => false,
        };
        let changes = || step_changes(&self.carried_on(), self.lesson(), &self.rig);
        self.is_changed() && self.leads_on() && !changes().iter().all(is_display)
    }

    /// The next step with the values of this one, where it sets none.
    fn carried_on(&self) -> Document {
        carried_on(&self.document, self.lesson(), self.document.step + 1, Some(&self.rig))
    }

    /// The link to the open page, and to the route that leads over it.
    pub fn link(&self) -> String {
        let whole = self.page_link();
        let link = if whole.len() <= LONGEST_LINK {
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

    /// How many vertices have edited weights that the link to the page leaves out,
    /// because with them it would be longer than what is sent and opened.
    pub fn weights_left_out_of_link(&self) -> usize {
        let edited = &self.document.state.weights;
        let is_surely_longer = edited.len() * SHORTEST_EDIT > LONGEST_LINK;
        let fits = || self.page_link().len() <= LONGEST_LINK;
        if edited.is_empty() || !is_surely_longer && fits() {
            return 0;
        }
        let without = self.with_weights_of_step();
        edited.count_differing(&without.state.weights)
    }

    /// The open page with the weights that its step gives.
    fn with_weights_of_step(&self) -> Document {
        let begin = step_document(self.lesson(), self.document.step, Some(&self.rig));
        let mut document = self.document.clone();
        document.state.weights = begin.state.weights;
        document
    }

    /// The link to the open page alone.
    pub(super) fn page_link(&self) -> String {
        self.page_link_of(&self.document)
    }

    fn page_link_of(&self, document: &Document) -> String {
        let link = link::write(document, &self.cameras, self.lesson(), &self.rig);
        match self.own_here(self.lesson()) {
            Some(model) => link::own_model::name_model(&link, model),
            None => link,
        }
    }

    /// Opens the page a link leads to, with the values in the link; without any,
    /// as the reader left it. The answer is what the reader should know of a link
    /// that was followed as far as it could be: it names a model and does not
    /// carry it, or a step that its lesson no longer has.
    ///
    /// Errors: what is wrong with the link; what was open stays open.
    pub fn follow(&mut self, link: &str, gesture: u64) -> Result<Option<String>, Diagnostic> {
        let mut address = link::address(link)?;
        let index = find_lesson(&self.set.lessons, &address.lesson)?;
        let Ok(step) = self.find_step_of(index, address.step.as_deref()) else {
            let page = KeptPage { link: link.to_owned(), ..KeptPage::default() };
            return Ok(self.reopen(&page, gesture)?.remark);
        };
        let route = link::take_route(&mut address.values);
        let form = link::take_form(&mut address.values);
        let rig = self.rig_or_wait((index, step), |_| AwaitedPage::Link(link.to_owned()))?;
        let lesson = &self.set.lessons[index];
        let missing = (lesson.rig == OWN_RIG)
            .then(|| link::own_model::fit_to(&mut address.values, self.own_here(lesson)))
            .flatten();
        let mut wanted = step_document(lesson, step, Some(&rig));
        let mut cameras = Cameras::new();
        link::read(&address.values, &mut wanted, &mut cameras, lesson, &rig)?;
        self.open(index, step)?;
        if !address.values.is_empty() {
            self.change(wanted, "following a link".to_owned(), gesture);
            self.cameras = cameras;
            self.overlook_answers();
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

    /// Links to all steps where something was changed, this one included: to be
    /// remembered between runs.
    pub fn kept_links(&self) -> Vec<String> {
        self.all_kept().links()
    }

    /// Takes what was remembered. The page in sight stands as it was left.
    pub fn take_kept(&mut self, links: &[String]) {
        self.kept = KeptSteps::from_links(links);
        let (step, rig) = (self.document.step, Arc::clone(&self.rig));
        self.enter(self.lesson, step, &rig);
    }

    /// What differs at this step from how its author meant it.
    pub fn changes(&self) -> Vec<StepChange> {
        step_changes(&self.document, self.lesson(), &self.rig)
    }

    /// Does this step stand as it opened, with values that the step before left
    /// it?
    pub fn is_carried(&self) -> bool {
        let carries = self.step().is_some_and(|step| step.carry);
        let opening = || self.opening(self.lesson(), self.document.step, &self.rig);
        carries && self.document.state == opening().state
    }

    /// Does anything at this step differ from how it opens?
    pub(super) fn is_changed(&self) -> bool {
        let opening = self.opening(self.lesson(), self.document.step, &self.rig);
        self.document.state != opening.state || !self.cameras.is_empty()
    }

    /// All that is kept, with the step in sight.
    pub(super) fn all_kept(&self) -> KeptSteps {
        let mut kept = self.kept.clone();
        let link = self.is_changed().then(|| self.page_link());
        kept.keep(self.key(self.lesson(), self.document.step), link);
        kept
    }

    fn find(&self, page: &PageAddress) -> Result<(usize, usize), Diagnostic> {
        find_page(&self.set.lessons, &page.lesson, page.step.as_deref())
    }

    /// The index of a step of the lesson; without a name, of its first.
    fn find_step_of(&self, lesson: usize, step: Option<&str>) -> Result<usize, Diagnostic> {
        step.map_or(Ok(0), |step| find_step(&self.set.lessons[lesson], step))
    }

    pub(super) fn open(&mut self, lesson: usize, step: usize) -> Result<(), EditError> {
        self.form = None;
        if (lesson, step) == (self.lesson, self.document.step) {
            self.awaited = None;
            return Ok(());
        }
        let rig = self.rig_or_wait((lesson, step), |lesson| {
            let step = lesson.steps.get(step);
            AwaitedPage::Page(PageAddress {
                lesson: lesson.slug.clone(),
                step: step.map(|step| step.slug.clone()),
            })
        })?;
        self.leave();
        self.enter(lesson, step, &rig);
        Ok(())
    }

    /// What was changed here, and what can be undone, is kept.
    pub(super) fn leave(&mut self) {
        self.typing.stop();
        self.note_answers();
        self.kept = self.all_kept();
        let key = self.key(self.lesson(), self.document.step);
        let history = std::mem::take(&mut self.history);
        self.histories.keep(key, history);
    }

    fn enter(&mut self, lesson: usize, step: usize, rig: &Rig) {
        self.awaited = None;
        let there = &self.set.lessons[lesson];
        let key = self.key(there, step);
        let (document, cameras) = self.opened(there, step, rig);
        self.history = self.histories.take(&key);
        self.replace(document);
        self.cameras = cameras;
        self.overlook_answers();
        self.note_place();
    }

    /// A step as the reader left it, or as it opens.
    pub(super) fn opened(&self, lesson: &Lesson, step: usize, rig: &Rig) -> (Document, Cameras) {
        let mut cameras = Cameras::new();
        let kept = self.kept.get(&self.key(lesson, step));
        let Some(mut address) = kept.and_then(|link| link::address(link).ok()) else {
            return (self.opening(lesson, step, rig), cameras);
        };
        link::own_model::take_model(&mut address.values);
        let mut document = step_document(lesson, step, Some(rig));
        link::read_what_fits(&address.values, &mut document, &mut cameras, lesson, rig);
        (document, cameras)
    }

    /// A step before the reader has changed anything there: as its author meant
    /// it, or carrying on from the step before where that was meant.
    fn opening(&self, lesson: &Lesson, step: usize, rig: &Rig) -> Document {
        let carries = lesson.steps.get(step).is_some_and(|step| step.carry);
        if !carries || lesson.rig_begins_at(step) == step {
            return step_document(lesson, step, Some(rig));
        }
        let (before, _) = self.opened(lesson, step - 1, rig);
        carried_on(&before, lesson, step, Some(rig))
    }

    pub(super) fn key(&self, lesson: &Lesson, step: usize) -> StepKey {
        let step = lesson.steps.get(step);
        StepKey {
            lesson: lesson.slug.clone(),
            step: step.map(|step| step.slug.clone()).unwrap_or_default(),
            model: self.own_here(lesson).map(str::to_owned),
        }
    }
}
