//! Spatial search for the vertices within reach of a brush, and for their neighbours.

use std::sync::OnceLock;

use glam::Vec3;

use crate::{Influences, JointIndex};

/// Maximum number of grid cells along one axis.
const MAX_CELLS_PER_AXIS: usize = 256;

/// The vertices of a mesh in bind space, sorted into a grid, and their neighbours on the
/// surface.
///
/// Vertices whose positions are not finite are in no cell, so no search finds them.
#[derive(Debug)]
pub struct BrushSurface {
    positions: Vec<Vec3>,
    /// Lower corner of the grid.
    low: Vec3,
    /// Upper corner of the grid.
    high: Vec3,
    /// Number of cells along each axis, at least 1.
    cell_counts: [usize; 3],
    /// Size of a cell along each axis.
    cell_size: Vec3,
    /// Start of each cell in `sorted`, and the end of the last one.
    cell_starts: Vec<u32>,
    /// Vertices sorted by cell.
    sorted: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Computed by the first stroke that smooths.
    neighbours: OnceLock<Neighbours>,
}

impl BrushSurface {
    /// Sorts the vertices of a mesh.
    ///
    /// `positions` are in bind space. Triangles with indices past the end have no effect.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        for &position in positions.iter().filter(|position| position.is_finite()) {
            low = low.min(position);
            high = high.max(position);
        }
        if !low.is_finite() {
            low = Vec3::ZERO;
            high = Vec3::ZERO;
        }
        let mut surface = Self {
            positions: positions.to_vec(),
            low,
            high,
            cell_counts: [1; 3],
            cell_size: Vec3::ONE,
            cell_starts: Vec::new(),
            sorted: Vec::new(),
            triangles: triangles.to_vec(),
            neighbours: OnceLock::new(),
        };
        surface.choose_cells();
        surface.sort_vertices();
        surface
    }

    /// Returns the lower and the upper corner of the bounding box, in bind space. Both are 0 if
    /// no position is finite.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.low, self.high)
    }

    /// Returns the length of the bounding box's diagonal.
    pub fn size(&self) -> f32 {
        self.low.distance(self.high)
    }

    /// Returns the position of a vertex in bind space. Returns `None` if there is no such
    /// vertex.
    pub fn position(&self, vertex: u32) -> Option<Vec3> {
        self.positions.get(vertex as usize).copied()
    }

    /// Chooses about as many cells as a surface with this number of vertices fills.
    fn choose_cells(&mut self) {
        let extent = self.high - self.low;
        let longest = extent.max_element();
        if longest <= 0.0 {
            return;
        }
        let vertices_per_side = (self.positions.len() as f32).sqrt().ceil().max(1.0);
        let edge = longest / vertices_per_side.min(MAX_CELLS_PER_AXIS as f32);
        for axis in 0..3 {
            let count = (extent[axis] / edge).ceil() as usize;
            self.set_cell_count(axis, count.clamp(1, MAX_CELLS_PER_AXIS));
        }
        // Most cells of a cubic box would be empty. There need not be many more than vertices.
        while self.cell_counts.iter().product::<usize>() > 4 * self.positions.len() + 64 {
            for axis in 0..3 {
                self.set_cell_count(axis, self.cell_counts[axis].div_ceil(2));
            }
        }
    }

    fn set_cell_count(&mut self, axis: usize, count: usize) {
        let size = (self.high[axis] - self.low[axis]) / count as f32;
        self.cell_counts[axis] = count;
        self.cell_size[axis] = if size > 0.0 { size } else { 1.0 };
    }

    /// Sorts the vertices by cell, with a counting sort.
    fn sort_vertices(&mut self) {
        let count = self.cell_counts.iter().product::<usize>();
        let mut starts = vec![0_u32; count + 1];
        for position in &self.positions {
            if let Some(cell) = self.cell_at(*position) {
                starts[cell + 1] += 1;
            }
        }
        for cell in 0..count {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0; *starts.last().unwrap_or(&0) as usize];
        for (vertex, position) in self.positions.iter().enumerate() {
            if let Some(cell) = self.cell_at(*position) {
                sorted[next[cell] as usize] = vertex as u32;
                next[cell] += 1;
            }
        }
        self.cell_starts = starts;
        self.sorted = sorted;
    }

    /// Returns the index of a cell along one axis, clamped to the grid.
    fn cell_along(&self, axis: usize, coordinate: f32) -> usize {
        // The cast clamps negative numbers and NaN to 0.
        let cell = ((coordinate - self.low[axis]) / self.cell_size[axis]) as usize;
        cell.min(self.cell_counts[axis] - 1)
    }

    /// Returns the cell of a position, or `None` if the position is not finite.
    fn cell_at(&self, position: Vec3) -> Option<usize> {
        if !position.is_finite() {
            return None;
        }
        let [x, y, z] = [0, 1, 2].map(|axis| self.cell_along(axis, position[axis]));
        Some((z * self.cell_counts[1] + y) * self.cell_counts[0] + x)
    }

    /// Calls `found` with each vertex within `radius` of `center` and its distance, in any
    /// order.
    ///
    /// Finds nothing if `center` or `radius` is not finite.
    pub fn each_within(&self, center: Vec3, radius: f32, mut found: impl FnMut(u32, f32)) {
        if !center.is_finite() || !radius.is_finite() || radius <= 0.0 || self.sorted.is_empty() {
            return;
        }
        let low = center - radius;
        let high = center + radius;
        if low.cmpgt(self.high).any() || high.cmplt(self.low).any() {
            return;
        }
        let first = [0, 1, 2].map(|axis| self.cell_along(axis, low[axis]));
        let last = [0, 1, 2].map(|axis| self.cell_along(axis, high[axis]));
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                let row = (z * self.cell_counts[1] + y) * self.cell_counts[0];
                // The cells of a row are contiguous.
                let start = self.cell_starts[row + first[0]] as usize;
                let end = self.cell_starts[row + last[0] + 1] as usize;
                for &vertex in &self.sorted[start..end] {
                    let distance = self.positions[vertex as usize].distance(center);
                    if distance <= radius {
                        found(vertex, distance);
                    }
                }
            }
        }
    }

    /// Computes the mean weight of each joint over the neighbours of a vertex. Returns `None` if
    /// it has no neighbours with influences.
    pub(super) fn mean_of_neighbours(
        &self,
        vertex: u32,
        influences: &[Influences],
    ) -> Option<Vec<(JointIndex, f64)>> {
        let neighbours =
            self.neighbours.get_or_init(|| Neighbours::new(&self.positions, &self.triangles));
        neighbours.mean(vertex, influences)
    }
}

/// The vertices at the other ends of each vertex's edges.
///
/// Files store a vertex several times along seams. Vertices at the same position are therefore
/// merged to one point.
#[derive(Debug)]
pub(super) struct Neighbours {
    point_of_vertex: Vec<u32>,
    /// The first vertex of each point.
    vertex_of_point: Vec<u32>,
    /// Start of each point's neighbours in `points`, and the end of the last ones.
    starts: Vec<u32>,
    points: Vec<u32>,
}

impl Neighbours {
    pub(super) fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (point_of_vertex, vertex_of_point) = merge_vertices(positions);
        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(6 * triangles.len());
        for &corners in triangles {
            let points = corners.map(|vertex| point_of_vertex.get(vertex as usize).copied());
            let [Some(a), Some(b), Some(c)] = points else {
                continue;
            };
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from != to {
                    edges.extend([[from, to], [to, from]]);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0_u32; vertex_of_point.len() + 1];
        for [from, _] in &edges {
            starts[*from as usize + 1] += 1;
        }
        for point in 0..vertex_of_point.len() {
            starts[point + 1] += starts[point];
        }
        Self {
            point_of_vertex,
            vertex_of_point,
            starts,
            points: edges.into_iter().map(|[_, to]| to).collect(),
        }
    }

    /// Computes the mean weight of each joint over the neighbours of a vertex. Weights that are
    /// negative or not finite count as 0. Returns `None` if it has no neighbours with influences.
    pub(super) fn mean(
        &self,
        vertex: u32,
        influences: &[Influences],
    ) -> Option<Vec<(JointIndex, f64)>> {
        let point = *self.point_of_vertex.get(vertex as usize)? as usize;
        let start = *self.starts.get(point)? as usize;
        let end = *self.starts.get(point + 1)? as usize;
        let mut mean: Vec<(JointIndex, f64)> = Vec::new();
        let mut count = 0.0;
        for &neighbour in self.points.get(start..end)? {
            let vertex = self.vertex_of_point[neighbour as usize];
            let Some(neighbour) = influences.get(vertex as usize) else {
                continue;
            };
            count += 1.0;
            for (_, joint, weight) in neighbour.used() {
                if !(weight.is_finite() && weight > 0.0) {
                    continue;
                }
                let weight = f64::from(weight);
                match mean.iter_mut().find(|(other, _)| *other == joint) {
                    Some((_, sum)) => *sum += weight,
                    None => mean.push((joint, weight)),
                }
            }
        }
        if count == 0.0 {
            return None;
        }
        for (_, weight) in &mut mean {
            *weight /= count;
        }
        Some(mean)
    }
}

/// Merges vertices at the same position. Returns the point of every vertex, and the first vertex
/// of every point.
fn merge_vertices(positions: &[Vec3]) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&vertex| (position_bits(positions[vertex as usize]), vertex));
    let mut point_of_vertex = vec![0; positions.len()];
    let mut vertex_of_point: Vec<u32> = Vec::new();
    let mut last = None;
    for vertex in order {
        let bits = position_bits(positions[vertex as usize]);
        if last != Some(bits) {
            last = Some(bits);
            vertex_of_point.push(vertex);
        }
        point_of_vertex[vertex as usize] = vertex_of_point.len() as u32 - 1;
    }
    (point_of_vertex, vertex_of_point)
}

/// Returns the bits of a position, with −0 as 0.
fn position_bits(position: Vec3) -> [u32; 3] {
    (position + Vec3::ZERO).to_array().map(f32::to_bits)
}
