//! Errors that prevent reading, with their kinds and paths.

use super::GltfErrorKind::{Invalid, Json, Missing, NotATree, OutOfBounds, TooLarge, Unsupported};
use super::*;

/// JSON pointer and value of a change to [`minimal_json`], and kind and path of the error.
const FAULTS: &[(&str, &str, GltfErrorKind, &str)] = &[
    ("/asset/version", r#""1.0""#, Unsupported, "/asset/version"),
    (
        "/extensionsRequired",
        r#"["KHR_draco_mesh_compression"]"#,
        Unsupported,
        "/extensionsRequired/0",
    ),
    ("/nodes", "7", Json, "/nodes"),
    ("/nodes/2/translation", "[0.0]", Json, "/nodes/2/translation"),
    ("/accessors", "7", OutOfBounds, "/meshes/0/primitives/0/attributes/POSITION"),
    ("/buffers/0/uri", r#""gone.bin""#, Missing, "/buffers/0/uri"),
    ("/buffers/0/uri", r#""../up.bin""#, Unsupported, "/buffers/0/uri"),
    ("/buffers/0/byteLength", "9000", OutOfBounds, "/buffers/0/byteLength"),
    ("/bufferViews/0/buffer", "5", OutOfBounds, "/bufferViews/0/buffer"),
    ("/bufferViews/0/byteOffset", "18446744073709551615", OutOfBounds, "/bufferViews/0"),
    ("/bufferViews/0/byteStride", "4", Invalid, "/bufferViews/0/byteStride"),
    ("/accessors/3/bufferView", "99", OutOfBounds, "/accessors/3/bufferView"),
    ("/accessors/3/bufferView", "1", OutOfBounds, "/accessors/3"),
    ("/accessors/0/count", "18446744073709551615", OutOfBounds, "/accessors/0"),
    ("/accessors/0/byteOffset", "18446744073709551615", OutOfBounds, "/accessors/0"),
    ("/accessors/0/type", r#""VEC2""#, Invalid, "/accessors/0/type"),
    ("/accessors/0/componentType", "1", Invalid, "/accessors/0/componentType"),
    ("/accessors/1/count", "3", Invalid, "/accessors/1/count"),
    ("/accessors/2/componentType", "5120", Invalid, "/accessors/2/componentType"),
    (
        "/accessors/0",
        r#"{ "componentType": 5126, "count": 4294967295, "type": "VEC3" }"#,
        TooLarge,
        "/meshes/0/primitives/0",
    ),
    ("/skins/0/joints", "[]", Invalid, "/skins/0/joints"),
    ("/skins/0/joints", "[1, 2.5]", Json, "/skins/0/joints/1"),
    ("/skins/0/joints", "[-1, 2]", Json, "/skins/0/joints/0"),
    (
        "/accessors/1/sparse",
        r#"{ "count": 1, "indices": { "bufferView": 3, "componentType": 5123 } }"#,
        Json,
        "/accessors/1/sparse",
    ),
    ("/skins/0/joints", "[1, 77]", OutOfBounds, "/skins/0/joints/1"),
    ("/skins/0/joints", "[1]", OutOfBounds, "/accessors/2"),
    ("/skins/0/inverseBindMatrices", "0", Invalid, "/accessors/0/type"),
    ("/nodes/0/skin", "4", OutOfBounds, "/nodes/0/skin"),
    ("/nodes/0/mesh", "4", OutOfBounds, "/nodes/0/mesh"),
    ("/nodes", "[]", OutOfBounds, "/skins/0/joints/0"),
    ("/nodes/0/children", "[2]", NotATree, "/nodes/1/children/0"),
    ("/nodes/1/children", "[9]", OutOfBounds, "/nodes/1/children/0"),
    ("/nodes/2/children", "[1]", NotATree, "/nodes/1"),
    ("/nodes/1/scale", "[1e39, 1.0, 1.0]", Invalid, "/nodes/1/scale"),
    (
        "/meshes/0/primitives/0/attributes",
        r#"{ "POSITION": 0, "JOINTS_0": 2 }"#,
        Missing,
        "/meshes/0/primitives/0/attributes",
    ),
    ("/meshes/0/primitives/0/mode", "9", Invalid, "/meshes/0/primitives/0/mode"),
];

#[test]
fn errors_have_the_right_kind_and_path() {
    for &(pointer, value, kind, path) in FAULTS {
        let value = serde_json::from_str(value).unwrap();
        let Err(error) = read_json(&with_value(pointer, value)) else {
            panic!("{pointer} passed");
        };
        assert_eq!((error.kind, &*error.path), (kind, path), "{error}");
        assert!(!error.expected.is_empty() && !error.remedy.is_empty());
    }
}
