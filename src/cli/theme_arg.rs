//! The two themes, as arguments.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeName {
    Dark,
    Light,
}

impl ThemeName {
    pub(super) fn is_dark(self) -> bool {
        self == Self::Dark
    }
}
