//! `bindpose doctor`: what is wrong with a model, and a mended copy of it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bindpose_asset::doctor::{Container, DoctorReport, MendError, Mended, examine, mend};
use bindpose_asset::{TaskProgress, load};
use bindpose_diagnostic::{Diagnostic, Severity, counted, printable};
use bindpose_notebook::model_difference::model_difference;
use serde::Serialize;

use super::output::{OutputForm, WrittenFile, findings_to_stdout, form, to_stderr, to_stdout};
use super::{CommandFailure, arguments};

#[derive(Debug, clap::Args)]
pub(super) struct DoctorArgs {
    /// The model: .gltf or .glb
    file: PathBuf,
    /// text is for reading, json has every finding as an object
    #[arg(long, value_parser = form(["text", "json"]), default_value = "text")]
    format: OutputForm,
    /// Write a mended copy into this file, .glb or .gltf with everything
    /// embedded
    #[arg(long, value_name = "OUT")]
    mend: Option<PathBuf>,
    /// Replace OUT if it is there
    #[arg(long, requires = "mend")]
    force: bool,
}

/// What `--format json` writes.
#[derive(Serialize)]
struct DoctorOutput<'a> {
    file: String,
    #[serde(flatten)]
    report: &'a DoctorReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<MendArgs<'a>>,
}

#[derive(Serialize)]
struct MendArgs<'a> {
    file: String,
    done: &'a [&'static str],
    mended: &'a [Diagnostic],
    left: Vec<&'a Diagnostic>,
}

/// Findings are the errors of the file, or those that mending leaves.
pub(super) fn run(args: &DoctorArgs) -> Result<(), CommandFailure> {
    let out = mended_file(args)?;
    let progress = TaskProgress::default();
    let source = load(&args.file, &progress).map_err(CommandFailure::cannot)?;
    let report = examine(&source, &progress);
    let Some((out, container)) = out else {
        show(args, &report, None)?;
        return CommandFailure::if_found(report.errors > 0);
    };
    match mend(&source, container, &progress) {
        Ok(mended) => {
            out.write(&mended.bytes)?;
            show(args, &report, Some((out.path(), &mended)))?;
            let errors = |left: &Diagnostic| left.severity == Severity::Error;
            CommandFailure::if_found(mended.left().any(errors))
        }
        Err(why) => {
            show(args, &report, None)?;
            let out = out.path().display();
            if why == MendError::Nothing && report.is_sound() {
                to_stderr(&format!("{out} was not written: there is nothing to mend"));
                return Ok(());
            }
            Err(CommandFailure::failed(format_args!("{out} was not written: {why}")))
        }
    }
}

fn mended_file(args: &DoctorArgs) -> Result<Option<(WrittenFile, Container)>, CommandFailure> {
    let Some(out) = &args.mend else {
        return Ok(None);
    };
    let file = WrittenFile::new(out, args.force, &["glb", "gltf"])?;
    let container = Container::from_file_name(&out.to_string_lossy());
    Ok(Some((file, container.unwrap_or(Container::Glb))))
}

fn show(
    args: &DoctorArgs,
    report: &DoctorReport,
    mended: Option<(&Path, &Mended)>,
) -> Result<(), CommandFailure> {
    let file = args.file.display().to_string();
    let mended = mended.map(|(to, mended)| (to.display().to_string(), mended));
    to_stdout(args.format, |out| {
        if args.format == OutputForm::Json {
            let answer = DoctorOutput {
                file,
                report,
                mend: mended.map(|(file, mended)| MendArgs {
                    file,
                    done: &mended.words,
                    mended: &mended.mended,
                    left: mended.left().collect(),
                }),
            };
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            return writeln!(out);
        }
        write_report(out, &file, report)?;
        mended.map_or(Ok(()), |(to, mended)| write_mended(out, &to, mended))
    })
}

/// Characters a line.
const WIDTH: usize = 80;
/// Where the words after `expected`, `effect`, … begin.
const INDENT: usize = 12;

/// All findings, then how many there are.
fn write_report(out: &mut dyn Write, file: &str, report: &DoctorReport) -> io::Result<()> {
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
    report.verdict().map_or(Ok(()), |words| writeln!(out, "{words}"))
}

/// What a new file has and has not any more.
fn write_mended(out: &mut dyn Write, file: &str, mended: &Mended) -> io::Result<()> {
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

// `bindpose compare`: what a program that wrote one model from another has changed.

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ModelDifferenceArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "A")]
    a: OsString,
    /// The same model, as another program wrote it
    #[arg(value_name = "B")]
    b: OsString,
    /// json for programs, text for reading
    #[arg(long, value_parser = form(["json", "text"]), default_value = "text")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Joints are paired by their names, those that are left by their names without what stands \
before a colon or a bar, and then by place; vertices, each with one of its own, by where they stand at rest or are stored; \
clips by their names. Another unit or axis is found where it fits most joints, and taken into account.\n\nEnds with 0 when \
nothing differs, with 1 when something does, and with 2 when a model cannot be read.";

pub(super) fn run_model_difference(args: &ModelDifferenceArgs) -> Result<(), CommandFailure> {
    let a = arguments::rig(&args.a)?;
    let b = arguments::rig(&args.b)?;
    let found = model_difference(&a, &b);
    let words = found.findings.iter().map(String::as_str);
    findings_to_stdout(args.format, &found, words)?;
    CommandFailure::if_found(!found.equal)
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
