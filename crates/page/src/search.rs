//! The window that finds things: one field over all that has a name or a text here, and
//! below it what was found.

mod entry;
mod state;

use std::rc::Rc;

use bindpose_notebook::search::ContextLine;
use bindpose_notebook::{Navigation, PageAddress, StepMarks};
use eframe::egui::{
    Align, Align2, Area, Context, Frame, Id, Key, Label, Margin, Modal, Modifiers, Role,
    ScrollArea, Stroke, TextEdit, Ui, UiBuilder, UiKind, WidgetInfo, accesskit::Live, vec2,
};

use crate::command::Command;
use crate::theme::{CAPTION, INTERFACE, Theme, family, font};
use crate::widgets::{icon_button, keep_undo, name_dialog, small_button};
use crate::{PageContext, icons};
use entry::ResultRow;
use state::{Hit, ResultListRow, entry_keys};

pub use state::{ResultGoal, ResultGroup, SearchState};

/// Widest, in points.
const WIDE: f32 = 640.0;
/// Around the window, at least.
const AROUND: f32 = 12.0;
/// Above the window, where there is room for it.
const TOP: f32 = 64.0;
/// How many rows Page Down goes.
const PAGE: usize = 5;

/// What the window has beside the page.
pub struct SearchContext<'a> {
    /// Is it presented? Then titles of steps to come are not told.
    pub presenting: bool,
    /// What the reader has marked and written.
    pub marks: &'a StepMarks,
    /// May notes be seen?
    pub notes: bool,
    /// Where a command goes that was chosen.
    pub commands: &'a mut Vec<Command>,
}

/// What is asked of the window by keys that are the page's else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Page Down and Page Up: rows on, or back.
    pub rows: isize,
}

/// Shows it. A result leads on when it is chosen by Enter or a click.
pub fn ui(
    ctx: &Context,
    search: &mut SearchState,
    page: &mut PageContext<'_>,
    context: &mut SearchContext<'_>,
    asked: SearchRequest,
) {
    let theme = page.theme;
    search.read_own(ctx, page.set, (context.marks, context.notes));
    let screen = ctx.content_rect();
    let top = TOP.min((screen.height() * 0.08).max(AROUND));
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
        ui.set_width(WIDE.min(screen.width() - 2.0 * AROUND));
        ui.spacing_mut().item_spacing.y = 4.0;
        let list = Id::unique("what was found");
        let entered = field(ui, search, page, list, asked);
        let most = screen.bottom() - ui.cursor().top() - AROUND - 60.0;
        let chosen = found(ui, search, page, context, (list, most.max(60.0)));
        foot(ui, search, theme, context.presenting);
        chosen.or(entered.then_some(search.chosen))
    });
    if let Some(chosen) = modal.inner {
        search.chosen = chosen;
        follow(ctx, search, page, context);
    }
    if modal.should_close() {
        search.close(ctx);
    }
}

/// True when Enter was pressed in it.
fn field(
    ui: &mut Ui,
    search: &mut SearchState,
    page: &PageContext<'_>,
    list: Id,
    asked: SearchRequest,
) -> bool {
    let theme = page.theme;
    let id = Id::unique("search field");
    let mut entered = false;
    if ui.memory(|memory| memory.has_focus(id) || memory.focused().is_none()) {
        entered = by_keys(ui, search, asked);
    }
    let typed = ui
        .horizontal(|ui| {
            ui.add_space(14.0);
            let glass = theme.label(icons::MAGNIFYING_GLASS).size(INTERFACE + 2.0);
            ui.label(glass.family(family::icons()));
            let room = ui.available_width() - 14.0;
            let clear = if search.typed.is_empty() { 0.0 } else { 40.0 };
            let edit = TextEdit::singleline(&mut search.typed)
                .id(id)
                .hint_text("steps, words, codes, commands, notes")
                .font(eframe::egui::FontId::proportional(INTERFACE + 2.0))
                .desired_width(room - clear);
            let response = ui.add(edit).accessible_name("search");
            if response.has_focus() {
                keep_undo(ui, id);
            }
            let mut changed = response.changed();
            if !search.typed.is_empty() && icon_button(ui, icons::X, "clear the search", true) {
                search.typed.clear();
                changed = true;
                response.request_focus();
            }
            if ui.memory(|memory| memory.focused().is_none()) {
                response.request_focus();
            }
            ui.ctx().accesskit_node_builder(response.id, |node| {
                node.set_role(Role::SearchInput);
                node.set_controls([list.accesskit_id()]);
                let chosen = option_id(list, search.chosen).accesskit_id();
                if search.results.count() > 0 {
                    node.set_active_descendant(chosen);
                }
            });
            changed
        })
        .inner;
    if typed {
        search.whole = None;
        search.look(ui.ctx(), page.set);
        search.chosen = 0;
        search.reveals = true;
        entered = false;
    }
    entered
}

/// Arrows choose among the rows; true when Enter takes the chosen one.
fn by_keys(ui: &Ui, search: &mut SearchState, asked: SearchRequest) -> bool {
    let count =
        |key: Key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as isize;
    let rows = count(Key::ArrowDown) - count(Key::ArrowUp) + asked.rows * PAGE as isize;
    let entered = count(Key::Enter) > 0;
    let last = search.results.count().saturating_sub(1);
    if rows != 0 {
        search.chosen = search.chosen.saturating_add_signed(rows).min(last);
        search.reveals = true;
    }
    entered && search.results.count() > 0
}

fn option_id(list: Id, choice: usize) -> Id {
    list.with(("option", choice))
}

/// The list; which row of it was clicked, among those that can be chosen.
fn found(
    ui: &mut Ui,
    search: &mut SearchState,
    page: &mut PageContext<'_>,
    context: &SearchContext<'_>,
    (list, most): (Id, f32),
) -> Option<usize> {
    let results = Rc::clone(&search.results);
    if results.rows.is_empty() {
        empty(ui, search, page.theme);
        return None;
    }
    let reveals = std::mem::take(&mut search.reveals);
    let mut clicked = None;
    let mut choice = 0;
    ScrollArea::vertical()
        .id_salt(("found", &search.typed))
        .max_height(most)
        .min_scrolled_height(most)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let options = UiBuilder::new().scope_id(list);
            ui.scope_builder(options, |ui| {
                ui.response()
                    .widget_info(|| WidgetInfo::labeled(Role::ListBox, true, "what was found"));
                for row in &results.rows {
                    if let ResultListRow::Heading(group, count) = row {
                        heading(ui, page.theme, *group, *count);
                        continue;
                    }
                    let chosen = choice == search.chosen;
                    let id = option_id(list, choice);
                    let response = one(ui, id, search, page, context, (row, chosen));
                    if response.gained_focus() {
                        search.chosen = choice;
                    }
                    if response.clicked() {
                        clicked = Some(choice);
                    }
                    if chosen && reveals {
                        response.scroll_to_me(None);
                    }
                    choice += 1;
                }
            });
        });
    clicked
}

fn empty(ui: &mut Ui, search: &SearchState, theme: &Theme) {
    let words = if search.typed.trim().is_empty() {
        "Titles and text of all steps, the glossary, the doctor’s codes, all commands, and your \
         own notes and bookmarks. Arrows choose, Enter goes there, Esc closes."
    } else {
        "Nothing has these words."
    };
    inset(ui, |ui| {
        let response = ui.add(Label::new(theme.label(words)).wrap());
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_live(Live::Polite);
        });
    });
}

/// On the line of the rows.
fn inset<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let margin = Margin { left: 14, right: 14, top: 4, bottom: 4 };
    Frame::NONE.inner_margin(margin).show(ui, add).inner
}

fn heading(ui: &mut Ui, theme: &Theme, group: ResultGroup, count: usize) {
    inset(ui, |ui| {
        let words = eframe::egui::RichText::new(group.heading()).font(font::strong(CAPTION));
        ui.horizontal(|ui| {
            ui.label(words.color(theme.quiet));
            ui.label(theme.caption(count.to_string()));
        });
    });
}

/// A row that can be chosen, and below it what is read of it.
fn one(
    ui: &mut Ui,
    id: Id,
    search: &SearchState,
    page: &mut PageContext<'_>,
    context: &SearchContext<'_>,
    (row, chosen): (&ResultListRow, bool),
) -> eframe::egui::Response {
    let hit = match row {
        ResultListRow::Hit(hit) => hit,
        ResultListRow::More(_, more) => {
            let words = ContextLine::plain(&format!("{more} more"));
            let shown = ResultRow { title: &words, about: "", context: None, is_code: false };
            return entry::row_ui(ui, id, page.theme, &shown, chosen);
        }
        ResultListRow::Heading(..) => unreachable!("a heading cannot be chosen"),
    };
    let hidden = context.presenting && !search.tells && is_to_come(&hit.goal, page);
    let about = about(ui.ctx(), &hit.goal, page);
    let untold = ContextLine::plain(&untold(&hit.goal));
    let read = search.read.as_ref() == Some(&hit.goal);
    let shown = ResultRow {
        title: if hidden { &untold } else { &hit.title },
        about: &about,
        context: hit.context.as_ref().filter(|_| !hidden && !read),
        is_code: matches!(hit.goal, ResultGoal::Fault(_)),
    };
    let response = entry::row_ui(ui, id, page.theme, &shown, chosen);
    if read {
        inset(ui, |ui| entry::ui(ui, &hit.goal, page));
    }
    response
}

/// Does it stand behind the page in sight?
fn is_to_come(goal: &ResultGoal, page: &PageContext<'_>) -> bool {
    let Some(there) = goal.step() else {
        return false;
    };
    let mut lessons = page.set.lessons.iter();
    let here = lessons.position(|lesson| lesson.slug == page.lesson.slug);
    here.is_some_and(|here| there > (here, page.document.step))
}

/// A step to come, without its title.
fn untold(goal: &ResultGoal) -> String {
    goal.step().map_or_else(String::new, |(_, step)| format!("Step {}", step + 1))
}

/// Where it is, or the keys that do it.
fn about(ctx: &Context, goal: &ResultGoal, page: &PageContext<'_>) -> String {
    match (goal, goal.step()) {
        (_, Some((lesson, step))) => {
            let lesson = &page.set.lessons[lesson];
            format!("{} · {}, step {}", lesson.number, lesson.title, step + 1)
        }
        (ResultGoal::Command(command), None) => entry_keys(ctx, *command),
        _ => String::new(),
    }
}

/// Below the list: what is not told, and the way to tell it.
fn foot(ui: &mut Ui, search: &mut SearchState, theme: &Theme, presenting: bool) {
    if !presenting {
        return;
    }
    inset(ui, |ui| {
        ui.with_layout(eframe::egui::Layout::left_to_right(Align::Center), |ui| {
            if search.tells {
                ui.label(theme.caption("Titles of steps to come are shown."));
            } else if ui.add(small_button("show titles to come")).clicked() {
                search.tells = true;
            }
        });
    });
}

/// Goes to what was chosen, reads it or does it.
fn follow(
    ctx: &Context,
    search: &mut SearchState,
    page: &mut PageContext<'_>,
    context: &mut SearchContext<'_>,
) {
    let results = Rc::clone(&search.results);
    match results.choice(search.chosen) {
        Some(ResultListRow::Hit(Hit { goal, .. })) => take(ctx, search, goal, page, context),
        Some(ResultListRow::More(group, _)) => {
            search.whole = Some(*group);
            search.look(ctx, page.set);
            search.reveals = true;
            ctx.request_repaint();
        }
        Some(ResultListRow::Heading(..)) | None => {}
    }
}

fn take(
    ctx: &Context,
    search: &mut SearchState,
    goal: &ResultGoal,
    page: &mut PageContext<'_>,
    context: &mut SearchContext<'_>,
) {
    if let Some((lesson, step)) = goal.step() {
        search.leave(ctx);
        let lesson = &page.set.lessons[lesson];
        let address = PageAddress::step(&lesson.slug, &lesson.steps[step].slug);
        page.navigation.push(Navigation::Go(address));
    } else if let ResultGoal::Command(command) = goal {
        search.close(ctx);
        context.commands.push(*command);
    } else {
        let again = search.read.as_ref() == Some(goal);
        search.read = (!again).then(|| goal.clone());
        search.reveals = true;
        ctx.request_repaint();
    }
}
