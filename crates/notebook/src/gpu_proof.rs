//! Comparison of the GPU's results with a 64-bit reference, for each transport and method.

use bindpose_lesson::Transport;
use bindpose_skin::{Blend, Method, reference};
use glam::{DMat4, DVec3, Vec3};

use super::scene::{Scene, SkinningOptions};

/// Largest error of positions, relative to the size of the posed mesh.
pub const POSITION_TOLERANCE: f64 = 1e-5;
/// Largest distance between unit normals.
pub const NORMAL_TOLERANCE: f64 = 1e-4;

/// The vertices of a scene as skinned by the GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuVertices {
    /// Positions in world space.
    pub positions: Vec<Vec3>,
    /// Unit normals in world space. Zero if the mesh has collapsed.
    pub normals: Vec<Vec3>,
}

/// The errors of the GPU's vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProofOutcome {
    /// Number of compared vertices.
    pub vertices: usize,
    /// Largest distance between positions, relative to the size of the posed mesh (the longest
    /// side of its bounding box). Infinite if a position is NaN.
    pub most: f64,
    /// Mean distance between positions, relative to the same size.
    pub mean: f64,
    /// Largest distance between unit normals, among those with a direction in 32-bit floats.
    /// Infinite if a normal is NaN.
    pub most_normal: f64,
    /// The vertex with the largest distance between positions.
    pub worst: usize,
}

impl ProofOutcome {
    /// Are all errors within [`POSITION_TOLERANCE`] and [`NORMAL_TOLERANCE`]?
    pub fn passes(&self) -> bool {
        self.most <= POSITION_TOLERANCE && self.most_normal <= NORMAL_TOLERANCE
    }
}

/// Returns every transport with every method, the rows of the table.
pub fn rows() -> impl Iterator<Item = (Transport, Method)> {
    Transport::ALL.into_iter().flat_map(|transport| Method::ALL.map(|method| (transport, method)))
}

/// Returns the same skin and pose with another transport and blend, without faults and with
/// the original shader, within the limits of the same machine.
pub fn scene(scene: &Scene, transport: Transport, blend: Blend) -> Scene {
    Scene {
        blend,
        skinning: SkinningOptions {
            transport,
            normals: scene.skinning.normals,
            limits: scene.skinning.limits.clone(),
            ..SkinningOptions::default()
        },
        ..scene.clone()
    }
}

/// Compares each vertex with the reference for the palette, blend and normal rule of the scene.
/// Ignores its transport, faults and shader.
pub fn compare(scene: &Scene, skinned: &GpuVertices) -> ProofOutcome {
    let wanted = scene.mesh.positions.len();
    let found = skinned.positions.len();
    if found != wanted || skinned.normals.len() != found {
        return ProofOutcome {
            vertices: found,
            most: f64::INFINITY,
            mean: f64::INFINITY,
            most_normal: f64::INFINITY,
            worst: 0,
        };
    }
    let reference = Reference::new(scene);
    let mut outcome = ProofOutcome { vertices: skinned.positions.len(), ..ProofOutcome::default() };
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    let mut sum = 0.0;
    for (index, position) in skinned.positions.iter().enumerate() {
        let matrix = reference.matrix(index);
        let stored = reference.stored(index);
        let expected = (matrix * stored.extend(1.0)).truncate();
        low = low.min(expected);
        high = high.max(expected);
        let distance = nan_to_infinity((position.as_dvec3() - expected).length());
        sum += distance;
        if distance > outcome.most {
            outcome.most = distance;
            outcome.worst = index;
        }
        if let Some((expected, found)) =
            reference.normal(index, matrix).zip(skinned.normals.get(index))
        {
            let distance = nan_to_infinity((found.as_dvec3() - expected).length());
            outcome.most_normal = outcome.most_normal.max(distance);
        }
    }
    let size = (high - low).max_element().max(f64::MIN_POSITIVE);
    outcome.most /= size;
    outcome.mean = sum / outcome.vertices.max(1) as f64 / size;
    outcome
}

/// Replaces a NaN with infinity, because `max` ignores NaN.
fn nan_to_infinity(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// The expected vertices of a scene.
struct Reference<'a> {
    scene: &'a Scene,
    palette: Vec<DMat4>,
}

impl<'a> Reference<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self { scene, palette: scene.palette.iter().map(|m| m.as_dmat4()).collect() }
    }

    fn stored(&self, vertex: usize) -> DVec3 {
        let stored = self.scene.stored_positions().get(vertex);
        stored.copied().unwrap_or_default().as_dvec3()
    }

    fn matrix(&self, vertex: usize) -> DMat4 {
        let influences = self.scene.influences.get(vertex).copied().unwrap_or_default();
        reference::skin_matrix(self.scene.blend, &influences, &self.palette)
    }

    /// Returns `None` if 32-bit floats cannot represent its direction.
    fn normal(&self, vertex: usize, matrix: DMat4) -> Option<DVec3> {
        let stored =
            self.scene.stored_normals().get(vertex).map_or(DVec3::Z, |normal| normal.as_dvec3());
        let normal = reference::moved_normal(self.scene.skinning.normals, stored, matrix);
        (is_sound(matrix) && normal != DVec3::ZERO).then_some(normal)
    }
}

/// Is the matrix far enough from singular for 32-bit floats to preserve directions?
fn is_sound(matrix: DMat4) -> bool {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|c| c.truncate().length());
    matrix.determinant().abs() > 1e-2 * columns.into_iter().product::<f64>()
}
