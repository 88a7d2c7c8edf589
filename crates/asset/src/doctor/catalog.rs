//! Every fault the doctor knows. What it says of each, in words for whoever made the
//! file, is in `words/doctor.toml` of this crate.
//!
//! Names are those of the glTF validator's list of issues where it has one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bindpose_diagnostic::{Diagnostic, Severity};
use serde::Deserialize;

/// A kind of fault: all that can be said of it before a file is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DoctorFault {
    /// The official validator's name, or our own.
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    /// Slug of the lesson that explains it.
    pub(super) lesson: Option<&'static str>,
    /// Is there a way for the program to mend it?
    pub(super) mendable: bool,
}

/// What is said of a kind of fault.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultWords {
    /// What is wrong.
    pub(super) title: &'static str,
    /// What it does to the picture.
    pub(super) effect: &'static str,
    /// How to mend it.
    pub(super) remedy: &'static str,
    /// What the program did to mend it; absent where it was done by putting the file
    /// together anew, or where it cannot.
    #[serde(default)]
    mended: Option<&'static str>,
}

/// What was done about faults of a code, where there is more to say than that the file
/// was put together anew.
pub(super) fn words_of_mended(code: &str) -> Option<&'static str> {
    WORDS.get(code)?.mended
}

/// By the code of the fault; a test holds it to the table below.
static WORDS: LazyLock<BTreeMap<&str, FaultWords>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../words/doctor.toml")).expect("a test reads it")
});

impl DoctorFault {
    pub(super) fn words(&self) -> FaultWords {
        WORDS[self.code]
    }

    /// What was found, as this fault. Where it has no help of its own, the remedy
    /// is that of the fault.
    pub(super) fn of(&self, found: Diagnostic) -> Diagnostic {
        let FaultWords { title, effect, remedy, .. } = self.words();
        let help = if found.help.is_empty() { remedy.to_owned() } else { found.help };
        Diagnostic {
            code: self.code,
            severity: self.severity,
            title: title.to_owned(),
            effect: effect.to_owned(),
            help,
            lesson: self.lesson,
            mendable: self.mendable,
            ..found
        }
    }

    /// The same fault where it does no harm that one could see.
    pub(super) const fn as_note(self) -> Self {
        Self { severity: Severity::Note, ..self }
    }

    /// The same fault where nothing is right in the picture.
    pub(super) const fn as_error(self) -> Self {
        Self { severity: Severity::Error, ..self }
    }

    /// The same fault where something else may make it good.
    pub(super) const fn as_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    const fn new(severity: Severity, lesson: Option<&'static str>) -> Self {
        Self { code: "", severity, lesson, mendable: false }
    }

    const fn mendable(self) -> Self {
        Self { mendable: true, ..self }
    }
}

const fn error(lesson: Option<&'static str>) -> DoctorFault {
    DoctorFault::new(Severity::Error, lesson)
}

const fn warning(lesson: Option<&'static str>) -> DoctorFault {
    DoctorFault::new(Severity::Warning, lesson)
}

const fn note(lesson: Option<&'static str>) -> DoctorFault {
    DoctorFault::new(Severity::Note, lesson)
}

// Slugs of lessons.
const BIND: Option<&str> = Some("bind-pose");
const WEIGHTS: Option<&str> = Some("bone-grid");
const JOINTS: Option<&str> = Some("gltf-joint-matrices");
const NORMALS: Option<&str> = Some("normals");
const BYTES: Option<&str> = Some("gltf-bytes");
const GRAPH: Option<&str> = Some("scene-graph");
const WHALE: Option<&str> = Some("whale");
const TIME: Option<&str> = Some("time");
const CONVENTIONS: Option<&str> = Some("conventions");
const MODEL: Option<&str> = Some("your-model");

/// Each as a constant, and all of them, in the order of `docs/doctor.md`.
macro_rules! faults {
    ($($code:ident = $fault:expr;)*) => {
        $(pub(super) const $code: DoctorFault = DoctorFault { code: stringify!($code), ..$fault };)*
        pub(super) const ALL: &[DoctorFault] = &[$($code),*];
    };
}

faults! {
    // The file around the data.
    NOT_GLTF = error(MODEL);
    GLB_AS_TEXT = error(BYTES).mendable();
    GLB_UNEXPECTED_END_OF_HEADER = error(BYTES);
    GLB_INVALID_VERSION = error(BYTES);
    GLB_LENGTH_TOO_SMALL = error(BYTES).mendable();
    GLB_LENGTH_MISMATCH = error(BYTES).mendable();
    GLB_EXTRA_DATA = warning(BYTES).mendable();
    GLB_CHUNK_TOO_BIG = error(BYTES);
    GLB_CHUNK_LENGTH_UNALIGNED = error(BYTES).mendable();
    GLB_EMPTY_CHUNK = error(BYTES);
    GLB_DUPLICATE_CHUNK = error(BYTES).mendable();
    GLB_UNEXPECTED_END_OF_CHUNK_HEADER = error(BYTES);
    GLB_UNEXPECTED_END_OF_CHUNK_DATA = error(BYTES);
    GLB_UNEXPECTED_FIRST_CHUNK = error(BYTES);
    GLB_UNEXPECTED_BIN_CHUNK = error(BYTES).mendable();
    GLB_UNKNOWN_CHUNK_TYPE = warning(BYTES).mendable();
    INVALID_JSON = error(BYTES);
    BYTE_ORDER_MARK = warning(BYTES).mendable();
    JSON_PADDED_WITH_ZEROS = warning(BYTES).mendable();
    CANNOT_OPEN = error(MODEL);
    NOTHING_TO_SHOW = note(MODEL);
    MORE_FINDINGS = note(None);
    EXAMINED_IN_PART = note(None);
    // The JSON: names, types, references, extensions.
    TYPE_MISMATCH = error(BYTES);
    UNDEFINED_PROPERTY = error(BYTES);
    UNEXPECTED_PROPERTY = warning(BYTES);
    UNSATISFIED_DEPENDENCY = error(GRAPH);
    EMPTY_ENTITY = error(BYTES);
    INVALID_INDEX = error(BYTES);
    MINUS_ONE_FOR_NONE = warning(BYTES).mendable();
    UNRESOLVED_REFERENCE = error(BYTES);
    DUPLICATE_ELEMENTS = error(BYTES);
    VALUE_NOT_IN_LIST = warning(BYTES);
    VALUE_NOT_IN_RANGE = error(BYTES);
    VALUE_MULTIPLE_OF = error(BYTES);
    ARRAY_LENGTH_NOT_IN_LIST = error(BYTES);
    PATTERN_MISMATCH = error(BYTES);
    ONE_OF_MISMATCH = error(BYTES);
    ASSET_MIN_VERSION_GREATER_THAN_VERSION = error(BYTES);
    UNKNOWN_ASSET_MINOR_VERSION = warning(BYTES);
    UNKNOWN_ASSET_MAJOR_VERSION = error(MODEL);
    UNDECLARED_EXTENSION = error(MODEL);
    UNUSED_EXTENSION_REQUIRED = error(MODEL);
    NON_REQUIRED_EXTENSION = error(MODEL);
    UNSUPPORTED_REQUIRED_EXTENSION = error(MODEL);
    UNSUPPORTED_EXTENSION = note(MODEL);
    // Buffers, views, accessors: where the numbers lie.
    INVALID_URI = error(BYTES);
    URI_WITH_BARE_PERCENT = warning(BYTES).mendable();
    URI_WITH_BACKSLASH = warning(BYTES).mendable();
    FILE_NAME_DIFFERS = warning(BYTES).mendable();
    NON_RELATIVE_URI = warning(BYTES);
    IO_ERROR = error(BYTES);
    BUFFER_BYTE_LENGTH_MISMATCH = error(BYTES);
    BUFFER_MISSING_GLB_DATA = error(BYTES);
    BUFFER_WITHOUT_URI = warning(BYTES);
    BUFFER_GLB_CHUNK_TOO_BIG = warning(BYTES).mendable();
    BUFFER_DATA_URI_MIME_TYPE_INVALID = error(BYTES).mendable();
    DATA_URI_GLB = warning(BYTES).mendable();
    BUFFER_VIEW_TOO_LONG = error(BYTES);
    BUFFER_VIEW_TOO_BIG_BYTE_STRIDE = error(BYTES);
    BUFFER_VIEW_INVALID_BYTE_STRIDE = error(BYTES).mendable();
    ACCESSOR_SMALL_BYTESTRIDE = error(BYTES).mendable();
    ACCESSOR_TOO_LONG = error(BYTES);
    ACCESSOR_TOO_LARGE = error(BYTES);
    ACCESSOR_TOTAL_OFFSET_ALIGNMENT = error(BYTES).mendable();
    ACCESSOR_NORMALIZED_INVALID = error(BYTES);
    ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE = error(BYTES);
    ACCESSOR_SPARSE_INDEX_OOB = error(BYTES);
    ACCESSOR_SPARSE_INDICES_NON_INCREASING = error(BYTES).mendable();
    ACCESSOR_INVALID_FLOAT = error(BYTES);
    ACCESSOR_MIN_MISMATCH = error(BYTES).mendable();
    ACCESSOR_MAX_MISMATCH = error(BYTES).mendable();
    ACCESSOR_USAGE_OVERRIDE = error(BYTES);
    BUFFER_VIEW_TARGET_OVERRIDE = error(BYTES);
    IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE = error(BYTES);
    NUMBERS_OVERFLOW = error(BYTES);
    ACCESSOR_WITHOUT_DATA = warning(BYTES);
    // Nodes, scenes and skins.
    NODE_LOOP = error(GRAPH);
    NODE_PARENT_OVERRIDE = error(GRAPH);
    SCENE_NON_ROOT_NODE = error(GRAPH);
    NODE_MATRIX_TRS = error(GRAPH);
    NODE_MATRIX_NON_TRS = error(GRAPH);
    ROTATION_OF_LENGTH_ZERO = error(TIME).mendable();
    ROTATION_NON_UNIT = error(JOINTS).mendable();
    NODE_SKIN_WITH_NON_SKINNED_MESH = error(JOINTS);
    NODE_SKINNED_MESH_WITHOUT_SKIN = warning(JOINTS);
    NODE_SKINNED_MESH_NON_ROOT = warning(JOINTS);
    NODE_SKINNED_MESH_LOCAL_TRANSFORMS = warning(JOINTS);
    NODE_WEIGHTS_INVALID = error(BYTES);
    NODE_SKIN_NO_SCENE = error(GRAPH);
    MESH_IN_NO_SCENE = warning(GRAPH);
    SKIN_NO_COMMON_ROOT = error(GRAPH);
    SKIN_SKELETON_INVALID = error(GRAPH);
    SKIN_IBM_INVALID_FORMAT = error(BIND);
    SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE = error(BYTES).mendable();
    INVALID_IBM_ACCESSOR_COUNT = error(BIND);
    ACCESSOR_INVALID_IBM = error(BIND).mendable();
    IBM_SINGULAR = warning(BIND);
    IBM_MIRRORED = note(BIND);
    SKIN_WITHOUT_IBM = note(BIND);
    IBM_ORDER = error(BIND).mendable();
    IBM_NOT_INVERTED = error(BIND).mendable();
    IBM_OF_LOCAL = error(BIND).mendable();
    IBM_TRANSPOSED = error(BIND).mendable();
    IBM_OTHER_HAND = error(CONVENTIONS).mendable();
    IBM_OTHER_AXES = error(CONVENTIONS).mendable();
    IBM_OTHER_UNIT = error(CONVENTIONS).mendable();
    IBM_OTHER_SIDE = error(BIND).mendable();
    IBM_MISSING = error(BIND).mendable();
    IBM_WITHOUT_TRANSFORM = error(JOINTS).mendable();
    NODES_W_FIRST = error(GRAPH).mendable();
    NODES_TURN_BACK = error(CONVENTIONS).mendable();
    NODES_OTHER_ANGLES = error(CONVENTIONS).mendable();
    MESH_OFF_SKELETON = warning(JOINTS).mendable();
    MESH_IN_PIECES = error(BIND);
    ALL_IN_ONE_POINT = error(JOINTS);
    SIZE_AT_REST = note(JOINTS);
    FAR_FROM_ORIGIN = warning(BYTES);
    MANY_JOINTS = note(JOINTS);
    JOINTS_ARE_NODES = error(JOINTS).mendable();
    JOINTS_FROM_ONE = error(JOINTS).mendable();
    JOINTS_OTHER_LANES = error(WEIGHTS).mendable();
    ALL_ON_ONE_JOINT = warning(WEIGHTS);
    REST_IS_NOT_BIND = note(BIND);
    // Meshes, attributes and what stands in each vertex.
    MESH_WITHOUT_PRIMITIVES = warning(BYTES);
    MESH_PRIMITIVE_NO_POSITION = warning(BYTES);
    MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS = error(BYTES).mendable();
    MESH_PRIMITIVE_INVALID_ATTRIBUTE = error(BYTES);
    MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY = error(BYTES);
    MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT = error(BYTES);
    MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT = error(BYTES);
    MESH_PRIMITIVE_TOO_FEW_TEXCOORDS = error(BYTES);
    MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL = warning(NORMALS);
    MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE = error(BYTES);
    MESH_PRIMITIVE_ACCESSOR_UNALIGNED = error(BYTES).mendable();
    MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT = error(BYTES);
    MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH = error(WEIGHTS);
    MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT = warning(WEIGHTS);
    MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT = error(BYTES);
    MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE = error(BYTES).mendable();
    MESH_PRIMITIVE_INCOMPATIBLE_MODE = warning(BYTES);
    ACCESSOR_INDEX_OOB = error(BYTES);
    ACCESSOR_INDEX_PRIMITIVE_RESTART = error(BYTES);
    ACCESSOR_VECTOR3_NON_UNIT = error(NORMALS).mendable();
    ACCESSOR_INVALID_SIGN = error(NORMALS);
    ACCESSOR_NON_CLAMPED = error(BYTES);
    NO_NORMALS = note(NORMALS);
    FACES_INSIDE_OUT = warning(NORMALS).mendable();
    NORMALS_OTHER_AXES = warning(NORMALS).mendable();
    COLORS_BLACK = warning(BYTES);
    SURFACE_TRANSPARENT = warning(MODEL);
    MORPH_TARGET_HOLDS_POSITIONS = error(BYTES).mendable();
    MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT = error(BYTES);
    MESH_INVALID_WEIGHTS_COUNT = error(BYTES);
    MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR = error(BYTES);
    MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT = error(BYTES);
    ACCESSOR_JOINTS_INDEX_OOB = error(WEIGHTS).mendable();
    ACCESSOR_JOINTS_INDEX_DUPLICATE = error(WEIGHTS).mendable();
    ACCESSOR_JOINTS_USED_ZERO_WEIGHT = warning(WEIGHTS).mendable();
    ACCESSOR_WEIGHTS_NEGATIVE = error(WEIGHTS).mendable();
    ACCESSOR_WEIGHTS_NON_NORMALIZED = error(WHALE).mendable();
    WEIGHTS_ZERO = error(WEIGHTS).mendable();
    JOINTS_INDEX_OOB_WITHOUT_WEIGHT = warning(WEIGHTS).mendable();
    INFLUENCES_BEYOND_SHOWN = note(WEIGHTS);
    INFLUENCES_BEYOND_FIRST_SET = note(WEIGHTS);
    MANY_INFLUENCE_SETS = warning(WEIGHTS);
    // Clips: channels, samplers, keys.
    CHANNEL_WITHOUT_NODE = note(TIME);
    CHANNEL_POINTS_ELSEWHERE = note(TIME);
    ANIMATION_CHANNEL_TARGET_NODE_MATRIX = error(TIME);
    ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS = error(TIME);
    ANIMATION_CHANNEL_TARGET_NODE_SKIN = warning(TIME);
    ANIMATION_DUPLICATE_TARGETS = error(TIME);
    ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT = error(TIME);
    ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS = error(TIME);
    ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS = error(TIME).mendable();
    ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT = error(TIME);
    ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT = error(TIME);
    ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE = error(BYTES).mendable();
    ACCESSOR_ANIMATION_INPUT_NEGATIVE = error(TIME);
    ACCESSOR_ANIMATION_INPUT_NON_INCREASING = error(TIME).mendable();
    ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION = error(TIME).mendable();
    CLIP_OTHER_UNIT = error(CONVENTIONS).mendable();
    CLIP_OF_CHANGES = error(TIME).mendable();
    CLIP_W_FIRST = error(GRAPH).mendable();
    CLIP_TIMES_ARE_FRAMES = warning(TIME);
    CLIP_TIMES_ARE_MILLISECONDS = warning(TIME).mendable();
    CLIP_BEGINS_LATE = note(TIME);
    SPLINE_SIGN_FLIPS = error(TIME).mendable();
    SPLINE_TANGENTS_ARE_KEYS = error(TIME).mendable();
    CLIP_SCALES_SKELETON = error(TIME).mendable();
    CLIP_MOVES_NOTHING = warning(TIME);
    FULL_TURN_BETWEEN_KEYS = warning(TIME);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_words_and_no_words_are_without_a_fault() {
        for code in WORDS.keys() {
            assert!(ALL.iter().any(|fault| fault.code == *code), "no fault is called {code}");
        }
        for fault in ALL {
            let words = WORDS.get(fault.code);
            let words = words.unwrap_or_else(|| panic!("no words for {}", fault.code));
            for text in [words.title, words.effect, words.remedy] {
                assert!(!text.trim().is_empty(), "{}", fault.code);
            }
            assert!(words.mended.is_none() || fault.mendable, "{}", fault.code);
        }
    }
}
