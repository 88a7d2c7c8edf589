//! What is open, as files: the model, its matrices and its numbers, as they are
//! on the page. Pictures are the app's; how a moving one goes on is here.
//!
//! To add a format to a content is to add its line to the list in `files.rs`; a
//! format that no content had before is a line of [`ExportFormat`] too.

mod files;
mod film;
mod gif_file;
mod kinds;
mod tables;
#[cfg(test)]
mod tests;

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_skin::JointIndex;

use super::Derived;
use files::{ExportFile, FILES, LeftOutNotes, Make, joints_of_palette, of_skins};

pub use files::no_such_skin;
pub use film::{Film, FilmPlan, film_size};
pub use gif_file::{GifError, GifPalette, GifWriter, small_png};
pub use kinds::{
    Export, ExportContent, ExportFormat, HandoutRequest, PaperSize, PictureSize, media_type,
};
pub use tables::csv_field;

impl ExportContent {
    /// How it can be written; the first is the usual one. Never empty.
    pub fn formats(self) -> Vec<ExportFormat> {
        let is_of_this =
            |file: &&ExportFile| file.export.content == self && file.export.weights.is_none();
        FILES.iter().filter(is_of_this).map(|file| file.export.format).collect()
    }
}

impl Export {
    /// Every pair that can be computed from numbers alone, in the order of the
    /// menu.
    pub fn of_numbers() -> impl Iterator<Item = Self> {
        let computed = FILES.iter().filter(|file| file.make.is_some());
        computed.map(|file| file.export)
    }

    /// On the command line: `palette-npy`; `obj` and `glb` stand for the posed
    /// mesh.
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

    /// From the name on the command line.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::of_numbers().find(|export| export.key() == key)
    }

    /// `whale-palette.npy`
    pub fn file_name(self, model: &str) -> String {
        let fit = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let model: String = model.chars().take(60).map(fit).collect();
        let model = model.trim_matches('_').to_owned();
        let model = if model.is_empty() { "model".to_owned() } else { model };
        let weights = match self.weights {
            None => String::new(),
            Some(weights) => format!("-{}", weights.key()),
        };
        let (content, format) = (self.content.key(), self.format.key());
        format!("{model}-{content}{weights}.{format}")
    }

    /// What the file is named after: the model, or for what is of no model the
    /// program.
    pub fn of(self, derived: &Derived) -> &str {
        match self.content {
            ExportContent::Record | ExportContent::Work | ExportContent::Handout => "bindpose",
            _ => &derived.rig.title,
        }
    }

    /// Does the file hold the matrices of one skin? Others hold all that is open.
    pub fn is_of_one_skin(self) -> bool {
        self.file().is_some_and(ExportFile::is_of_one_skin)
    }

    /// What is in the file: shape, order, frame, units. One or two sentences;
    /// empty for a pair that is not offered. `skin`: as for [`Self::bytes`].
    pub fn about(self, derived: &Derived, skin: usize) -> String {
        self.file().map_or_else(String::new, |file| file.about(derived, skin))
    }

    /// What the file leaves out of what is open, or holds in another form, each
    /// in a sentence. Notes all. `skin`: as for [`Self::bytes`].
    pub fn left_out(self, derived: &Derived, skin: usize) -> Vec<Diagnostic> {
        let mut notes = LeftOutNotes::default();
        if let Some(file) = self.file() {
            (file.left_out)(derived, &mut notes);
            if file.is_of_one_skin() {
                of_skins(&derived.rig, skin, &mut notes);
            }
        }
        notes.into_list()
    }

    /// The file, from the numbers on the page. `skin`: the number, in the model's file, of
    /// the skin whose palette it holds, if it holds one; see [`skin_to_export`].
    ///
    /// Fails when the export is a picture, is not offered, or what is open does not go
    /// into its file.
    pub fn bytes(self, derived: &Derived, skin: usize) -> Result<Vec<u8>, Diagnostic> {
        let file = self.file().ok_or_else(|| {
            let formats = self.content.formats();
            let formats: Vec<&str> = formats.iter().map(|format| format.label()).collect();
            Diagnostic {
                code: "NOT_OFFERED",
                ..Diagnostic::expected(formats.join(" or "), self.format.label())
            }
        })?;
        let make = file.make.ok_or_else(|| {
            let title =
                "a picture is not made of numbers; draw it in the window, or with `bindpose shot`";
            Diagnostic::said("NOT_COMPUTED", title)
        })?;
        match make {
            Make::Whole(make) => make(derived),
            Make::OneSkin(make) => make(derived, &joints_of_palette(&derived.rig, skin)?),
        }
    }

    fn file(self) -> Option<&'static ExportFile> {
        FILES.iter().find(|file| file.export == self)
    }
}

/// The skin whose palette is exported where none is named: that of the chosen joint, or the
/// first.
pub fn skin_to_export(rig: &Rig, chosen: Option<JointIndex>) -> usize {
    let of_chosen = chosen.and_then(|joint| rig.joint_place(joint));
    of_chosen.map_or_else(|| rig.first_skin(), |place| place.skin)
}
