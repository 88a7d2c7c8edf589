//! Changes of the document, as values. `apply_edit.rs` says what each does, how
//! it is reset, and how undo calls it.

use bindpose_lesson::{DataEdit, Setting};
use bindpose_skin::{Influences, JointIndex};

use super::chain_state::ChainState;
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
    LaneJoint { vertex: u32, lane: usize, joint: JointIndex },
    /// Sets one cell of an inverse bind matrix.
    InverseBindCell {
        joint: JointIndex,
        /// Row from 0, top to bottom.
        row: usize,
        /// Column from 0, left to right.
        column: usize,
        value: f32,
    },
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
    /// Sets the source of a vertex shader.
    Shader {
        kind: ShaderKind,
        text: String,
        /// Whether it was typed rather than set by a button. Consecutive
        /// keystrokes are one undo step.
        typed: bool,
    },
    /// Sets the formula or program of a cell.
    Text {
        cell: String,
        text: String,
        /// See [`Edit::Shader`].
        typed: bool,
    },
    /// Gives a file to a cell, by cell name, instead of its text.
    GiveFile(String, GivenFile),
    /// Selects a variant of an exercise, by cell name and index. The guess and
    /// the answer are discarded, because they belong to the previous numbers,
    /// and the rest of the step is restarted. Selection, display and other
    /// guesses are kept.
    Draw(String, usize),
    /// Guesses the world position of a vertex, by cell name.
    Predict(String, [f32; 3]),
    /// Answers a question, by cell name.
    Answer(String, Answer),
    /// Changes a matrix product, by cell name.
    Chain(String, ChainState),
    /// Resets one part of the page to what the model or the lesson has.
    Reset(EditTarget),
    /// Divides the weights of a vertex by their sum. If `None`, of every
    /// vertex.
    NormalizeWeights(Option<u32>),
    /// Sets influences of vertices, as painted with a brush.
    Paint(Vec<(u32, Influences)>),
    /// Sets influences of vertices, as read from a file.
    OpenWeights(Vec<(u32, Influences)>),
    /// Keeps the latest guess, so that another can be made beside it. By cell
    /// name.
    KeepGuess(String),
    /// Reveals the actual position for a guess, by cell name.
    Reveal(String),
    /// Applies settings: all of them, or none if one fails. Edits that only
    /// select a joint or a vertex are not recorded for undo.
    Settings(Vec<Setting>),
    /// Resets the named settings to the values of the step.
    ResetSettings(Vec<Setting>),
    /// Applies the stored solution of an exercise, as [`Edit::Settings`] does.
    Solve(Vec<Setting>),
    /// Restores an earlier state of the same step.
    Restore(Box<Document>),
    /// Restores the whole step as its author prepared it.
    ResetStep,
    /// Restores a snapshot of the same step, or the state before going to one.
    Recall(PageSnapshot, Box<Document>),
}

/// A part of the page that can be reset by itself. Data of the model is reset
/// to what the model stores, and the part of a cell to what the lesson has.
#[derive(Clone, Debug, PartialEq)]
pub enum EditTarget {
    /// Weights and joints of a vertex. If `None`, of every vertex.
    Weights(Option<u32>),
    /// Inverse bind matrix of a joint. If `None`, of every joint.
    InverseBind(Option<JointIndex>),
    /// One texel of a joint, by column of its matrix.
    Texel(JointIndex, usize),
    /// Texels of a joint. If `None`, of every joint.
    Texels(Option<JointIndex>),
    /// Moves of a joint by hand. If `None`, of every joint.
    JointMove(Option<JointIndex>),
    Bytes {
        /// Index of the file's buffer.
        buffer: u32,
        /// Offset of the first byte.
        offset: u32,
        length: u32,
    },
    AllBytes,
    /// Source of a vertex shader.
    Shader(ShaderKind),
    /// Formula or program of a cell, by cell name.
    Text(String),
    /// File given to a cell, by cell name.
    File(String),
    /// Variant of an exercise, by cell name.
    Draw(String),
    /// Guesses of a cell, by cell name.
    Prediction(String),
    /// Answer to a question, by cell name.
    Answer(String),
    /// Matrix product, by cell name.
    Chain(String),
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

    /// Creates an edit that sets data of the model.
    pub fn data(edit: DataEdit) -> Self {
        Self::set(Setting::Data(edit))
    }

    /// Creates an edit that applies a solution with edits of data.
    pub fn solve(settings: &[Setting], edits: &[DataEdit]) -> Self {
        let edits = edits.iter().cloned().map(Setting::Data);
        Self::Solve(settings.iter().cloned().chain(edits).collect())
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
