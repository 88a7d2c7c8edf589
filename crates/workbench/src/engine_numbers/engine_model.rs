//! An engine's data of a model in a pose, in 64-bit floats, computed independently of the
//! product.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_notebook::{Derived, Document, TIME_PARAM};
use bindpose_skin::{ChannelTarget, JointIndex, TrackProperty, Trs};
use glam::{DMat4, DVec3, Mat4};

/// Returns a page with the first clip of a rig at a time, or at rest if `None`.
pub(super) fn page(rig: &Arc<Rig>, time_secs: Option<f64>) -> (Document, Derived) {
    let mut document = Document::default();
    if let Some(time_secs) = time_secs {
        document.state.playback.clip = Some(0);
        document.state.playback.repeats = false;
        document.state.params.insert(TIME_PARAM.to_owned(), time_secs);
    }
    let derived = Derived::of_document(&document, None, rig);
    (document, derived)
}

/// An engine's data of a model in a pose.
pub(super) struct EngineModel {
    /// By joint of the skin, then by node above the joints.
    pub(super) parents: Vec<Option<usize>>,
    pub(super) names: Vec<String>,
    pub(super) local: Vec<Trs>,
    pub(super) rest: Vec<Trs>,
    /// Local transforms of the previous frame.
    pub(super) previous: Vec<Trs>,
    /// Whether the clip has keys for the translation, rotation and scale of each joint.
    pub(super) keyed: Vec<[bool; 3]>,
    pub(super) inverse_bind: Vec<DMat4>,
    /// The joint that each node follows, if any.
    pub(super) joint_of_node: Vec<Option<usize>>,
    /// Number of joints in the skin.
    pub(super) count: usize,
    pub(super) mesh_node: DMat4,
}

pub(super) type Palette = Vec<DMat4>;

impl EngineModel {
    pub(super) fn new(rig: &Arc<Rig>, time_secs: Option<f64>) -> Self {
        let (_, derived) = page(rig, time_secs);
        let previous = time_secs.map(|time_secs| page(rig, Some(time_secs - 1.0 / 30.0)).1);
        let joints = rig.skeleton.joints();
        let graph = rig.origin.as_ref().map(|origin| &origin.graph);
        let local = derived.joints.pose.parent_from_joint.clone();
        let keyed = (0..joints.len()).map(|joint| {
            let has = |property| {
                rig.clips.first().is_some_and(|clip| {
                    clip.channels.iter().any(|channel| {
                        channel.target == ChannelTarget::Joint(JointIndex(joint as u16))
                            && channel.track.property == property
                    })
                })
            };
            [TrackProperty::Translation, TrackProperty::Rotation, TrackProperty::Scale].map(has)
        });
        Self {
            parents: joints.iter().map(|joint| joint.parent.map(JointIndex::index)).collect(),
            names: joints.iter().map(|joint| joint.name.clone()).collect(),
            previous: previous
                .map_or(local.clone(), |page| page.joints.pose.parent_from_joint.clone()),
            local,
            rest: joints.iter().map(|joint| joint.parent_from_joint_at_rest).collect(),
            keyed: keyed.collect(),
            inverse_bind: derived.joints.used_joint_from_bind.iter().map(Mat4::as_dmat4).collect(),
            joint_of_node: graph.map_or(Vec::new(), |graph| {
                graph.nodes.iter().map(|node| node.joint.map(JointIndex::index)).collect()
            }),
            count: graph.map_or(joints.len(), |graph| graph.skins[0].ours.len()),
            mesh_node: derived.world_from_mesh_node.as_dmat4(),
        }
    }

    pub(super) fn world_of(&self, local: &dyn Fn(usize) -> DMat4, joint: usize) -> DMat4 {
        let above = self.parents[joint].map_or(DMat4::IDENTITY, |up| self.world_of(local, up));
        above * local(joint)
    }

    pub(super) fn worlds(&self, local: impl Fn(usize) -> DMat4) -> Palette {
        (0..self.count).map(|joint| self.world_of(&local, joint)).collect()
    }

    pub(super) fn posed(&self) -> Palette {
        self.worlds(|joint| matrix(self.local[joint]))
    }

    /// A palette with the right inverse bind matrices.
    pub(super) fn bound(&self, world: &[DMat4]) -> Palette {
        times(world, &|joint| self.inverse_bind[joint])
    }

    /// A palette with the right world matrices.
    pub(super) fn with_binds(&self, inverse_bind: impl Fn(usize) -> DMat4) -> Palette {
        times(&self.posed(), &inverse_bind)
    }

    pub(super) fn right(&self) -> Palette {
        self.bound(&self.posed())
    }

    pub(super) fn each(&self, change: impl Fn(DMat4) -> DMat4) -> Palette {
        self.right().into_iter().map(change).collect()
    }

    /// The world matrix of the node above the root.
    pub(super) fn above(&self) -> DMat4 {
        self.parents[0]
            .map_or(DMat4::IDENTITY, |up| self.world_of(&|joint| matrix(self.local[joint]), up))
    }

    pub(super) fn on_the_right(&self, joint: usize) -> DMat4 {
        let local = matrix(self.local[joint]);
        self.parents[joint].map_or(local, |up| local * self.on_the_right(up))
    }

    /// Joints of the skin, sorted by name.
    pub(super) fn sorted(&self) -> Vec<usize> {
        let mut sorted: Vec<usize> = (0..self.count).collect();
        sorted.sort_by_key(|&joint| &self.names[joint]);
        sorted
    }
}

pub(super) fn times(world: &[DMat4], inverse_bind: &dyn Fn(usize) -> DMat4) -> Palette {
    world.iter().enumerate().map(|(joint, world)| *world * inverse_bind(joint)).collect()
}

pub(super) fn matrix(trs: Trs) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        trs.scale.as_dvec3(),
        trs.rotation.as_dquat(),
        trs.translation.as_dvec3(),
    )
}

pub(super) fn scaled(mut matrix: DMat4, by: f64) -> DMat4 {
    matrix.w_axis *= DVec3::splat(by).extend(1.0);
    matrix
}

pub(super) fn given(palette: &[DMat4]) -> Vec<Mat4> {
    palette.iter().map(DMat4::as_mat4).collect()
}
