//! One line of the tree: a node.

use std::collections::BTreeSet;
use std::f32::consts::PI;
use std::fmt::Write as _;

use bindpose_asset::{GraphNode, JointRole, NodeIndex, NodeTransform, SceneGraph};
use bindpose_lesson::{Setting, TreeCell};
use bindpose_notebook::scene_graph::{
    TreeRow, TrsDecomposition, kind_of_local, parent_from_node, world_from_node,
};
use bindpose_notebook::significant_digits::{Magnitude, USUAL_DECIMALS};
use bindpose_notebook::{Derived, Entity, number_text, significant_digits};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, FontId, Id, Label, Layout, Rect, RichText, Sense, Stroke, Ui, UiBuilder, WidgetInfo,
    accesskit::Role, pos2, vec2,
};
use glam::{Mat4, Quat, Vec3};

use crate::theme::{CAPTION, INTERFACE, SMALL, font};
use crate::widgets::{
    Density, Emphasis, MatrixGrid, MatrixHeads, MatrixRoom, NumberLook, PaintText, lit_shape, note,
    paint_badge_at,
};
use crate::{PageContext, icons, touch};

/// Height of a line.
pub(super) const ROW: f32 = 26.0;
const INDENT: f32 = 18.0;
/// Deeper nodes stand no farther in.
const MOST_INDENTS: usize = 12;

/// Stable, so that the focus stays with the node.
pub(super) fn id(key: Id, node: NodeIndex) -> Id {
    key.with(("row", node.0))
}

pub(super) fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    (graph, roles): (&SceneGraph, &[JointRole]),
    shown: TreeRow,
    key: Id,
    memory: &mut TreeCellState,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let Some(node) = graph.nodes.get(shown.node.index()) else {
        return;
    };
    let chosen = memory.chosen == Some(shown.node);
    // One stop for the Tab key: the chosen row. The arrow keys lead on.
    let sense = if chosen { Sense::click() } else { Sense::CLICK };
    let response = ui.interact(rect, id(key, shown.node), sense);
    if chosen && std::mem::take(&mut memory.focus) {
        response.request_focus();
    }
    let entity = node.joint.map(Entity::Joint);
    // Other nodes move something too, but no vertex names them by a number.
    let of_skin = |joint: &JointIndex| roles.get(joint.index()) != Some(&JointRole::Helper);
    let joint = node.joint.filter(of_skin);
    let lit = response.hovered() || entity.is_some_and(|entity| page.linked.is_lit(entity));
    let painter = ui.painter();
    if lit {
        painter.add(lit_shape(page.theme, rect, 4.0));
    } else if chosen {
        painter.rect_filled(rect, 4.0, page.theme.accent_wash);
    }
    let indents = shown.depth.min(MOST_INDENTS);
    for level in 0..indents {
        let x = rect.left() + 11.0 + INDENT * level as f32;
        painter.vline(x, rect.y_range(), Stroke::new(1.0, page.theme.rule));
    }
    let left = rect.left() + 4.0 + INDENT * indents as f32;
    let folded = memory.folded.contains(&shown.node);
    // Before its button, which comes after it where they are read.
    ui.ctx().accesskit_node_builder(response.id, |it| {
        it.set_level(shown.depth + 1);
        if !node.children.is_empty() {
            it.set_expanded(!folded);
        }
    });
    if !node.children.is_empty() {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(16.0, ROW));
        caret(ui, page, key, memory, shown.node, place, &name(node, shown.node));
    }
    let end = paint_words(ui, page, node, (shown.node, joint), rect, left + 20.0);
    let place = place(ui, page, graph, shown.node, rect, end);
    let label = label(node, joint, shown, folded, &place);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, chosen, label.clone()));
    if let Some(entity) = entity.filter(|_| touch::is_pointed_at(&response) || response.has_focus())
    {
        page.linked.hover(entity);
    }
    if response.clicked() {
        choose(page, graph, memory, shown.node);
        memory.focus = true;
    }
}

fn caret(
    ui: &mut Ui,
    page: &PageContext<'_>,
    key: Id,
    memory: &mut TreeCellState,
    node: NodeIndex,
    place: Rect,
    name: &str,
) {
    let folded = memory.folded.contains(&node);
    let response = ui.interact(place, key.with(("fold", node.0)), Sense::CLICK);
    let verb = if folded { "unfold" } else { "fold" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} {name}")));
    let middle = place.center();
    // A triangle: to the right when folded, down when open.
    let corners = if folded {
        [vec2(-2.5, -4.5), vec2(3.5, 0.0), vec2(-2.5, 4.5)]
    } else {
        [vec2(-4.5, -2.5), vec2(4.5, -2.5), vec2(0.0, 3.5)]
    };
    let color = if response.hovered() { page.theme.accent } else { page.theme.quiet };
    ui.painter().add(eframe::egui::Shape::convex_polygon(
        corners.map(|corner| middle + corner).to_vec(),
        color,
        Stroke::NONE,
    ));
    if response.clicked() && !memory.folded.remove(&node) {
        memory.folded.insert(node);
    }
}

/// Number, badge, name and what hangs on the node; answers with where they end.
fn paint_words(
    ui: &Ui,
    page: &PageContext<'_>,
    node: &GraphNode,
    (index, joint): (NodeIndex, Option<JointIndex>),
    rect: Rect,
    left: f32,
) -> f32 {
    let painter = ui.painter();
    let quiet = page.theme.quiet;
    let mut x = left;
    let put = |x: f32, text: &str, font: FontId| {
        let at = pos2(x, rect.center().y);
        let put = painter.text_left(at, text, font, quiet);
        put.right() + 7.0
    };
    let mono = FontId::monospace(CAPTION);
    x = put(x, &index.0.to_string(), mono);
    if node.mesh.is_some() {
        x = put(x, icons::CUBE, font::icon(INTERFACE));
    }
    if let Some(joint) = joint {
        x = paint_badge_at(ui, page.theme, pos2(x, rect.center().y), joint) + 7.0;
    }
    let name = name(node, index);
    let font = FontId::proportional(SMALL);
    let at = pos2(x, rect.center().y);
    let text = painter.text_left(at, name, font.clone(), page.theme.ink);
    let at = pos2(text.right() + 8.0, rect.center().y);
    let what = hangs(node);
    painter.text_left(at, what, font, quiet).right()
}

/// Where the node is now, at the right end of the line if there is room.
fn place(
    ui: &Ui,
    page: &PageContext<'_>,
    graph: &SceneGraph,
    node: NodeIndex,
    rect: Rect,
    end: f32,
) -> String {
    let origin = world_from_node(page.derived, graph, node).w_axis.truncate();
    let size = significant_digits::size_in_world(&page.derived.rig)
        .max(significant_digits::largest(origin));
    let decimals = significant_digits::decimals(size, 2);
    let text = number_text::point(&origin.to_array(), decimals);
    let font = FontId::monospace(CAPTION);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, page.theme.quiet);
    let left = rect.right() - 6.0 - galley.size().x;
    if left > end + 8.0 {
        let at = pos2(left, rect.center().y);
        ui.painter().galley_left(at, galley, page.theme.quiet);
    }
    text
}

/// The file's own name, or its number.
pub(super) fn name(node: &GraphNode, index: NodeIndex) -> String {
    match node.name.as_deref() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("node {}", index.0),
    }
}

fn hangs(node: &GraphNode) -> String {
    let mesh = node.mesh.map(|mesh| format!("mesh {mesh}"));
    let skin = node.skin.map(|skin| format!("skin {skin}"));
    let parts: Vec<String> = mesh.into_iter().chain(skin).collect();
    parts.join(", ")
}

fn label(
    node: &GraphNode,
    joint: Option<JointIndex>,
    shown: TreeRow,
    folded: bool,
    place: &str,
) -> String {
    let mut label = format!("node {}: {}", shown.node.0, name(node, shown.node));
    if let Some(joint) = joint {
        let _ = write!(label, ", joint {}", joint.0);
    }
    let hangs = hangs(node);
    if !hangs.is_empty() {
        let _ = write!(label, ", {hangs}");
    }
    let _ = write!(label, ", at {place}, level {}", shown.depth + 1);
    if folded && !node.children.is_empty() {
        label.push_str(", folded");
    }
    label
}

// What the reader has done to the tree: chosen, folded, scrolled.

/// What the reader has done to the tree.
#[derive(Default)]
pub(super) struct TreeCellState {
    pub(super) folded: BTreeSet<NodeIndex>,
    pub(super) scene: usize,
    pub(super) chosen: Option<NodeIndex>,
    /// The joint that was chosen when the tree was last drawn.
    pub(super) joint: Option<JointIndex>,
    /// The row of the chosen node takes the focus when it is drawn.
    pub(super) focus: bool,
    /// How far it is scrolled, in points.
    pub(super) offset: f32,
}

/// Chooses a node, and its joint if it is one.
pub(super) fn choose(
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    memory: &mut TreeCellState,
    node: NodeIndex,
) {
    memory.chosen = Some(node);
    let joint = graph.nodes.get(node.index()).and_then(|node| node.joint);
    if let Some(joint) = joint
        && joint != page.document.state.joint
    {
        memory.joint = Some(joint);
        page.choose(Setting::Joint(joint.into()));
    }
}

// The chosen node: its own transform, and where that leads.

/// A cell of a matrix that is off by more of its axes’ length is not rounding.
const LOST: f64 = 1e-3;

/// Of what is before numbers, in points: these stand below each other.
const NAMES: f32 = 72.0;

/// Matrices in narrower columns stand below each other.
const LEAST_PAD: f32 = 3.0;

pub(super) fn detail_ui(
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
    let name = name(node, index);
    ui.spacing_mut().item_spacing.y = 3.0;
    let heading = format!("node {}  {name}", index.0);
    ui.label(RichText::new(heading).font(font::strong(SMALL)));
    let stored = kind_of_local(node.local);
    let says = format!("as its parent sees it, stored as {stored}:");
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
    let decimals = significant_digits::decimals(largest, USUAL_DECIMALS);
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
    let together = Density::choices(USUAL_DECIMALS).find(fit_side_by_side);
    let density = together.or_else(|| Density::choices(USUAL_DECIMALS).find(fit_alone));
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
    let decimals = significant_digits::decimals(magnitude.linear, USUAL_DECIMALS);
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
