//! In the place of a picture that cannot be drawn: why.

use eframe::egui::{FontId, Pos2, Rect, Ui};

use crate::PageContext;
use crate::theme::SMALL;

pub(super) fn ui(ui: &Ui, rect: Rect, page: &PageContext<'_>, missing: &str) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 8.0, page.theme.panel);
    let galley = painter.layout(
        missing.to_owned(),
        FontId::proportional(SMALL),
        page.theme.quiet,
        (rect.width() - 32.0).max(40.0),
    );
    let at = Pos2::new(rect.left() + 16.0, rect.bottom() - 16.0 - galley.size().y);
    painter.galley(at, galley, page.theme.quiet);
}
