//! Opening files of the reader: dropped, chosen in a dialog, named on the command line or
//! opened before. A failed or cancelled opening leaves the notebook unchanged.

mod file_chooser;
pub(super) mod input_file;
mod read;
mod read_job;
mod status_view;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_beside;
#[cfg(test)]
mod tests_ways;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{
    Arc, Weak,
    mpsc::{Receiver, TryRecvError},
};

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_page::recent_models::RecentModels;
use eframe::egui::{Context, DroppedFileHandle, ViewportId};

use super::host;
use file_chooser::FileChooser;
use read_job::{ReadJob, ReadRequester};

pub(super) use input_file::{FilePurpose, InputFile, file_name, find_model};
pub(super) use read::{
    LOADING_FRACTION, ReadFiles, ReadModel, ReadOutcome, UnpackedCourse, build_model, load_source,
    read_accompanying_files, read_file_without_model,
};

pub use input_file::OpenFailure;
pub(super) use status_view::{draw_card, strong_text};

/// Time to wait for further files, because files dropped together can arrive one by one.
const DROP_WAIT_SECS: f64 = 0.05;

/// State of opening files: dialog, dropped files, the job that reads, and failures.
#[derive(Debug, Default)]
pub(super) struct ModelOpener {
    pub(super) recent: RecentModels,
    missing: MissingFiles,
    /// Link to follow when the model has been read.
    pub(super) link_after_model: Option<String>,
    /// True if the page of the doctor's report opens with the model.
    pub(super) opens_report_with_model: bool,
    /// Model B to read when the model has been read.
    pub(super) model_b_after_model: Option<PathBuf>,
    /// Purpose of dropped files.
    pub(super) drop_purpose: FilePurpose,
    job: Option<ReadJob>,
    /// Reason why the model of a kept page did not open, until it is taken.
    kept_failure: Option<String>,
    /// Failure of files named on the command line, until it is taken.
    named_failure: Option<OpenFailure>,
    /// Files of open models.
    model_files: Vec<ModelFile>,
    /// Failure and purpose of files, until the reader has closed the message.
    failed: Option<(OpenFailure, FilePurpose)>,
    chooser: FileChooser,
    /// Files of a model whose other files are missing, until those are given, and their
    /// purpose.
    incomplete: Option<(Vec<InputFile>, FilePurpose)>,
    dropped: Vec<DroppedFileHandle>,
    /// Time at which the last file was dropped. `None` if that was since the last frame.
    dropped_at_secs: Option<f64>,
}

/// File that an open model was read from.
#[derive(Debug)]
struct ModelFile {
    model: Weak<Rig>,
    path: PathBuf,
}

impl ModelOpener {
    /// `recent` are the models of earlier runs.
    pub(super) fn new(recent: &[PathBuf]) -> Self {
        Self { recent: RecentModels::new(recent), ..Self::default() }
    }

    /// Starts reading files, and cancels the current job. Files without a model complete the
    /// incomplete ones given before, and take over their purpose. A file that is given twice
    /// is read once.
    fn start(&mut self, ctx: &Context, mut files: Vec<InputFile>, mut purpose: FilePurpose) {
        if files.is_empty() {
            return;
        }
        remove_repeated_paths(&mut files);
        if let Some((mut incomplete, purpose_before)) = self.incomplete.take()
            && !files.iter().any(InputFile::is_model)
        {
            let names: Vec<String> = files.iter().map(InputFile::name).collect();
            incomplete.retain(|file| !names.contains(&file.name()));
            incomplete.extend(files);
            files = incomplete;
            purpose = purpose_before;
        }
        self.cancel();
        self.link_after_model = None;
        self.opens_report_with_model = false;
        self.model_b_after_model = None;
        self.job = Some(ReadJob::start(ctx, files, purpose));
    }

    /// Starts reading the files of a model, and the files that they refer to.
    pub(super) fn open_files(&mut self, ctx: &Context, paths: Vec<PathBuf>) {
        let files = paths.into_iter().map(InputFile::from_path).collect();
        self.start(ctx, files, FilePurpose::Page);
    }

    /// Starts reading model B, to compare it with the model of the page.
    pub(super) fn open_model_b(&mut self, ctx: &Context, path: PathBuf) {
        self.start(ctx, vec![InputFile::from_path(path)], FilePurpose::ModelB);
    }

    /// Starts reading files given as bytes, with their paths below a folder.
    pub(super) fn open_file_bytes(&mut self, ctx: &Context, files: Vec<(String, Vec<u8>)>) {
        let files =
            files.into_iter().map(|(path, bytes)| InputFile::Bytes(path, bytes.into())).collect();
        self.start(ctx, files, FilePurpose::Page);
    }

    /// Starts reading a model bundled with the notebook, by the name of its file.
    pub(super) fn open_bundled(&mut self, ctx: &Context, name: &str) {
        self.start(ctx, vec![InputFile::Bundled(name.to_owned())], FilePurpose::Page);
    }

    /// Starts reading the model of a kept page. A failure is shown with the page: see
    /// [`Self::take_failure`].
    pub(super) fn open_kept(&mut self, ctx: &Context, path: PathBuf) {
        self.open_files(ctx, vec![path]);
        self.set_requester(ReadRequester::KeptPage);
    }

    /// Marks the job as requested on the command line: see [`Self::take_named_failure`].
    pub(super) fn mark_as_named(&mut self) {
        self.set_requester(ReadRequester::CommandLine);
    }

    fn set_requester(&mut self, requester: ReadRequester) {
        if let Some(job) = &mut self.job {
            job.requester = requester;
        }
    }

    /// Takes the failure of files named on the command line, which is shown in the window, too.
    pub(super) fn take_named_failure(&mut self) -> Option<OpenFailure> {
        self.named_failure.take()
    }

    /// Takes the reason why the model of a kept page did not open. Returns `None` if reading
    /// was stopped.
    pub(super) fn take_failure(&mut self) -> Option<String> {
        self.kept_failure.take()
    }

    pub(super) fn is_reading(&self) -> bool {
        self.job.is_some()
    }

    /// Returns true while the message about a file that did not open is shown.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Returns the file of an open model, or `None` if it was dropped without a path.
    pub(super) fn path_of(&self, model: &Arc<Rig>) -> Option<PathBuf> {
        let file = self.model_files.iter().find(|file| file.model.as_ptr() == Arc::as_ptr(model));
        file.map(|file| file.path.clone())
    }

    /// Shows a failure because weights belong to another model than the open one.
    pub(super) fn report_misfit(&mut self, name: &str, misfit: Diagnostic) {
        self.failed = Some((OpenFailure::misfit(name, misfit), FilePurpose::Page));
    }

    /// Opens a file dialog. A job that runs keeps its own purpose.
    pub(super) fn open_dialog(&mut self, ctx: &Context, purpose: FilePurpose) {
        self.failed = None;
        let folder = self.recent.folder();
        self.chooser.open(ctx, purpose, folder.as_deref());
    }

    /// Stops reading and closes the message of a failure. Returns false if there was neither.
    pub(super) fn cancel(&mut self) -> bool {
        let had_job = self.job.take().is_some();
        let had_drops = !std::mem::take(&mut self.dropped).is_empty();
        let had_failure = self.failed.take().is_some();
        had_job || had_drops || had_failure
    }

    /// Waits for the job. Returns true if there is more to do.
    #[cfg(test)]
    pub(super) fn wait_for_job(&mut self) -> bool {
        if let Some(job) = &mut self.job {
            job.wait();
        }
        self.job.is_some() || !self.dropped.is_empty() || self.recent.requested.is_some()
    }

    /// Replaces the next dialog by one whose answer is sent to the returned sender.
    #[cfg(test)]
    pub(super) fn dialog_answers(
        &mut self,
    ) -> std::sync::mpsc::Sender<input_file::OpenDialogAnswer> {
        let (send, answer) = std::sync::mpsc::channel();
        self.chooser.next_dialog = Some(answer);
        send
    }

    /// Returns true if a dialog failed to open since the last call, because the system has
    /// none.
    pub(super) fn take_has_no_dialog(&mut self) -> bool {
        std::mem::take(&mut self.chooser.has_no_dialog)
    }

    /// Handles dropped and chosen files, and returns a finished job's result with its purpose.
    pub(super) fn update(&mut self, ctx: &Context) -> Option<(ReadFiles, FilePurpose)> {
        self.take_drops(ctx);
        if let Some((files, purpose)) = self.chooser.take_chosen() {
            self.start(ctx, files, purpose);
        }
        if let Some(missing) = self.missing.update(ctx, self.recent.paths()) {
            self.recent.set_missing(missing);
        }
        for path in std::mem::take(&mut self.recent.removed) {
            host::delete_kept_model(&path);
        }
        if let Some(path) = self.recent.requested.take() {
            self.open_files(ctx, vec![path]);
        }
        let outcome = self.job.as_mut()?.outcome()?;
        let job = self.job.take()?;
        self.missing.request_search();
        match outcome {
            Ok(read) => {
                self.failed = None;
                if let ReadFiles::Model(opened) = &read {
                    self.record_opened(opened);
                }
                Some((read, job.purpose))
            }
            Err(failure) if job.requester == ReadRequester::KeptPage => {
                let diagnostic = failure.diagnostic;
                self.kept_failure = Some(format!("{} {}", diagnostic.title, diagnostic.help));
                None
            }
            Err(failure) => {
                if job.requester == ReadRequester::CommandLine {
                    self.named_failure = Some(failure.clone());
                }
                self.incomplete =
                    (!failure.missing_files.is_empty()).then_some((job.files, job.purpose));
                self.failed = Some((failure, job.purpose));
                None
            }
        }
    }

    /// Records the file of an opened model, and adds it to the recent models.
    fn record_opened(&mut self, opened: &ReadModel) {
        self.incomplete = None;
        if let Some(path) = &opened.path {
            if !opened.is_bundled {
                self.recent.add(path);
                host::keep_model(&opened.rig, self.recent.paths());
            }
            self.model_files.retain(|file| file.model.strong_count() > 0);
            let model = Arc::downgrade(&opened.rig);
            self.model_files.push(ModelFile { model, path: path.clone() });
        }
    }

    /// Collects files dropped on the window of `ctx`, which is that of the page or another one
    /// of the program. [`Self::update`] opens them.
    pub(super) fn collect_drops(&mut self, ctx: &Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        if !dropped.is_empty() {
            self.dropped.extend(dropped);
            self.dropped_at_secs = None;
            ctx.request_repaint_of(ViewportId::ROOT);
        }
    }

    fn take_drops(&mut self, ctx: &Context) {
        self.collect_drops(ctx);
        if self.dropped.is_empty() {
            return;
        }
        let now_secs = ctx.input(|input| input.time);
        let dropped_at_secs = *self.dropped_at_secs.get_or_insert(now_secs);
        if now_secs - dropped_at_secs < DROP_WAIT_SECS {
            ctx.request_repaint_after_secs(DROP_WAIT_SECS as f32);
        } else {
            let dropped = std::mem::take(&mut self.dropped);
            let files = dropped.into_iter().map(InputFile::from).collect();
            self.start(ctx, files, self.drop_purpose);
        }
    }
}

/// Removes all but the first of files with the same path.
fn remove_repeated_paths(files: &mut Vec<InputFile>) {
    let mut paths = BTreeSet::new();
    files.retain(|file| match file {
        InputFile::Path(path) => paths.insert(comparable_path(path)),
        _ => true,
    });
}

/// Returns the path from the root, if there is one.
fn comparable_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Search for missing files of a list, in the background.
#[derive(Debug, Default)]
struct MissingFiles {
    result: Option<Receiver<BTreeSet<PathBuf>>>,
    /// True if no new search is needed.
    is_up_to_date: bool,
}

impl MissingFiles {
    /// Requests a new search, because files may have been added or removed.
    fn request_search(&mut self) {
        self.is_up_to_date = false;
    }

    /// Starts a requested search. Returns the missing files of `paths` if a search has
    /// finished since the last frame.
    fn update(&mut self, ctx: &Context, paths: &[PathBuf]) -> Option<BTreeSet<PathBuf>> {
        if let Some(result) = &self.result {
            let missing = result.try_recv();
            if missing == Err(TryRecvError::Empty) {
                return None;
            }
            self.result = None;
            return missing.ok();
        }
        if self.is_up_to_date {
            return None;
        }
        self.is_up_to_date = true;
        if !paths.is_empty() {
            self.result = Some(host::find_missing_files(ctx.clone(), paths.to_vec()));
        }
        None
    }
}
