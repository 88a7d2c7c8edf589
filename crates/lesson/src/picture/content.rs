//! The file of a picture, as far as its header tells.

use std::fmt;
use std::sync::Arc;

/// A file that is a picture by its header; its pixels may be damaged all the same.
#[derive(Clone)]
pub struct PictureContent {
    /// The whole file.
    pub bytes: Arc<[u8]>,
    /// By its bytes, whatever its name says.
    pub format: PictureFormat,
    /// Width and height in points: its pixels, or the size that an SVG says. Above 0.
    pub size: [f32; 2],
    /// May what lies behind it be seen through it?
    pub see_through: bool,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Pixels.
    Png,
    /// Pixels.
    Jpeg,
    /// Lines and areas, at any size; UTF-8.
    Svg,
}

impl PictureFormat {
    /// `image/png`
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Svg => "image/svg+xml",
        }
    }

    /// The ending of its files, without the point.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Svg => "svg",
        }
    }
}

/// The same file: bytes are shared, and compared where they are not.
impl PartialEq for PictureContent {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) || self.bytes == other.bytes
    }
}

impl fmt::Debug for PictureContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        write!(f, "{:?}({width} × {height})", self.format)
    }
}
