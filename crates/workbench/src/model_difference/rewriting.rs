//! Simulation of a program that rewrites a model with known changes.

use std::collections::BTreeSet;
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use bindpose_gltf::{Mesh, ParamKind, Rig};
use bindpose_lesson::Rewriting;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, Joint, JointIndex, Skeleton, Track, TrackProperty,
    Trs, keep_strongest,
};
use glam::{Mat3, Mat4, Quat, Vec3};

/// Prefix of renamed joints.
const NAME_PREFIX: &str = "rig_";

/// Returns `rig` after all of these changes. Changes that are impossible, such as removing
/// the end joints of a skeleton with one joint, are skipped.
pub fn rewrite_model(rig: &Arc<Rig>, rewritings: &BTreeSet<Rewriting>) -> Arc<Rig> {
    let mut written = Arc::clone(rig);
    for rewriting in rewritings {
        let next = match rewriting {
            Rewriting::Centimetres => in_space(&written, Mat4::from_scale(Vec3::splat(100.0))),
            Rewriting::ZUp => in_space(&written, Mat4::from_rotation_x(FRAC_PI_2)),
            Rewriting::TwoInfluences => Some(with_two_influences(&written)),
            Rewriting::MovedMesh => with_moved_mesh(&written),
            Rewriting::NoEndJoints => without_end_joints(&written),
            Rewriting::OtherNames => with_other_names(&written),
        };
        if let Some(next) = next {
            written = Arc::new(Rig { origin: None, ..next });
        }
    }
    written
}

fn with_two_influences(rig: &Rig) -> Rig {
    let mut mesh = (*rig.mesh).clone();
    let influences = mesh.influences.iter().map(|of| {
        let pairs: Vec<_> = of.used().map(|(_, joint, weight)| (joint, weight)).collect();
        let sum = of.sum();
        let kept = Influences::new(&keep_strongest(&pairs, 2)).normalized();
        // Keeps weights whose sum is wrong for another reason.
        if sum > 0.0 { kept } else { *of }
    });
    mesh.influences = influences.collect();
    mesh.many.clear();
    mesh.file_influences = None;
    with_mesh(rig, mesh)
}

/// Moves the stored vertices, and compensates with the inverse bind matrices: `B⁻¹ · X` and
/// `X⁻¹ · p`. The posed mesh stays the same.
fn with_moved_mesh(rig: &Rig) -> Option<Rig> {
    let (low, high) = rig.mesh.bounds();
    let by = Vec3::Y * (high - low).max_element() * 0.25;
    let stored_from_moved = Mat4::from_rotation_translation(Quat::from_rotation_z(0.5), by);
    let joints = rig.skeleton.joints().iter().map(|joint| Joint {
        joint_from_bind: joint.joint_from_bind * stored_from_moved,
        ..joint.clone()
    });
    let moved = with_mesh(rig, mesh_in_space(&rig.mesh, stored_from_moved.inverse()));
    Some(Rig { skeleton: Skeleton::in_any_order(joints.collect()).ok()?, ..moved })
}

fn with_mesh(rig: &Rig, mesh: Mesh) -> Rig {
    Rig { mesh: Arc::new(mesh), ..rig.clone() }
}

fn with_other_names(rig: &Rig) -> Option<Rig> {
    let joints = rig
        .skeleton
        .joints()
        .iter()
        .map(|joint| Joint { name: format!("{NAME_PREFIX}{}", joint.name), ..joint.clone() });
    Some(Rig { skeleton: Skeleton::in_any_order(joints.collect()).ok()?, ..rig.clone() })
}

/// Removes joints without children, except roots. Their weights go to their parents.
fn without_end_joints(rig: &Rig) -> Option<Rig> {
    let joints = rig.skeleton.joints();
    let mut is_kept: Vec<bool> = joints.iter().map(|joint| joint.parent.is_none()).collect();
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        *is_kept.get_mut(parent.index())? = true;
    }
    let mut kept = Vec::new();
    // The new index of each joint, or of its parent if it is removed.
    let mut new_indices = vec![JointIndex(0); joints.len()];
    for index in rig.skeleton.indices() {
        if is_kept[index.index()] {
            new_indices[index.index()] = JointIndex(u16::try_from(kept.len()).ok()?);
            kept.push(index);
        }
    }
    for index in rig.skeleton.indices() {
        if !is_kept[index.index()]
            && let Some(parent) = joints.get(index.index())?.parent
        {
            new_indices[index.index()] = *new_indices.get(parent.index())?;
        }
    }
    let kept_joints = kept.iter().filter_map(|old| {
        let joint = joints.get(old.index())?;
        let parent = joint.parent.and_then(|parent| new_indices.get(parent.index()));
        Some(Joint { parent: parent.copied(), ..joint.clone() })
    });
    let mut written =
        Rig { skeleton: Skeleton::in_any_order(kept_joints.collect()).ok()?, ..rig.clone() };
    let new_index = |joint: JointIndex| new_indices.get(joint.index()).copied().unwrap_or_default();
    let is_kept = |joint: JointIndex| is_kept.get(joint.index()) == Some(&true);
    let mut mesh = (*rig.mesh).clone();
    let influences = mesh.influences.iter().map(|of| {
        let mut pairs: Vec<(JointIndex, f32)> = Vec::new();
        for (_, joint, weight) in of.used() {
            let joint = new_index(joint);
            match pairs.iter_mut().find(|pair| pair.0 == joint) {
                Some(pair) => pair.1 += weight,
                None => pairs.push((joint, weight)),
            }
        }
        Influences::new(&pairs)
    });
    mesh.influences = influences.collect();
    mesh.many.clear();
    mesh.file_influences = None;
    written.mesh = Arc::new(mesh);
    written.params.retain_mut(|param| {
        let stays = match param.kind {
            ParamKind::Angles { joints, .. } => joints.into_iter().all(is_kept),
            kind => kind.joint().is_none_or(is_kept),
        };
        param.kind = renumber_param(param.kind, new_index);
        stays
    });
    for clip in &mut written.clips {
        clip.channels.retain_mut(|channel| match &mut channel.target {
            ChannelTarget::Joint(joint) => {
                let stays = is_kept(*joint);
                *joint = new_index(*joint);
                stays
            }
            ChannelTarget::Morphs(_) => true,
        });
    }
    Some(written)
}

fn renumber_param(kind: ParamKind, new_index: impl Fn(JointIndex) -> JointIndex) -> ParamKind {
    match kind {
        ParamKind::Angle { joint, axis } => ParamKind::Angle { joint: new_index(joint), axis },
        ParamKind::Angles { joints, axis } => {
            ParamKind::Angles { joints: joints.map(new_index), axis }
        }
        ParamKind::BindAngle { joint, axis } => {
            ParamKind::BindAngle { joint: new_index(joint), axis }
        }
        ParamKind::Scale { joint, axis } => ParamKind::Scale { joint: new_index(joint), axis },
        ParamKind::BindShift { joint, axis } => {
            ParamKind::BindShift { joint: new_index(joint), axis }
        }
        ParamKind::StoredShift { .. }
        | ParamKind::BindShape { .. }
        | ParamKind::MeshNode(_)
        | ParamKind::Morph { .. }
        | ParamKind::RestToPose => kind,
    }
}

/// Converts `rig` to another unit or other axes: positions to `C · p`, matrices to
/// `C · M · C⁻¹`.
///
/// `change` is a uniform scale, optionally with quarter turns about axes or a mirror.
/// Returns `None` if the result is not finite. Parameters that move the bind pose or the
/// mesh's node are removed, and so is the file, whose numbers are no longer those of the rig.
pub(super) fn in_space(rig: &Rig, change: Mat4) -> Option<Rig> {
    let change = SpaceChange::new(change);
    let joints = rig.skeleton.joints().iter().map(|joint| Joint {
        parent_from_joint_at_rest: change.trs(joint.parent_from_joint_at_rest),
        joint_from_bind: change.matrix(joint.joint_from_bind),
        ..joint.clone()
    });
    let params = rig.params.iter().filter_map(|param| {
        let kind = change.param(param.kind)?;
        Some(bindpose_gltf::Param { kind, ..param.clone() })
    });
    Some(Rig {
        skeleton: Skeleton::in_any_order(joints.collect()).ok()?,
        mesh: Arc::new(change.mesh(&rig.mesh)),
        params: params.collect(),
        world_from_mesh_node: change.matrix(rig.world_from_mesh_node),
        clips: rig.clips.iter().map(|clip| change.clip(clip)).collect(),
        origin: None,
        ..rig.clone()
    })
}

/// Converts a mesh to another space.
pub(super) fn mesh_in_space(mesh: &Mesh, change: Mat4) -> Mesh {
    SpaceChange::new(change).mesh(mesh)
}

struct SpaceChange {
    matrix: Mat4,
    inverse: Mat4,
    /// The rotation or mirror without the scale; orthogonal.
    turn: Mat3,
    /// −1 for a mirror, otherwise 1.
    handed: f32,
}

impl SpaceChange {
    fn new(matrix: Mat4) -> Self {
        let linear = Mat3::from_mat4(matrix);
        let scale = linear.x_axis.length();
        let turn =
            Mat3::from_cols(linear.x_axis / scale, linear.y_axis / scale, linear.z_axis / scale);
        Self { matrix, inverse: matrix.inverse(), turn, handed: turn.determinant().signum() }
    }

    fn matrix(&self, matrix: Mat4) -> Mat4 {
        self.matrix * matrix * self.inverse
    }

    fn length(&self, length: Vec3) -> Vec3 {
        self.matrix.transform_vector3(length)
    }

    /// Converts an axis of rotation. A mirror reverses the direction of rotations.
    fn axis(&self, axis: Vec3) -> Vec3 {
        self.handed * (self.turn * axis)
    }

    fn rotation(&self, rotation: Quat) -> Quat {
        let axis = self.axis(rotation.xyz());
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// Converts scale factors along the axes.
    fn factors(&self, factors: Vec3) -> Vec3 {
        let squared = [0, 1, 2].map(|row| {
            let row = self.turn.row(row);
            row * row
        });
        Vec3::from_array(squared.map(|row| row.dot(factors)))
    }

    fn trs(&self, trs: Trs) -> Trs {
        Trs {
            translation: self.length(trs.translation),
            rotation: self.rotation(trs.rotation),
            scale: self.factors(trs.scale),
        }
    }

    fn mesh(&self, mesh: &Mesh) -> Mesh {
        let mut mesh = mesh.clone();
        for position in &mut mesh.positions {
            *position = self.matrix.transform_point3(*position);
        }
        for normal in &mut mesh.normals {
            *normal = self.turn * *normal;
        }
        for tangent in &mut mesh.tangents {
            let turned = self.turn * tangent.truncate();
            *tangent = turned.extend(tangent.w * self.handed);
        }
        for target in &mut mesh.targets {
            for moved in &mut target.positions {
                *moved = self.length(*moved);
            }
            for turned in &mut target.normals {
                *turned = self.turn * *turned;
            }
        }
        if self.handed < 0.0 {
            for triangle in &mut mesh.triangles {
                triangle.swap(1, 2);
            }
        }
        mesh
    }

    fn clip(&self, clip: &Clip) -> Clip {
        let channels = clip.channels.iter().map(|channel| Channel {
            track: Arc::new(self.track(&channel.track)),
            ..channel.clone()
        });
        Clip { channels: channels.collect(), ..clip.clone() }
    }

    /// Converts the values and tangents of a track.
    fn track(&self, track: &Track) -> Track {
        let mut track = track.clone();
        for value in track.values.chunks_exact_mut(track.width.max(1)) {
            match (track.property, &mut *value) {
                (TrackProperty::Translation, [x, y, z]) => {
                    [*x, *y, *z] = self.length(Vec3::new(*x, *y, *z)).to_array();
                }
                (TrackProperty::Scale, [x, y, z]) => {
                    [*x, *y, *z] = self.factors(Vec3::new(*x, *y, *z)).to_array();
                }
                (TrackProperty::Rotation, [x, y, z, _]) => {
                    [*x, *y, *z] = self.axis(Vec3::new(*x, *y, *z)).to_array();
                }
                _ => {}
            }
        }
        track
    }

    fn param(&self, kind: ParamKind) -> Option<ParamKind> {
        Some(match kind {
            ParamKind::Angle { joint, axis } => ParamKind::Angle { joint, axis: self.axis(axis) },
            ParamKind::Angles { joints, axis } => {
                ParamKind::Angles { joints, axis: self.axis(axis) }
            }
            ParamKind::Scale { joint, axis } => {
                ParamKind::Scale { joint, axis: axis.map(|axis| self.axis_index(axis)) }
            }
            ParamKind::Morph { .. } | ParamKind::RestToPose => kind,
            ParamKind::BindAngle { .. }
            | ParamKind::BindShift { .. }
            | ParamKind::StoredShift { .. }
            | ParamKind::BindShape { .. }
            | ParamKind::MeshNode(_) => return None,
        })
    }

    /// Returns the index of the axis that this one is mapped to.
    fn axis_index(&self, axis: usize) -> usize {
        let along = self.turn.col(axis.min(2)).abs();
        (0..3).max_by(|&a, &b| along[a].total_cmp(&along[b])).unwrap_or(axis)
    }
}
