//! Pixels of a picture without a browser.

use std::io::Cursor;

use image::imageops::{FilterType, resize};
use image::{ImageFormat, ImageReader, Limits, Rgba32FImage, RgbaImage};

use super::encoded::{EncodedPicture, SVG};
use super::svg_pixels::svg_pixels;
use crate::Image;

/// Bytes that decoding may take: four channels of 16 bits of the largest picture,
/// before and after conversion.
const MOST_BYTES: u64 = 512 << 20;

pub(super) fn pixels(picture: &EncodedPicture, size_px: [u32; 2]) -> Result<Image, String> {
    if picture.media_type == SVG {
        return svg_pixels(&picture.bytes, size_px);
    }
    let format = ImageFormat::from_mime_type(picture.media_type);
    let format = format.ok_or_else(|| format!("{} is no picture", picture.media_type))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(&*picture.bytes), format);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| error.to_string())?;
    let pixels = smaller(decoded.into_rgba8(), size_px);
    Ok(Image { width: pixels.width(), height: pixels.height(), rgba: pixels.into_raw() })
}

/// In no more pixels than wanted.
fn smaller(image: RgbaImage, [width, height]: [u32; 2]) -> RgbaImage {
    if image.width() <= width && image.height() <= height {
        return image;
    }
    if image.pixels().all(|pixel| pixel[3] == u8::MAX) {
        return resize(&image, width, height, FilterType::Triangle);
    }
    // The colour of what is clear must not get into its neighbours.
    let mut weighted = Rgba32FImage::new(image.width(), image.height());
    for (to, from) in weighted.pixels_mut().zip(image.pixels()) {
        let [r, g, b, a] = from.0.map(|channel| f32::from(channel) / 255.0);
        to.0 = [r * a, g * a, b * a, a];
    }
    let weighted = resize(&weighted, width, height, FilterType::Triangle);
    let mut small = RgbaImage::new(width, height);
    for (to, from) in small.pixels_mut().zip(weighted.pixels()) {
        let [r, g, b, a] = from.0;
        let over = a.max(f32::EPSILON);
        to.0 = [r / over, g / over, b / over, a].map(|channel| (channel * 255.0).round() as u8);
    }
    small
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
    fn what_is_clear_lends_no_colour_to_its_neighbours() {
        let mut image = RgbaImage::from_pixel(40, 20, Rgba([255, 0, 0, 255]));
        for x in 0..20 {
            for y in 0..20 {
                image.put_pixel(x, y, Rgba([0, 255, 0, 0]));
            }
        }
        let picture = png(&image);
        let small = pixels(&picture, [10, 5]).unwrap();
        assert_eq!((small.width, small.height), (10, 5));
        for pixel in small.rgba.as_chunks::<4>().0 {
            let [r, g, _, a] = *pixel;
            assert!(a == 0 || (r == 255 && g == 0), "{pixel:?}");
        }
        assert_eq!(pixels(&picture, [99, 99]).unwrap().width, 40);
    }

    #[test]
    fn a_damaged_picture_says_so() {
        let picture =
            png(&RgbaImage::from_fn(90, 60, |x, y| Rgba([(x * y) as u8, (x ^ y) as u8, 7, 255])));
        let half: Arc<[u8]> = picture.bytes[..picture.bytes.len() / 2].into();
        let cut = EncodedPicture { bytes: half, ..picture };
        assert!(pixels(&cut, [90, 60]).is_err());
    }
}
