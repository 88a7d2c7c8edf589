use std::f64::consts::FRAC_PI_2;

use bindpose_lesson::{Crowd, Device, Projection, SkinningFault, Transport, View, ViewHeight};
use bindpose_rigs::builtin;
use bindpose_skin::SkinStage;
use glam::{Mat4, Vec2};

use super::*;
use crate::glsl::ShaderKind;
use crate::test_sample::{self, derive_on, document_with};

/// Scene without GL. An emulated device has limits all the same.
fn scene(rig: &str, document: &Document) -> (Scene, Option<String>) {
    let derived = derive_on(rig, document);
    let cell = ViewportCell::default();
    let frame = ViewportFrame::new(&cell, document, &derived, None);
    let notice = frame.notice().map(str::to_owned);
    (frame.scene_without_view(SceneColors::default()), notice)
}

fn on(device: Device) -> Document {
    let mut document = Document::default();
    document.state.device = device;
    document
}

#[test]
fn reader_overrides_cell_and_cell_overrides_default() {
    let rig = Arc::new(test_sample::rig());
    let mut document = Document::default();
    let derived = Derived::of_document(&document, None, &rig);
    let mut cell = ViewportCell::default();
    let seen = |cell: &ViewportCell, document: &Document| {
        let frame = ViewportFrame::new(cell, document, &derived, None);
        (frame.show.to_vec(), frame.tint, frame.view)
    };
    let usual = (vec![Show::Mesh, Show::Joints], Tint::Base, View::Front);
    assert_eq!(seen(&cell, &document), usual);
    cell.show = Some(vec![Show::Lines]);
    (cell.tint, cell.view) = (Tint::Weight, View::Top);
    let of_cell = (vec![Show::Lines], Tint::Weight, View::Top);
    assert_eq!(seen(&cell, &document), of_cell);
    document.state.show = Some(Vec::new());
    (document.state.tint, document.state.view) = (Some(Tint::Solid), Some(View::Left));
    let of_reader = (Vec::new(), Tint::Solid, View::Left);
    assert_eq!(seen(&cell, &document), of_reader);
}

#[test]
fn oversized_palette_uses_other_transport_or_bind_pose() {
    let mut document = on(Device::LeastWebgl2);
    document.state.transport = Transport::UniformArray;
    let (drawn, notice) = scene("centipede(300)", &document);
    assert!(drawn.surface && !drawn.ghost);
    assert_eq!(drawn.skinning.transport, Transport::TexelFetch);
    assert!(notice.unwrap().starts_with("Uniform array: 61 joints fit"));

    let (drawn, notice) = scene("centipede(300)", &on(Device::Webgl1NoVertexTextures));
    assert!(drawn.ghost && !drawn.surface && !drawn.lines && !drawn.normals);
    assert!(notice.unwrap().ends_with("The bind pose is shown."));
}

#[test]
fn incomplete_texture_collapses_vertices() {
    let mut document = on(Device::LeastWebgl2);
    document.state.faults = [SkinningFault::Linear].into();
    let (drawn, notice) = scene("arm", &document);
    let first = drawn.palette[0];
    assert!(first != Mat4::IDENTITY && drawn.palette.iter().all(|&read| read == first));
    assert!(drawn.skinning.faults.is_empty(), "what is read is sent");
    assert!(notice.is_some());
}

#[test]
fn crowd_shares_one_pose_if_transport_requires() {
    let mut document = on(Device::LeastWebgl2);
    document.state.crowd = Crowd { count: 9, own_poses: true };
    let (drawn, notice) = scene("arm", &document);
    let palettes = drawn.crowd.as_ref().unwrap().count_palettes();
    assert_eq!((palettes, notice), (9, None));
    document.state.transport = Transport::UniformArray;
    let (shared, notice) = scene("arm", &document);
    assert_eq!(shared.crowd.unwrap().count_palettes(), 0);
    assert!(notice.unwrap().contains("all share one pose"));

    let key = ShaderKind::from_scene(&drawn).key();
    document.state.transport = Transport::TexelFetch;
    document.state.shaders.insert(key, "text".to_owned());
    document.state.show = Some(vec![Show::Lines]);
    let (own, _) = scene("arm", &document);
    assert!(own.skinning.shader.is_some() && own.crowd.is_none());
    assert!(own.surface && !own.lines, "the text draws surfaces");
}

#[test]
fn framed_model_is_clear_of_legend_in_every_pose() {
    let cell = ViewportCell {
        projection: Projection::Perspective,
        view: View::ThreeQuarter,
        ..ViewportCell::default()
    };
    let (picture, legend) = (Vec2::new(400.0, 230.0), Vec2::new(150.0, 96.0));
    let mut document = Document::default();
    document.state.stage = SkinStage::Blended;
    let rest = derive_on("whale", &document);
    let frame = ViewportFrame::new(&cell, &document, &rest, None);
    let camera = framed_camera(&frame, picture, Some(legend));
    for &position in rest.positions().iter() {
        let at = camera.project(position, picture).unwrap();
        let inside = at.cmpge(Vec2::ZERO).all() && at.cmple(picture).all();
        let covered = at.x < legend.x && at.y > picture.y - legend.y;
        assert!(inside && !covered, "{position} at {at}");
    }
    for param in rest.rig.angles() {
        document.state.params.insert(param.name.clone(), 0.3);
    }
    let bent = derive_on("whale", &document);
    let frame = ViewportFrame::new(&cell, &document, &bent, None);
    assert_eq!(framed_camera(&frame, picture, Some(legend)), camera);
}

#[test]
fn far_poses_are_held_in_view() {
    let cell = ViewportCell::default();
    let document = document_with(&[("bend", FRAC_PI_2)]);
    let bent = derive_on("arm", &document);
    let frame = ViewportFrame::new(&cell, &document, &bent, None);
    let picture = Vec2::new(200.0, 300.0);
    let mut camera = framed_camera(&frame, picture, None);
    hold_poses(&mut camera, &frame, picture, &[&bent]);
    let at_rest = &bent.at_rest().positions;
    for &position in bent.positions().iter().chain(at_rest) {
        let at = camera.project(position, picture).unwrap();
        let inside = at.cmpge(Vec2::ZERO).all() && at.cmple(picture).all();
        assert!(inside, "{position} at {at}");
    }
}

#[test]
fn flat_model_is_clear_of_legend_in_every_pose() {
    let cell = ViewportCell {
        view: View::Front,
        projection: Projection::Orthographic,
        target: Some([0.0, 1.05, 0.0]),
        height: Some(ViewHeight(2.9)),
        ..ViewportCell::default()
    };
    let (picture, legend) = (Vec2::new(366.0, 278.0), Vec2::new(192.0, 64.0));
    let mut document = Document::default();
    document.state.stage = SkinStage::Blended;
    let rest = derive_on("simple_skin", &document);
    assert!(rest.rig.flat);
    let frame = ViewportFrame::new(&cell, &document, &rest, None);
    let camera = framed_camera(&frame, picture, Some(legend));
    for &position in rest.positions().iter() {
        let at = camera.project(position, picture).unwrap();
        let inside = at.cmpge(Vec2::ZERO).all() && at.cmple(picture).all();
        let covered = at.x < legend.x && at.y > picture.y - legend.y;
        assert!(inside && !covered, "{position} at {at}");
    }
    document.state.params.insert("bend".to_owned(), 0.2);
    let bent = derive_on("simple_skin", &document);
    let frame = ViewportFrame::new(&cell, &document, &bent, None);
    assert_eq!(framed_camera(&frame, picture, Some(legend)), camera);
}

#[test]
fn grid_spacing_is_round() {
    let rig = builtin("bone_grid").unwrap();
    let document = Document::default();
    let derived = Derived::of_document(&document, None, &rig);
    let bounds = rig.mesh.bounds();
    let camera = Camera::framing(bounds, View::Front, Projection::Orthographic, 1.5);
    let grid = grid(&document, &derived, &camera);
    assert_eq!((grid.spacing, grid.ground), (1.0, false));
}

#[test]
fn grid_numbers_are_at_lines_and_apart() {
    let grid = SceneGrid { spacing: 2.0, extent: 100.0, ground: false, at: -0.1 };
    let mut camera = Camera {
        target: Vec3::new(4.0, 1.0, 0.0),
        yaw_rad: 0.0,
        pitch_rad: 0.0,
        height: 8.0,
        projection: Projection::Orthographic,
    };
    let of = |numbers: &[GridNumber], axis| -> Vec<(String, f32)> {
        let numbers = numbers.iter().filter(|number| number.axis == axis);
        let pair = |number: &GridNumber| (number.words.clone(), number.at.round());
        numbers.map(pair).collect()
    };
    // 50 points a unit: from −1 to 9, and from −3 to 5.
    let near = grid_numbers(&grid, &camera, Vec2::new(500.0, 400.0));
    let words = |list: &[(&str, f32)]| -> Vec<(String, f32)> {
        list.iter().map(|&(words, at)| (words.to_owned(), at)).collect()
    };
    let x = [("0", 50.0), ("2", 150.0), ("4", 250.0), ("6", 350.0), ("8", 450.0)];
    assert_eq!(of(&near, 0), words(&x));
    let y = [("−2", 350.0), ("0", 250.0), ("2", 150.0), ("4", 50.0)];
    assert_eq!(of(&near, 1), words(&y));
    // From far: 5 points a unit.
    camera.height = 80.0;
    let far = grid_numbers(&grid, &camera, Vec2::new(500.0, 400.0));
    let x: Vec<f32> = of(&far, 0).iter().map(|(_, at)| *at).collect();
    assert!(x.len() > 3 && x.windows(2).all(|pair| pair[1] - pair[0] >= MIN_NUMBER_DISTANCE.x));
    // From above, the camera looks along the plane.
    camera.pitch_rad = std::f32::consts::FRAC_PI_2;
    assert_eq!(grid_numbers(&grid, &camera, Vec2::new(500.0, 400.0)), []);
}
