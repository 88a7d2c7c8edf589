//! Numbers and lists with limits. Each type states its limits once, for the reader of
//! lessons and for the JSON schema.

use std::ops::{Bound, RangeBounds, RangeInclusive};

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::LANES;

use super::number::MAX_DECIMALS;

/// Duration of a lesson, in minutes.
pub(crate) const LESSON_MINUTES: RangeInclusive<u32> = 1..=600;

/// Implements the JSON schema of a type: that of `$inner`, with limits of the type `$limit`.
macro_rules! limited_schema {
    ($type:ident, $inner:ty, $limit:ty, $range:expr) => {
        #[cfg(not(target_arch = "wasm32"))]
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut schema = <$inner>::json_schema(generator);
                $crate::bounded::insert_limits::<$limit>(&mut schema, &$range);
                schema
            }
        }
    };
}
pub(crate) use limited_schema;

/// Each row holds a type, its range, what an error expects, and its help.
macro_rules! bounded_numbers {
    ($($(#[$doc:meta])+ $type:ident($number:ty): $range:expr, $expected:expr, $help:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $type(pub $number);

        impl TryFrom<$number> for $type {
            type Error = Diagnostic;

            fn try_from(value: $number) -> Result<Self, Diagnostic> {
                if RangeBounds::<$number>::contains(&$range, &value) {
                    return Ok(Self(value));
                }
                Err(Diagnostic::expected($expected, value.to_string()).help($help))
            }
        }

        limited_schema!($type, $number, $number, $range);
    )+};
}

bounded_numbers! {
    /// Number of digits after the point.
    Decimals(usize):
        0..=MAX_DECIMALS, format!("at most {MAX_DECIMALS} decimals"),
        format!("write a number from 0 to {MAX_DECIMALS}");
    /// Number of rows shown at once.
    RowCount(usize):
        1.., "at least one row", "write how many rows are shown, or leave the key out";
    /// Number of lines shown at once.
    LineCount(usize):
        1.., "at least one line", "write how many lines are shown, or leave the key out";
    /// Number of influence lanes.
    LaneCount(usize):
        1..=LANES, format!("1 to {LANES} lanes"),
        format!("write a number from 1 to {LANES}, or leave the key out");
    /// Height that a viewport sees at its target, in world units.
    ViewHeight(f32):
        above(0.0), "a height above 0",
        "write how many world units are seen from top to bottom, such as 6.0";
    /// Value with the brightest colour of a tint.
    BrightestTint(f32):
        above(0.0), "a number above 0", "write what gets the brightest colour, such as 0.2";
    /// Height of a drawing, in points.
    DrawingHeight(f32):
        40.0..=2000.0, "a height in points from 40 to 2000", "write 180, or leave the key out";
    /// Width of a picture, as a fraction of its column.
    ColumnFraction(f32):
        0.05..=1.0, "a part of the column from 0.05 to 1",
        "write 0.6 for three fifths of the column, or leave the key out";
    /// Distance from the answer within which a guess is right, in world units.
    CloseDistance(f32):
        above(0.0), "a distance above 0", "write how near counts as right, such as 0.5";
}

fn above(limit: f32) -> (Bound<f32>, Bound<f32>) {
    (Bound::Excluded(limit), Bound::Unbounded)
}

/// Adds the limits of a number, or of the number of items of an array, to its schema.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn insert_limits<T: ToString>(
    schema: &mut schemars::Schema,
    range: &impl RangeBounds<T>,
) {
    let is_array = schema.get("type").is_some_and(|kind| kind == "array");
    let (min, max) = if is_array { ("minItems", "maxItems") } else { ("minimum", "maximum") };
    let limits = [
        match range.start_bound() {
            Bound::Included(low) => Some((min, low)),
            Bound::Excluded(low) => Some(("exclusiveMinimum", low)),
            Bound::Unbounded => None,
        },
        match range.end_bound() {
            Bound::Included(high) => Some((max, high)),
            Bound::Excluded(high) => Some(("exclusiveMaximum", high)),
            Bound::Unbounded => None,
        },
    ];
    for (keyword, limit) in limits.into_iter().flatten() {
        // The digits of an f32 are fewer than those of its value as f64.
        if let Ok(limit) = limit.to_string().parse() {
            schema.insert(keyword.to_owned(), serde_json::Value::Number(limit));
        }
    }
}

/// Defines a list with limits for the number of its items: the type, its items, the range,
/// what an error expects, and its help.
macro_rules! bounded_list {
    ($(#[$doc:meta])+ $type:ident($item:ty): $range:expr, $expected:expr, $help:expr) => {
        $(#[$doc])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $type(pub Vec<$item>);

        impl TryFrom<Vec<$item>> for $type {
            type Error = bindpose_diagnostic::Diagnostic;

            fn try_from(items: Vec<$item>) -> Result<Self, Self::Error> {
                if std::ops::RangeBounds::<usize>::contains(&$range, &items.len()) {
                    return Ok(Self(items));
                }
                let found = items.len().to_string();
                Err(bindpose_diagnostic::Diagnostic::expected($expected, found).help($help))
            }
        }

        impl std::ops::Deref for $type {
            type Target = [$item];

            fn deref(&self) -> &[$item] {
                &self.0
            }
        }

        impl std::ops::DerefMut for $type {
            fn deref_mut(&mut self) -> &mut [$item] {
                &mut self.0
            }
        }

        $crate::bounded::limited_schema!($type, Vec<$item>, usize, $range);
    };
}
pub(crate) use bounded_list;
