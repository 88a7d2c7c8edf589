//! A model as a program would write it that does some known things to it.

use std::collections::BTreeSet;
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use bindpose_asset::{Mesh, ParamKind, Rig};
use bindpose_lesson::Rewriting;
use bindpose_skin::{ChannelTarget, Influences, Joint, JointIndex, Skeleton, keep_strongest};
use glam::{Mat4, Quat, Vec3};

use super::in_space::{in_space, mesh_in_space};

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
