//! Rows of a table: words to the left, numbers to the right.

use eframe::egui::{
    self, Color32, FontFamily, FontId, Rect, Response, RichText, Sense, Ui, pos2, vec2,
};

use crate::ui::theme::{SMALL, Theme, family};

/// A table's cell: words, how they are set.
pub(super) struct Words {
    pub(super) text: RichText,
    pub(super) width: f32,
    pub(super) right: bool,
}

pub(super) fn words(text: impl Into<String>, width: f32) -> Words {
    Words {
        text: RichText::new(text).size(SMALL),
        width,
        right: false,
    }
}

pub(super) fn number(text: impl Into<String>, width: f32, strong: bool) -> Words {
    let family = if strong {
        family::mono_strong()
    } else {
        FontFamily::Monospace
    };
    Words {
        text: RichText::new(text).font(FontId::new(SMALL, family)),
        width,
        right: true,
    }
}

pub(super) fn row(ui: &mut Ui, theme: &Theme, shade: bool, cells: Vec<Words>) {
    let fill = shade.then_some(theme.panel);
    row_with(ui, fill, Sense::hover(), cells);
}

/// A row with a ground, that may be clicked; the caller names it.
pub(super) fn row_with(
    ui: &mut Ui,
    fill: Option<Color32>,
    sense: Sense,
    cells: Vec<Words>,
) -> Response {
    let width: f32 = cells.iter().map(|cell| cell.width).sum();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), sense);
    if let Some(fill) = fill {
        ui.painter()
            .rect_filled(rect.expand2(vec2(6.0, 0.0)), 3.0, fill);
    }
    let mut left = rect.left();
    for cell in cells {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(cell.width, rect.height()));
        let layout = if cell.right {
            egui::Layout::right_to_left(egui::Align::Center)
        } else {
            egui::Layout::left_to_right(egui::Align::Center)
        };
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(layout));
        child.add(egui::Label::new(cell.text).extend().selectable(false));
        left += cell.width;
    }
    response
}

pub(super) fn heads(ui: &mut Ui, theme: &Theme, heads: [&str; 4], widths: [f32; 4]) {
    let cells = heads
        .into_iter()
        .zip(widths)
        .enumerate()
        .map(|(column, (head, width))| Words {
            text: theme.caption(head),
            width,
            right: column > 0,
        })
        .collect();
    row(ui, theme, false, cells);
}

/// Narrower where there is less room.
pub(super) fn fitted(ui: &Ui, widths: [f32; 4]) -> [f32; 4] {
    let all: f32 = widths.iter().sum();
    let factor = (ui.available_width() / all).min(1.0);
    widths.map(|width| width * factor)
}
