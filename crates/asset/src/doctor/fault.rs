//! A kind of fault: all that can be said of it before a file is known.

use bindpose_diagnostic::{Diagnostic, Severity};

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
    pub(in crate::doctor) const BIND: &str = "bind-pose";
    pub(in crate::doctor) const WEIGHTS: &str = "bone-grid";
    pub(in crate::doctor) const JOINTS: &str = "gltf-joint-matrices";
    pub(in crate::doctor) const NORMALS: &str = "normals";
    pub(in crate::doctor) const BYTES: &str = "gltf-bytes";
    pub(in crate::doctor) const GRAPH: &str = "scene-graph";
    pub(in crate::doctor) const WHALE: &str = "whale";
    pub(in crate::doctor) const TIME: &str = "time";
    pub(in crate::doctor) const MODEL: &str = "your-model";
}

/// `CODE Severity (LESSON) @mend { title, effect, remedy }`, as constants and
/// as the list `ALL`.
macro_rules! faults {
    ($($code:ident $severity:ident $(($lesson:ident))? $(@$mend:ident)? {
        $title:literal, $effect:literal, $remedy:literal $(,)?
    })*) => {
        $(pub(in crate::doctor) const $code: $crate::doctor::fault::Fault =
            $crate::doctor::fault::Fault {
                code: stringify!($code),
                severity: bindpose_diagnostic::Severity::$severity,
                title: $title,
                effect: $effect,
                remedy: $remedy,
                lesson: $crate::doctor::fault::faults!(@lesson $($lesson)?),
                mendable: $crate::doctor::fault::faults!(@mend $($mend)?),
            };
        )*
        pub(in crate::doctor) const ALL: &[$crate::doctor::fault::Fault] =
            &[$($code),*];
    };
    (@lesson) => { None };
    (@lesson $lesson:ident) => { Some($crate::doctor::fault::lesson::$lesson) };
    (@mend) => { false };
    (@mend $mend:ident) => { true };
}
pub(super) use faults;
