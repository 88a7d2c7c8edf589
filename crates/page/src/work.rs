//! What takes long, beside the page.

use std::time::Duration;

use bindpose_asset::Task;
use eframe::egui::{Context, ProgressBar, RichText, Ui};

use super::theme::Theme;

/// Width of what shows how far a worker is, in points.
const BAR: f32 = 150.0;
/// How often that is drawn anew.
const PROGRESS: Duration = Duration::from_millis(100);
/// What the first frame waits: most files are examined by then, and nothing
/// flickers.
const GLANCE: Duration = Duration::from_millis(8);
/// Where nothing is shown until all is done.
const ALL_THE_TIME: Duration = Duration::from_mins(10);

/// What is worked out beside the page.
#[derive(Debug)]
pub(crate) enum PageWork<T> {
    UnderWay(Task<T>),
    Done(T),
    /// By a fault of this program.
    Broken,
}

impl<T> PageWork<T> {
    /// Most is done in a moment, and nothing flickers.
    pub(crate) fn begun(task: Task<T>) -> Self {
        let mut work = Self::UnderWay(task);
        work.take_answer(GLANCE);
        work
    }

    /// Takes the answer if it is there; `waits`: until it is.
    pub(crate) fn advance(&mut self, waits: bool) {
        self.take_answer(if waits { ALL_THE_TIME } else { Duration::ZERO });
    }

    fn take_answer(&mut self, patience: Duration) {
        if let Self::UnderWay(task) = self
            && let Some(answer) = task.answer(patience)
        {
            *self = answer.map_or(Self::Broken, Self::Done);
        }
    }
}

/// Asks for a frame when the answer is there.
pub(crate) fn waking(ctx: &Context) -> impl FnOnce() + Send + 'static {
    let ctx = ctx.clone();
    move || ctx.request_repaint()
}

/// How far a worker is. It wakes the page when it is done.
pub(crate) fn under_way<T>(ui: &mut Ui, theme: &Theme, words: &str, task: &Task<T>) {
    under_way_at(ui, theme, words, task.fraction());
}

/// The same of work that has come so far, 0 to 1.
pub(crate) fn under_way_at(ui: &mut Ui, theme: &Theme, words: &str, fraction: f32) {
    ui.horizontal_wrapped(|ui| {
        let told = ui.label(RichText::new(words).color(theme.quiet));
        let bar = ProgressBar::new(fraction).desired_width(BAR);
        ui.add(bar.fill(theme.accent)).labelled_by(told.id);
    });
    ui.ctx().request_repaint_after(PROGRESS);
}
