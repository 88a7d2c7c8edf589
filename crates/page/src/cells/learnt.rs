//! What a reader can say at the end of a lesson: each sentence beside a small picture that
//! proves it, and a way back for who could not say it.

use std::sync::Arc;

use bindpose_asset::{Rig, builtin};
use bindpose_lesson::{Cell, LearntCell, LearntLine, Lesson, ViewportCell, find_step};
use bindpose_notebook::{
    Derived, Document, Edit, Navigation, PageAddress, apply, apply_setting, learnt_viewport,
    lesson_rig, step_document,
};
use eframe::egui::{Align, Layout, Rect, Ui, UiBuilder, vec2};

use super::figure::FigureLook;
use crate::PageContext;
use crate::prose::text_ui;
use crate::reader_presence::{ReaderPresence, request_frame};
use crate::sway::swayed_by;
use crate::theme::BODY;
use crate::widgets::{Emphasis, text_button};

/// From this width on, a picture stands beside its sentence.
const BESIDE: f32 = 420.0;
/// Of the width, what a picture takes there.
const SHARE: f32 = 0.46;
/// Its least and its greatest height there: all three are seen at once where they can be.
const HEIGHTS: (f32, f32) = (112.0, 168.0);
/// What else stands on such a page, in points.
const OTHERS: f32 = 330.0;
/// Its height where it stands above its sentence.
const ABOVE: f32 = 150.0;
const GAP: f32 = 20.0;
/// From one line to the next.
const BETWEEN: f32 = 18.0;

/// What the cell keeps from frame to frame.
#[derive(Default)]
struct LearntPictures {
    /// How often the reader had reset lessons when these were made.
    resets: u64,
    lines: Vec<Option<LinePicture>>,
    reader: ReaderPresence,
    time_secs: f64,
}

/// What proves one sentence.
struct LinePicture {
    cell: ViewportCell,
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    look: FigureLook,
}

/// Shows the sentences below each other.
pub(super) fn ui(ui: &mut Ui, cell: &LearntCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |kept: &mut LearntPictures, page| {
        if kept.resets != page.view.resets {
            *kept = LearntPictures { resets: page.view.resets, ..LearntPictures::default() };
        }
        kept.lines.resize_with(cell.lines.len(), || None);
        for (line, picture) in cell.lines.iter().zip(&mut kept.lines) {
            let rig = rig_of(line, page);
            let same =
                |kept: &LinePicture| rig.as_ref().is_some_and(|it| Arc::ptr_eq(it, &kept.rig));
            if !picture.as_ref().is_some_and(same) {
                *picture = rig.and_then(|rig| LinePicture::new(line, page.lesson, rig));
            }
        }
        kept.advance(ui, cell, page);
        for (index, (line, picture)) in cell.lines.iter().zip(&mut kept.lines).enumerate() {
            if index > 0 {
                ui.add_space(BETWEEN);
            }
            line_ui(ui, line, (id, index), picture.as_mut(), page);
        }
    });
}

/// One sentence, its picture, and the way back.
fn line_ui(
    ui: &mut Ui,
    line: &LearntLine,
    (id, index): (&str, usize),
    picture: Option<&mut LinePicture>,
    page: &mut PageContext<'_>,
) {
    let wide = ui.available_width();
    let beside = wide >= BESIDE;
    let third = (ui.content_rect().height() - OTHERS) / 3.0 - BETWEEN;
    let height = if beside { third.clamp(HEIGHTS.0, HEIGHTS.1) } else { ABOVE };
    let width = if beside { wide * SHARE } else { wide };
    let place = Rect::from_min_size(ui.cursor().min, vec2(width.floor(), height));
    let mut figure = ui.new_child(UiBuilder::new().id_salt(("picture", index)).max_rect(place));
    match picture {
        Some(picture) => picture.show(&mut figure, format!("{id} {index}"), page, height),
        None => {
            figure.label(page.theme.label("The model of this picture is not here yet."));
        }
    }
    let words = if beside {
        let left = place.right() + GAP;
        Rect::from_min_max(eframe::egui::pos2(left, place.top()), ui.max_rect().max.max(place.max))
    } else {
        ui.max_rect().with_min_y(place.bottom() + 8.0)
    };
    let words = UiBuilder::new()
        .id_salt(("words", index))
        .max_rect(words)
        .layout(Layout::top_down(Align::Min));
    let mut text = ui.new_child(words);
    text_ui(&mut text, &line.say, BODY, Emphasis::Plain, page);
    text.add_space(4.0);
    if let Ok(step) = find_step(page.lesson, &line.step) {
        let title = &page.lesson.steps[step].title;
        if text_button(&mut text, &format!("← {title}"), page.theme).clicked() {
            let (lesson, step) = (page.lesson.slug.clone(), Some(line.step.clone()));
            page.navigation.push(Navigation::Go(PageAddress { lesson, step }));
        }
    }
    ui.advance_cursor_after_rect(place.union(text.min_rect()));
}

/// The picture of one line alone, for paper; false where there is none.
pub fn learnt_picture(
    ui: &mut Ui,
    line: &LearntLine,
    page: &mut PageContext<'_>,
    height: f32,
) -> bool {
    let rig = rig_of(line, page);
    let Some(mut picture) = rig.and_then(|rig| LinePicture::new(line, page.lesson, rig)) else {
        return false;
    };
    picture.show(ui, "learnt".to_owned(), page, height);
    true
}

/// What stands on the step of a line: the page’s own rig, where that stands there too.
fn rig_of(line: &LearntLine, page: &PageContext<'_>) -> Option<Arc<Rig>> {
    let step = find_step(page.lesson, &line.step).ok()?;
    let id = page.lesson.rig_at(step);
    if id == page.lesson.rig_at(page.document.step) {
        return Some(Arc::clone(&page.derived.stored_rig));
    }
    lesson_rig(page.set, id, &builtin)
}

impl LearntPictures {
    /// Lets the pictures live, while somebody may be looking.
    fn advance(&mut self, ui: &Ui, cell: &LearntCell, page: &PageContext<'_>) {
        let is_there = self.reader.is_there(ui);
        if !is_there || !page.view.wants_motion(ui) || ui.ctx().current_pass_index() > 0 {
            return;
        }
        let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(0.1);
        self.time_secs += dt_secs;
        let mut moves = false;
        for (line, picture) in cell.lines.iter().zip(&mut self.lines) {
            if let Some(picture) = picture {
                moves |= picture.advance(line, page.lesson, (self.time_secs, dt_secs));
            }
        }
        if moves {
            request_frame(ui, page.limits);
        }
    }
}

impl LinePicture {
    /// As the step opens, with what the line sets; `None`: it shows no such viewport.
    fn new(line: &LearntLine, lesson: &Lesson, rig: Arc<Rig>) -> Option<Self> {
        let step = find_step(lesson, &line.step).ok()?;
        let named = |cell: &&Cell| line.viewport.as_ref().is_none_or(|id| cell.id == *id);
        let cell = lesson.on_stage(step).filter(named).find_map(learnt_viewport)?.clone();
        let mut document = step_document(lesson, step, Some(&rig));
        for setting in &line.set.0 {
            apply_setting(&mut document, setting, Some(&rig));
        }
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(lesson), &rig, influences);
        Some(Self { cell, rig, document, derived, look: FigureLook::default() })
    }

    /// True if it moves at all.
    fn advance(
        &mut self,
        line: &LearntLine,
        lesson: &Lesson,
        (now_secs, dt_secs): (f64, f64),
    ) -> bool {
        let plays = self.document.state.playback.clip.is_some();
        let document = if let Some(name) = &line.sways {
            swayed_by(name, &self.document, lesson, &self.rig, now_secs)
        } else if plays && self.document.length_secs(&self.rig) > 0.0 {
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
        let of = (&self.rig, &self.document, &self.derived);
        // It is looked at, not worked with.
        let told = std::mem::replace(&mut page.view.pictures.unnamed, true);
        self.look.show(ui, (&self.cell, id), of, page, height);
        page.view.pictures.unnamed = told;
    }
}
