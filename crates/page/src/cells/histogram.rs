//! How often each sum of weights occurs, as stored and now.

use std::fmt::Write as _;

use bindpose_lesson::{HistogramCell, Setting};
use bindpose_notebook::{Entity, SumBin, SumBins, number_text};
use eframe::egui::{
    Align2, CollapsingHeader, FontId, Grid, Key, Rect, Response, RichText, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL, Theme};
use crate::widgets::{PaintText, place_by_arrows};

/// Of the bars with their axis.
const HEIGHT: f32 = 150.0;
/// Room below the bars for the numbers of the axis, above for the tallest.
const AXIS: f32 = 22.0;
const HEAD: f32 = 8.0;
/// Room at the left for counts.
const COUNTS: f32 = 46.0;
/// From this ratio of the largest count to the smallest on, the scale is logarithmic.
const LOGARITHMIC_FROM: f32 = 30.0;

/// The bar that the keys point at, counted among those that are not empty.
#[derive(Default)]
struct FocusedBar(usize);

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &HistogramCell, id: &str, page: &mut PageContext<'_>) {
    let bins = page.derived.sum_bins().clone();
    summary(ui, page, &bins);
    let scale = Scale::new(&bins);
    let height = cell.height.unwrap_or(HEIGHT).clamp(80.0, 800.0);
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let bars = Rect::from_min_max(
        pos2(rect.left() + COUNTS, rect.top() + HEAD),
        pos2(rect.right() - 8.0, rect.bottom() - AXIS),
    );
    let place = &mut page.state::<FocusedBar>(id).0;
    let pointed = pointed_at(ui, &response, bars, &bins, place);
    paint_axes(ui, page.theme, bars, &bins, scale);
    paint_bars(ui, page.theme, bars, &bins, scale, pointed);
    let words = pointed.and_then(|index| bins.bins.get(index)).map(|bin| describe(&bins, bin));
    response.widget_info(|| {
        let name =
            words.as_deref().unwrap_or("Sums of weights; use the arrow keys, or the table below");
        WidgetInfo::labeled(Role::Image, true, name)
    });
    let bin = pointed.and_then(|index| bins.bins.get(index));
    if let Some(vertex) = bin.and_then(|bin| bin.example) {
        page.link(&response, Entity::Vertex(vertex));
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            page.choose(Setting::Vertex(vertex));
        }
    }
    if let Some(words) = words {
        if response.has_focus() && !response.hovered() {
            ui.label(RichText::new(&words).size(SMALL).color(page.theme.ink));
        }
        response.on_hover_text_at_pointer(words);
    }
    table(ui, id, page, &bins);
}

/// `Σw = 1 at 4,120 of 4,120 vertices as stored, and at 4,119 now.`
fn summary(ui: &mut Ui, page: &PageContext<'_>, bins: &SumBins) {
    let derived = page.derived;
    let [stored, now] = derived.sums_of_one();
    let count = |count: usize| number_text::grouped(count as u32);
    let all = derived.influences.len();
    let mut words = format!(
        "Σw = 1 at {} of {} vertices as stored, and at {} now.",
        count(stored),
        count(all),
        count(now)
    );
    if bins.odd > 0 {
        let _ = write!(words, " {} have no finite sum.", bins.odd);
    }
    let text = page.theme.label(words);
    ui.label(if now < all { text.color(page.theme.wrong) } else { text });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (stored, words) in [(true, "as stored"), (false, "now")] {
            let (swatch, _) = ui.allocate_exact_size(vec2(18.0, 14.0), Sense::hover());
            bar(ui, page.theme, swatch, stored, true);
            ui.label(page.theme.label(words));
            ui.add_space(8.0);
        }
    });
}

/// From a count to a part of the height.
#[derive(Clone, Copy)]
struct Scale {
    most: f32,
    logarithmic: bool,
}

impl Scale {
    fn new(bins: &SumBins) -> Self {
        let counts = || bins.bins.iter().flat_map(|bin| [bin.stored, bin.now]);
        let most = counts().max().unwrap_or(1).max(1) as f32;
        let least = counts().filter(|&count| count > 0).min().unwrap_or(1) as f32;
        Self { most, logarithmic: most / least > LOGARITHMIC_FROM }
    }

    /// 0 to 1.
    fn part(self, count: f32) -> f32 {
        if self.logarithmic {
            // A count of 1 must be seen.
            (1.0 + count).ln() / (1.0 + self.most).ln()
        } else {
            count / self.most
        }
    }

    fn ticks(self) -> Vec<u32> {
        let most = self.most as u32;
        if self.logarithmic {
            (0..10).map(|power| 10_u32.pow(power)).take_while(|&count| count <= most).collect()
        } else {
            vec![0, most]
        }
    }
}

/// Which bin the pointer or the keys point at.
fn pointed_at(
    ui: &Ui,
    response: &Response,
    bars: Rect,
    bins: &SumBins,
    focused: &mut usize,
) -> Option<usize> {
    let count = bins.bins.len();
    if let Some(at) = response.hover_pos() {
        let part = (at.x - bars.left()) / bars.width().max(1.0);
        let index = (part * count as f32).floor();
        return (index >= 0.0 && (index as usize) < count).then_some(index as usize);
    }
    if !response.has_focus() {
        return None;
    }
    let full: Vec<usize> = bins
        .bins
        .iter()
        .enumerate()
        .filter(|(_, bin)| bin.stored + bin.now > 0)
        .map(|(index, _)| index)
        .collect();
    let place = (*focused).min(full.len().saturating_sub(1));
    *focused = place_by_arrows(ui, response, place, full.len()).unwrap_or(place);
    full.get(*focused).copied()
}

fn paint_axes(ui: &Ui, theme: &Theme, bars: Rect, bins: &SumBins, scale: Scale) {
    let painter = ui.painter();
    let font = FontId::proportional(CAPTION);
    for count in scale.ticks() {
        let y = bars.bottom() - bars.height() * scale.part(count as f32);
        painter.hline(bars.x_range(), y, Stroke::new(1.0, theme.rule));
        let at = pos2(bars.left() - 8.0, y);
        let words = number_text::grouped(count);
        painter.text_right(at, words, font.clone(), theme.quiet);
    }
    let base = Stroke::new(1.0, theme.quiet);
    painter.hline(bars.x_range(), bars.bottom(), base);
    let count = bins.bins.len();
    let one = bins.bins.iter().position(|bin| bins.is_one(bin)).unwrap_or(0);
    let width = bars.width() / count.max(1) as f32;
    let every = (56.0 / width).ceil().max(1.0) as usize;
    for (index, bin) in bins.bins.iter().enumerate() {
        if index.abs_diff(one) % every != 0 {
            continue;
        }
        let x = bars.left() + width * (index as f32 + 0.5);
        let words = if index == one {
            "1".to_owned()
        } else {
            number_text::fixed(f64::from(bin.middle), decimals(bins.step))
        };
        let at = pos2(x, bars.bottom() + 4.0);
        painter.text(at, Align2::CENTER_TOP, words, font.clone(), theme.quiet);
    }
}

fn decimals(step: f32) -> usize {
    (-step.log10().floor()).clamp(0.0, 4.0) as usize
}

fn paint_bars(
    ui: &Ui,
    theme: &Theme,
    bars: Rect,
    bins: &SumBins,
    scale: Scale,
    pointed: Option<usize>,
) {
    let width = bars.width() / bins.bins.len().max(1) as f32;
    for (index, bin) in bins.bins.iter().enumerate() {
        let left = bars.left() + width * index as f32;
        if pointed == Some(index) {
            let column = Rect::from_min_max(
                pos2(left, bars.top() - HEAD),
                pos2(left + width, bars.bottom()),
            );
            ui.painter().rect_filled(column, 2.0, theme.accent_wash);
        }
        let inset = (width * 0.12).min(4.0);
        for (count, stored) in [(bin.now, false), (bin.stored, true)] {
            if count == 0 {
                continue;
            }
            let top = bars.bottom() - (bars.height() * scale.part(count as f32)).max(2.0);
            let rect = Rect::from_min_max(
                pos2(left + inset, top),
                pos2(left + width - inset, bars.bottom()),
            );
            bar(ui, theme, rect, stored, bins.is_one(bin));
        }
    }
}

/// Filled for now, in the colour of what is wrong where it is not 1; an outline
/// for what is stored.
fn bar(ui: &Ui, theme: &Theme, rect: Rect, stored: bool, right: bool) {
    if stored {
        let stroke = Stroke::new(1.75, theme.ink);
        ui.painter().rect_stroke(rect, 1.0, stroke, StrokeKind::Inside);
    } else {
        let fill = if right { theme.accent } else { theme.wrong };
        ui.painter().rect_filled(rect, 1.0, fill);
    }
}

/// `Σw from 0.995 to 1.005: 4,120 vertices as stored, 4,119 now, such as v0`
fn describe(bins: &SumBins, bin: &SumBin) -> String {
    let edge = |side: f32| {
        let value = bin.middle + side * 0.5 * bins.step;
        number_text::fixed(f64::from(value), decimals(bins.step) + 1)
    };
    let mut words = format!(
        "Σw from {} to {}: {} as stored, {} now",
        edge(-1.0),
        edge(1.0),
        number_text::grouped(bin.stored),
        number_text::grouped(bin.now)
    );
    if let Some(vertex) = bin.example {
        let _ = write!(words, ", such as v{vertex}. Press to choose it.");
    }
    words
}

/// The same numbers in rows, for all who would rather read them.
fn table(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, bins: &SumBins) {
    let title = page.theme.label("as a table");
    CollapsingHeader::new(title).id_salt((id, "table")).show(ui, |ui| {
        Grid::new((id, "rows")).num_columns(4).spacing(vec2(24.0, 4.0)).show(ui, |ui| {
            for words in ["Σw about", "as stored", "now", "such as"] {
                ui.label(page.theme.caption(words));
            }
            ui.end_row();
            for bin in bins.bins.iter().filter(|bin| bin.stored + bin.now > 0) {
                table_row(ui, page, bins, bin);
            }
        });
    });
}

fn table_row(ui: &mut Ui, page: &mut PageContext<'_>, bins: &SumBins, bin: &SumBin) {
    let mono = |text: String| RichText::new(text).monospace().size(SMALL);
    let middle = number_text::fixed(f64::from(bin.middle), decimals(bins.step));
    ui.label(mono(middle));
    ui.label(mono(number_text::grouped(bin.stored)));
    ui.label(mono(number_text::grouped(bin.now)));
    if let Some(vertex) = bin.example {
        let response = ui.link(mono(format!("v{vertex}")));
        page.link(&response, Entity::Vertex(vertex));
    }
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{Page, harness};
    use egui_kittest::{Harness, kittest::Queryable};

    fn shown(page: Page) -> Harness<'static, Page> {
        let mut harness = harness(page, |view, page| {
            ui(view, &HistogramCell::default(), "h", page);
        });
        harness.run();
        harness
    }

    fn with_one_off() -> Page {
        let mut page = Page::new("bone_grid");
        page.document.state.weights.insert(6, [0.5, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
        page
    }

    #[test]
    fn an_edited_weight_is_counted_apart() {
        let mut harness = shown(with_one_off());
        let words = "Σw = 1 at 10 of 10 vertices as stored, and at 9 now.";
        harness.get_by_label(words);
        harness.state_mut().document.state.weights.clear();
        harness.run();
        assert!(harness.query_by_label(words).is_none(), "as stored again");
    }

    #[test]
    fn the_table_says_it_in_rows_and_chooses_the_vertex() {
        let mut harness = shown(with_one_off());
        harness.get_by_label("as a table").click();
        harness.run();
        harness.get_by_label("1.30");
        harness.get_by_label("v6").click();
        harness.run();
        assert_eq!(harness.state().document.state.vertex, 6);
    }

    #[test]
    fn keys_go_from_bar_to_bar() {
        let mut harness = shown(with_one_off());
        harness.get_by_label_contains("Sums of weights; use the arrow keys").focus();
        harness.run();
        harness.key_press(Key::ArrowRight);
        harness.run();
        let words =
            harness.query_all_by_label_contains("Σw from 1.295 to 1.305: 0 as stored, 1 now");
        assert!(words.count() > 0);
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().document.state.vertex, 6);
    }

    #[test]
    fn one_vertex_beside_thousands_is_seen() {
        let scale = Scale { most: 4000.0, logarithmic: true };
        assert!(scale.part(1.0) > 0.05);
        assert_eq!(scale.part(4000.0), 1.0);
        assert_eq!(scale.ticks(), [1, 10, 100, 1000]);
    }
}
