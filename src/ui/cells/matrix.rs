//! Matrices side by side: what each leads from and to, what its columns mean,
//! as a product whose frames must meet, or as a difference.

use eframe::egui::{
    Align2, Button, Color32, FontId, Id, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui, UiBuilder,
    Vec2, pos2, vec2,
};
use glam::Mat4;

use super::choose;
use super::matrix_source::{Owner, Source, follows, from_bind, resolve};
use crate::lesson::MatrixCell;
use crate::notebook::{Edit, Entity, numbers};
use crate::skin::{Frame, JointIndex, NamedTransform};
use crate::ui::PageContext;
use crate::ui::theme::{Theme, family};
use crate::ui::widgets::{
    Density, Look, MatrixGrid, Room, ScrubChange, chip_size, copy_matrix, digits_of, frame_look,
    paint_chip,
};

/// Chips, and the brace that joins those that meet.
const HEADER: f32 = 32.0;
const FOOTER: f32 = 32.0;
const GAP: f32 = 16.0;

/// One thing in the row.
struct Block {
    /// Written before it: `·`, `=`, `−`; nothing for the first.
    operator: &'static str,
    source: Source,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Plain,
    Factor,
    Product,
    Difference,
}

/// Two touching frames that differ.
struct BrokenSeam {
    /// Index of the left factor.
    left: usize,
    words: String,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &MatrixCell, id: &str, page: &mut PageContext<'_>) {
    let (follows_joint, follows_vertex) = cell
        .show
        .iter()
        .map(|&reference| follows(reference))
        .fold((false, false), |a, b| (a.0 || b.0, a.1 || b.1));
    if follows_joint {
        choose::joint(ui, id, page);
    }
    if follows_vertex {
        choose::vertex(ui, id, page);
    }
    let mut sources = Vec::new();
    for &reference in &cell.show {
        match resolve(reference, page.document, page.derived) {
            Ok(source) => sources.push(source),
            Err(words) => {
                ui.label(RichText::new(words).color(page.theme.wrong));
            }
        }
    }
    if sources.len() < cell.show.len() || sources.is_empty() {
        return;
    }
    let (blocks, seams) = arranged(cell, sources);
    show_blocks(ui, cell, id, page, &blocks, &seams);
    for seam in &seams {
        ui.label(RichText::new(&seam.words).color(page.theme.wrong));
    }
    if cell.difference {
        largest_difference(ui, page.theme, &blocks);
    }
}

/// Puts operators between the matrices and works out products and differences.
fn arranged(cell: &MatrixCell, sources: Vec<Source>) -> (Vec<Block>, Vec<BrokenSeam>) {
    let plain = |source| Block {
        operator: "",
        source,
        role: Role::Plain,
    };
    if sources.len() < 2 || !(cell.product || cell.difference) {
        return (sources.into_iter().map(plain).collect(), Vec::new());
    }
    if cell.difference {
        let difference = computed(
            NamedTransform {
                mat: sources[0].named.mat - sources[1].named.mat,
                ..sources[0].named
            },
            &sources[0],
            "A − B",
        );
        let blocks = sources
            .into_iter()
            .take(2)
            .chain([difference])
            .zip(["", "−", "="])
            .map(|(source, operator)| Block {
                operator,
                source,
                role: if operator == "=" {
                    Role::Difference
                } else {
                    Role::Plain
                },
            })
            .collect();
        return (blocks, Vec::new());
    }
    product(sources)
}

fn product(mut sources: Vec<Source>) -> (Vec<Block>, Vec<BrokenSeam>) {
    let stated = if sources.len() > 2 {
        sources.pop()
    } else {
        None
    };
    let mut seams = Vec::new();
    let mut result = sources[0].named;
    for (left, source) in sources.iter().enumerate().skip(1) {
        result = match result.times(&source.named) {
            Ok(product) => product,
            Err(mismatch) => {
                seams.push(BrokenSeam {
                    left: left - 1,
                    words: capitalised(&mismatch.to_string()),
                });
                mismatch.product
            }
        };
    }
    // The matrix the lesson names stands for the product as long as it is it.
    let result = match stated {
        Some(stated)
            if seams.is_empty()
                && (stated.named.to, stated.named.from) == (result.to, result.from)
                && stated.named.mat.abs_diff_eq(result.mat, 1e-3) =>
        {
            stated
        }
        _ => computed(result, &sources[0], "product"),
    };
    let factors = sources
        .into_iter()
        .enumerate()
        .map(|(index, source)| Block {
            operator: if index == 0 { "" } else { "·" },
            source,
            role: Role::Factor,
        });
    let result = Block {
        operator: "=",
        source: result,
        role: Role::Product,
    };
    (factors.chain([result]).collect(), seams)
}

fn computed(named: NamedTransform, like: &Source, title: &str) -> Source {
    Source {
        named,
        owner: like.owner,
        title: title.to_owned(),
        editable: None,
        stored: None,
        note: None,
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), chars.as_str()),
        None => String::new(),
    }
}

fn show_blocks(
    ui: &mut Ui,
    cell: &MatrixCell,
    id: &str,
    page: &mut PageContext<'_>,
    blocks: &[Block],
    seams: &[BrokenSeam],
) {
    let room = ui.available_width();
    let numbers = room_for_numbers(ui, id, page, blocks);
    let grid = |block: &Block, place: usize, density: Density| MatrixGrid {
        theme: page.theme,
        id: format!("{id}/{place}"),
        name: block.source.name(),
        matrix: block.source.named.mat,
        density,
        room: numbers,
        outline: outline(page.theme, block.source.owner),
        brackets: page.theme.ink,
        editable: block.source.editable.is_some(),
    };
    let sizes = |ui: &Ui, density: Density| -> Vec<Vec2> {
        blocks
            .iter()
            .enumerate()
            .map(|(place, block)| block_size(ui, block, grid(block, place, density).size(ui)))
            .collect()
    };
    let density = chosen_density(cell.decimals.unwrap_or(3), room, blocks, |density| {
        sizes(ui, density)
    });
    let sizes = sizes(ui, density);
    // What is left over goes between the matrices, up to a point.
    let spare = room - one_row(&sizes, blocks, density.operator);
    let joints_in_row = blocks.len().saturating_sub(1).max(1) as f32;
    let gap = density.operator + (spare / joints_in_row).clamp(0.0, 14.0);
    let (places, height) = flow(&sizes, blocks, room, gap);
    let (rect, _) = ui.allocate_exact_size(vec2(room, height), Sense::hover());

    let memory = Id::unique(("matrix product cell", id));
    let traced: Option<(usize, usize)> = ui.data(|data| data.get_temp(memory));
    let mut tracing = None;
    for (place, block) in blocks.iter().enumerate() {
        let at = rect.min + places[place].to_vec2();
        operator(ui, page.theme, block, at, sizes[place].y, gap);
        let grid = grid(block, place, density);
        let hovered = show_block(ui, page, block, &grid, at, blocks, traced);
        if block.role == Role::Product {
            tracing = hovered;
        }
    }
    braces(ui, page.theme, blocks, seams, rect.min, &places);
    let factors = blocks
        .iter()
        .filter(|block| block.role == Role::Factor)
        .count();
    if factors == 2 {
        trace(ui, page.theme, blocks, tracing, density.decimals);
        if tracing != traced {
            ui.data_mut(|data| match tracing {
                Some(cell) => {
                    data.insert_temp(memory, cell);
                }
                None => data.remove::<(usize, usize)>(memory),
            });
            ui.ctx().request_repaint();
        }
    }
}

/// The roomiest density at which everything stands in one row; else the
/// roomiest at which each matrix alone fits.
fn chosen_density(
    decimals: usize,
    room: f32,
    blocks: &[Block],
    sizes: impl Fn(Density) -> Vec<Vec2>,
) -> Density {
    let in_one_row =
        |density: &Density| one_row(&sizes(*density), blocks, density.operator) <= room;
    let alone = |density: &Density| {
        let room = room - density.operator;
        sizes(*density).iter().all(|size| size.x <= room)
    };
    Density::choices(decimals)
        .find(in_one_row)
        .or_else(|| Density::choices(decimals).find(alone))
        .or_else(|| Density::choices(decimals).last())
        .unwrap_or(Density {
            decimals,
            font: 12.0,
            pad: 3.0,
            bracket: 6.0,
            operator: 20.0,
        })
}

/// Room before a block that follows another.
fn before(block: &Block, operator: f32) -> f32 {
    if block.operator.is_empty() {
        GAP
    } else {
        operator
    }
}

fn one_row(sizes: &[Vec2], blocks: &[Block], operator: f32) -> f32 {
    let gaps: f32 = blocks.iter().skip(1).map(|b| before(b, operator)).sum();
    sizes.iter().map(|size| size.x).sum::<f32>() + gaps
}

/// Where each block stands, from the top left, and the height of all. Rows that
/// follow one another begin at the same place, operators before them.
fn flow(sizes: &[Vec2], blocks: &[Block], room: f32, operator: f32) -> (Vec<Pos2>, f32) {
    let with_operators = blocks.iter().any(|block| !block.operator.is_empty());
    let broken = one_row(sizes, blocks, operator) > room + 0.5;
    let indent = if with_operators && broken {
        operator
    } else {
        0.0
    };
    let mut places = Vec::with_capacity(sizes.len());
    let (mut x, mut y, mut line) = (indent, 0.0_f32, 0.0_f32);
    for (size, block) in sizes.iter().zip(blocks) {
        let lead = if x > indent {
            before(block, operator)
        } else {
            0.0
        };
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

fn block_size(ui: &Ui, block: &Block, grid: Vec2) -> Vec2 {
    let chips = match block.role {
        Role::Difference => 60.0,
        _ => chips(ui, block).1.right(),
    };
    let footer = if block.source.editable.is_some() {
        FOOTER
    } else {
        0.0
    };
    let note = if block.source.note.is_some() {
        22.0
    } else {
        0.0
    };
    let least = if footer > 0.0 { 172.0 } else { 0.0 };
    vec2(
        grid.x.max(chips + 28.0).max(least).ceil(),
        HEADER + grid.y + footer + note,
    )
}

/// The two tags of a block, from its top left.
fn chips(ui: &Ui, block: &Block) -> (Rect, Rect) {
    let to = chip_size(ui, &block.source.named.to.to_string());
    let from = chip_size(ui, &block.source.named.from.to_string());
    let to = Rect::from_min_size(Pos2::ZERO, to);
    let from = Rect::from_min_size(pos2(to.right() + 22.0, 0.0), from);
    (to, from)
}

fn show_block(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &Block,
    grid: &MatrixGrid<'_>,
    at: Pos2,
    blocks: &[Block],
    traced: Option<(usize, usize)>,
) -> Option<(usize, usize)> {
    let size = block_size(ui, block, grid.size(ui));
    let theme = page.theme;
    let below = at.y + HEADER;
    let answer = {
        let linked = &*page.linked;
        let hovered = linked.hovered();
        let look = |row: usize, column: usize| look(block, blocks, hovered, traced, row, column);
        grid.show(ui, pos2(at.x, below), look)
    };
    header(ui, page, block, at, size.x, &answer.response);
    if let Some((row, column, change)) = answer.change
        && let Some(joint) = block.source.editable
    {
        let stored = block.source.stored.unwrap_or(block.source.named.mat);
        let value = match change {
            ScrubChange::Set(value) => value as f32,
            ScrubChange::Reset => stored.col(column)[row],
        };
        page.edits.push(Edit::InverseBindCell {
            joint,
            row,
            column,
            value,
        });
    }
    match (block.source.owner, answer.hovered, answer.hovered_column) {
        (Owner::Joint(joint), Some((row, column)), _) => {
            page.linked.hover(Entity::Cell(joint, column, row));
        }
        (Owner::Joint(joint), None, Some(column)) => {
            page.linked.hover(Entity::Column(joint, column));
        }
        (Owner::Vertex(vertex), Some(_), _) => page.linked.hover(Entity::Vertex(vertex)),
        _ => {}
    }
    let mut y = below + grid.size(ui).y + 4.0;
    if let Some(note) = block.source.note {
        let rect = Rect::from_min_size(pos2(at.x, y), vec2(size.x, 20.0));
        let text = RichText::new(note)
            .font(FontId::new(13.0, family::strong()))
            .color(theme.wrong);
        let mut child = ui.new_child(UiBuilder::new().id_salt((&grid.id, "note")).max_rect(rect));
        child.label(text);
        y += 22.0;
    }
    if let Some(joint) = block.source.editable {
        let rect = Rect::from_min_size(pos2(at.x, y), vec2(size.x, FOOTER - 4.0));
        buttons(ui, page, &block.source, joint, &grid.id, rect);
    }
    answer.hovered
}

fn look(
    block: &Block,
    blocks: &[Block],
    hovered: Option<Entity>,
    traced: Option<(usize, usize)>,
    row: usize,
    column: usize,
) -> Look {
    let mut look = Look {
        changed: block.source.edited(row, column),
        ..Look::default()
    };
    if block.role == Role::Difference {
        look.differs = block.source.named.mat.col(column)[row].abs() > 1e-6;
        look.dim = !look.differs;
        return look;
    }
    if let Some((traced_row, traced_column)) = traced {
        let first = std::ptr::eq(block, &raw const blocks[0]);
        (look.lit, look.outlined) = match block.role {
            Role::Factor if first => (row == traced_row, false),
            Role::Factor => (column == traced_column, false),
            _ => (false, (row, column) == (traced_row, traced_column)),
        };
        return look;
    }
    let Owner::Joint(owner) = block.source.owner else {
        return look;
    };
    match hovered {
        Some(Entity::Cell(joint, c, r)) if joint == owner => {
            look.outlined = (c, r) == (column, row);
        }
        Some(Entity::Column(joint, c)) if joint == owner => look.lit = c == column,
        _ => {}
    }
    look
}

fn header(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &Block,
    at: Pos2,
    width: f32,
    surface: &eframe::egui::Response,
) {
    let theme = page.theme;
    let quiet = FontId::proportional(13.0);
    let right = at.x + width - 28.0;
    let caption_left = if block.role == Role::Difference {
        let font = FontId::new(14.0, family::strong());
        let place = pos2(at.x, at.y + 11.0);
        let text = ui
            .painter()
            .text(place, Align2::LEFT_CENTER, "A − B", font, theme.ink);
        text.right()
    } else {
        let (to, from) = chips(ui, block);
        let between = pos2((to.right() + from.left()) / 2.0, to.center().y) + at.to_vec2();
        ui.painter().text(
            between,
            Align2::CENTER_CENTER,
            "←",
            FontId::proportional(14.0),
            theme.quiet,
        );
        for (place, rect, frame) in [
            ("to", to, block.source.named.to),
            ("from", from, block.source.named.from),
        ] {
            frame_chip(
                ui,
                page,
                block,
                place,
                rect.translate(at.to_vec2()),
                frame,
                &surface.id,
            );
        }
        at.x + from.right()
    };
    let caption = if block.role == Role::Difference {
        ""
    } else {
        block.source.title.as_str()
    };
    let galley = ui
        .painter()
        .layout_no_wrap(caption.to_owned(), quiet, theme.quiet);
    if caption_left + 8.0 + galley.size().x <= right {
        let place = pos2(caption_left + 8.0, at.y + 11.0 - galley.size().y / 2.0);
        ui.painter().galley(place, galley, theme.quiet);
    }
    let corner = Rect::from_min_size(pos2(right + 4.0, at.y), vec2(24.0, 22.0));
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt((surface.id, "copy"))
            .max_rect(corner),
    );
    copy_matrix(
        &mut child,
        theme,
        surface,
        &block.source.name(),
        &block.source.named.mat,
    );
}

fn frame_chip(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &Block,
    place: &str,
    rect: Rect,
    frame: Frame,
    salt: &eframe::egui::Id,
) {
    let (fill, text) = frame_look(page.theme, frame);
    paint_chip(ui, page.theme, rect, &text, fill);
    let response = ui.interact(rect, salt.with(place), Sense::hover());
    let mut help = format!(
        "{}: takes {} to {}",
        block.source.title, block.source.named.from, block.source.named.to
    );
    if let Frame::Joint(joint) | Frame::Parent(joint) = frame {
        if response.hovered() {
            page.linked.hover(Entity::Joint(joint));
        }
        if page.linked.is_lit(Entity::Joint(joint)) {
            let stroke = Stroke::new(1.5, page.theme.ink);
            let around = rect.expand(2.0);
            ui.painter()
                .rect_stroke(around, 7.0, stroke, eframe::egui::StrokeKind::Inside);
        }
        let name = choose::joint_name(page, joint);
        if !name.is_empty() {
            help = format!("{help}\njoint {} is “{name}”", joint.0);
        }
    }
    response.on_hover_text(help);
}

fn buttons(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    source: &Source,
    joint: JointIndex,
    salt: &str,
    rect: Rect,
) {
    let mut child = ui.new_child(UiBuilder::new().id_salt((salt, "buttons")).max_rect(rect));
    child.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding = vec2(5.0, 2.0);
        ui.spacing_mut().interact_size.y = 22.0;
        let small = |text: &str| Button::new(RichText::new(text).size(12.0));
        let bound = from_bind(page.derived, joint);
        if ui
            .add_enabled(bound.is_some(), small("from bind"))
            .on_hover_text("The inverse of where the joint stands at rest")
            .clicked()
            && let Some(matrix) = bound
        {
            page.edits
                .push(Edit::InverseBindMatrix(joint, matrix.to_cols_array()));
        }
        if ui
            .add(small("identity"))
            .on_hover_text("As if the vertices were stored in the joint's own space")
            .clicked()
        {
            let identity = Mat4::IDENTITY.to_cols_array();
            page.edits.push(Edit::InverseBindMatrix(joint, identity));
        }
        if ui
            .add_enabled(source.stored.is_some(), small("reset"))
            .on_hover_text("Back to the matrix the rig stores")
            .clicked()
        {
            page.edits.push(Edit::ResetInverseBind(Some(joint)));
        }
    });
}

fn operator(ui: &Ui, theme: &Theme, block: &Block, at: Pos2, height: f32, room: f32) {
    if block.operator.is_empty() {
        return;
    }
    let footer = if block.source.editable.is_some() {
        FOOTER
    } else {
        0.0
    };
    let middle = at.y + HEADER + 18.0 + (height - HEADER - 18.0 - footer) / 2.0;
    ui.painter().text(
        pos2(at.x - room / 2.0, middle),
        Align2::CENTER_CENTER,
        block.operator,
        FontId::proportional(22.0),
        theme.ink,
    );
}

/// Joins the frames that touch: in their colour when they meet, broken and red
/// when they do not.
fn braces(
    ui: &Ui,
    theme: &Theme,
    blocks: &[Block],
    seams: &[BrokenSeam],
    origin: Pos2,
    places: &[Pos2],
) {
    for (left, pair) in blocks.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        if b.role != Role::Factor || places[left].y != places[left + 1].y {
            continue;
        }
        let from = chips(ui, a)
            .1
            .translate(places[left].to_vec2() + origin.to_vec2());
        let to = chips(ui, b)
            .0
            .translate(places[left + 1].to_vec2() + origin.to_vec2());
        let broken = seams.iter().any(|seam| seam.left == left);
        let color: Color32 = if broken {
            theme.wrong
        } else {
            frame_look(theme, a.source.named.from).0
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
            ui.painter()
                .extend(Shape::dashed_line(&path, stroke, 4.0, 4.0));
            let middle = start.lerp(end, 0.5) + vec2(0.0, depth);
            ui.painter().circle_filled(middle, 9.0, theme.paper);
            ui.painter().text(
                middle,
                Align2::CENTER_CENTER,
                "≠",
                FontId::new(16.0, family::strong()),
                color,
            );
        } else {
            ui.painter().line(path, stroke);
        }
    }
}

/// Where a number of the product comes from.
fn trace(
    ui: &mut Ui,
    theme: &Theme,
    blocks: &[Block],
    tracing: Option<(usize, usize)>,
    decimals: usize,
) {
    let [a, b, result] = blocks else { return };
    let words = match tracing {
        None => "Point at a number of the product to see its sum.".to_owned(),
        Some((row, column)) => {
            let terms: Vec<String> = (0..4)
                .map(|k| {
                    format!(
                        "{}·{}",
                        number(a.source.named.mat.col(k)[row], decimals),
                        number(b.source.named.mat.col(column)[k], decimals)
                    )
                })
                .collect();
            let sum = f64::from(result.source.named.mat.col(column)[row]);
            format!("{} = {}", terms.join(" + "), numbers::fixed(sum, decimals))
        }
    };
    let text = RichText::new(words).color(theme.quiet).size(13.0);
    ui.label(if tracing.is_some() {
        text.monospace().color(theme.ink)
    } else {
        text
    });
}

/// In parentheses when negative, as between other operators.
fn number(value: f32, decimals: usize) -> String {
    let text = numbers::fixed(f64::from(value), decimals);
    if text.starts_with(numbers::MINUS) {
        format!("({text})")
    } else {
        text
    }
}

fn largest_difference(ui: &mut Ui, theme: &Theme, blocks: &[Block]) {
    let Some(difference) = blocks.iter().find(|block| block.role == Role::Difference) else {
        return;
    };
    let mat = difference.source.named.mat;
    let (mut largest, mut at) = (0.0_f32, (0, 0));
    for column in 0..4 {
        for row in 0..4 {
            if mat.col(column)[row].abs() > largest {
                (largest, at) = (mat.col(column)[row].abs(), (row, column));
            }
        }
    }
    let text = if largest <= 1e-6 {
        RichText::new("A and B are equal.").color(theme.right)
    } else {
        RichText::new(format!(
            "max |A − B| = {} in row {}, column {}",
            numbers::fixed(f64::from(largest), 3),
            at.0 + 1,
            at.1 + 1
        ))
    };
    ui.label(text);
}

fn outline(theme: &Theme, owner: Owner) -> Color32 {
    match owner {
        Owner::Joint(joint) => theme.joint(joint),
        Owner::Vertex(_) => theme.accent,
    }
}

/// Room for numbers, the same in every matrix of the row. What was once needed
/// is kept, so that nothing shifts while a slider goes to and fro.
fn room_for_numbers(ui: &Ui, id: &str, page: &PageContext<'_>, blocks: &[Block]) -> Room {
    let memory = Id::unique(("matrix room", id, page.derived.rig.id.as_str()));
    // Lengths, which turning a joint does not change.
    let reach = page
        .derived
        .world_from_joint
        .iter()
        .map(|matrix| matrix.w_axis.truncate().length())
        .fold(0.0, f32::max);
    let mut room: Room = ui.data(|data| data.get_temp(memory)).unwrap_or_default();
    room = room.and(Room {
        signs: [true, true, false, false],
        digits: [1, 1, 1, digits_of(reach)],
    });
    for block in blocks {
        room.grow(&block.source.named.mat);
    }
    ui.data_mut(|data| data.insert_temp(memory, room));
    room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{JointRef, MatrixRef};
    use crate::skin::InverseBind;
    use crate::ui::cells::testing::{Page, harness};
    use eframe::egui::{OutputCommand, accesskit::Role as NodeRole};
    use egui_kittest::{Harness, kittest::Queryable};

    fn joint(index: u16) -> JointRef {
        JointRef::Index(JointIndex(index))
    }

    fn shown(page: Page, cell: MatrixCell) -> Harness<'static, Page> {
        let mut harness = harness(page, move |view, page| ui(view, &cell, "m", page));
        harness.run();
        harness
    }

    fn inverse_bind() -> MatrixCell {
        MatrixCell {
            show: vec![MatrixRef::JointFromBind(joint(1))],
            ..MatrixCell::default()
        }
    }

    #[test]
    fn an_arrow_key_on_a_cell_of_the_inverse_bind_matrix_edits_that_cell() {
        let mut harness = shown(Page::new("bone_grid"), inverse_bind());
        harness
            .get_by_label("joint 1 from bind, row 1, column 4")
            .focus();
        harness.run();
        harness.key_press(eframe::egui::Key::ArrowUp);
        harness.run();
        let Some(Edit::InverseBindCell {
            joint,
            row,
            column,
            value,
        }) = harness.state().edits.last()
        else {
            panic!("{:?}", harness.state().edits);
        };
        assert_eq!((joint.0, *row, *column), (1, 0, 3));
        assert!((value + 3.999).abs() < 1e-6, "{value}");
    }

    #[test]
    fn the_buttons_put_the_identity_the_inverse_at_rest_and_the_stored_matrix() {
        let mut harness = shown(Page::new("bone_grid"), inverse_bind());
        let matrix = |edit: Option<&Edit>| match edit {
            Some(Edit::InverseBindMatrix(JointIndex(1), cells)) => Mat4::from_cols_array(cells),
            other => panic!("{other:?}"),
        };
        harness.get_by_label("identity").click();
        harness.run();
        assert_eq!(matrix(harness.state().edits.last()), Mat4::IDENTITY);
        harness.get_by_label("from bind").click();
        harness.run();
        let expected = Mat4::from_translation(glam::Vec3::new(-4.0, 0.0, 0.0));
        assert!(matrix(harness.state().edits.last()).abs_diff_eq(expected, 1e-6));
        assert!(
            harness.state().document.inverse_binds.is_empty(),
            "as stored"
        );
        harness.get_by_label("identity").click();
        harness.run();
        harness.get_by_label("reset").click();
        harness.run();
        assert_eq!(
            harness.state().edits.last(),
            Some(&Edit::ResetInverseBind(Some(JointIndex(1))))
        );
    }

    #[test]
    fn when_the_inverse_bind_is_left_out_the_matrix_in_use_is_shown_and_said() {
        let mut page = Page::new("bone_grid");
        page.document.inverse_bind = InverseBind::LeftOut;
        let harness = shown(page, inverse_bind());
        harness.get_by_label("left out: identity");
        assert!(
            harness.query_by_role(NodeRole::SpinButton).is_none(),
            "not to be edited"
        );
        harness.get_by_label_contains("1.000 0.000 0.000 0.000");
    }

    #[test]
    fn the_menu_copies_the_matrix() {
        let mut harness = shown(Page::new("bone_grid"), inverse_bind());
        harness.get_by_label("copy joint 1 from bind").click();
        harness.run();
        harness.get_by_label_contains("Copy as GLSL").click();
        harness.step();
        let copied = harness
            .output()
            .platform_output
            .commands
            .iter()
            .find_map(|command| match command {
                OutputCommand::CopyText(text) => Some(text.clone()),
                _ => None,
            })
            .expect("copied");
        assert!(
            copied.starts_with("mat4(\n    1.0, 0.0, 0.0, 0.0,"),
            "{copied}"
        );
        assert!(copied.ends_with("-4.0, 0.0, 0.0, 1.0\n)"), "{copied}");
    }

    #[test]
    fn a_product_in_the_wrong_order_is_computed_and_its_seam_is_named() {
        let cell = MatrixCell {
            show: vec![
                MatrixRef::JointFromBind(joint(1)),
                MatrixRef::WorldFromJoint(joint(1)),
            ],
            product: true,
            ..MatrixCell::default()
        };
        let mut page = Page::new("bone_grid");
        page.document.params.insert("b1".to_owned(), 1.0);
        let harness = shown(page, cell);
        let seam = harness.query_all_by_label_contains("The left factor starts from bind");
        assert!(seam.count() > 0);
        harness.get_by_label_contains("joint 1 from joint 1: 0.540 −0.841");
    }

    #[test]
    fn three_matrices_of_a_product_stand_side_by_side_with_all_digits_at_560_points() {
        let cell = MatrixCell {
            show: vec![
                MatrixRef::WorldFromJoint(joint(1)),
                MatrixRef::JointFromBind(joint(1)),
                MatrixRef::WorldFromBind(joint(1)),
            ],
            product: true,
            ..MatrixCell::default()
        };
        let mut page = Page::new("head");
        page.document.params.insert("nod".to_owned(), 0.5);
        let mut harness = harness(page, move |view, page| {
            view.set_max_width(560.0);
            ui(view, &cell, "m", page);
        });
        harness.run();
        let tops: Vec<f32> = [
            "world from joint 1:",
            "joint 1 from bind:",
            "world from bind:",
        ]
        .iter()
        .map(|name| harness.get_by_label_contains(name).rect().top())
        .collect();
        assert!(tops.iter().all(|top| *top == tops[0]), "{tops:?}");
        let number = harness.get_by_label("joint 1 from bind, row 2, column 4");
        assert_eq!(number.value().as_deref(), Some("−2.000"));
    }

    #[test]
    fn parents_meet_their_children_down_the_hierarchy() {
        let cell = MatrixCell {
            show: vec![
                MatrixRef::WorldFromJoint(joint(0)),
                MatrixRef::ParentFromJoint(joint(1)),
                MatrixRef::WorldFromJoint(joint(1)),
            ],
            product: true,
            ..MatrixCell::default()
        };
        let harness = shown(Page::new("bone_grid"), cell);
        assert!(harness.query_by_label_contains("The left factor").is_none());
        harness.get_by_label_contains("joint 0 from joint 1:");
    }

    #[test]
    fn a_difference_says_how_large_it_is_and_where() {
        let cell = MatrixCell {
            show: vec![
                MatrixRef::WorldFromJoint(joint(1)),
                MatrixRef::WorldFromJoint(joint(2)),
            ],
            difference: true,
            ..MatrixCell::default()
        };
        let harness = shown(Page::new("bone_grid"), cell);
        harness.get_by_label("max |A − B| = 4.000 in row 1, column 4");
    }

    #[test]
    fn a_joint_that_is_not_there_is_said_in_words() {
        let cell = MatrixCell {
            show: vec![MatrixRef::WorldFromBind(joint(9))],
            ..MatrixCell::default()
        };
        let harness = shown(Page::new("bone_grid"), cell);
        harness.get_by_label("There is no joint 9; this rig has joints 0 to 2.");
    }
}
