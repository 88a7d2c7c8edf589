//! Picking vertices of a surface in its picture.

use glam::{Vec2, Vec3};

use crate::camera::{Camera, Ray};

/// A point on a surface, in barycentric coordinates of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// Vertex indices of the triangle.
    pub triangle: [u32; 3],
    /// Barycentric coordinates. Their sum is 1.
    pub shares: [f32; 3],
}

impl SurfaceHit {
    /// Interpolates values of vertices at this point. Returns `None` if a
    /// vertex index is out of range.
    pub fn among(&self, positions: &[Vec3]) -> Option<Vec3> {
        let corners = corners(positions, self.triangle)?;
        let parts = corners.into_iter().zip(self.shares);
        Some(parts.map(|(corner, share)| corner * share).sum())
    }
}

/// Returns the point of a surface that is seen at `at`. Returns `None` beside
/// the surface.
///
/// `positions` are in world space, `at` and `size` in points from the picture's
/// upper left corner, as in [`Camera::project`]. Triangles are hit from both
/// sides (Möller and Trumbore, “Fast, minimum storage ray/triangle
/// intersection”, 1997).
pub fn hit_at(
    camera: &Camera,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    at: Vec2,
    size: Vec2,
) -> Option<SurfaceHit> {
    let ray = camera.ray(at, size);
    let sides = ray_sides(&ray, positions)?;
    let mut nearest: Option<(f32, SurfaceHit)> = None;
    for &triangle in triangles {
        let beside = triangle.map(|vertex| sides.get(vertex as usize).copied().unwrap_or(0));
        if beside[0] & beside[1] & beside[2] != 0 {
            continue;
        }
        let Some(corners) = corners(positions, triangle) else {
            continue;
        };
        if let Some((far, shares)) = intersect(&ray, corners)
            && nearest.is_none_or(|(best, _)| far < best)
        {
            nearest = Some((far, SurfaceHit { triangle, shares }));
        }
    }
    nearest.map(|(_, hit)| hit)
}

/// Returns the vertex of the triangle seen at `at` that is nearest to the point
/// hit. Returns `None` beside the surface. See [`hit_at`].
pub(super) fn vertex_at(
    camera: &Camera,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    at: Vec2,
    size: Vec2,
) -> Option<u32> {
    let hit = hit_at(camera, positions, triangles, at, size)?;
    let point = hit.among(positions)?;
    hit.triangle.into_iter().min_by(|&a, &b| {
        let distance_a = positions[a as usize].distance_squared(point);
        let distance_b = positions[b as usize].distance_squared(point);
        distance_a.total_cmp(&distance_b)
    })
}

/// Classifies each vertex by its sides of two planes through the ray, one bit
/// per side. A triangle with all corners on one side is not hit, which rejects
/// most triangles by comparing three bytes. A vertex too near to a plane is on
/// no side. Returns `None` if the ray has no direction.
fn ray_sides(ray: &Ray, positions: &[Vec3]) -> Option<Vec<u8>> {
    /// Relative to the distance from the ray's origin. Far above rounding errors.
    const TOLERANCE: f32 = 1e-5;
    let (x, y) = ray.direction.try_normalize()?.any_orthonormal_pair();
    let mut sides = Vec::with_capacity(positions.len());
    for &position in positions {
        let offset = position - ray.origin;
        let tolerance = TOLERANCE * (offset.x.abs() + offset.y.abs() + offset.z.abs());
        let along_x = offset.dot(x);
        let along_y = offset.dot(y);
        sides.push(
            u8::from(along_x > tolerance)
                | u8::from(along_x < -tolerance) << 1
                | u8::from(along_y > tolerance) << 2
                | u8::from(along_y < -tolerance) << 3,
        );
    }
    Some(sides)
}

fn corners(positions: &[Vec3], triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = triangle.map(|vertex| positions.get(vertex as usize).copied());
    Some([a?, b?, c?])
}

/// Intersects the ray with a triangle. Returns the distance in lengths of the
/// ray's direction, and barycentric coordinates.
fn intersect(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let ab = b - a;
    let ac = c - a;
    let p = ray.direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let from_a = ray.origin - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = ray.direction.dot(q) / determinant;
    let far = ac.dot(q) / determinant;
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    (inside && far > ray.from).then_some((far, [1.0 - u - v, u, v]))
}

#[cfg(test)]
mod tests {
    use bindpose_gltf::bounds_of;
    use bindpose_lesson::{Projection, View};
    use bindpose_rigs::builtin;
    use bindpose_skin::Method;

    use super::*;

    const SIZE: Vec2 = Vec2::new(640.0, 480.0);

    #[test]
    fn projected_vertex_is_picked() {
        let whale = builtin("whale").unwrap();
        let palette = whale.world_from_bind(|_| None);
        let positions = whale.mesh.moved(&palette, &[], Method::Linear).positions;
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let whole = bounds_of(&positions);
            let camera = Camera::framing(whole, View::Left, projection, SIZE.x / SIZE.y);
            let (mut found, mut all) = (0, 0);
            for &position in positions.iter().step_by(7) {
                let at = camera.project(position, SIZE).unwrap();
                let Some(picked) = vertex_at(&camera, &positions, &whale.mesh.triangles, at, SIZE)
                else {
                    continue;
                };
                // The vertex itself or one at the same position. Others are
                // hidden.
                found += usize::from(positions[picked as usize].distance(position) < 1e-4);
                all += 1;
            }
            assert!(3 * found > all, "{projection:?}: {found} of {all}");
        }
    }

    #[test]
    fn nothing_is_picked_beside_surface_and_on_broken_triangles() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(f32::NAN)];
        let whole = (Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0));
        let camera = Camera::framing(whole, View::Front, Projection::Perspective, 1.0);
        let size = Vec2::splat(100.0);
        let pick = |triangles: &[[u32; 3]], at| vertex_at(&camera, &positions, triangles, at, size);
        let corner = camera.project(Vec3::splat(0.1).with_z(0.0), size).unwrap();
        assert_eq!(pick(&[[0, 1, 2]], corner), Some(0));
        assert_eq!(pick(&[[0, 2, 1]], corner), Some(0), "from behind too");
        assert_eq!(pick(&[[0, 1, 2]], Vec2::ZERO), None);
        assert_eq!(pick(&[[0, 1, 9], [0, 1, 3], [0, 0, 0]], corner), None);
    }

    #[test]
    fn side_test_rejects_no_hit() {
        let whale = builtin("whale").unwrap();
        let palette = whale.world_from_bind(|_| None);
        let positions = whale.mesh.moved(&palette, &[], Method::Linear).positions;
        let triangles = &whale.mesh.triangles;
        let mut hits = 0;
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let whole = bounds_of(&positions);
            let camera = Camera::framing(whole, View::ThreeQuarter, projection, SIZE.x / SIZE.y);
            for place in 0..400 {
                let at = Vec2::new(32.0 * (place % 20) as f32, 24.0 * (place / 20) as f32);
                let ray = camera.ray(at, SIZE);
                let all = triangles.iter().filter_map(|&triangle| {
                    intersect(&ray, corners(&positions, triangle)?).map(|(far, _)| far)
                });
                let nearest = all.min_by(f32::total_cmp);
                let found = hit_at(&camera, &positions, triangles, at, SIZE);
                let found = found.map(|hit| {
                    intersect(&ray, corners(&positions, hit.triangle).unwrap()).unwrap().0
                });
                assert_eq!(found, nearest, "{projection:?} {at}");
                hits += usize::from(found.is_some());
            }
        }
        assert!(hits > 40, "{hits}");
    }
}
