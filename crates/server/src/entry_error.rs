use bindpose_classroom::RejectReason;

/// Reason why a client cannot enter a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryError {
    /// The client is rejected. A new attempt would be too.
    Refused(RejectReason),
    /// The relay does not respond. A new attempt may succeed.
    RelayUnavailable,
}

impl From<RejectReason> for EntryError {
    fn from(refusal: RejectReason) -> Self {
        Self::Refused(refusal)
    }
}
