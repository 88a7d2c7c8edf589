//! Operators between matrices: products, whose frames must meet, and
//! differences.

use bindpose_lesson::MatrixCell;
use bindpose_skin::NamedTransform;

use super::source::PageMatrix;
use crate::Derived;
use crate::number_text::capitalised;
use crate::significant_digits::{self, Magnitude};

/// Between A and B.
pub const MINUS: &str = "−";

/// Before a matrix that should be the product of those before it, and is not.
pub const NOT_EQUAL: &str = "≠";

/// One thing in the row.
#[derive(Clone)]
pub struct OperatorBlock {
    /// Written before it: `·`, `=`, `≠`, `−`; nothing for the first.
    pub operator: &'static str,
    /// The matrix.
    pub source: PageMatrix,
    /// Its part in the row.
    pub role: OperatorRole,
    /// How large its numbers are.
    pub magnitude: Magnitude,
}

/// What a matrix of the row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorRole {
    /// Stands by itself.
    Plain,
    /// Is multiplied.
    Factor,
    /// What comes of that.
    Product,
    /// Of the two before it.
    Difference,
}

/// Two touching frames that differ.
#[derive(Clone)]
pub struct BrokenSeam {
    /// Index of the left factor.
    pub left: usize,
    /// What does not meet, as a sentence.
    pub words: String,
}

/// Puts operators between the matrices and works out products and differences.
pub fn with_operators(
    cell: &MatrixCell,
    sources: Vec<PageMatrix>,
    derived: &Derived,
) -> (Vec<OperatorBlock>, Vec<BrokenSeam>) {
    let plain = |source: PageMatrix| OperatorBlock {
        operator: "",
        magnitude: magnitude(&source, derived),
        source,
        role: OperatorRole::Plain,
    };
    if sources.len() < 2 || !(cell.product || cell.difference) {
        return (sources.into_iter().map(plain).collect(), Vec::new());
    }
    if cell.difference {
        return (difference(sources, derived), Vec::new());
    }
    product(sources, derived)
}

/// `A − B = …`: A and B with the same digits, what is between them with those it
/// needs.
fn difference(sources: Vec<PageMatrix>, derived: &Derived) -> Vec<OperatorBlock> {
    let [a, b] = [&sources[0], &sources[1]];
    let size = derived.size_in(a.named.to);
    let compared = magnitude(a, derived).and(magnitude(b, derived));
    let mat = significant_digits::difference(&a.named.mat, &b.named.mat, size);
    let between = computed(NamedTransform { mat, ..a.named }, a, "A − B");
    let own = Magnitude::from_matrix(&mat, 0.0).beside(compared);
    let roles = [OperatorRole::Plain, OperatorRole::Plain, OperatorRole::Difference];
    let blocks = sources.into_iter().take(2).chain([between]).zip(roles);
    blocks
        .zip(["", MINUS, "="])
        .map(|((source, role), operator)| OperatorBlock {
            operator,
            source,
            role,
            magnitude: match role {
                OperatorRole::Difference => own,
                _ => compared,
            },
        })
        .collect()
}

fn magnitude(source: &PageMatrix, derived: &Derived) -> Magnitude {
    let size = derived.size_in(source.named.to);
    Magnitude::from_matrix(&source.named.mat, size)
}

/// The product of all factors; where the lesson names it last, by that name. What it
/// names and is not their product, though its frames are, stands as it is.
pub fn product(
    mut sources: Vec<PageMatrix>,
    derived: &Derived,
) -> (Vec<OperatorBlock>, Vec<BrokenSeam>) {
    let stated = if sources.len() > 2 { sources.pop() } else { None };
    let mut seams = Vec::new();
    let mut result = sources[0].named;
    for (left, source) in sources.iter().enumerate().skip(1) {
        result = match result.times(&source.named) {
            Ok(product) => product,
            Err(mismatch) => {
                seams.push(BrokenSeam {
                    left: left - 1,
                    words: format!("{}.", capitalised(&mismatch.to_string())),
                });
                mismatch.product
            }
        };
    }
    let size = derived.size_in(result.to);
    let magnitude_of_result = Magnitude::from_matrix(&result.mat, size);
    // Between other frames it is another matrix.
    let stated = stated.filter(|stated| {
        seams.is_empty() && (stated.named.to, stated.named.from) == (result.to, result.from)
    });
    let is_product = stated
        .as_ref()
        .is_none_or(|stated| magnitude_of_result.are_near(&stated.named.mat, &result.mat, 1e-3));
    let result = stated.unwrap_or_else(|| computed(result, &sources[0], "product"));
    let factors = sources.into_iter().enumerate().map(|(index, source)| OperatorBlock {
        operator: if index == 0 { "" } else { "·" },
        magnitude: magnitude(&source, derived),
        source,
        role: OperatorRole::Factor,
    });
    let (operator, role) =
        if is_product { ("=", OperatorRole::Product) } else { (NOT_EQUAL, OperatorRole::Plain) };
    let result = OperatorBlock { operator, source: result, role, magnitude: magnitude_of_result };
    (factors.chain([result]).collect(), seams)
}

/// What no rig stores.
pub fn computed(named: NamedTransform, like: &PageMatrix, title: &str) -> PageMatrix {
    PageMatrix::read_only(named, like.owner, title)
}
