//! Reading files in the background: models, saved work, weights, numbers and courses.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bindpose_asset::{
    self as asset, Broken, ModelSource, Rig, Task, TaskProgress, named_files, same_letters,
};
use bindpose_lesson::{COURSE_EXTENSION, PackedFiles, unpack};
use bindpose_notebook::{GivenFile, PreferencesTable, WeightsFile, work_from};
use eframe::egui::Context;

use super::input_file::{
    FilePurpose, InputFile, NUMBERS_EXTENSIONS, OpenFailure, WEIGHTS_EXTENSIONS, find_model,
};

#[cfg(target_arch = "wasm32")]
use bindpose_asset::between_frames;
#[cfg(target_arch = "wasm32")]
use bindpose_doctor::examination;
#[cfg(not(target_arch = "wasm32"))]
use bindpose_doctor::examine;

#[cfg(target_arch = "wasm32")]
use super::kept_files::MODELS;

#[cfg(target_arch = "wasm32")]
use super::browser_images;
#[cfg(not(target_arch = "wasm32"))]
use bindpose_asset::MaterialImage;

/// Fraction of the progress for loading the bytes.
const LOADING_FRACTION: f32 = 0.3;

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
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) path: Option<PathBuf>,
    pub(in crate::app) files: PackedFiles,
    /// The packed bytes, for the browser to keep.
    #[cfg(target_arch = "wasm32")]
    pub(in crate::app) packed: Arc<[u8]>,
}

/// Reads the files on this thread.
#[cfg(not(target_arch = "wasm32"))]
fn read_files(files: &[InputFile], progress: &TaskProgress) -> Result<ReadFiles, OpenFailure> {
    match read_file_without_model(files)? {
        Some(content) => Ok(content),
        None => read_model(files, progress).map(ReadFiles::Model),
    }
}

/// Reads a single file with saved work, weights, numbers or a course. Returns `None` if
/// there are several files, or if it can be a model.
fn read_file_without_model(files: &[InputFile]) -> Result<Option<ReadFiles>, OpenFailure> {
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
        #[cfg(not(target_arch = "wasm32"))]
        path: file.path_to_reopen(),
        files: course_files,
        #[cfg(target_arch = "wasm32")]
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

/// Reads the model among these files.
#[cfg(not(target_arch = "wasm32"))]
fn read_model(files: &[InputFile], progress: &TaskProgress) -> Result<ReadModel, OpenFailure> {
    let (model, ignored_models) = find_model(files)?;
    let (source, missing_files) = load_source(model, files, &progress.part(0.0, LOADING_FRACTION))?;
    let progress = progress.part(LOADING_FRACTION, 1.0);
    match asset::open(&source, &progress) {
        Ok(rig) => {
            let accompanying = read_accompanying_files(model, files, &source);
            Ok(build_model(model, rig, accompanying, &ignored_models, &missing_files))
        }
        Err(error) => {
            let findings = examine(&source, &progress).findings;
            Err(OpenFailure::from(error).with_findings(findings).with_missing_files(missing_files))
        }
    }
}

/// Reads the files between frames, because a browser has no threads.
#[cfg(target_arch = "wasm32")]
pub(super) async fn read_between_frames(
    files: Vec<InputFile>,
    progress: &TaskProgress,
) -> Result<ReadFiles, OpenFailure> {
    let files = fetch_bytes(files).await?;
    if let Some(content) = read_file_without_model(&files)? {
        return Ok(content);
    }
    let (model, ignored_models) = find_model(&files)?;
    let (source, missing_files) =
        load_source(model, &files, &progress.part(0.0, LOADING_FRACTION))?;
    let progress = progress.part(LOADING_FRACTION, 1.0);
    between_frames::pause().await;
    match between_frames::open(&source, &progress).await {
        Ok(rig) => {
            let accompanying = read_accompanying_files(model, &files, &source);
            let model = build_model(model, rig, accompanying, &ignored_models, &missing_files);
            Ok(ReadFiles::Model(model))
        }
        Err(error) => {
            let report = between_frames::finish(examination(&source, &progress)).await;
            let failure = OpenFailure::from(error).with_findings(report.findings);
            Err(failure.with_missing_files(missing_files))
        }
    }
}

/// Combines the results of reading a model. `ignored_models` are the names of other models
/// given with it, `missing_files` those of files that it refers to.
fn build_model(
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
struct AccompanyingFiles {
    weights: Option<(String, WeightsFile)>,
    /// Notice about ignored files.
    remark: Option<String>,
}

fn read_accompanying_files(
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

/// Reads a file and the files that it refers to, on this thread.
#[cfg(not(target_arch = "wasm32"))]
pub(in crate::app) fn open_file(path: &std::path::Path) -> Result<Arc<Rig>, OpenFailure> {
    let files = [InputFile::Path(path.to_owned())];
    read_model(&files, &TaskProgress::default()).map(|model| model.rig)
}

/// Loads the bytes of a model and of the files that it refers to, from its folder or from
/// the given files. A browser or a mail program may have removed folders from their names.
/// Also returns the names of missing files.
fn load_source(
    model: &InputFile,
    files: &[InputFile],
    progress: &TaskProgress,
) -> Result<(ModelSource, Vec<String>), OpenFailure> {
    let mut missing_files = Vec::new();
    let mut source = match model {
        #[cfg(not(target_arch = "wasm32"))]
        InputFile::Path(path) => asset::load(path, progress)?,
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
        #[cfg(not(target_arch = "wasm32"))]
        InputFile::Path(path) => {
            let source = asset::load(path, &TaskProgress::default())?;
            Ok(source.main)
        }
        #[cfg(not(target_arch = "wasm32"))]
        InputFile::Dropped(dropped) => {
            let bytes = dropped.bytes();
            Ok(bytes.map_err(|why| OpenFailure::unreadable(&file.name(), &why))?.into())
        }
        // `fetch_bytes` has replaced them.
        #[cfg(target_arch = "wasm32")]
        InputFile::Path(_) | InputFile::Dropped(_) => {
            Err(OpenFailure::unreadable(&file.name(), "the browser keeps it"))
        }
    }
}

/// Replaces dropped and kept files by their bytes, which a browser returns asynchronously.
#[cfg(target_arch = "wasm32")]
async fn fetch_bytes(files: Vec<InputFile>) -> Result<Vec<InputFile>, OpenFailure> {
    let mut fetched = Vec::with_capacity(files.len());
    for file in files {
        let name = file.name();
        fetched.push(match file {
            InputFile::Dropped(dropped) => {
                let result = dropped.bytes_async().await;
                let bytes = result.map_err(|why| OpenFailure::unreadable(&name, &why))?;
                InputFile::Bytes(name, bytes.into())
            }
            InputFile::Path(_) => {
                let kept = MODELS.files(&name).await.unwrap_or_default();
                if kept.is_empty() {
                    return Err(OpenFailure::not_kept(&name));
                }
                for (name, bytes) in kept {
                    fetched.push(InputFile::Bytes(name, bytes));
                }
                continue;
            }
            other => other,
        });
    }
    Ok(fetched)
}

pub(super) type Outcome = Result<ReadFiles, OpenFailure>;

/// Job that reads files in the background. Dropping it cancels the job.
#[derive(Debug)]
pub(super) struct ReadJob {
    /// Name of the first file.
    pub(super) name: String,
    pub(super) files: Vec<InputFile>,
    pub(super) purpose: FilePurpose,
    /// True if a kept page requested it, not the reader.
    pub(super) is_for_kept_page: bool,
    /// Time of the page's clock at which it was first shown.
    pub(super) since_secs: Option<f64>,
    task: Task<Outcome>,
}

impl ReadJob {
    /// Starts a job in a thread, or between frames in a browser.
    pub(super) fn start(ctx: &Context, files: Vec<InputFile>, purpose: FilePurpose) -> Self {
        let name = files.first().map(InputFile::name).unwrap_or_default();
        let input_files = files.clone();
        let image_ctx = ctx.clone();
        let task_ctx = ctx.clone();
        #[cfg(not(target_arch = "wasm32"))]
        let task = Task::start(
            "open",
            move |progress: &TaskProgress| {
                let outcome = read_files(&input_files, progress);
                if let Ok(ReadFiles::Model(opened)) = &outcome {
                    decode_images(image_ctx, &opened.rig);
                }
                outcome
            },
            move || task_ctx.request_repaint(),
        );
        #[cfg(target_arch = "wasm32")]
        let task = Task::between_frames(
            async move |progress: TaskProgress| {
                let outcome = read_between_frames(input_files, &progress).await;
                if let Ok(ReadFiles::Model(opened)) = &outcome {
                    browser_images::decode_images(image_ctx, &opened.rig);
                }
                outcome
            },
            move || task_ctx.request_repaint(),
        );
        Self { name, files, purpose, is_for_kept_page: false, since_secs: None, task }
    }

    /// Returns the progress, 0 to 1.
    pub(super) fn fraction(&self) -> f32 {
        self.task.fraction()
    }

    /// Waits until the files are read. The outcome can still be taken afterwards.
    #[cfg(test)]
    pub(super) fn wait(&mut self) {
        // Long enough for slow machines; only a hang reaches it.
        let timeout = Duration::from_mins(5);
        let outcome = self.task.answer(timeout).expect("in time");
        let (task, _, sender) = Task::new();
        sender.send(outcome.expect("an answer")).expect("it is here");
        self.task = task;
    }

    /// Takes the outcome. Returns `None` while the files are being read.
    pub(super) fn outcome(&mut self) -> Option<Outcome> {
        let answer = self.task.answer(Duration::ZERO)?;
        Some(answer.unwrap_or_else(|Broken| {
            Err(OpenFailure::new(
                &self.name,
                "Reading it stopped: by a fault of this program, or the system gives no thread.",
                "Please report it, with the file if you can.",
            ))
        }))
    }
}

/// Decodes the images of a model in a thread. The model is drawn in plain colours until
/// then.
#[cfg(not(target_arch = "wasm32"))]
fn decode_images(ctx: Context, rig: &Arc<Rig>) {
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    let thread_rig = Arc::clone(rig);
    let thread = std::thread::Builder::new().name("images".to_owned()).spawn(move || {
        for image in &thread_rig.mesh.images {
            image.pixels();
            ctx.request_repaint();
        }
    });
    if thread.is_err() {
        // Without a thread they are decoded here.
        for image in &rig.mesh.images {
            image.pixels();
        }
    }
}
