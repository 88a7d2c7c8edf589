//! What a reader has made of a product.

use bindpose_lesson::{ChainCell, Factor, MOST_FACTORS, MatrixProduct};

/// A product as it stands on the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainState {
    /// Its factors and blank places.
    pub product: MatrixProduct,
    /// Which rung of a ladder: how many places were blank; 0 where it is none.
    pub rung: usize,
    /// How many factors the vertex has gone through, counted from the right; between
    /// whole numbers it is under way.
    pub travelled: f32,
}

impl ChainState {
    /// As a rung opens.
    pub fn at_rung(cell: &ChainCell, rung: usize) -> Self {
        Self { product: cell.at_rung(rung), rung, travelled: 0.0 }
    }

    /// One that fits its cell: as many rungs as there are, and a way as long as the
    /// product is.
    pub fn fits(&self, cell: &ChainCell) -> bool {
        let places = self.product.0.len();
        cell.rungs().contains(&self.rung)
            && places <= MOST_FACTORS
            && (0.0..=places as f32).contains(&self.travelled)
    }

    /// The factor or blank of one place stands at another, and those between move up.
    #[must_use]
    pub fn moved(&self, from: usize, to: usize) -> Self {
        self.changed(|places| {
            if from < places.len() && to < places.len() {
                let factor = places.remove(from);
                places.insert(to, factor);
            }
        })
    }

    /// Without that place.
    #[must_use]
    pub fn without(&self, place: usize) -> Self {
        self.changed(|places| {
            if place < places.len() {
                places.remove(place);
            }
        })
    }

    /// The inverse in its place, or itself again.
    #[must_use]
    pub fn inverted(&self, place: usize) -> Self {
        self.with_factor(place, |factor| factor.inverted = !factor.inverted)
    }

    /// Transposed in its place, or as it was again.
    #[must_use]
    pub fn transposed(&self, place: usize) -> Self {
        self.with_factor(place, |factor| factor.transposed = !factor.transposed)
    }

    /// In the blank that is meant, else in the first one, else at the right end. As it
    /// is where there is no more room.
    #[must_use]
    pub fn with(&self, factor: Factor, meant: Option<usize>) -> Self {
        self.changed(|places| {
            let is_blank = |place: &usize| places.get(*place).is_some_and(Option::is_none);
            let first = || places.iter().position(Option::is_none);
            match meant.filter(is_blank).or_else(first) {
                Some(place) => places[place] = Some(factor),
                None if places.len() < MOST_FACTORS => places.push(Some(factor)),
                None => {}
            }
        })
    }

    fn with_factor(&self, place: usize, change: impl FnOnce(&mut Factor)) -> Self {
        self.changed(|places| {
            if let Some(Some(factor)) = places.get_mut(place) {
                change(factor);
            }
        })
    }

    fn changed(&self, change: impl FnOnce(&mut Vec<Option<Factor>>)) -> Self {
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
    fn factors_are_moved_taken_out_turned_and_put_in() {
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
        assert_eq!(longer.product.0.len(), MOST_FACTORS);
    }

    #[test]
    fn a_shorter_product_is_a_shorter_way() {
        let far = ChainState { travelled: 3.0, ..state(THREE) };
        assert_eq!(far.without(0).travelled, 2.0);
        assert_eq!(far.moved(0, 1).travelled, 3.0);
    }

    #[test]
    fn each_rung_of_a_ladder_has_one_blank_more_and_the_last_is_empty() {
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
