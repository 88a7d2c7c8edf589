//! Known faults: as switches with what tells each, or one that is hidden and is to be
//! named.

use bindpose_lesson::{FaultName, FaultsCell, KnownFault, known_faults};
use bindpose_notebook::exercise_cells::DIAGNOSE;
use bindpose_notebook::faults::{
    FaultSwitch, GuessReply, difference_to_right, fault_of_draw, judge_fault, offered,
    offered_by_id,
};
use bindpose_notebook::question::answer;
use bindpose_notebook::{Document, Edit};
use eframe::egui::{
    Button, FontId, Response, Role, Sense, Ui, WidgetInfo, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};

use crate::PageContext;
use crate::cells::ask::paint_mark;
use crate::classroom::{AnswerMeaning, AskedInClass, ask_class_ui, hand_in_ui, in_class, tally_ui};
use crate::theme::{CAPTION, CARD, LEAD, SMALL, Theme};
use crate::widgets::{
    Emphasis, Tip as _, Tone, card as framed, card_heading, note, small_button, verdict,
};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &FaultsCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |state: &mut FaultsState, page| {
        state.offer(cell);
        ui.spacing_mut().item_spacing.y = 2.0;
        if cell.diagnose {
            diagnosis_ui(ui, cell, id, state, page);
        } else {
            gallery_ui(ui, state, page);
        }
    });
}

// Faults as switches; those that are on show their cards.

/// Larger meshes are not walked for a sentence.
const MOST_VERTICES: usize = 50_000;

/// Draws the switches, in the order of the way from a file to the picture.
fn gallery_ui(ui: &mut Ui, state: &mut FaultsState, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let several_places = state
        .switches
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.fault.place != b.fault.place));
    let mut place = None;
    for at in 0..state.switches.len() {
        let Some(switch) = state.switches.get(at).cloned() else {
            continue;
        };
        if several_places && place != Some(switch.fault.place) {
            place = Some(switch.fault.place);
            ui.label(theme.caption(switch.fault.place.label()));
        }
        let on = switch.is_on(&page.document.state);
        if row_ui(ui, theme, &switch.fault, on, true).clicked() {
            let settings = switch.switched(!on, &page.document.state);
            page.edits.push(Edit::Settings(settings));
        }
        if on {
            opened(ui, &switch, state, page);
        }
    }
    let all_off = FaultSwitch::all_off(&state.switches, &page.document.state);
    ui.horizontal_wrapped(|ui| {
        let button = ui.add_enabled(!all_off.is_empty(), small_button("All right again"));
        if button.clicked() {
            page.edits.push(Edit::Settings(all_off));
        }
    });
}

fn opened(ui: &mut Ui, switch: &FaultSwitch, state: &mut FaultsState, page: &PageContext<'_>) {
    let theme = page.theme;
    crate::widgets::card(ui, theme, Tone::Wrong, |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        signs(ui, theme, &switch.fault);
        let small = page.derived.rig.mesh.positions.len() <= MOST_VERTICES;
        if small {
            let told = state.told(switch.fault, page, |page| Some(here(switch, page)));
            if let Some(words) = told {
                note(ui, theme, words, SMALL, Emphasis::Strong);
            }
        }
        provenance(ui, theme, &switch.fault);
    });
}

/// `Here: x of v6 is 0.85; without this fault it would be 1.20.`
fn here(switch: &FaultSwitch, page: &PageContext<'_>) -> String {
    let found = difference_to_right(switch, (page.document, page.lesson), page.derived);
    match found {
        Some(found) => {
            let [here, right] = found.numbers();
            format!("Here: {} is {here}; without this fault it would be {right}.", found.what)
        }
        None => "Here it changes nothing: no number of this page differs.".to_owned(),
    }
}

// One fault is on and hidden; the reader names it from pictures and numbers.

/// Draws the question.
fn diagnosis_ui(
    ui: &mut Ui,
    cell: &FaultsCell,
    id: &str,
    state: &mut FaultsState,
    page: &mut PageContext<'_>,
) {
    let draw = page.document.draw_of(id);
    let Some(hidden) = fault_of_draw(cell, id, draw) else {
        return;
    };
    let given = page.document.state.answers.get(id);
    let guess = given.and_then(|given| offered_by_id(cell, &given.text));
    let asked = in_class(page, id);
    let is_told = given.is_some_and(|given| given.given) || asked == AskedInClass::Revealed;
    let named = guess.filter(|_| is_told && !asked.hides_truth());
    let right = named == Some(hidden);
    if let Some(named) = named {
        state.streak.judge((draw, named), right);
    }
    let in_a_row = state.streak.in_a_row;
    let theme = page.theme;
    let tone = if right { Tone::Right } else { Tone::Task };
    framed(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        card_heading(ui, theme, tone, "Diagnosis", |ui| {
            ask_class_ui(ui, id, page);
            if in_a_row > 1 {
                ui.label(theme.label(format!("{in_a_row} in a row")));
            } else if !right && page.answer(id, draw).is_some_and(|one| one.solved) {
                ui.label(theme.label("named before"));
            }
        });
        note(ui, theme, DIAGNOSE, LEAD, Emphasis::Plain);
        let is_closed = asked == AskedInClass::Closed && !page.view.classroom.leads();
        ui.add_enabled_ui(!is_closed, |ui| {
            for switch in &state.switches {
                candidate(ui, switch.fault, guess == Some(switch.fault), id, page);
            }
        });
        if page.view.classroom.leads() {
            class_diagnoses(ui, cell, hidden, id, page);
            if asked == AskedInClass::Revealed {
                provenance(ui, theme, &hidden);
                return;
            }
        }
        if asked.hides_truth() {
            ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, guess.map(|guess| guess.id), page));
            return;
        }
        if let Some(named) = named {
            reply(ui, named, hidden, state, page);
        }
        if right {
            provenance(ui, theme, &hidden);
            another(ui, cell, id, draw, state.switches.len(), page);
        } else {
            name_it(ui, guess, named.is_some(), id, page);
        }
    });
}

/// What the class named, for its teacher.
fn class_diagnoses(
    ui: &mut Ui,
    cell: &FaultsCell,
    hidden: FaultName,
    id: &str,
    page: &PageContext<'_>,
) {
    let fault = |text: &str| offered_by_id(cell, text);
    let meaning = AnswerMeaning {
        words: &|text| fault(text).map_or("something else", |fault| fault.title).to_owned(),
        rank: &|_| 0,
        is_right: &|text| fault(text) == Some(hidden),
        right: &|| Some(hidden.title.to_owned()),
        number: &|_| None,
        reply: &|text| Some(format!("What tells it: {}", fault(text)?.tell)),
    };
    tally_ui(ui, id, page, &meaning);
}

/// One that can be chosen; what is known of it shows while it is.
fn candidate(ui: &mut Ui, fault: FaultName, on: bool, id: &str, page: &mut PageContext<'_>) {
    if row_ui(ui, page.theme, &fault, on, false).clicked() && !on {
        page.edits.push(answer(id, fault.id, false));
    }
    if on {
        ui.indent((id, fault.id), |ui| signs(ui, page.theme, &fault));
    }
}

/// Right, or the number that excludes the guess.
fn reply(
    ui: &mut Ui,
    named: FaultName,
    hidden: FaultName,
    state: &mut FaultsState,
    page: &PageContext<'_>,
) {
    let right = named == hidden;
    let word = if right { "Right" } else { "Not this one" };
    verdict(ui, page.theme, word, CAPTION, right);
    let excluded = state.told(named, page, |page| {
        match judge_fault(named, hidden, (page.document, page.lesson), page.derived) {
            GuessReply::Right => None,
            GuessReply::Excluded(Some(found)) => Some(format!("With this fault, {found}.")),
            GuessReply::Excluded(None) => {
                Some("No number of this page tells the two apart.".to_owned())
            }
        }
    });
    if let Some(words) = excluded {
        note(ui, page.theme, words, SMALL, Emphasis::Strong);
    }
}

fn name_it(
    ui: &mut Ui,
    guess: Option<FaultName>,
    is_given: bool,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let why_not = if is_given { "This one was named" } else { "Choose one first" };
    let enabled = guess.is_some() && !is_given;
    let button = ui.add_enabled(enabled, Button::new("Name it"));
    if button.tip_disabled(why_not).clicked()
        && let Some(guess) = guess
    {
        page.edits.push(answer(id, guess.id, true));
    }
}

/// Hides another one.
fn another(
    ui: &mut Ui,
    cell: &FaultsCell,
    id: &str,
    draw: usize,
    count: usize,
    page: &mut PageContext<'_>,
) {
    let next = (draw + 1) % count.max(1);
    if fault_of_draw(cell, id, next).is_none() || next == draw {
        return;
    }
    let button = ui
        .button("Another one")
        .tip("The step begins as it opens; what was named stays in your record");
    if button.clicked() {
        page.view.playing.stop();
        page.edits.push(Edit::Draw { cell: id.to_owned(), draw: next, afresh: true });
    }
}

// What is known of a fault, in lines.

/// In the picture, and which number tells.
fn signs(ui: &mut Ui, theme: &Theme, fault: &KnownFault) {
    note(ui, theme, fault.looks, SMALL, Emphasis::Plain);
    labelled(ui, theme, "What tells it", fault.tell);
}

/// Where it was seen, and what is behind it.
fn provenance(ui: &mut Ui, theme: &Theme, fault: &KnownFault) {
    labelled(ui, theme, "Seen", fault.seen);
    if !fault.belief.is_empty() {
        labelled(ui, theme, "Believed", fault.belief);
    }
}

fn labelled(ui: &mut Ui, theme: &Theme, label: &str, words: &str) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.label(theme.caption(label));
        note(ui, theme, words, SMALL, Emphasis::Plain);
    });
}

// What the cell keeps from frame to frame.

/// What the cell has read and worked out.
#[derive(Default)]
struct FaultsState {
    switches: Vec<FaultSwitch>,
    /// What was said of a fault on which page.
    told: Option<(Document, FaultName, Option<String>)>,
    streak: Streak,
}

/// Faults that were named at the first try, one after another.
#[derive(Default)]
struct Streak {
    /// The draw, and what was named there last.
    judged: Option<(usize, FaultName)>,
    in_a_row: u32,
}

impl Streak {
    /// Counts what was named, once.
    fn judge(&mut self, named: (usize, FaultName), right: bool) {
        let before = self.judged.replace(named);
        if before == Some(named) {
            return;
        }
        let is_first_try = before.is_none_or(|(draw, _)| draw != named.0);
        self.in_a_row = if right && is_first_try { self.in_a_row + 1 } else { 0 };
    }
}

impl FaultsState {
    /// Reads the switches, once.
    fn offer(&mut self, cell: &FaultsCell) {
        let own = self.switches.iter().map(|switch| switch.fault);
        let same = if cell.faults.is_empty() {
            own.eq(known_faults())
        } else {
            own.eq(cell.faults.iter().copied())
        };
        if !same {
            let offered = offered(cell);
            self.switches = offered.into_iter().map(FaultSwitch::new).collect();
            self.told = None;
        }
    }

    /// A sentence about a fault on this page, worked out where the page is another
    /// than last time.
    fn told(
        &mut self,
        fault: FaultName,
        page: &PageContext<'_>,
        tell: impl FnOnce(&PageContext<'_>) -> Option<String>,
    ) -> Option<&str> {
        let known = self.told.as_ref();
        if known.is_none_or(|(document, told, _)| *told != fault || document != page.document) {
            self.told = Some((page.document.clone(), fault, tell(page)));
        }
        self.told.as_ref().and_then(|(_, _, words)| words.as_deref())
    }
}

// A fault as a row of a list: its mark and its title, all of which can be pressed.

/// From the left edge to the words.
const WORDS: f32 = 28.0;
/// Above and below them.
const PAD: f32 = 5.0;

/// Draws it. `several`: a box that can be on beside others, else a circle.
fn row_ui(ui: &mut Ui, theme: &Theme, fault: &KnownFault, on: bool, several: bool) -> Response {
    let width = ui.available_width();
    let format = TextFormat {
        font_id: FontId::proportional(CARD),
        color: theme.ink,
        ..TextFormat::default()
    };
    let mut job = LayoutJob::single_section(fault.title.to_owned(), format);
    job.wrap.max_width = (width - WORDS - 8.0).max(40.0);
    let words = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let least = ui.spacing().interact_size.y;
    let height = (words.size().y + 2.0 * PAD).max(least);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let role = if several { Role::CheckBox } else { Role::RadioButton };
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), on, fault.title));
    if ui.is_rect_visible(rect) {
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 6.0, theme.accent_wash);
        }
        let at = pos2(rect.left() + 14.0, rect.center().y);
        paint_mark(ui, at, on, several, theme);
        let top = rect.center().y - words.size().y / 2.0;
        ui.painter().galley(pos2(rect.left() + WORDS, top), words, theme.ink);
    }
    response
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{CellKind, parse_lesson};
    use bindpose_notebook::faults::fault_of_draw;
    use bindpose_skin::InverseBind;
    use eframe::egui::accesskit::Role;
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable},
    };

    use super::*;
    use crate::cells::testing::{Page, harness};

    fn shown(body: &str) -> (Harness<'static, Page>, FaultsCell) {
        let text = format!(
            "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n\n```set\nbend = 0.8\n```\n\n```faults it\n{body}\n```\n"
        );
        let lesson = parse_lesson("20-t", &text, "");
        assert_eq!(lesson.findings, []);
        let Some(CellKind::Faults(cell)) = lesson.cells().next().map(|cell| cell.kind.clone())
        else {
            panic!("a cell of faults");
        };
        let mut page = Page::new("arm");
        page.document.lesson.clone_from(&lesson.slug);
        page.document.state.params.insert("bend".to_owned(), 0.8);
        page.put_lesson(lesson);
        let shown = cell.clone();
        let mut harness = harness(page, move |view, page| ui(view, &shown, "it", page));
        harness.run();
        (harness, cell)
    }

    fn press(harness: &mut Harness<'static, Page>, role: Role, name: &str) {
        harness.get_by_role_and_label(role, name).click();
        harness.run();
    }

    #[test]
    fn a_switch_puts_its_setting_shows_its_card_and_the_number_that_tells() {
        let (mut harness, _) =
            shown("faults = [\"inverse-bind-left-out\", \"order-swapped\", \"weights-not-bound\"]");
        let left_out = "The inverse bind matrix left out";
        assert!(harness.query_by_label_contains("Stack Overflow").is_none());
        press(&mut harness, Role::CheckBox, left_out);
        assert_eq!(harness.state().document.state.inverse_bind, InverseBind::LeftOut);
        harness.get_by_label_contains("Stack Overflow 17127994");
        harness.get_by_label_contains("without this fault it would be");
        press(&mut harness, Role::CheckBox, "The two factors swapped");
        assert_eq!(harness.state().document.state.faults.len(), 1);
        press(&mut harness, Role::CheckBox, left_out);
        assert_eq!(harness.state().document.state.inverse_bind, InverseBind::Inverse);
        press(&mut harness, Role::Button, "All right again");
        assert!(harness.state().document.state.faults.is_empty());
        let button = harness.get_by_role_and_label(Role::Button, "All right again");
        assert!(button.accesskit_node().is_disabled());
    }

    #[test]
    fn the_hidden_fault_is_in_the_numbers_and_nowhere_else_until_it_is_named() {
        let body = "diagnose = true\nfaults = [\"inverse-bind-left-out\", \"order-swapped\", \"weights-not-bound\"]";
        let (mut harness, cell) = shown(body);
        let state = &harness.state().document.state;
        assert!(state.faults.is_empty() && state.inverse_bind == InverseBind::Inverse);
        let hidden = fault_of_draw(&cell, "it", 0).expect("one is on");
        let wrong = cell.faults.iter().find(|&&one| one != hidden);
        let wrong = wrong.expect("another").title;
        assert!(harness.query_by_label_contains("Seen").is_none());
        press(&mut harness, Role::Button, "Name it");
        assert!(harness.state().edits.is_empty(), "nothing is chosen yet");
        press(&mut harness, Role::RadioButton, wrong);
        assert!(harness.query_by_label("Not this one").is_none());
        press(&mut harness, Role::Button, "Name it");
        harness.get_by_label("Not this one");
        harness.get_by_label_contains("here it is");
        press(&mut harness, Role::RadioButton, hidden.title);
        press(&mut harness, Role::Button, "Name it");
        harness.get_by_label("Right");
        harness.get_by_label("Seen");
        press(&mut harness, Role::Button, "Another one");
        let document = &harness.state().document;
        assert_eq!(document.draw_of("it"), 1);
        assert!(document.state.answers.is_empty());
        assert_ne!(fault_of_draw(&cell, "it", 1), Some(hidden));
    }

    #[test]
    fn a_streak_counts_what_is_named_at_the_first_try() {
        let mut faults = known_faults();
        let (a, b) = (faults.next().unwrap(), faults.next().unwrap());
        let mut streak = Streak::default();
        for (named, right, in_a_row) in [
            ((0, a), true, 1),
            ((0, a), true, 1),
            ((1, b), true, 2),
            ((2, a), false, 0),
            ((2, b), true, 0),
            ((3, a), true, 1),
        ] {
            streak.judge(named, right);
            assert_eq!(streak.in_a_row, in_a_row, "{named:?}");
        }
    }
}
