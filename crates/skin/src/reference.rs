//! The formulas in float64, written as plainly as possible.
//!
//! Slow on purpose: this is what the fast path and the GPU are compared with.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

use super::{Blend, Influences, JointIndex, NormalRule, Trs};

/// Local matrix of a TRS: translation · rotation · scale.
pub fn parent_from_joint(trs: &Trs) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        trs.scale.as_dvec3(),
        trs.rotation.as_dquat().normalize(),
        trs.translation.as_dvec3(),
    )
}

/// World matrix of one joint by walking up to the root; no joint has more above it than
/// there are, whatever `parents` says.
pub fn world_from_joint(
    joint: JointIndex,
    parents: &[Option<JointIndex>],
    parent_from_joint: &[DMat4],
) -> DMat4 {
    let above = std::iter::successors(parents[joint.index()], |above| parents[above.index()]);
    let mut product = parent_from_joint[joint.index()];
    for above in above.take(parents.len()) {
        product = parent_from_joint[above.index()] * product;
    }
    product
}

/// One vertex by the textbook: move a copy by each joint, weigh, add.
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

/// The matrix that moves one vertex, by any blend. An index past the list
/// counts as the identity.
pub fn skin_matrix(blend: Blend, influences: &Influences, world_from_bind: &[DMat4]) -> DMat4 {
    let matrix_of = |joint: JointIndex| {
        let matrix = world_from_bind.get(joint.index());
        matrix.copied().unwrap_or(DMat4::IDENTITY)
    };
    match blend {
        Blend::Strongest => matrix_of(influences.strongest()),
        Blend::Only(joint) => matrix_of(joint),
        Blend::Linear => {
            let mut sum = DMat4::ZERO;
            for (_, joint, weight) in influences.used() {
                sum += matrix_of(joint) * f64::from(weight);
            }
            sum
        }
        Blend::DualQuaternion => {
            let parts: Vec<(f64, PolarParts)> = influences
                .used()
                .map(|(_, joint, weight)| {
                    (f64::from(weight), PolarParts::from_matrix(matrix_of(joint)))
                })
                .collect();
            let moved = |point| by_dual_quaternions(point, &parts);
            let origin = moved(DVec3::ZERO);
            let column = |axis: DVec3| (moved(axis) - origin).extend(0.0);
            let placed = if parts.is_empty() { 0.0 } else { 1.0 };
            DMat4::from_cols(
                column(DVec3::X),
                column(DVec3::Y),
                column(DVec3::Z),
                origin.extend(placed),
            )
        }
    }
}

/// One point by dual quaternion blending: Kavan et al. 2008, algorithm 1, after
/// the blended scale and shear (section 4.2 there). Nothing to blend gives the
/// origin.
fn by_dual_quaternions(position_in_bind: DVec3, parts: &[(f64, PolarParts)]) -> DVec3 {
    let Some((_, first)) = parts.first() else {
        return DVec3::ZERO;
    };
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (mut real, mut dual, mut stretch, mut sum) = (zero, zero, DMat3::ZERO, 0.0);
    for (weight, part) in parts {
        let side = if part.real.dot(first.real) < 0.0 { -1.0 } else { 1.0 };
        real += part.real * (side * weight);
        dual += part.dual * (side * weight);
        stretch += part.stretch * *weight;
        sum += weight;
    }
    let size = real.length();
    let (a, d) = ((real * size.recip()).w, (real * size.recip()).xyz());
    let (ae, de) = ((dual * size.recip()).w, (dual * size.recip()).xyz());
    let v = stretch * position_in_bind / sum;
    v + 2.0 * d.cross(d.cross(v) + a * v) + 2.0 * (a * de - ae * d + d.cross(de))
}

/// A joint matrix as a rigid motion after a stretch.
struct PolarParts {
    real: DQuat,
    dual: DQuat,
    stretch: DMat3,
}

impl PolarParts {
    /// By the polar decomposition M = R S, with `S = ±√(MᵀM)` and R a rotation.
    fn from_matrix(world_from_bind: DMat4) -> Self {
        let m = DMat3::from_mat4(world_from_bind);
        let scale = m.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let flat = m.determinant().abs() <= 1e-12 * scale.powi(3);
        let rotation = if flat {
            DMat3::IDENTITY
        } else {
            m * inverse_root(m.transpose() * m) * m.determinant().signum()
        };
        let real = DQuat::from_mat3(&rotation).normalize();
        let [x, y, z] = world_from_bind.w_axis.truncate().to_array();
        Self {
            real,
            dual: DQuat::from_xyzw(x, y, z, 0.0) * real * 0.5,
            stretch: rotation.transpose() * m,
        }
    }
}

/// `s^(-1/2)` of a symmetric positive matrix, from its eigenvectors, which are
/// found by Jacobi's rotations.
fn inverse_root(s: DMat3) -> DMat3 {
    let mut diagonal = s;
    let mut vectors = DMat3::IDENTITY;
    for turn in 0..60 {
        let (p, q) = [(0, 1), (0, 2), (1, 2)][turn % 3];
        let between = diagonal.col(q)[p];
        if between == 0.0 {
            continue;
        }
        let angle = 0.5 * (2.0 * between).atan2(diagonal.col(q)[q] - diagonal.col(p)[p]);
        let (sin, cos) = angle.sin_cos();
        let mut columns = [DVec3::X, DVec3::Y, DVec3::Z];
        columns[p][p] = cos;
        columns[p][q] = -sin;
        columns[q][p] = sin;
        columns[q][q] = cos;
        let rotation = DMat3::from_cols(columns[0], columns[1], columns[2]);
        diagonal = rotation.transpose() * diagonal * rotation;
        vectors *= rotation;
    }
    let roots = DVec3::new(
        diagonal.x_axis.x.sqrt().recip(),
        diagonal.y_axis.y.sqrt().recip(),
        diagonal.z_axis.z.sqrt().recip(),
    );
    vectors * DMat3::from_diagonal(roots) * vectors.transpose()
}

/// One normal, moved along with its vertex. Of unit length; zero where it has
/// no direction.
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

/// One normal by the inverse transpose of the skin matrix of linear blending.
pub fn skin_normal(
    normal_in_bind: DVec3,
    influences: &Influences,
    world_from_bind: &[DMat4],
) -> DVec3 {
    let matrix = skin_matrix(Blend::Linear, influences, world_from_bind);
    moved_normal(NormalRule::InverseTranspose, normal_in_bind, matrix)
}
