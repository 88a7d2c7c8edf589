//! EZMesh (`.ezm`), XML with its numbers as text, as a rig.
//!
//! What skinning and drawing need is read, the rest is passed over and told.
//! Whatever the bytes, reading ends, with a rig or with all that is wrong, each
//! fault with its place.

mod animation;
mod error;
mod join;
mod mesh;
mod places;
mod read_mesh;
mod skeleton;
#[cfg(test)]
mod tests;
mod vertices;
mod xml;

use std::f64::consts::PI;
use std::sync::Arc;

use glam::Vec3;
use roxmltree::Node as Element;

use bindpose_diagnostic::Severity;
use bindpose_skin::{JointIndex, Skeleton};

use self::error::EzmErrorKind as Kind;
use self::mesh::PlacedMesh;
use self::skeleton::Skeletons;
use self::xml::{XmlPlace, XmlReader};
use super::gltf::Names;
use super::{
    GraphNode, Mesh, ModelSource, NodeIndex, NodeSkin, NodeTransform, Param, ParamKind, Rig,
    RigOrigin, SceneGraph,
};

pub use error::{EzmError, EzmErrorKind, EzmFault};

/// Sections that are read.
const READ: [&str; 6] = [
    "Skeletons",
    "Animations",
    "Materials",
    "Meshes",
    "MeshInstances",
    // Follows from the positions.
    "MeshAABB",
];

/// Reads all skeletons, meshes and animations of a file as one rig. Bones become
/// joints in the file's order, one skeleton after the other; every joint gets a
/// parameter of its name, a turn about its own x axis on top of the rest pose.
/// What was passed over, or might surprise, stands in the notes of its origin.
///
/// Fails when the bytes are no EZMesh file, or a damaged one. See [`EzmError`].
pub fn read_ezm(bytes: &[u8]) -> Result<Rig, EzmError> {
    let text = xml::text_of(bytes)?;
    let document = xml::parse(text)?;
    let root = document.root_element();
    let mut reader = XmlReader::new(&document);
    if root.tag_name().name() != "MeshSystem" {
        reader.fault(
            Kind::Format,
            XmlPlace::Element(root),
            "MeshSystem, the root of an EZMesh file",
            format_args!("<{}>", root.tag_name().name()),
            "open an EZMesh file, or a glTF file under its own name",
        );
        return Err(reader.error);
    }
    tell_what_is_passed_over(&mut reader, root);
    let mut skeletons = skeleton::skeletons(&mut reader, root);
    let clips = animation::clips(&mut reader, root, &skeletons);
    let bones = skeletons.joints.len();
    let (mesh, placed) = mesh::meshes(&mut reader, root, &mut skeletons, bones);
    if mesh.positions.is_empty() && reader.error.is_empty() {
        reader.fault(
            Kind::Missing,
            XmlPlace::Element(root),
            "a mesh with vertices",
            "none",
            "export the model with its meshes",
        );
    }
    if !reader.error.is_empty() {
        return Err(reader.error);
    }
    let graph = graph(&skeletons, &placed);
    let title = root.attribute("asset_name").map(str::trim);
    let skeleton = Skeleton::in_any_order(skeletons.joints).map_err(|error| {
        EzmError::whole(Kind::Format, (1, 1), "a sound skeleton", error, xml::EXPORT_AGAIN)
    })?;
    let title = title_of(title, &mesh).to_owned();
    let rig = Rig {
        params: params(&skeleton),
        clips,
        origin: Some(Arc::new(RigOrigin {
            source: ModelSource::alone("model.ezm", bytes),
            graph,
            notes: reader.findings,
        })),
        ..Rig::new("model", &title, skeleton, mesh)
    };
    Ok(rig)
}

/// One angle a joint.
fn params(skeleton: &Skeleton) -> Vec<Param> {
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

/// The asset's name, or its first mesh's.
fn title_of<'a>(asset: Option<&'a str>, mesh: &'a Mesh) -> &'a str {
    let of_mesh = mesh.parts.first().map(|part| part.name.as_str());
    asset.filter(|name| !name.is_empty()).or(of_mesh).unwrap_or("Model")
}

fn tell_what_is_passed_over<'d>(reader: &mut XmlReader<'d>, root: Element<'d, 'd>) {
    for section in root.children().filter(Element::is_element) {
        let name = section.tag_name().name();
        if !READ.contains(&name) {
            reader.finding(
                "EZM_SECTION_IGNORED",
                Severity::Note,
                XmlPlace::Element(section),
                [
                    "skeletons, animations, materials, meshes and their instances",
                    &format!("<{name}>"),
                    "it is passed over",
                ],
            );
        }
    }
}

/// A node a bone, in the order of the joints, then one a mesh.
fn graph(skeletons: &Skeletons<'_>, placed: &[PlacedMesh]) -> SceneGraph {
    let bones: usize = skeletons.list.iter().map(|skeleton| skeleton.count).sum();
    let index = |at: usize| NodeIndex(at as u32);
    let joints = (0..).map(JointIndex).zip(&skeletons.joints[..bones]);
    let joints = joints.map(|(index, joint)| GraphNode::of_joint(index, joint));
    let mut nodes: Vec<GraphNode> = joints.collect();
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
            joints: range.clone().map(index).collect(),
            ours: range.map(|at| JointIndex(at as u16)).collect(),
            has_inverse_binds: false,
        }
    });
    SceneGraph::of_nodes(nodes, skins.collect())
}
