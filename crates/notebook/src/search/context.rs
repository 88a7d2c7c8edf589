//! The part of a text that answers to a query, with what answers marked.

use std::ops::Range;

use super::Query;
use super::words::words;

/// A part of a text in one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextLine {
    /// With `…` where something is left out.
    pub text: String,
    /// What answers, in bytes.
    pub marks: Vec<Range<usize>>,
}

impl ContextLine {
    /// With nothing marked.
    pub fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), marks: Vec::new() }
    }
}

/// The part of about `most` characters of a text with the most words that answer.
/// The whole text where it is no longer.
pub fn line(text: &str, query: &Query, most: usize) -> ContextLine {
    let marks: Vec<(Range<usize>, usize)> =
        words(text).filter_map(|(at, word)| Some((at, query.answered_by(&word)?))).collect();
    let part = part(text, &marks, most);
    let lead = if part.start > 0 { "… " } else { "" };
    let tail = if part.end < text.len() { " …" } else { "" };
    let shown = format!("{lead}{}{tail}", &text[part.clone()]);
    let inside = marks.into_iter().filter(|(at, _)| part.contains(&at.start) && at.end <= part.end);
    let marks = inside.map(|(at, _)| {
        let moved = |byte: usize| byte - part.start + lead.len();
        moved(at.start)..moved(at.end)
    });
    ContextLine { marks: marks.collect(), text: shown }
}

/// From the beginning of a word to the end of one.
fn part(text: &str, marks: &[(Range<usize>, usize)], most: usize) -> Range<usize> {
    if text.chars().count() <= most {
        return 0..text.len();
    }
    // Some words stand before what answers.
    let before = most / 4;
    let from = |mark: &Range<usize>| {
        let lead = text[..mark.start].char_indices().rev().take(before).last();
        let lead = lead.map_or(0, |(at, _)| at);
        // A word that is cut is left out.
        let cut = text[..mark.start].get(lead..).unwrap_or_default();
        let word = if lead == 0 { Some(0) } else { cut.find(' ').map(|at| at + 1) };
        lead + word.unwrap_or(0)
    };
    let to = |from: usize| {
        let end = text[from..].char_indices().nth(most);
        let Some((end, _)) = end else {
            return text.len();
        };
        let cut = text[from..from + end].rfind(' ').unwrap_or(end);
        from + cut
    };
    let different = |part: &Range<usize>| {
        let inside = marks.iter().filter(|(at, _)| part.contains(&at.start));
        let mut words: Vec<usize> = inside.map(|(_, word)| *word).collect();
        words.sort_unstable();
        words.dedup();
        words.len()
    };
    let parts = marks.iter().map(|(at, _)| {
        let from = from(at);
        from..to(from)
    });
    // Of equals, the first.
    let best = parts.rev().max_by_key(different);
    best.unwrap_or_else(|| 0..to(0))
}

#[cfg(test)]
mod tests {
    use super::super::{Index, SearchEntry};
    use super::*;

    fn shown(text: &str, typed: &str, most: usize) -> (String, Vec<String>) {
        let index = Index::new(vec![SearchEntry {
            goal: (),
            title: String::new(),
            passages: vec![text.to_owned()],
        }]);
        let line = line(text, &index.query(typed), most);
        let marks = line.marks.iter().map(|at| line.text[at.clone()].to_owned());
        let marks = marks.collect();
        (line.text, marks)
    }

    #[test]
    fn a_short_text_is_whole_and_what_answers_is_marked() {
        let (text, marks) = shown("The Inverse bind matrix, B⁻¹.", "inv bidn matrix", 80);
        assert_eq!(text, "The Inverse bind matrix, B⁻¹.");
        assert_eq!(marks, ["Inverse", "bind", "matrix"]);
    }

    #[test]
    fn of_a_long_text_the_part_with_the_most_words_is_shown() {
        let text = "A joint first, and much about nothing at all. Then an élan of words until the \
            joint matrix of the vertex comes, and after it more than anybody would read.";
        let (part, marks) = shown(text, "joint matrix", 40);
        assert_eq!(marks, ["joint", "matrix"]);
        assert!(part.starts_with("… ") && part.ends_with(" …"), "{part}");
        assert!(part.chars().count() <= 44, "{part}");
        let (start, _) = shown(text, "zebra", 20);
        assert_eq!(start, "A joint first, and …");
        let (long, marks) = shown(&"é".repeat(300), "zebra", 40);
        assert!(long.ends_with('…') && marks.is_empty(), "{long}");
    }
}
