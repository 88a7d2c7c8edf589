//! Choosing a joint or a vertex: the same control wherever a cell follows the
//! choice.

use bindpose_lesson::Setting;
use bindpose_notebook::Entity;
use bindpose_notebook::number_text::grouped;
use bindpose_skin::JointIndex;
use eframe::egui::{
    ComboBox, FontId, Rect, Response, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind,
    TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use crate::theme::SMALL;
use crate::widgets::{
    PaintText, Scrub, Tip as _, badge, badge_size, combo, fitted_text, icon_button, paint_badge_at,
};
use crate::{PageContext, icons, touch};

/// A joint's name, empty for one that does not exist.
pub(crate) fn joint_name<'a>(page: &'a PageContext<'_>, joint: JointIndex) -> &'a str {
    page.derived.rig.skeleton.joints().get(joint.index()).map_or("", |joint| joint.name.as_str())
}

/// `joint (1) ‹ neck ›`
pub(super) fn joint(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let chosen = page.document.state.joint;
    let joints: Vec<JointIndex> = page.derived.rig.skeleton.indices().collect();
    let to = ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("joint").color(page.theme.quiet));
        let name = joint_name(page, chosen).to_owned();
        if touch::is_pointed_at(&badge(ui, page.theme, chosen, &name)) {
            page.linked.hover(Entity::Joint(chosen));
        }
        stepped(ui, "joint", chosen.index(), joints.len(), |ui| {
            let list = ComboBox::from_id_salt((id, "joint"));
            let title = |&joint: &JointIndex| joint_title(joint, joint_name(page, joint));
            let chosen = combo(ui, list, "the joint shown", &chosen, joints, title);
            chosen.map(JointIndex::index)
        })
    });
    if let Some(to) = to.inner {
        page.choose(Setting::Joint(JointIndex(to as u16).into()));
    }
}

/// `1  neck`
fn joint_title(joint: JointIndex, name: &str) -> String {
    let number = format!("joint {}", joint.0);
    if name.is_empty() || name == joint.0.to_string() || name == number {
        number
    } else {
        format!("{}  {name}", joint.0)
    }
}

/// `vertex ‹ v2 ›`
pub(super) fn vertex(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let count = page.derived.rig.mesh.positions.len();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("vertex").color(page.theme.quiet));
        vertex_number(ui, id, page);
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        let last = format!("of 0 to {}", grouped(last));
        ui.label(RichText::new(last).color(page.theme.quiet));
    });
}

/// `‹ 2 ›`
pub(crate) fn vertex_number(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let chosen = page.document.state.vertex as usize;
    let count = page.derived.rig.mesh.positions.len();
    let to = stepped(ui, "vertex", chosen, count, |ui| {
        number(ui, (id, "vertex"), chosen, count, "the vertex shown")
    });
    if let Some(to) = to {
        page.choose(Setting::Vertex(to as u32));
    }
}

/// A place of so many: a step back, what `middle` shows, a step on. Answers with
/// the place that is wanted now.
pub(super) fn stepped(
    ui: &mut Ui,
    what: &str,
    now: usize,
    count: usize,
    middle: impl FnOnce(&mut Ui) -> Option<usize>,
) -> Option<usize> {
    let back = icon_button(ui, icons::CARET_LEFT, &format!("previous {what}"), now > 0);
    let put = middle(ui);
    let name = format!("next {what}");
    let on = icon_button(ui, icons::CARET_RIGHT, &name, now + 1 < count);
    let step = (back.then(|| now.saturating_sub(1))).or(on.then_some(now + 1));
    step.or(put)
}

/// The same place as a number to drag.
pub(super) fn number(
    ui: &mut Ui,
    id: (&str, &str),
    now: usize,
    count: usize,
    label: &str,
) -> Option<usize> {
    let last = count.saturating_sub(1);
    let scrub = Scrub::new(id, now as f64, label)
        .whole()
        .range(0.0..=last as f64)
        .steps_per_point(0.1)
        .chars(last.to_string().len());
    scrub.show(ui).map(|change| change.or(0.0) as usize)
}

// Joints to choose from, by name or number: any number of them.

/// More than this many are searched.
pub(crate) const MANY: usize = 8;
/// Rows in sight.
const ROWS: f32 = 8.0;
/// Height of a row.
const ROW: f32 = 26.0;

/// Do all words that are sought stand in the name, or is one the number?
pub(crate) fn is_found(sought: &str, name: &str, joint: Option<JointIndex>) -> bool {
    let name = name.to_lowercase();
    let number = joint.map(|joint| joint.0.to_string());
    sought
        .to_lowercase()
        .split_whitespace()
        .all(|word| name.contains(word) || number.as_deref() == Some(word))
}

/// A field for what is sought, where there are many.
pub(crate) fn search_field(ui: &mut Ui, sought: &mut String, count: usize) {
    if count > MANY {
        let edit = TextEdit::singleline(sought)
            .hint_text(format!("search {count} joints"))
            .desired_width(ui.available_width().min(180.0));
        ui.add(edit).accessible_name("search joints by name");
    }
}

/// Shows those that are sought; answers with the one that is chosen now.
pub(crate) fn joint_list(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    sought: &mut String,
    joints: &[JointIndex],
    now: Option<JointIndex>,
) -> Option<JointIndex> {
    search_field(ui, sought, joints.len());
    let is_sought = |joint: &JointIndex| is_found(sought, joint_name(page, *joint), Some(*joint));
    let found: Vec<JointIndex> = joints.iter().copied().filter(is_sought).collect();
    if found.is_empty() {
        let words = format!("No joint is called “{}”.", sought.trim());
        ui.label(page.theme.label(words));
    }
    let mut chosen = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = ROW;
    ScrollArea::vertical().max_height(ROWS * ROW).auto_shrink([false, true]).show_rows(
        ui,
        ROW,
        found.len(),
        |ui, rows| {
            for &joint in &found[rows] {
                ui.horizontal(|ui| {
                    ui.set_height(ROW);
                    ui.spacing_mut().item_spacing.x = 6.0;
                    let name = joint_name(page, joint).to_owned();
                    badge(ui, page.theme, joint, &name);
                    let words = if name.is_empty() { format!("joint {}", joint.0) } else { name };
                    let words = RichText::new(words).size(SMALL);
                    let response = ui.selectable_label(now == Some(joint), words);
                    if touch::is_pointed_at(&response) {
                        page.linked.hover(Entity::Joint(joint));
                    }
                    if response.clicked() {
                        chosen = Some(joint);
                    }
                });
            }
        },
    );
    chosen
}

// The label of a slider: whose it is, by number and name.

/// Of the name.
pub(super) const FONT: FontId = FontId::proportional(SMALL);

/// Least room for a joint's number before its name.
pub(super) const BADGE: f32 = 26.0;

/// Room for the label in a row of this width.
pub(super) fn label_width(row: f32) -> f32 {
    (row * 0.32).clamp(84.0, 180.0)
}

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
    if !ui.is_rect_visible(rect) {
        // Rows scrolled out of sight are many.
        return response;
    }
    let line = |name: &str| fitted_text(ui, name, &FONT, rect.right() - left, page.theme.ink);
    let mut galley = line(name);
    let cut = galley.text() != name;
    if cut && joint.is_some() {
        let joints = page.derived.rig.skeleton.joints();
        galley = line(distinct_part(name, joints.iter().map(|joint| joint.name.as_str())));
    }
    let at = pos2(left, rect.center().y);
    ui.painter().galley_left(at, galley, page.theme.ink);
    if cut { response.tip(name) } else { response }
}

/// A name without what at least half of all names begin with, as far as a separator, and
/// without a running number that nobody needs to tell it from others: `Spine01` of
/// `b_Spine01_02`.
fn distinct_part<'a>(name: &'a str, names: impl Iterator<Item = &'a str> + Clone) -> &'a str {
    let ends = name.match_indices(['_', ':', '.', '-', '|', ' ']).map(|(at, _)| at + 1);
    let is_common = |&end: &usize| {
        let alike = names.clone().filter(|other| other.starts_with(&name[..end]));
        end < name.len() && 2 * alike.count() >= names.clone().count()
    };
    let end = ends.take_while(is_common).last().unwrap_or(0);
    let unnumbered = |name: &'a str| {
        let head = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_');
        head.filter(|head| head.len() > end).unwrap_or(name)
    };
    let head = unnumbered(name);
    let is_one = names.filter(|other| unnumbered(other) == head).count() <= 1;
    if is_one { &head[end..] } else { &name[end..] }
}

#[cfg(test)]
mod tests {
    use super::distinct_part;

    #[test]
    fn a_name_is_told_without_what_most_begin_with() {
        let fox = ["_rootJoint", "b_Root_00", "b_Spine01_02", "b_Spine02_03"];
        let distinct = |name| distinct_part(name, fox.into_iter());
        assert_eq!(distinct("b_Spine01_02"), "Spine01");
        assert_eq!(distinct("_rootJoint"), "_rootJoint");
        assert_eq!(distinct("elsewhere"), "elsewhere");
        let mixamo = ["rig:mixamo:Hips", "rig:mixamo:", "rig:mixamo:é"];
        let distinct = mixamo.map(|name| distinct_part(name, mixamo.into_iter()));
        assert_eq!(distinct, ["Hips", "mixamo:", "é"]);
        assert_eq!(distinct_part("b_1", ["b_1"].into_iter()), "1");
        // Here the numbers are what differs.
        assert_eq!(distinct_part("b_1", ["b_1", "b_2", "tail"].into_iter()), "1");
        assert_eq!(distinct_part("tail_1", ["tail_1", "tail_2", "leg"].into_iter()), "1");
        assert_eq!(
            distinct_part("tail_1", ["tail_1", "tail_2", "a", "b", "c"].into_iter()),
            "tail_1"
        );
    }
}
