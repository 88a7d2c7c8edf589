//! Materials, and the images for them.

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

/// The material of a part.
#[derive(Clone, Copy)]
pub(super) struct PartMaterial {
    pub(super) number: usize,
    /// Does it have an image?
    pub(super) textured: bool,
}

impl json::Root {
    /// Materials and what they refer to, and a plain one if a part has none.
    /// Answers with that of each part.
    pub(super) fn add_materials(
        &mut self,
        writer: &mut GltfWriter,
        mesh: &Mesh,
        flat: bool,
        parts: &[Cow<'_, MeshPart>],
    ) -> Result<Vec<PartMaterial>, Diagnostic> {
        for (at, image) in mesh.images.iter().enumerate() {
            let (bytes, mime_type) = match (image.encoded(), image.pixels_unless_promised()) {
                (Some((bytes, mime_type)), _) => (Cow::Borrowed(bytes), mime_type),
                (None, Some(pixels)) => (Cow::Owned(quick_png(pixels, at)?), "image/png"),
                (None, None) => (Cow::Borrowed(&[][..]), "image/png"),
            };
            self.images.push(json::Image {
                name: format!("image {at}"),
                uri: None,
                buffer_view: Some(writer.view(&bytes, None)),
                mime_type,
            });
        }
        let mut known = Vec::new();
        for (number, material) in mesh.materials.iter().enumerate() {
            let texture = material.texture.filter(|one| one.image < self.images.len());
            let textured = texture.is_some();
            known.push(PartMaterial { number, textured });
            let texture = texture.map(|texture| self.add_texture(&texture));
            if material.unlit && !self.extensions_used.contains(&UNLIT) {
                self.extensions_used.push(UNLIT);
            }
            self.materials.push(json_material(material, texture, flat));
        }
        let plain = PartMaterial { number: known.len(), textured: false };
        let of_part = |part: &Cow<'_, MeshPart>| known.get(part.material?).copied();
        let all = parts.iter().map(|part| of_part(part).unwrap_or(plain));
        let all: Vec<PartMaterial> = all.collect();
        if all.iter().any(|material| material.number == plain.number) {
            let plain = Material { name: "plain".to_owned(), ..Material::default() };
            self.materials.push(json_material(&plain, None, flat));
        }
        Ok(all)
    }

    fn add_texture(&mut self, texture: &TextureUse) -> json::TextureInfo {
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => 10497,
            Wrap::MirroredRepeat => 33648,
            Wrap::ClampToEdge => 33071,
        };
        let filter = if texture.nearest { 9728 } else { 9729 };
        self.samplers.push(json::TextureSampler {
            mag_filter: filter,
            min_filter: filter,
            wrap_s: wrap(texture.wrap[0]),
            wrap_t: wrap(texture.wrap[1]),
        });
        self.textures
            .push(json::Texture { source: texture.image, sampler: Some(self.samplers.len() - 1) });
        let moved = texture.image_from_uv != Mat3::IDENTITY;
        if moved && !self.extensions_used.contains(&TRANSFORM) {
            self.extensions_used.push(TRANSFORM);
        }
        json::TextureInfo {
            index: self.textures.len() - 1,
            extensions: moved
                .then(|| json::TextureExtensions { transform: taken_apart(texture.image_from_uv) }),
        }
    }
}

/// `T R S`, with the signs of the extension's own text: the rotation's columns
/// are (cos, −sin) and (sin, cos).
fn taken_apart(image_from_uv: Mat3) -> json::TextureTransform {
    let (u, v) = (image_from_uv.x_axis, image_from_uv.y_axis);
    let (u_length, v_length) = (u.truncate().length(), v.truncate().length());
    let rotation = if u_length > 0.0 { (-u.y).atan2(u.x) } else { v.x.atan2(v.y) };
    let (sin, cos) = rotation.sin_cos();
    // A mirror is a negative second factor.
    let side = v.x * sin + v.y * cos;
    json::TextureTransform {
        offset: [image_from_uv.z_axis.x, image_from_uv.z_axis.y],
        rotation,
        scale: [u_length, v_length.copysign(side)],
    }
}

/// Seen from both sides if the material or the drawing as a whole is.
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

// Images as PNG.

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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn a_texture_transform_comes_apart_and_together_again() {
        for (angle, scale) in [
            (0.3, Vec2::new(2.0, 3.0)),
            (-2.5, Vec2::new(-2.0, 0.5)),
            (1.0, Vec2::new(2.0, -3.0)),
            (1.0, Vec2::new(0.0, -3.0)),
            (2.0, Vec2::ZERO),
        ] {
            let (sin, cos) = f32::sin_cos(angle);
            let turn = |sin: f32, cos: f32| {
                Mat3::from_cols_array(&[cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0])
            };
            let at = Mat3::from_translation(Vec2::new(0.25, 0.5));
            let matrix = at * turn(sin, cos) * Mat3::from_scale(scale);
            let apart = taken_apart(matrix);
            let (sin, cos) = apart.rotation.sin_cos();
            let again = Mat3::from_translation(apart.offset.into())
                * turn(sin, cos)
                * Mat3::from_scale(apart.scale.into());
            assert!(again.abs_diff_eq(matrix, 1e-6), "{again} {matrix}");
        }
    }
}
