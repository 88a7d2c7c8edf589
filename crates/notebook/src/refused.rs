//! Errors of edits, with messages for the reader.

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_lesson::MAX_CELL_ABS;
use bindpose_skin::JointIndex;

/// The reason why an edit is rejected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// A number that is NaN or infinite.
    #[error("{0} must be a number.")]
    NotFinite(String),
    /// A number beyond its limit.
    #[error("{what} may not go beyond ±{limit}.")]
    Beyond {
        /// Name of the number.
        what: String,
        /// Largest absolute value.
        limit: f64,
    },
    /// Neither rig nor lesson has the parameter.
    #[error("There is no parameter “{name}” here; {help}.")]
    NoParam {
        name: String,
        /// Suggested names.
        help: String,
    },
    /// A formula of the lesson drives the parameter.
    #[error("“{label}” follows {formula}: change what that depends on.")]
    Driven {
        /// Label of the parameter.
        label: String,
        /// Formula as the lesson writes it.
        formula: String,
    },
    /// The rig has no such joint, vertex or clip.
    #[error("There is no {what} here; they are numbered 0 to {last}.")]
    NoNumber {
        /// Kind and index, such as `joint 9`.
        what: String,
        /// Largest valid index.
        last: usize,
    },
    /// The rig has no joint of that name.
    #[error("There is no joint “{name}” here; {help}.")]
    NoJointNamed {
        name: String,
        /// Suggested names.
        help: String,
    },
    /// The rig has no clip of that name.
    #[error("There is no clip “{name}” here; {help}.")]
    NoClipNamed {
        name: String,
        /// Suggested names.
        help: String,
    },
    /// The rig has no clips.
    #[error("This model has no clips.")]
    NoClips,
    /// There is no built-in rig of that name.
    #[error("There is no built-in rig “{0}”.")]
    NoSuchRig(String),
    /// No open lesson has a step that compares models.
    #[error(
        "No step here holds two models against each other: it needs a `model-difference` cell."
    )]
    NoStepToCompare,
    /// Clips cannot be named without a rig.
    #[error("There is no model here.")]
    NoModel,
    /// The page has no such cell, or the product is too long.
    #[error("That is no product for this page.")]
    NoProduct,
    /// An index outside a matrix.
    #[error("A matrix has rows and columns 0 to 3.")]
    NoCell,
    /// A lane outside a vertex's influences.
    #[error("A vertex has lanes 0 to 7, not {0}.")]
    NoLane(usize),
    /// A texel outside a joint's row of the palette.
    #[error("A joint has texels 0 to 3 of four numbers.")]
    NoTexel,
    /// A shader that is too long.
    #[error("A shader may have {most} characters; this one has {found}.")]
    LongShader {
        /// Maximum number of characters.
        most: usize,
        /// Number of characters found.
        found: usize,
    },
    /// A formula or program that is too long.
    #[error("A text may have {most} characters here; this one has {found}.")]
    LongText {
        /// Maximum number of characters.
        most: usize,
        /// Number of characters found.
        found: usize,
    },
    /// Pasted numbers that are too long to be stored as text.
    #[error(
        "Numbers that are pasted may have {most} characters; these have {found}. Save them as a \
         file and open that."
    )]
    LongNumbers {
        /// Maximum number of characters.
        most: usize,
        /// Number of characters found.
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
    /// The rig was not read from a file.
    #[error("This rig has no file whose bytes could be changed.")]
    NoFile,
    /// The file is too large to be parsed again after each change.
    #[error("Bytes can be changed in files of up to {most_mb} MB.")]
    LargeFile {
        /// Maximum file size.
        most_mb: usize,
    },
    /// The file has no such buffer.
    #[error("There is no buffer {buffer}; the file has {count}, numbered from 0.")]
    NoBuffer {
        buffer: u32,
        /// Number of buffers.
        count: usize,
    },
    /// The buffer has no such byte.
    #[error("Buffer {buffer} has {count} bytes; byte {byte} is not among them.")]
    NoByte {
        buffer: u32,
        /// Number of bytes in the buffer.
        count: usize,
        /// Index of the byte, from 0.
        byte: usize,
    },
    /// Too many changed bytes.
    #[error("At most {most} bytes can be changed here; an editor for models changes more.")]
    ManyBytes {
        /// Maximum number of changed bytes.
        most: usize,
    },
    /// The edit belongs to another step.
    #[error("That was at another step.")]
    OtherStep,
    /// There is no such lesson or step.
    #[error(transparent)]
    NoPage(#[from] Diagnostic),
    /// The rig of a lesson is unknown.
    #[error("Lesson “{lesson}” asks for the rig “{rig}”, which is not there.")]
    NoRig {
        /// Title of the lesson.
        lesson: String,
        /// Name of the rig in the front matter.
        rig: String,
    },
    /// The model of a lesson cannot be opened.
    #[error("Lesson “{lesson}” cannot be opened: {wrong}.")]
    BadModel {
        /// Title of the lesson.
        lesson: String,
        /// Description of the error.
        wrong: String,
    },
    /// The rig of a lesson is not loaded yet.
    #[error("The model of this lesson is still loading.")]
    NotHereYet,
    /// No lesson uses the reader's own model.
    #[error(
        "There is no lesson for a model of one’s own: its front matter would say rig = \"own\"."
    )]
    NoLessonForModel,
}

impl EditError {
    /// Returns the message without the backticks around code.
    pub fn plain_words(&self) -> String {
        self.to_string().replace('`', "")
    }
}

impl From<EditError> for Diagnostic {
    fn from(refused: EditError) -> Self {
        Self::said("REFUSED", refused.to_string())
    }
}

/// Returns an error if the rig has no such joint.
pub(super) fn known_joint(joint: JointIndex, rig: &Rig) -> Result<(), EditError> {
    let count = rig.skeleton.len();
    check_index(joint.index(), count, || format!("joint {}", joint.0))
}

/// Returns an error if the mesh of the rig has no such vertex.
pub(super) fn known_vertex(vertex: u32, rig: &Rig) -> Result<(), EditError> {
    let count = rig.mesh.positions.len();
    check_index(vertex as usize, count, || format!("vertex {vertex}"))
}

/// Returns an error if a number is not finite or beyond the limit for data.
pub(super) fn check_all_finite(values: &[f32], what: &str) -> Result<(), EditError> {
    for &value in values {
        check_finite(value.into(), MAX_CELL_ABS.into(), what)?;
    }
    Ok(())
}

pub(super) fn check_finite(value: f64, limit: f64, what: &str) -> Result<(), EditError> {
    if !value.is_finite() {
        return Err(EditError::NotFinite(what.to_owned()));
    }
    if value.abs() > limit {
        return Err(EditError::Beyond { what: what.to_owned(), limit });
    }
    Ok(())
}

fn check_index(index: usize, count: usize, what: impl Fn() -> String) -> Result<(), EditError> {
    if index < count {
        return Ok(());
    }
    Err(EditError::NoNumber { what: what(), last: count.saturating_sub(1) })
}
