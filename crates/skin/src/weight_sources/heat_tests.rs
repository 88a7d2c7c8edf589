//! Comparison of computed weights with known solutions.

use glam::{DVec3, Vec3};

use super::test_meshes::{TestMesh, skeleton, weight};
use super::{WeightSource, WeightsBy, WeightsError};
use crate::{Influences, JointIndex, Skeleton};

const COMPUTED: [WeightSource; 3] =
    [WeightSource::NearestJoint, WeightSource::InverseDistance, WeightSource::BoneHeat];

/// Two legs side by side, each with a thigh and a shin.
fn legs() -> (TestMesh, Skeleton) {
    let mesh = TestMesh::tube(-0.5, 0.4, 4.0, 16).and(TestMesh::tube(0.5, 0.4, 4.0, 16));
    let skeleton = skeleton(&[
        (None, Vec3::new(0.0, 5.0, 0.0)),
        (Some(0), Vec3::new(-0.5, 4.0, 0.0)),
        (Some(1), Vec3::new(-0.5, 2.0, 0.0)),
        (Some(0), Vec3::new(0.5, 4.0, 0.0)),
        (Some(3), Vec3::new(0.5, 2.0, 0.0)),
    ]);
    (mesh, skeleton)
}

#[test]
fn weights_of_every_source_sum_to_one_and_respect_the_limit_of_influences() {
    let (mesh, skeleton) = legs();
    for source in COMPUTED {
        for most in [1, 2, 4, 8] {
            let by = WeightsBy { source, power: 2, most };
            let all = mesh.weights_by(&skeleton, &by).unwrap();
            assert_eq!(all.len(), mesh.positions.len());
            for influences in &all {
                assert!((influences.sum() - 1.0).abs() < 1e-6, "{influences:?}");
                assert!(influences.lanes() <= most as usize, "{source:?}: {influences:?}");
                assert!(influences.weights.iter().all(|&weight| weight >= 0.0));
            }
        }
    }
}

#[test]
fn bone_heat_along_a_rod_equals_the_analytic_solution() {
    // A strip at height d over bones along x, which meet at 0: w″ = (w − p)/d² has the
    // solution w = 1 − ½ e^(−x/d) for the bone beyond 0, and ½ e^(x/d) before.
    let height = 0.5;
    let mesh = TestMesh::strip(5.0, 400, 0.1, height);
    let skeleton = skeleton(&[(None, Vec3::new(-10.0, 0.0, 0.0)), (Some(0), Vec3::ZERO)]);
    let all = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    for (position, influences) in mesh.positions.iter().zip(&all) {
        // The distance of the strip's edges to the bone.
        let d = height.hypot(0.05);
        let half = 0.5 * (-position.x.abs() / d).exp();
        let expected = if position.x > 0.0 { 1.0 - half } else { half };
        let found = weight(influences, 1);
        assert!((found - expected).abs() < 3e-3, "at {}: {found}, not {expected}", position.x);
    }
}

/// Computes bone heat naively: angles by their cosines, all bones visible, and Gaussian
/// elimination of a dense matrix. A bone is given by its two ends.
fn heat_by_elimination(mesh: &TestMesh, bones: &[(DVec3, DVec3)]) -> Vec<Vec<f64>> {
    let count = mesh.positions.len();
    let at = |vertex: u32| mesh.positions[vertex as usize].as_dvec3();
    let mut matrix = vec![vec![0.0; count]; count];
    let mut areas = vec![0.0; count];
    for &[a, b, c] in &mesh.triangles {
        for [i, j, k] in [[a, b, c], [b, c, a], [c, a, b]] {
            let cosine = (at(j) - at(i)).normalize().dot((at(k) - at(i)).normalize());
            let half = 0.5 / cosine.acos().tan();
            for [row, column] in [[j, k], [k, j]] {
                matrix[row as usize][column as usize] -= half;
                matrix[row as usize][row as usize] += half;
            }
            areas[i as usize] += (at(j) - at(i)).cross(at(k) - at(i)).length() / 6.0;
        }
    }
    let mut right = vec![vec![0.0; bones.len()]; count];
    for vertex in 0..count {
        let p = at(vertex as u32);
        let mut distances = Vec::new();
        for &(from, to) in bones {
            let t = (p - from).dot(to - from) / (to - from).length_squared();
            distances.push(p.distance(from + (to - from) * t.clamp(0.0, 1.0)));
        }
        let min_distance = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let max_distance = min_distance * 1.000_01;
        let nearest_count = distances.iter().filter(|&&distance| distance < max_distance).count();
        let heat = areas[vertex] / (min_distance * min_distance);
        matrix[vertex][vertex] += heat;
        for (bone, &distance) in distances.iter().enumerate() {
            if distance < max_distance {
                right[vertex][bone] = heat / nearest_count as f64;
            }
        }
    }
    for pivot in 0..count {
        let pivot_row = matrix[pivot].clone();
        let pivot_right = right[pivot].clone();
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] / pivot_row[pivot];
            for (cell, pivot_cell) in matrix[row].iter_mut().zip(&pivot_row) {
                *cell -= factor * pivot_cell;
            }
            for (cell, pivot_cell) in right[row].iter_mut().zip(&pivot_right) {
                *cell -= factor * pivot_cell;
            }
        }
    }
    for row in 0..count {
        for temperature in &mut right[row] {
            *temperature /= matrix[row][row];
        }
    }
    right
}

#[test]
fn bone_heat_equals_a_dense_solution_of_its_equations() {
    let mesh = TestMesh::tube(0.0, 0.4, 4.0, 14);
    let joints = [0.0, 1.3, 2.6].map(|y| Vec3::new(0.0, y, 0.0));
    let skeleton = skeleton(&[(None, joints[0]), (Some(0), joints[1]), (Some(1), joints[2])]);
    let ends = [0.0, 1.3, 2.6, 3.9].map(|y| DVec3::Y * f64::from(y as f32));
    let bones = [0, 1, 2].map(|bone| (ends[bone], ends[bone + 1]));
    let expected = heat_by_elimination(&mesh, &bones);
    let found = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    for (vertex, (found, expected)) in found.iter().zip(&expected).enumerate() {
        for (bone, &expected) in expected.iter().enumerate() {
            let found = f64::from(weight(found, bone as u16));
            // Weights below a thousandth are dropped, and the others divided by their sum.
            assert!((found - expected).abs() < 2.5e-3, "v{vertex}: {found} {expected}");
        }
    }
}

#[test]
fn a_mirrored_model_has_mirrored_weights() {
    let (mesh, skeleton) = legs();
    let mirrored = TestMesh {
        positions: mesh.positions.iter().map(|p| Vec3::new(-p.x, p.y, p.z)).collect(),
        triangles: mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
    };
    // Joints 1 and 2 change sides with 3 and 4.
    let other = |joint: JointIndex| [0, 3, 4, 1, 2][joint.index()];
    for source in COMPUTED {
        let all = mesh.weights(&skeleton, source).unwrap();
        let all_mirrored = mirrored.weights(&skeleton, source).unwrap();
        for (influences, mirrored) in all.iter().zip(&all_mirrored) {
            for (_, joint, expected) in influences.used() {
                let found = weight(mirrored, other(joint));
                // At equal distances the first joint counts as the nearest.
                let may_tie = source == WeightSource::NearestJoint;
                assert!(
                    may_tie || (found - expected).abs() < 1e-4,
                    "{source:?} {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn inverse_distances_bleed_from_leg_to_leg_but_bone_heat_does_not() {
    let (mesh, skeleton) = legs();
    let weight_of_other_leg = |source: WeightSource| {
        let all = mesh.weights(&skeleton, source).unwrap();
        let mut max_weight = 0.0_f32;
        for (position, influences) in mesh.positions.iter().zip(all) {
            if position.y < 1.5 {
                let others = if position.x < 0.0 { [3, 4] } else { [1, 2] };
                let bled: f32 = others.iter().map(|&joint| weight(&influences, joint)).sum();
                max_weight = max_weight.max(bled);
            }
        }
        max_weight
    };
    assert!(weight_of_other_leg(WeightSource::InverseDistance) > 0.2);
    assert!(weight_of_other_leg(WeightSource::NearestJoint) == 0.0);
    assert!(weight_of_other_leg(WeightSource::BoneHeat) < 1e-3);
}

#[test]
fn a_higher_power_approaches_the_weights_of_the_nearest_joint() {
    let (mesh, skeleton) = legs();
    let mean_of_strongest = |power| {
        let by = WeightsBy { source: WeightSource::InverseDistance, power, ..WeightsBy::default() };
        let all = mesh.weights_by(&skeleton, &by).unwrap();
        all.iter().map(|influences| influences.weights[0]).sum::<f32>() / all.len() as f32
    };
    let [two, four, sixteen] = [2, 4, 16].map(mean_of_strongest);
    assert!(two < four && four < sixteen && sixteen > 0.9, "{two} {four} {sixteen}");
}

#[test]
fn copies_of_a_vertex_have_the_same_weights_as_a_single_vertex() {
    let (mesh, skeleton) = legs();
    let expected = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    let found = mesh.unwelded().weights(&skeleton, WeightSource::BoneHeat).unwrap();
    let corners = mesh.triangles.iter().flatten();
    for (&corner, found) in corners.zip(&found) {
        for (_, joint, expected) in expected[corner as usize].used() {
            assert!((weight(found, joint.0) - expected).abs() < 1e-5);
        }
    }
}

#[test]
fn a_wall_between_a_vertex_and_the_nearest_bone_keeps_the_heat_out() {
    // A thin wall at x = 0.2 is between a bone at x = 0 and a strip at x = 0.5,
    // whose lower part sees the other bone, far below.
    let rotate = |mesh: TestMesh, x: f32| TestMesh {
        positions: mesh.positions.iter().map(|p| Vec3::new(x, p.x, p.y)).collect(),
        triangles: mesh.triangles,
    };
    let strip = rotate(TestMesh::strip(3.0, 60, 0.2, 0.0), 0.5);
    let mut wall = rotate(TestMesh::strip(1.2, 2, 4.0, 0.0), 0.2);
    for position in &mut wall.positions {
        position.y += 2.2;
    }
    let skeleton = skeleton(&[
        (None, Vec3::new(0.0, -3.0, 0.0)),
        (Some(0), Vec3::new(0.0, 1.0, 0.0)),
        (Some(1), Vec3::new(0.0, 3.0, 0.0)),
    ]);
    let top = strip.positions.len() - 1;
    let weight_at_top = |mesh: TestMesh| {
        let all = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
        weight(&all[top], 0)
    };
    assert!(weight_at_top(strip.clone()) < 0.05, "heated by the bone beside it");
    assert!(weight_at_top(strip.and(wall)) > 0.9, "heated only from below");
}

#[test]
fn unusable_meshes_are_errors_and_loose_vertices_follow_the_nearest_joint() {
    let skeleton_of_one = skeleton(&[(None, Vec3::ZERO)]);
    let no_triangles = TestMesh { positions: vec![Vec3::X; 3], triangles: Vec::new() };
    let heat = |mesh: &TestMesh| mesh.weights(&skeleton_of_one, WeightSource::BoneHeat);
    assert_eq!(heat(&no_triangles), Err(WeightsError::NoTriangles));
    let flat = TestMesh { triangles: vec![[0, 1, 2], [0, 1, 9]], ..no_triangles.clone() };
    assert_eq!(heat(&flat), Err(WeightsError::NoTriangles), "no area, and no vertex 9");
    let mut bad = TestMesh::tube(0.0, 1.0, 1.0, 2);
    bad.positions[4].y = f32::NAN;
    for source in COMPUTED {
        let found = bad.weights(&skeleton_of_one, source);
        assert_eq!(found, Err(WeightsError::NotFinite { vertex: 4 }));
    }
    let empty = TestMesh { positions: Vec::new(), triangles: Vec::new() };
    assert_eq!(empty.weights(&skeleton_of_one, WeightSource::NearestJoint), Ok(Vec::new()));

    let mut loose = TestMesh::tube(0.0, 1.0, 1.0, 2);
    loose.positions.push(Vec3::ONE);
    let last = *heat(&loose).unwrap().last().unwrap();
    assert_eq!(last, Influences::new(&[(JointIndex(0), 1.0)]), "in no triangle");
}

#[test]
fn two_thousand_joints_and_bones_without_length_are_weighted() {
    let mesh = TestMesh::tube(0.0, 0.4, 40.0, 200);
    let joints: Vec<(Option<u16>, Vec3)> = (0..2000_u16)
        .map(|joint| {
            let y = 40.0 * f32::from(joint / 2) / 1000.0;
            (joint.checked_sub(1), Vec3::new(0.0, y, 0.0))
        })
        .collect();
    let skeleton = skeleton(&joints);
    for source in COMPUTED {
        for influences in mesh.weights(&skeleton, source).unwrap() {
            assert!((influences.sum() - 1.0).abs() < 1e-5, "{source:?} {influences:?}");
        }
    }
}
