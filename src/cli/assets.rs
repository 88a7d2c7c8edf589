//! `bindpose assets`: the built-in models as files; `cargo xtask assets` calls
//! it.

use std::path::PathBuf;

use bindpose_asset as asset;

use super::CommandFailure;
use super::output::make_folder;
use crate::app::{folder_of, write_file};

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
