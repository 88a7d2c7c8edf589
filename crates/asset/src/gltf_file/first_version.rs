//! glTF 1.0, which nothing here reads: how it is known, and what to do with it.

use serde_json::Value;

/// What to do with a file of glTF 1.0.
pub(crate) const CONVERT: &str = "convert it to glTF 2.0, by \
     gltf-pipeline -i old.gltf -o new.glb for example, or export the model again";

/// Is it JSON of glTF 1.0, whose lists are objects by name?
pub(crate) fn is_gltf_1(root: &Value) -> bool {
    let by_name = |list: &str| {
        let entries = root.get(list).and_then(Value::as_object);
        entries.is_some_and(|entries| entries.values().all(Value::is_object))
    };
    let is_first = match root.pointer("/asset/version") {
        Some(Value::String(version)) => version.starts_with('1'),
        Some(version) => version.as_f64() == Some(1.0),
        None => true,
    };
    is_first && ["nodes", "meshes", "scenes", "accessors"].into_iter().any(by_name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_version_has_objects_for_lists() {
        let nodes = json!({"n": {"meshes": []}});
        for asset in [json!({"version": "1.0"}), json!({"version": 1}), json!({})] {
            assert!(is_gltf_1(&json!({"asset": asset, "nodes": nodes})), "{asset}");
        }
        assert!(is_gltf_1(&json!({"meshes": {}})));
        assert!(!is_gltf_1(&json!({"asset": {"version": "1.0"}, "nodes": [{}]})));
        assert!(!is_gltf_1(&json!({"asset": {"version": "2.0"}, "nodes": nodes})));
        assert!(!is_gltf_1(&json!({})));
    }
}
