//! Painting weights in a picture. A drag that begins on the surface or close to it is a stroke.
//! Any other drag moves the camera.

use std::f32::consts::TAU;

use bindpose_kit::theme::CAPTION_SIZE;
use bindpose_kit::touch;
use bindpose_lesson::Show;
use bindpose_notebook::viewport::{ViewportFrame, hit_at};
use bindpose_skin::BrushMode;
use eframe::egui::{
    self, CursorIcon, FontId, Key, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Stroke,
    StrokeKind, Ui, vec2,
};
use glam::Vec3;

use super::picture_view::PictureView;
use crate::{PageContext, brush};

/// Distance between two dabs of a stroke, in radii.
const DAB_SPACING: f32 = 0.25;

/// Maximum distance in one frame over which a stroke is continuous, in radii. A pointer that
/// moves farther has jumped.
const MAX_CONTINUOUS_STEP: f32 = 4.0;

/// Maximum distance from the surface at which a drag begins a stroke.
const STROKE_START_REACH_PTS: f32 = 28.0;

const CIRCLE_SEGMENTS: usize = 48;

/// State of the brush in one picture.
#[derive(Default)]
struct BrushTool {
    /// Last dab of the current stroke, in bind space.
    last_dab_in_bind: Option<Vec3>,
    /// True if the current drag is a stroke.
    is_stroking: bool,
    /// Outline of the brush under the pointer, on the screen.
    circle: Vec<Pos2>,
}

/// Position of the brush on the surface.
struct BrushPosition {
    in_bind: Vec3,
    in_world: Vec3,
    /// Two directions in the surface, in world space. Each is as long as a unit length of bind
    /// space is there.
    tangents_in_world: [Vec3; 2],
}

/// Returns true if the brush is on and the pictures show the page that is edited.
pub(super) fn is_active(page: &PageContext<'_>) -> bool {
    // During an animation, or while the presenter holds a picture, it shows another page.
    page.view.brush.is_on
        && page.view.playing.transition.is_none()
        && page.view.presenter.frozen.is_none()
}

/// Paints where the reader drags. Returns true if the drag is a stroke and must not move the
/// camera.
pub(super) fn steer(
    ui: &Ui,
    response: &Response,
    id: &str,
    view: &PictureView,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
) -> bool {
    handle_keys(ui, response, page);
    page.with_state(id, |tool: &mut BrushTool, page| {
        let brush = &mut page.view.brush;
        let radius = brush.radius as f32 * brush.surface(frame.derived).size();
        let hovered = response
            .interact_pointer_pos()
            .or(response.hover_pos())
            .and_then(|at| find_brush_position(at, view, frame));
        tool.circle.clear();
        let is_circle_visible =
            !touch::is_touch_active(ui.ctx()) || response.is_pointer_button_down_on();
        if let Some(hovered) = &hovered
            && is_circle_visible
        {
            tool.circle = project_circle(hovered, radius, view);
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        let has_two_fingers = ui.input(|input| input.multi_touch().is_some());
        if has_two_fingers || !ui.input(|input| input.pointer.primary_down()) {
            tool.is_stroking = false;
        }
        let mut dabs_in_bind = Vec::new();
        if response.drag_started_by(PointerButton::Primary) && !has_two_fingers {
            let is_shift_down = ui.input(|input| input.modifiers.shift);
            let press_origin =
                ui.input(|input| input.pointer.press_origin()).filter(|_| !is_shift_down);
            let start = press_origin.and_then(|at| find_brush_position(at, view, frame));
            // A drag near a mesh that moves under the brush must not move the camera.
            tool.is_stroking =
                start.is_some() || press_origin.is_some_and(|at| is_near_surface(at, view, frame));
            tool.last_dab_in_bind = start.map(|start| start.in_bind);
            dabs_in_bind.extend(tool.last_dab_in_bind);
        }
        if tool.is_stroking
            && let Some(hovered) = &hovered
        {
            dabs_in_bind.extend(tool.continue_stroke(hovered.in_bind, radius));
        }
        if !dabs_in_bind.is_empty() && ui.ctx().current_pass_index() == 0 {
            paint_dabs(ui, &dabs_in_bind, page);
        }
        // Two quick dabs must not frame the model as a double click does.
        tool.is_stroking || response.double_clicked() && hovered.is_some()
    })
}

impl BrushTool {
    /// Returns evenly spaced dabs from the last one up to a position in bind space.
    fn continue_stroke(&mut self, to_in_bind: Vec3, radius: f32) -> Vec<Vec3> {
        let Some(from_in_bind) = self.last_dab_in_bind else {
            self.last_dab_in_bind = Some(to_in_bind);
            return vec![to_in_bind];
        };
        let distance = from_in_bind.distance(to_in_bind);
        if distance > MAX_CONTINUOUS_STEP * radius {
            self.last_dab_in_bind = Some(to_in_bind);
            return vec![to_in_bind];
        }
        let spacing = DAB_SPACING * radius;
        let count = (distance / spacing).floor();
        if !(count.is_finite() && count >= 1.0) {
            return Vec::new();
        }
        let direction = (to_in_bind - from_in_bind) / distance;
        let dabs: Vec<Vec3> = (1..=count as usize)
            .map(|index| from_in_bind + direction * (index as f32 * spacing))
            .collect();
        self.last_dab_in_bind = dabs.last().copied();
        dabs
    }
}

/// Returns true if the model is so near that a drag from here is meant for it.
fn is_near_surface(at: Pos2, view: &PictureView, frame: &ViewportFrame<'_>) -> bool {
    (0..8).map(|eighth| egui::Vec2::angled(eighth as f32 * TAU / 8.0)).any(|direction| {
        find_brush_position(at + STROKE_START_REACH_PTS * direction, view, frame).is_some()
    })
}

/// Paints one dab after a click that hit no mark.
pub(super) fn handle_click(
    ui: &Ui,
    response: &Response,
    view: &PictureView,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
) {
    if ui.ctx().current_pass_index() == 0
        && let Some(at) = response.interact_pointer_pos()
        && let Some(position) = find_brush_position(at, view, frame)
    {
        paint_dabs(ui, &[position.in_bind], page);
    }
}

/// Resizes the brush with `[` and `]`. While the picture has the focus, Enter paints at the
/// chosen vertex.
fn handle_keys(ui: &Ui, response: &Response, page: &mut PageContext<'_>) {
    if ui.ctx().current_pass_index() != 0 {
        return;
    }
    if !ui.ctx().egui_wants_keyboard_input() || response.has_focus() {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::OpenBracket)) {
            page.view.brush.resize(false);
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::CloseBracket)) {
            page.view.brush.resize(true);
        }
    }
    if response.has_focus()
        && ui.input_mut(|input| {
            input.consume_key(Modifiers::ALT, Key::Enter)
                || input.consume_key(Modifiers::NONE, Key::Enter)
        })
    {
        paint_at_chosen_vertex(ui, page);
    }
}

/// Paints one dab at the chosen vertex.
pub(in crate::cells) fn paint_at_chosen_vertex(ui: &Ui, page: &mut PageContext<'_>) {
    let vertex = page.document.state.vertex;
    let positions = &page.derived.rig.mesh.positions;
    // Without vertices, the stroke itself reports the problem.
    let center = positions.get(vertex as usize).copied().unwrap_or_default();
    paint_dabs(ui, &[center], page);
}

fn paint_dabs(ui: &Ui, centers_in_bind: &[Vec3], page: &mut PageContext<'_>) {
    let modifiers = ui.input(|input| input.modifiers);
    let is_inverted = modifiers.alt || modifiers.command;
    let state = (page.document, page.derived);
    let edit = page.view.brush.stroke(state, centers_in_bind, is_inverted);
    page.requests.edits.extend(edit);
}

/// Finds the surface at a screen position, or the nearest vertex if no surface is drawn.
fn find_brush_position(
    at: Pos2,
    view: &PictureView,
    frame: &ViewportFrame<'_>,
) -> Option<BrushPosition> {
    let derived = frame.derived;
    let mesh = &derived.rig.mesh;
    let positions = derived.positions();
    if mesh.triangles.is_empty() || !frame.shows(Show::Mesh) {
        return find_near_vertex(at, view, frame);
    }
    let local = view.local_from_screen(at);
    let hit = hit_at(&view.camera, positions, &mesh.triangles, local, view.size())?;
    let [b, c] = triangle_edges(positions, hit.triangle)?;
    let [b_in_bind, c_in_bind] = triangle_edges(&mesh.positions, hit.triangle)?;
    let normal = b.cross(c).normalize_or(Vec3::Z);
    // Ratio of lengths in world space to lengths in the bind pose.
    let area_ratio = b.cross(c).length() / b_in_bind.cross(c_in_bind).length();
    let scale = if area_ratio.is_finite() { area_ratio.sqrt() } else { 1.0 };
    let (x, y) = normal.any_orthonormal_pair();
    Some(BrushPosition {
        in_bind: hit.among(&mesh.positions)?,
        in_world: hit.among(positions)?,
        tangents_in_world: [x * scale, y * scale],
    })
}

/// Edges from the first corner of a triangle to the others.
fn triangle_edges(positions: &[Vec3], triangle: [u32; 3]) -> Option<[Vec3; 2]> {
    let [a, b, c] = triangle.map(|corner| positions.get(corner as usize).copied());
    Some([b? - a?, c? - a?])
}

fn find_near_vertex(
    at: Pos2,
    view: &PictureView,
    frame: &ViewportFrame<'_>,
) -> Option<BrushPosition> {
    let derived = frame.derived;
    let local = view.local_from_screen(at);
    let mut nearest: Option<(f32, usize, Vec3)> = None;
    for (vertex, &in_world) in derived.positions().iter().enumerate() {
        let Some(vertex_at) = view.project_local(in_world) else {
            continue;
        };
        let distance = vertex_at.distance(local);
        if distance <= touch::MIN_TARGET_SIZE_PTS
            && nearest.is_none_or(|nearest| distance < nearest.0)
        {
            nearest = Some((distance, vertex, in_world));
        }
    }
    let (_, vertex, in_world) = nearest?;
    let (x, y) = view.camera.forward().normalize_or(Vec3::Z).any_orthonormal_pair();
    Some(BrushPosition {
        in_bind: derived.rig.mesh.positions.get(vertex).copied()?,
        in_world,
        tangents_in_world: [x, y],
    })
}

/// Projects the outline of the brush. Empty if a part of it is behind the eye.
fn project_circle(position: &BrushPosition, radius: f32, view: &PictureView) -> Vec<Pos2> {
    let [x, y] = position.tangents_in_world.map(|tangent| tangent * radius);
    (0..=CIRCLE_SEGMENTS)
        .map(|index| {
            let angle_rad = TAU * index as f32 / CIRCLE_SEGMENTS as f32;
            view.project(position.in_world + x * angle_rad.cos() + y * angle_rad.sin())
        })
        .collect::<Option<_>>()
        .unwrap_or_default()
}

/// Paints the outline of the brush, and a line that describes the effect of a drag below
/// `line_count` other lines.
pub(super) fn paint_brush(
    painter: &Painter,
    rect: Rect,
    id: &str,
    line_count: usize,
    page: &mut PageContext<'_>,
) {
    if page.view.pictures.is_still {
        return;
    }
    let theme = page.theme;
    let tool = page.state::<BrushTool>(id);
    for (width, color) in [(3.5, theme.paper), (1.5, theme.ink)] {
        let stroke = Stroke::new(width, color);
        painter.add(egui::Shape::line(tool.circle.clone(), stroke));
    }
    let description = describe_drag(painter, page);
    // Leave room for the buttons at the right.
    let width = (rect.width() - 156.0).max(80.0);
    let galley = painter.layout(description, FontId::proportional(CAPTION_SIZE), theme.ink, width);
    let at = rect.left_top() + vec2(16.0, 14.0 + 32.0 * line_count as f32);
    let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(8.0, 5.0));
    let edge = Stroke::new(1.0, theme.accent);
    painter.rect(ground, 6.0, theme.accent_wash, edge, StrokeKind::Inside);
    painter.galley(at, galley, theme.ink);
}

/// Describes the effect of a drag on the surface, or why there is none.
fn describe_drag(painter: &Painter, page: &PageContext<'_>) -> String {
    if let Some(reason) = brush::find_obstacle(page.derived) {
        return reason.to_owned();
    }
    let joint = page.document.state.joint.0;
    let mode = page.view.brush.mode;
    let effect = match mode {
        BrushMode::Add => format!("Drag on the surface: joint {joint} gets more"),
        BrushMode::Subtract => format!("Drag on the surface: joint {joint} gets less"),
        BrushMode::Smooth => "Drag on the surface: weights are smoothed".to_owned(),
        BrushMode::Normalize => "Drag on the surface: sums come nearer to 1".to_owned(),
    };
    let can_be_inverted = matches!(mode, BrushMode::Add | BrushMode::Subtract);
    // A touch screen has no Alt key.
    if can_be_inverted && !touch::is_touch_active(painter.ctx()) {
        format!("{effect}; with Alt, the other way")
    } else {
        effect
    }
}
