//! Check of claims: their words must be in the prose of the step, and their formula must not be
//! 0 on the page that they describe.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{Claim, LessonBlock, inlines_text, open_texts};

use super::checker::{Checker, KeyPositions};
use bindpose_notebook::{Derived, Edit, apply, step_document};

impl Checker<'_> {
    pub(super) fn check_claim(
        &mut self,
        at: LineColumn,
        claim: &Claim,
        keys: &[(String, LineColumn)],
    ) {
        let keys = KeyPositions { keys, cell_at: at };
        let finding_count = self.findings.len();
        let step = &self.lesson.steps[self.step_index()];
        if !step_text(&step.blocks).contains(&one_line(&claim.says)) {
            let title = format!("the step does not say “{}”", claim.says);
            let wrong = Diagnostic::said("CLAIM", title);
            self.error(keys.at("says"), wrong.help("write words exactly as they are in its prose"));
        }
        self.check_settings(&claim.set, "set", keys);
        if self.findings.len() > finding_count {
            return;
        }
        let Some(rig) = self.rig_with_numbers() else {
            return;
        };
        let mut document = step_document(self.lesson, self.step_index(), Some(&rig));
        let edit = Edit::Settings(claim.set.0.clone());
        if let Err(refused) = apply(&mut document, &edit, self.lesson, &rig) {
            return self.error(keys.at("set"), refused.into());
        }
        let derived = Derived::of_document(&document, Some(self.lesson), &rig);
        let at = keys.at("holds").right(1);
        match claim.holds.eval(&derived) {
            Err(error) => self.report_eval_error(at, &error),
            // A NaN fails the comparison.
            Ok(value) if value.abs() > 0.0 => {}
            Ok(value) => {
                let title = format!("“{}” is not true there: the formula is {value}", claim.says);
                let wrong = Diagnostic::said("CLAIM", title);
                self.error(at, wrong.help("correct the words, the formula or what is set"));
            }
        }
    }
}

/// Returns the open text of a step in one line: its prose and that of its cells.
fn step_text(blocks: &[LessonBlock]) -> String {
    let mut lines = Vec::new();
    for block in blocks {
        match block {
            LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => {
                lines.push(inlines_text(inlines));
            }
            LessonBlock::List { items, .. } => {
                lines.extend(items.iter().map(|item| step_text(item)));
            }
            LessonBlock::Quote(blocks) => lines.push(step_text(blocks)),
            LessonBlock::Table { header, rows, .. } => {
                let cells = header.iter().chain(rows.iter().flatten());
                lines.extend(cells.map(|cell| inlines_text(cell)));
            }
            LessonBlock::Cell(cell) => {
                lines.extend(open_texts(&cell.kind).map(|text| step_text(&text.blocks())));
            }
            LessonBlock::Code { .. }
            | LessonBlock::Math(_)
            | LessonBlock::Rule
            | LessonBlock::Broken(_) => {}
        }
    }
    one_line(&lines.join(" "))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{CellKind, LessonSet, MentionKind, OutlinePlace};
    use bindpose_rigs::builtin;

    use super::*;
    use crate::check_lessons;

    fn finding_titles(claim: &str) -> Vec<String> {
        let text = format!(
            "+++\ntitle = \"T\"\nabout = \"A\"\nminutes = 5\nrig = \"arm\"\n+++\n\n\
             ```viewport main\n```\n\n## At rest\n\n```claim\n{claim}\n```\n\n\
             The arm is as it is\nstored: *nothing* moves.\n"
        );
        let set = LessonSet::from_memory(&[("10-t", &text, "Notes.")], "");
        let found = check_lessons(&set, &builtin);
        found.iter().map(|finding| finding.title.clone()).collect()
    }

    #[test]
    fn claim_formula_is_evaluated_with_its_settings() {
        let at_rest =
            "says = \"as it is stored: nothing moves\"\nholds = \"max_displacement() < 1e-5\"";
        assert_eq!(finding_titles(at_rest), Vec::<String>::new());
        let bent = finding_titles(&format!("{at_rest}\nset = {{ bend = \"90deg\" }}"));
        assert_eq!(bent.len(), 1, "{bent:?}");
        assert!(bent[0].contains("is not true there"), "{bent:?}");
        let bends = "says = \"nothing moves\"\nset = { bend = \"90deg\" }\nholds = \"max_displacement() > 1\"";
        assert_eq!(finding_titles(bends), Vec::<String>::new());
        let finite = "says = \"nothing moves\"\nholds = \"not_finite() == 0\"";
        assert_eq!(finding_titles(finite), Vec::<String>::new());
    }

    #[test]
    fn claim_with_unknown_words_or_names_is_reported() {
        for (claim, wrong) in [
            ("says = \"all moves\"\nholds = \"1\"", "does not say “all moves”"),
            ("says = \"nothing moves\"\nholds = \"x(v99999)\"", "99999"),
            ("says = \"nothing moves\"\nset = { bnd = 1 }\nholds = \"1\"", "`bnd`"),
            ("says = \"nothing moves\"\nholds = \"0 / 0\"", "no finite value"),
        ] {
            let found = finding_titles(claim);
            assert!(found.iter().any(|title| title.contains(wrong)), "{claim}: {found:?}");
        }
    }

    /// Words of absolute statements, which need a claim.
    const ABSOLUTE: [&str; 5] = ["whole", "gone", "same", "never", "only"];

    #[test]
    fn absolute_statements_of_the_lessons_have_claims() {
        let set = LessonSet::embedded();
        let mut bare = Vec::new();
        for (lesson, outline) in set.outlined() {
            for (index, step) in lesson.steps.iter().enumerate() {
                let claimed = outline.mentions.iter().any(|mention| {
                    mention.place == OutlinePlace::Step(index)
                        && matches!(mention.what, MentionKind::Claim { .. })
                });
                // Corrections quote statements of other texts.
                let own: Vec<_> = step
                    .blocks
                    .iter()
                    .filter(|block| {
                        !matches!(block, LessonBlock::Cell(cell)
                            if matches!(cell.kind, CellKind::Errata(_)))
                    })
                    .cloned()
                    .collect();
                let text = step_text(&own).to_lowercase();
                let words = text.split(|c: char| !c.is_alphabetic());
                let absolute: Vec<&str> = words.filter(|word| ABSOLUTE.contains(word)).collect();
                if !claimed && !absolute.is_empty() {
                    bare.push(format!("{}/{}: {absolute:?}", lesson.slug, step.slug));
                }
            }
        }
        assert!(bare.is_empty(), "a claim block is wanted in {}: {bare:#?}", bare.len());
    }
}
