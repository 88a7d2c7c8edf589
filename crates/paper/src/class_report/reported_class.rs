//! From a class to its report: what each student did in a lesson, and what the class did:
//! how many saw and solved a step, what was answered to a question, how near and who
//! changed, and how many held a misconception.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_classroom::{LessonProgress, StudentNames, StudentView};
use bindpose_lesson::{Lesson, LessonSet, Misconception};
use bindpose_notebook::exercise::Nearness;
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_notebook::inventory::{
    Holding, InventoryForm, option_letter, questions_of, shown_options,
};
use bindpose_notebook::{InventoryEntry, ReaderProgress};
use glam::Vec3;

use super::questions::{AnsweredQuestion, QuestionsOfLesson};
use super::report::{
    AnswerCount, AnswerOfStudent, ByRound, ClassReport, GuessDistance, JudgedAnswer, LessonOfClass,
    LessonOfStudent, MisconceptionOfClass, QuestionOfClass, ReportedStudent, StepOfClass,
};

/// Of the form of the JSON file. It grows when a key means something else or is gone; new
/// keys may come without.
const VERSION: u32 = 1;

/// Which class a report is of.
#[derive(Clone, Debug)]
pub struct ReportedClass<'a> {
    /// Everyone who came, in the order of coming.
    pub students: Vec<&'a StudentView>,
    /// What they are called in it.
    pub names: StudentNames,
    /// The room's code.
    pub room: &'a str,
    /// As `2026-11-22`; `None`: not known.
    pub day: Option<String>,
}

impl ClassReport {
    /// Of these lessons. `rigs` looks up a built-in rig by its id: where it is not there,
    /// answers that hang on it are not judged.
    pub fn new(
        class: &ReportedClass<'_>,
        set: &LessonSet,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    ) -> Self {
        let names = class.names.of(class.students.iter().copied()).into_iter();
        let mut report = Self {
            format: "bindpose-class-report",
            version: VERSION,
            program: concat!("bindpose ", env!("CARGO_PKG_VERSION")),
            written: class.day.clone(),
            room: class.room.to_owned(),
            names: class.names,
            lessons: Vec::new(),
            students: names.map(|name| ReportedStudent { name, lessons: Vec::new() }).collect(),
        };
        let mut numbered = 0;
        for (index, lesson) in set.lessons.iter().enumerate() {
            let mut questions = QuestionsOfLesson::new(set, index, &class.students, numbered, rigs);
            numbered += questions.count();
            let each = class.students.iter().enumerate();
            let done: Vec<Option<LessonOfStudent>> = each
                .map(|(at, student)| {
                    LessonOfStudent::new(lesson, student, questions.take_answers(at))
                })
                .collect();
            if done.iter().all(Option::is_none) {
                continue;
            }
            report.lessons.push(LessonOfClass::new(lesson, &questions, &done));
            for (student, done) in report.students.iter_mut().zip(done) {
                student.lessons.extend(done);
            }
        }
        report
    }
}

impl LessonOfStudent {
    /// `None` where the student did nothing of it.
    fn new(lesson: &Lesson, student: &StudentView, answers: Vec<AnswerOfStudent>) -> Option<Self> {
        let none = LessonProgress::default();
        let progress = student.record.lessons.get(&lesson.slug).unwrap_or(&none);
        let is_there = |step: &u16| usize::from(*step) < lesson.steps.len();
        let numbers = |step: &u16| usize::from(*step) + 1;
        let seen: Vec<usize> = progress.seen.iter().filter(|s| is_there(s)).map(numbers).collect();
        let solved = progress.solved.iter().filter(|step| is_there(step)).filter(|step| {
            progress.seen.contains(step) && has_exercise(lesson, usize::from(**step))
        });
        let solved: Vec<usize> = solved.map(numbers).collect();
        let inventory = inventory(lesson, progress);
        let is_empty = seen.is_empty() && answers.is_empty() && inventory.is_none();
        let lesson = lesson.slug.clone();
        (!is_empty).then_some(Self { lesson, seen, solved, answers, inventory })
    }
}

/// Both forms, as far as they were answered. An answer that is a number or a picture has the
/// letter that it has on the page.
fn inventory(lesson: &Lesson, progress: &LessonProgress) -> Option<InventoryEntry> {
    if progress.inventory.is_empty() {
        return None;
    }
    let mut reader = ReaderProgress::default();
    for form in InventoryForm::ALL {
        let record = reader.form_mut(&lesson.slug, form);
        for question in questions_of(lesson, form) {
            let option = progress.inventory.get(&question.id);
            if let Some(index) = option.and_then(|option| option.checked_sub(1)) {
                record.note(question, index.into(), None);
            }
        }
    }
    let mut inventory = InventoryEntry::new(lesson, &reader)?;
    for answer in inventory.answers.iter_mut().filter(|answer| answer.words.is_empty()) {
        let question = lesson.inventory.question(&answer.question);
        let order = question.map(shown_options).unwrap_or_default();
        answer.words = option_letter(&order, answer.option.saturating_sub(1)).to_string();
    }
    Some(inventory)
}

impl LessonOfClass {
    fn new(
        lesson: &Lesson,
        questions: &QuestionsOfLesson,
        done: &[Option<LessonOfStudent>],
    ) -> Self {
        let done: Vec<&LessonOfStudent> = done.iter().flatten().collect();
        let step = |index: usize| StepOfClass::new(lesson, index, &done);
        let about = lesson.inventory.misconceptions.iter();
        let mut misconceptions: Vec<MisconceptionOfClass> =
            about.map(|one| MisconceptionOfClass::new(one, &done)).collect();
        misconceptions.retain(MisconceptionOfClass::is_answered);
        Self {
            number: lesson.number,
            lesson: lesson.slug.clone(),
            title: lesson.title.clone(),
            opened: done.iter().filter(|one| !one.seen.is_empty()).count(),
            steps: (0..lesson.steps.len()).map(step).collect(),
            questions: questions.iter().map(|one| QuestionOfClass::new(one, &done)).collect(),
            misconceptions,
        }
    }
}

impl StepOfClass {
    fn new(lesson: &Lesson, index: usize, done: &[&LessonOfStudent]) -> Self {
        let (step, number) = (&lesson.steps[index], index + 1);
        Self {
            number,
            step: step.slug.clone(),
            title: step.title.clone(),
            has_exercise: has_exercise(lesson, index),
            seen: done.iter().filter(|one| one.seen.contains(&number)).count(),
            solved: done.iter().filter(|one| one.solved.contains(&number)).count(),
        }
    }
}

/// Is there something to solve at the step of that index?
fn has_exercise(lesson: &Lesson, step: usize) -> bool {
    exercises_at(lesson, step).next().is_some()
}

impl MisconceptionOfClass {
    fn new(of: &Misconception, done: &[&LessonOfStudent]) -> Self {
        let inventories = done.iter().filter_map(|one| one.inventory.as_ref());
        let holdings: Vec<(Holding, Holding)> =
            inventories.filter_map(|inventory| holdings(inventory, &of.id)).collect();
        let count = |is: fn(&&(Holding, Holding)) -> bool| holdings.iter().filter(is).count();
        Self {
            misconception: of.id.clone(),
            belief: of.belief.clone(),
            held_before: count(|(before, _)| *before == Holding::Held),
            answered_before: count(|(before, _)| *before != Holding::NotAnswered),
            held_after: count(|(_, after)| *after == Holding::Held),
            answered_after: count(|(_, after)| *after != Holding::NotAnswered),
            remains: count(|both| **both == (Holding::Held, Holding::Held)),
        }
    }

    fn is_answered(&self) -> bool {
        self.answered_before + self.answered_after > 0
    }
}

fn holdings(inventory: &InventoryEntry, id: &str) -> Option<(Holding, Holding)> {
    let mut all = inventory.misconceptions.iter();
    let one = all.find(|one| one.misconception == id)?;
    Some((one.before, one.after))
}

impl QuestionOfClass {
    fn new(question: &AnsweredQuestion, done: &[&LessonOfStudent]) -> Self {
        let answers = done.iter().flat_map(|one| &one.answers);
        let of_it = answers.filter(|answer| answer.question == question.number);
        let given: Vec<&AnswerOfStudent> = of_it.collect();
        let alone: Vec<&JudgedAnswer> = given.iter().flat_map(|one| &one.alone).collect();
        let after: Vec<&JudgedAnswer> = given.iter().flat_map(|one| &one.after_talking).collect();
        let right = |of: &[&JudgedAnswer]| of.iter().filter(|one| one.right == Some(true)).count();
        let changed = |from: bool| {
            let right = |one: &Option<JudgedAnswer>| one.as_ref().and_then(|one| one.right);
            let is = |one: &&&AnswerOfStudent| {
                right(&one.alone) == Some(from) && right(&one.after_talking) == Some(!from)
            };
            given.iter().filter(is).count()
        };
        let distance = question.close.map(|close| GuessDistance {
            from_right_place: question.right_answer.is_some(),
            close,
            median: ByRound { alone: median_off(&alone), after_talking: median_off(&after) },
        });
        Self {
            number: question.number,
            step: question.step + 1,
            cell: question.cell.clone(),
            draw: question.draw + 1,
            kind: question.kind,
            ask: question.ask.clone(),
            right_answer: question.right_answer.clone(),
            answered: ByRound { alone: alone.len(), after_talking: after.len() },
            right: ByRound { alone: right(&alone), after_talking: right(&after) },
            changed_to_right: changed(false),
            changed_away: changed(true),
            answers: match question.close {
                Some(close) => by_nearness(close, &alone, &after),
                None => by_frequency(&alone, &after),
            },
            distance,
        }
    }

    /// The wrong answer that most gave, in the round where most did.
    pub(super) fn usual_mistake(&self) -> Option<&AnswerCount> {
        let most = |one: &&AnswerCount| one.alone.max(one.after_talking);
        let wrong = self.answers.iter().filter(|one| one.right == Some(false));
        // Of the same many, the first in the list.
        wrong.rev().max_by_key(most).filter(|one| !one.reply.is_empty())
    }
}

/// The most frequent answer first.
fn by_frequency(alone: &[&JudgedAnswer], after: &[&JudgedAnswer]) -> Vec<AnswerCount> {
    let mut counts: Vec<AnswerCount> = Vec::new();
    let both = alone.iter().map(|one| (one, true)).chain(after.iter().map(|one| (one, false)));
    for (given, is_alone) in both {
        let known = counts.iter().position(|one| one.answer == given.answer);
        let at = known.unwrap_or_else(|| {
            counts.push(AnswerCount {
                answer: given.answer.clone(),
                right: given.right,
                alone: 0,
                after_talking: 0,
                reply: given.reply.clone(),
            });
            counts.len() - 1
        });
        let count = &mut counts[at];
        *(if is_alone { &mut count.alone } else { &mut count.after_talking }) += 1;
    }
    counts.sort_by_key(|one| std::cmp::Reverse((one.after_talking, one.alone)));
    counts
}

/// The nearest first; none where the right place is not known.
fn by_nearness(close: f32, alone: &[&JudgedAnswer], after: &[&JudgedAnswer]) -> Vec<AnswerCount> {
    const ALL: [Nearness; 4] = [Nearness::SpotOn, Nearness::Close, Nearness::NotFar, Nearness::Far];
    let counts = ALL.into_iter().map(|nearness| {
        let count = |of: &[&JudgedAnswer]| {
            let off = of.iter().filter_map(|one| one.off);
            off.filter(|off| Nearness::from_distance(*off, close) == nearness).count()
        };
        AnswerCount {
            answer: nearness.words().to_owned(),
            right: Some(nearness.is_right()),
            alone: count(alone),
            after_talking: count(after),
            reply: String::new(),
        }
    });
    counts.filter(|one| one.alone + one.after_talking > 0).collect()
}

/// From the right place; where that is not known, from the median of all places.
fn median_off(guesses: &[&JudgedAnswer]) -> Option<f32> {
    let places: Vec<Vec3> = guesses.iter().filter_map(|one| one.place).collect();
    let axis = |axis: usize| median(places.iter().map(|place| place[axis]).collect());
    let middle = Vec3::new(axis(0)?, axis(1)?, axis(2)?);
    let offs = guesses.iter().filter_map(|one| one.off.or(Some(one.place?.distance(middle))));
    median(offs.collect())
}

fn median(mut numbers: Vec<f32>) -> Option<f32> {
    numbers.sort_by(f32::total_cmp);
    let above = numbers.len() / 2;
    let last = *numbers.get(above)?;
    let first = if numbers.len().is_multiple_of(2) { numbers[above - 1] } else { last };
    Some(f32::midpoint(first, last))
}
