//! Uploads materials: groups triangles by material, orders them for the vertex cache, and
//! converts images to textures.

use bindpose_gltf::{Image, Material, Mesh, TextureUse, Wrap};
use bindpose_notebook::palette_plan::TextureShape;
use bindpose_notebook::palette_texture::TexelFormat;
use bindpose_notebook::scene::Scene;
use glam::{Mat3, Vec3, Vec4};
use meshopt_rs::vertex::cache::optimize_vertex_cache_fifo;
use three_d::{CpuTexture, Interpolation, Mipmap, Texture2D, TextureData, Wrapping, f16};

use super::buffers::{Context, ElementBuffer};

/// All triangles of a mesh that have the same material. They are drawn with one call.
pub(super) struct MaterialGroup {
    pub(super) triangles: ElementBuffer<u32>,
    pub(super) material: GpuMaterial,
}

/// A material with the values that the fragment shader needs.
pub(super) struct GpuMaterial {
    /// Linear RGBA.
    pub(super) base_color: Vec4,
    pub(super) texture: Option<Texture>,
    /// Texture transform for flipped coordinates: three-d flips images on upload, and the
    /// vertex buffers flip `uv` too.
    pub(super) image_from_uv: Mat3,
    /// 0 if alpha is ignored.
    pub(super) alpha_cutoff: f32,
    pub(super) unlit: bool,
    /// Whether back faces are culled.
    pub(super) one_sided: bool,
    /// Whether the mesh defines no color at all, so that the surface color of the theme is used.
    pub(super) has_theme_color: bool,
}

impl MaterialGroup {
    /// Uploads a group for each material that has triangles.
    pub(super) fn all_of(context: &Context, mesh: &Mesh, max_texture_side: u32) -> Vec<Self> {
        group_by_material(mesh)
            .into_iter()
            .map(|(material, triangles)| {
                let material =
                    GpuMaterial::new(context, mesh, material, &triangles, max_texture_side);
                let ordered = order_for_vertex_cache(triangles, mesh.positions.len());
                Self {
                    triangles: ElementBuffer::new_with_data(context, ordered.as_flattened()),
                    material,
                }
            })
            .collect()
    }
}

/// Groups the valid triangles by material, in the order in which the materials first appear.
/// Triangles with a vertex out of range are dropped.
fn group_by_material(mesh: &Mesh) -> Vec<(Option<usize>, Vec<[u32; 3]>)> {
    let vertex_count = mesh.positions.len();
    let mut parts: Vec<(Option<usize>, &[[u32; 3]])> = Vec::new();
    if mesh.parts.is_empty() {
        parts.push((Some(0), &mesh.triangles));
    }
    for part in &mesh.parts {
        let range = part.triangles.start as usize..part.triangles.end as usize;
        parts.push((part.material, mesh.triangles.get(range).unwrap_or_default()));
    }

    let mut groups: Vec<(Option<usize>, Vec<[u32; 3]>)> = Vec::new();
    for (material, triangles) in parts {
        let material = material.filter(|&material| material < mesh.materials.len());
        let valid_triangles = triangles
            .iter()
            .filter(|corners| corners.iter().all(|&corner| (corner as usize) < vertex_count));
        match groups.iter_mut().find(|(known, _)| *known == material) {
            Some((_, group)) => group.extend(valid_triangles),
            None => groups.push((material, valid_triangles.copied().collect())),
        }
    }
    groups.retain(|(_, triangles)| !triangles.is_empty());
    groups
}

impl GpuMaterial {
    fn new(
        context: &Context,
        mesh: &Mesh,
        material: Option<usize>,
        triangles: &[[u32; 3]],
        max_texture_side: u32,
    ) -> Self {
        let Some(material) = material.and_then(|material| mesh.materials.get(material)) else {
            let has_vertex_colors = triangles
                .iter()
                .flatten()
                .any(|&corner| vertex_color(mesh, corner as usize) != Vec4::ONE);
            return Self {
                base_color: Vec4::ONE,
                texture: None,
                image_from_uv: Mat3::IDENTITY,
                alpha_cutoff: 0.0,
                unlit: false,
                one_sided: false,
                has_theme_color: !has_vertex_colors,
            };
        };
        let texture = material.texture.and_then(|texture| {
            let image = mesh.images.get(texture.image)?;
            upload_image(context, image.pixels_unless_promised()?, texture, max_texture_side)
        });
        Self {
            base_color: material.base_color,
            texture,
            image_from_uv: flipped_image_from_uv(material),
            alpha_cutoff: material.alpha_cutoff.unwrap_or(0.0),
            unlit: material.unlit,
            one_sided: !material.double_sided,
            has_theme_color: false,
        }
    }
}

/// Linear RGBA of a vertex. White if the mesh has no vertex colors.
fn vertex_color(mesh: &Mesh, vertex: usize) -> Vec4 {
    mesh.colors.get(vertex).copied().unwrap_or(Vec4::ONE)
}

/// Converts the texture transform of a material to flipped coordinates (v ↦ 1 − v).
fn flipped_image_from_uv(material: &Material) -> Mat3 {
    let flip = Mat3::from_cols(Vec3::X, Vec3::NEG_Y, Vec3::new(0.0, 1.0, 1.0));
    let image_from_uv = material.texture.unwrap_or_default().image_from_uv;
    if image_from_uv == Mat3::IDENTITY {
        // The product below may have rounding errors.
        return image_from_uv;
    }
    flip * image_from_uv * flip
}

/// Features that the fragment shader of the surface needs for the materials of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MaterialFeatures {
    /// More than one plain image: color factors, texture transforms, alpha cutoff, unlit
    /// materials, vertex colors, or culling in the shader.
    pub(super) painted: bool,
    /// Vertex colors.
    pub(super) colored: bool,
    pub(super) sides: Sides,
}

/// Sides of one-sided materials that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// Front faces. GL culls the others by winding order.
    Front,
    /// Front faces, culled by the shader, because some joint mirrors and so reverses the winding
    /// order.
    FrontByShader,
    /// Both sides, because a skinning fault or the reader's shader may turn the surface inside
    /// out, which must be visible.
    Both,
}

impl MaterialFeatures {
    pub(super) fn from_scene(scene: &Scene) -> Self {
        let Scene { mesh, skinning, .. } = scene;
        let is_one_sided = mesh.materials.iter().any(|material| !material.double_sided);
        let sides = if !is_one_sided || !skinning.faults.is_empty() || skinning.shader.is_some() {
            Sides::Both
        } else if scene.palette.iter().any(|&matrix| Mat3::from_mat4(matrix).determinant() < 0.0) {
            Sides::FrontByShader
        } else {
            Sides::Front
        };
        let colored = !mesh.colors.is_empty();
        Self {
            painted: colored
                || sides == Sides::FrontByShader
                || mesh.materials.iter().any(is_painted),
            colored,
            sides,
        }
    }
}

/// Returns whether a material is more than a plain image.
fn is_painted(material: &Material) -> bool {
    material.base_color != Vec4::ONE
        || material.unlit
        || material.alpha_cutoff.is_some()
        || material.texture.is_some_and(|texture| texture.image_from_uv != Mat3::IDENTITY)
}

/// Borrowed RGBA pixels.
type BorrowedPixels<'a> = image::ImageBuffer<image::Rgba<u8>, &'a [u8]>;

/// Uploads an image, scaled down if a side exceeds `max_side`. Returns `None` if the image is
/// empty or its number of bytes does not match its size.
fn upload_image(
    context: &Context,
    image: &Image,
    texture_use: TextureUse,
    max_side: u32,
) -> Option<Texture> {
    let size = [image.width, image.height];
    let pixels = BorrowedPixels::from_raw(image.width, image.height, image.rgba.as_slice())?;
    if size.contains(&0) {
        return None;
    }
    if size.iter().all(|&side| side <= max_side) {
        return Some(Texture::from_image(context, pixels.as_raw(), size, texture_use));
    }
    let [width, height] = super::render_target::fit_size(size, max_side);
    let filter = image::imageops::FilterType::Triangle;
    let resized = image::imageops::resize(&pixels, width, height, filter);
    Some(Texture::from_image(context, resized.as_raw(), [width, height], texture_use))
}

/// Size of the vertex cache that every GPU is assumed to have, in vertices.
const VERTEX_CACHE_SIZE: u32 = 16;

/// Number of slots in the direct-mapped vertex cache of software rasterizers.
const SOFTWARE_CACHE_SLOTS: usize = 64;

/// Maximum number of triangles that are reordered. Reordering as many takes a tenth of a second,
/// during which the page does not respond. Fewer in a browser, where the same frame has other
/// work to do.
const MAX_ORDERED_TRIANGLES: usize = if cfg!(target_arch = "wasm32") { 1 << 15 } else { 1 << 20 };

/// Reorders triangles so that those with shared vertices follow one another, and the vertex
/// shader runs about once per vertex instead of once per corner. The order of the corners of a
/// triangle does not change. All corners must be less than `vertex_count`. Takes linear time.
///
/// Sander, Nehab, Barczak 2007, "Fast triangle reordering for vertex locality and
/// reduced overdraw", section 3.
fn order_for_vertex_cache(triangles: Vec<[u32; 3]>, vertex_count: usize) -> Vec<[u32; 3]> {
    if triangles.len() > MAX_ORDERED_TRIANGLES {
        return triangles;
    }
    let mut ordered = vec![[0; 3]; triangles.len()];
    optimize_vertex_cache_fifo(
        ordered.as_flattened_mut(),
        triangles.as_flattened(),
        vertex_count,
        VERTEX_CACHE_SIZE,
    );
    // The original order may be better, for example that of a grid stored row by row.
    if count_shader_runs(&ordered) < count_shader_runs(&triangles) { ordered } else { triangles }
}

/// Counts the runs of the vertex shader with a direct-mapped vertex cache.
fn count_shader_runs(triangles: &[[u32; 3]]) -> usize {
    let mut cache = [None; SOFTWARE_CACHE_SLOTS];
    triangles
        .as_flattened()
        .iter()
        .filter(|&&corner| {
            cache[corner as usize % SOFTWARE_CACHE_SLOTS].replace(corner) != Some(corner)
        })
        .count()
}

/// A texture of three-d, which flips images vertically on upload.
pub(super) struct Texture(Texture2D);

impl Texture {
    /// Uploads an image for a surface: RGBA with rows from top to bottom. The first row has the
    /// largest texture coordinate.
    fn from_image(
        context: &Context,
        rgba: &[u8],
        size_px: [u32; 2],
        texture_use: TextureUse,
    ) -> Self {
        let [wrap_s, wrap_t] = texture_use.wrap.map(|wrap| match wrap {
            Wrap::Repeat => Wrapping::Repeat,
            Wrap::MirroredRepeat => Wrapping::MirroredRepeat,
            Wrap::ClampToEdge => Wrapping::ClampToEdge,
        });
        let texels = rgba.as_chunks::<4>().0.to_vec();
        Self(Texture2D::new(
            context,
            &CpuTexture {
                name: "base color".to_owned(),
                data: TextureData::RgbaU8(texels),
                width: size_px[0],
                height: size_px[1],
                // Nearest filtering would make a minified texture flicker.
                min_filter: Interpolation::Linear,
                mag_filter: if texture_use.nearest {
                    Interpolation::Nearest
                } else {
                    Interpolation::Linear
                },
                mipmap: Some(Mipmap::default()),
                wrap_s,
                wrap_t,
            },
        ))
    }

    /// Creates an empty texture for a palette.
    pub(super) fn new_palette(context: &Context, shape: TextureShape) -> Self {
        let new_empty = match shape.format {
            TexelFormat::Float => Texture2D::new_empty::<[f32; 4]>,
            TexelFormat::Half => Texture2D::new_empty::<[f16; 4]>,
            TexelFormat::Bytes => Texture2D::new_empty::<[u8; 4]>,
        };
        let filter = if shape.linear { Interpolation::Linear } else { Interpolation::Nearest };
        let wrap = Wrapping::ClampToEdge;
        Self(new_empty(context, shape.width, shape.height, filter, filter, None, wrap, wrap))
    }

    /// Fills a texture made by [`Self::new_palette`] row by row. The first row has the smallest
    /// texture coordinate. The rest of the texture is set to 0.
    pub(super) fn fill_palette(&self, shape: TextureShape, texels: &[[f32; 4]]) {
        let data = flip_rows(texels, shape.width as usize, shape.height as usize);
        match shape.format {
            TexelFormat::Float => self.0.fill(&data),
            TexelFormat::Half => self.0.fill::<[f16; 4]>(
                &data.iter().map(|texel| texel.map(f16::from_f32)).collect::<Vec<_>>(),
            ),
            TexelFormat::Bytes => self.0.fill::<[u8; 4]>(
                &data
                    .iter()
                    .map(|texel| texel.map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8))
                    .collect::<Vec<_>>(),
            ),
        }
    }

    pub(super) fn get(&self) -> &Texture2D {
        &self.0
    }
}

/// Splits the texels into rows of `width` and returns the rows in reverse order. Missing texels
/// are 0.
fn flip_rows(texels: &[[f32; 4]], width: usize, height: usize) -> Vec<[f32; 4]> {
    let mut rows = vec![[0.0; 4]; width * height];
    for (texels, row) in texels.chunks(width).zip(rows.rchunks_mut(width)) {
        row[..texels.len()].copy_from_slice(texels);
    }
    rows
}

#[cfg(test)]
mod tests {
    use bindpose_gltf::MeshPart;
    use bindpose_rigs::{builtin, builtin_ids};

    use super::*;

    fn mesh_part(material: Option<usize>, triangles: std::ops::Range<u32>) -> MeshPart {
        MeshPart { triangles, material, ..MeshPart::default() }
    }

    #[test]
    fn parts_with_the_same_material_form_one_group() {
        let mut mesh = Mesh {
            positions: vec![Vec3::ZERO; 4],
            triangles: vec![[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 9]],
            ..Mesh::default()
        };
        assert_eq!(group_by_material(&mesh), [(None, mesh.triangles[..3].to_vec())]);
        mesh.materials = vec![Material::default(); 2];
        assert_eq!(group_by_material(&mesh)[0].0, Some(0), "one part, one material");
        mesh.parts = vec![
            mesh_part(Some(1), 0..1),
            mesh_part(None, 1..2),
            mesh_part(Some(1), 2..4),
            mesh_part(Some(7), 1..2),
            mesh_part(Some(0), 3..4),
            mesh_part(Some(0), 2..400),
        ];
        let expected = [(Some(1), vec![[0, 1, 2], [2, 3, 0]]), (None, vec![[1, 2, 3], [1, 2, 3]])];
        assert_eq!(group_by_material(&mesh), expected);
    }

    #[test]
    fn builtin_meshes_need_one_draw_call_and_no_features() {
        for &id in builtin_ids() {
            let rig = builtin(id).unwrap();
            let group_count = group_by_material(&rig.mesh).len();
            assert_eq!(group_count, usize::from(!rig.mesh.triangles.is_empty()), "{id}");
            let palette = rig.world_from_bind(|_| None);
            let features = MaterialFeatures::from_scene(&Scene::plain(&rig.mesh, palette));
            assert!(!features.painted && !features.colored, "{id}");
        }
    }

    fn features_with_x_scale(mesh: &Mesh, x_scale: f32) -> MaterialFeatures {
        MaterialFeatures::from_scene(&scene_with_x_scale(mesh, x_scale))
    }

    fn scene_with_x_scale(mesh: &Mesh, x_scale: f32) -> Scene {
        let palette = [glam::Mat4::from_scale(Vec3::new(x_scale, 1.0, 1.0))];
        Scene::plain(&std::sync::Arc::new(mesh.clone()), palette)
    }

    #[test]
    fn culling_depends_on_materials_mirroring_and_faults() {
        let mut mesh = Mesh::default();
        assert_eq!(features_with_x_scale(&mesh, 1.0).sides, Sides::Both);
        mesh.materials = vec![Material::default()];
        assert_eq!(features_with_x_scale(&mesh, 1.0).sides, Sides::Front);
        let mirrored = features_with_x_scale(&mesh, -1.0);
        assert_eq!(mirrored.sides, Sides::FrontByShader);
        assert!(mirrored.painted);
        let mut faulty = scene_with_x_scale(&mesh, -1.0);
        faulty.skinning.faults = [bindpose_lesson::SkinningFault::Half].into();
        assert_eq!(MaterialFeatures::from_scene(&faulty).sides, Sides::Both);
        mesh.materials[0].double_sided = true;
        assert_eq!(features_with_x_scale(&mesh, -1.0).sides, Sides::Both);
    }

    fn textured(image_from_uv: Mat3) -> Material {
        Material {
            texture: Some(TextureUse { image_from_uv, ..TextureUse::default() }),
            ..Material::default()
        }
    }

    #[test]
    fn texture_transforms_are_flipped_with_the_image() {
        assert_eq!(flipped_image_from_uv(&textured(Mat3::IDENTITY)), Mat3::IDENTITY);
        let offset = Mat3::from_translation(glam::Vec2::new(0.0, 0.25));
        let flipped = flipped_image_from_uv(&textured(offset));
        assert_eq!(flipped * Vec3::Z, Vec3::new(0.0, -0.25, 1.0));
    }

    /// Returns two triangles for each cell of a square grid, row by row.
    fn grid(side: u32) -> Vec<[u32; 3]> {
        let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
        cells.flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]).collect()
    }

    /// Shuffles triangles so that neighbors are far apart in the list.
    fn scattered(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let count = triangles.len();
        (0..count).map(|i| triangles[i * 61 % count]).collect()
    }

    fn sorted(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn ordering_scattered_triangles_halves_the_shader_runs() {
        let original = scattered(&grid(40));
        let ordered = order_for_vertex_cache(original.clone(), 1600);
        let run_count = count_shader_runs(&ordered);
        assert!(2 * run_count < count_shader_runs(&original), "{run_count}");
        assert_eq!(sorted(ordered), sorted(original));
    }

    #[test]
    fn triangles_in_good_order_are_not_reordered() {
        let strip: Vec<[u32; 3]> = (0..50).map(|i| [i, i + 1, i + 2]).collect();
        assert_eq!(order_for_vertex_cache(strip.clone(), 52), strip);
        assert!(order_for_vertex_cache(Vec::new(), 0).is_empty());
    }

    #[test]
    fn ordering_keeps_all_triangles_of_degenerate_meshes() {
        let fan: Vec<[u32; 3]> = (1..20_000).map(|i| [0, i, i + 1]).collect();
        let folded: Vec<[u32; 3]> = (0..300).map(|i| [i, i, (i * 7) % 300]).collect();
        let disjoint: Vec<[u32; 3]> = (0..300).map(|i| [i, i + 300, i + 600]).collect();
        for (mesh, count) in [(fan, 20_001), (folded, 300), (disjoint, 900)] {
            assert_eq!(sorted(order_for_vertex_cache(mesh.clone(), count)), sorted(mesh));
        }
    }

    #[test]
    fn joint_r_is_in_row_r_after_three_d_has_flipped_the_rows() {
        let texels: Vec<[f32; 4]> =
            (0..12).map(|texel| [(texel / 4) as f32, (texel % 4) as f32, 0.0, 1.0]).collect();
        let rows = flip_rows(&texels, 4, 3);
        assert_eq!(rows[2 * 4], [0.0, 0.0, 0.0, 1.0], "row 0 after the flip");
        assert_eq!(rows[2 * 4 + 3], [0.0, 3.0, 0.0, 1.0]);
        assert_eq!(rows[3], [2.0, 3.0, 0.0, 1.0], "row 2 after the flip");

        let wide = flip_rows(&texels, 8, 3);
        assert_eq!(wide[2 * 8 + 7], [1.0, 3.0, 0.0, 1.0], "joint 1 in row 0");
        assert_eq!(wide[0], [0.0; 4], "no joints in the last row");
    }
}
