//! Images of materials. They are kept encoded and decoded when they are first shown, because
//! most of the program does not need their pixels.

use std::fmt;
use std::io::Cursor;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use image::{ImageFormat, ImageReader, Limits};

/// Maximum width and height of an image, in pixels.
pub(super) const MAX_IMAGE_SIDE_PX: u32 = 8192;
/// Memory that decoding may take in addition to the pixels: tables, profiles, a row.
const DECODER_OVERHEAD_BYTES: u64 = 16 << 20;

/// An sRGB image, rows from top to bottom.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// Width of the image in pixels.
    pub width: u32,
    /// Height of the image in pixels.
    pub height: u32,
    /// RGBA pixels, 4 bytes each, without premultiplied alpha.
    pub rgba: Vec<u8>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} × {})", self.width, self.height)
    }
}

/// Image of a material, decoded on demand. Clones share the decoded pixels.
#[derive(Clone, Debug)]
pub struct MaterialImage(Arc<SharedImage>);

#[derive(Debug)]
struct SharedImage {
    /// `None` for images made by the program.
    encoded: Option<EncodedImage>,
    /// Holds `None` if decoding has failed.
    decoded: OnceLock<Option<Image>>,
    /// Whether a worker is going to decode it, so that others should wait.
    promised: AtomicBool,
}

/// A PNG or JPEG file within another file.
struct EncodedImage {
    file: Arc<[u8]>,
    range: Range<usize>,
    format: ImageFormat,
}

impl MaterialImage {
    /// Creates an image from pixels made by the program.
    pub fn of_pixels(image: Image) -> Self {
        Self(Arc::new(SharedImage {
            encoded: None,
            decoded: OnceLock::from(Some(image)),
            promised: AtomicBool::new(false),
        }))
    }

    /// Creates an image from an encoded image in a range of a file. Returns it with its width
    /// and height in pixels. Only the header is parsed. The format is detected from the bytes,
    /// not from the media type that the file declares.
    ///
    /// # Errors
    ///
    /// Returns a description of the bytes if they are no PNG or JPEG image.
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
        let encoded = EncodedImage { file, range, format };
        let image = Self(Arc::new(SharedImage {
            encoded: Some(encoded),
            decoded: OnceLock::new(),
            promised: AtomicBool::new(false),
        }));
        Ok((image, [size.width, size.height]))
    }

    /// Returns the encoded bytes of the image and their media type. Returns `None` for images
    /// made by the program.
    pub fn encoded(&self) -> Option<(&[u8], &'static str)> {
        let encoded = self.0.encoded.as_ref()?;
        Some((encoded.bytes(), encoded.format.to_mime_type()))
    }

    /// Returns the pixels, and decodes them if necessary. Returns `None` if the image is
    /// damaged.
    pub fn pixels(&self) -> Option<&Image> {
        self.0
            .decoded
            .get_or_init(|| self.0.encoded.as_ref().and_then(EncodedImage::decode))
            .as_ref()
    }

    /// Like [`Self::pixels`], but also returns `None` while a worker is still decoding.
    pub fn pixels_unless_promised(&self) -> Option<&Image> {
        if self.is_awaited() {
            return None;
        }
        self.pixels()
    }

    /// Sets pixels that were decoded elsewhere, possibly at a smaller size. `None` withdraws
    /// the [`Self::promise`], so that the image is decoded here after all.
    pub fn decoded_elsewhere(&self, image: Option<Image>) {
        match image {
            // Pixels that were decoded before are kept.
            Some(image) => drop(self.0.decoded.set(Some(image))),
            None => self.0.promised.store(false, Ordering::Relaxed),
        }
    }

    /// Announces that a worker is going to decode the image.
    pub fn promise(&self) {
        self.0.promised.store(true, Ordering::Relaxed);
    }

    /// Returns whether a worker has yet to decode the image.
    pub fn is_awaited(&self) -> bool {
        self.0.promised.load(Ordering::Relaxed) && self.0.decoded.get().is_none()
    }
}

/// Compares encoded bytes, or the pixels if an image was made by the program.
impl PartialEq for MaterialImage {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || match (self.encoded(), other.encoded()) {
                (Some(encoded), Some(other_encoded)) => encoded == other_encoded,
                _ => self.pixels() == other.pixels(),
            }
    }
}

impl EncodedImage {
    fn bytes(&self) -> &[u8] {
        self.file.get(self.range.clone()).unwrap_or_default()
    }

    fn decode(&self) -> Option<Image> {
        match self.try_decode() {
            Ok(image) => Some(image),
            Err(error) => {
                log::warn!("an image cannot be decoded and is not shown: {error}");
                None
            }
        }
    }

    fn try_decode(&self) -> Result<Image, image::ImageError> {
        let bytes = self.bytes();
        let pixels = imagesize::blob_size(bytes).map_or(0, |size| size.width * size.height);
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_IMAGE_SIDE_PX);
        limits.max_image_height = Some(MAX_IMAGE_SIDE_PX);
        // At most four channels of 16 bits, before and after conversion.
        limits.max_alloc = Some(16 * pixels as u64 + DECODER_OVERHEAD_BYTES);
        let mut reader = ImageReader::with_format(Cursor::new(bytes), self.format);
        reader.limits(limits);
        let rgba = reader.decode()?.into_rgba8();
        Ok(Image { width: rgba.width(), height: rgba.height(), rgba: rgba.into_raw() })
    }
}

impl fmt::Debug for EncodedImage {
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
    fn an_image_is_decoded_on_demand() {
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
        let (rejected, _) = MaterialImage::of_file(Arc::clone(&file), 0..file.len()).unwrap();
        rejected.promise();
        rejected.decoded_elsewhere(None);
        assert_eq!(rejected.pixels_unless_promised().unwrap().width, 3);
        let (decoded, _) = MaterialImage::of_file(Arc::clone(&file), 0..file.len()).unwrap();
        let small = Image { width: 1, height: 1, rgba: vec![9; 4] };
        decoded.promise();
        decoded.decoded_elsewhere(Some(small.clone()));
        assert_eq!(decoded.pixels_unless_promised(), Some(&small));
    }

    #[test]
    fn other_formats_are_rejected_and_damaged_images_have_no_pixels() {
        fn open_image(bytes: &[u8]) -> Result<(MaterialImage, [usize; 2]), String> {
            MaterialImage::of_file(bytes.into(), 0..bytes.len())
        }
        assert!(open_image(b"GIF89a....").unwrap_err().contains("Gif"));
        assert!(open_image(b"text").unwrap_err().contains("another kind"));
        assert!(open_image(b"").is_err() && open_image(&png(3, 2)[..12]).is_err());
        let file = png(300, 200);
        let (image, size) = open_image(&file[..file.len() / 2]).unwrap();
        assert_eq!((size, image.pixels()), ([300, 200], None));
    }
}
