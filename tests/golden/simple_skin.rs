//! Simple Skin of the glTF tutorial, in the version of 2017 and the current one.

use super::*;

/// The tutorial's rectangle of 2017, which is half a unit further to the right.
fn simple_skin_of_2017() -> Arc<Rig> {
    let rig = builtin("simple_skin").unwrap();
    rig.as_stored(|name| (name == "stored_x").then_some(0.5))
}

fn bent(rig: &Arc<Rig>, case: &Value) -> Computed {
    let angle_rad = case["joint1_rotation_z_deg"].as_f64().unwrap().to_radians();
    Computed::new(rig, |name| (name == "bend").then_some(angle_rad))
}

fn assert_rest_data(rig: &Rig, data: &Value) {
    assert_eq!(rig.mesh.positions, points(&data["positions"]));
    for (vertex, influences) in rig.mesh.influences.iter().enumerate() {
        assert_eq!(influences.weights[..2].to_vec(), floats(&data["weights"][vertex]));
    }
}

#[test]
fn simple_skin_of_today_bends_to_the_golden_numbers() {
    let rig = builtin("simple_skin").unwrap();
    let data = data(include_str!("../data/simple_skin_current.json"));
    assert_rest_data(&rig, &data);
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let computed = bent(&rig, case);
        assert_matrices(&computed.world_from_bind, &matrices(&case["joint_matrices"]));
        assert_points(&computed.positions(), &points(&case["skinned"]));
        assert_points(&computed.reference_positions(), &points(&case["skinned"]));
    }
}

#[test]
fn simple_skin_read_from_its_file_is_the_one_made_in_memory() {
    let (file, memory) = (builtin("simple_skin_file").unwrap(), builtin("simple_skin").unwrap());
    assert_eq!(file.mesh.positions, memory.mesh.positions);
    assert_eq!(file.mesh.normals, memory.mesh.normals);
    assert_eq!(file.mesh.triangles, memory.mesh.triangles);
    assert_eq!(file.mesh.lines, memory.mesh.lines);
    assert_eq!(file.skeleton, memory.skeleton);
    assert_eq!(file.params, memory.params);
    let data = data(include_str!("../data/simple_skin_current.json"));
    for case in data["cases"].as_array().unwrap() {
        let computed = bent(&file, case);
        assert_points(&computed.positions(), &points(&case["skinned"]));
    }
}

/// The result of a loader that ignores `byteStride`: the odd vertices and v2 stay at rest.
#[test]
fn without_its_stride_simple_skin_bends_on_one_side_alone() {
    let stored = builtin("simple_skin_file").unwrap();
    let rig = Arc::new(read_again(&stored, &ByteEdits::default(), true).unwrap());
    let posed = rig.posed(|name| (name == "bend").then_some(std::f64::consts::FRAC_PI_2));
    let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
    let world_from_bind: Vec<Mat4> = world_from_joint
        .iter()
        .zip(&posed.joint_from_bind)
        .map(|(world, bind)| *world * *bind)
        .collect();
    let found = skin_positions(&rig.mesh.positions, &rig.mesh.influences, &world_from_bind);
    let mut expected = rig.mesh.positions.clone();
    for (vertex, x, y) in [(4, -0.25, 0.75), (6, -0.5, 0.75), (8, -1.0, 0.5)] {
        expected[vertex] = Vec3::new(x, y, 0.0);
    }
    assert_points(&found, &expected);
    assert_eq!(expected[2], Vec3::new(-0.5, 0.5, 0.0));
}

#[test]
fn simple_skin_of_2017_bends_to_the_golden_numbers() {
    let rig = simple_skin_of_2017();
    let data = data(include_str!("../data/simple_skin.json"));
    assert_rest_data(&rig, &data);
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let computed = bent(&rig, case);
        let only = |matrix: Mat4| {
            rig.mesh.positions.iter().map(|&p| matrix.transform_point3(p)).collect::<Vec<_>>()
        };
        let skin_matrices: Vec<Mat4> = rig
            .mesh
            .influences
            .iter()
            .map(|influences| skin_matrix(influences, &computed.world_from_bind))
            .collect();
        assert_matrices(&computed.world_from_bind, &matrices(&case["joint_matrices"]));
        assert_matrices(&skin_matrices, &matrices(&case["skin_matrices"]));
        assert_points(&only(computed.joint_from_bind[1]), &points(&case["by_inverse_bind1_only"]));
        assert_points(&only(computed.world_from_bind[1]), &points(&case["by_joint1_only"]));
        assert_points(&computed.positions(), &points(&case["skinned"]));
    }
}

/// Both joints are at the bend, and both inverse bind matrices have a translation. They are not the
/// inverses of the joints, but the result equals that of the current version.
#[test]
fn the_file_of_2017_bends_as_that_of_today() {
    let rig = simple_skin_of_2017();
    let data = data(include_str!("../data/simple_skin_current.json"));
    for case in data["cases"].as_array().unwrap() {
        let angle_rad = case["joint1_rotation_z_deg"].as_f64().unwrap().to_radians();
        let computed = Computed::new(&rig, |name| match name {
            "bend" => Some(angle_rad),
            "shape_x" => Some(-0.5),
            "root_y" => Some(1.0),
            "tip_y" => Some(-1.0),
            _ => None,
        });
        let stored = Mat4::from_translation(Vec3::new(-0.5, -1.0, 0.0));
        assert_matrices(&computed.joint_from_bind, &[stored, stored]);
        assert_points(&computed.positions(), &points(&case["skinned"]));
    }
}

#[test]
fn moving_the_mesh_node_moves_nothing() {
    let data = data(include_str!("../data/simple_skin.json"));
    let case = &data["mesh_node_moved"];
    let mut rig = (*simple_skin_of_2017()).clone();
    let moved = |name: &str| match name {
        "node_x" => Some(5.0),
        "node_y" => Some(3.0),
        "node_turn" => Some(0.6),
        _ => None,
    };
    rig.world_from_mesh_node = rig.mesh_node_moved(moved);
    assert_matrices(&[rig.world_from_mesh_node], &[matrix(&case["mesh_node_world"])]);
    let computed = bent(&Arc::new(rig), case);
    assert_points(&computed.positions(), &points(&case["world_positions"]));
    // Loaders that draw in the space of the mesh node multiply by the inverse of its matrix.
    let node_from_world = computed.rig.world_from_mesh_node.inverse();
    let in_node: Vec<Mat4> = computed
        .world_from_bind
        .iter()
        .map(|&world_from_bind| node_from_world * world_from_bind)
        .collect();
    assert_matrices(&in_node, &matrices(&case["joint_matrices"]));
}
