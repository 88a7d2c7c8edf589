//! What the reader has done to the tree: chosen, folded, scrolled.

use std::collections::BTreeSet;

use bindpose_asset::{NodeIndex, SceneGraph};
use bindpose_lesson::Setting;
use bindpose_skin::JointIndex;

use crate::PageContext;

/// What the reader has done to the tree.
#[derive(Default)]
pub(super) struct TreeCellState {
    pub(super) folded: BTreeSet<NodeIndex>,
    pub(super) scene: usize,
    pub(super) chosen: Option<NodeIndex>,
    /// The joint that was chosen when the tree was last drawn.
    pub(super) joint: Option<JointIndex>,
    /// The row of the chosen node takes the focus when it is drawn.
    pub(super) focus: bool,
    /// How far it is scrolled, in points.
    pub(super) offset: f32,
}

/// Chooses a node, and its joint if it is one.
pub(super) fn choose(
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    memory: &mut TreeCellState,
    node: NodeIndex,
) {
    memory.chosen = Some(node);
    let joint = graph.nodes.get(node.index()).and_then(|node| node.joint);
    if let Some(joint) = joint
        && joint != page.document.state.joint
    {
        memory.joint = Some(joint);
        page.choose(Setting::Joint(joint.into()));
    }
}
