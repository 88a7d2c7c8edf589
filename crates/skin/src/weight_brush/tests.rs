use std::collections::BTreeSet;
use std::time::Instant;

use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::keep_strongest;

/// A square grid of vertices with distance 1, in the plane z = 0, centred on the origin.
fn square(side: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let half = (side - 1) as f32 / 2.0;
    let at = |n: u32| Vec3::new((n % side) as f32 - half, (n / side) as f32 - half, 0.0);
    let positions = (0..side * side).map(at).collect();
    let mut triangles = Vec::new();
    for y in 0..side - 1 {
        for x in 0..side - 1 {
            let a = y * side + x;
            triangles.extend([[a, a + 1, a + side], [a + 1, a + side + 1, a + side]]);
        }
    }
    (positions, triangles)
}

fn brush(mode: BrushMode, joint: u16) -> Brush {
    Brush {
        mode,
        joint: JointIndex(joint),
        radius: 2.5,
        strength: 0.5,
        falloff: Falloff::Hard,
        keeps_sum: true,
        most: LANES,
        locked: BTreeSet::new(),
        mirror: None,
    }
}

fn influences(pairs: &[(u16, f32)]) -> Influences {
    let pairs: Vec<_> = pairs.iter().map(|&(j, w)| (JointIndex(j), w)).collect();
    Influences::new(&pairs)
}

fn weight(influences: &Influences, joint: u16) -> f32 {
    let of_joint = influences.used().filter(|(_, other, _)| other.0 == joint);
    of_joint.map(|(_, _, weight)| weight).sum()
}

/// Paints one vertex at the origin with one touch.
fn paint(brush: &Brush, before: Influences) -> Result<Influences, Unpainted> {
    let surface = BrushSurface::new(&[Vec3::ZERO], &[]);
    let stroke = brush.stroke(&surface, &[before], &[Vec3::ZERO]);
    match stroke.unpainted.keys().next() {
        Some(&reason) => Err(reason),
        None => Ok(stroke.changes.first().map_or(before, |change| change.after)),
    }
}

#[test]
fn adding_a_new_joint_scales_the_others_in_proportion() {
    let before = influences(&[(0, 0.6), (3, 0.4)]);
    let after = paint(&brush(BrushMode::Add, 7), before).unwrap();
    assert_eq!(after, influences(&[(0, 0.3), (3, 0.2), (7, 0.5)]));
    let back = paint(&brush(BrushMode::Subtract, 7), after).unwrap();
    assert!((weight(&back, 0) - 0.6).abs() < 1e-6 && weight(&back, 7) == 0.0);

    let free = Brush { keeps_sum: false, ..brush(BrushMode::Add, 7) };
    let after = paint(&free, before).unwrap();
    assert_eq!(after, influences(&[(0, 0.6), (3, 0.4), (7, 0.5)]));
    let first = paint(&brush(BrushMode::Add, 7), Influences::default()).unwrap();
    assert_eq!(first, influences(&[(7, 1.0)]), "the first joint gets the whole weight");
}

#[test]
fn a_vertex_that_cannot_change_reports_the_reason() {
    let locking = |mode, joint, locked: &[u16]| Brush {
        locked: locked.iter().map(|&joint| JointIndex(joint)).collect(),
        ..brush(mode, joint)
    };
    let single = influences(&[(2, 1.0)]);
    let two = influences(&[(2, 0.5), (3, 0.5)]);
    for (brush, before, reason) in [
        (locking(BrushMode::Subtract, 2, &[]), single, Unpainted::Alone),
        (locking(BrushMode::Add, 2, &[2]), two, Unpainted::JointLocked),
        (locking(BrushMode::Add, 2, &[3]), two, Unpainted::OthersLocked),
        (locking(BrushMode::Subtract, 2, &[3]), two, Unpainted::OthersLocked),
        (locking(BrushMode::Add, 9, &[2, 3]), two, Unpainted::OthersLocked),
    ] {
        assert_eq!(paint(&brush, before), Err(reason), "{brush:?}");
    }
    let full = Brush { most: 2, keeps_sum: false, ..locking(BrushMode::Add, 9, &[2, 3]) };
    assert_eq!(paint(&full, two), Err(Unpainted::Full));
    assert_eq!(paint(&brush(BrushMode::Add, 2), single), Ok(single));
    let surface = BrushSurface::new(&[Vec3::ZERO], &[]);
    let unbound = brush(BrushMode::Add, 2).stroke(&surface, &[], &[Vec3::ZERO]);
    assert_eq!(unbound.unpainted[&Unpainted::Unbound], 1);
}

#[test]
fn locked_joints_keep_their_weights_and_the_others_share_the_rest() {
    let brush = Brush { locked: [JointIndex(1)].into(), ..brush(BrushMode::Add, 4) };
    let after = paint(&brush, influences(&[(0, 0.3), (1, 0.4), (2, 0.3)])).unwrap();
    assert_eq!(weight(&after, 1), 0.4);
    assert!((weight(&after, 4) - 0.5).abs() < 1e-6);
    assert!((weight(&after, 0) - 0.05).abs() < 1e-6 && (after.sum() - 1.0).abs() < 1e-6);
}

#[test]
fn over_the_limit_the_smallest_weight_is_dropped_but_never_the_painted_one() {
    let before = influences(&[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
    let brush = Brush { most: 4, strength: 0.02, ..brush(BrushMode::Add, 9) };
    let after = paint(&brush, before).unwrap();
    assert_eq!(after.used().count(), 4);
    assert!(weight(&after, 9) > 0.02 && weight(&after, 3) == 0.0);
    assert!((after.sum() - 1.0).abs() < 1e-6);
    // The first joints keep their lanes, and the new one gets the lane of the dropped one.
    assert_eq!(after.joints[..4], [0, 1, 2, 9].map(JointIndex));
}

#[test]
fn smoothing_crosses_edges_and_seams() {
    let (mut positions, mut triangles) = square(9);
    // A seam: the triangles beyond x = 1 use copies of all vertices.
    let seam_offset = positions.len() as u32;
    for corners in &mut triangles {
        if corners.iter().all(|&c| positions[c as usize].x >= 1.0) {
            for corner in corners {
                *corner += seam_offset;
            }
        }
    }
    positions.extend(positions.clone());
    let mut all: Vec<Influences> = positions
        .iter()
        .map(|position| influences(&[(u16::from(position.x > 0.0), 1.0)]))
        .collect();
    let surface = BrushSurface::new(&positions, &triangles);
    let brush = Brush { radius: 20.0, ..brush(BrushMode::Smooth, 0) };
    for _ in 0..8 {
        for change in brush.stroke(&surface, &all, &[Vec3::ZERO]).changes {
            all[change.vertex as usize] = change.after;
        }
    }
    let along_x: Vec<f32> = (0..9).map(|x| weight(&all[36 + x], 1)).collect();
    assert!(along_x.is_sorted(), "{along_x:?}");
    assert!(along_x[2] > 0.005 && along_x[7] < 0.995, "{along_x:?}");
    for (vertex, influences) in all.iter().enumerate() {
        assert!((influences.sum() - 1.0).abs() < 1e-5, "{vertex}");
    }
    for vertex in 0..seam_offset as usize {
        assert_eq!(all[vertex], all[vertex + seam_offset as usize]);
    }
}

#[test]
fn normalising_moves_the_sum_towards_1_by_the_strength() {
    let before = influences(&[(0, 0.4), (1, 0.4)]);
    let after = paint(&brush(BrushMode::Normalize, 0), before).unwrap();
    assert!((after.sum() - 0.9).abs() < 1e-6);
    let full_strength =
        Brush { strength: 1.0, locked: [JointIndex(1)].into(), ..brush(BrushMode::Normalize, 0) };
    let after = paint(&full_strength, before).unwrap();
    assert_eq!((weight(&after, 0), weight(&after, 1)), (0.6, 0.4));
}

#[test]
fn the_mirror_image_of_a_stroke_paints_the_other_joint() {
    let (positions, triangles) = square(9);
    let surface = BrushSurface::new(&positions, &triangles);
    let all = vec![influences(&[(0, 1.0)]); positions.len()];
    let plane = MirrorPlane::halving(surface.bounds(), 0);
    assert_eq!(plane.at, 0.0);
    let brush =
        Brush { radius: 1.1, mirror: Some((plane, JointIndex(2))), ..brush(BrushMode::Add, 1) };
    let stroke = brush.stroke(&surface, &all, &[Vec3::new(3.0, 1.0, 0.0)]);
    assert_eq!(stroke.changes.len(), 10);
    for change in &stroke.changes {
        let position = positions[change.vertex as usize];
        let joint = if position.x > 0.0 { 1 } else { 2 };
        assert_eq!(weight(&change.after, joint), 0.5, "{position}");
    }
    // On the plane, two different joints are both painted, but a single joint only once.
    let on_plane = brush.stroke(&surface, &all, &[Vec3::ZERO]);
    let change = on_plane.changes.iter().find(|change| change.vertex == 40).unwrap();
    assert!(weight(&change.after, 1) > 0.2 && weight(&change.after, 2) == 0.5);
    let same_joint = Brush { mirror: Some((plane, JointIndex(1))), ..brush };
    let on_plane = same_joint.stroke(&surface, &all, &[Vec3::ZERO]);
    assert!(on_plane.changes.iter().all(|change| weight(&change.after, 1) == 0.5));
}

/// Positions as files may contain them, some of them not finite.
fn any_position() -> impl Strategy<Value = Vec3> {
    let number = prop_oneof![
        8 => -10.0_f32..10.0,
        1 => Just(0.0),
        1 => any::<f32>(),
    ];
    prop::array::uniform3(number).prop_map(Vec3::from_array)
}

/// Influences as files may contain them: repeated joints, negative weights, NaN.
fn any_influences() -> impl Strategy<Value = Influences> {
    let weight = prop_oneof![
        6 => 0.0_f32..=1.0,
        4 => Just(0.0),
        1 => -2.0_f32..2.0,
        1 => any::<f32>(),
    ];
    (prop::array::uniform8(0_u16..12), prop::array::uniform8(weight))
        .prop_map(|(joints, weights)| Influences { joints: joints.map(JointIndex), weights })
}

fn any_brush() -> impl Strategy<Value = Brush> {
    (
        prop::sample::select(BrushMode::ALL.to_vec()),
        0_u16..14,
        prop_oneof![0.0_f32..30.0, any::<f32>()],
        prop_oneof![0.0_f32..=1.0, any::<f32>()],
        prop::sample::select(Falloff::ALL.to_vec()),
        any::<bool>(),
        prop::sample::select(vec![1_usize, 2, 4, 8]),
        prop::collection::btree_set((0_u16..14).prop_map(JointIndex), 0..8),
        prop::option::of((0_usize..3, -3.0_f32..3.0, 0_u16..14)),
    )
        .prop_map(
            |(mode, joint, radius, strength, falloff, keeps_sum, most, locked, mirror)| Brush {
                mode,
                joint: JointIndex(joint),
                radius,
                strength,
                falloff,
                keeps_sum,
                most,
                locked,
                mirror: mirror
                    .map(|(axis, at, joint)| (MirrorPlane { axis, at }, JointIndex(joint))),
            },
        )
}

proptest! {
    #[test]
    fn painted_influences_are_valid(
        brush in any_brush(),
        vertices in prop::collection::vec((any_position(), any_influences()), 0..40),
        corners in prop::collection::vec(prop::array::uniform3(0_u32..44), 0..40),
        center in any_position(),
    ) {
        let (positions, influences): (Vec<_>, Vec<_>) = vertices.into_iter().unzip();
        let surface = BrushSurface::new(&positions, &corners);
        let painted = brush.stroke(&surface, &influences, &[center, Vec3::ZERO]);
        prop_assert!(painted.changes.is_sorted_by(|a, b| a.vertex < b.vertex));
        for PaintedVertex { before, after, .. } in &painted.changes {
            for weight in after.weights {
                prop_assert!(weight.is_finite() && weight >= 0.0, "{after:?}");
            }
            prop_assert!(after.used().count() <= brush.most, "{after:?}");
            if brush.keeps_sum && brush.mode != BrushMode::Normalize {
                let locked: f32 = after.used()
                    .filter(|(_, joint, _)| brush.locked.contains(joint))
                    .map(|(_, _, weight)| weight)
                    .sum();
                // Locked weights may already sum to more than 1.
                prop_assert!((after.sum() - 1.0).abs() < 1e-4 || locked > 0.999, "{after:?}");
            }
            for joint in &brush.locked {
                let expected: f64 = before.used()
                    .filter(|(_, other, weight)| {
                        other == joint && weight.is_finite() && *weight > 0.0
                    })
                    .map(|(_, _, weight)| f64::from(weight))
                    .sum();
                prop_assert_eq!(weight(after, joint.0), expected as f32);
            }
        }
    }

    #[test]
    fn the_grid_finds_the_same_vertices_as_a_linear_search(
        positions in prop::collection::vec(any_position(), 0..200),
        center in any_position(),
        radius in 0.0_f32..12.0,
    ) {
        let surface = BrushSurface::new(&positions, &[]);
        let mut found = Vec::new();
        surface.each_within(center, radius, |vertex, _| found.push(vertex));
        found.sort_unstable();
        let expected: Vec<u32> = (0..)
            .zip(&positions)
            .filter(|(_, position)| position.distance(center) <= radius && radius > 0.0)
            .map(|(vertex, _)| vertex)
            .collect();
        prop_assert_eq!(found, expected);
    }
}

/// Not a benchmark, only a guard against work that grows with the square of the mesh.
#[test]
fn a_touch_costs_time_proportional_to_the_vertices_within_reach() {
    let (positions, triangles) = square(317);
    let surface = BrushSurface::new(&positions, &triangles);
    let pairs = [(JointIndex(0), 0.5), (JointIndex(1), 0.3), (JointIndex(2), 0.2)];
    let influences = vec![Influences::new(&keep_strongest(&pairs, 4)); positions.len()];
    for mode in BrushMode::ALL {
        let brush = Brush { radius: 30.0, falloff: Falloff::Soft, ..brush(mode, 3) };
        let _ = brush.stroke(&surface, &influences, &[Vec3::ZERO]);
        let begin = Instant::now();
        let painted = brush.stroke(&surface, &influences, &[Vec3::ZERO]);
        let took = begin.elapsed();
        println!("{mode:?}: {} of {} vertices, {took:?}", painted.changes.len(), positions.len());
        assert!(took.as_secs_f64() < 2.0, "{mode:?}: {took:?}");
    }
}
