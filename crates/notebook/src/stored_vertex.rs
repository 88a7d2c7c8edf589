//! Input of skinning for each vertex: stored position with morph targets
//! applied, and all influences.

use std::sync::Arc;

use bindpose_gltf::Morphed;
use bindpose_skin::{Blend, Influences, JointIndex, LANES};
use glam::Vec3;

use super::Derived;

impl Derived {
    /// The mesh's vertices with morph targets applied. `None` if no target is
    /// active.
    pub fn morphed(&self) -> Option<&Arc<Morphed>> {
        self.caches
            .morphed
            .get_or_init(|| self.rig.mesh.morphed(&self.joints.morph_weights).map(Arc::new))
            .as_ref()
    }

    /// Takes over the vertices of `previous` if morph weights are the same,
    /// sharing them so that holders detect "unchanged" by comparing pointers.
    pub(super) fn reuse_morphed(&self, previous: &Self) {
        if Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh)
            && self.joints.morph_weights == previous.joints.morph_weights
            && let Some(morphed) = previous.caches.morphed.get()
        {
            // The cell of a new `Derived` is empty, so this cannot fail.
            let _ = self.caches.morphed.set(morphed.clone());
        }
    }

    /// Vertex positions before any joint moves them, in bind space, with morph
    /// targets applied.
    pub fn stored_positions(&self) -> &[Vec3] {
        self.morphed().map_or(&self.rig.mesh.positions, |morphed| &morphed.positions)
    }

    /// Normals of [`Self::stored_positions`].
    pub fn stored_normals(&self) -> &[Vec3] {
        self.morphed().map_or(&self.rig.mesh.normals, |morphed| &morphed.normals)
    }

    /// All influences of a vertex with more than the eight of
    /// [`Self::influences`]. Returns `None` for all other vertices, and if the
    /// reader has edited the vertex.
    pub fn many_influences(&self, vertex: usize) -> Option<&[(JointIndex, f32)]> {
        let mesh = &self.rig.mesh;
        if mesh.many.is_empty() {
            return None;
        }
        let many = mesh.many.get(&u32::try_from(vertex).ok()?)?;
        let edited = self.influences.get(vertex) != mesh.influences.get(vertex);
        (!edited).then_some(many)
    }

    /// Influences with a weight on a vertex, in order: (lane, joint, weight).
    pub fn used_influences(
        &self,
        vertex: usize,
    ) -> impl Iterator<Item = (usize, JointIndex, f32)> + use<'_> {
        let many = self.many_influences(vertex);
        let eight = self.influences.get(vertex).filter(|_| many.is_none());
        let all = many
            .unwrap_or_default()
            .iter()
            .enumerate()
            .map(|(lane, &(joint, weight))| (lane, joint, weight));
        eight
            .into_iter()
            .flat_map(Influences::used)
            .chain(all.filter(|&(_, _, weight)| weight != 0.0))
    }

    /// Number of vertices that the picture moves by fewer influences than they
    /// have, because the GPU uses the eight strongest.
    pub fn simplified_vertices(&self) -> usize {
        if !matches!(self.blend, Blend::Linear | Blend::DualQuaternion) {
            return 0;
        }
        let many = self.rig.mesh.many.keys();
        many.filter_map(|&vertex| self.many_influences(vertex as usize))
            .filter(|all| all.iter().filter(|(_, weight)| *weight != 0.0).count() > LANES)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use bindpose_gltf::{Mesh, MorphTarget, Param, ParamKind, Rig};
    use bindpose_rigs::builtin;
    use bindpose_skin::{Method, SkinStage, skin_matrix_of};

    use super::*;
    use crate::{Document, Edit, Notebook, StepState};
    use glam::{Mat4, Quat};

    fn blended(method: Method) -> Document {
        Document {
            state: StepState { stage: SkinStage::Blended, method, ..StepState::default() },
            ..Document::default()
        }
    }

    /// A centipede whose vertex 3 has ten influences.
    fn with_many() -> (Arc<Rig>, Vec<(JointIndex, f32)>) {
        let mut rig = (*builtin("centipede(12)").expect("built in")).clone();
        let all: Vec<_> = (0..10).map(|joint| (JointIndex(joint), 0.1)).collect();
        let mut mesh: Mesh = (*rig.mesh).clone();
        mesh.influences[3] = Influences::new(&bindpose_skin::keep_strongest(&all, LANES));
        mesh.many.insert(3, all.clone());
        rig.mesh = Arc::new(mesh);
        (Arc::new(rig), all)
    }

    #[test]
    fn all_ten_influences_count_until_edited() {
        let (rig, all) = with_many();
        let mut document = blended(Method::Linear);
        for param in rig.angles() {
            document.state.params.insert(param.name.clone(), 0.4);
        }
        let ten = Derived::of_document(&document, None, &rig);
        let expected = skin_matrix_of(all.iter().copied(), &ten.palette);
        assert!(ten.vertex_matrix(3).abs_diff_eq(expected, 1e-6));
        let eight = bindpose_skin::skin_matrix(&rig.mesh.influences[3], &ten.palette);
        assert!(!eight.abs_diff_eq(expected, 1e-3), "it makes a difference");
        assert_eq!(ten.simplified_vertices(), 1);
        let points = ten.influence_points(3);
        assert_eq!(points.len(), 10);
        let sum: Vec3 = points.iter().map(|p| p.position_in_world * p.weight).sum();
        assert!(sum.abs_diff_eq(ten.position(3).expect("there"), 1e-4));

        document.state.method = Method::DualQuaternion;
        let matrix = Derived::of_document(&document, None, &rig).vertex_matrix(3);
        let by_all = bindpose_skin::dual_quaternion_matrix_of(all, ten.motions());
        assert!(matrix.abs_diff_eq(by_all, 1e-5));
        document.state.method = Method::Rigid;
        assert_eq!(Derived::of_document(&document, None, &rig).simplified_vertices(), 0);

        document.state.method = Method::Linear;
        let mut weights = [0.0; LANES];
        weights[0] = 1.0;
        document.state.weights.insert(3, weights.into());
        let edited = Derived::of_document(&document, None, &rig);
        assert_eq!(edited.vertex_matrix(3), edited.palette[0]);
        assert_eq!((edited.simplified_vertices(), edited.influence_points(3).len()), (0, 1));
    }

    /// The arm, whose vertex 0 can be raised by a slider.
    fn raised() -> Arc<Rig> {
        let mut rig = (*builtin("arm").expect("built in")).clone();
        let mut mesh: Mesh = (*rig.mesh).clone();
        mesh.targets = vec![MorphTarget {
            name: "raised".to_owned(),
            slot: 0,
            first_vertex: 0,
            positions: vec![Vec3::Y],
            normals: Vec::new(),
        }];
        rig.mesh = Arc::new(mesh);
        rig.morph_weights = vec![0.0];
        rig.params.push(Param {
            name: "raised".to_owned(),
            label: "raised".to_owned(),
            kind: ParamKind::Morph { slot: 0 },
            default: 0.0,
            range: (0.0, 1.0),
        });
        Arc::new(rig)
    }

    #[test]
    fn morph_targets_are_added_before_skinning() {
        let rig = raised();
        let mut document = blended(Method::Linear);
        document.state.params.insert("bend".to_owned(), 0.3);
        let still = Derived::of_document(&document, None, &rig);
        assert!(still.morphed().is_none(), "the mesh's own are shared");
        document.state.params.insert("raised".to_owned(), 0.5);
        let raised = Derived::of_document(&document, None, &rig);
        let stored = rig.mesh.positions[0] + Vec3::Y * 0.5;
        assert_eq!(raised.stored_positions()[0], stored);
        assert_eq!(raised.stored_positions()[1..], rig.mesh.positions[1..]);
        let expected = raised.vertex_matrix(0).transform_point3(stored);
        assert!(raised.positions()[0].abs_diff_eq(expected, 1e-5));
        assert_eq!(raised.influence_points(0)[0].position_in_world, expected);
        let turn = Mat4::from_quat(Quat::IDENTITY);
        assert!(raised.joints.world_from_bind[0].abs_diff_eq(turn, 1e-6));
    }

    #[expect(clippy::unnecessary_wraps, reason = "as a source of rigs answers")]
    fn raised_rig(_: &str) -> Option<Arc<Rig>> {
        static RIG: std::sync::OnceLock<Arc<Rig>> = std::sync::OnceLock::new();
        Some(Arc::clone(RIG.get_or_init(raised)))
    }

    #[test]
    fn joint_rotation_keeps_morphed_vertices() {
        let lesson = "+++\ntitle = \"One\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nWords.\n";
        let set = bindpose_lesson::LessonSet::from_memory(&[("10-one", lesson, "")], "");
        let mut notebook = Notebook::new(set, raised_rig).expect("a lesson");
        let set = |notebook: &mut Notebook, name: &str, value: f64| {
            let edit = Edit::param(name, value);
            notebook.edit(&edit, 1).expect("accepted");
            notebook.derived().morphed().cloned()
        };
        let first = set(&mut notebook, "raised", 0.5).expect("morphed");
        let second = set(&mut notebook, "bend", 0.2).expect("morphed");
        assert!(Arc::ptr_eq(&first, &second));
        let third = set(&mut notebook, "raised", 0.6).expect("morphed");
        assert!(!Arc::ptr_eq(&first, &third));
        assert!(set(&mut notebook, "raised", 0.0).is_none());
    }
}
