//! What follows from the document: a pure function of it and the rig.
//!
//! # What a frame works out, and what it keeps
//!
//! Nothing of the size of a mesh is walked, copied or compared in a frame in which it
//! did not change. What follows from a document is in `Derived`, worked out when
//! somebody asks, once (`scene.rs`); what stays true in the next pose goes over to
//! it by `Derived::keep`: facts of all weights (`weight_facts.rs`), the ghost at rest
//! (`skinned.rs`), morphed vertices, edges. Influences are shared
//! (`skin::SharedInfluences`): mesh, page and pictures hold them once, and who asks
//! whether they changed looks at a pointer. Edited weights are kept 256 vertices
//! together (`weight_edits.rs`), so that a copy of a document, undo and the comparison
//! of two cost pointers. A list of influences knows which list it was made of and where
//! it may differ (`SharedInfluences::with`): after a touch of the brush those vertices
//! alone are worked out (`computed_weights.rs`), moved (`skinned.rs`) and uploaded
//! (`render/geometry.rs`), whatever the weights below the edits come from.
//! `benches/page` measures every step and the cells that could be slow on models of
//! growing size; as a test it holds how often each page asks for memory against
//! `benches/page/allocations.tsv` (`UPDATE_ALLOCATIONS=1 cargo test --bench page` writes
//! it anew).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_asset::{GltfError, Morphed, Param, Rig, SceneGraph};
use bindpose_lesson::{Lesson, SkinningFault};
use bindpose_skin::{
    self as skin, Blend, JointIndex, JointMotion, NormalRule, SharedInfluences, SkinStage,
};
use glam::{Mat4, Vec3};

use super::Document;
use super::computed_weights::{
    Edited, EditedInfluences, LongWork, RigRead, WeightsState, edited_influences,
};
use super::faults::with_hidden_fault;
use super::joints::{JointMatrices, TakenLocal};
use super::param_values::{DrivenParam, ParamValues};
use super::scene::{CrowdScene, RestGhost, ShapeCache};
use super::weight_cache::WeightCache;

/// Every number on the page, computed once per change of the document.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The rig, read with the bytes that the document has in its file, with the
    /// weights that the document asks for, with parameters that change what is stored
    /// applied.
    pub rig: Arc<Rig>,
    /// The rig as stored.
    pub stored_rig: Arc<Rig>,
    /// Why the file with the document's bytes does not open; `rig` is then the
    /// last one that did.
    pub unreadable: Option<Arc<GltfError>>,
    /// Are the weights of `rig` those that the document asks for?
    pub weights_state: WeightsState,
    /// Values of all parameters, in force now: the rig's and the lesson's.
    pub params: Vec<(String, f64)>,
    /// Parameters of the rig that follow formulas of the lesson.
    pub driven: Vec<DrivenParam>,
    /// Global transform of the node that carries the mesh, used or not.
    pub world_from_mesh_node: Mat4,
    /// The pose, and the matrices of all joints.
    pub joints: JointMatrices,
    /// What the picture moves vertices with: depends on the stage.
    pub palette: Arc<[Mat4]>,
    /// Which joints of a vertex move it at this stage.
    pub blend: Blend,
    /// With the learner's edits, and with what is wrong with them.
    pub influences: SharedInfluences,
    edited: EditedInfluences,
    /// The rig before [`Rig::as_stored`].
    read_rig: Arc<Rig>,
    /// The document with the fault that its step hides; `None`: it hides none.
    hidden: Option<Box<Document>>,
    faults: BTreeSet<SkinningFault>,
    /// [`SkinningFault::OneSided`].
    pub(super) one_sided: bool,
    stage: SkinStage,
    pub(super) normal_rule: NormalRule,
    /// How many times the skin is drawn: once where there is no surface.
    pub(super) instances: u32,
    /// What poses of their own are poses of; absent where all share one.
    pub(super) crowd_posed_from: Option<Box<Document>>,
    /// What is worked out when somebody asks.
    pub(super) caches: DerivedCaches,
    long_work: LongWork,
}

/// What is worked out once, when somebody asks; some of it is kept when the document
/// changes, by [`Derived::keep`].
#[derive(Clone, Debug, Default)]
pub(super) struct DerivedCaches {
    pub(super) morphed: OnceCell<Option<Arc<Morphed>>>,
    pub(super) positions: OnceCell<Arc<[Vec3]>>,
    pub(super) motions: OnceCell<Arc<[JointMotion]>>,
    pub(super) stretched: OnceCell<bool>,
    pub(super) crowd: OnceCell<Option<Arc<CrowdScene>>>,
    pub(super) rest_ghost: OnceCell<RestGhost>,
    /// That of before, as long as nobody has asked for this one.
    pub(super) last_rest_ghost: Option<RestGhost>,
    pub(super) shape: ShapeCache,
    pub(super) weights: Arc<WeightCache>,
    graph: OnceCell<SceneGraph>,
}

/// One influence at work on one vertex, and where it alone would put that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfluencePoint {
    /// Lane of `JOINTS_n`, counted through all sets.
    pub lane: usize,
    /// Which joint.
    pub joint: JointIndex,
    /// Its weight.
    pub weight: f32,
    /// Where this joint alone would put the vertex: `M p`, world space.
    pub position_in_world: Vec3,
}

impl Derived {
    /// Computes everything but the positions of vertices, which wait.
    ///
    /// `rig` is the stored one. Influences are kept when the weights are the
    /// same, so that whoever holds them can tell by the pointer that nothing
    /// changed.
    pub fn new(
        document: &Document,
        lesson: Option<&Lesson>,
        rig: &Arc<Rig>,
        influences: SharedInfluences,
    ) -> Self {
        let (page, edited) = ((document, lesson), Edited::Given(influences));
        Self::or_last(page, (rig, rig), edited, &LongWork::Waits)
    }

    /// As [`Self::new`], with what the pose takes over from another.
    pub(super) fn with_taken_pose(
        page: (&Document, Option<&Lesson>),
        rig: &Arc<Rig>,
        taken: &[Option<TakenLocal>],
        long_work: &LongWork,
    ) -> Self {
        let edited = Edited::Given(edited_influences(page.0, rig));
        Self::posed(page, (rig, rig), edited, Some(taken), long_work)
    }

    /// As [`Self::new`], of the stored rig and the one that stands in for a file that
    /// does not open with the document's bytes.
    pub(super) fn or_last(
        page: (&Document, Option<&Lesson>),
        rigs: (&Arc<Rig>, &Arc<Rig>),
        edited: Edited<'_>,
        long_work: &LongWork,
    ) -> Self {
        Self::posed(page, rigs, edited, None, long_work)
    }

    fn posed(
        (document, lesson): (&Document, Option<&Lesson>),
        (stored_rig, last_good): (&Arc<Rig>, &Arc<Rig>),
        edited: Edited<'_>,
        taken: Option<&[Option<TakenLocal>]>,
        long_work: &LongWork,
    ) -> Self {
        let in_force = with_hidden_fault(document, lesson);
        let document = &*in_force;
        let read = RigRead::new(document, (stored_rig, last_good), edited, long_work);
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

    /// What would follow from another document on the same rig.
    #[must_use]
    pub fn of_other(&self, document: &Document, lesson: Option<&Lesson>) -> Self {
        let rigs = (&self.stored_rig, &self.rig);
        let mut other = Self::or_last((document, lesson), rigs, self.edited(), &self.long_work);
        other.keep(self);
        other
    }

    /// What influences of another document may be worked out from.
    pub(super) fn edited(&self) -> Edited<'_> {
        Edited::After(&self.edited)
    }

    /// What would follow from another document on the same rig, if its step hid no
    /// fault.
    #[must_use]
    pub fn with_nothing_hidden(&self, document: &Document, lesson: &Lesson) -> Self {
        // What the lesson drives is put, since there is no lesson to do it.
        let mut alone = document.clone();
        let values = ParamValues::new(document, Some(lesson), &self.rig);
        let driven = values.driven.into_iter();
        alone.state.params.extend(driven.map(|driven| (driven.name, driven.value)));
        let rigs = (&self.stored_rig, &self.stored_rig);
        Self::or_last((&alone, None), rigs, self.edited(), &self.long_work)
    }

    /// The document, with the fault that its step hides: for whoever draws what
    /// follows from it.
    pub fn in_force<'a>(&'a self, document: &'a Document) -> &'a Document {
        self.hidden.as_deref().unwrap_or(document)
    }

    /// The learner's influences, without what is wrong with them.
    pub fn meant_influences(&self) -> &SharedInfluences {
        &self.edited.influences
    }

    /// What moves normals.
    pub fn normal_rule(&self) -> NormalRule {
        self.normal_rule
    }

    /// Takes over what was worked out before and is still true: whoever holds it can
    /// tell by the pointer that nothing changed.
    pub(super) fn keep(&mut self, previous: &Self) {
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
        self.keep_morphed(previous);
        self.keep_motions(previous);
        self.keep_positions(previous);
        self.keep_edges(previous);
        self.keep_weight_facts(previous);
        self.keep_rest_ghost(previous);
    }

    /// Are other weights being worked out beside the page?
    pub fn awaits_weights(&self) -> bool {
        matches!(self.weights_state, WeightsState::UnderWay(_))
    }

    /// How what takes long is done here.
    pub(super) fn long_work(&self) -> &LongWork {
        &self.long_work
    }

    /// The rig's influences with the document's edits. An edit that names no joints
    /// is of those that the file has, whatever the weights are now.
    pub fn edited_influences(document: &Document, rig: &Rig) -> SharedInfluences {
        edited_influences(document, rig)
    }

    /// The scene graph of the rig's file; for a rig without one, its joints as
    /// nodes.
    pub fn graph(&self) -> &SceneGraph {
        match &self.rig.origin {
            Some(origin) => &origin.graph,
            None => self.caches.graph.get_or_init(|| SceneGraph::of_skeleton(&self.rig.skeleton)),
        }
    }

    /// The value of a parameter.
    pub fn param(&self, name: &str) -> Option<f64> {
        self.params.iter().find(|(other, _)| other == name).map(|&(_, value)| value)
    }

    /// What a parameter of the rig follows; `None` where nothing drives it.
    pub fn driven(&self, name: &str) -> Option<&DrivenParam> {
        self.driven.iter().find(|driven| driven.name == name)
    }

    /// The angles that `all` stands for: those that nothing drives.
    pub fn free_angles(&self) -> impl Iterator<Item = &Param> {
        let angles = self.rig.angles();
        angles.filter(|param| self.driven(&param.name).is_none())
    }

    /// Does the program of the page put this joint where it is?
    pub fn is_moved_by_program(&self, joint: JointIndex) -> bool {
        self.joints.program_moves.contains(&joint)
    }

    /// How far vertices have come in this picture.
    pub fn stage(&self) -> SkinStage {
        self.stage
    }

    /// The matrix that moves this vertex in the picture.
    pub fn vertex_matrix(&self, vertex: usize) -> Mat4 {
        let Some(influences) = self.influences.get(vertex) else {
            return Mat4::IDENTITY;
        };
        let single =
            |joint: JointIndex| self.palette.get(joint.index()).copied().unwrap_or(Mat4::IDENTITY);
        let all = || {
            let used = self.used_influences(vertex);
            used.map(|(_, joint, weight)| (joint, weight))
        };
        match self.blend {
            Blend::Linear => skin::skin_matrix_of(all(), &self.palette),
            Blend::DualQuaternion if self.one_sided => {
                skin::one_sided_dual_quaternion_matrix(all(), self.motions())
            }
            Blend::DualQuaternion => skin::dual_quaternion_matrix_of(all(), self.motions()),
            Blend::Strongest => single(influences.strongest()),
            Blend::Only(joint) => single(joint),
        }
    }

    /// Where the picture shows a vertex; `None` when there is no such vertex.
    pub fn position(&self, vertex: usize) -> Option<Vec3> {
        let &position_in_bind = self.stored_positions().get(vertex)?;
        Some(skin::moved_position(&self.vertex_matrix(vertex), position_in_bind))
    }

    /// The normal of a vertex in the picture, in world space, by the rule in
    /// force; of unit length, or zero where the mesh has collapsed. `None` when
    /// there is no such vertex, or it has no normal.
    pub fn normal(&self, vertex: usize) -> Option<Vec3> {
        let &normal_in_bind = self.stored_normals().get(vertex)?;
        let world_from_bind = self.vertex_matrix(vertex);
        let matrix = skin::normal_matrix(self.normal_rule, world_from_bind);
        Some((matrix * normal_in_bind).normalize_or_zero())
    }

    /// Where each influence at work on a vertex would put it alone, in lane order.
    /// At the stages *bind* and *joint* that is where the stage puts it.
    pub fn influence_points(&self, vertex: usize) -> Vec<InfluencePoint> {
        let Some(&position_in_bind) = self.stored_positions().get(vertex) else {
            return Vec::new();
        };
        self.used_influences(vertex)
            .map(|(lane, joint, weight)| InfluencePoint {
                lane,
                joint,
                weight,
                position_in_world: (self
                    .palette
                    .get(joint.index())
                    .copied()
                    .unwrap_or(Mat4::IDENTITY)
                    * position_in_bind.extend(1.0))
                .truncate(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::{ParamKind, builtin};

    use super::*;

    fn derived(document: &Document) -> Derived {
        let rig = builtin("simple_skin").unwrap();
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, None, &rig, influences)
    }

    #[test]
    fn the_node_of_the_mesh_moves_nothing_unless_it_is_applied() {
        let mut document = Document::default();
        document.state.params.insert("bend".to_owned(), 0.8);
        let still = derived(&document).positions().clone();
        document.state.params.insert("node_x".to_owned(), 2.0);
        assert_eq!(*derived(&document).positions(), still);
        document.state.mesh_node = bindpose_skin::MeshNodeUse::Applied;
        let moved = derived(&document);
        for (moved, still) in moved.positions().iter().zip(still.iter()) {
            assert!(moved.abs_diff_eq(*still + 2.0 * Vec3::X, 1e-6));
        }
        document.state.stage = SkinStage::Joint;
        let in_joint = derived(&document).position(0).unwrap();
        assert_eq!(in_joint.x, -0.5, "no part in a joint's own space");
    }

    #[test]
    fn edited_weights_stand_in_a_copy_and_the_stored_ones_stay() {
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
    fn stored_vertices_that_were_shifted_stay_one_mesh_while_a_joint_turns() {
        let rig = builtin("simple_skin").unwrap();
        let shift = rig.params.iter();
        let shift = shift.filter(|param| matches!(param.kind, ParamKind::StoredShift { .. }));
        let shift = shift.map(|param| param.name.clone()).next().unwrap();
        let mut document = Document::default();
        document.state.params.insert(shift.clone(), -0.5);
        let before = derived(&document);
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
