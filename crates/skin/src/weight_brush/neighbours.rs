//! Which vertices are joined by an edge, across the seams where files store a vertex
//! several times.

use glam::Vec3;

use crate::{Influences, JointIndex};

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
