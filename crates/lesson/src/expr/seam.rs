//! Where two frames touch that are not the same. What is computed there is computed
//! all the same: a wrong order is possible, and shown.

use bindpose_skin::CoordinateFrame;

/// Two frames that meet in a formula and differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSeam {
    /// Of the operator or function, in characters of the text, from 1.
    pub column: usize,
    /// How they meet.
    pub kind: SeamKind,
    /// The frame on the left: of a product, that from which the left factor starts.
    pub left: CoordinateFrame,
    /// The frame on the right: of a product, that into which the right factor leads.
    pub right: CoordinateFrame,
}

/// How two frames meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeamKind {
    /// A matrix times a matrix or a vector.
    Product,
    /// A sum, a difference, or another way of putting two together that are in one
    /// frame.
    Together,
    /// The frames into which two matrices lead that are added.
    To,
    /// The frames from which two matrices start that are added.
    From,
}

impl FrameSeam {
    /// What does not meet, as a sentence.
    pub fn words(&self) -> String {
        let (left, right) = (self.left, self.right);
        match self.kind {
            SeamKind::Product => format!(
                "The left factor starts from {left}, but the right factor leads into {right}; swap them or put the missing transform between."
            ),
            SeamKind::Together => format!(
                "The left side is in {left}, the right side in {right}; take one into the space of the other first."
            ),
            SeamKind::To => format!(
                "The matrix on the left leads into {left}, that on the right into {right}; only matrices between the same frames add up to something."
            ),
            SeamKind::From => format!(
                "The matrix on the left starts from {left}, that on the right from {right}; only matrices between the same frames add up to something."
            ),
        }
    }
}

/// Kept, at most: a loop meets the same ones again and again.
const MOST: usize = 8;

/// The seams of one evaluation, each place once.
#[derive(Debug, Default)]
pub(super) struct Seams(pub(super) Vec<FrameSeam>);

impl Seams {
    /// Notes it where both frames are known and differ.
    pub(super) fn meet(
        &mut self,
        column: usize,
        kind: SeamKind,
        left: Option<CoordinateFrame>,
        right: Option<CoordinateFrame>,
    ) {
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let known = |seam: &FrameSeam| (seam.column, seam.kind) == (column, kind);
        if left != right && self.0.len() < MOST && !self.0.iter().any(known) {
            self.0.push(FrameSeam { column, kind, left, right });
        }
    }
}
