//! Palettes of engines that compute world matrices with a mistake.

use bindpose_gltf::JointRole;
use bindpose_skin::Trs;
use glam::{Mat4, Quat, Vec3};

use super::causes::{EnginePalette, WrongPalette, product};

impl EnginePalette<'_> {
    /// Returns the palette of each mistake with its description.
    pub(super) fn walks(&self) -> Vec<WrongPalette> {
        let derived = self.ours.derived;
        let pose = &derived.joints.pose.parent_from_joint;
        let rest = derived.rig.skeleton.rest_pose().parent_from_joint;
        let roles = derived.rig.joint_roles();
        let rest_world = self.walk_skeleton(&|joint| local_transform(&rest, joint).matrix());
        let rest_inverses: Vec<Mat4> = rest_world.iter().map(Mat4::inverse).collect();
        let local_rest_inverses: Vec<Mat4> = self
            .ours
            .rows
            .iter()
            .map(|&joint| local_transform(&rest, joint).matrix().inverse())
            .collect();
        let conjugated_words =
            "joint matrices with quaternions conjugated: x, y and z have the other sign";
        let mut found = vec![
            (
                conjugated_words,
                self.palette_with_local(&|joint| conjugated(local_transform(pose, joint))),
            ),
            (
                conjugated_words,
                self.palette_with_local(&|joint| {
                    if roles.get(joint) == Some(&JointRole::Helper) {
                        local_transform(pose, joint).matrix()
                    } else {
                        conjugated(local_transform(pose, joint))
                    }
                }),
            ),
            (
                "joint matrices at rest: nothing of this pose is in them",
                product(&rest_world, &self.inverse_bind),
            ),
            (
                "joint matrices without the scale of the joints",
                self.palette_with_local(&|joint| {
                    Trs { scale: Vec3::ONE, ..local_transform(pose, joint) }.matrix()
                }),
            ),
            (
                "joint matrices without the rotations of the joints",
                self.palette_with_local(&|joint| {
                    Trs { rotation: Quat::IDENTITY, ..local_transform(pose, joint) }.matrix()
                }),
            ),
            (
                "joint matrices with inverses of the rest pose in the place of the stored \
                 inverse bind matrices",
                product(&self.world, &rest_inverses),
            ),
            (
                "joint matrices with inverses of local matrices at rest in the place of the \
                 inverse bind matrices: the parents are missing in them",
                product(&self.world, &local_rest_inverses),
            ),
        ];
        found.extend(self.skin_only_walks());
        found.into_iter().map(|(words, palette)| WrongPalette::new(words, palette)).collect()
    }

    /// Returns the palettes of engines that ignore the nodes above the joints of the skin,
    /// or treat them wrongly.
    fn skin_only_walks(&self) -> Vec<(&'static str, Vec<Mat4>)> {
        let all_local = &self.ours.derived.joints.parent_from_joint;
        let mut local = Vec::new();
        for &joint in &self.ours.rows {
            let Some(matrix) = all_local.get(joint) else {
                return Vec::new();
            };
            local.push(*matrix);
        }
        let without_ancestors =
            self.walk_rows(|row, parent| parent.copied().unwrap_or_default() * local[row]);
        let on_the_right = self.walk_rows(|row, parent| match parent {
            Some(parent) => local[row] * *parent,
            None => local[row],
        });
        let on_the_right_below_root = self.walk_rows(|row, parent| match parent {
            Some(parent) => local[row] * *parent,
            None => self.world_of_parent(row) * local[row],
        });
        let without_parents = self.walk_rows(|row, parent| match parent {
            Some(_) => local[row],
            None => self.world_of_parent(row) * local[row],
        });
        let twice: Vec<Mat4> = match self.root_ancestor() {
            Some((_, above)) => self.world.iter().map(|&world| above * world).collect(),
            None => Vec::new(),
        };
        let on_the_right_words = "joint matrices with the parent multiplied on the right";
        let worlds = [
            (
                "joint matrices without the transform of the nodes above the joints: it is left \
                 out",
                without_ancestors,
            ),
            (on_the_right_words, on_the_right),
            (on_the_right_words, on_the_right_below_root),
            ("joint matrices with world matrices without the parent", without_parents),
            ("joint matrices with the transform of the node above the joints applied twice", twice),
        ];
        worlds
            .into_iter()
            .filter(|(_, world)| !world.is_empty())
            .map(|(words, world)| (words, product(&world, &self.inverse_bind)))
            .collect()
    }

    /// Returns the world matrix of the parent of a row, which may be a node that is no joint of
    /// the skin.
    fn world_of_parent(&self, row: usize) -> Mat4 {
        let joints = self.ours.derived.rig.skeleton.joints();
        let parent = self.ours.rows.get(row).and_then(|&joint| joints.get(joint)?.parent);
        let world = &self.ours.derived.joints.world_from_joint;
        parent.and_then(|parent| world.get(parent.index())).copied().unwrap_or_default()
    }

    /// Computes a matrix for each row from the matrix of its parent row.
    fn walk_rows(&self, world: impl Fn(usize, Option<&Mat4>) -> Mat4) -> Vec<Mat4> {
        let mut done: Vec<Option<Mat4>> = vec![None; self.parents.len()];
        for row in 0..done.len() {
            // Climbs to the first ancestor that is done, then descends.
            let mut path = vec![row];
            while let Some(&last) = path.last()
                && let Some(parent) = self.parents[last]
                && done[parent].is_none()
            {
                path.push(parent);
            }
            for &row in path.iter().rev() {
                let parent = self.parents[row].and_then(|parent| done[parent]);
                done[row] = Some(world(row, parent.as_ref()));
            }
        }
        done.into_iter().flatten().collect()
    }

    /// Computes world matrices by row from other local matrices of the rig's joints.
    pub(super) fn walk_skeleton(&self, local: &dyn Fn(usize) -> Mat4) -> Vec<Mat4> {
        let world = self.skeleton_worlds(local);
        self.ours.rows.iter().filter_map(|&joint| world.get(joint).copied()).collect()
    }

    /// Computes world matrices by joint of the rig from other local matrices.
    pub(super) fn skeleton_worlds(&self, local: &dyn Fn(usize) -> Mat4) -> Vec<Mat4> {
        let skeleton = &self.ours.derived.rig.skeleton;
        let mut world = vec![Mat4::IDENTITY; skeleton.len()];
        for joint in skeleton.walk() {
            let parent = skeleton.joints().get(joint.index()).and_then(|one| one.parent);
            let above = parent.and_then(|parent| world.get(parent.index()).copied());
            if let Some(to) = world.get_mut(joint.index()) {
                *to = above.unwrap_or_default() * local(joint.index());
            }
        }
        world
    }

    fn palette_with_local(&self, local: &dyn Fn(usize) -> Mat4) -> Vec<Mat4> {
        product(&self.walk_skeleton(local), &self.inverse_bind)
    }
}

fn local_transform(pose: &[Trs], joint: usize) -> Trs {
    pose.get(joint).copied().unwrap_or_default()
}

fn conjugated(trs: Trs) -> Mat4 {
    Trs { rotation: trs.rotation.conjugate(), ..trs }.matrix()
}
