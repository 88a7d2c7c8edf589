//! The kinds of cells: names, readers and schemas.
//!
//! # A new kind of cell
//!
//! 1. The type of its body in `lesson/schema.rs`; the doc of each field is the sentence
//!    that editors show.
//! 2. A row of the table in `lesson/cells.rs`: description, variant, type, name.
//! 3. A file in `page/cells/`, with its module and its match arm in `mod.rs` there.
//! 4. A match arm in `paper/handout/cells.rs`, for handouts.
//! 5. A row in `docs/lesson-format.md`.
//! 6. The smallest example in `docs/cells/examples.toml`. `cargo xtask gallery` makes
//!    `docs/cells.md` and the snippets for editors from it.
//!
//! The compiler demands three more match arms: the texts of the cell
//! (`lesson/cell_texts.rs`), invalid values in its body (`check_cell` in
//! `lesson/cell_validation.rs`), and names in it that must exist (`notebook/check/prose.rs`).
//! State that a cell keeps between frames is a type of its own, private to its file, which
//! `page.state(id)` returns. egui's memory is only for single widgets: typed text, drags,
//! focus. A cell that needs more than this shows a flaw in the design.

use toml::de::DeTable;

use super::CellDraws;
use super::drawn_body::ReadBody as _;
#[cfg(not(target_arch = "wasm32"))]
use super::json_schema::handwritten::schema_of;
use super::schema::{
    AnglesCell, AskCell, BrushCell, BudgetCell, BytesCell, ChainCell, CheckCell, CompareCell,
    ConventionsCell, DoctorCell, EngineNumbersCell, ErrataCell, FaultsCell, HistogramCell,
    IndicesCell, LearntCell, MatrixCell, ModelDifferenceCell, NoteCell, PictureCell, PlotCell,
    PoseCell, PredictCell, ProofCell, QuantiserCell, ShaderCell, StagesCell, StopsCell,
    TextureCell, TimelineCell, TreeCell, VertexCell, ViewportCell, WeightsCell,
};
use super::toml_error::ValueError;

/// An interactive part of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Unique in its lesson; from the info string, or `kind-N`.
    pub id: String,
    /// Line in `lesson.md`, from 1.
    pub line: usize,
    /// Kind of the cell with its body.
    pub kind: CellKind,
}

/// Reads the body of one kind of cell.
pub(crate) type BodyReader = fn(&DeTable<'_>) -> Result<CellKind, ValueError>;

/// JSON Schema of the body of one kind of cell.
#[cfg(not(target_arch = "wasm32"))]
pub(super) struct CellSchema {
    /// Name in the info string.
    pub(super) kind: &'static str,
    /// Description for authors, one sentence.
    pub(super) about: &'static str,
    pub(super) make: fn() -> schemars::Schema,
}

/// Each row holds the description for authors, the variant, the type of the body, and the
/// name in the info string.
macro_rules! cell_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident($schema:ty): $name:literal;)+) => {
        /// A kind of cell with its body.
        #[derive(Clone, Debug, PartialEq)]
        pub enum CellKind {
            $($(#[doc = $doc])+ $kind($schema),)+
        }

        /// Name in the info string of each kind, with the reader of its body.
        pub(crate) const KINDS: &[(&str, BodyReader)] =
            &[$(($name, |body| <$schema>::read_body(body).map(CellKind::$kind)),)+];

        /// The schemas of all kinds of cells.
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
    /// A brush for weights: joint, size, strength, what stays; painted in the pictures or at the chosen vertex.
    Brush(BrushCell): "brush";
    /// The weights of a vertex as bytes or shorts: rounded one by one, and so that their sum is kept.
    Quantiser(QuantiserCell): "quantiser";
    /// Matrices side by side, alone, as a product or as a difference.
    Matrix(MatrixCell): "matrix";
    /// A product of matrices that readers take apart: factors are moved, added, taken out, inverted and transposed, and a vertex travels through them.
    Chain(ChainCell): "chain";
    /// Switches for how matrices are written down: the side of vectors, the order in memory, the axes; and what systems have, with their names for things.
    Conventions(ConventionsCell): "conventions";
    /// Switches for the stage of skinning that the picture shows, and for what is used as the inverse bind matrix.
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
    /// Vertices as the graphics card computed them, compared with the same sum in 64-bit floats.
    Proof(ProofCell): "proof";
    /// Two or three variants of the picture under one camera, and how far they differ.
    Compare(CompareCell): "compare";
    /// Differences between the model of the page and a second one, joint by joint.
    ModelDifference(ModelDifferenceCell): "model-difference";
    /// A program that moves the joints in every frame, to be read and rewritten.
    Pose(PoseCell): "pose";
    /// The scene graph of the model, with the matrices of the chosen node.
    Tree(TreeCell): "tree";
    /// Faults of the model’s file, and how to mend them.
    Doctor(DoctorCell): "doctor";
    /// A place for matrices or positions of one’s own engine: which of the page’s matrices they are, and how, or where they part from them.
    EngineNumbers(EngineNumbersCell): "engine-numbers";
    /// The bytes of the model’s file, by what they mean.
    Bytes(BytesCell): "bytes";
    /// An exercise: bring a number to a goal by dragging.
    Check(CellDraws<CheckCell>): "check";
    /// A question with one right answer or several, and a reply to each wrong one.
    Ask(CellDraws<AskCell>): "ask";
    /// Known bugs as switches, each with how to tell it; or one that is on and hidden, to be named.
    Faults(FaultsCell): "faults";
    /// The clips of the model: play, stop, go to a time, see the keys.
    Timeline(TimelineCell): "timeline";
    /// A picture from the lesson’s folder, with words for those who do not see it.
    Picture(PictureCell): "picture";
    /// Sentences that a reader can say at the end of a lesson, each beside a small picture that proves it.
    Learnt(LearntCell): "learnt";
    /// A guess: readers place a vertex where they think it will go, and then look.
    Predict(CellDraws<PredictCell>): "predict";
}

impl CellKind {
    /// Whether the cell contains viewports, which fill the space left by other cells.
    pub fn draws_scene(&self) -> bool {
        matches!(self, Self::Viewport(_) | Self::Compare(_))
    }
}

/// Returns the reader for the bodies of a kind of cell, or `None` if the kind is unknown.
pub(crate) fn reader(kind: &str) -> Option<BodyReader> {
    KINDS.iter().find(|&&(name, _)| name == kind).map(|&(_, read)| read)
}
