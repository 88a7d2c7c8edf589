//! From a class to its report.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_classroom::{StudentNames, StudentView};
use bindpose_lesson::LessonSet;

use super::questions::QuestionsOfLesson;
use super::report::{ClassReport, LessonOfClass, LessonOfStudent, ReportedStudent};

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
