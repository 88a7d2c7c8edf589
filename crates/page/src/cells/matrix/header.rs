//! Above and between matrices: tags, operators, and the brace that joins the
//! frames that touch.

use bindpose_lesson::{MatrixRef, Setting};
use bindpose_notebook::Entity;
use bindpose_notebook::matrix::MatrixOwner;
use bindpose_notebook::matrix::{BrokenSeam, NOT_EQUAL, OperatorBlock, OperatorRole};
use bindpose_skin::{ConventionAxes, Conventions, CoordinateFrame, Vectors};
use eframe::egui::{
    Align, Button, Color32, FontId, Id, Layout, Pos2, Rect, Response, RichText, Sense, Shape,
    Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2,
};

use super::layout::{HEADER, chips};
use crate::PageContext;
use crate::bench::ComparedMatrix;
use crate::cells::entity_chooser;
use crate::theme::{BODY, CAPTION, FINE, SMALL, Theme, font};
use crate::touch;
use crate::widgets::Tip as _;
use crate::widgets::{HEADINGS, PaintText, copy_matrix, frame_look, paint_badge_at, paint_chip};

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
    let caption = if difference { "" } else { &block.source.title };
    let galley = ui.painter().layout_no_wrap(caption.to_owned(), quiet, theme.quiet);
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
