//! Courses side by side: one list of lessons, one glossary, one list of routes.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};

use super::read_course::ReadCourse;
use super::{LessonSet, Outside};
use crate::course::BuiltInLessons;
use crate::routes::Route;
use crate::{Lesson, SymbolTable, Term, find_lesson};

impl LessonSet {
    /// These courses, and the built-in lessons where one of them asks for them.
    pub(super) fn with_built_in(courses: Vec<Arc<ReadCourse>>) -> Self {
        let has = courses.iter().any(|course| course.is_built_in());
        let asks = |place| {
            let mut courses = courses.iter();
            !has && courses.any(|course| course.about.built_in == place)
        };
        let mut all = Vec::new();
        let (before, after) = (asks(BuiltInLessons::Before), asks(BuiltInLessons::After));
        if before {
            all.push(ReadCourse::in_program());
        }
        all.extend(courses);
        if after && !before {
            all.push(ReadCourse::in_program());
        }
        Self::assembled(all)
    }

    pub(super) fn assembled(courses: Vec<Arc<ReadCourse>>) -> Self {
        let mut set = Self::default();
        for (index, course) in courses.iter().enumerate() {
            for (lesson, outline) in course.lessons.iter().zip(&course.outlines) {
                set.lessons.push(placed(lesson, course, index));
                set.outlines.push(outline.clone());
                set.course_of.push(index);
            }
            for term in &course.glossary.terms {
                set.add_term(term);
            }
            let routes: Vec<Route> =
                course.routes.iter().map(|route| of_course(route, course)).collect();
            set.add_routes(&routes);
            set.findings.extend(course.findings.iter().map(|wrong| rooted(wrong, course)));
        }
        let tables = courses.iter().map(|course| SymbolTable::from_terms(&course.glossary.terms));
        set.symbols = SymbolTable::joined(tables);
        set.courses = courses;
        set
    }

    pub(super) fn take_outside(&mut self, outside: Outside) {
        self.add_routes(&outside.routes);
        self.outside = Some(outside);
    }

    /// A route whose name is taken takes the place of the other.
    fn add_routes(&mut self, routes: &[Route]) {
        for route in routes {
            match self.routes.iter_mut().find(|one| one.name == route.name) {
                Some(same) => *same = route.clone(),
                None => self.routes.push(route.clone()),
            }
        }
    }

    fn add_term(&mut self, term: &Term) {
        match self.glossary.iter_mut().find(|one| one.slug == term.slug) {
            Some(same) => *same = term.clone(),
            None => self.glossary.push(term.clone()),
        }
    }
}

/// A lesson of a course as it stands among those of others: its slug and the ids of
/// its files say which course it is of.
fn placed(lesson: &Lesson, course: &ReadCourse, index: usize) -> Lesson {
    let mut lesson = lesson.clone();
    lesson.slug = course.about.slug_of(&lesson.slug);
    let folder = lesson.folder.clone();
    for id in lesson.file_ids_mut() {
        *id = format!("{}/{folder}/{id}", course.key(index));
    }
    lesson
}

/// A route of a course as it stands among those of others: its lessons first.
fn of_course(route: &Route, course: &ReadCourse) -> Route {
    let mut route = route.clone();
    rooted_place(&mut route.at, course);
    for stop in &mut route.stops {
        rooted_place(&mut stop.at, course);
        let (lesson, step) = match stop.target.split_once('/') {
            Some((lesson, step)) => (lesson, format!("/{step}")),
            None => (stop.target.as_str(), String::new()),
        };
        if let Ok(index) = find_lesson(&course.lessons, lesson) {
            let slug = course.about.slug_of(&course.lessons[index].slug);
            stop.target = format!("{slug}{step}");
        }
    }
    route
}

/// With the name that its file has beside those of other courses.
fn rooted(wrong: &Diagnostic, course: &ReadCourse) -> Diagnostic {
    let mut wrong = wrong.clone();
    rooted_place(&mut wrong.at, course);
    wrong
}

fn rooted_place(place: &mut Place, course: &ReadCourse) {
    if let Place::Text { file, .. } = place {
        *file = course.file_name(file);
    }
}

// A lesson that stays in a set though its file is gone.

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
