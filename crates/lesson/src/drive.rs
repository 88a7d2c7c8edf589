//! Formulas of a lesson that drive parameters of its rig.

use bindpose_diagnostic::{Diagnostic, Place};

use super::Expr;

/// A parameter of the rig that follows a formula: `bend = "k * 45deg"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Name of the rig's parameter.
    pub param: String,
    /// What it is, in radians for angles.
    pub formula: Expr,
}

/// What may not stand in a formula that drives something: what follows from the
/// pose, which follows from the formula; and what is driven itself. So there are no
/// loops.
pub(crate) fn unfit(formula: &Expr, driven: &[&str]) -> Option<Diagnostic> {
    if let Some((function, column)) = formula.posed_function() {
        let title = format!("`{function}` follows from the pose, which this formula makes");
        let help = "write a formula of parameters, numbers and what is stored";
        let wrong = Diagnostic::said("LOOP", title).help(help);
        return Some(wrong.at(Place::Character(column)));
    }
    let (name, column) = formula.names().into_iter().find(|(name, _)| driven.contains(name))?;
    let title = format!("`{name}` is driven by a formula itself");
    let help = format!("write the formula of {name} in its place");
    let wrong = Diagnostic::said("LOOP", title).help(help);
    Some(wrong.at(Place::Character(column)))
}
