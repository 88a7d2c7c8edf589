use bindpose_lesson::Device;
use bindpose_skin::JointIndex;

use super::*;

fn limits(device: Device) -> GpuLimits {
    GpuLimits::for_device(device, None).expect("a played device")
}

fn load(joints: usize, blending: ShaderBlending) -> PaletteLoad {
    PaletteLoad::new(joints, Blend::Linear, 0, blending)
}

fn page(joints: usize) -> PageLoad {
    PageLoad { alone: load(joints, ShaderBlending::Linear), crowd: None }
}

fn choice(asked: Transport, joints: usize, device: Device) -> PagePlan {
    page(joints).choose(asked, &limits(device)).expect("some transport")
}

#[test]
fn capacities_match_the_lesson() {
    let fit = |transport, device| capacity(transport, 4, &limits(device));
    assert_eq!(fit(Transport::UniformArray, Device::Webgl1), Ok(29));
    assert_eq!(fit(Transport::UniformArray, Device::LeastWebgl2), Ok(61));
    assert_eq!(fit(Transport::UniformBlock, Device::LeastWebgl2), Ok(12 * 256));
    assert_eq!(fit(Transport::UniformBlock, Device::Webgl1), Err(TransportLimit::NoBlocks));
    assert_eq!(fit(Transport::TexelFetch, Device::LeastWebgl2), Ok(2_048));
    assert_eq!(fit(Transport::TextureCentres, Device::Webgl1), Ok(64));
}

#[test]
fn requested_transport_is_used_if_it_fits() {
    for asked in Transport::ALL {
        let choice = choice(asked, 61, Device::LeastWebgl2);
        assert_eq!((choice.plan.transport, choice.instead_of), (asked, None));
    }
}

#[test]
fn fallback_names_both_transports() {
    let choice = choice(Transport::UniformArray, 300, Device::LeastWebgl2);
    assert_eq!(choice.plan.transport, Transport::TexelFetch);
    assert_eq!(
        choice.to_string(),
        "uniform array: 61 joints fit, this skin has 300; \
         drawn through a texture instead"
    );
}

#[test]
fn missing_features_are_named() {
    for (asked, device, taken, word) in [
        (Transport::TexelFetch, Device::Webgl1, Transport::TextureCentres, "no texelFetch"),
        (Transport::UniformBlock, Device::Webgl1, Transport::TextureCentres, "no uniform blocks"),
        (
            Transport::TextureCentres,
            Device::Webgl1NoFloatTextures,
            Transport::UniformArray,
            "OES_texture_float",
        ),
        (
            Transport::TextureCentres,
            Device::Webgl1NoVertexTextures,
            Transport::UniformArray,
            "MAX_VERTEX_TEXTURE_IMAGE_UNITS is 0",
        ),
    ] {
        let choice = choice(asked, 20, device);
        assert_eq!(choice.plan.transport, taken, "{asked:?} {device:?}");
        assert!(choice.to_string().contains(word), "{choice}");
    }
}

#[test]
fn best_first_lists_every_transport() {
    let mut ranked = BEST_FIRST;
    ranked.sort_unstable();
    assert_eq!(ranked, Transport::ALL);
}

#[test]
fn no_transport_reports_the_roomiest() {
    let no_transport = |asked, device| page(300).choose(asked, &limits(device)).unwrap_err();
    let roomiest = no_transport(Transport::UniformArray, Device::Webgl1);
    assert_eq!(roomiest.transport, Transport::TextureCentres);
    assert!(roomiest.to_string().contains("64 joints fit, this skin has 300"), "{roomiest}");
    let roomiest = no_transport(Transport::TexelFetch, Device::Webgl1NoVertexTextures);
    assert_eq!(roomiest.transport, Transport::UniformArray);
}

#[test]
fn blocks_hold_whole_joints_and_large_loads_do_not_overflow() {
    let mut limits = limits(Device::LeastWebgl2);
    limits.uniform_block_bytes = 100;
    limits.vertex_uniform_blocks = 3;
    let blocks = |joints, blending| {
        let plan = PalettePlan::new(Transport::UniformBlock, load(joints, blending), &limits)?;
        match plan.store {
            PaletteStore::Uniforms(sizes) => Ok(sizes.blocks()),
            PaletteStore::Texture { .. } => panic!("{plan:?}"),
        }
    };
    assert_eq!(blocks(2, ShaderBlending::Linear), Ok(vec![4, 4]));
    assert_eq!(blocks(5, ShaderBlending::DualQuaternion), Ok(vec![6, 4]));
    assert_eq!(blocks(1, ShaderBlending::DualQuaternion), Ok(vec![2]));
    assert_eq!(
        blocks(4, ShaderBlending::StretchedDualQuaternion),
        Err(TransportLimit::TooManyJoints { joints: 4, fit: 3 })
    );
    for transport in Transport::ALL {
        let absurd = PaletteLoad { palettes: u32::MAX, ..load(usize::MAX, ShaderBlending::Linear) };
        assert!(PalettePlan::new(transport, absurd, &limits).is_err());
    }
    assert_eq!(GpuLimits::for_device(Device::Here, None), None);
}

#[test]
fn named_joints_beyond_the_palette_are_counted() {
    let joints = |blend, named| PaletteLoad::new(3, blend, named, ShaderBlending::Linear).joints;
    assert_eq!(joints(Blend::Linear, 2), 3);
    assert_eq!(joints(Blend::Linear, 7), 7);
    assert_eq!(joints(Blend::Only(JointIndex(4)), 9), 5);
    assert_eq!(load(0, ShaderBlending::Linear).joints, 1);
}

#[test]
fn crowds_use_more_columns_or_share_one_pose() {
    let mut limits = limits(Device::LeastWebgl2);
    limits.texture_size = 8;
    let plan = |palettes, transport| {
        let crowd = PaletteLoad { palettes, ..load(2, ShaderBlending::Linear) };
        let page = PageLoad { crowd: Some(crowd), ..page(2) };
        page.choose(transport, &limits).expect("one fits")
    };
    let all = plan(7, Transport::TexelFetch);
    let store = PaletteStore::Texture { rows: 8, columns: 2 };
    assert_eq!((all.plan.store, all.one_pose), (store, None));
    let shared = plan(9, Transport::TexelFetch);
    let why = TransportLimit::CrowdTexture { palettes: 9, joints: 2 };
    assert_eq!((shared.plan.load, shared.one_pose), (page(2).alone, Some(why)));
    let by_uniforms = plan(7, Transport::UniformArray);
    assert_eq!(by_uniforms.plan.transport, Transport::UniformArray);
    assert_eq!(by_uniforms.one_pose, Some(TransportLimit::OwnPoses));
}

#[test]
fn emulation_respects_limits_of_this_device() {
    let here = GpuLimits {
        vertex_uniform_vec4s: 200,
        palette_vec4s: 160,
        texture_size: 1_024,
        ..limits(Device::LeastWebgl2)
    };
    let played = GpuLimits::for_device(Device::LeastWebgl2, Some(&here)).expect("played");
    assert_eq!(played.palette_vec4s, 160);
    assert_eq!(played.texture_size, 1_024);
    assert_eq!(played.uniform_block_bytes, 16_384);
    assert_eq!(GpuLimits::played(Device::Here, Some(&here)), None);
}

#[test]
fn faults_change_only_the_texture() {
    let plan = |transport| {
        PalettePlan::new(transport, load(3, ShaderBlending::Linear), &limits(Device::LeastWebgl2))
            .expect("it fits")
    };
    let faults = [SkinningFault::WrongWidth, SkinningFault::Half, SkinningFault::Linear].into();
    let shape = plan(Transport::TextureCentres).texture(&faults);
    let expected = TextureShape { width: 5, height: 3, format: TexelFormat::Half, linear: true };
    assert_eq!(shape, Some(expected));
    assert_eq!(plan(Transport::UniformBlock).texture(&faults), None);
}
