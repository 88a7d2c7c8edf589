//! State of the cell: the compared variants, cached as long as nothing that they depend on changes.

use std::sync::Arc;

use bindpose_lesson::{CompareCell, Setting, Variant};
use bindpose_notebook::{Derived, in_pose_of_page};
use bindpose_workbench::model_difference::ModelComparison;

use super::difference::VariantDifference;
use super::variant::{DerivedVariant, VariantDocument};
use crate::PageContext;

/// State of the cell. The reader's choices are not saved.
#[derive(Debug, Default)]
pub(super) struct ComparedVariants {
    /// Number of times that the reader had reset lessons when this state was created.
    reset_count: u64,
    /// Settings chosen by the reader instead of the lesson's, by variant.
    chosen: Vec<Vec<Setting>>,
    variants: Vec<DerivedVariant>,
    /// The compared models, if the cell compares the page's model with model B.
    comparison: Option<Arc<ModelComparison>>,
    /// Height of everything below the pictures in the last frame, in points.
    pub(super) footer_height: f32,
    pub(super) difference: Option<VariantDifference>,
}

impl ComparedVariants {
    pub(super) fn derived(&self) -> impl Iterator<Item = &Derived> {
        self.variants.iter().map(|variant| &variant.derived)
    }

    /// Recomputes variants that have changed.
    pub(super) fn update(&mut self, cell: &CompareCell, page: &mut PageContext<'_>) {
        if self.reset_count != page.view.resets {
            *self = Self { reset_count: page.view.resets, ..Self::default() };
        }
        self.chosen.resize(cell.variants.len(), Vec::new());
        let mut documents = Vec::new();
        for (variant, chosen) in cell.variants.iter().zip(&self.chosen) {
            documents.push(VariantDocument::new(variant, chosen, page));
        }
        self.update_documents(documents, cell.difference, page);
    }

    /// Recomputes those of the documents that have changed.
    pub(super) fn update_documents(
        &mut self,
        documents: Vec<VariantDocument>,
        has_difference: bool,
        page: &mut PageContext<'_>,
    ) {
        self.variants.truncate(documents.len());
        for (index, variant) in documents.into_iter().enumerate() {
            match self.variants.get_mut(index) {
                Some(cached) if cached.is_up_to_date(&variant.document, page) => continue,
                Some(cached) => *cached = DerivedVariant::new(variant, page),
                None => self.variants.push(DerivedVariant::new(variant, page)),
            }
            // The difference is between the first two.
            if index < 2 {
                self.difference = None;
            }
        }
        if !has_difference {
            self.difference = None;
        } else if let (None, [first, second, ..]) = (&self.difference, &*self.variants) {
            self.difference = Some(VariantDifference::new(first, second, page));
        }
    }

    /// Recomputes the page's model and model B in the same pose, if either has changed.
    pub(super) fn update_models(
        &mut self,
        comparison: &Arc<ModelComparison>,
        has_difference: bool,
        page: &mut PageContext<'_>,
    ) {
        let is_same_model = match &self.comparison {
            Some(cached) => Arc::ptr_eq(cached, comparison),
            None => false,
        };
        let is_up_to_date = match self.variants.as_slice() {
            [first, _] => is_same_model && first.is_up_to_date(page.document, page),
            _ => false,
        };
        if is_up_to_date {
            return;
        }
        let page_document =
            VariantDocument { document: page.document.clone(), settings_error: None };
        let first = DerivedVariant::new(page_document, page);
        let (document, derived) =
            in_pose_of_page((page.document, page.derived), page.lesson, &comparison.b_beside_a);
        let second = DerivedVariant::of_other_model(document, derived, page);
        self.comparison = Some(Arc::clone(comparison));
        self.difference = has_difference.then(|| {
            VariantDifference::between_models(
                &first.derived,
                &second.derived,
                &comparison.vertex_in_b,
            )
        });
        self.variants = vec![first, second];
    }

    pub(super) fn variant(&self, index: usize) -> Option<&DerivedVariant> {
        self.variants.get(index)
    }

    /// Returns the errors of variants whose settings could not be applied.
    pub(super) fn settings_errors(&self) -> impl Iterator<Item = &String> {
        self.variants.iter().filter_map(|variant| variant.settings_error.as_ref())
    }

    /// Returns the lesson's label, or the names of the settings chosen by the reader.
    pub(super) fn label(&self, index: usize, variant: &Variant) -> String {
        let names: Vec<&str> = self
            .chosen(index)
            .iter()
            .filter_map(|setting| match setting {
                Setting::Method(method) => Some(method.label()),
                Setting::Transport(transport) => Some(transport.label()),
                Setting::Normals(rule) => Some(rule.label()),
                Setting::Between(between) => Some(between.label()),
                Setting::WeightsFrom(source) => Some(source.label()),
                _ => None,
            })
            .collect();
        if names.is_empty() { variant.label.words() } else { names.join(", ") }
    }

    /// Returns the settings of a variant that the reader has chosen.
    pub(super) fn chosen(&self, index: usize) -> &[Setting] {
        self.chosen.get(index).map_or(&[], Vec::as_slice)
    }

    /// Sets a setting of a variant. It replaces a chosen one of the same kind.
    pub(super) fn choose(&mut self, index: usize, setting: Setting) {
        if let Some(chosen) = self.chosen.get_mut(index) {
            let kind = std::mem::discriminant(&setting);
            chosen.retain(|other| std::mem::discriminant(other) != kind);
            chosen.push(setting);
        }
    }

    /// Restores the lesson's settings of a variant.
    pub(super) fn reset(&mut self, index: usize) {
        if let Some(chosen) = self.chosen.get_mut(index) {
            chosen.clear();
        }
    }
}
