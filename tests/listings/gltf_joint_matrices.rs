//! Joint matrices of a skin, from the nodes of a glTF file.

// begin gltf-joint-matrices
use glam::Mat4;

/// Of `nodes`: whose child it is, and its transform.
struct Node {
    parent: Option<usize>,
    parent_from_node: Mat4,
}

/// Of `skins`: nodes, and a matrix for each of them.
struct Skin {
    joints: Vec<usize>,
    inverse_bind: Vec<Mat4>,
}

fn world_from_node(nodes: &[Node], of: usize) -> Mat4 {
    let own = nodes[of].parent_from_node;
    match nodes[of].parent {
        Some(up) => world_from_node(nodes, up) * own,
        None => own,
    }
}

/// In every frame: one for each place in `joints`.
fn joint_matrices(
    nodes: &[Node],
    skin: &Skin,
) -> Vec<Mat4> {
    let mut matrices = Vec::new();
    for (j, &node) in skin.joints.iter().enumerate() {
        let world = world_from_node(nodes, node);
        matrices.push(world * skin.inverse_bind[j]);
    }
    matrices
}
// end gltf-joint-matrices

#[test]
fn the_program_computes_the_golden_joint_matrices_of_simple_skin() {
    let data = include_str!("../data/simple_skin_current.json");
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let up = Mat4::from_translation(glam::Vec3::Y);
    let skin = Skin {
        joints: vec![1, 2],
        inverse_bind: vec![Mat4::IDENTITY, up.inverse()],
    };
    for case in data["cases"].as_array().unwrap() {
        let turned = case["joint1_rotation_z_deg"].as_f64().unwrap() as f32;
        let node = |parent, parent_from_node| Node { parent, parent_from_node };
        let nodes = [
            // The node of the mesh is moved, which must change nothing.
            node(None, Mat4::from_scale(glam::Vec3::splat(3.0))),
            node(None, Mat4::IDENTITY),
            node(Some(1), up * Mat4::from_rotation_z(turned.to_radians())),
        ];
        let expected = case["joint_matrices"].as_array().unwrap();
        let found = joint_matrices(&nodes, &skin);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            let numbers = expected.as_array().unwrap().iter();
            let numbers: Vec<f32> = numbers.map(|number| number.as_f64().unwrap() as f32).collect();
            let expected = Mat4::from_cols_slice(&numbers);
            assert!(found.abs_diff_eq(expected, 1e-6), "{found} for {expected}");
        }
    }
}
