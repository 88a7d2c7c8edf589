//! The files of rigs made by code: glTF (`.glb`, or `.gltf` with its `.bin` and
//! `.png`).

use glam::{Mat4, Quat, Vec3};

use super::animations::Targets;
use super::container::glb_of;
use super::error::WriteError;
use super::json;
use super::materials::json_material;
use super::png::small_png;
use super::writer::{ARRAY_BUFFER, Floats, Packing, Writer};
use crate::asset::{Component, Material, MaterialImage, Mesh, NodeIndex, Rig};
use crate::skin::{Influences, Joint, JointIndex, SET_LANES, Trs};

/// A `.gltf` and the files it names, each with its name.
pub(in crate::asset) fn gltf(
    rig: &Rig,
    packing: Packing,
) -> Result<Vec<(String, Vec<u8>)>, WriteError> {
    let id = &rig.id;
    let png_name = format!("{id}.png");
    let bin_name = format!("{id}.bin");
    let mut writer = Writer::new(packing);
    let mut files = Vec::new();
    let image = match rig.mesh.images.first().and_then(MaterialImage::pixels) {
        Some(image) => {
            files.push((png_name.clone(), small_png(image, 0)?));
            Some(json::Image {
                uri: Some(png_name),
                ..base_color(rig)
            })
        }
        None => None,
    };
    let root = writer.root(rig, image);
    let (mut root, bytes) = writer.finish(root)?;
    if let Some(buffer) = root.buffers.first_mut() {
        buffer.uri = Some(bin_name.clone());
    }
    let mut text = serde_json::to_vec_pretty(&root)?;
    text.push(b'\n');
    files.push((bin_name, bytes));
    files.push((format!("{id}.gltf"), text));
    Ok(files)
}

/// Everything in one file.
pub(in crate::asset) fn glb(rig: &Rig) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::default();
    let image = match rig.mesh.images.first().and_then(MaterialImage::pixels) {
        Some(image) => Some(json::Image {
            buffer_view: Some(writer.view(&small_png(image, 0)?, None)),
            ..base_color(rig)
        }),
        None => None,
    };
    let root = writer.root(rig, image);
    let (root, bytes) = writer.finish(root)?;
    Ok(glb_of(serde_json::to_vec(&root)?, bytes))
}

/// The image of a rig made by code; where it is, is still to be said.
fn base_color(rig: &Rig) -> json::Image {
    json::Image {
        name: format!("{}_base_color", rig.id),
        mime_type: "image/png",
        ..json::Image::default()
    }
}

/// The mesh's node comes first, then the joints in their order.
pub(super) const FIRST_JOINT: usize = 1;

/// The node that a file written of a rig made by code has for a joint.
pub(in crate::asset) fn node_of(joint: JointIndex) -> NodeIndex {
    NodeIndex((FIRST_JOINT + joint.index()) as u32)
}

/// What the node is called that carries the mesh.
pub(super) fn mesh_node_name(rig: &Rig) -> String {
    format!("{}_mesh", rig.id)
}

impl Writer {
    fn root(&mut self, rig: &Rig, image: Option<json::Image>) -> json::Root {
        let joints = rig.skeleton.joints();
        let mut nodes = vec![json::Node {
            name: Some(mesh_node_name(rig)),
            mesh: Some(0),
            skin: Some(0),
            matrix: (rig.world_from_mesh_node != Mat4::IDENTITY)
                .then(|| rig.world_from_mesh_node.to_cols_array().map(rounded)),
            ..json::Node::default()
        }];
        let root = joint_nodes(&rig.id, joints, &mut nodes);
        let attributes = self.attributes(&rig.mesh, joints.len());
        let corners = [
            (rig.mesh.triangles.as_flattened(), 4),
            (rig.mesh.lines.as_flattened(), 1),
        ];
        let shown = corners
            .into_iter()
            .filter(|(corners, _)| !corners.is_empty());
        let primitives = shown.map(|(corners, mode)| json::Primitive {
            attributes: attributes.clone(),
            indices: Some(self.indices(corners.iter().copied(), rig.mesh.positions.len())),
            material: 0,
            mode,
            targets: Vec::new(),
        });
        let primitives = primitives.collect();
        let inverse_binds = rig.skeleton.joint_from_bind();
        let skins = vec![json::Skin {
            name: Some(rig.id.clone()),
            inverse_bind_matrices: Some(self.inverse_binds(inverse_binds.into_iter())),
            // Where it is a joint.
            skeleton: (root <= joints.len()).then_some(root),
            joints: (FIRST_JOINT..=joints.len()).collect(),
        }];
        let node_of_joint: Vec<usize> = (FIRST_JOINT..=joints.len()).collect();
        let targets = Targets {
            node_of_joint: &node_of_joint,
            morphs: &[],
            morph_weights: &[],
        };
        let animations = self.animations(&rig.clips, &targets);
        let textured = image.is_some();
        let material = Material {
            name: rig.id.clone(),
            ..Material::default()
        };
        let texture = json::Texture {
            sampler: None,
            source: 0,
        };
        let info = textured.then_some(json::TextureInfo {
            index: 0,
            extensions: None,
        });
        json::Root {
            asset: json::Asset {
                version: "2.0",
                generator: "Bindpose, cargo xtask assets",
                copyright: Some("the authors of Bindpose, MIT OR Apache-2.0"),
            },
            scenes: vec![json::Scene {
                nodes: vec![0, root],
                ..json::Scene::default()
            }],
            nodes,
            meshes: vec![json::Mesh {
                name: rig.id.clone(),
                primitives,
                ..json::Mesh::default()
            }],
            skins,
            materials: vec![json_material(&material, info, rig.flat)],
            textures: textured.then_some(texture).into_iter().collect(),
            images: image.into_iter().collect(),
            animations,
            ..json::Root::default()
        }
    }

    fn attributes(&mut self, mesh: &Mesh, joints: usize) -> json::Attributes {
        let target = Some(ARRAY_BUFFER);
        let mut attributes = json::Attributes::default();
        attributes.put("POSITION", self.positions(&mesh.positions));
        if self.packing() == Packing::Tutorial {
            self.put_tutorial_influences(&mut attributes, &mesh.influences);
            return attributes;
        }
        let normals = bytemuck::cast_slice(&mesh.normals);
        attributes.put("NORMAL", self.floats(normals, Floats::VECTOR, target));
        // Where the shipped files have them: before what follows.
        let joints_0 = self.joints(&mesh.influences, 0, joints);
        if !mesh.tangents.is_empty() {
            let tangents = bytemuck::cast_slice(&mesh.tangents);
            attributes.put("TANGENT", self.floats(tangents, Floats::FOUR, target));
        }
        if !mesh.uvs.is_empty() {
            let uvs = bytemuck::cast_slice(&mesh.uvs);
            attributes.put("TEXCOORD_0", self.floats(uvs, Floats::UV, target));
        }
        attributes.put("JOINTS_0", joints_0);
        attributes.put("WEIGHTS_0", self.weights(&mesh.influences, 0));
        if mesh.lanes() > SET_LANES {
            attributes.put("JOINTS_1", self.joints(&mesh.influences, 1, joints));
            attributes.put("WEIGHTS_1", self.weights(&mesh.influences, 1));
        }
        attributes
    }

    /// `JOINTS_n`, as narrow as the number of joints allows. Lanes that are not
    /// used say 0.
    fn joints(&mut self, influences: &[Influences], set: usize, joints: usize) -> usize {
        let lanes = set * SET_LANES..(set + 1) * SET_LANES;
        let indices = influences.iter().flat_map(|one| {
            let lanes = lanes.clone();
            lanes.map(|lane| {
                if one.weights[lane] == 0.0 {
                    0
                } else {
                    one.joints[lane].0
                }
            })
        });
        let (bytes, kind): (Vec<u8>, _) = if joints <= 256 {
            (indices.map(|joint| joint as u8).collect(), Component::U8)
        } else {
            let bytes = indices.flat_map(u16::to_le_bytes);
            (bytes.collect(), Component::U16)
        };
        self.accessor(&bytes, kind, influences.len(), "VEC4", Some(ARRAY_BUFFER))
    }

    /// `WEIGHTS_n`.
    fn weights(&mut self, influences: &[Influences], set: usize) -> usize {
        let lanes = set * SET_LANES..(set + 1) * SET_LANES;
        let weights: Vec<f32> = influences
            .iter()
            .flat_map(|i| i.weights[lanes.clone()].to_vec())
            .collect();
        self.floats(&weights, Floats::FOUR, Some(ARRAY_BUFFER))
    }
}

/// Adds a node a joint, and one above all where several have no parent: the
/// joints of a skin must have a common root. Answers that root.
fn joint_nodes(id: &str, joints: &[Joint], nodes: &mut Vec<json::Node>) -> usize {
    nodes.extend(joints.iter().map(|joint| json::Node {
        name: Some(joint.name.clone()),
        ..placed(joint.parent_from_joint_at_rest)
    }));
    let mut roots = Vec::new();
    for (at, joint) in joints.iter().enumerate() {
        let node = FIRST_JOINT + at;
        let parent = joint.parent.map(|parent| FIRST_JOINT + parent.index());
        match parent.and_then(|parent| nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(node),
            None => roots.push(node),
        }
    }
    if let [root] = roots[..] {
        return root;
    }
    nodes.push(json::Node {
        name: Some(id.to_owned()),
        children: roots,
        ..json::Node::default()
    });
    nodes.len() - 1
}

/// A node at a place; what says nothing is left out.
pub(super) fn placed(local: Trs) -> json::Node {
    let Trs {
        translation,
        rotation,
        scale,
    } = local;
    json::Node {
        translation: (translation != Vec3::ZERO).then(|| translation.to_array()),
        rotation: (rotation != Quat::IDENTITY).then(|| rotation.to_array()),
        scale: (scale != Vec3::ONE).then(|| scale.to_array()),
        ..json::Node::default()
    }
}

/// To steps of 1e-6, against differences between machines.
pub(in crate::asset) fn rounded(x: f32) -> f32 {
    ((f64::from(x) * 1e6).round() / 1e6 + 0.0) as f32
}
