//! Products that readers take apart: what they have made of one, what it comes to,
//! where its frames meet, and where a vertex goes by it.

mod state;

use bindpose_lesson::{CellKind, ChainCell, Factor, Lesson, MatrixProduct, MatrixRef};
use bindpose_skin::{CoordinateFrame, NamedTransform};
use glam::{Mat4, Vec3};

use crate::exercise_cells::cells_at;
use crate::matrix::{BrokenSeam, PageMatrix, resolve};
use crate::number_text::capitalised;
use crate::{Derived, Document};

pub use state::ChainState;

/// A product as the cell of that name stands in a document.
pub fn chain_of(document: &Document, id: &str, cell: &ChainCell) -> ChainState {
    let changed = document.state.chains.get(id).cloned();
    changed.unwrap_or_else(|| ChainState::at_rung(cell, *cell.rungs().start()))
}

/// The products on the page of a document, by the name of their cell.
pub fn chains_at<'a>(
    lesson: &'a Lesson,
    document: &Document,
) -> impl Iterator<Item = (&'a str, &'a ChainCell)> {
    cells_at(lesson, document.step).filter_map(|cell| match &cell.kind {
        CellKind::Chain(chain) => Some((&*cell.id, chain)),
        _ => None,
    })
}

// Factors with their numbers and frames, and what they multiply to.

/// A factor on the page.
#[derive(Clone, Debug)]
pub struct ChainFactor {
    /// As it is multiplied: inverted and transposed, with its frames. It cannot be
    /// edited if it was changed.
    pub source: PageMatrix,
    /// Transposed matrices take rows, and meet only each other.
    pub transposed: bool,
    /// Its inverse is asked for, and there is none.
    pub singular: bool,
}

/// A product on the page.
#[derive(Clone, Debug)]
pub struct ChainProduct {
    /// From left to right; `None` is a blank place.
    pub factors: Vec<Option<ChainFactor>>,
}

impl ChainProduct {
    /// Looks the factors up.
    ///
    /// Errors: in words, when the rig has no such joint or vertex.
    pub fn resolved(
        product: &MatrixProduct,
        document: &Document,
        derived: &Derived,
    ) -> Result<Self, String> {
        let places = product.0.iter();
        let factor = |factor: &Option<Factor>| {
            let factor = factor.as_ref();
            let factor = factor.map(|factor| resolved(factor, document, derived));
            factor.transpose()
        };
        let factors = places.map(factor).collect::<Result<_, String>>()?;
        Ok(Self { factors })
    }

    /// Why there is no product, in words: a blank, or a matrix without an inverse.
    pub fn missing(&self) -> Option<String> {
        let mut singular = self.factors.iter().flatten().filter(|f| f.singular);
        if let Some(factor) = singular.next() {
            // The name is that of the inverse: from where the matrix leads.
            let named = &factor.source.named;
            return Some(format!(
                "The matrix from {} to {} has no inverse now: its determinant is 0.",
                named.to, named.from
            ));
        }
        let blanks = self.factors.iter().filter(|factor| factor.is_none());
        match blanks.count() {
            0 => None,
            1 => Some("A place is blank.".to_owned()),
            blanks => Some(format!("{blanks} places are blank.")),
        }
    }

    /// What it comes to, whether frames meet or not; `None` where something is missing,
    /// and for the empty product, which has no frames.
    pub fn value(&self) -> Option<NamedTransform> {
        self.part(0, self.factors.len())
    }

    /// The product of the factors left of a place, and that of the rest.
    pub fn cut(&self, place: usize) -> Option<[NamedTransform; 2]> {
        let (left, right) = (self.part(0, place)?, self.part(place, self.factors.len())?);
        Some([left, right])
    }

    fn part(&self, start: usize, end: usize) -> Option<NamedTransform> {
        let factors = self.factors.get(start..end)?.iter();
        let named = factors.map(|factor| {
            let factor = factor.as_ref().filter(|factor| !factor.singular)?;
            Some(factor.source.named)
        });
        let named: Vec<NamedTransform> = named.collect::<Option<_>>()?;
        let mut named = named.into_iter();
        let first = named.next()?;
        Some(named.fold(first, |left, right| match left.times(&right) {
            Ok(product) => product,
            Err(mismatch) => mismatch.product,
        }))
    }

    /// Neighbours whose touching frames differ, by the place of the left one.
    pub fn seams(&self) -> Vec<BrokenSeam> {
        let pairs = self.factors.windows(2).enumerate();
        let broken = pairs.filter_map(|(left, pair)| {
            let [Some(a), Some(b)] = pair else {
                return None;
            };
            let words = if a.transposed == b.transposed {
                a.source.named.times(&b.source.named).err()?.to_string()
            } else {
                NOT_BOTH_TRANSPOSED.to_owned()
            };
            let words = format!("{}.", capitalised(&words));
            Some(BrokenSeam { left, words })
        });
        broken.collect()
    }

    /// Do columns go through it? Rows do where all is transposed.
    pub fn takes_columns(&self) -> bool {
        let mut factors = self.factors.iter().flatten();
        factors.all(|factor| !factor.transposed)
    }
}

const NOT_BOTH_TRANSPOSED: &str = "one of two neighbours is transposed: it takes row vectors, \
                                   which the other does not; transpose both, and swap them";

fn resolved(
    factor: &Factor,
    document: &Document,
    derived: &Derived,
) -> Result<ChainFactor, String> {
    let &Factor { ref matrix, inverted, transposed } = factor;
    let mut source = resolve(matrix, document, derived)?;
    let stored = source.named;
    let mut singular = false;
    if inverted {
        singular = stored.mat.determinant() == 0.0 || !stored.mat.inverse().is_finite();
        source = changed(&source, stored.mat.inverse(), "inverse of the ");
    }
    if transposed {
        let mat = source.named.mat.transpose();
        source = changed(&source, mat, "transposed ");
    }
    Ok(ChainFactor { source, transposed, singular })
}

/// It leads the other way: an inverse as it is used, a transposed matrix for rows.
fn changed(source: &PageMatrix, mat: Mat4, before: &str) -> PageMatrix {
    let NamedTransform { to, from, .. } = source.named;
    let named = NamedTransform { to: from, from: to, mat };
    let title = format!("{before}{}", source.title);
    PageMatrix::read_only(named, source.owner, &title)
}

// Does a product come to what it should?

/// How far numbers of ordinary size may be off: they come from 32-bit floats.
const ROUNDING: f32 = 1e-4;

/// First angle and distance to the next, in radians, of poses in which it is tried:
/// any in which no joint stands as at rest and no two turn alike.
const POSES: [(f64, f64); 2] = [(0.37, 0.23), (-0.81, 0.17)];

/// True when the product comes to the matrix now and in other poses too: at rest many
/// wrong ones do. False where a place is blank.
pub fn comes_to_goal(
    product: &MatrixProduct,
    goal: &MatrixRef,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> bool {
    let comes = |document: &Document, derived: &Derived| {
        is_equal(product, goal, document, derived).unwrap_or(false)
    };
    comes(document, derived)
        && POSES.into_iter().all(|(first, step)| {
            let posed = turned(document, derived, first, step);
            let derived = derived.of_other(&posed, Some(lesson));
            comes(&posed, &derived)
        })
}

fn turned(document: &Document, derived: &Derived, first: f64, step: f64) -> Document {
    let mut posed = document.clone();
    for (place, angle) in derived.free_angles().enumerate() {
        // So that they stay apart with any number of joints.
        let angle_rad = (first + step * place as f64).rem_euclid(2.9);
        posed.state.params.insert(angle.name.clone(), angle_rad);
    }
    posed
}

fn is_equal(
    product: &MatrixProduct,
    goal: &MatrixRef,
    document: &Document,
    derived: &Derived,
) -> Option<bool> {
    let product = ChainProduct::resolved(product, document, derived).ok()?;
    let found = product.value()?.mat;
    let goal = resolve(goal, document, derived).ok()?.named.mat;
    let size = |matrix: &Mat4| {
        let cells = matrix.to_cols_array().into_iter();
        cells.fold(1.0, |most: f32, cell| most.max(cell.abs()))
    };
    Some(found.abs_diff_eq(goal, ROUNDING * size(&goal)))
}

// The way of a vertex through a product.

/// Where a vertex is before the first factor from the right, and after each.
#[derive(Clone, Debug, PartialEq)]
pub struct Travel {
    /// The number of the vertex.
    pub vertex: u32,
    /// Frames and places, one more than there are factors.
    pub stations: Vec<(CoordinateFrame, Vec3)>,
}

impl Travel {
    /// Of a vertex of the mesh. `None` where there is no such vertex, where something
    /// is missing in the product, and where it takes rows.
    pub fn through(product: &ChainProduct, vertex: u32, derived: &Derived) -> Option<Self> {
        let &stored = derived.stored_positions().get(vertex as usize)?;
        if !product.takes_columns() {
            return None;
        }
        let mut stations = vec![(CoordinateFrame::Bind, stored)];
        let mut position = stored.extend(1.0);
        for factor in product.factors.iter().rev() {
            let factor = factor.as_ref().filter(|factor| !factor.singular)?;
            position = factor.source.named.mat * position;
            stations.push((factor.source.named.to, position.truncate()));
        }
        Some(Self { vertex, stations })
    }

    /// After so many factors; between whole numbers on the straight line.
    pub fn place(&self, travelled: f32) -> Vec3 {
        let last = self.stations.len() - 1;
        let before = (travelled.max(0.0) as usize).min(last);
        let after = (before + 1).min(last);
        let (start, end) = (self.stations[before].1, self.stations[after].1);
        start.lerp(end, travelled.clamp(0.0, last as f32) - before as f32)
    }

    /// The vertex is stored in bind space: does the last factor begin there?
    pub fn seam(product: &ChainProduct) -> Option<BrokenSeam> {
        let last = product.factors.len().checked_sub(1)?;
        let factor = product.factors.last()?.as_ref()?;
        let from = factor.source.named.from;
        (from != CoordinateFrame::Bind).then(|| BrokenSeam {
            left: last,
            words: format!(
                "The vertex is stored in bind space, but the last factor starts from {from}."
            ),
        })
    }
}
