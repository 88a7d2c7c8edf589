//! The weights of a vertex quantised to integers, by rounding each weight and by rounding
//! that keeps the sum of 1. Shows the displacement of the vertex in a shader that does not
//! divide by the sum, and statistics of the whole mesh.

use bindpose_kit::theme::{SMALL_SIZE, font};
use bindpose_kit::widgets::buttons::choose_segment;
use bindpose_lesson::significant_digits::{self, USUAL_DECIMALS};
use bindpose_lesson::{QuantiserCell, number_text};
use bindpose_notebook::{Entity, rest_bounds};
use bindpose_skin::{Influences, InfluencesName, LANES, WeightFormat};
use eframe::egui::{Align, Grid, Layout, RichText, Ui, vec2};
use glam::Vec3;

use super::entity_chooser::{self, joint_name};
use crate::PageContext;

const FORMATS: [(WeightFormat, &str, &str); 2] = [
    (WeightFormat::Bytes, "bytes: c / 255", "One byte a weight: unsigned, normalized"),
    (WeightFormat::Shorts, "shorts: c / 65535", "Two bytes a weight: unsigned, normalized"),
];

const MIN_ROW_HEIGHT_PTS: f32 = 20.0;

/// State of the cell that is kept between frames.
#[derive(Default)]
struct QuantiserCellState {
    /// `None` until the reader chooses a format. The lesson sets the default.
    format: Option<WeightFormat>,
    mesh_statistics: Option<MeshStatistics>,
}

/// Errors of all vertices, for one list of influences and one format.
struct MeshStatistics {
    influences: InfluencesName,
    format: WeightFormat,
    /// Number of vertices with weights.
    vertex_count: usize,
    /// Number of these whose rounded weights do not add up to 1.
    wrong_sum_count: usize,
    /// Largest error of a weight if the sum is kept.
    max_error: f32,
}

pub(super) fn ui(ui: &mut Ui, cell: &QuantiserCell, id: &str, page: &mut PageContext<'_>) {
    if cell.vertex.is_none() {
        entity_chooser::vertex_chooser_ui(ui, id, page);
    }
    let format = page.state::<QuantiserCellState>(id).format.unwrap_or(cell.format);
    if let Some(chosen) = choose_segment(ui, page.theme, &FORMATS, format, false) {
        page.state::<QuantiserCellState>(id).format = Some(chosen);
        page.view.files.export.weights = Some(chosen);
    }
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    let Some(&influences) = page.derived.influences.get(vertex as usize) else {
        let text = format!("v{vertex} is bound to no joint: it has no weights.");
        ui.label(page.theme.label(text));
        return;
    };
    table_ui(ui, id, vertex, &influences, format, page);
    mesh_statistics_ui(ui, id, format, page);
}

fn number_label(ui: &mut Ui, number: String, is_strong: bool) {
    right_aligned_label(ui, RichText::new(number).font(font::mono(SMALL_SIZE, is_strong)));
}

fn right_aligned_label(ui: &mut Ui, text: RichText) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(text));
}

fn table_ui(
    ui: &mut Ui,
    id: &str,
    vertex: u32,
    influences: &Influences,
    format: WeightFormat,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let max = format.most();
    let rounded = format.rounded(&influences.weights);
    let Some(sum_kept) = format.keeping_sum(&influences.weights) else {
        let text = format!("No joint has a weight on v{vertex}: nothing can add up to {max}.");
        ui.label(theme.label(text));
        return;
    };
    let mut hovered_entity = None;
    let grid = Grid::new((id, "numbers"))
        .striped(true)
        .min_row_height(MIN_ROW_HEIGHT_PTS)
        .spacing(vec2(14.0, 2.0));
    grid.show(ui, |ui| {
        ui.label(theme.caption("joint"));
        let scaled_title = format!("× {max}");
        for title in ["weight", &scaled_title, "rounded", "sum kept"] {
            right_aligned_label(ui, theme.caption(title));
        }
        ui.end_row();
        for (lane, joint, weight) in influences.used() {
            let name = format!("{}  {}", joint.0, joint_name(page, joint));
            let label =
                ui.label(RichText::new(name).size(SMALL_SIZE).color(theme.joint_text(joint)));
            if label.contains_pointer() {
                hovered_entity = Some(Entity::Weight(vertex, joint));
            }
            let weight = f64::from(weight);
            number_label(ui, number_text::fixed(weight, 4), false);
            number_label(ui, number_text::fixed(weight * f64::from(max), 2), false);
            number_label(ui, rounded[lane].to_string(), false);
            number_label(ui, sum_kept[lane].to_string(), rounded[lane] != sum_kept[lane]);
            ui.end_row();
        }
        ui.label(theme.caption("sum"));
        number_label(ui, number_text::fixed(influences.sum().into(), 4), false);
        ui.label("");
        for quantised in [rounded, sum_kept] {
            let sum = sum_of(&quantised);
            if sum == u32::from(max) {
                number_label(ui, sum.to_string(), true);
            } else {
                let text =
                    RichText::new(format!("{sum} ≠ {max}")).font(font::mono(SMALL_SIZE, true));
                right_aligned_label(ui, text.color(theme.wrong));
            }
        }
        ui.end_row();
        displacement_row(ui, vertex, [rounded, sum_kept], format, page);
    });
    if let Some(entity) = hovered_entity {
        page.linked.hover(entity);
    }
}

fn sum_of(quantised: &[u16; LANES]) -> u32 {
    quantised.iter().copied().map(u32::from).sum()
}

/// Draws the distances by which quantisation displaces the vertex, in a shader that does not
/// divide by the sum of the weights.
fn displacement_row(
    ui: &mut Ui,
    vertex: u32,
    quantisations: [[u16; LANES]; 2],
    format: WeightFormat,
    page: &PageContext<'_>,
) {
    let points = page.derived.influence_points(vertex as usize);
    let (low, high) = rest_bounds(&page.derived.rig);
    let decimals =
        significant_digits::decimals(f64::from((high - low).length()), USUAL_DECIMALS) + 1;
    ui.label(page.theme.caption("moves it by"));
    ui.label("");
    ui.label("");
    for quantised in quantisations {
        let restored = format.restored(&quantised);
        let mut displacement = Vec3::ZERO;
        for point in &points {
            let weight = restored.get(point.lane).copied().unwrap_or_default();
            displacement += (weight - point.weight) * point.position_in_world;
        }
        number_label(ui, number_text::fixed(displacement.length().into(), decimals), false);
    }
    ui.end_row();
}

fn mesh_statistics_ui(ui: &mut Ui, id: &str, format: WeightFormat, page: &mut PageContext<'_>) {
    let influences = page.derived.influences.clone();
    let cached = &mut page.state::<QuantiserCellState>(id).mesh_statistics;
    let is_current = cached.as_ref().is_some_and(|statistics| {
        statistics.influences.is_same(&influences.name()) && statistics.format == format
    });
    if !is_current {
        *cached = None;
    }
    let statistics =
        cached.get_or_insert_with(|| MeshStatistics::new(influences.name(), format, &influences));
    let max = format.most();
    let max_error = number_text::fixed((statistics.max_error * f32::from(max)).into(), 2);
    let text = format!(
        "Rounded one by one, {} of {} vertices have a sum other than {max}. With the sum kept none has, and no weight is further off than {max_error}/{max}.",
        grouped_count(statistics.wrong_sum_count),
        grouped_count(statistics.vertex_count),
    );
    ui.label(page.theme.caption(text));
}

fn grouped_count(count: usize) -> String {
    number_text::grouped(u32::try_from(count).unwrap_or(u32::MAX))
}

impl MeshStatistics {
    fn new(name: InfluencesName, format: WeightFormat, influences: &[Influences]) -> Self {
        let mut statistics =
            Self { influences: name, format, vertex_count: 0, wrong_sum_count: 0, max_error: 0.0 };
        for influences in influences {
            let Some(sum_kept) = format.keeping_sum(&influences.weights) else {
                continue;
            };
            statistics.vertex_count += 1;
            let rounded_sum = sum_of(&format.rounded(&influences.weights));
            statistics.wrong_sum_count += usize::from(rounded_sum != u32::from(format.most()));
            let sum = influences.sum();
            for (weight, restored) in influences.weights.iter().zip(format.restored(&sum_kept)) {
                // `max` ignores NaN.
                statistics.max_error = statistics.max_error.max((weight / sum - restored).abs());
            }
        }
        statistics
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::QuantiserCell;
    use bindpose_notebook::InfluencesEdit;
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::ui;
    use crate::cells::testing::{Page, harness};

    fn quantiser_harness(weights: [f32; 8]) -> Harness<'static, Page> {
        let mut page = Page::new("bone_grid");
        page.document.state.vertex = 2;
        let edit = InfluencesEdit::from(weights);
        page.document.state.weights.insert(2, edit);
        let mut harness = harness(page, |view, page| {
            ui(view, &QuantiserCell::default(), "quantiser", page);
        });
        harness.run();
        harness
    }

    #[test]
    fn rounding_two_halves_exceeds_the_sum_unless_kept() {
        let mut harness = quantiser_harness([0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        harness.get_by_label("256 ≠ 255");
        harness.get_by_label("127");
        harness.get_by_label_contains("vertices have a sum other than 255");
        harness.click_label("shorts: c / 65535");
        harness.get_by_label("65536 ≠ 65535");
        harness.get_by_label("32767");
        assert!(harness.query_by_label("256 ≠ 255").is_none());
    }

    #[test]
    fn message_replaces_table_without_weights() {
        let harness = quantiser_harness([0.0; 8]);
        harness.get_by_label_contains("No joint has a weight on v2");
    }
}
