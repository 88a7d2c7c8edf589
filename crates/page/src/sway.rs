//! A parameter that sways slowly around its value, so that the reader sees at once what can
//! move. The whole page follows, as if the value were dragged, but the document keeps its
//! own: there is nothing to undo, to save, to link to or to judge.

use std::f64::consts::TAU;

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;
use bindpose_notebook::{Derived, Document};
use eframe::egui::{Event, Ui};

use crate::PageContext;
use crate::cells::angles::SliderParam;
use crate::reader_presence::request_swaying_frame;

/// From one side to the other and back.
const PERIOD_SECS: f64 = 5.0;
/// A whole number of periods, so that it ends where it began.
const DURATION_SECS: f64 = 4.0 * PERIOD_SECS;
/// To either side, as a share of the parameter's range; less where the range ends sooner.
const AMPLITUDE: f64 = 0.1;
/// Longest step of one frame: after a pause the sway goes on where it was.
const MAX_STEP_SECS: f64 = 0.25;
/// Share of the offset that is left after a second of easing back.
const LEFT_AFTER_SEC: f64 = 1e-4;

/// Moves the sway of the open step on by one frame.
///
/// It ends after [`DURATION_SECS`], at the first touch or key, and when the window loses the
/// focus. It does not begin while an exercise of the step is open.
pub(crate) fn advance(ui: &Ui, page: &mut PageContext<'_>) {
    let Some((_, at_rest, range)) = swaying_param(page) else {
        return;
    };
    if ui.ctx().current_pass_index() > 0 {
        return;
    }
    let class_is_asked = page.view.classroom.state().is_some_and(|class| class.question.is_some());
    let can_sway = page.can_sway
        && !class_is_asked
        && page.view.wants_motion(ui)
        && page.view.playing.transition.is_none()
        && ui.input(|input| input.focused);
    let is_touched = ui.input(|input| {
        let key = |event: &Event| matches!(event, Event::Key { pressed: true, repeat: false, .. });
        // Commands have taken theirs from the others already.
        input.pointer.any_pressed() || input.raw.events.iter().any(key)
    });
    let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(MAX_STEP_SECS);
    let sway = &mut page.view.playing.sway;
    let has_begun = sway.time_secs > 0.0;
    if has_begun {
        sway.is_over |= is_touched || !can_sway || sway.time_secs >= DURATION_SECS;
        if sway.at_rest != at_rest {
            // The reader has moved it: it stays where they put it.
            (sway.is_over, sway.offset) = (true, 0.0);
        }
    }
    sway.at_rest = at_rest;
    if sway.is_over {
        let left = sway.offset * LEFT_AFTER_SEC.powf(dt_secs);
        let has_arrived = left.abs() < 1e-3 * (range.1 - range.0);
        sway.offset = if has_arrived { 0.0 } else { left };
    } else if can_sway {
        sway.time_secs += dt_secs;
        sway.offset = offset_at(sway.time_secs, at_rest, range.0, range.1);
    }
    if sway.offset != 0.0 || can_sway && !sway.is_over {
        request_swaying_frame(ui, page.limits);
    }
}

/// Offset from the parameter's own value after `time_secs`.
fn offset_at(time_secs: f64, at_rest: f64, min: f64, max: f64) -> f64 {
    let room = (at_rest - min).max(max - at_rest);
    let amplitude = (AMPLITUDE * (max - min)).min(room);
    let offset = amplitude * (time_secs * TAU / PERIOD_SECS).sin();
    offset.clamp(min - at_rest, max - at_rest)
}

/// The document with one parameter as it has swayed for `time_secs`. Returns `None` if there
/// is no such parameter.
pub(crate) fn swayed_by(
    name: &str,
    document: &Document,
    lesson: &Lesson,
    rig: &Rig,
    time_secs: f64,
) -> Option<Document> {
    let of_lesson = || lesson.params.iter().find(|param| param.name == name);
    let of_rig = rig.param(name).map(|param| (param.default, param.range));
    let (default, range) = of_rig.or_else(|| of_lesson().map(|one| (one.default, one.range)))?;
    let at_rest = document.state.params.get(name).copied().unwrap_or(default);
    let mut swayed = document.clone();
    let value = at_rest + offset_at(time_secs, at_rest, range.0, range.1);
    swayed.state.params.insert(name.to_owned(), value);
    Some(swayed)
}

/// The document as it sways in this frame, and the values derived from it. Returns `None`
/// if nothing sways.
pub(crate) fn swayed(page: &PageContext<'_>) -> Option<(Document, Derived)> {
    let offset = page.view.playing.sway.offset;
    let (name, at_rest, _) = swaying_param(page).filter(|_| offset != 0.0)?;
    let mut document = page.document.clone();
    document.state.params.insert(name.to_owned(), at_rest + offset);
    let derived = page.derived.of_other(&document, Some(page.lesson));
    Some((document, derived))
}

/// Name, value and range of the parameter that the open step lets sway.
fn swaying_param<'a>(page: &PageContext<'a>) -> Option<(&'a str, f64, (f64, f64))> {
    let name = page.lesson.steps.get(page.document.step)?.sways.as_deref()?;
    let param = SliderParam::named(name, page)?;
    Some((name, param.value(page), param.range()))
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::CellKind;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::cells::cell_ui;
    use crate::cells::testing::{Page, harness};

    const BEND_RAD: f64 = 0.5;

    /// The arm at a step that lets its bend sway around [`BEND_RAD`].
    fn swaying(wants_motion: bool, change: impl Fn(&mut Page)) -> Harness<'static, Page> {
        let mut page = Page::new("arm");
        page.view.pictures.waits = false;
        page.lesson.steps[0].sways = Some("bend".to_owned());
        page.document.state.params.insert("bend".to_owned(), BEND_RAD);
        change(&mut page);
        let mut harness = harness(page, move |ui, page| {
            ui.style_mut().animation_time = if wants_motion { 0.1 } else { 0.0 };
            advance(ui, page);
            let at_rest = page.document.state.params["bend"];
            let shown = swayed(page).map_or(at_rest, |(document, derived)| {
                let bend = document.state.params["bend"];
                assert_eq!(derived.param("bend"), Some(bend));
                bend
            });
            ui.label(format!("{shown:.4}"));
        });
        harness.run_steps(4);
        harness
    }

    fn offset(harness: &Harness<'_, Page>) -> f64 {
        harness.state().view.playing.sway.offset
    }

    #[test]
    fn everything_derived_follows_the_sway_and_the_document_keeps_its_value() {
        let mut harness = swaying(true, |_| {});
        let (mut min, mut max) = (0.0_f64, 0.0_f64);
        for _ in 0..300 {
            harness.step();
            let offset = offset(&harness);
            (min, max) = (min.min(offset), max.max(offset));
            harness.get_by_label(&format!("{:.4}", BEND_RAD + offset));
        }
        assert!(min < -0.2 && max > 0.2, "{min} to {max}");
        assert_eq!(harness.state().document.state.params["bend"], BEND_RAD);
        assert!(harness.state().edits.is_empty());
    }

    #[test]
    fn it_ends_where_it_began_when_its_time_is_over() {
        let mut harness = swaying(true, |_| {});
        let mut frame_count = 0;
        while !harness.state().view.playing.sway.is_over {
            harness.step();
            frame_count += 1;
            assert!(frame_count < 10_000);
        }
        let sway = harness.state().view.playing.sway;
        assert!(sway.time_secs >= DURATION_SECS && sway.time_secs < DURATION_SECS + 1.0);
        assert!(sway.offset.abs() < 0.02, "{}", sway.offset);
        harness.run_steps(60);
        assert_eq!(offset(&harness), 0.0);
    }

    #[test]
    fn it_eases_back_at_a_touch_and_stays_there() {
        let mut harness = swaying(true, |_| {});
        while offset(&harness).abs() < 0.2 {
            harness.step();
        }
        let before = offset(&harness);
        harness.input_mut().events.push(Event::PointerButton {
            pos: eframe::egui::Pos2::ZERO,
            button: eframe::egui::PointerButton::Primary,
            pressed: true,
            modifiers: eframe::egui::Modifiers::NONE,
        });
        harness.step();
        assert!(offset(&harness).abs() < before.abs() && offset(&harness) != 0.0, "no jump");
        harness.run_steps(120);
        assert_eq!(offset(&harness), 0.0);
        harness.run_steps(5);
        assert_eq!(offset(&harness), 0.0, "it stays there");
    }

    #[test]
    fn a_value_that_the_reader_moves_stays_where_they_put_it() {
        let mut harness = swaying(true, |_| {});
        harness.state_mut().document.state.params.insert("bend".to_owned(), 0.9);
        harness.run_steps(2);
        assert_eq!(offset(&harness), 0.0);
    }

    #[test]
    fn it_rests_on_projectors_with_less_motion_and_while_an_exercise_is_open() {
        let rests = |wants_motion: bool, change: fn(&mut Page)| {
            assert_eq!(offset(&swaying(wants_motion, change)), 0.0);
        };
        rests(false, |_| {});
        rests(true, |page| page.view.presenting = true);
        rests(true, |page| page.can_sway = false);
    }

    #[test]
    fn an_exercise_is_judged_by_the_page_at_rest() {
        let mut page = Page::new("arm");
        let text = "+++\ntitle = \"T\"\nminutes = 1\nrig = \"arm\"\n+++\n\n## One\n\n\
            ```check straight\nask = \"Set it.\"\nlabel = \"bend\"\nmeasure = \"bend\"\n\
            goal = \"0.5\"\ntolerance = 0.01\nsolution = { bend = 0.5 }\nsolved = \"Right.\"\n```\n";
        page.put_lesson(
            bindpose_lesson::LessonSet::from_memory(&[("10-t", text, "")], "").lessons.remove(0),
        );
        page.document.state.params.insert("bend".to_owned(), BEND_RAD);
        let harness = harness(page, |ui, page| {
            let mut document = page.document.clone();
            document.state.params.insert("bend".to_owned(), 0.7);
            let derived = page.derived.of_other(&document, Some(page.lesson));
            let lesson = page.lesson;
            let mut cells = lesson.cells();
            let check = cells.find(|cell| matches!(cell.kind, CellKind::Check(_)));
            cell_ui(ui, check.expect("a check"), &mut page.swayed(&document, &derived), 100.0);
        });
        harness.get_by_label("Solved");
    }
}
