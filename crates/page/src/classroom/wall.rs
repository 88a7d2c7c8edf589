//! The wall: small pictures of all students' pages. The teacher can look at a page, send it
//! to the class or compare two of them.

use bindpose_class_protocol::{StudentId, StudentView, TeacherClient};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{Tip as _, landmark};
use bindpose_notebook::Notebook;
use bindpose_notebook::viewport::{ViewportFrame, framed_camera, leave_out_not_finite};
use eframe::egui::{
    Align, Align2, Button, CentralPanel, Color32, FontId, Frame, Label, Layout, Margin, Rect,
    RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo,
    accesskit::Role, pos2, vec2,
};

use crate::PageContext;
use crate::command::Command;
use crate::scene_colors::scene_colors;
use crate::view::classroom::{ClassRole, WALL_REDRAW_SECS, Wall, WallOrder, WallPicture};

/// Minimum width of a picture, in points. If more students than fit are present, the wall
/// scrolls.
const MIN_PICTURE_WIDTH: f32 = 92.0;
const MAX_PICTURE_WIDTH: f32 = 420.0;
/// Height of a picture divided by its width.
const ASPECT: f32 = 0.62;
const GAP: f32 = 12.0;
/// Width of the edge around a chosen picture, in points.
const CHOSEN_EDGE_WIDTH: f32 = 3.0;
/// Height of the caption below a picture, in points.
const CAPTION_HEIGHT: f32 = 22.0;

/// Action on chosen pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WallRequest {
    /// Show the page of this link on the teacher's page.
    Show(String),
    /// Send the page of this link to all students.
    Send(String),
    /// Show two pages side by side, with their difference.
    Compare([String; 2]),
}

/// Draws the wall in the place of the page, if it is open.
pub fn wall_ui(
    ui: &mut Ui,
    notebook: &Notebook,
    page: &mut PageContext<'_>,
) -> Option<WallRequest> {
    let mut class = std::mem::take(&mut page.view.classroom);
    let request = match (&mut class.wall, &class.role) {
        (Some(wall), ClassRole::Teacher(teacher)) => {
            WallUi { notebook, teacher, wall, page }.ui(ui)
        }
        _ => None,
    };
    page.view.classroom = class;
    request
}

/// The open wall in one frame.
struct WallUi<'a, 'p> {
    notebook: &'a Notebook,
    teacher: &'a TeacherClient,
    wall: &'a mut Wall,
    page: &'a mut PageContext<'p>,
}

impl WallUi<'_, '_> {
    fn ui(&mut self, ui: &mut Ui) -> Option<WallRequest> {
        let students = self.wall.ordered_students(self.teacher);
        self.wall.allow_redraws(ui.input(|input| input.time));
        let frame = Frame::NONE.fill(self.page.theme.paper).inner_margin(Margin::same(16));
        let panel = CentralPanel::no_frame().frame(frame).show(ui, |ui| {
            landmark(ui, Role::Main, "Everyone’s pages");
            let request = self.header_ui(ui);
            ui.add_space(8.0);
            if students.is_empty() {
                ui.label(self.page.theme.label("Nobody has come yet."));
            }
            self.grid_ui(ui, &students);
            request
        });
        panel.inner
    }

    fn header_ui(&mut self, ui: &mut Ui) -> Option<WallRequest> {
        const ORDERS: [(WallOrder, &str, &str); 3] = [
            (WallOrder::Joining, "As they came", "In the order in which they joined"),
            (WallOrder::Name, "By name", "In the order of their names"),
            (WallOrder::Place, "By page", "Those on the same step beside each other"),
        ];
        let theme = self.page.theme;
        let links: Vec<String> =
            self.wall.chosen.iter().filter_map(|&id| page_link_of(self.teacher, id)).collect();
        let mut request = None;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
            let title = RichText::new("Everyone’s pages").font(font::strong(SMALL_SIZE));
            ui.add(Label::new(title.color(theme.ink)));
            for (order, label, tip) in ORDERS {
                let is_chosen = self.wall.order == order;
                let button = Button::selectable(is_chosen, RichText::new(label).size(SMALL_SIZE));
                if ui.add(button).tip(tip).clicked() {
                    self.wall.order = order;
                }
            }
            match &*links {
                [] => {
                    let hint = "Choose one page to show or send it, two to compare them.";
                    ui.label(theme.label(hint));
                }
                [.., last] => {
                    if button_ui(ui, "Show here", "This page becomes that one") {
                        request = Some(WallRequest::Show(last.clone()));
                    }
                    if button_ui(ui, "Send to all", "Every page becomes that one") {
                        request = Some(WallRequest::Send(last.clone()));
                    }
                }
            }
            if let [a, b] = &*links {
                let tip = "Both here, side by side, with how far apart they put the vertices";
                if button_ui(ui, "Compare", tip) {
                    request = Some(WallRequest::Compare([a.clone(), b.clone()]));
                }
            }
            if button_ui(ui, "Close", &Command::ClassWall.hint(ui.ctx(), None)) {
                self.page.requests.commands.push(Command::ClassWall);
            }
        });
        request
    }

    fn grid_ui(&mut self, ui: &mut Ui, students: &[(&StudentView, String)]) {
        // Leaves room for the scroll bar and for the edges of the outer pictures.
        let room =
            ui.available_size() - vec2(10.0 + 2.0 * CHOSEN_EDGE_WIDTH, 2.0 * CHOSEN_EDGE_WIDTH);
        let columns = column_count(students.len(), room);
        let width = ((room.x - GAP * (columns as f32 - 1.0)) / columns as f32)
            .min(MAX_PICTURE_WIDTH)
            .floor();
        let scroll =
            ScrollArea::vertical().auto_shrink([false, true]).content_margin(CHOSEN_EDGE_WIDTH);
        scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::splat(GAP);
            for row in students.chunks(columns) {
                ui.horizontal(|ui| {
                    for (student, name) in row {
                        self.tile_ui(ui, student, name, width);
                    }
                });
            }
        });
    }

    /// Draws the picture of a student's page with its caption.
    fn tile_ui(&mut self, ui: &mut Ui, student: &StudentView, name: &str, width: f32) {
        let picture_size = vec2(width, (width * ASPECT).floor());
        let tile_size = picture_size + vec2(0.0, CAPTION_HEIGHT);
        let (tile, response) = ui.allocate_exact_size(tile_size, Sense::click());
        let is_chosen = self.wall.chosen.contains(&student.id);
        let place = self.wall.pictures.get(&student.id).map_or("", |picture| &*picture.place);
        let status = format_status(student, self.teacher, place);
        response.widget_info(|| {
            let name =
                if status.is_empty() { name.to_owned() } else { format!("{name}: {status}") };
            WidgetInfo::selected(Role::Button, true, is_chosen, name)
        });
        if response.clicked() {
            self.wall.toggle_chosen(student.id);
        }
        if !ui.is_rect_visible(tile) {
            return;
        }
        let rect = Rect::from_min_size(tile.min, picture_size);
        let theme = self.page.theme;
        ui.painter().rect_filled(rect, 4.0, theme.panel);
        self.picture_ui(ui, rect, student);
        let edge = if is_chosen {
            Stroke::new(CHOSEN_EDGE_WIDTH, theme.accent)
        } else if response.hovered() || response.has_focus() {
            Stroke::new(2.0, theme.quiet)
        } else {
            Stroke::new(1.0, theme.rule)
        };
        ui.painter().rect_stroke(rect, 4.0, edge, StrokeKind::Outside);
        let caption_rect = Rect::from_min_max(pos2(rect.left(), rect.bottom()), tile.max);
        let layout = Layout::left_to_right(Align::Center);
        let mut caption = ui.new_child(UiBuilder::new().max_rect(caption_rect).layout(layout));
        caption_label(&mut caption, name, theme.ink);
        caption_label(&mut caption, &status, theme.quiet);
    }

    /// Draws the picture, and renders it anew if it is outdated and a redraw is left.
    fn picture_ui(&mut self, ui: &Ui, rect: Rect, student: &StudentView) {
        let size_px = [
            to_pixels(rect.width(), ui.pixels_per_point()),
            to_pixels(rect.height(), ui.pixels_per_point()),
        ];
        let picture = self.wall.pictures.entry(student.id).or_default();
        let is_outdated = picture.link != student.record.page || picture.size_px != size_px;
        if is_outdated && self.wall.redraws_left > 0 {
            self.wall.redraws_left -= 1;
            let link = &student.record.page;
            *picture = render_picture(link, rect.size(), size_px, self.notebook, self.page);
        } else if is_outdated {
            ui.ctx().request_repaint_after_secs(WALL_REDRAW_SECS as f32);
        }
        let Some(scene) = picture.scene.clone() else {
            if !is_outdated {
                ui.painter().text(
                    rect.center(),
                    Align2::CENTER_CENTER,
                    "no picture",
                    FontId::proportional(CAPTION_SIZE),
                    self.page.theme.quiet,
                );
            }
            return;
        };
        let id = format!("wall {}", student.id.0);
        if let Ok(shape) = self.page.viewports.shape(&id, rect, scene) {
            ui.painter().add(shape);
        }
    }
}

/// Returns the link to the page of a student. Returns `None` if there is no such student.
fn page_link_of(teacher: &TeacherClient, id: StudentId) -> Option<String> {
    teacher.students().find(|student| student.id == id).map(|student| student.record.page.clone())
}

/// Draws a small button. Returns true if it was clicked.
fn button_ui(ui: &mut Ui, label: &str, tip: &str) -> bool {
    ui.add(Button::new(RichText::new(label).size(SMALL_SIZE))).tip(tip).clicked()
}

fn caption_label(ui: &mut Ui, text: &str, color: Color32) {
    let text = RichText::new(text).size(CAPTION_SIZE).color(color);
    ui.add(Label::new(text).truncate().selectable(false));
}

fn to_pixels(points: f32, pixels_per_point: f32) -> u32 {
    (points * pixels_per_point).round().max(1.0) as u32
}

/// Returns the smallest number of columns with which all pictures fit, so that they are as
/// large as possible.
fn column_count(students: usize, room: Vec2) -> usize {
    let max_columns = ((room.x + GAP) / (MIN_PICTURE_WIDTH + GAP)).floor().max(1.0) as usize;
    for columns in 1..=max_columns {
        let width = (room.x + GAP) / columns as f32 - GAP;
        let rows = students.div_ceil(columns) as f32;
        let row_height = width.min(MAX_PICTURE_WIDTH) * ASPECT + CAPTION_HEIGHT + GAP;
        if rows * row_height <= room.y + GAP {
            return columns;
        }
    }
    max_columns
}

/// Returns whether the student has answered the question of the class, and the student's
/// page, unless it is the teacher's.
fn format_status(student: &StudentView, teacher: &TeacherClient, place: &str) -> String {
    let mut parts = Vec::new();
    if let Some(question) = &teacher.state().question {
        let round = question.phase.round();
        let has_answered = student.record.answers.keys().any(|key| {
            key.question == question.address && round.is_none_or(|round| key.round == round)
        });
        parts.push(if has_answered { "answered" } else { "no answer" });
    }
    let is_with_teacher = step_of(&student.record.page) == step_of(&teacher.state().place);
    if !is_with_teacher && !place.is_empty() {
        parts.push(place);
    }
    if student.record.wanders {
        parts.push("on its own");
    }
    parts.join(" · ")
}

/// Returns the part of a link up to the step, without the values of the page.
fn step_of(link: &str) -> &str {
    link.split('?').next().unwrap_or_default()
}

/// Renders the picture of a student's page.
///
/// `notebook.other_page` treats the link like one from an unknown source.
fn render_picture(
    link: &str,
    size_points: Vec2,
    size_px: [u32; 2],
    notebook: &Notebook,
    page: &PageContext<'_>,
) -> WallPicture {
    let mut picture = WallPicture { link: link.to_owned(), size_px, ..WallPicture::default() };
    let Some(other) = notebook.other_page(link) else { return picture };
    let lesson = &page.set.lessons[other.lesson];
    picture.place = format!("{}, step {}", lesson.number, other.document.step + 1);
    let Some((id, cell)) = other.picture(lesson) else { return picture };
    let frame = ViewportFrame::new(cell, &other.document, &other.derived, page.limits);
    let camera = other.cameras.get(id).copied().unwrap_or_else(|| {
        framed_camera(&frame, glam::Vec2::new(size_points.x, size_points.y), None)
    });
    let mut scene = frame.scene(&camera, size_px, scene_colors(page.theme));
    leave_out_not_finite(&mut scene);
    picture.scene = Some(scene);
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_students_fit_a_projector_and_a_single_one_is_not_too_large() {
        let room = vec2(1248.0, 640.0);
        assert_eq!(column_count(1, room), 1);
        assert_eq!(column_count(30, room), 8);
        let width = (room.x + GAP) / 8.0 - GAP;
        assert!(4.0 * (width * ASPECT + CAPTION_HEIGHT + GAP) <= room.y + GAP);
        assert_eq!(column_count(300, room), 12, "it scrolls");
        assert_eq!(column_count(30, vec2(340.0, 600.0)), 3, "on a phone");
        let presented = vec2(880.0, 400.0);
        let width = (presented.x + GAP) / column_count(30, presented) as f32 - GAP;
        let rows = 30_usize.div_ceil(column_count(30, presented)) as f32;
        assert!(rows * (width * ASPECT + CAPTION_HEIGHT + GAP) <= presented.y + GAP);
        assert_eq!(column_count(5, vec2(60.0, 40.0)), 1);
    }
}
