//! `bindpose doctor`: what is wrong with models, and a mended copy of one.

mod baseline;
mod models;
mod sarif;
mod text;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bindpose_asset::doctor::{Container, DoctorReport, MendError, Mended, examine, mend};
use bindpose_asset::{TaskProgress, load};
use bindpose_diagnostic::{Diagnostic, Severity, counted};
use bindpose_notebook::model_difference::model_difference;
use clap::ValueEnum;
use serde::Serialize;

use super::output::{OutputForm, WrittenFile, findings_to_stdout, form, to_stderr, to_stdout};
use super::{CommandFailure, arguments};
use baseline::Baseline;
use models::{ExaminedFile, NamedModels, name_here};
use sarif::SarifLog;
use text::{sums, write_mended, write_report};

#[derive(Debug, clap::Args)]
#[command(after_help = DOCTOR_AFTER_HELP)]
pub(super) struct DoctorArgs {
    /// Models: .gltf, .glb or .ezm; of a folder all that lie in it and in folders below
    /// that are not hidden
    #[arg(required = true, value_name = "FILE or DIR")]
    files: Vec<PathBuf>,
    /// text is for reading; json has every finding as an object; sarif is SARIF 2.1.0,
    /// for code hosts and editors
    #[arg(long, value_enum, default_value_t)]
    format: DoctorFormat,
    /// End with 1 for warnings too
    #[arg(long, value_name = "warnings", value_parser = ["warnings"])]
    deny: Option<String>,
    /// Neither show nor count the findings that this file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mend", "write_baseline"])]
    baseline: Option<PathBuf>,
    /// Write all that is found into this .json file, for --baseline
    #[arg(long, value_name = "OUT", group = "written")]
    write_baseline: Option<PathBuf>,
    /// Write a mended copy of one model into this file, .glb or .gltf with everything
    /// embedded
    #[arg(long, value_name = "OUT", group = "written")]
    mend: Option<PathBuf>,
    /// Replace OUT if it is there
    #[arg(long, requires = "written")]
    force: bool,
}

const DOCTOR_AFTER_HELP: &str = "Ends with 0 when no file has an error, with 1 when one has, and with 2 when one \
cannot be read; the others are examined all the same. A baseline names files from the folder in which the program runs.";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum DoctorFormat {
    #[default]
    Text,
    Json,
    Sarif,
}

impl DoctorFormat {
    fn output(self) -> OutputForm {
        if self == Self::Text { OutputForm::Text } else { OutputForm::Json }
    }
}

/// What `--format json` writes: of one file this, of several a list of it.
#[derive(Serialize)]
struct DoctorOutput<'a> {
    file: &'a str,
    #[serde(flatten)]
    report: &'a DoctorReport,
    /// Findings that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_baseline: Option<usize>,
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

/// Findings are the errors of the files, or those that mending leaves.
pub(super) fn run(args: &DoctorArgs) -> Result<(), CommandFailure> {
    if let Some(out) = &args.mend {
        return run_mend(args, out);
    }
    let known = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let out = args.write_baseline.as_ref();
    let out = out.map(|out| WrittenFile::new(out, args.force, &["json"])).transpose()?;
    let is_list = args.files.len() > 1 || args.files.iter().any(|path| path.is_dir());
    let NamedModels { files, mut unread, .. } = NamedModels::new(&args.files);
    for wrong in &unread {
        to_stderr(&wrong.to_string());
    }
    let mut examined = Vec::new();
    for path in files {
        match examined_file(&path, known.as_ref()) {
            Ok(file) => {
                if args.format == DoctorFormat::Text && out.is_none() {
                    show_text(&file, is_list)?;
                }
                examined.push(file);
            }
            Err(wrong) if is_list || args.format == DoctorFormat::Sarif => {
                to_stderr(&wrong.to_string());
                unread.push(wrong);
            }
            Err(wrong) => return Err(CommandFailure::cannot(wrong)),
        }
    }
    if let Some(out) = out {
        return write_baseline(&out, &examined, &unread);
    }
    show_all(args, is_list, &examined, &unread)?;
    all_read(&examined, &unread)?;
    let mut found = examined.iter().flat_map(|file| &file.report.findings);
    CommandFailure::if_found(found.any(|finding| is_denied(args, finding)))
}

fn is_denied(args: &DoctorArgs, finding: &Diagnostic) -> bool {
    match finding.severity {
        Severity::Error => true,
        Severity::Warning => args.deny.is_some(),
        Severity::Note => false,
    }
}

fn examined_file(path: &Path, known: Option<&Baseline>) -> Result<ExaminedFile, Diagnostic> {
    let progress = TaskProgress::default();
    let report = examine(&load(path, &progress)?, &progress);
    let (file, name) = (path.display().to_string(), name_here(path));
    let all = report.findings.len();
    let report = match known {
        Some(known) => report.retaining(|finding| !known.has(&name, finding)),
        None => report,
    };
    let in_baseline = all - report.findings.len();
    Ok(ExaminedFile { file, name, report, in_baseline })
}

/// Files that could not be read are named already.
fn all_read(examined: &[ExaminedFile], unread: &[Diagnostic]) -> Result<(), CommandFailure> {
    if unread.is_empty() {
        return Ok(());
    }
    let all = unread.len() + examined.len();
    let words = format!("{} of {all} could not be examined", unread.len());
    Err(CommandFailure::cannot(Diagnostic::said("UNREAD", words)))
}

fn write_baseline(
    out: &WrittenFile,
    examined: &[ExaminedFile],
    unread: &[Diagnostic],
) -> Result<(), CommandFailure> {
    let known = Baseline::of_files(examined);
    out.write(known.to_json().as_bytes())?;
    let words = [counted(known.len(), "finding"), counted(examined.len(), "file")];
    to_stdout(OutputForm::Text, |stdout| {
        writeln!(stdout, "{}: {}", out.path().display(), words.join(" in "))
    })?;
    all_read(examined, unread)
}

fn show_text(file: &ExaminedFile, is_list: bool) -> Result<(), CommandFailure> {
    to_stdout(OutputForm::Text, |out| {
        write_report(out, file)?;
        if is_list { writeln!(out) } else { Ok(()) }
    })
}

/// What is said of all files together.
fn show_all(
    args: &DoctorArgs,
    is_list: bool,
    examined: &[ExaminedFile],
    unread: &[Diagnostic],
) -> Result<(), CommandFailure> {
    let json = |file| DoctorOutput::new(args, file);
    to_stdout(args.format.output(), |out| {
        match args.format {
            DoctorFormat::Text if is_list => {
                let sums = sums(examined.iter().map(|file| &file.report));
                write!(out, "{}: {sums}", counted(examined.len(), "file"))?;
            }
            DoctorFormat::Text => return Ok(()),
            DoctorFormat::Sarif => {
                serde_json::to_writer_pretty(&mut *out, &SarifLog::new(examined, unread))?;
            }
            DoctorFormat::Json if is_list => {
                let all: Vec<DoctorOutput<'_>> = examined.iter().map(json).collect();
                serde_json::to_writer_pretty(&mut *out, &all)?;
            }
            DoctorFormat::Json => {
                for one in examined.iter().map(json) {
                    serde_json::to_writer_pretty(&mut *out, &one)?;
                }
            }
        }
        writeln!(out)
    })
}

impl<'a> DoctorOutput<'a> {
    fn new(args: &DoctorArgs, file: &'a ExaminedFile) -> Self {
        let in_baseline = args.baseline.is_some().then_some(file.in_baseline);
        Self { file: &file.file, report: &file.report, in_baseline, mend: None }
    }
}

fn run_mend(args: &DoctorArgs, out: &Path) -> Result<(), CommandFailure> {
    let [file] = &args.files[..] else {
        let wrong = Diagnostic::expected("one model", counted(args.files.len(), "file"));
        let wrong = wrong.help("mend one after the other");
        return Err(CommandFailure::argument(format!("--mend {}", out.display()), wrong));
    };
    if args.format == DoctorFormat::Sarif {
        let wrong = Diagnostic::said("ARGUMENT", "SARIF has no words for what was mended");
        let wrong = wrong.help("write json or text, or leave --mend out");
        return Err(CommandFailure::argument("--format sarif", wrong));
    }
    let container = Container::from_file_name(&out.to_string_lossy()).unwrap_or(Container::Glb);
    let out = WrittenFile::new(out, args.force, &["glb", "gltf"])?;
    let progress = TaskProgress::default();
    let source = load(file, &progress).map_err(CommandFailure::cannot)?;
    let examined = ExaminedFile {
        file: file.display().to_string(),
        name: name_here(file),
        report: examine(&source, &progress),
        in_baseline: 0,
    };
    match mend(&source, container, &progress) {
        Ok(mended) => {
            out.write(&mended.bytes)?;
            show_mended(args, &examined, Some((out.path(), &mended)))?;
            CommandFailure::if_found(mended.left().any(|left| is_denied(args, left)))
        }
        Err(why) => {
            show_mended(args, &examined, None)?;
            let out = out.path().display();
            if why == MendError::Nothing && examined.report.is_sound() {
                to_stderr(&format!("{out} was not written: there is nothing to mend"));
                return Ok(());
            }
            Err(CommandFailure::failed(format_args!("{out} was not written: {why}")))
        }
    }
}

fn show_mended(
    args: &DoctorArgs,
    examined: &ExaminedFile,
    mended: Option<(&Path, &Mended)>,
) -> Result<(), CommandFailure> {
    let mended = mended.map(|(to, mended)| (to.display().to_string(), mended));
    to_stdout(args.format.output(), |out| {
        if args.format == DoctorFormat::Json {
            let mend = mended.map(|(file, mended)| MendArgs {
                file,
                done: &mended.words,
                mended: &mended.mended,
                left: mended.left().collect(),
            });
            let answer = DoctorOutput { mend, ..DoctorOutput::new(args, examined) };
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            return writeln!(out);
        }
        write_report(out, examined)?;
        mended.map_or(Ok(()), |(to, mended)| write_mended(out, &to, mended))
    })
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
