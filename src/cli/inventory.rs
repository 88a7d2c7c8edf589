//! `bindpose inventory`: prints the questions about each misconception with their answers.

use std::io;
use std::io::Write;
use std::path::PathBuf;

use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{FormulaValue, InventoryQuestion, LessonSet, find_lesson};
use bindpose_notebook::inventory::{OptionValue, option_words, question_values};
use bindpose_rigs::builtin;

use super::CommandFailure;
use super::output::{OutputForm, write_to_stdout};

#[derive(Debug, clap::Args)]
pub(super) struct InventoryArgs {
    /// A number, a slug or a folder name; absent: all lessons
    lesson: Option<String>,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run(args: &InventoryArgs) -> Result<(), CommandFailure> {
    let set = LessonSet::from_paths(&args.lessons).map_err(CommandFailure::cannot)?;
    let only_lesson = match &args.lesson {
        Some(lesson) => Some(find_lesson(&set.lessons, lesson).map_err(CommandFailure::cannot)?),
        None => None,
    };
    write_to_stdout(OutputForm::Text, |out| {
        for (index, lesson) in set.lessons.iter().enumerate() {
            if only_lesson.is_some_and(|only| only != index) || lesson.inventory.is_empty() {
                continue;
            }
            writeln!(out, "{} · {}\n", lesson.number, lesson.title)?;
            for misconception in &lesson.inventory.misconceptions {
                writeln!(
                    out,
                    "{}  {}\n      {}\n",
                    misconception.id, misconception.belief, misconception.truth
                )?;
                let questions = lesson
                    .inventory
                    .questions
                    .iter()
                    .filter(|question| question.misconception == misconception.id);
                for (question_index, question) in questions.enumerate() {
                    // The two forms ask about a misconception in turn.
                    let form = if question_index % 2 == 0 { "before" } else { "after" };
                    writeln!(out, "  {} ({form}): {}", question.id, question.ask.ask.source)?;
                    let values = question_values(&set, lesson, question, &builtin);
                    write_options(out, question, &values.unwrap_or_default())?;
                }
            }
        }
        Ok(())
    })
}

/// Writes the options of a question, each with `right` or the id of the misconception behind it,
/// its words or value, and its reason.
fn write_options(
    out: &mut dyn Write,
    question: &InventoryQuestion,
    values: &[OptionValue],
) -> io::Result<()> {
    for (index, (choice, origin)) in question.choices().enumerate() {
        let verdict = origin.misconception.as_deref().unwrap_or("right");
        let words = match values.get(index) {
            Some(OptionValue::Value(FormulaValue::Mat4(matrix))) => {
                let rows = matrix.mat.transpose().to_cols_array();
                let numbers = rows.map(|number| fixed(number, question.decimals.0));
                let rows: Vec<String> = numbers.chunks(4).map(|row| row.join(" ")).collect();
                rows.join(" | ")
            }
            Some(OptionValue::Picture(_)) => "(a picture)".to_owned(),
            value => option_words(question, index, value).unwrap_or_default(),
        };
        let reason = &question.reason(choice).source;
        writeln!(out, "    {verdict:>5}  {words}\n           {reason}")?;
    }
    writeln!(out)
}
