//! Bytes of any format that is known, as a rig.
//!
//! # How a model is opened
//!
//! `asset/gltf_file/` holds what is true of any bytes: chunks, tolerant JSON, URIs,
//! formats of elements, runs of elements read by one loop a component type. Reader
//! (`gltf/`), doctor, layout and mending stand on it, and `write/writer.rs` alone
//! writes a GLB. The reader parses the JSON straight into the gltf crate's types; only
//! where that fails it goes by a tree of values, with whole numbers written `2.0` made
//! integers, and asks the doctor's schema what is wrong. It is an `async` function that
//! says before each piece of work how large it is (`asset/progress.rs`), so whoever drives
//! it, `open` on a worker or `asset/between_frames.rs` between the frames of a browser,
//! can stop it or do something else in between. So are the doctor’s examination and
//! mending; `Task::start_paced` does such work on a thread, or between frames. What a
//! file may make the program hold and read is asked of one `FileBudget` before it happens,
//! by reader, doctor, images and EZMesh alike. A model that is to stand beside that of
//! the page goes the same way (`FilePurpose`, which goes with each job) and ends in
//! `Notebook::open_model_b`; which model B is, is a setting, only a reader’s file is
//! beside the document, and undo holds it. `page/model_b.rs` has the one comparison that
//! cells share, worked out beside the page, in pieces, by `notebook/model_difference/`,
//! whose `ModelComparison` has B in the space of A and under its names, so that cameras and
//! highlights need nothing else; `notebook/compared_pose.rs` puts it into the page’s
//! pose. Images stay as the file has them until they are shown
//! (`asset/material_image.rs`); a browser decodes them itself
//! (`asset/browser_pixels.rs`, asked by `app/opening/browser_images.rs`), and keeps the
//! files of models and courses that were opened (`app/opening/kept_files.rs`), since it
//! gives no paths; the same file opens the courses again before the page that
//! stood in one of them.

use std::fmt;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;

use super::ezm::{EzmError, read_ezm};
use super::foreign::{foreign, glb_in_text};
use super::gltf::{self, GltfError, GltfErrorKind};
use super::progress::{OpenStage, Pace, Paced};
use super::{ModelSource, Rig, RigOrigin, TaskProgress};

/// Why a model does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// A glTF file that cannot be read.
    Gltf {
        /// The file's name.
        name: String,
        /// What is wrong with it.
        error: Box<GltfError>,
    },
    /// An EZMesh file that cannot be read.
    Ezm {
        /// The file's name.
        name: String,
        /// All that is wrong with it.
        error: EzmError,
    },
    /// Neither glTF nor anything else that is known.
    UnknownFormat {
        /// The file's name.
        name: String,
        /// What it looks like.
        found: String,
        /// What to do about it, where it is known what it is.
        help: Option<&'static str>,
    },
    /// It was asked to stop.
    Cancelled {
        /// The file's name.
        name: String,
    },
}

impl From<OpenError> for Diagnostic {
    fn from(error: OpenError) -> Self {
        let (name, wrong) = match error {
            OpenError::Gltf { name, error } => (name, (*error).into()),
            OpenError::Ezm { name, error } => (name, error.into()),
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

/// Reads a model, whatever its format: the content counts, not the name. The rig
/// remembers its source.
///
/// Errors: [`OpenError`].
pub fn open(source: &ModelSource, progress: &TaskProgress) -> Result<Rig, OpenError> {
    ModelOpening::new(source, progress).into_paced().finish()
}

/// A model that is opened in pieces, for who has something else to do in between.
pub struct ModelOpening(Paced<Result<Rig, OpenError>>);

impl ModelOpening {
    /// Begins; nothing is read yet.
    pub fn new(source: &ModelSource, progress: &TaskProgress) -> Self {
        let source = source.clone();
        Self(Paced::new(progress, |pace| async move {
            match format_of(&source.main) {
                Some(ModelFormat::Gltf) => open_gltf(source, &pace).await,
                Some(ModelFormat::Ezm) => open_ezm(&source, pace.progress()),
                None => Err(unknown(source)),
            }
        }))
    }

    /// As work in pieces.
    pub fn into_paced(self) -> Paced<Result<Rig, OpenError>> {
        self.0
    }

    /// What the next piece belongs to.
    pub fn stage(&self) -> OpenStage {
        self.0.stage()
    }

    /// Reads on for about `budget` numbers of the file; `None` when there is more
    /// to read. Its JSON is read in one piece. Not to be called again after the
    /// end.
    ///
    /// Errors: [`OpenError`].
    pub fn advance(&mut self, budget: usize) -> Option<Result<Rig, OpenError>> {
        self.0.advance(budget)
    }
}

/// What can be opened. A further format has its line here, in [`format_of`] and
/// in [`open`].
enum ModelFormat {
    Gltf,
    Ezm,
}

fn format_of(bytes: &[u8]) -> Option<ModelFormat> {
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

fn unknown(source: ModelSource) -> OpenError {
    let (found, help) = match foreign(&source.main) {
        Some(file) => (file.what.to_owned(), Some(file.remedy)),
        None if glb_in_text(&source.main).is_some() => {
            let help = "save it as the bytes that it stands for: bindpose doctor FILE --mend does";
            ("a GLB that is written as text".to_owned(), Some(help))
        }
        None => (first_bytes(&source.main), None),
    };
    OpenError::UnknownFormat { name: source.name, found, help }
}

async fn open_gltf(source: ModelSource, pace: &Pace) -> Result<Rig, OpenError> {
    let whole = gltf::read(&source, pace).await.map_err(|error| {
        let name = source.name.clone();
        match error.kind {
            GltfErrorKind::Cancelled => OpenError::Cancelled { name },
            _ => OpenError::Gltf { name, error: error.into() },
        }
    })?;
    for note in &whole.notes {
        log::info!("{}: {}: {}", source.name, note.at, note.effect);
    }
    let stem = source.name.rsplit_once('.').map_or(&*source.name, |(stem, _)| stem);
    Ok(Rig {
        title: if stem.is_empty() { whole.rig.title } else { stem.to_owned() },
        origin: Some(Arc::new(RigOrigin { source, graph: whole.graph, notes: whole.notes })),
        ..whole.rig
    })
}

fn open_ezm(source: &ModelSource, progress: &TaskProgress) -> Result<Rig, OpenError> {
    let name = || source.name.clone();
    let rig = read_ezm(&source.main).map_err(|error| OpenError::Ezm { name: name(), error })?;
    if progress.is_cancelled() {
        return Err(OpenError::Cancelled { name: name() });
    }
    progress.set(1.0);
    let origin = rig
        .origin
        .as_ref()
        .map(|origin| Arc::new(RigOrigin { source: source.clone(), ..(**origin).clone() }));
    Ok(Rig { origin, ..rig })
}

/// How a file begins, for people.
fn first_bytes(bytes: &[u8]) -> String {
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
    fn the_content_says_what_a_file_is() {
        let open =
            |bytes: &[u8]| open(&ModelSource::alone("a.bin", bytes), &TaskProgress::default());
        let error = open(b"").unwrap_err().to_string();
        assert!(error.contains("an empty file"), "{error}");
        let error = open(b"\x89QOI\r\n").unwrap_err().to_string();
        assert!(error.contains("·QOI"), "{error}");
        let error = open(b"Kaydara FBX Binary").unwrap_err().to_string();
        assert!(error.contains("an FBX file; open it in Blender"), "{error}");
        assert!(matches!(open(b"glTF"), Err(OpenError::Gltf { .. })));
        assert!(matches!(open(b"\xEF\xBB\xBF\n {"), Err(OpenError::Gltf { .. })));
    }

    #[test]
    fn what_does_not_open_says_where_what_was_expected_what_was_found_and_what_to_do() {
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
    fn the_text_of_a_lesson_is_no_model_and_says_how_it_opens() {
        let text = ModelSource::alone("lesson.md", b"+++\ntitle = \"T\"\n+++\n".as_slice());
        let error = open(&text, &TaskProgress::default()).unwrap_err();
        let wrong = Diagnostic::from(error);
        assert!(wrong.help.contains("bindpose --lessons FOLDER"), "{wrong}");
    }

    #[test]
    fn a_stopped_opening_says_so_and_a_finished_one_is_done() {
        let source = ModelSource::alone("whale.glb", crate::builtin::whale_file().unwrap());
        let progress = TaskProgress::default();
        let rig = open(&source, &progress).unwrap();
        assert_eq!((progress.fraction(), &*rig.title), (1.0, "whale"));
        assert_eq!(rig.origin.unwrap().source, source);
        progress.cancel();
        assert!(matches!(open(&source, &progress), Err(OpenError::Cancelled { .. })));
    }
}
