//! A document that is compared, and what follows from it, kept as long as nothing
//! it follows from changes.

use std::sync::Arc;

use bindpose_lesson::{Setting, Variant};
use bindpose_notebook::{Derived, Document, Edit, apply};

use crate::PageContext;

/// One variant.
#[derive(Debug)]
pub(super) struct DerivedVariant {
    pub(super) document: Document,
    pub(super) derived: Derived,
    /// Why its settings could not be applied.
    pub(super) refused: Option<String>,
    /// Is it of another model than that of the page?
    pub(super) is_other_model: bool,
    /// Defaults of lesson and rig come in with these.
    params_of_page: Vec<(String, f64)>,
}

impl DerivedVariant {
    pub(super) fn new(
        (document, refused): (Document, Option<String>),
        page: &PageContext<'_>,
    ) -> Self {
        let derived = page.derived.of_other(&document, Some(page.lesson));
        Self {
            document,
            derived,
            refused,
            is_other_model: false,
            params_of_page: page.derived.params.clone(),
        }
    }

    /// The page on another model, in its pose.
    pub(super) fn of_other_model(
        (document, derived): (Document, Derived),
        page: &PageContext<'_>,
    ) -> Self {
        Self {
            document,
            derived,
            refused: None,
            is_other_model: true,
            params_of_page: page.derived.params.clone(),
        }
    }

    pub(super) fn is_of(&self, document: &Document, page: &PageContext<'_>) -> bool {
        // Weights, bytes and what else is put in the place of the stored is in the
        // document.
        Arc::ptr_eq(&self.derived.stored_rig, &page.derived.stored_rig)
            && self.params_of_page == page.derived.params
            && self.document == *document
            && !self.derived.awaits_weights()
    }
}

/// The page's with a variant's settings, and why they could not be applied.
pub(super) fn document_of(
    cell: &Variant,
    chosen: &[Setting],
    page: &PageContext<'_>,
) -> (Document, Option<String>) {
    let mut document = page.document.clone();
    let settings = cell.set.0.iter().chain(chosen).cloned().collect();
    let edit = Edit::Settings(settings);
    let refused = apply(&mut document, &edit, page.lesson, &page.derived.stored_rig)
        .err()
        .map(|refused| format!("{}: {refused}", cell.label.words()));
    (document, refused)
}
