//! Distances between the vertices of the first two variants: as colours on the surface, and as
//! numbers below the pictures.

use std::sync::Arc;

use bindpose_diagnostic::grouped;
use bindpose_kit::theme::{SMALL_SIZE, Theme};
use bindpose_lesson::significant_digits::round_up;
use bindpose_lesson::{ViewportCell, number_text};
use bindpose_notebook::scene::Scalars;
use bindpose_notebook::{Derived, Document, Entity, longest_side, rest_bounds};
use bindpose_workbench::differences::{PART, finite_size};
use eframe::egui::{Link, Rect, RichText, Role, Sense, Ui, WidgetInfo, vec2};
use glam::Vec3;

use super::variant::DerivedVariant;
use crate::PageContext;
use crate::cells::viewport::paint_color_scale;
use crate::scene_colors::scene_colors;

/// Distance that counts as rounding error, relative to the size of the model.
const RELATIVE_TOLERANCE: f32 = 1e-5;

/// Distances between the vertices of two variants, in world units.
#[derive(Debug)]
pub(super) struct VariantDifference {
    /// Distances by vertex, and the round number at the end of the colour scale.
    pub(super) scalars: Arc<Scalars>,
    /// The largest finite distance, and its vertex.
    largest: Option<(f32, u32)>,
    /// Index of the variant on which the distances are shown.
    pub(super) shown_on: usize,
    /// Distance up to which vertices count as equal.
    tolerance: f32,
    /// Number of vertices with a position that is not finite.
    invalid_count: usize,
    /// Remark about differences that the numbers do not contain.
    remark: Option<String>,
}

impl VariantDifference {
    /// Computes the difference. If it is visible on the GPU only, positions are read back once.
    pub(super) fn new(
        first: &DerivedVariant,
        second: &DerivedVariant,
        page: &mut PageContext<'_>,
    ) -> Self {
        let mut first_positions = Arc::clone(first.derived.positions());
        let mut second_positions = Arc::clone(second.derived.positions());
        let mut remark = None;
        if differs_on_gpu(&first.document, &second.document) {
            let read_back = read_gpu_positions(first, page)
                .and_then(|a| read_gpu_positions(second, page).map(|b| (a, b)));
            match read_back {
                Ok((a, b)) => {
                    first_positions = a;
                    second_positions = b;
                }
                Err(why) => {
                    remark = Some(format!(
                        "What differs on the GPU alone is not in these numbers. {why}"
                    ));
                }
            }
        }
        // The current positions may be in another frame than the world.
        let size = longest_side(rest_bounds(&page.derived.rig)).max(finite_size(&first_positions));
        Self { remark, ..Self::between(&first_positions, &second_positions, size) }
    }

    /// Computes the distances between vertices of model A and those of model B that have the same
    /// position at rest. `vertex_in_b` maps vertices of A to vertices of B.
    pub(super) fn between_models(a: &Derived, b: &Derived, vertex_in_b: &[Option<u32>]) -> Self {
        let partners: Vec<Vec3> = vertex_in_b
            .iter()
            .map(|vertex| {
                let position = vertex.and_then(|vertex| b.positions().get(vertex as usize));
                position.copied().unwrap_or(Vec3::NAN)
            })
            .collect();
        let unpaired_count = vertex_in_b.iter().filter(|vertex| vertex.is_none()).count();
        let size = longest_side(rest_bounds(&a.rig)).max(finite_size(a.positions()));
        let between = Self::between(a.positions(), &partners, size);
        let remark = match unpaired_count {
            0 => None,
            1 => Some("1 vertex of A has none of B in its position at rest.".to_owned()),
            n => Some(format!(
                "{} vertices of A have none of B in their position at rest.",
                grouped(n)
            )),
        };
        Self {
            shown_on: 0,
            // Exporters round positions.
            tolerance: size * PART,
            invalid_count: between.invalid_count.saturating_sub(unpaired_count),
            remark,
            ..between
        }
    }

    /// Computes the distances by vertex. `size` is that of the model, in world units.
    fn between(first: &[Vec3], second: &[Vec3], size: f32) -> Self {
        let distances: Vec<f32> = first.iter().zip(second).map(|(a, b)| a.distance(*b)).collect();
        let largest = distances
            .iter()
            .copied()
            .zip(0_u32..)
            .filter(|(distance, _)| distance.is_finite())
            // The first vertex of equal distances.
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let tolerance = (size * RELATIVE_TOLERANCE).max(f32::MIN_POSITIVE);
        let scale_end = match largest {
            Some((distance, _)) if distance > tolerance => round_up(distance.into()) as f32,
            _ => round_up(f64::from(size) * 0.01) as f32,
        };
        Self {
            shown_on: 1,
            largest,
            tolerance,
            invalid_count: distances.iter().filter(|distance| !distance.is_finite()).count(),
            remark: None,
            scalars: Arc::new(Scalars {
                values: distances
                    .into_iter()
                    .map(|distance| if distance.is_finite() { distance } else { scale_end })
                    .collect(),
                most: scale_end,
            }),
        }
    }

    /// Returns true if no distance exceeds rounding error.
    pub(super) fn is_within_tolerance(&self) -> bool {
        self.largest.is_some_and(|(distance, _)| distance <= self.tolerance)
    }
}

/// Returns true if the documents may differ in a way that positions computed on the CPU do not
/// contain.
fn differs_on_gpu(first: &Document, second: &Document) -> bool {
    if first.state.transport != second.state.transport {
        return true;
    }
    [first, second]
        .into_iter()
        .any(|document| !document.state.faults.is_empty() || !document.state.shaders.is_empty())
}

fn read_gpu_positions(
    variant: &DerivedVariant,
    page: &mut PageContext<'_>,
) -> Result<Arc<[Vec3]>, String> {
    let page = page.with(&variant.document, &variant.derived);
    let scene =
        page.viewport_frame(&ViewportCell::default()).scene_without_view(scene_colors(page.theme));
    let skinned = page.viewports.read_back_vertices(&scene)?;
    Ok(skinned.positions.into())
}

/// Draws the colour scale and the largest distance:
/// `0 ▬▬▬ 0.5 world units   largest 0.354 at v123`
pub(super) fn draw_difference_line(
    ui: &mut Ui,
    difference: &VariantDifference,
    page: &mut PageContext<'_>,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
        let bar_width = if ui.available_width() < 420.0 { 64.0 } else { 96.0 };
        draw_scale(ui, bar_width, difference.scalars.most, page.theme);
        match difference.largest {
            Some(_) if difference.is_within_tolerance() => {
                ui.label(small_text("no difference, up to rounding", page.theme));
            }
            Some((distance, vertex)) => {
                let largest = format!("largest {}", format_distance(distance));
                ui.label(small_text(&largest, page.theme));
                ui.label(small_text("at", page.theme));
                let name = RichText::new(format!("v{vertex}")).size(SMALL_SIZE);
                let link = ui.add(Link::new(name.color(page.theme.accent)));
                if link.has_focus() {
                    page.linked.hover(Entity::Vertex(vertex));
                }
                page.link_response(&link, Entity::Vertex(vertex));
            }
            None => {}
        }
        let invalid = match difference.invalid_count {
            0 => None,
            1 => Some("1 vertex has no place at all: its position is no number.".to_owned()),
            n => Some(format!(
                "{} vertices have no place at all: their positions are no numbers.",
                grouped(n)
            )),
        };
        for remark in invalid.iter().chain(&difference.remark) {
            ui.label(RichText::new(remark).size(SMALL_SIZE).color(page.theme.wrong));
        }
    });
}

fn small_text(text: &str, theme: &Theme) -> RichText {
    RichText::new(text).size(SMALL_SIZE).color(theme.ink)
}

/// Draws the colours between 0 and the largest distance.
fn draw_scale(ui: &mut Ui, bar_width: f32, scale_end: f32, theme: &Theme) {
    let end = format_distance(scale_end);
    ui.label(small_text("0", theme));
    let (rect, response) = ui.allocate_exact_size(vec2(bar_width, 20.0), Sense::hover());
    let name = format!("scale of distances from 0 to {end} world units");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    let bar = Rect::from_center_size(rect.center(), vec2(rect.width(), 10.0));
    paint_color_scale(ui.painter(), theme, bar);
    ui.label(small_text(&format!("{end} world units"), theme));
}

/// Formats a distance with up to three significant digits.
fn format_distance(distance: f32) -> String {
    let decimals =
        if distance > 0.0 { (2.0 - distance.log10().floor()).clamp(0.0, 12.0) as usize } else { 0 };
    let text = number_text::fixed(f64::from(distance), decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_three_significant_digits() {
        assert_eq!(format_distance(0.5), "0.5");
        assert_eq!(format_distance(0.35355), "0.354");
        assert_eq!(format_distance(20.0), "20");
        assert_eq!(format_distance(1234.4), "1234");
        assert_eq!(format_distance(0.0), "0");
        assert_eq!(format_distance(3.54e-7), "0.000000354");
    }

    #[test]
    fn largest_distance_is_found_with_its_vertex() {
        let first = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let second = [Vec3::ZERO, Vec3::X * 1.5, Vec3::Y * 1.25];
        let difference = VariantDifference::between(&first, &second, 2.0);
        assert_eq!(difference.largest, Some((0.5, 1)));
        assert_eq!(difference.scalars.values, [0.0, 0.5, 0.25]);
        assert_eq!(difference.scalars.most, 0.5);
        assert_eq!(difference.invalid_count, 0);
    }

    #[test]
    fn tolerance_scales_with_model() {
        let at_rest = [Vec3::ZERO, Vec3::X, Vec3::Y * 2.0];
        let rounded = at_rest.map(|position| position * 1.000_000_1);
        let moved = at_rest.map(|position| position + Vec3::Z * 0.03);
        for scale in [1e-5, 1e-3, 1.0, 1e4] {
            let scaled_at_rest = at_rest.map(|position| position * scale);
            let scaled_rounded = rounded.map(|position| position * scale);
            let scaled_moved = moved.map(|position| position * scale);
            let size = 2.0 * scale;
            let no_difference = VariantDifference::between(&scaled_at_rest, &scaled_rounded, size);
            assert!(no_difference.is_within_tolerance(), "{scale}");
            let difference = VariantDifference::between(&scaled_at_rest, &scaled_moved, size);
            assert!(!difference.is_within_tolerance(), "{scale}");
            let most = difference.scalars.most;
            assert!((most / scale - 0.05).abs() < 1e-4, "{most} at {scale}");
        }
    }

    #[test]
    fn invalid_positions_are_counted_and_do_not_stretch_the_scale() {
        let first = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let second = [Vec3::NAN, Vec3::X * 1.5, Vec3::INFINITY];
        let difference = VariantDifference::between(&first, &second, 2.0);
        assert_eq!(difference.largest, Some((0.5, 1)));
        assert_eq!(difference.invalid_count, 2);
        assert_eq!(difference.scalars.values, [0.5, 0.5, 0.5]);
    }

    #[test]
    fn rounding_errors_are_not_exaggerated() {
        let first = [Vec3::ZERO, Vec3::X];
        let second = [Vec3::splat(1e-7), Vec3::X];
        let difference = VariantDifference::between(&first, &second, 4.0);
        assert!(difference.largest.is_some_and(|(distance, _)| distance < difference.tolerance));
        assert!(difference.scalars.most > 0.01);
        let none = VariantDifference::between(&[], &[], 0.0);
        assert!(none.largest.is_none() && none.scalars.most > 0.0);
    }
}
