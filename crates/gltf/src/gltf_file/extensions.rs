//! glTF extensions: the supported ones, the effects of missing ones on the picture, and the
//! conversion of `KHR_animation_pointer` channels to core channels.

use serde_json::{Value, json};

/// Supported extensions.
pub const READ: [&str; 4] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_texture_transform",
    "KHR_animation_pointer",
];

/// An unsupported extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadExtension {
    /// Effect on the picture. `None` if the data cannot be read without the extension, so
    /// that a file that requires it is rejected.
    pub lacks: Option<&'static str>,
    /// Way to obtain a file without the extension.
    pub remedy: &'static str,
}

impl UnreadExtension {
    /// Returns `None` if the extension is supported.
    pub fn of(name: &str) -> Option<Self> {
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
            _ => match harmless_effect(name) {
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

/// Names, or prefixes of names, of extensions that affect neither geometry nor skins nor
/// clips, with the effect on the picture if they are ignored.
const HARMLESS: &[(&str, &str)] = &[
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

fn harmless_effect(name: &str) -> Option<&'static str> {
    HARMLESS.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, effect)| *effect)
}

// `KHR_animation_pointer`: channels whose target is a JSON pointer.

/// Extension whose channels animate any property, by a JSON pointer.
pub const ANIMATION_POINTER: &str = "KHR_animation_pointer";

/// An animation channel whose target is a JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerChannel {
    /// JSON pointer of the channel's own `target`.
    pub at: String,
    /// JSON pointer of the animated property.
    pub pointer: String,
    /// Whether it was converted to a core channel. Other channels have no effect.
    pub is_of_node: bool,
}

/// Converts channels that point to an animatable property of a node into core channels.
/// Returns all pointer channels, including those that could not be converted.
pub fn point_to_nodes(root: &mut Value) -> Vec<PointerChannel> {
    let mut found = Vec::new();
    let animations = root.get_mut("animations").and_then(Value::as_array_mut);
    for (animation, value) in animations.into_iter().flatten().enumerate() {
        let channels = value.get_mut("channels").and_then(Value::as_array_mut);
        for (channel, value) in channels.into_iter().flatten().enumerate() {
            let Some(target) = value.get_mut("target") else {
                continue;
            };
            if target.get("path").and_then(Value::as_str) != Some("pointer") {
                continue;
            }
            let Some(pointer) = target
                .pointer(&format!("/extensions/{ANIMATION_POINTER}/pointer"))
                .and_then(Value::as_str)
                .map(str::to_owned)
            else {
                continue;
            };
            let node_property = parse_node_property(&pointer);
            if let Some((node, path)) = node_property {
                *target = json!({"node": node, "path": path});
            }
            found.push(PointerChannel {
                at: format!("/animations/{animation}/channels/{channel}/target"),
                is_of_node: node_property.is_some(),
                pointer,
            });
        }
    }
    found
}

/// Parses a pointer such as `/nodes/3/rotation` into the node and the path of a core channel.
/// Returns `None` for pointers to other properties.
fn parse_node_property(pointer: &str) -> Option<(u32, &str)> {
    let (node, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    // `u32::from_str` would accept a plus sign.
    let is_number = node.bytes().all(|byte| byte.is_ascii_digit());
    let is_path = ["translation", "rotation", "scale", "weights"].contains(&path);
    if !is_number || !is_path {
        return None;
    }
    Some((node.parse().ok()?, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_extensions_are_essential() {
        for needed in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_geometry"] {
            let unread = UnreadExtension::of(needed).unwrap();
            assert_eq!(unread.lacks, None, "{needed}");
        }
        for (name, effect) in HARMLESS {
            assert_eq!(UnreadExtension::of(name).unwrap().lacks, Some(*effect), "{name}");
        }
        assert_eq!(UnreadExtension::of("VRMC_vrm").unwrap().lacks, Some(NOTHING));
        assert!(READ.iter().all(|name| UnreadExtension::of(name).is_none()));
    }

    #[test]
    fn only_pointers_to_node_properties_are_converted() {
        fn pointer_channel(pointer: &str) -> Value {
            let extensions = json!({ANIMATION_POINTER: {"pointer": pointer}});
            json!({"sampler": 0, "target": {"path": "pointer", "extensions": extensions}})
        }
        let node = pointer_channel("/nodes/12/rotation");
        let other = pointer_channel("/materials/0/pbrMetallicRoughness/baseColorFactor");
        let plain = json!({"sampler": 0, "target": {"node": 1, "path": "scale"}});
        let mut root = json!({"animations": [{"channels": [node, other, plain]}]});
        let found = point_to_nodes(&mut root);
        let channels = &root["animations"][0]["channels"];
        assert_eq!(channels[0]["target"], json!({"node": 12, "path": "rotation"}));
        assert_eq!((&channels[1], &channels[2]), (&other, &plain));
        let converted: Vec<_> = found.iter().map(|found| (&*found.at, found.is_of_node)).collect();
        let expected =
            [("/animations/0/channels/0/target", true), ("/animations/0/channels/1/target", false)];
        assert_eq!(converted, expected);
        for odd in [
            "/nodes/1",
            "/nodes/x/scale",
            "/nodes/+1/scale",
            "/nodes//scale",
            "/nodes/1/weights/0",
            "/nodes/99999999999/scale",
            "",
        ] {
            assert_eq!(parse_node_property(odd), None, "{odd}");
        }
    }
}
