//! Check that every step fits on the screen: the controls to drag and the values to watch
//! are visible together, and the picture is large enough. On a phone each can be reached by
//! scrolling. Pages are laid out without a window and without GL.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use bindpose_lesson::{Cell, CellKind, LessonSet};
use bindpose_notebook::demonstration::Demonstration;
use bindpose_notebook::{PageAddress, Preferences};
use eframe::egui::{Context, Pos2, RawInput, Rect, Vec2, ViewportId, vec2};

use crate::app::shell::{Shell, ShellError, ShellOptions};

/// Maximum number of frames until a page requests no further one.
const MAX_LAYOUT_FRAMES: usize = 12;

/// Requirement for a step to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FitRequirement {
    /// The dragged controls are visible together with the watched values.
    Together,
    /// The same, and matrices and controls of the stage are not cut off as the step opens.
    Whole,
    /// Each can be scrolled to and is not cut off at the side, on a phone.
    Reachable,
}

/// A screen that steps have to fit on.
struct Screen {
    /// Name in the findings.
    name: &'static str,
    size_px: Vec2,
    presenting: bool,
    requirement: FitRequirement,
}

const SCREENS: [Screen; 4] = [
    Screen {
        name: "window of 1280 × 720",
        size_px: Vec2::new(1280.0, 720.0),
        presenting: false,
        requirement: FitRequirement::Together,
    },
    Screen {
        name: "presenter mode at 1280 × 720",
        size_px: Vec2::new(1280.0, 720.0),
        presenting: true,
        requirement: FitRequirement::Whole,
    },
    Screen {
        name: "presenter mode at 1920 × 1080",
        size_px: Vec2::new(1920.0, 1080.0),
        presenting: true,
        requirement: FitRequirement::Together,
    },
    Screen {
        name: "phone of 390 × 844",
        size_px: Vec2::new(390.0, 844.0),
        presenting: false,
        requirement: FitRequirement::Reachable,
    },
];

/// Returns a finding for each part of a step that is out of sight on a screen. Empty if
/// every step fits. A lesson for the reader's own model is laid out with the stand-in model.
///
/// # Errors
/// Fails if there is no lesson.
pub fn find_hidden_parts_of_steps(set: &LessonSet) -> Result<Vec<Diagnostic>, ShellError> {
    let mut findings = Vec::new();
    let outlined: Vec<_> = set.outlined().collect();
    for screen in &SCREENS {
        let mut offscreen = OffscreenNotebook::new(set.clone(), screen)?;
        for number in set.own_lessons() {
            let (lesson, outline) = outlined[number];
            let file = set.file_name(number, &format!("{}/lesson.md", lesson.folder));
            for (index, step) in lesson.steps.iter().enumerate() {
                let link = PageAddress::step(&lesson.slug, &step.slug).link();
                let start = LineColumn { line: 1, column: 1 };
                let position = outline.steps.get(index).copied().unwrap_or(start);
                for hidden in offscreen.find_hidden_parts(&link, screen.requirement) {
                    let title = format!("step {} in the {}: {hidden}", index + 1, screen.name);
                    findings.push(
Diagnostic::said("OUT_OF_SIGHT", title)
.help("show fewer cells at once, smaller ones, or say in drag and watch what belongs together")
.at(Place::text(file.clone(), position)),
);
                }
            }
        }
    }
    Ok(findings)
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
        let mut notebook = Self { ctx, shell, size_px: screen.size_px, time_secs: 0.0 };
        notebook.settle();
        Ok(notebook)
    }

    /// Opens a page and returns the parts of its demonstration that are out of sight.
    fn find_hidden_parts(&mut self, link: &str, requirement: FitRequirement) -> Vec<String> {
        if let Err(error) = self.shell.open_link(link) {
            return vec![error];
        }
        self.settle();
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
            FitRequirement::Reachable => placed.describe_unreachable_parts(&demonstration),
        }
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
        let findings = find_hidden_parts_of_steps(&LessonSet::embedded()).expect("lessons");
        let lines: Vec<String> =
            findings.iter().map(|finding| format!("{}: {}", finding.at, finding.title)).collect();
        assert!(lines.is_empty(), "{} out of sight:\n{}", lines.len(), lines.join("\n"));
    }
}
