//! A whole notebook in the window of a test harness.

use std::sync::Arc;

use bindpose::app::{Shell, ShellOptions};
use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use eframe::egui::Ui;
use eframe::glow;
use egui_kittest::{Harness, HarnessBuilder};

/// Holds the shell, which is created in the first frame because it needs the egui context.
#[derive(Default)]
pub(crate) struct Page(Option<Shell>);

impl Page {
    pub(crate) fn shell(&mut self) -> &mut Shell {
        self.0.as_mut().expect("opened in the first frame")
    }
}

/// Opens the first lesson of a set in light mode. Without `gl`, viewports show an error. Tests that
/// draw must destroy the shell at the end.
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

/// Like [`open`], with other options.
pub(crate) fn open_with(
    window: HarnessBuilder<Page>,
    gl: Option<Arc<glow::Context>>,
    options: ShellOptions,
) -> Harness<'static, Page> {
    build(window, gl, options, Shell::ui)
}

/// Like [`open_with`], with a function that draws the notebook into the content of the harness.
pub(crate) fn build(
    window: HarnessBuilder<Page>,
    gl: Option<Arc<glow::Context>>,
    options: ShellOptions,
    draw: fn(&mut Shell, &mut Ui),
) -> Harness<'static, Page> {
    let mut options = Some(options);
    let mut harness = window.build_ui_state(
        move |ui, page: &mut Page| {
            let shell = page.0.get_or_insert_with(|| {
                let options = options.take().expect("opened once");
                let mut shell = Shell::new(ui.ctx(), gl.clone(), options).expect("a notebook");
                shell.wait_for_background_work();
                shell
            });
            draw(shell, ui);
        },
        Page::default(),
    );
    harness.run_steps(30);
    harness
}
