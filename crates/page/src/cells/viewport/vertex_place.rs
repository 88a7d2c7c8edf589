//! The place of a vertex in words.

use bindpose_notebook::significant_digits::{self, USUAL};
use bindpose_notebook::{Derived, number_text};

/// Where a vertex is in the world: `0.217, 2.125, 0.000`. `None` where there is no
/// such vertex.
pub(super) fn vertex_place(derived: &Derived, vertex: u32) -> Option<String> {
    let position = derived.position(vertex as usize)?;
    let size =
        significant_digits::size_in_world(&derived.rig).max(significant_digits::largest(position));
    let decimals = significant_digits::decimals(size, USUAL);
    let place = position.to_array().map(|x| number_text::fixed(x.into(), decimals));
    Some(place.join(", "))
}
