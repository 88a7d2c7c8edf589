//! The teacher's notes window: notes of the open step, the next step, the planned and used
//! minutes, and the time of day.

use bindpose_kit::theme::{self, INTERFACE_SIZE, Theme, family};
use bindpose_kit::widgets::{Tip as _, small_button};
use bindpose_lesson::{Lesson, LessonBlock};
use bindpose_notebook::{LessonTime, Notebook};
use eframe::egui::{self, Align, Layout, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use super::PageContext;
use super::command::Command;
use super::prose::blocks_ui;
use crate::view::classroom::ClassRole;

/// Height of the time bar, in points.
const BAR_HEIGHT: f32 = 6.0;

/// Values for the notes besides those of the page.
pub struct NotesContext<'a> {
    /// Time of day.
    pub clock: String,
    /// Time that the class has spent at each step.
    pub time: &'a mut LessonTime,
    /// Current time on the clock of `time`.
    pub now_secs: f64,
    /// Title of the next step. `None` at the end.
    pub next: Option<String>,
    /// Minutes planned for the next step, if its notes contain them.
    pub next_minutes: Option<u32>,
    /// Route that the class follows, if the open step is on it.
    pub route: Option<FollowedRoute>,
}

/// Route that the class follows.
pub struct FollowedRoute {
    pub title: String,
    /// Minutes planned for the whole route.
    pub minutes: u32,
    /// Lesson and step of each page, and the minutes planned for it.
    pub pages: Vec<(String, usize, Option<u32>)>,
    /// Index of the open page.
    pub at: usize,
}

impl FollowedRoute {
    /// Returns `None` if no route is followed or the open step is not on it.
    pub fn of(notebook: &Notebook) -> Option<Self> {
        let route = notebook.route()?;
        let route_pages = notebook.route_pages();
        let at = notebook.place_in(&route_pages)?;
        let mut pages = Vec::new();
        for page in &route_pages {
            let lesson = &notebook.set.lessons[page.lesson];
            pages.push((lesson.slug.clone(), page.step, page.minutes));
        }
        Some(Self { title: route.title.clone(), minutes: route.minutes, pages, at })
    }
}

/// Draws the notes in the rest of the window.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, context: &mut NotesContext<'_>) {
    header_ui(ui, page, context);
    ui.add_space(12.0);
    egui::Panel::bottom("what comes next")
        .frame(egui::Frame::NONE)
        .show_separator_line(false)
        .show(ui, |ui| footer_ui(ui, page, context));
    let lesson = page.lesson;
    let step = page.document.step;
    ScrollArea::vertical().id_salt((&page.document.lesson, step)).auto_shrink([false, false]).show(
        ui,
        |ui| {
            match lesson.step_notes(step) {
                Some(notes) => notes_ui(ui, notes.blocks, page),
                None => {
                    ui.label(page.theme.caption("This step has no notes."));
                }
            }
            if lesson.lesson_notes().next().is_none() {
                return;
            }
            ui.add_space(20.0);
            let title = RichText::new("The lesson as a whole").family(family::strong());
            egui::CollapsingHeader::new(title).id_salt("the lesson as a whole").show(ui, |ui| {
                for part in lesson.lesson_notes() {
                    notes_ui(ui, part, page);
                    ui.add_space(12.0);
                }
            });
        },
    );
}

fn notes_ui(ui: &mut Ui, blocks: &[LessonBlock], page: &mut PageContext<'_>) {
    blocks_ui(ui, blocks, page, &mut |_, _, _| {});
}

/// Draws a button that opens the invitation. In a class it shows the number of students.
fn class_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let label = match &page.view.classroom.role {
        ClassRole::Student(_) => return,
        // In a browser the notes are a page of their own.
        ClassRole::None if cfg!(target_arch = "wasm32") => return,
        ClassRole::None => "invite the class".to_owned(),
        ClassRole::Teacher(teacher) => format!("{} here", teacher.present()),
    };
    let button = ui.add(small_button(label)).tip(Command::InviteClass.hint(ui.ctx(), None));
    if button.clicked() {
        page.requests.commands.push(Command::InviteClass);
    }
}

/// Draws the clock, the time bar and the title of the step.
fn header_ui(ui: &mut Ui, page: &mut PageContext<'_>, context: &mut NotesContext<'_>) {
    let lesson = page.lesson;
    let step = page.document.step;
    let theme = page.theme;
    let plan = TimePlan::new(lesson, step, context);
    ui.horizontal(|ui| {
        let clock = RichText::new(&context.clock).family(family::strong());
        ui.label(clock.size(theme::TITLE_SIZE));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(small_button("begin the time anew")).clicked() {
                context.time.begin_anew(context.now_secs);
            }
            class_ui(ui, page);
            let total = RichText::new(plan.format_total()).size(INTERFACE_SIZE);
            ui.add(egui::Label::new(total).truncate());
        });
    });
    time_bar_ui(ui, theme, &plan);
    ui.add_space(8.0);
    let caption = match &context.route {
        Some(route) => format!(
            "{} · step {} of {} · {}",
            route.title,
            route.at + 1,
            route.pages.len(),
            plan.format_step()
        ),
        None => {
            format!("Step {} of {} · {}", step + 1, lesson.steps.len(), plan.format_step())
        }
    };
    ui.label(theme.caption(caption));
    if let Some(step) = lesson.steps.get(step) {
        let title = RichText::new(&step.title).family(family::strong());
        ui.label(title.size(theme::HEADING));
    }
}

/// Planned and used time of the lesson or the route, in whole minutes.
struct TimePlan {
    step_planned: Option<u32>,
    step_used: u32,
    total_used: u32,
    /// Minutes planned up to the end of the open step. `None` if the notes of a step do not
    /// contain them.
    planned_so_far: Option<u32>,
    total: u32,
}

impl TimePlan {
    fn new(lesson: &Lesson, step: usize, context: &NotesContext<'_>) -> Self {
        let now_secs = context.now_secs;
        let step_used = whole_minutes(context.time.step_secs(&lesson.slug, step, now_secs));
        if let Some(route) = &context.route {
            let mut used_secs = 0.0;
            for (lesson, step, _) in &route.pages {
                used_secs += context.time.step_secs(lesson, *step, now_secs);
            }
            return Self {
                step_planned: route.pages.get(route.at).and_then(|page| page.2),
                step_used,
                total_used: whole_minutes(used_secs),
                planned_so_far: route.pages.iter().take(route.at + 1).map(|page| page.2).sum(),
                total: route.minutes,
            };
        }
        Self {
            step_planned: planned_minutes(lesson, step),
            step_used,
            total_used: whole_minutes(context.time.lesson_secs(&lesson.slug, now_secs)),
            planned_so_far: (0..=step).map(|step| planned_minutes(lesson, step)).sum(),
            total: lesson.minutes,
        }
    }

    fn is_behind(&self) -> bool {
        self.planned_so_far.is_some_and(|planned| self.total_used > planned)
    }

    fn format_step(&self) -> String {
        let used = self.step_used;
        match self.step_planned {
            Some(planned) => format!("{used} of {planned} min here"),
            None => format!("{used} min here"),
        }
    }

    fn format_total(&self) -> String {
        let used = self.total_used;
        let total = self.total;
        match self.planned_so_far {
            Some(planned) if used > planned => {
                format!("{used} of {total} min, {} behind", used - planned)
            }
            _ => format!("{used} of {total} min"),
        }
    }
}

fn whole_minutes(secs: f64) -> u32 {
    (secs / 60.0) as u32
}

fn planned_minutes(lesson: &Lesson, step: usize) -> Option<u32> {
    lesson.step_notes(step)?.minutes
}

/// Draws the time of the lesson or the route as a bar, with a mark where the open step should
/// end.
fn time_bar_ui(ui: &mut Ui, theme: &Theme, plan: &TimePlan) {
    let size = vec2(ui.available_width(), BAR_HEIGHT + 6.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let rail = rect.shrink2(vec2(0.0, 3.0));
    let total = plan.total.max(1) as f32;
    let painter = ui.painter();
    painter.rect_filled(rail, 3.0, theme.rule);
    let used_share = (plan.total_used as f32 / total).min(1.0);
    let used = rail.with_max_x(rail.left() + rail.width() * used_share);
    let color = if plan.is_behind() { theme.caution } else { theme.accent };
    painter.rect_filled(used, 3.0, color);
    if let Some(planned) = plan.planned_so_far {
        let x = rail.left() + rail.width() * (planned as f32 / total).min(1.0);
        let ends = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        painter.line_segment(ends, egui::Stroke::new(2.0, theme.ink));
    }
    response.tip("The minutes planned: used so far, and a mark where this step should end.");
}

/// Draws the buttons to the previous and the next step, and the title of the next step.
fn footer_ui(ui: &mut Ui, page: &mut PageContext<'_>, context: &NotesContext<'_>) {
    let next = match (&context.next, context.next_minutes) {
        (Some(next), Some(minutes)) => format!("{next} ({minutes} min)"),
        (Some(next), None) => next.clone(),
        (None, _) => "This is the last step.".to_owned(),
    };
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for (command, label) in [(Command::Back, "Back"), (Command::Next, "Next")] {
            if ui.button(label).clicked() {
                page.requests.commands.push(command);
            }
        }
        ui.add(egui::Label::new(page.theme.label(next)).truncate());
    });
}
