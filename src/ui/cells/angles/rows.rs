//! Rows of sliders: a label, a slider and a number each.

use eframe::egui::{self, RichText, Ui, vec2};

use crate::asset::{NodePart, Param, ParamKind};
use crate::lesson::PARAM_LIMIT;
use crate::notebook::Entity;
use crate::notebook::demonstration::Part;
use crate::skin::JointIndex;
use crate::ui::PageContext;
use crate::ui::cells::joint_label::{BADGE, FONT, joint_label};
use crate::ui::widgets::Scrub;
use crate::ui::widgets::slider::Slider;

/// Rigs with more angles than this show them in a box that scrolls.
pub(super) const LONG: usize = 8;

/// In a box that scrolls, if there are many.
pub(super) fn scrolled(ui: &mut Ui, params: &[&Param], page: &mut PageContext<'_>) {
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
pub(super) fn params_ui(ui: &mut Ui, params: &[&Param], page: &mut PageContext<'_>) {
    let half = (ui.available_width() - 16.0) / 2.0;
    let room = label_width(half) - BADGE;
    let fits = |param: &&Param| {
        let text = param.label.clone();
        let galley = ui.painter().layout_no_wrap(text, FONT, page.theme.ink);
        galley.size().x <= room
    };
    let two = params.len() > 2 && half > 272.0 && params.iter().all(fits);
    let columns = if two { 2 } else { 1 };
    let width = (ui.available_width() - 16.0 * (columns - 1) as f32) / columns as f32;
    for pair in params.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            for param in pair {
                ui.allocate_ui(vec2(width, 26.0), |ui| {
                    ui.set_width(width);
                    param_ui(ui, page, param);
                });
            }
        });
    }
}

/// The row of one parameter.
pub(in crate::ui) fn param_ui(ui: &mut Ui, page: &mut PageContext<'_>, param: &Param) {
    let row = Row {
        name: &param.name,
        label: &param.label,
        joint: param.kind.joint(),
        value: Some(value(page, param)),
        range: param.range,
        default: param.default,
        unit: Unit::from_kind(param.kind),
    };
    row.show(ui, page);
}

/// What a number is shown in.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Unit {
    Degrees,
    /// Times as large.
    Times,
    /// A share of a shape, 0 to 1 as a rule.
    Share,
    /// World units.
    Length,
}

impl Unit {
    fn from_kind(kind: ParamKind) -> Self {
        match kind {
            ParamKind::Angle { .. }
            | ParamKind::Angles { .. }
            | ParamKind::BindAngle { .. }
            | ParamKind::MeshNode(NodePart::Turn(_)) => Self::Degrees,
            ParamKind::Scale { .. } | ParamKind::MeshNode(NodePart::Size) => Self::Times,
            ParamKind::Morph { .. } | ParamKind::RestToPose => Self::Share,
            ParamKind::BindShift { .. }
            | ParamKind::StoredShift { .. }
            | ParamKind::BindShape { .. }
            | ParamKind::MeshNode(NodePart::Shift(_)) => Self::Length,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Degrees => "°",
            Self::Times => " ×",
            Self::Share | Self::Length => "",
        }
    }
}

/// A label, a slider and a number.
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) joint: Option<JointIndex>,
    /// `None`: several that differ.
    pub(super) value: Option<f64>,
    pub(super) range: (f64, f64),
    pub(super) default: f64,
    pub(super) unit: Unit,
}

impl Row<'_> {
    pub(super) fn show(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let (name, label, joint) = (self.name, self.label, self.joint);
        let (value, default, unit) = (self.value, self.default, self.unit);
        let shown = ui.push_id(name, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                let color = joint.map_or(page.theme.accent, |joint| page.theme.joint_line(joint));
                let room = label_width(ui.available_width());
                let of_joint = (joint, joint.map(Entity::Joint));
                joint_label(ui, page, of_joint, label, room);
                let number_width = 72.0;
                let id = (ui.scope_id(), "angle", name);
                let number = Scrub::new(id, value.unwrap_or(default), label)
                    .suffix(unit.suffix())
                    .decimals(if unit == Unit::Degrees { 1 } else { 2 })
                    .chars(7)
                    .range(self.range.0..=self.range.1)
                    .limits(-PARAM_LIMIT..=PARAM_LIMIT);
                let slider = Slider {
                    number: &number,
                    home: default,
                    filled_from: default,
                    color,
                };
                let width = ui.available_width() - number_width - 8.0;
                let (response, slid) = slider.show(ui, width, page.theme);
                if let Some(joint) = joint.filter(|_| response.hovered() || response.dragged()) {
                    page.linked.hover(Entity::Joint(joint));
                }
                let typed = if value.is_some() {
                    number.show(ui)
                } else {
                    // Angles that differ have no number in common.
                    ui.label(RichText::new("–").monospace().color(page.theme.quiet));
                    None
                };
                page.change_param(name, slid.or(typed));
            })
            .response
        });
        let part = Part::Param(name.to_owned());
        page.view.placed.note(part, shown.inner.rect);
    }
}

/// As it is now; the default where the rig has no such parameter.
pub(super) fn value(page: &PageContext<'_>, param: &Param) -> f64 {
    page.derived.param(&param.name).unwrap_or(param.default)
}
