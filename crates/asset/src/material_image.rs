//! Images of materials: kept as the file has them, decoded when they are first
//! shown. Numbers need no images, and a picture does not wait for them.

use std::fmt;
use std::io::Cursor;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use image::{ImageFormat, ImageReader, Limits};

/// Pixels along a side.
pub(super) const MOST_PIXELS: u32 = 8192;
/// Bytes that decoding may take beside the pixels: tables, profiles, a row.
const BESIDE_PIXELS: u64 = 16 << 20;

/// An sRGB image, rows from top to bottom.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// RGBA, 4 bytes a pixel.
    pub rgba: Vec<u8>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} × {})", self.width, self.height)
    }
}

/// What the image of a material is made of.
#[derive(Clone, Debug)]
pub struct MaterialImage(Arc<SharedImage>);

#[derive(Debug)]
struct SharedImage {
    encoded: Option<Encoded>,
    /// `None`: it cannot be decoded.
    decoded: OnceLock<Option<Image>>,
    /// A worker decodes it: nobody else should.
    promised: AtomicBool,
}

/// A PNG or JPEG file within another file.
struct Encoded {
    file: Arc<[u8]>,
    range: Range<usize>,
    format: ImageFormat,
}

impl MaterialImage {
    /// An image made by the program.
    pub fn of_pixels(image: Image) -> Self {
        Self(Arc::new(SharedImage {
            encoded: None,
            decoded: OnceLock::from(Some(image)),
            promised: AtomicBool::new(false),
        }))
    }

    /// The image in a part of a file, with its width and height in pixels. Only
    /// its header is looked at; what the bytes say counts, whatever the file calls
    /// them.
    ///
    /// Errors: what it is instead of a PNG or JPEG image.
    pub(super) fn of_file(
        file: Arc<[u8]>,
        range: Range<usize>,
    ) -> Result<(Self, [usize; 2]), String> {
        let bytes = file.get(range.clone()).unwrap_or_default();
        let format = match image::guess_format(bytes) {
            Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
            Ok(other) => return Err(format!("an image of the type {other:?}")),
            Err(_) if bytes.is_empty() => return Err("no bytes".to_owned()),
            Err(_) => return Err("bytes of another kind".to_owned()),
        };
        let Ok(size) = imagesize::blob_size(bytes) else {
            return Err(format!("a damaged {}", format_name(format)));
        };
        let encoded = Encoded { file, range, format };
        let image = Self(Arc::new(SharedImage {
            encoded: Some(encoded),
            decoded: OnceLock::new(),
            promised: AtomicBool::new(false),
        }));
        Ok((image, [size.width, size.height]))
    }

    /// The bytes of the image as its file has them, and their media type. `None`
    /// for images made by the program.
    pub fn encoded(&self) -> Option<(&[u8], &'static str)> {
        let encoded = self.0.encoded.as_ref()?;
        Some((encoded.bytes(), encoded.format.to_mime_type()))
    }

    /// Its pixels, decoded now if they were not before; `None` where it is damaged.
    pub fn pixels(&self) -> Option<&Image> {
        let decode = || self.0.encoded.as_ref().and_then(Encoded::decode);
        self.0.decoded.get_or_init(decode).as_ref()
    }

    /// As [`Self::pixels`], but `None` also while a worker is still decoding.
    pub fn pixels_unless_promised(&self) -> Option<&Image> {
        if self.is_awaited() {
            return None;
        }
        self.pixels()
    }

    /// Takes its pixels from somebody else who has decoded the file, perhaps into
    /// fewer; `None`: here it is to be done after all.
    pub fn decoded_elsewhere(&self, image: Option<Image>) {
        match image {
            // What was decoded before stays.
            Some(image) => drop(self.0.decoded.set(Some(image))),
            None => self.0.promised.store(false, Ordering::Relaxed),
        }
    }

    /// Says that somebody is about to call [`Self::pixels`] on another thread.
    pub fn promise(&self) {
        self.0.promised.store(true, Ordering::Relaxed);
    }

    /// Is a worker still to decode it?
    pub fn is_awaited(&self) -> bool {
        self.0.promised.load(Ordering::Relaxed) && self.0.decoded.get().is_none()
    }
}

/// The same files, or the same pixels where one was made by the program.
impl PartialEq for MaterialImage {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || match (self.encoded(), other.encoded()) {
                (Some(ours), Some(theirs)) => ours == theirs,
                _ => self.pixels() == other.pixels(),
            }
    }
}

impl Encoded {
    fn bytes(&self) -> &[u8] {
        self.file.get(self.range.clone()).unwrap_or_default()
    }

    fn decode(&self) -> Option<Image> {
        let decoded = self.decoded();
        if let Err(error) = &decoded {
            log::warn!("an image cannot be decoded and is not shown: {error}");
        }
        decoded.ok()
    }

    fn decoded(&self) -> Result<Image, image::ImageError> {
        let bytes = self.bytes();
        let pixels = imagesize::blob_size(bytes).map_or(0, |size| size.width * size.height);
        let mut limits = Limits::default();
        limits.max_image_width = Some(MOST_PIXELS);
        limits.max_image_height = Some(MOST_PIXELS);
        // At most four channels of 16 bits, before and after conversion.
        limits.max_alloc = Some(16 * pixels as u64 + BESIDE_PIXELS);
        let mut reader = ImageReader::with_format(Cursor::new(bytes), self.format);
        reader.limits(limits);
        let rgba = reader.decode()?.into_rgba8();
        Ok(Image { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw() })
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", format_name(self.format), self.range.len())
    }
}

fn format_name(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        _ => "JPEG",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Arc<[u8]> {
        let mut bytes = Cursor::new(Vec::new());
        let image = image::RgbaImage::from_pixel(width, height, image::Rgba([1, 2, 3, 255]));
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner().into()
    }

    #[test]
    fn an_image_is_decoded_when_its_pixels_are_asked_for() {
        let file = png(3, 2);
        let (image, size) = MaterialImage::of_file(Arc::clone(&file), 0..file.len()).unwrap();
        assert_eq!(size, [3, 2]);
        assert_eq!(image.encoded(), Some((&*file, "image/png")));
        image.promise();
        assert!(image.is_awaited() && image.pixels_unless_promised().is_none());
        assert_eq!(image.pixels().unwrap().rgba[..4], [1, 2, 3, 255]);
        assert!(!image.is_awaited() && image.pixels_unless_promised().is_some());
    }

    #[test]
    fn an_image_may_be_decoded_elsewhere() {
        let file = png(3, 2);
        let of = || MaterialImage::of_file(Arc::clone(&file), 0..file.len()).unwrap().0;
        let (ours, theirs) = (of(), of());
        let small = Image { width: 1, height: 1, rgba: vec![9; 4] };
        ours.promise();
        ours.decoded_elsewhere(None);
        assert_eq!(ours.pixels_unless_promised().unwrap().width, 3);
        theirs.promise();
        theirs.decoded_elsewhere(Some(small.clone()));
        assert_eq!(theirs.pixels_unless_promised(), Some(&small));
    }

    #[test]
    fn what_is_no_image_is_told_and_what_is_damaged_is_not_shown() {
        let of = |bytes: &[u8]| MaterialImage::of_file(bytes.into(), 0..bytes.len());
        assert!(of(b"GIF89a....").unwrap_err().contains("Gif"));
        assert!(of(b"text").unwrap_err().contains("another kind"));
        assert!(of(b"").is_err() && of(&png(3, 2)[..12]).is_err());
        let file = png(300, 200);
        let (image, size) = of(&file[..file.len() / 2]).unwrap();
        assert_eq!((size, image.pixels()), ([300, 200], None));
    }
}
