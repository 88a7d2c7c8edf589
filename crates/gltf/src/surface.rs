//! Measures the area of a mesh's surface and the volume that it encloses.

use std::collections::BTreeMap;

use bindpose_skin::Surface;
use glam::{DVec3, Vec3};
#[cfg(not(target_arch = "wasm32"))]
use rayon::prelude::*;

use super::Mesh;

/// Boundary edges of a hole, each directed as in its triangle.
type Hole = Vec<[u32; 2]>;

/// The holes of a mesh's surface, which do not change when vertices move. Needed to measure
/// the enclosed volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceEdges {
    holes: Vec<Hole>,
}

impl SurfaceEdges {
    /// Finds the holes of a mesh. Vertices with the same position, as along the seams of a
    /// texture, count as one.
    pub fn of(mesh: &Mesh) -> Self {
        let mut vertex_at = BTreeMap::new();
        let welded: Vec<u32> = (0..)
            .zip(&mesh.positions)
            .map(|(vertex, &position)| *vertex_at.entry(position_key(position)).or_insert(vertex))
            .collect();
        let weld = |vertex: u32| welded.get(vertex as usize).copied().unwrap_or(vertex);
        // For each edge, uses in ascending direction minus uses in descending direction.
        let mut excess_uses: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let from = weld(from);
                let to = weld(to);
                if from < to {
                    *excess_uses.entry([from, to]).or_default() += 1;
                } else if to < from {
                    *excess_uses.entry([to, from]).or_default() -= 1;
                }
            }
        }
        let mut boundary = Vec::new();
        for ([low, high], excess) in excess_uses {
            let edge = if excess > 0 { [low, high] } else { [high, low] };
            boundary.extend(std::iter::repeat_n(edge, excess.unsigned_abs() as usize));
        }
        Self { holes: group_into_holes(boundary) }
    }

    /// Measures the surface with vertices at `positions`. A hole is closed by a fan around
    /// the centre of its boundary, which counts for the volume but not for the area.
    ///
    /// Returns `None` if there are no triangles, or if a vertex has no position.
    pub fn measure(&self, mesh: &Mesh, positions: &[Vec3]) -> Option<Surface> {
        // Relative to a vertex, because rounding errors grow with the distance to the origin.
        let origin = positions.get(mesh.triangles.first()?[0] as usize)?.as_dvec3();
        let at = |vertex: u32| Some(positions.get(vertex as usize)?.as_dvec3() - origin);
        let sums = sum_triangles(&mesh.triangles, positions, origin)?;
        let mut six_volumes = sums.six_volumes;
        for hole in &self.holes {
            let sum: DVec3 = hole.iter().flatten().filter_map(|&vertex| at(vertex)).sum();
            let centre = sum / (2 * hole.len()) as f64;
            for &[from, to] in hole {
                six_volumes += at(to)?.dot(at(from)?.cross(centre));
            }
        }
        Some(Surface { volume: six_volumes / 6.0, area: sums.two_areas / 2.0 })
    }
}

/// Triangles per partial sum. The partial sums are always added in the same order, so that
/// the result does not depend on the number of cores.
const TRIANGLES_PER_CHUNK: usize = 1 << 14;
/// Number of triangles from which several cores share the work.
#[cfg(not(target_arch = "wasm32"))]
const MIN_PARALLEL_TRIANGLES: usize = 1 << 17;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TriangleSums {
    /// Six times the signed volume between the origin and the triangles.
    six_volumes: f64,
    /// Twice the area of the triangles.
    two_areas: f64,
}

/// Sums up all triangles relative to `origin`. Returns `None` if a vertex has no position.
fn sum_triangles(
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    origin: DVec3,
) -> Option<TriangleSums> {
    #[cfg(not(target_arch = "wasm32"))]
    if triangles.len() >= MIN_PARALLEL_TRIANGLES {
        let sums: Option<Vec<TriangleSums>> = triangles
            .par_chunks(TRIANGLES_PER_CHUNK)
            .map(|chunk| sum_chunk(chunk, positions, origin))
            .collect();
        return Some(add_chunks(sums?));
    }
    let sums: Option<Vec<TriangleSums>> = triangles
        .chunks(TRIANGLES_PER_CHUNK)
        .map(|chunk| sum_chunk(chunk, positions, origin))
        .collect();
    Some(add_chunks(sums?))
}

fn add_chunks(chunks: Vec<TriangleSums>) -> TriangleSums {
    let mut total = TriangleSums::default();
    for chunk in chunks {
        total.six_volumes += chunk.six_volumes;
        total.two_areas += chunk.two_areas;
    }
    total
}

fn sum_chunk(triangles: &[[u32; 3]], positions: &[Vec3], origin: DVec3) -> Option<TriangleSums> {
    let at = |vertex: u32| Some(positions.get(vertex as usize)?.as_dvec3() - origin);
    let mut sums = TriangleSums::default();
    for &[a, b, c] in triangles {
        let [a, b, c] = [at(a)?, at(b)?, at(c)?];
        sums.six_volumes += a.dot(b.cross(c));
        sums.two_areas += (b - a).cross(c - a).length();
    }
    Some(sums)
}

/// Bits of a position, for exact comparison. The addition turns −0 into 0.
fn position_key(position: Vec3) -> [u32; 3] {
    (position + Vec3::ZERO).to_array().map(f32::to_bits)
}

/// Sets of connected vertices, as a union-find forest.
#[derive(Default)]
struct VertexSets {
    /// Parent of each vertex that is not a root. Never larger than the vertex.
    parents: BTreeMap<u32, u32>,
    /// Number of parents that were followed, for the test of the complexity.
    #[cfg(test)]
    steps: usize,
}

impl VertexSets {
    /// Returns the smallest vertex of a set. Every second vertex on the way gets its
    /// grandparent as its parent, because a file can make chains of any length otherwise.
    fn find_root(&mut self, mut vertex: u32) -> u32 {
        while let Some(&parent) = self.parents.get(&vertex) {
            #[cfg(test)]
            {
                self.steps += 1;
            }
            let Some(&grandparent) = self.parents.get(&parent) else {
                return parent;
            };
            self.parents.insert(vertex, grandparent);
            vertex = grandparent;
        }
        vertex
    }

    fn join(&mut self, a: u32, b: u32) {
        let [a, b] = [self.find_root(a), self.find_root(b)];
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }
}

/// Groups boundary edges by connected component.
fn group_into_holes(edges: Vec<[u32; 2]>) -> Vec<Hole> {
    let mut sets = VertexSets::default();
    for &[from, to] in &edges {
        sets.join(from, to);
    }
    let mut holes: BTreeMap<u32, Hole> = BTreeMap::new();
    for edge in edges {
        holes.entry(sets.find_root(edge[0])).or_default().push(edge);
    }
    holes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box from the origin, 2 × 3 × 4, with separate vertices for each side.
    fn box_mesh() -> Mesh {
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
    fn volume_and_area_of_a_box_do_not_depend_on_its_position() {
        let mut mesh = box_mesh();
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
    fn parallel_and_sequential_sums_are_equal() {
        let mut mesh = box_mesh();
        while mesh.triangles.len() < MIN_PARALLEL_TRIANGLES {
            mesh.triangles.extend_from_within(..);
        }
        let boxes = mesh.triangles.len() as f64 / 12.0;
        let sums = sum_triangles(&mesh.triangles, &mesh.positions, DVec3::ZERO);
        let sequential: Vec<TriangleSums> = mesh
            .triangles
            .chunks(TRIANGLES_PER_CHUNK)
            .filter_map(|chunk| sum_chunk(chunk, &mesh.positions, DVec3::ZERO))
            .collect();
        assert_eq!(sums, Some(add_chunks(sequential)));
        let sums = sums.expect("triangles");
        assert!((sums.six_volumes / 6.0 / boxes - 24.0).abs() < 1e-9);
        assert!((sums.two_areas / 2.0 / boxes - 52.0).abs() < 1e-9);
        let last = mesh.triangles.len() - 1;
        mesh.triangles[last] = [0, 1, 99];
        assert_eq!(sum_triangles(&mesh.triangles, &mesh.positions, DVec3::ZERO), None);
    }

    #[test]
    fn holes_are_closed_separately_and_have_no_area() {
        let mut mesh = box_mesh();
        // Remove two opposite sides: x = 0 and x = 2.
        mesh.triangles.drain(0..4);
        let edges = SurfaceEdges::of(&mesh);
        assert_eq!(edges.holes.len(), 2);
        let Surface { volume, area } = measured(&mesh);
        assert!((volume - 24.0).abs() < 1e-9, "{volume}");
        assert!((area - 28.0).abs() < 1e-9, "{area}");
        assert_eq!(SurfaceEdges::default().measure(&Mesh::default(), &[]), None);
    }

    /// Joins sets so that each root gets a smaller parent, and then asks for the set of the
    /// vertex that is farthest from its root.
    #[test]
    fn chains_of_sets_are_shortened() {
        const LENGTH: u32 = 10_000;
        let mut sets = VertexSets::default();
        for vertex in (1..LENGTH).rev() {
            sets.join(vertex - 1, vertex);
        }
        for _ in 0..LENGTH {
            assert_eq!(sets.find_root(LENGTH - 1), 0);
        }
        assert!(sets.steps < 4 * LENGTH as usize, "{} steps", sets.steps);
    }
}
