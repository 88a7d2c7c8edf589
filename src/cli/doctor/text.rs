//! The doctor's report as text.

use std::io::{self, Write};

use bindpose_diagnostic::{Diagnostic, Severity, counted, printable};
use bindpose_doctor::{DoctorReport, Mended};

use super::models::ExaminedFile;

/// Maximum line length in characters.
const MAX_LINE_LENGTH: usize = 80;
/// Column in which the texts after `expected`, `effect`, … start.
const TEXT_COLUMN: usize = 12;

/// Writes all findings of a model, their number and a summary.
pub(super) fn write_report(out: &mut dyn Write, model: &ExaminedFile) -> io::Result<()> {
    let report = &model.report;
    for finding in &report.findings {
        write_finding(out, finding)?;
        writeln!(out)?;
    }
    writeln!(out, "{}: {}", model.path, format_counts([report]))?;
    if model.in_baseline > 0 {
        let hidden = counted(model.in_baseline, "finding");
        writeln!(out, "Left out, as the baseline has them: {hidden}.")?;
        if report.is_sound() {
            return writeln!(out, "Nothing new that is wrong was found.");
        }
    }
    for line in wrap_lines(&report.summary(), MAX_LINE_LENGTH) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Formats the number of findings of all reports as `1 error, 0 warnings, 2 notes`.
pub(super) fn format_counts<'a>(reports: impl IntoIterator<Item = &'a DoctorReport>) -> String {
    let mut errors = 0;
    let mut warnings = 0;
    let mut notes = 0;
    for report in reports {
        errors += report.errors;
        warnings += report.warnings;
        notes += report.notes;
    }
    [
        counted(errors, Severity::Error.key()),
        counted(warnings, Severity::Warning.key()),
        counted(notes, Severity::Note.key()),
    ]
    .join(", ")
}

/// Writes the repairs in a new file and the findings that it still has.
pub(super) fn write_mended(out: &mut dyn Write, file: &str, mended: &Mended) -> io::Result<()> {
    writeln!(out, "\nMended in {file}:")?;
    for words in &mended.words {
        write_list_item(out, words)?;
    }
    write_list(out, "Measured:", mended.measured.iter().cloned())?;
    let withheld = mended.withheld.iter().map(|kept| match kept.count {
        1 => format!("{} {}", kept.reason, kept.at),
        count => format!("{} {}; {count} places in all", kept.reason, kept.at),
    });
    write_list(out, "Left as it is, so that the cause can still be found:", withheld)?;
    write_list(out, "Not mended:", mended.left().map(title_and_place))?;
    write_list(out, "Notes on the copy:", mended.notes().map(title_and_place))?;
    if mended.report.findings.is_empty() && mended.withheld.is_empty() {
        writeln!(out, "Nothing is left to mend.")?;
    }
    Ok(())
}

fn title_and_place(finding: &Diagnostic) -> String {
    format!("{} {}", finding.title, finding.at)
}

/// Writes a list below a title. Writes nothing if the list is empty.
fn write_list(
    out: &mut dyn Write,
    title: &str,
    items: impl Iterator<Item = String>,
) -> io::Result<()> {
    let mut items = items.peekable();
    if items.peek().is_some() {
        writeln!(out, "{title}")?;
    }
    for item in items {
        write_list_item(out, &item)?;
    }
    Ok(())
}

fn write_list_item(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut lines = wrap_lines(text, MAX_LINE_LENGTH - 4).into_iter();
    writeln!(out, "  • {}", lines.next().unwrap_or_default())?;
    for line in lines {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

fn write_finding(out: &mut dyn Write, finding: &Diagnostic) -> io::Result<()> {
    let title = format!("{}: {} [{}]", finding.severity, finding.title, finding.code);
    for line in wrap_lines(&title, MAX_LINE_LENGTH) {
        writeln!(out, "{line}")?;
    }
    let place = match finding.count {
        1 => finding.at.to_string(),
        count => format!("{}; {count} places in all", finding.at),
    };
    let lesson = finding.lesson.map(|slug| format!("bindpose --lesson {slug}"));
    for (label, text) in [
        ("at", place.as_str()),
        ("expected", &finding.expected),
        ("found", &finding.found),
        ("effect", &finding.effect),
        ("remedy", &finding.help),
        ("lesson", lesson.as_deref().unwrap_or_default()),
    ] {
        let lines = wrap_lines(text, MAX_LINE_LENGTH - TEXT_COLUMN);
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            writeln!(out, "  {label:<width$}{line}", width = TEXT_COLUMN - 2)?;
        }
    }
    Ok(())
}

/// Wraps a text between words into printable lines of at most `width` characters. A line is longer
/// only if a single word is.
fn wrap_lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in printable(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words() {
        assert_eq!(wrap_lines("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap_lines("aaaaaaa b", 5), ["aaaaaaa", "b"]);
        assert!(wrap_lines(" ", 5).is_empty());
        assert_eq!(wrap_lines("a\nb\u{1b}[2J c", 20), ["a\\u{a}b\\u{1b}[2J c"]);
    }
}
