//! A text as the words that are compared: no capitals, no signs between them.

use std::ops::Range;

/// The words of a text in order, with their places in bytes. A name such as
/// `world_from_joint` is one word.
pub(super) fn words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text[rest..].find(is_of_word)?;
        let length = text[begin..].find(|c| !is_of_word(c));
        let end = length.map_or(text.len(), |length| begin + length);
        rest = end;
        Some((begin..end, folded(&text[begin..end])))
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn folded(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// How well a word answers to what was typed, from 0 (not at all) to 1: whole,
/// begun, with a part of its name begun, or with what was typed in its middle.
pub(super) fn likeness(typed: &str, word: &str) -> f32 {
    if word == typed {
        1.0
    } else if word.starts_with(typed) {
        // The more of the word is there, the surer it is meant.
        BEGUN + 0.2 * typed.len() as f32 / word.len() as f32
    } else if word.split('_').any(|part| part.starts_with(typed)) {
        0.6
    } else if typed.chars().count() >= LEAST_WITHIN && word.contains(typed) {
        0.5
    } else {
        0.0
    }
}

/// The same for a word that may be mistyped: letters that are wrong, missing, too
/// many or in the wrong order, one in a short word and two in a long one, and none
/// in a very short one. The end of the word may still be missing.
pub(super) fn likeness_of_mistyped(typed: &str, word: &str) -> f32 {
    let length = typed.chars().count();
    let most = match length {
        0..LEAST_MISTYPED => return 0.0,
        LEAST_MISTYPED..LONG => 1,
        _ => 2,
    };
    // Most words can be told apart by their letters alone.
    let foreign = letters(typed) & !letters(word);
    if foreign.count_ones() as usize > most {
        return 0.0;
    }
    let whole = strsim::osa_distance(typed, word);
    let begun = [length, length + 1].map(|length| {
        let end = word.char_indices().nth(length).map(|(at, _)| at);
        // As long as that, the word as a whole was compared.
        end.map_or(usize::MAX, |end| strsim::osa_distance(typed, &word[..end]))
    });
    let begun = begun.into_iter().min().unwrap_or(usize::MAX);
    match (whole <= most, begun <= most) {
        (true, _) => 0.4 - 0.05 * whole as f32,
        (_, true) => 0.3 - 0.05 * begun as f32,
        _ => 0.0,
    }
}

/// Which letters a word has, a bit for each; several of other scripts share one.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % 32))
}

/// At least so well answers a word that begins with what was typed.
pub(super) const BEGUN: f32 = 0.7;
/// Fewer letters stand in the middle of too many words.
const LEAST_WITHIN: usize = 3;
/// Shorter words are not mistyped: too many others are alike.
const LEAST_MISTYPED: usize = 4;
/// From so many letters on, two may be wrong.
const LONG: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        words(text).map(|(_, word)| word).collect()
    }

    #[test]
    fn words_end_at_signs_and_names_are_whole() {
        assert_eq!(
            split("The joint’s *Inverse-Bind* matrix, world_from_joint(1) — Σw ≠ 1."),
            ["the", "joint", "s", "inverse", "bind", "matrix", "world_from_joint", "1", "σw", "1"]
        );
        let text = "ä, Bb";
        let places: Vec<&str> = words(text).map(|(at, _)| &text[at]).collect();
        assert_eq!(places, ["ä", "Bb"]);
        assert_eq!(split(" — "), [""; 0]);
    }

    #[test]
    fn whole_is_better_than_begun_than_within_than_mistyped() {
        let of = |typed, word| likeness(typed, word).max(likeness_of_mistyped(typed, word));
        let found = [
            of("collapse", "collapse"),
            of("collaps", "collapse"),
            of("coll", "collapse"),
            of("coll", "no_collapse"),
            of("lapse", "collapse"),
            of("colapse", "collapse"),
            of("colaps", "collapse"),
            of("collagen", "collapse"),
        ];
        assert!(found.is_sorted_by(|a, b| a > b), "{found:?}");
        assert_eq!(found[7], 0.0);
        assert!(of("invrese", "inverse") > 0.0, "two letters changed places");
        assert_eq!(of("bon", "bin"), 0.0, "too short to be mistyped");
        assert_eq!(of("in", "bind"), 0.0, "too short to stand within");
    }
}
