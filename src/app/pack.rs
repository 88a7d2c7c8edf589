//! A folder of lessons as one file: what its lessons name, and nothing else that lies
//! there.

use std::path::Path;

use bindpose_asset::{self as asset, named_files};
use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_lesson::{
    COURSE_FORMULAS, COURSE_TEXTS, FormulaTable, INVENTORY_FILE, LessonSet, PackedFiles, is_model,
    pack,
};
use bindpose_notebook::check;

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
    let findings = check::check(&set, &|id| asset::builtin(id));
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
            add(set, &format!("{key}/{part}"), &mut files)?;
        }
        for name in there.shown_files() {
            add(set, &format!("{key}/{}/{name}", there.folder), &mut files)?;
        }
        for id in there.file_ids() {
            add(set, id, &mut files)?;
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

fn add(set: &LessonSet, id: &str, files: &mut PackedFiles) -> Result<(), Diagnostic> {
    let path = id.split_once('/').map_or(id, |(_, path)| path);
    files.insert(path.to_owned(), set.file(id)?);
    Ok(())
}

fn add_if_there(set: &LessonSet, id: &str, files: &mut PackedFiles) -> Result<(), Diagnostic> {
    match set.files_of(id) {
        Some((there, path)) if there.has(path) => add(set, id, files),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bindpose_asset::bundled_model;
    use bindpose_lesson::{CellKind, unpack};
    use bindpose_notebook::lesson_rig;

    use super::*;

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
        assert_eq!(check::check(&set, &|id| asset::builtin(id)), []);
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
        assert_eq!(check::check(&set, &|id| asset::builtin(id)), []);
    }

    #[test]
    fn pictures_go_along_and_what_is_wrong_with_them_is_told_before() {
        let dir = course();
        let lesson = dir.path().join("10-hands/lesson.md");
        let picture = "\n![Two rings](art/rings.svg)\n\n```picture\nfile = \"dot.png\"\n\
                       alt = \"A dot.\"\ndark = \"light-dot.png\"\n```\n";
        let text = LESSON.replace("arm.gltf", "arm.glb") + picture;
        fs::write(&lesson, text).unwrap();
        let mut png = std::io::Cursor::new(Vec::new());
        let dot = image::RgbaImage::from_fn(60, 40, |x, y| image::Rgba([x as u8, y as u8, 3, 9]));
        dot.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = png.into_inner();
        let folder = dir.path().join("10-hands");
        fs::create_dir(folder.join("art")).unwrap();
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'/>";
        fs::write(folder.join("art/rings.svg"), svg).unwrap();
        fs::write(folder.join("dot.png"), &png).unwrap();
        fs::write(folder.join("light-dot.png"), &png[..png.len() / 2]).unwrap();
        let found = || {
            let set = LessonSet::from_paths(&[dir.path().to_owned()]).unwrap();
            let found = check::check(&set, &|id| asset::builtin(id));
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let wrong = found();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains(":20:8: error: `light-dot.png` cannot be shown"), "{wrong:?}");
        fs::write(folder.join("light-dot.png"), &png).unwrap();
        assert_eq!(found(), Vec::<String>::new());
        let packed = pack_course(dir.path()).unwrap();
        let names: Vec<&str> = packed.files.iter().map(|(name, _)| &**name).collect();
        for name in ["art/rings.svg", "dot.png", "light-dot.png"] {
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
}
