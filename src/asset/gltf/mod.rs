//! glTF 2.0, `.gltf` and `.glb`, as a rig.
//!
//! JSON is parsed by the gltf crate; everything it says is checked here before
//! it is believed. Whatever the bytes, reading ends, with a rig or an error
//! that names the place.

mod accessor;
mod container;
mod error;
mod mesh;
mod picture;
mod skeleton;
#[cfg(test)]
mod tests;
mod tree;
mod uri;

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::sync::Arc;

use glam::Vec3;

use self::container::Document;
use self::tree::Tree;
use super::{Param, ParamKind, Rig};
use crate::skin::Skeleton;

pub use error::{GltfError, GltfErrorKind};

/// Reads the first skinned mesh of a file: its skin, and all its primitives as
/// one mesh.
///
/// `resolve` answers with the content of a file beside the model, by its
/// relative path, or `None`; it is never asked for a path that leads out of the
/// model's folder. Every joint gets a parameter of its name: a turn about its
/// own x axis on top of the rest pose.
///
/// # Errors
/// When the file is not glTF, is damaged, has no skinned mesh, or needs what
/// this program cannot read. See [`GltfError`].
pub fn read_gltf(
    bytes: &[u8],
    resolve: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Rig, GltfError> {
    let document = Document::parse(bytes, resolve)?;
    let nodes = &document.root.nodes;
    let tree = Tree::new(nodes)?;
    let skinned = nodes
        .iter()
        .enumerate()
        .find_map(|(index, node)| Some((index, node.mesh?.value(), node.skin?.value())));
    let Some((node, mesh, skin)) = skinned else {
        return Err(GltfError::missing(
            "/nodes",
            "a node with a mesh and a skin",
            "open a model that is bound to an armature",
        ));
    };
    let joints = skeleton::joints(&document, &tree, skin)?;
    let mut vertices = mesh::mesh(&document, mesh, &joints.ours)?;
    vertices.base_color = picture::base_color(&document, mesh, resolve)?;
    let world_from_mesh_node = tree.world_from_node(nodes, node);
    if !world_from_mesh_node.is_finite() {
        return Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("/nodes/{node}"),
            "finite numbers",
            "NaN or infinity",
            "export the file again",
        ));
    }
    let name = document
        .root
        .meshes
        .get(mesh)
        .and_then(|mesh| mesh.name.clone());
    Ok(Rig {
        id: "model".to_owned(),
        title: name.unwrap_or_else(|| "Model".to_owned()),
        params: params(&joints.skeleton),
        skeleton: joints.skeleton,
        mesh: Arc::new(vertices),
        flat: false,
        world_from_mesh_node,
        clips: Vec::new(),
        morph_weights: Vec::new(),
        origin: None,
    })
}

/// One angle a joint. Names are made fit for links and unique.
pub(super) fn params(skeleton: &Skeleton) -> Vec<Param> {
    // `all` means every angle at once.
    let mut taken = BTreeSet::from(["all".to_owned()]);
    skeleton
        .indices()
        .zip(skeleton.joints())
        .map(|(index, joint)| {
            let mut name: String = joint
                .name
                .chars()
                .map(|c| {
                    if c.is_alphanumeric() || c == '-' {
                        c
                    } else {
                        '_'
                    }
                })
                .collect();
            if name.is_empty() || taken.contains(&name) {
                name = format!("{name}_{}", index.0);
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            Param {
                name,
                label: joint.name.clone(),
                kind: ParamKind::Angle {
                    joint: index,
                    axis: Vec3::X,
                },
                default: 0.0,
                range: (-PI, PI),
            }
        })
        .collect()
}
