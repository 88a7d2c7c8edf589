//! The walk down a scene graph.

use glam::Mat4;

// begin scene-graph-walk
fn walk(
    node: usize,
    world_from_parent: Mat4,
    local: &[Mat4],
    children: &[Vec<usize>],
    world: &mut [Mat4],
) {
    world[node] =
        world_from_parent * local[node];
    for &child in &children[node] {
        walk(child, world[node],
            local, children, world);
    }
}
// end scene-graph-walk

#[test]
fn the_walk_comes_to_the_world_matrices_of_the_whale_though_children_are_listed_first() {
    let rig = bindpose_asset::builtin("whale").unwrap();
    let pose = rig.posed(|name| Some(0.01 * name.len() as f64)).pose;
    let skeleton = &rig.skeleton;
    // Numbered from the last joint to the first.
    let count = skeleton.len();
    let number = |joint: bindpose_skin::JointIndex| count - 1 - joint.index();
    let mut local = vec![Mat4::IDENTITY; count];
    let mut children = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for (joint, stored) in skeleton.indices().zip(skeleton.joints()) {
        local[number(joint)] = pose.matrix(joint).unwrap();
        match stored.parent {
            Some(parent) => children[number(parent)].push(number(joint)),
            None => roots.push(number(joint)),
        }
    }
    let mut world = vec![Mat4::ZERO; count];
    for root in roots {
        walk(root, Mat4::IDENTITY, &local, &children, &mut world);
    }
    let expected = skeleton.world_from_joint(&pose);
    for joint in skeleton.indices() {
        let found = world[number(joint)];
        assert!(found.abs_diff_eq(expected[joint.index()], 1e-4), "{joint:?}");
    }
}
