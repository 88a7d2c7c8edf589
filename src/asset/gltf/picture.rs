//! Images: PNG and JPEG, from a buffer view or a file.

use std::borrow::Cow;
use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use super::document::{Document, from_uri};
use super::error::{GltfError, GltfErrorKind};
use crate::asset::Image;
use crate::asset::budget::Budget;

/// Pixels along a side.
const MOST_PIXELS: u32 = 8192;
/// Bytes that decoding may take.
const MOST_BYTES: u64 = 512 << 20;

/// Reads and decodes an image of the file.
pub(super) fn read(
    document: &Document<'_>,
    index: usize,
) -> Result<Image, GltfError> {
    let path = format!("/images/{index}");
    let image = document.root.images.get(index);
    let bytes = match image.map(|image| (&image.uri, image.buffer_view)) {
        Some((_, Some(view))) => {
            Cow::Borrowed(document.view(view.value(), &format_args!("{path}/bufferView"))?)
        }
        Some((Some(uri), None)) => from_uri(uri, &format_args!("{path}/uri"), document.source)?,
        _ => {
            return Err(GltfError::missing(
                path,
                "a URI or a buffer view",
                "export the file again",
            ));
        }
    };
    decoded(&bytes, &path, &document.budget)
}

/// What the bytes say counts, not the type that the file declares.
fn decoded(bytes: &[u8], path: &str, budget: &Budget) -> Result<Image, GltfError> {
    let damaged = |found: &dyn std::fmt::Display| {
        GltfError::new(
            GltfErrorKind::Invalid,
            path,
            "a PNG or JPEG image",
            found,
            "save the image again as PNG or JPEG",
        )
    };
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
        Ok(other) => return Err(damaged(&format_args!("{other:?}"))),
        Err(error) => return Err(damaged(&error)),
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let (width, height) = reader()
        .into_dimensions()
        .map_err(|error| damaged(&error))?;
    let held = budget.hold(width as usize, (height as usize).saturating_mul(4));
    held.map_err(|over| GltfError::over_budget(over, path))?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = reader();
    reader.limits(limits);
    let rgba = reader.decode().map_err(|error| damaged(&error))?;
    let rgba = rgba.into_rgba8();
    Ok(Image {
        width: rgba.width(),
        height: rgba.height(),
        rgba: rgba.into_raw(),
    })
}
