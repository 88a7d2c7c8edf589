//! Parameters that change stored data.

use std::sync::Arc;

use glam::Vec3;

use crate::builtin;

#[test]
fn stored_vertices_are_moved_once_and_can_be_moved_back() {
    fn stored_x(x: f64) -> impl Fn(&str) -> Option<f64> {
        move |name| (name == "stored_x").then_some(x)
    }
    let rig = builtin("simple_skin").unwrap();
    assert!(Arc::ptr_eq(&rig, &rig.as_stored(stored_x(0.0))));
    let moved = rig.as_stored(stored_x(0.5));
    assert_eq!(moved.mesh.positions[0], Vec3::ZERO);
    let again = moved.as_stored(stored_x(0.5));
    assert!(Arc::ptr_eq(&moved, &again), "not a second time");
    let back = moved.as_stored(stored_x(0.0));
    assert_eq!(back.mesh.positions, rig.mesh.positions);
}

#[test]
fn a_bind_shape_moves_the_mesh_and_no_joint() {
    let rig = builtin("simple_skin").unwrap();
    let value = |name: &str| (name == "shape_x").then_some(-0.5);
    let (moved, posed) = (rig.posed(value), rig.posed(|_| None));
    assert_eq!(moved.pose, posed.pose);
    for (world_from_bind, joint) in rig.world_from_bind(value).iter().zip(0..) {
        let by = world_from_bind.transform_point3(Vec3::ZERO);
        assert_eq!(by, Vec3::X * -0.5, "joint {joint}");
    }
}
