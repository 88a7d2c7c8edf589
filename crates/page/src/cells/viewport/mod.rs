//! The three-d view: a picture from the renderer, and over it joints, axes,
//! numbers and markers drawn by the page, so that they stay crisp and can be
//! clicked.

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
mod prediction_marks;
mod status_line;
mod steering;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use bindpose_lesson::{Setting, Show, Text, Values, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::scene::{Scalars, Scene};
use bindpose_notebook::viewport::{PictureMotion, ViewportFrame, leave_out_not_finite};
use bindpose_notebook::{Derived, Document, Edit, Entity, number_text};
use bindpose_skin::JointIndex;
use eframe::egui::{self, FontId, Painter, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::PageContext;
use crate::prose::{Face, line_ui};
use crate::theme::{CAPTION, SMALL, Theme};
use crate::widgets::{Emphasis, Tip as _};
use gizmo::{PictureGizmo, TurnHandles};
use labels::GridNumbers;
use nodes::vertex_place;
use overlay::Overlay;

pub(super) use brush_tool::paint_at_chosen;
pub(crate) use steering::{camera, hold, steer};

pub(super) use hover_controls::{ui as hover_controls, view_moved_ui};
pub(super) use legend::{Legend, paint_color_scale};

pub(super) use prediction_marks::OpenQuestion;
pub(super) use status_line::{without_weights, words as status};

/// Between two frames that say how far weights are worked out.
const PROGRESS: Duration = Duration::from_millis(100);

/// A picture without words has a legend from this height on.
const LEGEND_FROM: f32 = 180.0;
/// Least height of a viewport, in points.
const LEAST_HEIGHT: f32 = 110.0;

/// Shows the viewport in the width that is left and the height that is given.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &ViewportCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let caption = if cell.caption.is_some() { 24.0 } else { 0.0 };
    let height = (height - caption).max(LEAST_HEIGHT);
    uncaptioned_ui(ui, cell, id, page, height);
    if let Some(caption) = &cell.caption {
        ui.add_space(-4.0);
        let face = Face::of_text(CAPTION, Emphasis::Quiet, page.theme);
        line_ui(ui, caption, face, page);
    }
}

/// The picture in the width that is left.
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
    if page.view.pictures.unnamed {
        status.clear();
    }
    response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, describe(&frame, &status)));
    if !ui.is_rect_visible(rect) || rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }

    // What is said is said of the page as it is, whatever moves.
    let legend = Legend::new(ui.painter(), page.theme, &frame, rect.size());
    let said = ViewportWords {
        // Where a picture stands without words, they do not cover it either.
        legend: legend.filter(|_| !page.view.pictures.unnamed || rect.height() > LEGEND_FROM),
        status: status_line::fitting(status, rect),
        derived: page.derived,
    };
    if let Some((document, derived)) = in_between(ui, page) {
        let mut page = page.with(&document, &derived);
        picture_ui(ui, (cell, id), (rect, &response), said, &mut page);
    } else {
        picture_ui(ui, (cell, id), (rect, &response), said, page);
    }
}

/// What pictures show while they go to where the page is; asks for the next frame.
/// Absent where none go, and where the system or the reader asks for less motion.
fn in_between(ui: &Ui, page: &mut PageContext<'_>) -> Option<(Document, Derived)> {
    let now_secs = ui.input(|input| input.time);
    let (document, derived) = (page.document, page.derived);
    let transition = page.view.playing.transition.as_mut()?;
    let wanted = ui.style().animation_time > 0.0 && !page.view.pictures.waits;
    if !wanted || transition.is_over(document, now_secs) {
        page.view.playing.transition = None;
        return None;
    }
    let between = transition.at(document, derived, page.lesson, now_secs);
    if between.is_some() {
        ui.ctx().request_repaint();
    }
    between
}

/// What stands in a picture and beside it in words.
struct ViewportWords<'a> {
    legend: Option<Legend>,
    status: Vec<String>,
    derived: &'a Derived,
}

/// The picture in its place, with all that is done to it.
fn picture_ui(
    ui: &mut Ui,
    (cell, id): (&ViewportCell, &str),
    (rect, response): (Rect, &egui::Response),
    said: ViewportWords<'_>,
    page: &mut PageContext<'_>,
) {
    let frame = page.viewport_frame(cell);
    let covered = said.legend.as_ref().map(Legend::covers);
    let mut state = camera(&frame, id, page, rect.size(), covered);
    gizmo::hold_still(id, &mut state.camera, page);
    let question = OpenQuestion::on_page(page);
    let brush = brush_tool::is_held(page);
    let paints = brush && brush_tool::steer(ui, response, (rect, id), &state.camera, &frame, page);
    // A brush has the pointer to itself.
    let gizmo = (!brush).then(|| PictureGizmo::new(page, &state.camera, rect)).flatten();
    let posed = gizmo.as_ref().map(|gizmo| gizmo.drag(ui, (id, response), page));
    // Where a guess is asked for, a drag places it.
    let turns = !brush && question.is_none();
    let handles = turns.then(|| TurnHandles::new(page, (&state.camera, rect)));
    let turned = turns && posed != Some(true) && {
        let begins = response.drag_started_by(egui::PointerButton::Primary);
        let from = ui.input(|input| input.pointer.press_origin()).filter(|_| begins);
        let on = from.and_then(|from| {
            let overlay = Overlay::new(page, &state.camera, rect, frame.show, &[]);
            gizmo::taken_joint(ui, from, &overlay, (&frame, &state.camera), handles.as_ref())
        });
        gizmo::drag_badge(ui, (id, response), (&state.camera, rect), on, page)
    };
    if posed != Some(true) && !turned && !paints {
        steer(ui, response, rect, &mut state, question.as_ref(), page);
    }
    let picture = ViewportPicture {
        id,
        frame: &frame,
        camera: &state.camera,
        rect,
        response,
        legend: said.legend,
        status: said.status,
        said_of: said.derived,
        question: question.as_ref(),
        gizmo: gizmo.as_ref(),
        handles: handles.as_ref(),
        scalars: None,
        brush,
    };
    picture.paint(ui, page);
    if let Some(words) = frame.nothing_seen().filter(|_| !page.view.pictures.still) {
        status_line::way_to_doctor(ui, rect, &words, page);
    }
    hover_controls::ui(ui, rect, response, &mut state, &frame, page);
    hover_controls::view_moved_ui(ui, rect, &mut state, page);
    hold(id, state, page);
}

/// Joints and bones over a picture that is seen with this camera.
pub(crate) fn paint_joints(painter: &Painter, camera: &Camera, rect: Rect, page: &PageContext<'_>) {
    let overlay = Overlay::new(page, camera, rect, &[Show::Joints], &[]);
    overlay.paint(painter, page, &GridNumbers::default());
}

/// One picture with everything over it. The page it is painted with has the
/// document of its frame.
pub(super) struct ViewportPicture<'a> {
    /// Tells pictures apart.
    pub(super) id: &'a str,
    /// What it shows.
    pub(super) frame: &'a ViewportFrame<'a>,
    /// Where it is seen from.
    pub(super) camera: &'a Camera,
    /// Where it stands on the page.
    pub(super) rect: Rect,
    /// What the pointer does there.
    pub(super) response: &'a egui::Response,
    /// What its colours mean, where that has to be said.
    pub(super) legend: Option<Legend>,
    /// What is not as usual; empty where something beside the picture says it.
    pub(super) status: Vec<String>,
    /// What the words for its marks are about.
    pub(super) said_of: &'a Derived,
    /// What a click answers.
    pub(super) question: Option<&'a OpenQuestion>,
    /// What poses the chosen joint, where that is shown.
    pub(super) gizmo: Option<&'a PictureGizmo>,
    /// What of the figure can be taken to turn it; absent where badges turn no joint.
    pub(super) handles: Option<&'a TurnHandles>,
    /// Numbers that colour the surface instead of the tint.
    pub(super) scalars: Option<Arc<Scalars>>,
    /// Does the brush paint here?
    pub(super) brush: bool,
}

impl ViewportPicture<'_> {
    /// The vertex of the surface that was clicked.
    fn picked_vertex(&self, response: &egui::Response) -> Option<u32> {
        let at = response.interact_pointer_pos()?;
        self.frame.vertex_at(self.camera, gizmo::in_picture(at, self.rect))
    }

    /// Nothing marked was clicked, but the surface itself.
    fn clicked_surface(&self, ui: &Ui, page: &mut PageContext<'_>) {
        let response = self.response;
        if self.brush {
            brush_tool::click(ui, response, self.rect, self.camera, self.frame, page);
        } else if self.question.is_none() {
            let picked = self.picked_vertex(response);
            page.edits.extend(picked.map(|vertex| Edit::set(Setting::Vertex(vertex))));
        }
    }

    /// Clear of the legend in the lower left corner and of words in the upper one.
    fn grid_numbers(&self, painter: &egui::Painter, theme: &Theme) -> GridNumbers {
        let rect = self.rect;
        let legend = self.legend.as_ref().map_or(egui::Vec2::ZERO, Legend::covers);
        let lines = usize::from(!self.status.is_empty()) + usize::from(self.question.is_some());
        let words = vec2(rect.width(), 42.0 * lines as f32);
        let covered = [
            Rect::from_min_max(
                rect.left_bottom() - vec2(0.0, legend.y),
                rect.left_bottom() + vec2(legend.x, 0.0),
            ),
            Rect::from_min_size(rect.min, words),
        ];
        let covered: Vec<Rect> = covered.into_iter().filter(Rect::is_positive).collect();
        GridNumbers::new(painter, theme, self.frame, self.camera, (rect, &covered))
    }

    /// Lets the surface go the way that a switch sends it; true while it does.
    fn moved(&self, ui: &Ui, page: &mut PageContext<'_>, scene: &mut Scene) -> bool {
        let (now_secs, is_held) = ui.input(|input| (input.time, input.pointer.any_down()));
        // Where the system or the reader asks for less motion, there is none.
        let wanted = ui.style().animation_time > 0.0 && !page.view.pictures.waits;
        let motion = page.state::<PictureMotion>(self.id);
        let moves = motion.show(scene, self.frame.document, now_secs, wanted && !is_held);
        if moves {
            ui.ctx().request_repaint();
        }
        moves
    }

    /// Lights what is under the pointer, and chooses it on a click.
    fn point_at(
        &self,
        ui: &Ui,
        painter: &egui::Painter,
        overlay: &Overlay<'_>,
        page: &mut PageContext<'_>,
    ) {
        let (response, question) = (self.response, self.question);
        let place = (self.camera, self.rect);
        let held = (self.id, self.camera, self.rect);
        if let Some(joint) = gizmo::paint_held_badge(ui, painter, held, page) {
            self.paint_handles(painter, page, Some(joint));
            return;
        }
        // A finger that was lifted is nowhere, but it has clicked.
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let reach = gizmo::reach(ui);
        let on_gizmo = self.gizmo.is_some_and(|gizmo| gizmo.is_under(ui, pointer));
        let free = pointer.filter(|_| !on_gizmo);
        let under = free.and_then(|at| overlay.pick(at, reach));
        let seen_from = (self.frame, self.camera);
        // While the view is turned, nothing is about to be taken.
        let taken = free
            .filter(|_| !response.dragged())
            .and_then(|at| gizmo::taken_joint(ui, at, overlay, seen_from, self.handles));
        let focused = self.handles.and_then(|handles| handles.keys(ui, (self.id, self.rect), page));
        self.paint_handles(painter, page, taken.or(focused));
        if let Some(entity) = under {
            page.linked.hover(entity);
            // While a guess is asked for, a click places it.
            let is_turned = match entity {
                Entity::Joint(joint) => {
                    self.handles.is_some() && gizmo::TurnedBadge::new(page, place, joint).is_some()
                }
                _ => taken.is_some(),
            };
            let cursor = match (question, is_turned) {
                (Some(_), _) => None,
                (None, true) => Some(egui::CursorIcon::Grab),
                (None, false) => Some(egui::CursorIcon::PointingHand),
            };
            if let Some(cursor) = cursor {
                ui.ctx().set_cursor_icon(cursor);
            }
            if question.is_none() && response.clicked() {
                page.choose_entity(entity);
            }
            let is_joint = matches!(entity, Entity::Joint(_));
            let hint = (is_turned && is_joint).then_some(gizmo::BADGE_HINT);
            overlay.paint_name(painter, page, entity, hint);
        } else {
            if taken.is_some() {
                ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
            }
            if !on_gizmo && response.clicked() {
                self.clicked_surface(ui, page);
            }
        }
    }

    /// What can be taken, where the picture is for a reader who can take it.
    fn paint_handles(&self, painter: &Painter, page: &PageContext<'_>, lit: Option<JointIndex>) {
        if let Some(handles) = self.handles.filter(|_| !page.view.pictures.still) {
            handles.paint(painter, page.theme, lit);
        }
    }

    /// Paints it, lights what is under the pointer, and chooses it on a click.
    pub(super) fn paint(self, ui: &Ui, page: &mut PageContext<'_>) {
        let (frame, rect, response, question) =
            (self.frame, self.rect, self.response, self.question);
        let pixels_per_point = ui.ctx().pixels_per_point();
        let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
        let size = [pixels(rect.width()), pixels(rect.height())];
        let mut scene = frame.scene(self.camera, size, page.theme.scene);
        if let Some(scalars) = &self.scalars {
            scene.tint_most = scalars.most;
            scene.scalars = Some(Arc::clone(scalars));
        }
        if frame.shows(Show::Mesh)
            && let Some(ghost) =
                page.view.mended.ghost(page.lesson, page.document, &page.derived.stored_rig)
        {
            scene.rest_ghost = Some(ghost);
        }
        leave_out_not_finite(&mut scene);
        let moves = self.moved(ui, page, &mut scene);
        if frame.derived.awaits_weights() {
            ui.ctx().request_repaint_after(PROGRESS);
        }
        let painter = ui.painter_at(rect);
        match page.viewports.shape(self.id, rect, scene) {
            Ok(shape) => {
                painter.add(shape);
            }
            Err(missing) => no_picture_ui(ui, rect, page, &missing),
        }
        // Marks of vertices stand where they will be: they wait for the surface.
        let of_vertices =
            [Show::Vertices, Show::VertexNumbers, Show::VertexNormal, Show::Microscope];
        let with_vertices = |show: &Show| !of_vertices.contains(show);
        let still: Vec<Show>;
        let show = if moves {
            still = frame.show.iter().copied().filter(with_vertices).collect();
            &still
        } else {
            frame.show
        };
        // They too wait for the surface.
        let rings: &[[u32; 2]] = if moves { &[] } else { &frame.cell.rings };
        let overlay = Overlay::new(page, self.camera, rect, show, rings);
        let numbers = self.grid_numbers(&painter, page.theme);
        numbers.paint(&painter, page.theme);
        overlay.paint(&painter, page, &numbers);
        if let Some(question) = question.filter(|_| !page.view.pictures.still) {
            let below = !self.status.is_empty();
            question.say(&painter, rect, page.theme, below);
        }
        self.point_at(ui, &painter, &overlay, page);
        if let Some(gizmo) = self.gizmo {
            let focused = gizmo.keys(ui, self.id, page);
            gizmo.paint(ui, &painter, (self.id, focused), page);
        }
        nodes::ui(ui, (self.id, rect), &overlay, self.said_of, page);
        status_line::paint(&painter, rect, page.theme, &self.status);
        let below = usize::from(!self.status.is_empty()) + usize::from(question.is_some());
        if self.brush {
            brush_tool::show(&painter, (rect, self.id), below, page);
        }
        if let Some(legend) = &self.legend {
            legend.paint(&painter, rect, page.theme, self.camera);
        }
        if let Some(words) = frame.nothing_seen() {
            status_line::paint_nothing_seen(&painter, rect, page.theme, &words);
        }
        if let Some(words) = frame.notice() {
            let above = usize::from(!self.status.is_empty()) + usize::from(question.is_some());
            if status_line::paint_notice(&painter, rect, page.theme, words, above) {
                response.clone().tip(words);
            }
        }
        // The picture is square at its corners; the page is not.
        painter.rect_stroke(rect, 8.0, Stroke::new(4.0, page.theme.paper), StrokeKind::Outside);
        let edge = if response.has_focus() { page.theme.accent } else { page.theme.rule };
        ui.painter().rect_stroke(rect, 8.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    }
}

/// In the place of a picture that cannot be drawn: why.
fn no_picture_ui(ui: &Ui, rect: Rect, page: &PageContext<'_>, missing: &str) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 8.0, page.theme.panel);
    let galley = painter.layout(
        missing.to_owned(),
        FontId::proportional(SMALL),
        page.theme.quiet,
        (rect.width() - 32.0).max(40.0),
    );
    let at = rect.left_bottom() + vec2(16.0, -16.0 - galley.size().y);
    painter.galley(at, galley, page.theme.quiet);
}

/// What the picture shows, for those who cannot see it; `status` is what is not as
/// usual.
pub(super) fn describe(frame: &ViewportFrame<'_>, status: &[String]) -> String {
    let (derived, state) = (frame.derived, &frame.document.state);
    let rig = &derived.rig;
    let chosen = vertex_place(derived, state.vertex)
        .map(|place| format!(" Vertex {} is at {place}.", state.vertex))
        .unwrap_or_default();
    let status = match status {
        [] => String::new(),
        words => format!(" In force: {}.", words.join(", ")),
    };
    let nothing = frame.nothing_seen();
    let sentences = nothing.as_deref().into_iter().chain(frame.notice());
    let sentences: String = sentences.flat_map(|words| [" ", words]).collect();
    format!(
        "{}: {}, {} joints, {} vertices, stage {}.{chosen}{status}{sentences}",
        frame.cell.caption.as_ref().map_or_else(|| "Viewport".to_owned(), Text::words),
        rig.title,
        derived.joints(),
        number_text::grouped(rig.mesh.positions.len() as u32),
        state.stage.key(),
    )
}
