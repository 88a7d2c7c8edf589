//! From a finding's place in the file to joints and vertices of the rig.

use bindpose_asset::{Rig, RigOrigin};
use bindpose_diagnostic::{Diagnostic, ModelPlace, Place as Within};
use bindpose_skin::JointIndex;

/// What can be lit and chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FindingPlace {
    pub(super) vertex: Option<u32>,
    pub(super) joint: Option<JointIndex>,
}

/// Where a finding is in the rig; nothing, where the rig has no such place.
pub(super) fn place_of(finding: &Diagnostic, rig: &Rig, origin: &RigOrigin) -> FindingPlace {
    let Within::Model(at) = &finding.at else {
        return FindingPlace::default();
    };
    let parts: Vec<&str> = at.pointer.split('/').skip(1).collect();
    let number = |place: usize| parts.get(place).and_then(|part| part.parse::<usize>().ok());
    let graph = &origin.graph;
    match (parts.first().copied(), number(1), parts.get(2).copied()) {
        (Some("meshes"), Some(mesh), Some("primitives")) => {
            let primitive = number(3);
            let mut parts = rig.mesh.parts.iter();
            let part = parts.find(|part| part.mesh == mesh && Some(part.primitive) == primitive);
            let Some(part) = part else {
                return FindingPlace::default();
            };
            let vertex = at
                .vertex
                .and_then(|vertex| part.vertices.start.checked_add(vertex))
                .filter(|vertex| part.vertices.contains(vertex));
            FindingPlace { vertex, joint: part.skin.and_then(|skin| joint(at, origin, skin)) }
        }
        (Some("skins"), Some(skin), _) => {
            FindingPlace { vertex: None, joint: joint(at, origin, skin) }
        }
        (Some("nodes"), Some(node), _) => {
            FindingPlace { vertex: None, joint: graph.nodes.get(node).and_then(|node| node.joint) }
        }
        _ => FindingPlace::default(),
    }
}

/// By the joint's place in a skin's list.
fn joint(at: &ModelPlace, origin: &RigOrigin, skin: usize) -> Option<JointIndex> {
    let ours = &origin.graph.skins.get(skin)?.ours;
    ours.get(at.joint? as usize).copied()
}
