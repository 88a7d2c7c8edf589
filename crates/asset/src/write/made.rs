//! The files of rigs made by code: glTF (`.glb`, or `.gltf` with its `.bin` and
//! `.png`).

use std::collections::BTreeMap;

use bindpose_diagnostic::Diagnostic;

use super::animations::ChannelTargets;
use super::graph::{FIRST_JOINT, graph_of};
use super::influences::BoundVertices;
use super::json;
use super::materials::json_material;
use super::morphs::Morphs;
use super::placed::placed;
use super::png::small_png;
use super::primitives::{SharedCorners, parts};
use super::writer::{Floats, GltfWriter, Packing};
use crate::{Material, MaterialImage, Mesh, Rig};

/// A `.gltf` and the files it names, each with its name.
pub(crate) fn gltf(rig: &Rig, packing: Packing) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let [png_name, bin_name] = ["png", "bin"].map(|ending| format!("{}.{ending}", rig.id));
    let mut writer = GltfWriter::new(packing);
    let mut files = Vec::new();
    let image = base_color(rig)?.map(|(image, png)| {
        files.push((png_name.clone(), png));
        json::Image { uri: Some(png_name), ..image }
    });
    let root = writer.root(rig, image);
    let (mut root, bytes) = writer.finish(root)?;
    for buffer in &mut root.buffers {
        buffer.uri = Some(bin_name.clone());
    }
    let mut text = serde_json::to_vec_pretty(&root)?;
    text.push(b'\n');
    files.push((bin_name, bytes));
    files.push((format!("{}.gltf", rig.id), text));
    Ok(files)
}

/// Everything in one file.
pub(crate) fn glb(rig: &Rig) -> Result<Vec<u8>, Diagnostic> {
    let mut writer = GltfWriter::default();
    let image = base_color(rig)?
        .map(|(image, png)| json::Image { buffer_view: Some(writer.view(&png, None)), ..image });
    let root = writer.root(rig, image);
    writer.glb(root)
}

/// The image of the rig, and its file; where that is, is still to be said.
fn base_color(rig: &Rig) -> Result<Option<(json::Image, Vec<u8>)>, Diagnostic> {
    let pixels = rig.mesh.images.first().and_then(MaterialImage::pixels);
    let image = json::Image {
        name: format!("{}_base_color", rig.id),
        mime_type: "image/png",
        ..json::Image::default()
    };
    let written = pixels.map(|pixels| Ok((image, small_png(pixels, 0)?)));
    written.transpose()
}

impl GltfWriter {
    fn root(&mut self, rig: &Rig, image: Option<json::Image>) -> json::Root {
        let joints = rig.skeleton.len();
        let (nodes, root) = nodes(rig);
        let attributes = self.attributes(&rig.mesh, joints);
        let (targets, mut mesh) = self.shapes(rig);
        let shared = SharedCorners { attributes, targets };
        let parts = parts(rig).into_iter();
        let primitives = parts.flat_map(|part| self.primitives(&rig.mesh, &part, &shared, 0));
        mesh.primitives = primitives.collect();
        let node_of_joint: Vec<usize> = (FIRST_JOINT..=joints).collect();
        let skin = json::Skin {
            name: Some(rig.id.clone()),
            inverse_bind_matrices: {
                let matrices = rig.skeleton.joint_from_bind();
                Some(self.inverse_binds(matrices.into_iter()))
            },
            // Where it is a joint.
            skeleton: (root <= joints).then_some(root),
            joints: node_of_joint.clone(),
        };
        let targets = ChannelTargets { node_of_joint: &node_of_joint, ..ChannelTargets::default() };
        let animations = self.animations(&rig.clips, &targets);
        let material = Material { name: rig.id.clone(), ..Material::default() };
        let texture = image.is_some().then(json::TextureInfo::default);
        let textures = texture.iter().map(|_| json::Texture::default()).collect();
        json::Root {
            asset: json::Asset {
                version: "2.0",
                generator: "Bindpose, cargo xtask assets",
                copyright: Some("the authors of Bindpose, MIT OR Apache-2.0"),
            },
            scenes: vec![json::Scene { name: None, nodes: vec![0, root] }],
            nodes,
            meshes: vec![mesh],
            skins: vec![skin],
            materials: vec![json_material(&material, texture, rig.flat)],
            textures,
            images: image.into_iter().collect(),
            animations,
            ..json::Root::default()
        }
    }

    /// Morph targets, and the mesh that has them, with their names and weights.
    fn shapes(&mut self, rig: &Rig) -> (Vec<BTreeMap<&'static str, usize>>, json::Mesh) {
        let mut mesh = json::Mesh { name: rig.id.clone(), ..json::Mesh::default() };
        if rig.mesh.targets.is_empty() {
            return (Vec::new(), mesh);
        }
        let morphs = Morphs::new(&rig.mesh.targets);
        let vertices = 0..rig.mesh.positions.len() as u32;
        let slots: Vec<usize> = morphs.slots(&vertices).into_iter().collect();
        mesh.weights.clone_from(&rig.morph_weights);
        mesh.extras = Some(json::MeshExtras {
            target_names: slots.iter().map(|&slot| morphs.name(slot)).collect(),
        });
        // Normals are written as they are.
        let lengths = vec![1.0; rig.mesh.positions.len()];
        (morphs.write(self, &vertices, &slots, &lengths), mesh)
    }

    fn attributes(&mut self, mesh: &Mesh, joints: usize) -> json::Attributes {
        let mut attributes = json::Attributes::default();
        attributes.put("POSITION", self.positions(&mesh.positions));
        if self.packing == Packing::Tutorial {
            self.put_tutorial_influences(&mut attributes, &mesh.influences);
            return attributes;
        }
        attributes.put("NORMAL", self.floats(&mesh.normals, Floats::VECTOR));
        let bound = BoundVertices::as_made(&mesh.influences);
        // Where the shipped files have them: before what follows.
        let joints_0 = self.joints(&bound, 0, joints);
        if !mesh.tangents.is_empty() {
            attributes.put("TANGENT", self.floats(&mesh.tangents, Floats::FOUR));
        }
        if !mesh.uvs.is_empty() {
            attributes.put("TEXCOORD_0", self.floats(&mesh.uvs, Floats::UV));
        }
        attributes.put("JOINTS_0", joints_0);
        attributes.put("WEIGHTS_0", self.weights(&bound, 0));
        self.put_influences(&mut attributes, &bound, 1, joints);
        attributes
    }
}

/// The nodes, and the number of the one above all joints: they must have a
/// common root.
fn nodes(rig: &Rig) -> (Vec<json::Node>, usize) {
    let graph = graph_of(rig);
    let nodes = graph.nodes.iter().map(|node| json::Node {
        name: node.name.clone(),
        mesh: node.mesh,
        skin: node.skin,
        children: node.children.iter().map(|child| child.index()).collect(),
        ..placed(node.local)
    });
    let mut nodes: Vec<json::Node> = nodes.collect();
    let roots = graph.scenes.iter().flat_map(|scene| &scene.roots);
    let roots: Vec<usize> = roots.map(|root| root.index()).collect();
    if let [_, root] = roots[..] {
        return (nodes, root);
    }
    nodes.push(json::Node {
        name: Some(rig.id.clone()),
        children: roots[1..].to_vec(),
        ..json::Node::default()
    });
    let root = nodes.len() - 1;
    (nodes, root)
}
