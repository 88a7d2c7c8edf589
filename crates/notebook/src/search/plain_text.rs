//! Blocks of prose as plain text: what readers see, without what it does. Links
//! are their words; for numbers that is what they show when the step opens.

use bindpose_lesson::{Cell, CellKind, LessonBlock, inlines_text, math_text, open_texts};

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
pub(super) fn add_cell(cell: &Cell, out: &mut Vec<String>) {
    if let CellKind::Errata(errata) = &cell.kind {
        let number = errata.id.as_deref().unwrap_or_default();
        let claim = errata.claim.words();
        add(&format!("{number} The articles say: {claim}"), out);
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

#[cfg(test)]
mod tests {
    use bindpose_lesson::parse_lesson;

    use super::*;

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
