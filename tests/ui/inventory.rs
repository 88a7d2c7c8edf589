//! The forms of an inventory.

use bindpose_notebook::inventory::{FormRecord, Holding, InventoryForm, holding, questions_of};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::Key;
use eframe::egui::accesskit::{Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::{page, page::Page};

fn record(harness: &mut Harness<'_, Page>, form: InventoryForm) -> FormRecord {
    let progress = harness.state_mut().shell().preferences().progress;
    progress.form("hierarchy", form).cloned().unwrap_or_default()
}

/// Returns the options, without the steps in the bar.
fn answers(harness: &Harness<'_, Page>) -> Vec<String> {
    let mut labels = harness.labels_of(Role::RadioButton);
    labels.retain(|label| !label.starts_with("Step "));
    labels
}

/// Returns the button that goes on after a question is answered.
fn on_from(last: bool) -> &'static str {
    if last { "To the result" } else { "Next question" }
}

fn has(harness: &Harness<'_, Page>, label: &str) -> bool {
    harness.query_all_by_label(label).next().is_some()
}

#[test]
fn before_a_lesson_answers_are_kept_without_a_verdict() {
    let mut harness = page("bindpose://hierarchy", [1280.0, 900.0]);
    harness.click_role(Role::Button, "Before this lesson: 3 questions");
    assert!(has(&harness, "30 · Hierarchy · questions before it · question 1 of 3"));
    harness.click_role(Role::RadioButton, "Matrix A");
    harness.click_role(Role::Button, "Answer");
    assert!(!has(&harness, "Right") && !has(&harness, "Not right"));
    assert_eq!(record(&mut harness, InventoryForm::Before).answers.len(), 1);
    // A click on a picture chooses it. Such pictures have no tools.
    harness.query_all_by_role(Role::Image).nth(1).expect("four pictures").click();
    harness.run();
    let row = harness.get_by_role_and_label(Role::RadioButton, "Picture B");
    assert_eq!(row.accesskit_node().toggled(), Some(Toggled::True));
    assert!(!has(&harness, "What is drawn, and how"));
    harness.click_role(Role::Button, "Answer");
    harness.click_role(Role::Button, "I don’t know");
    assert!(has(&harness, "30 · Hierarchy · questions before it · result"));
    assert_eq!(record(&mut harness, InventoryForm::Before).answers.len(), 2);
    harness.press(Key::ArrowLeft);
    harness.click_role(Role::RadioButton, "Picture A");
    harness.click_role(Role::Button, "Answer");
    let answers = record(&mut harness, InventoryForm::Before).answers;
    assert!(answers.contains_key("children-first"));
    harness.click_role(Role::Button, "To the lesson");
    assert!(has(&harness, "Before this lesson: questions answered"));
    assert_eq!(harness.state_mut().shell().notebook().forms().open, None);
}

#[test]
fn the_key_that_reads_on_scrolls_the_questions_and_turns_them() {
    let mut harness = page("bindpose://hierarchy", [1280.0, 900.0]);
    harness.click_role(Role::Button, "Before this lesson: 3 questions");
    let step = harness.state_mut().shell().notebook().document().step;
    let at = |number: u32| format!("30 · Hierarchy · questions before it · question {number} of 3");
    let mut pressed = 0;
    while !has(&harness, &at(2)) {
        harness.press(Key::PageDown);
        pressed += 1;
        assert!(pressed < 5 && (has(&harness, &at(1)) || has(&harness, &at(2))));
    }
    assert_eq!(harness.state_mut().shell().notebook().document().step, step);
}

#[test]
fn after_a_lesson_answers_have_reasons_and_the_result_lists_misconceptions() {
    let mut harness = page("bindpose://hierarchy?form=after", [1280.0, 900.0]);
    let all =
        questions_of(harness.state_mut().shell().notebook().lesson(), InventoryForm::After).len();
    for at in 1..=all {
        let first = answers(&harness).into_iter().next().expect("an answer");
        harness.click_role(Role::RadioButton, &first);
        harness.click_role(Role::Button, "Answer");
        assert!(has(&harness, "Right") != has(&harness, "Not right"));
        harness.click_role(Role::Button, on_from(at == all));
    }
    let record = record(&mut harness, InventoryForm::After);
    assert_eq!(record.answers.len(), all);
    let lesson = harness.state_mut().shell().notebook().lesson().clone();
    let held = |id: &str| holding(&lesson, InventoryForm::After, Some(&record), id);
    for one in &lesson.inventory.misconceptions {
        assert_ne!(held(&one.id), Holding::NotAnswered);
        let words = format!("before: not answered · after: {}", held(&one.id).words());
        assert!(has(&harness, &words), "{words}");
    }
    harness.click_role(Role::Button, "Forget and answer again");
    assert!(has(&harness, "30 · Hierarchy · questions after it · question 1 of 3"));
    harness.click_role(Role::ListItem, "Two joints in one place");
    assert_eq!(harness.state_mut().shell().notebook().forms().open, None);
}

#[test]
fn remaining_misconceptions_link_to_their_step() {
    let mut harness = page("bindpose://hierarchy?form=after", [1280.0, 900.0]);
    let lesson = harness.state_mut().shell().notebook().lesson().clone();
    let asked = questions_of(&lesson, InventoryForm::After).len();
    let named = |step: &str| {
        let index = lesson.steps.iter().position(|one| one.slug == step).expect("a step");
        format!("See it in step {}: {}", index + 1, lesson.steps[index].title)
    };
    for at in 1..=asked {
        let first = answers(&harness).into_iter().next().expect("an answer");
        harness.click_role(Role::RadioButton, &first);
        harness.click_role(Role::Button, "Answer");
        harness.click_role(Role::Button, on_from(at == asked));
    }
    let record = record(&mut harness, InventoryForm::After);
    let mut ways = Vec::new();
    for one in &lesson.inventory.misconceptions {
        let words = named(one.step.as_deref().expect("a step"));
        let is_wrong =
            holding(&lesson, InventoryForm::After, Some(&record), &one.id) != Holding::NotHeld;
        assert_eq!(has(&harness, &words), is_wrong, "{words}");
        if is_wrong {
            ways.push((words, one.step.clone()));
        }
    }
    let (words, step) = ways.pop().expect("the first answers are not all right");
    harness.click_role(Role::Button, &words);
    let shell = harness.state_mut().shell();
    assert_eq!(shell.notebook().forms().open, None);
    let opened = shell.notebook().step().expect("a step");
    assert_eq!(Some(&opened.slug), step.as_ref());
}

/// Opens every question of every lesson, on a phone and in a window.
#[test]
fn every_question_opens() {
    let set = bindpose_lesson::LessonSet::embedded();
    for size in [[390.0, 844.0], [1280.0, 720.0]] {
        let mut harness = page("bindpose://bind-pose", size);
        for lesson in &set.lessons {
            for form in InventoryForm::ALL {
                for (index, question) in questions_of(lesson, form).iter().enumerate() {
                    let link =
                        format!("bindpose://{}?form={}.{}", lesson.slug, form.key(), index + 1);
                    harness.state_mut().shell().open_link(&link).expect("a form");
                    harness.run();
                    assert_eq!(answers(&harness).len(), question.ask.choices.len(), "{link}");
                }
            }
        }
    }
}
