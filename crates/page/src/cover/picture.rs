//! The whale of the cover: it swims, shows what each of its points follows, and comes
//! along when it is taken by a part.

use bindpose_lesson::{CellKind, DataEdit, Setting, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::posing::ChainReach;
use bindpose_notebook::viewport::{ViewportFrame, hit_at};
use bindpose_notebook::{Edit, Entity, OWN_RIG};
use bindpose_skin::JointIndex;
use eframe::egui::{
    self, CursorIcon, Key, Painter, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui,
    WidgetInfo, vec2,
};
use glam::{Quat, Vec2, Vec3};

use crate::PageContext;
use crate::cells::viewport::{camera, hold, paint_joints, steer};
use crate::reader_presence::{ReaderPresence, request_frame};
use crate::theme::SMALL;
use crate::widgets::{Arrows, PaintText as _, keep_arrows};

/// From where a part was pulled to where it swims again, in seconds.
const LETS_GO_SECS: f64 = 0.8;
/// Proposals of joints with less weight are not drawn.
const LEAST_WEIGHT: f32 = 0.02;
/// So many joints bend when a part is pulled.
const CHAIN: usize = 3;
/// A press so near the surface, in points, takes it.
const NEAR: f32 = 14.0;
/// The invitation is so far above what it speaks of, in points.
const INVITATION_ABOVE: f32 = 64.0;
/// An arrow key pulls so far, in points, and holds for so long, in seconds.
const KEY_PULL: (f32, f64) = (28.0, 1.5);
/// The name of the picture.
const ID: &str = "whale";

/// What the picture keeps from frame to frame.
#[derive(Default)]
pub(super) struct WhalePicture {
    held: Option<HeldPart>,
    by_keys: Option<KeyPull>,
    released: Option<ReleasedPart>,
    /// Has the reader pulled it yet?
    was_pulled: bool,
    reader: ReaderPresence,
}

/// A part under the pointer, as it was when it was taken.
struct HeldPart {
    chain: ChainReach,
    /// Where it was taken, in world space.
    from_in_world: Vec3,
}

/// The tail, pulled by arrow keys.
struct KeyPull {
    /// Where on the screen it was taken, and where it is pulled to.
    from: Pos2,
    to: Pos2,
    until_secs: f64,
}

/// Joints that go back to where the clip has them.
struct ReleasedPart {
    turns: Vec<(JointIndex, Quat)>,
    since_secs: f64,
}

impl WhalePicture {
    /// Shows it in `rect`, with its joints where they are asked for.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        joints: bool,
        page: &mut PageContext<'_>,
    ) {
        let Some(cell) = picture_of(page) else { return };
        let response = ui.interact(rect, ui.scope_id().with(ID), Sense::click_and_drag());
        let is_whale = page.lesson.rig != OWN_RIG;
        let words = if is_whale {
            "A whale that swims. Drag a fin, the tail or the jaw to pull it; arrow keys pull \
             the tail."
        } else {
            "Your model in motion. Drag a part to pull it."
        };
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, words));
        let frame = page.viewport_frame(cell);
        let mut state = camera(&frame, ID, page, rect.size(), None);
        let seen = SeenPicture { frame: &frame, camera: state.camera, rect };
        if !self.pull_by_keys(ui, &response, &seen, page) {
            self.pull(ui, &response, &seen, page);
        }
        if self.held.is_none() {
            steer(ui, &response, rect, &mut state, None, page);
        }
        let seen = SeenPicture { camera: state.camera, ..seen };
        self.swim(ui, page);
        let painter = ui.painter_at(rect);
        if let Err(missing) = paint_surface(ui, &painter, &seen, page) {
            let at = rect.center_bottom() - vec2(0.0, 24.0);
            painter.text_centered(
                at,
                &missing,
                egui::FontId::proportional(SMALL),
                page.theme.quiet,
            );
        }
        if joints {
            paint_joints(&painter, &state.camera, rect, page);
            self.threads(&painter, &response, &seen, page);
        } else if is_whale && !self.was_pulled && ui.style().animation_time > 0.0 {
            // A still of the cover has nothing to take.
            invitation(&painter, &seen, page);
        }
        hold(ID, state, page);
    }

    /// Moves time on, while somebody may be looking.
    fn swim(&mut self, ui: &Ui, page: &mut PageContext<'_>) {
        let now_secs = ui.input(|input| input.time);
        let awake = self.reader.is_there(ui);
        let is_still = ui.style().animation_time == 0.0 || page.view.pictures.still;
        if ui.ctx().current_pass_index() > 0 {
            return;
        }
        self.go_back(ui, if is_still { f64::INFINITY } else { now_secs }, page);
        if is_still || !awake || self.held.is_some() {
            return;
        }
        let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(0.1);
        let (time_secs, _) = page.document.played_on(&page.derived.rig, dt_secs);
        page.edits.push(Edit::PlayTo { time_secs, begins: false });
        request_frame(ui, page.limits);
    }

    /// What was pulled comes back to where the clip has it.
    fn go_back(&mut self, ui: &Ui, now_secs: f64, page: &mut PageContext<'_>) {
        let Some(part) = &self.released else { return };
        let gone = ((now_secs - part.since_secs) / LETS_GO_SECS).clamp(0.0, 1.0) as f32;
        let eased = 1.0 - (1.0 - gone).powi(3);
        let turns = part.turns.iter().map(|&(joint, turn)| {
            let turn = turn.slerp(Quat::IDENTITY, eased);
            Setting::Data(DataEdit::Turn(joint.into(), turn.to_array()))
        });
        page.edits.push(Edit::Settings(turns.collect()));
        ui.ctx().request_repaint();
        if gone >= 1.0 {
            self.released = None;
        }
    }

    /// Follows a drag that began on a part that bends; elsewhere it is the camera's.
    fn pull(
        &mut self,
        ui: &Ui,
        response: &Response,
        seen: &SeenPicture<'_>,
        page: &mut PageContext<'_>,
    ) {
        if response.drag_started_by(PointerButton::Primary) {
            let from = ui.input(|input| input.pointer.press_origin());
            self.held = from.and_then(|from| seen.part_at(from, page));
            self.was_pulled |= self.held.is_some();
        }
        let two_fingers = ui.input(|input| input.multi_touch().is_some());
        if two_fingers || !response.dragged_by(PointerButton::Primary) {
            if self.held.take().is_some() {
                self.released = Some(ReleasedPart::of(page, ui.input(|input| input.time)));
            }
            if let Some(at) = response.hover_pos()
                && seen.part_at(at, page).is_some()
            {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
            return;
        }
        if let Some((held, at)) = self.held.as_ref().zip(response.interact_pointer_pos()) {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            let place = seen.across(at, held.from_in_world).as_dvec3();
            page.edits.push(Edit::Settings(held.chain.reach(place)));
            self.released = None;
        }
    }

    /// Arrows pull the tail while the picture has the focus; true while they hold it.
    fn pull_by_keys(
        &mut self,
        ui: &Ui,
        response: &Response,
        seen: &SeenPicture<'_>,
        page: &mut PageContext<'_>,
    ) -> bool {
        let now_secs = ui.input(|input| input.time);
        if response.has_focus() {
            keep_arrows(ui, response.id, Arrows::All);
            let by = ui.input(arrows);
            if by != egui::Vec2::ZERO {
                if self.by_keys.is_none()
                    && let Some(from) = seen.tail(page)
                {
                    self.held = seen.part_at(from, page);
                    self.by_keys = Some(KeyPull { from, to: from, until_secs: now_secs });
                }
                if let Some((held, pull)) = self.held.as_ref().zip(self.by_keys.as_mut()) {
                    let reach = 0.4 * seen.rect.size().min_elem();
                    let offset = pull.to - pull.from + by * KEY_PULL.0;
                    pull.to = pull.from
                        + offset.clamp(-egui::Vec2::splat(reach), egui::Vec2::splat(reach));
                    pull.until_secs = now_secs + KEY_PULL.1;
                    let place = seen.across(pull.to, held.from_in_world).as_dvec3();
                    page.edits.push(Edit::Settings(held.chain.reach(place)));
                    (self.released, self.was_pulled) = (None, true);
                }
            }
        }
        let Some(pull) = &self.by_keys else { return false };
        let left_secs = pull.until_secs - now_secs;
        if left_secs > 0.0 && response.has_focus() {
            ui.ctx().request_repaint_after_secs(left_secs as f32);
            return true;
        }
        self.by_keys = None;
        if self.held.take().is_some() {
            self.released = Some(ReleasedPart::of(page, now_secs));
        }
        false
    }

    /// From the point under the pointer to where each of its joints would put it.
    fn threads(
        &self,
        painter: &Painter,
        response: &Response,
        seen: &SeenPicture<'_>,
        page: &mut PageContext<'_>,
    ) {
        let at = response.hover_pos().filter(|_| self.held.is_none());
        let Some((vertex, here)) = at.and_then(|at| seen.vertex_at(at)) else { return };
        let derived = page.derived;
        let stored = derived.rig.mesh.positions.get(vertex).copied().unwrap_or_default();
        let Some(influences) = derived.influences.get(vertex) else { return };
        let Some(here) = seen.project(here) else { return };
        for (_, joint, weight) in influences.used().filter(|(.., weight)| *weight > LEAST_WEIGHT) {
            page.linked.hover(Entity::Joint(joint));
            let Some(matrix) = derived.palette.get(joint.index()) else { continue };
            let Some(there) = seen.project(matrix.transform_point3(stored)) else { continue };
            let color = page.theme.joint(joint);
            painter.line_segment([here, there], Stroke::new(1.0 + 3.0 * weight, color));
            painter.circle(there, 4.0, color, Stroke::new(1.5, page.theme.paper));
        }
        painter.circle(here, 5.0, page.theme.paper, Stroke::new(2.0, page.theme.ink));
    }
}

impl ReleasedPart {
    fn of(page: &PageContext<'_>, since_secs: f64) -> Self {
        let moves = page.document.state.joint_moves.iter();
        Self { turns: moves.map(|(joint, moved)| (*joint, moved.rotation)).collect(), since_secs }
    }
}

/// The whale as one frame shows it.
#[derive(Clone, Copy)]
struct SeenPicture<'a> {
    frame: &'a ViewportFrame<'a>,
    camera: Camera,
    rect: Rect,
}

impl SeenPicture<'_> {
    fn size(&self) -> Vec2 {
        Vec2::new(self.rect.width(), self.rect.height())
    }

    fn place(&self, at: Pos2) -> Vec2 {
        Vec2::new(at.x - self.rect.left(), at.y - self.rect.top())
    }

    fn project(&self, in_world: Vec3) -> Option<Pos2> {
        let at = self.camera.project(in_world, self.size())?;
        Some(self.rect.min + vec2(at.x, at.y))
    }

    /// The vertex nearest to what is seen there, and where it is in the world.
    fn vertex_at(&self, at: Pos2) -> Option<(usize, Vec3)> {
        let derived = self.frame.derived;
        let positions = derived.positions();
        let triangles = &derived.rig.mesh.triangles;
        let hit = hit_at(&self.camera, positions, triangles, self.place(at), self.size())?;
        let nearest = (0..3).max_by(|&a, &b| hit.shares[a].total_cmp(&hit.shares[b]))?;
        let vertex = hit.triangle[nearest] as usize;
        Some((vertex, *positions.get(vertex)?))
    }

    /// Of those that are seen close by, the nearest: ends of fins are thin.
    fn vertex_near(&self, at: Pos2) -> Option<(usize, Vec3)> {
        let positions = self.frame.derived.positions().iter().enumerate();
        let near = positions.filter_map(|(vertex, &place)| {
            let far = self.project(place)?.distance(at);
            (far < NEAR).then_some((far, (vertex, place)))
        });
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, found)| found)
    }

    /// What moves the surface that is seen there or close by, if a chain of joints does.
    fn part_at(&self, at: Pos2, page: &PageContext<'_>) -> Option<HeldPart> {
        let (vertex, from_in_world) = self.vertex_at(at).or_else(|| self.vertex_near(at))?;
        let joint = page.derived.influences.get(vertex)?.strongest();
        let of_page = (page.document, page.derived);
        let chain = ChainReach::new(of_page, joint, CHAIN, from_in_world.as_dvec3())?;
        Some(HeldPart { chain, from_in_world })
    }

    /// The end of a fluke: what is stored farthest back.
    fn tail(&self, page: &PageContext<'_>) -> Option<Pos2> {
        let stored = page.derived.rig.mesh.positions.iter().enumerate();
        let (end, _) = stored.min_by(|(_, a), (_, b)| a.z.total_cmp(&b.z))?;
        self.project(*page.derived.positions().get(end)?)
    }

    /// The place under the pointer that is as far from the reader as `through`.
    fn across(&self, at: Pos2, through: Vec3) -> Vec3 {
        let ray = self.camera.ray(self.place(at), self.size());
        let facing = self.camera.forward();
        let far = (through - ray.origin).dot(facing) / ray.direction.dot(facing);
        if far.is_finite() { ray.origin + ray.direction * far } else { through }
    }
}

/// The viewport of the cover's page.
fn picture_of<'a>(page: &PageContext<'a>) -> Option<&'a ViewportCell> {
    page.lesson.on_stage(page.document.step).find_map(|cell| match &cell.kind {
        CellKind::Viewport(cell) => Some(cell),
        _ => None,
    })
}

/// Which way arrow keys point that have just been pressed.
fn arrows(input: &egui::InputState) -> egui::Vec2 {
    let pressed = |key| f32::from(u8::from(input.key_pressed(key)));
    vec2(
        pressed(Key::ArrowRight) - pressed(Key::ArrowLeft),
        pressed(Key::ArrowDown) - pressed(Key::ArrowUp),
    )
}

/// On the paper, without a frame.
fn paint_surface(
    ui: &Ui,
    painter: &Painter,
    seen: &SeenPicture<'_>,
    page: &mut PageContext<'_>,
) -> Result<(), String> {
    let pixels = |points: f32| (points * ui.ctx().pixels_per_point()).round().max(1.0) as u32;
    let [red, green, blue, _] = page.theme.cover.to_array();
    let mut colors = page.theme.scene;
    colors.background_top = [red, green, blue];
    colors.background_bottom = colors.background_top;
    let size = [pixels(seen.rect.width()), pixels(seen.rect.height())];
    let scene = seen.frame.scene(&seen.camera, size, colors);
    painter.add(page.viewports.shape(ID, seen.rect, scene)?);
    Ok(())
}

/// Says where it can be taken, until it was.
fn invitation(painter: &Painter, seen: &SeenPicture<'_>, page: &PageContext<'_>) {
    let at = seen.tail(page).filter(|at| seen.rect.shrink(8.0).contains(*at));
    let Some(at) = at else { return };
    let accent = page.theme.accent;
    painter.circle_filled(at, 12.0, accent.gamma_multiply(0.25));
    painter.circle_filled(at, 5.0, accent);
    let words = painter.layout_no_wrap(
        "Take it by the tail.".to_owned(),
        egui::FontId::proportional(SMALL + 1.0),
        accent,
    );
    let top = at.y - INVITATION_ABOVE;
    let left = (at.x - words.size().x / 2.0).min(seen.rect.right() - words.size().x);
    let left = left.max(seen.rect.left());
    let from = egui::pos2(at.x, top + words.size().y + 6.0);
    let line = [from, at - vec2(0.0, 15.0)];
    painter.extend(egui::Shape::dashed_line(&line, Stroke::new(1.5, accent), 3.0, 4.0));
    painter.galley(egui::pos2(left, top), words, accent);
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
    use crate::reader_presence::STAYS_SECS;

    /// The whale in a window, and where the end of a fluke is on the screen.
    fn whale(still: bool) -> (Harness<'static, Page>, Rc<Cell<Pos2>>) {
        let set = LessonSet::from_memory(&[("0-cover", PAGE, "")], "");
        assert_eq!(set.lessons[0].findings, []);
        let mut page = Page::new("whale");
        page.put_lesson(set.lessons[0].clone());
        page.document = step_document(&page.lesson, 0, Some(&page.rig));
        page.view.pictures.still = still;
        let (picture, tail) = (RefCell::new(WhalePicture::default()), Rc::default());
        let told: Rc<Cell<Pos2>> = Rc::clone(&tail);
        let harness = harness(page, move |ui, page| {
            let rect = ui.max_rect();
            ui.style_mut().animation_time = 0.1;
            picture.borrow_mut().show(ui, rect, true, page);
            let Some(cell) = picture_of(page) else { return };
            let frame = page.viewport_frame(cell);
            let camera = camera(&frame, ID, page, rect.size(), None).camera;
            let seen = SeenPicture { frame: &frame, camera, rect };
            told.set(seen.tail(page).unwrap_or_default());
        });
        (harness, tail)
    }

    #[test]
    fn it_swims_until_nobody_has_done_anything_for_a_while() {
        let (mut harness, _) = whale(false);
        let time = |harness: &Harness<'_, Page>| harness.state().document.time_secs();
        harness.run_steps(5);
        assert!(time(&harness) > 0.0);
        harness.input_mut().focused = false;
        harness.run_steps(1);
        let before = time(&harness);
        harness.run_steps(5);
        assert_eq!(time(&harness), before, "nobody looks at a window in the background");
        harness.input_mut().focused = true;
        let steps = (STAYS_SECS / f64::from(harness.input().predicted_dt)) as usize;
        harness.run_steps(steps + 5);
        let at_rest = time(&harness);
        harness.run_steps(5);
        assert_eq!(time(&harness), at_rest, "it rests");
        harness.hover_at(Pos2::new(5.0, 5.0));
        harness.run_steps(5);
        assert_ne!(time(&harness), at_rest, "it goes on");
    }

    #[test]
    fn a_picture_of_any_size_is_shown() {
        let mut page = Page::new("whale");
        let set = LessonSet::from_memory(&[("0-cover", PAGE, "")], "");
        page.put_lesson(set.lessons[0].clone());
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
    fn arrow_keys_pull_the_tail_and_let_it_go() {
        let (mut harness, tail) = whale(true);
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
    fn with_less_motion_it_is_still_and_a_pulled_tail_comes_along_and_goes_back() {
        let (mut harness, tail) = whale(true);
        harness.run();
        let before = harness.state().document.clone();
        let from = tail.get();
        harness.drag_at(from);
        harness.run();
        let to = from + vec2(-30.0, -60.0);
        for part in 1..=6 {
            harness.hover_at(from + (to - from) * (part as f32 / 6.0));
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
