//! Palettes that were packed as 3 × 4 and read as 4 × 4, or the other way round: the same
//! numbers one after the other, cut elsewhere.

use glam::Mat4;

use super::held_against::Ours;
use crate::differences::{PART, apart};

/// How the numbers of a matrix lie one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Columns,
    Rows,
    ThreeRows,
    ColumnsOfThree,
}

impl Packing {
    const ALL: [Self; 4] = [Self::Columns, Self::Rows, Self::ThreeRows, Self::ColumnsOfThree];

    fn words(self) -> &'static str {
        match self {
            Self::Columns => "4 × 4, column by column",
            Self::Rows => "4 × 4, row by row",
            Self::ThreeRows => "3 × 4, without the last row",
            Self::ColumnsOfThree => "4 columns of 3 numbers",
        }
    }

    fn numbers(self, matrix: &Mat4) -> Vec<f32> {
        let cells = match self {
            Self::Columns | Self::ColumnsOfThree => matrix.to_cols_array(),
            Self::Rows | Self::ThreeRows => matrix.transpose().to_cols_array(),
        };
        match self {
            Self::Columns | Self::Rows => cells.to_vec(),
            Self::ThreeRows => cells[..12].to_vec(),
            Self::ColumnsOfThree => {
                cells.chunks_exact(4).flat_map(|column| column[..3].to_vec()).collect()
            }
        }
    }

    fn size(self) -> usize {
        match self {
            Self::Columns | Self::Rows => 16,
            Self::ThreeRows | Self::ColumnsOfThree => 12,
        }
    }
}

/// How these are ours, cut elsewhere; `None`: they are not.
pub(super) fn found(given: &[Mat4], ours: &Ours<'_>) -> Option<String> {
    let stream = |all: &[Mat4], packing: Packing| -> Vec<f32> {
        all.iter().flat_map(|matrix| packing.numbers(matrix)).collect()
    };
    let right = Packing::ALL.map(|packing| (packing, stream(ours.palette(), packing)));
    for read in Packing::ALL {
        let theirs = stream(given, read);
        for (packed, ours_packed) in &right {
            // Of one size, that is another matrix and no other cut.
            if packed.size() == read.size() && packed.size() == 16 || *packed == read {
                continue;
            }
            // The last one may be cut, or read beyond the end.
            let enough = theirs.len().min(ours_packed.len());
            let whole = enough >= 32 || given.len() == ours.palette().len();
            let mut pairs = theirs.iter().zip(ours_packed);
            let same = pairs.all(|(a, b)| {
                let size = 1.0 + a.abs().max(b.abs());
                apart(*a, *b) <= PART * size + ours.precision.slack(size)
            });
            if whole && same && enough >= 24 {
                return Some(format!(
                    "They are the joint matrices packed as {} and read as {}.",
                    packed.words(),
                    read.words()
                ));
            }
        }
    }
    None
}
