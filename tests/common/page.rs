//! A whole notebook in a window that only a test sees.

use std::sync::Arc;

use bindpose::app::{Shell, ShellOptions};
use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use eframe::glow;
use egui_kittest::{Harness, HarnessBuilder};

/// Opens in the first frame, since a shell needs the context.
#[derive(Default)]
pub(crate) struct Page(Option<Shell>);

impl Page {
    /// The notebook, as it is now.
    pub(crate) fn shell(&mut self) -> &mut Shell {
        self.0.as_mut().expect("opened in the first frame")
    }
}

/// A light page of these lessons, opened at the first. Without `gl` viewports
/// say what is missing. Whoever draws destroys the shell at the end.
pub(crate) fn open(
    window: HarnessBuilder<Page>,
    gl: Option<Arc<glow::Context>>,
    set: LessonSet,
    zoom: f32,
) -> Harness<'static, Page> {
    let options = ShellOptions {
        set,
        preferences: Preferences { dark: Some(false), zoom, ..Preferences::default() },
        ..ShellOptions::default()
    };
    open_with(window, gl, options)
}

/// The same with what is said otherwise.
pub(crate) fn open_with(
    window: HarnessBuilder<Page>,
    gl: Option<Arc<glow::Context>>,
    options: ShellOptions,
) -> Harness<'static, Page> {
    let mut options = Some(options);
    let mut harness = window.build_ui_state(
        move |ui, page: &mut Page| {
            let shell = page.0.get_or_insert_with(|| {
                let options = options.take().expect("opened once");
                let mut shell = Shell::new(ui.ctx(), gl.clone(), options).expect("a notebook");
                shell.wait_for_work();
                shell
            });
            shell.ui(ui);
        },
        Page::default(),
    );
    harness.run_steps(30);
    harness
}
