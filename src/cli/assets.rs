//! `bindpose assets`: the built-in models as files; `cargo xtask assets` calls
//! it.

use std::path::PathBuf;

use super::Failure;
use crate::asset;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder for the models, one folder each
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    asset::write_assets(&args.out)
        .map(|_| ())
        .map_err(Failure::failed)
}
