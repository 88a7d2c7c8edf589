//! What a picture remembers of poses that it has shown: the mesh in the last of them,
//! and the way of the chosen vertex. Only while it is asked for.

use std::collections::VecDeque;
use std::sync::Arc;

use bindpose_asset::{Mesh, Moved};
use bindpose_lesson::Show;
use glam::{Mat4, Vec3};

use crate::viewport::ViewportFrame;

/// Poses that are remembered, the present one among them.
const MOST_POSES: usize = 5;
/// Places of the vertex that are remembered.
const MOST_PLACES: usize = 400;
/// While something plays, a pose is remembered so often.
const EVERY_SECS: f64 = 0.25;

/// What one picture remembers.
#[derive(Clone, Debug, Default)]
pub struct PastPoses {
    of: Option<Subject>,
    poses: VecDeque<PastPose>,
    last_secs: f64,
    places: VecDeque<Vec3>,
}

/// What it remembers something of: with another begins another memory.
#[derive(Clone, Debug)]
struct Subject {
    page: (String, usize),
    mesh: Arc<Mesh>,
    vertex: u32,
}

#[derive(Clone, Debug)]
struct PastPose {
    palette: Arc<[Mat4]>,
    moved: Arc<Moved>,
}

impl PastPoses {
    /// Takes in what is shown at this moment; forgets what is not asked for. A pose is
    /// remembered where it rests: not `while_held`.
    pub fn see(&mut self, frame: &ViewportFrame<'_>, now_secs: f64, while_held: bool) {
        let (trail, poses) = (frame.shows(Show::Trail), frame.shows(Show::PastPoses));
        if !(trail || poses) {
            if self.of.is_some() {
                *self = Self::default();
            }
            return;
        }
        self.keep_to(frame);
        if trail {
            self.see_place(frame);
        } else {
            self.places.clear();
        }
        if !poses {
            self.poses.clear();
        } else if !while_held {
            self.see_pose(frame, now_secs);
        }
    }

    /// Another page or mesh begins anew, another vertex its own trail.
    fn keep_to(&mut self, frame: &ViewportFrame<'_>) {
        let document = frame.document;
        let page = (document.lesson.clone(), document.step);
        let mesh = &frame.derived.rig.mesh;
        let vertex = document.state.vertex;
        match &mut self.of {
            Some(of) if of.page == page && Arc::ptr_eq(&of.mesh, mesh) => {
                if of.vertex != vertex {
                    of.vertex = vertex;
                    self.places.clear();
                }
            }
            _ => {
                let of = Subject { page, mesh: Arc::clone(mesh), vertex };
                *self = Self { of: Some(of), ..Self::default() };
            }
        }
    }

    fn see_place(&mut self, frame: &ViewportFrame<'_>) {
        let vertex = frame.document.state.vertex;
        let place = frame.derived.position(vertex as usize);
        let Some(place) = place.filter(|place| place.is_finite()) else {
            return;
        };
        if self.places.back() == Some(&place) {
            return;
        }
        if self.places.len() >= MOST_PLACES {
            self.places.pop_front();
        }
        self.places.push_back(place);
    }

    fn see_pose(&mut self, frame: &ViewportFrame<'_>, now_secs: f64) {
        let palette = &frame.derived.palette;
        let is_new = self.poses.back().is_none_or(|last| last.palette != *palette);
        let is_late = (now_secs - self.last_secs).abs() >= EVERY_SECS || self.poses.is_empty();
        if !(is_new && is_late && palette.iter().all(|matrix| matrix.is_finite())) {
            return;
        }
        if self.poses.len() >= MOST_POSES {
            self.poses.pop_front();
        }
        self.poses.push_back(PastPose {
            palette: Arc::clone(palette),
            moved: Arc::new(frame.derived.moved()),
        });
        self.last_secs = now_secs;
    }

    /// The mesh in poses of before, the oldest first: not in the one that is shown.
    pub fn poses(&self, frame: &ViewportFrame<'_>) -> Vec<Arc<Moved>> {
        let others = self.poses.iter();
        let others = others.filter(|past| past.palette != frame.derived.palette);
        others.map(|past| Arc::clone(&past.moved)).collect()
    }

    /// Where the chosen vertex has been, in world space; the oldest place first.
    pub fn trail(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.places.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::ViewportCell;

    use super::*;
    use crate::{Derived, Document};

    /// What is remembered after the joint was seen at these angles, 1 s apart.
    fn after(show: &[Show], angles: impl IntoIterator<Item = f64>) -> (PastPoses, usize) {
        let rig = builtin("bone_grid").unwrap();
        let mut document = Document::default();
        document.state.vertex = 8;
        let influences = Derived::edited_influences(&document, &rig);
        let mut derived = Derived::new(&document, None, &rig, influences);
        let cell = ViewportCell { show: Some(show.to_vec()), ..ViewportCell::default() };
        let (mut past, mut ghosts) = (PastPoses::default(), 0);
        for (nth, angle) in angles.into_iter().enumerate() {
            document.state.params.insert("b0".to_owned(), angle);
            derived = derived.of_other(&document, None);
            let frame = ViewportFrame::new(&cell, &document, &derived, None);
            past.see(&frame, nth as f64, false);
            ghosts = past.poses(&frame).len();
        }
        (past, ghosts)
    }

    #[test]
    fn the_last_poses_and_places_are_remembered_each_once_and_not_without_bound() {
        let both = [Show::Trail, Show::PastPoses];
        let (past, ghosts) = after(&both, [0.1, 0.1, 0.2, 0.3]);
        assert_eq!((past.trail().len(), ghosts), (3, 2));
        let (past, ghosts) = after(&both, (0..1000).map(|nth| f64::from(nth) * 1e-3));
        assert_eq!((past.trail().len(), ghosts), (MOST_PLACES, MOST_POSES - 1));
        let (past, ghosts) = after(&[Show::Trail], [0.1, 0.2]);
        assert_eq!((past.trail().len(), ghosts), (2, 0));
        let (past, ghosts) = after(&[Show::Mesh], [0.1, 0.2]);
        assert_eq!((past.trail().len(), ghosts), (0, 0));
        assert!(past.of.is_none(), "nothing is held");
    }

    #[test]
    fn ghosts_stand_where_the_mesh_stood_and_a_drag_leaves_one() {
        let rig = builtin("bone_grid").unwrap();
        let mut document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let first = Derived::new(&document, None, &rig, influences);
        let cell = ViewportCell { show: Some(vec![Show::PastPoses]), ..ViewportCell::default() };
        let mut past = PastPoses::default();
        past.see(&ViewportFrame::new(&cell, &document, &first, None), 0.0, false);
        let mut derived = first.of_other(&document, None);
        for nth in 1..20 {
            document.state.params.insert("b1".to_owned(), f64::from(nth) * 0.1);
            derived = derived.of_other(&document, None);
            let frame = ViewportFrame::new(&cell, &document, &derived, None);
            past.see(&frame, f64::from(nth), true);
            assert_eq!(past.poses(&frame).len(), 1, "only where it rests");
        }
        let frame = ViewportFrame::new(&cell, &document, &derived, None);
        past.see(&frame, 30.0, false);
        let ghosts = past.poses(&frame);
        assert_eq!(ghosts.len(), 1);
        assert_eq!(ghosts[0].positions[..], first.positions()[..]);
    }
}
