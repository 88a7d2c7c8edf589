//! A number to drag as a table shows it: right-aligned, with a dotted underline.

use eframe::egui::{
    Align2, CursorIcon, Direction, FontFamily, FontId, Layout, Margin, Rect, Response, Role, Sense,
    Shape, Stroke, StrokeKind, TextStyle, Ui, UiBuilder, Vec2, pos2, vec2,
};

use super::{Scrub, ScrubChange};
use crate::theme::family;
use crate::widgets::PaintText;
use crate::widgets::Tip as _;

impl Scrub {
    /// The room it takes, for whoever places it by hand.
    pub fn size(&self, ui: &Ui) -> Vec2 {
        let font = self.font_in(ui);
        let (glyph, row) =
            ui.fonts_mut(|fonts| (fonts.glyph_width(&font, '0'), fonts.row_height(&font)));
        let chars = self.text().chars().count().max(self.chars);
        vec2(chars as f32 * glyph, row + 4.0)
    }

    /// Takes its room in the flow of `ui`.
    pub fn show(&self, ui: &mut Ui) -> Option<ScrubChange> {
        let (rect, _) = ui.allocate_exact_size(self.size(ui), Sense::hover());
        self.show_at(ui, rect)
    }

    /// Draws into a rectangle; the caller has taken the room.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect) -> Option<ScrubChange> {
        if self.is_typed(ui) {
            return self.typing(ui, |ui, edit, refused| {
                let field = self.field(ui, rect);
                let visuals = ui.visuals();
                let edge = if refused { visuals.error_fg_color } else { visuals.hyperlink_color };
                ui.painter().rect(
                    field,
                    3.0,
                    visuals.extreme_bg_color,
                    Stroke::new(1.5, edge),
                    StrokeKind::Outside,
                );
                // A child with a salt of its own, so that the ids after it do not shift.
                let mut child = ui.new_child(
                    UiBuilder::new()
                        .id_salt(self.id.with("typing"))
                        .max_rect(field)
                        .layout(Layout::centered_and_justified(Direction::TopDown)),
                );
                // Else it is as high as a button and stands lower than its room.
                child.spacing_mut().interact_size.y = 0.0;
                let row = ui.fonts_mut(|fonts| fonts.row_height(&self.font_in(ui)));
                let above = ((field.height() - row) / 2.0).floor().max(0.0) as i8;
                child.add(
                    edit.font(self.font_in(ui))
                        .margin(Margin::symmetric(3, above))
                        .align(Align2::RIGHT_CENTER)
                        .desired_width(field.width() - 6.0)
                        .clip_text(true),
                )
            });
        }
        let response = ui.interact(rect, self.id, Sense::click_and_drag());
        let change = self.interact(ui, &response);
        self.paint(ui, rect, &response);
        self.describe(ui, &response, Role::SpinButton);
        response.on_hover_cursor(CursorIcon::ResizeHorizontal).tip(Self::hint(ui));
        change
    }

    /// Room to type in: a digit more than stands there, over what stands beside
    /// it, and a line that is not cut.
    fn field(&self, ui: &Ui, rect: Rect) -> Rect {
        let size = self.size(ui);
        let digit = size.x / self.text().chars().count().max(self.chars).max(1) as f32;
        let wide = (size.x + digit + 8.0).max(rect.width() + 8.0);
        let high = size.y.max(rect.height());
        let field = Rect::from_min_max(
            pos2(rect.right() + 4.0 - wide, rect.center().y - high / 2.0),
            pos2(rect.right() + 4.0, rect.center().y + high / 2.0),
        );
        // At the edge of the page to the right rather than cut.
        let left = ui.clip_rect().left() + 2.0;
        field.translate(vec2((left - field.left()).max(0.0), 0.0))
    }

    fn font_in(&self, ui: &Ui) -> FontId {
        let mut font =
            self.font.clone().unwrap_or_else(|| TextStyle::Monospace.resolve(ui.style()));
        if self.changed && font.family == FontFamily::Monospace {
            font.family = family::mono_strong();
        }
        font
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response) {
        if !ui.is_rect_visible(rect) {
            return;
        }
        let visuals = ui.visuals();
        let accent = self.color.unwrap_or(visuals.hyperlink_color);
        let around = rect.expand2(vec2(3.0, 0.0));
        if response.hovered() || response.dragged() {
            ui.painter().rect_filled(around, 3.0, visuals.selection.bg_fill);
        }
        let text =
            ui.painter().text_right(rect.right_center(), self.text(), self.font_in(ui), accent);
        // The dotted underline of everything that can be dragged.
        let under = text.bottom() - 1.0;
        let ends = [pos2(text.left(), under), pos2(text.right(), under)];
        ui.painter().extend(Shape::dotted_line(&ends, accent, 3.0, 0.7));
    }
}
