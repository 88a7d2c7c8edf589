//! Rows of sliders: a label, a slider and a number each.

use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::{DrivenParam, Entity};
use bindpose_skin::JointIndex;
use eframe::egui::{self, Align, FontId, Layout, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use super::slider_param::{SliderFormat, SliderParam};
use crate::PageContext;
use crate::cells::joint_label::{BADGE, FONT, joint_label};
use crate::theme::CAPTION;
use crate::widgets::slider::Slider;
use crate::widgets::{PaintText as _, Scrub, Tip as _, fitted_text};

/// Rigs with more angles than this show them in a box that scrolls.
pub(super) const LONG: usize = 8;

/// In a box that scrolls, if there are many.
pub(super) fn scrolled(ui: &mut Ui, params: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    if params.len() > LONG {
        egui::ScrollArea::vertical()
            .id_salt("angles")
            .max_height((ui.ctx().content_rect().height() * 0.3).max(140.0))
            .auto_shrink([false, true])
            .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysVisible)
            .show(ui, |ui| params_ui(ui, params, page));
    } else {
        params_ui(ui, params, page);
    }
}

/// Room for the label in a row of this width.
fn label_width(row: f32) -> f32 {
    (row * 0.32).clamp(64.0, 180.0)
}

/// In one column, or in two where there is room and need, and no name is cut.
pub(super) fn params_ui(ui: &mut Ui, params: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    let half = (ui.available_width() - 16.0) / 2.0;
    let room = label_width(half) - BADGE;
    let fits = |param: &SliderParam<'_>| {
        let text = param.label().to_owned();
        let galley = ui.painter().layout_no_wrap(text, FONT, page.theme.ink);
        galley.size().x <= room
    };
    let two = params.len() > 2 && half > 272.0 && params.iter().all(fits);
    let columns = if two { 2 } else { 1 };
    let width = (ui.available_width() - 16.0 * (columns - 1) as f32) / columns as f32;
    for pair in params.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            for &param in pair {
                ui.allocate_ui(vec2(width, 26.0), |ui| {
                    ui.set_width(width);
                    param_ui(ui, page, param);
                });
            }
        });
    }
}

/// The row of one parameter.
pub(crate) fn param_ui(ui: &mut Ui, page: &mut PageContext<'_>, param: SliderParam<'_>) {
    let row = AngleRow {
        name: param.name(),
        label: param.label(),
        joint: param.joint(),
        value: Some(param.value(page)),
        range: param.range(),
        limits: param.limits(),
        default: param.default(),
        format: param.format(),
    };
    row.show(ui, page);
}

/// A label, a slider and a number.
pub(super) struct AngleRow<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) joint: Option<JointIndex>,
    /// `None`: several that differ.
    pub(super) value: Option<f64>,
    pub(super) range: (f64, f64),
    /// What may be typed.
    pub(super) limits: (f64, f64),
    pub(super) default: f64,
    pub(super) format: SliderFormat,
}

impl AngleRow<'_> {
    pub(super) fn show(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let name = self.name;
        let shown = ui.push_id(name, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                let room = label_width(ui.available_width());
                let of_joint = (self.joint, self.joint.map(Entity::Joint));
                joint_label(ui, page, of_joint, self.label, room);
                match page.derived.driven(name) {
                    Some(driven) => self.followed(ui, page, driven),
                    None => self.slider(ui, page),
                }
            })
            .response
        });
        let part = DemonstratedPart::Param(name.to_owned());
        page.view.placed.note(part, shown.inner.rect);
    }

    fn number(&self, ui: &Ui) -> Scrub {
        let id = (ui.scope_id(), "angle", self.name);
        let number = Scrub::new(id, self.value.unwrap_or(self.default), self.label)
            .suffix(self.format.suffix.as_str())
            .chars(7)
            .range(self.range.0..=self.range.1)
            .limits(self.limits.0..=self.limits.1);
        match (self.format.whole, self.format.step) {
            (true, _) => number.whole(),
            (false, Some(step)) => number.decimals(self.format.decimals).in_steps(step),
            (false, None) => number.decimals(self.format.decimals),
        }
    }

    fn slider(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let joint = self.joint;
        let color = joint.map_or(page.theme.accent, |joint| page.theme.joint_line(joint));
        let number = self.number(ui);
        let slider =
            Slider { number: &number, home: self.default, filled_from: self.default, color };
        let width = ui.available_width() - number_width(ui, &number) - 8.0;
        let (response, slid) = slider.show(ui, width, page.theme);
        if let Some(joint) = joint.filter(|_| response.hovered() || response.dragged()) {
            page.linked.hover(Entity::Joint(joint));
        }
        let typed = if self.value.is_some() {
            number.show(ui)
        } else {
            // Angles that differ have no number in common.
            ui.label(RichText::new("–").monospace().color(page.theme.quiet));
            None
        };
        page.change_param(self.name, slid.or(typed));
    }

    /// What it follows, and its number, which nobody drags.
    fn followed(&self, ui: &mut Ui, page: &PageContext<'_>, driven: &DrivenParam) {
        let number = self.number(ui);
        let width = ui.available_width() - number_width(ui, &number) - 8.0;
        let (rect, response) = ui.allocate_exact_size(vec2(width.max(40.0), 24.0), Sense::hover());
        let formula = format!("= {}", driven.formula);
        let (words, color) = match &driven.error {
            None => (formula.clone(), page.theme.quiet),
            Some(error) => (format!("{formula}: {error}"), page.theme.wrong),
        };
        let galley = fitted_text(ui, &words, &FontId::monospace(CAPTION), rect.width(), color);
        let at = rect.left_center();
        ui.painter().galley_left(at, galley, color);
        let told = format!("{}: {} {words}", self.label, number.text());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
        let label = self.label;
        response.tip(format!("{label} follows {words}. Change what that depends on."));
        let shown = RichText::new(number.text()).monospace();
        let size = vec2(number.size(ui).x, 24.0);
        let layout = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.label(shown.color(page.theme.ink));
        });
    }
}

/// Room for the number at the end of a row.
fn number_width(ui: &Ui, number: &Scrub) -> f32 {
    number.size(ui).x.max(72.0)
}
