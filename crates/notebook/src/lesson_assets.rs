//! What a lesson stands on and brings along: a built-in rig, a model from a file of the
//! lesson, or one of the reader's own; and its pictures.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_asset::{EncodedPicture, ModelSource, Rig, TaskProgress, named_files, open};
use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_lesson::{LessonSet, PictureContent, is_file};

/// What the front matter of a lesson says that stands on the reader's own
/// model: `rig = "own"`.
pub const OWN_RIG: &str = "own";

/// The built-in rig that stands there while no model is open.
pub const OWN_FALLBACK: &str = "whale";

/// Models that are kept opened. A class stands on one or two at a time.
const KEPT: usize = 8;

/// The rig of an id that a lesson gives. `builtin` looks up a built-in one. `None` when
/// there is none, or none yet; [`file_rig`] says of a file why.
pub fn lesson_rig(
    set: &LessonSet,
    id: &str,
    builtin: &dyn Fn(&str) -> Option<Arc<Rig>>,
) -> Option<Arc<Rig>> {
    if is_file(id) { file_rig(set, id).ok() } else { builtin(builtin_id(id)) }
}

/// The model of a file that a lesson brings along, opened once and shared while its
/// bytes are the same.
///
/// Fails when the file is not there, or does not open.
pub fn file_rig(set: &LessonSet, id: &str) -> Result<Arc<Rig>, Diagnostic> {
    static OPENED: Mutex<Vec<OpenedModel>> = Mutex::new(Vec::new());
    let main = set.file(id)?;
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |one: &&OpenedModel| one.id == id && Arc::ptr_eq(&one.main, &main);
    if let Some(known) = opened.iter().find(same) {
        return known.rig.clone();
    }
    opened.retain(|one| one.id != id);
    if opened.len() >= KEPT {
        opened.remove(0);
    }
    let rig = read(set, id, &main);
    opened.push(OpenedModel { id: id.to_owned(), main, rig: rig.clone() });
    rig
}

/// A model that was opened before, or why it does not open.
struct OpenedModel {
    id: String,
    /// Other bytes are another model.
    main: Arc<[u8]>,
    rig: Result<Arc<Rig>, Diagnostic>,
}

fn read(set: &LessonSet, id: &str, main: &Arc<[u8]>) -> Result<Arc<Rig>, Diagnostic> {
    let (folder, name) = id.rsplit_once('/').unwrap_or(("", id));
    let beside: BTreeMap<String, Arc<[u8]>> = named_files(main)
        .into_iter()
        .filter_map(|path| {
            let bytes = set.file(&format!("{folder}/{path}")).ok()?;
            Some((path, bytes))
        })
        .collect();
    let source = ModelSource { name: name.to_owned(), main: Arc::clone(main), beside };
    let rig = open(&source, &TaskProgress::default()).map_err(|error| {
        let wrong = Diagnostic::from(error);
        // The lesson that names it is where it is told.
        let title = format!("the model {}: {}", wrong.at, wrong.sentence());
        let help = format!("`bindpose doctor {name}` says all that is wrong with it");
        Diagnostic { at: Place::Whole, lesson: None, ..wrong.title(title).help(help) }
    })?;
    Ok(Arc::new(Rig { id: id.to_owned(), ..rig }))
}

/// The id of the built-in rig that a lesson stands on while no model is open.
pub fn builtin_id(rig_of_lesson: &str) -> &str {
    if rig_of_lesson == OWN_RIG { OWN_FALLBACK } else { rig_of_lesson }
}

/// What the reader knows a model by: the name of its file, or its title.
pub fn model_name(rig: &Rig) -> &str {
    rig.origin.as_ref().map_or(rig.title.as_str(), |origin| origin.source.name.as_str())
}

/// A picture of a lesson on its way to pixels: as what decodes it takes it.
pub fn encoded_picture(content: &PictureContent) -> EncodedPicture {
    EncodedPicture {
        bytes: Arc::clone(&content.bytes),
        media_type: content.format.media_type(),
        size: content.size,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::bundled_model;

    use super::*;

    const LESSON: &str = "+++\ntitle = \"Hands\"\nminutes = 5\nrig = \"model/arm.gltf\"\n+++\n\n\
        ## One\n\nWords.\n";

    /// A folder with a lesson of this name on a model of its own, of several files.
    /// What is opened is kept by its name, for all tests that run at once.
    fn folder(name: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let lesson = dir.path().join(name);
        std::fs::create_dir_all(lesson.join("model")).unwrap();
        std::fs::write(lesson.join("lesson.md"), LESSON).unwrap();
        let model = bundled_model("whale.gltf").unwrap();
        std::fs::write(lesson.join("model/arm.gltf"), &model.main).unwrap();
        for (name, bytes) in &model.beside {
            std::fs::write(lesson.join("model").join(name), bytes).unwrap();
        }
        dir
    }

    #[test]
    fn a_lesson_stands_on_its_own_model_which_is_opened_once() {
        let dir = folder("10-hands");
        let set = LessonSet::from_dir(dir.path());
        let id = &set.lessons[0].rig;
        let none = |_: &str| None;
        let rig = lesson_rig(&set, id, &none).unwrap();
        assert_eq!((rig.skeleton.len(), &*rig.title), (21, "arm"));
        assert!(Arc::ptr_eq(&rig, &lesson_rig(&set, id, &none).unwrap()));
        let again = LessonSet::from_dir(dir.path());
        let reread = lesson_rig(&again, id, &none).unwrap();
        assert!(!Arc::ptr_eq(&rig, &reread), "the file may be another one now");
    }

    #[test]
    fn a_model_that_does_not_open_says_why() {
        let dir = folder("20-no-model");
        let model = dir.path().join("20-no-model/model/arm.gltf");
        std::fs::write(&model, b"hello").unwrap();
        let set = LessonSet::from_dir(dir.path());
        let id = &set.lessons[0].rig;
        let wrong = file_rig(&set, id).unwrap_err();
        assert!(wrong.sentence().contains("the model arm.gltf"), "{wrong}");
        assert!(wrong.help.contains("bindpose doctor arm.gltf"), "{wrong}");
        std::fs::remove_file(&model).unwrap();
        let set = LessonSet::from_dir(dir.path());
        assert_eq!(file_rig(&set, id).unwrap_err().code, "MISSING");
    }
}
