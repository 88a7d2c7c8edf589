//! List of the joints of both models: those without a partner, those that differ, then the rest.
//! Clicking a row selects its joint.

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{
    PaintText, RowList, SelectableRow, fitted_text, paint_badge_at, row_by_arrows,
};
use bindpose_lesson::number_text::{fixed, scientific};
use bindpose_notebook::Entity;
use bindpose_skin::{JointIndex, Skeleton};
use bindpose_workbench::differences::{AXIS_TOLERANCE, PART};
use bindpose_workbench::model_difference::{JointPair, ModelComparison};
use eframe::egui::{FontId, Id, Pos2, Rect, Sense, Ui, WidgetInfo, accesskit::Role, pos2, vec2};

use crate::PageContext;

const ROW_HEIGHT_PTS: f32 = 26.0;
const NUMBER_WIDTH_PTS: f32 = 88.0;
/// Width of the column that shows by what a pair was matched.
const MATCH_WIDTH_PTS: f32 = 84.0;
/// Minimum width of a row that has room for that column.
const MIN_WIDE_ROW_PTS: f32 = 430.0;

/// Transient state of the list.
#[derive(Default)]
pub(super) struct JointRowsState {
    /// Joint whose row takes the focus as soon as it is the selected one.
    focus: Option<JointIndex>,
    /// The selected joint of the last frame.
    last_selected: Option<JointIndex>,
}

#[derive(Clone, Copy)]
enum ComparedJointRow<'a> {
    Pair(&'a JointPair),
    OnlyA(JointIndex, &'a str),
    OnlyB(JointIndex, &'a str),
}

impl<'a> ComparedJointRow<'a> {
    /// Returns the joint in A, if it is there.
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

    /// Returns by what the pair was matched, or which model has the joint.
    fn match_label(self) -> &'static str {
        match self {
            Self::Pair(pair) => pair.by.words(),
            Self::OnlyA(..) => "only in A",
            Self::OnlyB(..) => "only in B",
        }
    }

    /// Formats the differences of inverse bind matrix, position and rotation. `size` is that of
    /// the model, in world units.
    fn differences(self, size: f32) -> [String; 3] {
        match self {
            Self::Pair(pair) => [
                format_amount(pair.inverse_bind, AXIS_TOLERANCE),
                format_amount(pair.moved, size * PART),
                format_rotation(pair),
            ],
            _ => [const { String::new() }; 3],
        }
    }
}

pub(super) struct JointRows<'a> {
    pub(super) cell_id: &'a str,
    pub(super) max_visible_rows: usize,
    pub(super) comparison: &'a ModelComparison,
}

impl JointRows<'_> {
    pub(super) fn ui(&self, ui: &mut Ui, state: &mut JointRowsState, page: &mut PageContext<'_>) {
        let rows = compared_rows(self.comparison);
        ui.add_space(4.0);
        draw_column_heads(ui, page);
        let selected = page.document.state.joint;
        let selected_index = rows.iter().position(|row| row.joint() == Some(selected));
        let is_new = state.last_selected.replace(selected) != Some(selected);
        let mut list = RowList::new((self.cell_id, "joints"), ROW_HEIGHT_PTS, rows.len())
            .max_visible_rows(self.max_visible_rows)
            .accessible(Role::ListBox, "joints of both models");
        if let Some(index) = selected_index {
            self.handle_arrow_keys(ui, rows[index], &rows, state, page);
            if is_new {
                list = list.scroll_into_view(index);
            }
        }
        list.show(ui, |ui, range| {
            for &row in &rows[range] {
                self.draw_row(ui, row, state, page);
            }
        });
    }

    /// Selects the row above or below if the selected row has the focus.
    fn handle_arrow_keys(
        &self,
        ui: &Ui,
        selected_row: ComparedJointRow<'_>,
        rows: &[ComparedJointRow<'_>],
        state: &mut JointRowsState,
        page: &mut PageContext<'_>,
    ) {
        let joints: Vec<JointIndex> = rows.iter().filter_map(|row| row.joint()).collect();
        let index = joints.iter().position(|&joint| selected_row.joint() == Some(joint));
        let id = row_id(self.cell_id, selected_row);
        if let Some(index) = index
            && let Some(next) = row_by_arrows(ui, id, index, joints.len())
        {
            page.choose_entity(Entity::Joint(joints[next]));
            state.focus = Some(joints[next]);
        }
    }

    fn draw_row(
        &self,
        ui: &mut Ui,
        row: ComparedJointRow<'_>,
        state: &mut JointRowsState,
        page: &mut PageContext<'_>,
    ) {
        let joint = row.joint();
        let is_selected = joint == Some(page.document.state.joint);
        let requests_focus = is_selected && state.focus == joint;
        if requests_focus {
            state.focus = None;
        }
        let entity = joint.map(Entity::Joint);
        let response = SelectableRow::new(row_id(self.cell_id, row), ROW_HEIGHT_PTS)
            .enabled(joint.is_some())
            .selected(is_selected)
            .lit(entity.is_some_and(|entity| page.linked.is_lit(entity)))
            .request_focus(requests_focus)
            .show(ui, page.theme);
        let differences = row.differences(self.comparison.found.size);
        response.widget_info(|| {
            let name = row.name();
            let match_label = row.match_label();
            let label = match row {
                ComparedJointRow::Pair(_) => {
                    let [inverse_bind, moved, rotated] = &differences;
                    format!(
                        "{name}: paired by {match_label}, inverse bind {inverse_bind}, \
                         moved {moved}, turned {rotated}"
                    )
                }
                _ => format!("{name}: {match_label}"),
            };
            WidgetInfo::selected(Role::ListBoxOption, true, is_selected, label)
        });
        paint_row(ui, row, response.rect, &differences, page);
        if let Some(entity) = entity {
            if touch::is_pointed_at(&response) || response.has_focus() {
                page.linked.hover(entity);
            }
            if response.clicked() {
                page.choose_entity(entity);
                state.focus = joint;
            }
        }
    }
}

fn compared_rows(comparison: &ModelComparison) -> Vec<ComparedJointRow<'_>> {
    let pairs = &comparison.found.joints;
    let mut rows = Vec::new();
    for (joint, name) in unpaired_joints(&comparison.a.skeleton, pairs.iter().map(|pair| pair.a)) {
        rows.push(ComparedJointRow::OnlyA(joint, name));
    }
    for (joint, name) in unpaired_joints(&comparison.b.skeleton, pairs.iter().map(|pair| pair.b)) {
        rows.push(ComparedJointRow::OnlyB(joint, name));
    }
    rows.extend(pairs.iter().filter(|pair| pair.differs).map(ComparedJointRow::Pair));
    rows.extend(pairs.iter().filter(|pair| !pair.differs).map(ComparedJointRow::Pair));
    rows
}

/// Returns index and name of the joints without a partner.
fn unpaired_joints(
    skeleton: &Skeleton,
    paired: impl Iterator<Item = u16>,
) -> Vec<(JointIndex, &str)> {
    let mut is_paired = vec![false; skeleton.len()];
    for index in paired {
        if let Some(is_paired) = is_paired.get_mut(usize::from(index)) {
            *is_paired = true;
        }
    }
    let mut unpaired = Vec::new();
    for (index, joint) in skeleton.indices().zip(skeleton.joints()) {
        if !is_paired[index.index()] {
            unpaired.push((index, joint.name.as_str()));
        }
    }
    unpaired
}

fn row_id(cell_id: &str, row: ComparedJointRow<'_>) -> Id {
    let key = match row {
        ComparedJointRow::Pair(pair) => (false, pair.a),
        ComparedJointRow::OnlyA(joint, _) => (false, joint.0),
        ComparedJointRow::OnlyB(joint, _) => (true, joint.0),
    };
    Id::unique((cell_id, "joint of both", key))
}

fn draw_column_heads(ui: &mut Ui, page: &PageContext<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let color = page.theme.quiet;
    let painter = ui.painter();
    let left = pos2(rect.left() + 4.0, rect.center().y);
    painter.text_left(left, "joint", font::strong(CAPTION_SIZE), color);
    for (column, head) in ["inverse bind", "moved", "turned"].into_iter().enumerate() {
        painter.text_right(number_right(rect, column), head, font::strong(CAPTION_SIZE), color);
    }
    if rect.width() >= MIN_WIDE_ROW_PTS {
        let right = number_right(rect, 0) - vec2(NUMBER_WIDTH_PTS, 0.0);
        painter.text_right(right, "paired by", font::strong(CAPTION_SIZE), color);
    }
}

/// Returns the right end of the number in a column.
fn number_right(rect: Rect, column: usize) -> Pos2 {
    let right = rect.right() - 6.0 - NUMBER_WIDTH_PTS * (2 - column.min(2)) as f32;
    pos2(right, rect.center().y)
}

fn paint_row(
    ui: &Ui,
    row: ComparedJointRow<'_>,
    rect: Rect,
    differences: &[String; 3],
    page: &PageContext<'_>,
) {
    let painter = ui.painter();
    let theme = page.theme;
    let mut left = rect.left() + 4.0;
    if let Some(joint) = row.joint() {
        let end = paint_badge_at(ui, theme, pos2(left, rect.center().y), joint);
        left = (end + 6.0).max(left + 26.0);
    }
    let is_wide = rect.width() >= MIN_WIDE_ROW_PTS;
    let is_pair = matches!(row, ComparedJointRow::Pair(_));
    let numbers_width = if is_pair { 3.0 * NUMBER_WIDTH_PTS } else { 0.0 };
    let match_width = if is_wide || !is_pair { MATCH_WIDTH_PTS } else { 0.0 };
    let name_width = (rect.right() - numbers_width - match_width - left - 6.0).max(20.0);
    let galley =
        fitted_text(ui, row.name(), &FontId::proportional(SMALL_SIZE), name_width, theme.ink);
    painter.galley_left(pos2(left, rect.center().y), galley, theme.ink);
    if match_width > 0.0 {
        let right = pos2(rect.right() - numbers_width - 6.0, rect.center().y);
        let color = if is_pair { theme.quiet } else { theme.caution };
        painter.text_right(right, row.match_label(), FontId::proportional(CAPTION_SIZE), color);
    }
    for (column, text) in differences.iter().enumerate() {
        let color = if text == NO_DIFFERENCE { theme.quiet } else { theme.ink };
        painter.text_right(
            number_right(rect, column),
            text,
            font::mono(CAPTION_SIZE, false),
            color,
        );
    }
}

const NO_DIFFERENCE: &str = "same";

/// Formats the difference of lengths or matrix elements.
fn format_amount(value: f32, tolerance: f32) -> String {
    if value.is_nan() {
        "no number".to_owned()
    } else if value <= tolerance {
        NO_DIFFERENCE.to_owned()
    } else if (0.01..1000.0).contains(&value) {
        fixed(value.into(), 3)
    } else {
        scientific(value.into())
    }
}

fn format_rotation(pair: &JointPair) -> String {
    let angle_rad = pair.angle_rad;
    if angle_rad.is_nan() {
        "no number".to_owned()
    } else if angle_rad > AXIS_TOLERANCE {
        format!("{}°", fixed(angle_rad.to_degrees().into(), 1))
    } else if pair.turned > AXIS_TOLERANCE {
        "scaled".to_owned()
    } else {
        NO_DIFFERENCE.to_owned()
    }
}
