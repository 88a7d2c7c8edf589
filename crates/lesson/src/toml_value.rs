//! Deserializes values from TOML, with errors that keep their parts and their position.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::toml_body::{integer, number};
use super::toml_error::ValueError;
use super::{
    BrightestTint, CloseDistance, ColumnFraction, DataEdits, Decimals, DrawingHeight, Expr,
    JointName, LaneCount, LearntLine, LearntLines, LineCount, MatrixProduct, MatrixRef, PathPart,
    PictureFile, PlotData, PlotLine, PlotLines, PoseProgram, Quantity, RowCount, Settings, Stop,
    StopList, Tolerance, ViewHeight,
};

pub(crate) fn read<T: DeserializeOwned>(table: &DeTable<'_>) -> Result<T, ValueError> {
    T::deserialize(entries(table))
}

fn entries<'de, 'a, 't>(
    table: &'a DeTable<'t>,
) -> MapDeserializer<'de, impl Iterator<Item = (TomlKey<'a, 't>, TomlValue<'a, 't>)>, ValueError> {
    MapDeserializer::new(table.iter().map(|(key, value)| (TomlKey(key), TomlValue(value))))
}

/// A value with its position.
#[derive(Clone, Copy)]
struct TomlValue<'a, 't>(&'a Spanned<DeValue<'t>>);

impl<'de> Deserializer<'de> for TomlValue<'_, '_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let start = self.0.span().start;
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(digits) => match integer(digits) {
                Some(number) => visitor.visit_i64(number),
                None => Err(ValueError::custom("expected a number of ordinary size")),
            },
            value @ DeValue::Float(_) => match number(value) {
                Some(number) => visitor.visit_f64(number),
                None => Err(ValueError::custom("expected a number")),
            },
            DeValue::Boolean(yes) => visitor.visit_bool(*yes),
            DeValue::Datetime(date) => visitor.visit_string(date.to_string()),
            DeValue::Array(items) => {
                visitor.visit_seq(SeqDeserializer::new(items.iter().map(TomlValue)))
            }
            DeValue::Table(table) => visitor.visit_map(entries(table)),
        }
        .map_err(|error: ValueError| error.within(start))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        self.checked(name).map_err(|error| error.within(self.0.span().start))?;
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct enum seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Implements `Deserialize` for types whose `TryFrom` gives a detailed diagnostic. serde's
/// errors would reduce it to one text, so `TomlValue` tries the conversion first, by the
/// name of the type.
macro_rules! read_from {
    ($($type:ident: $written:ty),*) => {
        impl TomlValue<'_, '_> {
            fn checked(self, name: &str) -> Result<(), ValueError> {
                $(if name == stringify!($type) {
                    <$type>::try_from(<$written>::deserialize(self)?)?;
                })*
                Ok(())
            }
        }

        $(impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let newtype = Newtype(PhantomData::<$written>);
                let written = deserializer.deserialize_newtype_struct(stringify!($type), newtype)?;
                Self::try_from(written).map_err(D::Error::custom)
            }
        })*
    };
}
read_from!(
    Expr: String, PoseProgram: String, JointName: toml::Value, MatrixProduct: String, MatrixRef: String, Quantity: toml::Value, Settings: toml::Table,
    DataEdits: BTreeMap<String, String>, PlotData: toml::Value, PathPart: toml::Value,
    PictureFile: String, Tolerance: toml::Value,
    Decimals: usize, RowCount: usize, LineCount: usize, LaneCount: usize,
    ViewHeight: f32, BrightestTint: f32, DrawingHeight: f32, ColumnFraction: f32, CloseDistance: f32,
    StopList: Vec<Stop>, LearntLines: Vec<LearntLine>, PlotLines: Vec<PlotLine>
);

struct Newtype<Written>(PhantomData<Written>);

impl<'de, Written: Deserialize<'de>> Visitor<'de> for Newtype<Written> {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Written, D::Error> {
        Written::deserialize(inner)
    }
}

impl IntoDeserializer<'_, ValueError> for TomlValue<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A key with its position.
struct TomlKey<'a, 't>(&'a Spanned<Cow<'t, str>>);

impl IntoDeserializer<'_, ValueError> for TomlKey<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for TomlKey<'_, '_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor
            .visit_str(self.0.get_ref())
            .map_err(|error: ValueError| error.within(self.0.span().start))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
