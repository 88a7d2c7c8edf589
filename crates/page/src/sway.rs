//! A parameter that sways slowly around its value, so that the reader sees at once what can
//! move.
//!
//! The whole page follows, as if the value were dragged, but the document keeps its own value.
//! So undo, saved pages, links and exercises are not affected.

use std::f64::consts::TAU;

use bindpose_gltf::Rig;
use bindpose_lesson::Lesson;
use bindpose_notebook::{Derived, Document};
use eframe::egui::{Event, Ui};

use crate::PageContext;
use crate::reader_presence::request_swaying_frame;
use crate::slider_param::SliderParam;

const PERIOD_SECS: f64 = 5.0;
/// Duration of the sway: a whole number of periods, so that it ends at its start.
const DURATION_SECS: f64 = 4.0 * PERIOD_SECS;
/// Amplitude divided by the parameter's range. Less if the range ends sooner.
const AMPLITUDE_SHARE: f64 = 0.1;
/// Maximum time step of a frame. After a pause the sway continues where it was.
const MAX_STEP_SECS: f64 = 0.25;
/// Share of the offset that remains after a second of easing back.
const EASING_PER_SEC: f64 = 1e-4;

/// Advances the sway of the open step by one frame.
///
/// It ends after [`DURATION_SECS`], at the first touch or key, and when the window loses the
/// focus. It does not begin while an exercise of the step is open.
pub(crate) fn advance(ui: &Ui, page: &mut PageContext<'_>) {
    let Some(SwayingParam { value: at_rest, min, max, .. }) = SwayingParam::of_open_step(page)
    else {
        return;
    };
    if ui.ctx().current_pass_index() > 0 {
        return;
    }
    let has_class_question = page.view.classroom.question().is_some();
    let can_sway = page.can_sway
        && !has_class_question
        && page.view.wants_motion(ui)
        && page.view.playing.transition.is_none()
        && ui.input(|input| input.focused);
    let is_touched = ui.input(|input| {
        // Raw events, because commands have already consumed theirs from the others.
        let mut raw_events = input.raw.events.iter();
        input.pointer.any_pressed()
            || raw_events
                .any(|event| matches!(event, Event::Key { pressed: true, repeat: false, .. }))
    });
    let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(MAX_STEP_SECS);
    let sway = &mut page.view.playing.sway;
    let has_begun = sway.time_secs > 0.0;
    if has_begun {
        sway.is_ending |= is_touched || !can_sway || sway.time_secs >= DURATION_SECS;
        if sway.at_rest != at_rest {
            // The reader has moved it: it stays where they put it.
            sway.is_ending = true;
            sway.offset = 0.0;
        }
    }
    sway.at_rest = at_rest;
    if sway.is_ending {
        let offset = sway.offset * EASING_PER_SEC.powf(dt_secs);
        let has_arrived = offset.abs() < 1e-3 * (max - min);
        sway.offset = if has_arrived { 0.0 } else { offset };
    } else if can_sway {
        sway.time_secs += dt_secs;
        sway.offset = offset_at(sway.time_secs, at_rest, min, max);
    }
    if sway.offset != 0.0 || can_sway && !sway.is_ending {
        request_swaying_frame(ui, page.limits);
    }
}

/// Returns the offset from the parameter's own value after `time_secs`.
fn offset_at(time_secs: f64, at_rest: f64, min: f64, max: f64) -> f64 {
    let room = (at_rest - min).max(max - at_rest);
    let amplitude = (AMPLITUDE_SHARE * (max - min)).min(room);
    let offset = amplitude * (time_secs * TAU / PERIOD_SECS).sin();
    offset.clamp(min - at_rest, max - at_rest)
}

/// Returns the document with a parameter that has swayed for `time_secs`. Returns `None` if
/// there is no such parameter.
pub(crate) fn swayed_document(
    name: &str,
    document: &Document,
    lesson: &Lesson,
    rig: &Rig,
    time_secs: f64,
) -> Option<Document> {
    let (default, (min, max)) = if let Some(param) = rig.param(name) {
        (param.default, param.range)
    } else {
        let param = lesson.params.iter().find(|param| param.name == name)?;
        (param.default, param.range)
    };
    let at_rest = document.state.params.get(name).copied().unwrap_or(default);
    let mut swayed = document.clone();
    let value = at_rest + offset_at(time_secs, at_rest, min, max);
    swayed.state.params.insert(name.to_owned(), value);
    Some(swayed)
}

/// Returns the document as it sways in this frame, and the values derived from it. Returns
/// `None` if nothing sways.
pub(crate) fn swayed_page(page: &PageContext<'_>) -> Option<(Document, Derived)> {
    let offset = page.view.playing.sway.offset;
    if offset == 0.0 {
        return None;
    }
    let param = SwayingParam::of_open_step(page)?;
    let mut document = page.document.clone();
    document.state.params.insert(param.name.to_owned(), param.value + offset);
    let derived = page.derived.of_other(&document, Some(page.lesson));
    Some((document, derived))
}

struct SwayingParam<'a> {
    name: &'a str,
    /// Value in the document.
    value: f64,
    min: f64,
    max: f64,
}

impl<'a> SwayingParam<'a> {
    /// Returns `None` if no parameter sways at the open step.
    fn of_open_step(page: &PageContext<'a>) -> Option<Self> {
        let name = page.lesson.steps.get(page.document.step)?.sways.as_deref()?;
        let param = SliderParam::find(name, page)?;
        let (min, max) = param.range();
        Some(Self { name, value: param.value(page), min, max })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;
    use std::sync::{Arc, Mutex};

    use bindpose_lesson::{CellKind, LessonBlock, LessonSet};
    use bindpose_notebook::exercise_cells::Exercise;
    use bindpose_notebook::findings_here::StepFindings;
    use bindpose_notebook::gpu_proof::GpuVertices;
    use bindpose_notebook::inventory::Forms;
    use bindpose_notebook::scene::Scene;
    use bindpose_notebook::step_document;
    use bindpose_rigs::builtin;
    use eframe::egui::{Rect, Shape, vec2};
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    use glam::Mat4;

    use super::*;
    use crate::cells::cell_ui;
    use crate::cells::testing::{Page, harness};
    use crate::page::PageExtras;
    use crate::step_heading::{ReaderMarks, StepChanges};
    use crate::view::Viewports;
    use crate::view::presenter::FrozenPage;

    const BEND_RAD: f64 = 0.5;

    /// Creates a page of the arm at a step whose bend sways around [`BEND_RAD`].
    fn swaying_harness(wants_motion: bool, change: impl Fn(&mut Page)) -> Harness<'static, Page> {
        let mut page = Page::new("arm");
        page.view.pictures.waits_for_work = false;
        page.lesson.steps[0].sways = Some("bend".to_owned());
        page.document.state.params.insert("bend".to_owned(), BEND_RAD);
        change(&mut page);
        let mut harness = harness(page, move |ui, page| {
            ui.style_mut().animation_time = if wants_motion { 0.1 } else { 0.0 };
            advance(ui, page);
            let at_rest = page.document.state.params["bend"];
            let bend = swayed_page(page).map_or(at_rest, |(document, derived)| {
                let bend = document.state.params["bend"];
                assert_eq!(derived.param("bend"), Some(bend));
                bend
            });
            ui.label(format!("{bend:.4}"));
        });
        harness.run_steps(4);
        harness
    }

    fn offset(harness: &Harness<'_, Page>) -> f64 {
        harness.state().view.playing.sway.offset
    }

    #[test]
    fn derived_values_follow_the_sway_and_the_document_keeps_its_value() {
        let mut harness = swaying_harness(true, |_| {});
        let mut min = 0.0_f64;
        let mut max = 0.0_f64;
        for _ in 0..300 {
            harness.step();
            let offset = offset(&harness);
            min = min.min(offset);
            max = max.max(offset);
            harness.get_by_label(&format!("{:.4}", BEND_RAD + offset));
        }
        assert!(min < -0.2 && max > 0.2, "{min} to {max}");
        assert_eq!(harness.state().document.state.params["bend"], BEND_RAD);
        assert!(harness.state().edits.is_empty());
    }

    #[test]
    fn ends_at_its_start_after_its_duration() {
        let mut harness = swaying_harness(true, |_| {});
        let mut frame_count = 0;
        while !harness.state().view.playing.sway.is_ending {
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
    fn eases_back_at_a_touch_and_stays_there() {
        let mut harness = swaying_harness(true, |_| {});
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
    fn value_that_the_reader_moves_is_kept() {
        let mut harness = swaying_harness(true, |_| {});
        harness.state_mut().document.state.params.insert("bend".to_owned(), 0.9);
        harness.run_steps(2);
        assert_eq!(offset(&harness), 0.0);
    }

    #[test]
    fn does_not_start_on_a_held_page_with_reduced_motion_or_an_open_exercise() {
        let reduced_motion = swaying_harness(false, |_| {});
        assert_eq!(offset(&reduced_motion), 0.0);
        let held_page = swaying_harness(true, |page| {
            page.view.presenting = true;
            page.view.presenter.frozen = Some(Rc::new(FrozenPage {
                document: page.document.clone(),
                derived: page.derived(),
            }));
        });
        assert_eq!(offset(&held_page), 0.0);
        let presented = swaying_harness(true, |page| page.view.presenting = true);
        assert_ne!(offset(&presented), 0.0, "a class sees it, too");
        let open_exercise = swaying_harness(true, |page| page.can_sway = false);
        assert_eq!(offset(&open_exercise), 0.0);
    }

    #[test]
    fn exercise_is_judged_by_the_page_at_rest() {
        let mut page = Page::new("arm");
        let text = "+++\ntitle = \"T\"\nminutes = 1\nrig = \"arm\"\n+++\n\n## One\n\n\
            ```check straight\nask = \"Set it.\"\nlabel = \"bend\"\nmeasure = \"bend\"\n\
            goal = \"0.5\"\ntolerance = 0.01\nsolution = { bend = 0.5 }\nsolved = \"Right.\"\n```\n";
        page.lesson(
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
    /// Palettes of the pictures of a page, by their ids.
    type Palettes = BTreeMap<String, Arc<[Mat4]>>;

    /// Records the palettes of all scenes instead of drawing them.
    struct PaletteRecorder(Arc<Mutex<Palettes>>);

    impl Viewports for PaletteRecorder {
        fn shape(&mut self, id: &str, _: Rect, scene: Scene) -> Result<Shape, String> {
            self.0.lock().unwrap().insert(id.to_owned(), scene.palette);
            Ok(Shape::Noop)
        }

        fn read_back_vertices(&mut self, _: &Scene) -> Result<GpuVertices, String> {
            Err("not drawn".to_owned())
        }
    }

    /// A step drawn without a GPU.
    struct DrawnStep {
        harness: Harness<'static, Page>,
        palettes: Arc<Mutex<Palettes>>,
    }

    impl DrawnStep {
        fn new(lesson: &Lesson, document: Document, rig: Arc<Rig>, can_sway: bool) -> Self {
            let palettes = Arc::<Mutex<Palettes>>::default();
            let mut page = Page::with_rig(rig);
            page.lesson(lesson.clone());
            page.document = document;
            page.can_sway = can_sway;
            page.view.pictures.waits_for_work = false;
            page.viewports = Box::new(PaletteRecorder(Arc::clone(&palettes)));
            let mut harness = harness(page, |ui, page| {
                ui.style_mut().animation_time = 0.1;
                let extras = PageExtras {
                    changed: StepChanges::default(),
                    findings: StepFindings::default(),
                    marks: ReaderMarks::default(),
                    forms: Forms::default(),
                    next: None,
                    other_way: None,
                };
                crate::page::ui(ui, page, &extras);
            });
            harness.set_size(vec2(1280.0, 720.0));
            harness.run_steps(4);
            Self { harness, palettes }
        }

        /// Returns every text and number of the page.
        fn words(&self) -> Vec<String> {
            let nodes = self.harness.root().children_recursive();
            let words = nodes.map(|node| {
                let node = node.accesskit_node();
                let number = node.numeric_value();
                format!("{:?} {:?} {:?} {number:?}", node.role(), node.label(), node.value())
            });
            words.collect()
        }
    }

    /// Everything that a page shows while it sways is what it shows with the value set.
    #[test]
    fn pictures_and_numbers_of_every_step_agree_while_it_sways() {
        let mut step_count = 0;
        for mut lesson in LessonSet::embedded().lessons {
            // Exercises are judged by the page at rest.
            for step in &mut lesson.steps {
                step.blocks.retain(|block| {
                    !matches!(block, LessonBlock::Cell(cell) if Exercise::from_cell(cell).is_some())
                });
            }
            for (index, step) in lesson.steps.iter().enumerate() {
                let Some(name) = &step.sways else { continue };
                let place = format!("{}/{}", lesson.slug, step.slug);
                let rig = builtin(lesson.rig_at(index)).expect("a built-in rig");
                let document = step_document(&lesson, index, Some(&rig));
                let mut swaying = DrawnStep::new(&lesson, document.clone(), Arc::clone(&rig), true);
                let param = rig.param(name).map(|param| param.default);
                let at_rest = document.state.params.get(name).copied().or(param);
                let at_rest = at_rest.unwrap_or_else(|| panic!("{place}: no {name}"));
                for moment in 0..3 {
                    swaying.harness.run_steps(23);
                    let offset = offset(&swaying.harness);
                    assert_ne!(offset, 0.0, "{place} sways");
                    let mut moved = document.clone();
                    moved.state.params.insert(name.clone(), at_rest + offset);
                    let still = DrawnStep::new(&lesson, moved, Arc::clone(&rig), false);
                    let told = format!("{place} at moment {moment}");
                    assert_eq!(swaying.words(), still.words(), "{told}");
                    let palettes = swaying.palettes.lock().unwrap();
                    assert!(!palettes.is_empty(), "{told}");
                    assert_eq!(*palettes, *still.palettes.lock().unwrap(), "{told}");
                }
                step_count += 1;
            }
        }
        assert!(step_count >= 15, "{step_count}");
    }
}
