//! Opens a model of any supported format as a rig.
//!
//! # How a model is opened
//!
//! - `gltf_file/` decodes bytes without interpreting them: GLB chunks, tolerant JSON, URIs,
//!   element formats, and runs of elements with one loop per component type. The reader
//!   (`gltf/`), the layout and the crate `bindpose-doctor` are built on it. Only
//!   `write/writer.rs` writes a GLB.
//! - The reader parses the JSON straight into the types of the gltf crate. Only if that
//!   fails, it parses a tree of values, turns whole numbers written as `2.0` into integers,
//!   and validates the tree against the schema that the doctor uses, to report the mistake.
//! - The reader is an `async` function that announces the size of each piece of work before
//!   doing it (`progress.rs`). Its driver, `open` on a worker thread or `between_frames.rs`
//!   in a browser, can stop it or do something else between two pieces. The doctor's
//!   examination and mending work in the same way. `Task::start_paced` drives such work on
//!   a thread, or between the frames of a browser.
//! - Memory and reading are limited by one `FileBudget`, which the reader, images and EZMesh
//!   charge before they allocate or read. The doctor has a limit of its own for reading.
//! - Images stay encoded until they are shown (`material_image.rs`). A browser decodes them
//!   itself (`browser_pixels.rs`, called by `app/host/browser/decode_images.rs`). It also keeps
//!   the files of opened models and courses, because it gives no paths
//!   (`app/host/browser/kept_files.rs`, which reopens the courses before the page that was
//!   inside one of them).
//! - A second model for comparison, model B, is opened in the same way (`FilePurpose`
//!   travels with each job) and ends in `Notebook::open_model_b`. The choice of model B is
//!   a setting. Only a file of the reader's own is kept beside the document, and undo
//!   retains it. `page/model_b.rs` holds the comparison that all cells share. It is computed
//!   in the background, in pieces, by `workbench/model_difference/`. Its `ModelComparison`
//!   has model B in the space of model A and under A's names, so that cameras and
//!   highlights need no conversion. `notebook/compared_pose.rs` applies the page's pose.

use std::fmt;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;

use super::ezm::read_ezm;
use super::foreign::{foreign, glb_in_text};
use super::gltf;
use super::progress::{OpenStage, Pace, Paced};
use super::{ModelSource, Rig, RigOrigin, TaskProgress};
use crate::read_error::code;

/// Reason why a model cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The file is glTF, but cannot be read.
    Gltf {
        /// Name of the model's file.
        name: String,
        /// First mistake that stopped the reader.
        error: Box<Diagnostic>,
    },
    /// The file is EZMesh, but cannot be read.
    Ezm {
        /// Name of the model's file.
        name: String,
        /// All mistakes in the file, as [`read_ezm`] returns them.
        errors: Vec<Diagnostic>,
    },
    /// The content is of no supported format.
    UnknownFormat {
        /// Name of the model's file.
        name: String,
        /// Description of the format, or of the first bytes if the format is unknown.
        found: String,
        /// Remedy, if the format is a known one.
        help: Option<&'static str>,
    },
    /// Opening was cancelled by [`TaskProgress::cancel`].
    Cancelled {
        /// Name of the model's file.
        name: String,
    },
}

impl From<OpenError> for Diagnostic {
    fn from(error: OpenError) -> Self {
        let (name, wrong) = match error {
            OpenError::Gltf { name, error } => (name, *error),
            OpenError::Ezm { name, errors } => (name, first_of(errors)),
            OpenError::UnknownFormat { name, found, help } => {
                let expected = "a glTF model (.gltf or .glb) or an EZMesh model (.ezm)";
                let wrong = Self { code: "UNKNOWN_FORMAT", ..Self::expected(expected, found) };
                let is_text = name.rsplit('.').next() == Some("md");
                let help = help.unwrap_or(if is_text {
                    "this is the text of a lesson: open its folder with bindpose --lessons FOLDER"
                } else {
                    "open another file, or export this one as glTF"
                });
                (name, wrong.help(help))
            }
            OpenError::Cancelled { name } => (name, Self::said("CANCELLED", "opening was stopped")),
        };
        Self { at: wrong.at.within(name), ..wrong }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for OpenError {}

/// Reads a model in one go. The format is detected from the content, not from the file
/// name. The rig keeps the source in [`Rig::origin`].
///
/// # Errors
///
/// Returns an [`OpenError`] if the format is unknown, if the file cannot be read, or if
/// `progress` was cancelled.
pub fn open(source: &ModelSource, progress: &TaskProgress) -> Result<Rig, OpenError> {
    ModelOpening::new(source, progress).into_paced().finish()
}

/// Opens a model in pieces, so that the caller can do something else in between.
pub struct ModelOpening(Paced<Result<Rig, OpenError>>);

impl ModelOpening {
    /// Creates the task. Reading starts with the first [`Self::advance`].
    pub fn new(source: &ModelSource, progress: &TaskProgress) -> Self {
        let source = source.clone();
        Self(Paced::new(progress, |pace| async move {
            match detect_format(&source.main) {
                Some(ModelFormat::Gltf) => open_gltf(source, &pace).await,
                Some(ModelFormat::Ezm) => open_ezm(&source, pace.progress()),
                None => Err(unknown_format(source)),
            }
        }))
    }

    /// Converts the opening into a generic task in pieces.
    pub fn into_paced(self) -> Paced<Result<Rig, OpenError>> {
        self.0
    }

    /// Returns the stage of the next piece.
    pub fn stage(&self) -> OpenStage {
        self.0.stage()
    }

    /// Reads about `budget` further numbers of the file. The JSON is read in one piece,
    /// whatever its size.
    ///
    /// Returns `None` if there is more to read. Must not be called again after it has
    /// returned a result.
    ///
    /// # Errors
    ///
    /// Returns an [`OpenError`] for the same reasons as [`open`].
    pub fn advance(&mut self, budget: usize) -> Option<Result<Rig, OpenError>> {
        self.0.advance(budget)
    }
}

/// Supported formats. A new one is added here, in [`detect_format`] and in
/// [`ModelOpening::new`].
enum ModelFormat {
    Gltf,
    Ezm,
}

fn detect_format(bytes: &[u8]) -> Option<ModelFormat> {
    if foreign(bytes).is_some() || glb_in_text(bytes).is_some() {
        return None;
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    match first {
        _ if bytes.starts_with(b"glTF") => Some(ModelFormat::Gltf),
        Some(b'{') => Some(ModelFormat::Gltf),
        Some(b'<') => Some(ModelFormat::Ezm),
        _ => None,
    }
}

fn unknown_format(source: ModelSource) -> OpenError {
    let (found, help) = match foreign(&source.main) {
        Some(file) => (file.what.to_owned(), Some(file.remedy)),
        None if glb_in_text(&source.main).is_some() => {
            let help = "save it as the bytes that it stands for: bindpose doctor FILE --mend does";
            ("a GLB that is written as text".to_owned(), Some(help))
        }
        None => (describe_first_bytes(&source.main), None),
    };
    OpenError::UnknownFormat { name: source.name, found, help }
}

async fn open_gltf(source: ModelSource, pace: &Pace) -> Result<Rig, OpenError> {
    let read = gltf::read(&source, pace).await.map_err(|error| {
        let name = source.name.clone();
        match error.code {
            code::GLTF_CANCELLED => OpenError::Cancelled { name },
            _ => OpenError::Gltf { name, error: error.into() },
        }
    })?;
    for note in &read.notes {
        log::info!("{}: {}: {}", source.name, note.at, note.effect);
    }
    let stem = source.name.rsplit_once('.').map_or(&*source.name, |(stem, _)| stem);
    Ok(Rig {
        title: if stem.is_empty() { read.rig.title } else { stem.to_owned() },
        origin: Some(Arc::new(RigOrigin { source, graph: read.graph, notes: read.notes })),
        ..read.rig
    })
}

fn open_ezm(source: &ModelSource, progress: &TaskProgress) -> Result<Rig, OpenError> {
    let rig = read_ezm(&source.main)
        .map_err(|errors| OpenError::Ezm { name: source.name.clone(), errors })?;
    if progress.is_cancelled() {
        return Err(OpenError::Cancelled { name: source.name.clone() });
    }
    progress.set(1.0);
    let origin = rig
        .origin
        .as_ref()
        .map(|origin| Arc::new(RigOrigin { source: source.clone(), ..(**origin).clone() }));
    Ok(Rig { origin, ..rig })
}

/// Returns the first of the errors in a file, with the number of all as its count.
fn first_of(errors: Vec<Diagnostic>) -> Diagnostic {
    let count = errors.iter().map(|error| error.count).sum();
    match errors.into_iter().next() {
        Some(first) => Diagnostic { count, ..first },
        None => Diagnostic::said(code::EZM_FORMAT, "nothing is wrong"),
    }
}

/// Describes the beginning of a file for an error message.
fn describe_first_bytes(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "an empty file".to_owned();
    }
    let shown: String = bytes
        .iter()
        .take(8)
        .map(|&byte| match byte {
            b' '..=b'~' => char::from(byte),
            _ => '·',
        })
        .collect();
    format!("a file that begins with “{shown}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_detected_from_the_content() {
        fn open_bytes(bytes: &[u8]) -> Result<Rig, OpenError> {
            open(&ModelSource::alone("a.bin", bytes), &TaskProgress::default())
        }
        let error = open_bytes(b"").unwrap_err().to_string();
        assert!(error.contains("an empty file"), "{error}");
        let error = open_bytes(b"\x89QOI\r\n").unwrap_err().to_string();
        assert!(error.contains("·QOI"), "{error}");
        let error = open_bytes(b"Kaydara FBX Binary").unwrap_err().to_string();
        assert!(error.contains("an FBX file; open it in Blender"), "{error}");
        assert!(matches!(open_bytes(b"glTF"), Err(OpenError::Gltf { .. })));
        assert!(matches!(open_bytes(b"\xEF\xBB\xBF\n {"), Err(OpenError::Gltf { .. })));
    }

    #[test]
    fn errors_have_a_place_an_expectation_a_finding_and_a_remedy() {
        for (bytes, code, place, expected, found) in [
            (
                &b"{\"asset\": {\"version\": \"1.0\"}}"[..],
                "GLTF_UNSUPPORTED",
                "a.bin: /asset/version",
                "2",
                "1.0",
            ),
            (b"<foo/>", "EZM_FORMAT", "a.bin: /foo (1:1)", "MeshSystem", "<foo>"),
            (b"hello", "UNKNOWN_FORMAT", "a.bin", "a glTF model", "hello"),
        ] {
            let source = ModelSource::alone("a.bin", bytes);
            let error = open(&source, &TaskProgress::default()).unwrap_err();
            let wrong = Diagnostic::from(error.clone());
            assert_eq!((wrong.code, &*wrong.at.to_string()), (code, place));
            assert!(wrong.expected.contains(expected), "{wrong}");
            assert!(wrong.found.contains(found), "{wrong}");
            assert!(!wrong.help.is_empty(), "{wrong}");
            assert_eq!(error.to_string(), wrong.to_string());
        }
    }

    #[test]
    fn a_lesson_text_is_rejected_with_the_command_that_opens_it() {
        let text = ModelSource::alone("lesson.md", b"+++\ntitle = \"T\"\n+++\n".as_slice());
        let error = open(&text, &TaskProgress::default()).unwrap_err();
        let wrong = Diagnostic::from(error);
        assert!(wrong.help.contains("bindpose --lessons FOLDER"), "{wrong}");
    }

    #[test]
    fn opening_reports_completion_and_cancellation() {
        let source = ModelSource::alone("whale.glb", crate::committed_model("whale/whale.glb"));
        let progress = TaskProgress::default();
        let rig = open(&source, &progress).unwrap();
        assert_eq!((progress.fraction(), &*rig.title), (1.0, "whale"));
        assert_eq!(rig.origin.unwrap().source, source);
        progress.cancel();
        assert!(matches!(open(&source, &progress), Err(OpenError::Cancelled { .. })));
    }
}
