//! What accessors and buffer views are used for: one thing each.

use serde_json::Value;

use super::catalog::{self as fault, MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE, ONE_OF_MISMATCH};
use super::doc::{Doc, as_whole, list, text, whole};
use super::findings::{Findings, quoted};
use super::json::escaped;
use super::schema::version;
use crate::gltf_file::{READ_EXTENSIONS, UnreadExtension};

const VERTICES: &str = "vertices";
const INDICES: &str = "indices";
const OTHER: &str = "keys or sparse parts";

/// All uses, in the order in which the file is read.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    let mut uses = Uses {
        doc,
        found,
        all: (doc.list("accessors"), doc.list("bufferViews")),
        accessors: vec![None; doc.list("accessors").len()],
        views: targets(doc),
        vertices: vec![None; doc.list("bufferViews").len()],
    };
    uses.targets_with_strides();
    uses.sparse_parts();
    uses.images();
    uses.meshes();
    for (skin, value) in doc.each("skins") {
        uses.accessor(value, "inverseBindMatrices", "inverse bind matrices", || {
            format!("/skins/{skin}")
        });
    }
    uses.animations();
}

/// What views say that they are for.
fn targets(doc: &Doc<'_>) -> Vec<Option<&'static str>> {
    let views = doc.list("bufferViews").iter();
    let target = views.map(|view| match whole(view, "target") {
        Some(34962) => Some(VERTICES),
        Some(34963) => Some(INDICES),
        _ => None,
    });
    target.collect()
}

struct Uses<'d, 'f> {
    doc: &'d Doc<'d>,
    found: &'f mut Findings,
    /// Accessors and buffer views.
    all: (&'d [Value], &'d [Value]),
    /// By index: what for.
    accessors: Vec<Option<&'static str>>,
    views: Vec<Option<&'static str>>,
    /// By index of the view: the first accessor of vertices in it.
    vertices: Vec<Option<usize>>,
}

impl Uses<'_, '_> {
    fn targets_with_strides(&mut self) {
        for (index, view) in self.doc.each("bufferViews") {
            let stride = whole(view, "byteStride");
            if let Some(stride) = stride.filter(|_| self.views[index] == Some(INDICES)) {
                self.found
                    .add(
                        &fault::BUFFER_VIEW_INVALID_BYTE_STRIDE,
                        format_args!("/bufferViews/{index}/byteStride"),
                    )
                    .expected(
                        "a view without byteStride, for its target is not vertices",
                        format_args!("a byteStride of {stride}"),
                    );
            }
        }
    }

    fn sparse_parts(&mut self) {
        for (index, accessor) in self.doc.each("accessors") {
            for part in ["indices", "values"] {
                let stored = accessor.get("sparse").and_then(|sparse| sparse.get(part));
                if let Some(stored) = stored {
                    self.view(stored, OTHER, || {
                        format!("/accessors/{index}/sparse/{part}/bufferView")
                    });
                }
            }
        }
    }

    fn images(&mut self) {
        for (index, image) in self.doc.each("images") {
            let pointer = format!("/images/{index}");
            let (uri, view) = (image.get("uri"), image.get("bufferView"));
            if image.is_object() && uri.is_some() == view.is_some() {
                let shown = if uri.is_some() { "both" } else { "neither" };
                let expected = "either `uri` or `bufferView`";
                self.found.add(&ONE_OF_MISMATCH, pointer.as_str()).expected(expected, shown);
            }
            let pointer = pointer + "/bufferView";
            self.view(image, "a picture", || pointer.clone());
            let fault = &fault::IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE;
            super::elements::without_stride(self.doc, image, fault, &pointer, self.found);
        }
    }

    fn meshes(&mut self) {
        for (mesh, value) in self.doc.each("meshes") {
            for (part, primitive) in self.doc.work.each(list(value, "primitives")) {
                let at = || format!("/meshes/{mesh}/primitives/{part}");
                if let Some(attributes) = primitive.get("attributes") {
                    self.attributes(attributes, || at() + "/attributes");
                }
                self.accessor(primitive, "indices", INDICES, at);
                for (target, attributes) in list(primitive, "targets").iter().enumerate() {
                    self.attributes(attributes, || format!("{}/targets/{target}", at()));
                }
            }
        }
    }

    fn attributes(&mut self, attributes: &Value, at: impl Fn() -> String) {
        for (name, index) in attributes.as_object().into_iter().flatten() {
            self.accessor(attributes, name, VERTICES, &at);
            if let Some(index) = as_whole(index) {
                self.shared(index);
            }
        }
    }

    /// Vertices of two accessors in one view need a stride.
    fn shared(&mut self, index: usize) {
        let accessor = self.all.0.get(index);
        let Some(view) = accessor.and_then(|accessor| whole(accessor, "bufferView")) else {
            return;
        };
        let Some(declared) = self.all.1.get(view) else {
            return;
        };
        let first = *self.vertices[view].get_or_insert(index);
        if first != index && declared.get("byteStride").is_none() {
            self.found
                .add(
                    &MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE,
                    format_args!("/bufferViews/{view}"),
                )
                .expected(
                    "a byteStride, or a view for each attribute",
                    format_args!("accessors {first} and {index} in one view without"),
                );
        }
    }

    fn animations(&mut self) {
        for (animation, value) in self.doc.each("animations") {
            for (sampler, value) in self.doc.work.each(list(value, "samplers")) {
                let at = || format!("/animations/{animation}/samplers/{sampler}");
                self.accessor(value, "input", "times of keys", at);
                self.accessor(value, "output", "values of keys", at);
            }
        }
    }

    /// `object` uses the accessor that it names under `name`.
    fn accessor(
        &mut self,
        object: &Value,
        name: &str,
        what: &'static str,
        at: impl Fn() -> String,
    ) {
        let Some(index) = whole(object, name) else {
            return;
        };
        let Some(accessor) = self.all.0.get(index) else {
            return;
        };
        let at = || format!("{}/{}", at(), escaped(name));
        let first = *self.accessors[index].get_or_insert(what);
        if first != what {
            let expected = format!("an accessor of its own for {what}");
            let shown = format!("accessor {index}, which is used for {first}");
            self.found.add(&fault::ACCESSOR_USAGE_OVERRIDE, at()).expected(expected, shown);
        }
        let what = if what.ends_with("keys") { OTHER } else { what };
        self.view(accessor, what, at);
    }

    /// `object` uses its view.
    fn view(&mut self, object: &Value, what: &'static str, at: impl Fn() -> String) {
        let Some(index) = whole(object, "bufferView") else {
            return;
        };
        let Some(used) = self.views.get_mut(index) else {
            return;
        };
        let first = *used.get_or_insert(what);
        if first != what {
            let expected = format!("a buffer view of its own for {what}");
            let shown = format!("buffer view {index}, which is for {first}");
            self.found.add(&fault::BUFFER_VIEW_TARGET_OVERRIDE, at()).expected(expected, shown);
        }
    }
}

// Version and extensions: can it be read at all?

/// Version and extensions of a file.
pub(super) fn examine_extensions(doc: &Doc<'_>, found: &mut Findings) {
    versions(doc, found);
    let used = doc.texts("extensionsUsed");
    for (index, name) in named(doc.list("extensionsRequired")) {
        let pointer = format!("/extensionsRequired/{index}");
        if let Some(UnreadExtension { lacks: None, remedy }) = UnreadExtension::of(name) {
            // By name, each for itself: what to switch off differs.
            let finding = found.add(&fault::UNSUPPORTED_REQUIRED_EXTENSION, pointer.as_str());
            finding.help(remedy).expected(one_of_read(), quoted(name));
        }
        if !used.contains(name) {
            found
                .add(&fault::UNUSED_EXTENSION_REQUIRED, pointer)
                .expected("its name also in /extensionsUsed", quoted(name));
        }
    }
    let required = doc.texts("extensionsRequired");
    for (index, name) in named(doc.list("extensionsUsed")) {
        let needed = required.contains(name);
        if name == "KHR_mesh_quantization" && !needed {
            found
                .add(&fault::NON_REQUIRED_EXTENSION, format_args!("/extensionsUsed/{index}"))
                .expected("its name also in /extensionsRequired", quoted(name));
        }
        let Some(UnreadExtension { lacks, remedy }) = UnreadExtension::of(name) else {
            continue;
        };
        if !needed || lacks.is_some() {
            let finding =
                found.add(&fault::UNSUPPORTED_EXTENSION, format_args!("/extensionsUsed/{index}"));
            let lacks = lacks.map_or(String::new(), |lacks| format!(": {lacks}"));
            finding.help(remedy).expected(one_of_read(), format_args!("{}{lacks}", quoted(name)));
        }
    }
}

fn one_of_read() -> String {
    format!("one of {}", READ_EXTENSIONS.join(", "))
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
        found.add(fault, "/asset/version").expected("2.0", shown.as_str());
    }
    if let Some((_, needed)) = asset("minVersion").filter(|&(needed, _)| needed > own) {
        let fault = &fault::ASSET_MIN_VERSION_GREATER_THAN_VERSION;
        let expected = format!("at most {shown}, the version");
        found.add(fault, "/asset/minVersion").expected(expected, needed);
    }
}

/// With their places; entries that are no names are left out.
fn named(list: &[Value]) -> impl Iterator<Item = (usize, &str)> {
    list.iter().enumerate().filter_map(|(index, name)| Some((index, name.as_str()?)))
}
