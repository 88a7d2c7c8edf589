//! Blocks of prose as plain text: what readers see, without what it does. Links
//! are their words; for numbers that is what they show when the step opens.

use super::math_text::math_text;
use crate::lesson::{Block, Cell, CellKind, Inline};

/// The text of blocks: a passage for each paragraph, item, row and listing. Of
/// cells, only what stands there from the beginning: no hint and no solution.
#[must_use]
pub fn passages_of(blocks: &[Block]) -> Vec<String> {
    let mut passages = Vec::new();
    add_blocks(blocks, &mut passages);
    passages
}

fn add_blocks(blocks: &[Block], out: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Heading { inlines, .. } | Block::Paragraph(inlines) => {
                add(&inline_text(inlines), out);
            }
            Block::List { items, .. } => items.iter().for_each(|item| add_blocks(item, out)),
            Block::Quote(blocks) => add_blocks(blocks, out),
            Block::Table { header, rows, .. } => {
                for row in std::iter::once(header).chain(rows) {
                    let cells = row.iter().map(|cell| inline_text(cell));
                    let cells = cells.filter(|cell| !cell.is_empty());
                    add(&cells.collect::<Vec<_>>().join(" · "), out);
                }
            }
            Block::Code { text, .. } => add(text, out),
            Block::Math(tex) => add(&math_text(tex), out),
            Block::Cell(cell) => add_cell(cell, out),
            Block::Rule | Block::Broken(_) => {}
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

fn inline_text(inlines: &[Inline]) -> String {
    let texts = inlines.iter().map(|inline| match inline {
        Inline::Text { text, .. } | Inline::Code(text) | Inline::Link { text, .. } => text.clone(),
        Inline::Math(tex) => math_text(tex),
        Inline::Break => " ".to_owned(),
    });
    texts.collect()
}

/// What a cell says of itself before anything is done with it.
pub(super) fn add_cell(cell: &Cell, out: &mut Vec<String>) {
    let mut say = |text: &str| add(&without_marks(text), out);
    match &cell.kind {
        CellKind::Check(check) => say(&check.with(0).ask),
        CellKind::Predict(predict) => say(&predict.with(0).ask),
        CellKind::Errata(errata) => {
            let number = errata.id.as_deref().unwrap_or_default();
            say(&format!("{number} The articles say: {}", errata.claim));
            say(&errata.correction);
            say(&errata.why);
        }
        CellKind::Viewport(viewport) => say(viewport.caption.as_deref().unwrap_or_default()),
        CellKind::Stops(stops) => {
            for stop in &stops.stops {
                say(&format!("{}. {}", stop.label, stop.note));
            }
        }
        _ => {}
    }
}

/// Short texts of cells have a little markup.
fn without_marks(text: &str) -> String {
    let parts = text.split('$').enumerate();
    let parts = parts.map(|(part, text)| match part % 2 {
        1 => math_text(text),
        _ => text.replace(['`', '*'], ""),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::parse_lesson;

    #[test]
    fn prose_is_what_is_seen_and_answers_are_not_told() {
        let text = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n## One\n\n\
            Bend it by [30°](param:bend): *joint* $M_j^{-1}$ has `x`.\n\n\
            - first\n- [put back](set:bend=0)\n\n| a | b |\n| - | - |\n| $S$ | sum |\n\n\
            ```rust\nlet a = 1;\n```\n\n```check lift\nask = \"Bring `v0` to $p'$.\"\nlabel = \"h\"\n\
            measure = \"bend\"\ngoal = \"1\"\ntolerance = 0.1\nhints = [\"A nudge.\"]\n\
            solution = { bend = 1 }\nsolved = \"You did.\"\n```\n";
        let lesson = parse_lesson("20-a", text, "");
        assert_eq!(lesson.findings, []);
        assert_eq!(
            passages_of(&lesson.steps[0].blocks),
            [
                "Bend it by 30°: joint M_j⁻¹ has x.",
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
