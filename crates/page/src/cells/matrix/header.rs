//! Headers of matrices and what is drawn between them: frame chips, buttons, operators, and the
//! braces that join the frames of neighbouring factors.

use bindpose_kit::theme::{BODY_SIZE, CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{
    HEADINGS_HEIGHT_PTS, PaintText, Tip as _, copy_matrix, frame_color_and_name, paint_badge_at,
    paint_chip,
};
use bindpose_lesson::{JointName, JointRef, MatrixRef, Setting};
use bindpose_notebook::Entity;
use bindpose_notebook::matrix::{BrokenSeam, MatrixOwner, NOT_EQUAL, OperatorBlock, OperatorRole};
use bindpose_skin::{ConventionAxes, Conventions, CoordinateFrame, Vectors};
use eframe::egui::{
    Align, Button, Color32, FontId, Id, Layout, Pos2, Rect, Response, RichText, Sense, Shape,
    Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2,
};

use super::row_layout::{HEADER_HEIGHT_PTS, frame_chip_rects};
use crate::PageContext;
use crate::cells::entity_chooser;
use crate::view::bench::ComparedMatrix;

/// Draws the header of a matrix: its frames, its title as far as there is room, and its buttons.
///
/// `at` is the top left corner, `grid` the response of the grid below.
pub(super) fn draw_header(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &OperatorBlock,
    at: Pos2,
    width: f32,
    grid: &Response,
) {
    let theme = page.theme;
    let has_rows = page.conventions().has_rows();
    let is_difference = block.role == OperatorRole::Difference;
    let buttons_width = if block.source.pins { 72.0 } else { 28.0 };
    let right = at.x + width - buttons_width;
    let caption_left = if is_difference {
        let place = pos2(at.x, at.y + 11.0);
        ui.painter().text_left(place, "A − B", font::strong(SMALL_SIZE), theme.ink).right()
    } else {
        let (left_chip, right_chip) = frame_chip_rects(ui, block, has_rows);
        let arrow_center =
            pos2(f32::midpoint(left_chip.right(), right_chip.left()), left_chip.center().y);
        let arrow = if has_rows { "→" } else { "←" };
        ui.painter().text_centered(
            arrow_center + at.to_vec2(),
            arrow,
            FontId::proportional(SMALL_SIZE),
            theme.quiet,
        );
        let named = &block.source.named;
        let (to, from) = if has_rows { (right_chip, left_chip) } else { (left_chip, right_chip) };
        for (end, rect, frame) in [("to", to, named.to), ("from", from, named.from)] {
            let rect = rect.translate(at.to_vec2());
            draw_frame_chip(ui, page, block, rect, frame, grid.id.with(end));
        }
        draw_owner(ui, page, block, right_chip.right_center() + at.to_vec2())
    };
    let caption = if is_difference { String::new() } else { caption_text(block) };
    let galley =
        ui.painter().layout_no_wrap(caption, FontId::proportional(CAPTION_SIZE), theme.quiet);
    if caption_left + 8.0 + galley.size().x <= right {
        let place = pos2(caption_left + 8.0, at.y + 11.0);
        ui.painter().galley_left(place, galley, theme.quiet);
    }
    let corner = Rect::from_min_size(pos2(right + 4.0, at.y), vec2(buttons_width - 4.0, 22.0));
    // Centred at the height of the chips. Higher buttons extend equally above and below.
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt((grid.id, "copy"))
            .max_rect(corner)
            .layout(Layout::left_to_right(Align::Center)),
    );
    let name = block.source.name();
    child.spacing_mut().item_spacing.x = 0.0;
    if let Some(reference) = block.source.reference.as_ref().filter(|_| block.source.pins) {
        draw_pin_buttons(&mut child, page, reference, &name);
    }
    // The matrix is in the axes of the page already.
    let conventions = Conventions { axes: ConventionAxes::Gltf, ..page.conventions() };
    copy_matrix(&mut child, theme, grid, &name, &block.source.named.mat, conventions, |ui| {
        if let Some(reference) = &block.source.reference {
            draw_compare_entries(ui, page, reference);
        }
        draw_vectors_entry(ui, page);
    });
}

/// Returns the title of a matrix, with the name of its joint if the lesson refers to it by name.
fn caption_text(block: &OperatorBlock) -> String {
    let title = &block.source.title;
    let joint = block.source.reference.as_ref().and_then(MatrixRef::joint);
    match joint {
        Some(JointRef::Named(JointName::Name(name))) => format!("{title} of {name}"),
        _ => title.clone(),
    }
}

const SIDES: [&str; 2] = ["A", "B"];

/// Draws the buttons that put a matrix into the comparison of the bench.
fn draw_pin_buttons(ui: &mut Ui, page: &mut PageContext<'_>, reference: &MatrixRef, name: &str) {
    for (side, letter) in SIDES.into_iter().enumerate() {
        let is_pinned = page.view.bench.compared[side] == ComparedMatrix::now(reference.clone());
        let text = RichText::new(letter).font(font::strong(FINE_SIZE));
        let button = Button::selectable(is_pinned, text).min_size(vec2(22.0, 20.0));
        let response = ui
            .add(button)
            .accessible_name(format!("compare {name} as {letter}"))
            .tip(format!("Put this matrix into the comparison as {letter}"));
        if response.clicked() {
            page.view.bench.compared[side] = ComparedMatrix::now(reference.clone());
        }
    }
}

/// Draws the same choices as menu entries, which also open the bench.
fn draw_compare_entries(ui: &mut Ui, page: &mut PageContext<'_>, reference: &MatrixRef) {
    ui.separator();
    for (side, letter) in SIDES.into_iter().enumerate() {
        if ui.button(format!("Compare as {letter}")).clicked() {
            page.view.bench.compared[side] = ComparedMatrix::now(reference.clone());
            page.view.bench.is_open = true;
            ui.close();
        }
    }
}

/// Draws the menu entry that switches between row and column vectors.
///
/// It applies to all pages, and to this page even if its step sets the convention.
fn draw_vectors_entry(ui: &mut Ui, page: &mut PageContext<'_>) {
    let (label, vectors) = if page.conventions().has_rows() {
        ("Write for column vectors", Vectors::Columns)
    } else {
        ("Write for row vectors", Vectors::Rows)
    };
    ui.separator();
    if ui.button(label).clicked() {
        page.view.conventions.vectors = vectors;
        if page.document.state.written_as.vectors.is_some() {
            page.choose(Setting::Vectors(Some(vectors)));
        }
        ui.close();
    }
}

/// Draws the joint's badge or the vertex's short name if the frames, such as `world ← bind`, do
/// not identify it. Returns the x coordinate at which it ends.
fn draw_owner(ui: &Ui, page: &PageContext<'_>, block: &OperatorBlock, left: Pos2) -> f32 {
    let named = &block.source.named;
    match block.source.owner {
        MatrixOwner::Joint(joint)
            if named.from == CoordinateFrame::Bind
                && matches!(named.to, CoordinateFrame::World | CoordinateFrame::MeshNode) =>
        {
            paint_badge_at(ui, page.theme, left + vec2(8.0, 0.0), joint)
        }
        MatrixOwner::Vertex(vertex) => {
            let at = left + vec2(8.0, 0.0);
            let name = format!("v{vertex}");
            ui.painter().text_left(at, name, font::strong(SMALL_SIZE), page.theme.accent).right()
        }
        MatrixOwner::Joint(_) | MatrixOwner::MeshNode => left.x,
    }
}

fn draw_frame_chip(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &OperatorBlock,
    rect: Rect,
    frame: CoordinateFrame,
    id: Id,
) {
    let (fill, text) = frame_color_and_name(page.theme, frame);
    paint_chip(ui, page.theme, rect, &text, fill);
    let response = ui.interact(rect, id, Sense::hover());
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
            ui.painter().rect_stroke(rect.expand(2.0), 7.0, stroke, StrokeKind::Inside);
        }
        let name = entity_chooser::joint_name(page, joint);
        if !name.is_empty() {
            help = format!("{help}\njoint {} is “{name}”", joint.0);
        }
    }
    response.tip(help);
}

/// Draws the operator before a matrix, vertically centred on its grid.
///
/// `at` is the top left corner of the matrix, `gap` the width between it and the one before.
pub(super) fn draw_operator(
    ui: &Ui,
    theme: &Theme,
    block: &OperatorBlock,
    at: Pos2,
    grid_size: Vec2,
    gap: f32,
) {
    if block.operator.is_empty() {
        return;
    }
    let middle =
        at.y + HEADER_HEIGHT_PTS + HEADINGS_HEIGHT_PTS + (grid_size.y - HEADINGS_HEIGHT_PTS) / 2.0;
    ui.painter().text_centered(
        pos2(at.x - gap / 2.0, middle),
        block.operator,
        FontId::proportional(22.0),
        if block.operator == NOT_EQUAL { theme.wrong } else { theme.ink },
    );
}

/// Draws braces between the inner frames of neighbouring factors: in the colour of the frame if
/// they match, dashed and red if they do not.
pub(super) fn draw_braces(
    ui: &Ui,
    page: &PageContext<'_>,
    blocks: &[OperatorBlock],
    seams: &[BrokenSeam],
    origin: Pos2,
    places: &[Pos2],
) {
    const DEPTH_PTS: f32 = 5.0;
    let theme = page.theme;
    let has_rows = page.conventions().has_rows();
    for (left, pair) in blocks.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        if b.role != OperatorRole::Factor || places[left].y != places[left + 1].y {
            continue;
        }
        let (_, last_of_a) = frame_chip_rects(ui, a, has_rows);
        let (first_of_b, _) = frame_chip_rects(ui, b, has_rows);
        let a_offset = places[left].to_vec2() + origin.to_vec2();
        let b_offset = places[left + 1].to_vec2() + origin.to_vec2();
        let start = last_of_a.translate(a_offset).center_bottom();
        let end = first_of_b.translate(b_offset).center_bottom();
        let is_broken = seams.iter().any(|seam| seam.left == left);
        let color: Color32 = if is_broken {
            theme.wrong
        } else {
            let named = &a.source.named;
            frame_color_and_name(theme, if has_rows { named.to } else { named.from }).0
        };
        let stroke = Stroke::new(2.0, color);
        let path = vec![
            start + vec2(0.0, 1.0),
            start + vec2(0.0, DEPTH_PTS),
            end + vec2(0.0, DEPTH_PTS),
            end + vec2(0.0, 1.0),
        ];
        if is_broken {
            ui.painter().extend(Shape::dashed_line(&path, stroke, 4.0, 4.0));
            let middle = start.lerp(end, 0.5) + vec2(0.0, DEPTH_PTS);
            ui.painter().circle_filled(middle, 9.0, theme.paper);
            ui.painter().text_centered(middle, "≠", font::strong(BODY_SIZE), color);
        } else {
            ui.painter().line(path, stroke);
        }
    }
}
