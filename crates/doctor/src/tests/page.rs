//! Generates `docs/doctor.md` from the catalogue. `UPDATE_SNAPSHOTS=1` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use super::catalog::FaultTexts;
use super::*;

const HEAD: &str = "# What the doctor finds

<!-- Written by a test out of crates/doctor/words/doctor.toml: UPDATE_SNAPSHOTS=1 cargo test -p bindpose-doctor -->

`bindpose doctor model.glb` examines glTF files, also such that do not open. A fault has the name and the severity that the format's [official validator](https://github.com/KhronosGroup/glTF-Validator) gives it, where it has one. An error or a warning of which nothing can be seen in the picture is told as a note. What has a * can be mended by `--mend`: a new file is written, with data and pictures embedded; the old one stays as it is. [The doctor in a team’s checks](doctor-in-ci.md) has exit codes, several files and folders, known findings, SARIF, a GitHub Action, a pre-commit hook and a container. [My model came out wrong](technical-artists.md) has the findings that are met most, with pictures, causes by program, and what to do there.

";

const FOOT: &str = "
Errors and warnings of the validator that are not looked for: what pictures hold (`IMAGE_*`, `TEXTURE_INVALID_IMAGE_MIME_TYPE`), how fields of cameras and materials go together (`CAMERA_*`, `MATERIAL_ALPHA_CUTOFF_INVALID_MODE`, `MESH_PRIMITIVE_GENERATED_TANGENT_SPACE`, `MESH_PRIMITIVE_NO_TANGENT_SPACE`), and what stands in extensions (`KHR_*`, `INVALID_EXTENSION_NAME_FORMAT`, `UNEXPECTED_EXTENSION_OBJECT`, `MULTIPLE_EXTENSIONS`). Its informations and hints are left out too.
";

/// Codes with the validator's names for them if these differ, empty if the validator does not
/// check them.
const NAMES: &[(&str, &str)] = &[
    (
        "ACCESSOR_MAX_MISMATCH",
        "the same, and `ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND`, `INVALID_GL_VALUE`",
    ),
    (
        "ACCESSOR_MIN_MISMATCH",
        "the same, and `ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND`, `INVALID_GL_VALUE`",
    ),
    ("ACCESSOR_TOO_LARGE", ""),
    (
        "ACCESSOR_TOTAL_OFFSET_ALIGNMENT",
        "the same, and `ACCESSOR_OFFSET_ALIGNMENT`, `ACCESSOR_MATRIX_ALIGNMENT`",
    ),
    ("ACCESSOR_WITHOUT_DATA", ""),
    ("BUFFER_WITHOUT_URI", ""),
    ("CANNOT_OPEN", ""),
    ("EXAMINED_IN_PART", ""),
    ("IBM_MIRRORED", ""),
    ("IBM_SINGULAR", ""),
    ("INFLUENCES_BEYOND_FIRST_SET", ""),
    ("INFLUENCES_BEYOND_SHOWN", ""),
    ("MANY_INFLUENCE_SETS", ""),
    ("MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT", ""),
    ("MORE_FINDINGS", ""),
    ("NOTHING_TO_SHOW", ""),
    ("NOT_GLTF", "`GLB_INVALID_MAGIC`"),
    ("NO_NORMALS", ""),
    ("NUMBERS_OVERFLOW", ""),
    ("REST_IS_NOT_BIND", ""),
    ("SKIN_WITHOUT_IBM", ""),
    ("TYPE_MISMATCH", "the same, and `ARRAY_TYPE_MISMATCH`"),
    ("UNSUPPORTED_REQUIRED_EXTENSION", ""),
    ("GLB_AS_TEXT", ""),
    ("BYTES_REVERSED", ""),
    ("NODE_MATRIX_BY_ROWS", "`NODE_MATRIX_NON_TRS`"),
    ("CLIP_OTHER_INTERPOLATION", "`ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT`"),
    ("BYTE_ORDER_MARK", "`INVALID_JSON`"),
    ("JSON_PADDED_WITH_ZEROS", "`INVALID_JSON`"),
    ("MINUS_ONE_FOR_NONE", "`INVALID_INDEX`"),
    ("URI_WITH_BARE_PERCENT", "`INVALID_URI`"),
    ("URI_WITH_BACKSLASH", ""),
    ("FILE_NAME_DIFFERS", "`IO_ERROR`"),
    (
        "ROTATION_OF_LENGTH_ZERO",
        "`ROTATION_NON_UNIT`, `ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION`",
    ),
    ("MESH_WITHOUT_PRIMITIVES", "`UNDEFINED_PROPERTY`, `EMPTY_ENTITY`"),
    ("CHANNEL_WITHOUT_NODE", ""),
    ("CHANNEL_POINTS_ELSEWHERE", ""),
    ("WEIGHTS_ZERO", "`ACCESSOR_WEIGHTS_NON_NORMALIZED`"),
];

fn page() -> String {
    let mut page = HEAD.to_owned();
    page += "| fault | in the validator | | what it means | how to mend it |\n";
    page += "| --- | --- | --- | --- | --- |\n";
    for fault in catalog::ALL_FAULTS {
        let theirs = NAMES.iter().find(|(code, _)| *code == fault.code);
        let same = if fault.is_semantic { "" } else { "the same" };
        let theirs = theirs.map_or(same, |(_, theirs)| theirs);
        let star = if fault.mendable { " *" } else { "" };
        let (code, severity) = (fault.code, fault.severity);
        let FaultTexts { title, effect, remedy, .. } = fault.texts();
        writeln!(page, "| `{code}`{star} | {theirs} | {severity} | {title} {effect} | {remedy} |")
            .unwrap();
    }
    page + FOOT
}

#[test]
fn the_page_of_faults_matches_the_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/doctor.md");
    for (code, _) in NAMES {
        assert!(catalog::ALL_FAULTS.iter().any(|fault| fault.code == *code), "{code}");
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "UPDATE_SNAPSHOTS=1 cargo test -p bindpose-doctor writes it anew";
    assert!(stored == page(), "docs/doctor.md is not that of the catalogue; {hint}");
}
