//! Models as files: glTF here (`.glb`, or `.gltf` with its `.bin` and `.png`), others
//! beside it.
//!
//! The same rig gives the same bytes on every run.

mod container;
mod error;
mod ezm;
mod json;
mod model;
mod npy;
mod obj;
mod png;
mod tutorial;

use std::borrow::Cow;

use glam::{Mat4, Quat, Vec3};

use super::{Component, Material, MaterialImage, Mesh, NodeIndex, Rig, bounds_of};
use crate::skin::{
    Clip, Influences, Interpolation, Joint, JointIndex, Property, SET_LANES, Target, Trs,
};

use container::glb_of;
pub(super) use container::{chunk_header, glb_file};
pub use error::WriteError;
pub use ezm::EzmWriteError;
pub(super) use ezm::{Frames, ezm};
pub use model::{Shown, write_posed_glb, write_rig_glb};
pub use npy::write_npy;
pub use obj::write_obj;
use png::png;

/// How attributes lie in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Packing {
    /// Each in a view of its own, without gaps.
    #[default]
    Tight,
    /// As the glTF tutorial's “Simple Skin” has it: no normals; joints, as
    /// shorts, and weights in one view of stride 16, so that eight unused bytes
    /// follow the joints of each vertex; offsets of 0 are not written.
    Tutorial,
}

/// A `.gltf` and the files it names, each with its name.
pub(super) fn gltf(rig: &Rig, packing: Packing) -> Result<Vec<(String, Vec<u8>)>, WriteError> {
    let id = &rig.id;
    let png_name = format!("{id}.png");
    let bin_name = format!("{id}.bin");
    let mut writer = Writer {
        packing,
        ..Writer::default()
    };
    let mut files = Vec::new();
    let image = match rig.mesh.images.first() {
        Some(image) => {
            files.push((png_name.clone(), image_bytes(image)?.0.into_owned()));
            Some(json::Image {
                uri: Some(png_name),
                ..base_color(rig)
            })
        }
        None => None,
    };
    let mut root = writer.root(rig, image);
    if let Some(buffer) = root.buffers.first_mut() {
        buffer.uri = Some(bin_name.clone());
    }
    let mut text = serde_json::to_vec_pretty(&root)?;
    text.push(b'\n');
    files.push((bin_name, writer.bytes));
    files.push((format!("{id}.gltf"), text));
    Ok(files)
}

/// Everything in one file.
pub(super) fn glb(rig: &Rig) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::default();
    let image = match rig.mesh.images.first() {
        Some(image) => Some(json::Image {
            buffer_view: Some(writer.view(&image_bytes(image)?.0, None)),
            ..base_color(rig)
        }),
        None => None,
    };
    let root = writer.root(rig, image);
    glb_of(&root, writer.bytes)
}

/// An image as its file had it, or as PNG, and its media type.
fn image_bytes(image: &MaterialImage) -> Result<(Cow<'_, [u8]>, &'static str), WriteError> {
    Ok(match (image.encoded(), image.pixels()) {
        (Some((bytes, media_type)), _) => (Cow::Borrowed(bytes), media_type),
        (None, Some(pixels)) => (Cow::Owned(png(pixels)?), "image/png"),
        (None, None) => (Cow::Borrowed(&[]), "image/png"),
    })
}

/// The image of a rig made by code; where it is, is still to be said.
fn base_color(rig: &Rig) -> json::Image {
    json::Image {
        name: format!("{}_base_color", rig.id),
        mime_type: "image/png",
        ..json::Image::default()
    }
}

const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// The mesh's node comes first, then the joints in their order.
const FIRST_JOINT: usize = 1;

/// The node that a file written here has for a joint.
pub(super) fn node_of(joint: JointIndex) -> NodeIndex {
    NodeIndex((FIRST_JOINT + joint.index()) as u32)
}

#[derive(Default)]
struct Writer {
    packing: Packing,
    bytes: Vec<u8>,
    views: Vec<json::BufferView>,
    accessors: Vec<json::Accessor>,
}

impl Writer {
    fn root(&mut self, rig: &Rig, image: Option<json::Image>) -> json::Root {
        let mut nodes = vec![json::Node {
            matrix: (rig.world_from_mesh_node != Mat4::IDENTITY)
                .then(|| rig.world_from_mesh_node.to_cols_array().map(rounded)),
            ..mesh_node(rig, true)
        }];
        let joints = rig.skeleton.joints();
        let at_rest = joints.iter().map(|joint| joint.parent_from_joint_at_rest);
        let roots = joint_nodes(joints, at_rest, &mut nodes);
        let attributes = self.attributes(&rig.mesh, joints.len());
        let all = (&rig.mesh.triangles[..], &rig.mesh.lines[..]);
        let primitives = self.primitives(attributes, all, rig.mesh.positions.len(), 0);
        let inverse_binds = rig.skeleton.joint_from_bind();
        let inverse_binds = bytemuck::cast_slice(&inverse_binds);
        let skins = vec![json::Skin {
            name: rig.id.clone(),
            inverse_bind_matrices: self.floats(inverse_binds, "MAT4", None),
            skeleton: (roots.len() == 1).then_some(FIRST_JOINT),
            joints: (FIRST_JOINT..=joints.len()).collect(),
        }];
        let animations = rig.clips.iter().map(|clip| self.clip(clip)).collect();
        let textured = image.is_some();
        let material = Material {
            name: rig.id.clone(),
            ..Material::default()
        };
        let texture = json::Texture {
            sampler: None,
            source: 0,
        };
        self.finish(json::Root {
            asset: json::Asset {
                version: "2.0",
                generator: "Bindpose, cargo xtask assets",
                copyright: Some("the authors of Bindpose, MIT OR Apache-2.0"),
            },
            scenes: vec![json::Scene {
                nodes: std::iter::once(0).chain(roots).collect(),
            }],
            nodes,
            meshes: vec![json::Mesh {
                name: rig.id.clone(),
                primitives,
            }],
            skins,
            materials: vec![json_material(&material, textured.then_some(0), rig.flat)],
            textures: textured.then_some(texture).into_iter().collect(),
            images: image.into_iter().collect(),
            animations,
            ..json::Root::default()
        })
    }

    /// Adds what was written so far.
    fn finish(&mut self, root: json::Root) -> json::Root {
        json::Root {
            accessors: std::mem::take(&mut self.accessors),
            buffer_views: std::mem::take(&mut self.views),
            buffers: vec![json::Buffer {
                uri: None,
                byte_length: self.bytes.len(),
            }],
            ..root
        }
    }

    /// One of triangles and one of lines, where there are any.
    fn primitives(
        &mut self,
        attributes: json::Attributes,
        (triangles, lines): (&[[u32; 3]], &[[u32; 2]]),
        vertices: usize,
        material: usize,
    ) -> Vec<json::Primitive> {
        [(triangles.as_flattened(), 4), (lines.as_flattened(), 1)]
            .into_iter()
            .filter(|(corners, _)| !corners.is_empty())
            .map(|(corners, mode)| json::Primitive {
                attributes,
                indices: self.indices(corners, vertices),
                material,
                mode,
            })
            .collect()
    }

    /// `POSITION`, with the bounds that glTF asks for.
    fn positions(&mut self, positions: &[Vec3]) -> usize {
        let (low, high) = bounds_of(positions);
        let accessor = self.floats(bytemuck::cast_slice(positions), "VEC3", Some(ARRAY_BUFFER));
        self.bounds(
            accessor,
            Some(low.to_array().to_vec()),
            Some(high.to_array().to_vec()),
        );
        accessor
    }

    fn bounds(&mut self, accessor: usize, min: Option<Vec<f32>>, max: Option<Vec<f32>>) {
        if let Some(accessor) = self.accessors.get_mut(accessor) {
            (accessor.min, accessor.max) = (min, max);
        }
    }

    fn attributes(&mut self, mesh: &Mesh, joints: usize) -> json::Attributes {
        let target = Some(ARRAY_BUFFER);
        let position = self.positions(&mesh.positions);
        if self.packing == Packing::Tutorial {
            return self.tutorial_attributes(position, &mesh.influences);
        }
        let normal = self.floats(bytemuck::cast_slice(&mesh.normals), "VEC3", target);
        let tangents: &[f32] = bytemuck::cast_slice(&mesh.tangents);
        let uvs: &[f32] = bytemuck::cast_slice(&mesh.uvs);
        let joints_0 = self.joints(&mesh.influences, 0, joints);
        json::Attributes {
            position,
            normal: Some(normal),
            tangent: (!tangents.is_empty()).then(|| self.floats(tangents, "VEC4", target)),
            texcoord_0: (!uvs.is_empty()).then(|| self.floats(uvs, "VEC2", target)),
            joints_0: Some(joints_0),
            weights_0: Some(self.weights(&mesh.influences, 0)),
            joints_1: (mesh.lanes() > SET_LANES).then(|| self.joints(&mesh.influences, 1, joints)),
            weights_1: (mesh.lanes() > SET_LANES).then(|| self.weights(&mesh.influences, 1)),
            ..json::Attributes::default()
        }
    }

    /// `JOINTS_n`, as narrow as the number of joints allows.
    fn joints(&mut self, influences: &[Influences], set: usize, joints: usize) -> usize {
        let lanes = set * SET_LANES..(set + 1) * SET_LANES;
        let indices = influences
            .iter()
            .flat_map(|i| i.joints[lanes.clone()].to_vec());
        let (bytes, kind): (Vec<u8>, _) = if joints <= 256 {
            (indices.map(|joint| joint.0 as u8).collect(), Component::U8)
        } else {
            let bytes = indices.flat_map(|joint| joint.0.to_le_bytes());
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
        self.floats(&weights, "VEC4", Some(ARRAY_BUFFER))
    }

    /// Channels with the same times share them. Those without keys are left out,
    /// and morph weights, which have no mesh of ours to belong to.
    fn clip(&mut self, clip: &Clip) -> json::Animation {
        let mut channels = Vec::new();
        let mut samplers = Vec::new();
        let mut inputs: Vec<(&[f32], usize)> = Vec::new();
        for channel in &clip.channels {
            let (Target::Joint(joint), track) = (channel.target, &*channel.track) else {
                continue;
            };
            let (kind, path) = match track.property {
                Property::Translation => ("VEC3", "translation"),
                Property::Rotation => ("VEC4", "rotation"),
                Property::Scale => ("VEC3", "scale"),
                Property::Weights => continue,
            };
            let times = track.times_secs.as_slice();
            if times.is_empty() {
                continue;
            }
            let shared = inputs.iter().find(|(other, _)| *other == times);
            let input = match shared {
                Some(&(_, input)) => input,
                None => self.times(times),
            };
            inputs.push((times, input));
            channels.push(json::Channel {
                sampler: samplers.len(),
                target: json::Target {
                    node: FIRST_JOINT + joint.index(),
                    path,
                },
            });
            samplers.push(json::Sampler {
                input,
                interpolation: match track.interpolation {
                    Interpolation::Step => "STEP",
                    Interpolation::Linear => "LINEAR",
                    Interpolation::CubicSpline => "CUBICSPLINE",
                },
                output: self.floats(&track.values, kind, None),
            });
        }
        json::Animation {
            name: clip.name.clone(),
            channels,
            samplers,
        }
    }

    /// When keys stand, with the bounds that glTF asks for.
    fn times(&mut self, times_secs: &[f32]) -> usize {
        let input = self.floats(times_secs, "SCALAR", None);
        let bound = |time: Option<&f32>| time.map(|&time| vec![time]);
        self.bounds(input, bound(times_secs.first()), bound(times_secs.last()));
        input
    }

    fn indices(&mut self, corners: &[u32], vertices: usize) -> usize {
        let target = Some(ELEMENT_ARRAY_BUFFER);
        let component = match u16::try_from(vertices) {
            Ok(_) => Component::U16,
            Err(_) => Component::U32,
        };
        let bytes = corners
            .iter()
            .flat_map(|corner| corner.to_le_bytes()[..component.size()].to_vec());
        let bytes: Vec<u8> = bytes.collect();
        self.accessor(&bytes, component, corners.len(), "SCALAR", target)
    }

    fn floats(&mut self, values: &[f32], kind: &'static str, target: Option<u32>) -> usize {
        let components = match kind {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => 1,
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.accessor(
            &bytes,
            Component::F32,
            values.len() / components,
            kind,
            target,
        )
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        component: Component,
        count: usize,
        kind: &'static str,
        target: Option<u32>,
    ) -> usize {
        let buffer_view = self.view(bytes, target);
        self.accessors.push(json::Accessor {
            buffer_view,
            byte_offset: None,
            component_type: component.code(),
            count,
            kind,
            min: None,
            max: None,
        });
        self.accessors.len() - 1
    }

    /// Every view begins at a multiple of 4.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json::BufferView {
            buffer: 0,
            byte_offset: (self.packing == Packing::Tight || !self.bytes.is_empty())
                .then_some(self.bytes.len()),
            byte_length: bytes.len(),
            byte_stride: None,
            target,
        });
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }
}

fn mesh_node(rig: &Rig, skinned: bool) -> json::Node {
    json::Node {
        name: format!("{}_mesh", rig.id),
        mesh: Some(0),
        skin: skinned.then_some(0),
        ..json::Node::default()
    }
}

/// Adds a node a joint, with its local transform; answers the roots.
fn joint_nodes(
    joints: &[Joint],
    locals: impl Iterator<Item = Trs>,
    nodes: &mut Vec<json::Node>,
) -> Vec<usize> {
    let mut roots = Vec::new();
    for (joint, local) in joints.iter().zip(locals) {
        let Trs {
            translation,
            rotation,
            scale,
        } = local;
        nodes.push(json::Node {
            name: joint.name.clone(),
            translation: (translation != Vec3::ZERO).then(|| translation.to_array()),
            rotation: (rotation != Quat::IDENTITY).then(|| rotation.to_array()),
            scale: (scale != Vec3::ONE).then(|| scale.to_array()),
            ..json::Node::default()
        });
    }
    for (at, joint) in joints.iter().enumerate() {
        let node = FIRST_JOINT + at;
        let parent = joint.parent.map(|parent| FIRST_JOINT + parent.index());
        match parent.and_then(|parent| nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(node),
            None => roots.push(node),
        }
    }
    roots
}

fn json_material(
    material: &Material,
    texture: Option<usize>,
    double_sided: bool,
) -> json::Material {
    let color = material.base_color.to_array();
    json::Material {
        name: material.name.clone(),
        pbr_metallic_roughness: json::Pbr {
            base_color_factor: (color != [1.0; 4]).then_some(color),
            base_color_texture: texture.map(|index| json::TextureInfo { index }),
            metallic_factor: 0.0,
            roughness_factor: 0.7,
        },
        double_sided,
        alpha_mode: material.alpha_cutoff.map(|_| "MASK"),
        alpha_cutoff: material.alpha_cutoff,
    }
}

/// To steps of 1e-6, against differences between machines.
pub(super) fn rounded(x: f32) -> f32 {
    ((f64::from(x) * 1e6).round() / 1e6 + 0.0) as f32
}
