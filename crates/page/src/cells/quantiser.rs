//! The weights of a vertex as whole numbers: each rounded by itself, and so that their
//! sum is exactly that for 1; where a shader that divides by nothing puts the vertex by
//! either; and how it is with the whole mesh.

use bindpose_lesson::QuantiserCell;
use bindpose_notebook::significant_digits::{self, USUAL_DECIMALS};
use bindpose_notebook::{Entity, InfluencePoint, number_text, rest_bounds};
use bindpose_skin::{Influences, InfluencesName, LANES, WeightFormat};
use eframe::egui::{Align, Grid, Layout, RichText, Ui, vec2};
use glam::Vec3;

use super::entity_chooser::{self, joint_name};
use crate::PageContext;
use crate::theme::{SMALL, font};
use crate::widgets::buttons::choose_segment;

const FORMATS: [(WeightFormat, &str, &str); 2] = [
    (WeightFormat::Bytes, "bytes: c / 255", "One byte a weight: unsigned, normalized"),
    (WeightFormat::Shorts, "shorts: c / 65535", "Two bytes a weight: unsigned, normalized"),
];

/// Least height of a row, in points.
const ROW: f32 = 20.0;

/// What is kept from frame to frame.
#[derive(Default)]
struct QuantiserCellState {
    /// `None`: what the lesson says.
    format: Option<WeightFormat>,
    whole: Option<WholeMesh>,
}

/// What is true of all vertices, for one list of influences and one format.
struct WholeMesh {
    of: (InfluencesName, WeightFormat),
    /// Vertices with weights, and those whose rounded numbers have another sum.
    vertices: usize,
    other_sums: usize,
    /// Furthest that a weight is from what its number stands for, where the sum is kept.
    furthest: f32,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &QuantiserCell, id: &str, page: &mut PageContext<'_>) {
    if cell.vertex.is_none() {
        entity_chooser::vertex(ui, id, page);
    }
    let format = page.state::<QuantiserCellState>(id).format.unwrap_or(cell.format);
    if let Some(chosen) = choose_segment(ui, page.theme, &FORMATS, format, false) {
        page.state::<QuantiserCellState>(id).format = Some(chosen);
        page.view.files.export.weights = Some(chosen);
    }
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    let Some(&influences) = page.derived.influences.get(vertex as usize) else {
        let words = format!("v{vertex} is bound to no joint: it has no weights.");
        ui.label(page.theme.label(words));
        return;
    };
    table(ui, id, vertex, &influences, format, page);
    whole_mesh(ui, id, format, page);
}

fn number(words: String, strong: bool) -> RichText {
    RichText::new(words).font(font::mono(SMALL, strong))
}

fn right(ui: &mut Ui, words: RichText) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(words));
}

fn table(
    ui: &mut Ui,
    id: &str,
    vertex: u32,
    influences: &Influences,
    format: WeightFormat,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let most = format.most();
    let rounded = format.rounded(&influences.weights);
    let Some(kept) = format.keeping_sum(&influences.weights) else {
        let words = format!("No joint has a weight on v{vertex}: nothing can add up to {most}.");
        ui.label(theme.label(words));
        return;
    };
    let mut lit = None;
    let grid = Grid::new((id, "numbers")).striped(true);
    let grid = grid.min_row_height(ROW).spacing(vec2(14.0, 2.0));
    grid.show(ui, |ui| {
        ui.label(theme.caption("joint"));
        let times = format!("× {most}");
        for title in ["weight", &times, "rounded", "sum kept"] {
            right(ui, theme.caption(title));
        }
        ui.end_row();
        for (lane, joint, weight) in influences.used() {
            let name = format!("{}  {}", joint.0, joint_name(page, joint));
            let label = ui.label(RichText::new(name).size(SMALL).color(theme.joint_text(joint)));
            if label.contains_pointer() {
                lit = Some(Entity::Weight(vertex, joint));
            }
            let weight = f64::from(weight);
            right(ui, number(number_text::fixed(weight, 4), false));
            right(ui, number(number_text::fixed(weight * f64::from(most), 2), false));
            right(ui, number(rounded[lane].to_string(), false));
            let other = rounded[lane] != kept[lane];
            right(ui, number(kept[lane].to_string(), other));
            ui.end_row();
        }
        ui.label(theme.caption("sum"));
        right(ui, number(number_text::fixed(influences.sum().into(), 4), false));
        ui.label("");
        for numbers in [rounded, kept] {
            let sum: u32 = numbers.iter().copied().map(u32::from).sum();
            if sum == u32::from(most) {
                right(ui, number(sum.to_string(), true));
            } else {
                let words = number(format!("{sum} ≠ {most}"), true);
                right(ui, words.color(theme.wrong));
            }
        }
        ui.end_row();
        errors(ui, vertex, [rounded, kept], format, page);
    });
    if let Some(entity) = lit {
        page.linked.hover(entity);
    }
}

/// How far each puts the vertex from where its weights do, where nobody divides by the
/// sum.
fn errors(
    ui: &mut Ui,
    vertex: u32,
    numbers: [[u16; LANES]; 2],
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
    for numbers in numbers {
        let restored = format.restored(&numbers);
        let off = |point: &InfluencePoint| {
            let weight = restored.get(point.lane).copied().unwrap_or_default();
            (weight - point.weight) * point.position_in_world
        };
        let moved: Vec3 = points.iter().map(off).sum();
        let words = number_text::fixed(moved.length().into(), decimals);
        right(ui, number(words, false));
    }
    ui.end_row();
}

fn whole_mesh(ui: &mut Ui, id: &str, format: WeightFormat, page: &mut PageContext<'_>) {
    let influences = page.derived.influences.clone();
    let memory = page.state::<QuantiserCellState>(id);
    let of = (influences.name(), format);
    let is_same = |whole: &WholeMesh| whole.of.0.is_same(&of.0) && whole.of.1 == format;
    if !memory.whole.as_ref().is_some_and(is_same) {
        memory.whole = Some(WholeMesh::new(of, &influences));
    }
    let Some(whole) = &memory.whole else { return };
    let count = |count: usize| number_text::grouped(u32::try_from(count).unwrap_or(u32::MAX));
    let furthest = number_text::fixed((whole.furthest * f32::from(format.most())).into(), 2);
    let words = format!(
        "Rounded one by one, {} of {} vertices have another sum than {}. With the sum kept none has, and no weight is further off than {furthest}/{}.",
        count(whole.other_sums),
        count(whole.vertices),
        format.most(),
        format.most(),
    );
    ui.label(page.theme.caption(words));
}

impl WholeMesh {
    fn new(of: (InfluencesName, WeightFormat), influences: &[Influences]) -> Self {
        let format = of.1;
        let (mut vertices, mut other_sums, mut furthest) = (0, 0, 0.0_f32);
        for influences in influences {
            let Some(kept) = format.keeping_sum(&influences.weights) else {
                continue;
            };
            vertices += 1;
            let rounded = format.rounded(&influences.weights);
            let sum: u32 = rounded.iter().copied().map(u32::from).sum();
            other_sums += usize::from(sum != u32::from(format.most()));
            let sum = influences.sum();
            for (weight, restored) in influences.weights.iter().zip(format.restored(&kept)) {
                // NaN is no distance, and is passed over.
                furthest = furthest.max((weight / sum - restored).abs());
            }
        }
        Self { of, vertices, other_sums, furthest }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::QuantiserCell;
    use bindpose_notebook::InfluencesEdit;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::ui;
    use crate::cells::testing::{Page, harness};

    fn shown(weights: [f32; 8]) -> Harness<'static, Page> {
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
    fn halves_are_one_byte_too_many_until_the_sum_is_kept() {
        let mut harness = shown([0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        harness.get_by_label("256 ≠ 255");
        harness.get_by_label("127");
        harness.get_by_label_contains("vertices have another sum than 255");
        harness.get_by_label("shorts: c / 65535").click();
        harness.run();
        harness.get_by_label("65536 ≠ 65535");
        harness.get_by_label("32767");
        assert!(harness.query_by_label("256 ≠ 255").is_none());
    }

    #[test]
    fn a_vertex_without_weights_says_so() {
        let harness = shown([0.0; 8]);
        harness.get_by_label_contains("No joint has a weight on v2");
    }
}
