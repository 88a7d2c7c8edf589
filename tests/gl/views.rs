//! Views, lines of normals and crowds with OpenGL, pixel by pixel.

use std::sync::Arc;

use bindpose_gltf::Mesh;
use bindpose_kit::theme::Theme;
use bindpose_lesson::{Tint, Transport};
use bindpose_notebook::palette_plan::TransportLimit;
use bindpose_notebook::scene::{CrowdScene, Scalars, Scene};
use bindpose_render::{RenderError, Renderer, ViewId};
use bindpose_skin::{Influences, JointIndex, NormalRule};

use crate::common::gl_or_skip;
use crate::{renderer, scene};
use glam::{Mat4, Vec3};
use image::{Rgba, RgbaImage};

const VIEW: ViewId = ViewId(1);

/// A square seen from the front at 100 pixels per world unit, with these influences at every corner.
fn square(half: f32, normal: Vec3, pairs: &[(u16, f32)], palette: &[Mat4]) -> Scene {
    let pairs: Vec<_> = pairs.iter().map(|&(j, w)| (JointIndex(j), w)).collect();
    let mesh = Mesh {
        positions: [[-half, -half], [half, -half], [half, half], [-half, half]]
            .map(|[x, y]| Vec3::new(x, y, 0.0))
            .to_vec(),
        normals: vec![normal; 4],
        influences: vec![Influences::new(&pairs); 4].into(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Mesh::default()
    };
    scene(mesh, palette)
}

fn picture(renderer: &mut Renderer, scene: &Scene) -> RgbaImage {
    renderer.draw(VIEW, scene).expect("there is memory for it");
    renderer.read_pixels(VIEW).expect("it was drawn just now")
}

fn near(found: Rgba<u8>, expected: [u8; 3], tolerance: u8) -> bool {
    (0..3).all(|part| found[part].abs_diff(expected[part]) <= tolerance)
}

fn assert_near(found: Rgba<u8>, expected: [u8; 3], what: &str) {
    assert!(near(found, expected, 3), "{what}: {found:?}, {expected:?}");
}

fn viridis(weight: f32) -> [u8; 3] {
    let [r, g, b, _] = Theme::light().weight(weight).to_array();
    [r, g, b]
}

#[test]
fn each_view_gives_a_point_the_colour_of_its_number() {
    let Some(gl) = gl_or_skip("each_view_gives_a_point_the_colour_of_its_number") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let up = Mat4::from_translation(Vec3::Y * 0.3);
    let mut scene = square(1.0, Vec3::Z, &[(0, 0.3), (1, 0.5)], &[up; 2]);
    let colors = scene.colors;
    for (tint, most, expected) in [
        (Tint::Base, 1.0, colors.surface),
        (Tint::Solid, 1.0, colors.ghost),
        (Tint::Normals, 1.0, [128, 128, 255]),
        (Tint::Strongest, 1.0, colors.joints[1]),
        (Tint::Weight, 1.0, viridis(0.3)),
        // |0.3 + 0.5 − 1| relative to 0.5.
        (Tint::SumError, 0.5, viridis(0.4)),
    ] {
        (scene.tint, scene.tint_most) = (tint, most);
        let picture = picture(&mut renderer, &scene);
        assert_near(*picture.get_pixel(200, 150), expected, &format!("{tint:?}"));
    }
    let all_of_it = Influences::new(&[(JointIndex(0), 0.4), (JointIndex(1), 0.6)]);
    let stored = std::mem::replace(&mut scene.influences, vec![all_of_it; 4].into());
    (scene.tint, scene.tint_most) = (Tint::Displacement, 0.5);
    let shown = picture(&mut renderer, &scene);
    assert_near(*shown.get_pixel(200, 150), viridis(0.6), "0.3 of 0.5");
    scene.influences = stored;
    scene.scalars = Some(Arc::new(Scalars { values: vec![0.5; 4], most: 2.0 }));
    scene.tint_most = 2.0;
    let shown = picture(&mut renderer, &scene);
    assert_near(*shown.get_pixel(200, 150), viridis(0.25), "scalars");

    // Without the surface, lines have the same colors.
    let mut mesh = (*scene.mesh).clone();
    mesh.triangles.clear();
    mesh.lines = vec![[0, 1], [2, 3]];
    (scene.mesh, scene.lines) = (Arc::new(mesh), true);
    let shown = picture(&mut renderer, &scene);
    // The lower edge at −1 is scaled by 0.8 and moved up by 0.24.
    assert_near(*shown.get_pixel(200, 206), viridis(0.25), "scalars on a line");
    (scene.scalars, scene.tint, scene.tint_most) = (None, Tint::SumError, 0.5);
    let shown = picture(&mut renderer, &scene);
    assert_near(*shown.get_pixel(200, 206), viridis(0.4), "the sum on a line");
}

/// Returns the share of the square's pixels in each color.
fn shares<const N: usize>(picture: &RgbaImage, colors: [[u8; 3]; N]) -> [f32; N] {
    let inside: Vec<_> = (110..290).flat_map(|x| (60..240).map(move |y| (x, y))).collect();
    colors.map(|color| {
        let count =
            inside.iter().filter(|&&(x, y)| near(*picture.get_pixel(x, y), color, 4)).count();
        count as f32 / inside.len() as f32
    })
}

#[test]
fn all_lanes_of_weights_and_joints_are_there_in_stripes() {
    let Some(gl) = gl_or_skip("all_lanes_of_weights_and_joints_are_there_in_stripes") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let still = [Mat4::IDENTITY; 6];
    let lanes = [(3, 0.55), (1, 0.3), (2, 0.15), (5, 1.25)];
    let mut scene = square(1.0, Vec3::Z, &lanes, &still);
    scene.palette = vec![Mat4::from_scale(Vec3::splat(1.0 / 2.25)); 6].into();
    scene.camera.height = 3.0;
    // A sum of 2.25 gives w = 2.25 too, which leaves the square as stored.
    scene.tint = Tint::Weights;
    let colors = scene.colors;
    let shown = picture(&mut renderer, &scene);
    for share in shares(&shown, [viridis(0.55), viridis(0.3), viridis(0.15), colors.over]) {
        assert!((share - 4.0 / 17.0).abs() < 0.05, "a lane of four: {share}");
    }

    // The third lane has joint 2 with a weight of 0, which is shown pale.
    let mut one = Influences::new(&[(JointIndex(3), 0.5), (JointIndex(1), 0.5)]);
    one.joints[2] = JointIndex(2);
    one.joints[3] = JointIndex(0);
    scene.influences = vec![one; 4].into();
    scene.palette = still.as_slice().into();
    scene.tint = Tint::JointIndices;
    let pale = |joint: usize| {
        std::array::from_fn(|part| {
            let (color, unused) = (colors.joints[joint][part], colors.surface[part]);
            (f32::from(color) * 0.28 + f32::from(unused) * 0.72).round() as u8
        })
    };
    let expected = [colors.joints[3], colors.joints[1], pale(2), pale(0)];
    let shown = picture(&mut renderer, &scene);
    for share in shares(&shown, expected) {
        assert!((share - 4.0 / 17.0).abs() < 0.05, "a lane of four: {share}");
    }

    let eight: Vec<_> = (0..8).map(|lane| (lane % 6, 0.125)).collect();
    let mut scene = square(1.0, Vec3::Z, &eight, &still);
    scene.tint = Tint::JointIndices;
    let shown = picture(&mut renderer, &scene);
    let [first, .., last] = shares(&shown, colors.joints);
    assert!((first - 2.0 * 4.0 / 33.0).abs() < 0.05, "lanes 0 and 6: {first}");
    assert!((last - 4.0 / 33.0).abs() < 0.05, "lane 5: {last}");
}

#[test]
fn normals_are_lines_by_the_rule_in_force() {
    let Some(gl) = gl_or_skip("normals_are_lines_by_the_rule_in_force") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let squashed = Mat4::from_scale(Vec3::new(1.0, 0.25, 1.0));
    let slanted = Vec3::new(1.0, 1.0, 0.0).normalize_or_zero();
    let mut scene = square(1.0, slanted, &[(0, 1.0)], &[squashed]);
    scene.normals = true;
    let color = scene.colors.normal;
    // The corner (1, 0.25) is at pixel (300, 125), and normals are 16 pixels long.
    for (rule, along) in [
        (NormalRule::InverseTranspose, Vec3::new(0.25, 1.0, 0.0)),
        (NormalRule::SkinMatrix, Vec3::new(1.0, 0.25, 0.0)),
        (NormalRule::LeftAlone, slanted),
    ] {
        scene.skinning.normals = rule;
        let shown = picture(&mut renderer, &scene);
        let tip = along.normalize_or_zero() * 13.0;
        let (x, y) = ((300.0 + tip.x) as u32, (125.0 - tip.y) as u32);
        let there = (x - 1..=x + 1)
            .any(|x| (y - 1..=y + 1).any(|y| near(*shown.get_pixel(x, y), color, 60)));
        assert!(there, "{rule:?}: no line at {x}, {y}");
        let count = shown.pixels().filter(|&&p| near(p, color, 60)).count();
        assert!((40..400).contains(&count), "{rule:?}: {count} pixels of lines");
    }
    scene.mesh = Arc::new(Mesh { normals: vec![Vec3::Z; 4], ..(*scene.mesh).clone() });
    let shown = picture(&mut renderer, &scene);
    let count = shown.pixels().filter(|&&p| near(p, color, 60)).count();
    assert_eq!(count, 0, "a flat drawing shows none");
}

/// A crowd of squares side by side. The second joint of instance i moves it up by 10 i pixels if
/// instances have their own palettes.
fn row_of_squares(count: usize, own_poses: bool) -> Scene {
    let palette = [Mat4::IDENTITY; 2];
    let mut scene = square(0.15, Vec3::Z, &[(1, 1.0)], &palette);
    let palettes = (0..count).flat_map(|index| {
        let up = Mat4::from_translation(Vec3::Y * 0.1 * index as f32);
        [Mat4::IDENTITY, up]
    });
    scene.crowd = Some(Arc::new(CrowdScene {
        world_from_instance: (0..count)
            .map(|index| Mat4::from_translation(Vec3::X * (0.5 * index as f32 - 1.5)))
            .collect(),
        palettes: if own_poses { palettes.collect() } else { Vec::new() },
    }));
    scene
}

#[test]
fn crowds_are_drawn_in_their_places_and_poses() {
    let Some(gl) = gl_or_skip("crowds_are_drawn_in_their_places_and_poses") else {
        return;
    };
    let mut renderer = renderer(&gl);
    // A texture with rows for 14 joints, and one with rows for 8, which continues in columns.
    for rows in [64, 8] {
        for own_poses in [false, true] {
            let mut scene = row_of_squares(7, own_poses);
            let mut limits = renderer.limits().clone();
            limits.texture_size = rows;
            scene.skinning.limits = Some(Arc::new(limits));
            let surface = scene.colors.surface;
            let shown = picture(&mut renderer, &scene);
            for index in 0..7 {
                let x = 50 + 50 * index;
                let y = if own_poses { 150 - 10 * index } else { 150 };
                for (dx, dy) in [(0, 0), (-12, -12), (12, 12)] {
                    let pixel = shown.get_pixel((x as i32 + dx) as u32, (y as i32 + dy) as u32);
                    assert_near(*pixel, surface, &format!("{index} of {rows}, {own_poses}"));
                }
                let beside = *shown.get_pixel(x + 20, y);
                assert!(!near(beside, surface, 3) || index == 6, "{index}: {beside:?}");
            }
            scene.tint = Tint::Displacement;
            let shown = picture(&mut renderer, &scene);
            let up = if own_poses { 0.3 } else { 0.0 };
            let y = if own_poses { 120 } else { 150 };
            assert_near(*shown.get_pixel(200, y), viridis(up), "a place is no displacement");
        }
    }
    let first = renderer.read_skinned(&row_of_squares(7, true)).unwrap();
    let second_alone = Mat4::IDENTITY;
    let expected = second_alone.transform_point3(Vec3::new(-0.15, -0.15, 0.0));
    assert!(first[0].position_in_world.abs_diff_eq(expected, 1e-6));
}

#[test]
fn crowds_beyond_the_limits_are_rejected() {
    let Some(gl) = gl_or_skip("crowds_beyond_the_limits_are_rejected") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = row_of_squares(3, true);
    scene.skinning.transport = Transport::UniformArray;
    let refused = renderer.draw(VIEW, &scene).map(|_| ());
    assert!(matches!(refused, Err(RenderError::Misfit(TransportLimit::OwnPoses))));
    // A single pose for all instances works with any transport.
    let mut same = row_of_squares(3, false);
    for transport in Transport::ALL {
        same.skinning.transport = transport;
        let shown = picture(&mut renderer, &same);
        let surface = same.colors.surface;
        assert_near(*shown.get_pixel(150, 150), surface, transport.label());
    }
    let mut many = row_of_squares(20, true);
    let mut limits = renderer.limits().clone();
    limits.texture_size = 8;
    many.skinning.limits = Some(Arc::new(limits));
    let refused = renderer.draw(VIEW, &many).map(|_| ());
    assert!(matches!(
        refused,
        Err(RenderError::Misfit(TransportLimit::CrowdTexture { palettes: 20, joints: 2 }))
    ));
}
