//! What `bindpose doctor` says for reading.

use std::io::{self, Write};

use bindpose_asset::doctor::{DoctorReport, Mended};
use bindpose_diagnostic::{Diagnostic, Severity, counted, printable};

use super::models::ExaminedFile;

/// Characters a line.
const WIDTH: usize = 80;
/// Where the words after `expected`, `effect`, … begin.
const INDENT: usize = 12;

/// All findings, how many there are, and what they amount to.
pub(super) fn write_report(
    out: &mut dyn Write,
    ExaminedFile { file, report, in_baseline, .. }: &ExaminedFile,
) -> io::Result<()> {
    for finding in &report.findings {
        one(out, finding)?;
        writeln!(out)?;
    }
    writeln!(out, "{file}: {}", sums([report]))?;
    if *in_baseline > 0 {
        writeln!(out, "Left out, as the baseline has them: {}.", counted(*in_baseline, "finding"))?;
        if report.is_sound() {
            return writeln!(out, "Nothing new that is wrong was found.");
        }
    }
    wrapped(&report.summary(), WIDTH).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// `1 error, 0 warnings, 2 notes`, in all of them.
pub(super) fn sums<'a>(reports: impl IntoIterator<Item = &'a DoctorReport>) -> String {
    let mut counts = [0; 3];
    for report in reports {
        for (count, more) in counts.iter_mut().zip([report.errors, report.warnings, report.notes]) {
            *count += more;
        }
    }
    let words = Severity::ALL.iter().zip(counts);
    words.map(|(severity, count)| counted(count, severity.key())).collect::<Vec<_>>().join(", ")
}

/// What a new file has and has not any more.
pub(super) fn write_mended(out: &mut dyn Write, file: &str, mended: &Mended) -> io::Result<()> {
    writeln!(out, "\nMended in {file}:")?;
    for words in &mended.words {
        listed(out, words)?;
    }
    let left: Vec<&Diagnostic> = mended.left().collect();
    if left.is_empty() {
        return writeln!(out, "Nothing is left to mend.");
    }
    writeln!(out, "Not mended:")?;
    for finding in left {
        listed(out, &format!("{} {}", finding.title, finding.at))?;
    }
    Ok(())
}

fn listed(out: &mut dyn Write, words: &str) -> io::Result<()> {
    let mut lines = wrapped(words, WIDTH - 4).into_iter();
    writeln!(out, "  • {}", lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| writeln!(out, "    {line}"))
}

fn one(out: &mut dyn Write, finding: &Diagnostic) -> io::Result<()> {
    let title = format!("{}: {} [{}]", finding.severity, finding.title, finding.code);
    for line in wrapped(&title, WIDTH) {
        writeln!(out, "{line}")?;
    }
    let where_it_is = match finding.count {
        1 => finding.at.to_string(),
        count => format!("{}; {count} places in all", finding.at),
    };
    let lesson = finding.lesson.map(|slug| format!("bindpose --lesson {slug}"));
    for (name, words) in [
        ("at", where_it_is.as_str()),
        ("expected", &finding.expected),
        ("found", &finding.found),
        ("effect", &finding.effect),
        ("remedy", &finding.help),
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

/// Printable lines of at most `width` characters, if words allow.
fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in printable(words).split_whitespace() {
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
    fn long_words_are_wrapped_between_words() {
        assert_eq!(wrapped("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrapped("aaaaaaa b", 5), ["aaaaaaa", "b"]);
        assert!(wrapped(" ", 5).is_empty());
        assert_eq!(wrapped("a\nb\u{1b}[2J c", 20), ["a\\u{a}b\\u{1b}[2J c"]);
    }
}
