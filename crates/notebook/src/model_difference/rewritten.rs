//! A model as a program would write it that does some known things to it.

use std::collections::BTreeSet;
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use bindpose_asset::{Mesh, ParamKind, Rig};
use bindpose_lesson::Rewriting;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, Joint, JointIndex, Skeleton, Track, TrackProperty,
    Trs, keep_strongest,
};
use glam::{Mat3, Mat4, Quat, Vec3};

/// What stands before each name.
const PREFIX: &str = "rig_";

/// `rig` after all of these. What it has too little for, as a skeleton of one joint has
/// for no end joints, changes nothing.
pub fn rewritten(rig: &Arc<Rig>, rewritings: &BTreeSet<Rewriting>) -> Arc<Rig> {
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
        // What was wrong with the sum stays so.
        if sum > 0.0 { kept } else { *of }
    });
    mesh.influences = influences.collect();
    mesh.many.clear();
    mesh.file_influences = None;
    with_mesh(rig, mesh)
}

/// Where its vertices are stored is a matter of the file, as long as all inverse bind
/// matrices say so: `B⁻¹ · X`, and `X⁻¹ · p`.
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
        .map(|joint| Joint { name: format!("{PREFIX}{}", joint.name), ..joint.clone() });
    Some(Rig { skeleton: Skeleton::in_any_order(joints.collect()).ok()?, ..rig.clone() })
}

/// Joints without children are left out, roots excepted.
fn without_end_joints(rig: &Rig) -> Option<Rig> {
    let joints = rig.skeleton.joints();
    let mut stays: Vec<bool> = joints.iter().map(|joint| joint.parent.is_none()).collect();
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        *stays.get_mut(parent.index())? = true;
    }
    let is_kept = |joint: JointIndex| stays.get(joint.index()) == Some(&true);
    let mut kept = Vec::new();
    // By old number: the new one of the joint, or of its parent.
    let mut now = vec![JointIndex(0); joints.len()];
    for index in rig.skeleton.indices() {
        if is_kept(index) {
            now[index.index()] = JointIndex(u16::try_from(kept.len()).ok()?);
            kept.push(index);
        }
    }
    for index in rig.skeleton.indices() {
        if !is_kept(index)
            && let Some(parent) = joints.get(index.index())?.parent
        {
            now[index.index()] = *now.get(parent.index())?;
        }
    }
    let joints = kept.iter().filter_map(|old| {
        let joint = joints.get(old.index())?;
        let parent = joint.parent.and_then(|parent| now.get(parent.index()));
        Some(Joint { parent: parent.copied(), ..joint.clone() })
    });
    let mut written =
        Rig { skeleton: Skeleton::in_any_order(joints.collect()).ok()?, ..rig.clone() };
    let new = |joint: JointIndex| now.get(joint.index()).copied().unwrap_or_default();
    let mut mesh = (*rig.mesh).clone();
    let influences = mesh.influences.iter().map(|of| {
        let mut pairs: Vec<(JointIndex, f32)> = Vec::new();
        for (_, joint, weight) in of.used() {
            let joint = new(joint);
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
        param.kind = renumbered(param.kind, new);
        stays
    });
    for clip in &mut written.clips {
        clip.channels.retain_mut(|channel| match &mut channel.target {
            ChannelTarget::Joint(joint) => {
                let stays = is_kept(*joint);
                *joint = new(*joint);
                stays
            }
            ChannelTarget::Morphs(_) => true,
        });
    }
    Some(written)
}

fn renumbered(kind: ParamKind, new: impl Fn(JointIndex) -> JointIndex) -> ParamKind {
    match kind {
        ParamKind::Angle { joint, axis } => ParamKind::Angle { joint: new(joint), axis },
        ParamKind::Angles { joints, axis } => ParamKind::Angles { joints: joints.map(new), axis },
        ParamKind::BindAngle { joint, axis } => ParamKind::BindAngle { joint: new(joint), axis },
        ParamKind::Scale { joint, axis } => ParamKind::Scale { joint: new(joint), axis },
        ParamKind::BindShift { joint, axis } => ParamKind::BindShift { joint: new(joint), axis },
        ParamKind::StoredShift { .. }
        | ParamKind::BindShape { .. }
        | ParamKind::MeshNode(_)
        | ParamKind::Morph { .. }
        | ParamKind::RestToPose => kind,
    }
}

// A model as another unit or other axes have it.

/// `rig` in another space: positions `C · p`, matrices `C · M · C⁻¹`. `change` is a
/// uniform scale, perhaps with quarter turns about axes or a mirror. `None` where that
/// leaves numbers that are not finite. Parameters that move the bind pose or the mesh’s
/// node are left out, and so is the file: it says nothing of the new numbers.
pub(super) fn in_space(rig: &Rig, change: Mat4) -> Option<Rig> {
    let change = SpaceChange::new(change);
    let joints = rig.skeleton.joints().iter().map(|joint| Joint {
        parent_from_joint_at_rest: change.trs(joint.parent_from_joint_at_rest),
        joint_from_bind: change.matrix(joint.joint_from_bind),
        ..joint.clone()
    });
    let params = rig.params.iter().filter_map(|param| {
        let kind = change.param(param.kind)?;
        Some(bindpose_asset::Param { kind, ..param.clone() })
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

/// What is stored of a mesh in another space.
pub(super) fn mesh_in_space(mesh: &Mesh, change: Mat4) -> Mesh {
    SpaceChange::new(change).mesh(mesh)
}

struct SpaceChange {
    matrix: Mat4,
    inverse: Mat4,
    /// Without the scale; orthogonal.
    turn: Mat3,
    /// −1 for a mirror.
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

    /// What turns about it turns the other way in a mirror.
    fn axis(&self, axis: Vec3) -> Vec3 {
        self.handed * (self.turn * axis)
    }

    fn rotation(&self, rotation: Quat) -> Quat {
        let axis = self.axis(rotation.xyz());
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// Factors along the axes, which change places with them.
    fn factors(&self, factors: Vec3) -> Vec3 {
        let turn = self.turn;
        let of = |row: usize| {
            let row = turn.row(row);
            (row * row).dot(factors)
        };
        Vec3::new(of(0), of(1), of(2))
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

    /// Values and tangents alike.
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
                ParamKind::Scale { joint, axis: axis.map(|axis| self.axis_now(axis)) }
            }
            ParamKind::Morph { .. } | ParamKind::RestToPose => kind,
            ParamKind::BindAngle { .. }
            | ParamKind::BindShift { .. }
            | ParamKind::StoredShift { .. }
            | ParamKind::BindShape { .. }
            | ParamKind::MeshNode(_) => return None,
        })
    }

    /// The number of the axis that this one becomes.
    fn axis_now(&self, axis: usize) -> usize {
        let along = self.turn.col(axis.min(2)).abs();
        (0..3).max_by(|&a, &b| along[a].total_cmp(&along[b])).unwrap_or(axis)
    }
}
