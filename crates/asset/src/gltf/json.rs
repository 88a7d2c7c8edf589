//! The JSON of a file. What skinning does not need may be broken: it is left
//! out, and said so. What is clear, though the gltf crate does not read it, is
//! written anew.

use gltf::json::{Root, accessor, animation, buffer, image, material, mesh, scene, skin, texture};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use crate::doctor::{Schema, leave_out_minus_ones};
use crate::gltf_file::json::{JsonText, parse, write_whole_numbers_as_integers};
use crate::gltf_file::{CONVERT_GLTF_1, is_gltf_1, point_to_nodes};

/// An index that stands where a file's own could not be read, or there is none.
pub(super) const LEFT_OUT: usize = u32::MAX as usize;

/// Reads the JSON. A byte order mark before it and zeros behind it are overlooked.
pub(super) fn root(json: &[u8], notes: &mut ReadingNotes) -> Result<Root, GltfError> {
    let json = JsonText::of(json).text;
    // Most files are as they should be, and in this way parsed in half the time.
    let text = std::str::from_utf8(json).map(Root::from_str);
    match text {
        Ok(Ok(root)) => Ok(root),
        Ok(Err(_)) | Err(_) => tolerant(json, notes),
    }
}

/// Reads what can be read of any JSON.
fn tolerant(json: &[u8], notes: &mut ReadingNotes) -> Result<Root, GltfError> {
    let parsed = parse(json).map_err(|why| fault("the JSON", "JSON", &why))?;
    let mut value = parsed.value;
    write_whole_numbers_as_integers(&mut value);
    if is_gltf_1(&value) {
        return Err(first_version("/asset/version"));
    }
    write_as_meant(&mut value, notes);
    read::<Root>(&value).or_else(|_| {
        let schema = Schema::of(value.clone());
        JsonRepair { schema, notes }.read(value)
    })
}

/// Writes anew what a file says in a way that the gltf crate does not read, though it is
/// clear, or allowed; what is lost by it, or is not as it should be, is noted.
fn write_as_meant(root: &mut Value, notes: &mut ReadingNotes) {
    for at in leave_out_minus_ones(root) {
        let error = GltfError::new(Kind::Invalid, at)
            .expected("nothing at all, for none", "−1")
            .help("leave it out");
        notes.good_to_know("MINUS_ONE_FOR_NONE", error, "it is read as if it were not there");
    }
    for channel in point_to_nodes(root).iter().filter(|channel| !channel.is_of_node) {
        let error = GltfError::new(Kind::Unsupported, &channel.at)
            .expected(
                "the translation, rotation, scale or weights of a node",
                format_args!("“{}”", channel.pointer),
            )
            .help("nothing needs to be done");
        notes.good_to_know("CHANNEL_LEFT_OUT", error, "what this channel moves stays still");
    }
    each(root, "animations", |animation| {
        each_of(animation, "channels", |channel| {
            // Legal: it moves nothing.
            if let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) {
                target.entry("node").or_insert_with(|| json!(LEFT_OUT));
            }
        });
    });
    // Nothing in a mesh, or in a primitive, is nothing to be drawn.
    each(root, "meshes", |mesh| {
        mesh.entry("primitives").or_insert_with(|| json!([]));
        each_of(mesh, "primitives", |primitive| {
            primitive.entry("attributes").or_insert_with(|| json!({}));
        });
    });
    // glTF allows scenes without nodes; the gltf crate wants the list.
    each(root, "scenes", |scene| {
        scene.entry("nodes").or_insert_with(|| json!([]));
    });
}

/// Every object of a top-level list.
fn each(root: &mut Value, list: &str, change: impl FnMut(&mut Map<String, Value>)) {
    if let Some(root) = root.as_object_mut() {
        each_of(root, list, change);
    }
}

fn each_of(
    object: &mut Map<String, Value>,
    list: &str,
    change: impl FnMut(&mut Map<String, Value>),
) {
    let items = object.get_mut(list).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_object_mut).for_each(change);
}

/// Through text, as a whole file is read: a second way from values to each type would
/// take a fiftieth of the program that browsers load.
fn read<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

/// Finds what in the JSON is not glTF: lesser parts are replaced by empty ones,
/// others are errors with their place.
struct JsonRepair<'a> {
    schema: Schema,
    notes: &'a mut ReadingNotes,
}

impl JsonRepair<'_> {
    fn read(mut self, mut value: Value) -> Result<Root, GltfError> {
        let object = value
            .as_object_mut()
            .ok_or_else(|| fault("the JSON", "an object", "JSON of another kind"))?;
        object.remove("cameras");
        for (index, animation) in self.array(object, "", "animations").iter_mut().enumerate() {
            if let Some(animation) = animation.as_object_mut() {
                let at = format!("/animations/{index}");
                let out =
                    json!({ "sampler": LEFT_OUT, "target": { "node": LEFT_OUT, "path": "" } });
                self.stand_in::<animation::Channel>(animation, &at, "channels", &out);
                let out = json!({ "input": LEFT_OUT, "output": LEFT_OUT });
                self.stand_in::<animation::Sampler>(animation, &at, "samplers", &out);
            }
        }
        let still = json!({ "channels": [], "samplers": [] });
        self.stand_in::<animation::Animation>(object, "", "animations", &still);
        let out = json!({ "source": LEFT_OUT });
        self.stand_in::<texture::Texture>(object, "", "textures", &out);
        self.stand_in::<texture::Sampler>(object, "", "samplers", &json!({}));
        self.stand_in::<image::Image>(object, "", "images", &json!({}));
        self.stand_in::<material::Material>(object, "", "materials", &json!({}));
        let out = json!({ "count": 0, "componentType": 0, "type": "" });
        self.stand_in::<accessor::Accessor>(object, "", "accessors", &out);
        self.stand_in::<skin::Skin>(object, "", "skins", &json!({ "joints": [] }));

        self.each::<scene::Node>(object, "nodes")?;
        self.each::<mesh::Mesh>(object, "meshes")?;
        self.each::<scene::Scene>(object, "scenes")?;
        self.each::<buffer::View>(object, "bufferViews")?;
        self.each::<buffer::Buffer>(object, "buffers")?;
        match read::<Root>(&value) {
            Ok(root) => Ok(root),
            Err(_) => Err(self.fault("")),
        }
    }

    /// The elements of an array; something else in its place is taken out.
    fn array<'v>(
        &mut self,
        object: &'v mut Map<String, Value>,
        at: &str,
        key: &str,
    ) -> &'v mut [Value] {
        if object.get(key).is_some_and(|value| !value.is_array()) {
            object.remove(key);
            let fault = self.fault(&format!("{at}/{key}"));
            self.left_out(fault);
        }
        match object.get_mut(key) {
            Some(Value::Array(values)) => values,
            _ => &mut [],
        }
    }

    /// Puts `empty` in the place of elements that are no `T`.
    fn stand_in<T: DeserializeOwned>(
        &mut self,
        object: &mut Map<String, Value>,
        at: &str,
        key: &str,
        empty: &Value,
    ) {
        for (index, element) in self.array(object, at, key).iter_mut().enumerate() {
            if read::<T>(element).is_err() {
                *element = empty.clone();
                let fault = self.fault(&format!("{at}/{key}/{index}"));
                self.left_out(fault);
            }
        }
    }

    /// Every element must be a `T`.
    fn each<T: DeserializeOwned>(
        &self,
        object: &Map<String, Value>,
        key: &str,
    ) -> Result<(), GltfError> {
        let values = match object.get(key) {
            None => return Ok(()),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(self.fault(&format!("/{key}"))),
        };
        let is_none = |element: &Value| read::<T>(element).is_err();
        match values.iter().position(is_none) {
            Some(index) => Err(self.fault(&format!("/{key}/{index}"))),
            None => Ok(()),
        }
    }

    fn left_out(&mut self, fault: GltfError) {
        let effect = "it is read as if it were empty";
        self.notes.left_out("JSON_LEFT_OUT", fault, effect);
    }

    /// What is wrong at a place, or below it.
    fn fault(&self, pointer: &str) -> GltfError {
        match self.schema.first_error(pointer) {
            Some(error) => fault(error.at.pointer(), &error.expected, &error.found),
            None => fault(pointer, "what glTF 2.0 has there", "something else"),
        }
    }
}

/// Of a file of glTF 1.0.
pub(super) fn first_version(path: &str) -> GltfError {
    GltfError::new(Kind::Unsupported, path).expected("glTF 2.0", "glTF 1.0").help(CONVERT_GLTF_1)
}

fn fault(path: &str, expected: &str, found: &str) -> GltfError {
    GltfError::new(Kind::Json, path)
        .expected(expected, found)
        .help("open a .gltf or .glb file, or export it again")
}
