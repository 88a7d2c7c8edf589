//! `bindpose inventory`: the questions of the lessons about each misconception, with
//! what their answers are worth.

use std::io::{self, Write};
use std::path::PathBuf;

use bindpose_asset::builtin;
use bindpose_lesson::{FormulaValue, InventoryQuestion, LessonSet, find_lesson};
use bindpose_notebook::inventory::{OptionValue, option_words, question_values};
use bindpose_notebook::number_text::fixed;

use super::CommandFailure;
use super::output::{OutputForm, to_stdout};

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
    let only = args.lesson.as_deref();
    let only = only.map(|lesson| find_lesson(&set.lessons, lesson));
    let only = only.transpose().map_err(CommandFailure::cannot)?;
    to_stdout(OutputForm::Text, |out| {
        for (index, lesson) in set.lessons.iter().enumerate() {
            if only.is_some_and(|only| only != index) || lesson.inventory.is_empty() {
                continue;
            }
            writeln!(out, "{} · {}\n", lesson.number, lesson.title)?;
            for one in &lesson.inventory.misconceptions {
                writeln!(out, "{}  {}\n      {}\n", one.id, one.belief, one.truth)?;
                let questions = lesson.inventory.questions.iter();
                let about = questions.filter(|question| question.misconception == one.id);
                for (place, question) in about.enumerate() {
                    let when = if place % 2 == 0 { "before" } else { "after" };
                    writeln!(out, "  {} ({when}): {}", question.id, question.ask)?;
                    let values = question_values(&set, lesson, question, &builtin);
                    answers(out, question, &values.unwrap_or_default())?;
                }
            }
        }
        Ok(())
    })
}

/// A line an answer: right, or which misconception leads to it; its words or value.
fn answers(
    out: &mut dyn Write,
    question: &InventoryQuestion,
    values: &[OptionValue],
) -> io::Result<()> {
    for (place, option) in question.options.iter().enumerate() {
        let sign = option.misconception.as_deref().unwrap_or("right");
        let words = match values.get(place) {
            Some(OptionValue::Value(FormulaValue::Mat4(matrix))) => {
                let rows = matrix.mat.transpose().to_cols_array();
                let rows = rows.map(|number| fixed(number, question.decimals));
                let rows: Vec<String> = rows.chunks(4).map(|row| row.join(" ")).collect();
                rows.join(" | ")
            }
            Some(OptionValue::Picture(_)) => "(a picture)".to_owned(),
            value => option_words(question, place, value).unwrap_or_default(),
        };
        writeln!(out, "    {sign:>5}  {words}\n           {}", option.why)?;
    }
    writeln!(out)
}
