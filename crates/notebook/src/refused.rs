//! Why an edit is not applied, in words for the reader.

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_skin::JointIndex;

/// An edit that was not applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// NaN, or infinite.
    #[error("{0} must be a number.")]
    NotFinite(String),
    /// A number that makes no sense.
    #[error("{what} may not go beyond ±{limit}.")]
    Beyond {
        /// Whose number.
        what: String,
        /// The largest that is allowed, of either sign.
        limit: f64,
    },
    /// Neither rig nor lesson has the parameter.
    #[error("There is no parameter “{name}” here; {help}.")]
    NoParam {
        /// The name.
        name: String,
        /// Names that were probably meant.
        help: String,
    },
    /// A formula of the lesson drives the parameter.
    #[error("“{label}” follows {formula}: change what that depends on.")]
    Driven {
        /// Of the parameter.
        label: String,
        /// As the lesson writes it.
        formula: String,
    },
    /// The rig has no such joint, vertex or clip.
    #[error("There is no {what} here; they are numbered 0 to {last}.")]
    NoNumber {
        /// With its number: `joint 9`.
        what: String,
        /// The last that there is.
        last: usize,
    },
    /// The rig has no joint of that name.
    #[error("There is no joint “{name}” here; {help}.")]
    NoJointNamed {
        /// The name.
        name: String,
        /// Names that were probably meant.
        help: String,
    },
    /// The rig has no clip of that name.
    #[error("There is no clip “{name}” here; {help}.")]
    NoClipNamed {
        /// The name.
        name: String,
        /// Names that were probably meant.
        help: String,
    },
    /// The rig has no clips at all.
    #[error("This model has no clips.")]
    NoClips,
    /// No rig of that name comes with the notebook.
    #[error("There is no built-in rig “{0}”.")]
    NoSuchRig(String),
    /// No lesson that is here has a step for it.
    #[error(
        "No step here holds two models against each other: it needs a `model-difference` cell."
    )]
    NoStepToCompare,
    /// What names a clip needs a rig.
    #[error("There is no model here.")]
    NoModel,
    /// No such cell, or longer than it may be.
    #[error("That is no product for this page.")]
    NoProduct,
    /// Without a name, or one too many.
    #[error("A pose has a name of 1 to {chars} characters, and a page keeps {most} of them.")]
    NoPose {
        /// Poses that are kept at most.
        most: usize,
        /// Characters of a name.
        chars: usize,
    },
    /// Outside a matrix.
    #[error("A matrix has rows and columns 0 to 3.")]
    NoCell,
    /// Outside a vertex's influences.
    #[error("A vertex has lanes 0 to 7, not {0}.")]
    NoLane(usize),
    /// Outside a joint's row of the palette.
    #[error("A joint has texels 0 to 3 of four numbers.")]
    NoTexel,
    /// More than a shader should have.
    #[error("A shader may have {most} characters; this one has {found}.")]
    LongShader {
        /// Characters allowed.
        most: usize,
        /// Characters found.
        found: usize,
    },
    /// More than a formula or a program should have.
    #[error("A text may have {most} characters here; this one has {found}.")]
    LongText {
        /// Characters allowed.
        most: usize,
        /// Characters found.
        found: usize,
    },
    /// More numbers than are kept as text.
    #[error(
        "Numbers that are pasted may have {most} characters; these have {found}. Save them as a \
         file and open that."
    )]
    LongNumbers {
        /// Characters allowed.
        most: usize,
        /// Characters found.
        found: usize,
    },
    /// The lesson has no cell with such a text.
    #[error("There is no formula or program of that name here.")]
    NoText,
    /// The lesson has no such exercise, or it has fewer draws.
    #[error("There is no such draw of that exercise here.")]
    NoDraw,
    /// The lesson has no such question, or the text is no answer to it.
    #[error("That is no answer to a question here.")]
    NoAnswer,
    /// The rig is made by code.
    #[error("This rig has no file whose bytes could be changed.")]
    NoFile,
    /// Reading it again would take too long.
    #[error("Bytes can be changed in files of up to {most_mb} MB.")]
    LargeFile {
        /// Of the largest.
        most_mb: usize,
    },
    /// The file has no such buffer.
    #[error("There is no buffer {buffer}; the file has {count}, numbered from 0.")]
    NoBuffer {
        /// Which.
        buffer: u32,
        /// How many there are.
        count: usize,
    },
    /// The buffer is shorter.
    #[error("Buffer {buffer} has {count} bytes; byte {byte} is not among them.")]
    NoByte {
        /// Which buffer.
        buffer: u32,
        /// How many bytes it has.
        count: usize,
        /// From 0.
        byte: usize,
    },
    /// Not what a notebook is for.
    #[error("At most {most} bytes can be changed here; an editor for models changes more.")]
    ManyBytes {
        /// In all.
        most: usize,
    },
    /// What would be brought back belongs to another page.
    #[error("That was at another step.")]
    OtherStep,
    /// There is no such lesson or step.
    #[error(transparent)]
    NoPage(#[from] Diagnostic),
    /// A lesson stands on a rig that there is not.
    #[error("Lesson “{lesson}” asks for the rig “{rig}”, which is not there.")]
    NoRig {
        /// Its title.
        lesson: String,
        /// As its front matter has it.
        rig: String,
    },
    /// A lesson brings a model along that does not open.
    #[error("Lesson “{lesson}” cannot be opened: {wrong}.")]
    BadModel {
        /// Its title.
        lesson: String,
        /// What is wrong with the model.
        wrong: String,
    },
    /// A lesson stands on a rig that is yet to come.
    #[error("The model of this lesson is still loading.")]
    NotHereYet,
    /// No lesson stands on the reader's model.
    #[error(
        "There is no lesson for a model of one’s own: its front matter would say rig = \"own\"."
    )]
    NoLessonForModel,
}

impl EditError {
    /// For where code is not set in a face of its own: without the marks around it.
    pub fn plain_words(&self) -> String {
        self.to_string().replace('`', "")
    }
}

impl From<EditError> for Diagnostic {
    fn from(refused: EditError) -> Self {
        Self::said("REFUSED", refused.to_string())
    }
}

/// Fails when the rig has no such joint.
pub(super) fn known_joint(joint: JointIndex, rig: &Rig) -> Result<(), EditError> {
    let count = rig.skeleton.len();
    known(joint.index(), count, || format!("joint {}", joint.0))
}

/// Fails when the rig's mesh has no such vertex.
pub(super) fn known_vertex(vertex: u32, rig: &Rig) -> Result<(), EditError> {
    let count = rig.mesh.positions.len();
    known(vertex as usize, count, || format!("vertex {vertex}"))
}

fn known(index: usize, count: usize, what: impl Fn() -> String) -> Result<(), EditError> {
    if index < count {
        return Ok(());
    }
    Err(EditError::NoNumber { what: what(), last: count.saturating_sub(1) })
}
