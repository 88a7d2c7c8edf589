//! Long computations that run outside of the frame, and their progress bar.

use std::time::Duration;

use bindpose_gltf::Task;
use bindpose_kit::theme::Theme;
use eframe::egui::{Context, ProgressBar, RichText, Ui};

/// Width of the progress bar, in points.
const PROGRESS_BAR_WIDTH: f32 = 150.0;
const PROGRESS_REPAINT_INTERVAL: Duration = Duration::from_millis(100);
/// Time that the first frame waits for the result. Most files are examined by then, so that
/// no progress bar flickers.
const FIRST_FRAME_WAIT: Duration = Duration::from_millis(8);
/// Time limit of a frame that must contain the result.
const RESULT_TIMEOUT: Duration = Duration::from_mins(10);

/// A computation that runs outside of the frame, or its result.
#[derive(Debug)]
pub(crate) enum PageWork<T> {
    UnderWay(Task<T>),
    Done(T),
    /// The computation failed by a fault of this program.
    Broken,
}

impl<T> PageWork<T> {
    /// Creates the work of a task that was just started. Waits up to
    /// [`FIRST_FRAME_WAIT`] for its result.
    pub(crate) fn started(task: Task<T>) -> Self {
        let mut work = Self::UnderWay(task);
        work.receive_result(FIRST_FRAME_WAIT);
        work
    }

    /// Receives the result if it is available. If `waits` is true, waits for it.
    pub(crate) fn advance(&mut self, waits: bool) {
        self.receive_result(if waits { RESULT_TIMEOUT } else { Duration::ZERO });
    }

    fn receive_result(&mut self, timeout: Duration) {
        if let Self::UnderWay(task) = self
            && let Some(result) = task.answer(timeout)
        {
            *self = result.map_or(Self::Broken, Self::Done);
        }
    }
}

/// Returns a callback that requests a frame when a task is done.
pub(crate) fn repaint_callback(ctx: &Context) -> impl FnOnce() + Send + 'static {
    let ctx = ctx.clone();
    move || ctx.request_repaint()
}

/// Draws the progress of a task.
pub(crate) fn task_progress_ui<T>(ui: &mut Ui, theme: &Theme, label: &str, task: &Task<T>) {
    progress_ui(ui, theme, label, task.fraction());
}

/// Draws a progress bar with a label. `fraction` is between 0 and 1.
pub(crate) fn progress_ui(ui: &mut Ui, theme: &Theme, label: &str, fraction: f32) {
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(RichText::new(label).color(theme.quiet));
        let bar = ProgressBar::new(fraction).desired_width(PROGRESS_BAR_WIDTH);
        ui.add(bar.fill(theme.accent)).labelled_by(label.id);
    });
    ui.ctx().request_repaint_after(PROGRESS_REPAINT_INTERVAL);
}
