//! Names in links, records and folders.

/// Maximum length of a name in links and records.
pub(crate) const MAX_NAME_CHARS: usize = 40;

/// Whether the name consists of a-z, 0-9 and hyphens, with at least one character.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    !name.is_empty() && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}
