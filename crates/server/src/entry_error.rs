use bindpose_classroom::Refusal;

/// Reason why a client cannot enter a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryError {
    /// The client is rejected. A new attempt would be too.
    Refused(Refusal),
    /// The relay does not respond. A new attempt may succeed.
    RelayUnavailable,
}

impl From<Refusal> for EntryError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
