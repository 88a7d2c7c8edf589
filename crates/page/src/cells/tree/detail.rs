//! The chosen node: its own transform, and where that leads.

use std::f32::consts::PI;

use bindpose_asset::{NodeIndex, NodeTransform, SceneGraph};
use bindpose_lesson::TreeCell;
use bindpose_notebook::scene_graph::{
    TrsDecomposition, kind_of_local, parent_from_node, world_from_node,
};
use bindpose_notebook::significant_digits::{self, Magnitude, USUAL};
use bindpose_notebook::{Derived, number_text};
use eframe::egui::{Align, FontId, Label, Layout, RichText, Sense, Ui, UiBuilder, vec2};
use glam::{Mat4, Quat, Vec3};

use super::row;
use crate::PageContext;
use crate::theme::{SMALL, font};
use crate::widgets::{Density, Emphasis, MatrixGrid, MatrixHeads, MatrixRoom, NumberLook, note};

/// A cell of a matrix that is off by more of its axes’ length is not rounding.
const LOST: f64 = 1e-3;

/// Of what is before numbers, in points: these stand below each other.
const NAMES: f32 = 72.0;

/// Matrices in narrower columns stand below each other.
const LEAST_PAD: f32 = 3.0;

pub(super) fn ui(
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
    let parent_from = parent_from_node(page.derived, graph, index);
    let world_from = world_from_node(page.derived, graph, index);
    let (of_local, of_global) = magnitudes(page.derived, &parent_from, &world_from);
    let name = row::name(node, index);
    ui.spacing_mut().item_spacing.y = 3.0;
    let heading = format!("node {}  {name}", index.0);
    ui.label(RichText::new(heading).font(font::strong(SMALL)));
    let stored = kind_of_local(node.local);
    let says = format!("in its parent’s frame, stored as {stored}:");
    ui.label(page.theme.caption(says));
    if let (NodeTransform::Trs(_), Some(parts)) =
        (node.local, TrsDecomposition::from_matrix(parent_from))
    {
        trs(ui, page, &parts, of_local);
    } else {
        let origin = parent_from.w_axis.truncate();
        line(ui, page, "origin", &vector(origin, of_local.translation));
    }
    if cell.matrices {
        let both = [(parent_from, of_local), (world_from, of_global)];
        matrices(ui, id, page, &name, both);
    }
    if cell.taken_apart {
        taken_apart(ui, page, world_from, of_global);
    }
}

/// Of the matrix in its parent's frame and of that in the world's.
fn magnitudes(derived: &Derived, parent_from: &Mat4, world_from: &Mat4) -> (Magnitude, Magnitude) {
    let size = significant_digits::size_in_world(&derived.rig);
    let scale_of_parent = significant_digits::longest_axis(world_from)
        / significant_digits::longest_axis(parent_from);
    let in_parent = Some(size / scale_of_parent).filter(|size| size.is_finite());
    (
        Magnitude::from_matrix(parent_from, in_parent.unwrap_or_default()),
        Magnitude::from_matrix(world_from, size),
    )
}

fn trs(ui: &mut Ui, page: &PageContext<'_>, parts: &TrsDecomposition, magnitude: Magnitude) {
    let translation = vector(parts.translation, magnitude.translation);
    line(ui, page, "translation", &translation);
    line(ui, page, "rotation", &rotation(parts.rotation));
    line(ui, page, "scale", &vector(parts.scale, magnitude.linear));
}

fn line(ui: &mut Ui, page: &PageContext<'_>, what: &str, numbers: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        ui.spacing_mut().interact_size.y = 18.0;
        let (rect, _) = ui.allocate_exact_size(vec2(NAMES, 18.0), Sense::hover());
        let name = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
        ui.new_child(name).label(page.theme.caption(what));
        let numbers = RichText::new(numbers).font(FontId::monospace(SMALL));
        ui.add(Label::new(numbers).wrap());
    });
}

/// With the digits that numbers as large as `largest` have.
fn vector(v: Vec3, largest: f64) -> String {
    let decimals = significant_digits::decimals(largest, USUAL);
    number_text::point(&v.to_array(), decimals)
}

/// The four numbers as stored, x first, and the turn they stand for.
fn rotation(q: Quat) -> String {
    let stored = number_text::point(&q.to_array(), 3);
    let (axis, angle_rad) = q.to_axis_angle();
    // The short way round.
    let (axis, angle_rad) =
        if angle_rad > PI { (-axis, 2.0 * PI - angle_rad) } else { (axis, angle_rad) };
    let degrees = number_text::fixed(f64::from(angle_rad.to_degrees()), 1);
    if angle_rad < 1e-4 {
        return format!("{stored}: no turn");
    }
    let about = number_text::point(&axis.to_array(), 2);
    format!("{stored}: {degrees}° about {about}")
}

/// Side by side, or below each other where there is no room.
fn matrices(
    ui: &mut Ui,
    id: &str,
    page: &PageContext<'_>,
    name: &str,
    matrices: [(Mat4, Magnitude); 2],
) {
    let conventions = page.conventions();
    let matrices = matrices.map(|(matrix, magnitude)| {
        let matrix = conventions.axes.of(&matrix);
        (matrix, magnitude.in_units(conventions.axes.units_in_metre()))
    });
    // The same for both where both have the same digits.
    let room = |decimals: [usize; 4], usual: usize| {
        let mut room = MatrixRoom::default();
        for (matrix, magnitude) in &matrices {
            if magnitude.decimals(usual) == decimals {
                room.grow(matrix, decimals);
            }
        }
        room
    };
    let titles = [("local", "parent from"), ("global", "world from")];
    let grid = |which: usize, density: Density| MatrixGrid {
        theme: page.theme,
        id: format!("{id}/node/{which}"),
        name: format!("{} {name}", titles[which].1),
        matrix: matrices[which].0,
        magnitude: matrices[which].1,
        density,
        room: room(matrices[which].1.decimals(density.decimals), density.decimals),
        outline: page.theme.accent,
        brackets: page.theme.ink,
        editable: false,
        heads: MatrixHeads::of_vectors(conventions.has_rows()),
    };
    let width = ui.available_width();
    let widths = |density| [0, 1].map(|which| grid(which, density).size(ui).x);
    let fit_side_by_side = |density: &Density| {
        density.pad >= LEAST_PAD && widths(*density).iter().sum::<f32>() + 24.0 <= width
    };
    let fit_alone = |density: &Density| widths(*density).iter().all(|&one| one <= width);
    let together = Density::choices(USUAL).find(fit_side_by_side);
    let density = together.or_else(|| Density::choices(USUAL).find(fit_alone));
    let Some(density) = density.or_else(|| Density::choices(2).last()) else {
        return;
    };
    ui.add_space(4.0);
    let one = |ui: &mut Ui, which: usize| {
        let (title, frames) = titles[which];
        let words = format!("{title}: {frames} node");
        ui.label(page.theme.caption(words));
        let grid = grid(which, density);
        let (rect, _) = ui.allocate_exact_size(grid.size(ui), Sense::hover());
        grid.show(ui, rect.min, |_, _| NumberLook::default());
    };
    if together.is_some() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            for which in 0..titles.len() {
                ui.vertical(|ui| one(ui, which));
            }
        });
    } else {
        for which in 0..titles.len() {
            one(ui, which);
        }
    }
}

/// What is left of the global matrix when it is kept as three parts.
fn taken_apart(ui: &mut Ui, page: &PageContext<'_>, world_from: Mat4, magnitude: Magnitude) {
    ui.add_space(4.0);
    ui.label(page.theme.caption("its global matrix, taken apart:"));
    let Some(parts) = TrsDecomposition::from_matrix(world_from) else {
        let words = "It flattens: a scale is 0, and no rotation can be read from it.";
        note(ui, page.theme, words, SMALL, Emphasis::Plain);
        return;
    };
    trs(ui, page, &parts, magnitude);
    let lost = f64::from(parts.residual) > LOST * magnitude.linear;
    let decimals = significant_digits::decimals(magnitude.linear, USUAL);
    let number = number_text::fixed(parts.residual.into(), decimals);
    let words = if lost {
        format!(
            "Put together again, a cell is off by {number}: it shears, which no three parts say."
        )
    } else {
        format!("Put together again, no cell is off by more than {number}.")
    };
    let color = if lost { page.theme.wrong } else { page.theme.ink };
    ui.label(RichText::new(words).size(SMALL).color(color));
}
