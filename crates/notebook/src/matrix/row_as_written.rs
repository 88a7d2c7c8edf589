//! The matrices of a row as they are written down: for row vectors a product is read
//! from the left to the right, and in other axes all numbers are other ones.

use std::borrow::Cow;

use bindpose_skin::{ConventionAxes, Conventions};

use super::operators::{BrokenSeam, OperatorBlock, OperatorRole};

/// In the order in which they are written, with their numbers in the axes of whoever
/// writes; lent, where that changes nothing. Rows and columns stay those of the matrices:
/// what transposes them is where they are drawn.
pub fn row_as_written<'a>(
    blocks: &'a [OperatorBlock],
    seams: &'a [BrokenSeam],
    conventions: Conventions,
) -> (Cow<'a, [OperatorBlock]>, Cow<'a, [BrokenSeam]>) {
    let mut blocks = Cow::Borrowed(blocks);
    let mut seams = Cow::Borrowed(seams);
    if conventions.axes != ConventionAxes::Gltf {
        for block in blocks.to_mut() {
            let named = &mut block.source.named;
            named.mat = conventions.axes.of(&named.mat);
            // Typed numbers would be of other axes than those that are stored.
            block.source.editable = None;
            block.source.stored = block.source.stored.map(|stored| conventions.axes.of(&stored));
            let units = conventions.axes.units_in_metre();
            block.magnitude = block.magnitude.in_units(units);
        }
    }
    let factors = factors(&blocks);
    if conventions.has_rows() && factors > 1 {
        let turned = &mut blocks.to_mut()[..factors];
        turned.reverse();
        for (place, block) in turned.iter_mut().enumerate() {
            block.operator = if place == 0 { "" } else { "·" };
        }
        for seam in seams.to_mut() {
            seam.left = (factors - 2).saturating_sub(seam.left);
        }
    }
    (blocks, seams)
}

/// Where the matrix stands that is the left one for column vectors.
pub fn left_factor(blocks: &[OperatorBlock], conventions: Conventions) -> usize {
    if conventions.has_rows() { factors(blocks).saturating_sub(1) } else { 0 }
}

fn factors(blocks: &[OperatorBlock]) -> usize {
    let is_factor = |block: &&OperatorBlock| block.role == OperatorRole::Factor;
    blocks.iter().take_while(is_factor).count()
}
