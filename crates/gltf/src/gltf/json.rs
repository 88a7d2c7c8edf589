//! Parses the JSON of a glTF file. Notations that the gltf crate rejects although they are
//! unambiguous are rewritten. Invalid parts that skinning does not need are replaced by
//! placeholders, with a note.

use bindpose_diagnostic::Diagnostic;
use gltf::json::{Root, accessor, animation, buffer, image, material, mesh, scene, skin, texture};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::error::{ReadingNotes, gltf_error};
use crate::gltf_file::json::{JsonText, parse, write_whole_numbers_as_integers};
use crate::gltf_file::schema::{Schema, leave_out_minus_ones};
use crate::gltf_file::{CONVERT_GLTF_1, is_gltf_1, point_to_nodes};
use crate::read_error::code;

/// Index that replaces one that is absent or could not be parsed.
pub(super) const LEFT_OUT: usize = u32::MAX as usize;

/// Parses the JSON. Ignores a byte order mark before it and zeros after it.
pub(super) fn root(json: &[u8], notes: &mut ReadingNotes) -> Result<Root, Diagnostic> {
    let json = JsonText::of(json).text;
    // Most files are valid. Parsing them directly takes half the time.
    if let Ok(text) = std::str::from_utf8(json)
        && let Ok(root) = Root::from_str(text)
    {
        return Ok(root);
    }
    parse_tolerantly(json, notes)
}

fn parse_tolerantly(json: &[u8], notes: &mut ReadingNotes) -> Result<Root, Diagnostic> {
    let parsed = parse(json).map_err(|reason| json_error("the JSON", "JSON", &reason))?;
    let mut value = parsed.value;
    write_whole_numbers_as_integers(&mut value);
    if is_gltf_1(&value) {
        return Err(unsupported_version_1("/asset/version"));
    }
    normalize(&mut value, notes);
    deserialize::<Root>(&value).or_else(|_| {
        let schema = Schema::of(value.clone());
        JsonRepair { schema, notes }.read(value)
    })
}

/// Rewrites notations that the gltf crate rejects although they are unambiguous or valid.
/// Notes invalid ones, and those with a loss.
fn normalize(root: &mut Value, notes: &mut ReadingNotes) {
    for pointer in leave_out_minus_ones(root) {
        let error = gltf_error(code::GLTF_INVALID, pointer, "nothing at all, for none", "−1")
            .help("leave it out");
        notes.good_to_know("MINUS_ONE_FOR_NONE", error, "it is read as if it were not there");
    }
    for channel in point_to_nodes(root).iter().filter(|channel| !channel.is_of_node) {
        let error = gltf_error(
            code::GLTF_UNSUPPORTED,
            &channel.at,
            "the translation, rotation, scale or weights of a node",
            format_args!("“{}”", channel.pointer),
        )
        .help("nothing needs to be done");
        notes.good_to_know("CHANNEL_LEFT_OUT", error, "what this channel moves stays still");
    }
    let Some(root) = root.as_object_mut() else { return };
    for animation in objects_in(root, "animations") {
        for channel in objects_in(animation, "channels") {
            // A channel without a node is valid and animates nothing.
            if let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) {
                target.entry("node").or_insert_with(|| json!(LEFT_OUT));
            }
        }
    }
    // An empty mesh or primitive is not drawn.
    for mesh in objects_in(root, "meshes") {
        mesh.entry("primitives").or_insert_with(|| json!([]));
        for primitive in objects_in(mesh, "primitives") {
            primitive.entry("attributes").or_insert_with(|| json!({}));
        }
    }
    // glTF allows scenes without nodes, but the gltf crate requires the list.
    for scene in objects_in(root, "scenes") {
        scene.entry("nodes").or_insert_with(|| json!([]));
    }
}

/// Iterates over the objects in the list with the given key.
fn objects_in<'a>(
    object: &'a mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a mut Map<String, Value>> + use<'a> {
    let list = object.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Deserializes a value through its text, like a whole file. Code that deserializes every
/// type from values as well would be a fiftieth of the program that browsers load.
fn deserialize<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

/// Replaces invalid parts that are not essential by placeholders. Reports other invalid
/// parts as errors.
struct JsonRepair<'a> {
    schema: Schema,
    notes: &'a mut ReadingNotes,
}

impl JsonRepair<'_> {
    fn read(mut self, mut value: Value) -> Result<Root, Diagnostic> {
        let object = value
            .as_object_mut()
            .ok_or_else(|| json_error("the JSON", "an object", "JSON of another kind"))?;
        object.remove("cameras");
        for (index, animation) in self.list(object, "", "animations").iter_mut().enumerate() {
            if let Some(animation) = animation.as_object_mut() {
                let pointer = format!("/animations/{index}");
                let empty =
                    json!({ "sampler": LEFT_OUT, "target": { "node": LEFT_OUT, "path": "" } });
                self.replace_invalid::<animation::Channel>(animation, &pointer, "channels", &empty);
                let empty = json!({ "input": LEFT_OUT, "output": LEFT_OUT });
                self.replace_invalid::<animation::Sampler>(animation, &pointer, "samplers", &empty);
            }
        }
        let empty = json!({ "channels": [], "samplers": [] });
        self.replace_invalid::<animation::Animation>(object, "", "animations", &empty);
        let empty = json!({ "source": LEFT_OUT });
        self.replace_invalid::<texture::Texture>(object, "", "textures", &empty);
        self.replace_invalid::<texture::Sampler>(object, "", "samplers", &json!({}));
        self.replace_invalid::<image::Image>(object, "", "images", &json!({}));
        self.replace_invalid::<material::Material>(object, "", "materials", &json!({}));
        let empty = json!({ "count": 0, "componentType": 0, "type": "" });
        self.replace_invalid::<accessor::Accessor>(object, "", "accessors", &empty);
        self.replace_invalid::<skin::Skin>(object, "", "skins", &json!({ "joints": [] }));

        self.require_valid::<scene::Node>(object, "nodes")?;
        self.require_valid::<mesh::Mesh>(object, "meshes")?;
        self.require_valid::<scene::Scene>(object, "scenes")?;
        self.require_valid::<buffer::View>(object, "bufferViews")?;
        self.require_valid::<buffer::Buffer>(object, "buffers")?;
        match deserialize::<Root>(&value) {
            Ok(root) => Ok(root),
            Err(_) => Err(self.error_at("")),
        }
    }

    /// Returns the elements of a list. Removes a value that is no list.
    fn list<'v>(
        &mut self,
        object: &'v mut Map<String, Value>,
        pointer: &str,
        key: &str,
    ) -> &'v mut [Value] {
        if object.get(key).is_some_and(|value| !value.is_array()) {
            object.remove(key);
            self.note_left_out(&format!("{pointer}/{key}"));
        }
        match object.get_mut(key) {
            Some(Value::Array(values)) => values,
            _ => &mut [],
        }
    }

    /// Replaces elements of a list that are no valid `T` by `empty`.
    fn replace_invalid<T: DeserializeOwned>(
        &mut self,
        object: &mut Map<String, Value>,
        pointer: &str,
        key: &str,
        empty: &Value,
    ) {
        for (index, element) in self.list(object, pointer, key).iter_mut().enumerate() {
            if deserialize::<T>(element).is_err() {
                *element = empty.clone();
                self.note_left_out(&format!("{pointer}/{key}/{index}"));
            }
        }
    }

    /// Returns an error if an element of a list is no valid `T`.
    fn require_valid<T: DeserializeOwned>(
        &self,
        object: &Map<String, Value>,
        key: &str,
    ) -> Result<(), Diagnostic> {
        let elements = match object.get(key) {
            None => return Ok(()),
            Some(Value::Array(elements)) => elements,
            Some(_) => return Err(self.error_at(&format!("/{key}"))),
        };
        match elements.iter().position(|element| deserialize::<T>(element).is_err()) {
            Some(index) => Err(self.error_at(&format!("/{key}/{index}"))),
            None => Ok(()),
        }
    }

    fn note_left_out(&mut self, pointer: &str) {
        let error = self.error_at(pointer);
        self.notes.left_out("JSON_LEFT_OUT", error, "it is read as if it were empty");
    }

    /// Returns the first violation of the schema at `pointer` or below it.
    fn error_at(&self, pointer: &str) -> Diagnostic {
        match self.schema.first_error(pointer) {
            Some(error) => json_error(error.at.pointer(), &error.expected, &error.found),
            None => json_error(pointer, "what glTF 2.0 has there", "something else"),
        }
    }
}

/// Creates the error for a file of glTF 1.0.
pub(super) fn unsupported_version_1(path: &str) -> Diagnostic {
    gltf_error(code::GLTF_UNSUPPORTED, path, "glTF 2.0", "glTF 1.0").help(CONVERT_GLTF_1)
}

fn json_error(path: &str, expected: &str, found: &str) -> Diagnostic {
    gltf_error(code::GLTF_JSON, path, expected, found)
        .help("open a .gltf or .glb file, or export it again")
}
