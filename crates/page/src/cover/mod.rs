//! The first thing that anyone sees: a whale that swims, what skinning is in two
//! sentences, and the ways in. The whale stands on a page of its own, [`PAGE`], which is in
//! no list; `app/shell/cover.rs` opens it, and does what is chosen here.

mod choice;
mod picture;
mod teacher;
mod ways;

use bindpose_notebook::{cover_title, cover_words};
use eframe::egui::{self, Button, Rect, RichText, Role, ScrollArea, Ui, WidgetInfo, pos2, vec2};

use crate::PageContext;
use crate::command::Command;
use crate::theme::{INTERFACE, Theme, font};
use crate::widgets::landmark;
use choice::child;
use picture::WhalePicture;

pub use choice::{CoverChoice, CoverNotebook};

/// The rig that swims there.
pub const RIG: &str = "whale";
/// The text of the page that it stands on, as a lesson.
pub const PAGE: &str = include_str!("cover.md");

/// The same for the reader's own model, which moves by a clip of its own.
pub const OWN_PAGE: &str = include_str!("own.md");

/// With less than this width or height, all stands below each other.
const WIDE: [f32; 2] = [860.0, 460.0];
/// Around everything, as a part of the width.
const MARGIN: f32 = 0.05;
/// The sentences take no more of the width.
const WORDS: f32 = 0.36;
/// Height of the bar.
const BAR: f32 = 64.0;
/// With less than this width, what stands in it moves closer.
const NARROW_BAR: f32 = 420.0;

/// What the cover keeps from frame to frame.
#[derive(Default)]
pub struct CoverView {
    picture: WhalePicture,
    joints: bool,
    teaches: bool,
}

/// Shows it in all of the window.
pub fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    view: &mut CoverView,
    notebook: &CoverNotebook,
) -> Option<CoverChoice> {
    landmark(ui, Role::Main, "Cover");
    let area = ui.available_rect_before_wrap();
    let mut chosen = None;
    let margin = (MARGIN * area.width()).clamp(20.0, 96.0);
    let inner = area.shrink2(vec2(margin, 0.0));
    let (bar, rest) = inner.split_top_bottom_at_y(inner.top() + BAR);
    bar_ui(&mut child(ui, bar), page.theme, view, &mut chosen);
    if view.teaches {
        teacher::ui(&mut child(ui, rest), page.theme, notebook, &mut chosen);
    } else if area.width() < WIDE[0] || area.height() < WIDE[1] {
        narrow_ui(&mut child(ui, rest), page, view, notebook, &mut chosen);
    } else {
        wide_ui(ui, (area, rest), page, view, notebook, &mut chosen);
    }
    chosen
}

/// The name, and what can be done from anywhere.
fn bar_ui(ui: &mut Ui, theme: &Theme, view: &mut CoverView, chosen: &mut Option<CoverChoice>) {
    // As a phone is held.
    if ui.available_width() < NARROW_BAR {
        ui.spacing_mut().button_padding.x = 4.0;
        ui.spacing_mut().item_spacing.x = 4.0;
    }
    ui.horizontal_centered(|ui| {
        let name = RichText::new("Bindpose").font(font::strong(20.0)).color(theme.ink);
        if view.teaches {
            if ui.add(Button::new(name).frame(false)).clicked() {
                view.teaches = false;
            }
        } else {
            ui.label(name);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let light = if theme.dark { "Light" } else { "Dark" };
            let entries = [(Command::Theme, light), (Command::Open, "Open a model")];
            for (command, words) in entries.into_iter().chain([(Command::Search, "Search")]) {
                let words = RichText::new(words).size(INTERFACE).color(theme.quiet);
                if ui.add(Button::new(words).frame_when_inactive(false)).clicked() {
                    *chosen = Some(CoverChoice::Do(command));
                }
            }
        });
    });
}

/// Words at the left, the whale beside and behind them, the ways in below.
fn wide_ui(
    ui: &mut Ui,
    (area, rest): (Rect, Rect),
    page: &mut PageContext<'_>,
    view: &mut CoverView,
    notebook: &CoverNotebook,
    chosen: &mut Option<CoverChoice>,
) {
    let low = (rest.bottom() - ways::HEIGHT).max(rest.top());
    let left = rest.left() + WORDS * rest.width();
    let whale = Rect::from_min_max(pos2(left, rest.top()), pos2(area.right(), low - 8.0));
    view.picture.show(ui, whale, view.joints, page);
    let words = Rect::from_min_max(rest.min, pos2(left, low));
    let mut words = child(ui, words);
    // Lower where there is room.
    words.add_space((0.09 * words.available_height()).max(0.0));
    words_ui(&mut words, page, view, notebook, chosen);
    let ways = Rect::from_min_max(pos2(rest.left(), low), rest.max);
    ways::row_ui(&mut child(ui, ways), page.theme, notebook, &mut view.teaches, chosen);
}

/// Everything below each other, as a phone has it.
fn narrow_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    view: &mut CoverView,
    notebook: &CoverNotebook,
    chosen: &mut Option<CoverChoice>,
) {
    let height = (0.34 * ui.available_height()).clamp(120.0, 320.0);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let (whale, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), egui::Sense::hover());
        view.picture.show(ui, whale, view.joints, page);
        words_ui(ui, page, view, notebook, chosen);
        ui.add_space(24.0);
        ways::list_ui(ui, page.theme, notebook, &mut view.teaches, chosen);
        ui.add_space(24.0);
    });
}

fn words_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    view: &mut CoverView,
    notebook: &CoverNotebook,
    chosen: &mut Option<CoverChoice>,
) {
    let theme = page.theme;
    let rig = &page.derived.rig;
    let width = ui.available_width();
    let title = (0.098 * width).clamp(30.0, 52.0);
    let words = cover_title(rig, if page.lesson.rig == RIG { "swim" } else { "move" });
    let heading = ui.label(RichText::new(&words).font(font::strong(title)).color(theme.ink));
    heading.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &words));
    ui.add_space(0.35 * title);
    let size = (0.42 * title).clamp(16.0, 20.0);
    ui.label(
        RichText::new(cover_words(rig)).size(size).color(theme.ink).line_height(Some(1.45 * size)),
    );
    ui.add_space(0.45 * title);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(12.0, 8.0);
        let begin = match &notebook.last {
            Some(last) => (format!("Continue: {last}"), CoverChoice::Continue),
            None => ("Begin".to_owned(), CoverChoice::Begin),
        };
        let fill = (theme.accent, theme.on_accent);
        let words = RichText::new(&begin.0).font(font::strong(INTERFACE + 2.0)).color(fill.1);
        let button = Button::new(words).fill(fill.0).min_size(vec2(96.0, 46.0));
        if ui.add(button).clicked() {
            *chosen = Some(begin.1);
        }
        let words = if view.joints { "Hide the joints" } else { "Show the joints" };
        let words = RichText::new(words).size(INTERFACE);
        if ui.add(Button::new(words).min_size(vec2(0.0, 46.0))).clicked() {
            view.joints = !view.joints;
        }
    });
}
