//! One small file for each fault.

use std::collections::BTreeSet;

use bindpose_gltf::decoding::data_uri;
use serde_json::json;

use super::made::{BINDS, INDICES, JOINTS, Model, NORMALS, POSITIONS, TIMES, TURNS, WEIGHTS, glb};
use super::*;

/// Code and JSON pointer of a fault, with a function that breaks a sound model in this way.
pub(super) type Case = (&'static str, &'static str, fn(&mut Model));

#[test]
fn a_sound_model_has_no_findings() {
    let report = report(&Model::sound().source());
    assert_eq!(report.findings, [], "{report:?}");
    assert!(report.is_sound());
}

#[test]
fn our_own_files_have_no_errors() {
    let mut examined = 0;
    for id in bindpose_rigs::builtin_ids() {
        let rig = bindpose_rigs::builtin(id).unwrap();
        let Some(origin) = &rig.origin else {
            continue;
        };
        let report = report(&origin.source);
        let needs = |f: &&Diagnostic| f.severity == Severity::Error;
        let faults: Vec<_> = report.findings.iter().filter(needs).collect();
        assert!(faults.is_empty(), "{id}: {faults:?}");
        examined += 1;
    }
    assert!(examined > 0);
}

#[test]
fn every_fault_of_the_catalogue_is_found_at_its_place() {
    let mut seen = BTreeSet::new();
    for (code, at, break_it) in CASES {
        let mut model = Model::sound();
        break_it(&mut model);
        let report = report(&model.source());
        let found = report
            .findings
            .iter()
            .any(|finding| finding.code == *code && finding.at.pointer() == *at);
        let list: Vec<_> = report.findings.iter().map(|f| (f.code, &f.at)).collect();
        assert!(found, "{code} at {at}: {list:?}");
        seen.insert(*code);
    }
    for (code, bytes) in containers() {
        let report = report(&ModelSource::alone("made.glb", bytes));
        finding(&report, code);
        assert!(report.errors + report.warnings > 0, "{code}");
        seen.insert(code);
    }
    // These have tests of their own.
    seen.extend(["FILE_NAME_DIFFERS", "MORE_FINDINGS", "EXAMINED_IN_PART", "CANNOT_OPEN"]);
    seen.extend(["IBM_ORDER", "IBM_NOT_INVERTED", "IBM_OF_LOCAL", "IBM_TRANSPOSED"]);
    seen.extend(["IBM_OTHER_HAND", "IBM_OTHER_AXES", "IBM_OTHER_UNIT"]);
    seen.extend(["IBM_WITHOUT_TRANSFORM", "MESH_OFF_SKELETON", "ALL_ON_ONE_JOINT"]);
    seen.extend(["JOINTS_ARE_NODES", "JOINTS_FROM_ONE", "CLIP_OTHER_UNIT", "CLIP_OF_CHANGES"]);
    seen.extend(["CLIP_W_FIRST", "CLIP_TIMES_ARE_FRAMES", "CLIP_TIMES_ARE_MILLISECONDS"]);
    seen.extend(["CLIP_BEGINS_LATE", "SPLINE_SIGN_FLIPS", "FULL_TURN_BETWEEN_KEYS"]);
    seen.extend(["IBM_OTHER_SIDE", "IBM_MISSING", "NODES_W_FIRST", "NODES_TURN_BACK"]);
    seen.extend(["NODES_OTHER_ANGLES", "MESH_IN_PIECES", "ALL_IN_ONE_POINT", "SIZE_AT_REST"]);
    seen.extend(["FAR_FROM_ORIGIN", "MANY_JOINTS", "JOINTS_OTHER_LANES", "FACES_INSIDE_OUT"]);
    seen.extend(["NORMALS_OTHER_AXES", "COLORS_BLACK", "SURFACE_TRANSPARENT"]);
    seen.extend(["MORPH_TARGET_HOLDS_POSITIONS", "SPLINE_TANGENTS_ARE_KEYS"]);
    seen.extend(["CLIP_SCALES_SKELETON", "CLIP_MOVES_NOTHING"]);
    seen.extend([
        "NODES_WHOLE_ANGLE",
        "NODES_OTHER_ORDER",
        "NODES_HOLD_ANGLES",
        "NODES_OTHER_HAND",
    ]);
    seen.extend(["NODES_OTHER_AXES", "NODES_OTHER_UNIT", "NODES_ARE_WORLD", "IBM_SHEARED"]);
    seen.extend(["NODES_WITHOUT_TRANSFORM", "NODE_MATRIX_BY_ROWS", "BYTES_REVERSED"]);
    seen.extend(["JOINTS_WRAPPED", "JOINTS_SHIFTED", "JOINTS_OF_A_PART", "SIDES_SWAPPED"]);
    seen.extend(["NODE_OTHER_SKIN", "SKIN_OTHER_ORDER", "MESH_IN_JOINT_SPACE"]);
    seen.extend(["MESH_ALREADY_POSED", "JOINTS_AT_TAILS", "JOINTS_OF_NEIGHBOUR", "SEAM_OPENS"]);
    seen.extend(["CLIP_OTHER_INTERPOLATION", "CLIP_TIMES_ARE_TICKS", "CLIP_OTHER_ROTATIONS"]);
    seen.extend(["CLIP_IN_WORLD", "NODE_SKIN_INSTANCED", "CLIP_OTHER_BONES"]);
    let all: BTreeSet<_> = catalog::ALL_FAULTS.iter().map(|fault| fault.code).collect();
    let unseen: Vec<_> = all.difference(&seen).collect();
    assert!(unseen.is_empty(), "no test breaks a file so: {unseen:?}");
}

const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";
const NODE_SHEARED: [f32; 16] =
    [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

#[rustfmt::skip]
pub(super) const CASES: &[Case] = &[
    // Structure.
    ("TYPE_MISMATCH", "/nodes/0/name", |m| m.put("/nodes/0/name", json!(1))),
    ("UNDEFINED_PROPERTY", "/skins/0", |m| m.remove("/skins/0/joints")),
    ("UNEXPECTED_PROPERTY", "/nodes/0/childern", |m| m.put("/nodes/0/childern", json!([1]))),
    ("UNSATISFIED_DEPENDENCY", "/nodes/2/skin", |m| m.remove("/nodes/2/mesh")),
    ("EMPTY_ENTITY", "/skins/0/joints", |m| m.put("/skins/0/joints", json!([]))),
    ("TYPE_MISMATCH", "/nodes/2/skin", |m| m.put("/nodes/2/skin", json!(0.5))),
    ("TYPE_MISMATCH", "/accessors/0/count", |m| m.put("/accessors/0/count", json!(2.5))),
    ("TYPE_MISMATCH", "/materials/0/pbrMetallicRoughness", |m| m.put("/materials", json!([{"pbrMetallicRoughness": 1}]))),
    ("VALUE_NOT_IN_RANGE", "/materials/0/pbrMetallicRoughness/baseColorFactor/1", |m| m.put("/materials", json!([{"pbrMetallicRoughness": {"baseColorFactor": [1, 2, 1, 1]}}]))),
    ("VALUE_NOT_IN_RANGE", "/cameras/0/perspective/znear", |m| m.put("/cameras", json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 0}}]))),
    ("VALUE_NOT_IN_RANGE", "/meshes/0/primitives/0/mode", |m| m.put("/meshes/0/primitives/0/mode", json!(7))),
    ("VALUE_NOT_IN_LIST", "/samplers/0/wrapS", |m| m.put("/samplers", json!([{"wrapS": 1}]))),
    ("UNSATISFIED_DEPENDENCY", "/extensionsRequired", |m| m.put("/extensionsRequired", json!(["KHR_materials_unlit"]))),
    ("EMPTY_ENTITY", ATTRIBUTES, |m| m.put(ATTRIBUTES, json!({}))),
    ("ONE_OF_MISMATCH", "/images/0", |m| m.put("/images", json!([{"name": "x"}]))),
    ("ONE_OF_MISMATCH", "/images/0", |m| m.put("/images", json!([{"uri": "x.png", "bufferView": 0, "mimeType": "image/png"}]))),
    ("INVALID_INDEX", "/animations/0/channels/0/sampler", |m| m.put("/animations/0/channels/0/sampler", json!(-1))),
    ("INVALID_INDEX", "/nodes/0/children/0", |m| m.put("/nodes/0/children", json!([-1]))),
    ("MINUS_ONE_FOR_NONE", "/nodes/1/mesh", |m| m.put("/nodes/1/mesh", json!(-1))),
    ("MINUS_ONE_FOR_NONE", "/meshes/0/primitives/0/material", |m| m.put("/meshes/0/primitives/0/material", json!(-1))),
    ("MESH_WITHOUT_PRIMITIVES", "/meshes/1", |m| m.list("meshes").push(json!({}))),
    ("MESH_WITHOUT_PRIMITIVES", "/meshes/1", |m| m.list("meshes").push(json!({"primitives": []}))),
    ("UNRESOLVED_REFERENCE", "/nodes/2/skin", |m| m.put("/nodes/2/skin", json!(7))),
    ("UNRESOLVED_REFERENCE", "/animations/0/channels/0/sampler", |m| m.put("/animations/0/channels/0/sampler", json!(3))),
    ("DUPLICATE_ELEMENTS", "/skins/0/joints/1", |m| m.put("/skins/0/joints", json!([0, 0]))),
    ("VALUE_NOT_IN_LIST", "/accessors/0/type", |m| m.put("/accessors/0/type", json!("vec3"))),
    ("VALUE_NOT_IN_RANGE", "/nodes/1/rotation/3", |m| m.put("/nodes/1/rotation", json!([0, 0, 0, 2]))),
    ("VALUE_MULTIPLE_OF", "/bufferViews/0/byteStride", |m| m.put("/bufferViews/0/byteStride", json!(13))),
    ("ARRAY_LENGTH_NOT_IN_LIST", "/nodes/1/translation", |m| m.put("/nodes/1/translation", json!([1, 2]))),
    ("ARRAY_LENGTH_NOT_IN_LIST", "/accessors/0/min", |m| m.put("/accessors/0/min", json!([0]))),
    ("UNKNOWN_ASSET_MAJOR_VERSION", "/asset/version", |m| m.put("/asset/version", json!("1.0"))),
    ("UNKNOWN_ASSET_MINOR_VERSION", "/asset/version", |m| m.put("/asset/version", json!("2.1"))),
    ("PATTERN_MISMATCH", "/asset/version", |m| m.put("/asset/version", json!("2"))),
    ("ASSET_MIN_VERSION_GREATER_THAN_VERSION", "/asset/minVersion", |m| m.put("/asset/minVersion", json!("2.1"))),
    ("NON_REQUIRED_EXTENSION", "/extensionsUsed/0", |m| m.put("/extensionsUsed", json!(["KHR_mesh_quantization"]))),
    ("UNDECLARED_EXTENSION", "/nodes/0/extensions/X_y", |m| m.put("/nodes/0/extensions", json!({"X_y": {}}))),
    ("UNUSED_EXTENSION_REQUIRED", "/extensionsRequired/0", |m| m.put("/extensionsRequired", json!(["KHR_materials_unlit"]))),
    ("UNSUPPORTED_REQUIRED_EXTENSION", "/extensionsRequired/0", |m| m.put("/extensionsRequired", json!(["KHR_draco_mesh_compression"]))),
    ("UNSUPPORTED_EXTENSION", "/extensionsUsed/0", |m| m.put("/extensionsUsed", json!(["KHR_materials_sheen"]))),
    ("NOTHING_TO_SHOW", "", |m| { m.remove("/nodes/2/mesh"); m.remove("/nodes/2/skin"); }),
    // Data.
    ("URI_WITH_BARE_PERCENT", "/images/0/uri", |m| m.put("/images", json!([{"uri": "10%.png"}]))),
    ("URI_WITH_BACKSLASH", "/images/0/uri", |m| m.put("/images", json!([{"uri": "a\\\\b.png"}]))),
    ("INVALID_URI", "/buffers/0/uri", |m| m.put("/buffers/0/uri", json!("data:;;base64,AA=="))),
    ("NON_RELATIVE_URI", "/buffers/0/uri", |m| m.put("/buffers/0/uri", json!("../a.bin"))),
    ("IO_ERROR", "/buffers/0/uri", |m| m.put("/buffers/0/uri", json!("a.bin"))),
    ("IO_ERROR", "/images/0/uri", |m| m.put("/images", json!([{"uri": "skin.png"}]))),
    ("BUFFER_BYTE_LENGTH_MISMATCH", "/buffers/0", |m| m.put("/buffers/0/byteLength", json!(100_000))),
    ("BUFFER_WITHOUT_URI", "/buffers/1", |m| { m.list("buffers").push(json!({"byteLength": 36})); m.put("/bufferViews/1", json!({"buffer": 1, "byteLength": 36})); }),
    ("BUFFER_DATA_URI_MIME_TYPE_INVALID", "/buffers/0/uri", |m| { let uri = data_uri(&m.bin).replace("application/octet-stream", "text/plain"); m.put("/buffers/0/uri", json!(uri)); }),
    ("ACCESSOR_USAGE_OVERRIDE", "/animations/0/samplers/0/output", |m| m.put("/animations/0/samplers/0/output", json!(WEIGHTS))),
    ("BUFFER_VIEW_TARGET_OVERRIDE", "/meshes/0/primitives/0/indices", |m| m.put("/bufferViews/4/target", json!(34962))),
    ("BUFFER_VIEW_TARGET_OVERRIDE", "/animations/0/samplers/0/output", |m| m.put("/accessors/7/bufferView", json!(WEIGHTS))),
    ("BUFFER_VIEW_INVALID_BYTE_STRIDE", "/bufferViews/4/byteStride", |m| { m.put("/bufferViews/4/target", json!(34963)); m.put("/bufferViews/4/byteStride", json!(4)); }),
    ("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE", "/images/0/bufferView", |m| { m.put("/images", json!([{"bufferView": TURNS, "mimeType": "image/png"}])); m.put("/bufferViews/7/byteStride", json!(16)); }),
    ("NUMBERS_OVERFLOW", "/nodes/1", |m| { m.put("/nodes/0/scale", json!([1e20, 1e20, 1e20])); m.put("/nodes/1/scale", json!([1e20, 1e20, 1e20])); }),
    ("NUMBERS_OVERFLOW", "/nodes/2", |m| { m.put("/nodes/0/scale", json!([3e38, 3e38, 3e38])); m.put("/nodes/1/translation", json!([0, 0, 0])); }),
    ("BUFFER_VIEW_TOO_LONG", "/bufferViews/0/byteLength", |m| m.put("/bufferViews/0/byteLength", json!(100_000))),
    ("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", "/bufferViews/0/byteStride", |m| m.put("/bufferViews/0/byteStride", json!(252))),
    ("BUFFER_VIEW_INVALID_BYTE_STRIDE", "/accessors/3/sparse/values/bufferView", |m| {
        m.put("/accessors/3/sparse", json!({"count": 1, "indices": {"bufferView": INDICES, "componentType": 5123}, "values": {"bufferView": WEIGHTS}}));
        m.put("/bufferViews/3/byteStride", json!(16));
    }),
    ("ACCESSOR_SMALL_BYTESTRIDE", "/accessors/0", |m| m.put("/bufferViews/0/byteStride", json!(8))),
    ("ACCESSOR_TOO_LONG", "/accessors/0", |m| m.put("/accessors/0/count", json!(4))),
    ("ACCESSOR_TOO_LARGE", "/accessors/8/count", |m| m.list("accessors").push(json!({"componentType": 5126, "type": "VEC4", "count": 4_000_000_000_u64}))),
    ("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "/accessors/6", |m| { m.put("/accessors/6/byteOffset", json!(2)); m.put("/accessors/6/count", json!(1)); }),
    ("ACCESSOR_NORMALIZED_INVALID", "/accessors/3/normalized", |m| m.put("/accessors/3/normalized", json!(true))),
    ("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", "/accessors/3/sparse/count", |m| m.put("/accessors/3/sparse", json!({"count": 9, "indices": {"bufferView": INDICES, "componentType": 5123}, "values": {"bufferView": BINDS}}))),
    ("ACCESSOR_SPARSE_INDEX_OOB", "/accessors/3/sparse/indices", |m| m.put("/accessors/3/sparse", json!({"count": 1, "indices": {"bufferView": TIMES, "byteOffset": 4, "componentType": 5125}, "values": {"bufferView": BINDS}}))),
    ("ACCESSOR_SPARSE_INDICES_NON_INCREASING", "/accessors/3/sparse/indices", |m| m.put("/accessors/3/sparse", json!({"count": 2, "indices": {"bufferView": JOINTS, "componentType": 5121}, "values": {"bufferView": BINDS}}))),
    ("ACCESSOR_INVALID_FLOAT", "/accessors/0", |m| m.write(POSITIONS, 1, &[f32::NAN, f32::INFINITY])),
    ("ACCESSOR_MIN_MISMATCH", "/accessors/0/min/1", |m| m.put("/accessors/0/min/1", json!(-5))),
    ("ACCESSOR_MAX_MISMATCH", "/accessors/6/max/0", |m| m.put("/accessors/6/max/0", json!(5))),
    ("ACCESSOR_WITHOUT_DATA", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| m.remove("/accessors/3/bufferView")),
    // Scene.
    ("NODE_LOOP", "/nodes/0", |m| m.put("/nodes/1/children", json!([0]))),
    ("NODE_LOOP", "/nodes/1/children/0", |m| m.put("/nodes/1/children", json!([1]))),
    ("NODE_PARENT_OVERRIDE", "/nodes/2/children/0", |m| m.put("/nodes/2/children", json!([1]))),
    ("SCENE_NON_ROOT_NODE", "/scenes/0/nodes/1", |m| m.put("/scenes/0/nodes", json!([0, 1]))),
    ("NODE_MATRIX_TRS", "/nodes/1", |m| m.put("/nodes/1/matrix", json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))),
    ("NODE_MATRIX_NON_TRS", "/nodes/0/matrix", |m| m.put("/nodes/0/matrix", json!(NODE_SHEARED))),
    ("ROTATION_OF_LENGTH_ZERO", "/nodes/1/rotation", |m| m.put("/nodes/1/rotation", json!([0, 0, 0, 0]))),
    ("ROTATION_OF_LENGTH_ZERO", "/animations/0/samplers/0/output", |m| m.write(TURNS, 4, &[0.0; 4])),
    ("ROTATION_NON_UNIT", "/nodes/1/rotation", |m| m.put("/nodes/1/rotation", json!([0, 0, 0, 0.5]))),
    ("NODE_SKIN_WITH_NON_SKINNED_MESH", "/nodes/2", |m| { m.remove("/meshes/0/primitives/0/attributes/JOINTS_0"); m.remove("/meshes/0/primitives/0/attributes/WEIGHTS_0"); }),
    ("NODE_SKINNED_MESH_WITHOUT_SKIN", "/nodes/2", |m| m.remove("/nodes/2/skin")),
    ("NODE_SKINNED_MESH_NON_ROOT", "/nodes/2", |m| { m.put("/nodes/0/children", json!([1, 2])); m.put("/scenes/0/nodes", json!([0])); }),
    ("NODE_SKINNED_MESH_LOCAL_TRANSFORMS", "/nodes/2", |m| m.put("/nodes/2/translation", json!([1, 0, 0]))),
    ("NODE_WEIGHTS_INVALID", "/nodes/2/weights", |m| m.put("/nodes/2/weights", json!([1]))),
    ("NODE_SKIN_NO_SCENE", "/nodes/2", |m| m.put("/scenes/0/nodes", json!([2]))),
    ("SKIN_NO_COMMON_ROOT", "/skins/0/joints", |m| m.remove("/nodes/0/children")),
    ("SKIN_SKELETON_INVALID", "/skins/0/skeleton", |m| m.put("/skins/0/skeleton", json!(1))),
    ("SKIN_IBM_INVALID_FORMAT", "/skins/0/inverseBindMatrices", |m| m.put("/skins/0/inverseBindMatrices", json!(WEIGHTS))),
    ("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", "/skins/0/inverseBindMatrices", |m| m.put("/bufferViews/5/byteStride", json!(64))),
    ("INVALID_IBM_ACCESSOR_COUNT", "/skins/0/inverseBindMatrices", |m| m.put("/accessors/5/count", json!(1))),
    ("ACCESSOR_INVALID_IBM", "/skins/0/inverseBindMatrices", |m| m.write(BINDS, 3, &[0.5])),
    ("IBM_SINGULAR", "/skins/0/inverseBindMatrices", |m| m.write(BINDS, 0, &[0.0])),
    ("IBM_MIRRORED", "/skins/0/inverseBindMatrices", |m| m.write(BINDS, 0, &[-1.0])),
    ("SKIN_WITHOUT_IBM", "/skins/0", |m| m.remove("/skins/0/inverseBindMatrices")),
    ("REST_IS_NOT_BIND", "/skins/0/inverseBindMatrices", |m| m.put("/nodes/1/translation", json!([0, 3, 0]))),
    // Meshes.
    ("MESH_PRIMITIVE_NO_POSITION", ATTRIBUTES, |m| m.remove("/meshes/0/primitives/0/attributes/POSITION")),
    ("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "/meshes/0/primitives/0/attributes/POSITION", |m| m.remove("/accessors/0/min")),
    ("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "/meshes/0/primitives/0/targets/0/POSITION", |m| m.put("/meshes/0/primitives/0/targets", json!([{"POSITION": NORMALS}]))),
    ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", "/meshes/0/primitives/0/attributes/_X", |m| { m.accessor(5125, "SCALAR", 3, &[0; 12]); m.put("/meshes/0/primitives/0/attributes/_X", json!(8)); }),
    ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", "/meshes/0/primitives/0/material", |m| { m.put("/meshes/0/primitives/0/material", json!(0)); m.put("/materials", json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])); }),
    ("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", "/meshes/0/primitives/0/attributes/TANGENT", |m| { m.remove("/meshes/0/primitives/0/attributes/NORMAL"); m.put("/meshes/0/primitives/0/attributes/TANGENT", json!(WEIGHTS)); }),
    ("ACCESSOR_INVALID_SIGN", "/meshes/0/primitives/0/attributes/TANGENT", |m| { m.floats("VEC4", &[0.0, 0.0, 1.0, 0.5].repeat(3)); m.put("/meshes/0/primitives/0/attributes/TANGENT", json!(8)); }),
    ("ACCESSOR_VECTOR3_NON_UNIT", "/meshes/0/primitives/0/attributes/TANGENT", |m| { m.floats("VEC4", &[0.0, 0.0, 0.5, 1.0].repeat(3)); m.put("/meshes/0/primitives/0/attributes/TANGENT", json!(8)); }),
    ("ACCESSOR_NON_CLAMPED", "/meshes/0/primitives/0/attributes/COLOR_0", |m| { m.floats("VEC3", &[0.0, 0.0, 1.5].repeat(3)); m.put("/meshes/0/primitives/0/attributes/COLOR_0", json!(8)); }),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "/meshes/0/primitives/0/attributes/TEXCOORD_01", |m| m.put("/meshes/0/primitives/0/attributes/TEXCOORD_01", json!(NORMALS))),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "/meshes/0/primitives/0/targets/0/JOINTS_0", |m| m.put("/meshes/0/primitives/0/targets", json!([{"JOINTS_0": JOINTS}]))),
    ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/targets/0/NORMAL", |m| m.put("/meshes/0/primitives/0/targets", json!([{"NORMAL": WEIGHTS}]))),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "/meshes/0/primitives/0/attributes/JOINTS", |m| m.put("/meshes/0/primitives/0/attributes/JOINTS", json!(JOINTS))),
    ("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", ATTRIBUTES, |m| m.put("/meshes/0/primitives/0/attributes/TEXCOORD_1", json!(NORMALS))),
    ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/attributes/POSITION", |m| m.put("/accessors/0/type", json!("VEC2"))),
    ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/attributes/NORMAL", |m| m.put("/accessors/1/componentType", json!(9))),
    ("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", "/bufferViews/3", |m| { m.put("/accessors/1/bufferView", json!(3)); m.put("/bufferViews/3/byteLength", json!(48)); }),
    ("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", "/meshes/0/primitives/0/attributes/JOINTS_0", |m| { m.put("/accessors/2/byteOffset", json!(2)); m.put("/accessors/2/count", json!(2)); }),
    ("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| m.put("/accessors/3/count", json!(2))),
    ("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", ATTRIBUTES, |m| m.remove("/meshes/0/primitives/0/attributes/WEIGHTS_0")),
    ("MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT", "/meshes/0/primitives/1", |m| second_primitive(m, |p| { p.remove("JOINTS_0"); p.remove("WEIGHTS_0"); })),
    ("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/indices", |m| m.put("/meshes/0/primitives/0/indices", json!(TIMES))),
    ("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", "/meshes/0/primitives/0/indices", |m| m.put("/bufferViews/4/byteStride", json!(4))),
    ("MESH_PRIMITIVE_INCOMPATIBLE_MODE", "/meshes/0/primitives/0", |m| m.put("/accessors/4/count", json!(2))),
    ("ACCESSOR_INDEX_OOB", "/meshes/0/primitives/0/indices", |m| m.write_bytes(INDICES, 4, &[3, 0])),
    ("ACCESSOR_INDEX_PRIMITIVE_RESTART", "/meshes/0/primitives/0/indices", |m| m.write_bytes(INDICES, 4, &[255, 255])),
    ("ACCESSOR_VECTOR3_NON_UNIT", "/meshes/0/primitives/0/attributes/NORMAL", |m| m.write(NORMALS, 5, &[0.5])),
    ("NO_NORMALS", ATTRIBUTES, |m| m.remove("/meshes/0/primitives/0/attributes/NORMAL")),
    ("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", "/meshes/0/primitives/1/targets", |m| { second_primitive(m, |_| {}); m.put("/meshes/0/primitives/0/targets", json!([{"POSITION": POSITIONS}])); }),
    ("MESH_INVALID_WEIGHTS_COUNT", "/meshes/0/weights", |m| m.put("/meshes/0/weights", json!([1]))),
    ("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", "/meshes/0/primitives/0/targets/0/TANGENT", |m| m.put("/meshes/0/primitives/0/targets", json!([{"TANGENT": NORMALS}]))),
    ("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", "/meshes/0/primitives/0/targets/0/POSITION", |m| m.put("/meshes/0/primitives/0/targets", json!([{"POSITION": TIMES}]))),
    ("MESH_IN_NO_SCENE", "/nodes/2", |m| m.put("/scenes/0/nodes", json!([0]))),
    ("JOINTS_INDEX_OOB_WITHOUT_WEIGHT", "/meshes/0/primitives/0/attributes/JOINTS_0", |m| m.write_bytes(JOINTS, 1, &[255])),
    ("ACCESSOR_JOINTS_INDEX_OOB", "/meshes/0/primitives/0/attributes/JOINTS_0", |m| m.write_bytes(JOINTS, 8, &[9])),
    ("ACCESSOR_JOINTS_INDEX_DUPLICATE", "/meshes/0/primitives/0/attributes/JOINTS_0", |m| m.write_bytes(JOINTS, 5, &[0])),
    ("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", "/meshes/0/primitives/0/attributes/JOINTS_0", |m| m.write_bytes(JOINTS, 1, &[1])),
    ("ACCESSOR_WEIGHTS_NEGATIVE", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| m.write(WEIGHTS, 4, &[1.5, -0.5])),
    ("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| m.write(WEIGHTS, 4, &[0.25])),
    ("WEIGHTS_ZERO", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| m.write(WEIGHTS, 8, &[0.0])),
    ("INFLUENCES_BEYOND_SHOWN", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| more_sets(m, 3)),
    ("INFLUENCES_BEYOND_FIRST_SET", "/meshes/0/primitives/0/attributes/WEIGHTS_0", |m| more_sets(m, 2)),
    ("MANY_INFLUENCE_SETS", ATTRIBUTES, |m| more_sets(m, 5)),
    // Clips.
    ("CHANNEL_WITHOUT_NODE", "/animations/0/channels/0/target", |m| m.remove("/animations/0/channels/0/target/node")),
    ("CHANNEL_POINTS_ELSEWHERE", "/animations/0/channels/0/target", |m| m.put("/animations/0/channels/0/target", json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0/emissiveFactor"}}}))),
    ("UNDECLARED_EXTENSION", "/animations/0/channels/0/target/extensions/KHR_animation_pointer", |m| m.put("/animations/0/channels/0/target", json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/1/rotation"}}}))),
    ("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", "/animations/0/channels/0/target", |m| { m.remove("/nodes/1/translation"); m.put("/nodes/1/matrix", json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1])); }),
    ("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", "/animations/0/channels/0/target", |m| m.put("/animations/0/channels/0/target", json!({"node": 2, "path": "weights"}))),
    ("ANIMATION_CHANNEL_TARGET_NODE_SKIN", "/animations/0/channels/0/target", |m| m.put("/animations/0/channels/0/target/node", json!(2))),
    ("ANIMATION_DUPLICATE_TARGETS", "/animations/0/channels/1/target", |m| m.put("/animations/0/channels", json!([{"sampler": 0, "target": {"node": 1, "path": "rotation"}}, {"sampler": 0, "target": {"node": 1, "path": "rotation"}}]))),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", "/animations/0/samplers/0/input", |m| m.put("/animations/0/samplers/0/input", json!(INDICES))),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", "/animations/0/samplers/0/input", |m| { m.put("/animations/0/samplers/0/interpolation", json!("CUBICSPLINE")); m.put("/accessors/6/count", json!(1)); }),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", "/animations/0/samplers/0/input", |m| m.remove("/accessors/6/max")),
    ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", "/animations/0/samplers/0/output", |m| m.put("/animations/0/samplers/0/output", json!(NORMALS))),
    ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", "/animations/0/channels/0/sampler", |m| m.put("/accessors/7/count", json!(1))),
    ("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", "/animations/0/samplers/0/output", |m| m.put("/bufferViews/7/byteStride", json!(16))),
    ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "/animations/0/samplers/0/input", |m| m.write(TIMES, 0, &[-1.0])),
    ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "/animations/0/samplers/0/input", |m| m.write(TIMES, 1, &[0.0])),
    ("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", "/animations/0/samplers/0/output", |m| m.write(TURNS, 3, &[2.0])),
];

fn second_primitive(
    model: &mut Model,
    change: impl FnOnce(&mut serde_json::Map<String, serde_json::Value>),
) {
    let mut second = model.root["meshes"][0]["primitives"][0].clone();
    change(second["attributes"].as_object_mut().unwrap());
    let primitives = model.root.pointer_mut("/meshes/0/primitives").unwrap();
    primitives.as_array_mut().unwrap().push(second);
}

/// Gives every vertex equal weights in `sets` sets of influences.
fn more_sets(model: &mut Model, sets: usize) {
    let joints: Vec<serde_json::Value> = (0..4 * sets).map(|joint| json!(joint % 2)).collect();
    model.put("/skins/0/joints", json!(joints));
    model.remove("/skins/0/inverseBindMatrices");
    let weights = vec![0.25 / sets as f32; 12];
    for set in 0..sets {
        let from = model.list("accessors").len();
        let four: Vec<u8> = (0..4).map(|lane| (4 * set + lane) as u8).collect();
        model.accessor(5121, "VEC4", 3, &four.repeat(3));
        model.floats("VEC4", &weights);
        model.put(&format!("{ATTRIBUTES}/JOINTS_{set}"), json!(from));
        model.put(&format!("{ATTRIBUTES}/WEIGHTS_{set}"), json!(from + 1));
    }
}

/// Returns files with faults of the container, each with its code.
pub(super) fn containers() -> Vec<(&'static str, Vec<u8>)> {
    let json = br#"{"asset":{"version":"2.0"}} "#;
    let with_buffers =
        br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4},{"byteLength":4}]}   "#;
    let embedded = br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":1,"uri":"data:application/octet-stream;base64,AA=="}]} "#;
    let sound = glb(&[(b"JSON", json)]);
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = sound.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let mut half_header = sound.clone();
    half_header.extend_from_slice(&[1, 2, 3]);
    let length = half_header.len() as u32;
    half_header[8..12].copy_from_slice(&length.to_le_bytes());
    vec![
        ("NOT_GLTF", b"PK\x03\x04".to_vec()),
        ("NOT_GLTF", b"\x00\x01".to_vec()),
        ("NOT_GLTF", b"Kaydara FBX Binary  \0".to_vec()),
        ("NOT_GLTF", b"<!DOCTYPE html><html>".to_vec()),
        ("GLB_AS_TEXT", bindpose_gltf::base64_text(&sound).into_bytes()),
        ("BYTE_ORDER_MARK", [b"\xEF\xBB\xBF", &json[..]].concat()),
        ("JSON_PADDED_WITH_ZEROS", glb(&[(b"JSON", &[&json[..27], b"\0"].concat())])),
        (
            "UNKNOWN_ASSET_MAJOR_VERSION",
            br#"{"asset":{"version":"1.0"},"nodes":{"a":{}}}"#.to_vec(),
        ),
        ("INVALID_JSON", b"{\"asset\": NaN}".to_vec()),
        ("GLB_UNEXPECTED_END_OF_HEADER", sound[..10].to_vec()),
        ("GLB_INVALID_VERSION", changed(4, &[1])),
        ("GLB_LENGTH_TOO_SMALL", changed(8, &[3, 0, 0, 0])),
        ("GLB_LENGTH_MISMATCH", changed(8, &[200, 0, 0, 0])),
        ("GLB_CHUNK_TOO_BIG", changed(8, &[20, 0, 0, 0])),
        ("GLB_CHUNK_LENGTH_UNALIGNED", glb(&[(b"JSON", &json[..27])])),
        ("GLB_EMPTY_CHUNK", glb(&[(b"JSON", b"")])),
        ("GLB_DUPLICATE_CHUNK", glb(&[(b"JSON", json), (b"JSON", json)])),
        ("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", half_header),
        ("GLB_UNEXPECTED_END_OF_CHUNK_DATA", sound[..sound.len() - 4].to_vec()),
        ("GLB_UNEXPECTED_FIRST_CHUNK", glb(&[(b"BIN\0", b"1234"), (b"JSON", json)])),
        ("GLB_UNEXPECTED_BIN_CHUNK", glb(&[(b"JSON", json), (b"ABCD", b""), (b"BIN\0", b"1234")])),
        ("GLB_UNKNOWN_CHUNK_TYPE", glb(&[(b"JSON", json), (b"ABCD", b"1234")])),
        ("BUFFER_MISSING_GLB_DATA", glb(&[(b"JSON", with_buffers)])),
        ("BUFFER_GLB_CHUNK_TOO_BIG", glb(&[(b"JSON", with_buffers), (b"BIN\0", b"12345678")])),
        ("DATA_URI_GLB", glb(&[(b"JSON", embedded)])),
        ("GLB_EXTRA_DATA", [&sound[..], b"more"].concat()),
    ]
}

#[test]
fn the_worst_vertex_is_reported_and_the_others_are_counted() {
    let mut model = Model::sound();
    model.write(WEIGHTS, 0, &[0.9]);
    model.write(WEIGHTS, 8, &[3.0]);
    let report = report(&model.source());
    let sum = finding(&report, "ACCESSOR_WEIGHTS_NON_NORMALIZED");
    assert_eq!((vertex_and_joint(sum).0, sum.count), (Some(2), 2));
    assert!(sum.found.contains("3.000"), "{}", sum.found);
    assert_eq!(sum.lesson, Some("whale"));
    assert!(sum.mendable);
}

#[test]
fn joints_are_described_by_index_and_node() {
    let mut model = Model::sound();
    model.put("/nodes/1/translation", json!([0, 3, 0]));
    let report = report(&model.source());
    let rest = finding(&report, "REST_IS_NOT_BIND");
    assert_eq!(rest.severity, Severity::Note);
    assert_eq!(vertex_and_joint(rest).1, Some(1));
    assert!(rest.found.contains("“knee”"), "{}", rest.found);
    assert!(rest.found.contains("moved by 2.000"), "{}", rest.found);
}

#[test]
fn a_file_that_does_not_open_has_an_error() {
    let report = report(&ModelSource::alone("a.ezm", b"<foo/>".as_slice()));
    assert!(report.errors > 0, "{report:?}");
    assert_eq!(finding(&report, "CANNOT_OPEN").severity, Severity::Error);
}

/// Regression test for unusual files that the format allows.
#[test]
fn allowed_files_have_no_findings() {
    #[rustfmt::skip]
    let allowed: &[fn(&mut Model)] = &[
        |m| { m.put("/skins/0/joints", json!([0.0, 1.0])); m.put("/accessors/0/count", json!(3.0)); },
        |m| m.put("/accessors/0/componentType", json!(5126.0)),
        |m| m.list("buffers").push(json!({"byteLength": 4})),
        // Two columns of two bytes: the second one is not padded.
        |m| { m.accessor(5121, "MAT2", 1, &[0; 6]); },
        |m| { let uri = data_uri(&m.bin).replace("octet-stream", "gltf-buffer"); m.put("/buffers/0/uri", json!(uri)); },
        |m| { let text = format!("data:application/octet-stream,{}", percents(&m.bin)); m.put("/buffers/0/uri", json!(text)); },
        |m| m.put("/nodes/0/extras", nested(90)),
    ];
    for (place, change) in allowed.iter().enumerate() {
        let mut model = Model::sound();
        change(&mut model);
        let found = report(&model.source()).findings;
        // The reader may still reject the file.
        let left = found.iter().filter(|finding| finding.code != "CANNOT_OPEN");
        assert_eq!(left.count(), 0, "{place}: {found:?}");
    }
    let mut deep = Model::sound();
    deep.put("/nodes/0/extras", json!("DEEP"));
    let text = String::from_utf8(deep.source().main.to_vec()).unwrap();
    let nested = [vec!["["; 900], vec!["]"; 900]].concat().concat();
    let text = text.replace("\"DEEP\"", &nested);
    let report = report(&ModelSource::alone("deep.gltf", text.into_bytes()));
    assert!(report.findings.iter().all(|f| f.code == "CANNOT_OPEN"), "{report:?}");
}

fn percents(bytes: &[u8]) -> String {
    let one = |byte: &u8| ["%".to_owned(), format!("{byte:02X}")];
    bytes.iter().flat_map(one).collect()
}

fn nested(depth: usize) -> serde_json::Value {
    (0..depth).fold(json!(1), |inner, _| json!({"a": inner}))
}
