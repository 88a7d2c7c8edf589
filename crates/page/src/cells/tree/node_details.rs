//! Details of the selected node: its local transform, its matrices and their
//! decomposition.

use std::f32::consts::PI;

use bindpose_gltf::{NodeIndex, NodeTransform, SceneGraph};
use bindpose_kit::theme::{SMALL_SIZE, font};
use bindpose_kit::widgets::{
    Density, Emphasis, MatrixGrid, MatrixHeads, MatrixRoom, NumberStyle, paragraph_ui,
};
use bindpose_lesson::significant_digits::{Magnitude, USUAL_DECIMALS};
use bindpose_lesson::{TreeCell, number_text, significant_digits};
use bindpose_notebook::scene_graph::{
    TrsDecomposition, kind_of_local, parent_from_node, world_from_node,
};
use bindpose_notebook::{Derived, size_in_world};
use eframe::egui::{Align, FontId, Label, Layout, RichText, Sense, Ui, UiBuilder, vec2};
use glam::{Mat4, Quat, Vec3};

use super::row::node_name;
use crate::PageContext;

/// Maximum residual of a decomposition that counts as rounding, relative to the length of
/// the matrix's axes.
const MAX_RELATIVE_RESIDUAL: f64 = 1e-3;

/// Width of the names before the numbers, which aligns the numbers below each other.
const NAME_WIDTH_PTS: f32 = 72.0;

/// Minimum padding of matrix cells at which two matrices are drawn side by side.
const MIN_SIDE_BY_SIDE_PAD_PTS: f32 = 3.0;

/// Draws the details of a node.
pub(super) fn details_ui(
    ui: &mut Ui,
    cell: &TreeCell,
    id: &str,
    page: &PageContext<'_>,
    graph: &SceneGraph,
    index: NodeIndex,
) {
    let Some(node) = graph.nodes.get(index.index()) else {
        return;
    };
    let parent_from_node = parent_from_node(page.derived, graph, index);
    let world_from_node = world_from_node(page.derived, graph, index);
    let (local_magnitude, world_magnitude) =
        matrix_magnitudes(page.derived, &parent_from_node, &world_from_node);
    let name = node_name(node, index);
    ui.spacing_mut().item_spacing.y = 3.0;
    let heading = format!("node {}  {name}", index.0);
    ui.label(RichText::new(heading).font(font::strong(SMALL_SIZE)));
    let kind = kind_of_local(node.local);
    ui.label(page.theme.caption(format!("as its parent sees it, stored as {kind}:")));
    if let (NodeTransform::Trs(_), Some(parts)) =
        (node.local, TrsDecomposition::from_matrix(parent_from_node))
    {
        trs_ui(ui, page, &parts, local_magnitude);
    } else {
        let origin = parent_from_node.w_axis.truncate();
        property_ui(ui, page, "origin", &format_vector(origin, local_magnitude.translation));
    }
    if cell.matrices {
        let local = NodeMatrix {
            title: "local",
            frames: "parent from",
            matrix: parent_from_node,
            magnitude: local_magnitude,
        };
        let world = NodeMatrix {
            title: "world",
            frames: "world from",
            matrix: world_from_node,
            magnitude: world_magnitude,
        };
        matrices_ui(ui, id, page, &name, [local, world]);
    }
    if cell.taken_apart {
        decomposition_ui(ui, page, world_from_node, world_magnitude);
    }
}

/// Computes the magnitudes of the local transform and of the world matrix.
fn matrix_magnitudes(
    derived: &Derived,
    parent_from_node: &Mat4,
    world_from_node: &Mat4,
) -> (Magnitude, Magnitude) {
    let model_size = size_in_world(&derived.rig);
    let parent_scale = significant_digits::longest_axis(world_from_node)
        / significant_digits::longest_axis(parent_from_node);
    let size_in_parent = Some(model_size / parent_scale).filter(|size| size.is_finite());
    (
        Magnitude::from_matrix(parent_from_node, size_in_parent.unwrap_or_default()),
        Magnitude::from_matrix(world_from_node, model_size),
    )
}

fn trs_ui(ui: &mut Ui, page: &PageContext<'_>, parts: &TrsDecomposition, magnitude: Magnitude) {
    let translation = format_vector(parts.translation, magnitude.translation);
    property_ui(ui, page, "translation", &translation);
    property_ui(ui, page, "rotation", &format_rotation(parts.rotation));
    property_ui(ui, page, "scale", &format_vector(parts.scale, magnitude.linear));
}

fn property_ui(ui: &mut Ui, page: &PageContext<'_>, name: &str, numbers: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        ui.spacing_mut().interact_size.y = 18.0;
        let (rect, _) = ui.allocate_exact_size(vec2(NAME_WIDTH_PTS, 18.0), Sense::hover());
        let layout = Layout::left_to_right(Align::Center);
        ui.new_child(UiBuilder::new().max_rect(rect).layout(layout))
            .label(page.theme.caption(name));
        let numbers = RichText::new(numbers).font(FontId::monospace(SMALL_SIZE));
        ui.add(Label::new(numbers).wrap());
    });
}

/// Formats a vector with the decimals that suit numbers as large as `largest`.
fn format_vector(vector: Vec3, largest: f64) -> String {
    let decimals = significant_digits::decimals(largest, USUAL_DECIMALS);
    number_text::point(&vector.to_array(), decimals)
}

/// Formats the four components as stored, x first, and the angle and axis they represent.
fn format_rotation(rotation: Quat) -> String {
    let components = number_text::point(&rotation.to_array(), 3);
    let (mut axis, mut angle_rad) = rotation.to_axis_angle();
    if angle_rad > PI {
        // The shorter rotation about the opposite axis.
        axis = -axis;
        angle_rad = 2.0 * PI - angle_rad;
    }
    if angle_rad < 1e-4 {
        return format!("{components}: no turn");
    }
    let degrees = number_text::fixed(f64::from(angle_rad.to_degrees()), 1);
    let axis = number_text::point(&axis.to_array(), 2);
    format!("{components}: {degrees}° about {axis}")
}

/// The local transform or the world matrix of a node.
struct NodeMatrix {
    title: &'static str,
    /// Frames of the matrix, to be followed by the node: "world from".
    frames: &'static str,
    matrix: Mat4,
    magnitude: Magnitude,
}

/// Draws the matrices side by side, or below each other if there is no room.
fn matrices_ui(
    ui: &mut Ui,
    id: &str,
    page: &PageContext<'_>,
    name: &str,
    mut matrices: [NodeMatrix; 2],
) {
    let axes = page.conventions().axes;
    for shown in &mut matrices {
        shown.matrix = axes.of(&shown.matrix);
        shown.magnitude = shown.magnitude.in_units(axes.units_in_metre());
    }
    let width = ui.available_width();
    let side_by_side = Density::choices(USUAL_DECIMALS)
        .filter(|density| density.pad >= MIN_SIDE_BY_SIDE_PAD_PTS)
        .find(|density| {
            let widths = grid_widths(ui, id, page, name, &matrices, *density);
            widths.iter().sum::<f32>() + 24.0 <= width
        });
    let density = side_by_side
        .or_else(|| {
            Density::choices(USUAL_DECIMALS).find(|density| {
                let widths = grid_widths(ui, id, page, name, &matrices, *density);
                widths.iter().all(|grid_width| *grid_width <= width)
            })
        })
        .or_else(|| Density::choices(2).last());
    let Some(density) = density else {
        return;
    };
    ui.add_space(4.0);
    if side_by_side.is_some() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            for index in 0..matrices.len() {
                ui.vertical(|ui| matrix_ui(ui, id, page, name, &matrices, index, density));
            }
        });
    } else {
        for index in 0..matrices.len() {
            matrix_ui(ui, id, page, name, &matrices, index, density);
        }
    }
}

fn grid_widths(
    ui: &Ui,
    id: &str,
    page: &PageContext<'_>,
    name: &str,
    matrices: &[NodeMatrix; 2],
    density: Density,
) -> [f32; 2] {
    [0, 1].map(|index| matrix_grid(id, page, name, matrices, index, density).size(ui).x)
}

fn matrix_ui(
    ui: &mut Ui,
    id: &str,
    page: &PageContext<'_>,
    name: &str,
    matrices: &[NodeMatrix; 2],
    index: usize,
    density: Density,
) {
    let NodeMatrix { title, frames, .. } = matrices[index];
    ui.label(page.theme.caption(format!("{title}: {frames} node")));
    let grid = matrix_grid(id, page, name, matrices, index, density);
    let (rect, _) = ui.allocate_exact_size(grid.size(ui), Sense::hover());
    grid.show(ui, rect.min, |_, _| NumberStyle::default());
}

fn matrix_grid<'a>(
    id: &str,
    page: &PageContext<'a>,
    name: &str,
    matrices: &[NodeMatrix; 2],
    index: usize,
    density: Density,
) -> MatrixGrid<'a> {
    let NodeMatrix { frames, matrix, magnitude, .. } = matrices[index];
    // Matrices with the same decimals share their column widths.
    let decimals = magnitude.decimals(density.decimals);
    let mut room = MatrixRoom::default();
    for other in matrices {
        if other.magnitude.decimals(density.decimals) == decimals {
            room.grow(&other.matrix, decimals);
        }
    }
    MatrixGrid {
        theme: page.theme,
        id: format!("{id}/node/{index}"),
        name: format!("{frames} {name}"),
        matrix,
        magnitude,
        density,
        room,
        outline: page.theme.accent,
        brackets: page.theme.ink,
        editable: false,
        heads: MatrixHeads::for_vectors(page.conventions().has_rows()),
        row_count: 4,
    }
}

/// Draws the world matrix decomposed into translation, rotation and scale, and the
/// residual of the recomposed matrix.
fn decomposition_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    world_from_node: Mat4,
    magnitude: Magnitude,
) {
    ui.add_space(4.0);
    ui.label(page.theme.caption("its world matrix, taken apart:"));
    let Some(parts) = TrsDecomposition::from_matrix(world_from_node) else {
        let text = "It flattens: a scale is 0, and no rotation can be read from it.";
        paragraph_ui(ui, page.theme, text, SMALL_SIZE, Emphasis::Plain);
        return;
    };
    trs_ui(ui, page, &parts, magnitude);
    let decimals = significant_digits::decimals(magnitude.linear, USUAL_DECIMALS);
    let residual = number_text::fixed(parts.residual.into(), decimals);
    let is_sheared = f64::from(parts.residual) > MAX_RELATIVE_RESIDUAL * magnitude.linear;
    let (text, color) = if is_sheared {
        let text = format!(
            "Put together again, a cell is off by {residual}: it shears, and translation, rotation and scale can’t."
        );
        (text, page.theme.wrong)
    } else {
        let text = format!("Put together again, no cell is off by more than {residual}.");
        (text, page.theme.ink)
    };
    ui.label(RichText::new(text).size(SMALL_SIZE).color(color));
}
