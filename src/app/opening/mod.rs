//! Opening a model of the reader's own: dropped, chosen, named on the command
//! line or opened before. Whatever fails or is cancelled leaves the notebook as
//! it was.

#[cfg(target_arch = "wasm32")]
mod browser_images;
mod file_chooser;
mod input_file;
#[cfg(target_arch = "wasm32")]
mod kept_files;
mod read;
mod status_view;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_beside;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{
    Arc, Weak,
    mpsc::{Receiver, TryRecvError, channel},
};

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_page::recent_models::RecentModels;
use eframe::egui::{Context, DroppedFileHandle};

use file_chooser::FileChooser;
use input_file::InputFile;
use read::ReadJob;

#[cfg(not(target_arch = "wasm32"))]
use bindpose_lesson::{LessonSet, find_lesson};

#[cfg(not(target_arch = "wasm32"))]
use bindpose_notebook::{OWN_RIG, link};

#[cfg(test)]
pub(super) use file_chooser::OpenDialogAnswer;
pub(super) use input_file::FilePurpose;
#[cfg(target_arch = "wasm32")]
pub(super) use kept_files::{keep_course, open_kept_courses};
pub(super) use read::{ReadFiles, ReadModel, UnpackedCourse};

pub use input_file::OpenFailure;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use read::open_file;
pub(super) use status_view::{card, strong};

/// Files that are dropped together may arrive one by one.
const DROP_SECS: f64 = 0.05;

/// Does the page that a link leads to stand on the reader's model?
///
/// Errors: in words, when it does not.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn page_fits(set: &LessonSet, link: &str) -> Result<(), String> {
    let address = link::address(link).map_err(|error| error.to_string())?;
    let index = find_lesson(&set.lessons, &address.lesson).map_err(|error| error.to_string())?;
    let lesson = &set.lessons[index];
    if lesson.rig == OWN_RIG {
        return Ok(());
    }
    let mut own = set.lessons.iter().filter(|lesson| lesson.rig == OWN_RIG);
    let instead = own.next().map_or_else(
        || "no lesson here stands on a model of one’s own".to_owned(),
        |own| format!("a model of one’s own stands in lesson {}", own.number),
    );
    Err(format!(
        "lesson {} has a model of its own; {instead}: leave out the model, or the lesson",
        lesson.number
    ))
}

/// Everything about opening that is not the notebook's.
#[derive(Debug, Default)]
pub(super) struct ModelOpener {
    /// Models opened before.
    pub(super) recent: RecentModels,
    missing: MissingFiles,
    /// A link to follow when the model has been read.
    pub(super) then: Option<String>,
    /// A file to stand beside the model when that has been read.
    pub(super) then_beside: Option<PathBuf>,
    /// What files are for that are dropped.
    pub(super) drops: FilePurpose,
    job: Option<ReadJob>,
    /// Why a model of a kept page did not open, until it is taken.
    kept_failure: Option<String>,
    /// Where open models came from.
    files: Vec<(Weak<Rig>, PathBuf)>,
    /// What did not open, and what it was for, until the reader has seen it.
    failed: Option<(OpenFailure, FilePurpose)>,
    chooser: FileChooser,
    /// What was given of a model that lacks other files, until they come, and what it
    /// was for.
    incomplete: Option<(Vec<InputFile>, FilePurpose)>,
    dropped: Vec<DroppedFileHandle>,
    dropped_at_secs: f64,
}

impl ModelOpener {
    /// With the models that are remembered.
    pub(super) fn new(recent: &[PathBuf]) -> Self {
        Self { recent: RecentModels::new(recent), ..Self::default() }
    }

    /// Begins to read; what was being read is left.
    fn begin(&mut self, ctx: &Context, given: Vec<InputFile>, purpose: FilePurpose) {
        if given.is_empty() {
            return;
        }
        let (given, purpose) = self.with_incomplete(given, purpose);
        self.cancel();
        self.then = None;
        self.then_beside = None;
        self.job = Some(ReadJob::start(ctx, given, purpose));
    }

    /// With the files that lacked these, if there is no model among them, for what those
    /// were given.
    fn with_incomplete(
        &mut self,
        given: Vec<InputFile>,
        purpose: FilePurpose,
    ) -> (Vec<InputFile>, FilePurpose) {
        match self.incomplete.take() {
            Some((before, purpose)) if !given.iter().any(InputFile::is_model) => {
                let names: Vec<String> = given.iter().map(InputFile::name).collect();
                let before = before.into_iter();
                let before = before.filter(|file| !names.contains(&file.name()));
                (before.chain(given).collect(), purpose)
            }
            _ => (given, purpose),
        }
    }

    /// Keeps the files of a model, as far as the browser does.
    #[cfg(target_arch = "wasm32")]
    fn keep_files(&self, rig: &Arc<Rig>) {
        let rig = Arc::clone(rig);
        let recent = self.recent.paths().iter();
        let recent = recent.map(|path| input_file::file_name(path)).collect();
        wasm_bindgen_futures::spawn_local(async move {
            let Some(origin) = &rig.origin else { return };
            let source = &origin.source;
            let beside = source.beside.iter();
            let beside = beside.map(|(name, bytes)| (&**name, &**bytes));
            let files = std::iter::once((&*source.name, &*source.main)).chain(beside);
            let files: Vec<(&str, &[u8])> = files.collect();
            if let Err(why) = kept_files::MODELS.keep(&files, &recent).await {
                log::warn!("the browser does not keep the model: {why:?}");
            }
        });
    }

    /// Begins to read the files of a model, and what they name.
    pub(super) fn begin_files(&mut self, ctx: &Context, paths: Vec<PathBuf>) {
        let files = paths.into_iter().map(InputFile::at).collect();
        self.begin(ctx, files, FilePurpose::Page);
    }

    /// Begins to read a model that is to stand beside the one of the page.
    pub(super) fn begin_beside(&mut self, ctx: &Context, path: PathBuf) {
        self.begin(ctx, vec![InputFile::at(path)], FilePurpose::ModelB);
    }

    /// Begins to read files that the browser has given.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn begin_given(&mut self, ctx: &Context, files: Vec<(String, Vec<u8>)>) {
        let files = files.into_iter();
        let files = files.map(|(path, bytes)| InputFile::Bytes(path, bytes.into()));
        self.begin(ctx, files.collect(), FilePurpose::Page);
    }

    /// Begins to read a model that comes with the notebook, by the name of its file.
    pub(super) fn begin_bundled(&mut self, ctx: &Context, name: &str) {
        let given = vec![InputFile::Bundled(name.to_owned())];
        self.begin(ctx, given, FilePurpose::Page);
    }

    /// Begins to read a model that a kept page waits for: what fails stands with
    /// the page, and [`Self::take_failure`] has it.
    pub(super) fn begin_kept(&mut self, ctx: &Context, path: PathBuf) {
        self.begin_files(ctx, vec![path]);
        if let Some(job) = &mut self.job {
            job.for_kept = true;
        }
    }

    /// Why the model of a kept page did not open; `None`: it was stopped.
    pub(super) fn take_failure(&mut self) -> Option<String> {
        self.kept_failure.take()
    }

    /// Is a model being read?
    pub(super) fn is_reading(&self) -> bool {
        self.job.is_some()
    }

    /// Whether the reader is told of a file that did not open.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// The file that a model came from; `None`: it was dropped without one.
    pub(super) fn path_of(&self, model: &Arc<Rig>) -> Option<PathBuf> {
        let mut files = self.files.iter();
        let file = files.find(|(of, _)| of.as_ptr() == Arc::as_ptr(model));
        file.map(|(_, path)| path.clone())
    }

    /// Says that weights are of another model than the one that is open.
    pub(super) fn tell_misfit(&mut self, name: &str, misfit: Diagnostic) {
        let unopened = OpenFailure::misfit(name, misfit);
        self.failed = Some((unopened, FilePurpose::Page));
    }

    /// Asks the reader for a file. What is being read stays what it was asked for.
    pub(super) fn ask(&mut self, ctx: &Context, purpose: FilePurpose) {
        self.failed = None;
        let folder = self.recent.folder();
        self.chooser.ask(ctx, purpose, folder.as_deref());
    }

    /// Stops reading and closes what is open; false when there was nothing.
    pub(super) fn cancel(&mut self) -> bool {
        let job = self.job.take();
        let dropped = !std::mem::take(&mut self.dropped).is_empty();
        dropped | job.is_some() | self.failed.take().is_some()
    }

    /// Waits for the worker; is there anything left to do?
    #[cfg(test)]
    pub(super) fn work(&mut self) -> bool {
        if let Some(job) = &mut self.job {
            job.wait();
        }
        self.job.is_some() || !self.dropped.is_empty() || self.recent.asked.is_some()
    }

    /// The next dialog is one whose reader or system answers so.
    #[cfg(test)]
    pub(super) fn dialog_answers(&mut self) -> std::sync::mpsc::Sender<OpenDialogAnswer> {
        let (send, answer) = std::sync::mpsc::channel();
        self.chooser.next_dialog = Some(file_chooser::SystemDialog(answer));
        send
    }

    /// Has the system turned out to have no dialog since this was last asked?
    pub(super) fn found_no_dialog(&mut self) -> bool {
        std::mem::take(&mut self.chooser.has_none)
    }

    /// Takes what was dropped, chosen or read since the last frame; the answer is
    /// what was read, and what it was asked for.
    pub(super) fn update(&mut self, ctx: &Context) -> Option<(ReadFiles, FilePurpose)> {
        self.take_drops(ctx);
        if let Some((given, purpose)) = self.chooser.chosen() {
            self.begin(ctx, given, purpose);
        }
        if let Some(missing) = self.missing.looked_for(ctx, self.recent.paths()) {
            self.recent.set_missing(missing);
        }
        for path in std::mem::take(&mut self.recent.taken_off) {
            forget_files(&path);
        }
        if let Some(path) = self.recent.asked.take() {
            self.begin_files(ctx, vec![path]);
        }
        let outcome = self.job.as_mut()?.outcome()?;
        let job = self.job.take()?;
        self.missing.look_again();
        match outcome {
            Ok(read) => {
                self.failed = None;
                if let ReadFiles::Model(opened) = &read {
                    self.remember(opened);
                }
                Some((read, job.purpose))
            }
            Err(unopened) if job.for_kept => {
                let wrong = unopened.wrong;
                self.kept_failure = Some(format!("{} {}", wrong.title, wrong.help));
                None
            }
            Err(unopened) => {
                self.incomplete = (!unopened.lacks.is_empty()).then_some((job.given, job.purpose));
                self.failed = Some((unopened, job.purpose));
                None
            }
        }
    }

    /// Where an open model came from.
    fn remember(&mut self, opened: &ReadModel) {
        self.incomplete = None;
        if let Some(path) = &opened.path {
            if !opened.is_bundled {
                self.recent.add(path);
                #[cfg(target_arch = "wasm32")]
                self.keep_files(&opened.rig);
            }
            self.files.retain(|(model, _)| model.strong_count() > 0);
            let file = (Arc::downgrade(&opened.rig), path.clone());
            self.files.push(file);
        }
    }

    fn take_drops(&mut self, ctx: &Context) {
        let (now, dropped) = ctx.input(|input| (input.time, input.raw.dropped_files.clone()));
        if !dropped.is_empty() {
            self.dropped.extend(dropped);
            self.dropped_at_secs = now;
        }
        if self.dropped.is_empty() {
            return;
        }
        if now - self.dropped_at_secs < DROP_SECS {
            ctx.request_repaint_after_secs(DROP_SECS as f32);
        } else {
            let dropped = std::mem::take(&mut self.dropped);
            let given = dropped.into_iter().map(InputFile::from).collect();
            self.begin(ctx, given, self.drops);
        }
    }
}

/// What a browser keeps of a model that was taken off the list goes too; files on a
/// disk are the reader's.
fn forget_files(path: &std::path::Path) {
    #[cfg(not(target_arch = "wasm32"))]
    let _ = path;
    #[cfg(target_arch = "wasm32")]
    {
        let name = input_file::file_name(path);
        wasm_bindgen_futures::spawn_local(async move {
            let _ = kept_files::MODELS.forget(&name).await;
        });
    }
}

// Which files of a list are not there: looked for beside the page, since a
// folder of another machine may take long to answer. In a browser: which of them
// it does not keep.

/// Looking for files.
#[derive(Debug, Default)]
struct MissingFiles {
    looking: Option<Receiver<BTreeSet<PathBuf>>>,
    /// Was the last look asked for?
    looked: bool,
}

impl MissingFiles {
    /// Files may have come or gone.
    fn look_again(&mut self) {
        self.looked = false;
    }

    /// Those of `paths` that are not there, when a look has ended since the last
    /// frame.
    fn looked_for(&mut self, ctx: &Context, paths: &[PathBuf]) -> Option<BTreeSet<PathBuf>> {
        if let Some(looking) = &self.looking {
            let found = looking.try_recv();
            if found == Err(TryRecvError::Empty) {
                return None;
            }
            self.looking = None;
            return found.ok();
        }
        if self.looked {
            return None;
        }
        self.looked = true;
        if !paths.is_empty() {
            self.looking = Some(look(ctx.clone(), paths.to_vec()));
        }
        None
    }
}

#[cfg(target_arch = "wasm32")]
fn look(ctx: Context, paths: Vec<PathBuf>) -> Receiver<BTreeSet<PathBuf>> {
    use input_file::file_name;
    use kept_files::MODELS;
    let (send, looking) = channel();
    wasm_bindgen_futures::spawn_local(async move {
        let kept = MODELS.names().await.unwrap_or_default();
        let missing = paths.into_iter();
        let missing = missing.filter(|path| !kept.contains(&file_name(path)));
        let _ = send.send(missing.collect());
        ctx.request_repaint();
    });
    looking
}

#[cfg(not(target_arch = "wasm32"))]
fn look(ctx: Context, paths: Vec<PathBuf>) -> Receiver<BTreeSet<PathBuf>> {
    let (send, looking) = channel();
    let work = move || {
        let missing = paths.into_iter().filter(|path| !path.exists());
        let _ = send.send(missing.collect());
        ctx.request_repaint();
    };
    // Without a thread nothing is known to be missing.
    let thread = std::thread::Builder::new().name("recent files".to_owned());
    let _ = thread.spawn(work);
    looking
}
