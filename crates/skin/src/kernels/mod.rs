//! Whole meshes at once, by the vector instructions of the processor.
//!
//! What is computed is what [`skin_matrix`](super::skin_matrix),
//! [`dual_quaternion_matrix`](super::dual_quaternion_matrix),
//! [`moved_position`](super::moved_position),
//! [`moved_normal`](super::moved_normal) and
//! [`moved_tangent`](super::moved_tangent) compute for one vertex: those are the
//! formulas to read. Here they are laid out for speed:
//!
//! - Vertices are taken `BLOCK` at a time. Within a block they are sorted by how
//!   many influences they have and by which joints ([`VertexGroups`], made once for a
//!   mesh): each loop over influences has a fixed length, and matrices that the next
//!   vertex needs too stay in registers.
//! - First each vertex gets its blended matrix, three rows of four numbers, in a
//!   small table in the order of the mesh (`linear.rs`, `dual.rs`). Then eight
//!   neighbours at a time are moved by theirs (`apply.rs`, `tangents.rs`): one number a lane, and
//!   square roots and divisions eight at once.
//! - Which instructions there are is found out while the program runs
//!   (`run.rs`): AVX2 with FMA, else SSE2; NEON; in a browser simd128, where it is
//!   settled when the program is built. Elsewhere all of it must be inlined into the
//!   function that has the instructions; a browser's program, which is loaded over the
//!   network, has the larger parts once.
//!
//! Sums are taken in another order than in those formulas, and with FMA a product is
//! not rounded before it is added. Results differ by a few units in the last place of
//! the largest number that takes part.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a function with the instructions has none of them"
)]

mod apply;
mod dual;
mod groups;
mod lanes;
mod linear;
mod run;
mod tangents;
#[cfg(test)]
mod tests;

pub use groups::VertexGroups;
pub use run::with_skinner;
pub use run::{BindVertices, Skinner, WorldVertices};

/// Vertices whose matrices are in memory at a time: 8 KiB, a quarter of the
/// smallest L1 cache.
const BLOCK: usize = 128;

/// Vertices that are moved at a time.
const WIDTH: usize = 8;

/// A matrix without its last row, row by row; the last four numbers are only there
/// for the alignment.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
struct MatrixRows {
    first_two: [[f32; 4]; 2],
    third: [f32; 4],
    rest: [f32; 4],
}

/// The matrices of a block, in the order of the mesh.
type BlockRows = [MatrixRows; BLOCK];
