//! Everything that the pictures of a step can show. Cameras frame it, so that they stay where
//! they are while the reader works.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{
    CellKind, CheckCell, ClipName, Lesson, LinkTarget, PredictCell, Setting, Show,
};
use bindpose_skin::{InverseBind, SkinStage};
use glam::Vec3;

use super::demonstration::{DemonstratedPart, Demonstration, offered_params, targets};
use super::exercise_cells::cells_at;
use super::model_bounds::{OutlineBuilder, rest_outline};
use super::{Derived, Document, TIME_PARAM, apply_setting, param_range, step_document};

/// Maximum number of parameters that are swept. A step with more offers the angles of a model
/// that it does not know; only those of its demonstration count.
const MAX_SWEPT_PARAMS: usize = 16;
/// Number of intervals into which the range of a parameter is divided.
const SWEEP_INTERVALS: u32 = 12;
/// Number of poses in which all parameters are changed at once.
const MIXED_POSE_COUNT: u32 = 48;
/// Number of vertices that are followed, besides the outermost ones.
const FOLLOWED_VERTEX_COUNT: usize = 128;
/// Maximum number of vertices among which the outermost ones are searched.
const MAX_SEARCHED_VERTICES: usize = 32_768;
/// Maximum number of clips that are followed if a timeline offers all of a model.
const MAX_FOLLOWED_CLIPS: usize = 4;
/// Maximum number of states from which parameters are swept.
const MAX_SWEPT_STATES: usize = 12;
/// Minimum range of an angle that makes a full turn, with room for rounding.
const MIN_FULL_TURN_RAD: f64 = std::f64::consts::TAU - 0.01;
/// Angle to either side of its value over which a joint is swept if it can make a full turn.
/// Few readers turn it further, and the camera follows those who do.
const SWEPT_TURN_RAD: f64 = 1.0;
/// Duration over which a program without a clip is followed, in seconds.
const PROGRAM_SECS: f64 = 6.3;

/// Outermost points of the pictures of a step, in world space.
#[derive(Clone, Debug, Default)]
pub struct StepReach {
    /// The model as the step opens.
    figure: LayerPoints,
    /// The model in all states that the controls, links, exercises and clips of the step
    /// lead to.
    all: LayerPoints,
    /// Layers that some of these states draw.
    layers: HashSet<Show>,
    /// Stages of skinning that occur.
    stages: Vec<SkinStage>,
    /// Clips that play.
    clips: Vec<Option<usize>>,
    /// Positions that exercises mark.
    goals: Vec<Vec3>,
}

/// Outermost points by what a picture draws.
#[derive(Clone, Debug, Default)]
struct LayerPoints {
    vertices: Arc<[Vec3]>,
    joints: Arc<[Vec3]>,
    /// Positions that single joints give the chosen vertex.
    copies: Arc<[Vec3]>,
    mesh_nodes: Arc<[Vec3]>,
    stored: Arc<[Vec3]>,
    at_rest: Arc<[Vec3]>,
}

impl LayerPoints {
    /// Returns the points of the layers that are drawn.
    fn drawn(&self, shows: impl Fn(Show) -> bool) -> Vec<Vec3> {
        let any = |layers: &[Show]| layers.iter().any(|&layer| shows(layer));
        let parts = [
            (&self.vertices, any(&[Show::Mesh, Show::Lines, Show::Vertices, Show::Normals])),
            (&self.joints, any(&[Show::Joints, Show::Axes, Show::Numbers])),
            (&self.copies, any(&[Show::Microscope])),
            (&self.mesh_nodes, any(&[Show::MeshNode])),
            (&self.stored, any(&[Show::Ghost])),
            (&self.at_rest, any(&[Show::RestGhost])),
        ];
        let drawn = parts.into_iter().filter(|(_, is_drawn)| *is_drawn);
        drawn.flat_map(|(points, _)| points.iter().copied()).collect()
    }
}

impl StepReach {
    /// Computes the reach of a step. `start` has the values with which it opens.
    pub(super) fn new(lesson: &Lesson, step: usize, start: &Derived) -> Self {
        let mut states = ReachedStates::new(lesson, step, start);
        let opening = states.opening.clone();
        let mut points = ReachBuilder::new(start);
        points.add(&opening, start);
        let figure = points.clone().into_points();
        for document in states.documents() {
            points.add(&document, &start.of_other(&document, Some(lesson)));
        }
        Self {
            figure,
            layers: std::mem::take(&mut points.layers),
            stages: std::mem::take(&mut points.stages),
            clips: std::mem::take(&mut points.clips),
            all: points.into_points(),
            goals: states.goals,
        }
    }

    /// Returns true if the step leads to the stage and to the clip of this document. The reader
    /// may have chosen others.
    pub(super) fn covers(&self, document: &Document) -> bool {
        self.stages.contains(&document.state.stage)
            && self.clips.contains(&document.state.playback.clip)
    }

    /// Returns the outermost points of all that a picture with these layers can show, and of the
    /// layers that the step can add.
    pub(super) fn points(&self, shows: impl Fn(Show) -> bool) -> Vec<Vec3> {
        let mut points = self.all.drawn(|layer| shows(layer) || self.layers.contains(&layer));
        points.extend(&self.goals);
        points
    }

    /// Returns the outermost points of the model as the step opens: of its mesh and joints.
    pub(super) fn figure_points(&self, shows: impl Fn(Show) -> bool) -> Vec<Vec3> {
        let is_ghost = |layer| matches!(layer, Show::Ghost | Show::RestGhost | Show::Microscope);
        let figure = self.figure.drawn(|layer| shows(layer) && !is_ghost(layer));
        if figure.is_empty() { self.figure.vertices.to_vec() } else { figure }
    }
}

/// Follows some vertices, and all joints, through the states of a step.
#[derive(Clone)]
struct ReachBuilder {
    followed_vertices: Vec<usize>,
    vertices: OutlineBuilder,
    joints: OutlineBuilder,
    copies: OutlineBuilder,
    mesh_nodes: OutlineBuilder,
    stored: OutlineBuilder,
    at_rest: OutlineBuilder,
    layers: HashSet<Show>,
    stages: Vec<SkinStage>,
    clips: Vec<Option<usize>>,
}

impl ReachBuilder {
    fn new(start: &Derived) -> Self {
        let none = OutlineBuilder::new();
        let mut at_rest = none.clone();
        for &point in rest_outline(&start.stored_rig).iter() {
            at_rest.add(point);
        }
        let stored_positions = start.stored_positions();
        // The few vertices that are followed of a large model may miss its ends.
        let is_large = stored_positions.len() > MAX_SEARCHED_VERTICES;
        Self {
            followed_vertices: followed_vertices(stored_positions),
            vertices: if is_large { at_rest.clone() } else { none.clone() },
            joints: none.clone(),
            copies: none.clone(),
            mesh_nodes: none.clone(),
            stored: none,
            at_rest,
            layers: HashSet::new(),
            stages: Vec::new(),
            clips: Vec::new(),
        }
    }

    fn add(&mut self, document: &Document, derived: &Derived) {
        let stored = derived.stored_positions();
        for &vertex in &self.followed_vertices {
            if let Some(position) = derived.position(vertex) {
                self.vertices.add(position);
            }
            if let Some(&position) = stored.get(vertex) {
                self.stored.add(position);
            }
        }
        for world_from_joint in &derived.joints.world_from_joint {
            self.joints.add(world_from_joint.w_axis.truncate());
        }
        for copy in derived.influence_points(document.state.vertex as usize) {
            self.copies.add(copy.position_in_world);
        }
        self.mesh_nodes.add(derived.world_from_mesh_node.w_axis.truncate());
        self.layers.extend(document.state.show.iter().flatten());
        if !self.stages.contains(&document.state.stage) {
            self.stages.push(document.state.stage);
        }
        let clip = document.state.playback.clip;
        if !self.clips.contains(&clip) {
            self.clips.push(clip);
        }
    }

    fn into_points(self) -> LayerPoints {
        LayerPoints {
            vertices: self.vertices.into_points(),
            joints: self.joints.into_points(),
            copies: self.copies.into_points(),
            mesh_nodes: self.mesh_nodes.into_points(),
            stored: self.stored.into_points(),
            at_rest: self.at_rest.into_points(),
        }
    }
}

/// Returns the outermost vertices, and others spread evenly over the mesh.
fn followed_vertices(positions: &[Vec3]) -> Vec<usize> {
    let mut outline = OutlineBuilder::new();
    if positions.len() <= MAX_SEARCHED_VERTICES {
        for &position in positions {
            outline.add(position);
        }
    }
    let outermost = outline.into_points();
    let every = positions.len().div_ceil(FOLLOWED_VERTEX_COUNT).max(1);
    (0..positions.len())
        .filter(|&vertex| vertex % every == 0 || outermost.contains(&positions[vertex]))
        .collect()
}

/// Documents that a reader of the step can come to.
struct ReachedStates<'a> {
    lesson: &'a Lesson,
    rig: &'a Rig,
    /// The document as the step opens.
    opening: Document,
    /// Documents that a link, a control or an exercise leads to.
    linked: Vec<Document>,
    /// Names of the parameters that the reader can drag.
    swept: Vec<String>,
    goals: Vec<Vec3>,
}

impl<'a> ReachedStates<'a> {
    fn new(lesson: &'a Lesson, step: usize, start: &'a Derived) -> Self {
        let rig = &*start.stored_rig;
        let opening = step_document(lesson, step, Some(rig));
        let mut states =
            Self { lesson, rig, linked: Vec::new(), swept: Vec::new(), goals: Vec::new(), opening };
        states.follow_links(step);
        for cell in cells_at(lesson, step) {
            states.follow_cell(&cell.kind);
        }
        states.swept = states.find_swept_params(step, start);
        states
    }

    /// Adds the document with these settings on top of the opening one.
    fn add<'s>(&mut self, settings: impl IntoIterator<Item = &'s Setting>) {
        let mut document = self.opening.clone();
        for setting in settings {
            // Computing other weights takes long and moves vertices little. Other files and
            // devices show the same model.
            let changes_shape = !matches!(
                setting,
                Setting::WeightsFrom(_)
                    | Setting::File(_)
                    | Setting::Reading(_)
                    | Setting::Device(_)
                    | Setting::Transport(_)
                    | Setting::Crowd(_)
                    | Setting::ModelB(_)
            );
            if changes_shape {
                apply_setting(&mut document, setting, Some(self.rig));
            }
        }
        if document != self.opening && !self.linked.contains(&document) {
            self.linked.push(document);
        }
    }

    fn follow_links(&mut self, step: usize) {
        let intro = if step == 0 { &*self.lesson.intro } else { &[] };
        let own = self.lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
        for target in [intro, own].into_iter().flat_map(targets) {
            if let LinkTarget::Set(settings) = target {
                self.add(settings);
            }
        }
    }

    fn follow_cell(&mut self, kind: &CellKind) {
        match kind {
            CellKind::Stops(stops) => {
                for stop in stops.stops.iter() {
                    self.add(&stop.set.0);
                }
            }
            CellKind::Compare(compare) => {
                for variant in &compare.variants {
                    self.add(&variant.set.0);
                }
            }
            CellKind::Stages(cell) => {
                for stage in SkinStage::ALL {
                    self.add([&Setting::Stage(stage)]);
                }
                if !cell.stage_only {
                    self.add([&Setting::InverseBind(InverseBind::LeftOut)]);
                    self.add([&Setting::InverseBind(InverseBind::Subtract)]);
                }
            }
            CellKind::Timeline(timeline) => {
                let clips = self.rig.clips.iter().map(|clip| &clip.name);
                let is_offered =
                    |name: &&String| timeline.clips.is_empty() || timeline.clips.contains(name);
                let offered: Vec<String> =
                    clips.filter(is_offered).take(MAX_FOLLOWED_CLIPS).cloned().collect();
                for clip in offered {
                    self.add([&Setting::Clip(ClipName::Name(clip))]);
                }
            }
            CellKind::Check(check) => {
                for drawn in check.iter() {
                    self.follow_check(&drawn.cell);
                }
            }
            CellKind::Predict(predict) => {
                for drawn in predict.iter() {
                    self.follow_prediction(&drawn.cell);
                }
            }
            _ => {}
        }
    }

    fn follow_check(&mut self, check: &CheckCell) {
        let edits = check.solution_edits.0.iter().cloned().map(Setting::Data);
        let settings: Vec<Setting> = check.solution.0.iter().cloned().chain(edits).collect();
        self.add(&settings);
        self.goals.extend(check.place.map(Vec3::from));
    }

    fn follow_prediction(&mut self, predict: &PredictCell) {
        self.add(&predict.set.0);
        for wrong in &predict.wrong {
            self.add(predict.set.0.iter().chain(&wrong.set.0));
        }
    }

    fn find_swept_params(&self, step: usize, start: &Derived) -> Vec<String> {
        let lesson = self.lesson;
        let offered: BTreeSet<&str> =
            offered_params(lesson, step, &start.rig).into_iter().collect();
        let mut names: Vec<&str> = offered.into_iter().collect();
        if names.len() > MAX_SWEPT_PARAMS {
            let drag = Demonstration::at(lesson, step, &start.rig).drag;
            names.retain(|name| {
                *name == "all" || drag.contains(&DemonstratedPart::Param((*name).to_owned()))
            });
        }
        let mut swept: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let has_program = self.opening.pose_program(lesson).is_some();
        if has_program && !swept.iter().any(|name| name == TIME_PARAM) {
            swept.push(TIME_PARAM.to_owned());
        }
        swept
    }

    /// Returns the range in which a parameter is swept. Returns `None` if it has none.
    fn swept_range(&self, name: &str, document: &Document) -> Option<(f64, f64)> {
        if name == TIME_PARAM && document.pose_program(self.lesson).is_some() {
            return Some((0.0, PROGRAM_SECS));
        }
        let mut range = param_range(name, document, self.lesson, self.rig)?;
        let param = self.rig.param(name);
        let is_angle = name == "all" || param.is_some_and(|param| param.kind.is_angle());
        if is_angle && range.1 - range.0 >= MIN_FULL_TURN_RAD {
            let default = param.map_or(0.0, |param| param.default);
            let value = document.state.params.get(name).copied().unwrap_or(default);
            range.0 = range.0.max(value - SWEPT_TURN_RAD);
            range.1 = range.1.min(value + SWEPT_TURN_RAD);
        }
        (range.0 < range.1).then_some(range)
    }

    /// Returns all documents except the opening one.
    fn documents(&mut self) -> Vec<Document> {
        let linked = std::mem::take(&mut self.linked);
        let mut swept_from = vec![self.opening.clone()];
        for document in &linked {
            // A state that differs in parameters alone is on the way of a sweep.
            let is_new = swept_from.iter().all(|other| {
                let mut same_params = other.clone();
                same_params.state.params.clone_from(&document.state.params);
                same_params != *document
            });
            if is_new && swept_from.len() < MAX_SWEPT_STATES {
                swept_from.push(document.clone());
            }
        }
        let mut documents = linked;
        for from in &swept_from {
            for name in &self.swept {
                let Some(range) = self.swept_range(name, from) else {
                    continue;
                };
                for index in 0..=SWEEP_INTERVALS {
                    let share = f64::from(index) / f64::from(SWEEP_INTERVALS);
                    documents.push(self.with_param(from, name, range, share));
                }
            }
        }
        if self.swept.len() > 1 {
            for pose in 1..=MIXED_POSE_COUNT {
                let mut mixed = self.opening.clone();
                for (index, name) in self.swept.iter().enumerate() {
                    let Some(range) = self.swept_range(name, &mixed) else {
                        continue;
                    };
                    // Irrational steps fill the box of all parameters evenly.
                    let step = (2.0 + index as f64).sqrt();
                    let share = (f64::from(pose) * step).fract();
                    mixed = self.with_param(&mixed, name, range, share);
                }
                documents.push(mixed);
            }
        }
        documents
    }

    fn with_param(
        &self,
        document: &Document,
        name: &str,
        range: (f64, f64),
        share: f64,
    ) -> Document {
        let mut document = document.clone();
        let value = range.0 + (range.1 - range.0) * share;
        apply_setting(&mut document, &Setting::Param(name.to_owned(), value), Some(self.rig));
        document
    }
}
