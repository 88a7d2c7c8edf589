//! The joints of both models, those that differ first. Pressing a row chooses its joint.

use bindpose_notebook::Entity;
use bindpose_notebook::differences::{AXIS_TOLERANCE, PART};
use bindpose_notebook::model_difference::{JointPair, ModelComparison};
use bindpose_notebook::number_text::{fixed, scientific};
use bindpose_skin::{JointIndex, Skeleton};
use eframe::egui::{
    FontId, Id, Key, Pos2, Rect, Sense, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::{
    Arrows, PaintText, fitted_text, keep_arrows, lit_shape, paint_badge_at, pressed, scroll_box,
};
use crate::{PageContext, touch};

/// Height of a row, in points.
const ROW: f32 = 26.0;
/// Width of a column of numbers.
const NUMBER: f32 = 88.0;
/// Width of the column that says what they were paired by, where there is room.
const BY: f32 = 84.0;
/// From this width on there is.
const WIDE: f32 = 430.0;

/// What it keeps from frame to frame.
#[derive(Default)]
pub(super) struct JointRowsState {
    /// The row of this joint gets the focus, when it is the chosen one.
    focus: Option<JointIndex>,
    /// The joint that was chosen when it was last drawn.
    seen: Option<JointIndex>,
}

/// A row.
#[derive(Clone, Copy)]
enum ComparedJointRow<'a> {
    Pair(&'a JointPair),
    OnlyA(JointIndex, &'a str),
    OnlyB(JointIndex, &'a str),
}

impl<'a> ComparedJointRow<'a> {
    fn joint(self) -> Option<JointIndex> {
        match self {
            Self::Pair(pair) => Some(JointIndex(pair.a)),
            Self::OnlyA(joint, _) => Some(joint),
            Self::OnlyB(..) => None,
        }
    }

    fn name(self) -> &'a str {
        match self {
            Self::Pair(pair) => &pair.name,
            Self::OnlyA(_, name) | Self::OnlyB(_, name) => name,
        }
    }

    fn by(self) -> &'static str {
        match self {
            Self::Pair(pair) => pair.by.words(),
            Self::OnlyA(..) => "only in A",
            Self::OnlyB(..) => "only in B",
        }
    }

    /// Of the inverse bind matrix, the place and the turn.
    fn numbers(self, size: f32) -> [String; 3] {
        match self {
            Self::Pair(pair) => [
                amount(pair.inverse_bind, AXIS_TOLERANCE),
                amount(pair.moved, size * PART),
                turn(pair),
            ],
            _ => [const { String::new() }; 3],
        }
    }
}

/// The rows of a cell.
pub(super) struct JointRows<'a> {
    /// Of the cell.
    pub(super) id: &'a str,
    /// At most so many are seen at once.
    pub(super) most_visible: usize,
    pub(super) comparison: &'a ModelComparison,
}

impl JointRows<'_> {
    /// Draws them.
    pub(super) fn ui(&self, ui: &mut Ui, memory: &mut JointRowsState, page: &mut PageContext<'_>) {
        let all = rows_of(self.comparison);
        ui.add_space(4.0);
        header(ui, page);
        let visible = self.most_visible.min(all.len().max(1));
        let chosen = page.document.state.joint;
        let place = all.iter().position(|row| row.joint() == Some(chosen));
        let moved = self.keys(ui, place, &all, memory, page);
        let is_new = memory.seen.replace(chosen) != Some(chosen);
        let jump = place.filter(|&place| (moved || is_new) && place >= visible);
        let jump = jump.map(|place| ROW * (place + 1 - visible) as f32);
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let more = if visible < all.len() { 0.5 } else { 0.0 };
            let area = scroll_box((self.id, "joints"), ROW * (visible as f32 + more), jump);
            area.show_rows(ui, ROW, all.len(), |ui, range| {
                ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                    node.set_role(Role::ListBox);
                    node.set_label("joints of both models");
                });
                for row in all.get(range).into_iter().flatten() {
                    self.row_ui(ui, *row, memory, page);
                }
            });
        });
    }

    /// The arrow keys, while the chosen row has the focus.
    fn keys(
        &self,
        ui: &Ui,
        place: Option<usize>,
        all: &[ComparedJointRow<'_>],
        memory: &mut JointRowsState,
        page: &mut PageContext<'_>,
    ) -> bool {
        let Some(row) = place.and_then(|place| all.get(place)) else {
            return false;
        };
        let of_row = row_id(self.id, *row);
        if !ui.memory(|memory| memory.has_focus(of_row)) {
            return false;
        }
        keep_arrows(ui, of_row, Arrows::All);
        let place = place.unwrap_or_default();
        let next = if pressed(ui, Key::ArrowDown) {
            all.get(place + 1..).unwrap_or_default().iter().find_map(|row| row.joint())
        } else if pressed(ui, Key::ArrowUp) {
            all.get(..place).unwrap_or_default().iter().rev().find_map(|row| row.joint())
        } else {
            None
        };
        if let Some(joint) = next {
            page.choose_entity(Entity::Joint(joint));
            memory.focus = Some(joint);
            return true;
        }
        false
    }

    fn row_ui(
        &self,
        ui: &mut Ui,
        row: ComparedJointRow<'_>,
        memory: &mut JointRowsState,
        page: &mut PageContext<'_>,
    ) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let joint = row.joint();
        let chosen = joint == Some(page.document.state.joint);
        // One stop for the Tab key: the chosen row. The arrow keys lead on.
        let sense = match joint {
            None => Sense::hover(),
            Some(_) if chosen => Sense::click(),
            Some(_) => Sense::CLICK,
        };
        let response = ui.interact(rect, row_id(self.id, row), sense);
        if chosen && memory.focus.is_some() && memory.focus == joint {
            memory.focus = None;
            response.request_focus();
        }
        let entity = joint.map(Entity::Joint);
        let lit = entity.is_some_and(|entity| page.linked.is_lit(entity));
        if lit && !chosen {
            ui.painter().add(lit_shape(page.theme, rect, 4.0));
        } else if chosen {
            ui.painter().rect_filled(rect, 4.0, page.theme.accent_wash);
        }
        let [bind, moved, turned] = row.numbers(self.comparison.found.size);
        let name = row.name();
        let told = match row {
            ComparedJointRow::Pair(_) => format!(
                "{name}: paired by {}, inverse bind {bind}, moved {moved}, turned {turned}",
                row.by()
            ),
            _ => format!("{name}: {}", row.by()),
        };
        response
            .widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, told.clone()));
        paint(ui, row, rect, [bind, moved, turned], page);
        if let Some(entity) = entity {
            if touch::is_pointed_at(&response) || response.has_focus() {
                page.linked.hover(entity);
            }
            if response.clicked() {
                page.choose_entity(entity);
                memory.focus = joint;
            }
        }
    }
}

fn rows_of(comparison: &ModelComparison) -> Vec<ComparedJointRow<'_>> {
    let found = &comparison.found;
    let (mut differ, same): (Vec<_>, Vec<_>) = found.joints.iter().partition(|pair| pair.differs);
    differ.extend(same);
    let pairs = differ.into_iter().map(ComparedJointRow::Pair);
    let only_a = alone(&comparison.a.skeleton, found.joints.iter().map(|pair| pair.a));
    let only_a = only_a.map(|(joint, name)| ComparedJointRow::OnlyA(joint, name));
    let only_b = alone(&comparison.b.skeleton, found.joints.iter().map(|pair| pair.b));
    let only_b = only_b.map(|(joint, name)| ComparedJointRow::OnlyB(joint, name));
    only_a.chain(only_b).chain(pairs).collect()
}

/// Joints without a partner, by number and name.
fn alone(
    skeleton: &Skeleton,
    paired: impl Iterator<Item = u16>,
) -> impl Iterator<Item = (JointIndex, &str)> {
    let mut alone = vec![true; skeleton.len()];
    for joint in paired {
        if let Some(alone) = alone.get_mut(usize::from(joint)) {
            *alone = false;
        }
    }
    let joints = skeleton.indices().zip(skeleton.joints()).zip(alone);
    let joints = joints.filter(|(_, alone)| *alone);
    joints.map(|((joint, of), _)| (joint, of.name.as_str()))
}

fn row_id(id: &str, row: ComparedJointRow<'_>) -> Id {
    let key = match row {
        ComparedJointRow::Pair(pair) => (false, pair.a),
        ComparedJointRow::OnlyA(joint, _) => (false, joint.0),
        ComparedJointRow::OnlyB(joint, _) => (true, joint.0),
    };
    Id::unique((id, "joint of both", key))
}

fn header(ui: &mut Ui, page: &PageContext<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let color = page.theme.quiet;
    let painter = ui.painter();
    let at = pos2(rect.left() + 4.0, rect.center().y);
    painter.text_left(at, "joint", font::strong(CAPTION), color);
    let words = ["inverse bind", "moved", "turned"];
    for (column, words) in words.into_iter().enumerate() {
        painter.text_right(number_at(rect, column), words, font::strong(CAPTION), color);
    }
    if rect.width() >= WIDE {
        let at = number_at(rect, 0) - vec2(NUMBER, 0.0);
        painter.text_right(at, "paired by", font::strong(CAPTION), color);
    }
}

/// Right end of a number.
fn number_at(rect: Rect, column: usize) -> Pos2 {
    let right = rect.right() - 6.0 - NUMBER * (2 - column.min(2)) as f32;
    pos2(right, rect.center().y)
}

fn paint(
    ui: &Ui,
    row: ComparedJointRow<'_>,
    rect: Rect,
    numbers: [String; 3],
    page: &PageContext<'_>,
) {
    let (painter, theme) = (ui.painter(), page.theme);
    let mut left = rect.left() + 4.0;
    if let Some(joint) = row.joint() {
        let end = paint_badge_at(ui, theme, pos2(left, rect.center().y), joint);
        left = (end + 6.0).max(left + 26.0);
    }
    let wide = rect.width() >= WIDE;
    let is_pair = matches!(row, ComparedJointRow::Pair(_));
    let of_numbers = if is_pair { 3.0 * NUMBER } else { 0.0 };
    let of_by = if wide || !is_pair { BY } else { 0.0 };
    let room = (rect.right() - of_numbers - of_by - left - 6.0).max(20.0);
    let galley = fitted_text(ui, row.name(), &FontId::proportional(SMALL), room, theme.ink);
    painter.galley_left(pos2(left, rect.center().y), galley, theme.ink);
    if of_by > 0.0 {
        let at = pos2(rect.right() - of_numbers - 6.0, rect.center().y);
        let color = if is_pair { theme.quiet } else { theme.caution };
        painter.text_right(at, row.by(), FontId::proportional(CAPTION), color);
    }
    for (column, words) in numbers.into_iter().enumerate() {
        let color = if words == SAME_WORDS { theme.quiet } else { theme.ink };
        painter.text_right(number_at(rect, column), &words, font::mono(CAPTION, false), color);
    }
}

const SAME_WORDS: &str = "same";

/// A length or an element, with as many digits as say something.
fn amount(value: f32, most: f32) -> String {
    if value.is_nan() {
        "no number".to_owned()
    } else if value <= most {
        SAME_WORDS.to_owned()
    } else if (0.01..1000.0).contains(&value) {
        fixed(value.into(), 3)
    } else {
        scientific(value.into())
    }
}

fn turn(pair: &JointPair) -> String {
    let value_rad = pair.angle_rad;
    if value_rad.is_nan() {
        "no number".to_owned()
    } else if value_rad > AXIS_TOLERANCE {
        format!("{}°", fixed(value_rad.to_degrees().into(), 1))
    } else if pair.turned > AXIS_TOLERANCE {
        "scaled".to_owned()
    } else {
        SAME_WORDS.to_owned()
    }
}
