//! Mending: a new file without the faults that can be mended soundly.
//!
//! What was stored stays as it is but for what is mended; the examination of
//! the new file says what that came to.

mod bounds;
mod container;
mod draft;
mod error;
mod images;
mod influences;
mod keys;
mod layout;
mod rotations;
mod words;

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, Severity};
pub use container::Container;
use draft::Draft;
pub use error::MendError;

use super::{DoctorReport, examined, open};
use crate::doctor::findings::Findings;
use crate::pace::{Cancelled, Pace, Paced};
use crate::{ModelSource, TaskProgress};

/// A new file, and what became of the faults of the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The file.
    pub bytes: Vec<u8>,
    /// Faults of the old file that the new one does not have.
    pub mended: Vec<Diagnostic>,
    /// What was done, in sentences; one for each kind of fault mended.
    pub words: Vec<&'static str>,
    /// What an examination of the new file says.
    pub report: DoctorReport,
}

/// A name for the mended copy of a file: `whale-mended.glb`.
pub fn mended_name(name: &str) -> String {
    let (stem, end) = match (Container::from_file_name(name), name.rsplit_once('.')) {
        (Some(Container::Gltf), Some((stem, _))) => (stem, "gltf"),
        (Some(Container::Glb), Some((stem, _))) => (stem, "glb"),
        _ => (name, "glb"),
    };
    format!("{stem}-mended.{end}")
}

impl Mended {
    /// Errors and warnings that are still there.
    pub fn left(&self) -> impl Iterator<Item = &Diagnostic> {
        let needs = |finding: &&Diagnostic| finding.severity != Severity::Note;
        self.report.findings.iter().filter(needs)
    }
}

/// Makes a new file. Never touches the old one.
///
/// Fails when nothing can be mended, or too little can be read. See [`MendError`].
pub fn mend(
    source: &ModelSource,
    container: Container,
    progress: &TaskProgress,
) -> Result<Mended, MendError> {
    mending(source, container, progress).finish()
}

/// The same in pieces.
pub fn mending(
    source: &ModelSource,
    container: Container,
    progress: &TaskProgress,
) -> Paced<Result<Mended, MendError>> {
    let source = source.clone();
    Paced::new(progress, async move |pace| make(&source, container, &pace).await)
}

async fn make(
    source: &ModelSource,
    container: Container,
    pace: &Pace,
) -> Result<Mended, MendError> {
    let before = examined(source, pace).await;
    if !before.is_mendable() {
        return Err(MendError::Nothing);
    }
    let bytes = mended_bytes(source, container, pace).await?;
    pace.pause().await?;
    let after = ModelSource {
        name: source.name.clone(),
        main: bytes.clone().into(),
        beside: source.beside.clone(),
    };
    let after = examined(&after, pace).await;
    told(bytes, before, after)
}

async fn mended_bytes(
    source: &ModelSource,
    container: Container,
    pace: &Pace,
) -> Result<Vec<u8>, MendError> {
    pace.pause().await?;
    let mut unheard = Findings::default();
    let doc = open(source, pace.progress(), &mut unheard).ok_or(MendError::Unreadable)?;
    let mut draft = Draft::new(doc)?;
    let parts: [fn(&mut Draft); 5] =
        [layout::mend, rotations::mend, influences::mend, keys::mend, bounds::mend];
    for part in parts {
        pace.pause().await?;
        part(&mut draft);
    }
    images::embed(&mut draft, source);
    pace.pause().await?;
    draft.write(container)
}

impl From<Cancelled> for MendError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// What is gone, and what is left.
fn told(bytes: Vec<u8>, before: DoctorReport, after: DoctorReport) -> Result<Mended, MendError> {
    let key = |finding: &Diagnostic| (finding.code, finding.severity, finding.at.clone());
    let left: BTreeSet<_> = after.findings.iter().map(key).collect();
    let codes_left: BTreeSet<_> = after.findings.iter().map(|finding| finding.code).collect();
    let gone = |finding: &Diagnostic| finding.mendable && !left.contains(&key(finding));
    let mended: Vec<Diagnostic> = before.findings.into_iter().filter(gone).collect();
    // A fault of which some places are left is not claimed.
    let mended: Vec<Diagnostic> = mended
        .into_iter()
        .filter(|finding| {
            finding.at.pointer().contains("/attributes/") || !codes_left.contains(finding.code)
        })
        .collect();
    if mended.is_empty() {
        return Err(MendError::Unsound);
    }
    let mut words = Vec::new();
    for finding in &mended {
        let done = words::done(finding.code);
        if !words.contains(&done) {
            words.push(done);
        }
    }
    Ok(Mended { bytes, mended, words, report: after })
}
