//! Why somebody does not come into a class.

use bindpose_classroom::Refusal;

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoEntry {
    /// It will never be.
    Refused(Refusal),
    /// The relay can't be asked now; whoever comes again may be let in.
    RelayAway,
}

impl From<Refusal> for NoEntry {
    fn from(why: Refusal) -> Self {
        Self::Refused(why)
    }
}
