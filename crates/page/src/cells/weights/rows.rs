//! The rows of the table of weights.

/// Which vertices have a row.
pub(super) enum WeightRows {
    /// So many, each in the row of its number: nothing of the size of a mesh is made.
    All(u32),
    Listed(Vec<u32>),
}

impl WeightRows {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::All(count) => *count as usize,
            Self::Listed(vertices) => vertices.len(),
        }
    }

    pub(super) fn at(&self, row: usize) -> Option<u32> {
        match self {
            Self::All(count) => u32::try_from(row).ok().filter(|row| row < count),
            Self::Listed(vertices) => vertices.get(row).copied(),
        }
    }

    pub(super) fn place_of(&self, vertex: u32) -> Option<usize> {
        match self {
            Self::All(count) => (vertex < *count).then_some(vertex as usize),
            Self::Listed(vertices) => vertices.iter().position(|&other| other == vertex),
        }
    }
}
