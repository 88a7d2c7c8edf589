//! Dorsal fin, pectoral fins and flukes: plates with a leading and a trailing
//! edge, thick in the middle.

use std::f64::consts::PI;

use bindpose_skin::Influences;
use glam::{DVec2, DVec3};

use super::body::along_body;
use super::joints::{DORSAL, FIN, FIN_ALONG, FIN_LENGTH, FIN_ROOT, FLUKE, TAIL};
use crate::builtin::mesh_builder::{MeshBuilder, curve, smooth_step, weights};

/// A rectangle of the texture: left, top, width, height.
pub(super) type Rect = [f64; 4];
pub(super) const FLUKE_ABOVE: Rect = [0.01, 0.73, 0.24, 0.25];
pub(super) const FLUKE_BELOW: Rect = [0.27, 0.73, 0.24, 0.25];
pub(super) const PECTORAL: Rect = [0.53, 0.73, 0.22, 0.25];
pub(super) const DORSAL_FIN: Rect = [0.77, 0.73, 0.22, 0.25];

/// Vertices from the leading to the trailing edge.
const ACROSS: usize = 10;

/// A cut through a fin.
struct Section {
    leading: DVec3,
    trailing: DVec3,
    /// From the middle plane to the skin, where it is thickest.
    half_thickness: DVec3,
}

impl Section {
    /// `part` runs from 0 at the leading edge to 1 at the trailing edge.
    fn at(&self, part: f64, upper: bool) -> DVec3 {
        // Blunt in front, thin behind.
        let thickness = 1.32 * part.sqrt() * (1.0 - part) * (1.0 + 0.55 * part);
        let side = if upper { 1.0 } else { -1.0 };
        self.leading.lerp(self.trailing, part) + self.half_thickness * (thickness * 1.75 * side)
    }
}

/// One fin.
struct Fin<S, W> {
    rows: usize,
    /// Rectangles for the upper and the lower skin.
    rects: [Rect; 2],
    section: S,
    /// Weights at (root to tip, position).
    influences: W,
}

impl<S: Fn(f64) -> Section, W: Fn(f64, DVec3) -> Influences> Fin<S, W> {
    fn add(&self, builder: &mut MeshBuilder) {
        // Which way does a patch from edge to edge and root to tip face?
        let (root, next) = ((self.section)(0.4), (self.section)(0.5));
        let faces = (root.trailing - root.leading).cross(next.leading - root.leading);
        let faces_down = faces.dot(root.half_thickness) < 0.0;
        for (upper, [left, top, width, height]) in [(true, self.rects[0]), (false, self.rects[1])] {
            builder.patch([self.rows, ACROSS], faces_down == upper, |row, column| {
                // Closer together at the tip.
                let along = (PI / 2.0 * row as f64 / (self.rows - 1) as f64).sin();
                // Closer together at both edges.
                let part = (1.0 - (PI * column as f64 / (ACROSS - 1) as f64).cos()) / 2.0;
                let position = (self.section)(along).at(part, upper);
                let uv = DVec2::new(left + width * along, top + height * part);
                (position, uv, (self.influences)(along, position))
            });
        }
    }
}

pub(super) fn add(builder: &mut MeshBuilder) {
    dorsal(builder);
    for side in [0, 1] {
        pectoral(builder, side);
        fluke(builder, side);
    }
}

/// Near the root a fin moves as the body does.
fn blended(z_of_root: f64, own: f64, chain: &[(u16, f64)]) -> Influences {
    let mut pairs: Vec<_> = along_body(z_of_root)
        .iter()
        .map(|&(joint, weight)| (joint, weight * (1.0 - own)))
        .collect();
    pairs.extend(chain.iter().map(|&(joint, weight)| (joint, weight * own)));
    weights(&pairs)
}

fn dorsal(builder: &mut MeshBuilder) {
    let section = |along: f64| {
        let y = 0.5 + 1.32 * (1.0 - (1.0 - along).powf(1.15));
        let leading = curve(
            &[(0.0, 0.98), (0.12, 0.78), (0.3, 0.55), (0.6, 0.2), (0.85, -0.12), (1.0, -0.45)],
            along,
        );
        let trailing = curve(
            &[(0.0, -0.22), (0.1, -0.17), (0.25, -0.16), (0.5, -0.2), (0.8, -0.34), (1.0, -0.46)],
            along,
        );
        let thickness =
            curve(&[(0.0, 0.15), (0.12, 0.085), (0.5, 0.055), (0.9, 0.025), (1.0, 0.0)], along);
        Section {
            leading: DVec3::new(0.0, y, leading),
            trailing: DVec3::new(0.0, y, trailing),
            half_thickness: DVec3::X * thickness,
        }
    };
    Fin {
        rows: 16,
        rects: [DORSAL_FIN; 2],
        section,
        influences: |along, position: DVec3| {
            let tip = smooth_step(0.3, 0.75, along);
            let chain = [(DORSAL[0], 1.0 - tip), (DORSAL[1], tip)];
            blended(position.z, smooth_step(0.08, 0.4, along), &chain)
        },
    }
    .add(builder);
}

fn pectoral(builder: &mut MeshBuilder, side: usize) {
    let mirror = mirror(side);
    let along_fin = DVec3::from(FIN_ALONG).normalize_or_zero();
    // The leading edge looks forward and a little down.
    let forward = DVec3::new(0.1, -0.12, 1.0).reject_from_normalized(along_fin).normalize_or_zero();
    let up = along_fin.cross(forward) * -1.0;
    let section = move |along: f64| {
        let leading = curve(
            &[
                (0.0, 0.26),
                (0.24, 0.21),
                (0.45, 0.27),
                (0.7, 0.28),
                (0.88, 0.2),
                (0.96, 0.1),
                (0.99, 0.01),
                (1.0, -0.05),
            ],
            along,
        );
        let trailing = curve(
            &[
                (0.0, -0.26),
                (0.24, -0.2),
                (0.45, -0.31),
                (0.7, -0.34),
                (0.88, -0.29),
                (0.96, -0.2),
                (0.99, -0.115),
                (1.0, -0.05),
            ],
            along,
        );
        let thickness =
            curve(&[(0.0, 0.12), (0.26, 0.075), (0.7, 0.045), (0.95, 0.02), (1.0, 0.0)], along);
        let middle = DVec3::from(FIN_ROOT) + along_fin * (FIN_LENGTH * (along - 0.16));
        Section {
            leading: (middle + forward * leading) * mirror,
            trailing: (middle + forward * trailing) * mirror,
            half_thickness: up * mirror * thickness,
        }
    };
    Fin {
        rows: 16,
        rects: [PECTORAL; 2],
        section,
        influences: move |along, _| {
            let [a, b, c] = FIN[side];
            let middle = smooth_step(0.32, 0.65, along);
            let tip = smooth_step(0.6, 0.92, along);
            let chain = [(a, 1.0 - middle), (b, middle * (1.0 - tip)), (c, middle * tip)];
            blended(FIN_ROOT[2], smooth_step(0.14, 0.38, along), &chain)
        },
    }
    .add(builder);
}

fn fluke(builder: &mut MeshBuilder, side: usize) {
    let mirror = mirror(side);
    let section = move |along: f64| {
        let x = 0.92 * along;
        let leading = curve(
            &[
                (0.0, -2.3),
                (0.06, -2.36),
                (0.14, -2.47),
                (0.3, -2.56),
                (0.6, -2.7),
                (0.85, -2.88),
                (0.96, -3.02),
                (1.0, -3.12),
            ],
            along,
        );
        let trailing = curve(
            &[(0.0, -2.86), (0.1, -2.93), (0.3, -3.02), (0.6, -3.03), (0.85, -3.07), (1.0, -3.135)],
            along,
        );
        let thickness =
            curve(&[(0.0, 0.085), (0.1, 0.075), (0.3, 0.05), (0.8, 0.022), (1.0, 0.0)], along);
        Section {
            leading: DVec3::new(x, 0.0, leading) * mirror,
            trailing: DVec3::new(x, 0.0, trailing) * mirror,
            half_thickness: DVec3::Y * thickness,
        }
    };
    Fin {
        rows: 22,
        rects: [FLUKE_ABOVE, FLUKE_BELOW],
        section,
        influences: move |along, _| {
            let own = smooth_step(0.03, 0.5, along);
            weights(&[(TAIL[2], 1.0 - own), (FLUKE[side], own)])
        },
    }
    .add(builder);
}

fn mirror(side: usize) -> DVec3 {
    DVec3::new(if side == 0 { 1.0 } else { -1.0 }, 1.0, 1.0)
}
