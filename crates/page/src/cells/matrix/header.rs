//! Above and between matrices: tags, operators, and the brace that joins the
//! frames that touch.

use std::collections::BTreeMap;

use bindpose_lesson::{JointName, JointRef, MatrixRef, Setting};
use bindpose_notebook::matrix::{BrokenSeam, MatrixOwner, NOT_EQUAL, OperatorBlock, OperatorRole};
use bindpose_notebook::{Derived, Entity, number_text, significant_digits};
use bindpose_skin::{ConventionAxes, Conventions, CoordinateFrame, Vectors};
use eframe::egui::{
    Align, Button, Color32, FontId, Id, Layout, Pos2, Rect, Response, RichText, Sense, Shape,
    Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2,
};

use crate::bench::ComparedMatrix;
use crate::cells::entity_chooser;
use crate::theme::{BODY, CAPTION, FINE, SMALL, Theme, font};
use crate::widgets::{
    Density, HEADINGS, MatrixRoom, PaintText, Tip as _, chip_size, copy_matrix,
    digits_before_point, frame_look, paint_badge_at, paint_chip,
};
use crate::{PageContext, touch};

pub(super) fn header(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &OperatorBlock,
    at: Pos2,
    width: f32,
    surface: &Response,
) {
    let theme = page.theme;
    let quiet = FontId::proportional(CAPTION);
    let rows = page.conventions().has_rows();
    let buttons = if block.source.pins { 72.0 } else { 28.0 };
    let right = at.x + width - buttons;
    let caption_left = if block.role == OperatorRole::Difference {
        let font = font::strong(SMALL);
        let place = pos2(at.x, at.y + 11.0);
        let text = ui.painter().text_left(place, "A − B", font, theme.ink);
        text.right()
    } else {
        let (left, right) = chips(ui, block, rows);
        let between = pos2(f32::midpoint(left.right(), right.left()), left.center().y);
        let between = between + at.to_vec2();
        let arrow = if rows { "→" } else { "←" };
        ui.painter().text_centered(between, arrow, FontId::proportional(SMALL), theme.quiet);
        let named = &block.source.named;
        let (to, from) = if rows { (right, left) } else { (left, right) };
        for (place, rect, frame) in [("to", to, named.to), ("from", from, named.from)] {
            let rect = rect.translate(at.to_vec2());
            frame_chip(ui, page, block, place, rect, frame, surface.id);
        }
        whose(ui, page, block, right.right_center() + at.to_vec2())
    };
    let difference = block.role == OperatorRole::Difference;
    let caption = if difference { String::new() } else { caption(block) };
    let galley = ui.painter().layout_no_wrap(caption, quiet, theme.quiet);
    if caption_left + 8.0 + galley.size().x <= right {
        let place = pos2(caption_left + 8.0, at.y + 11.0);
        ui.painter().galley_left(place, galley, theme.quiet);
    }
    let corner = Rect::from_min_size(pos2(right + 4.0, at.y), vec2(buttons - 4.0, 22.0));
    // Centred, as high as the tags are: what is higher stands over on both sides.
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt((surface.id, "copy"))
            .max_rect(corner)
            .layout(Layout::left_to_right(Align::Center)),
    );
    let (name, mat) = (block.source.name(), &block.source.named.mat);
    child.spacing_mut().item_spacing.x = 0.0;
    if let Some(reference) = block.source.reference.as_ref().filter(|_| block.source.pins) {
        pins(&mut child, page, reference, &name);
    }
    // The axes have been changed already.
    let conventions = Conventions { axes: ConventionAxes::Gltf, ..page.conventions() };
    let copied = (mat, conventions);
    copy_matrix(&mut child, theme, surface, &name, copied, |ui| {
        if let Some(reference) = &block.source.reference {
            compare_entries(ui, page, reference);
        }
        side_of_vectors(ui, page);
    });
}

/// What the matrix is, and of which joint where the lesson asks for that by its name.
fn caption(block: &OperatorBlock) -> String {
    let title = &block.source.title;
    let joint = block.source.reference.as_ref().and_then(MatrixRef::joint);
    match joint {
        Some(JointRef::Named(JointName::Name(name))) => format!("{title} of {name}"),
        _ => title.clone(),
    }
}

const SIDES: [&str; 2] = ["A", "B"];

/// Buttons that put a matrix into the comparison of the bench.
fn pins(ui: &mut Ui, page: &mut PageContext<'_>, reference: &MatrixRef, name: &str) {
    for (side, letter) in SIDES.into_iter().enumerate() {
        let on = page.view.bench.compared[side] == ComparedMatrix::now(reference.clone());
        let words = RichText::new(letter).font(font::strong(FINE));
        let button = Button::selectable(on, words).min_size(vec2(22.0, 20.0));
        let response = ui
            .add(button)
            .accessible_name(format!("compare {name} as {letter}"))
            .tip(format!("Put this matrix into the comparison as {letter}"));
        if response.clicked() {
            page.view.bench.compared[side] = ComparedMatrix::now(reference.clone());
        }
    }
}

/// The same as entries of a menu, which open the bench.
fn compare_entries(ui: &mut Ui, page: &mut PageContext<'_>, reference: &MatrixRef) {
    ui.separator();
    for (side, letter) in SIDES.into_iter().enumerate() {
        if ui.button(format!("Compare as {letter}")).clicked() {
            page.view.bench.compared[side] = ComparedMatrix::now(reference.clone());
            page.view.bench.open = true;
            ui.close();
        }
    }
}

/// Writes the matrices of all pages for row vectors, or for columns again; those of this
/// page too, if its step says how.
fn side_of_vectors(ui: &mut Ui, page: &mut PageContext<'_>) {
    let rows = page.conventions().has_rows();
    let (words, vectors) = if rows {
        ("Write for column vectors", Vectors::Columns)
    } else {
        ("Write for row vectors", Vectors::Rows)
    };
    ui.separator();
    if ui.button(words).clicked() {
        page.view.conventions.vectors = vectors;
        if page.document.state.written_as.vectors.is_some() {
            page.choose(Setting::Vectors(Some(vectors)));
        }
        ui.close();
    }
}

/// Frames such as `world ← bind` do not say of which joint or vertex: a badge or
/// a short name after them does. Gives where it ends.
fn whose(ui: &Ui, page: &PageContext<'_>, block: &OperatorBlock, left: Pos2) -> f32 {
    match block.source.owner {
        MatrixOwner::Joint(joint)
            if block.source.named.from == CoordinateFrame::Bind
                && matches!(
                    block.source.named.to,
                    CoordinateFrame::World | CoordinateFrame::MeshNode
                ) =>
        {
            paint_badge_at(ui, page.theme, left + vec2(8.0, 0.0), joint)
        }
        MatrixOwner::Vertex(vertex) => {
            let font = font::strong(SMALL);
            let at = left + vec2(8.0, 0.0);
            let text = format!("v{vertex}");
            ui.painter().text_left(at, text, font, page.theme.accent).right()
        }
        MatrixOwner::Joint(_) | MatrixOwner::MeshNode => left.x,
    }
}

pub(super) fn frame_chip(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &OperatorBlock,
    place: &str,
    rect: Rect,
    frame: CoordinateFrame,
    salt: Id,
) {
    let (fill, text) = frame_look(page.theme, frame);
    paint_chip(ui, page.theme, rect, &text, fill);
    let response = ui.interact(rect, salt.with(place), Sense::hover());
    let mut help = format!(
        "{}: takes {} to {}",
        block.source.title, block.source.named.from, block.source.named.to
    );
    if let CoordinateFrame::Joint(joint) | CoordinateFrame::Parent(joint) = frame {
        if touch::is_pointed_at(&response) {
            page.linked.hover(Entity::Joint(joint));
        }
        if page.linked.is_lit(Entity::Joint(joint)) {
            let stroke = Stroke::new(1.5, page.theme.ink);
            let around = rect.expand(2.0);
            ui.painter().rect_stroke(around, 7.0, stroke, StrokeKind::Inside);
        }
        let name = entity_chooser::joint_name(page, joint);
        if !name.is_empty() {
            help = format!("{help}\njoint {} is “{name}”", joint.0);
        }
    }
    response.tip(help);
}

/// Before a block, in the middle of its grid. `room` is the gap it stands in.
pub(super) fn operator(
    ui: &Ui,
    theme: &Theme,
    block: &OperatorBlock,
    at: Pos2,
    grid: Vec2,
    room: f32,
) {
    if block.operator.is_empty() {
        return;
    }
    let middle = at.y + HEADER + HEADINGS + (grid.y - HEADINGS) / 2.0;
    ui.painter().text_centered(
        pos2(at.x - room / 2.0, middle),
        block.operator,
        FontId::proportional(22.0),
        if block.operator == NOT_EQUAL { theme.wrong } else { theme.ink },
    );
}

/// Joins the frames that touch: in their colour when they meet, broken and red
/// when they do not.
pub(super) fn braces(
    ui: &Ui,
    page: &PageContext<'_>,
    blocks: &[OperatorBlock],
    seams: &[BrokenSeam],
    origin: Pos2,
    places: &[Pos2],
) {
    let (theme, rows) = (page.theme, page.conventions().has_rows());
    for (left, pair) in blocks.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        if b.role != OperatorRole::Factor || places[left].y != places[left + 1].y {
            continue;
        }
        let from = chips(ui, a, rows).1.translate(places[left].to_vec2() + origin.to_vec2());
        let to = chips(ui, b, rows).0.translate(places[left + 1].to_vec2() + origin.to_vec2());
        let broken = seams.iter().any(|seam| seam.left == left);
        let color: Color32 = if broken {
            theme.wrong
        } else {
            let named = &a.source.named;
            frame_look(theme, if rows { named.to } else { named.from }).0
        };
        let (start, end, depth) = (from.center_bottom(), to.center_bottom(), 5.0);
        let stroke = Stroke::new(2.0, color);
        let path = vec![
            start + vec2(0.0, 1.0),
            start + vec2(0.0, depth),
            end + vec2(0.0, depth),
            end + vec2(0.0, 1.0),
        ];
        if broken {
            ui.painter().extend(Shape::dashed_line(&path, stroke, 4.0, 4.0));
            let middle = start.lerp(end, 0.5) + vec2(0.0, depth);
            ui.painter().circle_filled(middle, 9.0, theme.paper);
            ui.painter().text_centered(middle, "≠", font::strong(BODY), color);
        } else {
            ui.painter().line(path, stroke);
        }
    }
}

// Where each matrix of a row stands, and how large its type is.

/// Chips, and the brace that joins those that meet.
pub(super) const HEADER: f32 = 32.0;

pub(super) const FOOTER: f32 = 32.0;

pub(super) const GAP: f32 = 16.0;

/// The roomiest density at which everything stands in one row, in type of at
/// least so many points; else the roomiest at which each matrix alone fits.
pub(super) fn chosen_density(
    decimals: usize,
    room: f32,
    least_font: f32,
    enlarged: bool,
    blocks: &[OperatorBlock],
    sizes: impl Fn(Density) -> Vec<Vec2>,
) -> Density {
    let in_one_row =
        |density: &Density| one_row(&sizes(*density), blocks, density.operator) <= room;
    let alone = |density: &Density| {
        let room = room - density.operator;
        sizes(*density).iter().all(|size| size.x <= room)
    };
    let choices = || {
        let large = Density::enlarged(decimals).filter(move |_| enlarged);
        large.chain(Density::choices(decimals))
    };
    // Matrices that only stand side by side may as well stand below each other;
    // a product is read along the line.
    let a_line = blocks.iter().any(|block| !block.operator.is_empty());
    choices()
        .filter(|density| density.font >= if a_line { least_font } else { 12.0 })
        .find(in_one_row)
        .map(|density| {
            let long = blocks.iter().any(|block| {
                let decimals = block.magnitude.decimals(density.decimals);
                decimals.iter().any(|&of_column| of_column > density.decimals)
            });
            Some(density.airy())
                .filter(|airy| {
                    long && airy.font >= least_font && density.pad < airy.pad && in_one_row(airy)
                })
                .unwrap_or(density)
        })
        .or_else(|| choices().find(alone))
        .or_else(|| choices().last())
        .unwrap_or(Density { decimals, font: 12.0, pad: 3.0, bracket: 6.0, operator: 20.0 })
}

/// The same with what is left of the row beside the numbers, up to a point: those of
/// neighbouring columns then stand apart. As it is where all do not fit in one row.
pub(super) fn with_spare(
    density: Density,
    room: f32,
    blocks: &[OperatorBlock],
    sizes: impl Fn(Density) -> Vec<Vec2>,
) -> Density {
    const STEP: f32 = 0.5;
    const MOST: f32 = 5.0;
    const AROUND_OPERATOR: f32 = 8.0;
    let wider = |steps: f32| Density { pad: density.pad + STEP * steps, ..density };
    let fits =
        |wider: &Density| one_row(&sizes(*wider), blocks, wider.operator + AROUND_OPERATOR) <= room;
    let steps = ((MOST - density.pad) / STEP).max(0.0) as u8;
    (1..=steps).map(|steps| wider(f32::from(steps))).take_while(fits).last().unwrap_or(density)
}

/// Room before a block that follows another.
pub(super) fn before(block: &OperatorBlock, operator: f32) -> f32 {
    if block.operator.is_empty() { GAP } else { operator }
}

pub(super) fn one_row(sizes: &[Vec2], blocks: &[OperatorBlock], operator: f32) -> f32 {
    let gaps: f32 = blocks.iter().skip(1).map(|b| before(b, operator)).sum();
    sizes.iter().map(|size| size.x).sum::<f32>() + gaps
}

/// Where each block stands, from the top left, and the height of all. Rows that
/// follow one another begin at the same place, operators before them.
pub(super) fn flow(
    sizes: &[Vec2],
    blocks: &[OperatorBlock],
    room: f32,
    operator: f32,
) -> (Vec<Pos2>, f32) {
    let with_operators = blocks.iter().any(|block| !block.operator.is_empty());
    let broken = one_row(sizes, blocks, operator) > room + 0.5;
    let indent = if with_operators && broken { operator } else { 0.0 };
    let mut places = Vec::with_capacity(sizes.len());
    let (mut x, mut y, mut line) = (indent, 0.0_f32, 0.0_f32);
    for (size, block) in sizes.iter().zip(blocks) {
        let lead = if x > indent { before(block, operator) } else { 0.0 };
        if x > indent && x + lead + size.x > room + 0.5 {
            y += line + GAP;
            line = 0.0;
            x = indent;
        } else {
            x += lead;
        }
        places.push(pos2(x, y));
        x += size.x;
        line = line.max(size.y);
    }
    (places, y + line)
}

/// Room for the buttons at the right end of a header; where there are several, for
/// a badge before them as well.
pub(super) fn corner(block: &OperatorBlock) -> f32 {
    if block.source.pins { 104.0 } else { 28.0 }
}

pub(super) fn block_size(ui: &Ui, block: &OperatorBlock, grid: Vec2) -> Vec2 {
    let chips = match block.role {
        OperatorRole::Difference => 60.0,
        _ => chips(ui, block, false).1.right(),
    };
    let footer = if block.source.editable.is_some() { FOOTER } else { 0.0 };
    let note = if block.source.note.is_some() { 22.0 } else { 0.0 };
    let least = if footer > 0.0 { 172.0 } else { 0.0 };
    vec2(grid.x.max(chips + corner(block)).max(least).ceil(), HEADER + grid.y + footer + note)
}

/// The two tags of a block, from its top left: where it leads to, and where from; for row
/// vectors the other way round.
pub(super) fn chips(ui: &Ui, block: &OperatorBlock, rows: bool) -> (Rect, Rect) {
    let named = &block.source.named;
    let (left, right) = if rows { (named.from, named.to) } else { (named.to, named.from) };
    let [left, right] = [left, right].map(|frame| chip_size(ui, &frame.to_string()));
    let left = Rect::from_min_size(Pos2::ZERO, left);
    let right = Rect::from_min_size(pos2(left.right() + 22.0, 0.0), right);
    (left, right)
}

/// Room that was once needed, by decimals.
pub(super) type Rooms = BTreeMap<[usize; 4], MatrixRoom>;

/// Room for numbers, the same in every matrix of the row that has these
/// `decimals` by column, where numbers about 1 have the `usual`. What was once
/// needed is kept, so that nothing shifts while a slider goes to and fro.
pub(super) fn room_for_numbers(
    rooms: &mut Rooms,
    derived: &Derived,
    blocks: &[OperatorBlock],
    decimals: [usize; 4],
    usual: usize,
) -> MatrixRoom {
    // Lengths, which turning a joint does not change.
    let reach = derived
        .joints
        .world_from_joint
        .iter()
        .map(|matrix| matrix.w_axis.truncate().length())
        .fold(0.0, f32::max);
    let mut room = rooms.get(&decimals).copied().unwrap_or_default();
    // Other frames may have other units.
    let in_these_units = significant_digits::decimals(reach.into(), usual) == decimals[3];
    let reach = number_text::fixed(reach.into(), decimals[3]);
    room = room.and(MatrixRoom {
        signs: [true, true, false, false],
        digits: [1, 1, 1, digits_before_point(&reach)]
            .map(|digits| if in_these_units { digits } else { 1 }),
    });
    let alike = |block: &&OperatorBlock| block.magnitude.decimals(usual) == decimals;
    for block in blocks.iter().filter(alike) {
        room.grow(&block.source.named.mat, decimals);
    }
    rooms.insert(decimals, room);
    room
}
