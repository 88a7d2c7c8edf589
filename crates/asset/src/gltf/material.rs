//! Materials: base colours and the images for them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{Mat3, Vec2, Vec4};
use gltf::json::Root;
use gltf::json::material::{AlphaMode, Material as Stored};
use gltf::json::texture::{Info, MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::Value;

use super::document::{GltfDocument, from_uri};
use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use super::json::LEFT_OUT;
use crate::material_image::MOST_PIXELS;
use crate::progress::Pace;
use crate::{Material, MaterialImage, Mesh, TextureUse, Wrap};

/// Where nothing is blended, what is mostly transparent is left out.
const BLEND_CUTOFF: f32 = 0.5;

/// The materials that parts ask for, each once.
#[derive(Default)]
pub(super) struct Materials {
    /// Numbers in the file, by place.
    list: Vec<usize>,
    places: BTreeMap<usize, usize>,
}

impl Materials {
    /// The place of a material of the file; `None` when there is no such
    /// material.
    pub(super) fn place(&mut self, document: &GltfDocument<'_>, material: usize) -> Option<usize> {
        document.root.materials.get(material)?;
        let next = self.list.len();
        let place = *self.places.entry(material).or_insert(next);
        if place == next {
            self.list.push(material);
        }
        Some(place)
    }

    /// Reads them and their images into the mesh. An image that cannot be read
    /// is left out.
    pub(super) async fn finish(
        self,
        document: &GltfDocument<'_>,
        mesh: &mut Mesh,
        notes: &mut ReadingNotes,
        pace: &Pace,
    ) -> Result<(), GltfError> {
        // Place of every image of the file that was read; `None`: it cannot be.
        let mut images: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        for (done, &index) in self.list.iter().enumerate() {
            pace.spend(1).await?;
            pace.progress().set(0.7 + 0.25 * done as f32 / self.list.len() as f32);
            let stored = &document.root.materials[index];
            let info = stored.pbr_metallic_roughness.base_color_texture.as_ref();
            let texture = info.and_then(|info| {
                let path = format!("/materials/{index}/pbrMetallicRoughness/baseColorTexture");
                let image = image_of(document, info, &path).unwrap_or_else(|error| {
                    leave_out(notes, error);
                    None
                })?;
                let place =
                    *images.entry(image).or_insert_with(|| match find_picture(document, image) {
                        Ok(picture) => {
                            mesh.images.push(picture);
                            Some(mesh.images.len() - 1)
                        }
                        Err(error) => {
                            leave_out(notes, error);
                            None
                        }
                    });
                Some(texture_use(&document.root, info, place?))
            });
            mesh.materials.push(material(stored, index, texture));
        }
        Ok(())
    }
}

fn leave_out(notes: &mut ReadingNotes, error: GltfError) {
    notes.left_out("TEXTURE_LEFT_OUT", error, "the model is shown without this image");
}

/// Which set of texture coordinates the base colour of a material takes.
pub(super) fn uv_set(root: &Root, material: usize) -> u32 {
    let material = root.materials.get(material);
    let info =
        material.and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
    let Some(info) = info else {
        return 0;
    };
    let moved = transform(info).and_then(|transform| transform.get("texCoord")?.as_u64());
    moved.map_or(info.tex_coord, |set| u32::try_from(set).unwrap_or(0))
}

fn material(stored: &Stored, index: usize, texture: Option<TextureUse>) -> Material {
    let name = stored.name.clone();
    let factor = stored.pbr_metallic_roughness.base_color_factor.0;
    let cutoff = stored.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0);
    let extensions = stored.extensions.as_ref();
    Material {
        name: name.unwrap_or_else(|| format!("material {index}")),
        base_color: Vec4::from_array(factor),
        texture,
        double_sided: stored.double_sided,
        unlit: extensions
            .is_some_and(|extensions| extensions.others.contains_key("KHR_materials_unlit")),
        alpha_cutoff: match stored.alpha_mode {
            Checked::Valid(AlphaMode::Mask) => Some(cutoff),
            Checked::Valid(AlphaMode::Blend) => Some(BLEND_CUTOFF),
            _ => None,
        },
    }
}

/// The number of the image; `None` for a texture that names none, as one does
/// whose image is that of an extension.
fn image_of(
    document: &GltfDocument<'_>,
    info: &Info,
    path: &str,
) -> Result<Option<usize>, GltfError> {
    let root = &document.root;
    let texture = info.index.value();
    let path = format!("{path}/index");
    let found = root.textures.get(texture);
    let source = found
        .ok_or_else(|| GltfError::dangling(path, "textures", root.textures.len(), texture))?
        .source
        .value();
    if source >= root.images.len() && source != LEFT_OUT {
        let path = format!("/textures/{texture}/source");
        let count = root.images.len();
        return Err(GltfError::dangling(path, "images", count, source));
    }
    Ok((source != LEFT_OUT).then_some(source))
}

fn texture_use(root: &Root, info: &Info, image: usize) -> TextureUse {
    let texture = &root.textures[info.index.value()];
    let sampler = texture.sampler.and_then(|sampler| root.samplers.get(sampler.value()));
    let wrap = |mode: Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::MirroredRepeat,
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::ClampToEdge,
        _ => Wrap::Repeat,
    };
    TextureUse {
        image,
        image_from_uv: image_from_uv(info),
        wrap: sampler
            .map_or([Wrap::Repeat; 2], |sampler| [wrap(sampler.wrap_s), wrap(sampler.wrap_t)]),
        nearest: sampler
            .is_some_and(|sampler| sampler.mag_filter == Some(Checked::Valid(MagFilter::Nearest))),
    }
}

fn transform(info: &Info) -> Option<&Value> {
    let extensions = info.extensions.as_ref()?;
    extensions.others.get("KHR_texture_transform")
}

/// `KHR_texture_transform`: translation · rotation · scale, with the signs of
/// the extension's own text.
fn image_from_uv(info: &Info) -> Mat3 {
    let Some(transform) = transform(info) else {
        return Mat3::IDENTITY;
    };
    let pair = |key: &str, absent: Vec2| {
        let numbers = transform.get(key).and_then(Value::as_array);
        let number = |at: usize| numbers?.get(at)?.as_f64().map(|x| x as f32);
        match (number(0), number(1)) {
            (Some(x), Some(y)) => Vec2::new(x, y),
            _ => absent,
        }
    };
    let (offset, scale) = (pair("offset", Vec2::ZERO), pair("scale", Vec2::ONE));
    let angle_rad = transform.get("rotation").and_then(Value::as_f64);
    let (sin, cos) = angle_rad.unwrap_or(0.0).sin_cos();
    let (sin, cos) = (sin as f32, cos as f32);
    let rotation = Mat3::from_cols_array(&[cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0]);
    Mat3::from_translation(offset) * rotation * Mat3::from_scale(scale)
}

// Images: where their bytes are, in a buffer view or a file. Nothing is decoded.

/// Finds an image of the file.
pub(super) fn find_picture(
    document: &GltfDocument<'_>,
    index: usize,
) -> Result<MaterialImage, GltfError> {
    let path = format_args!("/images/{index}");
    let image = document.root.images.get(index);
    let bytes = match image.map(|image| (&image.uri, image.buffer_view)) {
        Some((_, Some(view))) => {
            Cow::Borrowed(document.view(view.value(), &format_args!("{path}/bufferView"))?)
        }
        Some((Some(uri), None)) => from_uri(uri, &format_args!("{path}/uri"), document.source)?,
        _ => {
            return Err(GltfError::missing(path, "a URI or a buffer view"));
        }
    };
    let (file, range) = document.source.shared(&bytes);
    let found = MaterialImage::of_file(file, range);
    let (image, [width, height]) = found.map_err(|found| {
        GltfError::new(Kind::Invalid, path)
            .expected("a PNG or JPEG image", found)
            .help("save the image again as PNG or JPEG")
    })?;
    let most = MOST_PIXELS as usize;
    if width.max(height) > most {
        return Err(GltfError::new(Kind::TooLarge, path)
            .expected(
                format_args!("at most {most} pixels a side"),
                format_args!("{width} × {height}"),
            )
            .help("make the image smaller"));
    }
    let held = document.budget.hold(width * height, 4);
    held.map_err(|over| GltfError::over_budget(over, path))?;
    Ok(image)
}
