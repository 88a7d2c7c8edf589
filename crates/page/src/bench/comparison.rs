//! Any two matrices, each of the page as it is, as it was, or as it was kept, and
//! what is between them.

use std::sync::Arc;

use bindpose_notebook::{Derived, Document};
use eframe::egui::{RichText, Ui, vec2};

use super::matrix_menu;
use super::state::{BenchMoment, ComparedMatrix};
use crate::PageContext;
use crate::cells::matrix::{Side, compared};
use crate::widgets::small_button;

/// Narrower than this, A − B is shown on request.
const THREE_MATRICES: f32 = 540.0;

/// What is kept from frame to frame.
#[derive(Default)]
struct ComparisonState {
    /// Is A − B shown as a matrix? `None`: the reader has not said.
    difference: Option<bool>,
    /// Other states, and what follows from them.
    others: Vec<(BenchMoment, Document, Derived)>,
}

/// Shows the choosers, the matrices, and their difference.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    page.with_state("bench", |comparison: &mut ComparisonState, page| {
        choosers(ui, page);
        let sides = page.view.bench.compared.clone();
        comparison.update(&sides, page);
        let fits = ui.available_width() >= THREE_MATRICES;
        let shown = comparison.difference.unwrap_or(fits);
        let [a, b] = sides.each_ref().map(|side| {
            let (document, derived) = comparison.get(side.when, page);
            Side { matrix: &side.matrix, document, derived }
        });
        compared(ui, "bench comparison", [a, b], shown, page);
        if let Some(words) = missing(&sides, page) {
            ui.label(page.theme.caption(words));
        }
        let words = if shown { "hide A − B" } else { "show A − B" };
        if ui.add(small_button(words)).clicked() {
            comparison.difference = Some(!shown);
        }
    });
}

fn choosers(ui: &mut Ui, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        if ui.available_width() > 470.0 {
            ui.label(page.theme.label("Compare"));
        }
        matrix_menu::ui(ui, 0, page);
        ui.label(RichText::new("−").color(page.theme.ink));
        matrix_menu::ui(ui, 1, page);
    });
}

impl ComparisonState {
    /// Works out what other states lead to, where they have changed.
    fn update(&mut self, sides: &[ComparedMatrix; 2], page: &PageContext<'_>) {
        let wanted = sides.each_ref().map(|side| side.when);
        self.others.retain(|(when, document, derived)| {
            let is_now = document_at(*when, page).is_some_and(|other| other == document);
            let same_rig = Arc::ptr_eq(&derived.stored_rig, &page.derived.stored_rig);
            wanted.contains(when) && is_now && same_rig && !derived.awaits_weights()
        });
        for when in wanted {
            if self.others.iter().any(|(other, ..)| *other == when) {
                continue;
            }
            let Some(document) = document_at(when, page) else {
                continue;
            };
            let derived = page.derived.of_other(document, Some(page.lesson));
            self.others.push((when, document.clone(), derived));
        }
    }

    /// A state of the page; as it is now, where there is no other.
    fn get<'a, 'b: 'a>(
        &'a self,
        when: BenchMoment,
        page: &PageContext<'b>,
    ) -> (&'a Document, &'a Derived) {
        let mut others = self.others.iter();
        match others.find(|(other, ..)| *other == when) {
            Some((_, document, derived)) => (document, derived),
            None => (page.document, page.derived),
        }
    }
}

/// Why a side is as the page is now.
fn missing(sides: &[ComparedMatrix; 2], page: &PageContext<'_>) -> Option<&'static str> {
    let side = sides
        .iter()
        .find(|side| side.when != BenchMoment::Now && document_at(side.when, page).is_none())?;
    Some(match side.when {
        BenchMoment::Snapshot(_) => "That snapshot is of another lesson or model: keep one here.",
        _ => "Nothing has been changed at this step yet: “a moment ago” is now.",
    })
}

/// Of another state than the one that is shown.
fn document_at<'a>(when: BenchMoment, page: &'a PageContext<'_>) -> Option<&'a Document> {
    match when {
        BenchMoment::Now => None,
        BenchMoment::BeforeLastChange => page.before,
        BenchMoment::Snapshot(which) => {
            let (lesson, rig) = (&page.document.lesson, &page.derived.stored_rig);
            let kept = page.view.bench.snapshots.get(which, lesson, rig);
            kept.map(|kept| &kept.document)
        }
    }
}
