//! Why a model did not open, in words for the reader.

use std::fmt;

#[cfg(not(target_arch = "wasm32"))]
use crate::asset::LoadError;
use crate::asset::doctor::examine;
use crate::asset::{
    EzmError, EzmErrorKind, Finding, GltfError, GltfErrorKind, OpenError, Progress, Severity,
    Source,
};

/// A file that did not open: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unopened {
    /// The file.
    pub name: String,
    /// What is wrong: one sentence.
    pub what: String,
    /// Where, if it is at one place.
    pub place: Option<Box<Place>>,
    /// What to do about it: one sentence.
    pub remedy: String,
    /// All that the doctor says of the file, errors first.
    pub findings: Vec<Finding>,
}

/// Where something is wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// A JSON pointer, or the name of a part of the file.
    pub at: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Unopened {
    pub(super) fn new(name: &str, what: &str, remedy: &str) -> Self {
        Self {
            name: name.to_owned(),
            what: what.to_owned(),
            place: None,
            remedy: remedy.to_owned(),
            findings: Vec::new(),
        }
    }

    /// With what the doctor says of the file. Its words for the place where
    /// reading stopped say more than the reader's: what it does to the picture.
    pub(super) fn examined(self, source: &Source, progress: &Progress) -> Self {
        let findings = examine(source, progress).findings;
        let same = self.place.as_ref().and_then(|place| {
            let mut errors = findings.iter().filter(|f| f.severity == Severity::Error);
            errors.find(|finding| finding.at == place.at)
        });
        match same {
            Some(finding) => Self {
                name: self.name,
                what: finding.effect.clone(),
                place: Some(Box::new(Place {
                    at: finding.at.clone(),
                    expected: finding.expected.clone(),
                    found: finding.found.clone(),
                })),
                remedy: sentence(&finding.remedy),
                findings,
            },
            None => Self { findings, ..self },
        }
    }

    pub(super) fn gone(path: &str) -> Self {
        Self::new(
            path,
            "The file is not there any more.",
            "It was taken off the list of recent files; open it from where it is now.",
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
        Self::new(
            name,
            "Opening it was stopped.",
            "Open it again if you like.",
        )
    }

    fn ezm(name: &str, error: &EzmError) -> Self {
        let Some(first) = error.faults.first() else {
            return Self::new(name, "It cannot be read.", "Export the file again.");
        };
        let what = match first.kind {
            EzmErrorKind::Xml => "The file is cut off, or is no XML.",
            EzmErrorKind::Format => "Its XML is not that of an EZMesh file.",
            EzmErrorKind::Missing => "Something that it needs is not there.",
            EzmErrorKind::Repeated => "A name stands for two things in it.",
            EzmErrorKind::Dangling => "It points to something that is not there.",
            EzmErrorKind::Count => "It does not hold as much as it says.",
            EzmErrorKind::Number => "Some of its numbers make no sense.",
            EzmErrorKind::Cycle => "Its bones form no tree.",
            EzmErrorKind::TooLarge => "It is too large.",
        };
        Self {
            place: Some(Box::new(Place {
                at: format!("{} (line {}, {})", first.path, first.line, first.column),
                expected: first.expected.clone(),
                found: first.found.clone(),
            })),
            ..Self::new(name, what, &sentence(&first.remedy))
        }
    }

    fn gltf(name: &str, error: GltfError) -> Self {
        let what = match error.kind {
            GltfErrorKind::Container => "The file is cut off, or is no model.",
            GltfErrorKind::Json => "Its JSON is not that of a glTF file.",
            GltfErrorKind::Missing => "Something that it needs is not there.",
            GltfErrorKind::OutOfBounds => "It points to something outside its data.",
            GltfErrorKind::Invalid => "Some of its data makes no sense.",
            GltfErrorKind::NotATree => "Its nodes form no tree.",
            GltfErrorKind::Unsupported => "It needs something that this program cannot read.",
            GltfErrorKind::TooLarge => "It is too large.",
            GltfErrorKind::Cancelled => "Opening was stopped.",
        };
        Self {
            place: Some(Box::new(Place {
                at: error.path,
                expected: error.expected,
                found: error.found,
            })),
            ..Self::new(name, what, &sentence(&error.remedy))
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl From<LoadError> for Unopened {
    fn from(error: LoadError) -> Self {
        let name = |path: &std::path::Path| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.to_string_lossy().into_owned()
        };
        match error {
            LoadError::Io { path, error } => Self::unreadable(&name(&path), &error.to_string()),
            LoadError::NotAFile { path } => Self::new(
                &name(&path),
                "It is no file.",
                "Open a .gltf, .glb or .ezm file.",
            ),
            LoadError::TooLarge {
                path,
                most_mib,
                found_mib,
            } => Self::new(
                &name(&path),
                &format!(
                    "It is too large: {found_mib} MiB, and this machine can hold {most_mib} MiB of a model."
                ),
                "Open a smaller model, or close other programs.",
            ),
            LoadError::Cancelled { path } => Self::stopped(&name(&path)),
        }
    }
}

impl From<OpenError> for Unopened {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Gltf { name, error } => Self::gltf(&name, *error),
            OpenError::Ezm { name, error } => Self::ezm(&name, &error),
            OpenError::UnknownFormat { name, found } => Self {
                place: Some(Box::new(Place {
                    at: "the file’s beginning".to_owned(),
                    expected: "a glTF model (.gltf or .glb) or an EZMesh model (.ezm)".to_owned(),
                    found,
                })),
                ..Self::new(
                    &name,
                    "It is no model that this program knows.",
                    "Open another file, or export this one as glTF.",
                )
            },
            OpenError::Cancelled { name } => Self::stopped(&name),
        }
    }
}

impl fmt::Display for Unopened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "“{}” did not open. {}", self.name, self.what)?;
        if let Some(Place {
            at,
            expected,
            found,
        }) = self.place.as_deref()
        {
            write!(f, " {at}: expected {expected}, found {found}.")?;
        }
        write!(f, " {}", self.remedy)
    }
}

impl std::error::Error for Unopened {}

/// With a capital at its beginning and a full stop at its end.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
