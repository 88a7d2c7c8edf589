//! `bindpose assets`: the built-in models as files; `cargo xtask assets` calls
//! it.

use std::path::PathBuf;

use bindpose_asset as asset;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{all_parts_schema, written_parts};

use super::CommandFailure;
use super::output::{OutputForm, make_folder, to_stdout};
use crate::app::{folder_of, gallery_pictures, gallery_text, readme_film, write_file};

#[derive(Debug, clap::Args)]
pub(super) struct AssetsArgs {
    /// The folder for the models, one folder each; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &AssetsArgs) -> Result<(), CommandFailure> {
    make_folder(&args.out)?;
    for file in asset::asset_files().map_err(CommandFailure::cannot)? {
        let path = args.out.join(&file.path);
        make_folder(folder_of(&path))?;
        write_file(&path, &file.bytes, true).map_err(CommandFailure::failed)?;
    }
    Ok(())
}

// `bindpose schema`: what lessons may say, for editors.

#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// A kind of cell, or front-matter, set, lessons (lessons.toml) or inventory
    /// (inventory.toml); absent: all, below $defs
    kind: Option<String>,
}

pub(super) fn run_schema(args: &SchemaArgs) -> Result<(), CommandFailure> {
    let schema = match &args.kind {
        None => all_parts_schema(),
        Some(kind) => {
            let parts = written_parts();
            let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
            let unknown = || Diagnostic::unknown("kind of cell", kind, &names);
            let part = parts.iter().find(|part| part.name == kind);
            part.ok_or_else(unknown).map_err(CommandFailure::cannot)?.schema.clone()
        }
    };
    to_stdout(OutputForm::Json, |out| {
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        writeln!(out)
    })
}

// `bindpose gallery`: the page of all cells and README's moving picture; `cargo xtask gallery`
// calls it.

#[derive(Debug, clap::Args)]
pub(super) struct GalleryArgs {
    /// The folder for cells.md, cells/KIND.png and bind-pose-bug.gif; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run_gallery(args: &GalleryArgs) -> Result<(), CommandFailure> {
    let folder = args.out.join("cells");
    make_folder(&args.out)?;
    make_folder(&folder)?;
    let text = gallery_text().map_err(CommandFailure::cannot)?;
    let write = |path: PathBuf, bytes: &[u8]| write_file(&path, bytes, true);
    write(args.out.join("cells.md"), text.as_bytes()).map_err(CommandFailure::failed)?;
    let film = readme_film().map_err(CommandFailure::cannot)?;
    write(args.out.join("bind-pose-bug.gif"), &film).map_err(CommandFailure::failed)?;
    for (kind, png) in gallery_pictures().map_err(CommandFailure::cannot)? {
        write(folder.join(format!("{kind}.png")), &png).map_err(CommandFailure::failed)?;
    }
    Ok(())
}
