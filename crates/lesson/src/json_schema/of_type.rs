//! The schema of a type that serde reads.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// Without references: editors show it as it stands.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
