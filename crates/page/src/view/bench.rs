//! State of the bench across steps: whether it is open, the compared matrices and the
//! snapshots of the page.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{JointRef, MatrixRef};
use bindpose_notebook::{Document, PageSnapshot, SettingGroup, copy_settings};

/// State of the bench. Nothing is lost for the reader if it is dropped.
#[derive(Debug)]
pub struct BenchState {
    pub is_open: bool,
    /// True if the bench replaces the prose in this frame.
    pub replaces_prose: bool,
    /// True if the bench is a sheet with tabs in this frame.
    pub as_sheet: bool,
    /// Open tab of the sheet.
    pub tab: Tab,
    /// Operands of the difference A − B.
    pub compared: [ComparedMatrix; 2],
    pub snapshots: Snapshots,
    /// True if the pictures of both snapshots are switched on.
    pub shows_pictures: bool,
}

impl Default for BenchState {
    fn default() -> Self {
        let before_last_change =
            ComparedMatrix { moment: BenchMoment::BeforeLastChange, ..ComparedMatrix::default() };
        Self {
            is_open: false,
            replaces_prose: false,
            as_sheet: false,
            tab: Tab::default(),
            compared: [ComparedMatrix::default(), before_last_change],
            snapshots: Snapshots::default(),
            shows_pictures: false,
        }
    }
}

/// Tab of the bench as a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The shelf of the step. The handle opens it, and it has no button among the tabs. On
    /// steps without a shelf it is the first of them.
    #[default]
    Shelf,
    /// Angles of all joints.
    Angles,
    /// Weights of the chosen vertex.
    Weights,
    /// Matrices of the chosen joint, and any two compared.
    Matrices,
    /// The copies of the chosen vertex, and their weighted sum.
    Sum,
}

impl Tab {
    /// Tabs with a button, from left to right.
    pub const WITH_BUTTON: [Self; 4] = [Self::Angles, Self::Weights, Self::Matrices, Self::Sum];

    pub fn label(self) -> &'static str {
        match self {
            Self::Shelf => "Shelf",
            Self::Angles => "Angles",
            Self::Weights => "Weights",
            Self::Matrices => "Matrices",
            Self::Sum => "Sum",
        }
    }
}

/// One side of a comparison of matrices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedMatrix {
    pub matrix: MatrixRef,
    /// State of the page from which the matrix is taken.
    pub moment: BenchMoment,
}

/// State of the page from which a compared matrix is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BenchMoment {
    #[default]
    Now,
    /// State before the last change in the undo history.
    BeforeLastChange,
    Snapshot(PageSnapshot),
}

impl ComparedMatrix {
    /// Creates an operand from the page's current state.
    pub fn now(matrix: MatrixRef) -> Self {
        Self { matrix, moment: BenchMoment::Now }
    }
}

impl Default for ComparedMatrix {
    fn default() -> Self {
        Self { matrix: MatrixRef::WorldFromBind(JointRef::Chosen), moment: BenchMoment::Now }
    }
}

/// State of the page that the reader kept.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub document: Document,
    /// Number of the step, from 1.
    pub step: usize,
    /// Stored rig of the page at that time.
    rig: Arc<Rig>,
}

/// The snapshots A and B.
#[derive(Debug, Default)]
pub struct Snapshots {
    kept: [Option<Snapshot>; 2],
    /// Page before the reader went to a snapshot.
    before: Option<Document>,
    /// Links of the snapshots of the last run, until their lesson is open.
    pub pending_links: [Option<String>; 2],
    revision: u64,
}

impl Snapshots {
    /// Keeps the page as a snapshot.
    pub fn keep(&mut self, which: PageSnapshot, document: &Document, stored_rig: &Arc<Rig>) {
        let index = match which {
            PageSnapshot::A => 0,
            PageSnapshot::B => 1,
            PageSnapshot::Before => {
                self.before = Some(document.clone());
                return;
            }
        };
        self.revision += 1;
        self.kept[index] = Some(Snapshot {
            document: document.clone(),
            step: document.step + 1,
            rig: Arc::clone(stored_rig),
        });
        self.pending_links[index] = None;
    }

    /// Returns true if there is neither a snapshot nor a link of the last run.
    pub fn is_empty(&self) -> bool {
        self.kept.iter().all(Option::is_none) && self.pending_links.iter().all(Option::is_none)
    }

    /// Returns A and B as links. Those that are not links yet are written by `write_link`.
    pub fn links(
        &self,
        write_link: impl Fn(&Document, &Arc<Rig>) -> Option<String>,
    ) -> [Option<String>; 2] {
        [0, 1].map(|index| match &self.kept[index] {
            Some(snapshot) => write_link(&snapshot.document, &snapshot.rig),
            None => self.pending_links[index].clone(),
        })
    }

    /// Returns a number that increases whenever a snapshot is kept.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a snapshot if it is of this lesson and rig.
    pub fn get(
        &self,
        which: PageSnapshot,
        lesson: &str,
        stored_rig: &Arc<Rig>,
    ) -> Option<&Snapshot> {
        let snapshot = match which {
            PageSnapshot::A => self.kept[0].as_ref()?,
            PageSnapshot::B => self.kept[1].as_ref()?,
            PageSnapshot::Before => return None,
        };
        let is_of_page =
            snapshot.document.lesson == lesson && Arc::ptr_eq(&snapshot.rig, stored_rig);
        is_of_page.then_some(snapshot)
    }

    /// Returns true if the page equals the snapshot, apart from the selection.
    pub fn is_at(&self, which: PageSnapshot, now: &Document, stored_rig: &Arc<Rig>) -> bool {
        self.get(which, &now.lesson, stored_rig)
            .is_some_and(|snapshot| is_same_page(&snapshot.document, now))
    }

    /// Returns the page to show next when the reader flips: from A to B, from B to A, from
    /// anything else to A.
    ///
    /// With a single snapshot it flips between that and the page before. Returns `None` if
    /// there is no snapshot of this step.
    pub fn flip(
        &mut self,
        now: &Document,
        stored_rig: &Arc<Rig>,
    ) -> Option<(PageSnapshot, Document)> {
        let order = if self.is_at(PageSnapshot::A, now, stored_rig) {
            [PageSnapshot::B, PageSnapshot::Before]
        } else if self.is_at(PageSnapshot::B, now, stored_rig) {
            [PageSnapshot::A, PageSnapshot::Before]
        } else {
            [PageSnapshot::A, PageSnapshot::B]
        };
        order.into_iter().find_map(|which| Some((which, self.go(which, now, stored_rig)?)))
    }

    /// Returns the page of the snapshot, with the current selection.
    ///
    /// Keeps the current page as [`PageSnapshot::Before`], unless it is at a snapshot.
    /// Returns `None` if there is no snapshot of this step.
    pub fn go(
        &mut self,
        which: PageSnapshot,
        now: &Document,
        stored_rig: &Arc<Rig>,
    ) -> Option<Document> {
        let target = if which == PageSnapshot::Before {
            self.before.as_ref()?
        } else {
            &self.get(which, &now.lesson, stored_rig)?.document
        };
        if !is_same_step(target, now) {
            return None;
        }
        let mut target = target.clone();
        copy_settings(&mut target.state, &now.state, &[SettingGroup::Selection]);
        if which == PageSnapshot::Before {
            self.before = None;
        } else if !self.is_at(PageSnapshot::A, now, stored_rig)
            && !self.is_at(PageSnapshot::B, now, stored_rig)
        {
            self.before = Some(now.clone());
        }
        Some(target)
    }

    /// Returns true if the page before the visit of a snapshot can be restored.
    pub fn can_go_back(&self, now: &Document) -> bool {
        self.before
            .as_ref()
            .is_some_and(|before| is_same_step(before, now) && !is_same_page(before, now))
    }
}

fn is_same_step(a: &Document, b: &Document) -> bool {
    a.lesson == b.lesson && a.step == b.step
}

/// Compares documents without the selection.
fn is_same_page(a: &Document, b: &Document) -> bool {
    let mut a = a.clone();
    copy_settings(&mut a.state, &b.state, &[SettingGroup::Selection]);
    a == *b
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;
    use bindpose_skin::JointIndex;

    use super::*;

    fn page_with_nod(nod: f64) -> Document {
        let mut document = Document { lesson: "sample".to_owned(), ..Document::default() };
        document.state.params.insert("nod".to_owned(), nod);
        document
    }

    #[test]
    fn flipping_alternates_and_the_page_before_can_be_restored() {
        let rig = builtin("arm").unwrap();
        let mut snapshots = Snapshots::default();
        assert_eq!(snapshots.flip(&page_with_nod(0.0), &rig), None);
        snapshots.keep(PageSnapshot::A, &page_with_nod(1.0), &rig);
        snapshots.keep(PageSnapshot::B, &page_with_nod(2.0), &rig);
        assert!(!snapshots.can_go_back(&page_with_nod(3.0)), "no snapshot was visited");
        assert_eq!(
            snapshots.flip(&page_with_nod(3.0), &rig),
            Some((PageSnapshot::A, page_with_nod(1.0)))
        );
        assert_eq!(
            snapshots.flip(&page_with_nod(1.0), &rig),
            Some((PageSnapshot::B, page_with_nod(2.0)))
        );
        assert_eq!(
            snapshots.flip(&page_with_nod(2.0), &rig),
            Some((PageSnapshot::A, page_with_nod(1.0)))
        );
        assert!(snapshots.can_go_back(&page_with_nod(1.0)));
        assert_eq!(
            snapshots.go(PageSnapshot::Before, &page_with_nod(1.0), &rig),
            Some(page_with_nod(3.0))
        );
        assert!(!snapshots.can_go_back(&page_with_nod(3.0)));
    }

    #[test]
    fn single_snapshot_is_flipped_with_the_page_before() {
        let rig = builtin("arm").unwrap();
        let mut snapshots = Snapshots::default();
        snapshots.keep(PageSnapshot::B, &page_with_nod(2.0), &rig);
        assert_eq!(
            snapshots.flip(&page_with_nod(3.0), &rig),
            Some((PageSnapshot::B, page_with_nod(2.0)))
        );
        assert_eq!(
            snapshots.flip(&page_with_nod(2.0), &rig),
            Some((PageSnapshot::Before, page_with_nod(3.0)))
        );
    }

    #[test]
    fn selection_stays_and_other_steps_and_models_are_not_visited() {
        let rig = builtin("arm").unwrap();
        let mut snapshots = Snapshots::default();
        snapshots.keep(PageSnapshot::A, &page_with_nod(1.0), &rig);
        let mut now = page_with_nod(3.0);
        now.state.joint = JointIndex(2);
        let target = snapshots.go(PageSnapshot::A, &now, &rig).unwrap();
        assert_eq!(target.state.joint, JointIndex(2));
        assert!(snapshots.is_at(PageSnapshot::A, &target, &rig));

        let other_step = Document { step: 1, ..page_with_nod(3.0) };
        assert_eq!(snapshots.go(PageSnapshot::A, &other_step, &rig), None);
        assert!(snapshots.get(PageSnapshot::A, "sample", &rig).is_some(), "it can be compared");
        assert!(snapshots.get(PageSnapshot::A, "sample", &builtin("head").unwrap()).is_none());
        assert!(snapshots.get(PageSnapshot::A, "other", &rig).is_none());
    }
}
