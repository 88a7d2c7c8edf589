//! Numbers that are something else than they should be, written as they are meant: skins,
//! surfaces, clips.

use glam::{DMat4, DVec3};
use serde_json::{Value, json};

use super::draft::{Data, Draft};
use super::influences;
use crate::doctor::doc::{Doc, Graph, list, whole};
use crate::doctor::elements::{Component, stored_elements};
use crate::doctor::findings::Findings;
use crate::doctor::skin_fit::{self, SkinRepair};
use crate::doctor::surfaces::{self, SurfaceRepair};
use crate::doctor::{bind, clips};

// Skins.

/// What a repair explains is repaired, skin by skin: rotations of joints, matrices, and
/// numbers of joints.
pub(super) fn mend_skins(draft: &mut Draft) {
    let graph = Graph::new(&draft.doc, &mut Findings::default());
    let mut binds: Vec<(usize, Vec<DMat4>)> = Vec::new();
    let mut turns = Vec::new();
    for skin in bind::skins(&draft.doc, &graph) {
        let repaired = skin.at_rest.repaired();
        binds.extend(repaired.map(|matrices| (skin.index, matrices)));
        let repaired = skin.at_rest.repaired_turns().unwrap_or_default();
        turns.extend(skin.joints.into_iter().zip(repaired));
    }
    let mut readings = Vec::new();
    for (skin, repair) in skin_fit::repairs(&draft.doc, &graph) {
        match repair {
            SkinRepair::Binds(matrices) => binds.push((skin, matrices)),
            SkinRepair::Joints(reading) => readings.push((skin, reading)),
        }
    }
    for (node, turn) in turns {
        if let Some((node, turn)) = draft.one_mut("nodes", node).zip(turn) {
            node.insert("rotation".to_owned(), json!(turn.to_array()));
        }
    }
    for (skin, matrices) in binds {
        let numbers = matrices.iter().flat_map(DMat4::to_cols_array);
        let data = Data::floats("MAT4", matrices.len(), numbers);
        // Another skin may need the old ones.
        let accessor = draft.push_accessor(data);
        if let Some(skin) = draft.one_mut("skins", skin) {
            skin.insert("inverseBindMatrices".to_owned(), json!(accessor));
        }
    }
    for (skin, reading) in readings {
        influences::read_otherwise(draft, skin, reading);
    }
}

// Faces, normals and morph targets.

pub(super) fn mend_surfaces(draft: &mut Draft) {
    let mut changed = Vec::new();
    for (mesh, value) in draft.doc.list("meshes").iter().enumerate() {
        for (part, primitive) in list(value, "primitives").iter().enumerate() {
            for repair in surfaces::repairs(&draft.doc, primitive) {
                let pointer = format!("/meshes/{mesh}/primitives/{part}");
                changed.extend(repaired_surface(&draft.doc, primitive, repair, pointer));
            }
        }
    }
    for RepairedAccessor { object, name, accessor, data } in changed {
        let key = format!("{name} of {object}");
        let accessor = match accessor {
            Some(accessor) => {
                // Others may need it as it is.
                draft.keep(accessor);
                draft.put(accessor, &key, data)
            }
            None => draft.push_accessor(data),
        };
        let object = draft.doc.root.pointer_mut(&object).and_then(Value::as_object_mut);
        if let Some(object) = object {
            object.insert(name.to_owned(), json!(accessor));
        }
    }
}

/// New numbers for an accessor that an object names.
struct RepairedAccessor {
    /// Pointer.
    object: String,
    name: &'static str,
    /// That there was.
    accessor: Option<usize>,
    data: Data,
}

fn repaired_surface(
    doc: &Doc<'_>,
    primitive: &Value,
    repair: SurfaceRepair,
    pointer: String,
) -> Option<RepairedAccessor> {
    let attributes = primitive.get("attributes")?;
    let vectors = |object: &Value, name: &str| -> Option<Vec<DVec3>> {
        let elements = stored_elements(doc, whole(object, name)?)?;
        Some((0..elements.count).map(|at| DVec3::from_array(elements.vector(at))).collect())
    };
    let floats = |all: Vec<DVec3>| {
        Data::floats("VEC3", all.len(), all.into_iter().flat_map(|vector| vector.to_array()))
    };
    match repair {
        SurfaceRepair::TurnFaces => {
            let accessor = whole(primitive, "indices");
            let vertices = accessor_count(doc, whole(attributes, "POSITION")?);
            let mut corners: Vec<u32> = match accessor {
                Some(accessor) => {
                    let indices = stored_elements(doc, accessor)?;
                    (0..indices.count).map(|at| indices.stored(at, 0) as u32).collect()
                }
                None => (0..u32::try_from(vertices).ok()?).collect(),
            };
            if whole(primitive, "mode").unwrap_or(4) != 4 {
                return None;
            }
            corners.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
            let data = Data {
                component: Component::U32,
                kind: "SCALAR".to_owned(),
                normalized: false,
                count: corners.len(),
                bytes: corners.iter().flat_map(|corner| corner.to_le_bytes()).collect(),
                stride: None,
            };
            Some(RepairedAccessor { object: pointer, name: "indices", accessor, data })
        }
        SurfaceRepair::TurnNormals(turn) => {
            let normals = vectors(attributes, "NORMAL")?;
            let data = floats(normals.into_iter().map(|normal| turn * normal).collect());
            let accessor = whole(attributes, "NORMAL");
            let object = pointer + "/attributes";
            Some(RepairedAccessor { object, name: "NORMAL", accessor, data })
        }
        SurfaceRepair::SubtractPositions(target) => {
            let held = list(primitive, "targets").get(target)?;
            let places = vectors(attributes, "POSITION")?;
            let changes = vectors(held, "POSITION")?.into_iter().zip(places);
            let data = floats(changes.map(|(held, place)| held - place).collect());
            let accessor = whole(held, "POSITION");
            let object = format!("{pointer}/targets/{target}");
            Some(RepairedAccessor { object, name: "POSITION", accessor, data })
        }
    }
}

fn accessor_count(doc: &Doc<'_>, index: usize) -> usize {
    doc.one("accessors", index).and_then(|accessor| whole(accessor, "count")).unwrap_or(0)
}

// Clips.

pub(super) fn mend_clips(draft: &mut Draft) {
    let graph = Graph::new(&draft.doc, &mut Findings::default());
    for (clip, repair) in clips::repairs(&draft.doc, &graph) {
        let Some(animation) = draft.doc.one("animations", clip) else {
            continue;
        };
        let of =
            |sampler: usize, name: &str| whole(list(animation, "samplers").get(sampler)?, name);
        let mut changed = Vec::new();
        for channel in clips::channels(&draft.doc, animation) {
            let kind = if channel.path == "rotation" { "VEC4" } else { "VEC3" };
            let parts = [
                ("input", "SCALAR", 1, channel.repaired_times(repair)),
                ("output", kind, kind.as_bytes()[3] - b'0', channel.repaired_values(repair)),
            ];
            for (name, kind, width, numbers) in parts {
                if let Some((numbers, accessor)) = numbers.zip(of(channel.sampler, name)) {
                    let count = numbers.len() / usize::from(width);
                    let data = Data::floats(kind, count, numbers.into_iter());
                    changed.push((channel.sampler, name, accessor, data));
                }
            }
        }
        for (sampler, name, accessor, data) in changed {
            // Others may need it as it is.
            draft.keep(accessor);
            let key = format!("{clip} {sampler} {name}");
            let new = draft.put(accessor, &key, data);
            let pointer = format!("/animations/{clip}/samplers/{sampler}/{name}");
            if let Some(stored) = draft.doc.root.pointer_mut(&pointer) {
                *stored = json!(new);
            }
        }
    }
}
