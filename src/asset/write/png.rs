//! Images as PNG, as small as they get.

use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::error::WriteError;
use crate::asset::Image;

/// Without alpha.
pub(super) fn png(image: &Image) -> Result<Vec<u8>, WriteError> {
    let rgb: Vec<u8> = image
        .rgba
        .chunks_exact(4)
        .flat_map(|pixel| pixel.iter().take(3).copied())
        .collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Up).write_image(
        &rgb,
        image.width,
        image.height,
        image::ExtendedColorType::Rgb8,
    )?;
    Ok(bytes)
}
