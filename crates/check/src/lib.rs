//! Content check of lessons: every name must exist, and every number in the prose must be the
//! number that the notebook shows there.

#![forbid(unsafe_code)]

mod answers;
mod carried;
mod checker;
mod claims;
mod exercises;
mod formulas;
mod mentions;
mod prose;
mod reach;
mod route_terms;
mod shelf;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within, counted};
use bindpose_gltf::Rig;
use bindpose_lesson::{
    LessonBlock, LessonSet, LessonStep, LinkTarget, MentionKind, OutlinePlace, Route, RoutePage,
    course_of,
};
use bindpose_notebook::{OWN_RIG, lesson_rig};

use checker::Checker;
use formulas::{GLOSSARY, START, own_glossary};

/// Checks every lesson of `set` that is not built in, and the built-in lessons if there
/// are no others. Returns the findings made while the lessons were parsed, and a finding
/// for each name, formula and number that does not hold.
///
/// `rig` looks up a built-in rig by its name. A lesson for the reader's own model is
/// checked on the rig that the program shows until a model is opened. File names start
/// with the folder of their course. The findings of a lesson are sorted by place.
pub fn check_lessons(set: &LessonSet, rig: &dyn Fn(&str) -> Option<Arc<Rig>>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut rigs: BTreeMap<&str, Option<Arc<Rig>>> = BTreeMap::new();
    let outlined: Vec<_> = set.outlined().collect();
    for index in set.own_lessons() {
        let (lesson, outline) = outlined[index];
        let mut step_rigs = Vec::new();
        for step in 0..lesson.steps.len().max(1) {
            let id = lesson.rig_at(step);
            let step_rig = rigs.entry(id).or_insert_with(|| lesson_rig(set, id, rig));
            step_rigs.push(step_rig.clone());
        }
        let mut checker = Checker {
            set,
            lesson,
            outline,
            place: OutlinePlace::Intro,
            known_rig: None,
            drive_fails: false,
            step_rigs,
            stage_step: 0,
            own_model: lesson.rig == OWN_RIG,
            builtin_rig: rig,
            states: (0..lesson.steps.len().max(1)).map(|_| OnceCell::new()).collect(),
            changes: (0..lesson.steps.len().max(1)).map(|_| OnceCell::new()).collect(),
            findings: Vec::new(),
            page_change: None,
        };
        checker.check_all();
        let mut found = checker.findings;
        for finding in &mut found {
            finding.at = outline.parts.written_at(std::mem::take(&mut finding.at));
        }
        found.extend(lesson.findings.iter().cloned());
        found.sort_by_cached_key(|finding| finding.at.clone());
        for finding in &mut found {
            if let Within::Text { file, .. } = &mut finding.at {
                *file = set.file_name(index, file);
            }
        }
        findings.append(&mut found);
    }
    // Findings of single lessons keep the order of the lessons. The others follow them.
    let lesson_finding_count = findings.len();
    findings.extend(set.findings.iter().cloned());
    findings.extend(set.outside_findings().cloned());
    if !set.is_alone() {
        findings.extend(glossary_findings(set));
        findings.extend(route_findings(set));
    }
    findings[lesson_finding_count..].sort_by_cached_key(|finding| finding.at.clone());
    findings
}

impl Checker<'_> {
    fn check_all(&mut self) {
        for mention in &self.outline.mentions {
            self.enter_place(mention.place);
            self.check_mention(mention);
            self.check_on_other_rigs(mention);
        }
        if self.outline.incomplete {
            // The finding that explains why is enough.
            return;
        }
        self.check_whole_lesson();
        self.check_inventory();
        for (index, step) in self.lesson.steps.iter().enumerate() {
            let at = self.outline.steps.get(index).copied().unwrap_or(START);
            self.enter_place(OutlinePlace::Step(index));
            self.check_step_rig(index, at);
            self.check_former_slugs(step, at);
            self.check_prose(index, step, at);
            self.check_carried_exercises(index);
            self.check_single_question(index, at);
            self.check_shelf(index, at);
            self.check_faults(index, at);
            if !has_prose(step) {
                let title = format!("the step `{}` has no prose", step.title);
                let wrong = Diagnostic::said("MISSING", title);
                self.error(at, wrong.help("write at least one paragraph below its heading"));
            }
        }
    }

    /// Reports a former slug in `was` that is the slug of an existing step.
    fn check_former_slugs(&mut self, step: &LessonStep, at: LineColumn) {
        for was in &step.was {
            let (lesson, old) = was.split_once('/').unwrap_or_default();
            let mut lessons = self.set.lessons.iter().filter(|one| one.slug == lesson);
            if lessons.any(|lesson| lesson.steps.iter().any(|step| step.slug == old)) {
                let title = format!("`{was}` is the name of a step that there is");
                let wrong = Diagnostic::said("NAME_TAKEN", title);
                self.error(at, wrong.help("write in `was` what the step was called before"));
            }
        }
    }

    fn check_whole_lesson(&mut self) {
        self.place = OutlinePlace::Intro;
        if !self.lesson.cells().any(|cell| cell.kind.draws_scene()) {
            let help = "add a fenced block ```viewport main before the first ## heading";
            let wrong = Diagnostic::said("MISSING", "the lesson has no viewport");
            self.error(START, wrong.help(help));
        }
        let notes_wrong = self.lesson.findings.iter().any(|finding| {
            matches!(&finding.at, Within::Text { file, .. } if file.ends_with("/notes.md"))
        });
        if self.lesson.notes.is_empty() && !notes_wrong {
            let help = "write minutes, questions to ask and what to watch for in notes.md";
            let wrong = Diagnostic::said("MISSING", "the lesson has no notes for the teacher");
            self.place = OutlinePlace::Notes;
            self.error(START, wrong.help(help));
            self.place = OutlinePlace::Intro;
        }
        let other = self.set.lessons.iter().find(|other| {
            !std::ptr::eq(*other, self.lesson)
                && course_of(&other.slug) == course_of(&self.lesson.slug)
                && (other.slug == self.lesson.slug || other.number == self.lesson.number)
        });
        if let Some(other) = other {
            let title = format!("number or slug is also that of `{}`", other.folder);
            let wrong = Diagnostic::said("NAME_TAKEN", title);
            self.error(START, wrong.help("give every lesson a number and a slug of its own"));
        }
    }
}

fn has_prose(step: &LessonStep) -> bool {
    step.blocks.iter().any(|block| {
        matches!(
            block,
            LessonBlock::Paragraph(_)
                | LessonBlock::List { .. }
                | LessonBlock::Quote(_)
                | LessonBlock::Table { .. }
        )
    })
}

/// Returns one finding for all links to terms if the lessons link to terms, no term is
/// explained, and no finding on the glossary explains why.
fn missing_glossary(set: &LessonSet) -> Option<Diagnostic> {
    if !set.glossary.is_empty() || set.is_glossary_incomplete() {
        return None;
    }
    let link_count = set
        .outlined()
        .flat_map(|(_, outline)| &outline.mentions)
        .filter(|mention| {
            matches!(mention.what, MentionKind::Link { target: LinkTarget::Term(_), .. })
        })
        .count();
    let has_glossary_finding = set.findings.iter().any(
        |finding| matches!(&finding.at, Within::Text { file, .. } if file.ends_with(GLOSSARY)),
    );
    (link_count > 0 && !has_glossary_finding).then(|| {
        let leads = counted(link_count, "link");
        Diagnostic::said("MISSING", format!("no glossary explains the terms of {leads}"))
            .help("write glossary.md: a heading ## for each term, and below it what it means")
            .at(Within::text(own_glossary(set), START))
    })
}

/// Checks the links and formulas of the glossary, which has no rig.
fn glossary_findings(set: &LessonSet) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = missing_glossary(set).into_iter().collect();
    for (file, mention) in set.own_glossary_mentions() {
        if let Some((at, wrong)) = mentions::glossary_mention(set, mention) {
            findings.push(wrong.at(Within::text(&file, at)));
        }
        if let MentionKind::Math(formula) = &mention.what {
            for (at, wrong) in formulas::unknown_symbols(formula, mention.at, &set.symbols) {
                findings.push(wrong.at(Within::text(&file, at)));
            }
        }
    }
    findings.extend(formulas::symbol_table_findings(set));
    findings
}

/// Checks that the steps of each route exist, that its minutes add up, and that it introduces
/// its terms. The syntax of routes is checked when they are parsed.
fn route_findings(set: &LessonSet) -> Vec<Diagnostic> {
    set.routes.iter().flat_map(|route| check_route(set, route)).collect()
}

fn check_route(set: &LessonSet, route: &Route) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut pages: Vec<RoutePage> = Vec::new();
    for stop in &route.stops {
        match stop.pages(&set.lessons) {
            Ok(found) => {
                for page in found {
                    let is_repeated = pages
                        .iter()
                        .any(|other| (other.lesson, other.step) == (page.lesson, page.step));
                    if is_repeated {
                        let step = &set.lessons[page.lesson].steps[page.step];
                        let title = format!("the route comes to `{}` twice", step.title);
                        let wrong = Diagnostic::said("NAME_TAKEN", title)
                            .help("leave one of the two out: the way on must be clear");
                        findings.push(wrong.at(stop.at.clone()));
                    }
                    pages.push(page);
                }
            }
            Err(wrong) => findings.push(wrong.at(stop.at.clone())),
        }
    }
    if !findings.is_empty() {
        // The minutes of missing steps are unknown, so that the sum would be wrong too.
        return findings;
    }
    if pages.is_empty() {
        let wrong = Diagnostic::said("MISSING", format!("the route `{}` has no steps", route.name))
            .help("write steps = [\"bind-pose/a-head-on-a-neck\", \"bone-grid\"]");
        return vec![wrong.at(route.at.clone())];
    }
    findings.extend(check_route_minutes(set, route, &pages));
    findings.extend(route_terms::check_route_terms(set, route));
    findings
}

fn check_route_minutes(set: &LessonSet, route: &Route, pages: &[RoutePage]) -> Option<Diagnostic> {
    if let Some(page) = pages.iter().find(|page| page.minutes.is_none()) {
        let lesson = &set.lessons[page.lesson];
        let step = &lesson.steps[page.step];
        let title = format!("nothing says how many minutes `{}` takes", step.title);
        let target = format!("{}/{}", lesson.slug, step.slug);
        let help = format!(
            "write {{ step = \"{target}\", minutes = 3 }}, or the minutes in the notes of the lesson"
        );
        return Some(Diagnostic::said("MISSING", title).help(help).at(route.at.clone()));
    }
    let sum: u32 = pages.iter().filter_map(|page| page.minutes).sum();
    (sum != route.minutes).then(|| {
        let steps = counted(pages.len(), "step");
        Diagnostic::expected(format!("minutes = {sum}"), route.minutes.to_string())
            .title(format!(
                "the minutes of its {steps} add up to {sum}, the route `{}` says {}",
                route.name, route.minutes
            ))
            .help(format!(
                "write minutes = {sum}, or give steps minutes of their own: {{ step = \"…\", minutes = 3 }}"
            ))
            .at(route.at.clone())
    })
}
