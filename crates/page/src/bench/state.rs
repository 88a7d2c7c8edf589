//! What the bench keeps across steps: open or not, what is compared, and the
//! states that were kept to be compared.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{JointRef, MatrixRef};
use bindpose_notebook::{Document, PageSnapshot, SettingGroup, copy_settings};

/// May be lost without harm.
#[derive(Debug)]
pub struct BenchState {
    /// Is the bench open?
    pub open: bool,
    /// In this frame it stands where the prose would.
    pub for_prose: bool,
    /// In this frame it is a sheet with tabs.
    pub as_sheet: bool,
    /// What the sheet shows.
    pub tab: Tab,
    /// A and B of A − B.
    pub compared: [ComparedMatrix; 2],
    /// States that were kept.
    pub snapshots: Snapshots,
    /// Are the pictures of both shown?
    pub pictures: bool,
}

impl Default for BenchState {
    fn default() -> Self {
        let before =
            ComparedMatrix { when: BenchMoment::BeforeLastChange, ..ComparedMatrix::default() };
        Self {
            open: false,
            for_prose: false,
            as_sheet: false,
            tab: Tab::default(),
            compared: [ComparedMatrix::default(), before],
            snapshots: Snapshots::default(),
            pictures: false,
        }
    }
}

/// What a bench that is a sheet shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Angles of all joints.
    #[default]
    Angles,
    /// Weights of the chosen vertex.
    Weights,
    /// Matrices of the chosen joint, and any two compared.
    Matrices,
    /// The copies of the chosen vertex, and their weighted sum.
    Sum,
}

impl Tab {
    /// In their order.
    pub const ALL: [Self; 4] = [Self::Angles, Self::Weights, Self::Matrices, Self::Sum];

    /// On the tab.
    pub fn words(self) -> &'static str {
        match self {
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
    /// Which matrix.
    pub matrix: MatrixRef,
    /// As it is in which state of the page.
    pub when: BenchMoment,
}

/// A state of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BenchMoment {
    /// As it is.
    #[default]
    Now,
    /// Before the last change that undo knows.
    BeforeLastChange,
    /// As it was kept.
    Snapshot(PageSnapshot),
}

impl ComparedMatrix {
    /// A matrix as it is on the page.
    pub fn now(matrix: MatrixRef) -> Self {
        Self { matrix, when: BenchMoment::Now }
    }
}

impl Default for ComparedMatrix {
    fn default() -> Self {
        Self { matrix: MatrixRef::WorldFromBind(JointRef::Chosen), when: BenchMoment::Now }
    }
}

/// A kept state.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The page.
    pub document: Document,
    /// Its step, from 1.
    pub step: usize,
    /// The stored rig that it is about.
    rig: Arc<Rig>,
}

/// A, B, and how the page was before the reader went to one of them.
#[derive(Debug, Default)]
pub struct Snapshots {
    kept: [Option<Snapshot>; 2],
    before: Option<Document>,
    /// Of the last run, as links, until their lesson is open.
    pub waiting: [Option<String>; 2],
    revision: u64,
}

impl Snapshots {
    /// Keeps the page as it is now, as A or as B.
    pub fn keep(&mut self, which: PageSnapshot, document: &Document, stored_rig: &Arc<Rig>) {
        let snapshot = Some(Snapshot {
            document: document.clone(),
            step: document.step + 1,
            rig: Arc::clone(stored_rig),
        });
        let place = match which {
            PageSnapshot::A => 0,
            PageSnapshot::B => 1,
            PageSnapshot::Before => {
                self.before = Some(document.clone());
                return;
            }
        };
        self.revision += 1;
        self.kept[place] = snapshot;
        self.waiting[place] = None;
    }

    /// Is nothing kept, and nothing of the last run waiting?
    pub fn is_empty(&self) -> bool {
        self.kept.iter().all(Option::is_none) && self.waiting.iter().all(Option::is_none)
    }

    /// A and B as links, written by `link` where they are no links yet.
    pub fn links(
        &self,
        link: impl Fn(&Document, &Arc<Rig>) -> Option<String>,
    ) -> [Option<String>; 2] {
        [0, 1].map(|place| match &self.kept[place] {
            Some(kept) => link(&kept.document, &kept.rig),
            None => self.waiting[place].clone(),
        })
    }

    /// Grows whenever something is kept.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What was kept of this lesson on this rig.
    pub fn get(
        &self,
        which: PageSnapshot,
        lesson: &str,
        stored_rig: &Arc<Rig>,
    ) -> Option<&Snapshot> {
        let kept = match which {
            PageSnapshot::A => self.kept[0].as_ref(),
            PageSnapshot::B => self.kept[1].as_ref(),
            PageSnapshot::Before => None,
        };
        kept.filter(|kept| kept.document.lesson == lesson && Arc::ptr_eq(&kept.rig, stored_rig))
    }

    /// Is the page as this snapshot has it, but for what is chosen?
    pub fn is_at(&self, which: PageSnapshot, now: &Document, stored_rig: &Arc<Rig>) -> bool {
        let kept = self.get(which, &now.lesson, stored_rig);
        kept.is_some_and(|kept| is_same(&kept.document, now))
    }

    /// The page to show next when the reader flips: from A to B, from B to A, from
    /// anything else to A; with one snapshot alone, between that and how it was.
    /// `None`: nothing was kept of this step.
    pub fn flip(
        &mut self,
        now: &Document,
        stored_rig: &Arc<Rig>,
    ) -> Option<(PageSnapshot, Document)> {
        let at = |which| self.is_at(which, now, stored_rig);
        let order = if at(PageSnapshot::A) {
            [PageSnapshot::B, PageSnapshot::Before]
        } else if at(PageSnapshot::B) {
            [PageSnapshot::A, PageSnapshot::Before]
        } else {
            [PageSnapshot::A, PageSnapshot::B]
        };
        order.into_iter().find_map(|which| Some((which, self.go(which, now, stored_rig)?)))
    }

    /// The page as it is there, with the joint and the vertex that are chosen now.
    /// Remembers how the page was, unless it is at a snapshot. `None`: nothing was
    /// kept of this step.
    pub fn go(
        &mut self,
        which: PageSnapshot,
        now: &Document,
        stored_rig: &Arc<Rig>,
    ) -> Option<Document> {
        let there = if which == PageSnapshot::Before {
            self.before.as_ref()
        } else {
            let kept = self.get(which, &now.lesson, stored_rig);
            kept.map(|kept| &kept.document)
        };
        let mut there = there.filter(|there| is_same_step(there, now))?.clone();
        copy_settings(&mut there.state, &now.state, &[SettingGroup::Selection]);
        let at_one =
            [PageSnapshot::A, PageSnapshot::B].map(|which| self.is_at(which, now, stored_rig));
        if which == PageSnapshot::Before {
            self.before = None;
        } else if at_one == [false, false] {
            self.before = Some(now.clone());
        }
        Some(there)
    }

    /// Is there a way back from an excursion?
    pub fn can_go_back(&self, now: &Document) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| is_same_step(before, now) && !is_same(before, now))
    }
}

fn is_same_step(one: &Document, other: &Document) -> bool {
    (&one.lesson, one.step) == (&other.lesson, other.step)
}

/// But for what is chosen.
fn is_same(one: &Document, other: &Document) -> bool {
    let mut one = one.clone();
    copy_settings(&mut one.state, &other.state, &[SettingGroup::Selection]);
    one == *other
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_skin::JointIndex;

    use super::*;

    fn at(nod: f64) -> Document {
        let mut document = Document { lesson: "sample".to_owned(), ..Document::default() };
        document.state.params.insert("nod".to_owned(), nod);
        document
    }

    #[test]
    fn flipping_goes_to_and_fro_and_there_is_a_way_back() {
        let rig = builtin("arm").unwrap();
        let mut kept = Snapshots::default();
        assert_eq!(kept.flip(&at(0.0), &rig), None);
        kept.keep(PageSnapshot::A, &at(1.0), &rig);
        kept.keep(PageSnapshot::B, &at(2.0), &rig);
        assert!(!kept.can_go_back(&at(3.0)), "nobody went anywhere");
        assert_eq!(kept.flip(&at(3.0), &rig), Some((PageSnapshot::A, at(1.0))));
        assert_eq!(kept.flip(&at(1.0), &rig), Some((PageSnapshot::B, at(2.0))));
        assert_eq!(kept.flip(&at(2.0), &rig), Some((PageSnapshot::A, at(1.0))));
        assert!(kept.can_go_back(&at(1.0)));
        assert_eq!(kept.go(PageSnapshot::Before, &at(1.0), &rig), Some(at(3.0)));
        assert!(!kept.can_go_back(&at(3.0)));
    }

    #[test]
    fn one_snapshot_alone_is_flipped_with_how_it_was() {
        let rig = builtin("arm").unwrap();
        let mut kept = Snapshots::default();
        kept.keep(PageSnapshot::B, &at(2.0), &rig);
        assert_eq!(kept.flip(&at(3.0), &rig), Some((PageSnapshot::B, at(2.0))));
        assert_eq!(kept.flip(&at(2.0), &rig), Some((PageSnapshot::Before, at(3.0))));
    }

    #[test]
    fn what_is_chosen_stays_and_another_step_or_model_is_left_alone() {
        let rig = builtin("arm").unwrap();
        let mut kept = Snapshots::default();
        kept.keep(PageSnapshot::A, &at(1.0), &rig);
        let mut now = at(3.0);
        now.state.joint = JointIndex(2);
        let there = kept.go(PageSnapshot::A, &now, &rig).unwrap();
        assert_eq!(there.state.joint, JointIndex(2));
        assert!(kept.is_at(PageSnapshot::A, &there, &rig));

        let elsewhere = Document { step: 1, ..at(3.0) };
        assert_eq!(kept.go(PageSnapshot::A, &elsewhere, &rig), None);
        assert!(kept.get(PageSnapshot::A, "sample", &rig).is_some(), "to compare with");
        assert!(kept.get(PageSnapshot::A, "sample", &builtin("head").unwrap()).is_none());
        assert!(kept.get(PageSnapshot::A, "other", &rig).is_none());
    }
}
