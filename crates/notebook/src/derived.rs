//! Values derived from the document. A pure function of the document and the
//! rig.
//!
//! # Caching
//!
//! A frame in which the mesh did not change does no work proportional to its
//! size. [`Derived`] is computed once per change of the document, and its
//! costly parts on first use (see `scene.rs`). [`Derived::reuse_from`] carries over
//! what the change did not affect: facts about all weights (`weight_facts.rs`),
//! the rest-pose ghost (`skinned.rs`), morphed vertices and edges.
//!
//! The mesh, the page and the viewports share one list of influences
//! ([`SharedInfluences`]) and detect a change by comparing pointers. Edited
//! weights are stored in chunks of 256 vertices (`weight_edits.rs`), so that
//! copying, comparing and undoing documents copies pointers only. A list of
//! influences remembers the list that it was derived from and where it may
//! differ ([`SharedInfluences::with`]). After a brush stroke only those
//! vertices are recomputed (`computed_weights.rs`), skinned (`skinned.rs`) and
//! uploaded (`render/geometry.rs`), whatever the source of the weights.
//!
//! `benches/page` measures every step and the cells that could be slow on
//! models of growing size. Run as a test, it compares the number of allocations
//! of each page with `benches/page/allocations.tsv`. `UPDATE_ALLOCATIONS=1
//! cargo test --bench page` rewrites that file.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::{Morphed, Param, Rig, SceneGraph};
use bindpose_lesson::{Lesson, SkinningFault};
use bindpose_skin::{
    self as skin, Blend, JointIndex, JointMotion, NormalRule, SharedInfluences, SkinStage,
};
use glam::{Mat4, Vec3};

use super::Document;
use super::computed_weights::{
    EditedInfluences, InfluencesSource, RigRead, WeightsState, WorkMode, edited_influences,
};
use super::faults::with_hidden_fault;
use super::joints::{JointMatrices, TakenTransform};
use super::param_values::{DrivenParam, ParamValues};
use super::scene::{CrowdScene, RestGhost, ShapeCache};
use super::weight_cache::WeightCache;

/// Every number on the page, computed once per change of the document.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The rig in force: read with the document's edited bytes, with the chosen
    /// weights and with the parameters that change stored data applied.
    pub rig: Arc<Rig>,
    /// The rig as stored in its file, without any changes.
    pub stored_rig: Arc<Rig>,
    /// Error from opening the file with the document's bytes. `rig` is then the
    /// last one that opened.
    pub unreadable: Option<Arc<Diagnostic>>,
    /// Whether the weights of `rig` are those that the document requests.
    pub weights_state: WeightsState,
    /// Current values of all parameters of the rig and the lesson.
    pub params: Vec<(String, f64)>,
    /// Parameters of the rig that are driven by formulas of the lesson.
    pub driven: Vec<DrivenParam>,
    /// Global transform of the mesh's node, whether it is applied or not.
    pub world_from_mesh_node: Mat4,
    /// Pose and matrices of all joints.
    pub joints: JointMatrices,
    /// Matrices that move the vertices in the picture. Depends on the stage.
    pub palette: Arc<[Mat4]>,
    /// How a vertex combines its joints at this stage.
    pub blend: Blend,
    /// Influences with the reader's edits and the active faults.
    pub influences: SharedInfluences,
    edited: EditedInfluences,
    /// The rig before [`Rig::as_stored`].
    read_rig: Arc<Rig>,
    /// The document with the hidden fault of its step switched on. `None` if
    /// the step hides none.
    hidden: Option<Box<Document>>,
    faults: BTreeSet<SkinningFault>,
    pub(super) one_sided: bool,
    stage: SkinStage,
    pub(super) normal_rule: NormalRule,
    /// Number of instances drawn. 1 if the rig has no triangles.
    pub(super) instances: u32,
    /// Document that the instances derive their own poses from. `None` if all
    /// instances share one pose.
    pub(super) crowd_posed_from: Option<Box<Document>>,
    /// Values computed on first use.
    pub(super) caches: DerivedCaches,
    long_work: WorkMode,
}

/// Values computed on first use. [`Derived::reuse_from`] carries over some of them
/// when the document changes.
#[derive(Clone, Debug, Default)]
pub(super) struct DerivedCaches {
    pub(super) morphed: OnceCell<Option<Arc<Morphed>>>,
    pub(super) positions: OnceCell<Arc<[Vec3]>>,
    pub(super) motions: OnceCell<Arc<[JointMotion]>>,
    pub(super) stretched: OnceCell<bool>,
    pub(super) crowd: OnceCell<Option<Arc<CrowdScene>>>,
    pub(super) rest_ghost: OnceCell<RestGhost>,
    /// Ghost of the previous document, until the one above is computed.
    pub(super) last_rest_ghost: Option<RestGhost>,
    pub(super) shape: ShapeCache,
    pub(super) weights: Arc<WeightCache>,
    graph: OnceCell<SceneGraph>,
}

/// One influence on one vertex, and the position that it alone would give the
/// vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfluencePoint {
    /// Lane of `JOINTS_n`, counted through all sets.
    pub lane: usize,
    pub joint: JointIndex,
    pub weight: f32,
    /// Position if only this joint moved the vertex: `M p`, in world space.
    pub position_in_world: Vec3,
}

impl Derived {
    /// Computes everything but vertex positions, which are computed on first
    /// use.
    ///
    /// `rig` is the stored one. If the weights did not change, the given
    /// influences are kept, so that holders detect "unchanged" by comparing
    /// pointers.
    pub fn new(
        document: &Document,
        lesson: Option<&Lesson>,
        rig: &Arc<Rig>,
        influences: SharedInfluences,
    ) -> Self {
        Self::build(
            document,
            lesson,
            rig,
            rig,
            InfluencesSource::Given(influences),
            None,
            &WorkMode::Waits,
        )
    }

    /// Computes the values of a document with the influences that it edits.
    pub fn of_document(document: &Document, lesson: Option<&Lesson>, rig: &Arc<Rig>) -> Self {
        Self::new(document, lesson, rig, edited_influences(document, rig))
    }

    /// Like [`Self::new`], but takes the local transforms of some joints from
    /// another model.
    pub(super) fn with_taken_pose(
        document: &Document,
        lesson: Option<&Lesson>,
        rig: &Arc<Rig>,
        taken: &[Option<TakenTransform>],
        long_work: &WorkMode,
    ) -> Self {
        let source = InfluencesSource::Given(edited_influences(document, rig));
        Self::build(document, lesson, rig, rig, source, Some(taken), long_work)
    }

    /// Like [`Self::new`], but falls back to `last_good_rig` if the file does
    /// not open with the document's edited bytes.
    pub(super) fn with_fallback(
        document: &Document,
        lesson: Option<&Lesson>,
        stored_rig: &Arc<Rig>,
        last_good_rig: &Arc<Rig>,
        source: InfluencesSource<'_>,
        long_work: &WorkMode,
    ) -> Self {
        Self::build(document, lesson, stored_rig, last_good_rig, source, None, long_work)
    }

    fn build(
        document: &Document,
        lesson: Option<&Lesson>,
        stored_rig: &Arc<Rig>,
        last_good_rig: &Arc<Rig>,
        source: InfluencesSource<'_>,
        taken: Option<&[Option<TakenTransform>]>,
        long_work: &WorkMode,
    ) -> Self {
        let in_force = with_hidden_fault(document, lesson);
        let document = &*in_force;
        let read = RigRead::new(document, stored_rig, last_good_rig, source, long_work);
        let rig = &read.rig;
        let values = ParamValues::new(document, lesson, rig);
        let params = values.all(rig, lesson);
        let rig = &rig.as_stored(|name| values.get(name));
        let joints = JointMatrices::new(document, rig, &values, taken);
        let world_from_mesh_node = rig.mesh_node_moved(|name| values.get(name));
        let palette = joints.palette(document, world_from_mesh_node);
        let blend = match (document.state.stage, document.state.through) {
            (SkinStage::Blended, _) => document.state.method.into(),
            (_, Some(joint)) => Blend::Only(joint),
            (_, None) => Blend::Strongest,
        };
        let crowd = document.state.crowd;
        let instances = match crowd.count {
            _ if rig.mesh.triangles.is_empty() => 1,
            count => count.max(1),
        };
        let own_poses = crowd.own_poses && instances > 1;
        Self {
            rig: Arc::clone(rig),
            stored_rig: Arc::clone(stored_rig),
            unreadable: read.unreadable,
            weights_state: read.weights_state,
            params,
            driven: values.driven,
            world_from_mesh_node,
            joints,
            palette,
            blend,
            influences: read.influences,
            edited: read.edited,
            read_rig: Arc::clone(&read.rig),
            faults: document.state.faults.clone(),
            one_sided: document.state.faults.contains(&SkinningFault::OneSided),
            stage: document.state.stage,
            normal_rule: document.state.normals,
            instances,
            crowd_posed_from: own_poses.then(|| Box::new(document.clone())),
            caches: DerivedCaches::default(),
            long_work: long_work.clone(),
            hidden: match in_force {
                Cow::Owned(document) => Some(Box::new(document)),
                Cow::Borrowed(_) => None,
            },
        }
    }

    /// Derives the values of another document on the same rig.
    #[must_use]
    pub fn of_other(&self, document: &Document, lesson: Option<&Lesson>) -> Self {
        let mut other = Self::with_fallback(
            document,
            lesson,
            &self.stored_rig,
            &self.rig,
            self.influences_source(),
            &self.long_work,
        );
        other.reuse_from(self);
        other
    }

    /// Edits and influences from which those of another document can be
    /// computed incrementally.
    pub(super) fn influences_source(&self) -> InfluencesSource<'_> {
        InfluencesSource::After(&self.edited)
    }

    /// Derives the values of another document on the same rig, without the
    /// hidden fault of its step.
    #[must_use]
    pub fn with_nothing_hidden(&self, document: &Document, lesson: &Lesson) -> Self {
        // There is no lesson below, so store the values that its formulas
        // drive.
        let mut unhidden = document.clone();
        let values = ParamValues::new(document, Some(lesson), &self.rig);
        for driven in values.driven {
            unhidden.state.params.insert(driven.name, driven.value);
        }
        let rig = &self.stored_rig;
        Self::with_fallback(&unhidden, None, rig, rig, self.influences_source(), &self.long_work)
    }

    /// Returns the document with the hidden fault of its step switched on. Use
    /// it to draw derived values.
    pub fn in_force<'a>(&'a self, document: &'a Document) -> &'a Document {
        self.hidden.as_deref().unwrap_or(document)
    }

    /// Returns the reader's influences without the active faults.
    pub fn faultless_influences(&self) -> &SharedInfluences {
        &self.edited.influences
    }

    pub fn normal_rule(&self) -> NormalRule {
        self.normal_rule
    }

    /// Takes over values of `previous` that are still valid, sharing them so
    /// that holders detect "unchanged" by comparing pointers.
    pub(super) fn reuse_from(&mut self, previous: &Self) {
        if Arc::ptr_eq(&self.read_rig, &previous.read_rig) && self.rig.is_as(&previous.rig) {
            self.rig = Arc::clone(&previous.rig);
        }
        if Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh)
            && self.edited.edits == previous.edited.edits
            && self.faults == previous.faults
        {
            self.influences = previous.influences.clone();
            self.edited.influences = previous.edited.influences.clone();
        }
        self.reuse_morphed(previous);
        self.reuse_motions(previous);
        self.reuse_positions(previous);
        self.reuse_edges(previous);
        self.reuse_weight_facts(previous);
        self.reuse_rest_ghost(previous);
    }

    /// Returns true while other weights are computed in the background.
    pub fn awaits_weights(&self) -> bool {
        matches!(self.weights_state, WeightsState::UnderWay(_))
    }

    pub(super) fn long_work(&self) -> &WorkMode {
        &self.long_work
    }

    /// Returns the rig's influences with the document's edits. An edit without
    /// joints keeps those of the file, even if the weights are computed.
    pub fn edited_influences(document: &Document, rig: &Rig) -> SharedInfluences {
        edited_influences(document, rig)
    }

    /// Returns the scene graph of the rig's file. For a rig without a file, the
    /// joints are the nodes.
    pub fn graph(&self) -> &SceneGraph {
        match &self.rig.origin {
            Some(origin) => &origin.graph,
            None => self.caches.graph.get_or_init(|| SceneGraph::of_skeleton(&self.rig.skeleton)),
        }
    }

    pub fn param(&self, name: &str) -> Option<f64> {
        self.params.iter().find(|(other, _)| other == name).map(|&(_, value)| value)
    }

    /// Returns the formula-driven parameter of that name. Returns `None` if it
    /// is not driven.
    pub fn driven(&self, name: &str) -> Option<&DrivenParam> {
        self.driven.iter().find(|driven| driven.name == name)
    }

    /// Returns the angles that `all` sets: those that are not driven.
    pub fn free_angles(&self) -> impl Iterator<Item = &Param> {
        self.rig.angles().filter(|param| self.driven(&param.name).is_none())
    }

    /// Returns true if the page's program poses this joint.
    pub fn is_moved_by_program(&self, joint: JointIndex) -> bool {
        self.joints.program_moves.contains(&joint)
    }

    /// Stage of the skinning pipeline that the picture shows.
    pub fn stage(&self) -> SkinStage {
        self.stage
    }

    /// Returns the matrix that moves this vertex in the picture.
    pub fn vertex_matrix(&self, vertex: usize) -> Mat4 {
        let Some(influences) = self.influences.get(vertex) else {
            return Mat4::IDENTITY;
        };
        let weighted_joints =
            || self.used_influences(vertex).map(|(_, joint, weight)| (joint, weight));
        match self.blend {
            Blend::Linear => skin::skin_matrix_of(weighted_joints(), &self.palette),
            Blend::DualQuaternion if self.one_sided => {
                skin::one_sided_dual_quaternion_matrix(weighted_joints(), self.motions())
            }
            Blend::DualQuaternion => {
                skin::dual_quaternion_matrix_of(weighted_joints(), self.motions())
            }
            Blend::Strongest => self.palette_matrix(influences.strongest()),
            Blend::Only(joint) => self.palette_matrix(joint),
        }
    }

    fn palette_matrix(&self, joint: JointIndex) -> Mat4 {
        self.palette.get(joint.index()).copied().unwrap_or(Mat4::IDENTITY)
    }

    /// Returns the world position of a vertex in the picture. Returns `None` if
    /// there is no such vertex.
    pub fn position(&self, vertex: usize) -> Option<Vec3> {
        let &position_in_bind = self.stored_positions().get(vertex)?;
        Some(skin::moved_position(&self.vertex_matrix(vertex), position_in_bind))
    }

    /// Returns the world-space normal of a vertex in the picture, transformed
    /// by the active rule. It has unit length, or is zero where the mesh has
    /// collapsed. Returns `None` if there is no such vertex or it has no
    /// normal.
    pub fn normal(&self, vertex: usize) -> Option<Vec3> {
        let &normal_in_bind = self.stored_normals().get(vertex)?;
        let world_from_bind = self.vertex_matrix(vertex);
        let matrix = skin::normal_matrix(self.normal_rule, world_from_bind);
        Some((matrix * normal_in_bind).normalize_or_zero())
    }

    /// Returns the position that each influence alone would give a vertex, in
    /// lane order. At the stages *bind* and *joint*, the position at that
    /// stage.
    pub fn influence_points(&self, vertex: usize) -> Vec<InfluencePoint> {
        let Some(&position_in_bind) = self.stored_positions().get(vertex) else {
            return Vec::new();
        };
        let position_in_bind = position_in_bind.extend(1.0);
        self.used_influences(vertex)
            .map(|(lane, joint, weight)| InfluencePoint {
                lane,
                joint,
                weight,
                position_in_world: (self.palette_matrix(joint) * position_in_bind).truncate(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use bindpose_gltf::ParamKind;
    use bindpose_rigs::builtin;

    use super::*;
    use crate::test_sample::{derive_on, document_with};

    #[test]
    fn mesh_node_moves_nothing_unless_applied() {
        let mut document = document_with(&[("bend", 0.8)]);
        let still = derive_on("simple_skin", &document).positions().clone();
        document.state.params.insert("node_x".to_owned(), 2.0);
        assert_eq!(*derive_on("simple_skin", &document).positions(), still);
        document.state.mesh_node = bindpose_skin::MeshNodeUse::Applied;
        let moved = derive_on("simple_skin", &document);
        for (moved, still) in moved.positions().iter().zip(still.iter()) {
            assert!(moved.abs_diff_eq(*still + 2.0 * Vec3::X, 1e-6));
        }
        document.state.stage = SkinStage::Joint;
        let in_joint = derive_on("simple_skin", &document).position(0).unwrap();
        assert_eq!(in_joint.x, -0.5, "no part in a joint's own space");
    }

    #[test]
    fn edited_weights_are_copied_and_stored_ones_unchanged() {
        let rig = builtin("simple_skin").unwrap();
        let mut document = Document::default();
        let weights = [0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        document.state.weights.insert(2, weights.into());
        document.state.weights.insert(9_999, weights.into());
        let edited = Derived::edited_influences(&document, &rig);
        assert_eq!(edited.len(), rig.mesh.influences.len());
        for (vertex, (edited, stored)) in edited.iter().zip(&rig.mesh.influences).enumerate() {
            assert_eq!(edited.joints, stored.joints);
            assert_eq!(edited.weights == stored.weights, vertex != 2);
        }
        assert_eq!(edited[2].weights, weights);
    }

    #[test]
    fn shifted_mesh_is_shared_while_a_joint_turns() {
        let rig = builtin("simple_skin").unwrap();
        let shift = rig
            .params
            .iter()
            .find(|param| matches!(param.kind, ParamKind::StoredShift { .. }))
            .map(|param| param.name.clone())
            .unwrap();
        let mut document = document_with(&[(&shift, -0.5)]);
        let before = derive_on("simple_skin", &document);
        assert!(!Arc::ptr_eq(&before.rig, &rig));
        document.state.params.insert("bend".to_owned(), 0.8);
        let turned = before.of_other(&document, None);
        assert!(Arc::ptr_eq(&turned.rig, &before.rig));
        document.state.params.insert(shift, -0.25);
        let shifted = turned.of_other(&document, None);
        assert!(!Arc::ptr_eq(&shifted.rig, &turned.rig));
        let by = shifted.stored_positions()[0] - turned.stored_positions()[0];
        assert!((by.length() - 0.25).abs() < 1e-6, "{by}");
    }
}
