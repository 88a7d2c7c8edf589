//! How the matrices of a page are written down: as the step says, else as the reader
//! has it on all pages.

use bindpose_skin::{ConventionAxes, Conventions, MemoryOrder, Vectors};

/// What a step says of it; `None`: as the reader has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenAs {
    /// On which side vectors stand.
    pub vectors: Option<Vectors>,
    /// In which order numbers lie in memory.
    pub memory: Option<MemoryOrder>,
    /// What places are given in.
    pub axes: Option<ConventionAxes>,
}

impl WrittenAs {
    /// What holds on this page, for a reader who has `usual` elsewhere.
    pub fn over(self, usual: Conventions) -> Conventions {
        Conventions {
            vectors: self.vectors.unwrap_or(usual.vectors),
            memory: self.memory.unwrap_or(usual.memory),
            axes: self.axes.unwrap_or(usual.axes),
        }
    }
}
