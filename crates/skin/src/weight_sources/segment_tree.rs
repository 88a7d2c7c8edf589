//! Which segments a surface stands in the way of: triangles in a tree of boxes.

use glam::DVec3;

use super::welded::Welded;

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
