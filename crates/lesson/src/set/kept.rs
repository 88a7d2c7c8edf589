//! A lesson that stays in a set though its file is gone.

use super::LessonSet;
use crate::Lesson;

impl LessonSet {
    /// Takes the lesson over from `old`, a set that was read before: in its order,
    /// in the place of one of the same name.
    pub fn keep(&mut self, old: &Self, slug: &str) {
        let position = |set: &Self| set.lessons.iter().position(|lesson| lesson.slug == slug);
        let Some(from) = position(old) else { return };
        let (lesson, outline) = (old.lessons[from].clone(), old.outlines[from].clone());
        if let Some(instead) = position(self) {
            (self.lessons[instead], self.outlines[instead]) = (lesson, outline);
        } else {
            let at = self.place_for(&lesson, old.course_of[from]);
            self.lessons.insert(at, lesson);
            self.outlines.insert(at, outline);
            self.course_of.insert(at, old.course_of[from]);
        }
        self.kept = Some(slug.to_owned());
    }

    /// Where a lesson goes among those of its course.
    fn place_for(&self, lesson: &Lesson, course: usize) -> usize {
        let before = |other: usize| {
            let there = &self.lessons[other];
            let place = |lesson: &Lesson| (lesson.number, lesson.slug.clone());
            (self.course_of[other], place(there)) < (course, place(lesson))
        };
        (0..self.lessons.len()).take_while(|&other| before(other)).count()
    }

    /// Is the lesson, found by its slug, kept though its file is gone or empty?
    pub fn is_kept(&self, slug: &str) -> bool {
        self.kept.as_deref() == Some(slug)
    }

    /// Has a lesson of this slug steps to show?
    pub fn has_steps(&self, slug: &str) -> bool {
        let mut lessons = self.lessons.iter();
        lessons.any(|lesson| lesson.slug == slug && !lesson.steps.is_empty())
    }
}
