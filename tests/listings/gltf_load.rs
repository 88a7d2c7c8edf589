//! The nodes, the mesh and the skin of a glTF file, as the program of the whale expects them.

use serde_json::Value;

use super::*;
use crate::gltf_accessor::{number, read};

// begin gltf-nodes
use std::{array, fs, path::Path};

use glam::Quat;

/// The text of a `.gltf`, and the files that it names.
fn open(path: &Path) -> (Value, Vec<Vec<u8>>) {
    let text = fs::read(path).expect("the file");
    let json: Value =
        serde_json::from_slice(&text).expect("JSON");
    let mut buffers = Vec::new();
    for buffer in list(&json["buffers"]) {
        let uri = buffer["uri"].as_str().expect("a uri");
        let file = fs::read(path.with_file_name(uri));
        buffers.push(file.expect("a buffer"));
    }
    (json, buffers)
}

/// A list that is not written is empty.
fn list(of: &Value) -> &[Value] {
    of.as_array().map_or(&[], Vec::as_slice)
}

fn indices(of: &Value) -> Vec<usize> {
    let mut indices = Vec::new();
    for index in list(of) {
        let index = index.as_u64().expect("an index");
        indices.push(index as usize);
    }
    indices
}

/// What is not written has a default.
fn floats<const N: usize>(
    of: &Value,
    default: [f32; N],
) -> [f32; N] {
    array::from_fn(|i| match of[i].as_f64() {
        Some(number) => number as f32,
        None => default[i],
    })
}

fn parent_from_node(node: &Value) -> Mat4 {
    if node["matrix"].is_array() {
        let columns = floats(&node["matrix"], [0.0; 16]);
        return Mat4::from_cols_array(&columns);
    }
    let t = floats(&node["translation"], [0.0; 3]);
    let r = floats(&node["rotation"], [0., 0., 0., 1.]);
    let s = floats(&node["scale"], [1.0; 3]);
    Mat4::from_translation(t.into())
        * Mat4::from_quat(Quat::from_array(r))
        * Mat4::from_scale(s.into())
}

/// A file lists `children`. We want the `parent`.
fn nodes(json: &Value) -> Vec<Node> {
    let of_file = list(&json["nodes"]);
    let mut nodes = Vec::new();
    for node in of_file {
        nodes.push(Node {
            parent: None,
            parent_from_node: parent_from_node(node),
        });
    }
    for (parent, node) in of_file.iter().enumerate() {
        for child in indices(&node["children"]) {
            assert!(parent < child, "sort them first");
            nodes[child].parent = Some(parent);
        }
    }
    nodes
}
// end gltf-nodes

// begin gltf-mesh
fn skin(
    gl: &Context,
    json: &Value,
    buffers: &[Vec<u8>],
) -> Skin {
    let skin = &json["skins"][0];
    let accessor = number(skin, "inverseBindMatrices");
    let mut binds = Vec::new();
    for columns in read(json, buffers, accessor) {
        binds.push(Mat4::from_cols_slice(&columns));
    }
    Skin::new(gl, indices(&skin["joints"]), binds)
}

/// The triangles of a mesh that share a material.
fn primitive(
    gl: &Context,
    program: glow::Program,
    json: &Value,
    buffers: &[Vec<u8>],
    primitive: &Value,
) -> Mesh {
    let vertices = unsafe { gl.create_vertex_array() };
    let vertices = vertices.expect("a vertex array");
    unsafe { gl.bind_vertex_array(Some(vertices)) };
    let attributes = &primitive["attributes"];
    for (name, key) in [
        ("position", "POSITION"),
        ("normal", "NORMAL"),
        ("joints", "JOINTS_0"),
        ("weights", "WEIGHTS_0"),
    ] {
        let accessor = number(attributes, key);
        let elements = read(json, buffers, accessor);
        let lanes = elements[0].len() as i32;
        let mut bytes = Vec::new();
        for number in elements.concat() {
            bytes.extend(match name {
                "joints" => (number as u32).to_ne_bytes(),
                _ => number.to_ne_bytes(),
            });
        }
        send(gl, glow::ARRAY_BUFFER, &bytes);
        unsafe {
            let at = gl.get_attrib_location(program, name);
            let at = at.expect("the shader reads it");
            gl.enable_vertex_attrib_array(at);
            match name {
                "joints" => gl.vertex_attrib_pointer_i32(
                    at, lanes, glow::UNSIGNED_INT, 0, 0),
                _ => gl.vertex_attrib_pointer_f32(
                    at, lanes, glow::FLOAT, false, 0, 0),
            }
        }
    }
    let corners = number(primitive, "indices");
    let corners = read(json, buffers, corners).concat();
    let mut bytes = Vec::new();
    for &corner in &corners {
        bytes.extend((corner as u32).to_ne_bytes());
    }
    send(gl, glow::ELEMENT_ARRAY_BUFFER, &bytes);
    Mesh { vertices, indices: corners.len() as i32 }
}

fn send(gl: &Context, kind: u32, bytes: &[u8]) {
    unsafe {
        let buffer = gl.create_buffer().expect("one");
        gl.bind_buffer(kind, Some(buffer));
        let usage = glow::STATIC_DRAW;
        gl.buffer_data_u8_slice(kind, bytes, usage);
    }
}

/// Without a material, or without a color, it is white.
fn base_color(
    json: &Value,
    primitive: &Value,
) -> [f32; 4] {
    let material = match primitive["material"].as_u64() {
        Some(index) => &json["materials"][index as usize],
        None => &Value::Null,
    };
    let factors = &material["pbrMetallicRoughness"];
    floats(&factors["baseColorFactor"], [1.0; 4])
}
// end gltf-mesh

fn model(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/models");
    folder.join(name).join(format!("{name}.gltf"))
}

#[test]
fn the_whale_from_its_file_moves_as_the_page_moves_it() {
    let name = "the_whale_from_its_file_moves_as_the_page_moves_it";
    let Some(headless) = context_or_skip(name, HeadlessGl::new_es) else {
        return;
    };
    let rig: Arc<Rig> = builtin("whale").expect("built in");
    let outputs = [("gl_Position", 4)];
    let program =
        ListingProgram::new(&headless, &shown("whale-vertex"), &shown("half-lambert"), &outputs);
    let gl = headless.gl();
    program.draw(&[]);

    let (json, buffers) = open(&model("whale"));
    let nodes = nodes(&json);
    let skin = skin(&gl, &json, &buffers);
    let of_file = &json["meshes"][0]["primitives"][0];
    let mesh = primitive(&gl, program.program(), &json, &buffers, of_file);
    assert_eq!(base_color(&json, of_file), [1.0; 4], "the whale has a texture");
    assert_eq!(mesh.indices as usize, 3 * rig.mesh.triangles.len());

    let view = Mat4::from_scale(Vec3::splat(0.25)) * Mat4::from_rotation_y(-1.571);
    for time in [0.0, 1.0, 4.0_f32] {
        clear(&gl);
        frame(&gl, (&nodes, &skin, &mesh), program.program(), (view, time));
        let part = covered(&gl);
        assert!((0.05..0.4).contains(&part), "{part} of the picture at {time} s");

        let found = program.read(rig.mesh.positions.len());
        let expected = reference_positions(&rig, 0.5 * f64::from(time.sin()));
        for (vertex, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let expected = view.transform_point3(*expected);
            let off = (vec3(found[0], found[1], found[2]) - expected).abs().max_element();
            assert!(off < 1e-5, "vertex {vertex} at {time} s: {found:?} for {expected}");
        }
    }
}

#[test]
fn what_a_file_does_not_write_has_its_default() {
    let json: Value = serde_json::from_str(
        r#"{
            "nodes": [
                { "children": [1, 2] },
                { "translation": [1, 2, 3], "scale": [2, 2, 2] },
                { "rotation": [0, 0, 1, 0] },
                { "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 4,5,6,1] }
            ],
            "materials": [{ "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }, {}]
        }"#,
    )
    .unwrap();
    let nodes = nodes(&json);
    let parents: Vec<_> = nodes.iter().map(|node| node.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), None]);
    assert_eq!(nodes[0].parent_from_node, Mat4::IDENTITY);
    let point = |node: usize| nodes[node].parent_from_node.transform_point3(Vec3::X);
    assert_eq!(point(1), vec3(3.0, 2.0, 3.0));
    assert!(point(2).abs_diff_eq(-Vec3::X, 1e-6));
    assert_eq!(point(3), vec3(5.0, 5.0, 6.0));
    for (primitive, color) in [
        (r#"{ "material": 0 }"#, [1.0, 0.0, 0.0, 1.0]),
        (r#"{ "material": 1 }"#, [1.0; 4]),
        ("{}", [1.0; 4]),
    ] {
        let primitive: Value = serde_json::from_str(primitive).unwrap();
        assert_eq!(base_color(&json, &primitive), color, "{primitive}");
    }
}
