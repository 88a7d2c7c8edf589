//! What of the answers at the step in sight has been noted already.

use std::collections::BTreeSet;

/// What was answered at the step in sight when it was looked at last.
#[derive(Clone, Debug, Default)]
pub(super) struct NotedAnswers {
    /// Names of the cells that stood solved, or revealed.
    pub(super) answered: BTreeSet<String>,
    /// Was something changed since, by the reader?
    pub(super) pending: bool,
    /// The day that new entries of the record bear; `None`: they bear none.
    pub(super) today: Option<String>,
    /// How long the step has been in sight; absent: not measured.
    pub(super) secs_in_sight: Option<f64>,
    /// Of these, those before the fault that is hidden now was drawn.
    pub(super) secs_before_draw: f64,
}
