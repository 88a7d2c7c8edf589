//! Parsing and validation of command-line arguments that several commands share: rigs and models,
//! keys of enums, settings in the syntax of `set:` links, numbers and themes.

use std::ffi::OsStr;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::{self as asset, Rig, TaskProgress};
use bindpose_lesson::{MAX_PARAM_ABS, Setting, parse_settings, within};
use bindpose_notebook::export::no_such_skin;
use bindpose_skin::Keyed;
use clap::ValueEnum;

use super::CommandFailure;
use super::output::print_to_stderr;

/// Loads a rig: the built-in rig of that name, or else the model in that file.
///
/// A name with several components or an extension is taken for a path. Parts of a model that the
/// reader leaves out are reported on standard error.
pub(super) fn load_rig(name: &OsStr) -> Result<Arc<Rig>, CommandFailure> {
    if let Some(rig) = name.to_str().and_then(bindpose_rigs::builtin) {
        return Ok(rig);
    }
    let path = Path::new(name);
    if !path.exists() && path.extension().is_none() && path.components().count() == 1 {
        let name = name.to_string_lossy();
        let wrong = Diagnostic::unknown("rig", &name, bindpose_rigs::builtin_ids());
        let help = format!("{}, or name a .gltf or .glb file", wrong.help);
        return Err(CommandFailure::cannot(wrong.help(help)));
    }
    let progress = TaskProgress::default();
    let source = asset::load(path, &progress).map_err(CommandFailure::cannot)?;
    let rig = asset::open(&source, &progress).map_err(CommandFailure::cannot)?;
    for omission in rig.left_out() {
        print_to_stderr(&format_omission(&source.name, omission));
    }
    Ok(rig.into())
}

/// Formats a part of a model that was left out in one line: place, cause and effect.
fn format_omission(file: &str, omission: &Diagnostic) -> String {
    let line = Diagnostic {
        at: omission.at.clone().within(file),
        // Without a title the line shows what was expected and found, which is more specific.
        title: if omission.expected.is_empty() { omission.title.clone() } else { String::new() },
        help: omission.effect.clone(),
        ..omission.clone()
    };
    format!("{}: {line}", omission.severity)
}

/// Returns the name of a rig in reports. For a model it is the name of its file.
pub(super) fn rig_name(rig: &Rig) -> &str {
    match &rig.origin {
        Some(origin) if rig.id == "model" => &origin.source.name,
        _ => &rig.id,
    }
}

/// Parses the value of an option as a key of `T`.
pub(super) fn parse_key<T: Keyed>(option: &str, key: &str) -> Result<T, CommandFailure> {
    T::from_key(key).ok_or_else(|| unknown_key(option, key, T::KEYS))
}

pub(super) fn unknown_key(option: &str, key: &str, known_keys: &[&str]) -> CommandFailure {
    let wrong = Diagnostic::unknown(option, key, known_keys).title("there is none of that name");
    CommandFailure::argument(format!("--{option} {key}"), wrong)
}

/// Parses the settings of all `--set` options, in order.
pub(super) fn parse_set_options(texts: &[String]) -> Result<Vec<Setting>, CommandFailure> {
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

/// Returns the parameter values that settings assign to a rig. Later values override earlier ones,
/// and `all` sets every angle.
///
/// # Errors
///
/// Fails for settings other than parameters, which need a page.
pub(super) fn param_values(
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
        within(*value, MAX_PARAM_ABS)
            .map_err(|wrong| CommandFailure::argument(format!("--set {name}"), wrong))?;
        if name == "all" {
            values.extend(rig.angles().map(|param| (param.name.clone(), *value)));
        } else if rig.param(name).is_some() {
            values.push((name.clone(), *value));
        } else {
            let mut names: Vec<&str> = rig.params.iter().map(|param| &*param.name).collect();
            names.push("all");
            let wrong = Diagnostic::unknown("parameter", name, &names)
                .title(format!("{} has no parameter `{name}`", rig.id));
            return Err(CommandFailure::argument("--set", wrong));
        }
    }
    Ok(values)
}

/// Fails if the model has no skin with this index.
pub(super) fn check_skin(rig: &Rig, skin: usize) -> Result<(), CommandFailure> {
    if skin < rig.skin_count() {
        return Ok(());
    }
    Err(CommandFailure::argument(format!("--skin {skin}"), no_such_skin(rig, skin)))
}

/// Parses a finite number: `0.5`, `-1`, `1e-3`.
pub(super) fn parse_number<T: FromStr + Into<f64> + Copy>(text: &str) -> Result<T, String> {
    match text.parse::<T>() {
        Ok(number) if number.into().is_finite() => Ok(number),
        _ => Err("write a number, such as 0.5".to_owned()),
    }
}

pub(super) fn parse_index(text: &str) -> Result<usize, String> {
    text.parse().ok().ok_or_else(|| "write a whole number from 0".to_owned())
}

/// Parses a width and height: `1440x900`.
pub(super) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    text.split_once(['x', '×'])
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]))
        .ok_or_else(|| "write width and height in pixels, such as 1440x900".to_owned())
}

/// Parses an amount of memory, such as `4GiB` or `512 MB`. Returns it in bytes.
pub(super) fn parse_memory_size(text: &str) -> Result<u64, String> {
    parse_memory_bytes(text.trim()).ok_or_else(|| "write a size, such as 4GiB or 512MiB".to_owned())
}

fn parse_memory_bytes(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at(text.find(char::is_alphabetic)?);
    let (base, power) = match unit.to_ascii_lowercase().as_str() {
        "kib" => (1024_f64, 1),
        "mib" => (1024.0, 2),
        "gib" => (1024.0, 3),
        "tib" => (1024.0, 4),
        "kb" => (1000.0, 1),
        "mb" => (1000.0, 2),
        "gb" => (1000.0, 3),
        "tb" => (1000.0, 4),
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    let bytes = number * base.powi(power);
    (1.0..=u64::MAX as f64).contains(&bytes).then_some(bytes as u64)
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
    fn errors_in_settings_have_place_expectation_and_help() {
        let settings = ["stage=pose".to_owned()];
        let Err(CommandFailure::Cannot(wrong)) = parse_set_options(&settings) else {
            panic!("it is rejected");
        };
        assert_eq!(wrong.at.to_string(), "--set stage=pose: stage");
        assert_eq!(wrong.expected, "one of the names");
        assert_eq!(wrong.found, "`pose`");
        assert!(wrong.help.starts_with("write `posed`"), "{wrong}");
    }

    #[test]
    fn sizes_are_two_whole_numbers() {
        assert_eq!(parse_size("1440x900"), Ok([1440, 900]));
        for wrong in ["1440", "1440x", "x900", "-1x2", "1e3x5", "1x2x3"] {
            assert!(parse_size(wrong).unwrap_err().contains("1440x900"), "{wrong}");
        }
    }

    #[test]
    fn memory_sizes_need_a_unit() {
        assert_eq!(parse_memory_size("4GiB"), Ok(4 << 30));
        assert_eq!(parse_memory_size(" 1.5 gib "), Ok(3 << 29));
        assert_eq!(parse_memory_size("512MB"), Ok(512_000_000));
        for wrong in ["", "4", "GiB", "-1GiB", "0MiB", "1e30TB", "nanMB", "4 apples", "4G"] {
            assert!(parse_memory_size(wrong).unwrap_err().contains("4GiB"), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_finite_and_indices_whole() {
        assert_eq!(parse_number("-1"), Ok(-1.0_f64));
        assert_eq!(parse_index("3"), Ok(3));
        for wrong in ["", "x", "inf", "nan", "1e400"] {
            assert!(parse_number::<f64>(wrong).is_err(), "{wrong}");
        }
        assert!(parse_number::<f32>("1e300").is_err());
        assert!(parse_index("-1").is_err() && parse_index("1.5").is_err());
    }
}
