//! From given files to a rig.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bindpose_asset::{
    self as asset, Broken, ModelSource, Rig, Task, TaskProgress, named_files, same_letters,
};
use bindpose_lesson::{COURSE_EXTENSION, PackedFiles, unpack};
use bindpose_notebook::{GivenFile, PreferencesTable, WeightsFile, work_from};
use eframe::egui::Context;

use super::input_file::{FilePurpose, InputFile, NUMBERS, OpenFailure, WEIGHTS, model_among};

#[cfg(target_arch = "wasm32")]
use bindpose_asset::between_frames;
#[cfg(target_arch = "wasm32")]
use bindpose_asset::doctor::examination;
#[cfg(not(target_arch = "wasm32"))]
use bindpose_asset::doctor::examine;

#[cfg(target_arch = "wasm32")]
use super::kept_files::MODELS;

#[cfg(target_arch = "wasm32")]
use super::browser_images;
#[cfg(not(target_arch = "wasm32"))]
use bindpose_asset::MaterialImage;

/// Part of the work that getting the bytes is.
const GETTING: f32 = 0.3;

/// A model that was read.
#[derive(Debug)]
pub(in crate::app) struct ReadModel {
    pub(in crate::app) rig: Arc<Rig>,
    /// Its file, if it came from one.
    pub(in crate::app) path: Option<PathBuf>,
    /// Does it come with the notebook?
    pub(in crate::app) is_bundled: bool,
    /// Saved weights that were given along with it, with the name of their file.
    pub(in crate::app) weights: Option<(String, WeightsFile)>,
    /// What else the reader should know.
    pub(in crate::app) remark: Option<String>,
}

/// What was in given files.
#[derive(Debug)]
pub(in crate::app) enum ReadFiles {
    Model(ReadModel),
    /// What a reader has saved of their work.
    Work(PreferencesTable),
    /// Weights, with the name of their file.
    Weights(String, WeightsFile),
    /// A packed course.
    Course(UnpackedCourse),
    /// Matrices or positions of an engine, to be held against the page.
    Numbers(GivenFile),
}

/// A packed course, unpacked.
#[derive(Debug)]
pub(in crate::app) struct UnpackedCourse {
    /// The name of its file.
    pub(in crate::app) name: String,
    /// Where it lies, to be opened again; absent: nowhere that is known.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) path: Option<PathBuf>,
    pub(in crate::app) files: PackedFiles,
    /// As it was packed, for the browser to keep.
    #[cfg(target_arch = "wasm32")]
    pub(in crate::app) packed: Arc<[u8]>,
}

/// Reads what is in these files, waiting until it is done.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn read(given: &[InputFile], progress: &TaskProgress) -> Result<ReadFiles, OpenFailure> {
    match work(given)? {
        Some(read) => Ok(read),
        None => opened(given, progress).map(ReadFiles::Model),
    }
}

/// What the only file is, if its name says that it may be no model: work or weights that
/// were saved, or a course.
fn work(given: &[InputFile]) -> Result<Option<ReadFiles>, OpenFailure> {
    let [only] = given else { return Ok(None) };
    if only.has_ending(&NUMBERS) {
        let bytes = content(only)?;
        if let Some(work) = work_from(&bytes) {
            return Ok(Some(ReadFiles::Work(work)));
        }
        let name = only.name();
        return match WeightsFile::read(&bytes) {
            Some(Ok(weights)) => Ok(Some(ReadFiles::Weights(name, weights))),
            Some(Err(wrong)) => Err(OpenFailure::weights(&name, wrong)),
            None => Ok(numbers(only, &bytes)),
        };
    }
    if !only.has_ending(&[COURSE_EXTENSION, "zip"]) {
        return Ok(None);
    }
    let name = only.name();
    let packed = content(only)?;
    let files = unpack(&packed).map_err(|wrong| OpenFailure::course(&name, wrong))?;
    Ok(Some(ReadFiles::Course(UnpackedCourse {
        name,
        #[cfg(not(target_arch = "wasm32"))]
        path: only.remembered(),
        files,
        #[cfg(target_arch = "wasm32")]
        packed,
    })))
}

/// Numbers of an engine; `None`: JSON that has none may be a model, which no list is.
fn numbers(file: &InputFile, bytes: &[u8]) -> Option<ReadFiles> {
    let given = GivenFile::read(&file.name(), bytes);
    let may_be_model = || file.has_ending(&["json"]) && !bytes.trim_ascii_start().starts_with(b"[");
    (given.numbers.is_ok() || !may_be_model()).then_some(ReadFiles::Numbers(given))
}

/// Reads the model among these files.
#[cfg(not(target_arch = "wasm32"))]
fn opened(given: &[InputFile], progress: &TaskProgress) -> Result<ReadModel, OpenFailure> {
    let (model, others) = model_among(given)?;
    let (source, lacks) = gathered(model, given, &progress.part(0.0, GETTING))?;
    let progress = progress.part(GETTING, 1.0);
    match asset::open(&source, &progress) {
        Ok(rig) => {
            let along = given_along(model, given, &source);
            Ok(stands(model, along, (&others, &lacks), rig))
        }
        Err(error) => {
            let findings = examine(&source, &progress).findings;
            Err(OpenFailure::from(error).examined(findings).lacking(lacks))
        }
    }
}

/// The same between frames of a browser.
#[cfg(target_arch = "wasm32")]
pub(super) async fn read_between_frames(
    given: Vec<InputFile>,
    progress: &TaskProgress,
) -> Result<ReadFiles, OpenFailure> {
    let given = fetched(given).await?;
    if let Some(read) = work(&given)? {
        return Ok(read);
    }
    let (model, others) = model_among(&given)?;
    let (source, lacks) = gathered(model, &given, &progress.part(0.0, GETTING))?;
    let progress = progress.part(GETTING, 1.0);
    between_frames::pause().await;
    match between_frames::open(&source, &progress).await {
        Ok(rig) => {
            let along = given_along(model, &given, &source);
            Ok(ReadFiles::Model(stands(model, along, (&others, &lacks), rig)))
        }
        Err(error) => {
            let report = between_frames::finish(examination(&source, &progress)).await;
            let unopened = OpenFailure::from(error).examined(report.findings);
            Err(unopened.lacking(lacks))
        }
    }
}

fn stands(
    model: &InputFile,
    along: GivenAlong,
    (others, lacks): (&[String], &[String]),
    rig: Rig,
) -> ReadModel {
    let other = others
        .first()
        .map(|other| format!("Only one model is open at a time: “{other}” was left out."));
    let lacking = lacks.first().map(|lacks| {
        format!("“{lacks}”, which the model names, is not here: open it together with the model.")
    });
    let remark = other.or(lacking).or(along.left_aside);
    ReadModel {
        rig: Arc::new(rig),
        path: model.remembered(),
        is_bundled: matches!(model, InputFile::Bundled(_)),
        weights: along.weights,
        remark,
    }
}

/// What was given along with a model and is no part of it.
#[derive(Default)]
struct GivenAlong {
    weights: Option<(String, WeightsFile)>,
    /// What became of the rest, in a sentence.
    left_aside: Option<String>,
}

fn given_along(model: &InputFile, given: &[InputFile], source: &ModelSource) -> GivenAlong {
    let mut along = GivenAlong::default();
    let mut others = Vec::new();
    for file in given {
        let is_part = std::ptr::eq(file, model)
            || file.is_model()
            || source.beside.keys().any(|name| file.is_called(name));
        if is_part {
            continue;
        }
        let bytes = file.has_ending(&WEIGHTS).then(|| content(file).ok());
        let weights = bytes.flatten().and_then(|bytes| WeightsFile::read(&bytes));
        let name = file.name();
        match weights {
            Some(Ok(weights)) if along.weights.is_none() => along.weights = Some((name, weights)),
            Some(Err(wrong)) => {
                let words = format!(
                    "“{name}” was left aside, its weights cannot be read: {}",
                    wrong.sentence()
                );
                along.left_aside = Some(words);
            }
            _ => others.push(name),
        }
    }
    let words = match others.as_slice() {
        [] => None,
        [one] => Some(format!("“{one}” was left aside: it is no part of the model.")),
        [first, more @ ..] => Some(format!(
            "“{first}” and {} more were left aside: they are no part of the model.",
            more.len()
        )),
    };
    along.left_aside = along.left_aside.or(words);
    along
}

/// Reads a file and what it names beside it, waiting until it is done.
#[cfg(not(target_arch = "wasm32"))]
pub(in crate::app) fn open_file(path: &std::path::Path) -> Result<Arc<Rig>, OpenFailure> {
    let given = [InputFile::Path(path.to_owned())];
    opened(&given, &TaskProgress::default()).map(|opened| opened.rig)
}

/// The bytes of the model and of all that it names: from its folder, or from
/// what was given with it, where a browser or a mailer may have dropped the
/// folders of names. Also names of files that are in neither.
fn gathered(
    model: &InputFile,
    given: &[InputFile],
    progress: &TaskProgress,
) -> Result<(ModelSource, Vec<String>), OpenFailure> {
    let mut lacks = Vec::new();
    let mut source = match model {
        #[cfg(not(target_arch = "wasm32"))]
        InputFile::Path(path) => asset::load(path, progress)?,
        InputFile::Bundled(name) => asset::bundled_model(name).ok_or_else(|| not_bundled(name))?,
        _ => ModelSource::alone(model.name(), content(model)?),
    };
    for name in named_files(&source.main) {
        if source.beside(&name).is_some() {
            continue;
        }
        let others = || given.iter().filter(|file| file.name() != source.name);
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", &name));
        if let Some(file) = others().find(|file| file.is_called(&name)) {
            source.beside.insert(name, content(file)?);
        } else if let Some(file) = others().find(|file| same_letters(&file.name(), last)) {
            // Under the name that it has: the doctor says that it is another.
            let there = [folder, &file.name()].join("/");
            source.beside.insert(there.trim_start_matches('/').to_owned(), content(file)?);
        } else {
            lacks.push(name);
        }
    }
    progress.set(1.0);
    Ok((source, lacks))
}

fn not_bundled(name: &str) -> OpenFailure {
    let title = "No model of this name comes with the notebook.";
    OpenFailure::new(name, title, "Another version may have it: open a file instead.")
}

/// All bytes of a file.
fn content(file: &InputFile) -> Result<Arc<[u8]>, OpenFailure> {
    match file {
        InputFile::Bytes(_, bytes) => Ok(Arc::clone(bytes)),
        InputFile::Bundled(name) => {
            let source = asset::bundled_model(name).ok_or_else(|| not_bundled(name))?;
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
        // Fetched before.
        #[cfg(target_arch = "wasm32")]
        InputFile::Path(_) | InputFile::Dropped(_) => {
            Err(OpenFailure::unreadable(&file.name(), "the browser keeps it"))
        }
    }
}

/// The same files with their bytes, which a browser gives only on asking.
#[cfg(target_arch = "wasm32")]
async fn fetched(given: Vec<InputFile>) -> Result<Vec<InputFile>, OpenFailure> {
    let mut fetched = Vec::with_capacity(given.len());
    for file in given {
        let name = file.name();
        fetched.push(match file {
            InputFile::Dropped(dropped) => {
                let bytes = dropped.bytes_async().await;
                let bytes = bytes.map_err(|why| OpenFailure::unreadable(&name, &why))?;
                InputFile::Bytes(name, bytes.into())
            }
            InputFile::Path(_) => {
                let kept = MODELS.files(&name).await.unwrap_or_default();
                if kept.is_empty() {
                    return Err(OpenFailure::not_kept(&name));
                }
                let kept = kept.into_iter();
                fetched.extend(kept.map(|(name, bytes)| InputFile::Bytes(name, bytes)));
                continue;
            }
            other => other,
        });
    }
    Ok(fetched)
}

// Reading beside the frame.

pub(super) type Outcome = Result<ReadFiles, OpenFailure>;

/// A model that is being read. Dropped, its worker is asked to stop.
#[derive(Debug)]
pub(super) struct ReadJob {
    /// What is read.
    pub(super) name: String,
    /// All that was given.
    pub(super) given: Vec<InputFile>,
    /// What it was asked for.
    pub(super) purpose: FilePurpose,
    /// Was it asked for by a page that is kept, not by the reader?
    pub(super) for_kept: bool,
    /// When it was first seen, on the clock of the page.
    pub(super) since_secs: Option<f64>,
    task: Task<Outcome>,
}

impl ReadJob {
    /// On a thread of its own; in a browser, which has none, between frames.
    pub(super) fn start(ctx: &Context, given: Vec<InputFile>, purpose: FilePurpose) -> Self {
        let name = given.first().map(InputFile::name).unwrap_or_default();
        let ctx = ctx.clone();
        let all = given.clone();
        #[cfg(not(target_arch = "wasm32"))]
        let task = {
            let waiting = ctx.clone();
            let work = move |progress: &TaskProgress| {
                let outcome = read(&given, progress);
                if let Ok(ReadFiles::Model(opened)) = &outcome {
                    decode_images(ctx, &opened.rig);
                }
                outcome
            };
            Task::start("open", work, move || waiting.request_repaint())
        };
        #[cfg(target_arch = "wasm32")]
        let task = {
            let waiting = ctx.clone();
            let work = async move |progress: TaskProgress| {
                let outcome = read_between_frames(given, &progress).await;
                if let Ok(ReadFiles::Model(opened)) = &outcome {
                    browser_images::decode(ctx, &opened.rig);
                }
                outcome
            };
            Task::between_frames(work, move || waiting.request_repaint())
        };
        Self { name, given: all, purpose, for_kept: false, since_secs: None, task }
    }

    /// How far it is, 0 to 1.
    pub(super) fn fraction(&self) -> f32 {
        self.task.fraction()
    }

    /// Until it is read; what came of it is still to be taken.
    #[cfg(test)]
    pub(super) fn wait(&mut self) {
        // No measure of speed: only a hang takes this long.
        let patience = Duration::from_mins(5);
        let outcome = self.task.answer(patience).expect("in time");
        let (task, _, send) = Task::new();
        send.send(outcome.expect("an answer")).expect("it is here");
        self.task = task;
    }

    /// What came of it; `None` while it is being read.
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

/// Decodes the images of a model on a thread of its own: the model is shown at
/// once, in plain colours, and painted when they are there.
#[cfg(not(target_arch = "wasm32"))]
fn decode_images(ctx: Context, rig: &Arc<Rig>) {
    rig.mesh.images.iter().for_each(MaterialImage::promise);
    let of_thread = Arc::clone(rig);
    let work = move || {
        for image in &of_thread.mesh.images {
            image.pixels();
            ctx.request_repaint();
        }
    };
    let thread = std::thread::Builder::new().name("images".to_owned());
    if thread.spawn(work).is_err() {
        // The system gives no thread: then here.
        for image in &rig.mesh.images {
            image.pixels();
        }
    }
}
