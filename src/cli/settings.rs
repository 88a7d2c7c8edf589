//! `--set name=value,…`, with the words of the lessons' `set:` links.

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{PARAM_LIMIT, Setting, parse_settings, within};

use super::Failure;

/// Every setting of every `--set`, in order.
pub(super) fn read(texts: &[String]) -> Result<Vec<Setting>, Failure> {
    let mut settings = Vec::new();
    for text in texts {
        let parsed = parse_settings(text).map_err(|wrong| {
            Failure::cannot(Diagnostic { at: wrong.at.within(format!("--set {text}")), ..wrong })
        })?;
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
            let title = "stage, joint, view and the like belong to a page";
            let wrong = Diagnostic::said("NO_PAGE", title).help("a rig alone has parameters");
            return Err(Failure::argument("--set", wrong));
        };
        within(*value, PARAM_LIMIT)
            .map_err(|wrong| Failure::argument(format!("--set {name}"), wrong))?;
        if name == "all" {
            values.extend(rig.angles().map(|param| (param.name.clone(), *value)));
        } else if rig.param(name).is_some() {
            values.push((name.clone(), *value));
        } else {
            let names: Vec<&str> =
                rig.params.iter().map(|param| param.name.as_str()).chain(["all"]).collect();
            let wrong = Diagnostic::unknown("parameter", name, &names)
                .title(format!("{} has no parameter `{name}`", rig.id));
            return Err(Failure::argument("--set", wrong));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_argument_has_its_place_and_all_parts() {
        let Err(Failure::Cannot(wrong)) = read(&["stage=pose".to_owned()]) else {
            panic!("it is refused");
        };
        assert_eq!(wrong.at.to_string(), "--set stage=pose: stage");
        let parts = (&*wrong.expected, &*wrong.found);
        assert_eq!(parts, ("one of the names", "`pose`"));
        assert!(wrong.help.starts_with("write `posed`"), "{wrong}");
    }
}
