//! `bindpose doctor`: what is wrong with a model, and a mended copy of it.

mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Failure, output};
use crate::asset::doctor::{Container, MendError, Mended, Report, examine, mend};
use crate::asset::{Progress, load};
use crate::diagnostic::Diagnostic;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The model: .gltf or .glb
    file: PathBuf,
    /// text is for reading, json has every finding as an object
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a mended copy into this new file, .glb or .gltf with everything
    /// embedded
    #[arg(long, value_name = "OUT")]
    mend: Option<PathBuf>,
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

/// Exit code 1 when the file has errors; with `--mend`, when none could be
/// written.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let container = args.mend.as_deref().map(container_of).transpose()?;
    let progress = Progress::default();
    let source = load(&args.file, &progress).map_err(Failure::unread)?;
    let report = examine(&source, &progress);
    let Some((out, container)) = args.mend.as_deref().zip(container) else {
        show(args, &report, None)?;
        return verdict(&report);
    };
    match mend(&source, container, &progress) {
        Ok(mended) => {
            write_new(out, &mended.bytes)?;
            show(args, &report, Some((out, &mended)))
        }
        Err(why) => {
            show(args, &report, None)?;
            not_mended(out, &why, &report)
        }
    }
}

fn verdict(report: &Report) -> Result<(), Failure> {
    if report.errors > 0 {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

fn not_mended(out: &Path, why: &MendError, report: &Report) -> Result<(), Failure> {
    if *why == MendError::Nothing && report.is_sound() {
        return Ok(());
    }
    Err(Failure::failed(format_args!(
        "{} was not written: {why}",
        out.display()
    )))
}

fn container_of(out: &Path) -> Result<Container, Failure> {
    let name = out.to_string_lossy();
    if out.exists() {
        let wrong = Diagnostic::said("FILE_EXISTS", format!("{name} exists already"));
        let help = "--mend writes a new file, give it another name";
        return Err(Failure::Usage(wrong.help(help)));
    }
    Container::from_file_name(&name).ok_or_else(|| {
        let wrong = Diagnostic::expected("a name that ends in .glb or .gltf", "");
        Failure::argument(name, wrong)
    })
}

/// Never over another file, not even one that appeared just now.
fn write_new(out: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = std::fs::File::create_new(out).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| {
        Failure::failed(format_args!(
            "{} could not be written: {error}",
            out.display()
        ))
    })
}

fn show(args: &Args, report: &Report, mended: Option<(&Path, &Mended)>) -> Result<(), Failure> {
    let file = args.file.display().to_string();
    output::to_stdout(|out| match args.format {
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
