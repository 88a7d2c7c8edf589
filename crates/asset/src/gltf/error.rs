//! What can be wrong with a file: where, what was expected, what was found,
//! and what to do.

use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Severity};

use crate::budget::OverBudget;
use crate::progress::Cancelled;

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GltfError {
    /// What sort of fault it is.
    pub kind: GltfErrorKind,
    /// Where: a JSON pointer such as `/accessors/3/bufferView`, or the name of a
    /// part of the file.
    pub path: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What to do about it.
    pub remedy: String,
}

/// Sorts of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GltfErrorKind {
    /// Neither a GLB nor JSON, or cut off.
    Container,
    /// JSON that is not glTF.
    Json,
    /// Something that must be there is not.
    Missing,
    /// An index or a range that leads outside.
    OutOfBounds,
    /// Data of the wrong type, or a number that makes no sense.
    Invalid,
    /// Nodes that contain each other, or have two parents.
    NotATree,
    /// Valid, but beyond this program.
    Unsupported,
    /// More than this program is willing to hold.
    TooLarge,
    /// [`TaskProgress`](crate::TaskProgress) was cancelled.
    Cancelled,
}

impl GltfErrorKind {
    /// Its name for programs, and a sentence for people about the file.
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
    /// A fault of which is still to be said what was expected; and what to do, if it is
    /// not to export the file again.
    pub(crate) fn new(kind: GltfErrorKind, path: impl fmt::Display) -> Self {
        let (expected, found) = (String::new(), String::new());
        let remedy = "export the file again".to_owned();
        Self { kind, path: path.to_string(), expected, found, remedy }
    }

    /// What should stand there, and what does.
    pub(crate) fn expected(self, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { expected: expected.to_string(), found: found.to_string(), ..self }
    }

    /// What to do about it.
    pub(crate) fn help(self, remedy: impl fmt::Display) -> Self {
        Self { remedy: remedy.to_string(), ..self }
    }

    /// An index that names nothing.
    pub(super) fn dangling(
        path: impl fmt::Display,
        what: &str,
        count: usize,
        found: usize,
    ) -> Self {
        Self::new(GltfErrorKind::OutOfBounds, path)
            .expected(format_args!("the index of one of {count} {what}"), found)
            .help("the file was cut or edited by hand; export it again")
    }

    /// More than a file may take; `path` names who asks.
    pub(super) fn over_budget(over: OverBudget, path: impl fmt::Display) -> Self {
        let (expected, found) = (over.expected(), over.found());
        Self::new(GltfErrorKind::TooLarge, path).expected(expected, found).help(over.remedy())
    }

    pub(super) fn missing(path: impl fmt::Display, expected: &str) -> Self {
        Self::new(GltfErrorKind::Missing, path).expected(expected, "nothing")
    }
}

// What was left out of a file that opens nevertheless.

/// Collected while reading.
#[derive(Debug, Default)]
pub(super) struct ReadingNotes(Vec<Diagnostic>);

/// Notes of one code; of others after them only their number is told.
const MOST: usize = 50;

impl ReadingNotes {
    /// A fault that was no reason to stop, and what it does to the picture.
    pub(super) fn left_out(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Warning, code, error, effect);
    }

    /// Something that is good to know.
    pub(super) fn good_to_know(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Note, code, error, effect);
    }

    /// Why something at this place, or below it, was left out.
    pub(super) fn why_left_out(&self, pointer: &str) -> Option<GltfError> {
        let is_below = |note: &&Diagnostic| {
            let below = note.at.pointer().strip_prefix(pointer);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.0.iter().find(is_below).map(|note| {
            let (expected, found) = (&note.expected, &note.found);
            GltfError::new(GltfErrorKind::Json, note.at.pointer())
                .expected(expected, found)
                .help(&note.help)
        })
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
        if let (Some(last), Some(_)) = (of_code.next(), of_code.nth(MOST - 2)) {
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
