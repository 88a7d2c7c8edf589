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

use glam::{Mat4, Quat, Vec3};

use super::{Mesh, NodeIndex, Rig, bounds_of};
use crate::skin::{Clip, Influences, Interpolation, JointIndex, Property, SET_LANES, Target, Trs};

use container::glb_of;
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
            files.push((png_name.clone(), png(image)?));
            Some(ImageAt::File(png_name))
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
        Some(image) => Some(ImageAt::View(writer.view(&png(image)?, None))),
        None => None,
    };
    let root = writer.root(rig, image);
    glb_of(&root, writer.bytes)
}

enum ImageAt {
    View(usize),
    File(String),
}

const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
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
    fn root(&mut self, rig: &Rig, image: Option<ImageAt>) -> json::Root {
        let joints = rig.skeleton.joints().iter().enumerate();
        let roots: Vec<usize> = joints
            .filter(|(_, joint)| joint.parent.is_none())
            .map(|(index, _)| FIRST_JOINT + index)
            .collect();
        let meshes = vec![self.mesh(rig)];
        let inverse_binds: Vec<f32> = rig
            .skeleton
            .joint_from_bind()
            .iter()
            .flat_map(|matrix| matrix.to_cols_array())
            .collect();
        let skins = vec![json::Skin {
            name: rig.id.clone(),
            inverse_bind_matrices: self.floats(&inverse_binds, "MAT4", None),
            skeleton: (roots.len() == 1).then_some(FIRST_JOINT),
            joints: (0..rig.skeleton.len())
                .map(|joint| FIRST_JOINT + joint)
                .collect(),
        }];
        let animations = rig.clips.iter().map(|clip| self.clip(clip)).collect();
        let textured = image.is_some();
        let images = image.map(|at| json::Image {
            name: format!("{}_base_color", rig.id),
            uri: match &at {
                ImageAt::File(name) => Some(name.clone()),
                ImageAt::View(_) => None,
            },
            buffer_view: match at {
                ImageAt::View(view) => Some(view),
                ImageAt::File(_) => None,
            },
            mime_type: "image/png",
        });
        json::Root {
            asset: json::Asset {
                version: "2.0",
                generator: "Bindpose, cargo xtask assets",
                copyright: Some("the authors of Bindpose, MIT OR Apache-2.0"),
            },
            scene: 0,
            scenes: vec![json::Scene {
                nodes: std::iter::once(0).chain(roots.iter().copied()).collect(),
            }],
            nodes: nodes(rig),
            meshes,
            skins,
            materials: vec![json::Material {
                name: rig.id.clone(),
                pbr_metallic_roughness: json::Pbr {
                    base_color_factor: None,
                    base_color_texture: textured.then_some(json::TextureInfo { index: 0 }),
                    metallic_factor: 0.0,
                    roughness_factor: 0.7,
                },
                double_sided: rig.flat,
                alpha_mode: None,
                alpha_cutoff: None,
            }],
            textures: textured
                .then_some(json::Texture {
                    sampler: None,
                    source: 0,
                })
                .into_iter()
                .collect(),
            images: images.into_iter().collect(),
            samplers: Vec::new(),
            animations,
            accessors: std::mem::take(&mut self.accessors),
            buffer_views: std::mem::take(&mut self.views),
            buffers: vec![json::Buffer {
                uri: None,
                byte_length: self.bytes.len(),
            }],
        }
    }

    fn mesh(&mut self, rig: &Rig) -> json::Mesh {
        let attributes = self.attributes(&rig.mesh, rig.skeleton.len());
        let mut primitives = Vec::new();
        let triangles: Vec<u32> = rig.mesh.triangles.iter().flatten().copied().collect();
        let lines: Vec<u32> = rig.mesh.lines.iter().flatten().copied().collect();
        for (corners, mode) in [(triangles, 4), (lines, 1)] {
            if !corners.is_empty() {
                primitives.push(json::Primitive {
                    attributes,
                    indices: self.indices(&corners, rig.mesh.positions.len()),
                    material: 0,
                    mode,
                });
            }
        }
        json::Mesh {
            name: rig.id.clone(),
            primitives,
        }
    }

    fn attributes(&mut self, mesh: &Mesh, joints: usize) -> json::Attributes {
        let target = Some(ARRAY_BUFFER);
        let flat3 =
            |vectors: &[Vec3]| -> Vec<f32> { vectors.iter().flat_map(|v| v.to_array()).collect() };
        let position = self.floats(&flat3(&mesh.positions), "VEC3", target);
        let (low, high) = bounds_of(&mesh.positions);
        if let Some(accessor) = self.accessors.get_mut(position) {
            accessor.min = Some(low.to_array().to_vec());
            accessor.max = Some(high.to_array().to_vec());
        }
        if self.packing == Packing::Tutorial {
            return self.tutorial_attributes(position, &mesh.influences);
        }
        let normal = self.floats(&flat3(&mesh.normals), "VEC3", target);
        let tangents: Vec<f32> = mesh.tangents.iter().flat_map(|t| t.to_array()).collect();
        let uvs: Vec<f32> = mesh.uvs.iter().flat_map(|uv| uv.to_array()).collect();
        let joints_0 = self.joints(&mesh.influences, 0, joints);
        json::Attributes {
            position,
            normal: Some(normal),
            tangent: (!tangents.is_empty()).then(|| self.floats(&tangents, "VEC4", target)),
            texcoord_0: (!uvs.is_empty()).then(|| self.floats(&uvs, "VEC2", target)),
            color_0: None,
            joints_0: Some(joints_0),
            weights_0: Some(self.weights(&mesh.influences, 0)),
            joints_1: (mesh.lanes() > SET_LANES).then(|| self.joints(&mesh.influences, 1, joints)),
            weights_1: (mesh.lanes() > SET_LANES).then(|| self.weights(&mesh.influences, 1)),
        }
    }

    /// `JOINTS_n`, as narrow as the number of joints allows.
    fn joints(&mut self, influences: &[Influences], set: usize, joints: usize) -> usize {
        let lanes = set * SET_LANES..(set + 1) * SET_LANES;
        let indices = influences
            .iter()
            .flat_map(|i| i.joints[lanes.clone()].to_vec());
        let (bytes, kind): (Vec<u8>, _) = if joints <= 256 {
            (indices.map(|joint| joint.0 as u8).collect(), UNSIGNED_BYTE)
        } else {
            let bytes = indices.flat_map(|joint| joint.0.to_le_bytes());
            (bytes.collect(), UNSIGNED_SHORT)
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
        if let Some(accessor) = self.accessors.get_mut(input) {
            accessor.min = times_secs.first().map(|&time| vec![time]);
            accessor.max = times_secs.last().map(|&time| vec![time]);
        }
        input
    }

    fn indices(&mut self, corners: &[u32], vertices: usize) -> usize {
        let target = Some(ELEMENT_ARRAY_BUFFER);
        if u16::try_from(vertices).is_ok() {
            let bytes: Vec<u8> = corners
                .iter()
                .flat_map(|&corner| (corner as u16).to_le_bytes())
                .collect();
            self.accessor(&bytes, UNSIGNED_SHORT, corners.len(), "SCALAR", target)
        } else {
            let bytes: Vec<u8> = corners
                .iter()
                .flat_map(|corner| corner.to_le_bytes())
                .collect();
            self.accessor(&bytes, UNSIGNED_INT, corners.len(), "SCALAR", target)
        }
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
        self.accessor(&bytes, FLOAT, values.len() / components, kind, target)
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        component_type: u32,
        count: usize,
        kind: &'static str,
        target: Option<u32>,
    ) -> usize {
        let buffer_view = self.view(bytes, target);
        self.accessors.push(json::Accessor {
            buffer_view,
            byte_offset: None,
            component_type,
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

fn nodes(rig: &Rig) -> Vec<json::Node> {
    let mut nodes = vec![json::Node {
        name: format!("{}_mesh", rig.id),
        mesh: Some(0),
        skin: Some(0),
        matrix: (rig.world_from_mesh_node != Mat4::IDENTITY)
            .then(|| rig.world_from_mesh_node.to_cols_array().map(rounded)),
        ..json::Node::default()
    }];
    let joints = rig.skeleton.joints();
    for (index, joint) in joints.iter().enumerate() {
        let Trs {
            translation,
            rotation,
            scale,
        } = joint.parent_from_joint_at_rest;
        let children = (0..joints.len())
            .filter(|&child| joints[child].parent.map(JointIndex::index) == Some(index))
            .map(|child| FIRST_JOINT + child)
            .collect();
        nodes.push(json::Node {
            name: joint.name.clone(),
            translation: (translation != Vec3::ZERO).then(|| translation.to_array()),
            rotation: (rotation != Quat::IDENTITY).then(|| rotation.to_array()),
            scale: (scale != Vec3::ONE).then(|| scale.to_array()),
            children,
            ..json::Node::default()
        });
    }
    nodes
}

/// To steps of 1e-6, against differences between machines.
pub(super) fn rounded(x: f32) -> f32 {
    ((f64::from(x) * 1e6).round() / 1e6 + 0.0) as f32
}
