//! WebGL 1 or WebGL 2: the lines of the shader that differ, and what a program
//! must ask the device first.

use bindpose_lesson::{Setting, SkinningFault, Transport};
use bindpose_notebook::palette_texture::{PaletteTexture, needs_float_linear};
use bindpose_notebook::{GpuLimits, number_text::grouped};
use eframe::egui::{RichText, Ui, vec2};

use super::switches;
use super::switches::Effect;
use crate::cells::device;
use crate::theme::{CAPTION, INTERFACE, font};
use crate::{PageContext, code};

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

/// What is said of the path that is taken.
const PATH_SAYS: [&str; 3] = [
    "Whole numbers: no filter, no centres. The picture is the same.",
    "Coordinates from 0 to 1: everything above counts.",
    "Neither: the picture takes its palette through uniforms.",
];

/// A question to the device, and its answer.
struct DeviceCheck {
    question: String,
    answer: String,
    passed: bool,
}

/// Which path through a texture, and the machine that is asked for it.
pub(super) fn ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, palette: &PaletteTexture<'_>) {
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 6.0;
    paths(ui, page, palette);
    device::chooser(ui, id, page);
    device::offers(ui, page);
}

fn paths(ui: &mut Ui, page: &mut PageContext<'_>, palette: &PaletteTexture<'_>) {
    let asked = page.document.state.transport;
    let paths = [Transport::TexelFetch, Transport::TextureCentres];
    let current = paths.iter().position(|&path| path == asked);
    let effect = Effect {
        words: if asked.is_fetched() {
            PATH_SAYS[0]
        } else if asked.is_sampled() {
            PATH_SAYS[1]
        } else {
            PATH_SAYS[2]
        }
        .to_owned(),
        wrong: false,
    };
    let words = ["WebGL 2", "WebGL 1"];
    let down = current.unwrap_or(usize::MAX);
    let effect = Some((&effect, &PATH_SAYS[..]));
    let chosen = switches::row(ui, page.theme, "path", (&words, down), effect);
    if let Some(&path) = chosen.and_then(|chosen| paths.get(chosen)) {
        page.choose(Setting::Transport(path));
    }
    if current.is_none() {
        return;
    }
    let webgl1 = asked.is_sampled();
    let lines = match (webgl1, palette.faults.contains(&SkinningFault::Edge)) {
        (false, _) => WEBGL2,
        (true, false) => WEBGL1,
        (true, true) => WEBGL1_EDGE,
    };
    code::listing_ui(ui, "glsl", lines, page.theme);
    let Some(limits) = GpuLimits::for_device(page.document.state.device, page.limits) else {
        let words = "There is no GL here to ask; choose a device below.";
        ui.label(page.theme.caption(words));
        return;
    };
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for check in checks(webgl1, palette, &limits) {
            show(ui, page, &check);
        }
    });
}

/// What must be asked before this path is taken.
fn checks(webgl1: bool, palette: &PaletteTexture<'_>, limits: &GpuLimits) -> Vec<DeviceCheck> {
    let is_webgl1 = !limits.texel_fetch;
    let units = limits.vertex_texture_units;
    let rows = palette.height();
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let part = |yes: bool| {
        if yes && !is_webgl1 { "part of this GL".to_owned() } else { yes_no(yes) }
    };
    let (question, passed) = if webgl1 {
        ("getExtension(\"OES_texture_float\")", limits.float_textures)
    } else {
        ("texelFetch, uvec4 attributes", limits.texel_fetch)
    };
    let mut checks = vec![
        DeviceCheck { question: question.to_owned(), answer: part(passed), passed },
        DeviceCheck {
            question: "MAX_VERTEX_TEXTURE_IMAGE_UNITS > 0".to_owned(),
            answer: units.to_string(),
            passed: units > 0,
        },
        DeviceCheck {
            question: format!("MAX_TEXTURE_SIZE ≥ {rows}"),
            answer: grouped(limits.texture_size),
            passed: limits.texture_size >= rows,
        },
    ];
    if needs_float_linear(palette.faults) {
        checks.push(DeviceCheck {
            question: "OES_texture_float_linear, for LINEAR".to_owned(),
            answer: part(limits.float_linear),
            passed: limits.float_linear,
        });
    }
    checks
}

/// `✓ MAX_TEXTURE_SIZE ≥ 3: 2048`
fn show(ui: &mut Ui, page: &PageContext<'_>, check: &DeviceCheck) {
    let theme = page.theme;
    let (mark, color) = if check.passed { ("✓", theme.right) } else { ("✗", theme.wrong) };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
        ui.spacing_mut().interact_size.y = 18.0;
        let strong = |words: &str, size| RichText::new(words).font(font::strong(size)).color(color);
        ui.label(strong(mark, INTERFACE));
        let question = RichText::new(format!("{}:", check.question));
        ui.label(question.monospace().size(CAPTION));
        ui.label(strong(&check.answer, CAPTION));
    });
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::Device;

    use super::*;
    use std::collections::BTreeSet;

    fn failed(webgl1: bool, faults: &[SkinningFault], device: Device) -> Vec<String> {
        let matrices = [glam::Mat4::IDENTITY; 100];
        let faults: BTreeSet<SkinningFault> = faults.iter().copied().collect();
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TextureCentres,
            float_linear: false,
        };
        let limits = GpuLimits::for_device(device, None).expect("a played device");
        checks(webgl1, &palette, &limits)
            .into_iter()
            .filter(|check| !check.passed)
            .map(|check| check.question)
            .collect()
    }

    #[test]
    fn each_played_device_fails_what_it_lacks_and_nothing_else() {
        assert!(failed(false, &[], Device::LeastWebgl2).is_empty());
        assert!(failed(true, &[], Device::LeastWebgl2).is_empty());
        let linear = failed(true, &[SkinningFault::Linear], Device::LeastWebgl2);
        assert_eq!(linear, ["OES_texture_float_linear, for LINEAR"]);
        let size = "MAX_TEXTURE_SIZE ≥ 100";
        assert_eq!(failed(true, &[], Device::Webgl1), [size]);
        assert_eq!(failed(false, &[], Device::Webgl1), ["texelFetch, uvec4 attributes", size]);
        assert_eq!(
            failed(true, &[], Device::Webgl1NoFloatTextures),
            ["getExtension(\"OES_texture_float\")", size]
        );
        assert_eq!(
            failed(true, &[], Device::Webgl1NoVertexTextures),
            ["MAX_VERTEX_TEXTURE_IMAGE_UNITS > 0", size]
        );
    }
}
