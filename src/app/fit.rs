//! Does every step fit: is what it asks to drag in sight together with what it
//! asks to watch, and is the picture large enough; on a phone, can each be reached? Pages are laid out without a
//! window and without GL.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use bindpose_lesson::{Cell, CellKind, LessonSet};
use bindpose_notebook::demonstration::Demonstration;
use bindpose_notebook::{PageAddress, Preferences};
use eframe::egui::{Context, Pos2, RawInput, Rect, Vec2, ViewportId, vec2};

use super::shell::{Shell, ShellError, ShellOptions};

/// A page is laid out so often at most, until it asks for no further frame.
const MOST_FRAMES: usize = 12;

/// How much of a step has to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WantedFit {
    /// What is dragged is in sight together with what is watched.
    Together,
    /// The same, and matrices and controls of the stage are whole as the step opens.
    Whole,
    /// Each can be scrolled to and is not cut off at its side, on a phone.
    Reachable,
}

/// Where a step has to fit: words, the size in pixels, whether it is shown as in
/// presenter mode, and how much of it has to fit there.
const SCREENS: [(&str, Vec2, bool, WantedFit); 4] = [
    ("window of 1280 × 720", Vec2::new(1280.0, 720.0), false, WantedFit::Together),
    ("presenter mode at 1280 × 720", Vec2::new(1280.0, 720.0), true, WantedFit::Whole),
    ("presenter mode at 1920 × 1080", Vec2::new(1920.0, 1080.0), true, WantedFit::Together),
    ("phone of 390 × 844", Vec2::new(390.0, 844.0), false, WantedFit::Reachable),
];

/// What of which step is out of sight on which screen; empty if every step fits.
/// A lesson for the reader's own model is laid out on the one that stands there
/// without.
///
/// Fails when there is no lesson.
pub fn fit(set: &LessonSet) -> Result<Vec<Diagnostic>, ShellError> {
    let mut found = Vec::new();
    for (words, size, presenting, how) in SCREENS {
        let mut screen = Screen::new(set.clone(), size, presenting)?;
        let outlined: Vec<_> = set.outlined().collect();
        for number in set.own_lessons() {
            let (lesson, outline) = outlined[number];
            for (index, step) in lesson.steps.iter().enumerate() {
                let link = PageAddress::step(&lesson.slug, &step.slug).link();
                let hidden = screen.out_of_sight(&link, how);
                let at = outline.steps.get(index).copied();
                let at = at.unwrap_or(LineColumn { line: 1, column: 1 });
                let file = set.file_name(number, &format!("{}/lesson.md", lesson.folder));
                found.extend(hidden.into_iter().map(|hidden| {
                    let title = format!("step {} in the {words}: {hidden}", index + 1);
                    Diagnostic::said("OUT_OF_SIGHT", title)
                        .help("show fewer cells at once, smaller ones, or say in drag and watch what belongs together")
                        .at(Place::text(file.clone(), at))
                }));
            }
        }
    }
    Ok(found)
}

/// Is a part of the cell of no use: a matrix, a switch, sliders?
fn is_whole(cell: &Cell) -> bool {
    matches!(cell.kind, CellKind::Matrix(_) | CellKind::Stages(_) | CellKind::Angles(_))
}

/// A notebook on a screen that nobody sees.
struct Screen {
    ctx: Context,
    shell: Shell,
    size: Vec2,
    time_secs: f64,
}

impl Screen {
    fn new(set: LessonSet, size: Vec2, presenting: bool) -> Result<Self, ShellError> {
        let ctx = Context::default();
        let preferences = Preferences { dark: Some(false), ..Preferences::default() };
        let mut shell =
            Shell::new(&ctx, None, ShellOptions { set, preferences, ..ShellOptions::default() })?;
        shell.wait_for_work();
        shell.present(presenting);
        let mut screen = Self { ctx, shell, size, time_secs: 0.0 };
        screen.settle();
        Ok(screen)
    }

    /// Opens a page and says what of its demonstration is out of sight there.
    fn out_of_sight(&mut self, link: &str, how: WantedFit) -> Vec<String> {
        if let Err(wrong) = self.shell.follow(link) {
            return vec![wrong];
        }
        self.settle();
        let placed = self.shell.placed();
        let notebook = self.shell.notebook();
        let step = notebook.document().step;
        let wanted = Demonstration::at(notebook.lesson(), step, &notebook.derived().rig);
        match how {
            WantedFit::Together => placed.out_of_sight(&wanted),
            WantedFit::Whole => {
                let cells = notebook.lesson().on_stage(step);
                let whole: Vec<&str> =
                    cells.filter(|cell| is_whole(cell)).map(|cell| &*cell.id).collect();
                let mut found = placed.out_of_sight(&wanted);
                found.extend(placed.cut_by_the_fold(&whole));
                found
            }
            WantedFit::Reachable => placed.out_of_reach(&wanted),
        }
    }

    /// Lays the page out until it stands still.
    fn settle(&mut self) {
        for frame in 0..MOST_FRAMES {
            self.time_secs += 1.0 / 60.0;
            let size = self.size / self.ctx.zoom_factor();
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
        let found = fit(&LessonSet::embedded()).expect("lessons");
        let words: Vec<String> =
            found.iter().map(|found| format!("{}: {}", found.at, found.title)).collect();
        assert!(words.is_empty(), "{} out of sight:\n{}", words.len(), words.join("\n"));
    }
}
