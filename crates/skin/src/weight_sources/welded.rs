//! A surface of which every place is there once: files store a vertex several times
//! where normals or images have a seam.

use std::collections::HashMap;

use glam::{DVec3, Vec3};

/// Triangles with less than this part of the squared size of the model are left out:
/// angles cannot be told there.
const LEAST_AREA: f64 = 1e-14;

/// Places, and triangles between them.
pub(super) struct Welded {
    /// Of each vertex its place; `None`: in no triangle.
    pub(super) place_of_vertex: Vec<Option<u32>>,
    /// In bind space.
    pub(super) places: Vec<DVec3>,
    /// Of three places each, none of them without area.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Diagonal of the box around all places.
    pub(super) size: f64,
}

impl Welded {
    /// Positions are finite; a triangle that names vertices which are not there is
    /// left out.
    pub(super) fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let finite = positions.iter().map(|position| position.as_dvec3());
        let (low, high) = finite
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), position| {
                (low.min(position), high.max(position))
            });
        let size = if positions.is_empty() { 0.0 } else { low.distance(high) };
        let mut welded = Self {
            place_of_vertex: vec![None; positions.len()],
            places: Vec::new(),
            triangles: Vec::new(),
            size,
        };
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        for &corners in triangles {
            let [a, b, c] = corners.map(|corner| positions.get(corner as usize));
            let (Some(&a), Some(&b), Some(&c)) = (a, b, c) else {
                continue;
            };
            let [p, q, r] = [a, b, c].map(|corner| corner.as_dvec3());
            if (q - p).cross(r - p).length() <= LEAST_AREA * size * size {
                continue;
            }
            let mut place = |corner: u32, position: Vec3| {
                // −0 is where 0 is.
                let key = (position + Vec3::ZERO).to_array().map(f32::to_bits);
                let place = *known.entry(key).or_insert_with(|| {
                    welded.places.push(position.as_dvec3());
                    welded.places.len() as u32 - 1
                });
                if let Some(of_vertex) = welded.place_of_vertex.get_mut(corner as usize) {
                    *of_vertex = Some(place);
                }
                place
            };
            let [i, j, k] = corners;
            let places = [place(i, a), place(j, b), place(k, c)];
            welded.triangles.push(places);
        }
        welded
    }

    /// A triangle's corners.
    pub(super) fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|place| self.places[place as usize])
    }

    /// Of each place the number of the connected part that it belongs to, which is the
    /// lowest place in it.
    pub(super) fn parts(&self) -> Vec<u32> {
        let mut leads_to: Vec<u32> = (0..self.places.len() as u32).collect();
        for &[a, b, c] in &self.triangles {
            for (one, other) in [(a, b), (b, c)] {
                let ends = [one, other].map(|place| end(&mut leads_to, place));
                let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                leads_to[high as usize] = low;
            }
        }
        let places = 0..self.places.len() as u32;
        places.map(|place| end(&mut leads_to, place)).collect()
    }
}

/// Where a way ends, which becomes shorter with each walk.
fn end(leads_to: &mut [u32], mut place: u32) -> u32 {
    while leads_to[place as usize] != place {
        let next = leads_to[place as usize];
        leads_to[place as usize] = leads_to[next as usize];
        place = leads_to[place as usize];
    }
    place
}
