//! Words in the form that names of folders and TOML ask for.

/// Names in links are no longer.
const MAX_SLUG: usize = 40;

/// In small letters, with hyphens for all that is no letter or digit of ASCII;
/// `otherwise` where nothing is left.
pub(super) fn ascii_slug(words: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    for c in words.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == MAX_SLUG {
            break;
        }
    }
    match slug.trim_end_matches('-') {
        "" => otherwise.to_owned(),
        slug => slug.to_owned(),
    }
}

/// A string of TOML.
pub(super) fn in_toml(text: &str) -> String {
    toml::Value::from(text).to_string()
}
