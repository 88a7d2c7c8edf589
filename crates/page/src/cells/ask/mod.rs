//! A question with an answer to be chosen, written, put in order or pointed at:
//! every wrong answer has its reply.

mod answer_list;

use bindpose_diagnostic::printable;
use bindpose_lesson::{AnswerKind, AskCell, CellDraws};
use bindpose_notebook::question::{
    self, Grade, answer, answer_words, is_answer, judge, number_of, shown_order,
};
use eframe::egui::{Button, Key, RichText, TextEdit, Ui};

use super::{check::draw_again_ui, entity_chooser};
use crate::PageContext;
use crate::classroom::{AnswerMeaning, AskedInClass, ask_class_ui, hand_in_ui, in_class, tally_ui};
use crate::prose::text_ui;
use crate::theme::{CAPTION, CARD, LEAD, SMALL};
use crate::widgets::{Emphasis, Tip as _, Tone, card, card_heading, pressed, verdict};

pub(super) use answer_list::paint_mark;
pub(crate) use answer_list::{choice_row, choice_rows};

use answer_list::{choices_ui, order_ui, written_order};

/// What a reader has seen of a question, and what is being written.
#[derive(Default)]
struct AskState {
    /// With which draw of its numbers.
    draw: usize,
    /// How many hints are open.
    hints: usize,
    typed: String,
    /// The answer of the page that was typed last, or came from elsewhere.
    known: Option<String>,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, drawn: &CellDraws<AskCell>, id: &str, page: &mut PageContext<'_>) {
    let draw = page.document.draw_of(id);
    let cell = drawn.with(draw);
    page.with_state(id, |state: &mut AskState, page| {
        if state.draw != draw {
            *state = AskState { draw, ..AskState::default() };
        }
        let in_hand = in_hand(cell, id, draw, state, page);
        let given = page.document.state.answers.get(id);
        let is_given = given.is_some_and(|one| one.given && Some(&one.text) == in_hand.as_ref());
        let asked = in_class(page, id);
        if asked == AskedInClass::Revealed && !is_given {
            in_hand
                .iter()
                .filter(|text| is_answer(cell, text))
                .for_each(|text| give(id, text, page));
        }
        let judged = in_hand
            .as_deref()
            .filter(|_| is_given && !asked.hides_truth())
            .map(|text| judge(cell, text, page.derived));
        let right = matches!(&judged, Some(Ok(judged)) if judged.right);
        let theme = page.theme;
        let tone = if right { Tone::Right } else { Tone::Task };
        card(ui, theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            card_heading(ui, theme, tone, "Question", |ui| {
                ask_class_ui(ui, id, page);
                if !right && page.answer(id, draw).is_some_and(|one| one.solved) {
                    ui.label(theme.label("answered before"));
                }
            });
            text_ui(ui, &cell.ask, LEAD, Emphasis::Plain, page);
            let in_hand = if asked == AskedInClass::Closed && !page.view.classroom.leads() {
                ui.add_enabled_ui(false, |ui| body(ui, cell, (id, draw), in_hand, state, page))
                    .inner
            } else {
                body(ui, cell, (id, draw), in_hand, state, page)
            };
            match &judged {
                Some(Ok(judged)) => replies(ui, judged, page),
                Some(Err(wrong)) => {
                    let words = format!("This question has no answer now: {wrong}");
                    ui.label(RichText::new(words).size(SMALL).color(theme.wrong));
                }
                None => {}
            }
            if page.view.classroom.leads() {
                class_answers(ui, cell, id, page);
            }
            if asked.hides_truth() {
                let text = in_hand.filter(|text| is_answer(cell, text));
                ui.horizontal_wrapped(|ui| hand_in_ui(ui, id, text.as_deref(), page));
                return;
            }
            for (index, hint) in cell.hints.iter().take(state.hints).enumerate() {
                let hint = hint.led_by(&format!("Hint {}. ", index + 1));
                text_ui(ui, &hint, CARD, Emphasis::Quiet, page);
            }
            if right {
                draw_again_ui(ui, drawn.after(draw), id, page);
            } else {
                buttons(ui, cell, id, (in_hand, is_given), state, page);
            }
        });
    });
}

/// The answer as it stands on the page, given or not; `None`: there is none yet.
fn in_hand(
    cell: &AskCell,
    id: &str,
    draw: usize,
    state: &mut AskState,
    page: &PageContext<'_>,
) -> Option<String> {
    let on_page = page.document.state.answers.get(id).map(|one| &one.text);
    match cell.asked_for()? {
        AnswerKind::Choice(_) => on_page.cloned(),
        AnswerKind::Order(_) => Some(on_page.cloned().unwrap_or_else(|| {
            let order = shown_order(cell, id, draw).into_iter();
            written_order(&order.collect::<Vec<_>>())
        })),
        AnswerKind::Number(_) | AnswerKind::Word(_) => {
            // Undo, and links, bring other answers than what was typed.
            if state.known.as_ref() != on_page {
                state.known = on_page.cloned();
                state.typed = on_page.cloned().unwrap_or_default();
            }
            Some(state.typed.clone())
        }
        AnswerKind::Vertex(_) => Some(page.document.state.vertex.to_string()),
        AnswerKind::Joint(_) => Some(page.document.state.joint.0.to_string()),
    }
}

/// What is worked to answer; gives the answer as it stands after that.
fn body(
    ui: &mut Ui,
    cell: &AskCell,
    (id, draw): (&str, usize),
    in_hand: Option<String>,
    state: &mut AskState,
    page: &mut PageContext<'_>,
) -> Option<String> {
    let next = match cell.asked_for()? {
        AnswerKind::Choice(all) => {
            let order = shown_order(cell, id, draw);
            let chosen = question::places(in_hand.as_deref().unwrap_or_default(), all.len());
            choices_ui(ui, cell.several, all, &order, chosen.unwrap_or_default(), page)
        }
        AnswerKind::Order(items) => {
            let now = question::places(in_hand.as_deref().unwrap_or_default(), items.len());
            order_ui(ui, items, &now.unwrap_or_default(), page)
        }
        AnswerKind::Number(_) | AnswerKind::Word(_) => {
            write_ui(ui, cell, id, state, page);
            return Some(state.typed.clone());
        }
        AnswerKind::Vertex(_) => {
            ui.label(page.theme.label("Press it in a picture, or choose it here:"));
            entity_chooser::vertex(ui, id, page);
            None
        }
        AnswerKind::Joint(_) => {
            ui.label(page.theme.label("Press it in a picture, or choose it here:"));
            entity_chooser::joint(ui, id, page);
            None
        }
    };
    if let Some(next) = &next {
        page.edits.push(if next.is_empty() {
            bindpose_notebook::Edit::ForgetAnswer(id.to_owned())
        } else {
            answer(id, next, false)
        });
    }
    next.or(in_hand)
}

/// A field for a number or a word; Enter answers.
fn write_ui(
    ui: &mut Ui,
    cell: &AskCell,
    id: &str,
    state: &mut AskState,
    page: &mut PageContext<'_>,
) {
    let is_number = matches!(cell.asked_for(), Some(AnswerKind::Number(_)));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (width, name) = if is_number { (120.0, "your number") } else { (240.0, "your word") };
        let field = TextEdit::singleline(&mut state.typed).char_limit(80).desired_width(width);
        let field = ui.add(field).accessible_name(name);
        if !cell.unit.is_empty() {
            ui.label(page.theme.label(cell.unit.trim()));
        }
        if field.lost_focus() && pressed(ui, Key::Enter) && is_answer(cell, &state.typed) {
            give(id, &state.typed, page);
        }
    });
}

/// What the class answered, for its teacher.
fn class_answers(ui: &mut Ui, cell: &AskCell, id: &str, page: &PageContext<'_>) {
    let judged = |text: &str| judge(cell, text, page.derived).ok();
    let meaning = AnswerMeaning {
        words: &|text| printable(&answer_words(cell, text)).into(),
        rank: &|_| 0,
        is_right: &|text| judged(text).is_some_and(|judged| judged.right),
        right: &|| {
            let right = question::right_answer(cell, page.derived).ok()?;
            Some(printable(&answer_words(cell, &right)).into())
        },
        number: &|text| number_of(cell, text),
        reply: &|text| Some(judged(text)?.replies.first()?.words()),
    };
    tally_ui(ui, id, page, &meaning);
}

fn give(id: &str, text: &str, page: &mut PageContext<'_>) {
    page.edits.push(answer(id, text, true));
}

fn replies(ui: &mut Ui, judged: &Grade<'_>, page: &mut PageContext<'_>) {
    let word = if judged.right { "Right" } else { "Not right" };
    verdict(ui, page.theme, word, CAPTION, judged.right);
    for reply in &judged.replies {
        text_ui(ui, reply, CARD, Emphasis::Plain, page);
    }
}

fn buttons(
    ui: &mut Ui,
    cell: &AskCell,
    id: &str,
    (in_hand, is_given): (Option<String>, bool),
    state: &mut AskState,
    page: &mut PageContext<'_>,
) {
    ui.horizontal_wrapped(|ui| {
        let text = in_hand.filter(|text| is_answer(cell, text));
        let why_not = match cell.asked_for() {
            _ if is_given => "This answer was given",
            Some(AnswerKind::Number(_)) => "Write a number first",
            Some(AnswerKind::Word(_)) => "Write a word first",
            _ => "Choose an answer first",
        };
        let enabled = text.is_some() && !is_given;
        let response = ui.add_enabled(enabled, Button::new("Answer"));
        if response.tip_disabled(why_not).clicked()
            && let Some(text) = text
        {
            give(id, &text, page);
        }
        if state.hints < cell.hints.len() {
            let words = format!("Hint {} of {}", state.hints + 1, cell.hints.len());
            if ui.add(Button::new(words)).clicked() {
                state.hints += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{CellKind, parse_lesson};
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::{Harness, kittest::Queryable};

    use super::*;
    use crate::cells::testing::{Page, harness};

    /// A question as a lesson has it.
    fn asked(body: &str) -> Harness<'static, Page> {
        let text = format!(
            "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## S\n\n```ask it\n{body}\n```\n"
        );
        let lesson = parse_lesson("20-t", &text, "");
        assert_eq!(lesson.findings, []);
        let Some(CellKind::Ask(cell)) = lesson.cells().next().map(|cell| cell.kind.clone()) else {
            panic!("a question");
        };
        let mut page = Page::new("bone_grid");
        page.put_lesson(lesson);
        let mut harness = harness(page, move |view, page| ui(view, &cell, "it", page));
        harness.run();
        harness
    }

    fn press(harness: &mut Harness<'static, Page>, role: Role, name: &str) {
        harness.get_by_role_and_label(role, name).click();
        harness.run();
    }

    const CHOICES: &str = "ask = \"Which?\"\nwhy = \"Because.\"\nelse = \"Not all.\"\nchoices = [{ text = \"$a$ first\", right = true }, { text = \"b\", reply = \"No b.\" }, { text = \"c\", reply = \"No c.\" }]";

    #[test]
    fn one_of_many_is_chosen_answered_and_replied_to() {
        let mut harness = asked(CHOICES);
        press(&mut harness, Role::Button, "Answer");
        assert!(harness.state().edits.is_empty(), "nothing is chosen yet");
        press(&mut harness, Role::RadioButton, "b");
        assert!(harness.query_by_label("No b.").is_none(), "not before it is given");
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("Not right");
        harness.get_by_label("No b.");
        press(&mut harness, Role::RadioButton, "a first");
        assert!(harness.query_by_label("Not right").is_none());
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("Right");
        harness.get_by_label("Because.");
        assert!(harness.query_by_label("Answer").is_none());
    }

    #[test]
    fn several_of_many_are_right_together_alone() {
        let body = CHOICES.replace("text = \"c\", reply = \"No c.\"", "text = \"c\", right = true");
        let mut harness = asked(&format!("several = true\n{body}"));
        press(&mut harness, Role::CheckBox, "c");
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("Not all.");
        press(&mut harness, Role::CheckBox, "a first");
        press(&mut harness, Role::CheckBox, "b");
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("No b.");
        press(&mut harness, Role::CheckBox, "b");
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("Right");
    }

    #[test]
    fn a_number_is_typed_as_a_formula_and_answered_with_enter() {
        let body = "ask = \"How far?\"\nnumber = \"pi/4\"\ntolerance = \"1deg\"\nunit = \"°\"\nwhy = \"So.\"\nelse = \"No.\"\nwrong = [{ answer = \"90\", reply = \"Twice that.\" }]";
        let mut harness = asked(body);
        for (typed, reply) in [("90", "Twice that."), ("12", "No."), ("90/2", "So.")] {
            let field = harness.get_by_role_and_label(Role::TextInput, "your number");
            field.focus();
            harness.run();
            harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
            harness.event(eframe::egui::Event::Text(typed.to_owned()));
            harness.run();
            harness.key_press(Key::Enter);
            harness.run();
            harness.get_by_label(reply);
        }
    }

    #[test]
    fn things_are_put_in_order_by_their_buttons() {
        let body = "ask = \"In which order?\"\nwhy = \"So.\"\nelse = \"No.\"\norder = [{ text = \"$W$\" }, { text = \"$B$\" }, { text = \"$p$\" }]";
        let mut harness = asked(body);
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("No.");
        for _ in 0..2 {
            for name in ["W: up", "p: down"] {
                press(&mut harness, Role::Button, name);
            }
        }
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("Right");
    }

    #[test]
    fn a_vertex_is_the_one_that_is_chosen() {
        let body = "ask = \"Which corner?\"\nwhy = \"So.\"\nelse = \"No.\"\nvertex = 2";
        let mut harness = asked(body);
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("No.");
        harness.state_mut().document.state.vertex = 2;
        harness.run();
        assert!(harness.query_by_label("No.").is_none());
        press(&mut harness, Role::Button, "Answer");
        harness.get_by_label("Right");
    }
}
