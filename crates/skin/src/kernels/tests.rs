//! Comparison of the kernels with the formulas for one vertex.

use std::collections::BTreeMap;

use fearless_simd::Level;
use glam::{DMat3, Mat3, Mat4, Quat, Vec3, Vec4};
use proptest::prelude::*;

use super::{BLOCK_SIZE, BindVertices, Skinner, VertexGroups, WorldVertices};
use crate::{
    Influences, JointIndex, JointMotion, dual_quaternion_matrix, dual_quaternion_matrix_of,
    moved_normal, moved_position, moved_tangent, skin_matrix, skin_matrix_of,
};

type Many = BTreeMap<u32, Vec<(JointIndex, f32)>>;

/// A mesh with its influences, and a palette.
#[derive(Clone, Debug, Default)]
struct Case {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    influences: Vec<Influences>,
    many: Many,
    palette: Vec<Mat4>,
}

/// The skinned vertices of a case, initialized to 77.
#[derive(Debug, PartialEq)]
struct SkinnedMesh {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
}

impl Case {
    fn linear_matrices(&self) -> Vec<Mat4> {
        self.matrices(
            |influences| skin_matrix(influences, &self.palette),
            |many| skin_matrix_of(many.iter().copied(), &self.palette),
        )
    }

    fn dual_matrices(&self, motions: &[JointMotion]) -> Vec<Mat4> {
        self.matrices(
            |influences| dual_quaternion_matrix(influences, motions),
            |many| {
                let used = many.iter().copied().filter(|(_, weight)| *weight != 0.0);
                dual_quaternion_matrix_of(used, motions)
            },
        )
    }

    /// Computes the skin matrix of each vertex.
    fn matrices(
        &self,
        compute: impl Fn(&Influences) -> Mat4,
        compute_many: impl Fn(&[(JointIndex, f32)]) -> Mat4,
    ) -> Vec<Mat4> {
        let mut matrices = Vec::new();
        for (vertex, influences) in (0..).zip(&self.influences) {
            matrices.push(match self.many.get(&vertex) {
                Some(many) => compute_many(many),
                None => compute(influences),
            });
        }
        matrices
    }

    fn motions(&self) -> Vec<JointMotion> {
        self.palette.iter().map(|&matrix| JointMotion::from_matrix(matrix)).collect()
    }

    /// Returns all influences of a vertex.
    fn pairs(&self, vertex: usize) -> Vec<(JointIndex, f32)> {
        match self.many.get(&(vertex as u32)) {
            Some(many) => many.clone(),
            None => {
                self.influences[vertex].used().map(|(_, joint, weight)| (joint, weight)).collect()
            }
        }
    }

    /// Computes the maximum rounding error of a position.
    ///
    /// FMA and another order of the sum each change the result at every step by at most one
    /// unit in the last place of the largest operand.
    fn tolerance(&self, vertex: usize) -> f32 {
        let mut sum = 0.0;
        for (joint, weight) in self.pairs(vertex) {
            let matrix = self.palette.get(joint.index()).unwrap_or(&Mat4::IDENTITY);
            let largest =
                matrix.to_cols_array().into_iter().fold(0.0f32, |max, x| max.max(x.abs()));
            sum += largest * weight.abs();
        }
        let reach = 1.0 + self.positions[vertex].abs().max_element();
        16.0 * f32::EPSILON * sum * reach + 1e-30
    }

    fn check_linear(&self, skinner: &mut Skinner) -> Result<(), TestCaseError> {
        let groups = VertexGroups::new(&self.influences, &self.many);
        let skinned =
            self.skin(|stored, moved| skinner.linear(&groups, &self.palette, stored, moved));
        self.check(&skinned, &self.linear_matrices(), |vertex| self.tolerance(vertex))
    }

    fn check_dual(&self, skinner: &mut Skinner) -> Result<(), TestCaseError> {
        let groups = VertexGroups::new(&self.influences, &self.many);
        let motions = self.motions();
        let skinned =
            self.skin(|stored, moved| skinner.dual_quaternion(&groups, &motions, stored, moved));
        let matrices = self.dual_matrices(&motions);
        self.check(&skinned, &matrices, |vertex| self.dual_tolerance(vertex, &motions))
    }

    /// Computes the maximum rounding error of a position by dual quaternions.
    ///
    /// Where opposite rotations almost cancel, normalizing their small sum amplifies its
    /// rounding error.
    fn dual_tolerance(&self, vertex: usize, motions: &[JointMotion]) -> f32 {
        let mut real_sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let mut absolute_sum = 0.0;
        let mut weight_sum = 0.0;
        let mut pivot = None;
        for (joint, weight) in self.pairs(vertex) {
            if weight == 0.0 {
                continue;
            }
            let real = motions.get(joint.index()).map_or(Quat::IDENTITY, |motion| motion.real);
            let pivot = *pivot.get_or_insert(real);
            // At right angles to the first, rounding decides on the hemisphere.
            if real.dot(pivot).abs() < 1e-5 {
                return f32::INFINITY;
            }
            real_sum += real * (weight * real.dot(pivot).signum());
            absolute_sum += weight.abs();
            weight_sum += weight;
        }
        let remainder = (real_sum.length() / absolute_sum).min(weight_sum.abs() / absolute_sum);
        // Divided by the weights, because Σw cancels.
        self.tolerance(vertex) / absolute_sum * 16.0 / (remainder * remainder) + 1e-6
    }

    fn skin(&self, run: impl FnOnce(BindVertices<'_>, WorldVertices<'_>)) -> SkinnedMesh {
        let initial = Vec3::splat(77.0);
        let mut skinned = SkinnedMesh {
            positions: vec![initial; self.positions.len()],
            normals: vec![initial; self.normals.len()],
            tangents: vec![initial.extend(77.0); self.tangents.len()],
        };
        let stored = BindVertices {
            positions: &self.positions,
            normals: &self.normals,
            tangents: &self.tangents,
        };
        let moved = WorldVertices {
            positions: &mut skinned.positions,
            normals: &mut skinned.normals,
            tangents: &mut skinned.tangents,
        };
        run(stored, moved);
        skinned
    }

    fn check(
        &self,
        skinned: &SkinnedMesh,
        matrices: &[Mat4],
        tolerance: impl Fn(usize) -> f32,
    ) -> Result<(), TestCaseError> {
        for (vertex, matrix) in matrices.iter().enumerate() {
            let expected = moved_position(matrix, self.positions[vertex]);
            let found = skinned.positions[vertex];
            let are_alike = found.is_finite() == expected.is_finite();
            prop_assert!(are_alike, "{vertex}: {found} {expected}");
            let tolerance = tolerance(vertex);
            if expected.is_finite() && tolerance.is_finite() {
                let off = (found - expected).abs().max_element();
                prop_assert!(
                    off <= tolerance,
                    "{vertex}: {found} is not {expected} by {tolerance}: {matrix:?}"
                );
            }
            if let Some(&stored) = self.normals.get(vertex) {
                check_normal(matrix, stored, skinned.normals[vertex], tolerance)?;
            }
            if let Some(&stored) = self.tangents.get(vertex) {
                check_tangent(matrix, stored, skinned.tangents[vertex], tolerance)?;
            }
        }
        Ok(())
    }
}

/// Checks a normal. Its direction is as exact as the cofactors, relative to their largest
/// operand, and its sign is as exact as the determinant.
fn check_normal(
    matrix: &Mat4,
    stored: Vec3,
    found: Vec3,
    tolerance: f32,
) -> Result<(), TestCaseError> {
    let expected = moved_normal(matrix, stored);
    let length = found.length();
    prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-6, "{found}");
    if !matrix.is_finite() || !tolerance.is_finite() {
        return Ok(());
    }
    let linear = Mat3::from_mat4(*matrix).as_dmat3();
    let largest = linear.to_cols_array().into_iter().fold(0.0f64, |a, b| a.max(b.abs()));
    if largest == 0.0 {
        prop_assert_eq!(found, Vec3::ZERO);
        return Ok(());
    }
    let scaled = linear * largest.recip();
    let cofactors = DMat3::from_cols(
        scaled.y_axis.cross(scaled.z_axis),
        scaled.z_axis.cross(scaled.x_axis),
        scaled.x_axis.cross(scaled.y_axis),
    );
    let remainder =
        (cofactors * stored.as_dvec3()).length() / stored.as_dvec3().length().max(1e-30);
    let rounding = 1e-6 + f64::from(tolerance) / largest;
    if remainder > 1e3 * rounding {
        let off = found.distance(expected).min(if scaled.determinant().abs() < 100.0 * rounding {
            found.distance(-expected)
        } else {
            f32::INFINITY
        });
        let allowed = 20.0 * rounding / remainder;
        prop_assert!(
            f64::from(off) <= allowed,
            "{found} is not {expected} by {allowed}: {matrix:?} of {stored}"
        );
    }
    Ok(())
}

/// Checks a tangent. Its direction is as exact as the matrix, relative to the transformed
/// length, and its handedness is as exact as the sign of the determinant.
fn check_tangent(
    matrix: &Mat4,
    stored: Vec4,
    found: Vec4,
    tolerance: f32,
) -> Result<(), TestCaseError> {
    let expected = moved_tangent(matrix, stored);
    let length = found.truncate().length();
    prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-6, "{found}");
    prop_assert_eq!(found.w.abs(), stored.w.abs());
    if !matrix.is_finite() || !tolerance.is_finite() {
        return Ok(());
    }
    let linear = Mat3::from_mat4(*matrix).as_dmat3();
    let largest = linear.to_cols_array().map(f64::abs).into_iter().fold(1e-30, f64::max);
    let remainder = (linear * stored.truncate().as_dvec3()).length() / largest;
    let rounding = 1e-6 + f64::from(tolerance) / largest;
    if remainder > 1e3 * rounding {
        let off = f64::from((found - expected).truncate().length());
        let allowed = 20.0 * rounding / remainder;
        prop_assert!(
            off <= allowed,
            "{found} is not {expected} by {allowed}: {matrix:?} of {stored}"
        );
    }
    if (linear * largest.recip()).determinant().abs() > 100.0 * rounding {
        prop_assert_eq!(found.w, expected.w, "{:?}", matrix);
    }
    Ok(())
}

/// Returns the instruction sets to test: the best one, and SSE2.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best];
    #[cfg(target_arch = "x86_64")]
    levels.extend(best.as_sse2().map(Level::Sse2));
    levels
}

fn any_vector(max: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-max..max).prop_map(Vec3::from_array)
}

/// An affine matrix that is rigid, scaled, mirrored, flat, tiny or zero in its linear part.
fn any_matrix() -> impl Strategy<Value = Mat4> {
    let scale = prop_oneof![
        4 => Just(Vec3::ONE),
        2 => prop::array::uniform3(0.2f32..3.0).prop_map(Vec3::from_array),
        1 => prop::array::uniform3(0.2f32..3.0).prop_map(|s| Vec3::new(-s[0], s[1], s[2])),
        1 => Just(Vec3::new(1.0, 0.0, 1.0)),
        1 => Just(Vec3::splat(1e-12)),
        1 => Just(Vec3::ZERO),
    ];
    (any_vector(1.0), -3.0f32..3.0, scale, any_vector(5.0)).prop_map(
        |(axis, angle, scale, translation)| {
            let rotation = Quat::from_axis_angle(axis.normalize_or(Vec3::X), angle);
            Mat4::from_scale_rotation_translation(scale, rotation, translation)
        },
    )
}

fn any_weight() -> impl Strategy<Value = f32> {
    prop_oneof![3 => 0.01f32..1.0, 1 => Just(0.0), 1 => -0.5f32..1.5]
}

fn any_pairs(
    count: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Vec<(JointIndex, f32)>> {
    let pair = (0u16..12, any_weight()).prop_map(|(joint, weight)| (JointIndex(joint), weight));
    prop::collection::vec(pair, count)
}

/// A mesh whose joint indices lie in part past the end of the palette.
fn any_case() -> impl Strategy<Value = Case> {
    let vertex = (any_vector(10.0), any_vector(1.0), any_vector(1.0), any_pairs(0..=8));
    let vertices = prop::collection::vec(vertex, 0..(2 * BLOCK_SIZE + 20));
    let many = prop::collection::btree_map(0u32..150, any_pairs(9..12), 0..4);
    let palette = prop::collection::vec(any_matrix(), 0..10);
    let attributes = (any::<bool>(), any::<bool>());
    (vertices, many, palette, attributes).prop_map(|(vertices, many, palette, attributes)| {
        let (has_normals, has_tangents) = attributes;
        let mut case = Case { many, palette, ..Case::default() };
        for (position, normal, tangent, pairs) in vertices {
            let hand = if tangent.x < 0.0 { -1.0 } else { 1.0 };
            case.positions.push(position);
            case.normals.push(normal.normalize_or_zero());
            case.tangents.push(tangent.normalize_or_zero().extend(hand));
            case.influences.push(Influences::new(&pairs));
        }
        if !has_normals {
            case.normals.clear();
        }
        if !has_tangents {
            case.tangents.clear();
        }
        case
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn kernels_equal_the_formulas_for_one_vertex(case in any_case()) {
        for level in levels() {
            let mut skinner = Skinner::at_level(level);
            case.check_linear(&mut skinner)?;
            case.check_dual(&mut skinner)?;
            // Again, with the buffers of another mesh.
            case.check_linear(&mut skinner)?;
        }
    }
}

/// A mesh on a palette of two, whose vertices all have the same number of influences.
fn regular_case(vertex_count: usize, influence_count: usize) -> Case {
    let weight = 1.0 / influence_count as f32;
    let pairs: Vec<_> =
        (0..influence_count).map(|lane| (JointIndex(lane as u16 % 3), weight)).collect();
    let positions: Vec<Vec3> = (0..vertex_count)
        .map(|index| Vec3::new(index as f32 * 0.1, 1.0, (index % 7) as f32))
        .collect();
    Case {
        normals: positions.iter().map(|position| position.normalize_or_zero()).collect(),
        tangents: positions
            .iter()
            .map(|position| position.any_orthonormal_vector().extend(1.0))
            .collect(),
        positions,
        influences: vec![Influences::new(&pairs); vertex_count],
        many: BTreeMap::new(),
        palette: vec![
            Mat4::from_rotation_x(0.4),
            Mat4::from_rotation_z(-1.2) * Mat4::from_translation(Vec3::X),
        ],
    }
}

#[test]
fn all_counts_of_vertices_and_influences_are_skinned_completely() {
    for level in levels() {
        let mut skinner = Skinner::at_level(level);
        for vertices in
            [0, 1, 7, 8, 9, BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 2 * BLOCK_SIZE + 3]
        {
            for count in 0..=8 {
                let case = regular_case(vertices, count);
                case.check_linear(&mut skinner).expect("equals the formulas");
                case.check_dual(&mut skinner).expect("equals the formulas");
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite_affect_only_their_own_vertex() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for level in levels() {
            let mut skinner = Skinner::at_level(level);
            let mut case = regular_case(40, 2);
            case.influences[11].weights[1] = bad;
            case.positions[20].y = bad;
            case.palette.push(Mat4::from_cols_array(&[bad; 16]));
            case.influences[30].joints[1] = JointIndex(2);
            case.influences[31].joints[1] = JointIndex(2);
            case.influences[31].weights[1] = 0.0;
            case.check_linear(&mut skinner).expect("equals the formulas");
            let groups = VertexGroups::new(&case.influences, &case.many);
            let skinned =
                case.skin(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved));
            assert_eq!(vertices_not_finite(&skinned), [11, 20, 30]);
            assert_eq!([11, 30].map(|v| skinned.normals[v]), [Vec3::ZERO; 2]);
            let tangents = [11, 30].map(|v| skinned.tangents[v].truncate());
            assert_eq!(tangents, [Vec3::ZERO; 2]);
            let motions = case.motions();
            let skinned = case
                .skin(|stored, moved| skinner.dual_quaternion(&groups, &motions, stored, moved));
            assert_eq!(vertices_not_finite(&skinned), [11, 20, 30]);
        }
    }
}

fn vertices_not_finite(skinned: &SkinnedMesh) -> Vec<usize> {
    let positions = skinned.positions.iter().enumerate();
    positions.filter(|(_, position)| !position.is_finite()).map(|(vertex, _)| vertex).collect()
}

#[test]
fn the_strongest_influence_moves_rigidly_and_indices_past_the_palette_are_the_identity() {
    let mut case = regular_case(10, 2);
    case.influences[3].weights = [0.2, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    case.influences[4].joints[0] = JointIndex(u16::MAX);
    let groups = VertexGroups::strongest(&case.influences);
    assert_eq!(groups.vertices(), 10);
    let mut skinner = Skinner::on_one_core();
    let skinned = case.skin(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved));
    for (vertex, found) in skinned.positions.iter().enumerate() {
        let matrix = match vertex {
            3 => case.palette[1],
            4 => Mat4::IDENTITY,
            _ => case.palette[0],
        };
        let expected = matrix.transform_point3(case.positions[vertex]);
        assert!(found.abs_diff_eq(expected, 1e-5), "{vertex}: {found}");
    }
    case.check_linear(&mut skinner).expect("equals the formulas");
}

#[test]
fn several_cores_compute_the_same_as_one() {
    let mut case = regular_case(140_001, 3);
    for (index, influences) in case.influences.iter_mut().enumerate() {
        influences.weights[index % 4] = 0.0;
    }
    let groups = VertexGroups::new(&case.influences, &case.many);
    let [single, parallel] = [Skinner::on_one_core(), Skinner::default()].map(|mut skinner| {
        case.skin(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved))
    });
    assert_eq!(single, parallel);
}

#[test]
fn the_shortest_input_limits_the_number_of_skinned_vertices() {
    let case = regular_case(20, 2);
    let groups = VertexGroups::new(&case.influences[..15], &case.many);
    let mut skinner = Skinner::default();
    let skinned = case.skin(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved));
    assert_ne!(skinned.positions[14], Vec3::splat(77.0));
    assert_ne!(skinned.tangents[14], Vec4::splat(77.0));
    assert_eq!(skinned.positions[15..], [Vec3::splat(77.0); 5]);
    assert_eq!(skinned.normals[15..], [Vec3::splat(77.0); 5]);
    assert_eq!(skinned.tangents[15..], [Vec4::splat(77.0); 5]);
}
