//! Reads EZMesh (`.ezm`), an XML format, as one rig.
//!
//! Data that skinning and drawing do not need is skipped, with a note. Reading terminates for any
//! bytes, with a rig or with all errors, each with its place.

mod animation;
mod mesh;
mod skeleton;
#[cfg(test)]
mod tests;
mod vertices;
mod xml;

use std::f64::consts::PI;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{JointIndex, Skeleton};
use glam::Vec3;
use roxmltree::Node;

use self::mesh::PlacedMesh;
use self::skeleton::Skeletons;
use self::xml::{XmlPlace, XmlReader};
use super::gltf::Names;
use super::{
    GraphNode, Mesh, ModelSource, NodeIndex, NodeSkin, NodeTransform, Param, ParamKind, Rig,
    RigOrigin, SceneGraph,
};
use crate::read_error::{code, read_error};

/// Sections that are read. `MeshAABB` follows from the positions.
const READ_SECTIONS: [&str; 6] =
    ["Skeletons", "Animations", "Materials", "Meshes", "MeshInstances", "MeshAABB"];

/// Reads all skeletons, meshes and animations of an EZMesh file as one rig.
///
/// Bones become joints in the order of the file. Every joint gets a parameter of its name, which
/// rotates the joint about its own x axis on top of the rest pose. The notes of the rig's origin
/// report skipped data.
///
/// # Errors
///
/// Returns all errors in the order of the file, if it is not EZMesh or is damaged. There is at
/// least one. From the twentieth on, they only increase the count of the last.
pub fn read_ezm(bytes: &[u8]) -> Result<Rig, Vec<Diagnostic>> {
    let text = xml::decode_text(bytes).map_err(|error| vec![error])?;
    let document = xml::parse(text).map_err(|error| vec![error])?;
    let root = document.root_element();
    let mut reader = XmlReader::new(&document);
    if root.tag_name().name() != "MeshSystem" {
        let name = root.tag_name().name();
        let found = format_args!("<{name}>");
        let error = read_error(code::EZM_FORMAT, "MeshSystem, the root of an EZMesh file", found)
            .help("open an EZMesh file, or a glTF file under its own name");
        reader.add_error(XmlPlace::Element(root), error);
        return Err(reader.errors);
    }
    add_section_notes(&mut reader, root);
    let mut skeletons = skeleton::read_skeletons(&mut reader, root);
    let clips = animation::read_clips(&mut reader, root, &skeletons);
    let (mesh, placed) = mesh::read_meshes(&mut reader, root, &mut skeletons);
    if mesh.positions.is_empty() && reader.errors.is_empty() {
        let error = read_error(code::EZM_MISSING, "a mesh with vertices", "none")
            .help("export the model with its meshes");
        reader.add_error(XmlPlace::Element(root), error);
    }
    if !reader.errors.is_empty() {
        return Err(reader.errors);
    }
    let graph = build_graph(&skeletons, &placed);
    let skeleton = Skeleton::in_any_order(skeletons.joints).map_err(|error| {
        reader.add_error(
            XmlPlace::Element(root),
            read_error(code::EZM_FORMAT, "a sound skeleton", error),
        );
        std::mem::take(&mut reader.errors)
    })?;
    let title = find_title(root.attribute("asset_name"), &mesh).to_owned();
    Ok(Rig {
        params: build_params(&skeleton),
        clips,
        origin: Some(Arc::new(RigOrigin {
            source: ModelSource::alone("model.ezm", bytes),
            graph,
            notes: reader.notes,
        })),
        ..Rig::new("model", &title, skeleton, mesh)
    })
}

/// Creates one angle for each joint.
fn build_params(skeleton: &Skeleton) -> Vec<Param> {
    let mut names = Names::default();
    let joints = skeleton.indices().zip(skeleton.joints());
    joints
        .map(|(index, joint)| Param {
            name: names.take(&joint.name, index.index()),
            label: joint.name.clone(),
            kind: ParamKind::Angle { joint: index, axis: Vec3::X },
            default: 0.0,
            range: (-PI, PI),
        })
        .collect()
}

/// Returns the name of the asset, or that of its first mesh.
fn find_title<'a>(asset_name: Option<&'a str>, mesh: &'a Mesh) -> &'a str {
    let asset_name = asset_name.map(str::trim).filter(|name| !name.is_empty());
    let mesh_name = mesh.parts.first().map(|part| part.name.as_str());
    asset_name.or(mesh_name).unwrap_or("Model")
}

fn add_section_notes<'d>(reader: &mut XmlReader<'d>, root: Node<'d, 'd>) {
    for section in root.children().filter(Node::is_element) {
        let name = section.tag_name().name();
        if !READ_SECTIONS.contains(&name) {
            let expected = "skeletons, animations, materials, meshes and their instances";
            let note = Diagnostic {
                severity: Severity::Note,
                title: "A section of the file is passed over".to_owned(),
                effect: "it is passed over".to_owned(),
                ..read_error("EZM_SECTION_IGNORED", expected, format_args!("<{name}>"))
            };
            reader.add_note(XmlPlace::Element(section), note);
        }
    }
}

/// Creates a node for each bone, in the order of the joints, then one for each instance of a mesh.
fn build_graph(skeletons: &Skeletons<'_>, placed: &[PlacedMesh]) -> SceneGraph {
    let bone_count: usize = skeletons.list.iter().map(|skeleton| skeleton.count).sum();
    let joints = (0..).map(JointIndex).zip(&skeletons.joints[..bone_count]);
    let mut nodes: Vec<GraphNode> =
        joints.map(|(index, joint)| GraphNode::of_joint(index, joint)).collect();
    nodes.extend(placed.iter().map(|placed| GraphNode {
        name: Some(placed.name.clone()),
        parent: None,
        children: Vec::new(),
        local: NodeTransform::Trs(placed.local),
        mesh: Some(placed.mesh),
        skin: placed.skeleton,
        joint: placed.joint,
    }));
    let skins = skeletons.list.iter().map(|skeleton| {
        let range = skeleton.first..skeleton.first + skeleton.count;
        NodeSkin {
            name: skeleton.name.map(str::to_owned),
            joints: range.clone().map(|index| NodeIndex(index as u32)).collect(),
            ours: range.map(|index| JointIndex(index as u16)).collect(),
            has_inverse_binds: false,
        }
    });
    SceneGraph::of_nodes(nodes, skins.collect())
}
