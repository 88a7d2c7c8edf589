//! The part of a text that answers to a query, with what answers marked.

use std::ops::Range;

use bindpose_lesson::{Cell, CellKind, Lesson, LessonBlock, inlines_text, math_text, open_texts};

use super::{Query, words};

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

// Blocks of prose as plain text: what readers see, without what it does. Links
// are their words; for numbers that is what they show when the step opens.

/// The text of blocks: a passage for each paragraph, item, row and listing. Of
/// cells, only what stands there from the beginning: no hint and no solution.
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
                    let cells = row.iter().map(|cell| inlines_text(cell));
                    let cells = cells.filter(|cell| !cell.is_empty());
                    add(&cells.collect::<Vec<_>>().join(" · "), out);
                }
            }
            LessonBlock::Code { text, .. } => add(text, out),
            LessonBlock::Math(tex) => add(&math_text(tex), out),
            LessonBlock::Cell(cell) => add_cell(cell, out),
            LessonBlock::Rule | LessonBlock::Broken(_) => {}
        }
    }
}

/// In one line, and nothing that is empty.
fn add(text: &str, out: &mut Vec<String>) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        out.push(text);
    }
}

/// What a cell says of itself before anything is done with it.
fn add_cell(cell: &Cell, out: &mut Vec<String>) {
    if let CellKind::Errata(errata) = &cell.kind {
        let number = errata.id.as_deref().unwrap_or_default();
        let (heading, claim) = (errata.heading(), errata.claim.words());
        add(&format!("{number} {heading}: {claim}"), out);
        add(&errata.correction.words(), out);
        add(&errata.why.words(), out);
        return;
    }
    if let CellKind::Stops(stops) = &cell.kind {
        for stop in &stops.stops {
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

// What a step says, all of it that stands on its page when it opens.

/// The passages of a step: the introduction of the lesson with the first, the
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

    #[test]
    fn prose_is_what_is_seen_and_answers_are_not_told() {
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
