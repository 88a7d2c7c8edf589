//! A rule on the steps of lessons that documentation names.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::checkout::has_extension;

use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 1] = [Rule {
    name: "docs name steps of lessons that are there",
    check: docs_name_steps_of_lessons_that_are_there,
}];

/// Slugs of the steps of each lesson, by the lesson's slug.
type StepSlugs = BTreeMap<String, BTreeSet<String>>;

fn docs_name_steps_of_lessons_that_are_there(checkout: &Checkout) -> Outcome {
    let mut lessons = StepSlugs::new();
    for folder in checkout.folders_in("lessons") {
        if let Some((_, lesson)) = folder.split_once('-') {
            let text = checkout.read(&format!("lessons/{folder}/lesson.md"))?;
            lessons.insert(lesson.to_owned(), step_slugs(&text));
        }
    }
    let mut pages = checkout.files_below("docs");
    pages.retain(|name| has_extension(name, &["md"]));
    pages.push("README.md".to_owned());
    let mut problems = Vec::new();
    let mut checked_count = 0;
    for name in &pages {
        for (number, line) in checkout.read(name)?.lines().enumerate() {
            for (lesson, step) in named_steps(line, &lessons) {
                checked_count += 1;
                if !lessons[lesson].contains(step) {
                    problems.push(format!(
                        "{name}:{}: lesson `{lesson}` has no step `{step}`; name one that it has, or write the table anew",
                        number + 1
                    ));
                }
            }
        }
    }
    Ok(RuleReport { checked_count, problems })
}

/// Returns the slugs of the headings outside fenced blocks, as `bindpose_lesson` makes them.
fn step_slugs(text: &str) -> BTreeSet<String> {
    let mut is_fenced = false;
    let mut slugs = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if let Some(title) = line.strip_prefix("## ").filter(|_| !is_fenced) {
            let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            slugs.insert(words.collect::<Vec<_>>().join("-").to_lowercase());
        }
    }
    slugs
}

/// Returns the pairs `lesson/step` in a line. Old names, in the key `was` of a step, do not count.
fn named_steps<'a>(line: &'a str, lessons: &StepSlugs) -> Vec<(&'a str, &'a str)> {
    if line.trim_start().starts_with("was = ") {
        return Vec::new();
    }
    // A path such as `models/whale/whale.glb` is one word, and is no pair.
    let words = line.split(|c: char| !c.is_alphanumeric() && !"-_/.".contains(c));
    words
        .filter_map(|word| word.trim_start_matches('/').trim_end_matches('.').split_once('/'))
        .filter(|(lesson, step)| lessons.contains_key(*lesson) && !step.contains(['/', '.']))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_in_tables_links_and_examples_but_not_in_paths() {
        let lesson = "## Two plus two\n\n```rust\n## no\n```\n\n## “As a program”: it’s C\n";
        let steps = step_slugs(lesson);
        assert_eq!(steps, ["two-plus-two", "as-a-program-it-s-c"].map(str::to_owned).into());

        let lessons = StepSlugs::from([("whale".to_owned(), steps)]);
        for line in [
            "| whale/gone | 1.2 |",
            "[there](bindpose://whale/gone).",
            "See lesson:whale/gone.",
            "    { step = \"whale/gone\", minutes = 5 },",
        ] {
            assert_eq!(named_steps(line, &lessons), [("whale", "gone")], "{line}");
        }
        for line in [
            "assets/models/whale/whale.glb",
            "whale/lesson.md",
            "a squid/gone",
            "was = [\"whale/gone\"]",
        ] {
            assert_eq!(named_steps(line, &lessons), [], "{line}");
        }
    }
}
