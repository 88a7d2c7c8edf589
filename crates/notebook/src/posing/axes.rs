//! The axes of a gizmo: rings to turn about and arrows to move along, where they stand
//! in the world, and what a ray through the pointer says on them.
//!
//! A joint turns and moves in its parent's frame. So a ring is a circle there, and in
//! the world whatever the parent's matrix P makes of it: under a parent that stretches
//! unevenly an ellipse. What is read off a ray is read off in the parent's frame, so
//! that the joint follows the pointer under every P that keeps the ring's plane,
//! mirrored ones too.

use bindpose_lesson::GizmoFrame;
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::super::camera::Ray;

/// What is smaller than this part of the largest is nothing.
const NOTHING: f64 = 1e-6;

/// A plane seen under a sine of less than this gives no angle.
const EDGE_ON: f64 = 0.12;

/// Why a gizmo has no axis to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAxis {
    /// The world's axes cannot be told in the parent's frame.
    #[error("the matrix of its parent has no inverse: choose the local or the parent’s frame")]
    NoInverse,
    /// The parent's matrix makes a line or a point of the ring or the arrow.
    #[error("the matrix of its parent leaves nothing of this axis")]
    Flattened,
    /// NaN or infinity on the way to the joint.
    #[error("a number on the way to this joint is not finite")]
    NotFinite,
}

/// An axis to turn a joint about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnAxis {
    /// Of unit length, in the parent's frame.
    pub axis_in_parent: DVec3,
    /// Two directions across it, in the parent's frame: angles count from the first
    /// towards the second.
    across_in_parent: [DVec3; 2],
    world_from_parent: DMat3,
    origin_in_world: DVec3,
}

/// An axis to move a joint along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveAxis {
    /// What one unit of the frame is, in the parent's frame.
    pub step_in_parent: DVec3,
    /// The same in the world: not of unit length.
    pub step_in_world: DVec3,
    origin_in_world: DVec3,
}

impl TurnAxis {
    /// Axis 0 is x. `world_from_parent` is P, `parent_from_joint` the joint's rotation,
    /// `origin_in_world` where the joint is.
    ///
    /// Fails when there is no such axis.
    pub fn new(
        (frame, axis): (GizmoFrame, usize),
        world_from_parent: DMat3,
        parent_from_joint: DQuat,
        origin_in_world: DVec3,
    ) -> Result<Self, NoAxis> {
        if !origin_in_world.is_finite() {
            return Err(NoAxis::NotFinite);
        }
        let parent_from_world = parent_from_world_axes;
        let axes =
            parent_from_frame(frame, world_from_parent, parent_from_joint, parent_from_world)?;
        let across_in_parent = [axes.col((axis + 1) % 3), axes.col((axis + 2) % 3)];
        let axis_in_parent = axes.col(axis % 3);
        Self { axis_in_parent, across_in_parent, world_from_parent, origin_in_world }.checked()
    }

    /// One in any direction, in the parent's frame.
    ///
    /// Fails when the parent's matrix leaves nothing of it.
    pub fn about(
        direction_in_parent: DVec3,
        world_from_parent: DMat3,
        origin_in_world: DVec3,
    ) -> Result<Self, NoAxis> {
        if !(origin_in_world.is_finite() && world_from_parent.is_finite()) {
            return Err(NoAxis::NotFinite);
        }
        let axis = direction_in_parent.try_normalize().ok_or(NoAxis::Flattened)?;
        let beside = axis.any_orthonormal_vector();
        let across_in_parent = [beside, axis.cross(beside)];
        let found =
            Self { axis_in_parent: axis, across_in_parent, world_from_parent, origin_in_world };
        found.checked()
    }

    /// Is there a ring to see?
    fn checked(self) -> Result<Self, NoAxis> {
        let [u, v] = self.across_in_world();
        let largest = size(self.world_from_parent);
        if largest == 0.0 || u.cross(v).length() < NOTHING * largest * largest {
            return Err(NoAxis::Flattened);
        }
        Ok(self)
    }

    fn across_in_world(&self) -> [DVec3; 2] {
        self.across_in_parent.map(|across| self.world_from_parent * across)
    }

    /// Points of the ring, in the world: its farthest are `radius` from the joint. The
    /// first and the last are one.
    pub fn ring(&self, radius: f64, segments: usize) -> impl Iterator<Item = DVec3> {
        let segments = segments.max(3);
        let turn = std::f64::consts::TAU / segments as f64;
        let ring = *self;
        (0..=segments).map(move |nth| ring.at(turn * nth as f64, radius))
    }

    /// The angle of the ring's point that lies nearest to a direction in the world, and how
    /// much of the direction lies in the plane of the ring: 0 to 1.
    pub fn angle_towards(&self, in_world: DVec3) -> (f64, f64) {
        let in_parent = self.world_from_parent.inverse() * in_world;
        let in_parent = in_parent.normalize_or_zero();
        let [u, v] = self.across_in_parent.map(|across| across.dot(in_parent));
        (v.atan2(u), u.hypot(v))
    }

    /// The point of the ring at an angle, in the world.
    pub fn at(&self, angle_rad: f64, radius: f64) -> DVec3 {
        let [u, v] = self.across_in_world();
        // The longer half axis of the ellipse that u and v span.
        let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
        let half = 0.5 * (uu + vv) + (0.25 * (uu - vv).powi(2) + uv * uv).sqrt();
        let scale = radius / half.sqrt();
        self.origin_in_world + (u * angle_rad.cos() + v * angle_rad.sin()) * scale
    }

    /// How the ring is seen from a direction: 0 edge-on, 1 face-on.
    pub fn facing(&self, towards: DVec3) -> f64 {
        let [u, v] = self.across_in_world();
        let normal = u.cross(v).normalize_or_zero();
        normal.dot(towards.normalize_or_zero()).abs()
    }

    /// The angle at which a ray meets the plane of the ring, radians from −π to π;
    /// `None` where the plane is seen edge-on, or lies behind the eye.
    pub fn angle_at(&self, ray: &Ray) -> Option<f64> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        if self.facing(direction) < EDGE_ON {
            return None;
        }
        let [u, v] = self.across_in_world();
        let normal = u.cross(v);
        let far = (self.origin_in_world - origin).dot(normal) / direction.dot(normal);
        let to = origin + direction * far - self.origin_in_world;
        if !to.is_finite() || far <= f64::from(ray.from) {
            return None;
        }
        // to = x u + y v, where u and v need not be at right angles.
        let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
        let (tu, tv) = (to.dot(u), to.dot(v));
        let (x, y) = (tu * vv - tv * uv, tv * uu - tu * uv);
        (x != 0.0 || y != 0.0).then(|| y.atan2(x))
    }
}

impl MoveAxis {
    /// As [`TurnAxis::new`]. A unit is one of the parent's frame in the local and the
    /// parent's frame, and one of the world in the world's.
    ///
    /// Fails when there is no such axis.
    pub fn new(
        (frame, axis): (GizmoFrame, usize),
        world_from_parent: DMat3,
        parent_from_joint: DQuat,
        origin_in_world: DVec3,
    ) -> Result<Self, NoAxis> {
        if !origin_in_world.is_finite() {
            return Err(NoAxis::NotFinite);
        }
        let parent_from_world = parent_from_world_units;
        let axes =
            parent_from_frame(frame, world_from_parent, parent_from_joint, parent_from_world)?;
        let step_in_parent = axes.col(axis % 3);
        let step_in_world = world_from_parent * step_in_parent;
        let largest = size(world_from_parent);
        if largest == 0.0 || step_in_world.length() < NOTHING * largest * step_in_parent.length() {
            return Err(NoAxis::Flattened);
        }
        Ok(Self { step_in_parent, step_in_world, origin_in_world })
    }

    /// How far along the axis, in units of its frame, it comes nearest to a ray; `None`
    /// where it points at the eye, or that lies behind the eye.
    pub fn along(&self, ray: &Ray) -> Option<f64> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let length = self.step_in_world.length();
        let along = self.step_in_world / length;
        let across = direction - along * direction.dot(along);
        if across.length() < EDGE_ON {
            return None;
        }
        let to_ray = origin - self.origin_in_world;
        // On the ray where it is nearest to the axis, then back to the axis.
        let far = -to_ray.dot(across) / across.length_squared();
        let at = (to_ray + direction * far).dot(along) / length;
        (at.is_finite() && far > f64::from(ray.from)).then_some(at)
    }
}

/// The axes of a frame in the parent's frame. What the world's are there, `parent_from_world`
/// says: turning needs directions, moving needs units.
fn parent_from_frame(
    frame: GizmoFrame,
    world_from_parent: DMat3,
    parent_from_joint: DQuat,
    parent_from_world: fn(DMat3) -> Result<DMat3, NoAxis>,
) -> Result<DMat3, NoAxis> {
    if !world_from_parent.is_finite() {
        return Err(NoAxis::NotFinite);
    }
    match frame {
        GizmoFrame::Local => Ok(DMat3::from_quat(parent_from_joint)),
        GizmoFrame::Parent => Ok(DMat3::IDENTITY),
        GizmoFrame::World => parent_from_world(world_from_parent),
    }
}

/// The world's units in the parent's frame: moving by one there moves by one in the world.
fn parent_from_world_units(world_from_parent: DMat3) -> Result<DMat3, NoAxis> {
    if is_singular(world_from_parent) {
        return Err(NoAxis::NoInverse);
    }
    Ok(world_from_parent.inverse())
}

/// The world's axes in the parent's frame: turning about them there turns about them in
/// the world, exactly where P turns, mirrors and scales evenly; else by the rotation
/// that is nearest to P. A mirrored P turns the other way round: its axes are reversed.
fn parent_from_world_axes(world_from_parent: DMat3) -> Result<DMat3, NoAxis> {
    let nearest = nearest_orthogonal(world_from_parent).ok_or(NoAxis::NoInverse)?;
    Ok(nearest.transpose() * nearest.determinant().signum())
}

/// The orthogonal matrix that is nearest to one that has an inverse, of the same
/// handedness: its factor in the polar decomposition, by Newton's iteration
/// Q ← (Q + Q⁻ᵀ) / 2 (Higham, *Computing the polar decomposition*, 1986). `None`
/// without an inverse.
pub(super) fn nearest_orthogonal(matrix: DMat3) -> Option<DMat3> {
    if !matrix.is_finite() || is_singular(matrix) {
        return None;
    }
    let mut nearest = matrix * (1.0 / matrix.determinant().abs().cbrt());
    for _ in 0..60 {
        let next = (nearest + nearest.inverse().transpose()) * 0.5;
        let done = next.abs_diff_eq(nearest, 1e-14);
        nearest = next;
        if done {
            break;
        }
    }
    nearest.is_finite().then_some(nearest)
}

/// Has it no inverse worth using? By its volume beside that of a cube of its size.
fn is_singular(matrix: DMat3) -> bool {
    let largest = size(matrix);
    largest == 0.0 || matrix.determinant().abs() < 1e-9 * largest.powi(3)
}

/// The length of the longest column.
fn size(matrix: DMat3) -> f64 {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    columns.map(DVec3::length).into_iter().fold(0.0, f64::max)
}

/// The part of a matrix that turns and stretches.
pub(super) fn linear(matrix: DMat4) -> DMat3 {
    DMat3::from_mat4(matrix)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    use glam::Vec3;

    use super::*;

    const FRAMES: [GizmoFrame; 3] = GizmoFrame::ALL;

    fn ray(from: DVec3, through: DVec3) -> Ray {
        Ray { origin: from.as_vec3(), direction: (through - from).normalize().as_vec3(), from: 0.0 }
    }

    /// Parents of all kinds: turned, scaled, mirrored, stretched, sheared.
    fn parents() -> Vec<DMat3> {
        let turned = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -0.9, 1.7));
        let scaled = |x, y, z| DMat3::from_diagonal(DVec3::new(x, y, z));
        let sheared = DMat3::from_cols(
            DVec3::new(1.0, 0.3, 0.0),
            DVec3::new(-0.2, 2.0, 0.1),
            DVec3::new(0.0, 0.5, 0.7),
        );
        vec![
            DMat3::IDENTITY,
            turned,
            turned * 100.0,
            turned * scaled(1.0, -1.0, 1.0),
            turned * scaled(-2.0, -2.0, -2.0),
            turned * scaled(1.0, 3.0, 0.2),
            sheared,
        ]
    }

    #[test]
    fn a_turn_takes_the_grabbed_point_under_the_pointer_under_every_parent() {
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.2, 0.5, -0.3);
        let origin = DVec3::new(1.0, 2.0, -0.5);
        for parent in parents() {
            for (frame, axis) in FRAMES.into_iter().flat_map(|frame| [0, 1, 2].map(|k| (frame, k)))
            {
                let ring = TurnAxis::new((frame, axis), parent, rotation, origin).unwrap();
                // From a place from where no plane is edge-on.
                let [u, v] = ring.across_in_world();
                let eye = origin + u.cross(v).normalize() * 7.0 + DVec3::new(0.3, 0.2, 0.1);
                let (from, to) = (0.3, 1.4);
                let at = |angle| ring.angle_at(&ray(eye, ring.at(angle, 2.0))).unwrap();
                let turn = DQuat::from_axis_angle(ring.axis_in_parent, at(to) - at(from));
                // What was under the pointer is there again: in the parent's frame.
                let grabbed = parent.inverse() * (ring.at(from, 2.0) - origin);
                let moved = origin + parent * (turn * grabbed);
                let wanted = ring.at(to, 2.0);
                assert!(moved.abs_diff_eq(wanted, 1e-4), "{parent} {frame:?} {axis}");
            }
        }
    }

    #[test]
    fn a_turn_in_the_world_is_about_the_worlds_axis_also_in_a_mirror() {
        let rotation = DQuat::from_rotation_z(0.7);
        for parent in parents().into_iter().take(5) {
            for axis in 0..3 {
                let found = TurnAxis::new((GizmoFrame::World, axis), parent, rotation, DVec3::ZERO);
                let about = found.unwrap().axis_in_parent;
                let before = parent * DMat3::from_quat(rotation);
                let turn = DQuat::from_axis_angle(about, 0.5);
                let after = parent * DMat3::from_quat(turn * rotation);
                let unit = [DVec3::X, DVec3::Y, DVec3::Z][axis];
                let wanted = DMat3::from_quat(DQuat::from_axis_angle(unit, 0.5)) * before;
                let size = size(parent);
                assert!(after.abs_diff_eq(wanted, 1e-9 * size), "{parent} {axis}");
            }
        }
    }

    #[test]
    fn without_a_parent_a_quarter_turn_is_read_off_the_world() {
        let ring = TurnAxis::new(
            (GizmoFrame::World, 2),
            DMat3::IDENTITY,
            DQuat::from_rotation_z(1.0),
            DVec3::X,
        )
        .unwrap();
        let from_above = |x: f64, y: f64| Ray {
            origin: Vec3::new(x as f32, y as f32, 5.0),
            direction: Vec3::NEG_Z,
            from: f32::NEG_INFINITY,
        };
        let angle = |x, y| ring.angle_at(&from_above(x, y)).unwrap();
        assert!((angle(3.0, 0.0) - 0.0).abs() < 1e-9);
        assert!((angle(1.0, 4.0) - FRAC_PI_2).abs() < 1e-9);
        assert!((angle(2.0, 1.0) - FRAC_PI_4).abs() < 1e-9);
        assert_eq!(ring.angle_at(&from_above(1.0, 0.0)), None, "the joint itself");
        let along = Ray { origin: Vec3::new(9.0, 0.1, 0.1), direction: Vec3::NEG_X, from: 0.0 };
        assert_eq!(ring.angle_at(&along), None, "edge-on");
        assert!(ring.facing(DVec3::X) < 1e-9 && ring.facing(DVec3::Z) > 0.999);
    }

    #[test]
    fn a_move_follows_the_pointer_in_units_of_its_frame() {
        let rotation = DQuat::from_rotation_z(0.4);
        let origin = DVec3::new(0.5, -1.0, 2.0);
        for parent in parents() {
            for (frame, axis) in FRAMES.into_iter().flat_map(|frame| [0, 1, 2].map(|k| (frame, k)))
            {
                let arrow = MoveAxis::new((frame, axis), parent, rotation, origin).unwrap();
                let there = origin + arrow.step_in_world * 1.7;
                let aside = arrow.step_in_world.normalize().any_orthonormal_vector();
                let reached = arrow.along(&ray(there + aside * 6.0, there)).unwrap();
                assert!((reached - 1.7).abs() < 1e-4, "{parent} {frame:?} {axis}: {reached}");
                let moved = origin + parent * (arrow.step_in_parent * reached);
                assert!(moved.abs_diff_eq(there, 1e-3 * size(parent)));
                if frame == GizmoFrame::World {
                    let unit = [DVec3::X, DVec3::Y, DVec3::Z][axis];
                    assert!(arrow.step_in_world.abs_diff_eq(unit, 1e-9));
                }
            }
        }
    }

    #[test]
    fn what_a_flat_parent_leaves_works_and_the_rest_says_why_not() {
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
        let turn = |frame, axis| TurnAxis::new((frame, axis), flat, DQuat::IDENTITY, DVec3::ZERO);
        assert!(turn(GizmoFrame::Parent, 2).is_ok());
        assert_eq!(turn(GizmoFrame::Parent, 0), Err(NoAxis::Flattened));
        assert_eq!(turn(GizmoFrame::World, 2), Err(NoAxis::NoInverse));
        let slide = |frame, axis| MoveAxis::new((frame, axis), flat, DQuat::IDENTITY, DVec3::ZERO);
        assert!(slide(GizmoFrame::Local, 0).is_ok());
        assert_eq!(slide(GizmoFrame::Local, 2), Err(NoAxis::Flattened));
        assert_eq!(slide(GizmoFrame::World, 0), Err(NoAxis::NoInverse));
        let nothing = DMat3::ZERO;
        let none = TurnAxis::new((GizmoFrame::Local, 0), nothing, DQuat::IDENTITY, DVec3::ZERO);
        assert_eq!(none, Err(NoAxis::Flattened));
        let broken = DMat3::from_diagonal(DVec3::splat(f64::NAN));
        let none = TurnAxis::new((GizmoFrame::Local, 0), broken, DQuat::IDENTITY, DVec3::ZERO);
        assert_eq!(none, Err(NoAxis::NotFinite));
    }

    #[test]
    fn the_nearest_rotation_of_a_stretched_one_is_that_rotation() {
        let turned = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 1.0, 0.3, -2.0));
        let stretch = DMat3::from_cols(
            DVec3::new(3.0, 0.4, 0.1),
            DVec3::new(0.4, 1.0, -0.2),
            DVec3::new(0.1, -0.2, 0.01 + 0.3),
        );
        // Symmetric and positive: the other factor of the polar decomposition.
        let nearest = nearest_orthogonal(turned * stretch).unwrap();
        assert!(nearest.abs_diff_eq(turned, 1e-9), "{nearest} {turned}");
        let mirrored = nearest_orthogonal(turned * stretch * -1.0).unwrap();
        assert!(mirrored.abs_diff_eq(turned * -1.0, 1e-9));
    }
}
