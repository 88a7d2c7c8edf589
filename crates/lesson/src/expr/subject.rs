//! What a formula is about: the first vertex, weight or cell that it names.

use bindpose_skin::JointIndex;

use super::Expr;
use super::functions::FormulaFunction;
use super::tree::FormulaNode;

/// Something of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaSubject {
    /// A vertex, by its number.
    Vertex(u32),
    /// The weight of a joint on a vertex.
    Weight(u32, JointIndex),
    /// A cell of one of a joint's matrices.
    Cell {
        /// Whose matrix.
        joint: JointIndex,
        /// From 0, top to bottom.
        row: usize,
        /// From 0, left to right.
        column: usize,
    },
}

impl Expr {
    /// The first thing that it names by number; `None` where it names none.
    pub fn subject(&self) -> Option<FormulaSubject> {
        of_node(&self.root)
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn of_node(node: &FormulaNode) -> Option<FormulaSubject> {
    match node {
        FormulaNode::Number(_)
        | FormulaNode::Angle(_)
        | FormulaNode::Pi
        | FormulaNode::Name { .. }
        | FormulaNode::Joint { .. } => None,
        FormulaNode::Vertex(vertex) => Some(FormulaSubject::Vertex(*vertex)),
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => of_node(inner),
        FormulaNode::Binary(_, left, right, _) => of_node(left).or_else(|| of_node(right)),
        FormulaNode::Call { function, arguments, .. } => match (function, arguments.as_slice()) {
            // Which joint has a name is for the rig to say.
            (
                FormulaFunction::Weight,
                [vertex, FormulaNode::Joint { .. } | FormulaNode::Name { .. }],
            ) => of_node(vertex),
            (FormulaFunction::Weight, [FormulaNode::Vertex(vertex), joint]) => {
                Some(FormulaSubject::Weight(
                    *vertex,
                    JointIndex(whole(joint).and_then(|joint| u16::try_from(joint).ok())?),
                ))
            }
            (FormulaFunction::Matrix(_), [joint, row, column]) => Some(FormulaSubject::Cell {
                joint: JointIndex(u16::try_from(whole(joint)?).ok()?),
                row: whole(row)?,
                column: whole(column)?,
            }),
            _ => arguments.iter().find_map(of_node),
        },
    }
}

/// A number that stands there as it is.
fn whole(node: &FormulaNode) -> Option<usize> {
    match node {
        FormulaNode::Number(number) if *number >= 0.0 && number.fract() == 0.0 => {
            Some(*number as usize)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_about_the_first_thing_that_it_names() {
        let of = |source| Expr::parse(source).expect("a formula").subject();
        assert_eq!(of("1-2*y(v4)"), Some(FormulaSubject::Vertex(4)));
        assert_eq!(of("distance(v2,v3)"), Some(FormulaSubject::Vertex(2)));
        assert_eq!(of("abs(weight(v6,1))"), Some(FormulaSubject::Weight(6, JointIndex(1))));
        let cell = FormulaSubject::Cell { joint: JointIndex(1), row: 0, column: 3 };
        assert_eq!(of("-world_from_bind(1,0,3)"), Some(cell));
        assert_eq!(of("world_from_bind(b0,0,3)"), None);
        assert_eq!(of("weight(v1,99999)"), None);
        assert_eq!(of("b0+joints()"), None);
    }
}
