//! Settings, as `set` blocks and `set:` links write them.

use std::borrow::Cow;

use bindpose_diagnostic::{Diagnostic, Place, UNKNOWN_NAME, nearest};
use percent_encoding::percent_decode_str;

use super::data_edit::DATA_KINDS;
use super::number::{NUMBER_LIMIT, PARAM_LIMIT, checked, within};
use super::toml_body::WrittenValue;
use super::{DataEdit, Setting, parse_quantity};

/// Settings in the words of a `set:` link: `stage=posed,b0=45deg`. A link names
/// nothing of its lesson or rig that could be looked up here; what it names, and
/// the limit of a rig's parameters, is for whoever knows them.
///
/// Errors: which setting is wrong, and what to write.
pub fn parse_settings(text: &str) -> Result<Vec<Setting>, Diagnostic> {
    text.split(',')
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                Diagnostic::expected("name=value", format!("`{part}`"))
                    .help("write stage=posed,b0=45deg")
            })?;
            let (key, value) = (key.trim(), value.trim());
            setting_of_link(key, value, NUMBER_LIMIT)
                .map_err(|wrong| wrong.at(Place::Argument(key.to_owned())))
        })
        .collect()
}

/// A number that belongs to the lesson, not to its rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonParam {
    /// Name in links and expressions.
    pub name: String,
    /// For people.
    pub label: String,
    /// Value at the start.
    pub default: f64,
    /// Range of a slider or scrub.
    pub range: (f64, f64),
    /// Shown in degrees, stored in radians.
    pub angle: bool,
    /// Only whole numbers.
    pub whole: bool,
    /// Written after its number: `cm`. Empty for a number without one.
    pub unit: String,
    /// What sliders and arrow keys add, as stored; absent: the last digit shown.
    pub step: Option<f64>,
}

impl LessonParam {
    /// Its unit as it stands after a number: ` cm`, and `%` and `°` without a space.
    pub fn suffix(&self) -> String {
        match self.unit.as_str() {
            _ if self.angle => "°".to_owned(),
            "" => String::new(),
            "%" => "%".to_owned(),
            unit => format!(" {unit}"),
        }
    }
}

/// Keys of the front matter that might be looked for among settings.
const FRONT_MATTER: [&str; 5] = ["title", "about", "minutes", "needs", "params"];

/// The limit of a parameter: the lesson's own may be large.
pub(crate) fn limit_of(name: &str, own_params: &[LessonParam]) -> f64 {
    if own_params.iter().any(|param| param.name == name) { NUMBER_LIMIT } else { PARAM_LIMIT }
}

/// One setting by its key. Whether a parameter exists is the content check's
/// to say; its size is limited to ±`limit`.
pub(crate) fn setting(
    key: &str,
    written: &WrittenValue<'_>,
    limit: f64,
) -> Result<Setting, Diagnostic> {
    if key.is_empty() {
        return Err(Diagnostic::expected("a name before =", "none").help("write b0=45deg"));
    }
    if let Some(&key) = FRONT_MATTER.iter().find(|&&front| front == key) {
        let title = format!("`{key}` stands in the front matter, not among settings");
        let help = format!("write {key} = … between the lines of +++ at the top");
        return Err(Diagnostic::said("MISPLACED", title).help(help));
    }
    if key == "rig" {
        let help =
            "write rig = … in the front matter, in a `set` block of a step, or in a viewport";
        let title = "`rig` is what a lesson, a step or a viewport stands on";
        return Err(Diagnostic::said("MISPLACED", title).help(help));
    }
    if let Some(edit) = data(key, written) {
        return edit;
    }
    Setting::read(key, written).unwrap_or_else(|| {
        let value = quantity(written, limit).map_err(|wrong| meant(key).unwrap_or(wrong))?;
        Ok(Setting::Param(key.to_owned(), value))
    })
}

/// Of a key that is almost one of a setting, which its value is then for.
fn meant(key: &str) -> Option<Diagnostic> {
    let near = nearest(key, set_keys()).first().map(|near| (*near).to_owned())?;
    let title = format!("there is no setting `{key}`");
    let help = format!("write `{near}`");
    Some(Diagnostic::said(UNKNOWN_NAME, title).help(help))
}

/// As [`setting`], in a link, where the bytes `00` are no number, and where `%20` stands
/// for a space of a name.
pub(crate) fn setting_of_link(key: &str, text: &str, limit: f64) -> Result<Setting, Diagnostic> {
    let (key, text) = (&*percent_decoded(key), &*percent_decoded(text));
    let edit = data(key, &WrittenValue::Link(text));
    edit.unwrap_or_else(|| setting(key, &WrittenValue::from_link(text), limit))
}

/// The text itself where it would not be UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Cow<'_, str> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.unwrap_or(Cow::Borrowed(text))
}

/// `None`: the key names no edit of data.
fn data(key: &str, written: &WrittenValue<'_>) -> Option<Result<Setting, Diagnostic>> {
    let edit = DataEdit::from_setting(key, written.name().unwrap_or_default())?;
    let wrong = |expected| {
        let help = "write \"weights.3\" = \"0,1,0,0\"; in links weights.3=0+1+0+0";
        Diagnostic::expected(expected, written.found()).help(help)
    };
    Some(edit.map(Setting::Data).map_err(wrong))
}

/// A number with an optional unit, within ±`limit`.
pub(crate) fn quantity(written: &WrittenValue<'_>, limit: f64) -> Result<f64, Diagnostic> {
    match written {
        WrittenValue::Number(value) => checked(*value),
        WrittenValue::Text(text) | WrittenValue::Link(text) => parse_quantity(text),
        _ => Err(Diagnostic::expected("a number", written.found())),
    }
    .and_then(|value| within(value, limit))
    .map_err(|wrong| {
        wrong.help("write a number, or \"45deg\" for degrees; in links without quotes")
    })
}

/// Settings in a cell's body: `{ method = "rigid", b1 = "60deg" }`, `all` and
/// `edits` first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(pub Vec<Setting>);

impl TryFrom<toml::Table> for Settings {
    type Error = Diagnostic;

    fn try_from(table: toml::Table) -> Result<Self, Diagnostic> {
        let mut settings: Vec<Setting> = Vec::new();
        let mut read = |key: &str, value: &toml::Value| {
            let setting =
                setting(key, &WrittenValue::from_value(value), NUMBER_LIMIT).map_err(|wrong| {
                    let title = format!("{key}: {}", wrong.sentence());
                    wrong.title(title)
                })?;
            let first = match &setting {
                Setting::Param(name, _) => name == "all",
                other => *other == Setting::NoEdits,
            };
            settings.insert(if first { 0 } else { settings.len() }, setting);
            Ok::<(), Diagnostic>(())
        };
        for (key, value) in &table {
            each_entry(key, value, &mut read)?;
        }
        Ok(Self(settings))
    }
}

/// `weights.3 = "…"` without quotes around the key is a table to TOML.
fn each_entry(
    key: &str,
    value: &toml::Value,
    read: &mut impl FnMut(&str, &toml::Value) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    match value {
        toml::Value::Table(inner) if is_data_kind(key) => inner
            .iter()
            .try_for_each(|(below, value)| each_entry(&format!("{key}.{below}"), value, read)),
        _ => read(key, value),
    }
}

/// Every key a `set` block knows beside parameters.
pub fn set_keys() -> impl Iterator<Item = &'static str> {
    Setting::KEYS.into_iter().chain(["rig", "hide", "carry", "drag", "watch", "sways", "was"])
}

/// Does it begin as the key of an edit of data does?
pub(crate) fn is_data_kind(key: &str) -> bool {
    let kind = key.split('.').next().unwrap_or(key);
    DATA_KINDS.contains(&kind)
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{RotationInterpolation, SkinStage};

    use super::*;
    use crate::{ClipName, Show};

    #[test]
    fn settings_are_read_in_the_words_of_links() {
        assert_eq!(
            parse_settings("b0=pi/2,b1=−1/4,b2=0.8rad"),
            Ok(vec![
                Setting::Param("b0".to_owned(), std::f64::consts::FRAC_PI_2),
                Setting::Param("b1".to_owned(), -0.25),
                Setting::Param("b2".to_owned(), 0.8),
            ])
        );
        assert_eq!(
            parse_settings("stage=posed, b0=45deg,through=strongest,show=mesh+joints"),
            Ok(vec![
                Setting::Stage(SkinStage::Posed),
                Setting::Param("b0".to_owned(), 45f64.to_radians()),
                Setting::Through(None),
                Setting::Show(Some(vec![Show::Mesh, Show::Joints])),
            ])
        );
        assert_eq!(
            parse_settings("clip=swim,fade-to=2,fade=0.5,between=nlerp,loop=off"),
            Ok(vec![
                Setting::Clip(ClipName::Name("swim".to_owned())),
                Setting::FadeTo(ClipName::Index(2)),
                Setting::Param("fade".to_owned(), 0.5),
                Setting::Between(RotationInterpolation::Nlerp),
                Setting::Repeats(false),
            ])
        );
        assert_eq!(parse_settings("clip=none"), Ok(vec![Setting::Clip(ClipName::None)]));
    }

    #[test]
    fn wrong_settings_say_what_to_write() {
        for (text, expected) in [
            ("", "expected name=value"),
            ("b0", "write stage=posed,b0=45deg"),
            ("=1", "a name before ="),
            ("b0=nan", "NaN"),
            ("b0=inf", "infinity"),
            ("b0=1e9", "from −1000000 to 1000000"),
            ("stage=pose", "write `posed`"),
            ("joint=-1", "number of a joint"),
            ("clip=", "the name of a clip"),
            ("clip=-1", "number of a clip"),
            ("between=lerp", "`slerp`"),
            ("loop=yes", "one of the names"),
        ] {
            let error = parse_settings(text).expect_err(text);
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }
}
