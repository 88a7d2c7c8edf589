//! The conjugate gradient method (Hestenes and Stiefel, “Methods of conjugate gradients for
//! solving linear systems”, 1952), with the diagonal as preconditioner.
//!
//! Solves several independent systems with the same matrix at once, because reading the matrix
//! takes most of the time.

/// Maximum residual relative to the right-hand side, in the norm of the preconditioner.
const TOLERANCE: f64 = 1e-6;

/// Number of systems solved at once: as many as fit the widest registers in use.
pub(super) const SYSTEM_COUNT: usize = 4;

/// One number of each system.
pub(super) type Systems = [f64; SYSTEM_COUNT];

/// An iterative solver for linear systems with a symmetric positive definite matrix.
pub(super) struct ConjugateGradients {
    solution: Vec<Systems>,
    residual: Vec<Systems>,
    direction: Vec<Systems>,
    /// The matrix times `direction`.
    product: Vec<Systems>,
    inverse_diagonal: Vec<f64>,
    /// Squared norm rᵀ z of the residual r, with z the residual divided by the diagonal.
    squared_norm: Systems,
    /// Squared norm at which a system counts as solved.
    target_norm: Systems,
    /// Number of steps until the solver gives up. Rounding errors could keep it from ever
    /// reaching `target_norm`.
    remaining_steps: usize,
}

impl ConjugateGradients {
    /// Creates a solver for a matrix. [`Self::begin`] sets the right-hand sides.
    pub(super) fn new(matrix: &SparseMatrix) -> Self {
        let zero = vec![[0.0; SYSTEM_COUNT]; matrix.size()];
        Self {
            solution: zero.clone(),
            residual: zero.clone(),
            direction: zero.clone(),
            product: zero,
            inverse_diagonal: matrix
                .diagonal()
                .iter()
                .map(|&value| if value > 0.0 { 1.0 / value } else { 1.0 })
                .collect(),
            squared_norm: [0.0; SYSTEM_COUNT],
            target_norm: [0.0; SYSTEM_COUNT],
            remaining_steps: 0,
        }
    }

    /// Starts from 0 with new right-hand sides, one entry per row of the matrix.
    pub(super) fn begin(&mut self, right_sides: &[Systems]) {
        self.solution.fill([0.0; SYSTEM_COUNT]);
        self.residual.copy_from_slice(right_sides);
        self.squared_norm = [0.0; SYSTEM_COUNT];
        let residuals = self.residual.iter().zip(&self.inverse_diagonal);
        for (direction, (residual, inverse)) in self.direction.iter_mut().zip(residuals) {
            for system in 0..SYSTEM_COUNT {
                direction[system] = residual[system] * inverse;
                self.squared_norm[system] += residual[system] * direction[system];
            }
        }
        self.target_norm = self.squared_norm.map(|norm| norm * TOLERANCE * TOLERANCE);
        self.remaining_steps = 2 * self.residual.len() + 50;
    }

    /// Performs one step. Returns `false` if all systems are solved or cannot be improved.
    pub(super) fn step(&mut self, matrix: &SparseMatrix) -> bool {
        let is_open: [bool; SYSTEM_COUNT] =
            std::array::from_fn(|system| self.squared_norm[system] > self.target_norm[system]);
        if self.remaining_steps == 0 || !is_open.contains(&true) {
            return false;
        }
        self.remaining_steps -= 1;
        matrix.multiply(&self.direction, &mut self.product);
        let curvature = dot(&self.direction, &self.product);
        // Solved systems get a step of 0, and so do those without a direction of descent.
        let step: Systems = std::array::from_fn(|system| {
            let step = self.squared_norm[system] / curvature[system];
            if is_open[system] && step.is_finite() && step > 0.0 { step } else { 0.0 }
        });
        if step == [0.0; SYSTEM_COUNT] {
            return false;
        }
        let mut next_norm = [0.0; SYSTEM_COUNT];
        let state = self.solution.iter_mut().zip(&mut self.residual);
        let change = self.direction.iter().zip(&self.product);
        for (((solution, residual), (direction, product)), inverse) in
            state.zip(change).zip(&self.inverse_diagonal)
        {
            for system in 0..SYSTEM_COUNT {
                solution[system] += step[system] * direction[system];
                residual[system] -= step[system] * product[system];
                next_norm[system] += residual[system] * residual[system] * inverse;
            }
        }
        let beta: Systems = std::array::from_fn(|system| match self.squared_norm[system] {
            0.0 => 0.0,
            norm => next_norm[system] / norm,
        });
        self.squared_norm = next_norm;
        let residuals = self.residual.iter().zip(&self.inverse_diagonal);
        for (direction, (residual, inverse)) in self.direction.iter_mut().zip(residuals) {
            for system in 0..SYSTEM_COUNT {
                direction[system] = residual[system] * inverse + beta[system] * direction[system];
            }
        }
        true
    }

    pub(super) fn solution(&self) -> &[Systems] {
        &self.solution
    }
}

fn dot(a: &[Systems], b: &[Systems]) -> Systems {
    let mut sums = [0.0; SYSTEM_COUNT];
    for (a, b) in a.iter().zip(b) {
        for system in 0..SYSTEM_COUNT {
            sums[system] += a[system] * b[system];
        }
    }
    sums
}

/// A square matrix in compressed row storage.
pub(super) struct SparseMatrix {
    /// Start of each row in `columns` and `values`, and the end of the last one.
    row_starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// Creates a matrix from entries `(row, column, value)` in any order, which are summed for
    /// each cell. All rows and columns must be below `size`.
    pub(super) fn new(size: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        // A stable sort fixes the order of sums.
        entries.sort_by_key(|&(row, column, _)| (row, column));
        let mut matrix = Self {
            row_starts: Vec::with_capacity(size + 1),
            columns: Vec::new(),
            values: Vec::new(),
        };
        for cell in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (row, column, _) = cell[0];
            while matrix.row_starts.len() <= row as usize {
                matrix.row_starts.push(matrix.values.len());
            }
            matrix.columns.push(column);
            matrix.values.push(cell.iter().map(|&(_, _, value)| value).sum());
        }
        matrix.row_starts.resize(size + 1, matrix.values.len());
        matrix
    }

    /// Returns the number of rows, which is the number of columns.
    pub(super) fn size(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Returns the number of stored cells.
    pub(super) fn entry_count(&self) -> usize {
        self.values.len()
    }

    /// Multiplies the matrix by a vector of each system.
    pub(super) fn multiply(&self, vectors: &[Systems], products: &mut [Systems]) {
        for (range, product) in self.row_starts.windows(2).zip(products) {
            let columns = &self.columns[range[0]..range[1]];
            let values = &self.values[range[0]..range[1]];
            let mut sums = [0.0; SYSTEM_COUNT];
            for (&column, value) in columns.iter().zip(values) {
                let vector = &vectors[column as usize];
                for system in 0..SYSTEM_COUNT {
                    sums[system] += value * vector[system];
                }
            }
            *product = sums;
        }
    }

    /// Returns the diagonal, with 0 for cells that are not stored.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.size()];
        for (row, value) in diagonal.iter_mut().enumerate() {
            let mut range = self.row_starts[row]..self.row_starts[row + 1];
            if let Some(index) = range.find(|&index| self.columns[index] as usize == row) {
                *value = self.values[index];
            }
        }
        diagonal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_systems_are_solved_together_and_empty_ones_end() {
        // A matrix with 4 on its diagonal, as a sum of two entries, and −1 beside it.
        let mut entries = Vec::new();
        for row in 0..40 {
            entries.extend([(row, row, 1.0), (row, row, 3.0)]);
            if row > 0 {
                entries.push((row, row - 1, -1.0));
            }
            if row + 1 < 40 {
                entries.push((row, row + 1, -1.0));
            }
        }
        let matrix = SparseMatrix::new(40, entries);
        // The second system has a far smaller solution, and that of the third is 0.
        let expected: Vec<Systems> = (0..40)
            .map(|row| {
                let value = f64::from(row % 7) - 2.0;
                [value, 1e-9 * value, 0.0, f64::from(row)]
            })
            .collect();
        let mut right_sides = vec![[0.0; SYSTEM_COUNT]; 40];
        matrix.multiply(&expected, &mut right_sides);
        let mut solver = ConjugateGradients::new(&matrix);
        solver.begin(&right_sides);
        let mut steps = 0;
        while solver.step(&matrix) {
            steps += 1;
        }
        assert!(steps < 40, "{steps}");
        for (found, expected) in solver.solution().iter().zip(&expected) {
            for (system, scale) in [1.0, 1e-9, 1.0, 40.0].into_iter().enumerate() {
                let error = (found[system] - expected[system]).abs();
                assert!(error < 1e-5 * scale, "{found:?} {expected:?}");
            }
        }
        solver.begin(&vec![[0.0; SYSTEM_COUNT]; 40]);
        assert!(!solver.step(&matrix), "0 is the solution");
        let empty = SparseMatrix::new(0, Vec::new());
        let mut solver = ConjugateGradients::new(&empty);
        solver.begin(&[]);
        assert!(!solver.step(&empty) && solver.solution().is_empty());
    }
}
