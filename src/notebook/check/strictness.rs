//! How bad what is found in the prose of a lesson is.

use crate::diagnostic::Severity;

/// A number that changes and is not marked as one that does.
pub(super) const UNMARKED_NUMBER: Severity = Severity::Warning;
/// A symbol that the table of symbols lacks, or places in the wrong lesson.
pub(super) const UNKNOWN_SYMBOL: Severity = Severity::Warning;
/// More words than a step should have.
pub(super) const LONG_STEP: Severity = Severity::Warning;
/// An answer that is told before it is asked for.
pub(super) const TOLD_ANSWER: Severity = Severity::Warning;
