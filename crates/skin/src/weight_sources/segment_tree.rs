//! Which segments a surface stands in the way of: triangles in a tree of boxes.

use std::collections::HashMap;

use glam::{DVec3, Vec3};

/// Triangles of a box that is not divided further.
const LEAF: usize = 4;
/// So much of a segment at either end may touch a surface.
const ENDS: f64 = 1e-6;

/// Boxes around triangles, each with two halves of them.
pub(super) struct SegmentTree<'a> {
    surface: &'a Welded,
    /// Triangles in the order of the boxes.
    triangles: Vec<[u32; 3]>,
    boxes: Vec<Box>,
}

struct Box {
    low: DVec3,
    high: DVec3,
    holds: Holds,
}

enum Holds {
    /// A range of triangles.
    Triangles(usize, usize),
    /// Two boxes by index: the next one is the first of them.
    Halves(usize),
}

struct TreeSegment {
    from: DVec3,
    along: DVec3,
    /// A place whose triangles are in nobody's way.
    place: u32,
}

impl<'a> SegmentTree<'a> {
    pub(super) fn new(surface: &'a Welded) -> Self {
        let mut tree = Self { surface, triangles: surface.triangles.clone(), boxes: Vec::new() };
        let count = tree.triangles.len();
        if count > 0 {
            tree.divide(0, count);
        }
        tree
    }

    /// Adds the box around these triangles, and those in it; says which it is.
    fn divide(&mut self, begin: usize, end: usize) -> usize {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &triangle in &self.triangles[begin..end] {
            for corner in self.surface.corners(triangle) {
                low = low.min(corner);
                high = high.max(corner);
            }
        }
        let at = self.boxes.len();
        self.boxes.push(Box { low, high, holds: Holds::Triangles(begin, end) });
        if end - begin > LEAF {
            let size = high - low;
            let axis = usize::from(size.y > size.x);
            let axis = if size.z > size[axis] { 2 } else { axis };
            let surface = self.surface;
            let middle = |triangle: &[u32; 3]| {
                let corners = surface.corners(*triangle);
                corners.iter().map(|corner| corner[axis]).sum::<f64>()
            };
            let half = (end - begin) / 2;
            self.triangles[begin..end]
                .select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
            self.divide(begin, begin + half);
            let second = self.divide(begin + half, end);
            self.boxes[at].holds = Holds::Halves(second);
        }
        at
    }

    /// Does the surface stand between a place of its own and a point?
    pub(super) fn is_hidden(&self, place: u32, point: DVec3) -> bool {
        let from = self.surface.places[place as usize];
        let segment = TreeSegment { from, along: point - from, place };
        !self.boxes.is_empty() && self.stands_between(0, &segment)
    }

    /// Halving makes the tree no deeper than the number of triangles has digits.
    fn stands_between(&self, at: usize, segment: &TreeSegment) -> bool {
        let own = &self.boxes[at];
        if !segment.meets_box(own.low, own.high) {
            return false;
        }
        match own.holds {
            Holds::Halves(second) => {
                self.stands_between(at + 1, segment) || self.stands_between(second, segment)
            }
            Holds::Triangles(begin, end) => self.triangles[begin..end].iter().any(|triangle| {
                !triangle.contains(&segment.place)
                    && segment.meets_triangle(self.surface.corners(*triangle))
            }),
        }
    }
}

impl TreeSegment {
    fn meets_box(&self, low: DVec3, high: DVec3) -> bool {
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let one = (low[axis] - self.from[axis]) / self.along[axis];
            let other = (high[axis] - self.from[axis]) / self.along[axis];
            // Along a side of the box 0/0 has no value, and min and max pass it by.
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        enters <= leaves
    }

    /// Möller and Trumbore, “Fast, minimum storage ray/triangle intersection”, 1997.
    fn meets_triangle(&self, [a, b, c]: [DVec3; 3]) -> bool {
        let (ab, ac) = (b - a, c - a);
        let p = self.along.cross(ac);
        let determinant = ab.dot(p);
        if determinant == 0.0 {
            return false;
        }
        let from_a = self.from - a;
        let u = from_a.dot(p) / determinant;
        let q = from_a.cross(ab);
        let v = self.along.dot(q) / determinant;
        let part = ac.dot(q) / determinant;
        u >= 0.0 && v >= 0.0 && u + v <= 1.0 && part > ENDS && part < 1.0 - ENDS
    }
}

// A surface of which every place is there once: files store a vertex several times
// where normals or images have a seam.

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
