//! Questions: the right answer evaluates as right, and each wrong one as wrong.

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_lesson::{
    AskCell, AskedFor, Expr, INVENTORY_FILE, InventoryQuestion, MatrixRef, OrderItem, course_of,
};

use super::checker::{Checker, KeyAt};
use super::mentions::unknown_lesson;
use crate::inventory::{InventoryForm, OptionValue, option_values, option_words, questions_of};
use crate::matrix::resolve;
use crate::question::{as_given, is_answer, judge, right_answer};
use crate::{Derived, lesson_rig, step_document};

/// A formula of at most this is 0.
const ZERO: f64 = 1e-4;

impl Checker<'_> {
    pub(super) fn ask_cell(&mut self, cell: &AskCell, key_at: KeyAt<'_>) {
        let found = self.findings.len();
        if let Some(vertex) = cell.vertex {
            self.vertex(key_at("vertex"), vertex);
        }
        if let Some(joint) = &cell.joint {
            self.joint(key_at("joint"), joint);
        }
        for (index, choice) in cell.choices.iter().enumerate() {
            if let Some(when) = &choice.when {
                let at = key_at(&key_of("choices", index, "when")).right(1);
                self.choice_holds(at, when, choice.right);
            }
        }
        let Some(AskedFor::Order(items)) = cell.asked_for() else {
            if self.findings.len() == found {
                self.answers(cell, key_at);
            }
            return;
        };
        self.answers(cell, key_at);
        if let Some(product) = &cell.product {
            self.order_holds(items, product, key_at);
        }
    }

    fn choice_holds(&mut self, at: LineColumn, when: &Expr, right: bool) {
        let value = self.state().map(|derived| when.eval(derived));
        match value {
            None => {}
            Some(Err(error)) => self.eval_error(at, &error),
            Some(Ok(value)) => {
                if let Some(wrong) = unproven("choice", right, value) {
                    self.error(at, wrong);
                }
            }
        }
    }

    /// The right answer is right, and each that is said to be wrong is wrong.
    fn answers(&mut self, cell: &AskCell, key_at: KeyAt<'_>) {
        let Some(derived) = self.state() else {
            return;
        };
        let right = match right_answer(cell, derived) {
            Ok(right) => right,
            Err(error) => return self.eval_error(key_at("number").right(1), &error),
        };
        let is_right = |text: &str| judge(cell, text, derived).is_ok_and(|judged| judged.right);
        let mut wrong: Vec<(LineColumn, String, &str)> = Vec::new();
        if !is_right(&right) {
            let title = format!("the right answer, {right}, is not taken as right");
            wrong.push((key_at("ask"), title, "correct the answer or the tolerance"));
        }
        for (index, other) in cell.wrong.iter().enumerate() {
            let at = key_at(&key_of("wrong", index, "answer"));
            let answer = &as_given(cell, &other.answer, derived);
            let judged = judge(cell, answer, derived);
            let formula = cell.number.as_ref().and(Expr::parse(answer).ok());
            let value = formula.map(|formula| formula.eval(derived));
            if let (false, Some(Err(error))) = (is_answer(cell, answer), &value) {
                let title = format!("`{answer}`: {error}");
                wrong.push((at, title, "write a number or a formula of this page"));
            } else if !is_answer(cell, answer) && value.is_none() {
                let title = format!("`{answer}` is no answer to this question");
                wrong.push((at, title, "write it as a reader would give it"));
            } else if is_right_number(cell, answer, derived) || is_right(answer) {
                let title = format!("`{answer}` is said to be wrong and is right");
                wrong.push((at, title, "correct it, or the tolerance"));
            } else if let Ok(judged) = judged
                && is_answer(cell, answer)
                && !judged.replies.iter().any(|reply| **reply == other.reply)
            {
                let title = format!("`{answer}` gets the reply of an earlier wrong answer");
                wrong.push((at, title, "leave one of them out"));
            }
        }
        for (at, title, help) in wrong {
            let wrong = Diagnostic::said("QUESTION", title);
            self.error(at, wrong.help(help));
        }
    }

    /// The matrices in their order multiply to the product, and in no other.
    fn order_holds(&mut self, items: &[OrderItem], product: &MatrixRef, key_at: KeyAt<'_>) {
        let (Some(rig), Some(derived)) = (self.known_rig.clone(), self.state()) else {
            return;
        };
        let step = self.step();
        let document = step_document(self.lesson, step, Some(&rig));
        let value = |reference: &MatrixRef| {
            let source = resolve(reference, &document, derived)?;
            Ok::<_, String>(source.named.mat)
        };
        let mut matrices = Vec::new();
        let mut wrong: Vec<(LineColumn, String)> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item.matrix.as_ref().map(value) {
                Some(Ok(matrix)) => matrices.push(matrix),
                Some(Err(why)) => wrong.push((key_at(&key_of("order", index, "matrix")), why)),
                None => {
                    let title = "with a product, each thing needs its matrix".to_owned();
                    wrong.push((key_at(&format!("order[{index}]")), title));
                }
            }
        }
        match value(product) {
            Err(why) => wrong.push((key_at("product"), why)),
            Ok(goal) if wrong.is_empty() => {
                let multiplies = |order: &[usize]| {
                    let found: glam::Mat4 = order.iter().map(|&at| matrices[at]).product();
                    found.abs_diff_eq(goal, 1e-3)
                };
                let right: Vec<usize> = (0..items.len()).collect();
                if !multiplies(&right) {
                    let title = "in this order they do not multiply to the product".to_owned();
                    wrong.push((key_at("order"), title));
                } else if orders(items.len())
                    .iter()
                    .any(|order| *order != right && multiplies(order))
                {
                    let title = "in another order they multiply to the same".to_owned();
                    wrong.push((key_at("order"), title));
                }
            }
            Ok(_) => {}
        }
        for (at, title) in wrong {
            let wrong = Diagnostic::said("QUESTION", title);
            let help = "correct the matrices, or begin the step where their order matters";
            self.error(at, wrong.help(help));
        }
    }
}

/// What is wrong where the formula of a choice or an answer, whose value is given, does
/// not prove that it is right, or wrong.
pub(super) fn unproven(what: &str, right: bool, value: f64) -> Option<Diagnostic> {
    let (is, should) = if right { ("right", "not 0") } else { ("wrong", "0") };
    let title =
        format!("the {what} is {is}, so that its formula should be {should}; it is {value:.4}");
    let wrong = Diagnostic::said("QUESTION", title);
    let help = format!("correct the formula or the {what}");
    ((value.abs() > ZERO) != right).then(|| wrong.help(help))
}

/// A wrong number may be a formula that names what is on the page.
fn is_right_number(cell: &AskCell, answer: &str, derived: &Derived) -> bool {
    let (Some(number), Ok(answer)) = (&cell.number, Expr::parse(answer)) else {
        return false;
    };
    let tolerance = cell.tolerance.map_or(0.0, |tolerance| tolerance.0);
    let off = number.eval(derived).ok().zip(answer.eval(derived).ok());
    cell.unit.is_empty() && off.is_some_and(|(a, b)| (a - b).abs() <= tolerance)
}

/// `choices[1].when`
fn key_of(list: &str, index: usize, key: &str) -> String {
    format!("{list}[{index}].{key}")
}

/// Every order of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, next| {
        let longer = orders.iter().flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, next);
                longer
            })
        });
        longer.collect()
    })
}

// The inventory of a lesson: right answers are right, wrong ones wrong, each
// misconception has its questions, and each wrong answer its misconception.

impl Checker<'_> {
    pub(super) fn inventory(&mut self) {
        let inventory = &self.lesson.inventory;
        for (index, one) in inventory.misconceptions.iter().enumerate() {
            let key = |name: &str| format!("misconception[{index}].{name}");
            self.misconception(&one.id, &key("id"));
            let own = &self.lesson.slug;
            if let Some((lesson, step)) = one.place(own)
                && let Some(unknown) = unknown_lesson(self.set, own, lesson, Some(step))
            {
                self.wrong_at(&key("step"), unknown);
            }
        }
        for (index, question) in inventory.questions.iter().enumerate() {
            self.names(index, question);
            self.proven(index, question);
        }
    }

    /// No other lesson is about it, and both forms ask about it.
    fn misconception(&mut self, id: &str, key: &str) {
        let others = self.set.lessons.iter().filter(|other| {
            !std::ptr::eq(*other, self.lesson)
                && course_of(&other.slug) == course_of(&self.lesson.slug)
        });
        let mut owners = others.filter(|other| {
            let mut owned = other.inventory.misconceptions.iter();
            owned.any(|one| one.id == id)
        });
        if let Some(other) = owners.next() {
            let title = format!("`{id}` is a misconception of `{}` already", other.folder);
            let wrong = Diagnostic::said("NAME_TAKEN", title);
            self.wrong_at(key, wrong.help("leave it to one lesson"));
        }
        for form in InventoryForm::ALL {
            let questions = questions_of(self.lesson, form);
            if !questions.iter().any(|question| question.misconception == id) {
                let title = format!("nothing asks about `{id}` {} the lesson", form.key());
                let wrong = Diagnostic::said("INVENTORY", title);
                self.wrong_at(key, wrong.help("write two questions about each misconception"));
                return;
            }
        }
    }

    /// The misconceptions that a question and its answers name are there.
    fn names(&mut self, index: usize, question: &InventoryQuestion) {
        let own: Vec<&str> =
            self.lesson.inventory.misconceptions.iter().map(|one| &*one.id).collect();
        let about = &question.misconception;
        if !own.contains(&&**about) {
            let wrong = Diagnostic::unknown("misconception of this lesson", about, &own);
            self.wrong_at(&format!("question[{index}].misconception"), wrong);
        }
        let lessons = self.set.lessons.iter();
        let all: BTreeSet<&str> = lessons
            .flat_map(|lesson| &lesson.inventory.misconceptions)
            .map(|one| &*one.id)
            .collect();
        let mut leads_there = false;
        for (place, option) in question.options.iter().enumerate() {
            let Some(id) = option.misconception.as_deref() else {
                continue;
            };
            leads_there |= id == about;
            // What other lessons are about is not known where one stands alone.
            if !all.contains(id) && !self.set.is_alone() {
                let known: Vec<&str> = all.iter().copied().collect();
                let wrong = Diagnostic::unknown("misconception", id, &known);
                self.wrong_at(&format!("question[{index}].options[{place}].misconception"), wrong);
            }
        }
        if !leads_there {
            let title = format!("no wrong answer is what `{about}` leads to");
            let wrong = Diagnostic::said("INVENTORY", title);
            let help = "add one that somebody who holds it would choose";
            self.wrong_at(&format!("question[{index}].options"), wrong.help(help));
        }
    }

    /// Wherever an answer can be worked out, it is.
    fn proven(&mut self, index: usize, question: &InventoryQuestion) {
        let key = |rest: &str| format!("question[{index}].{rest}");
        let id = question.rig_in(self.lesson);
        let Some(rig) = lesson_rig(self.set, id, self.rigs) else {
            if question.rig.is_some() {
                let known = bindpose_asset::builtin_ids();
                self.wrong_at(&key("rig"), Diagnostic::unknown("rig", id, known));
            }
            return;
        };
        let values = match option_values(question, &rig) {
            Ok((_, values)) => values,
            Err(error) => {
                let wrong = Diagnostic::said("QUESTION", error.wrong.to_string());
                let help = "write what the rig of this question has";
                return self.wrong_at(&key(&error.key), wrong.help(help));
            }
        };
        for (place, (option, value)) in question.options.iter().zip(&values).enumerate() {
            if let OptionValue::Words(Some(proof)) = value
                && let Some(wrong) = unproven("answer", option.right, *proof)
            {
                self.wrong_at(&key(&format!("options[{place}].when")), wrong);
            }
            let same = |other: &OptionValue| !value.differs_from(other, question);
            if let Some(other) = values[..place].iter().position(same) {
                let shown = option_words(question, place, Some(value));
                let shown = shown.map_or_else(String::new, |shown| format!(", {shown}"));
                let title = format!("answers {} and {} are the same{shown}", other + 1, place + 1);
                let wrong = Diagnostic::said("QUESTION", title);
                let help = "ask where they differ, or leave one out";
                self.wrong_at(&key(&format!("options[{place}]")), wrong.help(help));
            }
        }
    }

    fn wrong_at(&mut self, key: &str, wrong: Diagnostic) {
        let keys = &self.outline.inventory;
        let at = keys.iter().find(|(known, _)| known == key);
        let at = at.map_or(LineColumn { line: 1, column: 1 }, |(_, at)| *at);
        let file = format!("{}/{INVENTORY_FILE}", self.lesson.folder);
        self.findings.push(wrong.at(Within::text(file, at)));
    }
}
