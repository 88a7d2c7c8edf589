//! A model as another unit or other axes have it.

use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec3};

use bindpose_asset::{Mesh, ParamKind, Rig};
use bindpose_skin::{Channel, Clip, Joint, Skeleton, Track, TrackProperty, Trs};

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
