//! The renderer with OpenGL: compares positions and normals with the CPU, and pixels with projection
//! and theme, and checks for leaked objects.
//!
//! All OpenGL tests are in this binary because they take turns within a process.

mod common;
#[path = "gl/compare.rs"]
mod compare;
#[path = "gl/faults.rs"]
mod faults;
#[path = "listings/gltf_accessor.rs"]
#[rustfmt::skip]
mod gltf_accessor;
#[path = "common/leftovers.rs"]
mod leftovers;
#[path = "common/listing_program.rs"]
mod listing_program;
#[path = "gl/listings.rs"]
mod listings;
#[path = "gl/materials.rs"]
mod materials;
#[path = "gl/moving.rs"]
mod moving;
#[path = "common/page.rs"]
mod page;
#[path = "gl/pages.rs"]
mod pages;
#[path = "gl/readers.rs"]
mod readers;
#[path = "listings/shown.rs"]
mod shown_listings;
#[path = "gl/transports.rs"]
mod transports;
#[path = "listings/unskinned.rs"]
#[rustfmt::skip]
mod unskinned;
#[path = "gl/views.rs"]
mod views;
#[path = "common/webgl_calls.rs"]
mod webgl_calls;
#[path = "listings/whale_skin.rs"]
#[rustfmt::skip]
mod whale_skin;

use std::sync::Arc;

use bindpose_gltf::{Image, Mesh, Rig};
use bindpose_kit::theme::{self, Theme};
use bindpose_lesson::{Projection, SkinningFault, Tint, Transport, View};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::gpu_proof::{self, GpuVertices};
use bindpose_notebook::palette_texture;
use bindpose_notebook::scene::{Scene, SceneGrid};
use bindpose_page::scene_colors::scene_colors;
use bindpose_render::headless::{HeadlessGl, PageTarget};
use bindpose_render::{Renderer, ViewId, WEIGHT_STOPS};
use bindpose_rigs::{builtin, builtin_ids};
use bindpose_skin::{Blend, Influences, JointIndex, NormalRule, skin_matrix};
use common::{GlowTestRenderer, TestGl, context_or_skip, gl_or_skip, keep_picture};
use eframe::{egui, egui_glow};
use glam::{Mat4, Quat, Vec2, Vec3};
use image::Rgba;
use leftovers::{Marked, assert_no_error, live_objects};

pub(crate) const VIEW: ViewId = ViewId(1);
const RED: [u8; 3] = [220, 40, 30];

pub(crate) fn renderer(gl: &TestGl) -> Renderer {
    Renderer::new(gl.gl()).expect("GL 3.3 is what a headless context asks for")
}

/// A scene of one mesh, seen from the front at 100 pixels per world unit.
pub(crate) fn scene(mesh: Mesh, palette: &[Mat4]) -> Scene {
    Scene {
        size: [400, 300],
        camera: Camera {
            target: Vec3::ZERO,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 3.0,
            projection: Projection::Orthographic,
        },
        colors: scene_colors(&Theme::light()),
        ..Scene::plain(&Arc::new(mesh), palette)
    }
}

fn alone(joint: u16) -> Influences {
    Influences::new(&[(JointIndex(joint), 1.0)])
}

/// A flat mesh with all vertices skinned to joint 0.
fn flat(positions: &[Vec3], triangles: &[[u32; 3]]) -> Mesh {
    Mesh {
        positions: positions.to_vec(),
        normals: vec![Vec3::Z; positions.len()],
        influences: vec![alone(0); positions.len()].into(),
        triangles: triangles.to_vec(),
        ..Mesh::default()
    }
}

pub(crate) fn square(half: f32, z: f32) -> Mesh {
    flat(
        &[
            Vec3::new(-half, -half, z),
            Vec3::new(half, -half, z),
            Vec3::new(half, half, z),
            Vec3::new(-half, half, z),
        ],
        &[[0, 1, 2], [0, 2, 3]],
    )
}

/// Pseudorandom numbers from 0 to 1, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * 2.0 - 1.0
    }

    fn matrix(&mut self) -> Mat4 {
        let axis = self.vector().try_normalize().unwrap_or(Vec3::X);
        let mirrored = if self.next() < 0.1 { -1.0 } else { 1.0 };
        Mat4::from_scale_rotation_translation(
            Vec3::new(mirrored, 1.0, 1.0) * (0.7 + 0.6 * self.next()),
            Quat::from_axis_angle(axis, self.next() - 0.5),
            self.vector(),
        )
    }

    /// Vertices with two to `lanes` influences each, with sums of weights slightly off 1.
    fn mesh(&mut self, vertices: usize, joints: usize, lanes: usize) -> Mesh {
        let mut mesh = Mesh::default();
        for vertex in 0..vertices {
            mesh.positions.push(self.vector() * 2.0);
            mesh.normals.push(self.vector().try_normalize().unwrap_or(Vec3::Y));
            let pairs: Vec<_> = (0..2 + vertex % (lanes - 1))
                .map(|_| {
                    let joint = (self.next() * joints as f32) as usize % joints;
                    (JointIndex(joint as u16), 0.1 + self.next())
                })
                .collect();
            let sum: f32 = pairs.iter().map(|pair| pair.1).sum();
            let scale = (0.95 + 0.1 * self.next()) / sum;
            let scaled: Vec<_> = pairs.iter().map(|&(j, w)| (j, w * scale)).collect();
            mesh.influences.push(Influences::new(&scaled));
        }
        mesh
    }
}

/// Compares positions within 1e-5 of the size of the mesh and of its transformed size, and normals
/// that have a direction.
pub(crate) fn assert_gpu_equals_cpu(renderer: &mut Renderer, scene: &Scene) {
    let way = (scene.skinning.transport, scene.blend);
    let vertices = renderer.read_skinned(scene).unwrap_or_else(|why| panic!("{way:?}: {why}"));
    let found = gpu_proof::compare(scene, &vertices.into_iter().collect::<GpuVertices>());
    assert_eq!(found.vertices, scene.mesh.positions.len());
    assert!(found.most <= gpu_proof::POSITION_TOLERANCE, "{way:?}: {found:?}");
    assert!(found.most_normal <= 5e-5, "{way:?}: {found:?}");
}

#[test]
fn every_transport_blend_and_normal_rule_skins_like_the_reference() {
    let name = "every_transport_blend_and_normal_rule_skins_like_the_reference";
    for make in [HeadlessGl::new, HeadlessGl::new_es] {
        let Some(gl) = context_or_skip(name, make) else {
            return;
        };
        let mut renderer = renderer(&gl);
        let mut numbers = Numbers(7);
        // Tests normal rules with all transports and with all blends, but not all combinations of
        // the three, because compiling shaders is slow.
        for (joints, lanes) in [(3, 8), (200, 4)] {
            let mesh = numbers.mesh(500, joints, lanes);
            let palette: Vec<Mat4> = (0..joints).map(|_| numbers.matrix()).collect();
            let mut scene = scene(mesh, &palette);
            let last = JointIndex(joints as u16 - 1);
            let blends =
                [Blend::Linear, Blend::DualQuaternion, Blend::Strongest, Blend::Only(last)];
            for (way, transport) in Transport::ALL.into_iter().enumerate() {
                for (index, blend) in blends.into_iter().enumerate() {
                    scene.skinning.transport = transport;
                    scene.skinning.normals = NormalRule::ALL[(way + index) % NormalRule::ALL.len()];
                    scene.blend = blend;
                    assert_gpu_equals_cpu(&mut renderer, &scene);
                }
            }
        }
        assert_no_error(&gl);
    }
}

#[test]
fn the_gpu_skins_every_built_in_rig_like_the_reference_by_every_transport() {
    let name = "the_gpu_skins_every_built_in_rig_like_the_reference_by_every_transport";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    for id in builtin_ids() {
        let rig = builtin(id).expect("its id is listed");
        for angle_rad in [0.0, 0.8] {
            let mut scene = scene(Mesh::default(), &palette(&rig, angle_rad));
            scene.mesh = Arc::clone(&rig.mesh);
            scene.influences = rig.mesh.influences.clone();
            println!("{id}, angles {angle_rad}");
            for (transport, method) in gpu_proof::rows() {
                let scene = gpu_proof::scene(&scene, transport, method.into());
                assert_gpu_equals_cpu(&mut renderer, &scene);
            }
        }
    }
}

#[test]
fn each_fault_of_the_texture_moves_vertices_as_on_the_page() {
    let Some(gl) = gl_or_skip("each_fault_of_the_texture_moves_vertices_as_on_the_page") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut numbers = Numbers(23);
    let world_from_bind: Vec<Mat4> = (0..5).map(|_| numbers.matrix()).collect();
    let mut mesh = numbers.mesh(40, 5, 4);
    for (vertex, influences) in mesh.influences.iter_mut().take(5).enumerate() {
        *influences = alone(vertex as u16);
    }
    let mut scene = scene(mesh, &world_from_bind);
    for transport in Transport::ALL {
        let all = (1 << SkinningFault::OF_TEXTURE.len()) - 1;
        // Uniforms have no texels, so all faults can be tested at once.
        let first = if transport.is_texture() { 0 } else { all };
        for bits in first..=all {
            let on = |&(bit, _): &(usize, SkinningFault)| bits >> bit & 1 == 1;
            let faults = SkinningFault::OF_TEXTURE.into_iter().enumerate().filter(on);
            scene.skinning.transport = transport;
            scene.skinning.faults = faults.map(|(_, fault)| fault).collect();
            let texture = palette_texture::PaletteTexture {
                world_from_bind: &world_from_bind,
                faults: &scene.skinning.faults,
                transport,
                float_linear: renderer.limits().float_linear,
            };
            let as_read: Vec<Mat4> =
                (0..5).map(|joint| texture.matrix(JointIndex(joint))).collect();
            // Filter weights may be quantized to 1/256.
            let filtered = scene.skinning.faults.contains(&SkinningFault::Linear);
            let allowed = if filtered { 2e-2 } else { 1e-4 };
            let skinned = renderer.read_skinned(&scene).expect("feedback");
            for (index, vertex) in skinned.iter().enumerate() {
                let matrix = skin_matrix(&scene.influences[index], &as_read);
                let expected = (matrix * scene.mesh.positions[index].extend(1.0)).truncate();
                let error = (vertex.position_in_world - expected).length();
                let way = &scene.skinning;
                assert!(error <= allowed, "vertex {index}: {error}, {way:?}");
            }
        }
    }
    assert_no_error(&gl);
}

/// `world_from_bind` with all parameters of the rig at this angle.
pub(crate) fn palette(rig: &Rig, angle_rad: f64) -> Vec<Mat4> {
    let is_angle = |name: &str| rig.param(name).is_some_and(|param| param.kind.is_angle());
    rig.world_from_bind(|name| is_angle(name).then_some(angle_rad))
}

#[test]
fn opengl_es_skins_and_draws_the_same_from_the_same_sources() {
    let name = "opengl_es_skins_and_draws_the_same_from_the_same_sources";
    let mut pictures = Vec::new();
    for make in [HeadlessGl::new, HeadlessGl::new_es] {
        let Some(gl) = context_or_skip(name, make) else {
            return;
        };
        let mut renderer = renderer(&gl);
        let rig = builtin("arm").expect("built in");
        let mut scene = scene(Mesh::default(), &palette(&rig, 0.8));
        scene.mesh = Arc::clone(&rig.mesh);
        scene.influences = rig.mesh.influences.clone();
        (scene.lines, scene.ghost, scene.tint) = (true, true, Tint::Weight);
        scene.grid = Some(SceneGrid { spacing: 0.5, extent: 4.0, ground: true, at: -1.0 });
        scene.camera.look_from(View::ThreeQuarter);
        assert_gpu_equals_cpu(&mut renderer, &scene);
        renderer.draw(VIEW, &scene).unwrap();
        pictures.push((renderer.limits().version.clone(), renderer.read_pixels(VIEW).unwrap()));
        assert_no_error(&gl);
    }
    assert!(!pictures[0].0.contains("ES"), "{}", pictures[0].0);
    assert!(pictures[1].0.contains("ES 3"), "{}", pictures[1].0);
    assert_eq!(pictures[0].1, pictures[1].1);
}

#[test]
fn a_joint_past_the_palette_stands_still_and_odd_data_does_no_harm() {
    let Some(gl) = gl_or_skip("a_joint_past_the_palette_stands_still_and_odd_data_does_no_harm")
    else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut mesh = square(1.0, 0.0);
    mesh.influences[1] = alone(9);
    let moved = [Mat4::from_translation(Vec3::Y)];
    let skinned = renderer.read_skinned(&scene(mesh.clone(), &moved)).unwrap();
    assert_eq!(skinned[0].position_in_world, Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(skinned[1].position_in_world, Vec3::new(1.0, -1.0, 0.0));

    mesh.influences.truncate(1);
    mesh.normals.clear();
    mesh.triangles.push([0, 1, 77]);
    mesh.lines = vec![[0, 2], [3, 77]];
    mesh.positions[2] = Vec3::NAN;
    mesh.paint(Image { width: 5, height: 5, rgba: vec![1, 2, 3] });
    let mut odd = scene(mesh, &[]);
    (odd.lines, odd.ghost) = (true, true);
    renderer.draw(VIEW, &odd).unwrap();
    renderer.draw(VIEW, &scene(Mesh::default(), &[])).unwrap();
    assert_no_error(&gl);
}

#[test]
fn an_equal_scene_is_not_drawn_again() {
    let Some(gl) = gl_or_skip("an_equal_scene_is_not_drawn_again") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = scene(square(1.0, 0.0), &[Mat4::IDENTITY]);
    for _ in 0..3 {
        renderer.draw(VIEW, &scene).unwrap();
        renderer.end_frame();
    }
    assert_eq!(renderer.draw_count(), 1);
    scene.palette = [Mat4::IDENTITY].into();
    renderer.draw(VIEW, &scene).unwrap();
    assert_eq!(renderer.draw_count(), 1, "another palette of equal matrices");
    scene.palette = [Mat4::from_translation(Vec3::X)].into();
    renderer.draw(VIEW, &scene).unwrap();
    assert_eq!(renderer.draw_count(), 2);
    renderer.draw(ViewId::named("another"), &scene).unwrap();
    assert_eq!(renderer.draw_count(), 3, "each view has its own picture");

    for _ in 0..100 {
        renderer.draw(VIEW, &scene).unwrap();
        renderer.end_frame();
    }
    assert_eq!(renderer.draw_count(), 3);
    let at_once = renderer.read_pixels(VIEW).unwrap();
    let reading = renderer.begin_to_read(VIEW).unwrap();
    let began = std::time::Instant::now();
    let later = loop {
        assert!(began.elapsed().as_secs() < 60, "it never comes");
        if let Some(picture) = reading.picture() {
            break picture;
        }
    };
    assert!(later == at_once, "the same picture, not waited for");
    assert!(
        renderer.read_pixels(ViewId::named("another")).is_err(),
        "a view that nobody asks for is let go"
    );
}

#[test]
fn a_picture_may_have_any_size() {
    let Some(gl) = gl_or_skip("a_picture_may_have_any_size") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = scene(square(100.0, 0.0), &[Mat4::IDENTITY]);
    scene.colors.surface = RED;
    for (wished, drawn) in [
        ([640, 480], [640, 480]),
        ([1, 1], [1, 1]),
        ([0, 0], [1, 1]),
        ([0, 300], [1, 300]),
        ([641, 479], [641, 479]),
        ([100, 100], [100, 100]),
    ] {
        scene.size = wished;
        assert_eq!(renderer.draw(VIEW, &scene).unwrap().size_px(), drawn);
        let picture = renderer.read_pixels(VIEW).unwrap();
        assert_eq!(picture.dimensions(), (drawn[0], drawn[1]));
        if wished[1] > 0 {
            let middle = picture.get_pixel(drawn[0] / 2, drawn[1] / 2);
            assert_eq!(*middle, Rgba([RED[0], RED[1], RED[2], 255]), "{wished:?}");
        }
        renderer.end_frame();
    }
    scene.size = [1_000_000, 500_000];
    let [width, height] = renderer.draw(VIEW, &scene).unwrap().size_px();
    assert!(width <= renderer.limits().texture_size && width > 1000);
    assert!((f64::from(width) / f64::from(height) - 2.0).abs() < 0.01);
    assert_no_error(&gl);
}

#[test]
fn a_triangle_covers_its_projected_pixels_in_its_own_colour() {
    let Some(gl) = gl_or_skip("a_triangle_covers_its_projected_pixels_in_its_own_colour") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let corners = [Vec3::new(-1.2, -0.9, 0.3), Vec3::new(1.4, -0.2, 0.3), Vec3::new(0.1, 1.1, 0.3)];
    let turn = Mat4::from_rotation_translation(Quat::from_rotation_z(0.4), Vec3::X * 0.2);
    for projection in [Projection::Orthographic, Projection::Perspective] {
        let mut scene = scene(flat(&corners, &[[0, 1, 2]]), &[turn]);
        scene.camera.projection = projection;
        (scene.camera.yaw_rad, scene.camera.pitch_rad) = (0.5, 0.25);
        scene.tint = Tint::Joints;
        scene.colors.joints[0] = RED;
        renderer.draw(VIEW, &scene).unwrap();
        let picture = renderer.read_pixels(VIEW).unwrap();
        keep_picture(&format!("triangle {projection:?}"), &picture);
        let size = Vec2::new(400.0, 300.0);
        let [a, b, c] = corners.map(|corner| {
            let in_world = turn.transform_point3(corner);
            scene.camera.project(in_world, size).expect("in front")
        });
        let mut covered = 0;
        for (x, y, pixel) in picture.enumerate_pixels() {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let is_red = *pixel == Rgba([RED[0], RED[1], RED[2], 255]);
            match distance_inside(at, [a, b, c]) {
                inside if inside > 1.0 => assert!(is_red, "{x}, {y}: {pixel:?}"),
                inside if inside < -1.0 => assert!(pixel[0].abs_diff(pixel[1]) < 8, "{x}, {y}"),
                _ => {}
            }
            covered += u32::from(is_red);
        }
        assert!(covered > 8000, "{covered}");
    }
}

/// Distance to the nearest edge in pixels. Negative outside.
fn distance_inside(at: Vec2, [a, b, c]: [Vec2; 3]) -> f32 {
    let orientation = (b - a).perp_dot(c - a).signum();
    [(a, b), (b, c), (c, a)]
        .map(|(from, to)| (to - from).normalize_or_zero().perp_dot(at - from) * orientation)
        .into_iter()
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn nearer_surfaces_hide_farther_ones_from_either_side() {
    let Some(gl) = gl_or_skip("nearer_surfaces_hide_farther_ones_from_either_side") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let (near, far) = (square(0.5, 0.5), square(1.0, -0.5));
    let mut mesh = near.clone();
    mesh.positions.extend(far.positions);
    mesh.normals.extend(far.normals);
    mesh.influences.extend(vec![alone(1); 4]);
    mesh.triangles.extend([[4, 5, 6], [4, 6, 7]]);
    let mut scene = scene(mesh, &[Mat4::IDENTITY; 2]);
    scene.tint = Tint::Joints;
    for (view, expected) in [(View::Front, 0), (View::Back, 1)] {
        scene.camera.look_from(view);
        renderer.draw(VIEW, &scene).unwrap();
        let picture = renderer.read_pixels(VIEW).unwrap();
        let middle = picture.get_pixel(200, 150);
        let [blue, orange] = [0, 1].map(|joint: usize| scene.colors.joints[joint]);
        let is_blue = middle[2] > middle[0];
        assert_eq!(is_blue, expected == 0, "{blue:?} {orange:?} {middle:?}");
    }
}

#[test]
fn the_background_is_the_themes_gradient_to_the_byte() {
    let Some(gl) = gl_or_skip("the_background_is_the_themes_gradient_to_the_byte") else {
        return;
    };
    let mut renderer = renderer(&gl);
    for theme in [Theme::light(), Theme::dark()] {
        let mut scene = scene(Mesh::default(), &[]);
        let colors = scene_colors(&theme);
        scene.colors = colors;
        renderer.draw(VIEW, &scene).unwrap();
        let picture = renderer.read_pixels(VIEW).unwrap();
        for x in [0, 399] {
            for (y, expected) in [(0, colors.background_top), (299, colors.background_bottom)] {
                assert_near(*picture.get_pixel(x, y), expected, 1);
            }
        }
    }
}

fn assert_near(found: Rgba<u8>, expected: [u8; 3], tolerance: u8) {
    let near = (0..3).all(|channel| found[channel].abs_diff(expected[channel]) <= tolerance);
    assert!(near && found[3] == 255, "{found:?}, expected {expected:?}");
}

#[test]
fn a_flat_drawing_shows_colours_weights_and_texels_as_they_are() {
    let Some(gl) = gl_or_skip("a_flat_drawing_shows_colours_weights_and_texels_as_they_are") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = scene(square(1.0, 0.0), &[Mat4::IDENTITY; 2]);
    let mut middle = |scene: &Scene| {
        renderer.draw(VIEW, scene).unwrap();
        *renderer.read_pixels(VIEW).unwrap().get_pixel(200, 150)
    };
    assert_near(middle(&scene), scene.colors.surface, 1);

    let theme = Theme::light();
    scene.tint = Tint::Weight;
    scene.tint_joint = JointIndex(1);
    for step in 0..=10 {
        let weight = step as f32 / 10.0;
        let pairs = [(JointIndex(0), 1.0 - weight), (JointIndex(1), weight)];
        scene.influences = vec![Influences::new(&pairs); 4].into();
        let [r, g, b, _] = theme.weight(weight).to_array();
        assert_near(middle(&scene), [r, g, b], 2);
    }

    let mut mesh = square(1.0, 0.0);
    mesh.uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from).to_vec();
    let texels = [RED, [10, 200, 30], [20, 40, 230], [250, 240, 5]];
    mesh.paint(Image {
        width: 2,
        height: 2,
        rgba: texels.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect(),
    });
    let textured = self::scene(mesh, &[Mat4::IDENTITY]);
    renderer.draw(VIEW, &textured).unwrap();
    let picture = renderer.read_pixels(VIEW).unwrap();
    for (texel, (x, y)) in texels.into_iter().zip([(150, 100), (250, 100), (150, 200), (250, 200)])
    {
        assert_near(*picture.get_pixel(x, y), texel, 3);
    }
}

#[test]
fn pictures_and_tables_show_weights_on_one_scale() {
    let theme = Theme::light();
    for (index, stop) in WEIGHT_STOPS.into_iter().enumerate() {
        let [r, g, b, _] = theme.weight(index as f32 / 8.0).to_array();
        assert_eq!([r, g, b], stop);
    }
}

#[test]
fn a_surface_is_brightest_towards_the_light_and_never_black() {
    let Some(gl) = gl_or_skip("a_surface_is_brightest_towards_the_light_and_never_black") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut brightness = |normal: Vec3| {
        let mut mesh = square(1.0, 0.0);
        mesh.normals = vec![normal; 4];
        mesh.normals[0] = (normal + Vec3::X * 1e-3).normalize_or_zero();
        let scene = scene(mesh, &[Mat4::IDENTITY]);
        renderer.draw(VIEW, &scene).unwrap();
        let pixel = *renderer.read_pixels(VIEW).unwrap().get_pixel(230, 130);
        (pixel, scene.colors.surface)
    };
    let (lit, surface) = brightness(Scene::light());
    assert_near(lit, surface, 4);
    let (dark, _) = brightness(-Scene::light());
    assert!(dark[0] < lit[0] / 2 && dark[0] > 30, "{dark:?}");
}

#[test]
fn lines_follow_the_projection_and_have_the_tint_when_alone() {
    let Some(gl) = gl_or_skip("lines_follow_the_projection_and_have_the_tint_when_alone") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut mesh = square(1.0, 0.0);
    mesh.triangles.clear();
    mesh.lines = vec![[0, 1], [1, 2], [2, 3], [3, 0]];
    mesh.influences[2] = alone(1);
    mesh.influences[3] = alone(1);
    let up = Mat4::from_translation(Vec3::Y * 0.25);
    let mut scene = scene(mesh, &[Mat4::IDENTITY, up]);
    scene.lines = true;
    scene.ghost = true;
    renderer.draw(VIEW, &scene).unwrap();
    let picture = renderer.read_pixels(VIEW).unwrap();
    keep_picture("lines", &picture);
    // From y = −1 to y = 1.25 at 100 pixels per unit, with the center at 150.
    assert_near(*picture.get_pixel(200, 250), scene.colors.line, 60);
    assert_near(*picture.get_pixel(200, 25), scene.colors.line, 60);
    let background = picture.get_pixel(200, 150);
    assert!(background[0] > 230, "{background:?}");
    let ghost = (150..250).filter(|&x| picture.get_pixel(x, 50)[0] < 220).count();
    assert!((30..75).contains(&ghost), "the ghost is dashed: {ghost}");

    scene.tint = Tint::Joints;
    renderer.draw(VIEW, &scene).unwrap();
    let tinted = renderer.read_pixels(VIEW).unwrap();
    let pixel = tinted.get_pixel(200, 250);
    assert!(pixel[2] > pixel[0].saturating_add(60), "blue: {pixel:?}");
}

#[test]
fn the_ghost_shows_beside_the_posed_mesh_and_never_over_it() {
    let Some(gl) = gl_or_skip("the_ghost_shows_beside_the_posed_mesh_and_never_over_it") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let moved = Mat4::from_translation(Vec3::new(0.5, 0.0, -0.5));
    let mut scene = scene(square(0.5, 0.0), &[moved]);
    let mut picture = |scene: &Scene| {
        renderer.draw(VIEW, scene).unwrap();
        renderer.read_pixels(VIEW).unwrap()
    };
    let without = picture(&scene);
    scene.ghost = true;
    let with = picture(&scene);
    // In pixels, x from 150 to 250 as stored and from 200 to 300 as posed.
    let beside = (with.get_pixel(175, 150), without.get_pixel(175, 150));
    assert!(beside.1[0] - beside.0[0] > 20, "{beside:?}");
    for x in [205, 245, 290, 320] {
        assert_eq!(with.get_pixel(x, 150), without.get_pixel(x, 150), "{x}");
    }
}

#[test]
fn a_hundred_draws_leave_gl_state_unchanged_and_without_errors() {
    let Some(gl) = gl_or_skip("a_hundred_draws_leave_gl_state_unchanged_and_without_errors") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut numbers = Numbers(3);
    let mesh = numbers.mesh(60, 5, 8);
    let mut all = scene(mesh, &[Mat4::IDENTITY; 5]);
    Arc::get_mut(&mut all.mesh).unwrap().triangles =
        (0..20).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    (all.lines, all.ghost) = (true, true);
    all.grid = Some(SceneGrid { spacing: 0.5, extent: 4.0, ground: true, at: -1.0 });
    let marked = Marked::set(&gl);
    for index in 0..100 {
        all.camera.yaw_rad = index as f32 * 0.1;
        all.palette = (0..5).map(|_| numbers.matrix()).collect();
        renderer.draw(VIEW, &all).unwrap();
    }
    renderer.read_pixels(VIEW).unwrap();
    renderer.read_skinned(&all).unwrap();
    marked.assert_unchanged(&gl);
    assert_no_error(&gl);
    assert_eq!(renderer.draw_count(), 100);
}

#[test]
fn removed_meshes_leave_no_objects_on_the_gpu() {
    let Some(gl) = gl_or_skip("removed_meshes_leave_no_objects_on_the_gpu") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut counts = Vec::new();
    for index in 0..200 {
        let mut mesh = square(1.0 + index as f32 * 1e-3, 0.0);
        mesh.lines = vec![[0, 1]];
        mesh.paint(Image { width: 1, height: 1, rgba: vec![1, 2, 3, 255] });
        let mut scene = scene(mesh, &vec![Mat4::IDENTITY; 1 + index % 7]);
        scene.size = [64 + 40 * (index as u32 % 10), 64];
        scene.lines = true;
        renderer.draw(ViewId(index as u64 % 3), &scene).unwrap();
        renderer.end_frame();
        if index % 60 == 59 {
            counts.push(live_objects(&gl));
        }
    }
    assert!(counts[0][..5].iter().all(|&count| count > 0), "{counts:?}");
    assert_eq!(counts[0][5], 0, "shaders live in programs only");
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[1], counts[2]);
    renderer.destroy();
    assert_eq!(live_objects(&gl), [0; 6]);
    assert_no_error(&gl);
}

#[test]
fn the_page_shows_the_picture_pixel_by_pixel_within_its_clip() {
    let Some(gl) = gl_or_skip("the_page_shows_the_picture_pixel_by_pixel_within_its_clip") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut painter = egui_glow::Painter::new(gl.gl(), "", None, false).unwrap();
    let mut page = PageTarget::new(gl.gl()).unwrap();
    let mut scene = scene(
        flat(&[Vec3::new(-1.0, -1.0, 0.0), Vec3::X, Vec3::Y], &[[0, 1, 2]]),
        &[Mat4::IDENTITY],
    );
    scene.size = [200, 150];
    scene.colors.surface = RED;
    let drawn = renderer.draw(VIEW, &scene).unwrap();
    let picture = renderer.read_pixels(VIEW).unwrap();

    let ctx = egui::Context::default();
    ctx.set_fonts(theme::fonts());
    let rect = egui::Rect::from_min_size(egui::pos2(40.0, 30.0), egui::vec2(200.0, 150.0));
    let clip = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(180.0, 400.0));
    let input = egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(320.0, 240.0))),
        ..egui::RawInput::default()
    };
    let output = ctx.run_ui(input, |ui| {
        let green = egui::Color32::from_rgb(0, 255, 0);
        ui.painter().rect_filled(ui.ctx().content_rect(), 0.0, green);
        let clipped = ui.painter().with_clip_rect(clip);
        clipped.add(Renderer::callback(drawn, rect));
        let mark = egui::Rect::from_min_size(egui::pos2(44.0, 34.0), egui::vec2(4.0, 4.0));
        clipped.rect_filled(mark, 0.0, egui::Color32::BLUE);
    });
    let shown = page.paint_page(&mut painter, &ctx, output, [320, 240], 1.0).unwrap();
    keep_picture("page", &shown);
    for (x, y, pixel) in shown.enumerate_pixels() {
        let expected = match (x, y) {
            (44..48, 34..38) => Rgba([0, 0, 255, 255]),
            (40..180, 30..180) => *picture.get_pixel(x - 40, y - 30),
            _ => Rgba([0, 255, 0, 255]),
        };
        assert_eq!(*pixel, expected, "at {x}, {y}");
    }
    painter.destroy();
    assert_no_error(&gl);
}

#[test]
fn a_harness_page_is_painted_with_its_text() {
    let Some(gl) = gl_or_skip("a_harness_page_is_painted_with_its_text") else {
        return;
    };
    let mut harness = egui_kittest::Harness::builder()
        .with_size([200.0, 80.0])
        .with_context_setup(|ctx| ctx.set_fonts(theme::fonts()))
        .renderer(GlowTestRenderer::new(gl))
        .build_ui(|ui| {
            ui.label("joint 0");
        });
    harness.run();
    let page = harness.render().unwrap();
    keep_picture("harness", &page);
    assert_eq!(page.dimensions(), (200, 80));
    let colors: std::collections::BTreeSet<_> = page.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 8, "text has smooth edges: {}", colors.len());
}
