//! Cameras of viewports.

use glam::camera::rh::proj::opengl;
use glam::{Mat4, Vec2, Vec3};

use bindpose_lesson::{Projection, View};

/// Vertical field of view of the perspective camera.
const FOV_RAD: f32 = 0.6;

/// Minimum and maximum height of the picture in world units: from a joint of a
/// model in micrometres to a crowd of models in millimetres.
const HEIGHT_RANGE: (f32, f32) = (1e-7, 1e8);

/// Rotation of [`Camera::orbit`] for a drag over the full height of the picture: half a turn.
const ORBIT_RAD_PER_HEIGHT: f32 = std::f32::consts::PI;

/// Maximum fraction of the picture's width and height that [`Camera::hold`] fills.
const MAX_HELD_FILL: f32 = 0.95;

/// A line of sight, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// A point on the line. The eye in perspective.
    pub origin: Vec3,
    pub direction: Vec3,
    /// Start of the visible part, as distance from the origin along the
    /// direction.
    pub from: f32,
}

/// A camera that orbits a target. Right-handed, Y up, looking along −z of its
/// own space. Clip space is OpenGL's, with z from −1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Target point, in world space.
    pub target: Vec3,
    /// Rotation about +Y. 0 looks along −z, positive views from the right.
    pub yaw_rad: f32,
    /// Rotation about the horizontal axis. Positive looks down from above.
    pub pitch_rad: f32,
    /// Height of the picture at the target, in world units.
    pub height: f32,
    pub projection: Projection,
}

impl Camera {
    /// Frames a box from a standard view with a small margin. `aspect` is width
    /// / height of the picture.
    pub fn framing(
        (low, high): (Vec3, Vec3),
        view: View,
        projection: Projection,
        aspect: f32,
    ) -> Self {
        let mut camera = Self {
            target: (low + high) * 0.5,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 1.0,
            projection,
        };
        camera.look_from(view);
        let view_from_world = camera.view_from_world();
        let mut reach = Vec2::ZERO;
        for corner_in_world in corners((low, high)) {
            let in_view = view_from_world.transform_point3(corner_in_world)
                - view_from_world.transform_point3(camera.target);
            reach = reach.max(Vec2::new(in_view.x.abs(), in_view.y.abs()));
        }
        let height = 2.3 * reach.y.max(reach.x / aspect.max(0.05));
        // A single point has no size to frame.
        camera.height = if height > HEIGHT_RANGE.0 { height } else { 1.0 };
        camera
    }

    /// Moves back until all points are in the picture, because parts nearer
    /// than the target look larger. Does nothing in an orthographic projection.
    pub fn hold(&mut self, points: &[Vec3], aspect: f32) {
        if self.projection == Projection::Orthographic {
            return;
        }
        let steepest = (FOV_RAD * 0.5).tan() * MAX_HELD_FILL;
        let from_target = Mat4::from_translation(Vec3::Z * self.distance());
        let view = from_target * self.view_from_world();
        let distance = points
            .iter()
            .map(|&point| view.transform_point3(point))
            .map(|at| at.z + at.y.abs().max(at.x.abs() / aspect.max(0.05)) / steepest)
            .fold(self.distance(), f32::max);
        self.height =
            (distance * 2.0 * (FOV_RAD * 0.5).tan()).clamp(HEIGHT_RANGE.0, HEIGHT_RANGE.1);
    }

    /// Switches to a standard view, keeping target and height.
    pub fn look_from(&mut self, view: View) {
        let half_pi = std::f32::consts::FRAC_PI_2;
        (self.yaw_rad, self.pitch_rad) = match view {
            View::Front => (0.0, 0.0),
            View::Back => (2.0 * half_pi, 0.0),
            View::Left => (-half_pi, 0.0),
            View::Right => (half_pi, 0.0),
            View::Top => (0.0, half_pi),
            View::Bottom => (0.0, -half_pi),
            View::ThreeQuarter => (0.65, 0.3),
        };
    }

    /// Rotates by a drag, at `ORBIT_RAD_PER_HEIGHT`.
    pub fn orbit(&mut self, drag_in_heights: Vec2) {
        let half_pi = std::f32::consts::FRAC_PI_2;
        let turn_rad = drag_in_heights * ORBIT_RAD_PER_HEIGHT;
        self.yaw_rad -= turn_rad.x;
        self.pitch_rad = (self.pitch_rad + turn_rad.y).clamp(-half_pi, half_pi);
    }

    /// Moves the target so that the picture follows the pointer.
    pub fn pan(&mut self, drag_in_heights: Vec2) {
        let world_from_view = self.view_from_world().inverse();
        let right = world_from_view.x_axis.truncate();
        let up = world_from_view.y_axis.truncate();
        self.target += (up * drag_in_heights.y - right * drag_in_heights.x) * self.height;
    }

    /// Scales the height. Factors below 1 zoom in.
    pub fn zoom(&mut self, factor: f32) {
        self.height = (self.height * factor).clamp(HEIGHT_RANGE.0, HEIGHT_RANGE.1);
    }

    /// Returns true if all values are finite and in a usable range.
    pub fn is_sensible(&self) -> bool {
        let half_pi = std::f32::consts::FRAC_PI_2;
        self.target.abs().max_element() <= HEIGHT_RANGE.1
            && self.target.is_finite()
            && self.yaw_rad.abs() <= 1000.0
            && self.pitch_rad.abs() <= half_pi
            && (HEIGHT_RANGE.0..=HEIGHT_RANGE.1).contains(&self.height)
    }

    /// Distance of the eye from the target, in world units.
    pub fn distance(&self) -> f32 {
        self.height * 0.5 / (FOV_RAD * 0.5).tan()
    }

    /// World space to the camera's own space.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_translation(Vec3::Z * -self.distance())
            * Mat4::from_rotation_x(self.pitch_rad)
            * Mat4::from_rotation_y(-self.yaw_rad)
            * Mat4::from_translation(-self.target)
    }

    /// World space to clip space. `aspect` is width / height.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let distance = self.distance();
        // A 24-bit depth buffer resolves 1/100,000 of the distance at the
        // target.
        let near = distance * 0.01;
        let far = distance * 1000.0;
        let clip_from_view = match self.projection {
            Projection::Perspective => opengl::perspective(FOV_RAD, aspect, near, far),
            Projection::Orthographic => {
                let x = self.height * 0.5 * aspect;
                let y = self.height * 0.5;
                let reach = distance * 100.0;
                opengl::orthographic(-x, x, -y, y, -reach, reach)
            }
        };
        clip_from_view * self.view_from_world()
    }

    /// Projects a world point to a picture of that size, origin top left, y
    /// down. Returns `None` behind the eye and for points that are not finite.
    pub fn project(&self, point_in_world: Vec3, size: Vec2) -> Option<Vec2> {
        Self::project_with(self.clip_from_world(size.x / size.y.max(1.0)), point_in_world, size)
    }

    /// Like [`Self::project`], with a precomputed [`Self::clip_from_world`],
    /// for many points.
    pub fn project_with(clip_from_world: Mat4, point_in_world: Vec3, size: Vec2) -> Option<Vec2> {
        let clip = clip_from_world * point_in_world.extend(1.0);
        if !(clip.is_finite() && clip.w > 1e-9) {
            return None;
        }
        let ndc = clip.truncate() / clip.w;
        let at = Vec2::new((ndc.x + 1.0) * 0.5 * size.x, (1.0 - ndc.y) * 0.5 * size.y);
        // Lines to points far outside would overflow the painter.
        (at.abs().max_element() < 1e5).then_some(at)
    }

    /// View direction in world space, of unit length.
    pub fn forward(&self) -> Vec3 {
        -self.view_from_world().row(2).truncate()
    }

    /// Line of sight through a point of the picture, in the coordinates of
    /// [`Self::project`].
    pub fn ray(&self, at: Vec2, size: Vec2) -> Ray {
        let forward = self.forward();
        let right = self.view_from_world().row(0).truncate();
        let up = self.view_from_world().row(1).truncate();
        // The point in the plane through the target.
        let across = (at - size * 0.5) * (self.height / size.y.max(1.0));
        let through = self.target + right * across.x - up * across.y;
        match self.projection {
            Projection::Orthographic => {
                Ray { origin: through, direction: forward, from: f32::NEG_INFINITY }
            }
            Projection::Perspective => {
                let eye = self.target - forward * self.distance();
                Ray { origin: eye, direction: (through - eye).normalize_or_zero(), from: 0.0 }
            }
        }
    }

    /// World point under a point of the picture, on the plane through `point`
    /// with this `normal`. Returns `None` if the plane is seen edge-on or
    /// behind the eye.
    pub fn on_plane(&self, at: Vec2, size: Vec2, point: Vec3, normal: Vec3) -> Option<Vec3> {
        let ray = self.ray(at, size);
        let steep = ray.direction.dot(normal);
        if steep.abs() < 1e-3 {
            return None;
        }
        let far = (point - ray.origin).dot(normal) / steep;
        let hit = ray.origin + ray.direction * far;
        (hit.is_finite() && far > ray.from).then_some(hit)
    }
}

/// The eight corners of a box.
pub fn corners((low, high): (Vec3, Vec3)) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        Vec3::new(
            if corner & 1 == 0 { low.x } else { high.x },
            if corner & 2 == 0 { low.y } else { high.y },
            if corner & 4 == 0 { low.z } else { high.z },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: [View; 7] = [
        View::Front,
        View::Back,
        View::Left,
        View::Right,
        View::Top,
        View::Bottom,
        View::ThreeQuarter,
    ];

    #[test]
    fn framed_box_is_in_the_picture() {
        let (low, high) = (Vec3::new(-1.0, 0.0, -3.0), Vec3::new(2.0, 1.0, 3.0));
        for view in VIEWS {
            for size in [Vec2::new(800.0, 400.0), Vec2::new(300.0, 900.0)] {
                let flat = Projection::Orthographic;
                let camera = Camera::framing((low, high), view, flat, size.x / size.y);
                for corner in [low, high, Vec3::new(low.x, high.y, high.z)] {
                    let at = camera.project(corner, size).unwrap();
                    let inside = at.cmpge(Vec2::ZERO).all() && at.cmple(size).all();
                    assert!(inside, "{view:?} {size}: {corner} at {at}");
                }
            }
        }
    }

    #[test]
    fn target_is_centred_and_axes_point_right_and_up() {
        let size = Vec2::new(640.0, 480.0);
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let mut camera =
                Camera::framing((Vec3::NEG_ONE, Vec3::ONE), View::Front, projection, 4.0 / 3.0);
            let middle = camera.project(camera.target, size).unwrap();
            assert!(middle.abs_diff_eq(size * 0.5, 1e-2), "{middle}");
            let above = camera.project(camera.target + Vec3::Y * 0.5, size).unwrap();
            assert!(above.y < middle.y && (above.x - middle.x).abs() < 1e-2);
            let right = camera.project(camera.target + Vec3::X * 0.5, size).unwrap();
            assert!(right.x > middle.x, "x goes right in the front view");

            // A drag to the right moves the picture right.
            let before = camera.project(Vec3::ZERO, size).unwrap();
            camera.pan(Vec2::new(0.1, 0.0));
            let after = camera.project(Vec3::ZERO, size).unwrap();
            assert!((after.x - before.x - 0.1 * size.y).abs() < 1.0, "{before} {after}");
        }
    }

    #[test]
    fn on_plane_inverts_project() {
        let size = Vec2::new(640.0, 480.0);
        let bounds = (Vec3::NEG_ONE, Vec3::ONE);
        for projection in [Projection::Perspective, Projection::Orthographic] {
            for view in VIEWS {
                let mut camera = Camera::framing(bounds, view, projection, 4.0 / 3.0);
                camera.orbit(Vec2::new(0.07, 0.02));
                let point = Vec3::new(0.4, -0.7, 0.3);
                let at = camera.project(point, size).unwrap();
                let facing = camera.on_plane(at, size, point, camera.forward());
                let facing = facing.unwrap();
                assert!(facing.abs_diff_eq(point, 1e-3), "{view:?}: {facing}");
                // From elsewhere in the same plane, too.
                let other = camera.on_plane(at + Vec2::splat(30.0), size, point, camera.forward());
                let back = camera.project(other.unwrap(), size).unwrap();
                assert!(back.abs_diff_eq(at + Vec2::splat(30.0), 0.05), "{back}");
            }
        }
        let edge_on = Camera::framing(bounds, View::Top, Projection::Orthographic, 1.0);
        assert_eq!(edge_on.on_plane(size * 0.5, size, Vec3::ZERO, Vec3::Z), None);
    }

    #[test]
    fn what_is_held_is_whole_in_every_view_of_a_deep_box() {
        let (low, high) = (Vec3::new(-1.0, 0.0, -30.0), Vec3::new(2.0, 1.0, 30.0));
        let corners: Vec<Vec3> = (0..8)
            .map(|corner| {
                Vec3::select(
                    glam::BVec3::from_array([1, 2, 4].map(|bit| corner & bit == 0)),
                    low,
                    high,
                )
            })
            .collect();
        for view in VIEWS {
            for size in [Vec2::new(800.0, 400.0), Vec2::new(300.0, 900.0)] {
                let aspect = size.x / size.y;
                let mut camera =
                    Camera::framing((low, high), view, Projection::Perspective, aspect);
                camera.hold(&corners, aspect);
                for &corner in &corners {
                    let at = camera.project(corner, size).unwrap();
                    let inside = at.cmpge(Vec2::ZERO).all() && at.cmple(size).all();
                    assert!(inside, "{view:?} {size}: {corner} at {at}");
                }
                let held = camera;
                camera.hold(&corners, aspect);
                assert!((held.height - camera.height).abs() < 1e-3, "it settles at once");
            }
        }
    }

    #[test]
    fn near_and_far_planes_enclose_close_views() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            for height in [1e-4_f32, 1.0, 1e4] {
                let camera =
                    Camera { target: Vec3::ZERO, yaw_rad: 0.0, pitch_rad: 0.0, height, projection };
                let clip_from_world = camera.clip_from_world(1.0);
                let depth = |z: f32| clip_from_world.project_point3(Vec3::Z * z).z;
                for z in [-40.0 * height, 0.0, 1.5 * height] {
                    assert!(depth(z).abs() < 1.0, "{projection:?} {height} {z}");
                }
                // In steps of a 24-bit depth buffer.
                let between = (depth(0.0) - depth(height * 1e-3)) * 0.5 * 2_f32.powi(24);
                assert!(between > 40.0, "{projection:?} {height}: {between}");
            }
        }
    }

    #[test]
    fn points_behind_the_eye_or_nan_are_not_projected() {
        let camera =
            Camera::framing((Vec3::NEG_ONE, Vec3::ONE), View::Front, Projection::Perspective, 1.0);
        let size = Vec2::splat(100.0);
        let behind = Vec3::Z * (camera.distance() + 1.0);
        assert_eq!(camera.project(behind, size), None);
        assert_eq!(camera.project(Vec3::splat(f32::NAN), size), None);
    }
}
