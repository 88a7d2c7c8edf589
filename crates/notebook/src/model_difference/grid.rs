//! Points by where they are, each taken once.

use std::collections::HashMap;

use glam::Vec3;

/// Points that are looked at for one place. More than these stand closer together than
/// exporters round only where there are many copies of one point, and those all fit.
const LOOKED_AT: usize = 512;

/// Numbers of points by cell and class; of one place, the lowest number first.
pub(super) struct PointGrid {
    cell: f32,
    cells: HashMap<Key, Vec<u32>>,
}

/// A point that was found, until another is taken.
#[derive(Clone, Copy)]
pub(super) struct FoundPoint {
    /// Its number.
    pub(super) number: u32,
    key: Key,
    slot: usize,
}

type Key = ([i32; 3], u64);

impl PointGrid {
    /// `points`: the number of each, where it is, and its class, in the order of the
    /// numbers. `reach`: how far from a place its points may be.
    pub(super) fn new<P>(points: P, reach: f32) -> Self
    where
        P: Iterator<Item = (u32, Vec3, u64)> + DoubleEndedIterator,
    {
        let mut grid = Self { cell: reach * 2.0, cells: HashMap::new() };
        for (number, place, class) in points.rev() {
            let key = (cell_of(place, grid.cell), class);
            grid.cells.entry(key).or_default().push(number);
        }
        grid
    }

    /// The first points of a class that may be within reach, and perhaps others.
    pub(super) fn near(&self, place: Vec3, class: u64) -> impl Iterator<Item = FoundPoint> {
        let middle = cell_of(place, self.cell);
        // The cell of the place itself is the first.
        let around = (0..27).map(move |at| {
            let at = (at + 13) % 27;
            let step = [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1];
            [0, 1, 2].map(|axis: usize| middle[axis].saturating_add(step[axis]))
        });
        let found = around.flat_map(move |cell| {
            let key = (cell, class);
            let cell = self.cells.get(&key).map_or(&[][..], Vec::as_slice);
            let slots = cell.iter().enumerate();
            slots.rev().map(move |(slot, &number)| FoundPoint { number, key, slot })
        });
        found.take(LOOKED_AT)
    }

    /// It is not found again.
    pub(super) fn take(&mut self, found: FoundPoint) {
        if let Some(cell) = self.cells.get_mut(&found.key)
            && found.slot < cell.len()
        {
            cell.swap_remove(found.slot);
        }
    }
}

/// What is too far out, or no number, is in the last cell.
fn cell_of(place: Vec3, cell: f32) -> [i32; 3] {
    (place / cell).to_array().map(|at| at.floor() as i32)
}
