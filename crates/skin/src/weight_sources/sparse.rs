//! A sparse matrix, row by row.

/// Vectors that are multiplied at once: as many as fit the widest registers in use.
pub(super) const SIDES: usize = 4;

/// A number of each of those vectors.
pub(super) type Sides = [f64; SIDES];

/// Square; only what is not 0 is kept.
pub(super) struct SparseMatrix {
    /// Where each row begins in the two lists below, and where the last one ends.
    begins: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// From entries `(row, column, value)` in any order; those of one place are added.
    /// All rows and columns are below `size`.
    pub(super) fn new(size: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        // Stable, so that sums do not depend on how a sort shuffles equals.
        entries.sort_by_key(|&(row, column, _)| (row, column));
        let mut matrix =
            Self { begins: Vec::with_capacity(size + 1), columns: Vec::new(), values: Vec::new() };
        for same in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (row, column, _) = same[0];
            while matrix.begins.len() <= row as usize {
                matrix.begins.push(matrix.values.len());
            }
            matrix.columns.push(column);
            let sum = same.iter().map(|&(_, _, value)| value).sum();
            matrix.values.push(sum);
        }
        matrix.begins.resize(size + 1, matrix.values.len());
        matrix
    }

    /// Rows, and columns.
    pub(super) fn size(&self) -> usize {
        self.begins.len() - 1
    }

    /// Numbers that are kept.
    pub(super) fn entries(&self) -> usize {
        self.values.len()
    }

    /// `to = self · by`.
    pub(super) fn multiply(&self, by: &[Sides], to: &mut [Sides]) {
        for (ends, to) in self.begins.windows(2).zip(to) {
            let columns = &self.columns[ends[0]..ends[1]];
            let values = &self.values[ends[0]..ends[1]];
            let mut sums = [0.0; SIDES];
            for (&column, value) in columns.iter().zip(values) {
                let by = &by[column as usize];
                for side in 0..SIDES {
                    sums[side] += value * by[side];
                }
            }
            *to = sums;
        }
    }

    /// What stands on the diagonal; 0 where nothing does.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let row = |row: usize| {
            let mut range = self.begins[row]..self.begins[row + 1];
            let found = range.find(|&at| self.columns[at] as usize == row);
            found.map_or(0.0, |at| self.values[at])
        };
        (0..self.size()).map(row).collect()
    }
}
