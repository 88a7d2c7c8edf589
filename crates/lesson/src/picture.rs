//! Picture files of lessons, as far as their headers describe them. Pixels are decoded
//! elsewhere.
//!
//! # Pictures of lessons
//!
//! Every picture is a cell, even if its author wrote an image as a paragraph
//! (`lesson/reader/pictures.rs`). Loading a lesson reads only the header of the file
//! (`lesson/picture.rs`): format and size. So the layout of the page is known from the first
//! frame. Pixels are produced by `notebook/picture/` in the displayed size: on a worker thread by
//! the crate image, or by the browser. `page/cells/picture/mod.rs` requests them, caches the
//! textures of recently visible pictures, and recreates them after a lost context. The content
//! check decodes each picture once. Handouts and web sites contain the original files.
//!
//! Lessons for version 0.2 may name SVG files. They still open: the alternative text is shown
//! in place of the drawing, and a finding says how to make a PNG.

use std::fmt;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use imagesize::ImageType;

/// A picture in the folder of a lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureFile {
    /// Path relative to the folder of the lesson.
    pub name: String,
    /// The content. `None` if the file was not read yet, or cannot be shown, which a finding
    /// of the lesson explains.
    pub content: Option<PictureContent>,
}

const HELP: &str =
    "write the name of a .png or .jpg file in the folder of the lesson: file = \"hand.png\"";

impl TryFrom<String> for PictureFile {
    type Error = Diagnostic;

    fn try_from(name: String) -> Result<Self, Diagnostic> {
        if is_picture_name(&name) {
            return Ok(Self { name, content: None });
        }
        let expected = "the name of a picture in the folder of the lesson";
        Err(Diagnostic::expected(expected, format!("`{name}`")).help(HELP))
    }
}

/// Whether the name is a path within the folder of the lesson with the extension of a
/// picture.
fn is_picture_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    // Drawings in SVG are rejected later, by a finding that says how to convert them.
    let known = ["png", "jpg", "jpeg", "svg"];
    known.iter().any(|one| ending.eq_ignore_ascii_case(one))
        && name.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':'))
        })
}

/// A picture file with a valid header. Its pixels may still be damaged.
#[derive(Clone)]
pub struct PictureContent {
    pub bytes: Arc<[u8]>,
    /// Format, detected from the bytes and not from the name.
    pub format: PictureFormat,
    /// Width and height in points, above 0: one point for each pixel.
    pub size: [f32; 2],
    /// Whether the picture may be transparent.
    pub see_through: bool,
}

/// Format of a picture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    Jpeg,
}

impl PictureFormat {
    /// MIME type such as `image/png`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// File name extension, without the point.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// Compares the bytes, unless both share them.
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

// Headers of pictures.

const SVG_HELP: &str = "export it as PNG, twice as wide as it is shown, and name that file: \
     `rsvg-convert --width 1200 hand.svg --output hand.png`, or Export in Inkscape";
const MAX_BYTES: usize = 8 << 20;
const MAX_SIDE_PX: usize = 8192;
const MAX_PIXELS: usize = 24_000_000;

impl PictureContent {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If it is no PNG or JPEG file, exceeds a limit, or has no area.
    pub fn of_file(bytes: Arc<[u8]>) -> Result<Self, Diagnostic> {
        read_header(bytes)
    }
}

fn read_header(bytes: Arc<[u8]>) -> Result<PictureContent, Diagnostic> {
    let format = match imagesize::image_type(&bytes) {
        Ok(ImageType::Png) => PictureFormat::Png,
        Ok(ImageType::Jpeg) => PictureFormat::Jpeg,
        _ if is_markup(&bytes) => {
            let error = Diagnostic::expected("a PNG or JPEG file", "a drawing in SVG");
            return Err(error.help(SVG_HELP));
        }
        _ => {
            let error = Diagnostic::expected("a PNG or JPEG file", "other bytes");
            return Err(error.help("save the picture in one of these formats"));
        }
    };
    if bytes.len() > MAX_BYTES {
        let expected = format!("at most {} MiB", MAX_BYTES >> 20);
        let found = format!("{} bytes", bytes.len());
        let error = Diagnostic::expected(expected, found);
        return Err(error.help("make the picture smaller"));
    }
    let (size, see_through) = match format {
        PictureFormat::Png => (pixel_size(&bytes)?, has_alpha(&bytes)),
        PictureFormat::Jpeg => {
            check_upright(&bytes)?;
            (pixel_size(&bytes)?, false)
        }
    };
    Ok(PictureContent { bytes, format, size, see_through })
}

/// Whether the file begins like XML, optionally after a byte order mark.
fn is_markup(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.trim_ascii_start().starts_with(b"<")
}

fn pixel_size(bytes: &[u8]) -> Result<[f32; 2], Diagnostic> {
    let Ok(size) = imagesize::blob_size(bytes) else {
        let error = Diagnostic::expected("a whole picture", "a damaged header");
        return Err(error.help("save the picture again"));
    };
    let imagesize::ImageSize { width, height } = size;
    let fits = width <= MAX_SIDE_PX && height <= MAX_SIDE_PX && width * height <= MAX_PIXELS;
    if width == 0 || height == 0 || !fits {
        let expected = format!(
            "1 to {MAX_SIDE_PX} pixels along each side, and at most {} million",
            MAX_PIXELS / 1_000_000
        );
        let error = Diagnostic::expected(expected, format!("{width} × {height}"));
        return Err(error.help("save the picture in a size in which it is shown"));
    }
    Ok([width as f32, height as f32])
}

/// Rejects pictures with an EXIF orientation, which cameras write and not all viewers
/// respect.
fn check_upright(jpeg: &[u8]) -> Result<(), Diagnostic> {
    if matches!(orientation(jpeg), None | Some(1)) {
        return Ok(());
    }
    let expected = "a picture that is stored upright";
    let error = Diagnostic::expected(expected, "one that is to be turned or mirrored");
    Err(error.help("open it in a program for pictures, and save it without its notes (EXIF)"))
}

/// Reads the EXIF orientation, 1 to 8: in a JPEG segment APP1, which holds a TIFF file, the
/// 16-bit entry 0x0112 of the first directory.
fn orientation(jpeg: &[u8]) -> Option<u16> {
    const APP1: u8 = 0xE1;
    const SCAN: u8 = 0xDA;
    const ORIENTATION: u16 = 0x0112;
    let mut at = 2;
    let bytes = loop {
        let &[0xFF, mark, high, low] = jpeg.get(at..at + 4)? else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes([high, low])).max(2);
        let segment = jpeg.get(at + 4..at + 2 + length)?;
        match mark {
            SCAN => return None,
            APP1 if segment.starts_with(b"Exif\0\0") => break &segment[6..],
            _ => at += 2 + length,
        }
    };
    let tiff = Tiff { bytes, is_little_endian: bytes.starts_with(b"II") };
    let directory = tiff.u32_at(4)? as usize;
    let entry = (0..usize::from(tiff.u16_at(directory)?))
        .map(|index| directory + 2 + 12 * index)
        .find(|&entry| tiff.u16_at(entry) == Some(ORIENTATION))?;
    tiff.u16_at(entry + 8)
}

struct Tiff<'a> {
    bytes: &'a [u8],
    is_little_endian: bool,
}

impl Tiff<'_> {
    fn u16_at(&self, at: usize) -> Option<u16> {
        let bytes: [u8; 2] = self.bytes.get(at..at + 2)?.try_into().ok()?;
        Some(if self.is_little_endian {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    }

    fn u32_at(&self, at: usize) -> Option<u32> {
        let bytes: [u8; 4] = self.bytes.get(at..at + 4)?.try_into().ok()?;
        Some(if self.is_little_endian {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }
}

/// Whether a PNG file has an alpha channel or transparent colours: by the colour type in its
/// first chunk, or a chunk `tRNS` before the pixels (PNG, 11.2.1 and 11.3.1.1).
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
            // Each chunk has a length, a kind, its data and a checksum.
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
    fn accepts_names_of_pictures_within_the_folder() {
        for name in ["hand.png", "a b/ü.PNG", "x.jpeg", "from-0.2.svg"] {
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
            let error = PictureFile::try_from(name.to_owned()).unwrap_err();
            assert!(error.help.contains(".png"), "{name}");
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
    fn detects_formats_from_the_bytes() {
        let png = read_header(file(&DynamicImage::new_rgb8(3, 2), ImageFormat::Png)).unwrap();
        assert_eq!((png.format, png.size), (PictureFormat::Png, [3.0, 2.0]));
        assert!(!png.see_through);
        let alpha = read_header(file(&DynamicImage::new_rgba8(3, 2), ImageFormat::Png)).unwrap();
        assert!(alpha.see_through);
    }

    #[test]
    fn rejects_drawings_in_svg_with_a_way_to_convert_them() {
        let svg = "\u{feff} <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 5'/>";
        let error = read_header(svg.as_bytes().into()).unwrap_err();
        assert!(error.sentence().contains("a drawing in SVG"), "{error:?}");
        assert!(error.help.contains("export it as PNG"), "{error:?}");
    }

    #[test]
    fn detects_transparent_palettes() {
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
        assert!(!read_header(plain.into()).unwrap().see_through);
        assert!(read_header(clear.into()).unwrap().see_through);
    }

    #[test]
    fn rejects_pictures_with_an_exif_orientation() {
        let jpeg = file(&DynamicImage::new_rgb8(3, 2), ImageFormat::Jpeg);
        assert_eq!(read_header(Arc::clone(&jpeg)).unwrap().size, [3.0, 2.0]);
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
                let told = read_header(with.into());
                assert_eq!(told.is_ok(), turned == 1, "{turned} {told:?}");
            }
        }
        assert_eq!(orientation(b"\xFF\xD8\xFF\xE1\x00\x08Exif\0\0"), None);
    }

    #[test]
    fn rejects_invalid_and_oversized_pictures() {
        let refused = |bytes: Arc<[u8]>| read_header(bytes).unwrap_err().sentence();
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
