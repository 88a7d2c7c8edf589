//! The GPU held against the float64 reference, one way and one blend at a time.

use glam::{DMat4, DVec3};

use super::{GpuVertex, RenderError, Renderer};
use crate::lesson::Transport;
use crate::notebook::scene::{Scene, Way};
use crate::skin::{Blend, Method, reference};

/// What the largest relative error of positions may be.
pub const TOLERANCE: f64 = 1e-5;

/// One way and one blend, compared.
#[derive(Clone, Debug)]
pub struct Row {
    /// How the palette reached the shader.
    pub transport: Transport,
    /// How joints were blended.
    pub blend: Blend,
    /// What came out.
    pub outcome: Result<Outcome, RenderError>,
}

/// How far the GPU's vertices lie from the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Compared.
    pub vertices: usize,
    /// Largest distance between positions, as a part of the posed mesh's size
    /// (the longest side of its box); not finite where a position is not.
    pub most: f64,
    /// Mean of the same.
    pub mean: f64,
    /// Largest distance between unit normals, of those that have a direction in
    /// float32.
    pub most_normal: f64,
    /// The vertex with the largest distance.
    pub worst: usize,
}

impl Outcome {
    /// Is every position as near as [`TOLERANCE`] asks?
    #[must_use]
    pub fn passes(&self) -> bool {
        self.most <= TOLERANCE
    }
}

/// Every transport with every method: what a table of proof has as rows.
pub fn rows() -> impl Iterator<Item = (Transport, Method)> {
    Transport::ALL
        .into_iter()
        .flat_map(|transport| Method::ALL.map(|method| (transport, method)))
}

/// The same skin and pose by another way: without faults, with our own shader,
/// within the limits of this machine.
#[must_use]
pub fn scene(scene: &Scene, transport: Transport, method: Method) -> Scene {
    Scene {
        blend: method.into(),
        way: Way {
            transport,
            normals: scene.way.normals,
            ..Way::default()
        },
        ..scene.clone()
    }
}

/// Skins the scene on the GPU as it stands, with its faults and its shader, and
/// compares each vertex with the reference. It waits for the GPU: a page makes
/// one row a frame.
pub fn row(renderer: &mut Renderer, scene: &Scene) -> Row {
    Row {
        transport: scene.way.transport,
        blend: scene.blend,
        outcome: renderer
            .read_skinned(scene)
            .map(|vertices| compared(scene, &vertices)),
    }
}

fn compared(scene: &Scene, vertices: &[GpuVertex]) -> Outcome {
    let palette: Vec<DMat4> = scene.palette.iter().map(|m| m.as_dmat4()).collect();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut outcome = Outcome {
        vertices: vertices.len(),
        ..Outcome::default()
    };
    let mut sum = 0.0;
    for (index, vertex) in vertices.iter().enumerate() {
        let influences = scene.influences.get(index).copied().unwrap_or_default();
        let matrix = reference::skin_matrix(scene.blend, &influences, &palette);
        let stored = scene.mesh.positions[index].as_dvec3();
        let expected = (matrix * stored.extend(1.0)).truncate();
        low = low.min(expected);
        high = high.max(expected);
        let distance = (vertex.position_in_world.as_dvec3() - expected).length();
        sum += distance;
        // A distance that is not a number is the worst there is.
        if distance > outcome.most || distance.is_nan() {
            outcome.most = if distance.is_nan() {
                f64::INFINITY
            } else {
                distance
            };
            outcome.worst = index;
        }
        let stored = scene
            .mesh
            .normals
            .get(index)
            .map_or(DVec3::Z, |n| n.as_dvec3());
        let expected = reference::moved_normal(scene.way.normals, stored, matrix);
        let found = vertex.normal_in_world.as_dvec3();
        if is_sound(matrix) && expected != DVec3::ZERO {
            outcome.most_normal = outcome.most_normal.max((found - expected).length());
        }
    }
    let size = (high - low).max_element().max(f64::MIN_POSITIVE);
    outcome.most /= size;
    outcome.mean = sum / vertices.len().max(1) as f64 / size;
    outcome
}

/// Is the matrix far enough from flat that float32 tells the direction of what
/// it moves?
fn is_sound(matrix: DMat4) -> bool {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|c| c.truncate().length());
    matrix.determinant().abs() > 1e-2 * columns.into_iter().product::<f64>()
}
