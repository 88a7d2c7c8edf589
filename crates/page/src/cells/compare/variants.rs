//! What a comparison shows, and what of it the reader has chosen.

use std::sync::Arc;

use bindpose_lesson::{CompareCell, Setting, Variant};
use bindpose_notebook::model_difference::ModelComparison;
use bindpose_notebook::{Derived, Document};

use super::derived_variant::{DerivedVariant, document_of};
use super::difference::VariantDifference;
use crate::PageContext;

/// What a comparison shows. What is chosen here is not saved.
#[derive(Debug, Default)]
pub(super) struct ComparedVariants {
    /// How often the reader had reset lessons when this was begun.
    resets: u64,
    /// What the reader has put in the place of the lesson's choice, by variant.
    chosen: Vec<Vec<Setting>>,
    pub(super) variants: Vec<DerivedVariant>,
    /// The models, where those are what is compared.
    pub(super) comparison: Option<Arc<ModelComparison>>,
    /// Height of what stood below the pictures in the last frame, in points.
    pub(super) foot: f32,
    /// `None`: not asked for.
    pub(super) difference: Option<VariantDifference>,
}

impl ComparedVariants {
    /// What follows from each variant.
    pub(super) fn derived(&self) -> impl Iterator<Item = &Derived> {
        self.variants.iter().map(|kept| &kept.derived)
    }

    /// Works out what has changed.
    pub(super) fn update(&mut self, cell: &CompareCell, page: &mut PageContext<'_>) {
        if self.resets != page.view.resets {
            *self = Self { resets: page.view.resets, ..Self::default() };
        }
        self.chosen.resize(cell.variants.len(), Vec::new());
        let variants = cell.variants.iter().zip(&self.chosen);
        let documents: Vec<_> =
            variants.map(|(variant, chosen)| document_of(variant, chosen, page)).collect();
        self.show(documents, cell.difference, page);
    }

    /// Works out what has changed of these documents, each with why it is not as it
    /// was meant to be.
    pub(super) fn show(
        &mut self,
        documents: Vec<(Document, Option<String>)>,
        difference: bool,
        page: &mut PageContext<'_>,
    ) {
        self.variants.truncate(documents.len());
        for (index, document) in documents.into_iter().enumerate() {
            match self.variants.get_mut(index) {
                Some(kept) if kept.is_of(&document.0, page) => continue,
                Some(kept) => *kept = DerivedVariant::new(document, page),
                None => self.variants.push(DerivedVariant::new(document, page)),
            }
            // The third has no part in it.
            if index < 2 {
                self.difference = None;
            }
        }
        if !difference {
            self.difference = None;
        } else if let (None, [first, second, ..]) = (&self.difference, &*self.variants) {
            self.difference = Some(VariantDifference::new(first, second, page));
        }
    }

    pub(super) fn variant(&self, index: usize) -> Option<&DerivedVariant> {
        self.variants.get(index)
    }

    /// Why settings could not be applied.
    pub(super) fn refused(&self) -> impl Iterator<Item = &String> {
        self.variants.iter().filter_map(|kept| kept.refused.as_ref())
    }

    /// The lesson's label, or the names of what the reader has chosen.
    pub(super) fn words(&self, index: usize, variant: &Variant) -> String {
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

    pub(super) fn chosen(&self, index: usize) -> &[Setting] {
        self.chosen.get(index).map_or(&[], Vec::as_slice)
    }

    /// Puts one of a kind in the place of another of its kind.
    pub(super) fn choose(&mut self, index: usize, setting: Setting) {
        if let Some(chosen) = self.chosen.get_mut(index) {
            let kind = std::mem::discriminant(&setting);
            chosen.retain(|other| std::mem::discriminant(other) != kind);
            chosen.push(setting);
        }
    }

    /// Back to what the lesson compares.
    pub(super) fn forget(&mut self, index: usize) {
        if let Some(chosen) = self.chosen.get_mut(index) {
            chosen.clear();
        }
    }
}
