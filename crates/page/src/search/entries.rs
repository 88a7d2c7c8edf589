//! All that can be found.

use bindpose_asset::doctor::known_faults;
use bindpose_lesson::{self as lesson, Lesson, LessonSet, Term};
use bindpose_notebook::StepMarks;
use bindpose_notebook::search::{SearchEntry, passages_of, step_passages};
use eframe::egui::Context;

use super::goal::ResultGoal;
use crate::command::{Command, KeyMap, shortcut_text};

/// Steps, words of the glossary, known bugs, what the doctor finds and commands, in this
/// order.
pub(super) fn entries(ctx: &Context, set: &LessonSet) -> Vec<SearchEntry<ResultGoal>> {
    let lessons = set.lessons.iter().enumerate();
    let steps = lessons.flat_map(|(index, lesson)| steps(index, lesson));
    let faults = known_faults().map(|fault| SearchEntry {
        goal: ResultGoal::Fault(fault.code),
        title: fault.code.to_owned(),
        passages: vec![fault.title, fault.effect, fault.help],
    });
    let known = lesson::known_faults().map(|fault| SearchEntry {
        goal: ResultGoal::KnownFault(fault.id),
        title: fault.title.to_owned(),
        passages: [fault.looks, fault.tell, fault.seen, fault.id].map(str::to_owned).to_vec(),
    });
    let commands = Command::ALL.iter().filter(|&&command| is_offered(command));
    let commands = commands.map(|&command| SearchEntry {
        goal: ResultGoal::Command(command),
        title: command.text().to_owned(),
        passages: vec![command.tooltip().to_owned(), keys(ctx, command)],
    });
    let terms = set.glossary.iter().map(term);
    let faults = known.chain(faults);
    steps.chain(terms).chain(faults).chain(commands).collect()
}

/// Bookmarks, found by their word too, and, unless they are hidden, notes.
pub(super) fn own_entries(
    set: &LessonSet,
    marks: &StepMarks,
    notes: bool,
) -> Vec<SearchEntry<ResultGoal>> {
    let (mut bookmarked, mut noted) = (Vec::new(), Vec::new());
    for (lesson, of) in set.lessons.iter().enumerate() {
        for (step, of_step) in of.steps.iter().enumerate() {
            if marks.is_bookmarked(&of.slug, &of_step.slug) {
                bookmarked.push(SearchEntry {
                    goal: ResultGoal::Bookmark { lesson, step },
                    title: of_step.title.clone(),
                    passages: vec!["bookmark".to_owned()],
                });
            }
            let note = marks.note(&of.slug, &of_step.slug);
            if notes && !note.is_empty() {
                let lines = note.lines().map(str::trim).filter(|line| !line.is_empty());
                noted.push(SearchEntry {
                    goal: ResultGoal::Note { lesson, step },
                    title: of_step.title.clone(),
                    passages: lines.map(str::to_owned).collect(),
                });
            }
        }
    }
    bookmarked.append(&mut noted);
    bookmarked
}

fn steps(index: usize, lesson: &Lesson) -> impl Iterator<Item = SearchEntry<ResultGoal>> {
    let steps = lesson.steps.iter().enumerate();
    steps.map(move |(step, of)| SearchEntry {
        goal: ResultGoal::Step { lesson: index, step },
        title: of.title.clone(),
        passages: step_passages(lesson, step),
    })
}

fn term(term: &Term) -> SearchEntry<ResultGoal> {
    SearchEntry {
        goal: ResultGoal::Term(term.slug.clone()),
        title: term.title.clone(),
        passages: passages_of(&term.blocks),
    }
}

/// The search itself and the key that closes things have no use in a list.
fn is_offered(command: Command) -> bool {
    !matches!(command, Command::Search | Command::Escape)
}

/// All keys of a command: `Ctrl+Y  Ctrl+Shift+Z`.
pub(super) fn keys(ctx: &Context, command: Command) -> String {
    let keys = command.shortcuts(KeyMap::of(ctx)).iter();
    let keys = keys.map(|keys| shortcut_text(ctx, keys));
    keys.collect::<Vec<_>>().join("  ")
}
