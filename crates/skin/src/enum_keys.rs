//! Enums whose variants have keys: names that are the same in lesson files, in links and
//! on the command line.

/// An enum defined by [`keyed!`](crate::keyed), for generic code.
pub trait Keyed: Copy + 'static {
    /// The keys of all variants, in the order of the enum's `ALL`.
    const KEYS: &'static [&'static str];
    /// Returns the key of this variant.
    fn key(self) -> &'static str;
    /// Finds the variant with the given key. Returns `None` if there is none.
    fn from_key(key: &str) -> Option<Self>;
}

/// Defines an enum whose variants have keys, and optionally labels for display:
/// `Fetch = "texel-fetch" => "texture, texelFetch"`.
///
/// Generates `ALL`, `key`, `from_key` and `label`. With the feature `serde` the enum
/// deserializes from its keys, and with `schema` its JSON Schema lists them.
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
            /// Returns the label for display.
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
            /// All variants, in the order of menus and lists.
            pub const ALL: [Self; [$($key),+].len()] = [$(Self::$variant),+];

            /// Returns the key used in lesson files, links and on the command line.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)+
                }
            }

            /// Finds the variant with the given key. Returns `None` if there is none.
            pub fn from_key(key: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|variant| variant.key() == key)
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

// Separate macros, because a `cfg` inside `keyed!` would test the features of the crate that
// defines the enum. Here it tests the features of this crate.
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
pub use deserialization::deserialize_key;

#[cfg(feature = "serde")]
mod deserialization {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::Deserializer;
    use serde::de::{Error, Visitor};

    use super::Keyed;

    /// Deserializes an enum from its key.
    ///
    /// # Errors
    /// Returns an error that lists the known keys if the text is none of them.
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

/// Returns the JSON Schema of an enum: a string that is one of its keys.
#[cfg(feature = "schema")]
pub fn keys_schema<T: Keyed>() -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "enum": T::KEYS })
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::{SkinStage, deserialize_key};

    #[test]
    fn serde_reads_the_same_keys_as_from_key() {
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
