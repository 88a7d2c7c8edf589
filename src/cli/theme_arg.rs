//! The two themes, as arguments.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeArg {
    Dark,
    Light,
}

impl ThemeArg {
    pub(super) fn is_dark(self) -> bool {
        self == Self::Dark
    }
}
