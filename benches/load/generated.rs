//! Models of any size, as files.

use bindpose_gltf::ModelSource;
use serde_json::json;

/// A tube of so many vertices around a chain of so many joints: positions,
/// normals, texture coordinates, four influences a vertex, two triangles a
/// vertex; one animation that turns every joint.
pub(crate) fn model(vertices: usize, joints: usize) -> Result<ModelSource, String> {
    const AROUND: usize = 100;
    const KEYS: usize = 10;
    let mut file = GeneratedFile::default();
    let along = |vertex: usize| (vertex / AROUND) as f32 / (vertices / AROUND) as f32;
    let angle = |vertex: usize| (vertex % AROUND) as f32 / AROUND as f32 * std::f32::consts::TAU;
    let all = || 0..vertices;
    file.floats("VEC3", vertices, all().flat_map(|v| [angle(v).cos(), along(v), angle(v).sin()]));
    file.floats("VEC3", vertices, all().flat_map(|v| [angle(v).cos(), 0.0, angle(v).sin()]));
    file.floats("VEC2", vertices, all().flat_map(|v| [angle(v), along(v)]));
    let first = |vertex: usize| (along(vertex) * (joints - 4) as f32) as u16;
    let numbers = all().flat_map(|v| (0..4).map(move |lane| first(v) + lane));
    file.add(5123, "VEC4", vertices, numbers.flat_map(u16::to_le_bytes));
    file.floats("VEC4", vertices, all().flat_map(|_| [0.4, 0.3, 0.2, 0.1]));
    let quads = (0..vertices - AROUND - 1).flat_map(|v| {
        let v = v as u32;
        [v, v + 1, v + AROUND as u32, v + 1, v + 1 + AROUND as u32, v + AROUND as u32]
    });
    let corners = 6 * (vertices - AROUND - 1);
    file.add(5125, "SCALAR", corners, quads.flat_map(u32::to_le_bytes));
    let identity = |n: usize| if n.is_multiple_of(5) { 1.0 } else { 0.0 };
    file.floats("MAT4", joints, (0..joints).flat_map(|_| (0..16).map(identity)));
    file.floats("SCALAR", KEYS, (0..KEYS).map(|key| key as f32));
    file.floats("VEC4", KEYS, (0..KEYS).flat_map(|_| [0.0, 0.0, 0.0, 1.0]));
    let mut nodes: Vec<_> = (1..joints)
        .map(|child| json!({ "children": [child], "name": format!("joint {child}") }))
        .collect();
    nodes.push(json!({ "name": "last joint" }));
    nodes.push(json!({ "mesh": 0, "skin": 0 }));
    let channels: Vec<_> = (0..joints)
        .map(|node| json!({ "sampler": 0, "target": { "node": node, "path": "rotation" } }))
        .collect();
    file.into_glb(json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, joints] }],
        "nodes": nodes,
        "skins": [{ "joints": (0..joints).collect::<Vec<_>>(), "inverseBindMatrices": 6 }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4 },
            "indices": 5,
        }] }],
        "animations": [{ "channels": channels, "samplers": [{ "input": 7, "output": 8 }] }],
    }))
}

#[derive(Default)]
struct GeneratedFile {
    bin: Vec<u8>,
    views: Vec<serde_json::Value>,
    accessors: Vec<serde_json::Value>,
}

impl GeneratedFile {
    fn floats(&mut self, kind: &str, count: usize, values: impl Iterator<Item = f32>) {
        self.add(5126, kind, count, values.flat_map(f32::to_le_bytes));
    }

    fn add(&mut self, component: u32, kind: &str, count: usize, bytes: impl Iterator<Item = u8>) {
        let start = self.bin.len();
        self.bin.extend(bytes);
        self.views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": self.bin.len() - start,
        }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component,
            "count": count, "type": kind,
            // The gltf crate asks for bounds; ours are not what is read.
            "min": vec![0.0; kind.trim_start_matches("VEC").parse().unwrap_or(1)],
            "max": vec![1.0; kind.trim_start_matches("VEC").parse().unwrap_or(1)],
        }));
    }

    fn into_glb(self, mut json: serde_json::Value) -> Result<ModelSource, String> {
        json["bufferViews"] = self.views.into();
        json["accessors"] = self.accessors.into();
        json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.bin.len();
        let mut glb = b"glTF".to_vec();
        let word = |number: usize, out: &mut Vec<u8>| {
            let number = u32::try_from(number).map_err(|error| error.to_string());
            number.map(|number| out.extend(number.to_le_bytes()))
        };
        word(2, &mut glb)?;
        word(length, &mut glb)?;
        word(text.len(), &mut glb)?;
        glb.extend(b"JSON");
        glb.extend(text);
        word(self.bin.len(), &mut glb)?;
        glb.extend(b"BIN\0");
        glb.extend(self.bin);
        Ok(ModelSource::alone("generated.glb", glb))
    }
}
