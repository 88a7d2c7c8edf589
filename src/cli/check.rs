//! `bindpose check`: reports everything that is wrong with lessons.

use std::path::PathBuf;

use bindpose_check::check_lessons;
use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_lesson::LessonSet;
use serde::Serialize;

use super::CommandFailure;
use super::output::{OutputForm, output_form, write_json, write_to_stdout};
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
    #[arg(long, value_parser = output_form(["text", "json"]), default_value = "text")]
    format: OutputForm,
}

/// The output of `--format json`. Existing keys do not change; new ones may be added.
#[derive(Serialize)]
struct CheckOutput<'a> {
    lessons: usize,
    /// Number of questions in the inventories of these lessons.
    questions: usize,
    errors: usize,
    warnings: usize,
    /// Counts of `--fit`. Absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fit: Option<&'a app::FitCounts>,
    findings: Vec<CheckFinding<'a>>,
}

/// A finding. Texts are empty if they do not apply.
#[derive(Serialize)]
struct CheckFinding<'a> {
    severity: Severity,
    code: &'a str,
    /// Path of the file, including the folder as it was given. `null` for a finding outside of
    /// texts.
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
        let (file, at) = match &finding.at {
            Place::Text { file, at } => (Some(&**file), Some(*at)),
            _ => (None, None),
        };
        Self {
            severity: finding.severity,
            code: finding.code,
            file,
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            title: finding.sentence(),
            expected: &finding.expected,
            found: &finding.found,
            help: &finding.help,
        }
    }
}

pub(super) fn run(args: &CheckArgs) -> Result<(), CommandFailure> {
    let mut set = match &args.dir {
        None => LessonSet::embedded(),
        Some(dir) => {
            let is_lesson_file = dir.is_file() && dir.ends_with("lesson.md");
            if !dir.is_dir() && !is_lesson_file {
                let title = format!("there is no folder {}", dir.display());
                let wrong = Diagnostic::said("NO_FOLDER", title)
                    .help("give the folder that holds the folders NN-slug, or that of one lesson");
                return Err(CommandFailure::cannot(wrong));
            }
            LessonSet::from_dir(dir)
        }
    };
    if let Some(file) = &args.routes {
        set.add_routes_from(file);
    }
    let mut findings = check_lessons(&set, &|id| bindpose_rigs::builtin(id));
    let mut fit = None;
    if args.fit && !set.lessons.is_empty() {
        let report = app::check_fit_of_steps(&set).map_err(|wrong| {
            CommandFailure::cannot(Diagnostic::said("NO_LESSONS", wrong.to_string()))
        })?;
        findings.extend(report.findings);
        fit = Some(report.counts);
    }
    let lessons = set.own_lessons().count();
    let questions: usize =
        set.own_lessons().map(|index| set.lessons[index].inventory.questions.len()).sum();
    let errors = count_severity(&findings, Severity::Error);
    let warnings = count_severity(&findings, Severity::Warning);
    write_to_stdout(args.format, |out| {
        if args.format == OutputForm::Json {
            let output = CheckOutput {
                lessons,
                questions,
                errors,
                warnings,
                fit: fit.as_ref(),
                findings: findings.iter().map(CheckFinding::new).collect(),
            };
            return write_json(out, &output);
        }
        for finding in &findings {
            writeln!(out, "{finding}\n")?;
        }
        if let Some(counts) = &fit {
            writeln!(out, "{counts}")?;
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

fn count_severity(findings: &[Diagnostic], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.severity == severity).count()
}
