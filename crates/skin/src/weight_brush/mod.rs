//! A brush for weights: which vertices a touch of it reaches, and what their influences
//! become. Nothing is changed here; whoever asks gets the difference.

mod painted_vertex;
mod surface;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::{Influences, JointIndex, LANES, Skeleton};
use crate::keyed;
use painted_vertex::{Rules, Touch};

pub use painted_vertex::Unpainted;

pub use surface::BrushSurface;

keyed! {
    /// What a brush does to weights.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum BrushMode {
        /// The chosen joint gets more.
        #[default]
        Add = "add" => "add",
        /// The chosen joint gets less.
        Subtract = "subtract" => "subtract",
        /// All joints come nearer to what the neighbours on the surface have.
        Smooth = "smooth" => "smooth",
        /// The weights come nearer to a sum of 1.
        Normalize = "normalise" => "normalise",
    }
}

keyed! {
    /// How strength falls off from the middle of a brush to its edge.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Falloff {
        /// As (1 − (d/r)²)²: flat in the middle and at the edge.
        #[default]
        Soft = "soft" => "soft",
        /// As 1 − d/r.
        Linear = "linear" => "linear",
        /// The same everywhere.
        Hard = "hard" => "hard",
    }
}

impl Falloff {
    /// Share of the strength at `part` of the radius; 0 from 1 on.
    pub fn at(self, part: f32) -> f32 {
        if part.is_nan() || part > 1.0 {
            return 0.0;
        }
        let part = part.max(0.0);
        match self {
            Self::Soft => (1.0 - part * part).powi(2),
            Self::Linear => 1.0 - part,
            Self::Hard => 1.0,
        }
    }
}

/// Across which plane a stroke is done once more: one of the planes of bind space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    /// 0 to 2: the axis that the plane is square to.
    pub axis: usize,
    /// Where it meets that axis, in bind space.
    pub at: f32,
}

impl MirrorPlane {
    /// The plane square to an axis that halves what lies between two corners of a box:
    /// through the origin, where that is nearly the middle.
    pub fn halving((low, high): (Vec3, Vec3), axis: usize) -> Self {
        let axis = axis.min(2);
        let middle = f32::midpoint(low[axis], high[axis]);
        let extent = high[axis] - low[axis];
        let is_near = middle.abs() <= 0.05 * extent;
        let at = if is_near || !middle.is_finite() { 0.0 } else { middle };
        Self { axis, at }
    }

    /// The same place at the other side.
    pub fn mirrored(self, mut position: Vec3) -> Vec3 {
        let axis = self.axis.min(2);
        position[axis] = 2.0 * self.at - position[axis];
        position
    }

    /// The joint whose origin in the bind pose is nearest to where that of `joint` has
    /// its image; `None`: none is within `reach`.
    pub fn mirrored_joint(
        self,
        skeleton: &Skeleton,
        joint: JointIndex,
        reach: f32,
    ) -> Option<JointIndex> {
        let origin = |joint: JointIndex| {
            let joint = skeleton.joints().get(joint.index())?;
            Some(joint.joint_from_bind.inverse().w_axis.truncate())
        };
        let image = self.mirrored(origin(joint)?);
        let far = |other| Some((origin(other)?.distance(image), other));
        // One whose matrix has no inverse is nowhere, which is farthest.
        let nearest = skeleton.indices().filter_map(far).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.filter(|(far, _)| *far <= reach).map(|(_, joint)| joint)
    }
}

/// A brush as it is held.
#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    /// What it does.
    pub mode: BrushMode,
    /// Whose weight it adds to or takes from.
    pub joint: JointIndex,
    /// In bind space.
    pub radius: f32,
    /// What one touch does in the middle: 0 to 1.
    pub strength: f32,
    /// And towards the edge.
    pub falloff: Falloff,
    /// Do the other joints give and take in proportion, so that Σw is 1?
    pub keeps_sum: bool,
    /// Influences that a vertex keeps at most, 1 to [`LANES`].
    pub most: usize,
    /// Joints whose weights stay as they are.
    pub locked: BTreeSet<JointIndex>,
    /// Where it is done once more, and for which joint there.
    pub mirror: Option<(MirrorPlane, JointIndex)>,
}

/// What a stroke changes, and what it could not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaintedStroke {
    /// Vertices in rising order, with what they had and what they get. Vertices that stay as
    /// they are are left out.
    pub changes: Vec<PaintedVertex>,
    /// How many within reach stay because they must.
    pub unpainted: BTreeMap<Unpainted, usize>,
}

/// A vertex with other influences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintedVertex {
    /// Which.
    pub vertex: u32,
    /// What it had.
    pub before: Influences,
    /// What it gets: finite weights of 0 or more, of as many joints as the brush allows.
    pub after: Influences,
}

impl Brush {
    /// A stroke: touches at `centers`, in bind space, one after the other, of a mesh with
    /// these influences, one a vertex. What neighbours have is what they had before.
    ///
    /// What is kept: no weight is negative or NaN, no vertex has more joints than
    /// `most`, and where the sum is kept it is 1. Locked weights stay. A vertex where
    /// that cannot be stays as it is and is counted by reason.
    pub fn stroke(
        &self,
        surface: &BrushSurface,
        influences: &[Influences],
        centers: &[Vec3],
    ) -> PaintedStroke {
        let mut painted = PaintedStroke::default();
        let rules = Rules {
            mode: self.mode,
            keeps_sum: self.keeps_sum,
            most: self.most.clamp(1, LANES),
            locked: &self.locked,
        };
        let reached = self.reached(surface, centers);
        for touches in reached.chunk_by(|a, b| a.vertex == b.vertex) {
            let Some(vertex) = touches.first().map(|first| first.vertex) else {
                continue;
            };
            let Some(&before) = influences.get(vertex as usize) else {
                *painted.unpainted.entry(Unpainted::Unbound).or_default() += 1;
                continue;
            };
            let smooths = self.mode == BrushMode::Smooth;
            let mean = smooths.then(|| surface.mean_of_neighbours(vertex, influences));
            let mean = mean.flatten();
            let (mut after, mut hindered) = (before, None);
            for reach in touches {
                match rules.painted(&after, reach.touch, mean.as_deref()) {
                    Ok(next) => after = next,
                    Err(why) => hindered = Some(why),
                }
            }
            if after != before {
                painted.changes.push(PaintedVertex { vertex, before, after });
            } else if let Some(why) = hindered {
                *painted.unpainted.entry(why).or_default() += 1;
            }
        }
        painted
    }

    /// Touches of vertices within reach: vertices rising, the touches of each in order.
    fn reached(&self, surface: &BrushSurface, centers: &[Vec3]) -> Vec<BrushReach> {
        let strength = if self.strength.is_nan() { 0.0 } else { self.strength.clamp(0.0, 1.0) };
        let mut reached: Vec<BrushReach> = Vec::new();
        let of_no_joint = matches!(self.mode, BrushMode::Smooth | BrushMode::Normalize);
        for (nth, &center) in centers.iter().enumerate() {
            let image = self.mirror.map(|(plane, joint)| (plane.mirrored(center), joint));
            for (at, joint) in [(center, self.joint)].into_iter().chain(image) {
                // Of one joint, what brush and image both reach is touched once.
                let is_own = of_no_joint || joint == self.joint;
                let order = 2 * nth + usize::from(!is_own);
                surface.each_within(at, self.radius, |vertex, distance| {
                    let amount = strength * self.falloff.at(distance / self.radius);
                    if amount > 0.0 {
                        reached.push(BrushReach { vertex, order, touch: Touch { joint, amount } });
                    }
                });
            }
        }
        reached.sort_unstable_by_key(|reach| (reach.vertex, reach.order));
        reached.dedup_by(|later, first| {
            let same = (later.vertex, later.order) == (first.vertex, first.order);
            if same {
                first.touch.amount = first.touch.amount.max(later.touch.amount);
            }
            same
        });
        reached
    }
}

/// A touch that reaches a vertex.
struct BrushReach {
    vertex: u32,
    order: usize,
    touch: Touch,
}
