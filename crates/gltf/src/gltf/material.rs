//! Reads materials: base colours and their images.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bindpose_diagnostic::Diagnostic;
use glam::{Mat3, Vec2, Vec4};
use gltf::json::Root;
use gltf::json::material::{AlphaMode, Material as StoredMaterial};
use gltf::json::texture::{Info, MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::Value;

use super::document::{GltfDocument, load_uri};
use super::error::{ReadingNotes, dangling, gltf_error, missing, over_budget};
use super::json::LEFT_OUT;
use crate::material_image::MAX_IMAGE_SIDE_PX;
use crate::progress::Pace;
use crate::read_error::code;
use crate::{Material, MaterialImage, Mesh, TextureUse, Wrap};

/// Alpha cutoff of materials that should be blended, because nothing is blended.
const BLEND_CUTOFF: f32 = 0.5;

/// The materials that parts use, each once.
#[derive(Default)]
pub(super) struct Materials {
    /// Index in the file of each material of the mesh.
    list: Vec<usize>,
    /// Index in the mesh by index in the file.
    indices: BTreeMap<usize, usize>,
}

impl Materials {
    /// Returns the index in the mesh of a material of the file. Returns `None` if there is no
    /// such material.
    pub(super) fn index_of(
        &mut self,
        document: &GltfDocument<'_>,
        material: usize,
    ) -> Option<usize> {
        document.root.materials.get(material)?;
        let next = self.list.len();
        let index = *self.indices.entry(material).or_insert(next);
        if index == next {
            self.list.push(material);
        }
        Some(index)
    }

    /// Reads the materials and their images into the mesh. Images that cannot be read are
    /// skipped, with a note.
    pub(super) async fn read_into(
        self,
        document: &GltfDocument<'_>,
        mesh: &mut Mesh,
        notes: &mut ReadingNotes,
        pace: &Pace,
    ) -> Result<(), Diagnostic> {
        let mut images = TextureReader { document, indices: BTreeMap::new(), notes };
        for (done, &index) in self.list.iter().enumerate() {
            pace.spend(1).await?;
            pace.progress().set(0.7 + 0.25 * done as f32 / self.list.len() as f32);
            let stored = &document.root.materials[index];
            let texture = match &stored.pbr_metallic_roughness.base_color_texture {
                Some(info) => images.read_texture(mesh, index, info),
                None => None,
            };
            mesh.materials.push(convert_material(stored, index, texture));
        }
        Ok(())
    }
}

/// Reads the images of textures, each once.
struct TextureReader<'a> {
    document: &'a GltfDocument<'a>,
    /// Index in the mesh of each image of the file read so far. `None` if it cannot be read.
    indices: BTreeMap<usize, Option<usize>>,
    notes: &'a mut ReadingNotes,
}

impl TextureReader<'_> {
    /// Reads the image of a material's texture into the mesh. Returns `None` if the texture
    /// has no image, or if it cannot be read.
    fn read_texture(
        &mut self,
        mesh: &mut Mesh,
        material: usize,
        info: &Info,
    ) -> Option<TextureUse> {
        let path = format!("/materials/{material}/pbrMetallicRoughness/baseColorTexture/index");
        let image = match image_of_texture(&self.document.root, info, path) {
            Ok(image) => image?,
            Err(error) => {
                self.note_left_out(error);
                return None;
            }
        };
        let index = if let Some(&index) = self.indices.get(&image) {
            index
        } else {
            let index = match find_image(self.document, image) {
                Ok(found) => {
                    mesh.images.push(found);
                    Some(mesh.images.len() - 1)
                }
                Err(error) => {
                    self.note_left_out(error);
                    None
                }
            };
            self.indices.insert(image, index);
            index
        };
        Some(convert_texture(&self.document.root, info, index?))
    }

    fn note_left_out(&mut self, error: Diagnostic) {
        self.notes.left_out("TEXTURE_LEFT_OUT", error, "the model is shown without this image");
    }
}

/// Returns the set of texture coordinates that the base colour of a material uses.
pub(super) fn uv_set(root: &Root, material: usize) -> u32 {
    let Some(info) = root
        .materials
        .get(material)
        .and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref())
    else {
        return 0;
    };
    match texture_transform(info).and_then(|transform| transform.get("texCoord")?.as_u64()) {
        Some(set) => u32::try_from(set).unwrap_or(0),
        None => info.tex_coord,
    }
}

fn convert_material(
    stored: &StoredMaterial,
    index: usize,
    texture: Option<TextureUse>,
) -> Material {
    let extensions = stored.extensions.as_ref();
    Material {
        name: stored.name.clone().unwrap_or_else(|| format!("material {index}")),
        base_color: Vec4::from_array(stored.pbr_metallic_roughness.base_color_factor.0),
        texture,
        double_sided: stored.double_sided,
        unlit: extensions
            .is_some_and(|extensions| extensions.others.contains_key("KHR_materials_unlit")),
        alpha_cutoff: match stored.alpha_mode {
            Checked::Valid(AlphaMode::Mask) => {
                Some(stored.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0))
            }
            Checked::Valid(AlphaMode::Blend) => Some(BLEND_CUTOFF),
            _ => None,
        },
    }
}

/// Returns the index of a texture's image in the file. Returns `None` if it has none, for
/// example because an extension has it. `path` is the JSON pointer of the texture's index.
fn image_of_texture(root: &Root, info: &Info, path: String) -> Result<Option<usize>, Diagnostic> {
    let index = info.index.value();
    let texture = root
        .textures
        .get(index)
        .ok_or_else(|| dangling(path, "textures", root.textures.len(), index))?;
    let image = texture.source.value();
    if image == LEFT_OUT {
        return Ok(None);
    }
    if image >= root.images.len() {
        let path = format!("/textures/{index}/source");
        return Err(dangling(path, "images", root.images.len(), image));
    }
    Ok(Some(image))
}

fn convert_texture(root: &Root, info: &Info, image: usize) -> TextureUse {
    let texture = &root.textures[info.index.value()];
    let sampler = texture.sampler.and_then(|sampler| root.samplers.get(sampler.value()));
    let image_from_uv = image_from_uv(info);
    match sampler {
        Some(sampler) => TextureUse {
            image,
            image_from_uv,
            wrap: [convert_wrap(sampler.wrap_s), convert_wrap(sampler.wrap_t)],
            nearest: sampler.mag_filter == Some(Checked::Valid(MagFilter::Nearest)),
        },
        None => TextureUse { image, image_from_uv, ..TextureUse::default() },
    }
}

fn convert_wrap(mode: Checked<WrappingMode>) -> Wrap {
    match mode {
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::MirroredRepeat,
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::ClampToEdge,
        _ => Wrap::Repeat,
    }
}

fn texture_transform(info: &Info) -> Option<&Value> {
    info.extensions.as_ref()?.others.get("KHR_texture_transform")
}

/// Computes translation · rotation · scale of `KHR_texture_transform`, with the signs of the
/// extension's specification.
fn image_from_uv(info: &Info) -> Mat3 {
    let Some(transform) = texture_transform(info) else {
        return Mat3::IDENTITY;
    };
    let offset = parse_pair(transform, "offset").unwrap_or(Vec2::ZERO);
    let scale = parse_pair(transform, "scale").unwrap_or(Vec2::ONE);
    let angle_rad = transform.get("rotation").and_then(Value::as_f64).unwrap_or(0.0);
    let sin = angle_rad.sin() as f32;
    let cos = angle_rad.cos() as f32;
    let rotation = Mat3::from_cols_array(&[cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0]);
    Mat3::from_translation(offset) * rotation * Mat3::from_scale(scale)
}

fn parse_pair(transform: &Value, key: &str) -> Option<Vec2> {
    let numbers = transform.get(key)?.as_array()?;
    let x = numbers.first()?.as_f64()?;
    let y = numbers.get(1)?.as_f64()?;
    Some(Vec2::new(x as f32, y as f32))
}

/// Finds an image of the file, in a buffer view or in a file. It is not decoded yet.
pub(super) fn find_image(
    document: &GltfDocument<'_>,
    index: usize,
) -> Result<MaterialImage, Diagnostic> {
    let path = format_args!("/images/{index}");
    let image = document.root.images.get(index);
    let bytes = match image.map(|image| (&image.uri, image.buffer_view)) {
        Some((_, Some(view))) => {
            Cow::Borrowed(document.view(view.value(), &format_args!("{path}/bufferView"))?)
        }
        Some((Some(uri), None)) => load_uri(uri, &format_args!("{path}/uri"), document.source)?,
        _ => return Err(missing(path, "a URI or a buffer view")),
    };
    let (file, range) = document.source.shared(&bytes);
    let (image, [width, height]) = MaterialImage::of_file(file, range).map_err(|found| {
        gltf_error(code::GLTF_INVALID, path, "a PNG or JPEG image", found)
            .help("save the image again as PNG or JPEG")
    })?;
    let max_side = MAX_IMAGE_SIDE_PX as usize;
    if width.max(height) > max_side {
        return Err(gltf_error(
            code::GLTF_TOO_LARGE,
            path,
            format_args!("at most {max_side} pixels a side"),
            format_args!("{width} × {height}"),
        )
        .help("make the image smaller"));
    }
    document.budget.hold(width * height, 4).map_err(|over| over_budget(over, path))?;
    Ok(image)
}
