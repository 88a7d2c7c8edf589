//! A parameter that its step lets sway, slowly and around its value, so that a picture shows
//! at once what can move in it.

use std::f64::consts::TAU;

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;
use bindpose_notebook::{Derived, Document};
use eframe::egui::{Event, Ui};

use crate::PageContext;
use crate::cells::angles::SliderParam;
use crate::reader_presence::request_frame;

/// From one side to the other and back, in seconds.
const PERIOD_SECS: f64 = 5.0;
/// To either side, of the range of the parameter; less where it ends sooner.
const AMPLITUDE: f64 = 0.1;
/// What is left of a sway after a second on its way back.
const LEFT_AFTER_SEC: f64 = 1e-4;

/// Moves it on, until the reader does something on the page or nobody is there: then it goes
/// back to where the page has it, and stays. Prose and sliders say what the page has.
pub(crate) fn advance(ui: &Ui, page: &mut PageContext<'_>) {
    let Some((_, at_rest, range)) = swaying(page) else {
        return;
    };
    if ui.ctx().current_pass_index() > 0 {
        return;
    }
    let wanted = page.view.wants_motion(ui);
    let pressed = ui.input(|input| {
        let key = |event: &Event| matches!(event, Event::Key { pressed: true, repeat: false, .. });
        // Commands have taken theirs from the others already.
        input.pointer.any_pressed() || input.raw.events.iter().any(key)
    });
    let sway = &mut page.view.playing.sway;
    let goes_on = sway.reader.is_there(ui) && wanted;
    let begun = sway.time_secs > 0.0;
    sway.over |= pressed || begun && !goes_on;
    if begun && sway.around != at_rest {
        // What the reader moves is theirs.
        (sway.over, sway.offset) = (true, 0.0);
    }
    sway.around = at_rest;
    if !begun && !goes_on || sway.over && sway.offset == 0.0 {
        return;
    }
    let dt_secs = f64::from(ui.input(|input| input.stable_dt)).min(0.1);
    if sway.over {
        let left = sway.offset * LEFT_AFTER_SEC.powf(dt_secs);
        let is_back = left.abs() < 1e-4 * (range.1 - range.0);
        sway.offset = if is_back { 0.0 } else { left };
    } else {
        sway.time_secs += dt_secs;
        sway.offset = offset_at(sway.time_secs, at_rest, range);
    }
    request_frame(ui, page.limits);
}

/// From its value, after so long.
fn offset_at(time_secs: f64, at_rest: f64, (least, most): (f64, f64)) -> f64 {
    let room = (at_rest - least).max(most - at_rest);
    let amplitude = (AMPLITUDE * (most - least)).min(room);
    let offset = amplitude * (time_secs * TAU / PERIOD_SECS).sin();
    offset.clamp(least - at_rest, most - at_rest)
}

/// A document in which a parameter has swayed for so long; `None`: there is no such
/// parameter.
pub(crate) fn swayed_by(
    name: &str,
    document: &Document,
    (lesson, rig): (&Lesson, &Rig),
    time_secs: f64,
) -> Option<Document> {
    let of_lesson = || lesson.params.iter().find(|param| param.name == name);
    let of_rig = rig.param(name).map(|param| (param.default, param.range));
    let (default, range) = of_rig.or_else(|| of_lesson().map(|one| (one.default, one.range)))?;
    let at_rest = document.state.params.get(name).copied().unwrap_or(default);
    let mut swayed = document.clone();
    let value = at_rest + offset_at(time_secs, at_rest, range);
    swayed.state.params.insert(name.to_owned(), value);
    Some(swayed)
}

/// What pictures show while something sways; `None`: the page as it is.
pub(crate) fn swayed(page: &PageContext<'_>) -> Option<(Document, Derived)> {
    let offset = page.view.playing.sway.offset;
    let (name, at_rest, _) = swaying(page).filter(|_| offset != 0.0)?;
    let mut document = page.document.clone();
    document.state.params.insert(name.to_owned(), at_rest + offset);
    let derived = page.derived.of_other(&document, Some(page.lesson));
    Some((document, derived))
}

/// Name, value and range of what the step lets sway.
fn swaying<'a>(page: &PageContext<'a>) -> Option<(&'a str, f64, (f64, f64))> {
    let name = page.lesson.steps.get(page.document.step)?.sways.as_deref()?;
    let param = SliderParam::named(name, page)?;
    Some((name, param.value(page), param.range()))
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;

    use super::*;
    use crate::cells::testing::{Page, harness};
    use crate::reader_presence::STAYS_SECS;

    /// The arm at a step that lets its bend sway around 30°.
    fn swaying(wanted: bool, with: impl Fn(&mut Page)) -> Harness<'static, Page> {
        let mut page = Page::new("arm");
        page.view.pictures.waits = false;
        page.lesson.steps[0].sways = Some("bend".to_owned());
        page.document.state.params.insert("bend".to_owned(), 0.5);
        with(&mut page);
        let mut harness = harness(page, move |ui, page| {
            ui.style_mut().animation_time = if wanted { 0.1 } else { 0.0 };
            advance(ui, page);
        });
        harness.run_steps(4);
        harness
    }

    fn offset(harness: &Harness<'_, Page>) -> f64 {
        harness.state().view.playing.sway.offset
    }

    #[test]
    fn pictures_sway_around_the_value_of_the_page_and_it_keeps_that() {
        let mut harness = swaying(true, |_| {});
        let (mut least, mut most) = (0.0_f64, 0.0_f64);
        for _ in 0..300 {
            harness.state_mut().view.playing.sway.reader.touched_secs = None;
            harness.step();
            (least, most) = (least.min(offset(&harness)), most.max(offset(&harness)));
        }
        assert!(least < -0.2 && most > 0.2, "{least} to {most}");
        assert_eq!(harness.state().document.state.params["bend"], 0.5);
        assert!(harness.state().edits.is_empty());
    }

    #[test]
    fn it_goes_back_when_something_is_pressed_or_nobody_is_there() {
        let press = |harness: &mut Harness<'_, Page>| {
            harness.key_press(eframe::egui::Key::A);
        };
        let wait = |harness: &mut Harness<'_, Page>| {
            let reader = &mut harness.state_mut().view.playing.sway.reader;
            reader.touched_secs = reader.touched_secs.map(|secs| secs - STAYS_SECS);
        };
        for end in [press as fn(&mut Harness<'_, Page>), wait] {
            let mut harness = swaying(true, |_| {});
            assert_ne!(offset(&harness), 0.0);
            end(&mut harness);
            harness.run_steps(120);
            assert_eq!(offset(&harness), 0.0);
            harness.run_steps(5);
            assert_eq!(offset(&harness), 0.0, "it stays there");
        }
    }

    #[test]
    fn what_the_reader_moves_is_theirs() {
        let mut harness = swaying(true, |_| {});
        harness.state_mut().document.state.params.insert("bend".to_owned(), 0.9);
        harness.run_steps(2);
        assert_eq!(offset(&harness), 0.0);
    }

    #[test]
    fn it_rests_on_projectors_and_with_less_motion() {
        let presented = swaying(true, |page| page.view.presenting = true);
        for harness in [swaying(false, |_| {}), presented] {
            assert_eq!(offset(&harness), 0.0);
        }
    }
}
