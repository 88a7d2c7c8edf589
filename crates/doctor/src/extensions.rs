//! Version and extensions of a file.

use bindpose_gltf::decoding::schema::parse_version;
use bindpose_gltf::decoding::values::{get_str, quoted};
use bindpose_gltf::decoding::{READ_EXTENSIONS, UnreadExtension};
use serde_json::Value;

use super::catalog as fault;
use super::document::RawDocument;
use super::findings::Findings;

/// Extension that shows the mesh of a node in several places.
const INSTANCING: &str = "EXT_mesh_gpu_instancing";

pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    examine_version(doc, findings);
    examine_required(doc, findings);
    examine_used(doc, findings);
}

/// Checks the versions. The schema has reported values that are no versions at all.
fn examine_version(doc: &RawDocument<'_>, findings: &mut Findings) {
    let Some(asset) = doc.root.get("asset") else {
        return;
    };
    let Some(text) = get_str(asset, "version") else {
        return;
    };
    let Some(version) = parse_version(text) else {
        return;
    };
    let fault = match version {
        (2, 0) => None,
        (2, _) => Some(&fault::UNKNOWN_ASSET_MINOR_VERSION),
        _ => Some(&fault::UNKNOWN_ASSET_MAJOR_VERSION),
    };
    if let Some(fault) = fault {
        findings.add(fault, "/asset/version").expected("2.0", quoted(text));
    }
    if let Some(min_text) = get_str(asset, "minVersion")
        && parse_version(min_text).is_some_and(|min_version| min_version > version)
    {
        findings
            .add(&fault::ASSET_MIN_VERSION_GREATER_THAN_VERSION, "/asset/minVersion")
            .expected(format_args!("at most {}, the version", quoted(text)), quoted(min_text));
    }
}

fn examine_required(doc: &RawDocument<'_>, findings: &mut Findings) {
    let used = doc.strings("extensionsUsed");
    for (index, name) in string_entries(doc.list("extensionsRequired")) {
        let pointer = format!("/extensionsRequired/{index}");
        if let Some(UnreadExtension { lacks: None, remedy }) = UnreadExtension::of(name) {
            findings
                .add(&fault::UNSUPPORTED_REQUIRED_EXTENSION, pointer.as_str())
                .help(remedy)
                .expected(read_extensions(), quoted(name));
        }
        if !used.contains(name) {
            findings
                .add(&fault::UNUSED_EXTENSION_REQUIRED, pointer)
                .expected("its name also in /extensionsUsed", quoted(name));
        }
    }
}

fn examine_used(doc: &RawDocument<'_>, findings: &mut Findings) {
    let required = doc.strings("extensionsRequired");
    for (index, name) in string_entries(doc.list("extensionsUsed")) {
        let pointer = format!("/extensionsUsed/{index}");
        let is_required = required.contains(name);
        if name == "KHR_mesh_quantization" && !is_required {
            findings
                .add(&fault::NON_REQUIRED_EXTENSION, pointer.as_str())
                .expected("its name also in /extensionsRequired", quoted(name));
        }
        let Some(UnreadExtension { lacks, remedy }) = UnreadExtension::of(name) else {
            continue;
        };
        // A finding about the node is more specific.
        if name == INSTANCING && doc.list("nodes").iter().any(places_skinned_mesh) {
            continue;
        }
        if !is_required || lacks.is_some() {
            let lacks = lacks.map_or(String::new(), |lacks| format!(": {lacks}"));
            findings
                .add(&fault::UNSUPPORTED_EXTENSION, pointer)
                .help(remedy)
                .expected(read_extensions(), format_args!("{}{lacks}", quoted(name)));
        }
    }
}

/// Returns whether a node shows a skinned mesh in several places by [`INSTANCING`].
pub(super) fn places_skinned_mesh(node: &Value) -> bool {
    let extensions = node.get("extensions");
    node.get("mesh").is_some()
        && node.get("skin").is_some()
        && extensions.is_some_and(|extensions| extensions.get(INSTANCING).is_some())
}

fn read_extensions() -> String {
    format!("one of {}", READ_EXTENSIONS.join(", "))
}

/// Iterates over the strings of a list with their indices.
fn string_entries(list: &[Value]) -> impl Iterator<Item = (usize, &str)> {
    list.iter().enumerate().filter_map(|(index, name)| Some((index, name.as_str()?)))
}
