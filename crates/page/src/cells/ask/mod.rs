//! A question whose answer is chosen, typed, put in order or selected in a picture.
//! Wrong answers have replies.

mod answer_list;

use bindpose_diagnostic::printable;
use bindpose_kit::theme::{CAPTION_SIZE, CARD_SIZE, LEAD_SIZE, SMALL_SIZE};
use bindpose_kit::widgets::{
    Emphasis, Tip as _, Tone, card, card_heading, consume_key, draw_verdict,
};
use bindpose_lesson::{AnswerKind, AskCell, CellDraws};
use bindpose_notebook::question::{
    self, Grade, answer, answer_words, is_answer, judge, number_of, shown_order,
};
use bindpose_notebook::{Edit, EditTarget};
use eframe::egui::{Button, Key, RichText, TextEdit, Ui};

use super::check::draw_again_ui;
use super::entity_chooser;
use super::hints::{next_hint_button, open_hints_ui};
use crate::PageContext;
use crate::classroom::{
    AnswerMeaning, ClassQuestionState, ask_class_ui, class_question_state, hand_in_ui, tally_ui,
};
use crate::prose::text_ui;

pub(super) use answer_list::paint_mark;
pub(crate) use answer_list::{choice_row, choice_rows};

use answer_list::{choices_ui, format_places, order_ui};

/// Verdict on an answer that nobody has given.
const SHOWN_ANSWER: &str = "The answer";

#[derive(Default)]
struct QuestionProgress {
    /// The draw of numbers that this state belongs to.
    draw: usize,
    open_hints: usize,
    /// Text of the answer field.
    typed: String,
    /// The document's answer that `typed` was last synchronised with.
    synced_answer: Option<String>,
}

pub(super) fn ui(ui: &mut Ui, draws: &CellDraws<AskCell>, id: &str, page: &mut PageContext<'_>) {
    let draw = page.document.draw_of(id);
    let cell = draws.with(draw);
    page.with_state(id, |state: &mut QuestionProgress, page| {
        if state.draw != draw {
            *state = QuestionProgress { draw, ..QuestionProgress::default() };
        }
        let current = current_answer(cell, id, draw, state, page);
        let stored = page.document.state.answers.get(id);
        let is_given =
            stored.is_some_and(|stored| stored.given && Some(&stored.text) == current.as_ref());
        let class_state = class_question_state(page, id);
        if class_state == ClassQuestionState::Revealed
            && !is_given
            && let Some(text) = &current
            && is_answer(cell, text)
        {
            page.requests.edits.push(answer(id, text, true));
        }
        let grade = current
            .as_deref()
            .filter(|_| is_given && !class_state.hides_truth())
            .map(|text| judge(cell, text, page.derived));
        let is_right = matches!(&grade, Some(Ok(grade)) if grade.right);
        let theme = page.theme;
        let tone = if is_right { Tone::Right } else { Tone::Task };
        card(ui, theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            card_heading(ui, theme, tone, "Question", |ui| {
                ask_class_ui(ui, id, page);
                if !is_right && page.answer(id, draw).is_some_and(|answer| answer.solved) {
                    ui.label(theme.label("answered before"));
                }
            });
            text_ui(ui, &cell.ask, LEAD_SIZE, Emphasis::Plain, page);
            let is_closed =
                class_state == ClassQuestionState::Closed && !page.view.classroom.is_teacher();
            let current = if is_closed {
                ui.add_enabled_ui(false, |ui| answer_ui(ui, cell, id, draw, current, state, page))
                    .inner
            } else {
                answer_ui(ui, cell, id, draw, current, state, page)
            };
            match &grade {
                Some(Ok(grade)) if is_right && page.is_answer_shown(id) => {
                    grade_ui(ui, SHOWN_ANSWER, grade, page);
                }
                Some(Ok(grade)) => replies_ui(ui, grade, page),
                Some(Err(error)) => {
                    let message = format!("This question has no answer now: {error}");
                    ui.label(RichText::new(message).size(SMALL_SIZE).color(theme.wrong));
                }
                None => {}
            }
            if page.view.classroom.is_teacher() {
                class_answers_ui(ui, cell, id, page);
            }
            if class_state.hides_truth() {
                let text = current.filter(|text| is_answer(cell, text));
                ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, text.as_deref(), page));
                return;
            }
            open_hints_ui(ui, &cell.hints, state.open_hints, page);
            if is_right {
                draw_again_ui(ui, draws.after(draw), id, page);
            } else {
                buttons_ui(ui, cell, id, current, is_given, state, page);
            }
        });
    });
}

/// Returns the current answer, whether it has been given or not. Returns `None` if
/// there is none yet.
fn current_answer(
    cell: &AskCell,
    id: &str,
    draw: usize,
    state: &mut QuestionProgress,
    page: &PageContext<'_>,
) -> Option<String> {
    let stored = page.document.state.answers.get(id).map(|answer| &answer.text);
    match cell.answer_kind()? {
        AnswerKind::Choice(_) => stored.cloned(),
        AnswerKind::Order(_) => {
            Some(stored.cloned().unwrap_or_else(|| format_places(&shown_order(cell, id, draw))))
        }
        AnswerKind::Number(_) | AnswerKind::Word(_) => {
            // Undo and links set answers that were not typed in this field.
            if state.synced_answer.as_ref() != stored {
                state.synced_answer = stored.cloned();
                state.typed = stored.cloned().unwrap_or_default();
            }
            Some(state.typed.clone())
        }
        AnswerKind::Vertex(_) => Some(page.document.state.vertex.to_string()),
        AnswerKind::Joint(_) => Some(page.document.state.joint.0.to_string()),
    }
}

/// Draws the widgets to answer with. Returns the answer after the changes of this
/// frame.
fn answer_ui(
    ui: &mut Ui,
    cell: &AskCell,
    id: &str,
    draw: usize,
    current: Option<String>,
    state: &mut QuestionProgress,
    page: &mut PageContext<'_>,
) -> Option<String> {
    let new_answer = match cell.answer_kind()? {
        AnswerKind::Choice(choices) => {
            let order = shown_order(cell, id, draw);
            let chosen = question::places(current.as_deref().unwrap_or_default(), choices.len());
            choices_ui(ui, cell.several, choices, &order, chosen.unwrap_or_default(), page)
        }
        AnswerKind::Order(items) => {
            let order = question::places(current.as_deref().unwrap_or_default(), items.len());
            order_ui(ui, items, &order.unwrap_or_default(), page)
        }
        AnswerKind::Number(_) | AnswerKind::Word(_) => {
            text_field_ui(ui, cell, id, state, page);
            return Some(state.typed.clone());
        }
        AnswerKind::Vertex(_) => {
            ui.label(page.theme.label("Press it in a picture, or choose it here:"));
            entity_chooser::vertex_chooser_ui(ui, id, page);
            None
        }
        AnswerKind::Joint(_) => {
            ui.label(page.theme.label("Press it in a picture, or choose it here:"));
            entity_chooser::joint_chooser_ui(ui, id, page);
            None
        }
    };
    if let Some(text) = &new_answer {
        page.requests.edits.push(if text.is_empty() {
            Edit::Reset(EditTarget::Answer(id.to_owned()))
        } else {
            answer(id, text, false)
        });
    }
    new_answer.or(current)
}

/// Draws the field for a number or a word. Enter gives the answer.
fn text_field_ui(
    ui: &mut Ui,
    cell: &AskCell,
    id: &str,
    state: &mut QuestionProgress,
    page: &mut PageContext<'_>,
) {
    let is_number = matches!(cell.answer_kind(), Some(AnswerKind::Number(_)));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (width, name) = if is_number { (120.0, "your number") } else { (240.0, "your word") };
        let field = TextEdit::singleline(&mut state.typed).char_limit(80).desired_width(width);
        let response = ui.add(field).accessible_name(name);
        if !cell.unit.is_empty() {
            ui.label(page.theme.label(cell.unit.trim()));
        }
        if response.lost_focus() && consume_key(ui, Key::Enter) && is_answer(cell, &state.typed) {
            page.requests.edits.push(answer(id, &state.typed, true));
        }
    });
}

/// Draws the answers of the class for its teacher.
fn class_answers_ui(ui: &mut Ui, cell: &AskCell, id: &str, page: &PageContext<'_>) {
    let meaning = AnswerMeaning {
        words: &|text| printable(&answer_words(cell, text)).into(),
        rank: &|_| 0,
        is_right: &|text| judge(cell, text, page.derived).is_ok_and(|grade| grade.right),
        right: &|| {
            let text = question::right_answer(cell, page.derived).ok()?;
            Some(printable(&answer_words(cell, &text)).into())
        },
        number: &|text| number_of(cell, text),
        reply: &|text| Some(judge(cell, text, page.derived).ok()?.replies.first()?.words()),
    };
    tally_ui(ui, id, page, &meaning);
}

/// Draws a grade: the verdict and the replies.
pub(crate) fn replies_ui(ui: &mut Ui, grade: &Grade<'_>, page: &mut PageContext<'_>) {
    let verdict = if grade.right { "Right" } else { "Not right" };
    grade_ui(ui, verdict, grade, page);
}

fn grade_ui(ui: &mut Ui, verdict: &str, grade: &Grade<'_>, page: &mut PageContext<'_>) {
    draw_verdict(ui, page.theme, verdict, CAPTION_SIZE, grade.right);
    for reply in &grade.replies {
        text_ui(ui, reply, CARD_SIZE, Emphasis::Plain, page);
    }
}

/// Draws the buttons that give the answer and open the next hint.
fn buttons_ui(
    ui: &mut Ui,
    cell: &AskCell,
    id: &str,
    current: Option<String>,
    is_given: bool,
    state: &mut QuestionProgress,
    page: &mut PageContext<'_>,
) {
    ui.horizontal_wrapped(|ui| {
        let text = current.filter(|text| is_answer(cell, text));
        let disabled_reason = match cell.answer_kind() {
            _ if is_given => "This answer was given",
            Some(AnswerKind::Number(_)) => "Write a number first",
            Some(AnswerKind::Word(_)) => "Write a word first",
            _ => "Choose an answer first",
        };
        let enabled = text.is_some() && !is_given;
        let response = ui.add_enabled(enabled, Button::new("Answer"));
        if response.tip_disabled(disabled_reason).clicked()
            && let Some(text) = text
        {
            page.requests.edits.push(answer(id, &text, true));
        }
        next_hint_button(ui, &cell.hints, &mut state.open_hints);
    });
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::CellKind;
    use bindpose_notebook::test_sample::lesson_on;
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable};

    use crate::cells::testing::{Page, harness};

    /// A page with a question. `body` is its TOML.
    fn question_harness(body: &str) -> Harness<'static, Page> {
        let lesson = lesson_on("bone_grid", &format!("```ask it\n{body}\n```"));
        let Some(CellKind::Ask(cell)) = lesson.cells().next().map(|cell| cell.kind.clone()) else {
            panic!("a question");
        };
        let mut page = Page::new("bone_grid");
        page.lesson(lesson);
        let mut harness = harness(page, move |ui, page| super::ui(ui, &cell, "it", page));
        harness.run();
        harness
    }

    const CHOICES: &str = "ask = \"Which?\"\nwhy = \"Because.\"\nelse = \"Not all.\"\nchoices = [{ text = \"$a$ first\", right = true }, { text = \"b\", reply = \"No b.\" }, { text = \"c\", reply = \"No c.\" }]";

    #[test]
    fn single_choice_is_answered_and_has_a_reply() {
        let mut harness = question_harness(CHOICES);
        harness.click_role(Role::Button, "Answer");
        assert!(harness.state().edits.is_empty(), "nothing is chosen");
        harness.click_role(Role::RadioButton, "b");
        assert!(harness.query_by_label("No b.").is_none(), "the answer is not given");
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("Not right");
        harness.get_by_label("No b.");
        harness.click_role(Role::RadioButton, "a first");
        assert!(harness.query_by_label("Not right").is_none());
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("Right");
        harness.get_by_label("Because.");
        assert!(harness.query_by_label("Answer").is_none());
    }

    #[test]
    fn several_choices_must_all_be_right() {
        let body = CHOICES.replace("text = \"c\", reply = \"No c.\"", "text = \"c\", right = true");
        let mut harness = question_harness(&format!("several = true\n{body}"));
        harness.click_role(Role::CheckBox, "c");
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("Not all.");
        harness.click_role(Role::CheckBox, "a first");
        harness.click_role(Role::CheckBox, "b");
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("No b.");
        harness.click_role(Role::CheckBox, "b");
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("Right");
    }

    #[test]
    fn number_is_typed_as_a_formula_and_given_with_enter() {
        let body = "ask = \"How far?\"\nnumber = \"pi/4\"\ntolerance = \"1deg\"\nunit = \"°\"\nwhy = \"So.\"\nelse = \"No.\"\nwrong = [{ answer = \"90\", reply = \"Twice that.\" }]";
        let mut harness = question_harness(body);
        for (typed, reply) in [("90", "Twice that."), ("12", "No."), ("90/2", "So.")] {
            let field = harness.get_by_role_and_label(Role::TextInput, "your number");
            field.focus();
            harness.run();
            harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
            harness.event(eframe::egui::Event::Text(typed.to_owned()));
            harness.run();
            harness.press(Key::Enter);
            harness.get_by_label(reply);
        }
    }

    #[test]
    fn items_are_put_in_order_with_buttons() {
        let body = "ask = \"In which order?\"\nwhy = \"So.\"\nelse = \"No.\"\norder = [{ text = \"$W$\" }, { text = \"$B$\" }, { text = \"$p$\" }]";
        let mut harness = question_harness(body);
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("No.");
        for _ in 0..2 {
            for name in ["W: up", "p: down"] {
                harness.click_role(Role::Button, name);
            }
        }
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("Right");
    }

    #[test]
    fn answer_is_the_chosen_vertex() {
        let body = "ask = \"Which corner?\"\nwhy = \"So.\"\nelse = \"No.\"\nvertex = 2";
        let mut harness = question_harness(body);
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("No.");
        harness.state_mut().document.state.vertex = 2;
        harness.run();
        assert!(harness.query_by_label("No.").is_none());
        harness.click_role(Role::Button, "Answer");
        harness.get_by_label("Right");
    }
}
