//! A program as a tree.

use crate::expr::tree::FormulaNode;

/// One statement. Columns are in characters of the whole text, from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// `name = formula`
    Assign { name: String, column: usize, value: FormulaNode },
    /// `for name in … { … }`
    For { name: String, column: usize, over: LoopOver, body: Vec<Self> },
    /// `if condition { … } else { … }`
    If { condition: FormulaNode, column: usize, then: Vec<Self>, otherwise: Vec<Self> },
    /// `rotate_z(joint, angle)`
    Move { action: Action, joint: FormulaNode, arguments: Vec<FormulaNode>, column: usize },
}

/// What a loop goes through.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LoopOver {
    /// The numbers of all joints.
    Joints,
    /// Whole numbers, both ends included.
    Range(FormulaNode, FormulaNode),
}

/// What a statement does to a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// About one of its own axes: 0 is x.
    RotateAxis(usize),
    /// By a quaternion.
    Rotate,
    Translate,
    Scale,
    SetLocal,
}

impl Action {
    /// Name, action, and the words for what follows the joint.
    pub(super) const ALL: [(&'static str, Self, &'static [&'static str]); 9] = [
        ("rotate_x", Self::RotateAxis(0), &["angle"]),
        ("rotate_y", Self::RotateAxis(1), &["angle"]),
        ("rotate_z", Self::RotateAxis(2), &["angle"]),
        ("rotate", Self::Rotate, &["quat"]),
        ("translate", Self::Translate, &["x", "y", "z"]),
        ("translate", Self::Translate, &["vec3"]),
        ("scale", Self::Scale, &["x", "y", "z"]),
        ("scale", Self::Scale, &["factor"]),
        ("set_local", Self::SetLocal, &["matrix"]),
    ];

    /// `write rotate_z(joint, angle)`
    pub(super) fn usage(name: &str) -> String {
        let rows = Self::ALL.iter().filter(|&&(other, ..)| other == name);
        let forms = rows.map(|(_, _, words)| format!("{name}(joint, {})", words.join(", ")));
        format!("write {}", forms.collect::<Vec<_>>().join(" or "))
    }
}
