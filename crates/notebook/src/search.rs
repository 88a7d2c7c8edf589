//! Full-text search over titles and passages.
//!
//! This file has the index of words. `context.rs` extracts the texts that readers see (prose,
//! and the questions and claims of cells, but no hints or solutions), and the part of a text
//! that is shown with a result. `page/search/` determines what can be found, which includes
//! bookmarks, notes and commands, and `page/search.rs` draws the window. To make something new
//! findable, add an entry in `page/search/state.rs` and a kind of `ResultGoal`.
//!
//! The index is built when the window is first opened, which takes some milliseconds, and
//! rebuilt after the lessons are reloaded. A query compares each distinct word once, in a part
//! of a millisecond.

mod context;

use std::collections::HashMap;
use std::ops::Range;

pub use context::{ContextLine, line, passages_of, step_passages};

/// Something that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchEntry<T> {
    /// Target of the result.
    pub goal: T,
    pub title: String,
    pub passages: Vec<String>,
}

/// A result of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchResult {
    /// Index in [`SearchIndex::entries`].
    pub entry: usize,
    /// The passage that matches best. `None` if only the title matches.
    pub passage: Option<usize>,
    /// Higher is better.
    pub score: f32,
    /// Number of words of the query that match.
    pub words: usize,
}

/// A query for one index, split into words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    words: Vec<TypedWord>,
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TypedWord {
    word: String,
    /// Is the word not in the index, so that typing errors are allowed?
    mistyped: bool,
}

impl TypedWord {
    /// Returns how well a word of a text matches, from 0 to 1.
    fn likeness(&self, word: &str) -> f32 {
        if self.mistyped { mistyped_likeness(&self.word, word) } else { likeness(&self.word, word) }
    }
}

/// Entries, and an index of their words.
#[derive(Clone, Debug)]
pub struct SearchIndex<T> {
    entries: Vec<SearchEntry<T>>,
    /// All distinct words.
    words: Vec<String>,
    /// The parts that contain each word. Titles and passages are parts, numbered through all
    /// entries.
    places: Vec<Vec<u32>>,
    /// The words of each part, in order.
    parts: Vec<Vec<u32>>,
    /// The part with the title of each entry. Its passages follow.
    titles: Vec<usize>,
}

/// Likeness of a typed word to each word of the index, and the best one in each part.
struct WordMatches {
    words: Vec<f32>,
    parts: Vec<f32>,
}

/// Weight of a word in a title, relative to one in a passage.
const TITLE_WEIGHT: f32 = 10.0;
/// Bonus for a title that equals the query.
const EXACT_TITLE_BONUS: f32 = 12.0;
/// Bonus for a title that starts with the query.
const TITLE_PREFIX_BONUS: f32 = 4.0;
/// Bonus for the share of a title that matches.
const TITLE_SHARE_BONUS: f32 = 3.0;
/// Bonus for a passage that contains the words of the query in their order.
const PHRASE_BONUS: f32 = 1.0;

impl SearchQuery {
    /// Returns whether the query has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the index of the query word that a word of a text matches.
    fn matching_word(&self, word: &str) -> Option<usize> {
        self.words.iter().position(|typed| typed.likeness(word) > 0.0)
    }
}

impl<T> Default for SearchIndex<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T> SearchIndex<T> {
    /// Builds the index of all titles and passages.
    pub fn new(entries: Vec<SearchEntry<T>>) -> Self {
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut all = Vec::new();
        let mut parts = Vec::new();
        let mut titles = Vec::new();
        for entry in &entries {
            titles.push(parts.len());
            for text in std::iter::once(&entry.title).chain(&entry.passages) {
                let words = split_words(text).map(|(_, word)| {
                    *known.entry(word).or_insert_with_key(|word| {
                        all.push(word.clone());
                        all.len() as u32 - 1
                    })
                });
                parts.push(words.collect::<Vec<u32>>());
            }
        }
        let words: Vec<String> = all;
        let mut places = vec![Vec::new(); words.len()];
        for (part, of_part) in parts.iter().enumerate() {
            for &word in of_part {
                let places: &mut Vec<u32> = &mut places[word as usize];
                if places.last() != Some(&(part as u32)) {
                    places.push(part as u32);
                }
            }
        }
        Self { entries, words, places, parts, titles }
    }

    /// Returns the entries in their original order.
    pub fn entries(&self) -> &[SearchEntry<T>] {
        &self.entries
    }

    /// Splits a typed text into a query for this index. Ignores words after the first dozen.
    pub fn query(&self, typed: &str) -> SearchQuery {
        const MAX_WORDS: usize = 12;
        let words = split_words(typed)
            .map(|(_, word)| word)
            .take(MAX_WORDS)
            .map(|typed| TypedWord {
                mistyped: !self.words.iter().any(|word| likeness(&typed, word) > 0.0),
                word: typed,
            })
            .collect();
        SearchQuery { words }
    }

    /// Returns the entries that match all words of a query, or otherwise the most words. The
    /// best entry is first.
    pub fn find(&self, query: &SearchQuery) -> Vec<SearchResult> {
        let answers: Vec<WordMatches> =
            query.words.iter().map(|typed| self.match_word(typed)).collect();
        let counts: Vec<usize> = (0..self.entries.len())
            .map(|entry| {
                answers
                    .iter()
                    .filter(|answer| self.entry_parts(entry).any(|part| answer.parts[part] > 0.0))
                    .count()
            })
            .collect();
        let max_count = counts.iter().copied().max().unwrap_or(0);
        if max_count == 0 {
            return Vec::new();
        }
        let mut found: Vec<SearchResult> = counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count == max_count)
            .map(|(entry, &words)| SearchResult { words, ..self.score_entry(entry, &answers) })
            .collect();
        found.sort_unstable_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then(a.entry.cmp(&b.entry))
        });
        found
    }

    fn entry_parts(&self, entry: usize) -> Range<usize> {
        let title = self.titles[entry];
        title..title + 1 + self.entries[entry].passages.len()
    }

    fn match_word(&self, typed: &TypedWord) -> WordMatches {
        let words: Vec<f32> = self.words.iter().map(|word| typed.likeness(word)).collect();
        let mut parts = vec![0.0_f32; self.parts.len()];
        for (word, like) in words.iter().enumerate().filter(|(_, like)| **like > 0.0) {
            for &part in &self.places[word] {
                let best = &mut parts[part as usize];
                *best = best.max(*like);
            }
        }
        WordMatches { words, parts }
    }

    fn score_entry(&self, entry: usize, answers: &[WordMatches]) -> SearchResult {
        let title = self.titles[entry];
        let passages = title + 1..self.entry_parts(entry).end;
        let best_passage = passages
            .clone()
            .map(|part| {
                let likeness: f32 = answers.iter().map(|answer| answer.parts[part]).sum();
                let has_phrase = likeness > 0.0 && self.has_phrase(answers, part);
                (likeness + if has_phrase { PHRASE_BONUS } else { 0.0 }, part)
            })
            .filter(|(likeness, _)| *likeness > 0.0)
            // Among equal passages, the first one.
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let word_score: f32 = answers
            .iter()
            .map(|answer| {
                let prose = answer.parts[passages.clone()].iter().copied();
                (TITLE_WEIGHT * answer.parts[title]).max(prose.fold(0.0, f32::max))
            })
            .sum();
        let passage_score =
            best_passage.map_or(0.0, |(likeness, _)| likeness / answers.len() as f32);
        SearchResult {
            entry,
            words: answers.len(),
            passage: best_passage.map(|(_, part)| part - title - 1),
            score: word_score + passage_score + self.title_score(title, answers),
        }
    }

    /// Returns the bonus for a title that equals or starts with the query, or has few other
    /// words.
    fn title_score(&self, title: usize, answers: &[WordMatches]) -> f32 {
        let words = &self.parts[title];
        let is_prefix = words.len() >= answers.len()
            && answers
                .iter()
                .zip(words)
                .all(|(answer, &word)| answer.words[word as usize] >= MIN_PREFIX_LIKENESS);
        let is_exact = is_prefix
            && words.len() == answers.len()
            && answers.iter().zip(words).all(|(answer, &word)| answer.words[word as usize] >= 1.0);
        let matching_count = words
            .iter()
            .filter(|&&word| answers.iter().any(|answer| answer.words[word as usize] > 0.0))
            .count();
        let share = TITLE_SHARE_BONUS * matching_count as f32 / words.len().max(1) as f32;
        if is_exact {
            share + EXACT_TITLE_BONUS
        } else if is_prefix {
            share + TITLE_PREFIX_BONUS
        } else {
            share
        }
    }

    /// Does a part contain the words of a query of several words in their order?
    fn has_phrase(&self, answers: &[WordMatches], part: usize) -> bool {
        answers.len() > 1
            && self.parts[part].windows(answers.len()).any(|words| {
                let mut pairs = words.iter().zip(answers);
                pairs.all(|(&word, answer)| answer.words[word as usize] > 0.0)
            })
    }
}

/// Splits a text into lowercase words with their byte ranges. A name such as
/// `world_from_joint` is one word.
fn split_words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text[rest..].find(is_word_char)?;
        let length = text[begin..].find(|c| !is_word_char(c));
        let end = length.map_or(text.len(), |length| begin + length);
        rest = end;
        Some((begin..end, fold_case(&text[begin..end])))
    })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn fold_case(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// Returns how well a word matches the typed one, from 0 for not at all to 1 for equal words.
/// Prefixes of the word, prefixes of a part of a name, and infixes match less.
fn likeness(typed: &str, word: &str) -> f32 {
    if word == typed {
        1.0
    } else if word.starts_with(typed) {
        // A longer prefix is more likely to be meant.
        MIN_PREFIX_LIKENESS + 0.2 * typed.len() as f32 / word.len() as f32
    } else if word.split('_').any(|part| part.starts_with(typed)) {
        0.6
    } else if typed.chars().count() >= MIN_INFIX_CHARS && word.contains(typed) {
        0.5
    } else {
        0.0
    }
}

/// Like [`likeness`], for a mistyped word: letters can be wrong, missing, superfluous or
/// transposed, one in a short word and two in a long one. Very short words must be exact. The
/// end of the word may be missing too.
fn mistyped_likeness(typed: &str, word: &str) -> f32 {
    let length = typed.chars().count();
    let max_typos = match length {
        0..MIN_MISTYPED_CHARS => return 0.0,
        MIN_MISTYPED_CHARS..MIN_TWO_TYPOS_CHARS => 1,
        _ => 2,
    };
    // Comparing the sets of letters excludes most words quickly.
    let foreign = letter_set(typed) & !letter_set(word);
    if foreign.count_ones() as usize > max_typos {
        return 0.0;
    }
    let whole = strsim::osa_distance(typed, word);
    let prefix = [length, length + 1]
        .into_iter()
        .filter_map(|length| {
            // Without a character after the prefix, `whole` has compared it.
            let (end, _) = word.char_indices().nth(length)?;
            Some(strsim::osa_distance(typed, &word[..end]))
        })
        .min()
        .unwrap_or(usize::MAX);
    if whole <= max_typos {
        0.4 - 0.05 * whole as f32
    } else if prefix <= max_typos {
        0.3 - 0.05 * prefix as f32
    } else {
        0.0
    }
}

/// Returns the letters of a word as bits. Letters of other scripts share bits.
fn letter_set(word: &str) -> u32 {
    word.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % 32))
}

/// Minimum likeness of a word that starts with the typed one.
const MIN_PREFIX_LIKENESS: f32 = 0.7;
/// Minimum length of an infix. Shorter ones occur in too many words.
const MIN_INFIX_CHARS: usize = 3;
/// Minimum length of a mistyped word. Shorter ones are similar to too many words.
const MIN_MISTYPED_CHARS: usize = 4;
/// Minimum length of a word with two typing errors.
const MIN_TWO_TYPOS_CHARS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn index(entries: &[(&str, &[&str])]) -> SearchIndex<()> {
        let entries = entries.iter().map(|(title, passages)| SearchEntry {
            goal: (),
            title: (*title).to_owned(),
            passages: passages.iter().map(|text| (*text).to_owned()).collect(),
        });
        SearchIndex::new(entries.collect())
    }

    fn titles<'a>(index: &'a SearchIndex<()>, typed: &str) -> Vec<&'a str> {
        let found = index.find(&index.query(typed));
        found.iter().map(|found| &*index.entries()[found.entry].title).collect()
    }

    #[test]
    fn titles_rank_above_prose_and_prefixes_above_infixes() {
        let index = index(&[
            ("Prose", &["Here the elbow collapses."]),
            ("Everything collapses", &[]),
            ("Collapse", &[]),
            ("Collapsing", &[]),
            ("A recollapse", &[]),
            ("Something else", &["…"]),
        ]);
        assert_eq!(
            titles(&index, "collaps"),
            ["Collapse", "Collapsing", "Everything collapses", "A recollapse", "Prose"]
        );
        assert_eq!(titles(&index, "colapse")[0], "Collapse", "mistyped");
        assert_eq!(titles(&index, "zebra"), [""; 0]);
        assert_eq!(titles(&index, " ,"), [""; 0]);
    }

    #[test]
    fn entries_match_all_words_and_phrases_rank_higher() {
        let index = index(&[
            ("One", &["A bind matrix.", "The inverse of it."]),
            ("Two", &["The inverse bind matrix."]),
            ("Three", &["An inverse."]),
        ]);
        assert_eq!(titles(&index, "inverse bind"), ["Two", "One"]);
        let found = index.find(&index.query("inverse bind"));
        assert_eq!(found[0].passage, Some(0));
        assert_eq!(
            titles(&index, "inverse zebra"),
            ["One", "Two", "Three"],
            "what answers to the most words"
        );
    }

    #[test]
    fn names_are_found_by_their_parts() {
        let index = index(&[("NODE_LOOP", &["A node is its own ancestor."])]);
        for typed in ["node loop", "loop", "NODE_LOOP", "node_lo"] {
            assert_eq!(titles(&index, typed), ["NODE_LOOP"], "{typed}");
        }
    }

    fn split(text: &str) -> Vec<String> {
        split_words(text).map(|(_, word)| word).collect()
    }

    #[test]
    fn words_end_at_signs_except_underscores() {
        assert_eq!(
            split("The joint’s *Inverse-Bind* matrix, world_from_joint(1) — Σw ≠ 1."),
            ["the", "joint", "s", "inverse", "bind", "matrix", "world_from_joint", "1", "σw", "1"]
        );
        let text = "ä, Bb";
        let places: Vec<&str> = split_words(text).map(|(at, _)| &text[at]).collect();
        assert_eq!(places, ["ä", "Bb"]);
        assert_eq!(split(" — "), [""; 0]);
    }

    #[test]
    fn exact_matches_rank_above_prefixes_infixes_and_typos() {
        let of = |typed, word| likeness(typed, word).max(mistyped_likeness(typed, word));
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
