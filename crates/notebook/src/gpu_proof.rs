//! The GPU held against the float64 reference, one way and one method at a time.

use bindpose_lesson::Transport;
use bindpose_skin::{Blend, Method, reference};
use glam::{DMat4, DVec3, Vec3};

use super::scene::{Scene, SkinningOptions};

/// What the largest error of positions may be, as a part of the posed mesh's
/// size.
pub const TOLERANCE: f64 = 1e-5;
/// What the largest distance between unit normals may be.
pub const NORMAL_TOLERANCE: f64 = 1e-4;

/// Where the GPU has put the vertices of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuVertices {
    /// World space.
    pub positions: Vec<Vec3>,
    /// World space, of unit length; zero where the mesh has collapsed.
    pub normals: Vec<Vec3>,
}

/// How far the GPU's vertices lie from the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProofOutcome {
    /// Compared.
    pub vertices: usize,
    /// Largest distance between positions, as a part of the posed mesh's size
    /// (the longest side of its box); infinite where a position is no number.
    pub most: f64,
    /// Mean of the same.
    pub mean: f64,
    /// Largest distance between unit normals, of those that have a direction in
    /// float32; infinite where one is no number.
    pub most_normal: f64,
    /// The vertex with the largest distance.
    pub worst: usize,
}

impl ProofOutcome {
    /// Is every position as near as [`TOLERANCE`] asks, and every normal as
    /// [`NORMAL_TOLERANCE`]?
    pub fn passes(&self) -> bool {
        self.most <= TOLERANCE && self.most_normal <= NORMAL_TOLERANCE
    }
}

/// Every transport with every method: what a table of proof has as rows.
pub fn rows() -> impl Iterator<Item = (Transport, Method)> {
    Transport::ALL.into_iter().flat_map(|transport| Method::ALL.map(|method| (transport, method)))
}

/// The same skin and pose by another way: without faults, with our own shader,
/// within the limits of the same machine.
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

/// Compares each vertex with the reference for the scene's palette, blend and
/// rule for normals; its way, faults and shader do not count.
pub fn compare(scene: &Scene, skinned: &GpuVertices) -> ProofOutcome {
    let (wanted, found) = (scene.mesh.positions.len(), skinned.positions.len());
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
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut sum = 0.0;
    for (index, position) in skinned.positions.iter().enumerate() {
        let matrix = reference.matrix(index);
        let stored = reference.stored(index);
        let expected = (matrix * stored.extend(1.0)).truncate();
        low = low.min(expected);
        high = high.max(expected);
        let distance = number((position.as_dvec3() - expected).length());
        sum += distance;
        if distance > outcome.most {
            outcome.most = distance;
            outcome.worst = index;
        }
        if let Some((expected, found)) =
            reference.normal(index, matrix).zip(skinned.normals.get(index))
        {
            let distance = number((found.as_dvec3() - expected).length());
            outcome.most_normal = outcome.most_normal.max(distance);
        }
    }
    let size = (high - low).max_element().max(f64::MIN_POSITIVE);
    outcome.most /= size;
    outcome.mean = sum / outcome.vertices.max(1) as f64 / size;
    outcome
}

/// A distance that is not a number is the largest there is.
fn number(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// What each vertex should be.
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
        let influences = self.scene.influences.get(vertex);
        let influences = influences.copied().unwrap_or_default();
        reference::skin_matrix(self.scene.blend, &influences, &self.palette)
    }

    /// `None` where float32 can't tell its direction.
    fn normal(&self, vertex: usize, matrix: DMat4) -> Option<DVec3> {
        let stored = self.scene.stored_normals().get(vertex);
        let stored = stored.map_or(DVec3::Z, |n| n.as_dvec3());
        let normal = reference::moved_normal(self.scene.skinning.normals, stored, matrix);
        (is_sound(matrix) && normal != DVec3::ZERO).then_some(normal)
    }
}

/// Is the matrix far enough from flat that float32 tells the direction of what
/// it moves?
fn is_sound(matrix: DMat4) -> bool {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|c| c.truncate().length());
    matrix.determinant().abs() > 1e-2 * columns.into_iter().product::<f64>()
}
