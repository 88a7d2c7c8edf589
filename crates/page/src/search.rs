//! The search window: a field and the list of results below it.

mod entry;
mod state;

use std::rc::Rc;

use bindpose_kit::icons;
use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, Theme, family, font};
use bindpose_kit::widgets::{icon_button, keep_undo, name_dialog, small_button};
use bindpose_notebook::search::ContextLine;
use bindpose_notebook::{PageAddress, StepMarks};
use eframe::egui::{
    Align, Align2, Area, Context, Frame, Id, Key, Label, Margin, Modal, Modifiers, Response, Role,
    ScrollArea, Stroke, TextEdit, Ui, UiBuilder, UiKind, WidgetInfo, accesskit::Live, vec2,
};

use crate::PageContext;
use entry::ResultRow;
use state::{Hit, ResultListRow, format_shortcuts};

pub use state::{ResultGoal, ResultGroup, SearchState};

/// Maximum width of the window, in points.
const MAX_WIDTH_PTS: f32 = 640.0;
/// Minimum margin around the window, in points.
const MIN_MARGIN_PTS: f32 = 12.0;
/// Maximum distance from the top of the page, in points.
const MAX_TOP_PTS: f32 = 64.0;
/// Number of rows that Page Down moves.
const ROWS_PER_PAGE: usize = 5;

/// Inputs of the search window besides the page.
pub struct SearchContext<'a> {
    /// Whether the page is presented. Titles of later steps are then hidden.
    pub presenting: bool,
    /// Bookmarks and notes of the reader.
    pub marks: &'a StepMarks,
    /// Whether notes are searched.
    pub notes: bool,
}

/// Input from keys that otherwise belong to the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Pages to move by Page Down, or negative by Page Up.
    pub rows: isize,
}

/// Draws the search window. Enter or a click follows a result.
pub fn ui(
    ctx: &Context,
    search: &mut SearchState,
    page: &mut PageContext<'_>,
    context: &SearchContext<'_>,
    request: SearchRequest,
) {
    let theme = page.theme;
    search.index_own_texts(ctx, page.set, context.marks, context.notes);
    let screen = ctx.content_rect();
    let top = MAX_TOP_PTS.min((screen.height() * 0.08).max(MIN_MARGIN_PTS));
    let id = Id::unique("search");
    let area = Area::new(id)
        .kind(UiKind::Modal)
        .order(eframe::egui::Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, top))
        .fade_in(false);
    let frame = Frame::NONE
        .fill(theme.paper)
        .stroke(Stroke::new(1.0, theme.track))
        .corner_radius(10.0)
        .inner_margin(Margin::symmetric(0, 12));
    let modal = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
        name_dialog(ui, "Search");
        ui.set_width(MAX_WIDTH_PTS.min(screen.width() - 2.0 * MIN_MARGIN_PTS));
        ui.spacing_mut().item_spacing.y = 4.0;
        let list_id = Id::unique("what was found");
        let enter_pressed = search_field_ui(ui, search, page, list_id, request);
        let max_height = screen.bottom() - ui.cursor().top() - MIN_MARGIN_PTS - 60.0;
        let clicked = results_ui(ui, search, page, context, list_id, max_height.max(60.0));
        foot_ui(ui, search, theme, context.presenting);
        clicked.or(enter_pressed.then_some(search.chosen_index))
    });
    if let Some(chosen_index) = modal.inner {
        search.chosen_index = chosen_index;
        follow_choice(ctx, search, page);
    }
    if modal.should_close() {
        search.close(ctx);
    }
}

/// Draws the text field. Returns true if Enter was pressed in it.
fn search_field_ui(
    ui: &mut Ui,
    search: &mut SearchState,
    page: &PageContext<'_>,
    list_id: Id,
    request: SearchRequest,
) -> bool {
    let theme = page.theme;
    let id = Id::unique("search field");
    let mut enter_pressed = false;
    if ui.memory(|memory| memory.has_focus(id) || memory.focused().is_none()) {
        enter_pressed = handle_keys(ui, search, request);
    }
    let query_changed = ui
        .horizontal(|ui| {
            ui.add_space(14.0);
            let icon = theme.label(icons::MAGNIFYING_GLASS).size(INTERFACE_SIZE + 2.0);
            ui.label(icon.family(family::icons()));
            let width = ui.available_width() - 14.0;
            let clear_width = if search.query.is_empty() { 0.0 } else { 40.0 };
            let edit = TextEdit::singleline(&mut search.query)
                .id(id)
                .hint_text("steps, words, codes, commands, notes")
                .font(eframe::egui::FontId::proportional(INTERFACE_SIZE + 2.0))
                .desired_width(width - clear_width);
            let response = ui.add(edit).accessible_name("search");
            if response.has_focus() {
                keep_undo(ui, id);
            }
            let mut changed = response.changed();
            if !search.query.is_empty() && icon_button(ui, icons::X, "clear the search", true) {
                search.query.clear();
                changed = true;
                response.request_focus();
            }
            if ui.memory(|memory| memory.focused().is_none()) {
                response.request_focus();
            }
            ui.ctx().accesskit_node_builder(response.id, |node| {
                node.set_role(Role::SearchInput);
                node.set_controls([list_id.accesskit_id()]);
                let chosen_id = option_id(list_id, search.chosen_index).accesskit_id();
                if search.results.choice_count() > 0 {
                    node.set_active_descendant(chosen_id);
                }
            });
            changed
        })
        .inner;
    if query_changed {
        search.expanded_group = None;
        search.update_results(ui.ctx(), page.set);
        search.chosen_index = 0;
        search.scrolls_to_chosen = true;
        enter_pressed = false;
    }
    enter_pressed
}

/// Moves the choice by the arrow keys. Returns true if Enter follows the chosen row.
fn handle_keys(ui: &Ui, search: &mut SearchState, request: SearchRequest) -> bool {
    let (down, up, enter) = ui.input_mut(|input| {
        (
            input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize,
            input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize,
            input.count_and_consume_key(Modifiers::NONE, Key::Enter),
        )
    });
    let rows = down - up + request.rows * ROWS_PER_PAGE as isize;
    let choice_count = search.results.choice_count();
    if rows != 0 {
        let last_index = choice_count.saturating_sub(1);
        search.chosen_index = search.chosen_index.saturating_add_signed(rows).min(last_index);
        search.scrolls_to_chosen = true;
    }
    enter > 0 && choice_count > 0
}

fn option_id(list_id: Id, choice_index: usize) -> Id {
    list_id.with(("option", choice_index))
}

/// Draws the results. Returns the index of the row that was clicked, among those that can
/// be chosen.
fn results_ui(
    ui: &mut Ui,
    search: &mut SearchState,
    page: &mut PageContext<'_>,
    context: &SearchContext<'_>,
    list_id: Id,
    max_height: f32,
) -> Option<usize> {
    let results = Rc::clone(&search.results);
    if results.rows.is_empty() {
        empty_list_ui(ui, search, page.theme);
        return None;
    }
    let scrolls_to_chosen = std::mem::take(&mut search.scrolls_to_chosen);
    let mut clicked = None;
    let mut choice_index = 0;
    ScrollArea::vertical()
        .id_salt(("found", &search.query))
        .max_height(max_height)
        .min_scrolled_height(max_height)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let options = UiBuilder::new().scope_id(list_id);
            ui.scope_builder(options, |ui| {
                ui.response()
                    .widget_info(|| WidgetInfo::labeled(Role::ListBox, true, "what was found"));
                for row in &results.rows {
                    if let ResultListRow::Heading(group, count) = row {
                        heading_ui(ui, page.theme, *group, *count);
                        continue;
                    }
                    let is_chosen = choice_index == search.chosen_index;
                    let id = option_id(list_id, choice_index);
                    let response = result_row_ui(ui, id, search, page, context, row, is_chosen);
                    if response.gained_focus() {
                        search.chosen_index = choice_index;
                    }
                    if response.clicked() {
                        clicked = Some(choice_index);
                    }
                    if is_chosen && scrolls_to_chosen {
                        response.scroll_to_me(None);
                    }
                    choice_index += 1;
                }
            });
        });
    clicked
}

fn empty_list_ui(ui: &mut Ui, search: &SearchState, theme: &Theme) {
    let text = if search.query.trim().is_empty() {
        "Titles and text of all steps, the glossary, the doctor’s codes, all commands, and your \
         own notes and bookmarks. Arrows choose, Enter goes there, Esc closes."
    } else {
        "Nothing has these words."
    };
    inset(ui, |ui| {
        let response = ui.add(Label::new(theme.label(text)).wrap());
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_live(Live::Polite);
        });
    });
}

/// Draws contents with the margins of the rows.
fn inset<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let margin = Margin { left: 14, right: 14, top: 4, bottom: 4 };
    Frame::NONE.inner_margin(margin).show(ui, add).inner
}

fn heading_ui(ui: &mut Ui, theme: &Theme, group: ResultGroup, count: usize) {
    inset(ui, |ui| {
        let text = eframe::egui::RichText::new(group.heading()).font(font::strong(CAPTION_SIZE));
        ui.horizontal(|ui| {
            ui.label(text.color(theme.quiet));
            ui.label(theme.caption(count.to_string()));
        });
    });
}

/// Draws a row that can be chosen, and below it the text of the result if it is open.
fn result_row_ui(
    ui: &mut Ui,
    id: Id,
    search: &SearchState,
    page: &mut PageContext<'_>,
    context: &SearchContext<'_>,
    row: &ResultListRow,
    is_chosen: bool,
) -> Response {
    let hit = match row {
        ResultListRow::Hit(hit) => hit,
        ResultListRow::More(_, count) => {
            let title = ContextLine::plain(&format!("{count} more"));
            let row = ResultRow { title: &title, location: "", context: None, is_code: false };
            return entry::row_ui(ui, id, page.theme, &row, is_chosen);
        }
        ResultListRow::Heading(..) => unreachable!("a heading cannot be chosen"),
    };
    let is_hidden =
        context.presenting && !search.shows_later_titles && is_later_step(&hit.goal, page);
    let location = format_location(ui.ctx(), &hit.goal, page);
    let hidden_title = ContextLine::plain(&hidden_title(&hit.goal));
    let is_open = search.open_goal.as_ref() == Some(&hit.goal);
    let row = ResultRow {
        title: if is_hidden { &hidden_title } else { &hit.title },
        location: &location,
        context: hit.context.as_ref().filter(|_| !is_hidden && !is_open),
        is_code: matches!(hit.goal, ResultGoal::Fault(_)),
    };
    let response = entry::row_ui(ui, id, page.theme, &row, is_chosen);
    if is_open {
        inset(ui, |ui| entry::ui(ui, &hit.goal, page));
    }
    response
}

/// Returns true if the result leads to a step after the open one.
fn is_later_step(goal: &ResultGoal, page: &PageContext<'_>) -> bool {
    let Some(goal_step) = goal.step() else {
        return false;
    };
    let lesson_index = page.set.lessons.iter().position(|lesson| lesson.slug == page.lesson.slug);
    lesson_index.is_some_and(|lesson_index| goal_step > (lesson_index, page.document.step))
}

/// Returns the number of a later step in place of its title.
fn hidden_title(goal: &ResultGoal) -> String {
    goal.step().map_or_else(String::new, |(_, step)| format!("Step {}", step + 1))
}

/// Formats the step of a result, or the keys of a command.
fn format_location(ctx: &Context, goal: &ResultGoal, page: &PageContext<'_>) -> String {
    match (goal, goal.step()) {
        (_, Some((lesson, step))) => {
            let lesson = &page.set.lessons[lesson];
            format!("{} · {}, step {}", lesson.number, lesson.title, step + 1)
        }
        (ResultGoal::Command(command), None) => format_shortcuts(ctx, *command),
        _ => String::new(),
    }
}

/// Draws the button that shows the titles of later steps, while presenting.
fn foot_ui(ui: &mut Ui, search: &mut SearchState, theme: &Theme, presenting: bool) {
    if !presenting {
        return;
    }
    inset(ui, |ui| {
        ui.with_layout(eframe::egui::Layout::left_to_right(Align::Center), |ui| {
            if search.shows_later_titles {
                ui.label(theme.caption("Titles of steps to come are shown."));
            } else if ui.add(small_button("show titles to come")).clicked() {
                search.shows_later_titles = true;
            }
        });
    });
}

/// Follows the chosen row: opens its page, shows its text or runs its command.
fn follow_choice(ctx: &Context, search: &mut SearchState, page: &mut PageContext<'_>) {
    let results = Rc::clone(&search.results);
    let goal = match results.choice(search.chosen_index) {
        Some(ResultListRow::Hit(Hit { goal, .. })) => goal,
        Some(ResultListRow::More(group, _)) => {
            search.expanded_group = Some(*group);
            search.update_results(ctx, page.set);
            search.scrolls_to_chosen = true;
            ctx.request_repaint();
            return;
        }
        Some(ResultListRow::Heading(..)) | None => return,
    };
    if let Some((lesson_index, step_index)) = goal.step() {
        search.leave(ctx);
        let lesson = &page.set.lessons[lesson_index];
        let address = PageAddress::step(&lesson.slug, &lesson.steps[step_index].slug);
        page.requests.go_to(address);
    } else if let ResultGoal::Command(command) = goal {
        search.close(ctx);
        page.requests.commands.push(*command);
    } else {
        let is_open = search.open_goal.as_ref() == Some(goal);
        search.open_goal = (!is_open).then(|| goal.clone());
        search.scrolls_to_chosen = true;
        ctx.request_repaint();
    }
}
