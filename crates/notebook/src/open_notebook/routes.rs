//! Routes: following one, along whose steps the way on and back leads, across lessons; and
//! the one whose steps nobody should leave out, the essentials.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{LessonSet, Route, RoutePage};

use super::super::{EditError, PageAddress};
use super::{Followed, Notebook};

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

    /// Where on the route that is followed the page in sight is, from 1, of how many
    /// steps, and the minutes that a class has for it; `None` beside a route.
    pub fn place_on_route(&self) -> Option<(usize, usize, u32)> {
        let route = self.route()?;
        let pages = self.route_pages();
        Some((self.place_in(&pages)? + 1, pages.len(), route.minutes))
    }

    /// The page after or before the open one on the route that is followed, as indices of
    /// lesson and step. Returns `None` at the ends of the route and beside it.
    pub(super) fn turned_on_route(&self, forward: bool) -> Option<(usize, usize)> {
        let pages = self.route_pages();
        let place = self.place_in(&pages)?;
        let there = if forward { place + 1 } else { place.checked_sub(1)? };
        let page = pages.get(there)?;
        Some((page.lesson, page.step))
    }

    /// Whether a route is followed and the open page is one of its steps.
    pub fn is_on_route(&self) -> bool {
        self.place_in(&self.route_pages()).is_some()
    }

    /// From a page beside the route that is followed, the step where it was left, in words
    /// and as an address. Returns `None` on the route, and where none is followed.
    pub fn way_back_to_route(&self) -> Option<(String, PageAddress)> {
        let (followed, route) = (self.followed.as_ref()?, self.route()?);
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
        } else if self.is_on_route() {
            format!("Next: {title} (lesson {})", lesson.number)
        } else {
            format!("Next lesson: {}", lesson.title)
        })
    }

    /// The minutes planned for what comes next, where they are said.
    pub fn next_minutes(&self) -> Option<u32> {
        let (lesson, step) = self.turned(true)?;
        let pages = self.route_pages();
        let next = pages.iter().find(|page| (page.lesson, page.step) == (lesson, step));
        match next.filter(|_| self.is_on_route()) {
            Some(page) => page.minutes,
            // Of another lesson the words say its title.
            None if lesson != self.lesson => None,
            None => self.lesson().step_notes(step)?.minutes,
        }
    }
}

// The steps that nobody should leave out.

/// The name of the route with the steps that nobody should leave out.
pub(crate) const ESSENTIALS: &str = "essentials";

/// Its steps, in order; none where the lessons have no such route.
fn pages(set: &LessonSet) -> Vec<RoutePage> {
    // Asked in every frame: that there is none is no finding.
    let route = set.routes.iter().find(|route| route.name == ESSENTIALS);
    route.map_or_else(Vec::new, |route| route.pages(&set.lessons))
}

impl Notebook {
    /// For each step of the open lesson whether it is essential; `None` where none is.
    pub fn essential_steps(&self) -> Option<Vec<bool>> {
        let open = self.lesson().slug.as_str();
        let mut steps = vec![false; self.lesson().steps.len()];
        for page in pages(&self.set) {
            if self.set.lessons[page.lesson].slug == open {
                steps[page.step] = true;
            }
        }
        steps.contains(&true).then_some(steps)
    }

    /// From an essential step the next of them, in words and as an address; `None` beside
    /// them, at the last, while a route is followed, and where the next page is the one.
    pub fn next_essential(&self) -> Option<(String, PageAddress)> {
        if self.route().is_some() {
            return None;
        }
        let pages = pages(&self.set);
        let next = pages.get(self.place_in(&pages)? + 1)?;
        if self.turned(true) == Some((next.lesson, next.step)) {
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
    use bindpose_asset::builtin;

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
    fn the_way_on_follows_the_route_and_beside_it_the_lesson() {
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
    fn no_page_beside_the_essentials_leads_back_to_their_start() {
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
                assert_eq!(notebook.turned(true), exists.then_some(next));
                let (words, _) = notebook.way_back_to_route().unwrap();
                assert!(words.ends_with(&format!(" of {}", pages.len())), "{words}");
            }
        }
        assert!(count > 100, "{count} pages beside them");
    }

    #[test]
    fn a_link_leads_over_its_route_and_what_is_kept_names_none() {
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
    fn a_page_that_is_opened_at_the_start_may_name_its_route() {
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
    fn a_route_that_is_remembered_and_gone_is_none() {
        let mut notebook = notebook();
        notebook.take_route(Some("other"));
        assert!(notebook.route().is_none() && notebook.turn_page(true));
        assert_eq!(title(&notebook), "Two", "as without one");
        assert_eq!(notebook.route_name(), Some("other"), "it may come again");
        assert!(notebook.follow_route("nothing").is_err());
    }

    #[test]
    fn an_essential_step_leads_to_the_next_of_them_where_the_page_does_not() {
        let set = LessonSet::embedded();
        let route = pages(&set);
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
