//! What a slider changes: a parameter of the rig, or one of the lesson's own.

use bindpose_asset::{NodePart, Param, ParamKind};
use bindpose_lesson::{LessonParam, MAX_PARAM_ABS};
use bindpose_notebook::page_state::decimals_of;
use bindpose_skin::JointIndex;

use crate::PageContext;

/// A parameter with a slider.
#[derive(Clone, Copy)]
pub(crate) enum SliderParam<'a> {
    OfRig(&'a Param),
    OfLesson(&'a LessonParam),
}

impl<'a> SliderParam<'a> {
    /// `None` where neither rig nor lesson has one of that name.
    pub(crate) fn named(name: &str, page: &PageContext<'a>) -> Option<Self> {
        let own = || {
            let mut own = page.lesson.params.iter();
            own.find(|param| param.name == name).map(Self::OfLesson)
        };
        page.derived.rig.param(name).map(Self::OfRig).or_else(own)
    }

    pub(crate) fn name(self) -> &'a str {
        match self {
            Self::OfRig(param) => &param.name,
            Self::OfLesson(param) => &param.name,
        }
    }

    pub(crate) fn is_of_rig(self) -> bool {
        matches!(self, Self::OfRig(_))
    }

    pub(crate) fn label(self) -> &'a str {
        match self {
            Self::OfRig(param) => &param.label,
            Self::OfLesson(param) => &param.label,
        }
    }

    /// Which joint it moves.
    pub(crate) fn joint(self) -> Option<JointIndex> {
        match self {
            Self::OfRig(param) => param.kind.joint(),
            Self::OfLesson(_) => None,
        }
    }

    /// Of the rig, in degrees: what plays.
    pub(super) fn is_joint_angle(self) -> bool {
        matches!(self, Self::OfRig(param) if param.kind.is_angle())
    }

    pub(super) fn default(self) -> f64 {
        match self {
            Self::OfRig(param) => param.default,
            Self::OfLesson(param) => param.default,
        }
    }

    /// As it is now.
    pub(crate) fn value(self, page: &PageContext<'_>) -> f64 {
        let now = page.derived.param(self.name());
        now.unwrap_or_else(|| self.default())
    }

    /// Ends of the slider.
    pub(crate) fn range(self) -> (f64, f64) {
        match self {
            Self::OfRig(param) => param.range,
            Self::OfLesson(param) => param.range,
        }
    }

    /// What may be typed.
    pub(super) fn limits(self) -> (f64, f64) {
        match self {
            Self::OfRig(_) => (-MAX_PARAM_ABS, MAX_PARAM_ABS),
            Self::OfLesson(param) => param.range,
        }
    }

    pub(super) fn format(self) -> SliderFormat {
        match self {
            Self::OfRig(param) => of_kind(param.kind),
            Self::OfLesson(param) => of_lesson(param),
        }
    }
}

/// How a number is shown and stepped.
#[derive(Clone, PartialEq)]
pub(super) struct SliderFormat {
    pub(super) suffix: String,
    pub(super) decimals: usize,
    pub(super) whole: bool,
    /// Of what is shown, where only multiples of it are chosen.
    pub(super) step: Option<f64>,
}

impl SliderFormat {
    pub(super) fn of(suffix: &str, decimals: usize) -> Self {
        Self { suffix: suffix.to_owned(), decimals, whole: false, step: None }
    }

    pub(super) fn degrees() -> Self {
        Self::of("°", 1)
    }
}

fn of_kind(kind: ParamKind) -> SliderFormat {
    match kind {
        ParamKind::Angle { .. }
        | ParamKind::Angles { .. }
        | ParamKind::BindAngle { .. }
        | ParamKind::MeshNode(NodePart::Turn(_)) => SliderFormat::degrees(),
        ParamKind::Scale { .. } | ParamKind::MeshNode(NodePart::Size) => SliderFormat::of(" ×", 2),
        // A share of a shape, or a length in world units.
        ParamKind::Morph { .. }
        | ParamKind::RestToPose
        | ParamKind::BindShift { .. }
        | ParamKind::StoredShift { .. }
        | ParamKind::BindShape { .. }
        | ParamKind::MeshNode(NodePart::Shift(_)) => SliderFormat::of("", 2),
    }
}

fn of_lesson(param: &LessonParam) -> SliderFormat {
    let suffix = param.suffix();
    let (shown_per_stored, usual) = match suffix.as_str() {
        "°" => (180.0 / std::f64::consts::PI, 1),
        "%" => (100.0, 0),
        _ => (1.0, 2),
    };
    let step = param.step.map(|step| step * shown_per_stored);
    SliderFormat {
        suffix,
        decimals: step.map_or(usual, decimals_of),
        whole: param.whole,
        step: step.filter(|_| !param.whole),
    }
}
