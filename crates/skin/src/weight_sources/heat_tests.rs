//! Weights of all sources against what is known otherwise.

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
fn weights_of_every_source_add_up_to_one_in_as_few_lanes_as_asked() {
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
fn along_a_rod_heat_falls_as_the_solution_says() {
    // A strip at height d over bones along x, which meet at 0: w″ = (w − p)/d² has the
    // solution w = 1 − ½ e^(−x/d) for the bone beyond 0, and ½ e^(x/d) before.
    let height = 0.5;
    let mesh = TestMesh::strip(5.0, 400, 0.1, height);
    let skeleton = skeleton(&[(None, Vec3::new(-10.0, 0.0, 0.0)), (Some(0), Vec3::ZERO)]);
    let all = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    for (position, influences) in mesh.positions.iter().zip(&all) {
        // The width of the strip is a little of the distance.
        let d = height.hypot(0.05);
        let half = 0.5 * (-position.x.abs() / d).exp();
        let expected = if position.x > 0.0 { 1.0 - half } else { half };
        let found = weight(influences, 1);
        assert!((found - expected).abs() < 3e-3, "at {}: {found}, not {expected}", position.x);
    }
}

/// The same by the words of the article, written naively: angles by their cosines, all
/// bones of the tube in sight, and Gauss on a full matrix.
fn by_gauss(mesh: &TestMesh, bones: &[(u16, DVec3, DVec3)]) -> Vec<Vec<f64>> {
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
        let distance = |&(_, from, to): &(u16, DVec3, DVec3)| {
            let part = (p - from).dot(to - from) / (to - from).length_squared();
            p.distance(from + (to - from) * part.clamp(0.0, 1.0))
        };
        let distances: Vec<f64> = bones.iter().map(distance).collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let nearest = distances.iter().filter(|&&one| one < least * 1.000_01);
        let heat = areas[vertex] / (least * least);
        matrix[vertex][vertex] += heat;
        let each = heat / nearest.count() as f64;
        for (bone, &one) in distances.iter().enumerate() {
            if one < least * 1.000_01 {
                right[vertex][bone] = each;
            }
        }
    }
    for pivot in 0..count {
        let (above, above_right) = (matrix[pivot].clone(), right[pivot].clone());
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] / above[pivot];
            for (cell, above) in matrix[row].iter_mut().zip(&above) {
                *cell -= factor * above;
            }
            for (cell, above) in right[row].iter_mut().zip(&above_right) {
                *cell -= factor * above;
            }
        }
    }
    for row in 0..count {
        for warmth in &mut right[row] {
            *warmth /= matrix[row][row];
        }
    }
    right
}

#[test]
fn heat_is_what_a_full_solution_of_the_same_equations_says() {
    let mesh = TestMesh::tube(0.0, 0.4, 4.0, 14);
    let joints = [0.0, 1.3, 2.6].map(|y| Vec3::new(0.0, y, 0.0));
    let skeleton = skeleton(&[(None, joints[0]), (Some(0), joints[1]), (Some(1), joints[2])]);
    let ends = [0.0, 1.3, 2.6, 3.9].map(|y| DVec3::Y * f64::from(y as f32));
    let bones = [0, 1, 2].map(|at| (at as u16, ends[at], ends[at + 1]));
    let expected = by_gauss(&mesh, &bones);
    let found = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    for (vertex, (found, expected)) in found.iter().zip(&expected).enumerate() {
        for (bone, &expected) in expected.iter().enumerate() {
            let found = f64::from(weight(found, bone as u16));
            // What is under a thousandth is dropped, and the rest divided anew.
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
        let there = mirrored.weights(&skeleton, source).unwrap();
        for (here, there) in all.iter().zip(&there) {
            for (_, joint, expected) in here.used() {
                let found = weight(there, other(joint));
                // On the line between two bones the first is taken.
                let tie = source == WeightSource::NearestJoint;
                assert!(tie || (found - expected).abs() < 1e-4, "{source:?} {found} {expected}");
            }
        }
    }
}

#[test]
fn distance_bleeds_from_leg_to_leg_and_heat_does_not() {
    let (mesh, skeleton) = legs();
    let of_other_leg = |source: WeightSource| {
        let all = mesh.weights(&skeleton, source).unwrap();
        let shins = mesh.positions.iter().zip(all).filter(|(p, _)| p.y < 1.5);
        let bled = shins.map(|(p, influences)| {
            let others = if p.x < 0.0 { [3, 4] } else { [1, 2] };
            others.map(|joint| weight(&influences, joint)).iter().sum()
        });
        bled.fold(0.0, f32::max)
    };
    assert!(of_other_leg(WeightSource::InverseDistance) > 0.2);
    assert!(of_other_leg(WeightSource::NearestJoint) == 0.0);
    assert!(of_other_leg(WeightSource::BoneHeat) < 1e-3);
}

#[test]
fn a_higher_power_comes_nearer_to_the_nearest_joint() {
    let (mesh, skeleton) = legs();
    let strongest = |power| {
        let by = WeightsBy { source: WeightSource::InverseDistance, power, ..WeightsBy::default() };
        let all = mesh.weights_by(&skeleton, &by).unwrap();
        let largest = all.iter().map(|one| one.weights[0]);
        largest.sum::<f32>() / all.len() as f32
    };
    let [two, four, sixteen] = [2, 4, 16].map(strongest);
    assert!(two < four && four < sixteen && sixteen > 0.9, "{two} {four} {sixteen}");
}

#[test]
fn vertices_at_one_place_have_the_same_weights_as_one_vertex_there() {
    let (mesh, skeleton) = legs();
    let apart = mesh.unwelded();
    let whole = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    let found = apart.weights(&skeleton, WeightSource::BoneHeat).unwrap();
    let corners = mesh.triangles.iter().flatten();
    for (&corner, found) in corners.zip(&found) {
        for (_, joint, expected) in whole[corner as usize].used() {
            assert!((weight(found, joint.0) - expected).abs() < 1e-5);
        }
    }
}

#[test]
fn a_wall_between_a_vertex_and_the_nearest_bone_keeps_the_heat_out() {
    // A thin wall at x = 0.2 stands between a bone at x = 0 and a strip at x = 0.5,
    // whose lower part sees the other bone, far below.
    let turned = |mesh: TestMesh, x: f32| TestMesh {
        positions: mesh.positions.iter().map(|p| Vec3::new(x, p.x, p.y)).collect(),
        triangles: mesh.triangles,
    };
    let strip = turned(TestMesh::strip(3.0, 60, 0.2, 0.0), 0.5);
    let mut wall = turned(TestMesh::strip(1.2, 2, 4.0, 0.0), 0.2);
    for position in &mut wall.positions {
        position.y += 2.2;
    }
    let skeleton = skeleton(&[
        (None, Vec3::new(0.0, -3.0, 0.0)),
        (Some(0), Vec3::new(0.0, 1.0, 0.0)),
        (Some(1), Vec3::new(0.0, 3.0, 0.0)),
    ]);
    let top = strip.positions.len() - 1;
    let upper = |mesh: TestMesh| {
        let all = mesh.weights(&skeleton, WeightSource::BoneHeat).unwrap();
        weight(&all[top], 0)
    };
    assert!(upper(strip.clone()) < 0.05, "warmed by the bone beside it");
    assert!(upper(strip.and(wall)) > 0.9, "warmed from below alone");
}

#[test]
fn what_cannot_be_weighted_says_so_and_the_rest_has_a_fallback() {
    let skeleton_of_one = skeleton(&[(None, Vec3::ZERO)]);
    let nothing = TestMesh { positions: vec![Vec3::X; 3], triangles: Vec::new() };
    let all = |mesh: &TestMesh| mesh.weights(&skeleton_of_one, WeightSource::BoneHeat);
    assert_eq!(all(&nothing), Err(WeightsError::NoTriangles));
    let flat = TestMesh { triangles: vec![[0, 1, 2], [0, 1, 9]], ..nothing.clone() };
    assert_eq!(all(&flat), Err(WeightsError::NoTriangles), "without area, and without corner 9");
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
    let last = *all(&loose).unwrap().last().unwrap();
    assert_eq!(last, Influences::new(&[(JointIndex(0), 1.0)]), "in no triangle");
}

#[test]
fn two_thousand_joints_and_bones_without_length_are_weighted() {
    let mesh = TestMesh::tube(0.0, 0.4, 40.0, 200);
    let joint = |at: u16| {
        let y = 40.0 * f32::from(at / 2) / 1000.0;
        (at.checked_sub(1), Vec3::new(0.0, y, 0.0))
    };
    let joints: Vec<(Option<u16>, Vec3)> = (0..2000).map(joint).collect();
    let skeleton = skeleton(&joints);
    for source in COMPUTED {
        for influences in mesh.weights(&skeleton, source).unwrap() {
            assert!((influences.sum() - 1.0).abs() < 1e-5, "{source:?} {influences:?}");
        }
    }
}
