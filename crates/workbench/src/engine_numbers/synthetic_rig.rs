//! A generated skinned model for tests, whose file has other node numbers than joint numbers.

use std::sync::Arc;

use bindpose_gltf::{
    GraphNode, Mesh, MeshPart, ModelSource, NodeIndex, NodeSkin, NodeTransform, Rig, RigOrigin,
    SceneGraph,
};
use bindpose_rigs::builtin;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, Interpolation, Joint, JointIndex, Skeleton, Track,
    TrackProperty, Trs,
};
use glam::{DMat4, DQuat, DVec3, Mat4};

/// A deterministic generator of pseudorandom numbers.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    /// Returns a number from −1 to 1.
    pub(super) fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        ((f64::midpoint(self.next(), 1.0) * count as f64) as usize).min(count - 1)
    }

    pub(super) fn place(&mut self, size: f64) -> DVec3 {
        size * DVec3::new(self.next(), self.next(), self.next())
    }

    pub(super) fn turn(&mut self, max_rad: f64) -> DQuat {
        let axis = DVec3::new(self.next(), self.next(), self.next() + 0.01).normalize();
        DQuat::from_axis_angle(axis, max_rad * self.next())
    }
}

fn trs(place: DVec3, turn: DQuat) -> Trs {
    Trs { translation: place.as_vec3(), rotation: turn.as_quat(), ..Trs::IDENTITY }
}

/// Joints below a node that is no joint, nodes in another order than joints, a mesh with a
/// node of its own, and a clip.
pub(super) fn synthetic(seed: u64) -> Arc<Rig> {
    let mut numbers = Numbers(seed * 977 + 5);
    let count = 4 + numbers.below(30);
    let size = 10.0_f64.powf(1.5 * numbers.next());
    let armature = JointIndex(count as u16);
    let mut joints: Vec<Joint> = (0..count)
        .map(|joint| Joint {
            name: format!("bone {}", (joint * 7 + 3) % count),
            parent: Some(if joint == 0 {
                armature
            } else {
                JointIndex(numbers.below(joint) as u16)
            }),
            parent_from_joint_at_rest: trs(numbers.place(size), numbers.turn(2.5)),
            joint_from_bind: Mat4::IDENTITY,
        })
        .collect();
    let above =
        Trs { scale: glam::Vec3::splat(0.5), ..trs(numbers.place(size), numbers.turn(2.0)) };
    joints.push(Joint {
        name: "Armature".to_owned(),
        parent: None,
        parent_from_joint_at_rest: above,
        joint_from_bind: Mat4::IDENTITY,
    });
    let bare = Skeleton::in_any_order(joints.clone()).unwrap();
    let world = bare.world_from_joint(&bare.rest_pose());
    for (joint, world) in joints.iter_mut().zip(&world).take(count) {
        // The rest pose is not the bind pose.
        let bind = world.as_dmat4() * DMat4::from_quat(numbers.turn(0.3));
        joint.joint_from_bind = bind.inverse().as_mat4();
    }
    let channels = (0..count).flat_map(|joint| {
        let keys: Vec<f32> = (0..4).flat_map(|_| numbers.turn(2.0).as_quat().to_array()).collect();
        let rotation = track(TrackProperty::Rotation, 4, keys);
        let place = (joint % 3 == 0)
            .then(|| (0..4).flat_map(|_| numbers.place(size).as_vec3().to_array()).collect())
            .map(|keys| track(TrackProperty::Translation, 3, keys));
        let target = ChannelTarget::Joint(JointIndex(joint as u16));
        [Some(rotation), place]
            .into_iter()
            .flatten()
            .map(move |track| Channel { target, track: Arc::new(track) })
    });
    let channels: Vec<Channel> = channels.collect();
    let clips =
        vec![Clip { name: "walk".to_owned(), duration_secs: 1.5, frame_secs: None, channels }];
    // Node 0 is the armature. The others are the joints in reverse order.
    let node_of = |joint: JointIndex| match joint.index() {
        joint if joint == count => NodeIndex(0),
        joint => NodeIndex((count - joint) as u32),
    };
    let mut nodes: Vec<GraphNode> = std::iter::once(count)
        .chain((0..count).rev())
        .map(|joint| GraphNode {
            name: Some(joints[joint].name.clone()),
            parent: joints[joint].parent.map(node_of),
            children: Vec::new(),
            local: NodeTransform::Trs(joints[joint].parent_from_joint_at_rest),
            mesh: None,
            skin: None,
            joint: Some(JointIndex(joint as u16)),
        })
        .collect();
    nodes.truncate(count + 1);
    let all = (0..count).map(|joint| JointIndex(joint as u16));
    let skin = NodeSkin {
        joints: all.clone().map(node_of).collect(),
        ours: all.collect(),
        has_inverse_binds: true,
        ..NodeSkin::default()
    };
    let graph = SceneGraph { nodes, skins: vec![skin], ..SceneGraph::default() };
    let origin = RigOrigin { source: ModelSource::default(), graph, notes: Vec::new() };
    let mut rig = (*builtin("arm").unwrap()).clone();
    rig.skeleton = Skeleton::in_any_order(joints).unwrap();
    rig.mesh = Arc::default();
    rig.params.clear();
    rig.world_from_mesh_node =
        DMat4::from_rotation_translation(numbers.turn(1.0), numbers.place(size)).as_mat4();
    rig.clips = clips;
    rig.origin = Some(Arc::new(origin));
    Arc::new(rig)
}

/// A rig as by [`synthetic`] with a mesh in two parts, with scales at rest, and with joints
/// that the clip moves in part or not at all.
pub(super) fn figure(seed: u64) -> Arc<Rig> {
    let mut numbers = Numbers(seed * 613 + 11);
    let mut rig = (*synthetic(seed)).clone();
    let count = rig.skeleton.len() - 1;
    let mut joints = rig.skeleton.joints().to_vec();
    for joint in joints.iter_mut().take(count) {
        if numbers.below(3) == 0 {
            let scale = DVec3::ONE + 0.4 * numbers.place(1.0);
            joint.parent_from_joint_at_rest.scale = scale.as_vec3();
        }
    }
    let bare = Skeleton::in_any_order(joints.clone()).unwrap();
    let world = bare.world_from_joint(&bare.rest_pose());
    let bind: Vec<DMat4> = world[..count]
        .iter()
        .map(|world| world.as_dmat4() * DMat4::from_quat(numbers.turn(0.3)))
        .collect();
    for (joint, bind) in joints.iter_mut().zip(&bind) {
        joint.joint_from_bind = bind.inverse().as_mat4();
    }
    rig.skeleton = Skeleton::in_any_order(joints).unwrap();
    let clip = &mut rig.clips[0];
    clip.channels.retain(|channel| match channel.target {
        ChannelTarget::Joint(joint) => joint.index() == 0 || joint.index() % 4 != 1,
        ChannelTarget::Morphs(_) => true,
    });
    for joint in (0..count).filter(|joint| joint % 5 == 2) {
        let keys =
            (0..4).flat_map(|_| (DVec3::ONE + 0.3 * numbers.place(1.0)).as_vec3().to_array());
        clip.channels.push(Channel {
            target: ChannelTarget::Joint(JointIndex(joint as u16)),
            track: Arc::new(track(TrackProperty::Scale, 3, keys.collect())),
        });
    }
    let size = rig.skeleton.joints()[1].parent_from_joint_at_rest.translation.length();
    let mut mesh = Mesh::default();
    let mut influences = Vec::new();
    for bind in &bind {
        for _ in 0..6 {
            mesh.positions.push((bind.w_axis.truncate() + numbers.place(size.into())).as_vec3());
            let own = 0.4 + 0.2 * numbers.next();
            let joint = |numbers: &mut Numbers| JointIndex(numbers.below(count) as u16);
            let lanes = [
                (joint(&mut numbers), own as f32),
                (joint(&mut numbers), (0.7 * (1.0 - own)) as f32),
                (joint(&mut numbers), (0.3 * (1.0 - own)) as f32),
            ];
            influences.push(Influences::new(&lanes).normalized());
        }
    }
    let vertex_count = mesh.positions.len() as u32;
    let half = vertex_count / 2;
    mesh.parts = [0..half, half..vertex_count]
        .map(|vertices| MeshPart { vertices, skin: Some(0), ..MeshPart::default() })
        .to_vec();
    mesh.influences = influences.into_iter().collect();
    rig.mesh = Arc::new(mesh);
    Arc::new(rig)
}

fn track(property: TrackProperty, width: usize, values: Vec<f32>) -> Track {
    let times_secs = vec![0.0, 0.4, 0.9, 1.5];
    Track { property, interpolation: Interpolation::Linear, times_secs, values, width }
}
