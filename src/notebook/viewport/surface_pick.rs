//! Which vertex of a surface is meant by a place in its picture.

use glam::{Vec2, Vec3};

use crate::notebook::camera::{Camera, Ray};

/// The corner nearest to where the surface is hit of the triangle that is seen at
/// `at`, by index; `None` beside the surface.
///
/// `positions` are in world space, `at` and `size` in points from the picture's
/// upper left corner, as in [`Camera::project`]. Triangles are hit from both
/// sides (Möller and Trumbore, “Fast, minimum storage ray/triangle intersection”,
/// 1997).
#[must_use]
pub fn vertex_at(
    camera: &Camera,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    at: Vec2,
    size: Vec2,
) -> Option<u32> {
    let ray = camera.ray(at, size);
    let mut nearest: Option<(f32, [u32; 3])> = None;
    for &triangle in triangles {
        let Some(corners) = corners(positions, triangle) else {
            continue;
        };
        if let Some(far) = distance(&ray, corners)
            && nearest.is_none_or(|(best, _)| far < best)
        {
            nearest = Some((far, triangle));
        }
    }
    let (far, triangle) = nearest?;
    let hit = ray.origin + ray.direction * far;
    let off = |vertex: &u32| positions[*vertex as usize].distance_squared(hit);
    triangle
        .into_iter()
        .min_by(|a, b| off(a).total_cmp(&off(b)))
}

fn corners(positions: &[Vec3], triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = triangle.map(|vertex| positions.get(vertex as usize).copied());
    Some([a?, b?, c?])
}

/// Along the ray, in lengths of its direction.
fn distance(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<f32> {
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
    (inside && far > ray.from).then_some(far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{bounds_of, builtin};
    use crate::lesson::{Projection, View};
    use crate::skin::Method;

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
}
