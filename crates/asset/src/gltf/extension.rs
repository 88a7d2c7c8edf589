//! Extensions: which are read, which may be left out, and which are refused.

use gltf::json::Root;

use super::error::{GltfError, GltfErrorKind};
use super::notes::ReadingNotes;

/// What a file may use: what it says is done.
const READ: [&str; 3] = ["KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_transform"];

/// Refuses what is required and not read; notes what is used and not read.
pub(super) fn check(root: &Root, notes: &mut ReadingNotes) -> Result<(), GltfError> {
    for (index, name) in root.extensions_required.iter().enumerate() {
        if !READ.contains(&name.as_str()) && !is_looks_alone(name) {
            return Err(GltfError::new(
                GltfErrorKind::Unsupported,
                format_args!("/extensionsRequired/{index}"),
                "an extension that this program can read",
                format_args!("“{name}”"),
                remedy(name),
            ));
        }
    }
    for (index, name) in root.extensions_used.iter().enumerate() {
        if READ.contains(&name.as_str()) {
            continue;
        }
        let error = GltfError::new(
            GltfErrorKind::Unsupported,
            format_args!("/extensionsUsed/{index}"),
            "an extension that this program can read",
            format_args!("“{name}”"),
            remedy(name),
        );
        notes.good_to_know("UNSUPPORTED_EXTENSION", error, "the model is shown without it");
    }
    Ok(())
}

/// Without it colours or lights are plainer, and nothing else changes.
fn is_looks_alone(name: &str) -> bool {
    name == "KHR_lights_punctual" || name.starts_with("KHR_materials_")
}

fn remedy(name: &str) -> &'static str {
    match name {
        "KHR_draco_mesh_compression" => "export the file again with Draco compression off",
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
            "export the file again with meshopt compression off"
        }
        "KHR_texture_basisu" | "EXT_texture_webp" | "EXT_texture_avif" => {
            "export the file again with its textures as PNG or JPEG"
        }
        _ if is_looks_alone(name) => "nothing needs to be done",
        _ => "export the file again without it",
    }
}
