//! A number in the text that can be dragged, stepped, typed and reset.

use bindpose_lesson::NumberFormat;
use bindpose_notebook::Entity;
use bindpose_notebook::page_state::PageParam;
use eframe::egui::{self, Area, CursorIcon, Id, Order, Pos2, Response, Role, TextEdit, Ui, vec2};

use super::typeset::PieceSpot;
use crate::PageContext;
use crate::theme::{BODY, Theme, font};
use crate::widgets::{Scrub, ScrubChange, Tip as _};

/// Lets the reader change the number under `response`.
pub(super) fn scrub_ui(
    ui: &mut Ui,
    response: &Response,
    spots: &[PieceSpot],
    name: &str,
    param: &PageParam,
    format: &NumberFormat,
    page: &mut PageContext<'_>,
) {
    let number = number(response.id, param, format);
    number.describe(ui, response, Role::SpinButton);
    let held = response.hovered() || response.dragged();
    if held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if let Some(joint) = param.joint.filter(|_| held) {
        page.linked.hover(Entity::Joint(joint));
    }
    let typed = spots.first().filter(|_| number.is_typed(ui));
    let change = if let Some(spot) = typed {
        number.typing(ui, |ui, edit, refused| {
            field_ui(ui, response.id, spot, edit, refused, page.theme)
        })
    } else {
        if !response.dragged() {
            let hint = format!("{}. {}", param.label, Scrub::hint(ui));
            response.clone().tip(hint);
        }
        number.interact(ui, response)
    };
    let same = |change: &ScrubChange| *change == ScrubChange::Set(param.value);
    page.change_param(name, change.filter(|change| !same(change)));
}

/// Without the brackets and words that it may stand in; the unit stays.
fn number(id: Id, param: &PageParam, format: &NumberFormat) -> Scrub {
    let unit = ["°", "%"].into_iter().find(|unit| format.suffix.trim_start().starts_with(unit));
    let number = Scrub::with_id(id, param.value, &param.label)
        .suffix(unit.unwrap_or_default())
        .range(param.range.0..=param.range.1)
        .limits(param.limits.0..=param.limits.1);
    let number = if param.whole { number.whole() } else { number.decimals(format.decimals) };
    let shown_per_stored = format.shown_per_stored();
    match param.step.filter(|_| !param.whole) {
        Some(step) => number.in_steps(step * shown_per_stored),
        None => number,
    }
}

/// The field over the number.
fn field_ui(
    ui: &Ui,
    id: Id,
    spot: &PieceSpot,
    edit: TextEdit<'_>,
    refused: bool,
    theme: &Theme,
) -> Response {
    let edge = if refused { theme.wrong } else { theme.accent };
    let frame = egui::Frame::new()
        .fill(theme.paper)
        .stroke(egui::Stroke::new(1.5, edge))
        .corner_radius(5.0)
        .inner_margin(egui::Margin::symmetric(5, 0));
    let corner = Pos2::new(spot.rect.left() - 6.5, spot.baseline - 17.5);
    let edit = edit
        .margin(vec2(0.0, 2.0))
        .font(font::strong(BODY))
        .text_color(theme.accent)
        .desired_width((spot.rect.width() + 24.0).max(72.0));
    Area::new(id.with("typing"))
        .order(Order::Foreground)
        .fixed_pos(corner)
        .constrain_to(ui.ctx().content_rect())
        .show(ui.ctx(), |ui| {
            ui.spacing_mut().interact_size.y = 0.0;
            frame.show(ui, |ui| ui.add(edit)).inner
        })
        .inner
}
