//! Errors of the glTF reader, and notes on parts that it has skipped.

use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Severity};

use crate::budget::OverBudget;
use crate::progress::Cancelled;

/// Error of a glTF file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GltfError {
    /// Category of the error.
    pub kind: GltfErrorKind,
    /// Location in the file: a JSON pointer such as `/accessors/3/bufferView`, or the name
    /// of a part of the file.
    pub path: String,
    /// Description of valid content at that location.
    pub expected: String,
    /// Description of the actual content.
    pub found: String,
    /// Advice how to correct the file.
    pub remedy: String,
}

/// Category of a [`GltfError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GltfErrorKind {
    /// The file is neither GLB nor JSON, or it is truncated.
    Container,
    /// The JSON does not conform to glTF.
    Json,
    /// A required part of the file is absent.
    Missing,
    /// An index or a range is out of bounds.
    OutOfBounds,
    /// Data has the wrong type or an invalid value.
    Invalid,
    /// A node is its own ancestor, or has several parents.
    NotATree,
    /// The file is valid, but uses an unsupported feature.
    Unsupported,
    /// The file exceeds a limit of size or memory.
    TooLarge,
    /// [`TaskProgress`](crate::TaskProgress) was cancelled.
    Cancelled,
}

impl GltfErrorKind {
    /// Returns the code of the category for programs, and its title for users.
    pub fn code_and_title(self) -> (&'static str, &'static str) {
        match self {
            Self::Container => ("GLTF_CONTAINER", "The file is cut off, or is no model."),
            Self::Json => ("GLTF_JSON", "Its JSON is not that of a glTF file."),
            Self::Missing => ("GLTF_MISSING", "Something that it needs is not there."),
            Self::OutOfBounds => ("GLTF_OUT_OF_BOUNDS", "It points to something outside its data."),
            Self::Invalid => ("GLTF_INVALID", "Some of its data makes no sense."),
            Self::NotATree => ("GLTF_NOT_A_TREE", "Its nodes form no tree."),
            Self::Unsupported => {
                ("GLTF_UNSUPPORTED", "It needs something that this program cannot read.")
            }
            Self::TooLarge => ("GLTF_TOO_LARGE", "It is too large."),
            Self::Cancelled => ("GLTF_CANCELLED", "Opening was stopped."),
        }
    }
}

impl From<GltfError> for Diagnostic {
    fn from(error: GltfError) -> Self {
        Self { code: error.kind.code_and_title().0, ..Self::expected(error.expected, error.found) }
            .help(error.remedy)
            .at(ModelPlace::at(error.path).into())
    }
}

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for GltfError {}

impl From<Cancelled> for GltfError {
    fn from(_: Cancelled) -> Self {
        Self::new(GltfErrorKind::Cancelled, "the file")
            .expected("to be read to its end", "a wish to stop")
            .help("open it again")
    }
}

impl GltfError {
    /// Creates an error without expectation and finding, and with the default remedy.
    pub(crate) fn new(kind: GltfErrorKind, path: impl fmt::Display) -> Self {
        Self {
            kind,
            path: path.to_string(),
            expected: String::new(),
            found: String::new(),
            remedy: "export the file again".to_owned(),
        }
    }

    /// Sets the expectation and the finding.
    pub(crate) fn expected(self, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { expected: expected.to_string(), found: found.to_string(), ..self }
    }

    /// Sets the remedy.
    pub(crate) fn help(self, remedy: impl fmt::Display) -> Self {
        Self { remedy: remedy.to_string(), ..self }
    }

    /// Creates the error for an index into a list of `count` entries that is out of bounds.
    pub(super) fn dangling(
        path: impl fmt::Display,
        list: &str,
        count: usize,
        index: usize,
    ) -> Self {
        Self::new(GltfErrorKind::OutOfBounds, path)
            .expected(format_args!("the index of one of {count} {list}"), index)
            .help("the file was cut or edited by hand; export it again")
    }

    /// Creates the error for an exceeded budget. `path` is the part that exceeded it.
    pub(super) fn over_budget(over: OverBudget, path: impl fmt::Display) -> Self {
        Self::new(GltfErrorKind::TooLarge, path)
            .expected(over.expected(), over.found())
            .help(over.remedy())
    }

    pub(super) fn missing(path: impl fmt::Display, expected: &str) -> Self {
        Self::new(GltfErrorKind::Missing, path).expected(expected, "nothing")
    }
}

/// Warnings and notes collected while reading.
#[derive(Debug, Default)]
pub(super) struct ReadingNotes(Vec<Diagnostic>);

/// Limit for notes with the same code. Further ones only increase the count of the last.
const MAX_NOTES_PER_CODE: usize = 50;

impl ReadingNotes {
    /// Adds a warning about a skipped part. `effect` describes the effect on the picture.
    pub(super) fn left_out(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Warning, code, error, effect);
    }

    /// Adds a note that is no warning.
    pub(super) fn good_to_know(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Note, code, error, effect);
    }

    /// Returns the error for which a part at `pointer` or below it was skipped.
    pub(super) fn why_left_out(&self, pointer: &str) -> Option<GltfError> {
        let note = self.0.iter().find(|note| {
            let rest = note.at.pointer().strip_prefix(pointer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })?;
        let error = GltfError::new(GltfErrorKind::Json, note.at.pointer())
            .expected(&note.expected, &note.found)
            .help(&note.help);
        Some(error)
    }

    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        self.0
    }

    fn add(&mut self, severity: Severity, code: &'static str, error: GltfError, effect: &str) {
        let title = match severity {
            Severity::Note => "Something in the file is good to know.",
            Severity::Warning | Severity::Error => "A part of the file was left out.",
        };
        let mut of_code = self.0.iter_mut().rev().filter(|note| note.code == code);
        if let Some(last) = of_code.next()
            && of_code.count() + 1 >= MAX_NOTES_PER_CODE
        {
            last.count += 1;
            return;
        }
        self.0.push(Diagnostic {
            severity,
            code,
            title: title.to_owned(),
            effect: effect.to_owned(),
            ..error.into()
        });
    }
}
