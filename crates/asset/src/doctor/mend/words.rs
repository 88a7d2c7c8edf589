//! What mending did, in sentences.

/// What was done about faults of this code.
pub(super) fn done(code: &str) -> &'static str {
    match code {
        "ACCESSOR_WEIGHTS_NON_NORMALIZED" => {
            "The weights of each vertex were divided by their sum."
        }
        "WEIGHTS_ZERO" => {
            "Vertices without weights were bound to the first joint that they name, or to joint 0."
        }
        "ACCESSOR_WEIGHTS_NEGATIVE" => {
            "Negative weights were set to 0, and the others divided by their sum."
        }
        "ACCESSOR_JOINTS_INDEX_OOB" => {
            "Influences of joints that do not exist were dropped, and the others divided by their sum."
        }
        "ACCESSOR_JOINTS_INDEX_DUPLICATE" => "Lanes with the same joint were added up into one.",
        "ACCESSOR_JOINTS_USED_ZERO_WEIGHT" => "Lanes with weight 0 now name joint 0.",
        "ROTATION_NON_UNIT" => "The rotations of nodes were divided by their lengths.",
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION" => {
            "Rotation keys were divided by their lengths."
        }
        "ACCESSOR_VECTOR3_NON_UNIT" => "Normals were divided by their lengths.",
        "ACCESSOR_ANIMATION_INPUT_NON_INCREASING" => {
            "Keys that are not later than the one before were dropped, with their values."
        }
        "ACCESSOR_MIN_MISMATCH"
        | "ACCESSOR_MAX_MISMATCH"
        | "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"
        | "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS" => {
            "Bounds (min and max) were computed from the data."
        }
        "ACCESSOR_INVALID_IBM" => {
            "The last rows of inverse bind matrices, which were 0 0 0 1 but for rounding, were made exact."
        }
        "ACCESSOR_SPARSE_INDICES_NON_INCREASING" => {
            "Sparse accessors were written out in full; where an element stood twice, the last counts."
        }
        "ACCESSOR_SMALL_BYTESTRIDE" => {
            "Strides smaller than an element were left out where the data fits without them exactly."
        }
        "BUFFER_VIEW_INVALID_BYTE_STRIDE"
        | "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"
        | "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"
        | "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE" => {
            "Data that is not of vertices was written without strides."
        }
        "ACCESSOR_TOTAL_OFFSET_ALIGNMENT" | "MESH_PRIMITIVE_ACCESSOR_UNALIGNED" => {
            "Data was moved to multiples of 4 bytes."
        }
        _ => "The file was put together anew, with lengths and chunks as they must be.",
    }
}
