//! What opening is held against: the gltf crate, as its documentation uses it.

use std::hint::black_box;

use bindpose_gltf::ModelSource;
use gltf::animation::util::ReadOutputs;
use gltf::{Animation, Buffer, Gltf, Primitive};

/// Parses a file and reads every accessor of meshes, skins and animations.
pub(crate) fn read(source: &ModelSource) -> Result<(), String> {
    let file = Gltf::from_slice(&source.main).map_err(|error| error.to_string())?;
    let buffers: Vec<Option<&[u8]>> = file
        .buffers()
        .map(|buffer| match buffer.source() {
            gltf::buffer::Source::Bin => file.blob.as_deref(),
            gltf::buffer::Source::Uri(uri) => source.beside(uri).map(|bytes| &**bytes),
        })
        .collect();
    let bytes = |buffer: Buffer<'_>| buffers.get(buffer.index()).copied().flatten();
    for primitive in file.meshes().flat_map(|mesh| mesh.primitives()) {
        vertices(&primitive, bytes);
    }
    for skin in file.skins() {
        let matrices = skin.reader(bytes).read_inverse_bind_matrices();
        black_box(matrices.map(Iterator::collect::<Vec<_>>));
    }
    for animation in file.animations() {
        keys(&animation, bytes);
    }
    Ok(())
}

fn vertices<'s>(
    primitive: &Primitive<'_>,
    bytes: impl Clone + for<'a> Fn(Buffer<'a>) -> Option<&'s [u8]>,
) {
    let reader = primitive.reader(bytes);
    black_box(reader.read_positions().map(Iterator::collect::<Vec<_>>));
    black_box(reader.read_normals().map(Iterator::collect::<Vec<_>>));
    black_box(reader.read_tangents().map(Iterator::collect::<Vec<_>>));
    black_box(reader.read_tex_coords(0).map(|read| read.into_f32().collect::<Vec<_>>()));
    black_box(reader.read_colors(0).map(|read| read.into_rgba_f32().collect::<Vec<_>>()));
    black_box(reader.read_joints(0).map(|read| read.into_u16().collect::<Vec<_>>()));
    black_box(reader.read_weights(0).map(|read| read.into_f32().collect::<Vec<_>>()));
    black_box(reader.read_indices().map(|read| read.into_u32().collect::<Vec<_>>()));
    for (positions, normals, _) in reader.read_morph_targets() {
        black_box(positions.map(Iterator::collect::<Vec<_>>));
        black_box(normals.map(Iterator::collect::<Vec<_>>));
    }
}

fn keys<'s>(
    animation: &Animation<'_>,
    bytes: impl Clone + for<'a> Fn(Buffer<'a>) -> Option<&'s [u8]>,
) {
    for channel in animation.channels() {
        let reader = channel.reader(bytes.clone());
        black_box(reader.read_inputs().map(Iterator::collect::<Vec<_>>));
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(read) | ReadOutputs::Scales(read)) => {
                black_box(read.collect::<Vec<_>>());
            }
            Some(ReadOutputs::Rotations(read)) => {
                black_box(read.into_f32().collect::<Vec<_>>());
            }
            Some(ReadOutputs::MorphTargetWeights(read)) => {
                black_box(read.into_f32().collect::<Vec<_>>());
            }
            None => {}
        }
    }
}
