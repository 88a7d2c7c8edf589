//! Settings: do they name what is there, and do their values fit?

use bindpose_diagnostic::{Diagnostic, LineColumn, nearest};
use bindpose_lesson::{DataEdit, JointName, OutlinePlace, PARAM_LIMIT, Setting, within};

use super::checker::{Checker, unfit};
use super::figures::shown;
use crate::{Edit, apply, playback_param, step_document};

impl Checker<'_> {
    pub(super) fn setting(&mut self, place: OutlinePlace, at: LineColumn, setting: &Setting) {
        match setting {
            Setting::Param(name, value) => {
                let meant = self.set_key(name);
                if let (Some(key), Some(_)) = (meant, &self.known_rig)
                    && !self.param_names().contains(&name.as_str())
                {
                    let wrong = Diagnostic::unknown("parameter", name, &[]);
                    self.error_in(place, at, wrong.help(format!("write `{key}`")));
                } else if self.param(place, at, name, true) && self.is_free(place, at, name) {
                    self.in_range(place, at, name, *value);
                }
            }
            Setting::Through(Some(joint)) | Setting::Joint(joint) => {
                self.joint(place, at, joint);
            }
            Setting::Vertex(vertex) => self.vertex(place, at, *vertex),
            Setting::Clip(name) | Setting::FadeTo(name) => self.clip(place, at, name),
            Setting::Data(edit) => self.data(place, at, edit),
            _ => {}
        }
    }

    /// A parameter of the lesson, or what plays, takes nothing beyond its range; one of
    /// the rig, nothing absurd.
    fn in_range(&mut self, place: OutlinePlace, at: LineColumn, name: &str, value: f64) {
        let mut own = self.lesson.params.iter();
        let own = own.find(|param| param.name == name);
        let rig = self.known_rig.as_deref();
        let playing = rig.filter(|rig| rig.param(name).is_none());
        let playing = playing.and_then(|rig| playback_param(name, rig));
        let angle = own.is_some_and(|param| param.angle);
        let range = own.map(|param| param.range);
        let Some((low, high)) = range.or(playing.map(|param| param.range)) else {
            if let Err(wrong) = within(value, PARAM_LIMIT) {
                self.error_in(place, at, wrong.help("write a smaller number"));
            }
            return;
        };
        let shown = |value: f64| shown(value, angle);
        let (from, to) = (shown(low), shown(high));
        if !(low..=high).contains(&value) {
            let title =
                format!("`{name}` goes from {from} to {to}, and cannot be {}", shown(value));
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            let help = format!("write a value from {from} to {to}");
            self.error_in(place, at, wrong.help(help));
        } else if own.is_some_and(|param| param.whole) && value.fract() != 0.0 {
            let title = format!("`{name}` takes whole numbers, and cannot be {}", shown(value));
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            self.error_in(place, at, wrong.help("write a whole number"));
        }
    }

    /// An edit of data fits the rig as the step has it.
    fn data(&mut self, place: OutlinePlace, at: LineColumn, edit: &DataEdit) {
        if self.not_data_of_all(place, at, edit) {
            return;
        }
        for joint in edit.joints() {
            if matches!(joint, JointName::Name(_)) && !self.joint(place, at, joint) {
                return;
            }
        }
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let mut document = step_document(self.lesson, self.step_of(place), Some(&rig));
        let edit = Edit::Data(edit.clone());
        if let Err(refused) = apply(&mut document, &edit, self.lesson, &rig) {
            self.error_in(place, at, unfit(refused));
        }
    }

    /// A key of `set` blocks that was probably meant by an unknown parameter.
    fn set_key(&self, name: &str) -> Option<&'static str> {
        let known = self.param_names();
        let near_params = nearest(name, known.iter().copied());
        let near_keys = nearest(name, bindpose_lesson::set_keys());
        near_keys
            .first()
            .and_then(|near| bindpose_lesson::set_keys().find(|key| key == near))
            .filter(|_| near_params.is_empty())
    }
}
