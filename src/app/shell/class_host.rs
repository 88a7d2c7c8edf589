//! Class state that the page's view does not hold, news of the class, and the progress that
//! a student's page reports.

use bindpose_class_protocol::{
    ClientMessage, LessonProgress, QuestionAddress, QuestionPhase, RoomCode, ServerMessage,
    StudentClient, StudentKey, StudentRecord, TeacherSecret,
};
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::{Notebook, StepProgress};
use bindpose_page::view::classroom::ReportRequest;

use crate::app::host::WindowClass;

/// Class state outside of the page's view.
#[derive(Default)]
pub(super) struct ClassHost {
    /// Messages to the room that the owner of the connection still has to send.
    pub(super) outgoing: Vec<ClientMessage>,
    /// True if the reader has left and the owner of the connection does not know it yet.
    pub(super) has_left: bool,
    /// The shell's change count when the page was last sent to the room.
    pub(super) sent_changes: u64,
    /// True if the reader has changed something since then.
    pub(super) has_manual_change: bool,
    /// Earliest time of the next message to the room.
    pub(super) next_send_secs: f64,
    /// Question and phase for which the page was last cleared.
    pub(super) uncovered_question: Option<(QuestionAddress, QuestionPhase)>,
    /// Requested report that is not saved yet.
    pub(super) report: Option<ReportRequest>,
    pub(super) window: Option<WindowClass>,
}

/// News of the class, from the owner of the connection.
#[derive(Debug, PartialEq, serde::Deserialize)]
pub enum ClassNews {
    /// The page belongs to a student.
    #[serde(rename = "come")]
    JoinAsStudent {
        code: RoomCode,
        key: StudentKey,
        /// Record that the student's browser has kept.
        #[serde(default)]
        record: StudentRecord,
    },
    /// The page belongs to the teacher.
    #[serde(rename = "lead")]
    LeadAsTeacher {
        code: RoomCode,
        /// Proves that the page is the teacher's.
        secret: TeacherSecret,
    },
    /// The connection is open. The client has to send its first message.
    #[serde(rename = "open")]
    Connected,
    /// The connection is lost, and is being opened again.
    #[serde(rename = "lost")]
    Disconnected,
    /// A message of the room.
    #[serde(rename = "told")]
    Message {
        #[serde(rename = "told")]
        message: ServerMessage,
    },
}

/// Reports the reader's progress in the open lesson to the class, if there is any.
pub(super) fn report_progress(student: &mut StudentClient, notebook: &Notebook) {
    let progress = compute_progress(notebook);
    if progress != LessonProgress::default() {
        student.has_done(&notebook.lesson().slug, progress);
    }
}

fn compute_progress(notebook: &Notebook) -> LessonProgress {
    let lesson = notebook.lesson();
    let reader = &notebook.progress;
    let mut progress = LessonProgress::default();
    for (index, step) in (0..lesson.steps.len()).zip(0_u16..) {
        let step_progress = reader.of_step(lesson, index);
        if step_progress != StepProgress::NotSeen {
            progress.seen.insert(step);
        }
        if step_progress == StepProgress::Solved {
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
