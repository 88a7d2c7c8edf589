//! View state of the class: the role of this page, and the teacher's windows and wall.

use std::collections::BTreeMap;

use bindpose_class_protocol::{
    ClassQuestion, ClassState, Invitation, QuestionAddress, QuestionPhase, StudentClient,
    StudentId, StudentNames, StudentView, TeacherClient,
};
use bindpose_diagnostic::printable;
use bindpose_notebook::export::ExportFormat;
use bindpose_notebook::scene::Scene;

/// View state of the class.
#[derive(Debug, Default)]
pub struct ClassroomView {
    pub role: ClassRole,
    /// True while there is no connection to the room.
    pub is_cut_off: bool,
    /// Addresses and code by which students join. Shown by the teacher.
    pub invitation: Option<Invitation>,
    /// Index of the shown address of the invitation.
    pub address_index: usize,
    /// True while the invitation is shown.
    pub shows_invitation: bool,
    /// Progress of scrolling to the question.
    pub(crate) question_scroll: QuestionScroll,
    /// True if the teacher sees answers before they are revealed.
    pub shows_answers_early: bool,
    /// Pages of all students. `None` while the wall is closed.
    pub wall: Option<Wall>,
    /// Window for the student's name. `None` while it is closed.
    pub name: Option<NameEntry>,
    /// Choices in the teacher's report window. `None` while it is closed.
    pub report: Option<ReportRequest>,
}

/// Role of a page in a class.
#[derive(Debug, Default)]
pub enum ClassRole {
    /// The page belongs to no class.
    #[default]
    None,
    Student(Box<StudentClient>),
    Teacher(Box<TeacherClient>),
}

impl ClassroomView {
    /// Returns the state that the teacher shares with all pages. Returns `None` outside of a
    /// class and before the first message.
    pub fn state(&self) -> Option<&ClassState> {
        match &self.role {
            ClassRole::None => None,
            ClassRole::Student(student) => student.state(),
            ClassRole::Teacher(teacher) => Some(teacher.state()),
        }
    }

    /// Returns the current question of the class.
    pub fn question(&self) -> Option<&ClassQuestion> {
        self.state()?.question.as_ref()
    }

    /// Returns the phase of a question. Returns `None` if the class has another one or none.
    pub fn phase_of(&self, address: &QuestionAddress) -> Option<QuestionPhase> {
        let question = self.question()?;
        (question.address == *address).then_some(question.phase)
    }

    /// Returns true if this is a student's page that the teacher has covered.
    pub fn is_covered(&self) -> bool {
        matches!(self.role, ClassRole::Student(_))
            && self.state().is_some_and(|state| state.is_paused && !state.is_over)
    }

    /// Returns true if this is the teacher's page.
    pub fn is_teacher(&self) -> bool {
        matches!(self.role, ClassRole::Teacher(_))
    }

    /// Replaces the invitation. The shown address stays if the addresses are the same.
    pub fn set_invitation(&mut self, invitation: Invitation) {
        if self.invitation.as_ref().is_none_or(|last| last.addresses != invitation.addresses) {
            self.address_index = 0;
        }
        self.invitation = Some(invitation);
    }

    pub fn teacher(&mut self) -> Option<&mut TeacherClient> {
        match &mut self.role {
            ClassRole::Teacher(teacher) => Some(teacher),
            _ => None,
        }
    }

    pub fn student(&mut self) -> Option<&mut StudentClient> {
        match &mut self.role {
            ClassRole::Student(student) => Some(student),
            _ => None,
        }
    }

    /// Opens or closes the wall. Only the teacher's page has one.
    pub fn toggle_wall(&mut self) {
        self.wall = match self.wall.take() {
            None if self.is_teacher() => Some(Wall::default()),
            _ => None,
        };
    }
}

/// Progress of scrolling to the question of the class.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuestionScroll {
    /// The question and its phase. `None` before the first question.
    pub(crate) target: Option<(QuestionAddress, QuestionPhase)>,
    /// Height of the question's card in the last frame, in points. It changes when a
    /// verdict or the bars of the answers appear.
    pub(crate) card_height: f32,
    /// Number of frames that scrolled.
    pub(crate) frame_count: u8,
    /// Set when the card is visible. From then on the reader may scroll away.
    pub(crate) is_done: bool,
}

/// State of the window for the student's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameEntry {
    pub(crate) text: String,
    /// Set when the window opens. Its field then requests the focus.
    pub(crate) takes_focus: bool,
}

impl NameEntry {
    /// Creates an entry with the student's current name.
    pub fn new(name: &str) -> Self {
        Self { text: name.to_owned(), takes_focus: true }
    }
}

/// Choices for a report of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportRequest {
    /// Form of the students' names.
    pub names: StudentNames,
    pub format: ExportFormat,
}

impl Default for ReportRequest {
    fn default() -> Self {
        Self { names: StudentNames::default(), format: ExportFormat::Html }
    }
}

// The wall: the pages of all students.

/// Time between two redrawn pictures. The page stays responsive, and thirty pictures take
/// 1.2 seconds.
pub(crate) const WALL_REDRAW_SECS: f64 = 0.04;
/// Maximum number of pictures that are redrawn in one slow frame.
const MAX_REDRAWS_PER_FRAME: f64 = 10.0;

/// State of the open wall.
#[derive(Debug, Default)]
pub struct Wall {
    pub(crate) pictures: BTreeMap<StudentId, WallPicture>,
    pub(crate) order: WallOrder,
    /// Chosen students, the latest last.
    pub(crate) chosen: Vec<StudentId>,
    /// Time of the last frame that was allowed to redraw pictures.
    last_redraw_secs: f64,
    /// Number of pictures that may still be redrawn.
    pub(crate) redraws_left: u32,
}

/// Picture of a student's page.
#[derive(Debug, Default)]
pub(crate) struct WallPicture {
    /// Link to the drawn page.
    pub(crate) link: String,
    pub(crate) size_px: [u32; 2],
    /// `None` if the page has no picture or its model is missing here.
    pub(crate) scene: Option<Scene>,
    /// Numbers of the lesson and the step, for people.
    pub(crate) place: String,
}

/// Order of the students on the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WallOrder {
    /// Order of joining.
    #[default]
    Joining,
    Name,
    /// Students at the same step are neighbours.
    Place,
}

impl Wall {
    /// Returns the present students in the chosen order, with their names for the teacher.
    pub(crate) fn ordered_students<'a>(
        &self,
        teacher: &'a TeacherClient,
    ) -> Vec<(&'a StudentView, String)> {
        let mut students: Vec<_> =
            named_students(teacher).into_iter().filter(|(student, _)| student.is_here).collect();
        match self.order {
            WallOrder::Joining => {}
            WallOrder::Name => students.sort_by_key(|(_, name)| name.to_lowercase()),
            WallOrder::Place => students.sort_by_key(|(student, _)| {
                student.record.page.split('?').next().unwrap_or_default().to_owned()
            }),
        }
        students
    }

    /// Sets the number of pictures that may be redrawn from the time since the last
    /// redraw. Slow frames redraw several.
    pub(crate) fn allow_redraws(&mut self, now_secs: f64) {
        let count = ((now_secs - self.last_redraw_secs) / WALL_REDRAW_SECS)
            .clamp(0.0, MAX_REDRAWS_PER_FRAME);
        if count >= 1.0 {
            self.redraws_left = count as u32;
            self.last_redraw_secs = now_secs;
        }
    }

    /// Chooses a student, or clears that choice. At most two students are chosen.
    pub(crate) fn toggle_chosen(&mut self, id: StudentId) {
        if let Some(index) = self.chosen.iter().position(|other| *other == id) {
            self.chosen.remove(index);
            return;
        }
        if self.chosen.len() == 2 {
            self.chosen.remove(0);
        }
        self.chosen.push(id);
    }
}

/// Returns all students in the order of joining, with their names for the teacher.
pub(crate) fn named_students(teacher: &TeacherClient) -> Vec<(&StudentView, String)> {
    let form = if teacher.state().hides_names { StudentNames::None } else { StudentNames::Full };
    let names = form.of(teacher.students());
    teacher.students().zip(names.iter().map(|name| printable(name).into())).collect()
}
