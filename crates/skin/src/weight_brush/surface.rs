//! The vertices of a mesh as a brush finds them: sorted into a grid, once a mesh.

use std::sync::OnceLock;

use glam::Vec3;

use crate::{Influences, JointIndex};

/// Cells along one axis at most.
const MOST_CELLS: usize = 256;

/// Where the vertices of a mesh stand, sorted for finding those near a place, and which
/// are neighbours. Vertices whose positions are not finite are never found.
#[derive(Debug)]
pub struct BrushSurface {
    positions: Vec<Vec3>,
    low: Vec3,
    high: Vec3,
    /// Along each axis, 1 at least.
    cells: [usize; 3],
    /// Edges of a cell.
    cell: Vec3,
    /// Where the vertices of each cell begin in `sorted`, and the end of the last.
    begins: Vec<u32>,
    sorted: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Worked out when somebody smooths.
    neighbours: OnceLock<Neighbours>,
}

impl BrushSurface {
    /// `positions` in bind space; triangles may name vertices that are not there.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let finite = || positions.iter().filter(|position| position.is_finite());
        let (low, high) = finite()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &position| {
                (low.min(position), high.max(position))
            });
        let (low, high) = if low.is_finite() { (low, high) } else { (Vec3::ZERO, Vec3::ZERO) };
        let mut surface = Self {
            positions: positions.to_vec(),
            low,
            high,
            cells: [1; 3],
            cell: Vec3::ONE,
            begins: Vec::new(),
            sorted: Vec::new(),
            triangles: triangles.to_vec(),
            neighbours: OnceLock::new(),
        };
        surface.sort();
        surface
    }

    /// Two opposite corners of the box around all vertices; both 0 where there are none.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.low, self.high)
    }

    /// The diagonal of that box.
    pub fn size(&self) -> f32 {
        self.low.distance(self.high)
    }

    /// Where a vertex stands; `None`: it is not there.
    pub fn position(&self, vertex: u32) -> Option<Vec3> {
        self.positions.get(vertex as usize).copied()
    }

    /// Counting sort into about as many cells as a surface of so many vertices fills.
    fn sort(&mut self) {
        let extent = self.high - self.low;
        let along = (self.positions.len() as f32).sqrt().ceil().max(1.0);
        let widest = extent.max_element();
        if widest > 0.0 {
            let edge = widest / along.min(MOST_CELLS as f32);
            for axis in 0..3 {
                let count = (extent[axis] / edge).ceil() as usize;
                self.cells[axis] = count.clamp(1, MOST_CELLS);
                let wide = extent[axis] / self.cells[axis] as f32;
                self.cell[axis] = if wide > 0.0 { wide } else { 1.0 };
            }
            // A solid box of cells would be mostly empty: as many as vertices suffice.
            while self.cells.iter().product::<usize>() > 4 * self.positions.len() + 64 {
                for axis in 0..3 {
                    self.cells[axis] = self.cells[axis].div_ceil(2);
                    let wide = extent[axis] / self.cells[axis] as f32;
                    self.cell[axis] = if wide > 0.0 { wide } else { 1.0 };
                }
            }
        }
        let count = self.cells.iter().product::<usize>();
        let mut begins = vec![0_u32; count + 1];
        let cell_of = |position: &Vec3| position.is_finite().then(|| self.cell_at(*position));
        for cell in self.positions.iter().filter_map(cell_of) {
            begins[cell + 1] += 1;
        }
        for cell in 0..count {
            begins[cell + 1] += begins[cell];
        }
        let mut next = begins.clone();
        let mut sorted = vec![0; *begins.last().unwrap_or(&0) as usize];
        for (vertex, position) in self.positions.iter().enumerate() {
            if let Some(cell) = cell_of(position) {
                sorted[next[cell] as usize] = vertex as u32;
                next[cell] += 1;
            }
        }
        self.begins = begins;
        self.sorted = sorted;
    }

    /// The cell along one axis in which a coordinate lies, or the nearest to it.
    fn along(&self, axis: usize, at: f32) -> usize {
        // What is below 0, or no number, is 0 in a cast.
        let cell = ((at - self.low[axis]) / self.cell[axis]) as usize;
        cell.min(self.cells[axis] - 1)
    }

    fn cell_at(&self, position: Vec3) -> usize {
        let [x, y, z] = [0, 1, 2].map(|axis| self.along(axis, position[axis]));
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    /// Every vertex within a radius around a place, with its distance, in no order. None
    /// where one of the two is not finite.
    pub fn each_within(&self, center: Vec3, radius: f32, mut found: impl FnMut(u32, f32)) {
        if !center.is_finite() || !radius.is_finite() || radius <= 0.0 || self.sorted.is_empty() {
            return;
        }
        let [low, high] = [center - radius, center + radius];
        if low.cmpgt(self.high).any() || high.cmplt(self.low).any() {
            return;
        }
        let [from, to] =
            [low, high].map(|corner| [0, 1, 2].map(|axis| self.along(axis, corner[axis])));
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                let row = (z * self.cells[1] + y) * self.cells[0];
                // Cells of a row stand one after the other.
                let begin = self.begins[row + from[0]] as usize;
                let end = self.begins[row + to[0] + 1] as usize;
                for &vertex in &self.sorted[begin..end] {
                    let distance = self.positions[vertex as usize].distance(center);
                    if distance <= radius {
                        found(vertex, distance);
                    }
                }
            }
        }
    }

    /// What the neighbours of a vertex have on average, by joint; `None`: it has none,
    /// or none of them has influences.
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

// Which vertices are joined by an edge, across the seams where files store a vertex
// several times.

/// For every vertex the places at the other ends of its edges, and of each place one
/// vertex that stands for all there.
#[derive(Debug)]
pub(super) struct Neighbours {
    place_of_vertex: Vec<u32>,
    /// One vertex of each place.
    stands_for: Vec<u32>,
    /// Where the neighbours of each place begin in `places`, and the end of the last.
    begins: Vec<u32>,
    places: Vec<u32>,
}

impl Neighbours {
    pub(super) fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (place_of_vertex, stands_for) = places_of(positions);
        let place = |vertex: u32| place_of_vertex.get(vertex as usize).copied();
        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(6 * triangles.len());
        for &corners in triangles {
            let [Some(a), Some(b), Some(c)] = corners.map(place) else {
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
        let mut begins = vec![0_u32; stands_for.len() + 1];
        for [from, _] in &edges {
            begins[*from as usize + 1] += 1;
        }
        for place in 0..stands_for.len() {
            begins[place + 1] += begins[place];
        }
        Self {
            place_of_vertex,
            stands_for,
            begins,
            places: edges.into_iter().map(|[_, to]| to).collect(),
        }
    }

    /// What they have on average, by joint; weights that are no shares count as 0.
    pub(super) fn mean(
        &self,
        vertex: u32,
        influences: &[Influences],
    ) -> Option<Vec<(JointIndex, f64)>> {
        let place = *self.place_of_vertex.get(vertex as usize)? as usize;
        let [begin, end] = [*self.begins.get(place)?, *self.begins.get(place + 1)?];
        let around = self.places.get(begin as usize..end as usize)?;
        let around = around
            .iter()
            .filter_map(|&place| influences.get(self.stands_for[place as usize] as usize));
        let mut mean: Vec<(JointIndex, f64)> = Vec::new();
        let mut count = 0.0;
        for neighbour in around {
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

/// The place of every vertex, and a vertex of every place.
fn places_of(positions: &[Vec3]) -> (Vec<u32>, Vec<u32>) {
    // −0 is where 0 is.
    let key = |vertex: u32| {
        let position = positions.get(vertex as usize).copied().unwrap_or_default();
        (position + Vec3::ZERO).to_array().map(f32::to_bits)
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&vertex| (key(vertex), vertex));
    let mut place_of_vertex = vec![0; positions.len()];
    let mut stands_for: Vec<u32> = Vec::new();
    let mut last = None;
    for vertex in order {
        let here = key(vertex);
        if last.replace(here) != Some(here) {
            stands_for.push(vertex);
        }
        place_of_vertex[vertex as usize] = stands_for.len() as u32 - 1;
    }
    (place_of_vertex, stands_for)
}
