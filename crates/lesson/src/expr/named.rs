//! What a formula names, without working it out.

use super::Expr;
use super::functions::{Function, OfRig, Typed};
use super::tree::Node;

/// Something that a formula names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A parameter, or `all`.
    Param(String),
    /// A vertex, by its number.
    Vertex(u32),
    /// A joint, by its number, where that stands there as it is.
    Joint(u16),
    /// A joint, by its name.
    JointNamed(String),
}

impl Expr {
    /// All that it names, in the order of the text.
    pub fn named(&self) -> Vec<Named> {
        let mut named = Vec::new();
        collect(&self.root, &mut named);
        named
    }

    /// The parameters that it names, each with its column, in order.
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
        first_function(&self.root, Function::is_posed)
    }
}

impl Node {
    /// The first function that asks the mesh, with its column.
    pub(super) fn function_of_mesh(&self) -> Option<(&'static str, usize)> {
        first_function(self, Function::reads_mesh)
    }
}

fn first_function(
    node: &Node,
    is_meant: impl Fn(Function) -> bool,
) -> Option<(&'static str, usize)> {
    let mut found = None;
    walk(node, &mut |node| {
        if let Node::Call { function, column, .. } = node
            && is_meant(*function)
        {
            found.get_or_insert((function.name(), *column));
        }
    });
    found
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
        Node::Negate(inner) | Node::Member(inner, ..) => walk(inner, visit),
        Node::Binary(_, left, right, _) => {
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

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn collect(node: &Node, named: &mut Vec<Named>) {
    match node {
        Node::Number(_) | Node::Angle(_) | Node::Pi => {}
        Node::Vertex(vertex) => named.push(Named::Vertex(*vertex)),
        Node::Name { name, .. } => named.push(Named::Param(name.clone())),
        Node::Joint { name, .. } => named.push(Named::JointNamed(name.clone())),
        Node::Negate(inner) | Node::Member(inner, ..) => collect(inner, named),
        Node::Binary(_, left, right, _) => {
            collect(left, named);
            collect(right, named);
        }
        Node::Call { function, arguments, .. } => {
            for (place, argument) in arguments.iter().enumerate() {
                match argument {
                    Node::Number(joint) if function.takes_joint(place) => {
                        named.push(Named::Joint(*joint as u16));
                    }
                    Node::Name { name, .. } if function.takes_joint(place) => {
                        named.push(Named::JointNamed(name.clone()));
                    }
                    _ => collect(argument, named),
                }
            }
        }
    }
}

impl Function {
    fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|&&(_, function, _)| function == self);
        known.map_or("", |&(name, ..)| name)
    }

    /// Does it ask for something of the mesh, or of its node?
    fn reads_mesh(self) -> bool {
        match self {
            Self::Matrix(_) | Self::AngleBetween | Self::Determinant => false,
            Self::BindPosition(_)
            | Self::StoredNormal(_)
            | Self::Typed(Typed::OfRig(OfRig::Stored)) => true,
            other => other.is_posed(),
        }
    }

    /// Does it follow from the pose, or from weights that readers edit?
    fn is_posed(self) -> bool {
        match self {
            Self::Typed(Typed::OfRig(of_rig)) => matches!(
                of_rig,
                OfRig::MeshNodeFromBind
                    | OfRig::WorldFromMeshNode
                    | OfRig::SkinMatrix
                    | OfRig::Skinned
            ),
            Self::OfNumbers(_)
            | Self::If
            | Self::BindPosition(_)
            | Self::StoredNormal(_)
            | Self::Joints
            | Self::Rows
            | Self::Vertices
            | Self::Crowd
            | Self::Typed(_) => false,

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

    #[test]
    fn every_name_of_a_formula_is_found() {
        let expr = Expr::parse("-b1+weight(v2,3)*world_from_joint(4,0,1)^angle_between(5,6)/all")
            .expect("a formula");
        let joint = Named::Joint;
        let param = |name: &str| Named::Param(name.to_owned());
        assert_eq!(
            expr.named(),
            [param("b1"), Named::Vertex(2), joint(3), joint(4), joint(5), joint(6), param("all")]
        );
        assert_eq!(Expr::parse("joints()*2").expect("a formula").named(), []);
    }
}
