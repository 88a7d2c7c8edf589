//! Search: an index over titles and passages, as readers see them.
//!
//! # How things are found
//!
//! Here is the index of words; `context.rs` has the texts as readers see them (prose, what
//! cells ask and claim, never hints or solutions) and the line of context. `page/search/`
//! says what can be found, bookmarks, notes and commands among it; `page/search.rs` shows
//! it. What is new and should be found is an entry in `page/search/state.rs` and
//! a kind of `ResultGoal`. The index is made when the window is first opened, in some
//! milliseconds, and anew after the lessons were read again; a query looks at each
//! different word once, in a part of a millisecond.

mod context;

use std::collections::HashMap;
use std::ops::Range;

pub use context::{ContextLine, line, passages_of, step_passages};

/// Something that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchEntry<T> {
    /// What it leads to.
    pub goal: T,
    /// What it is called.
    pub title: String,
    /// What it says.
    pub passages: Vec<String>,
}

/// An entry that answers to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundEntry {
    /// Its place in [`Index::entries`].
    pub entry: usize,
    /// The passage that answers best; `None`: only the title does.
    pub passage: Option<usize>,
    /// How well it answers: more is better.
    pub score: f32,
    /// To how many words of the query it answers.
    pub words: usize,
}

/// What was typed, as words that are looked for in one index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    words: Vec<TypedWord>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TypedWord {
    word: String,
    /// Is there no such word, so that it may be mistyped?
    mistyped: bool,
}

impl TypedWord {
    /// How well a word of a text answers, from 0 to 1.
    fn likeness(&self, word: &str) -> f32 {
        if self.mistyped {
            likeness_of_mistyped(&self.word, word)
        } else {
            likeness(&self.word, word)
        }
    }
}

/// Entries, and where each word stands in them.
#[derive(Clone, Debug)]
pub struct Index<T> {
    entries: Vec<SearchEntry<T>>,
    /// Every different word.
    words: Vec<String>,
    /// Of each word, the parts in which it stands: titles and passages are parts,
    /// counted through all entries.
    places: Vec<Vec<u32>>,
    /// Of each part, its words in their order.
    parts: Vec<Vec<u32>>,
    /// Of each entry, its part with the title; the passages follow.
    titles: Vec<usize>,
}

/// How well one word that was typed is answered: by each word, and in each part.
struct WordMatch {
    words: Vec<f32>,
    parts: Vec<f32>,
}

/// A word in a title counts so much more than one in the prose.
const TITLE: f32 = 10.0;
/// More for a title that is what was typed, and for one that begins so.
const TITLE_IS: f32 = 12.0;
const TITLE_BEGINS: f32 = 4.0;
/// More, as far as what was typed is all of the title.
const TITLE_SHARE: f32 = 3.0;
/// More for words that stand in one passage in the order in which they were typed.
const TOGETHER: f32 = 1.0;

impl Query {
    /// Has it no words?
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Which of its words, by index, a word of a text answers to.
    fn answered_by(&self, word: &str) -> Option<usize> {
        let mut words = self.words.iter();
        words.position(|typed| typed.likeness(word) > 0.0)
    }
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T> Index<T> {
    /// Reads all titles and passages.
    pub fn new(entries: Vec<SearchEntry<T>>) -> Self {
        let mut known: HashMap<String, u32> = HashMap::new();
        let (mut all, mut parts, mut titles) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &entries {
            titles.push(parts.len());
            for text in std::iter::once(&entry.title).chain(&entry.passages) {
                let words = words(text).map(|(_, word)| {
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

    /// As they were given.
    pub fn entries(&self) -> &[SearchEntry<T>] {
        &self.entries
    }

    /// What was typed, as words to look for here; more than a dozen are not looked
    /// at.
    pub fn query(&self, typed: &str) -> Query {
        const MOST: usize = 12;
        let typed = words(typed).map(|(_, word)| word).take(MOST);
        let words = typed.map(|typed| TypedWord {
            mistyped: !self.words.iter().any(|word| likeness(&typed, word) > 0.0),
            word: typed,
        });
        Query { words: words.collect() }
    }

    /// What answers to every word of a query, the best first. Where nothing does,
    /// what answers to the most of them.
    pub fn find(&self, query: &Query) -> Vec<FoundEntry> {
        let answers: Vec<WordMatch> = query.words.iter().map(|typed| self.answer(typed)).collect();
        let answered = |entry: usize| {
            let here = |answer: &&WordMatch| {
                let mut parts = self.parts_of(entry);
                parts.any(|part| answer.parts[part] > 0.0)
            };
            answers.iter().filter(here).count()
        };
        let counts: Vec<usize> = (0..self.entries.len()).map(answered).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Vec::new();
        }
        let best = counts.iter().enumerate().filter(|(_, count)| **count == most);
        let best = best.map(|(entry, &words)| FoundEntry { words, ..self.judged(entry, &answers) });
        let mut found: Vec<FoundEntry> = best.collect();
        found.sort_unstable_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then(a.entry.cmp(&b.entry))
        });
        found
    }

    fn parts_of(&self, entry: usize) -> Range<usize> {
        let title = self.titles[entry];
        title..title + 1 + self.entries[entry].passages.len()
    }

    fn answer(&self, typed: &TypedWord) -> WordMatch {
        let words: Vec<f32> = self.words.iter().map(|word| typed.likeness(word)).collect();
        let mut parts = vec![0.0_f32; self.parts.len()];
        for (word, like) in words.iter().enumerate().filter(|(_, like)| **like > 0.0) {
            for &part in &self.places[word] {
                let best = &mut parts[part as usize];
                *best = best.max(*like);
            }
        }
        WordMatch { words, parts }
    }

    fn judged(&self, entry: usize, answers: &[WordMatch]) -> FoundEntry {
        let title = self.titles[entry];
        let passages = title + 1..self.parts_of(entry).end;
        let likes = passages.clone().map(|part| {
            let likes: f32 = answers.iter().map(|answer| answer.parts[part]).sum();
            let together = likes > 0.0 && self.follows(answers, part);
            (likes + if together { TOGETHER } else { 0.0 }, part)
        });
        let likes = likes.filter(|(likes, _)| *likes > 0.0);
        // Of equals, the first in the text.
        let best = likes.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let score = answers.iter().map(|answer| {
            let prose = answer.parts[passages.clone()].iter().copied();
            (TITLE * answer.parts[title]).max(prose.fold(0.0, f32::max))
        });
        let together = best.map_or(0.0, |(likes, _)| likes / answers.len() as f32);
        FoundEntry {
            entry,
            words: answers.len(),
            passage: best.map(|(_, part)| part - title - 1),
            score: score.sum::<f32>() + together + self.of_title(title, answers),
        }
    }

    /// More for a title that is, or begins with, what was typed, or has little else.
    fn of_title(&self, title: usize, answers: &[WordMatch]) -> f32 {
        let words = &self.parts[title];
        let like = |answer: &WordMatch, word: u32| answer.words[word as usize];
        let begins = words.len() >= answers.len()
            && answers.iter().zip(words).all(|(answer, &word)| like(answer, word) >= BEGUN);
        let is = begins
            && words.len() == answers.len()
            && answers.iter().zip(words).all(|(answer, &word)| like(answer, word) >= 1.0);
        let answering = words.iter().filter(|&&word| {
            let mut answers = answers.iter();
            answers.any(|answer| like(answer, word) > 0.0)
        });
        let share = TITLE_SHARE * answering.count() as f32 / words.len().max(1) as f32;
        share
            + match (is, begins) {
                (true, _) => TITLE_IS,
                (_, true) => TITLE_BEGINS,
                _ => 0.0,
            }
    }

    /// Do several words follow each other in a part as they were typed?
    fn follows(&self, answers: &[WordMatch], part: usize) -> bool {
        answers.len() > 1
            && self.parts[part].windows(answers.len()).any(|words| {
                let mut pairs = words.iter().zip(answers);
                pairs.all(|(&word, answer)| answer.words[word as usize] > 0.0)
            })
    }
}

// A text as the words that are compared: no capitals, no signs between them.

/// The words of a text in order, with their places in bytes. A name such as
/// `world_from_joint` is one word.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
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
fn likeness(typed: &str, word: &str) -> f32 {
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
fn likeness_of_mistyped(typed: &str, word: &str) -> f32 {
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
const BEGUN: f32 = 0.7;
/// Fewer letters stand in the middle of too many words.
const LEAST_WITHIN: usize = 3;
/// Shorter words are not mistyped: too many others are alike.
const LEAST_MISTYPED: usize = 4;
/// From so many letters on, two may be wrong.
const LONG: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn index(entries: &[(&str, &[&str])]) -> Index<()> {
        let entry = |(title, passages): &(&str, &[&str])| SearchEntry {
            goal: (),
            title: (*title).to_owned(),
            passages: passages.iter().map(|text| (*text).to_owned()).collect(),
        };
        Index::new(entries.iter().map(entry).collect())
    }

    fn titles<'a>(index: &'a Index<()>, typed: &str) -> Vec<&'a str> {
        let found = index.find(&index.query(typed));
        let titles = found.iter().map(|found| &*index.entries()[found.entry].title);
        titles.collect()
    }

    #[test]
    fn titles_come_before_prose_and_beginnings_before_middles() {
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
    fn every_word_counts_and_words_in_their_order_count_more() {
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
