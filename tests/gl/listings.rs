//! The complete shaders of the lessons. Each is compiled from the text of the page by OpenGL ES 3,
//! which supports the shading languages of WebGL 1 and 2, and its output for a built-in rig is
//! compared with the reference.

use std::collections::BTreeSet;

use bindpose_gltf::Rig;
use bindpose_render::headless::HeadlessGl;
use bindpose_rigs::builtin;
use bindpose_skin::{Blend, JointIndex, NormalRule, reference};
use glam::{Mat4, Vec3, vec3};

use crate::common::{TestGl, context_or_skip};
use crate::listing_program::{ListingProgram, SIDE};
use crate::shown_listings::{all_named, all_shown};

mod texture_storage;

/// Shaders with a test in this file or in the modules above.
const RUN_HERE: [&str; 9] = [
    "gltf-skin",
    "normals-vertex",
    "half-lambert",
    "uniform-palette",
    "palette-texel-fetch",
    "palette-texel-centres",
    "palette-block",
    // Tested with their programs in `tests/listings/whale_skin.rs` and `unskinned.rs`.
    "whale-vertex",
    "mesh-vertex",
];

/// JavaScript listings, run by `texture_storage.rs`.
const SCRIPTS: [&str; 6] = [
    "palette-uniforms",
    "palette-texture",
    "skin-draw",
    "webgl1-check",
    "webgl1-rows",
    "webgl1-attributes",
];

/// Fragment shader for tests that only read back vertices.
const WHITE: &str = "#version 300 es\nprecision highp float;\nout vec4 color;\n\
    void main() { color = vec4(1.0); }\n";

/// Returns the text of a listing as on the page.
pub(crate) fn shown(name: &str) -> String {
    let found = all_shown().into_iter().find(|shown| shown.name == name);
    let why = || panic!("no lesson shows a listing `{name}`: {:?}", all_named());
    found.unwrap_or_else(why).text
}

#[test]
fn every_completely_listed_shader_is_run() {
    for (language, run) in [("glsl", RUN_HERE.as_slice()), ("js", SCRIPTS.as_slice())] {
        let all = all_shown().into_iter();
        let names = all.filter(|shown| shown.language == language);
        let names: BTreeSet<String> = names.map(|shown| shown.name).collect();
        let run: BTreeSet<String> = run.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(names, run, "{language} on the pages, and run by tests");
    }
}

fn es(test_name: &str) -> Option<TestGl> {
    context_or_skip(test_name, HeadlessGl::new_es)
}

/// A posed rig with its reference positions and normals.
struct Posed {
    rig: std::sync::Arc<Rig>,
    world_from_bind: Vec<Mat4>,
}

impl Posed {
    fn new(id: &str, values: &[(&str, f64)]) -> Self {
        let rig = builtin(id).expect("built in");
        let value = |name: &str| {
            let found = values.iter().find(|(known, _)| *known == name);
            found.map(|&(_, value)| value)
        };
        let world_from_bind = rig.world_from_bind(value);
        Self { rig, world_from_bind }
    }

    fn count(&self) -> usize {
        self.rig.mesh.positions.len()
    }

    /// Positions, computed in 64-bit floats.
    fn positions(&self) -> Vec<Vec3> {
        let mesh = &self.rig.mesh;
        let palette: Vec<_> = self.world_from_bind.iter().map(Mat4::as_dmat4).collect();
        let vertices = mesh.positions.iter().zip(&mesh.influences);
        let skinned = vertices.map(|(&position, influences)| {
            reference::skin_position(position.as_dvec3(), influences, &palette).as_vec3()
        });
        skinned.collect()
    }

    /// Unit normals by a rule, computed in 64-bit floats.
    fn normals(&self, rule: NormalRule) -> Vec<Vec3> {
        let mesh = &self.rig.mesh;
        let palette: Vec<_> = self.world_from_bind.iter().map(Mat4::as_dmat4).collect();
        let vertices = mesh.normals.iter().zip(&mesh.influences);
        let moved = vertices.map(|(normal, influences)| {
            let skin = reference::skin_matrix(Blend::Linear, influences, &palette);
            reference::moved_normal(rule, normal.as_dvec3(), skin).as_vec3()
        });
        moved.collect()
    }

    /// Sets the attributes of position, joints and weights with these names.
    fn set_mesh(&self, program: &ListingProgram, [position, joints, weights]: [&str; 3]) {
        let mesh = &self.rig.mesh;
        let positions: Vec<f32> = mesh.positions.iter().flat_map(Vec3::to_array).collect();
        program.floats(position, 3, &positions);
        let lanes = mesh.influences.iter();
        let numbers: Vec<u32> = lanes
            .clone()
            .flat_map(|influences| [0, 1, 2, 3].map(|lane| u32::from(influences.joints[lane].0)))
            .collect();
        program.integers(joints, 4, &numbers);
        let numbers: Vec<f32> = lanes
            .flat_map(|influences| [0, 1, 2, 3].map(|lane| influences.weights[lane]))
            .collect();
        program.floats(weights, 4, &numbers);
    }
}

#[track_caller]
fn assert_near(found: &[Vec<f32>], at: usize, expected: &[Vec3], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (vertex, (found, expected)) in found.iter().zip(expected).enumerate() {
        let found = Vec3::from_slice(&found[at..]);
        let off = (found - *expected).abs().max_element();
        assert!(off <= tolerance, "vertex {vertex}: {found} for {expected}");
    }
}

/// Counts the pixels that differ from the clear color.
fn covered(pixels: &[[u8; 4]]) -> usize {
    pixels.iter().filter(|pixel| pixel[3] > 0).count()
}

#[test]
fn the_vertex_shader_of_the_gltf_way_bends_the_strip() {
    let Some(gl) = es("the_vertex_shader_of_the_gltf_way_bends_the_strip") else {
        return;
    };
    let program = ListingProgram::new(&gl, &shown("gltf-skin"), WHITE, &[("gl_Position", 4)]);
    for bend in [0.0, 45.0, -120.0_f64] {
        let posed = Posed::new("simple_skin", &[("bend", bend.to_radians())]);
        posed.set_mesh(&program, ["position", "joints", "weights"]);
        program.matrices("joint_matrices", &posed.world_from_bind);
        program.matrices("clip_from_world", &[Mat4::IDENTITY]);
        assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
        // The strip is in the middle of a picture of 4 × 4 units.
        let view = Mat4::from_translation(vec3(0.0, -0.5, 0.0));
        let view = Mat4::from_scale(Vec3::splat(0.5)) * view;
        program.matrices("clip_from_world", &[view]);
        let share = covered(&program.draw(&posed.rig.mesh.triangles)) as f32 / (SIDE * SIDE) as f32;
        assert!((0.05..0.2).contains(&share), "{share} at {bend}°");
    }
}

#[test]
fn the_shaders_of_the_lesson_on_normals_keep_right_angles_and_light_the_ball() {
    let name = "the_shaders_of_the_lesson_on_normals_keep_right_angles_and_light_the_ball";
    let Some(gl) = es(name) else {
        return;
    };
    let right = shown("normals-vertex");
    let shorter = right.replace("normal_matrix(mat3(S))", "mat3(S)");
    assert_ne!(right, shorter, "what the page says to write instead");
    let fragment = shown("half-lambert");
    let outputs = [("gl_Position", 4), ("v_normal", 3)];
    for (vertex, rule) in
        [(&right, NormalRule::InverseTranspose), (&shorter, NormalRule::SkinMatrix)]
    {
        let program = ListingProgram::new(&gl, vertex, &fragment, &outputs);
        for (lean, squash) in [(0.7, 1.0), (0.0, 0.4), (0.7, 0.4), (0.3, -1.0)] {
            let posed = Posed::new("ball", &[("lean", lean), ("squash", squash)]);
            let mesh = &posed.rig.mesh;
            posed.set_mesh(&program, ["position", "joints", "weights"]);
            let normals: Vec<f32> = mesh.normals.iter().flat_map(Vec3::to_array).collect();
            program.floats("normal", 3, &normals);
            program.matrices("joint_matrices", &posed.world_from_bind);
            program.matrices("clip_from_world", &[Mat4::IDENTITY]);
            let mut found = program.read(posed.count());
            assert_near(&found, 0, &posed.positions(), 1e-5);
            for vertex in &mut found {
                let unit = Vec3::from_slice(&vertex[4..]).normalize_or_zero();
                vertex[4..].copy_from_slice(&unit.to_array());
            }
            assert_near(&found, 4, &posed.normals(rule), 1e-4);
        }
        // At rest and lit from above, the ball is bright on top, dark below and never black.
        let posed = Posed::new("ball", &[]);
        program.matrices("joint_matrices", &posed.world_from_bind);
        program.vector("l", &[0.0, 1.0, 0.0]);
        program.vector("base_color", &[1.0, 1.0, 1.0]);
        let view = Mat4::from_scale(vec3(0.8, 0.8, -0.4));
        let view = view * Mat4::from_translation(vec3(0.0, -1.0, 0.0));
        program.matrices("clip_from_world", &[view]);
        let mesh = &posed.rig.mesh;
        let of_ball = |&index: &u32| mesh.influences[index as usize].strongest() == JointIndex(1);
        let ball = mesh.triangles.iter().filter(|corners| corners.iter().all(of_ball));
        let pixels = program.draw(&ball.copied().collect::<Vec<_>>());
        let middle = |row: i32| pixels[(row * SIDE + SIDE / 2) as usize];
        let share = covered(&pixels) as f32 / (SIDE * SIDE) as f32;
        assert!((0.3..0.7).contains(&share), "{share} of the picture");
        let lit: Vec<u8> = (0..SIDE).map(middle).filter(|p| p[3] > 0).map(|p| p[0]).collect();
        assert!(lit.is_sorted(), "from below upwards: {lit:?}");
        assert!(lit[0] < 60 && *lit.last().unwrap() > 195, "{lit:?}");
    }
}
