//! The ways to the shader: which are open to the present skin on the chosen
//! device, and which one the picture takes.

use eframe::egui::{Button, Label, RichText, Ui, WidgetInfo, accesskit::Role, vec2};

use crate::lesson::{Setting, Transport};
use crate::notebook::palette_plan::{PageLoad, capacity};
use crate::notebook::{Edit, GpuLimits, numbers::grouped};
use crate::ui::PageContext;
use crate::ui::theme::CAPTION;

const NAMES: f32 = 164.0;

pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let load = PageLoad::new(page.derived);
    let limits = GpuLimits::of(page.document.state.device, page.limits);
    let asked = page.document.state.transport;
    let words = format!(
        "The picture’s {} {} go to the shader through",
        grouped(load.alone.joints),
        if load.alone.joints == 1 {
            "joint"
        } else {
            "joints"
        }
    );
    ui.label(page.theme.caption(words));
    ui.spacing_mut().item_spacing.y = 4.0;
    for way in Transport::ALL {
        let fit = limits.as_ref().map(|limits| {
            load.plan(way, limits)?;
            capacity(way, load.alone.blending.vec4s_per_joint(), limits)
        });
        let open = !matches!(fit, Some(Err(_)));
        let beside = match fit {
            Some(Ok(fit)) => format!("{} joints fit", grouped(fit)),
            Some(Err(misfit)) => misfit.to_string(),
            None => "no GL here to ask".to_owned(),
        };
        ui.horizontal(|ui| {
            let on = way == asked;
            let button = Button::selectable(on, RichText::new(way.label()).size(CAPTION))
                .frame_when_inactive(true)
                .min_size(vec2(NAMES, 0.0));
            let response = ui.add_enabled(open, button);
            response.widget_info(|| {
                let label = format!("{}: {beside}", way.label());
                WidgetInfo::selected(Role::RadioButton, open, on, label)
            });
            if response.clicked() {
                let setting = Setting::Transport(way);
                page.edits.push(Edit::set(setting));
            }
            let text = page.theme.caption(&beside);
            ui.add(Label::new(text).wrap());
        });
    }
    let Some(limits) = limits else {
        return;
    };
    let words = match load.choose(asked, &limits) {
        Ok(taken) if taken.instead_of.is_some() => {
            format!("Asked for: {taken}.")
        }
        Ok(_) => return,
        Err(no_way) => format!("No way is open. {no_way}"),
    };
    ui.label(RichText::new(words).size(CAPTION).color(page.theme.caution));
}
