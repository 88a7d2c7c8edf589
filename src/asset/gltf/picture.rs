//! The base colour image of a mesh.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use super::container::Document;
use super::error::{GltfError, GltfErrorKind};
use super::uri::{Resolve, from_uri};
use crate::asset::Image;

/// Pixels along a side.
const MOST_PIXELS: u32 = 8192;
/// Bytes that decoding may take.
const MOST_BYTES: u64 = 512 << 20;

/// The image of the first primitive that has one; `None` without an image, or
/// in a format other than PNG.
pub(super) fn base_color(
    document: &Document<'_>,
    mesh: usize,
    resolve: Resolve<'_>,
) -> Result<Option<Image>, GltfError> {
    let root = &document.root;
    let material = root.meshes.get(mesh).and_then(|mesh| {
        mesh.primitives
            .iter()
            .filter_map(|primitive| root.materials.get(primitive.material?.value()))
            .find_map(|material| material.pbr_metallic_roughness.base_color_texture.as_ref())
    });
    let Some(info) = material else {
        return Ok(None);
    };
    let texture = info.index.value();
    let Some(source) = root.textures.get(texture) else {
        let path = "/materials/*/pbrMetallicRoughness/baseColorTexture/index";
        return Err(GltfError::dangling(
            path,
            "textures",
            root.textures.len(),
            texture,
        ));
    };
    let index = source.source.value();
    let Some(image) = root.images.get(index) else {
        let path = format!("/textures/{texture}/source");
        return Err(GltfError::dangling(
            path,
            "images",
            root.images.len(),
            index,
        ));
    };
    let path = format!("/images/{index}");
    match (&image.uri, image.buffer_view) {
        (_, Some(view)) => {
            let bytes = document.view(view.value(), &format!("{path}/bufferView"))?;
            decoded(bytes, &path)
        }
        (Some(uri), None) => decoded(&from_uri(uri, &format!("{path}/uri"), resolve)?, &path),
        (None, None) => Err(GltfError::missing(
            path,
            "a URI or a buffer view",
            "export the file again",
        )),
    }
}

fn decoded(bytes: &[u8], path: &str) -> Result<Option<Image>, GltfError> {
    if !bytes.starts_with(b"\x89PNG") {
        log::warn!("{path}: only PNG images are read; the model is shown without it");
        return Ok(None);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    reader.limits(limits);
    let rgba = reader.decode().map_err(|error| {
        GltfError::new(
            GltfErrorKind::Invalid,
            path,
            "a PNG image",
            error,
            "save the image again",
        )
    })?;
    let rgba = rgba.into_rgba8();
    Ok(Some(Image {
        width: rgba.width(),
        height: rgba.height(),
        rgba: rgba.into_raw(),
    }))
}
