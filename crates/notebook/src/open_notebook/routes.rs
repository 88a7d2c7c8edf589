//! Routes through lessons: following one, and the route of essential steps.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{LessonSet, Route, RoutePage};

use super::super::{EditError, PageAddress};
use super::{Followed, Notebook};

impl Notebook {
    /// Returns the followed route. Returns `None` if there is none, or the
    /// lessons have no route of that name.
    pub fn route(&self) -> Option<&Route> {
        let followed = self.followed.as_ref()?;
        self.set.route(&followed.name).ok()
    }

    /// Returns the name of the followed route, for storage.
    pub fn route_name(&self) -> Option<&str> {
        self.followed.as_ref().map(|followed| &*followed.name)
    }

    /// Follows a route from the open page, or none. Also restores a stored
    /// route.
    pub fn take_route(&mut self, name: Option<&str>) {
        self.followed = name.map(|name| Followed { name: name.to_owned(), at: 0 });
        self.update_route_position();
    }

    /// Follows a route from its first step, which is opened.
    ///
    /// # Errors
    ///
    /// Fails if there is no such route, or its first step cannot be opened. The
    /// open page then stays open.
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

    /// Returns the steps of the followed route in order. Empty without a route.
    pub fn route_pages(&self) -> Vec<RoutePage> {
        match self.route() {
            Some(route) => route.pages(&self.set.lessons),
            None => Vec::new(),
        }
    }

    /// Returns the sequence of steps that contains the open page: those of the
    /// route, or otherwise those of its lesson.
    pub fn way(&self) -> Vec<RoutePage> {
        let pages = self.route_pages();
        if self.place_in(&pages).is_some() {
            return pages;
        }
        (0..self.lesson().steps.len())
            .map(|step| RoutePage { lesson: self.lesson, step, minutes: None })
            .collect()
    }

    /// Returns the index of the open page in `pages`.
    pub fn place_in(&self, pages: &[RoutePage]) -> Option<usize> {
        pages.iter().position(|page| page.lesson == self.lesson && page.step == self.document.step)
    }

    /// Returns the 1-based position of the open page on the route, the number
    /// of steps, and the minutes for the route in a class. Returns `None` if
    /// the page is not on a route.
    pub fn place_on_route(&self) -> Option<(usize, usize, u32)> {
        let route = self.route()?;
        let pages = self.route_pages();
        Some((self.place_in(&pages)? + 1, pages.len(), route.minutes))
    }

    /// Returns the introduction of the route if its first step is open. Empty
    /// otherwise.
    pub fn route_intro(&self) -> &str {
        let route = self.route().filter(|_| self.place_in(&self.route_pages()) == Some(0));
        route.map_or("", |route| &route.intro)
    }

    /// Returns the indices of lesson and step of the next or previous page on
    /// the route. Returns `None` at its ends and if the page is not on it.
    pub(super) fn neighbour_on_route(&self, forward: bool) -> Option<(usize, usize)> {
        let pages = self.route_pages();
        let place = self.place_in(&pages)?;
        let neighbour = if forward { place + 1 } else { place.checked_sub(1)? };
        let page = pages.get(neighbour)?;
        Some((page.lesson, page.step))
    }

    /// Returns true if the open page is part of the followed route.
    pub fn is_on_route(&self) -> bool {
        self.place_in(&self.route_pages()).is_some()
    }

    /// Returns a label and the address of the step at which the route was left.
    /// Returns `None` on the route and without one.
    pub fn way_back_to_route(&self) -> Option<(String, PageAddress)> {
        let followed = self.followed.as_ref()?;
        let route = self.route()?;
        let pages = self.route_pages();
        if self.place_in(&pages).is_some() {
            return None;
        }
        let index = followed.at.min(pages.len().checked_sub(1)?);
        let title = if route.name == ESSENTIALS { "the essentials" } else { "the route" };
        let words = format!("Back to {title}, {} of {}", index + 1, pages.len());
        let lesson = &self.set.lessons[pages[index].lesson];
        let step = &lesson.steps[pages[index].step];
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    }

    /// Stores the position on the route after another page was opened.
    pub(super) fn update_route_position(&mut self) {
        let place = self.place_in(&self.route_pages());
        if let (Some(followed), Some(place)) = (&mut self.followed, place) {
            followed.at = place;
        }
    }

    /// Returns true if there is a next or previous page.
    pub fn can_turn(&self, forward: bool) -> bool {
        self.neighbour_page(forward).is_some()
    }

    /// Describes the next page, for example `Next: Take it out first`. Returns
    /// `None` at the end.
    pub fn next_words(&self) -> Option<String> {
        let (index, step) = self.neighbour_page(true)?;
        let lesson = &self.set.lessons[index];
        let title = lesson.steps.get(step).map_or("", |step| &step.title);
        Some(if index == self.lesson {
            format!("Next: {title}")
        } else if self.is_on_route() {
            format!("Next: {title} (lesson {})", lesson.number)
        } else {
            format!("Next lesson: {}", lesson.title)
        })
    }

    /// Returns the minutes planned for the next page, if any.
    pub fn next_minutes(&self) -> Option<u32> {
        let (lesson, step) = self.neighbour_page(true)?;
        let pages = self.route_pages();
        let next = pages.iter().find(|page| page.lesson == lesson && page.step == step);
        match next.filter(|_| self.is_on_route()) {
            Some(page) => page.minutes,
            // For another lesson, the label shows the lesson's title instead.
            None if lesson != self.lesson => None,
            None => self.lesson().step_notes(step)?.minutes,
        }
    }
}

// The essential steps.

/// Name of the route through the essential steps.
pub(crate) const ESSENTIALS: &str = "essentials";

/// Returns the essential steps in order. Empty if the lessons have no such route.
fn essential_pages(set: &LessonSet) -> Vec<RoutePage> {
    match set.routes.iter().find(|route| route.name == ESSENTIALS) {
        Some(route) => route.pages(&set.lessons),
        None => Vec::new(),
    }
}

impl Notebook {
    /// Returns whether each step of the open lesson is essential. Returns
    /// `None` if none is.
    pub fn essential_steps(&self) -> Option<Vec<bool>> {
        let open = self.lesson().slug.as_str();
        let mut steps = vec![false; self.lesson().steps.len()];
        for page in essential_pages(&self.set) {
            if self.set.lessons[page.lesson].slug == open {
                steps[page.step] = true;
            }
        }
        steps.contains(&true).then_some(steps)
    }

    /// Returns a label and the address of the next essential step. Returns
    /// `None` if the open step is not essential or is the last one, while a
    /// route is followed, and if the next page is the one.
    pub fn next_essential(&self) -> Option<(String, PageAddress)> {
        if self.route().is_some() {
            return None;
        }
        let pages = essential_pages(&self.set);
        let next = pages.get(self.place_in(&pages)? + 1)?;
        if self.neighbour_page(true) == Some((next.lesson, next.step)) {
            return None;
        }
        let lesson = &self.set.lessons[next.lesson];
        let step = &lesson.steps[next.step];
        let words = format!("The essentials go on with {} · {}", lesson.number, step.title);
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::{KeptPage, Navigation};

    const FIRST: &str = "+++\ntitle = \"First\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n\n## Three\n\nWords.\n";
    const SECOND: &str = "+++\ntitle = \"Second\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
        ## Four\n\nWords.\n";
    const ROUTES: &str = "[[route]]\nname = \"back\"\ntitle = \"Back\"\nminutes = 9\n\
        steps = [\"second\", { step = \"first/three\", minutes = 4 }, \"first/one\", \"gone\"]\n";

    fn notebook() -> Notebook {
        let lessons = [("10-first", FIRST, ""), ("20-second", SECOND, "")];
        let mut set = LessonSet::from_memory(&lessons, "");
        set.add_routes_text("routes.toml", ROUTES);
        Notebook::new(set, builtin).unwrap()
    }

    fn title(notebook: &Notebook) -> &str {
        &notebook.step().unwrap().title
    }

    fn go(notebook: &mut Notebook, lesson: &str, step: &str) {
        notebook.go(&PageAddress::step(lesson, step)).unwrap();
    }

    #[test]
    fn next_page_follows_the_route_or_the_lesson() {
        let mut notebook = notebook();
        let follow = Navigation::Follow("back".to_owned());
        notebook.navigate(&follow).unwrap();
        assert_eq!(title(&notebook), "Four");
        assert!(!notebook.can_turn(false));
        let next = notebook.next_words();
        assert_eq!(next.as_deref(), Some("Next: Three (lesson 10)"));
        assert_eq!(notebook.next_minutes(), Some(4));
        assert!(!notebook.leads_on(), "no step to carry values to");
        assert!(notebook.turn_page(true));
        assert_eq!(title(&notebook), "Three");

        assert_eq!(notebook.way_back_to_route(), None, "it is on the route");
        go(&mut notebook, "first", "two");
        assert_eq!(notebook.way().len(), 3, "beside the route: the lesson");
        let (words, left) = notebook.way_back_to_route().unwrap();
        assert_eq!(words, "Back to the route, 2 of 3", "what is not there is not counted");
        assert_eq!(left, PageAddress::step("first", "three"));
        assert_eq!(notebook.next_words().as_deref(), Some("Next: Three"));
        assert!(notebook.turn_page(false), "back in the lesson, not on the route");
        assert_eq!(title(&notebook), "One");
        go(&mut notebook, "first", "two");
        assert!(notebook.turn_page(true));
        assert_eq!(title(&notebook), "Three", "on the route again");
        assert_eq!(notebook.way().len(), 3, "what is not there is left out");
        assert!(notebook.turn_page(true));
        assert_eq!(title(&notebook), "One");
        assert_eq!((notebook.turn_page(true), notebook.next_words()), (false, None));

        notebook.navigate(&Navigation::LeaveRoute).unwrap();
        assert!(notebook.turn_page(true));
        assert_eq!(title(&notebook), "Two");
    }

    #[test]
    fn way_back_leads_to_where_the_route_was_left() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.follow_route(ESSENTIALS).unwrap();
        let pages = notebook.route_pages();
        let mut count = 0;
        for lesson in 0..notebook.set.lessons.len() {
            for step in 0..notebook.set.lessons[lesson].steps.len() {
                notebook.open(lesson, step).unwrap();
                if notebook.is_on_route() {
                    assert_eq!(notebook.way_back_to_route(), None);
                    continue;
                }
                count += 1;
                let last = step + 1 == notebook.set.lessons[lesson].steps.len();
                let next = if last { (lesson + 1, 0) } else { (lesson, step + 1) };
                let exists = next.0 < notebook.set.lessons.len();
                assert_eq!(notebook.neighbour_page(true), exists.then_some(next));
                let (words, _) = notebook.way_back_to_route().unwrap();
                assert!(words.ends_with(&format!(" of {}", pages.len())), "{words}");
            }
        }
        assert!(count > 100, "{count} pages beside them");
    }

    #[test]
    fn links_contain_the_route_and_kept_pages_do_not() {
        let mut notebook = notebook();
        notebook.follow_route("back").unwrap();
        notebook.turn_page(true);
        let link = notebook.link();
        assert_eq!(link, "bindpose://first/three?route=back");
        assert_eq!(notebook.kept_page().link, "bindpose://first/three");

        let mut other = self::notebook();
        assert_eq!(other.follow(&link, 1), Ok(None));
        assert_eq!((title(&other), other.route_name()), ("Three", Some("back")));
        let told = other.follow("bindpose://first?route=bock", 2).unwrap();
        assert!(told.unwrap().contains("`back`"), "the nearest name");
        go(&mut other, "first", "two");
        assert_eq!(other.link(), "bindpose://first/two", "not on the route");
    }

    #[test]
    fn reopened_page_may_name_its_route() {
        let mut notebook = notebook();
        let page = KeptPage {
            link: "bindpose://first/three?route=back".to_owned(),
            ..KeptPage::default()
        };
        notebook.reopen(&page, 1).unwrap();
        assert_eq!(title(&notebook), "Three");
        assert_eq!(notebook.route_name(), Some("back"));
        assert!(notebook.turn_page(true));
        assert_eq!(title(&notebook), "One");
    }

    #[test]
    fn stored_route_may_be_missing() {
        let mut notebook = notebook();
        notebook.take_route(Some("other"));
        assert!(notebook.route().is_none() && notebook.turn_page(true));
        assert_eq!(title(&notebook), "Two", "as without one");
        assert_eq!(notebook.route_name(), Some("other"), "it may come again");
        assert!(notebook.follow_route("nothing").is_err());
    }

    #[test]
    fn essential_step_links_to_next_essential() {
        let set = LessonSet::embedded();
        let route = essential_pages(&set);
        let mut notebook = Notebook::new(set, builtin).unwrap();
        let mut told = 0;
        for pair in route.windows(2) {
            let (lesson, step) = (pair[0].lesson, pair[0].step);
            let there = &notebook.set.lessons[lesson];
            let there = PageAddress::step(&there.slug, &there.steps[step].slug);
            notebook.go(&there).unwrap();
            assert!(notebook.essential_steps().unwrap()[pair[0].step]);
            let follows = (pair[1].lesson, pair[1].step) == (pair[0].lesson, pair[0].step + 1);
            let next = notebook.next_essential();
            if let Some((_, address)) = &next {
                let lesson = &notebook.set.lessons[pair[1].lesson];
                let wanted = PageAddress::step(&lesson.slug, &lesson.steps[pair[1].step].slug);
                assert_eq!(*address, wanted);
                told += 1;
            } else {
                assert!(follows || pair[1].step == 0, "only where the page turns to it");
            }
        }
        assert!(told > 3, "{told}");
        notebook.follow_route(ESSENTIALS).unwrap();
        assert_eq!(notebook.next_essential(), None);
    }
}
