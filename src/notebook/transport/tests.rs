use super::*;

fn of(device: Device) -> DeviceLimits {
    limits_of(device, None).expect("a played device")
}

fn way(asked: Transport, joints: usize, device: Device) -> Chosen {
    chosen(asked, Load::mat4s(joints), &of(device)).expect("a way")
}

#[test]
fn joints_that_fit_are_those_of_the_lessons_table() {
    let fit = |transport, device| capacity(transport, 4, TAKEN, &of(device));
    assert_eq!(fit(Transport::UniformArray, Device::Webgl1), Ok(29));
    assert_eq!(fit(Transport::UniformArray, Device::LeastWebgl2), Ok(61));
    assert_eq!(
        fit(Transport::UniformBlock, Device::LeastWebgl2),
        Ok(12 * 256)
    );
    assert_eq!(
        fit(Transport::UniformBlock, Device::Webgl1),
        Err(Missing::Blocks)
    );
    assert_eq!(fit(Transport::TexelFetch, Device::LeastWebgl2), Ok(2_048));
    assert_eq!(fit(Transport::TextureCentres, Device::Webgl1), Ok(64));
}

#[test]
fn what_fits_is_taken_as_asked() {
    for asked in Transport::ALL {
        let chosen = way(asked, 61, Device::LeastWebgl2);
        assert_eq!((chosen.transport, chosen.instead_of), (asked, None));
    }
}

#[test]
fn what_does_not_fit_is_replaced_and_both_are_named() {
    let chosen = way(Transport::UniformArray, 300, Device::LeastWebgl2);
    assert_eq!(chosen.transport, Transport::TexelFetch);
    assert_eq!(
        chosen.to_string(),
        "uniform array: 61 joints fit, this skin has 300; \
         drawn through a texture instead"
    );
    let Some((
        Transport::UniformArray,
        Misfit::TooManyJoints {
            needed, offered, ..
        },
    )) = chosen.instead_of
    else {
        panic!("{chosen:?}");
    };
    assert_eq!((needed, offered), (1_209, 256));
}

#[test]
fn what_a_device_lacks_is_named_and_the_next_way_is_taken() {
    for (asked, device, taken, word) in [
        (
            Transport::TexelFetch,
            Device::Webgl1,
            Transport::TextureCentres,
            "no texelFetch",
        ),
        (
            Transport::UniformBlock,
            Device::Webgl1,
            Transport::TextureCentres,
            "no uniform blocks",
        ),
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
        let chosen = way(asked, 20, device);
        assert_eq!(chosen.transport, taken, "{asked:?} {device:?}");
        assert!(chosen.to_string().contains(word), "{chosen}");
    }
}

#[test]
fn where_nothing_fits_the_way_with_the_most_room_says_why() {
    let load = Load::mat4s(300);
    let no_way = chosen(Transport::UniformArray, load, &of(Device::Webgl1)).unwrap_err();
    assert_eq!(no_way.transport, Transport::TextureCentres);
    assert!(
        no_way
            .to_string()
            .contains("64 joints fit, this skin has 300"),
        "{no_way}"
    );
    let limits = of(Device::Webgl1NoVertexTextures);
    let no_way = chosen(Transport::TexelFetch, load, &limits).unwrap_err();
    assert_eq!(no_way.transport, Transport::UniformArray);
}

#[test]
fn blocks_hold_whole_joints_and_absurd_loads_do_not_overflow() {
    let mut limits = of(Device::LeastWebgl2);
    limits.uniform_block_bytes = 100;
    limits.vertex_uniform_blocks = 2;
    assert_eq!(capacity(Transport::UniformBlock, 4, 0, &limits), Ok(2));
    assert_eq!(capacity(Transport::UniformBlock, 3, 0, &limits), Ok(4));
    let load = Load::mat4s(usize::MAX);
    for transport in Transport::ALL {
        assert!(fits(transport, load, &limits).is_err());
    }
    assert_eq!(limits_of(Device::Here, None), None);
}
