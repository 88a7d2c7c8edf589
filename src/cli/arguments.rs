//! What a command line names, refused in words: a rig or a model, one of several, settings
//! as `set:` links of lessons write them, numbers and themes.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use bindpose_asset::{self as asset, Rig, TaskProgress};
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{PARAM_LIMIT, Setting, parse_settings, within};
use bindpose_notebook::export::no_such_skin;
use bindpose_skin::Keyed;
use clap::ValueEnum;

use super::CommandFailure;
use super::output::to_stderr;

/// The built-in rig of that name, or else the model in that file. What looks
/// like a path is one. What a model loses when it is read is told on the standard error
/// stream, whatever is asked of it.
pub(super) fn rig(name: &OsStr) -> Result<Arc<Rig>, CommandFailure> {
    if let Some(rig) = name.to_str().and_then(asset::builtin) {
        return Ok(rig);
    }
    let path = Path::new(name);
    if !path.exists() && path.extension().is_none() && path.components().count() == 1 {
        let name = name.to_string_lossy();
        let wrong = Diagnostic::unknown("rig", &name, asset::builtin_ids());
        let help = format!("{}, or name a .gltf or .glb file", wrong.help);
        return Err(CommandFailure::cannot(wrong.help(help)));
    }
    let progress = TaskProgress::default();
    let source = asset::load(path, &progress).map_err(CommandFailure::cannot)?;
    let rig = asset::open(&source, &progress).map_err(CommandFailure::cannot)?;
    for lost in rig.left_out() {
        to_stderr(&left_out_words(&source.name, lost));
    }
    Ok(rig.into())
}

/// In one line: where, what, and what comes of it.
fn left_out_words(file: &str, lost: &Diagnostic) -> String {
    let title = if lost.expected.is_empty() { lost.title.clone() } else { String::new() };
    let at = lost.at.clone().within(file);
    let line = Diagnostic { at, title, help: lost.effect.clone(), ..lost.clone() };
    format!("{}: {line}", lost.severity)
}

/// What a report calls a rig: a model by the name of its file.
pub(super) fn name_of(rig: &Rig) -> &str {
    match &rig.origin {
        Some(origin) if rig.id == "model" => &origin.source.name,
        _ => &rig.id,
    }
}

/// What `--option name` stands for.
pub(super) fn one_of<T: Keyed>(option: &str, name: &str) -> Result<T, CommandFailure> {
    T::from_key(name).ok_or_else(|| none_of_that_name(option, name, T::KEYS))
}

pub(super) fn none_of_that_name(option: &str, name: &str, names: &[&str]) -> CommandFailure {
    let wrong = Diagnostic::unknown(option, name, names).title("there is none of that name");
    CommandFailure::argument(format!("--{option} {name}"), wrong)
}

/// Every setting of every `--set`, in order.
pub(super) fn read_settings(texts: &[String]) -> Result<Vec<Setting>, CommandFailure> {
    let mut settings = Vec::new();
    for text in texts {
        let parsed = parse_settings(text).map_err(|wrong| {
            CommandFailure::cannot(Diagnostic {
                at: wrong.at.within(format!("--set {text}")),
                ..wrong
            })
        })?;
        settings.extend(parsed);
    }
    Ok(settings)
}

/// Parameter values for a rig alone, later ones over earlier ones; `all` stands
/// for every angle.
pub(super) fn values_for(
    rig: &Rig,
    settings: &[Setting],
) -> Result<Vec<(String, f64)>, CommandFailure> {
    let mut values: Vec<(String, f64)> = Vec::new();
    for setting in settings {
        let Setting::Param(name, value) = setting else {
            let title = "stage, joint, view and the like belong to a page";
            let wrong = Diagnostic::said("NO_PAGE", title).help("a rig alone has parameters");
            return Err(CommandFailure::argument("--set", wrong));
        };
        within(*value, PARAM_LIMIT)
            .map_err(|wrong| CommandFailure::argument(format!("--set {name}"), wrong))?;
        if name == "all" {
            values.extend(rig.angles().map(|param| (param.name.clone(), *value)));
        } else if rig.param(name).is_some() {
            values.push((name.clone(), *value));
        } else {
            let names: Vec<&str> =
                rig.params.iter().map(|param| param.name.as_str()).chain(["all"]).collect();
            let wrong = Diagnostic::unknown("parameter", name, &names)
                .title(format!("{} has no parameter `{name}`", rig.id));
            return Err(CommandFailure::argument("--set", wrong));
        }
    }
    Ok(values)
}

/// Refuses the number of a skin that the model does not have.
pub(super) fn check_skin(rig: &Rig, skin: usize) -> Result<(), CommandFailure> {
    if skin < rig.skin_count() {
        return Ok(());
    }
    Err(CommandFailure::argument(format!("--skin {skin}"), no_such_skin(rig, skin)))
}

/// A number that is not infinite: `0.5`, `-1`, `1e-3`.
pub(super) fn number<T: std::str::FromStr + Into<f64> + Copy>(text: &str) -> Result<T, String> {
    let number = text.parse().ok();
    number
        .filter(|&number: &T| number.into().is_finite())
        .ok_or_else(|| "write a number, such as 0.5".to_owned())
}

/// A whole number from 0.
pub(super) fn index(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number.ok_or_else(|| "write a whole number from 0".to_owned())
}

/// Width and height in pixels.
pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    text.split_once(['x', '×'])
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]))
        .ok_or_else(|| "write width and height in pixels, such as 1440x900".to_owned())
}

/// So much memory, in bytes: `4GiB`, `512 MB`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "write a size, such as 4GiB or 512MiB".to_owned();
    let text = text.trim();
    let end = text.find(char::is_alphabetic).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(end);
    let (base, power) = match unit.to_ascii_lowercase().as_str() {
        "kib" => (1024_f64, 1),
        "mib" => (1024.0, 2),
        "gib" => (1024.0, 3),
        "tib" => (1024.0, 4),
        "kb" => (1000.0, 1),
        "mb" => (1000.0, 2),
        "gb" => (1000.0, 3),
        "tb" => (1000.0, 4),
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim().parse().ok().ok_or_else(wrong)?;
    let bytes = number * base.powi(power);
    if (1.0..=u64::MAX as f64).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeArg {
    Dark,
    Light,
}

impl ThemeArg {
    pub(super) fn is_dark(self) -> bool {
        self == Self::Dark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_argument_has_its_place_and_all_parts() {
        let Err(CommandFailure::Cannot(wrong)) = read_settings(&["stage=pose".to_owned()]) else {
            panic!("it is refused");
        };
        assert_eq!(wrong.at.to_string(), "--set stage=pose: stage");
        let parts = (&*wrong.expected, &*wrong.found);
        assert_eq!(parts, ("one of the names", "`pose`"));
        assert!(wrong.help.starts_with("write `posed`"), "{wrong}");
    }
}

#[cfg(test)]
mod numbers_tests {
    use super::*;

    #[test]
    fn a_size_is_two_whole_numbers() {
        assert_eq!(size("1440x900"), Ok([1440, 900]));
        for wrong in ["1440", "1440x", "x900", "-1x2", "1e3x5", "1x2x3"] {
            assert!(size(wrong).unwrap_err().contains("1440x900"), "{wrong}");
        }
    }

    #[test]
    fn memory_has_a_unit() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes(" 1.5 gib "), Ok(3 << 29));
        assert_eq!(bytes("512MB"), Ok(512_000_000));
        for wrong in ["", "4", "GiB", "-1GiB", "0MiB", "1e30TB", "nanMB", "4 apples", "4G"] {
            assert!(bytes(wrong).unwrap_err().contains("4GiB"), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_finite_and_places_are_whole() {
        assert_eq!(number("-1"), Ok(-1.0_f64));
        assert_eq!(index("3"), Ok(3));
        for wrong in ["", "x", "inf", "nan", "1e400"] {
            assert!(number::<f64>(wrong).is_err(), "{wrong}");
        }
        assert!(number::<f32>("1e300").is_err());
        assert!(index("-1").is_err() && index("1.5").is_err());
    }
}
