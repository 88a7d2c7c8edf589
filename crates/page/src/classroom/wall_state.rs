//! What the teacher's page keeps of everyone's pages.

use std::collections::BTreeMap;

use bindpose_classroom::{MemberId, StudentNames, StudentView, TeacherClient};
use bindpose_diagnostic::printable;
use bindpose_notebook::scene::Scene;

/// Between two pictures that are drawn anew: the page goes on, and thirty take 1.2 seconds.
pub(super) const EACH_SECS: f64 = 0.04;
/// In one frame, where frames are slow.
const MOST_AT_ONCE: f64 = 10.0;

/// What the teacher's page keeps of the wall while it is open.
#[derive(Debug, Default)]
pub struct Wall {
    pub(super) pictures: BTreeMap<MemberId, WallPicture>,
    pub(super) order: WallOrder,
    /// Those who are chosen, the latest last.
    pub(super) chosen: Vec<MemberId>,
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
            named(teacher).into_iter().filter(|(student, _)| student.is_here).collect();
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
        let passed = ((now_secs - self.since_secs) / EACH_SECS).clamp(0.0, MOST_AT_ONCE);
        if passed >= 1.0 {
            self.allowed = passed as u32;
            self.since_secs = now_secs;
        }
    }

    pub(super) fn choose(&mut self, id: MemberId) {
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
pub(super) fn named(teacher: &TeacherClient) -> Vec<(&StudentView, String)> {
    let hides = teacher.state().hides_names;
    let names = if hides { StudentNames::None } else { StudentNames::Full };
    let names = names.of(teacher.students()).into_iter();
    teacher.students().zip(names.map(|name| printable(&name).into())).collect()
}
