//! The list of lessons, with how far each has been read.

use bindpose_lesson::{Lesson, LessonSet, Route, RoutePage};
use bindpose_notebook::inventory::{FormAct, InventoryForm, questions_of};
use bindpose_notebook::{Navigation, Notebook, PageAddress, StepProgress};
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    self, Align, FontId, Frame, Id, Margin, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::command::Command;
use crate::icons;
use crate::inventory::entrance_words;
use crate::recent_models::{self, RecentModels};
use crate::theme::{FINE, INTERFACE, SMALL, Theme, font};
use crate::top_bar;
use crate::touch;
use crate::widgets::Tip as _;
use crate::widgets::{
    PaintText, icon_line, leads_to, paint_bookmark, paint_progress, reveal_focus,
};

/// Width of the list, in points.
pub const WIDTH: f32 = 224.0;

/// Least height of a row that is touched, in points: rows have no room between them.
const FOR_FINGERS: f32 = 40.0;

/// Shows the list, the open lesson with its steps; `quiet`: without the titles of
/// those that are yet to come.
pub fn ui(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    quiet: bool,
    recent: &mut RecentModels,
    navigation: &mut Vec<Navigation>,
    commands: &mut Vec<Command>,
) {
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.add_space(12.0);
        ui.spacing_mut().item_spacing.y = 2.0;
        if line(ui, theme, Command::Search, icons::MAGNIFYING_GLASS) {
            commands.push(Command::Search);
        }
        let phone = ui.ctx().content_rect().width() < top_bar::PHONE;
        if phone {
            // It lies over a phone, whose bar has no room for these.
            ui.add_space(6.0);
            Frame::NONE.inner_margin(Margin::symmetric(14, 0)).show(ui, |ui| {
                let mut buttons = top_bar::CommandButtons { notebook, theme, commands };
                top_bar::phone_menu(ui, &mut buttons, quiet);
            });
        }
        ui.add_space(6.0);
        route(ui, notebook, theme, quiet, navigation);
        bookmarks(ui, notebook, theme, quiet, navigation);
        for (index, lesson) in notebook.set.lessons.iter().enumerate() {
            if let Some(course) = begun_course(&notebook.set, index) {
                heading(ui, theme, &course);
            }
            let open = lesson.slug == notebook.lesson().slug;
            let title = format!("{}  {}", lesson.number, lesson.title);
            let sign = Sign::Lesson(notebook.progress.done(lesson), lesson.steps.len());
            let shown = row(ui, theme, &title, sign, open);
            let page = PageAddress::lesson(&lesson.slug);
            leads_to(&shown, &page);
            if shown.clicked() && !open {
                navigation.push(Navigation::Go(page));
            }
            if open && !notebook.is_on_route() {
                steps(ui, notebook, lesson, theme, quiet, navigation);
                form(ui, notebook, theme, InventoryForm::After, navigation);
                ui.add_space(8.0);
            }
        }
        routes(ui, notebook, theme, navigation);
        ui.add_space(16.0);
        if !phone && line(ui, theme, Command::Open, icons::FOLDER_OPEN) {
            commands.push(Command::Open);
        }
        recent_models::ui(ui, theme, recent, 57.0);
        if line(ui, theme, Command::OpenModelB, icons::FOLDER_OPEN) {
            commands.push(Command::OpenModelB);
        }
        for (command, icon) in [
            (Command::Notes, icons::CHALKBOARD_TEACHER),
            (Command::Keys, icons::KEYBOARD),
            (Command::BeginAnew, icons::ARROW_COUNTER_CLOCKWISE),
        ] {
            if line(ui, theme, command, icon) {
                commands.push(command);
            }
        }
        ui.add_space(12.0);
        reveal_focus(ui);
    });
}

/// What stands above a lesson, by its index, that is the first of its course: title and
/// version. Nothing above the first of those that come along, where they are first.
fn begun_course(set: &LessonSet, lesson: usize) -> Option<String> {
    let course = set.course_of(lesson)?;
    let before = lesson.checked_sub(1).and_then(|before| set.course_of(before));
    if before.is_some_and(|before| std::ptr::eq(before, course)) {
        return None;
    }
    match (&*course.title, before) {
        ("", None) => None,
        ("", Some(_)) => Some("Bindpose".to_owned()),
        (title, _) => Some(format!("{title} {}", course.version).trim().to_owned()),
    }
}

fn heading(ui: &mut Ui, theme: &Theme, words: &str) {
    ui.add_space(16.0);
    ui.horizontal(|ui| {
        ui.add_space(44.0);
        ui.label(theme.caption(words));
    });
}

/// The route that is followed, with its steps in its order.
fn route(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    quiet: bool,
    navigation: &mut Vec<Navigation>,
) {
    let Some(route) = notebook.route() else {
        return;
    };
    let pages = notebook.route_pages();
    let at = notebook.place_in(&pages);
    let done = |page: &&RoutePage| {
        let lesson = &notebook.set.lessons[page.lesson];
        notebook.progress.of_step(lesson, page.step) != StepProgress::default()
    };
    let sign = Sign::Lesson(pages.iter().filter(done).count(), pages.len());
    if row(ui, theme, &route.title, sign, at.is_some()).clicked()
        && let Some((_, left)) = notebook.way_back_to_route()
    {
        navigation.push(Navigation::Go(left));
    }
    for (index, page) in pages.iter().enumerate() {
        let lesson = &notebook.set.lessons[page.lesson];
        let step = &lesson.steps[page.step];
        let hidden = quiet && at.is_some_and(|at| index > at);
        // On one line.
        let minutes = page.minutes.map(|minutes| format!(" ·\u{a0}{minutes}\u{a0}min"));
        let minutes = minutes.unwrap_or_default();
        let title = if hidden {
            format!("Step {}{minutes}", index + 1)
        } else {
            format!("{}{minutes}", step.title)
        };
        let sign = Sign::Step(notebook.progress.of_step(lesson, page.step), None);
        let shown = row(ui, theme, &title, sign, at == Some(index));
        if at == Some(index) {
            follow(ui, &shown, notebook);
        }
        if shown.clicked() {
            navigation.push(Navigation::Go(address(notebook, page)));
        }
    }
    let leave = egui::RichText::new("Leave the route").size(SMALL);
    let button = egui::Button::new(leave.color(theme.accent)).frame_when_inactive(false);
    ui.horizontal(|ui| {
        ui.add_space(56.0);
        if ui.add(button).clicked() {
            navigation.push(Navigation::LeaveRoute);
        }
    });
    ui.add_space(12.0);
}

fn address(notebook: &Notebook, page: &RoutePage) -> PageAddress {
    let lesson = &notebook.set.lessons[page.lesson];
    PageAddress::step(&lesson.slug, &lesson.steps[page.step].slug)
}

/// The routes that can be followed.
fn routes(ui: &mut Ui, notebook: &Notebook, theme: &Theme, navigation: &mut Vec<Navigation>) {
    let followed = notebook.route().map(|route| &*route.name);
    let others = notebook.set.routes.iter();
    let others: Vec<&Route> = others.filter(|route| followed != Some(&*route.name)).collect();
    if others.is_empty() {
        return;
    }
    heading(ui, theme, "Routes");
    for route in others {
        if row(ui, theme, &route.title, Sign::Route, false).clicked() {
            navigation.push(Navigation::Follow(route.name.clone()));
        }
    }
}

/// A quiet line above or below the lessons. True when clicked.
fn line(ui: &mut Ui, theme: &Theme, command: Command, icon: &str) -> bool {
    let parts =
        [(icon, 34.0, font::icon(INTERFACE)), (command.text(), 8.0, FontId::proportional(SMALL))];
    let job = icon_line(parts, theme.quiet);
    let response = ui.add(egui::Button::new(job).frame_when_inactive(false));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, command.text()));
    let hint = command.hint(ui.ctx(), None);
    response.tip(hint).clicked()
}

/// The steps with a bookmark, of all lessons in their order.
fn bookmarks(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    quiet: bool,
    navigation: &mut Vec<Navigation>,
) {
    let marks = &notebook.marks;
    let open = notebook.lesson().number;
    let here = (open, notebook.document().step);
    let mut any = false;
    for lesson in &notebook.set.lessons {
        for (index, step) in lesson.steps.iter().enumerate() {
            if !marks.is_bookmarked(&lesson.slug, &step.slug) {
                continue;
            }
            any = true;
            let there = (lesson.number, index);
            let title = if quiet && there > here {
                format!("{}  Step {}", lesson.number, index + 1)
            } else {
                format!("{}  {}", lesson.number, step.title)
            };
            if row(ui, theme, &title, Sign::Bookmark, there == here).clicked() {
                let page = PageAddress::step(&lesson.slug, &step.slug);
                navigation.push(Navigation::Go(page));
            }
        }
    }
    if any {
        ui.add_space(8.0);
    }
}

fn steps(
    ui: &mut Ui,
    notebook: &Notebook,
    lesson: &Lesson,
    theme: &Theme,
    quiet: bool,
    navigation: &mut Vec<Navigation>,
) {
    let essential = notebook.essential_steps();
    for (index, step) in lesson.steps.iter().enumerate() {
        let here = index == notebook.document().step && notebook.forms().open.is_none();
        let hidden = quiet && index > notebook.document().step;
        let title = if hidden { format!("Step {}", index + 1) } else { step.title.clone() };
        let depth = essential.as_ref().map(|essential| essential[index]);
        let sign = Sign::Step(notebook.progress.of_step(lesson, index), depth);
        let shown = row(ui, theme, &title, sign, here);
        if here {
            follow(ui, &shown, notebook);
        }
        let page = PageAddress::step(&lesson.slug, &step.slug);
        leads_to(&shown, &page);
        if shown.clicked() {
            navigation.push(Navigation::Go(page));
        }
        // After the first picture.
        if index == 0 {
            form(ui, notebook, theme, InventoryForm::Before, navigation);
        }
    }
}

/// The way into a form of the open lesson's inventory.
fn form(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    form: InventoryForm,
    navigation: &mut Vec<Navigation>,
) {
    let (lesson, forms) = (notebook.lesson(), notebook.forms());
    let Some(words) = entrance_words(lesson, form, forms.record(form)) else {
        return;
    };
    let here = forms.open.is_some_and(|open| open.form == form);
    let answered = forms.record(form).map_or(0, |record| record.answered(lesson, form));
    let sign = Sign::Form(answered, questions_of(lesson, form).len());
    let shown = row(ui, theme, &words, sign, here);
    if here {
        follow(ui, &shown, notebook);
    }
    if shown.clicked() {
        navigation.push(Navigation::Form(FormAct::Open(form)));
    }
}

/// How far the reader has come with what a row names.
#[derive(Clone, Copy)]
enum Sign {
    /// How many of its steps are done, and how many there are.
    Lesson(usize, usize),
    /// And whether it is essential, in lessons where some are.
    Step(StepProgress, Option<bool>),
    /// How many of its questions are answered, and how many there are.
    Form(usize, usize),
    /// Not begun.
    Route,
    /// Of a list of their own.
    Bookmark,
}

impl Sign {
    fn words(self) -> String {
        match self {
            Self::Lesson(done, all) => format!("{done} of {all} steps done"),
            Self::Form(answered, all) => format!("{answered} of {all} questions answered"),
            Self::Route => "route".to_owned(),
            Self::Step(progress, Some(true)) => format!("{}, essential", progress.words()),
            Self::Step(progress, _) => progress.words().to_owned(),
            Self::Bookmark => "bookmark".to_owned(),
        }
    }

    fn paint(self, ui: &Ui, theme: &Theme, rect: Rect) {
        let middle = rect.center().y;
        match self {
            Self::Lesson(0, _) | Self::Route => {}
            Self::Lesson(done, all) if done >= all => {
                let at = pos2(rect.left() + 29.0, middle);
                paint_progress(ui, theme, at, 5.5, StepProgress::Solved);
            }
            Self::Lesson(done, all) => {
                let at = pos2(rect.left() + 36.0, middle);
                let words = format!("{done}/{all}");
                let font = FontId::proportional(FINE);
                ui.painter().text_right(at, &words, font, theme.quiet);
            }
            Self::Form(answered, _) => {
                let at = pos2(rect.left() + 50.0, middle);
                // No tick: that all are answered does not say that they are right.
                let progress = match answered {
                    0 => StepProgress::NotSeen,
                    _ => StepProgress::Tried,
                };
                paint_progress(ui, theme, at, 4.5, progress);
            }
            Self::Step(progress, essential) => {
                let at = pos2(rect.left() + 50.0, middle);
                let radius = match essential {
                    Some(true) => 5.0,
                    Some(false) => 3.2,
                    None => 4.5,
                };
                if (progress, essential) == (StepProgress::NotSeen, Some(true)) {
                    ui.painter().circle_stroke(at, 4.0, Stroke::new(2.2, theme.ink));
                } else {
                    paint_progress(ui, theme, at, radius, progress);
                }
            }
            Self::Bookmark => {
                let at = pos2(rect.left() + 29.0, middle);
                paint_bookmark(ui.painter(), at, 12.0, theme.accent, true);
            }
        }
    }
}

/// Room above and below the row of the open page when the list comes to it, in points.
const AROUND_OPEN: f32 = 72.0;

/// Brings the row of the open page into sight when another page was opened; then the
/// list stays where the reader scrolls it.
fn follow(ui: &Ui, row: &Response, notebook: &Notebook) {
    let route = notebook.route().map(|route| &*route.name);
    let form = notebook.forms().open.map(|open| open.form);
    let page = Id::unique((&notebook.lesson().slug, notebook.document().step, route, form));
    let followed = ui.scope_id().with("followed");
    if ui.data(|data| data.get_temp(followed)) == Some(page) {
        return;
    }
    ui.data_mut(|data| data.insert_temp(followed, page));
    let around = row.rect.expand2(vec2(0.0, AROUND_OPEN));
    ui.scroll_to_rect_animation(around, None, ScrollAnimation::none());
}

/// One line, wrapped if it must.
fn row(ui: &mut Ui, theme: &Theme, title: &str, sign: Sign, here: bool) -> Response {
    let step = matches!(sign, Sign::Step(..) | Sign::Form(..));
    let width = ui.available_width();
    let left = if step { 64.0 } else { 44.0 };
    let font = font::text(SMALL, here);
    let color = if here { theme.ink } else { theme.quiet };
    let mut job = egui::text::LayoutJob::simple(title.to_owned(), font, color, width - left - 10.0);
    job.halign = Align::LEFT;
    let galley = ui.painter().layout_job(job);
    let height = galley.size().y + if step { 8.0 } else { 12.0 };
    let least = if touch::is_at_work(ui.ctx()) { FOR_FINGERS } else { 0.0 };
    let height = height.max(least);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::Role::ListItem, true, here, title));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(sign.words());
    });
    if response.hovered() || (here && !step) {
        ui.painter().rect_filled(rect, 0.0, theme.panel);
    }
    if here {
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        let color = if step { theme.accent } else { theme.accent.gamma_multiply(0.5) };
        ui.painter().rect_filled(bar, 0.0, color);
    }
    let at = pos2(rect.left() + left, rect.center().y);
    ui.painter().galley_left(at, galley, color);
    sign.paint(ui, theme, rect);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn the_list_follows_the_open_step_and_then_stays_where_it_is_scrolled() {
        let mut notebook = Notebook::new(LessonSet::embedded(), bindpose_asset::builtin).unwrap();
        notebook.follow("bindpose://bind-pose/edit-it-yourself", 1).unwrap();
        let window = Harness::builder().with_size([WIDTH, 300.0]).with_max_steps(40);
        let window = window.with_context_setup(|context| context.set_fonts(crate::theme::fonts()));
        let mut harness = window.build_ui_state(
            |ui, notebook: &mut Notebook| {
                let (mut recent, theme) = (RecentModels::default(), Theme::light());
                let (mut navigation, mut commands) = (Vec::new(), Vec::new());
                let asked = (&mut navigation, &mut commands);
                super::ui(ui, notebook, &theme, false, &mut recent, asked.0, asked.1);
            },
            notebook,
        );
        let open = |harness: &Harness<'_, Notebook>| {
            let title = harness.state().step().unwrap().title.clone();
            harness.get_by_role_and_label(egui::Role::ListItem, &title).rect()
        };
        let list = Rect::from_min_size(pos2(0.0, 0.0), vec2(WIDTH, 300.0));
        harness.run();
        assert!(list.contains_rect(open(&harness)), "at the start: {}", open(&harness));
        for _ in 0..8 {
            harness.state_mut().turn_page(true);
            harness.run();
            assert!(list.contains_rect(open(&harness)), "after a turn: {}", open(&harness));
        }
        let before = open(&harness);
        harness.hover_at(list.center());
        harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 2000.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        harness.run();
        assert!(open(&harness).top() > before.top() + 100.0, "the reader scrolls it away");
    }

    #[test]
    fn the_lessons_of_a_course_stand_under_its_name() {
        let lesson = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nWords.\n";
        let files = [
            ("lessons.toml", "name = \"hands\"\ntitle = \"Hands\"\nversion = \"1.0\""),
            ("10-a/lesson.md", lesson),
            ("20-b/lesson.md", lesson),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().into()));
        let set = LessonSet::embedded();
        let (set, first) = set.with_course("h.bindpose", files.into()).unwrap();
        let above = |lesson| begun_course(&set, lesson);
        assert_eq!((above(0), above(1)), (None, None));
        assert_eq!(above(first).as_deref(), Some("Hands 1.0"));
        assert_eq!(above(first + 1), None);
    }
}
