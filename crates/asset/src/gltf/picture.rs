//! Images: where their bytes are, in a buffer view or a file. Nothing is decoded.

use std::borrow::Cow;

use super::document::{GltfDocument, from_uri};
use super::error::{GltfError, GltfErrorKind};
use crate::MaterialImage;
use crate::material_image::MOST_PIXELS;

/// Finds an image of the file.
pub(super) fn find(document: &GltfDocument<'_>, index: usize) -> Result<MaterialImage, GltfError> {
    let path = format_args!("/images/{index}");
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
    let (file, range) = document.source.shared(&bytes);
    let found = MaterialImage::of_file(file, range);
    let (image, [width, height]) = found.map_err(|found| {
        GltfError::new(
            GltfErrorKind::Invalid,
            path,
            "a PNG or JPEG image",
            found,
            "save the image again as PNG or JPEG",
        )
    })?;
    let most = MOST_PIXELS as usize;
    if width.max(height) > most {
        return Err(GltfError::new(
            GltfErrorKind::TooLarge,
            path,
            format_args!("at most {most} pixels a side"),
            format_args!("{width} × {height}"),
            "make the image smaller",
        ));
    }
    let held = document.budget.hold(width * height, 4);
    held.map_err(|over| GltfError::over_budget(over, path))?;
    Ok(image)
}
