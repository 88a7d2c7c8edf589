//! Contents of files: models, saved work, weights, numbers and courses.

use std::path::PathBuf;
use std::sync::Arc;

use bindpose_gltf::{ModelSource, Rig, TaskProgress, named_files, same_letters};
use bindpose_lesson::{COURSE_EXTENSION, PackedFiles, unpack};
use bindpose_notebook::{GivenFile, PreferencesTable, WeightsFile, work_from};

use super::input_file::{InputFile, NUMBERS_EXTENSIONS, OpenFailure, WEIGHTS_EXTENSIONS};
use crate::app::host;

/// Fraction of the progress for loading the bytes.
pub(in crate::app) const LOADING_FRACTION: f32 = 0.3;

/// A model read from files.
#[derive(Debug)]
pub(in crate::app) struct ReadModel {
    pub(in crate::app) rig: Arc<Rig>,
    /// Its file, if it came from one.
    pub(in crate::app) path: Option<PathBuf>,
    /// True if it is bundled with the notebook.
    pub(in crate::app) is_bundled: bool,
    /// Saved weights given together with it, with the name of their file.
    pub(in crate::app) weights: Option<(String, WeightsFile)>,
    /// Notice for the reader, for instance about ignored files.
    pub(in crate::app) remark: Option<String>,
}

/// Content of the given files.
#[derive(Debug)]
pub(in crate::app) enum ReadFiles {
    Model(ReadModel),
    /// The reader's saved work.
    Work(PreferencesTable),
    /// Weights, with the name of their file.
    Weights(String, WeightsFile),
    Course(UnpackedCourse),
    /// Matrices or positions of an engine, to compare with the page.
    Numbers(GivenFile),
}

/// A packed course after unpacking.
#[derive(Debug)]
pub(in crate::app) struct UnpackedCourse {
    /// Name of its file.
    pub(in crate::app) name: String,
    /// Path to open it again in the next run, if known.
    pub(in crate::app) path: Option<PathBuf>,
    pub(in crate::app) files: PackedFiles,
    /// The packed bytes, for a browser to keep.
    pub(in crate::app) packed: Arc<[u8]>,
}

/// Reads a single file with saved work, weights, numbers or a course. Returns `None` if
/// there are several files, or if it can be a model.
pub(in crate::app) fn read_file_without_model(
    files: &[InputFile],
) -> Result<Option<ReadFiles>, OpenFailure> {
    let [file] = files else { return Ok(None) };
    if file.has_extension(&NUMBERS_EXTENSIONS) {
        let bytes = read_bytes(file)?;
        if let Some(work) = work_from(&bytes) {
            return Ok(Some(ReadFiles::Work(work)));
        }
        let name = file.name();
        return match WeightsFile::read(&bytes) {
            Some(Ok(weights)) => Ok(Some(ReadFiles::Weights(name, weights))),
            Some(Err(diagnostic)) => Err(OpenFailure::weights(&name, diagnostic)),
            None => Ok(read_numbers(file, &bytes)),
        };
    }
    if !file.has_extension(&[COURSE_EXTENSION, "zip"]) {
        return Ok(None);
    }
    let name = file.name();
    let packed = read_bytes(file)?;
    let course_files =
        unpack(&packed).map_err(|diagnostic| OpenFailure::course(&name, diagnostic))?;
    Ok(Some(ReadFiles::Course(UnpackedCourse {
        name,
        path: file.path_to_reopen(),
        files: course_files,
        packed,
    })))
}

/// Reads numbers of an engine. Returns `None` for a JSON object without numbers, because it
/// can be a model.
fn read_numbers(file: &InputFile, bytes: &[u8]) -> Option<ReadFiles> {
    let given = GivenFile::read(&file.name(), bytes);
    if given.numbers.is_err()
        && file.has_extension(&["json"])
        && !bytes.trim_ascii_start().starts_with(b"[")
    {
        return None;
    }
    Some(ReadFiles::Numbers(given))
}

/// Combines the results of reading a model. `ignored_models` are the names of other models
/// given with it, `missing_files` those of files that it refers to.
pub(in crate::app) fn build_model(
    model: &InputFile,
    rig: Rig,
    accompanying: AccompanyingFiles,
    ignored_models: &[String],
    missing_files: &[String],
) -> ReadModel {
    let remark = if let Some(ignored) = ignored_models.first() {
        Some(format!("Only one model is open at a time: “{ignored}” was left out."))
    } else if let Some(missing) = missing_files.first() {
        Some(format!(
            "“{missing}”, which the model names, is not here: open it together with the model."
        ))
    } else {
        accompanying.remark
    };
    ReadModel {
        rig: Arc::new(rig),
        path: model.path_to_reopen(),
        is_bundled: matches!(model, InputFile::Bundled(_)),
        weights: accompanying.weights,
        remark,
    }
}

/// Files given together with a model that are not part of it.
#[derive(Default)]
pub(in crate::app) struct AccompanyingFiles {
    weights: Option<(String, WeightsFile)>,
    /// Notice about ignored files.
    remark: Option<String>,
}

pub(in crate::app) fn read_accompanying_files(
    model: &InputFile,
    files: &[InputFile],
    source: &ModelSource,
) -> AccompanyingFiles {
    let mut accompanying = AccompanyingFiles::default();
    let mut ignored = Vec::new();
    for file in files {
        let is_part = std::ptr::eq(file, model)
            || file.is_model()
            || source.beside.keys().any(|name| file.has_name(name));
        if is_part {
            continue;
        }
        let weights = if file.has_extension(&WEIGHTS_EXTENSIONS) {
            read_bytes(file).ok().and_then(|bytes| WeightsFile::read(&bytes))
        } else {
            None
        };
        let name = file.name();
        match weights {
            Some(Ok(weights)) if accompanying.weights.is_none() => {
                accompanying.weights = Some((name, weights));
            }
            Some(Err(diagnostic)) => {
                accompanying.remark = Some(format!(
                    "“{name}” was left aside, its weights cannot be read: {}",
                    diagnostic.sentence()
                ));
            }
            _ => ignored.push(name),
        }
    }
    if accompanying.remark.is_none() {
        accompanying.remark = match ignored.as_slice() {
            [] => None,
            [name] => Some(format!("“{name}” was left aside: it is no part of the model.")),
            [first, others @ ..] => Some(format!(
                "“{first}” and {} more were left aside: they are no part of the model.",
                others.len()
            )),
        };
    }
    accompanying
}

/// Loads the bytes of a model and of the files that it refers to, from its folder or from
/// the given files. A browser or a mail program may have removed folders from their names.
/// Also returns the names of missing files.
pub(in crate::app) fn load_source(
    model: &InputFile,
    files: &[InputFile],
    progress: &TaskProgress,
) -> Result<(ModelSource, Vec<String>), OpenFailure> {
    let mut missing_files = Vec::new();
    let mut source = match model {
        InputFile::Path(path) => host::load_file(path, progress)?,
        InputFile::Bundled(name) => {
            bindpose_rigs::bundled_model(name).ok_or_else(|| not_bundled(name))?
        }
        _ => ModelSource::alone(model.name(), read_bytes(model)?),
    };
    let other_files: Vec<&InputFile> =
        files.iter().filter(|file| file.name() != source.name).collect();
    for name in named_files(&source.main) {
        if source.beside(&name).is_some() {
            continue;
        }
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", &name));
        if let Some(file) = other_files.iter().find(|file| file.has_name(&name)) {
            source.beside.insert(name, read_bytes(file)?);
        } else if let Some(file) = other_files.iter().find(|file| same_letters(&file.name(), last))
        {
            // Inserted under its own name, so that the doctor reports the difference.
            let path = [folder, &file.name()].join("/");
            source.beside.insert(path.trim_start_matches('/').to_owned(), read_bytes(file)?);
        } else {
            missing_files.push(name);
        }
    }
    progress.set(1.0);
    Ok((source, missing_files))
}

fn not_bundled(name: &str) -> OpenFailure {
    let title = "No model of this name comes with the notebook.";
    OpenFailure::new(name, title, "Another version may have it: open a file instead.")
}

fn read_bytes(file: &InputFile) -> Result<Arc<[u8]>, OpenFailure> {
    match file {
        InputFile::Bytes(_, bytes) => Ok(Arc::clone(bytes)),
        InputFile::Bundled(name) => {
            let source = bindpose_rigs::bundled_model(name).ok_or_else(|| not_bundled(name))?;
            Ok(source.main)
        }
        InputFile::Path(path) => Ok(host::load_file(path, &TaskProgress::default())?.main),
        InputFile::Dropped(dropped) => host::read_dropped_file(dropped),
    }
}

/// Result of reading files.
pub(in crate::app) type ReadOutcome = Result<ReadFiles, OpenFailure>;
