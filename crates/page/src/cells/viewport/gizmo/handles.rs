//! What can be taken hold of: a ring, an arrow, the end of two bones.

use bindpose_notebook::posing::{MoveAxis, TurnAxis};
use eframe::egui::Pos2;
use glam::DVec3;

use super::view::JointView;

/// Straight pieces of a ring.
const SEGMENTS: usize = 64;

/// A ring or an arrow in its place, or the end of two bones.
pub(super) struct Handle {
    /// 0 is x; of the end of two bones 3.
    pub(super) axis: usize,
    pub(super) kind: HandleKind,
    /// Points on the screen, one after the other, with whether each lies on the
    /// reader's side of the joint.
    pub(super) line: Vec<(Pos2, bool)>,
}

/// What it is, with what a drag along it means.
#[derive(Clone, Copy)]
pub(super) enum HandleKind {
    Ring(TurnAxis),
    Arrow(MoveAxis),
    End,
}

impl Handle {
    pub(super) fn new(view: &JointView, axis: usize, kind: HandleKind) -> Self {
        let far = f64::from(view.reach_points()) * view.world_per_point();
        let points: Vec<DVec3> = match &kind {
            HandleKind::Ring(turn) => turn.ring(far, SEGMENTS).collect(),
            HandleKind::Arrow(slide) => {
                let along = slide.step_in_world.normalize() * far;
                let origin = view.held.origin_in_world;
                vec![origin + along * 0.18, origin + along]
            }
            HandleKind::End => Vec::new(),
        };
        let forward = view.camera.forward().as_dvec3();
        let line = points.into_iter().filter_map(|point| {
            let behind = (point - view.held.origin_in_world).dot(forward);
            Some((view.project(point)?, behind <= 1e-6 * far))
        });
        Self { axis, kind, line: line.collect() }
    }

    /// The end of two bones.
    pub(super) fn end(view: &JointView) -> Self {
        Self { axis: 3, kind: HandleKind::End, line: vec![(view.at, true)] }
    }

    /// Far from the joint it is taken hold of; in points.
    pub(super) fn distance(&self, at: Pos2) -> f32 {
        let pieces = self.line.windows(2).map(|ends| {
            let far = distance_to_segment(at, [ends[0].0, ends[1].0]);
            // What lies behind gives way to what lies before it.
            if ends[0].1 { far } else { far + 4.0 }
        });
        let points = self.line.iter().map(|(point, _)| point.distance(at));
        let points = points.filter(|_| self.line.len() == 1);
        pieces.chain(points).fold(f32::INFINITY, f32::min)
    }

    /// Where words about it stand: its point that is farthest up and to the right.
    pub(super) fn words_at(&self) -> Option<Pos2> {
        let points = self.line.iter().map(|(point, _)| *point);
        points.max_by(|a, b| (a.x - a.y).total_cmp(&(b.x - b.y)))
    }
}

fn distance_to_segment(at: Pos2, [from, to]: [Pos2; 2]) -> f32 {
    let along = to - from;
    let part = (at - from).dot(along) / along.length_sq().max(1e-6);
    at.distance(from + along * part.clamp(0.0, 1.0))
}
