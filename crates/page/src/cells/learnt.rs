//! Sentences that a reader has learnt by the end of a lesson. Each has a small picture
//! that demonstrates it, and a link to the step that explains it.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_kit::theme::BODY_SIZE;
use bindpose_kit::widgets::{Emphasis, text_button};
use bindpose_lesson::{LearntCell, LearntLine, Lesson, ViewportCell, find_step};
use bindpose_notebook::{
    Derived, Document, Edit, Navigation, PageAddress, apply, apply_setting, learnt_viewport,
    lesson_rig, step_document,
};
use bindpose_rigs::builtin;
use eframe::egui::{Align, Layout, Rect, Ui, UiBuilder, pos2, vec2};

use super::figure::FigureView;
use crate::PageContext;
use crate::prose::text_ui;
use crate::reader_presence::{ReaderPresence, request_frame};
use crate::sway::swayed_document;

/// Minimum width at which a picture is placed beside its sentence, in points.
const MIN_BESIDE_WIDTH: f32 = 420.0;
/// Width of a picture beside its sentence, as a fraction of the available width.
const BESIDE_FRACTION: f32 = 0.46;
/// Limits of the height of a picture beside its sentence, in points. If possible, three
/// pictures are visible at once.
const MIN_BESIDE_HEIGHT: f32 = 112.0;
const MAX_BESIDE_HEIGHT: f32 = 168.0;
/// Height of the rest of the page, in points.
const REST_OF_PAGE_HEIGHT: f32 = 330.0;
/// Height of a picture above its sentence, in points.
const ABOVE_HEIGHT: f32 = 150.0;
/// Gap between a picture and the sentence beside it, in points.
const TEXT_GAP: f32 = 20.0;
/// Gap between two sentences, in points.
const LINE_GAP: f32 = 18.0;

/// Pictures of the sentences, kept from frame to frame.
#[derive(Default)]
struct LearntPictures {
    /// Number of resets of lessons when the pictures were created. After another reset,
    /// they are created again.
    resets: u64,
    lines: Vec<Option<LinePicture>>,
    reader: ReaderPresence,
    time_secs: f64,
}

/// The picture of a sentence, with a document and rig of its own.
struct LinePicture {
    cell: ViewportCell,
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    look: FigureView,
}

pub(super) fn ui(ui: &mut Ui, cell: &LearntCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |pictures: &mut LearntPictures, page| {
        if pictures.resets != page.view.resets {
            *pictures = LearntPictures { resets: page.view.resets, ..LearntPictures::default() };
        }
        pictures.lines.resize_with(cell.lines.len(), || None);
        for (line, picture) in cell.lines.iter().zip(&mut pictures.lines) {
            let rig = line_rig(line, page);
            let is_current = match (&rig, &*picture) {
                (Some(rig), Some(picture)) => Arc::ptr_eq(rig, &picture.rig),
                _ => false,
            };
            if !is_current {
                *picture = rig.and_then(|rig| LinePicture::new(line, page.lesson, rig));
            }
        }
        pictures.advance(ui, cell, page);
        for (index, (line, picture)) in cell.lines.iter().zip(&mut pictures.lines).enumerate() {
            if index > 0 {
                ui.add_space(LINE_GAP);
            }
            line_ui(ui, line, id, index, picture.as_mut(), page);
        }
    });
}

/// Draws a sentence with its picture and the link to its step.
fn line_ui(
    ui: &mut Ui,
    line: &LearntLine,
    id: &str,
    index: usize,
    picture: Option<&mut LinePicture>,
    page: &mut PageContext<'_>,
) {
    let available_width = ui.available_width();
    let is_beside = available_width >= MIN_BESIDE_WIDTH;
    let (width, height) = if is_beside {
        let third = (ui.content_rect().height() - REST_OF_PAGE_HEIGHT) / 3.0 - LINE_GAP;
        let height = third.clamp(MIN_BESIDE_HEIGHT, MAX_BESIDE_HEIGHT);
        (available_width * BESIDE_FRACTION, height)
    } else {
        (available_width, ABOVE_HEIGHT)
    };
    let picture_rect = Rect::from_min_size(ui.cursor().min, vec2(width.floor(), height));
    let picture_builder = UiBuilder::new().id_salt(("picture", index)).max_rect(picture_rect);
    let mut picture_ui = ui.new_child(picture_builder);
    match picture {
        Some(picture) => picture.show(&mut picture_ui, format!("{id} {index}"), page, height),
        None => {
            picture_ui.label(page.theme.label("The model of this picture is not here yet."));
        }
    }
    let text_rect = if is_beside {
        let top_left = pos2(picture_rect.right() + TEXT_GAP, picture_rect.top());
        Rect::from_min_max(top_left, ui.max_rect().max.max(picture_rect.max))
    } else {
        ui.max_rect().with_min_y(picture_rect.bottom() + 8.0)
    };
    let text_builder = UiBuilder::new()
        .id_salt(("words", index))
        .max_rect(text_rect)
        .layout(Layout::top_down(Align::Min));
    let mut line_text_ui = ui.new_child(text_builder);
    text_ui(&mut line_text_ui, &line.say, BODY_SIZE, Emphasis::Plain, page);
    line_text_ui.add_space(4.0);
    if let Ok(step) = find_step(page.lesson, &line.step) {
        let title = &page.lesson.steps[step].title;
        if text_button(&mut line_text_ui, &format!("← {title}"), page.theme).clicked() {
            page.requests.navigation.push(Navigation::Go(PageAddress {
                lesson: page.lesson.slug.clone(),
                step: Some(line.step.clone()),
            }));
        }
    }
    ui.advance_cursor_after_rect(picture_rect.union(line_text_ui.min_rect()));
}

/// Draws the picture of a sentence for printing. Returns false if it has none.
pub fn learnt_picture(
    ui: &mut Ui,
    line: &LearntLine,
    page: &mut PageContext<'_>,
    height: f32,
) -> bool {
    let rig = line_rig(line, page);
    let Some(mut picture) = rig.and_then(|rig| LinePicture::new(line, page.lesson, rig)) else {
        return false;
    };
    picture.show(ui, "learnt".to_owned(), page, height);
    true
}

/// Returns the rig of a sentence's step. This is the page's own rig if the step uses it
/// too. Returns `None` if the rig is not loaded.
fn line_rig(line: &LearntLine, page: &PageContext<'_>) -> Option<Arc<Rig>> {
    let step = find_step(page.lesson, &line.step).ok()?;
    let id = page.lesson.rig_at(step);
    if id == page.lesson.rig_at(page.document.step) {
        return Some(Arc::clone(&page.derived.stored_rig));
    }
    lesson_rig(page.set, id, &builtin)
}

impl LearntPictures {
    /// Advances the motion of the pictures, unless the reader is away.
    fn advance(&mut self, ui: &Ui, cell: &LearntCell, page: &PageContext<'_>) {
        let is_there = self.reader.is_there(ui);
        if !is_there || !page.view.wants_motion(ui) || ui.ctx().current_pass_index() > 0 {
            return;
        }
        let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(0.1);
        self.time_secs += dt_secs;
        let mut has_moved = false;
        for (line, picture) in cell.lines.iter().zip(&mut self.lines) {
            if let Some(picture) = picture {
                has_moved |= picture.advance(line, page.lesson, self.time_secs, dt_secs);
            }
        }
        if has_moved {
            request_frame(ui, page.limits);
        }
    }
}

impl LinePicture {
    /// Creates the picture from the initial state of the step with the settings of the
    /// sentence. Returns `None` if the step has no such viewport.
    fn new(line: &LearntLine, lesson: &Lesson, rig: Arc<Rig>) -> Option<Self> {
        let step = find_step(lesson, &line.step).ok()?;
        let cell = lesson
            .on_stage(step)
            .filter(|cell| line.viewport.as_ref().is_none_or(|id| cell.id == *id))
            .find_map(learnt_viewport)?
            .clone();
        let mut document = step_document(lesson, step, Some(&rig));
        for setting in &line.set.0 {
            apply_setting(&mut document, setting, Some(&rig));
        }
        let derived = Derived::of_document(&document, Some(lesson), &rig);
        Some(Self { cell, rig, document, derived, look: FigureView::default() })
    }

    /// Advances the motion of the picture. Returns true if it has one.
    fn advance(&mut self, line: &LearntLine, lesson: &Lesson, now_secs: f64, dt_secs: f64) -> bool {
        let has_clip = self.document.state.playback.clip.is_some();
        let document = if let Some(name) = &line.sways {
            swayed_document(name, &self.document, lesson, &self.rig, now_secs)
        } else if has_clip && self.document.length_secs(&self.rig) > 0.0 {
            let (time_secs, _) = self.document.played_on(&self.rig, dt_secs);
            let edit = Edit::PlayTo { time_secs, begins: false };
            apply(&mut self.document, &edit, lesson, &self.rig).ok().map(|()| self.document.clone())
        } else {
            None
        };
        let Some(document) = document else { return false };
        self.derived = self.derived.of_other(&document, Some(lesson));
        true
    }

    fn show(&mut self, ui: &mut Ui, id: String, page: &mut PageContext<'_>, height: f32) {
        // The picture is only looked at, so it has no status line or controls.
        let unnamed = std::mem::replace(&mut page.view.pictures.hides_captions, true);
        let model = (&self.rig, &self.document, &self.derived);
        self.look.show(ui, (&self.cell, id), model, page, height);
        page.view.pictures.hides_captions = unnamed;
    }
}
