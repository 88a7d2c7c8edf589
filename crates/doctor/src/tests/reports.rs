//! Models with mistakes that users have reported, if they are available. The doctor names each
//! mistake, and finds nothing else.

use super::shared::{EXPECTED_FAULTS, examined, models};
use super::*;

/// Files with the codes of their findings.
const EXPECTED_CODES: [(&str, &[&str]); 71] = [
    ("ibm_other_order.glb", &["IBM_ORDER"]),
    ("ibm_of_local.glb", &["IBM_OF_LOCAL"]),
    ("ibm_other_hand.glb", &["IBM_OTHER_HAND"]),
    ("ibm_in_centimetres.glb", &["IBM_OTHER_UNIT"]),
    ("ibm_transposed_rotation.glb", &["IBM_TRANSPOSED"]),
    ("ibm_without_root.glb", &["IBM_WITHOUT_TRANSFORM"]),
    ("ibm_z_up.glb", &["IBM_WITHOUT_TRANSFORM"]),
    ("bind_shape_left_out.glb", &["MESH_OFF_SKELETON"]),
    ("mesh_z_up.glb", &["NORMALS_OTHER_AXES", "MESH_OFF_SKELETON"]),
    ("joints_are_nodes.glb", &["JOINTS_ARE_NODES"]),
    ("joints_from_one_with_tip.glb", &["JOINTS_FROM_ONE"]),
    ("all_on_joint_0.glb", &["ALL_ON_ONE_JOINT", "CLIP_MOVES_NOTHING"]),
    ("full_turn_two_keys.glb", &["FULL_TURN_BETWEEN_KEYS"]),
    ("clip_in_centimetres.glb", &["CLIP_OTHER_UNIT"]),
    ("keys_are_changes.glb", &["CLIP_OF_CHANGES"]),
    ("keys_w_first.glb", &["CLIP_W_FIRST"]),
    ("times_are_frames.glb", &["CLIP_TIMES_ARE_FRAMES"]),
    ("starts_at_10.glb", &["CLIP_BEGINS_LATE"]),
    ("spline_sign_flips.glb", &["SPLINE_SIGN_FLIPS"]),
    ("ibm_without_data.glb", &["ACCESSOR_WITHOUT_DATA"]),
    ("third_set_only.glb", &["INFLUENCES_BEYOND_FIRST_SET"]),
    ("padding_is_255.glb", &["JOINTS_INDEX_OOB_WITHOUT_WEIGHT"]),
    ("joint_minus_one.glb", &[]),
    ("faces_inside_out.glb", &["FACES_INSIDE_OUT"]),
    ("normals_z_up.glb", &["NORMALS_OTHER_AXES"]),
    ("alpha_zero.glb", &["SURFACE_TRANSPARENT"]),
    ("far_away.glb", &["FAR_FROM_ORIGIN"]),
    ("armature_scale_001.glb", &["SIZE_AT_REST"]),
    ("joints_300.glb", &["MANY_JOINTS"]),
    ("armature_scale_zero.glb", &["ALL_IN_ONE_POINT"]),
    ("morph_is_positions.glb", &["MORPH_TARGET_HOLDS_POSITIONS"]),
    ("lines.glb", &[]),
    ("webp_required.glb", &["UNSUPPORTED_EXTENSION"]),
    ("mesh_without_primitives.glb", &["MESH_WITHOUT_PRIMITIVES"]),
    ("skeleton_minus_one.glb", &["MINUS_ONE_FOR_NONE"]),
    ("percent.gltf", &["URI_WITH_BARE_PERCENT"]),
    ("fbx_renamed.glb", &["NOT_GLTF"]),
    ("gltf1.gltf", &["UNKNOWN_ASSET_MAJOR_VERSION"]),
    ("channel_without_node.glb", &["CHANNEL_WITHOUT_NODE"]),
    ("composed.gltf", &["FILE_NAME_DIFFERS"]),
    ("key_of_length_zero.glb", &["ROTATION_OF_LENGTH_ZERO"]),
    ("nodes_are_world.glb", &["NODES_ARE_WORLD"]),
    ("mesh_already_posed.glb", &["MESH_ALREADY_POSED"]),
    ("second_mesh_first_skin.glb", &["NODE_OTHER_SKIN"]),
    ("nodes_whole_angle.glb", &["NODES_WHOLE_ANGLE"]),
    ("nodes_degrees.glb", &["NODES_HOLD_ANGLES"]),
    ("nodes_zyx.glb", &["NODES_OTHER_ORDER"]),
    ("node_matrices_by_rows.glb", &["NODE_MATRIX_BY_ROWS"]),
    ("ibm_sheared.glb", &["IBM_SHEARED"]),
    ("joints_at_tails.glb", &["JOINTS_AT_TAILS"]),
    ("hair_in_centimetres.glb", &["MESH_OFF_SKELETON"]),
    ("hair_without_ibm.glb", &["IBM_MISSING"]),
    ("weights_one_vertex_late.glb", &["JOINTS_OF_NEIGHBOUR"]),
    ("joints_wrap_at_256.glb", &["JOINTS_WRAPPED"]),
    ("joints_of_a_part.glb", &["JOINTS_OF_A_PART"]),
    ("sides_swapped.glb", &["SIDES_SWAPPED"]),
    ("twins_part.glb", &["SEAM_OPENS"]),
    ("weights_of_unit_length.glb", &["ACCESSOR_WEIGHTS_NON_NORMALIZED"]),
    ("one_mesh_two_orders.glb", &["SKIN_OTHER_ORDER"]),
    ("spline_called_linear.glb", &["CLIP_OTHER_INTERPOLATION"]),
    ("clip_root_in_world.glb", &["CLIP_IN_WORLD"]),
    ("keys_are_turns_from_rest.glb", &["CLIP_OF_CHANGES"]),
    ("bytes_reversed.glb", &["BYTES_REVERSED"]),
    ("many_places.glb", &["NODE_SKIN_INSTANCED"]),
    ("levels_of_detail.glb", &["UNSUPPORTED_EXTENSION"]),
    ("draco_required.glb", &["UNSUPPORTED_REQUIRED_EXTENSION"]),
    ("face_on_head.glb", &[]),
    ("hair_cap.glb", &[]),
    ("falls_down.glb", &[]),
    ("centimetres_and_turned.glb", &["SIZE_AT_REST"]),
    ("mirrored_side.glb", &[]),
];

#[test]
fn mistakes_of_reported_models_are_recognized() {
    let Some(folder) = models("reports") else {
        return;
    };
    let mut problems = Vec::new();
    for (file, expected) in EXPECTED_CODES {
        let findings = examined(&folder.join(file)).findings;
        let found: Vec<&str> = findings
            .iter()
            .map(|finding| finding.code)
            .filter(|code| *code != "NO_NORMALS")
            .collect();
        if found != expected {
            problems.push(format!("{file}: {found:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Returns the findings about the meaning of numbers.
fn semantic_findings(report: DoctorReport) -> impl Iterator<Item = Diagnostic> {
    report.findings.into_iter().filter(|finding| is_about_meaning(finding.code))
}

#[test]
fn own_models_have_no_findings_about_meaning() {
    for id in bindpose_rigs::builtin_ids() {
        let rig = bindpose_rigs::builtin(id).unwrap();
        if let Some(origin) = &rig.origin {
            let guessed: Vec<Diagnostic> = semantic_findings(report(&origin.source)).collect();
            assert!(guessed.is_empty(), "{id}: {guessed:?}");
        }
    }
}

#[test]
fn sound_models_have_no_findings_about_meaning() {
    let mut problems = Vec::new();
    for name in [".", "synthetic"] {
        let Some(folder) = models(name) else {
            continue;
        };
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let end = path.extension().and_then(|end| end.to_str());
            if !matches!(end, Some("gltf" | "glb")) {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            for finding in semantic_findings(examined(&path)) {
                if !EXPECTED_FAULTS.contains(&(name.as_str(), finding.code)) {
                    let Diagnostic { code, at, found, .. } = finding;
                    problems.push(format!("{name}: {code} {at} {found}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
