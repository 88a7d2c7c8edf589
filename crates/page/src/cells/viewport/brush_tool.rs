//! Painting weights in a picture: a drag that begins on the surface or close to it is a
//! stroke, one beside it turns the picture as ever.

use std::f32::consts::TAU;

use bindpose_lesson::Show;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::viewport::{ViewportFrame, hit_at};
use bindpose_skin::BrushMode;
use eframe::egui::{
    self, CursorIcon, FontId, Key, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Stroke,
    StrokeKind, Ui, vec2,
};
use glam::{Vec2, Vec3};

use crate::theme::{CAPTION, Theme};
use crate::{PageContext, brush, touch};

/// Between two touches of a stroke, in radii.
const SPACING: f32 = 0.25;
/// A pointer that comes further than this in one frame, in radii, has jumped.
const JUMP: f32 = 4.0;
/// A drag that begins so near the surface, in points, is a stroke.
const NEAR: f32 = 28.0;
/// Sides of the circle.
const SIDES: usize = 48;

/// What a picture keeps of the brush from frame to frame.
#[derive(Default)]
struct BrushTool {
    /// The last touch of the stroke under way, in bind space.
    last_in_bind: Option<Vec3>,
    /// Is the drag under way a stroke?
    strokes: bool,
    /// The circle under the pointer, on the screen.
    circle: Vec<Pos2>,
}

/// Where the brush stands.
struct BrushPlace {
    in_bind: Vec3,
    in_world: Vec3,
    /// Across the surface in world space, each as long as a length of 1 in bind space is
    /// there.
    across: [Vec3; 2],
}

/// Is the brush held over the pictures?
pub(super) fn is_held(page: &PageContext<'_>) -> bool {
    // A picture that moves or is held shows another page than the one that is edited.
    let is_of_page = page.view.playing.transition.is_none() && page.view.presenter.held.is_none();
    page.view.brush.is_on && is_of_page
}

/// Paints where the reader does; true while a drag is a stroke and not the camera's.
pub(super) fn steer(
    ui: &Ui,
    response: &Response,
    (rect, id): (Rect, &str),
    camera: &Camera,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
) -> bool {
    keys(ui, response, page);
    page.with_state(id, |tool: &mut BrushTool, page| {
        let under = |at: Pos2| under(at, rect, camera, frame);
        let pointer = response.interact_pointer_pos().or(response.hover_pos());
        let now = pointer.and_then(under);
        let radius = page.view.brush.radius as f32 * page.view.brush.surface(frame.derived).size();
        tool.circle.clear();
        let wide = vec2(rect.width(), rect.height());
        if let Some(now) = &now {
            let shown = !touch::is_at_work(ui.ctx()) || response.is_pointer_button_down_on();
            if shown {
                tool.circle = circle(now, radius, camera, (rect, wide));
                ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
            }
        }
        let two_fingers = ui.input(|input| input.multi_touch().is_some());
        if two_fingers || !ui.input(|input| input.pointer.primary_down()) {
            tool.strokes = false;
        }
        let mut centers = Vec::new();
        if response.drag_started_by(PointerButton::Primary) && !two_fingers {
            let shift = ui.input(|input| input.modifiers.shift);
            let origin = ui.input(|input| input.pointer.press_origin());
            let origin = origin.filter(|_| !shift);
            let began = origin.and_then(under);
            // A mesh that moves under its brush must not turn the camera.
            tool.strokes = began.is_some() || origin.is_some_and(|at| is_near(at, under));
            tool.last_in_bind = began.as_ref().map(|began| began.in_bind);
            centers.extend(tool.last_in_bind);
        }
        if let (true, Some(now)) = (tool.strokes, &now) {
            centers.extend(touches_to(now.in_bind, &mut tool.last_in_bind, radius));
        }
        if !centers.is_empty() && ui.ctx().current_pass_index() == 0 {
            paint(ui, &centers, page);
        }
        // Two quick touches are no wish to see the whole model.
        tool.strokes || response.double_clicked() && now.is_some()
    })
}

/// Lies the model so near that a drag from here is meant for it?
fn is_near<T>(at: Pos2, under: impl Fn(Pos2) -> Option<T>) -> bool {
    let around = (0..8).map(|eighth| egui::Vec2::angled(eighth as f32 * TAU / 8.0));
    around.map(|towards| at + NEAR * towards).any(|place| under(place).is_some())
}

/// One touch where the reader has pressed, and no mark was meant.
pub(super) fn click(
    ui: &Ui,
    response: &Response,
    rect: Rect,
    camera: &Camera,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
) {
    let at = response.interact_pointer_pos();
    let under = at.and_then(|at| under(at, rect, camera, frame));
    if let Some(under) = under.filter(|_| ui.ctx().current_pass_index() == 0) {
        paint(ui, &[under.in_bind], page);
    }
}

/// `[` and `]` while the brush is held; Enter, while the picture has the focus, paints at
/// the chosen vertex.
fn keys(ui: &Ui, response: &Response, page: &mut PageContext<'_>) {
    if ui.ctx().current_pass_index() != 0 {
        return;
    }
    if !ui.ctx().egui_wants_keyboard_input() || response.has_focus() {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::OpenBracket) {
            page.view.brush.resize(false);
        }
        if pressed(Key::CloseBracket) {
            page.view.brush.resize(true);
        }
    }
    let enter = |modifiers| ui.input_mut(|input| input.consume_key(modifiers, Key::Enter));
    if response.has_focus() && (enter(Modifiers::ALT) || enter(Modifiers::NONE)) {
        paint_at_chosen(ui, page);
    }
}

/// One touch at the chosen vertex.
pub(in crate::cells) fn paint_at_chosen(ui: &Ui, page: &mut PageContext<'_>) {
    let vertex = page.document.state.vertex;
    let positions = &page.derived.rig.mesh.positions;
    // Without vertices the stroke says so.
    let center = positions.get(vertex as usize).copied().unwrap_or_default();
    paint(ui, &[center], page);
}

fn paint(ui: &Ui, centers: &[Vec3], page: &mut PageContext<'_>) {
    let modifiers = ui.input(|input| input.modifiers);
    let inverted = modifiers.alt || modifiers.command;
    let state = (page.document, page.derived);
    let edit = page.view.brush.stroke(state, centers, inverted);
    page.edits.extend(edit);
}

/// Touches from the last one on, evenly, as far as here.
fn touches_to(here: Vec3, last: &mut Option<Vec3>, radius: f32) -> Vec<Vec3> {
    let step = SPACING * radius;
    let from = last.unwrap_or(here);
    let way = from.distance(here);
    if last.is_none() || way > JUMP * radius {
        *last = Some(here);
        return vec![here];
    }
    let count = (way / step).floor();
    if !(count.is_finite() && count >= 1.0) {
        return Vec::new();
    }
    let toward = (here - from) / way;
    let touches: Vec<Vec3> =
        (1..=count as usize).map(|nth| from + toward * (nth as f32 * step)).collect();
    *last = touches.last().copied();
    touches
}

/// The surface under a place of the picture; where there is no surface, the vertex that
/// is near.
fn under(at: Pos2, rect: Rect, camera: &Camera, frame: &ViewportFrame<'_>) -> Option<BrushPlace> {
    let derived = frame.derived;
    let mesh = &derived.rig.mesh;
    let size = Vec2::new(rect.width(), rect.height());
    let place = Vec2::new(at.x - rect.left(), at.y - rect.top());
    let positions = derived.positions();
    if mesh.triangles.is_empty() || !frame.shows(Show::Mesh) {
        return near_vertex(place, size, camera, frame);
    }
    let hit = hit_at(camera, positions, &mesh.triangles, place, size)?;
    let corners = |of: &[Vec3]| {
        let [a, b, c] = hit.triangle.map(|corner| of.get(corner as usize).copied());
        Some([b? - a?, c? - a?])
    };
    let ([b, c], [b_in_bind, c_in_bind]) = (corners(positions)?, corners(&mesh.positions)?);
    let normal = b.cross(c).normalize_or(Vec3::Z);
    // How much longer a length is there than in the bind pose.
    let area = b.cross(c).length() / b_in_bind.cross(c_in_bind).length();
    let scale = if area.is_finite() { area.sqrt() } else { 1.0 };
    let (x, y) = normal.any_orthonormal_pair();
    Some(BrushPlace {
        in_bind: hit.among(&mesh.positions)?,
        in_world: hit.among(positions)?,
        across: [x * scale, y * scale],
    })
}

fn near_vertex(
    place: Vec2,
    size: Vec2,
    camera: &Camera,
    frame: &ViewportFrame<'_>,
) -> Option<BrushPlace> {
    let derived = frame.derived;
    let near = |(vertex, &in_world): (usize, &Vec3)| {
        let far = camera.project(in_world, size)?.distance(place);
        (far <= touch::TARGET).then_some((far, vertex, in_world))
    };
    let places = derived.positions().iter().enumerate().filter_map(near);
    let (_, vertex, in_world) = places.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (x, y) = camera.forward().normalize_or(Vec3::Z).any_orthonormal_pair();
    Some(BrushPlace {
        in_bind: derived.rig.mesh.positions.get(vertex).copied()?,
        in_world,
        across: [x, y],
    })
}

fn circle(
    under: &BrushPlace,
    radius: f32,
    camera: &Camera,
    (rect, wide): (Rect, egui::Vec2),
) -> Vec<Pos2> {
    let size = Vec2::new(wide.x, wide.y);
    let [x, y] = under.across.map(|across| across * radius);
    let points = (0..=SIDES).map(|side| {
        let turn = std::f32::consts::TAU * side as f32 / SIDES as f32;
        let at = under.in_world + x * turn.cos() + y * turn.sin();
        let at = camera.project(at, size)?;
        Some(rect.min + vec2(at.x, at.y))
    });
    points.collect::<Option<_>>().unwrap_or_default()
}

/// The circle, and what a drag does now.
pub(super) fn show(
    painter: &Painter,
    (rect, id): (Rect, &str),
    below: usize,
    page: &mut PageContext<'_>,
) {
    if page.view.pictures.still {
        return;
    }
    let theme = page.theme;
    let tool = page.state::<BrushTool>(id);
    for (width, color) in [(3.5, theme.paper), (1.5, theme.ink)] {
        let stroke = Stroke::new(width, color);
        painter.add(egui::Shape::line(tool.circle.clone(), stroke));
    }
    let words = words(painter, page);
    let font = FontId::proportional(CAPTION);
    // Free of the buttons at the right.
    let width = (rect.width() - 156.0).max(80.0);
    let galley = painter.layout(words, font, theme.ink, width);
    let at = rect.left_top() + vec2(16.0, 14.0 + 32.0 * below as f32);
    on_wash(painter, theme, at, galley);
}

fn on_wash(painter: &Painter, theme: &Theme, at: Pos2, galley: std::sync::Arc<egui::Galley>) {
    let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(8.0, 5.0));
    let edge = Stroke::new(1.0, theme.accent);
    painter.rect(ground, 6.0, theme.accent_wash, edge, StrokeKind::Inside);
    painter.galley(at, galley, theme.ink);
}

/// One line: what a drag on the surface does.
fn words(painter: &Painter, page: &PageContext<'_>) -> String {
    if let Some(words) = brush::hindrance(page.derived) {
        return words.to_owned();
    }
    let joint = page.document.state.joint.0;
    let does = match page.view.brush.mode {
        BrushMode::Add => format!("Drag on the surface: joint {joint} gets more"),
        BrushMode::Subtract => format!("Drag on the surface: joint {joint} gets less"),
        BrushMode::Smooth => "Drag on the surface: weights are smoothed".to_owned(),
        BrushMode::Normalize => "Drag on the surface: sums come nearer to 1".to_owned(),
    };
    let moves = matches!(page.view.brush.mode, BrushMode::Add | BrushMode::Subtract);
    if touch::is_at_work(painter.ctx()) {
        does
    } else if moves {
        format!("{does}; with Alt, the other way")
    } else {
        does
    }
}
