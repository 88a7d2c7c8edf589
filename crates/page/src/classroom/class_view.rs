//! The class, in the page's view: what this page is in it, and what the teacher's page keeps
//! of its windows and of everyone's pages.

use std::collections::BTreeMap;

use bindpose_classroom::{
    ClassQuestion, ClassState, Invitation, QuestionAddress, QuestionPhase, StudentClient,
    StudentId, StudentNames, StudentView, TeacherClient,
};
use bindpose_diagnostic::printable;
use bindpose_notebook::export::ExportFormat;
use bindpose_notebook::scene::Scene;

/// The class, in the page's view.
#[derive(Debug, Default)]
pub struct ClassroomView {
    /// What this page is in it.
    pub part: ClassPart,
    /// Is there no line to the room, for now?
    pub is_cut_off: bool,
    /// How to come in, for the teacher to show.
    pub invitation: Option<Invitation>,
    /// Which of its addresses is shown.
    pub address_index: usize,
    /// Is that shown?
    pub invites: bool,
    /// Brings the question into sight.
    pub(super) question_scroll: QuestionScroll,
    /// Does the teacher look at answers before they are revealed?
    pub peeks: bool,
    /// The pages of all students, while the teacher looks at them.
    pub wall: Option<Wall>,
    /// The student's window for a name; absent: it is closed.
    pub name: Option<NameEntry>,
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

    /// Takes an invitation. The address that was chosen stays, if the addresses are the same.
    pub fn take_invitation(&mut self, invitation: Invitation) {
        if self.invitation.as_ref().is_none_or(|last| last.addresses != invitation.addresses) {
            self.address_index = 0;
        }
        self.invitation = Some(invitation);
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

/// How far a page has come with scrolling to the question before its class.
#[derive(Clone, Debug, Default)]
pub(super) struct QuestionScroll {
    /// The question and its phase; absent before the first.
    pub(super) shown: Option<(QuestionAddress, QuestionPhase)>,
    /// The card's height in the last frame: a verdict or bars may still come into it.
    pub(super) height: f32,
    /// Scrolled in so many frames.
    pub(super) frame_count: u8,
    /// Is the card in sight? Then the reader may scroll away.
    pub(super) is_done: bool,
}

/// The name that a student types into its window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameEntry {
    pub(super) typed: String,
    /// Set when the window opens: its field takes the focus.
    pub(super) takes_focus: bool,
}

impl NameEntry {
    /// Opens with the name that the student has now.
    pub fn new(name: &str) -> Self {
        Self { typed: name.to_owned(), takes_focus: true }
    }
}

/// How a report of the class is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportRequest {
    /// What students are called in it.
    pub names: StudentNames,
    /// HTML, CSV or JSON.
    pub format: ExportFormat,
}

impl Default for ReportRequest {
    fn default() -> Self {
        Self { names: StudentNames::default(), format: ExportFormat::Html }
    }
}

// The pages of all students.

/// Between two pictures that are drawn anew: the page goes on, and thirty take 1.2 seconds.
pub(super) const WALL_EACH_SECS: f64 = 0.04;
/// In one frame, where frames are slow.
const MOST_AT_ONCE: f64 = 10.0;

/// What the teacher's page keeps of the wall while it is open.
#[derive(Debug, Default)]
pub struct Wall {
    pub(super) pictures: BTreeMap<StudentId, WallPicture>,
    pub(super) order: WallOrder,
    /// Those who are chosen, the latest last.
    pub(super) chosen: Vec<StudentId>,
    /// Since when pictures may be drawn anew, and how many.
    since_secs: f64,
    pub(super) allowed: u32,
}

/// One student's page.
#[derive(Debug, Default)]
pub(super) struct WallPicture {
    /// As it was drawn.
    pub(super) link: String,
    /// In pixels.
    pub(super) size: [u32; 2],
    /// Absent: the page has no picture, or stands on a model that is not here.
    pub(super) scene: Option<Scene>,
    /// Number of the lesson and the step.
    pub(super) place: String,
}

/// In which order students stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WallOrder {
    /// As they came.
    #[default]
    Coming,
    /// By name.
    Name,
    /// Those on one step beside each other.
    Place,
}

impl Wall {
    /// Those who are here, with what the teacher calls them.
    pub(super) fn in_order<'a>(
        &self,
        teacher: &'a TeacherClient,
    ) -> Vec<(&'a StudentView, String)> {
        let mut students: Vec<_> =
            named_students(teacher).into_iter().filter(|(student, _)| student.is_here).collect();
        match self.order {
            WallOrder::Coming => {}
            WallOrder::Name => students.sort_by_key(|(_, name)| name.to_lowercase()),
            WallOrder::Place => students.sort_by_key(|(student, _)| {
                student.record.page.split('?').next().unwrap_or_default().to_owned()
            }),
        }
        students
    }

    /// So many pictures may be drawn anew as time has passed; slow frames draw some more.
    pub(super) fn allow(&mut self, now_secs: f64) {
        let passed = ((now_secs - self.since_secs) / WALL_EACH_SECS).clamp(0.0, MOST_AT_ONCE);
        if passed >= 1.0 {
            self.allowed = passed as u32;
            self.since_secs = now_secs;
        }
    }

    pub(super) fn choose(&mut self, id: StudentId) {
        if let Some(at) = self.chosen.iter().position(|other| *other == id) {
            self.chosen.remove(at);
            return;
        }
        if self.chosen.len() == 2 {
            self.chosen.remove(0);
        }
        self.chosen.push(id);
    }
}

/// All students in the order of coming, with what the teacher calls them.
pub(super) fn named_students(teacher: &TeacherClient) -> Vec<(&StudentView, String)> {
    let hides = teacher.state().hides_names;
    let names = if hides { StudentNames::None } else { StudentNames::Full };
    let names = names.of(teacher.students()).into_iter();
    teacher.students().zip(names.map(|name| printable(&name).into())).collect()
}
