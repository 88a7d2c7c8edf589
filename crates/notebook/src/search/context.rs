//! Searchable texts of lessons, and the part of a text that is shown with a result.

use std::ops::Range;

use bindpose_lesson::{Cell, CellKind, Lesson, LessonBlock, inlines_text, math_text, open_texts};

use super::{SearchQuery, split_words};

/// A part of a text in one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextLine {
    /// The part, with `…` for omitted text.
    pub text: String,
    /// Byte ranges of the words that match.
    pub marks: Vec<Range<usize>>,
}

impl ContextLine {
    /// Creates a line without marks.
    pub fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), marks: Vec::new() }
    }
}

/// Returns the part of about `max_chars` characters of a text with the most matching words.
/// Returns the whole text if it is not longer.
pub fn line(text: &str, query: &SearchQuery, max_chars: usize) -> ContextLine {
    let marks: Vec<(Range<usize>, usize)> = split_words(text)
        .filter_map(|(at, word)| Some((at, query.matching_word(&word)?)))
        .collect();
    let part = best_part(text, &marks, max_chars);
    let lead = if part.start > 0 { "… " } else { "" };
    let tail = if part.end < text.len() { " …" } else { "" };
    let shown = format!("{lead}{}{tail}", &text[part.clone()]);
    let marks = marks
        .into_iter()
        .filter(|(at, _)| part.contains(&at.start) && at.end <= part.end)
        .map(|(at, _)| at.start - part.start + lead.len()..at.end - part.start + lead.len())
        .collect();
    ContextLine { marks, text: shown }
}

/// Returns the part with the most different matching words, from the start to the end of a
/// word. Among equal parts, returns the first.
fn best_part(text: &str, marks: &[(Range<usize>, usize)], max_chars: usize) -> Range<usize> {
    if text.chars().count() <= max_chars {
        return 0..text.len();
    }
    let mut best: Option<(usize, Range<usize>)> = None;
    for (mark, _) in marks {
        let start = part_start(text, mark.start, max_chars / 4);
        let part = start..part_end(text, start, max_chars);
        let mut words: Vec<usize> = marks
            .iter()
            .filter(|(at, _)| part.contains(&at.start))
            .map(|(_, word)| *word)
            .collect();
        words.sort_unstable();
        words.dedup();
        if best.as_ref().is_none_or(|(count, _)| words.len() > *count) {
            best = Some((words.len(), part));
        }
    }
    best.map_or_else(|| 0..part_end(text, 0, max_chars), |(_, part)| part)
}

/// Returns the start of a word at most `lead_chars` characters before a mark.
fn part_start(text: &str, mark_start: usize, lead_chars: usize) -> usize {
    let lead = text[..mark_start].char_indices().rev().take(lead_chars).last();
    let lead = lead.map_or(0, |(at, _)| at);
    if lead == 0 {
        return 0;
    }
    // Skips a word that would be cut.
    let before_mark = text[..mark_start].get(lead..).unwrap_or_default();
    lead + before_mark.find(' ').map_or(0, |at| at + 1)
}

/// Returns the end of the last word within `max_chars` characters.
fn part_end(text: &str, start: usize, max_chars: usize) -> usize {
    let Some((end, _)) = text[start..].char_indices().nth(max_chars) else {
        return text.len();
    };
    start + text[start..start + end].rfind(' ').unwrap_or(end)
}

/// Returns the plain text of blocks as readers see it, with a passage for each paragraph,
/// item, row and listing. Links are their text, which for numbers is the value at the start of
/// the step. Cells only have their initial text, without hints and solutions.
pub fn passages_of(blocks: &[LessonBlock]) -> Vec<String> {
    let mut passages = Vec::new();
    add_blocks(blocks, &mut passages);
    passages
}

fn add_blocks(blocks: &[LessonBlock], out: &mut Vec<String>) {
    for block in blocks {
        match block {
            LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => {
                add(&inlines_text(inlines), out);
            }
            LessonBlock::List { items, .. } => items.iter().for_each(|item| add_blocks(item, out)),
            LessonBlock::Quote(blocks) => add_blocks(blocks, out),
            LessonBlock::Table { header, rows, .. } => {
                for row in std::iter::once(header).chain(rows) {
                    let cells: Vec<String> = row
                        .iter()
                        .map(|cell| inlines_text(cell))
                        .filter(|cell| !cell.is_empty())
                        .collect();
                    add(&cells.join(" · "), out);
                }
            }
            LessonBlock::Code { text, .. } => add(text, out),
            LessonBlock::Math(tex) => add(&math_text(tex), out),
            LessonBlock::Cell(cell) => add_cell(cell, out),
            LessonBlock::Rule | LessonBlock::Broken(_) => {}
        }
    }
}

/// Adds a text in one line, unless it is empty.
fn add(text: &str, out: &mut Vec<String>) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        out.push(text);
    }
}

/// Adds the initial text of a cell.
fn add_cell(cell: &Cell, out: &mut Vec<String>) {
    if let CellKind::Errata(errata) = &cell.kind {
        let number = errata.id.as_deref().unwrap_or_default();
        let heading = errata.heading();
        let claim = errata.claim.words();
        add(&format!("{number} {heading}: {claim}"), out);
        add(&errata.correction.words(), out);
        add(&errata.why.words(), out);
        return;
    }
    if let CellKind::Stops(stops) = &cell.kind {
        for stop in stops.stops.iter() {
            add(&format!("{}. {}", stop.label.words(), stop.note.words()), out);
        }
        return;
    }
    if let CellKind::Picture(picture) = &cell.kind {
        add(&picture.alt, out);
    }
    if let CellKind::Note(note) = &cell.kind {
        add(&note.title.words(), out);
    }
    for text in open_texts(&cell.kind) {
        add_blocks(&text.blocks(), out);
    }
}

/// Returns the initial passages of a step: the introduction if it is the first step, the
/// prose, and the cells that the step adds to the stage.
pub fn step_passages(lesson: &Lesson, step: usize) -> Vec<String> {
    let mut passages = Vec::new();
    if step == 0 {
        passages.extend(passages_of(&lesson.intro));
    }
    let Some(step) = lesson.steps.get(step) else {
        return passages;
    };
    passages.extend(passages_of(&step.blocks));
    for cell in &step.stage {
        add_cell(cell, &mut passages);
    }
    passages
}

#[cfg(test)]
mod tests {

    use bindpose_lesson::parse_lesson;

    use super::super::{SearchEntry, SearchIndex};
    use super::*;

    fn shown(text: &str, typed: &str, most: usize) -> (String, Vec<String>) {
        let index = SearchIndex::new(vec![SearchEntry {
            goal: (),
            title: String::new(),
            passages: vec![text.to_owned()],
        }]);
        let line = line(text, &index.query(typed), most);
        let marks = line.marks.iter().map(|at| line.text[at.clone()].to_owned()).collect();
        (line.text, marks)
    }

    #[test]
    fn short_text_is_whole_with_marks() {
        let (text, marks) = shown("The Inverse bind matrix, B⁻¹.", "inv bidn matrix", 80);
        assert_eq!(text, "The Inverse bind matrix, B⁻¹.");
        assert_eq!(marks, ["Inverse", "bind", "matrix"]);
    }

    #[test]
    fn part_of_a_long_text_with_the_most_words_is_shown() {
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

    #[test]
    fn passages_contain_visible_text_without_answers() {
        let text = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n## One\n\n\
            Bend it by [30°](param:bend): *joint* $M_j^{-1}$ has `x`.\n\n\
            ![Two bones, bent](a.png \"As drawn\")\n\n- first\n- [put back](set:bend=0)\n\n| a | b |\n| - | - |\n| $S$ | sum |\n\n\
            ```rust\nlet a = 1;\n```\n\n```check lift\nask = \"Bring `v0` to $p'$.\"\nlabel = \"h\"\n\
            measure = \"bend\"\ngoal = \"1\"\ntolerance = 0.1\nhints = [\"A nudge.\"]\n\
            solution = { bend = 1 }\nsolved = \"You did.\"\n```\n";
        let lesson = parse_lesson("20-a", text, "");
        assert_eq!(lesson.findings, []);
        assert_eq!(
            passages_of(&lesson.steps[0].blocks),
            [
                "Bend it by 30°: joint M_j⁻¹ has x.",
                "Two bones, bent",
                "As drawn",
                "first",
                "put back",
                "a · b",
                "S · sum",
                "let a = 1;",
                "Bring v0 to p′."
            ]
        );
    }
}
