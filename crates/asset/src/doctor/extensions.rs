//! Version and extensions: can it be read at all?

use serde_json::Value;

use super::catalog as fault;
use super::doc::{Doc, text};
use super::findings::{Findings, quoted};
use super::schema::version;

/// Extensions whose effect is in the picture.
const SHOWN: [&str; 3] = ["KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_transform"];

/// Extensions without which a file can still be read rightly, if not shown
/// fully: lights and how surfaces shine.
fn harmless(name: &str) -> bool {
    name == "KHR_lights_punctual" || name.starts_with("KHR_materials_")
}

/// Version and extensions of a file.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    versions(doc, found);
    let used = doc.texts("extensionsUsed");
    for (index, name) in named(doc.list("extensionsRequired")) {
        let pointer = format!("/extensionsRequired/{index}");
        if !SHOWN.contains(&name) && !harmless(name) {
            // By name, each for itself: what to switch off differs.
            let expected = format!("one of {}", SHOWN.join(", "));
            found.add(
                &fault::UNSUPPORTED_REQUIRED_EXTENSION,
                pointer.as_str(),
                expected,
                quoted(name),
            );
        }
        if !used.contains(name) {
            found.add(
                &fault::UNUSED_EXTENSION_REQUIRED,
                pointer,
                "its name also in /extensionsUsed",
                quoted(name),
            );
        }
    }
    let required = doc.texts("extensionsRequired");
    for (index, name) in named(doc.list("extensionsUsed")) {
        let needed = required.contains(name);
        if name == "KHR_mesh_quantization" && !needed {
            found.add(
                &fault::NON_REQUIRED_EXTENSION,
                format_args!("/extensionsUsed/{index}"),
                "its name also in /extensionsRequired",
                quoted(name),
            );
        }
        let refused = needed && !harmless(name);
        if !SHOWN.contains(&name) && !refused {
            found.add(
                &fault::UNSUPPORTED_EXTENSION,
                format_args!("/extensionsUsed/{index}"),
                format_args!("one of {}", SHOWN.join(", ")),
                quoted(name),
            );
        }
    }
}

/// What is not written as a version at all is for the schema.
fn versions(doc: &Doc<'_>, found: &mut Findings) {
    let asset = |name: &str| {
        let text = text(doc.root.get("asset")?, name)?;
        Some((version(text)?, quoted(text)))
    };
    let Some((own, shown)) = asset("version") else {
        return;
    };
    let wrong = match own {
        (2, 0) => None,
        (2, _) => Some(&fault::UNKNOWN_ASSET_MINOR_VERSION),
        _ => Some(&fault::UNKNOWN_ASSET_MAJOR_VERSION),
    };
    if let Some(fault) = wrong {
        found.add(fault, "/asset/version", "2.0", shown.as_str());
    }
    if let Some((_, needed)) = asset("minVersion").filter(|&(needed, _)| needed > own) {
        let fault = &fault::ASSET_MIN_VERSION_GREATER_THAN_VERSION;
        let expected = format!("at most {shown}, the version");
        found.add(fault, "/asset/minVersion", expected, needed);
    }
}

/// With their places; entries that are no names are left out.
fn named(list: &[Value]) -> impl Iterator<Item = (usize, &str)> {
    list.iter().enumerate().filter_map(|(index, name)| Some((index, name.as_str()?)))
}
