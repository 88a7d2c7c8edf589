//! The inventory of a lesson: right answers are right, wrong ones wrong, each
//! misconception has its questions, and each wrong answer its misconception.

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_lesson::{INVENTORY_FILE, InventoryQuestion, course_of};

use super::answers::unproven;
use super::checker::Checker;
use super::mentions::unknown_lesson;
use crate::inventory::{InventoryForm, OptionValue, option_values, option_words, questions_of};
use crate::lesson_rig;

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
