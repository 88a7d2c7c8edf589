//! Findings for reading in a terminal.

use std::io::{self, Write};

use super::{Finding, Mended, Report};
use crate::asset::Severity;

/// Characters a line.
const WIDTH: usize = 80;
/// Where the words after `expected`, `effect`, … begin.
const INDENT: usize = 12;

/// All findings, then how many there are.
pub(super) fn report(out: &mut dyn Write, file: &str, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        one(out, finding)?;
        writeln!(out)?;
    }
    let sums = [
        counted(report.errors, "error"),
        counted(report.warnings, "warning"),
        counted(report.notes, "note"),
    ];
    writeln!(out, "{file}: {}", sums.join(", "))?;
    if report.is_sound() {
        writeln!(out, "The file is sound.")?;
    }
    Ok(())
}

/// What a new file has and has not any more.
pub(super) fn mended(out: &mut dyn Write, file: &str, mended: &Mended) -> io::Result<()> {
    writeln!(out, "\nMended in {file}:")?;
    for words in &mended.words {
        listed(out, words)?;
    }
    let left: Vec<&Finding> = mended.left().collect();
    if left.is_empty() {
        return writeln!(out, "Nothing is left to mend.");
    }
    writeln!(out, "Not mended:")?;
    for finding in left {
        listed(out, &format!("{} {}", finding.title, place(finding)))?;
    }
    Ok(())
}

fn listed(out: &mut dyn Write, words: &str) -> io::Result<()> {
    let mut lines = wrapped(words, WIDTH - 4).into_iter();
    writeln!(out, "  • {}", lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| writeln!(out, "    {line}"))
}

fn one(out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let title = format!("{severity}: {} [{}]", finding.title, finding.code);
    for line in wrapped(&title, WIDTH) {
        writeln!(out, "{line}")?;
    }
    let place = place(finding);
    let where_it_is = match finding.count {
        1 => place,
        count => format!("{place}; {count} places in all"),
    };
    let lesson = finding
        .lesson
        .map(|slug| format!("bindpose --lesson {slug}"));
    for (name, words) in [
        ("at", where_it_is.as_str()),
        ("expected", &finding.expected),
        ("found", &finding.found),
        ("effect", &finding.effect),
        ("remedy", &finding.remedy),
        ("lesson", lesson.as_deref().unwrap_or_default()),
    ] {
        if words.is_empty() {
            continue;
        }
        let mut name = name;
        for line in wrapped(words, WIDTH - INDENT) {
            writeln!(out, "  {name:<width$}{line}", width = INDENT - 2)?;
            name = "";
        }
    }
    Ok(())
}

fn place(finding: &Finding) -> String {
    let pointer = if finding.at.is_empty() {
        "the file"
    } else {
        &finding.at
    };
    let numbered = |what: &str, number: Option<u32>| {
        number.map_or_else(String::new, |number| format!(", {what} {number}"))
    };
    let vertex = numbered("vertex", finding.vertex);
    format!("{pointer}{vertex}{}", numbered("joint", finding.joint))
}

/// Lines of at most `width` characters, if words allow.
fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
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

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_wrapped_between_words() {
        assert_eq!(wrapped("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrapped("aaaaaaa b", 5), ["aaaaaaa", "b"]);
        assert!(wrapped(" ", 5).is_empty());
    }
}
