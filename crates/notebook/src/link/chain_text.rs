//! Products in links: what stands in them, which rung, and how far the vertex is.

use bindpose_lesson::{Lesson, MatrixProduct};

use crate::Document;
use crate::apply_edit::put_chain;
use crate::chain::ChainState;

/// Before the name of the cell.
pub(super) const CHAIN: &str = "chain.";

/// `world_from_joint(1) * ?,2,0.5`: rungs are counted from 1.
pub(super) fn write(chain: &ChainState) -> String {
    let ChainState { product, rung, travelled } = chain;
    format!("{product},{},{travelled}", rung + 1)
}

/// The error is what was expected.
pub(super) fn read(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let chain = read_chain(value);
    let chain = chain.ok_or("a product, a rung and a way, as in world_from_joint(1) * ?,1,0")?;
    put_chain(document, cell, &chain, lesson)
        .map_err(|_refused| "a product of this lesson, no longer than it may be".to_owned())
}

/// Names of joints may have commas: the numbers stand last.
fn read_chain(value: &str) -> Option<ChainState> {
    let mut parts = value.rsplitn(3, ',');
    let travelled = parts.next()?.parse().ok()?;
    let rung = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
    let product = MatrixProduct::try_from(parts.next()?.to_owned()).ok()?;
    Some(ChainState { product, rung, travelled })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_read_as_it_is_written() {
        for text in [",1,0", "world_from_joint(a, b) * ?,3,1.25"] {
            let chain = read_chain(text).unwrap();
            assert_eq!(write(&chain), text);
        }
        for text in ["", "1,0", "x,1,0", ",0,0", ",1,far", "world_from_joint(1),1"] {
            assert_eq!(read_chain(text), None, "{text}");
        }
    }
}
