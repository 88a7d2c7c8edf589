//! Spheres with wrong or invisible surfaces.

use glam::{Quat, Vec3};
use serde_json::json;

use super::made::Model;
use super::*;

/// Number of rings, and of segments.
const PARTS: usize = 8;

/// Returns positions, which are also normals, and indices.
fn sphere() -> (Vec<Vec3>, Vec<u16>) {
    let angle = |part: usize, whole: f32| part as f32 / PARTS as f32 * whole * std::f32::consts::PI;
    let mut places = Vec::new();
    let mut corners = Vec::new();
    for ring in 0..=PARTS {
        for segment in 0..=PARTS {
            let (polar, around) = (angle(ring, 1.0), angle(segment, 2.0));
            let flat = polar.sin();
            places.push(Vec3::new(flat * around.sin(), polar.cos(), flat * around.cos()));
            if ring < PARTS && segment < PARTS {
                let at = (ring * (PARTS + 1) + segment) as u16;
                let below = at + PARTS as u16 + 1;
                corners.extend([at, below, at + 1, at + 1, below, below + 1]);
            }
        }
    }
    (places, corners)
}

/// Returns a file of a mesh on one joint.
fn model(places: &[Vec3], normals: &[Vec3], corners: &[u16]) -> Model {
    let mut model = Model::sound();
    let count = places.len();
    let mut put = |all: &[Vec3]| {
        let numbers: Vec<f32> = all.iter().flat_map(Vec3::to_array).collect();
        model.floats("VEC3", &numbers);
        model.list("accessors").len() - 1
    };
    let (position, normal) = (put(places), put(normals));
    model.put(&format!("/accessors/{position}/min"), json!([-1.0, -1.0, -1.0]));
    model.put(&format!("/accessors/{position}/max"), json!([1.0, 1.0, 1.0]));
    model.accessor(5121, "VEC4", count, &vec![0; 4 * count]);
    model.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(count));
    let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
    model.accessor(5123, "SCALAR", corners.len(), &bytes);
    model.put(
        "/meshes/0/primitives/0",
        json!({
            "attributes": {
                "POSITION": position, "NORMAL": normal,
                "JOINTS_0": normal + 1, "WEIGHTS_0": normal + 2,
            },
            "indices": normal + 3,
        }),
    );
    model
}

/// Returns the codes of findings about surfaces.
fn surface_codes(model: &Model) -> Vec<&'static str> {
    let codes = report(&model.source()).findings.into_iter().map(|finding| finding.code);
    let known = [
        "FACES_INSIDE_OUT",
        "NORMALS_OTHER_AXES",
        "COLORS_BLACK",
        "SURFACE_TRANSPARENT",
        "MORPH_TARGET_HOLDS_POSITIONS",
    ];
    codes.filter(|code| known.contains(code)).collect()
}

fn assert_found_and_mended(model: &Model, code: &str) {
    assert_eq!(surface_codes(model), [code]);
    let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
    let left: Vec<_> = mended.report.findings.iter().map(|finding| finding.code).collect();
    assert!(!left.contains(&code), "{left:?}");
}

#[test]
fn faces_and_normals_that_disagree_are_recognized_and_mended() {
    let (places, corners) = sphere();
    assert_eq!(surface_codes(&model(&places, &places, &corners)), [""; 0]);
    let turned: Vec<u16> = corners.chunks_exact(3).flat_map(|c| [c[0], c[2], c[1]]).collect();
    assert_found_and_mended(&model(&places, &places, &turned), "FACES_INSIDE_OUT");
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let turn = Quat::from_axis_angle(axis, std::f32::consts::FRAC_PI_2);
        let normals: Vec<Vec3> = places.iter().map(|&normal| turn * normal).collect();
        assert_found_and_mended(&model(&places, &normals, &corners), "NORMALS_OTHER_AXES");
    }
}

#[test]
fn a_morph_target_with_positions_is_recognized_and_mended() {
    let (places, corners) = sphere();
    let mut model = model(&places, &places, &corners);
    let mut with_target = |of: &dyn Fn(Vec3) -> Vec3| {
        let numbers: Vec<f32> = places.iter().flat_map(|&place| of(place).to_array()).collect();
        model.floats("VEC3", &numbers);
        let target = model.list("accessors").len() - 1;
        model.put(&format!("/accessors/{target}/min"), json!([-2.0, -2.0, -2.0]));
        model.put(&format!("/accessors/{target}/max"), json!([2.0, 2.0, 2.0]));
        model.put("/meshes/0/primitives/0/targets", json!([{"POSITION": target}]));
        model.clone()
    };
    assert_eq!(surface_codes(&with_target(&|place| 0.3 * place.with_x(0.0))), [""; 0]);
    let held = with_target(&|place| place + 0.1 * place.with_y(0.0));
    assert_found_and_mended(&held, "MORPH_TARGET_HOLDS_POSITIONS");
}

#[test]
fn invisible_surfaces_are_recognized() {
    let (places, corners) = sphere();
    let sound = model(&places, &places, &corners);
    let mut black = sound.clone();
    black.accessor(5121, "VEC4", places.len(), &[0, 0, 0, 255].repeat(places.len()));
    let accessor = black.list("accessors").len() - 1;
    black.put(&format!("/accessors/{accessor}/normalized"), json!(true));
    black.put("/meshes/0/primitives/0/attributes/COLOR_0", json!(accessor));
    assert_eq!(surface_codes(&black), ["COLORS_BLACK"]);
    let mut faded = sound.clone();
    let material = |alpha: f64, mode: &str| {
        let color = json!({"baseColorFactor": [1.0, 1.0, 1.0, alpha]});
        json!([{"pbrMetallicRoughness": color, "alphaMode": mode}])
    };
    faded.put("/meshes/0/primitives/0/material", json!(0));
    for (alpha, mode, is_invisible) in [
        (0.0, "BLEND", true),
        (0.2, "MASK", true),
        (0.0, "OPAQUE", false),
        (0.1, "BLEND", false),
        (0.8, "MASK", false),
    ] {
        faded.put("/materials", material(alpha, mode));
        assert_eq!(
            surface_codes(&faded) == ["SURFACE_TRANSPARENT"],
            is_invisible,
            "{alpha} {mode}"
        );
    }
}
