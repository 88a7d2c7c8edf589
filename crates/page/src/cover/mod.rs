//! The first thing that anyone sees: a whale that swims, what skinning is in two sentences,
//! the ways in, and what there is for who teaches a class. The whale stands on a page of its
//! own, [`PAGE`], which is in no list; `app/shell/cover.rs` opens it, and does what is chosen
//! here.

mod picture;

use bindpose_notebook::{CoverRoute, CoverWay, CoverWayEnd, cover_title, cover_words};
use eframe::egui::{
    self, Button, Color32, CursorIcon, FontId, Link, Rect, RichText, Role, ScrollArea, Sense,
    Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::command::Command;
use crate::theme::{BODY, INTERFACE, Theme, font};
use crate::widgets::landmark;
use picture::WhalePicture;

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
/// Height of the row of ways, in points.
const WAYS: f32 = 156.0;
/// Between two of them.
const BETWEEN: f32 = 18.0;

/// What of the notebook the cover tells.
pub struct CoverNotebook {
    /// Where the reader was last, `40 · 6`; absent: nowhere yet.
    pub last: Option<String>,
    /// The ways in.
    pub ways: Vec<CoverWay>,
    /// All routes.
    pub routes: Vec<CoverRoute>,
}

/// What the reader chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverChoice {
    /// From the first step on.
    Begin,
    /// Where they were last.
    Continue,
    /// A route, by its name.
    Follow(String),
    /// Something that stays as it is elsewhere.
    Do(Command),
}

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
        teacher_ui(&mut child(ui, rest), page.theme, notebook, &mut chosen);
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
    let low = (rest.bottom() - WAYS).max(rest.top());
    let left = rest.left() + WORDS * rest.width();
    let whale = Rect::from_min_max(pos2(left, rest.top()), pos2(area.right(), low - 8.0));
    view.picture.show(ui, whale, view.joints, page);
    let words = Rect::from_min_max(rest.min, pos2(left, low));
    let mut words = child(ui, words);
    // Lower where there is room.
    words.add_space((0.09 * words.available_height()).max(0.0));
    words_ui(&mut words, page, view, notebook, chosen);
    let ways = Rect::from_min_max(pos2(rest.left(), low), rest.max);
    ways_row_ui(&mut child(ui, ways), page.theme, notebook, &mut view.teaches, chosen);
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
        let (whale, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        view.picture.show(ui, whale, view.joints, page);
        words_ui(ui, page, view, notebook, chosen);
        ui.add_space(24.0);
        ways_list_ui(ui, page.theme, notebook, &mut view.teaches, chosen);
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
    ui.ctx().accesskit_node_builder(heading.id, |node| node.set_level(1));
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

/// The ways in, side by side.
fn ways_row_ui(
    ui: &mut Ui,
    theme: &Theme,
    notebook: &CoverNotebook,
    teaches: &mut bool,
    chosen: &mut Option<CoverChoice>,
) {
    let ways = &notebook.ways;
    let row = ui.max_rect();
    let width = (row.width() + BETWEEN) / ways.len() as f32 - BETWEEN;
    for (index, way) in ways.iter().enumerate() {
        let corner = row.min + vec2(index as f32 * (width + BETWEEN), 0.0);
        let rect = Rect::from_min_size(corner, vec2(width, WAYS - 12.0));
        let ui = &mut child(ui, rect);
        let edge = if index == 0 { theme.accent } else { theme.rule };
        way_ui(ui, theme, way, (rect, edge), (&mut *teaches, &mut *chosen));
    }
}

/// The same below each other.
fn ways_list_ui(
    ui: &mut Ui,
    theme: &Theme,
    notebook: &CoverNotebook,
    teaches: &mut bool,
    chosen: &mut Option<CoverChoice>,
) {
    for (index, way) in notebook.ways.iter().enumerate() {
        let size = vec2(ui.available_width(), 72.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let ui = &mut child(ui, rect);
        let edge = if index == 0 { theme.accent } else { theme.rule };
        way_ui(ui, theme, way, (rect, edge), (&mut *teaches, &mut *chosen));
    }
}

fn way_ui(
    ui: &Ui,
    theme: &Theme,
    way: &CoverWay,
    (rect, edge): (Rect, Color32),
    (teaches, chosen): (&mut bool, &mut Option<CoverChoice>),
) {
    let response = ui.interact(rect, ui.scope_id().with(way.title), Sense::click());
    let name = format!("{}: {}", way.title, way.about);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let lit = response.hovered() || response.has_focus();
    let (edge, ink) = if lit { (theme.accent, theme.accent) } else { (edge, theme.ink) };
    ui.painter().hline(rect.x_range(), rect.top() + 1.0, Stroke::new(2.0, edge));
    let inside = rect.with_min_y(rect.top() + 14.0);
    let title = (way.title, font::strong(BODY), ink);
    let about = (&*way.about, FontId::proportional(INTERFACE), theme.quiet);
    let mut at = inside.min;
    for (words, font, color) in [title, about] {
        let galley = ui.painter().layout(words.to_owned(), font, color, inside.width());
        let height = galley.size().y;
        ui.painter().galley(at, galley, color);
        at.y += height + 4.0;
    }
    if lit {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    if response.clicked() {
        match &way.leads {
            CoverWayEnd::Route(name) => *chosen = Some(CoverChoice::Follow(name.clone())),
            CoverWayEnd::Beginning => *chosen = Some(CoverChoice::Begin),
            CoverWayEnd::OwnModel(_) => *chosen = Some(CoverChoice::Do(Command::Open)),
            CoverWayEnd::Teaching => *teaches = true,
        }
    }
}

/// A part of the cover.
fn child(ui: &mut Ui, rect: Rect) -> Ui {
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("cover", rect.top() as i32)));
    child.set_clip_rect(ui.clip_rect().intersect(rect.expand(12.0)));
    child
}

// For who teaches a class: what is there, each a click away.

/// Widest lines, in points.
const LINE_WIDTH: f32 = 720.0;

/// What there is besides routes: on the button, and what it is for.
const HELP: [(Command, &str, &str); 7] = [
    (
        Command::InviteClass,
        "Invite the class",
        "Phones and laptops join by a code on the screen, without an account. They follow your \
         steps, guess together and answer twice, and you see everyone’s page.",
    ),
    (
        Command::Present,
        "Present",
        "Large type for the projector, paragraph by paragraph. A clicker turns pages and reveals \
         guesses; pen, spotlight, freeze and blank are a key each.",
    ),
    (
        Command::Notes,
        "Your notes",
        "A window of your own: what to ask, which wrong answers to expect and why, how many \
         minutes are left.",
    ),
    (
        Command::Export,
        "Handouts",
        "The lesson on paper, with its pictures, and the answers on a sheet of their own. \
         Questions before and after, to see what was learnt.",
    ),
    (
        Command::CopyLink,
        "Links",
        "A link opens this very page with these very values. Put it into your slides, your chat \
         or your course.",
    ),
    (
        Command::Open,
        "Courses and models",
        "Open a course of your own, or a model of your own in any lesson. “bindpose new” on the \
         command line begins a course.",
    ),
    (Command::Keys, "Keys", "All of them, on one page."),
];

fn teacher_ui(
    ui: &mut Ui,
    theme: &Theme,
    notebook: &CoverNotebook,
    chosen: &mut Option<CoverChoice>,
) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(LINE_WIDTH.min(ui.available_width()));
        ui.add_space(12.0);
        heading(ui, theme, "I teach a class", 34.0);
        ui.add_space(20.0);
        heading(ui, theme, "Ways through, with minutes", BODY + 2.0);
        ui.add_space(4.0);
        for route in &notebook.routes {
            let choice = || CoverChoice::Follow(route.name.clone());
            entry(ui, theme, (&route.title, &route.about), choice, chosen);
        }
        ui.add_space(20.0);
        heading(ui, theme, "In the room", BODY + 2.0);
        ui.add_space(4.0);
        for (command, title, about) in HELP {
            let choice = || CoverChoice::Do(command);
            entry(ui, theme, (title, about), choice, chosen);
        }
        ui.add_space(24.0);
    });
}

fn heading(ui: &mut Ui, theme: &Theme, words: &str, size: f32) {
    let label = ui.label(RichText::new(words).font(font::strong(size)).color(theme.ink));
    label.widget_info(|| WidgetInfo::labeled(Role::Heading, true, words));
    ui.ctx().accesskit_node_builder(label.id, |node| node.set_level(2));
}

fn entry(
    ui: &mut Ui,
    theme: &Theme,
    (title, about): (&str, &str),
    choice: impl Fn() -> CoverChoice,
    chosen: &mut Option<CoverChoice>,
) {
    ui.spacing_mut().item_spacing = vec2(12.0, 2.0);
    ui.add_space(8.0);
    let words = RichText::new(title).font(font::strong(BODY)).color(theme.accent);
    if ui.add(Link::new(words)).clicked() {
        *chosen = Some(choice());
    }
    ui.label(RichText::new(about).size(INTERFACE).color(theme.quiet));
}
