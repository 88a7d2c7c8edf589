//! Merges courses: one list of lessons, one glossary, one list of routes.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};

use super::read_course::LoadedCourse;
use super::{ExternalRoutes, LessonSet};
use crate::course::BuiltInLessons;
use crate::routes::Route;
use crate::{Lesson, SymbolTable, Term, find_lesson};

impl LessonSet {
    /// Merges the courses, adding the built-in lessons if any of them requests it.
    pub(super) fn with_built_in(courses: Vec<Arc<LoadedCourse>>) -> Self {
        let has_built_in = courses.iter().any(|course| course.is_built_in());
        let before = !has_built_in
            && courses.iter().any(|course| course.about.built_in == BuiltInLessons::Before);
        let after = !has_built_in
            && courses.iter().any(|course| course.about.built_in == BuiltInLessons::After);
        let mut all = Vec::new();
        if before {
            all.push(LoadedCourse::in_program());
        }
        all.extend(courses);
        if after && !before {
            all.push(LoadedCourse::in_program());
        }
        Self::assembled(all)
    }

    pub(super) fn assembled(courses: Vec<Arc<LoadedCourse>>) -> Self {
        let mut set = Self::default();
        for (index, course) in courses.iter().enumerate() {
            for (lesson, outline) in course.lessons.iter().zip(&course.outlines) {
                set.lessons.push(lesson_in_set(lesson, course, index));
                set.outlines.push(outline.clone());
                set.course_of.push(index);
            }
            for term in &course.glossary.terms {
                set.add_term(term);
            }
            let routes: Vec<Route> =
                course.routes.iter().map(|route| route_in_set(route, course)).collect();
            set.add_routes(&routes);
            set.findings
                .extend(course.findings.iter().map(|finding| finding_in_set(finding, course)));
        }
        let tables = courses.iter().map(|course| SymbolTable::from_terms(&course.glossary.terms));
        set.symbols = SymbolTable::joined(tables);
        set.courses = courses;
        set
    }

    pub(super) fn set_external_routes(&mut self, external: ExternalRoutes) {
        self.add_routes(&external.routes);
        self.external_routes = Some(external);
    }

    /// Adds routes. One with the name of an existing route replaces it.
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

/// Copies a lesson for the set, prefixing its slug and the ids of its files with the course.
fn lesson_in_set(lesson: &Lesson, course: &LoadedCourse, index: usize) -> Lesson {
    let mut lesson = lesson.clone();
    lesson.slug = course.about.slug_of(&lesson.slug);
    let folder = lesson.folder.clone();
    for id in lesson.file_ids_mut() {
        *id = format!("{}/{folder}/{id}", course.key(index));
    }
    lesson
}

/// Copies a route for the set. Its stops and needs name the lessons of its own course first.
fn route_in_set(route: &Route, course: &LoadedCourse) -> Route {
    let mut route = route.clone();
    prefix_place(&mut route.at, course);
    for stop in &mut route.stops {
        prefix_place(&mut stop.at, course);
        let (lesson, step) = match stop.target.split_once('/') {
            Some((lesson, step)) => (lesson, format!("/{step}")),
            None => (stop.target.as_str(), String::new()),
        };
        if let Ok(index) = find_lesson(&course.lessons, lesson) {
            let slug = course.about.slug_of(&course.lessons[index].slug);
            stop.target = format!("{slug}{step}");
        }
    }
    for need in &mut route.needs {
        if let Ok(index) = find_lesson(&course.lessons, need) {
            *need = course.about.slug_of(&course.lessons[index].slug);
        }
    }
    route
}

/// Copies a finding for the set, with the path of its file among all courses.
fn finding_in_set(finding: &Diagnostic, course: &LoadedCourse) -> Diagnostic {
    let mut finding = finding.clone();
    prefix_place(&mut finding.at, course);
    finding
}

fn prefix_place(place: &mut Place, course: &LoadedCourse) {
    if let Place::Text { file, .. } = place {
        *file = course.file_name(file);
    }
}

// Lessons that are kept although their file is gone.

impl LessonSet {
    /// Keeps a lesson of the set `old`, replacing one of the same slug or inserting it in
    /// order.
    pub fn keep(&mut self, old: &Self, slug: &str) {
        let Some(from) = old.position_of(slug) else { return };
        let lesson = old.lessons[from].clone();
        let outline = old.outlines[from].clone();
        if let Some(at) = self.position_of(slug) {
            self.lessons[at] = lesson;
            self.outlines[at] = outline;
        } else {
            let at = self.insertion_index(&lesson, old.course_of[from]);
            self.lessons.insert(at, lesson);
            self.outlines.insert(at, outline);
            self.course_of.insert(at, old.course_of[from]);
        }
        self.kept = Some(slug.to_owned());
    }

    fn position_of(&self, slug: &str) -> Option<usize> {
        self.lessons.iter().position(|lesson| lesson.slug == slug)
    }

    /// Index at which a lesson belongs in the order of its course.
    fn insertion_index(&self, lesson: &Lesson, course: usize) -> usize {
        let key = (course, lesson.number, lesson.slug.as_str());
        self.lessons
            .iter()
            .zip(&self.course_of)
            .take_while(|(other, course)| (**course, other.number, other.slug.as_str()) < key)
            .count()
    }

    /// Whether the lesson with this slug is kept although its file is gone or empty.
    pub fn is_kept(&self, slug: &str) -> bool {
        self.kept.as_deref() == Some(slug)
    }

    /// Whether the lesson with this slug has any steps.
    pub fn has_steps(&self, slug: &str) -> bool {
        let mut lessons = self.lessons.iter();
        lessons.any(|lesson| lesson.slug == slug && !lesson.steps.is_empty())
    }
}
