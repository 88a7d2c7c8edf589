//! Time that a class has spent at each step and lesson.

use std::collections::BTreeMap;

/// Seconds spent by lesson and step, counted while a class is taught.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonTime {
    used_secs: BTreeMap<(String, usize), f64>,
    /// Current page, and the time since when.
    here: Option<((String, usize), f64)>,
}

impl LessonTime {
    /// Switches to a step. `now_secs` must not decrease.
    pub fn at(&mut self, lesson: &str, step: usize, now_secs: f64) {
        if let Some(((here, at), _)) = &self.here
            && here == lesson
            && *at == step
        {
            return;
        }
        self.stop(now_secs);
        self.here = Some(((lesson.to_owned(), step), now_secs));
    }

    /// Stops counting. Times are kept.
    pub fn stop(&mut self, now_secs: f64) {
        if let Some((page, since)) = self.here.take() {
            *self.used_secs.entry(page).or_default() += (now_secs - since).max(0.0);
        }
    }

    /// Resets all times for the next class.
    pub fn begin_anew(&mut self, now_secs: f64) {
        self.used_secs.clear();
        if let Some((_, since)) = &mut self.here {
            *since = now_secs;
        }
    }

    /// Returns the seconds at each step so far, by lesson and index.
    pub fn used_secs(&self, now_secs: f64) -> impl Iterator<Item = (&(String, usize), f64)> {
        let here = self.here.as_ref().map(|(page, _)| page);
        let unlisted = here.filter(|page| !self.used_secs.contains_key(*page));
        let pages = self.used_secs.keys().chain(unlisted);
        pages.map(move |page| (page, self.step_secs(&page.0, page.1, now_secs)))
    }

    /// Replaces the times by those counted elsewhere until now.
    pub fn know(&mut self, used_secs: BTreeMap<(String, usize), f64>, now_secs: f64) {
        self.used_secs = used_secs;
        if let Some((_, since)) = &mut self.here {
            *since = now_secs;
        }
    }

    /// Seconds at this step so far, over all visits.
    pub fn step_secs(&self, lesson: &str, step: usize, now_secs: f64) -> f64 {
        let page = (lesson.to_owned(), step);
        let before = self.used_secs.get(&page).copied().unwrap_or(0.0);
        before + self.current_secs(|here| *here == page, now_secs)
    }

    /// Seconds at all steps of this lesson so far.
    pub fn lesson_secs(&self, lesson: &str, now_secs: f64) -> f64 {
        let pages = self.used_secs.iter().filter(|((there, _), _)| there == lesson);
        let before: f64 = pages.map(|(_, secs)| secs).sum();
        before + self.current_secs(|(there, _)| there == lesson, now_secs)
    }

    /// Seconds of the current visit, if its page matches.
    fn current_secs(&self, matches: impl Fn(&(String, usize)) -> bool, now_secs: f64) -> f64 {
        let here = self.here.as_ref().filter(|(page, _)| matches(page));
        here.map_or(0.0, |(_, since)| (now_secs - since).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_taken_over() {
        let (mut one, mut other) = (LessonTime::default(), LessonTime::default());
        one.at("a", 0, 0.0);
        one.at("a", 1, 30.0);
        other.at("a", 1, 500.0);
        let used = one.used_secs(40.0);
        let used = used.map(|(page, secs)| (page.clone(), secs)).collect();
        other.know(used, 600.0);
        assert!((other.step_secs("a", 0, 605.0) - 30.0).abs() < 1e-9);
        assert!((other.step_secs("a", 1, 605.0) - 15.0).abs() < 1e-9);
    }

    #[test]
    fn time_adds_up_over_visits() {
        let mut time = LessonTime::default();
        time.at("a", 0, 10.0);
        time.at("a", 0, 20.0);
        assert!((time.step_secs("a", 0, 70.0) - 60.0).abs() < 1e-9);
        time.at("a", 1, 70.0);
        time.at("a", 0, 100.0);
        assert!((time.step_secs("a", 0, 110.0) - 70.0).abs() < 1e-9);
        assert!((time.step_secs("a", 1, 110.0) - 30.0).abs() < 1e-9);
        assert!((time.lesson_secs("a", 110.0) - 100.0).abs() < 1e-9);
        assert!(time.lesson_secs("b", 110.0).abs() < 1e-9);
        time.stop(110.0);
        assert!((time.lesson_secs("a", 500.0) - 100.0).abs() < 1e-9, "a pause");
        time.at("a", 2, 600.0);
        time.begin_anew(610.0);
        assert!((time.lesson_secs("a", 615.0) - 5.0).abs() < 1e-9);
    }
}
