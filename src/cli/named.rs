//! What a command line names: a rig or a model, and one of several.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use bindpose_asset::{self as asset, Progress, Rig};
use bindpose_diagnostic::Diagnostic;
use bindpose_skin::Keyed;

use super::Failure;

/// The built-in rig of that name, or else the model in that file. What looks
/// like a path is one.
pub(super) fn rig(name: &OsStr) -> Result<Arc<Rig>, Failure> {
    if let Some(rig) = name.to_str().and_then(asset::builtin) {
        return Ok(rig);
    }
    let path = Path::new(name);
    if !path.exists() && path.extension().is_none() && path.components().count() == 1 {
        let name = name.to_string_lossy();
        let wrong = Diagnostic::unknown("rig", &name, asset::builtin_ids());
        let help = format!("{}, or name a .gltf or .glb file", wrong.help);
        return Err(Failure::cannot(wrong.help(help)));
    }
    let progress = Progress::default();
    let source = asset::load(path, &progress).map_err(Failure::cannot)?;
    let rig = asset::open(&source, &progress).map_err(Failure::cannot)?;
    Ok(rig.into())
}

/// What a report calls a rig: a model by the name of its file.
pub(super) fn name_of(rig: &Rig) -> &str {
    match &rig.origin {
        Some(origin) if rig.id == "model" => &origin.source.name,
        _ => &rig.id,
    }
}

/// What `--option name` stands for.
pub(super) fn one_of<T: Keyed>(option: &str, name: &str) -> Result<T, Failure> {
    T::from_key(name).ok_or_else(|| none_of_that_name(option, name, T::KEYS))
}

pub(super) fn none_of_that_name(option: &str, name: &str, names: &[&str]) -> Failure {
    let wrong = Diagnostic::unknown(option, name, names).title("there is none of that name");
    Failure::argument(format!("--{option} {name}"), wrong)
}
