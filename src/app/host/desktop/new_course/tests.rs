use std::sync::Arc;

use bindpose_gltf::{TaskProgress, open};
use bindpose_rigs::{builtin, builtin_ids, bundled_model};

use super::*;
use crate::app::pack_course;

/// Returns all findings of the check in a course, including warnings.
fn finding_texts(folder: &Path) -> Vec<String> {
    let set = LessonSet::from_paths(&[folder.to_owned()]).expect("a course");
    let findings = check_lessons(&set, &|id| builtin(id));
    findings.iter().map(ToString::to_string).collect()
}

fn create_course(rig: &Rig, title: Option<&str>) -> (tempfile::TempDir, NewFiles) {
    let dir = tempfile::tempdir().expect("a folder to write in");
    let written = new_course(dir.path(), &NewLesson { title, rig })
        .unwrap_or_else(|error| panic!("{}: {error}", rig.id));
    (dir, written)
}

#[test]
fn first_lesson_is_sound_on_every_built_in_rig() {
    for id in builtin_ids() {
        let rig = builtin(id).expect("a rig");
        let (dir, written) = create_course(&rig, None);
        assert_eq!(finding_texts(dir.path()), Vec::<String>::new(), "{id}");
        assert!(written.paths.contains(&"lessons.toml".to_owned()), "{id}");
        let set = LessonSet::from_paths(&[dir.path().to_owned()]).expect("a course");
        let lesson = set.own_lessons().next().expect("a lesson");
        assert_eq!(set.lessons[lesson].rig, *id);
    }
}

#[test]
fn lesson_has_the_main_kinds_of_cells() {
    for id in ["arm", "whale"] {
        let (dir, written) = create_course(&builtin(id).expect("a rig"), None);
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
fn model_is_copied_and_packed_with_its_files() {
    for name in ["arm.glb", "simple_skin.gltf", "arm.ezm"] {
        let source = bundled_model(name).expect("a model");
        let beside = source.beside.len();
        let rig = open(&source, &TaskProgress::default()).expect("a rig");
        let (dir, written) = create_course(&rig, Some("What my \"model\" does"));
        assert_eq!(written.lesson_folder, "10-what-my-model-does");
        assert_eq!(written.paths.len(), 7 + beside, "{:?}", written.paths);
        assert_eq!(finding_texts(dir.path()), Vec::<String>::new(), "{name}");
        let packed = pack_course(dir.path()).expect("a packed course");
        let path = format!("{}/{name}", written.lesson_folder);
        assert!(packed.files.iter().any(|(file, _)| *file == path), "{name}");
        assert!(packed.files.iter().all(|(file, _)| !file.contains(".vscode")), "{name}");
    }
}

#[test]
fn existing_files_are_kept() {
    let arm = builtin("arm").expect("a rig");
    let (dir, _) = create_course(&arm, None);
    let lesson = NewLesson { title: None, rig: &arm };
    let error = new_course(dir.path(), &lesson).unwrap_err();
    assert_eq!(error.code, "FOLDER_NOT_EMPTY");
    let error = new_lesson(dir.path(), &lesson).unwrap_err();
    assert_eq!(error.code, "NAME_TAKEN");
    let other = NewLesson { title: Some("Squash and stretch"), ..lesson.clone() };
    let more = new_lesson(dir.path(), &other).expect("one more lesson");
    assert_eq!(more.lesson_folder, "20-squash-and-stretch");
    assert_eq!(finding_texts(dir.path()), Vec::<String>::new());
    let nowhere = new_lesson(&dir.path().join("nowhere"), &other).unwrap_err();
    assert_eq!(nowhere.code, "NO_FOLDER");
    let file = dir.path().join("lessons.toml");
    assert_eq!(new_course(&file, &lesson).unwrap_err().code, "IO_ERROR");
    let empty = tempfile::tempdir().expect("a folder to write in");
    let error = new_lesson(empty.path(), &lesson).unwrap_err();
    assert!(error.help.contains("--lesson"), "{error}");
}

#[test]
fn unfit_titles_and_models_are_rejected_before_writing() {
    let arm = builtin("arm").expect("a rig");
    let dir = tempfile::tempdir().expect("a folder to write in");
    let folder = dir.path().join("course");
    for title in ["", " \t", "!", "a\u{7}", &"long ".repeat(30)] {
        let lesson = NewLesson { title: Some(title), rig: &arm };
        let error = new_course(&folder, &lesson).unwrap_err();
        assert!(error.help.contains("--title"), "{title:?}: {error}");
    }
    let still = Rig { params: Vec::new(), ..Rig::clone(&builtin("whale").expect("a rig")) };
    let lesson = NewLesson { title: None, rig: &still };
    let error = new_course(&folder, &lesson).unwrap_err();
    assert_eq!(error.code, "MODEL_UNFIT");
    assert!(!folder.exists());
}

#[test]
fn model_with_files_elsewhere_is_rejected() {
    let mut source = bundled_model("arm.glb").expect("a model");
    source.beside.insert("../skin.png".to_owned(), Arc::from(&b"x"[..]));
    let error = model_files(&source).unwrap_err();
    assert_eq!(error.code, "OUTSIDE");
}

#[test]
fn folder_names_become_course_names() {
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
