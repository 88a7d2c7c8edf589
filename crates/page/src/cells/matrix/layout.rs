//! Where each matrix of a row stands, and how large its type is.

use std::collections::BTreeMap;

use bindpose_notebook::matrix::{OperatorBlock, OperatorRole};
use bindpose_notebook::{Derived, number_text, significant_digits};
use eframe::egui::{Pos2, Rect, Ui, Vec2, pos2, vec2};

use crate::widgets::{Density, MatrixRoom, chip_size, digits_before_point};

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
