//! Images as PNG.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};

use super::error::WriteError;
use crate::asset::Image;

/// As small as it gets, without alpha. `number` is what an error calls it.
pub(super) fn small_png(image: &Image, number: usize) -> Result<Vec<u8>, WriteError> {
    let rgb: Vec<u8> = image
        .rgba
        .chunks_exact(4)
        .flat_map(|pixel| pixel.iter().take(3).copied())
        .collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Up)
        .write_image(&rgb, image.width, image.height, ExtendedColorType::Rgb8)
        .map_err(|error| not_written(number, &error))?;
    Ok(bytes)
}

/// In little time, with alpha. `number` is what an error calls it.
pub(super) fn quick_png(image: &Image, number: usize) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(
            &image.rgba,
            image.width,
            image.height,
            ExtendedColorType::Rgba8,
        )
        .map_err(|error| not_written(number, &error))?;
    Ok(bytes)
}

fn not_written(image: usize, error: &image::ImageError) -> WriteError {
    WriteError::Png {
        image,
        reason: error.to_string(),
    }
}
