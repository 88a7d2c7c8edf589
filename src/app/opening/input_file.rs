//! Files that a reader opens together, and which of them is the model.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui::DroppedFileHandle;

use super::unopened::{OpenFailure, file_name};

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

#[cfg(test)]
mod tests {
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
}
