//! A model of ours as JSON and bytes, to be broken.

use std::sync::Arc;

use bindpose_asset::{Glb, ModelSource, Rig, TaskProgress, bundled_model, open};
use serde_json::{Value, json};

/// Of a float: `componentType`.
const FLOAT: u64 = 5126;

/// A glTF file with one mesh of one primitive.
pub(super) struct Model {
    pub(super) root: Value,
    bin: Vec<u8>,
}

impl Model {
    /// One that comes with the program: `legs`.
    pub(super) fn of(name: &str) -> Self {
        let file = bundled_model(&format!("{name}.glb")).expect("a model of ours").main;
        let glb = Glb::of(&file).expect("a GLB");
        let json = glb.json().expect("JSON").range(file.len());
        let bin = glb.bin().expect("bytes").range(file.len());
        let root = serde_json::from_slice(&file[json]).expect("JSON");
        Self { root, bin: file[bin].to_vec() }
    }

    /// What stands at a JSON pointer.
    pub(super) fn at(&mut self, pointer: &str) -> &mut Value {
        self.root.pointer_mut(pointer).expect(pointer)
    }

    /// A new last one of a list; its index.
    pub(super) fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.at(list).as_array_mut().expect(list);
        list.push(value);
        list.len() - 1
    }

    pub(super) fn attribute(&self, name: &str) -> usize {
        self.index(&format!("/meshes/0/primitives/0/attributes/{name}"))
    }

    /// The index that stands at a JSON pointer.
    pub(super) fn index(&self, pointer: &str) -> usize {
        let index = self.root.pointer(pointer).and_then(Value::as_u64);
        index.expect(pointer) as usize
    }

    fn start(&self, accessor: usize) -> usize {
        let view = self.index(&format!("/accessors/{accessor}/bufferView"));
        let offset = |of: &Value| of.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
        let view = &self.root["bufferViews"][view];
        assert!(view.get("byteStride").is_none(), "ours stand one after the other");
        (offset(view) + offset(&self.root["accessors"][accessor])) as usize
    }

    /// All numbers of an accessor, changed in place; bounds follow.
    pub(super) fn change_floats(&mut self, accessor: usize, change: impl FnOnce(&mut [f32])) {
        let start = self.start(accessor);
        let described = &self.root["accessors"][accessor];
        assert_eq!(described["componentType"], FLOAT);
        let width = match described["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 16,
        };
        let count = described["count"].as_u64().expect("a count") as usize;
        let bounded = described.get("min").is_some();
        let bytes = &mut self.bin[start..start + 4 * width * count];
        let mut numbers: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([0, 1, 2, 3].map(|i| four[i])))
            .collect();
        change(&mut numbers);
        for (four, number) in bytes.chunks_exact_mut(4).zip(&numbers) {
            four.copy_from_slice(&number.to_le_bytes());
        }
        if bounded {
            let bound = |of: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                let lane = |lane| numbers.iter().skip(lane).step_by(width).copied().fold(start, of);
                (0..width).map(lane).collect()
            };
            let bounds = [bound(f32::min, f32::INFINITY), bound(f32::max, f32::NEG_INFINITY)];
            self.root["accessors"][accessor]["min"] = json!(bounds[0]);
            self.root["accessors"][accessor]["max"] = json!(bounds[1]);
        }
    }

    /// The numbers of an accessor.
    pub(super) fn floats(&mut self, accessor: usize) -> Vec<f32> {
        let mut copy = Vec::new();
        self.change_floats(accessor, |numbers| copy = numbers.to_vec());
        copy
    }

    /// Four floats for each vertex, all of them 0.
    pub(super) fn black(&mut self) -> usize {
        let count = self.root["accessors"][self.attribute("POSITION")]["count"].clone();
        let length = 16 * count.as_u64().expect("a count") as usize;
        let offset = self.bin.len();
        self.bin.resize(offset + length, 0);
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let view = self.push("/bufferViews", view);
        let accessor =
            json!({"bufferView": view, "componentType": FLOAT, "type": "VEC4", "count": count});
        self.push("/accessors", accessor)
    }

    /// The corners of each triangle in the other order.
    pub(super) fn turn_corners(&mut self) {
        let indices = self.index("/meshes/0/primitives/0/indices");
        let start = self.start(indices);
        let described = &self.root["accessors"][indices];
        assert_eq!(described["componentType"], 5123, "of two bytes");
        let count = described["count"].as_u64().expect("a count") as usize;
        for corners in self.bin[start..start + 2 * count].chunks_exact_mut(6) {
            let (second, third) = corners[2..].split_at_mut(2);
            second.swap_with_slice(third);
        }
    }

    /// As a file.
    pub(super) fn source(&self) -> ModelSource {
        let mut root = self.root.clone();
        root["buffers"] = json!([{"byteLength": self.bin.len()}]);
        let mut text = serde_json::to_vec(&root).expect("JSON");
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut file = b"glTF\x02\0\0\0".to_vec();
        let length = Glb::HEADER + 2 * Glb::CHUNK_HEADER + text.len() + self.bin.len();
        file.extend((length as u32).to_le_bytes());
        for (kind, data) in [(b"JSON", &text), (b"BIN\0", &self.bin)] {
            file.extend((data.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(data);
        }
        ModelSource::alone("model.glb", file)
    }

    /// As programs show it that take weights as they are stored: ours divides them by
    /// their sum when it opens a file.
    pub(super) fn rig(&self) -> Arc<Rig> {
        let mut rig = open(&self.source(), &TaskProgress::default()).expect("it opens");
        let mesh = Arc::make_mut(&mut rig.mesh);
        for (influences, sum) in mesh.influences.iter_mut().zip(&mesh.stored_sums) {
            influences.weights.iter_mut().for_each(|weight| *weight *= *sum);
        }
        Arc::new(rig)
    }
}
