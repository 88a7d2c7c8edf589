//! `KHR_animation_pointer`: channels whose target is a JSON pointer.

use serde_json::{Value, json};

/// Its name in the file.
pub(crate) const EXTENSION: &str = "KHR_animation_pointer";

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
            let pointer = target.pointer(&format!("/extensions/{EXTENSION}/pointer"));
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
    fn pointers_to_nodes_become_their_channels_and_others_stay() {
        let target = |pointer: &str| json!({"sampler": 0, "target": {"path": "pointer", "extensions": {EXTENSION: {"pointer": pointer}}}});
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
