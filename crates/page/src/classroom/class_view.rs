//! The class, in the page's view.

use bindpose_classroom::{
    ClassQuestion, ClassState, Invitation, QuestionAddress, QuestionPhase, StudentClient,
    TeacherClient,
};

use super::report_window::ReportRequest;
use super::wall_state::Wall;

/// The class, in the page's view.
#[derive(Debug, Default)]
pub struct ClassroomView {
    /// What this page is in it.
    pub part: ClassPart,
    /// Is there no line to the room, for now?
    pub is_cut_off: bool,
    /// How to come in, for the teacher to show.
    pub invitation: Option<Invitation>,
    /// Is that shown?
    pub invites: bool,
    /// Does the teacher look at answers before they are revealed?
    pub peeks: bool,
    /// The pages of all students, while the teacher looks at them.
    pub wall: Option<Wall>,
    /// The student's window for a name, and what is typed in it.
    pub name: Option<String>,
    /// The teacher's window for a report, and what is chosen in it.
    pub report: Option<ReportRequest>,
}

/// What a page is in a class.
#[derive(Debug, Default)]
pub enum ClassPart {
    /// It is in none.
    #[default]
    None,
    /// A student's.
    Student(Box<StudentClient>),
    /// The teacher's.
    Teacher(Box<TeacherClient>),
}

impl ClassroomView {
    /// What the teacher says to all; absent: there is no class, or nothing was heard.
    pub fn state(&self) -> Option<&ClassState> {
        match &self.part {
            ClassPart::None => None,
            ClassPart::Student(student) => student.state(),
            ClassPart::Teacher(teacher) => Some(teacher.state()),
        }
    }

    /// The question before the class.
    pub fn question(&self) -> Option<&ClassQuestion> {
        self.state()?.question.as_ref()
    }

    /// How far that question of the course is in the class; absent: it is not before it.
    pub fn phase_of(&self, address: &QuestionAddress) -> Option<QuestionPhase> {
        self.question().filter(|question| question.address == *address).map(|one| one.phase)
    }

    /// Is it the student's page, covered by the teacher?
    pub fn is_covered(&self) -> bool {
        matches!(self.part, ClassPart::Student(_))
            && self.state().is_some_and(|state| state.is_paused && !state.is_over)
    }

    /// Is this the teacher's page?
    pub fn leads(&self) -> bool {
        matches!(self.part, ClassPart::Teacher(_))
    }

    /// The teacher's part.
    pub fn teacher(&mut self) -> Option<&mut TeacherClient> {
        match &mut self.part {
            ClassPart::Teacher(teacher) => Some(teacher),
            _ => None,
        }
    }

    /// A student's part.
    pub fn student(&mut self) -> Option<&mut StudentClient> {
        match &mut self.part {
            ClassPart::Student(student) => Some(student),
            _ => None,
        }
    }

    /// Opens the wall, or closes it; pages that are not a teacher's have none.
    pub fn turn_wall(&mut self) {
        self.wall = match self.wall.take() {
            None if self.leads() => Some(Wall::default()),
            _ => None,
        };
    }
}
