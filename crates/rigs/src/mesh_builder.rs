//! Builds meshes by code: lofted surfaces with smooth normals and weights with a sum of exactly
//! one.
//!
//! Everything is computed in `f64` and rounded to multiples of 1e-5 at the end, because the last
//! digits of functions such as the sine differ between machines.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use bindpose_gltf::{Image, Mesh};
use bindpose_skin::{Influences, JointIndex, SET_LANES, keep_strongest};
use glam::{DVec2, DVec3, Vec2, Vec3};

/// An ellipse in space, a cross-section of a loft.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoftRing {
    pub(crate) center: DVec3,
    /// Semi-axis at angle 0.
    pub(crate) u: DVec3,
    /// Semi-axis at a quarter turn.
    pub(crate) v: DVec3,
}

#[derive(Default)]
pub(crate) struct MeshBuilder {
    positions: Vec<DVec3>,
    uvs: Vec<DVec2>,
    influences: Vec<Influences>,
    triangles: Vec<[u32; 3]>,
}

impl MeshBuilder {
    /// Adds a vertex and returns its index.
    pub(crate) fn vertex(&mut self, position: DVec3, uv: DVec2, influences: Influences) -> u32 {
        self.positions.push(round_vector(position));
        self.uvs.push(uv);
        self.influences.push(influences);
        (self.positions.len() - 1) as u32
    }

    /// Adds a tube through `rings` with `segments` vertices around. Rings must be ordered in the
    /// direction of `u × v`. The first vertex of a ring is at `center + u`. A ring of size 0
    /// becomes a single vertex. The tube is closed if it begins and ends with one.
    pub(crate) fn loft(
        &mut self,
        rings: &[LoftRing],
        segments: u32,
        uv: DVec2,
        influences: impl Fn(DVec3) -> Influences,
    ) {
        let mut previous: Vec<u32> = Vec::new();
        for ring in rings {
            let is_point = ring.u.length() + ring.v.length() < 1e-9;
            let count = if is_point { 1 } else { segments };
            let mut row = Vec::new();
            for segment in 0..count {
                let (sin, cos) = (TAU * f64::from(segment) / f64::from(segments)).sin_cos();
                let position = ring.center + ring.u * cos + ring.v * sin;
                row.push(self.vertex(position, uv, influences(position)));
            }
            self.join_rows(&previous, &row);
            previous = row;
        }
    }

    /// Adds a patch of `rows` × `columns` vertices. Its front faces in the direction of (column
    /// to column) × (row to row), or in the opposite direction if `mirrored`. Triangles without
    /// area are left out.
    pub(crate) fn patch(
        &mut self,
        [rows, columns]: [usize; 2],
        mirrored: bool,
        vertex: impl Fn(usize, usize) -> (DVec3, DVec2, Influences),
    ) {
        let first = self.positions.len() as u32;
        for row in 0..rows {
            for column in 0..columns {
                let (position, uv, influences) = vertex(row, column);
                self.vertex(position, uv, influences);
            }
        }
        for row in 1..rows {
            for column in 1..columns {
                let d = first + (row * columns + column) as u32;
                let c = d - 1;
                let b = d - columns as u32;
                let a = b - 1;
                self.add_triangle([a, b, d], mirrored);
                self.add_triangle([a, d, c], mirrored);
            }
        }
    }

    fn add_triangle(&mut self, [a, b, c]: [u32; 3], mirrored: bool) {
        let [p, q, r] = [a, b, c].map(|corner| self.positions[corner as usize]);
        if p != q && q != r && r != p {
            self.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
        }
    }

    /// Adds an ellipsoid with semi-axes along x, y and z.
    pub(crate) fn ball(
        &mut self,
        center: DVec3,
        radii: DVec3,
        [segments, rows]: [u32; 2],
        uv: DVec2,
        influences: impl Fn(DVec3) -> Influences,
    ) {
        let rings: Vec<LoftRing> = (0..=rows)
            .map(|row| {
                let (sin, cos) = (TAU / 2.0 * f64::from(row) / f64::from(rows)).sin_cos();
                let size = if row == 0 || row == rows { 0.0 } else { sin };
                LoftRing {
                    center: center - DVec3::Y * (radii.y * cos),
                    u: DVec3::Z * (radii.z * size),
                    v: DVec3::X * (radii.x * size),
                }
            })
            .collect();
        self.loft(&rings, segments, uv, influences);
    }

    /// Adds a rounded cylinder from `a` to `b` with a radius at each end.
    pub(crate) fn limb(
        &mut self,
        [a, b]: [DVec3; 2],
        [radius_a, radius_b]: [f64; 2],
        segments: u32,
        uv: DVec2,
        influences: impl Fn(DVec3) -> Influences,
    ) {
        const CAP_RINGS: u32 = 3;
        const MIDDLE_RINGS: u32 = 2;
        let along = (b - a).normalize_or(DVec3::Y);
        let mut profile = Vec::new();
        for step in 0..CAP_RINGS {
            let (sin, cos) = (TAU / 4.0 * f64::from(step) / f64::from(CAP_RINGS)).sin_cos();
            profile.push((a - along * (radius_a * cos), radius_a * sin));
        }
        for step in 0..=MIDDLE_RINGS {
            let t = f64::from(step) / f64::from(MIDDLE_RINGS);
            profile.push((a.lerp(b, t), radius_a + (radius_b - radius_a) * t));
        }
        for step in (0..CAP_RINGS).rev() {
            let (sin, cos) = (TAU / 4.0 * f64::from(step) / f64::from(CAP_RINGS)).sin_cos();
            profile.push((b + along * (radius_b * cos), radius_b * sin));
        }
        let u = along.any_orthonormal_vector();
        let v = along.cross(u);
        let rings: Vec<LoftRing> = profile
            .into_iter()
            .map(|(center, radius)| LoftRing { center, u: u * radius, v: v * radius })
            .collect();
        self.loft(&rings, segments, uv, influences);
    }

    /// Returns the mesh, with `image` as its texture. Normals are averaged over all triangles
    /// that meet at a position.
    pub(crate) fn finish(self, image: Image) -> Mesh {
        let normals = self.smooth_normals();
        let mut mesh = Mesh {
            positions: self.positions.iter().map(|p| p.as_vec3()).collect(),
            normals: normals.iter().map(|&n| round_vector(n).as_vec3()).collect::<Vec<Vec3>>(),
            uvs: self
                .uvs
                .iter()
                .map(|uv| Vec2::new(round(uv.x) as f32, round(uv.y) as f32))
                .collect(),
            influences: self.influences.into(),
            triangles: self.triangles,
            ..Mesh::default()
        };
        mesh.paint(image);
        mesh
    }

    fn smooth_normals(&self) -> Vec<DVec3> {
        let mut sums: BTreeMap<[i64; 3], DVec3> = BTreeMap::new();
        for &corners in &self.triangles {
            let [a, b, c] = corners.map(|corner| self.positions[corner as usize]);
            let doubled_area = (b - a).cross(c - a);
            for corner in [a, b, c] {
                *sums.entry(position_key(corner)).or_default() += doubled_area;
            }
        }
        self.positions
            .iter()
            .map(|&position| {
                let sum = sums.get(&position_key(position)).copied().unwrap_or_default();
                sum.normalize_or(DVec3::Y)
            })
            .collect()
    }

    /// Adds the triangles between two rows of the same length, or between a row and a point.
    fn join_rows(&mut self, from: &[u32], to: &[u32]) {
        let count = from.len().max(to.len());
        if from.is_empty() || count < 2 {
            return;
        }
        for index in 0..count {
            let next = (index + 1) % count;
            if from.len() > 1 {
                let end = if to.len() > 1 { to[next] } else { to[0] };
                self.triangles.push([from[index], from[next], end]);
            }
            if to.len() > 1 {
                let start = if from.len() > 1 { from[index] } else { from[0] };
                self.triangles.push([start, to[next], to[index]]);
            }
        }
    }
}

/// Converts a position, a multiple of 1e-5, to integers.
fn position_key(position: DVec3) -> [i64; 3] {
    (position * 1e5).round().to_array().map(|x| x as i64)
}

/// Returns the influences of a vertex that follows one joint.
pub(crate) fn rigid_influences(joint: u16) -> Influences {
    Influences::new(&[(JointIndex(joint), 1.0)])
}

/// Returns up to four influences. See [`rounded_influences_in`].
pub(crate) fn rounded_influences(pairs: &[(u16, f64)]) -> Influences {
    rounded_influences_in(SET_LANES, pairs)
}

/// Returns the strongest influences, at most `lanes`. Weights are rounded to multiples of
/// 1/1024, so that their sum is exactly 1 in `f32`. The strongest compensates for the rounding.
pub(crate) fn rounded_influences_in(lanes: usize, pairs: &[(u16, f64)]) -> Influences {
    const STEPS: f32 = 1024.0;
    let pairs: Vec<_> =
        pairs.iter().map(|&(joint, weight)| (JointIndex(joint), weight as f32)).collect();
    let mut kept = keep_strongest(&pairs, lanes);
    for (_, weight) in &mut kept {
        *weight = (*weight * STEPS).round() / STEPS;
    }
    let rest: f32 = kept.iter().skip(1).map(|&(_, weight)| weight).sum();
    if let Some((_, strongest)) = kept.first_mut() {
        *strongest = 1.0 - rest;
    }
    kept.retain(|&(_, weight)| weight != 0.0);
    Influences::new(&kept)
}

/// Returns 0 below `from`, 1 above `to`, and a smooth transition in between.
pub(crate) fn smooth_step(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Creates an image of plain squares side by side. Returns it with the texture coordinates of
/// the centre of each square.
pub(crate) fn palette_image<const N: usize>(colors: [[u8; 3]; N]) -> (Image, [DVec2; N]) {
    const SQUARE: usize = 8;
    let mut rgba = Vec::with_capacity(N * SQUARE * SQUARE * 4);
    for _ in 0..SQUARE {
        for color in colors {
            for _ in 0..SQUARE {
                rgba.extend_from_slice(&[color[0], color[1], color[2], 255]);
            }
        }
    }
    let image = Image { width: (N * SQUARE) as u32, height: SQUARE as u32, rgba };
    (image, std::array::from_fn(|index| DVec2::new((index as f64 + 0.5) / N as f64, 0.5)))
}

/// Evaluates a smooth curve through points (x, y) with increasing x, without overshoot (Fritsch
/// and Carlson, 1980). The curve is constant beyond both ends.
pub(crate) fn curve_at(points: &[(f64, f64)], x: f64) -> f64 {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return 0.0;
    };
    if x <= first.0 || x >= last.0 {
        return if x <= first.0 { first.1 } else { last.1 };
    }
    let next = points.partition_point(|point| point.0 <= x);
    let a = points[next - 1];
    let b = points[next];
    let width = b.0 - a.0;
    let t = (x - a.0) / width;
    let t2 = t * t;
    let t3 = t * t * t;
    a.1 * (2.0 * t3 - 3.0 * t2 + 1.0)
        + b.1 * (3.0 * t2 - 2.0 * t3)
        + curve_tangent(points, next - 1) * width * (t3 - 2.0 * t2 + t)
        + curve_tangent(points, next) * width * (t3 - t2)
}

/// Returns the slope of a curve at one of its points: the harmonic mean of the slopes of the
/// adjacent segments, or 0 at an extremum.
fn curve_tangent(points: &[(f64, f64)], index: usize) -> f64 {
    if index == 0 || index + 1 == points.len() {
        return segment_slope(points, index.min(points.len() - 2));
    }
    let before = segment_slope(points, index - 1);
    let after = segment_slope(points, index);
    if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
}

fn segment_slope(points: &[(f64, f64)], index: usize) -> f64 {
    let a = points[index];
    let b = points[index + 1];
    (b.1 - a.1) / (b.0 - a.0)
}

/// Rounds to a multiple of 1e-5. The addition turns −0 into 0.
fn round(x: f64) -> f64 {
    (x * 1e5).round() / 1e5 + 0.0
}

fn round_vector(p: DVec3) -> DVec3 {
    p.map(round)
}
