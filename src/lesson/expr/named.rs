//! Everything of rig and lesson that a formula names.

use super::Expr;
use super::tree::{Function, Node};

/// Something that a formula names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A parameter, or `all`.
    Param(String),
    /// A vertex, by its number.
    Vertex(u32),
    /// A joint, by its number, where that stands there as it is.
    Joint(u16),
}

impl Expr {
    /// All that it names, in the order of the text.
    #[must_use]
    pub fn named(&self) -> Vec<Named> {
        let mut named = Vec::new();
        collect(&self.root, &mut named);
        named
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn collect(node: &Node, named: &mut Vec<Named>) {
    match node {
        Node::Number(_) | Node::Angle(_) | Node::Pi => {}
        Node::Vertex(vertex) => named.push(Named::Vertex(*vertex)),
        Node::Name { name, .. } => named.push(Named::Param(name.clone())),
        Node::Negate(inner) => collect(inner, named),
        Node::Binary(_, left, right) => {
            collect(left, named);
            collect(right, named);
        }
        Node::Call {
            function,
            arguments,
            ..
        } => {
            for (place, argument) in arguments.iter().enumerate() {
                let is_joint = match function {
                    Function::Weight => place == 1,
                    Function::Matrix(_) => place == 0,
                    Function::AngleBetween => true,
                    _ => false,
                };
                match argument {
                    Node::Number(joint) if is_joint => named.push(Named::Joint(*joint as u16)),
                    _ => collect(argument, named),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_formula_is_found() {
        let expr = Expr::parse("-b1+weight(v2,3)*world_from_joint(4,0,1)^angle_between(5,6)/all")
            .expect("a formula");
        let joint = Named::Joint;
        let param = |name: &str| Named::Param(name.to_owned());
        assert_eq!(
            expr.named(),
            [
                param("b1"),
                Named::Vertex(2),
                joint(3),
                joint(4),
                joint(5),
                joint(6),
                param("all")
            ]
        );
        assert_eq!(Expr::parse("joints()*2").expect("a formula").named(), []);
    }
}
