//! Contents, formats and sizes of exported files.

use bindpose_skin::{WeightFormat, keyed};

keyed! {
    /// The content of a file.
    // In the order of the menu.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ExportContent {
        /// The first picture on the page, with its overlays.
        #[default]
        Viewport = "viewport" => "Picture of the model",
        Page = "page" => "Picture of the page",
        /// The first picture on the page, animated.
        Film = "film" => "Moving picture",
        /// The posed mesh without joints.
        Mesh = "posed" => "Posed mesh",
        /// Mesh, skeleton, weights and clips, in the current pose.
        Rig = "rig" => "Rig with skeleton",
        /// The local transform of every joint.
        Pose = "pose" => "Pose",
        /// `world_from_bind` of every joint.
        Palette = "palette" => "Joint matrices",
        /// Four matrices per joint.
        Matrices = "matrices" => "All matrices",
        /// Joints and weights of every vertex, with edits.
        Weights = "weights" => "Weights",
        /// Positions and normals of the skinned vertices.
        Vertices = "positions" => "Skinned vertices",
        Normals = "normals" => "Skinned normals",
        /// The open lesson or route, for printing.
        Handout = "handout" => "Handout to print",
        /// The reader's progress, answers, bookmarks and notes.
        Record = "record" => "Your record",
        /// Everything that the program stores about the reader, to continue elsewhere.
        Work = "work" => "Your work",
    }
}

keyed! {
    /// The format of a file. The key is the file ending.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ExportFormat {
        #[default]
        Png = "png" => "PNG",
        Gif = "gif" => "GIF",
        Obj = "obj" => "OBJ",
        /// Binary glTF 2.0.
        Glb = "glb" => "glTF (.glb)",
        Csv = "csv" => "CSV",
        Json = "json" => "JSON",
        Markdown = "md" => "Markdown",
        /// A single file without external resources.
        Html = "html" => "HTML",
        /// `NumPy`'s array file.
        Npy = "npy" => "NumPy (.npy)",
    }
}

/// A content in one of its formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Export {
    pub content: ExportContent,
    pub format: ExportFormat,
    /// Format of weights as integers that keep their sum. `None` for floats, and for content
    /// without weights.
    pub weights: Option<WeightFormat>,
}

/// Returns the media type of a file by its ending.
pub fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("obj") => "model/obj",
        Some("glb") => "model/gltf-binary",
        Some("gltf") => "model/gltf+json",
        Some("csv") => "text/csv",
        Some("json") => "application/json",
        Some("md") => "text/markdown",
        Some("html") => "text/html",
        _ => "application/octet-stream",
    }
}

keyed! {
    /// The paper size of a handout. The key is its name in style sheets.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PaperSize {
        /// 210 mm × 297 mm.
        #[default]
        A4 = "a4" => "A4",
        /// 8.5 in × 11 in.
        Letter = "letter" => "Letter",
    }
}

/// Options of a handout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutRequest {
    pub paper: PaperSize,
    /// Are the solutions of the exercises printed at the end?
    pub solutions: bool,
    /// Width and height of a picture, in points.
    pub picture: [u32; 2],
}

impl HandoutRequest {
    /// Smallest and largest side of a picture, in points.
    pub const PICTURE_RANGE: (u32, u32) = (160, 1600);
}

impl Default for HandoutRequest {
    fn default() -> Self {
        Self { paper: PaperSize::default(), solutions: true, picture: [640, 400] }
    }
}

keyed! {
    /// The size in pixels of an exported picture or film.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PictureSize {
        /// The size on the page.
        #[default]
        AsShown = "as-shown" => "as on the page",
        Hd = "1280x720" => "1280 × 720",
        FullHd = "1920x1080" => "1920 × 1080",
        /// Twice the width and height on the page.
        Double = "x2" => "× 2",
    }
}

impl PictureSize {
    /// Returns the size in pixels of a picture with this size on the page.
    pub fn of(self, shown_px: [u32; 2]) -> [u32; 2] {
        match self {
            Self::AsShown => shown_px,
            Self::Hd => [1280, 720],
            Self::FullHd => [1920, 1080],
            Self::Double => shown_px.map(|side| side.saturating_mul(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::film_size;

    #[test]
    fn pictures_have_the_selected_size() {
        let sizes = PictureSize::ALL.map(|size| size.of([900, 450]));
        assert_eq!(sizes, [[900, 450], [1280, 720], [1920, 1080], [1800, 900]]);
        let films = PictureSize::ALL.map(|size| film_size([900, 450], size));
        assert_eq!(films, [[640, 320], [1280, 720], [1920, 1080], [1280, 640]]);
    }
}
