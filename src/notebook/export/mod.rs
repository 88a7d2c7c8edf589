//! What is open, as files: the model, its matrices and its numbers, as they are
//! on the page. Pictures are the app's; how a moving one goes on is here.

mod film;
mod gif_file;
mod tables;
#[cfg(test)]
mod tests;

pub use film::{Film, FilmPlan, film_size};
pub use gif_file::{GifError, GifPalette, GifWriter};
pub use tables::csv_field;

use glam::Mat4;

use super::Derived;
use crate::asset::{Shown, WriteError, write_npy, write_obj, write_posed_glb, write_rig_glb};
use crate::skin::keyed;

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

    /// How it can be written; the first is the usual one.
    #[must_use]
    pub fn formats(self) -> &'static [Format] {
        match self {
            Self::Viewport | Self::Page => &[Format::Png],
            Self::Film => &[Format::Gif],
            Self::Mesh => &[Format::Glb, Format::Obj],
            Self::Rig => &[Format::Glb],
            Self::Palette | Self::Matrices => &[Format::Csv, Format::Json, Format::Npy],
            Self::Vertices => &[Format::Csv, Format::Npy],
            Self::Normals => &[Format::Npy],
        }
    }
}

impl Format {
    /// For the menu.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Gif => "GIF",
            Self::Obj => "OBJ",
            Self::Glb => "glTF (.glb)",
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Npy => "NumPy (.npy)",
        }
    }

    /// The file's ending.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Obj => "obj",
            Self::Glb => "glb",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Npy => "npy",
        }
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
        let pictures = [Content::Viewport, Content::Page, Content::Film];
        let contents = Content::ALL.into_iter();
        contents
            .filter(move |content| !pictures.contains(content))
            .flat_map(|content| {
                let formats = content.formats().iter();
                formats.map(move |&format| Self { content, format })
            })
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

    /// What is in the file: shape, order, frame, units. One or two sentences.
    #[must_use]
    pub fn about(self, derived: &Derived) -> String {
        let joints = derived.world_from_bind.len();
        let vertices = derived.rig.mesh.positions.len();
        let floats = "32-bit floats, little endian";
        match (self.content, self.format) {
            (Content::Viewport, _) => {
                "The first picture on the page as you see it, joints and marks with it.".to_owned()
            }
            (Content::Page, _) => "All that the window shows, but for this menu.".to_owned(),
            (Content::Film, _) => String::new(),
            (Content::Mesh, Format::Obj) => {
                format!("{vertices} vertices in world space, as the joints have put them.")
            }
            (Content::Mesh, _) => format!(
                "{vertices} vertices in world space, as the joints have put them, with materials."
            ),
            (Content::Rig, _) => format!(
                "{joints} joints in the pose that is shown, with weights, inverse bind matrices and clips."
            ),
            (Content::Palette, Format::Npy) => {
                format!("Shape ({joints}, 4, 4), {floats}: M[joint, row, column], world from bind.")
            }
            (Content::Palette, _) => {
                format!("{joints} × 16 numbers, world from bind, column by column as in glTF.")
            }
            (Content::Matrices, Format::Npy) => format!(
                "Shape (4, {joints}, 4, 4), {floats}: M[which, joint, row, column]; 0 parent from joint, 1 world from joint, 2 joint from bind, 3 world from bind."
            ),
            (Content::Matrices, _) => format!(
                "4 × {joints} × 16 numbers, column by column as in glTF: parent from joint, world from joint, joint from bind, world from bind."
            ),
            (Content::Vertices, Format::Npy) => {
                format!("Shape ({vertices}, 3), {floats}: positions in world space.")
            }
            (Content::Vertices, _) => {
                format!("{vertices} rows: position and normal in world space.")
            }
            (Content::Normals, _) => {
                format!("Shape ({vertices}, 3), {floats}: unit normals in world space.")
            }
        }
    }

    /// The file, from the numbers on the page.
    ///
    /// # Errors
    /// When the export is a picture, or an image of the model does not go into
    /// its file.
    pub fn bytes(self, derived: &Derived) -> Result<Vec<u8>, ExportError> {
        let rig = &*derived.rig;
        match (self.content, self.format) {
            (Content::Viewport | Content::Page | Content::Film, _) => Err(ExportError::Picture),
            (Content::Mesh, Format::Obj) => Ok(write_obj(
                &rig.title,
                &rig.mesh,
                derived.positions(),
                &normals(derived),
            )),
            (Content::Mesh, _) => with_shown(derived, write_posed_glb),
            (Content::Rig, _) => with_shown(derived, write_rig_glb),
            (Content::Palette, Format::Npy) => {
                let joints = derived.world_from_bind.len();
                let values = rows(&derived.world_from_bind);
                Ok(write_npy(&[joints, 4, 4], &values))
            }
            (Content::Matrices, Format::Npy) => {
                let joints = derived.world_from_bind.len();
                let all: Vec<f32> = tables::matrices(derived)
                    .into_iter()
                    .flat_map(|(_, matrices)| rows(matrices))
                    .collect();
                Ok(write_npy(&[4, joints, 4, 4], &all))
            }
            (Content::Palette | Content::Matrices, format) => {
                let all = tables::matrices(derived);
                let which = if self.content == Content::Palette {
                    &all[3..]
                } else {
                    &all[..]
                };
                if format == Format::Json {
                    Ok(tables::matrices_json(derived, which)?)
                } else {
                    Ok(tables::matrices_csv(rig, which))
                }
            }
            (Content::Vertices, Format::Npy) => Ok(npy_of(derived.positions())),
            (Content::Vertices, _) => {
                Ok(tables::vertices_csv(derived.positions(), &normals(derived)))
            }
            (Content::Normals, _) => Ok(npy_of(&normals(derived))),
        }
    }
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Pictures are drawn, not computed.
    #[error("a picture is not made of numbers; draw it in the window, or with `bindpose shot`")]
    Picture,
    /// The model's file.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The JSON text.
    #[error("cannot write the JSON: {0}")]
    Json(#[from] serde_json::Error),
}

fn with_shown(
    derived: &Derived,
    write: fn(&Shown<'_>) -> Result<Vec<u8>, WriteError>,
) -> Result<Vec<u8>, ExportError> {
    let normals = normals(derived);
    Ok(write(&Shown {
        rig: &derived.rig,
        positions_in_bind: derived.stored_positions(),
        normals_in_bind: derived.stored_normals(),
        positions: derived.positions(),
        normals: &normals,
        parent_from_joint: &derived.parent_from_joint,
        joint_from_bind: &derived.used_joint_from_bind,
        influences: &derived.influences,
    })?)
}

fn normals(derived: &Derived) -> Vec<glam::Vec3> {
    let vertices = 0..derived.positions().len();
    vertices
        .map(|vertex| derived.normal(vertex).unwrap_or_default())
        .collect()
}

fn npy_of(vectors: &[glam::Vec3]) -> Vec<u8> {
    write_npy(&[vectors.len(), 3], bytemuck::cast_slice(vectors))
}

/// Row by row, as `NumPy` counts; glam keeps columns.
fn rows(matrices: &[Mat4]) -> Vec<f32> {
    let rows = matrices.iter().map(Mat4::transpose);
    rows.flat_map(|matrix| matrix.to_cols_array()).collect()
}
