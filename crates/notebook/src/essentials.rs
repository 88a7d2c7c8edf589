//! The steps that nobody should leave out: those of one route.

use bindpose_lesson::{LessonSet, RoutePage};

use crate::{Notebook, PageAddress};

/// The name of the route.
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
    use super::*;

    #[test]
    fn an_essential_step_leads_to_the_next_of_them_where_the_page_does_not() {
        let set = LessonSet::embedded();
        let route = pages(&set);
        let mut notebook = Notebook::new(set, bindpose_asset::builtin).unwrap();
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
