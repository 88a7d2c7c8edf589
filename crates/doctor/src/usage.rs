//! The purposes for which a file uses its accessors and buffer views: one purpose each.

use bindpose_gltf::decoding::json::escaped;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_usize};
use serde_json::Value;

use super::catalog as fault;
use super::document::RawDocument;
use super::elements::reject_stride;
use super::findings::Findings;

const VERTICES: &str = "vertices";
const INDICES: &str = "indices";
const KEY_TIMES: &str = "times of keys";
const KEY_VALUES: &str = "values of keys";
/// Purpose of buffer views that have no target in glTF.
const OTHER: &str = "keys or sparse parts";

/// Examines all uses in the order of the format's lists.
pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    let accessors = doc.list("accessors");
    let views = doc.list("bufferViews");
    let view_purposes = views
        .iter()
        .map(|view| match get_usize(view, "target") {
            Some(34962) => Some(VERTICES),
            Some(34963) => Some(INDICES),
            _ => None,
        })
        .collect();
    let mut uses = Uses {
        doc,
        findings,
        accessors,
        views,
        accessor_purposes: vec![None; accessors.len()],
        view_purposes,
        vertex_accessors: vec![None; views.len()],
    };
    uses.examine_targets();
    uses.examine_sparse_parts();
    uses.examine_images();
    uses.examine_meshes();
    for (skin, value) in doc.entries("skins") {
        uses.use_accessor(value, "inverseBindMatrices", "inverse bind matrices", || {
            format!("/skins/{skin}")
        });
    }
    uses.examine_animations();
}

struct Uses<'d, 'f> {
    doc: &'d RawDocument<'d>,
    findings: &'f mut Findings,
    accessors: &'d [Value],
    views: &'d [Value],
    /// The first purpose of each accessor.
    accessor_purposes: Vec<Option<&'static str>>,
    /// The declared or first purpose of each buffer view.
    view_purposes: Vec<Option<&'static str>>,
    /// The first vertex accessor of each buffer view.
    vertex_accessors: Vec<Option<usize>>,
}

impl Uses<'_, '_> {
    /// Reports strides of buffer views for indices.
    fn examine_targets(&mut self) {
        for (index, view) in self.doc.entries("bufferViews") {
            if self.view_purposes[index] == Some(INDICES)
                && let Some(stride) = get_usize(view, "byteStride")
            {
                self.findings
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

    fn examine_sparse_parts(&mut self) {
        for (index, accessor) in self.doc.entries("accessors") {
            for name in ["indices", "values"] {
                if let Some(part) = accessor.get("sparse").and_then(|sparse| sparse.get(name)) {
                    self.use_view(part, OTHER, || {
                        format!("/accessors/{index}/sparse/{name}/bufferView")
                    });
                }
            }
        }
    }

    fn examine_images(&mut self) {
        for (index, image) in self.doc.entries("images") {
            let has_uri = image.get("uri").is_some();
            let has_view = image.get("bufferView").is_some();
            if image.is_object() && has_uri == has_view {
                self.findings
                    .add(&fault::ONE_OF_MISMATCH, format_args!("/images/{index}"))
                    .expected(
                        "either `uri` or `bufferView`",
                        if has_uri { "both" } else { "neither" },
                    );
            }
            let pointer = format!("/images/{index}/bufferView");
            self.use_view(image, "a picture", || pointer.clone());
            let fault = &fault::IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE;
            reject_stride(self.doc, image, fault, &pointer, self.findings);
        }
    }

    fn examine_meshes(&mut self) {
        for (mesh, value) in self.doc.entries("meshes") {
            for (part, primitive) in self.doc.work.entries(get_list(value, "primitives")) {
                let pointer = format!("/meshes/{mesh}/primitives/{part}");
                if let Some(attributes) = primitive.get("attributes") {
                    self.examine_attributes(attributes, || format!("{pointer}/attributes"));
                }
                self.use_accessor(primitive, "indices", INDICES, || pointer.clone());
                for (target, attributes) in get_list(primitive, "targets").iter().enumerate() {
                    self.examine_attributes(attributes, || format!("{pointer}/targets/{target}"));
                }
            }
        }
    }

    fn examine_attributes(&mut self, attributes: &Value, pointer: impl Fn() -> String) {
        for (name, index) in attributes.as_object().into_iter().flatten() {
            self.use_accessor(attributes, name, VERTICES, &pointer);
            if let Some(index) = as_usize(index) {
                self.examine_shared_view(index);
            }
        }
    }

    /// Reports a buffer view without a stride that several vertex accessors share.
    fn examine_shared_view(&mut self, index: usize) {
        let accessor = self.accessors.get(index);
        let Some(view_index) = accessor.and_then(|accessor| get_usize(accessor, "bufferView"))
        else {
            return;
        };
        let Some(view) = self.views.get(view_index) else {
            return;
        };
        let first = *self.vertex_accessors[view_index].get_or_insert(index);
        if first != index && view.get("byteStride").is_none() {
            self.findings
                .add(
                    &fault::MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE,
                    format_args!("/bufferViews/{view_index}"),
                )
                .expected(
                    "a byteStride, or a view for each attribute",
                    format_args!("accessors {first} and {index} in one view without"),
                );
        }
    }

    fn examine_animations(&mut self) {
        for (animation, value) in self.doc.entries("animations") {
            for (sampler, value) in self.doc.work.entries(get_list(value, "samplers")) {
                for (name, purpose) in [("input", KEY_TIMES), ("output", KEY_VALUES)] {
                    self.use_accessor(value, name, purpose, || {
                        format!("/animations/{animation}/samplers/{sampler}")
                    });
                }
            }
        }
    }

    /// Records that `object` uses the accessor under `name`, and reports a second purpose.
    /// `pointer` formats the place of `object`.
    fn use_accessor(
        &mut self,
        object: &Value,
        name: &str,
        purpose: &'static str,
        pointer: impl Fn() -> String,
    ) {
        let Some(index) = get_usize(object, name) else {
            return;
        };
        let Some(accessor) = self.accessors.get(index) else {
            return;
        };
        let first = *self.accessor_purposes[index].get_or_insert(purpose);
        if first != purpose {
            self.findings
                .add(
                    &fault::ACCESSOR_USAGE_OVERRIDE,
                    format_args!("{}/{}", pointer(), escaped(name)),
                )
                .expected(
                    format_args!("an accessor of its own for {purpose}"),
                    format_args!("accessor {index}, which is used for {first}"),
                );
        }
        let view_purpose = if matches!(purpose, KEY_TIMES | KEY_VALUES) { OTHER } else { purpose };
        self.use_view(accessor, view_purpose, || format!("{}/{}", pointer(), escaped(name)));
    }

    /// Records that `object` uses its buffer view, and reports a second purpose.
    fn use_view(&mut self, object: &Value, purpose: &'static str, pointer: impl Fn() -> String) {
        let Some(index) = get_usize(object, "bufferView") else {
            return;
        };
        let Some(first) = self.view_purposes.get_mut(index) else {
            return;
        };
        let first = *first.get_or_insert(purpose);
        if first != purpose {
            self.findings.add(&fault::BUFFER_VIEW_TARGET_OVERRIDE, pointer()).expected(
                format_args!("a buffer view of its own for {purpose}"),
                format_args!("buffer view {index}, which is for {first}"),
            );
        }
    }
}
