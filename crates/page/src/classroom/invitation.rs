//! How to come into the class, big enough for the back row.

use bindpose_classroom::Invitation;
use eframe::egui::{
    Area, Button, Color32, Context, Frame, Id, Label, Margin, Order, Rect, RichText, Sense, Ui,
    Vec2, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::class_view::ClassroomView;
use crate::theme::{INTERFACE, Theme, family};

/// Around the code, in squares, as the standard asks.
const QUIET: f32 = 4.0;

/// Shows it over the page while it is asked for.
pub fn invitation(ctx: &Context, theme: &Theme, view: &mut ClassroomView) {
    if !view.invites {
        return;
    }
    let here = view.teacher().map_or(0, |teacher| teacher.present());
    let Some(invitation) = &view.invitation else { return };
    let screen = ctx.content_rect();
    let mut is_done = false;
    Area::new(Id::unique("invitation")).order(Order::Foreground).fixed_pos(screen.min).show(
        ctx,
        |ui| {
            let margin = (0.05 * screen.height()).min(48.0);
            Frame::NONE.fill(theme.paper).inner_margin(Margin::same(margin as i8)).show(ui, |ui| {
                ui.set_min_size(screen.size() - Vec2::splat(2.0 * margin));
                ui.set_max_size(screen.size() - Vec2::splat(2.0 * margin));
                is_done = content(ui, theme, invitation, here);
            });
        },
    );
    view.invites &= !is_done;
}

fn content(ui: &mut Ui, theme: &Theme, invitation: &Invitation, here: usize) -> bool {
    let size = ui.available_size();
    let is_wide = size.x > 1.2 * size.y;
    let side = if is_wide { size.y.min(0.46 * size.x) } else { size.x.min(0.5 * size.y) };
    let words = |ui: &mut Ui| {
        let width = if is_wide { size.x - side - 40.0 } else { size.x };
        ui.set_max_width(width);
        let unit = (width / 15.0).min(size.y / 9.0);
        let text = |words: &str, size: f32| {
            RichText::new(words).size(size).family(family::strong()).color(theme.ink)
        };
        ui.add(Label::new(text("Join the class at", 0.6 * unit)));
        // As large as one line takes.
        let letters = invitation.address.chars().count() as f32;
        let large = (width / (0.6 * letters)).min(1.5 * unit);
        ui.add(Label::new(text(&invitation.address, large)));
        ui.add_space(0.4 * unit);
        ui.add(Label::new(text("with the code", 0.6 * unit)));
        let code = invitation.code.as_ref().map_or("", |code| code.as_str());
        let code = RichText::new(code).monospace().size(4.2 * unit);
        ui.add(Label::new(code.color(theme.accent)));
        ui.add_space(0.4 * unit);
        ui.add(Label::new(text(&format!("{here} here"), 0.9 * unit)));
        ui.add_space(0.4 * unit);
        ui.add(Button::new(RichText::new("Back to the page").size(INTERFACE))).clicked()
    };
    let (mut is_done, code) = (false, |ui: &mut Ui| squares(ui, &invitation.squares, side));
    if is_wide {
        let middle = 0.5 * (size.y - side).max(0.0);
        ui.add_space(middle);
        ui.horizontal(|ui| {
            code(ui);
            ui.add_space(40.0);
            is_done = ui.vertical(words).inner;
        });
    } else {
        is_done = words(ui);
        code(ui);
    }
    is_done
}

/// The code, dark on light in either theme: cameras expect it so.
fn squares(ui: &mut Ui, rows: &[String], side: f32) {
    if rows.is_empty() {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let spoken = "QR code with the address of the class";
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, spoken));
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, Color32::WHITE);
    let unit = side / (rows.len() as f32 + 2.0 * QUIET);
    let at = |column: usize, row: usize| {
        rect.min + unit * vec2(column as f32 + QUIET, row as f32 + QUIET)
    };
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.bytes().enumerate().filter(|(_, square)| *square == b'1') {
            let square = Rect::from_min_max(at(x, y), at(x + 1, y + 1));
            // No seams between neighbours.
            let square = Rect::from_min_max(
                pos2(square.min.x.floor(), square.min.y.floor()),
                pos2(square.max.x.ceil(), square.max.y.ceil()),
            );
            painter.rect_filled(square, 0.0, Color32::BLACK);
        }
    }
}
