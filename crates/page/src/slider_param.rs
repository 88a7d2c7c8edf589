//! Parameters of a rig or of a lesson that have sliders.

use bindpose_gltf::{NodePart, Param, ParamKind};
use bindpose_lesson::{LessonParam, MAX_PARAM_ABS};
use bindpose_notebook::page_state::decimals_of;
use bindpose_skin::JointIndex;

use crate::PageContext;

/// A parameter with a slider, of the rig or of the lesson.
#[derive(Clone, Copy)]
pub(crate) enum SliderParam<'a> {
    OfRig(&'a Param),
    OfLesson(&'a LessonParam),
}

impl<'a> SliderParam<'a> {
    /// Finds a parameter by name, first in the rig. Returns `None` if neither the
    /// rig nor the lesson has one of that name.
    pub(crate) fn find(name: &str, page: &PageContext<'a>) -> Option<Self> {
        if let Some(param) = page.derived.rig.param(name) {
            return Some(Self::OfRig(param));
        }
        page.lesson.params.iter().find(|param| param.name == name).map(Self::OfLesson)
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

    /// Returns the joint that the parameter moves, if any.
    pub(crate) fn joint(self) -> Option<JointIndex> {
        match self {
            Self::OfRig(param) => param.kind.joint(),
            Self::OfLesson(_) => None,
        }
    }

    /// Returns true for angles of the rig, which the motion can play.
    pub(crate) fn is_joint_angle(self) -> bool {
        matches!(self, Self::OfRig(param) if param.kind.is_angle())
    }

    pub(crate) fn default(self) -> f64 {
        match self {
            Self::OfRig(param) => param.default,
            Self::OfLesson(param) => param.default,
        }
    }

    /// Returns the current value.
    pub(crate) fn value(self, page: &PageContext<'_>) -> f64 {
        page.derived.param(self.name()).unwrap_or_else(|| self.default())
    }

    /// Returns the ends of the slider.
    pub(crate) fn range(self) -> (f64, f64) {
        match self {
            Self::OfRig(param) => param.range,
            Self::OfLesson(param) => param.range,
        }
    }

    /// Returns the limits of typed numbers.
    pub(crate) fn limits(self) -> (f64, f64) {
        match self {
            Self::OfRig(_) => (-MAX_PARAM_ABS, MAX_PARAM_ABS),
            Self::OfLesson(param) => param.range,
        }
    }

    pub(crate) fn format(self) -> SliderFormat {
        match self {
            Self::OfRig(param) => SliderFormat::of_rig_param(param.kind),
            Self::OfLesson(param) => SliderFormat::of_lesson_param(param),
        }
    }
}

/// Display format and steps of a slider's number.
#[derive(Clone, PartialEq)]
pub(crate) struct SliderFormat {
    pub(crate) suffix: String,
    pub(crate) decimals: usize,
    pub(crate) is_whole: bool,
    /// Step in the displayed unit, if the slider only selects multiples of a step.
    pub(crate) step: Option<f64>,
}

impl SliderFormat {
    fn new(suffix: &str, decimals: usize) -> Self {
        Self { suffix: suffix.to_owned(), decimals, is_whole: false, step: None }
    }

    pub(crate) fn degrees() -> Self {
        Self::new("°", 1)
    }

    fn of_rig_param(kind: ParamKind) -> Self {
        match kind {
            ParamKind::Angle { .. }
            | ParamKind::Angles { .. }
            | ParamKind::BindAngle { .. }
            | ParamKind::MeshNode(NodePart::Turn(_)) => Self::degrees(),
            ParamKind::Scale { .. } | ParamKind::MeshNode(NodePart::Size) => Self::new(" ×", 2),
            // Weights of shapes, and lengths in world units.
            ParamKind::Morph { .. }
            | ParamKind::RestToPose
            | ParamKind::BindShift { .. }
            | ParamKind::StoredShift { .. }
            | ParamKind::BindShape { .. }
            | ParamKind::MeshNode(NodePart::Shift(_)) => Self::new("", 2),
        }
    }

    fn of_lesson_param(param: &LessonParam) -> Self {
        let suffix = param.suffix();
        let (displayed_per_stored, default_decimals) = match suffix.as_str() {
            "°" => (180.0 / std::f64::consts::PI, 1),
            "%" => (100.0, 0),
            _ => (1.0, 2),
        };
        let step = param.step.map(|step| step * displayed_per_stored);
        Self {
            suffix,
            decimals: step.map_or(default_decimals, decimals_of),
            is_whole: param.whole,
            step: step.filter(|_| !param.whole),
        }
    }
}
