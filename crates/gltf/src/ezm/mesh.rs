//! Meshes and their instances, as one mesh of parts.

use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Influences, Joint, JointIndex, Trs};
use glam::{Mat4, Vec2, Vec3, Vec4};
use roxmltree::Node;

use super::skeleton::{EzmTransform, MAX_JOINTS, Skeletons, read_transform};
use super::vertices::{EzmVertices, MAX_VERTICES, VertexFields, read_vertices};
use super::xml::{ElementText, XmlPlace, XmlReader, children, items, section_items, tokens};
use crate::gltf::fill_normals;
use crate::read_error::{code, read_error};
use crate::{Material, Mesh, MeshPart, NodeIndex};

/// Limit for the triangles of all instances together.
const MAX_TRIANGLES: usize = 1 << 24;
/// Limit for the sections of all instances together.
const MAX_PARTS: usize = 1 << 16;
/// Positions, normals, texture coordinates, colours, influences, and the corners of two triangles.
const BYTES_PER_VERTEX: usize = 132;

/// A mesh of the file.
struct ReadMesh<'d> {
    node: Node<'d, 'd>,
    name: Option<&'d str>,
    /// Index of the skeleton. `None` if the mesh is rigid.
    skeleton: Option<usize>,
    vertices: EzmVertices,
    sections: Vec<MeshSection>,
}

struct MeshSection {
    material: Option<usize>,
    triangles: Vec<[u32; 3]>,
}

/// An instance of a mesh.
pub(super) struct PlacedMesh {
    pub(super) name: String,
    /// Index of the mesh in the file.
    pub(super) mesh: usize,
    pub(super) skeleton: Option<usize>,
    /// The joint that moves the instance, if no skeleton does.
    pub(super) joint: Option<JointIndex>,
    pub(super) local: Trs,
}

/// Reads all meshes as one. Each instance becomes a node after those of the bones. Instances
/// without a skeleton get a joint of their own.
pub(super) fn read_meshes<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    skeletons: &mut Skeletons<'d>,
) -> (Mesh, Vec<PlacedMesh>) {
    let bone_count = skeletons.joints.len();
    let (materials, material_indices) = read_materials(reader, root);
    let mut stored = Vec::new();
    let mut vertex_count = 0;
    for node in section_items(root, "Meshes", "Mesh") {
        if let Some(mesh) = read_mesh(reader, node, skeletons, &material_indices, vertex_count) {
            vertex_count += mesh.vertices.positions.len();
            stored.push(mesh);
        }
    }
    let instances = read_instances(reader, root, &stored);
    let mut joined = Mesh { materials, ..Mesh::default() };
    let has_uvs = stored.iter().any(|mesh| !mesh.vertices.uvs.is_empty());
    let has_colors = stored.iter().any(|mesh| !mesh.vertices.colors.is_empty());
    let mut placed = Vec::new();
    for instance in instances {
        let mesh = &stored[instance.mesh];
        let node = NodeIndex((bone_count + placed.len()) as u32);
        if !fits(reader, &joined, mesh, instance.node) {
            break;
        }
        let joint = if mesh.skeleton.is_some() {
            None
        } else {
            let at = XmlPlace::Element(instance.node);
            let joint_count = skeletons.joints.len() + 1;
            if !reader.check_limit(at, MAX_JOINTS, "bones in all", joint_count) {
                break;
            }
            skeletons.joints.push(Joint {
                name: mesh.name.unwrap_or("mesh").to_owned(),
                parent: None,
                parent_from_joint_at_rest: instance.local.trs(),
                joint_from_bind: Mat4::IDENTITY,
            });
            Some(JointIndex((joint_count - 1) as u16))
        };
        append_parts(&mut joined, mesh, instance.mesh, node);
        append_vertices(&mut joined, &mesh.vertices, joint);
        let count = joined.positions.len();
        if has_uvs {
            joined.uvs.resize(count, Vec2::ZERO);
        }
        if has_colors {
            joined.colors.resize(count, Vec4::ONE);
        }
        placed.push(PlacedMesh {
            name: mesh.name.unwrap_or_default().to_owned(),
            mesh: instance.mesh,
            skeleton: mesh.skeleton,
            joint,
            local: instance.local.trs(),
        });
    }
    let without_normal: Vec<_> = (0..joined.positions.len() as u32)
        .filter(|&vertex| joined.normals[vertex as usize] == Vec3::ZERO)
        .map(|vertex| vertex..vertex + 1)
        .collect();
    fill_normals(&mut joined, &without_normal);
    (joined, placed)
}

fn read_materials<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
) -> (Vec<Material>, BTreeMap<&'d str, usize>) {
    let mut materials = Vec::new();
    let mut indices = BTreeMap::new();
    for node in section_items(root, "Materials", "Material") {
        let Some(name) = reader.required(node, "name") else { continue };
        indices.entry(name).or_insert(materials.len());
        materials.push(Material { name: name.to_owned(), ..Material::default() });
        if node.attribute("meta_data").is_some_and(|data| !data.is_empty()) {
            let note = Diagnostic {
                severity: Severity::Note,
                title: "A material holds data that is not read".to_owned(),
                effect: "the surface is shown in plain colour".to_owned(),
                ..read_error("EZM_MATERIAL_DATA_IGNORED", "a name", "data for one renderer")
            };
            reader.add_note(XmlPlace::Attribute(node, "meta_data"), note);
        }
    }
    (materials, indices)
}

/// Reads a mesh. `count_before` is the number of vertices in other meshes. Returns `None` after an
/// error.
fn read_mesh<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    material_indices: &BTreeMap<&'d str, usize>,
    count_before: usize,
) -> Option<ReadMesh<'d>> {
    let buffers: Vec<Node<'d, 'd>> = children(node, "vertexbuffer").collect();
    let [buffer] = buffers[..] else {
        let error = read_error(code::EZM_MISSING, "one vertexbuffer", buffers.len());
        return reader.fail(XmlPlace::Element(node), error);
    };
    let fields = VertexFields::read(reader, buffer)?;
    let skeleton = find_skeleton(reader, node, skeletons, fields.has_influences());
    let vertices = read_vertices(
        reader,
        buffer,
        &fields,
        skeleton.map(|index| &skeletons.list[index]),
        count_before,
    )?;
    let mut sections = Vec::new();
    for section in children(node, "MeshSection") {
        let name = section.attribute("material").filter(|name| !name.is_empty());
        let material = name.and_then(|name| material_indices.get(name).copied());
        if let Some(name) = name
            && material.is_none()
        {
            let found = format_args!("“{name}”");
            let note = Diagnostic {
                severity: Severity::Warning,
                title: "A section names a material that is not there".to_owned(),
                effect: "the surface is shown in plain colour".to_owned(),
                ..read_error("EZM_MATERIAL_UNKNOWN", "the name of a material", found)
            };
            reader.add_note(XmlPlace::Attribute(section, "material"), note);
        }
        let triangles = read_triangles(reader, section, vertices.positions.len())?;
        sections.push(MeshSection { material, triangles });
    }
    let name = node.attribute("name").filter(|name| !name.trim().is_empty());
    Some(ReadMesh { node, name, skeleton, vertices, sections })
}

/// Returns the index of the skeleton that a mesh names. Exporters write `null` for none.
fn find_skeleton<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    has_influences: bool,
) -> Option<usize> {
    let name =
        node.attribute("skeleton").map(str::trim).filter(|name| !["", "null"].contains(name));
    if name.is_none() && !has_influences {
        return None;
    }
    if name.is_none() && skeletons.list.len() == 1 {
        let expected = "the name of a skeleton, as there are weights";
        let note = Diagnostic {
            severity: Severity::Warning,
            title: "A mesh has weights but names no skeleton".to_owned(),
            effect: "the only skeleton of the file moves the mesh".to_owned(),
            ..read_error("EZM_SKELETON_GUESSED", expected, "nothing")
        };
        reader.add_note(XmlPlace::Attribute(node, "skeleton"), note);
        return Some(0);
    }
    let index = skeletons.list.iter().position(|other| name.is_some() && other.name == name);
    let Some(index) = index else {
        let found = name.map_or("nothing".to_owned(), |name| format!("“{name}”"));
        let expected = "the name of a skeleton of the file";
        let error = read_error(code::EZM_DANGLING, expected, found)
            .help("name the skeleton whose bones the blendindices count");
        return reader.fail(XmlPlace::Attribute(node, "skeleton"), error);
    };
    if !has_influences {
        let expected = "blendweights and blendindices, as the mesh has a skeleton";
        let error = read_error(code::EZM_MISSING, expected, "neither")
            .help("bind the mesh to its skeleton, or take the attribute away");
        return reader.fail(XmlPlace::Element(node), error);
    }
    Some(index)
}

fn read_triangles<'d>(
    reader: &mut XmlReader<'d>,
    section: Node<'d, 'd>,
    vertex_count: usize,
) -> Option<Vec<[u32; 3]>> {
    let Some(buffer) = children(section, "indexbuffer").next() else {
        let error = read_error(code::EZM_MISSING, "an indexbuffer", "none");
        return reader.fail(XmlPlace::Element(section), error);
    };
    let text = ElementText::new(buffer);
    let count = items(&text.text).count();
    if !reader.check_count(buffer, "triangle_count", "triangles", count)
        || !reader.check_limit(XmlPlace::Element(buffer), MAX_TRIANGLES, "triangles", count)
    {
        return None;
    }
    if let Some((triangle, (offset, found))) =
        items(&text.text).enumerate().find(|(_, (_, found))| *found != 3)
    {
        let expected = format_args!("three corners of triangle {triangle}");
        return reader.fail(text.place(offset), read_error(code::EZM_NUMBER, expected, found));
    }
    let mut corners = Vec::with_capacity(3 * count);
    for (offset, token) in tokens(&text.text) {
        let corner = token.parse().ok().filter(|&corner: &u32| (corner as usize) < vertex_count);
        let Some(corner) = corner else {
            let shown: String = token.chars().take(40).collect();
            let expected = format_args!("the number of one of {vertex_count} vertices");
            let error = read_error(code::EZM_DANGLING, expected, format_args!("“{shown}”"))
                .help("the indices belong to another mesh or are damaged; export the file again");
            return reader.fail(text.place(offset), error);
        };
        corners.push(corner);
    }
    Some(corners.as_chunks::<3>().0.to_vec())
}

/// An instance of the mesh at an index.
struct MeshInstance<'d> {
    mesh: usize,
    local: EzmTransform,
    node: Node<'d, 'd>,
}

/// Returns all instances, mesh by mesh. A mesh that no instance names is at the origin.
fn read_instances<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    meshes: &[ReadMesh<'d>],
) -> Vec<MeshInstance<'d>> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (mesh, stored) in meshes.iter().enumerate() {
        by_name.entry(stored.name.unwrap_or_default()).or_default().push(mesh);
    }
    let mut instances: Vec<MeshInstance<'d>> = Vec::new();
    for node in section_items(root, "MeshInstances", "MeshInstance") {
        let Some(name) = reader.required(node, "mesh") else { continue };
        let Some(named) = by_name.get(name) else {
            // A mesh that could not be read is absent, too.
            if reader.errors.is_empty() {
                let expected = "the name of a mesh of the file";
                let error = read_error(code::EZM_DANGLING, expected, format_args!("“{name}”"))
                    .help("name a mesh, or take the instance away");
                reader.add_error(XmlPlace::Attribute(node, "mesh"), error);
            }
            continue;
        };
        let mesh = named[0];
        if named.len() > 1 {
            let expected = "a name of its own for each mesh that has instances";
            let found = format_args!("“{name}” several times");
            let error = read_error(code::EZM_REPEATED, expected, found)
                .help("instances refer to meshes by name: rename all but one");
            reader.add_error(XmlPlace::Attribute(meshes[mesh].node, "name"), error);
            continue;
        }
        let local = read_transform(reader, node, "rotation");
        if meshes[mesh].skeleton.is_none() {
            instances.push(MeshInstance { mesh, local, node });
        } else if !local.trs().matrix().abs_diff_eq(Mat4::IDENTITY, 1e-6) {
            // Only bones move a skinned mesh, as in glTF.
            let expected = "one instance at the origin, as bones say where the mesh stands";
            let note = Diagnostic {
                severity: Severity::Warning,
                title: "An instance moves a skinned mesh".to_owned(),
                effect: "it is passed over".to_owned(),
                ..read_error("EZM_INSTANCE_OF_SKINNED_MESH", expected, "one that is moved")
            };
            reader.add_note(XmlPlace::Element(node), note);
        }
    }
    let mut has_instance = vec![false; meshes.len()];
    for instance in &instances {
        has_instance[instance.mesh] = true;
    }
    for (mesh, stored) in meshes.iter().enumerate().filter(|(mesh, _)| !has_instance[*mesh]) {
        let local = EzmTransform::IDENTITY;
        instances.push(MeshInstance { mesh, local, node: stored.node });
    }
    instances.sort_by_key(|instance| instance.mesh);
    instances
}

/// Checks whether another instance of a mesh fits into the limits. Adds an error if it does not.
fn fits<'d>(
    reader: &mut XmlReader<'d>,
    joined: &Mesh,
    mesh: &ReadMesh<'d>,
    instance: Node<'d, 'd>,
) -> bool {
    let vertex_count = mesh.vertices.positions.len();
    let all_vertices = joined.positions.len() + vertex_count;
    let triangle_count: usize = mesh.sections.iter().map(|section| section.triangles.len()).sum();
    let all_triangles = joined.triangles.len() + triangle_count;
    let all_sections = joined.parts.len() + mesh.sections.len();
    let at = XmlPlace::Element(instance);
    reader.check_limit(at, MAX_VERTICES, "vertices in all", all_vertices)
        && reader.check_limit(at, MAX_TRIANGLES, "triangles in all", all_triangles)
        && reader.check_limit(at, MAX_PARTS, "sections in all", all_sections)
        && reader.check_memory(at, vertex_count, BYTES_PER_VERTEX)
}

/// Adds a part for each section of an instance, whose vertices are added next.
fn append_parts(joined: &mut Mesh, mesh: &ReadMesh<'_>, mesh_index: usize, node: NodeIndex) {
    let first_vertex = joined.positions.len() as u32;
    let vertices = first_vertex..first_vertex + mesh.vertices.positions.len() as u32;
    let name = mesh.name.unwrap_or("mesh");
    for (index, section) in mesh.sections.iter().enumerate() {
        let first_triangle = joined.triangles.len() as u32;
        joined.triangles.extend(
            section.triangles.iter().map(|corners| corners.map(|corner| first_vertex + corner)),
        );
        let has_siblings = mesh.sections.len() > 1;
        joined.parts.push(MeshPart {
            name: if has_siblings { format!("{name} {index}") } else { name.to_owned() },
            node,
            mesh: mesh_index,
            primitive: index,
            skin: mesh.skeleton,
            vertices: vertices.clone(),
            triangles: first_triangle..joined.triangles.len() as u32,
            lines: 0..0,
            material: section.material,
        });
    }
}

/// Adds the vertices of an instance, influenced by `joint` alone if there is one.
fn append_vertices(joined: &mut Mesh, vertices: &EzmVertices, joint: Option<JointIndex>) {
    joined.positions.extend(&vertices.positions);
    let count = joined.positions.len();
    joined.normals.extend(&vertices.normals);
    joined.normals.resize(count, Vec3::ZERO);
    joined.uvs.extend(&vertices.uvs);
    joined.colors.extend(&vertices.colors);
    for influences in &vertices.influences {
        joined.stored_sums.push(influences.sum());
        joined.influences.push(influences.normalized());
    }
    if let Some(joint) = joint {
        joined.influences.resize(count, Influences::new(&[(joint, 1.0)]));
        joined.stored_sums.resize(count, 1.0);
    }
}
