//! One accessor of a glTF file, with all that it can be but sparse.

#![expect(unreachable_pub, reason = "the page shows it as a part of a library")]

// begin gltf-accessor
use serde_json::Value;

/// What is not written is 0.
pub fn number(of: &Value, key: &str) -> usize {
    of[key].as_u64().unwrap_or(0) as usize
}

/// The elements of an accessor, as floats.
pub fn read(
    json: &Value,
    buffers: &[Vec<u8>],
    accessor: usize,
) -> Vec<Vec<f32>> {
    let accessor = &json["accessors"][accessor];
    let lanes = match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC2") => 2,
        Some("VEC3") => 3,
        Some("VEC4") => 4,
        _ => 16, // MAT4
    };
    let kind = number(accessor, "componentType");
    let size = match kind {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    };
    let view = number(accessor, "bufferView");
    let view = &json["bufferViews"][view];
    let buffer = &buffers[number(view, "buffer")];
    let begin = number(view, "byteOffset")
        + number(accessor, "byteOffset");
    let stride = match number(view, "byteStride") {
        0 => lanes * size,
        stride => stride,
    };
    let float = |at: usize| {
        let b = &buffer[at..at + size];
        let (value, largest) = match kind {
            5120 => (b[0] as i8 as f32, 127.0),
            5121 => (b[0] as f32, 255.0),
            5122 => (short(b) as i16 as f32, 32767.0),
            5123 => (short(b) as f32, 65535.0),
            5125 => (int(b) as f32, 1.0),
            _ => (f32::from_bits(int(b)), 1.0),
        };
        match accessor["normalized"].as_bool() {
            Some(true) => (value / largest).max(-1.0),
            _ => value,
        }
    };
    let element = |i: usize| {
        let at = begin + i * stride;
        (0..lanes).map(|n| float(at + n * size)).collect()
    };
    (0..number(accessor, "count")).map(element).collect()
}

fn short(b: &[u8]) -> u16 {
    u16::from_le_bytes([b[0], b[1]])
}

fn int(b: &[u8]) -> u32 {
    u32::from_le_bytes([b[0], b[1], b[2], b[3]])
}
// end gltf-accessor

/// Returns the JSON of a built-in rig's file, with its buffer.
fn file(rig: &str) -> (Value, Vec<Vec<u8>>) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/models").join(rig);
    let text = std::fs::read(folder.join(format!("{rig}.gltf"))).expect("a file of a model");
    let json: Value = serde_json::from_slice(&text).expect("JSON");
    let buffers = json["buffers"].as_array().expect("a list").iter();
    let bytes = |buffer: &Value| std::fs::read(folder.join(buffer["uri"].as_str().expect("a path"))).expect("a buffer");
    let buffers = buffers.map(bytes).collect();
    (json, buffers)
}

#[test]
fn the_program_reads_the_whale_as_the_reader_does() {
    let rig = bindpose_rigs::builtin("whale").unwrap();
    let (json, buffers) = file("whale");
    let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
    let of = |name: &str| read(&json, &buffers, number(attributes, name));
    let (positions, joints, weights) = (of("POSITION"), of("JOINTS_0"), of("WEIGHTS_0"));
    assert_eq!(positions.len(), rig.mesh.positions.len());
    for (vertex, position) in rig.mesh.positions.iter().enumerate() {
        assert_eq!(positions[vertex], position.to_array());
        for (lane, &weight) in weights[vertex].iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let joint = bindpose_skin::JointIndex(joints[vertex][lane] as u16);
            let mut used = rig.mesh.influences[vertex].used();
            let ours = used.find(|&(_, of, _)| of == joint).map_or(0.0, |(.., weight)| weight);
            assert!((ours - weight).abs() < 1e-6, "v{vertex}, lane {lane}");
        }
    }
    let inverse_bind = read(&json, &buffers, number(&json["skins"][0], "inverseBindMatrices"));
    for (found, expected) in inverse_bind.iter().zip(rig.skeleton.joints()) {
        let found = glam::Mat4::from_cols_slice(found);
        assert!(found.abs_diff_eq(expected.joint_from_bind, 1e-6), "{}", expected.name);
    }
}

#[test]
fn bytes_shorts_strides_and_offsets_are_read_by_their_kind() {
    let buffers = [vec![9, 255, 0x80, 0, 0, 7, 0xff, 0xff, 0x00, 0x80]];
    let one = |accessor: &str, view: &str| {
        let json = format!(
            "{{\"accessors\":[{{{accessor},\"bufferView\":0}}],\"bufferViews\":[{{\"buffer\":0{view}}}]}}"
        );
        read(&serde_json::from_str(&json).unwrap(), &buffers, 0)
    };
    let bytes = "\"componentType\":5121,\"type\":\"SCALAR\",\"count\":2,\"normalized\":true";
    assert_eq!(one(bytes, ",\"byteOffset\":1"), [[1.0], [128.0 / 255.0]]);
    assert_eq!(one(bytes, ",\"byteOffset\":1,\"byteStride\":2"), [[1.0], [0.0]]);
    let signed = "\"componentType\":5120,\"type\":\"SCALAR\",\"count\":1,\"normalized\":true,\"byteOffset\":2";
    assert_eq!(one(signed, ""), [[-1.0]], "−128 is −1");
    let shorts = "\"componentType\":5123,\"type\":\"VEC2\",\"count\":1,\"byteOffset\":5";
    assert_eq!(one(shorts, ",\"byteOffset\":1"), [[65535.0, 32768.0]]);
    let signed = "\"componentType\":5122,\"type\":\"VEC2\",\"count\":1,\"byteOffset\":6";
    assert_eq!(one(signed, ""), [[-1.0, -32768.0]]);
}
