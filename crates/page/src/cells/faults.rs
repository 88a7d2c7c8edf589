//! Known faults: as switches, each with its symptoms, or as a question in which the reader names a
//! hidden one.

use bindpose_kit::theme::{CAPTION_SIZE, CARD_SIZE, LEAD_SIZE, SMALL_SIZE, Theme};
use bindpose_kit::widgets::{
    Emphasis, Tip as _, Tone, card, card_heading, draw_verdict, paragraph_ui, small_button,
};
use bindpose_lesson::{FaultName, FaultsCell, KnownFault, known_faults};
use bindpose_notebook::exercise_cells::DIAGNOSE;
use bindpose_notebook::fault_evidence::{GuessReply, difference_to_right, judge_fault};
use bindpose_notebook::faults::{FaultSwitch, fault_of_draw, offered, offered_by_id};
use bindpose_notebook::question::answer;
use bindpose_notebook::{Document, Edit};
use eframe::egui::{
    Button, FontId, Response, Role, Sense, Ui, WidgetInfo, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
};

use crate::PageContext;
use crate::cells::ask::paint_mark;
use crate::classroom::{
    AnswerMeaning, ClassQuestionState, ask_class_ui, class_question_state, hand_in_ui, tally_ui,
};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &FaultsCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |state: &mut FaultsState, page| {
        state.update_switches(cell);
        ui.spacing_mut().item_spacing.y = 2.0;
        if cell.diagnose {
            draw_diagnosis(ui, cell, id, state, page);
        } else {
            draw_gallery(ui, state, page);
        }
    });
}

/// Maximum number of vertices of a mesh that is searched for the effect of a fault.
const MAX_COMPARED_VERTICES: usize = 50_000;

/// Draws the faults as switches, in the order of the stages from file to picture. Those that are
/// on have a card below.
fn draw_gallery(ui: &mut Ui, state: &mut FaultsState, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let has_several_places = state
        .switches
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.fault.place != b.fault.place));
    let mut place = None;
    for switch in state.switches.clone() {
        if has_several_places && place != Some(switch.fault.place) {
            place = Some(switch.fault.place);
            ui.label(theme.caption(switch.fault.place.label()));
        }
        let is_on = switch.is_on(&page.document.state);
        if draw_fault_row(ui, theme, &switch.fault, is_on, Role::CheckBox).clicked() {
            let settings = switch.switched(!is_on, &page.document.state);
            page.requests.edits.push(Edit::Settings(settings));
        }
        if is_on {
            draw_fault_card(ui, &switch, state, page);
        }
    }
    let all_off = FaultSwitch::all_off(&state.switches, &page.document.state);
    ui.horizontal_wrapped(|ui| {
        let button = ui.add_enabled(!all_off.is_empty(), small_button("All right again"));
        if button.clicked() {
            page.requests.edits.push(Edit::Settings(all_off));
        }
    });
}

/// Draws the symptoms of a fault, its effect on this page, and its sources.
fn draw_fault_card(
    ui: &mut Ui,
    switch: &FaultSwitch,
    state: &mut FaultsState,
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    card(ui, theme, Tone::Wrong, |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        draw_symptoms(ui, theme, &switch.fault);
        let is_small = page.derived.rig.mesh.positions.len() <= MAX_COMPARED_VERTICES;
        if is_small {
            let effect = state
                .cached_sentence(switch.fault, page, |page| Some(effect_sentence(switch, page)));
            if let Some(effect) = effect {
                paragraph_ui(ui, theme, effect, SMALL_SIZE, Emphasis::Strong);
            }
        }
        draw_sources(ui, theme, &switch.fault);
    });
}

/// Formats the effect of a fault on the page, such as
/// `Here: x of v6 is 0.85; without this fault it would be 1.20.`
fn effect_sentence(switch: &FaultSwitch, page: &PageContext<'_>) -> String {
    match difference_to_right(switch, (page.document, page.lesson), page.derived) {
        Some(difference) => {
            let [here, right] = difference.numbers();
            let what = &difference.what;
            format!("Here: {what} is {here}; without this fault it would be {right}.")
        }
        None => "Here it changes nothing: no number of this page differs.".to_owned(),
    }
}

/// Draws the question: one fault is on but hidden, and the reader names it from pictures and
/// numbers.
fn draw_diagnosis(
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
    let answer = page.document.state.answers.get(id);
    let selected = answer.and_then(|answer| offered_by_id(cell, &answer.text));
    let class_state = class_question_state(page, id);
    let is_final =
        answer.is_some_and(|answer| answer.given) || class_state == ClassQuestionState::Revealed;
    let guess = selected.filter(|_| is_final && !class_state.hides_truth());
    let is_right = guess == Some(hidden);
    if let Some(guess) = guess {
        state.streak.count_guess(draw, guess, is_right);
    }
    let streak = state.streak.length;
    let theme = page.theme;
    let tone = if is_right { Tone::Right } else { Tone::Task };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        card_heading(ui, theme, tone, "Diagnosis", |ui| {
            ask_class_ui(ui, id, page);
            if streak > 1 {
                ui.label(theme.label(format!("{streak} in a row")));
            } else if !is_right && page.answer(id, draw).is_some_and(|record| record.solved) {
                ui.label(theme.label("named before"));
            }
        });
        paragraph_ui(ui, theme, DIAGNOSE, LEAD_SIZE, Emphasis::Plain);
        let is_closed =
            class_state == ClassQuestionState::Closed && !page.view.classroom.is_teacher();
        ui.add_enabled_ui(!is_closed, |ui| {
            for switch in &state.switches {
                draw_candidate(ui, switch.fault, selected == Some(switch.fault), id, page);
            }
        });
        if page.view.classroom.is_teacher() {
            draw_class_answers(ui, cell, hidden, id, page);
            if class_state == ClassQuestionState::Revealed {
                draw_sources(ui, theme, &hidden);
                return;
            }
        }
        if class_state.hides_truth() {
            let selected_id = selected.map(|fault| fault.id);
            ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, selected_id, page));
            return;
        }
        if let Some(guess) = guess {
            let is_shown = is_right && page.is_answer_shown(id);
            draw_reply(ui, GuessOfFault { guess, hidden, is_shown }, state, page);
        }
        if is_right {
            draw_sources(ui, theme, &hidden);
            draw_next_button(ui, cell, id, draw, state.switches.len(), page);
        } else {
            draw_submit_button(ui, selected, guess.is_some(), id, page);
        }
    });
}

/// Draws the answers of the class for its teacher.
fn draw_class_answers(
    ui: &mut Ui,
    cell: &FaultsCell,
    hidden: FaultName,
    id: &str,
    page: &PageContext<'_>,
) {
    let meaning = AnswerMeaning {
        words: &|text| {
            offered_by_id(cell, text).map_or("something else", |fault| fault.title).to_owned()
        },
        rank: &|_| 0,
        is_right: &|text| offered_by_id(cell, text) == Some(hidden),
        right: &|| Some(hidden.title.to_owned()),
        number: &|_| None,
        reply: &|text| Some(format!("How to tell: {}", offered_by_id(cell, text)?.tell)),
    };
    tally_ui(ui, id, page, &meaning);
}

/// Draws a fault that can be named, with its symptoms while it is selected.
fn draw_candidate(
    ui: &mut Ui,
    fault: FaultName,
    is_selected: bool,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let row = draw_fault_row(ui, page.theme, &fault, is_selected, Role::RadioButton);
    if row.clicked() && !is_selected {
        page.requests.edits.push(answer(id, fault.id, false));
    }
    if is_selected {
        ui.indent((id, fault.id), |ui| draw_symptoms(ui, page.theme, &fault));
    }
}

/// A named fault beside the one that is on.
#[derive(Clone, Copy)]
struct GuessOfFault {
    guess: FaultName,
    hidden: FaultName,
    /// True if the presenter has shown the answer, which nobody named.
    is_shown: bool,
}

/// Draws whether the guess is right, or a number that excludes it.
fn draw_reply(
    ui: &mut Ui,
    GuessOfFault { guess, hidden, is_shown }: GuessOfFault,
    state: &mut FaultsState,
    page: &PageContext<'_>,
) {
    let is_right = guess == hidden;
    let heading = match (is_right, is_shown) {
        (true, true) => "The answer",
        (true, false) => "Right",
        (false, _) => "Not this one",
    };
    draw_verdict(ui, page.theme, heading, CAPTION_SIZE, is_right);
    let reason = state.cached_sentence(guess, page, |page| {
        match judge_fault(guess, hidden, (page.document, page.lesson), page.derived) {
            GuessReply::Right => None,
            GuessReply::Excluded(Some(difference)) => {
                Some(format!("With this fault, {difference}."))
            }
            GuessReply::Excluded(None) => {
                Some("No number of this page tells the two apart.".to_owned())
            }
        }
    });
    if let Some(reason) = reason {
        paragraph_ui(ui, page.theme, reason, SMALL_SIZE, Emphasis::Strong);
    }
}

fn draw_submit_button(
    ui: &mut Ui,
    selected: Option<FaultName>,
    is_given: bool,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let why_disabled = if is_given { "This one was named" } else { "Choose one first" };
    let is_enabled = selected.is_some() && !is_given;
    let button = ui.add_enabled(is_enabled, Button::new("Name it"));
    if button.tip_disabled(why_disabled).clicked()
        && let Some(fault) = selected
    {
        page.requests.edits.push(answer(id, fault.id, true));
    }
}

/// Draws the button that hides another fault, if there is one.
fn draw_next_button(
    ui: &mut Ui,
    cell: &FaultsCell,
    id: &str,
    draw: usize,
    fault_count: usize,
    page: &mut PageContext<'_>,
) {
    let next = (draw + 1) % fault_count.max(1);
    if fault_of_draw(cell, id, next).is_none() || next == draw {
        return;
    }
    let button = ui
        .button("Another one")
        .tip("The step begins as it opens; what was named stays in your record");
    if button.clicked() {
        page.view.playing.stop();
        page.requests.edits.push(Edit::Draw(id.to_owned(), next));
    }
}

/// Draws the look of a fault in the picture, and the number that distinguishes it.
fn draw_symptoms(ui: &mut Ui, theme: &Theme, fault: &KnownFault) {
    paragraph_ui(ui, theme, fault.looks, SMALL_SIZE, Emphasis::Plain);
    draw_labelled_text(ui, theme, "How to tell", fault.tell);
}

/// Draws where a fault was seen, and the belief that leads to it.
fn draw_sources(ui: &mut Ui, theme: &Theme, fault: &KnownFault) {
    draw_labelled_text(ui, theme, "Seen", fault.seen);
    if !fault.belief.is_empty() {
        draw_labelled_text(ui, theme, "Believed", fault.belief);
    }
}

fn draw_labelled_text(ui: &mut Ui, theme: &Theme, label: &str, text: &str) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.label(theme.caption(label));
        paragraph_ui(ui, theme, text, SMALL_SIZE, Emphasis::Plain);
    });
}

/// Transient state of the cell.
#[derive(Default)]
struct FaultsState {
    switches: Vec<FaultSwitch>,
    sentence: Option<CachedSentence>,
    streak: Streak,
}

/// A sentence about a fault on a page, which takes long to compute.
struct CachedSentence {
    document: Document,
    fault: FaultName,
    /// `None` if there is nothing to say about the fault.
    sentence: Option<String>,
}

/// Number of faults in a row that the reader named at the first try.
#[derive(Default)]
struct Streak {
    /// The draw of the last guess, and the fault that was named.
    last_guess: Option<(usize, FaultName)>,
    length: u32,
}

impl Streak {
    /// Counts a guess. The same guess is counted only once.
    fn count_guess(&mut self, draw: usize, guess: FaultName, is_right: bool) {
        let last = self.last_guess.replace((draw, guess));
        if last == Some((draw, guess)) {
            return;
        }
        let is_first_try = last.is_none_or(|(last_draw, _)| last_draw != draw);
        self.length = if is_right && is_first_try { self.length + 1 } else { 0 };
    }
}

impl FaultsState {
    /// Creates the switches if the cell has other faults than before.
    fn update_switches(&mut self, cell: &FaultsCell) {
        let current = self.switches.iter().map(|switch| switch.fault);
        let is_up_to_date = if cell.faults.is_empty() {
            current.eq(known_faults())
        } else {
            current.eq(cell.faults.iter().copied())
        };
        if !is_up_to_date {
            self.switches = offered(cell).into_iter().map(FaultSwitch::new).collect();
            self.sentence = None;
        }
    }

    /// Returns the sentence about a fault. It is computed only if fault or page have changed.
    fn cached_sentence(
        &mut self,
        fault: FaultName,
        page: &PageContext<'_>,
        compute: impl FnOnce(&PageContext<'_>) -> Option<String>,
    ) -> Option<&str> {
        let is_up_to_date = self
            .sentence
            .as_ref()
            .is_some_and(|cached| cached.fault == fault && cached.document == *page.document);
        if !is_up_to_date {
            let sentence = compute(page);
            self.sentence =
                Some(CachedSentence { document: page.document.clone(), fault, sentence });
        }
        self.sentence.as_ref().and_then(|cached| cached.sentence.as_deref())
    }
}

/// Distance from the left edge of a row to its text.
const TEXT_INDENT_PTS: f32 = 28.0;
/// Padding above and below the text.
const ROW_PAD_PTS: f32 = 5.0;

/// Draws a fault as a row that can be clicked: a mark, and the title. `role` is that of a check
/// box or of a radio button.
fn draw_fault_row(
    ui: &mut Ui,
    theme: &Theme,
    fault: &KnownFault,
    is_on: bool,
    role: Role,
) -> Response {
    let width = ui.available_width();
    let format = TextFormat {
        font_id: FontId::proportional(CARD_SIZE),
        color: theme.ink,
        ..TextFormat::default()
    };
    let mut job = LayoutJob::single_section(fault.title.to_owned(), format);
    job.wrap.max_width = (width - TEXT_INDENT_PTS - 8.0).max(40.0);
    let title = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let min_height = ui.spacing().interact_size.y;
    let height = (title.size().y + 2.0 * ROW_PAD_PTS).max(min_height);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), is_on, fault.title));
    if ui.is_rect_visible(rect) {
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 6.0, theme.accent_wash);
        }
        let mark = pos2(rect.left() + 14.0, rect.center().y);
        paint_mark(ui, mark, is_on, role == Role::CheckBox, theme);
        let top = rect.center().y - title.size().y / 2.0;
        ui.painter().galley(pos2(rect.left() + TEXT_INDENT_PTS, top), title, theme.ink);
    }
    response
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::CellKind;
    use bindpose_notebook::faults::fault_of_draw;
    use bindpose_notebook::test_sample::lesson_on;
    use bindpose_skin::InverseBind;
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::accesskit::Role;
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable},
    };

    use super::*;
    use crate::cells::testing::{Page, harness};

    fn show_cell(body: &str) -> (Harness<'static, Page>, FaultsCell) {
        let step = format!("```set\nbend = 0.8\n```\n\n```faults it\n{body}\n```");
        let lesson = lesson_on("arm", &step);
        let Some(CellKind::Faults(cell)) = lesson.cells().next().map(|cell| cell.kind.clone())
        else {
            panic!("a cell of faults");
        };
        let mut page = Page::new("arm").with_params(&[("bend", 0.8)]);
        page.document.lesson.clone_from(&lesson.slug);
        page.lesson(lesson);
        let shown_cell = cell.clone();
        let mut harness = harness(page, move |view, page| ui(view, &shown_cell, "it", page));
        harness.run();
        (harness, cell)
    }

    #[test]
    fn switch_applies_its_setting_and_shows_card_with_effect() {
        let (mut harness, _) = show_cell(
            "faults = [\"inverse-bind-left-out\", \"order-swapped\", \"weights-not-bound\"]",
        );
        let left_out = "The inverse bind matrix left out";
        assert!(harness.query_by_label_contains("Stack Overflow").is_none());
        harness.click_role(Role::CheckBox, left_out);
        assert_eq!(harness.state().document.state.inverse_bind, InverseBind::LeftOut);
        harness.get_by_label_contains("Stack Overflow 17127994");
        harness.get_by_label_contains("without this fault it would be");
        harness.click_role(Role::CheckBox, "The two factors swapped");
        assert_eq!(harness.state().document.state.faults.len(), 1);
        harness.click_role(Role::CheckBox, left_out);
        assert_eq!(harness.state().document.state.inverse_bind, InverseBind::Inverse);
        harness.click_role(Role::Button, "All right again");
        assert!(harness.state().document.state.faults.is_empty());
        let button = harness.get_by_role_and_label(Role::Button, "All right again");
        assert!(button.accesskit_node().is_disabled());
    }

    #[test]
    fn hidden_fault_is_not_revealed_until_it_is_named() {
        let body = "diagnose = true\nfaults = [\"inverse-bind-left-out\", \"order-swapped\", \"weights-not-bound\"]";
        let (mut harness, cell) = show_cell(body);
        let state = &harness.state().document.state;
        assert!(state.faults.is_empty() && state.inverse_bind == InverseBind::Inverse);
        let hidden = fault_of_draw(&cell, "it", 0).expect("one is on");
        let wrong = cell.faults.iter().find(|&&fault| fault != hidden).expect("another").title;
        assert!(harness.query_by_label_contains("Seen").is_none());
        harness.click_role(Role::Button, "Name it");
        assert!(harness.state().edits.is_empty(), "nothing is chosen yet");
        harness.click_role(Role::RadioButton, wrong);
        assert!(harness.query_by_label("Not this one").is_none());
        harness.click_role(Role::Button, "Name it");
        harness.get_by_label("Not this one");
        harness.get_by_label_contains("here it is");
        harness.click_role(Role::RadioButton, hidden.title);
        harness.click_role(Role::Button, "Name it");
        harness.get_by_label("Right");
        harness.get_by_label("Seen");
        harness.click_role(Role::Button, "Another one");
        let document = &harness.state().document;
        assert_eq!(document.draw_of("it"), 1);
        assert!(document.state.answers.is_empty());
        assert_ne!(fault_of_draw(&cell, "it", 1), Some(hidden));
    }

    #[test]
    fn streak_counts_faults_named_at_first_try() {
        let mut faults = known_faults();
        let a = faults.next().unwrap();
        let b = faults.next().unwrap();
        let mut streak = Streak::default();
        for (draw, guess, is_right, length) in [
            (0, a, true, 1),
            (0, a, true, 1),
            (1, b, true, 2),
            (2, a, false, 0),
            (2, b, true, 0),
            (3, a, true, 1),
        ] {
            streak.count_guess(draw, guess, is_right);
            assert_eq!(streak.length, length, "{guess:?} in draw {draw}");
        }
    }
}
