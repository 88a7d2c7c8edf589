//! Terms on routes. The first step of a course that links to a term introduces it, so a route
//! that links to the term needs that step as well.

use std::collections::BTreeMap;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{
    LessonSet, LinkTarget, MentionKind, OutlinePlace, Route, course_of, find_lesson,
};

/// Indices of a lesson and its step.
type StepIndex = (usize, usize);

/// Reports each term that a step of the route links to, if the step that introduces the term
/// is neither that step, nor an earlier one of the route, nor in a lesson that the route needs.
pub(super) fn check_route_terms(set: &LessonSet, route: &Route) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut known_lessons = Vec::new();
    for need in &route.needs {
        match find_lesson(&set.lessons, need) {
            Ok(lesson) => known_lessons.push(lesson),
            Err(unknown) => findings.push(unknown.at(route.at.clone())),
        }
    }
    let course = match route.pages(&set.lessons).first() {
        Some(page) => course_of(&set.lessons[page.lesson].slug),
        None => return findings,
    };
    let introductions = find_introductions(set, course);
    let mut earlier_steps: Vec<StepIndex> = Vec::new();
    for stop in &route.stops {
        for page in stop.pages(&set.lessons).unwrap_or_default() {
            let lesson = &set.lessons[page.lesson];
            earlier_steps.push((page.lesson, page.step));
            for term in linked_terms(set, page.lesson, page.step) {
                let Some(introduction) = introductions.get(term) else { continue };
                if known_lessons.contains(&introduction.0) || earlier_steps.contains(introduction) {
                    continue;
                }
                let introducing_lesson = &set.lessons[introduction.0];
                let introducing_step = &introducing_lesson.steps[introduction.1];
                let title = format!(
                    "on the route `{}`, `{}` links to the term `{term}` before any step introduces it",
                    route.name, lesson.steps[page.step].title
                );
                let help = format!(
                    "put `{0}/{1}` before it, or write needs = [\"{0}\"] if the class knows that lesson",
                    introducing_lesson.slug, introducing_step.slug
                );
                let finding = Diagnostic::said("MISSING", title).help(help);
                findings.push(finding.at(stop.at.clone()));
            }
        }
    }
    findings
}

/// Maps each term to the first step of a course that links to it.
fn find_introductions<'a>(set: &'a LessonSet, course: &str) -> BTreeMap<&'a str, StepIndex> {
    let mut introductions = BTreeMap::new();
    for (lesson_index, lesson) in set.lessons.iter().enumerate() {
        if course_of(&lesson.slug) != course {
            continue;
        }
        for step_index in 0..lesson.steps.len() {
            for term in linked_terms(set, lesson_index, step_index) {
                introductions.entry(term).or_insert((lesson_index, step_index));
            }
        }
    }
    introductions
}

/// Terms that a step links to. The introduction of a lesson counts as part of its first step.
fn linked_terms(set: &LessonSet, lesson: usize, step: usize) -> Vec<&str> {
    let mut terms = Vec::new();
    let Some((_, outline)) = set.outlined().nth(lesson) else { return terms };
    for mention in &outline.mentions {
        let is_on_step = mention.place == OutlinePlace::Step(step)
            || (step == 0 && mention.place == OutlinePlace::Intro);
        if !is_on_step {
            continue;
        }
        if let MentionKind::Link { target: LinkTarget::Term(term), .. } = &mention.what
            && !terms.contains(&term.as_str())
        {
            terms.push(term.as_str());
        }
    }
    terms
}
