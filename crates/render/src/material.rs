//! Materials on the GPU: parts of one material are drawn as one, and images
//! become textures.

use bindpose_asset::{Image, Material, Mesh, TextureUse, Wrap};
use bindpose_notebook::palette_plan::TextureShape;
use bindpose_notebook::palette_texture::TexelFormat;
use bindpose_notebook::scene::Scene;
use glam::{Mat3, Vec3, Vec4};
use meshopt_rs::vertex::cache::optimize_vertex_cache_fifo;
use three_d::{CpuTexture, Interpolation, Mipmap, Texture2D, TextureData, Wrapping, f16};

use super::buffers::{Context, ElementBuffer};

/// Triangles of one material.
pub(super) struct MaterialGroup {
    pub(super) triangles: ElementBuffer<u32>,
    pub(super) material: GpuMaterial,
}

/// A material as the fragment shader takes it.
pub(super) struct GpuMaterial {
    /// Linear RGBA.
    pub(super) base_color: Vec4,
    pub(super) texture: Option<Texture>,
    /// Coordinates of the texture, which three-d turns upside down, from ours,
    /// which are turned as well.
    pub(super) image_from_uv: Mat3,
    /// 0: alpha is ignored.
    pub(super) alpha_cutoff: f32,
    pub(super) unlit: bool,
    /// Only seen from in front.
    pub(super) one_sided: bool,
    /// Without any colour: the theme has one.
    pub(super) plain: bool,
}

impl MaterialGroup {
    /// One for each material that has triangles.
    pub(super) fn all_of(context: &Context, mesh: &Mesh, max_texture_side: u32) -> Vec<Self> {
        by_material(mesh)
            .into_iter()
            .map(|(material, triangles)| {
                let material =
                    GpuMaterial::new(context, mesh, material, &triangles, max_texture_side);
                let drawn = ordered_triangles(triangles, mesh.positions.len());
                Self {
                    triangles: ElementBuffer::new_with_data(context, drawn.as_flattened()),
                    material,
                }
            })
            .collect()
    }
}

/// Triangles whose corners are there, by material, in the order in which the
/// materials first appear.
fn by_material(mesh: &Mesh) -> Vec<(Option<usize>, Vec<[u32; 3]>)> {
    let count = mesh.positions.len();
    let mut groups: Vec<(Option<usize>, Vec<[u32; 3]>)> = Vec::new();
    let mut add = |material: Option<usize>, triangles: &[[u32; 3]]| {
        let material = material.filter(|&material| material < mesh.materials.len());
        let sound = triangles.iter().copied();
        let sound = sound.filter(|corners| corners.iter().all(|&c| (c as usize) < count));
        let at = groups.iter().position(|(known, _)| *known == material);
        let at = at.unwrap_or_else(|| {
            groups.push((material, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.extend(sound);
    };
    if mesh.parts.is_empty() {
        add(Some(0), &mesh.triangles);
    }
    for part in &mesh.parts {
        let range = part.triangles.start as usize..part.triangles.end as usize;
        add(part.material, mesh.triangles.get(range).unwrap_or_default());
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
        let has_colors = || {
            let mut corners = triangles.iter().flatten();
            corners.any(|&corner| color_of(mesh, corner as usize) != Vec4::ONE)
        };
        let Some(material) = material.and_then(|material| mesh.materials.get(material)) else {
            return Self {
                base_color: Vec4::ONE,
                texture: None,
                image_from_uv: Mat3::IDENTITY,
                alpha_cutoff: 0.0,
                unlit: false,
                one_sided: false,
                plain: !has_colors(),
            };
        };
        let texture = material.texture.and_then(|texture| {
            let image = mesh.images.get(texture.image)?;
            upload(context, image.pixels_unless_promised()?, texture, max_texture_side)
        });
        Self {
            base_color: material.base_color,
            texture,
            image_from_uv: upside_down(material),
            alpha_cutoff: material.alpha_cutoff.unwrap_or(0.0),
            unlit: material.unlit,
            one_sided: !material.double_sided,
            plain: false,
        }
    }
}

/// Linear; white where the mesh has none.
pub(super) fn color_of(mesh: &Mesh, vertex: usize) -> Vec4 {
    mesh.colors.get(vertex).copied().unwrap_or(Vec4::ONE)
}

fn upside_down(material: &Material) -> Mat3 {
    let turned = Mat3::from_cols(Vec3::X, Vec3::NEG_Y, Vec3::new(0.0, 1.0, 1.0));
    let image_from_uv = material.texture.unwrap_or_default().image_from_uv;
    if image_from_uv == Mat3::IDENTITY {
        // Exactly, which the product need not be.
        return image_from_uv;
    }
    turned * image_from_uv * turned
}

/// What a surface's fragment shader must do beyond showing one image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MaterialNeeds {
    /// Factors, transforms, holes, materials without light, sides told apart.
    pub(super) painted: bool,
    /// Colours of vertices.
    pub(super) colored: bool,
    pub(super) sides: Sides,
}

/// Which sides of a material that is only seen from in front are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// Front faces by their winding: GL leaves out the others.
    Front,
    /// Some joint mirrors, and turns front to back: the shader tells.
    FrontByShader,
    /// Both: something is done to vertices that is not right, or not ours, and
    /// must be seen.
    Both,
}

impl MaterialNeeds {
    pub(super) fn from_scene(scene: &Scene) -> Self {
        let Scene { mesh, skinning, .. } = scene;
        let one_sided = mesh.materials.iter().any(|material| !material.double_sided);
        let mirrored = || {
            let mut matrices = scene.palette.iter();
            matrices.any(|&matrix| Mat3::from_mat4(matrix).determinant() < 0.0)
        };
        let sides = if !one_sided || !skinning.faults.is_empty() || skinning.shader.is_some() {
            Sides::Both
        } else if mirrored() {
            Sides::FrontByShader
        } else {
            Sides::Front
        };
        let colored = !mesh.colors.is_empty();
        Self {
            painted: colored
                || sides == Sides::FrontByShader
                || mesh.materials.iter().any(asks_for_more),
            colored,
            sides,
        }
    }
}

/// More than an image as it is.
fn asks_for_more(material: &Material) -> bool {
    material.base_color != Vec4::ONE
        || material.unlit
        || material.alpha_cutoff.is_some()
        || material.texture.is_some_and(|texture| texture.image_from_uv != Mat3::IDENTITY)
}

/// Pixels that are lent.
type Pixels<'a> = image::ImageBuffer<image::Rgba<u8>, &'a [u8]>;

/// `None` when the image's size and bytes do not agree.
fn upload(context: &Context, image: &Image, used: TextureUse, max_side: u32) -> Option<Texture> {
    let size = [image.width, image.height];
    let pixels = Pixels::from_raw(image.width, image.height, image.rgba.as_slice())?;
    if size.contains(&0) {
        return None;
    }
    if size.iter().all(|&side| side <= max_side) {
        return Some(Texture::image(context, pixels.as_raw(), size, used));
    }
    let [width, height] = super::render_target::fitting(size, max_side);
    let filter = image::imageops::FilterType::Triangle;
    let smaller = image::imageops::resize(&pixels, width, height, filter);
    Some(Texture::image(context, smaller.as_raw(), [width, height], used))
}

// The order in which triangles are drawn: those that share vertices one after the
// other, so that the vertex shader runs once for a vertex and not once for every
// triangle around it. Files seldom care. Nobody sees the order, and the lessons'
// own numbers of triangles stay those of the file.

/// Vertices that a graphics card keeps between triangles, at least.
const KEPT: u32 = 16;

/// Places of a cache that finds a vertex by its number, as processors that draw have.
const PLACES: usize = 64;

/// Triangles that are put in order, a tenth of a second's work: nothing moves
/// meanwhile. In a browser, where the same frame has much else to do, fewer.
const MOST: usize = if cfg!(target_arch = "wasm32") { 1 << 15 } else { 1 << 20 };

/// The same triangles, their corners in the same order, for `count` vertices, of
/// which all corners must be. Takes time in proportion to both, whatever the mesh.
///
/// Sander, Nehab, Barczak 2007, "Fast triangle reordering for vertex locality and
/// reduced overdraw", section 3.
pub(super) fn ordered_triangles(triangles: Vec<[u32; 3]>, count: usize) -> Vec<[u32; 3]> {
    if triangles.len() > MOST {
        return triangles;
    }
    let mut ordered = vec![[0; 3]; triangles.len()];
    optimize_vertex_cache_fifo(ordered.as_flattened_mut(), triangles.as_flattened(), count, KEPT);
    // A grid that is told row by row may be better as it is.
    if shaded(&ordered) < shaded(&triangles) { ordered } else { triangles }
}

/// How often the vertex shader runs.
fn shaded(triangles: &[[u32; 3]]) -> usize {
    let mut places = [None; PLACES];
    let corners = triangles.as_flattened().iter();
    corners
        .filter(|&&corner| places[corner as usize % PLACES].replace(corner) != Some(corner))
        .count()
}

// Textures of three-d's, which turns pictures upside down on upload.

pub(super) struct Texture(Texture2D);

impl Texture {
    /// An image on a surface: RGBA, rows from top to bottom, of this width and height.
    /// Its first row gets the largest coordinate.
    pub(super) fn image(
        context: &Context,
        rgba: &[u8],
        size_px: [u32; 2],
        used: TextureUse,
    ) -> Self {
        let [wrap_s, wrap_t] = used.wrap.map(|wrap| match wrap {
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
                // Seen from afar, sharp pixels would only glitter.
                min_filter: Interpolation::Linear,
                mag_filter: if used.nearest {
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

    /// Room for a palette.
    pub(super) fn palette(context: &Context, shape: TextureShape) -> Self {
        let make = match shape.format {
            TexelFormat::Float => Texture2D::new_empty::<[f32; 4]>,
            TexelFormat::Half => Texture2D::new_empty::<[f16; 4]>,
            TexelFormat::Bytes => Texture2D::new_empty::<[u8; 4]>,
        };
        let filter = if shape.linear { Interpolation::Linear } else { Interpolation::Nearest };
        let wrap = Wrapping::ClampToEdge;
        Self(make(context, shape.width, shape.height, filter, filter, None, wrap, wrap))
    }

    /// Puts in what [`Self::palette`] has room for: texels as one run, the first
    /// row at the smallest coordinate; what is left of the texture is 0.
    pub(super) fn fill(&self, shape: TextureShape, texels: &[[f32; 4]]) {
        let data = turned(texels, shape.width as usize, shape.height as usize);
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

/// The rows last to first.
fn turned(texels: &[[f32; 4]], width: usize, height: usize) -> Vec<[f32; 4]> {
    let mut rows = vec![[0.0; 4]; width * height];
    for (texels, row) in texels.chunks(width).zip(rows.rchunks_mut(width)) {
        row[..texels.len()].copy_from_slice(texels);
    }
    rows
}

#[cfg(test)]
mod tests {

    use bindpose_asset::{MeshPart, builtin, builtin_ids};

    use super::*;

    fn part(material: Option<usize>, triangles: std::ops::Range<u32>) -> MeshPart {
        MeshPart { triangles, material, ..MeshPart::default() }
    }

    #[test]
    fn parts_of_one_material_are_drawn_as_one() {
        let mut mesh = Mesh {
            positions: vec![Vec3::ZERO; 4],
            triangles: vec![[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 9]],
            ..Mesh::default()
        };
        let all = by_material(&mesh);
        assert_eq!(all, [(None, mesh.triangles[..3].to_vec())]);
        mesh.materials = vec![Material::default(); 2];
        assert_eq!(by_material(&mesh)[0].0, Some(0), "one part, one material");
        mesh.parts = vec![
            part(Some(1), 0..1),
            part(None, 1..2),
            part(Some(1), 2..4),
            part(Some(7), 1..2),
            part(Some(0), 3..4),
            part(Some(0), 2..400),
        ];
        let expected = [(Some(1), vec![[0, 1, 2], [2, 3, 0]]), (None, vec![[1, 2, 3], [1, 2, 3]])];
        assert_eq!(by_material(&mesh), expected);
    }

    #[test]
    fn what_comes_with_the_notebook_is_drawn_at_once_and_shown_as_it_is() {
        for &id in builtin_ids() {
            let rig = builtin(id).unwrap();
            let groups = by_material(&rig.mesh).len();
            assert_eq!(groups, usize::from(!rig.mesh.triangles.is_empty()), "{id}");
            let palette = rig.world_from_bind(|_| None);
            let needs = MaterialNeeds::from_scene(&Scene::plain(&rig.mesh, palette));
            assert!(!needs.painted && !needs.colored, "{id}");
        }
    }

    #[test]
    fn sides_are_told_by_whoever_knows_them() {
        let mut mesh = Mesh::default();
        let scene = |mesh: &Mesh, x: f32| {
            let palette = [glam::Mat4::from_scale(Vec3::new(x, 1.0, 1.0))];
            Scene::plain(&std::sync::Arc::new(mesh.clone()), palette)
        };
        assert_eq!(MaterialNeeds::from_scene(&scene(&mesh, 1.0)).sides, Sides::Both);
        mesh.materials = vec![Material::default()];
        assert_eq!(MaterialNeeds::from_scene(&scene(&mesh, 1.0)).sides, Sides::Front);
        let mirrored = MaterialNeeds::from_scene(&scene(&mesh, -1.0));
        assert_eq!(mirrored.sides, Sides::FrontByShader);
        assert!(mirrored.painted);
        let mut odd = scene(&mesh, -1.0);
        odd.skinning.faults = [bindpose_lesson::SkinningFault::Half].into();
        assert_eq!(MaterialNeeds::from_scene(&odd).sides, Sides::Both);
        mesh.materials[0].double_sided = true;
        assert_eq!(MaterialNeeds::from_scene(&scene(&mesh, -1.0)).sides, Sides::Both);
    }

    #[test]
    fn a_transform_turns_with_the_image() {
        let turned = |image_from_uv| {
            upside_down(&Material {
                texture: Some(TextureUse { image_from_uv, ..TextureUse::default() }),
                ..Material::default()
            })
        };
        assert_eq!(turned(Mat3::IDENTITY), Mat3::IDENTITY);
        let lower = turned(Mat3::from_translation(glam::Vec2::new(0.0, 0.25)));
        assert_eq!(lower * Vec3::Z, Vec3::new(0.0, -0.25, 1.0));
    }

    /// Two triangles for each cell of a square grid, by rows.
    fn grid(side: u32) -> Vec<[u32; 3]> {
        let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
        cells.flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]).collect()
    }

    /// The same, far from each other: every 61st of them.
    fn scattered(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let count = triangles.len();
        (0..count).map(|i| triangles[i * 61 % count]).collect()
    }

    fn sorted(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn scattered_triangles_come_together_and_stay_the_same() {
        let file = scattered(&grid(40));
        let drawn = ordered_triangles(file.clone(), 1600);
        assert!(2 * shaded(&drawn) < shaded(&file), "{}", shaded(&drawn));
        assert_eq!(sorted(drawn), sorted(file));
    }

    #[test]
    fn what_is_in_good_order_stays_as_it_is() {
        let strip: Vec<[u32; 3]> = (0..50).map(|i| [i, i + 1, i + 2]).collect();
        assert_eq!(ordered_triangles(strip.clone(), 52), strip);
        assert!(ordered_triangles(Vec::new(), 0).is_empty());
    }

    /// One vertex in all of them, corners that are the same, none in common.
    #[test]
    fn meshes_that_no_order_helps_come_back_whole() {
        let fan: Vec<[u32; 3]> = (1..20_000).map(|i| [0, i, i + 1]).collect();
        let folded: Vec<[u32; 3]> = (0..300).map(|i| [i, i, (i * 7) % 300]).collect();
        let apart: Vec<[u32; 3]> = (0..300).map(|i| [i, i + 300, i + 600]).collect();
        for (mesh, count) in [(fan, 20_001), (folded, 300), (apart, 900)] {
            assert_eq!(sorted(ordered_triangles(mesh.clone(), count)), sorted(mesh));
        }
    }

    #[test]
    fn joint_r_ends_up_in_row_r_after_three_d_has_turned_the_rows() {
        let texels: Vec<[f32; 4]> =
            (0..12).map(|texel| [(texel / 4) as f32, (texel % 4) as f32, 0.0, 1.0]).collect();
        let rows = turned(&texels, 4, 3);
        let after_flip = |row: usize, column: usize| rows[(2 - row) * 4 + column];
        assert_eq!(after_flip(0, 0), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(after_flip(0, 3), [0.0, 3.0, 0.0, 1.0]);
        assert_eq!(after_flip(2, 3), [2.0, 3.0, 0.0, 1.0]);

        let wide = turned(&texels, 8, 3);
        assert_eq!(wide[2 * 8 + 7], [1.0, 3.0, 0.0, 1.0], "joint 1 in row 0");
        assert_eq!(wide[0], [0.0; 4], "nothing is left for the last row");
    }
}
