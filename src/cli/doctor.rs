//! `bindpose doctor`: what is wrong with a model, and a mended copy of it.

mod text;

use std::path::{Path, PathBuf};

use bindpose_asset::doctor::{Container, MendError, Mended, Report, examine, mend};
use bindpose_asset::{Progress, load};
use bindpose_diagnostic::{Diagnostic, Severity};
use serde::Serialize;

use super::Failure;
use super::output::{Form, form, to_stderr, to_stdout};
use super::written_file::WrittenFile;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The model: .gltf or .glb
    file: PathBuf,
    /// text is for reading, json has every finding as an object
    #[arg(long, value_parser = form(["text", "json"]), default_value = "text")]
    format: Form,
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
struct Answer<'a> {
    file: String,
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<Mending<'a>>,
}

#[derive(Serialize)]
struct Mending<'a> {
    file: String,
    done: &'a [&'static str],
    mended: &'a [Diagnostic],
    left: Vec<&'a Diagnostic>,
}

/// Findings are the errors of the file, or those that mending leaves.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = mended_file(args)?;
    let progress = Progress::default();
    let source = load(&args.file, &progress).map_err(Failure::cannot)?;
    let report = examine(&source, &progress);
    let Some((out, container)) = out else {
        show(args, &report, None)?;
        return Failure::if_found(report.errors > 0);
    };
    match mend(&source, container, &progress) {
        Ok(mended) => {
            out.write(&mended.bytes)?;
            show(args, &report, Some((out.path(), &mended)))?;
            let errors = |left: &Diagnostic| left.severity == Severity::Error;
            Failure::if_found(mended.left().any(errors))
        }
        Err(why) => {
            show(args, &report, None)?;
            let out = out.path().display();
            if why == MendError::Nothing && report.is_sound() {
                to_stderr(&format!("{out} was not written: there is nothing to mend"));
                return Ok(());
            }
            Err(Failure::failed(format_args!("{out} was not written: {why}")))
        }
    }
}

fn mended_file(args: &Args) -> Result<Option<(WrittenFile, Container)>, Failure> {
    let Some(out) = &args.mend else {
        return Ok(None);
    };
    let file = WrittenFile::new(out, args.force, &["glb", "gltf"])?;
    let container = Container::from_file_name(&out.to_string_lossy());
    Ok(Some((file, container.unwrap_or(Container::Glb))))
}

fn show(args: &Args, report: &Report, mended: Option<(&Path, &Mended)>) -> Result<(), Failure> {
    let file = args.file.display().to_string();
    let mended = mended.map(|(to, mended)| (to.display().to_string(), mended));
    to_stdout(args.format, |out| {
        if args.format == Form::Json {
            let answer = Answer {
                file,
                report,
                mend: mended.map(|(file, mended)| Mending {
                    file,
                    done: &mended.words,
                    mended: &mended.mended,
                    left: mended.left().collect(),
                }),
            };
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            return writeln!(out);
        }
        text::report(out, &file, report)?;
        mended.map_or(Ok(()), |(to, mended)| text::mended(out, &to, mended))
    })
}
