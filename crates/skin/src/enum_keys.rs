//! Enums whose variants have names in lesson files, in links and on the command
//! line: the same everywhere, and written down once.

/// What [`keyed!`](crate::keyed) gives an enum, for code that works on any
/// of them.
pub trait Keyed: Copy + 'static {
    /// The names, in the order of the variants' `ALL`.
    const KEYS: &'static [&'static str];
    /// The name of this one.
    fn key(self) -> &'static str;
    /// The one of that name.
    fn from_key(key: &str) -> Option<Self>;
}

/// Makes an enum of which every variant has a name, and perhaps a label for
/// people: `Fetch = "texel-fetch" => "texture, texelFetch"`. It gets `ALL`, `key`,
/// `from_key` and `label`; with the features `serde` and `schema` it is read by the same
/// names, and its JSON Schema has them.
#[doc(hidden)]
#[macro_export]
macro_rules! keyed {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $key:literal => $label:literal,)+
    }) => {
        $crate::keyed! {
            $(#[$meta])*
            pub enum $name { $($(#[$doc])* $variant = $key,)+ }
        }

        impl $name {
            /// For people.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label,)+
                }
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $key:literal,)+
    }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every one, in the order in which they are offered.
            pub const ALL: [Self; [$($key),+].len()] = [$(Self::$variant),+];

            /// The name used in lesson files, links and on the command line.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)+
                }
            }

            /// From the name used in lesson files, links and on the command line.
            pub fn from_key(key: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.key() == key)
            }
        }

        impl $crate::Keyed for $name {
            const KEYS: &'static [&'static str] = &[$($key),+];

            fn key(self) -> &'static str {
                Self::key(self)
            }

            fn from_key(key: &str) -> Option<Self> {
                Self::from_key(key)
            }
        }

        $crate::keyed_deserialize!($name);
        $crate::keyed_schema!($name);
    };
}

// Macros of their own, so that this crate's features decide and not those of the crate
// that writes the enum.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! keyed_deserialize {
    ($name:ident) => {
        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::deserialize_key(deserializer)
            }
        }
    };
}

#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! keyed_deserialize {
    ($name:ident) => {};
}

#[cfg(feature = "schema")]
#[doc(hidden)]
#[macro_export]
macro_rules! keyed_schema {
    ($name:ident) => {
        impl $crate::schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                $crate::keys_schema::<Self>()
            }
        }
    };
}

#[cfg(not(feature = "schema"))]
#[doc(hidden)]
#[macro_export]
macro_rules! keyed_schema {
    ($name:ident) => {};
}

#[cfg(feature = "serde")]
pub use reading::deserialize_key;

#[cfg(feature = "serde")]
mod reading {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::Deserializer;
    use serde::de::{Error, Visitor};

    use super::Keyed;

    /// Reads a name; the error says which there are.
    pub fn deserialize_key<'de, T: Keyed, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        deserializer.deserialize_str(KeyVisitor(PhantomData))
    }

    struct KeyVisitor<T>(PhantomData<T>);

    impl<T: Keyed> Visitor<'_> for KeyVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a name in quotes")
        }

        fn visit_str<E: Error>(self, key: &str) -> Result<T, E> {
            T::from_key(key).ok_or_else(|| E::unknown_variant(key, T::KEYS))
        }
    }
}

/// One of the names, as JSON Schema.
#[cfg(feature = "schema")]
pub fn keys_schema<T: Keyed>() -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "enum": T::KEYS })
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::{SkinStage, deserialize_key};

    #[test]
    fn serde_and_key_say_the_same() {
        for stage in SkinStage::ALL {
            assert_eq!(SkinStage::from_key(stage.key()), Some(stage));
            let read = deserialize_key::<SkinStage, _>(serde_json::json!(stage.key()));
            assert_eq!(read.unwrap(), stage);
        }
        assert_eq!(SkinStage::from_key("pose"), None);
        let error = deserialize_key::<SkinStage, _>(serde_json::json!("pose")).unwrap_err();
        assert!(error.to_string().contains("`posed`"), "{error}");
    }
}
