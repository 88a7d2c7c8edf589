//! Why a model did not open, in words for the reader.

use std::fmt;
use std::path::Path;

#[cfg(not(target_arch = "wasm32"))]
use bindpose_asset::LoadError;
use bindpose_asset::{EzmError, GltfError, OpenError};
use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};

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
    use bindpose_asset::doctor::examine;
    use bindpose_asset::{ModelSource, TaskProgress};

    use super::*;

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
