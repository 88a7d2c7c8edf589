//! Exercises that can be done again with other numbers: their cell lists draws,
//! and is read once with each of them.

/// A cell with its draws: at least one, which has no numbers where the cell lists
/// none.
#[derive(Clone, Debug, PartialEq)]
pub struct CellDraws<T> {
    /// Apart, since questions say much.
    first: Box<Draw<T>>,
    others: Vec<Draw<T>>,
}

/// A cell as it reads with one set of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw<T> {
    /// By their names; radians for angles.
    pub numbers: Vec<(String, f64)>,
    /// What the cell says with them.
    pub cell: T,
}

impl<T> CellDraws<T> {
    /// A cell that lists no draws.
    pub fn alone(cell: T) -> Self {
        let numbers = Vec::new();
        Self { first: Box::new(Draw { numbers, cell }), others: Vec::new() }
    }

    /// `None` when there are none.
    pub(crate) fn from_draws(draws: Vec<Draw<T>>) -> Option<Self> {
        let mut draws = draws.into_iter();
        Some(Self { first: Box::new(draws.next()?), others: draws.collect() })
    }

    /// The cell with a draw, by index; past the last, the first counts.
    pub fn with(&self, draw: usize) -> &T {
        self.iter().nth(draw).map_or(&self.first.cell, |d| &d.cell)
    }

    /// All draws in the order of the cell.
    pub fn iter(&self) -> impl Iterator<Item = &Draw<T>> {
        std::iter::once(&*self.first).chain(&self.others)
    }

    /// As [`Self::iter`], to change what they say.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Draw<T>> {
        std::iter::once(&mut *self.first).chain(&mut self.others)
    }

    /// How many there are; 1 where none are listed.
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// The one after; after the last, the first. `None` when there is no other.
    pub fn after(&self, draw: usize) -> Option<usize> {
        (!self.others.is_empty()).then(|| (draw + 1) % self.count())
    }
}

/// Numbers of a draw, for people: `up = 0.5, turn = 1.0472`.
pub fn numbers_text(numbers: &[(String, f64)]) -> String {
    let each = numbers.iter().map(|(name, value)| {
        let value = (value * 1e4).round() / 1e4;
        format!("{name} = {value}")
    });
    each.collect::<Vec<_>>().join(", ")
}
