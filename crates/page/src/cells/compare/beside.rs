//! The model of the page and model B, in one pose.

use std::sync::Arc;

use bindpose_notebook::in_pose_of_page;
use bindpose_notebook::model_difference::ModelComparison;

use super::derived_variant::DerivedVariant;
use super::difference::VariantDifference;
use super::variants::ComparedVariants;
use crate::PageContext;

impl ComparedVariants {
    /// Works out what has changed of the page or of what it is held against.
    pub(super) fn show_beside(
        &mut self,
        comparison: &Arc<ModelComparison>,
        difference: bool,
        page: &mut PageContext<'_>,
    ) {
        let same = self.comparison.as_ref().is_some_and(|known| Arc::ptr_eq(known, comparison));
        let known = match self.variants.as_slice() {
            [first, _] => same && first.is_of(page.document, page),
            _ => false,
        };
        if !known {
            let first = DerivedVariant::new((page.document.clone(), None), page);
            let of_page = (page.document, page.derived);
            let other = in_pose_of_page(of_page, page.lesson, &comparison.b_beside_a);
            let second = DerivedVariant::of_other_model(other, page);
            self.comparison = Some(Arc::clone(comparison));
            self.difference = difference.then(|| {
                VariantDifference::of_models(
                    &first.derived,
                    &second.derived,
                    &comparison.vertex_in_b,
                )
            });
            self.variants = vec![first, second];
        }
    }
}
