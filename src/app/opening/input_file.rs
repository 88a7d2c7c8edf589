//! Files that a reader opens together, the answer of a file dialog, the purpose of the files, and
//! the failure to open them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};
use bindpose_gltf::{OpenError, read_error_title};
use eframe::egui::DroppedFileHandle;

use crate::app::host;

/// Extensions of models. Other files accompany a model.
pub(in crate::app) const MODEL_EXTENSIONS: [&str; 3] = ["glb", "gltf", "ezm"];

/// Extensions of files with numbers of an engine. A `.json` can be saved work, too.
pub(in crate::app) const NUMBERS_EXTENSIONS: [&str; 4] = ["npy", "csv", "txt", "json"];

/// Extensions of saved weights and saved work.
pub(in crate::app) const WEIGHTS_EXTENSIONS: [&str; 2] = ["json", "csv"];

#[derive(Clone)]
pub(in crate::app) enum InputFile {
    /// A file on this machine. In a browser, one that it keeps for this site.
    Path(PathBuf),
    /// A model bundled with the notebook, by the name of its file.
    Bundled(String),
    /// A dropped file without a path.
    Dropped(DroppedFileHandle),
    /// A file chosen in a browser, with its path below the chosen folder.
    Bytes(String, Arc<[u8]>),
}

impl fmt::Debug for InputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InputFile({})", self.name())
    }
}

impl From<DroppedFileHandle> for InputFile {
    fn from(dropped: DroppedFileHandle) -> Self {
        let path = dropped.path();
        if path.is_absolute() && path.exists() {
            Self::Path(path.to_owned())
        } else {
            Self::Dropped(dropped)
        }
    }
}

/// Prefix of a bundled model's name in the list of recent files.
const BUNDLED_PREFIX: &str = "model:";

impl InputFile {
    /// `path` is a file on this machine, or the result of [`Self::path_to_reopen`].
    pub(in crate::app) fn from_path(path: PathBuf) -> Self {
        let bundled = path.strip_prefix(BUNDLED_PREFIX).ok().and_then(Path::to_str);
        match bundled {
            Some(name) => Self::Bundled(name.to_owned()),
            None => Self::Path(path),
        }
    }

    /// Returns the path to open the file again in a later run, or `None` if that is
    /// impossible.
    pub(in crate::app) fn path_to_reopen(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path) => std::path::absolute(path).ok(),
            Self::Bundled(name) => Some(Path::new(BUNDLED_PREFIX).join(name)),
            Self::Dropped(_) | Self::Bytes(..) => {
                host::CAN_REOPEN_BY_NAME.then(|| PathBuf::from(self.name()))
            }
        }
    }

    /// Returns the file name without folders.
    pub(in crate::app) fn name(&self) -> String {
        match self {
            Self::Path(path) => file_name(path),
            Self::Dropped(file) => file_name(file.path()),
            Self::Bytes(path, _) => file_name(Path::new(path)),
            Self::Bundled(name) => name.clone(),
        }
    }

    /// Returns true if a model can refer to this file by `uri`. Folders are ignored for files
    /// of which only the name is known.
    pub(in crate::app) fn has_name(&self, uri: &str) -> bool {
        let path = match self {
            Self::Path(path) => path,
            Self::Dropped(file) => file.path(),
            Self::Bytes(path, _) | Self::Bundled(path) => Path::new(path),
        };
        let has_folders = path.components().nth(1).is_some();
        path.ends_with(uri) || (!has_folders && Path::new(uri).ends_with(path))
    }

    /// Returns true if the file has the extension of a model.
    pub(in crate::app) fn is_model(&self) -> bool {
        self.has_extension(&MODEL_EXTENSIONS)
    }

    /// Returns true if the file has one of these extensions, in any case.
    pub(in crate::app) fn has_extension(&self, extensions: &[&str]) -> bool {
        let name = self.name();
        let own = Path::new(&name).extension().and_then(|extension| extension.to_str());
        own.is_some_and(|own| extensions.iter().any(|other| own.eq_ignore_ascii_case(other)))
    }
}

/// Returns the model among files given together: the only file, or the first with the
/// extension of a model. Also returns the names of further models.
pub(in crate::app) fn find_model(
    files: &[InputFile],
) -> Result<(&InputFile, Vec<String>), OpenFailure> {
    let mut models = files.iter().filter(|file| file.is_model());
    if let Some(model) = models.next() {
        return Ok((model, models.map(InputFile::name).collect()));
    }
    match files {
        // Its content decides, because its name can be anything.
        [file] => Ok((file, Vec::new())),
        _ => Err(OpenFailure::new(
            &files.first().map(InputFile::name).unwrap_or_default(),
            "There is no model among these files.",
            "Buffers and textures come along with their model: drop the .gltf or .glb file, too.",
        )),
    }
}

/// Result of a file dialog.
#[derive(Debug)]
pub(in crate::app) enum OpenDialogAnswer {
    Files(Vec<InputFile>),
    /// Closed without a choice.
    Closed,
    /// The system has no file dialog.
    NoDialog,
}

/// Purpose for which files are requested. A file of another kind is opened as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum FilePurpose {
    /// A model for the page, or anything else that can be opened.
    #[default]
    Page,
    /// A model to compare with that of the page.
    ModelB,
    /// Numbers of an engine, to compare with the page.
    Numbers,
}

impl FilePurpose {
    /// Returns the title of a file dialog.
    pub(in crate::app) fn title(self) -> &'static str {
        match self {
            Self::Page => "Open a model, weights or a course",
            Self::ModelB => "Open model B",
            Self::Numbers => "Open numbers of an engine",
        }
    }

    /// Returns the title shown while a file is dragged over the page.
    pub(in crate::app) fn drop_title(self) -> &'static str {
        match self {
            Self::Page => "Drop a model here",
            Self::ModelB => "Drop model B here",
            Self::Numbers => "Drop numbers of an engine here",
        }
    }

    /// Returns the kinds of files, shown below [`Self::drop_title`].
    pub(in crate::app) fn drop_description(self) -> &'static str {
        match self {
            Self::Page | Self::ModelB => {
                "A .glb or an .ezm, or a .gltf with its buffers and textures."
            }
            Self::Numbers => {
                "A .json, .csv, .txt or .npy with a palette or positions; a model opens too."
            }
        }
    }
}

/// Failure to open a file, with place and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFailure {
    /// Name of the file.
    pub name: String,
    /// Diagnostic whose title and help are whole sentences. Without a place, `expected` and
    /// `found` are empty.
    pub diagnostic: Box<Diagnostic>,
    /// All findings of the doctor on the file, errors first.
    pub findings: Vec<Diagnostic>,
    /// Names of missing files that it refers to.
    pub missing_files: Vec<String>,
}

impl OpenFailure {
    pub(in crate::app) fn new(name: &str, what: &str, remedy: &str) -> Self {
        Self::with_diagnostic(name, what, Diagnostic::said("UNREADABLE", "").help(remedy))
    }

    /// The sentence `what` replaces the title of the diagnostic.
    fn with_diagnostic(name: &str, what: &str, diagnostic: Diagnostic) -> Self {
        let remedy = to_sentence(&diagnostic.help);
        Self {
            name: name.to_owned(),
            diagnostic: Box::new(diagnostic.title(what).help(remedy)),
            findings: Vec::new(),
            missing_files: Vec::new(),
        }
    }

    /// Failure of a file that should be a course.
    pub(in crate::app) fn course(name: &str, diagnostic: Diagnostic) -> Self {
        Self::with_details(name, "It is no course that can be opened.", diagnostic)
    }

    /// Failure of a file that should have weights.
    pub(in crate::app) fn weights(name: &str, diagnostic: Diagnostic) -> Self {
        Self::with_details(name, "Its weights cannot be read.", diagnostic)
    }

    /// Failure because weights belong to another model than the open one.
    pub(in crate::app) fn misfit(name: &str, diagnostic: Diagnostic) -> Self {
        Self::with_details(name, "Its weights do not fit the model that is open.", diagnostic)
    }

    /// Uses the diagnostic's own sentence as the expectation if it has none.
    fn with_details(name: &str, what: &str, mut diagnostic: Diagnostic) -> Self {
        if diagnostic.expected.is_empty() {
            diagnostic.expected = diagnostic.sentence();
        }
        Self::with_diagnostic(name, what, diagnostic)
    }

    /// Adds names of missing files that the file refers to.
    pub(in crate::app) fn with_missing_files(self, missing_files: Vec<String>) -> Self {
        Self { missing_files, ..self }
    }

    /// Adds the doctor's findings. The finding at the place where reading stopped replaces the
    /// message, because it also describes the effect on the picture.
    pub(in crate::app) fn with_findings(self, findings: Vec<Diagnostic>) -> Self {
        let finding_at_failure = findings.iter().find(|finding| {
            finding.severity == Severity::Error
                && matches!(finding.at, Place::Model(_))
                && finding.at == self.diagnostic.at
        });
        match finding_at_failure {
            Some(finding) => Self {
                findings: findings.clone(),
                ..Self::with_diagnostic(&self.name, &finding.effect, finding.clone())
            },
            None => Self { findings, ..self },
        }
    }

    pub(in crate::app) fn unreadable(name: &str, why: &str) -> Self {
        Self::new(
            name,
            &format!("The file cannot be read ({why})."),
            "See that it is there and that you may read it.",
        )
    }

    pub(in crate::app) fn stopped(name: &str) -> Self {
        Self::new(name, "Opening it was stopped.", "Open it again if you like.")
    }

    /// Failure of a file that a reader rejects.
    fn rejected(name: &str, diagnostic: Diagnostic) -> Self {
        Self::with_diagnostic(name, read_error_title(diagnostic.code), diagnostic)
    }
}

impl From<OpenError> for OpenFailure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Gltf { name, error } => Self::rejected(&name, *error),
            OpenError::Ezm { name, errors } => {
                Self::rejected(&name, errors.into_iter().next().unwrap_or_default())
            }
            OpenError::UnknownFormat { ref name, .. } => {
                let name = name.clone();
                let file_start = ModelPlace::at("the file’s beginning").into();
                Self::with_diagnostic(
                    &name,
                    "It is no model that this program knows.",
                    Diagnostic::from(error).at(file_start),
                )
            }
            OpenError::Cancelled { name } => Self::stopped(&name),
        }
    }
}

impl fmt::Display for OpenFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, diagnostic, .. } = self;
        let Diagnostic { at, title, expected, found, help, .. } = &**diagnostic;
        write!(f, "“{name}” did not open. {title}")?;
        if !expected.is_empty() {
            write!(f, " {at}: expected {expected}, found {found}.")?;
        }
        write!(f, " {help}")
    }
}

impl std::error::Error for OpenFailure {}

/// Returns the file name without folders.
pub(in crate::app) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Adds a capital at the start and a full stop at the end.
fn to_sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {

    use bindpose_doctor::examine;
    use bindpose_gltf::ModelSource;
    use bindpose_gltf::TaskProgress;

    use super::*;

    #[test]
    fn folders_of_a_name_count_if_they_are_known() {
        let file = |path: &str| InputFile::Bytes(path.to_owned(), Arc::from(*b""));
        assert_eq!(file("car/textures/skin.png").name(), "skin.png");
        for (path, uri, is_expected) in [
            ("skin.png", "skin.png", true),
            ("skin.png", "textures/skin.png", true),
            ("car/textures/skin.png", "textures/skin.png", true),
            ("car/skin.png", "textures/skin.png", false),
            ("car/myskin.png", "skin.png", false),
            ("other.png", "textures/skin.png", false),
        ] {
            assert_eq!(file(path).has_name(uri), is_expected, "{path} {uri}");
        }
    }

    #[test]
    fn a_failure_is_described_in_sentences_with_its_place() {
        let source = ModelSource::alone("a.ezm", *b"<foo/>");
        let error = bindpose_gltf::open(&source, &TaskProgress::default()).unwrap_err();
        let findings = examine(&source, &TaskProgress::default()).findings;
        let failure = OpenFailure::from(error).with_findings(findings);
        assert_eq!(
            failure.to_string(),
            "“a.ezm” did not open. Its XML is not that of an EZMesh file. /foo (1:1): expected \
             MeshSystem, the root of an EZMesh file, found <foo>. Open an EZMesh file, or a glTF \
             file under its own name."
        );
        assert_eq!(failure.findings[0].at, failure.diagnostic.at);
        let without_place = OpenFailure::new("a.glb", "It is no file.", "open another");
        assert_eq!(without_place.to_string(), "“a.glb” did not open. It is no file. Open another.");
    }
}
