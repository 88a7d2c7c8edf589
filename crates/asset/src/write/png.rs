//! Images as PNG.

use bindpose_diagnostic::Diagnostic;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, ImageError};

use crate::Image;

/// As small as it gets, without alpha. `number` is what an error calls it.
pub(super) fn small_png(image: &Image, number: usize) -> Result<Vec<u8>, Diagnostic> {
    let pixels = image.rgba.chunks_exact(4);
    let rgb: Vec<u8> = pixels.flat_map(|pixel| &pixel[..3]).copied().collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Up)
        .write_image(&rgb, image.width, image.height, ExtendedColorType::Rgb8)
        .map_err(|error| not_written(number, &error))?;
    Ok(bytes)
}

/// In little time, with alpha. `number` is what an error calls it.
pub(super) fn quick_png(image: &Image, number: usize) -> Result<Vec<u8>, Diagnostic> {
    let (rgba, color) = (&image.rgba, ExtendedColorType::Rgba8);
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(rgba, image.width, image.height, color)
        .map_err(|error| not_written(number, &error))?;
    Ok(bytes)
}

fn not_written(number: usize, error: &ImageError) -> Diagnostic {
    let title = format!("image {number} does not go into a PNG: {error}");
    Diagnostic::said("IMAGE_NOT_WRITTEN", title)
}
