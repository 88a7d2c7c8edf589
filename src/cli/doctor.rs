//! `bindpose doctor`: reports what is wrong with models, and writes a repaired copy of one.

mod baseline;
mod models;
mod sarif;
mod text;

use std::path::{Path, PathBuf};

use bindpose_diagnostic::{Diagnostic, Severity, counted};
use bindpose_doctor::{Container, DoctorReport, MendError, Mended, WithheldRepair, examine, mend};
use bindpose_gltf::{TaskProgress, load};
use clap::ValueEnum;
use serde::Serialize;

use super::CommandFailure;
use super::output::{OutputFile, OutputForm, print_to_stderr, write_json, write_to_stdout};
use baseline::Baseline;
use models::{ExaminedFile, ModelPaths, relative_name};
use sarif::SarifLog;
use text::{format_counts, write_mended, write_report};

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
    fn output_form(self) -> OutputForm {
        match self {
            Self::Text => OutputForm::Text,
            Self::Json | Self::Sarif => OutputForm::Json,
        }
    }
}

/// The output of `--format json` for one file. For several files it is a list of these.
#[derive(Serialize)]
struct DoctorOutput<'a> {
    file: &'a str,
    #[serde(flatten)]
    report: &'a DoctorReport,
    /// Number of findings that the baseline hides.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_baseline: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<MendOutput<'a>>,
}

#[derive(Serialize)]
struct MendOutput<'a> {
    file: String,
    done: &'a [&'static str],
    mended: &'a [Diagnostic],
    /// How much better the copy fits.
    measured: &'a [String],
    /// Repairs that were not made, although findings concern them.
    withheld: &'a [WithheldRepair],
    left: Vec<&'a Diagnostic>,
    notes: Vec<&'a Diagnostic>,
}

pub(super) fn run(args: &DoctorArgs) -> Result<(), CommandFailure> {
    if let Some(path) = &args.mend {
        return mend_model(args, path);
    }
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let baseline_file = match &args.write_baseline {
        Some(path) => Some(OutputFile::new(path, args.force, &["json"])?),
        None => None,
    };
    let is_list = args.files.len() > 1 || args.files.iter().any(|path| path.is_dir());
    let ModelPaths { files, mut unread, .. } = ModelPaths::find(&args.files);
    for wrong in &unread {
        print_to_stderr(&wrong.to_string());
    }
    let mut models = Vec::new();
    for path in files {
        match examine_file(&path, baseline.as_ref()) {
            Ok(model) => {
                // Text is printed as soon as a file is examined.
                if args.format == DoctorFormat::Text && baseline_file.is_none() {
                    print_report(&model, is_list)?;
                }
                models.push(model);
            }
            Err(wrong) if is_list || args.format == DoctorFormat::Sarif => {
                print_to_stderr(&wrong.to_string());
                unread.push(wrong);
            }
            Err(wrong) => return Err(CommandFailure::cannot(wrong)),
        }
    }
    if let Some(file) = baseline_file {
        write_baseline(&file, &models)?;
        return check_all_read(&models, &unread);
    }
    print_summary(args, is_list, &models, &unread)?;
    check_all_read(&models, &unread)?;
    let mut findings = models.iter().flat_map(|model| &model.report.findings);
    CommandFailure::if_found(findings.any(|finding| is_denied(args, finding)))
}

/// Returns whether a finding makes the exit code 1.
fn is_denied(args: &DoctorArgs, finding: &Diagnostic) -> bool {
    match finding.severity {
        Severity::Error => true,
        Severity::Warning => args.deny.is_some(),
        Severity::Note => false,
    }
}

/// Examines a file and removes the findings of the baseline from the report.
fn examine_file(path: &Path, baseline: Option<&Baseline>) -> Result<ExaminedFile, Diagnostic> {
    let progress = TaskProgress::default();
    let full_report = examine(&load(path, &progress)?, &progress);
    let total_findings = full_report.findings.len();
    let name = relative_name(path);
    let report = match baseline {
        Some(baseline) => full_report.retaining(|finding| !baseline.contains(&name, finding)),
        None => full_report,
    };
    let in_baseline = total_findings - report.findings.len();
    Ok(ExaminedFile { path: path.display().to_string(), name, report, in_baseline })
}

/// Fails if files could not be read. The errors are already printed.
fn check_all_read(models: &[ExaminedFile], unread: &[Diagnostic]) -> Result<(), CommandFailure> {
    if unread.is_empty() {
        return Ok(());
    }
    let total = unread.len() + models.len();
    let title = format!("{} of {total} could not be examined", unread.len());
    Err(CommandFailure::cannot(Diagnostic::said("UNREAD", title)))
}

fn write_baseline(file: &OutputFile, models: &[ExaminedFile]) -> Result<(), CommandFailure> {
    let baseline = Baseline::from_models(models);
    file.write(baseline.to_json().as_bytes())?;
    write_to_stdout(OutputForm::Text, |out| {
        writeln!(
            out,
            "{}: {} in {}",
            file.path().display(),
            counted(baseline.len(), "finding"),
            counted(models.len(), "file")
        )
    })
}

fn print_report(model: &ExaminedFile, is_list: bool) -> Result<(), CommandFailure> {
    write_to_stdout(OutputForm::Text, |out| {
        write_report(out, model)?;
        if is_list { writeln!(out) } else { Ok(()) }
    })
}

/// Prints the output for all files together. For text it is the counts, if there are several files.
fn print_summary(
    args: &DoctorArgs,
    is_list: bool,
    models: &[ExaminedFile],
    unread: &[Diagnostic],
) -> Result<(), CommandFailure> {
    let outputs: Vec<DoctorOutput<'_>> =
        models.iter().map(|model| DoctorOutput::new(args, model)).collect();
    write_to_stdout(args.format.output_form(), |out| match args.format {
        DoctorFormat::Text if is_list => {
            let counts = format_counts(models.iter().map(|model| &model.report));
            writeln!(out, "{}: {counts}", counted(models.len(), "file"))
        }
        DoctorFormat::Text => Ok(()),
        DoctorFormat::Sarif => write_json(out, &SarifLog::new(models, unread)),
        DoctorFormat::Json if is_list => write_json(out, &outputs),
        DoctorFormat::Json => match outputs.first() {
            Some(output) => write_json(out, output),
            None => writeln!(out),
        },
    })
}

impl<'a> DoctorOutput<'a> {
    fn new(args: &DoctorArgs, model: &'a ExaminedFile) -> Self {
        Self {
            file: &model.path,
            report: &model.report,
            in_baseline: args.baseline.is_some().then_some(model.in_baseline),
            mend: None,
        }
    }
}

/// Writes a repaired copy of the only file. Of the findings only those that it still has count for
/// the exit code.
fn mend_model(args: &DoctorArgs, path: &Path) -> Result<(), CommandFailure> {
    let [file] = &args.files[..] else {
        let wrong = Diagnostic::expected("one model", counted(args.files.len(), "file"))
            .help("mend one after the other");
        return Err(CommandFailure::argument(format!("--mend {}", path.display()), wrong));
    };
    if args.format == DoctorFormat::Sarif {
        let wrong = Diagnostic::said("ARGUMENT", "SARIF has no words for what was mended")
            .help("write json or text, or leave --mend out");
        return Err(CommandFailure::argument("--format sarif", wrong));
    }
    let container = Container::from_file_name(&path.to_string_lossy()).unwrap_or(Container::Glb);
    let out = OutputFile::new(path, args.force, &["glb", "gltf"])?;
    let progress = TaskProgress::default();
    let source = load(file, &progress).map_err(CommandFailure::cannot)?;
    let model = ExaminedFile {
        path: file.display().to_string(),
        name: relative_name(file),
        report: examine(&source, &progress),
        in_baseline: 0,
    };
    match mend(&source, container, &progress) {
        Ok(mended) => {
            out.write(&mended.bytes)?;
            print_mended(args, &model, Some((out.path(), &mended)))?;
            CommandFailure::if_found(mended.left().any(|finding| is_denied(args, finding)))
        }
        Err(error) => {
            print_mended(args, &model, None)?;
            let out = out.path().display();
            if error == MendError::Nothing && model.report.is_sound() {
                print_to_stderr(&format!("{out} was not written: there is nothing to mend"));
                return Ok(());
            }
            Err(CommandFailure::failed(format_args!("{out} was not written: {error}")))
        }
    }
}

/// Prints the report of a model and, if it was repaired, the repairs and the path of the copy.
fn print_mended(
    args: &DoctorArgs,
    model: &ExaminedFile,
    mended: Option<(&Path, &Mended)>,
) -> Result<(), CommandFailure> {
    write_to_stdout(args.format.output_form(), |out| {
        if args.format == DoctorFormat::Json {
            let mend = mended.map(|(path, mended)| MendOutput {
                file: path.display().to_string(),
                done: &mended.words,
                mended: &mended.mended,
                measured: &mended.measured,
                withheld: &mended.withheld,
                notes: mended.notes().collect(),
                left: mended.left().collect(),
            });
            return write_json(out, &DoctorOutput { mend, ..DoctorOutput::new(args, model) });
        }
        write_report(out, model)?;
        match mended {
            Some((path, mended)) => write_mended(out, &path.display().to_string(), mended),
            None => Ok(()),
        }
    })
}
