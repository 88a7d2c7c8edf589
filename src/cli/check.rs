//! `bindpose check`: what is wrong with the lessons.

use std::path::PathBuf;

use super::{Failure, output};
use crate::asset;
use crate::lesson::{Finding, LessonSet, Severity};
use crate::notebook::check;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder with the lessons; absent: those in the program
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let set = args
        .dir
        .as_deref()
        .map_or_else(LessonSet::embedded, LessonSet::from_dir);
    let findings = check::check(&set, &|id| asset::builtin(id));
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    output::to_stdout(|out| {
        for finding in &findings {
            writeln!(out, "{}\n", written(finding))?;
        }
        writeln!(
            out,
            "{}: {}, {}",
            counted(set.lessons.len(), "lesson"),
            counted(errors, "error"),
            counted(warnings, "warning")
        )
    })?;
    if errors > 0 {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

/// In the form that editors follow: `file:line:column`.
fn written(finding: &Finding) -> String {
    let Finding {
        severity,
        file,
        line,
        column,
        message,
        help,
    } = finding;
    let severity = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{file}:{line}:{column}: {severity}: {message}\n  help: {help}")
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_its_place_and_its_remedy() {
        let finding = Finding {
            severity: Severity::Error,
            file: "lessons/20-bind-pose/lesson.md".to_owned(),
            line: 7,
            column: 3,
            message: "expected a number".to_owned(),
            help: "write 0.8".to_owned(),
        };
        assert_eq!(
            written(&finding),
            "lessons/20-bind-pose/lesson.md:7:3: error: expected a number\n  help: write 0.8"
        );
        assert_eq!(counted(1, "lesson"), "1 lesson");
        assert_eq!(counted(0, "error"), "0 errors");
    }
}
