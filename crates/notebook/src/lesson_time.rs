//! How long a class has been at a step and at a lesson.

use std::collections::BTreeMap;

/// Seconds spent, by lesson and step. Counts while somebody is teaching.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonTime {
    used_secs: BTreeMap<(String, usize), f64>,
    /// Where the class is, and since when.
    here: Option<((String, usize), f64)>,
}

impl LessonTime {
    /// The class is at this step now; `now_secs` never runs back.
    pub fn at(&mut self, lesson: &str, step: usize, now_secs: f64) {
        let is_here = |((there, at), _): &((String, usize), f64)| there == lesson && *at == step;
        if self.here.as_ref().is_some_and(is_here) {
            return;
        }
        self.stop(now_secs);
        self.here = Some(((lesson.to_owned(), step), now_secs));
    }

    /// Nobody is teaching any more; what was used stays.
    pub fn stop(&mut self, now_secs: f64) {
        if let Some((page, since)) = self.here.take() {
            *self.used_secs.entry(page).or_default() += (now_secs - since).max(0.0);
        }
    }

    /// The next class begins.
    pub fn begin_anew(&mut self, now_secs: f64) {
        self.used_secs.clear();
        if let Some((_, since)) = &mut self.here {
            *since = now_secs;
        }
    }

    /// Seconds at each step so far, by lesson and number from 0.
    pub fn used_secs(&self, now_secs: f64) -> impl Iterator<Item = (&(String, usize), f64)> {
        let here = self.here.as_ref().map(|(page, _)| page);
        let unlisted = here.filter(|page| !self.used_secs.contains_key(*page));
        let pages = self.used_secs.keys().chain(unlisted);
        pages.map(move |page| (page, self.step_secs(&page.0, page.1, now_secs)))
    }

    /// Takes over what somebody else has counted until now.
    pub fn know(&mut self, used_secs: BTreeMap<(String, usize), f64>, now_secs: f64) {
        self.used_secs = used_secs;
        if let Some((_, since)) = &mut self.here {
            *since = now_secs;
        }
    }

    /// Seconds at this step so far, each time together.
    pub fn step_secs(&self, lesson: &str, step: usize, now_secs: f64) -> f64 {
        let page = (lesson.to_owned(), step);
        let before = self.used_secs.get(&page).copied().unwrap_or(0.0);
        before + self.since(|here| *here == page, now_secs)
    }

    /// Seconds at all steps of this lesson so far.
    pub fn lesson_secs(&self, lesson: &str, now_secs: f64) -> f64 {
        let pages = self.used_secs.iter().filter(|((there, _), _)| there == lesson);
        let before: f64 = pages.map(|(_, secs)| secs).sum();
        before + self.since(|(there, _)| there == lesson, now_secs)
    }

    fn since(&self, is_meant: impl Fn(&(String, usize)) -> bool, now_secs: f64) -> f64 {
        let here = self.here.as_ref().filter(|(page, _)| is_meant(page));
        here.map_or(0.0, |(_, since)| (now_secs - since).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_has_counted_another_counts_on() {
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
    fn time_is_counted_where_the_class_is_and_adds_up_over_returns() {
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
