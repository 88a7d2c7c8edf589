//! Magnitudes of the intermediate results of posing a rig. Rounding may change a result by a
//! small fraction of them.

use bindpose_gltf::Rig;
use bindpose_skin::{Channel, ChannelTarget, Interpolation, JointIndex, Track, TrackProperty};
use glam::{DMat4, DVec3, DVec4, Vec3, Vec4};

/// Fraction of its magnitude by which rounding may change a number, for each ancestor.
const ROUNDING: f64 = 1e-6;
/// Magnitude below which 32-bit floats lose digits.
const MIN_MAGNITUDE: f64 = 1e-30;
/// Magnitude above which 32-bit floats overflow.
const MAX_MAGNITUDE: f64 = 1e37;
/// Cosine between two rotations below which the shorter way between them depends on rounding.
const MIN_COSINE: f64 = 1e-6;

/// Magnitudes, summed without the signs that could make them cancel.
pub(super) struct MagnitudeSum {
    /// Magnitudes of each joint matrix. `None` if they exceed all floats, or if the export reports
    /// that it changes the inverse bind matrix.
    pub(super) world_from_bind: Vec<Option<DMat4>>,
    /// Magnitude of each vertex. `None` if one of its joints has none, or if the export reports
    /// that it changes the weights.
    vertices: Vec<Option<DVec3>>,
    /// Number of joints in the longest chain.
    depth: f64,
}

impl MagnitudeSum {
    /// Computes the magnitudes at rest, or their maximum over a clip. Returns `None` if the
    /// direction of a rotation depends on rounding.
    pub(super) fn new(rig: &Rig, clip: Option<usize>) -> Option<Self> {
        let channels = clip.map_or(&[][..], |clip| &rig.clips[clip].channels);
        if channels.iter().any(|channel| is_undecided(&channel.track)) {
            return None;
        }
        let (world_from_bind, depth) = joint_magnitudes(rig, channels);
        let positions = morphed_magnitudes(rig, channels);
        let vertices = positions.iter().enumerate().map(|(vertex, position)| {
            let weights = exported_weights(rig, vertex)?;
            let moved = weights.iter().map(|&(joint, weight)| {
                let world_from_bind = world_from_bind[joint]?;
                Some(world_from_bind * position.extend(1.0) * weight)
            });
            Some(moved.sum::<Option<DVec4>>()?.truncate())
        });
        Some(Self { vertices: vertices.collect(), world_from_bind, depth })
    }

    /// Returns whether a vertex could overflow, whichever joint moves it.
    pub(super) fn overflows(&self, rig: &Rig) -> bool {
        let (low, high) = rig.mesh.bounds();
        let size = f64::from(low.abs().max(high.abs()).max_element());
        let corner = DVec3::splat(size).extend(1.0);
        let mut joints = self.world_from_bind.iter();
        !joints
            .all(|joint| joint.is_some_and(|joint| (joint * corner).max_element() < MAX_MAGNITUDE))
    }

    /// Returns whether two numbers of this magnitude are equal up to rounding.
    pub(super) fn is_close(&self, a: f32, b: f32, reach: f64) -> bool {
        let tolerance = ROUNDING * (self.depth + 4.0) * reach + MIN_MAGNITUDE;
        reach.is_nan() || reach >= MAX_MAGNITUDE || (f64::from(a) - f64::from(b)).abs() <= tolerance
    }

    /// Returns whether two positions of a vertex are equal up to rounding.
    pub(super) fn is_vertex_close(&self, vertex: usize, a: Vec3, b: Vec3) -> bool {
        self.vertices[vertex]
            .is_none_or(|reach| (0..3).all(|lane| self.is_close(a[lane], b[lane], reach[lane])))
    }
}

/// Computes the magnitudes of all joint matrices, and the length of the longest chain.
fn joint_magnitudes(rig: &Rig, channels: &[Channel]) -> (Vec<Option<DMat4>>, f64) {
    let joints = rig.skeleton.joints();
    let mut locals: Vec<[DVec3; 2]> = joints
        .iter()
        .map(|joint| joint.parent_from_joint_at_rest)
        .map(|trs| [trs.translation, trs.scale].map(|vector| vector.abs().as_dvec3()))
        .collect();
    for channel in channels {
        let ChannelTarget::Joint(JointIndex(joint)) = channel.target else {
            continue;
        };
        let part = match channel.track.property {
            TrackProperty::Translation => 0,
            TrackProperty::Scale => 1,
            TrackProperty::Rotation | TrackProperty::Weights => continue,
        };
        let local = &mut locals[usize::from(joint)][part];
        *local = local.max(DVec3::from_slice(&reach_of_track(&channel.track)));
    }
    let mut worlds = vec![(Some(DMat4::IDENTITY), 1.0_f64); joints.len()];
    for joint in rig.skeleton.walk().map(JointIndex::index) {
        let [translation, scale] = locals[joint];
        // A rotation may turn any axis into any other.
        let column = |factor: f64| DVec3::splat(factor).extend(0.0);
        let [x, y, z] = scale.to_array().map(column);
        let local = DMat4::from_cols(x, y, z, translation.extend(1.0));
        let above = joints[joint].parent.map(|parent| worlds[parent.index()]);
        let (above, depth) = above.unwrap_or((Some(DMat4::IDENTITY), 0.0));
        worlds[joint] = (above.and_then(|above| finite_in_f32(above * local)), depth + 1.0);
    }
    let depth = worlds.iter().map(|world| world.1).fold(0.0, f64::max);
    let matrices = worlds.iter().zip(joints).map(|((world, _), joint)| {
        let cells = joint.joint_from_bind.to_cols_array();
        let reach = DMat4::from_cols_array(&cells.map(|cell| f64::from(cell.abs())));
        let is_kept = joint.joint_from_bind.row(3) == Vec4::W;
        world.filter(|_| is_kept).and_then(|world| finite_in_f32(world * reach))
    });
    (matrices.collect(), depth)
}

/// Returns the matrix if it fits into 32-bit floats.
fn finite_in_f32(matrix: DMat4) -> Option<DMat4> {
    let cells = matrix.to_cols_array();
    cells.iter().all(|&cell| cell < MAX_MAGNITUDE).then_some(matrix)
}

/// Computes the magnitudes of all morphed positions.
fn morphed_magnitudes(rig: &Rig, channels: &[Channel]) -> Vec<DVec3> {
    let rest = rig.morph_weights.iter();
    let mut weights: Vec<f64> = rest.map(|&weight| f64::from(weight.abs())).collect();
    for channel in channels {
        let (ChannelTarget::Morphs(first), TrackProperty::Weights) =
            (channel.target, channel.track.property)
        else {
            continue;
        };
        let moved = weights.iter_mut().skip(first);
        for (weight, reach) in moved.zip(reach_of_track(&channel.track)) {
            *weight = weight.max(reach);
        }
    }
    let stored = rig.mesh.positions.iter();
    let mut positions: Vec<DVec3> = stored.map(|position| position.abs().as_dvec3()).collect();
    for target in &rig.mesh.targets {
        let weight = weights.get(target.slot).copied().unwrap_or(0.0);
        let moved = positions.iter_mut().skip(target.first_vertex as usize);
        for (position, change) in moved.zip(&target.positions) {
            *position += weight * change.abs().as_dvec3();
        }
    }
    positions
}

/// Returns joints and weights of a vertex. Returns `None` if an export changes them.
fn exported_weights(rig: &Rig, vertex: usize) -> Option<Vec<(usize, f64)>> {
    let few = || rig.mesh.influences[vertex].used().map(|(_, joint, weight)| (joint, weight));
    let many = rig.mesh.many.get(&(vertex as u32));
    let pairs = many.cloned().unwrap_or_else(|| few().collect());
    let pairs: Vec<(usize, f64)> =
        pairs.iter().map(|&(joint, weight)| (joint.index(), f64::from(weight))).collect();
    let sum: f64 = pairs.iter().map(|pair| pair.1).sum();
    let is_sound = (sum - 1.0).abs() < 1e-5 && pairs.iter().all(|pair| pair.1 >= 0.0);
    is_sound.then_some(pairs)
}

/// Returns the maximum magnitude of each component of a track.
fn reach_of_track(track: &Track) -> Vec<f64> {
    let times = track.key_times();
    let span = times.last().zip(times.first()).map_or(0.0, |(end, start)| f64::from(end - start));
    let mut reach = vec![0.0_f64; track.width];
    for key in 0..track.key_count() {
        let tangents = track.tangents(key);
        for (lane, reach) in reach.iter_mut().enumerate() {
            let slopes =
                tangents.map_or(0.0, |[into, out]| into[lane].abs().max(out[lane].abs()).into());
            *reach = reach.max(f64::from(track.value(key)[lane].abs()) + span * slopes);
        }
    }
    reach
}

/// Returns whether both ways between two rotations of a track are about equally long.
fn is_undecided(track: &Track) -> bool {
    let slerps =
        track.property == TrackProperty::Rotation && track.interpolation == Interpolation::Linear;
    // As sampling does: a quaternion of length 0 is no rotation.
    let unit = |key: usize| {
        let stored = DVec4::from_array([0, 1, 2, 3].map(|lane| track.value(key)[lane].into()));
        match stored.length() {
            1e-12.. => stored.normalize(),
            _ => DVec4::W,
        }
    };
    slerps && (1..track.key_count()).any(|key| unit(key - 1).dot(unit(key)).abs() < MIN_COSINE)
}
