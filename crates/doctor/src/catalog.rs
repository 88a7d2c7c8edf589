//! The catalogue of faults that the doctor finds. Their texts are in `words/doctor.toml` of
//! this crate.
//!
//! Codes are those of the glTF validator's issues where it has one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bindpose_diagnostic::{Diagnostic, Severity};
use serde::Deserialize;

/// A kind of fault, independent of any file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DoctorFault {
    /// The official validator's name, or one of our own.
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    /// Slug of the lesson that explains the fault.
    pub(super) lesson: Option<&'static str>,
    /// Whether [`mend`](super::mend()) can repair the fault.
    pub(super) mendable: bool,
    /// Whether the fault concerns the meaning of numbers and not their form. No rule of the
    /// format covers it, and a faithful copy of the model has it too.
    pub(super) is_semantic: bool,
}

/// The texts of a fault.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultTexts {
    pub(super) title: &'static str,
    /// The effect on the picture.
    pub(super) effect: &'static str,
    pub(super) remedy: &'static str,
    /// The repair that [`mend`](super::mend()) did. `None` if rewriting the file is all of it,
    /// or if there is no repair.
    #[serde(default)]
    mended: Option<&'static str>,
}

/// Returns the text about a repaired fault. See [`FaultTexts::mended`].
pub(super) fn mended_text(code: &str) -> Option<&'static str> {
    FAULT_TEXTS.get(code)?.mended
}

/// By code. A test compares the codes with [`ALL_FAULTS`].
static FAULT_TEXTS: LazyLock<BTreeMap<&str, FaultTexts>> = LazyLock::new(|| {
    toml::from_str(include_str!("../words/doctor.toml")).expect("a test reads it")
});

impl DoctorFault {
    pub(super) fn texts(&self) -> FaultTexts {
        FAULT_TEXTS[self.code]
    }

    /// Fills in the code, the texts and the severity of a diagnostic. A help that it already
    /// has replaces the remedy.
    pub(super) fn complete(&self, diagnostic: Diagnostic) -> Diagnostic {
        let FaultTexts { title, effect, remedy, .. } = self.texts();
        let help = if diagnostic.help.is_empty() { remedy.to_owned() } else { diagnostic.help };
        Diagnostic {
            code: self.code,
            severity: self.severity,
            title: title.to_owned(),
            effect: effect.to_owned(),
            help,
            lesson: self.lesson,
            mendable: self.mendable,
            ..diagnostic
        }
    }

    /// Lowers the severity for a case without a visible effect.
    pub(super) const fn as_note(self) -> Self {
        Self { severity: Severity::Note, ..self }
    }

    /// Raises the severity for a case that ruins the picture.
    pub(super) const fn as_error(self) -> Self {
        Self { severity: Severity::Error, ..self }
    }

    /// Sets the severity for a case that the rest of the file may compensate.
    pub(super) const fn as_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    const fn new(severity: Severity, lesson: Option<&'static str>) -> Self {
        Self { code: "", severity, lesson, mendable: false, is_semantic: false }
    }

    const fn mendable(self) -> Self {
        Self { mendable: true, ..self }
    }

    const fn semantic(self) -> Self {
        Self { is_semantic: true, ..self }
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

/// Declares a constant for each fault and `ALL_FAULTS`, in the order of `docs/doctor.md`.
macro_rules! faults {
    ($($code:ident = $fault:expr;)*) => {
        $(pub(super) const $code: DoctorFault = DoctorFault { code: stringify!($code), ..$fault };)*
        pub(super) const ALL_FAULTS: &[DoctorFault] = &[$($code),*];
    };
}

faults! {
    // The container.
    NOT_GLTF = error(MODEL);
    GLB_AS_TEXT = error(BYTES).mendable();
    BYTES_REVERSED = error(BYTES).mendable();
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
    // Buffers, views and accessors.
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
    NODE_MATRIX_BY_ROWS = error(GRAPH).mendable();
    NODE_MATRIX_NON_TRS = error(GRAPH);
    ROTATION_OF_LENGTH_ZERO = error(TIME).mendable();
    ROTATION_NON_UNIT = error(JOINTS).mendable();
    NODE_SKIN_WITH_NON_SKINNED_MESH = error(JOINTS);
    NODE_SKINNED_MESH_WITHOUT_SKIN = warning(JOINTS);
    NODE_SKINNED_MESH_NON_ROOT = warning(JOINTS);
    NODE_SKINNED_MESH_LOCAL_TRANSFORMS = warning(JOINTS);
    NODE_SKIN_INSTANCED = warning(JOINTS).semantic();
    NODE_WEIGHTS_INVALID = error(BYTES);
    NODE_SKIN_NO_SCENE = error(GRAPH);
    MESH_IN_NO_SCENE = warning(GRAPH);
    SKIN_NO_COMMON_ROOT = error(GRAPH);
    SKIN_SKELETON_INVALID = error(GRAPH);
    SKIN_IBM_INVALID_FORMAT = error(BIND);
    SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE = error(BYTES).mendable();
    INVALID_IBM_ACCESSOR_COUNT = error(BIND);
    ACCESSOR_INVALID_IBM = error(BIND).mendable();
    IBM_SINGULAR = warning(BIND).semantic();
    IBM_MIRRORED = note(BIND).semantic();
    SKIN_WITHOUT_IBM = note(BIND);
    IBM_ORDER = error(BIND).mendable().semantic();
    IBM_NOT_INVERTED = error(BIND).mendable().semantic();
    IBM_OF_LOCAL = error(BIND).mendable().semantic();
    IBM_TRANSPOSED = error(BIND).mendable().semantic();
    IBM_OTHER_HAND = error(CONVENTIONS).mendable().semantic();
    IBM_OTHER_AXES = error(CONVENTIONS).mendable().semantic();
    IBM_OTHER_UNIT = error(CONVENTIONS).mendable().semantic();
    IBM_OTHER_SIDE = error(BIND).mendable().semantic();
    IBM_MISSING = error(BIND).mendable().semantic();
    IBM_WITHOUT_TRANSFORM = error(JOINTS).mendable().semantic();
    NODES_W_FIRST = error(GRAPH).mendable().semantic();
    NODES_TURN_BACK = error(CONVENTIONS).mendable().semantic();
    NODES_OTHER_ANGLES = error(CONVENTIONS).mendable().semantic();
    NODES_WHOLE_ANGLE = error(GRAPH).mendable().semantic();
    NODES_OTHER_ORDER = error(CONVENTIONS).mendable().semantic();
    NODES_HOLD_ANGLES = error(GRAPH).mendable().semantic();
    NODES_OTHER_HAND = error(CONVENTIONS).mendable().semantic();
    NODES_OTHER_AXES = error(CONVENTIONS).mendable().semantic();
    NODES_OTHER_UNIT = error(CONVENTIONS).mendable().semantic();
    NODES_ARE_WORLD = error(GRAPH).mendable().semantic();
    NODES_WITHOUT_TRANSFORM = error(BIND).mendable().semantic();
    IBM_SHEARED = error(BIND).semantic();
    MESH_OFF_SKELETON = warning(JOINTS).mendable().semantic();
    MESH_IN_PIECES = error(BIND).semantic();
    ALL_IN_ONE_POINT = error(JOINTS).semantic();
    SIZE_AT_REST = note(JOINTS).semantic();
    FAR_FROM_ORIGIN = warning(BYTES).semantic();
    MANY_JOINTS = note(JOINTS).semantic();
    JOINTS_ARE_NODES = error(JOINTS).mendable().semantic();
    JOINTS_FROM_ONE = error(JOINTS).mendable().semantic();
    JOINTS_OTHER_LANES = error(WEIGHTS).mendable().semantic();
    JOINTS_WRAPPED = error(WEIGHTS).mendable().semantic();
    JOINTS_SHIFTED = error(WEIGHTS).mendable().semantic();
    JOINTS_OF_A_PART = error(WEIGHTS).semantic();
    SIDES_SWAPPED = error(WEIGHTS).mendable().semantic();
    NODE_OTHER_SKIN = error(JOINTS).mendable().semantic();
    SKIN_OTHER_ORDER = error(WEIGHTS).mendable().semantic();
    MESH_IN_JOINT_SPACE = error(BIND).mendable().semantic();
    MESH_ALREADY_POSED = error(BIND).semantic();
    JOINTS_AT_TAILS = warning(JOINTS).semantic();
    JOINTS_OF_NEIGHBOUR = error(WEIGHTS).semantic();
    SEAM_OPENS = warning(WEIGHTS).semantic();
    ALL_ON_ONE_JOINT = warning(WEIGHTS).semantic();
    REST_IS_NOT_BIND = note(BIND);
    // Meshes, attributes, and the data of their vertices.
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
    FACES_INSIDE_OUT = warning(NORMALS).mendable().semantic();
    NORMALS_OTHER_AXES = warning(NORMALS).mendable().semantic();
    COLORS_BLACK = warning(BYTES).semantic();
    SURFACE_TRANSPARENT = warning(MODEL).semantic();
    MORPH_TARGET_HOLDS_POSITIONS = error(BYTES).mendable().semantic();
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
    JOINTS_INDEX_OOB_WITHOUT_WEIGHT = warning(WEIGHTS).mendable().semantic();
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
    CLIP_OTHER_INTERPOLATION = error(TIME).mendable();
    ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE = error(BYTES).mendable();
    ACCESSOR_ANIMATION_INPUT_NEGATIVE = error(TIME);
    ACCESSOR_ANIMATION_INPUT_NON_INCREASING = error(TIME).mendable();
    ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION = error(TIME).mendable();
    CLIP_OTHER_UNIT = error(CONVENTIONS).mendable().semantic();
    CLIP_OF_CHANGES = error(TIME).mendable().semantic();
    CLIP_W_FIRST = error(GRAPH).mendable().semantic();
    CLIP_TIMES_ARE_FRAMES = warning(TIME).semantic();
    CLIP_TIMES_ARE_MILLISECONDS = warning(TIME).mendable().semantic();
    CLIP_TIMES_ARE_TICKS = warning(TIME).mendable().semantic();
    CLIP_OTHER_ROTATIONS = error(GRAPH).semantic();
    CLIP_IN_WORLD = error(GRAPH).semantic();
    CLIP_OTHER_BONES = note(TIME).semantic();
    CLIP_BEGINS_LATE = note(TIME).semantic();
    SPLINE_SIGN_FLIPS = error(TIME).mendable().semantic();
    SPLINE_TANGENTS_ARE_KEYS = error(TIME).mendable().semantic();
    CLIP_SCALES_SKELETON = error(TIME).mendable().semantic();
    CLIP_MOVES_NOTHING = warning(TIME).semantic();
    FULL_TURN_BETWEEN_KEYS = warning(TIME).semantic();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_and_their_texts_match() {
        for code in FAULT_TEXTS.keys() {
            assert!(ALL_FAULTS.iter().any(|fault| fault.code == *code), "no fault {code}");
        }
        for fault in ALL_FAULTS {
            let texts = FAULT_TEXTS.get(fault.code);
            let texts = texts.unwrap_or_else(|| panic!("no texts for {}", fault.code));
            for text in [texts.title, texts.effect, texts.remedy] {
                assert!(!text.trim().is_empty(), "{}", fault.code);
            }
            assert!(texts.mended.is_none() || fault.mendable, "{}", fault.code);
        }
    }
}
