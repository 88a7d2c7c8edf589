//! Bodies of cells about matrices, matrix products and matrix conventions.

use std::ops::RangeInclusive;

use serde::Deserialize;

use crate::{Decimals, KnownSystem, MatrixProduct, MatrixRef, Text};

/// ```` ```chain ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChainCell {
    /// The product as it opens, from left to right, `?` for a place to be filled:
    /// `"world_from_joint(1) * joint_from_bind(1)"`. Of a ladder it is its solution.
    pub product: MatrixProduct,
    /// Further matrices that can be put into it.
    pub tray: Vec<MatrixRef>,
    /// The vertex that travels, by its number; absent: the chosen one.
    pub vertex: Option<u32>,
    /// The task; absent: the product is to be played with.
    pub ask: Option<Text>,
    /// The matrix that the product should come to, in every pose.
    pub goal: Option<MatrixRef>,
    /// A product that comes to the goal. A ladder needs none.
    pub solution: MatrixProduct,
    /// The same task again and again: the last place is blank, then one more, and in
    /// the end the line is empty.
    pub ladder: bool,
    /// The text shown when the task is solved.
    pub solved: Option<Text>,
    /// Whether the matrices are shown from the start; absent: where there is no goal.
    pub numbers: Option<bool>,
    /// Digits after the point; absent: 3, and 2 where a vertex is on its way.
    pub decimals: Option<Decimals>,
}

impl ChainCell {
    /// Rungs of the ladder, each identified by its number of blanks. Only rung 0 if the cell
    /// is no ladder.
    pub fn rungs(&self) -> RangeInclusive<usize> {
        if self.ladder { 1..=self.product.0.len() } else { 0..=0 }
    }

    /// Initial product of a rung: its last slots are empty, and on the last rung the whole
    /// product is empty.
    pub fn at_rung(&self, rung: usize) -> MatrixProduct {
        match rung {
            0 => self.product.clone(),
            _ if rung >= *self.rungs().end() => MatrixProduct::default(),
            blanks => self.product.with_blanks(blanks),
        }
    }

    /// Whether a vertex passes through the product: always if the cell names one, otherwise
    /// the chosen one if the author's product starts from bind space.
    pub fn carries_vertex(&self) -> bool {
        let product = if self.product.0.is_empty() { &self.solution } else { &self.product };
        let last = product.0.last().and_then(Option::as_ref);
        let from_bind = last.is_none_or(|factor| {
            !factor.inverted && !factor.transposed && factor.matrix.is_from_bind()
        });
        self.vertex.is_some() || from_bind
    }

    /// Returns a product that equals the goal.
    pub fn solution(&self) -> &MatrixProduct {
        if self.ladder { &self.product } else { &self.solution }
    }
}

/// ```` ```conventions ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ConventionsCell {
    /// With the switches for vectors, memory and axes; absent: true.
    pub switches: bool,
    /// The systems on offer, each with its names for things; absent: all that are known.
    pub systems: Vec<KnownSystem>,
}

impl Default for ConventionsCell {
    fn default() -> Self {
        Self { switches: true, systems: KnownSystem::ALL.to_vec() }
    }
}
