//! Reads EZMesh (`.ezm`), an XML format, as one rig: a skeleton with its meshes and animations.
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
use roxmltree::Node;

use self::mesh::ReadMeshes;
use self::skeleton::ReadSkeleton;
use self::xml::{XmlPlace, XmlReader};
use super::gltf::Names;
use super::{
    GraphNode, Mesh, ModelSource, NodeIndex, NodeSkin, Param, ParamKind, Rig, RigOrigin, SceneGraph,
};
use crate::read_error::{code, read_error};

/// Sections that are read. `MeshAABB` follows from the positions.
const READ_SECTIONS: [&str; 6] =
    ["Skeletons", "Animations", "Materials", "Meshes", "MeshInstances", "MeshAABB"];

/// Reads the skeleton, all meshes and all animations of an EZMesh file as one rig.
///
/// Bones become joints in the order of the file. Every joint gets a parameter of its name, which
/// rotates the joint about its own x axis on top of the rest pose. The notes of the rig's origin
/// report skipped data.
///
/// # Errors
///
/// Returns all errors in the order of the file, if it is not EZMesh, is damaged or has several
/// skeletons. There is at least one. From the twentieth on, they only increase the count of the
/// last.
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
    let skeleton = skeleton::read_skeleton(&mut reader, root);
    let clips = animation::read_clips(&mut reader, root, &skeleton);
    let mut meshes = ReadMeshes::read(&mut reader, root, &skeleton);
    if meshes.mesh.positions.is_empty() && reader.errors.is_empty() {
        let error = read_error(code::EZM_MISSING, "a mesh with vertices", "none")
            .help("export the model with its meshes");
        reader.add_error(XmlPlace::Element(root), error);
    }
    if !reader.errors.is_empty() {
        return Err(reader.errors);
    }
    meshes.fill_attributes();
    let graph = build_graph(&skeleton, &meshes);
    let joints = [skeleton.joints, meshes.own_joints].concat();
    let skeleton = Skeleton::in_any_order(joints).map_err(|error| {
        reader.add_error(
            XmlPlace::Element(root),
            read_error(code::EZM_FORMAT, "a sound skeleton", error),
        );
        std::mem::take(&mut reader.errors)
    })?;
    let title = find_title(root.attribute("asset_name"), &meshes.mesh).to_owned();
    Ok(Rig {
        params: build_params(&skeleton),
        clips,
        origin: Some(Arc::new(RigOrigin {
            source: ModelSource::alone("model.ezm", bytes),
            graph,
            notes: reader.notes,
        })),
        ..Rig::new("model", &title, skeleton, meshes.mesh)
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
            kind: ParamKind::Angle { joint: index, axis: glam::Vec3::X },
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
            let expected = "a skeleton, animations, materials, meshes and their instances";
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

/// Creates a node for each bone, in the order of the joints, then one for each mesh.
fn build_graph(skeleton: &ReadSkeleton<'_>, meshes: &ReadMeshes) -> SceneGraph {
    let joints = (0..).map(JointIndex).zip(&skeleton.joints);
    let mut nodes: Vec<GraphNode> =
        joints.map(|(index, joint)| GraphNode::of_joint(index, joint)).collect();
    nodes.extend(meshes.nodes.iter().cloned());
    let skin = skeleton.is_present.then(|| NodeSkin {
        name: skeleton.name.map(str::to_owned),
        joints: (0..skeleton.joints.len() as u32).map(NodeIndex).collect(),
        ours: (0..skeleton.joints.len() as u16).map(JointIndex).collect(),
        has_inverse_binds: false,
    });
    SceneGraph::of_nodes(nodes, skin.into_iter().collect())
}
