//! Settings, as `set` blocks and `set:` links write them.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as NameError, StrDeserializer};
use toml::de::DeValue;

use super::number::{NUMBER_LIMIT, PARAM_LIMIT};
use super::schema::Settings;
use super::toml_body::{explain, number, strings};
use super::{
    ClipName, Crowd, Device, Fault, LessonParam, Reading, Setting, Show, Tint, Transport, View,
    did_you_mean, parse_quantity,
};
use crate::skin::{Between, InverseBind, JointIndex, MeshNodeUse, Method, NormalRule, Stage};

/// Keys of a `set` block that name no parameter; `hide` is one more, in blocks
/// alone.
pub(crate) const SETTING_KEYS: [&str; 21] = [
    "stage",
    "inverse-bind",
    "through",
    "joint",
    "vertex",
    "show",
    "view",
    "tint",
    "method",
    "normals",
    "transport",
    "faults",
    "device",
    "crowd",
    "poses",
    "mesh-node",
    "reading",
    "clip",
    "fade-to",
    "between",
    "loop",
];

/// A value, from TOML or from a link.
pub(crate) enum Written<'a> {
    Number(f64),
    Text(&'a str),
    List(Vec<&'a str>),
    /// Something else, in words.
    Other(&'static str),
}

impl<'a> Written<'a> {
    pub(crate) fn from_toml(value: &'a DeValue<'_>) -> Self {
        if let Some(number) = number(value) {
            return Self::Number(number);
        }
        match value {
            DeValue::String(text) => Self::Text(text),
            DeValue::Array(_) => match strings(value) {
                Some(texts) => Self::List(texts.into_iter().map(|(text, _)| text).collect()),
                None => Self::Other("a list of other things than strings"),
            },
            DeValue::Boolean(_) => Self::Other("true or false"),
            DeValue::Datetime(_) => Self::Other("a date"),
            _ => Self::Other("a table"),
        }
    }

    /// In links, several names are joined by `+`.
    pub(crate) fn from_link(text: &'a str, key: &str) -> Self {
        if key == "show" || key == "faults" {
            return Self::List(text.split('+').filter(|name| !name.is_empty()).collect());
        }
        match text.parse::<f64>() {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Text(text),
        }
    }

    fn found(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {number}"),
            Self::Text(text) => format!("`{text}`"),
            Self::List(_) => "a list".to_owned(),
            Self::Other(words) => (*words).to_owned(),
        }
    }
}

/// Settings in the words of a `set:` link: `stage=posed,b0=45deg`. A link names
/// nothing of its lesson or rig that could be looked up here; what it names, and
/// the limit of a rig's parameters, is for whoever knows them.
///
/// # Errors
/// What is wrong and what to write.
pub fn parse_settings(text: &str) -> Result<Vec<Setting>, String> {
    text.split(',')
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                format!("expected name=value, found `{part}`; write stage=posed,b0=45deg")
            })?;
            let (key, value) = (key.trim(), value.trim());
            setting(key, &Written::from_link(value, key), NUMBER_LIMIT)
                .map_err(|(message, help)| format!("{key}: {message}; {help}"))
        })
        .collect()
}

/// The limit of a parameter: the lesson's own may be large.
pub(crate) fn limit_of(name: &str, own_params: &[LessonParam]) -> f64 {
    if own_params.iter().any(|param| param.name == name) {
        NUMBER_LIMIT
    } else {
        PARAM_LIMIT
    }
}

/// What is wrong and what to write.
pub(crate) type Wrong = (String, String);

/// One setting by its key. Whether a parameter exists is the content check's
/// to say; its size is limited to ±`limit`.
pub(crate) fn setting(key: &str, written: &Written<'_>, limit: f64) -> Result<Setting, Wrong> {
    match key {
        "stage" => named(written, &Stage::ALL.map(Stage::key), Stage::from_key).map(Setting::Stage),
        "inverse-bind" => named(
            written,
            &InverseBind::ALL.map(InverseBind::key),
            InverseBind::from_key,
        )
        .map(Setting::InverseBind),
        "through" => match written {
            Written::Text("strongest") => Ok(Setting::Through(None)),
            _ => joint(written)
                .map(|joint| Setting::Through(Some(joint)))
                .map_err(|(message, _)| {
                    (
                        message,
                        "write a joint's number, or \"strongest\"".to_owned(),
                    )
                }),
        },
        "joint" => joint(written).map(Setting::Joint),
        "vertex" => Ok(Setting::Vertex(index(written, "vertex", u32::MAX)?)),
        "show" => match written {
            Written::List(names) => names
                .iter()
                .map(|name| serde_name::<Show>(name))
                .collect::<Result<_, _>>()
                .map(Setting::Show),
            _ => Err((
                format!("expected a list of names, found {}", written.found()),
                "write [\"mesh\", \"joints\"]; in links mesh+joints".to_owned(),
            )),
        },
        "view" => match written {
            Written::Text(name) => serde_name::<View>(name).map(Setting::View),
            _ => Err((
                format!("expected the name of a view, found {}", written.found()),
                "write \"front\"".to_owned(),
            )),
        },
        "" => Err((
            "expected a name before =, found none".to_owned(),
            "write b0=45deg".to_owned(),
        )),
        _ => way_setting(key, written).unwrap_or_else(|| {
            quantity(written, limit).map(|value| Setting::Param(key.to_owned(), value))
        }),
    }
}

/// How the picture is computed; `None` when the key is none of these.
fn way_setting(key: &str, written: &Written<'_>) -> Option<Result<Setting, Wrong>> {
    Some(match key {
        "tint" => match written {
            Written::Text(name) => serde_name::<Tint>(name).map(Setting::Tint),
            _ => Err((
                format!("expected the name of a tint, found {}", written.found()),
                "write \"base\"".to_owned(),
            )),
        },
        "method" => {
            named(written, &Method::ALL.map(Method::key), Method::from_key).map(Setting::Method)
        }
        "normals" => named(
            written,
            &NormalRule::ALL.map(NormalRule::key),
            NormalRule::from_key,
        )
        .map(Setting::Normals),
        "transport" => named(
            written,
            &Transport::ALL.map(Transport::key),
            Transport::from_key,
        )
        .map(Setting::Transport),
        "faults" => match written {
            Written::List(names) => names
                .iter()
                .map(|name| {
                    named(
                        &Written::Text(name),
                        &Fault::ALL.map(Fault::key),
                        Fault::from_key,
                    )
                })
                .collect::<Result<_, _>>()
                .map(Setting::Faults),
            _ => Err((
                format!("expected a list of faults, found {}", written.found()),
                "write [\"edge\", \"linear\"], or [] for none; in links edge+linear".to_owned(),
            )),
        },
        "device" => {
            named(written, &Device::ALL.map(Device::key), Device::from_key).map(Setting::Device)
        }
        "crowd" => index(written, "skin", Crowd::MOST).and_then(|count| match count {
            0 => Err((
                "expected how many times the skin is drawn, found 0".to_owned(),
                format!("write a number from 1 to {}", Crowd::MOST),
            )),
            count => Ok(Setting::Crowd(count)),
        }),
        "poses" => named(written, &["same", "own"], |name| match name {
            "same" => Some(false),
            "own" => Some(true),
            _ => None,
        })
        .map(Setting::OwnPoses),
        "mesh-node" => named(
            written,
            &MeshNodeUse::ALL.map(MeshNodeUse::key),
            MeshNodeUse::from_key,
        )
        .map(Setting::MeshNode),
        "reading" => {
            named(written, &Reading::ALL.map(Reading::key), Reading::from_key).map(Setting::Reading)
        }
        "clip" => clip(written).map(Setting::Clip),
        "fade-to" => clip(written).map(Setting::FadeTo),
        "between" => {
            named(written, &Between::ALL.map(Between::key), Between::from_key).map(Setting::Between)
        }
        "loop" => named(written, &["on", "off"], |name| match name {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        })
        .map(Setting::Repeats),
        _ => return None,
    })
}

/// A number with an optional unit, within ±`limit`.
pub(crate) fn quantity(written: &Written<'_>, limit: f64) -> Result<f64, Wrong> {
    let help = || "write a number, or \"45deg\" for degrees; in links without quotes".to_owned();
    let value = match written {
        Written::Number(value) => super::number::checked(*value),
        Written::Text(text) => parse_quantity(text),
        _ => Err(format!("expected a number, found {}", written.found())),
    }
    .map_err(|message| (message, help()))?;
    if value.abs() > limit {
        return Err((
            format!("expected a number from −{limit} to {limit}, found {value}"),
            help(),
        ));
    }
    Ok(value)
}

fn named<T>(
    written: &Written<'_>,
    names: &[&str],
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<T, Wrong> {
    let name = match written {
        Written::Text(name) => *name,
        _ => "",
    };
    from_name(name).ok_or_else(|| {
        (
            format!("expected one of the names, found {}", written.found()),
            did_you_mean(name, names),
        )
    })
}

fn serde_name<T: for<'de> Deserialize<'de>>(name: &str) -> Result<T, Wrong> {
    let deserializer: StrDeserializer<'_, NameError> = name.into_deserializer();
    T::deserialize(deserializer).map_err(|error| explain(&error.to_string(), "this list"))
}

fn joint(written: &Written<'_>) -> Result<JointIndex, Wrong> {
    let index = index(written, "joint", u32::from(u16::MAX))?;
    Ok(JointIndex(u16::try_from(index).unwrap_or(u16::MAX)))
}

fn clip(written: &Written<'_>) -> Result<ClipName, Wrong> {
    match written {
        Written::Text(name) if !name.is_empty() => Ok(ClipName::from_text(name)),
        Written::Number(_) => index(written, "clip", u32::MAX).map(ClipName::Index),
        _ => Err((
            format!("expected the name of a clip, found {}", written.found()),
            "write its name, its number from 0, or \"none\"".to_owned(),
        )),
    }
}

/// Settings in a cell's body: `{ method = "rigid", b1 = "60deg" }`, `all` first.
impl TryFrom<toml::Table> for Settings {
    type Error = String;

    fn try_from(table: toml::Table) -> Result<Self, String> {
        let mut settings: Vec<Setting> = Vec::new();
        for (key, value) in &table {
            let written = match value {
                toml::Value::Integer(number) => Written::Number(*number as f64),
                toml::Value::Float(number) => Written::Number(*number),
                toml::Value::String(text) => Written::Text(text),
                toml::Value::Array(values) => values
                    .iter()
                    .map(toml::Value::as_str)
                    .collect::<Option<_>>()
                    .map_or(
                        Written::Other("a list of other things than strings"),
                        Written::List,
                    ),
                _ => Written::Other("something else"),
            };
            let setting = setting(key, &written, NUMBER_LIMIT)
                .map_err(|(message, help)| format!("{key}: {message}\nhelp: {help}"))?;
            let first = matches!(&setting, Setting::Param(name, _) if name == "all");
            settings.insert(if first { 0 } else { settings.len() }, setting);
        }
        Ok(Self(settings))
    }
}

fn index(written: &Written<'_>, what: &str, limit: u32) -> Result<u32, Wrong> {
    match written {
        Written::Number(number)
            if number.fract() == 0.0 && (0.0..=f64::from(limit)).contains(number) =>
        {
            Ok(*number as u32)
        }
        _ => Err((
            format!(
                "expected the number of a {what}, from 0, found {}",
                written.found()
            ),
            "write a whole number without quotes, such as 1".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_in_the_words_of_links() {
        assert_eq!(
            parse_settings("stage=posed, b0=45deg,through=strongest,show=mesh+joints"),
            Ok(vec![
                Setting::Stage(Stage::Posed),
                Setting::Param("b0".to_owned(), 45f64.to_radians()),
                Setting::Through(None),
                Setting::Show(vec![Show::Mesh, Show::Joints]),
            ])
        );
        assert_eq!(
            parse_settings("clip=swim,fade-to=2,fade=0.5,between=nlerp,loop=off"),
            Ok(vec![
                Setting::Clip(ClipName::Name("swim".to_owned())),
                Setting::FadeTo(ClipName::Index(2)),
                Setting::Param("fade".to_owned(), 0.5),
                Setting::Between(Between::Nlerp),
                Setting::Repeats(false),
            ])
        );
        assert_eq!(
            parse_settings("clip=none"),
            Ok(vec![Setting::Clip(ClipName::None)])
        );
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
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
