//! Chooser for the device whose GPU limits apply, shared by several cells.

use bindpose_kit::widgets::drop_down_list;
use bindpose_lesson::number_text::grouped;
use bindpose_lesson::{Device, Setting};
use bindpose_notebook::GpuLimits;
use eframe::egui::{ComboBox, Ui};

use crate::PageContext;

/// Draws a list of devices, such as `device [least WebGL 2]`.
pub(super) fn device_chooser_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let device = page.document.state.device;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(page.theme.caption("device"));
        let list = ComboBox::from_id_salt((id, "device")).width(190.0);
        let name = "the device whose limits count";
        let chosen = drop_down_list(ui, list, name, &device, Device::ALL, |device: &Device| {
            device.label().to_owned()
        });
        if let Some(device) = chosen {
            page.choose(Setting::Device(device));
        }
    });
}

/// Draws a summary of the limits of the chosen device.
pub(super) fn device_limits_ui(ui: &mut Ui, page: &PageContext<'_>) {
    let summary = match GpuLimits::for_device(page.document.state.device, page.limits) {
        Some(limits) => limits_summary(&limits),
        None => "There is no GL here to ask.".to_owned(),
    };
    ui.label(page.theme.caption(summary));
}

/// Formats limits, such as `256 vec4 uniforms · 12 uniform blocks of 16,384 bytes · …`.
fn limits_summary(limits: &GpuLimits) -> String {
    let blocks = match limits.vertex_uniform_blocks {
        0 => "no uniform blocks".to_owned(),
        blocks => {
            format!("{blocks} uniform blocks of {} bytes", grouped(limits.uniform_block_bytes))
        }
    };
    let units = match limits.vertex_texture_units {
        0 => "none in a vertex shader".to_owned(),
        1 => "1 in a vertex shader".to_owned(),
        units => format!("{units} in a vertex shader"),
    };
    let floats = match (limits.float_textures, limits.float_linear) {
        (false, _) => "no float textures",
        (true, false) => "float textures, not filtered",
        (true, true) => "float textures, also filtered",
    };
    format!(
        "{} vec4 uniforms · {blocks} · textures up to {}, {units} · {floats}",
        grouped(limits.vertex_uniform_vec4s),
        grouped(limits.texture_size),
    )
}
