//! Controls that select a joint or a vertex, shared by all cells that follow the selection.

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::{
    PaintText, Scrub, Tip as _, badge, badge_size, drop_down_list, fitted_text, icon_button,
    paint_badge_at,
};
use bindpose_kit::{icons, touch};
use bindpose_lesson::Setting;
use bindpose_lesson::number_text::grouped;
use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{
    ComboBox, FontId, Rect, Response, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind,
    TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use crate::PageContext;

/// Returns the name of a joint. Returns an empty string if there is no such joint.
pub(crate) fn joint_name<'a>(page: &'a PageContext<'_>, joint: JointIndex) -> &'a str {
    page.derived.rig.skeleton.joints().get(joint.index()).map_or("", |joint| joint.name.as_str())
}

/// Draws the control for the selected joint: `joint (1) ‹ neck ›`.
pub(super) fn joint_chooser_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let selected = page.document.state.joint;
    let joints: Vec<JointIndex> = page.derived.rig.skeleton.indices().collect();
    let next = ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("joint").color(page.theme.quiet));
        let name = joint_name(page, selected).to_owned();
        if touch::is_pointed_at(&badge(ui, page.theme, selected, &name)) {
            page.linked.hover(Entity::Joint(selected));
        }
        index_stepper_ui(ui, "joint", selected.index(), joints.len(), |ui| {
            let list = ComboBox::from_id_salt((id, "joint"));
            drop_down_list(ui, list, "the joint shown", &selected, joints, |&joint| {
                joint_title(joint, joint_name(page, joint))
            })
            .map(JointIndex::index)
        })
    });
    if let Some(index) = next.inner {
        page.choose(Setting::Joint(JointIndex(index as u16).into()));
    }
}

/// Formats index and name of a joint, such as `1  neck`.
fn joint_title(joint: JointIndex, name: &str) -> String {
    let number = format!("joint {}", joint.0);
    if name.is_empty() || name == joint.0.to_string() || name == number {
        number
    } else {
        format!("{}  {name}", joint.0)
    }
}

/// Draws the control for the selected vertex, with the range of indices.
pub(super) fn vertex_chooser_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let count = page.derived.rig.mesh.positions.len();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("vertex").color(page.theme.quiet));
        vertex_index_ui(ui, id, page);
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        let last = format!("of 0 to {}", grouped(last));
        ui.label(RichText::new(last).color(page.theme.quiet));
    });
}

/// Draws the index of the selected vertex between two buttons: `‹ 2 ›`.
pub(crate) fn vertex_index_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let selected = page.document.state.vertex as usize;
    let count = page.derived.rig.mesh.positions.len();
    let next = index_stepper_ui(ui, "vertex", selected, count, |ui| {
        index_scrub_ui(ui, (id, "vertex"), selected, count, "the vertex shown")
    });
    if let Some(index) = next {
        page.choose(Setting::Vertex(index as u32));
    }
}

/// Draws buttons that step an index back and forth, with the control drawn by `draw_middle` between
/// them. `item` is the accessible name of what is selected.
///
/// Returns the new index after a step or a change in the middle.
pub(super) fn index_stepper_ui(
    ui: &mut Ui,
    item: &str,
    index: usize,
    count: usize,
    draw_middle: impl FnOnce(&mut Ui) -> Option<usize>,
) -> Option<usize> {
    let steps_back = icon_button(ui, icons::CARET_LEFT, &format!("previous {item}"), index > 0);
    let chosen = draw_middle(ui);
    let next_name = format!("next {item}");
    let steps_forth = icon_button(ui, icons::CARET_RIGHT, &next_name, index + 1 < count);
    if steps_back {
        Some(index.saturating_sub(1))
    } else if steps_forth {
        Some(index + 1)
    } else {
        chosen
    }
}

/// Draws an index as a number that can be dragged. Returns it after a change.
pub(super) fn index_scrub_ui(
    ui: &mut Ui,
    id: (&str, &str),
    index: usize,
    count: usize,
    label: &str,
) -> Option<usize> {
    let last = count.saturating_sub(1);
    let scrub = Scrub::new(id, index as f64, label)
        .whole()
        .range(0.0..=last as f64)
        .steps_per_point(0.1)
        .chars(last.to_string().len());
    scrub.show(ui).map(|change| change.value_or(0.0) as usize)
}

/// Maximum number of joints that are listed without a search field.
pub(crate) const MAX_JOINTS_WITHOUT_SEARCH: usize = 8;
const VISIBLE_ROWS: f32 = 8.0;
const ROW_HEIGHT_PTS: f32 = 26.0;

/// Returns true if each word of the query is part of the name or equals the joint's index.
pub(crate) fn matches_joint_query(query: &str, name: &str, joint: Option<JointIndex>) -> bool {
    let name = name.to_lowercase();
    let number = joint.map(|joint| joint.0.to_string());
    query
        .to_lowercase()
        .split_whitespace()
        .all(|word| name.contains(word) || number.as_deref() == Some(word))
}

/// Draws a search field if there are more than [`MANY`] joints.
pub(crate) fn joint_search_ui(ui: &mut Ui, query: &mut String, count: usize) {
    if count > MAX_JOINTS_WITHOUT_SEARCH {
        let edit = TextEdit::singleline(query)
            .hint_text(format!("search {count} joints"))
            .desired_width(ui.available_width().min(180.0));
        ui.add(edit).accessible_name("search joints by name");
    }
}

/// Draws a list of joints that can be searched. Returns the joint that was clicked.
pub(crate) fn joint_list_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    query: &mut String,
    joints: &[JointIndex],
    selected: Option<JointIndex>,
) -> Option<JointIndex> {
    joint_search_ui(ui, query, joints.len());
    let mut matching = Vec::new();
    for &joint in joints {
        if matches_joint_query(query, joint_name(page, joint), Some(joint)) {
            matching.push(joint);
        }
    }
    if matching.is_empty() {
        let message = format!("No joint is called “{}”.", query.trim());
        ui.label(page.theme.label(message));
    }
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = ROW_HEIGHT_PTS;
    let max_height = VISIBLE_ROWS * ROW_HEIGHT_PTS;
    ScrollArea::vertical().max_height(max_height).auto_shrink([false, true]).show_rows(
        ui,
        ROW_HEIGHT_PTS,
        matching.len(),
        |ui, rows| {
            for &joint in &matching[rows] {
                ui.horizontal(|ui| {
                    ui.set_height(ROW_HEIGHT_PTS);
                    ui.spacing_mut().item_spacing.x = 6.0;
                    let name = joint_name(page, joint).to_owned();
                    badge(ui, page.theme, joint, &name);
                    let label = if name.is_empty() { format!("joint {}", joint.0) } else { name };
                    let text = RichText::new(label).size(SMALL_SIZE);
                    let response = ui.selectable_label(selected == Some(joint), text);
                    if touch::is_pointed_at(&response) {
                        page.linked.hover(Entity::Joint(joint));
                    }
                    if response.clicked() {
                        clicked = Some(joint);
                    }
                });
            }
        },
    );
    clicked
}

/// Font of names in [`joint_label`].
pub(super) const JOINT_LABEL_FONT: FontId = FontId::proportional(SMALL_SIZE);

/// Minimum width of the badge before a joint's name, in points.
pub(super) const MIN_BADGE_WIDTH_PTS: f32 = 26.0;

/// Computes the width of the label in a row of this width, in points.
pub(super) fn label_width(row: f32) -> f32 {
    (row * 0.32).clamp(84.0, 180.0)
}

/// Draws the label of a slider: the badge of its joint, if any, and a name.
///
/// `subject` is the joint, and the entity that is highlighted while the pointer is on the label.
/// Clicking the label selects the joint.
pub(super) fn joint_label(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    subject: (Option<JointIndex>, Option<Entity>),
    name: &str,
    width: f32,
) -> Response {
    let (joint, highlighted) = subject;
    let sense = if joint.is_some() { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), sense);
    let mut left = rect.left();
    if let Some(joint) = joint {
        let accessible_name = format!("choose joint {}", joint.0);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &accessible_name));
        let badge_left = rect.left_center() + vec2(1.0, 0.0);
        let badge_right = paint_badge_at(ui, page.theme, badge_left, joint);
        if page.linked.is_lit(Entity::Joint(joint)) {
            let badge_top_left = badge_left - vec2(0.0, 9.0);
            let ring = Rect::from_min_size(badge_top_left, badge_size(joint)).expand(2.5);
            let stroke = Stroke::new(1.5, page.theme.ink);
            ui.painter().rect_stroke(ring, ring.height() / 2.0, stroke, StrokeKind::Inside);
        }
        left = (badge_right + 7.0).max(left + MIN_BADGE_WIDTH_PTS);
        if response.clicked() {
            page.choose(Setting::Joint(joint.into()));
        }
    }
    if let Some(entity) = highlighted.filter(|_| touch::is_pointed_at(&response)) {
        page.linked.hover(entity);
    }
    if !ui.is_rect_visible(rect) {
        // Many rows may be scrolled out of sight, so that their text is not laid out.
        return response;
    }
    let max_width = rect.right() - left;
    let mut galley = fitted_text(ui, name, &JOINT_LABEL_FONT, max_width, page.theme.ink);
    let is_cut = galley.text() != name;
    if is_cut && joint.is_some() {
        let joints = page.derived.rig.skeleton.joints();
        let short_name = distinct_part(name, joints.iter().map(|joint| joint.name.as_str()));
        galley = fitted_text(ui, short_name, &JOINT_LABEL_FONT, max_width, page.theme.ink);
    }
    let at = pos2(left, rect.center().y);
    ui.painter().galley_left(at, galley, page.theme.ink);
    if is_cut { response.tip(name) } else { response }
}

/// Returns a name without the prefix, up to a separator, that at least half of all names share,
/// and without a trailing number that is not needed to distinguish it: `Spine01` for
/// `b_Spine01_02`.
fn distinct_part<'a>(name: &'a str, names: impl Iterator<Item = &'a str> + Clone) -> &'a str {
    let name_count = names.clone().count();
    let mut prefix_len = 0;
    for (separator, _) in name.match_indices(['_', ':', '.', '-', '|', ' ']) {
        // All of these separators are one byte long.
        let len = separator + 1;
        let sharing_count = names.clone().filter(|other| other.starts_with(&name[..len])).count();
        if len == name.len() || 2 * sharing_count < name_count {
            break;
        }
        prefix_len = len;
    }
    let stem = without_number(name, prefix_len);
    let is_unique = names.filter(|other| without_number(other, prefix_len) == stem).count() <= 1;
    if is_unique { &stem[prefix_len..] } else { &name[prefix_len..] }
}

/// Removes a trailing number with its underscore, unless nothing after the prefix would be left.
fn without_number(name: &str, prefix_len: usize) -> &str {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_');
    stem.filter(|stem| stem.len() > prefix_len).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::distinct_part;

    #[test]
    fn shared_prefix_and_unneeded_number_are_removed() {
        let fox = ["_rootJoint", "b_Root_00", "b_Spine01_02", "b_Spine02_03"];
        assert_eq!(distinct_part("b_Spine01_02", fox.into_iter()), "Spine01");
        assert_eq!(distinct_part("_rootJoint", fox.into_iter()), "_rootJoint");
        assert_eq!(distinct_part("elsewhere", fox.into_iter()), "elsewhere");
        let mixamo = ["rig:mixamo:Hips", "rig:mixamo:", "rig:mixamo:é"];
        let parts = mixamo.map(|name| distinct_part(name, mixamo.into_iter()));
        assert_eq!(parts, ["Hips", "mixamo:", "é"]);
        assert_eq!(distinct_part("b_1", ["b_1"].into_iter()), "1");
        // The numbers distinguish these names.
        assert_eq!(distinct_part("b_1", ["b_1", "b_2", "tail"].into_iter()), "1");
        assert_eq!(distinct_part("tail_1", ["tail_1", "tail_2", "leg"].into_iter()), "1");
        assert_eq!(
            distinct_part("tail_1", ["tail_1", "tail_2", "a", "b", "c"].into_iter()),
            "tail_1"
        );
    }
}
