//! Writes materials and their images.

use std::borrow::Cow;

use bindpose_diagnostic::Diagnostic;
use glam::{Mat3, Vec4};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, ImageError};

use super::json;
use super::writer::GltfWriter;
use crate::{Image, Material, Mesh, MeshPart, TextureUse, Wrap};

const UNLIT: &str = "KHR_materials_unlit";
const TRANSFORM: &str = "KHR_texture_transform";

/// The written material of a part.
#[derive(Clone, Copy)]
pub(super) struct PartMaterial {
    pub(super) index: usize,
    pub(super) has_texture: bool,
}

impl json::Root {
    /// Adds all materials and images, and a default material if a part has none. Returns the
    /// material of each part.
    pub(super) fn add_materials(
        &mut self,
        writer: &mut GltfWriter,
        mesh: &Mesh,
        flat: bool,
        parts: &[Cow<'_, MeshPart>],
    ) -> Result<Vec<PartMaterial>, Diagnostic> {
        for (index, image) in mesh.images.iter().enumerate() {
            let (bytes, mime_type) = match (image.encoded(), image.pixels_unless_promised()) {
                (Some((bytes, mime_type)), _) => (Cow::Borrowed(bytes), mime_type),
                (None, Some(pixels)) => (Cow::Owned(encode_png(pixels, index)?), "image/png"),
                (None, None) => (Cow::Borrowed(&[][..]), "image/png"),
            };
            self.images.push(json::Image {
                name: format!("image {index}"),
                uri: None,
                buffer_view: Some(writer.add_view(&bytes, None)),
                mime_type,
            });
        }
        let mut written = Vec::new();
        for (index, material) in mesh.materials.iter().enumerate() {
            let texture = match material.texture {
                Some(texture) if texture.image < self.images.len() => {
                    Some(self.add_texture(&texture))
                }
                _ => None,
            };
            written.push(PartMaterial { index, has_texture: texture.is_some() });
            if material.unlit && !self.extensions_used.contains(&UNLIT) {
                self.extensions_used.push(UNLIT);
            }
            self.materials.push(json_material(material, texture, flat));
        }
        let default = PartMaterial { index: written.len(), has_texture: false };
        let part_materials: Vec<PartMaterial> = parts
            .iter()
            .map(|part| {
                part.material.and_then(|material| written.get(material).copied()).unwrap_or(default)
            })
            .collect();
        if part_materials.iter().any(|material| material.index == default.index) {
            let material = Material { name: "plain".to_owned(), ..Material::default() };
            self.materials.push(json_material(&material, None, flat));
        }
        Ok(part_materials)
    }

    fn add_texture(&mut self, texture: &TextureUse) -> json::TextureInfo {
        let filter = if texture.nearest { 9728 } else { 9729 };
        self.samplers.push(json::TextureSampler {
            mag_filter: filter,
            min_filter: filter,
            wrap_s: wrap_code(texture.wrap[0]),
            wrap_t: wrap_code(texture.wrap[1]),
        });
        self.textures
            .push(json::Texture { source: texture.image, sampler: Some(self.samplers.len() - 1) });
        let has_transform = texture.image_from_uv != Mat3::IDENTITY;
        if has_transform && !self.extensions_used.contains(&TRANSFORM) {
            self.extensions_used.push(TRANSFORM);
        }
        json::TextureInfo {
            index: self.textures.len() - 1,
            extensions: has_transform.then(|| json::TextureExtensions {
                transform: decompose_texture_transform(texture.image_from_uv),
            }),
        }
    }
}

/// Returns the constant of OpenGL for a wrapping mode.
fn wrap_code(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => 10497,
        Wrap::MirroredRepeat => 33648,
        Wrap::ClampToEdge => 33071,
    }
}

/// Decomposes a matrix into `T R S`, with the signs of the extension's specification: the
/// columns of the rotation are (cos, −sin) and (sin, cos).
fn decompose_texture_transform(image_from_uv: Mat3) -> json::TextureTransform {
    let u = image_from_uv.x_axis;
    let v = image_from_uv.y_axis;
    let u_length = u.truncate().length();
    let v_length = v.truncate().length();
    let rotation = if u_length > 0.0 { (-u.y).atan2(u.x) } else { v.x.atan2(v.y) };
    let (sin, cos) = rotation.sin_cos();
    // A mirroring matrix gets a negative second scale.
    let side = v.x * sin + v.y * cos;
    json::TextureTransform {
        offset: [image_from_uv.z_axis.x, image_from_uv.z_axis.y],
        rotation,
        scale: [u_length, v_length.copysign(side)],
    }
}

/// Converts a material. It is double-sided if the material or the whole model is.
pub(super) fn json_material(
    material: &Material,
    texture: Option<json::TextureInfo>,
    flat: bool,
) -> json::Material {
    let color = material.base_color.clamp(Vec4::ZERO, Vec4::ONE).to_array();
    json::Material {
        name: material.name.clone(),
        pbr_metallic_roughness: json::Pbr {
            base_color_factor: (color != [1.0; 4]).then_some(color),
            base_color_texture: texture,
            metallic_factor: 0.0,
            roughness_factor: 0.7,
        },
        double_sided: (material.double_sided || flat).then_some(true),
        alpha_mode: material.alpha_cutoff.map(|_| "MASK"),
        alpha_cutoff: material.alpha_cutoff.map(|cutoff| cutoff.max(0.0)),
        extensions: material.unlit.then(json::MaterialExtensions::default),
    }
}

/// Encodes an image as PNG with the best compression, without alpha. `index` is its number in
/// the error message.
pub(super) fn encode_smallest_png(image: &Image, index: usize) -> Result<Vec<u8>, Diagnostic> {
    let rgb: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Up)
        .write_image(&rgb, image.width, image.height, ExtendedColorType::Rgb8)
        .map_err(|error| image_not_written(index, &error))?;
    Ok(bytes)
}

/// Encodes an image as PNG with fast compression, with alpha. `index` is its number in the error
/// message.
fn encode_png(image: &Image, index: usize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(&image.rgba, image.width, image.height, ExtendedColorType::Rgba8)
        .map_err(|error| image_not_written(index, &error))?;
    Ok(bytes)
}

fn image_not_written(index: usize, error: &ImageError) -> Diagnostic {
    let title = format!("image {index} does not go into a PNG: {error}");
    Diagnostic::said("IMAGE_NOT_WRITTEN", title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn decomposed_texture_transforms_multiply_to_the_matrix() {
        fn rotation_matrix(angle: f32) -> Mat3 {
            let (sin, cos) = angle.sin_cos();
            Mat3::from_cols_array(&[cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0])
        }
        for (angle, scale) in [
            (0.3, Vec2::new(2.0, 3.0)),
            (-2.5, Vec2::new(-2.0, 0.5)),
            (1.0, Vec2::new(2.0, -3.0)),
            (1.0, Vec2::new(0.0, -3.0)),
            (2.0, Vec2::ZERO),
        ] {
            let translation = Mat3::from_translation(Vec2::new(0.25, 0.5));
            let matrix = translation * rotation_matrix(angle) * Mat3::from_scale(scale);
            let parts = decompose_texture_transform(matrix);
            let product = Mat3::from_translation(parts.offset.into())
                * rotation_matrix(parts.rotation)
                * Mat3::from_scale(parts.scale.into());
            assert!(product.abs_diff_eq(matrix, 1e-6), "{product} {matrix}");
        }
    }
}
