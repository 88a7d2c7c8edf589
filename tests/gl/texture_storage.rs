//! The program of the lesson on texture storage: its shaders for all transports that it shows, and
//! its JavaScript.

use std::sync::Arc;

use bindpose_render::headless::HeadlessGl;
use serde_json::{Value, json};

use super::*;
use crate::webgl_calls::{Device, call_again, calls_of};

/// A fragment shader in the shading language of WebGL 1.
const WHITE_1: &str = "#version 100\nprecision highp float;\n\
    void main() { gl_FragColor = vec4(1.0); }\n";

const POSITION: [(&str, usize); 1] = [("gl_Position", 4)];
const NAMES: [&str; 3] = ["position_in_bind", "joints", "weights"];

const WEBGL_2: Device = Device { extensions: &[], vertex_texture_units: 16 };
const WEBGL_1: Device = Device { extensions: &["OES_texture_float"], vertex_texture_units: 4 };

/// The grid of the lesson, posed with a different angle for each joint.
fn poses() -> impl Iterator<Item = Posed> {
    let angles = [[0.0; 3], [0.8; 3], [-1.3, 0.4, 2.1]];
    angles
        .into_iter()
        .map(|[b0, b1, b2]| Posed::new("bone_grid", &[("b0", b0), ("b1", b1), ("b2", b2)]))
}

/// Sets position, joints and weights, with joints as floats.
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

/// Texels of a palette texture with a row of four texels per joint.
fn texels(posed: &Posed) -> Vec<[f32; 4]> {
    let columns = posed.world_from_bind.iter().flat_map(Mat4::to_cols_array_2d);
    columns.collect()
}

#[test]
fn the_four_terms_skin_the_grid() {
    let Some(gl) = es("the_four_terms_skin_the_grid") else {
        return;
    };
    let program = ListingProgram::new(&gl, &shown("uniform-palette"), WHITE, &POSITION);
    for posed in poses() {
        posed.set_mesh(&program, NAMES);
        program.matrices("projection", &[Mat4::IDENTITY]);
        program.matrices("view", &[Mat4::IDENTITY]);
        program.matrices("joint_matrices", &posed.world_from_bind);
        assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
    }
}

#[test]
fn the_call_that_fills_the_array_skins_the_grid() {
    let Some(gl) = es("the_call_that_fills_the_array_skins_the_grid") else {
        return;
    };
    let listing = shown("palette-uniforms");
    for posed in poses() {
        let program = ListingProgram::new(&gl, &shown("uniform-palette"), WHITE, &POSITION);
        posed.set_mesh(&program, NAMES);
        program.matrices("projection", &[Mat4::IDENTITY]);
        program.matrices("view", &[Mat4::IDENTITY]);
        let matrices = json_matrices(&posed);
        let script = format!("const program = {{}}, matrices = {matrices};\n{listing}");
        call_again(&gl.gl(), program.program(), &calls_of(&script, &WEBGL_2).unwrap());
        assert_near(&program.read(posed.count()), 0, &posed.positions(), 1e-5);
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

/// JavaScript with the variables that the lesson assumes. `weights` is the expression for the weights.
fn before(posed: &Posed, weights: &str) -> String {
    let [positions, joints, _] = attributes(posed).map(|numbers| json!(numbers));
    let lines = json!(posed.rig.mesh.lines.concat());
    let count = posed.world_from_bind.len();
    format!(
        "const program = {{}}, jointCount = {count};\n\
         const positions = new Float32Array({positions}), weights = {weights};\n\
         const jointIndices = new Uint8Array({joints}), lines = new Uint16Array({lines});\n"
    )
}

/// The joint matrices as a list of lists of sixteen numbers.
fn json_matrices(posed: &Posed) -> Value {
    let all = posed.world_from_bind.iter();
    json!(all.map(|matrix| matrix.to_cols_array().to_vec()).collect::<Vec<_>>())
}

/// JavaScript that calls `draw` of a listing with a view and the joint matrices.
fn call_draw(posed: &Posed, clip_from_world: Mat4) -> String {
    let matrices = json_matrices(posed);
    let view = json!(clip_from_world.to_cols_array().to_vec());
    format!("draw(new Float32Array({view}), {matrices});")
}

/// Runs a script that draws the grid with the view `small`, and compares the result with the
/// reference.
fn assert_draws(program: &ListingProgram, gl: &HeadlessGl, calls: &[Value], posed: &Posed) {
    program.draw(&[]);
    call_again(&gl.gl(), program.program(), calls);
    assert!(covered(&program.pixels()) > 20, "thirteen lines");
    let expected = posed.positions();
    let expected: Vec<Vec3> = expected.iter().map(|&p| SMALL.transform_point3(p)).collect();
    assert_near(&program.read(posed.count()), 0, &expected, 1e-5);
}

/// The view of all drawings in this file, centered on the grid.
const SMALL: Mat4 = Mat4::from_cols_array(&[
    0.1, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
]);

#[test]
fn the_javascript_of_the_lesson_draws_the_grid_through_its_texture() {
    let name = "the_javascript_of_the_lesson_draws_the_grid_through_its_texture";
    let Some(gl) = es(name) else { return };
    let listings = ["palette-texture", "skin-draw"].map(shown).join("\n");
    let vertex = shown("palette-texel-fetch");
    for posed in poses() {
        let program = ListingProgram::new(&gl, &vertex, WHITE, &POSITION);
        let [.., weights] = attributes(&posed);
        let before = before(&posed, &format!("new Float32Array({})", json!(weights)));
        let script = format!("{before}{listings}\n{}", call_draw(&posed, SMALL));
        let calls = calls_of(&script, &WEBGL_2).unwrap();
        assert_draws(&program, &gl, &calls, &posed);
    }
}

#[test]
fn the_javascript_for_webgl_1_asks_first_and_draws_with_byte_weights() {
    let name = "the_javascript_for_webgl_1_asks_first_and_draws_with_byte_weights";
    let Some(gl) = es(name) else { return };
    let listings = webgl_1_program();
    let vertex = shown("palette-texel-centres");
    for mut posed in poses() {
        // Weights as bytes that sum to 255, and a reference with the quantized weights.
        let mut bytes = Vec::new();
        let mesh = Arc::make_mut(&mut Arc::make_mut(&mut posed.rig).mesh);
        for influences in mesh.influences.iter_mut() {
            let mut lanes = influences.weights.map(|weight| (weight * 255.0).round());
            lanes[0] += 255.0 - lanes.iter().sum::<f32>();
            influences.weights = lanes.map(|lane| lane / 255.0);
            bytes.extend(lanes[..4].iter().map(|&lane| lane as u8));
        }
        let program = ListingProgram::new(&gl, &vertex, WHITE_1, &POSITION);
        let before = before(&posed, &format!("new Uint8Array({})", json!(bytes)));
        let script = format!("{before}{listings}\n{}", call_draw(&posed, SMALL));
        let calls = calls_of(&script, &WEBGL_1).unwrap();
        assert_draws(&program, &gl, &calls, &posed);
        for lacking in
            [Device { extensions: &[], ..WEBGL_1 }, Device { vertex_texture_units: 0, ..WEBGL_1 }]
        {
            let thrown = calls_of(&script, &lacking).unwrap_err();
            assert!(thrown.contains("no palette texture"), "{thrown}");
        }
    }
}

/// Returns the program for WebGL 2, changed as the lesson says: it asks for the extension first,
/// has another texture format and other attributes, and sends the number of rows.
fn webgl_1_program() -> String {
    let texture = shown("palette-texture");
    let changed = texture.replace("gl.RGBA32F", "gl.RGBA");
    assert_ne!(texture, changed, "the format that the page says to change");
    let draw = shown("skin-draw");
    let rest = "gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER,";
    let (_, draw) = draw.split_once(rest).expect("the indices follow the attributes");
    let last_call = "  gl.drawElements(";
    assert_eq!(draw.matches(last_call).count(), 1);
    let rows = format!("{}\n{last_call}", shown("webgl1-rows"));
    let draw = format!("{rest}{}", draw.replace(last_call, &rows));
    [shown("webgl1-check"), changed, shown("webgl1-attributes"), draw].join("\n")
}

#[test]
fn names_that_webgl_does_not_have_are_found() {
    let thrown = calls_of("gl.bindTexture(gl.TEXTURE_2d, null);", &WEBGL_2);
    assert!(thrown.is_ok(), "not all capitals: a call");
    let thrown = calls_of("gl.bindTexture(gl.TEXTURES_2D, null);", &WEBGL_2).unwrap_err();
    assert!(thrown.contains("WebGL has no TEXTURES_2D"), "{thrown}");
}
