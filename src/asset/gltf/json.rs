//! The JSON of a file. What skinning does not need may be broken: it is left
//! out, and said so.

use gltf::json::{Root, accessor, animation, buffer, image, material, mesh, scene, skin, texture};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::error::{GltfError, GltfErrorKind};
use super::notes::Notes;
use crate::asset::gltf_file::json::{parse, write_whole_numbers_as_integers};

/// An index that stands where a file's own could not be read.
pub(super) const LEFT_OUT: usize = u32::MAX as usize;

/// Reads the JSON. A byte order mark at its beginning is overlooked.
pub(super) fn root(json: &[u8], notes: &mut Notes) -> Result<Root, GltfError> {
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    // Most files are as they should be, and in this way parsed in half the time.
    let text = std::str::from_utf8(json).map(Root::from_str);
    match text {
        Ok(Ok(root)) => Ok(root),
        Ok(Err(_)) | Err(_) => tolerant(json, notes),
    }
}

/// Reads what can be read of any JSON.
fn tolerant(json: &[u8], notes: &mut Notes) -> Result<Root, GltfError> {
    let parsed = parse(json).map_err(|why| fault("the JSON", "JSON", &why))?;
    let mut value = parsed.value;
    write_whole_numbers_as_integers(&mut value);
    match Root::deserialize(&value) {
        Ok(root) => Ok(root),
        Err(error) => part_by_part(value, &error.to_string(), notes),
    }
}

/// Finds what in the JSON is not glTF: lesser parts are replaced by empty ones,
/// others are errors with their place.
fn part_by_part(mut value: Value, error: &str, notes: &mut Notes) -> Result<Root, GltfError> {
    let not_gltf = || fault("the JSON", "glTF 2.0", error);
    let object = value.as_object_mut().ok_or_else(not_gltf)?;
    object.remove("cameras");
    for animation in array(object, "animations", notes) {
        if let Some(animation) = animation.as_object_mut() {
            let out = json!({ "sampler": LEFT_OUT, "target": { "node": LEFT_OUT, "path": "" } });
            stand_in::<animation::Channel>(animation, "channels", &out, notes);
            let out = json!({ "input": LEFT_OUT, "output": LEFT_OUT });
            stand_in::<animation::Sampler>(animation, "samplers", &out, notes);
        }
    }
    let still = json!({ "channels": [], "samplers": [] });
    stand_in::<animation::Animation>(object, "animations", &still, notes);
    let out = json!({ "source": LEFT_OUT });
    stand_in::<texture::Texture>(object, "textures", &out, notes);
    stand_in::<texture::Sampler>(object, "samplers", &json!({}), notes);
    stand_in::<image::Image>(object, "images", &json!({}), notes);
    stand_in::<material::Material>(object, "materials", &json!({}), notes);
    let out = json!({ "count": 0, "componentType": 0, "type": "" });
    stand_in::<accessor::Accessor>(object, "accessors", &out, notes);
    stand_in::<skin::Skin>(object, "skins", &json!({ "joints": [] }), notes);

    // glTF allows scenes without nodes; the gltf crate wants the list.
    for scene in array(object, "scenes", notes) {
        if let Some(scene) = scene.as_object_mut() {
            scene.entry("nodes").or_insert_with(|| json!([]));
        }
    }

    each::<scene::Node>(object, "nodes")?;
    each::<mesh::Mesh>(object, "meshes")?;
    each::<scene::Scene>(object, "scenes")?;
    each::<buffer::View>(object, "bufferViews")?;
    each::<buffer::Buffer>(object, "buffers")?;
    Root::deserialize(&value).map_err(|error| fault("the JSON", "glTF 2.0", &error.to_string()))
}

/// The elements of an array; something else in its place is taken out.
fn array<'a>(object: &'a mut Map<String, Value>, key: &str, notes: &mut Notes) -> &'a mut [Value] {
    if object.get(key).is_some_and(|value| !value.is_array()) {
        object.remove(key);
        notes.left_out(
            "JSON_LEFT_OUT",
            fault(&format!("/{key}"), "an array", "something else"),
            "it is read as if it were empty",
        );
    }
    match object.get_mut(key) {
        Some(Value::Array(values)) => values,
        _ => &mut [],
    }
}

/// Puts `empty` in the place of elements that are no `T`.
fn stand_in<T: DeserializeOwned>(
    object: &mut Map<String, Value>,
    key: &str,
    empty: &Value,
    notes: &mut Notes,
) {
    let mut found = Vec::new();
    for (index, element) in array(object, key, notes).iter_mut().enumerate() {
        if let Err(error) = T::deserialize(&*element) {
            found.push((index, error.to_string()));
            *element = empty.clone();
        }
    }
    for (index, error) in found {
        notes.left_out(
            "JSON_LEFT_OUT",
            fault(
                &format!("/{key}/{index}"),
                "what glTF 2.0 has there",
                &error,
            ),
            "it is read as if it were empty",
        );
    }
}

/// Every element must be a `T`.
fn each<T: DeserializeOwned>(object: &Map<String, Value>, key: &str) -> Result<(), GltfError> {
    let expected = "what glTF 2.0 has there";
    let values = match object.get(key) {
        None => return Ok(()),
        Some(Value::Array(values)) => values,
        Some(_) => return Err(fault(&format!("/{key}"), "an array", "something else")),
    };
    for (index, element) in values.iter().enumerate() {
        T::deserialize(element)
            .map_err(|error| fault(&format!("/{key}/{index}"), expected, &error.to_string()))?;
    }
    Ok(())
}

fn fault(path: &str, expected: &str, found: &str) -> GltfError {
    GltfError::new(
        GltfErrorKind::Json,
        path,
        expected,
        found,
        "open a .gltf or .glb file, or export it again",
    )
}
