//! Visibility tests on a surface: a bounding volume hierarchy of triangles.

use std::collections::HashMap;

use glam::{DVec3, Vec3};

/// Maximum number of triangles in a leaf.
const MAX_LEAF_TRIANGLES: usize = 4;
/// Part of a segment at either end in which intersections are ignored.
const END_TOLERANCE: f64 = 1e-6;

/// A binary tree of bounding boxes around the triangles of a surface.
pub(super) struct TriangleTree<'a> {
    surface: &'a WeldedSurface,
    /// The triangles in the order of the leaves.
    triangles: Vec<[u32; 3]>,
    /// The nodes in depth-first order. The first one is the root.
    nodes: Vec<TreeNode>,
}

struct TreeNode {
    low: DVec3,
    high: DVec3,
    content: NodeContent,
}

enum NodeContent {
    /// A range of [`TriangleTree::triangles`].
    Leaf { start: usize, end: usize },
    /// Two children: the next node, and that at the given index.
    Branch { second: usize },
}

/// A segment from a point of the surface.
struct SightLine {
    from: DVec3,
    /// The vector from `from` to the end.
    direction: DVec3,
    /// Index of the point `from`. Its own triangles do not hide anything.
    point: u32,
}

impl<'a> TriangleTree<'a> {
    pub(super) fn new(surface: &'a WeldedSurface) -> Self {
        let mut tree = Self { surface, triangles: surface.triangles.clone(), nodes: Vec::new() };
        let count = tree.triangles.len();
        if count > 0 {
            tree.add_node(0, count);
        }
        tree
    }

    /// Adds the node of a range of triangles, and its descendants. Returns its index.
    fn add_node(&mut self, start: usize, end: usize) -> usize {
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for &triangle in &self.triangles[start..end] {
            for corner in self.surface.corners(triangle) {
                low = low.min(corner);
                high = high.max(corner);
            }
        }
        let index = self.nodes.len();
        self.nodes.push(TreeNode { low, high, content: NodeContent::Leaf { start, end } });
        if end - start > MAX_LEAF_TRIANGLES {
            let size = high - low;
            let longest_of_xy = usize::from(size.y > size.x);
            let axis = if size.z > size[longest_of_xy] { 2 } else { longest_of_xy };
            let half = (end - start) / 2;
            let surface = self.surface;
            self.triangles[start..end].select_nth_unstable_by(half, |a, b| {
                surface.corner_sum(*a, axis).total_cmp(&surface.corner_sum(*b, axis))
            });
            self.add_node(start, start + half);
            let second = self.add_node(start + half, end);
            self.nodes[index].content = NodeContent::Branch { second };
        }
        index
    }

    /// Returns whether the surface is between one of its own points and a target.
    pub(super) fn is_hidden(&self, point: u32, target: DVec3) -> bool {
        let from = self.surface.points[point as usize];
        let line = SightLine { from, direction: target - from, point };
        !self.nodes.is_empty() && self.is_blocked(0, &line)
    }

    /// Returns whether a triangle of the node blocks the line. The recursion is only as deep as
    /// the tree, which is balanced.
    fn is_blocked(&self, node: usize, line: &SightLine) -> bool {
        let TreeNode { low, high, ref content } = self.nodes[node];
        if !line.intersects_box(low, high) {
            return false;
        }
        match *content {
            NodeContent::Branch { second } => {
                self.is_blocked(node + 1, line) || self.is_blocked(second, line)
            }
            NodeContent::Leaf { start, end } => self.triangles[start..end].iter().any(|triangle| {
                !triangle.contains(&line.point)
                    && line.intersects_triangle(self.surface.corners(*triangle))
            }),
        }
    }
}

impl SightLine {
    fn intersects_box(&self, low: DVec3, high: DVec3) -> bool {
        let mut enter = 0.0_f64;
        let mut leave = 1.0_f64;
        for axis in 0..3 {
            let a = (low[axis] - self.from[axis]) / self.direction[axis];
            let b = (high[axis] - self.from[axis]) / self.direction[axis];
            // 0/0, on a side of the box, is NaN, which min and max ignore.
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }

    /// Intersects a triangle by the algorithm of Möller and Trumbore, “Fast, minimum storage
    /// ray/triangle intersection”, 1997.
    fn intersects_triangle(&self, [a, b, c]: [DVec3; 3]) -> bool {
        let ab = b - a;
        let ac = c - a;
        let p = self.direction.cross(ac);
        let determinant = ab.dot(p);
        if determinant == 0.0 {
            return false;
        }
        let from_a = self.from - a;
        let u = from_a.dot(p) / determinant;
        let q = from_a.cross(ab);
        let v = self.direction.dot(q) / determinant;
        let t = ac.dot(q) / determinant;
        let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        is_inside && t > END_TOLERANCE && t < 1.0 - END_TOLERANCE
    }
}

/// Minimum length of a triangle's cross product, relative to the squared size of the model.
/// Smaller triangles are left out, because their angles are not exact.
const MIN_RELATIVE_AREA: f64 = 1e-14;

/// A surface whose vertices at the same position are merged to one point.
///
/// Files store a vertex several times along seams of normals or textures.
pub(super) struct WeldedSurface {
    /// The point of each vertex. `None` if the vertex is in no triangle.
    pub(super) point_of_vertex: Vec<Option<u32>>,
    /// The positions of the points, in bind space.
    pub(super) points: Vec<DVec3>,
    /// The triangles with an area, as indices of points.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Length of the bounding box's diagonal.
    pub(super) size: f64,
}

impl WeldedSurface {
    /// Merges the vertices of a mesh. All positions must be finite. Triangles with indices past
    /// the end are left out.
    pub(super) fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for position in positions {
            low = low.min(position.as_dvec3());
            high = high.max(position.as_dvec3());
        }
        let size = if positions.is_empty() { 0.0 } else { low.distance(high) };
        let mut welded = Self {
            point_of_vertex: vec![None; positions.len()],
            points: Vec::new(),
            triangles: Vec::new(),
            size,
        };
        let mut point_at_position: HashMap<[u32; 3], u32> = HashMap::new();
        for &vertices in triangles {
            let corners = vertices.map(|vertex| positions.get(vertex as usize));
            let [Some(&a), Some(&b), Some(&c)] = corners else {
                continue;
            };
            let [p, q, r] = [a, b, c].map(|corner| corner.as_dvec3());
            if (q - p).cross(r - p).length() <= MIN_RELATIVE_AREA * size * size {
                continue;
            }
            let triangle = vertices.map(|vertex| {
                let position = positions[vertex as usize];
                // Adding 0 turns −0 into 0.
                let bits = (position + Vec3::ZERO).to_array().map(f32::to_bits);
                let point = *point_at_position.entry(bits).or_insert_with(|| {
                    welded.points.push(position.as_dvec3());
                    welded.points.len() as u32 - 1
                });
                welded.point_of_vertex[vertex as usize] = Some(point);
                point
            });
            welded.triangles.push(triangle);
        }
        welded
    }

    /// Returns the positions of a triangle's corners.
    pub(super) fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|point| self.points[point as usize])
    }

    /// Computes the sum of the corners' coordinates along an axis, to sort triangles.
    fn corner_sum(&self, triangle: [u32; 3], axis: usize) -> f64 {
        self.corners(triangle).iter().map(|corner| corner[axis]).sum()
    }

    /// Finds the connected component of each point, by union-find. A component is identified by
    /// its lowest point.
    pub(super) fn components(&self) -> Vec<u32> {
        let mut parents: Vec<u32> = (0..self.points.len() as u32).collect();
        for &[a, b, c] in &self.triangles {
            for (one, other) in [(a, b), (b, c)] {
                let one = find_root(&mut parents, one);
                let other = find_root(&mut parents, other);
                parents[one.max(other) as usize] = one.min(other);
            }
        }
        (0..self.points.len() as u32).map(|point| find_root(&mut parents, point)).collect()
    }
}

/// Finds the root of a point, and halves the path to it.
fn find_root(parents: &mut [u32], mut point: u32) -> u32 {
    while parents[point as usize] != point {
        let parent = parents[point as usize];
        parents[point as usize] = parents[parent as usize];
        point = parents[point as usize];
    }
    point
}
