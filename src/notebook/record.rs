//! A reader's record as a file: which steps were seen, which exercises tried and
//! solved, with what answers and guesses.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::exercise_cells::{Exercise, exercises_at};
use super::progress::{Answer, Guess, Progress, StepProgress};
use crate::lesson::Lesson;

/// Of the form of the JSON file. It grows when a key means something else or is
/// gone; new keys may come without.
const VERSION: u32 = 1;

/// A reader's record: all lessons of which something is remembered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    format: &'static str,
    version: u32,
    program: &'static str,
    /// The day when it was written; `None`: not known.
    written: Option<String>,
    lessons: Vec<LessonEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct LessonEntry {
    number: u32,
    lesson: String,
    title: String,
    steps_done: usize,
    steps: Vec<StepEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct StepEntry {
    step: String,
    title: String,
    progress: StepProgress,
    first_seen: Option<String>,
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
    /// From 1.
    draw: usize,
    numbers: BTreeMap<String, f64>,
    ask: String,
    solved: bool,
    solution_shown_before: bool,
    /// The first one first.
    guesses: Vec<Guess>,
    answered: Option<String>,
    link: String,
}

impl Record {
    /// Of what is remembered, what belongs to these lessons. `today` as
    /// `2026-11-22`.
    #[must_use]
    pub fn new(lessons: &[Lesson], progress: &Progress, today: Option<String>) -> Self {
        let begun = |lesson: &&Lesson| {
            let steps = 0..lesson.steps.len();
            steps
                .into_iter()
                .any(|step| progress.of_step(lesson, step) != StepProgress::NotSeen)
        };
        let lessons = lessons.iter().filter(begun);
        Self {
            format: "bindpose-record",
            version: VERSION,
            program: concat!("bindpose ", env!("CARGO_PKG_VERSION")),
            written: today,
            lessons: lessons
                .map(|lesson| LessonEntry::new(lesson, progress))
                .collect(),
        }
    }

    /// One object, for programs.
    ///
    /// # Errors
    /// Never in practice: all of it is text and finite numbers.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text.into_bytes())
    }

    /// A heading a lesson and a table of its steps, for people.
    #[must_use]
    pub fn markdown(&self) -> Vec<u8> {
        let mut text = "# Record of Bindpose\n".to_owned();
        if let Some(written) = &self.written {
            let _ = writeln!(text, "\nWritten on {written}.");
        }
        if self.lessons.is_empty() {
            text.push_str("\nNo step has been seen.\n");
        }
        for lesson in &self.lessons {
            let (done, all) = (lesson.steps_done, lesson.steps.len());
            let title = cell(&lesson.title);
            let _ = writeln!(text, "\n## {} · {title}\n", lesson.number);
            let _ = writeln!(text, "{done} of {all} steps done.\n");
            text.push_str(
                "| Step | Progress | First seen | Answers |\n| --- | --- | --- | --- |\n",
            );
            for step in &lesson.steps {
                let seen = step.first_seen.as_deref().unwrap_or_default();
                let (title, words) = (cell(&step.title), step.progress.words());
                let answers = step.exercises.iter().flat_map(ExerciseEntry::lines);
                let answers = answers.collect::<Vec<_>>().join("<br>");
                let _ = writeln!(text, "| {title} | {words} | {seen} | {answers} |");
            }
        }
        text.into_bytes()
    }
}

impl LessonEntry {
    fn new(lesson: &Lesson, progress: &Progress) -> Self {
        let steps = 0..lesson.steps.len();
        Self {
            number: lesson.number,
            lesson: lesson.slug.clone(),
            title: lesson.title.clone(),
            steps_done: progress.done(lesson),
            steps: steps
                .map(|step| StepEntry::new(lesson, step, progress))
                .collect(),
        }
    }
}

impl StepEntry {
    fn new(lesson: &Lesson, index: usize, progress: &Progress) -> Self {
        let step = &lesson.steps[index];
        let record = progress.record(&lesson.slug, &step.slug);
        let answers = |name: &str| record.and_then(|record| record.answers.get(name));
        let exercises = exercises_at(lesson, index).map(|(name, exercise)| ExerciseEntry {
            exercise: name.to_owned(),
            kind: match exercise {
                Exercise::Check(_) => "check",
                Exercise::Predict(_) => "predict",
            },
            answers: answers(name)
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
            exercises: exercises.collect(),
        }
    }
}

impl ExerciseEntry {
    /// A line an answer.
    fn lines(&self) -> impl Iterator<Item = String> {
        self.answers.iter().map(|answer| {
            let mut line = cell(&answer.ask);
            let solved = match (answer.solved, answer.solution_shown_before) {
                (true, false) => " Solved",
                (true, true) => " Solved after the solution was shown",
                (false, true) => " Not solved; the solution was shown",
                (false, false) => " Not solved",
            };
            line.push_str(solved);
            let offs = answer
                .guesses
                .iter()
                .map(|guess| format!("{:.2}", guess.off));
            let offs: Vec<String> = offs.collect();
            match &offs[..] {
                [] => {}
                [off] => {
                    let _ = write!(line, "; the guess was {off} off");
                }
                offs => {
                    let _ = write!(line, "; the guesses were {} off", offs.join(", "));
                }
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
    fn new(exercise: Exercise<'_>, draw: usize, answer: &Answer) -> Self {
        let index = draw.saturating_sub(1);
        Self {
            draw,
            numbers: exercise.numbers(index).iter().cloned().collect(),
            ask: exercise.ask(index).to_owned(),
            solved: answer.solved,
            solution_shown_before: answer.shown,
            guesses: answer.guesses.clone(),
            answered: answer.day.clone(),
            link: answer.link.clone(),
        }
    }
}

/// As it may stand in a table of Markdown.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notebook::test_sample::lesson;

    fn progress() -> Progress {
        let lesson = lesson();
        let mut progress = Progress::default();
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

    #[test]
    fn the_json_says_what_was_seen_and_answered_and_its_version() {
        let record = Record::new(&[lesson()], &progress(), Some("2026-11-22".to_owned()));
        let value: serde_json::Value = serde_json::from_slice(&record.json().unwrap()).unwrap();
        assert_eq!(
            (&value["format"], &value["version"]),
            (&"bindpose-record".into(), &1.into())
        );
        assert_eq!(
            value["lessons"].as_array().unwrap().len(),
            1,
            "of these lessons"
        );
        let lesson = &value["lessons"][0];
        assert_eq!(
            (&lesson["lesson"], &lesson["steps_done"]),
            (&"sample".into(), &1.into())
        );
        let steps = lesson["steps"].as_array().unwrap();
        let words: Vec<_> = steps
            .iter()
            .map(|step| step["progress"].as_str().unwrap())
            .collect();
        assert_eq!(words, ["solved", "not-seen", "not-seen"]);
        let answer = &steps[0]["exercises"][0]["answers"][0];
        assert_eq!(
            (&answer["draw"], &answer["solved"]),
            (&1.into(), &true.into())
        );
        assert_eq!(answer["guesses"][0]["off"], 1.5);
        assert_eq!(answer["answered"], "2026-11-22");
        assert!(
            answer["link"]
                .as_str()
                .unwrap()
                .starts_with("bindpose://sample/one")
        );
    }

    #[test]
    fn the_text_says_the_same_to_people() {
        let record = Record::new(&[lesson()], &progress(), Some("2026-11-22".to_owned()));
        let text = String::from_utf8(record.markdown()).unwrap();
        for line in [
            "Written on 2026-11-22.",
            "## 20 · Sample",
            "1 of 3 steps done.",
            "| one | solved | 2026-11-21 | Where? Solved; the guesses were 1.50, 0.04 off (2026-11-22). |",
            "| two | not seen |  |  |",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        let nothing = Record::new(&[lesson()], &Progress::default(), None);
        let text = String::from_utf8(nothing.markdown()).unwrap();
        assert!(text.ends_with("No step has been seen.\n"), "{text}");
    }
}
