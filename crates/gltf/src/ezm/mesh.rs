//! Meshes, as one mesh of parts.

use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Influences, Joint, JointIndex, Trs};
use glam::{DMat4, Mat4, Vec2, Vec3};
use roxmltree::Node;

use super::skeleton::{MAX_JOINTS, ReadSkeleton, read_transform};
use super::vertices::{VertexFields, read_vertices};
use super::xml::{RowText, XmlPlace, XmlReader, children, section_items};
use crate::gltf::fill_normals;
use crate::read_error::{code, read_error};
use crate::{GraphNode, Material, Mesh, MeshPart, NodeIndex, NodeTransform};

/// Limit for the triangles of a file.
const MAX_TRIANGLES: usize = 1 << 24;
/// Limit for the sections of a file.
const MAX_PARTS: usize = 1 << 16;

/// All meshes of a file.
#[derive(Default)]
pub(super) struct ReadMeshes {
    pub(super) mesh: Mesh,
    /// One node for each mesh. They follow those of the bones.
    pub(super) nodes: Vec<GraphNode>,
    /// A joint for each mesh without a skeleton. They follow those of the bones.
    pub(super) own_joints: Vec<Joint>,
    /// Indices of materials, by name.
    material_indices: BTreeMap<String, usize>,
}

impl ReadMeshes {
    /// Reads all meshes as one. A mesh without a skeleton gets a joint of its own.
    pub(super) fn read<'d>(
        reader: &mut XmlReader<'d>,
        root: Node<'d, 'd>,
        skeleton: &ReadSkeleton<'d>,
    ) -> Self {
        let mut meshes = Self::default();
        for node in section_items(root, "Meshes", "Mesh") {
            meshes.read_mesh(reader, node, skeleton);
        }
        add_instance_notes(reader, root);
        meshes
    }

    /// Adds a mesh. Returns `None` after an error, with only a part of it added.
    fn read_mesh<'d>(
        &mut self,
        reader: &mut XmlReader<'d>,
        node: Node<'d, 'd>,
        skeleton: &ReadSkeleton<'d>,
    ) -> Option<()> {
        let buffers: Vec<Node<'d, 'd>> = children(node, "vertexbuffer").collect();
        let [buffer] = buffers[..] else {
            let error = read_error(code::EZM_MISSING, "one vertexbuffer", buffers.len());
            return reader.fail(XmlPlace::Element(node), error);
        };
        let first_vertex = self.mesh.positions.len() as u32;
        let fields = VertexFields::read(reader, buffer)?;
        let is_skinned = check_skeleton(reader, node, skeleton, fields.has_influences())?;
        let bone_count = skeleton.joints.len();
        read_vertices(reader, buffer, &fields, bone_count, &mut self.mesh)?;
        let name = node.attribute("name").filter(|name| !name.trim().is_empty());
        let joint = if is_skinned {
            None
        } else {
            let index = bone_count + self.own_joints.len();
            let at = XmlPlace::Element(node);
            if !reader.check_limit(at, MAX_JOINTS, "bones and rigid meshes", index + 1) {
                return None;
            }
            self.own_joints.push(Joint {
                name: name.unwrap_or("mesh").to_owned(),
                parent: None,
                parent_from_joint_at_rest: Trs::IDENTITY,
                joint_from_bind: Mat4::IDENTITY,
            });
            let joint = JointIndex(index as u16);
            let count = self.mesh.positions.len();
            self.mesh.influences.resize(count, Influences::new(&[(joint, 1.0)]));
            self.mesh.stored_sums.resize(count, 1.0);
            Some(joint)
        };
        let part = MeshPart {
            name: name.unwrap_or("mesh").to_owned(),
            node: NodeIndex((bone_count + self.nodes.len()) as u32),
            mesh: self.nodes.len(),
            primitive: 0,
            skin: is_skinned.then_some(0),
            vertices: first_vertex..self.mesh.positions.len() as u32,
            triangles: 0..0,
            lines: 0..0,
            material: None,
        };
        self.read_sections(reader, node, &part)?;
        self.nodes.push(GraphNode {
            name: Some(name.unwrap_or_default().to_owned()),
            parent: None,
            children: Vec::new(),
            local: NodeTransform::Trs(Trs::IDENTITY),
            mesh: Some(part.mesh),
            skin: part.skin,
            joint,
        });
        Some(())
    }

    /// Adds a copy of `part` for each section of its mesh, with the triangles and the material of
    /// the section.
    fn read_sections<'d>(
        &mut self,
        reader: &mut XmlReader<'d>,
        node: Node<'d, 'd>,
        part: &MeshPart,
    ) -> Option<()> {
        let sections: Vec<Node<'d, 'd>> = children(node, "MeshSection").collect();
        let part_count = self.mesh.parts.len() + sections.len();
        if !reader.check_limit(XmlPlace::Element(node), MAX_PARTS, "sections", part_count) {
            return None;
        }
        for (index, &section) in sections.iter().enumerate() {
            let material = self.find_material(section);
            let first_triangle = self.mesh.triangles.len() as u32;
            read_triangles(reader, section, &part.vertices, &mut self.mesh.triangles)?;
            let has_siblings = sections.len() > 1;
            self.mesh.parts.push(MeshPart {
                name: if has_siblings {
                    format!("{} {index}", part.name)
                } else {
                    part.name.clone()
                },
                primitive: index,
                triangles: first_triangle..self.mesh.triangles.len() as u32,
                material,
                ..part.clone()
            });
        }
        Some(())
    }

    /// Returns the material that a section names. The file gives materials only names.
    fn find_material(&mut self, section: Node<'_, '_>) -> Option<usize> {
        let name = section.attribute("material").filter(|name| !name.is_empty())?;
        let next_index = self.mesh.materials.len();
        let index = *self.material_indices.entry(name.to_owned()).or_insert(next_index);
        if index == next_index {
            self.mesh.materials.push(Material { name: name.to_owned(), ..Material::default() });
        }
        Some(index)
    }

    /// Adds the attributes that some meshes have to the vertices of the others, and computes
    /// absent normals from the triangles.
    pub(super) fn fill_attributes(&mut self) {
        let mesh = &mut self.mesh;
        if !mesh.uvs.is_empty() {
            mesh.uvs.resize(mesh.positions.len(), Vec2::ZERO);
        }
        let without_normal: Vec<_> = (0..mesh.positions.len() as u32)
            .filter(|&vertex| mesh.normals[vertex as usize] == Vec3::ZERO)
            .map(|vertex| vertex..vertex + 1)
            .collect();
        fill_normals(mesh, &without_normal);
    }
}

/// Returns whether the skeleton moves a mesh. Exporters write `null` for none. Returns `None`
/// after an error.
fn check_skeleton<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeleton: &ReadSkeleton<'d>,
    has_influences: bool,
) -> Option<bool> {
    let name =
        node.attribute("skeleton").map(str::trim).filter(|name| !["", "null"].contains(name));
    if name.is_none() && !has_influences {
        return Some(false);
    }
    if !skeleton.is_present || (name.is_some() && name != skeleton.name) {
        let found = name.map_or("nothing".to_owned(), |name| format!("“{name}”"));
        let expected = "the name of the file’s skeleton";
        let error = read_error(code::EZM_DANGLING, expected, found)
            .help("name the skeleton whose bones the blendindices count");
        return reader.fail(XmlPlace::Attribute(node, "skeleton"), error);
    }
    if !has_influences {
        let expected = "blendweights and blendindices, as the mesh has a skeleton";
        let error = read_error(code::EZM_MISSING, expected, "neither")
            .help("bind the mesh to its skeleton, or take the attribute away");
        return reader.fail(XmlPlace::Element(node), error);
    }
    Some(true)
}

/// Adds the triangles of a section, whose corners count the vertices of its mesh.
fn read_triangles<'d>(
    reader: &mut XmlReader<'d>,
    section: Node<'d, 'd>,
    vertices: &Range<u32>,
    triangles: &mut Vec<[u32; 3]>,
) -> Option<()> {
    let Some(buffer) = children(section, "indexbuffer").next() else {
        let error = read_error(code::EZM_MISSING, "an indexbuffer", "none");
        return reader.fail(XmlPlace::Element(section), error);
    };
    let text = RowText::new(buffer);
    let count = text.rows().count();
    let all_count = triangles.len() + count;
    if !reader.check_count(buffer, "triangle_count", "triangles", count)
        || !reader.check_limit(XmlPlace::Element(buffer), MAX_TRIANGLES, "triangles", all_count)
    {
        return None;
    }
    for (at, row) in text.rows() {
        reader.check_width(at, row, 3)?;
        let mut triangle = [0; 3];
        for (corner, token) in triangle.iter_mut().zip(row.split_ascii_whitespace()) {
            let index = token.parse().ok().filter(|&index: &u32| index < vertices.len() as u32);
            let Some(index) = index else {
                let shown: String = token.chars().take(40).collect();
                let expected = format!("the number of one of {} vertices", vertices.len());
                let error = read_error(code::EZM_DANGLING, expected, format_args!("“{shown}”"))
                    .help(
                        "the indices belong to another mesh or are damaged; export the file again",
                    );
                return reader.fail(at, error);
            };
            *corner = vertices.start + index;
        }
        triangles.push(triangle);
    }
    Some(())
}

/// Adds a note if an instance moves its mesh. Bones say where a skinned mesh is, as in glTF, and
/// other meshes are shown where their vertices are.
fn add_instance_notes<'d>(reader: &mut XmlReader<'d>, root: Node<'d, 'd>) {
    for node in section_items(root, "MeshInstances", "MeshInstance") {
        let moved = read_transform(reader, node, "rotation").matrix();
        if !moved.abs_diff_eq(DMat4::IDENTITY, 1e-6) {
            let note = Diagnostic {
                severity: Severity::Warning,
                title: "An instance moves a mesh".to_owned(),
                effect: "it is passed over".to_owned(),
                ..read_error("EZM_INSTANCE_IGNORED", "instances at the origin", "one that is moved")
            };
            reader.add_note(XmlPlace::Element(node), note.help("apply the transform to the mesh"));
        }
    }
}
