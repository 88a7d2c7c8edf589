//! All limits that decide, by the names GL has for them.

use eframe::egui::{Grid, RichText, Ui};

use crate::lesson::Device;
use crate::notebook::{GpuLimits, numbers::grouped};
use crate::ui::PageContext;
use crate::ui::theme::{CAPTION, FINE};

pub(super) fn ui(ui: &mut Ui, page: &PageContext<'_>) {
    let device = page.document.state.device;
    let Some(limits) = GpuLimits::of(device, page.limits) else {
        return;
    };
    let quiet = page.theme.quiet;
    let head = match device {
        Device::Here => format!("Limits of this machine: {}", limits.renderer),
        _ => format!("Limits: {}, what every such device has", device.label()),
    };
    ui.add_space(4.0);
    ui.label(RichText::new(head).size(CAPTION).color(quiet));
    // Two columns where the long names have room.
    let columns = if ui.available_width() >= 620.0 { 2 } else { 1 };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        Grid::new(ui.scope_id().with("limits"))
            .spacing([16.0, 3.0])
            .show(ui, |ui| {
                for (index, (name, value)) in lines(&limits).into_iter().enumerate() {
                    ui.label(RichText::new(name).monospace().size(FINE).color(quiet));
                    ui.label(RichText::new(value).monospace().size(FINE));
                    if index % columns == columns - 1 {
                        ui.end_row();
                    }
                }
            });
    });
}

fn lines(limits: &GpuLimits) -> [(&'static str, String); 8] {
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    [
        (
            "MAX_VERTEX_UNIFORM_VECTORS",
            grouped(limits.vertex_uniform_vec4s),
        ),
        (
            "MAX_UNIFORM_BLOCK_SIZE",
            match limits.uniform_block_bytes {
                0 => "no blocks".to_owned(),
                bytes => format!("{} B", grouped(bytes)),
            },
        ),
        (
            "MAX_VERTEX_UNIFORM_BLOCKS",
            grouped(limits.vertex_uniform_blocks),
        ),
        ("MAX_TEXTURE_SIZE", grouped(limits.texture_size)),
        (
            "MAX_VERTEX_TEXTURE_IMAGE_UNITS",
            grouped(limits.vertex_texture_units),
        ),
        ("MAX_VERTEX_ATTRIBS", grouped(limits.vertex_attributes)),
        ("float textures", yes_no(limits.float_textures)),
        ("float textures with LINEAR", yes_no(limits.float_linear)),
    ]
}
