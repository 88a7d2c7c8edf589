//! What the program keeps of a class beside the page's view, what it is told of it, and what
//! a student's page says of how far it has come.

use bindpose_classroom::{
    ClientMessage, LessonProgress, QuestionAddress, QuestionPhase, RoomCode, ServerMessage,
    StudentClient, StudentKey, StudentRecord, TeacherSecret,
};
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::{Notebook, StepProgress};
use bindpose_page::classroom::ReportRequest;

#[cfg(not(target_arch = "wasm32"))]
use crate::app::class_server::WindowClass;

/// What of the class does not belong to the page's view.
#[derive(Default)]
pub(super) struct ClassHost {
    /// What the room is to hear, for who has the line.
    pub(super) said: Vec<ClientMessage>,
    /// The reader has left, for who has the line.
    pub(super) left: bool,
    /// The shell's count of changes when the page was last looked at.
    pub(super) changes: u64,
    /// Has the reader changed something since then?
    pub(super) by_hand: bool,
    /// When it may be looked at again.
    pub(super) next_secs: f64,
    /// The question and the phase for which the page was last cleared.
    pub(super) uncovered: Option<(QuestionAddress, QuestionPhase)>,
    /// A report that is to be saved.
    pub(super) report: Option<ReportRequest>,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) window: Option<WindowClass>,
}

/// News of the class, from whoever has the line.
#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassNews {
    /// The page is a student's.
    Come {
        /// The room's.
        code: RoomCode,
        /// The student's own.
        key: StudentKey,
        /// What its browser kept.
        #[serde(default)]
        record: StudentRecord,
    },
    /// The page is the teacher's.
    Lead {
        /// The room's.
        code: RoomCode,
        /// Which makes the teacher.
        secret: TeacherSecret,
    },
    /// The line is there: it begins with a hello.
    Open,
    /// It is gone, and tried again.
    Lost,
    /// What the room tells.
    Told {
        /// That.
        told: ServerMessage,
    },
}

/// Says how far the reader has come with the open lesson, where that is anything.
pub(super) fn tell_progress(student: &mut StudentClient, notebook: &Notebook) {
    let progress = progress(notebook);
    if progress != LessonProgress::default() {
        student.has_done(&notebook.lesson().slug, progress);
    }
}

fn progress(notebook: &Notebook) -> LessonProgress {
    let (lesson, reader) = (notebook.lesson(), &notebook.progress);
    let mut progress = LessonProgress::default();
    for (index, step) in (0..lesson.steps.len()).zip(0_u16..) {
        let come = reader.of_step(lesson, index);
        if come != StepProgress::NotSeen {
            progress.seen.insert(step);
        }
        if come == StepProgress::Solved {
            progress.solved.insert(step);
        }
    }
    let records = InventoryForm::ALL.into_iter().filter_map(|form| reader.form(&lesson.slug, form));
    progress.inventory = records
        .flat_map(|record| &record.answers)
        .filter_map(|(question, answer)| Some((question.clone(), answer.option.try_into().ok()?)))
        .collect();
    progress
}
