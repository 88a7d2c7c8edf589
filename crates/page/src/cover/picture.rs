//! The picture of the cover: a whale that swims, shows the influences of the vertex under
//! the pointer, and can be pulled by its parts.

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::{Arrows, PaintText as _, keep_arrows};
use bindpose_lesson::{CellKind, DataEdit, Setting, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::posing::ChainReach;
use bindpose_notebook::scene::SceneColors;
use bindpose_notebook::viewport::{ViewportFrame, hit_at};
use bindpose_notebook::{Edit, Entity, OWN_RIG};
use bindpose_skin::JointIndex;
use eframe::egui::{
    self, CursorIcon, Key, Painter, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui,
    WidgetInfo, vec2,
};
use glam::{Quat, Vec2, Vec3};

use crate::PageContext;
use crate::cells::viewport::{current_camera, handle_camera_input, paint_joints, store_camera};
use crate::reader_presence::{ReaderPresence, request_frame};
use crate::scene_colors::{scene_colors, srgb_bytes};

/// Duration of the return of a released part to the clip's pose.
const RELEASE_DURATION_SECS: f64 = 0.8;
/// Minimum weight of a joint whose influence is drawn.
const MIN_DRAWN_WEIGHT: f32 = 0.02;
/// Number of joints that bend when a part is pulled.
const CHAIN_LENGTH: usize = 3;
/// Maximum distance between a press and a vertex that it grabs, in points.
const GRAB_DISTANCE: f32 = 40.0;
/// Maximum distance to the hint, in points, at which the whale waits for the pointer, and a
/// press that grabs nothing does not turn the camera.
const MAX_HINT_DISTANCE: f32 = 100.0;
/// Height of the hint above the tail, in points.
const HINT_HEIGHT: f32 = 64.0;
/// Distance that an arrow key pulls, in points.
const KEY_PULL_DISTANCE: f32 = 28.0;
/// Time that the tail stays pulled after an arrow key.
const KEY_PULL_SECS: f64 = 1.5;
const PICTURE_ID: &str = "whale";

/// State of the picture that is kept between frames.
#[derive(Default)]
pub(super) struct WhalePicture {
    /// Part under a press that is not a drag yet.
    pressed: Option<HeldPart>,
    /// Set while the primary button is held after a press that missed the tail.
    has_missed_tail: bool,
    held: Option<HeldPart>,
    key_pull: Option<KeyPull>,
    released: Option<ReleasedPart>,
    /// Set when the reader has pulled a part.
    was_pulled: bool,
    reader: ReaderPresence,
}

/// A part that is being pulled.
struct HeldPart {
    chain: ChainReach,
    /// Position at which the part was grabbed.
    grabbed_in_world: Vec3,
    /// From the press to this position, on the screen.
    press_offset: egui::Vec2,
    /// Position of the pointer to which the part was pulled last.
    pulled_to: Option<Pos2>,
}

/// The tail while arrow keys pull it. Positions are on the screen.
struct KeyPull {
    from: Pos2,
    to: Pos2,
    until_secs: f64,
}

/// Joints that return to the clip's pose.
struct ReleasedPart {
    rotations: Vec<(JointIndex, Quat)>,
    released_secs: f64,
}

impl WhalePicture {
    /// Draws the picture in `rect`, with the joints if `shows_joints` is true.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        shows_joints: bool,
        page: &mut PageContext<'_>,
    ) {
        let Some(cell) = find_viewport(page) else { return };
        let response = ui.interact(rect, ui.scope_id().with(PICTURE_ID), Sense::click_and_drag());
        let is_whale = page.lesson.rig != OWN_RIG;
        let name = if is_whale {
            "A whale that swims. Drag a fin, the tail or the jaw to pull it; arrow keys pull \
             the tail."
        } else {
            "Your model in motion. Drag a part to pull it."
        };
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, name));
        let frame = page.viewport_frame(cell);
        let mut state = current_camera(&frame, PICTURE_ID, page, rect.size(), None);
        let picture = PictureFrame { frame: &frame, camera: state.camera, rect };
        if !self.pull_by_keys(ui, &response, &picture, page) {
            self.pull_by_pointer(ui, &response, &picture, page);
        }
        if self.held.is_none() && !self.has_missed_tail {
            handle_camera_input(ui, &response, rect, &mut state, None, page);
        }
        let picture = PictureFrame { camera: state.camera, ..picture };
        let waits = response.is_pointer_button_down_on()
            || response
                .hover_pos()
                .is_some_and(|pointer| self.is_near_hint(pointer, &picture, page));
        self.advance_time(ui, waits, page);
        let painter = ui.painter_at(rect);
        if let Err(message) = paint_surface(ui, &painter, &picture, page) {
            painter.text_centered(
                rect.center_bottom() - vec2(0.0, 24.0),
                &message,
                egui::FontId::proportional(SMALL_SIZE),
                page.theme.quiet,
            );
        }
        if shows_joints {
            paint_joints(&painter, &state.camera, rect, page);
            self.paint_influences(&painter, &response, &picture, page);
        } else if is_whale && !self.was_pulled && ui.style().animation_time > 0.0 {
            // Without animations the picture is a still, which cannot be pulled.
            paint_hint(&painter, &picture, page);
        }
        store_camera(PICTURE_ID, state, page);
    }

    /// Returns true if a position is near the hint, which stands at the tail until a part has
    /// been pulled.
    fn is_near_hint(
        &self,
        screen: Pos2,
        picture: &PictureFrame<'_>,
        page: &PageContext<'_>,
    ) -> bool {
        !self.was_pulled
            && picture
                .tail_position(page)
                .is_some_and(|tail| tail.distance(screen) < MAX_HINT_DISTANCE)
    }

    /// Advances the clip by one frame while the reader is present and the whale does not wait
    /// for the pointer.
    fn advance_time(&mut self, ui: &Ui, waits: bool, page: &mut PageContext<'_>) {
        let now_secs = ui.input(|input| input.time);
        let is_reader_present = self.reader.is_there(ui);
        let is_still = ui.style().animation_time == 0.0 || page.view.pictures.is_still;
        if ui.ctx().current_pass_index() > 0 {
            return;
        }
        self.return_released_part(ui, if is_still { f64::INFINITY } else { now_secs }, page);
        if is_still || waits || !is_reader_present || self.held.is_some() {
            return;
        }
        let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(0.1);
        let (time_secs, _) = page.document.played_on(&page.derived.rig, dt_secs);
        page.requests.edits.push(Edit::PlayTo { time_secs, begins: false });
        request_frame(ui, page.limits);
    }

    /// Rotates the joints of a released part back towards the clip's pose.
    fn return_released_part(&mut self, ui: &Ui, now_secs: f64, page: &mut PageContext<'_>) {
        let Some(part) = &self.released else { return };
        let elapsed_secs = now_secs - part.released_secs;
        let progress = (elapsed_secs / RELEASE_DURATION_SECS).clamp(0.0, 1.0) as f32;
        let eased = 1.0 - (1.0 - progress).powi(3);
        let mut settings = Vec::new();
        for &(joint, rotation) in &part.rotations {
            let rotation = rotation.slerp(Quat::IDENTITY, eased);
            settings.push(Setting::Data(DataEdit::Turn(joint.into(), rotation.to_array())));
        }
        page.requests.edits.push(Edit::Settings(settings));
        ui.ctx().request_repaint();
        if progress >= 1.0 {
            self.released = None;
        }
    }

    /// Pulls a part if a press was on one that bends. Other drags turn the camera.
    fn pull_by_pointer(
        &mut self,
        ui: &Ui,
        response: &Response,
        picture: &PictureFrame<'_>,
        page: &mut PageContext<'_>,
    ) {
        let (is_pressed, is_down, pointer) = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.primary_pressed(), pointer.primary_down(), pointer.press_origin())
        });
        if is_pressed
            && response.is_pointer_button_down_on()
            && let Some(pointer) = pointer
        {
            // Compared now: when the drag begins, the pointer has moved.
            self.pressed = picture.grab_part(pointer, page);
            self.has_missed_tail =
                self.pressed.is_none() && self.is_near_hint(pointer, picture, page);
        }
        if response.drag_started_by(PointerButton::Primary) {
            self.held = self.pressed.take();
            self.was_pulled |= self.held.is_some();
        }
        if !is_down {
            self.pressed = None;
            self.has_missed_tail = false;
        }
        let is_multi_touch = ui.input(|input| input.multi_touch().is_some());
        if is_multi_touch || !response.dragged_by(PointerButton::Primary) {
            if self.held.take().is_some() {
                self.released = Some(ReleasedPart::new(page, ui.input(|input| input.time)));
            }
            if let Some(pointer) = response.hover_pos()
                && picture.grab_part(pointer, page).is_some()
            {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
            return;
        }
        if let Some(held) = &mut self.held
            && let Some(pointer) = response.interact_pointer_pos()
        {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            if held.pulled_to.replace(pointer) == Some(pointer) {
                return;
            }
            let target = picture.unproject(pointer + held.press_offset, held.grabbed_in_world);
            page.requests.edits.push(Edit::Settings(held.chain.reach(target.as_dvec3())));
            self.released = None;
        }
    }

    /// Pulls the tail by arrow keys while the picture has the focus. Returns true while the
    /// tail is pulled.
    fn pull_by_keys(
        &mut self,
        ui: &Ui,
        response: &Response,
        picture: &PictureFrame<'_>,
        page: &mut PageContext<'_>,
    ) -> bool {
        let now_secs = ui.input(|input| input.time);
        if response.has_focus() {
            keep_arrows(ui, response.id, Arrows::All);
            let direction = ui.input(pressed_arrows);
            if direction != egui::Vec2::ZERO {
                if self.key_pull.is_none()
                    && let Some(tail) = picture.tail_position(page)
                {
                    self.held = picture.grab_part(tail, page);
                    self.key_pull = Some(KeyPull { from: tail, to: tail, until_secs: now_secs });
                }
                if let Some(held) = &self.held
                    && let Some(pull) = &mut self.key_pull
                {
                    let max_offset = egui::Vec2::splat(0.4 * picture.rect.size().min_elem());
                    let offset = pull.to - pull.from + direction * KEY_PULL_DISTANCE;
                    pull.to = pull.from + offset.clamp(-max_offset, max_offset);
                    pull.until_secs = now_secs + KEY_PULL_SECS;
                    let target = picture.unproject(pull.to, held.grabbed_in_world).as_dvec3();
                    page.requests.edits.push(Edit::Settings(held.chain.reach(target)));
                    self.released = None;
                    self.was_pulled = true;
                }
            }
        }
        let Some(pull) = &self.key_pull else { return false };
        let left_secs = pull.until_secs - now_secs;
        if left_secs > 0.0 && response.has_focus() {
            ui.ctx().request_repaint_after_secs(left_secs as f32);
            return true;
        }
        self.key_pull = None;
        if self.held.take().is_some() {
            self.released = Some(ReleasedPart::new(page, now_secs));
        }
        false
    }

    /// Draws lines from the vertex under the pointer to where each of its joints alone would
    /// move it.
    fn paint_influences(
        &self,
        painter: &Painter,
        response: &Response,
        picture: &PictureFrame<'_>,
        page: &mut PageContext<'_>,
    ) {
        if self.held.is_some() {
            return;
        }
        let Some(pointer) = response.hover_pos() else { return };
        let Some((vertex, position_in_world)) = picture.vertex_at(pointer) else { return };
        let derived = page.derived;
        let stored = derived.rig.mesh.positions.get(vertex).copied().unwrap_or_default();
        let Some(influences) = derived.influences.get(vertex) else { return };
        let Some(blended) = picture.project(position_in_world) else { return };
        for (_, joint, weight) in influences.used() {
            if weight <= MIN_DRAWN_WEIGHT {
                continue;
            }
            page.linked.hover(Entity::Joint(joint));
            let Some(matrix) = derived.palette.get(joint.index()) else { continue };
            let Some(moved) = picture.project(matrix.transform_point3(stored)) else { continue };
            let color = page.theme.joint(joint);
            painter.line_segment([blended, moved], Stroke::new(1.0 + 3.0 * weight, color));
            painter.circle(moved, 4.0, color, Stroke::new(1.5, page.theme.paper));
        }
        painter.circle(blended, 5.0, page.theme.paper, Stroke::new(2.0, page.theme.ink));
    }
}

impl ReleasedPart {
    fn new(page: &PageContext<'_>, released_secs: f64) -> Self {
        let joint_moves = &page.document.state.joint_moves;
        let rotations = joint_moves.iter().map(|(joint, moved)| (*joint, moved.rotation)).collect();
        Self { rotations, released_secs }
    }
}

/// The picture in one frame.
#[derive(Clone, Copy)]
struct PictureFrame<'a> {
    frame: &'a ViewportFrame<'a>,
    camera: Camera,
    rect: Rect,
}

impl PictureFrame<'_> {
    fn size(&self) -> Vec2 {
        Vec2::new(self.rect.width(), self.rect.height())
    }

    /// Returns a screen position relative to the picture's upper left corner.
    fn position_in_picture(&self, screen: Pos2) -> Vec2 {
        Vec2::new(screen.x - self.rect.left(), screen.y - self.rect.top())
    }

    /// Returns the screen position of a point in world space.
    fn project(&self, in_world: Vec3) -> Option<Pos2> {
        let in_picture = self.camera.project(in_world, self.size())?;
        Some(self.rect.min + vec2(in_picture.x, in_picture.y))
    }

    /// Returns the vertex nearest to the surface point at a screen position, and its position
    /// in world space.
    fn vertex_at(&self, screen: Pos2) -> Option<(usize, Vec3)> {
        let derived = self.frame.derived;
        let positions = derived.positions();
        let triangles = &derived.rig.mesh.triangles;
        let pointer = self.position_in_picture(screen);
        let hit = hit_at(&self.camera, positions, triangles, pointer, self.size())?;
        let nearest = (0..3).max_by(|&a, &b| hit.shares[a].total_cmp(&hit.shares[b]))?;
        let vertex = hit.triangle[nearest] as usize;
        Some((vertex, *positions.get(vertex)?))
    }

    /// Returns the vertex whose projection is nearest to a screen position, and its position
    /// in world space.
    ///
    /// Makes it easy to grab the thin ends of the fins. Returns `None` if no vertex is
    /// within [`GRAB_DISTANCE`].
    fn nearest_vertex(&self, screen: Pos2) -> Option<(usize, Vec3)> {
        let mut min_distance = GRAB_DISTANCE;
        let mut nearest = None;
        for (vertex, &position) in self.frame.derived.positions().iter().enumerate() {
            let Some(projected) = self.project(position) else { continue };
            let distance = projected.distance(screen);
            if distance < min_distance {
                min_distance = distance;
                nearest = Some((vertex, position));
            }
        }
        nearest
    }

    /// Grabs the part at a screen position. Returns `None` if no part is there or no chain of
    /// joints moves it.
    fn grab_part(&self, screen: Pos2, page: &PageContext<'_>) -> Option<HeldPart> {
        let (vertex, grabbed_in_world) =
            self.vertex_at(screen).or_else(|| self.nearest_vertex(screen))?;
        let joint = page.derived.influences.get(vertex)?.strongest();
        let chain = ChainReach::new(
            (page.document, page.derived),
            joint,
            CHAIN_LENGTH,
            grabbed_in_world.as_dvec3(),
        )?;
        let press_offset = self.project(grabbed_in_world)? - screen;
        Some(HeldPart { chain, grabbed_in_world, press_offset, pulled_to: None })
    }

    /// Returns the screen position of the tail: of the rearmost vertex in the bind pose.
    fn tail_position(&self, page: &PageContext<'_>) -> Option<Pos2> {
        let stored = page.derived.rig.mesh.positions.iter().enumerate();
        let (vertex, _) = stored.min_by(|(_, a), (_, b)| a.z.total_cmp(&b.z))?;
        self.project(*page.derived.positions().get(vertex)?)
    }

    /// Returns the world position at a screen position that has the same depth as
    /// `depth_in_world`.
    fn unproject(&self, screen: Pos2, depth_in_world: Vec3) -> Vec3 {
        let ray = self.camera.ray(self.position_in_picture(screen), self.size());
        let forward = self.camera.forward();
        let distance = (depth_in_world - ray.origin).dot(forward) / ray.direction.dot(forward);
        if distance.is_finite() { ray.origin + ray.direction * distance } else { depth_in_world }
    }
}

/// Returns the viewport of the cover's page.
fn find_viewport<'a>(page: &PageContext<'a>) -> Option<&'a ViewportCell> {
    page.lesson.on_stage(page.document.step).find_map(|cell| match &cell.kind {
        CellKind::Viewport(cell) => Some(cell),
        _ => None,
    })
}

/// Returns the sum of the directions of the arrow keys pressed in this frame.
fn pressed_arrows(input: &egui::InputState) -> egui::Vec2 {
    let mut sum = egui::Vec2::ZERO;
    for (key, direction) in [
        (Key::ArrowRight, egui::Vec2::RIGHT),
        (Key::ArrowLeft, egui::Vec2::LEFT),
        (Key::ArrowDown, egui::Vec2::DOWN),
        (Key::ArrowUp, egui::Vec2::UP),
    ] {
        if input.key_pressed(key) {
            sum += direction;
        }
    }
    sum
}

/// Draws the model on the cover's background colour.
///
/// # Errors
/// Returns a message for the reader if nothing can be rendered.
fn paint_surface(
    ui: &Ui,
    painter: &Painter,
    picture: &PictureFrame<'_>,
    page: &mut PageContext<'_>,
) -> Result<(), String> {
    let background = srgb_bytes(page.theme.cover);
    let colors = SceneColors {
        background_top: background,
        background_bottom: background,
        ..scene_colors(page.theme)
    };
    let pixels_per_point = ui.ctx().pixels_per_point();
    let size_px = [picture.rect.width(), picture.rect.height()]
        .map(|points| (points * pixels_per_point).round().max(1.0) as u32);
    let scene = picture.frame.scene(&picture.camera, size_px, colors);
    painter.add(page.viewports.shape(PICTURE_ID, picture.rect, scene)?);
    Ok(())
}

/// Draws a hint at the tail, which invites the reader to pull it.
fn paint_hint(painter: &Painter, picture: &PictureFrame<'_>, page: &PageContext<'_>) {
    let Some(tail) = picture.tail_position(page) else { return };
    let accent = page.theme.accent;
    painter.circle_filled(tail, 12.0, accent.gamma_multiply(0.25));
    painter.circle_filled(tail, 5.0, accent);
    let text = painter.layout_no_wrap(
        "Take it by the tail.".to_owned(),
        egui::FontId::proportional(SMALL_SIZE + 1.0),
        accent,
    );
    // A tail that is out of sight keeps its hint in sight.
    let top =
        (tail.y - HINT_HEIGHT).min(picture.rect.bottom() - text.size().y).max(picture.rect.top());
    let left = (tail.x - text.size().x / 2.0)
        .min(picture.rect.right() - text.size().x)
        .max(picture.rect.left());
    let line = [egui::pos2(tail.x, top + text.size().y + 6.0), tail - vec2(0.0, 15.0)];
    painter.extend(egui::Shape::dashed_line(&line, Stroke::new(1.5, accent), 3.0, 4.0));
    painter.galley(egui::pos2(left, top), text, accent);
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use bindpose_lesson::LessonSet;
    use bindpose_notebook::step_document;
    use egui_kittest::Harness;

    use super::*;
    use crate::cells::testing::{Page, harness};
    use crate::cover::PAGE;
    use crate::reader_presence::PRESENCE_TIMEOUT_SECS;

    /// Creates a window with the whale, and a cell with the screen position of its tail.
    fn whale_harness(is_still: bool) -> (Harness<'static, Page>, Rc<Cell<Pos2>>) {
        let set = LessonSet::from_memory(&[("0-cover", PAGE, "")], "");
        assert_eq!(set.lessons[0].findings, []);
        let mut page = Page::new("whale");
        page.lesson(set.lessons[0].clone());
        page.document = step_document(&page.lesson, 0, Some(&page.rig));
        page.view.pictures.is_still = is_still;
        let picture = RefCell::new(WhalePicture::default());
        let tail: Rc<Cell<Pos2>> = Rc::default();
        let tail_of_frame = Rc::clone(&tail);
        let harness = harness(page, move |ui, page| {
            let rect = ui.max_rect();
            ui.style_mut().animation_time = 0.1;
            picture.borrow_mut().show(ui, rect, true, page);
            let Some(cell) = find_viewport(page) else { return };
            let frame = page.viewport_frame(cell);
            let camera = current_camera(&frame, PICTURE_ID, page, rect.size(), None).camera;
            let picture_frame = PictureFrame { frame: &frame, camera, rect };
            tail_of_frame.set(picture_frame.tail_position(page).unwrap_or_default());
        });
        (harness, tail)
    }

    #[test]
    fn swims_while_the_reader_is_present() {
        let (mut harness, _) = whale_harness(false);
        harness.run_steps(5);
        assert!(time_secs(&harness) > 0.0);
        harness.input_mut().focused = false;
        harness.run_steps(1);
        let before = time_secs(&harness);
        harness.run_steps(5);
        assert_eq!(time_secs(&harness), before, "it stops in a window without the focus");
        harness.input_mut().focused = true;
        let steps = (PRESENCE_TIMEOUT_SECS / f64::from(harness.input().predicted_dt)) as usize;
        harness.run_steps(steps + 5);
        let at_rest = time_secs(&harness);
        harness.run_steps(5);
        assert_eq!(time_secs(&harness), at_rest, "it rests");
        harness.hover_at(Pos2::new(5.0, 5.0));
        harness.run_steps(5);
        assert_ne!(time_secs(&harness), at_rest, "it continues");
    }

    #[test]
    fn waits_for_a_pointer_near_the_tail() {
        let (mut harness, tail) = whale_harness(false);
        harness.run_steps(5);
        harness.hover_at(tail.get() + vec2(0.0, -0.8 * MAX_HINT_DISTANCE));
        harness.run_steps(2);
        let waiting_at = time_secs(&harness);
        harness.run_steps(5);
        assert_eq!(time_secs(&harness), waiting_at);
        harness.hover_at(Pos2::new(5.0, 5.0));
        harness.run_steps(3);
        assert!(time_secs(&harness) > waiting_at, "it swims on");
    }

    #[test]
    fn part_that_is_held_still_causes_no_edits() {
        for x in 0..14_u8 {
            let (mut harness, _) = whale_harness(false);
            harness.run_steps(2);
            let from = Pos2::new(25.0 + 50.0 * f32::from(x), 200.0);
            harness.drag_at(from);
            harness.step();
            for step in 1..=5_u8 {
                harness.hover_at(from + vec2(4.0, 2.0) * f32::from(step));
                harness.step();
            }
            harness.run_steps(2);
            let edit_count = harness.state().edits.len();
            harness.run_steps(5);
            assert_eq!(harness.state().edits.len(), edit_count, "{from}");
        }
    }

    #[test]
    fn press_beside_the_tail_grabs_it_or_turns_nothing() {
        for (distance, is_grabbed) in [(0.9 * GRAB_DISTANCE, true), (2.0 * GRAB_DISTANCE, false)] {
            let (mut harness, tail) = whale_harness(true);
            harness.run();
            let before = tail.get();
            let outwards = (before - harness.ctx.content_rect().center()).normalized();
            let from = before + outwards * distance;
            harness.drag_at(from);
            harness.run();
            for step in 1..=6 {
                harness.hover_at(from + vec2(0.0, -10.0 * step as f32));
                harness.run();
            }
            let moved = tail.get().distance(before);
            assert_eq!(moved > 20.0, is_grabbed, "{moved} after a press at {distance}");
            assert!(is_grabbed || moved < 0.5, "{moved}");
        }
    }

    fn time_secs(harness: &Harness<'_, Page>) -> f64 {
        harness.state().document.time_secs()
    }

    #[test]
    fn draws_pictures_of_any_size() {
        let mut page = Page::new("whale");
        let set = LessonSet::from_memory(&[("0-cover", PAGE, "")], "");
        page.lesson(set.lessons[0].clone());
        let mut harness = harness(page, |ui, page| {
            ui.style_mut().animation_time = 0.1;
            for size in [vec2(60.0, 400.0), vec2(0.0, 0.0), vec2(400.0, 3.0)] {
                let rect = Rect::from_min_size(ui.max_rect().min, size);
                ui.push_id(size.x as i32, |ui| {
                    WhalePicture::default().show(ui, rect, false, page);
                });
            }
        });
        harness.run_steps(3);
    }

    #[test]
    fn arrow_keys_pull_and_release_the_tail() {
        let (mut harness, tail) = whale_harness(true);
        harness.run();
        let from = tail.get();
        harness.key_press(Key::Tab);
        harness.run_steps(2);
        harness.key_press(Key::ArrowUp);
        harness.run_steps(2);
        let up = from.y - tail.get().y;
        assert!(up > 10.0, "{up}");
        harness.run_steps(200);
        let missed = tail.get().distance(from);
        assert!(missed < 0.5, "{missed}");
    }

    #[test]
    fn still_whale_can_be_pulled_and_returns() {
        let (mut harness, tail) = whale_harness(true);
        harness.run();
        let before = harness.state().document.clone();
        let from = tail.get();
        harness.drag_at(from);
        harness.run();
        let to = from + vec2(-30.0, -60.0);
        for step in 1..=6 {
            harness.hover_at(from + (to - from) * (step as f32 / 6.0));
            harness.run();
        }
        let missed = tail.get().distance(to);
        assert!(missed < 25.0, "{missed} of {}", from.distance(to));
        assert_eq!(harness.state().document.time_secs(), before.time_secs());
        harness.drop_at(to);
        harness.run();
        let missed = tail.get().distance(from);
        assert!(missed < 0.5, "{missed}");
    }
}
