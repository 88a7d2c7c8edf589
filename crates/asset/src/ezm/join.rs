//! A mesh added to the one mesh of the rig.

use bindpose_skin::{Influences, Joint, JointIndex};
use glam::{Mat4, Vec2, Vec3, Vec4};

use super::error::EzmErrorKind as Kind;
use super::read_mesh::ReadMesh;
use super::skeleton::{EzmTransform, Skeletons};
use super::vertices::EzmVertices;
use super::xml::{XmlPlace, XmlReader, children};
use crate::{Mesh, MeshPart, NodeIndex};

/// Adds the joint that carries a mesh without a skeleton.
pub(super) fn carrier(
    stored: &ReadMesh<'_>,
    local: EzmTransform,
    joints: &mut Vec<Joint>,
) -> JointIndex {
    let index = JointIndex(joints.len() as u16);
    joints.push(Joint {
        name: stored.name.unwrap_or("mesh").to_owned(),
        parent: None,
        parent_from_joint_at_rest: local.trs(),
        joint_from_bind: Mat4::IDENTITY,
    });
    index
}

/// Which lists the joined mesh has. Where one mesh lacks texture coordinates or
/// colours it gets neutral ones; tangents must come with all.
pub(super) struct Lists {
    uvs: bool,
    colors: bool,
    tangents: bool,
}

impl Lists {
    pub(super) fn new(read: &[ReadMesh<'_>]) -> Self {
        let any = |list: fn(&EzmVertices) -> bool| read.iter().any(|mesh| list(&mesh.vertices));
        Self {
            uvs: any(|vertices| !vertices.uvs.is_empty()),
            colors: any(|vertices| !vertices.colors.is_empty()),
            tangents: !any(|vertices| vertices.tangents.is_empty()),
        }
    }
}

/// Adds a mesh at a place: its vertices, and a part a section.
pub(super) fn append(
    joined: &mut Mesh,
    stored: &ReadMesh<'_>,
    (mesh, node): (usize, NodeIndex),
    joint: Option<JointIndex>,
    lists: &Lists,
) {
    let from = &stored.vertices;
    let first = joined.positions.len() as u32;
    let count = from.positions.len();
    let end = first as usize + count;
    joined.positions.extend(&from.positions);
    joined.normals.extend(&from.normals);
    joined.normals.resize(end, Vec3::ZERO);
    if lists.uvs {
        joined.uvs.extend(&from.uvs);
        joined.uvs.resize(end, Vec2::ZERO);
    }
    if lists.colors {
        joined.colors.extend(&from.colors);
        joined.colors.resize(end, Vec4::ONE);
    }
    if lists.tangents {
        joined.tangents.extend((0..count).map(|at| tangent(from, at)));
    }
    let several = stored.sections.len() > 1;
    for (number, section) in stored.sections.iter().enumerate() {
        let begin = joined.triangles.len() as u32;
        let moved = section.triangles.iter();
        joined.triangles.extend(moved.map(|corners| corners.map(|corner| first + corner)));
        let name = stored.name.unwrap_or("mesh");
        joined.parts.push(MeshPart {
            name: if several { format!("{name} {number}") } else { name.to_owned() },
            node,
            mesh,
            primitive: number,
            skin: if joint.is_some() { None } else { stored.skeleton },
            vertices: first..end as u32,
            triangles: begin..joined.triangles.len() as u32,
            lines: 0..0,
            material: section.material,
        });
    }
}

/// With the sign that leads to the stored binormal.
fn tangent(from: &EzmVertices, at: usize) -> Vec4 {
    let get = |list: &[Vec3]| list.get(at).copied().unwrap_or_default();
    let (normal, tangent) = (get(&from.normals), get(&from.tangents));
    let side = normal.cross(tangent).dot(get(&from.binormals));
    tangent.extend(if side < 0.0 { -1.0 } else { 1.0 })
}

/// Adds one entry a vertex: to its bones, or to the joint that carries it.
pub(super) fn influences<'d>(
    reader: &mut XmlReader<'d>,
    joined: &mut Mesh,
    stored: &ReadMesh<'d>,
    skeletons: &Skeletons<'d>,
    joint: Option<JointIndex>,
) {
    let vertices = &stored.vertices;
    let count = vertices.positions.len();
    if let Some(joint) = joint {
        let whole = Influences::new(&[(joint, 1.0)]);
        joined.influences.extend(std::iter::repeat_n(whole, count));
        joined.stored_sums.extend(std::iter::repeat_n(1.0, count));
        return;
    }
    let Some(skeleton) = stored.skeleton.and_then(|skin| skeletons.list.get(skin)) else {
        return;
    };
    let mut told = false;
    for (vertex, (weights, bones)) in vertices.weights.iter().zip(&vertices.bones).enumerate() {
        let mut pairs = [(JointIndex::default(), 0.0); 4];
        for (pair, (&weight, &bone)) in pairs.iter_mut().zip(weights.iter().zip(bones)) {
            // Writers leave rubbish where the weight is 0.
            let known = bone >= 0.0 && bone.fract() == 0.0 && bone < skeleton.count as f64;
            if known {
                *pair = (JointIndex((skeleton.first + bone as usize) as u16), weight);
            } else if weight != 0.0 && !told {
                told = true;
                let buffer = children(stored.node, "vertexbuffer").next();
                let begins = vertices.begins.get(vertex).copied().flatten();
                reader.fault(
                    Kind::Dangling,
                    XmlPlace::Text(buffer.unwrap_or(stored.node), begins),
                    format_args!("blendindices of one of {} bones", skeleton.count),
                    format_args!("{bone} at vertex {vertex}"),
                    "they count the bones of the mesh’s skeleton, from 0",
                );
            }
        }
        let influences = Influences::new(&pairs);
        joined.stored_sums.push(influences.sum());
        joined.influences.push(influences.normalized());
    }
}
