//! The formulas in 64-bit floats, written as plainly as possible.
//!
//! Slow on purpose: the tests compare the fast path and the GPU with these.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

use super::{Blend, Influences, JointIndex, NormalRule, Trs};

/// Computes the local matrix of a TRS: translation · rotation · scale.
pub fn parent_from_joint(trs: &Trs) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        trs.scale.as_dvec3(),
        trs.rotation.as_dquat().normalize(),
        trs.translation.as_dvec3(),
    )
}

/// Computes the world matrix of one joint as the product of its ancestors' local matrices.
///
/// Ends even if `parents` contains a cycle, because no joint has more ancestors than there
/// are joints.
pub fn world_from_joint(
    joint: JointIndex,
    parents: &[Option<JointIndex>],
    parent_from_joint: &[DMat4],
) -> DMat4 {
    let ancestors =
        std::iter::successors(parents[joint.index()], |ancestor| parents[ancestor.index()]);
    let mut product = parent_from_joint[joint.index()];
    for ancestor in ancestors.take(parents.len()) {
        product = parent_from_joint[ancestor.index()] * product;
    }
    product
}

/// Computes one skinned position as in a textbook: transforms a copy by each joint, and
/// sums the copies by their weights.
pub fn skin_position(
    position_in_bind: DVec3,
    influences: &Influences,
    world_from_bind: &[DMat4],
) -> DVec3 {
    let mut sum = DVec4::ZERO;
    for (_, joint, weight) in influences.used() {
        let copy_in_world = world_from_bind[joint.index()] * position_in_bind.extend(1.0);
        sum += copy_in_world * f64::from(weight);
    }
    sum.truncate()
}

/// Computes the skin matrix of one vertex by any blend. A joint index past the list counts
/// as the identity.
pub fn skin_matrix(blend: Blend, influences: &Influences, world_from_bind: &[DMat4]) -> DMat4 {
    match blend {
        Blend::Strongest => joint_matrix(world_from_bind, influences.strongest()),
        Blend::Only(joint) => joint_matrix(world_from_bind, joint),
        Blend::Linear => {
            let mut sum = DMat4::ZERO;
            for (_, joint, weight) in influences.used() {
                sum += joint_matrix(world_from_bind, joint) * f64::from(weight);
            }
            sum
        }
        Blend::DualQuaternion => {
            let motions: Vec<WeightedMotion> = influences
                .used()
                .map(|(_, joint, weight)| {
                    WeightedMotion::new(weight.into(), joint_matrix(world_from_bind, joint))
                })
                .collect();
            let origin = blend_dual_quaternions(DVec3::ZERO, &motions);
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z]
                .map(|axis| (blend_dual_quaternions(axis, &motions) - origin).extend(0.0));
            let w = if motions.is_empty() { 0.0 } else { 1.0 };
            DMat4::from_cols(x, y, z, origin.extend(w))
        }
    }
}

fn joint_matrix(world_from_bind: &[DMat4], joint: JointIndex) -> DMat4 {
    world_from_bind.get(joint.index()).copied().unwrap_or(DMat4::IDENTITY)
}

/// Transforms one point by dual quaternion blending: algorithm 1 of Kavan et al. 2008, after
/// the blended scale and shear (section 4.2 there). Returns the origin if `motions` is empty.
fn blend_dual_quaternions(position_in_bind: DVec3, motions: &[WeightedMotion]) -> DVec3 {
    let Some(first) = motions.first() else {
        return DVec3::ZERO;
    };
    let mut real = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut dual = real;
    let mut stretch = DMat3::ZERO;
    let mut weight_sum = 0.0;
    for motion in motions {
        let sign = if motion.real.dot(first.real) < 0.0 { -1.0 } else { 1.0 };
        real += motion.real * (sign * motion.weight);
        dual += motion.dual * (sign * motion.weight);
        stretch += motion.stretch * motion.weight;
        weight_sum += motion.weight;
    }
    // Names as in algorithm 1: a and d from the real part, ae and de from the dual part.
    let length = real.length();
    let a = (real * length.recip()).w;
    let d = (real * length.recip()).xyz();
    let ae = (dual * length.recip()).w;
    let de = (dual * length.recip()).xyz();
    let v = stretch * position_in_bind / weight_sum;
    v + 2.0 * d.cross(d.cross(v) + a * v) + 2.0 * (a * de - ae * d + d.cross(de))
}

/// A weight and a joint matrix, decomposed into a stretch and the rigid motion after it.
struct WeightedMotion {
    weight: f64,
    real: DQuat,
    dual: DQuat,
    stretch: DMat3,
}

impl WeightedMotion {
    /// Decomposes the matrix by the polar decomposition M = R S, with `S = ±√(MᵀM)` and R a
    /// rotation. A singular matrix is all stretch.
    fn new(weight: f64, world_from_bind: DMat4) -> Self {
        let m = DMat3::from_mat4(world_from_bind);
        let scale = m.to_cols_array().into_iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        let is_singular = m.determinant().abs() <= 1e-12 * scale.powi(3);
        let rotation = if is_singular {
            DMat3::IDENTITY
        } else {
            m * inverse_square_root(m.transpose() * m) * m.determinant().signum()
        };
        let real = DQuat::from_mat3(&rotation).normalize();
        let [x, y, z] = world_from_bind.w_axis.truncate().to_array();
        Self {
            weight,
            real,
            dual: DQuat::from_xyzw(x, y, z, 0.0) * real * 0.5,
            stretch: rotation.transpose() * m,
        }
    }
}

/// Computes `s^(-1/2)` of a symmetric positive definite matrix from its eigenvectors, by
/// Jacobi's method.
fn inverse_square_root(s: DMat3) -> DMat3 {
    let mut diagonal = s;
    let mut eigenvectors = DMat3::IDENTITY;
    for step in 0..60 {
        let (p, q) = [(0, 1), (0, 2), (1, 2)][step % 3];
        let off_diagonal = diagonal.col(q)[p];
        if off_diagonal == 0.0 {
            continue;
        }
        let angle = 0.5 * (2.0 * off_diagonal).atan2(diagonal.col(q)[q] - diagonal.col(p)[p]);
        let (sin, cos) = angle.sin_cos();
        let mut columns = [DVec3::X, DVec3::Y, DVec3::Z];
        columns[p][p] = cos;
        columns[p][q] = -sin;
        columns[q][p] = sin;
        columns[q][q] = cos;
        let rotation = DMat3::from_cols(columns[0], columns[1], columns[2]);
        diagonal = rotation.transpose() * diagonal * rotation;
        eigenvectors *= rotation;
    }
    let inverse_roots = DVec3::new(
        diagonal.x_axis.x.sqrt().recip(),
        diagonal.y_axis.y.sqrt().recip(),
        diagonal.z_axis.z.sqrt().recip(),
    );
    eigenvectors * DMat3::from_diagonal(inverse_roots) * eigenvectors.transpose()
}

/// Transforms one normal by a rule and normalizes it. Returns zero where the result has no
/// direction.
pub fn moved_normal(rule: NormalRule, normal_in_bind: DVec3, skin_matrix: DMat4) -> DVec3 {
    let m = DMat3::from_mat4(skin_matrix);
    let moved = match rule {
        NormalRule::InverseTranspose => m.inverse().transpose() * normal_in_bind,
        NormalRule::SkinMatrix => m * normal_in_bind,
        NormalRule::Cofactor => m.inverse().transpose() * m.determinant() * normal_in_bind,
        NormalRule::LeftAlone => normal_in_bind,
    };
    moved.normalize_or_zero()
}

/// Computes one skinned normal by the inverse transpose of the linear blend skin matrix.
pub fn skin_normal(
    normal_in_bind: DVec3,
    influences: &Influences,
    world_from_bind: &[DMat4],
) -> DVec3 {
    let matrix = skin_matrix(Blend::Linear, influences, world_from_bind);
    moved_normal(NormalRule::InverseTranspose, normal_in_bind, matrix)
}
