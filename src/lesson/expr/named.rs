//! What a formula names, without working it out.

use super::Expr;
use super::tree::{Function, Node};

impl Expr {
    /// The parameters that it names, each with its column, in order.
    #[must_use]
    pub fn names(&self) -> Vec<(&str, usize)> {
        let mut names = Vec::new();
        walk(&self.root, &mut |node| {
            if let Node::Name { name, column } = node {
                names.push((name.as_str(), *column));
            }
        });
        names
    }

    /// The first function whose value follows from how the rig is posed, with its
    /// column.
    pub(crate) fn posed_function(&self) -> Option<(&'static str, usize)> {
        let mut found = None;
        walk(&self.root, &mut |node| {
            if let Node::Call {
                function, column, ..
            } = node
                && function.is_posed()
            {
                found.get_or_insert((function.name(), *column));
            }
        });
        found
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn walk<'a>(node: &'a Node, visit: &mut impl FnMut(&'a Node)) {
    visit(node);
    match node {
        Node::Number(_)
        | Node::Angle(_)
        | Node::Pi
        | Node::Vertex(_)
        | Node::Name { .. }
        | Node::Joint { .. } => {}
        Node::Negate(inner) => walk(inner, visit),
        Node::Binary(_, left, right) => {
            walk(left, visit);
            walk(right, visit);
        }
        Node::Call { arguments, .. } => {
            for argument in arguments {
                walk(argument, visit);
            }
        }
    }
}

impl Function {
    fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|&&(_, function, _)| function == self);
        known.map_or("", |&(name, ..)| name)
    }

    /// Does it follow from the pose, or from weights that readers edit?
    fn is_posed(self) -> bool {
        match self {
            Self::OfNumbers(_)
            | Self::If
            | Self::BindPosition(_)
            | Self::StoredNormal(_)
            | Self::Joints
            | Self::Rows
            | Self::Vertices
            | Self::Crowd => false,
            Self::Position(_)
            | Self::Normal(_)
            | Self::Distance
            | Self::Sum
            | Self::Weight
            | Self::Matrix(_)
            | Self::AngleBetween
            | Self::Determinant
            | Self::Volume
            | Self::Area
            | Self::BindVolume
            | Self::BindArea => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_functions_of_the_pose_are_found_where_they_stand() {
        let expr = |source| Expr::parse(source).expect("a formula");
        let formula = expr("-k*45deg + max(bend, 2)*k");
        assert_eq!(formula.names(), [("k", 2), ("bend", 16), ("k", 25)]);
        assert_eq!(formula.posed_function(), None);
        let formula = expr("1 + abs(y(v2)) + sum(0)");
        assert_eq!(formula.posed_function(), Some(("y", 9)));
        assert_eq!(expr("bind_x(v1)*joints()").posed_function(), None);
    }
}
