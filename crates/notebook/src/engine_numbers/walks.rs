//! Palettes of engines that walk down the hierarchy in another way.

use bindpose_asset::JointRole;
use bindpose_skin::Trs;
use glam::{Mat4, Quat, Vec3};

use super::causes::Engine;

impl Engine<'_> {
    /// Palettes of engines that walk it in another way, with words.
    pub(super) fn walks(&self) -> Vec<(&'static str, Vec<Mat4>)> {
        let derived = self.ours.derived;
        let pose = &derived.joints.pose.parent_from_joint;
        let rest = derived.rig.skeleton.rest_pose().parent_from_joint;
        let roles = derived.rig.joint_roles();
        let is_joint = |joint: usize| roles.get(joint) != Some(&JointRole::Helper);
        let of = |pose: &[Trs], joint: usize| pose.get(joint).copied().unwrap_or_default();
        let turned = |trs: Trs| Trs { rotation: trs.rotation.conjugate(), ..trs }.matrix();
        let all = |local: &dyn Fn(usize) -> Mat4| self.product(&self.walked(local));
        let at_rest = self.walked(&|joint| of(&rest, joint).matrix());
        let inverses = |matrices: &[Mat4]| matrices.iter().map(Mat4::inverse).collect::<Vec<_>>();
        let conjugated =
            "joint matrices with quaternions conjugated: x, y and z have the other sign";
        let mut found = vec![
            (conjugated, all(&|joint| turned(of(pose, joint)))),
            (
                conjugated,
                all(&|joint| {
                    let trs = of(pose, joint);
                    if is_joint(joint) { turned(trs) } else { trs.matrix() }
                }),
            ),
            ("joint matrices at rest: nothing of this pose is in them", self.product(&at_rest)),
            (
                "joint matrices without the scale of the joints",
                all(&|joint| Trs { scale: Vec3::ONE, ..of(pose, joint) }.matrix()),
            ),
            (
                "joint matrices without the rotations of the joints",
                all(&|joint| Trs { rotation: Quat::IDENTITY, ..of(pose, joint) }.matrix()),
            ),
            (
                "joint matrices with local matrices that translate before they turn",
                all(&|joint| {
                    let trs = of(pose, joint);
                    let turn = Trs { translation: Vec3::ZERO, ..trs }.matrix();
                    turn * Mat4::from_translation(trs.translation)
                }),
            ),
            (
                "joint matrices with inverses of the rest pose in the place of the stored \
                 inverse bind matrices",
                product(&self.world, &inverses(&at_rest)),
            ),
            (
                "joint matrices with inverses of local matrices at rest in the place of the \
                 inverse bind matrices: the parents are missing in them",
                {
                    let local = |&joint: &usize| of(&rest, joint).matrix().inverse();
                    let local: Vec<Mat4> = self.ours.rows.iter().map(local).collect();
                    product(&self.world, &local)
                },
            ),
        ];
        found.extend(self.walks_of_joints());
        found
    }

    /// Of engines that know the joints of the skin and no node above them.
    fn walks_of_joints(&self) -> Vec<(&'static str, Vec<Mat4>)> {
        let joints = self.ours.derived.rig.skeleton.joints();
        let local = &self.ours.derived.joints.parent_from_joint;
        let local = self.ours.rows.iter().map(|&joint| local.get(joint).copied());
        let Some(local) = local.collect::<Option<Vec<Mat4>>>() else {
            return Vec::new();
        };
        // What stands between a joint and the one above it in the palette.
        let above = |row: usize| {
            let parent = self.ours.rows.get(row).and_then(|&joint| joints.get(joint)?.parent);
            let world = &self.ours.derived.joints.world_from_joint;
            parent.and_then(|parent| world.get(parent.index())).copied().unwrap_or_default()
        };
        let alone = self.down(|row, parent| parent.copied().unwrap_or_default() * local[row]);
        let on_the_right = self.down(|row, parent| match parent {
            Some(parent) => local[row] * *parent,
            None => local[row],
        });
        let below_root = self.down(|row, parent| match parent {
            Some(parent) => local[row] * *parent,
            None => above(row) * local[row],
        });
        let without_parents = self.down(|row, parent| match parent {
            Some(_) => local[row],
            None => above(row) * local[row],
        });
        let twice: Vec<Mat4> = match self.above() {
            Some((_, above)) => self.world.iter().map(|&world| above * world).collect(),
            None => Vec::new(),
        };
        let on_right = "joint matrices with the parent multiplied on the right";
        let all = [
            (
                "joint matrices without the transform of the nodes above the joints: it is left \
                 out",
                alone,
            ),
            (on_right, on_the_right),
            (on_right, below_root),
            ("joint matrices with world matrices without the parent", without_parents),
            ("joint matrices with the transform of the node above the joints applied twice", twice),
        ];
        let all = all.into_iter().filter(|(_, world)| !world.is_empty());
        all.map(|(words, world)| (words, product(&world, &self.inverse_bind))).collect()
    }

    /// World matrices by row, of what a row is made of that of its parent.
    fn down(&self, world: impl Fn(usize, Option<&Mat4>) -> Mat4) -> Vec<Mat4> {
        let mut done: Vec<Option<Mat4>> = vec![None; self.parents.len()];
        for row in 0..done.len() {
            // Up to one that is known, and down again.
            let mut way = vec![row];
            while let Some(&last) = way.last()
                && let Some(parent) = self.parents[last]
                && done[parent].is_none()
            {
                way.push(parent);
            }
            for &row in way.iter().rev() {
                let parent = self.parents[row].and_then(|parent| done[parent]);
                done[row] = Some(world(row, parent.as_ref()));
            }
        }
        done.into_iter().flatten().collect()
    }

    /// World matrices by row, of other local matrices of the rig's joints.
    fn walked(&self, local: &dyn Fn(usize) -> Mat4) -> Vec<Mat4> {
        let skeleton = &self.ours.derived.rig.skeleton;
        let mut world = vec![Mat4::IDENTITY; skeleton.len()];
        for joint in skeleton.walk() {
            let parent = skeleton.joints().get(joint.index()).and_then(|one| one.parent);
            let above = parent.and_then(|parent| world.get(parent.index()).copied());
            if let Some(to) = world.get_mut(joint.index()) {
                *to = above.unwrap_or_default() * local(joint.index());
            }
        }
        self.ours.rows.iter().filter_map(|&joint| world.get(joint).copied()).collect()
    }

    fn product(&self, world: &[Mat4]) -> Vec<Mat4> {
        product(world, &self.inverse_bind)
    }
}

fn product(world: &[Mat4], inverse_bind: &[Mat4]) -> Vec<Mat4> {
    world.iter().zip(inverse_bind).map(|(&world, &bind)| world * bind).collect()
}
