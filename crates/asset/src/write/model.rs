//! The rig as it is open now, as one `.glb`: skeleton, weights, morph targets and
//! clips, its nodes in the pose that is shown.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::JointIndex;
use glam::Mat4;

use super::animations::{ChannelTargets, MorphNode};
use super::groups::groups;
use super::json;
use super::meshes::Meshes;
use super::nodes::Nodes;
use super::primitives::parts;
use super::shown::OpenRig;
use super::writer::GltfWriter;

/// The rig with its nodes, scenes, skins, materials and morph targets as they
/// were in its file, in the pose that is shown, and its clips. What glTF forbids
/// is written as what comes closest: weights divided by their sum, inverse bind
/// matrices with their last row, a root above joints that have none in common.
///
/// Fails when some of its numbers are not finite, an image does not become a PNG, or it
/// is more than one file can hold.
pub fn write_rig_glb(shown: &OpenRig<'_>) -> Result<Vec<u8>, Diagnostic> {
    let rig = shown.rig;
    let mut writer = GltfWriter::default();
    let mut root = json::Root {
        asset: json::Asset { version: "2.0", generator: "Bindpose", copyright: None },
        ..json::Root::default()
    };
    let parts = parts(rig);
    let materials = root.add_materials(&mut writer, &rig.mesh, rig.flat, &parts)?;
    let mut nodes = Nodes::new(rig, shown.pose);
    let groups = groups(shown, &parts, &mut nodes);
    let mut meshes = Meshes::new(shown, &nodes.skins);
    let mut morphs = Vec::new();
    for group in &groups {
        let mesh = meshes.add(&mut writer, group, &materials);
        if !mesh.slots.is_empty() {
            morphs.push(MorphNode { node: group.node, slots: mesh.slots });
        }
        let node = &mut nodes.list[group.node];
        (node.mesh, node.skin) = (Some(mesh.number), group.skin);
    }
    root.meshes = meshes.list;
    root.skins = writer.skins(shown, &nodes);
    let targets = ChannelTargets {
        node_of_joint: &nodes.of_joint,
        morphs: &morphs,
        morph_weights: shown.morph_weights,
    };
    root.animations = writer.animations(&rig.clips, &targets);
    (root.nodes, root.scenes, root.scene) = nodes.finish();
    for node in &root.nodes {
        let vectors = [node.translation, node.scale].into_iter().flatten();
        let numbers = vectors.flatten().chain(node.rotation.into_iter().flatten());
        writer.check(&numbers.collect::<Vec<f32>>(), "transforms of nodes");
    }
    writer.glb(root)
}

impl GltfWriter {
    fn skins(&mut self, shown: &OpenRig<'_>, nodes: &Nodes) -> Vec<json::Skin> {
        let skins = nodes.skins.iter().map(|skin| {
            let matrix = |joint: &JointIndex| shown.joint_from_bind.get(joint.index()).copied();
            let matrices = skin.joints.iter().map(|joint| matrix(joint).unwrap_or_default());
            let told = skin.has_inverse_binds || matrices.clone().any(|one| one != Mat4::IDENTITY);
            json::Skin {
                name: skin.name.clone(),
                inverse_bind_matrices: told.then(|| self.inverse_binds(matrices)),
                skeleton: None,
                joints: skin.nodes.clone(),
            }
        });
        skins.collect()
    }
}
