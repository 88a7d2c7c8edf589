//! Axes of a gizmo: rings for rotation and arrows for translation, their
//! position in the world, and measurements along rays through the pointer.
//!
//! A joint turns and moves in its parent's frame. Thus a ring is a circle
//! there, and in the world the image of a circle under the parent's matrix P:
//! an ellipse under uneven scale. Rays are measured in the parent's frame, so
//! that the joint follows the pointer under every P that keeps the ring's
//! plane, including mirrored ones.

use bindpose_lesson::GizmoFrame;
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::super::camera::Ray;

/// Relative size below which a ring or an arrow counts as flattened.
const FLATTENED: f64 = 1e-6;

/// Minimum sine of the angle under which a plane is seen. Below it, no angle
/// can be measured.
const MIN_FACING: f64 = 0.12;

/// Reason why a gizmo has no axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AxisError {
    /// The world's axes cannot be expressed in the parent's frame.
    #[error("the matrix of its parent has no inverse: choose the local or the parent’s frame")]
    NoInverse,
    /// The parent's matrix maps the ring or the arrow to a line or a point.
    #[error("the matrix of its parent leaves nothing of this axis")]
    Flattened,
    /// A matrix contains NaN or infinity.
    #[error("a number on the way to this joint is not finite")]
    NotFinite,
}

/// An axis of rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnAxis {
    /// Unit vector in the parent's frame.
    pub axis_in_parent: DVec3,
    /// Two vectors orthogonal to it, in the parent's frame. Angles are measured
    /// from the first to the second.
    across_in_parent: [DVec3; 2],
    world_from_parent: DMat3,
    origin_in_world: DVec3,
}

/// An axis of translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveAxis {
    /// One unit of the frame, in the parent's frame.
    pub step_in_parent: DVec3,
    /// One unit of the frame in the world. Not of unit length.
    pub step_in_world: DVec3,
    origin_in_world: DVec3,
}

impl TurnAxis {
    /// Creates an axis, where 0 is x. `world_from_parent` is P,
    /// `parent_from_joint` the joint's rotation, `origin_in_world` its
    /// position.
    ///
    /// # Errors
    ///
    /// Fails if there is no such axis.
    pub fn new(
        frame: GizmoFrame,
        axis: usize,
        world_from_parent: DMat3,
        parent_from_joint: DQuat,
        origin_in_world: DVec3,
    ) -> Result<Self, AxisError> {
        if !origin_in_world.is_finite() {
            return Err(AxisError::NotFinite);
        }
        let axes =
            parent_from_frame(frame, world_from_parent, parent_from_joint, parent_from_world_axes)?;
        let across_in_parent = [axes.col((axis + 1) % 3), axes.col((axis + 2) % 3)];
        let axis_in_parent = axes.col(axis % 3);
        Self { axis_in_parent, across_in_parent, world_from_parent, origin_in_world }.check_ring()
    }

    /// Creates an axis of any direction in the parent's frame.
    ///
    /// # Errors
    ///
    /// Fails if the parent's matrix flattens the ring.
    pub fn about(
        direction_in_parent: DVec3,
        world_from_parent: DMat3,
        origin_in_world: DVec3,
    ) -> Result<Self, AxisError> {
        if !(origin_in_world.is_finite() && world_from_parent.is_finite()) {
            return Err(AxisError::NotFinite);
        }
        let axis = direction_in_parent.try_normalize().ok_or(AxisError::Flattened)?;
        let beside = axis.any_orthonormal_vector();
        let across_in_parent = [beside, axis.cross(beside)];
        let found =
            Self { axis_in_parent: axis, across_in_parent, world_from_parent, origin_in_world };
        found.check_ring()
    }

    /// Fails if the ring is flattened.
    fn check_ring(self) -> Result<Self, AxisError> {
        let [u, v] = self.across_in_world();
        let largest = longest_column(self.world_from_parent);
        if largest == 0.0 || u.cross(v).length() < FLATTENED * largest * largest {
            return Err(AxisError::Flattened);
        }
        Ok(self)
    }

    fn across_in_world(&self) -> [DVec3; 2] {
        self.across_in_parent.map(|across| self.world_from_parent * across)
    }

    /// Points of the ring in the world, of which the farthest are at distance
    /// `radius` from the joint. The first and the last point are equal.
    pub fn ring(&self, radius: f64, segments: usize) -> impl Iterator<Item = DVec3> {
        let segments = segments.max(3);
        let turn = std::f64::consts::TAU / segments as f64;
        let ring = *self;
        (0..=segments).map(move |nth| ring.at(turn * nth as f64, radius))
    }

    /// Returns the angle of the ring's point nearest to a world direction, and
    /// how much of the direction is in the plane of the ring, 0 to 1.
    pub fn angle_towards(&self, in_world: DVec3) -> (f64, f64) {
        let in_parent = (self.world_from_parent.inverse() * in_world).normalize_or_zero();
        let [u, v] = self.across_in_parent.map(|across| across.dot(in_parent));
        (v.atan2(u), u.hypot(v))
    }

    /// Point of the ring at an angle, in the world.
    pub fn at(&self, angle_rad: f64, radius: f64) -> DVec3 {
        let [u, v] = self.across_in_world();
        // Major semi-axis of the ellipse spanned by u and v.
        let uu = u.length_squared();
        let vv = v.length_squared();
        let uv = u.dot(v);
        let half = 0.5 * (uu + vv) + (0.25 * (uu - vv).powi(2) + uv * uv).sqrt();
        let scale = radius / half.sqrt();
        self.origin_in_world + (u * angle_rad.cos() + v * angle_rad.sin()) * scale
    }

    /// How the ring is seen from a direction: 0 is edge-on, 1 face-on.
    pub fn facing(&self, towards: DVec3) -> f64 {
        let [u, v] = self.across_in_world();
        let normal = u.cross(v).normalize_or_zero();
        normal.dot(towards.normalize_or_zero()).abs()
    }

    /// Angle at which a ray meets the plane of the ring, from −π to π. Returns
    /// `None` if the plane is seen edge-on or is behind the eye.
    pub fn angle_at(&self, ray: &Ray) -> Option<f64> {
        let origin = ray.origin.as_dvec3();
        let direction = ray.direction.as_dvec3();
        if self.facing(direction) < MIN_FACING {
            return None;
        }
        let [u, v] = self.across_in_world();
        let normal = u.cross(v);
        let far = (self.origin_in_world - origin).dot(normal) / direction.dot(normal);
        let to = origin + direction * far - self.origin_in_world;
        if !to.is_finite() || far <= f64::from(ray.from) {
            return None;
        }
        // to = x u + y v, where u and v need not be orthogonal.
        let uu = u.dot(u);
        let vv = v.dot(v);
        let uv = u.dot(v);
        let tu = to.dot(u);
        let tv = to.dot(v);
        let x = tu * vv - tv * uv;
        let y = tv * uu - tu * uv;
        (x != 0.0 || y != 0.0).then(|| y.atan2(x))
    }
}

impl MoveAxis {
    /// Like [`TurnAxis::new`]. In the local and the parent's frame, a unit is
    /// one of the parent's frame. In the world's frame, it is one of the world.
    ///
    /// # Errors
    ///
    /// Fails if there is no such axis.
    pub fn new(
        frame: GizmoFrame,
        axis: usize,
        world_from_parent: DMat3,
        parent_from_joint: DQuat,
        origin_in_world: DVec3,
    ) -> Result<Self, AxisError> {
        if !origin_in_world.is_finite() {
            return Err(AxisError::NotFinite);
        }
        let axes = parent_from_frame(
            frame,
            world_from_parent,
            parent_from_joint,
            parent_from_world_units,
        )?;
        let step_in_parent = axes.col(axis % 3);
        let step_in_world = world_from_parent * step_in_parent;
        let largest = longest_column(world_from_parent);
        if largest == 0.0 || step_in_world.length() < FLATTENED * largest * step_in_parent.length()
        {
            return Err(AxisError::Flattened);
        }
        Ok(Self { step_in_parent, step_in_world, origin_in_world })
    }

    /// Position on the axis nearest to a ray, in units of its frame. Returns
    /// `None` if the axis points at the eye, or the position is behind the eye.
    pub fn along(&self, ray: &Ray) -> Option<f64> {
        let origin = ray.origin.as_dvec3();
        let direction = ray.direction.as_dvec3();
        let length = self.step_in_world.length();
        let along = self.step_in_world / length;
        let across = direction - along * direction.dot(along);
        if across.length() < MIN_FACING {
            return None;
        }
        let to_ray = origin - self.origin_in_world;
        // The point of the ray nearest to the axis, then back to the axis.
        let far = -to_ray.dot(across) / across.length_squared();
        let at = (to_ray + direction * far).dot(along) / length;
        (at.is_finite() && far > f64::from(ray.from)).then_some(at)
    }
}

/// Returns the axes of a frame in the parent's frame. `parent_from_world`
/// computes those of the world: rotation needs directions, translation needs
/// units.
fn parent_from_frame(
    frame: GizmoFrame,
    world_from_parent: DMat3,
    parent_from_joint: DQuat,
    parent_from_world: fn(DMat3) -> Result<DMat3, AxisError>,
) -> Result<DMat3, AxisError> {
    if !world_from_parent.is_finite() {
        return Err(AxisError::NotFinite);
    }
    match frame {
        GizmoFrame::Local => Ok(DMat3::from_quat(parent_from_joint)),
        GizmoFrame::Parent => Ok(DMat3::IDENTITY),
        GizmoFrame::World => parent_from_world(world_from_parent),
    }
}

/// The world's units in the parent's frame: a step along one is a unit step in
/// the world.
fn parent_from_world_units(world_from_parent: DMat3) -> Result<DMat3, AxisError> {
    if is_singular(world_from_parent) {
        return Err(AxisError::NoInverse);
    }
    Ok(world_from_parent.inverse())
}

/// The world's axes in the parent's frame: rotation about one is rotation about
/// the world's axis. Exact if P consists of rotation, mirroring and uniform
/// scale, otherwise by the rotation nearest to P. A mirrored P reverses
/// rotations, so the axes are reversed.
fn parent_from_world_axes(world_from_parent: DMat3) -> Result<DMat3, AxisError> {
    let nearest = nearest_orthogonal(world_from_parent).ok_or(AxisError::NoInverse)?;
    Ok(nearest.transpose() * nearest.determinant().signum())
}

/// Returns the orthogonal matrix nearest to an invertible one, of the same
/// handedness. It is the factor of the polar decomposition, computed by
/// Newton's iteration Q ← (Q + Q⁻ᵀ) / 2 (Higham, *Computing the polar
/// decomposition*, 1986). Returns `None` for a singular matrix.
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

/// Returns true if the matrix has no usable inverse: its volume is tiny
/// compared with a cube of its size.
fn is_singular(matrix: DMat3) -> bool {
    let largest = longest_column(matrix);
    largest == 0.0 || matrix.determinant().abs() < 1e-9 * largest.powi(3)
}

fn longest_column(matrix: DMat3) -> f64 {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    columns.map(DVec3::length).into_iter().fold(0.0, f64::max)
}

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

    /// Parents of all kinds: rotated, scaled, mirrored, stretched, sheared.
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
    fn grabbed_point_follows_pointer_under_every_parent() {
        let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.2, 0.5, -0.3);
        let origin = DVec3::new(1.0, 2.0, -0.5);
        for parent in parents() {
            for (frame, axis) in FRAMES.into_iter().flat_map(|frame| [0, 1, 2].map(|k| (frame, k)))
            {
                let ring = TurnAxis::new(frame, axis, parent, rotation, origin).unwrap();
                // Seen from a position from which no plane is edge-on.
                let [u, v] = ring.across_in_world();
                let eye = origin + u.cross(v).normalize() * 7.0 + DVec3::new(0.3, 0.2, 0.1);
                let (from, to) = (0.3, 1.4);
                let at = |angle| ring.angle_at(&ray(eye, ring.at(angle, 2.0))).unwrap();
                let turn = DQuat::from_axis_angle(ring.axis_in_parent, at(to) - at(from));
                // The grabbed point is under the pointer again: in the parent's
                // frame.
                let grabbed = parent.inverse() * (ring.at(from, 2.0) - origin);
                let moved = origin + parent * (turn * grabbed);
                let wanted = ring.at(to, 2.0);
                assert!(moved.abs_diff_eq(wanted, 1e-4), "{parent} {frame:?} {axis}");
            }
        }
    }

    #[test]
    fn world_axes_work_under_a_mirror() {
        let rotation = DQuat::from_rotation_z(0.7);
        for parent in parents().into_iter().take(5) {
            for axis in 0..3 {
                let found = TurnAxis::new(GizmoFrame::World, axis, parent, rotation, DVec3::ZERO);
                let about = found.unwrap().axis_in_parent;
                let before = parent * DMat3::from_quat(rotation);
                let turn = DQuat::from_axis_angle(about, 0.5);
                let after = parent * DMat3::from_quat(turn * rotation);
                let unit = [DVec3::X, DVec3::Y, DVec3::Z][axis];
                let wanted = DMat3::from_quat(DQuat::from_axis_angle(unit, 0.5)) * before;
                let size = longest_column(parent);
                assert!(after.abs_diff_eq(wanted, 1e-9 * size), "{parent} {axis}");
            }
        }
    }

    #[test]
    fn quarter_turn_without_parent() {
        let ring = TurnAxis::new(
            GizmoFrame::World,
            2,
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
    fn translation_is_in_units_of_its_frame() {
        let rotation = DQuat::from_rotation_z(0.4);
        let origin = DVec3::new(0.5, -1.0, 2.0);
        for parent in parents() {
            for (frame, axis) in FRAMES.into_iter().flat_map(|frame| [0, 1, 2].map(|k| (frame, k)))
            {
                let arrow = MoveAxis::new(frame, axis, parent, rotation, origin).unwrap();
                let there = origin + arrow.step_in_world * 1.7;
                let aside = arrow.step_in_world.normalize().any_orthonormal_vector();
                let reached = arrow.along(&ray(there + aside * 6.0, there)).unwrap();
                assert!((reached - 1.7).abs() < 1e-4, "{parent} {frame:?} {axis}: {reached}");
                let moved = origin + parent * (arrow.step_in_parent * reached);
                assert!(moved.abs_diff_eq(there, 1e-3 * longest_column(parent)));
                if frame == GizmoFrame::World {
                    let unit = [DVec3::X, DVec3::Y, DVec3::Z][axis];
                    assert!(arrow.step_in_world.abs_diff_eq(unit, 1e-9));
                }
            }
        }
    }

    #[test]
    fn flat_parents_leave_some_axes() {
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
        let turn = |frame, axis| TurnAxis::new(frame, axis, flat, DQuat::IDENTITY, DVec3::ZERO);
        assert!(turn(GizmoFrame::Parent, 2).is_ok());
        assert_eq!(turn(GizmoFrame::Parent, 0), Err(AxisError::Flattened));
        assert_eq!(turn(GizmoFrame::World, 2), Err(AxisError::NoInverse));
        let slide = |frame, axis| MoveAxis::new(frame, axis, flat, DQuat::IDENTITY, DVec3::ZERO);
        assert!(slide(GizmoFrame::Local, 0).is_ok());
        assert_eq!(slide(GizmoFrame::Local, 2), Err(AxisError::Flattened));
        assert_eq!(slide(GizmoFrame::World, 0), Err(AxisError::NoInverse));
        let nothing = DMat3::ZERO;
        let none = TurnAxis::new(GizmoFrame::Local, 0, nothing, DQuat::IDENTITY, DVec3::ZERO);
        assert_eq!(none, Err(AxisError::Flattened));
        let broken = DMat3::from_diagonal(DVec3::splat(f64::NAN));
        let none = TurnAxis::new(GizmoFrame::Local, 0, broken, DQuat::IDENTITY, DVec3::ZERO);
        assert_eq!(none, Err(AxisError::NotFinite));
    }

    #[test]
    fn nearest_orthogonal_ignores_stretch() {
        let turned = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 1.0, 0.3, -2.0));
        let stretch = DMat3::from_cols(
            DVec3::new(3.0, 0.4, 0.1),
            DVec3::new(0.4, 1.0, -0.2),
            DVec3::new(0.1, -0.2, 0.01 + 0.3),
        );
        // Symmetric and positive definite: the other factor of the polar
        // decomposition.
        let nearest = nearest_orthogonal(turned * stretch).unwrap();
        assert!(nearest.abs_diff_eq(turned, 1e-9), "{nearest} {turned}");
        let mirrored = nearest_orthogonal(turned * stretch * -1.0).unwrap();
        assert!(mirrored.abs_diff_eq(turned * -1.0, 1e-9));
    }
}
