//! Which vertex of a surface is meant by a place in its picture.

use glam::{Vec2, Vec3};

use crate::camera::{Camera, Ray};

/// A place on a surface: a triangle, and how much of it each corner is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// Its corners.
    pub triangle: [u32; 3],
    /// Adds up to 1.
    pub shares: [f32; 3],
}

impl SurfaceHit {
    /// What three numbers or places at the corners make there; `None`: a corner is not
    /// among them.
    pub fn among(&self, positions: &[Vec3]) -> Option<Vec3> {
        let corners = corners(positions, self.triangle)?;
        let parts = corners.into_iter().zip(self.shares);
        Some(parts.map(|(corner, share)| corner * share).sum())
    }
}

/// The place of a surface that is seen at `at`; `None` beside it.
///
/// `positions` are in world space, `at` and `size` in points from the picture's
/// upper left corner, as in [`Camera::project`]. Triangles are hit from both
/// sides (Möller and Trumbore, “Fast, minimum storage ray/triangle intersection”,
/// 1997).
pub fn hit_at(
    camera: &Camera,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    at: Vec2,
    size: Vec2,
) -> Option<SurfaceHit> {
    let ray = camera.ray(at, size);
    let sides = sides(&ray, positions)?;
    let mut nearest: Option<(f32, SurfaceHit)> = None;
    for &triangle in triangles {
        let beside = triangle.map(|vertex| sides.get(vertex as usize).copied().unwrap_or(0));
        if beside[0] & beside[1] & beside[2] != 0 {
            continue;
        }
        let Some(corners) = corners(positions, triangle) else {
            continue;
        };
        if let Some((far, shares)) = crossing(&ray, corners)
            && nearest.is_none_or(|(best, _)| far < best)
        {
            nearest = Some((far, SurfaceHit { triangle, shares }));
        }
    }
    nearest.map(|(_, hit)| hit)
}

/// The corner nearest to where the surface is hit of the triangle that is seen at
/// `at`, by index; `None` beside the surface. As [`hit_at`].
pub(super) fn vertex_at(
    camera: &Camera,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    at: Vec2,
    size: Vec2,
) -> Option<u32> {
    let hit = hit_at(camera, positions, triangles, at, size)?;
    let there = hit.among(positions)?;
    let off = |vertex: &u32| positions[*vertex as usize].distance_squared(there);
    let corners = hit.triangle.into_iter();
    corners.min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// On which sides of two planes through the ray each vertex is, a bit a side: a triangle
/// whose corners are all on one side is not hit. That is told of most triangles by three
/// bytes. What is too near to a plane to be sure is on no side. `None`: the ray has no
/// direction.
fn sides(ray: &Ray, positions: &[Vec3]) -> Option<Vec<u8>> {
    /// Of the distance from where the ray begins: many times what rounding can do.
    const UNSURE: f32 = 1e-5;
    let (x, y) = ray.direction.try_normalize()?.any_orthonormal_pair();
    let side = |&position: &Vec3| {
        let off = position - ray.origin;
        let unsure = UNSURE * (off.x.abs() + off.y.abs() + off.z.abs());
        let (x, y) = (off.dot(x), off.dot(y));
        u8::from(x > unsure)
            | u8::from(x < -unsure) << 1
            | u8::from(y > unsure) << 2
            | u8::from(y < -unsure) << 3
    };
    Some(positions.iter().map(side).collect())
}

fn corners(positions: &[Vec3], triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = triangle.map(|vertex| positions.get(vertex as usize).copied());
    Some([a?, b?, c?])
}

/// How far along the ray, in lengths of its direction, and the shares of the corners.
fn crossing(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (ab, ac) = (b - a, c - a);
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
    use bindpose_asset::{bounds_of, builtin};
    use bindpose_lesson::{Projection, View};
    use bindpose_skin::Method;

    use super::*;

    const SIZE: Vec2 = Vec2::new(640.0, 480.0);

    #[test]
    fn the_vertex_in_front_is_picked_where_it_is_projected_to() {
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
                // Itself, or one that stands in its place; others are hidden.
                found += usize::from(positions[picked as usize].distance(position) < 1e-4);
                all += 1;
            }
            assert!(3 * found > all, "{projection:?}: {found} of {all}");
        }
    }

    #[test]
    fn beside_the_surface_and_on_broken_triangles_nothing_is_picked() {
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
    fn leaving_out_what_is_on_one_side_hides_nothing_that_is_hit() {
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
                    crossing(&ray, corners(&positions, triangle)?).map(|(far, _)| far)
                });
                let nearest = all.min_by(f32::total_cmp);
                let found = hit_at(&camera, &positions, triangles, at, SIZE);
                let found = found.map(|hit| {
                    crossing(&ray, corners(&positions, hit.triangle).unwrap()).unwrap().0
                });
                assert_eq!(found, nearest, "{projection:?} {at}");
                hits += usize::from(found.is_some());
            }
        }
        assert!(hits > 40, "{hits}");
    }
}
