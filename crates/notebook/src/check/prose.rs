//! The prose of a step as its reader meets it: not too long, and not telling the
//! answer of a guess before it is revealed.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{
    Cell, CellKind, CheckCell, Inline, LessonBlock, LessonStep, Mentioned, OutlinePlace, open_texts,
};

use super::checker::Checker;

/// A step with more words than this takes more than a minute and a half to read.
const MOST_WORDS: usize = 220;

impl Checker<'_> {
    pub(super) fn prose(&mut self, index: usize, step: &LessonStep, at: LineColumn) {
        let words = words_of(&step.blocks);
        if words > MOST_WORDS {
            let title = format!("the step has {words} words, more than {MOST_WORDS}");
            let wrong = Diagnostic::said("LONG_STEP", title)
                .help("shorten it, link to what is told elsewhere, or make two steps of it");
            self.error_in(OutlinePlace::Step(index), at, wrong);
        }
        let guess = step.blocks.iter().position(is_guess);
        let Some((guess, below)) = guess.and_then(|at| step.blocks.get(at..)?.split_first()) else {
            return;
        };
        if below.iter().any(tells) {
            let title = "what stands below a guess is read before the answer is revealed";
            let help = "put it above the guess if it does not tell the answer, else into its `why` or a later step";
            let wrong = Diagnostic::said("TOLD_ANSWER", title).help(help);
            let at = self.place_of_cell(index, guess).unwrap_or(at);
            self.error_in(OutlinePlace::Step(index), at, wrong);
        }
    }

    /// Who is asked a question finds the answer: the page does not print it.
    pub(super) fn printed_goal(&mut self, place: OutlinePlace, cell: &CheckCell, at: LineColumn) {
        let printed = !cell.conditions.iter().any(|condition| condition.secret);
        if printed && cell.ask.source.contains('?') {
            let title = "the exercise asks a question and prints its answer as the goal";
            let help = "add `secret = true`, or say what to bring to which goal";
            let wrong = Diagnostic::said("TOLD_ANSWER", title).help(help);
            self.error_in(place, at, wrong);
        }
    }

    fn place_of_cell(&self, step: usize, block: &LessonBlock) -> Option<LineColumn> {
        let LessonBlock::Cell(cell) = block else {
            return None;
        };
        let mut mentions = self.outline.mentions.iter();
        let mention = mentions.find(|mention| {
            let same = |kind: &CellKind| *kind == cell.kind;
            mention.place == OutlinePlace::Step(step)
                && matches!(&mention.what, Mentioned::Cell { kind, .. } if same(kind.as_ref()))
        });
        mention.map(|mention| mention.at)
    }
}

fn is_guess(block: &LessonBlock) -> bool {
    matches!(block, LessonBlock::Cell(cell) if matches!(cell.kind, CellKind::Predict(_)))
}

/// Running text. What an errata card says is of the articles, and may stand.
fn tells(block: &LessonBlock) -> bool {
    let is_note = |cell: &Cell| matches!(cell.kind, CellKind::Note(_));
    matches!(block, LessonBlock::Cell(cell) if is_note(cell))
        || matches!(
            block,
            LessonBlock::Heading { .. }
                | LessonBlock::Paragraph(_)
                | LessonBlock::List { .. }
                | LessonBlock::Quote(_)
                | LessonBlock::Table { .. }
        )
}

/// The words that are open on the page: running text, tables and errata cards. A
/// formula within a sentence is a word. Listings, formulas of their own and what
/// other cells say are not counted.
fn words_of(blocks: &[LessonBlock]) -> usize {
    let each = blocks.iter().map(|block| match block {
        LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => words_in(inlines),
        LessonBlock::List { items, .. } => items.iter().map(|item| words_of(item)).sum(),
        LessonBlock::Quote(blocks) => words_of(blocks),
        LessonBlock::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            cells.map(|cell| words_in(cell)).sum()
        }
        LessonBlock::Cell(cell) => match &cell.kind {
            CellKind::Errata(_) | CellKind::Note(_) => {
                let texts = open_texts(&cell.kind);
                texts.map(|text| words_of(&text.blocks())).sum()
            }
            _ => 0,
        },
        LessonBlock::Code { .. }
        | LessonBlock::Math(_)
        | LessonBlock::Rule
        | LessonBlock::Broken(_) => 0,
    });
    each.sum()
}

fn words_in(inlines: &[Inline]) -> usize {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text { text: words, .. }
            | Inline::Code(words)
            | Inline::Struck(words)
            | Inline::Link { text: words, .. } => text.push_str(words),
            Inline::Math(_) => text.push('x'),
            Inline::Break | Inline::Task(_) => text.push(' '),
        }
    }
    words(&text)
}

/// What stands between spaces and has a letter or a digit.
fn words(text: &str) -> usize {
    let words = text.split_whitespace();
    words.filter(|word| word.contains(char::is_alphanumeric)).count()
}
