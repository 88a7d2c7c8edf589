//! The way of a vertex through a product.

use bindpose_skin::CoordinateFrame;
use glam::Vec3;

use super::ChainProduct;
use crate::Derived;
use crate::matrix::BrokenSeam;

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
