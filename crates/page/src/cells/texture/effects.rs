//! What each switch does to the picture, in one sentence, or why it does
//! nothing.

use std::collections::BTreeSet;

use glam::{Mat4, Vec3};

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_notebook::number_text;
use bindpose_notebook::palette_texture::{PaletteTexture, as_half};

/// A sentence, and whether it tells of something wrong.
pub(super) struct Effect {
    pub(super) words: String,
    pub(super) wrong: bool,
}

fn right(words: impl Into<String>) -> Effect {
    Effect { words: words.into(), wrong: false }
}

fn wrong(words: impl Into<String>) -> Effect {
    Effect { words: words.into(), wrong: true }
}

/// NEAREST or LINEAR.
pub(super) fn filter(palette: &PaletteTexture<'_>) -> Effect {
    let has = |fault| palette.faults.contains(&fault);
    if !has(SkinningFault::Linear) {
        return right("A read gives one texel, whole.");
    }
    if palette.is_incomplete() {
        return wrong(
            "32-bit floats cannot be filtered on this device: the texture is incomplete, every \
             read gives 0, 0, 0, 1, and the mesh shrinks to a point.",
        );
    }
    if palette.transport.is_fetched() {
        return right("No effect: texelFetch names one texel and knows no filter.");
    }
    match (has(SkinningFault::Edge), has(SkinningFault::WrongWidth)) {
        (true, _) => {
            wrong("Every read mixes four texels: two columns of two joints. The mesh crumples.")
        }
        (false, true) => wrong("Every read mixes two neighbours in the row."),
        (false, false) => right(
            "No effect: at its centre a texel has all the weight. Sample at the edge to see it.",
        ),
    }
}

/// With an incomplete texture nothing else counts.
fn of_no_account(palette: &PaletteTexture<'_>) -> Option<Effect> {
    palette
        .is_incomplete()
        .then(|| right("Of no account: an incomplete texture reads the same everywhere."))
}

/// Centre or edge.
pub(super) fn place(palette: &PaletteTexture<'_>) -> Effect {
    if let Some(effect) = of_no_account(palette) {
        return effect;
    }
    let edge = palette.faults.contains(&SkinningFault::Edge);
    match (palette.transport.is_fetched(), edge) {
        (true, true) => right("No effect: texelFetch takes whole numbers, not coordinates."),
        (true, false) => right("Whole numbers, column and row: there is nothing to aim at."),
        (false, false) => right("The half is added: the middle of the texel."),
        (false, true) if palette.faults.contains(&SkinningFault::Linear) => {
            wrong("The half is missing: the read falls between texels, and LINEAR mixes them.")
        }
        (false, true) => wrong(
            "The half is missing. This page then reads the texel before, in the row of the joint \
             before.",
        ),
    }
}

/// 32-bit, 16-bit or 8-bit.
pub(super) fn format(palette: &PaletteTexture<'_>) -> Effect {
    if palette.faults.contains(&SkinningFault::Bytes) {
        return wrong(
            "Numbers are cut to 0 … 1 in 256 steps: axes lose their minus signs, and joints \
             gather near the origin.",
        );
    }
    if !palette.faults.contains(&SkinningFault::Half) {
        return right("Each number as it was computed.");
    }
    let numbers = palette.world_from_bind.iter().flat_map(|m| m.to_cols_array());
    let most = numbers.map(|number| (as_half(number) - number).abs());
    let most = most.fold(0.0, f32::max);
    if most == 0.0 {
        return right("No effect in this pose: all its numbers have 11 binary digits or fewer.");
    }
    let most = if most < 1e-5 {
        number_text::scientific(most.into())
    } else {
        number_text::fixed(most.into(), 5)
    };
    wrong(format!(
        "11 binary digits are left: a number here is off by up to {most}. Large models jitter."
    ))
}

/// Columns or rows.
pub(super) fn order(palette: &PaletteTexture<'_>) -> Effect {
    if let Some(effect) = of_no_account(palette) {
        return effect;
    }
    if !palette.faults.contains(&SkinningFault::Transposed) {
        return right("A texel is a column, as mat4() takes them.");
    }
    let same = |m: &glam::Mat4| m.transpose().abs_diff_eq(*m, 1e-6);
    if palette.world_from_bind.iter().all(same) {
        return right("No effect in this pose: each matrix is its own transpose. Turn a joint.");
    }
    wrong("Turns go the other way round, and the place of the origin ends in w.")
}

/// 4 or 5 texels wide.
pub(super) fn width(palette: &PaletteTexture<'_>) -> Effect {
    if let Some(effect) = of_no_account(palette) {
        return effect;
    }
    match (palette.faults.contains(&SkinningFault::WrongWidth), palette.transport.is_sampled()) {
        (false, _) => right("One row holds one joint."),
        (true, true) => wrong(
            "Row j begins j texels late, and the shader, which divides by 4, reads texels 0, 1, \
             3 and 4 of it.",
        ),
        (true, false) => {
            wrong("Row j begins j texels late: only joint 0 gets its own four texels.")
        }
    }
}

/// Every sentence that an effect can say, whatever is switched: with a number of
/// the usual length where it names one.
pub(super) fn sentences(effect: fn(&PaletteTexture<'_>) -> Effect) -> Vec<String> {
    let turned = Mat4::from_translation(Vec3::new(2.0, -3.3, 0.1)) * Mat4::from_rotation_z(1.0);
    let mut sentences = BTreeSet::new();
    for matrix in [Mat4::IDENTITY, turned] {
        each_palette(&[matrix], |palette| {
            sentences.insert(effect(palette).words);
        });
    }
    sentences.into_iter().collect()
}

/// These matrices by both paths, with every choice of faults, on a device that
/// filters floats and on one that does not.
fn each_palette(world_from_bind: &[Mat4], mut visit: impl FnMut(&PaletteTexture<'_>)) {
    for transport in [Transport::TexelFetch, Transport::TextureCentres] {
        for float_linear in [true, false] {
            for bits in 0..1 << SkinningFault::OF_TEXTURE.len() {
                let faults = SkinningFault::OF_TEXTURE.into_iter().enumerate();
                let faults = faults.filter(|(bit, _)| bits >> bit & 1 == 1);
                visit(&PaletteTexture {
                    world_from_bind,
                    faults: &faults.map(|(_, fault)| fault).collect(),
                    transport,
                    float_linear,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_skin::JointIndex;

    use super::*;

    /// A word of warning stands exactly where a read is not what was meant.
    #[test]
    fn the_words_are_those_of_the_reads() {
        let turned = Mat4::from_translation(Vec3::new(2.0, -3.3, 0.1)) * Mat4::from_rotation_z(1.0);
        let matrices = [Mat4::IDENTITY, turned, turned * turned];
        each_palette(&matrices, |palette| {
            let off = (0..3).any(|joint| {
                let read = palette.matrix(JointIndex(joint));
                !read.abs_diff_eq(matrices[usize::from(joint)], 1e-5)
            });
            let effects = [filter, place, format, order, width];
            let warned = effects.iter().any(|effect| effect(palette).wrong);
            assert_eq!(warned, off, "{:?} {:?}", palette.faults, palette.transport);
        });
    }

    #[test]
    fn where_a_switch_has_no_effect_the_reason_is_given() {
        let matrices = [Mat4::IDENTITY];
        let faults: BTreeSet<SkinningFault> = SkinningFault::OF_TEXTURE.into();
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TexelFetch,
            float_linear: true,
        };
        assert!(filter(&palette).words.contains("knows no filter"));
        assert!(place(&palette).words.contains("whole numbers"));
        assert!(order(&palette).words.contains("its own transpose"));
        let halves: BTreeSet<SkinningFault> = [SkinningFault::Half].into();
        let palette = PaletteTexture { faults: &halves, ..palette };
        assert!(format(&palette).words.contains("No effect in this pose"));
    }
}
