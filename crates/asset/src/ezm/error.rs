//! What can be wrong with an EZMesh file: where, what was expected, what was
//! found, and what to do.

use std::fmt;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

/// Faults that are kept word for word; more are only counted.
const KEPT: usize = 20;
/// What went wrong elsewhere, mostly: the exporter.
pub(super) const EXPORT_AGAIN: &str = "export the file again";

/// A file that cannot be read, with all that is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EzmError {
    /// At least one, in the order in which they were met; at most twenty.
    pub faults: Vec<EzmFault>,
    /// How many more there are.
    pub more: usize,
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EzmFault {
    /// What sort of fault it is.
    pub kind: EzmErrorKind,
    /// Where, as an `XPath`: `/MeshSystem/Skeletons/Skeleton[2]/Bone[3]/@parent`.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What to do about it.
    pub remedy: String,
}

/// Sorts of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EzmErrorKind {
    /// Not text, not XML, or cut off.
    Xml,
    /// XML of another kind.
    Format,
    /// Something that must be there is not.
    Missing,
    /// A name that stands for two things.
    Repeated,
    /// A name or an index that stands for nothing.
    Dangling,
    /// A count that is not the number of things.
    Count,
    /// A number that is none, or makes no sense.
    Number,
    /// Bones that are their own ancestors.
    Cycle,
    /// More than this program is willing to hold.
    TooLarge,
}

impl EzmError {
    /// A fault of the file as a whole.
    pub(super) fn whole((line, column): (u32, u32), wrong: EzmFault) -> Self {
        let fault = EzmFault { path: "/".to_owned(), line, column, ..wrong };
        Self { faults: vec![fault], more: 0 }
    }

    /// Are further faults only counted?
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() >= KEPT
    }

    pub(super) fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }
}

impl EzmFault {
    /// What to do about it.
    pub(super) fn help(self, remedy: &str) -> Self {
        Self { remedy: remedy.to_owned(), ..self }
    }
}

impl EzmErrorKind {
    /// What should stand somewhere, and what does. Where that is, is still to be said; and
    /// what to do, if it is not to export the file again.
    pub(super) fn expected(
        self,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> EzmFault {
        EzmFault {
            kind: self,
            path: String::new(),
            line: 1,
            column: 1,
            expected: expected.to_string(),
            found: found.to_string(),
            remedy: EXPORT_AGAIN.to_owned(),
        }
    }

    /// Its name for programs, and a sentence for people about the file.
    pub fn code_and_title(self) -> (&'static str, &'static str) {
        match self {
            Self::Xml => ("EZM_XML", "The file is cut off, or is no XML."),
            Self::Format => ("EZM_FORMAT", "Its XML is not that of an EZMesh file."),
            Self::Missing => ("EZM_MISSING", "Something that it needs is not there."),
            Self::Repeated => ("EZM_REPEATED", "Two things in it have the same name."),
            Self::Dangling => ("EZM_DANGLING", "It points to something that is not there."),
            Self::Count => ("EZM_WRONG_COUNT", "It does not hold as much as it says."),
            Self::Number => ("EZM_NUMBER", "Some of its numbers make no sense."),
            Self::Cycle => ("EZM_CYCLE", "Its bones form no tree."),
            Self::TooLarge => ("EZM_TOO_LARGE", "It is too large."),
        }
    }
}

/// The first fault, and how many there are.
impl From<EzmError> for Diagnostic {
    fn from(error: EzmError) -> Self {
        let count = error.faults.len() + error.more;
        match error.faults.into_iter().next() {
            Some(first) => Self { count, ..first.into() },
            None => Self::said("EZM_FORMAT", "nothing is wrong"),
        }
    }
}

impl From<EzmFault> for Diagnostic {
    fn from(fault: EzmFault) -> Self {
        let at = LineColumn { line: fault.line as usize, column: fault.column as usize };
        Self { code: fault.kind.code_and_title().0, ..Self::expected(fault.expected, fault.found) }
            .help(fault.remedy)
            .at(Place::Xml { path: fault.path, at })
    }
}

impl fmt::Display for EzmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for EzmError {}
