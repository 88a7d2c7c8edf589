//! Export of the model, its matrices and its numbers as files. The app draws pictures; this
//! module only computes the frames of a film.
//!
//! To add a format to a content, add a line to the list in `files.rs`. A format that no
//! content had before also needs a variant of [`ExportFormat`].

mod files;
mod film;
mod gif_file;
mod kinds;
mod tables;
#[cfg(test)]
mod tests;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_skin::JointIndex;

use super::Derived;
use files::{ExportFile, ExportWriter, FILES, LeftOutNotes, joints_of_palette, note_single_skin};

pub use files::no_such_skin;
pub use film::{Film, FilmPlan, film_size};
pub use gif_file::{GifError, GifPalette, GifWriter, small_png};
pub use kinds::{
    Export, ExportContent, ExportFormat, HandoutRequest, PaperSize, PictureSize, media_type,
};
pub use tables::csv_field;

impl ExportContent {
    /// Returns the formats of this content, the default one first. Never empty.
    pub fn formats(self) -> Vec<ExportFormat> {
        FILES
            .iter()
            .filter(|file| file.export.content == self && file.export.weights.is_none())
            .map(|file| file.export.format)
            .collect()
    }
}

impl Export {
    /// Returns all exports that are computed without drawing, in the order of the menu.
    pub fn of_numbers() -> impl Iterator<Item = Self> {
        FILES.iter().filter(|file| file.writer.is_some()).map(|file| file.export)
    }

    /// Returns the name on the command line, such as `palette-npy`. The names of the posed
    /// mesh are only its formats, `obj` and `glb`.
    pub fn key(self) -> String {
        match (self.content, self.format) {
            (ExportContent::Mesh, format) => format.key().to_owned(),
            (content, format) => match self.weights {
                None => format!("{}-{}", content.key(), format.key()),
                Some(weights) => {
                    format!("{}-{}-{}", content.key(), format.key(), weights.key())
                }
            },
        }
    }

    /// Parses the name on the command line.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::of_numbers().find(|export| export.key() == key)
    }

    /// Returns the name of the file, such as `whale-palette.npy`.
    pub fn file_name(self, model: &str) -> String {
        let plain: String =
            model.chars().take(60).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let trimmed = plain.trim_matches('_');
        let model = if trimmed.is_empty() { "model" } else { trimmed };
        let weights = match self.weights {
            None => String::new(),
            Some(weights) => format!("-{}", weights.key()),
        };
        let content = self.content.key();
        let format = self.format.key();
        format!("{model}-{content}{weights}.{format}")
    }

    /// Returns the name that the file is named after: that of the model, or of the program
    /// for content that does not belong to a model.
    pub fn of(self, derived: &Derived) -> &str {
        match self.content {
            ExportContent::Record | ExportContent::Work | ExportContent::Handout => "bindpose",
            _ => &derived.rig.title,
        }
    }

    /// Does the file contain the matrices of a single skin?
    pub fn is_of_one_skin(self) -> bool {
        self.file().is_some_and(ExportFile::is_of_one_skin)
    }

    /// Describes the content of the file in one or two sentences: shape, order, frame, units.
    /// Empty for an export that is not offered. `skin` is that of [`Self::bytes`].
    pub fn about(self, derived: &Derived, skin: usize) -> String {
        self.file().map_or_else(String::new, |file| file.about(derived, skin))
    }

    /// Returns a note on each part of the model that the file lacks or changes. `skin` is that
    /// of [`Self::bytes`].
    pub fn left_out(self, derived: &Derived, skin: usize) -> Vec<Diagnostic> {
        let mut notes = LeftOutNotes::default();
        if let Some(file) = self.file() {
            (file.left_out)(derived, &mut notes);
            if file.is_of_one_skin() {
                note_single_skin(&derived.rig, skin, &mut notes);
            }
        }
        notes.into_list()
    }

    /// Returns the content of the file. `skin` is the index, in the model's file, of the skin
    /// whose palette is exported, see [`skin_to_export`].
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the export is a picture or is not offered, or if the model
    /// cannot be written in its format.
    pub fn bytes(self, derived: &Derived, skin: usize) -> Result<Vec<u8>, Diagnostic> {
        let file = self.file().ok_or_else(|| {
            let formats: Vec<&str> =
                self.content.formats().iter().map(|format| format.label()).collect();
            Diagnostic {
                code: "NOT_OFFERED",
                ..Diagnostic::expected(formats.join(" or "), self.format.label())
            }
        })?;
        let writer = file.writer.ok_or_else(|| {
            let title =
                "a picture is not made of numbers; draw it in the window, or with `bindpose shot`";
            Diagnostic::said("NOT_COMPUTED", title)
        })?;
        match writer {
            ExportWriter::Whole(write) => write(derived),
            ExportWriter::OneSkin(write) => write(derived, &joints_of_palette(&derived.rig, skin)?),
        }
    }

    fn file(self) -> Option<&'static ExportFile> {
        FILES.iter().find(|file| file.export == self)
    }
}

/// Returns the skin whose palette is exported by default: that of the selected joint, or the
/// first.
pub fn skin_to_export(rig: &Rig, chosen: Option<JointIndex>) -> usize {
    let of_chosen = chosen.and_then(|joint| rig.joint_place(joint));
    of_chosen.map_or_else(|| rig.first_skin(), |place| place.skin)
}
