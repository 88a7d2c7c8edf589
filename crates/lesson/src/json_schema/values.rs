//! Schemas of the values that authors write in a form of their own.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::drawn_body::DRAWS;
use crate::{
    CellDraws, DataEdits, Expr, JointName, MatrixProduct, MatrixRef, PathPart, PictureFile,
    PlotData, PoseProgram, Quantity, Settings, Text,
};

/// The draws of a cell.
fn draws_schema() -> Schema {
    json_schema!({
        "type": "array",
        "description": "Numbers that the cell is done with again: two or more tables with the \
                        same names. The texts of the cell name them in braces, {up}.",
        "minItems": 2,
        "items": { "type": "object", "additionalProperties": quantity() },
    })
}

/// A number, or one with its unit in quotes.
pub(super) fn quantity() -> Schema {
    json_schema!({ "type": ["number", "string"] })
}

/// Values of a setting, in a table of a cell or in a `set` block.
pub(super) fn setting_value() -> Schema {
    json_schema!({ "type": ["number", "string", "array", "object"], "items": { "type": "string" } })
}

fn vertex() -> Schema {
    json_schema!({ "type": "integer", "minimum": 0 })
}

/// A row is: type, its schema.
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
    Quantity => quantity();
    Settings => json_schema!({ "type": "object", "additionalProperties": setting_value() });
    DataEdits => json_schema!({ "type": "object", "additionalProperties": { "type": "string" } });
    PathPart => json_schema!({
        "anyOf": [
            vertex(),
            { "type": "array", "items": vertex(), "minItems": 2, "maxItems": 2 },
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

/// A cell that can be done again with other numbers.
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
