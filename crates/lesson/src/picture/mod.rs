//! Pictures that lie in a lesson's folder: what their files say of themselves. Pixels
//! are for whoever shows them.
//!
//! # Pictures of lessons
//!
//! A picture is a cell, also where its author wrote an image as a paragraph
//! (`lesson/reader/pictures.rs`). Its file is read with the lesson, but only its header
//! (`lesson/picture/`): what it is, how large, and that it asks for nothing that grows
//! or lies elsewhere. So the page keeps its place from the first frame on. Pixels are
//! made by `asset/picture/` in the size in which they are seen, on a worker by image and
//! resvg, or by the browser, which draws SVG itself and needs no resvg;
//! `page/cells/picture/textures.rs` asks for them, keeps the textures of what was seen
//! last, and makes them anew in another context. The content check decodes each once.
//! Handouts and sites have the files as they are.

mod header;
mod svg;

use std::fmt;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;

/// The name of a picture in a lesson's folder, and what was read there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureFile {
    /// Its path below the folder of the lesson.
    pub name: String,
    /// `None` while the file was not read, and where it cannot be shown; a finding of
    /// the lesson says why.
    pub content: Option<PictureContent>,
}

const HELP: &str =
    "write the name of a .png, .jpg or .svg file in the folder of the lesson: file = \"hand.svg\"";

impl TryFrom<String> for PictureFile {
    type Error = Diagnostic;

    fn try_from(name: String) -> Result<Self, Diagnostic> {
        if is_picture_name(&name) {
            let content = None;
            return Ok(Self { name, content });
        }
        let expected = "the name of a picture in the folder of the lesson";
        Err(Diagnostic::expected(expected, format!("`{name}`")).help(HELP))
    }
}

/// Of the lesson's own folder and those in it, by its ending.
fn is_picture_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':'))
    };
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = ["png", "jpg", "jpeg", "svg"];
    known.iter().any(|one| ending.eq_ignore_ascii_case(one)) && name.split('/').all(part)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_pictures_below_the_folder() {
        for name in ["hand.png", "a b/ü.SVG", "x.jpeg"] {
            let file = PictureFile::try_from(name.to_owned());
            assert_eq!(file.map(|file| file.name), Ok(name.to_owned()));
        }
        for name in [
            "",
            "hand",
            "hand.gif",
            "../hand.png",
            "/hand.png",
            "a//b.png",
            "https://x.org/a.png",
            "a\\b.png",
        ] {
            let wrong = PictureFile::try_from(name.to_owned()).unwrap_err();
            assert!(wrong.help.contains(".svg"), "{name}");
        }
    }
}
