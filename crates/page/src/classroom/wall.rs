//! The wall: the pages of all students as small pictures, for the teacher to look at, to
//! put before the class, and to hold side by side.

use bindpose_classroom::{StudentId, StudentView, TeacherClient};
use bindpose_notebook::Notebook;
use bindpose_notebook::viewport::{ViewportFrame, framed_camera, leave_out_not_finite};
use eframe::egui::{
    Align, Align2, Button, CentralPanel, Color32, FontId, Frame, Label, Layout, Margin, Rect,
    RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo,
    accesskit::Role, pos2, vec2,
};
use glam::Vec2 as Size;

use super::class_view::{ClassPart, WALL_EACH_SECS, Wall, WallOrder, WallPicture};
use crate::PageContext;
use crate::command::Command;
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::{Tip as _, landmark};

/// Of a picture, in points; more students than fit scroll.
const LEAST_WIDTH: f32 = 92.0;
const MOST_WIDTH: f32 = 420.0;
/// Height of a picture to its width.
const ASPECT: f32 = 0.62;
const GAP: f32 = 12.0;
/// Around a picture that is chosen.
const EDGE: f32 = 3.0;
/// Below a picture: a name, and where its student is.
const WORDS_HEIGHT: f32 = 22.0;

/// What the teacher wants done with chosen pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WallRequest {
    /// Show it here, as a link says it.
    Show(String),
    /// Send it to all.
    Send(String),
    /// Two side by side, with their difference.
    Compare([String; 2]),
}

/// Shows the wall in the place of the page, where it is open.
pub fn wall(
    ui: &mut Ui,
    notebook: &Notebook,
    page: &mut PageContext<'_>,
    commands: &mut Vec<Command>,
) -> Option<WallRequest> {
    let mut class = std::mem::take(&mut page.view.classroom);
    let request = match (&mut class.wall, &class.part) {
        (Some(wall), ClassPart::Teacher(teacher)) => {
            wall_ui(ui, (notebook, teacher), wall, page, commands)
        }
        _ => None,
    };
    page.view.classroom = class;
    request
}

fn wall_ui(
    ui: &mut Ui,
    (notebook, teacher): (&Notebook, &TeacherClient),
    wall: &mut Wall,
    page: &mut PageContext<'_>,
    commands: &mut Vec<Command>,
) -> Option<WallRequest> {
    let students = wall.in_order(teacher);
    wall.allow(ui.input(|input| input.time));
    let paper = Frame::NONE.fill(page.theme.paper).inner_margin(Margin::same(16));
    let request = CentralPanel::no_frame().frame(paper).show(ui, |ui| {
        landmark(ui, Role::Main, "Everyone’s pages");
        let request = header(ui, wall, teacher, page.theme, commands);
        ui.add_space(8.0);
        if students.is_empty() {
            ui.label(page.theme.label("Nobody has come yet."));
        }
        grid(ui, &students, (notebook, teacher), wall, page);
        request
    });
    request.inner
}

fn header(
    ui: &mut Ui,
    wall: &mut Wall,
    teacher: &TeacherClient,
    theme: &Theme,
    commands: &mut Vec<Command>,
) -> Option<WallRequest> {
    const ORDERS: [(WallOrder, &str, &str); 3] = [
        (WallOrder::Coming, "As they came", "In the order in which they joined"),
        (WallOrder::Name, "By name", "In the order of their names"),
        (WallOrder::Place, "By page", "Those on the same step beside each other"),
    ];
    let link = |id: &StudentId| {
        let mut students = teacher.students();
        students.find(|student| student.id == *id).map(|student| student.record.page.clone())
    };
    let links: Vec<String> = wall.chosen.iter().filter_map(link).collect();
    let mut request = None;
    let small = |words: &str| Button::new(RichText::new(words).size(SMALL));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
        let title = RichText::new("Everyone’s pages").font(font::strong(SMALL)).color(theme.ink);
        ui.add(Label::new(title));
        for (order, words, tip) in ORDERS {
            let on = wall.order == order;
            let button = Button::selectable(on, RichText::new(words).size(SMALL));
            if ui.add(button).tip(tip).clicked() {
                wall.order = order;
            }
        }
        match &*links {
            [] => {
                let hint = "Choose one page to show or send it, two to compare them.";
                ui.label(theme.label(hint));
            }
            [.., last] => {
                if ui.add(small("Show here")).tip("This page becomes that one").clicked() {
                    request = Some(WallRequest::Show(last.clone()));
                }
                if ui.add(small("Send to all")).tip("Every page becomes that one").clicked() {
                    request = Some(WallRequest::Send(last.clone()));
                }
            }
        }
        if let [a, b] = &*links {
            let tip = "Both here, side by side, with how far apart they put the vertices";
            if ui.add(small("Compare")).tip(tip).clicked() {
                request = Some(WallRequest::Compare([a.clone(), b.clone()]));
            }
        }
        if ui.add(small("Close")).tip(Command::ClassWall.hint(ui.ctx(), None)).clicked() {
            commands.push(Command::ClassWall);
        }
    });
    request
}

fn grid(
    ui: &mut Ui,
    students: &[(&StudentView, String)],
    of: (&Notebook, &TeacherClient),
    wall: &mut Wall,
    page: &mut PageContext<'_>,
) {
    // The scroll bar, and edges around pictures, too.
    let room = ui.available_size() - vec2(10.0 + 2.0 * EDGE, 2.0 * EDGE);
    let columns = columns(students.len(), room);
    let width = (room.x - GAP * (columns as f32 - 1.0)) / columns as f32;
    let width = width.min(MOST_WIDTH).floor();
    let scroll = ScrollArea::vertical().auto_shrink([false, true]).content_margin(EDGE);
    scroll.show(ui, |ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GAP);
        for row in students.chunks(columns) {
            ui.horizontal(|ui| {
                for (student, name) in row {
                    tile(ui, (student, name, width), of, wall, page);
                }
            });
        }
    });
}

/// So many beside each other that all fit, as large as they can be.
fn columns(students: usize, room: Vec2) -> usize {
    let most = ((room.x + GAP) / (LEAST_WIDTH + GAP)).floor().max(1.0) as usize;
    let fits = |columns: &usize| {
        let width = (room.x + GAP) / *columns as f32 - GAP;
        let rows = students.div_ceil(*columns) as f32;
        rows * (width.min(MOST_WIDTH) * ASPECT + WORDS_HEIGHT + GAP) <= room.y + GAP
    };
    (1..=most).find(fits).unwrap_or(most)
}

fn tile(
    ui: &mut Ui,
    (student, name, width): (&StudentView, &str, f32),
    (notebook, teacher): (&Notebook, &TeacherClient),
    wall: &mut Wall,
    page: &mut PageContext<'_>,
) {
    let size = vec2(width, (width * ASPECT).floor());
    let (whole, response) = ui.allocate_exact_size(size + vec2(0.0, WORDS_HEIGHT), Sense::click());
    let is_chosen = wall.chosen.contains(&student.id);
    let place = wall.pictures.get(&student.id).map_or("", |picture| &*picture.place).to_owned();
    let about = about(student, teacher, place);
    response.widget_info(|| {
        let words = if about.is_empty() { name.to_owned() } else { format!("{name}: {about}") };
        WidgetInfo::selected(Role::Button, true, is_chosen, words)
    });
    if response.clicked() {
        wall.choose(student.id);
    }
    if !ui.is_rect_visible(whole) {
        return;
    }
    let rect = Rect::from_min_size(whole.min, size);
    let theme = page.theme;
    ui.painter().rect_filled(rect, 4.0, theme.panel);
    picture(ui, rect, student, notebook, wall, page);
    let (edge, color) = match (is_chosen, response.hovered() || response.has_focus()) {
        (true, _) => (EDGE, theme.accent),
        (false, true) => (2.0, theme.quiet),
        (false, false) => (1.0, theme.rule),
    };
    ui.painter().rect_stroke(rect, 4.0, Stroke::new(edge, color), StrokeKind::Outside);
    let below = Rect::from_min_max(pos2(rect.left(), rect.bottom()), whole.max);
    let line = Layout::left_to_right(Align::Center);
    let mut words = ui.new_child(UiBuilder::new().max_rect(below).layout(line));
    let said = |text: &str, color: Color32| RichText::new(text).size(CAPTION).color(color);
    words.add(Label::new(said(name, theme.ink)).truncate().selectable(false));
    words.add(Label::new(said(&about, theme.quiet)).truncate().selectable(false));
}

/// Where a student is, if not with the teacher, and has it answered the question before the
/// class?
fn about(student: &StudentView, teacher: &TeacherClient, place: String) -> String {
    let step = |link: &str| link.split('?').next().map(str::to_owned);
    let is_with = step(&student.record.page) == step(&teacher.state().place);
    let mut about = Vec::new();
    if let Some(question) = &teacher.state().question {
        let round = question.phase.round();
        let has = student.record.answers.keys().any(|key| {
            key.question == question.address && round.is_none_or(|round| key.round == round)
        });
        about.push(if has { "answered" } else { "no answer" }.to_owned());
    }
    if !is_with && !place.is_empty() {
        about.push(place);
    }
    if student.record.wanders {
        about.push("on its own".to_owned());
    }
    about.join(" · ")
}

fn picture(
    ui: &mut Ui,
    rect: Rect,
    student: &StudentView,
    notebook: &Notebook,
    wall: &mut Wall,
    page: &mut PageContext<'_>,
) {
    let pixels = |points: f32| (points * ui.pixels_per_point()).round().max(1.0) as u32;
    let size = [pixels(rect.width()), pixels(rect.height())];
    let known = wall.pictures.entry(student.id).or_default();
    let is_old = known.link != student.record.page || known.size != size;
    if is_old && wall.allowed > 0 {
        wall.allowed -= 1;
        *known = drawn(&student.record.page, (rect.size(), size), notebook, page);
    } else if is_old {
        ui.ctx().request_repaint_after_secs(WALL_EACH_SECS as f32);
    }
    let id = format!("wall {}", student.id.0);
    let Some(scene) = known.scene.clone() else {
        if !is_old {
            let (font, quiet) = (FontId::proportional(CAPTION), page.theme.quiet);
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, "no picture", font, quiet);
        }
        return;
    };
    if let Ok(shape) = page.viewports.shape(&id, rect, scene) {
        ui.painter().add(shape);
    }
}

/// The picture of a student's page; links of students are links from anywhere.
fn drawn(
    link: &str,
    (points, size): (Vec2, [u32; 2]),
    notebook: &Notebook,
    page: &PageContext<'_>,
) -> WallPicture {
    let mut drawn = WallPicture { link: link.to_owned(), size, ..WallPicture::default() };
    let Some(other) = notebook.other_page(link) else { return drawn };
    let lesson = &page.set.lessons[other.lesson];
    drawn.place = format!("{}, step {}", lesson.number, other.document.step + 1);
    let Some((id, cell)) = other.picture(lesson) else { return drawn };
    let frame = ViewportFrame::new(cell, &other.document, &other.derived, page.limits);
    let usual = || framed_camera(&frame, Size::new(points.x, points.y), None);
    let camera = other.cameras.get(id).copied().unwrap_or_else(usual);
    let mut scene = frame.scene(&camera, size, page.theme.scene);
    leave_out_not_finite(&mut scene);
    drawn.scene = Some(scene);
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_thirty_fits_a_projector_and_one_is_no_larger_than_it_should_be() {
        let room = vec2(1248.0, 640.0);
        let columns_of = |students| columns(students, room);
        assert_eq!(columns_of(1), 1);
        assert_eq!(columns_of(30), 8);
        let width = (room.x + GAP) / 8.0 - GAP;
        assert!(4.0 * (width * ASPECT + WORDS_HEIGHT + GAP) <= room.y + GAP);
        assert_eq!(columns_of(300), 12, "then it scrolls");
        assert_eq!(columns(30, vec2(340.0, 600.0)), 3, "on a phone");
        let presented = vec2(880.0, 400.0);
        let width = (presented.x + GAP) / columns(30, presented) as f32 - GAP;
        let rows = 30_usize.div_ceil(columns(30, presented)) as f32;
        assert!(rows * (width * ASPECT + WORDS_HEIGHT + GAP) <= presented.y + GAP);
        assert_eq!(columns(5, vec2(60.0, 40.0)), 1);
    }
}
