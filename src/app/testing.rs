//! A whole notebook, without GL, in a window that only a test sees.

use std::path::PathBuf;

use bindpose_lesson::LessonSet;
use bindpose_notebook::{Document, Preferences, model_name};
use egui_kittest::Harness;

use super::{Shell, ShellOptions};

/// Opens in the first frame, since a shell needs the context.
#[derive(Default)]
pub(super) struct Page(Option<Shell>);

impl Page {
    pub(super) fn shell(&mut self) -> &mut Shell {
        self.0.as_mut().expect("opened in the first frame")
    }

    pub(super) fn document(&mut self) -> Document {
        self.shell().notebook().document().clone()
    }

    /// Name of the model that stands there.
    pub(super) fn standing(&mut self) -> String {
        model_name(&self.shell().notebook().derived().rig).to_owned()
    }
}

/// All lessons in a light window of this size; `recent`: models that were opened
/// before.
pub(super) fn page(size: [f32; 2], recent: Vec<PathBuf>) -> Harness<'static, Page> {
    let preferences = Preferences { dark: Some(false), recent, ..Preferences::default() };
    page_of(size, preferences)
}

/// All lessons in a window of this size, with what was remembered.
pub(super) fn page_of(size: [f32; 2], preferences: Preferences) -> Harness<'static, Page> {
    page_with(size, LessonSet::embedded(), preferences)
}

/// The same with other lessons.
pub(super) fn page_with(
    size: [f32; 2],
    set: LessonSet,
    preferences: Preferences,
) -> Harness<'static, Page> {
    let mut options = Some(ShellOptions { set, preferences, ..ShellOptions::default() });
    let mut harness = Harness::builder().with_size(size).build_ui_state(
        move |ui, page: &mut Page| {
            let shell = page.0.get_or_insert_with(|| {
                let options = options.take().expect("opened once");
                let mut shell = Shell::new(ui.ctx(), None, options).expect("a notebook");
                shell.wait_for_work();
                shell
            });
            shell.ui(ui);
        },
        Page::default(),
    );
    harness.run();
    harness
}
