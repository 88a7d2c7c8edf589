//! Factors with their numbers and frames, and what they multiply to.

use bindpose_lesson::{Factor, MatrixProduct};
use bindpose_skin::NamedTransform;
use glam::Mat4;

use crate::matrix::{BrokenSeam, PageMatrix, resolve};
use crate::number_text::capitalised;
use crate::{Derived, Document};

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
