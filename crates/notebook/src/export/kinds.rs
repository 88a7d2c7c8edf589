//! What a file holds, and how it is written.

use bindpose_skin::{WeightFormat, keyed};

keyed! {
    /// What a file holds.
    // In the order of the menu.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ExportContent {
        /// The first picture on the page, with what is drawn over it.
        #[default]
        Viewport = "viewport" => "Picture of the model",
        /// The whole page.
        Page = "page" => "Picture of the page",
        /// The first picture on the page, moving.
        Film = "film" => "Moving picture",
        /// The mesh where the joints have put it, without them.
        Mesh = "posed" => "Posed mesh",
        /// Mesh, skeleton, weights and clips, in the pose that is shown.
        Rig = "rig" => "Rig with skeleton",
        /// The local transform of every joint.
        Pose = "pose" => "Pose",
        /// `world_from_bind`, one a joint: what moves vertices.
        Palette = "palette" => "Joint matrices",
        /// Four matrices a joint.
        Matrices = "matrices" => "All matrices",
        /// Joints and weights of every vertex, as they are now.
        Weights = "weights" => "Weights",
        /// Where the vertices are, and their normals.
        Vertices = "positions" => "Skinned vertices",
        /// Their normals alone.
        Normals = "normals" => "Skinned normals",
        /// The open lesson, or the route that is followed, to print.
        Handout = "handout" => "Handout to print",
        /// What the reader has seen, tried, solved, marked and written.
        Record = "record" => "Your record",
        /// All that is remembered of the reader, to go on with elsewhere.
        Work = "work" => "Your work",
    }
}

keyed! {
    /// How it is written; the key is the file's ending.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ExportFormat {
        /// A picture.
        #[default]
        Png = "png" => "PNG",
        /// A moving picture.
        Gif = "gif" => "GIF",
        /// Wavefront OBJ.
        Obj = "obj" => "OBJ",
        /// glTF 2.0, all in one file.
        Glb = "glb" => "glTF (.glb)",
        /// A line a row.
        Csv = "csv" => "CSV",
        /// One object.
        Json = "json" => "JSON",
        /// Text with headings and tables.
        Markdown = "md" => "Markdown",
        /// A page for any browser, with all that belongs to it.
        Html = "html" => "HTML",
        /// `NumPy`'s array file.
        Npy = "npy" => "NumPy (.npy)",
    }
}

/// A content in a format that it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Export {
    /// What.
    pub content: ExportContent,
    /// How.
    pub format: ExportFormat,
    /// Weights as whole numbers that keep the sum, where it has weights; `None`: as
    /// floats.
    pub weights: Option<WeightFormat>,
}

/// The media type of a file by its ending, for browsers and mailers.
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

// What a handout is asked to be.

keyed! {
    /// Paper; the key is what style sheets call it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PaperSize {
        /// 210 mm × 297 mm.
        #[default]
        A4 = "a4" => "A4",
        /// 8.5 in × 11 in.
        Letter = "letter" => "Letter",
    }
}

/// How a handout is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutRequest {
    /// What it is printed on.
    pub paper: PaperSize,
    /// Do the solutions of the exercises stand at the end?
    pub solutions: bool,
    /// Width and height of a picture, in points.
    pub picture: [u32; 2],
}

impl HandoutRequest {
    /// Least and most points of a picture's sides.
    pub const PICTURE_RANGE: (u32, u32) = (160, 1600);
}

impl Default for HandoutRequest {
    fn default() -> Self {
        Self { paper: PaperSize::default(), solutions: true, picture: [640, 400] }
    }
}

// How large a picture is drawn for its file.

keyed! {
    /// Pixels of a picture, still or moving.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PictureSize {
        /// As it stands on the page.
        #[default]
        AsShown = "as-shown" => "as on the page",
        /// Of a slide.
        Hd = "1280x720" => "1280 × 720",
        /// Of a large screen.
        FullHd = "1920x1080" => "1920 × 1080",
        /// Each side twice as long as on the page.
        Double = "x2" => "× 2",
    }
}

impl PictureSize {
    /// In pixels, for a picture of that many on the page.
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
    fn a_picture_has_the_pixels_that_were_chosen_and_a_film_no_more_than_it_needs() {
        let sizes = PictureSize::ALL.map(|size| size.of([900, 450]));
        assert_eq!(sizes, [[900, 450], [1280, 720], [1920, 1080], [1800, 900]]);
        let films = PictureSize::ALL.map(|size| film_size([900, 450], size));
        assert_eq!(films, [[640, 320], [1280, 720], [1920, 1080], [1280, 640]]);
    }
}
