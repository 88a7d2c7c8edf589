//! A document that is compared, with the values derived from it.

use std::sync::Arc;

use bindpose_lesson::{Setting, Variant};
use bindpose_notebook::{Derived, Document, Edit, apply};

use crate::PageContext;

/// A variant of the page's document.
pub(super) struct VariantDocument {
    pub(super) document: Document,
    /// Error if the settings of the variant could not be applied.
    pub(super) settings_error: Option<String>,
}

impl VariantDocument {
    /// Applies the settings of the lesson, then those chosen by the reader, to the page's document.
    pub(super) fn new(variant: &Variant, chosen: &[Setting], page: &PageContext<'_>) -> Self {
        let mut document = page.document.clone();
        let settings = variant.set.0.iter().chain(chosen).cloned().collect();
        let edit = Edit::Settings(settings);
        let settings_error = apply(&mut document, &edit, page.lesson, &page.derived.stored_rig)
            .err()
            .map(|error| format!("{}: {error}", variant.label.words()));
        Self { document, settings_error }
    }
}

/// A variant with its derived values.
#[derive(Debug)]
pub(super) struct DerivedVariant {
    pub(super) document: Document,
    pub(super) derived: Derived,
    pub(super) settings_error: Option<String>,
    pub(super) is_other_model: bool,
    /// Parameters of the page, including defaults of lesson and rig, for the cache.
    page_params: Vec<(String, f64)>,
}

impl DerivedVariant {
    pub(super) fn new(variant: VariantDocument, page: &PageContext<'_>) -> Self {
        Self {
            derived: page.derived.of_other(&variant.document, Some(page.lesson)),
            document: variant.document,
            settings_error: variant.settings_error,
            is_other_model: false,
            page_params: page.derived.params.clone(),
        }
    }

    /// Creates the variant of another model than the page's, whose values have been derived.
    pub(super) fn of_other_model(
        document: Document,
        derived: Derived,
        page: &PageContext<'_>,
    ) -> Self {
        Self {
            document,
            derived,
            settings_error: None,
            is_other_model: true,
            page_params: page.derived.params.clone(),
        }
    }

    /// Returns true if the derived values are those of this document on the page.
    pub(super) fn is_up_to_date(&self, document: &Document, page: &PageContext<'_>) -> bool {
        // The document contains whatever replaces stored data, such as weights and bytes.
        Arc::ptr_eq(&self.derived.stored_rig, &page.derived.stored_rig)
            && self.page_params == page.derived.params
            && self.document == *document
            && !self.derived.awaits_weights()
    }
}
