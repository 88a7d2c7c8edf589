//! Named states of the page, called stops, on a line. The reader selects one by a click, by
//! dragging along the line, or with the arrow keys. Two stops are drawn as a switch.

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::buttons::{SegmentedChoice, segmented_choice};
use bindpose_kit::widgets::{Emphasis, PaintText, Tip as _, index_by_arrows};
use bindpose_lesson::{Stop, StopsCell};
use bindpose_notebook::{Edit, holds};
use eframe::egui::{
    self, Align, Id, Layout, Rect, Response, RichText, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};

use crate::PageContext;
use crate::prose::{PaintedLine, text_ui};

/// Minimum width of a stop at which it has a label below its number.
const MIN_LABELLED_WIDTH_PTS: f32 = 84.0;
/// Distance from the top to the line.
const LINE_Y_PTS: f32 = 18.0;
const STOP_RADIUS_PTS: f32 = 11.0;
/// Maximum width of a switch. The two ends of a wider one would be too far apart.
const MAX_SWITCH_WIDTH_PTS: f32 = 520.0;

/// Draws the stops and the note of the current one.
pub(super) fn ui(ui: &mut Ui, cell: &StopsCell, page: &mut PageContext<'_>) {
    let current =
        cell.stops.iter().position(|stop| holds(&stop.set.0, page.document, page.derived));
    let chosen = match &*cell.stops {
        [_, _] => switch_ui(ui, cell, current, page),
        _ => line_ui(ui, cell, current, page),
    };
    if chosen != current
        && let Some(stop) = chosen.and_then(|chosen| cell.stops.get(chosen))
    {
        page.requests.edits.push(Edit::Settings(stop.set.0.clone()));
    }
    if let Some(stop) = current.and_then(|current| cell.stops.get(current)) {
        text_ui(ui, &stop.note, SMALL_SIZE, Emphasis::Quiet, page);
    } else {
        let text = "None of these now: something else is set. Choose one to go there.";
        ui.label(page.theme.label(text));
    }
}

/// Draws two stops as a switch. Returns the index of a clicked stop.
fn switch_ui(
    ui: &mut Ui,
    cell: &StopsCell,
    current: Option<usize>,
    page: &PageContext<'_>,
) -> Option<usize> {
    let labels: Vec<_> = cell.stops.iter().map(|stop| stop.label.words()).collect();
    let segments: Vec<_> = labels
        .iter()
        .map(|text| SegmentedChoice { text, detail: String::new(), tooltip: "" })
        .collect();
    let width = ui.available_width().min(MAX_SWITCH_WIDTH_PTS);
    let row_size = vec2(ui.available_width(), 0.0);
    ui.allocate_ui_with_layout(row_size, Layout::top_down(Align::Center), |ui| {
        ui.set_max_width(width);
        segmented_choice(ui, page.theme, &segments, current, false)
    })
    .inner
}

/// Draws the stops on a line. Returns the index of the stop that the reader chose.
fn line_ui(
    ui: &mut Ui,
    cell: &StopsCell,
    current: Option<usize>,
    page: &PageContext<'_>,
) -> Option<usize> {
    let theme = page.theme;
    let count = cell.stops.len().max(1);
    let stop_width = ui.available_width() / count as f32;
    let has_labels = stop_width >= MIN_LABELLED_WIDTH_PTS;
    let labels: Vec<PaintedLine> = cell
        .stops
        .iter()
        .enumerate()
        .map(|(index, stop)| {
            lay_out_label(ui, stop, stop_width - 10.0, current == Some(index), page)
        })
        .collect();
    let mut height = LINE_Y_PTS + STOP_RADIUS_PTS + 3.0;
    if has_labels {
        height += labels.iter().map(|label| label.size().y).fold(0.0, f32::max) + 6.0;
    }
    let size = vec2(ui.available_width(), height);
    let (rect, line_response) = ui.allocate_exact_size(size, Sense::drag());
    let mut chosen = None;
    if line_response.is_pointer_button_down_on()
        && let Some(pointer) = line_response.interact_pointer_pos()
    {
        let index = ((pointer.x - rect.left()) / stop_width).max(0.0) as usize;
        chosen = Some(index.min(count - 1));
    }
    let line_y = rect.top() + LINE_Y_PTS;
    let stop_size = vec2(stop_width, height);
    let line_left = stop_rect(rect, stop_size, 0).center().x;
    let line_right = stop_rect(rect, stop_size, count - 1).center().x;
    ui.painter().hline(line_left..=line_right, line_y, Stroke::new(3.0, theme.rule));
    for (index, (stop, label)) in cell.stops.iter().zip(labels).enumerate() {
        let is_current = current == Some(index);
        let stop_rect = stop_rect(rect, stop_size, index);
        let response = ui.interact(stop_rect, stop_id(cell, index), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(
                egui::Role::RadioButton,
                ui.is_enabled(),
                is_current,
                &label.spoken,
            )
        });
        if response.clicked() {
            chosen = Some(index);
        }
        if let Some(next) = index_by_arrows(ui, &response, index, count) {
            ui.memory_mut(|memory| memory.request_focus(stop_id(cell, next)));
            chosen = Some(next);
        }
        draw_stop(ui, &response, index, is_current, theme);
        if has_labels {
            let label_left = stop_rect.center().x - label.size().x / 2.0;
            let label_top = line_y + STOP_RADIUS_PTS + 6.0;
            label.paint(ui.painter(), pos2(label_left, label_top), theme);
        } else {
            response.tip(stop.label.words());
        }
    }
    if !has_labels && let Some(stop) = current.and_then(|current| cell.stops.get(current)) {
        ui.label(RichText::new(stop.label.words()).font(font::strong(SMALL_SIZE)));
    }
    chosen
}

fn stop_rect(line_rect: Rect, stop_size: Vec2, index: usize) -> Rect {
    let left = line_rect.left() + stop_size.x * index as f32;
    Rect::from_min_size(pos2(left, line_rect.top()), stop_size)
}

fn stop_id(cell: &StopsCell, index: usize) -> Id {
    Id::unique(("stop", &cell.label.source, index))
}

/// Lays out the label of a stop, with centred lines.
fn lay_out_label(
    ui: &Ui,
    stop: &Stop,
    max_width: f32,
    is_current: bool,
    page: &PageContext<'_>,
) -> PaintedLine {
    let emphasis = if is_current { Emphasis::Strong } else { Emphasis::Plain };
    let mut face = Face::of_text(SMALL_SIZE, emphasis, page.theme);
    face.line = (SMALL_SIZE * 1.25).round();
    if is_current {
        face.color = page.theme.accent;
    }
    PaintedLine::centred(ui, stop.label.line(), face, max_width.max(20.0), page)
}

fn draw_stop(ui: &Ui, response: &Response, index: usize, is_current: bool, theme: &Theme) {
    let center = pos2(response.rect.center().x, response.rect.top() + LINE_Y_PTS);
    let is_lit = response.hovered() || response.has_focus();
    let (fill, edge, ink) = if is_current {
        (theme.accent, theme.accent, theme.text_on_accent_or(theme.accent))
    } else if is_lit {
        (theme.accent_wash, theme.accent, theme.ink)
    } else {
        (theme.paper, theme.quiet, theme.ink)
    };
    let painter = ui.painter();
    painter.circle(center, STOP_RADIUS_PTS, fill, Stroke::new(1.5, edge));
    painter.text_centered(center, index + 1, font::strong(CAPTION_SIZE), ink);
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Setting, Settings, StopList};
    use bindpose_skin::{JointIndex, SkinStage};

    use super::*;
    use crate::cells::testing::{Page, harness};
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::Key;
    use egui_kittest::{Harness, kittest::Queryable};

    fn stage_stop(label: &str, stage: SkinStage) -> Stop {
        Stop {
            label: label.into(),
            note: format!("Now {label}.").into(),
            line: String::new(),
            set: Settings(vec![
                Setting::Stage(stage),
                Setting::Through(Some(JointIndex(1).into())),
            ]),
        }
    }

    fn stops_harness() -> Harness<'static, Page> {
        let cell = StopsCell {
            label: "Stage".into(),
            stops: StopList(vec![
                stage_stop("stored", SkinStage::Bind),
                stage_stop("inverse", SkinStage::Joint),
                stage_stop("posed", SkinStage::Posed),
            ]),
        };
        let mut harness = harness(Page::new("simple_skin"), move |view, page| {
            ui(view, &cell, page);
        });
        harness.run();
        harness
    }

    #[test]
    fn click_applies_all_settings_and_shows_the_note() {
        let mut harness = stops_harness();
        harness.get_by_label_contains("None of these now");
        harness.click_label("inverse");
        assert_eq!(harness.state().document.state.stage, SkinStage::Joint);
        assert_eq!(harness.state().document.state.through, Some(JointIndex(1)));
        harness.get_by_label("Now inverse.");
    }

    #[test]
    fn stop_that_sets_all_angles_and_then_one_is_current() {
        let bent = Stop {
            label: "bent".into(),
            note: "Now bent.".into(),
            line: String::new(),
            set: Settings(vec![
                Setting::Param("all".to_owned(), 0.0),
                Setting::Param("bend".to_owned(), 0.5),
            ]),
        };
        let cell = StopsCell { label: "Pose".into(), stops: StopList(vec![bent]) };
        let mut harness = harness(Page::new("simple_skin"), move |view, page| {
            ui(view, &cell, page);
        });
        harness.run();
        harness.get_by_label_contains("None of these now");
        harness.click_label("bent");
        harness.get_by_label("Now bent.");
    }

    #[test]
    fn arrow_keys_move_to_the_neighbour_and_stop_at_the_end() {
        let mut harness = stops_harness();
        harness.get_by_label("inverse").focus();
        harness.run();
        for expected in [SkinStage::Posed, SkinStage::Posed] {
            harness.press(Key::ArrowRight);
            assert_eq!(harness.state().document.state.stage, expected);
        }
        harness.press(Key::ArrowLeft);
        assert_eq!(harness.state().document.state.stage, SkinStage::Joint);
    }
}
