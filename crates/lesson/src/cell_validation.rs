//! Validation of cells beyond what their types ensure: keys that depend on each other, and on
//! the kind of question. Limits of single values are in `bounded.rs`.

use bindpose_diagnostic::Diagnostic;

use super::CellKind;
use super::plot_data::MAX_PATH_VERTICES;
use super::schema::{
    AnswerKind, AskCell, ChainCell, CompareCell, FaultsCell, MatrixCell, PictureCell, PlotCell,
    ViewportCell,
};

/// A value in the body of a cell that is out of range or contradicts another.
pub(crate) struct InvalidCell {
    /// Key of the value, such as `lines[0].expr`.
    pub(crate) key: String,
    pub(crate) error: Diagnostic,
}

impl InvalidCell {
    /// Prefixes the key with the path of the table around it.
    pub(crate) fn below(self, path: &str) -> Self {
        Self { key: format!("{path}.{}", self.key), ..self }
    }
}

/// Rejects bodies with numbers out of range or keys that contradict each other.
pub(crate) fn check_cell(kind: &CellKind) -> Result<(), InvalidCell> {
    match kind {
        CellKind::Viewport(cell) => check_viewport(cell),
        CellKind::Matrix(cell) => check_matrix(cell),
        CellKind::Chain(cell) => check_chain(cell),
        CellKind::Plot(cell) => check_plot(cell),
        CellKind::Compare(cell) => check_compare(cell),
        CellKind::Picture(cell) => check_picture(cell),
        CellKind::Ask(cell) => cell.iter().try_for_each(|draw| check_question(&draw.cell)),
        CellKind::Faults(cell) => check_faults(cell),
        CellKind::Angles(_)
        | CellKind::Weights(_)
        | CellKind::Texture(_)
        | CellKind::Tree(_)
        | CellKind::Doctor(_)
        | CellKind::ModelDifference(_)
        | CellKind::Bytes(_)
        | CellKind::EngineNumbers(_)
        | CellKind::Check(_)
        | CellKind::Stops(_)
        | CellKind::Learnt(_)
        | CellKind::Histogram(_)
        | CellKind::Predict(_)
        | CellKind::Brush(_)
        | CellKind::Quantiser(_)
        | CellKind::Pose(_)
        | CellKind::Shader(_)
        | CellKind::Proof(_)
        | CellKind::Stages(_)
        | CellKind::Conventions(_)
        | CellKind::Indices(_)
        | CellKind::Vertex(_)
        | CellKind::Timeline(_)
        | CellKind::Budget(_)
        | CellKind::Note(_)
        | CellKind::Errata(_) => Ok(()),
    }
}

pub(crate) fn reject(key: &str, error: Diagnostic, help: &str) -> Result<(), InvalidCell> {
    Err(InvalidCell { key: key.to_owned(), error: error.help(help) })
}

/// An error about the number of items in a list.
fn wrong_count(title: String, expected: &str, found: usize) -> Diagnostic {
    Diagnostic { title, ..Diagnostic::expected(expected, found.to_string()) }
}

fn check_viewport(cell: &ViewportCell) -> Result<(), InvalidCell> {
    match cell.rings.iter().position(|[first, last]| first >= last) {
        Some(index) => reject(
            &format!("rings[{index}]"),
            Diagnostic::expected("a first vertex before the last", "the other order"),
            "write the numbers of the first and the last vertex of the line",
        ),
        None => Ok(()),
    }
}

fn check_compare(cell: &CompareCell) -> Result<(), InvalidCell> {
    let count = cell.variants.len();
    match (cell.model_b, count) {
        (true, 0) | (false, 2..=3) => Ok(()),
        (true, _) => reject(
            "variants",
            Diagnostic::expected("no variants beside model-b = true", count.to_string()),
            "leave one of the two out",
        ),
        (false, _) => reject(
            "variants",
            Diagnostic::expected("two or three variants", count.to_string()),
            "write variants = [{ label = \"…\" }, { label = \"…\", set = { … } }]",
        ),
    }
}

fn check_chain(cell: &ChainCell) -> Result<(), InvalidCell> {
    if cell.goal.is_none() && (cell.ladder || !cell.solution.0.is_empty()) {
        reject(
            "ladder",
            Diagnostic::said("MISPLACED", "a ladder and a solution go with a goal"),
            "write goal = \"world_from_bind(1)\" too",
        )
    } else if cell.goal.is_some() && cell.ask.is_none() {
        reject(
            "goal",
            Diagnostic::said("MISPLACED", "a goal goes with a question"),
            "write ask = \"…\": what the reader is to do",
        )
    } else if cell.ladder && (cell.product.filled().is_none() || cell.product.0.is_empty()) {
        reject(
            "product",
            Diagnostic::said("MISPLACED", "a ladder begins with the whole product"),
            "write all factors, without blank places",
        )
    } else if cell.goal.is_some() && cell.solution().filled().is_none_or(|all| all.is_empty()) {
        reject(
            "solution",
            Diagnostic::said("MISPLACED", "a goal goes with a product that comes to it"),
            "write solution = \"world_from_joint(1) * joint_from_bind(1)\"",
        )
    } else {
        Ok(())
    }
}

fn check_matrix(cell: &MatrixCell) -> Result<(), InvalidCell> {
    let count = cell.show.len();
    if cell.memory && count == 0 {
        return reject(
            "memory",
            Diagnostic::expected("a matrix in `show`", "none"),
            "list it in `show`, or leave `memory` out",
        );
    }
    if cell.product && count < 2 {
        reject(
            "product",
            wrong_count(
                format!("a product needs two factors or more, found {count} matrices"),
                "two factors or more",
                count,
            ),
            "list the factors, then the product, in `show`",
        )
    } else if cell.difference && count != 2 {
        reject(
            "difference",
            wrong_count(
                format!("a difference needs 2 matrices, found {count}"),
                "2 matrices",
                count,
            ),
            "list two matrices in `show`",
        )
    } else {
        Ok(())
    }
}

fn check_plot(cell: &PlotCell) -> Result<(), InvalidCell> {
    check_plot_axis(cell)?;
    let mut editable = cell.lines.iter().enumerate().filter(|(_, line)| line.editable);
    if let Some((index, _)) = editable.nth(1) {
        return reject(
            &format!("lines[{index}].editable"),
            Diagnostic::expected("one line that readers rewrite", "a second one"),
            "leave `editable` out, or make another plot",
        );
    }
    for (index, line) in cell.lines.iter().enumerate() {
        let at = format!("lines[{index}]");
        match (&line.expr, &line.column) {
            (Some(_), None) | (None, Some(_)) if line.column.is_none() || cell.data.is_some() => {}
            (None, Some(_)) => reject(
                &at,
                Diagnostic::expected("data with the column", "none"),
                "add data = \"measured.csv\", or data = [[\"t\", \"height\"], [0, 1.5]]",
            )?,
            _ => reject(
                &at,
                Diagnostic::expected("a formula or a column", ""),
                "write expr = \"y(v2)\" or column = \"height\", one of the two",
            )?,
        }
    }
    Ok(())
}

/// Checks that a plot has exactly one horizontal axis, with all its keys.
fn check_plot_axis(cell: &PlotCell) -> Result<(), InvalidCell> {
    let vertex_count: usize = cell.along.iter().map(|part| part.count()).sum();
    match (cell.sweep.is_empty(), cell.along.is_empty(), &cell.data) {
        (false, false, _) => reject(
            "along",
            Diagnostic::expected("one horizontal axis", "`sweep` and `along`"),
            "leave one of the two out",
        ),
        (true, true, None) => reject(
            "lines",
            Diagnostic::expected("what stands along the horizontal axis", "nothing"),
            "write sweep = \"b0\" with from and to, or along = [[49, 72]], or data = …",
        ),
        (true, false, _) if !(2..=MAX_PATH_VERTICES).contains(&vertex_count) => reject(
            "along",
            Diagnostic::expected(
                format!("2 to {MAX_PATH_VERTICES} vertices"),
                vertex_count.to_string(),
            ),
            "write the first and the last vertex: along = [[49, 72]]",
        ),
        (false, ..) if cell.from.is_none() || cell.to.is_none() => reject(
            "sweep",
            Diagnostic::expected("`from` and `to`, where the sweep begins and ends", ""),
            "add from = 0 and to = 1",
        ),
        _ => match (cell.from, cell.to) {
            (Some(from), Some(to)) if from.0 >= to.0 => reject(
                "to",
                Diagnostic::expected("`to` above `from`", to.0.to_string()),
                "swap the two",
            ),
            _ => Ok(()),
        },
    }
}

/// Rejects faults listed twice, and a choice of a single one.
fn check_faults(cell: &FaultsCell) -> Result<(), InvalidCell> {
    let repeated =
        cell.faults.iter().enumerate().find(|&(at, fault)| cell.faults[..at].contains(fault));
    if let Some((at, fault)) = repeated {
        return reject(
            &format!("faults[{at}]"),
            Diagnostic::expected("each fault once", format!("`{}` twice", fault.id)),
            "leave one of the two out",
        );
    }
    if cell.diagnose && cell.faults.len() == 1 {
        return reject(
            "faults",
            wrong_count("there is nothing to tell apart".to_owned(), "two faults or more", 1),
            "list the faults among which the reader has to find the one that is on",
        );
    }
    Ok(())
}

/// Rejects an alternative text that does not describe the picture.
pub(crate) fn check_picture(cell: &PictureCell) -> Result<(), InvalidCell> {
    let alt = cell.alt.trim();
    let file = cell.file.name.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if alt.is_empty() {
        let expected = "words for those who do not see the picture";
        return reject("alt", Diagnostic::expected(expected, "none"), ALT_HELP);
    }
    if [&*cell.file.name, file, stem].iter().any(|name| alt.eq_ignore_ascii_case(name)) {
        let expected = "words for those who do not see the picture";
        let error = Diagnostic::expected(expected, "the name of its file");
        return reject("alt", error, ALT_HELP);
    }
    if alt.chars().count() > MAX_ALT_CHARS {
        let error = Diagnostic::expected(format!("at most {MAX_ALT_CHARS} characters"), "more");
        return reject("alt", error, "say what the picture shows, and the rest in the text");
    }
    Ok(())
}

/// Maximum length of an alternative text, which should be a short description.
const MAX_ALT_CHARS: usize = 1000;
const ALT_HELP: &str = "say in a sentence what it shows: alt = \"A hand with three joints, bent.\"";

/// Maximum number of choices of a question.
const MAX_CHOICES: usize = 9;
/// Maximum number of items to put in order; the content check tries every permutation.
const MAX_ORDER_ITEMS: usize = 6;

/// Rejects a question without exactly one kind of answer, with keys that do not apply to it,
/// or without a reply to a wrong answer.
fn check_question(cell: &AskCell) -> Result<(), InvalidCell> {
    let count = cell.answer_kinds().count();
    if count != 1 {
        let forms = "choices, number, words, order, vertex or joint";
        let title = format!("a question has one of {forms}, this one has {count}");
        let error = Diagnostic::said("QUESTION", title);
        return reject("ask", error, &format!("write one of {forms}"));
    }
    let is_number = matches!(cell.answer_kind(), Some(AnswerKind::Number(_)));
    let is_order = matches!(cell.answer_kind(), Some(AnswerKind::Order(_)));
    for (key, given, fits) in [
        ("several", cell.several, !cell.choices.is_empty()),
        ("tolerance", cell.tolerance.is_some(), is_number),
        ("unit", !cell.unit.is_empty(), is_number),
        ("product", cell.product.is_some(), is_order),
        ("wrong", !cell.wrong.is_empty(), cell.choices.is_empty()),
    ] {
        if given && !fits {
            let title = format!("`{key}` does not go with what this question asks for");
            return reject(key, Diagnostic::said("QUESTION", title), "leave it out");
        }
    }
    let mut missing = Vec::new();
    if is_number && cell.tolerance.is_none() {
        missing.push(("tolerance", "tolerance = 0.05 (how far off still counts)"));
    }
    if cell.choices.is_empty() && cell.otherwise.is_empty() {
        missing.push(("else", "else = \"…\" (to who is wrong)"));
    }
    if let [(first, _), ..] = missing[..] {
        let keys: Vec<String> = missing.iter().map(|(key, _)| format!("`{key}`")).collect();
        let lines: Vec<&str> = missing.iter().map(|&(_, line)| line).collect();
        let title = format!("this question lacks {}", keys.join(", "));
        let help = format!("add {}", lines.join(", "));
        return reject(first, Diagnostic::said("QUESTION", title), &help);
    }
    if is_order && !(2..=MAX_ORDER_ITEMS).contains(&cell.order.len()) {
        let expected = format!("2 to {MAX_ORDER_ITEMS} things to put in order");
        let error = Diagnostic::expected(expected, cell.order.len().to_string());
        return reject("order", error, "write order = [{ text = \"…\" }, { text = \"…\" }]");
    }
    if cell.choices.is_empty() { Ok(()) } else { check_choices(cell) }
}

/// Rejects choices of which too few or too many are right, or that lack a reply.
pub(crate) fn check_choices(cell: &AskCell) -> Result<(), InvalidCell> {
    let choices = &cell.choices;
    if !(2..=MAX_CHOICES).contains(&choices.len()) {
        let expected = format!("2 to {MAX_CHOICES} choices");
        let error = Diagnostic::expected(expected, choices.len().to_string());
        return reject("choices", error, "write choices = [{ text = \"…\", right = true }, …]");
    }
    let right = choices.iter().filter(|choice| choice.right).count();
    let (expected, fits, help) = if cell.several {
        (
            "at least one right and one wrong choice",
            right > 0 && right < choices.len(),
            "write `right = true` in what is right, and only there",
        )
    } else {
        (
            "one right choice",
            right == 1,
            "write `right = true` in one of them; in an `ask` block, `several = true` allows more",
        )
    };
    if !fits {
        let error = Diagnostic::expected(expected, format!("{right} right"));
        return reject("choices", error, help);
    }
    if let Some(index) = choices.iter().position(|choice| !choice.right && choice.reply.is_empty())
    {
        let title = "a wrong choice needs a reply";
        let help = "add reply = \"…\": what whoever chooses it should think of";
        let key = format!("choices[{index}]");
        return reject(&key, Diagnostic::said("QUESTION", title), help);
    }
    if cell.several && cell.otherwise.is_empty() {
        let title = "what is said where only some of the right choices are chosen is missing";
        let help = "add `else = \"…\"`";
        return reject("choices", Diagnostic::said("QUESTION", title), help);
    }
    Ok(())
}
