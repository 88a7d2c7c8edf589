//! Whole models with OpenGL: materials, textures and their samplers, vertex colors, face culling and
//! morph targets.

use std::sync::Arc;

use bindpose_gltf::{
    Image, Material, MaterialImage, Mesh, MeshPart, MorphTarget, TextureUse, Wrap,
};
use bindpose_lesson::Tint;
use bindpose_notebook::gpu_proof;
use bindpose_notebook::scene::{CrowdScene, Scene};
use bindpose_render::Renderer;
use bindpose_rigs::builtin;
use bindpose_skin::JointIndex;

use crate::common::{gl_or_skip, keep_picture};
use crate::leftovers::assert_no_error;
use crate::{VIEW, assert_gpu_equals_cpu, assert_near, palette, renderer, scene, square};
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};
use image::RgbaImage;

const RED: [u8; 3] = [220, 40, 30];
const GREEN: [u8; 3] = [10, 200, 30];
const BLUE: [u8; 3] = [20, 40, 230];
const YELLOW: [u8; 3] = [250, 240, 5];

/// Two unit squares side by side, each a part with its own material. Their centers are at pixels
/// (100, 150) and (300, 150).
fn two_squares(materials: &[Material; 2]) -> Mesh {
    let mut mesh = square(0.5, 0.0);
    let second = mesh.clone();
    for position in &mut mesh.positions {
        position.x -= 1.0;
    }
    mesh.positions.extend(second.positions.iter().map(|&p| p + Vec3::X));
    mesh.normals.extend(second.normals);
    mesh.influences.extend(&second.influences);
    mesh.triangles.extend(second.triangles.iter().map(|corners| corners.map(|c| c + 4)));
    let corners = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from);
    mesh.uvs = [corners, corners].concat();
    mesh.materials = materials.to_vec();
    mesh.parts = (0..2)
        .map(|index| MeshPart {
            vertices: 4 * index..4 * index + 4,
            triangles: 2 * index..2 * index + 2,
            material: Some(index as usize),
            ..MeshPart::default()
        })
        .collect();
    mesh
}

/// An image of two by two pixels: red and green above, blue and yellow below.
fn four_colors(alpha: [u8; 4]) -> Image {
    let colors = [RED, GREEN, BLUE, YELLOW].into_iter().zip(alpha);
    Image { width: 2, height: 2, rgba: colors.flat_map(|([r, g, b], a)| [r, g, b, a]).collect() }
}

fn textured(texture: TextureUse) -> Material {
    Material { texture: Some(texture), ..Material::default() }
}

fn colored(r: f32, g: f32, b: f32) -> Material {
    Material { base_color: Vec4::new(r, g, b, 1.0), ..Material::default() }
}

/// The sRGB transfer function.
fn srgb(linear: [f32; 3]) -> [u8; 3] {
    linear.map(|c| {
        let encoded = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (encoded * 255.0).round() as u8
    })
}

fn linear(srgb: [u8; 3]) -> [f32; 3] {
    srgb.map(|byte| {
        let c = f32::from(byte) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
}

fn drawn(renderer: &mut Renderer, scene: &Scene) -> RgbaImage {
    renderer.draw(VIEW, scene).expect("it can be drawn");
    renderer.read_pixels(VIEW).expect("it was drawn")
}

#[test]
fn each_part_has_its_own_color_image_and_colors_of_vertices() {
    let Some(gl) = gl_or_skip("each_part_has_its_own_color_image_and_colors_of_vertices") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let still = [Mat4::IDENTITY];
    let factors = [[0.2, 0.5, 0.8], [0.9, 0.05, 0.002]];
    let materials = factors.map(|[r, g, b]| colored(r, g, b));
    let mut mesh = two_squares(&materials);
    let picture = drawn(&mut renderer, &scene(mesh.clone(), &still));
    keep_picture("two materials", &picture);
    assert_near(*picture.get_pixel(100, 150), srgb(factors[0]), 1);
    assert_near(*picture.get_pixel(300, 150), srgb(factors[1]), 1);

    mesh.colors = vec![Vec4::new(0.5, 1.0, 0.25, 1.0); 8];
    let picture = drawn(&mut renderer, &scene(mesh.clone(), &still));
    for (x, [r, g, b]) in [100, 300].into_iter().zip(factors) {
        let expected = srgb([r * 0.5, g, b * 0.25]);
        assert_near(*picture.get_pixel(x, 150), expected, 1);
    }

    // An image is sRGB, but the factor is linear.
    mesh.images = vec![MaterialImage::of_pixels(four_colors([255; 4]))];
    mesh.materials[1].texture = Some(TextureUse { nearest: true, ..TextureUse::default() });
    let picture = drawn(&mut renderer, &scene(mesh.clone(), &still));
    let [r, g, b] = linear(RED);
    let [fr, fg, fb] = factors[1];
    let expected = srgb([r * fr * 0.5, g * fg, b * fb * 0.25]);
    assert_near(*picture.get_pixel(265, 115), expected, 2);

    // A part without a material has the color of the theme, unless its vertices have colors.
    mesh.parts[0].material = None;
    let colors = scene(mesh.clone(), &still).colors;
    let picture = drawn(&mut renderer, &scene(mesh.clone(), &still));
    assert_near(*picture.get_pixel(100, 150), srgb([0.5, 1.0, 0.25]), 1);
    mesh.colors[..4].fill(Vec4::ONE);
    let picture = drawn(&mut renderer, &scene(mesh, &still));
    assert_near(*picture.get_pixel(100, 150), colors.surface, 1);
    assert_no_error(&gl);
}

#[test]
fn images_are_turned_repeated_and_smoothed_as_the_material_says() {
    let name = "images_are_turned_repeated_and_smoothed_as_the_material_says";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut corners = |texture: TextureUse| {
        let mut mesh = two_squares(&[textured(texture), Material::default()]);
        mesh.images = vec![MaterialImage::of_pixels(four_colors([255; 4]))];
        let picture = drawn(&mut renderer, &scene(mesh, &[Mat4::IDENTITY]));
        // The left square spans x from 50 to 150 and y from 100 to 200.
        [(65, 115), (135, 115), (65, 185), (135, 185)].map(|(x, y)| *picture.get_pixel(x, y))
    };
    let with =
        |image_from_uv: Mat3| TextureUse { image_from_uv, nearest: true, ..TextureUse::default() };
    let flipped = Mat3::from_cols(Vec3::NEG_X, Vec3::Y, Vec3::new(1.0, 0.0, 1.0));
    let quarter = Mat3::from_cols(Vec3::Y, Vec3::X, Vec3::Z);
    let lower = Mat3::from_translation(Vec2::new(0.0, 0.5));
    for (image_from_uv, expected) in [
        (Mat3::IDENTITY, [RED, GREEN, BLUE, YELLOW]),
        (flipped, [GREEN, RED, YELLOW, BLUE]),
        (quarter, [RED, BLUE, GREEN, YELLOW]),
        // The texture repeats: below its last row comes its first.
        (lower, [BLUE, YELLOW, RED, GREEN]),
    ] {
        for (found, expected) in corners(with(image_from_uv)).into_iter().zip(expected) {
            assert_near(found, expected, 2);
        }
    }
    let beyond = Mat3::from_translation(Vec2::new(1.0, 1.0));
    for (wrap, expected) in [
        ([Wrap::Repeat; 2], [RED, GREEN, BLUE, YELLOW]),
        ([Wrap::MirroredRepeat; 2], [YELLOW, BLUE, GREEN, RED]),
        ([Wrap::ClampToEdge; 2], [YELLOW; 4]),
        ([Wrap::ClampToEdge, Wrap::Repeat], [GREEN, GREEN, YELLOW, YELLOW]),
    ] {
        let found = corners(TextureUse { wrap, ..with(beyond) });
        for (found, expected) in found.into_iter().zip(expected) {
            assert_near(found, expected, 2);
        }
    }
    // Between two pixels nearest filtering gives one of them, and linear a mixture.
    let near_edge = |nearest| TextureUse {
        nearest,
        wrap: [Wrap::ClampToEdge; 2],
        image_from_uv: Mat3::from_cols(Vec3::X * 0.2, Vec3::Y * 0.2, Vec3::new(0.4, 0.15, 1.0)),
        ..TextureUse::default()
    };
    assert_near(corners(near_edge(true))[0], RED, 2);
    let smooth = corners(near_edge(false))[0];
    assert!(smooth[0] < 190 && smooth[1] > 60, "{smooth:?}");
    assert_no_error(&gl);
}

#[test]
fn fragments_below_the_alpha_cutoff_are_discarded_in_every_view() {
    let Some(gl) = gl_or_skip("fragments_below_the_alpha_cutoff_are_discarded_in_every_view")
    else {
        return;
    };
    let mut renderer = renderer(&gl);
    let texture = TextureUse { nearest: true, ..TextureUse::default() };
    let masked = Material { alpha_cutoff: Some(0.5), ..textured(texture) };
    let mut mesh = two_squares(&[masked, textured(texture)]);
    mesh.images = vec![MaterialImage::of_pixels(four_colors([255, 100, 128, 0]))];
    let mut scene = scene(mesh, &[Mat4::IDENTITY]);
    let empty = drawn(&mut renderer, &Scene { surface: false, ..scene.clone() });
    for tint in [Tint::Base, Tint::Strongest, Tint::Normals] {
        scene.tint = tint;
        let picture = drawn(&mut renderer, &scene);
        for (x, y, hole) in [
            (65, 115, false),
            (135, 115, true),
            (65, 185, false),
            (135, 185, true),
            // The other square ignores the alpha of the same image.
            (335, 115, false),
            (335, 185, false),
        ] {
            let same = picture.get_pixel(x, y) == empty.get_pixel(x, y);
            assert_eq!(same, hole, "{tint:?} at {x}, {y}");
        }
    }
    // A factor of 0.9 moves the half-transparent pixel below the cutoff.
    scene.tint = Tint::Base;
    let mut mesh = (*scene.mesh).clone();
    mesh.materials[0].base_color.w = 0.9;
    scene.mesh = Arc::new(mesh);
    let picture = drawn(&mut renderer, &scene);
    assert_eq!(picture.get_pixel(65, 185), empty.get_pixel(65, 185));
    assert_near(*picture.get_pixel(65, 115), RED, 2);
    assert_no_error(&gl);
}

/// A square tilted away from the light, with lighting.
fn aslant(mut mesh: Mesh) -> Mesh {
    mesh.normals.fill(Vec3::new(0.6, -0.5, 0.6).normalize_or_zero());
    mesh
}

#[test]
fn an_unlit_material_is_shown_in_its_own_colour() {
    let Some(gl) = gl_or_skip("an_unlit_material_is_shown_in_its_own_colour") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let lit = colored(0.2, 0.5, 0.8);
    let unlit = Material { unlit: true, ..lit.clone() };
    let mut scene = scene(aslant(two_squares(&[lit, unlit])), &[Mat4::IDENTITY]);
    let picture = drawn(&mut renderer, &scene);
    let color = srgb([0.2, 0.5, 0.8]);
    assert_near(*picture.get_pixel(300, 150), color, 1);
    let shaded = picture.get_pixel(100, 150);
    assert!(shaded[2] < color[2] - 20, "{shaded:?}, {color:?}");
    // Views show both sides.
    scene.tint = Tint::Strongest;
    let picture = drawn(&mut renderer, &scene);
    assert_eq!(picture.get_pixel(100, 150), picture.get_pixel(300, 150));
    assert_no_error(&gl);
}

#[test]
fn back_faces_are_left_out_unless_the_material_has_two_sides() {
    let Some(gl) = gl_or_skip("back_faces_are_left_out_unless_the_material_has_two_sides") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let one_sided = colored(0.2, 0.5, 0.8);
    let two_sided = Material { double_sided: true, ..one_sided.clone() };
    let mesh = two_squares(&[one_sided, two_sided]);
    let empty = {
        let mut nothing = scene(mesh.clone(), &[Mat4::IDENTITY]);
        nothing.surface = false;
        drawn(&mut renderer, &nothing)
    };
    // Each square is mirrored about its own center and keeps its place.
    let about = |x: f32, what: Mat4| {
        Mat4::from_translation(Vec3::X * x) * what * Mat4::from_translation(Vec3::X * -x)
    };
    let turned = Mat4::from_rotation_y(std::f32::consts::PI);
    let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    for (joint, one_sided_seen) in [
        (Mat4::IDENTITY, true),
        (turned, false),
        // Mirroring reverses the winding, but the front side stays visible.
        (mirrored, true),
        (turned * mirrored, false),
    ] {
        let mut mesh = mesh.clone();
        for influences in &mut mesh.influences[4..] {
            *influences = crate::alone(1);
        }
        let palette = [about(-1.0, joint), about(1.0, joint)];
        let mut scene = scene(mesh, &palette);
        for crowd in [false, true] {
            scene.crowd = crowd.then(|| {
                Arc::new(CrowdScene {
                    world_from_instance: vec![Mat4::IDENTITY],
                    palettes: Vec::new(),
                })
            });
            let picture = drawn(&mut renderer, &scene);
            let seen = |x: u32| picture.get_pixel(x, 150) != empty.get_pixel(x, 150);
            assert_eq!(seen(100), one_sided_seen, "{joint}, crowd {crowd}");
            assert!(seen(300), "{joint}, crowd {crowd}");
        }
    }
    assert_no_error(&gl);
}

/// The rig's mesh with a morph target that inflates it and one that rotates some normals.
fn morphing(id: &str) -> Arc<Mesh> {
    let rig = builtin(id).expect("built in");
    let mut mesh = (*rig.mesh).clone();
    let count = mesh.positions.len();
    let some = count / 3..count / 2;
    mesh.targets = vec![
        MorphTarget {
            name: "wide".to_owned(),
            slot: 0,
            first_vertex: 0,
            positions: mesh.normals.iter().map(|&n| n * 0.3).collect(),
            normals: Vec::new(),
        },
        MorphTarget {
            name: "turned".to_owned(),
            slot: 2,
            first_vertex: some.start as u32,
            positions: vec![Vec3::new(0.1, -0.2, 0.3); some.len()],
            normals: vec![Vec3::new(0.5, 0.2, -0.4); some.len()],
        },
    ];
    Arc::new(mesh)
}

#[test]
fn the_gpu_skins_morphed_vertices_like_the_reference_by_every_transport() {
    let name = "the_gpu_skins_morphed_vertices_like_the_reference_by_every_transport";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let rig = builtin("whale").expect("built in");
    let mesh = morphing("whale");
    let mut scene = scene(Mesh::default(), &palette(&rig, 0.4));
    scene.mesh = Arc::clone(&mesh);
    scene.influences = mesh.influences.clone();
    let stored = renderer.read_skinned(&scene).expect("read back");
    let mut last = stored.clone();
    for weights in [[0.5, 0.0, 0.0], [0.25, 9.0, 1.0]] {
        scene.morphed = mesh.morphed(&weights).map(Arc::new);
        assert!(scene.morphed.is_some());
        for (transport, method) in gpu_proof::rows() {
            let scene = gpu_proof::scene(&scene, transport, method.into());
            assert_gpu_equals_cpu(&mut renderer, &scene);
        }
        let moved = renderer.read_skinned(&scene).expect("read back");
        let apart =
            moved.iter().zip(&last).map(|(a, b)| a.position_in_world.distance(b.position_in_world));
        let most = apart.fold(0.0, f32::max);
        assert!(most > 0.05, "it moves: {most}");
        last = moved;
    }
    scene.morphed = None;
    assert_eq!(renderer.read_skinned(&scene).expect("read back"), stored);
    assert_no_error(&gl);
}

#[test]
fn painted_weights_are_on_the_gpu_stroke_by_stroke_and_back() {
    let name = "painted_weights_are_on_the_gpu_stroke_by_stroke_and_back";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let rig = builtin("whale").expect("built in");
    let mut scene = scene(Mesh::default(), &palette(&rig, 0.4));
    scene.mesh = Arc::clone(&rig.mesh);
    scene.influences = rig.mesh.influences.clone();
    let view = VIEW;
    renderer.draw(view, &scene).expect("a picture");
    let stored = renderer.read_skinned(&scene).expect("read back");
    let mut edits = Vec::new();
    for stroke in 0..6_usize {
        // Only the scene owns the buffers, so that those on the GPU can be updated in place.
        let mut influences = rig.mesh.influences.clone();
        edits.extend((40 * stroke..40 * stroke + 9).chain([1200 + stroke]));
        for &vertex in &edits {
            influences[vertex].weights = [0.25, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            influences[vertex].joints[1] = JointIndex(stroke as u16);
        }
        scene.influences = influences;
        renderer.draw(view, &scene).expect("a picture");
        assert_gpu_equals_cpu(&mut renderer, &scene);
        assert_ne!(renderer.read_skinned(&scene).expect("read back"), stored);
    }
    scene.influences = rig.mesh.influences.clone();
    assert_eq!(renderer.read_skinned(&scene).expect("read back"), stored);
    assert_no_error(&gl);
}

#[test]
fn surface_lines_normals_and_ghost_follow_morph_targets() {
    let Some(gl) = gl_or_skip("surface_lines_normals_and_ghost_follow_morph_targets") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut mesh = two_squares(&[colored(0.9, 0.1, 0.1), colored(0.1, 0.1, 0.9)]);
    mesh.normals.fill(Vec3::new(0.0, 0.5, 0.5).normalize_or_zero());
    mesh.targets = vec![MorphTarget {
        name: "up".to_owned(),
        slot: 0,
        first_vertex: 4,
        positions: vec![Vec3::Y * 1.1; 4],
        normals: Vec::new(),
    }];
    let base = scene(mesh, &[Mat4::IDENTITY]);
    let nothing = Scene { surface: false, ..base.clone() };
    let empty = drawn(&mut renderer, &nothing);
    let mut looks = [nothing.clone(), nothing.clone(), nothing.clone(), nothing];
    looks[0].surface = true;
    looks[1].lines = true;
    looks[2].ghost = true;
    looks[3].normals = true;
    for (index, mut look) in looks.into_iter().enumerate() {
        // Move there, back, and there again with other buffers.
        for (weight, lines) in [(1.0, true), (0.0, true), (0.5, false), (1.0, true)] {
            look.morphed = look.mesh.morphed(&[weight]).map(Arc::new);
            if index == 0 {
                look.lines = lines;
            }
            let picture = drawn(&mut renderer, &look);
            let touched = |columns: std::ops::Range<u32>, rows: std::ops::Range<u32>| {
                rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
                    .any(|(x, y)| picture.get_pixel(x, y) != empty.get_pixel(x, y))
            };
            // Squares span 100 to 200 from above; the right one, raised, −10 to 90.
            let right = 240..360;
            let seen = (touched(right.clone(), 60..85), touched(right, 160..197));
            let expected = match weight {
                1.0 => (true, false),
                0.0 => (false, true),
                _ => continue,
            };
            assert_eq!(seen, expected, "look {index}, weight {weight}");
            assert!(touched(40..160, 160..197), "look {index}: the other stays");
        }
    }
    assert_no_error(&gl);
}
