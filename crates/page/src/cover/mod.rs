//! The cover: a whale that swims, two sentences about skinning, the ways into the notebook,
//! and a page for teachers.
//!
//! The whale belongs to a page of its own, [`PAGE`], which no list of lessons contains.
//! `app/shell/cover.rs` opens it and carries out the reader's choice.

mod picture;

use bindpose_kit::theme::{BODY_SIZE, INTERFACE_SIZE, Theme, font};
use bindpose_kit::widgets::landmark;
use bindpose_notebook::{CoverRoute, CoverWay, CoverWayEnd, cover_title, cover_words};
use eframe::egui::{
    Align, Button, CursorIcon, FontId, Layout, Link, Rect, RichText, Role, ScrollArea, Sense,
    Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::command::Command;
use picture::WhalePicture;

/// Built-in rig of the cover.
pub const RIG: &str = "whale";
/// Text of the cover's page, in the format of lessons.
pub const PAGE: &str = include_str!("cover.md");

/// Text of the cover's page for the reader's own model, which moves by its own clip.
pub const OWN_PAGE: &str = include_str!("own.md");

/// Minimum size of the wide layout, in points.
const MIN_WIDE_SIZE: [f32; 2] = [860.0, 460.0];
/// Side margin divided by the width.
const MARGIN_SHARE: f32 = 0.05;
/// Width of the text column divided by the width.
const TEXT_WIDTH_SHARE: f32 = 0.36;
const BAR_HEIGHT: f32 = 64.0;
/// Width, in points, below which the buttons of the bar move closer together.
const NARROW_BAR_WIDTH: f32 = 420.0;
/// Height of the row of ways, in points.
const WAYS_HEIGHT: f32 = 156.0;
/// Gap between two ways, in points.
const WAY_GAP: f32 = 18.0;

/// Values of the notebook that the cover shows.
pub struct CoverNotebook {
    /// Lesson and step of the last visit, `40 · 6`. `None` on the first visit.
    pub last: Option<String>,
    pub ways: Vec<CoverWay>,
    pub routes: Vec<CoverRoute>,
}

/// Choice of the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverChoice {
    Begin,
    /// Open the step of the last visit.
    Continue,
    /// Follow the route of this name.
    Follow(String),
    /// Run a command that other pages have, too.
    Do(Command),
}

impl CoverChoice {
    /// Returns the choice that a way leads to. `None` for the page for teachers.
    fn of_way(way: &CoverWay) -> Option<Self> {
        match &way.target {
            CoverWayEnd::Route(name) => Some(Self::Follow(name.clone())),
            CoverWayEnd::Beginning => Some(Self::Begin),
            CoverWayEnd::OwnModel(_) => Some(Self::Do(Command::Open)),
            CoverWayEnd::Teaching => None,
        }
    }
}

impl CoverNotebook {
    /// Returns the choice of the large button, and of the keys to the next page: the last
    /// visit, or the first way, which is marked.
    pub fn main_choice(&self) -> CoverChoice {
        if self.last.is_some() {
            return CoverChoice::Continue;
        }
        self.ways.first().and_then(CoverChoice::of_way).unwrap_or(CoverChoice::Begin)
    }
}

/// State of the cover that is kept between frames.
#[derive(Default)]
pub struct CoverView {
    picture: WhalePicture,
    shows_joints: bool,
    shows_teacher_page: bool,
}

/// Draws the cover in the whole window. Returns the choice of the reader.
pub fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    view: &mut CoverView,
    notebook: &CoverNotebook,
) -> Option<CoverChoice> {
    landmark(ui, Role::Main, "Cover");
    let area = ui.available_rect_before_wrap();
    let margin = (MARGIN_SHARE * area.width()).clamp(20.0, 96.0);
    let inner = area.shrink2(vec2(margin, 0.0));
    let (bar, rest) = inner.split_top_bottom_at_y(inner.top() + BAR_HEIGHT);
    let mut cover = CoverUi { page, view, notebook, choice: None };
    cover.bar_ui(&mut child_ui(ui, bar));
    if cover.view.shows_teacher_page {
        cover.teacher_page_ui(&mut child_ui(ui, rest));
    } else if area.width() < MIN_WIDE_SIZE[0] || area.height() < MIN_WIDE_SIZE[1] {
        cover.narrow_ui(&mut child_ui(ui, rest));
    } else {
        cover.wide_ui(ui, area, rest);
    }
    cover.choice
}

/// The cover in one frame.
struct CoverUi<'a, 'p> {
    page: &'a mut PageContext<'p>,
    view: &'a mut CoverView,
    notebook: &'a CoverNotebook,
    choice: Option<CoverChoice>,
}

impl CoverUi<'_, '_> {
    /// Draws the name and the commands of the bar.
    fn bar_ui(&mut self, ui: &mut Ui) {
        let theme = self.page.theme;
        // Fits a phone that is held upright.
        if ui.available_width() < NARROW_BAR_WIDTH {
            ui.spacing_mut().button_padding.x = 4.0;
            ui.spacing_mut().item_spacing.x = 4.0;
        }
        ui.horizontal_centered(|ui| {
            let name = RichText::new("Bindpose").font(font::strong(20.0)).color(theme.ink);
            if self.view.shows_teacher_page {
                if ui.add(Button::new(name).frame(false)).clicked() {
                    self.view.shows_teacher_page = false;
                }
            } else {
                ui.label(name);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                for (command, label) in [
                    (Command::Theme, if theme.is_dark { "Light" } else { "Dark" }),
                    (Command::Open, "Open a model"),
                    (Command::Search, "Search"),
                ] {
                    let text = RichText::new(label).size(INTERFACE_SIZE).color(theme.quiet);
                    if ui.add(Button::new(text).frame_when_inactive(false)).clicked() {
                        self.choice = Some(CoverChoice::Do(command));
                    }
                }
            });
        });
    }

    /// Draws the text at the left, the whale beside it and the ways below.
    fn wide_ui(&mut self, ui: &mut Ui, area: Rect, rest: Rect) {
        let ways_top = (rest.bottom() - WAYS_HEIGHT).max(rest.top());
        let text_right = rest.left() + TEXT_WIDTH_SHARE * rest.width();
        let picture =
            Rect::from_min_max(pos2(text_right, rest.top()), pos2(area.right(), ways_top - 8.0));
        self.view.picture.show(ui, picture, self.view.shows_joints, self.page);
        let text_rect = Rect::from_min_max(rest.min, pos2(text_right, ways_top));
        let mut text_ui = child_ui(ui, text_rect);
        // On a high page the text is lower.
        text_ui.add_space((0.09 * text_ui.available_height()).max(0.0));
        self.text_ui(&mut text_ui);
        let ways_rect = Rect::from_min_max(pos2(rest.left(), ways_top), rest.max);
        self.ways_row_ui(&mut child_ui(ui, ways_rect));
    }

    /// Draws all parts below each other, as on a phone.
    fn narrow_ui(&mut self, ui: &mut Ui) {
        let picture_height = (0.34 * ui.available_height()).clamp(120.0, 320.0);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let picture_size = vec2(ui.available_width(), picture_height);
            let (picture, _) = ui.allocate_exact_size(picture_size, Sense::hover());
            self.view.picture.show(ui, picture, self.view.shows_joints, self.page);
            self.text_ui(ui);
            ui.add_space(24.0);
            self.ways_list_ui(ui);
            ui.add_space(24.0);
        });
    }

    /// Draws the title, the sentences and the two main buttons.
    fn text_ui(&mut self, ui: &mut Ui) {
        let theme = self.page.theme;
        let rig = &self.page.derived.rig;
        let title_size = (0.098 * ui.available_width()).clamp(30.0, 52.0);
        let verb = if self.page.lesson.rig == RIG { "swim" } else { "move" };
        let title = cover_title(rig, verb);
        let text = RichText::new(&title).font(font::strong(title_size)).color(theme.ink);
        let heading = ui.label(text);
        heading.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &title));
        ui.ctx().accesskit_node_builder(heading.id, |node| node.set_level(1));
        ui.add_space(0.35 * title_size);
        let size = (0.42 * title_size).clamp(16.0, 20.0);
        let text = RichText::new(cover_words(rig)).size(size).color(theme.ink);
        ui.label(text.line_height(Some(1.45 * size)));
        ui.add_space(0.45 * title_size);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(12.0, 8.0);
            let label = match &self.notebook.last {
                Some(last) => format!("Continue: {last}"),
                None => "Begin".to_owned(),
            };
            let text = RichText::new(label).font(font::strong(INTERFACE_SIZE + 2.0));
            let button = Button::new(text.color(theme.on_accent))
                .fill(theme.accent)
                .min_size(vec2(96.0, 46.0));
            if ui.add(button).clicked() {
                self.choice = Some(self.notebook.main_choice());
            }
            let label = if self.view.shows_joints { "Hide the joints" } else { "Show the joints" };
            let button = Button::new(RichText::new(label).size(INTERFACE_SIZE));
            if ui.add(button.min_size(vec2(0.0, 46.0))).clicked() {
                self.view.shows_joints = !self.view.shows_joints;
            }
        });
    }

    /// Draws the ways into the notebook side by side.
    fn ways_row_ui(&mut self, ui: &mut Ui) {
        let row = ui.max_rect();
        let way_count = self.notebook.ways.len() as f32;
        let width = (row.width() + WAY_GAP) / way_count - WAY_GAP;
        for (index, way) in self.notebook.ways.iter().enumerate() {
            let corner = row.min + vec2(index as f32 * (width + WAY_GAP), 0.0);
            let rect = Rect::from_min_size(corner, vec2(width, WAYS_HEIGHT - 12.0));
            self.way_ui(&child_ui(ui, rect), rect, way, index == 0);
        }
    }

    /// Draws the ways into the notebook below each other.
    fn ways_list_ui(&mut self, ui: &mut Ui) {
        for (index, way) in self.notebook.ways.iter().enumerate() {
            let size = vec2(ui.available_width(), 72.0);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            self.way_ui(&child_ui(ui, rect), rect, way, index == 0);
        }
    }

    fn way_ui(&mut self, ui: &Ui, rect: Rect, way: &CoverWay, is_first: bool) {
        let theme = self.page.theme;
        let response = ui.interact(rect, ui.scope_id().with(way.title), Sense::click());
        let name = format!("{}: {}", way.title, way.about);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let is_highlighted = response.hovered() || response.has_focus();
        let edge = if is_highlighted || is_first { theme.accent } else { theme.rule };
        ui.painter().hline(rect.x_range(), rect.top() + 1.0, Stroke::new(2.0, edge));
        let title_color = if is_highlighted { theme.accent } else { theme.ink };
        let mut position = rect.min + vec2(0.0, 14.0);
        for (text, font, color) in [
            (way.title, font::strong(BODY_SIZE), title_color),
            (&*way.about, FontId::proportional(INTERFACE_SIZE), theme.quiet),
        ] {
            let galley = ui.painter().layout(text.to_owned(), font, color, rect.width());
            let height = galley.size().y;
            ui.painter().galley(position, galley, color);
            position.y += height + 4.0;
        }
        if is_highlighted {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        if response.clicked() {
            self.choice = CoverChoice::of_way(way);
            self.view.shows_teacher_page = matches!(way.target, CoverWayEnd::Teaching);
        }
    }

    /// Draws the page for teachers: the routes, and links to what helps in a class.
    fn teacher_page_ui(&mut self, ui: &mut Ui) {
        let theme = self.page.theme;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(MAX_LINE_WIDTH.min(ui.available_width()));
            ui.add_space(12.0);
            heading_ui(ui, theme, "I teach a class", 34.0);
            ui.add_space(20.0);
            heading_ui(ui, theme, "Ways through, with minutes", BODY_SIZE + 2.0);
            ui.add_space(4.0);
            for route in &self.notebook.routes {
                if link_ui(ui, theme, &route.title, &route.about) {
                    self.choice = Some(CoverChoice::Follow(route.name.clone()));
                }
            }
            ui.add_space(20.0);
            heading_ui(ui, theme, "In the room", BODY_SIZE + 2.0);
            ui.add_space(4.0);
            for (command, title, about) in TEACHER_COMMANDS {
                if link_ui(ui, theme, title, about) {
                    self.choice = Some(CoverChoice::Do(command));
                }
            }
            ui.add_space(24.0);
        });
    }
}

/// Creates the [`Ui`] of a part of the cover.
fn child_ui(ui: &mut Ui, rect: Rect) -> Ui {
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("cover", rect.top() as i32)));
    child.set_clip_rect(ui.clip_rect().intersect(rect.expand(12.0)));
    child
}

/// Maximum width of a line on the page for teachers, in points.
const MAX_LINE_WIDTH: f32 = 720.0;

/// Commands on the page for teachers, each with its title and description.
const TEACHER_COMMANDS: [(Command, &str, &str); 7] = [
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

fn heading_ui(ui: &mut Ui, theme: &Theme, text: &str, size: f32) {
    let label = ui.label(RichText::new(text).font(font::strong(size)).color(theme.ink));
    label.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
    ui.ctx().accesskit_node_builder(label.id, |node| node.set_level(2));
}

/// Draws a link and its description. Returns true if the link was clicked.
fn link_ui(ui: &mut Ui, theme: &Theme, title: &str, about: &str) -> bool {
    ui.spacing_mut().item_spacing = vec2(12.0, 2.0);
    ui.add_space(8.0);
    let text = RichText::new(title).font(font::strong(BODY_SIZE)).color(theme.accent);
    let is_clicked = ui.add(Link::new(text)).clicked();
    ui.label(RichText::new(about).size(INTERFACE_SIZE).color(theme.quiet));
    is_clicked
}
