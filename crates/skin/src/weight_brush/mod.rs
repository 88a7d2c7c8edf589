//! A brush for painting weights. Computes the changes of influences, but does not apply them.

mod painted_vertex;
mod surface;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::{Influences, JointIndex, LANES, Skeleton};
use crate::keyed;
use painted_vertex::{BrushRules, Touch};

pub use painted_vertex::Unpainted;
pub use surface::BrushSurface;

keyed! {
    /// The effect of a brush on weights.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum BrushMode {
        /// Increases the weight of the chosen joint.
        #[default]
        Add = "add" => "add",
        /// Decreases the weight of the chosen joint.
        Subtract = "subtract" => "subtract",
        /// Moves the weights of all joints towards the mean of the neighbours on the surface.
        Smooth = "smooth" => "smooth",
        /// Scales the weights towards a sum of 1.
        Normalize = "normalise" => "normalise",
    }
}

keyed! {
    /// The falloff of a brush's strength from its centre to its edge, as a function of the
    /// distance d and the radius r.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Falloff {
        /// (1 − (d/r)²)², which is flat at the centre and at the edge.
        #[default]
        Soft = "soft" => "soft",
        /// 1 − d/r, which is constant in slope.
        Linear = "linear" => "linear",
        /// 1 up to the edge.
        Hard = "hard" => "hard",
    }
}

impl Falloff {
    /// Computes the factor of the strength, from 0 to 1, at a distance relative to the radius.
    /// Returns 0 outside the radius and for NaN.
    pub fn at(self, relative_distance: f32) -> f32 {
        if relative_distance.is_nan() || relative_distance > 1.0 {
            return 0.0;
        }
        let distance = relative_distance.max(0.0);
        match self {
            Self::Soft => (1.0 - distance * distance).powi(2),
            Self::Linear => 1.0 - distance,
            Self::Hard => 1.0,
        }
    }
}

/// A plane perpendicular to an axis of bind space, across which a stroke is mirrored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    /// Index of the axis that is perpendicular to the plane, from 0 to 2.
    pub axis: usize,
    /// Coordinate of the plane on that axis, in bind space.
    pub at: f32,
}

impl MirrorPlane {
    /// Creates the plane perpendicular to `axis` that halves a box. Snaps to the origin if that
    /// is almost in the middle.
    ///
    /// `bounds` holds the lower and the upper corner, in bind space.
    pub fn halving(bounds: (Vec3, Vec3), axis: usize) -> Self {
        let axis = axis.min(2);
        let low = bounds.0[axis];
        let high = bounds.1[axis];
        let middle = f32::midpoint(low, high);
        let is_near_origin = middle.abs() <= 0.05 * (high - low);
        let at = if is_near_origin || !middle.is_finite() { 0.0 } else { middle };
        Self { axis, at }
    }

    /// Mirrors a position across the plane.
    pub fn mirrored(self, mut position: Vec3) -> Vec3 {
        let axis = self.axis.min(2);
        position[axis] = 2.0 * self.at - position[axis];
        position
    }

    /// Finds the joint on the other side of the plane: the one whose origin in the bind pose is
    /// nearest to the mirrored origin of `joint`. Returns `None` if none is within `reach`.
    pub fn mirrored_joint(
        self,
        skeleton: &Skeleton,
        joint: JointIndex,
        reach: f32,
    ) -> Option<JointIndex> {
        let mirrored = self.mirrored(origin_in_bind(skeleton, joint)?);
        skeleton
            .indices()
            .filter_map(|other| Some((origin_in_bind(skeleton, other)?.distance(mirrored), other)))
            // Not true for NaN, the distance of joints with a singular inverse bind matrix.
            .filter(|&(distance, _)| distance <= reach)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, nearest)| nearest)
    }
}

fn origin_in_bind(skeleton: &Skeleton, joint: JointIndex) -> Option<Vec3> {
    let joint = skeleton.joints().get(joint.index())?;
    Some(joint.joint_from_bind.inverse().w_axis.truncate())
}

/// The settings of a brush.
#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    /// The effect on weights.
    pub mode: BrushMode,
    /// The joint whose weights [`BrushMode::Add`] and [`BrushMode::Subtract`] change.
    pub joint: JointIndex,
    /// The radius in bind space.
    pub radius: f32,
    /// The effect of one touch at the centre, from 0 to 1.
    pub strength: f32,
    /// The decrease of the strength towards the edge.
    pub falloff: Falloff,
    /// Whether the weights of the other joints are scaled so that Σw is 1.
    pub keeps_sum: bool,
    /// Maximum number of influences per vertex, from 1 to [`LANES`].
    pub most: usize,
    /// Joints whose weights do not change.
    pub locked: BTreeSet<JointIndex>,
    /// The plane across which strokes are mirrored, with the joint to paint on the other side.
    /// `None` without mirroring.
    pub mirror: Option<(MirrorPlane, JointIndex)>,
}

/// The changes of influences by a stroke.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaintedStroke {
    /// The changed vertices, in rising order.
    pub changes: Vec<PaintedVertex>,
    /// Number of vertices within reach that could not be painted, by reason.
    pub unpainted: BTreeMap<Unpainted, usize>,
}

/// The change of influences of one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintedVertex {
    /// Index of the vertex.
    pub vertex: u32,
    /// The influences before the stroke.
    pub before: Influences,
    /// The influences after the stroke: finite weights of at least 0, of at most as many joints
    /// as the brush allows.
    pub after: Influences,
}

impl Brush {
    /// Computes a stroke: touches at `centers`, in bind space, one after the other.
    ///
    /// `influences` has one entry per vertex of the mesh. Smoothing uses the influences of
    /// neighbours before the stroke.
    ///
    /// After the stroke no weight is negative or NaN, no vertex has more than [`Self::most`]
    /// joints, Σw is 1 if [`Self::keeps_sum`] is set, and locked weights are unchanged. A
    /// vertex for which this is impossible is not changed but counted in
    /// [`PaintedStroke::unpainted`].
    pub fn stroke(
        &self,
        surface: &BrushSurface,
        influences: &[Influences],
        centers: &[Vec3],
    ) -> PaintedStroke {
        let mut stroke = PaintedStroke::default();
        let rules = BrushRules {
            mode: self.mode,
            keeps_sum: self.keeps_sum,
            max_influences: self.most.clamp(1, LANES),
            locked: &self.locked,
        };
        let touched = self.touched_vertices(surface, centers);
        for touches in touched.chunk_by(|a, b| a.vertex == b.vertex) {
            let Some(vertex) = touches.first().map(|first| first.vertex) else {
                continue;
            };
            let Some(&before) = influences.get(vertex as usize) else {
                *stroke.unpainted.entry(Unpainted::Unbound).or_default() += 1;
                continue;
            };
            let neighbour_mean = match self.mode {
                BrushMode::Smooth => surface.mean_of_neighbours(vertex, influences),
                _ => None,
            };
            let mut after = before;
            let mut reason = None;
            for touched in touches {
                match rules.paint(&after, touched.touch, neighbour_mean.as_deref()) {
                    Ok(painted) => after = painted,
                    Err(unpainted) => reason = Some(unpainted),
                }
            }
            if after != before {
                stroke.changes.push(PaintedVertex { vertex, before, after });
            } else if let Some(reason) = reason {
                *stroke.unpainted.entry(reason).or_default() += 1;
            }
        }
        stroke
    }

    /// Finds the touches of all vertices within reach, sorted by vertex and then by time.
    fn touched_vertices(&self, surface: &BrushSurface, centers: &[Vec3]) -> Vec<TouchedVertex> {
        let strength = if self.strength.is_nan() { 0.0 } else { self.strength.clamp(0.0, 1.0) };
        let mut touched: Vec<TouchedVertex> = Vec::new();
        let affects_all_joints = matches!(self.mode, BrushMode::Smooth | BrushMode::Normalize);
        for (index, &center) in centers.iter().enumerate() {
            let mirrored = self.mirror.map(|(plane, joint)| (plane.mirrored(center), joint));
            for (center, joint) in [(center, self.joint)].into_iter().chain(mirrored) {
                // A vertex that the brush and its mirror image both reach is touched only once
                // for the same joint: equal orders are merged below.
                let is_same_joint = affects_all_joints || joint == self.joint;
                let order = 2 * index + usize::from(!is_same_joint);
                surface.each_within(center, self.radius, |vertex, distance| {
                    let amount = strength * self.falloff.at(distance / self.radius);
                    if amount > 0.0 {
                        let touch = Touch { joint, amount };
                        touched.push(TouchedVertex { vertex, order, touch });
                    }
                });
            }
        }
        touched.sort_unstable_by_key(|touched| (touched.vertex, touched.order));
        touched.dedup_by(|later, first| {
            let is_same = (later.vertex, later.order) == (first.vertex, first.order);
            if is_same {
                first.touch.amount = first.touch.amount.max(later.touch.amount);
            }
            is_same
        });
        touched
    }
}

struct TouchedVertex {
    vertex: u32,
    /// Position of the touch in the stroke.
    order: usize,
    touch: Touch,
}
