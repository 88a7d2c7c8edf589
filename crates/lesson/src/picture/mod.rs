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
//! `page/cells/picture/mod.rs` asks for them, keeps the textures of what was seen
//! last, and makes them anew in another context. The content check decodes each once.
//! Handouts and sites have the files as they are.

mod svg;

use std::fmt;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use imagesize::ImageType;

use svg::{MAX_SVG_BYTES, svg_size};

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

// The first bytes of a picture: what it is, and how large.

/// A longer file is refused.
const MAX_BYTES: usize = 8 << 20;
/// Pixels along a side.
const MAX_SIDE: usize = 8192;
/// Pixels of all of it.
const MAX_PIXELS: usize = 24_000_000;

impl PictureContent {
    /// Reads the header of a file.
    ///
    /// Fails when it is no PNG, JPEG or SVG file, too long, too large, without an area, or an
    /// SVG that asks for what is not drawn.
    pub fn of_file(bytes: Arc<[u8]>) -> Result<Self, Diagnostic> {
        read(bytes)
    }
}

fn read(bytes: Arc<[u8]>) -> Result<PictureContent, Diagnostic> {
    let format = match imagesize::image_type(&bytes) {
        Ok(ImageType::Png) => PictureFormat::Png,
        Ok(ImageType::Jpeg) => PictureFormat::Jpeg,
        _ if is_markup(&bytes) => PictureFormat::Svg,
        _ => {
            let wrong = Diagnostic::expected("a PNG, JPEG or SVG file", "other bytes");
            return Err(wrong.help("save the picture in one of these formats"));
        }
    };
    let most = match format {
        PictureFormat::Svg => MAX_SVG_BYTES,
        PictureFormat::Png | PictureFormat::Jpeg => MAX_BYTES,
    };
    if bytes.len() > most {
        let expected = format!("at most {} MiB", most >> 20);
        let found = format!("{} bytes", bytes.len());
        let wrong = Diagnostic::expected(expected, found);
        return Err(wrong.help("make the picture smaller, or simpler"));
    }
    let (size, see_through) = match format {
        PictureFormat::Svg => (svg_size(&bytes)?, true),
        PictureFormat::Png => (pixels(&bytes)?, has_alpha(&bytes)),
        PictureFormat::Jpeg => {
            check_upright(&bytes)?;
            (pixels(&bytes)?, false)
        }
    };
    Ok(PictureContent { bytes, format, size, see_through })
}

/// Begins it as XML does, perhaps after a mark of the byte order?
fn is_markup(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.trim_ascii_start().starts_with(b"<")
}

fn pixels(bytes: &[u8]) -> Result<[f32; 2], Diagnostic> {
    let Ok(size) = imagesize::blob_size(bytes) else {
        let wrong = Diagnostic::expected("a whole picture", "a damaged header");
        return Err(wrong.help("save the picture again"));
    };
    let (width, height) = (size.width, size.height);
    let fits = width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS;
    if width == 0 || height == 0 || !fits {
        let expected = format!(
            "1 to {MAX_SIDE} pixels along each side, and at most {} million",
            MAX_PIXELS / 1_000_000
        );
        let wrong = Diagnostic::expected(expected, format!("{width} × {height}"));
        return Err(wrong.help("save the picture in a size in which it is shown"));
    }
    Ok([width as f32, height as f32])
}

/// Cameras write beside the pixels how the picture is to be turned. Not all that show
/// it would turn it.
fn check_upright(jpeg: &[u8]) -> Result<(), Diagnostic> {
    if matches!(orientation(jpeg), None | Some(1)) {
        return Ok(());
    }
    let expected = "a picture that is stored upright";
    let wrong = Diagnostic::expected(expected, "one that is to be turned or mirrored");
    Err(wrong.help("open it in a program for pictures, and save it without its notes (EXIF)"))
}

/// As EXIF says it, 1 to 8: in a segment APP1 of JPEG, a TIFF file whose first list of
/// entries has one with the number 0x0112, of 16 bits.
fn orientation(jpeg: &[u8]) -> Option<u16> {
    const APP1: u8 = 0xE1;
    const SCAN: u8 = 0xDA;
    const ORIENTATION: u16 = 0x0112;
    let mut at = 2;
    let tiff = loop {
        let &[0xFF, mark, high, low] = jpeg.get(at..at + 4)? else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes([high, low])).max(2);
        let held = jpeg.get(at + 4..at + 2 + length)?;
        match mark {
            SCAN => return None,
            APP1 if held.starts_with(b"Exif\0\0") => break &held[6..],
            _ => at += 2 + length,
        }
    };
    let little = tiff.starts_with(b"II");
    let short = |at: usize| {
        let bytes: [u8; 2] = tiff.get(at..at + 2)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let first: [u8; 4] = tiff.get(4..8)?.try_into().ok()?;
    let list = if little { u32::from_le_bytes(first) } else { u32::from_be_bytes(first) };
    let list = list as usize;
    let entries = (0..usize::from(short(list)?)).map(|index| list + 2 + 12 * index);
    let mut found = entries.filter(|&at| short(at) == Some(ORIENTATION));
    found.next().and_then(|at| short(at + 8))
}

/// Has a PNG file an alpha channel, or transparent colours? PNG, 11.2.1 and 11.3.1.1:
/// the type of colour in the first chunk; a chunk `tRNS` before the pixels.
fn has_alpha(png: &[u8]) -> bool {
    const ALPHA: u8 = 4;
    const COLOR_TYPE: usize = 25;
    if png.get(COLOR_TYPE).is_none_or(|kind| kind & ALPHA != 0) {
        return true;
    }
    let mut at = 8;
    while let Some(&[a, b, c, d, ref kind @ ..]) = png.get(at..at + 8) {
        match kind {
            b"tRNS" => return true,
            b"IDAT" => return false,
            // Length, kind and check sum stand around what it holds.
            _ => at = at.saturating_add(12 + u32::from_be_bytes([a, b, c, d]) as usize),
        }
    }
    false
}

#[cfg(test)]
mod tests {

    use image::DynamicImage;
    use image::ImageFormat;

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

    fn file(image: &DynamicImage, format: ImageFormat) -> Arc<[u8]> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner().into()
    }

    /// A PNG file with another size in its header.
    fn sized(width: u32, height: u32) -> Arc<[u8]> {
        let mut png = file(&DynamicImage::new_rgb8(3, 2), ImageFormat::Png).to_vec();
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        png.into()
    }

    #[test]
    fn bytes_say_what_a_picture_is() {
        let png = read(file(&DynamicImage::new_rgb8(3, 2), ImageFormat::Png)).unwrap();
        assert_eq!((png.format, png.size), (PictureFormat::Png, [3.0, 2.0]));
        assert!(!png.see_through);
        let alpha = read(file(&DynamicImage::new_rgba8(3, 2), ImageFormat::Png)).unwrap();
        assert!(alpha.see_through);
        let svg = "\u{feff} <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 5'/>";
        let svg = read(svg.as_bytes().into()).unwrap();
        assert_eq!((svg.format, svg.size), (PictureFormat::Svg, [4.0, 5.0]));
        assert!(svg.see_through);
    }

    #[test]
    fn a_palette_with_transparent_colours_is_seen_through() {
        let mut plain = Vec::new();
        let mut encoder = png::Encoder::new(&mut plain, 1, 1);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(vec![1, 2, 3]);
        let mut clear = Vec::new();
        let mut with = png::Encoder::new(&mut clear, 1, 1);
        with.set_color(png::ColorType::Indexed);
        with.set_palette(vec![1, 2, 3]);
        with.set_trns(vec![0]);
        for encoder in [encoder, with] {
            let mut writer = encoder.write_header().unwrap();
            writer.write_image_data(&[0]).unwrap();
        }
        assert!(!read(plain.into()).unwrap().see_through);
        assert!(read(clear.into()).unwrap().see_through);
    }

    #[test]
    fn a_picture_that_is_to_be_turned_is_told() {
        let jpeg = file(&DynamicImage::new_rgb8(3, 2), ImageFormat::Jpeg);
        assert_eq!(read(Arc::clone(&jpeg)).unwrap().size, [3.0, 2.0]);
        for little in [false, true] {
            for turned in [1_u16, 6] {
                let short = |number: u16| {
                    if little { number.to_le_bytes() } else { number.to_be_bytes() }
                };
                let long = |number: u32| {
                    if little { number.to_le_bytes() } else { number.to_be_bytes() }
                };
                let mut tiff = if little { b"II" } else { b"MM" }.to_vec();
                tiff.extend(short(42));
                tiff.extend(long(8));
                tiff.extend(short(1));
                tiff.extend(short(0x0112));
                tiff.extend(short(3));
                tiff.extend(long(1));
                tiff.extend(short(turned));
                tiff.extend([0; 6]);
                let mut with = jpeg[..2].to_vec();
                with.extend([0xFF, 0xE1]);
                with.extend((tiff.len() as u16 + 8).to_be_bytes());
                with.extend(b"Exif\0\0");
                with.extend(&tiff);
                with.extend(&jpeg[2..]);
                let told = read(with.into());
                assert_eq!(told.is_ok(), turned == 1, "{turned} {told:?}");
            }
        }
        assert_eq!(orientation(b"\xFF\xD8\xFF\xE1\x00\x08Exif\0\0"), None);
    }

    #[test]
    fn what_is_none_or_claims_too_much_is_refused() {
        let refused = |bytes: Arc<[u8]>| read(bytes).unwrap_err().sentence();
        assert!(refused(b"GIF89a....".as_slice().into()).contains("other bytes"));
        assert!(refused(b"".as_slice().into()).contains("other bytes"));
        let whole = sized(3, 2);
        assert!(refused(whole[..12].into()).contains("damaged"));
        for (width, height) in [(100_000, 100_000), (0, 2), (3, 0), (8000, 8000), (8193, 1)] {
            let sentence = refused(sized(width, height));
            assert!(sentence.contains(&format!("{width} × {height}")), "{sentence}");
        }
        let mut long = whole.to_vec();
        long.resize(MAX_BYTES + 1, 0);
        assert!(refused(long.into()).contains("at most 8 MiB"));
    }
}
