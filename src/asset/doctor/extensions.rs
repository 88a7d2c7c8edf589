//! Version and extensions: can it be read at all?

use serde_json::Value;

use super::catalog::structure as fault;
use super::doc::{Doc, text};
use super::findings::{Findings, quoted};

/// Extensions whose effect is in the picture.
const SHOWN: [&str; 3] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_texture_transform",
];

/// Extensions without which a file can still be read rightly, if not shown
/// fully: lights and how surfaces shine.
fn harmless(name: &str) -> bool {
    name == "KHR_lights_punctual" || name.starts_with("KHR_materials_")
}

/// Version and extensions of a file.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    if let Some(version) = doc
        .root
        .get("asset")
        .and_then(|asset| text(asset, "version"))
        && !version.starts_with("2.")
    {
        found.add(
            &fault::UNKNOWN_ASSET_MAJOR_VERSION,
            "/asset/version",
            "2.0",
            quoted(version),
        );
    }
    let required = doc.list("extensionsRequired");
    for (index, name) in named(required) {
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
        if !doc.uses(name) {
            found.add(
                &fault::UNUSED_EXTENSION_REQUIRED,
                pointer,
                "its name also in /extensionsUsed",
                quoted(name),
            );
        }
    }
    for (index, name) in named(doc.list("extensionsUsed")) {
        let needed = required.iter().any(|other| other.as_str() == Some(name));
        let refused = needed && !harmless(name);
        if !SHOWN.contains(&name) && !refused {
            found.add(
                &fault::UNSUPPORTED_EXTENSION,
                format!("/extensionsUsed/{index}"),
                format!("one of {}", SHOWN.join(", ")),
                quoted(name),
            );
        }
    }
}

/// With their places; entries that are no names are left out.
fn named(list: &[Value]) -> impl Iterator<Item = (usize, &str)> {
    list.iter()
        .enumerate()
        .filter_map(|(index, name)| Some((index, name.as_str()?)))
}
