//! A small sound model that tests break.

use bindpose_gltf::ModelSource;
use bindpose_gltf::decoding::data_uri;
use serde_json::{Value, json};

/// A file with one buffer.
#[derive(Clone)]
pub(super) struct Model {
    pub(super) root: Value,
    pub(super) bin: Vec<u8>,
}

pub(super) const POSITIONS: usize = 0;
pub(super) const NORMALS: usize = 1;
pub(super) const JOINTS: usize = 2;
pub(super) const WEIGHTS: usize = 3;
pub(super) const INDICES: usize = 4;
pub(super) const BINDS: usize = 5;
pub(super) const TIMES: usize = 6;
pub(super) const TURNS: usize = 7;

const IDENTITY: [f32; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

impl Model {
    /// Returns an animated triangle on two joints, without any fault.
    pub(super) fn sound() -> Self {
        let mut model = Self {
            root: json!({
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0, 2]}],
                "nodes": [
                    {"name": "hip", "children": [1]},
                    {"name": "knee", "translation": [0, 1, 0]},
                    {"name": "body", "mesh": 0, "skin": 0},
                ],
                "meshes": [{"primitives": [{
                    "attributes": {
                        "POSITION": POSITIONS, "NORMAL": NORMALS,
                        "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS,
                    },
                    "indices": INDICES,
                }]}],
                "skins": [{"joints": [0, 1], "inverseBindMatrices": BINDS}],
                "animations": [{
                    "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
                    "samplers": [{"input": TIMES, "output": TURNS}],
                }],
                "buffers": [{}],
                "bufferViews": [],
                "accessors": [],
            }),
            bin: Vec::new(),
        };
        model.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
        model.put("/accessors/0/min", json!([0.0, 0.0, 0.0]));
        model.put("/accessors/0/max", json!([1.0, 2.0, 0.0]));
        model.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
        model.accessor(5121, "VEC4", 3, &[0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
        model.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        model.accessor(5123, "SCALAR", 3, &[0, 0, 1, 0, 2, 0]);
        let mut knee = IDENTITY;
        knee[13] = -1.0;
        model.floats("MAT4", &[IDENTITY, knee].concat());
        model.floats("SCALAR", &[0.0, 1.0]);
        model.put("/accessors/6/min", json!([0.0]));
        model.put("/accessors/6/max", json!([1.0]));
        model.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
        model
    }

    /// Adds an accessor with a view of its own.
    pub(super) fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) {
        let view = self.list("bufferViews").len();
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view_of = json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()});
        self.list("bufferViews").push(view_of);
        self.list("accessors").push(json!({
            "bufferView": view, "componentType": component, "type": kind, "count": count,
        }));
    }

    pub(super) fn floats(&mut self, kind: &str, numbers: &[f32]) {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor(5126, kind, numbers.len() / width, &bytes);
    }

    pub(super) fn list(&mut self, name: &str) -> &mut Vec<Value> {
        let root = self.root.as_object_mut().unwrap();
        let list = root.entry(name).or_insert_with(|| json!([]));
        list.as_array_mut().unwrap()
    }

    /// Sets the value at a JSON pointer, which may be a new property.
    pub(super) fn put(&mut self, pointer: &str, value: Value) {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        match self.root.pointer_mut(parent).unwrap() {
            Value::Object(object) => {
                object.insert(name.to_owned(), value);
            }
            Value::Array(list) => list[name.parse::<usize>().unwrap()] = value,
            other => panic!("{pointer}: {other}"),
        }
    }

    pub(super) fn remove(&mut self, pointer: &str) {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = self.root.pointer_mut(parent).unwrap();
        parent.as_object_mut().unwrap().remove(name).unwrap();
    }

    /// Overwrites floats of an accessor from number `first` on.
    pub(super) fn write(&mut self, accessor: usize, first: usize, numbers: &[f32]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.write_bytes(accessor, 4 * first, &bytes);
    }

    pub(super) fn write_bytes(&mut self, accessor: usize, first: usize, bytes: &[u8]) {
        let offset = &self.root["bufferViews"][accessor]["byteOffset"];
        let from = offset.as_u64().unwrap() as usize + first;
        self.bin[from..from + bytes.len()].copy_from_slice(bytes);
    }

    /// Returns a `.gltf` file with its buffer embedded, unless the buffer has a URI.
    pub(super) fn source(&self) -> ModelSource {
        let mut root = self.root.clone();
        if let Some(Value::Object(buffer)) = root.pointer_mut("/buffers/0") {
            let length = json!(self.bin.len());
            buffer.entry("byteLength").or_insert(length);
            let uri = json!(data_uri(&self.bin));
            buffer.entry("uri").or_insert(uri);
        }
        ModelSource::alone("made.gltf", serde_json::to_vec(&root).unwrap())
    }
}

/// Returns a GLB of these chunks with its correct length.
pub(super) fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data) in chunks {
        body.extend_from_slice(&(data.len() as u32).to_le_bytes());
        body.extend_from_slice(*kind);
        body.extend_from_slice(data);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend_from_slice(&(12 + body.len() as u32).to_le_bytes());
    file.extend_from_slice(&body);
    file
}
