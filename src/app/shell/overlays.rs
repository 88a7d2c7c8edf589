//! Windows over the page: the list of lessons without room beside it, keys, licences, the
//! search.

use bindpose_fetch::FileBytes;
use bindpose_kit::theme::{INTERFACE_SIZE, font};
use bindpose_kit::widgets::{landmark, name_dialog};
use bindpose_page::command::{Command, CommandGroup, KeyMap, shortcut_text};
use bindpose_page::search::{self, SearchContext, SearchRequest};
use bindpose_page::{contents, top_bar};
use eframe::egui::{
    self, Context, Frame, RichText, ScrollArea, Stroke, TextStyle, TextWrapMode, Ui,
};

use super::super::LICENCES;
use super::Shell;
use crate::app::host;

/// Size of a window's decoration and of the page left visible around it, in points.
const WINDOW_SURROUNDINGS: egui::Vec2 = egui::vec2(72.0, 100.0);

/// Width of the column of keys before their descriptions, in points.
const KEYS_COLUMN_WIDTH: f32 = 150.0;
/// Maximum width of a key's description, in points.
const MAX_KEY_DESCRIPTION_WIDTH: f32 = 330.0;
/// Gap between two columns of groups of keys, in points.
const KEY_GROUPS_GAP: f32 = 36.0;
/// Height of the link below the list of keys, in points.
const KEYS_FOOTER_HEIGHT: f32 = 36.0;
const KEYS_INTRODUCTION: &str = "Arrows, Space and letters belong to the page. They work a control while Tab \
    has led to it, as the ring around it shows: arrows change its number, Shift in finer steps, \
    Ctrl in coarser ones, and Enter types it. A click, or Esc, gives the keys back to the page.";

impl Shell {
    /// Handles Escape if neither the focus nor a menu takes it. Closes one window, the topmost
    /// first; without windows it leaves presenter mode, then clears the notices.
    pub(super) fn handle_escape(&mut self, ctx: &Context) {
        if self.opening.cancel() || self.exporting.cancel(&mut self.view.files.export) {
            return;
        }
        if self.search.open {
            self.search.close(ctx);
            return;
        }
        let view = &mut self.view;
        let class = &mut view.classroom;
        if class.name.take().is_some()
            || class.report.take().is_some()
            || class.wall.take().is_some()
        {
            return;
        }
        // The notes cover the page only if they have no window of their own.
        let notes_cover_page =
            ctx.embed_viewports() && !host::HAS_TEACHERS_PAGE && !view.presenting;
        let topmost_first = [
            Some(&mut view.classroom.shows_invitation),
            Some(&mut self.link_window.open),
            Some(&mut self.windows.licences),
            Some(&mut self.windows.keys),
            notes_cover_page.then_some(&mut self.windows.notes),
            Some(&mut self.windows.contents_over),
        ];
        if let Some(is_open) = topmost_first.into_iter().flatten().find(|is_open| **is_open) {
            *is_open = false;
            return;
        }
        if self.cover.take().is_some() || view.enlarged.take().is_some() || view.presenter.clear() {
            return;
        }
        if view.presenting {
            self.set_presenting(ctx, false);
        } else {
            self.notices.clear();
        }
    }

    /// Draws the list of lessons over the page, in a window too narrow for both.
    pub(super) fn draw_contents_over_page(&mut self, ctx: &Context) {
        let top = top_bar::HEIGHT_PTS;
        let screen = ctx.content_rect();
        let is_phone = screen.width() < top_bar::MIN_FULL_BAR_WIDTH_PTS;
        let old_navigation_count = self.requests.navigation.len();
        let old_command_count = self.requests.commands.len();
        egui::Area::new(egui::Id::unique("contents over"))
            .fixed_pos(screen.min + egui::vec2(0.0, top))
            .order(egui::Order::Middle)
            .fade_in(false)
            .show(ctx, |ui| {
                Frame::NONE
                    .fill(self.appearance.theme.paper)
                    .stroke(Stroke::new(1.0, self.appearance.theme.rule))
                    .show(ui, |ui| {
                        let width = if is_phone { screen.width() } else { contents::WIDTH_PTS };
                        let size = egui::vec2(width, screen.height() - top);
                        ui.set_min_size(size);
                        ui.set_max_size(size);
                        landmark(ui, egui::Role::Navigation, "Lessons");
                        self.draw_contents(ui);
                    });
            });
        let new_commands = &self.requests.commands[old_command_count..];
        let closes_list = new_commands.iter().any(|&command| !keeps_list_open(command));
        if self.requests.navigation.len() > old_navigation_count || closes_list {
            self.windows.contents_over = false;
        }
    }

    pub(super) fn draw_keys_window(&mut self, ctx: &Context) {
        let mut open = true;
        let mut opens_licences = false;
        egui::Window::new("Keys")
            .open(&mut open)
            .resizable(false)
            .collapsible(false)
            .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
            .show(ctx, |ui| {
                name_dialog(ui, "Keys");
                // The list is longer than a projector is high.
                let room = ctx.content_rect().size() - WINDOW_SURROUNDINGS;
                ui.set_max_width(room.x.max(120.0));
                ScrollArea::vertical()
                    .max_height((room.y - KEYS_FOOTER_HEIGHT).max(80.0))
                    .min_scrolled_height((room.y - KEYS_FOOTER_HEIGHT).max(80.0))
                    .show(ui, |ui| {
                        draw_key_groups(ui, room.x, self.view.presenting);
                    });
                ui.add_space(8.0);
                opens_licences = ui.link("Licences").clicked();
            });
        self.windows.keys = open;
        self.windows.licences |= opens_licences;
    }

    pub(super) fn draw_licences_window(&mut self, ctx: &Context) {
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
                let text = match LICENCES.request() {
                    FileBytes::Loaded(bytes) => String::from_utf8_lossy(bytes),
                    FileBytes::Pending => "They are being fetched.".into(),
                    FileBytes::Failed(why) => why.into(),
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
        self.windows.licences = open;
    }
}

/// Returns true for commands that are often repeated, which leave the list of lessons open.
fn keeps_list_open(command: Command) -> bool {
    use Command as C;
    matches!(command, C::Undo | C::Redo | C::Theme | C::ZoomIn | C::ZoomOut)
}

/// Draws the groups of keys in two columns if there is room, and the introduction above them.
/// While presenting, the presenter's keys are first.
fn draw_key_groups(ui: &mut Ui, room: f32, presenting: bool) {
    let mut groups = CommandGroup::ALL.to_vec();
    if presenting {
        groups.sort_by_key(|&group| group != CommandGroup::Presenter);
    }
    let group_width = KEYS_COLUMN_WIDTH + MAX_KEY_DESCRIPTION_WIDTH;
    let has_two_columns = room >= 2.0 * group_width + KEY_GROUPS_GAP;
    let width = if has_two_columns { 2.0 * group_width + KEY_GROUPS_GAP } else { group_width };
    ui.set_max_width(width.min(room));
    ui.label(KEYS_INTRODUCTION);
    ui.add_space(4.0);
    if !has_two_columns {
        for group in groups {
            draw_key_group(ui, group, room);
        }
        return;
    }
    let (left, right) = split_evenly(&groups);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = KEY_GROUPS_GAP;
        for column in [left, right] {
            ui.vertical(|ui| {
                ui.set_width(group_width);
                for &group in column {
                    draw_key_group(ui, group, group_width);
                }
            });
        }
    });
}

/// Divides groups of keys into two columns of about the same number of commands. The right one
/// is the longer one.
fn split_evenly(groups: &[CommandGroup]) -> (&[CommandGroup], &[CommandGroup]) {
    let mut left_count = 0;
    let split = groups.iter().position(|group| {
        left_count += group.commands().count();
        2 * left_count > Command::ALL.len()
    });
    groups.split_at(split.unwrap_or(groups.len()))
}

fn draw_key_group(ui: &mut Ui, group: CommandGroup, width: f32) {
    // On a phone the keys of one command are one below the other.
    let is_narrow = width < KEYS_COLUMN_WIDTH + MAX_KEY_DESCRIPTION_WIDTH;
    let key_separator = if is_narrow { "\n" } else { "  " };
    let max_column_width = if is_narrow { 0.62 * width } else { MAX_KEY_DESCRIPTION_WIDTH };
    ui.add_space(10.0);
    ui.label(RichText::new(group.label()).font(font::strong(INTERFACE_SIZE)));
    egui::Grid::new(("keys", group.label()))
        .num_columns(2)
        .spacing([if is_narrow { 12.0 } else { 16.0 }, 6.0])
        .min_col_width(if is_narrow { 0.0 } else { KEYS_COLUMN_WIDTH - 16.0 })
        .max_col_width(max_column_width)
        .show(ui, |ui| {
            for command in group.commands() {
                let shortcuts: Vec<String> = command
                    .shortcuts(KeyMap::from_context(ui.ctx()))
                    .iter()
                    .map(|shortcut| shortcut_text(ui.ctx(), shortcut))
                    .collect();
                ui.label(RichText::new(shortcuts.join(key_separator)).monospace());
                ui.label(command.tooltip());
                ui.end_row();
            }
        });
}

/// Minimum width of the window for the list of lessons beside the page, in points.
const MIN_WIDTH_FOR_CONTENTS: f32 = 1000.0;
/// Additional width needed while the bench is open, in points.
const BENCH_WIDTH: f32 = 700.0;

impl Shell {
    /// Draws the list of lessons and of recent models.
    pub(super) fn draw_contents(&mut self, ui: &mut Ui) {
        let recent = &mut self.opening.recent;
        let quiet = self.view.presenting;
        contents::ui(ui, &self.notebook, &self.appearance.theme, quiet, recent, &mut self.requests);
    }

    /// Shows or hides the list of lessons, beside the page or over it.
    pub(super) fn toggle_contents(&mut self, ctx: &Context) {
        let has_room = self.has_room_for_contents(ctx);
        let windows = &mut self.windows;
        let is_open = if has_room { &mut windows.contents } else { &mut windows.contents_over };
        *is_open = !*is_open;
    }

    /// Returns true if there is room for the list of lessons beside the page.
    pub(super) fn has_room_for_contents(&self, ctx: &Context) -> bool {
        let bench_width = if self.view.bench.is_open { BENCH_WIDTH } else { 0.0 };
        !self.view.presenting && ctx.content_rect().width() >= MIN_WIDTH_FOR_CONTENTS + bench_width
    }
}

impl Shell {
    /// Returns true if a window over the page takes text or needs a response first. The search
    /// is excluded: see [`Self::take_search_keys`].
    pub(super) fn is_window_typed_into(&self) -> bool {
        let class = &self.view.classroom;
        class.name.is_some()
            || class.report.is_some()
            || class.is_covered()
            || self.link_window.open
            || self.opening.has_failed()
    }

    /// Takes the keys for the search window out of the commands. While it is open the page
    /// gets no keys, so only commands of the window and of the whole program remain.
    pub(super) fn take_search_keys(&mut self) -> SearchRequest {
        let mut request = SearchRequest::default();
        if !self.search.open {
            return request;
        }
        for command in &self.requests.commands {
            request.rows += match command {
                Command::ReadOn => 1,
                Command::ReadBack => -1,
                _ => 0,
            };
        }
        self.requests.commands.retain(|command| {
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
        request
    }

    pub(super) fn draw_search_window(&mut self, ctx: &Context) {
        let old_navigation_count = self.requests.navigation.len();
        let presenting = self.view.presenting;
        let notes = !presenting || self.view.note.is_shown(self.notebook.own_note(), true);
        let request = self.search_request;
        let mut search = std::mem::take(&mut self.search);
        self.with_text_of_page(|notebook, page| {
            let context = SearchContext { presenting, marks: &notebook.marks, notes };
            search::ui(ctx, &mut search, page, &context, request);
        });
        if search.open && self.requests.navigation.len() > old_navigation_count {
            // The reader followed a link in a search result.
            search.leave(ctx);
        }
        self.search = search;
    }
}
