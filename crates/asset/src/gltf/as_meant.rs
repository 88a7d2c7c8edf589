//! What a file says in a way that the gltf crate does not read, though it is clear, or
//! allowed: said anew, in the JSON.

use serde_json::{Map, Value, json};

use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use super::json::LEFT_OUT;
use crate::doctor::leave_out_minus_ones;
use crate::gltf_file::point_to_nodes;

/// Writes it anew; what is lost by it, or is not as it should be, is noted.
pub(super) fn write(root: &mut Value, notes: &mut ReadingNotes) {
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
