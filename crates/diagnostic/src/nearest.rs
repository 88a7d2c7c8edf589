//! Suggestions for misspelled names.

/// Number of characters that are compared. Limits the time for absurdly long names.
const MAX_COMPARED_CHARS: usize = 60;
/// Maximum number of names in a list, so that it remains readable.
const MAX_LISTED_NAMES: usize = 24;

/// Finds up to three of `candidates` that are similar to `name`, with the most similar first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c == '_' || c == ' ' { '-' } else { c })
        .take(MAX_COMPARED_CHARS)
        .collect();
    let length = name.chars().count();
    let max_distance = 2.max(length / 3);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let other: String = candidate
                .to_ascii_lowercase()
                .replace('_', "-")
                .chars()
                .take(MAX_COMPARED_CHARS)
                .collect();
            let is_prefix = length > 2 && (other.starts_with(&name) || name.starts_with(&other));
            let distance = strsim::levenshtein(&name, &other);
            // For short names, replacing every letter can be within the limit.
            let max_length = length.max(other.chars().count());
            let is_similar = distance < max_length && distance <= max_distance;
            (is_similar || is_prefix).then_some((distance, candidate))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    let min_distance = near.first().map_or(0, |&(distance, _)| distance);
    near.retain(|&(distance, _)| distance <= min_distance + 1);
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Formats a suggestion of similar names, followed by all valid ones:
/// ``write `b0`; valid here: `b0`, `b1` ``.
pub fn did_you_mean(name: &str, candidates: &[&str]) -> String {
    if candidates.is_empty() {
        return "there are none here; leave it out".to_owned();
    }
    let mut listed = join_quoted(candidates.get(..MAX_LISTED_NAMES).unwrap_or(candidates), ", ");
    if candidates.len() > MAX_LISTED_NAMES {
        listed.push_str(", …");
    }
    let near = nearest(name, candidates.iter().copied());
    if near.is_empty() {
        format!("valid here: {listed}")
    } else {
        format!("write {}; valid here: {listed}", join_quoted(&near, " or "))
    }
}

fn join_quoted(names: &[&str], separator: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_sorted_by_distance_and_others_are_not_suggested() {
        let names = ["viewport", "angles", "weights", "view", "inverse-bind"];
        assert_eq!(nearest("veiwport", names), ["viewport"]);
        assert_eq!(nearest("inverse_bind", names), ["inverse-bind"]);
        assert_eq!(nearest("wieghts", names), ["weights"]);
        assert!(nearest("zzzzzz", names).is_empty());
        assert!(nearest("", names).is_empty());
        assert_eq!(nearest("b3", ["b0", "q9"]), ["b0"]);
    }

    #[test]
    fn suggestions_list_similar_and_valid_names() {
        assert_eq!(did_you_mean("b9", &["b0", "nod"]), "write `b0`; valid here: `b0`, `nod`");
        assert_eq!(did_you_mean("xyzzy", &["nod"]), "valid here: `nod`");
        assert!(did_you_mean("x", &[]).contains("leave it out"));
    }
}
