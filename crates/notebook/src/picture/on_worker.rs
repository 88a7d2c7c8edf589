//! Decodes pictures without a browser.

use std::io::Cursor;

use bindpose_gltf::Image;
use image::imageops::{FilterType, resize};
use image::{ImageFormat, ImageReader, Limits, Rgba32FImage, RgbaImage};

use super::encoded::EncodedPicture;

/// Memory that decoding may take: four channels of 16 bits of the largest picture, before and
/// after conversion.
const MAX_DECODER_BYTES: u64 = 512 << 20;

pub(super) fn decode_picture(picture: &EncodedPicture, size_px: [u32; 2]) -> Result<Image, String> {
    let format = ImageFormat::from_mime_type(picture.media_type)
        .ok_or_else(|| format!("{} is no picture", picture.media_type))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(&*picture.bytes), format);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| error.to_string())?;
    let pixels = shrink_to(decoded.into_rgba8(), size_px);
    Ok(Image { width: pixels.width(), height: pixels.height(), rgba: pixels.into_raw() })
}

/// Scales an image down to the given size. A smaller image is returned unchanged.
fn shrink_to(image: RgbaImage, [width, height]: [u32; 2]) -> RgbaImage {
    if image.width() <= width && image.height() <= height {
        return image;
    }
    if image.pixels().all(|pixel| pixel[3] == u8::MAX) {
        return resize(&image, width, height, FilterType::Triangle);
    }
    // Premultiply, so that transparent pixels do not contribute their colour.
    let mut premultiplied = Rgba32FImage::new(image.width(), image.height());
    for (target, source) in premultiplied.pixels_mut().zip(image.pixels()) {
        let [r, g, b, a] = source.0.map(|channel| f32::from(channel) / 255.0);
        target.0 = [r * a, g * a, b * a, a];
    }
    let resized = resize(&premultiplied, width, height, FilterType::Triangle);
    let mut straight = RgbaImage::new(width, height);
    for (target, source) in straight.pixels_mut().zip(resized.pixels()) {
        let [r, g, b, a] = source.0;
        let divisor = a.max(f32::EPSILON);
        target.0 = [r / divisor, g / divisor, b / divisor, a]
            .map(|channel| (channel * 255.0).round() as u8);
    }
    straight
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use image::Rgba;

    use super::*;

    fn png(image: &RgbaImage) -> EncodedPicture {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        EncodedPicture {
            bytes: bytes.into_inner().into(),
            media_type: "image/png",
            size: [image.width() as f32, image.height() as f32],
        }
    }

    #[test]
    fn transparent_pixels_do_not_contribute_their_colour() {
        let mut image = RgbaImage::from_pixel(40, 20, Rgba([255, 0, 0, 255]));
        for x in 0..20 {
            for y in 0..20 {
                image.put_pixel(x, y, Rgba([0, 255, 0, 0]));
            }
        }
        let picture = png(&image);
        let small = decode_picture(&picture, [10, 5]).unwrap();
        assert_eq!((small.width, small.height), (10, 5));
        for pixel in small.rgba.as_chunks::<4>().0 {
            let [r, g, _, a] = *pixel;
            assert!(a == 0 || (r == 255 && g == 0), "{pixel:?}");
        }
        assert_eq!(decode_picture(&picture, [99, 99]).unwrap().width, 40);
    }

    #[test]
    fn a_damaged_picture_is_an_error() {
        let picture =
            png(&RgbaImage::from_fn(90, 60, |x, y| Rgba([(x * y) as u8, (x ^ y) as u8, 7, 255])));
        let half: Arc<[u8]> = picture.bytes[..picture.bytes.len() / 2].into();
        let cut = EncodedPicture { bytes: half, ..picture };
        assert!(decode_picture(&cut, [90, 60]).is_err());
    }
}
