//! Numbers that mean something else than they should, converted to what they should be: of
//! skins, surfaces and animations.

use bindpose_gltf::Component;
use bindpose_gltf::decoding::values::{get_list, get_usize};
use glam::{DMat4, DVec3};
use serde_json::{Map, Value, json};

use super::draft::{AccessorData, Draft};
use super::influences::renumber_joints;
use crate::bind::SkinCorrection;
use crate::document::{NodeGraph, RawDocument};
use crate::elements::read_elements;
use crate::findings::Findings;
use crate::skin_fit::{self, SkinRepair};
use crate::surfaces::{self, SurfaceRepair};
use crate::{bind, clips};

/// Repairs rotations of joints, inverse bind matrices, and numbers of joints.
pub(super) fn mend_skins(draft: &mut Draft) {
    let graph = NodeGraph::new(&draft.doc, &mut Findings::default());
    let mut nodes: Vec<(usize, DMat4)> = Vec::new();
    let mut binds: Vec<(usize, Vec<DMat4>)> = Vec::new();
    let mut numberings = Vec::new();
    let mut orders = Vec::new();
    let mut node_skins = Vec::new();
    for skin in bind::load_skins(&draft.doc, &graph) {
        match bind::diagnose(&draft.doc, &skin).map(|diagnosis| diagnosis.correction) {
            Some(SkinCorrection::Binds(matrices)) => binds.push((skin.index, matrices)),
            Some(SkinCorrection::Nodes(transforms)) => {
                for (node, transform) in skin.joints.into_iter().zip(transforms) {
                    nodes.extend(transform.map(|transform| (node, transform)));
                }
            }
            Some(SkinCorrection::Unknown) | None => {}
        }
    }
    for (skin, repair) in skin_fit::find_repairs(&draft.doc, &graph) {
        match repair {
            SkinRepair::Binds(matrices) => binds.push((skin, matrices)),
            SkinRepair::Joints(numbering) => numberings.push((skin, numbering)),
            SkinRepair::Order { joints, binds: matrices } => {
                orders.push((skin, joints));
                binds.push((skin, matrices));
            }
            SkinRepair::Node { node, skin } => node_skins.push((node, skin)),
        }
    }
    for (node, parent_from_node) in nodes {
        if let Some(node) = draft.get_mut("nodes", node) {
            set_transform(node, parent_from_node);
        }
    }
    for (skin, joints) in orders {
        if let Some(skin) = draft.get_mut("skins", skin) {
            skin.insert("joints".to_owned(), json!(joints));
        }
    }
    for (node, skin) in node_skins {
        if let Some(node) = draft.get_mut("nodes", node) {
            node.insert("skin".to_owned(), json!(skin));
        }
    }
    for (skin, matrices) in binds {
        let numbers = matrices.iter().flat_map(DMat4::to_cols_array);
        // Always a new accessor, because another skin may need the old one.
        let accessor = draft.push_accessor(AccessorData::floats("MAT4", matrices.len(), numbers));
        if let Some(skin) = draft.get_mut("skins", skin) {
            skin.insert("inverseBindMatrices".to_owned(), json!(accessor));
        }
    }
    for (skin, numbering) in numberings {
        renumber_joints(draft, skin, &numbering);
    }
}

/// Replaces the transform of a node.
fn set_transform(node: &mut Map<String, Value>, parent_from_node: DMat4) {
    let (scale, rotation, translation) = parent_from_node.to_scale_rotation_translation();
    node.remove("matrix");
    node.insert("translation".to_owned(), json!(translation.to_array()));
    node.insert("rotation".to_owned(), json!(rotation.normalize().to_array()));
    if (scale - DVec3::ONE).abs().max_element() > 1e-6 {
        node.insert("scale".to_owned(), json!(scale.to_array()));
    } else {
        node.remove("scale");
    }
}

/// New data of an accessor that one object uses.
struct RepairedAccessor {
    /// JSON pointer to the object.
    object: String,
    /// Property of the object.
    name: &'static str,
    /// The present accessor. `None` if the property is missing.
    accessor: Option<usize>,
    data: AccessorData,
}

/// Repairs faces, normals and morph targets.
pub(super) fn mend_surfaces(draft: &mut Draft) {
    let mut repaired = Vec::new();
    for (mesh_index, mesh) in draft.doc.list("meshes").iter().enumerate() {
        for (part, primitive) in get_list(mesh, "primitives").iter().enumerate() {
            for repair in surfaces::find_repairs(&draft.doc, primitive) {
                let pointer = format!("/meshes/{mesh_index}/primitives/{part}");
                repaired.extend(repair_surface(&draft.doc, primitive, repair, pointer));
            }
        }
    }
    for RepairedAccessor { object, name, accessor, data } in repaired {
        let accessor = match accessor {
            Some(accessor) => {
                draft.keep(accessor);
                draft.assign(accessor, &format!("{name} of {object}"), data)
            }
            None => draft.push_accessor(data),
        };
        if let Some(object) = draft.object_mut(&object) {
            object.insert(name.to_owned(), json!(accessor));
        }
    }
}

/// Returns the repaired data of the primitive at `pointer`. `None` if it cannot be read.
fn repair_surface(
    doc: &RawDocument<'_>,
    primitive: &Value,
    repair: SurfaceRepair,
    pointer: String,
) -> Option<RepairedAccessor> {
    let attributes = primitive.get("attributes")?;
    match repair {
        SurfaceRepair::FlipFaces => {
            let accessor = get_usize(primitive, "indices");
            let positions = doc.get("accessors", get_usize(attributes, "POSITION")?);
            let vertex_count =
                positions.and_then(|accessor| get_usize(accessor, "count")).unwrap_or(0);
            let mut corners: Vec<u32> = match accessor {
                Some(accessor) => {
                    let indices = read_elements(doc, accessor)?;
                    (0..indices.count).map(|at| indices.stored(at, 0) as u32).collect()
                }
                None => (0..u32::try_from(vertex_count).ok()?).collect(),
            };
            if get_usize(primitive, "mode").unwrap_or(4) != 4 {
                return None;
            }
            for triangle in corners.chunks_exact_mut(3) {
                triangle.swap(1, 2);
            }
            let data = AccessorData {
                component: Component::U32,
                type_name: "SCALAR".to_owned(),
                normalized: false,
                count: corners.len(),
                bytes: corners.iter().flat_map(|corner| corner.to_le_bytes()).collect(),
                stride: None,
            };
            Some(RepairedAccessor { object: pointer, name: "indices", accessor, data })
        }
        SurfaceRepair::RotateNormals(rotation) => {
            let mut normals = read_vectors(doc, attributes, "NORMAL")?;
            for normal in &mut normals {
                *normal = rotation * *normal;
            }
            Some(RepairedAccessor {
                object: pointer + "/attributes",
                name: "NORMAL",
                accessor: get_usize(attributes, "NORMAL"),
                data: vector_data(&normals),
            })
        }
        SurfaceRepair::SubtractPositions(target_index) => {
            let target = get_list(primitive, "targets").get(target_index)?;
            let positions = read_vectors(doc, attributes, "POSITION")?;
            let morphed = read_vectors(doc, target, "POSITION")?;
            let differences: Vec<DVec3> = morphed
                .into_iter()
                .zip(positions)
                .map(|(morphed, position)| morphed - position)
                .collect();
            Some(RepairedAccessor {
                object: format!("{pointer}/targets/{target_index}"),
                name: "POSITION",
                accessor: get_usize(target, "POSITION"),
                data: vector_data(&differences),
            })
        }
    }
}

fn read_vectors(doc: &RawDocument<'_>, attributes: &Value, name: &str) -> Option<Vec<DVec3>> {
    let elements = read_elements(doc, get_usize(attributes, name)?)?;
    Some((0..elements.count).map(|at| DVec3::from_array(elements.vector(at))).collect())
}

fn vector_data(vectors: &[DVec3]) -> AccessorData {
    AccessorData::floats("VEC3", vectors.len(), vectors.iter().flat_map(|v| v.to_array()))
}

/// Repairs times and values of animations.
pub(super) fn mend_clips(draft: &mut Draft) {
    struct ChangedAccessor {
        sampler: usize,
        name: &'static str,
        accessor: usize,
        data: AccessorData,
    }

    let graph = NodeGraph::new(&draft.doc, &mut Findings::default());
    for (clip, repair) in clips::find_repairs(&draft.doc, &graph) {
        let Some(animation) = draft.doc.get("animations", clip) else {
            continue;
        };
        let samplers = get_list(animation, "samplers");
        let mut changed = Vec::new();
        for channel in clips::load_channels(&draft.doc, animation) {
            let sampler = channel.sampler;
            let input = samplers.get(sampler).and_then(|sampler| get_usize(sampler, "input"));
            let output = samplers.get(sampler).and_then(|sampler| get_usize(sampler, "output"));
            if let Some(times) = channel.repaired_times(repair)
                && let Some(accessor) = input
            {
                let data = AccessorData::floats("SCALAR", times.len(), times.into_iter());
                changed.push(ChangedAccessor { sampler, name: "input", accessor, data });
            }
            if let Some(values) = channel.repaired_values(repair)
                && let Some(accessor) = output
            {
                let (type_name, width) =
                    if channel.path == "rotation" { ("VEC4", 4) } else { ("VEC3", 3) };
                let count = values.len() / width;
                let data = AccessorData::floats(type_name, count, values.into_iter());
                changed.push(ChangedAccessor { sampler, name: "output", accessor, data });
            }
        }
        for ChangedAccessor { sampler, name, accessor, data } in changed {
            draft.keep(accessor);
            let new_accessor = draft.assign(accessor, &format!("{clip} {sampler} {name}"), data);
            let pointer = format!("/animations/{clip}/samplers/{sampler}");
            if let Some(sampler) = draft.object_mut(&pointer) {
                sampler.insert(name.to_owned(), json!(new_accessor));
            }
        }
    }
}
