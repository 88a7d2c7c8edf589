//! `bindpose gallery`: the page of all cells; `cargo xtask gallery` calls it.

use std::path::PathBuf;

use super::CommandFailure;
use super::output::make_folder;
use crate::app::{gallery_pictures, gallery_text, write_file};

#[derive(Debug, clap::Args)]
pub(super) struct GalleryArgs {
    /// The folder for cells.md and cells/KIND.png; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &GalleryArgs) -> Result<(), CommandFailure> {
    let folder = args.out.join("cells");
    make_folder(&args.out)?;
    make_folder(&folder)?;
    let text = gallery_text().map_err(CommandFailure::cannot)?;
    let write = |path: PathBuf, bytes: &[u8]| write_file(&path, bytes, true);
    write(args.out.join("cells.md"), text.as_bytes()).map_err(CommandFailure::failed)?;
    for (kind, png) in gallery_pictures().map_err(CommandFailure::cannot)? {
        write(folder.join(format!("{kind}.png")), &png).map_err(CommandFailure::failed)?;
    }
    Ok(())
}
