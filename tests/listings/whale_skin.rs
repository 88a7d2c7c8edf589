//! The skin of the whale: its joints moved, its palette made, its mesh drawn.

#![expect(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the program on the page calls GL itself"
)]

#[path = "gltf_load.rs"]
#[rustfmt::skip]
mod gltf_load;

use eframe::glow;

// begin whale-nodes
use glam::Mat4;
use glow::{Context, HasContext};

/// One of `nodes`. Parents come before their children.
struct Node {
    parent: Option<usize>,
    parent_from_node: Mat4,
}

/// One of `skins`, and the texture with its palette.
struct Skin {
    joints: Vec<usize>,
    joint_from_bind: Vec<Mat4>,
    palette: glow::Texture,
}

/// Its attributes, and how many indices it has.
struct Mesh {
    vertices: glow::VertexArray,
    indices: i32,
}
// end whale-nodes

// begin whale-pose
/// The articles' motion: each joint about its own x axis.
fn turned(rest: &[Node], joints: &[usize], angle: f32) -> Vec<Mat4> {
    let mut local = Vec::new();
    for node in rest {
        local.push(node.parent_from_node);
    }
    for &node in joints {
        local[node] *= Mat4::from_rotation_x(angle);
    }
    local
}

fn world_from_node(nodes: &[Node], local: &[Mat4]) -> Vec<Mat4> {
    let mut world: Vec<Mat4> = Vec::new();
    for (node, &own) in nodes.iter().zip(local) {
        world.push(match node.parent {
            Some(parent) => world[parent] * own,
            None => own,
        });
    }
    world
}
// end whale-pose

// begin whale-palette
impl Skin {
    /// Once: a texture that is read texel by texel.
    fn new(gl: &Context, joints: Vec<usize>, binds: Vec<Mat4>) -> Self {
        let palette = unsafe { gl.create_texture().expect("a texture") };
        for (key, value) in [
            (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
            (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
        ] {
            unsafe {
                gl.bind_texture(glow::TEXTURE_2D, Some(palette));
                gl.tex_parameter_i32(glow::TEXTURE_2D, key, value as i32);
            }
        }
        Self { joints, joint_from_bind: binds, palette }
    }

    /// In every frame: one row of four texels for each joint.
    fn update(&self, gl: &Context, world_from_node: &[Mat4]) {
        let mut texels = Vec::new();
        for (place, &node) in self.joints.iter().enumerate() {
            let inverse_bind = self.joint_from_bind[place];
            let joint_matrix = world_from_node[node] * inverse_bind;
            for number in joint_matrix.to_cols_array() {
                texels.extend(number.to_ne_bytes());
            }
        }
        unsafe {
            gl.bind_texture(glow::TEXTURE_2D, Some(self.palette));
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                glow::RGBA32F as i32,
                4,
                self.joints.len() as i32,
                0,
                glow::RGBA,
                glow::FLOAT,
                glow::PixelUnpackData::Slice(Some(&texels)),
            );
        }
    }
}
// end whale-palette

// begin whale-draw
/// In the pose that `update` has written.
fn draw(
    gl: &Context,
    (skin, mesh): (&Skin, &Mesh),
    program: glow::Program,
    clip_from_world: Mat4,
) {
    let clip = clip_from_world.to_cols_array();
    unsafe {
        gl.use_program(Some(program));
        let uniform = |name| gl.get_uniform_location(program, name);
        let matrix = uniform("clip_from_world");
        gl.uniform_matrix_4_f32_slice(matrix.as_ref(), false, &clip);
        gl.uniform_3_f32(uniform("l").as_ref(), 0.0, 1.0, 0.0);
        let color = uniform("base_color");
        gl.uniform_3_f32(color.as_ref(), 0.2, 0.25, 0.3);
        gl.bind_texture(glow::TEXTURE_2D, Some(skin.palette));
        gl.bind_vertex_array(Some(mesh.vertices));
        gl.draw_elements(
            glow::TRIANGLES,
            mesh.indices,
            glow::UNSIGNED_INT,
            0,
        );
    }
}
// end whale-draw

// begin whale-frame
/// `time` seconds after the start.
fn frame(
    gl: &Context,
    (nodes, skin, mesh): (&[Node], &Skin, &Mesh),
    program: glow::Program,
    (clip_from_world, time): (Mat4, f32),
) {
    let angle = 0.5 * time.sin();
    let local = turned(nodes, &skin.joints, angle);
    skin.update(gl, &world_from_node(nodes, &local));
    draw(gl, (skin, mesh), program, clip_from_world);
}
// end whale-frame

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_rigs::builtin;
use bindpose_render::headless::HeadlessGl;
use bindpose_skin::reference;
use glam::{Vec3, vec3};

use crate::common::context_or_skip;
use crate::listing_program::{ListingProgram, SIDE};
use crate::listings::shown;

/// The nodes of a file: first that of the mesh, which is moved and must change nothing, then the
/// joints.
fn nodes_of(rig: &Rig) -> Vec<Node> {
    let rest = rig.skeleton.rest_pose();
    let joints = rig.skeleton.indices().map(|joint| Node {
        parent: rig.skeleton.joints()[joint.index()].parent.map(|parent| parent.index() + 1),
        parent_from_node: rest.matrix(joint).expect("a joint of the rig"),
    });
    let of_mesh = Node { parent: None, parent_from_node: Mat4::from_scale(Vec3::splat(0.5)) };
    [of_mesh].into_iter().chain(joints).collect()
}

/// Positions with every joint at this angle, computed in 64-bit floats.
fn reference_positions(rig: &Rig, angle_rad: f64) -> Vec<Vec3> {
    let is_angle = |name: &str| rig.param(name).is_some_and(|param| param.kind.is_angle());
    let palette = rig.world_from_bind(|name| is_angle(name).then_some(angle_rad));
    let palette: Vec<_> = palette.iter().map(Mat4::as_dmat4).collect();
    let vertices = rig.mesh.positions.iter().zip(&rig.mesh.influences);
    vertices
        .map(|(position, influences)| {
            reference::skin_position(position.as_dvec3(), influences, &palette).as_vec3()
        })
        .collect()
}

fn set_mesh(program: &ListingProgram, rig: &Rig) {
    let mesh = &rig.mesh;
    let positions: Vec<f32> = mesh.positions.iter().flat_map(Vec3::to_array).collect();
    program.floats("position", 3, &positions);
    let normals: Vec<f32> = mesh.normals.iter().flat_map(Vec3::to_array).collect();
    program.floats("normal", 3, &normals);
    let lanes = || mesh.influences.iter();
    let joints = lanes().flat_map(|of| [0, 1, 2, 3].map(|lane| u32::from(of.joints[lane].0)));
    program.integers("joints", 4, &joints.collect::<Vec<_>>());
    let weights = lanes().flat_map(|of| [0, 1, 2, 3].map(|lane| of.weights[lane]));
    program.floats("weights", 4, &weights.collect::<Vec<_>>());
}

fn clear(gl: &Context) {
    unsafe { gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT) };
}

/// Returns the share of the picture's pixels that are drawn.
fn covered(gl: &Context) -> f32 {
    let mut pixels = vec![0; (SIDE * SIDE * 4) as usize];
    unsafe {
        let into = glow::PixelPackData::Slice(Some(&mut pixels));
        gl.read_pixels(0, 0, SIDE, SIDE, glow::RGBA, glow::UNSIGNED_BYTE, into);
        assert_eq!(gl.get_error(), glow::NO_ERROR);
    }
    let drawn = pixels.chunks_exact(4).filter(|pixel| pixel[3] > 0).count();
    drawn as f32 / (SIDE * SIDE) as f32
}

#[test]
fn the_program_of_the_whale_moves_and_draws_it_as_the_page_does() {
    let name = "the_program_of_the_whale_moves_and_draws_it_as_the_page_does";
    let Some(headless) = context_or_skip(name, HeadlessGl::new_es) else {
        return;
    };
    let rig: Arc<Rig> = builtin("whale").expect("built in");
    let nodes = nodes_of(&rig);
    let outputs = [("gl_Position", 4)];
    let program =
        ListingProgram::new(&headless, &shown("whale-vertex"), &shown("half-lambert"), &outputs);
    set_mesh(&program, &rig);
    // Seen from its left side, with 8 units across the picture.
    let view = Mat4::from_scale(Vec3::splat(0.25)) * Mat4::from_rotation_y(-1.571);
    let gl = headless.gl();
    let joints: Vec<usize> = (1..nodes.len()).collect();
    let skin = Skin::new(&gl, joints, rig.skeleton.joint_from_bind());
    // The first draw fills the index buffer. With an empty texture all vertices are at one point.
    program.draw(&rig.mesh.triangles);
    let mesh = Mesh {
        vertices: program.vertices(),
        indices: 3 * rig.mesh.triangles.len() as i32,
    };

    for time in [0.0, 1.0, 4.0_f32] {
        clear(&gl);
        frame(&gl, (&nodes, &skin, &mesh), program.program(), (view, time));
        let part = covered(&gl);
        assert!((0.05..0.4).contains(&part), "{part} of the picture at {time} s");

        let found = program.read(rig.mesh.positions.len());
        let expected = reference_positions(&rig, 0.5 * f64::from(time.sin()));
        for (vertex, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!((found[3] - 1.0).abs() < 1e-5, "w is the sum of the weights");
            let expected = view.transform_point3(*expected);
            let off = (vec3(found[0], found[1], found[2]) - expected).abs().max_element();
            assert!(off < 1e-5, "vertex {vertex} at {time} s: {found:?} for {expected}");
        }
    }
}
