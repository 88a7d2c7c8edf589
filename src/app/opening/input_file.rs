//! Files that a reader opens together, and which of them is the model.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_asset::{EzmError, GltfError, OpenError};
use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};
use eframe::egui::DroppedFileHandle;

#[cfg(not(target_arch = "wasm32"))]
#[cfg(not(target_arch = "wasm32"))]
use bindpose_lesson::COURSE_EXTENSION;

#[cfg(not(target_arch = "wasm32"))]
use bindpose_asset::LoadError;

/// Endings of files that are models; the others come along with one.
pub(super) const MODELS: [&str; 3] = ["glb", "gltf", "ezm"];

/// Endings of files that have numbers of an engine; `.json` may be saved work too.
pub(super) const NUMBERS: [&str; 4] = ["npy", "csv", "txt", "json"];

/// Endings of files that may be saved weights, or saved work.
pub(super) const WEIGHTS: [&str; 2] = ["json", "csv"];

/// One file.
#[derive(Clone)]
pub(super) enum InputFile {
    /// On this machine; in a browser, one that it keeps for this site.
    Path(PathBuf),
    /// One that comes with the notebook, by its name.
    Bundled(String),
    /// Dropped, and known by its content alone.
    Dropped(DroppedFileHandle),
    /// Chosen in a browser, by its path below what was chosen.
    #[cfg_attr(
        not(any(test, target_arch = "wasm32")),
        expect(dead_code, reason = "browsers give bytes where systems give paths")
    )]
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
        if cfg!(not(target_arch = "wasm32")) && path.is_absolute() && path.exists() {
            Self::Path(path.to_owned())
        } else {
            Self::Dropped(dropped)
        }
    }
}

/// Before the name of a model that comes with the notebook, where files are
/// remembered.
const BUNDLED: &str = "model:";

impl InputFile {
    /// A file on this machine, or what was remembered of a model that comes with
    /// the notebook.
    pub(super) fn at(path: PathBuf) -> Self {
        let bundled = path.strip_prefix(BUNDLED).ok().and_then(Path::to_str);
        match bundled {
            Some(name) => Self::Bundled(name.to_owned()),
            None => Self::Path(path),
        }
    }

    /// What is remembered of it, to be opened again; `None`: it can't be.
    pub(super) fn remembered(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path) => std::path::absolute(path).ok(),
            Self::Bundled(name) => Some(Path::new(BUNDLED).join(name)),
            // Kept by the browser under its name.
            Self::Dropped(_) | Self::Bytes(..) => {
                cfg!(target_arch = "wasm32").then(|| self.name().into())
            }
        }
    }

    /// File name without folders.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Path(path) => file_name(path),
            Self::Dropped(file) => file_name(file.path()),
            Self::Bytes(path, _) => file_name(Path::new(path)),
            Self::Bundled(name) => name.clone(),
        }
    }

    /// Is it the one that a model beside it calls so? Where only names are known,
    /// folders do not count.
    pub(super) fn is_called(&self, uri: &str) -> bool {
        let path = match self {
            Self::Path(path) => path,
            Self::Dropped(file) => file.path(),
            Self::Bytes(path, _) | Self::Bundled(path) => Path::new(path),
        };
        let has_folders = path.components().nth(1).is_some();
        path.ends_with(uri) || (!has_folders && Path::new(uri).ends_with(path))
    }

    /// Is it named like a model?
    pub(super) fn is_model(&self) -> bool {
        self.has_ending(&MODELS)
    }

    /// Does its name end with a dot and one of these?
    pub(super) fn has_ending(&self, endings: &[&str]) -> bool {
        let name = self.name();
        let ending = Path::new(&name).extension().and_then(|e| e.to_str());
        ending.is_some_and(|ending| endings.iter().any(|one| ending.eq_ignore_ascii_case(one)))
    }
}

/// The model among files given together: the only one, or the first that is
/// named like a model. The second value names other models that were given too.
pub(super) fn model_among(given: &[InputFile]) -> Result<(&InputFile, Vec<String>), OpenFailure> {
    let mut models = given.iter().filter(|given| given.is_model());
    let others =
        |models: &mut dyn Iterator<Item = &InputFile>| models.map(InputFile::name).collect();
    match (models.next(), given) {
        (Some(model), _) => Ok((model, others(&mut models))),
        // Its content says what it is, whatever it is called.
        (None, [only]) => Ok((only, Vec::new())),
        (None, _) => Err(OpenFailure::new(
            &given.first().map(InputFile::name).unwrap_or_default(),
            "There is no model among these files.",
            "Buffers and textures come along with their model: drop the .gltf or .glb file, too.",
        )),
    }
}

// What a file is asked for: where a model is to stand, and what the dialogs say.

/// What a file is for. Whatever is given instead is opened as what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum FilePurpose {
    /// A model for the page, or anything else that can be opened.
    #[default]
    Page,
    /// A model to stand beside that of the page, to be compared with it.
    ModelB,
    /// Numbers of an engine, to be held against the page.
    Numbers,
}

impl FilePurpose {
    /// Over a dialog.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Page => "Open a model, weights or a course",
            Self::ModelB => "Open model B",
            Self::Numbers => "Open numbers of an engine",
        }
    }

    /// Over a page that a file is held over, and below that what it may be.
    pub(super) fn drop_words(self) -> (&'static str, &'static str) {
        let of_model = "A .glb or an .ezm, or a .gltf with its buffers and textures.";
        match self {
            Self::Page => ("Drop a model here", of_model),
            Self::ModelB => ("Drop model B here", of_model),
            Self::Numbers => (
                "Drop numbers of an engine here",
                "A .json, .csv, .txt or .npy with a palette or positions; a model opens too.",
            ),
        }
    }

    /// Kinds of files that a dialog shows, by their endings, the usual ones first.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn filters(self) -> Vec<(&'static str, Vec<&'static str>)> {
        let models = || ("Models", MODELS.to_vec());
        let numbers = || ("Numbers of an engine", NUMBERS.to_vec());
        let mut filters = match self {
            Self::Page => {
                let all = [&MODELS[..], &WEIGHTS, &[COURSE_EXTENSION]].concat();
                vec![("Models, weights and courses", all), numbers()]
            }
            Self::ModelB => vec![models()],
            Self::Numbers => vec![numbers()],
        };
        filters.push(("All files", vec!["*"]));
        filters
    }
}

// Why a model did not open, in words for the reader.

/// A file that did not open: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFailure {
    /// The file.
    pub name: String,
    /// What is wrong; its title and its help are whole sentences. Without a
    /// place, nothing is expected and nothing found.
    pub wrong: Box<Diagnostic>,
    /// All that the doctor says of the file, errors first.
    pub findings: Vec<Diagnostic>,
    /// Files that it names and that were not there.
    pub lacks: Vec<String>,
}

impl OpenFailure {
    pub(super) fn new(name: &str, what: &str, remedy: &str) -> Self {
        Self::at_a_place(name, what, Diagnostic::said("UNREADABLE", "").help(remedy))
    }

    /// `what` is wrong, in one sentence; the rest `wrong` says.
    fn at_a_place(name: &str, what: &str, wrong: Diagnostic) -> Self {
        let remedy = sentence(&wrong.help);
        Self {
            name: name.to_owned(),
            wrong: Box::new(wrong.title(what).help(remedy)),
            findings: Vec::new(),
            lacks: Vec::new(),
        }
    }

    /// A file that should be a course.
    pub(super) fn course(name: &str, wrong: Diagnostic) -> Self {
        Self::told(name, "It is no course that can be opened.", wrong)
    }

    /// A file that should hold weights.
    pub(super) fn weights(name: &str, wrong: Diagnostic) -> Self {
        Self::told(name, "Its weights cannot be read.", wrong)
    }

    /// Weights of another model than the one that is open.
    pub(super) fn misfit(name: &str, wrong: Diagnostic) -> Self {
        let what = "Its weights do not fit the model that is open.";
        Self::told(name, what, wrong)
    }

    /// With all that is said of it.
    fn told(name: &str, what: &str, wrong: Diagnostic) -> Self {
        let found = wrong.sentence();
        let expected = if wrong.expected.is_empty() { found } else { wrong.expected.clone() };
        Self::at_a_place(name, what, Diagnostic { expected, ..wrong })
    }

    /// Of a file that names others, which were not there.
    pub(super) fn lacking(self, lacks: Vec<String>) -> Self {
        Self { lacks, ..self }
    }

    /// With what the doctor says of the file. Its words for the place where
    /// reading stopped say more than the reader's: what it does to the picture.
    pub(super) fn examined(self, findings: Vec<Diagnostic>) -> Self {
        let mut errors = findings.iter().filter(|f| f.severity == Severity::Error);
        let same = |finding: &&Diagnostic| {
            matches!(finding.at, Place::Model(_)) && finding.at == self.wrong.at
        };
        match errors.find(same) {
            Some(finding) => Self {
                findings: findings.clone(),
                ..Self::at_a_place(&self.name, &finding.effect, finding.clone())
            },
            None => Self { findings, ..self },
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn missing(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(path).display();
        Self::new(
            &file_name(path),
            &format!("It is not in {folder}."),
            "Its drive may be unplugged: open it again when it is there, or from where it is now.",
        )
    }

    #[cfg(target_arch = "wasm32")]
    pub(super) fn not_kept(name: &str) -> Self {
        Self::new(
            name,
            "The browser keeps no copy of it.",
            "Open it from where it is on your device.",
        )
    }

    pub(super) fn unreadable(name: &str, why: &str) -> Self {
        Self::new(
            name,
            &format!("The file cannot be read ({why})."),
            "See that it is there and that you may read it.",
        )
    }

    fn stopped(name: &str) -> Self {
        Self::new(name, "Opening it was stopped.", "Open it again if you like.")
    }

    fn ezm(name: &str, error: &EzmError) -> Self {
        let Some(first) = error.faults.first() else {
            return Self::new(name, "It cannot be read.", "Export the file again.");
        };
        let (_, what) = first.kind.code_and_title();
        Self::at_a_place(name, what, first.clone().into())
    }

    fn gltf(name: &str, error: GltfError) -> Self {
        let (_, what) = error.kind.code_and_title();
        Self::at_a_place(name, what, error.into())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl From<LoadError> for OpenFailure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Io { path, error } if error.kind() == std::io::ErrorKind::NotFound => {
                Self::missing(&path)
            }
            LoadError::Io { path, error } => {
                Self::unreadable(&file_name(&path), &error.to_string())
            }
            LoadError::NotAFile { path } => {
                Self::new(&file_name(&path), "It is no file.", "Open a .gltf, .glb or .ezm file.")
            }
            LoadError::TooLarge { path, most_mib, found_mib } => Self::new(
                &file_name(&path),
                &format!(
                    "It is too large: {found_mib} MiB, and this machine can hold {most_mib} MiB of a model."
                ),
                "Open a smaller model, or close other programs.",
            ),
            LoadError::Cancelled { path } => Self::stopped(&file_name(&path)),
        }
    }
}

impl From<OpenError> for OpenFailure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Gltf { name, error } => Self::gltf(&name, *error),
            OpenError::Ezm { name, error } => Self::ezm(&name, &error),
            OpenError::UnknownFormat { ref name, .. } => {
                let name = name.clone();
                let beginning = ModelPlace::at("the file’s beginning").into();
                Self::at_a_place(
                    &name,
                    "It is no model that this program knows.",
                    Diagnostic::from(error).at(beginning),
                )
            }
            OpenError::Cancelled { name } => Self::stopped(&name),
        }
    }
}

impl fmt::Display for OpenFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, wrong, .. } = self;
        let Diagnostic { at, title, expected, found, help, .. } = &**wrong;
        write!(f, "“{name}” did not open. {title}")?;
        if !expected.is_empty() {
            write!(f, " {at}: expected {expected}, found {found}.")?;
        }
        write!(f, " {help}")
    }
}

impl std::error::Error for OpenFailure {}

/// Without folders.
pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// With a capital at its beginning and a full stop at its end.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {

    use bindpose_asset::ModelSource;
    use bindpose_asset::TaskProgress;
    use bindpose_asset::doctor::examine;

    use super::*;

    #[test]
    fn a_file_goes_by_its_folders_where_they_are_known() {
        let given = |path: &str| InputFile::Bytes(path.to_owned(), Arc::from(*b""));
        assert_eq!(given("car/textures/skin.png").name(), "skin.png");
        for (path, uri, is) in [
            ("skin.png", "skin.png", true),
            ("skin.png", "textures/skin.png", true),
            ("car/textures/skin.png", "textures/skin.png", true),
            ("car/skin.png", "textures/skin.png", false),
            ("car/myskin.png", "skin.png", false),
            ("other.png", "textures/skin.png", false),
        ] {
            assert_eq!(given(path).is_called(uri), is, "{path} {uri}");
        }
    }

    #[test]
    fn what_did_not_open_is_told_in_sentences_around_its_place() {
        let source = ModelSource::alone("a.ezm", *b"<foo/>");
        let error = bindpose_asset::open(&source, &TaskProgress::default()).unwrap_err();
        let findings = examine(&source, &TaskProgress::default()).findings;
        let unopened = OpenFailure::from(error).examined(findings);
        assert_eq!(
            unopened.to_string(),
            "“a.ezm” did not open. Its XML is not that of an EZMesh file. /foo (1:1): expected \
             MeshSystem, the root of an EZMesh file, found <foo>. Open an EZMesh file, or a glTF \
             file under its own name."
        );
        assert_eq!(unopened.findings[0].at, unopened.wrong.at);
        let alone = OpenFailure::new("a.glb", "It is no file.", "open another");
        assert_eq!(alone.to_string(), "“a.glb” did not open. It is no file. Open another.");
    }
}
