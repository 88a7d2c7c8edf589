//! What lies over the page: contents where they have no room beside it, keys, licences,
//! the search.

use bindpose_notebook::{Edit, Navigation};
use bindpose_page::command::{Command, KeyMap, shortcut_text};
use bindpose_page::search::{self, SearchContext, SearchRequest};
use bindpose_page::widgets::{landmark, name_dialog};
use bindpose_page::{contents, top_bar};
use bindpose_shipped::{self as shipped, Shipped};
use eframe::egui::{
    self, Context, Frame, RichText, ScrollArea, Stroke, TextStyle, TextWrapMode, Ui,
};

use super::super::LICENCES;
use super::Shell;

/// What a window has around its content, and what is left of the page around it.
const AROUND_WINDOW: egui::Vec2 = egui::vec2(72.0, 100.0);

/// Room for the keys before what they do.
const KEYS_COLUMN: f32 = 190.0;
/// Room for what stands below the list of keys.
const BELOW_KEYS: f32 = 36.0;
/// Above the list of keys.
const RULE: &str = "Arrows, Space and letters belong to the page. They work a control while Tab \
    has led to it, as the ring around it shows: arrows change its number, Shift in finer steps, \
    Ctrl in coarser ones, and Enter types it. A click, or Esc, gives the keys back to the page.";

impl Shell {
    /// Escape, when neither the focus nor a menu takes it: closes one thing, what
    /// lies on top first, and at last leaves the presenter mode.
    pub(super) fn leave(&mut self, ctx: &Context) {
        if self.opening.cancel() || self.exporting.cancel(&mut self.view.files.export) {
            return;
        }
        let view = &mut self.view;
        if view.search.open {
            view.search.close(ctx);
            return;
        }
        let class = &mut view.classroom;
        let over_wall = class.name.take().is_some() || class.report.take().is_some();
        if over_wall || class.wall.take().is_some() {
            return;
        }
        // The notes lie over the page only where they have no window of their own.
        let mut elsewhere = false;
        let lies_over = ctx.embed_viewports() && cfg!(not(target_arch = "wasm32"));
        let notes =
            if lies_over && !view.presenting { &mut view.windows.notes } else { &mut elsewhere };
        let over = [
            &mut view.classroom.invites,
            &mut view.links.open,
            &mut view.windows.licences,
            &mut view.windows.keys,
            notes,
            &mut view.windows.contents_over,
        ];
        if let Some(open) = over.into_iter().find(|open| **open) {
            *open = false;
        } else if self.cover.take().is_some()
            || view.enlarged.take().is_some()
            || view.presenter.put_away()
        {
        } else if view.presenting {
            self.set_presenting(ctx, false);
        } else {
            self.notices.clear();
        }
    }

    /// A narrow window has no room beside the page: the list lies over it.
    pub(super) fn contents_over(
        &mut self,
        ctx: &Context,
        commands: &mut Vec<Command>,
        navigation: &mut Vec<Navigation>,
    ) {
        let top = top_bar::HEIGHT;
        let screen = ctx.content_rect();
        let phone = screen.width() < top_bar::PHONE;
        let (before, asked) = (navigation.len(), commands.len());
        egui::Area::new(egui::Id::unique("contents over"))
            .fixed_pos(screen.min + egui::vec2(0.0, top))
            .order(egui::Order::Middle)
            .fade_in(false)
            .show(ctx, |ui| {
                Frame::NONE
                    .fill(self.look.theme.paper)
                    .stroke(Stroke::new(1.0, self.look.theme.rule))
                    .show(ui, |ui| {
                        let width = if phone { screen.width() } else { contents::WIDTH };
                        let size = egui::vec2(width, screen.height() - top);
                        ui.set_min_size(size);
                        ui.set_max_size(size);
                        landmark(ui, egui::Role::Navigation, "Lessons");
                        self.contents(ui, commands, navigation);
                    });
            });
        // What is done again and again leaves the list open.
        let stays =
            [Command::Undo, Command::Redo, Command::Theme, Command::ZoomIn, Command::ZoomOut];
        let mut asked = commands[asked..].iter();
        if navigation.len() > before || asked.any(|asked| !stays.contains(asked)) {
            self.view.windows.contents_over = false;
        }
    }

    pub(super) fn keys(&mut self, ctx: &Context) {
        let (mut open, mut licences) = (true, self.view.windows.licences);
        egui::Window::new("Keys")
            .open(&mut open)
            .resizable(false)
            .collapsible(false)
            .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
            .show(ctx, |ui| {
                name_dialog(ui, "Keys");
                // The list is longer than a projector is high.
                let room = ctx.content_rect().size() - AROUND_WINDOW;
                ui.set_max_width(room.x.max(120.0));
                ScrollArea::vertical()
                    .max_height((room.y - BELOW_KEYS).max(80.0))
                    .min_scrolled_height((room.y - BELOW_KEYS).max(80.0))
                    .show(ui, |ui| {
                        ui.label(RULE);
                        ui.add_space(12.0);
                        key_list(ui, room.x);
                    });
                ui.add_space(8.0);
                licences |= ui.link("Licences").clicked();
            });
        self.view.windows.keys = open;
        self.view.windows.licences = licences;
    }

    pub(super) fn licences(&mut self, ctx: &Context) {
        let mut open = true;
        egui::Window::new("Licences")
            .open(&mut open)
            .collapsible(false)
            .default_size([660.0, 480.0])
            .show(ctx, |ui| {
                name_dialog(ui, "Licences");
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
                let height = ui.text_style_height(&TextStyle::Monospace);
                let text = match shipped::file(LICENCES) {
                    Shipped::Here(bytes) => String::from_utf8_lossy(bytes),
                    Shipped::Coming => "They are being fetched.".into(),
                    Shipped::Failed(why) => why.into(),
                };
                let lines: Vec<&str> = text.lines().collect();
                ScrollArea::both().auto_shrink(false).show_rows(
                    ui,
                    height,
                    lines.len(),
                    |ui, rows| {
                        for line in &lines[rows] {
                            ui.label(RichText::new(*line).monospace());
                        }
                    },
                );
            });
        self.view.windows.licences = open;
    }
}

fn key_list(ui: &mut Ui, width: f32) {
    // On a phone, keys of one command stand below each other.
    let narrow = width < 2.5 * KEYS_COLUMN;
    let (between, column) = if narrow { ("\n", 0.62 * width) } else { ("  ", width - KEYS_COLUMN) };
    egui::Grid::new("keys")
        .num_columns(2)
        .spacing([if narrow { 12.0 } else { 24.0 }, 8.0])
        .max_col_width(column)
        .show(ui, |ui| {
            for command in Command::ALL {
                let keys = command.shortcuts(KeyMap::of(ui.ctx())).iter();
                let keys = keys.map(|keys| shortcut_text(ui.ctx(), keys));
                let keys: Vec<String> = keys.collect();
                ui.label(RichText::new(keys.join(between)).monospace());
                ui.label(command.tooltip());
                ui.end_row();
            }
        });
}

/// Under this width the list of lessons lies over the page instead of beside it.
const ROOM_FOR_CONTENTS: f32 = 1000.0;
/// So much more, while the bench is open.
const ROOM_FOR_BENCH: f32 = 700.0;

impl Shell {
    /// The list of lessons, and of models that were opened.
    pub(super) fn contents(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        navigation: &mut Vec<Navigation>,
    ) {
        let recent = &mut self.opening.recent;
        let quiet = self.view.presenting;
        contents::ui(ui, &self.notebook, &self.look.theme, quiet, recent, navigation, commands);
    }

    /// Shows the list of lessons, or puts it away: beside the page, or over it.
    pub(super) fn toggle_contents(&mut self, ctx: &Context) {
        let beside = self.contents_beside(ctx);
        let windows = &mut self.view.windows;
        let shown = if beside { &mut windows.contents } else { &mut windows.contents_over };
        *shown = !*shown;
    }

    /// Is there room for the list of lessons beside the page?
    pub(super) fn contents_beside(&self, ctx: &Context) -> bool {
        let bench = if self.view.bench.open { ROOM_FOR_BENCH } else { 0.0 };
        !self.view.presenting && ctx.content_rect().width() >= ROOM_FOR_CONTENTS + bench
    }
}

impl Shell {
    /// Is a window open over the page that is typed into, or that has to be answered first?
    /// The search has a rule of its own.
    pub(super) fn is_window_typed_into(&self) -> bool {
        let class = &self.view.classroom;
        class.name.is_some()
            || class.report.is_some()
            || class.is_covered()
            || self.view.links.open
            || self.opening.has_failed()
    }

    /// While the window of the search is open the page below it gets no keys: of
    /// what was pressed, what belongs to the window or to the whole program is
    /// left.
    pub(super) fn keys_of_search(&self, commands: &mut Vec<Command>) -> SearchRequest {
        let mut asked = SearchRequest::default();
        if !self.view.search.open {
            return asked;
        }
        for command in &*commands {
            asked.rows += match command {
                Command::ReadOn => 1,
                Command::ReadBack => -1,
                _ => 0,
            };
        }
        commands.retain(|command| {
            matches!(
                command,
                Command::Search
                    | Command::Escape
                    | Command::ZoomIn
                    | Command::ZoomOut
                    | Command::ZoomReset
                    | Command::Theme
                    | Command::Motion
            )
        });
        asked
    }

    /// Shows the window.
    pub(super) fn search(
        &mut self,
        ctx: &Context,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let before = navigation.len();
        let presenting = self.view.presenting;
        let notes = !presenting || self.view.note.is_shown(self.notebook.own_note(), true);
        let asked = self.asked_of_search;
        let mut search = std::mem::take(&mut self.view.search);
        self.with_text_of_page(edits, navigation, |notebook, page| {
            let mut context = SearchContext { presenting, marks: &notebook.marks, notes, commands };
            search::ui(ctx, &mut search, page, &mut context, asked);
        });
        if search.open && navigation.len() > before {
            // A link in what was read leads to a page.
            search.leave(ctx);
        }
        self.view.search = search;
    }
}
