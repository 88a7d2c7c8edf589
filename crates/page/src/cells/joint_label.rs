//! The label of a slider: whose it is, by number and name.

use bindpose_lesson::Setting;
use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{
    FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::theme::SMALL;
use crate::touch;
use crate::widgets::Tip as _;
use crate::widgets::{PaintText, badge_size, fitted_text, paint_badge_at};

/// Of the name.
pub(super) const FONT: FontId = FontId::proportional(SMALL);

/// Least room for a joint's number before its name.
pub(super) const BADGE: f32 = 26.0;

/// A joint's badge, if it is a joint's, and a name, as wide as said. While the
/// pointer is on it, it lights what it stands for; a click chooses the joint.
pub(super) fn joint_label(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    (joint, lights): (Option<JointIndex>, Option<Entity>),
    name: &str,
    width: f32,
) -> Response {
    let sense = if joint.is_some() { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), sense);
    let mut left = rect.left();
    if let Some(joint) = joint {
        let words = format!("choose joint {}", joint.0);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
        let begin = rect.left_center() + vec2(1.0, 0.0);
        let end = paint_badge_at(ui, page.theme, begin, joint);
        if page.linked.is_lit(Entity::Joint(joint)) {
            let round = Rect::from_min_size(begin - vec2(0.0, 9.0), badge_size(joint)).expand(2.5);
            let ring = Stroke::new(1.5, page.theme.ink);
            let corner = round.height() / 2.0;
            ui.painter().rect_stroke(round, corner, ring, StrokeKind::Inside);
        }
        left = (end + 7.0).max(left + BADGE);
        if response.clicked() {
            page.choose(Setting::Joint(joint.into()));
        }
    }
    if let Some(entity) = lights.filter(|_| touch::is_pointed_at(&response)) {
        page.linked.hover(entity);
    }
    let galley = fitted_text(ui, name, &FONT, rect.right() - left, page.theme.ink);
    let cut = galley.text() != name;
    let at = pos2(left, rect.center().y);
    ui.painter().galley_left(at, galley, page.theme.ink);
    if cut { response.tip(name) } else { response }
}
