//! What a handout is asked to be.

use bindpose_skin::keyed;

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
