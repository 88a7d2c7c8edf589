//! `--set name=value,…`, with the words of the lessons' `set:` links.

use super::Failure;
use crate::asset::Rig;
use crate::lesson::{PARAM_LIMIT, Setting, did_you_mean, parse_settings};

/// Every setting of every `--set`, in order.
pub(super) fn read(texts: &[String]) -> Result<Vec<Setting>, Failure> {
    let mut settings = Vec::new();
    for text in texts {
        let parsed =
            parse_settings(text).map_err(|why| Failure::Usage(format!("--set {text}: {why}")))?;
        settings.extend(parsed);
    }
    Ok(settings)
}

/// Parameter values for a rig alone, later ones over earlier ones; `all` stands
/// for every angle.
pub(super) fn values_for(rig: &Rig, settings: &[Setting]) -> Result<Vec<(String, f64)>, Failure> {
    let mut values: Vec<(String, f64)> = Vec::new();
    for setting in settings {
        let Setting::Param(name, value) = setting else {
            return Err(Failure::Usage(
                "--set: stage, joint, view and the like belong to a page; a rig alone has parameters"
                    .to_owned(),
            ));
        };
        if value.abs() > PARAM_LIMIT {
            return Err(Failure::Usage(format!(
                "--set {name}: expected a number from −{PARAM_LIMIT} to {PARAM_LIMIT}, found {value}"
            )));
        }
        if name == "all" {
            values.extend(rig.angles().map(|param| (param.name.clone(), *value)));
        } else if rig.param(name).is_some() {
            values.push((name.clone(), *value));
        } else {
            let names: Vec<&str> = rig
                .params
                .iter()
                .map(|param| param.name.as_str())
                .chain(["all"])
                .collect();
            return Err(Failure::Usage(format!(
                "--set: {} has no parameter `{name}`; {}",
                rig.id,
                did_you_mean(name, &names)
            )));
        }
    }
    Ok(values)
}
