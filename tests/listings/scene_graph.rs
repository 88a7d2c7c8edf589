//! A scene of nodes, from what a file says to world matrices.

// begin scene-graph
use glam::{Mat4, Quat, Vec3};

/// Of `nodes`, as the file has it.
struct Node {
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
    children: Vec<usize>,
}

impl Node {
    fn parent_from_node(&self) -> Mat4 {
        Mat4::from_translation(self.translation)
            * Mat4::from_quat(self.rotation)
            * Mat4::from_scale(self.scale)
    }
}

/// `roots`: the list of the scene.
fn world_matrices(
    nodes: &[Node],
    roots: &[usize],
) -> Vec<Mat4> {
    let mut world = vec![Mat4::IDENTITY; nodes.len()];
    for &root in roots {
        walk(nodes, root, Mat4::IDENTITY, &mut world);
    }
    world
}

fn walk(
    nodes: &[Node],
    node: usize,
    world_from_parent: Mat4,
    world: &mut [Mat4],
) {
    let parent_from_node = nodes[node].parent_from_node();
    world[node] = world_from_parent * parent_from_node;
    for &child in &nodes[node].children {
        walk(nodes, child, world[node], world);
    }
}
// end scene-graph

#[test]
fn the_walk_computes_the_world_matrices_of_the_whale_even_if_children_are_listed_first() {
    let rig = bindpose_rigs::builtin("whale").unwrap();
    let pose = rig.posed(|name| Some(0.01 * name.len() as f64)).pose;
    let skeleton = &rig.skeleton;
    // Nodes are numbered from the last joint to the first.
    let count = skeleton.len();
    let number = |joint: bindpose_skin::JointIndex| count - 1 - joint.index();
    let (mut nodes, mut roots) = (Vec::new(), Vec::new());
    for joint in skeleton.indices() {
        let local = pose.matrix(joint).unwrap();
        let (scale, rotation, translation) = local.to_scale_rotation_translation();
        nodes.push(Node { translation, rotation, scale, children: Vec::new() });
    }
    nodes.reverse();
    for (joint, stored) in skeleton.indices().zip(skeleton.joints()) {
        match stored.parent {
            Some(parent) => nodes[number(parent)].children.push(number(joint)),
            None => roots.push(number(joint)),
        }
    }
    let world = world_matrices(&nodes, &roots);
    let expected = skeleton.world_from_joint(&pose);
    for joint in skeleton.indices() {
        let found = world[number(joint)];
        assert!(found.abs_diff_eq(expected[joint.index()], 1e-4), "{joint:?}");
    }
}
