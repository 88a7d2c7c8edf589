//! A whole notebook, without GL, in a window that only a test sees.

use std::path::PathBuf;

use bindpose_lesson::LessonSet;
use bindpose_notebook::{Document, Preferences, model_name};
use bindpose_paper::handout::{HandoutPicture, PictureRequest, PictureSource};
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
    page_with_files(size, set, preferences, Vec::new())
}

/// The same for a program that is started with files of a model.
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
                shell.wait_for_work();
                shell.open_asked(ui.ctx(), (files.clone(), None), None);
                shell
            });
            shell.ui(ui);
        },
        Page::default(),
    );
    harness.run();
    harness
}

/// The same small picture for everything.
pub(super) struct Dots;

impl PictureSource for Dots {
    fn picture(&mut self, wanted: &PictureRequest) -> Option<HandoutPicture> {
        assert!(wanted.width > 0, "{wanted:?}");
        Some(HandoutPicture {
            png: b"a picture".to_vec(),
            size: [wanted.width as f32, 100.0],
            words: "A <dot> & \"more\".".to_owned(),
        })
    }
}

/// Elements that have no end.
const VOID: [&str; 6] = ["meta", "br", "hr", "img", "link", "source"];

/// Checks that each element ends in its place; `open` are those that have begun.
pub(super) fn each_element_is_closed(open: &[&str], html: &str) {
    let mut open = open.to_vec();
    for (name, rest) in tags(html) {
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closes what is open");
        } else if !VOID.contains(&name) && !rest.ends_with('/') {
            open.push(name);
        }
        assert_eq!(rest.matches('"').count() % 2, 0, "<{name} {rest}>");
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The name and the rest of each tag between `<` and `>`.
fn tags(html: &str) -> impl Iterator<Item = (&str, &str)> {
    html.split('<').skip(1).map(|piece| {
        let (tag, _) = piece.split_once('>').expect("a tag that is closed");
        tag.split_once([' ', '\n']).unwrap_or((tag, ""))
    })
}

/// The values of an attribute, wherever it stands.
pub(super) fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    let parts = html.split(opening.as_str()).skip(1);
    parts.map(|rest| rest.split_once('"').expect("a value that is closed").0).collect()
}
