//! Page settings, which steps, links and readers change. The table below defines the key, the
//! label and the syntax of each. The crate `notebook` maps them to the state of a step.
//!
//! # A new page setting
//!
//! 1. A field of `StepState` (`notebook/document.rs`).
//! 2. A row of the table in `lesson/setting.rs`: variant, key, label, syntax.
//! 3. A row of the table in `notebook/setting.rs`: its field in the state, and its subject.
//! 4. A widget, which pushes `Edit::set`.
//! 5. A line in `docs/lesson-format.md`, for authors.
//!
//! Everything else follows from the two tables: applying the setting, entering and leaving
//! steps, `set` blocks and links, `--set`, links to the page, undo, and what is kept when
//! another model opens. Tests go through every row.

#[cfg(not(target_arch = "wasm32"))]
mod value_schemas;
mod values;

use std::borrow::Cow;
use std::collections::BTreeSet;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{
    ConventionAxes, InverseBind, MemoryOrder, MeshNodeUse, Method, NormalRule,
    RotationInterpolation, SkinStage, Vectors, WeightSource,
};

pub(super) use self::values::named::read as read_named;
use self::values::{
    clip, crowd, joint, list, list_or_cell, model_b, most_influences, named, named_or_cell,
    named_or_reader, poses, power, switch, through, vertex,
};
use super::matrix_names::INVERSE_BIND_MATRIX;
use super::toml_body::RawValue;
use super::{
    ClipName, ComparedModel, DataEdit, Device, FileReading, FileVariant, Gizmo, GizmoFrame,
    JointName, Show, SkinningFault, Tint, Transport, View,
};

/// Each row holds the description, the variant and its type, the key, the label, and the module
/// of [`values`] that parses and formats the value, with its schema in `value_schemas`. The
/// description is part of the JSON schema.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident($value:ty): $key:literal, $label:expr, $words:ident;)+) => {
        /// A setting with its value.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Setting {
            /// A parameter of the rig or the lesson, or `all`; radians for angles.
            Param(String, f64),
            /// An edit of the model's data.
            Data(DataEdit),
            /// Resets all data to that of the model: `edits=none`.
            NoEdits,
            $($(#[doc = $doc])+ $name($value),)+
        }

        impl Setting {
            /// Keys other than those of parameters and data edits such as `weights.3`.
            pub const KEYS: [&str; 1 + [$($key),+].len()] = [EDITS, $($key),+];

            /// Key of the setting in `set` blocks and links.
            pub fn key(&self) -> Cow<'_, str> {
                Cow::Borrowed(match self {
                    Self::Param(name, _) => name,
                    Self::Data(edit) => return Cow::Owned(edit.key()),
                    Self::NoEdits => EDITS,
                    $(Self::$name(_) => $key,)+
                })
            }

            /// Name of the setting for readers, within a sentence. For a parameter, its name,
            /// because only the rig or the lesson knows its label.
            pub fn label(&self) -> &str {
                match self {
                    Self::Param(name, _) => name,
                    Self::Data(edit) => edit.label(),
                    Self::NoEdits => "edited data",
                    $(Self::$name(_) => $label,)+
                }
            }

            /// Value of the setting in links. Several names are separated by commas.
            pub fn text(&self) -> String {
                match self {
                    Self::Param(_, value) => value.to_string(),
                    Self::Data(edit) => edit.text(),
                    Self::NoEdits => NONE.to_owned(),
                    $(Self::$name(value) => $words::text(value),)+
                }
            }

            /// Parses a setting. Returns `None` if the key is not that of a page setting.
            pub(super) fn read(key: &str, written: &RawValue<'_>) -> Option<Result<Self, Diagnostic>> {
                match key {
                    EDITS => Some(no_edits(written)),
                    $($key => Some($words::read(written).map(Self::$name)),)+
                    _ => None,
                }
            }
        }

        /// Key, description and schema of each setting.
        #[cfg(not(target_arch = "wasm32"))]
        pub(super) fn setting_schemas() -> Vec<(&'static str, &'static str, schemars::Schema)> {
            vec![
                (
                    EDITS,
                    "Puts all data back as the model has it.",
                    schemars::json_schema!({ "type": "string", "enum": [NONE] }),
                ),
                $(($key, concat!($($doc),+), value_schemas::$words(std::marker::PhantomData::<$value>)),)+
            ]
        }
    };
}

settings! {
    /// How far vertices have come: as stored, in the space of a joint, posed by one
    /// joint, or blended of all.
    Stage(SkinStage): "stage", "stage", named;
    /// The matrix used as the inverse bind matrix.
    InverseBind(InverseBind): "inverse-bind", INVERSE_BIND_MATRIX, named;
    /// The joint through which the stages joint and posed show the whole mesh;
    /// "strongest": each vertex through its own.
    Through(Option<JointName>): "through", "joint of the whole mesh", through;
    /// The chosen joint, by its number or its name.
    Joint(JointName): "joint", "chosen joint", joint;
    /// The chosen vertex, by its number.
    Vertex(u32): "vertex", "chosen vertex", vertex;
    /// Parts of the pictures; "cell": those of their cells.
    Show(Option<Vec<Show>>): "show", "what is drawn", list_or_cell;
    /// Where the viewports look from; "cell": the views of their cells.
    View(Option<View>): "view", "view", named_or_cell;
    /// The values that colour the surface; "cell": those of the viewports’ cells.
    Tint(Option<Tint>): "tint", "colours", named_or_cell;
    /// The effect of a drag of the chosen joint in a picture: turn, move, or turn the two
    /// joints above it.
    Gizmo(Gizmo): "gizmo", "gizmo", named;
    /// Whose axes the gizmo has.
    GizmoFrame(GizmoFrame): "gizmo-frame", "frame of the gizmo", named;
    /// How the influences of a vertex become one motion.
    Method(Method): "method", "method", named;
    /// The matrix that normals are multiplied by.
    Normals(NormalRule): "normals", "rule for normals", named;
    /// Where weights come from: the model, or how they are worked out of the bind pose.
    WeightsFrom(WeightSource): "weights-from", "source of the weights", named;
    /// The power p of `inverse-distance`: shares are as 1/dᵖ; 1 to 32.
    DistancePower(u32): "distance-power", "power of the distance", power;
    /// How many influences a vertex keeps, the strongest, divided by their sum; 1 to 8.
    MostInfluences(u32): "most-influences", "most influences of a vertex", most_influences;
    /// The use of the transform of the node that carries the mesh.
    MeshNode(MeshNodeUse): "mesh-node", "use of the mesh’s node", named;
    /// How the palette reaches the shader.
    Transport(Transport): "transport", "transport", named;
    /// Mistakes made on the way to the shader; all others are off.
    Faults(BTreeSet<SkinningFault>): "faults", "faults", list;
    /// The machine whose limits count for what fits.
    Device(Device): "device", "device", named;
    /// On which side of a matrix vectors stand; "reader": as the reader has it.
    Vectors(Option<Vectors>): "vectors", "side of vectors", named_or_reader;
    /// In which order the numbers of a matrix lie in memory; "reader": as the reader has it.
    Memory(Option<MemoryOrder>): "memory", "order in memory", named_or_reader;
    /// The axes in which matrices are written; "reader": as the reader has it.
    Axes(Option<ConventionAxes>): "axes", "axes of matrices", named_or_reader;
    /// How many times the skin is drawn, 1 to 400.
    Crowd(u32): "crowd", "size of the crowd", crowd;
    /// Whether each of the crowd has a pose of its own, or all the same.
    OwnPoses(bool): "poses", "poses of the crowd", poses;
    /// Which file of the same model is read.
    File(FileVariant): "file", "file of the rig", named;
    /// Whether the rig’s file is read as it says, or with a rule left out.
    Reading(FileReading): "reading", "reading of the file", named;
    /// The clip that plays: its name or number; "none" for the rest pose.
    Clip(ClipName): "clip", "clip", clip;
    /// The clip that a cross-fade ends in: its name or number, or "none".
    FadeTo(ClipName): "fade-to", "clip to fade to", clip;
    /// The interpolation of a clip’s rotations.
    Between(RotationInterpolation): "between", "interpolation of rotations", named;
    /// Whether clips begin again after their end, or stop there.
    Repeats(bool): "loop", "loop", switch;
    /// The model that the page’s model is compared with: "rig:" and the id of a built-in
    /// rig, "opened" (the file that the reader has opened to compare), "before" (the model
    /// that was open before), or a list of changes that a program makes when it writes the
    /// page’s own.
    ModelB(ComparedModel): "model-b", "model B", model_b;
}

/// Key of all data edits together. Its only value is [`NONE`].
const EDITS: &str = "edits";
const NONE: &str = "none";

fn no_edits(written: &RawValue<'_>) -> Result<Setting, Diagnostic> {
    if written.name() == Some(NONE) {
        return Ok(Setting::NoEdits);
    }
    let help = "write edits = \"none\" to put all data back, or an edit by itself, as in \"weights.3\" = \"0,1,0,0\"";
    Err(Diagnostic::expected("`none`", written.found()).help(help))
}

impl Setting {
    /// Parses a page setting from a link, where values can be separated by `+` instead of
    /// commas. Returns `None` if the key is not that of a page setting, and an error if its
    /// value is malformed.
    pub fn from_link(key: &str, text: &str) -> Option<Result<Self, Diagnostic>> {
        Self::read(key, &RawValue::from_link(text))
    }
}

/// All settings with all kinds of values.
#[cfg(any(test, feature = "testing"))]
pub fn example_settings() -> Vec<Setting> {
    use bindpose_skin::JointIndex;

    use crate::Rewriting;

    let mut all = vec![
        Setting::NoEdits,
        Setting::Through(None),
        Setting::Through(Some(JointIndex(3).into())),
        Setting::Joint(JointIndex(2).into()),
        Setting::Joint(JointName::Name("tail_1".to_owned())),
        Setting::Vertex(1342),
        Setting::Show(None),
        Setting::Show(Some(Vec::new())),
        Setting::Show(Some(Show::ALL.to_vec())),
        Setting::View(None),
        Setting::Tint(None),
        Setting::Faults(BTreeSet::new()),
        Setting::Faults(SkinningFault::ALL.into()),
        Setting::Crowd(400),
        Setting::DistancePower(1),
        Setting::DistancePower(32),
        Setting::MostInfluences(1),
        Setting::MostInfluences(8),
        Setting::OwnPoses(true),
        Setting::OwnPoses(false),
        Setting::Clip(ClipName::None),
        Setting::Clip(ClipName::Index(2)),
        Setting::FadeTo(ClipName::Name("swim".to_owned())),
        Setting::ModelB(ComparedModel::default()),
        Setting::ModelB(ComparedModel::Written(Rewriting::ALL.into())),
        Setting::ModelB(ComparedModel::BuiltIn("arm".to_owned())),
        Setting::ModelB(ComparedModel::Opened),
        Setting::ModelB(ComparedModel::Before),
        Setting::Repeats(true),
        Setting::Repeats(false),
    ];
    all.extend(SkinStage::ALL.map(Setting::Stage));
    all.extend(InverseBind::ALL.map(Setting::InverseBind));
    all.extend(View::ALL.map(|view| Setting::View(Some(view))));
    all.extend(Tint::ALL.map(|tint| Setting::Tint(Some(tint))));
    all.extend(Gizmo::ALL.map(Setting::Gizmo));
    all.extend(GizmoFrame::ALL.map(Setting::GizmoFrame));
    all.extend(Method::ALL.map(Setting::Method));
    all.extend(NormalRule::ALL.map(Setting::Normals));
    all.extend(WeightSource::ALL.map(Setting::WeightsFrom));
    all.extend([Setting::Vectors(None), Setting::Memory(None), Setting::Axes(None)]);
    all.extend(Vectors::ALL.map(|one| Setting::Vectors(Some(one))));
    all.extend(MemoryOrder::ALL.map(|one| Setting::Memory(Some(one))));
    all.extend(ConventionAxes::ALL.map(|one| Setting::Axes(Some(one))));
    all.extend(MeshNodeUse::ALL.map(Setting::MeshNode));
    all.extend(Transport::ALL.map(Setting::Transport));
    all.extend(Device::ALL.map(Setting::Device));
    all.extend(FileVariant::ALL.map(Setting::File));
    all.extend(FileReading::ALL.map(Setting::Reading));
    all.extend(RotationInterpolation::ALL.map(Setting::Between));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_formatting_and_parsing() {
        let examples = example_settings();
        for setting in &examples {
            let (key, text) = (setting.key(), setting.text());
            let again = Setting::from_link(&key, &text);
            assert_eq!(again, Some(Ok(setting.clone())), "{key}={text}");
            let in_set = format!("{key}={}", text.replace(',', "+"));
            let again = super::super::parse_settings(&in_set);
            assert_eq!(again, Ok(vec![setting.clone()]), "{in_set}");
        }
        for key in Setting::KEYS {
            let shown = examples.iter().any(|setting| setting.key() == key);
            assert!(shown, "`{key}` has no example");
        }
        assert_eq!(Setting::from_link("nod", "1"), None);
    }

    #[test]
    fn the_syntax_of_links_is_stable() {
        let faults = Setting::Faults([SkinningFault::Edge, SkinningFault::Linear].into());
        for (setting, text) in [
            (Setting::Through(None), "through=strongest"),
            (
                Setting::Through(Some(JointName::Name("strongest".to_owned()))),
                "through='strongest'",
            ),
            (Setting::Show(None), "show=cell"),
            (
                Setting::Show(Some(vec![Show::Mesh, Show::VertexNumbers])),
                "show=mesh,vertex-numbers",
            ),
            (Setting::View(None), "view=cell"),
            (Setting::Tint(Some(Tint::SumError)), "tint=sum-error"),
            (faults, "faults=linear,edge"),
            (Setting::OwnPoses(true), "poses=own"),
            (Setting::OwnPoses(false), "poses=same"),
            (Setting::Clip(ClipName::None), "clip=none"),
            (Setting::Repeats(false), "loop=off"),
        ] {
            assert_eq!(format!("{}={}", setting.key(), setting.text()), text);
        }
    }
}
