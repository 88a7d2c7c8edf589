//! What a formula names, without working it out.

use super::Expr;
use super::functions::{FormulaFunction, OfRig, TypedFunction};
use super::tree::FormulaNode;

/// Something that a formula names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedThing {
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
    pub fn named(&self) -> Vec<NamedThing> {
        let mut named = Vec::new();
        collect(&self.root, &mut named);
        named
    }

    /// The parameters that it names, each with its column, in order.
    pub fn names(&self) -> Vec<(&str, usize)> {
        let mut names = Vec::new();
        walk(&self.root, &mut |node| {
            if let FormulaNode::Name { name, column } = node {
                names.push((name.as_str(), *column));
            }
        });
        names
    }

    /// The first function whose value follows from how the rig is posed, with its
    /// column.
    pub(crate) fn posed_function(&self) -> Option<(&'static str, usize)> {
        first_function(&self.root, FormulaFunction::is_posed)
    }
}

impl FormulaNode {
    /// The first function that asks the mesh, with its column.
    pub(super) fn function_of_mesh(&self) -> Option<(&'static str, usize)> {
        first_function(self, FormulaFunction::reads_mesh)
    }
}

fn first_function(
    node: &FormulaNode,
    is_meant: impl Fn(FormulaFunction) -> bool,
) -> Option<(&'static str, usize)> {
    let mut found = None;
    walk(node, &mut |node| {
        if let FormulaNode::Call { function, column, .. } = node
            && is_meant(*function)
        {
            found.get_or_insert((function.name(), *column));
        }
    });
    found
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn walk<'a>(node: &'a FormulaNode, visit: &mut impl FnMut(&'a FormulaNode)) {
    visit(node);
    match node {
        FormulaNode::Number(_)
        | FormulaNode::Angle(_)
        | FormulaNode::Pi
        | FormulaNode::Vertex(_)
        | FormulaNode::Name { .. }
        | FormulaNode::Joint { .. } => {}
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => walk(inner, visit),
        FormulaNode::Binary(_, left, right, _) => {
            walk(left, visit);
            walk(right, visit);
        }
        FormulaNode::Call { arguments, .. } => {
            for argument in arguments {
                walk(argument, visit);
            }
        }
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
fn collect(node: &FormulaNode, named: &mut Vec<NamedThing>) {
    match node {
        FormulaNode::Number(_) | FormulaNode::Angle(_) | FormulaNode::Pi => {}
        FormulaNode::Vertex(vertex) => named.push(NamedThing::Vertex(*vertex)),
        FormulaNode::Name { name, .. } => named.push(NamedThing::Param(name.clone())),
        FormulaNode::Joint { name, .. } => named.push(NamedThing::JointNamed(name.clone())),
        FormulaNode::Negate(inner) | FormulaNode::Member(inner, ..) => collect(inner, named),
        FormulaNode::Binary(_, left, right, _) => {
            collect(left, named);
            collect(right, named);
        }
        FormulaNode::Call { function, arguments, .. } => {
            for (place, argument) in arguments.iter().enumerate() {
                match argument {
                    FormulaNode::Number(joint) if function.takes_joint(place) => {
                        named.push(NamedThing::Joint(*joint as u16));
                    }
                    FormulaNode::Name { name, .. } if function.takes_joint(place) => {
                        named.push(NamedThing::JointNamed(name.clone()));
                    }
                    _ => collect(argument, named),
                }
            }
        }
    }
}

impl FormulaFunction {
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
            | Self::Typed(TypedFunction::OfRig(OfRig::Stored)) => true,
            other => other.is_posed(),
        }
    }

    /// Does it follow from the pose, or from weights that readers edit?
    fn is_posed(self) -> bool {
        match self {
            Self::Typed(TypedFunction::OfRig(of_rig)) => matches!(
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
        let joint = NamedThing::Joint;
        let param = |name: &str| NamedThing::Param(name.to_owned());
        assert_eq!(
            expr.named(),
            [
                param("b1"),
                NamedThing::Vertex(2),
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
