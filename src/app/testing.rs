//! A whole notebook for tests, without GL and without a visible window.

use std::path::PathBuf;

use bindpose_lesson::LessonSet;
use bindpose_notebook::{Document, Preferences, model_name};
use bindpose_paper::handout::{HandoutPicture, PictureRequest, PictureSource};
use egui_kittest::Harness;

use super::{Shell, ShellOptions};

/// Creates its shell in the first frame, because a shell needs the context.
#[derive(Default)]
pub(super) struct Page(Option<Shell>);

impl Page {
    pub(super) fn shell(&mut self) -> &mut Shell {
        self.0.as_mut().expect("opened in the first frame")
    }

    pub(super) fn document(&mut self) -> Document {
        self.shell().notebook().document().clone()
    }

    pub(super) fn open_model_name(&mut self) -> String {
        model_name(&self.shell().notebook().derived().rig).to_owned()
    }
}

/// Opens all lessons with the light theme. `recent` are models opened in earlier runs.
pub(super) fn page(size: [f32; 2], recent: Vec<PathBuf>) -> Harness<'static, Page> {
    let preferences = Preferences { dark: Some(false), recent, ..Preferences::default() };
    page_with_preferences(size, preferences)
}

/// Opens all lessons with the given preferences.
pub(super) fn page_with_preferences(
    size: [f32; 2],
    preferences: Preferences,
) -> Harness<'static, Page> {
    page_with(size, LessonSet::embedded(), preferences)
}

/// Opens the given lessons.
pub(super) fn page_with(
    size: [f32; 2],
    set: LessonSet,
    preferences: Preferences,
) -> Harness<'static, Page> {
    page_with_files(size, set, preferences, Vec::new())
}

/// Opens the given lessons and the files of a model.
pub(super) fn page_with_files(
    size: [f32; 2],
    set: LessonSet,
    preferences: Preferences,
    files: Vec<PathBuf>,
) -> Harness<'static, Page> {
    let mut options = Some(ShellOptions { set, preferences, ..ShellOptions::default() });
    let mut harness = Harness::builder().with_size(size).build_ui_state(
        move |ui, page: &mut Page| {
            let shell = page.0.get_or_insert_with(|| {
                let options = options.take().expect("opened once");
                let mut shell = Shell::new(ui.ctx(), None, options).expect("a notebook");
                shell.wait_for_background_work();
                shell.open_command_line_files(ui.ctx(), files.clone(), None, None);
                shell
            });
            shell.ui(ui);
        },
        Page::default(),
    );
    harness.run();
    harness
}

/// Runs frames until nothing is being read any more.
pub(super) fn wait_for_files(harness: &mut Harness<'_, Page>) {
    // It takes a frame or two until a click starts reading.
    for _ in 0..5 {
        harness.step();
    }
    while harness.state_mut().shell().has_pending_files() {
        harness.step();
    }
    harness.run();
}

/// Returns the same small picture for every request.
pub(super) struct PlaceholderPictures;

impl PictureSource for PlaceholderPictures {
    fn picture(&mut self, request: &PictureRequest) -> Option<HandoutPicture> {
        assert!(request.width > 0, "{request:?}");
        Some(HandoutPicture {
            png: b"a picture".to_vec(),
            size: [request.width as f32, 100.0],
            words: "A <dot> & \"more\".".to_owned(),
        })
    }
}

/// Elements without an end tag.
const VOID_ELEMENTS: [&str; 6] = ["meta", "br", "hr", "img", "link", "source"];

/// Asserts that each element is closed in order. `open` are the elements that are open
/// before `html`.
pub(super) fn assert_elements_are_closed(open: &[&str], html: &str) {
    let mut open = open.to_vec();
    for (name, rest) in tags(html) {
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closes what is open");
        } else if !VOID_ELEMENTS.contains(&name) && !rest.ends_with('/') {
            open.push(name);
        }
        assert_eq!(rest.matches('"').count() % 2, 0, "<{name} {rest}>");
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Returns the name and the attributes of each tag.
fn tags(html: &str) -> impl Iterator<Item = (&str, &str)> {
    html.split('<').skip(1).map(|piece| {
        let (tag, _) = piece.split_once('>').expect("a tag that is closed");
        tag.split_once([' ', '\n']).unwrap_or((tag, ""))
    })
}

/// Returns the values of an attribute in all elements.
pub(super) fn attribute_values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    html.split(opening.as_str())
        .skip(1)
        .map(|rest| rest.split_once('"').expect("a value that is closed").0)
        .collect()
}
