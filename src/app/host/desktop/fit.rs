//! Check that every step fits on the screen: the controls to drag and the values to watch
//! are visible together, the picture is large enough, and the task is in sight. On a phone
//! each can be reached by scrolling. Pages are laid out without a window and without GL.

mod framing;

use std::fmt;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place, Severity};
use bindpose_lesson::{Cell, CellKind, LessonSet};
use bindpose_notebook::demonstration::Demonstration;
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_notebook::shelf::ShelfParts;
use bindpose_notebook::{PageAddress, Preferences};
use bindpose_page::view::placed::{MIN_LARGE_PICTURE_SHARE, PartsAtHand};
use eframe::egui::{Context, Pos2, RawInput, Rect, Vec2, ViewportId, vec2};
use serde::Serialize;

use crate::app::shell::{Shell, ShellError, ShellOptions};
use framing::{FramingCount, LooseSteps};

/// Maximum number of frames until a page requests no further one.
const MAX_LAYOUT_FRAMES: usize = 12;

/// Maximum number of steps in a course whose task is partly below the fold at 1280 × 720. A
/// task that a reader must scroll for is overlooked, but some follow a long explanation.
const MAX_STEPS_WITH_HIDDEN_TASK: usize = 4;

/// Requirement for a step to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FitRequirement {
    /// The dragged controls are visible together with the watched values.
    Together,
    /// The same, and matrices and controls of the stage are not cut off as the step opens.
    Whole,
    /// Each can be scrolled to and is not cut off at the side, on a phone.
    Reachable,
    /// Only pictures are checked.
    Pictures,
}

/// A screen that steps have to fit on.
struct Screen {
    /// Name in the findings.
    name: &'static str,
    size_px: Vec2,
    presenting: bool,
    requirement: FitRequirement,
    /// Whether pictures with less than [`MIN_LARGE_PICTURE_SHARE`] of the stage are reported.
    has_large_pictures: bool,
    /// Whether tasks should be in sight as the step opens.
    has_tasks_in_sight: bool,
    /// Whether pictures should be framed closely.
    has_close_pictures: bool,
    /// Whether angle, weights and matrix should be at hand without opening anything.
    has_parts_at_hand: bool,
}

impl Screen {
    /// Returns a screen on which only the framing of pictures is checked.
    const fn of_pictures(name: &'static str, size_px: Vec2, presenting: bool) -> Self {
        Self {
            name,
            size_px,
            presenting,
            requirement: FitRequirement::Pictures,
            has_large_pictures: false,
            has_tasks_in_sight: false,
            has_close_pictures: true,
            has_parts_at_hand: false,
        }
    }
}

const SCREENS: [Screen; 9] = [
    Screen {
        name: "window of 1280 × 720",
        size_px: Vec2::new(1280.0, 720.0),
        presenting: false,
        requirement: FitRequirement::Together,
        has_large_pictures: true,
        has_tasks_in_sight: true,
        has_close_pictures: true,
        has_parts_at_hand: true,
    },
    Screen {
        name: "presenter mode at 1280 × 720",
        size_px: Vec2::new(1280.0, 720.0),
        presenting: true,
        requirement: FitRequirement::Whole,
        has_large_pictures: true,
        has_tasks_in_sight: false,
        has_close_pictures: true,
        has_parts_at_hand: false,
    },
    Screen {
        name: "presenter mode at 1920 × 1080",
        size_px: Vec2::new(1920.0, 1080.0),
        presenting: true,
        requirement: FitRequirement::Together,
        has_large_pictures: false,
        has_tasks_in_sight: false,
        has_close_pictures: true,
        has_parts_at_hand: false,
    },
    Screen {
        name: "phone of 390 × 844",
        size_px: Vec2::new(390.0, 844.0),
        presenting: false,
        requirement: FitRequirement::Reachable,
        has_large_pictures: false,
        has_tasks_in_sight: false,
        has_close_pictures: false,
        has_parts_at_hand: false,
    },
    Screen::of_pictures("window of 1366 × 768", Vec2::new(1366.0, 768.0), false),
    Screen::of_pictures("presenter mode at 1366 × 768", Vec2::new(1366.0, 768.0), true),
    Screen::of_pictures("window of 1440 × 900", Vec2::new(1440.0, 900.0), false),
    Screen::of_pictures("presenter mode at 1440 × 900", Vec2::new(1440.0, 900.0), true),
    Screen::of_pictures("window of 1920 × 1080", Vec2::new(1920.0, 1080.0), false),
];

/// Number of steps that have something, of those that could have it.
#[derive(Clone, Debug, Serialize)]
struct StepCount {
    screen: &'static str,
    steps: usize,
    of: usize,
}

impl StepCount {
    fn new(screen: &Screen) -> Self {
        Self { screen: screen.name, steps: 0, of: 0 }
    }

    fn add(&mut self, has_it: bool) {
        self.steps += usize::from(has_it);
        self.of += 1;
    }
}

/// Counts of the steps whose pictures are large and closely framed, whose tasks are in sight, and
/// that have angle, weights and a matrix at hand.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FitCounts {
    large_pictures: Vec<StepCount>,
    tasks_in_sight: Vec<StepCount>,
    framing: Vec<FramingCount>,
    /// Steps with a shelf on which angle, weights and a matrix are shown, by the step or by the
    /// shelf, at once or after an answer.
    parts_at_hand: Vec<StepCount>,
}

/// Formats a line for each screen and what was counted on it.
impl fmt::Display for FitCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (100.0 * MIN_LARGE_PICTURE_SHARE).round();
        for StepCount { screen, steps, of } in &self.large_pictures {
            writeln!(
                f,
                "{screen}: pictures have {percent}% of the stage on {steps} of {of} steps"
            )?;
        }
        for StepCount { screen, steps, of } in &self.tasks_in_sight {
            writeln!(f, "{screen}: the whole task is in sight on {steps} of {of} steps")?;
        }
        for count in &self.framing {
            writeln!(f, "{count}")?;
        }
        for StepCount { screen, steps, of } in &self.parts_at_hand {
            writeln!(
                f,
                "{screen}: angle, weights and a matrix are at hand on {steps} of {of} steps"
            )?;
        }
        Ok(())
    }
}

/// Result of laying out every step on every screen.
#[derive(Debug, Default)]
pub struct FitReport {
    /// Errors for what is out of sight or too small, and notes for tasks that are cut.
    pub findings: Vec<Diagnostic>,
    pub counts: FitCounts,
}

/// Lays out every step on every screen. A lesson for the reader's own model is laid out with
/// the stand-in model.
///
/// # Errors
/// Fails if there is no lesson.
pub fn check_fit_of_steps(set: &LessonSet) -> Result<FitReport, ShellError> {
    let mut report = FitReport::default();
    let outlined: Vec<_> = set.outlined().collect();
    let mut loose_steps = LooseSteps::default();
    for screen in &SCREENS {
        let mut offscreen = OffscreenNotebook::new(set.clone(), screen)?;
        let mut large_pictures = StepCount::new(screen);
        let mut tasks_in_sight = StepCount::new(screen);
        let mut framing = FramingCount::new(screen.name);
        let mut parts_at_hand = StepCount::new(screen);
        for number in set.own_lessons() {
            let (lesson, outline) = outlined[number];
            let file = set.file_name(number, &format!("{}/lesson.md", lesson.folder));
            for (index, step) in lesson.steps.iter().enumerate() {
                let link = PageAddress::step(&lesson.slug, &step.slug).link();
                let start = LineColumn { line: 1, column: 1 };
                let position = outline.steps.get(index).copied().unwrap_or(start);
                let place = Place::text(file.clone(), position);
                let on_screen = format!("step {} in the {}", index + 1, screen.name);
                let (share, hidden_parts) = offscreen.measure_step(&link, screen.requirement);
                for hidden in hidden_parts {
                    let title = format!("{on_screen}: {hidden}");
                    let help = "show fewer cells at once, smaller ones, or say in drag and watch \
                                what belongs together";
                    let finding = Diagnostic::said("OUT_OF_SIGHT", title).help(help);
                    report.findings.push(finding.at(place.clone()));
                }
                if screen.has_close_pictures {
                    let pictures = &offscreen.shell.placed().picture_fills;
                    loose_steps.add((number, index), &place, &on_screen, pictures, &mut framing);
                }
                if screen.has_large_pictures
                    && step.subject.is_none()
                    && let Some(share) = share
                {
                    let is_large = share >= MIN_LARGE_PICTURE_SHARE;
                    large_pictures.add(is_large);
                    if !is_large {
                        let title = format!(
                            "{on_screen}: the pictures have {:.1}% of the stage, not {:.0}%",
                            100.0 * share,
                            100.0 * MIN_LARGE_PICTURE_SHARE
                        );
                        let finding = Diagnostic::said("SMALL_PICTURE", title)
                            .help("or say in `subject` that the step is about code or a table");
                        report.findings.push(finding.at(place.clone()));
                    }
                }
                if screen.has_parts_at_hand
                    && let Some(at_hand) = offscreen.shell.placed().at_hand
                {
                    let missing = missing_parts(at_hand);
                    parts_at_hand.add(missing.is_empty());
                    if !missing.is_empty() {
                        let title = format!("{on_screen}: {} not at hand", missing.join(" and "));
                        let finding = Diagnostic::said("NOT_AT_HAND", title)
                            .help("choose a joint with an angle, or leave the shelf its room");
                        let severity = Severity::Note;
                        report.findings.push(Diagnostic { severity, ..finding.at(place.clone()) });
                    }
                }
                if screen.has_tasks_in_sight
                    && let Some(hidden_height) = offscreen.hidden_height_of_tasks()
                {
                    tasks_in_sight.add(hidden_height <= 0.0);
                    if hidden_height > 0.0 {
                        let title = format!(
                            "{on_screen}: {hidden_height:.0} points of the task are out of sight"
                        );
                        let finding = Diagnostic::said("HIDDEN_TASK", title)
                            .help("move the task up, or what it has earned below it");
                        let severity = Severity::Note;
                        report.findings.push(Diagnostic { severity, ..finding.at(place) });
                    }
                }
            }
        }
        if screen.has_close_pictures {
            report.counts.framing.push(framing);
        }
        if screen.has_large_pictures {
            report.counts.large_pictures.push(large_pictures);
        }
        if screen.has_parts_at_hand {
            report.counts.parts_at_hand.push(parts_at_hand);
        }
        if screen.has_tasks_in_sight {
            let hidden_count = tasks_in_sight.of - tasks_in_sight.steps;
            if hidden_count > MAX_STEPS_WITH_HIDDEN_TASK {
                let title = format!(
                    "in the {}, the task is partly out of sight on {hidden_count} steps, \
                     and may be on {MAX_STEPS_WITH_HIDDEN_TASK}",
                    screen.name
                );
                let finding = Diagnostic::said("HIDDEN_TASKS", title)
                    .help("move tasks up, or what they have earned below them; notes say where");
                report.findings.push(finding);
            }
            report.counts.tasks_in_sight.push(tasks_in_sight);
        }
    }
    report.findings.extend(loose_steps.into_findings());
    Ok(report)
}

/// Returns the parts that neither the step nor its shelf shows, or which the model does not
/// have.
fn missing_parts(at_hand: PartsAtHand) -> Vec<&'static str> {
    let missing = ShelfParts::ALL.without(at_hand.shown).without(at_hand.asked);
    let named =
        [(missing.angle, "angle"), (missing.weights, "weights"), (missing.matrix, "matrix")];
    named.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, name)| name).collect()
}

/// Returns true if a cut-off cell is useless: a matrix, a switch, sliders.
fn must_be_whole(cell: &Cell) -> bool {
    matches!(cell.kind, CellKind::Matrix(_) | CellKind::Stages(_) | CellKind::Angles(_))
}

/// A notebook laid out without a window.
struct OffscreenNotebook {
    ctx: Context,
    shell: Shell,
    size_px: Vec2,
    time_secs: f64,
}

impl OffscreenNotebook {
    fn new(set: LessonSet, screen: &Screen) -> Result<Self, ShellError> {
        let ctx = Context::default();
        let preferences = Preferences { dark: Some(false), ..Preferences::default() };
        let mut shell =
            Shell::new(&ctx, None, ShellOptions { set, preferences, ..ShellOptions::default() })?;
        shell.wait_for_background_work();
        shell.set_presenting_without_window(screen.presenting);
        shell.measure_pictures();
        let mut notebook = Self { ctx, shell, size_px: screen.size_px, time_secs: 0.0 };
        notebook.settle();
        Ok(notebook)
    }

    /// Opens a page. Returns the share of its pictures, and the parts of its demonstration
    /// that are out of sight. In presenter mode these are looked for after cells that are
    /// folded beside large pictures were unfolded.
    fn measure_step(
        &mut self,
        link: &str,
        requirement: FitRequirement,
    ) -> (Option<f32>, Vec<String>) {
        if let Err(error) = self.shell.open_link(link) {
            return (None, vec![error]);
        }
        self.settle();
        let share = self.shell.placed().picture_share();
        if self.shell.is_presenting() {
            self.shell.unfold_stage();
            self.settle();
        }
        (share, self.find_hidden_parts(requirement))
    }

    /// Returns the parts of the open step's demonstration that are out of sight.
    fn find_hidden_parts(&self, requirement: FitRequirement) -> Vec<String> {
        let placed = self.shell.placed();
        let notebook = self.shell.notebook();
        let step = notebook.document().step;
        let demonstration = Demonstration::at(notebook.lesson(), step, &notebook.derived().rig);
        match requirement {
            FitRequirement::Together => placed.describe_hidden_parts(&demonstration),
            FitRequirement::Whole => {
                let cells = notebook.lesson().on_stage(step);
                let whole: Vec<&str> =
                    cells.filter(|cell| must_be_whole(cell)).map(|cell| &*cell.id).collect();
                let mut hidden = placed.describe_hidden_parts(&demonstration);
                hidden.extend(placed.describe_cells_below_fold(&whole));
                hidden
            }
            FitRequirement::Pictures => Vec::new(),
            FitRequirement::Reachable => placed.describe_unreachable_parts(&demonstration),
        }
    }

    /// Returns the height of the tasks of the open step that is out of sight, in points.
    /// Returns `None` if the step has no task.
    fn hidden_height_of_tasks(&mut self) -> Option<f32> {
        let notebook = self.shell.notebook();
        let step = notebook.document().step;
        let placed = self.shell.placed();
        exercises_at(notebook.lesson(), step)
            .map(|(id, _)| placed.hidden_height(id).unwrap_or(f32::INFINITY))
            .reduce(f32::max)
    }

    /// Lays the page out until it requests no further frame.
    fn settle(&mut self) {
        for frame in 0..MAX_LAYOUT_FRAMES {
            self.time_secs += 1.0 / 60.0;
            let size = self.size_px / self.ctx.zoom_factor();
            let mut input = RawInput {
                time: Some(self.time_secs),
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(size.x, size.y))),
                ..RawInput::default()
            };
            if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
                viewport.native_pixels_per_point = Some(1.0);
            }
            let shell = &mut self.shell;
            let mut output = self.ctx.run_ui(input, |ui| shell.ui(ui));
            output.textures_delta.clear();
            let root = output.viewport_output.get(&ViewportId::ROOT);
            if frame >= 3 && root.is_none_or(|root| !root.repaint_delay.is_zero()) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_every_lesson_fits() {
        let report = check_fit_of_steps(&LessonSet::embedded()).expect("lessons");
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let lines: Vec<String> =
            errors.map(|finding| format!("{}: {}", finding.at, finding.title)).collect();
        assert!(lines.is_empty(), "{} out of sight:\n{}", lines.len(), lines.join("\n"));
    }
}
