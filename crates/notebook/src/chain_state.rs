//! State of a matrix product that a reader edits.

use bindpose_lesson::{ChainCell, Factor, MAX_FACTORS, MatrixProduct};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainState {
    /// Factors and blanks.
    pub product: MatrixProduct,
    /// Rung of a ladder, which is its number of blanks. 0 if it is not a
    /// ladder.
    pub rung: usize,
    /// Number of factors that the vertex has passed, from the right. Fractions
    /// are between two factors.
    pub travelled: f32,
}

impl ChainState {
    /// Initial state of a rung.
    pub fn at_rung(cell: &ChainCell, rung: usize) -> Self {
        Self { product: cell.at_rung(rung), rung, travelled: 0.0 }
    }

    /// Returns true if the state is valid for its cell: an existing rung, not
    /// too many factors, and a path within the product.
    pub fn fits(&self, cell: &ChainCell) -> bool {
        let places = self.product.0.len();
        cell.rungs().contains(&self.rung)
            && places <= MAX_FACTORS
            && (0.0..=places as f32).contains(&self.travelled)
    }

    /// Moves the factor or blank at one index to another.
    #[must_use]
    pub fn moved(&self, from: usize, to: usize) -> Self {
        self.with_product(|places| {
            if from < places.len() && to < places.len() {
                let factor = places.remove(from);
                places.insert(to, factor);
            }
        })
    }

    #[must_use]
    pub fn without(&self, place: usize) -> Self {
        self.with_product(|places| {
            if place < places.len() {
                places.remove(place);
            }
        })
    }

    /// Toggles the inverse of a factor.
    #[must_use]
    pub fn inverted(&self, place: usize) -> Self {
        self.with_factor(place, |factor| factor.inverted = !factor.inverted)
    }

    /// Toggles the transpose of a factor.
    #[must_use]
    pub fn transposed(&self, place: usize) -> Self {
        self.with_factor(place, |factor| factor.transposed = !factor.transposed)
    }

    /// Inserts a factor into the blank at index `meant`, otherwise into the
    /// first blank, otherwise at the right end. Does nothing if the product is
    /// full.
    #[must_use]
    pub fn with(&self, factor: Factor, meant: Option<usize>) -> Self {
        self.with_product(|places| {
            let blank = meant
                .filter(|&index| places.get(index).is_some_and(Option::is_none))
                .or_else(|| places.iter().position(Option::is_none));
            match blank {
                Some(index) => places[index] = Some(factor),
                None if places.len() < MAX_FACTORS => places.push(Some(factor)),
                None => {}
            }
        })
    }

    fn with_factor(&self, place: usize, change: impl FnOnce(&mut Factor)) -> Self {
        self.with_product(|places| {
            if let Some(Some(factor)) = places.get_mut(place) {
                change(factor);
            }
        })
    }

    fn with_product(&self, change: impl FnOnce(&mut Vec<Option<Factor>>)) -> Self {
        let mut product = self.product.clone();
        change(&mut product.0);
        Self { travelled: self.travelled.min(product.0.len() as f32), product, rung: self.rung }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(text: &str) -> MatrixProduct {
        MatrixProduct::try_from(text.to_owned()).unwrap()
    }

    fn factor(text: &str) -> Factor {
        product(text).0[0].clone().unwrap()
    }

    fn state(text: &str) -> ChainState {
        ChainState { product: product(text), ..ChainState::default() }
    }

    const THREE: &str = "world_from_joint(0) * ? * joint_from_bind(1)";

    #[test]
    fn factors_are_moved_removed_inverted_and_inserted() {
        let text = |state: ChainState| state.product.to_string();
        let three = state(THREE);
        assert_eq!(text(three.moved(0, 2)), "? * joint_from_bind(1) * world_from_joint(0)");
        assert_eq!(text(three.moved(2, 9)), THREE);
        assert_eq!(text(three.without(1)), "world_from_joint(0) * joint_from_bind(1)");
        assert_eq!(text(three.without(3)), THREE);
        assert_eq!(text(three.inverted(1)), THREE, "a blank has no inverse");
        let turned = three.inverted(0).transposed(0);
        assert_eq!(
            text(turned.clone()),
            "transpose(inverse(world_from_joint(0))) * ? * joint_from_bind(1)"
        );
        assert_eq!(text(turned.transposed(0).inverted(0)), THREE);
        let filled = three.with(factor("parent_from_joint(1)"), Some(0));
        let expected = "world_from_joint(0) * parent_from_joint(1) * joint_from_bind(1)";
        assert_eq!(text(filled.clone()), expected);
        let mut longer = filled;
        for _ in 0..9 {
            longer = longer.with(factor("joint_from_bind(0)"), None);
        }
        assert_eq!(longer.product.0.len(), MAX_FACTORS);
    }

    #[test]
    fn path_is_clamped_to_shorter_product() {
        let far = ChainState { travelled: 3.0, ..state(THREE) };
        assert_eq!(far.without(0).travelled, 2.0);
        assert_eq!(far.moved(0, 1).travelled, 3.0);
    }

    #[test]
    fn each_rung_has_one_more_blank() {
        let cell = ChainCell {
            product: product("world_from_joint(1) * joint_from_bind(1)"),
            ladder: true,
            ..ChainCell::default()
        };
        let rungs: Vec<String> =
            cell.rungs().map(|rung| ChainState::at_rung(&cell, rung).product.to_string()).collect();
        assert_eq!(rungs, ["world_from_joint(1) * ?", ""]);
        for rung in [0, 3] {
            assert!(!ChainState { rung, ..ChainState::default() }.fits(&cell));
        }
    }
}
