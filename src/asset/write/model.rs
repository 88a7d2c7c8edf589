//! A model as it is open now, as one `.glb`: the posed mesh alone, or the rig in
//! that pose, with its skeleton and clips.

use glam::{Mat4, Quat, Vec3};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

use super::{ARRAY_BUFFER, FIRST_JOINT, WriteError, Writer, glb_of, json};
use crate::asset::{Image, JointRole, Material, Mesh, Rig, TextureUse, Wrap, bounds_of};
use crate::skin::{Influences, JointIndex, SET_LANES, Trs};

/// A model as it is open now.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The rig as stored.
    pub rig: &'a Rig,
    /// In bind space, morph targets added; one a vertex.
    pub positions_in_bind: &'a [Vec3],
    /// In bind space, morph targets added; one a vertex.
    pub normals_in_bind: &'a [Vec3],
    /// Skinned positions, world space; one a vertex.
    pub positions: &'a [Vec3],
    /// Skinned normals, world space; one a vertex.
    pub normals: &'a [Vec3],
    /// The pose; one a joint.
    pub parent_from_joint: &'a [Mat4],
    /// Inverse bind matrices, with edits; one a joint.
    pub joint_from_bind: &'a [Mat4],
    /// With edits; one a vertex.
    pub influences: &'a [Influences],
}

/// The posed mesh without a skeleton: parts, materials, images, vertex colours
/// and texture coordinates stay.
///
/// # Errors
/// See [`WriteError`].
pub fn write_posed_glb(shown: &Shown<'_>) -> Result<Vec<u8>, WriteError> {
    write(shown, false)
}

/// The rig, its nodes in the pose that is shown, with inverse binds, weights and
/// clips. Morph targets are added as they are now.
///
/// # Errors
/// See [`WriteError`].
pub fn write_rig_glb(shown: &Shown<'_>) -> Result<Vec<u8>, WriteError> {
    write(shown, true)
}

fn write(shown: &Shown<'_>, rigged: bool) -> Result<Vec<u8>, WriteError> {
    let rig = shown.rig;
    let mut writer = Writer::default();
    let paint = Paint::new(&mut writer, &rig.mesh, rig.flat)?;
    let attributes = writer.shown_attributes(shown, rigged);
    let primitives = writer.shown_primitives(&rig.mesh, attributes, &paint);
    let mut nodes = vec![json::Node {
        name: format!("{}_mesh", rig.id),
        mesh: Some(0),
        skin: rigged.then_some(0),
        ..json::Node::default()
    }];
    let mut roots = vec![0];
    let mut skins = Vec::new();
    let mut animations = Vec::new();
    if rigged {
        skins.push(writer.shown_skin(shown));
        roots.extend(joint_nodes(shown, &mut nodes));
        let clips = rig.clips.iter().map(|clip| writer.clip(clip));
        animations.extend(clips.filter(|clip| !clip.channels.is_empty()));
    }
    let root = json::Root {
        asset: json::Asset {
            version: "2.0",
            generator: "Bindpose",
            copyright: None,
        },
        scene: 0,
        scenes: vec![json::Scene { nodes: roots }],
        nodes,
        meshes: vec![json::Mesh {
            name: rig.id.clone(),
            primitives,
        }],
        skins,
        materials: paint.materials,
        textures: paint.textures,
        images: paint.images,
        samplers: paint.samplers,
        animations,
        accessors: std::mem::take(&mut writer.accessors),
        buffer_views: std::mem::take(&mut writer.views),
        buffers: vec![json::Buffer {
            uri: None,
            byte_length: writer.bytes.len(),
        }],
    };
    glb_of(&root, writer.bytes)
}

/// Materials and what they refer to; the last one is plain, for parts without.
struct Paint {
    materials: Vec<json::Material>,
    textures: Vec<json::Texture>,
    images: Vec<json::Image>,
    samplers: Vec<json::TextureSampler>,
}

impl Paint {
    fn new(writer: &mut Writer, mesh: &Mesh, flat: bool) -> Result<Self, WriteError> {
        let mut paint = Self {
            materials: Vec::new(),
            textures: Vec::new(),
            images: Vec::new(),
            samplers: Vec::new(),
        };
        for (at, image) in mesh.images.iter().enumerate() {
            paint.image(writer, &format!("image {at}"), image)?;
        }
        for material in &mesh.materials {
            let texture = material.texture.map(|texture| paint.texture(&texture));
            let double_sided = material.double_sided || flat;
            paint
                .materials
                .push(json_material(material, texture, double_sided));
        }
        let plain = Material {
            name: "plain".to_owned(),
            ..Material::default()
        };
        paint.materials.push(json_material(&plain, None, flat));
        Ok(paint)
    }

    fn image(&mut self, writer: &mut Writer, name: &str, image: &Image) -> Result<(), WriteError> {
        let mut bytes = Vec::new();
        PngEncoder::new(&mut bytes).write_image(
            &image.rgba,
            image.width,
            image.height,
            ExtendedColorType::Rgba8,
        )?;
        self.images.push(json::Image {
            name: name.to_owned(),
            uri: None,
            buffer_view: Some(writer.view(&bytes, None)),
            mime_type: "image/png",
        });
        Ok(())
    }

    fn texture(&mut self, texture: &TextureUse) -> usize {
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => 10497,
            Wrap::MirroredRepeat => 33648,
            Wrap::ClampToEdge => 33071,
        };
        let filter = if texture.nearest { 9728 } else { 9729 };
        self.samplers.push(json::TextureSampler {
            mag_filter: filter,
            min_filter: filter,
            wrap_s: wrap(texture.wrap[0]),
            wrap_t: wrap(texture.wrap[1]),
        });
        self.textures.push(json::Texture {
            source: texture.image,
            sampler: Some(self.samplers.len() - 1),
        });
        self.textures.len() - 1
    }
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

/// Adds a node a joint, in the pose that is shown; answers the roots.
fn joint_nodes(shown: &Shown<'_>, nodes: &mut Vec<json::Node>) -> Vec<usize> {
    let joints = shown.rig.skeleton.joints();
    let mut roots = Vec::new();
    for (joint, local) in joints.iter().zip(shown.parent_from_joint) {
        let Trs {
            translation,
            rotation,
            scale,
        } = taken_apart(*local, joint.parent_from_joint_at_rest);
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

/// A joint's matrix is made of translation, rotation and scale, so it comes
/// apart again. Where a factor is 0, the rotation is that of the rest pose.
fn taken_apart(parent_from_joint: Mat4, rest: Trs) -> Trs {
    let (scale, rotation, translation) = parent_from_joint.to_scale_rotation_translation();
    if scale.is_finite() && rotation.is_finite() {
        return Trs {
            translation,
            rotation: rotation.normalize(),
            scale,
        };
    }
    let lengths = [0, 1, 2].map(|axis| parent_from_joint.col(axis).truncate().length());
    Trs {
        translation: parent_from_joint.w_axis.truncate(),
        rotation: rest.rotation,
        scale: Vec3::from_array(lengths),
    }
}

impl Writer {
    fn shown_attributes(&mut self, shown: &Shown<'_>, rigged: bool) -> json::Attributes {
        let mesh = &*shown.rig.mesh;
        let joints = shown.rig.skeleton.len();
        let (positions, normals) = if rigged {
            (shown.positions_in_bind, shown.normals_in_bind)
        } else {
            (shown.positions, shown.normals)
        };
        let target = Some(ARRAY_BUFFER);
        let flat =
            |vectors: &[Vec3]| -> Vec<f32> { vectors.iter().flat_map(|v| v.to_array()).collect() };
        let position = self.floats(&flat(positions), "VEC3", target);
        let (low, high) = bounds_of(positions);
        if let Some(accessor) = self.accessors.get_mut(position) {
            accessor.min = Some(low.to_array().to_vec());
            accessor.max = Some(high.to_array().to_vec());
        }
        // A collapsed surface has no normals; glTF wants unit ones.
        let unit: Vec<Vec3> = normals.iter().map(|n| n.normalize_or(Vec3::Z)).collect();
        let normal = self.floats(&flat(&unit), "VEC3", target);
        let uvs: Vec<f32> = mesh.uvs.iter().flat_map(|uv| uv.to_array()).collect();
        let colors: Vec<f32> = mesh.colors.iter().flat_map(|c| c.to_array()).collect();
        let sets = shown.influences.iter().map(Influences::lanes).max();
        let sets = sets.unwrap_or(0).div_ceil(SET_LANES).max(1);
        let mut pair = |set: usize| {
            (rigged && set < sets).then(|| {
                let joints = self.joints(shown.influences, set, joints);
                (joints, self.weights(shown.influences, set))
            })
        };
        let (first, second) = (pair(0), pair(1));
        json::Attributes {
            position,
            normal: Some(normal),
            tangent: None,
            texcoord_0: (!uvs.is_empty()).then(|| self.floats(&uvs, "VEC2", target)),
            color_0: (!colors.is_empty()).then(|| self.floats(&colors, "VEC4", target)),
            joints_0: first.map(|(joints, _)| joints),
            weights_0: first.map(|(_, weights)| weights),
            joints_1: second.map(|(joints, _)| joints),
            weights_1: second.map(|(_, weights)| weights),
        }
    }

    /// A primitive a part and kind; parts share the vertices.
    fn shown_primitives(
        &mut self,
        mesh: &Mesh,
        attributes: json::Attributes,
        paint: &Paint,
    ) -> Vec<json::Primitive> {
        let plain = paint.materials.len() - 1;
        // Without parts, the first material is for all.
        let first = if plain > 0 { 0 } else { plain };
        let whole = [(0..mesh.triangles.len(), 0..mesh.lines.len(), first)];
        let place = |range: &std::ops::Range<u32>| range.start as usize..range.end as usize;
        let parts = mesh.parts.iter().map(|part| {
            let material = part.material.filter(|&at| at < plain).unwrap_or(plain);
            (place(&part.triangles), place(&part.lines), material)
        });
        let parts: Vec<_> = if mesh.parts.is_empty() {
            whole.into_iter().collect()
        } else {
            parts.collect()
        };
        let mut primitives = Vec::new();
        for (triangles, lines, material) in parts {
            let triangles = mesh.triangles.get(triangles).unwrap_or_default();
            let lines = mesh.lines.get(lines).unwrap_or_default();
            for (corners, mode) in [(triangles.as_flattened(), 4), (lines.as_flattened(), 1)] {
                if !corners.is_empty() {
                    primitives.push(json::Primitive {
                        attributes,
                        indices: self.indices(corners, mesh.positions.len()),
                        material,
                        mode,
                    });
                }
            }
        }
        if primitives.is_empty() {
            // glTF wants one primitive at least: the vertices as points.
            let all: Vec<u32> = (0..mesh.positions.len() as u32).collect();
            primitives.push(json::Primitive {
                attributes,
                indices: self.indices(&all, all.len()),
                material: plain,
                mode: 0,
            });
        }
        primitives
    }

    fn shown_skin(&mut self, shown: &Shown<'_>) -> json::Skin {
        let count = named_joints(shown);
        let inverse_binds: Vec<f32> = shown
            .joint_from_bind
            .iter()
            .take(count)
            .flat_map(|matrix| matrix.to_cols_array())
            .collect();
        json::Skin {
            name: shown.rig.id.clone(),
            inverse_bind_matrices: self.floats(&inverse_binds, "MAT4", None),
            skeleton: None,
            joints: (FIRST_JOINT..=count).collect(),
        }
    }
}

/// How many joints the written skin names: those up to the last that a skin of
/// the file or a vertex has. What comes after them is no joint in the file, and
/// no vertex follows it.
fn named_joints(shown: &Shown<'_>) -> usize {
    let roles = shown.rig.joint_roles();
    let of_skins = roles.iter().rposition(|&role| role != JointRole::Helper);
    // Also where the weight is 0: every number written must be in the list.
    let written = shown.influences.iter().flat_map(|one| one.joints);
    let of_vertices = written.map(JointIndex::index).max();
    let last = of_skins.max(of_vertices).unwrap_or(0);
    (last + 1).min(shown.joint_from_bind.len())
}
