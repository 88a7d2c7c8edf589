//! Packs courses into single files, with only those files of a folder that the lessons use. Adds
//! the courses that a window opens with, from the command line or the last run.

use std::path::{Path, PathBuf};

use bindpose_check::check_lessons;
use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_gltf::named_files;
use bindpose_lesson::{
    COURSE_EXTENSION, COURSE_FORMULAS, COURSE_TEXTS, FormulaTable, INVENTORY_FILE, LessonSet,
    PackedFiles, is_model, pack,
};

/// A course as one file.
#[derive(Debug)]
pub struct PackedCourse {
    /// Content of the archive.
    pub bytes: Vec<u8>,
    /// Name from `lessons.toml`.
    pub name: String,
    /// Paths of the packed files, and their sizes in bytes.
    pub files: Vec<(String, usize)>,
}

/// Packs the course in a folder.
///
/// # Errors
///
/// A diagnostic if the course has no `lessons.toml`, has errors, or is too large.
pub fn pack_course(folder: &Path) -> Result<PackedCourse, Diagnostic> {
    let set = LessonSet::from_paths(&[folder.to_owned()])?;
    let course = set.own_lessons().next().and_then(|lesson| set.course_of(lesson));
    let name = course.map(|course| course.name.clone()).unwrap_or_default();
    if name.is_empty() {
        let title = "a course needs a name, which its links begin with";
        let help = "write lessons.toml beside the lessons: title = \"Hands\", name = \"hands\"";
        let place = Place::Whole.within(folder.display().to_string());
        return Err(Diagnostic::said("MISSING", title).help(help).at(place));
    }
    let findings = check_lessons(&set, &|id| bindpose_rigs::builtin(id));
    let error_count = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    if error_count > 0 {
        let title = format!("the course has {}", counted(error_count, "error"));
        let help = format!("`bindpose check {}` says which", folder.display());
        return Err(Diagnostic::said("CHECK", title).help(help));
    }
    let contents = collect_files(&set)?;
    let bytes = pack(&contents)?;
    let files = contents.iter().map(|(path, bytes)| (path.clone(), bytes.len())).collect();
    Ok(PackedCourse { bytes, name, files })
}

/// Collects the files of the only course in the set that is not built in.
fn collect_files(set: &LessonSet) -> Result<PackedFiles, Diagnostic> {
    let mut files = PackedFiles::new();
    for lesson_index in set.own_lessons() {
        let lesson = &set.lessons[lesson_index];
        let key = set.file_key_of(lesson_index);
        for name in COURSE_TEXTS {
            add_existing_file(set, &format!("{key}/{name}"), &mut files)?;
        }
        for name in ["lesson.md", "notes.md", INVENTORY_FILE] {
            add_existing_file(set, &format!("{key}/{}/{name}", lesson.folder), &mut files)?;
        }
        for part in set.parts_of(lesson_index) {
            add_file(set, &format!("{key}/{part}"), &mut files)?;
        }
        for name in lesson.shown_files() {
            add_file(set, &format!("{key}/{}/{name}", lesson.folder), &mut files)?;
        }
        for id in lesson.file_ids() {
            add_file(set, id, &mut files)?;
            if is_model(id) {
                let folder = id.rsplit_once('/').map_or("", |(folder, _)| folder);
                for related in named_files(&set.file(id)?) {
                    // A model can be shown without a missing picture.
                    add_existing_file(set, &format!("{folder}/{related}"), &mut files)?;
                }
            }
        }
    }
    let formulas = FormulaTable::of_lessons(set);
    if formulas.count() > 0 {
        files.insert(COURSE_FORMULAS.to_owned(), formulas.text().into_bytes().into());
    }
    Ok(files)
}

fn add_file(set: &LessonSet, id: &str, files: &mut PackedFiles) -> Result<(), Diagnostic> {
    let path = id.split_once('/').map_or(id, |(_, path)| path);
    files.insert(path.to_owned(), set.file(id)?);
    Ok(())
}

fn add_existing_file(set: &LessonSet, id: &str, files: &mut PackedFiles) -> Result<(), Diagnostic> {
    match set.files_of(id) {
        Some((source, path)) if source.has(path) => add_file(set, id, files),
        _ => Ok(()),
    }
}

/// Returns true if the file name has the extension of packed courses.
pub(super) fn is_course(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(COURSE_EXTENSION))
}

/// Result of opening the courses of a window.
pub(super) struct OpenCourses {
    /// Files of open courses.
    pub(super) files: Vec<PathBuf>,
    /// Messages about courses that could not be opened.
    pub(super) complaints: Vec<String>,
    /// Link to the first lesson of the last course from the command line.
    pub(super) link: Option<String>,
}

/// Adds the courses of the last run, and those from the command line (`given`).
///
/// # Errors
///
/// A diagnostic if a course from the command line cannot be opened.
pub(super) fn add_courses(
    set: &mut LessonSet,
    remembered: &[PathBuf],
    given: &[PathBuf],
) -> Result<OpenCourses, Diagnostic> {
    let mut courses = OpenCourses { files: Vec::new(), complaints: Vec::new(), link: None };
    for path in remembered {
        match open_course(set, path) {
            Ok(_) => courses.files.push(path.clone()),
            Err(error) => courses
                .complaints
                .push(format!("A course of the last time was not opened: {error}.")),
        }
    }
    for path in given {
        courses.link = Some(open_course(set, path)?);
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        courses.files.retain(|known| *known != path);
        courses.files.push(path);
    }
    Ok(courses)
}

/// Adds a course to the lessons. Returns the link to its first lesson.
fn open_course(set: &mut LessonSet, path: &Path) -> Result<String, Diagnostic> {
    let (extended, first_lesson) = set.with_course_at(path)?;
    let link = format!("bindpose://{}", extended.lessons[first_lesson].slug);
    *set = extended;
    Ok(link)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bindpose_lesson::{CellKind, unpack};
    use bindpose_notebook::{Preferences, lesson_rig};
    use bindpose_rigs::bundled_model;

    use super::*;
    use crate::app::testing::page_with;

    const LESSON: &str = "+++\ntitle = \"Hands\"\nminutes = 5\nrig = \"arm.gltf\"\nneeds = [\"bind-pose\"]\n+++\n\n\
        ```viewport main\n```\n\n## One\n\nAs in [lesson 20](lesson:bind-pose), $W_j B_j$ moves \
        a [joint](term:joint) of [2](value:joints()).\n";

    fn course_folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let model = bundled_model("arm.glb").unwrap();
        let files: [(&str, &[u8]); 5] = [
            ("lessons.toml", b"name = \"hands\"\ntitle = \"Hands\"\nversion = \"1.0\"\n"),
            ("10-hands/lesson.md", LESSON.as_bytes()),
            ("10-hands/notes.md", b"## 1. One (5 minutes)\n\nAsk.\n"),
            ("10-hands/private.txt", b"not for the class"),
            ("10-hands/arm.glb", &model.main),
        ];
        for (name, bytes) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        dir
    }

    /// Opens a packed course. Returns its lessons with the index of its first one.
    fn open_packed(packed: &PackedCourse) -> (LessonSet, usize) {
        let files = unpack(&packed.bytes).unwrap();
        LessonSet::embedded().with_course("hands.bindpose", files).unwrap()
    }

    fn finding_texts(set: &LessonSet) -> Vec<String> {
        let findings = check_lessons(set, &|id| bindpose_rigs::builtin(id));
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn packed_course_has_files_of_its_lessons_and_opens() {
        let dir = course_folder();
        let lesson = dir.path().join("10-hands/lesson.md");
        fs::write(&lesson, LESSON.replace("arm.gltf", "arm.glb").replace("[2]", "[3]")).unwrap();
        let wrong = pack_course(dir.path()).unwrap_err();
        assert!(wrong.to_string().contains("1 error"), "{wrong}");
        fs::write(&lesson, LESSON.replace("arm.gltf", "arm.glb")).unwrap();
        let packed = pack_course(dir.path()).unwrap();
        let names: Vec<&str> = packed.files.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            [
                "10-hands/arm.glb",
                "10-hands/lesson.md",
                "10-hands/notes.md",
                "formulas.txt",
                "lessons.toml"
            ]
        );
        let (set, first) = open_packed(&packed);
        let hands = &set.lessons[first];
        assert_eq!((&*hands.slug, &*hands.title), ("hands.hands", "Hands"));
        let rig = lesson_rig(&set, &hands.rig, &|_| None).unwrap();
        assert_eq!(rig.skeleton.len(), 2);
        assert_eq!(check_lessons(&set, &|id| bindpose_rigs::builtin(id)), []);
    }

    #[test]
    fn parts_of_texts_and_rigs_of_steps_are_packed() {
        let dir = course_folder();
        let model = |name: &str| dir.path().join(format!("10-hands/{name}.glb"));
        fs::copy(model("arm"), model("step")).unwrap();
        let parts = "{{#include ../parts/two.md}}\n\n{{#include own.md}}\n";
        let text = format!("{}\n{parts}", LESSON.replace("arm.gltf", "arm.glb"));
        fs::write(dir.path().join("10-hands/lesson.md"), text).unwrap();
        fs::create_dir(dir.path().join("parts")).unwrap();
        let two = "## Two\n\n```set\nrig = \"step.glb\"\n```\n\n[2](value:joints()) joints.\n";
        fs::write(dir.path().join("parts/two.md"), two).unwrap();
        let own = "```viewport other stage\n```\n";
        fs::write(dir.path().join("10-hands/own.md"), own).unwrap();
        let packed = pack_course(dir.path()).unwrap();
        let names: Vec<&str> = packed.files.iter().map(|(name, _)| &**name).collect();
        for name in ["parts/two.md", "10-hands/own.md", "10-hands/step.glb"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        let (set, first) = open_packed(&packed);
        assert_eq!(set.lessons[first].steps.len(), 2);
        assert_eq!(check_lessons(&set, &|id| bindpose_rigs::builtin(id)), []);
    }

    #[test]
    fn pictures_are_checked_and_packed() {
        let dir = course_folder();
        let lesson = dir.path().join("10-hands/lesson.md");
        let picture = "\n![Two rings](art/rings.png)\n\n```picture\nfile = \"dot.png\"\n\
                       alt = \"A dot.\"\ndark = \"light-dot.png\"\n```\n";
        let text = LESSON.replace("arm.gltf", "arm.glb") + picture;
        fs::write(&lesson, text).unwrap();
        let mut png = std::io::Cursor::new(Vec::new());
        let dot = image::RgbaImage::from_fn(60, 40, |x, y| image::Rgba([x as u8, y as u8, 3, 9]));
        dot.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = png.into_inner();
        let folder = dir.path().join("10-hands");
        fs::create_dir(folder.join("art")).unwrap();
        fs::write(folder.join("art/rings.png"), &png).unwrap();
        fs::write(folder.join("dot.png"), &png).unwrap();
        fs::write(folder.join("light-dot.png"), &png[..png.len() / 2]).unwrap();
        let paths = [dir.path().to_owned()];
        let findings = finding_texts(&LessonSet::from_paths(&paths).unwrap());
        assert_eq!(findings.len(), 1, "{findings:?}");
        let expected = ":20:8: error: `light-dot.png` cannot be shown";
        assert!(findings[0].contains(expected), "{findings:?}");
        fs::write(folder.join("light-dot.png"), &png).unwrap();
        let findings = finding_texts(&LessonSet::from_paths(&paths).unwrap());
        assert_eq!(findings, Vec::<String>::new());
        let packed = pack_course(dir.path()).unwrap();
        let names: Vec<&str> = packed.files.iter().map(|(name, _)| &**name).collect();
        for name in ["art/rings.png", "dot.png", "light-dot.png"] {
            let name = format!("10-hands/{name}");
            assert!(names.contains(&&*name), "{names:?}");
        }
        let (set, first) = open_packed(&packed);
        let mut file_count = 0;
        for cell in set.lessons[first].cells() {
            if let CellKind::Picture(picture) = &cell.kind {
                for file in picture.files() {
                    assert!(file.content.is_some());
                    file_count += 1;
                }
            }
        }
        assert_eq!(file_count, 3);
    }

    #[test]
    fn folder_without_a_name_is_rejected() {
        let dir = course_folder();
        fs::remove_file(dir.path().join("lessons.toml")).unwrap();
        let wrong = pack_course(dir.path()).unwrap_err();
        assert!(wrong.help.contains("lessons.toml"), "{wrong}");
    }

    #[test]
    fn desktop_files_name_the_extension_of_courses() {
        let kinds = include_str!("../../../../assets/desktop/bindpose-mime.xml");
        assert!(kinds.contains(&format!("<glob pattern=\"*.{COURSE_EXTENSION}\"/>")));
        let kind = kinds
            .split_once("<mime-type type=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(kind, _)| kind)
            .expect("a kind");
        let entry = include_str!("../../../../assets/desktop/bindpose.desktop");
        let kinds = entry.lines().find(|line| line.starts_with("MimeType="));
        assert!(kinds.is_some_and(|kinds| kinds.contains(kind)), "{entry}");
        assert!(entry.contains("Exec=bindpose --tells-in-window %F"));
    }

    /// Folders of the courses in `docs/examples`.
    fn example_folders() -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
        let entries = fs::read_dir(folder).expect("the examples");
        let mut folders: Vec<PathBuf> = entries
            .map(|entry| entry.expect("a folder").path())
            .filter(|path| path.is_dir())
            .collect();
        folders.sort();
        folders
    }

    #[test]
    fn example_courses_are_sound_and_shown() {
        let folders = example_folders();
        assert_eq!(folders.len(), 2, "{folders:?}");
        for folder in folders {
            let at = folder.display();
            let set = LessonSet::from_paths(std::slice::from_ref(&folder)).expect("a course");
            let findings = finding_texts(&set);
            assert!(findings.is_empty(), "{at}: {findings:#?}");

            let packed = pack_course(&folder).unwrap_or_else(|wrong| panic!("{at}: {wrong}"));
            let files = unpack(&packed.bytes).expect("an archive of our own");
            let (set, first) = LessonSet::embedded()
                .with_course("example.bindpose", files)
                .unwrap_or_else(|wrong| panic!("{at}: {wrong}"));
            let lesson = set.lessons[first].clone();
            let mut harness = page_with([1280.0, 720.0], set, Preferences::default());
            for step in &lesson.steps {
                let link = format!("bindpose://{}/{}", lesson.slug, step.slug);
                let shell = harness.state_mut().shell();
                shell.open_link(&link).unwrap_or_else(|wrong| panic!("{link}: {wrong}"));
                harness.run();
                let shell = harness.state_mut().shell();
                let rig = &shell.notebook().derived().rig.id;
                let wanted = lesson.rig_at(shell.notebook().document().step);
                assert_eq!(rig, wanted, "{link}");
            }
        }
    }
}
