//! Where meshes stand.

use bindpose_diagnostic::Severity;
use glam::Mat4;
use roxmltree::Node;

use super::error::EzmErrorKind as Kind;
use super::read_mesh::ReadMesh;
use super::skeleton::{EzmTransform, placed};
use super::xml::{XmlPlace, XmlReader, children};

/// Every place of every mesh: its instances, or the origin where it has none.
pub(super) fn places<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    meshes: &[ReadMesh<'d>],
) -> Vec<(usize, EzmTransform, Node<'d, 'd>)> {
    let mut places: Vec<Vec<(EzmTransform, Node<'d, 'd>)>> =
        meshes.iter().map(|_| Vec::new()).collect();
    for section in children(root, "MeshInstances") {
        let there = children(section, "MeshInstance").count();
        reader.counted_loosely(section, "count", "mesh instances", there);
        for node in children(section, "MeshInstance") {
            let Some(name) = reader.required(node, "mesh") else {
                continue;
            };
            let mut found = meshes.iter().enumerate();
            let Some((mesh, stored)) = found.find(|(_, mesh)| mesh.name == Some(name)) else {
                if reader.error.is_empty() {
                    reader.fault(
                        Kind::Dangling,
                        XmlPlace::Attribute(node, "mesh"),
                        "the name of a mesh of the file",
                        format_args!("“{name}”"),
                        "name a mesh, or take the instance away",
                    );
                }
                continue;
            };
            if meshes.iter().filter(|mesh| mesh.name == Some(name)).count() > 1 {
                reader.fault(
                    Kind::Repeated,
                    XmlPlace::Attribute(stored.node, "name"),
                    "a name of its own for each mesh that has instances",
                    format_args!("“{name}” several times"),
                    "instances refer to meshes by name: rename all but one",
                );
                continue;
            }
            let local = placed(reader, node, ["position", "rotation", "scale"]);
            if stored.skeleton.is_none() {
                places[mesh].push((local, node));
            } else {
                skinned_instance(reader, node, local, places[mesh].is_empty());
                if places[mesh].is_empty() {
                    places[mesh].push((EzmTransform::IDENTITY, node));
                }
            }
        }
    }
    let with_mesh = places.into_iter().enumerate();
    with_mesh
        .flat_map(|(mesh, mut places)| {
            if places.is_empty() {
                places.push((EzmTransform::IDENTITY, meshes[mesh].node));
            }
            places.into_iter().map(move |(local, node)| (mesh, local, node))
        })
        .collect()
}

/// Bones alone say where a skinned mesh stands, as in glTF.
fn skinned_instance<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    local: EzmTransform,
    first: bool,
) {
    if first && local.trs().matrix().abs_diff_eq(Mat4::IDENTITY, 1e-6) {
        return;
    }
    reader.finding(
        "EZM_INSTANCE_OF_SKINNED_MESH",
        Severity::Warning,
        XmlPlace::Element(node),
        [
            "one instance at the origin, as bones say where the mesh stands",
            if first { "one that is moved" } else { "another one" },
            "it is passed over",
        ],
    );
}
