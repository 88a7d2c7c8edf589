//! Positions, normals and tangents of all skinned vertices.

use std::cell::{OnceCell, RefCell};
use std::sync::{Arc, Weak};

use bindpose_gltf::{Mesh, MovedVertices};
use bindpose_skin::{
    BindVertices, Blend, InfluencesName, JointMotion, Method, NormalRule, SharedInfluences,
    VertexGroups, WorldVertices, joint_matrices, moved_normal, moved_position, moved_tangent,
    with_skinner,
};
use glam::{Mat4, Vec3, Vec4};

use super::Derived;
use super::scene::RestGhost;

impl Derived {
    /// Positions of all vertices in the picture.
    pub fn positions(&self) -> &Arc<[Vec3]> {
        self.caches.positions.get_or_init(|| {
            // Vertices without influences keep their stored position.
            let mut positions: Arc<[Vec3]> = self.stored_positions().into();
            if let Some(positions) = Arc::get_mut(&mut positions) {
                self.move_vertices(WorldVertices { positions, ..WorldVertices::default() });
            }
            positions
        })
    }

    /// Takes over motions of the same palette.
    pub(super) fn reuse_motions(&mut self, previous: &Self) {
        if self.palette == previous.palette {
            self.caches.motions.clone_from(&previous.caches.motions);
        }
    }

    /// Takes over vertex positions if nothing moved. If only some weights
    /// changed, recomputes only those vertices.
    pub(super) fn reuse_positions(&mut self, previous: &Self) {
        let Some(before) = previous.caches.positions.get() else {
            return;
        };
        let is_same = Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh)
            && self.joints.morph_weights == previous.joints.morph_weights
            && self.palette == previous.palette
            && (self.blend, self.one_sided) == (previous.blend, previous.one_sided);
        if !is_same {
            return;
        }
        let positions = if self.influences.is_same(&previous.influences) {
            Arc::clone(before)
        } else if let Some(vertices) = self.influences.changed_since(&previous.influences) {
            let mut positions: Arc<[Vec3]> = before.as_ref().into();
            // The new list is not shared yet, so this always succeeds.
            if let Some(own) = Arc::get_mut(&mut positions) {
                for &vertex in vertices {
                    let vertex = vertex as usize;
                    if let (Some(to), Some(now)) = (own.get_mut(vertex), self.position(vertex)) {
                        *to = now;
                    }
                }
            }
            positions
        } else {
            return;
        };
        self.caches.positions = OnceCell::from(positions);
    }

    /// The palette decomposed into rigid motions and stretches.
    pub fn motions(&self) -> &[JointMotion] {
        self.caches.motions.get_or_init(|| {
            self.palette.iter().map(|&matrix| JointMotion::from_matrix(matrix)).collect()
        })
    }

    /// Positions of all vertices with the file's weights, using the eight
    /// strongest influences.
    pub(super) fn positions_by_file_weights(&self) -> Arc<[Vec3]> {
        let file_influences = self.rig.mesh.of_file();
        if self.influences.is_same(file_influences) {
            return Arc::clone(self.positions());
        }
        let mut by_file = self.clone();
        by_file.influences = file_influences.clone();
        by_file.caches.positions = OnceCell::new();
        Arc::clone(by_file.positions())
    }

    /// Normals of all vertices in the picture; see [`Self::normal`]. Zero for a
    /// vertex without a normal.
    pub fn normals(&self) -> Vec<Vec3> {
        let mut positions = self.stored_positions().to_vec();
        let mut normals = self.stored_normals().to_vec();
        normals.resize(positions.len(), Vec3::ZERO);
        if self.normal_rule == NormalRule::InverseTranspose {
            self.move_vertices(WorldVertices {
                positions: &mut positions,
                normals: &mut normals,
                ..WorldVertices::default()
            });
        } else {
            for (vertex, normal) in normals.iter_mut().enumerate() {
                *normal = self.normal(vertex).unwrap_or_default();
            }
        }
        normals
    }

    /// Positions, normals and tangents of all vertices in the picture.
    pub fn moved(&self) -> MovedVertices {
        MovedVertices {
            positions: self.positions().to_vec(),
            normals: self.normals(),
            tangents: self.tangents(),
        }
    }

    /// Tangents of all vertices in the picture. Independent of the rule for
    /// normals.
    fn tangents(&self) -> Vec<Vec4> {
        let mut tangents = match self.morphed() {
            Some(_) => Vec::new(),
            None => self.rig.mesh.tangents.clone(),
        };
        if tangents.is_empty() {
            return tangents;
        }
        let mut positions = self.stored_positions().to_vec();
        self.move_vertices(WorldVertices {
            positions: &mut positions,
            tangents: &mut tangents,
            ..WorldVertices::default()
        });
        tangents
    }

    /// Does not change vertices without influences.
    fn move_vertices(&self, mut moved: WorldVertices<'_>) {
        let stored = BindVertices {
            positions: self.stored_positions(),
            normals: self.stored_normals(),
            tangents: &self.rig.mesh.tangents,
        };
        match self.blend {
            Blend::Linear => with_skinner(|skinner| {
                skinner.linear(&self.groups(), &self.palette, stored, moved);
            }),
            Blend::Strongest => with_skinner(|skinner| {
                let groups = strongest_groups(&self.influences);
                skinner.linear(&groups, &self.palette, stored, moved);
            }),
            Blend::DualQuaternion if self.one_sided => self.move_one_by_one(stored, &mut moved),
            Blend::DualQuaternion => with_skinner(|skinner| {
                skinner.dual_quaternion(&self.groups(), self.motions(), stored, moved);
            }),
            Blend::Only(joint) => {
                let matrix = self.palette.get(joint.index()).unwrap_or(&Mat4::IDENTITY);
                for (to, &from) in moved.positions.iter_mut().zip(stored.positions) {
                    *to = moved_position(matrix, from);
                }
                for (to, &from) in moved.normals.iter_mut().zip(stored.normals) {
                    *to = moved_normal(matrix, from);
                }
                for (to, &from) in moved.tangents.iter_mut().zip(stored.tangents) {
                    *to = moved_tangent(matrix, from);
                }
            }
        }
    }

    /// Moves each vertex by its own matrix.
    fn move_one_by_one(&self, stored: BindVertices<'_>, moved: &mut WorldVertices<'_>) {
        let count = stored.positions.len().min(self.influences.len());
        for vertex in 0..count {
            let matrix = self.vertex_matrix(vertex);
            if let (Some(to), Some(&from)) =
                (moved.positions.get_mut(vertex), stored.positions.get(vertex))
            {
                *to = moved_position(&matrix, from);
            }
            if let (Some(to), Some(&from)) =
                (moved.normals.get_mut(vertex), stored.normals.get(vertex))
            {
                *to = moved_normal(&matrix, from);
            }
            if let (Some(to), Some(&from)) =
                (moved.tangents.get_mut(vertex), stored.tangents.get(vertex))
            {
                *to = moved_tangent(&matrix, from);
            }
        }
    }

    fn groups(&self) -> Arc<VertexGroups> {
        edited_groups(&self.rig.mesh, &self.influences, || {
            VertexGroups::of_each(&self.influences, |vertex| self.many_influences(vertex))
        })
    }
}

// The mesh in its rest pose, drawn faintly behind the posed one.

impl Derived {
    /// The stored mesh in the rest pose, with the current inverse bind
    /// matrices. It is shared while joints rotate.
    pub fn at_rest(&self) -> &Arc<MovedVertices> {
        let ghost = self.caches.rest_ghost.get_or_init(|| {
            let rest = self.rig.posed_at_rest(|name| self.param(name));
            let world_from_joint = self.rig.skeleton.world_from_joint(&rest.pose);
            let world_from_bind =
                joint_matrices(&world_from_joint, &self.joints.used_joint_from_bind);
            let mesh = &self.rig.mesh;
            let last = self.caches.last_rest_ghost.as_ref().filter(|last| {
                Arc::ptr_eq(&last.mesh, mesh)
                    && last.world_from_bind == world_from_bind
                    && last.morph_weights == rest.morph_weights
            });
            last.cloned().unwrap_or_else(|| RestGhost {
                mesh: Arc::clone(mesh),
                moved: Arc::new(mesh.moved_by(
                    &stored_groups(mesh),
                    &world_from_bind,
                    &rest.morph_weights,
                    Method::Linear,
                )),
                world_from_bind,
                morph_weights: rest.morph_weights,
            })
        });
        &ghost.moved
    }

    /// Takes over the last computed ghost, in case it is still valid.
    pub(super) fn reuse_rest_ghost(&mut self, previous: &Self) {
        let last = &previous.caches;
        self.caches.last_rest_ghost = last
            .rest_ghost
            .get()
            .or(last.last_rest_ghost.as_ref())
            .filter(|last| Arc::ptr_eq(&last.mesh, &self.rig.mesh))
            .cloned();
    }
}

// Influences grouped for batch skinning. Cached, because drags change matrices
// but not weights.

/// Maximum number of cached groups.
const MAX_CACHED_GROUPS: usize = 8;

/// Cache key. The weak references prevent reuse of an address.
#[derive(Clone)]
enum GroupsKey {
    /// All stored influences of a mesh.
    Stored(Weak<Mesh>),
    /// Influences of a mesh with a reader's edits.
    Edited(Weak<Mesh>, InfluencesName),
    /// The strongest influence of each vertex.
    Strongest(InfluencesName),
}

impl GroupsKey {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stored(one), Self::Stored(other)) => one.ptr_eq(other),
            (Self::Edited(mesh, one), Self::Edited(other_mesh, other)) => {
                mesh.ptr_eq(other_mesh) && one.is_same(other)
            }
            (Self::Strongest(one), Self::Strongest(other)) => one.is_same(other),
            _ => false,
        }
    }

    fn is_gone(&self) -> bool {
        match self {
            Self::Stored(mesh) => mesh.strong_count() == 0,
            Self::Edited(mesh, influences) => mesh.strong_count() == 0 || influences.is_gone(),
            Self::Strongest(influences) => influences.is_gone(),
        }
    }
}

thread_local! {
    static GROUPS: RefCell<Vec<(GroupsKey, Arc<VertexGroups>)>> = const { RefCell::new(Vec::new()) };
}

/// Groups all stored influences of a mesh.
pub(super) fn stored_groups(mesh: &Arc<Mesh>) -> Arc<VertexGroups> {
    let key = GroupsKey::Stored(Arc::downgrade(mesh));
    cached_groups(key, || mesh.groups(Method::Linear))
}

/// Groups all current influences, computing them with `make` if they are not
/// cached.
pub(super) fn edited_groups(
    mesh: &Arc<Mesh>,
    influences: &SharedInfluences,
    make: impl FnOnce() -> VertexGroups,
) -> Arc<VertexGroups> {
    let key = GroupsKey::Edited(Arc::downgrade(mesh), influences.name());
    cached_groups(key, make)
}

/// Groups the strongest influence of each vertex.
pub(super) fn strongest_groups(influences: &SharedInfluences) -> Arc<VertexGroups> {
    let key = GroupsKey::Strongest(influences.name());
    cached_groups(key, || VertexGroups::strongest(influences))
}

fn cached_groups(key: GroupsKey, make: impl FnOnce() -> VertexGroups) -> Arc<VertexGroups> {
    let known = GROUPS.with_borrow(|known| {
        known.iter().find(|(other, _)| other.is_same(&key)).map(|(_, groups)| Arc::clone(groups))
    });
    known.unwrap_or_else(|| {
        let groups = Arc::new(make());
        GROUPS.with_borrow_mut(|known| {
            known.retain(|(other, _)| !other.is_gone());
            known.truncate(MAX_CACHED_GROUPS - 1);
            known.insert(0, (key, Arc::clone(&groups)));
        });
        groups
    })
}

#[cfg(test)]
mod tests {

    use bindpose_rigs::builtin;
    use bindpose_skin::{JointIndex, Method, SkinStage};
    use glam::Vec3;

    use super::*;
    use crate::computed_weights::edited_influences;
    use crate::test_sample::document_with;
    use crate::{Derived, Document};

    #[test]
    fn batch_and_single_vertex_skinning_agree() {
        for rig in ["whale", "simple_skin", "bone_grid"] {
            let rig = builtin(rig).unwrap();
            let mut document = Document::default();
            for angle in rig.angles() {
                document.state.params.insert(angle.name.clone(), 0.5);
            }
            document.state.weights.insert(2, [0.25, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
            for stage in [SkinStage::Bind, SkinStage::Posed, SkinStage::Blended] {
                for method in Method::ALL {
                    for through in [None, Some(JointIndex(1))] {
                        for rule in [NormalRule::InverseTranspose, NormalRule::SkinMatrix] {
                            document.state.stage = stage;
                            document.state.method = method;
                            document.state.through = through;
                            document.state.normals = rule;
                            let derived = Derived::of_document(&document, None, &rig);
                            agree(&derived);
                        }
                    }
                }
            }
        }
    }

    fn agree(derived: &Derived) {
        let (positions, normals) = (derived.positions(), derived.normals());
        let tangents = derived.tangents();
        assert_eq!(tangents.len(), derived.rig.mesh.tangents.len());
        assert_eq!(positions.len(), derived.rig.mesh.positions.len());
        let size = derived.stored_positions().iter().map(|p| p.length());
        let size = size.fold(1.0, f32::max);
        for (vertex, found) in positions.iter().enumerate() {
            let expected = derived.position(vertex).expect("it is there");
            assert!(found.distance(expected) < 1e-5 * size, "{vertex}: {found} {expected}");
            if let Some(found) = tangents.get(vertex) {
                let stored = derived.rig.mesh.tangents[vertex];
                let expected = moved_tangent(&derived.vertex_matrix(vertex), stored);
                assert!(found.distance(expected) < 1e-4, "{vertex}: {found} {expected}");
            }
            let expected = derived.normal(vertex).unwrap_or_default();
            let found = normals.get(vertex).copied().unwrap_or_default();
            assert!(found.distance(expected) < 1e-4, "{vertex}: {found} {expected}");
        }
    }

    #[test]
    fn brush_stroke_updates_few_vertices_correctly() {
        let rig = builtin("tentacle").unwrap();
        for method in Method::ALL {
            let mut document = Document::default();
            for angle in rig.angles() {
                document.state.params.insert(angle.name.clone(), 0.3);
            }
            document.state.method = method;
            let before = Derived::of_document(&document, None, &rig);
            let positions = Arc::clone(before.positions());
            let motions = before.motions();
            let same = before.of_other(&document, None);
            assert!(Arc::ptr_eq(same.positions(), &positions), "{method:?}");

            let weights = [0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 0.0, 0.0];
            document.state.weights.insert(7, weights.into());
            document.state.weights.insert(300, weights.into());
            let after = before.of_other(&document, None);
            let changed = after.influences.changed_since(&before.influences);
            assert_eq!(changed, Some(&[7, 300][..]));
            assert!(after.caches.positions.get().is_some(), "nothing is left to do");
            assert!(std::ptr::eq(after.motions(), motions));
            agree(&after);
            for (vertex, (now, then)) in after.positions().iter().zip(&*positions).enumerate() {
                assert_eq!(now != then, [7, 300].contains(&vertex), "{method:?} v{vertex}");
            }

            document.state.params.insert(rig.angles().nth(1).unwrap().name.clone(), 0.9);
            let moved = after.of_other(&document, None);
            assert!(moved.caches.positions.get().is_none());
            agree(&moved);
        }
    }

    #[test]
    fn rest_ghost_ignores_angles_and_follows_inverse_binds() {
        let rig = builtin("simple_skin").unwrap();
        let mut document = document_with(&[("bend", 0.8)]);
        let derived = Derived::of_document(&document, None, &rig);
        let stored = &derived.rig.mesh.positions;
        assert_eq!(derived.at_rest().positions, *stored);

        document.state.params.insert("bend".to_owned(), 0.9);
        let turned = derived.of_other(&document, None).of_other(&document, None);
        assert!(Arc::ptr_eq(turned.at_rest(), derived.at_rest()), "the same");

        document.state.params.insert("shape_x".to_owned(), 0.25);
        let shifted = turned.of_other(&document, None);
        assert_eq!(shifted.at_rest().positions[3], stored[3] + 0.25 * Vec3::X);
    }

    #[test]
    fn groups_are_recomputed_only_when_weights_change() {
        let rig = builtin("whale").unwrap();
        let mut document = Document::default();
        let influences = edited_influences(&document, &rig);
        let first = strongest_groups(&influences);
        assert!(Arc::ptr_eq(&first, &strongest_groups(&influences.clone())));
        assert!(Arc::ptr_eq(&stored_groups(&rig.mesh), &stored_groups(&rig.mesh)));

        let weights = [0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        document.state.weights.insert(2, weights.into());
        let edited = edited_influences(&document, &rig);
        assert!(!Arc::ptr_eq(&first, &strongest_groups(&edited)));
        for _ in 0..3 * MAX_CACHED_GROUPS {
            strongest_groups(&edited_influences(&document, &rig));
        }
        GROUPS.with_borrow(|known| assert!(known.len() <= MAX_CACHED_GROUPS));
    }
}
