//! Matrix products that readers edit: their state, value, mismatched frames,
//! and the path of a vertex through them.

use bindpose_lesson::number_text::capitalised;
use bindpose_lesson::{CellKind, ChainCell, Factor, Lesson, MatrixProduct, MatrixRef};
use bindpose_skin::{CoordinateFrame, NamedTransform};
use glam::{Mat4, Vec3};

use crate::exercise_cells::cells_at;
use crate::matrix::{BrokenSeam, PageMatrix, resolve};
use crate::{Derived, Document};

pub use crate::chain_state::ChainState;

/// Returns the state of a cell's product in a document.
pub fn chain_of(document: &Document, id: &str, cell: &ChainCell) -> ChainState {
    match document.state.chains.get(id) {
        Some(changed) => changed.clone(),
        None => ChainState::at_rung(cell, *cell.rungs().start()),
    }
}

/// Returns the products on the page of a document, with the names of their
/// cells.
pub fn chains_at<'a>(
    lesson: &'a Lesson,
    document: &Document,
) -> impl Iterator<Item = (&'a str, &'a ChainCell)> {
    cells_at(lesson, document.step).filter_map(|cell| match &cell.kind {
        CellKind::Chain(chain) => Some((&*cell.id, chain)),
        _ => None,
    })
}

// Factors with their values and frames, and their product.

/// A factor of a product, resolved on the page.
#[derive(Clone, Debug)]
pub struct ChainFactor {
    /// Matrix as multiplied: inverted and transposed, with its frames.
    /// Read-only if inverted or transposed.
    pub source: PageMatrix,
    /// Whether it is transposed. Transposed matrices multiply row vectors and
    /// only match each other.
    pub transposed: bool,
    /// Whether its inverse is requested but does not exist.
    pub singular: bool,
}

/// A product, resolved on the page.
#[derive(Clone, Debug)]
pub struct ChainProduct {
    /// Factors from left to right. `None` is a blank.
    pub factors: Vec<Option<ChainFactor>>,
}

impl ChainProduct {
    /// Resolves the factors of a product.
    ///
    /// # Errors
    ///
    /// Fails with a message if the rig has no such joint or vertex.
    pub fn resolved(
        product: &MatrixProduct,
        document: &Document,
        derived: &Derived,
    ) -> Result<Self, String> {
        let mut factors = Vec::with_capacity(product.0.len());
        for factor in &product.0 {
            factors.push(match factor {
                Some(factor) => Some(resolve_factor(factor, document, derived)?),
                None => None,
            });
        }
        Ok(Self { factors })
    }

    /// Explains why there is no product: a blank, or a matrix without an
    /// inverse.
    pub fn missing(&self) -> Option<String> {
        let mut singular = self.factors.iter().flatten().filter(|f| f.singular);
        if let Some(factor) = singular.next() {
            // The frames are those of the inverse, so they are swapped.
            let named = &factor.source.named;
            return Some(format!(
                "The matrix from {} to {} has no inverse now: its determinant is 0.",
                named.to, named.from
            ));
        }
        let blanks = self.factors.iter().filter(|factor| factor.is_none());
        match blanks.count() {
            0 => None,
            1 => Some("One slot is empty.".to_owned()),
            blanks => Some(format!("{blanks} slots are empty.")),
        }
    }

    /// Multiplies all factors, whether their frames match or not. Returns
    /// `None` if a factor is missing or singular, and for the empty product,
    /// which has no frames.
    pub fn value(&self) -> Option<NamedTransform> {
        self.product_of_range(0, self.factors.len())
    }

    /// Returns the products of the factors left and right of a position.
    pub fn cut(&self, place: usize) -> Option<[NamedTransform; 2]> {
        Some([self.product_of_range(0, place)?, self.product_of_range(place, self.factors.len())?])
    }

    fn product_of_range(&self, start: usize, end: usize) -> Option<NamedTransform> {
        let mut product: Option<NamedTransform> = None;
        for factor in self.factors.get(start..end)? {
            let factor = factor.as_ref().filter(|factor| !factor.singular)?.source.named;
            product = Some(match product {
                None => factor,
                Some(left) => match left.times(&factor) {
                    Ok(product) => product,
                    Err(mismatch) => mismatch.product,
                },
            });
        }
        product
    }

    /// Returns neighbours whose frames do not match, by the index of the left
    /// one.
    pub fn seams(&self) -> Vec<BrokenSeam> {
        let mut seams = Vec::new();
        for (left, pair) in self.factors.windows(2).enumerate() {
            let [Some(a), Some(b)] = pair else {
                continue;
            };
            let words = if a.transposed != b.transposed {
                NOT_BOTH_TRANSPOSED.to_owned()
            } else if let Err(mismatch) = a.source.named.times(&b.source.named) {
                mismatch.to_string()
            } else {
                continue;
            };
            seams.push(BrokenSeam { left, words: format!("{}.", capitalised(&words)) });
        }
        seams
    }

    /// Returns true if the product multiplies column vectors. It multiplies row
    /// vectors if a factor is transposed.
    pub fn takes_columns(&self) -> bool {
        let mut factors = self.factors.iter().flatten();
        factors.all(|factor| !factor.transposed)
    }
}

const NOT_BOTH_TRANSPOSED: &str = "one of two neighbours is transposed: it takes row vectors, \
                                   which the other does not; transpose both, and swap them";

fn resolve_factor(
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
        source = read_only(&source, stored.mat.inverse(), "inverse of the ");
    }
    if transposed {
        let mat = source.named.mat.transpose();
        source = read_only(&source, mat, "transposed ");
    }
    Ok(ChainFactor { source, transposed, singular })
}

/// Replaces the matrix of a factor and swaps its frames: an inverse maps the
/// other way, and a transposed matrix multiplies rows.
fn read_only(source: &PageMatrix, mat: Mat4, before: &str) -> PageMatrix {
    let NamedTransform { to, from, .. } = source.named;
    let named = NamedTransform { to: from, from: to, mat };
    let title = format!("{before}{}", source.title);
    PageMatrix::read_only(named, source.owner, &title)
}

// Comparison of a product with its goal.

/// Tolerance for numbers of ordinary size, which come from 32-bit floats.
const GOAL_TOLERANCE: f32 = 1e-4;

/// First angle and increment, in radians, of the poses in which a product is
/// tested. Arbitrary, but no joint is at rest and no two angles are equal.
const TEST_POSES: [(f64, f64); 2] = [(0.37, 0.23), (-0.81, 0.17)];

/// Returns true if the product equals the goal in the current pose and in test
/// poses, because at rest many wrong products do too. Returns false if a factor
/// is blank.
pub fn comes_to_goal(
    product: &MatrixProduct,
    goal: &MatrixRef,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> bool {
    is_equal(product, goal, document, derived) == Some(true)
        && TEST_POSES.into_iter().all(|(first, step)| {
            let posed = set_angles(document, derived, first, step);
            let derived = derived.of_other(&posed, Some(lesson));
            is_equal(product, goal, &posed, &derived) == Some(true)
        })
}

fn set_angles(document: &Document, derived: &Derived, first: f64, step: f64) -> Document {
    let mut posed = document.clone();
    for (place, angle) in derived.free_angles().enumerate() {
        // The modulus keeps any number of angles apart.
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
    let size = goal.to_cols_array().into_iter().fold(1.0, |most: f32, cell| most.max(cell.abs()));
    Some(found.abs_diff_eq(goal, GOAL_TOLERANCE * size))
}

// The path of a vertex through a product.

/// Positions of a vertex before the first factor from the right, and after each
/// factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Travel {
    pub vertex: u32,
    /// Frames and positions, one more than there are factors.
    pub stations: Vec<(CoordinateFrame, Vec3)>,
}

impl Travel {
    /// Computes the path of a vertex. Returns `None` if there is no such
    /// vertex, if a factor is missing or singular, or if the product multiplies
    /// rows.
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

    /// Position after a number of factors. Fractions are interpolated linearly.
    pub fn place(&self, travelled: f32) -> Vec3 {
        let last = self.stations.len() - 1;
        let before = (travelled.max(0.0) as usize).min(last);
        let after = (before + 1).min(last);
        let start = self.stations[before].1;
        let end = self.stations[after].1;
        start.lerp(end, travelled.clamp(0.0, last as f32) - before as f32)
    }

    /// Reports a mismatch if the last factor does not start in bind space,
    /// where vertices are stored.
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
