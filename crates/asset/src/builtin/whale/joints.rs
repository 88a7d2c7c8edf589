//! The whale's joints.
//!
//! y points along the bone, and turning about x lifts its far end (it opens the
//! jaw, and sways the dorsal fin). So one angle for every joint bends the whale
//! up and down, as whales swim.

use glam::{DMat3, DMat4, DQuat, DVec3, Mat4, Quat, Vec3};

use bindpose_skin::{Joint, JointIndex, Skeleton, SkeletonError, Trs};

/// A joint in the bind pose.
pub(super) struct Spec {
    pub(super) name: &'static str,
    parent: Option<u16>,
    /// In world space.
    pub(super) position: [f64; 3],
    /// Direction of the bone: the local y axis.
    along: [f64; 3],
    /// Where the far end goes when the joint turns about its x axis: about the
    /// local z axis.
    lifts: [f64; 3],
    /// Turn about x that the rest pose adds to the bind pose, in degrees.
    rest_deg: f64,
}

const UP: [f64; 3] = [0.0, 1.0, 0.0];
const DOWN: [f64; 3] = [0.0, -1.0, 0.0];
const SIDE: [f64; 3] = [-1.0, 0.0, 0.0];
const FORE: [f64; 3] = [0.0, 0.0, 1.0];
const AFT: [f64; 3] = [0.0, 0.0, -1.0];

pub(super) const ROOT: u16 = 0;
pub(super) const CHEST: u16 = 1;
pub(super) const NECK: u16 = 2;
pub(super) const HEAD: u16 = 3;
pub(super) const JAW: u16 = 4;
pub(super) const SPINE: [u16; 3] = [5, 6, 7];
pub(super) const TAIL: [u16; 3] = [8, 9, 10];
pub(super) const FLUKE: [u16; 2] = [11, 12];
pub(super) const DORSAL: [u16; 2] = [13, 14];
pub(super) const FIN: [[u16; 3]; 2] = [[15, 16, 17], [18, 19, 20]];

/// Root of the left pectoral fin, and the way it points.
pub(super) const FIN_ROOT: [f64; 3] = [0.46, -0.36, 1.42];
pub(super) const FIN_ALONG: [f64; 3] = [0.76, -0.42, -0.5];
/// Joints along it, as parts of its length.
pub(super) const FIN_JOINTS: [f64; 3] = [0.0, 0.32, 0.6];
pub(super) const FIN_LENGTH: f64 = 1.4;

/// All joints, parents before children.
pub(super) fn specs() -> Vec<Spec> {
    let joint = |name, parent, position, along, lifts, rest_deg| Spec {
        name,
        parent,
        position,
        along,
        lifts,
        rest_deg,
    };
    let mut specs = vec![
        joint("root", None, [0.0, 0.0, 0.55], AFT, UP, 0.0),
        joint("chest", Some(ROOT), [0.0, 0.0, 0.85], FORE, UP, 0.0),
        joint("neck", Some(CHEST), [0.0, 0.0, 1.6], FORE, UP, 3.0),
        joint("head", Some(NECK), [0.0, 0.02, 2.1], FORE, UP, 4.0),
        joint("jaw", Some(HEAD), [0.0, -0.1, 2.16], FORE, DOWN, 6.0),
        joint("spine_1", Some(ROOT), [0.0, 0.0, 0.3], AFT, UP, -3.0),
        joint("spine_2", Some(5), [0.0, 0.0, -0.3], AFT, UP, -5.0),
        joint("spine_3", Some(6), [0.0, 0.0, -0.9], AFT, UP, -8.0),
        joint("tail_1", Some(7), [0.0, 0.0, -1.4], AFT, UP, -9.0),
        joint("tail_2", Some(8), [0.0, 0.0, -1.9], AFT, UP, -8.0),
        joint("tail_3", Some(9), [0.0, 0.0, -2.4], AFT, UP, 6.0),
        joint("fluke_l", Some(10), [0.12, 0.0, -2.66], [0.85, 0.0, -0.5], UP, 5.0),
        joint("fluke_r", Some(10), [-0.12, 0.0, -2.66], [-0.85, 0.0, -0.5], UP, 5.0),
        joint("dorsal_1", Some(5), [0.0, 0.6, 0.25], [0.0, 0.9, -0.3], SIDE, 0.0),
        joint("dorsal_2", Some(13), [0.0, 1.2, 0.02], [0.0, 0.9, -0.35], SIDE, 0.0),
    ];
    for (side, names) in
        [(1.0, ["fin_l_1", "fin_l_2", "fin_l_3"]), (-1.0, ["fin_r_1", "fin_r_2", "fin_r_3"])]
    {
        let mirror = DVec3::new(side, 1.0, 1.0);
        let along = (DVec3::from(FIN_ALONG) * mirror).normalize_or_zero();
        let root = DVec3::from(FIN_ROOT) * mirror;
        let mut parent = CHEST;
        for (name, part) in names.into_iter().zip(FIN_JOINTS) {
            let position = root + along * (FIN_LENGTH * part);
            specs.push(joint(name, Some(parent), position.to_array(), along.to_array(), UP, -6.0));
            parent = (specs.len() - 1) as u16;
        }
    }
    specs
}

/// Turns about x of the rest pose, joint by joint, in radians.
pub(super) fn rest_angles() -> Vec<f64> {
    specs().iter().map(|spec| spec.rest_deg.to_radians()).collect()
}

/// Local rotation in the bind pose after a turn about the joint's x axis.
pub(super) fn local_rotations(turns_rad: &[DVec3]) -> Vec<Quat> {
    let specs = specs();
    let locals = bind_locals(&specs);
    locals
        .iter()
        .enumerate()
        .map(|(index, local)| {
            let turn = turns_rad.get(index).copied().unwrap_or_default();
            let turn = DQuat::from_rotation_z(turn.z)
                * DQuat::from_rotation_y(turn.y)
                * DQuat::from_rotation_x(turn.x);
            quat(DQuat::from_mat4(local) * turn)
        })
        .collect()
}

pub(super) fn skeleton() -> Result<Skeleton, SkeletonError> {
    let specs = specs();
    let locals = bind_locals(&specs);
    let turns: Vec<DVec3> = rest_angles().iter().map(|&x| DVec3::X * x).collect();
    let rotations = local_rotations(&turns);
    let joints = specs
        .iter()
        .zip(locals)
        .zip(rotations)
        .map(|((spec, local), rotation)| Joint {
            name: spec.name.to_owned(),
            parent: spec.parent.map(JointIndex),
            parent_from_joint_at_rest: Trs {
                translation: rounded(local.w_axis.truncate()),
                rotation,
                scale: Vec3::ONE,
            },
            joint_from_bind: inverse_bind(&world_from_joint(spec)),
        })
        .collect();
    Skeleton::new(joints)
}

fn world_from_joint(spec: &Spec) -> DMat4 {
    let y = DVec3::from(spec.along).normalize_or(DVec3::Y);
    let z = DVec3::from(spec.lifts).reject_from_normalized(y).normalize_or(DVec3::Z);
    let axes = DMat3::from_cols(y.cross(z), y, z);
    DMat4::from_mat3_translation(axes, spec.position.into())
}

fn bind_locals(specs: &[Spec]) -> Vec<DMat4> {
    specs
        .iter()
        .map(|spec| {
            let world = world_from_joint(spec);
            match spec.parent.and_then(|parent| specs.get(usize::from(parent))) {
                Some(parent) => world_from_joint(parent).inverse() * world,
                None => world,
            }
        })
        .collect()
}

fn inverse_bind(world_from_joint: &DMat4) -> Mat4 {
    let inverse = world_from_joint.inverse().to_cols_array();
    Mat4::from_cols_array(&inverse.map(round))
}

fn round(x: f64) -> f32 {
    ((x * 1e6).round() / 1e6 + 0.0) as f32
}

fn rounded(v: DVec3) -> Vec3 {
    Vec3::new(round(v.x), round(v.y), round(v.z))
}

fn quat(q: DQuat) -> Quat {
    let q = if q.w < 0.0 { -q } else { q };
    Quat::from_xyzw(round(q.x), round(q.y), round(q.z), round(q.w))
}
