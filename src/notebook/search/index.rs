//! An index over titles and passages. It is made once; a query looks at each
//! different word once, and then at the places of those that answer.

use std::collections::HashMap;

use super::words::{likeness, likeness_of_mistyped, words};

/// Something that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<T> {
    /// What it leads to.
    pub goal: T,
    /// What it is called.
    pub title: String,
    /// What it says.
    pub passages: Vec<String>,
}

/// An entry that answers to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Its place in [`Index::entries`].
    pub entry: usize,
    /// The passage that answers best; `None`: only the title does.
    pub passage: Option<usize>,
    /// How well it answers: more is better.
    pub score: f32,
}

/// What was typed, as words that are looked for in one index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    words: Vec<Typed>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Typed {
    word: String,
    /// Is there no such word, so that it may be mistyped?
    mistyped: bool,
}

impl Typed {
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
    entries: Vec<Entry<T>>,
    /// Every different word, and its places.
    words: Vec<(String, Vec<Place>)>,
}

/// Where a word stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    entry: u32,
    /// 0: in the title; else in the passage before.
    part: u32,
}

/// A word in a title counts so much more than one in the prose.
const TITLE: f32 = 10.0;
/// More for a title that is what was typed, and for one that begins so.
const TITLE_IS: f32 = 12.0;
const TITLE_BEGINS: f32 = 4.0;
/// More for words that stand in one passage in the order in which they were typed.
const TOGETHER: f32 = 1.0;

impl Query {
    /// Has it no words?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Which of its words, by index, a word of a text answers to.
    pub(super) fn answered_by(&self, word: &str) -> Option<usize> {
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
    #[must_use]
    pub fn new(entries: Vec<Entry<T>>) -> Self {
        let mut places: HashMap<String, Vec<Place>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            let title = std::iter::once(&entry.title);
            for (part, text) in title.chain(&entry.passages).enumerate() {
                for (_, word) in words(text) {
                    places.entry(word).or_default().push(Place {
                        entry: index as u32,
                        part: part as u32,
                    });
                }
            }
        }
        let mut words: Vec<_> = places.into_iter().collect();
        words.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Self { entries, words }
    }

    /// As they were given.
    #[must_use]
    pub fn entries(&self) -> &[Entry<T>] {
        &self.entries
    }

    /// What was typed, as words to look for here; more than a dozen are not looked
    /// at.
    #[must_use]
    pub fn query(&self, typed: &str) -> Query {
        const MOST: usize = 12;
        let typed = words(typed).map(|(_, word)| word).take(MOST);
        let words = typed.map(|typed| Typed {
            mistyped: !self
                .words
                .iter()
                .any(|(word, _)| likeness(&typed, word) > 0.0),
            word: typed,
        });
        Query {
            words: words.collect(),
        }
    }

    /// What answers to every word of a query, the best first. Where nothing does,
    /// what answers to the most of them.
    #[must_use]
    pub fn find(&self, query: &Query) -> Vec<Found> {
        if query.is_empty() {
            return Vec::new();
        }
        // How well each word is answered, by entry and part.
        let answers: Vec<HashMap<u32, HashMap<u32, f32>>> = query
            .words
            .iter()
            .map(|typed| self.answers(typed))
            .collect();
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for entry in answers.iter().flat_map(HashMap::keys) {
            *counts.entry(*entry).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let entries = counts.iter().filter(|(_, count)| **count == most);
        let typed: Vec<&str> = query.words.iter().map(|typed| &*typed.word).collect();
        let mut found: Vec<Found> = entries
            .map(|(&entry, _)| {
                let parts = answers.iter().filter_map(|answer| answer.get(&entry));
                self.judged(entry as usize, &typed, &parts.collect::<Vec<_>>())
            })
            .collect();
        found.sort_unstable_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then(a.entry.cmp(&b.entry))
        });
        found
    }

    /// The places of all words that answer to one that was typed.
    fn answers(&self, typed: &Typed) -> HashMap<u32, HashMap<u32, f32>> {
        let mut answers: HashMap<u32, HashMap<u32, f32>> = HashMap::new();
        for (word, places) in &self.words {
            let like = typed.likeness(word);
            if like <= 0.0 {
                continue;
            }
            for place in places {
                let parts = answers.entry(place.entry).or_default();
                let best = parts.entry(place.part).or_default();
                *best = best.max(like);
            }
        }
        answers
    }

    /// `answers`: for each word that is answered, how well, by part.
    fn judged(&self, index: usize, typed: &[&str], answers: &[&HashMap<u32, f32>]) -> Found {
        let entry = &self.entries[index];
        let in_part = |part: u32| -> f32 {
            let likes = answers.iter().filter_map(|parts| parts.get(&part));
            likes.sum()
        };
        let passages = answers.iter().flat_map(|parts| parts.keys());
        let passages = passages.filter(|part| **part > 0).map(|&part| {
            let together = follows(typed, &entry.passages[part as usize - 1]);
            let more = if together { TOGETHER } else { 0.0 };
            (in_part(part) + more, part)
        });
        // Of equals, the first in the text.
        let best = passages.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let score: f32 = answers
            .iter()
            .map(|parts| {
                let title = parts.get(&0).copied().unwrap_or(0.0);
                let others = parts.iter().filter(|(part, _)| **part > 0);
                let prose = others.map(|(_, like)| *like).fold(0.0, f32::max);
                (TITLE * title).max(prose)
            })
            .sum();
        let together = best.map_or(0.0, |(likes, _)| likes / answers.len() as f32);
        Found {
            entry: index,
            passage: best.map(|(_, part)| part as usize - 1),
            score: score + together + self.of_title(index, typed),
        }
    }

    /// More for a title that is, or begins with, what was typed.
    fn of_title(&self, entry: usize, typed: &[&str]) -> f32 {
        let title: Vec<String> = words(&self.entries[entry].title)
            .map(|(_, word)| word)
            .collect();
        let (last, before) = typed.split_last().expect("a query has words");
        let begins = title.len() >= typed.len()
            && title[..before.len()] == *before
            && title[before.len()].starts_with(last);
        match () {
            () if title == typed => TITLE_IS,
            () if begins => TITLE_BEGINS,
            () => 0.0,
        }
    }
}

/// Do several words follow each other in a text as they were typed?
fn follows(typed: &[&str], text: &str) -> bool {
    if typed.len() < 2 {
        return false;
    }
    let words: Vec<String> = words(text).map(|(_, word)| word).collect();
    let mut places = words.windows(typed.len());
    places.any(|place| {
        let mut pairs = place.iter().zip(typed);
        pairs.all(|(word, typed)| word.starts_with(typed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(entries: &[(&str, &[&str])]) -> Index<()> {
        let entry = |(title, passages): &(&str, &[&str])| Entry {
            goal: (),
            title: (*title).to_owned(),
            passages: passages.iter().map(|text| (*text).to_owned()).collect(),
        };
        Index::new(entries.iter().map(entry).collect())
    }

    fn titles<'a>(index: &'a Index<()>, typed: &str) -> Vec<&'a str> {
        let found = index.find(&index.query(typed));
        let titles = found
            .iter()
            .map(|found| &*index.entries()[found.entry].title);
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
            [
                "Collapse",
                "Collapsing",
                "Everything collapses",
                "A recollapse",
                "Prose"
            ]
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
}
