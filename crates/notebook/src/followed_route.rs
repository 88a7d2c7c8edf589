//! The route that is followed.

/// By its name, which may lead nowhere: the lessons may have no such route now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Followed {
    /// Its name.
    pub(super) name: String,
    /// Index of the step that was last open on it: who leaves it comes back there.
    pub(super) at: usize,
}
