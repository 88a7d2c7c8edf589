//! Filled outlines: tall brackets, braces, radical signs. egui fills convex
//! polygons only, so these are cut into triangles, with a soft edge.

use eframe::egui::{Color32, Mesh, Pos2, Vec2, pos2, vec2};
use ratex_types::path_command::PathCommand;

/// Straight pieces per curve: enough for a brace on a projector.
const CURVE_STEPS: usize = 8;

/// One closed contour in em, y down, with its triangles.
#[derive(Debug)]
pub(super) struct GlyphContour {
    points: Vec<Pos2>,
    /// Unit vectors that point out of the shape, one per point.
    normals: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
}

impl GlyphContour {
    pub(super) fn new(mut points: Vec<Pos2>) -> Self {
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if area(&points) < 0.0 {
            points.reverse();
        }
        let normals = normals(&points);
        let triangles = ear_clip(&points);
        Self { points, normals, triangles }
    }

    /// Adds the shape at `origin`, `em` points to the em, with an edge that
    /// fades over three quarters of a pixel.
    pub(super) fn fill(&self, mesh: &mut Mesh, origin: Pos2, em: f32, pixel: f32, color: Color32) {
        let count = self.points.len() as u32;
        for point in &self.points {
            mesh.colored_vertex(origin + point.to_vec2() * em, color);
        }
        for &[a, b, c] in &self.triangles {
            mesh.add_triangle(a, b, c);
        }
        for (point, normal) in self.points.iter().zip(&self.normals) {
            let outer = origin + point.to_vec2() * em + *normal * (0.75 * pixel);
            mesh.colored_vertex(outer, Color32::TRANSPARENT);
        }
        for i in 0..count {
            let next = (i + 1) % count;
            mesh.add_triangle(i, next, count + i);
            mesh.add_triangle(next, count + next, count + i);
        }
    }
}

/// The contours of an outline as polygons, moved by `origin`.
pub(super) fn contours(commands: &[PathCommand], origin: Vec2) -> Vec<Vec<Pos2>> {
    let at = |x: f64, y: f64| pos2(x as f32, y as f32) + origin;
    let mut done = Vec::new();
    let mut current: Vec<Pos2> = Vec::new();
    for command in commands {
        let from = current.last().copied().unwrap_or(origin.to_pos2());
        let steps = (1..=CURVE_STEPS).map(|step| step as f32 / CURVE_STEPS as f32);
        match *command {
            PathCommand::MoveTo { x, y } => {
                done.push(std::mem::replace(&mut current, vec![at(x, y)]));
            }
            PathCommand::LineTo { x, y } => current.push(at(x, y)),
            PathCommand::QuadTo { x1, y1, x, y } => {
                let (b, c) = (at(x1, y1), at(x, y));
                current.extend(steps.map(|t| from.lerp(b, t).lerp(b.lerp(c, t), t)));
            }
            PathCommand::CubicTo { x1, y1, x2, y2, x, y } => {
                let (b, c, d) = (at(x1, y1), at(x2, y2), at(x, y));
                current.extend(steps.map(|t| {
                    let (ab, bc, cd) = (from.lerp(b, t), b.lerp(c, t), c.lerp(d, t));
                    ab.lerp(bc, t).lerp(bc.lerp(cd, t), t)
                }));
            }
            PathCommand::Close => done.push(std::mem::take(&mut current)),
        }
    }
    done.push(current);
    done.retain(|contour| contour.len() > 1);
    done
}

fn area(points: &[Pos2]) -> f32 {
    edges(points).map(|(a, b)| a.x * b.y - b.x * a.y).sum()
}

fn edges(points: &[Pos2]) -> impl Iterator<Item = (Pos2, Pos2)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// For a contour that runs clockwise as seen on the screen.
fn normals(points: &[Pos2]) -> Vec<Vec2> {
    let outward: Vec<Vec2> = edges(points)
        .map(|(a, b)| {
            let along = (b - a).normalized();
            vec2(along.y, -along.x)
        })
        .collect();
    let before = outward.iter().cycle().skip(outward.len().saturating_sub(1));
    outward.iter().zip(before).map(|(after, before)| (*after + *before).normalized()).collect()
}

fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b - a).x * (c - a).y - (b - a).y * (c - a).x
}

/// Cuts a simple polygon into triangles, one ear at a time.
fn ear_clip(points: &[Pos2]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| (left[(i + n - 1) % n], left[i], left[(i + 1) % n]);
        let is_ear = |i: usize| {
            let (a, b, c) = corner(i);
            let (pa, pb, pc) = (points[a], points[b], points[c]);
            cross(pa, pb, pc) > 1e-9
                && !left.iter().any(|&j| {
                    let p = points[j];
                    p != pa
                        && p != pb
                        && p != pc
                        && cross(pa, pb, p) >= 0.0
                        && cross(pb, pc, p) >= 0.0
                        && cross(pc, pa, p) >= 0.0
                })
        };
        // A contour that crosses itself may have no ear; losing a point then
        // costs a sliver, not the program.
        match (0..n).find(|&i| is_ear(i)) {
            Some(i) => {
                let (a, b, c) = corner(i);
                triangles.push([a as u32, b as u32, c as u32]);
                left.remove(i);
            }
            None => {
                left.remove(0);
            }
        }
    }
    if let [a, b, c] = left[..] {
        triangles.push([a as u32, b as u32, c as u32]);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(outline: &GlyphContour) -> f32 {
        outline
            .triangles
            .iter()
            .map(|&[a, b, c]| {
                let p = |i: u32| outline.points[i as usize];
                cross(p(a), p(b), p(c)) / 2.0
            })
            .sum()
    }

    #[test]
    fn the_triangles_of_an_l_cover_its_area_whichever_way_it_runs() {
        let l = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)];
        let points: Vec<Pos2> = l.iter().map(|&(x, y)| pos2(x, y)).collect();
        let reversed = points.iter().rev().copied().collect();
        for contour in [points, reversed] {
            let outline = GlyphContour::new(contour);
            assert_eq!(outline.triangles.len(), 4);
            assert!((covered(&outline) - 5.0).abs() < 1e-5);
        }
    }

    #[test]
    fn normals_point_out_of_a_square() {
        let square = vec![pos2(0., 0.), pos2(2., 0.), pos2(2., 2.), pos2(0., 2.)];
        let outline = GlyphContour::new(square);
        for (point, normal) in outline.points.iter().zip(&outline.normals) {
            assert!((*point - pos2(1., 1.)).dot(*normal) > 1.0);
        }
    }

    #[test]
    fn contours_without_area_are_survived() {
        for points in [vec![], vec![pos2(1., 1.)], vec![pos2(1., 1.); 5]] {
            assert!(GlyphContour::new(points).triangles.is_empty());
        }
    }
}
