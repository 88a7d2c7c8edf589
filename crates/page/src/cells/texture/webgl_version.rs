//! WebGL 1 or WebGL 2: the lines of the shader that differ, and the checks of the device
//! that a program must make first.

use bindpose_kit::code;
use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, font};
use bindpose_lesson::number_text::grouped;
use bindpose_lesson::{Setting, SkinningFault, Transport};
use bindpose_notebook::GpuLimits;
use bindpose_notebook::palette_texture::{PaletteTexture, needs_float_linear};
use eframe::egui::{RichText, Ui, vec2};

use super::switches::{Effect, EffectLabel, switch_row};
use crate::PageContext;
use crate::cells::device;

const WEBGL2: &str = "\
in uvec4 joints;

texelFetch(palette, ivec2(column, joint), 0)";

const WEBGL1: &str = "\
attribute vec4 joints;

texture2D(palette, vec2(
  (column + 0.5) / 4.0,
  (joint + 0.5) / joint_count))";

const WEBGL1_EDGE: &str = "\
attribute vec4 joints;

texture2D(palette, vec2(
  column / 4.0,
  joint / joint_count))  // no half";

const TEXEL_FETCH_TEXT: &str = "Whole numbers: no filter, no centres. The picture is the same.";
const SAMPLED_TEXT: &str = "Coordinates from 0 to 1: everything above counts.";
const UNIFORMS_TEXT: &str = "Neither: the picture takes its palette through uniforms.";

/// A check of the device.
struct DeviceCheck {
    question: String,
    answer: String,
    passed: bool,
}

/// Draws the choice of the WebGL version and that of the device.
pub(super) fn ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, palette: &PaletteTexture<'_>) {
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 6.0;
    version_ui(ui, page, palette);
    device::device_chooser_ui(ui, id, page);
    device::device_limits_ui(ui, page);
}

/// Draws the switch between WebGL versions, its lines of the shader and its checks.
fn version_ui(ui: &mut Ui, page: &mut PageContext<'_>, palette: &PaletteTexture<'_>) {
    let transport = page.document.state.transport;
    let transports = [Transport::TexelFetch, Transport::TextureCentres];
    let current = transports.iter().position(|other| *other == transport);
    let text = if transport.is_fetched() {
        TEXEL_FETCH_TEXT
    } else if transport.is_sampled() {
        SAMPLED_TEXT
    } else {
        UNIFORMS_TEXT
    };
    let effect = Effect { text: text.to_owned(), wrong: false };
    let all_texts = &[TEXEL_FETCH_TEXT, SAMPLED_TEXT, UNIFORMS_TEXT];
    let label = EffectLabel { effect: &effect, all_texts };
    // No option is selected if the palette is not read from a texture.
    let option = current.unwrap_or(usize::MAX);
    let chosen = switch_row(ui, page.theme, "path", &["WebGL 2", "WebGL 1"], option, Some(label));
    if let Some(&transport) = chosen.and_then(|chosen| transports.get(chosen)) {
        page.choose(Setting::Transport(transport));
    }
    if current.is_none() {
        return;
    }
    let uses_webgl1 = transport.is_sampled();
    let lines = if !uses_webgl1 {
        WEBGL2
    } else if palette.faults.contains(&SkinningFault::Edge) {
        WEBGL1_EDGE
    } else {
        WEBGL1
    };
    code::listing_ui(ui, "glsl", lines, None, page.theme);
    let Some(limits) = GpuLimits::for_device(page.document.state.device, page.limits) else {
        let text = "There is no GL here to ask; choose a device below.";
        ui.label(page.theme.caption(text));
        return;
    };
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for check in device_checks(uses_webgl1, palette, &limits) {
            check_ui(ui, page, &check);
        }
    });
}

/// Returns the checks that a program must make before it reads the palette this way.
fn device_checks(
    uses_webgl1: bool,
    palette: &PaletteTexture<'_>,
    limits: &GpuLimits,
) -> Vec<DeviceCheck> {
    let units = limits.vertex_texture_units;
    let row_count = palette.height();
    let (question, passed) = if uses_webgl1 {
        ("getExtension(\"OES_texture_float\")", limits.float_textures)
    } else {
        ("texelFetch, uvec4 attributes", limits.texel_fetch)
    };
    let mut checks = vec![
        DeviceCheck {
            question: question.to_owned(),
            answer: feature_answer(passed, limits),
            passed,
        },
        DeviceCheck {
            question: "MAX_VERTEX_TEXTURE_IMAGE_UNITS > 0".to_owned(),
            answer: units.to_string(),
            passed: units > 0,
        },
        DeviceCheck {
            question: format!("MAX_TEXTURE_SIZE ≥ {row_count}"),
            answer: grouped(limits.texture_size),
            passed: limits.texture_size >= row_count,
        },
    ];
    if needs_float_linear(palette.faults) {
        checks.push(DeviceCheck {
            question: "OES_texture_float_linear, for LINEAR".to_owned(),
            answer: feature_answer(limits.float_linear, limits),
            passed: limits.float_linear,
        });
    }
    checks
}

/// Answers whether the device has a feature that is an extension in WebGL 1.
fn feature_answer(is_supported: bool, limits: &GpuLimits) -> String {
    let is_webgl1_device = !limits.texel_fetch;
    match (is_supported, is_webgl1_device) {
        (true, false) => "part of this GL".to_owned(),
        (true, true) => "yes".to_owned(),
        (false, _) => "no".to_owned(),
    }
}

/// Draws the outcome of a check: `✓ MAX_TEXTURE_SIZE ≥ 3: 2048`.
fn check_ui(ui: &mut Ui, page: &PageContext<'_>, check: &DeviceCheck) {
    let theme = page.theme;
    let (mark, color) = if check.passed { ("✓", theme.right) } else { ("✗", theme.wrong) };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
        ui.spacing_mut().interact_size.y = 18.0;
        ui.label(RichText::new(mark).font(font::strong(INTERFACE_SIZE)).color(color));
        let question = RichText::new(format!("{}:", check.question));
        ui.label(question.monospace().size(CAPTION_SIZE));
        ui.label(RichText::new(&check.answer).font(font::strong(CAPTION_SIZE)).color(color));
    });
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::Device;

    use super::*;
    use std::collections::BTreeSet;

    fn failed_checks(uses_webgl1: bool, faults: &[SkinningFault], device: Device) -> Vec<String> {
        let matrices = [glam::Mat4::IDENTITY; 100];
        let faults: BTreeSet<SkinningFault> = faults.iter().copied().collect();
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TextureCentres,
            float_linear: false,
        };
        let limits = GpuLimits::for_device(device, None).expect("a played device");
        device_checks(uses_webgl1, &palette, &limits)
            .into_iter()
            .filter(|check| !check.passed)
            .map(|check| check.question)
            .collect()
    }

    #[test]
    fn each_simulated_device_fails_exactly_the_checks_of_its_gaps() {
        assert!(failed_checks(false, &[], Device::LeastWebgl2).is_empty());
        assert!(failed_checks(true, &[], Device::LeastWebgl2).is_empty());
        let linear = failed_checks(true, &[SkinningFault::Linear], Device::LeastWebgl2);
        assert_eq!(linear, ["OES_texture_float_linear, for LINEAR"]);
        let size = "MAX_TEXTURE_SIZE ≥ 100";
        assert_eq!(failed_checks(true, &[], Device::Webgl1), [size]);
        assert_eq!(
            failed_checks(false, &[], Device::Webgl1),
            ["texelFetch, uvec4 attributes", size]
        );
        assert_eq!(
            failed_checks(true, &[], Device::Webgl1NoFloatTextures),
            ["getExtension(\"OES_texture_float\")", size]
        );
        assert_eq!(
            failed_checks(true, &[], Device::Webgl1NoVertexTextures),
            ["MAX_VERTEX_TEXTURE_IMAGE_UNITS > 0", size]
        );
    }
}
