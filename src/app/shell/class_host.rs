//! What the program keeps of a class beside the page's view, and what it is told of it.

#[cfg(not(target_arch = "wasm32"))]
use super::window_class::WindowClass;
use bindpose_classroom::{MemberKey, RoomCode, Said, StudentRecord, TeacherSecret, Told};
use bindpose_page::classroom::ReportRequest;

/// What of the class does not belong to the page's view.
#[derive(Default)]
pub(super) struct ClassHost {
    /// What the room is to hear, for who has the line.
    pub(super) said: Vec<Said>,
    /// The reader has left, for who has the line.
    pub(super) left: bool,
    /// The shell's count of changes when the page was last looked at.
    pub(super) changes: u64,
    /// Has the reader changed something since then?
    pub(super) by_hand: bool,
    /// When it may be looked at again.
    pub(super) next_secs: f64,
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
        key: MemberKey,
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
        told: Told,
    },
}
