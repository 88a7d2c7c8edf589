//! `bindpose doctor`: what is wrong with a model, and a mended copy of it.

mod text;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Failure;
use super::output::{Form, to_stderr, to_stdout};
use super::written_file::WrittenFile;
use crate::asset::doctor::{Container, MendError, Mended, Report, examine, mend};
use crate::asset::{Progress, load};
use crate::diagnostic::{Diagnostic, Severity};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The model: .gltf or .glb
    file: PathBuf,
    /// text is for reading, json has every finding as an object
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a mended copy into this file, .glb or .gltf with everything
    /// embedded
    #[arg(long, value_name = "OUT")]
    mend: Option<PathBuf>,
    /// Replace OUT if it is there
    #[arg(long, requires = "mend")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
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
    left: &'a [Diagnostic],
}

/// Findings are the errors of the file, or those that mending leaves.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = mended_file(args)?;
    let progress = Progress::default();
    let source = load(&args.file, &progress).map_err(Failure::unread)?;
    let report = examine(&source, &progress);
    let Some((out, container)) = out else {
        show(args, &report, None)?;
        return verdict(report.errors);
    };
    match mend(&source, container, &progress) {
        Ok(mended) => {
            out.write(&mended.bytes)?;
            show(args, &report, Some((out.path(), &mended)))?;
            let errors = mended
                .left()
                .filter(|left| left.severity == Severity::Error);
            verdict(errors.count())
        }
        Err(why) => {
            show(args, &report, None)?;
            let out = out.path().display();
            if why == MendError::Nothing && report.is_sound() {
                to_stderr(&format!("{out} was not written: there is nothing to mend"));
                return Ok(());
            }
            Err(Failure::failed(format_args!(
                "{out} was not written: {why}"
            )))
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

fn verdict(errors: usize) -> Result<(), Failure> {
    if errors > 0 {
        Err(Failure::Findings)
    } else {
        Ok(())
    }
}

fn show(args: &Args, report: &Report, mended: Option<(&Path, &Mended)>) -> Result<(), Failure> {
    let file = args.file.display().to_string();
    let form = match args.format {
        Format::Text => Form::Text,
        Format::Json => Form::Json,
    };
    to_stdout(form, |out| match args.format {
        Format::Text => {
            text::report(out, &file, report)?;
            match mended {
                Some((to, mended)) => text::mended(out, &to.display().to_string(), mended),
                None => Ok(()),
            }
        }
        Format::Json => {
            let left: Vec<Diagnostic> = mended
                .iter()
                .flat_map(|(_, mended)| mended.left().cloned())
                .collect();
            let answer = Answer {
                file,
                report,
                mend: mended.map(|(to, mended)| Mending {
                    file: to.display().to_string(),
                    done: &mended.words,
                    mended: &mended.mended,
                    left: &left,
                }),
            };
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            writeln!(out)
        }
    })
}
