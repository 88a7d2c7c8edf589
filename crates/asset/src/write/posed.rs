//! The posed mesh alone, as one `.glb`.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{Joint, JointIndex, Skeleton, Trs};
use glam::Mat4;

use super::error::skeleton_unsound;
use super::graph::graph_of;
use super::model::write_rig_glb;
use super::primitives::parts;
use super::shown::OpenRig;
use crate::{
    GraphNode, Mesh, MeshPart, ModelSource, MovedVertices, NodeIndex, NodeTransform, Rig,
    RigOrigin, SceneGraph,
};

/// The mesh with its vertices where they have been moved, in world space,
/// without a skeleton: names of nodes and meshes, materials, images, vertex
/// colours and texture coordinates stay.
///
/// As many positions and normals as the mesh has vertices; as many tangents, or none.
///
/// Fails when the mesh has no vertices; else as [`write_rig_glb`].
pub fn write_posed_glb(rig: &Rig, moved: &MovedVertices) -> Result<Vec<u8>, Diagnostic> {
    let (parts, graph) = unmoved(rig);
    if parts.is_empty() {
        return Err(Diagnostic {
            code: "NO_VERTICES",
            ..Diagnostic::expected("a mesh with vertices", "none")
        });
    }
    let mesh = Mesh {
        positions: moved.positions.clone(),
        normals: moved.normals.clone(),
        tangents: moved.tangents.clone(),
        uvs: rig.mesh.uvs.clone(),
        colors: rig.mesh.colors.clone(),
        triangles: rig.mesh.triangles.clone(),
        lines: rig.mesh.lines.clone(),
        parts,
        materials: rig.mesh.materials.clone(),
        images: rig.mesh.images.clone(),
        ..Mesh::default()
    };
    // A skeleton has a joint at least: the first node is it, and moves nothing.
    let joint = Joint {
        name: String::new(),
        parent: None,
        parent_from_joint_at_rest: Trs::IDENTITY,
        joint_from_bind: Mat4::IDENTITY,
    };
    let posed = Rig {
        flat: rig.flat,
        origin: Some(Arc::new(RigOrigin {
            source: ModelSource::default(),
            graph,
            notes: Vec::new(),
        })),
        ..Rig::new(
            &rig.id,
            &rig.title,
            Skeleton::new(vec![joint]).map_err(|error| skeleton_unsound(&error))?,
            mesh,
        )
    };
    write_rig_glb(&OpenRig {
        rig: &posed,
        pose: &posed.skeleton.rest_pose(),
        joint_from_bind: &[Mat4::IDENTITY],
        influences: &[],
        morph_weights: &[],
        weights: None,
    })
}

/// The parts of a rig without skins, and the nodes that carry them: all roots,
/// where the world is.
fn unmoved(rig: &Rig) -> (Vec<MeshPart>, SceneGraph) {
    let graph = graph_of(rig);
    let mut nodes = Vec::new();
    let mut known = BTreeMap::new();
    let parts = parts(rig).into_iter().map(|part| {
        let node = *known.entry(part.node).or_insert_with(|| {
            nodes.push(GraphNode {
                name: graph.nodes[part.node.index()].name.clone(),
                parent: None,
                children: Vec::new(),
                local: NodeTransform::Trs(Trs::IDENTITY),
                mesh: None,
                skin: None,
                joint: nodes.is_empty().then_some(JointIndex(0)),
            });
            NodeIndex(nodes.len() as u32 - 1)
        });
        MeshPart { node, skin: None, ..part.into_owned() }
    });
    let parts = parts.collect();
    (parts, SceneGraph::of_nodes(nodes, Vec::new()))
}
