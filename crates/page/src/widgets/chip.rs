//! Small coloured tags: frames of matrices, numbers of joints.

use bindpose_skin::{CoordinateFrame, JointIndex};
use eframe::egui::{
    Color32, Painter, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    accesskit::Role, vec2,
};

use super::PaintText;
use super::tip::Tip as _;
use crate::theme::{CAPTION, FINE, Theme, font};

/// A frame's colour and its words.
pub fn frame_look(theme: &Theme, frame: CoordinateFrame) -> (Color32, String) {
    let color = match frame {
        CoordinateFrame::World => theme.world,
        CoordinateFrame::Bind => theme.bind,
        CoordinateFrame::MeshNode => theme.caution,
        CoordinateFrame::Joint(joint) | CoordinateFrame::Parent(joint) => theme.joint(joint),
    };
    (color, frame.to_string())
}

/// The room a tag takes.
pub fn chip_size(ui: &Ui, text: &str) -> Vec2 {
    let font = font::strong(CAPTION);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::BLACK);
    vec2((galley.size().x + 14.0).ceil(), 22.0)
}

/// Paints a tag; nothing can be done with it.
pub fn paint_chip(ui: &Ui, theme: &Theme, rect: Rect, text: &str, fill: Color32) {
    let painter = ui.painter();
    painter.rect_filled(rect, 5.0, fill);
    painter.text_centered(rect.center(), text, font::strong(CAPTION), theme.on(fill));
}

/// A round badge with a joint's number; after six joints colours come again, so
/// every second round of six wears a ring.
pub fn paint_badge(painter: &Painter, theme: &Theme, rect: Rect, joint: JointIndex) {
    let fill = theme.joint(joint);
    let round = rect.height() / 2.0;
    let again = theme.has_color_again(joint);
    if again {
        painter.rect_stroke(rect, round, Stroke::new(1.5, fill), StrokeKind::Inside);
        painter.rect_filled(rect.shrink(2.5), round, fill);
    } else {
        painter.rect_filled(rect, round, fill);
    }
    painter.text_centered(
        rect.center(),
        joint.0.to_string(),
        font::strong(if again { 11.0 } else { FINE }),
        theme.on(fill),
    );
}

/// The same in the middle of a line that begins at `left`. Gives where it ends.
pub fn paint_badge_at(ui: &Ui, theme: &Theme, left: Pos2, joint: JointIndex) -> f32 {
    let size = badge_size(joint);
    let rect = Rect::from_min_size(left - vec2(0.0, size.y / 2.0), size);
    paint_badge(ui.painter(), theme, rect, joint);
    rect.right()
}

/// The room a badge takes: wider for longer numbers.
pub fn badge_size(joint: JointIndex) -> Vec2 {
    let digits = joint.0.to_string().len() as f32;
    vec2((11.0 + 7.5 * digits).max(18.0), 18.0)
}

/// A badge in the flow, with its joint's name for those who hear the page.
pub fn badge(ui: &mut Ui, theme: &Theme, joint: JointIndex, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(badge_size(joint), Sense::hover());
    if ui.is_rect_visible(rect) {
        paint_badge(ui.painter(), theme, rect, joint);
    }
    let label = if name.is_empty() || name == format!("joint {}", joint.0) {
        format!("joint {}", joint.0)
    } else {
        format!("joint {}: {name}", joint.0)
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    response.tip(label)
}
