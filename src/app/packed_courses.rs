//! Courses as one file each: how one is packed from a folder, with what its lessons name and
//! nothing else that lies there; and those that a window opens with, given on the command
//! line or open in the last run.

use std::path::{Path, PathBuf};

use bindpose_asset::{self as asset, named_files};
use bindpose_check::check_lessons;
use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_lesson::{
    COURSE_EXTENSION, COURSE_FORMULAS, COURSE_TEXTS, FormulaTable, INVENTORY_FILE, LessonSet,
    PackedFiles, is_model, pack,
};

/// A course as one file.
#[derive(Debug)]
pub struct PackedCourse {
    /// The archive.
    pub bytes: Vec<u8>,
    /// As its `lessons.toml` names it.
    pub name: String,
    /// Paths and sizes of what is in it, in bytes.
    pub files: Vec<(String, usize)>,
}

/// Packs the course in a folder, which must be without errors.
///
/// Fails when it has no `lessons.toml`, has errors, or is too large.
pub fn pack_course(folder: &Path) -> Result<PackedCourse, Diagnostic> {
    let set = LessonSet::from_paths(&[folder.to_owned()])?;
    let own = set.own_lessons().next();
    let course = own.and_then(|lesson| set.course_of(lesson));
    let name = course.map(|course| course.name.clone()).unwrap_or_default();
    if name.is_empty() {
        let title = "a course needs a name, which its links begin with";
        let help = "write lessons.toml beside the lessons: title = \"Hands\", name = \"hands\"";
        let place = Place::Whole.within(folder.display().to_string());
        return Err(Diagnostic::said("MISSING", title).help(help).at(place));
    }
    let findings = check_lessons(&set, &|id| asset::builtin(id));
    let errors = findings.iter().filter(|f| f.severity == Severity::Error).count();
    if errors > 0 {
        let title = format!("the course has {}", counted(errors, "error"));
        let help = format!("`bindpose check {}` says which", folder.display());
        return Err(Diagnostic::said("CHECK", title).help(help));
    }
    let files = files(&set)?;
    let bytes = pack(&files)?;
    let files = files.iter().map(|(path, bytes)| (path.clone(), bytes.len()));
    Ok(PackedCourse { bytes, name, files: files.collect() })
}

/// The files of the one course in the set that does not come with the program.
fn files(set: &LessonSet) -> Result<PackedFiles, Diagnostic> {
    let mut files = PackedFiles::new();
    for lesson in set.own_lessons() {
        let there = &set.lessons[lesson];
        let key = set.file_key_of(lesson);
        for name in COURSE_TEXTS {
            add_if_there(set, &format!("{key}/{name}"), &mut files)?;
        }
        for name in ["lesson.md", "notes.md", INVENTORY_FILE] {
            add_if_there(set, &format!("{key}/{}/{name}", there.folder), &mut files)?;
        }
        for part in set.parts_of(lesson) {
            add_file(set, &format!("{key}/{part}"), &mut files)?;
        }
        for name in there.shown_files() {
            add_file(set, &format!("{key}/{}/{name}", there.folder), &mut files)?;
        }
        for id in there.file_ids() {
            add_file(set, id, &mut files)?;
            if is_model(id) {
                let folder = id.rsplit_once('/').map_or("", |(folder, _)| folder);
                for beside in named_files(&set.file(id)?) {
                    // A model may lack a picture and be shown all the same.
                    add_if_there(set, &format!("{folder}/{beside}"), &mut files)?;
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

fn add_if_there(set: &LessonSet, id: &str, files: &mut PackedFiles) -> Result<(), Diagnostic> {
    match set.files_of(id) {
        Some((there, path)) if there.has(path) => add_file(set, id, files),
        _ => Ok(()),
    }
}

/// Is it named as a packed course is?
pub(super) fn is_course(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ending.eq_ignore_ascii_case(COURSE_EXTENSION)
}

/// What became of the courses that a window opens with.
pub(super) struct OpenCourses {
    /// Files of those that are open.
    pub(super) files: Vec<PathBuf>,
    /// Of each that could not be opened, why.
    pub(super) complaints: Vec<String>,
    /// To the first lesson of the last one that was given.
    pub(super) link: Option<String>,
}

/// Adds the courses of the last run that are still there, and those that are given.
///
/// Fails when one that is given cannot be read, or is none.
pub(super) fn add_courses(
    set: &mut LessonSet,
    remembered: &[PathBuf],
    given: &[PathBuf],
) -> Result<OpenCourses, Diagnostic> {
    let mut courses = OpenCourses { files: Vec::new(), complaints: Vec::new(), link: None };
    for path in remembered {
        match open_course(set, path) {
            Ok(_) => courses.files.push(path.clone()),
            Err(wrong) => {
                let said = format!("A course of the last time was not opened: {wrong}.");
                courses.complaints.push(said);
            }
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

/// Adds a course to the lessons; the link to its first lesson.
fn open_course(set: &mut LessonSet, path: &Path) -> Result<String, Diagnostic> {
    let (with, first) = set.with_course_at(path)?;
    let link = format!("bindpose://{}", with.lessons[first].slug);
    *set = with;
    Ok(link)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bindpose_asset::bundled_model;
    use bindpose_lesson::{CellKind, unpack};
    use bindpose_notebook::{Preferences, lesson_rig};

    use super::*;
    use crate::app::testing::page_with;

    const LESSON: &str = "+++\ntitle = \"Hands\"\nminutes = 5\nrig = \"arm.gltf\"\nneeds = [\"bind-pose\"]\n+++\n\n\
        ```viewport main\n```\n\n## One\n\nAs in [lesson 20](lesson:bind-pose), $W_j B_j$ moves \
        a [joint](term:joint) of [2](value:joints()).\n";

    fn course() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        write("lessons.toml", b"name = \"hands\"\ntitle = \"Hands\"\nversion = \"1.0\"\n");
        write("10-hands/lesson.md", LESSON.as_bytes());
        write("10-hands/notes.md", b"## 1. One (5 minutes)\n\nAsk.\n");
        write("10-hands/private.txt", b"not for the class");
        let model = bundled_model("arm.glb").unwrap();
        write("10-hands/arm.glb", &model.main);
        dir
    }

    #[test]
    fn a_course_is_packed_with_what_its_lessons_name_and_opens_again() {
        let dir = course();
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
        let set = LessonSet::embedded();
        let set = set.with_course("hands.bindpose", unpack(&packed.bytes).unwrap());
        let (set, first) = set.unwrap();
        let hands = &set.lessons[first];
        assert_eq!((&*hands.slug, &*hands.title), ("hands.hands", "Hands"));
        let rig = lesson_rig(&set, &hands.rig, &|_| None).unwrap();
        assert_eq!(rig.skeleton.len(), 2);
        assert_eq!(check_lessons(&set, &|id| asset::builtin(id)), []);
    }

    #[test]
    fn parts_of_texts_and_rigs_of_steps_are_packed() {
        let dir = course();
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
        let set = LessonSet::embedded();
        let set = set.with_course("hands.bindpose", unpack(&packed.bytes).unwrap());
        let (set, first) = set.unwrap();
        assert_eq!(set.lessons[first].steps.len(), 2);
        assert_eq!(check_lessons(&set, &|id| asset::builtin(id)), []);
    }

    #[test]
    fn pictures_go_along_and_what_is_wrong_with_them_is_told_before() {
        let dir = course();
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
        let found = || {
            let set = LessonSet::from_paths(&[dir.path().to_owned()]).unwrap();
            let found = check_lessons(&set, &|id| asset::builtin(id));
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let wrong = found();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains(":20:8: error: `light-dot.png` cannot be shown"), "{wrong:?}");
        fs::write(folder.join("light-dot.png"), &png).unwrap();
        assert_eq!(found(), Vec::<String>::new());
        let packed = pack_course(dir.path()).unwrap();
        let names: Vec<&str> = packed.files.iter().map(|(name, _)| &**name).collect();
        for name in ["art/rings.png", "dot.png", "light-dot.png"] {
            let name = format!("10-hands/{name}");
            assert!(names.contains(&&*name), "{names:?}");
        }
        let set = LessonSet::embedded();
        let set = set.with_course("hands.bindpose", unpack(&packed.bytes).unwrap());
        let (set, first) = set.unwrap();
        let shown = set.lessons[first].cells().filter_map(|cell| match &cell.kind {
            CellKind::Picture(picture) => Some(picture.files().map(|file| &file.content)),
            _ => None,
        });
        let shown: Vec<_> = shown.flatten().collect();
        assert_eq!(shown.len(), 3);
        assert!(shown.iter().all(|content| content.is_some()));
    }

    #[test]
    fn a_folder_without_a_name_is_no_course() {
        let dir = course();
        fs::remove_file(dir.path().join("lessons.toml")).unwrap();
        let wrong = pack_course(dir.path()).unwrap_err();
        assert!(wrong.help.contains("lessons.toml"), "{wrong}");
    }

    #[test]
    fn what_desktops_are_told_names_the_ending_of_courses() {
        let kinds = include_str!("../../assets/desktop/bindpose-mime.xml");
        assert!(kinds.contains(&format!("<glob pattern=\"*.{COURSE_EXTENSION}\"/>")));
        let kind = kinds
            .split_once("<mime-type type=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(kind, _)| kind)
            .expect("a kind");
        let entry = include_str!("../../assets/desktop/bindpose.desktop");
        let kinds = entry.lines().find(|line| line.starts_with("MimeType="));
        assert!(kinds.is_some_and(|kinds| kinds.contains(kind)), "{entry}");
        assert!(entry.contains("Exec=bindpose --tells-in-window %F"));
    }

    /// The courses in `docs/examples`.
    fn examples() -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
        let entries = fs::read_dir(folder).expect("the examples");
        let folders = entries.map(|entry| entry.expect("a folder").path());
        let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    }

    #[test]
    fn each_is_sound_packed_and_shown_step_by_step() {
        let folders = examples();
        assert_eq!(folders.len(), 2, "{folders:?}");
        for folder in folders {
            let at = folder.display();
            let set = LessonSet::from_paths(std::slice::from_ref(&folder)).expect("a course");
            let found = check_lessons(&set, &|id| asset::builtin(id));
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert!(found.is_empty(), "{at}: {found:#?}");

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
                shell.follow(&link).unwrap_or_else(|wrong| panic!("{link}: {wrong}"));
                harness.run();
                let shell = harness.state_mut().shell();
                let rig = &shell.notebook().derived().rig.id;
                let wanted = lesson.rig_at(shell.notebook().document().step);
                assert_eq!(rig, wanted, "{link}");
            }
        }
    }
}
