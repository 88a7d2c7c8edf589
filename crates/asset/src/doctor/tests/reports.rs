//! Models as people have reported them, where they are at hand: each is told by the name
//! of what is wrong with it, and by no other.

use super::shared::{examined, models};
use super::*;

/// File, and what is said of it beside notes.
const TOLD: [(&str, &[&str]); 25] = [
    ("ibm_other_order.glb", &["IBM_ORDER"]),
    ("ibm_of_local.glb", &["IBM_OF_LOCAL"]),
    ("ibm_other_hand.glb", &["IBM_OTHER_HAND"]),
    ("ibm_in_centimetres.glb", &["IBM_OTHER_UNIT"]),
    ("ibm_transposed_rotation.glb", &["IBM_TRANSPOSED"]),
    ("ibm_without_root.glb", &["IBM_WITHOUT_TRANSFORM"]),
    ("ibm_z_up.glb", &["IBM_WITHOUT_TRANSFORM"]),
    ("bind_shape_left_out.glb", &["MESH_OFF_SKELETON"]),
    ("mesh_z_up.glb", &["MESH_OFF_SKELETON"]),
    ("joints_are_nodes.glb", &["JOINTS_ARE_NODES"]),
    ("joints_from_one_with_tip.glb", &["JOINTS_FROM_ONE"]),
    ("all_on_joint_0.glb", &["ALL_ON_ONE_JOINT"]),
    ("full_turn_two_keys.glb", &["FULL_TURN_BETWEEN_KEYS"]),
    ("clip_in_centimetres.glb", &["CLIP_OTHER_UNIT"]),
    ("keys_are_changes.glb", &["CLIP_OF_CHANGES"]),
    ("keys_w_first.glb", &["CLIP_W_FIRST"]),
    ("webp_required.glb", &[]),
    ("mesh_without_primitives.glb", &["MESH_WITHOUT_PRIMITIVES"]),
    ("skeleton_minus_one.glb", &["MINUS_ONE_FOR_NONE"]),
    ("percent.gltf", &["URI_WITH_BARE_PERCENT"]),
    ("fbx_renamed.glb", &["NOT_GLTF"]),
    ("gltf1.gltf", &["UNKNOWN_ASSET_MAJOR_VERSION"]),
    ("channel_without_node.glb", &[]),
    ("composed.gltf", &["FILE_NAME_DIFFERS"]),
    ("key_of_length_zero.glb", &["ROTATION_OF_LENGTH_ZERO"]),
];

#[test]
fn reported_models_are_told_by_the_name_of_what_is_wrong() {
    let Some(folder) = models("reports") else {
        return;
    };
    for (file, expected) in TOLD {
        let report = examined(&folder.join(file));
        let needs = report.findings.iter().filter(|finding| finding.severity != Severity::Note);
        let found: Vec<&str> = needs.map(|finding| finding.code).collect();
        assert_eq!(found, expected, "{file}");
    }
}
