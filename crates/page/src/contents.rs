//! The contents: the list of lessons with the reader's progress.

use bindpose_kit::theme::{FINE_SIZE, INTERFACE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{
    PaintText, Tip as _, icon_line, paint_bookmark, reveal_focus, set_link_address,
};
use bindpose_kit::{icons, touch};
use bindpose_lesson::{Lesson, LessonSet, Route};
use bindpose_notebook::inventory::{FormAct, InventoryForm, questions_of};
use bindpose_notebook::{Navigation, Notebook, PageAddress, StepProgress};
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    self, Align, Align2, FontId, Frame, Id, Margin, Rect, Response, Sense, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::command::Command;
use crate::inventory::entrance_words;
use crate::progress_sign::paint_progress;
use crate::recent_models::{self, RecentModels};
use crate::requests::Requests;
use crate::top_bar;

/// Width of the list, in points.
pub const WIDTH_PTS: f32 = 224.0;

/// Text between the number of a lesson and its title.
const NUMBER_SEPARATOR: &str = "  ";
/// Width of the number before a title, in points.
const NUMBER_WIDTH_PTS: f32 = 36.0;

/// Minimum height of a row on a touch screen, in points. Rows have no gaps between them.
const MIN_TOUCH_HEIGHT_PTS: f32 = 40.0;

/// Draws the contents, with the steps of the open lesson. Titles of later steps are
/// hidden if `quiet` is true.
pub fn ui(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    quiet: bool,
    recent: &mut RecentModels,
    requests: &mut Requests,
) {
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.add_space(12.0);
        ui.spacing_mut().item_spacing.y = 2.0;
        if command_line(ui, theme, Command::Search, icons::MAGNIFYING_GLASS) {
            requests.commands.push(Command::Search);
        }
        let is_phone = ui.ctx().content_rect().width() < top_bar::MIN_FULL_BAR_WIDTH_PTS;
        if is_phone {
            // On a phone the contents cover the page, and the bar has no space for these.
            ui.add_space(6.0);
            Frame::NONE.inner_margin(Margin::symmetric(14, 0)).show(ui, |ui| {
                let mut buttons = top_bar::CommandButtons { notebook, theme, requests };
                top_bar::phone_menu(ui, &mut buttons, quiet);
            });
        }
        ui.add_space(6.0);
        current_route_ui(ui, notebook, theme, quiet, requests);
        bookmarks_ui(ui, notebook, theme, quiet, requests);
        for (index, lesson) in notebook.set.lessons.iter().enumerate() {
            if let Some(course) = course_heading(&notebook.set, index) {
                heading_ui(ui, theme, &course);
            }
            let is_open = lesson.slug == notebook.lesson().slug;
            let title = format!("{}{NUMBER_SEPARATOR}{}", lesson.number, lesson.title);
            let sign = Sign::Lesson(notebook.progress.done(lesson), lesson.steps.len());
            let response = row_ui(ui, theme, &title, sign, is_open);
            let page = PageAddress::lesson(&lesson.slug);
            set_link_address(&response, || page.link());
            if response.clicked() && !is_open {
                requests.go_to(page);
            }
            if is_open && !notebook.is_on_route() {
                steps_ui(ui, notebook, lesson, theme, quiet, requests);
                form_row_ui(ui, notebook, theme, InventoryForm::After, requests);
                legend_ui(ui, theme, notebook.essential_steps().is_some());
                ui.add_space(8.0);
            }
        }
        other_routes_ui(ui, notebook, theme, requests);
        ui.add_space(16.0);
        if !is_phone && command_line(ui, theme, Command::Open, icons::FOLDER_OPEN) {
            requests.commands.push(Command::Open);
        }
        recent_models::ui(ui, theme, recent, 57.0);
        if command_line(ui, theme, Command::OpenModelB, icons::FOLDER_OPEN) {
            requests.commands.push(Command::OpenModelB);
        }
        for (command, icon) in [
            (Command::Notes, icons::CHALKBOARD_TEACHER),
            (Command::Keys, icons::KEYBOARD),
            (Command::BeginAnew, icons::ARROW_COUNTER_CLOCKWISE),
        ] {
            if command_line(ui, theme, command, icon) {
                requests.commands.push(command);
            }
        }
        ui.add_space(12.0);
        reveal_focus(ui);
    });
}

/// Returns the heading above the first lesson of a course: its title and version. Returns
/// `None` for other lessons, and for the included lessons if they are first.
fn course_heading(set: &LessonSet, lesson_index: usize) -> Option<String> {
    let course = set.course_of(lesson_index)?;
    let previous = lesson_index.checked_sub(1).and_then(|index| set.course_of(index));
    if previous.is_some_and(|previous| std::ptr::eq(previous, course)) {
        return None;
    }
    match (&*course.title, previous) {
        ("", None) => None,
        ("", Some(_)) => Some("Bindpose".to_owned()),
        (title, _) => Some(format!("{title} {}", course.version).trim().to_owned()),
    }
}

fn heading_ui(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(16.0);
    ui.horizontal(|ui| {
        ui.add_space(44.0);
        ui.label(theme.caption(text));
    });
}

/// Draws the current route with its steps in order.
fn current_route_ui(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    quiet: bool,
    requests: &mut Requests,
) {
    let Some(route) = notebook.route() else {
        return;
    };
    let pages = notebook.route_pages();
    let open_index = notebook.place_in(&pages);
    let mut done_count = 0;
    for page in &pages {
        let lesson = &notebook.set.lessons[page.lesson];
        if notebook.progress.of_step(lesson, page.step) != StepProgress::default() {
            done_count += 1;
        }
    }
    let sign = Sign::Lesson(done_count, pages.len());
    if row_ui(ui, theme, &route.title, sign, open_index.is_some()).clicked()
        && let Some((_, address)) = notebook.way_back_to_route()
    {
        requests.go_to(address);
    }
    for (index, page) in pages.iter().enumerate() {
        let lesson = &notebook.set.lessons[page.lesson];
        let step = &lesson.steps[page.step];
        let is_hidden = quiet && open_index.is_some_and(|open_index| index > open_index);
        // Non-breaking spaces keep the minutes beside the last word.
        let minutes = page
            .minutes
            .map(|minutes| format!("\u{a0}·\u{a0}{minutes}\u{a0}min"))
            .unwrap_or_default();
        let title = if is_hidden {
            format!("Step {}{minutes}", index + 1)
        } else {
            format!("{}{minutes}", step.title)
        };
        let sign = Sign::Step(notebook.progress.of_step(lesson, page.step), None);
        let response = row_ui(ui, theme, &title, sign, open_index == Some(index));
        if open_index == Some(index) {
            scroll_to_open_page(ui, &response, notebook);
        }
        if response.clicked() {
            requests.go_to(PageAddress::step(&lesson.slug, &step.slug));
        }
    }
    legend_ui(ui, theme, false);
    let leave = egui::RichText::new("Leave the route").size(SMALL_SIZE);
    let button = egui::Button::new(leave.color(theme.accent)).frame_when_inactive(false);
    ui.horizontal(|ui| {
        ui.add_space(56.0);
        if ui.add(button).clicked() {
            requests.navigation.push(Navigation::LeaveRoute);
        }
    });
    ui.add_space(12.0);
}

/// Draws the routes other than the current one.
fn other_routes_ui(ui: &mut Ui, notebook: &Notebook, theme: &Theme, requests: &mut Requests) {
    let current = notebook.route().map(|route| &*route.name);
    let others: Vec<&Route> =
        notebook.set.routes.iter().filter(|route| current != Some(&*route.name)).collect();
    if others.is_empty() {
        return;
    }
    heading_ui(ui, theme, "Routes");
    for route in others {
        if row_ui(ui, theme, &route.title, Sign::Route, false).clicked() {
            requests.navigation.push(Navigation::Follow(route.name.clone()));
        }
    }
}

/// Draws a command above or below the lessons. Returns true if it was clicked.
fn command_line(ui: &mut Ui, theme: &Theme, command: Command, icon: &str) -> bool {
    let parts = [
        (icon, 34.0, font::icon(INTERFACE_SIZE)),
        (command.text(), 8.0, FontId::proportional(SMALL_SIZE)),
    ];
    let job = icon_line(parts, theme.quiet);
    let response = ui.add(egui::Button::new(job).frame_when_inactive(false));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, command.text()));
    let hint = command.hint(ui.ctx(), None);
    response.tip(hint).clicked()
}

/// Draws the bookmarked steps of all lessons in order.
fn bookmarks_ui(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    quiet: bool,
    requests: &mut Requests,
) {
    let open_step = (notebook.lesson().number, notebook.document().step);
    let mut has_bookmarks = false;
    for lesson in &notebook.set.lessons {
        for (index, step) in lesson.steps.iter().enumerate() {
            if !notebook.marks.is_bookmarked(&lesson.slug, &step.slug) {
                continue;
            }
            has_bookmarks = true;
            let bookmarked_step = (lesson.number, index);
            let title = if quiet && bookmarked_step > open_step {
                format!("{}{NUMBER_SEPARATOR}Step {}", lesson.number, index + 1)
            } else {
                format!("{}{NUMBER_SEPARATOR}{}", lesson.number, step.title)
            };
            let is_open = bookmarked_step == open_step;
            if row_ui(ui, theme, &title, Sign::Bookmark, is_open).clicked() {
                let page = PageAddress::step(&lesson.slug, &step.slug);
                requests.go_to(page);
            }
        }
    }
    if has_bookmarks {
        ui.add_space(8.0);
    }
}

fn steps_ui(
    ui: &mut Ui,
    notebook: &Notebook,
    lesson: &Lesson,
    theme: &Theme,
    quiet: bool,
    requests: &mut Requests,
) {
    let essential_steps = notebook.essential_steps();
    let open_index = notebook.document().step;
    for (index, step) in lesson.steps.iter().enumerate() {
        let is_open = index == open_index && notebook.forms().open.is_none();
        let is_hidden = quiet && index > open_index;
        let title = if is_hidden { format!("Step {}", index + 1) } else { step.title.clone() };
        let is_essential = essential_steps.as_ref().map(|essential| essential[index]);
        let sign = Sign::Step(notebook.progress.of_step(lesson, index), is_essential);
        let response = row_ui(ui, theme, &title, sign, is_open);
        if is_open {
            scroll_to_open_page(ui, &response, notebook);
        }
        let page = PageAddress::step(&lesson.slug, &step.slug);
        set_link_address(&response, || page.link());
        if response.clicked() {
            requests.go_to(page);
        }
        // The form before the lesson comes after its first picture.
        if index == 0 {
            form_row_ui(ui, notebook, theme, InventoryForm::Before, requests);
        }
    }
}

/// Draws the meanings of the signs before steps, in lines that fit the list.
fn legend_ui(ui: &mut Ui, theme: &Theme, has_essential_steps: bool) {
    const STATES: [StepProgress; 4] =
        [StepProgress::NotSeen, StepProgress::Seen, StepProgress::Tried, StepProgress::Solved];
    const ENTRIES_PER_LINE: usize = 2;
    let mut entries: Vec<(Sign, &str)> =
        STATES.into_iter().map(|progress| (Sign::Step(progress, None), progress.words())).collect();
    if has_essential_steps {
        entries.push((Sign::Step(StepProgress::NotSeen, Some(true)), "essential"));
    }
    ui.add_space(4.0);
    for line in entries.chunks(ENTRIES_PER_LINE) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.spacing_mut().interact_size.y = 0.0;
            ui.add_space(SIGN_OF_STEP_PTS - LEGEND_SIGN_SIZE.x);
            for &(sign, meaning) in line {
                legend_entry_ui(ui, theme, sign, meaning);
            }
        });
    }
}

fn legend_entry_ui(ui: &mut Ui, theme: &Theme, sign: Sign, meaning: &str) {
    let (rect, _) = ui.allocate_exact_size(LEGEND_SIGN_SIZE, Sense::hover());
    sign.paint(ui, theme, rect.with_min_x(rect.center().x - SIGN_OF_STEP_PTS));
    let text = egui::RichText::new(meaning).size(FINE_SIZE).color(theme.quiet);
    ui.add(egui::Label::new(text).extend());
}

/// Draws the row that opens a form of the open lesson's inventory.
fn form_row_ui(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    form: InventoryForm,
    requests: &mut Requests,
) {
    let lesson = notebook.lesson();
    let forms = notebook.forms();
    let Some(title) = entrance_words(lesson, form, forms.record(form)) else {
        return;
    };
    let is_open = forms.open.is_some_and(|open| open.form == form);
    let answered = forms.record(form).map_or(0, |record| record.answered(lesson, form));
    let sign = Sign::Form(answered, questions_of(lesson, form).len());
    let response = row_ui(ui, theme, &title, sign, is_open);
    if is_open {
        scroll_to_open_page(ui, &response, notebook);
    }
    if response.clicked() {
        requests.navigation.push(Navigation::Form(FormAct::Open(form)));
    }
}

/// Distance of a step's sign from the left edge of its row, in points.
const SIGN_OF_STEP_PTS: f32 = 50.0;

/// Size of a sign in the legend, in points.
const LEGEND_SIGN_SIZE: egui::Vec2 = vec2(14.0, 14.0);

/// Sign before a row, which shows the reader's progress.
#[derive(Clone, Copy)]
enum Sign {
    /// Number of steps that are done, and of all steps.
    Lesson(usize, usize),
    /// Progress, and whether the step is essential. `None` in lessons without essential
    /// steps.
    Step(StepProgress, Option<bool>),
    /// Number of questions that are answered, and of all questions.
    Form(usize, usize),
    Route,
    Bookmark,
}

impl Sign {
    fn description(self) -> String {
        match self {
            Self::Lesson(done, total) => format!("{done} of {total} steps done"),
            Self::Form(answered, total) => format!("{answered} of {total} questions answered"),
            Self::Route => "route".to_owned(),
            Self::Step(progress, Some(true)) => format!("{}, essential", progress.words()),
            Self::Step(progress, _) => progress.words().to_owned(),
            Self::Bookmark => "bookmark".to_owned(),
        }
    }

    fn paint(self, ui: &Ui, theme: &Theme, rect: Rect) {
        let center_y = rect.center().y;
        match self {
            Self::Lesson(0, _) | Self::Route => {}
            Self::Lesson(done, total) if done >= total => {
                let anchor = pos2(rect.left() + 29.0, center_y);
                paint_progress(ui, theme, anchor, 5.5, StepProgress::Solved);
            }
            Self::Lesson(done, total) => {
                let anchor = pos2(rect.left() + 36.0, center_y);
                let count_text = format!("{done}/{total}");
                let font = FontId::proportional(FINE_SIZE);
                ui.painter().text_right(anchor, &count_text, font, theme.quiet);
            }
            Self::Form(answered, _) => {
                let anchor = pos2(rect.left() + 50.0, center_y);
                // No tick, because the answers may be wrong.
                let progress = match answered {
                    0 => StepProgress::NotSeen,
                    _ => StepProgress::Tried,
                };
                paint_progress(ui, theme, anchor, 4.5, progress);
            }
            Self::Step(progress, is_essential) => {
                let anchor = pos2(rect.left() + SIGN_OF_STEP_PTS, center_y);
                let radius = match is_essential {
                    Some(true) => 5.0,
                    Some(false) => 3.2,
                    None => 4.5,
                };
                if (progress, is_essential) == (StepProgress::NotSeen, Some(true)) {
                    ui.painter().circle_stroke(anchor, 4.0, Stroke::new(2.2, theme.ink));
                } else {
                    paint_progress(ui, theme, anchor, radius, progress);
                }
            }
            Self::Bookmark => {
                let anchor = pos2(rect.left() + 29.0, center_y);
                paint_bookmark(ui.painter(), anchor, 12.0, theme.accent, true);
            }
        }
    }
}

/// Margin above and below the row of the open page after scrolling to it, in points.
const OPEN_PAGE_MARGIN_PTS: f32 = 72.0;

/// Scrolls to the row of the open page when another page was opened. Afterwards the
/// reader can scroll freely.
fn scroll_to_open_page(ui: &Ui, row: &Response, notebook: &Notebook) {
    let route = notebook.route().map(|route| &*route.name);
    let form = notebook.forms().open.map(|open| open.form);
    let page = Id::unique((&notebook.lesson().slug, notebook.document().step, route, form));
    let last_page_id = ui.scope_id().with("followed");
    if ui.data(|data| data.get_temp(last_page_id)) == Some(page) {
        return;
    }
    ui.data_mut(|data| data.insert_temp(last_page_id, page));
    let target = row.rect.expand2(vec2(0.0, OPEN_PAGE_MARGIN_PTS));
    ui.scroll_to_rect_animation(target, None, ScrollAnimation::none());
}

/// Draws a row, wrapped if it is too long.
fn row_ui(ui: &mut Ui, theme: &Theme, title: &str, sign: Sign, is_open: bool) -> Response {
    let is_indented = matches!(sign, Sign::Step(..) | Sign::Form(..));
    let width = ui.available_width();
    let left = if is_indented { 64.0 } else { 44.0 };
    let font = font::text(SMALL_SIZE, is_open);
    let color = if is_open { theme.ink } else { theme.quiet };
    // The number of a lesson has a column of its own, left of all lines of its title.
    let (number, words) = title.split_once(NUMBER_SEPARATOR).unwrap_or(("", title));
    let words_left = if number.is_empty() { left } else { left + NUMBER_WIDTH_PTS };
    let wrap_width = width - words_left - 10.0;
    let mut job = egui::text::LayoutJob::simple(words.to_owned(), font.clone(), color, wrap_width);
    job.halign = Align::LEFT;
    let galley = ui.painter().layout_job(job);
    let text_height = galley.size().y + if is_indented { 8.0 } else { 12.0 };
    let min_height = if touch::is_touch_active(ui.ctx()) { MIN_TOUCH_HEIGHT_PTS } else { 0.0 };
    let size = vec2(width, text_height.max(min_height));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::Role::ListItem, true, is_open, title));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(sign.description());
    });
    if response.hovered() || (is_open && !is_indented) {
        ui.painter().rect_filled(rect, 0.0, theme.panel);
    }
    if is_open {
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        let color = if is_indented { theme.accent } else { theme.accent.gamma_multiply(0.5) };
        ui.painter().rect_filled(bar, 0.0, color);
    }
    let words_rect = Align2::LEFT_CENTER
        .anchor_size(pos2(rect.left() + words_left, rect.center().y), galley.size());
    if !number.is_empty() {
        let at = pos2(rect.left() + left, words_rect.top());
        ui.painter().text(at, Align2::LEFT_TOP, number, font, color);
    }
    ui.painter().galley_left(words_rect.left_center(), galley, color);
    sign.paint(ui, theme, rect);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn contents_scroll_to_the_open_step_and_then_stay() {
        let mut notebook = Notebook::new(LessonSet::embedded(), bindpose_rigs::builtin).unwrap();
        notebook.follow("bindpose://bind-pose/edit-it-yourself", 1).unwrap();
        let mut harness = Harness::builder()
            .with_size([WIDTH_PTS, 300.0])
            .with_max_steps(40)
            .with_context_setup(|context| context.set_fonts(bindpose_kit::theme::fonts()))
            .build_ui_state(
                |ui, notebook: &mut Notebook| {
                    super::ui(
                        ui,
                        notebook,
                        &Theme::light(),
                        false,
                        &mut RecentModels::default(),
                        &mut Requests::default(),
                    );
                },
                notebook,
            );
        let list = Rect::from_min_size(pos2(0.0, 0.0), vec2(WIDTH_PTS, 300.0));
        harness.run();
        let open = open_row_rect(&harness);
        assert!(list.contains_rect(open), "at the start: {open}");
        for _ in 0..8 {
            harness.state_mut().turn_page(true);
            harness.run();
            let open = open_row_rect(&harness);
            assert!(list.contains_rect(open), "after a turn: {open}");
        }
        let before = open_row_rect(&harness);
        harness.hover_at(list.center());
        harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 2000.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        harness.run();
        let after = open_row_rect(&harness);
        assert!(after.top() > before.top() + 100.0, "the reader scrolls it away");
    }

    fn open_row_rect(harness: &Harness<'_, Notebook>) -> Rect {
        let title = harness.state().step().unwrap().title.clone();
        harness.get_by_role_and_label(egui::Role::ListItem, &title).rect()
    }

    #[test]
    fn lessons_of_a_course_are_below_its_title() {
        let lesson = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nWords.\n";
        let files = [
            ("lessons.toml", "name = \"hands\"\ntitle = \"Hands\"\nversion = \"1.0\""),
            ("10-a/lesson.md", lesson),
            ("20-b/lesson.md", lesson),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().into()));
        let set = LessonSet::embedded();
        let (set, first) = set.with_course("h.bindpose", files.into()).unwrap();
        assert_eq!(course_heading(&set, 0), None);
        assert_eq!(course_heading(&set, 1), None);
        assert_eq!(course_heading(&set, first).as_deref(), Some("Hands 1.0"));
        assert_eq!(course_heading(&set, first + 1), None);
    }
}
