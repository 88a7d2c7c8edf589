//! Errors that prevent reading, with their codes and paths.

use super::*;
use crate::read_error::code::{
    GLTF_INVALID, GLTF_JSON, GLTF_MISSING, GLTF_NOT_A_TREE, GLTF_OUT_OF_BOUNDS, GLTF_TOO_LARGE,
    GLTF_UNSUPPORTED,
};

/// JSON pointer and value of a change to [`minimal_json`], and code and path of the error.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("/asset/version", r#""1.0""#, GLTF_UNSUPPORTED, "/asset/version"),
    (
        "/extensionsRequired",
        r#"["KHR_draco_mesh_compression"]"#,
        GLTF_UNSUPPORTED,
        "/extensionsRequired/0",
    ),
    ("/nodes", "7", GLTF_JSON, "/nodes"),
    ("/nodes/2/translation", "[0.0]", GLTF_JSON, "/nodes/2/translation"),
    ("/accessors", "7", GLTF_OUT_OF_BOUNDS, "/meshes/0/primitives/0/attributes/POSITION"),
    ("/buffers/0/uri", r#""gone.bin""#, GLTF_MISSING, "/buffers/0/uri"),
    ("/buffers/0/uri", r#""../up.bin""#, GLTF_UNSUPPORTED, "/buffers/0/uri"),
    ("/buffers/0/byteLength", "9000", GLTF_OUT_OF_BOUNDS, "/buffers/0/byteLength"),
    ("/bufferViews/0/buffer", "5", GLTF_OUT_OF_BOUNDS, "/bufferViews/0/buffer"),
    ("/bufferViews/0/byteOffset", "18446744073709551615", GLTF_OUT_OF_BOUNDS, "/bufferViews/0"),
    ("/bufferViews/0/byteStride", "4", GLTF_INVALID, "/bufferViews/0/byteStride"),
    ("/accessors/3/bufferView", "99", GLTF_OUT_OF_BOUNDS, "/accessors/3/bufferView"),
    ("/accessors/3/bufferView", "1", GLTF_OUT_OF_BOUNDS, "/accessors/3"),
    ("/accessors/0/count", "18446744073709551615", GLTF_OUT_OF_BOUNDS, "/accessors/0"),
    ("/accessors/0/byteOffset", "18446744073709551615", GLTF_OUT_OF_BOUNDS, "/accessors/0"),
    ("/accessors/0/type", r#""VEC2""#, GLTF_INVALID, "/accessors/0/type"),
    ("/accessors/0/componentType", "1", GLTF_INVALID, "/accessors/0/componentType"),
    ("/accessors/1/count", "3", GLTF_INVALID, "/accessors/1/count"),
    ("/accessors/2/componentType", "5120", GLTF_INVALID, "/accessors/2/componentType"),
    (
        "/accessors/0",
        r#"{ "componentType": 5126, "count": 4294967295, "type": "VEC3" }"#,
        GLTF_TOO_LARGE,
        "/meshes/0/primitives/0",
    ),
    ("/skins/0/joints", "[]", GLTF_INVALID, "/skins/0/joints"),
    ("/skins/0/joints", "[1, 2.5]", GLTF_JSON, "/skins/0/joints/1"),
    ("/skins/0/joints", "[-1, 2]", GLTF_JSON, "/skins/0/joints/0"),
    (
        "/accessors/1/sparse",
        r#"{ "count": 1, "indices": { "bufferView": 3, "componentType": 5123 } }"#,
        GLTF_JSON,
        "/accessors/1/sparse",
    ),
    ("/skins/0/joints", "[1, 77]", GLTF_OUT_OF_BOUNDS, "/skins/0/joints/1"),
    ("/skins/0/joints", "[1]", GLTF_OUT_OF_BOUNDS, "/accessors/2"),
    ("/skins/0/inverseBindMatrices", "0", GLTF_INVALID, "/accessors/0/type"),
    ("/nodes/0/skin", "4", GLTF_OUT_OF_BOUNDS, "/nodes/0/skin"),
    ("/nodes/0/mesh", "4", GLTF_OUT_OF_BOUNDS, "/nodes/0/mesh"),
    ("/nodes", "[]", GLTF_OUT_OF_BOUNDS, "/skins/0/joints/0"),
    ("/nodes/0/children", "[2]", GLTF_NOT_A_TREE, "/nodes/1/children/0"),
    ("/nodes/1/children", "[9]", GLTF_OUT_OF_BOUNDS, "/nodes/1/children/0"),
    ("/nodes/2/children", "[1]", GLTF_NOT_A_TREE, "/nodes/1"),
    ("/nodes/1/scale", "[1e39, 1.0, 1.0]", GLTF_INVALID, "/nodes/1/scale"),
    (
        "/meshes/0/primitives/0/attributes",
        r#"{ "POSITION": 0, "JOINTS_0": 2 }"#,
        GLTF_MISSING,
        "/meshes/0/primitives/0/attributes",
    ),
    ("/meshes/0/primitives/0/mode", "9", GLTF_INVALID, "/meshes/0/primitives/0/mode"),
];

#[test]
fn errors_have_the_right_code_and_path() {
    for &(pointer, value, code, path) in FAULTS {
        let value = serde_json::from_str(value).unwrap();
        let Err(error) = read_json(&with_value(pointer, value)) else {
            panic!("{pointer} passed");
        };
        assert_eq!((error.code, error.at.pointer()), (code, path), "{error}");
        assert!(!error.expected.is_empty() && !error.help.is_empty());
    }
}
