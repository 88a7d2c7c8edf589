//! What a schema allows and what makes no sense nevertheless.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::LANES;

use super::CellKind;
use super::cell_texts::key_of_condition;
use super::number::MAX_DECIMALS;
use super::plot_data::MAX_PATH;
use super::schema::{
    AskCell, AskedFor, BytesCell, ChainCell, CheckCell, Choice, CompareCell, Condition, DoctorCell,
    FaultsCell, MatrixCell, ModelDifferenceCell, PictureCell, PlotCell, TextureCell, TreeCell,
    ViewportCell,
};

/// A value that the schema allows and that makes no sense.
pub(crate) struct InvalidCell {
    pub(crate) key: String,
    pub(crate) wrong: Diagnostic,
}

/// Refuses numbers out of range and lists that do not fit their switch.
pub(crate) fn check_sense(kind: &CellKind) -> Result<(), InvalidCell> {
    match kind {
        CellKind::Viewport(cell) => viewport_sense(cell),
        CellKind::Weights(cell) => match cell.lanes {
            Some(lanes) if !(1..=LANES).contains(&lanes) => no(
                "lanes",
                Diagnostic::expected(format!("1 to {LANES} lanes"), lanes.to_string()),
                "write a number from 1 to 8, or leave the key out",
            ),
            _ => Ok(()),
        },
        CellKind::Matrix(cell) => matrix_sense(cell),
        CellKind::Chain(cell) => chain_sense(cell),
        CellKind::Plot(cell) => plot_sense(cell),
        CellKind::Texture(TextureCell { rows, .. })
        | CellKind::Tree(TreeCell { rows, .. })
        | CellKind::Doctor(DoctorCell { rows, .. })
        | CellKind::ModelDifference(ModelDifferenceCell { rows })
        | CellKind::Bytes(BytesCell { rows, .. }) => at_least_one("row", *rows),
        CellKind::EngineNumbers(cell) => at_least_one("line", cell.lines),
        CellKind::Compare(cell) => compare_sense(cell),
        CellKind::Check(cell) => cell.iter().try_for_each(|draw| exercise_sense(&draw.cell)),
        CellKind::Stops(cell) => match cell.stops.len() {
            2..=9 => Ok(()),
            count => no(
                "stops",
                Diagnostic::expected("two to nine stops", count.to_string()),
                "write stops = [{ label = \"…\", set = { … } }, { label = \"…\", set = { … } }]",
            ),
        },
        CellKind::Learnt(cell) => match cell.lines.len() {
            1..=6 => Ok(()),
            count => no(
                "lines",
                Diagnostic::expected("one to six lines", count.to_string()),
                "write lines = [{ say = \"…\", step = \"…\" }]",
            ),
        },
        CellKind::Histogram(cell) => height_sense(cell.height),
        CellKind::Picture(cell) => picture_sense(cell),
        CellKind::Predict(cell) => cell.iter().try_for_each(|draw| close_sense(draw.cell.close)),
        CellKind::Ask(cell) => cell.iter().try_for_each(|draw| ask_sense(&draw.cell)),
        CellKind::Faults(cell) => faults_sense(cell),
        CellKind::Angles(_)
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

fn no(key: &str, wrong: Diagnostic, help: &str) -> Result<(), InvalidCell> {
    Err(InvalidCell { key: key.to_owned(), wrong: wrong.help(help) })
}

/// Of rows or lines that are shown at once.
fn at_least_one(one: &str, count: Option<usize>) -> Result<(), InvalidCell> {
    if count != Some(0) {
        return Ok(());
    }
    let many = format!("{one}s");
    let wrong = Diagnostic::expected(format!("at least one {one}"), "0");
    no(&many, wrong, &format!("write how many {many} are shown, or leave the key out"))
}

fn decimals_sense(key: &str, decimals: Option<usize>) -> Result<(), InvalidCell> {
    if decimals.is_none_or(|decimals| decimals <= MAX_DECIMALS) {
        return Ok(());
    }
    let wrong = Diagnostic::expected(format!("at most {MAX_DECIMALS} decimals"), "");
    no(key, wrong, "write a number from 0 to 9")
}

fn few(title: String, expected: &str, found: usize) -> Diagnostic {
    Diagnostic { title, ..Diagnostic::expected(expected, found.to_string()) }
}

fn viewport_sense(cell: &ViewportCell) -> Result<(), InvalidCell> {
    if let Some(height) = cell.height.filter(|height| *height <= 0.0) {
        return no(
            "height",
            Diagnostic::expected("a height above 0", height.to_string()),
            "write how many world units are seen from top to bottom, such as 6.0",
        );
    }
    if let Some(most) = cell.tint_most.filter(|most| *most <= 0.0) {
        return no(
            "tint-most",
            Diagnostic::expected("a number above 0", most.to_string()),
            "write what gets the brightest colour, such as 0.2",
        );
    }
    match cell.rings.iter().position(|[first, last]| first >= last) {
        Some(index) => no(
            &format!("rings[{index}]"),
            Diagnostic::expected("a first vertex before the last", "the other order"),
            "write the numbers of the first and the last vertex of the line",
        ),
        None => Ok(()),
    }
}

fn compare_sense(cell: &CompareCell) -> Result<(), InvalidCell> {
    let count = cell.variants.len();
    match (cell.model_b, count) {
        (true, 0) | (false, 2..=3) => Ok(()),
        (true, _) => no(
            "variants",
            Diagnostic::expected("no variants beside model-b = true", count.to_string()),
            "leave one of the two out",
        ),
        (false, _) => no(
            "variants",
            Diagnostic::expected("two or three variants", count.to_string()),
            "write variants = [{ label = \"…\" }, { label = \"…\", set = { … } }]",
        ),
    }
}

fn chain_sense(cell: &ChainCell) -> Result<(), InvalidCell> {
    let misplaced = |words: &str| Diagnostic::said("MISPLACED", words);
    if cell.goal.is_none() && (cell.ladder || !cell.solution.0.is_empty()) {
        no(
            "ladder",
            misplaced("a ladder and a solution go with a goal"),
            "write goal = \"world_from_bind(1)\" too",
        )
    } else if cell.goal.is_some() && cell.ask.is_none() {
        no(
            "goal",
            misplaced("a goal goes with a question"),
            "write ask = \"…\": what the reader is to do",
        )
    } else if cell.ladder && (cell.product.filled().is_none() || cell.product.0.is_empty()) {
        no(
            "product",
            misplaced("a ladder begins with the whole product"),
            "write all factors, without blank places",
        )
    } else if cell.goal.is_some() && cell.solution().filled().is_none_or(|all| all.is_empty()) {
        no(
            "solution",
            misplaced("a goal goes with a product that comes to it"),
            "write solution = \"world_from_joint(1) * joint_from_bind(1)\"",
        )
    } else {
        decimals_sense("decimals", cell.decimals)
    }
}

fn matrix_sense(cell: &MatrixCell) -> Result<(), InvalidCell> {
    let count = cell.show.len();
    if cell.memory && count == 0 {
        return no(
            "memory",
            Diagnostic::expected("a matrix in `show`", "none"),
            "list it in `show`, or leave `memory` out",
        );
    }
    if cell.product && count < 2 {
        no(
            "product",
            few(
                format!("a product needs two factors or more, found {count} matrices"),
                "two factors or more",
                count,
            ),
            "list the factors, then the product, in `show`",
        )
    } else if cell.difference && count != 2 {
        no(
            "difference",
            few(format!("a difference needs 2 matrices, found {count}"), "2 matrices", count),
            "list two matrices in `show`",
        )
    } else {
        decimals_sense("decimals", cell.decimals)
    }
}

fn plot_sense(cell: &PlotCell) -> Result<(), InvalidCell> {
    if cell.lines.is_empty() {
        return no(
            "lines",
            few("a plot needs at least one line".to_owned(), "at least one line", 0),
            "write lines = [{ label = \"…\", expr = \"…\" }]",
        );
    }
    plot_axis_sense(cell)?;
    let mut editable = cell.lines.iter().enumerate().filter(|(_, line)| line.editable);
    if let (_, Some((index, _))) = (editable.next(), editable.next()) {
        return no(
            &format!("lines[{index}].editable"),
            Diagnostic::expected("one line that readers rewrite", "a second one"),
            "leave `editable` out, or make another plot",
        );
    }
    for (index, line) in cell.lines.iter().enumerate() {
        let at = format!("lines[{index}]");
        match (&line.expr, &line.column) {
            (Some(_), None) | (None, Some(_)) if line.column.is_none() || cell.data.is_some() => {}
            (None, Some(_)) => no(
                &at,
                Diagnostic::expected("data with the column", "none"),
                "add data = \"measured.csv\", or data = [[\"t\", \"height\"], [0, 1.5]]",
            )?,
            _ => no(
                &at,
                Diagnostic::expected("a formula or a column", ""),
                "write expr = \"y(v2)\" or column = \"height\", one of the two",
            )?,
        }
    }
    height_sense(cell.height)
}

/// A plot has one axis, and what belongs to it.
fn plot_axis_sense(cell: &PlotCell) -> Result<(), InvalidCell> {
    let path: usize = cell.along.iter().map(|part| part.count()).sum();
    match (cell.sweep.is_empty(), cell.along.is_empty(), &cell.data) {
        (false, false, _) => no(
            "along",
            Diagnostic::expected("one horizontal axis", "`sweep` and `along`"),
            "leave one of the two out",
        ),
        (true, true, None) => no(
            "lines",
            Diagnostic::expected("what stands along the horizontal axis", "nothing"),
            "write sweep = \"b0\" with from and to, or along = [[49, 72]], or data = …",
        ),
        (true, false, _) if !(2..=MAX_PATH).contains(&path) => no(
            "along",
            Diagnostic::expected(format!("2 to {MAX_PATH} vertices"), path.to_string()),
            "write the first and the last vertex: along = [[49, 72]]",
        ),
        (false, ..) if cell.from.is_none() || cell.to.is_none() => no(
            "sweep",
            Diagnostic::expected("`from` and `to`, where the sweep begins and ends", ""),
            "add from = 0 and to = 1",
        ),
        _ => match (cell.from, cell.to) {
            (Some(from), Some(to)) if from.0 >= to.0 => no(
                "to",
                Diagnostic::expected("`to` above `from`", to.0.to_string()),
                "swap the two",
            ),
            _ => Ok(()),
        },
    }
}

/// A choice, of which nothing stands there twice.
fn faults_sense(cell: &FaultsCell) -> Result<(), InvalidCell> {
    let twice = cell.faults.iter().enumerate();
    let twice = twice.skip(1).find(|(at, fault)| cell.faults[..*at].contains(fault));
    if let Some((at, fault)) = twice {
        return no(
            &format!("faults[{at}]"),
            Diagnostic::expected("each fault once", format!("`{}` twice", fault.id)),
            "leave one of the two out",
        );
    }
    if cell.diagnose && cell.faults.len() == 1 {
        return no(
            "faults",
            few("there is nothing to tell apart".to_owned(), "two faults or more", 1),
            "list the faults among which the reader has to find the one that is on",
        );
    }
    Ok(())
}

fn height_sense(height: Option<f32>) -> Result<(), InvalidCell> {
    match height {
        Some(height) if !(40.0..=2000.0).contains(&height) => no(
            "height",
            Diagnostic::expected("a height in points from 40 to 2000", ""),
            "write 180, or leave the key out",
        ),
        _ => Ok(()),
    }
}

/// Words for those who do not see it, and a width that it can have.
pub(crate) fn picture_sense(cell: &PictureCell) -> Result<(), InvalidCell> {
    let alt = cell.alt.trim();
    let file = cell.file.name.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if alt.is_empty() {
        let expected = "words for those who do not see the picture";
        return no("alt", Diagnostic::expected(expected, "none"), ALT_HELP);
    }
    if [&*cell.file.name, file, stem].iter().any(|name| alt.eq_ignore_ascii_case(name)) {
        let expected = "words for those who do not see the picture";
        let wrong = Diagnostic::expected(expected, "the name of its file");
        return no("alt", wrong, ALT_HELP);
    }
    if alt.chars().count() > MAX_ALT {
        let wrong = Diagnostic::expected(format!("at most {MAX_ALT} characters"), "more");
        return no("alt", wrong, "say what the picture shows, and the rest in the text");
    }
    match cell.width {
        Some(width) if !(0.05..=1.0).contains(&width) => no(
            "width",
            Diagnostic::expected("a part of the column from 0.05 to 1", width.to_string()),
            "write 0.6 for three fifths of the column, or leave the key out",
        ),
        _ => Ok(()),
    }
}

/// More is no alternative but a text.
const MAX_ALT: usize = 1000;
const ALT_HELP: &str = "say in a sentence what it shows: alt = \"A hand with three joints, bent.\"";

fn close_sense(close: f32) -> Result<(), InvalidCell> {
    if close > 0.0 {
        return Ok(());
    }
    no(
        "close",
        Diagnostic::expected("a distance above 0", close.to_string()),
        "write how near counts as right, such as 0.5",
    )
}

fn exercise_sense(cell: &CheckCell) -> Result<(), InvalidCell> {
    let wrong = |condition: &Condition| condition.tolerance.0 <= 0.0;
    if let Some(index) = cell.conditions.iter().position(wrong) {
        let tolerance = cell.conditions[index].tolerance.0;
        return no(
            &key_of_condition(index, "tolerance"),
            Diagnostic::expected("a tolerance above 0", tolerance.to_string()),
            "write how far off still counts, such as 0.05",
        );
    }
    cell.conditions.iter().enumerate().try_for_each(|(index, condition)| {
        decimals_sense(&key_of_condition(index, "decimals"), condition.decimals)
    })
}

/// More are not read by anybody.
const MOST_CHOICES: usize = 9;
/// Every order of so many can be tried.
const MOST_IN_ORDER: usize = 6;

/// Refuses a question that asks for nothing, for two things, or in which a wrong
/// answer has no reply.
fn ask_sense(cell: &AskCell) -> Result<(), InvalidCell> {
    let count = cell.all_asked_for().count();
    if count != 1 {
        let forms = "choices, number, words, order, vertex or joint";
        let title = format!("a question has one of {forms}, this one has {count}");
        let wrong = Diagnostic::said("QUESTION", title);
        return no("ask", wrong, &format!("write one of {forms}"));
    }
    let is = |asked: fn(&AskedFor<'_>) -> bool| cell.asked_for().as_ref().is_some_and(asked);
    let is_number = is(|asked| matches!(asked, AskedFor::Number(_)));
    let is_order = is(|asked| matches!(asked, AskedFor::Order(_)));
    for (key, given, fits) in [
        ("several", cell.several, !cell.choices.is_empty()),
        ("tolerance", cell.tolerance.is_some(), is_number),
        ("unit", !cell.unit.is_empty(), is_number),
        ("product", cell.product.is_some(), is_order),
        ("wrong", !cell.wrong.is_empty(), cell.choices.is_empty()),
    ] {
        if given && !fits {
            let title = format!("`{key}` does not go with what this question asks for");
            return no(key, Diagnostic::said("QUESTION", title), "leave it out");
        }
    }
    let lacks = [
        ("tolerance", "how far off still counts", is_number && cell.tolerance.is_none()),
        ("else", "to who is wrong", cell.choices.is_empty() && cell.otherwise.is_empty()),
    ];
    let lacks: Vec<_> = lacks.into_iter().filter(|(.., lacks)| *lacks).collect();
    if let [(first, ..), ..] = lacks[..] {
        let keys = lacks.iter().map(|(key, ..)| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let lines = lacks.iter().map(|(key, what, _)| match *key {
            "tolerance" => format!("tolerance = 0.05 ({what})"),
            key => format!("{key} = \"…\" ({what})"),
        });
        let help = format!("add {}", lines.collect::<Vec<_>>().join(", "));
        let title = format!("this question lacks {keys}");
        return no(first, Diagnostic::said("QUESTION", title), &help);
    }
    if cell.tolerance.is_some_and(|tolerance| tolerance.0 <= 0.0) {
        let wrong = Diagnostic::expected("a tolerance above 0", "");
        return no("tolerance", wrong, "write how far off still counts, such as 0.05");
    }
    if is_order && !(2..=MOST_IN_ORDER).contains(&cell.order.len()) {
        let expected = format!("2 to {MOST_IN_ORDER} things to put in order");
        let wrong = Diagnostic::expected(expected, cell.order.len().to_string());
        return no("order", wrong, "write order = [{ text = \"…\" }, { text = \"…\" }]");
    }
    choices_sense(cell)
}

fn choices_sense(cell: &AskCell) -> Result<(), InvalidCell> {
    let choices = &cell.choices;
    if choices.is_empty() {
        return Ok(());
    }
    if !(2..=MOST_CHOICES).contains(&choices.len()) {
        let expected = format!("2 to {MOST_CHOICES} choices");
        let wrong = Diagnostic::expected(expected, choices.len().to_string());
        return no("choices", wrong, "write choices = [{ text = \"…\", right = true }, …]");
    }
    let right = choices.iter().filter(|choice| choice.right).count();
    let (expected, fits) = if cell.several {
        ("at least one right and one wrong choice", right > 0 && right < choices.len())
    } else {
        ("one right choice", right == 1)
    };
    if !fits {
        let wrong = Diagnostic::expected(expected, format!("{right} right"));
        let help = "write `right = true` in what is right, and `several = true` at the \
                    question where several are";
        return no("choices", wrong, help);
    }
    let unanswered = |choice: &Choice| !choice.right && choice.reply.is_empty();
    if let Some(index) = choices.iter().position(unanswered) {
        let title = "a wrong choice needs a reply";
        let help = "add reply = \"…\": what whoever chooses it should think of";
        let key = format!("choices[{index}]");
        return no(&key, Diagnostic::said("QUESTION", title), help);
    }
    if cell.several && cell.otherwise.is_empty() {
        let title = "what is said where only some of the right choices are chosen is missing";
        let help = "add `else = \"…\"`";
        return no("choices", Diagnostic::said("QUESTION", title), help);
    }
    Ok(())
}
