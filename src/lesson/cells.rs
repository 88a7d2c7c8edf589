//! The kinds of cells: names, schemas, limits.

use toml::de::DeTable;

use super::Drawn;
use super::ask_sense::ask_sense;
use super::cell_texts::key_of_condition;
use super::drawn_body::ReadBody as _;
#[cfg(not(target_arch = "wasm32"))]
use super::json_schema::of_type::schema_of;
use super::number::MAX_DECIMALS;
use super::schema::{
    AnglesCell, AskCell, BudgetCell, BytesCell, CheckCell, CompareCell, Condition, DoctorCell,
    ErrataCell, HistogramCell, IndicesCell, MatrixCell, NoteCell, PictureCell, PlotCell, PoseCell,
    PredictCell, ProofCell, ShaderCell, StagesCell, StopsCell, TextureCell, TimelineCell, TreeCell,
    VertexCell, ViewportCell, WeightsCell,
};
use super::toml_error::ValueError;
use super::vertex_path::MAX_PATH;
use crate::diagnostic::Diagnostic;
use crate::skin::LANES;

/// A live piece of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Unique in its lesson; from the info string, or `kind-N`.
    pub id: String,
    /// Line in `lesson.md`, from 1.
    pub line: usize,
    /// Which kind, with what its body says.
    pub kind: CellKind,
}

pub(crate) type Read = fn(&DeTable<'_>) -> Result<CellKind, ValueError>;

/// What the body of a kind may say.
#[cfg(not(target_arch = "wasm32"))]
pub(super) struct CellSchema {
    /// In the info string.
    pub(super) kind: &'static str,
    /// In a sentence.
    pub(super) about: &'static str,
    pub(super) make: fn() -> schemars::Schema,
}

/// A row is: what authors read of it, variant, schema, and the name in the info string.
macro_rules! cell_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident($schema:ty): $name:literal;)+) => {
        /// Every kind of cell, with what its body says.
        #[derive(Clone, Debug, PartialEq)]
        pub enum CellKind {
            $($(#[doc = $doc])+ $kind($schema),)+
        }

        /// Every kind: the name in the info string, and what reads its body.
        pub(crate) const KINDS: &[(&str, Read)] =
            &[$(($name, |body| <$schema>::read_body(body).map(CellKind::$kind)),)+];

        /// What the body of every kind may say.
        #[cfg(not(target_arch = "wasm32"))]
        pub(super) fn cell_schemas() -> Vec<CellSchema> {
            vec![$(CellSchema {
                kind: $name,
                about: concat!($($doc),+),
                make: schema_of::<$schema>,
            },)+]
        }
    };
}

cell_kinds! {
    /// A picture of the model, which readers turn, and in which they choose joints and vertices.
    Viewport(ViewportCell): "viewport";
    /// Sliders for parameters: angles, scales and morph weights of the rig, and numbers of the lesson’s own.
    Angles(AnglesCell): "angles";
    /// The weights of some vertices, as a table or as sliders.
    Weights(WeightsCell): "weights";
    /// Matrices side by side, alone, as a product or as a difference.
    Matrix(MatrixCell): "matrix";
    /// A switch for how far vertices have come, and for what stands in the place of the inverse bind matrix.
    Stages(StagesCell): "stages";
    /// Named states of the page on a line, to press, to drag along or to step through.
    Stops(StopsCell): "stops";
    /// Arrows from the joint numbers of a vertex by the list of the skin to nodes.
    Indices(IndicesCell): "indices";
    /// How many vertices have which sum of weights, as stored and now.
    Histogram(HistogramCell): "histogram";
    /// The weighted sum of one vertex: the place that each joint proposes, its weight, and what comes of it.
    Vertex(VertexCell): "vertex";
    /// Curves over a parameter, along a path on the mesh, or of measured numbers.
    Plot(PlotCell): "plot";
    /// The joint palette as a texture: a row for each joint, a texel for each column.
    Texture(TextureCell): "texture";
    /// How many joints fit into the uniforms of a device.
    Budget(BudgetCell): "budget";
    /// A claim of the source articles, what is true, and how one can see it.
    Errata(ErrataCell): "errata";
    /// A card beside the text, with a heading of its own.
    Note(NoteCell): "note";
    /// The vertex shader that draws the model, to be read and rewritten.
    Shader(ShaderCell): "shader";
    /// What the graphics card computed, held against the same sum in 64-bit floats.
    Proof(ProofCell): "proof";
    /// Two or three variants of the picture under one camera, and how far they differ.
    Compare(CompareCell): "compare";
    /// A program that moves the joints in every frame, to be read and rewritten.
    Pose(PoseCell): "pose";
    /// The scene graph of the model, with the matrices of the chosen node.
    Tree(TreeCell): "tree";
    /// What is wrong with the file of the model, and how to mend it.
    Doctor(DoctorCell): "doctor";
    /// The bytes of the model’s file, by what they mean.
    Bytes(BytesCell): "bytes";
    /// An exercise: bring a number to a goal by dragging.
    Check(Drawn<CheckCell>): "check";
    /// A question with one right answer or several, and a reply to each wrong one.
    Ask(Drawn<AskCell>): "ask";
    /// The clips of the model: play, stop, go to a time, see the keys.
    Timeline(TimelineCell): "timeline";
    /// A picture from the lesson’s folder, with words for those who do not see it.
    Picture(PictureCell): "picture";
    /// A guess: readers place a vertex where they think it will go, and then look.
    Predict(Drawn<PredictCell>): "predict";
}

impl CellKind {
    /// One or several viewports, which take the room that other cells leave.
    #[must_use]
    pub fn draws_scene(&self) -> bool {
        matches!(self, Self::Viewport(_) | Self::Compare(_))
    }
}

/// What reads the bodies of this kind of cell; `None` when there is no such kind.
pub(crate) fn reader(kind: &str) -> Option<Read> {
    KINDS
        .iter()
        .find(|&&(name, _)| name == kind)
        .map(|&(_, read)| read)
}

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
            Diagnostic::said(
                "MISPLACED",
                "`retarget` goes with a `rig` of the picture’s own",
            ),
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
        CellKind::Plot(cell) => plot_sense(cell),
        CellKind::Texture(cell) if cell.rows == Some(0) => no(
            "rows",
            Diagnostic::expected("at least one row", "0"),
            "write how many rows are shown, or leave the key out",
        ),
        CellKind::Tree(TreeCell { rows: Some(0), .. })
        | CellKind::Doctor(DoctorCell { rows: Some(0) })
        | CellKind::Bytes(BytesCell { rows: Some(0), .. }) => no(
            "rows",
            Diagnostic::expected("at least one row", "0"),
            "write how many rows are shown, or leave the key out",
        ),
        CellKind::Compare(cell) if !(2..=3).contains(&cell.variants.len()) => no(
            "variants",
            Diagnostic::expected("two or three variants", cell.variants.len().to_string()),
            "write variants = [{ label = \"…\" }, { label = \"…\", set = { … } }]",
        ),
        CellKind::Check(cell) => cell.iter().try_for_each(|draw| exercise_sense(&draw.cell)),
        CellKind::Stops(cell) if !(2..=9).contains(&cell.stops.len()) => no(
            "stops",
            Diagnostic::expected("two to nine stops", cell.stops.len().to_string()),
            "write stops = [{ label = \"…\", set = { … } }, { label = \"…\", set = { … } }]",
        ),
        CellKind::Histogram(cell) => height_sense(cell.height),
        CellKind::Picture(cell) => picture_sense(cell),
        CellKind::Predict(cell) => cell
            .iter()
            .try_for_each(|draw| close_sense(draw.cell.close)),
        CellKind::Ask(cell) => cell.iter().try_for_each(|draw| {
            ask_sense(&draw.cell).map_err(|(key, wrong)| Senseless { key, wrong })
        }),
        CellKind::Angles(_)
        | CellKind::Pose(_)
        | CellKind::Compare(_)
        | CellKind::Shader(_)
        | CellKind::Proof(_)
        | CellKind::Stages(_)
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

fn no(key: &str, wrong: Diagnostic, help: &str) -> Result<(), Senseless> {
    Err(Senseless {
        key: key.to_owned(),
        wrong: wrong.help(help),
    })
}

fn few(title: String, expected: &str, found: usize) -> Diagnostic {
    Diagnostic {
        title,
        ..Diagnostic::expected(expected, found.to_string())
    }
}

fn matrix_sense(cell: &MatrixCell) -> Result<(), Senseless> {
    let count = cell.show.len();
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
            few(
                format!("a difference needs 2 matrices, found {count}"),
                "2 matrices",
                count,
            ),
            "list two matrices in `show`",
        )
    } else if cell
        .decimals
        .is_some_and(|decimals| decimals > MAX_DECIMALS)
    {
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
            few(
                "a plot needs at least one line".to_owned(),
                "at least one line",
                0,
            ),
            "write lines = [{ label = \"…\", expr = \"…\" }]",
        );
    }
    plot_axis_sense(cell)?;
    let mut editable = cell
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.editable);
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
    if [&*cell.file.name, file, stem]
        .iter()
        .any(|name| alt.eq_ignore_ascii_case(name))
    {
        let expected = "words for those who do not see the picture";
        let wrong = Diagnostic::expected(expected, "the name of its file");
        return no("alt", wrong, ALT_HELP);
    }
    if alt.chars().count() > MAX_ALT {
        let wrong = Diagnostic::expected(format!("at most {MAX_ALT} characters"), "more");
        return no(
            "alt",
            wrong,
            "say what the picture shows, and the rest in the text",
        );
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
    let many = |condition: &Condition| {
        condition
            .decimals
            .is_some_and(|decimals| decimals > MAX_DECIMALS)
    };
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
