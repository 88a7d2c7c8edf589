//! Everything that can change the document, as values.

use bindpose_lesson::{DataEdit, Setting};
use bindpose_skin::{Influences, JointIndex};

use super::chain::ChainState;
use super::glsl::ShaderKind;
use super::posing::SavedPose;
use super::{Document, GivenAnswer, GivenFile};

/// One change of the document. Cells push these; the app applies them after the
/// frame, so that everything on the page changes together.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// What plays has come to this time. All of a play is one step of undo.
    PlayTo {
        /// From the beginning.
        time_secs: f64,
        /// The first of a play?
        begins: bool,
    },
    /// One weight of one vertex, by lane.
    Weight {
        /// Which vertex.
        vertex: u32,
        /// Which lane, from 0.
        lane: usize,
        /// Its new value.
        weight: f32,
    },
    /// The joint of one lane of a vertex; its weight stays as it is.
    LaneJoint {
        /// Which vertex.
        vertex: u32,
        /// Which lane.
        lane: usize,
        /// Whose weight it is from now on.
        joint: JointIndex,
    },
    /// Divide the weights of a vertex by their sum; `None`: of every vertex.
    NormalizeWeights(Option<u32>),
    /// Influences of vertices, as a brush has made them.
    Paint(Vec<(u32, Influences)>),
    /// Influences of vertices, as a file has them.
    OpenWeights(Vec<(u32, Influences)>),
    /// Back to the stored weights and their joints; `None`: of every vertex.
    ResetWeights(Option<u32>),
    /// One cell of an inverse bind matrix.
    InverseBindCell {
        /// Whose.
        joint: JointIndex,
        /// From 0, top to bottom.
        row: usize,
        /// From 0, left to right.
        column: usize,
        /// Its new value.
        value: f32,
    },
    /// Back to the stored inverse bind matrix; `None`: of every joint.
    ResetInverseBind(Option<JointIndex>),
    /// One number of one texel.
    Texel {
        /// The joint: the row.
        joint: JointIndex,
        /// The column of its matrix, 0 to 3.
        column: usize,
        /// 0 to 3: red, green, blue, alpha.
        part: usize,
        /// Its new value.
        value: f32,
    },
    /// One texel, by column, back to the computed one.
    ResetTexel(JointIndex, usize),
    /// Back to the computed texels; `None`: of every joint.
    ResetTexels(Option<JointIndex>),
    /// What is done to a joint by hand taken back; `None`: of every joint.
    ResetJointMove(Option<JointIndex>),
    /// A pose kept by a name, in the place of one of that name.
    SavePose(String, Box<SavedPose>),
    /// A pose that is kept no longer.
    ForgetPose(String),
    /// The page into a pose.
    PutPose(Box<SavedPose>),
    /// The text of a vertex shader.
    Shader {
        /// Which of them.
        kind: ShaderKind,
        /// `None`: as the page gives it.
        text: Option<String>,
        /// By keys in the text, not by a button: keystrokes that follow each
        /// other are one step of undo.
        typed: bool,
    },
    /// The formula or the program of a cell.
    Text {
        /// The name of the cell.
        cell: String,
        /// `None`: the cell's own.
        text: Option<String>,
        /// As of [`Edit::Shader`].
        typed: bool,
    },
    /// A file for a cell, by the name of the cell; `None`: none.
    GiveFile(String, Option<GivenFile>),
    /// A whole matrix, all weights of a vertex, a texel, bytes of the rig's file.
    Data(DataEdit),
    /// So many bytes from an offset of a buffer, back to the stored ones.
    ResetBytes {
        /// Which buffer of the file.
        buffer: u32,
        /// Of the first byte.
        offset: u32,
        /// How many.
        length: u32,
    },
    /// All bytes as stored.
    ResetAllBytes,
    /// Where the reader thinks a vertex will go, by the name of the cell.
    Predict(String, [f32; 3]),
    /// Keep the last guess and begin another beside it, by the name of the cell.
    KeepGuess(String),
    /// Look at what happens; by the name of the cell.
    Reveal(String),
    /// Guess again.
    ForgetPrediction(String),
    /// An answer to a question, by the name of the cell.
    Answer(String, GivenAnswer),
    /// No answer to a question.
    ForgetAnswer(String),
    /// A product as the reader wants it, by the name of the cell.
    Chain(String, ChainState),
    /// A product as it opens.
    ForgetChain(String),
    /// An exercise with the numbers of a draw.
    Draw {
        /// The name of its cell.
        cell: String,
        /// Which draw, by index.
        draw: usize,
        /// Does the rest of the step begin as it opens? What is chosen and drawn,
        /// and other guesses, stay.
        afresh: bool,
    },
    /// What a `set:` link or a switch does. Choosing a joint or a vertex and
    /// nothing else is not undone.
    Settings(Vec<Setting>),
    /// Back to what the step gives, for all that these would set.
    ResetSettings(Vec<Setting>),
    /// The stored solution of an exercise. Nothing is changed unless all of it
    /// fits.
    Solve(Vec<Setting>, Vec<DataEdit>),
    /// The page as it was, at the same step of the same lesson.
    Restore(Box<Document>),
    /// Everything as its author meant the step to open.
    ResetStep,
    /// The page as it was kept, or as it was before one went there, at the same
    /// step of the same lesson.
    Recall(PageSnapshot, Box<Document>),
}

/// A state of the page that the reader can go to and come back from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSnapshot {
    /// Kept as A.
    A,
    /// Kept as B.
    B,
    /// As it was before the reader went to A or B.
    Before,
}

impl Edit {
    /// Puts one setting.
    pub fn set(setting: Setting) -> Self {
        Self::Settings(vec![setting])
    }

    /// Puts a parameter of the rig or the lesson, or `all`; radians for angles.
    pub fn param(name: impl Into<String>, value: f64) -> Self {
        Self::set(Setting::Param(name.into(), value))
    }

    /// Back to what the step gives for a parameter.
    pub fn reset_param(name: impl Into<String>) -> Self {
        Self::ResetSettings(vec![Setting::Param(name.into(), 0.0)])
    }

    /// The same with the number `to`, if the one that it puts is `from`. `None`: it puts
    /// another, none, or several.
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

    /// The parameter that it puts, and its value, if it does nothing else.
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
