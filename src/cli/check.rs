//! `bindpose check`: what is wrong with the lessons.

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use bindpose_asset as asset;
use bindpose_asset::builtin;
use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_lesson::{FormulaValue, InventoryQuestion, LessonSet, find_lesson};
use bindpose_notebook::check;
use bindpose_notebook::inventory::{OptionValue, option_words, question_values};
use bindpose_notebook::number_text::fixed;
use serde::Serialize;

use super::CommandFailure;
use super::output::{self, OutputForm, form, to_stdout};
use crate::app;

#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// The folder with the lessons, or that of one lesson; absent: those in the program
    dir: Option<PathBuf>,
    /// Check the routes of this file too
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,
    /// Also lay every step out, in a window of 1280×720 and in presenter mode at
    /// 1280×720 and 1920×1080, and say what is not in sight together
    #[arg(long)]
    fit: bool,
    /// text is for reading, json has every finding as an object
    #[arg(long, value_parser = form(["text", "json"]), default_value = "text")]
    format: OutputForm,
}

/// What `--format json` writes. Its keys stay; others may come.
#[derive(Serialize)]
struct CheckOutput<'a> {
    lessons: usize,
    /// In the inventories of these lessons.
    questions: usize,
    errors: usize,
    warnings: usize,
    findings: Vec<CheckFinding<'a>>,
}

/// One thing that is wrong. Texts are empty where there is nothing to say.
#[derive(Serialize)]
struct CheckFinding<'a> {
    severity: Severity,
    code: &'a str,
    /// As it was given, with the folder before it; `null` for what is in no text.
    file: Option<&'a str>,
    /// From 1.
    line: Option<usize>,
    /// In characters, from 1.
    column: Option<usize>,
    title: String,
    expected: &'a str,
    found: &'a str,
    help: &'a str,
}

impl<'a> CheckFinding<'a> {
    fn new(finding: &'a Diagnostic) -> Self {
        let text = match &finding.at {
            Place::Text { file, at } => Some((&**file, *at)),
            _ => None,
        };
        Self {
            severity: finding.severity,
            code: finding.code,
            file: text.map(|(file, _)| file),
            line: text.map(|(_, at)| at.line),
            column: text.map(|(_, at)| at.column),
            title: finding.sentence(),
            expected: &finding.expected,
            found: &finding.found,
            help: &finding.help,
        }
    }
}

pub(super) fn run(args: &CheckArgs) -> Result<(), CommandFailure> {
    let dir = args.dir.as_deref();
    let is_text = |dir: &Path| dir.is_file() && dir.ends_with("lesson.md");
    if let Some(dir) = dir.filter(|dir| !dir.is_dir() && !is_text(dir)) {
        let wrong = Diagnostic::said("NO_FOLDER", format!("there is no folder {}", dir.display()))
            .help("give the folder that holds the folders NN-slug, or that of one lesson");
        return Err(CommandFailure::cannot(wrong));
    }
    let mut set = dir.map_or_else(LessonSet::embedded, LessonSet::from_dir);
    if let Some(file) = &args.routes {
        set.add_routes_from(file);
    }
    let mut findings = check::check(&set, &|id| asset::builtin(id));
    if args.fit && !set.lessons.is_empty() {
        findings.extend(app::fit(&set).map_err(|wrong| {
            CommandFailure::cannot(Diagnostic::said("NO_LESSONS", wrong.to_string()))
        })?);
    }
    let lessons = set.own_lessons().count();
    let inventories = set.own_lessons().map(|lesson| &set.lessons[lesson].inventory);
    let questions: usize = inventories.map(|one| one.questions.len()).sum();
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    output::to_stdout(args.format, |out| {
        if args.format == OutputForm::Json {
            let answer = CheckOutput {
                lessons,
                questions,
                errors,
                warnings,
                findings: findings.iter().map(CheckFinding::new).collect(),
            };
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            return writeln!(out);
        }
        for finding in &findings {
            writeln!(out, "{finding}\n")?;
        }
        writeln!(
            out,
            "{}{}: {}, {}",
            counted(lessons, "lesson"),
            match questions {
                0 => String::new(),
                _ => format!(", {}", counted(questions, "question")),
            },
            counted(errors, "error"),
            counted(warnings, "warning")
        )
    })?;
    CommandFailure::if_found(errors > 0)
}

// `bindpose inventory`: the questions of the lessons about each misconception, with
// what their answers are worth.

#[derive(Debug, clap::Args)]
pub(super) struct InventoryArgs {
    /// A number, a slug or a folder name; absent: all lessons
    lesson: Option<String>,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run_inventory(args: &InventoryArgs) -> Result<(), CommandFailure> {
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
