//! What is saved, undone and linked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bindpose_asset::ByteEdits;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{
    Crowd, Device, FileVariant, Gizmo, GizmoFrame, ModelB, PoseProgram, Reading, Show,
    SkinningFault, Tint, Transport, View,
};
use bindpose_skin::{
    ConventionAxes, Conventions, InverseBind, JointIndex, MemoryOrder, MeshNodeUse, Method,
    NormalRule, RotationInterpolation, SkinStage, Vectors, WeightsBy,
};

use super::chain::ChainState;
use super::engine_numbers::{EngineNumbers, read_numbers};
use super::glsl::ShaderKind;
use super::posing::{JointMove, SavedPose};
use super::scene::Scene;
use super::weight_edits::WeightEdits;

/// The state of the open page. Everything on screen is a function of this and
/// of the lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Slug.
    pub lesson: String,
    /// Index of the step.
    pub step: usize,
    /// What the reader works on there.
    pub state: StepState,
}

/// Everything that one step of a lesson puts on the page and a reader can
/// change there. Settings get and put their values here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepState {
    /// Values that differ from the defaults; radians for angles.
    pub params: BTreeMap<String, f64>,
    /// Influences that were edited, by vertex.
    pub weights: WeightEdits,
    /// Where the weights below the edits come from.
    pub weights_by: WeightsBy,
    /// Inverse bind matrices that were edited.
    pub inverse_binds: BTreeMap<JointIndex, InverseBindEdit>,
    /// Joints that were turned or moved by hand.
    pub joint_moves: BTreeMap<JointIndex, JointMove>,
    /// Poses that the reader has kept, by name.
    pub poses: BTreeMap<String, SavedPose>,
    /// How far vertices have come.
    pub stage: SkinStage,
    /// What is put in the place of the inverse bind matrix.
    pub inverse_bind: InverseBind,
    /// One joint for the whole mesh during the stages *joint* and *posed*;
    /// `None`: each vertex through its strongest.
    pub through: Option<JointIndex>,
    /// What becomes of the transform of the mesh's node.
    pub mesh_node: MeshNodeUse,
    /// The chosen joint.
    pub joint: JointIndex,
    /// The chosen vertex.
    pub vertex: u32,
    /// What the viewports draw; `None`: what their cells say.
    pub show: Option<Vec<Show>>,
    /// Where the viewports look from; `None`: what their cells say.
    pub view: Option<View>,
    /// What colours the surface; `None`: what the cells say.
    pub tint: Option<Tint>,
    /// What a drag of the chosen joint in a picture does.
    pub gizmo: Gizmo,
    /// Whose axes the gizmo has.
    pub gizmo_frame: GizmoFrame,
    /// How several influences become one motion.
    pub method: Method,
    /// What moves normals.
    pub normals: NormalRule,
    /// How matrices are written down, where the step says so.
    pub written_as: WrittenAs,
    /// How the palette reaches the vertex shader.
    pub transport: Transport,
    /// What is done wrong on the way.
    pub faults: BTreeSet<SkinningFault>,
    /// The machine whose limits count.
    pub device: Device,
    /// How many times the skin is drawn.
    pub crowd: Crowd,
    /// Texels that were edited.
    pub texels: BTreeMap<JointIndex, TexelEdits>,
    /// Vertex shaders that the reader has rewritten, by [`ShaderKind::key`].
    pub shaders: BTreeMap<String, String>,
    /// Formulas and programs that the reader has rewritten, by the name of their cell.
    pub texts: BTreeMap<String, CellText>,
    /// Files that were given to cells, by the name of the cell; links leave them out.
    pub given_files: BTreeMap<String, GivenFile>,
    /// Bytes of the rig's file that were changed.
    pub bytes: ByteEdits,
    /// Which of the rig's files is read.
    pub file: FileVariant,
    /// How the rig's file is read.
    pub reading: Reading,
    /// What plays; its time is among [`StepState::params`].
    pub playback: Playback,
    /// What the model is held against.
    pub model_b: ModelB,
    /// Guesses, by the name of their cell.
    pub predictions: BTreeMap<String, Prediction>,
    /// Answers to questions, by the name of their cell.
    pub answers: BTreeMap<String, GivenAnswer>,
    /// Products that the reader has changed, by the name of their cell.
    pub chains: BTreeMap<String, ChainState>,
    /// Which draw of its numbers an exercise stands at, by the name of its cell;
    /// absent: the first.
    pub draws: BTreeMap<String, usize>,
}

impl Document {
    /// Which draw of its numbers an exercise stands at, by the name of its cell.
    pub fn draw_of(&self, cell: &str) -> usize {
        self.state.draws.get(cell).copied().unwrap_or(0)
    }

    /// The reader's text in the place of the shader that draws this scene;
    /// `None`: not rewritten.
    pub fn shader_of(&self, scene: &Scene) -> Option<Arc<str>> {
        if self.state.shaders.is_empty() {
            return None;
        }
        let text = self.state.shaders.get(&ShaderKind::from_scene(scene).key())?;
        Some(Arc::from(text.as_str()))
    }
}

/// What plays, but for the numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Index into [`Rig::clips`](bindpose_asset::Rig::clips); `None`: the rest pose.
    pub clip: Option<usize>,
    /// The clip that is faded in.
    pub fade_to: Option<usize>,
    /// What stands between two rotations.
    pub between: RotationInterpolation,
    /// Does a clip begin again after its end? If not, it stands still there.
    pub repeats: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self { clip: None, fade_to: None, between: RotationInterpolation::default(), repeats: true }
    }
}

/// Texels of one joint that stand in the place of the computed ones, by column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TexelEdits(pub [Option<[f32; 4]>; 4]);

/// Where a reader thinks a vertex will go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// World space.
    pub position_in_world: [f32; 3],
    /// Has the reader looked?
    pub revealed: bool,
    /// Those of a class that were kept before, in world space and in their order.
    pub kept_in_world: Vec<[f32; 3]>,
}

/// As many guesses stand side by side as there are letters.
pub(super) const MOST_GUESSES: usize = 26;

impl Prediction {
    /// All guesses in their order, those that were kept first.
    pub fn all_in_world(&self) -> impl Iterator<Item = [f32; 3]> {
        let last = Some(self.position_in_world).filter(|_| !self.is_kept());
        self.kept_in_world.iter().copied().chain(last)
    }

    /// Was the last guess kept, and none begun after it?
    pub fn is_kept(&self) -> bool {
        self.kept_in_world.last() == Some(&self.position_in_world)
    }

    /// Can the last guess be kept, with a letter left for the next?
    pub fn can_be_kept(&self) -> bool {
        !self.revealed && !self.is_kept() && self.kept_in_world.len() + 1 < MOST_GUESSES
    }

    /// Moves the last guess, or begins one after that which is kept.
    pub(super) fn put(&mut self, place_in_world: [f32; 3]) {
        self.position_in_world = place_in_world;
        self.revealed = false;
    }

    /// Keeps the last guess, if it can be.
    pub(super) fn keep(&mut self) {
        if self.can_be_kept() {
            self.kept_in_world.push(self.position_in_world);
        }
    }

    /// `A` of the first guess that is kept, `B` of the second.
    pub fn letter(index: usize) -> char {
        char::from(b'A' + index.min(MOST_GUESSES - 1) as u8)
    }
}

/// A reader's text in the place of a cell's own formula or program.
#[derive(Clone, Debug, PartialEq)]
pub struct CellText {
    /// As typed, right or wrong.
    pub text: Arc<str>,
    /// Of a cell that poses: the last text that could be read; `None`: none could.
    pub program: Option<Arc<PoseProgram>>,
}

/// A file that a reader has given to a cell. The same one is equal, another of the same
/// content is not.
#[derive(Clone, Debug)]
pub struct GivenFile {
    /// Without folders.
    pub name: Arc<str>,
    /// What is in it, or why it could not be read.
    pub numbers: Result<Arc<EngineNumbers>, Arc<Diagnostic>>,
}

impl GivenFile {
    /// Reads what an engine wrote, which takes long where it is long.
    pub fn read(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.into(), numbers: read_numbers(bytes).map(Arc::new).map_err(Arc::new) }
    }

    /// What its numbers take in memory.
    pub(super) fn held_bytes(&self) -> usize {
        self.numbers.as_ref().map_or(0, |numbers| numbers.held_bytes())
    }
}

impl PartialEq for GivenFile {
    fn eq(&self, other: &Self) -> bool {
        let is_same = match (&self.numbers, &other.numbers) {
            (Ok(a), Ok(b)) => Arc::ptr_eq(a, b),
            (Err(a), Err(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        is_same && self.name == other.name
    }
}

/// What a reader answers to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAnswer {
    /// As [`question`](crate::question) reads it.
    pub text: String,
    /// Was it given? Until then it is being thought of.
    pub given: bool,
}

/// Column-major, as stored in glTF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseBindEdit(pub [f32; 16]);

// How the matrices of a page are written down: as the step says, else as the reader
// has it on all pages.

/// What a step says of it; `None`: as the reader has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenAs {
    /// On which side vectors stand.
    pub vectors: Option<Vectors>,
    /// In which order numbers lie in memory.
    pub memory: Option<MemoryOrder>,
    /// What places are given in.
    pub axes: Option<ConventionAxes>,
}

impl WrittenAs {
    /// What holds on this page, for a reader who has `usual` elsewhere.
    pub fn over(self, usual: Conventions) -> Conventions {
        Conventions {
            vectors: self.vectors.unwrap_or(usual.vectors),
            memory: self.memory.unwrap_or(usual.memory),
            axes: self.axes.unwrap_or(usual.axes),
        }
    }
}
