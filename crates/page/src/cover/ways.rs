//! The five ways in, from the cover.

use bindpose_notebook::{CoverWay, CoverWayEnd};
use eframe::egui::{Color32, CursorIcon, FontId, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::choice::{CoverChoice, CoverNotebook, child};
use crate::command::Command;
use crate::theme::{BODY, INTERFACE, Theme, font};

/// Height of the row, in points.
pub(super) const HEIGHT: f32 = 156.0;
/// Between two of them.
const GAP: f32 = 18.0;

/// Side by side.
pub(super) fn row_ui(
    ui: &mut Ui,
    theme: &Theme,
    notebook: &CoverNotebook,
    teaches: &mut bool,
    chosen: &mut Option<CoverChoice>,
) {
    let ways = &notebook.ways;
    let row = ui.max_rect();
    let width = (row.width() + GAP) / ways.len() as f32 - GAP;
    for (index, way) in ways.iter().enumerate() {
        let corner = row.min + vec2(index as f32 * (width + GAP), 0.0);
        let rect = Rect::from_min_size(corner, vec2(width, HEIGHT - 12.0));
        let ui = &mut child(ui, rect);
        let edge = if index == 0 { theme.accent } else { theme.rule };
        way_ui(ui, theme, way, (rect, edge), (&mut *teaches, &mut *chosen));
    }
}

/// Below each other.
pub(super) fn list_ui(
    ui: &mut Ui,
    theme: &Theme,
    notebook: &CoverNotebook,
    teaches: &mut bool,
    chosen: &mut Option<CoverChoice>,
) {
    for (index, way) in notebook.ways.iter().enumerate() {
        let size = vec2(ui.available_width(), 72.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let ui = &mut child(ui, rect);
        let edge = if index == 0 { theme.accent } else { theme.rule };
        way_ui(ui, theme, way, (rect, edge), (&mut *teaches, &mut *chosen));
    }
}

fn way_ui(
    ui: &Ui,
    theme: &Theme,
    way: &CoverWay,
    (rect, edge): (Rect, Color32),
    (teaches, chosen): (&mut bool, &mut Option<CoverChoice>),
) {
    let response = ui.interact(rect, ui.scope_id().with(way.title), Sense::click());
    let name = format!("{}: {}", way.title, way.about);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let lit = response.hovered() || response.has_focus();
    let (edge, ink) = if lit { (theme.accent, theme.accent) } else { (edge, theme.ink) };
    ui.painter().hline(rect.x_range(), rect.top() + 1.0, Stroke::new(2.0, edge));
    let inside = rect.with_min_y(rect.top() + 14.0);
    let title = (way.title, font::strong(BODY), ink);
    let about = (&*way.about, FontId::proportional(INTERFACE), theme.quiet);
    let mut at = inside.min;
    for (words, font, color) in [title, about] {
        let galley = ui.painter().layout(words.to_owned(), font, color, inside.width());
        let height = galley.size().y;
        ui.painter().galley(at, galley, color);
        at.y += height + 4.0;
    }
    if lit {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    if response.clicked() {
        match &way.leads {
            CoverWayEnd::Route(name) => *chosen = Some(CoverChoice::Follow(name.clone())),
            CoverWayEnd::Beginning => *chosen = Some(CoverChoice::Begin),
            CoverWayEnd::OwnModel(_) => *chosen = Some(CoverChoice::Do(Command::Open)),
            CoverWayEnd::Teaching => *teaches = true,
        }
    }
}
