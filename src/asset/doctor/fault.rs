//! A kind of fault: all that can be said of it before a file is known.

use crate::diagnostic::{Diagnostic, Severity};

/// One entry of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The official validator's name, or our own.
    pub(super) code: &'static str,
    pub(super) severity: Severity,
    /// What is wrong.
    pub(super) title: &'static str,
    /// What it does to the picture.
    pub(super) effect: &'static str,
    /// How to mend it.
    pub(super) remedy: &'static str,
    /// Slug of the lesson that explains it.
    pub(super) lesson: Option<&'static str>,
    /// Is there a way for the program to mend it?
    pub(super) mendable: bool,
}

impl Fault {
    /// What was found, as this fault. Where it has no help of its own, the remedy
    /// is that of the fault.
    pub(super) fn of(&self, found: Diagnostic) -> Diagnostic {
        let help = if found.help.is_empty() { self.remedy.to_owned() } else { found.help };
        Diagnostic {
            code: self.code,
            severity: self.severity,
            title: self.title.to_owned(),
            effect: self.effect.to_owned(),
            help,
            lesson: self.lesson,
            mendable: self.mendable,
            ..found
        }
    }

    /// The same fault where it does no harm that one could see.
    pub(super) const fn as_note(self) -> Self {
        Self { severity: Severity::Note, ..self }
    }
}

/// Slugs of lessons.
pub(super) mod lesson {
    pub(in crate::asset::doctor) const BIND: &str = "bind-pose";
    pub(in crate::asset::doctor) const WEIGHTS: &str = "bone-grid";
    pub(in crate::asset::doctor) const JOINTS: &str = "gltf-joint-matrices";
    pub(in crate::asset::doctor) const NORMALS: &str = "normals";
    pub(in crate::asset::doctor) const BYTES: &str = "gltf-bytes";
    pub(in crate::asset::doctor) const GRAPH: &str = "scene-graph";
    pub(in crate::asset::doctor) const WHALE: &str = "whale";
    pub(in crate::asset::doctor) const TIME: &str = "time";
    pub(in crate::asset::doctor) const MODEL: &str = "your-model";
}

/// `CODE Severity (LESSON) @mend { title, effect, remedy }`, as constants and
/// as the list `ALL`.
macro_rules! faults {
    ($($code:ident $severity:ident $(($lesson:ident))? $(@$mend:ident)? {
        $title:literal, $effect:literal, $remedy:literal $(,)?
    })*) => {
        $(pub(in crate::asset::doctor) const $code: $crate::asset::doctor::fault::Fault =
            $crate::asset::doctor::fault::Fault {
                code: stringify!($code),
                severity: $crate::diagnostic::Severity::$severity,
                title: $title,
                effect: $effect,
                remedy: $remedy,
                lesson: $crate::asset::doctor::fault::faults!(@lesson $($lesson)?),
                mendable: $crate::asset::doctor::fault::faults!(@mend $($mend)?),
            };
        )*
        pub(in crate::asset::doctor) const ALL: &[$crate::asset::doctor::fault::Fault] =
            &[$($code),*];
    };
    (@lesson) => { None };
    (@lesson $lesson:ident) => { Some($crate::asset::doctor::fault::lesson::$lesson) };
    (@mend) => { false };
    (@mend $mend:ident) => { true };
}
pub(super) use faults;
