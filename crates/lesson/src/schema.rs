//! Bodies of the cells, as serde reads them from TOML; `docs/lesson-format.md` lists them
//! for authors. The docs of types that derive `JsonSchema` become descriptions in the
//! schemas that editors show.

mod exercises;
mod figures;
mod matrices;
mod rig;

use bindpose_skin::{Method, keyed};
use serde::Deserialize;

use super::{
    BrightestTint, Decimals, DrawingHeight, Expr, LaneCount, MatrixRef, PathMeasure, PathPart,
    PlotData, Quantity, RowCount, Settings, Text, ViewHeight,
};
use crate::Transport;
use crate::bounded::bounded_list;

pub use exercises::*;
pub use figures::*;
pub use matrices::*;
pub use rig::*;

keyed! {
    /// Things a viewport can draw.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Show {
        /// The skinned surface, lit.
        Mesh = "mesh",
        /// The mesh's own lines, or its triangle edges.
        Lines = "lines",
        /// Joints and the bones between them.
        Joints = "joints",
        /// The axes of every joint.
        Axes = "axes",
        /// Joint numbers.
        Numbers = "numbers",
        /// Vertex markers.
        Vertices = "vertices",
        /// Vertex numbers.
        VertexNumbers = "vertex-numbers",
        /// The mesh as stored, faint.
        Ghost = "ghost",
        /// The mesh in the rest pose, faint.
        RestGhost = "rest-ghost",
        /// The weighted copies of the chosen vertex.
        Microscope = "microscope",
        /// The ground or the plane.
        Grid = "grid",
        /// The normals, as lines.
        Normals = "normals",
        /// The normal of the chosen vertex, a direction in the surface, and that to the light.
        VertexNormal = "vertex-normal",
        /// The axes of the node that carries the mesh.
        MeshNode = "mesh-node",
    }
}

keyed! {
    /// Directions from which a viewport looks.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum View {
        /// Along −z.
        #[default]
        Front = "front",
        /// Along +z.
        Back = "back",
        /// Along +x, from the left.
        Left = "left",
        /// Along −x, from the right.
        Right = "right",
        /// Along −y.
        Top = "top",
        /// Along +y.
        Bottom = "bottom",
        /// From the front right, a little above.
        ThreeQuarter = "three-quarter",
    }
}

keyed! {
    /// Projection of a camera.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Projection {
        /// Distant things look smaller.
        #[default]
        Perspective = "perspective",
        /// Lengths stay comparable at any depth.
        Orthographic = "orthographic",
    }
}

keyed! {
    /// Colouring of the surface.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Tint {
        /// Colours stored in the model.
        #[default]
        Base = "base",
        /// One colour.
        Solid = "solid",
        /// Direction of the normal.
        Normals = "normals",
        /// Colours of the joints, blended by their weights.
        Joints = "joints",
        /// Colour of the joint with the largest weight.
        Strongest = "strongest",
        /// Joint indices of the influence lanes, as stored.
        JointIndices = "joint-indices",
        /// Weights of all influence lanes, as stored.
        Weights = "weights",
        /// Weight of the chosen joint.
        Weight = "weight",
        /// Distance of Σw from 1.
        SumError = "sum-error",
        /// Distance of the vertex from its stored position.
        Displacement = "displacement",
        /// Distance of the vertex from its position under the weights stored in the file.
        WeightError = "weight-error",
    }
}

/// ```` ```viewport ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ViewportCell {
    /// Where it looks from.
    pub view: View,
    /// How depth is drawn.
    pub projection: Projection,
    /// The centre of the view, in world space; absent: the model is framed.
    pub target: Option<[f32; 3]>,
    /// World units from top to bottom at the target; absent: the model is framed.
    pub height: Option<ViewHeight>,
    /// Parts of the picture; absent: mesh and joints.
    pub show: Option<Vec<Show>>,
    /// The values that colour the surface.
    pub tint: Tint,
    /// The value with the brightest colour, where the tint measures something: |Σw − 1|, or
    /// a distance in world units; absent: the largest value there is, rounded up. With it,
    /// pictures of one step can be compared.
    pub tint_most: Option<BrightestTint>,
    /// Closed lines over the picture, each through the vertices from the first to
    /// the last, where they are now.
    pub rings: Vec<[u32; 2]>,
    /// One line under the picture.
    pub caption: Option<Text>,
}

/// ```` ```angles ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AnglesCell {
    /// Names of parameters, in order; absent: every angle and morph weight of the
    /// rig.
    pub params: Vec<String>,
    /// A slider for all angles together.
    pub all: bool,
    /// Play button with amplitude and speed.
    pub play: bool,
    /// For rigs that may have many: the chosen joint first, the others below, by
    /// a search of their names; morph weights too.
    pub search: bool,
}

/// ```` ```weights ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct WeightsCell {
    /// Numbers of the vertices; absent: all.
    pub vertices: Vec<u32>,
    /// Columns with the skinned position.
    pub positions: bool,
    /// Influence lanes shown; absent: as many as the mesh uses.
    pub lanes: Option<LaneCount>,
    /// Sliders for the vertices instead of a table; without vertices, for the
    /// chosen one.
    pub sliders: bool,
}

/// ```` ```matrix ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatrixCell {
    /// The matrices: `world_from_joint(1)`, `joint_from_bind(joint)` of the chosen joint,
    /// `skin_matrix(v2)`.
    pub show: Vec<MatrixRef>,
    /// Written as a product: the factors, then what they multiply to.
    pub product: bool,
    /// Two matrices and their difference.
    pub difference: bool,
    /// A formula that readers may rewrite: its matrix, vector or number, with its frames.
    pub expr: Option<Expr>,
    /// Also the sixteen numbers of each as they lie in memory.
    pub memory: bool,
    /// Digits after the point; absent: 3.
    pub decimals: Option<Decimals>,
}

/// ```` ```stages ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct StagesCell {
    /// Leave out the inverse-bind row.
    pub stage_only: bool,
    /// Also the row that chooses one joint for the whole mesh.
    pub through: bool,
}

/// ```` ```vertex ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct VertexCell {
    /// The number of the vertex; absent: the chosen one.
    pub vertex: Option<u32>,
    /// Also the row-by-row arithmetic of each copy.
    pub arithmetic: bool,
    /// The sum of the joint matrices, each with its weight, in the place of the sum of the
    /// positions.
    pub matrices: bool,
}

/// ```` ```plot ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlotCell {
    /// The parameter that is swept, or "all"; absent: the axis is a path or the data’s.
    #[serde(default)]
    pub sweep: String,
    /// Where the sweep begins: a number, for an angle in radians, or "-180deg".
    #[serde(default)]
    pub from: Option<Quantity>,
    /// Where the sweep ends.
    #[serde(default)]
    pub to: Option<Quantity>,
    /// The axis goes along these vertices, which formulas call `here`.
    #[serde(default)]
    pub along: Vec<PathPart>,
    /// The quantity along the axis of a path.
    #[serde(default)]
    pub measure: PathMeasure,
    /// Numbers that lines draw; without a sweep and a path, the axis is theirs.
    #[serde(default)]
    pub data: Option<PlotData>,
    /// The column of the data along the axis; absent: the first.
    #[serde(default)]
    pub x: Option<String>,
    /// The curves; at least one.
    pub lines: PlotLines,
    /// Label of the vertical axis.
    #[serde(default)]
    pub y_label: Text,
    /// Label of the horizontal axis; absent: the parameter's.
    #[serde(default)]
    pub x_label: Option<Text>,
    /// How high the plot is, in points; absent: its own choice.
    #[serde(default)]
    pub height: Option<DrawingHeight>,
}

impl PlotCell {
    /// Returns the line with an editable formula, and its index, if there is one.
    pub fn editable_line(&self) -> Option<(usize, &Expr)> {
        let line = self.lines.iter().position(|line| line.editable)?;
        Some((line, self.lines[line].expr.as_ref()?))
    }
}

bounded_list! {
    /// Curves of a plot.
    PlotLines(PlotLine):
        1.., "at least one line", "write lines = [{ label = \"…\", expr = \"…\" }]"
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlotLine {
    /// The words in the legend.
    pub label: Text,
    /// A formula that is drawn; absent: a column is.
    #[serde(default)]
    pub expr: Option<Expr>,
    /// May readers rewrite the formula? Of one line of a plot.
    #[serde(default)]
    pub editable: bool,
    /// The column of the data that is drawn.
    #[serde(default)]
    pub column: Option<String>,
    /// Each number of the column as a point, and no line through them.
    #[serde(default)]
    pub points: bool,
    /// Dashed, for a formula beside a measurement.
    #[serde(default)]
    pub dashed: bool,
    /// Settings of this line alone.
    #[serde(default)]
    pub set: Settings,
}

/// ```` ```note ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NoteCell {
    /// Its heading.
    pub title: Text,
    /// The text of the card.
    pub text: Text,
    /// How much it is to stand out.
    #[serde(default)]
    pub kind: NoteKind,
}

keyed! {
    /// Prominence of a note.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum NoteKind {
        /// Optional reading.
        #[default]
        Aside = "aside",
        /// A warning.
        Caution = "caution",
    }
}

/// ```` ```errata ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ErrataCell {
    /// The claim of the article, in our words or few of its own.
    pub claim: Text,
    /// The correct statement.
    pub correction: Text,
    /// How one can see it.
    pub why: Text,
    /// Whose claim it is.
    #[serde(default)]
    pub source: ErrataSource,
    /// Its number in a list of errata of your own, such as "E-01".
    #[serde(default)]
    pub id: Option<String>,
}

keyed! {
    /// Source of a claim that is corrected.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ErrataSource {
        /// A source without a name in this list.
        #[default]
        Other = "other",
        /// The three articles on skinning in WebGL 1 and WebGL 2.
        WebGl = "webgl",
        /// “The Crux of skinning”.
        Crux = "crux",
        /// The tutorial of the glTF working group.
        GltfTutorial = "gltf-tutorial",
    }
}

impl ErrataCell {
    /// Heading above the claim: `A correction to the Crux of skinning`.
    pub fn heading(&self) -> &'static str {
        match self.source {
            ErrataSource::Other => "A common error",
            ErrataSource::WebGl => "A correction to the WebGL articles",
            ErrataSource::Crux => "A correction to the Crux of skinning",
            ErrataSource::GltfTutorial => "A correction to the glTF tutorial",
        }
    }
}

// Cells about the path from joints to the picture.

/// ```` ```texture ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TextureCell {
    /// Rows shown; absent: all, in pages.
    pub rows: Option<RowCount>,
    /// Also the texel-centre ruler along the top.
    pub centres: bool,
    /// With the switches that break it.
    pub faults: bool,
}

/// ```` ```budget ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BudgetCell {
    /// Name of the lesson parameter that holds the number of vec4 uniforms;
    /// absent: "vec4s".
    pub limit: Option<String>,
    /// Name of the lesson parameter that holds how many of them are needed for
    /// everything but joints; absent: 9, for projection, view and colour.
    pub others: Option<String>,
    /// With the articles' figures struck through.
    pub printed: bool,
    /// With known characters and which of them fit, instead of the table of
    /// what fits where.
    pub characters: bool,
    /// With the ways that are open to the page's own palette, by device, and the
    /// limits that decide.
    pub ways: bool,
}

/// ```` ```shader ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ShaderCell {
    /// Lines shown at once; absent: as many as there is room for.
    pub lines: Option<usize>,
    /// Leave out the buttons for the articles' debugging steps.
    pub no_presets: bool,
}

/// ```` ```proof ````
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProofCell {
    /// Only these transports; empty: all.
    pub transports: Vec<Transport>,
    /// Only these methods; empty: all.
    pub methods: Vec<Method>,
}

/// ```` ```compare ````
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompareCell {
    /// The pictures: two or three.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// In the place of variants: the model of the page, and model B in the same pose.
    #[serde(default)]
    pub model_b: bool,
    /// One picture more: how far each vertex of the second is from the first.
    #[serde(default)]
    pub difference: bool,
    /// Where all look from.
    #[serde(default)]
    pub view: View,
    /// How depth is drawn.
    #[serde(default)]
    pub projection: Projection,
    /// Centre of the view in world space; absent: the model is framed.
    #[serde(default)]
    pub target: Option<[f32; 3]>,
    /// World units from top to bottom at the target; absent: the model is framed.
    #[serde(default)]
    pub height: Option<ViewHeight>,
    /// Parts of the pictures; absent: those of the viewports.
    #[serde(default)]
    pub show: Option<Vec<Show>>,
    /// As of a viewport; absent: the largest value of all pictures.
    #[serde(default)]
    pub tint_most: Option<BrightestTint>,
}

/// One picture of a comparison.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// The words above the picture.
    pub label: Text,
    /// Settings of this picture alone.
    #[serde(default)]
    pub set: Settings,
}
