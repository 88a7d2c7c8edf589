//! Measures surfaces: their area, and what they enclose.

use std::collections::BTreeMap;

use bindpose_skin::Surface;
use glam::{DVec3, Vec3};
#[cfg(not(target_arch = "wasm32"))]
use rayon::prelude::*;

use super::Mesh;

/// The edges around a hole, each from corner to corner as its triangle has it.
type Hole = Vec<[u32; 2]>;

/// The triangles of a mesh, and the edges that belong to one of them alone: what
/// stays when vertices move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceEdges {
    holes: Vec<Hole>,
}

impl SurfaceEdges {
    /// Vertices stored in one place, as along the seams of an image, are one.
    pub fn of(mesh: &Mesh) -> Self {
        let mut first_there = BTreeMap::new();
        let welded: Vec<u32> = (0..)
            .zip(&mesh.positions)
            .map(|(vertex, &position)| *first_there.entry(key(position)).or_insert(vertex))
            .collect();
        let weld = |vertex: u32| welded.get(vertex as usize).copied().unwrap_or(vertex);
        // How much more often an edge is walked upwards than downwards.
        let mut walked: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (from, to) = (weld(from), weld(to));
                if from < to {
                    *walked.entry([from, to]).or_default() += 1;
                } else if to < from {
                    *walked.entry([to, from]).or_default() -= 1;
                }
            }
        }
        let open = walked.into_iter().flat_map(|([low, high], more)| {
            let edge = if more > 0 { [low, high] } else { [high, low] };
            std::iter::repeat_n(edge, more.unsigned_abs() as usize)
        });
        Self { holes: holes(open.collect()) }
    }

    /// With the vertices in these places. A hole is closed by a fan to the middle of
    /// its edge, which adds to the volume and not to the area. `None` without
    /// triangles.
    pub fn measure(&self, mesh: &Mesh, positions: &[Vec3]) -> Option<Surface> {
        let at = |vertex: u32| positions.get(vertex as usize).map(|p| p.as_dvec3());
        // Near the origin numbers keep their digits.
        let near = at(mesh.triangles.first()?[0])?;
        let (mut six_volumes, two_areas) = triangle_sums(&mesh.triangles, positions, near)?;
        for hole in &self.holes {
            let ends = hole.iter().flatten();
            let sum: DVec3 = ends.filter_map(|&end| at(end)).map(|end| end - near).sum();
            let middle = sum / (2 * hole.len()) as f64;
            for &[from, to] in hole {
                six_volumes += (at(to)? - near).dot((at(from)? - near).cross(middle));
            }
        }
        Some(Surface { volume: six_volumes / 6.0, area: two_areas / 2.0 })
    }
}

/// Triangles that are added up at a time; the sums of such parts are added in their
/// order, so that no number depends on how many cores there are.
const PART: usize = 1 << 14;
/// Triangles from which on more than one core adds them up.
#[cfg(not(target_arch = "wasm32"))]
const SHARED_FROM: usize = 1 << 17;

/// Six times the volume between `near` and the triangles, and twice their area. `None`
/// where a corner has no place.
fn triangle_sums(triangles: &[[u32; 3]], positions: &[Vec3], near: DVec3) -> Option<(f64, f64)> {
    let of_part = |part: &[[u32; 3]]| part_sums(part, positions, near);
    #[cfg(not(target_arch = "wasm32"))]
    if triangles.len() >= SHARED_FROM {
        let sums: Option<Vec<(f64, f64)>> = triangles.par_chunks(PART).map(of_part).collect();
        return Some(added(sums?.into_iter()));
    }
    let sums: Option<Vec<(f64, f64)>> = triangles.chunks(PART).map(of_part).collect();
    Some(added(sums?.into_iter()))
}

fn added(sums: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    sums.fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1))
}

fn part_sums(triangles: &[[u32; 3]], positions: &[Vec3], near: DVec3) -> Option<(f64, f64)> {
    let at = |vertex: u32| positions.get(vertex as usize).map(|p| p.as_dvec3() - near);
    let (mut six_volumes, mut two_areas) = (0.0, 0.0);
    for &[a, b, c] in triangles {
        let [a, b, c] = [at(a)?, at(b)?, at(c)?];
        six_volumes += a.dot(b.cross(c));
        two_areas += (b - a).cross(c - a).length();
    }
    Some((six_volumes, two_areas))
}

/// Two zeros are one.
fn key(position: Vec3) -> [u32; 3] {
    (position + Vec3::ZERO).to_array().map(f32::to_bits)
}

/// The first vertex of those that hang together with it, as far as is known.
fn root(of: &BTreeMap<u32, u32>, mut vertex: u32) -> u32 {
    while let Some(&next) = of.get(&vertex)
        && next != vertex
    {
        vertex = next;
    }
    vertex
}

/// Edges that hang together.
fn holes(edges: Vec<[u32; 2]>) -> Vec<Hole> {
    let mut of: BTreeMap<u32, u32> = BTreeMap::new();
    for &[from, to] in &edges {
        let (from, to) = (root(&of, from), root(&of, to));
        // Towards the smaller number: ways stay short, and never go round.
        of.insert(from.max(to), from.min(to));
    }
    let mut holes: BTreeMap<u32, Hole> = BTreeMap::new();
    for edge in edges {
        holes.entry(root(&of, edge[0])).or_default().push(edge);
    }
    holes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box from the origin, 2 × 3 × 4, each side with corners of its own.
    fn a_box() -> Mesh {
        let size = Vec3::new(2.0, 3.0, 4.0);
        let mut mesh = Mesh::default();
        for axis in 0..3 {
            for end in [0.0, 1.0] {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let first = mesh.positions.len() as u32;
                for (along_u, along_v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                    let mut corner = Vec3::ZERO;
                    corner[axis] = end * size[axis];
                    corner[u] = along_u * size[u];
                    corner[v] = along_v * size[v];
                    mesh.positions.push(corner);
                }
                let mut sides = [[0, 1, 2], [0, 2, 3]];
                if end == 0.0 {
                    sides = [[0, 2, 1], [0, 3, 2]];
                }
                let corners = sides.map(|side| side.map(|corner| first + corner));
                mesh.triangles.extend(corners);
            }
        }
        mesh
    }

    fn measured(mesh: &Mesh) -> Surface {
        let edges = SurfaceEdges::of(mesh);
        edges.measure(mesh, &mesh.positions).expect("a surface")
    }

    #[test]
    fn a_box_has_its_volume_and_area_wherever_it_stands() {
        let mut mesh = a_box();
        assert_eq!(SurfaceEdges::of(&mesh).holes.len(), 0);
        for by in [Vec3::ZERO, Vec3::new(-50.0, 20.0, 7.0)] {
            for position in &mut mesh.positions {
                *position += by;
            }
            let Surface { volume, area } = measured(&mesh);
            assert!((volume - 24.0).abs() < 1e-9, "{volume}");
            assert!((area - 52.0).abs() < 1e-9, "{area}");
        }
        let mirrored: Vec<Vec3> =
            mesh.positions.iter().map(|&p| p * -Vec3::X + p * Vec3::new(0.0, 1.0, 1.0)).collect();
        let surface = SurfaceEdges::of(&mesh).measure(&mesh, &mirrored);
        assert!((surface.expect("a surface").volume + 24.0).abs() < 1e-9);
    }

    #[test]
    fn several_cores_add_up_to_what_one_does() {
        let mut mesh = a_box();
        while mesh.triangles.len() < super::SHARED_FROM {
            mesh.triangles.extend_from_within(..);
        }
        let boxes = mesh.triangles.len() as f64 / 12.0;
        let sums = triangle_sums(&mesh.triangles, &mesh.positions, DVec3::ZERO);
        let parts = mesh.triangles.chunks(PART);
        let one_core = parts.map(|part| part_sums(part, &mesh.positions, DVec3::ZERO));
        assert_eq!(sums, Some(added(one_core.flatten())));
        let (six_volumes, two_areas) = sums.expect("triangles");
        assert!((six_volumes / 6.0 / boxes - 24.0).abs() < 1e-9);
        assert!((two_areas / 2.0 / boxes - 52.0).abs() < 1e-9);
        let last = mesh.triangles.len() - 1;
        mesh.triangles[last] = [0, 1, 99];
        assert_eq!(triangle_sums(&mesh.triangles, &mesh.positions, DVec3::ZERO), None);
    }

    #[test]
    fn flat_holes_are_closed_each_for_itself_and_have_no_area() {
        let mut mesh = a_box();
        // Two sides apart: x = 0 and x = 2.
        mesh.triangles.drain(0..4);
        let edges = SurfaceEdges::of(&mesh);
        assert_eq!(edges.holes.len(), 2);
        let Surface { volume, area } = measured(&mesh);
        assert!((volume - 24.0).abs() < 1e-9, "{volume}");
        assert!((area - 28.0).abs() < 1e-9, "{area}");
        assert_eq!(SurfaceEdges::default().measure(&Mesh::default(), &[]), None);
    }
}
