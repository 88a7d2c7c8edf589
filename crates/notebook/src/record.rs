//! The reader's record as a file: seen steps, exercises with their answers and guesses,
//! bookmarks and notes.

mod inventory_entry;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bindpose_lesson::Lesson;
use serde::Serialize;

use super::StepMarks;
use super::exercise_cells::{Exercise, exercises_at};
use super::progress::{ExerciseAnswer, Guess, ReaderProgress, StepProgress};
use inventory_entry::{markdown_cell, quote};

pub use inventory_entry::{InventoryAnswerEntry, InventoryEntry, MisconceptionEntry};

/// Version of the JSON format. Incremented if a key changes its meaning or is removed, but not
/// for new keys.
const VERSION: u32 = 1;

/// A reader's record of all lessons with any progress.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    format: &'static str,
    version: u32,
    program: &'static str,
    /// Date of the record, if known.
    written: Option<String>,
    lessons: Vec<LessonEntry>,
    /// Notes on steps that are not in these lessons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_notes: Vec<OtherNote>,
}

/// A note on a step that was renamed or belongs to other lessons.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct OtherNote {
    lesson: String,
    step: String,
    note: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct LessonEntry {
    number: u32,
    lesson: String,
    title: String,
    steps_done: usize,
    steps: Vec<StepEntry>,
    /// Answers to the inventory of the lesson, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    inventory: Option<InventoryEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct StepEntry {
    step: String,
    title: String,
    progress: StepProgress,
    first_seen: Option<String>,
    bookmarked: bool,
    /// The reader's note, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    exercises: Vec<ExerciseEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ExerciseEntry {
    exercise: String,
    kind: &'static str,
    answers: Vec<AnswerEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct AnswerEntry {
    /// Number of the draw, from 1.
    draw: usize,
    numbers: BTreeMap<String, f64>,
    ask: String,
    solved: bool,
    solution_shown_before: bool,
    /// Guesses in their order.
    guesses: Vec<Guess>,
    /// Answers to a question in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given: Vec<String>,
    /// Time from opening the page, or drawing the fault, to the right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved_after_secs: Option<u32>,
    answered: Option<String>,
    link: String,
}

impl Record {
    /// Creates the record of the progress in these lessons. `today` has the form `2026-11-22`.
    pub fn new(
        lessons: &[Lesson],
        progress: &ReaderProgress,
        marks: &StepMarks,
        today: Option<String>,
    ) -> Self {
        let mut other_notes = Vec::new();
        for (lesson, step, note) in marks.notes() {
            let is_known = lessons
                .iter()
                .any(|one| one.slug == lesson && one.steps.iter().any(|one| one.slug == step));
            if !is_known {
                other_notes.push(OtherNote {
                    lesson: lesson.to_owned(),
                    step: step.to_owned(),
                    note: note.to_owned(),
                });
            }
        }
        let lessons = lessons.iter().filter(|lesson| has_progress(lesson, progress, marks));
        Self {
            format: "bindpose-record",
            version: VERSION,
            program: concat!("bindpose ", env!("CARGO_PKG_VERSION")),
            written: today,
            lessons: lessons.map(|lesson| LessonEntry::new(lesson, progress, marks)).collect(),
            other_notes,
        }
    }

    /// Formats the record as a JSON object.
    ///
    /// # Errors
    ///
    /// Never in practice, because the record only contains text and finite numbers.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text.into_bytes())
    }

    /// Formats the record as Markdown, with a heading for each lesson and a table of its steps.
    pub fn markdown(&self) -> Vec<u8> {
        let mut text = "# Record of Bindpose\n".to_owned();
        if let Some(written) = &self.written {
            let _ = writeln!(text, "\nWritten on {written}.");
        }
        if self.lessons.is_empty() {
            text.push_str("\nNo step has been seen.\n");
        }
        for lesson in &self.lessons {
            let done = lesson.steps_done;
            let all = lesson.steps.len();
            let title = markdown_cell(&lesson.title);
            let _ = writeln!(text, "\n## {} · {title}\n", lesson.number);
            let _ = writeln!(text, "{done} of {all} steps done.\n");
            text.push_str(
                "| Step | Progress | First seen | Answers |\n| --- | --- | --- | --- |\n",
            );
            for step in &lesson.steps {
                let seen = step.first_seen.as_deref().unwrap_or_default();
                let title = markdown_cell(&step.title);
                let mut words = step.progress.words().to_owned();
                if step.bookmarked {
                    words.push_str(", bookmarked");
                }
                let answers: Vec<String> =
                    step.exercises.iter().flat_map(ExerciseEntry::lines).collect();
                let answers = answers.join("<br>");
                let _ = writeln!(text, "| {title} | {words} | {seen} | {answers} |");
            }
            if let Some(inventory) = &lesson.inventory {
                inventory.write(&mut text);
            }
            for step in &lesson.steps {
                if let Some(note) = &step.note {
                    quote(&mut text, &format!("Note on “{}”", step.title), note);
                }
            }
        }
        if !self.other_notes.is_empty() {
            text.push_str("\n## Notes on steps that are not there now\n");
        }
        for OtherNote { lesson, step, note } in &self.other_notes {
            quote(&mut text, &format!("Note on {lesson}/{step}"), note);
        }
        text.into_bytes()
    }
}

/// Was a step of the lesson seen, bookmarked or annotated, or its inventory answered?
fn has_progress(lesson: &Lesson, progress: &ReaderProgress, marks: &StepMarks) -> bool {
    InventoryEntry::new(lesson, progress).is_some()
        || lesson.steps.iter().enumerate().any(|(index, step)| {
            progress.of_step(lesson, index) != StepProgress::NotSeen
                || marks.is_bookmarked(&lesson.slug, &step.slug)
                || !marks.note(&lesson.slug, &step.slug).is_empty()
        })
}

impl LessonEntry {
    fn new(lesson: &Lesson, progress: &ReaderProgress, marks: &StepMarks) -> Self {
        let steps = 0..lesson.steps.len();
        Self {
            number: lesson.number,
            lesson: lesson.slug.clone(),
            title: lesson.title.clone(),
            steps_done: progress.done(lesson),
            steps: steps.map(|step| StepEntry::new(lesson, step, progress, marks)).collect(),
            inventory: InventoryEntry::new(lesson, progress),
        }
    }
}

impl StepEntry {
    fn new(lesson: &Lesson, index: usize, progress: &ReaderProgress, marks: &StepMarks) -> Self {
        let step = &lesson.steps[index];
        let note = marks.note(&lesson.slug, &step.slug);
        let record = progress.record(&lesson.slug, &step.slug);
        let exercises = exercises_at(lesson, index).map(|(name, exercise)| ExerciseEntry {
            exercise: name.to_owned(),
            kind: match exercise {
                Exercise::Check(_) => "check",
                Exercise::Predict(_) => "predict",
                Exercise::Ask(_) => "ask",
                Exercise::Chain(_) => "chain",
                Exercise::Diagnose(_) => "diagnose",
            },
            answers: record
                .and_then(|record| record.answers.get(name))
                .into_iter()
                .flatten()
                .map(|(&draw, answer)| AnswerEntry::new(exercise, draw, answer))
                .collect(),
        });
        Self {
            step: step.slug.clone(),
            title: step.title.clone(),
            progress: progress.of_step(lesson, index),
            first_seen: record.and_then(|record| record.day.clone()),
            bookmarked: marks.is_bookmarked(&lesson.slug, &step.slug),
            note: Some(note.to_owned()).filter(|note| !note.is_empty()),
            exercises: exercises.collect(),
        }
    }
}

impl ExerciseEntry {
    /// Formats a line of Markdown for each answer.
    fn lines(&self) -> impl Iterator<Item = String> {
        self.answers.iter().map(|answer| {
            let mut line = markdown_cell(&answer.ask);
            let solved = match (answer.solved, answer.solution_shown_before) {
                (true, false) => " Solved",
                (true, true) => " Solved after the solution was shown",
                (false, true) => " Not solved; the solution was shown",
                (false, false) => " Not solved",
            };
            line.push_str(solved);
            let offs: Vec<String> =
                answer.guesses.iter().map(|guess| format!("{:.2}", guess.off)).collect();
            match &offs[..] {
                [] => {}
                [off] => {
                    let _ = write!(line, "; the guess was {off} off");
                }
                offs => {
                    let _ = write!(line, "; the guesses were {} off", offs.join(", "));
                }
            }
            if !answer.given.is_empty() {
                let given: Vec<String> =
                    answer.given.iter().map(|one| markdown_cell(one)).collect();
                let _ = write!(line, "; answered “{}”", given.join("”, then “"));
            }
            if let Some(secs) = answer.solved_after_secs {
                let _ = write!(line, "; solved after {secs} s");
            }
            if let Some(day) = &answer.answered {
                let _ = write!(line, " ({day})");
            }
            line.push('.');
            line
        })
    }
}

impl AnswerEntry {
    fn new(exercise: Exercise<'_>, draw: usize, answer: &ExerciseAnswer) -> Self {
        let index = draw.saturating_sub(1);
        Self {
            draw,
            numbers: exercise.numbers(index).iter().cloned().collect(),
            ask: exercise.ask(index),
            solved: answer.solved,
            solution_shown_before: answer.shown,
            guesses: answer.guesses.clone(),
            given: answer.given.clone(),
            solved_after_secs: answer.secs,
            answered: answer.day.clone(),
            link: answer.link.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;

    use super::*;
    use crate::inventory::{Forms, InventoryForm, questions_of, result_words};
    use crate::test_sample::lesson;

    fn progress() -> ReaderProgress {
        let lesson = lesson();
        let mut progress = ReaderProgress::default();
        let record = progress.step_mut(&lesson.slug, &lesson.steps[0].slug);
        record.seen = true;
        record.day = Some("2026-11-21".to_owned());
        let answer = record.answers.entry("aim".to_owned()).or_default();
        let answer = answer.entry(1).or_default();
        for off in [1.5, 0.04] {
            let position = [1.0, 2.0, 0.0];
            answer.add_guess(Guess { position, off });
        }
        answer.solved = true;
        answer.day = Some("2026-11-22".to_owned());
        answer.link = "bindpose://sample/one?predict.aim=1,2,0,revealed".to_owned();
        progress.step_mut("gone", "away").seen = true;
        progress
    }

    fn marks() -> StepMarks {
        let lesson = lesson();
        let mut marks = StepMarks::default();
        marks.toggle_bookmark(&lesson.slug, &lesson.steps[1].slug);
        marks.write_note(&lesson.slug, &lesson.steps[1].slug, "Why?\n\nAsk.\n");
        marks.write_note("gone", "away", "Still mine");
        marks
    }

    #[test]
    fn json_contains_progress_answers_and_version() {
        let record = Record::new(&[lesson()], &progress(), &marks(), Some("2026-11-22".to_owned()));
        let value: serde_json::Value = serde_json::from_slice(&record.json().unwrap()).unwrap();
        assert_eq!((&value["format"], &value["version"]), (&"bindpose-record".into(), &1.into()));
        assert_eq!(value["lessons"].as_array().unwrap().len(), 1, "of these lessons");
        let lesson = &value["lessons"][0];
        assert_eq!((&lesson["lesson"], &lesson["steps_done"]), (&"sample".into(), &1.into()));
        let steps = lesson["steps"].as_array().unwrap();
        let words: Vec<_> = steps.iter().map(|step| step["progress"].as_str().unwrap()).collect();
        assert_eq!(words, ["solved", "not-seen", "not-seen"]);
        assert_eq!(
            (&steps[1]["bookmarked"], &steps[1]["note"]),
            (&true.into(), &"Why?\n\nAsk.\n".into())
        );
        assert_eq!(steps[0].get("note"), None);
        assert_eq!(value["other_notes"][0]["note"], "Still mine");
        let answer = &steps[0]["exercises"][0]["answers"][0];
        assert_eq!((&answer["draw"], &answer["solved"]), (&1.into(), &true.into()));
        assert_eq!(answer["guesses"][0]["off"], 1.5);
        assert_eq!(answer["answered"], "2026-11-22");
        assert!(answer["link"].as_str().unwrap().starts_with("bindpose://sample/one"));
    }

    #[test]
    fn inventory_answers_are_recorded() {
        let set = LessonSet::embedded();
        let lesson = set.lessons.iter().find(|one| one.slug == "bind-pose");
        let lesson = lesson.expect("lesson 20");
        let mut progress = ReaderProgress::default();
        for form in InventoryForm::ALL {
            for question in questions_of(lesson, form) {
                // Before the lesson, the misconception; after it, the right answer.
                let option = question.choices().position(|(choice, origin)| match form {
                    InventoryForm::Before => {
                        origin.misconception.as_ref() == Some(&question.misconception)
                    }
                    InventoryForm::After => choice.right,
                });
                let day = Some("2026-11-23".to_owned());
                let record = progress.form_mut(&lesson.slug, form);
                assert!(record.note(question, option.expect("an answer"), day));
            }
        }
        let record = Record::new(&set.lessons, &progress, &StepMarks::default(), None);
        let value: serde_json::Value = serde_json::from_slice(&record.json().unwrap()).unwrap();
        assert_eq!(value["lessons"].as_array().unwrap().len(), 1);
        let inventory = &value["lessons"][0]["inventory"];
        let first = &inventory["misconceptions"][0];
        assert_eq!(
            (&first["misconception"], &first["before"], &first["after"]),
            (&"M-01".into(), &"held".into(), &"not-held".into())
        );
        let answer = &inventory["answers"][0];
        assert_eq!((&answer["form"], &answer["right"]), (&"before".into(), &false.into()));
        assert_eq!(answer["answered"], "2026-11-23");
        let text = String::from_utf8(record.markdown()).unwrap();
        let row = text.lines().find(|line| line.starts_with("| M-02: "));
        assert!(row.expect("a row").ends_with("| held | not held |"), "{text}");
        let forms = Forms {
            open: None,
            before: progress.form(&lesson.slug, InventoryForm::Before),
            after: progress.form(&lesson.slug, InventoryForm::After),
        };
        let words = result_words(lesson, &forms);
        let all = "Before the lesson you held 4 of these 4 misconceptions; after it you held none of them.";
        assert_eq!(words, all);
    }

    #[test]
    fn markdown_contains_progress_answers_and_notes() {
        let record = Record::new(&[lesson()], &progress(), &marks(), Some("2026-11-22".to_owned()));
        let text = String::from_utf8(record.markdown()).unwrap();
        for line in [
            "Written on 2026-11-22.",
            "## 20 · Sample",
            "1 of 3 steps done.",
            "| one | solved | 2026-11-21 | Where? Solved; the guesses were 1.50, 0.04 off (2026-11-22). |",
            "| two | not seen, bookmarked |  |  |",
            "Note on “two”:",
            "> Why?",
            ">",
            "> Ask.",
            "Note on gone/away:",
            "> Still mine",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        let nothing =
            Record::new(&[lesson()], &ReaderProgress::default(), &StepMarks::default(), None);
        let text = String::from_utf8(nothing.markdown()).unwrap();
        assert!(text.ends_with("No step has been seen.\n"), "{text}");
    }
}
