//! Numbers that the text of a step quotes, as opposed to numbers that it computes.

use super::cell_texts::texts;
use super::{Inline, Lesson, LessonBlock, Passage};

/// Returns true if the prose of a step, one of its questions or one of its replies quotes a
/// number with at least this many decimals. A page that shows fewer would seem to contradict it.
///
/// Examples of the format of a live number are no quotes.
pub fn quotes_decimals(lesson: &Lesson, step: usize, decimals: usize) -> bool {
    let intro = if step == 0 { &*lesson.intro } else { &[] };
    let own = lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
    let mut staged = lesson.on_stage(step).flat_map(|cell| texts(&cell.kind));
    intro.iter().chain(own).any(|block| block_quotes(block, decimals))
        || staged.any(|(_, text)| passages_quote(&text.passages, decimals))
}

fn block_quotes(block: &LessonBlock, decimals: usize) -> bool {
    match block {
        LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => {
            inlines_quote(inlines, decimals)
        }
        LessonBlock::List { items, .. } => {
            items.iter().flatten().any(|block| block_quotes(block, decimals))
        }
        LessonBlock::Quote(blocks) => blocks.iter().any(|block| block_quotes(block, decimals)),
        LessonBlock::Table { header, rows, .. } => header
            .iter()
            .chain(rows.iter().flatten())
            .any(|inlines| inlines_quote(inlines, decimals)),
        LessonBlock::Cell(cell) => {
            texts(&cell.kind).into_iter().any(|(_, text)| passages_quote(&text.passages, decimals))
        }
        LessonBlock::Math(text) => has_decimals(text, decimals),
        LessonBlock::Code { .. } | LessonBlock::Rule | LessonBlock::Broken(_) => false,
    }
}

fn passages_quote(passages: &[Passage], decimals: usize) -> bool {
    passages.iter().any(|passage| match passage {
        Passage::Paragraph(inlines) => inlines_quote(inlines, decimals),
        Passage::Math(text) => has_decimals(text, decimals),
        Passage::List { items, .. } => items.iter().any(|inlines| inlines_quote(inlines, decimals)),
    })
}

fn inlines_quote(inlines: &[Inline], decimals: usize) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Text { text, .. } | Inline::Code(text) | Inline::Math(text) => {
            has_decimals(text, decimals)
        }
        Inline::Struck(_) | Inline::Task(_) | Inline::Break | Inline::Link { .. } => false,
    })
}

/// Returns true if a text has a number with at least this many digits after its point.
fn has_decimals(text: &str, decimals: usize) -> bool {
    text.match_indices('.').any(|(point, _)| {
        let is_number = text[..point].ends_with(|c: char| c.is_ascii_digit());
        let digits = text[point + 1..].bytes().take_while(u8::is_ascii_digit);
        is_number && digits.count() >= decimals
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LessonSet;

    #[test]
    fn decimals_are_counted_in_each_number_of_a_text() {
        for text in ["0.866", "at (1.5, −0.655).", "1.00025 long", "a. 2.25. 3.125"] {
            assert!(has_decimals(text, 3), "{text}");
        }
        for text in ["0.87", "1.5. 250 of them", "2,285", "", "2.", "….866"] {
            assert!(!has_decimals(text, 3), "{text}");
        }
    }

    fn quotes(step: &str) -> bool {
        let text = format!(
            "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n## One\n\n{step}\n"
        );
        let lesson = LessonSet::from_memory(&[("10-t", &text, "")], "").lessons.remove(0);
        quotes_decimals(&lesson, 0, 3)
    }

    #[test]
    fn quotes_are_found_in_prose_and_replies_but_not_in_live_numbers() {
        assert!(quotes("The chin is at 1.919."));
        assert!(quotes("- one\n- $h = 1.919$"));
        let ask = "```ask it\nask = \"How high?\"\nnumber = \"1\"\ntolerance = 0.1\n\
            why = \"It is 1.919.\"\nelse = \"No.\"\n```";
        assert!(quotes(ask));
        assert!(!quotes("It is now at [1.919](now:x(v6)), of 2,285."));
    }
}
