//! A model as it is open now, as one `.glb`: the posed mesh alone, or the rig in
//! that pose, with its skeleton and clips.

use glam::{Mat4, Vec3};

use super::{
    ARRAY_BUFFER, FIRST_JOINT, WriteError, Writer, glb_of, joint_nodes, json, json_material,
    mesh_node,
};
use crate::asset::{JointRole, Material, Mesh, Rig, TextureUse, Wrap};
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
    let mut root = json::Root {
        asset: json::Asset {
            version: "2.0",
            generator: "Bindpose",
            copyright: None,
        },
        nodes: vec![mesh_node(rig, rigged)],
        ..json::Root::default()
    };
    root.add_materials(&mut writer, &rig.mesh, rig.flat)?;
    let attributes = writer.shown_attributes(shown, rigged);
    root.meshes.push(json::Mesh {
        name: rig.id.clone(),
        primitives: writer.shown_primitives(&rig.mesh, attributes, root.materials.len() - 1),
    });
    let mut roots = vec![0];
    if rigged {
        root.skins.push(writer.shown_skin(shown));
        let joints = rig.skeleton.joints();
        let locals = joints.iter().zip(shown.parent_from_joint);
        let locals =
            locals.map(|(joint, &local)| taken_apart(local, joint.parent_from_joint_at_rest));
        roots.extend(joint_nodes(joints, locals, &mut root.nodes));
        let clips = rig.clips.iter().map(|clip| writer.clip(clip));
        root.animations
            .extend(clips.filter(|clip| !clip.channels.is_empty()));
    }
    root.scenes.push(json::Scene { nodes: roots });
    let root = writer.finish(root);
    glb_of(&root, writer.bytes)
}

impl json::Root {
    /// Materials and what they refer to; the last one is plain, for parts without.
    fn add_materials(
        &mut self,
        writer: &mut Writer,
        mesh: &Mesh,
        flat: bool,
    ) -> Result<(), WriteError> {
        for (at, image) in mesh.images.iter().enumerate() {
            let (bytes, mime_type) = super::image_bytes(image)?;
            self.images.push(json::Image {
                name: format!("image {at}"),
                uri: None,
                buffer_view: Some(writer.view(&bytes, None)),
                mime_type,
            });
        }
        for material in &mesh.materials {
            let texture = material.texture.map(|texture| self.add_texture(&texture));
            let double_sided = material.double_sided || flat;
            self.materials
                .push(json_material(material, texture, double_sided));
        }
        let plain = Material {
            name: "plain".to_owned(),
            ..Material::default()
        };
        self.materials.push(json_material(&plain, None, flat));
        Ok(())
    }

    fn add_texture(&mut self, texture: &TextureUse) -> usize {
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
        let position = self.positions(positions);
        // A collapsed surface has no normals; glTF wants unit ones.
        let unit: Vec<Vec3> = normals.iter().map(|n| n.normalize_or(Vec3::Z)).collect();
        let normal = self.floats(bytemuck::cast_slice(&unit), "VEC3", target);
        let uvs: &[f32] = bytemuck::cast_slice(&mesh.uvs);
        let colors: &[f32] = bytemuck::cast_slice(&mesh.colors);
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
            texcoord_0: (!uvs.is_empty()).then(|| self.floats(uvs, "VEC2", target)),
            color_0: (!colors.is_empty()).then(|| self.floats(colors, "VEC4", target)),
            joints_0: first.map(|(joints, _)| joints),
            weights_0: first.map(|(_, weights)| weights),
            joints_1: second.map(|(joints, _)| joints),
            weights_1: second.map(|(_, weights)| weights),
            ..json::Attributes::default()
        }
    }

    /// A primitive a part and kind; parts share the vertices.
    fn shown_primitives(
        &mut self,
        mesh: &Mesh,
        attributes: json::Attributes,
        plain: usize,
    ) -> Vec<json::Primitive> {
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
            let vertices = mesh.positions.len();
            primitives.extend(self.primitives(attributes, (triangles, lines), vertices, material));
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
        let inverse_binds = bytemuck::cast_slice(&shown.joint_from_bind[..count]);
        json::Skin {
            name: shown.rig.id.clone(),
            inverse_bind_matrices: self.floats(inverse_binds, "MAT4", None),
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
