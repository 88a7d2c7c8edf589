//! The transports to the shader: which are open to the present skin on the chosen
//! device, which one the picture takes, and the limits that decide, by the names
//! GL has for them.

use bindpose_lesson::{Device, Setting, Transport};
use bindpose_notebook::palette_plan::{PageLoad, capacity};
use bindpose_notebook::{GpuLimits, number_text::grouped};
use eframe::egui::{Grid, Label, RichText, Ui, WidgetInfo, accesskit::Role, vec2};

use crate::PageContext;
use crate::theme::{CAPTION, FINE};
use crate::widgets::option_button;

const NAMES: f32 = 164.0;

pub(super) fn transports_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let load = PageLoad::new(page.derived);
    let limits = GpuLimits::for_device(page.document.state.device, page.limits);
    let asked = page.document.state.transport;
    let (joints, s) = match load.alone.joints {
        1 => ("1".to_owned(), ""),
        joints => (grouped(joints), "s"),
    };
    let words = format!("The picture’s {joints} joint{s} go to the shader through");
    ui.label(page.theme.caption(words));
    ui.spacing_mut().item_spacing.y = 4.0;
    for transport in Transport::ALL {
        let fit = limits.as_ref().map(|limits| {
            load.plan(transport, limits)?;
            capacity(transport, load.alone.blending.vec4s_per_joint(), limits)
        });
        let open = !matches!(fit, Some(Err(_)));
        let beside = match fit {
            Some(Ok(fit)) => format!("{} joints fit", grouped(fit)),
            Some(Err(misfit)) => misfit.to_string(),
            None => "no GL here to ask".to_owned(),
        };
        ui.horizontal(|ui| {
            let on = transport == asked;
            let button = option_button(on, transport.label()).min_size(vec2(NAMES, 0.0));
            let response = ui.add_enabled(open, button);
            response.widget_info(|| {
                let label = format!("{}: {beside}", transport.label());
                WidgetInfo::selected(Role::RadioButton, open, on, label)
            });
            if response.clicked() {
                page.choose(Setting::Transport(transport));
            }
            ui.add(Label::new(page.theme.caption(&beside)).wrap());
        });
    }
    let Some(limits) = limits else {
        return;
    };
    ui.label(page.theme.caption(why_others(&limits)));
    let words = match load.choose(asked, &limits) {
        Ok(taken) if taken.instead_of.is_some() => {
            format!("Asked for: {taken}.")
        }
        Ok(_) => return,
        Err(no_transport) => format!("No way is open. {no_transport}"),
    };
    ui.label(RichText::new(words).size(CAPTION).color(page.theme.caution));
}

/// Why these numbers are others than those of the lesson's small shader.
fn why_others(limits: &GpuLimits) -> String {
    let taken = limits.vertex_uniform_vec4s - limits.palette_vec4s.min(limits.vertex_uniform_vec4s);
    let slots = format!("Shaders of this page take {taken} slots for the rest");
    match limits.vertex_uniform_blocks {
        0 | 1 => format!("{slots}."),
        blocks => format!("{slots}, and may fill {} blocks.", grouped(blocks)),
    }
}

pub(super) fn limits_ui(ui: &mut Ui, page: &PageContext<'_>) {
    let device = page.document.state.device;
    let Some(limits) = GpuLimits::for_device(device, page.limits) else {
        return;
    };
    let quiet = page.theme.quiet;
    let head = match device {
        Device::Here => format!("Limits of this machine: {}", limits.renderer),
        _ => format!("Limits: {}, what every such device has", device.label()),
    };
    ui.add_space(4.0);
    ui.label(page.theme.caption(head));
    // Two columns where the long names have room.
    let columns = if ui.available_width() >= 620.0 { 2 } else { 1 };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        Grid::new(ui.scope_id().with("limits")).spacing([16.0, 3.0]).show(ui, |ui| {
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
        ("MAX_VERTEX_UNIFORM_VECTORS", grouped(limits.vertex_uniform_vec4s)),
        (
            "MAX_UNIFORM_BLOCK_SIZE",
            match limits.uniform_block_bytes {
                0 => "no blocks".to_owned(),
                bytes => format!("{} B", grouped(bytes)),
            },
        ),
        ("MAX_VERTEX_UNIFORM_BLOCKS", grouped(limits.vertex_uniform_blocks)),
        ("MAX_TEXTURE_SIZE", grouped(limits.texture_size)),
        ("MAX_VERTEX_TEXTURE_IMAGE_UNITS", grouped(limits.vertex_texture_units)),
        ("MAX_VERTEX_ATTRIBS", grouped(limits.vertex_attributes)),
        ("float textures", yes_no(limits.float_textures)),
        ("float textures with LINEAR", yes_no(limits.float_linear)),
    ]
}
