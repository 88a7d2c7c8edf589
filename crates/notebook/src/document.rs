//! The page state that is saved, undone and linked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::ByteEdits;
use bindpose_lesson::{
    ComparedModel, Crowd, Device, FileReading, FileVariant, Gizmo, GizmoFrame, PoseProgram, Show,
    SkinningFault, Tint, Transport, View,
};
use bindpose_skin::{
    ConventionAxes, Conventions, InverseBind, JointIndex, MemoryOrder, MeshNodeUse, Method,
    NormalRule, RotationInterpolation, SkinStage, Vectors, WeightsBy,
};

use super::chain_state::ChainState;
use super::engine_numbers::{EngineNumbers, read_numbers};
use super::joint_move::JointMove;
use super::weight_edits::WeightEdits;

/// The state of the open page. Everything on screen is a function of this and
/// of the lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Slug of the open lesson.
    pub lesson: String,
    /// Index of the open step.
    pub step: usize,
    /// Everything that the reader can change on this step.
    pub state: StepState,
}

/// State of one step: everything that a lesson can preset and a reader can
/// change. Settings are read from it and written to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepState {
    /// Parameters that differ from their defaults. Angles are in radians.
    pub params: BTreeMap<String, f64>,
    /// Influences edited by the reader, by vertex.
    pub weights: WeightEdits,
    /// Source of the weights that the edits are applied to.
    pub weights_by: WeightsBy,
    /// Inverse bind matrices edited by the reader.
    pub inverse_binds: BTreeMap<JointIndex, InverseBindEdit>,
    /// Joints rotated or translated by hand.
    pub joint_moves: BTreeMap<JointIndex, JointMove>,
    /// Stage of the skinning pipeline that the viewports show.
    pub stage: SkinStage,
    /// Replacement for the inverse bind matrix, if any.
    pub inverse_bind: InverseBind,
    /// Joint that moves the whole mesh in the stages *joint* and *posed*. If
    /// `None`, each vertex follows its strongest joint.
    pub through: Option<JointIndex>,
    /// How the transform of the mesh's node is used.
    pub mesh_node: MeshNodeUse,
    /// Joint selected on the page.
    pub joint: JointIndex,
    /// Vertex selected on the page.
    pub vertex: u32,
    /// Layers that the viewports draw. If `None`, each cell decides.
    pub show: Option<Vec<Show>>,
    /// View direction of the viewports. If `None`, each cell decides.
    pub view: Option<View>,
    /// Colouring of the surface. If `None`, each cell decides.
    pub tint: Option<Tint>,
    /// Action of dragging the selected joint in a viewport.
    pub gizmo: Gizmo,
    /// Frame of the gizmo's axes.
    pub gizmo_frame: GizmoFrame,
    /// Method that blends several influences.
    pub method: Method,
    pub normals: NormalRule,
    /// Matrix conventions that the step prescribes.
    pub written_as: PrescribedConventions,
    /// How the palette is passed to the vertex shader.
    pub transport: Transport,
    /// Skinning mistakes that are switched on.
    pub faults: BTreeSet<SkinningFault>,
    /// Device whose limits apply.
    pub device: Device,
    /// Number and poses of the instances drawn.
    pub crowd: Crowd,
    /// Edited texels of the palette texture.
    pub texels: BTreeMap<JointIndex, TexelEdits>,
    /// Vertex shaders rewritten by the reader, by `ShaderKind::key`.
    pub shaders: BTreeMap<String, String>,
    /// Formulas and programs rewritten by the reader, by cell name.
    pub texts: BTreeMap<String, CellText>,
    /// Files given to cells, by cell name. Not part of links.
    pub given_files: BTreeMap<String, GivenFile>,
    /// Edited bytes of the rig's file.
    pub bytes: ByteEdits,
    /// Variant of the rig's file that is read.
    pub file: FileVariant,
    /// How the rig's file is read.
    pub reading: FileReading,
    /// Clips that play. Their time is one of [`StepState::params`].
    pub playback: Playback,
    /// Model that this one is compared with.
    pub model_b: ComparedModel,
    /// Guesses of vertex positions, by cell name.
    pub predictions: BTreeMap<String, Prediction>,
    /// Answers to questions, by cell name.
    pub answers: BTreeMap<String, Answer>,
    /// Matrix products changed by the reader, by cell name.
    pub chains: BTreeMap<String, ChainState>,
    /// Index of the variant of each exercise, by cell name. If absent, 0.
    pub draws: BTreeMap<String, usize>,
}

impl Document {
    /// Index of the variant of an exercise, by cell name.
    pub fn draw_of(&self, cell: &str) -> usize {
        self.state.draws.get(cell).copied().unwrap_or(0)
    }
}

/// Clips that play and how they are sampled. Times and other numbers are
/// parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Index into [`Rig::clips`](bindpose_gltf::Rig::clips). If `None`, the
    /// rest pose.
    pub clip: Option<usize>,
    /// Index of the clip to cross-fade to.
    pub fade_to: Option<usize>,
    /// How rotations are interpolated between keyframes.
    pub between: RotationInterpolation,
    /// Whether a clip loops. Otherwise it stops at its end.
    pub repeats: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self { clip: None, fade_to: None, between: RotationInterpolation::default(), repeats: true }
    }
}

/// Texels of one joint that replace the computed ones, by column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TexelEdits(pub [Option<[f32; 4]>; 4]);

/// Guessed position of a vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Latest guess, in world space.
    pub position_in_world: [f32; 3],
    /// Whether the actual position was revealed.
    pub revealed: bool,
    /// Earlier guesses that a class kept, in world space, oldest first.
    pub kept_in_world: Vec<[f32; 3]>,
}

/// Maximum number of guesses, since each is labelled with a letter.
pub(super) const MAX_GUESSES: usize = 26;

impl Prediction {
    /// Returns all guesses, kept ones first.
    pub fn all_in_world(&self) -> impl Iterator<Item = [f32; 3]> {
        let last = Some(self.position_in_world).filter(|_| !self.is_kept());
        self.kept_in_world.iter().copied().chain(last)
    }

    /// Returns true if the latest guess was kept and no new one begun.
    pub fn is_kept(&self) -> bool {
        self.kept_in_world.last() == Some(&self.position_in_world)
    }

    /// Returns true if the latest guess can be kept and a letter is left for
    /// the next one.
    pub fn can_be_kept(&self) -> bool {
        !self.revealed && !self.is_kept() && self.kept_in_world.len() + 1 < MAX_GUESSES
    }

    /// Moves the latest guess, or begins a new one if that was kept.
    pub(super) fn set_guess(&mut self, place_in_world: [f32; 3]) {
        self.position_in_world = place_in_world;
        self.revealed = false;
    }

    /// Keeps the latest guess if possible.
    pub(super) fn keep_latest(&mut self) {
        if self.can_be_kept() {
            self.kept_in_world.push(self.position_in_world);
        }
    }

    /// Returns the letter of a guess: `A` for index 0, `B` for index 1.
    pub fn letter(index: usize) -> char {
        char::from(b'A' + index.min(MAX_GUESSES - 1) as u8)
    }
}

/// Text that replaces a cell's own formula or program.
#[derive(Clone, Debug, PartialEq)]
pub struct CellText {
    /// Text as typed, valid or not.
    pub text: Arc<str>,
    /// Last valid program in a cell that poses. If `None`, no text was valid so
    /// far.
    pub program: Option<Arc<PoseProgram>>,
}

/// File that a reader gave to a cell. Compared by identity: two files of the
/// same content are unequal.
#[derive(Clone, Debug)]
pub struct GivenFile {
    /// File name without folders.
    pub name: Arc<str>,
    /// Parsed numbers, or the reason why the file could not be parsed.
    pub numbers: Result<Arc<EngineNumbers>, Arc<Diagnostic>>,
}

impl GivenFile {
    /// Parses a file written by an engine. Slow for long files.
    pub fn read(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.into(), numbers: read_numbers(bytes).map(Arc::new).map_err(Arc::new) }
    }

    /// Memory held by the numbers, in bytes.
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

/// Answer of a reader to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Text as parsed by [`question`](crate::question).
    pub text: String,
    /// Whether the answer was submitted. Until then it is a draft.
    pub given: bool,
}

/// Edited inverse bind matrix, column-major as stored in glTF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseBindEdit(pub [f32; 16]);

/// Matrix conventions that a step prescribes. If a field is `None`, the
/// reader's preference applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrescribedConventions {
    /// Row or column vectors.
    pub vectors: Option<Vectors>,
    /// Memory order of matrices.
    pub memory: Option<MemoryOrder>,
    /// Axes in which positions are given.
    pub axes: Option<ConventionAxes>,
}

impl PrescribedConventions {
    /// Returns the conventions of this step, given the reader's `usual` ones.
    pub fn over(self, usual: Conventions) -> Conventions {
        Conventions {
            vectors: self.vectors.unwrap_or(usual.vectors),
            memory: self.memory.unwrap_or(usual.memory),
            axes: self.axes.unwrap_or(usual.axes),
        }
    }
}
