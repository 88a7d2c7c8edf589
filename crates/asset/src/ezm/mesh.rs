//! Meshes, their sections and where they stand, as one mesh of parts.

use std::collections::BTreeMap;

use bindpose_skin::{Influences, Joint, JointIndex, Trs};
use glam::{Mat4, Vec2, Vec3, Vec4};
use roxmltree::Node;

use super::error::EzmErrorKind as Kind;
use super::skeleton::{EzmTransform, Skeletons, has_room};
use super::vertices::{EzmVertices, MOST_VERTICES, MeshSection, ReadMesh, places, vertices};
use super::xml::{XmlPlace, XmlReader, children, items, text, tokens};
use crate::gltf::fill_normals;
use crate::{Material, Mesh, MeshPart, NodeIndex};

/// Triangles of all meshes together, at all their places.
const MOST_TRIANGLES: usize = 1 << 24;
/// Sections of all meshes together, at all their places.
const MOST_PARTS: usize = 1 << 16;
/// Positions, normals, tangents, texture coordinates, colours, influences, and the
/// corners of two triangles.
const BYTES_A_VERTEX: usize = 148;

/// A place where a mesh stands.
pub(super) struct PlacedMesh {
    pub(super) name: String,
    /// Its place among the meshes of the file.
    pub(super) mesh: usize,
    pub(super) skeleton: Option<usize>,
    /// The joint that carries it, if no skeleton does.
    pub(super) joint: Option<JointIndex>,
    pub(super) local: Trs,
}

/// Reads every `Mesh` into one; each place becomes a node with a number from
/// `first_node` on. Meshes without a skeleton get a joint of their own.
pub(super) fn meshes<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    skeletons: &mut Skeletons<'d>,
    first_node: usize,
) -> (Mesh, Vec<PlacedMesh>) {
    let (materials, by_name) = materials(reader, root);
    let mut read = Vec::new();
    let mut room = MOST_VERTICES;
    for section in children(root, "Meshes") {
        let there = children(section, "Mesh").count();
        reader.counted_loosely(section, "count", "meshes", there);
        for node in children(section, "Mesh") {
            if let Some(mesh) = read_mesh(reader, node, skeletons, &by_name, room) {
                room -= mesh.vertices.positions.len();
                read.push(mesh);
            }
        }
    }
    let mut joined = Mesh { materials, ..Mesh::default() };
    let places = places(reader, root, &read);
    let mut placed = Vec::new();
    let lists = Lists::new(&read);
    for (mesh, local, instance) in places {
        let stored = &read[mesh];
        let node = NodeIndex((first_node + placed.len()) as u32);
        if !fits(reader, &joined, stored, instance) {
            break;
        }
        let joint = match stored.skeleton {
            Some(_) => None,
            None if has_room(reader, instance, skeletons.joints.len() + 1) => {
                Some(carrier(stored, local, &mut skeletons.joints))
            }
            None => break,
        };
        append(&mut joined, stored, (mesh, node), joint, &lists);
        influences(reader, &mut joined, stored, skeletons, joint);
        placed.push(PlacedMesh {
            name: stored.name.unwrap_or_default().to_owned(),
            mesh,
            skeleton: stored.skeleton,
            joint,
            local: local.trs(),
        });
    }
    let without: Vec<_> = (0..joined.positions.len() as u32)
        .filter(|&at| joined.normals[at as usize] == Vec3::ZERO)
        .map(|at| at..at + 1)
        .collect();
    fill_normals(&mut joined, &without);
    (joined, placed)
}

/// Can the mesh be held once more? If not, that is a fault.
fn fits<'d>(
    reader: &mut XmlReader<'d>,
    joined: &Mesh,
    stored: &ReadMesh<'d>,
    instance: Node<'d, 'd>,
) -> bool {
    let vertices = joined.positions.len() + stored.vertices.positions.len();
    let triangles: usize = stored.sections.iter().map(|one| one.triangles.len()).sum();
    let triangles = joined.triangles.len() + triangles;
    let sections = joined.parts.len() + stored.sections.len();
    let at = XmlPlace::Element(instance);
    reader.at_most(at, MOST_VERTICES, "vertices in all", vertices)
        && reader.at_most(at, MOST_TRIANGLES, "triangles in all", triangles)
        && reader.at_most(at, MOST_PARTS, "sections in all", sections)
        && reader.holds(at, stored.vertices.positions.len(), BYTES_A_VERTEX)
}

fn materials<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
) -> (Vec<Material>, BTreeMap<&'d str, usize>) {
    let mut materials = Vec::new();
    let mut by_name = BTreeMap::new();
    for section in children(root, "Materials") {
        let there = children(section, "Material").count();
        reader.counted_loosely(section, "count", "materials", there);
        for node in children(section, "Material") {
            let Some(name) = reader.required(node, "name") else {
                continue;
            };
            by_name.entry(name).or_insert(materials.len());
            materials.push(Material { name: name.to_owned(), ..Material::default() });
            if node.attribute("meta_data").is_some_and(|data| !data.is_empty()) {
                reader.finding(
                    "EZM_MATERIAL_DATA_IGNORED",
                    XmlPlace::Attribute(node, "meta_data"),
                    ["a name", "data for one renderer", "the surface is shown in plain colour"],
                );
            }
        }
    }
    (materials, by_name)
}

fn read_mesh<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    materials: &BTreeMap<&'d str, usize>,
    room: usize,
) -> Option<ReadMesh<'d>> {
    let name = node.attribute("name").filter(|name| !name.trim().is_empty());
    let buffers: Vec<Node<'d, 'd>> = children(node, "vertexbuffer").collect();
    let [buffer] = buffers[..] else {
        let wrong = Kind::Missing.expected("one vertexbuffer", buffers.len());
        return reader.damaged(XmlPlace::Element(node), wrong);
    };
    let vertices = vertices(reader, buffer, room)?;
    let skeleton = skeleton_of(reader, node, skeletons, !vertices.weights.is_empty());
    let there = children(node, "MeshSection").count();
    reader.counted_loosely(node, "submesh_count", "sections", there);
    let mut sections = Vec::new();
    for section in children(node, "MeshSection") {
        let material = section.attribute("material").filter(|name| !name.is_empty());
        let known = material.and_then(|name| materials.get(name).copied());
        if let (Some(name), None) = (material, known) {
            reader.finding(
                "EZM_MATERIAL_UNKNOWN",
                XmlPlace::Attribute(section, "material"),
                [
                    "the name of a material",
                    &format!("“{name}”"),
                    "the surface is shown in plain colour",
                ],
            );
        }
        sections.push(MeshSection {
            material: known,
            triangles: triangles(reader, section, vertices.positions.len())?,
        });
    }
    Some(ReadMesh { node, name, skeleton, vertices, sections })
}

/// The skeleton that a mesh names. `null` is what writers put where there is
/// none.
fn skeleton_of<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    weighted: bool,
) -> Option<usize> {
    let named = node.attribute("skeleton").map(str::trim);
    let found = named.and_then(|name| {
        let mut all = skeletons.list.iter();
        all.position(|skeleton| skeleton.name == Some(name))
    });
    let at = XmlPlace::Attribute(node, "skeleton");
    match (found, named, weighted) {
        (Some(found), _, true) => Some(found),
        (Some(_), _, false) => {
            let wrong = Kind::Missing
                .expected("blendweights and blendindices, as the mesh has a skeleton", "neither")
                .help("bind the mesh to its skeleton, or take the attribute away");
            reader.fault(XmlPlace::Element(node), wrong);
            None
        }
        (None, Some("" | "null") | None, false) => None,
        (None, Some("" | "null") | None, true) if skeletons.list.len() == 1 => {
            reader.finding(
                "EZM_SKELETON_GUESSED",
                at,
                [
                    "the name of a skeleton, as there are weights",
                    "nothing",
                    "the only skeleton of the file moves the mesh",
                ],
            );
            Some(0)
        }
        (None, name, _) => {
            let wrong = Kind::Dangling.expected(
                "the name of a skeleton of the file",
                name.map_or("nothing".to_owned(), |name| format!("“{name}”")),
            );
            reader.fault(at, wrong.help("name the skeleton whose bones the blendindices count"));
            None
        }
    }
}

fn triangles<'d>(
    reader: &mut XmlReader<'d>,
    section: Node<'d, 'd>,
    vertices: usize,
) -> Option<Vec<[u32; 3]>> {
    let Some(buffer) = children(section, "indexbuffer").next() else {
        let wrong = Kind::Missing.expected("an indexbuffer", "none");
        return reader.damaged(XmlPlace::Element(section), wrong);
    };
    let (text, begins) = text(buffer);
    let count = items(&text).count();
    if !reader.counted(buffer, "triangle_count", "triangles", count) {
        return None;
    }
    let place = |offset: usize| XmlPlace::Text(buffer, begins.map(|start| start + offset));
    let odd = items(&text).enumerate().find(|(_, (_, found))| *found != 3);
    if let Some((triangle, (offset, found))) = odd {
        let wrong =
            Kind::Number.expected(format_args!("three corners of triangle {triangle}"), found);
        return reader.damaged(place(offset), wrong);
    }
    if !reader.at_most(XmlPlace::Element(buffer), MOST_TRIANGLES, "triangles", count) {
        return None;
    }
    let mut corners = Vec::with_capacity(3 * count);
    for (offset, token) in tokens(&text) {
        match token.parse::<u32>() {
            Ok(corner) if (corner as usize) < vertices => corners.push(corner),
            _ => {
                let wrong = Kind::Dangling
                    .expected(
                        format_args!("the number of one of {vertices} vertices"),
                        format_args!("“{}”", token.chars().take(40).collect::<String>()),
                    )
                    .help(
                        "the indices belong to another mesh or are damaged; export the file again",
                    );
                reader.fault(place(offset), wrong);
                return None;
            }
        }
    }
    Some(corners.as_chunks::<3>().0.to_vec())
}

// A mesh added to the one mesh of the rig.

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
                let wrong = Kind::Dangling
                    .expected(
                        format_args!("blendindices of one of {} bones", skeleton.count),
                        format_args!("{bone} at vertex {vertex}"),
                    )
                    .help("they count the bones of the mesh’s skeleton, from 0");
                reader.fault(XmlPlace::Text(buffer.unwrap_or(stored.node), begins), wrong);
            }
        }
        let influences = Influences::new(&pairs);
        joined.stored_sums.push(influences.sum());
        joined.influences.push(influences.normalized());
    }
}
