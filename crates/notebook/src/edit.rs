//! Changes of the document, as values.

use bindpose_lesson::{DataEdit, Setting};
use bindpose_skin::{Influences, JointIndex};

use super::chain::ChainState;
use super::glsl::ShaderKind;
use super::{Answer, Document, GivenFile};

/// One change of the document. Cells push edits, and the app applies them after
/// the frame, so that everything on the page changes together.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Moves the playback time. A whole playback is one undo step.
    PlayTo {
        /// Time from the beginning.
        time_secs: f64,
        /// Whether this is the first edit of a playback.
        begins: bool,
    },
    /// Sets one weight of a vertex, by lane.
    Weight {
        vertex: u32,
        /// Lane of `JOINTS_n`, counted through all sets.
        lane: usize,
        weight: f32,
    },
    /// Sets the joint of one lane of a vertex. Its weight stays.
    LaneJoint {
        vertex: u32,
        lane: usize,
        /// New joint of the lane.
        joint: JointIndex,
    },
    /// Divides the weights of a vertex by their sum. If `None`, of every
    /// vertex.
    NormalizeWeights(Option<u32>),
    /// Sets influences of vertices, as painted with a brush.
    Paint(Vec<(u32, Influences)>),
    /// Sets influences of vertices, as read from a file.
    OpenWeights(Vec<(u32, Influences)>),
    /// Restores the stored weights and joints of a vertex. If `None`, of every
    /// vertex.
    ResetWeights(Option<u32>),
    /// Sets one cell of an inverse bind matrix.
    InverseBindCell {
        joint: JointIndex,
        /// Row from 0, top to bottom.
        row: usize,
        /// Column from 0, left to right.
        column: usize,
        value: f32,
    },
    /// Restores the stored inverse bind matrix of a joint. If `None`, of every
    /// joint.
    ResetInverseBind(Option<JointIndex>),
    /// Sets one component of a texel.
    Texel {
        /// Joint, which is the row of the texture.
        joint: JointIndex,
        /// Column of its matrix, 0 to 3.
        column: usize,
        /// Red, green, blue or alpha as 0 to 3.
        part: usize,
        value: f32,
    },
    /// Restores one computed texel, by column.
    ResetTexel(JointIndex, usize),
    /// Restores the computed texels of a joint. If `None`, of every joint.
    ResetTexels(Option<JointIndex>),
    /// Undoes moves of a joint by hand. If `None`, of every joint.
    ResetJointMove(Option<JointIndex>),
    /// Sets the source of a vertex shader.
    Shader {
        kind: ShaderKind,
        /// New source. If `None`, the page's own.
        text: Option<String>,
        /// Whether it was typed rather than set by a button. Consecutive
        /// keystrokes are one undo step.
        typed: bool,
    },
    /// Sets the formula or program of a cell.
    Text {
        cell: String,
        /// New text. If `None`, the cell's own.
        text: Option<String>,
        /// See [`Edit::Shader`].
        typed: bool,
    },
    /// Gives a file to a cell, by cell name, or removes it if `None`.
    GiveFile(String, Option<GivenFile>),
    /// Sets a whole matrix, all weights of a vertex, a texel or bytes of the
    /// rig's file.
    Data(DataEdit),
    ResetBytes {
        /// Index of the file's buffer.
        buffer: u32,
        /// Offset of the first byte.
        offset: u32,
        length: u32,
    },
    ResetAllBytes,
    /// Guesses the position of a vertex, by cell name.
    Predict(String, [f32; 3]),
    /// Keeps the latest guess, so that another can be made beside it. By cell
    /// name.
    KeepGuess(String),
    /// Reveals the actual position for a guess, by cell name.
    Reveal(String),
    /// Discards the guesses of a cell.
    ForgetPrediction(String),
    /// Answers a question, by cell name.
    Answer(String, Answer),
    /// Discards the answer to a question.
    ForgetAnswer(String),
    /// Changes a matrix product, by cell name.
    Chain(String, ChainState),
    /// Restores a matrix product.
    ForgetChain(String),
    /// Selects a variant of an exercise.
    Draw {
        cell: String,
        /// Index of the variant.
        draw: usize,
        /// Whether to restart the rest of the step. Selection, display and
        /// other guesses are kept.
        afresh: bool,
    },
    /// Applies the settings of a `set:` link or a switch. Edits that only
    /// select a joint or a vertex are not recorded for undo.
    Settings(Vec<Setting>),
    /// Resets the named settings to the values of the step.
    ResetSettings(Vec<Setting>),
    /// Applies the stored solution of an exercise, all of it or nothing.
    Solve(Vec<Setting>, Vec<DataEdit>),
    /// Restores an earlier state of the same step.
    Restore(Box<Document>),
    /// Restores the whole step as its author prepared it.
    ResetStep,
    /// Restores a snapshot of the same step, or the state before going to one.
    Recall(PageSnapshot, Box<Document>),
}

/// A state of the page that the reader can return to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSnapshot {
    A,
    B,
    /// State before the reader went to A or B.
    Before,
}

impl Edit {
    /// Creates an edit that applies one setting.
    pub fn set(setting: Setting) -> Self {
        Self::Settings(vec![setting])
    }

    /// Creates an edit that sets a parameter of the rig or the lesson, or
    /// `all`. Angles are in radians.
    pub fn param(name: impl Into<String>, value: f64) -> Self {
        Self::set(Setting::Param(name.into(), value))
    }

    /// Creates an edit that resets a parameter to the value of the step.
    pub fn reset_param(name: impl Into<String>) -> Self {
        Self::ResetSettings(vec![Setting::Param(name.into(), 0.0)])
    }

    /// Returns the same edit with the number `to` in place of `from`. Returns
    /// `None` if the edit does not set exactly one number, or not `from`.
    pub fn with_number(&self, from: f64, to: f64) -> Option<Self> {
        let mut moved = self.clone();
        let is_from = match &mut moved {
            Self::Settings(settings) => match &mut settings[..] {
                [Setting::Param(_, value)] => std::mem::replace(value, to) == from,
                _ => false,
            },
            Self::Weight { weight: value, .. }
            | Self::InverseBindCell { value, .. }
            | Self::Texel { value, .. } => std::mem::replace(value, to as f32) == from as f32,
            _ => false,
        };
        is_from.then_some(moved)
    }

    /// Returns the parameter and value, if the edit does nothing else.
    #[cfg(any(test, feature = "testing"))]
    pub fn as_param(&self) -> Option<(&str, f64)> {
        match self {
            Self::Settings(settings) => match &settings[..] {
                [Setting::Param(name, value)] => Some((name, *value)),
                _ => None,
            },
            _ => None,
        }
    }
}
