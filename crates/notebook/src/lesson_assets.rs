//! Assets of lessons: built-in rigs, models from files of the lesson, the
//! reader's own model, and pictures.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_gltf::{ModelSource, Rig, TaskProgress, named_files, open};
use bindpose_lesson::{LessonSet, PictureContent, is_file};

use crate::picture::EncodedPicture;

/// Value of `rig` in the front matter of lessons that use the reader's own
/// model: `rig = "own"`.
pub const OWN_RIG: &str = "own";

/// Built-in rig of such lessons while no model is open.
pub const OWN_FALLBACK: &str = "whale";

/// Maximum number of cached models. A class uses one or two at a time.
const MAX_CACHED_MODELS: usize = 8;

/// Returns the rig with an id from a lesson. `builtin` looks up built-in rigs.
/// Returns `None` if there is no such rig or it is not loaded yet; [`file_rig`]
/// explains errors of files.
pub fn lesson_rig(
    set: &LessonSet,
    id: &str,
    builtin: &dyn Fn(&str) -> Option<Arc<Rig>>,
) -> Option<Arc<Rig>> {
    if is_file(id) { file_rig(set, id).ok() } else { builtin(builtin_id(id)) }
}

/// Returns the model from a file of the lesson. It is cached until the file's
/// bytes change.
///
/// # Errors
///
/// Fails if the file is missing or cannot be opened.
pub fn file_rig(set: &LessonSet, id: &str) -> Result<Arc<Rig>, Diagnostic> {
    static OPENED: Mutex<Vec<OpenedModel>> = Mutex::new(Vec::new());
    let main = set.file(id)?;
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) =
        opened.iter().find(|known| known.id == id && Arc::ptr_eq(&known.main, &main))
    {
        return known.rig.clone();
    }
    opened.retain(|model| model.id != id);
    if opened.len() >= MAX_CACHED_MODELS {
        opened.remove(0);
    }
    let rig = read(set, id, &main);
    opened.push(OpenedModel { id: id.to_owned(), main, rig: rig.clone() });
    rig
}

/// A cached model, or the error from opening it.
struct OpenedModel {
    id: String,
    /// Identifies the model: other bytes are another model.
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
        // The error is reported at the lesson that names the model.
        let title = format!("the model {}: {}", wrong.at, wrong.sentence());
        let help = format!("`bindpose doctor {name}` says all that is wrong with it");
        Diagnostic { at: Place::Whole, lesson: None, ..wrong.title(title).help(help) }
    })?;
    Ok(Arc::new(Rig { id: id.to_owned(), ..rig }))
}

/// Returns the id of the built-in rig that a lesson uses while no model is
/// open.
pub fn builtin_id(rig_of_lesson: &str) -> &str {
    if rig_of_lesson == OWN_RIG { OWN_FALLBACK } else { rig_of_lesson }
}

/// Returns the name shown for a model: its file name, or its title.
pub fn model_name(rig: &Rig) -> &str {
    rig.origin.as_ref().map_or(rig.title.as_str(), |origin| origin.source.name.as_str())
}

/// Prepares a picture of a lesson for the image decoder.
pub fn encoded_picture(content: &PictureContent) -> EncodedPicture {
    EncodedPicture {
        bytes: Arc::clone(&content.bytes),
        media_type: content.format.media_type(),
        size: content.size,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::bundled_model;

    use super::*;

    const LESSON: &str = "+++\ntitle = \"Hands\"\nminutes = 5\nrig = \"model/arm.gltf\"\n+++\n\n\
        ## One\n\nWords.\n";

    /// Creates a folder with a lesson of this name that has its own model of
    /// several files. The cache is keyed by name and shared by all tests that
    /// run at once.
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
    fn model_of_lesson_is_opened_once() {
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
    fn broken_model_is_reported() {
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
