//! How far the vertices of the second variant are from those of the first: as
//! colours on the surface, and as numbers below.

use std::sync::Arc;

use bindpose_diagnostic::grouped;
use bindpose_lesson::{CompareCell, Setting, Variant, ViewportCell};
use bindpose_notebook::differences::{PART, finite_size, longest_side};
use bindpose_notebook::model_difference::ModelComparison;
use bindpose_notebook::scene::Scalars;
use bindpose_notebook::significant_digits::round_up;
use bindpose_notebook::{Derived, Document, Entity, in_pose_of_page, number_text, rest_bounds};
use eframe::egui::{
    Align, Label, Layout, Link, Rect, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, vec2,
};
use glam::Vec3;

use super::tiles::{DerivedVariant, document_of};
use crate::PageContext;
use crate::cells::viewport::paint_color_scale;
use crate::theme::{SMALL, Theme, font};

/// Below this part of the model's size, two results differ by rounding alone.
const ROUNDING: f32 = 1e-5;

/// Between two variants.
#[derive(Debug)]
pub(super) struct VariantDifference {
    /// Distances in world units, and the round number that the scale ends with.
    pub(super) scalars: Arc<Scalars>,
    /// The largest distance that is a number, and its vertex; `None`: none is.
    largest: Option<(f32, u32)>,
    /// The variant on which it is seen.
    pub(super) on: usize,
    /// What counts as rounding, in world units.
    rounding: f32,
    /// Vertices that one of the variants puts nowhere.
    nowhere: usize,
    /// What the numbers leave out.
    missing: Option<String>,
}

impl VariantDifference {
    /// Is it no more than what rounding leaves?
    pub(super) fn is_none(&self) -> bool {
        let largest = self.largest.map(|(distance, _)| distance);
        largest.is_some_and(|distance| distance <= self.rounding)
    }

    /// By vertex. From the GPU, read back once, where only the GPU knows.
    pub(super) fn new(
        first: &DerivedVariant,
        second: &DerivedVariant,
        page: &mut PageContext<'_>,
    ) -> Self {
        let mut missing = None;
        let read = only_gpu_knows(&first.document, &second.document)
            .then(|| read_back(first, page).and_then(|a| Ok([a, read_back(second, page)?])));
        let [first, second] = match read {
            Some(Ok(read)) => read,
            other => {
                missing = other.and_then(Result::err).map(|why| {
                    format!("What differs on the GPU alone is not in these numbers. {why}")
                });
                [first, second].map(|kept| Arc::clone(kept.derived.positions()))
            }
        };
        // Where they are now may be another frame than the world.
        let size = longest_side(rest_bounds(&page.derived.rig)).max(finite_size(&first));
        Self { missing, ..Self::between(&first, &second, size) }
    }

    /// How far the vertices of model A are from those of model B that stand in their
    /// places at rest; `in_b`: which those are.
    pub(super) fn of_models(first: &Derived, second: &Derived, in_b: &[Option<u32>]) -> Self {
        let (a, b) = (first.positions(), second.positions());
        let partner = |of: &Option<u32>| b.get((*of)? as usize).copied();
        let partners = in_b.iter().map(|of| partner(of).unwrap_or(Vec3::NAN));
        let partners: Vec<Vec3> = partners.collect();
        let alone = in_b.iter().filter(|of| of.is_none()).count();
        let size = longest_side(rest_bounds(&first.rig)).max(finite_size(a));
        let between = Self::between(a, &partners, size);
        let missing = match alone {
            0 => None,
            1 => Some("1 vertex of A has none of B in its position at rest.".to_owned()),
            n => Some(format!(
                "{} vertices of A have none of B in their position at rest.",
                grouped(n)
            )),
        };
        Self {
            on: 0,
            // What exporters round is no difference.
            rounding: size * PART,
            nowhere: between.nowhere.saturating_sub(alone),
            missing,
            ..between
        }
    }

    /// `size`: of the model, in world units.
    fn between(first: &[Vec3], second: &[Vec3], size: f32) -> Self {
        let distances: Vec<f32> = first.iter().zip(second).map(|(a, b)| a.distance(*b)).collect();
        let numbers = distances.iter().zip(0_u32..);
        let largest = numbers
            .filter(|(distance, _)| distance.is_finite())
            .max_by(|a, b| a.0.total_cmp(b.0).then(b.1.cmp(&a.1)))
            .map(|(&distance, vertex)| (distance, vertex));
        let rounding = (size * ROUNDING).max(f32::MIN_POSITIVE);
        let most = match largest {
            Some((distance, _)) if distance > rounding => round_up(distance.into()) as f32,
            _ => round_up(f64::from(size) * 0.01) as f32,
        };
        Self {
            on: 1,
            largest,
            rounding,
            nowhere: distances.iter().filter(|d| !d.is_finite()).count(),
            missing: None,
            scalars: Arc::new(Scalars {
                values: distances
                    .into_iter()
                    .map(|d| if d.is_finite() { d } else { most })
                    .collect(),
                most,
            }),
        }
    }
}

/// Does something differ that the CPU's positions do not show?
fn only_gpu_knows(first: &Document, second: &Document) -> bool {
    let special = |document: &Document| {
        !document.state.faults.is_empty() || !document.state.shaders.is_empty()
    };
    first.state.transport != second.state.transport || special(first) || special(second)
}

fn read_back(kept: &DerivedVariant, page: &mut PageContext<'_>) -> Result<Arc<[Vec3]>, String> {
    let page = page.with(&kept.document, &kept.derived);
    let scene = page.viewport_frame(&ViewportCell::default()).scene_without_view(page.theme.scene);
    let skinned = page.viewports.skinned(&scene)?;
    Ok(skinned.positions.into())
}

/// Above the picture.
pub(super) fn label(ui: &mut Ui, rect: Rect, words: &str, theme: &Theme) {
    let mut ui = ui.new_child(
        UiBuilder::new()
            .id_salt(("difference", words))
            .max_rect(rect)
            .layout(Layout::left_to_right(Align::Center)),
    );
    ui.add_space(4.0);
    let text = RichText::new(words).font(font::strong(SMALL));
    ui.add(Label::new(text.color(theme.ink)).truncate());
}

/// `0 ▬▬▬ 0.5 world units   largest 0.354 at v123`
pub(super) fn foot(ui: &mut Ui, difference: &VariantDifference, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
        let wide = if ui.available_width() < 420.0 { 64.0 } else { 96.0 };
        scale(ui, wide, difference.scalars.most, page.theme);
        match difference.largest {
            Some(_) if difference.is_none() => {
                ui.label(small("no difference, up to rounding", page.theme));
            }
            Some((distance, vertex)) => {
                ui.label(small(&format!("largest {}", digits(distance)), page.theme));
                ui.label(small("at", page.theme));
                let text = RichText::new(format!("v{vertex}")).size(SMALL);
                let link = ui.add(Link::new(text.color(page.theme.accent)));
                if link.has_focus() {
                    page.linked.hover(Entity::Vertex(vertex));
                }
                page.link(&link, Entity::Vertex(vertex));
            }
            None => {}
        }
        let nowhere = match difference.nowhere {
            0 => None,
            1 => Some("1 vertex has no place at all: its position is no number.".to_owned()),
            n => Some(format!(
                "{} vertices have no place at all: their positions are no numbers.",
                grouped(n)
            )),
        };
        for words in nowhere.iter().chain(&difference.missing) {
            ui.label(RichText::new(words).size(SMALL).color(page.theme.wrong));
        }
    });
}

fn small(words: &str, theme: &Theme) -> RichText {
    RichText::new(words).size(SMALL).color(theme.ink)
}

/// The colours between 0 and the largest.
fn scale(ui: &mut Ui, wide: f32, most: f32, theme: &Theme) {
    let most = digits(most);
    ui.label(small("0", theme));
    let (rect, response) = ui.allocate_exact_size(vec2(wide, 20.0), Sense::hover());
    let words = format!("scale of distances from 0 to {most} world units");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let bar = Rect::from_center_size(rect.center(), vec2(rect.width(), 10.0));
    paint_color_scale(ui.painter(), theme, bar);
    ui.label(small(&format!("{most} world units"), theme));
}

/// Three digits that say something.
fn digits(value: f32) -> String {
    let decimals =
        if value > 0.0 { (2.0 - value.log10().floor()).clamp(0.0, 12.0) as usize } else { 0 };
    let text = number_text::fixed(f64::from(value), decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

// What a comparison shows, and what of it the reader has chosen.

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

// The model of the page and model B, in one pose.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_scales_are_written_with_the_digits_they_need() {
        assert_eq!(digits(0.5), "0.5");
        assert_eq!(digits(0.35355), "0.354");
        assert_eq!(digits(20.0), "20");
        assert_eq!(digits(1234.4), "1234");
        assert_eq!(digits(0.0), "0");
        assert_eq!(digits(3.54e-7), "0.000000354");
    }

    #[test]
    fn the_largest_distance_is_told_with_its_vertex() {
        let first = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let second = [Vec3::ZERO, Vec3::X * 1.5, Vec3::Y * 1.25];
        let difference = VariantDifference::between(&first, &second, 2.0);
        assert_eq!(difference.largest, Some((0.5, 1)));
        assert_eq!(difference.scalars.values, [0.0, 0.5, 0.25]);
        assert_eq!(difference.scalars.most, 0.5);
        assert_eq!(difference.nowhere, 0);
    }

    #[test]
    fn a_model_of_another_size_gets_the_same_verdict() {
        let at_rest = [Vec3::ZERO, Vec3::X, Vec3::Y * 2.0];
        let rounded = at_rest.map(|position| position * 1.000_000_1);
        let moved = at_rest.map(|position| position + Vec3::Z * 0.03);
        for scale in [1e-5, 1e-3, 1.0, 1e4] {
            let of = |positions: [Vec3; 3]| positions.map(|position| position * scale);
            let between =
                |second| VariantDifference::between(&of(at_rest), &of(second), 2.0 * scale);
            let differs = |difference: &VariantDifference| {
                let (distance, _) = difference.largest.unwrap();
                distance > difference.rounding
            };
            assert!(!differs(&between(rounded)), "{scale}");
            let difference = between(moved);
            assert!(differs(&difference), "{scale}");
            let most = difference.scalars.most;
            assert!((most / scale - 0.05).abs() < 1e-4, "{most} at {scale}");
        }
    }

    #[test]
    fn what_is_no_number_is_counted_and_does_not_stretch_the_scale() {
        let first = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let second = [Vec3::NAN, Vec3::X * 1.5, Vec3::INFINITY];
        let difference = VariantDifference::between(&first, &second, 2.0);
        assert_eq!(difference.largest, Some((0.5, 1)));
        assert_eq!(difference.nowhere, 2);
        assert_eq!(difference.scalars.values, [0.5, 0.5, 0.5]);
    }

    #[test]
    fn rounding_is_not_blown_up_to_a_picture() {
        let first = [Vec3::ZERO, Vec3::X];
        let second = [Vec3::splat(1e-7), Vec3::X];
        let difference = VariantDifference::between(&first, &second, 4.0);
        assert!(difference.largest.is_some_and(|(d, _)| d < difference.rounding));
        assert!(difference.scalars.most > 0.01);
        let none = VariantDifference::between(&[], &[], 0.0);
        assert!(none.largest.is_none() && none.scalars.most > 0.0);
    }
}
