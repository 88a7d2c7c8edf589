//! Following a route: the way on and back leads along its steps, across lessons.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Route, RoutePage};

use super::super::EditError;
use super::super::followed_route::Followed;
use super::Notebook;

impl Notebook {
    /// The route that is followed; `None` also while the lessons have none of that
    /// name.
    pub fn route(&self) -> Option<&Route> {
        let followed = self.followed.as_ref()?;
        self.set.route(&followed.name).ok()
    }

    /// The name of the route that is followed, to be remembered.
    pub fn route_name(&self) -> Option<&str> {
        self.followed.as_ref().map(|followed| &*followed.name)
    }

    /// Follows a route from the page in sight on, or none; to be called with what
    /// was remembered.
    pub fn take_route(&mut self, name: Option<&str>) {
        self.followed = name.map(|name| Followed { name: name.to_owned(), at: 0 });
        self.note_place();
    }

    /// Follows a route from its first step, which is opened.
    ///
    /// Fails when there is no such route, or its first step does not open; what was open
    /// stays open.
    pub fn follow_route(&mut self, name: &str) -> Result<(), EditError> {
        let route = self.set.route(name)?;
        let pages = route.pages(&self.set.lessons);
        let first = *pages.first().ok_or_else(|| {
            let title = format!("the route `{name}` has no steps here");
            Diagnostic::said("MISSING", title)
        })?;
        self.open(first.lesson, first.step)?;
        self.take_route(Some(name));
        Ok(())
    }

    /// The steps of the route that is followed, in order; none without a route.
    pub fn route_pages(&self) -> Vec<RoutePage> {
        let route = self.route();
        route.map_or_else(Vec::new, |route| route.pages(&self.set.lessons))
    }

    /// The steps that lie before and after the page in sight: those of the route
    /// while it is on one, else those of its lesson.
    pub fn way(&self) -> Vec<RoutePage> {
        let pages = self.route_pages();
        if self.place_in(&pages).is_some() {
            return pages;
        }
        let page = |step: usize| RoutePage { lesson: self.lesson, step, minutes: None };
        (0..self.lesson().steps.len()).map(page).collect()
    }

    /// Where among `pages` the page in sight is.
    pub fn place_in(&self, pages: &[RoutePage]) -> Option<usize> {
        let here = (self.lesson, self.document.step);
        let mut pages = pages.iter();
        pages.position(|page| (page.lesson, page.step) == here)
    }

    /// Does turning the page lead along a route?
    pub(super) fn turns_on_route(&self) -> bool {
        !self.route_pages().is_empty()
    }

    /// Where turning the page leads on the route; `None` at its ends.
    pub(super) fn turned_on_route(&self, forward: bool) -> Option<(usize, usize)> {
        let at = self.followed.as_ref()?.at;
        let pages = self.route_pages();
        let there = match self.place_in(&pages) {
            Some(place) if forward => place + 1,
            Some(place) => place.checked_sub(1)?,
            // From beside the route, back to where it was left.
            None => at.min(pages.len().checked_sub(1)?),
        };
        let page = pages.get(there)?;
        Some((page.lesson, page.step))
    }

    /// Another page has come into sight.
    pub(super) fn note_place(&mut self) {
        let place = self.place_in(&self.route_pages());
        if let (Some(followed), Some(place)) = (&mut self.followed, place) {
            followed.at = place;
        }
    }

    /// Is there a page to turn to?
    pub fn can_turn(&self, forward: bool) -> bool {
        self.turned(forward).is_some()
    }

    /// What comes next, in words: `Next: Take it out first`. `None` at the end.
    pub fn next_words(&self) -> Option<String> {
        let (index, step) = self.turned(true)?;
        let lesson = &self.set.lessons[index];
        let title = lesson.steps.get(step).map_or("", |step| &step.title);
        Some(if index == self.lesson {
            format!("Next: {title}")
        } else if self.route().is_some() {
            format!("Next: {title} (lesson {})", lesson.number)
        } else {
            format!("Next lesson: {}", lesson.title)
        })
    }

    /// The minutes planned for what comes next, where they are said.
    pub fn next_minutes(&self) -> Option<u32> {
        let (lesson, step) = self.turned(true)?;
        let pages = self.route_pages();
        let on_route = pages.iter().find(|page| (page.lesson, page.step) == (lesson, step));
        match on_route {
            Some(page) => page.minutes,
            // Of another lesson the words say its title.
            None if lesson != self.lesson => None,
            None => self.lesson().step_notes(step)?.minutes,
        }
    }
}
