//! Routes: do their steps lead somewhere, and do their minutes add up?

use bindpose_diagnostic::{Diagnostic, counted};
use bindpose_lesson::{LessonSet, Route, RoutePage};

/// Everything wrong with the routes but how they are written.
pub(super) fn route_findings(set: &LessonSet) -> Vec<Diagnostic> {
    set.routes.iter().flat_map(|route| of_route(set, route)).collect()
}

fn of_route(set: &LessonSet, route: &Route) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut pages: Vec<RoutePage> = Vec::new();
    for stop in &route.stops {
        match stop.pages(&set.lessons) {
            Ok(found) => {
                for page in found {
                    let known =
                        |other: &&RoutePage| (other.lesson, other.step) == (page.lesson, page.step);
                    if pages.iter().find(known).is_some() {
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
        // What is missing would be missing in the minutes too.
        return findings;
    }
    if pages.is_empty() {
        let wrong = Diagnostic::said("MISSING", format!("the route `{}` has no steps", route.name))
            .help("write steps = [\"bind-pose/a-head-on-a-neck\", \"bone-grid\"]");
        return vec![wrong.at(route.at.clone())];
    }
    findings.extend(minutes(set, route, &pages));
    findings
}

fn minutes(set: &LessonSet, route: &Route, pages: &[RoutePage]) -> Option<Diagnostic> {
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
