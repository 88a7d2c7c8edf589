//! What is open, as files: the model, its matrices and its numbers, as they are
//! on the page. Pictures are the app's; how a moving one goes on is here.
//!
//! `FILES` is the list of all files. To add a format to a content is to add
//! its line there, with the functions that it names in `files.rs` and
//! `left_out.rs`; a format that no content had before is a line of [`Format`]
//! too.

mod files;
mod film;
mod gif_file;
mod left_out;
mod tables;
#[cfg(test)]
mod tests;

pub use film::{Film, FilmPlan, film_size};
pub use gif_file::{GifError, GifPalette, GifWriter};
pub use tables::csv_field;

use super::Derived;
use crate::asset::WriteError;
use crate::diagnostic::Diagnostic;
use crate::skin::keyed;
use left_out::Notes;

keyed! {
    /// What a file holds.
    // In the order of the menu.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Content {
        /// The first picture on the page, with what is drawn over it.
        #[default]
        Viewport = "viewport",
        /// The whole page.
        Page = "page",
        /// The first picture on the page, moving.
        Film = "film",
        /// The mesh where the joints have put it, without them.
        Mesh = "posed",
        /// Mesh, skeleton, weights and clips, in the pose that is shown.
        Rig = "rig",
        /// `world_from_bind`, one a joint: what moves vertices.
        Palette = "palette",
        /// Four matrices a joint.
        Matrices = "matrices",
        /// Where the vertices are, and their normals.
        Vertices = "positions",
        /// Their normals alone.
        Normals = "normals",
    }
}

/// A file that can be had, and what is said of it.
struct File {
    export: Export,
    /// What is in it: shape, order, frame, units. One or two sentences.
    about: fn(&Derived) -> String,
    /// What it leaves out of what is open.
    left_out: fn(&Derived, &mut Notes),
    /// Its bytes; absent for pictures, which are drawn and not computed.
    make: Option<files::Make>,
}

/// Every file that can be had, contents in the order of the menu; the first
/// format of a content is the usual one.
#[rustfmt::skip]
const FILES: &[File] = &[
    picture(Content::Viewport, Format::Png, files::about_viewport),
    picture(Content::Page, Format::Png, files::about_page),
    picture(Content::Film, Format::Gif, |_| String::new()),
    file(Content::Mesh, Format::Glb, files::about_posed_glb, left_out::of_posed_glb, files::posed_glb),
    file(Content::Mesh, Format::Obj, files::about_obj, left_out::of_obj, files::obj),
    file(Content::Rig, Format::Glb, files::about_rig, left_out::of_rig, files::rig_glb),
    file(Content::Palette, Format::Csv, files::about_palette, left_out::of_matrices, files::palette_csv),
    file(Content::Palette, Format::Json, files::about_palette, left_out::of_matrices, files::palette_json),
    file(Content::Palette, Format::Npy, files::about_palette_npy, left_out::of_array, files::palette_npy),
    file(Content::Matrices, Format::Csv, files::about_matrices, left_out::of_matrices, files::matrices_csv),
    file(Content::Matrices, Format::Json, files::about_matrices, left_out::of_matrices, files::matrices_json),
    file(Content::Matrices, Format::Npy, files::about_matrices_npy, left_out::of_array, files::matrices_npy),
    file(Content::Vertices, Format::Csv, files::about_vertices, left_out::of_vertices, files::vertices_csv),
    file(Content::Vertices, Format::Npy, files::about_vertices_npy, left_out::of_vertices, files::vertices_npy),
    file(Content::Normals, Format::Npy, files::about_normals, left_out::of_vertices, files::normals_npy),
];

const fn file(
    content: Content,
    format: Format,
    about: fn(&Derived) -> String,
    left_out: fn(&Derived, &mut Notes),
    make: files::Make,
) -> File {
    File {
        export: Export { content, format },
        about,
        left_out,
        make: Some(make),
    }
}

const fn picture(content: Content, format: Format, about: fn(&Derived) -> String) -> File {
    File {
        export: Export { content, format },
        about,
        left_out: |_, _| {},
        make: None,
    }
}

/// How it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// A picture.
    #[default]
    Png,
    /// A moving picture.
    Gif,
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0, all in one file.
    Glb,
    /// A line a row.
    Csv,
    /// One object.
    Json,
    /// `NumPy`'s array file.
    Npy,
}

impl Format {
    /// For the menu, and the file's ending.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Png => ("PNG", "png"),
            Self::Gif => ("GIF", "gif"),
            Self::Obj => ("OBJ", "obj"),
            Self::Glb => ("glTF (.glb)", "glb"),
            Self::Csv => ("CSV", "csv"),
            Self::Json => ("JSON", "json"),
            Self::Npy => ("NumPy (.npy)", "npy"),
        }
    }

    /// For the menu.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.names().0
    }

    /// The file's ending.
    #[must_use]
    pub fn ending(self) -> &'static str {
        self.names().1
    }
}

impl Content {
    /// For the menu.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Viewport => "Picture of the model",
            Self::Page => "Picture of the page",
            Self::Film => "Moving picture",
            Self::Mesh => "Posed mesh",
            Self::Rig => "Rig with skeleton",
            Self::Palette => "Joint matrices",
            Self::Matrices => "All matrices",
            Self::Vertices => "Skinned vertices",
            Self::Normals => "Skinned normals",
        }
    }

    /// How it can be written; the first is the usual one. Never empty.
    #[must_use]
    pub fn formats(self) -> Vec<Format> {
        let of_this = FILES.iter().filter(|file| file.export.content == self);
        of_this.map(|file| file.export.format).collect()
    }
}

/// A content in a format that it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Export {
    /// What.
    pub content: Content,
    /// How.
    pub format: Format,
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
    #[must_use]
    pub fn key(self) -> String {
        match (self.content, self.format) {
            (Content::Mesh, format) => format.ending().to_owned(),
            (content, format) => format!("{}-{}", content.key(), format.ending()),
        }
    }

    /// From the name on the command line.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::of_numbers().find(|export| export.key() == key)
    }

    /// `whale-palette.npy`
    #[must_use]
    pub fn file_name(self, model: &str) -> String {
        let fit = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let model: String = model.chars().take(60).map(fit).collect();
        let model = model.trim_matches('_').to_owned();
        let model = if model.is_empty() {
            "model".to_owned()
        } else {
            model
        };
        format!("{model}-{}.{}", self.content.key(), self.format.ending())
    }

    /// What is in the file: shape, order, frame, units. One or two sentences;
    /// empty for a pair that is not offered.
    #[must_use]
    pub fn about(self, derived: &Derived) -> String {
        self.file()
            .map_or_else(String::new, |file| (file.about)(derived))
    }

    /// What the file leaves out of what is open, or holds in another form, each
    /// in a sentence. Notes all.
    #[must_use]
    pub fn left_out(self, derived: &Derived) -> Vec<Diagnostic> {
        let mut notes = Notes::default();
        if let Some(file) = self.file() {
            (file.left_out)(derived, &mut notes);
        }
        notes.into_list()
    }

    /// The file, from the numbers on the page.
    ///
    /// # Errors
    /// When the export is a picture, is not offered, or what is open does not go
    /// into its file.
    pub fn bytes(self, derived: &Derived) -> Result<Vec<u8>, ExportError> {
        let file = self.file().ok_or(ExportError::NotOffered(self))?;
        let make = file.make.ok_or(ExportError::Picture)?;
        Ok(make(derived)?)
    }

    fn file(self) -> Option<&'static File> {
        FILES.iter().find(|file| file.export == self)
    }
}

/// Why there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// Pictures are drawn, not computed.
    Picture,
    /// The content has no such format.
    NotOffered(Export),
    /// What is open does not go into the file.
    Write(WriteError),
}

impl From<ExportError> for Diagnostic {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Picture => Self::said(
                "NOT_COMPUTED",
                "a picture is not made of numbers; draw it in the window, or with `bindpose shot`",
            ),
            ExportError::NotOffered(export) => {
                let formats = export.content.formats();
                let formats: Vec<&str> = formats.iter().map(|format| format.label()).collect();
                Self {
                    code: "NOT_OFFERED",
                    ..Self::expected(formats.join(" or "), export.format.label())
                }
            }
            ExportError::Write(error) => error.into(),
        }
    }
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for ExportError {}

impl From<WriteError> for ExportError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}
