//! Every way to give the program a file, with every kind of file that may not open. A file
//! that does not open is named with the reason, and no other model opens in its place.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_notebook::{KeptPage, Preferences};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, Context, DroppedFile, RawInput, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::InputFile;
use super::input_file::OpenDialogAnswer;
use super::tests::{asset, preferences_with_model};
use crate::app::testing::{self, Page, wait_for_files};

/// Name of the file that is given.
const NAME: &str = "given.glb";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    CommandLine,
    /// A link on the command line or in the address bar that names the file as its model.
    Link,
    Dialog,
    Drop,
    DropOnTeachersWindow,
    /// A paste or a dropped folder in a browser, which returns bytes and no path.
    Browser,
}

const WAYS: [Way; 6] =
    [Way::CommandLine, Way::Link, Way::Dialog, Way::Drop, Way::DropOnTeachersWindow, Way::Browser];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Garbage,
    CutOff,
    TooLarge,
    Missing,
    WithoutSkin,
    GivenTwice,
}

const KINDS: [Kind; 6] = [
    Kind::Garbage,
    Kind::CutOff,
    Kind::TooLarge,
    Kind::Missing,
    Kind::WithoutSkin,
    Kind::GivenTwice,
];

impl Kind {
    fn opens(self) -> bool {
        matches!(self, Self::WithoutSkin | Self::GivenTwice)
    }

    /// Part of the reason for which the file does not open. `None` if the doctor explains it.
    fn reason(self, way: Way) -> Option<&'static str> {
        match self {
            Self::TooLarge if way != Way::Browser => Some("too large"),
            // A dropped file is reported by the desktop without its folder.
            Self::Missing if matches!(way, Way::Drop | Way::DropOnTeachersWindow) => {
                Some("cannot be read")
            }
            Self::Missing => Some("It is not in"),
            _ => None,
        }
    }

    fn write(self, path: &Path) {
        match self {
            Self::Missing => {}
            // The file has holes, and takes no room on the disk.
            Self::TooLarge => std::fs::File::create(path).unwrap().set_len(1 << 40).unwrap(),
            _ => std::fs::write(path, self.bytes()).unwrap(),
        }
    }

    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Garbage => b"hello".to_vec(),
            Self::CutOff => asset("arm/arm.glb")[..1000].to_vec(),
            Self::WithoutSkin => TRIANGLE.into(),
            Self::GivenTwice => asset("arm/arm.glb"),
            Self::TooLarge => TRIANGLE.replace("\"count\":3", "\"count\":4294967295").into(),
            Self::Missing => Vec::new(),
        }
    }
}

/// A mesh without a skin. Its third vertex is the only one that is not at the origin.
const TRIANGLE: &str = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,1],
        "sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},
            "values":{"bufferView":1}}}],
    "bufferViews":[{"buffer":0,"byteLength":1},{"buffer":0,"byteOffset":4,"byteLength":12}],
    "buffers":[{"byteLength":16,"uri":"data:;base64,AgAAAAAAgD8AAIA/AACAPw=="}]}"#;

/// A dropped file as the desktop reports it.
#[derive(Debug)]
struct FileOnDisk(PathBuf);

impl DroppedFile for FileOnDisk {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// Files dropped on the teacher's window before its next frame.
type WindowDrops = Rc<RefCell<Vec<egui::DroppedFileHandle>>>;

/// Draws the teacher's window as a window of its own, as eframe does.
fn open_teachers_window(harness: &mut Harness<'_, Page>) -> WindowDrops {
    let drops = WindowDrops::default();
    let window_drops = Rc::clone(&drops);
    Context::set_immediate_viewport_renderer(move |ctx, mut viewport| {
        let mut input = RawInput { viewport_id: viewport.ids.this, ..RawInput::default() };
        input.viewports.insert(viewport.ids.this, egui::ViewportInfo::default());
        input.dropped_files.append(&mut window_drops.borrow_mut());
        let mut output = ctx.run_ui(input, |ui| (viewport.viewport_ui_cb)(ui));
        // Nothing paints this window.
        output.textures_delta.clear();
    });
    harness.ctx.set_embed_viewports(false);
    harness.state_mut().shell().set_teachers_window(true);
    harness.run_steps(2);
    drops
}

/// Preferences of a run that ended with another model open.
fn preferences(way: Way, last: &Path, given: &Path) -> Preferences {
    let preferences = preferences_with_model(last);
    if way != Way::Link {
        return preferences;
    }
    let page = KeptPage {
        link: format!("bindpose://your-model/is-it-healthy?model={NAME}"),
        ..KeptPage::default()
    };
    let recent = vec![last.to_owned(), given.to_owned()];
    Preferences { page: Some(page), recent, ..preferences }
}

/// Opens a page and gives it the file.
fn give_file(way: Way, kind: Kind, last: &Path, given: &Path) -> Harness<'static, Page> {
    let paths =
        if kind == Kind::GivenTwice { vec![given.to_owned(); 2] } else { vec![given.into()] };
    let set = bindpose_lesson::LessonSet::embedded();
    let named = if way == Way::CommandLine { paths.clone() } else { Vec::new() };
    let preferences = preferences(way, last, given);
    let mut harness = testing::page_with_files([1280.0, 800.0], set, preferences, named);
    wait_for_files(&mut harness);
    match way {
        Way::CommandLine | Way::Link => {}
        Way::Dialog => {
            let dialog = harness.state_mut().shell().dialog_answers();
            harness.press_with(egui::Modifiers::COMMAND, egui::Key::O);
            let files = paths.into_iter().map(InputFile::Path).collect();
            dialog.send(OpenDialogAnswer::Files(files)).unwrap();
        }
        Way::Drop => {
            for path in paths {
                harness.input_mut().dropped_files.push(Arc::new(FileOnDisk(path)));
            }
        }
        Way::DropOnTeachersWindow => {
            let drops = open_teachers_window(&mut harness);
            for path in paths {
                drops.borrow_mut().push(Arc::new(FileOnDisk(path)));
            }
        }
        Way::Browser => {
            let files = paths.iter().map(|_| (NAME.to_owned(), kind.bytes())).collect();
            let ctx = harness.ctx.clone();
            harness.state_mut().shell().open_received_files(&ctx, files);
        }
    }
    wait_for_files(&mut harness);
    harness
}

fn own_model(harness: &mut Harness<'_, Page>) -> Option<Arc<Rig>> {
    harness.state_mut().shell().notebook().own().cloned()
}

fn name_of(model: Option<&Rig>) -> Option<&str> {
    model.map(bindpose_notebook::model_name)
}

#[test]
fn a_file_that_does_not_open_is_named_and_no_other_opens_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let last = folder.path().join("last.glb");
    std::fs::write(&last, asset("arm/arm.glb")).unwrap();
    for kind in KINDS {
        let given = folder.path().join(format!("{kind:?}")).join(NAME);
        std::fs::create_dir(given.parent().unwrap()).unwrap();
        kind.write(&given);
        for way in WAYS {
            let case = format!("{way:?}, {kind:?}");
            if way == Way::Browser && kind == Kind::Missing {
                // A browser gives bytes, not names.
                continue;
            }
            let mut harness = give_file(way, kind, &last, &given);
            let own = own_model(&mut harness);
            if kind.opens() {
                assert_eq!(name_of(own.as_deref()), Some(NAME), "{case}");
                let left_out = harness.query_all_by_label_contains("was left out").count();
                // Bytes of the same name may differ.
                assert_eq!(left_out > 0, way == Way::Browser && kind == Kind::GivenTwice, "{case}");
                continue;
            }
            // A model that was open stays. That of the last run waits.
            let starts_with_file = matches!(way, Way::CommandLine | Way::Link);
            let expected = (!starts_with_file).then_some("last.glb");
            assert_eq!(name_of(own.as_deref()), expected, "{case}");
            if let Some(reason) = kind.reason(way) {
                let reasons = harness.query_all_by_label_contains(reason).count();
                assert!(reasons > 0, "{case}: {reason}");
            }
            if way == Way::Link {
                harness.get_by_label_contains("Your page on “given.glb” is kept");
            } else {
                harness.get_by_label("“given.glb” did not open");
                harness.get_by_role_and_label(Role::Button, "Close").click();
                wait_for_files(&mut harness);
                let own = own_model(&mut harness);
                assert_eq!(name_of(own.as_deref()), expected, "{case}, closed");
            }
            let failure = harness.state_mut().shell().take_named_failure();
            let is_printed = failure.is_some_and(|failure| failure.name == NAME);
            assert_eq!(is_printed, way == Way::CommandLine, "{case}");
            let preferences = harness.state_mut().shell().preferences();
            assert_eq!(preferences.model.as_deref(), Some(&*last), "{case}: it is remembered");
        }
    }
}

#[test]
fn a_link_to_an_unknown_model_opens_no_other_one() {
    let folder = tempfile::tempdir().unwrap();
    let last = folder.path().join("last.glb");
    std::fs::write(&last, asset("arm/arm.glb")).unwrap();
    let link = format!("bindpose://your-model/is-it-healthy?model={NAME}");
    // As the first page.
    let page = KeptPage { link: link.clone(), ..KeptPage::default() };
    let preferences = Preferences { page: Some(page), ..preferences_with_model(&last) };
    let mut harness = testing::page_with_preferences([1280.0, 800.0], preferences);
    wait_for_files(&mut harness);
    assert!(own_model(&mut harness).is_none());
    harness.get_by_label_contains("Your page on “given.glb” is kept");

    // And from another page.
    let preferences = Preferences { page: None, ..preferences_with_model(&last) };
    let mut harness = testing::page_with_preferences([1280.0, 800.0], preferences);
    harness.state_mut().shell().open_link(&link).unwrap();
    wait_for_files(&mut harness);
    assert!(own_model(&mut harness).is_none());
    harness.get_by_label_contains("This page was made on “given.glb”.");
}

#[test]
fn a_model_named_on_the_command_line_opens_at_the_doctors_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, asset("arm/arm.glb")).unwrap();
    // The last page was another step, on the same model.
    let link = "bindpose://your-model/pose-it?model=arm.glb";
    let page = KeptPage { link: link.to_owned(), model: Some(path.clone()), ..KeptPage::default() };
    let preferences = Preferences { page: Some(page), ..preferences_with_model(&path) };
    let set = bindpose_lesson::LessonSet::embedded();
    let mut harness =
        testing::page_with_files([1280.0, 800.0], set, preferences.clone(), vec![path.clone()]);
    wait_for_files(&mut harness);
    assert_eq!(step_name(&mut harness), "is-it-healthy");
    assert_eq!(harness.state_mut().open_model_name(), "arm.glb");
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Z);
    assert!(own_model(&mut harness).is_none(), "undo takes the model away");

    // A named page takes precedence.
    let mut harness = testing::page_with_preferences([1280.0, 800.0], preferences);
    let link = "bindpose://your-model/down-to-its-bytes".to_owned();
    let ctx = harness.ctx.clone();
    harness.state_mut().shell().open_command_line_files(&ctx, vec![path], None, Some(link));
    wait_for_files(&mut harness);
    assert_eq!(step_name(&mut harness), "down-to-its-bytes");
}

fn step_name(harness: &mut Harness<'_, Page>) -> String {
    let notebook = harness.state_mut().shell().notebook();
    notebook.lesson().steps[notebook.document().step].slug.clone()
}
