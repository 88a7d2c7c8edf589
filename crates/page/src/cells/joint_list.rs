//! Joints to choose from, by name or number: any number of them.

use bindpose_notebook::Entity;
use bindpose_skin::JointIndex;
use eframe::egui::{RichText, ScrollArea, TextEdit, Ui};

use super::entity_chooser::joint_name;
use crate::PageContext;
use crate::theme::SMALL;
use crate::touch;
use crate::widgets::badge;

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
