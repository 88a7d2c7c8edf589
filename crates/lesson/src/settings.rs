//! Parses settings in `set` blocks and `set:` links.

use std::borrow::Cow;

use bindpose_diagnostic::{Diagnostic, Place, UNKNOWN_NAME, nearest};
use bindpose_skin::keyed;
use percent_encoding::percent_decode_str;

use super::data_edit::DataKind;
use super::number::{MAX_NUMBER_ABS, MAX_PARAM_ABS, check_number, within};
use super::toml_body::RawValue;
use super::{DataEdit, Setting, parse_quantity};

/// Parses the settings of a `set:` link: `stage=posed,b0=45deg`. Neither the names nor the
/// limits of the rig's parameters are checked here.
///
/// # Errors
/// If a setting is malformed. The error names its key.
pub fn parse_settings(text: &str) -> Result<Vec<Setting>, Diagnostic> {
    text.split(',')
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                Diagnostic::expected("name=value", format!("`{part}`"))
                    .help("write stage=posed,b0=45deg")
            })?;
            let key = key.trim();
            let value = value.trim();
            parse_link_setting(key, value, MAX_NUMBER_ABS)
                .map_err(|error| error.at(Place::Argument(key.to_owned())))
        })
        .collect()
}

/// A parameter that a lesson defines, beside those of its rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonParam {
    /// Name in links and formulas.
    pub name: String,
    /// Name shown to readers.
    pub label: String,
    pub default: f64,
    /// Minimum and maximum.
    pub range: (f64, f64),
    /// Whether it is an angle: shown in degrees, stored in radians.
    pub angle: bool,
    /// Whether it takes only whole numbers.
    pub whole: bool,
    /// Unit after the number, such as `cm`. Can be empty.
    pub unit: String,
    /// Step of sliders and arrow keys, in the stored unit. `None` for the last digit shown.
    pub step: Option<f64>,
}

impl LessonParam {
    /// Unit as a suffix of the number: ` cm` with a space, `%` and `°` without.
    pub fn suffix(&self) -> String {
        match self.unit.as_str() {
            _ if self.angle => "°".to_owned(),
            "" => String::new(),
            "%" => "%".to_owned(),
            unit => format!(" {unit}"),
        }
    }
}

/// Keys of the front matter that authors might write among settings.
const FRONT_MATTER: [&str; 5] = ["title", "about", "minutes", "needs", "params"];

/// Limit of a parameter. Parameters that the lesson defines can be large.
pub(crate) fn limit_of(name: &str, own_params: &[LessonParam]) -> f64 {
    if own_params.iter().any(|param| param.name == name) { MAX_NUMBER_ABS } else { MAX_PARAM_ABS }
}

/// Parses a setting. Whether a parameter exists is left to the content check; its value is
/// limited to ±`limit`.
pub(crate) fn setting(
    key: &str,
    written: &RawValue<'_>,
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
        let value = quantity(written, limit).map_err(|error| misspelt_key(key).unwrap_or(error))?;
        Ok(Setting::Param(key.to_owned(), value))
    })
}

/// Error about a key that resembles a known one, for a value that is no number.
fn misspelt_key(key: &str) -> Option<Diagnostic> {
    let near = nearest(key, set_keys()).first().map(|near| (*near).to_owned())?;
    let title = format!("there is no setting `{key}`");
    let help = format!("write `{near}`");
    Some(Diagnostic::said(UNKNOWN_NAME, title).help(help))
}

/// Like [`setting`], for a link: the bytes `00` are not a number, and `%20` is a space.
pub(crate) fn parse_link_setting(key: &str, text: &str, limit: f64) -> Result<Setting, Diagnostic> {
    let key = &*percent_decoded(key);
    let text = &*percent_decoded(text);
    let edit = data(key, &RawValue::Link(text));
    edit.unwrap_or_else(|| setting(key, &RawValue::from_link(text), limit))
}

/// Decodes `%20` and the like. Returns the text unchanged if the result is not UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}

/// Parses a data edit. Returns `None` if the key is not that of one.
fn data(key: &str, written: &RawValue<'_>) -> Option<Result<Setting, Diagnostic>> {
    let edit = DataEdit::from_setting(key, written.name().unwrap_or_default())?;
    Some(edit.map(Setting::Data).map_err(|expected| {
        let help = "write \"weights.3\" = \"0,1,0,0\"; in links weights.3=0+1+0+0";
        Diagnostic::expected(expected, written.found()).help(help)
    }))
}

/// Parses a number with an optional unit, within ±`limit`.
pub(crate) fn quantity(written: &RawValue<'_>, limit: f64) -> Result<f64, Diagnostic> {
    match written {
        RawValue::Number(value) => check_number(*value),
        RawValue::Text(text) | RawValue::Link(text) => parse_quantity(text),
        _ => Err(Diagnostic::expected("a number", written.found())),
    }
    .and_then(|value| within(value, limit))
    .map_err(|error| {
        error.help("write a number, or \"45deg\" for degrees; in links without quotes")
    })
}

/// Settings in the body of a cell: `{ method = "rigid", b1 = "60deg" }`. `all` and `edits`
/// come first, because they reset other settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(pub Vec<Setting>);

impl TryFrom<toml::Table> for Settings {
    type Error = Diagnostic;

    fn try_from(table: toml::Table) -> Result<Self, Diagnostic> {
        let mut entries = Vec::new();
        for (key, value) in table {
            flatten_entry(key, value, &mut entries);
        }
        let mut settings: Vec<Setting> = Vec::new();
        for (key, value) in entries {
            let setting =
                setting(&key, &RawValue::from_value(&value), MAX_NUMBER_ABS).map_err(|error| {
                    let title = format!("{key}: {}", error.sentence());
                    error.title(title)
                })?;
            let comes_first = match &setting {
                Setting::Param(name, _) => name == "all",
                other => *other == Setting::NoEdits,
            };
            settings.insert(if comes_first { 0 } else { settings.len() }, setting);
        }
        Ok(Self(settings))
    }
}

/// Collects an entry. TOML reads `weights.3 = "…"`, without quotes around the key, as a table,
/// which is flattened.
fn flatten_entry(key: String, value: toml::Value, entries: &mut Vec<(String, toml::Value)>) {
    match value {
        toml::Value::Table(inner) if is_data_kind(&key) => {
            for (below, value) in inner {
                flatten_entry(format!("{key}.{below}"), value, entries);
            }
        }
        value => entries.push((key, value)),
    }
}

keyed! {
    /// Keys of `set` blocks that set properties of the step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StepKey {
        Rig = "rig",
        Hide = "hide",
        Only = "only",
        Carry = "carry",
        Drag = "drag",
        Watch = "watch",
        Sways = "sways",
        Subject = "subject",
        Was = "was",
    }
}

/// All keys of `set` blocks except parameters.
pub fn set_keys() -> impl Iterator<Item = &'static str> {
    Setting::KEYS.into_iter().chain(StepKey::ALL.map(StepKey::key))
}

/// Whether the key begins like that of a data edit.
pub(crate) fn is_data_kind(key: &str) -> bool {
    let kind = key.split('.').next().unwrap_or(key);
    DataKind::from_key(kind).is_some()
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{RotationInterpolation, SkinStage};

    use super::*;
    use crate::{ClipName, Show};

    #[test]
    fn parses_settings_of_links() {
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
    fn reports_malformed_settings_with_help() {
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
