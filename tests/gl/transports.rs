//! Palette transports with OpenGL: their limits, their faults, and the declarations that readers'
//! shaders must not have.

use std::sync::Arc;

use bindpose_gltf::Mesh;
use bindpose_lesson::{Device, SkinningFault, Transport};
use bindpose_notebook::palette_plan::{PageLoad, PaletteLoad, PalettePlan, PaletteStore, capacity};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{Derived, Document, GpuLimits};
use bindpose_render::{RenderError, Renderer};
use bindpose_rigs::builtin;
use bindpose_skin::{Blend, Influences, JointIndex, Method, SET_LANES, skin_position};

use crate::common::gl_or_skip;
use crate::leftovers::assert_no_error;
use crate::{VIEW, assert_gpu_equals_cpu, palette, renderer, scene, square};
use glam::{Mat4, Vec3};

/// A scene of a rig with all parameters at an angle.
fn rig_scene(id: &str, angle_rad: f64) -> Scene {
    let rig = builtin(id).expect("built in");
    let mut scene = scene(Mesh::default(), &palette(&rig, angle_rad));
    scene.mesh = Arc::clone(&rig.mesh);
    scene.influences = rig.mesh.influences.clone();
    scene
}

#[test]
fn two_thousand_joints_go_through_a_texture_and_through_split_blocks() {
    let Some(gl) = gl_or_skip("two_thousand_joints_go_through_a_texture_and_through_split_blocks")
    else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = rig_scene("centipede(2048)", 0.1);
    let least = GpuLimits::played(Device::LeastWebgl2, Some(renderer.limits())).expect("played");
    assert_eq!(least.uniform_block_bytes, 16_384);
    scene.skinning.limits = Some(least);
    for transport in [Transport::TexelFetch, Transport::TextureCentres, Transport::UniformBlock] {
        scene.skinning.transport = transport;
        scene.blend = Blend::Linear;
        assert_gpu_equals_cpu(&mut renderer, &scene);
    }
    let shader = renderer.vertex_shader(&{
        scene.skinning.transport = Transport::UniformBlock;
        scene.clone()
    });
    let body = shader.expect("it fits").body;
    assert!(body.contains("palette_7[1024]"), "eight blocks: {body}");
    scene.blend = Blend::DualQuaternion;
    assert_gpu_equals_cpu(&mut renderer, &scene);

    scene.skinning.transport = Transport::UniformArray;
    let refused = renderer.draw(VIEW, &scene).unwrap_err();
    assert!(matches!(refused, RenderError::Misfit(_)), "{refused}");
    assert_no_error(&gl);
}

#[test]
fn palettes_beyond_the_limits_of_a_simulated_gpu_are_rejected() {
    let name = "palettes_beyond_the_limits_of_a_simulated_gpu_are_rejected";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let webgl1 = GpuLimits::played(Device::Webgl1, Some(renderer.limits()));
    // Of 128 vec4s 9 are in use, which leaves room for 29 joints.
    for (joints, fits) in [(29, true), (30, false)] {
        let mut scene = scene(square(1.0, 0.0), &vec![Mat4::IDENTITY; joints]);
        scene.skinning.transport = Transport::UniformArray;
        assert!(renderer.draw(VIEW, &scene).is_ok());
        scene.skinning.limits.clone_from(&webgl1);
        assert_eq!(renderer.draw(VIEW, &scene).is_ok(), fits, "{joints}");
    }
}

/// Checks that the shader for a scene declares what the plan expects.
fn assert_planned(renderer: &Renderer, scene: &Scene, plan: &PalettePlan) {
    let body = body_of(renderer, scene);
    let declared = |text: &str| assert!(body.contains(text), "{plan:?}: {text} in {body}");
    match plan.store {
        PaletteStore::Texture { .. } => declared("uniform highp sampler2D palette;"),
        PaletteStore::Uniforms(sizes) if sizes.vec4s_per_block == 0 => {
            let PaletteLoad { joints, blending, .. } = plan.load;
            let each = blending.vec4s_per_joint();
            declared(&format!("uniform vec4 palette[{each} * {joints}];"));
        }
        PaletteStore::Uniforms(sizes) => {
            let blocks = sizes.blocks();
            assert_eq!(body.matches("uniform Palette").count(), blocks.len());
            for (block, vec4s) in blocks.into_iter().enumerate() {
                declared(&format!("uniform Palette{block} {{ vec4 palette_{block}[{vec4s}]; }};"));
            }
        }
    }
}

#[test]
fn page_and_renderer_agree_on_what_fits_by_every_way_on_every_device() {
    let name = "page_and_renderer_agree_on_what_fits_by_every_way_on_every_device";
    let Some(gl) = gl_or_skip(name) else {
        return;
    };
    let mut renderer = renderer(&gl);
    let here = renderer.limits().clone();
    let rig = builtin("bone_grid").expect("built in");
    let turned = Mat4::from_rotation_z(0.5);
    let stretched = Mat4::from_scale(Vec3::new(1.0, 2.0, 1.0));
    for device in Device::ALL {
        let limits = GpuLimits::for_device(device, Some(&here)).expect("there is GL");
        for (method, matrix) in [
            (Method::Rigid, turned),
            (Method::Linear, turned),
            (Method::DualQuaternion, turned),
            (Method::DualQuaternion, stretched),
        ] {
            let mut document = Document::default();
            (document.state.device, document.state.method) = (device, method);
            let page = |joints: usize| {
                let mut derived = Derived::of_document(&document, None, &rig);
                derived.palette = vec![matrix; joints].into();
                derived.blend = method.into();
                PageLoad::new(&derived)
            };
            let each = page(1).alone.blending.vec4s_per_joint();
            for asked in Transport::ALL {
                let fit = capacity(asked, each, &limits).unwrap_or(30) as usize;
                for joints in [fit - 1, fit, fit + 1] {
                    let case = format!("{device:?} {asked:?} {method:?} {joints}");
                    let page = page(joints);
                    let mut mesh = square(1.0, 0.0);
                    let last = JointIndex(joints as u16 - 1);
                    mesh.influences = vec![Influences::new(&[(last, 1.0)]); 4].into();
                    let mut scene = scene(mesh, &vec![matrix; joints]);
                    (scene.size, scene.blend) = ([1, 1], method.into());
                    scene.skinning.limits = GpuLimits::played(device, Some(&here));
                    scene.skinning.transport = asked;
                    match page.plan(asked, &limits) {
                        Ok(choice) => {
                            assert!(joints <= fit, "{case}: {choice:?}");
                            assert_planned(&renderer, &scene, &choice.plan);
                            if joints == fit {
                                assert_gpu_equals_cpu(&mut renderer, &scene);
                            }
                        }
                        Err(misfit) => {
                            let refused = renderer.draw(VIEW, &scene).unwrap_err();
                            assert_eq!(refused, RenderError::Misfit(misfit), "{case}");
                        }
                    }
                    let Ok(choice) = page.choose(asked, &limits) else {
                        continue;
                    };
                    scene.skinning.transport = choice.plan.transport;
                    assert_planned(&renderer, &scene, &choice.plan);
                }
            }
        }
    }
    assert_no_error(&gl);
}

/// Positions as the page predicts them for a faulty shader, and the intended positions.
fn modelled(scene: &Scene, float_linear: bool) -> [Vec<Vec3>; 2] {
    let read = PaletteTexture {
        world_from_bind: &scene.palette,
        faults: &scene.skinning.faults,
        transport: scene.skinning.transport,
        float_linear,
    };
    let joints = 0..scene.palette.len() as u16;
    let got: Vec<Mat4> = joints.map(|joint| read.matrix(JointIndex(joint))).collect();
    [got.as_slice(), &scene.palette].map(|palette| {
        let vertices = scene.mesh.positions.iter().zip(&*scene.influences);
        vertices.map(|(&p, influences)| skin_position(p, influences, palette)).collect()
    })
}

/// Returns the largest distance relative to the size of the second list.
fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    let low = b.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let high = b.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
    let most = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    most / (high - low).max_element()
}

/// Returns the error that the table at [`SkinningFault`] gives for these faults.
fn documented(id: &str, transport: Transport, faults: &[SkinningFault]) -> f32 {
    let column = match (id, transport) {
        ("bone_grid", Transport::TexelFetch) => 0,
        ("bone_grid", _) => 1,
        (_, Transport::TexelFetch) => 2,
        _ => 3,
    };
    let row = match faults {
        [SkinningFault::Edge] => [0.0, 0.46, 0.0, 2.0],
        [SkinningFault::Linear, SkinningFault::Edge] => [0.0, 0.39, 0.0, 0.96],
        [SkinningFault::Half] => [0.0003; 4],
        [SkinningFault::Bytes] => [0.39, 0.39, 1.1, 1.1],
        [SkinningFault::Transposed] => [1.9, 1.9, 1.5, 1.5],
        [SkinningFault::WrongWidth] => [2.0, 2.0, 2.8, 2.1],
        _ => [0.0; 4],
    };
    row[column]
}

#[test]
fn each_fault_has_its_described_effect_on_the_gpu() {
    let Some(gl) = gl_or_skip("each_fault_has_its_described_effect_on_the_gpu") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let float_linear = renderer.limits().float_linear;
    let sets: [&[SkinningFault]; 8] = [
        &[],
        &[SkinningFault::Linear],
        &[SkinningFault::Edge],
        &[SkinningFault::Half],
        &[SkinningFault::Bytes],
        &[SkinningFault::Transposed],
        &[SkinningFault::WrongWidth],
        &[SkinningFault::Linear, SkinningFault::Edge],
    ];
    for id in ["bone_grid", "whale"] {
        let mut scene = rig_scene(id, 0.8);
        for transport in [Transport::TexelFetch, Transport::TextureCentres] {
            scene.skinning.transport = transport;
            for faults in sets {
                scene.skinning.faults = faults.iter().copied().collect();
                let [expected, meant] = modelled(&scene, float_linear);
                let found: Vec<Vec3> = renderer
                    .read_skinned(&scene)
                    .unwrap()
                    .iter()
                    .map(|vertex| vertex.position_in_world)
                    .collect();
                let off = apart(&found, &expected);
                let moved = apart(&found, &meant);
                println!("{id} {} {faults:?}: moves {moved}, off by {off}", transport.key());
                // Filter weights are quantized to 1/256 or finer.
                let tolerance = if faults.contains(&SkinningFault::Linear) { 1e-2 } else { 1e-5 };
                assert!(off <= tolerance, "{id} {transport:?} {faults:?}: {off}");
                let said = documented(id, transport, faults);
                let tolerance = match faults {
                    // At texel centers the filter mixes nothing, up to its quantization.
                    [SkinningFault::Linear] => 1e-2,
                    _ => 0.1 * said + 1e-6,
                };
                assert!(
                    (moved - said).abs() <= tolerance,
                    "{id} {transport:?} {faults:?} moves {moved}, not {said}"
                );
            }
        }
        scene.skinning.faults = SkinningFault::OF_TEXTURE.into_iter().collect();
        for transport in [Transport::UniformArray, Transport::UniformBlock] {
            scene.skinning.transport = transport;
            assert_gpu_equals_cpu(&mut renderer, &scene);
        }
    }
    assert_no_error(&gl);
}

#[test]
fn half_floats_are_imprecise_for_large_numbers() {
    let Some(gl) = gl_or_skip("half_floats_are_imprecise_for_large_numbers") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut scene = scene(square(1.0, 0.0), &[Mat4::from_translation(Vec3::X * 1000.3)]);
    scene.skinning.faults = [SkinningFault::Half].into();
    let found = renderer.read_skinned(&scene).unwrap()[0].position_in_world;
    assert_eq!(found.x, 999.5, "−1 + 1000.3, of which a half keeps 1000.5");
}

fn body_of(renderer: &Renderer, scene: &Scene) -> String {
    renderer.vertex_shader(scene).expect("it fits").body
}

#[test]
fn mismatched_declarations_are_rejected() {
    let Some(gl) = gl_or_skip("mismatched_declarations_are_rejected") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let main = "void main() {\n    position_in_world = position_in_bind;\n    \
                normal_in_world = vec3(x);\n    gl_Position = vec4(x);\n}\n";
    for (transport, declaration, x, word) in [
        (Transport::TexelFetch, "uniform vec4 palette[4];", "palette[0].x", "sampler2D"),
        (
            Transport::UniformArray,
            "uniform sampler2D palette;",
            "texture(palette, vec2(0)).x",
            "vec4",
        ),
        (Transport::UniformArray, "uniform vec4 palette;", "palette.x", "array"),
        (
            Transport::TexelFetch,
            "uniform sampler3D other;",
            "texture(other, vec3(0)).x",
            "sampler2D",
        ),
        (
            Transport::UniformBlock,
            "layout(std140) uniform Other { vec4 other; };",
            "other.x",
            "`Other`",
        ),
        (
            Transport::UniformBlock,
            "layout(std140) uniform Palette0 { vec4 palette_0[99]; };",
            "palette_0[98].x",
            "1584 bytes",
        ),
    ] {
        let mut scene = scene(square(0.5, 0.0), &[Mat4::IDENTITY; 4]);
        scene.skinning.transport = transport;
        let text = format!("\n{declaration}\n{}", main.replace("(x)", &format!("({x})")));
        scene.skinning.shader = Some(text.into());
        renderer.draw(VIEW, &scene).unwrap();
        let report = renderer.shader_report(VIEW).expect("a report");
        let finding = &report.findings[0];
        assert!(finding.message.contains(word), "{declaration} {finding:?}");
        assert_eq!(finding.line, Some(2), "{declaration} {finding:?}");
        assert_no_error(&gl);
    }
}

#[test]
fn the_second_set_of_influences_counts() {
    let Some(gl) = gl_or_skip("the_second_set_of_influences_counts") else {
        return;
    };
    let mut renderer = renderer(&gl);
    let mut mesh = square(0.5, 0.0);
    let mut sixth = Influences::default();
    sixth.joints[SET_LANES + 1] = JointIndex(1);
    sixth.weights[SET_LANES + 1] = 1.0;
    mesh.influences = vec![sixth; 4].into();
    let mut scene = scene(mesh, &[Mat4::IDENTITY, Mat4::from_translation(Vec3::Y)]);
    for transport in Transport::ALL {
        scene.skinning.transport = transport;
        let found = renderer.read_skinned(&scene).unwrap()[0].position_in_world;
        assert_eq!(found, Vec3::new(-0.5, 0.5, 0.0), "{transport:?}");
        assert!(body_of(&renderer, &scene).contains("weights_1"));
    }
}
