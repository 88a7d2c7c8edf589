//! The chosen node: its own transform, and where that leads.

use std::f32::consts::PI;

use eframe::egui::{FontFamily, FontId, RichText, Sense, Ui};
use glam::{Mat4, Quat, Vec3};

use super::row;
use crate::asset::{Local, NodeIndex, SceneGraph};
use crate::lesson::TreeCell;
use crate::notebook::nodes::{TakenApart, kind_of_local, parent_from_node, world_from_node};
use crate::notebook::numbers;
use crate::ui::PageContext;
use crate::ui::theme::{SMALL, family};
use crate::ui::widgets::{Density, Look, MatrixGrid, Room, Voice, note};

/// A cell of a matrix that is off by more is not rounding.
const LOST: f32 = 1e-3;

pub(super) fn ui(
    ui: &mut Ui,
    cell: &TreeCell,
    id: &str,
    page: &PageContext<'_>,
    graph: &SceneGraph,
    index: NodeIndex,
) {
    let Some(node) = graph.nodes.get(index.at()) else {
        return;
    };
    let parent_from = parent_from_node(page.derived, graph, index);
    let world_from = world_from_node(page.derived, graph, index);
    let name = row::name(node, index);
    ui.spacing_mut().item_spacing.y = 3.0;
    let heading = format!("node {}  {name}", index.0);
    ui.label(RichText::new(heading).font(FontId::new(SMALL, family::strong())));
    let stored = kind_of_local(node.local);
    let says = format!("in its parent’s frame, stored as {stored}:");
    ui.label(RichText::new(says).size(13.0).color(page.theme.quiet));
    if let (Local::Trs(_), Some(parts)) = (node.local, TakenApart::of(parent_from)) {
        trs(ui, page, &parts);
    } else {
        let origin = parent_from.w_axis.truncate();
        line(ui, page, "origin", &vector(origin));
    }
    if cell.matrices {
        matrices(ui, id, page, &name, [parent_from, world_from]);
    }
    if cell.taken_apart {
        taken_apart(ui, page, world_from);
    }
}

fn trs(ui: &mut Ui, page: &PageContext<'_>, parts: &TakenApart) {
    line(ui, page, "translation", &vector(parts.translation));
    line(ui, page, "rotation", &rotation(parts.rotation));
    line(ui, page, "scale", &vector(parts.scale));
}

fn line(ui: &mut Ui, page: &PageContext<'_>, what: &str, numbers: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = eframe::egui::vec2(8.0, 0.0);
        ui.spacing_mut().interact_size.y = 18.0;
        ui.label(RichText::new(what).size(13.0).color(page.theme.quiet));
        ui.label(RichText::new(numbers).font(FontId::new(SMALL, FontFamily::Monospace)));
    });
}

fn vector(v: Vec3) -> String {
    let numbers = v.to_array().map(|number| numbers::fixed(number.into(), 3));
    format!("({})", numbers.join(", "))
}

/// The four numbers as stored, x first, and the turn they stand for.
fn rotation(q: Quat) -> String {
    let stored = q.to_array().map(|number| numbers::fixed(number.into(), 3));
    let (axis, angle_rad) = q.to_axis_angle();
    // The short way round.
    let (axis, angle_rad) = if angle_rad > PI {
        (-axis, 2.0 * PI - angle_rad)
    } else {
        (axis, angle_rad)
    };
    let degrees = numbers::fixed(f64::from(angle_rad.to_degrees()), 1);
    let stored = stored.join(", ");
    if angle_rad < 1e-4 {
        return format!("({stored}): no turn");
    }
    let about = axis
        .to_array()
        .map(|number| numbers::fixed(number.into(), 2));
    format!("({stored}): {degrees}° about ({})", about.join(", "))
}

/// Side by side, or below each other where there is no room.
fn matrices(ui: &mut Ui, id: &str, page: &PageContext<'_>, name: &str, matrices: [Mat4; 2]) {
    let mut room = Room::default();
    for matrix in &matrices {
        room.grow(matrix);
    }
    let titles = [("local", "parent from"), ("global", "world from")];
    let grid = |which: usize, density: Density| MatrixGrid {
        theme: page.theme,
        id: format!("{id}/node/{which}"),
        name: format!("{} {name}", titles[which].1),
        matrix: matrices[which],
        density,
        room,
        outline: page.theme.accent,
        brackets: page.theme.ink,
        editable: false,
    };
    let width = ui.available_width();
    let density = Density::choices(3)
        .find(|&density| 2.0 * grid(0, density).size(ui).x + 24.0 <= width)
        .or_else(|| Density::choices(3).find(|&density| grid(0, density).size(ui).x <= width));
    let Some(density) = density.or_else(|| Density::choices(2).last()) else {
        return;
    };
    ui.add_space(4.0);
    let one = |ui: &mut Ui, which: usize| {
        let (title, frames) = titles[which];
        let words = format!("{title}: {frames} node");
        ui.label(RichText::new(words).size(13.0).color(page.theme.quiet));
        let grid = grid(which, density);
        let (rect, _) = ui.allocate_exact_size(grid.size(ui), Sense::hover());
        grid.show(ui, rect.min, |_, _| Look::default());
    };
    if 2.0 * grid(0, density).size(ui).x + 24.0 <= width {
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
fn taken_apart(ui: &mut Ui, page: &PageContext<'_>, world_from: Mat4) {
    ui.add_space(4.0);
    ui.label(
        RichText::new("its global matrix, taken apart:")
            .size(13.0)
            .color(page.theme.quiet),
    );
    let Some(parts) = TakenApart::of(world_from) else {
        let words = "It flattens: a scale is 0, and no rotation can be read from it.";
        note(ui, page.theme, words, SMALL, Voice::Plain);
        return;
    };
    trs(ui, page, &parts);
    let lost = parts.residual > LOST;
    let number = numbers::fixed(parts.residual.into(), 3);
    let words = if lost {
        format!(
            "Put together again, a cell is off by {number}: it shears, which no three parts say."
        )
    } else {
        format!("Put together again, no cell is off by more than {number}.")
    };
    let color = if lost {
        page.theme.wrong
    } else {
        page.theme.ink
    };
    ui.label(RichText::new(words).size(SMALL).color(color));
}
