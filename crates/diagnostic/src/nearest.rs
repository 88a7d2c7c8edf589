//! Names that were probably meant.

/// Longer names are cut before they are compared: the start is enough.
const COMPARED_CHARS: usize = 60;
/// A list of all names is only helpful while it can be read.
const LISTED_NAMES: usize = 24;

/// Up to three of `candidates` that are near to `name`, the nearest first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c == '_' || c == ' ' { '-' } else { c })
        .take(COMPARED_CHARS)
        .collect();
    let length = name.chars().count();
    let limit = 2.max(length / 3);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let other: String = candidate
                .to_ascii_lowercase()
                .replace('_', "-")
                .chars()
                .take(COMPARED_CHARS)
                .collect();
            let begun = length > 2 && (other.starts_with(&name) || name.starts_with(&other));
            let distance = strsim::levenshtein(&name, &other);
            // Replacing every letter is no likeness.
            let alike = distance < length.max(other.chars().count()) && distance <= limit;
            (alike || begun).then_some((distance, candidate))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    let best = near.first().map_or(0, |&(distance, _)| distance);
    near.retain(|&(distance, _)| distance <= best + 1);
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// A sentence that offers the nearest names, or all of them if none is near:
/// ``write `b0`; valid here: `b0`, `b1` ``.
pub fn did_you_mean(name: &str, candidates: &[&str]) -> String {
    if candidates.is_empty() {
        return "there are none here; leave it out".to_owned();
    }
    let quoted = |names: &[&str], between: &str| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(between)
    };
    let mut listed = quoted(candidates.get(..LISTED_NAMES).unwrap_or(candidates), ", ");
    if candidates.len() > LISTED_NAMES {
        listed.push_str(", …");
    }
    let near = nearest(name, candidates.iter().copied());
    if near.is_empty() {
        format!("valid here: {listed}")
    } else {
        format!("write {}; valid here: {listed}", quoted(&near, " or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first_and_strangers_do_not_come() {
        let names = ["viewport", "angles", "weights", "view", "inverse-bind"];
        assert_eq!(nearest("veiwport", names), ["viewport"]);
        assert_eq!(nearest("inverse_bind", names), ["inverse-bind"]);
        assert_eq!(nearest("wieghts", names), ["weights"]);
        assert!(nearest("zzzzzz", names).is_empty());
        assert!(nearest("", names).is_empty());
        assert_eq!(nearest("b3", ["b0", "q9"]), ["b0"]);
    }

    #[test]
    fn the_help_says_what_to_write() {
        assert_eq!(did_you_mean("b9", &["b0", "nod"]), "write `b0`; valid here: `b0`, `nod`");
        assert_eq!(did_you_mean("xyzzy", &["nod"]), "valid here: `nod`");
        assert!(did_you_mean("x", &[]).contains("leave it out"));
    }
}
