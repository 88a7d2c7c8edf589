use std::sync::Arc;

use bindpose_asset::{TaskProgress, builtin, builtin_ids, bundled_model, open};

use super::*;
use crate::app::pack_course;

/// What the check finds in a course, warnings included.
fn findings(folder: &Path) -> Vec<String> {
    let set = LessonSet::from_paths(&[folder.to_owned()]).expect("a course");
    let findings = check_lessons(&set, &|id| builtin(id));
    findings.iter().map(ToString::to_string).collect()
}

fn begun(rig: &Rig, title: Option<&str>) -> (tempfile::TempDir, NewFiles) {
    let dir = tempfile::tempdir().expect("a folder to write in");
    let written = new_course(dir.path(), &NewLesson { title, rig });
    let written = written.unwrap_or_else(|wrong| panic!("{}: {wrong}", rig.id));
    (dir, written)
}

#[test]
fn a_first_lesson_is_sound_on_every_built_in_rig() {
    for id in builtin_ids() {
        let rig = builtin(id).expect("a rig");
        let (dir, written) = begun(&rig, None);
        assert_eq!(findings(dir.path()), Vec::<String>::new(), "{id}");
        assert!(written.paths.contains(&"lessons.toml".to_owned()), "{id}");
        let set = LessonSet::from_paths(&[dir.path().to_owned()]).expect("a course");
        let lesson = set.own_lessons().next().expect("a lesson");
        assert_eq!(set.lessons[lesson].rig, *id);
    }
}

#[test]
fn the_lesson_has_what_a_lecturer_asks_for_first() {
    for id in ["arm", "whale"] {
        let (dir, written) = begun(&builtin(id).expect("a rig"), None);
        let text = dir.path().join(&written.lesson_folder).join("lesson.md");
        let text = fs::read_to_string(text).expect("a lesson");
        for wanted in [
            "[params.",
            "[drive]",
            "```viewport",
            "```angles",
            "```plot",
            "```ask",
            "```predict",
            "```check",
            "(param:",
            "(now:",
            "(value:",
            "<!--",
        ] {
            assert!(text.contains(wanted), "{id}: {wanted}");
        }
        assert!(!text.contains('@'), "{id}: a word of the template is left");
    }
}

#[test]
fn a_model_goes_along_with_the_files_that_it_names_and_is_packed() {
    for name in ["arm.glb", "simple_skin.gltf", "arm.ezm"] {
        let source = bundled_model(name).expect("a model");
        let beside = source.beside.len();
        let rig = open(&source, &TaskProgress::default()).expect("a rig");
        let (dir, written) = begun(&rig, Some("What my \"model\" does"));
        assert_eq!(written.lesson_folder, "10-what-my-model-does");
        assert_eq!(written.paths.len(), 7 + beside, "{:?}", written.paths);
        assert_eq!(findings(dir.path()), Vec::<String>::new(), "{name}");
        let packed = pack_course(dir.path()).expect("a packed course");
        let path = format!("{}/{name}", written.lesson_folder);
        assert!(packed.files.iter().any(|(file, _)| *file == path), "{name}");
        let of_editor = |(file, _): &(String, usize)| file.contains(".vscode");
        assert!(!packed.files.iter().any(of_editor), "{name}");
    }
}

#[test]
fn what_is_there_stays() {
    let arm = builtin("arm").expect("a rig");
    let (dir, _) = begun(&arm, None);
    let lesson = NewLesson { title: None, rig: &arm };
    let wrong = new_course(dir.path(), &lesson).unwrap_err();
    assert_eq!(wrong.code, "FOLDER_NOT_EMPTY");
    let wrong = new_lesson(dir.path(), &lesson).unwrap_err();
    assert_eq!(wrong.code, "NAME_TAKEN");
    let other = NewLesson { title: Some("Squash and stretch"), ..lesson.clone() };
    let more = new_lesson(dir.path(), &other).expect("one more lesson");
    assert_eq!(more.lesson_folder, "20-squash-and-stretch");
    assert_eq!(findings(dir.path()), Vec::<String>::new());
    let nowhere = new_lesson(&dir.path().join("nowhere"), &other).unwrap_err();
    assert_eq!(nowhere.code, "NO_FOLDER");
    let file = dir.path().join("lessons.toml");
    assert_eq!(new_course(&file, &lesson).unwrap_err().code, "IO_ERROR");
    let empty = tempfile::tempdir().expect("a folder to write in");
    let wrong = new_lesson(empty.path(), &lesson).unwrap_err();
    assert!(wrong.help.contains("--lesson"), "{wrong}");
}

#[test]
fn titles_and_models_that_do_not_fit_are_refused_before_anything_is_written() {
    let arm = builtin("arm").expect("a rig");
    let dir = tempfile::tempdir().expect("a folder to write in");
    let folder = dir.path().join("course");
    for title in ["", " \t", "!", "a\u{7}", &"long ".repeat(30)] {
        let lesson = NewLesson { title: Some(title), rig: &arm };
        let wrong = new_course(&folder, &lesson).unwrap_err();
        assert!(wrong.help.contains("--title"), "{title:?}: {wrong}");
    }
    let still = Rig { params: Vec::new(), ..Rig::clone(&builtin("whale").expect("a rig")) };
    let lesson = NewLesson { title: None, rig: &still };
    let wrong = new_course(&folder, &lesson).unwrap_err();
    assert_eq!(wrong.code, "MODEL_UNFIT");
    assert!(!folder.exists());
}

#[test]
fn a_model_with_files_elsewhere_is_refused() {
    let mut source = bundled_model("arm.glb").expect("a model");
    source.beside.insert("../skin.png".to_owned(), Arc::from(&b"x"[..]));
    let wrong = model_files(&source).unwrap_err();
    assert_eq!(wrong.code, "OUTSIDE");
}

#[test]
fn names_of_folders_become_names_of_courses() {
    for (folder, name, title) in [
        ("my-course", "my-course", "My course"),
        ("Kurs über Hände", "kurs-ber-h-nde", "Kurs ber h nde"),
        ("…", "course", "Course"),
    ] {
        let text = course_text(folder);
        assert!(text.contains(&format!("name = \"{name}\"")), "{text}");
        assert!(text.contains(&format!("title = \"{title}\"")), "{text}");
    }
}
