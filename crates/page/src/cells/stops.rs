//! Named states of the page on a line: click one, drag along the line, or use
//! the arrow keys. Two of them are a switch.

use bindpose_lesson::{Stop, StopsCell};
use bindpose_notebook::{Edit, holds};
use eframe::egui::{
    self, Align, Id, Layout, Rect, Response, RichText, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::prose::{Face, PaintedLine, text_ui};
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::Tip as _;
use crate::widgets::buttons::{SegmentedChoice, segmented};
use crate::widgets::{Emphasis, PaintText, place_by_arrows};

/// Narrower than this, a stop has a number and no words.
const LEAST: f32 = 84.0;
/// From the top to the line, and from there to the words.
const LINE: f32 = 18.0;
const RADIUS: f32 = 11.0;
/// Wider, the two ends of a switch would stand apart.
const MOST_SWITCH: f32 = 520.0;

/// Shows the line and what is said of the stop at which the page stands.
pub(super) fn ui(ui: &mut Ui, cell: &StopsCell, page: &mut PageContext<'_>) {
    let on = |stop: &Stop| holds(&stop.set.0, page.document, page.derived);
    let current = cell.stops.iter().position(on);
    let chosen = match &*cell.stops {
        [_, _] => switch(ui, cell, current, page),
        _ => line(ui, cell, current, page),
    };
    if let Some(stop) =
        chosen.filter(|&chosen| Some(chosen) != current).and_then(|chosen| cell.stops.get(chosen))
    {
        page.edits.push(Edit::Settings(stop.set.0.clone()));
    }
    match current.and_then(|current| cell.stops.get(current)) {
        Some(stop) => text_ui(ui, &stop.note, SMALL, Emphasis::Quiet, page),
        None => {
            ui.label(
                page.theme
                    .label("None of these now: something else is set. Choose one to go there."),
            );
        }
    }
}

/// Of two; answers as [`line`] does.
fn switch(
    ui: &mut Ui,
    cell: &StopsCell,
    current: Option<usize>,
    page: &PageContext<'_>,
) -> Option<usize> {
    let words: Vec<_> = cell.stops.iter().map(|stop| stop.label.words()).collect();
    let segments: Vec<_> = words
        .iter()
        .map(|text| SegmentedChoice { text, detail: String::new(), tooltip: "" })
        .collect();
    let width = ui.available_width().min(MOST_SWITCH);
    let row = vec2(ui.available_width(), 0.0);
    ui.allocate_ui_with_layout(row, Layout::top_down(Align::Center), |ui| {
        ui.set_max_width(width);
        segmented(ui, page.theme, &segments, current, false)
    })
    .inner
}

/// The line itself; answers with the stop that the reader wants.
fn line(
    ui: &mut Ui,
    cell: &StopsCell,
    current: Option<usize>,
    page: &PageContext<'_>,
) -> Option<usize> {
    let theme = page.theme;
    let count = cell.stops.len().max(1);
    let width = ui.available_width() / count as f32;
    let worded = width >= LEAST;
    let words: Vec<PaintedLine> = cell
        .stops
        .iter()
        .enumerate()
        .map(|(index, stop)| label(ui, stop, width - 10.0, current == Some(index), page))
        .collect();
    let below = if worded {
        words.iter().map(|words| words.size().y).fold(0.0, f32::max) + 6.0
    } else {
        0.0
    };
    let size = vec2(ui.available_width(), LINE + RADIUS + 3.0 + below);
    let (rect, dragged) = ui.allocate_exact_size(size, Sense::drag());
    let column = |index: usize| {
        let left = rect.left() + width * index as f32;
        Rect::from_min_size(pos2(left, rect.top()), vec2(width, size.y))
    };
    let mut wanted = dragged
        .is_pointer_button_down_on()
        .then(|| dragged.interact_pointer_pos())
        .flatten()
        .map(|at| (((at.x - rect.left()) / width).max(0.0) as usize).min(count - 1));
    let y = rect.top() + LINE;
    let ends = [pos2(column(0).center().x, y), pos2(column(count - 1).center().x, y)];
    ui.painter().line_segment(ends, Stroke::new(3.0, theme.rule));
    for (index, (stop, words)) in cell.stops.iter().zip(words).enumerate() {
        let on = current == Some(index);
        let id = stop_id(cell, index);
        let response = ui.interact(column(index), id, Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(egui::Role::RadioButton, ui.is_enabled(), on, &words.spoken)
        });
        if response.clicked() {
            wanted = Some(index);
        }
        if let Some(next) = place_by_arrows(ui, &response, index, count) {
            ui.memory_mut(|memory| memory.request_focus(stop_id(cell, next)));
            wanted = Some(next);
        }
        paint(ui, &response, (index, on), theme);
        if worded {
            let left = column(index).center().x - words.size().x / 2.0;
            words.paint(ui.painter(), pos2(left, y + RADIUS + 6.0), theme);
        } else {
            response.tip(stop.label.words());
        }
    }
    if !worded && let Some(stop) = current.and_then(|current| cell.stops.get(current)) {
        let strong = font::strong(SMALL);
        ui.label(RichText::new(stop.label.words()).font(strong));
    }
    wanted
}

fn stop_id(cell: &StopsCell, index: usize) -> Id {
    Id::unique(("stop", &cell.label.source, index))
}

/// Centred below its stop, line by line.
fn label(ui: &Ui, stop: &Stop, width: f32, on: bool, page: &PageContext<'_>) -> PaintedLine {
    let emphasis = if on { Emphasis::Strong } else { Emphasis::Plain };
    let mut face = Face::of_text(SMALL, emphasis, page.theme);
    face.line = (SMALL * 1.25).round();
    if on {
        face.color = page.theme.accent;
    }
    PaintedLine::centred(ui, stop.label.line(), face, width.max(20.0), page)
}

fn paint(ui: &Ui, response: &Response, (index, on): (usize, bool), theme: &Theme) {
    let at = pos2(response.rect.center().x, response.rect.top() + LINE);
    let lit = response.hovered() || response.has_focus();
    let (fill, edge, ink) = if on {
        (theme.accent, theme.accent, theme.on_fill(theme.accent))
    } else if lit {
        (theme.accent_wash, theme.accent, theme.ink)
    } else {
        (theme.paper, theme.quiet, theme.ink)
    };
    let painter = ui.painter();
    painter.circle(at, RADIUS, fill, Stroke::new(1.5, edge));
    painter.text_centered(at, index + 1, font::strong(CAPTION), ink);
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Setting, Settings};
    use bindpose_skin::{JointIndex, SkinStage};

    use super::*;
    use crate::cells::testing::{Page, harness};
    use eframe::egui::Key;
    use egui_kittest::{Harness, kittest::Queryable};

    fn cell() -> StopsCell {
        let stop = |label: &str, stage, through: u16| Stop {
            label: label.into(),
            note: format!("Now {label}.").into(),
            set: Settings(vec![
                Setting::Stage(stage),
                Setting::Through(Some(JointIndex(through).into())),
            ]),
        };
        StopsCell {
            label: "Stage".into(),
            stops: vec![
                stop("stored", SkinStage::Bind, 1),
                stop("inverse", SkinStage::Joint, 1),
                stop("posed", SkinStage::Posed, 1),
            ],
        }
    }

    fn shown() -> Harness<'static, Page> {
        let cell = cell();
        let mut harness = harness(Page::new("simple_skin"), move |view, page| {
            ui(view, &cell, page);
        });
        harness.run();
        harness
    }

    #[test]
    fn a_click_sets_all_of_a_stop_and_its_note_is_shown() {
        let mut harness = shown();
        harness.get_by_label_contains("None of these now");
        harness.get_by_label("inverse").click();
        harness.run();
        assert_eq!(harness.state().document.state.stage, SkinStage::Joint);
        assert_eq!(harness.state().document.state.through, Some(JointIndex(1)));
        harness.get_by_label("Now inverse.");
    }

    #[test]
    fn a_stop_that_puts_all_angles_and_then_one_is_stood_at() {
        let bent = Stop {
            label: "bent".into(),
            note: "Now bent.".into(),
            set: Settings(vec![
                Setting::Param("all".to_owned(), 0.0),
                Setting::Param("bend".to_owned(), 0.5),
            ]),
        };
        let cell = StopsCell { label: "Pose".into(), stops: vec![bent] };
        let mut harness = harness(Page::new("simple_skin"), move |view, page| {
            ui(view, &cell, page);
        });
        harness.run();
        harness.get_by_label_contains("None of these now");
        harness.get_by_label("bent").click();
        harness.run();
        harness.get_by_label("Now bent.");
    }

    #[test]
    fn arrows_go_to_the_neighbour_and_stop_at_the_end() {
        let mut harness = shown();
        harness.get_by_label("inverse").focus();
        harness.run();
        for expected in [SkinStage::Posed, SkinStage::Posed] {
            harness.key_press(Key::ArrowRight);
            harness.run();
            assert_eq!(harness.state().document.state.stage, expected);
        }
        harness.key_press(Key::ArrowLeft);
        harness.run();
        assert_eq!(harness.state().document.state.stage, SkinStage::Joint);
    }
}
