//! A mesh without a skin, drawn where its node is.

#![expect(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the program on the page calls GL itself"
)]

use eframe::glow;

// begin unskinned-draw
use glam::Mat4;
use glow::{Context, HasContext};

/// A node that names a mesh, and that mesh on the card.
struct MeshNode {
    node: usize,
    vertices: glow::VertexArray,
    index_count: i32,
}

/// Draws each mesh where its node is.
fn draw_unskinned(
    gl: &Context,
    program: glow::Program,
    mesh_nodes: &[MeshNode],
    world_from_node: &[Mat4],
) {
    unsafe {
        gl.use_program(Some(program));
        let place =
            gl.get_uniform_location(program, "world_from_node");
        for mesh in mesh_nodes {
            let world = world_from_node[mesh.node];
            gl.uniform_matrix_4_f32_slice(
                place.as_ref(),
                false,
                &world.to_cols_array(),
            );
            gl.bind_vertex_array(Some(mesh.vertices));
            gl.draw_elements(
                glow::TRIANGLES,
                mesh.index_count,
                glow::UNSIGNED_INT,
                0,
            );
        }
    }
}
// end unskinned-draw

use bindpose_render::headless::HeadlessGl;
use bindpose_rigs::builtin;
use glam::{Vec3, vec3};

use crate::common::context_or_skip;
use crate::listing_program::ListingProgram;
use crate::listings::shown;

#[test]
fn without_a_skin_the_whale_is_drawn_where_its_node_is() {
    let name = "without_a_skin_the_whale_is_drawn_where_its_node_is";
    let Some(headless) = context_or_skip(name, HeadlessGl::new_es) else {
        return;
    };
    let gl = headless.gl();
    let rig = builtin("whale").expect("built in");
    let mesh = &rig.mesh;
    let outputs = [("gl_Position", 4), ("v_normal", 3)];
    let program =
        ListingProgram::new(&headless, &shown("mesh-vertex"), &shown("half-lambert"), &outputs);
    let positions: Vec<f32> = mesh.positions.iter().flat_map(Vec3::to_array).collect();
    program.floats("position", 3, &positions);
    let normals: Vec<f32> = mesh.normals.iter().flat_map(Vec3::to_array).collect();
    program.floats("normal", 3, &normals);
    program.vector("l", &[0.0, 1.0, 0.0]);
    program.vector("base_color", &[1.0, 1.0, 1.0]);
    // Seen from its left side, with 8 units across the picture.
    let view = Mat4::from_scale(Vec3::splat(0.25)) * Mat4::from_rotation_y(-1.571);
    program.matrices("clip_from_world", &[view]);
    // The first draw fills the index buffer.
    program.draw(&mesh.triangles);

    let moved = Mat4::from_translation(vec3(0.5, 1.0, -0.5));
    let world_from_node = [
        Mat4::IDENTITY,
        moved * Mat4::from_rotation_x(0.7) * Mat4::from_scale(Vec3::splat(0.5)),
    ];
    for (node, world) in world_from_node.iter().enumerate() {
        let mesh_node = MeshNode {
            node,
            vertices: program.vertices(),
            index_count: 3 * mesh.triangles.len() as i32,
        };
        unsafe { gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT) };
        draw_unskinned(&gl, program.program(), &[mesh_node], &world_from_node);
        assert!(program.pixels().iter().any(|pixel| pixel[3] > 0), "node {node} draws nothing");

        let found = program.read(mesh.positions.len());
        for (vertex, found) in found.iter().enumerate() {
            let position = view.transform_point3(world.transform_point3(mesh.positions[vertex]));
            let normal = world.transform_vector3(mesh.normals[vertex]);
            for (found, expected) in [(&found[..3], position), (&found[4..], normal)] {
                let off = (Vec3::from_slice(found) - expected).abs().max_element();
                assert!(off < 1e-5, "vertex {vertex} at node {node}: {found:?} for {expected}");
            }
        }
    }
}
