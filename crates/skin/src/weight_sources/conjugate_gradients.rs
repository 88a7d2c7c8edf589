//! The method of conjugate gradients (Hestenes and Stiefel, “Methods of conjugate
//! gradients for solving linear systems”, 1952), with the diagonal as preconditioner:
//! several right sides at once, each by itself, since reading the matrix takes longest.

/// What may be left of a right side, in the norm of the preconditioner.
const TOLERANCE: f64 = 1e-6;

/// Systems of one matrix on their way to their solutions; the matrix is symmetric and
/// positive definite.
pub(super) struct ConjugateGradients {
    solution: Vec<Sides>,
    rest: Vec<Sides>,
    direction: Vec<Sides>,
    product: Vec<Sides>,
    inverse_diagonal: Vec<f64>,
    /// rᵀ z, with z the rest divided by the diagonal.
    now: Sides,
    enough: Sides,
    /// Steps that may still be made: rounding could keep it from ever being enough.
    left: usize,
}

impl ConjugateGradients {
    /// For matrices of this one's size and diagonal.
    pub(super) fn new(matrix: &SparseMatrix) -> Self {
        let inverse = |&value: &f64| if value > 0.0 { 1.0 / value } else { 1.0 };
        let zero = vec![[0.0; RIGHT_SIDES]; matrix.size()];
        Self {
            solution: zero.clone(),
            rest: zero.clone(),
            direction: zero.clone(),
            product: zero,
            inverse_diagonal: matrix.diagonal().iter().map(inverse).collect(),
            now: [0.0; RIGHT_SIDES],
            enough: [0.0; RIGHT_SIDES],
            left: 0,
        }
    }

    /// Begins at 0 with other right sides, as many as the matrix has rows.
    pub(super) fn begin(&mut self, right: &[Sides]) {
        self.solution.fill([0.0; RIGHT_SIDES]);
        self.rest.copy_from_slice(right);
        self.now = [0.0; RIGHT_SIDES];
        let each = self.rest.iter().zip(&self.inverse_diagonal);
        for (direction, (rest, inverse)) in self.direction.iter_mut().zip(each) {
            for side in 0..RIGHT_SIDES {
                direction[side] = rest[side] * inverse;
                self.now[side] += rest[side] * direction[side];
            }
        }
        self.enough = self.now.map(|now| now * TOLERANCE * TOLERANCE);
        self.left = 2 * self.rest.len() + 50;
    }

    /// One step nearer; `false`: there is nothing left to do.
    pub(super) fn step(&mut self, matrix: &SparseMatrix) -> bool {
        let open: [bool; RIGHT_SIDES] =
            std::array::from_fn(|side| self.now[side] > self.enough[side]);
        if self.left == 0 || !open.contains(&true) {
            return false;
        }
        self.left -= 1;
        matrix.multiply(&self.direction, &mut self.product);
        let curvature = dot(&self.direction, &self.product);
        // What is solved stands still, and so does what has no direction to go.
        let part: Sides = std::array::from_fn(|side| {
            let part = self.now[side] / curvature[side];
            let goes_on = open[side] && part.is_finite() && part > 0.0;
            if goes_on { part } else { 0.0 }
        });
        if part == [0.0; RIGHT_SIDES] {
            return false;
        }
        let mut next = [0.0; RIGHT_SIDES];
        let own = self.solution.iter_mut().zip(&mut self.rest);
        let moved = self.direction.iter().zip(&self.product);
        for (((solution, rest), (direction, product)), inverse) in
            own.zip(moved).zip(&self.inverse_diagonal)
        {
            for side in 0..RIGHT_SIDES {
                solution[side] += part[side] * direction[side];
                rest[side] -= part[side] * product[side];
                next[side] += rest[side] * rest[side] * inverse;
            }
        }
        let back: Sides = std::array::from_fn(|side| match self.now[side] {
            0.0 => 0.0,
            now => next[side] / now,
        });
        self.now = next;
        let downhill = self.rest.iter().zip(&self.inverse_diagonal);
        for (direction, (rest, inverse)) in self.direction.iter_mut().zip(downhill) {
            for side in 0..RIGHT_SIDES {
                direction[side] = rest[side] * inverse + back[side] * direction[side];
            }
        }
        true
    }

    /// What it has come to.
    pub(super) fn solution(&self) -> &[Sides] {
        &self.solution
    }
}

fn dot(a: &[Sides], b: &[Sides]) -> Sides {
    let mut sums = [0.0; RIGHT_SIDES];
    for (a, b) in a.iter().zip(b) {
        for side in 0..RIGHT_SIDES {
            sums[side] += a[side] * b[side];
        }
    }
    sums
}

// A sparse matrix, row by row.

/// Vectors that are multiplied at once: as many as fit the widest registers in use.
pub(super) const RIGHT_SIDES: usize = 4;

/// A number of each of those vectors.
pub(super) type Sides = [f64; RIGHT_SIDES];

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
            let mut sums = [0.0; RIGHT_SIDES];
            for (&column, value) in columns.iter().zip(values) {
                let by = &by[column as usize];
                for side in 0..RIGHT_SIDES {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_systems_are_solved_side_by_side_and_empty_ones_end() {
        // The matrix has 4 on its diagonal and −1 beside it.
        let rows = 0..40_u32;
        let entries = rows.flat_map(|row| {
            let beside = [row.checked_sub(1), Some(row + 1).filter(|&next| next < 40)];
            let beside = beside.into_iter().flatten();
            let beside = beside.map(move |column| (row, column, -1.0));
            // In two halves, which are added.
            beside.chain([(row, row, 1.0), (row, row, 3.0)])
        });
        let matrix = SparseMatrix::new(40, entries.collect());
        // The second is far smaller, the third is 0.
        let expected: Vec<Sides> = (0..40)
            .map(|at| {
                let value = f64::from(at % 7) - 2.0;
                [value, 1e-9 * value, 0.0, f64::from(at)]
            })
            .collect();
        let mut right = vec![[0.0; RIGHT_SIDES]; 40];
        matrix.multiply(&expected, &mut right);
        let mut solver = ConjugateGradients::new(&matrix);
        solver.begin(&right);
        let mut steps = 0;
        while solver.step(&matrix) {
            steps += 1;
        }
        assert!(steps < 40, "{steps}");
        for (found, expected) in solver.solution().iter().zip(&expected) {
            for (side, scale) in [1.0, 1e-9, 1.0, 40.0].into_iter().enumerate() {
                let apart = (found[side] - expected[side]).abs();
                assert!(apart < 1e-5 * scale, "{found:?} {expected:?}");
            }
        }
        solver.begin(&vec![[0.0; RIGHT_SIDES]; 40]);
        assert!(!solver.step(&matrix), "0 is the solution");
        let none = SparseMatrix::new(0, Vec::new());
        let mut solver = ConjugateGradients::new(&none);
        solver.begin(&[]);
        assert!(!solver.step(&none) && solver.solution().is_empty());
    }
}
