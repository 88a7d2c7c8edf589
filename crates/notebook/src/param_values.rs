//! What each parameter is now: what the state says, or what a formula of the
//! lesson makes of it. Whoever poses a rig asks here.
//!
//! # What a formula drives
//!
//! A lesson's `[drive]` makes parameters of the rig follow formulas.
//! `notebook/param_values.rs` alone says what a parameter is now: the state's value, or
//! the formula's. `Derived`, the joints' matrices and edits of inverse binds ask there,
//! so pictures, plots, films, crowds and handouts agree. Only what drives is state:
//! putting what is driven is refused (`EditError::Driven`), links and undo never see it. A
//! formula that drives sees a `Scope` without poses and without what is driven, so there
//! is no circle to walk; where the lesson is read (`lesson/model.rs`), one that asks for
//! more is a finding.

use bindpose_asset::Rig;
use bindpose_lesson::{Drive, EvalError, Lesson, PARAM_LIMIT, PoseProgram, Values};
use bindpose_skin::JointIndex;
use glam::Vec3;

use super::{Document, TIME, playback_param, playback_params};

/// A parameter of the rig that follows a formula of the lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenParam {
    /// Of the rig's parameter.
    pub name: String,
    /// As the lesson writes it.
    pub formula: String,
    /// Radians for angles.
    pub value: f64,
    /// Why the formula has no value; the parameter is then at its default.
    pub error: Option<EvalError>,
}

/// The values of all parameters of a document.
pub(super) struct ParamValues<'a> {
    scope: Scope<'a>,
    pub(super) driven: Vec<DrivenParam>,
    /// What poses the rig after all of them.
    pub(super) program: Option<&'a PoseProgram>,
}

impl<'a> ParamValues<'a> {
    /// Values of all parameters: the rig's, the lesson's, and those of what plays.
    pub(super) fn all(&self, rig: &Rig, lesson: Option<&Lesson>) -> Vec<(String, f64)> {
        let value = |name: &str, default: f64| self.get(name).unwrap_or(default);
        let of_rig = rig.params.iter().map(|p| (&p.name, p.default));
        let of_lesson = lesson.into_iter().flat_map(|lesson| &lesson.params);
        let own = of_rig.chain(of_lesson.map(|p| (&p.name, p.default)));
        let mut all: Vec<(String, f64)> =
            own.map(|(name, default)| (name.clone(), value(name, default))).collect();
        let playing = playback_params(rig).into_iter();
        let playing = playing.filter(|param| rig.param(param.name).is_none());
        all.extend(playing.map(|p| (p.name.to_owned(), value(p.name, p.range.0))));
        if self.program.is_some() && !all.iter().any(|(name, _)| name == TIME) {
            all.push((TIME.to_owned(), self.time_secs()));
        }
        all
    }

    pub(super) fn new(document: &'a Document, lesson: Option<&'a Lesson>, rig: &'a Rig) -> Self {
        let drives = lesson.map_or(&[][..], |lesson| &lesson.drive);
        let scope = Scope { document, lesson, rig };
        let driven = drives.iter().filter_map(|drive| scope.driven(drive));
        Self {
            driven: driven.collect(),
            scope,
            program: lesson.and_then(|lesson| document.pose_program(lesson)),
        }
    }

    /// Radians for angles; `None`: the default.
    pub(super) fn get(&self, name: &str) -> Option<f64> {
        let driven = self.driven.iter().find(|driven| driven.name == name);
        let by_formula = driven.map(|driven| driven.value);
        by_formula.or_else(|| self.scope.document.state.params.get(name).copied())
    }

    /// As [`Self::get`], with the default where nothing else is said; `None`: there is
    /// no such parameter.
    pub(super) fn named(&self, name: &str) -> Option<f64> {
        self.get(name).or_else(|| self.scope.default(name))
    }

    /// How far what plays has come.
    pub(super) fn time_secs(&self) -> f64 {
        self.scope.document.time_secs()
    }
}

/// What a formula that drives something sees: parameters that nothing drives, and
/// what is stored.
struct Scope<'a> {
    document: &'a Document,
    lesson: Option<&'a Lesson>,
    rig: &'a Rig,
}

impl Scope<'_> {
    /// `None` where the rig has no such parameter.
    fn driven(&self, drive: &Drive) -> Option<DrivenParam> {
        let param = self.rig.param(&drive.param)?;
        let value = drive.formula.eval(self);
        Some(DrivenParam {
            name: param.name.clone(),
            formula: drive.formula.source.clone(),
            value: match value {
                Ok(value) => value.clamp(-PARAM_LIMIT, PARAM_LIMIT),
                Err(_) => param.default,
            },
            error: value.err(),
        })
    }

    fn default(&self, name: &str) -> Option<f64> {
        let own = self.lesson.into_iter().flat_map(|lesson| &lesson.params);
        let mut own = own.filter(|param| param.name == name);
        let of_rig = self.rig.param(name).map(|param| param.default);
        of_rig
            .or_else(|| own.next().map(|param| param.default))
            .or_else(|| playback_param(name, self.rig).map(|param| param.range.0))
    }
}

/// What follows from the pose is not there yet when these formulas are worked out; where
/// the lesson is read, formulas that ask for it are refused.
impl Values for Scope<'_> {
    /// None for what is driven: so no formula can go in a circle.
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
        Cameras, Derived, Edit, EditError, Transition, apply, edit_label, link, step_changes,
        step_document,
    };

    fn derived(document: &Document, lesson: &Lesson) -> Derived {
        let rig = Arc::new(rig());
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, Some(lesson), &rig, influences)
    }

    fn with_formula(formula: &str) -> Lesson {
        let mut lesson = driven_lesson();
        lesson.drive[0].formula = Expr::parse(formula).unwrap();
        lesson
    }

    #[test]
    fn a_driven_parameter_follows_its_formula_and_poses_the_rig() {
        let lesson = driven_lesson();
        let mut document = step_document(&lesson, 0, Some(&rig()));
        let at_rest = derived(&document, &lesson);
        assert_eq!(at_rest.param("nod"), Some(0.0));
        apply(&mut document, &Edit::param("k", 2.0), &lesson, &rig()).unwrap();
        let moved = derived(&document, &lesson);
        assert_eq!(moved.param("nod"), Some(2.0 * FRAC_PI_4));
        // A quarter turn about (0, 2, 0) takes (0.25, 2, 0) there.
        let there = moved.position(0).unwrap();
        assert!(there.abs_diff_eq(Vec3::new(0.0, 2.25, 0.0), 1e-6), "{there}");
        // All alone, whatever the state was told of it before.
        document.state.params.insert("nod".to_owned(), 0.1);
        assert_eq!(derived(&document, &lesson).param("nod"), moved.param("nod"));
    }

    #[test]
    fn what_has_no_value_leaves_the_default_and_what_is_absurd_is_held() {
        let document = step_document(&driven_lesson(), 0, Some(&rig()));
        let of = |formula: &str| derived(&document, &with_formula(formula)).driven[0].clone();
        let nothing = of("1/k");
        assert_eq!((nothing.value, nothing.error), (0.0, Some(EvalError::NotFinite)));
        assert_eq!(of("10^9 - k").value, PARAM_LIMIT);
        let circle = of("nod + 1").error;
        assert!(matches!(circle, Some(EvalError::UnknownParam { .. })), "{circle:?}");
        assert_eq!(of("bind_x(v0) * vertices() + joints()").value, 2.75);
    }

    #[test]
    fn nobody_puts_what_a_formula_drives() {
        let lesson = driven_lesson();
        let begin = step_document(&lesson, 0, Some(&rig()));
        let mut document = begin.clone();
        let refused = apply(&mut document, &Edit::param("nod", 0.5), &lesson, &rig());
        let refused = refused.unwrap_err();
        assert!(matches!(refused, EditError::Driven { .. }));
        assert!(refused.to_string().contains("k * 45deg"), "{refused}");
        // All angles are those that nothing drives: here none.
        apply(&mut document, &Edit::param("all", 0.5), &lesson, &rig()).unwrap();
        assert_eq!(document, begin);
        let link = "bindpose://sample/one?nod=0.5";
        let address = link::address(link).unwrap();
        let read = link::read(&address.values, &mut document, &mut Cameras::new(), &lesson, &rig());
        let wrong = read.unwrap_err().to_string();
        assert!(wrong.contains("it follows k * 45deg"), "{wrong}");
    }

    #[test]
    fn only_the_lessons_own_is_state_in_links_labels_and_what_is_put_back() {
        let lesson = driven_lesson();
        let mut document = step_document(&lesson, 0, Some(&rig()));
        let edit = Edit::param("k", 1.5);
        apply(&mut document, &edit, &lesson, &rig()).unwrap();
        assert_eq!(edit_label::edit_label(&edit, &lesson, &rig()), "amount");
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
    fn a_crowd_and_a_picture_on_its_way_follow_too() {
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
