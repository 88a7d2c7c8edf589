//! What a teacher reads while teaching: the notes of the step in sight, the next
//! step, the minutes planned and used, and the time of day.

use bindpose_lesson::{Lesson, LessonBlock, RoutePage};
use bindpose_notebook::{LessonTime, Notebook};
use eframe::egui::{self, Align, Layout, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use super::PageContext;
use super::classroom::ClassPart;
use super::command::Command;
use super::prose::blocks_ui;
use super::theme::{self, INTERFACE, Theme, family};
use super::widgets::small_button;
use crate::widgets::Tip as _;

/// Height of the bar of time, in points.
const BAR: f32 = 6.0;

/// What the notes have beside the page.
pub struct NotesContext<'a> {
    /// The time of day.
    pub clock: String,
    /// How long the class has been where.
    pub time: &'a mut LessonTime,
    /// Now, as `time` counts.
    pub now_secs: f64,
    /// What comes next, in words; `None` at the end.
    pub next: Option<String>,
    /// To plan for it, where that is said.
    pub next_minutes: Option<u32>,
    /// The route that is followed, where the step in sight is on it.
    pub route: Option<FollowedRoute>,
    /// Where a request for another step is put.
    pub commands: &'a mut Vec<Command>,
}

/// The route that is followed.
pub struct FollowedRoute {
    /// For people.
    pub title: String,
    /// That the class has for it.
    pub minutes: u32,
    /// Lesson and step of each page, and the minutes planned for it.
    pub pages: Vec<(String, usize, Option<u32>)>,
    /// Which of them is in sight.
    pub at: usize,
}

impl FollowedRoute {
    /// `None` without a route, and beside it.
    pub fn of(notebook: &Notebook) -> Option<Self> {
        let route = notebook.route()?;
        let pages = notebook.route_pages();
        let at = notebook.place_in(&pages)?;
        let page = |page: &RoutePage| {
            let lesson = &notebook.set.lessons[page.lesson];
            (lesson.slug.clone(), page.step, page.minutes)
        };
        Some(Self {
            title: route.title.clone(),
            minutes: route.minutes,
            pages: pages.iter().map(page).collect(),
            at,
        })
    }
}

/// Shows all in what is left of the window.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, context: &mut NotesContext<'_>) {
    head(ui, page, context);
    ui.add_space(12.0);
    egui::Panel::bottom("what comes next")
        .frame(egui::Frame::NONE)
        .show_separator_line(false)
        .show(ui, |ui| foot(ui, page, context));
    let (lesson, step) = (page.lesson, page.document.step);
    ScrollArea::vertical().id_salt((&page.document.lesson, step)).auto_shrink([false, false]).show(
        ui,
        |ui| {
            match lesson.step_notes(step) {
                Some(notes) => blocks(ui, notes.blocks, page),
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
                    blocks(ui, part, page);
                    ui.add_space(12.0);
                }
            });
        },
    );
}

fn blocks(ui: &mut Ui, blocks: &[LessonBlock], page: &mut PageContext<'_>) {
    blocks_ui(ui, blocks, page, &mut |_, _, _| {});
}

/// The way to invite the class, or how many are there.
fn class_ui(ui: &mut Ui, page: &PageContext<'_>, commands: &mut Vec<Command>) {
    let words = match &page.view.classroom.part {
        ClassPart::Student(_) => return,
        // The window is a page of its own there.
        ClassPart::None if cfg!(target_arch = "wasm32") => return,
        ClassPart::None => "invite the class".to_owned(),
        ClassPart::Teacher(teacher) => format!("{} here", teacher.present()),
    };
    let invite = ui.add(small_button(words)).tip(Command::InviteClass.hint(ui.ctx(), None));
    if invite.clicked() {
        commands.push(Command::InviteClass);
    }
}

/// The clock, the title of the step, and how far time and plan are.
fn head(ui: &mut Ui, page: &PageContext<'_>, context: &mut NotesContext<'_>) {
    let (lesson, step, theme) = (page.lesson, page.document.step, page.theme);
    let plan = Plan::of(lesson, step, context);
    ui.horizontal(|ui| {
        let clock = RichText::new(&context.clock).family(family::strong());
        ui.label(clock.size(theme::TITLE));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(small_button("begin the time anew")).clicked() {
                context.time.begin_anew(context.now_secs);
            }
            class_ui(ui, page, context.commands);
            ui.add(egui::Label::new(RichText::new(plan.in_all()).size(INTERFACE)).truncate());
        });
    });
    bar(ui, theme, &plan);
    ui.add_space(8.0);
    let about = match &context.route {
        Some(route) => format!(
            "{} · step {} of {} · {}",
            route.title,
            route.at + 1,
            route.pages.len(),
            plan.here()
        ),
        None => format!("Step {} of {} · {}", step + 1, lesson.steps.len(), plan.here()),
    };
    ui.label(theme.caption(about));
    if let Some(step) = lesson.steps.get(step) {
        let title = RichText::new(&step.title).family(family::strong());
        ui.label(title.size(theme::HEADING));
    }
}

/// Whole minutes, planned and used.
struct Plan {
    here: (Option<u32>, u32),
    used: u32,
    /// Until this step ends; absent where the notes do not say it.
    planned: Option<u32>,
    all: u32,
}

impl Plan {
    fn of(lesson: &Lesson, step: usize, context: &NotesContext<'_>) -> Self {
        let whole = |secs: f64| (secs / 60.0) as u32;
        let used_here = whole(context.time.step_secs(&lesson.slug, step, context.now_secs));
        if let Some(route) = &context.route {
            let secs = |(lesson, step, _): &(String, usize, Option<u32>)| {
                context.time.step_secs(lesson, *step, context.now_secs)
            };
            let (pages, at) = (&route.pages, route.at);
            return Self {
                here: (pages.get(at).and_then(|page| page.2), used_here),
                used: whole(pages.iter().map(secs).sum()),
                planned: pages.iter().take(at + 1).map(|page| page.2).sum(),
                all: route.minutes,
            };
        }
        let minutes = |step: usize| lesson.step_notes(step).and_then(|notes| notes.minutes);
        Self {
            here: (minutes(step), used_here),
            used: whole(context.time.lesson_secs(&lesson.slug, context.now_secs)),
            planned: (0..=step).map(minutes).sum(),
            all: lesson.minutes,
        }
    }

    fn here(&self) -> String {
        match self.here {
            (Some(planned), used) => format!("{used} of {planned} min here"),
            (None, used) => format!("{used} min here"),
        }
    }

    fn in_all(&self) -> String {
        let late = self.planned.map_or(0, |planned| self.used.saturating_sub(planned));
        let late = match late {
            0 => String::new(),
            late => format!(", {late} behind"),
        };
        format!("{} of {} min{late}", self.used, self.all)
    }
}

/// The time of the lesson or the route from left to right: what is used, and a mark where this step
/// should end.
fn bar(ui: &mut Ui, theme: &Theme, plan: &Plan) {
    let size = vec2(ui.available_width(), BAR + 6.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let rail = rect.shrink2(vec2(0.0, 3.0));
    let part = |minutes: u32| (minutes as f32 / plan.all.max(1) as f32).min(1.0);
    let painter = ui.painter();
    painter.rect_filled(rail, 3.0, theme.rule);
    let used = rail.with_max_x(rail.left() + rail.width() * part(plan.used));
    let is_late = plan.planned.is_some_and(|planned| plan.used > planned);
    let color = if is_late { theme.caution } else { theme.accent };
    painter.rect_filled(used, 3.0, color);
    if let Some(planned) = plan.planned {
        let x = rail.left() + rail.width() * part(planned);
        let ends = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        painter.line_segment(ends, egui::Stroke::new(2.0, theme.ink));
    }
    response.tip("The minutes planned: used so far, and a mark where this step should end.");
}

/// What comes next, and the way there and back.
fn foot(ui: &mut Ui, page: &PageContext<'_>, context: &mut NotesContext<'_>) {
    let words = match (&context.next, context.next_minutes) {
        (Some(next), Some(minutes)) => format!("{next} ({minutes} min)"),
        (Some(next), None) => next.clone(),
        (None, _) => "This is the last step.".to_owned(),
    };
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for (command, text) in [(Command::Back, "Back"), (Command::Next, "Next")] {
            if ui.button(text).clicked() {
                context.commands.push(command);
            }
        }
        ui.add(egui::Label::new(page.theme.label(words)).truncate());
    });
}
