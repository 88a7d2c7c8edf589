//! Extensions of glTF: which are read, what the picture lacks without the others, and the
//! channels of one of them as channels that glTF itself has.

use serde_json::{Value, json};

/// What a file may use: what it says is done.
pub(crate) const READ: [&str; 4] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_texture_transform",
    "KHR_animation_pointer",
];

/// An extension that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnreadExtension {
    /// What the picture lacks; `None` where the data itself cannot be had without it,
    /// so that a file that requires it does not open.
    pub(crate) lacks: Option<&'static str>,
    /// What to do about it.
    pub(crate) remedy: &'static str,
}

impl UnreadExtension {
    /// `None` for what is read.
    pub(crate) fn of(name: &str) -> Option<Self> {
        if READ.contains(&name) {
            return None;
        }
        let (lacks, remedy) = match name {
            "KHR_draco_mesh_compression" => {
                (None, "export the file again with Draco compression off")
            }
            "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
                (None, "export the file again with meshopt compression off")
            }
            _ => match lacks(name) {
                Some(PICTURES) => {
                    (Some(PICTURES), "export its textures as PNG or JPEG to see them here")
                }
                Some(lacks) => (Some(lacks), "nothing needs to be done"),
                None => (None, "export the file again without it"),
            },
        };
        Some(Self { lacks, remedy })
    }
}

const PICTURES: &str = "pictures in its format are not shown";
const NOTHING: &str = "nothing of it is to be seen in the picture";

/// By name, or by how the name begins: what touches neither geometry nor skins nor
/// clips.
const BESIDE: &[(&str, &str)] = &[
    ("KHR_texture_basisu", PICTURES),
    ("EXT_texture_webp", PICTURES),
    ("EXT_texture_avif", PICTURES),
    ("MSFT_texture_dds", PICTURES),
    ("EXT_texture_procedurals", "its procedural textures are not shown"),
    ("KHR_materials_", "surfaces shine more plainly"),
    ("ADOBE_materials_", "surfaces shine more plainly"),
    ("VRMC_materials_", "surfaces shine more plainly"),
    ("KHR_techniques_webgl", "surfaces are shown in plain colours"),
    ("MSFT_packing_", "surfaces shine more plainly"),
    ("KHR_lights_", "its lights are not shown"),
    ("EXT_lights_", "its lights are not shown"),
    ("KHR_node_visibility", "nodes that it hides are shown"),
    ("MSFT_lod", "other levels of detail are not shown in place of the first"),
    ("EXT_mesh_gpu_instancing", "each mesh is shown once, at its node, not at all its places"),
    ("CESIUM_primitive_outline", "outlines are not shown"),
    ("CESIUM_RTC", "the model is shown around the origin, not at its place on Earth"),
    ("VRMC_node_constraint", "nodes do not follow its constraints"),
    ("VRMC_springBone", "hair and cloth do not swing"),
    ("VRM", NOTHING),
    ("FB_ngon_encoding", NOTHING),
    ("KHR_xmp", NOTHING),
    ("KHR_node_hoverability", NOTHING),
    ("KHR_node_selectability", NOTHING),
    ("KHR_interactivity", NOTHING),
    ("KHR_audio", NOTHING),
    ("MSFT_audio_emitter", NOTHING),
    ("KHR_physics_", NOTHING),
    ("KHR_rigid_bodies", NOTHING),
    ("KHR_collision_shapes", NOTHING),
    ("KHR_implicit_shapes", NOTHING),
    ("OMI_", NOTHING),
    ("EXT_mesh_features", NOTHING),
    ("EXT_instance_features", NOTHING),
    ("EXT_structural_metadata", NOTHING),
    ("EXT_feature_metadata", NOTHING),
    ("AGI_", NOTHING),
];

fn lacks(name: &str) -> Option<&'static str> {
    let known = BESIDE.iter().find(|(begin, _)| name.starts_with(begin));
    known.map(|(_, lacks)| *lacks)
}

// `KHR_animation_pointer`: channels whose target is a JSON pointer.

pub(crate) const ANIMATION_POINTER: &str = "KHR_animation_pointer";

/// A channel that has such a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PointerChannel {
    /// JSON pointer of the channel's target.
    pub(crate) at: String,
    /// What it points to.
    pub(crate) pointer: String,
    /// Did it become a channel of a node? Others move nothing that is known here.
    pub(crate) is_of_node: bool,
}

/// Writes the channels that point to what a node's own channel can move as such
/// channels; answers with all that point.
pub(crate) fn point_to_nodes(root: &mut Value) -> Vec<PointerChannel> {
    let mut found = Vec::new();
    let animations = root.get_mut("animations").and_then(Value::as_array_mut);
    for (animation, value) in animations.into_iter().flatten().enumerate() {
        let channels = value.get_mut("channels").and_then(Value::as_array_mut);
        for (channel, value) in channels.into_iter().flatten().enumerate() {
            let Some(target) = value.get_mut("target") else {
                continue;
            };
            let points = target.get("path").and_then(Value::as_str) == Some("pointer");
            let pointer = target.pointer(&format!("/extensions/{ANIMATION_POINTER}/pointer"));
            let pointer = pointer.and_then(Value::as_str).filter(|_| points);
            let Some(pointer) = pointer.map(str::to_owned) else {
                continue;
            };
            let is_of_node = of_node(&pointer).map(|(node, path)| {
                *target = json!({"node": node, "path": path});
            });
            let at = format!("/animations/{animation}/channels/{channel}/target");
            found.push(PointerChannel { at, pointer, is_of_node: is_of_node.is_some() });
        }
    }
    found
}

/// `/nodes/3/rotation`: the node and the path of its channel.
fn of_node(pointer: &str) -> Option<(u32, &str)> {
    let (node, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    let is_path = ["translation", "rotation", "scale", "weights"].contains(&path);
    let is_number = !node.is_empty() && node.bytes().all(|byte| byte.is_ascii_digit());
    Some((node.parse().ok().filter(|_| is_number)?, path)).filter(|_| is_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_needed_and_all_else_says_what_the_picture_lacks() {
        for needed in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_geometry"] {
            let unread = UnreadExtension::of(needed).unwrap();
            assert_eq!(unread.lacks, None, "{needed}");
        }
        for (name, lacks) in BESIDE {
            assert_eq!(UnreadExtension::of(name).unwrap().lacks, Some(*lacks), "{name}");
        }
        assert_eq!(UnreadExtension::of("VRMC_vrm").unwrap().lacks, Some(NOTHING));
        assert!(READ.iter().all(|name| UnreadExtension::of(name).is_none()));
    }

    #[test]
    fn pointers_to_nodes_become_their_channels_and_others_stay() {
        let target = |pointer: &str| json!({"sampler": 0, "target": {"path": "pointer", "extensions": {ANIMATION_POINTER: {"pointer": pointer}}}});
        let other = target("/materials/0/pbrMetallicRoughness/baseColorFactor");
        let plain = json!({"sampler": 0, "target": {"node": 1, "path": "scale"}});
        let mut root =
            json!({"animations": [{"channels": [target("/nodes/12/rotation"), other, plain]}]});
        let found = point_to_nodes(&mut root);
        let channels = &root["animations"][0]["channels"];
        assert_eq!(channels[0]["target"], json!({"node": 12, "path": "rotation"}));
        assert_eq!((&channels[1], &channels[2]), (&other, &plain));
        let told: Vec<_> = found.iter().map(|one| (&*one.at, one.is_of_node)).collect();
        let at = ["/animations/0/channels/0/target", "/animations/0/channels/1/target"];
        assert_eq!(told, [(at[0], true), (at[1], false)]);
        for odd in [
            "/nodes/1",
            "/nodes/x/scale",
            "/nodes/+1/scale",
            "/nodes//scale",
            "/nodes/1/weights/0",
            "/nodes/99999999999/scale",
            "",
        ] {
            assert_eq!(of_node(odd), None, "{odd}");
        }
    }
}
