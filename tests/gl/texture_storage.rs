//! The program of the lesson on texture storage: its shaders, by every way that it
//! shows, and the JavaScript around them.

use bindpose_render::headless::HeadlessGl;
use serde_json::json;

use super::*;
use crate::webgl_calls::{Device, call_again, calls_of};

/// A fragment shader for the language of WebGL 1.
const WHITE_1: &str = "#version 100\nprecision highp float;\n\
    void main() { gl_FragColor = vec4(1.0); }\n";

const POSITION: [(&str, usize); 1] = [("gl_Position", 4)];
const NAMES: [&str; 3] = ["position_in_bind", "joints", "weights"];

const WEBGL_2: Device = Device { extensions: &[], vertex_texture_units: 16 };
const WEBGL_1: Device = Device { extensions: &["OES_texture_float"], vertex_texture_units: 4 };

/// The grid of the lesson, every joint at an angle of its own.
fn poses() -> impl Iterator<Item = Posed> {
    let angles = [[0.0; 3], [0.8; 3], [-1.3, 0.4, 2.1]];
    angles
        .into_iter()
        .map(|[b0, b1, b2]| Posed::new("bone_grid", &[("b0", b0), ("b1", b1), ("b2", b2)]))
}

/// Position, joints and weights, the joints as floats.
fn set_floats(posed: &Posed, program: &ListingProgram) {
    let mesh = &posed.rig.mesh;
    let [positions, joints, weights] = attributes(posed);
    assert_eq!(joints.len(), 4 * mesh.positions.len());
    program.floats(NAMES[0], 3, &positions);
    program.floats(NAMES[1], 4, &joints);
    program.floats(NAMES[2], 4, &weights);
}

fn attributes(posed: &Posed) -> [Vec<f32>; 3] {
    let mesh = &posed.rig.mesh;
    let lanes = |lane: &dyn Fn(&bindpose_skin::Influences, usize) -> f32| {
        let all = mesh.influences.iter();
        all.flat_map(|one| [0, 1, 2, 3].map(|index| lane(one, index))).collect()
    };
    [
        mesh.positions.iter().flat_map(Vec3::to_array).collect(),
        lanes(&|one, lane| f32::from(one.joints[lane].0)),
        lanes(&|one, lane| one.weights[lane]),
    ]
}

/// Four texels a row, one row a joint.
fn texels(posed: &Posed) -> Vec<[f32; 4]> {
    let columns = posed.world_from_bind.iter().flat_map(Mat4::to_cols_array_2d);
    columns.collect()
}

#[test]
fn the_four_terms_skin_the_grid_in_webgl_2_and_as_changed_for_webgl_1() {
    let name = "the_four_terms_skin_the_grid_in_webgl_2_and_as_changed_for_webgl_1";
    let Some(gl) = es(name) else { return };
    let listing = shown("uniform-palette");
    let mut older = listing
        .replace("#version 300 es\n", "")
        .replace("in vec4 ", "attribute vec4 ")
        .replace("in uvec4 ", "attribute vec4 ");
    for lane in 0..4 {
        let whole = format!("int(joints[{lane}])");
        older = older.replace(&format!("joints[{lane}]"), &whole);
    }
    for (vertex, fragment, whole) in [(&listing, WHITE, true), (&older, WHITE_1, false)] {
        let program = ListingProgram::new(&gl, vertex, fragment, &POSITION);
        for posed in poses() {
            if whole {
                posed.set_mesh(&program, NAMES);
            } else {
                set_floats(&posed, &program);
            }
            program.matrices("projection", &[Mat4::IDENTITY]);
            program.matrices("view", &[Mat4::IDENTITY]);
            program.matrices("joint_matrices", &posed.world_from_bind);
            assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
        }
    }
}

#[test]
fn both_texture_shaders_skin_the_grid() {
    let Some(gl) = es("both_texture_shaders_skin_the_grid") else {
        return;
    };
    let by_number = shown("palette-texel-fetch");
    let by_centre = shown("palette-texel-centres");
    for (vertex, fragment, whole) in [(&by_number, WHITE, true), (&by_centre, WHITE_1, false)] {
        let mut program = ListingProgram::new(&gl, vertex, fragment, &POSITION);
        for posed in poses() {
            let joints = posed.world_from_bind.len();
            if whole {
                posed.set_mesh(&program, NAMES);
            } else {
                set_floats(&posed, &program);
                program.vector("joint_count", &[joints as f32]);
            }
            program.matrices("clip_from_world", &[Mat4::IDENTITY]);
            program.texture("palette", [4, joints as i32], &texels(&posed));
            assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
        }
    }
}

#[test]
fn the_block_of_256_joints_skins_the_grid() {
    let Some(gl) = es("the_block_of_256_joints_skins_the_grid") else {
        return;
    };
    let program = ListingProgram::new(&gl, &shown("palette-block"), WHITE, &POSITION);
    for posed in poses() {
        posed.set_mesh(&program, NAMES);
        program.matrices("clip_from_world", &[Mat4::IDENTITY]);
        let mut columns = texels(&posed);
        columns.resize(4 * 256, [0.0; 4]);
        assert_eq!(size_of_val(columns.as_slice()), 16_384, "as the page says");
        program.block("Palette", &columns);
        assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
    }
}

/// What the lesson says that a program has: names and arrays.
fn before(posed: &Posed) -> String {
    let [positions, joints, weights] = attributes(posed).map(|numbers| json!(numbers));
    let lines = json!(posed.rig.mesh.lines.concat());
    let count = posed.world_from_bind.len();
    format!(
        "const program = {{}}, jointCount = {count};\n\
         const positions = new Float32Array({positions}), weights = new Float32Array({weights});\n\
         const jointIndices = new Uint8Array({joints}), lines = new Uint16Array({lines});\n"
    )
}

/// The joint matrices, one array each.
fn matrices(posed: &Posed) -> String {
    let all = posed.world_from_bind.iter();
    json!(all.map(|matrix| matrix.to_cols_array().to_vec()).collect::<Vec<_>>()).to_string()
}

fn ask(gl: &HeadlessGl, program: &ListingProgram, script: &str, device: &Device) {
    let calls = calls_of(script, device).unwrap_or_else(|thrown| panic!("{thrown}\n{script}"));
    call_again(&gl.gl(), program.program(), &calls);
}

#[test]
fn the_javascript_of_the_lesson_draws_the_grid_through_its_texture() {
    let name = "the_javascript_of_the_lesson_draws_the_grid_through_its_texture";
    let Some(gl) = es(name) else { return };
    let listings = [shown("palette-texture"), shown("skin-draw")].join("\n");
    let small = Mat4::from_scale(Vec3::new(0.1, 0.1, 1.0));
    let vertex = shown("palette-texel-fetch");
    for posed in poses() {
        let program = ListingProgram::new(&gl, &vertex, WHITE, &POSITION);
        let clip_from_world = json!(small.to_cols_array().to_vec());
        let script = format!(
            "{}{listings}\ndraw(new Float32Array({clip_from_world}), {});",
            before(&posed),
            matrices(&posed)
        );
        program.draw(&[]);
        ask(&gl, &program, &script, &WEBGL_2);
        assert!(covered(&program.pixels()) > 20, "thirteen lines");
        let found = program.read(posed.count());
        let expected: Vec<Vec3> =
            posed.positions().iter().map(|&p| small.transform_point3(p)).collect();
        assert_near(&found, 0, &expected, 1e-5);
    }
}

#[test]
fn the_javascript_for_webgl_1_asks_and_uploads_a_float_texture() {
    let name = "the_javascript_for_webgl_1_asks_and_uploads_a_float_texture";
    let Some(gl) = es(name) else { return };
    let older = shown("palette-texture-webgl1");
    let (begin, _) = shown("palette-texture")
        .split_once("function uploadPalette")
        .map(|(begin, rest)| (begin.to_owned(), rest.to_owned()))
        .expect("the texture is made before");
    for posed in poses() {
        let program = ListingProgram::new(&gl, &shown("palette-texel-centres"), WHITE_1, &POSITION);
        let script = format!(
            "{}{begin}{older}\n{}.forEach((matrix, joint) => floats.set(matrix, 16 * joint));\n\
             upload(floats, jointCount);",
            before(&posed),
            matrices(&posed)
        );
        set_floats(&posed, &program);
        program.vector("joint_count", &[posed.world_from_bind.len() as f32]);
        program.matrices("clip_from_world", &[Mat4::IDENTITY]);
        ask(&gl, &program, &script, &WEBGL_1);
        assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
        for lacking in
            [Device { extensions: &[], ..WEBGL_1 }, Device { vertex_texture_units: 0, ..WEBGL_1 }]
        {
            let thrown = calls_of(&script, &lacking).unwrap_err();
            assert!(thrown.contains("no palette texture"), "{thrown}");
        }
    }
}

#[test]
fn names_that_webgl_does_not_have_are_found() {
    let thrown = calls_of("gl.bindTexture(gl.TEXTURE_2d, null);", &WEBGL_2);
    assert!(thrown.is_ok(), "not all capitals: a call");
    let thrown = calls_of("gl.bindTexture(gl.TEXTURES_2D, null);", &WEBGL_2).unwrap_err();
    assert!(thrown.contains("WebGL has no TEXTURES_2D"), "{thrown}");
}
