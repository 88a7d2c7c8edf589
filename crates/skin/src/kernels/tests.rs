//! The kernels beside the formulas for one vertex.

use std::collections::BTreeMap;

use fearless_simd::Level;
use glam::{DMat3, Mat3, Mat4, Quat, Vec3, Vec4};
use proptest::prelude::*;

use super::{BLOCK, BindVertices, Skinner, VertexGroups, WorldVertices};
use crate::{
    Influences, JointIndex, JointMotion, dual_quaternion_matrix, dual_quaternion_matrix_of,
    moved_normal, moved_position, moved_tangent, skin_matrix, skin_matrix_of,
};

type Many = BTreeMap<u32, Vec<(JointIndex, f32)>>;

/// A mesh and a palette.
#[derive(Clone, Debug, Default)]
struct Case {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    influences: Vec<Influences>,
    many: Many,
    palette: Vec<Mat4>,
}

/// What has become of a case; 77 where nothing was written.
#[derive(Debug, PartialEq)]
struct Moved {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
}

impl Case {
    /// By the formulas for one vertex: the matrix of each.
    fn linear_matrices(&self) -> Vec<Mat4> {
        self.matrices(
            |influences| skin_matrix(influences, &self.palette),
            |many| skin_matrix_of(many.iter().copied(), &self.palette),
        )
    }

    fn dual_matrices(&self, motions: &[JointMotion]) -> Vec<Mat4> {
        let used = |many: &[(JointIndex, f32)]| {
            let used = many.iter().copied().filter(|(_, weight)| *weight != 0.0);
            dual_quaternion_matrix_of(used, motions)
        };
        self.matrices(|influences| dual_quaternion_matrix(influences, motions), used)
    }

    fn matrices(
        &self,
        of: impl Fn(&Influences) -> Mat4,
        of_many: impl Fn(&[(JointIndex, f32)]) -> Mat4,
    ) -> Vec<Mat4> {
        let vertices = (0..).zip(&self.influences);
        vertices
            .map(|(vertex, influences)| {
                self.many.get(&vertex).map_or_else(|| of(influences), |many| of_many(many))
            })
            .collect()
    }

    fn motions(&self) -> Vec<JointMotion> {
        let matrices = self.palette.iter();
        matrices.map(|&matrix| JointMotion::from_matrix(matrix)).collect()
    }

    /// How far a sum of so many products can be off, relative to what is added: a
    /// product that is not rounded before it is added (FMA), and another order, each
    /// change the result by at most one unit in the last place of the largest number
    /// that takes part, at every step.
    fn tolerance(&self, vertex: usize) -> f32 {
        let largest =
            |matrix: &Mat4| matrix.to_cols_array().into_iter().fold(0.0f32, |a, b| a.max(b.abs()));
        let of = |joint: JointIndex, weight: f32| {
            let matrix = self.palette.get(joint.index()).unwrap_or(&Mat4::IDENTITY);
            largest(matrix) * weight.abs()
        };
        let all = match self.many.get(&(vertex as u32)) {
            Some(many) => many.iter().map(|&(joint, weight)| of(joint, weight)).sum::<f32>(),
            None => {
                self.influences[vertex].used().map(|(_, joint, weight)| of(joint, weight)).sum()
            }
        };
        let reach = 1.0 + self.positions[vertex].abs().max_element();
        16.0 * f32::EPSILON * all * reach + 1e-30
    }

    fn check_linear(&self, skinner: &mut Skinner) -> Result<(), TestCaseError> {
        let groups = VertexGroups::new(&self.influences, &self.many);
        let moved =
            self.moved(|stored, moved| skinner.linear(&groups, &self.palette, stored, moved));
        self.check(&moved, &self.linear_matrices(), |vertex| self.tolerance(vertex))
    }

    fn check_dual(&self, skinner: &mut Skinner) -> Result<(), TestCaseError> {
        let groups = VertexGroups::new(&self.influences, &self.many);
        let motions = self.motions();
        let moved =
            self.moved(|stored, moved| skinner.dual_quaternion(&groups, &motions, stored, moved));
        let matrices = self.dual_matrices(&motions);
        self.check(&moved, &matrices, |vertex| self.dual_tolerance(vertex, &motions))
    }

    /// Where opposite rotations almost cancel, little is left to make unit, and what
    /// rounding leaves is made larger with it.
    fn dual_tolerance(&self, vertex: usize, motions: &[JointMotion]) -> f32 {
        let mut real = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let (mut pivot, mut all, mut sum) = (None, 0.0, 0.0);
        let influences = &self.influences[vertex];
        let many = self.many.get(&(vertex as u32)).cloned();
        let used = many.unwrap_or_else(|| influences.used().map(|(_, j, w)| (j, w)).collect());
        for (joint, weight) in used.into_iter().filter(|(_, weight)| *weight != 0.0) {
            let motion = motions.get(joint.index());
            let own = motion.map_or(Quat::IDENTITY, |motion| motion.real);
            let pivot = *pivot.get_or_insert(own);
            // On neither side of the first: rounding chooses.
            if own.dot(pivot).abs() < 1e-5 {
                return f32::INFINITY;
            }
            real += own * (weight * own.dot(pivot).signum());
            all += weight.abs();
            sum += weight;
        }
        let left = (real.length() / all).min(sum.abs() / all);
        // Σw drops out: small weights make nothing small.
        self.tolerance(vertex) / all * 16.0 / (left * left) + 1e-6
    }

    fn moved(&self, run: impl FnOnce(BindVertices<'_>, WorldVertices<'_>)) -> Moved {
        let unmoved = Vec3::splat(77.0);
        let mut to = Moved {
            positions: vec![unmoved; self.positions.len()],
            normals: vec![unmoved; self.normals.len()],
            tangents: vec![unmoved.extend(77.0); self.tangents.len()],
        };
        let stored = BindVertices {
            positions: &self.positions,
            normals: &self.normals,
            tangents: &self.tangents,
        };
        let moved = WorldVertices {
            positions: &mut to.positions,
            normals: &mut to.normals,
            tangents: &mut to.tangents,
        };
        run(stored, moved);
        to
    }

    fn check(
        &self,
        moved: &Moved,
        matrices: &[Mat4],
        tolerance: impl Fn(usize) -> f32,
    ) -> Result<(), TestCaseError> {
        for (vertex, matrix) in matrices.iter().enumerate() {
            let expected = moved_position(matrix, self.positions[vertex]);
            let found = moved.positions[vertex];
            let both = found.is_finite() == expected.is_finite();
            prop_assert!(both, "{vertex}: {found} {expected}");
            let tolerance = tolerance(vertex);
            if expected.is_finite() && tolerance.is_finite() {
                let off = (found - expected).abs().max_element();
                prop_assert!(
                    off <= tolerance,
                    "{vertex}: {found} is not {expected} by {tolerance}: {matrix:?}"
                );
            }
            if let Some(&stored) = self.normals.get(vertex) {
                check_normal(matrix, stored, moved.normals[vertex], tolerance)?;
            }
            if let Some(&stored) = self.tangents.get(vertex) {
                check_tangent(matrix, stored, moved.tangents[vertex], tolerance)?;
            }
        }
        Ok(())
    }
}

/// The direction of a normal is as exact as the cofactors are, relative to the
/// largest numbers they are made of; the sign, as the determinant.
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
    let left = (cofactors * stored.as_dvec3()).length() / stored.as_dvec3().length().max(1e-30);
    let rounding = 1e-6 + f64::from(tolerance) / largest;
    if left > 1e3 * rounding {
        let off = found.distance(expected).min(if scaled.determinant().abs() < 100.0 * rounding {
            found.distance(-expected)
        } else {
            f32::INFINITY
        });
        let allowed = 20.0 * rounding / left;
        prop_assert!(
            f64::from(off) <= allowed,
            "{found} is not {expected} by {allowed}: {matrix:?} of {stored}"
        );
    }
    Ok(())
}

/// The direction of a tangent is as exact as the matrix is, relative to how long it
/// leaves it; the handedness, as the sign of the determinant.
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
    let largest = linear.to_cols_array().map(f64::abs);
    let largest = largest.into_iter().fold(1e-30, f64::max);
    let left = (linear * stored.truncate().as_dvec3()).length() / largest;
    let rounding = 1e-6 + f64::from(tolerance) / largest;
    if left > 1e3 * rounding {
        let off = f64::from((found - expected).truncate().length());
        let allowed = 20.0 * rounding / left;
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

fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best];
    #[cfg(target_arch = "x86_64")]
    levels.extend(best.as_sse2().map(Level::Sse2));
    levels
}

fn a_vector(most: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-most..most).prop_map(Vec3::from_array)
}

/// Turned, moved, and one of: rigid, scaled, mirrored, flat, tiny, singular.
fn a_matrix() -> impl Strategy<Value = Mat4> {
    let scale = prop_oneof![
        4 => Just(Vec3::ONE),
        2 => prop::array::uniform3(0.2f32..3.0).prop_map(Vec3::from_array),
        1 => prop::array::uniform3(0.2f32..3.0).prop_map(|s| Vec3::new(-s[0], s[1], s[2])),
        1 => Just(Vec3::new(1.0, 0.0, 1.0)),
        1 => Just(Vec3::splat(1e-12)),
        1 => Just(Vec3::ZERO),
    ];
    (a_vector(1.0), -3.0f32..3.0, scale, a_vector(5.0)).prop_map(|(axis, angle, scale, by)| {
        let turn = Quat::from_axis_angle(axis.normalize_or(Vec3::X), angle);
        Mat4::from_scale_rotation_translation(scale, turn, by)
    })
}

fn a_weight() -> impl Strategy<Value = f32> {
    prop_oneof![3 => 0.01f32..1.0, 1 => Just(0.0), 1 => -0.5f32..1.5]
}

fn some_pairs(
    count: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Vec<(JointIndex, f32)>> {
    let pair = (0u16..12, a_weight()).prop_map(|(joint, weight)| (JointIndex(joint), weight));
    prop::collection::vec(pair, count)
}

/// Palettes of up to ten, indices up to eleven: some past the end.
fn a_case() -> impl Strategy<Value = Case> {
    let vertex = (a_vector(10.0), a_vector(1.0), a_vector(1.0), some_pairs(0..=8));
    let vertices = prop::collection::vec(vertex, 0..(2 * BLOCK + 20));
    let many = prop::collection::btree_map(0u32..150, some_pairs(9..12), 0..4);
    let palette = prop::collection::vec(a_matrix(), 0..10);
    let with = (any::<bool>(), any::<bool>());
    (vertices, many, palette, with).prop_map(|(vertices, many, palette, with)| {
        let (with_normals, with_tangents) = with;
        let mut case = Case { many, palette, ..Case::default() };
        for (position, normal, tangent, pairs) in vertices {
            let hand = if tangent.x < 0.0 { -1.0 } else { 1.0 };
            case.positions.push(position);
            case.normals.push(normal.normalize_or_zero());
            case.tangents.push(tangent.normalize_or_zero().extend(hand));
            case.influences.push(Influences::new(&pairs));
        }
        if !with_normals {
            case.normals.clear();
        }
        if !with_tangents {
            case.tangents.clear();
        }
        case
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whole_meshes_move_as_each_vertex_does(case in a_case()) {
        for level in levels() {
            let mut skinner = Skinner::at_level(level);
            case.check_linear(&mut skinner)?;
            case.check_dual(&mut skinner)?;
            // What another mesh has left behind does not matter.
            case.check_linear(&mut skinner)?;
        }
    }
}

/// A mesh of so many vertices on a palette of two, all with so many influences.
fn regular(vertices: usize, count: usize) -> Case {
    let at = |index: usize| Vec3::new(index as f32 * 0.1, 1.0, (index % 7) as f32);
    let pairs: Vec<_> =
        (0..count).map(|lane| (JointIndex(lane as u16 % 3), 1.0 / count as f32)).collect();
    Case {
        positions: (0..vertices).map(at).collect(),
        normals: (0..vertices).map(|index| at(index).normalize_or_zero()).collect(),
        tangents: (0..vertices)
            .map(|index| at(index).any_orthonormal_vector().extend(1.0))
            .collect(),
        influences: vec![Influences::new(&pairs); vertices],
        many: BTreeMap::new(),
        palette: vec![
            Mat4::from_rotation_x(0.4),
            Mat4::from_rotation_z(-1.2) * Mat4::from_translation(Vec3::X),
        ],
    }
}

#[test]
fn every_count_of_vertices_and_influences_is_moved_to_its_end() {
    for level in levels() {
        let mut skinner = Skinner::at_level(level);
        for vertices in [0, 1, 7, 8, 9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3] {
            for count in 0..=8 {
                let case = regular(vertices, count);
                case.check_linear(&mut skinner).expect("as each vertex");
                case.check_dual(&mut skinner).expect("as each vertex");
            }
        }
    }
}

#[test]
fn what_is_no_number_stays_with_its_vertex() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for level in levels() {
            let mut skinner = Skinner::at_level(level);
            let mut case = regular(40, 2);
            case.influences[11].weights[1] = bad;
            case.positions[20].y = bad;
            case.palette.push(Mat4::from_cols_array(&[bad; 16]));
            case.influences[30].joints[1] = JointIndex(2);
            case.influences[31].joints[1] = JointIndex(2);
            case.influences[31].weights[1] = 0.0;
            case.check_linear(&mut skinner).expect("as each vertex");
            let groups = VertexGroups::new(&case.influences, &case.many);
            let linear = |stored: BindVertices<'_>, moved: WorldVertices<'_>| {
                skinner.linear(&groups, &case.palette, stored, moved);
            };
            let moved = case.moved(linear);
            let wrong = |moved: &Moved| -> Vec<usize> {
                let positions = moved.positions.iter().enumerate();
                let wrong = positions.filter(|(_, position)| !position.is_finite());
                wrong.map(|(vertex, _)| vertex).collect()
            };
            assert_eq!(wrong(&moved), [11, 20, 30]);
            assert_eq!([11, 30].map(|v| moved.normals[v]), [Vec3::ZERO; 2]);
            let tangents = [11, 30].map(|v| moved.tangents[v].truncate());
            assert_eq!(tangents, [Vec3::ZERO; 2]);
            let motions = case.motions();
            let dual = |stored: BindVertices<'_>, moved: WorldVertices<'_>| {
                skinner.dual_quaternion(&groups, &motions, stored, moved);
            };
            assert_eq!(wrong(&case.moved(dual)), [11, 20, 30]);
        }
    }
}

#[test]
fn the_strongest_alone_moves_rigidly_and_large_indices_stay_put() {
    let mut case = regular(10, 2);
    case.influences[3].weights = [0.2, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    case.influences[4].joints[0] = JointIndex(u16::MAX);
    let groups = VertexGroups::strongest(&case.influences);
    assert_eq!(groups.vertices(), 10);
    let mut skinner = Skinner::on_one_core();
    let moved = case.moved(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved));
    for (vertex, found) in moved.positions.iter().enumerate() {
        let matrix = match vertex {
            3 => case.palette[1],
            4 => Mat4::IDENTITY,
            _ => case.palette[0],
        };
        let expected = matrix.transform_point3(case.positions[vertex]);
        assert!(found.abs_diff_eq(expected, 1e-5), "{vertex}: {found}");
    }
    case.check_linear(&mut skinner).expect("as each vertex");
}

#[test]
fn cores_share_a_large_mesh_and_nothing_is_lost_between_them() {
    let mut case = regular(140_001, 3);
    for (index, influences) in case.influences.iter_mut().enumerate() {
        influences.weights[index % 4] = 0.0;
    }
    let groups = VertexGroups::new(&case.influences, &case.many);
    let [alone, shared] = [Skinner::on_one_core(), Skinner::default()].map(|mut skinner| {
        case.moved(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved))
    });
    assert_eq!(alone, shared);
}

#[test]
fn as_many_are_moved_as_all_have() {
    let case = regular(20, 2);
    let groups = VertexGroups::new(&case.influences[..15], &case.many);
    let mut skinner = Skinner::default();
    let moved = case.moved(|stored, moved| skinner.linear(&groups, &case.palette, stored, moved));
    assert_ne!(moved.positions[14], Vec3::splat(77.0));
    assert_ne!(moved.tangents[14], Vec4::splat(77.0));
    assert_eq!(moved.positions[15..], [Vec3::splat(77.0); 5]);
    assert_eq!(moved.normals[15..], [Vec3::splat(77.0); 5]);
    assert_eq!(moved.tangents[15..], [Vec4::splat(77.0); 5]);
}
