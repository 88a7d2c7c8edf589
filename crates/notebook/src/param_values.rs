//! Current values of all parameters, from the state or from a driving formula.
//!
//! # Driven parameters
//!
//! A lesson's `[drive]` lets parameters of the rig follow formulas.
//! [`ParamValues`] is the only source of parameter values: `Derived`, joint
//! matrices and edits of inverse bind matrices use it, so viewports, plots,
//! films, crowds and handouts agree. Only the inputs of formulas are state.
//! Setting a driven parameter is an error (`EditError::Driven`), and links and
//! undo do not contain it. A driving formula is evaluated in a `Scope` without
//! poses and without driven parameters, so that there are no cycles. The lesson
//! parser (`lesson/model.rs`) reports formulas that use more.

use bindpose_gltf::Rig;
use bindpose_lesson::{Drive, EvalError, Lesson, MAX_PARAM_ABS, PoseProgram, Values};
use bindpose_skin::JointIndex;
use glam::Vec3;

use super::{Document, TIME_PARAM, playback_param, playback_params};

/// A parameter of the rig that follows a formula of the lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenParam {
    /// Name of the rig's parameter.
    pub name: String,
    /// Formula as written in the lesson.
    pub formula: String,
    /// Current value. Angles are in radians.
    pub value: f64,
    /// Evaluation error. The parameter then has its default value.
    pub error: Option<EvalError>,
}

/// The values of all parameters of a document.
pub struct ParamValues<'a> {
    scope: Scope<'a>,
    pub driven: Vec<DrivenParam>,
    /// Program that poses the rig after all parameters are applied.
    pub(crate) program: Option<&'a PoseProgram>,
}

impl<'a> ParamValues<'a> {
    /// Returns the values of all parameters of the rig, the lesson and
    /// playback.
    pub fn all(&self, rig: &Rig, lesson: Option<&Lesson>) -> Vec<(String, f64)> {
        let own = lesson.map_or(&[][..], |lesson| &lesson.params);
        let of_rig = rig.params.iter().map(|param| (param.name.as_str(), param.default));
        let of_lesson = own.iter().map(|param| (param.name.as_str(), param.default));
        let of_playback = playback_params(rig)
            .into_iter()
            .filter(|param| rig.param(param.name).is_none())
            .map(|param| (param.name, param.range.0));
        let mut all: Vec<(String, f64)> = of_rig
            .chain(of_lesson)
            .chain(of_playback)
            .map(|(name, default)| (name.to_owned(), self.get(name).unwrap_or(default)))
            .collect();
        if self.program.is_some() && !all.iter().any(|(name, _)| name == TIME_PARAM) {
            all.push((TIME_PARAM.to_owned(), self.time_secs()));
        }
        all
    }

    pub fn new(document: &'a Document, lesson: Option<&'a Lesson>, rig: &'a Rig) -> Self {
        let drives = lesson.map_or(&[][..], |lesson| &lesson.drive);
        let scope = Scope { document, lesson, rig };
        let driven = drives.iter().filter_map(|drive| scope.drive_param(drive));
        Self {
            driven: driven.collect(),
            scope,
            program: lesson.and_then(|lesson| document.pose_program(lesson)),
        }
    }

    /// Returns the value of a parameter. Angles are in radians. Returns `None`
    /// if it has its default value.
    pub fn get(&self, name: &str) -> Option<f64> {
        let driven = self.driven.iter().find(|driven| driven.name == name);
        let by_formula = driven.map(|driven| driven.value);
        by_formula.or_else(|| self.scope.document.state.params.get(name).copied())
    }

    /// Like [`Self::get`], but returns the default value if there is no other.
    /// Returns `None` if there is no such parameter.
    pub fn get_or_default(&self, name: &str) -> Option<f64> {
        self.get(name).or_else(|| self.scope.default(name))
    }

    pub fn time_secs(&self) -> f64 {
        self.scope.document.time_secs()
    }
}

/// Values available to driving formulas: parameters that are not driven, and
/// stored data.
struct Scope<'a> {
    document: &'a Document,
    lesson: Option<&'a Lesson>,
    rig: &'a Rig,
}

impl Scope<'_> {
    /// Returns `None` if the rig has no such parameter.
    fn drive_param(&self, drive: &Drive) -> Option<DrivenParam> {
        let param = self.rig.param(&drive.param)?;
        let value = drive.formula.eval(self);
        Some(DrivenParam {
            name: param.name.clone(),
            formula: drive.formula.source.clone(),
            value: match value {
                Ok(value) => value.clamp(-MAX_PARAM_ABS, MAX_PARAM_ABS),
                Err(_) => param.default,
            },
            error: value.err(),
        })
    }

    fn default(&self, name: &str) -> Option<f64> {
        if let Some(param) = self.rig.param(name) {
            return Some(param.default);
        }
        let own = self.lesson.map_or(&[][..], |lesson| &lesson.params);
        if let Some(param) = own.iter().find(|param| param.name == name) {
            return Some(param.default);
        }
        playback_param(name, self.rig).map(|param| param.range.0)
    }
}

/// Values that depend on the pose are not available yet. Formulas that use them
/// are rejected when the lesson is parsed.
impl Values for Scope<'_> {
    /// Returns `None` for driven parameters, so that formulas cannot form
    /// cycles.
    fn param(&self, name: &str) -> Option<f64> {
        if self.lesson.is_some_and(|lesson| lesson.drive_of(name).is_some()) {
            return None;
        }
        let state = self.document.state.params.get(name).copied();
        state.or_else(|| self.default(name))
    }

    fn bind_position(&self, vertex: usize) -> Option<Vec3> {
        self.rig.mesh.positions.get(vertex).copied()
    }

    fn stored_normal(&self, vertex: usize) -> Option<Vec3> {
        self.rig.mesh.normals.get(vertex).copied()
    }

    fn joints(&self) -> usize {
        self.rig.joint_count()
    }

    fn rows(&self) -> usize {
        self.rig.skeleton.len()
    }

    fn vertices(&self) -> usize {
        self.rig.mesh.positions.len()
    }

    fn crowd(&self) -> u32 {
        self.document.state.crowd.count.max(1)
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.rig.skeleton.joints().get(joint.index())?.parent
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_4;
    use std::sync::Arc;

    use bindpose_lesson::{Expr, Setting};
    use bindpose_skin::SkinStage;

    use super::*;
    use crate::test_sample::{driven_lesson, rig};
    use crate::{
        Cameras, Derived, Edit, EditError, Transition, apply, apply_edit, link, step_changes,
        step_document,
    };

    fn derived(document: &Document, lesson: &Lesson) -> Derived {
        let rig = Arc::new(rig());
        Derived::of_document(document, Some(lesson), &rig)
    }

    fn with_formula(formula: &str) -> Lesson {
        let mut lesson = driven_lesson();
        lesson.drive[0].formula = Expr::parse(formula).unwrap();
        lesson
    }

    #[test]
    fn driven_parameters_pose_the_rig() {
        let lesson = driven_lesson();
        let mut document = step_document(&lesson, 0, Some(&rig()));
        let at_rest = derived(&document, &lesson);
        assert_eq!(at_rest.param("nod"), Some(0.0));
        apply(&mut document, &Edit::param("k", 2.0), &lesson, &rig()).unwrap();
        let moved = derived(&document, &lesson);
        assert_eq!(moved.param("nod"), Some(2.0 * FRAC_PI_4));
        // A quarter turn about (0, 2, 0) moves (0.25, 2, 0) there.
        let there = moved.position(0).unwrap();
        assert!(there.abs_diff_eq(Vec3::new(0.0, 2.25, 0.0), 1e-6), "{there}");
        // Values in the state are ignored.
        document.state.params.insert("nod".to_owned(), 0.1);
        assert_eq!(derived(&document, &lesson).param("nod"), moved.param("nod"));
    }

    #[test]
    fn errors_use_the_default_and_large_values_are_clamped() {
        let document = step_document(&driven_lesson(), 0, Some(&rig()));
        let of = |formula: &str| derived(&document, &with_formula(formula)).driven[0].clone();
        let nothing = of("1/k");
        assert_eq!((nothing.value, nothing.error), (0.0, Some(EvalError::NotFinite)));
        assert_eq!(of("10^9 - k").value, MAX_PARAM_ABS);
        let circle = of("nod + 1").error;
        assert!(matches!(circle, Some(EvalError::UnknownParam { .. })), "{circle:?}");
        assert_eq!(of("bind_x(v0) * vertices() + joints()").value, 2.75);
    }

    #[test]
    fn driven_parameters_cannot_be_set() {
        let lesson = driven_lesson();
        let begin = step_document(&lesson, 0, Some(&rig()));
        let mut document = begin.clone();
        let refused = apply(&mut document, &Edit::param("nod", 0.5), &lesson, &rig());
        let refused = refused.unwrap_err();
        assert!(matches!(refused, EditError::Driven { .. }));
        assert!(refused.to_string().contains("k * 45deg"), "{refused}");
        // `all` sets only angles that are not driven. Here there are none.
        apply(&mut document, &Edit::param("all", 0.5), &lesson, &rig()).unwrap();
        assert_eq!(document, begin);
        let link = "bindpose://sample/one?nod=0.5";
        let address = link::address(link).unwrap();
        let read = link::read(&address.values, &mut document, &mut Cameras::new(), &lesson, &rig());
        let wrong = read.unwrap_err().to_string();
        assert!(wrong.contains("it follows k * 45deg"), "{wrong}");
    }

    #[test]
    fn driven_parameters_are_not_in_links_and_changes() {
        let lesson = driven_lesson();
        let mut document = step_document(&lesson, 0, Some(&rig()));
        let edit = Edit::param("k", 1.5);
        apply(&mut document, &edit, &lesson, &rig()).unwrap();
        assert_eq!(apply_edit::edit_label(&edit, &lesson, &rig()), "amount");
        let link = link::write(&document, &Cameras::new(), &lesson, &rig());
        assert!(link.ends_with("?k=1.5"), "{link}");
        let changes = step_changes(&document, &lesson, &rig());
        assert_eq!(changes.len(), 1);
        apply(&mut document, &changes[0].put_back, &lesson, &rig()).unwrap();
        assert_eq!(document, step_document(&lesson, 0, Some(&rig())));
        let second = step_document(&lesson, 1, Some(&rig()));
        assert_eq!(derived(&second, &lesson).param("nod"), Some(FRAC_PI_4));
        let set = [Setting::Param("k".to_owned(), 1.0)];
        assert!(crate::holds(&set, &second, &derived(&second, &lesson)));
    }

    #[test]
    fn crowds_and_transitions_follow_formulas() {
        let lesson = driven_lesson();
        let mut document = step_document(&lesson, 0, Some(&rig()));
        document.state.stage = SkinStage::Blended;
        document.state.crowd.count = 3;
        document.state.crowd.own_poses = true;
        document.state.params.insert("k".to_owned(), 1.0);
        let now = derived(&document, &lesson);
        let palettes = &now.crowd().unwrap().palettes;
        assert_eq!(palettes[..2], now.palette[..], "the first is the present pose");

        let mut begin = document.clone();
        begin.state.params.clear();
        let mut transition = Transition::new(&begin, 0.0);
        assert!(!transition.is_over(&document, 0.175));
        let (_, between) = transition.at(&document, &now, &lesson, 0.175).unwrap();
        let nod = between.param("nod").unwrap();
        assert!((nod - FRAC_PI_4 / 2.0).abs() < 1e-9, "{nod}");
    }
}
