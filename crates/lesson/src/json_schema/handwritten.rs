//! Handwritten schemas for everything that serde does not read: `set` blocks, which mix
//! settings of the page, data edits, parameters and properties of the step; front matter;
//! and values with a syntax of their own. Also builds the schema of a type that serde reads.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use crate::bounded::LESSON_MINUTES;
use crate::data_edit::DataKind;
use crate::drawn_body::{DRAWS, MAX_DRAWS, MIN_DRAWS};
use crate::setting::setting_schemas;
use crate::settings::StepKey;
use crate::{
    CellDraws, DataEdits, Expr, JointName, MatrixProduct, MatrixRef, PathPart, PictureFile,
    PlotData, PoseProgram, Quantity, Settings, StepSubject, Text, Tolerance,
};

pub(super) fn set_block_schema() -> Schema {
    let mut keys = Map::new();
    for (key, about, mut schema) in setting_schemas() {
        schema.insert("description".to_owned(), about.into());
        keys.insert(key.to_owned(), schema.to_value());
    }
    for key in StepKey::ALL {
        keys.insert(key.key().to_owned(), step_key_schema(key).to_value());
    }
    let below = setting_value_schema();
    let mut data = Map::new();
    for kind in DataKind::ALL {
        let about = data_kind_description(kind);
        let pattern = format!("^{}\\.", kind.key());
        let edit = json_schema!({ "type": "string", "description": about });
        data.insert(pattern, edit.to_value());
        // TOML reads `weights.3 = …`, without quotes around the key, as a table.
        let table = json_schema!({
            "type": "object", "additionalProperties": below, "description": about
        });
        let schema = match (keys.get(kind.key()), kind) {
            (Some(setting), _) => json_schema!({
                "anyOf": [setting, table], "description": joined_description(setting, about)
            }),
            // Also common names of parameters.
            (None, DataKind::Turn | DataKind::Shift) => json_schema!({
                "anyOf": [quantity_schema(), table], "description": about
            }),
            (None, _) => table,
        };
        keys.insert(kind.key().to_owned(), schema.to_value());
    }
    json_schema!({
        "type": "object",
        "properties": keys,
        "patternProperties": data,
        "additionalProperties": quantity_schema(),
    })
}

fn step_key_schema(key: StepKey) -> Schema {
    let about = match key {
        StepKey::Rig => {
            "What stands on the stage from this step on, as in the front matter; all begins anew with it."
        }
        StepKey::Hide => "Names of cells of the stage that are left out during this step.",
        StepKey::Only => {
            "Names of the cells of the stage that stay during this step; the others are left out."
        }
        StepKey::Carry => {
            "Whether the step opens with what the reader has changed at the one before."
        }
        StepKey::Drag => "Names of the parameters and cells that the step asks to drag.",
        StepKey::Watch => {
            "Names of the cells that the step asks to watch meanwhile, beside the pictures."
        }
        StepKey::Sways => {
            "A parameter that sways around its value, once the exercises of the step are answered, until the reader does something."
        }
        StepKey::Subject => {
            "The subject of the step, if that is not its pictures, which can then be smaller."
        }
        StepKey::Was => "What the step was called before, `lesson/step`: old links lead to it.",
    };
    match key {
        StepKey::Hide | StepKey::Only | StepKey::Drag | StepKey::Watch | StepKey::Was => {
            json_schema!({ "type": "array", "items": { "type": "string" }, "description": about })
        }
        StepKey::Subject => json_schema!({
            "type": "string",
            "enum": StepSubject::ALL.map(StepSubject::key),
            "description": about,
        }),
        StepKey::Carry => json_schema!({ "type": "boolean", "description": about }),
        StepKey::Rig | StepKey::Sways => json_schema!({ "type": "string", "description": about }),
    }
}

fn data_kind_description(kind: DataKind) -> &'static str {
    match kind {
        DataKind::Weights => {
            "Weights of a vertex, by its number: 4 or 8 numbers with commas between."
        }
        DataKind::Joints => "The joints whose weights these are, by the number of the vertex.",
        DataKind::InverseBind => {
            "An inverse bind matrix, by the number or the name of its joint: 16 numbers, column by column."
        }
        DataKind::Texel => {
            "A texel of the palette, by joint (number or name) and column: four numbers."
        }
        DataKind::Bytes => {
            "Bytes of the rig’s file, by buffer and offset: two hexadecimal digits each."
        }
        DataKind::Turn => {
            "A turn of a joint by hand, by its number or name: a quaternion x, y, z, w."
        }
        DataKind::Shift => {
            "A move of a joint by hand, by its number or name: x, y, z in its parent’s frame."
        }
    }
}

/// Joins both meanings of `inverse-bind`: a setting, and the prefix of edited matrices.
fn joined_description(setting: &Value, about: &str) -> String {
    let setting = setting.get("description").and_then(Value::as_str);
    format!("{} With a joint behind it: {about}", setting.unwrap_or_default())
}

// The keys of the front matter. A test compares them with those that its reader accepts.

/// Between the lines of `+++`.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "says what keys there are; the reader fills no such value")]
pub(super) struct FrontMatterKeys {
    /// The title of the lesson, on the page and in the list of contents.
    title: String,
    /// The subject of the lesson, in a sentence: web pages list it, and search engines show
    /// it.
    #[schemars(default)]
    about: String,
    /// How long the lesson takes a class, in whole minutes.
    #[schemars(range(min = *LESSON_MINUTES.start(), max = *LESSON_MINUTES.end()))]
    minutes: u32,
    /// Slugs of the lessons that come before.
    #[schemars(default)]
    needs: Vec<String>,
    /// The model of the lesson: a built-in rig, a file in the folder of the lesson such as
    /// "hand.glb", or "own" for the model that the reader has opened.
    rig: String,
    /// Numbers of the lesson’s own, beside those of the rig, by their names.
    #[schemars(default)]
    params: BTreeMap<String, ParamKeys>,
    /// Parameters of the rig that follow formulas, by their names.
    #[schemars(default)]
    drive: BTreeMap<String, Expr>,
}

/// `[params.amplitude]`
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "says what keys there are; the reader fills no such value")]
pub(super) struct ParamKeys {
    /// The label of its slider; absent: its name.
    #[schemars(default)]
    label: String,
    /// Its value at the start; for an angle in radians, or "45deg".
    default: Quantity,
    /// Its least and its greatest value, in the unit of the default.
    range: [Quantity; 2],
    /// Whether it is an angle: stored in radians, shown in degrees.
    #[schemars(default)]
    angle: bool,
    /// Whether it takes whole numbers only.
    #[schemars(default)]
    whole: bool,
    /// Written after its number: up to 12 characters; with "%" a fraction is shown in
    /// percent.
    #[schemars(default)]
    unit: String,
    /// The step of sliders and arrow keys, in the unit of the default; absent: the last
    /// digit shown.
    #[schemars(default)]
    step: Option<Quantity>,
}

/// Schema of a type that serde reads, with all subschemas inlined, because some editors
/// do not follow references.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>()
}

// Values with a syntax of their own.

fn draws_schema() -> Schema {
    json_schema!({
        "type": "array",
        "description": "Numbers that the cell is done with again: two or more tables with the \
                        same names. The texts of the cell name them in braces, {up}.",
        "minItems": MIN_DRAWS,
        "maxItems": MAX_DRAWS,
        "items": { "type": "object", "additionalProperties": quantity_schema() },
    })
}

/// A number, or one with its unit in quotes.
fn quantity_schema() -> Schema {
    json_schema!({ "type": ["number", "string"] })
}

/// Value of a setting, in a table of a cell or in a `set` block.
fn setting_value_schema() -> Schema {
    json_schema!({ "type": ["number", "string", "array", "object"], "items": { "type": "string" } })
}

fn vertex_schema() -> Schema {
    json_schema!({ "type": "integer", "minimum": 0 })
}

/// Each row holds a type and its schema.
macro_rules! written_as {
    ($($type:ty => $schema:expr;)+) => {
        $(impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        })+
    };
}

written_as! {
    Text => json_schema!({ "type": "string" });
    Expr => json_schema!({ "type": "string", "minLength": 1 });
    PoseProgram => json_schema!({ "type": "string", "minLength": 1 });
    PictureFile => json_schema!({ "type": "string", "minLength": 1 });
    JointName => json_schema!({
        "type": ["string", "integer"], "minLength": 1, "minimum": 0, "maximum": u16::MAX
    });
    MatrixRef => json_schema!({ "type": "string", "minLength": 1 });
    MatrixProduct => json_schema!({ "type": "string" });
    Quantity => quantity_schema();
    Tolerance => quantity_schema();
    Settings => json_schema!({ "type": "object", "additionalProperties": setting_value_schema() });
    DataEdits => json_schema!({ "type": "object", "additionalProperties": { "type": "string" } });
    PathPart => json_schema!({
        "anyOf": [
            vertex_schema(),
            { "type": "array", "items": vertex_schema(), "minItems": 2, "maxItems": 2 },
        ]
    });
    PlotData => json_schema!({
        "anyOf": [
            { "type": "string" },
            { "type": "array", "items": {
                "type": "array", "items": { "type": ["string", "number"] },
            } },
        ]
    });
}

impl<T: JsonSchema> JsonSchema for CellDraws<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        if let Some(keys) = schema.get_mut("properties").and_then(|keys| keys.as_object_mut()) {
            keys.insert(DRAWS.to_owned(), draws_schema().to_value());
        }
        schema
    }
}
