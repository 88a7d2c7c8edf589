//! What a schema allows and what makes no sense nevertheless.

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::LANES;

use super::CellKind;
use super::ask_sense::ask_sense;
use super::cell_texts::key_of_condition;
use super::number::MAX_DECIMALS;
use super::schema::{
    BytesCell, ChainCell, CheckCell, CompareCell, Condition, DoctorCell, EngineNumbersCell,
    FaultsCell, MatrixCell, ModelDifferenceCell, PictureCell, PlotCell, TreeCell,
};
use super::vertex_path::MAX_PATH;

/// A value that the schema allows and that makes no sense.
pub(crate) struct Senseless {
    pub(crate) key: String,
    pub(crate) wrong: Diagnostic,
}

/// Refuses numbers out of range and lists that do not fit their switch.
pub(crate) fn check_sense(kind: &CellKind) -> Result<(), Senseless> {
    match kind {
        CellKind::Viewport(cell) if cell.rig.is_none() && cell.retarget.is_some() => no(
            "retarget",
            Diagnostic::said("MISPLACED", "`retarget` goes with a `rig` of the picture’s own"),
            "write rig = \"…\" too, or leave out retarget",
        ),
        CellKind::Viewport(cell) => match cell.height {
            Some(height) if height <= 0.0 => no(
                "height",
                Diagnostic::expected("a height above 0", height.to_string()),
                "write how many world units are seen from top to bottom, such as 6.0",
            ),
            _ => match cell.rings.iter().position(|[first, last]| first >= last) {
                Some(index) => no(
                    &format!("rings[{index}]"),
                    Diagnostic::expected("a first vertex before the last", "the other order"),
                    "write the numbers of the first and the last vertex of the line",
                ),
                None => Ok(()),
            },
        },
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
        CellKind::Texture(cell) if cell.rows == Some(0) => no(
            "rows",
            Diagnostic::expected("at least one row", "0"),
            "write how many rows are shown, or leave the key out",
        ),
        CellKind::EngineNumbers(cell) => lines_sense(cell),
        CellKind::Tree(TreeCell { rows: Some(0), .. })
        | CellKind::Doctor(DoctorCell { rows: Some(0) })
        | CellKind::ModelDifference(ModelDifferenceCell { rows: Some(0) })
        | CellKind::Bytes(BytesCell { rows: Some(0), .. }) => no(
            "rows",
            Diagnostic::expected("at least one row", "0"),
            "write how many rows are shown, or leave the key out",
        ),
        CellKind::Compare(cell) => compare_sense(cell),
        CellKind::Check(cell) => cell.iter().try_for_each(|draw| exercise_sense(&draw.cell)),
        CellKind::Stops(cell) if !(2..=9).contains(&cell.stops.len()) => no(
            "stops",
            Diagnostic::expected("two to nine stops", cell.stops.len().to_string()),
            "write stops = [{ label = \"…\", set = { … } }, { label = \"…\", set = { … } }]",
        ),
        CellKind::Histogram(cell) => height_sense(cell.height),
        CellKind::Picture(cell) => picture_sense(cell),
        CellKind::Predict(cell) => cell.iter().try_for_each(|draw| close_sense(draw.cell.close)),
        CellKind::Ask(cell) => cell.iter().try_for_each(|draw| {
            ask_sense(&draw.cell).map_err(|(key, wrong)| Senseless { key, wrong })
        }),
        CellKind::Faults(cell) => faults_sense(cell),
        CellKind::Angles(_)
        | CellKind::Brush(_)
        | CellKind::Quantiser(_)
        | CellKind::ModelDifference(_)
        | CellKind::Pose(_)
        | CellKind::Shader(_)
        | CellKind::Proof(_)
        | CellKind::Stages(_)
        | CellKind::Conventions(_)
        | CellKind::Stops(_)
        | CellKind::Indices(_)
        | CellKind::Tree(_)
        | CellKind::Doctor(_)
        | CellKind::Bytes(_)
        | CellKind::Vertex(_)
        | CellKind::Texture(_)
        | CellKind::Timeline(_)
        | CellKind::Budget(_)
        | CellKind::Note(_)
        | CellKind::Errata(_) => Ok(()),
    }
}

fn lines_sense(cell: &EngineNumbersCell) -> Result<(), Senseless> {
    match cell.lines {
        Some(0) => no(
            "lines",
            Diagnostic::expected("at least one line", "0"),
            "write how many lines are shown, or leave the key out",
        ),
        _ => Ok(()),
    }
}

fn no(key: &str, wrong: Diagnostic, help: &str) -> Result<(), Senseless> {
    Err(Senseless { key: key.to_owned(), wrong: wrong.help(help) })
}

fn few(title: String, expected: &str, found: usize) -> Diagnostic {
    Diagnostic { title, ..Diagnostic::expected(expected, found.to_string()) }
}

fn compare_sense(cell: &CompareCell) -> Result<(), Senseless> {
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

fn chain_sense(cell: &ChainCell) -> Result<(), Senseless> {
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
    } else if cell.decimals.is_some_and(|decimals| decimals > MAX_DECIMALS) {
        no(
            "decimals",
            Diagnostic::expected(format!("at most {MAX_DECIMALS} decimals"), ""),
            "write a number from 0 to 9",
        )
    } else {
        Ok(())
    }
}

fn matrix_sense(cell: &MatrixCell) -> Result<(), Senseless> {
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
    } else if cell.decimals.is_some_and(|decimals| decimals > MAX_DECIMALS) {
        no(
            "decimals",
            Diagnostic::expected(format!("at most {MAX_DECIMALS} decimals"), ""),
            "write a number from 0 to 9",
        )
    } else {
        Ok(())
    }
}

fn plot_sense(cell: &PlotCell) -> Result<(), Senseless> {
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
fn plot_axis_sense(cell: &PlotCell) -> Result<(), Senseless> {
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
fn faults_sense(cell: &FaultsCell) -> Result<(), Senseless> {
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

fn height_sense(height: Option<f32>) -> Result<(), Senseless> {
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
pub(crate) fn picture_sense(cell: &PictureCell) -> Result<(), Senseless> {
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

fn close_sense(close: f32) -> Result<(), Senseless> {
    if close > 0.0 {
        return Ok(());
    }
    no(
        "close",
        Diagnostic::expected("a distance above 0", close.to_string()),
        "write how near counts as right, such as 0.5",
    )
}

fn exercise_sense(cell: &CheckCell) -> Result<(), Senseless> {
    let wrong = |condition: &Condition| condition.tolerance.0 <= 0.0;
    let many =
        |condition: &Condition| condition.decimals.is_some_and(|decimals| decimals > MAX_DECIMALS);
    if let Some(index) = cell.conditions.iter().position(wrong) {
        let tolerance = cell.conditions[index].tolerance.0;
        no(
            &key_of_condition(index, "tolerance"),
            Diagnostic::expected("a tolerance above 0", tolerance.to_string()),
            "write how far off still counts, such as 0.05",
        )
    } else if let Some(index) = cell.conditions.iter().position(many) {
        no(
            &key_of_condition(index, "decimals"),
            Diagnostic::expected(format!("at most {MAX_DECIMALS} decimals"), ""),
            "write a number from 0 to 9",
        )
    } else {
        Ok(())
    }
}
