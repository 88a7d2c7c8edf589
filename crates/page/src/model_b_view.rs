//! The comparison of two models that the page keeps.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_notebook::model_difference::{ModelComparison, OtherModel};

use super::work::PageWork;

/// What was compared last. What is under way for other models is asked to stop, and does
/// with its next piece.
#[derive(Debug, Default)]
pub struct ModelBView(Option<LastModelB>);

#[derive(Debug)]
struct LastModelB {
    a: Arc<Rig>,
    b: OtherModel,
    comparison: PageWork<Option<Arc<ModelComparison>>>,
}

impl ModelBView {
    /// That of these models, begun where it is not the last one.
    pub(crate) fn comparison(
        &mut self,
        (a, b): (&Arc<Rig>, &OtherModel),
        begin: impl FnOnce() -> PageWork<Option<Arc<ModelComparison>>>,
    ) -> &mut PageWork<Option<Arc<ModelComparison>>> {
        let is_of = |last: &LastModelB| Arc::ptr_eq(&last.a, a) && last.b.is_as(b);
        let last = self.0.take().filter(is_of).unwrap_or_else(|| LastModelB {
            a: Arc::clone(a),
            b: b.clone(),
            comparison: begin(),
        });
        &mut self.0.insert(last).comparison
    }
}
