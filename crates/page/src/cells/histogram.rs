//! Histogram of the sums of weights, as stored and with the reader's edits.

use std::fmt::Write as _;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme};
use bindpose_kit::widgets::{PaintText, for_enabled, index_by_arrows};
use bindpose_lesson::{HistogramCell, Setting, number_text};
use bindpose_notebook::{Entity, SumBin, SumBins};
use eframe::egui::{
    Align2, CollapsingHeader, FontId, Grid, Key, Rect, Response, RichText, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;

/// Default height of the bars with their axis, in points.
const DEFAULT_HEIGHT: f32 = 150.0;
/// Space below the bars for the labels of the axis, in points.
const AXIS_HEIGHT: f32 = 22.0;
/// Space above the tallest bar, in points.
const TOP_MARGIN: f32 = 8.0;
/// Space at the left for the labels of counts, in points.
const COUNTS_WIDTH: f32 = 46.0;
/// Maximum ratio of the largest count to the smallest for which the scale is linear.
const MAX_LINEAR_RATIO: f32 = 30.0;

/// The bar selected with arrow keys, as an index among the bars that are not empty.
#[derive(Default)]
struct FocusedBar(usize);

/// The two counts of a bin.
#[derive(Clone, Copy)]
enum SumKind {
    Stored,
    Current,
}

pub(super) fn ui(ui: &mut Ui, cell: &HistogramCell, id: &str, page: &mut PageContext<'_>) {
    let bins = page.derived.sum_bins().clone();
    summary_ui(ui, page, &bins);
    let scale = CountScale::new(&bins);
    let height = cell.height.map_or(DEFAULT_HEIGHT, |height| height.0).clamp(80.0, 800.0);
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let bars = Rect::from_min_max(
        pos2(rect.left() + COUNTS_WIDTH, rect.top() + TOP_MARGIN),
        pos2(rect.right() - 8.0, rect.bottom() - AXIS_HEIGHT),
    );
    let focused_bar = &mut page.state::<FocusedBar>(id).0;
    let selected = find_selected_bin(ui, &response, bars, &bins, focused_bar);
    paint_axes(ui, page.theme, bars, &bins, scale);
    paint_bars(ui, page.theme, bars, &bins, scale, selected);
    let bin = selected.and_then(|index| bins.bins.get(index));
    let description = bin.map(|bin| describe_bin(&bins, bin));
    response.widget_info(|| {
        let default_name = "Sums of weights; use the arrow keys, or the table below";
        WidgetInfo::labeled(Role::Image, true, description.as_deref().unwrap_or(default_name))
    });
    if let Some(vertex) = bin.and_then(|bin| bin.example) {
        page.link_response(&response, Entity::Vertex(vertex));
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            page.choose(Setting::Vertex(vertex));
        }
    }
    if let Some(description) = description {
        if response.has_focus() && !response.hovered() {
            ui.label(RichText::new(&description).size(SMALL_SIZE).color(page.theme.ink));
        }
        for_enabled(&response).at_pointer().show(|ui| ui.label(description));
    }
    table_ui(ui, id, page, &bins);
}

/// Draws the legend and a summary such as
/// `Σw = 1 at 4,120 of 4,120 vertices as stored, and at 4,119 now.`
fn summary_ui(ui: &mut Ui, page: &PageContext<'_>, bins: &SumBins) {
    let derived = page.derived;
    let [stored_count, current_count] = derived.sums_of_one();
    let vertex_count = derived.influences.len();
    let mut summary = format!(
        "Σw = 1 at {} of {} vertices as stored, and at {} now.",
        number_text::grouped(stored_count as u32),
        number_text::grouped(vertex_count as u32),
        number_text::grouped(current_count as u32)
    );
    if bins.odd > 0 {
        let _ = write!(summary, " {} have no finite sum.", bins.odd);
    }
    let text = page.theme.label(summary);
    ui.label(if current_count < vertex_count { text.color(page.theme.wrong) } else { text });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (kind, label) in [(SumKind::Stored, "as stored"), (SumKind::Current, "now")] {
            let (swatch, _) = ui.allocate_exact_size(vec2(18.0, 14.0), Sense::hover());
            paint_bar(ui, page.theme, swatch, kind, true);
            ui.label(page.theme.label(label));
            ui.add_space(8.0);
        }
    });
}

/// Scale from counts to heights of bars.
#[derive(Clone, Copy)]
struct CountScale {
    max_count: f32,
    is_logarithmic: bool,
}

impl CountScale {
    fn new(bins: &SumBins) -> Self {
        let counts: Vec<u32> =
            bins.bins.iter().flat_map(|bin| [bin.stored, bin.now]).filter(|&n| n > 0).collect();
        let max_count = counts.iter().copied().max().unwrap_or(1) as f32;
        let min_count = counts.iter().copied().min().unwrap_or(1) as f32;
        Self { max_count, is_logarithmic: max_count / min_count > MAX_LINEAR_RATIO }
    }

    /// Returns the height for a count, from 0 to 1.
    fn height(self, count: f32) -> f32 {
        if self.is_logarithmic {
            // 1 is added so that a count of 1 has a visible bar.
            (1.0 + count).ln() / (1.0 + self.max_count).ln()
        } else {
            count / self.max_count
        }
    }

    fn ticks(self) -> Vec<u32> {
        let max_count = self.max_count as u32;
        if self.is_logarithmic {
            let powers = (0..10).map(|exponent| 10_u32.pow(exponent));
            powers.take_while(|&count| count <= max_count).collect()
        } else {
            vec![0, max_count]
        }
    }
}

/// Returns the bin at the pointer, or else the bin selected with arrow keys.
fn find_selected_bin(
    ui: &Ui,
    response: &Response,
    bars: Rect,
    bins: &SumBins,
    focused_bar: &mut usize,
) -> Option<usize> {
    let count = bins.bins.len();
    if let Some(pointer) = response.hover_pos() {
        let fraction = (pointer.x - bars.left()) / bars.width().max(1.0);
        let index = (fraction * count as f32).floor();
        return (index >= 0.0 && (index as usize) < count).then_some(index as usize);
    }
    if !response.has_focus() {
        return None;
    }
    let nonempty: Vec<usize> = bins
        .bins
        .iter()
        .enumerate()
        .filter(|(_, bin)| bin.stored + bin.now > 0)
        .map(|(index, _)| index)
        .collect();
    let position = (*focused_bar).min(nonempty.len().saturating_sub(1));
    *focused_bar = index_by_arrows(ui, response, position, nonempty.len()).unwrap_or(position);
    nonempty.get(*focused_bar).copied()
}

fn paint_axes(ui: &Ui, theme: &Theme, bars: Rect, bins: &SumBins, scale: CountScale) {
    let painter = ui.painter();
    let font = FontId::proportional(CAPTION_SIZE);
    for count in scale.ticks() {
        let y = bars.bottom() - bars.height() * scale.height(count as f32);
        painter.hline(bars.x_range(), y, Stroke::new(1.0, theme.rule));
        let at = pos2(bars.left() - 8.0, y);
        painter.text_right(at, number_text::grouped(count), font.clone(), theme.quiet);
    }
    painter.hline(bars.x_range(), bars.bottom(), Stroke::new(1.0, theme.quiet));
    let bin_count = bins.bins.len();
    let one_index = bins.bins.iter().position(|bin| bins.is_one(bin)).unwrap_or(0);
    let width = bars.width() / bin_count.max(1) as f32;
    let label_interval = (56.0 / width).ceil().max(1.0) as usize;
    for (index, bin) in bins.bins.iter().enumerate() {
        if index.abs_diff(one_index) % label_interval != 0 {
            continue;
        }
        let x = bars.left() + width * (index as f32 + 0.5);
        let label = if index == one_index {
            "1".to_owned()
        } else {
            number_text::fixed(f64::from(bin.middle), sum_decimals(bins.step))
        };
        let at = pos2(x, bars.bottom() + 4.0);
        painter.text(at, Align2::CENTER_TOP, label, font.clone(), theme.quiet);
    }
}

/// Returns the number of decimals that distinguish sums one step apart.
fn sum_decimals(step: f32) -> usize {
    (-step.log10().floor()).clamp(0.0, 4.0) as usize
}

fn paint_bars(
    ui: &Ui,
    theme: &Theme,
    bars: Rect,
    bins: &SumBins,
    scale: CountScale,
    selected: Option<usize>,
) {
    let width = bars.width() / bins.bins.len().max(1) as f32;
    for (index, bin) in bins.bins.iter().enumerate() {
        let left = bars.left() + width * index as f32;
        if selected == Some(index) {
            let column = Rect::from_min_max(
                pos2(left, bars.top() - TOP_MARGIN),
                pos2(left + width, bars.bottom()),
            );
            ui.painter().rect_filled(column, 2.0, theme.accent_wash);
        }
        let inset = (width * 0.12).min(4.0);
        for (count, kind) in [(bin.now, SumKind::Current), (bin.stored, SumKind::Stored)] {
            if count == 0 {
                continue;
            }
            let top = bars.bottom() - (bars.height() * scale.height(count as f32)).max(2.0);
            let rect = Rect::from_min_max(
                pos2(left + inset, top),
                pos2(left + width - inset, bars.bottom()),
            );
            paint_bar(ui, theme, rect, kind, bins.is_one(bin));
        }
    }
}

/// Paints a filled bar for current sums, in red unless they are 1, or an outline for
/// stored sums.
fn paint_bar(ui: &Ui, theme: &Theme, rect: Rect, kind: SumKind, is_one: bool) {
    match kind {
        SumKind::Stored => {
            let stroke = Stroke::new(1.75, theme.ink);
            ui.painter().rect_stroke(rect, 1.0, stroke, StrokeKind::Inside);
        }
        SumKind::Current => {
            let fill = if is_one { theme.accent } else { theme.wrong };
            ui.painter().rect_filled(rect, 1.0, fill);
        }
    }
}

/// Describes a bin, such as `Σw from 0.995 to 1.005: 4,120 as stored, 4,119 now, such as
/// v0. Press to choose it.`
fn describe_bin(bins: &SumBins, bin: &SumBin) -> String {
    let half_step = 0.5 * bins.step;
    let decimals = sum_decimals(bins.step) + 1;
    let mut description = format!(
        "Σw from {} to {}: {} as stored, {} now",
        number_text::fixed(f64::from(bin.middle - half_step), decimals),
        number_text::fixed(f64::from(bin.middle + half_step), decimals),
        number_text::grouped(bin.stored),
        number_text::grouped(bin.now)
    );
    if let Some(vertex) = bin.example {
        let _ = write!(description, ", such as v{vertex}. Press to choose it.");
    }
    description
}

/// Draws the counts as a table.
fn table_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, bins: &SumBins) {
    let title = page.theme.label("as a table");
    CollapsingHeader::new(title).id_salt((id, "table")).show(ui, |ui| {
        Grid::new((id, "rows")).num_columns(4).spacing(vec2(24.0, 4.0)).show(ui, |ui| {
            for heading in ["Σw about", "as stored", "now", "such as"] {
                ui.label(page.theme.caption(heading));
            }
            ui.end_row();
            for bin in bins.bins.iter().filter(|bin| bin.stored + bin.now > 0) {
                let sum = number_text::fixed(f64::from(bin.middle), sum_decimals(bins.step));
                ui.label(mono_text(sum));
                ui.label(mono_text(number_text::grouped(bin.stored)));
                ui.label(mono_text(number_text::grouped(bin.now)));
                if let Some(vertex) = bin.example {
                    let response = ui.link(mono_text(format!("v{vertex}")));
                    page.link_response(&response, Entity::Vertex(vertex));
                }
                ui.end_row();
            }
        });
    });
}

fn mono_text(text: String) -> RichText {
    RichText::new(text).monospace().size(SMALL_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{Page, harness};
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::{Harness, kittest::Queryable};

    fn histogram_harness(page: Page) -> Harness<'static, Page> {
        let mut harness = harness(page, |ui, page| {
            super::ui(ui, &HistogramCell::default(), "h", page);
        });
        harness.run();
        harness
    }

    fn page_with_wrong_sum() -> Page {
        let mut page = Page::new("bone_grid");
        page.document.state.weights.insert(6, [0.5, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
        page
    }

    #[test]
    fn edited_weight_changes_the_current_count() {
        let mut harness = histogram_harness(page_with_wrong_sum());
        let summary = "Σw = 1 at 10 of 10 vertices as stored, and at 9 now.";
        harness.get_by_label(summary);
        harness.state_mut().document.state.weights.clear();
        harness.run();
        assert!(harness.query_by_label(summary).is_none(), "as stored again");
    }

    #[test]
    fn table_lists_bins_and_chooses_the_vertex() {
        let mut harness = histogram_harness(page_with_wrong_sum());
        harness.click_label("as a table");
        harness.get_by_label("1.30");
        harness.click_label("v6");
        assert_eq!(harness.state().document.state.vertex, 6);
    }

    #[test]
    fn arrow_keys_select_bars() {
        let mut harness = histogram_harness(page_with_wrong_sum());
        harness.get_by_label_contains("Sums of weights; use the arrow keys").focus();
        harness.run();
        harness.press(Key::ArrowRight);
        let descriptions =
            harness.query_all_by_label_contains("Σw from 1.295 to 1.305: 0 as stored, 1 now");
        assert!(descriptions.count() > 0);
        harness.press(Key::Enter);
        assert_eq!(harness.state().document.state.vertex, 6);
    }

    #[test]
    fn single_vertex_beside_thousands_has_a_visible_bar() {
        let scale = CountScale { max_count: 4000.0, is_logarithmic: true };
        assert!(scale.height(1.0) > 0.05);
        assert_eq!(scale.height(4000.0), 1.0);
        assert_eq!(scale.ticks(), [1, 10, 100, 1000]);
    }
}
