//! Check of questions and of the concept inventory: right answers must be accepted, and wrong
//! ones rejected.

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_lesson::{
    AnswerKind, AskCell, Expr, INVENTORY_FILE, InventoryQuestion, MatrixRef, OrderItem, course_of,
};

use super::checker::{Checker, KeyPositions};
use super::mentions::unknown_lesson;
use bindpose_notebook::inventory::{
    InventoryForm, OptionValue, option_values, option_words, questions_of,
};
use bindpose_notebook::matrix::resolve;
use bindpose_notebook::question::{as_given, is_answer, judge, right_answer};
use bindpose_notebook::{Derived, lesson_rig, step_document};

/// Absolute value up to which the value of a formula counts as 0.
const ZERO_TOLERANCE: f64 = 1e-4;

impl Checker<'_> {
    pub(super) fn check_ask_cell(&mut self, cell: &AskCell, keys: KeyPositions<'_>) {
        let found = self.findings.len();
        if let Some(vertex) = cell.vertex {
            self.check_vertex(keys.at("vertex"), vertex);
        }
        if let Some(joint) = &cell.joint {
            self.check_joint(keys.at("joint"), joint);
        }
        for (index, choice) in cell.choices.iter().enumerate() {
            if let Some(when) = &choice.when {
                let at = keys.at(&key_of("choices", index, "when")).right(1);
                self.check_choice_formula(at, when, choice.right);
            }
        }
        let Some(AnswerKind::Order(items)) = cell.answer_kind() else {
            if self.findings.len() == found {
                self.check_answers(cell, keys);
            }
            return;
        };
        self.check_answers(cell, keys);
        if let Some(product) = &cell.product {
            self.check_order(items, product, keys);
        }
    }

    fn check_choice_formula(&mut self, at: LineColumn, when: &Expr, right: bool) {
        let value = self.current_state().map(|derived| when.eval(derived));
        match value {
            None => {}
            Some(Err(error)) => self.report_eval_error(at, &error),
            Some(Ok(value)) => {
                if let Some(wrong) = formula_contradiction("choice", right, value) {
                    self.error(at, wrong);
                }
            }
        }
    }

    /// Reports a right answer that is not accepted, and each wrong answer that is.
    fn check_answers(&mut self, cell: &AskCell, keys: KeyPositions<'_>) {
        let Some(derived) = self.current_state() else {
            return;
        };
        let right = match right_answer(cell, derived) {
            Ok(right) => right,
            Err(error) => return self.report_eval_error(keys.at("number").right(1), &error),
        };
        let mut wrong: Vec<(LineColumn, String, &str)> = Vec::new();
        if !judge(cell, &right, derived).is_ok_and(|judged| judged.right) {
            let title = format!("the right answer, {right}, is not taken as right");
            wrong.push((keys.at("ask"), title, "correct the answer or the tolerance"));
        }
        for (index, other) in cell.wrong.iter().enumerate() {
            let at = keys.at(&key_of("wrong", index, "answer"));
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
            } else if is_right_number(cell, answer, derived)
                || judged.as_ref().is_ok_and(|judged| judged.right)
            {
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

    /// Reports matrices that do not multiply to the product in their order, or do so in
    /// another order too.
    fn check_order(&mut self, items: &[OrderItem], product: &MatrixRef, keys: KeyPositions<'_>) {
        let (Some(rig), Some(derived)) = (self.known_rig.clone(), self.current_state()) else {
            return;
        };
        let step = self.step_index();
        let document = step_document(self.lesson, step, Some(&rig));
        let mut matrices = Vec::new();
        let mut wrong: Vec<(LineColumn, String)> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item.matrix.as_ref().map(|matrix| resolve(matrix, &document, derived)) {
                Some(Ok(source)) => matrices.push(source.named.mat),
                Some(Err(why)) => wrong.push((keys.at(&key_of("order", index, "matrix")), why)),
                None => {
                    let title = "with a product, each thing needs its matrix".to_owned();
                    wrong.push((keys.at(&format!("order[{index}]")), title));
                }
            }
        }
        match resolve(product, &document, derived).map(|source| source.named.mat) {
            Err(why) => wrong.push((keys.at("product"), why)),
            Ok(goal) if wrong.is_empty() => {
                let right: Vec<usize> = (0..items.len()).collect();
                if !is_product(&matrices, &right, goal) {
                    let title = "in this order they do not multiply to the product".to_owned();
                    wrong.push((keys.at("order"), title));
                } else if permutations(items.len())
                    .iter()
                    .any(|order| *order != right && is_product(&matrices, order, goal))
                {
                    let title = "in another order they multiply to the same".to_owned();
                    wrong.push((keys.at("order"), title));
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

/// Does the product of the matrices in this order equal the goal?
fn is_product(matrices: &[glam::Mat4], order: &[usize], goal: glam::Mat4) -> bool {
    let product: glam::Mat4 = order.iter().map(|&index| matrices[index]).product();
    product.abs_diff_eq(goal, 1e-3)
}

/// Checks the value of the formula that proves a choice or an answer right or wrong.
/// Returns a finding if the value proves the opposite.
pub(super) fn formula_contradiction(what: &str, right: bool, value: f64) -> Option<Diagnostic> {
    let (is, should) = if right { ("right", "not 0") } else { ("wrong", "0") };
    let title =
        format!("the {what} is {is}, so that its formula should be {should}; it is {value:.4}");
    let wrong = Diagnostic::said("QUESTION", title);
    let help = format!("correct the formula or the {what}");
    ((value.abs() > ZERO_TOLERANCE) != right).then(|| wrong.help(help))
}

/// Is the answer a number, or a formula of this page, within the tolerance of the right
/// number?
fn is_right_number(cell: &AskCell, answer: &str, derived: &Derived) -> bool {
    let (Some(number), Ok(answer)) = (&cell.number, Expr::parse(answer)) else {
        return false;
    };
    let tolerance = cell.tolerance.map_or(0.0, |tolerance| tolerance.0);
    let values = number.eval(derived).ok().zip(answer.eval(derived).ok());
    cell.unit.is_empty() && values.is_some_and(|(a, b)| (a - b).abs() <= tolerance)
}

/// Returns the path of a key in a list, such as `choices[1].when`.
fn key_of(list: &str, index: usize, key: &str) -> String {
    format!("{list}[{index}].{key}")
}

/// Returns all permutations of the indices below `count`.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for next in 0..count {
        let mut longer_orders = Vec::new();
        for order in &orders {
            for at in 0..=order.len() {
                let mut longer = order.clone();
                longer.insert(at, next);
                longer_orders.push(longer);
            }
        }
        orders = longer_orders;
    }
    orders
}

impl Checker<'_> {
    /// Checks the inventory of the lesson: each misconception has questions in both
    /// forms, each question has a wrong answer that the misconception leads to, and
    /// answers that can be computed agree with their computed values.
    pub(super) fn check_inventory(&mut self) {
        let inventory = &self.lesson.inventory;
        for (index, one) in inventory.misconceptions.iter().enumerate() {
            self.check_misconception(&one.id, &format!("misconception[{index}].id"));
            let own = &self.lesson.slug;
            if let Some((lesson, step)) = one.place(own)
                && let Some(unknown) = unknown_lesson(self.set, own, lesson, Some(step))
            {
                self.inventory_error(&format!("misconception[{index}].step"), unknown);
            }
        }
        for (index, question) in inventory.questions.iter().enumerate() {
            self.check_named_misconceptions(index, question);
            self.check_option_values(index, question);
        }
    }

    /// Reports a misconception of two lessons, and one without a question in either form.
    fn check_misconception(&mut self, id: &str, key: &str) {
        let owner = self.set.lessons.iter().find(|other| {
            !std::ptr::eq(*other, self.lesson)
                && course_of(&other.slug) == course_of(&self.lesson.slug)
                && other.inventory.misconceptions.iter().any(|one| one.id == id)
        });
        if let Some(other) = owner {
            let title = format!("`{id}` is a misconception of `{}` already", other.folder);
            let wrong = Diagnostic::said("NAME_TAKEN", title);
            self.inventory_error(key, wrong.help("leave it to one lesson"));
        }
        for form in InventoryForm::ALL {
            let questions = questions_of(self.lesson, form);
            if !questions.iter().any(|question| question.misconception == id) {
                let title = format!("nothing asks about `{id}` {} the lesson", form.key());
                let wrong = Diagnostic::said("INVENTORY", title);
                self.inventory_error(
                    key,
                    wrong.help("write two questions about each misconception"),
                );
                return;
            }
        }
    }

    /// Reports unknown misconceptions that a question and its answers name.
    fn check_named_misconceptions(&mut self, index: usize, question: &InventoryQuestion) {
        let own: Vec<&str> =
            self.lesson.inventory.misconceptions.iter().map(|one| &*one.id).collect();
        let about = &question.misconception;
        if !own.contains(&&**about) {
            let wrong = Diagnostic::unknown("misconception of this lesson", about, &own);
            self.inventory_error(&format!("question[{index}].misconception"), wrong);
        }
        let all: BTreeSet<&str> = self
            .set
            .lessons
            .iter()
            .flat_map(|lesson| &lesson.inventory.misconceptions)
            .map(|one| &*one.id)
            .collect();
        let mut leads_there = false;
        for (place, origin) in question.origins.iter().enumerate() {
            let Some(id) = origin.misconception.as_deref() else {
                continue;
            };
            leads_there |= id == about;
            // The misconceptions of other lessons are unknown to a lesson checked alone.
            if !all.contains(id) && !self.set.is_alone() {
                let known: Vec<&str> = all.iter().copied().collect();
                let wrong = Diagnostic::unknown("misconception", id, &known);
                self.inventory_error(
                    &format!("question[{index}].choices[{place}].misconception"),
                    wrong,
                );
            }
        }
        if !leads_there {
            let title = format!("no wrong answer is what `{about}` leads to");
            let wrong = Diagnostic::said("INVENTORY", title);
            let help = "add one that somebody who holds it would choose";
            self.inventory_error(&format!("question[{index}].choices"), wrong.help(help));
        }
    }

    /// Reports answers whose computed values contradict them, and equal answers.
    fn check_option_values(&mut self, index: usize, question: &InventoryQuestion) {
        let question_key = format!("question[{index}]");
        let id = question.rig_in(self.lesson);
        let Some(rig) = lesson_rig(self.set, id, self.builtin_rig) else {
            if question.rig.is_some() {
                let known = bindpose_rigs::builtin_ids();
                self.inventory_error(
                    &format!("{question_key}.rig"),
                    Diagnostic::unknown("rig", id, known),
                );
            }
            return;
        };
        let values = match option_values(question, &rig) {
            Ok((_, values)) => values,
            Err(error) => {
                let wrong = Diagnostic::said("QUESTION", error.title);
                let help = "write what the rig of this question has";
                return self
                    .inventory_error(&format!("{question_key}.{}", error.key), wrong.help(help));
            }
        };
        for (place, (choice, value)) in question.ask.choices.iter().zip(&values).enumerate() {
            if let OptionValue::Words(Some(proof)) = value
                && let Some(wrong) = formula_contradiction("answer", choice.right, *proof)
            {
                self.inventory_error(&format!("{question_key}.choices[{place}].when"), wrong);
            }
            let equal =
                values[..place].iter().position(|other| !value.differs_from(other, question));
            if let Some(other) = equal {
                let words = option_words(question, place, Some(value));
                let shown = words.map_or_else(String::new, |words| format!(", {words}"));
                let title = format!("answers {} and {} are the same{shown}", other + 1, place + 1);
                let wrong = Diagnostic::said("QUESTION", title);
                let help = "ask where they differ, or leave one out";
                self.inventory_error(&format!("{question_key}.choices[{place}]"), wrong.help(help));
            }
        }
    }

    /// Adds a finding about the inventory file, at the position of a key.
    fn inventory_error(&mut self, key: &str, wrong: Diagnostic) {
        let keys = &self.outline.inventory;
        let known = keys.iter().find(|(known, _)| known == key);
        let at = known.map_or(LineColumn { line: 1, column: 1 }, |(_, at)| *at);
        let file = format!("{}/{INVENTORY_FILE}", self.lesson.folder);
        self.findings.push(wrong.at(Within::text(file, at)));
    }
}
