//! All vertices as the picture shows them.

use std::cell::OnceCell;
use std::sync::Arc;

use bindpose_asset::MovedVertices;
use bindpose_skin::{
    BindVertices, Blend, JointMotion, NormalRule, VertexGroups, WorldVertices, moved_normal,
    moved_position, moved_tangent, with_skinner,
};
use glam::{Mat4, Vec3, Vec4};

use super::{Derived, vertex_groups};

impl Derived {
    /// Where the picture shows every vertex.
    pub fn positions(&self) -> &Arc<[Vec3]> {
        self.positions.get_or_init(|| {
            // A vertex that nothing moves stays where it is stored.
            let mut positions: Arc<[Vec3]> = self.stored_positions().into();
            if let Some(positions) = Arc::get_mut(&mut positions) {
                self.move_vertices(WorldVertices { positions, ..WorldVertices::default() });
            }
            positions
        })
    }

    /// Takes over what was worked out before of the same palette.
    pub(super) fn keep_motions(&mut self, previous: &Self) {
        if self.palette == previous.palette {
            self.motions.clone_from(&previous.motions);
        }
    }

    /// Takes over where vertices were before, if nothing has moved but some whose weights
    /// are others: those alone are moved anew.
    pub(super) fn keep_positions(&mut self, previous: &Self) {
        let Some(before) = previous.positions.get() else {
            return;
        };
        let is_same = Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh)
            && self.morph_weights == previous.morph_weights
            && self.palette == previous.palette
            && (self.blend, self.one_sided) == (previous.blend, previous.one_sided);
        if !is_same {
            return;
        }
        let positions = if self.influences.is_same(&previous.influences) {
            Arc::clone(before)
        } else if let Some(vertices) = self.influences.changed_since(&previous.influences) {
            let mut positions: Arc<[Vec3]> = before.as_ref().into();
            // Nobody else has it yet.
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
        self.positions = OnceCell::from(positions);
    }

    /// The palette taken apart into rigid motion and stretch.
    pub fn motions(&self) -> &[JointMotion] {
        self.motions.get_or_init(|| {
            let matrices = self.palette.iter();
            matrices.map(|&one| JointMotion::from_matrix(one)).collect()
        })
    }

    /// Where the picture would show every vertex with the weights that the file has,
    /// of more than eight the strongest.
    pub(super) fn positions_by_file_weights(&self) -> Arc<[Vec3]> {
        let of_file = self.rig.mesh.of_file();
        if self.influences.is_same(of_file) {
            return Arc::clone(self.positions());
        }
        let mut by_file = self.clone();
        by_file.influences = of_file.clone();
        by_file.positions = OnceCell::new();
        Arc::clone(by_file.positions())
    }

    /// The normal of every vertex in the picture, as [`Self::normal`] has it; zero for
    /// a vertex without one.
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

    /// All of every vertex in the picture.
    pub fn moved(&self) -> MovedVertices {
        MovedVertices {
            positions: self.positions().to_vec(),
            normals: self.normals(),
            tangents: self.tangents(),
        }
    }

    /// The tangent of every vertex in the picture, as [`MovedVertices`] has it. Rules for
    /// normals do not change it.
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

    /// Of vertices that have no influences, nothing is written.
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
                let groups = vertex_groups::of_strongest(&self.influences);
                skinner.linear(&groups, &self.palette, stored, moved);
            }),
            Blend::DualQuaternion if self.one_sided => self.move_each(stored, &mut moved),
            Blend::DualQuaternion => with_skinner(|skinner| {
                skinner.dual_quaternion(&self.groups(), self.motions(), stored, moved);
            }),
            Blend::Only(joint) => {
                let matrix = self.palette.get(joint.index());
                let matrix = matrix.unwrap_or(&Mat4::IDENTITY);
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

    /// One vertex after the other, by its own matrix.
    fn move_each(&self, stored: BindVertices<'_>, moved: &mut WorldVertices<'_>) {
        let has_influences = |vertex: &usize| self.influences.get(*vertex).is_some();
        for vertex in (0..stored.positions.len()).filter(has_influences) {
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
        vertex_groups::of_edited(&self.rig.mesh, &self.influences, || {
            VertexGroups::of_each(&self.influences, |vertex| self.many_influences(vertex))
        })
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_skin::{JointIndex, Method, SkinStage};

    use super::*;
    use crate::Document;

    #[test]
    fn all_vertices_are_where_each_is_by_every_way_to_move_them() {
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
                            let influences = Derived::edited_influences(&document, &rig);
                            let derived = Derived::new(&document, None, &rig, influences);
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
    fn where_a_stroke_changes_few_weights_few_vertices_move_and_all_are_where_they_belong() {
        let rig = builtin("tentacle").unwrap();
        for method in Method::ALL {
            let mut document = Document::default();
            for angle in rig.angles() {
                document.state.params.insert(angle.name.clone(), 0.3);
            }
            document.state.method = method;
            let influences = Derived::edited_influences(&document, &rig);
            let before = Derived::new(&document, None, &rig, influences);
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
            assert!(after.positions.get().is_some(), "nothing is left to do");
            assert!(std::ptr::eq(after.motions(), motions));
            agree(&after);
            for (vertex, (now, then)) in after.positions().iter().zip(&*positions).enumerate() {
                assert_eq!(now != then, [7, 300].contains(&vertex), "{method:?} v{vertex}");
            }

            document.state.params.insert(rig.angles().nth(1).unwrap().name.clone(), 0.9);
            let moved = after.of_other(&document, None);
            assert!(moved.positions.get().is_none());
            agree(&moved);
        }
    }
}
