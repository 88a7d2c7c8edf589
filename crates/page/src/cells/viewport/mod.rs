//! The 3D view: a picture from the renderer, and above it joints, axes, numbers and markers. The
//! page draws the marks itself, so that they stay crisp and can be clicked.

mod bones;
mod brush_tool;
mod gizmo;
mod hover_controls;
mod labels;
mod legend;
mod nodes;
#[cfg(test)]
mod not_finite_tests;
mod overlay;
mod picture_view;
mod prediction_marks;
mod status_line;
mod steering;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, Tip as _};
use bindpose_lesson::{Setting, Show, Text, Values, ViewportCell, number_text};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::scene::{Scalars, Scene};
use bindpose_notebook::viewport::{PictureMotion, ViewportFrame, leave_out_not_finite};
use bindpose_notebook::{Derived, Document, Edit, Entity};
use bindpose_skin::JointIndex;
use eframe::egui::{self, FontId, Painter, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::PageContext;
use crate::prose::line_ui;
use crate::scene_colors::scene_colors;
use gizmo::{PictureGizmo, TurnHandles};
use labels::GridNumbers;
use nodes::format_vertex_position;
use overlay::Overlay;
use picture_view::PictureView;

pub(super) use brush_tool::paint_at_chosen_vertex;
pub(crate) use steering::{current_camera, handle_camera_input, record_fill, store_camera};

pub(super) use hover_controls::{reset_view_button, ui as hover_controls};
pub(super) use legend::{Legend, paint_color_scale};

pub(super) use prediction_marks::OpenQuestion;
pub(super) use status_line::{describe_missing_weights as without_weights, status_words as status};

/// Interval between repaints while the progress of computed weights is displayed.
const WEIGHTS_PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Minimum height at which a picture without words still has a legend.
const MIN_UNNAMED_LEGEND_HEIGHT_PTS: f32 = 180.0;

const MIN_HEIGHT_PTS: f32 = 110.0;

/// Shows the viewport at the available width and the given height.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let caption_height = if cell.caption.is_some() { 24.0 } else { 0.0 };
    let picture_height = (height - caption_height).max(MIN_HEIGHT_PTS);
    uncaptioned_ui(ui, cell, id, page, picture_height);
    if let Some(caption) = &cell.caption {
        ui.add_space(-4.0);
        let face = Face::of_text(CAPTION_SIZE, Emphasis::Quiet, page.theme);
        line_ui(ui, caption, face, page);
    }
}

fn uncaptioned_ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let size = vec2(ui.available_width(), height).floor();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let frame = page.viewport_frame(cell);
    let mut status = status(&frame, page.lesson);
    if page.view.pictures.hides_captions {
        status.clear();
    }
    response.widget_info(|| {
        WidgetInfo::labeled(egui::Role::Image, true, describe_picture(&frame, &status))
    });
    if !ui.is_rect_visible(rect) || rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }

    // Words describe the final state of the page, even while the picture is animated.
    let has_legend_room =
        !page.view.pictures.hides_captions || rect.height() > MIN_UNNAMED_LEGEND_HEIGHT_PTS;
    let legend = Legend::new(ui.painter(), page.theme, &frame, rect.size());
    let words = PictureWords {
        legend: legend.filter(|_| has_legend_room),
        status: status_line::fit_to_picture(status, rect),
        derived: page.derived,
    };
    if let Some((document, derived)) = transition_state(ui, page) {
        let mut page = page.with(&document, &derived);
        picture_ui(ui, cell, id, rect, &response, words, &mut page);
    } else {
        picture_ui(ui, cell, id, rect, &response, words, page);
    }
}

/// Computes the interpolated state during a transition and requests the next frame. Returns
/// `None` if there is no transition, or if the system or the reader prefers less motion.
fn transition_state(ui: &Ui, page: &mut PageContext<'_>) -> Option<(Document, Derived)> {
    let now_secs = ui.input(|input| input.time);
    let is_motion_allowed = is_motion_allowed(ui, page);
    let document = page.document;
    let derived = page.derived;
    let transition = page.view.playing.transition.as_mut()?;
    if !is_motion_allowed || transition.is_over(document, now_secs) {
        page.view.playing.transition = None;
        return None;
    }
    let state = transition.at(document, derived, page.lesson, now_secs);
    if state.is_some() {
        ui.ctx().request_repaint();
    }
    state
}

/// Returns false if the system or the reader prefers less motion.
fn is_motion_allowed(ui: &Ui, page: &PageContext<'_>) -> bool {
    ui.style().animation_time > 0.0 && !page.view.pictures.waits_for_work
}

/// Words in a picture, and the values that its accessible names describe.
struct PictureWords<'a> {
    legend: Option<Legend>,
    status: Vec<String>,
    derived: &'a Derived,
}

/// Draws the picture and handles input on it.
fn picture_ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    id: &str,
    rect: Rect,
    response: &egui::Response,
    words: PictureWords<'_>,
    page: &mut PageContext<'_>,
) {
    let frame = page.viewport_frame(cell);
    let legend_size = words.legend.as_ref().map(Legend::covered_size);
    let mut state = current_camera(&frame, id, page, rect.size(), legend_size);
    gizmo::hold_camera_during_drag(id, &mut state.camera, page);
    record_fill(&frame, &state.camera, rect.size(), page);
    let view = PictureView::new(&state.camera, rect);
    let question = OpenQuestion::find_on_page(page);

    // The brush has precedence over the gizmo, the gizmo over the badges of joints, and these
    // over the camera.
    let has_brush = brush_tool::is_active(page);
    let is_painting = has_brush && brush_tool::steer(ui, response, id, &view, &frame, page);
    let gizmo = if has_brush { None } else { PictureGizmo::new(page, &view) };
    let is_gizmo_dragged = gizmo.as_ref().is_some_and(|gizmo| gizmo.drag(ui, id, response, page));
    // While a question is open, a drag places the guess.
    let can_turn_joints = !has_brush && question.is_none();
    let handles = can_turn_joints.then(|| TurnHandles::new(page, &view));
    let is_joint_turned = if can_turn_joints && !is_gizmo_dragged {
        let press_origin = ui.input(|input| input.pointer.press_origin());
        let joint = press_origin
            .filter(|_| response.drag_started_by(egui::PointerButton::Primary))
            .and_then(|at| {
                let overlay = Overlay::new(page, &view, frame.show, &[]);
                gizmo::find_turnable_joint(ui, at, &overlay, &frame, handles.as_ref())
            });
        gizmo::drag_badge(ui, id, response, &view, joint, page)
    } else {
        false
    };
    if !is_gizmo_dragged && !is_joint_turned && !is_painting {
        handle_camera_input(ui, response, rect, &mut state, question.as_ref(), page);
    }

    let picture = ViewportPicture {
        id,
        frame: &frame,
        camera: &state.camera,
        rect,
        response,
        legend: words.legend,
        status: words.status,
        described: words.derived,
        question: question.as_ref(),
        gizmo: gizmo.as_ref(),
        handles: handles.as_ref(),
        scalars: None,
        has_brush,
    };
    picture.paint(ui, page);
    if let Some(reason) = frame.nothing_seen().filter(|_| !page.view.pictures.is_still) {
        status_line::doctor_link_ui(ui, rect, &reason, page);
    }
    hover_controls::ui(ui, rect, response, &mut state, &frame, page);
    hover_controls::reset_view_button(ui, rect, &mut state, page);
    store_camera(id, state, page);
}

/// Paints joints and bones over a picture with this camera.
pub(crate) fn paint_joints(painter: &Painter, camera: &Camera, rect: Rect, page: &PageContext<'_>) {
    let overlay = Overlay::new(page, &PictureView::new(camera, rect), &[Show::Joints], &[]);
    overlay.paint(painter, page, &GridNumbers::default());
}

/// One picture with everything drawn over it. It must be painted with a page that has the
/// document of its frame.
pub(super) struct ViewportPicture<'a> {
    /// Distinguishes the pictures of a page.
    pub(super) id: &'a str,
    pub(super) frame: &'a ViewportFrame<'a>,
    pub(super) camera: &'a Camera,
    pub(super) rect: Rect,
    pub(super) response: &'a egui::Response,
    /// Explanation of the colours, if they need one.
    pub(super) legend: Option<Legend>,
    /// Deviations from the usual settings. Empty if something beside the picture lists them.
    pub(super) status: Vec<String>,
    /// Values that the accessible names of the marks describe.
    pub(super) described: &'a Derived,
    /// The question that a click answers.
    pub(super) question: Option<&'a OpenQuestion>,
    /// Gizmo that poses the chosen joint.
    pub(super) gizmo: Option<&'a PictureGizmo>,
    /// Handles that turn joints. `None` if badges turn no joint.
    pub(super) handles: Option<&'a TurnHandles>,
    /// Numbers that colour the surface instead of the tint.
    pub(super) scalars: Option<Arc<Scalars>>,
    /// True if the brush paints in this picture.
    pub(super) has_brush: bool,
}

impl ViewportPicture<'_> {
    /// Paints with the brush or chooses the clicked vertex after a click that hit no mark.
    fn handle_surface_click(&self, ui: &Ui, view: &PictureView, page: &mut PageContext<'_>) {
        if self.has_brush {
            brush_tool::handle_click(ui, self.response, view, self.frame, page);
        } else if self.question.is_none()
            && let Some(at) = self.response.interact_pointer_pos()
        {
            let local = (view.local_from_screen(at), view.size());
            let picked = self.frame.vertex_at(self.camera, local);
            page.requests.edits.extend(picked.map(|vertex| Edit::set(Setting::Vertex(vertex))));
        }
    }

    /// Number of lines of words in the upper left corner.
    fn line_count(&self) -> usize {
        usize::from(!self.status.is_empty()) + usize::from(self.question.is_some())
    }

    /// Lays out the numbers of the grid, except below the legend in the lower left corner and
    /// the words in the upper one.
    fn layout_grid_numbers(
        &self,
        painter: &Painter,
        theme: &Theme,
        view: &PictureView,
    ) -> GridNumbers {
        let rect = self.rect;
        let legend = self.legend.as_ref().map_or(egui::Vec2::ZERO, Legend::covered_size);
        let mut covered = vec![
            Rect::from_min_max(
                rect.left_bottom() - vec2(0.0, legend.y),
                rect.left_bottom() + vec2(legend.x, 0.0),
            ),
            Rect::from_min_size(rect.min, vec2(rect.width(), 42.0 * self.line_count() as f32)),
        ];
        covered.retain(Rect::is_positive);
        GridNumbers::new(painter, theme, self.frame, view, &covered)
    }

    /// Animates the surface after a switch between stages. Returns true while it moves.
    fn animate_surface(&self, ui: &Ui, page: &mut PageContext<'_>, scene: &mut Scene) -> bool {
        let (now_secs, is_pointer_down) = ui.input(|input| (input.time, input.pointer.any_down()));
        let is_animated = is_motion_allowed(ui, page) && !is_pointer_down;
        let motion = page.state::<PictureMotion>(self.id);
        let is_moving = motion.show(scene, self.frame.document, now_secs, is_animated);
        if is_moving {
            ui.ctx().request_repaint();
        }
        is_moving
    }

    /// Highlights the mark under the pointer, and chooses it on a click.
    fn handle_pointer(
        &self,
        ui: &Ui,
        painter: &Painter,
        overlay: &Overlay<'_>,
        page: &mut PageContext<'_>,
    ) {
        let response = self.response;
        let view = &overlay.view;
        if let Some(joint) = gizmo::paint_held_badge(ui, painter, self.id, view, page) {
            self.paint_handles(painter, page, Some(joint));
            return;
        }
        // A lifted finger has no hover position, but it may have clicked.
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let is_on_gizmo = self.gizmo.is_some_and(|gizmo| gizmo.is_under(ui, pointer));
        let pointer_off_gizmo = pointer.filter(|_| !is_on_gizmo);
        let hovered_entity =
            pointer_off_gizmo.and_then(|at| overlay.pick(at, gizmo::pointer_reach(ui)));
        // While the camera is dragged, no joint is highlighted as turnable.
        let turnable_joint = pointer_off_gizmo
            .filter(|_| !response.dragged())
            .and_then(|at| gizmo::find_turnable_joint(ui, at, overlay, self.frame, self.handles));
        let focused_joint =
            self.handles.and_then(|handles| handles.handle_keys(ui, self.id, view.rect, page));
        self.paint_handles(painter, page, turnable_joint.or(focused_joint));
        if let Some(entity) = hovered_entity {
            page.linked.hover(entity);
            let has_turning_badge = matches!(entity, Entity::Joint(joint)
                if self.handles.is_some() && gizmo::TurnedBadge::new(page, view, joint).is_some());
            // While a question is open, a click places the guess.
            if self.question.is_none() {
                let is_turnable = match entity {
                    Entity::Joint(_) => has_turning_badge,
                    _ => turnable_joint.is_some(),
                };
                ui.ctx().set_cursor_icon(if is_turnable {
                    egui::CursorIcon::Grab
                } else {
                    egui::CursorIcon::PointingHand
                });
                if response.clicked() {
                    page.choose_entity(entity);
                }
            }
            let hint = has_turning_badge.then_some(gizmo::BADGE_HINT);
            overlay.paint_name(painter, page, entity, hint);
        } else {
            if turnable_joint.is_some() {
                ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
            }
            if !is_on_gizmo && response.clicked() {
                self.handle_surface_click(ui, view, page);
            }
        }
    }

    /// Paints the handles of joints, unless the reader cannot interact with the picture.
    fn paint_handles(
        &self,
        painter: &Painter,
        page: &PageContext<'_>,
        highlighted: Option<JointIndex>,
    ) {
        if let Some(handles) = self.handles.filter(|_| !page.view.pictures.is_still) {
            handles.paint(painter, page.theme, highlighted);
        }
    }

    /// Paints the picture and all marks, and handles the pointer on the marks.
    pub(super) fn paint(self, ui: &Ui, page: &mut PageContext<'_>) {
        let frame = self.frame;
        let rect = self.rect;
        let pixels_per_point = ui.ctx().pixels_per_point();
        let size_px = [rect.width(), rect.height()]
            .map(|points| (points * pixels_per_point).round().max(1.0) as u32);
        let mut scene = frame.scene(self.camera, size_px, scene_colors(page.theme));
        if let Some(scalars) = &self.scalars {
            scene.tint_most = scalars.most;
            scene.scalars = Some(Arc::clone(scalars));
        }
        if frame.shows(Show::Mesh)
            && let Some(ghost) =
                page.view.mended_copy.ghost(page.lesson, page.document, &page.derived.stored_rig)
        {
            scene.rest_ghost = Some(ghost);
        }
        leave_out_not_finite(&mut scene);
        let is_moving = self.animate_surface(ui, page, &mut scene);
        if frame.derived.awaits_weights() {
            ui.ctx().request_repaint_after(WEIGHTS_PROGRESS_INTERVAL);
        }
        let painter = ui.painter_at(rect);
        match page.viewports.shape(self.id, rect, scene) {
            Ok(shape) => {
                painter.add(shape);
            }
            Err(reason) => paint_error(ui, rect, page, &reason),
        }

        // Vertex marks are drawn at their final positions, so they are hidden until the surface
        // has arrived there.
        let shown_while_moving: Vec<Show>;
        let show: &[Show] = if is_moving {
            shown_while_moving =
                frame.show.iter().copied().filter(|&show| !marks_vertices(show)).collect();
            &shown_while_moving
        } else {
            frame.show
        };
        let rings: &[[u32; 2]] = if is_moving { &[] } else { &frame.cell.rings };
        let view = PictureView::new(self.camera, rect);
        let overlay = Overlay::new(page, &view, show, rings);
        let grid_numbers = self.layout_grid_numbers(&painter, page.theme, &view);
        grid_numbers.paint(&painter, page.theme);
        overlay.paint(&painter, page, &grid_numbers);
        if let Some(question) = self.question.filter(|_| !page.view.pictures.is_still) {
            question.paint_prompt(&painter, rect, page.theme, !self.status.is_empty());
        }
        self.handle_pointer(ui, &painter, &overlay, page);
        if let Some(gizmo) = self.gizmo {
            let focused_axis = gizmo.handle_keys(ui, self.id, page);
            gizmo.paint(ui, &painter, self.id, focused_axis, page);
        }
        nodes::ui(ui, self.id, rect, &overlay, self.described, page);
        status_line::paint(&painter, rect, page.theme, &self.status);
        let line_count = self.line_count();
        if self.has_brush {
            brush_tool::paint_brush(&painter, rect, self.id, line_count, page);
        }
        if let Some(legend) = &self.legend {
            legend.paint(&painter, rect, page.theme, self.camera);
        }
        if let Some(reason) = frame.nothing_seen() {
            status_line::paint_nothing_seen(&painter, rect, page.theme, &reason);
        }
        if let Some(notice) = frame.notice() {
            let is_elided =
                status_line::paint_notice(&painter, rect, page.theme, notice, line_count);
            if is_elided {
                self.response.clone().tip(notice);
            }
        }
        // The renderer's picture has square corners, so paint the page's colour around the
        // rounded frame.
        painter.rect_stroke(rect, 8.0, Stroke::new(4.0, page.theme.paper), StrokeKind::Outside);
        let edge = if self.response.has_focus() { page.theme.accent } else { page.theme.rule };
        ui.painter().rect_stroke(rect, 8.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    }
}

fn marks_vertices(show: Show) -> bool {
    matches!(show, Show::Vertices | Show::VertexNumbers | Show::VertexNormal | Show::Microscope)
}

/// Paints the reason why a picture cannot be drawn in its place.
fn paint_error(ui: &Ui, rect: Rect, page: &PageContext<'_>, reason: &str) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 8.0, page.theme.panel);
    let galley = painter.layout(
        reason.to_owned(),
        FontId::proportional(SMALL_SIZE),
        page.theme.quiet,
        (rect.width() - 32.0).max(40.0),
    );
    let at = rect.left_bottom() + vec2(16.0, -16.0 - galley.size().y);
    painter.galley(at, galley, page.theme.quiet);
}

/// Describes the picture for screen readers. `status` lists the deviations from the usual
/// settings.
pub(super) fn describe_picture(frame: &ViewportFrame<'_>, status: &[String]) -> String {
    let derived = frame.derived;
    let state = &frame.document.state;
    let rig = &derived.rig;
    let chosen_vertex = format_vertex_position(derived, state.vertex)
        .map(|position| format!(" Vertex {} is at {position}.", state.vertex))
        .unwrap_or_default();
    let status = if status.is_empty() {
        String::new()
    } else {
        format!(" In force: {}.", status.join(", "))
    };
    let mut sentences = String::new();
    for sentence in frame.nothing_seen().as_deref().into_iter().chain(frame.notice()) {
        sentences.push(' ');
        sentences.push_str(sentence);
    }
    format!(
        "{}: {}, {} joints, {} vertices, stage {}.{chosen_vertex}{status}{sentences}",
        frame.cell.caption.as_ref().map_or_else(|| "Viewport".to_owned(), Text::words),
        rig.title,
        derived.joints(),
        number_text::grouped(rig.mesh.positions.len() as u32),
        state.stage.key(),
    )
}
