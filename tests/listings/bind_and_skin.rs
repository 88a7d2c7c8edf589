//! The figure with a head: bound once, skinned in every frame.

#![expect(clippy::print_stdout, reason = "the program on the page prints")]

// begin bind-and-skin
use glam::{Mat4, Vec3, vec3};

/// A stored vertex: its place, its joints and weights.
struct Vertex {
    position: Vec3,
    influences: Vec<(usize, f32)>,
}

/// World from joint, for a nod of so many radians.
fn pose(nod: f32) -> [Mat4; 2] {
    let up = vec3(0.0, 2.0, 0.0);
    let neck = Mat4::from_translation(up);
    [Mat4::IDENTITY, neck * Mat4::from_rotation_z(nod)]
}

/// Once: the inverse bind matrices, joint from bind.
fn bind(world_from_joint: [Mat4; 2]) -> [Mat4; 2] {
    world_from_joint.map(|matrix| matrix.inverse())
}

/// In every frame: the weighted sum over the joints.
fn skin(
    vertex: &Vertex,
    world_from_joint: [Mat4; 2],
    joint_from_bind: [Mat4; 2],
) -> Vec3 {
    let p = vertex.position;
    let mut skinned = Vec3::ZERO;
    for &(j, weight) in &vertex.influences {
        let joint_matrix =
            world_from_joint[j] * joint_from_bind[j];
        let moved = joint_matrix.transform_point3(p);
        skinned += weight * moved;
    }
    skinned
}

fn main() {
    let chin = Vertex {
        position: vec3(0.25, 2.0, 0.0),
        influences: vec![(1, 1.0)],
    };
    let throat = Vertex {
        position: vec3(0.11, 1.86, 0.0),
        influences: vec![(0, 0.5), (1, 0.5)],
    };
    let bound = bind(pose(0.0));
    let posed = pose(45_f32.to_radians());
    for vertex in [chin, throat] {
        println!("{:.3}", skin(&vertex, posed, bound));
    }
}
// end bind-and-skin

/// Compares the program's vertices with those of the page at some angles.
#[test]
fn the_program_moves_chin_and_throat_as_the_page_does() {
    main();
    let rig = bindpose_rigs::builtin("head").unwrap();
    for nod in [0.0, 0.3, 45_f32.to_radians(), -1.2] {
        let palette = rig.world_from_bind(|name| (name == "nod").then_some(f64::from(nod)));
        for vertex in [0, 482] {
            let influences = &rig.mesh.influences[vertex];
            let of_program = Vertex {
                position: rig.mesh.positions[vertex],
                influences: influences
                    .used()
                    .map(|(_, joint, weight)| (joint.index(), weight))
                    .collect(),
            };
            let found = skin(&of_program, pose(nod), bind(pose(0.0)));
            let position = rig.mesh.positions[vertex];
            let expected = bindpose_skin::skin_position(position, influences, &palette);
            assert!(found.abs_diff_eq(expected, 1e-5), "{vertex}: {found} for {expected}");
        }
    }
    let nods = include_str!("../data/bind_pose.json");
    let data: serde_json::Value = serde_json::from_str(nods).unwrap();
    for case in data["cases"].as_array().unwrap() {
        let float = |value: &serde_json::Value| value.as_f64().unwrap() as f32;
        let chin = Vertex {
            position: Vec3::from_array(std::array::from_fn(|axis| float(&data["vertex"][axis]))),
            influences: vec![(1, 1.0)],
        };
        let found = skin(&chin, pose(float(&case["nod_rad"])), bind(pose(0.0)));
        for axis in 0..3 {
            let expected = float(&case["with_inverse_bind"][axis]);
            assert!((found[axis] - expected).abs() <= 1e-5, "{found}");
        }
    }
}

/// Checks the text of the page about the other order of the two factors.
#[test]
fn the_other_order_turns_the_chin_about_the_feet() {
    let chin = Vertex {
        position: vec3(0.25, 2.0, 0.0),
        influences: vec![(1, 1.0)],
    };
    let found = skin(&chin, bind(pose(0.0)), pose(45_f32.to_radians()));
    assert!(found.abs_diff_eq(vec3(-1.237, 1.591, 0.0), 5e-4), "{found}");
}
